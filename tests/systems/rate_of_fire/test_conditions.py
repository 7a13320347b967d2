"""Pinning and fatigue, step by step: (step, fighter, what was read) -> what follows."""

from typing import Any

import msgspec
import pytest

from firepower.chance import Modifier, Next
from firepower.chance.readings import Test as Result
from firepower.combat.percentile.tests import D100Rule, SecondChance
from firepower.systems.rate_of_fire.conditions import (
    Hampering,
    PinningTest,
    Recovery,
    RecoveryTest,
    Suppressed,
    recovery_of,
)
from firepower.systems.rate_of_fire.fighter import BROKEN, NOT_SHOT_AT, SHOT_AT, Arm, Fighter
from tests.systems.rate_of_fire.helpers import (
    CULTIST,
    DUMMY,
    GUNNER,
    Data,
    fate_rules,
    fight,
    opened,
    parts,
    played,
    scenario,
    setup_of,
    shot_of,
)

RULE = D100Rule("one_plus_tens", natural_extremes=True, clamped=False)
TEST = PinningTest((Modifier("Willpower", 40, "cultist"),), RULE, None, title="Pinning Test")

FRESH = Fighter()
DOWN = Fighter(out=True, lethal=True)
PASSIVE = Fighter(passive=True)


@pytest.mark.parametrize("fighter", [PASSIVE, DOWN])
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
    tasks = shot_of(data).pinning_tests()
    return {str(task.who): task.step.test.ask(FRESH).target for task in tasks}


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
    assert not shot_of(scenario("suppressing-fire", people={"cultist": cultist})).pinning_tests()
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


# -- in a fight, where conditions last -----------------------------------------------------------

PINNED = Modifier("pinned", -20, "ruling: pinned_to_hit = minus_20")
FATIGUED = Modifier("fatigued", -10, "ruling: fatigued = minus_10")
BOTH, NEITHER = Hampering(PINNED, FATIGUED), Hampering()
WILLPOWER = Modifier("Willpower", 40, "cultist")
LASTING = msgspec.structs.replace(TEST, hampering=BOTH)
FAILED, PASSED = Result(success=False, degrees=2), Result(success=True, degrees=1)
RECORDS = {"pinned": 1, "pinning_degrees": 2}


@pytest.mark.parametrize(
    ("fighter", "to_hit", "to_willpower"),
    [
        (FRESH, (), ()),
        (Fighter(pinned=NOT_SHOT_AT), (PINNED,), ()),
        (Fighter(pinned=SHOT_AT), (PINNED,), ()),
        (Fighter(fatigue=1), (FATIGUED,), (FATIGUED,)),
        (Fighter(fatigue=4), (FATIGUED,), (FATIGUED,)),
        (Fighter(fatigue=4, tireless=1), (), ()),
        (Fighter(pinned=SHOT_AT, fatigue=1), (PINNED, FATIGUED), (FATIGUED,)),
    ],
)
def test_what_conditions_do_to_tests(
    fighter: Fighter, to_hit: tuple[Modifier, ...], to_willpower: tuple[Modifier, ...]
) -> None:
    assert BOTH.to_hit(fighter) == to_hit
    assert BOTH.to_willpower(fighter) == to_willpower
    assert NEITHER.to_hit(fighter) == NEITHER.to_willpower(fighter) == ()


@pytest.mark.parametrize(
    ("test", "fighter", "read", "after"),
    [
        (LASTING, FRESH, FAILED, Fighter(pinned=SHOT_AT)),
        (LASTING, Fighter(pinned=NOT_SHOT_AT), FAILED, Fighter(pinned=SHOT_AT)),
        (LASTING, Fighter(pinned=SHOT_AT), PASSED, Fighter(pinned=SHOT_AT)),
        # who is out is pinned no more; who takes no turn is not changed
        (LASTING, Fighter(out=True), FAILED, Fighter(out=True)),
        (TEST, PASSIVE, FAILED, PASSIVE),
    ],
)
def test_being_pinned_lasts(
    test: PinningTest, fighter: Fighter, read: Result, after: Fighter
) -> None:
    assert test.then(fighter, read) == Next(after, records=RECORDS if not read.success else {})


@pytest.mark.parametrize(("fighter", "tests"), [(FRESH, True), (DOWN, False)])
def test_the_dead_may_be_spared(fighter: Fighter, tests: bool) -> None:
    assert msgspec.structs.replace(TEST, spares_the_dead=True).applies(fighter) is tests
    assert TEST.applies(fighter)


