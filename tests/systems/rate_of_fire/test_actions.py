"""Actions of a turn: what hinders them, and what follows when they are begun."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest

from firepower.chance import (
    Chosen,
    Modifier,
    Next,
    Policies,
    Scripted,
    Solver,
    StepError,
    Tally,
    Task,
    Typed,
    View,
    play,
    situation,
)
from firepower.chance.readings import Test as Result
from firepower.combat.actions import NEEDLESS, Action
from firepower.combat.percentile.tests import D100Rule, SecondChance
from firepower.combat.turns import PlannedAction
from firepower.systems.rate_of_fire.attack import Aimed, Attack, BeShotAt, ChooseTarget, EmptyCone
from firepower.systems.rate_of_fire.conditions import Hampering
from firepower.systems.rate_of_fire.fighter import BROKEN, NOT_SHOT_AT, SHOT_AT, Arm, Fighter
from firepower.systems.rate_of_fire.shooting import RollToHit, Shot
from firepower.systems.rate_of_fire.utility import (
    Clearing,
    ClearingTest,
    PutOff,
    Reloading,
    TakeAim,
    Why,
    cleared,
)
from tests.systems.rate_of_fire.helpers import DUMMY, Data, fate_rules, fight, opened

PEOPLE = {"cultist": DUMMY, "second": DUMMY, "third": DUMMY}
STANDS, OUT = Fighter(), Fighter(out=True)
ARM = Arm("autogun", 30, "common")
ME = Fighter(ap=3, arms=(ARM,))


def planned(line: Data, **more: Any) -> Any:
    """The first action of a line, as it is planned."""
    more.setdefault("people", PEOPLE)
    more.setdefault("shooter", {"ap": 4})
    steps = [task.step for task in opened(fight(line, **more)).situation.agenda]
    return next(step for step in steps if isinstance(step, PlannedAction)).actions[0]


def cause_of(action: Action, view: View) -> str:
    """What blocks an action, in a word; empty if nothing does."""
    why = action.blocked(view)
    return why.cause if why is not None else ""


def alone(me: Fighter) -> View:
    """What the scout sees if what it does concerns nobody else."""
    return View(("scout",), (me,))


def around(fire: Attack, me: Fighter, **others: Fighter) -> View:
    """What the scout sees of itself and of those whom an attack concerns."""
    step = PlannedAction("scout", (fire,))
    people = dict.fromkeys(PEOPLE, STANDS) | others
    glanced = tuple((name, step.glance(people[name])) for name in step.glances)
    return View(("scout",), (me,), glanced)


def armed(**changes: Any) -> Fighter:
    """The scout with a weapon that is changed so."""
    return msgspec.structs.replace(ME, arms=(msgspec.structs.replace(ARM, **changes),))


def having(**changes: Any) -> Fighter:
    return msgspec.structs.replace(ME, **changes)


SHOT: Attack = planned({"action": "single-shot", "at": ["cultist"]})
BURST: Attack = planned({"action": "semi-auto", "at": ["cultist"], "near": ["second"]})
FULL: Attack = planned({"action": "full-auto", "at": ["cultist"], "dice": 2})
EITHER: Attack = planned({"action": "single-shot", "at": ["cultist", "second", "third"]})
CONE: Attack = planned({"action": "suppressing-fire", "in_cone": ["cultist", "second"]})
EMPTY: Attack = planned({"action": "suppressing-fire", "in_cone": []})
BRAWL: Attack = planned(
    {"action": "semi-auto", "at": ["cultist"], "melee": ["cultist", "second"], "near": ["third"]}
)

# -- what hinders an attack ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fire", "me", "cause"),
    [
        (SHOT, ME, ""),
        (SHOT, armed(loaded=1), ""),
        (SHOT, armed(loaded=None), ""),
        (SHOT, armed(loaded=0), "ammunition"),
        (BURST, armed(loaded=1), "ammunition"),
        (FULL, armed(loaded=10), ""),
        (FULL, armed(loaded=9), "ammunition"),
        (CONE, armed(loaded=14), "ammunition"),
        (SHOT, armed(jammed=True), "jam"),
        (SHOT, armed(craftsmanship=BROKEN), "broken"),
        (SHOT, armed(craftsmanship="useless"), ""),
        (SHOT, having(ap=1), ""),
        (SHOT, having(ap=0), "ap"),
        (SHOT, having(ap=None), ""),
        (FULL, having(ap=1), "ap"),
        (CONE, having(ap=2), "ap"),
        # fifteen shots a turn
        (FULL, armed(fired=5), ""),
        (FULL, armed(fired=6), "rate_of_fire"),
        (SHOT, armed(fired=14), ""),
        (SHOT, armed(fired=15), "rate_of_fire"),
        (BURST, armed(fired=14), "rate_of_fire"),
        (CONE, armed(fired=1), "rate_of_fire"),
        # the weapon before the rounds, the rounds before the AP, the AP before the rate of fire
        (SHOT, armed(craftsmanship=BROKEN, jammed=True, loaded=0), "broken"),
        (SHOT, armed(jammed=True, loaded=0), "jam"),
        (SHOT, Fighter(ap=0, arms=(Arm("autogun", 0, "common", fired=15),)), "ammunition"),
        (SHOT, Fighter(ap=0, arms=(Arm("autogun", 9, "common", fired=15),)), "ap"),
        # conditions do not hinder
        (FULL, having(pinned=SHOT_AT, fatigue=2), ""),
    ],
)
def test_what_hinders_an_attack(fire: Attack, me: Fighter, cause: str) -> None:
    assert cause_of(fire, around(fire, me)) == cause
    assert not cause or cause in set(Why)


@pytest.mark.parametrize(
    ("fire", "out", "needless"),
    [
        (SHOT, ["cultist"], True),
        (SHOT, ["second", "third"], False),
        (EITHER, ["cultist", "second"], False),
        (EITHER, ["cultist", "second", "third"], True),
        (CONE, ["cultist"], False),
        (CONE, ["cultist", "second"], True),
        (EMPTY, ["cultist", "second", "third"], False),
        (BRAWL, ["second"], False),
        (BRAWL, ["cultist"], True),
    ],
)
def test_nobody_shoots_at_the_fallen(fire: Attack, out: list[str], needless: bool) -> None:
    view = around(fire, armed(jammed=True), **dict.fromkeys(out, OUT))
    assert cause_of(fire, view) == (NEEDLESS.cause if needless else "jam")


@pytest.mark.parametrize(
    ("least", "most", "loaded", "cause"),
    [(5, 9, 4, "ammunition"), (5, 9, 5, ""), (5, 9, 9, ""), (5, 9, 10, "ammunition")],
)
def test_what_is_fired_with_so_many_rounds(least: int, most: int, loaded: int, cause: str) -> None:
    fire = msgspec.structs.replace(FULL, least=least, most=most)
    assert cause_of(fire, around(fire, armed(loaded=loaded))) == cause


@pytest.mark.parametrize(
    ("reading", "counted"),
    [
        ("every_attack", [1, 2, 10, 15]),
        ("full_auto_dice", [0, 0, 10, 15]),
        ("one_attack", [0, 0, 15, 15]),
    ],
)
def test_what_counts_against_the_most_shots(reading: str, counted: list[int]) -> None:
    lines = [
        {"action": "single-shot", "at": ["cultist"]},
        {"action": "semi-auto", "at": ["cultist"]},
        {"action": "full-auto", "at": ["cultist"], "dice": 2},
        {"action": "suppressing-fire", "in_cone": ["cultist"]},
    ]
    fires = [planned(line, rulings={"shots_in_a_turn": reading}) for line in lines]
    assert [(fire.counted, fire.limit) for fire in fires] == [(each, 15) for each in counted]


@pytest.mark.parametrize(("ap", "limit"), [(3, None), (4, 15), (None, 15)])
def test_the_most_shots_count_where_the_ap_allow_more(ap: int | None, limit: int | None) -> None:
    shooter = {} if ap is None else {"ap": ap}
    line = {"action": "full-auto", "at": ["cultist"], "dice": 3}
    assert planned(line, shooter=shooter, order=["scout"]).limit == limit


def test_a_weapon_without_full_auto_has_no_most_shots() -> None:
    line = {"action": "semi-auto", "at": ["cultist"]}
    fire = planned(line, weapon="training-marksman-carbine")
    assert fire.limit is None
    assert cause_of(fire, around(fire, armed(name=fire.weapon, fired=99))) == ""


# -- an attack begins ----------------------------------------------------------------------------

NUMBER = (
    Modifier("Ranged Combat", 45, "scout"),
    Modifier("Single Shot Attack (Ordinary)", 10, "rules: single-shot"),
)
AIMED_20 = Modifier("Aim", 20, "scout")
PINNED = Modifier("pinned", -20, "ruling: pinned_to_hit = minus_20")
FATIGUED = Modifier("fatigued", -10, "ruling: fatigued = minus_10")


def shot_of(fire: Attack, at: int = 0) -> Shot:
    return fire.aims[at].shot


def begun(
    fire: Attack, me: Fighter, *parts: Modifier, at: int = 0, **others: Fighter
) -> Next[View]:
    """An attack that was begun, with these parts more, when the scout is so.

    First of all its original target is shot at.
    """
    shot = shot_of(fire, at)
    shot_at = Task(BeShotAt(), shot.original)
    return Next(around(fire, me, **others), shot_at, *shot.begins(shot.shots, parts))


@pytest.mark.parametrize(
    ("me", "parts", "after"),
    [
        (having(), [], Fighter(ap=2, arms=(Arm("autogun", 30, "common", fired=1),))),
        (having(ap=None), [], Fighter(arms=(Arm("autogun", 30, "common", fired=1),))),
        # an aim counts and is used up; what was begun is undone
        (having(aim=20), [AIMED_20], Fighter(ap=2, arms=(Arm("autogun", 30, "common", fired=1),))),
        (
            having(begun="reload autogun", paid=1),
            [],
            Fighter(ap=2, arms=(Arm("autogun", 30, "common", fired=1),)),
        ),
        # conditions
        (
            having(pinned=NOT_SHOT_AT),
            [PINNED],
            Fighter(ap=2, pinned=NOT_SHOT_AT, arms=(Arm("autogun", 30, "common", fired=1),)),
        ),
        (
            having(aim=20, pinned=SHOT_AT, fatigue=2),
            [AIMED_20, PINNED, FATIGUED],
            Fighter(ap=2, pinned=SHOT_AT, fatigue=2, arms=(Arm("autogun", 30, "common", fired=1),)),
        ),
        (
            having(fatigue=2, tireless=1),
            [],
            Fighter(ap=2, fatigue=2, tireless=1, arms=(Arm("autogun", 30, "common", fired=1),)),
        ),
        (armed(fired=4), [], Fighter(ap=2, arms=(Arm("autogun", 30, "common", fired=5),))),
    ],
)
def test_an_attack_begins(me: Fighter, parts: list[Modifier], after: Fighter) -> None:
    assert shot_of(SHOT).parts == NUMBER
    assert SHOT.resolve(around(SHOT, me)) == begun(SHOT, after, *parts)


def test_an_aim_is_lost_where_it_does_not_count() -> None:
    for fire, ap, fired in ((BURST, 2, 2), (CONE, 0, 15)):
        after = Fighter(ap=ap, arms=(Arm("autogun", 30, "common", fired=fired),))
        useless = Modifier("Aim (does not count)", 0, "rules: aim")
        assert fire.resolve(around(fire, having(aim=20))) == begun(fire, after, useless)


def test_only_shots_that_can_be_too_many_are_counted() -> None:
    fire = msgspec.structs.replace(SHOT, limit=None)
    assert fire.resolve(around(fire, ME)).part["scout"] == Fighter(ap=2, arms=(ARM,))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (STANDS, STANDS),
        (Fighter(pinned=NOT_SHOT_AT), Fighter(pinned=SHOT_AT)),
        (Fighter(pinned=SHOT_AT), Fighter(pinned=SHOT_AT)),
    ],
)
def test_somebody_pinned_is_shot_at(before: Fighter, after: Fighter) -> None:
    """The original target, and nobody else, before the dice are thrown."""
    parts = {"scout": ME} | dict.fromkeys(PEOPLE, before)
    for fire, at in ((SHOT, "cultist"), (BURST, "cultist")):
        played = play(situation(parts, PlannedAction("scout", (fire,)).task), Typed([]))
        left = dict(zip(played.situation.names, played.situation.parts, strict=True))
        fired = having(ap=2, arms=(Arm("autogun", 30, "common", fired=fire.counted),))
        assert not played.finished
        assert left == parts | {"scout": fired, at: after}


@pytest.mark.parametrize(
    ("before", "applies", "after"),
    [
        (STANDS, False, STANDS),
        (Fighter(fatigue=2, fate=3), False, Fighter(fatigue=2, fate=3)),
        (Fighter(pinned=NOT_SHOT_AT, aim=20), True, Fighter(pinned=SHOT_AT, aim=20)),
        (Fighter(pinned=SHOT_AT), True, Fighter(pinned=SHOT_AT)),
    ],
)
def test_being_shot_at_matters_to_the_pinned(
    before: Fighter, applies: bool, after: Fighter
) -> None:
    step = BeShotAt()
    assert step.applies(before) is applies
    assert step.ask(before) is None
    assert step.then(before, None) == Next(after)
    assert step.reach == ()


@pytest.mark.parametrize(
    ("fire", "original"), [(SHOT, "cultist"), (BURST, "cultist"), (CONE, "cultist")]
)
def test_an_attack_is_at_its_original_target(fire: Attack, original: str) -> None:
    assert shot_of(fire).original == original
    shot_at = [task for task in fire.resolve(around(fire, ME)).todo if task.step == BeShotAt()]
    assert shot_at == [Task(BeShotAt(), original)]


def test_in_an_empty_cone_nobody_is_shot_at() -> None:
    (task,) = EMPTY.resolve(around(EMPTY, ME)).todo
    assert task == Task(EmptyCone(shot_of(EMPTY)), "scout")


# -- whom an attack concerns ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fire", "others"),
    [
        (SHOT, {"cultist"}),
        (BURST, {"cultist", "second"}),
        (FULL, {"cultist"}),
        (EITHER, {"cultist", "second", "third"}),
        (CONE, {"cultist", "second"}),
        (EMPTY, set()),
        (BRAWL, {"cultist", "second", "third"}),
    ],
)
def test_whom_an_attack_concerns(fire: Attack, others: set[str]) -> None:
    assert set(fire.concerns) == others
    assert len(fire.concerns) == len(others)
    assert set(PlannedAction("scout", (fire,)).glances) == others
    shots = tuple(aimed.shot for aimed in fire.aims)
    struck = {name for shot in shots for name in shot.reach}
    assert set(ChooseTarget(shots, None, ()).reach) == struck | {"scout"}


def test_when_a_melee_is_over_further_hits_find_others() -> None:
    """The second in the melee has fallen: the third, who is near, may be struck."""
    after = BRAWL.resolve(around(BRAWL, ME, second=OUT))
    (to_hit,) = (task.step for task in after.todo if isinstance(task.step, RollToHit))
    assert (to_hit.shot.errant, to_hit.shot.allocation.others) == (None, ("third",))


def test_odds_of_a_melee_that_ends() -> None:
    """One burst a round: when the first has felled the second of them, the other spreads."""
    line = {
        "action": "semi-auto",
        "at": ["cultist"],
        "melee": ["cultist", "second"],
        "near": ["third"],
    }
    people = PEOPLE | {"second": DUMMY | {"toughness": 0}}
    opening = opened(
        fight(line, rounds=2, shooter={"ap": 4}, people=people, policies={"allocation": "spread"})
    )
    found = Solver().odds(opening.situation, Tally(("third.hits",)))
    assert dict(found) == {0: Fraction(7881, 8000), 1: Fraction(119, 8000)}


def test_of_others_an_attack_sees_whether_they_stand() -> None:
    step = PlannedAction("scout", (EITHER,))
    assert step.glance(Fighter(pinned=SHOT_AT, fatigue=3)) is True
    assert step.glance(Fighter(out=True, lethal=True)) is False
    with pytest.raises(StepError):
        SHOT.blocked(alone(ME))


def test_other_actions_concern_nobody_else() -> None:
    for action in (AIM, RELOAD, CLEAR, DELAY):
        assert action.concerns == ()
        assert PlannedAction("scout", (action,)).glances == ()


# -- at whom -------------------------------------------------------------------------------------

SPENT = Fighter(ap=2, arms=(Arm("autogun", 30, "common", fired=1),))


def test_the_first_who_stands_is_shot_at() -> None:
    fire = msgspec.structs.replace(EITHER, chooses=False)
    assert fire.resolve(around(fire, ME)) == begun(fire, SPENT)
    assert fire.resolve(around(fire, ME, cultist=OUT)) == begun(fire, SPENT, at=1, cultist=OUT)


def test_among_several_the_shooter_chooses() -> None:
    shots = tuple(shot_of(EITHER, at) for at in (0, 2))
    after = around(EITHER, SPENT, second=OUT)
    assert EITHER.resolve(around(EITHER, ME, second=OUT)) == Next(
        after, Task(ChooseTarget(shots, None, ()), "scout")
    )
    last = around(EITHER, ME, cultist=OUT, second=OUT)
    assert EITHER.resolve(last) == begun(EITHER, SPENT, at=2, cultist=OUT, second=OUT)


def test_choosing_a_target() -> None:
    shots = tuple(aimed.shot for aimed in EITHER.aims)
    step = ChooseTarget(shots, None, ())
    choice = step.ask(SPENT)
    assert choice.label == "Single Shot Attack: at whom?"
    assert (choice.by, choice.policy) == ("scout", "cultist")
    assert [option.key for option in choice.options] == ["cultist", "second", "third"]
    after = step.then(SPENT, 1)
    assert after == Next(SPENT, Task(BeShotAt(), "second"), *shots[1].begins(1, ()))


def test_the_target_that_was_chosen_is_shot_at() -> None:
    """In the scout's turn, among those who still stand."""
    pinned = Fighter(pinned=NOT_SHOT_AT)
    parts = {"scout": ME, "cultist": OUT, "second": pinned, "third": pinned}
    start = situation(parts, PlannedAction("scout", (EITHER,)).task)
    played = play(start, Typed([]), Scripted(["third"], Policies()))
    (chosen,) = (event for event in played.events if isinstance(event, Chosen))
    assert (chosen.by, chosen.options, chosen.option) == ("scout", ("second", "third"), "third")
    assert played.situation.parts == (SPENT, OUT, pinned, Fighter(pinned=SHOT_AT))


