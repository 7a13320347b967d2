"""Wrong scenarios, asked through the command line: one sentence, exit code 2, nothing else."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from firepower.cli.main import main
from tests.systems.conftest import Ask
from tests.systems.rate_of_fire.helpers import TOML


def changed(*changes: tuple[str, str]) -> str:
    """The scenario with lines replaced, by their beginnings; all must be there."""
    text = TOML
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


class Wrong(NamedTuple):
    """A scenario, and what its refusal must name: the key with its line, the rest, a value."""

    text: str
    key: str
    says: str
    also: str = ""


FULL_AUTO = 'action = "full-auto"'
SUPPRESSING = 'action = "suppressing-fire"'
ACTION = 'action = "semi-auto"'
AT = 'at = ["cultist"]'

SCENARIOS = {
    # -- the form
    "unknown key at the top": Wrong("colour = 1\n" + TOML, "colour (line 1)", "is not known here"),
    "unknown key of a combatant": Wrong(
        changed(("distance = 40", "distence = 40")),
        "combatants.cultist.distence (line 11)",
        "is not known here; did you mean distance?",
    ),
    "unknown key of a weapon": Wrong(
        changed(("loaded = 30", "clip = 30")),
        "combatants.scout.weapons.autogun.clip (line 8)",
        "is not known here",
    ),
    "unknown key of a line": Wrong(
        changed((AT, f"{AT}\nspeed = 3")), "do[1].speed (line 20)", "is not known here"
    ),
    "text for a number": Wrong(
        changed(("distance = 40", 'distance = "far"')),
        "combatants.cultist.distance (line 11)",
        "must be a number from 0 to 100000, not 'far'",
    ),
    "a fraction for a whole number": Wrong(
        changed(("willpower = 35", "willpower = 3.5")),
        "combatants.cultist.willpower (line 12)",
        "must be a whole number from 0 to 150, not 3.5",
    ),
    "true for a number": Wrong(
        changed(("loaded = 30", "loaded = true")),
        "combatants.scout.weapons.autogun.loaded (line 8)",
        "must be a whole number from 0 to 10000, not true",
    ),
    "a number for true": Wrong(
        changed(("distance = 40", "distance = 40\ndaemon = 1")),
        "combatants.cultist.daemon (line 12)",
        "must be true or false, not 1",
    ),
    "a name for a list": Wrong(
        changed((AT, 'at = "cultist"')), "do[1].at (line 19)", "must be a list, not 'cultist'"
    ),
    "a list for a table": Wrong(
        changed(("[combatants.cultist]", "[[combatants.cultist]]")),
        "combatants.cultist",
        "must be a table",
    ),
    "a position of one number": Wrong(
        changed(("distance = 40", "position = [40]")),
        "combatants.cultist.position (line 11)",
        "must be a list of 2 numbers, not [40]",
    ),
    "another version": Wrong(changed(("format = 1", "format = 2")), "format (line 1)", "not 2"),
    "another game": Wrong(
        changed(('"rate-of-fire"', '"rate-of-fir"')),
        "system (line 2)",
        "no game is called 'rate-of-fir'; did you mean rate-of-fire?",
    ),
    "no game": Wrong(changed(('system = "rate-of-fire"\n', "")), "", "needs the key 'system'"),
    "no combatants": Wrong(
        'system = "rate-of-fire"\n[[do]]\nby = "scout"\n', "", "needs the key 'combatants'"
    ),
    "no line": Wrong(TOML[: TOML.index("[[do]]")], "", "needs the key 'do'"),
    "an empty list of lines": Wrong(
        "do = []\n" + TOML[: TOML.index("[[do]]")], "do (line 1)", "is empty; state what is done"
    ),
    # -- figures out of their range
    "a negative range": Wrong(
        changed(("loaded = 30", "range = -35")),
        "combatants.scout.weapons.autogun.range (line 8)",
        "-35",
    ),
    "no range": Wrong(
        changed(("loaded = 30", "range = 0")),
        "combatants.scout.weapons.autogun.range (line 8)",
        "not 0",
    ),
    "a negative distance": Wrong(
        changed(("distance = 40", "distance = -1")),
        "combatants.cultist.distance (line 11)",
        "must be a number from 0 to 100000, not -1",
    ),
    "a distance that is no number": Wrong(
        changed(("distance = 40", "distance = nan")),
        "combatants.cultist.distance (line 11)",
        "not nan",
    ),
    "a position that is no number": Wrong(
        changed(
            ("distance = 40", "position = [nan, 1.0]"),
            ("ranged_combat = 45", "ranged_combat = 45\nposition = [0, 0]"),
            (ACTION, SUPPRESSING),
        ),
        "combatants.cultist.position[1] (line 12)",
        "nan",
    ),
    "too much Storm": Wrong(
        changed(("loaded = 30", "storm = 6")),
        "combatants.scout.weapons.autogun.storm (line 8)",
        "must be a whole number from 1 to 5, not 6",
    ),
    "a huge modifier": Wrong(
        changed((AT, f"{AT}\nmodifiers = {{ moon = 501 }}")),
        "do[1].modifiers",
        "must be a whole number from -500 to 500, not 501",
    ),
    "no dice": Wrong(
        changed((ACTION, f"{FULL_AUTO}\ndice = 0")),
        "do[1].dice (line 19)",
        "must be a whole number from 1 to 99, not 0",
    ),
    # -- weapons
    "a weapon that is not carried": Wrong(
        changed(('weapon = "autogun"', 'weapon = "autogn"')),
        "do[1].weapon (line 17)",
        "is 'autogn', which scout does not have; did you mean autogun?",
    ),
    "a weapon that the armoury lacks": Wrong(
        changed(("weapons.autogun]", "weapons.bolter]"), ('"autogun"', '"bolter"')),
        "combatants.scout.weapons.bolter (line 7)",
        "names 'bolter', no weapon of the armoury",
    ),
    "a weapon that is nothing in the armoury": Wrong(
        changed(("loaded = 30", 'use = "autogunn"')),
        "combatants.scout.weapons.autogun.use (line 8)",
        "names 'autogunn', no weapon of the armoury, and states no range, rof and damage; did you",
    ),
    "no weapon": Wrong(
        changed(("[combatants.scout.weapons.autogun]\nloaded = 30\n", "")),
        "do[1].weapon (line 15)",
        "is 'autogun', which scout does not have",
    ),
    "which weapon?": Wrong(
        changed(
            ('weapon = "autogun"\n', ""),
            ("loaded = 30", "[combatants.scout.weapons.training-rifle]"),
        ),
        "do[1] (line 15)",
        "must name its 'weapon'; scout has autogun, training-rifle",
    ),
    "a rate of fire in d6": Wrong(
        changed(("loaded = 30", 'rof = "S/2/3d6"')),
        "combatants.scout.weapons.autogun",
        "'S/2/3d6' is not written like S/2/3d5",
        "rof",
    ),
    "a million dice of damage": Wrong(
        changed(("loaded = 30", 'damage = "1000000d1000000+RCB [I]"')),
        "combatants.scout.weapons.autogun",
        "'1000000d1000000' throws 1000000 dice at once; 1 to 100 can be thrown",
        "damage",
    ),
    "damage that costs too much": Wrong(
        changed(("loaded = 30", 'damage = "40d100kh20 [I]"')),
        "combatants.scout.weapons.autogun",
        "'40d100kh20' would cost too much",
        "damage",
    ),
    "damage without a kind": Wrong(
        changed(("loaded = 30", 'damage = "d10+RCB"')),
        "combatants.scout.weapons.autogun",
        "'d10+RCB' is not written like d10+2+RCB [I]",
        "damage",
    ),
    "unknown craftsmanship": Wrong(
        changed(("loaded = 30", 'craftsmanship = "fine"')),
        "combatants.scout.weapons.autogun.craftsmanship (line 8)",
        "not 'fine'",
    ),
    "a jammed weapon": Wrong(
        changed(("loaded = 30", "jammed = true")),
        "combatants.scout.weapons.autogun.jammed (line 8)",
        "is true: a jammed weapon cannot fire until it is cleared",
    ),
    "an empty magazine": Wrong(
        changed(("loaded = 30", "loaded = 0")),
        "combatants.scout.weapons.autogun.loaded (line 8)",
        "is 0, but semi-auto uses 2 rounds; nothing can be fired",
    ),
    "too few rounds": Wrong(
        changed(("loaded = 30", "loaded = 9"), (ACTION, f"{FULL_AUTO}\ndice = 2")),
        "combatants.scout.weapons.autogun.loaded (line 8)",
        "is 9, but full-auto uses 10 rounds; lawful is full-auto with 1 die",
    ),
    # -- modes
    "a mode that there is not": Wrong(
        changed((ACTION, 'action = "fullauto"')),
        "do[1].action (line 18)",
        "is 'fullauto', which is no action",
    ),
    "no mode": Wrong(changed((f"{ACTION}\n", "")), "do[1] (line 15)", "must name its 'action'"),
    "semi-auto with a weapon that has none": Wrong(
        changed(("loaded = 30", 'rof = "S/-/-"')),
        "do[1].action (line 18)",
        "is 'semi-auto', which the autogun (rof S/-/-) cannot do; it can do single-shot",
    ),
    "full auto with a weapon that has none": Wrong(
        changed(("loaded = 30", 'rof = "S/2/-"'), (ACTION, f"{FULL_AUTO}\ndice = 1")),
        "do[1].action (line 18)",
        "is 'full-auto', which the autogun (rof S/2/-) cannot do",
    ),
    "three dice with a weapon of two": Wrong(
        changed(("loaded = 30", 'rof = "S/2/2d5"'), (ACTION, f"{FULL_AUTO}\ndice = 3")),
        "do[1].dice (line 19)",
        "is 3, but the autogun (rof S/2/2d5) rolls at most 2",
    ),
    "full auto with more AP than dice": Wrong(
        changed((ACTION, FULL_AUTO), (AT, f"{AT}\nap = 4")),
        "do[1].ap (line 20)",
        "is 4, but the autogun (rof S/2/3d5) rolls at most 3",
    ),
    "a distance that the positions contradict": Wrong(
        changed(
            ("distance = 40", "distance = 40\nposition = [3, 4]"),
            ("ranged_combat = 45", "ranged_combat = 45\nposition = [0, 0]"),
        ),
        "combatants.cultist.distance",
        "is 40 m, but by their positions it is 5 m",
    ),
    "dice of a burst": Wrong(
        changed((AT, f"{AT}\ndice = 2")),
        "do[1].dice (line 20)",
        "is 2, but only full-auto rolls dice",
    ),
    "the wrong action points": Wrong(
        changed((AT, f"{AT}\nap = 2")), "do[1].ap (line 20)", "is 2, but this attack costs 1 AP"
    ),
    "full auto while engaged": Wrong(
        changed(
            (ACTION, f"{FULL_AUTO}\ndice = 1"),
            ("ranged_combat = 45", "ranged_combat = 45\nengaged = true"),
        ),
        "do[1].action (line 19)",
        "is 'full-auto', but scout is engaged: not allowed",
    ),
    "suppressing fire while fleeing": Wrong(
        changed(
            (ACTION, f'{SUPPRESSING}\nin_cone = ["cultist"]'),
            ("ranged_combat = 45", "ranged_combat = 45\nfleeing = true"),
        ),
        "do[1].action (line 19)",
        "is 'suppressing-fire', but scout is fleeing: not allowed",
    ),
    # -- who and where
    "an unknown shooter": Wrong(
        changed(('by = "scout"', 'by = "scoot"')),
        "do[1].by (line 16)",
        "names 'scoot', who is not here; did you mean scout?",
    ),
    "an unknown target": Wrong(
        changed((AT, 'at = ["cultits"]')),
        "do[1].at[1] (line 19)",
        "names 'cultits', who is not here; did you mean cultist?",
    ),
    "no target": Wrong(
        changed((f"{AT}\n", "")), "do[1] (line 15)", "must name the original target in 'at'"
    ),
    "the shooter as the second target": Wrong(
        changed((AT, 'at = ["cultist", "scout"]')), "do[1].at[2] (line 19)", "is the one shooting"
    ),
    "the shooter as the target": Wrong(
        changed((AT, 'at = ["scout"]')),
        "do[1].at[1] (line 19)",
        "names 'scout', who is the one shooting",
    ),
    "no ranged combat": Wrong(
        changed(("ranged_combat = 45\n", "")),
        "combatants.scout (line 4)",
        "shoots, so it needs the key 'ranged_combat'",
    ),
    "no distance": Wrong(
        changed(("distance = 40\n", "")),
        "combatants.cultist (line 10)",
        "needs the key 'distance' (from whoever acts)",
    ),
    "out of range": Wrong(
        changed(("distance = 40", "distance = 176")),
        "do[1].at (line 19)",
        "is 'cultist', who is 176 m away; the weapon reaches 175 m",
    ),
    "near is the original": Wrong(
        changed((AT, f'{AT}\nnear = ["cultist"]')),
        "do[1].near[1] (line 20)",
        "names 'cultist', the original target",
    ),
    "near is too far": Wrong(
        changed(
            ("distance = 40", "position = [0, 40]"),
            (AT, f'{AT}\nnear = ["other"]'),
            ("ranged_combat = 45", "ranged_combat = 45\nposition = [0, 0]"),
            ("[[do]]", "[combatants.other]\nposition = [0, 42.1]\n[[do]]"),
        ),
        "do[1].near[1] (line 23)",
        "names 'other', whose position is not within 2 m of cultist",
    ),
    "the shooter in the melee, at the full-auto rate": Wrong(
        changed((AT, f'{AT}\nmelee = ["cultist", "scout"]'), ("semi-auto", "full-auto")),
        "do[1].action (line 18)",
        "is 'full-auto', but scout is engaged: not allowed",
    ),
    "twice in the melee": Wrong(
        changed((AT, f'{AT}\nmelee = ["cultist", "cultist"]')),
        "do[1].melee[2] (line 20)",
        "names 'cultist' twice",
    ),
    "out of range in the cone": Wrong(
        changed(
            (ACTION, f'{SUPPRESSING}\nin_cone = ["cultist"]'), ("distance = 40", "distance = 180")
        ),
        "do[1].in_cone[1] (line 19)",
        "names 'cultist', who is 180 m away: out of range",
    ),
    "no cone": Wrong(
        changed((ACTION, SUPPRESSING)), "do[1] (line 15)", "must list everybody 'in_cone'"
    ),
    "a cone at somebody who is not there": Wrong(
        changed(
            (ACTION, SUPPRESSING),
            (AT, 'at = ["ghost"]'),
            ("ranged_combat = 45", "ranged_combat = 45\nposition = [0, 0]"),
        ),
        "do[1].at[1] (line 20)",
        "names 'ghost', who is not here",
    ),
    "a name with a dot": Wrong(
        TOML + '[combatants."a.b"]\n',
        "combatants",
        "has the name 'a.b'; a name is not empty and has no dot",
    ),
    "a name of blanks": Wrong(TOML + '[combatants." "]\n', "combatants", "the name ' '"),
    "a name over two lines": Wrong(
        TOML + '[combatants."a\\nb"]\nspeed = 1\n', "combatants", "is not known here"
    ),
    # -- rulings and variants
    "an unknown ruling": Wrong(
        TOML + '[rulings]\ndegree = "tens"\n',
        "rulings.degree (line 21)",
        "is not known; did you mean degrees?",
    ),
    "an unknown reading": Wrong(
        TOML + '[rulings]\ndegrees = "ten"\n',
        "rulings.degrees (line 21)",
        "must be one of one_plus_tens, at_least_one, tens, tens_digits, not 'ten'",
    ),
    "a reading that is no text": Wrong(
        TOML + "[rulings]\ndegrees = 10\n", "rulings.degrees (line 21)", "must be text, not 10"
    ),
    "an unknown policy": Wrong(
        TOML + '[policies]\nalocation = "spread"\n',
        "policies.alocation (line 21)",
        "is not known; did you mean allocation?",
    ),
    "an unknown reading of a policy": Wrong(
        TOML + '[policies]\nallocation = "evenly"\n',
        "policies.allocation (line 21)",
        "must be one of original, spread, not 'evenly'",
    ),
    # -- what is no scenario
    "an empty file": Wrong("", "", "needs the key 'system'"),
    "text that is not TOML": Wrong("format = = 1\n", "", "is not TOML"),
    "two combatants of one name": Wrong(
        TOML + "[combatants.cultist]\n", "", "is not TOML: Cannot declare ('combatants', 'cultist')"
    ),
    "a key given twice": Wrong("format = 1\nformat = 1\n", "", "is not TOML"),
    "deep nesting": Wrong("x = " + "[" * 5000 + "]" * 5000, "", "is nested too deeply"),
    "deep tables": Wrong("[" + "x." * 2000 + "x]\n", "", ""),
    "a number of 5,000 digits": Wrong(
        changed(("distance = 40", f"distance = {'9' * 5000}")), "", ""
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_wrong_scenario(
    name: str,
    tmp_path: Path,
    ask: Ask,
) -> None:
    wrong, path = SCENARIOS[name], tmp_path / "attack.toml"
    path.write_text(wrong.text)
    sentence = ask("odds", path)
    assert sentence.startswith(str(path))
    rest = sentence.removeprefix(str(path)).lstrip(": ")
    assert rest.startswith(wrong.key)
    assert wrong.says in rest
    assert wrong.also in rest
    assert len(sentence) < 600


def test_the_scenario_itself_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each scenario above is this one with a single fault."""
    path = tmp_path / "attack.toml"
    path.write_text(TOML)
    monkeypatch.setattr(sys, "argv", ["firepower", "odds", str(path), "-m", "hits"])
    main()
    out, err = capsys.readouterr()
    assert "Semi-Auto Attack" in out
    assert err == ""


COMMANDS = [["odds"], ["roll", "--seed", "1"], ["best", "--goal", "hits"]]


@pytest.mark.parametrize("command", COMMANDS, ids=["odds", "roll", "best"])
def test_every_command_refuses_alike(
    command: list[str],
    tmp_path: Path,
    ask: Ask,
) -> None:
    path = tmp_path / "attack.toml"
    path.write_text(changed(("distance = 40", "distance = 176")))
    sentence = ask(command[0], path, *command[1:])
    assert sentence == (
        f"{path}: do[1].at (line 19) is 'cultist', who is 176 m away; the weapon reaches 175 m"
    )


def test_a_refusal_leaves_nothing_on_standard_output_of_a_process(tmp_path: Path) -> None:
    path = tmp_path / "attack.toml"
    path.write_text(changed(("loaded = 30", "loaded = 0")))
    done = subprocess.run(
        [sys.executable, "-c", "from firepower.cli.main import main; main()", "odds", str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"firepower: {path}: combatants.scout.weapons.autogun.loaded (line 8) is 0, but semi-auto "
        "uses 2 rounds; nothing can be fired\n"
    )
