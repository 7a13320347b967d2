"""Wrong fights, asked through the command line: one sentence before any die, exit code 2."""

from pathlib import Path
from typing import NamedTuple

import pytest

from firepower.answers.question import read_question
from tests.systems.conftest import Ask

FIGHT = """\
format = 1
system = "rate-of-fire"
rounds = 2

[combatants.scout]
ranged_combat = 45
ap = 3

[combatants.scout.weapons.autogun]
loaded = 30
magazine = 20

[combatants.cultist]
distance = 40
ranged_combat = 35

[combatants.cultist.weapons.autogun]

[[do]]
by = "scout"
action = "semi-auto"
at = ["cultist"]

[[do]]
by = "scout"
otherwise = ["single-shot"]
action = "full-auto"
at = ["cultist"]

[[do]]
by = "cultist"
action = "aim"
"""
"""Two bursts of the scout, and an Aim of the cultist, in each of two rounds."""

FIRST = 'action = "semi-auto"\nat = ["cultist"]'
SECOND = 'otherwise = ["single-shot"]\naction = "full-auto"\nat = ["cultist"]'
AIM = 'action = "aim"'
RELOAD = 'action = "reload"'
ROUNDS = "rounds = 2"
AP = "ap = 3"
DELAY = 'action = "delay"\nat = ["cultist"]'
SUPPRESSING = 'action = "suppressing-fire"\nin_cone = ["cultist"]'


def changed(*changes: tuple[str, str]) -> str:
    """The fight with some of its text replaced; all must be there, once."""
    text = FIGHT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


class Wrong(NamedTuple):
    """A fight, what its refusal must say after the file's name, and how it is asked."""

    text: str
    says: str
    command: tuple[str, ...] = ("odds",)


BEST = ("best", "--goal", "cultist.hits")

