"""Order: the ways out of a node, merged; the nodes of a graph, each after all that lead to it."""

from collections.abc import Sequence
from math import gcd
from typing import TypeAlias

from firepower.chance.tallies import Records

Edge: TypeAlias = tuple[int, int, Records]
"""One way out of a node: weight, node, records."""

Ways = Sequence[Sequence[tuple[int, int, object]]]
"""For each node its ways out: (weight, node, records)."""


def in_order(edges: Ways) -> tuple[list[int], int | None]:
    """A topological order from node 0 on, and a node that can be reached from itself if one can.

    With such a node there is no order, and what is given is only part of one.
    """
    if all(edge[1] > node for node, ways in enumerate(edges) for edge in ways):
        return list(range(len(edges))), None
    waiting = [0] * len(edges)
    for ways in edges:
        for edge in ways:
            waiting[edge[1]] += 1
    order = [] if waiting[0] else [0]
    for node in order:
        for edge in edges[node]:
            waiting[edge[1]] -= 1
            if not waiting[edge[1]]:
                order.append(edge[1])
    return order, _looping(edges, waiting) if len(order) < len(edges) else None


def _looping(edges: Ways, waiting: list[int]) -> int:
    """A node that can be reached from itself: going back from a stuck one, the first again."""
    stuck = [node for node, left in enumerate(waiting) if left]
    before = {edge[1]: node for node in stuck for edge in edges[node]}
    node, seen = stuck[0], set[int]()
    while node not in seen:
        seen.add(node)
        node = before[node]
    return node


def merged(ways: list[Edge]) -> list[Edge]:
    """Edges to one node with the same records are one edge; weights without a common factor."""
    if len(ways) == 1:
        return [(1, ways[0][1], ways[0][2])]
    if len({way[1] for way in ways}) == len(ways):
        return ways  # a row's weights have no common factor
    merged: dict[tuple[int, Records], int] = {}
    for weight, to, records in ways:
        key = (to, records)
        merged[key] = merged.get(key, 0) + weight
    shared = gcd(*merged.values())
    return [(weight // shared, to, records) for (to, records), weight in merged.items()]
