"""Every reading of every ruling and policy, on a scenario where each reading answers otherwise.

The comments say how the expected value was reckoned by hand. A ruling may have several cases;
what they come to together tells all its readings apart. Unless a comment says otherwise the
scout has Ranged Combat 45 and an autogun (S/2/3d5, Reliable: jams on 96), and the cultist stands
50 m away, in the Effective band, with Willpower 40. What only a fight of turns shows stands in
`fight_cases`.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest

from firepower.chance import Goal, Solver
from firepower.systems.rate_of_fire import SYSTEM
from tests.systems.rate_of_fire.fight_cases import FIGHT_CASES, FIGHT_POLICIES
from tests.systems.rate_of_fire.helpers import (
    CULTIST,
    ONE_POINT,
    Case,
    Data,
    certain,
    chance,
    fight,
    hundredths,
    odds_of,
    opened,
    refusal,
    scenario,
)

ABSENT = "nothing can happen to them"


def seen(data: Data, look: str | Callable[[Data], Any]) -> Any:
    """The distribution of a measure (ABSENT if there is none), or what a function finds."""
    if not isinstance(look, str):
        return look(data)
    return odds_of(data, look) if look in opened(data).measures else ABSENT


def refused_or(measure: str) -> Callable[[Data], Any]:
    """The key that a refusal names, or else a measure's distribution."""

    def look(data: Data) -> Any:
        try:
            return odds_of(data, measure)
        except ValueError:
            return refusal(data).split()[0]

    return look


def fewest_hits(data: Data) -> Fraction:
    """The least hits that the scout's choices can bring upon the cultist, on average."""
    opening = opened(data)
    goal = Goal(opening.measures["cultist.hits"])
    return Solver().advice(opening.situation, goal, least=True).value


def is_asked_about_dice(data: Data) -> bool:
    """Whether the scout may buy another die."""
    opening = opened(data)
    asked = Solver().asked(opening.situation, opening.measures["hits"])
    return any("another rate-of-fire die?" in question.label for _, question in asked)


BYSTANDER = {"distance": 51, "willpower": 40}
"""Somebody beside the cultist, in the same band."""

PAIR = {"cultist": CULTIST, "bystander": BYSTANDER}

NEAR = {"people": PAIR, "near": ["bystander"], "policies": {"allocation": "spread"}}
"""Further hits are shared with the bystander."""


def at(metres: float) -> dict[str, Data]:
    """The cultist alone, at a distance."""
    return {"cultist": CULTIST | {"distance": metres}}


def on_the_ground(**places: list[float]) -> tuple[Data, dict[str, Data]]:
    """The scout at the origin, and people by their positions."""
    people = {name: {"position": place, "willpower": 40} for name, place in places.items()}
    return {"position": [0, 0]}, people


THREE_IN_A_ROW = on_the_ground(cultist=[0, 50], second=[1.5, 50], third=[3, 50])
THIRTY_DEGREES_OFF = on_the_ground(cultist=[0, 20], aside=[10, 17.3])
BEYOND_SHORT = on_the_ground(cultist=[0, 20], behind=[0, 36])

IN_MELEE = {"melee": ["cultist"]}