FIGHTS = {
    # -- rounds and the order of acting
    "no round": Wrong(
        changed((ROUNDS, "rounds = 0")),
        "rounds (line 3) must be a whole number from 1 to 100, not 0",
    ),
    "too many rounds": Wrong(
        changed((ROUNDS, "rounds = 101")),
        "rounds (line 3) must be a whole number from 1 to 100, not 101",
    ),
    "a round that there is not": Wrong(
        changed((FIRST, f"{FIRST}\nin_rounds = [1, 3]")),
        "do[1].in_rounds[2] (line 23) is 3, but the last round is 2",
    ),
    "a round that there is not, of the only line": Wrong(
        FIGHT[: FIGHT.index('[[do]]\nby = "scout"\notherwise')]
        .replace(ROUNDS, "rounds = 1")
        .replace(f"{AP}\n", "")
        + "in_rounds = [2]\n",
        "do[1].in_rounds[1] (line 23) is 2, but the last round is 1",
    ),
    "a round before the first": Wrong(
        changed((FIRST, f"{FIRST}\nin_rounds = [0]")),
        "do[1].in_rounds[1] (line 23) must be a whole number from 1 to 100, not 0",
    ),
    "an order with somebody idle": Wrong(
        changed(
            (ROUNDS, f'{ROUNDS}\norder = ["scout", "medic", "cultist"]'),
            ("[combatants.cultist]", "[combatants.medic]\ndistance = 9\n[combatants.cultist]"),
        ),
        "order[2] (line 4) names 'medic', who does nothing; there is cultist, scout",
    ),
    "an order with somebody who is not here": Wrong(
        changed((ROUNDS, f'{ROUNDS}\norder = ["scoot", "cultist"]')),
        "order[1] (line 4) names 'scoot', who does nothing; did you mean scout?",
    ),
    "an order with somebody twice": Wrong(
        changed((ROUNDS, f'{ROUNDS}\norder = ["scout", "cultist", "scout"]')),
        "order[3] (line 4) names 'scout' twice",
    ),
    "an order without everybody": Wrong(
        changed((ROUNDS, f'{ROUNDS}\norder = ["scout"]')),
        "order (line 4) does not name cultist, who acts",
    ),
    "somebody who acts is not here": Wrong(
        changed(('by = "cultist"', 'by = "cultits"')),
        "do[3].by (line 31) names 'cultits', who is not here; did you mean cultist?",
    ),
    # -- Delay
    "suppressing fire after a Delay": Wrong(
        changed((FIRST, DELAY), (SECOND, SUPPRESSING)),
        "do[2].action (line 26) is 'suppressing-fire', which cannot be joined with a Delay",
    ),
    "suppressing fire after a Delay, if nothing else can be done": Wrong(
        changed(
            (FIRST, DELAY),
            (SECOND, f'otherwise = ["aim", "suppressing-fire"]\n{RELOAD}\nin_cone = ["cultist"]'),
        ),
        "do[2].otherwise[2] (line 26) is 'suppressing-fire', which cannot be joined with a Delay",
    ),
    "a Delay if nothing else can be done": Wrong(
        changed(('["single-shot"]', '["single-shot", "delay"]')),
        "do[2].otherwise[2] (line 26) is 'delay', which is a line of its own",
    ),
    "waiting for somebody who acted before": Wrong(
        changed((AIM, 'action = "delay"\nat = ["scout"]')),
        "do[3].at (line 33) is 'scout', who does not act after cultist in that round",
    ),
    "waiting for somebody who acted before, by the order": Wrong(
        changed((FIRST, DELAY), (ROUNDS, f'{ROUNDS}\norder = ["cultist", "scout"]')),
        "do[1].at (line 23) is 'cultist', who does not act after scout in that round",
    ),
    "waiting for somebody in vain, in a later round": Wrong(
        changed(
            (ROUNDS, f'{ROUNDS}\norder = ["medic", "scout", "cultist"]'),
            ("[combatants.cultist]", "[combatants.medic]\n[combatants.cultist]"),
            (FIRST, f"{DELAY}\nin_rounds = [1]"),
            (SECOND, 'action = "delay"\nat = ["medic"]\nin_rounds = [2]'),
            (f'by = "cultist"\n{AIM}', f'by = "cultist"\n{AIM}\n[[do]]\nby = "medic"\n{AIM}'),
        ),
        "do[2].at (line 30) is 'medic', who does not act after scout in that round",
    ),
    "waiting for each other": Wrong(
        changed((FIRST, DELAY), (AIM, 'action = "delay"\nat = ["scout"]')),
        "do[1].at (line 22) is 'cultist', who does not act after scout in that round",
    ),
    "waiting for somebody who does not act": Wrong(
        changed(
            ("[combatants.cultist]", "[combatants.medic]\n[combatants.cultist]"),
            (FIRST, 'action = "delay"\nat = ["medic"]'),
        ),
        "do[1] (line 20) must name in 'at' whose turn is waited for",
    ),
    "waiting for nobody": Wrong(
        changed((FIRST, 'action = "delay"')),
        "do[1] (line 19) must name in 'at' whose turn is waited for",
    ),
    "waiting for somebody who is not here": Wrong(
        changed((FIRST, 'action = "delay"\nat = ["cultits"]')),
        "do[1].at[1] (line 22) names 'cultits', who is not here; did you mean cultist?",
    ),
    # -- weapons
    "reloading without a magazine": Wrong(
        changed(("magazine = 20\n", ""), (FIRST, RELOAD)),
        "combatants.scout.weapons.autogun (line 9) is reloaded, so it needs the key 'magazine'",
    ),
    "reloading without a magazine, if nothing else can be done": Wrong(
        changed(("magazine = 20\n", ""), ('["single-shot"]', '["reload"]')),
        "combatants.scout.weapons.autogun (line 9) is reloaded, so it needs the key 'magazine'",
    ),
    "reloading what is not counted": Wrong(
        changed(("loaded = 30\n", ""), (FIRST, RELOAD)),
        "combatants.scout.weapons.autogun (line 9) is reloaded, so it needs the key 'loaded'",
    ),
    "reloading nothing": Wrong(
        changed(("[combatants.cultist.weapons.autogun]\n", ""), (AIM, RELOAD)),
        "do[3] (line 29) must name its 'weapon'; cultist has none",
    ),
    "too few rounds from the beginning": Wrong(
        changed(("loaded = 30", "loaded = 1")),
        "combatants.scout.weapons.autogun.loaded (line 10) is 1, but semi-auto uses 2 rounds; "
        "lawful is single-shot",
    ),
    "a jam that nobody clears": Wrong(
        changed(("loaded = 30", "loaded = 30\njammed = true")),
        "combatants.scout.weapons.autogun.jammed (line 11) is true: a jammed weapon cannot fire "
        "until it is cleared",
    ),
    "clearing a jam without a skill": Wrong(
        changed(("ranged_combat = 35\n", ""), (AIM, 'action = "clear-jam"')),
        "combatants.cultist (line 13) clears a jam, so it needs 'ranged_combat'",
    ),
    # -- action points
    "more AP than there are": Wrong(
        changed((AP, "ap = 2"), (FIRST, SUPPRESSING)),
        "do[1].action (line 21) is 'suppressing-fire', which costs 3 AP of at most 2 in a turn",
    ),
    "more AP than dice can give": Wrong(
        changed((AP, "agility_bonus = 1"), (FIRST, SUPPRESSING)),
        "do[1].action (line 21) is 'suppressing-fire', which costs 3 AP of at most 2 in a turn",
    ),
    "more AP than there are, if nothing else can be done": Wrong(
        changed(
            (AP, "ap = 2"),
            ('["single-shot"]', '["aim", "suppressing-fire"]\nin_cone = ["cultist"]'),
        ),
        "do[2].otherwise[2] (line 26) is 'suppressing-fire', which costs 3 AP of at most 2 in a "
        "turn",
    ),
    "more dice than AP": Wrong(
        changed((AP, "ap = 2"), ('"full-auto"', '"full-auto"\ndice = 3')),
        "do[2].action (line 27) is 'full-auto 3', which costs 3 AP of at most 2 in a turn",
    ),
    "AP and agility": Wrong(
        changed((AP, f"{AP}\nagility = 35")),
        "combatants.scout.ap (line 7) is 3, but the agility that gives AP is stated",
    ),
    "AP and the agility bonus": Wrong(
        changed((AP, f"{AP}\nagility_bonus = 3")),
        "combatants.scout.ap (line 7) is 3, but the agility that gives AP is stated",
    ),
    "no AP at all": Wrong(
        changed((AP, "ap = 0")),
        "combatants.scout.ap (line 7) must be a whole number from 1 to 99, not 0",
    ),
    "surprised without Awareness": Wrong(
        changed((AP, f"{AP}\nsurprised = true")),
        "combatants.scout (line 5) makes a surprise check, so it needs the key 'awareness'",
    ),
    "surprised without AP": Wrong(
        changed((AP, "surprised = true\nawareness = 30")),
        "combatants.scout (line 5) makes a surprise check for AP, so it needs the key 'agility'",
    ),
    # -- what a line cannot say in a fight
    "an aim taken before": Wrong(
        changed((FIRST, f"{FIRST}\naim = 20")),
        "do[1].aim (line 23) is 20, but in a fight aiming is a line: action = 'aim'",
    ),
    "an action that there is not": Wrong(
        changed((AIM, 'action = "dodge"')), "do[3].action (line 32)"
    ),
    "an action that there is not, if nothing else can be done": Wrong(
        changed(('["single-shot"]', '["single-shot", "reload", "dodge"]')),
        "do[2].otherwise[3] (line 26)",
    ),
    "a mode that the weapon lacks, if nothing else can be done": Wrong(
        changed(("loaded = 30", 'loaded = 30\nrof = "-/2/3d5"')),
        "do[2].otherwise[1] (line 27) is 'single-shot', which the autogun (rof -/2/3d5) cannot do",
    ),
    "Fate that is no number": Wrong(
        changed((AP, f'{AP}\nfate = "some"')), "combatants.scout.fate (line 8)"
    ),
    "an open turn in a plan": Wrong(
        changed((f"\n{AIM}", "")),
        "do[3] (line 30) must name its 'action': ",
    ),
    # -- who and where
    "two distances": Wrong(
        changed((AP, f"{AP}\ndistance = 30"), (AIM, 'action = "single-shot"\nat = ["scout"]')),
        "combatants.scout.distance (line 8) is 30 m, but cultist is 40 m away: two have one "
        "distance",
    ),
    "no distance of either": Wrong(
        changed(("distance = 40\n", "")),
        "combatants.cultist (line 13) needs the key 'distance' (from whoever acts)",
    ),
    "out of range of the second line": Wrong(
        changed(
            ('"full-auto"\nat = ["cultist"]', '"full-auto"\nat = ["cultist", "medic"]'),
            ("[combatants.cultist]", "[combatants.medic]\ndistance = 176\n[combatants.cultist]"),
        ),
        "do[2].at (line 30) is 'medic', who is 176 m away; the weapon reaches 175 m",
    ),
    # -- an open turn
    "an open turn without AP": Wrong(
        changed((f"{AP}\n", ""), (f"{FIRST}\n", 'at = ["cultist"]\n')),
        "combatants.scout (line 5) needs the key 'ap' or 'agility': its turn is left open, so AP "
        "must be known",
        BEST,
    ),
    "a fight that does not fit, before the best is sought": Wrong(
        changed((f"{FIRST}\n", ""), (AP, f"{AP}\nagility = 35")),
        "combatants.scout.ap (line 7) is 3, but the agility that gives AP is stated",
        BEST,
    ),
}