ALONE = msgspec.structs.replace(shot_of(BURST).allocation, others=())


@pytest.mark.parametrize(
    ("fire", "standing", "changes"),
    [
        (BURST, "scout cultist second third", {}),
        (BURST, "scout cultist third", {"allocation": ALONE}),
        (CONE, "scout cultist third", {"cone": ("cultist",)}),
        (BRAWL, "scout cultist second", {}),
    ],
)
def test_who_has_fallen_is_left_out_of_an_attack(
    fire: Attack, standing: str, changes: dict[str, Any]
) -> None:
    wanted = msgspec.structs.replace(shot_of(fire), **changes)
    assert fire.aims[0].among(frozenset(standing.split())) == wanted


def test_a_melee_of_one_is_none() -> None:
    """The penalty goes, and further hits may find others again."""
    shot = BRAWL.aims[0].among(frozenset(("scout", "cultist", "third")))
    assert (shot.errant, shot.allocation.others) == (None, ("third",))
    assert sum(part.value for part in shot.parts) == 45
    assert sum(part.value for part in shot_of(BRAWL).parts) == 25


def test_a_melee_of_some_goes_on() -> None:
    three = planned(
        {"action": "semi-auto", "at": ["cultist"], "melee": ["cultist", "second", "third"]}
    )
    shot = three.aims[0].among(frozenset(("scout", "cultist", "third")))
    assert shot.errant.melee == ("cultist", "third")
    assert sum(part.value for part in shot.parts) == 25


