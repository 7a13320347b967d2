"""Whether the engine and its peers give the same result; without that no time means anything."""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

from bench.contestants import Contestant
from bench.peers import Estimates, Exact

TOLERANCE = 1e-9
STANDARD_ERRORS = 5

Odds = dict[Hashable, Fraction]


class DisagreementError(Exception):
    """Two results of one workload differ."""


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