CASES: dict[str, list[Case]] = {
    "degrees": [
        # 45 or less. From 36: margin 0-9; 26-35: 10-19; 6-25: 20-39; 1-5: 40-44.
        # By tens digits: 40-45 one degree, 20-39 two or three, 1-19 four or five.
        Case(
            scenario("semi-auto"),
            "hits",
            {
                "one_plus_tens": hundredths({1: 10, 2: 20, 3: 15}),
                "at_least_one": hundredths({1: 20, 2: 20, 3: 5}),
                "tens": hundredths({1: 10, 2: 20, 3: 5}),
                "tens_digits": hundredths({1: 6, 2: 20, 3: 19}),
            },
        )
    ],
    "natural_extremes": [
        # 45 + 10 - 60 = -5: 01 is the only hit
        Case(
            scenario("single-shot", modifiers={"fog": -60}),
            "hits",
            {"on": hundredths({1: 1}), "off": certain(0)},
        )
    ],
    "target_number": [
        # 105: a margin of 10 (two degrees) at 95, the last roll that does not jam; 100: 5 at 95.
        # Hits change every 20: 76-95 two, 56-75 three, 36-55 four, the rest five; or from 91 one,
        # 71-90 two, 51-70 three, 31-50 four, the rest five.
        Case(
            scenario("semi-auto", modifiers={"huge": 60}),
            "hits",
            {
                "as_it_is": hundredths({2: 20, 3: 20, 4: 20, 5: 35}),
                "clamped": hundredths({1: 5, 2: 20, 3: 20, 4: 20, 5: 30}),
            },
        ),
        # 25 - 30 = -5, and no natural 01: nothing holds, or 1 does
        Case(
            scenario(
                "suppressing-fire",
                people={"cultist": {"distance": 2, "willpower": 25}},
                rulings={"natural_extremes": "off"},
            ),
            "cultist.pinned",
            {"as_it_is": chance(100), "clamped": chance(99)},
        ),
    ],
    "range_to_hit": [
        # 130 m is Long for a range of 35: 55, less 20 or 30
        Case(
            scenario("single-shot", people=at(130)),
            "hits",
            {
                "stated": hundredths({1: 55}),
                "mirrored": hundredths({1: 35}),
                "parent": hundredths({1: 25}),
            },
        )
    ],
    "semi_auto_cap": [
        # 85 or less, two rounds: 76-85 one hit, 56-75 two, 36-55 three, 16-35 four, 1-15 five
        Case(
            scenario("semi-auto", skill=85),
            "hits",
            {
                "none": hundredths({1: 10, 2: 20, 3: 20, 4: 20, 5: 15}),
                "rounds": hundredths({1: 10, 2: 75}),
                "rounds_plus_one": hundredths({1: 10, 2: 20, 3: 55}),
            },
        )
    ],
    "storm_cap": [
        # 35 or less, Storm 5, one d5. Capped first: five times the lesser of degrees and die,
        # 3/20, 11/100, 7/100, 1/50. Capped last: any success has at least five hits, so the die
        # decides: a fifth of 35 each.
        Case(
            scenario("full-auto", weapon="training-five-barrel", people=at(40), dice=1),
            "hits",
            {
                "after_cap": hundredths({5: 15, 10: 11, 15: 7, 20: 2}),
                "before_cap": hundredths({1: 7, 2: 7, 3: 7, 4: 7, 5: 7}),
            },
        )
    ],
    "storm_ammunition": [
        # one d5 with Storm 2
        Case(
            scenario("full-auto", weapon="training-twin-carbine", dice=1),
            "rounds_spent",
            {"no": certain(5), "yes": certain(10)},
        )
    ],
    "storm_scope": [
        # Storm 2. 15 or less: 6-15 one hit, 1-5 two. 45 or less: 10, 20 and 15 rolls.
        Case(
            scenario("suppressing-fire", weapon="training-twin-carbine"),
            "hits",
            {
                "full_auto_rate": hundredths({2: 10, 4: 5}),
                "full_auto_attack": hundredths({1: 10, 2: 5}),
                "every_attack": hundredths({2: 10, 4: 5}),
            },
        ),
        Case(
            scenario("semi-auto", weapon="training-twin-carbine"),
            "hits",
            {
                "full_auto_rate": hundredths({1: 10, 2: 20, 3: 15}),
                "full_auto_attack": hundredths({1: 10, 2: 20, 3: 15}),
                "every_attack": hundredths({2: 10, 4: 20, 6: 15}),
            },
        ),
    ],
    "suppressing_cap": [
        # Storm 5 makes five or ten hits of five rounds
        Case(
            scenario("suppressing-fire", weapon="training-five-barrel", people=at(40)),
            "hits",
            {"none": hundredths({5: 10, 10: 5}), "rounds_spent": hundredths({5: 15})},
        )
    ],
    "further_hits": [
        # A shooter who wants few hits lets go of all but the first: 45 rolls hit.
        # Else 10 rolls hit once, 20 twice, 15 three times: 95.
        Case(
            scenario("semi-auto"),
            fewest_hits,
            {"all_land": Fraction(95, 100), "may_be_waived": Fraction(45, 100)},
        )
    ],
    "near": [
        # The third man is 3 m from the cultist, 1.5 m from the second man.
        # Shared among three, he has one of three hits: 15 rolls.
        Case(
            scenario(
                "semi-auto",
                shooter=THREE_IN_A_ROW[0],
                people=THREE_IN_A_ROW[1],
                policies={"allocation": "spread"},
            ),
            "third.hits",
            {"from_original": ABSENT, "chained": hundredths({1: 15})},
        )
    ],
    "further_targets": [
        # The range ends at 175. The bystander shares in two hits and in three: 35 rolls.
        Case(
            scenario(
                "semi-auto",
                **(NEAR | {"people": {**at(175), "bystander": BYSTANDER | {"distance": 176}}}),
            ),
            "bystander.hits",
            {"in_range": ABSENT, "anywhere": hundredths({1: 35})},
        )
    ],
    "suppressing_original": [
        # The bystander is named, the cultist is closer; all hits are the original target's.
        Case(
            scenario("suppressing-fire", people=PAIR, at=["bystander"]),
            "bystander.hits",
            {"closest": certain(0), "named": hundredths({1: 10, 2: 5})},
        )
    ],
    "dice_per_ap": [
        Case(
            scenario("full-auto", dice=1, ap=2),
            refused_or("ap_spent"),
            {"equal": "do[1].ap", "up_to": certain(2)},
        )
    ],
    "reliable_jam": [
        Case(scenario("full-auto", dice=1), "jam", {"reliable": chance(5), "general": chance(10)})
    ],
    "jam_scope": [
        # not Reliable, capable of full auto, fired single
        Case(
            scenario("single-shot", weapon="training-rifle"),
            "jam",
            {"every_mode": chance(10), "full_auto_rate": chance(5)},
        )
    ],
    "jam_reliable_other": [
        Case(
            scenario("single-shot", weapon="training-marksman-carbine", carried={"reliable": True}),
            "jam",
            {"as_printed": chance(5), "on_100": chance(1)},
        )
    ],
    "jam_other": [
        Case(
            scenario("single-shot", weapon="training-marksman-carbine"),
            "jam",
            {"on_96": chance(5), "never": chance(0)},
        )
    ],
    "lethal_pinning": [
        # 35 or less hits, of a hit kills every one: 7 damage is over six times a bonus of 1
        Case(
            scenario(
                "full-auto",
                dice=1,
                people={"cultist": {"distance": 50, "willpower": 40, "toughness": 10}},
                carried={"damage": "7 [I]"},
            ),
            "cultist.pinned",
            {"tests": chance(21), "spared": chance(0)},
        )
    ],
    "jam_hits": [
        # 95 or less, jams on 91: five rolls are good enough and jam
        Case(
            scenario("single-shot", weapon="training-rifle", skill=85),
            "hits",
            {"no_hits": hundredths({1: 90}), "hits_stand": hundredths({1: 95})},
        )
    ],
    "jam_ammunition": [
        Case(
            scenario("single-shot"),
            "rounds_spent",
            {"in_full": certain(1), "none": hundredths({1: 95})},
        )
    ],
    "jam_pinning": [
        # six in ten fail; of those, one in twenty is let off
        Case(
            scenario("suppressing-fire"),
            "cultist.pinned",
            {"stand": chance(60), "void": chance(57)},
        )
    ],
    "short_ammunition": [
        # two dice use ten rounds, one die five
        Case(
            scenario("full-auto", dice=2, carried={"loaded": 7}),
            refused_or("rounds_spent"),
            {
                "forbid": "combatants.scout.weapons.autogun.loaded",
                "partial": certain(7),
                "downgrade": certain(5),
            },
        )
    ],
    "dice_bought": [
        Case(
            scenario("full-auto", dice=2),
            is_asked_about_dice,
            {"declared": False, "one_by_one": True},
        ),
        # bought by policy as they are declared, two dice are two dice
        Case(
            scenario("full-auto", dice=2),
            "rounds_spent",
            {"declared": certain(10), "one_by_one": certain(10)},
        ),
    ],
    "extended_action": [
        # three points, two in each turn: the second turn fires
        Case(
            scenario("full-auto", dice=3, shooter={"ap": 2}) | {"rounds": 2},
            refused_or("rounds_spent"),
            {"in_one_turn": "do[1].action", "over_turns": certain(15)},
        ),
        Case(
            scenario("full-auto", dice=3, shooter={"ap": 2}) | {"rounds": 2},
            refused_or("ap_spent"),
            {"in_one_turn": "do[1].action", "over_turns": certain(3)},
        ),
        # fifteen shots are the most of a turn, whenever their points were spent
        Case(
            fight(
                {"action": "full-auto", "dice": 3, "at": ["cultist"], "otherwise": ["aim"]},
                {"action": "single-shot", "at": ["cultist"], "in_rounds": [2]},
                rounds=2,
                shooter={"ap": 2},
                rulings={"aim_bonus": "without_end"},
                carried={"reliable": True, "loaded": 100},
                people={"cultist": {"distance": 50}},
            ),
            refused_or("lost_to_rate_of_fire"),
            {"in_one_turn": "do[1].action", "over_turns": hundredths({1: 95})},
        ),
    ],
    "suppressing_melee": [
        # 45 - 30 - 20: -5, so that only 01 hits; 11 to 88 go astray, one more for each ten over
        Case(
            scenario(
                "suppressing-fire",
                people={"outsider": CULTIST | {"distance": 10}, "one": CULTIST, "two": CULTIST},
                melee=["one", "two"],
            ),
            "errant_hits",
            {
                "original_in_it": certain(0),
                "any_in_cone": hundredths(dict.fromkeys((2, 3, 4, 5, 7, 8, 9, 10), 1)),
            },
        )
    ],
    "doubles_zero": [
        # 35 or less: 44, 55, 66, 77, 88, 99 and 00 go astray, jams notwithstanding
        Case(
            scenario("single-shot", **IN_MELEE, rulings={"jam_hits": "hits_stand"}),
            "errant_hits",
            {"yes": hundredths({1: 7}), "no": hundredths({1: 6})},
        )
    ],
    "errant_cap": [
        # 15 or less: 22, 33, 44, 55, 66, 77 and 88 fail by 1, 2, 3, 5, 6, 7 and 8 degrees.
        # One d5: in 500 cases the lesser is 1 in 5 + 1 + 1 + 4, 2 in 4 + 1 + 4, 3 in 3 + 4, ...
        Case(
            scenario("full-auto", dice=1, **IN_MELEE),
            "errant_hits",
            {
                "shots_fired": hundredths({1: "2.2", 2: "1.8", 3: "1.4", 4: "0.8", 5: "0.8"}),
                "rounds_spent": hundredths({1: 1, 2: 1, 3: 1, 5: 4}),
                "weapon_maximum": hundredths(dict.fromkeys((1, 2, 3, 5, 6, 7, 8), 1)),
            },
        )
    ],
    "errant_spread": [
        # 25 or less, two rounds: 33 strays once, 44 to 88 twice, on one of two people.
        # One by one: half of 1 and half of 5 strike once, a quarter of 5 twice.
        Case(
            scenario("semi-auto", people=PAIR, melee=["bystander"]),
            "bystander.hits",
            {
                "per_hit": hundredths({1: 3, 2: "1.25"}),
                "one_victim": hundredths({1: "0.5", 2: "2.5"}),
            },
        )
    ],
    "errant_effects": [
        # 15 rolls hit, 7 stray; six of ten who test are pinned
        Case(
            scenario("full-auto", dice=1, **IN_MELEE),
            "cultist.pinned",
            {"as_hits": chance("13.2"), "damage_only": chance(9)},
        ),
        # 25 or less: 10 rolls hit once, 15 twice, 1 strays once, 5 twice; one point a hit
        Case(
            scenario("semi-auto", carried=ONE_POINT, **IN_MELEE),
            "cultist.damage",
            {
                "as_hits": hundredths({1: 11, 4: 20}),
                "damage_only": hundredths({1: 11, 2: 5, 4: 15}),
            },
        ),
    ],
    "melee_helpless": [
        Case(
            scenario("single-shot", people={"cultist": CULTIST | {"helpless": True}}, **IN_MELEE),
            "hits",
            {"no": hundredths({1: 35}), "waived": hundredths({1: 55})},
        )
    ],
    "pinning_tests": [
        # At 20 m 30 or less holds. One die hits 1 to 4 times in 15, 11, 7 and 2 of 100 cases.
        # Held: 0.3 of 15, 0.09 of 11, 0.027 of 7 and 0.0081 of 2, that is 5.6952 of a hundred.
        Case(
            scenario("full-auto", people=at(20), dice=1),
            "cultist.pinned",
            {"once": chance("24.5"), "per_hit": chance(35 - Fraction("5.6952"))},
        )
    ],
    "semi_auto_pins": [
        # 45 rolls hit, six of ten who test fail
        Case(scenario("semi-auto"), "cultist.pinned", {"no": chance(0), "yes": chance(27)})
    ],
    "suppressed_and_hit": [
        # 15 rolls hit: four of ten hold before, and six of ten of those fail then
        Case(
            scenario("suppressing-fire"),
            "cultist.pinned",
            {"no": chance(60), "yes": chance(60 + Fraction(40 * 15 * 6, 1000))},
        )
    ],
    "pinning_band": [
        # 100 m is Medium, +10; the cultist at 20 m is in Short, -10
        Case(
            scenario(
                "suppressing-fire",
                people={**at(20), "bystander": BYSTANDER | {"distance": 100}},
            ),
            "bystander.pinned",
            {"own": chance(50), "original": chance(70)},
        )
    ],
    "cone_angle": [
        # 20 m away and 30 degrees off the middle; Short, -10
        Case(
            scenario(
                "suppressing-fire",
                shooter=THIRTY_DEGREES_OFF[0],
                people=THIRTY_DEGREES_OFF[1],
                at=["cultist"],
                in_cone=None,
            ),
            "aside.pinned",
            {"in_all": ABSENT, "each_side": chance(70)},
        )
    ],
    "cone_length": [
        # 36 m for a range of 35
        Case(
            scenario(
                "suppressing-fire",
                shooter=BEYOND_SHORT[0],
                people=BEYOND_SHORT[1],
                at=["cultist"],
                in_cone=None,
            ),
            "behind.pinned",
            {"extreme": chance(60), "range": ABSENT},
        )
    ],
    "point_blank": [
        # range 100: 8 m is Short (-10), or Point Blank to 10 m (-30)
        Case(
            scenario("suppressing-fire", weapon="training-heavy-gun", people=at(8)),
            "cultist.pinned",
            {"fixed": chance(70), "tenth_of_range": chance(90)},
        )
    ],
    "between_bands": [
        Case(
            scenario("suppressing-fire", people=at(3.5)),
            "cultist.pinned",
            {"farther": chance(70), "nearer": chance(90)},
        )
    ],
    "same_target_bonus": [
        # 10 rolls hit once, 20 twice, 15 three times, for one point each.
        # Two hits: 2+2, 1+2, 3+3, 2+2, 1+2. Three: 2+2+2, 1+2+2, 4+4+4, 3+3+3, 1+3.
        Case(
            scenario("semi-auto", carried=ONE_POINT),
            "cultist.damage",
            {
                "each": hundredths({1: 10, 4: 20, 6: 15}),
                "extra_only": hundredths({1: 10, 3: 20, 5: 15}),
                "stacking": hundredths({1: 10, 6: 20, 12: 15}),
                "stacking_extra": hundredths({1: 10, 4: 20, 9: 15}),
                "combined": hundredths({1: 10, 3: 20, 4: 15}),
            },
        )
    ],
    "suppressing_bonus": [
        Case(
            scenario("suppressing-fire", carried=ONE_POINT),
            "cultist.damage",
            {"no": hundredths({1: 10, 2: 5}), "yes": hundredths({1: 10, 4: 5})},
        )
    ],
    "allocation": [
        # two hits and three: the bystander has one of them
        Case(
            scenario("semi-auto", **{k: v for k, v in NEAR.items() if k != "policies"}),
            "bystander.hits",
            {"original": certain(0), "spread": hundredths({1: 35})},
        )
    ],
} | FIGHT_CASES