def test_a_cone_is_aimed_at_the_closest_who_stands() -> None:
    people = {"far": DUMMY | {"distance": 60}, "close": DUMMY | {"distance": 20}}
    fire = planned({"action": "suppressing-fire", "in_cone": ["far", "close"]}, people=people)
    assert [aimed.needs for aimed in fire.aims] == [("close",), ("far",)]
    assert not fire.chooses
    assert isinstance(fire.aims[0], Aimed)


# -- Aim -----------------------------------------------------------------------------------------

AIM = TakeAim(who="scout", key="aim", ap=1, bonus=10, most=20)


@pytest.mark.parametrize(
    ("me", "cause"),
    [
        (having(ap=1), ""),
        (having(ap=0), "ap"),
        (having(ap=None), ""),
        (having(aim=10), ""),
        (having(aim=20), "aim"),
        (having(aim=20, ap=0), "aim"),
        (armed(jammed=True, loaded=0), ""),
    ],
)
def test_what_hinders_an_aim(me: Fighter, cause: str) -> None:
    assert cause_of(AIM, alone(me)) == cause


@pytest.mark.parametrize(
    ("me", "after"),
    [
        (having(), having(ap=2, aim=10)),
        (having(ap=None), having(ap=None, aim=10)),
        (having(aim=10), having(ap=2, aim=20)),
        (having(aim=15), having(ap=2, aim=20)),
        (having(begun="reload autogun", paid=1), having(ap=2, aim=10)),
    ],
)
def test_aim(me: Fighter, after: Fighter) -> None:
    assert AIM.resolve(alone(me)) == Next(alone(after), records={"scout.ap_spent": 1})


