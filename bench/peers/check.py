"""Whether the peers agree, and how long each takes from cold."""

import sys
from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from statistics import median
from time import perf_counter
from types import ModuleType
from typing import Any

from . import dict_dp, dyce_peer, icepool_peer, numpy_hand, numpy_monte_carlo

WORKLOADS = ("w1", "w2", "w2_240", "w3", "burst", "clash")
EXACT = (dict_dp, icepool_peer, dyce_peer)
PEERS = (*EXACT, numpy_hand, numpy_monte_carlo)
TOLERANCE = 1e-9
STANDARD_ERRORS = 5
FEWEST_TURNS, MOST_TURNS = 5, 25
SECONDS = 5.0

Odds = dict[Hashable, Fraction]


def main() -> int:
    """Check every workload, then print the median milliseconds; 1 if any peer disagrees."""
    complaints = [complaint for workload in WORKLOADS for complaint in _complaints(workload)]
    for complaint in complaints:
        sys.stdout.write(f"{complaint}\n")
    columns = {name: max(10, len(name)) for name in map(_name, PEERS)}
    heads = (f"{name:>{width}}" for name, width in columns.items())
    sys.stdout.write(f"{'median ms':<10}  {'  '.join(heads)}\n")
    for workload in WORKLOADS:
        times = _milliseconds(workload)
        cells = (f"{times.get(name, '–'):>{width}}" for name, width in columns.items())
        sys.stdout.write(f"{workload:<10}  {'  '.join(cells)}\n")
    sys.stdout.write("the peers disagree\n" if complaints else "the peers agree\n")
    return 1 if complaints else 0


def _complaints(workload: str) -> list[str]:
    """One sentence for each peer that disagrees with the first exact one."""
    found = []
    answers = {_name(peer): play() for peer in PEERS if (play := _play(peer, workload)) is not None}
    odds = {name: _odds(*answers[name]) for peer in EXACT if (name := _name(peer)) in answers}
    expected = next(iter(odds.values()))
    for name, given in odds.items():
        if sum(given.values()) != 1:
            found.append(f"{workload}: the chances of {name} do not add up to one")
        if given != expected:
            found.append(f"{workload}: {name} disagrees")
    floats = answers.get(_name(numpy_hand))
    if floats is not None and not _close(floats, expected):
        found.append(f"{workload}: {_name(numpy_hand)} is off by more than {TOLERANCE}")
    for place, (quantity, (mean, error)) in enumerate(
        answers.get(_name(numpy_monte_carlo), {}).items()
    ):
        if abs(mean - _mean(expected, place)) > STANDARD_ERRORS * error:
            found.append(f"{workload}: the sampled mean of {quantity} is off")
    return found


def _odds(weights: Mapping[Hashable, int], total: int) -> Odds:
    return {outcome: Fraction(weight, total) for outcome, weight in weights.items() if weight}


def _close(floats: Mapping[Hashable, float], expected: Odds) -> bool:
    return all(
        abs(floats.get(outcome, 0.0) - float(expected.get(outcome, 0))) <= TOLERANCE
        for outcome in floats.keys() | expected.keys()
    )


def _mean(odds: Odds, place: int) -> float:
    """The mean of the outcome, or of the component at that place of a tuple."""
    total = Fraction(0)
    for outcome, chance in odds.items():
        value: Any = outcome[place] if isinstance(outcome, tuple) else outcome
        total += Fraction(value) * chance
    return float(total)


def _milliseconds(workload: str) -> dict[str, str]:
    """Each peer's median from cold; they take turns, so that a slow spell strikes them all."""
    times: dict[str, list[float]] = {}
    began = perf_counter()
    for turn in range(MOST_TURNS):
        if turn >= FEWEST_TURNS and perf_counter() - began > SECONDS:
            break
        for peer in PEERS:
            if (play := _play(peer, workload)) is not None:
                forget: Callable[[], None] = getattr(peer, "forget", lambda: None)
                forget()
                start = perf_counter()
                play()
                times.setdefault(_name(peer), []).append(perf_counter() - start)
    return {name: f"{1000 * median(taken):.2f}" for name, taken in times.items()}


def _play(peer: ModuleType, workload: str) -> Callable[[], Any] | None:
    play: Callable[[], Any] | None = getattr(peer, workload, None)
    return play


def _name(peer: ModuleType) -> str:
    return peer.__name__.rpartition(".")[2]


if __name__ == "__main__":
    sys.exit(main())
