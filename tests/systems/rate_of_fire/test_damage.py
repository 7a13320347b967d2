"""Damage, armour, injuries and fatigue, step by step."""

from typing import Any

import msgspec
import pytest

from firepower.chance import Modifier, Next, Task, dice
from firepower.combat.percentile.tests import D100Rule
from firepower.systems.rate_of_fire import SYSTEM
from firepower.systems.rate_of_fire.conditions import PinningTest
from firepower.systems.rate_of_fire.damage import (
    Body,
    DamageRoll,
    ErrantHitsLand,
    Harmed,
    Struck,
    StruckAstray,
    Target,
    Wounding,
)
from firepower.systems.rate_of_fire.fighter import Fighter
from tests.systems.rate_of_fire.helpers import CULTIST, Data, played, scenario, shot_of

INJURIES = ((1, 0), (2, 0), (3, 1), (4, 2), (5, 3), (6, 0))
SKILL = Modifier("Ranged Combat bonus", 4, "scout")
RULE = D100Rule("one_plus_tens", natural_extremes=True, clamped=False)
TEST = PinningTest((Modifier("Willpower", 40, "cultist"),), RULE, None, title="Pinning Test")
BODY = Body(3, 1, 3)
TARGET = Target("cultist", BODY, TEST, suppressed=False)
WOUNDING = Wounding(dice("d10+2"), (SKILL,), "each", INJURIES, "once", repins=False)
FRESH = Fighter()
STOPPED = (
    Modifier("armour and cover, less penetration", -3, "cultist"),
    Modifier("toughness bonus of a daemon", -1, "cultist"),
)


def damage_roll(several: int = 0, **changes: Any) -> DamageRoll:
    """The damage roll of these, with the bonus for several hits if there is one."""
    bonus = (Modifier("several hits", several, "rules: several hits"),) if several else ()
    parts = (SKILL, *bonus, *STOPPED)
    body = msgspec.structs.replace(BODY, **changes)
    return DamageRoll(dice("d10+2"), parts, 4 + several, body, INJURIES)


@pytest.mark.parametrize(
    ("reading", "rolls"),
    [
        ("", [(0, 3)]),
        ("each", [(1, 3)]),
        ("extra_only", [(0, 1), (1, 2)]),
        ("stacking", [(3, 3)]),
        ("stacking_extra", [(2, 3)]),
        ("combined", [(3, 1)]),
    ],
)
def test_rolls_of_three_hits(reading: str, rolls: list[tuple[int, int]]) -> None:
    assert msgspec.structs.replace(WOUNDING, bonus=reading).rolls(3) == rolls


READINGS = list(SYSTEM.tables().rulings["same_target_bonus"].readings)


@pytest.mark.parametrize("reading", ["", *READINGS])
def test_a_lone_hit_earns_nothing(reading: str) -> None:
    assert msgspec.structs.replace(WOUNDING, bonus=reading).rolls(1) == [(0, 1)]


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("hits", [2, 5])
def test_only_stacking_adds_more_than_one_a_hit(reading: str, hits: int) -> None:
    total = sum(
        plus * n for plus, n in msgspec.structs.replace(WOUNDING, bonus=reading).rolls(hits)
    )
    assert (
        total
        == {
            "each": hits,
            "extra_only": hits - 1,
            "stacking": hits * hits,
            "stacking_extra": hits * (hits - 1),
            "combined": hits,
        }[reading]
    )


STRUCK = [
    # hits, changes of the wounding, changes of the target, what is to be done
    (1, {}, {}, [Task(damage_roll(), times=1), Task(TEST, times=1)]),
    (3, {}, {}, [Task(damage_roll(1), times=3), Task(TEST, times=1)]),
    (3, {"bonus": ""}, {}, [Task(damage_roll(), times=3), Task(TEST, times=1)]),
    (
        2,
        {"bonus": "extra_only", "pins": ""},
        {},
        [Task(damage_roll(), times=1), Task(damage_roll(1), times=1)],
    ),
    (4, {"bonus": "combined", "pins": ""}, {}, [Task(damage_roll(4), times=1)]),
    (3, {"pins": "per_hit"}, {}, [Task(damage_roll(1), times=3), Task(TEST, times=3)]),
    (1, {}, {"suppressed": True}, [Task(damage_roll(), times=1)]),
    (
        1,
        {"repins": True},
        {"suppressed": True},
        [Task(damage_roll(), times=1), Task(TEST, times=1)],
    ),
    (1, {}, {"pinning": None}, [Task(damage_roll(), times=1)]),
]