# -- reloading, over several turns or in one -----------------------------------------------------

RELOAD = Reloading(
    who="scout",
    key="reload",
    weapon="autogun",
    ap=2,
    over_turns=True,
    keeps_aim=False,
    magazine=30,
    when_jammed=True,
)
IN_ONE_TURN = msgspec.structs.replace(RELOAD, over_turns=False)
KEEPS_AIM = msgspec.structs.replace(RELOAD, keeps_aim=True)
EMPTIED = Arm("autogun", 0, "common")


def empty(**changes: Any) -> Fighter:
    return Fighter(arms=(EMPTIED,), **changes)


@pytest.mark.parametrize(
    ("action", "me", "cause"),
    [
        (RELOAD, empty(ap=2), ""),
        (RELOAD, empty(ap=1), ""),
        (RELOAD, empty(ap=0), "ap"),
        (RELOAD, empty(), ""),
        (IN_ONE_TURN, empty(ap=1), "ap"),
        (IN_ONE_TURN, empty(ap=2), ""),
        (RELOAD, ME, "full"),
        (RELOAD, armed(loaded=29), ""),
        (RELOAD, armed(loaded=None), "full"),
        (RELOAD, armed(loaded=29, jammed=True), ""),
        (RELOAD, armed(loaded=100), "full"),
    ],
)
def test_what_hinders_reloading(action: Reloading, me: Fighter, cause: str) -> None:
    assert cause_of(action, alone(me)) == cause


