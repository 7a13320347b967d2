"""Regiment against oracles of plain loops: blow by blow if few, by binomials if thirty."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import TypeAlias

import pytest

from firepower.chance import (
    Final,
    Generator,
    Policies,
    Scripted,
    Solver,
    Tally,
    Thrown,
    Typed,
    play,
)
from tests.chance.brute import Odds, odds_of, part
from tests.chance.games.regiment import Battle, Soldiers, clash

SPEARS = Soldiers(frontage=2, attacks=(1, 0, 1), to_hit=4, to_wound=4, save=5, discipline=7)
AXES = Soldiers(frontage=2, attacks=(0, 1, 1), to_hit=3, to_wound=3, save=4, discipline=8)
HUNTERS = Soldiers(
    frontage=2, attacks=(1, 1, 0), to_hit=3, to_wound=5, save=3, discipline=6, trophies=True
)

LINE = Soldiers(frontage=10, attacks=(1, 2, 1), to_hit=4, to_wound=4, save=5, discipline=9)
HORDE = Soldiers(frontage=10, attacks=(0, 2, 1), to_hit=4, to_wound=5, save=6, discipline=6)

NORTH_KILLED = Tally(("north.killed",))
SOUTH_KILLED = Tally(("south.killed",))
NORTH_BROKEN = Tally(("north.broken",), "any")
SOUTH_BROKEN = Tally(("south.broken",), "any")
DECIDED_BY = Tally(("decided_by",))
NORTH_LEFT = Final("north", lambda regiment: regiment.models)
SOUTH_LEFT = Final("south", lambda regiment: regiment.models)


# -- the oracles ---------------------------------------------------------------------------------

Blow: TypeAlias = tuple[int, int]
"""(killed, trophies)."""


def one_blow(striker: Soldiers) -> dict[Blow, Fraction]:
    """What a blow does, by every fall of three dice."""
    blows: dict[Blow, Fraction] = {}
    for hit, wound, save in product(range(1, 7), repeat=3):
        wounded = hit >= striker.to_hit and wound >= striker.to_wound
        key = (
            int(wounded and save < striker.save),
            int(wounded and striker.trophies and wound == 6),
        )
        blows[key] = blows.get(key, Fraction(0)) + Fraction(1, 216)
    return blows


def rain_of_blows(striker: Soldiers, blows: int, models: int) -> dict[Blow, Fraction]:
    """The dead and the trophies of so many blows, every sequence of them; the dead take no more."""
    kinds = one_blow(striker)
    sums: dict[Blow, Fraction] = {}
    for sequence in product(kinds.items(), repeat=blows):
        killed = trophies = 0
        chance = Fraction(1)
        for (dead, trophy), share in sequence:
            chance *= share
            if killed < models:
                killed += dead
                trophies += trophy
        sums[killed, trophies] = sums.get((killed, trophies), Fraction(0)) + chance
    return sums


def chance_to_break(discipline: int) -> Fraction:
    rolls = [one + two for one, two in product(range(1, 7), repeat=2)]
    return Fraction(sum(roll > discipline for roll in rolls), 36)


# models left and trophies lost, north then south
Field: TypeAlias = tuple[int, int, int, int]
# (north killed, south killed, north broken, south broken, decided by)
Outcome: TypeAlias = tuple[int, int, bool, bool, int]


def fought(
    battle: Battle,
    models: int,
    rain: Callable[[Soldiers, int, int], dict[Blow, Fraction]],
) -> Odds[Outcome]:
    """All steps, both sides at once, and the test of the loser."""
    field: dict[Field, Fraction] = {(models, models, 0, 0): Fraction(1)}
    for step in range(len(battle.north.attacks)):
        after: dict[Field, Fraction] = {}
        for (north, south, north_lost, south_lost), chance in field.items():
            by_north = battle.north.attacks[step] * min(north, battle.north.frontage)
            by_south = battle.south.attacks[step] * min(south, battle.south.frontage)
            for (south_dead, south_more), one in rain(battle.north, by_north, south).items():
                for (north_dead, north_more), two in rain(battle.south, by_south, north).items():
                    key = (
                        north - north_dead,
                        south - south_dead,
                        north_lost + north_more,
                        south_lost + south_more,
                    )
                    after[key] = after.get(key, Fraction(0)) + chance * one * two
        field = after
    odds: Odds[Outcome] = {}

    def ends(outcome: Outcome, chance: Fraction) -> None:
        if chance:
            odds[outcome] = odds.get(outcome, Fraction(0)) + chance

    for (north, south, north_lost, south_lost), chance in field.items():
        north_dead, south_dead = models - north, models - south
        difference = (north_dead + north_lost) - (south_dead + south_lost)
        breaks = Fraction(0)
        if difference > 0 and north:
            breaks = chance_to_break(battle.north.discipline - difference)
        if difference < 0 and south:
            breaks = chance_to_break(battle.south.discipline + difference)
        dead, by = (north_dead, south_dead), abs(difference)
        ends((*dead, difference > 0, difference < 0, by), chance * breaks)
        ends((*dead, False, False, by), chance * (1 - breaks))
    return odds


EVERYTHING = (NORTH_KILLED, SOUTH_KILLED, NORTH_BROKEN, SOUTH_BROKEN, DECIDED_BY)


# -- three against three -------------------------------------------------------------------------

BATTLES = {
    "spears and axes": Battle(SPEARS, AXES),
    "axes and spears": Battle(AXES, SPEARS),
    "hunters and spears": Battle(HUNTERS, SPEARS),
    "hunters and hunters": Battle(HUNTERS, HUNTERS),
}


@pytest.mark.parametrize("name", BATTLES)
@pytest.mark.parametrize("models", [1, 3])
def test_few_against_few_is_what_every_sequence_of_blows_comes_to(name: str, models: int) -> None:
    battle = BATTLES[name]
    start, solver = clash(battle, models, models), Solver()
    counted = fought(battle, models, cache(rain_of_blows))
    assert odds_of(solver.joint(start, EVERYTHING)) == counted
    for at, measure in enumerate(EVERYTHING):
        margin: Odds[object] = {}
        for outcome, chance in counted.items():
            margin[outcome[at]] = margin.get(outcome[at], Fraction(0)) + chance
        assert odds_of(solver.odds(start, measure)) == margin


def test_blows_of_one_step_fall_at_once() -> None:
    """The last of each side can kill each other."""
    duel = Battle(
        Soldiers(frontage=1, attacks=(1,), to_hit=1, to_wound=1, save=7, discipline=7),
        Soldiers(frontage=1, attacks=(1,), to_hit=1, to_wound=1, save=7, discipline=7),
    )
    joint = Solver().joint(clash(duel, 1, 1), (NORTH_LEFT, SOUTH_LEFT, DECIDED_BY))
    assert odds_of(joint) == {(0, 0, 0): 1}


def test_the_dead_of_an_earlier_step_do_not_strike() -> None:
    quick = Soldiers(frontage=1, attacks=(1, 0), to_hit=1, to_wound=1, save=7, discipline=7)
    slow = Soldiers(frontage=1, attacks=(0, 1), to_hit=1, to_wound=1, save=7, discipline=7)
    joint = Solver().joint(clash(Battle(quick, slow), 1, 1), (NORTH_LEFT, SOUTH_LEFT))
    assert odds_of(joint) == {(1, 0): 1}


def test_trophies_decide_who_has_to_test() -> None:
    """They are no state of anybody, only a tally that the break test reads."""
    plain = Battle(Soldiers(2, (1, 1, 0), 3, 5, 3, 6), SPEARS)
    hunting = Battle(HUNTERS, SPEARS)
    solver = Solver()
    killed = [solver.odds(clash(b, 3, 3), SOUTH_KILLED) for b in (plain, hunting)]
    broken = [solver.odds(clash(b, 3, 3), SOUTH_BROKEN).p(outcome=True) for b in (plain, hunting)]
    assert killed[0] == killed[1]
    assert broken[0] < broken[1]


# -- thirty against thirty -----------------------------------------------------------------------


@cache
def binomial_rain(striker: Soldiers, blows: int, models: int) -> dict[Blow, int]:
    """Weights over 216**20 of so many dead, no more than there are models."""
    kills = sum(
        hit >= striker.to_hit and wound >= striker.to_wound and save < striker.save
        for hit, wound, save in product(range(1, 7), repeat=3)
    )
    weights: dict[Blow, int] = {}
    for dead in range(blows + 1):
        weight = comb(blows, dead) * kills**dead * (216 - kills) ** (blows - dead)
        key = (min(dead, models), 0)
        weights[key] = weights.get(key, 0) + weight * 216 ** (20 - blows)
    return weights


@cache
def thirty_against_thirty() -> Odds[Outcome]:
    """The same battle in whole numbers."""
    north, south = LINE, HORDE
    field: dict[tuple[int, int], int] = {(30, 30): 1}
    for step in range(3):
        after: dict[tuple[int, int], int] = {}
        for (n, s), weight in field.items():
            by_north = binomial_rain(north, north.attacks[step] * min(n, 10), s)
            by_south = binomial_rain(south, south.attacks[step] * min(s, 10), n)
            for (south_dead, _), one in by_north.items():
                for (north_dead, _), two in by_south.items():
                    key = (n - north_dead, s - south_dead)
                    after[key] = after.get(key, 0) + weight * one * two
        field = after
    whole = 216 ** (20 * 2 * 3)
    assert sum(field.values()) == whole
    odds: Odds[Outcome] = {}
    for (n, s), weight in field.items():
        dead, by = (30 - n, 30 - s), abs(n - s)
        breaks = Fraction(0)
        if n < s and n:
            breaks = chance_to_break(north.discipline - by)
        if s < n and s:
            breaks = chance_to_break(south.discipline - by)
        chance = Fraction(weight, whole)
        for outcome, share in (
            ((*dead, n < s, s < n, by), chance * breaks),
            ((*dead, False, False, by), chance * (1 - breaks)),
        ):
            if share:
                odds[outcome] = odds.get(outcome, Fraction(0)) + share
    return odds


THIRTY = clash(Battle(LINE, HORDE), 30, 30)
SOLVER = Solver()


@pytest.mark.parametrize("at", range(len(EVERYTHING)))
def test_thirty_against_thirty_measure_by_measure(at: int) -> None:
    margin: Odds[object] = {}
    for outcome, chance in thirty_against_thirty().items():
        margin[outcome[at]] = margin.get(outcome[at], Fraction(0)) + chance
    assert odds_of(SOLVER.odds(THIRTY, EVERYTHING[at])) == margin


def test_thirty_against_thirty_together() -> None:
    counted: Odds[tuple[int, int, bool]] = {}
    for (north, south, _, broken, _), chance in thirty_against_thirty().items():
        key = (30 - north, 30 - south, broken)
        counted[key] = counted.get(key, Fraction(0)) + chance
    joint = SOLVER.joint(THIRTY, (NORTH_LEFT, SOUTH_LEFT, SOUTH_BROKEN))
    assert odds_of(joint) == counted


def test_a_score_is_a_tally_and_makes_no_more_situations_than_the_models_do() -> None:
    assert SOLVER.situations(THIRTY, (SOUTH_BROKEN,)) < 30_000


# -- play ----------------------------------------------------------------------------------------


def test_a_step_is_thrown_by_the_handful() -> None:
    """All dice to hit of a side together, then the wounds, then the saves; then the loser tests."""
    start = clash(Battle(SPEARS, AXES), 3, 3)
    step_one = ["4", "6", "5", "1", "2"]  # two hit, one wounds, not saved: one of south falls
    step_two = ["1", "3", "2"]  # two strike back, one hits and does not wound
    # north misses; both blows of south hit, wound and kill
    step_three = ["1", "1", "6", "5", "3", "6", "3", "2"]
    faces = [*step_one, *step_two, *step_three, "6", "1"]
    played = play(start, Typed(faces))
    assert played.finished
    told = [
        (event.label, event.who, tuple(face for each in event.faces for face in each))
        for event in played.events
        if isinstance(event, Thrown)
    ]
    assert told[:9] == [
        ("to hit", "south", (4, 6)),
        ("to wound", "south", (5, 1)),
        ("armour save", "south", (2,)),
        ("to hit", "north", (1, 3)),
        ("to wound", "north", (2,)),
        ("to hit", "south", (1, 1)),
        ("to hit", "north", (6, 5)),
        ("to wound", "north", (3, 6)),
        ("armour save", "north", (3, 2)),
    ]
    assert told[9:] == [("break test of north", "", (6, 1))]
    assert (part(played, "north").models, part(played, "south").models) == (1, 2)
    assert played.number(NORTH_BROKEN) is True


@pytest.mark.parametrize("seed", range(6))
def test_played_battles_replay_and_keep_the_count(seed: int) -> None:
    played = play(THIRTY, Generator(seed))
    assert play(THIRTY, Typed(map(str, played.faces)), Scripted([], Policies())) == played
    north, south = played.number(NORTH_KILLED), played.number(SOUTH_KILLED)
    assert (part(played, "north").models, part(played, "south").models) == (30 - north, 30 - south)
    assert played.number(DECIDED_BY) == abs(north - south)
    if north <= south:
        assert not played.number(NORTH_BROKEN)


def test_odds_go_on_from_the_middle_of_a_handful() -> None:
    start, solver = clash(Battle(HUNTERS, SPEARS), 2, 2), Solver()
    asked = (SOUTH_BROKEN, NORTH_LEFT, SOUTH_LEFT)
    mixed: Odds[object] = {}
    for first, second in product(range(1, 7), repeat=2):
        stopped = play(start, Typed([str(first), str(second)]))
        assert not stopped.finished
        for outcome, chance in solver.joint(stopped.situation, asked):
            mixed[outcome] = mixed.get(outcome, Fraction(0)) + chance / 36
    assert mixed == odds_of(solver.joint(start, asked))
