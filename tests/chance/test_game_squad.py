"""Squad: what is addressed to whom it concerns costs little, and says the same."""

from fractions import Fraction
from itertools import product

import pytest

from firepower.chance import Final, Generator, LimitError, Solver, Tally, Task, play
from tests.chance.brute import Odds, odds_of
from tests.chance.games.squad import (
    Fighter,
    Recover,
    brawl,
    measures,
    suppression,
)

FOUR = ("t0", "t1", "t2", "t3")


def one_target() -> Odds[tuple[int, int, bool, int]]:
    """(hits, damage, shaken, turns low) of one target, by every fall of the dice."""
    odds: Odds[tuple[int, int, bool, int]] = {}
    for nerve, fire in product(range(1, 11), repeat=2):
        shaken = nerve < 4
        low = 2 if shaken else 0
        hits = max(0, fire - 5 - low)
        for falls in product(range(1, 7), repeat=hits):
            chance = Fraction(1, 100 * 6**hits)
            damage = 0
            for fall in falls:
                damage = min(6, damage + max(0, fall - 3))
            turns = [0] if damage == 6 or not low else [1, 2]
            shares = [Fraction(1)] if len(turns) == 1 else [Fraction(1, 3), Fraction(2, 3)]
            for turn, share in zip(turns, shares, strict=True):
                key = (hits, damage, shaken, turn)
                odds[key] = odds.get(key, Fraction(0)) + chance * share
    return odds


def test_one_target_is_what_every_fall_comes_to() -> None:
    asked = measures("t0")[:4]
    assert odds_of(Solver().joint(suppression(1), asked)) == one_target()


def test_each_of_four_is_what_one_is_alone() -> None:
    solver = Solver()
    for name in FOUR:
        assert odds_of(solver.joint(suppression(4), measures(name)[:4])) == one_target()


def test_four_who_are_suppressed_cost_four_times_one_and_not_their_product() -> None:
    solver = Solver()
    asked = [measure for name in FOUR for measure in measures(name)]
    needed = solver.situations(suppression(4), asked)
    assert needed == 4 * solver.situations(suppression(1), measures("t0"))
    assert needed <= 4_000
    with pytest.raises(LimitError):
        Solver(limit=5 * needed).odds(suppression(4, wide=True), asked[0])


@pytest.mark.parametrize("targets", [1, 2])
def test_steps_for_everybody_say_the_same_and_cost_more(targets: int) -> None:
    narrow, wide = suppression(targets), suppression(targets, wide=True)
    asked = [measure for n in range(targets) for measure in measures(f"t{n}")]
    solver = Solver()
    for measure in asked:
        assert solver.odds(narrow, measure) == solver.odds(wide, measure)
    needed = solver.situations(narrow, asked)
    assert solver.situations(wide, asked) >= (needed if targets == 1 else 5 * needed)


def test_a_question_about_the_shooter_leaves_out_all_that_he_does_to_others() -> None:
    solver, lost = Solver(), Final("shooter", lambda fighter: fighter.lost)
    assert solver.situations(suppression(4), (lost,)) == 1
    assert odds_of(solver.odds(suppression(2), lost)) == {0: 1}


def test_two_pairs_that_do_not_meet_cost_twice_one_pair() -> None:
    solver = Solver()
    one, two = brawl(("a", "b"), rounds=2), brawl(("a", "b"), ("c", "d"), rounds=2)
    pair = [measure for name in "ab" for measure in measures(name)]
    both = [measure for name in "abcd" for measure in measures(name)]
    assert solver.situations(two, both) == 2 * solver.situations(one, pair)
    for measure in pair:
        assert solver.odds_by_mark(two, measure) == solver.odds_by_mark(one, measure)
    others = [measure for name in "cd" for measure in measures(name)]
    for measure, other in zip(pair, others, strict=True):
        assert solver.odds_by_mark(two, measure) == solver.odds_by_mark(two, other)
    with pytest.raises(LimitError):
        Solver(limit=20 * solver.situations(one, pair)).whole(two)


@pytest.mark.parametrize("rounds", [1, 2])
def test_who_is_only_glanced_at_is_looked_at_all_the_same(rounds: int) -> None:
    """What a pair do to each other depends on what each has lost; that is only glanced at."""
    narrow, wide = brawl(("a", "b"), rounds=rounds), brawl(("a", "b"), rounds=rounds, wide=True)
    solver = Solver()
    for measure in measures("a"):
        assert solver.odds_by_mark(narrow, measure) == solver.odds_by_mark(wide, measure)


def test_pairs_who_are_asked_together_are_independent() -> None:
    solver = Solver()
    two = brawl(("a", "b"), ("c", "d"), rounds=1)
    a, c = Tally(("a.damage",)), Tally(("c.damage",))
    joint, alone = solver.joint(two, (a, c)), solver.odds(two, a)
    assert odds_of(joint) == {
        (one, other): chance * share for one, chance in alone for other, share in alone
    }


def test_recovering_is_no_throw_for_who_stands() -> None:
    start = suppression(1)
    standing = start.agenda[-1]
    assert standing == Task(Recover("t0"), ("t0",), 2)
    played = play(start, Generator(1))
    assert played.finished
    assert isinstance(played.situation.parts[0], Fighter)
