"""The sentences of Rapid Fire, Unwieldy and Blaze, in their order, each by the number it has.

RF, UW, BL: the statements of the text, and A its gaps, which `test_rulings` tries one by one.
"""

from fractions import Fraction
from typing import Any

import pytest

import firepower
from firepower.chance.events import Chosen
from tests.systems.necromunda.asking import AUTOGUN, Data, odds_of, p, scenario, weapon

F = Fraction

BURST = AUTOGUN | {"accuracy": "-/-"}
SURE: Data = {"ballistic_skill": 2}
NEAR: Data = {"other": {"side": "theirs", "distance": 6}}
FLAMES = weapon("Blaze", "Template", range="-/T")
FIRE = {"on_fire": True}
HARDY = {"toughness": 10, "wounds": 10}


def several(x: int, **line: Any) -> Data:
    """A burst with Rapid Fire of so many dice."""
    return scenario(BURST | {"traits": [f"Rapid Fire ({x})"]}, **line)


def refusal(data: Data) -> str:
    with pytest.raises(firepower.QuestionError) as wrong:
        firepower.read(data).odds()
    return str(wrong.value)


def options(data: Data, label: str, **answers: Any) -> tuple[str, ...]:
    """The options of the first choice whose label has these words."""
    played = firepower.read(data).roll(**answers)
    chosen = [event for event in played.events if isinstance(event, Chosen)]
    return next((event.options for event in chosen if label in event.label), ())


# -- Rapid Fire ----------------------------------------------------------------------------------


def test_rf_01_a_hit_scores_as_many_hits_as_there_are_holes() -> None:
    hits = odds_of(scenario(BURST, shooter=SURE), "hits")
    assert hits == {0: F(1, 6), 1: F(5, 12), 2: F(5, 18), 3: F(5, 36)}


def test_rf_02_there_is_one_roll_to_hit() -> None:
    """So with two dice there are either none or at least two hits."""
    hits = odds_of(several(2, dice=2), "hits")
    assert hits[0] == F(1, 2)
    assert 1 not in hits


def test_rf_03_any_number_of_dice_up_to_x_may_be_rolled() -> None:
    assert options(several(3), "how many Firepower dice", seed=1) == ("1", "2", "3")


@pytest.mark.parametrize("dice", [0, 4])
def test_rf_04_x_is_the_most_and_one_the_least(dice: int) -> None:
    assert "dice" in refusal(several(3, dice=dice))


def test_rf_05_each_symbol_is_a_check() -> None:
    """Two dice with a symbol each: two checks of 4+."""
    failed = odds_of(several(2, dice=2), "ammo_failed")
    one, two = F(10, 36), F(1, 36)
    assert failed == {0: 1 - one / 2 - two * 3 / 4, 1: one / 2 + two / 2, 2: two / 4}


def test_rf_06_checks_do_not_depend_on_hitting() -> None:
    for skill in (2, 6):
        data = several(2, dice=2, shooter={"ballistic_skill": skill})
        assert odds_of(data, "ammo_failed")[0] == F(121, 144)


def test_rf_07_one_that_fails_is_out_of_ammo() -> None:
    assert p(several(2, dice=2), "out_of_ammo") == F(11, 72)


def test_rf_08_two_that_fail_are_a_jam() -> None:
    assert p(several(2, dice=2), "jammed") == F(1, 144)


def test_rf_09_one_die_never_jams() -> None:
    assert p(several(2, dice=1), "jammed") == 0


def test_rf_10_one_hit_is_not_split() -> None:
    data = several(1, others=NEAR, near=["other"], shooter=SURE)
    assert options(data, "to allocate", dice=["6", "1", "1"]) == ()
    assert options(data, "to allocate", dice=["6", "2", "1", "1"]) == ("0", "1")


def test_rf_11_the_first_hit_is_the_targets() -> None:
    data = several(1, others=NEAR, near=["other"], shooter=SURE)
    assert options(data, "to allocate", dice=["6", "3", "1", "1", "1"]) == ("0", "1", "2")
    assert p(data, "target.hit", 0) == F(1, 6)


@pytest.mark.parametrize(("inches", "hit"), [(3.9, True), (4.1, False)])
def test_rf_12_others_stand_within_three_inches_of_the_target(inches: float, *, hit: bool) -> None:
    """From base to base; nobody is found by being near one who is near."""
    people = {
        "other": {"side": "theirs", "position": [6 + inches, 0]},
        "far": {"side": "theirs", "position": [6 + 2 * inches, 0]},
    }
    data = several(
        1,
        others=people,
        shooter={"position": [0, 0]},
        target={"position": [6, 0], "distance": None},
    )
    data["combatants"]["target"].pop("distance")
    measures = firepower.read(data).measures
    assert ("other.hit" in measures) == hit
    assert "far.hit" not in measures


