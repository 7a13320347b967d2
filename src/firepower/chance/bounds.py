"""Bounds: how much an exact answer may cost, in situations and in work; never in seconds.

Work is counted, not timed, so that a question has the same answer on every machine. A unit is
about a nanosecond on a common one.
"""

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from firepower.chance.errors import LimitError

DEFAULT_SITUATIONS = 200_000
DEFAULT_WORK = 2_500_000_000
DEFAULT_BYTES = 500_000_000

PER_ANSWER = 3_000
PER_NODE = 4_000
PER_EDGE = 900
PER_STEP = 350
"""Work for what a row reads, for a situation, for a way out of it, for a value carried along."""

PER_STRIDE = 1_000
PER_WAY = 10_000
"""Work for a stride that a play takes, and for a way that it comes to know."""

SAMPLING = 2
"""How many times the work for exact answers may be spent on plays where it did not suffice; no less
than so many times the default."""

BITS_PER_UNIT = 16
"""How many bits of a whole number are multiplied or added in a unit of work."""


class Look(NamedTuple):
    """How far a graph was explored when what is ahead was reckoned, and how much that is."""

    cost: int
    ways: int
    nodes: int
    ahead: int


class Bounds:
    """What is left of the work for one question, over all that is asked of it.

    `situations` bounds each graph, `work` all together, `size` the bytes that the weights of one
    sweep take up. Passing one raises LimitError. `asked` counts the tallies that are asked for, by
    whom they are about: a graph is swept for all who are not left out of it. `paid` are the graphs
    that were counted: one that is remembered is counted as if it had to be explored. `refused` are
    those given up.
    """

    def __init__(
        self,
        situations: int = DEFAULT_SITUATIONS,
        work: int | None = DEFAULT_WORK,
        size: int = DEFAULT_BYTES,
    ) -> None:
        self.situations = situations
        self.work = work
        self.size = size
        self.spent = 0
        self.asked: Counter[frozenset[str]] = Counter()
        self.paid: set[Hashable] = set()
        self.refused: dict[Hashable, LimitError] = {}

    def check_situations(self, number: int) -> None:
        """LimitError if there are more situations than may be looked at, or will be."""
        if number > self.situations:
            raise LimitError("situations", self.situations)

    def check_work(self, more: int) -> None:
        """LimitError if so much more work would be too much."""
        if self.work is not None and self.spent + more > self.work:
            raise LimitError("work", self.work)

    def check_size(self, size: int) -> None:
        """LimitError if so many bytes are too many."""
        if size > self.size:
            raise LimitError("bytes", self.size)

    def check_look(self, look: Look, asked: int, unpaid: int = 0) -> None:
        """LimitError if what is ahead is too much, with so many sweeps over all of it."""
        self.check_situations(look.nodes + look.ahead)
        sweeps = asked * look.ways * PER_STEP
        like_these = look.nodes * PER_NODE + look.ways * PER_EDGE + sweeps
        self.check_work(unpaid + sweeps + like_these * look.ahead // look.nodes)

    def pay(self, looks: Iterable[Look], cost: int, asked: int) -> None:
        """Count a graph that is remembered; LimitError wherever exploring it would have ended."""
        for look in looks:
            self.check_look(look, asked, look.cost)
        self.spend(cost)

    def spend(self, work: int) -> None:
        """Count work; LimitError if it is too much by now."""
        self.spent += work
        self.check_work(0)


class Growth:
    """How a question grows from mark to mark: early enough it is told what becomes too large.

    Each stage to come is taken to add as many situations as the last one did, or, if that is less,
    as many for each that it begins with as the stage that so far added the fewest.
    """

    def __init__(self) -> None:
        self._known = 0
        self._begun = 1
        self._least: int | None = None

    def ahead(self, known: int, begun: int, left: int) -> int:
        """How many situations at least are ahead of a mark, with so many more marks to come.

        `known` are found so far, with `begun` of them the next stage begins.
        """
        added = known - self._known
        each = added // self._begun
        self._least = each if self._least is None else min(self._least, each)
        self._known, self._begun = known, begun
        return left * min(added, begun * self._least)