def test_fatigue_makes_a_pinning_test_harder() -> None:
    harder = LASTING.of(Fighter(fatigue=1))
    assert harder.parts == (WILLPOWER, FATIGUED)
    assert harder.ask(FRESH).target == 30
    assert LASTING.of(Fighter(pinned=SHOT_AT)) == LASTING
    assert TEST.of(Fighter(fatigue=1)) == TEST


@pytest.mark.parametrize(
    ("fighter", "after"),
    [
        (FRESH, FRESH),
        (Fighter(pinned=NOT_SHOT_AT), Fighter(pinned=SHOT_AT)),
        (Fighter(pinned=SHOT_AT, fatigue=1), Fighter(pinned=SHOT_AT, fatigue=1)),
    ],
)
def test_suppressed(fighter: Fighter, after: Fighter) -> None:
    assert Suppressed(LASTING).then(fighter, None) == Next(after, LASTING.of(fighter))


def test_the_cone_tests_as_it_stands_in_a_fight() -> None:
    line = {"action": "suppressing-fire", "in_cone": ["cultist"]}
    for willpower, steps in ((40, [Suppressed]), (None, [])):
        people = {"cultist": DUMMY | ({} if willpower is None else {"willpower": willpower})}
        data = fight(line, shooter={"ap": 3}, people=people)
        shot = opened(data).situation.agenda[1].step.actions[0].aims[0].shot
        assert [type(task.step) for task in shot.pinning_tests()] == steps


# -- recovery ------------------------------------------------------------------------------------

NOT_SHOT = Modifier("not shot at", 30, "ruling: pinned_recovery = test")
RECOVERY = RecoveryTest((WILLPOWER,), RULE, None, not_shot_at=NOT_SHOT, hampering=BOTH)
PLAIN = msgspec.structs.replace(RECOVERY, not_shot_at=None)


@pytest.mark.parametrize(
    ("recovery", "fighter", "parts", "target"),
    [
        (RECOVERY, Fighter(pinned=SHOT_AT), (WILLPOWER,), 40),
        (RECOVERY, Fighter(pinned=NOT_SHOT_AT), (WILLPOWER, NOT_SHOT), 70),
        (RECOVERY, Fighter(pinned=NOT_SHOT_AT, fatigue=2), (WILLPOWER, FATIGUED, NOT_SHOT), 60),
        (RECOVERY, Fighter(pinned=SHOT_AT, fatigue=2, tireless=1), (WILLPOWER,), 40),
        (PLAIN, Fighter(pinned=SHOT_AT), (WILLPOWER,), 40),
        (PLAIN, Fighter(pinned=NOT_SHOT_AT), (WILLPOWER,), 40),
    ],
)
def test_what_recovery_needs(
    recovery: RecoveryTest, fighter: Fighter, parts: tuple[Modifier, ...], target: int
) -> None:
    roll = recovery.ask(fighter)
    assert roll is not None
    assert (roll.label, str(roll.throw)) == ("recovery from being pinned", "d100")
    assert (roll.parts, roll.target) == (parts, target)


LUCKY = msgspec.structs.replace(RECOVERY, luck=fate_rules())
AGAIN = SecondChance(LUCKY, None)
RECOVERED = {"recovered": 1}


@pytest.mark.parametrize(
    ("recovery", "fighter", "read", "after"),
    [
        (RECOVERY, Fighter(pinned=SHOT_AT), PASSED, Next(FRESH, records=RECOVERED)),
        (RECOVERY, Fighter(pinned=NOT_SHOT_AT), PASSED, Next(FRESH, records=RECOVERED)),
        (RECOVERY, Fighter(pinned=SHOT_AT), FAILED, Next(Fighter(pinned=NOT_SHOT_AT))),
        (RECOVERY, Fighter(pinned=NOT_SHOT_AT), FAILED, Next(Fighter(pinned=NOT_SHOT_AT))),
        # without a test
        (
            Recovery(),
            Fighter(pinned=SHOT_AT, aim=10),
            None,
            Next(Fighter(aim=10), records=RECOVERED),
        ),
        # with Fate
        (
            LUCKY,
            Fighter(pinned=SHOT_AT, fate=2),
            FAILED,
            Next(Fighter(pinned=SHOT_AT, fate=2), AGAIN),
        ),
        (LUCKY, Fighter(pinned=SHOT_AT, fate=0), FAILED, Next(Fighter(pinned=NOT_SHOT_AT, fate=0))),
    ],
)
def test_recovery(
    recovery: Recovery | RecoveryTest, fighter: Fighter, read: Result | None, after: Next[Fighter]
) -> None:
    assert recovery.then(fighter, read) == after


