"""Close combat: what hits do, Sidearms and their ammo, parries."""

from fractions import Fraction

import pytest

import firepower
from tests.systems.necromunda.melee_helpers import (
    IDLE,
    LASTING,
    TARGET,
    Data,
    chance_of,
    dice_of,
    hit_chances,
    mean_hits,
    odds,
    pistol,
    refusal,
    scenario,
    weapon,
)

HALF, THIRD, SIXTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)


# -- what a natural 6 does -------------------------------------------------------------------------


def test_power_with_a_6_spares_no_armour_and_hurts_more() -> None:
    me = {"weapon_skill": 6, "attacks": 1, "strength": 6, "weapons": {"fist": weapon("Power")}}
    body = LASTING | IDLE | {"save": 2}
    assert odds(scenario(me, {"b": body}), "b.wounds_lost").p(2) == SIXTH * Fraction(5, 6)


@pytest.mark.parametrize(("reading", "share"), [("spares_fields", "1/2"), ("no_save", "1")])
def test_power_with_a_6_spares_fields_or_not(reading: str, share: str) -> None:
    me = {"weapon_skill": 6, "attacks": 1, "strength": 6, "weapons": {"fist": weapon("Power")}}
    body = LASTING | IDLE | {"field": "displacer"}
    data = scenario(me, {"b": body}, rulings={"power": reading})
    assert odds(data, "b.unsaved").mean == SIXTH * Fraction(5, 6) * Fraction(share)


def test_shock_with_a_6_wounds_and_may_be_saved() -> None:
    me = {"weapon_skill": 6, "attacks": 1, "strength": 1, "weapons": {"baton": weapon("Shock")}}
    data = scenario(me, {"b": LASTING | IDLE | {"save": 4}})
    assert odds(data, "b.wounds").mean == SIXTH
    assert odds(data, "b.unsaved").mean == SIXTH * HALF


def test_entangle_with_a_6_makes_the_answer_harder() -> None:
    me = {"weapon_skill": 2, "attacks": 1, "wounds": 20, "weapons": {"whip": weapon("Entangle")}}
    data = scenario(me, {"b": LASTING | {"attacks": 1, "weapon_skill": 4}})
    assert hit_chances(data, "a")[1] == Fraction(5, 6) * HALF + SIXTH * SIXTH


@pytest.mark.parametrize("reading", ["round", "combat"])
def test_disarm_with_a_6_makes_the_answer_unarmed(reading: str) -> None:
    me = {"weapon_skill": 2, "attacks": 1, "wounds": 20, "weapons": {"axe": weapon("Disarm")}}
    armed = {"attacks": 1, "weapons": {"hammer": weapon(strength="6"), "knife": weapon()}}
    data = scenario(me, {"b": LASTING | armed}, rulings={"disarm": reading})
    hits = hit_chances(data, "a")
    assert hits[2] == Fraction(5, 6) * Fraction(1, 4)
    assert hits[1] == Fraction(5, 6) * HALF + SIXTH * HALF


@pytest.mark.parametrize(("reading", "unarmed"), [("round", True), ("combat", False)])
def test_disarm_lasts_for_the_round_or_the_combat(reading: str, unarmed: bool) -> None:
    axe = {"weapon_skill": 2, "attacks": 1, "wounds": 20, "weapons": {"axe": weapon("Disarm")}}
    armed = {"attacks": 1, "weapons": {"sword": weapon(), "knife": weapon()}}
    armed["skills"] = ["Combat Master"]
    data = scenario(axe, {"b": LASTING | armed, "c": LASTING | {"attacks": 0}})
    data["rulings"]["disarm"] = reading
    data["do"] = [data["do"][0], {"by": "c", "action": "fight", "at": ["b"]}]
    data["combatants"]["a"]["side"] = data["combatants"]["c"]["side"] = "one"
    once = Fraction(1, 4)
    expected = (Fraction(5, 6) if unarmed else 1) * once
    assert hit_chances(data, "c")[2] == expected


def test_a_6_to_wound_rends() -> None:
    me = {"weapon_skill": 2, "attacks": 1, "strength": 3, "weapons": {"saw": weapon("Rending")}}
    lost = odds(scenario(me, TARGET), "b.wounds_lost")
    assert lost.p(2) == Fraction(5, 6) * SIXTH
    assert lost.p(1) == Fraction(5, 6) * THIRD


@pytest.mark.parametrize("blocked", [True, False])
def test_knockback_without_room_hurts_more(blocked: bool) -> None:
    me = {"weapon_skill": 2, "attacks": 1, "strength": 6, "weapons": {"maul": weapon("Knockback")}}
    body = LASTING | IDLE | {"strength": 4, "blocked_behind": blocked}
    lost = odds(scenario(me, {"b": body}), "b.wounds_lost")
    assert lost.p(2) == (HALF * Fraction(5, 6) if blocked else 0)


