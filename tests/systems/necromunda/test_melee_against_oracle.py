"""Whole fights against an oracle in plain loops that shares no code with the package."""

from fractions import Fraction
from itertools import combinations, product

import pytest

import firepower
from tests.systems.necromunda.melee_helpers import (
    Data,
    chance_of,
    hit_chances,
    odds,
    scenario,
    weapon,
)
from tests.systems.necromunda.melee_oracle import (
    SIXTH,
    Body,
    Chances,
    State,
    Weapon,
    answered,
    attack,
    chance,
    gathered,
    hits,
    in_order,
)


def stands(state: State) -> bool:
    """Whether a fighter may answer."""
    return not (state.out or state.down)


def check_target(data: Data, who: str, of: Chances) -> None:
    """What became of a fighter is as the oracle has it."""
    assert chance_of(data, f"{who}.out_of_action") == chance(of, lambda s: s.out)
    assert chance_of(data, f"{who}.seriously_injured") == chance(of, lambda s: s.down)
    assert dict(odds(data, f"{who}.wounds_lost")).get(0, 0) <= 1


# -- a charge with two weapons, and the answer -----------------------------------------------------


@pytest.mark.parametrize(("wounds", "pinned"), [(1, False), (2, False), (1, True)])
def test_a_charge_with_two_weapons_and_the_answer_to_it(wounds: int, pinned: bool) -> None:
    weapons = {
        "saber": weapon("Power", strength="4", ap=-1),
        "prod": weapon("Shock", strength="3"),
    }
    me = {"attacks": 2, "weapon_skill": 3, "toughness": 3, "wounds": 1, "weapons": weapons}
    club = {"club": weapon(strength="5", ap=-1, damage="2")}
    target = {"attacks": 2, "weapon_skill": 4, "wounds": wounds, "save": 5, "weapons": club}
    target |= {"pinned": pinned}
    data = scenario(me, {"b": target}, "charge", weapons=["saber", "prod"])
    power, prod = Weapon(4, -1, 1, power=True), Weapon(3, 0, 1, shock=True)
    first = attack(State(), Body(3, wounds, 5), [(power, 3)] * 2 + [(prod, 3)] * 2)
    need = 5 if pinned else 4

    def answer(_: State) -> Chances:
        return attack(State(), Body(3, 1, 7), [(Weapon(5, -1, 2), need)] * 2)

    both = answered(first, answer, able=stands)
    check_target(data, "b", gathered((theirs, p) for (theirs, _), p in both.items()))
    check_target(data, "a", gathered((mine, p) for (_, mine), p in both.items()))


# -- a parry ---------------------------------------------------------------------------------------


def struck(body: Body, kind: Weapon, faces: list[int]) -> Fraction:
    """How likely these hits take down, and then a coup de grace takes out of action."""
    listed = in_order([(kind, face) for face in faces])
    return chance(hits(State(), body, listed), lambda s: s.out or s.down)


def parried(body: Body, kind: Weapon, need: int, landed: list[int], again: list[int]) -> Fraction:
    """The chance to fall when these of the hits are rolled again."""
    kept = list(landed)
    for face in again:
        kept.remove(face)
    mean = Fraction(0)
    for rolled in product(range(1, 7), repeat=len(again)):
        more = [face for face in rolled if face >= need]
        mean += struck(body, kind, kept + more) * SIXTH ** len(again)
    return mean


@pytest.mark.parametrize("parries", [1, 2])
@pytest.mark.parametrize("need", [2, 4])
def test_parry_by_policy_and_for_the_best(parries: int, need: int) -> None:
    prod = weapon("Shock", strength="3")
    me = {"attacks": 2, "weapon_skill": need, "weapons": {"prod": prod}}
    parrying = {f"parry {i}": weapon("Parry") for i in range(parries)}
    target = {"toughness": 3, "on_fire": True, "weapons": parrying}
    data = scenario(me, {"b": target}, policies={"follow_up": "coup_de_grace"})
    kind, body = Weapon(3, shock=True), Body(3, 1, 7)
    best = policy = Fraction(0)
    for faces in product(range(1, 7), repeat=2):
        landed = sorted((face for face in faces if face >= need), reverse=True)
        ways = {
            again
            for count in range(min(parries, len(landed)) + 1)
            for again in combinations(landed, count)
        }
        best += SIXTH**2 * min(parried(body, kind, need, landed, list(each)) for each in ways)
        # at 2+ a plain hit is as much to be feared again, so that 6s alone are parried
        feared = [face for face in landed if face == 6 or need == 4]
        policy += SIXTH**2 * parried(body, kind, need, landed, feared[:parries])
    assert firepower.read(data).best("b.out_of_action", against=True).value == best
    assert chance_of(data, "b.out_of_action") == policy
    assert policy >= best