def test_who_is_engaged_recovers_without_a_test() -> None:
    setup = setup_of(scenario("semi-auto", shooter={"engaged": True, "willpower": 40}))
    assert recovery_of(setup, "scout") == Recovery()
    assert Recovery().ask(Fighter(pinned=SHOT_AT)) is None
    assert Recovery().applies(Fighter(pinned=SHOT_AT))
    assert not Recovery().applies(FRESH)
    assert RECOVERY.failure(FAILED) == "still pinned"


@pytest.mark.parametrize(
    ("state", "numbers"),
    [
        # shot at before the first turn and before the second, then left alone
        ({}, [40, 40, 70]),
        ({"willpower": 25}, [25, 25, 55]),
        ({"engaged": True}, []),
    ],
)
def test_recovery_by_rounds(state: Data, numbers: list[int]) -> None:
    """Pinned in the first round, and every recovery fails."""
    data = fight(
        {"by": "cultist", "action": "suppressing-fire", "in_cone": ["scout"], "in_rounds": [1]},
        {"by": "cultist", "action": "single-shot", "at": ["scout"], "in_rounds": [2]},
        {"action": "aim"},
        rounds=3,
        shooter={"willpower": 40} | state,
        people={"cultist": GUNNER},
    )
    second = [90] if state.get("engaged") else [99, 90, 99, 99]
    burst = played(data, 99, 90, *second)
    needs = [each.need for each in burst.thrown if each.label == "recovery from being pinned"]
    assert needs == [f"{number} or less" for number in numbers]


# -- how somebody stands -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fighter", "words"),
    [
        (FRESH, ""),
        (Fighter(out=True), "out of action"),
        (Fighter(ap=0), "0 AP"),
        (Fighter(ap=2, arms=(Arm("gun", 30, "common"),)), "2 AP, 30 loaded"),
        (
            Fighter(arms=(Arm("gun", None, "common"), Arm("other", 0, "poor", jammed=True))),
            "other 0 loaded, jammed, poor",
        ),
        (Fighter(arms=(Arm("gun", 9, BROKEN, fired=5),)), "9 loaded, broken, 5 fired"),
        (Fighter(aim=10, fate=3), "aimed +10, 3 Fate"),
        (Fighter(begun="reload", paid=1), "reload begun"),
        (Fighter(pinned=NOT_SHOT_AT, fatigue=2), "pinned, fatigue 2"),
        (Fighter(pinned=SHOT_AT), "pinned, shot at"),
    ],
)
def test_how_somebody_stands(fighter: Fighter, words: str) -> None:
    assert fighter.words == words


FULL = {
    "ap": 2,
    "aim": 20,
    "begun": "reload",
    "paid": 1,
    "pinned": SHOT_AT,
    "fatigue": 1,
    "fate": 3,
}


@pytest.mark.parametrize(
    ("fighter", "after"),
    [
        (Fighter(**FULL, astray=2), Fighter(out=True, astray=2)),
        (Fighter(lethal=True, out=True), Fighter(lethal=True, out=True)),
    ],
)
def test_who_falls_keeps_nothing(fighter: Fighter, after: Fighter) -> None:
    assert fighter.falling(lethal=False) == after
    assert fighter.falling(lethal=True) == msgspec.structs.replace(after, lethal=True)


@pytest.mark.parametrize(("keeps_aim", "after"), [(False, {"aim": 0}), (True, {"aim": 20})])
def test_paying_undoes_what_was_begun(keeps_aim: bool, after: dict[str, Any]) -> None:
    paid = Fighter(**FULL).paying(1, keeps_aim=keeps_aim)
    assert paid == Fighter(**(FULL | after | {"ap": 1, "begun": "", "paid": 0}))


def test_one_weapon_changes_alone() -> None:
    one, other, new = Arm("one", 1, "common"), Arm("other", 2, "common"), Arm("other", 3, "poor")
    fighter = Fighter(arms=(one, other))
    assert fighter.with_arm(new) == Fighter(arms=(one, new))
    assert (fighter.arm("other"), fighter.arm("third")) == (other, None)


@pytest.mark.parametrize(
    ("state", "harder"),
    [
        ({"pinned": True}, {"pinned": -20}),
        ({"fatigue": 2}, {"fatigued": -10}),
        ({"fatigue": 2, "tireless": 1}, {}),
        ({"pinned": True, "fatigue": 1}, {"pinned": -20, "fatigued": -10}),
        ({"aimed": 20}, {"Aim": 20}),
    ],
)
def test_what_is_stated_counts_in_a_single_attack(state: Data, harder: dict[str, int]) -> None:
    plain = parts(scenario("single-shot"))
    assert parts(scenario("single-shot", shooter=state)) == plain | harder
