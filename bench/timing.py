"""Times, all taken in turns, because a machine's speed drifts."""

import gc
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from bench.contestants import Contestant
from bench.workloads import WORKLOADS
from firepower.chance import Solver

FEWEST_TURNS, MOST_TURNS = 5, 101
SECONDS = 5.0
PLAYS, SEED = 100_000, 40_000
STARTS = 9
ROOT = Path(__file__).parents[1]


def milliseconds(workload: str, contestants: Sequence[Contestant]) -> dict[str, float]:
    """The median from cold of each contestant, for as many turns as the time allows."""
    times: dict[str, list[float]] = {each.name: [] for each in contestants}
    gc.freeze()  # what was imported is no garbage, so collecting is quick and disturbs nobody
    began = perf_counter()
    for turn in range(MOST_TURNS):
        if turn >= FEWEST_TURNS and perf_counter() - began > SECONDS:
            break
        first = turn % len(contestants)
        for each in (*contestants[first:], *contestants[:first]):
            each.forget()
            gc.collect()
            times[each.name].append(_seconds(each.plays[workload]))
    return {name: 1000 * median(taken) for name, taken in times.items()}


def plays_per_second(workload: str) -> float:
    """How many attacks are played in a second, the rows that are found on the way included."""
    start, measures, _ = WORKLOADS[workload]()
    solver = Solver()
    return PLAYS / _seconds(lambda: solver.sample(start, measures, PLAYS, SEED))


def start_up() -> tuple[float, float]:
    """The median milliseconds of `firepower odds examples/scout.toml` and `python -c pass`."""
    firepower = str(Path(sys.executable).with_name("firepower"))
    commands = ((firepower, "odds", "examples/scout.toml"), (sys.executable, "-c", "pass"))
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(STARTS):
        for command, taken in zip(commands, times, strict=True):
            taken.append(_seconds(partial(_run, command)))
    return 1000 * median(times[0]), 1000 * median(times[1])


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)


def _seconds(play: Callable[[], object]) -> float:
    start = perf_counter()
    play()
    return perf_counter() - start
