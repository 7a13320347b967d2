"""Sampling: the same steps played many times, for questions with too many situations.

Rows are still exact (a Resolution is drawn from its solved table); only the way through them is
drawn, so the answers carry standard errors.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from math import sqrt
from random import Random
from typing import Any, TypeAlias

import msgspec

from firepower.chance.distribution import Distribution
from firepower.chance.graph import Graph
from firepower.chance.rows import Records
from firepower.chance.steps import Final, Measure
from firepower.chance.sweep import joint_add

MOST_EXACT_FLOAT = 1 << 52

Passed: TypeAlias = tuple[str, int, int]
"""A mark that a play passed, the node there, and how many records were made by then."""


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


class Walker:
    """Walks a graph from its beginning to an end, finding nodes when it first comes to them."""

    def __init__(self, graph: Graph, rng: Random) -> None:
        self.graph = graph
        self._random = rng.random
        self._below = rng.randrange
        self._cuts: list[list[int] | None] = []
        self._ends: list[str] = []

    def walk(self) -> tuple[int, list[Records], list[Passed]]:
        """One play: the end it came to, the records on the way, and the marks that it passed."""
        graph, cuts, random = self.graph, self._cuts, self._random
        node = 0
        made: list[Records] = []
        passed: list[Passed] = []
        while True:
            if node >= len(cuts):
                new = range(len(cuts), len(graph))
                cuts.extend([None] * len(new))
                self._ends.extend([graph.ends(other) for other in new])
            cut = cuts[node]
            if cut is None:
                graph.expand(node)
                cut = cuts[node] = list(accumulate(edge[0] for edge in graph.edges[node]))
            edges = graph.edges[node]
            if not edges:
                return node, made, passed
            if self._ends[node]:
                passed.append((self._ends[node], node, len(made)))
            if len(edges) == 1:
                edge = edges[0]
            else:
                total = cut[-1]
                exact = total < MOST_EXACT_FLOAT
                drawn = int(random() * total) if exact else self._below(total)
                edge = edges[bisect_right(cut, drawn)]
            if edge[2]:
                made.append(edge[2])
            node = edge[1]


def draw(
    begin: Callable[[], Graph],
    before: Records,
    measures: Sequence[Measure | Final],
    count: int,
    rng: Random,
    limit: int,
) -> dict[str, list[Sampled]]:
    """Walk `count` times and count the outcomes of each measure, at the end ("") and at each mark.

    `begin` gives a graph to walk on; one that has grown beyond `limit` situations is let go and
    begun anew, so that a long question fits into memory.
    """
    tallied = [measure for measure in measures if isinstance(measure, Measure)]
    add = joint_add(tallied)
    first = add((0,) * len(tallied), before)
    counted: dict[str, list[Counter[Any]]] = {}
    left = count
    while left:
        walker = Walker(begin(), rng)
        seen: Counter[tuple[tuple[Records, ...], tuple[Passed, ...]]] = Counter()
        while left and len(walker.graph) <= limit:
            end, records, passed = walker.walk()
            seen[tuple(records), (*passed, ("", end, len(records)))] += 1
            left -= 1
        for (made, passed_by), times in seen.items():
            tally, at = first, 0
            for mark, node, by_then in passed_by:
                for each in made[at:by_then]:
                    tally = add(tally, each)
                at = by_then
                if mark not in counted:
                    counted[mark] = [Counter() for _ in measures]
                numbers = iter(tally)
                for weights, measure in zip(counted[mark], measures, strict=True):
                    if isinstance(measure, Final):
                        weights[measure.of(walker.graph.part(node, measure.who))] += times
                    else:
                        weights[measure.outcome(next(numbers))] += times
    return {
        mark: [Sampled(Distribution(weights), count) for weights in at_mark]
        for mark, at_mark in counted.items()
    }