# -- two targets -----------------------------------------------------------------------------------


@pytest.mark.parametrize("at_first", [0, 1, 2, 3])
def test_dice_divided_between_two_targets(at_first: int) -> None:
    me = {"attacks": 3, "weapon_skill": 3, "strength": 4, "wounds": 1, "side": "one"}
    people = {
        "b": {"side": "two", "attacks": 1, "weapon_skill": 4, "strength": 3},
        "c": {"side": "two", "attacks": 1, "weapon_skill": 5, "strength": 3, "wounds": 2},
    }
    data = scenario(me, people, at=["b", "c"])
    # the other enemy is in the way of each die, and helps the other's answer
    needs = 3 + 1
    fist, body = Weapon(4), Body(3, 1, 7)
    b = attack(State(), body, [(fist, needs)] * at_first)
    c = attack(State(), Body(3, 2, 7), [(fist, needs)] * (3 - at_first))
    ours: list[tuple[State, Fraction]] = []
    for (first, p), (second, q) in product(b.items(), c.items()):
        mine: Chances = {State(): p * q}
        for other, answerer, skill in ((second, first, 4), (first, second, 5)):
            if not stands(answerer):
                continue
            after: list[tuple[State, Fraction]] = []
            for state, r in mine.items():
                if not stands(state):
                    after.append((state, r))
                    continue
                need = skill - (1 if stands(other) else 0)
                struck_again = attack(state, body, [(Weapon(3), need)])
                after += [(each, r * s) for each, s in struck_again.items()]
            mine = gathered(after)
        ours += list(mine.items())
    choose = [str(at_first)]
    assert chance_of(data, "b.out_of_action", choose) == chance(b, lambda s: s.out)
    assert chance_of(data, "c.out_of_action", choose) == chance(c, lambda s: s.out)
    out = chance(gathered(ours), lambda s: s.out)
    assert chance_of(data, "a.out_of_action", choose) == out


# -- a crowd ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("friends", "enemies"), [(0, 0), (1, 0), (0, 1), (2, 1), (1, 2), (0, 3)])
def test_assists_and_interference(friends: int, enemies: int) -> None:
    others: dict[str, Data] = {"b": {"side": "two", "wounds": 20, "on_fire": True}}
    for i in range(friends):
        others[f"friend {i}"] = {"side": "one", "engaged": ["b"]}
    for i in range(enemies):
        others[f"enemy {i}"] = {"side": "two", "engaged": ["a"], "on_fire": True}
    data = scenario({"side": "one", "attacks": 2, "weapon_skill": 4}, others, at=["b"])
    found = dict.fromkeys(range(3), Fraction(0))
    for faces in product(range(1, 7), repeat=2):
        landed = [face for face in faces if face > 1 and face + friends - enemies >= 4]
        found[len(landed)] += SIXTH**2
    assert hit_chances(data) == {n: p for n, p in found.items() if p}


# -- a blind answer --------------------------------------------------------------------------------


@pytest.mark.parametrize("blind", [True, False])
def test_a_blind_fighter_answers_with_natural_6s_alone(blind: bool) -> None:
    me = {"attacks": 1, "weapon_skill": 4, "strength": 4, "wounds": 2}
    axe = {"pick": weapon("Shock", strength="4", damage="2")}
    target = {"attacks": 3, "weapon_skill": 4, "weapons": axe, "blind": blind}
    data = scenario(me, {"b": target})
    first = attack(State(), Body(3, 1, 7), [(Weapon(4), 4)])
    kind, only = Weapon(4, 0, 2, shock=True), 6 if blind else None

    def answer(_: State) -> Chances:
        return attack(State(), Body(3, 2, 7), [(kind, 4)] * 3, only=only)

    both = answered(first, answer, able=stands)
    check_target(data, "a", gathered((mine, p) for (_, mine), p in both.items()))
