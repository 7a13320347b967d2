"""Gang against an oracle of plain loops: Firepower dice, ammo, hits shared out, fire."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import TypeAlias

import pytest

from firepower.chance import (
    Final,
    Generator,
    Goal,
    Policies,
    Scripted,
    Situation,
    Solver,
    Tally,
    Task,
    Thrown,
    Typed,
    play,
    situation,
)
from tests.chance.brute import Odds, odds_of, part
from tests.chance.games.gang import (
    AmmoTest,
    Burn,
    Ganger,
    ShareOut,
    Shooter,
    Weapon,
    WoundRoll,
    attack,
)

JUVE = Ganger(toughness=2, wounds=1)
FIGHTER = Ganger(toughness=3, wounds=2)
CHAMPION = Ganger(toughness=4, wounds=2)
GANG = {"juve": JUVE, "fighter": FIGHTER, "champion": CHAMPION}
NAMES = tuple(GANG)

STUBBER = Weapon(firepower=2, strength=4, ammo=4, targets=NAMES)
HAND_FLAMER = Weapon(firepower=2, strength=3, ammo=5, targets=NAMES, incendiary=True, spreads=True)
LASGUN = Weapon(firepower=1, strength=3, ammo=2, targets=NAMES, one_by_one=True)
TORCH = Weapon(firepower=1, strength=3, ammo=2, targets=NAMES, incendiary=True, one_by_one=True)

HITS = Tally(("shooter.hits",))
SYMBOLS = Tally(("shooter.symbols",))
EMPTY = Tally(("shooter.out_of_ammo",), "any")
OUT = Tally(tuple(f"{name}.out" for name in NAMES))
WOUNDS = Tally(tuple(f"{name}.wounds" for name in NAMES))
BURNED = Tally(tuple(f"{name}.burned" for name in NAMES))


# -- the oracle ----------------------------------------------------------------------------------

# (toughness, wounds left, burning) and (wounds taken, activations on fire)
Body: TypeAlias = tuple[int, int, bool]
Bodies: TypeAlias = dict[tuple[Body, tuple[int, int]], Fraction]
Trio: TypeAlias = tuple[Body, Body, Body]

SIXTH = Fraction(1, 6)
FRESH: Trio = ((2, 1, False), (3, 2, False), (4, 2, False))


def put(bodies: Bodies, body: Body, taken: tuple[int, int], chance: Fraction) -> None:
    bodies[body, taken] = bodies.get((body, taken), Fraction(0)) + chance


def wounding_faces(strength: int, toughness: int) -> int:
    """How many faces of six wound."""
    table = {(4, 4): 3, (4, 3): 4, (4, 2): 5, (4, 1): 5, (3, 4): 2, (3, 3): 3, (3, 2): 4, (3, 1): 5}
    return table[strength, toughness]


def struck(strength: int, incendiary: bool, bodies: Bodies) -> Bodies:
    after: Bodies = {}
    for (body, taken), chance in bodies.items():
        toughness, wounds, burning = body
        if not wounds:
            put(after, body, taken, chance)
            continue
        share = wounding_faces(strength, toughness) * SIXTH
        put(after, body, taken, chance * (1 - share))
        hurt = (max(1, toughness - 1), wounds - 1, burning)
        more = (taken[0] + 1, taken[1])
        if incendiary and wounds > 1 and not burning:
            put(after, (*hurt[:2], True), more, chance * share / 2)
            put(after, (*hurt[:2], False), more, chance * share / 2)
        else:
            put(after, hurt, more, chance * share)
    return after


def burnt(bodies: Bodies) -> Bodies:
    """Four activations at most, for those who burn."""
    for activation in (1, 2, 3, 4):
        after: Bodies = {}
        for (body, taken), chance in bodies.items():
            toughness, wounds, burning = body
            if not burning or not wounds:
                put(after, body, taken, chance)
                continue
            put(after, (toughness, wounds, False), taken, chance * SIXTH)
            still = (toughness, wounds, activation < 4)
            one = struck(
                3, incendiary=False, bodies={(still, (taken[0], taken[1] + 1)): chance * 5 * SIXTH}
            )
            for (left, more), share in one.items():
                put(after, left, more, share)
        bodies = after
    return bodies


@cache
def fate(
    body: Body, strength: int, incendiary: bool, hits: int
) -> dict[tuple[bool, int, int], Fraction]:
    """(out, wounds, activations on fire) of one who takes so many hits."""
    bodies: Bodies = {(body, (0, 0)): Fraction(1)}
    for _ in range(hits):
        bodies = struck(strength, incendiary, bodies)
    fates: dict[tuple[bool, int, int], Fraction] = {}
    for (left, (wounds, burned)), chance in burnt(bodies).items():
        key = (left[1] == 0, wounds, burned)
        fates[key] = fates.get(key, Fraction(0)) + chance
    return fates


def falls(dice: int) -> dict[tuple[int, int], Fraction]:
    """The chance of (hits, symbols)."""
    six = ((1, 1), (1, 0), (1, 0), (2, 0), (2, 0), (3, 0))
    odds: dict[tuple[int, int], Fraction] = {}
    for faces in product(six, repeat=dice):
        key = (sum(hits for hits, _ in faces), sum(symbols for _, symbols in faces))
        odds[key] = odds.get(key, Fraction(0)) + SIXTH**dice
    return odds


def allocations(hits: int) -> list[tuple[int, int, int]]:
    """Every way to share out so many hits among three."""
    return [
        (one, two, hits - one - two) for one in range(hits + 1) for two in range(hits + 1 - one)
    ]


def by_policy(weapon: Weapon, hits: int) -> tuple[int, int, int]:
    if not weapon.spreads:
        return (hits, 0, 0)
    return ((hits + 2) // 3, (hits + 1) // 3, hits // 3)


def together(weapon: Weapon, shares: tuple[int, int, int]) -> dict[tuple[int, int, int], Fraction]:
    """(out, wounds, activations on fire) of all three, for one allocation."""
    totals = {(0, 0, 0): Fraction(1)}
    for body, hits in zip(FRESH, shares, strict=True):
        after: dict[tuple[int, int, int], Fraction] = {}
        for (out, wounds, burned), chance in totals.items():
            for (o, w, b), share in fate(body, weapon.strength, weapon.incendiary, hits).items():
                key = (out + o, wounds + w, burned + b)
                after[key] = after.get(key, Fraction(0)) + chance * share
        totals = after
    return totals


# -- odds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("weapon", [STUBBER, HAND_FLAMER])
def test_everything_together_is_what_the_oracle_counts(weapon: Weapon) -> None:
    counted: Odds[tuple[object, ...]] = {}
    for (hits, symbols), chance in falls(weapon.firepower).items():
        holds = Fraction(7 - weapon.ammo, 6) ** symbols
        for empty, ammo in ((False, holds), (True, 1 - holds)):
            missed = (0, symbols, empty, 0, 0, 0)
            counted[missed] = counted.get(missed, Fraction(0)) + chance * ammo / 3
            for ends, share in together(weapon, by_policy(weapon, hits)).items():
                key = (hits, symbols, empty, *ends)
                counted[key] = counted.get(key, Fraction(0)) + chance * ammo * share * 2 / 3
    counted = {key: chance for key, chance in counted.items() if chance}
    asked = (HITS, SYMBOLS, EMPTY, OUT, WOUNDS, BURNED)
    start, solver = attack(weapon, GANG), Solver()
    assert odds_of(solver.joint(start, asked)) == counted
    for at, measure in enumerate(asked):
        margin: Odds[object] = {}
        for outcome, chance in counted.items():
            margin[outcome[at]] = margin.get(outcome[at], Fraction(0)) + chance
        assert odds_of(solver.odds(start, measure)) == margin


@pytest.mark.parametrize("toughness", [1, 2, 3, 4])
@pytest.mark.parametrize("wounds", [1, 2, 3])
def test_a_fire_burns_for_four_activations_at_most(toughness: int, wounds: int) -> None:
    start = situation({"man": Ganger(toughness, wounds, burning=True)}, Task(Burn(), "man"))
    counted: Odds[tuple[int, int, bool]] = {}
    begun: Bodies = {((toughness, wounds, True), (0, 0)): Fraction(1)}
    for ((_, left, burning), (taken, burned)), chance in burnt(begun).items():
        assert not burning or not left
        key = (taken, burned, left == 0)
        counted[key] = counted.get(key, Fraction(0)) + chance
    asked = (
        Tally(("man.wounds",)),
        Tally(("man.burned",)),
        Final("man", lambda man: man.wounds == 0),
    )
    assert odds_of(Solver().joint(start, asked)) == counted
    assert max(burned for _, burned, _ in counted) == 4


def test_the_need_to_wound_falls_with_the_toughness() -> None:
    start = situation({"man": CHAMPION}, Task(WoundRoll(4), "man", 2))
    odds = odds_of(Solver().odds(start, Tally(("man.wounds",))))
    assert odds[2] == Fraction(3, 6) * Fraction(4, 6)
    assert odds[0] == Fraction(3, 6) ** 2


def test_an_empty_weapon_is_tested_no_further() -> None:
    start = situation({"shooter": Shooter()}, Task(AmmoTest(4), "shooter", 3))
    odds = odds_of(Solver().odds(start, Tally(("shooter.out_of_ammo",))))
    assert odds == {0: Fraction(1, 8), 1: Fraction(7, 8)}


# -- advice --------------------------------------------------------------------------------------

GOALS = {
    "many out": Goal(OUT),
    "one out": Goal(OUT, 1),
    "two out": Goal(OUT, 2),
    "three out": Goal(OUT, 3),
    "wounds": Goal(WOUNDS),
    "the champion out": Goal(Final("champion", lambda ganger: ganger.wounds == 0)),
    "somebody burns": Goal(Tally(BURNED.names, "any")),
}


def worth(goal: str, ends: tuple[int, int, int], champion_out: bool) -> int:
    out, wounds, burned = ends
    return {
        "many out": out,
        "one out": int(out >= 1),
        "two out": int(out >= 2),
        "three out": int(out >= 3),
        "wounds": wounds,
        "the champion out": int(champion_out),
        "somebody burns": int(burned > 0),
    }[goal]


def value(weapon: Weapon, bodies: Trio, shares: tuple[int, int, int], goal: str) -> Fraction:
    """The expected worth of one allocation."""
    fates = [
        fate(body, weapon.strength, weapon.incendiary, hits)
        for body, hits in zip(bodies, shares, strict=True)
    ]
    total = Fraction(0)
    for ends in product(*(each.items() for each in fates)):
        chance = ends[0][1] * ends[1][1] * ends[2][1]
        sums = tuple(sum(end[at] for end, _ in ends) for at in range(3))
        total += chance * worth(goal, sums, champion_out=ends[2][0][0])  # type: ignore[arg-type]  # a bool
    return total


@pytest.mark.parametrize("weapon", [STUBBER, HAND_FLAMER])
@pytest.mark.parametrize("goal", GOALS)
def test_the_best_allocation_is_the_best_of_all_allocations(weapon: Weapon, goal: str) -> None:
    expected = value(weapon, FRESH, (0, 0, 0), goal) / 3
    best: dict[int, Fraction] = {}
    for (hits, _), chance in falls(weapon.firepower).items():
        if hits not in best:
            best[hits] = max(value(weapon, FRESH, shares, goal) for shares in allocations(hits))
        expected += chance * best[hits] * 2 / 3
    advice = Solver().advice(attack(weapon, GANG), GOALS[goal], frozenset({"shooter"}))
    assert advice.value == expected


@pytest.mark.parametrize("hits", [1, 2, 3, 4])
@pytest.mark.parametrize("goal", ["two out", "many out", "the champion out"])
def test_every_option_of_an_allocation_is_valued(hits: int, goal: str) -> None:
    """From a sharing out that stands alone: the first hit on each, the rest for the best."""
    start = situation(dict(GANG), Task(ShareOut(STUBBER, hits, (0, 0, 0))))
    first = Solver().advice(start, GOALS[goal], frozenset({"shooter"})).decisions[0]
    for at, name in enumerate(NAMES):
        best = max(
            value(STUBBER, FRESH, shares, goal) for shares in allocations(hits) if shares[at]
        )
        assert dict(first.options)[name] == best


@pytest.mark.parametrize("weapon", [LASGUN, TORCH])
@pytest.mark.parametrize("goal", GOALS)
def test_hits_allocated_one_by_one_follow_what_the_ones_before_did(
    weapon: Weapon, goal: str
) -> None:
    @cache
    def best(bodies: Trio, so_far: int, left: int) -> Fraction:
        """The best there is with so many hits to go; wounds taken are counted on the way."""
        standing = [at for at, body in enumerate(bodies) if body[1]]
        if not left or not standing:
            total = Fraction(0)
            for ends in product(
                *(fate(body, 3, incendiary=False, hits=0).items() for body in bodies)
            ):
                chance = ends[0][1] * ends[1][1] * ends[2][1]
                sums = (
                    sum(end[0] for end, _ in ends),
                    so_far + sum(end[1] for end, _ in ends),
                    sum(end[2] for end, _ in ends),
                )
                total += chance * worth(goal, sums, champion_out=ends[2][0][0])
            return total
        options = []
        for at in standing:
            after = struck(weapon.strength, weapon.incendiary, {(bodies[at], (0, 0)): Fraction(1)})
            options.append(
                sum(
                    (
                        chance
                        * best((*bodies[:at], body, *bodies[at + 1 :]), so_far + taken, left - 1)
                        for (body, (taken, _)), chance in after.items()
                    ),
                    Fraction(0),
                )
            )
        return max(options)

    expected = best(FRESH, 0, 0) / 3
    for (hits, _), chance in falls(weapon.firepower).items():
        expected += chance * best(FRESH, 0, hits) * 2 / 3
    start = attack(weapon, GANG)
    assert Solver().advice(start, GOALS[goal], frozenset({"shooter"})).value == expected


def test_to_see_what_a_hit_does_before_the_next_is_worth_something() -> None:
    at_once = Weapon(firepower=2, strength=3, ammo=2, targets=NAMES)
    one_by_one = Weapon(firepower=2, strength=3, ammo=2, targets=NAMES, one_by_one=True)
    values = [
        Solver().advice(attack(weapon, GANG), GOALS["two out"], frozenset({"shooter"})).value
        for weapon in (at_once, one_by_one)
    ]
    assert values[0] < values[1]


def test_goals_ask_for_different_targets() -> None:
    start = situation(dict(GANG), Task(ShareOut(STUBBER, 2, (0, 0, 0))))
    best = {
        goal: Solver().advice(start, GOALS[goal], frozenset({"shooter"})).decisions[0].best
        for goal in GOALS
    }
    assert best["one out"] == "juve"
    assert best["the champion out"] == "champion"


# -- play ----------------------------------------------------------------------------------------


def faces_thrown(start: Situation, *typed: str) -> list[tuple[str, str, str, tuple[object, ...]]]:
    played = play(start, Typed(typed), Scripted(["juve", "champion", "champion"], Policies()))
    assert played.finished
    return [
        (event.code, event.who, event.need, tuple(face for each in event.faces for face in each))
        for event in played.events
        if isinstance(event, Thrown)
    ]


def test_an_attack_is_thrown_as_at_a_table() -> None:
    weapon = Weapon(firepower=2, strength=4, ammo=4, targets=NAMES)
    told = faces_thrown(attack(weapon, GANG), "1*", "2", "3", "6", "4", "3", "5")
    assert told == [
        ("RapidFire", "shooter", "", ("1*", 2)),
        ("HitRoll", "shooter", "3+", (3,)),
        ("WoundRoll", "juve", "2+", (6,)),
        ("WoundRoll", "champion", "4+", (4,)),
        ("WoundRoll", "champion", "3+", (3,)),
        ("AmmoTest", "shooter", "4+", (5,)),
    ]


def test_two_symbols_are_two_ammo_dice_in_one_hand() -> None:
    told = faces_thrown(attack(STUBBER, GANG), "1*", "1*", "1", "2", "6")
    assert told == [
        ("RapidFire", "shooter", "", ("1*", "1*")),
        ("HitRoll", "shooter", "3+", (1,)),
        ("AmmoTest", "shooter", "4+", (2, 6)),
    ]


def test_a_fire_is_thrown_activation_by_activation() -> None:
    start = situation({"champion": Ganger(4, 2, burning=True)}, Task(Burn(), "champion"))
    assert faces_thrown(start, "5", "4", "1", "5", "6") == [
        ("Burn", "champion", "6+", (5,)),
        ("WoundRoll", "champion", "5+", (4,)),
        ("Burn", "champion", "6+", (1,)),
        ("WoundRoll", "champion", "5+", (5,)),
        ("Burn", "champion", "6+", (6,)),
    ]


@pytest.mark.parametrize("weapon", [STUBBER, HAND_FLAMER, LASGUN])
def test_played_attacks_replay_and_have_a_chance(weapon: Weapon) -> None:
    start, solver = attack(weapon, GANG), Solver()
    asked = (HITS, EMPTY, OUT, WOUNDS, BURNED)
    joint = solver.joint(start, asked)
    for seed in range(15):
        played = play(start, Generator(seed))
        again = play(start, Typed(map(str, played.faces)), Scripted(played.options, Policies()))
        assert again == played
        assert joint.p(tuple(map(played.number, asked))) > 0
        assert played.number(OUT) == sum(not part(played, name).wounds for name in NAMES)
        assert played.number(WOUNDS) == 5 - sum(part(played, name).wounds for name in NAMES)


def test_advice_after_the_dice_have_fallen_adds_up_to_the_advice_before() -> None:
    start, goal = attack(STUBBER, GANG), GOALS["two out"]
    whole = Solver().advice(start, goal, frozenset({"shooter"})).value
    mixed = Fraction(0)
    faces = {"1*": 1, "1": 2, "2": 2, "3": 1}
    for (one, weight), (two, other) in product(faces.items(), repeat=2):
        for hit in range(1, 7):
            stopped = play(start, Typed([one, two, str(hit)]))
            advice = Solver().advice(stopped.situation, goal, frozenset({"shooter"}))
            mixed += Fraction(weight * other, 216) * advice.value
    assert mixed == whole
