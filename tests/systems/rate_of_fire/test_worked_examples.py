"""The worked examples of the rules, each named by its number, exact, through scenarios."""

from fractions import Fraction
from typing import Any

import pytest

from firepower.chance import RollUnder
from tests.systems.rate_of_fire.helpers import (
    CULTIST,
    Data,
    Odds,
    agenda,
    hundredths,
    mean,
    odds,
    odds_of,
    played,
    refusal,
    scenario,
    target_number,
)

DUMMY: Data = {"distance": 50}
"""A target that tests nothing: dice fall for shots, the roll to hit and damage alone."""


def shoot(action: str, weapon: str = "autogun", **more: Any) -> Data:
    """An attack on the dummy with Ranged Combat 45."""
    return scenario(action, weapon=weapon, people={"dummy": DUMMY}, **more)


def into_melee(action: str, **more: Any) -> Data:
    """An attack on the dummy, which is alone in its melee."""
    return shoot(action, melee=["dummy"], **more)


def test_x01_single_shot() -> None:
    data = shoot("single-shot")
    assert target_number(data) == 55
    shot = played(data, 38, 1)
    assert shot.words("Single Shot Attack") == ("2 degrees of success",)
    shot.check(hits=1, rounds_spent=1, ap_spent=1, jam=False)
    assert odds(data, "hits", "jam") == {
        "hits": hundredths({1: 55}),
        "jam": {False: Fraction(19, 20), True: Fraction(1, 20)},
    }


def test_x02_aimed_single_shot() -> None:
    data = shoot("single-shot", aim=20)
    assert target_number(data) == 75
    shot = played(data, 71, 1)
    assert shot.words("Single Shot Attack") == ("1 degree of success",)
    shot.check(hits=1, rounds_spent=1, jam=False)
    assert odds_of(data, "hits") == hundredths({1: 75})


def test_x03_semi_auto_ignores_aim() -> None:
    data = shoot("semi-auto", aim=20)
    assert target_number(data) == 45
    shot = played(data, 5, 1, 1, 1)
    assert shot.words("Semi-Auto Attack") == ("5 degrees of success",)
    shot.check(hits=3, rounds_spent=2, jam=False)
    assert mean(odds_of(data, "hits")) == Fraction(19, 20)
    capped = shoot("semi-auto", aim=20, rulings={"semi_auto_cap": "rounds"})
    assert played(capped, 5, 1, 1)["hits"] == 2
    assert mean(odds_of(capped, "hits")) == Fraction(4, 5)


def test_x05_full_auto_with_two_dice() -> None:
    data = shoot("full-auto", dice=2)
    assert target_number(data) == 35
    shot = played(data, 3, 4, 12, 1, 1, 1)
    assert shot.words("rate-of-fire dice") == ("7 shots",)
    assert shot.words("Full Auto Attack") == ("3 degrees of success",)
    shot.check(hits=3, rounds_spent=10, ap_spent=2, jam=False)
    assert mean(odds_of(data, "hits")) == Fraction(197, 250)


def test_x06_full_auto_capped_by_shots() -> None:
    data = shoot("full-auto", dice=1)
    shot = played(data, 1, 2, 1)
    assert shot.words("rate-of-fire dice") == ("1 shots",)
    assert shot.words("Full Auto Attack") == ("4 degrees of success",)
    shot.check(hits=1, rounds_spent=5, ap_spent=1, jam=False)
    assert mean(odds_of(data, "hits")) == Fraction(33, 50)


def test_x08_jam_on_91() -> None:
    data = shoot("full-auto", "training-rifle", dice=3)
    assert target_number(data) == 35
    shot = played(data, 5, 5, 5, 91, 4)
    assert shot.words("rate-of-fire dice") == ("15 shots",)
    assert shot.words("Full Auto Attack") == ("6 degrees of failure, jam",)
    shot.check(hits=0, rounds_spent=15, ap_spent=3, jam=True)


def test_x09_reliable_holds_at_95() -> None:
    shot = played(shoot("full-auto", dice=3), 5, 5, 5, 95)
    assert shot.words("Full Auto Attack") == ("7 degrees of failure",)
    shot.check(hits=0, rounds_spent=15, ap_spent=3, jam=False)


def test_x11_suppressing_fire() -> None:
    data = shoot("suppressing-fire")
    assert target_number(data) == 15
    shot = played(data, 4, 1, 1)
    assert shot.words("Suppressing Fire Attack") == ("2 degrees of success",)
    shot.check(hits=2, rounds_spent=15, ap_spent=3, jam=False)
    assert mean(odds_of(data, "hits")) == Fraction(1, 5)


def test_x13_single_shot_into_melee() -> None:
    data = into_melee("single-shot")
    assert target_number(data) == 35
    shot = played(data, 44, 1, 1)
    assert shot.words("Single Shot Attack") == ("1 degree of failure, a double",)
    shot.check(hits=0, errant_hits=1, rounds_spent=1, jam=False)
    assert odds_of(data, "hits") == hundredths({1: 35})
    assert odds_of(data, "errant_hits") == hundredths({1: 5})
    stand = into_melee("single-shot", rulings={"jam_hits": "hits_stand"})
    assert odds_of(stand, "errant_hits") == hundredths({1: 7})