@pytest.mark.parametrize(("hits", "wounding", "target", "todo"), STRUCK)
def test_struck(hits: int, wounding: Data, target: Data, todo: list[Task]) -> None:
    step = Struck(
        msgspec.structs.replace(TARGET, **target),
        msgspec.structs.replace(WOUNDING, **wounding),
        hits,
    )
    assert step.then(FRESH, None) == Next(FRESH, *todo, records={"hits": hits})


@pytest.mark.parametrize(("before", "hits", "after"), [(0, 1, 1), (2, 1, 3), (0, 4, 4)])
def test_errant_hits_are_kept(before: int, hits: int, after: int) -> None:
    kept = StruckAstray(hits).then(Fighter(out=True, astray=before), None)
    assert kept == Next(Fighter(out=True, astray=after))


def test_errant_hits_land_together() -> None:
    step = ErrantHitsLand(TARGET, WOUNDING)
    assert step.applies(Fighter(astray=1))
    assert not step.applies(FRESH)
    landed = step.then(Fighter(out=True, astray=3), None)
    assert landed == Next(Fighter(out=True), Struck(TARGET, WOUNDING, 3))


@pytest.mark.parametrize(
    ("plus", "stopped", "soaked", "rolled", "damage"),
    [
        (4, 0, 0, 6, 10),
        (4, 3, 0, 6, 7),
        (4, 3, 2, 6, 5),
        (0, 9, 0, 6, 0),
        (0, 4, 9, 6, 0),
        (0, 9, 2, 6, 0),
        (-9, 0, 0, 6, 0),
    ],
)
def test_harmed(plus: int, stopped: int, soaked: int, rolled: int, damage: int) -> None:
    assert Harmed(plus, stopped, soaked).read(rolled) == damage


def test_damage_is_said() -> None:
    assert Harmed(4, 0, 0).need == ""
    assert Harmed(4, 0, 0).words(7) == "7 damage"


def test_a_damage_roll_adds_up_its_parts() -> None:
    roll = damage_roll(1).ask(FRESH)
    assert (roll.label, str(roll.throw)) == ("damage", "d10+2")
    assert [(part.label, part.value) for part in roll.parts] == [
        ("Ranged Combat bonus", 4),
        ("several hits", 1),
        ("armour and cover, less penetration", -3),
        ("toughness bonus of a daemon", -1),
    ]
    # 4 on the die, 2 printed, 4 and 1 added, 3 stopped by armour, 1 by a daemon's toughness
    assert roll.reading.read(4 + 2) == 7


# a toughness bonus of 3: a category more with every damage over a multiple of it
CATEGORIES = {
    0: (0, 0),
    3: (0, 0),
    4: (1, 0),
    6: (1, 0),
    7: (2, 0),
    9: (2, 0),
    10: (3, 1),
    12: (3, 1),
    13: (4, 2),
    15: (4, 2),
    16: (5, 3),
    18: (5, 3),
}


@pytest.mark.parametrize("damage", CATEGORIES)
def test_injury_and_fatigue(damage: int) -> None:
    category, fatigue = CATEGORIES[damage]
    assert damage_roll().then(FRESH, damage) == Next(
        FRESH, records={"damage": damage, "injury": category, "fatigue": fatigue}
    )


@pytest.mark.parametrize("astray", [0, 2])
def test_the_sixth_category_kills(astray: int) -> None:
    assert damage_roll().then(Fighter(astray=astray), 19) == Next(
        Fighter(astray=astray, out=True, lethal=True),
        records={"damage": 19, "injury": 6, "fatigue": 0, "out_of_action": 1},
    )


def test_nobody_dies_twice() -> None:
    dead = Fighter(out=True, lethal=True)
    assert damage_roll().then(dead, 90) == Next(
        dead, records={"damage": 90, "injury": 6, "fatigue": 0}
    )


TIRES = {"fatigue_counts": 4, "collapses": True}


