"""Times, all taken in turns, because a machine's speed drifts."""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.contestants import ENGINE, Contestant
from bench.fights.stated import Fight
from bench.workloads import WORKLOADS
from firepower.chance import Solver

FEWEST_TURNS, MOST_TURNS = 5, 101
SECONDS = 5.0
PLAYS, SEED = 100_000, 40_000
STARTS = 9
FIGHT_TURNS = 3
FIGHT_PLAYS, MANY_FIGHT_PLAYS = 10_000, 100_000
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


def fight_plays_per_second(fight: Fight) -> dict[str, float]:
    """How many plays of a fight there are in a second, all measured at the end of every round.

    `cold` and `many` are the engine's for FIGHT_PLAYS and MANY_FIGHT_PLAYS, each time with
    nothing known; `by_hand` are the simulation's, `only_played` the same with nothing counted.
    """
    start, measures = fight.question()
    asked = list(measures.values())

    def engine(plays: int) -> float:
        ENGINE.forget()
        return plays / _seconds(lambda: fight.solver().sample_by_mark(start, asked, plays, SEED))

    def simulation() -> float:
        return FIGHT_PLAYS / _seconds(lambda: fight.simulate(FIGHT_PLAYS, SEED, fight.rounds))

    cold, by_hand = [], []
    with _no_garbage_collected():
        for _ in range(FIGHT_TURNS):
            by_hand.append(simulation())
            cold.append(engine(FIGHT_PLAYS))
        many = engine(MANY_FIGHT_PLAYS)
        by_hand.append(simulation())
        only_played = FIGHT_PLAYS / _seconds(partial(_only_play, fight))
    return {
        "cold": median(cold),
        "many": many,
        "by_hand": median(by_hand),
        "only_played": only_played,
    }


def _only_play(fight: Fight) -> None:
    random = Random(SEED).random
    for _ in range(FIGHT_PLAYS):
        fight.play(fight.rounds, random)


def full_answer(fight: Fight, *only: str) -> dict[str, Any]:
    """What the full answer of a fight costs (or that of one measure), in a process of its own."""
    command = (sys.executable, "-m", "bench.fights.answer", fight.name, *only)
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    cost: dict[str, Any] = json.loads(done.stdout)
    return cost


def start_up() -> tuple[float, float]:
    """The median milliseconds of `firepower odds examples/scout.toml` and `python -c pass`.

    As it is installed, compiled once before: the first start of each is not timed.
    """
    firepower = str(Path(sys.executable).with_name("firepower"))
    commands = ((firepower, "odds", "examples/scout.toml"), (sys.executable, "-c", "pass"))
    times: tuple[list[float], list[float]] = ([], [])
    with TemporaryDirectory() as compiled:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": compiled}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for command in commands:
            _run(command, environment)
        for _ in range(STARTS):
            for command, taken in zip(commands, times, strict=True):
                taken.append(_seconds(partial(_run, command, environment)))
    return 1000 * median(times[0]), 1000 * median(times[1])


def _run(command: Sequence[str], environment: Mapping[str, str]) -> None:
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True, env=environment)


def _seconds(play: Callable[[], object]) -> float:
    start = perf_counter()
    play()
    return perf_counter() - start


@contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """As on the command line; what was imported is no garbage."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