@pytest.mark.parametrize(
    ("action", "me", "after", "spent"),
    [
        (RELOAD, empty(ap=3), having(ap=1), 2),
        (RELOAD, empty(), having(ap=None), 2),
        # half done, and done
        (RELOAD, empty(ap=1), empty(ap=0, begun="reload autogun", paid=1), 1),
        (RELOAD, empty(ap=2, begun="reload autogun", paid=1), having(ap=1), 1),
        (RELOAD, empty(ap=2, begun="clear-jam autogun", paid=1), having(ap=0), 2),
        (
            msgspec.structs.replace(RELOAD, ap=4),
            empty(ap=1, begun="reload autogun", paid=2),
            empty(ap=0, begun="reload autogun", paid=3),
            1,
        ),
        # the aim
        (RELOAD, empty(ap=2, aim=10), having(ap=0), 2),
        (KEEPS_AIM, empty(ap=2, aim=10), having(ap=0, aim=10), 2),
        (KEEPS_AIM, empty(ap=1, aim=10), empty(ap=0, aim=10, begun="reload autogun", paid=1), 1),
        # what is left in it is lost or topped up: it is full
        (
            RELOAD,
            armed(loaded=29, fired=2),
            having(ap=1, arms=(Arm("autogun", 30, "common", fired=2),)),
            2,
        ),
    ],
)
def test_reload(action: Reloading, me: Fighter, after: Fighter, spent: int) -> None:
    records = {"scout.ap_spent": spent}
    if after.arms != me.arms:
        records = {"scout.reloads": 1} | records
    assert action.resolve(alone(me)) == Next(alone(after), records=records)


