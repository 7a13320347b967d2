"""The turn, step by step: (step, fighter, what was read) -> what follows."""

from typing import Any

import msgspec
import pytest

from firepower.chance import Handful, Modifier, Next, Task, Typed, die, play, situation
from firepower.combat.percentile.tests import D100Rule
from firepower.systems.rate_of_fire.conditions import Hampering, RecoveryTest
from firepower.systems.rate_of_fire.fate import FateCost, RerollAgain
from firepower.systems.rate_of_fire.fighter import NOT_SHOT_AT, SHOT_AT, Arm, Fighter
from firepower.systems.rate_of_fire.turn import (
    ActionPoints,
    ForeseenSurprise,
    IgnoreFatigue,
    Points,
    Surprise,
    SurpriseCheck,
    TurnBegins,
    TurnEnds,
    TurnRules,
)
from tests.systems.rate_of_fire.helpers import DUMMY, GUNNER, fate_rules, fight, opened

FATE = fate_rules()
AGILITY = Handful(die(10), 3, ((0,),) * 4 + ((1,),) * 6)
TEST = D100Rule("one_plus_tens", natural_extremes=True, clamped=False)
WILLPOWER = (Modifier("Willpower", 40, "scout"),)
RECOVERY = RecoveryTest(WILLPOWER, TEST, None, not_shot_at=None, hampering=Hampering())

RULES = TurnRules("scout", 1, AGILITY, 5, "half", 3, 2, None)
"""One AP and three agility dice, Awareness bonus 3, Willpower bonus 2."""

FRESH = Fighter(ap=0)
PINNED = Fighter(ap=0, pinned=NOT_SHOT_AT)
TIRED = Fighter(ap=0, fatigue=1, fate=5)
OUT = Fighter(out=True)
JAMMED = Arm("other", None, "poor", jammed=True)


def rules(**changes: Any) -> TurnRules:
    return msgspec.structs.replace(RULES, **changes)


FIXED = rules(ap=3, agility=None)
FATED = rules(fate=FATE)
UNCOUNTED = rules(ap=None, agility=None)


# -- a turn begins -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "fighter", "after"),
    [
        # AP: by dice, fixed, or not counted
        (RULES, FRESH, Next(FRESH, ActionPoints(RULES, 0))),
        (FIXED, FRESH, Next(Fighter(ap=3), records={"ap_gained": 3})),
        (FIXED, PINNED, Next(Fighter(ap=2, pinned=NOT_SHOT_AT), records={"ap_gained": 2})),
        (UNCOUNTED, Fighter(), Next(Fighter())),
        # the re-roll comes back
        (UNCOUNTED, Fighter(rerolled=True), Next(Fighter())),
        # fatigue is ignored for a turn less, and may be ignored again
        (UNCOUNTED, Fighter(tireless=2), Next(Fighter(tireless=1))),
        (UNCOUNTED, Fighter(tireless=1), Next(Fighter())),
        (FATED, TIRED, Next(TIRED, IgnoreFatigue(FATE, 2), ActionPoints(FATED, 0))),
        (
            rules(fate=FATE, ap=None),
            Fighter(fatigue=1, fate=5, tireless=1),
            Next(Fighter(fatigue=1, fate=5), IgnoreFatigue(FATE, 2)),
        ),
        (
            rules(fate=FATE, ap=None),
            Fighter(fatigue=1, fate=5, tireless=2),
            Next(Fighter(fatigue=1, fate=5, tireless=1)),
        ),
        # nothing to ignore, no points, no rounds of Willpower, no Fate
        (FATED, Fighter(ap=0, fate=5), Next(Fighter(ap=0, fate=5), ActionPoints(FATED, 0))),
        (
            rules(fate=FATE, ap=None),
            Fighter(fatigue=1, fate=0),
            Next(Fighter(fatigue=1, fate=0)),
        ),
        (rules(fate=FATE, ap=None, willpower=0), TIRED, Next(TIRED)),
        (rules(ap=None), TIRED, Next(TIRED)),
        # what was begun goes on, an aim is kept, hits and conditions stay
        (
            UNCOUNTED,
            Fighter(aim=20, begun="reload", paid=1, pinned=SHOT_AT, fatigue=2),
            Next(Fighter(aim=20, begun="reload", paid=1, pinned=SHOT_AT, fatigue=2)),
        ),
    ],
)
def test_turn_begins(turn: TurnRules, fighter: Fighter, after: Next[Fighter]) -> None:
    assert TurnBegins(turn, surprised=False).then(fighter, None) == after


