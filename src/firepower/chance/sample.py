"""Sampling: the same steps played many times, for questions that cost too much to be exact.

Rows are still exact (a Resolution is drawn from its solved table); only the way through them is
drawn, so answers carry standard errors. What was seen is added up by column.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import sqrt
from random import Random
from typing import Any

import msgspec

from firepower.chance.bounds import PER_STRIDE, PER_WAY
from firepower.chance.distribution import Distribution
from firepower.chance.pools import Pools
from firepower.chance.rows import Rows
from firepower.chance.steps import Situation
from firepower.chance.tallies import AnyTally, Tally
from firepower.chance.walk import Walk

PLAYS_AT_ONCE = 4096
MOST_KNOWN = 500_000
"""When so many ways are remembered all are forgotten, so that a long question fits in memory."""

NEVER_SEEN = 3
"""What was never seen in n plays happens less often than 3 in n times, at 95 in 100."""

MOST_IN_A_BYTE = 255


class Sampled(msgspec.Struct, frozen=True):
    """The outcomes seen in `count` plays."""

    seen: Distribution[Any]
    count: int

    def error(self, share: float) -> float:
        """The standard error of a probability that was seen this often (0 to 1)."""
        return sqrt(share * (1 - share) / self.count)

    @property
    def mean_error(self) -> float:
        """The standard error of the mean."""
        return self.seen.sd / sqrt(self.count)

    @property
    def bound(self) -> float:
        """The chance that what was never seen has at most, at 95 in 100."""
        return min(1.0, NEVER_SEEN / self.count)


class Stops:
    """What a set of plays came to, at each mark and at the end ("")."""

    def __init__(self, width: int) -> None:
        self.by_label: dict[str, Stop] = {}
        self._width = width

    def add(self, label: str, parts: list[int], numbers: list[int]) -> None:
        """A play came to this stop."""
        stop = self.by_label.get(label)
        if stop is None:
            stop = self.by_label[label] = Stop(self._width)
        stop.add(parts, numbers)


class Stop:
    """What was seen where an answer is given: everybody's parts, and the number of each tally.

    Numbers of one play are a line of bytes where they fit, so that they are counted by column
    without looking at each.
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._narrow = bytearray()
        self._wide: list[list[int]] = []
        self._parts: list[tuple[int, ...]] = []

    def add(self, parts: list[int], numbers: list[int]) -> None:
        """A play came here."""
        self._parts.append(tuple(parts))
        try:
            self._narrow += bytes(numbers)
        except ValueError:
            self._wide.append(numbers.copy())

    def numbers(self, at: int) -> Counter[int]:
        """How often each number of one tally was seen."""
        counted = Counter([line[at] for line in self._wide])
        column = self._narrow[at :: self._width]
        number, left = 0, len(column)
        while left and number <= MOST_IN_A_BYTE:
            times = column.count(number)
            if times:
                counted[number] += times
                left -= times
            number += 1
        return counted

    def parts(self, who: tuple[int, ...]) -> Counter[tuple[int, ...]]:
        """How often each of the parts of these was seen together."""
        return Counter([tuple([parts[i] for i in who]) for parts in self._parts])


def draw(
    rows: Rows,
    pools: Pools,
    start: Situation,
    kept: frozenset[str],
    tallies: Sequence[AnyTally],
    count: int,
    seed: int,
    work: int | None = None,
) -> dict[str, list[Sampled]]:
    """Play `count` times; the outcomes of each tally at the end ("") and at each mark.

    An answer at a mark is about the plays that come to it. `work` may allow fewer plays, as many
    for equal seeds. Raises WidenError if somebody matters who is not kept.
    """
    rng = Random(seed)
    numbered = [each for each in tallies if isinstance(each, Tally)]
    counted: dict[str, list[Counter[Any]]] = {}
    walk = Walk(rows, pools, start, kept, numbered)
    played = spent = 0
    while played < count and (work is None or spent < work):
        if walk.known > MOST_KNOWN:
            walk = Walk(rows, pools, start, kept, numbered)
        stops, known = Stops(len(numbered)), walk.known
        for _ in range(min(PLAYS_AT_ONCE, count - played)):
            spent += PER_STRIDE * walk.play(rng, stops.add)
            played += 1
            if walk.known - known > MOST_KNOWN or (work is not None and spent > work):
                break
        spent += PER_WAY * (walk.known - known)
        for label, stop in stops.by_label.items():
            found = counted.setdefault(label, [Counter() for _ in tallies])
            for outcomes, more in zip(found, _seen(walk, stop, tallies), strict=True):
                outcomes.update(more)
    return {
        label: [Sampled(Distribution(each), each.total()) for each in found]
        for label, found in counted.items()
    }


def _seen(walk: Walk, stop: Stop, tallies: Sequence[AnyTally]) -> Iterator[Counter[Any]]:
    """How often each outcome of each tally was seen at one stop."""
    at = 0
    for tally in tallies:
        outcomes: Counter[Any] = Counter()
        if isinstance(tally, Tally):
            for number, times in stop.numbers(at).items():
                outcomes[tally.outcome(tally.capped(number))] += times
            at += 1
        else:
            who = walk.agendas.addresses[walk.agendas.who(tally.who)]
            for parts, times in stop.parts(who).items():
                outcomes[tally.of(walk.agendas.state(tally.who, parts))] += times
        yield outcomes