def test_a_weapon_is_reloaded_by_itself() -> None:
    """AP put into one weapon do not help another."""
    weapons = {each: {"use": "autogun", "loaded": 0, "magazine": 30} for each in ("one", "two")}
    one, two = (
        planned({"action": "reload", "weapon": each}, shooter={"ap": 4, "weapons": weapons})
        for each in weapons
    )
    first, second = (Arm(name, 0, "common") for name in weapons)
    half = one.resolve(alone(Fighter(ap=1, arms=(first, second)))).part
    again = half.replace("scout", msgspec.structs.replace(half["scout"], ap=2))
    full = Arm("two", 30, "common")
    assert two.resolve(again).part["scout"] == Fighter(ap=0, arms=(first, full))


# -- clearing a jam ------------------------------------------------------------------------------

TEST = D100Rule("one_plus_tens", natural_extremes=True, clamped=False)
PARTS = (Modifier("Ranged Combat", 45, "scout"),)
CLEARING = ClearingTest(
    PARTS,
    TEST,
    None,
    weapon="autogun",
    loses_rounds=True,
    hampering=Hampering(PINNED, FATIGUED),
)
CLEAR = Clearing(
    who="scout",
    key="clear-jam",
    weapon="autogun",
    ap=2,
    over_turns=True,
    keeps_aim=False,
    test=CLEARING,
    loses_rounds=True,
)
BY_AP = msgspec.structs.replace(CLEAR, test=None)
JAMMED = armed(jammed=True)