@pytest.mark.parametrize(
    ("changes", "line"),
    [({"distance": 25}, {}), ({}, {"out_of_sight": ["other"]})],
)
def test_rf_13_others_are_in_range_and_in_sight(changes: Data, line: Data) -> None:
    people = {"other": NEAR["other"] | changes}
    data = several(1, others=people, near=["other"], shooter=SURE, **line)
    assert options(data, "to allocate", dice=["6", "3", "1", "1", "1"]) == ()


@pytest.mark.parametrize(
    ("target", "other", "lawful"),
    [
        (None, "partial", False),
        ("partial", None, True),
        ("partial", "partial", True),
        ("partial", "full", False),
    ],
)
def test_rf_14_others_are_no_harder_to_hit(
    target: str | None, other: str | None, *, lawful: bool
) -> None:
    people = {"other": NEAR["other"] | ({"cover": other} if other else {})}
    cover = {"cover": target} if target else {}
    data = several(1, others=people, near=["other"], shooter=SURE, target=cover)
    found = options(data, "to allocate", dice=["6", "3", "1", "1", "1"])
    assert bool(found) == lawful


def test_rf_15_all_is_allocated_before_the_first_wound_roll() -> None:
    data = several(1, others=NEAR, near=["other"], shooter=SURE)
    events = firepower.read(data).roll(dice=["6", "3", "1", "1", "1"]).events
    labels = [event.label for event in events if hasattr(event, "label")]
    allocated = next(i for i, label in enumerate(labels) if "to allocate" in label)
    assert allocated < next(i for i, label in enumerate(labels) if "to wound" in label)


# -- Unwieldy ------------------------------------------------------------------------------------


def turn(*actions: str, gun: Data, **shooter: Any) -> Data:
    """One activation with these actions."""
    attack = {"at": ["target"]}
    do = [{"action": each, **(attack if each == "shoot" else {})} for each in actions]
    return scenario(gun, do=do, rounds=1, shooter=shooter)


HEAVY = weapon("Unwieldy")


@pytest.mark.parametrize("before", ["move", "aim"])
def test_uw_01_a_shot_takes_both_actions(before: str) -> None:
    """P-15."""
    assert odds_of(turn(before, "shoot", gun=HEAVY), "actions_lost") == {1: F(1)}
    assert odds_of(turn(before, "shoot", gun=weapon()), "actions_lost") == {0: F(1)}


def test_uw_01_suspensors_make_it_a_basic_action() -> None:
    assert odds_of(turn("move", "shoot", gun=HEAVY | {"suspensors": True}), "hits")[1] == F(1, 2)


def test_uw_02_nothing_else_fits_into_the_activation() -> None:
    assert odds_of(turn("shoot", "move", gun=HEAVY), "actions_lost") == {1: F(1)}
    assert odds_of(turn("shoot", "move", gun=weapon()), "actions_lost") == {0: F(1)}


# -- Blaze ---------------------------------------------------------------------------------------


def test_bl_01_who_was_hit_and_is_not_out_of_action_catches_fire_on_four() -> None:
    data = scenario(FLAMES, at=["target"])
    out = p(data, "target.out_of_action")
    assert p(data, "target.caught_fire") == (1 - out) / 2


def test_bl_02_there_is_one_roll_for_a_target_and_an_attack() -> None:
    gun = BURST | {"traits": ["Blaze", "Rapid Fire (1)"], "strength": "1"}
    data = scenario(gun, target={"toughness": 9, "save": 2})
    caught, hits = p(data, "target.caught_fire"), 1 - odds_of(data, "hits")[0]
    assert caught == (hits - p(data, "target.out_of_action")) / 2


def test_bl_03_no_wound_is_needed() -> None:
    data = scenario(FLAMES, at=["target"], target={"armour": "mesh", "save": 2})
    assert p(data, "target.caught_fire") > p(data, "target.unsaved")


def burning(friends: int = 0, rounds: int | None = None, **changes: Any) -> Data:
    """One activation of a burning fighter, or several."""
    fighter = FIRE | {"helpers": friends} | changes
    return scenario(do=[{"action": "burn"}], shooter=fighter, rounds=rounds)


@pytest.mark.parametrize("friends", range(6))
def test_bl_04_a_d6_and_one_for_each_friend_beside(friends: int) -> None:
    assert p(burning(friends), "shooter.fire_out") == F(1 + friends, 6)


@pytest.mark.parametrize(
    ("friend", "helps"),
    [
        ({}, True),
        ({"pinned": True}, False),
        ({"seriously_injured": True}, False),
        ({"out_of_action": True}, False),
        ({"side": "theirs"}, False),
    ],
)
def test_bl_04_only_friends_who_are_active_help(friend: Data, *, helps: bool) -> None:
    others = {"friend": {"side": "ours", "beside": ["shooter"]} | friend}
    data = scenario(do=[{"action": "burn"}], shooter=FIRE, others=others)
    assert p(data, "shooter.fire_out") == F(1 + helps, 6)


