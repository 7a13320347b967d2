"""Close combat: the cases, attack dice, rolls to hit, whom dice go at, refusals, what is best."""

from fractions import Fraction

import pytest

import firepower
from tests.systems.necromunda.melee_helpers import (
    IDLE,
    LASTING,
    TARGET,
    Data,
    binomial,
    brawl,
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


def test_keys_of_other_actions_are_refused() -> None:
    assert "dice" in refusal(scenario({}, dice=2))
    assert "unseen" in refusal(scenario({}, unseen=True))
    assert "turned" in refusal(scenario({}, action="charge", turned=True))
    assert "is on fire" in refusal(scenario({"on_fire": True}))


def test_a_fight_in_place_of_another_action() -> None:
    line = {"by": "a", "action": "shoot", "otherwise": ["fight"], "weapon": "gun", "at": ["b"]}
    gun = pistol()
    data = scenario({"attacks": 1, "engaged": ["b"], "weapons": {"gun": gun}}, TARGET)
    data["do"] = [line | {"modifiers": {"luck": 1}}]
    assert mean_hits(data) == Fraction(2, 3)


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
