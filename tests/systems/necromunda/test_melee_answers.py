"""Close combat: reaction attacks, who is engaged, charges, what follows a fight."""

from fractions import Fraction

import pytest

import firepower
from tests.systems.necromunda.melee_helpers import (
    IDLE,
    LASTING,
    TARGET,
    Data,
    binomial,
    chance_of,
    dice_of,
    hit_chances,
    mean_hits,
    odds,
    parts,
    pistol,
    refusal,
    scenario,
    weapon,
)

HALF, THIRD, SIXTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)


# -- reaction attacks ------------------------------------------------------------------------------


def test_who_still_stands_engaged_attacks_back_ready_or_not() -> None:
    data = scenario({"attacks": 0, "wounds": 20}, {"b": {"attacks": 2, "ready": False}})
    assert hit_chances(data, "a") == binomial(2, HALF)


def test_every_enemy_engaged_with_the_attacker_reacts() -> None:
    others = {"b": {"attacks": 1}, "c": {"attacks": 1, "engaged": ["a"]}}
    sides = {name: each | {"side": "two"} for name, each in others.items()}
    data = scenario({"attacks": 0, "wounds": 20}, sides)
    # each has the other's assist
    assert hit_chances(data, "a") == binomial(2, Fraction(2, 3))


@pytest.mark.parametrize("state", ["on_fire", "webbed", "seriously_injured", "pinned"])
def test_no_reaction_of_who_burns_or_lies(state: str) -> None:
    others = {"b": LASTING, "c": {"attacks": 3, state: True}}
    data = scenario(LASTING | {"engaged": ["c"]}, others)
    data["combatants"]["b"] = LASTING | {"attacks": 0}
    assert hit_chances(data, "a") == {0: 1}


def test_a_blind_reaction_hits_with_a_natural_6_alone() -> None:
    data = scenario({"attacks": 0, "wounds": 20}, {"b": {"attacks": 1, "blind": True}})
    assert hit_chances(data, "a")[1] == SIXTH
    better = scenario(
        {"attacks": 0, "wounds": 20, "modifiers": {"big": 2}}, {"b": {"attacks": 1, "blind": True}}
    )
    assert hit_chances(better, "a")[1] == SIXTH


def test_a_broken_reaction_is_minus_2() -> None:
    data = scenario({"attacks": 0, "wounds": 20}, {"b": {"broken": True}})
    assert parts(data, "b") == {"Broken": -2}


def test_counter_attack_adds_a_die_for_each_miss() -> None:
    body = LASTING | {"attacks": 0, "skills": ["Counter-Attack"]}
    data = scenario(LASTING | {"attacks": 2}, {"b": body})
    # misses that hit: each die misses with 1/2, and the answer hits with 1/2
    assert hit_chances(data, "a") == binomial(2, Fraction(1, 4))


@pytest.mark.parametrize(("reading", "dice"), [("at_this_fighter", 1), ("all_misses", 2)])
def test_counter_attack_counts_misses_at_its_owner_or_all(reading: str, dice: int) -> None:
    skilled = LASTING | {"attacks": 0, "side": "two", "skills": ["Counter-Attack", "Combat Master"]}
    other = LASTING | {"attacks": 0, "side": "two"}
    me = LASTING | {"attacks": 2, "weapon_skill": 6, "skills": ["Combat Master"]}
    rulings = {"counter_attack": reading}
    data = scenario(me, {"b": skilled, "c": other}, at=["b", "c"], rulings=rulings)
    data["do"][0]["modifiers"] = {"fog": -1}
    # one die at each, none can hit; the answer has an assist
    assert odds(data, "a.hit", ["1"]).mean == dice * Fraction(2, 3)


