"""Fights simulated by hand, one file each: plain Python that shares no code with the engine.

Each plays one fight on numbers of its own and gives every measure at the end of every round, so
that it is both an independent check and the speed that a simulation written for one fight has.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

Row: TypeAlias = tuple[int, ...]
"""The value of every measure at the end of a round."""

Play: TypeAlias = Callable[[int, Callable[[], float]], list[Row]]
"""One fight of so many rounds, on random numbers from 0 to 1: a row for each round."""

Seen: TypeAlias = dict[str, dict[str, Counter[int]]]
"""How often each outcome of each measure was seen, by what has ended: "round 1", ..."""

AT_ONCE = 200
"""So many plays are kept before they are counted, a measure at a time."""


def tally(
    play: Play, names: Sequence[str], never: Sequence[str], plays: int, seed: int, rounds: int
) -> Seen:
    """Play so often and count the outcomes of the measures in `names`, which a row begins with.

    Those in `never` come after them and are nothing in this fight, so they need no counting.
    """
    random = Random(seed).random
    labels = [f"round {number}" for number in range(1, rounds + 1)]
    seen: Seen = {label: {name: Counter() for name in names} for label in labels}
    for begun in range(0, plays, AT_ONCE):
        played = [play(rounds, random) for _ in range(min(AT_ONCE, plays - begun))]
        for counters, rows in zip(seen.values(), zip(*played, strict=True), strict=True):
            columns = zip(*rows, strict=True)
            for counter, column in zip(counters.values(), columns, strict=False):
                counter.update(column)
    for counters in seen.values():
        counters |= {name: Counter({0: plays}) for name in never}
    return seen