@pytest.mark.parametrize("name", FIGHTS)
def test_wrong_fight(name: str, tmp_path: Path, ask: Ask) -> None:
    wrong, path = FIGHTS[name], tmp_path / "fight.toml"
    path.write_text(wrong.text)
    command, *rest = wrong.command
    sentence = ask(command, path, *rest)
    assert sentence.startswith(f"{path}: {wrong.says}")
    assert len(sentence) < 600


@pytest.mark.parametrize("name", ["an action that there is not", "Fate that is no number"])
def test_the_value_is_named(name: str, tmp_path: Path, ask: Ask) -> None:
    path = tmp_path / "fight.toml"
    path.write_text(FIGHTS[name].text)
    value = "is 'dodge', which is no action" if "action" in name else "not 'some'"
    assert value in ask("odds", path)


def test_the_fight_itself_is_answered(tmp_path: Path) -> None:
    """Each fight above is this one with a single fault."""
    path = tmp_path / "fight.toml"
    path.write_text(FIGHT)
    assert read_question(path).opening.rounds == range(1, 3)
    assert "cultist.hits" in read_question(path).opening.measures


@pytest.mark.parametrize(
    "command", [["odds"], ["roll", "--seed", "1"], ["best", "--goal", "cultist.hits"]]
)
def test_every_command_refuses_alike(command: list[str], tmp_path: Path, ask: Ask) -> None:
    path = tmp_path / "fight.toml"
    path.write_text(changed((FIRST, DELAY), (SECOND, SUPPRESSING)))
    assert ask(command[0], path, *command[1:]) == (
        f"{path}: do[2].action (line 26) is 'suppressing-fire', which cannot be joined with a Delay"
    )


def test_more_rounds_than_there_are_turns_for(tmp_path: Path, ask: Ask) -> None:
    """The rounds that are asked for count, not those of the scenario."""
    path = tmp_path / "fight.toml"
    path.write_text(changed((FIRST, f"{FIRST}\nin_rounds = [2]")))
    sentence = ask("best", path, "--goal", "cultist.hits", "--turns", "1")
    assert sentence == f"{path}: do[1].in_rounds[1] (line 23) is 2, but the last round is 1"


def test_a_delay_in_another_round_forbids_nothing(tmp_path: Path) -> None:
    path = tmp_path / "fight.toml"
    path.write_text(
        changed((FIRST, f"{DELAY}\nin_rounds = [1]"), (SECOND, f"{SUPPRESSING}\nin_rounds = [2]"))
    )
    assert read_question(path).opening.rounds == range(1, 3)