def test_reactions_use_the_best_lawful_pair() -> None:
    def dice(*carried: Data, **more: object) -> int:
        weapons = {f"w{i}": each for i, each in enumerate(carried)}
        body = {"attacks": 1, "weapons": weapons, **more}
        return dice_of(scenario({"attacks": 0, "wounds": 20}, {"b": body}), "a")

    assert dice() == 1
    assert dice(weapon()) == 1
    assert dice(weapon(), weapon(), pistol()) == 2
    assert dice(pistol(), weapon()) == 2
    assert dice(weapon("Unwieldy"), weapon()) == 1
    assert dice(weapon(), weapon("Unwieldy"), pistol()) == 2
    assert dice(weapon(), weapon(), fights_with=["w0"]) == 1
    assert dice(weapon(), weapon(), fights_with=[]) == 1


def test_reaction_attacks_are_not_answered() -> None:
    me = {"attacks": 1, "wounds": 20}
    data = scenario(me, {"b": LASTING | {"attacks": 3}})
    assert dice_of(data) == 1


# -- who is engaged --------------------------------------------------------------------------------


def test_without_turns_a_fight_means_that_they_are_engaged() -> None:
    assert dice_of(scenario({"attacks": 2}, TARGET)) == 2


def test_in_rounds_engagement_is_stated_by_one_of_the_two() -> None:
    data = scenario({"attacks": 2}, TARGET) | {"rounds": 1}
    assert "cannot be engaged" in refusal(data)
    data["combatants"]["b"]["engaged"] = ["a"]
    assert dice_of(data) == 2


def test_who_falls_is_engaged_with_nobody() -> None:
    killer = {"attacks": 1, "weapon_skill": 2, "strength": 6, "side": "one"}
    data = scenario(killer, {"b": {"attacks": 0}, "c": {"attacks": 0, "side": "one"}})
    data["combatants"]["c"]["engaged"] = ["b"]
    data["do"].append({"by": "c", "action": "fight", "at": ["b"]})
    assert mean_hits(data) < Fraction(5, 6) + 1


def test_versatile_fights_over_a_distance_and_who_cannot_reach_does_not_react() -> None:
    whip = weapon("Versatile", range="E/3", accuracy="-1/-")
    me = {"attacks": 1, "wounds": 20, "weapons": {"whip": whip}}
    data = scenario(me, {"b": LASTING | {"distance": 2, "attacks": 1}})
    assert hit_chances(data)[1] == HALF
    assert hit_chances(data, "a") == {0: 1}
    data["combatants"]["b"]["weapons"] = {"pike": weapon("Versatile", range="E/2")}
    assert hit_chances(data, "a")[1] == HALF
    data["combatants"]["b"]["distance"] = 4
    assert "cannot be engaged" in refusal(data)


# -- charges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("distance", "chance"), [(5, "1"), (5.5, "1"), (6.5, "2/3"), (8, "1/3"), (8.5, "0")]
)
def test_a_charge_reaches_movement_and_d3(distance: float, chance: str) -> None:
    me = {"movement": 5, "weapon_skill": 2, "attacks": 0}
    data = scenario(me, {"b": LASTING | IDLE | {"distance": distance}}, "charge")
    assert mean_hits(data) == Fraction(chance) * Fraction(5, 6)


@pytest.mark.parametrize(("distance", "arrives"), [(4, 1), (4.5, 0), (5, 0)])
def test_who_is_gunked_charges_an_inch_less_and_without_d3(distance: float, arrives: int) -> None:
    me = {"movement": 5, "weapon_skill": 2, "attacks": 0, "gunked": True}
    data = scenario(me, {"b": LASTING | IDLE | {"distance": distance}}, "charge")
    assert mean_hits(data) == arrives * Fraction(5, 6)


def test_a_charge_without_a_distance_is_near_enough_and_says_so() -> None:
    data = scenario({}, TARGET, "charge")
    notes = firepower.read(data).terms().not_modelled
    assert any("taken to be near enough" in note for note in notes)