@pytest.mark.parametrize(
    ("turn", "fighter", "after"),
    [
        (RULES, FRESH, Next(FRESH, SurpriseCheck(RULES))),
        (FIXED, FRESH, Next(FRESH, SurpriseCheck(FIXED))),
        (
            FATED,
            Fighter(ap=0, fate=1),
            Next(Fighter(ap=0, fate=1), ForeseenSurprise(FATED, FATE)),
        ),
        (FATED, Fighter(ap=0, fate=0), Next(Fighter(ap=0, fate=0), SurpriseCheck(FATED))),
    ],
)
def test_the_first_turn_of_somebody_surprised(
    turn: TurnRules, fighter: Fighter, after: Next[Fighter]
) -> None:
    assert TurnBegins(turn, surprised=True).then(fighter, None) == after


@pytest.mark.parametrize("step", [TurnBegins(RULES, surprised=False), TurnEnds(None)])
def test_who_is_out_has_no_turn(step: TurnBegins | TurnEnds) -> None:
    assert step.applies(PINNED)
    assert not step.applies(OUT)


def test_a_turn_says_whose_it_is() -> None:
    assert TurnBegins(RULES, surprised=False).says(FRESH) == "scout takes a turn"


# -- fatigue ignored -----------------------------------------------------------------------------


@pytest.mark.parametrize(("policy", "taken"), [("never", "no"), ("when_fatigued", "yes")])
def test_ignoring_fatigue_is_a_choice(policy: str, taken: str) -> None:
    choice = IgnoreFatigue(msgspec.structs.replace(FATE, fatigue=policy), 2).ask(TIRED)
    assert choice.label == "ignore fatigue for 2 rounds with Fate?"
    assert (choice.by, choice.policy) == ("scout", taken)
    assert [option.key for option in choice.options] == ["no", "yes"]


@pytest.mark.parametrize(
    ("taken", "after"),
    [
        (False, Next(TIRED)),
        (True, Next(Fighter(ap=0, fatigue=1, fate=5, tireless=2), FateCost(FATE.cost))),
    ],
)
def test_ignore_fatigue(taken: bool, after: Next[Fighter]) -> None:
    assert IgnoreFatigue(FATE, 2).then(TIRED, taken) == after