def test_x14_full_auto_into_melee() -> None:
    data = into_melee("full-auto", dice=2)
    assert target_number(data) == 15
    shot = played(data, 4, 5, 77, *[1] * 7, *[1] * 7)
    assert shot.words("rate-of-fire dice") == ("9 shots",)
    assert shot.words("Full Auto Attack") == ("7 degrees of failure, a double",)
    shot.check(hits=0, errant_hits=7, rounds_spent=10, ap_spent=2, jam=False)
    assert mean(odds_of(data, "errant_hits")) == Fraction(34, 125)
    assert mean(odds_of(into_melee("full-auto", dice=1), "errant_hits")) == Fraction(43, 250)


def test_x16_semi_auto_double_into_melee() -> None:
    data = into_melee("semi-auto")
    assert target_number(data) == 25
    shot = played(data, 66, 1, 1, 1, 1)
    assert shot.words("Semi-Auto Attack") == ("5 degrees of failure, a double",)
    shot.check(hits=0, errant_hits=2, rounds_spent=2, jam=False)


def test_x17_semi_auto_miss_into_melee() -> None:
    shot = played(into_melee("semi-auto"), 67)
    assert shot.words("Semi-Auto Attack") == ("5 degrees of failure",)
    shot.check(hits=0, errant_hits=0, rounds_spent=2, jam=False)


def test_x18_jam_cancels_errant_hits() -> None:
    data = into_melee("full-auto", dice=3)
    shot = played(data, 5, 5, 5, 99, 4)
    assert shot.words("Full Auto Attack") == ("9 degrees of failure, a double, jam",)
    shot.check(hits=0, errant_hits=0, rounds_spent=15, ap_spent=3, jam=True)
    stand = into_melee("full-auto", dice=3, rulings={"jam_hits": "hits_stand"})
    shot = played(stand, 5, 5, 5, 99, 4, *[1] * 9, *[1] * 9)
    shot.check(hits=0, errant_hits=9, jam=True)


def pinning_number(willpower: int, metres: int) -> int:
    """What a pinning test needs, as the attack states it."""
    people = {"cultist": CULTIST | {"willpower": willpower, "distance": metres}}
    (test, _) = agenda(scenario("suppressing-fire", people=people))
    number: int = test.step.ask(None).target
    return number


def pinned(willpower: int, metres: int, **rulings: str) -> Fraction:
    """How likely suppressing fire pins somebody at this distance."""
    people = {"cultist": CULTIST | {"willpower": willpower, "distance": metres}}
    data = scenario("suppressing-fire", people=people, rulings=rulings)
    return odds_of(data, "cultist.pinned").get(True, Fraction(0))


@pytest.mark.parametrize(
    ("metres", "number", "failing"),
    [
        (2, 10, "9/10"),
        (20, 30, "7/10"),
        (50, 40, "3/5"),
        (100, 50, "1/2"),
        (130, 60, "2/5"),
        (170, 80, "1/5"),
    ],
)
def test_x20_pinning_of_willpower_40(metres: int, number: int, failing: str) -> None:
    assert pinning_number(40, metres) == number
    assert pinned(40, metres) == Fraction(failing)


@pytest.mark.parametrize(
    ("metres", "number", "failing"),
    [
        (2, -5, "99/100"),
        (20, 15, "17/20"),
        (50, 25, "3/4"),
        (100, 35, "13/20"),
        (130, 45, "11/20"),
        (170, 65, "7/20"),
    ],
)
def test_x21_pinning_of_willpower_25(metres: int, number: int, failing: str) -> None:
    assert pinning_number(25, metres) == number
    assert pinned(25, metres) == Fraction(failing)


def test_x21_nothing_saves_without_the_natural_01() -> None:
    assert pinned(25, 2, natural_extremes="off") == 1


PINNING_BY_BAND = {
    "Point Blank": -30,
    "Short": -10,
    "Effective": 0,
    "Medium": 10,
    "Long": 20,
    "Extreme": 40,
}


def check_bands(weapon: str, ends: tuple[int, ...]) -> None:
    """Each band reaches from the metre after the last one to its end; nobody stands beyond."""
    start = 0
    for (title, modifier), end in zip(PINNING_BY_BAND.items(), ends, strict=True):
        for metres in (start, end):
            people = {"cultist": CULTIST | {"distance": metres}}
            data = scenario("suppressing-fire", weapon=weapon, people=people)
            (test, _) = agenda(data)
            last = test.step.ask(None).parts[-1]
            assert (last.label, last.value) == (f"{title} range", modifier)
        start = end + 1
    far = scenario("full-auto", weapon=weapon, people={"cultist": {"distance": start}}, dice=1)
    assert f"{start} m away; the weapon reaches {ends[-1]} m" in refusal(far)


def test_x23_bands_of_range_35() -> None:
    check_bands("autogun", (3, 35, 70, 105, 140, 175))


