"""How somebody may stand when a question begins, and what is done with it."""

from typing import Any

import pytest

import firepower
from tests.systems.rate_of_fire.helpers import Data, fight, scenario

SHOT = {"action": "single-shot", "at": ["cultist"]}
BURST = {"action": "full-auto", "at": ["cultist"], "dice": 1}


def refused(data: Data) -> str:
    with pytest.raises(firepower.QuestionError) as wrong:
        firepower.read(data).odds()
    return str(wrong.value)


def in_turns(carried: Data | None = None, rulings: Data | None = None, **shooter: Any) -> Data:
    """A turn of two AP in which the scout reloads an autogun, for two AP, and shoots."""
    weapon = {"magazine": 30, "reload_ap": 2, "loaded": 9, "reliable": True} | (carried or {})
    return fight(
        {"action": "reload"}, SHOT, shooter={"ap": 2} | shooter, carried=weapon, rulings=rulings
    )


@pytest.mark.parametrize(
    ("shooter", "sentence"),
    [
        ({"aimed": 15}, "combatants.scout.aimed is 15, but each Aim gives +10"),
        ({"aimed": 30}, "combatants.scout.aimed is 30, but Aim gives +20 in all at most"),
        ({"ap_put_in": 1}, "combatants.scout.ap_put_in is 1, but nothing is 'begun'"),
        ({"begun": "aim"}, "begun is 'aim', no action that goes on over turns; there is "),
        (
            {"begun": "reload autogum"},
            "begun is 'reload autogum', no action that goes on over turns; "
            "did you mean reload autogun?",
        ),
        (
            {"begun": "reload autogun", "ap_put_in": 2},
            "ap_put_in is 2, but to reload autogun takes 2 AP: it is done",
        ),
        ({"begun": "full-auto 2 autogun", "ap_put_in": 1}, "begun is 'full-auto 2 autogun', no"),
    ],
)
def test_what_could_never_come_about_is_refused(shooter: Data, sentence: str) -> None:
    assert sentence in refused(in_turns(**shooter))


@pytest.mark.parametrize(
    ("shooter", "rulings"),
    [
        ({"aimed": 20}, {}),
        ({"aimed": 30}, {"aim_bonus": "without_end"}),
        ({"begun": "reload autogun", "ap_put_in": 1}, {}),
        ({"begun": "clear-jam autogun"}, {}),
        ({"begun": "full-auto 2 autogun", "ap_put_in": 1}, {"extended_action": "over_turns"}),
    ],
)
def test_what_could_is_not(shooter: Data, rulings: Data) -> None:
    assert firepower.read(in_turns(rulings=rulings, **shooter)).odds().measures


def test_only_one_ap_is_left_of_what_was_begun() -> None:
    """Reloading takes two AP; with one put in, the other of the turn is there for the shot."""
    measures = firepower.read(in_turns(begun="reload autogun", ap_put_in=1)).odds().measures
    assert measures["actions_lost"].mean == 0
    measures = firepower.read(in_turns()).odds().measures
    assert measures["lost_to_ap"].mean == 1


def test_what_takes_more_ap_than_its_dice_may_go_on() -> None:
    """Of three AP, which allow one die, two are put in."""
    long = {"extended_action": "over_turns", "dice_per_ap": "up_to"}
    line = BURST | {"ap": 3}
    begun = {"begun": "full-auto 1 autogun", "ap_put_in": 2}
    data = fight(line, shooter={"ap": 2} | begun, rulings=long)
    assert firepower.read(data).odds().measures["ap_spent"].mean == 1


# -- shots that count against the most of a turn ----------------------------------------------


@pytest.mark.parametrize(("fired", "lost"), [(0, 0), (10, 0), (11, 1), (15, 1)])
def test_what_was_fired_counts_although_ap_are_few(fired: int, lost: int) -> None:
    """An autogun fires fifteen shots a turn at most; a die of five is one AP."""
    data = fight(BURST, shooter={"ap": 3}, carried={"fired": fired})
    measures = firepower.read(data).odds().measures
    assert measures["actions_lost"].mean == lost
    assert (measures["rounds_spent"].mean > 0) == (not lost)


def test_what_may_fire_no_more_is_no_option() -> None:
    open_turn = fight({"at": ["cultist"]}, shooter={"ap": 3}, carried={"fired": 15})
    advice = firepower.read(open_turn).best("hits", turns=1)
    options = {name for decision in advice.decisions for name, _ in decision.options}
    assert not any("full-auto" in option for option in options)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (fight(BURST, carried={"fired": 16}), "fired is 16, but 15 count at most in a turn"),
        (scenario("full-auto", dice=1, carried={"fired": 5}), "but without 'rounds' are no turns"),
    ],
)
def test_wrong_numbers_of_shots(data: Data, sentence: str) -> None:
    assert sentence in refused(data)


# -- what is open, decided, or said -------------------------------------------------------------


def test_a_last_choice_needs_no_face() -> None:
    """A miss may be rolled again with Fate, which the policy does not want; no die is left."""
    data = scenario("single-shot", shooter={"fate": 20})
    played = firepower.read(data).roll(dice=["85"])
    assert played.options == ("no",)
    assert played.measures["hits"] == 0


def test_a_weapon_that_is_jammed_leaves_the_others() -> None:
    guns = {"autogun": {"loaded": 4, "jammed": True}, "training-rifle": {"loaded": 6}}
    data = scenario(shooter={"ap": 2, "weapons": guns})
    advice = firepower.read(data).best("hits")
    options = [name for name, _ in advice.decisions[0].options]
    assert options
    assert all("training-rifle" in option for option in options)


def test_dice_bought_one_by_one_are_not_said_to_be_left_out() -> None:
    data = scenario("full-auto", ap=3, rulings={"dice_bought": "one_by_one"})
    terms = firepower.read(data).terms()
    assert not any("rate-of-fire dice" in each for each in terms.not_modelled)


def test_who_fell_has_no_new_fate() -> None:
    """A new character's points are rolled once; who falls has no use for those that are left."""
    target = {"distance": 40, "toughness": 10, "fate": "rolled"}
    deadly = {"damage": "d10+40 [I]", "reliable": True}
    data = scenario("single-shot", skill=40, carried=deadly, people={"cultist": target})
    question = firepower.read(data)
    for seed in range(20):
        outcome = question.roll(seed=seed)
        after = question.going_on(outcome)["combatants"]["cultist"]
        assert ("out_of_action" in after) != isinstance(after.get("fate"), int)
        assert after.get("fate") != "rolled"
    assert {question.roll(seed=seed).measures["cultist.out_of_action"] for seed in range(20)} == {
        False,
        True,
    }