@pytest.mark.parametrize(
    ("before", "damage", "after", "out"),
    [
        (Fighter(), 16, Fighter(fatigue=3), {}),
        (Fighter(fatigue=1), 13, Fighter(fatigue=3), {}),
        (Fighter(fatigue=2), 13, Fighter(out=True), {"out_of_action": 1}),
        (Fighter(fatigue=3, pinned=2), 16, Fighter(out=True), {"out_of_action": 1}),
        (Fighter(out=True), 16, Fighter(out=True), {}),
        # a lethal injury is marked as such, but nobody is put out of action twice
        (Fighter(out=True), 19, Fighter(out=True, lethal=True), {}),
    ],
)
def test_more_fatigue_than_the_toughness_bonus_is_a_collapse(
    before: Fighter, damage: int, after: Fighter, out: dict[str, int]
) -> None:
    category, fatigue = CATEGORIES.get(damage, (6, 0))
    records = {"damage": damage, "injury": category, "fatigue": fatigue} | out
    assert damage_roll(**TIRES).then(before, damage) == Next(after, records=records)


def test_where_fatigue_only_hampers_one_level_is_as_good_as_many() -> None:
    after = damage_roll(fatigue_counts=1).then(Fighter(), 16)
    assert after.part == Fighter(fatigue=1)


def test_without_toughness_there_are_no_injuries() -> None:
    assert damage_roll(toughness_bonus=None).then(FRESH, 90) == Next(
        FRESH, records={"damage": 90, "injury": 0, "fatigue": 0}
    )


def test_without_a_toughness_bonus_any_damage_kills() -> None:
    fragile = damage_roll(toughness_bonus=0)
    assert [fragile.category(damage) for damage in (0, 1)] == [0, 6]


def target(cultist: Data, **more: Any) -> Target:
    """The cultist as the attack sees them."""
    data = scenario("single-shot", people={"cultist": {"distance": 9} | cultist}, **more)
    found: Target = shot_of(data).targets[0]
    return found


@pytest.mark.parametrize(
    ("cultist", "penetration", "stopped", "soaked"),
    [
        ({}, 0, 0, 0),
        ({"armour": 4}, 0, 4, 0),
        ({"armour": 4, "cover": 2}, 0, 6, 0),
        ({"armour": 4, "cover": 2}, 3, 3, 0),
        ({"armour": 4, "cover": 2}, 7, 0, 0),
        ({"armour": 4, "toughness": 45}, 0, 4, 0),
        ({"armour": 4, "toughness": 45, "daemon": True}, 0, 4, 4),
        ({"armour": 4, "toughness": 45, "daemon": True}, 9, 0, 4),
        ({"toughness": 45, "toughness_bonus": 8, "daemon": True}, 0, 0, 8),
    ],
)
def test_armour_cover_penetration_and_daemons(
    cultist: Data, penetration: int, stopped: int, soaked: int
) -> None:
    found = target(cultist, carried={"penetration": penetration})
    assert (found.body.stopped, found.body.soaked) == (stopped, soaked)


@pytest.mark.parametrize(
    ("cultist", "bonus"),
    [
        ({}, None),
        ({"toughness": 39}, 3),
        ({"toughness_bonus": 5}, 5),
        ({"toughness": 39, "toughness_bonus": 5}, 5),
        ({"toughness": 9}, 0),
    ],
)
def test_toughness_bonus(cultist: Data, bonus: int | None) -> None:
    assert target(cultist).body.toughness_bonus == bonus


def test_fatigue_is_added_up_and_injury_is_the_worst() -> None:
    data = scenario("semi-auto", carried={"damage": "d10 [I]"}, people={"cultist": CULTIST})
    # 25 is three degrees, two hits: 8 + 1 is heavy, 10 + 1 serious with a point of fatigue
    shot = played(data, 25, 8, 10)
    assert shot["cultist.damage"] == 20
    assert shot["cultist.injury"] == 3
    assert shot["cultist.fatigue"] == 1
    again = played(data, 25, 10, 10)
    assert (again["cultist.injury"], again["cultist.fatigue"]) == (3, 2)


def test_damage_that_is_a_number_alone_throws_no_die() -> None:
    data = scenario("single-shot", carried={"damage": "5+RCB [I]"})
    assert played(data, 40)["cultist.damage"] == 9