def test_x24_bands_of_range_100() -> None:
    check_bands("training-heavy-gun", (3, 100, 200, 300, 400, 500))


def test_x26_lone_semi_auto_hit() -> None:
    assert played(shoot("semi-auto"), 45, 4)["dummy.damage"] == 10


def test_x27_two_suppressing_hits() -> None:
    shot = played(shoot("suppressing-fire"), 4, 4, 9)
    assert shot.words("damage") == ("10 damage", "15 damage")


FULL_AUTO = {
    "X28": (1, {0: "13/20", 1: "3/20", 2: "11/100", 3: "7/100", 4: "1/50"}, "33/50"),
    "X29": (2, {0: "13/20", 1: "1/10", 2: "53/500", 3: "1/10", 4: "11/250"}, "197/250"),
    "X30": (3, {0: "13/20", 1: "1/10", 2: "1/10", 3: "251/2500", 4: "31/625"}, "1999/2500"),
}


@pytest.mark.parametrize("example", FULL_AUTO)
def test_x28_x29_x30_hits_of_full_auto(example: str) -> None:
    dice, wanted, average = FULL_AUTO[example]
    found = odds_of(shoot("full-auto", dice=dice), "hits")
    assert found == {hits: Fraction(p) for hits, p in wanted.items()}
    assert mean(found) == Fraction(average)


def test_x31_hits_of_semi_auto() -> None:
    found: Odds = odds_of(shoot("semi-auto"), "hits")
    assert found == hundredths({1: 10, 2: 20, 3: 15})
    assert mean(found) == Fraction(19, 20)


def test_x32_hits_of_suppressing_fire() -> None:
    found = odds_of(shoot("suppressing-fire"), "hits")
    assert found == hundredths({1: 10, 2: 5})
    assert mean(found) == Fraction(1, 5)


@pytest.mark.parametrize(
    ("action", "dice", "needed"),
    [("full-auto", 2, 10), ("full-auto", 3, 15), ("suppressing-fire", None, 15)],
)
def test_x33_nine_rounds_are_too_few(action: str, dice: int | None, needed: int) -> None:
    line = {"dice": dice} if dice else {}
    sentence = refusal(shoot(action, carried={"loaded": 9}, **line))
    assert sentence == (
        f"combatants.scout.weapons.autogun.loaded is 9, but {action} uses {needed} rounds; "
        "lawful is full-auto with 1 die"
    )


@pytest.mark.parametrize("action", ["single-shot", "semi-auto", "full-auto"])
def test_x33_nine_rounds_are_enough(action: str) -> None:
    line = {"dice": 1} if action == "full-auto" else {}
    data = shoot(action, carried={"loaded": 9}, **line)
    assert odds_of(data, "rounds_spent") == odds_of(shoot(action, **line), "rounds_spent")


def spent(weapon: str, action: str, **line: int) -> int:
    """The rounds that an attack always uses."""
    ((rounds, p),) = odds_of(shoot(action, weapon, **line), "rounds_spent").items()
    assert p == 1
    assert isinstance(rounds, int)
    return rounds


def test_x34_rounds_of_the_autogun() -> None:
    assert spent("autogun", "single-shot") == 1
    assert spent("autogun", "semi-auto") == 2
    assert [spent("autogun", "full-auto", dice=dice) for dice in (1, 2, 3)] == [5, 10, 15]
    assert spent("autogun", "suppressing-fire") == 15


def test_x35_rounds_of_the_heavy_gun() -> None:
    weapon = "training-heavy-gun"
    assert [spent(weapon, "full-auto", dice=dice) for dice in (1, 3, 5)] == [10, 30, 50]
    assert spent(weapon, "suppressing-fire") == 50


DEGREES = {
    (45, 45): (1, 1, 0, 1),
    (45, 38): (1, 1, 0, 2),
    (45, 35): (2, 1, 1, 2),
    (45, 5): (5, 4, 4, 5),
    (35, 12): (3, 2, 2, 3),
}
READINGS = ("one_plus_tens", "at_least_one", "tens", "tens_digits")


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(("number", "roll"), DEGREES)
def test_x37_degrees(number: int, roll: int, reading: str) -> None:
    wanted = DEGREES[number, roll][READINGS.index(reading)]
    data = shoot("semi-auto", skill=number, rulings={"degrees": reading})
    (first,) = agenda(data)
    test = first.step.rule.of(first.step.parts)
    assert isinstance(test, RollUnder)
    assert test.read(roll).success
    assert test.read(roll).degrees == wanted


@pytest.mark.parametrize(
    ("craftsmanship", "failing"),
    [
        ("relic", 0),
        ("artificer", 0),
        ("best", 1),
        ("good", 2),
        ("common", 3),
        ("poor", 4),
        ("useless", 5),
    ],
)
def test_x39_condition_check(craftsmanship: str, failing: int) -> None:
    data = shoot("single-shot", carried={"craftsmanship": craftsmanship})
    worse = odds_of(data, "weapon_degraded").get(True, Fraction(0))
    assert worse == Fraction(1, 20) * Fraction(failing, 10)