@pytest.mark.parametrize(
    ("me", "cause"),
    [
        (JAMMED, ""),
        (ME, "no_jam"),
        (Fighter(ap=1, arms=JAMMED.arms), ""),
        (Fighter(ap=0, arms=JAMMED.arms), "ap"),
        (armed(craftsmanship=BROKEN, jammed=True), ""),
    ],
)
def test_what_hinders_clearing_a_jam(me: Fighter, cause: str) -> None:
    assert cause_of(CLEAR, alone(me)) == cause


@pytest.mark.parametrize(
    ("me", "loses", "after"),
    [
        (JAMMED, True, Arm("autogun", 0, "common")),
        (JAMMED, False, ARM),
        (armed(jammed=True, loaded=None), True, Arm("autogun", None, "common")),
        (armed(jammed=True, fired=5), True, Arm("autogun", 0, "common", fired=5)),
        (armed(jammed=True, craftsmanship="poor"), False, Arm("autogun", 30, "poor")),
    ],
)
def test_a_jam_is_cleared(me: Fighter, loses: bool, after: Arm) -> None:
    assert cleared(me, "autogun", loses) == having(arms=(after,))
    by_ap = msgspec.structs.replace(BY_AP, loses_rounds=loses)
    assert by_ap.resolve(alone(me)) == Next(
        alone(having(ap=1, arms=(after,))), records={"scout.ap_spent": 2}
    )


