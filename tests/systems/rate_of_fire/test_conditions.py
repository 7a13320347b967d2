"""Pinning tests, step by step: (step, fighter, what was read) -> what follows."""

import pytest

from firepower.chance import Modifier, Next
from firepower.chance.readings import Test as Result
from firepower.systems.rate_of_fire.conditions import PinningTest, TestRule
from firepower.systems.rate_of_fire.fighter import Fighter
from tests.systems.rate_of_fire.helpers import CULTIST, Data, opened, played, scenario

RULE = TestRule("one_plus_tens", natural_extremes=True, clamped=False)
TEST = PinningTest("Pinning Test", (Modifier("Willpower", 40, "cultist"),), RULE)

FRESH = Fighter()
DOWN = Fighter(down=True)


@pytest.mark.parametrize("fighter", [FRESH, DOWN])
@pytest.mark.parametrize(
    ("read", "records"),
    [
        (Result(success=True, degrees=1), {}),
        (Result(success=True, degrees=5), {}),
        (Result(success=False, degrees=1), {"pinned": 1, "pinning_degrees": 1}),
        (Result(success=False, degrees=6), {"pinned": 1, "pinning_degrees": 6}),
    ],
)
def test_pinning_test(fighter: Fighter, read: Result, records: dict[str, int]) -> None:
    assert TEST.then(fighter, read) == Next(fighter, records=records)


def test_a_pinning_test_asks_for_its_number() -> None:
    roll = TEST.ask(FRESH)
    assert (roll.label, str(roll.throw), roll.target) == ("Pinning Test", "d100", 40)
    assert roll.parts == (Modifier("Willpower", 40, "cultist"),)
    assert [roll.reading.read(face).success for face in (1, 40, 41, 100)] == [
        True,
        True,
        False,
        False,
    ]


def asked_before(data: Data) -> dict[str, int]:
    """Who tests before the shot, and the number of each."""
    tasks = opened(data).situation.agenda[:-1]
    return {str(task.who): task.step.ask(FRESH).target for task in tasks}


def test_everybody_in_the_cone_tests_before_the_shot_in_their_own_band() -> None:
    people = {
        "one": {"distance": 3, "willpower": 50},
        "two": {"distance": 35, "willpower": 50},
        "three": {"distance": 70, "willpower": 50},
        "four": {"distance": 105, "willpower": 50},
        "five": {"distance": 140, "willpower": 50},
        "six": {"distance": 175, "willpower": 50},
    }
    numbers = {"one": 20, "two": 40, "three": 50, "four": 60, "five": 70, "six": 90}
    assert asked_before(scenario("suppressing-fire", people=people)) == numbers


@pytest.mark.parametrize("action", ["single-shot", "semi-auto"])
def test_nobody_tests_for_other_attacks(action: str) -> None:
    assert played(scenario(action), 40, 1)["cultist.pinned"] is False


@pytest.mark.parametrize("without", [{"willpower": None}, {"tests_pinning": False}])
def test_who_cannot_be_pinned_does_not_test(without: Data) -> None:
    cultist = {k: v for k, v in (CULTIST | without).items() if v is not None}
    opening = opened(scenario("suppressing-fire", people={"cultist": cultist}))
    assert len(opening.situation.agenda) == 1
    assert "cultist.pinned" not in opening.measures


def test_a_missing_willpower_is_named_and_immunity_is_not() -> None:
    def left_out(cultist: Data) -> bool:
        opening = opened(scenario("suppressing-fire", people={"cultist": cultist}))
        return "pinning of cultist: no 'willpower' is stated" in opening.not_modelled

    assert left_out({"distance": 20})
    assert not left_out({"distance": 20, "tests_pinning": False})
    assert not left_out(CULTIST)


def test_the_worst_of_several_tests_counts() -> None:
    """At 20 m 30 or less holds; three hits of full auto, each with its test."""
    cultist = CULTIST | {"distance": 20}
    data = scenario(
        "full-auto",
        dice=1,
        people={"cultist": cultist},
        rulings={"pinning_tests": "per_hit"},
    )
    shot = played(data, 5, 15, 1, 1, 1, 31, 95, 30)
    assert shot["cultist.pinned"] is True
    assert shot["cultist.pinning_degrees"] == 7
    assert played(data, 5, 15, 1, 1, 1, 30, 1, 29)["cultist.pinned"] is False


def test_nobody_is_pinned_by_a_jam_that_lets_everybody_off() -> None:
    data = scenario("suppressing-fire", rulings={"jam_pinning": "void"})
    jammed = played(data, 96, 10)
    assert (jammed["cultist.pinned"], jammed["cultist.pinning_degrees"]) == (False, 0)
    missed = played(data, 90, 41)
    assert (missed["cultist.pinned"], missed["cultist.pinning_degrees"]) == (True, 1)


def test_pinning_follows_damage_in_full_auto() -> None:
    shot = played(scenario("full-auto", dice=1), 2, 20, 5, 5, 41)
    assert shot.order == [
        ("scout", "rate-of-fire dice"),
        ("scout", "Full Auto Attack"),
        ("cultist", "damage"),
        ("cultist", "Pinning Test"),
    ]
    assert shot["cultist.pinned"] is True
    assert shot["cultist.pinning_degrees"] == 1