def test_bl_05_when_it_is_out_the_fighter_acts_as_normal() -> None:
    do = [{"action": "aim"}, {"action": "shoot", "at": ["target"]}]
    data = scenario(weapon(), do=do, rounds=1, shooter=FIRE | HARDY)
    assert odds_of(data, "actions_lost") == {0: F(1, 6), 2: F(5, 6)}


def test_bl_06_else_there_is_a_hit_of_strength_three() -> None:
    assert p(burning(), "shooter.wounds", 1) == F(5, 12)
    assert p(burning(save=4), "shooter.unsaved", 1) == F(5, 12) * F(2, 3)


def test_bl_07_who_stands_runs_two_dice_of_inches() -> None:
    there = {"position": [0, 0]}
    data = scenario(do=[{"action": "burn"}], shooter=FIRE | there, rounds=2)
    played = firepower.read(data).roll(dice=["1", "1", "3", "4", "3"], rounds=1)
    assert played.measures["shooter.activations_on_fire"] == 1
    after = firepower.read(data).going_on(played, 1)["combatants"]["shooter"]["position"]
    assert after == pytest.approx([0, 7])


@pytest.mark.parametrize("state", ["pinned", "seriously_injured"])
def test_bl_07_who_lies_does_not_run(state: str) -> None:
    data = scenario(do=[{"action": "burn"}], shooter=FIRE | {"position": [0, 0], state: True})
    data["rounds"] = 2
    played = firepower.read(data).roll(seed=1)
    assert not any("how far" in getattr(event, "label", "") for event in played.events)


def test_bl_07_a_run_stops_an_inch_from_an_enemy() -> None:
    """P-24: nine inches, an enemy at five: stopped an inch before its base."""
    people = {"target": {"side": "theirs", "position": [5, 0]}}
    data = scenario(do=[{"action": "burn"}], shooter=FIRE | {"position": [0, 0]}, rounds=2)
    data["combatants"] |= people
    played = firepower.read(data).roll(dice=["1", "1", "4", "5", "12"], rounds=1)
    after = firepower.read(data).going_on(played, 1)["combatants"]["shooter"]["position"]
    assert after == pytest.approx([5 - 1 - 25 / 25.4, 0], abs=1e-5)


def test_bl_08_after_a_failed_roll_the_activation_is_over() -> None:
    do = [{"action": "shoot", "at": ["target"]}]
    data = scenario(weapon(), do=do, rounds=1, shooter=FIRE | HARDY)
    assert p(data, "actions_lost", 1) == F(5, 6)


def test_bl_09_who_burns_does_nothing_else() -> None:
    assert refusal(scenario(weapon(), shooter=FIRE)).endswith("but shooter is on fire")
    do = [{"by": "target", "action": "aim"}, {"action": "shoot", "at": ["target"]}]
    assert odds_of(scenario(weapon(), shooter=FIRE, do=do), "shooter.hits") == {0: F(1)}


@pytest.mark.parametrize(("friends", "chance"), [(0, F(5, 6)), (1, F(1)), (2, F(1))])
def test_bl_10_bl_11_the_double_action_adds_four_to_that(friends: int, chance: Fraction) -> None:
    data = burning(friends) | {"policies": {"fire": "double"}}
    assert p(data, "shooter.fire_out") == chance


def test_bl_10_the_double_action_pins_and_takes_the_activation() -> None:
    """P-22."""
    do = [{"action": "shoot", "at": ["target"]}]
    shooter = FIRE | HARDY
    data = scenario(weapon(), do=do, rounds=1, shooter=shooter, policies={"fire": "double"})
    assert odds_of(data, "actions_lost") == {1: F(1)}
    question = firepower.read(data)
    after = question.going_on(question.roll(dice=["2"]))["combatants"]["shooter"]
    assert after["pinned"]
    assert "on_fire" not in after


def test_bl_10_it_is_the_players_choice() -> None:
    assert options(burning(), "how to put it out", seed=1) == ("normal roll", "double action")
    advice = firepower.read(burning()).best("shooter.fire_out")
    assert dict(advice.decisions[0].options) == {"normal roll": F(1, 6), "double action": F(5, 6)}


def test_bl_12_the_marker_stays_until_it_is_put_out() -> None:
    data = burning(rounds=3, **HARDY)
    assert p(data, "shooter.on_fire") == F(5, 6) ** 3


def test_a_31_who_burns_already_catches_no_second_fire() -> None:
    assert p(scenario(FLAMES, at=["target"]), "target.caught_fire") > 0
    assert p(scenario(FLAMES, at=["target"], target=FIRE), "target.caught_fire") == 0