@pytest.mark.parametrize(("reading", "faces"), [("natural", 3), ("modified", 4)])
def test_knockback_compares_the_die_or_the_total(reading: str, faces: int) -> None:
    me = {"weapon_skill": 3, "attacks": 1, "strength": 6, "weapons": {"maul": weapon("Knockback")}}
    body = LASTING | IDLE | {"strength": 4, "blocked_behind": True}
    rulings = {"knockback_roll": reading}
    data = scenario(me, {"b": body}, rulings=rulings, modifiers={"ground": 1})
    assert odds(data, "b.wounds_lost").p(2) == Fraction(faces, 6) * Fraction(5, 6)


def test_fear_in_close_combat_breaks_in_place_of_injuries() -> None:
    me = {"attacks": 1, "weapon_skill": 2, "strength": 6, "weapons": {"idol": weapon("Fear")}}
    data = scenario(me, {"b": IDLE | {"cool": 7, "near": ["c"]}, "c": {}})
    assert odds(data, "b.out_of_action").mean == 0
    assert odds(data, "b.wounds_lost").mean == Fraction(5, 6) ** 2


# -- Strength and Damage ---------------------------------------------------------------------------


def wounds_at(strength: int) -> Fraction:
    """The mean wounds of one die at 4+ against T3."""
    need = {1: 6, 2: 5, 3: 4, 4: 3, 5: 3, 6: 2}[strength]
    return HALF * Fraction(7 - need, 6)


@pytest.mark.parametrize("behind", [True, False])
def test_backstab_is_stronger_from_behind(behind: bool) -> None:
    me = {"attacks": 1, "strength": 3, "weapons": {"knife": weapon("Backstab")}}
    data = scenario(me, TARGET, from_behind=behind)
    assert odds(data, "b.wounds").mean == wounds_at(4 if behind else 3)


@pytest.mark.parametrize(("mounted", "charges"), [(True, True), (True, False), (False, True)])
def test_lance_is_stronger_mounted_on_a_charge(mounted: bool, charges: bool) -> None:
    me = {"attacks": 1, "strength": 3, "mounted": mounted, "weapons": {"lance": weapon("Lance")}}
    data = scenario(me, TARGET, "charge" if charges else "fight")
    dice = 2 if charges else 1
    assert odds(data, "b.wounds").mean == dice * wounds_at(4 if mounted and charges else 3)


def test_bull_charge_is_stronger_and_knocks_back() -> None:
    me = {"attacks": 1, "strength": 5, "weapon_skill": 2, "skills": ["Bull Charge"]}
    body = LASTING | IDLE | {"strength": 3, "toughness": 3, "blocked_behind": True}
    data = scenario(me, {"b": body}, "charge")
    (wounds, lost) = (odds(data, "b.wounds").mean, odds(data, "b.wounds_lost").mean)
    assert wounds == 2 * Fraction(5, 6) * Fraction(5, 6)
    assert lost == 2 * Fraction(5, 6) * (Fraction(1, 6) + 2 * Fraction(4, 6))
    assert odds(scenario(me, {"b": body}), "b.wounds").mean == Fraction(5, 6) * Fraction(4, 6)


def test_bull_charge_is_no_matter_of_sidearms() -> None:
    me = {"attacks": 0, "skills": ["Bull Charge"], "weapons": {"pistol": pistol(strength="3")}}
    data = scenario(me, TARGET, "charge")
    assert odds(data, "b.wounds").mean == wounds_at(3)


def test_crushing_blow_is_one_die_with_more_strength_and_damage() -> None:
    me = {"attacks": 2, "strength": 3, "skills": ["Crushing Blow"]}
    lost = odds(scenario(me, TARGET), "b.wounds_lost").mean
    assert lost == 2 * wounds_at(4) + wounds_at(3)
    assert odds(scenario(me, TARGET), "b.wounds_lost", ["none"]).mean == 2 * wounds_at(3)


def test_hexagrammatic_doubles_damage_against_psykers() -> None:
    me = {"attacks": 1, "strength": 3, "weapons": {"blade": weapon("Hexagrammatic", damage="2")}}
    for psyker, damage in ((True, 4), (False, 2)):
        data = scenario(me, {"b": LASTING | IDLE | {"psyker": psyker}})
        assert odds(data, "b.wounds_lost").p(damage) == wounds_at(3)


def test_iron_jaw_is_tougher_against_ap_0() -> None:
    body = LASTING | IDLE | {"skills": ["Iron Jaw"]}
    assert odds(scenario({"attacks": 1}, {"b": body}), "b.wounds").mean == HALF * THIRD
    me = {"attacks": 1, "weapons": {"sword": weapon(ap=-1)}}
    assert odds(scenario(me, {"b": body}), "b.wounds").mean == HALF * HALF


def test_a_shield_saves_better_in_close_combat() -> None:
    shield = weapon("Energy Shield")
    body = LASTING | {"save": 5, "on_fire": True, "weapons": {"shield": shield}}
    assert odds(scenario({"attacks": 1}, {"b": body}), "b.unsaved").mean == HALF * HALF * THIRD
    behind = body | {"front": False}
    data = scenario({"attacks": 1}, {"b": behind})
    assert odds(data, "b.unsaved").mean == HALF * HALF * Fraction(2, 3)