def test_who_is_charged_while_pinned_stands_up_and_counts_as_having_turned() -> None:
    data = scenario(LASTING, {"b": LASTING | {"pinned": True}}, "charge")
    assert parts(data, "b") == {"turned": -1}
    after = scenario(LASTING, {"b": LASTING | {"pinned": True, "attacks": 2}}, "charge")
    assert hit_chances(after, "a") == binomial(2, THIRD)


def test_after_a_charge_both_are_engaged() -> None:
    data = scenario(LASTING | {"attacks": 0}, {"b": LASTING | {"attacks": 1}}, "charge")
    data["do"].append({"by": "b", "action": "fight", "at": ["a"]})
    assert odds(data, "a.hit").mean == 2 * HALF


def test_who_is_engaged_does_not_charge() -> None:
    data = scenario({"attacks": 2, "engaged": ["b"]}, TARGET, "charge")
    assert "but a is standing and engaged" in refusal(data)
    assert hit_chances(data | {"rounds": 1}) == {0: 1}


def test_a_charger_at_somebody_down_may_give_a_coup_de_grace_instead() -> None:
    data = scenario({}, {"b": {"seriously_injured": True}}, "charge")
    assert chance_of(data, "b.out_of_action") == 1
    assert chance_of(data, "b.out_of_action", ["no"]) == 0


# -- what follows ----------------------------------------------------------------------------------


def test_when_all_enemies_fell_a_coup_de_grace_is_a_choice() -> None:
    me = {"attacks": 1, "weapon_skill": 2, "strength": 6}
    data = scenario(me, {"b": IDLE})
    down = chance_of(data, "b.seriously_injured")
    out = chance_of(data, "b.out_of_action")
    assert down > 0
    finished = data | {"policies": {"follow_up": "coup_de_grace"}}
    assert chance_of(finished, "b.out_of_action") == out + down
    assert firepower.read(data).best("b.out_of_action").value == out + down


def test_no_coup_de_grace_while_another_enemy_is_engaged() -> None:
    me = {"attacks": 1, "weapon_skill": 2, "strength": 6}
    others = {"b": IDLE, "c": LASTING | IDLE | {"engaged": ["a"]}}
    data = scenario(me, others)
    finished = data | {"policies": {"follow_up": "coup_de_grace"}}
    assert odds(finished, "b.out_of_action") == odds(data, "b.out_of_action")


def test_coup_de_grace_as_an_action() -> None:
    body = {"seriously_injured": True}
    data = scenario({}, {"b": body}, "coup-de-grace")
    assert chance_of(data, "b.out_of_action") == 1
    assert "does not lie Seriously Injured" in refusal(scenario({}, {"b": {}}, "coup-de-grace"))
    held = scenario({}, {"b": body, "c": {"engaged": ["a"]}}, "coup-de-grace")
    assert "but a is standing and engaged" in refusal(held)
    in_turn = held | {"rounds": 1}
    assert chance_of(in_turn, "actions_lost") == 1
    far = scenario({}, {"b": body | {"distance": 3}}, "coup-de-grace")
    assert "it is given within 1" in refusal(far)


@pytest.mark.parametrize(("reading", "share"), [("always", "1"), ("if_leaving", "2/3")])
def test_retreat_tests_initiative_and_so_do_enemies_to_attack(reading: str, share: str) -> None:
    me = {"engaged": ["b"], "initiative": 3, "wounds": 20}
    body = {"b": {"attacks": 1, "initiative": 5}}
    data = scenario(me, body, "retreat", rulings={"retreat_reactions": reading})
    assert hit_chances(data, "a")[1] == Fraction(share) * THIRD * HALF


def test_who_retreated_is_not_engaged_any_more() -> None:
    me = {"engaged": ["b"], "initiative": 3, "wounds": 20}
    data = scenario(me, {"b": LASTING | IDLE}, "retreat")
    data["do"].append({"by": "a", "action": "fight", "at": ["b"]})
    data["combatants"]["a"] |= {"attacks": 1, "weapon_skill": 4}
    # without turns the fight comes to nothing for who has left
    assert mean_hits(data) == THIRD * HALF