# -- surprise ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("awareness", "lost"),
    [
        (0, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        (3, [0, 0, 0, 1, 2, 3, 4, 5, 6, 7]),
        (9, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        (10, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        (15, [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    ],
)
def test_surprise_by_awareness(awareness: int, lost: list[int]) -> None:
    assert [Surprise(awareness).read(face) for face in range(1, 11)] == lost


@pytest.mark.parametrize(("awareness", "need"), [(3, "3 or less"), (12, "9 or less")])
def test_what_a_surprise_check_needs(awareness: int, need: str) -> None:
    assert Surprise(awareness).need == need


def test_surprise_in_words() -> None:
    assert [Surprise(3).words(lost) for lost in (0, 2)] == ["not surprised", "surprised, 2 AP lost"]


@pytest.mark.parametrize(("lost", "surprised"), [(0, 0), (1, 1), (7, 1)])
def test_surprise_check(lost: int, surprised: int) -> None:
    step = SurpriseCheck(RULES)
    assert step.then(FRESH, lost) == Next(
        FRESH, ActionPoints(RULES, lost), records={"surprised": surprised}
    )
    roll = step.ask(FRESH)
    assert (roll.label, str(roll.throw)) == ("surprise check", "d10")
    assert roll.reading == Surprise(3)


@pytest.mark.parametrize(
    ("awareness", "taken", "todo", "records"),
    [
        (3, False, [SurpriseCheck(FATED)], {}),
        (3, True, [FateCost(FATE.cost), ActionPoints(FATED, 0)], {"surprised": 0}),
        # a 1 is above a bonus of 0
        (
            0,
            True,
            [FateCost(FATE.cost), ActionPoints(rules(fate=FATE, awareness=0), 1)],
            {"surprised": 1},
        ),
    ],
)
def test_a_surprise_foreseen(
    awareness: int, taken: bool, todo: list[Any], records: dict[str, int]
) -> None:
    turn = rules(fate=FATE, awareness=awareness)
    after = ForeseenSurprise(turn, FATE).then(FRESH, taken)
    assert after == Next(FRESH, *todo, records=records)


@pytest.mark.parametrize(("policy", "taken"), [("never", "no"), ("always", "yes")])
def test_foreseeing_a_surprise_is_a_choice(policy: str, taken: str) -> None:
    fate = msgspec.structs.replace(FATE, surprise=policy)
    choice = ForeseenSurprise(RULES, fate).ask(Fighter(ap=0, fate=2))
    assert choice.label == "let the surprise check count as 1 with Fate?"
    assert (choice.by, choice.policy) == ("scout", taken)


# -- action points -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plus", "pinned", "gained", "ap"),
    [
        (1, "all", 0, 1),
        (1, "all", 3, 4),
        # never below none, however much was lost
        (-1, "all", 0, 0),
        (-1, "all", 1, 0),
        (-1, "all", 3, 2),
        # half of what is left, rounded up
        (1, "half", 0, 1),
        (1, "half", 1, 1),
        (1, "half", 2, 2),
        (1, "half", 3, 2),
        (-1, "half", 0, 0),
        (-1, "half", 2, 1),
        (1, "nothing", 3, 0),
    ],
)
def test_points(plus: int, pinned: str, gained: int, ap: int) -> None:
    points = Points(plus, pinned, 5)
    assert points.read((gained,)) == ap
    assert (points.need, points.words(ap)) == ("5+ each", f"{ap} AP")


@pytest.mark.parametrize(
    ("turn", "lost", "fighter", "points"),
    [
        (RULES, 0, FRESH, Points(1, "all", 5)),
        (RULES, 2, FRESH, Points(-1, "all", 5)),
        (RULES, 0, PINNED, Points(1, "half", 5)),
        (rules(pinned="nothing"), 0, PINNED, Points(1, "nothing", 5)),
        (rules(pinned="nothing"), 0, FRESH, Points(1, "all", 5)),
    ],
)
def test_action_points_ask_for_agility_dice(
    turn: TurnRules, lost: int, fighter: Fighter, points: Points
) -> None:
    roll = ActionPoints(turn, lost).ask(fighter)
    assert roll is not None
    assert (roll.label, str(roll.throw), roll.reading) == ("action points", "3×d10", points)


@pytest.mark.parametrize(
    ("turn", "lost", "fighter", "read", "ap"),
    [
        (RULES, 0, FRESH, 3, 3),
        (RULES, 2, PINNED, 0, 0),
        # without dice
        (FIXED, 0, FRESH, None, 3),
        (FIXED, 2, FRESH, None, 1),
        (FIXED, 7, FRESH, None, 0),
        (FIXED, 0, PINNED, None, 2),
        (FIXED, 2, PINNED, None, 1),
    ],
)
def test_action_points(
    turn: TurnRules, lost: int, fighter: Fighter, read: int | None, ap: int
) -> None:
    step = ActionPoints(turn, lost)
    assert (step.ask(fighter) is None) == (read is None)
    assert step.then(fighter, read) == Next(
        msgspec.structs.replace(fighter, ap=ap), records={"ap_gained": ap}
    )


# -- a turn ends ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fighter", "rest"),
    [
        (Fighter(ap=2), Fighter(ap=0)),
        (Fighter(), Fighter()),
        (
            Fighter(
                arms=(Arm("one", 5, "common", fired=10), Arm("other", None, "poor", jammed=True))
            ),
            Fighter(arms=(Arm("one", 5, "common"), Arm("other", None, "poor", jammed=True))),
        ),
        # an aim and what was begun last; the re-roll comes back when the next turn begins
        (
            Fighter(ap=1, aim=10, begun="reload", paid=1, rerolled=True, tireless=1),
            Fighter(ap=0, aim=10, begun="reload", paid=1, rerolled=True, tireless=1),
        ),
    ],
)
def test_turn_ends(fighter: Fighter, rest: Fighter) -> None:
    for recovery in (None, RECOVERY):
        assert TurnEnds(recovery).then(fighter, None) == Next(rest)


@pytest.mark.parametrize("pinned", [NOT_SHOT_AT, SHOT_AT])
def test_who_is_pinned_may_recover_at_the_end_of_a_turn(pinned: int) -> None:
    fighter, rest = Fighter(ap=1, pinned=pinned), Fighter(ap=0, pinned=pinned)
    assert TurnEnds(RECOVERY).then(fighter, None) == Next(rest, RECOVERY)
    assert TurnEnds(None).then(fighter, None) == Next(rest)


USED, FREE = Fighter(rerolled=True, fate=3), Fighter(fate=3)


@pytest.mark.parametrize(
    ("fighter", "applies"),
    [(USED, True), (FREE, False), (Fighter(rerolled=True), True), (Fighter(), False)],
)
def test_a_failed_test_may_be_rolled_again_once_more(fighter: Fighter, applies: bool) -> None:
    step = RerollAgain()
    assert step.applies(fighter) is applies
    assert step.ask(fighter) is None
    assert step.then(fighter, None) == Next(msgspec.structs.replace(fighter, rerolled=False))
    assert (step.says(fighter), step.reach) == ("", ())


def agenda_of_rerolls(reading: str, **more: Any) -> list[Task]:
    """What the agenda says of re-rolls, in a fight of two with a bystander."""
    people = {"cultist": GUNNER, "medic": DUMMY}
    lines = ({"action": "single-shot", "at": ["cultist"]}, {"by": "cultist", "action": "aim"})
    shooter = {"ap": 2, "fate": 3} | more
    data = fight(*lines, people=people, shooter=shooter, rulings={"fate_turn": reading})
    steps = (RerollAgain, TurnBegins)
    return [task for task in opened(data).situation.agenda if isinstance(task.step, steps)]


def test_everybody_may_roll_again() -> None:
    """When anybody's turn begins, where that is the ruling: each combatant by itself."""
    agenda = agenda_of_rerolls("anybodys")
    everybody = [Task(RerollAgain(), name) for name in ("scout", "cultist", "medic")]
    assert agenda[:3] == agenda[4:7] == everybody
    turns = [agenda[3], agenda[7]]
    assert [(type(turn.step), turn.who) for turn in turns] == [
        (TurnBegins, "scout"),
        (TurnBegins, "cultist"),
    ]
    assert len(agenda) == 8
    parts = {"scout": USED, "cultist": FREE, "medic": USED}
    played = play(situation(parts, *everybody), Typed([]))
    assert played.situation.parts == (FREE, FREE, FREE)
    assert played.events == ()


def test_only_in_ones_own_turn_the_reroll_comes_back_otherwise() -> None:
    for agenda in (agenda_of_rerolls("own"), agenda_of_rerolls("anybodys", fate=None)):
        assert [type(task.step) for task in agenda] == [TurnBegins, TurnBegins]