POLICIES = ("allocation", *FIGHT_POLICIES)
READINGS = [(name, reading) for name, cases in CASES.items() for reading in cases[0].expected]


def under(data: Data, name: str, reading: str) -> Data:
    """The same scenario under another reading."""
    register = "policies" if name in POLICIES else "rulings"
    return data | {register: data[register] | {name: reading}}


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_reading(name: str, reading: str) -> None:
    for case in CASES[name]:
        assert seen(under(case.data, name, reading), case.look) == case.expected[reading]


@pytest.mark.parametrize("name", CASES)
def test_default(name: str) -> None:
    rules = SYSTEM.tables()
    default = (rules.rulings | rules.policies)[name].default
    for case in CASES[name]:
        assert seen(case.data, case.look) == case.expected[default]


@pytest.mark.parametrize("name", CASES)
def test_readings_differ(name: str) -> None:
    for one, other in combinations(CASES[name][0].expected, 2):
        assert any(case.expected[one] != case.expected[other] for case in CASES[name])


def test_every_ruling_has_its_cases() -> None:
    rules = SYSTEM.tables()
    register = rules.rulings | rules.policies
    assert set(register) == set(CASES)
    for name, cases in CASES.items():
        for case in cases:
            assert list(case.expected) == list(register[name].readings)
    assert set(rules.policies) == set(POLICIES)


def is_refused(expected: Any) -> bool:
    """Whether a reading refuses the case, by the key that is expected to be named."""
    return isinstance(expected, str) and expected != ABSENT


ANSWERED = [
    (name, reading)
    for name, reading in READINGS
    if not is_refused(CASES[name][-1].expected[reading])
]


@pytest.mark.parametrize(("name", "reading"), ANSWERED)
def test_reading_is_reported(name: str, reading: str) -> None:
    opening = opened(under(CASES[name][-1].data, name, reading))
    in_force = opening.policies if name in POLICIES else opening.rulings
    assert in_force[name] == reading


@pytest.mark.parametrize("reading", ["reliable", "general"])
def test_a_reliable_weapon_without_full_auto_keeps_its_own_number(reading: str) -> None:
    """The general number is about weapons capable of full auto, however `reliable_jam` is read."""
    data = scenario(
        "single-shot",
        weapon="training-marksman-carbine",
        carried={"reliable": True},
        rulings={"reliable_jam": reading},
    )
    assert odds_of(data, "jam") == chance(5)
