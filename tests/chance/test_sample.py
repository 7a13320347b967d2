"""Samples against exact odds: a fixed seed, and never more than five standard errors off."""

from math import sqrt
from typing import Any

import pytest

from firepower.chance import (
    Distribution,
    Final,
    LimitError,
    Situation,
    Solver,
    Tally,
    Task,
    situation,
)
from tests.chance.toys import (
    COIN,
    D3,
    D4,
    D6,
    Effect,
    HandfulThrow,
    LocalHandfulStrike,
    LocalThrow,
    Note,
    Pick,
    Score,
    Tell,
    Throw,
    scores,
    times,
)

COUNT = 20_000
BOUND = 5

HITS = Tally(("a.hit",))
WOUND = Throw(D3, 2, Effect(1, (("wound", 1),)), while_tokens=1)
HIT = Effect(records=(("hit", 1),), todo=(Task(WOUND, "b"),))
STRIKES = LocalHandfulStrike((Throw(D4, 3, scores("loss", 2), scores("loss")),), while_tokens=1)


def duel() -> Situation:
    options = (("duck", Effect(1)), ("stand", Effect()))
    return situation(
        {"a": 6, "b": 3},
        Task(Pick("b", options, "duck"), "b"),
        times(HandfulThrow(COIN, 2, HIT), 5, "a"),
        times(STRIKES, 3, "a"),
        Tell(HITS),
    )


ASKED: tuple[Tally | Final, ...] = (
    HITS,
    Tally(("a.hit",), cap=2),
    Tally(("b.wound",), "any"),
    Tally(("a.loss",)),
    Tally(("told",)),
    Final("a", int),
    Final("b", lambda tokens: tokens == 0),
)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_outcome_is_seen_about_as_often_as_its_odds_say(seed: int) -> None:
    solver = Solver()
    for asked, sampled in zip(ASKED, solver.sample(duel(), ASKED, COUNT, seed), strict=True):
        exact: Distribution[Any] = solver.odds(duel(), asked)
        assert sampled.count == COUNT
        assert set(sampled.seen.weights) <= set(exact.weights)
        for outcome, chance in exact:
            share = float(chance)
            error = sqrt(share * (1 - share) / COUNT)
            assert abs(float(sampled.seen.p(outcome)) - share) <= BOUND * error
        assert abs(float(sampled.seen.mean - exact.mean)) <= BOUND * exact.sd / sqrt(COUNT)


def test_one_seed_gives_one_sample_whatever_was_asked_before() -> None:
    busy = Solver()
    busy.joint(duel(), ASKED)
    busy.sample(duel(), ASKED[:2], 100, seed=9)
    samples = [solver.sample(duel(), ASKED, 500, seed=5) for solver in (busy, busy, Solver())]
    assert samples[0] == samples[1] == samples[2]
    assert samples[0] != Solver().sample(duel(), ASKED, 500, seed=6)


def test_a_sample_has_as_many_plays_as_were_asked_for() -> None:
    sampled = Solver().sample(duel(), (HITS,), 48, seed=1)[0]
    assert sampled.count == 48
    assert sampled.seen.total <= 48
    assert 48 % sampled.seen.total == 0


def test_standard_errors() -> None:
    sampled = Solver().sample(duel(), (HITS,), 400, seed=1)[0]
    assert sampled.error(0.5) == 0.025
    assert sampled.error(0.1) == pytest.approx(0.015)
    assert sampled.error(0) == sampled.error(1) == 0
    assert sampled.mean_error == sampled.seen.sd / 20


def test_a_question_beyond_the_limit_is_sampled_all_the_same() -> None:
    start = situation({"a": 0}, times(Score(D6), 60, "a"), Tell(Tally(("a.score",))))
    solver, total = Solver(limit=500), Tally(("told",))
    with pytest.raises(LimitError):
        solver.odds(start, total)
    sampled = solver.sample(start, (total,), 3000, seed=4)[0]
    assert abs(float(sampled.seen.mean) - 60 * 3.5) <= BOUND * sqrt(60 * 35 / 12 / 3000)
    assert abs(sampled.seen.sd - sqrt(60 * 35 / 12)) <= BOUND * sqrt(60 * 35 / 12 / 6000)


def test_what_was_recorded_before_counts() -> None:
    fresh = duel()
    start = Situation(fresh.names, fresh.parts, fresh.agenda, records=(("a.hit", 40),))
    before = Solver().sample(fresh, (HITS,), 200, seed=2)[0].seen
    after = Solver().sample(start, (HITS,), 200, seed=2)[0].seen
    assert after == before.map(lambda hits: hits + 40)


def test_others_who_turn_out_to_matter_are_sampled_too() -> None:
    provoke = Throw(COIN, 2, Effect(todo=(Task(Note(scores("hit")), "a"),)))
    start = situation(
        {"a": 0, "b": 9}, times(LocalThrow(D6, 2, Effect(1)), 3, "b"), Task(provoke, "b")
    )
    sampled = Solver().sample(start, (HITS,), COUNT, seed=8)[0]
    assert abs(float(sampled.seen.p(1)) - 1 / 3) <= BOUND * sqrt(2 / 9 / COUNT)


def test_certain_things_have_no_error() -> None:
    start = situation({"a": 0}, Task(Note(scores("hit", 3)), "a"))
    sampled = Solver().sample(start, (HITS,), 10, seed=1)[0]
    assert sampled.seen == Distribution({3: 1})
    assert sampled.mean_error == 0


def test_very_uneven_weights_are_drawn_without_rounding() -> None:
    """A row whose weights together are beyond what a float can tell apart."""
    rare = LocalHandfulStrike((times(Throw(D6, 6, scores("loss")), 40),))
    start = situation({"a": 99}, Task(rare, "a"))
    loss = Tally(("a.loss",))
    sampled = Solver().sample(start, (loss,), 5000, seed=3)[0]
    exact = Solver().odds(start, loss)
    assert exact.total > 1 << 52
    assert abs(float(sampled.seen.mean - exact.mean)) <= BOUND * exact.sd / sqrt(5000)
