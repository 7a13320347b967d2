"""Wrong files, variants and quick forms, asked through the command line."""

import json
from pathlib import Path

import pytest

from tests.systems.conftest import Ask
from tests.systems.rate_of_fire.helpers import TOML

# -- files ---------------------------------------------------------------------------------------


def test_missing_file(tmp_path: Path, ask: Ask) -> None:
    path = tmp_path / "none.toml"
    assert ask("odds", path) == f"there is no file {path}"


def test_directory(tmp_path: Path, ask: Ask) -> None:
    sentence = ask("odds", tmp_path)
    assert sentence == f"{tmp_path} is a directory, not a scenario file"


FILES = {
    "ten megabytes": (b"#" * 10_000_000, "attack.toml", "is larger than a scenario can be"),
    "binary": (bytes(range(256)), "attack.toml", "is not text in UTF-8"),
    "zero bytes": (b"\0\0\0", "attack.toml", "is not TOML"),
    "not JSON": (b"{", "attack.json", "is not JSON"),
    "a JSON list": (b"[1, 2]", "attack.json", "must be a table of keys, not [1, 2]"),
    "deep JSON": (b"[" * 100_000, "attack.json", "is nested too deeply"),
    "a JSON number of 5,000 digits": (b'{"format": ' + b"9" * 5000 + b"}", "attack.json", ""),
}


@pytest.mark.parametrize("name", FILES)
def test_wrong_file(
    name: str,
    tmp_path: Path,
    ask: Ask,
) -> None:
    content, file, says = FILES[name]
    path = tmp_path / file
    path.write_bytes(content)
    sentence = ask("odds", path)
    assert sentence.startswith(f"{path} ")
    assert says in sentence


def test_two_combatants_of_one_name_in_json(tmp_path: Path, ask: Ask) -> None:
    path = tmp_path / "attack.json"
    path.write_text('{"system": "rate-of-fire", "combatants": {"a": {}, "a": {}}, "do": []}')
    sentence = ask("odds", path)
    assert str(path) in sentence
    assert "the key 'a' is given twice" in sentence


def test_json_is_refused_as_toml_is(tmp_path: Path, ask: Ask) -> None:
    path = tmp_path / "attack.json"
    scout = {"ranged_combat": -1}
    path.write_text(json.dumps({"system": "rate-of-fire", "combatants": {"a": scout}, "do": []}))
    assert ask("odds", path) == (
        f"{path}: combatants.a.ranged_combat must be a whole number from 0 to 150, not -1"
    )


# -- variants ------------------------------------------------------------------------------------

VARIANTS = {
    "another game": ('extends = "dark-heresy"\n', "extends (line 1) must be 'rate-of-fire'"),
    "no game": ("spread_m = 3\n", "extends"),
    "an unknown table": (
        'extends = "rate-of-fire"\n[armor]\nplate = 3\n',
        "armor (line 2) is not known here",
    ),
    "an unknown key of a table": (
        'extends = "rate-of-fire"\n[jam]\nsemi = 97\n',
        "jam.semi (line 3) is not known here",
    ),
    "an unknown ruling": (
        'extends = "rate-of-fire"\n[rulings]\ndegree = "tens"\n',
        "rulings.degree (line 3) is not known; did you mean degrees?",
    ),
    "an unknown reading": (
        'extends = "rate-of-fire"\n[rulings]\ndegrees = "ten"\n',
        "rulings.degrees (line 3) must be one of one_plus_tens, at_least_one, tens, tens_digits",
    ),
    "an unknown policy": (
        'extends = "rate-of-fire"\n[policies]\nalocation = "spread"\n',
        "policies.alocation (line 3) is not known; did you mean allocation?",
    ),
    "a wrong type": (
        'extends = "rate-of-fire"\nspread_m = "far"\n',
        "spread_m (line 2) must be a number, not 'far'",
    ),
    "no TOML": ("extends = \n", "is not TOML"),
}


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("by_option", [True, False], ids=["option", "key"])
def test_wrong_variant(
    name: str,
    by_option: bool,
    tmp_path: Path,
    ask: Ask,
) -> None:
    text, says = VARIANTS[name]
    house, path = tmp_path / "house.toml", tmp_path / "attack.toml"
    house.write_text(text)
    path.write_text(TOML if by_option else f'variant = "house.toml"\n{TOML}')
    options = ["--variant", str(house)] if by_option else []
    sentence = ask("odds", path, *options)
    assert sentence.startswith(str(house))
    assert says in sentence


def test_missing_variant(tmp_path: Path, ask: Ask) -> None:
    path = tmp_path / "attack.toml"
    path.write_text(f'variant = "none.toml"\n{TOML}')
    assert ask("odds", path) == (f"there is no file {tmp_path / 'none.toml'}")


# -- the quick form and changes ------------------------------------------------------------------

QUICK = ["odds", "rate-of-fire", "autogun", "semi-auto"]
SKILL = ["--set", "combatants.shooter.ranged_combat=45"]
PLACE = ["--set", "combatants.target.distance=40"]

QUICK_FORMS = {
    "an unknown weapon": (
        ["odds", "rate-of-fire", "bolter", "semi-auto", *SKILL, *PLACE],
        "combatants.shooter.weapons.bolter names 'bolter', no weapon of the armoury",
    ),
    "an unknown action": (
        ["odds", "rate-of-fire", "autogun", "sniping", *SKILL, *PLACE],
        "do[1].action is 'sniping', which is no action",
    ),
    "an unknown game": (["odds", "rate", "autogun", "semi-auto"], "no game is called 'rate'"),
    "no skill": ([*QUICK, *PLACE], "combatants.shooter shoots, so it needs the key 'ranged"),
    "no place": ([*QUICK, *SKILL], "combatants.target needs the key 'distance'"),
    "two words": (["odds", "rate-of-fire", "autogun"], "is neither a scenario file nor"),
    "a change without a value": ([*QUICK, "--set", "do"], "--set takes key=value, not 'do'"),
    "a change of no key": ([*QUICK, "--set", "do[2].dice=1"], "names the key 'do[2].dice'"),
    "a wrong change": (
        [*QUICK, *SKILL, *PLACE, "--set", "do[1].aim=much"],
        "do[1].aim must be a whole number from 0 to 500, not 'much'",
    ),
    "a measure that there is not": (
        [*QUICK, *SKILL, *PLACE, "-m", "hit"],
        "there is no measure 'hit' here; did you mean hits?",
    ),
    "a face that the die has not": (
        [*QUICK, *SKILL, *PLACE, "--dice", "101"],
        "a d100 has no face '101'; its faces are 1 to 100",
    ),
    "too many faces": ([*QUICK, *SKILL, *PLACE, "--dice", "90,4,4"], "2 faces too many"),
}


@pytest.mark.parametrize("name", QUICK_FORMS)
def test_wrong_quick_form(name: str, ask: Ask) -> None:
    arguments, says = QUICK_FORMS[name]
    assert says in ask(*arguments)
