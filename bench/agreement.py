"""Whether the engine and its peers give the same result; without that no time means anything."""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

from bench.contestants import Contestant
from bench.fights.stated import Fight
from bench.peers import Estimates, Exact
from firepower.chance import END, Distribution

TOLERANCE = 1e-9
STANDARD_ERRORS = 5

ENGINE_PLAYS, ENGINE_SEED = 20_000, 3
HAND_PLAYS, HAND_SEED = 40_000, 4
ERRORS_OF_MEANS, ERRORS_OF_SHARES = 4, 5

Odds = dict[Hashable, Fraction]


class DisagreementError(Exception):
    """Two results of one workload, or of one fight, differ."""


def check(workload: str, engine: Contestant, peer: Contestant) -> None:
    """Raise DisagreementError unless the peer's result is the engine's.

    Exact results must be the same fractions, floats as near as TOLERANCE, and the means of
    samples within STANDARD_ERRORS of the exact ones.
    """
    expected = odds(engine.plays[workload]())
    given = peer.plays[workload]()
    if peer.kind == "exact":
        agrees = odds(given) == expected
    elif peer.kind == "floats":
        agrees = _near(given, expected)
    else:
        agrees = _likely(given, expected)
    if not agrees:
        raise DisagreementError(
            f"on {workload} the {engine.name} and {peer.name} give different results"
        )


def odds(answer: Exact[Any]) -> Odds:
    """The reduced fraction of each outcome that can happen."""
    weights, total = answer
    return {outcome: Fraction(weight, total) for outcome, weight in weights.items() if weight}


def _near(floats: Mapping[Hashable, float], expected: Odds) -> bool:
    return all(
        abs(floats.get(outcome, 0.0) - float(expected.get(outcome, 0))) <= TOLERANCE
        for outcome in floats.keys() | expected.keys()
    )


def _likely(estimates: Estimates, expected: Odds) -> bool:
    """Quantities stand in the order of the outcome's components."""
    return all(
        abs(mean - _mean(expected, place)) <= STANDARD_ERRORS * error
        for place, (mean, error) in enumerate(estimates.values())
    )


def _mean(expected: Odds, place: int) -> float:
    """The mean of the outcome, or of the component at that place of a tuple."""
    total = Fraction(0)
    for outcome, chance in expected.items():
        value: Any = outcome[place] if isinstance(outcome, tuple) else outcome
        total += Fraction(value) * chance
    return float(total)


# -- fights ----------------------------------------------------------------------------------------


class Shares(NamedTuple):
    """The share of each outcome of a measure, seen in so many plays (None: it is exact)."""

    by_outcome: dict[int, float]
    plays: int | None

    @property
    def mean(self) -> float:
        return sum(outcome * share for outcome, share in self.by_outcome.items())

    @property
    def variance(self) -> float:
        mean = self.mean
        return sum((outcome - mean) ** 2 * share for outcome, share in self.by_outcome.items())


Results: TypeAlias = dict[tuple[str, str], Shares]
"""By measure, and by what has ended."""


def check_fight(fight: Fight) -> None:
    """Raise DisagreementError unless samples, and all that is exact, are as simulated by hand."""
    by_hand = simulated(fight, HAND_PLAYS)
    played = sampled(fight, ENGINE_PLAYS)
    if by_hand.keys() != played.keys():
        raise DisagreementError(
            f"on {fight.name} the engine and the simulation by hand measure different things"
        )
    compare(fight, by_hand, played)
    compare(fight, by_hand, exact(fight))


def simulated(fight: Fight, plays: int) -> Results:
    """Every measure at the end of every round in so many plays by hand."""
    return {
        (name, label): Shares({value: times / plays for value, times in seen.items()}, plays)
        for label, measures in fight.simulate(plays, HAND_SEED, fight.rounds).items()
        for name, seen in measures.items()
    }


def sampled(fight: Fight, plays: int) -> Results:
    """Every measure at the end of every round in so many plays of the engine."""
    start, measures = fight.question()
    found = fight.solver().sample_by_mark(start, list(measures.values()), plays, ENGINE_SEED)
    return {
        (name, label): Shares(_floats(each.seen), each.count)
        for label, numbers in found.items()
        for name, each in zip(measures, numbers, strict=True)
        if label != END
    }


def exact(fight: Fight) -> Results:
    """Every measure that the full answer gives exactly, at the end of every round."""
    start, measures = fight.question()
    answer = fight.solver().answer(start, measures, samples=1, seed=ENGINE_SEED)
    return {
        (name, label): Shares(_floats(odds), None)
        for name, by_label in answer.exact.items()
        for label, odds in by_label.items()
        if label != END
    }


def compare(fight: Fight, by_hand: Results, engine: Results) -> None:
    """Raise DisagreementError at the first of the engine's results that is not as by hand.

    Means must be within ERRORS_OF_MEANS; where both were sampled the shares of outcomes, of which
    there are many more, within ERRORS_OF_SHARES. What never differs must be the same.
    """
    for (name, label), shares in engine.items():
        hand = by_hand[name, label]
        if not (_alike(hand, shares) and (shares.plays is None or _all_alike(hand, shares))):
            raise DisagreementError(
                f"on {fight.name} the engine and the simulation by hand give different results "
                f"({name}, {label})"
            )


def _floats(odds: Distribution[Any]) -> dict[int, float]:
    return {outcome: float(chance) for outcome, chance in odds}


def _alike(hand: Shares, engine: Shares) -> bool:
    """Whether the means are; where the engine is exact, by the error that it says by hand."""
    assert hand.plays is not None
    if engine.plays is None:
        square = engine.variance / hand.plays
    else:
        square = hand.variance / hand.plays + engine.variance / engine.plays
    return abs(hand.mean - engine.mean) <= ERRORS_OF_MEANS * sqrt(square)


def _all_alike(hand: Shares, engine: Shares) -> bool:
    """Whether the shares of all outcomes are, by the error of their share in all plays."""
    assert hand.plays is not None
    assert engine.plays is not None
    plays = hand.plays + engine.plays
    for outcome in hand.by_outcome.keys() | engine.by_outcome.keys():
        one, other = hand.by_outcome.get(outcome, 0.0), engine.by_outcome.get(outcome, 0.0)
        share = (one * hand.plays + other * engine.plays) / plays
        square = share * (1 - share) * (1 / hand.plays + 1 / engine.plays)
        if abs(one - other) > ERRORS_OF_SHARES * sqrt(square):
            return False
    return True