def test_master_crafted_rolls_one_miss_again_once_in_the_battle() -> None:
    me = {"attacks": 1, "weapons": {"blade": weapon("Master-crafted")}}
    data = scenario(me, TARGET)
    assert mean_hits(data) == Fraction(3, 4)
    data["do"] *= 2
    assert mean_hits(data) == Fraction(3, 4) + HALF + HALF * Fraction(1, 4)


# -- Sidearms and their ammo -----------------------------------------------------------------------


def test_a_sidearm_rolls_a_firepower_die_for_ammo_alone() -> None:
    me = {"attacks": 0, "weapons": {"gun": pistol("Rapid Fire (2)", ammo=4)}}
    data = scenario(me, TARGET, weapons=["gun"], action="charge")
    assert hit_chances(data) == {0: HALF, 1: HALF}
    assert chance_of(data, "out_of_ammo") == SIXTH * HALF


def test_bullet_holes_may_be_read_as_hits() -> None:
    me = {"attacks": 0, "weapons": {"gun": pistol("Rapid Fire (1)", ammo=4)}}
    data = scenario(me, TARGET, "charge", rulings={"sidearm_rapid_fire": "holes"})
    assert hit_chances(data) == {
        0: HALF,
        1: HALF * HALF,
        2: HALF * THIRD,
        3: HALF * SIXTH,
    }


def test_a_sidearm_out_of_ammo_is_not_fought_with() -> None:
    me = {"attacks": 1, "weapons": {"sword": weapon(), "gun": pistol(out_of_ammo=True)}}
    assert dice_of(scenario(me, TARGET, weapons=["sword", "gun"])) == 1
    back = scenario(LASTING, {"b": LASTING | me})
    assert dice_of(back, "a") == 1


# -- parries and Step Aside ------------------------------------------------------------------------


def parried(mine: Data, *theirs: Data, **more: object) -> Data:
    """Two dice at 4+ at somebody with these weapons."""
    me = {"attacks": 2, "weapons": {"mine": mine}}
    carried = {f"parry {i}": each for i, each in enumerate(theirs)}
    return scenario(me, {"b": LASTING | IDLE | {"weapons": carried}}, **more)


PLAIN, ONE, TWO = Fraction(1), Fraction(1) - Fraction(3, 8), Fraction(1, 2)
"""Mean hits of two dice at 4+: without a parry, with one, with two."""


def test_a_parry_has_one_success_rolled_again_and_two_weapons_two() -> None:
    assert mean_hits(parried(weapon(), weapon("Parry"))) == ONE
    assert mean_hits(parried(weapon(), weapon("Parry"), weapon("Parry"))) == TWO
    assert mean_hits(parried(weapon(), weapon())) == PLAIN


def test_power_is_parried_by_power_alone() -> None:
    assert mean_hits(parried(weapon("Power"), weapon("Parry"))) == PLAIN
    assert mean_hits(parried(weapon("Power"), weapon("Parry", "Power"))) == ONE
    both = parried(weapon("Power"), weapon("Parry", "Power"), weapon("Parry"))
    assert mean_hits(both) == ONE
    assert mean_hits(parried(weapon(), weapon("Parry", "Power"))) == ONE


def test_entangle_is_never_parried() -> None:
    assert mean_hits(parried(weapon("Entangle"), weapon("Parry", "Power"))) == PLAIN


def test_the_policy_may_be_never_to_parry() -> None:
    data = parried(weapon(), weapon("Parry"), policies={"parry": "never"})
    assert mean_hits(data) == PLAIN
    found = firepower.read(data).best("-b.hit", against=False)
    assert found.value is not None


def test_who_is_prone_is_not_fought_and_so_does_not_parry() -> None:
    data = parried(weapon(), weapon("Parry"))
    data["combatants"]["b"]["pinned"] = True
    assert "who lies: only who stands is engaged" in refusal(data)


def test_the_attacker_parries_reaction_attacks() -> None:
    me = LASTING | {"attacks": 0, "weapons": {"sword": weapon("Parry")}}
    assert mean_hits(scenario(me, {"b": LASTING | {"attacks": 2}}), "a") == ONE


def test_step_aside_makes_one_hit_a_miss_with_an_initiative_test() -> None:
    body = LASTING | IDLE | {"skills": ["Step Aside"], "initiative": 3}
    data = scenario({"attacks": 2}, {"b": body})
    assert mean_hits(data) == 1 - Fraction(3, 4) * Fraction(2, 3)


def test_best_parry_against_the_attacker() -> None:
    data = scenario(
        {"attacks": 2, "weapons": {"mine": weapon()}},
        {"b": LASTING | IDLE | {"weapons": {"sword": weapon("Parry")}}},
        policies={"parry": "never"},
    )
    assert mean_hits(data) == PLAIN
    assert firepower.read(data).best("b.hit", against=True).value == ONE
