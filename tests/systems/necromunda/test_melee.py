"""Close combat, sentence by sentence: attack dice, rolls to hit, parries, and what answers them."""

from fractions import Fraction
from math import comb

import pytest

import firepower
from tests.systems.necromunda.melee_helpers import (
    IDLE,
    LASTING,
    Data,
    chance_of,
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
TARGET = {"b": LASTING | IDLE}


def binomial(count: int, chance: Fraction) -> dict[int, Fraction]:
    """How many of so many dice succeed."""
    return {n: comb(count, n) * chance**n * (1 - chance) ** (count - n) for n in range(count + 1)}


def dice_of(data: Data, who: str = "b") -> int:
    """How many attack dice there are: the most hits, at a need that can be met."""
    return max(hit_chances(data, who))


# -- the cases -------------------------------------------------------------------------------------


def test_case_pw() -> None:
    power = weapon("Power", strength="4", ap=-2)
    me = {"weapon_skill": 3, "attacks": 1, "weapons": {"sword": power}}
    data = scenario(me, {"b": {"save": 4}})
    assert chance_of(data, "b.out_of_action") == Fraction(13, 162)
    assert odds(data, "b.unsaved").mean == Fraction(5, 18) + Fraction(1, 9)


def test_case_cc1() -> None:
    me = {
        "weapon_skill": 3,
        "attacks": 2,
        "strength": 4,
        "weapons": {"sword": weapon(), "axe": weapon()},
    }
    data = scenario(me, TARGET, "charge", weapons=["sword", "axe"])
    assert dice_of(data) == 4
    wounds = odds(data, "b.wounds")
    assert wounds.at_least(1) == Fraction(5936, 6561)
    assert wounds.mean == Fraction(16, 9)
    assert dict(wounds) == binomial(4, Fraction(4, 9))


def test_case_cc2() -> None:
    me = {"weapon_skill": 4, "attacks": 3}
    data = scenario(me, {"b": LASTING | IDLE | {"weapons": {"sword": weapon("Parry")}}})
    expected = {0: "5/16", 1: "3/8", 2: "1/4", 3: "1/16"}
    assert hit_chances(data) == {n: Fraction(p) for n, p in expected.items()}
    assert odds(data, "hits").mean == Fraction(17, 16)


@pytest.mark.parametrize(("traits", "expected"), [(["Shock"], "5/18"), ([], "1/6")])
def test_case_sh(traits: list[str], expected: str) -> None:
    me = {"weapon_skill": 4, "attacks": 1, "weapons": {"baton": weapon(*traits, strength="3")}}
    data = scenario(me, {"b": LASTING | IDLE | {"toughness": 4}})
    assert odds(data, "b.unsaved").mean == Fraction(expected)


def test_case_p_16_an_unwieldy_weapon_and_a_knife() -> None:
    carried = {"axe": weapon("Unwieldy"), "knife": weapon()}
    me = {"attacks": 2, "weapons": carried}
    sentence = refusal(scenario(me, weapons=["axe", "knife"]))
    assert "is 'axe', which is Unwieldy: no second weapon goes with it" in sentence
    assert "do[0].weapons[0]" in sentence.replace(" ", "") or "weapons" in sentence
    assert dice_of(scenario(me, TARGET, weapons=["axe"])) == 2


def test_case_p_23_a_burning_fighter_does_not_react() -> None:
    data = scenario({}, {"b": LASTING | {"on_fire": True}}, "charge")
    assert hit_chances(data, "a") == {0: 1}


# -- attack dice -----------------------------------------------------------------------------------


def test_dice_are_the_attacks() -> None:
    assert dice_of(scenario({"attacks": 3}, TARGET)) == 3


@pytest.mark.parametrize("second", [weapon(), pistol()])
def test_two_weapons_add_a_die(second: Data) -> None:
    me = {"attacks": 2, "weapons": {"sword": weapon(), "other": second}}
    assert dice_of(scenario(me, TARGET, weapons=["sword", "other"])) == 3
    assert dice_of(scenario(me, TARGET, weapons=["sword"])) == 2


def test_paired_counts_as_two_weapons() -> None:
    me = {"attacks": 2, "weapons": {"claws": weapon("Paired")}}
    assert dice_of(scenario(me, TARGET)) == 3
    me["weapons"] = {"claws": weapon("Paired"), "knife": weapon()}
    assert dice_of(scenario(me, TARGET, weapons=["claws", "knife"])) == 3


def test_paired_doubles_attacks_on_a_charge() -> None:
    me = {"attacks": 2, "weapons": {"claws": weapon("Paired")}}
    assert dice_of(scenario(me, TARGET, "charge")) == 2 * 2 + 1 + 1


def test_paired_gives_nothing_to_who_is_mounted() -> None:
    me = {"attacks": 2, "mounted": True, "weapons": {"claws": weapon("Paired")}}
    assert dice_of(scenario(me, TARGET)) == 2
    assert dice_of(scenario(me, TARGET, "charge")) == 3


def test_charging_adds_a_die_and_berserker_another() -> None:
    assert dice_of(scenario({"attacks": 2}, TARGET, "charge")) == 3
    assert dice_of(scenario({"attacks": 2, "skills": ["Berserker"]}, TARGET, "charge")) == 4
    assert dice_of(scenario({"attacks": 2, "skills": ["Berserker"]}, TARGET)) == 2


@pytest.mark.parametrize("trait", ["Digi", "Power Pack"])
def test_digi_and_power_pack_add_an_attack(trait: str) -> None:
    ring = weapon(trait, strength="6")
    me = {"attacks": 1, "strength": 3, "weapons": {"sword": weapon(), "ring": ring}}
    data = scenario(me, TARGET, weapons=["sword"])
    assert dice_of(data) == 2
    assert odds(data, "b.wounds").mean == HALF * HALF + HALF * Fraction(5, 6)
    pooled = scenario(me, TARGET, weapons=["sword"], rulings={"extra_attacks": "pool"})
    assert dice_of(pooled) == 2
    assert odds(pooled, "b.wounds").mean == 2 * HALF * HALF


def test_additional_attacks_are_made_with_that_weapon() -> None:
    tail = weapon("Additional Attacks (2)", strength="6")
    data = scenario({"attacks": 1, "weapons": {"tail": tail}}, TARGET)
    assert dice_of(data) == 3
    assert odds(data, "b.wounds").mean == HALF * HALF + 2 * HALF * Fraction(5, 6)
    back = scenario(LASTING, {"b": {"wounds": 20, "weapons": {"tail": tail}}})
    assert dice_of(back, "a") == 3


def test_a_sidearm_takes_exactly_one_die() -> None:
    me = {"attacks": 3, "strength": 3, "weapons": {"sword": weapon(), "pistol": pistol()}}
    data = scenario(me, TARGET, weapons=["sword", "pistol"])
    assert odds(data, "b.wounds").mean == 3 * HALF * HALF + HALF * Fraction(2, 3)


def test_a_second_sidearm_takes_one_more_and_the_rest_is_unarmed() -> None:
    strong = pistol(strength="6")
    me = {"attacks": 3, "strength": 3, "weapons": {"one": strong, "two": strong}}
    data = scenario(me, TARGET, weapons=["one", "two"])
    assert dice_of(data) == 4
    assert odds(data, "b.wounds").mean == 2 * HALF * Fraction(5, 6) + 2 * HALF * HALF


def test_a_sidearm_in_2017_may_make_all_attacks() -> None:
    me = {"attacks": 3, "weapons": {"pistol": pistol(strength="6")}}
    data = scenario(me, TARGET, weapons=["pistol"])
    mean = odds(data, "b.wounds").mean
    assert mean == HALF * Fraction(5, 6) + 2 * HALF * HALF
    old = odds(data | {"edition": "2017"}, "b.wounds").mean
    assert old == 3 * HALF * Fraction(5, 6)


def test_unarmed_is_the_fighters_strength_without_ap_and_damage_1() -> None:
    data = scenario({"attacks": 1, "strength": 4}, {"b": LASTING | IDLE | {"save": 5}})
    assert odds(data, "b.wounds_lost").mean == HALF * Fraction(2, 3) * Fraction(2, 3)


def test_two_weapons_share_the_dice_evenly_and_the_odd_one_is_a_choice() -> None:
    weapons = {"sword": weapon(strength="6"), "axe": weapon(strength="1")}
    me = {"attacks": 2, "weapons": weapons}
    data = scenario(me, TARGET, weapons=["sword", "axe"])
    strong, weak = HALF * Fraction(5, 6), HALF * SIXTH
    assert odds(data, "b.wounds").mean == 2 * strong + weak
    assert odds(data, "b.wounds", ["axe"]).mean == strong + 2 * weak
    advice = firepower.read(data).best("b.wounds")
    assert advice.value == 2 * strong + weak


def test_even_dice_leave_no_choice() -> None:
    me = {"attacks": 3, "weapons": {"sword": weapon(strength="6"), "axe": weapon(strength="1")}}
    data = scenario(me, TARGET, weapons=["sword", "axe"])
    assert odds(data, "b.wounds").mean == 2 * HALF * Fraction(5, 6) + 2 * HALF * SIXTH


@pytest.mark.parametrize("more", [{"skills": ["Bulging Biceps"]}, {"suspensors": True}])
def test_bulging_biceps_or_suspensors_leave_a_hand_free(more: Data) -> None:
    axe = weapon("Unwieldy")
    me: Data = {"attacks": 2, "weapons": {"axe": axe, "knife": weapon()}}
    if "suspensors" in more:
        axe |= more
    else:
        me |= more
    assert dice_of(scenario(me, TARGET, weapons=["axe", "knife"])) == 3


def test_the_cost_of_a_fight_with_an_unwieldy_weapon_is_that_of_any() -> None:
    me = {"weapons": {"axe": weapon("Unwieldy")}}
    opened = firepower.read(scenario(me, TARGET)).opened()
    (step,) = [task.step for task in opened.opening.situation.agenda]
    assert step.actions[0].cost == "basic"  # type: ignore[attr-defined]


# -- rolls to hit ----------------------------------------------------------------------------------


@pytest.mark.parametrize("skill", [2, 3, 4, 5, 6])
def test_to_hit_is_ws_or_more(skill: int) -> None:
    data = scenario({"weapon_skill": skill, "attacks": 2}, TARGET)
    assert hit_chances(data) == binomial(2, Fraction(7 - skill, 6))


def test_a_natural_1_misses_unless_read_otherwise() -> None:
    data = scenario({"weapon_skill": 2, "attacks": 1}, TARGET, modifiers={"luck": 3})
    assert hit_chances(data)[1] == Fraction(5, 6)
    old = scenario(
        {"weapon_skill": 2, "attacks": 1},
        TARGET,
        modifiers={"luck": 3},
        rulings={"natural_1": "as_it_is"},
    )
    assert hit_chances(old) == {1: 1}


def test_what_no_roll_can_hit_is_missed() -> None:
    data = scenario({"weapon_skill": 6, "attacks": 2}, TARGET, modifiers={"fog": -1})
    assert hit_chances(data) == {0: 1}


def test_turned_is_minus_1() -> None:
    assert parts(scenario({}, TARGET, turned=True), "a") == {"turned": -1}


def test_a_charge_at_an_enemy_not_seen_is_minus_1() -> None:
    assert parts(scenario({}, TARGET, "charge", unseen=True), "a") == {"unseen": -1}


def test_accuracy_of_a_melee_weapon_counts_and_that_of_a_sidearm_does_not() -> None:
    me = {"weapons": {"saw": weapon(accuracy="-/+1")}}
    assert parts(scenario(me, TARGET), "a") == {"accuracy": 1}
    me = {"weapons": {"whip": weapon(range="E/3", accuracy="-1/-")}}
    assert parts(scenario(me, TARGET), "a") == {"accuracy": -1}
    me = {"attacks": 1, "weapons": {"pistol": pistol()}}
    assert parts(scenario(me, TARGET), "a") == {}


def brawl(me: Data | None = None, **people: Data) -> Data:
    """`a` of the one side fights `b` of the other."""
    others = {name: LASTING | each for name, each in people.items()}
    return scenario({"side": "one", "wounds": 20} | (me or {}), others, at=["b"])


def test_an_assist_is_plus_1_for_each_friend() -> None:
    friend = {"side": "one", "engaged": ["b"]}
    assert parts(brawl(b={"side": "two"}, c=friend), "a") == {"assists": 1}
    assert parts(brawl(b={"side": "two"}, c=friend, d=friend), "a") == {"assists": 2}


def test_no_assist_of_a_friend_who_is_engaged_with_another_too() -> None:
    friend = {"side": "one", "engaged": ["b", "d"]}
    data = brawl(b={"side": "two"}, c=friend, d={"side": "two"})
    assert parts(data, "a") == {}


def test_no_assist_of_a_friend_who_is_down() -> None:
    friend = {"side": "one", "pinned": True}
    assert parts(brawl(b={"side": "two", "engaged": ["c"]}, c=friend), "a") == {}


def test_interference_is_minus_1_for_each_other_enemy() -> None:
    enemy = {"side": "two", "engaged": ["a"]}
    data = brawl(b={"side": "two"}, c=enemy, d=enemy)
    assert parts(data, "a") == {"interference": -2}
    assert parts(data, "b") == {"assists": 2}
    assert parts(brawl({"skills": ["Combat Master"]}, b={"side": "two"}, c=enemy), "a") == {}


def test_no_interference_of_an_enemy_who_is_engaged_with_a_friend_too() -> None:
    enemy = {"side": "two", "engaged": ["a", "d"]}
    data = brawl(b={"side": "two"}, c=enemy, d={"side": "one"})
    assert parts(data, "a") == {}


def test_modifiers_stated_of_the_target_count() -> None:
    data = scenario({}, {"b": LASTING | IDLE | {"modifiers": {"smoke": -1}}})
    assert parts(data, "a") == {"smoke": -1}


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


def test_who_is_prone_does_not_parry_because_it_is_not_fought() -> None:
    data = parried(weapon(), weapon("Parry"))
    data["combatants"]["b"]["pinned"] = True
    assert hit_chances(data) == {0: 1}


def test_the_attacker_parries_reaction_attacks() -> None:
    me = LASTING | {"attacks": 0, "weapons": {"sword": weapon("Parry")}}
    assert mean_hits(scenario(me, {"b": LASTING | {"attacks": 2}}), "a") == ONE


def test_step_aside_makes_one_hit_a_miss_with_an_initiative_test() -> None:
    body = LASTING | IDLE | {"skills": ["Step Aside"], "initiative": 3}
    data = scenario({"attacks": 2}, {"b": body})
    assert mean_hits(data) == 1 - Fraction(3, 4) * Fraction(2, 3)


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
    assert hit_chances(data) == {0: 1}


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
    assert chance_of(scenario({}, {"b": {}}, "coup-de-grace"), "b.out_of_action") == 0
    held = scenario({}, {"b": body, "c": {"engaged": ["a"]}}, "coup-de-grace")
    assert chance_of(held, "b.out_of_action") == 0
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


# -- whom the dice go at ---------------------------------------------------------------------------


def test_dice_are_all_at_the_first_by_policy_and_may_be_divided() -> None:
    people = {"b": LASTING | IDLE, "c": LASTING | IDLE}
    data = scenario({"attacks": 3, "skills": ["Combat Master"]}, people, at=["b", "c"])
    assert hit_chances(data) == binomial(3, HALF)
    assert hit_chances(data, "c") == {0: 1}
    assert dict(odds(data, "b.hit", ["1"])) == binomial(1, HALF)
    assert dict(odds(data, "c.hit", ["1"])) == binomial(2, HALF)


def test_each_weapon_divides_its_own_dice() -> None:
    people = {"b": LASTING | IDLE, "c": LASTING | IDLE}
    weapons = {"sword": weapon(strength="6"), "axe": weapon(strength="1")}
    me = {"attacks": 3, "skills": ["Combat Master"], "weapons": weapons}
    data = scenario(me, people, at=["b", "c"], weapons=["sword", "axe"])
    strong, weak = HALF * Fraction(5, 6), HALF * SIXTH
    assert odds(data, "b.wounds", ["1", "0"]).mean == strong
    assert odds(data, "c.wounds", ["1", "0"]).mean == strong + 2 * weak
    assert firepower.read(data).best("c.wounds").value == 2 * strong + 2 * weak


# -- what is refused -------------------------------------------------------------------------------


def test_three_weapons_are_refused() -> None:
    carried = {name: weapon() for name in ("one", "two", "three")}
    sentence = refusal(scenario({"weapons": carried}, weapons=list(carried)))
    assert "weapons" in sentence


def test_a_weapon_without_melee_is_refused() -> None:
    gun = {"range": "8/24", "strength": "3", "damage": "1"}
    sentence = refusal(scenario({"weapons": {"gun": gun}}, weapons=["gun"]))
    assert "is 'gun', which has neither Melee nor Sidearm" in sentence


def test_other_weapons_that_cannot_be_are_refused() -> None:
    me = {"weapons": {"sword": weapon(), "ring": weapon("Digi")}}
    assert "a second time" in refusal(scenario(me, weapons=["sword", "sword"]))
    assert "strikes besides" in refusal(scenario(me, weapons=["ring"]))
    assert "does not carry" in refusal(scenario(me, weapons=["axe"]))
    sentence = refusal(scenario({}, {"b": me | {"fights_with": ["axe"]}}))
    assert "b" in sentence
    assert "does not carry" in sentence


def test_who_is_no_enemy_is_refused() -> None:
    people = {"b": {"side": "one"}}
    me = {"side": "one"}
    assert "no enemy of a" in refusal(scenario(me, people))
    assert "no enemy of a" in refusal(scenario(me, people, "charge"))
    assert "on the same side" in refusal(scenario(me | {"engaged": ["b"]}, people, "charge"))
    assert "not here" in refusal(scenario({"engaged": ["x"]}))
    assert "a second time" in refusal(scenario({}, at=["b", "b"]))


def test_a_target_that_does_not_go_without_saying_is_asked_for() -> None:
    people: Data = {"b": {}, "c": {}}
    assert "must name the target in 'at'" in refusal(scenario({}, people, at=[]))
    assert dice_of(scenario({"attacks": 2}, TARGET, at=[])) == 2
    assert "engaged with nobody" in refusal(scenario({}, action="retreat"))


# -- what is best ----------------------------------------------------------------------------------


def test_best_chooses_weapons_and_targets() -> None:
    weapons = {"hammer": weapon("Unwieldy", strength="6"), "knife": weapon(), "club": weapon()}
    data = scenario({"attacks": 1, "weapons": weapons}, TARGET)
    advice = firepower.read(data).best("b.wounds")
    keys = {key for each in advice.decisions for key, _ in each.options}
    assert "fight b with hammer" in keys
    assert "fight b with knife and club" in keys
    assert not any("hammer and" in key for key in keys)
    assert advice.value == max(HALF * Fraction(5, 6), 2 * HALF * HALF)


def test_best_parry_against_the_attacker() -> None:
    data = scenario(
        {"attacks": 2, "weapons": {"mine": weapon()}},
        {"b": LASTING | IDLE | {"weapons": {"sword": weapon("Parry")}}},
        policies={"parry": "never"},
    )
    assert mean_hits(data) == PLAIN
    assert firepower.read(data).best("b.hit", against=True).value == ONE


# -- plays and odds agree --------------------------------------------------------------------------


def test_plays_agree_with_the_odds() -> None:
    me = {"attacks": 2, "weapons": {"axe": weapon("Disarm", "Power"), "gun": pistol(ammo=4)}}
    body = {"attacks": 2, "weapons": {"sword": weapon("Parry", "Power"), "knife": weapon()}}
    question = firepower.read(scenario(me, {"b": body}, "charge"))
    found = question.odds(samples=0).measures
    measures = ("hits", "b.hit", "b.out_of_action", "a.hit", "a.seriously_injured", "out_of_ammo")
    sums = dict.fromkeys(measures, 0)
    plays = 2_000
    for seed in range(plays):
        outcome = question.roll(seed=seed).measures
        for name in measures:
            sums[name] += int(outcome[name])
    for name in measures:
        of = found[name]
        assert abs(sums[name] / plays - float(of.mean)) <= 5 * of.sd / plays**0.5