@pytest.mark.parametrize(
    ("conditions", "worse"),
    [
        ({}, ()),
        ({"pinned": SHOT_AT}, (PINNED,)),
        ({"pinned": NOT_SHOT_AT, "fatigue": 1}, (PINNED, FATIGUED)),
    ],
)
def test_clearing_a_jam_takes_a_test(
    conditions: dict[str, int], worse: tuple[Modifier, ...]
) -> None:
    me = Fighter(ap=3, arms=JAMMED.arms, **conditions)
    assert CLEARING.parts_of(me) == PARTS + worse
    after = msgspec.structs.replace(me, ap=1)
    assert CLEAR.resolve(alone(me)) == Next(
        alone(after), Task(CLEARING, "scout"), records={"scout.ap_spent": 2}
    )


def test_half_of_clearing_a_jam() -> None:
    me = Fighter(ap=1, arms=JAMMED.arms)
    after = Fighter(ap=0, arms=JAMMED.arms, begun="clear-jam autogun", paid=1)
    assert CLEAR.resolve(alone(me)) == Next(alone(after), records={"scout.ap_spent": 1})


FATE = fate_rules()
LUCKY = msgspec.structs.replace(CLEARING, luck=FATE)
FAILED, PASSED = Result(success=False, degrees=2), Result(success=True, degrees=1)
STILL = Fighter(ap=1, arms=JAMMED.arms)
FATED = Fighter(ap=1, arms=JAMMED.arms, fate=3)


@pytest.mark.parametrize(
    ("step", "me", "read", "after"),
    [
        (CLEARING, STILL, FAILED, Next(STILL)),
        (
            CLEARING,
            STILL,
            PASSED,
            Next(Fighter(ap=1, arms=(EMPTIED,)), records={"jams_cleared": 1}),
        ),
        (
            LUCKY,
            FATED,
            FAILED,
            Next(FATED, SecondChance(LUCKY, None)),
        ),
        (LUCKY, STILL, FAILED, Next(STILL)),
    ],
)
def test_clearing_test(step: ClearingTest, me: Fighter, read: Result, after: Next[Fighter]) -> None:
    assert step.then(me, read) == after


def test_what_clearing_a_jam_asks() -> None:
    roll = CLEARING.ask(STILL)
    assert (roll.label, str(roll.throw), roll.target) == ("clearing a jam", "d100", 45)
    assert roll.parts == PARTS
    assert CLEARING.failure(None) == "the jam is not cleared"
    assert CLEARING.failed(STILL, None) == Next(STILL)


# -- Delay ---------------------------------------------------------------------------------------

DELAY = PutOff(who="scout", key="delay", ap=1, until="cultist")


@pytest.mark.parametrize(("ap", "cause"), [(1, ""), (0, "ap"), (None, "")])
def test_what_hinders_a_delay(ap: int | None, cause: str) -> None:
    assert cause_of(DELAY, alone(having(ap=ap))) == cause


@pytest.mark.parametrize(
    ("ap", "me", "after"),
    [
        (1, having(aim=20), having(ap=2, aim=20)),
        (0, having(), having()),
        (1, having(ap=None), having(ap=None)),
        (1, having(begun="reload autogun", paid=1), having(ap=2)),
    ],
)
def test_delay(ap: int, me: Fighter, after: Fighter) -> None:
    action = msgspec.structs.replace(DELAY, ap=ap)
    assert action.resolve(alone(me)) == Next(alone(after), records={"scout.ap_spent": ap})
