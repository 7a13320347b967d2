"""Sweeps: weights carried forward over an explored graph, one sweep for each tally.

Weights are whole numbers. Every node has one denominator, the least that all ways to it share,
so nothing is rounded and nothing is cut off. A sweep answers for every mark at once.
"""

from collections.abc import Callable, Hashable, Sequence
from math import lcm
from typing import TypeAlias, TypeVar

from firepower.chance.bounds import BITS_PER_UNIT, PER_EDGE, PER_STEP, Bounds
from firepower.chance.graph import Graph
from firepower.chance.tallies import Records, Tally

T = TypeVar("T", bound=Hashable)

AtStops: TypeAlias = dict[str, dict[T, int]]
"""Weights by where an answer is given: the label of a mark, or "" for the end."""

MAX_PACKED_BITS = 8_000_000
PER_VALUE = 120
"""Bytes that a value carried along takes up, besides its weight."""


def carried(
    graph: Graph, start: T, add: Callable[[T, Records], T], bounds: Bounds
) -> dict[str, dict[int, dict[T, int]]]:
    """For each node of each stop the weights of each value, all of a stop over one denominator.

    A value is anything that grows with records: `add` gives the grown one.
    """
    shares = graph.denominators
    masses: list[dict[T, int]] = [{} for _ in shares]
    masses[0] = {start: 1}
    grown: dict[tuple[T, Records], T] = {}
    kept = {node for nodes in graph.stops.values() for node in nodes}
    held = 1
    for node in graph.order:
        edges = graph.edges[node]
        mass = masses[node]
        bits = shares[node].bit_length()
        bounds.spend(len(mass) * len(edges) * (PER_STEP + bits // BITS_PER_UNIT))
        bounds.check_size(held * (PER_VALUE + bits // 8))
        if not edges:
            continue
        onward = shares[node] * graph.totals[node]
        for weight, to, records in edges:
            factor = weight * (shares[to] // onward)
            into = masses[to]
            before = len(into)
            for value, share in mass.items():
                if records:
                    key = (value, records)
                    after = grown.get(key)
                    if after is None:
                        after = grown[key] = add(value, records)
                else:
                    after = value
                into[after] = into.get(after, 0) + share * factor
            held += len(into) - before
        if node not in kept:
            masses[node] = {}
            held -= len(mass)
    found: dict[str, dict[int, dict[T, int]]] = {}
    for label, nodes in graph.stops.items():
        whole = lcm(*[shares[node] for node in nodes])
        found[label] = {
            node: {value: share * (whole // shares[node]) for value, share in masses[node].items()}
            for node in nodes
        }
    return found


def joint_add(tallies: Sequence[Tally]) -> Callable[[tuple[int, ...], Records], tuple[int, ...]]:
    """How the numbers of several tallies grow together; only those that gain are touched."""
    gains: dict[Records, list[tuple[int, int]]] = {}

    def add(numbers: tuple[int, ...], records: Records) -> tuple[int, ...]:
        gained = gains.get(records)
        if gained is None:
            worth = [tally.gain(records) for tally in tallies]
            gained = gains[records] = [(i, gain) for i, gain in enumerate(worth) if gain]
        grown = list(numbers)
        for i, gain in gained:
            grown[i] = tallies[i].grow(grown[i], gain)
        return tuple(grown)

    return add


def tally_sweep(graph: Graph, tally: Tally, start: int, bounds: Bounds) -> AtStops[int]:
    """The weight of each number that the tally comes to, at every stop."""
    if graph.recorded.isdisjoint(tally.names):
        return {label: {start: 1} for label in graph.stops}
    if tally.how == "sum":
        packed = _packed_sweep(graph, tally, bounds)
        if packed is not None:
            return {label: _capped(found, tally, start) for label, found in packed.items()}
    at_stops: AtStops[int] = {}
    for label, nodes in carried(graph, start, tally.add, bounds).items():
        merged = at_stops[label] = {}
        for weights in nodes.values():
            for number, weight in weights.items():
                merged[number] = merged.get(number, 0) + weight
    return at_stops


def _capped(found: dict[int, int], tally: Tally, start: int) -> dict[int, int]:
    totals: dict[int, int] = {}
    for number, weight in found.items():
        capped = tally.capped(start + number)
        totals[capped] = totals.get(capped, 0) + weight
    return totals


def _packed_sweep(graph: Graph, tally: Tally, bounds: Bounds) -> AtStops[int] | None:
    """Sums, with all totals of a node packed into one whole number, a fixed field for each.

    Adding records is then a shift, and adding up a node one addition. None if a record is less
    than nothing, or if totals are so wide apart that the fields would mostly stand empty.
    """
    gains, highest = _gains(graph, tally)
    if min(gains.values()) < 0:
        return None
    shares, stops = graph.denominators, graph.stops
    wholes = {label: lcm(*[shares[node] for node in nodes]) for label, nodes in stops.items()}
    count = 1 + max(highest)
    field = (max(wholes.values()).bit_length() + 7) // 8
    if 8 * field * count > MAX_PACKED_BITS:
        return None
    bits = 8 * field
    bounds.spend(graph.ways * PER_EDGE + bits * _values(graph, highest) // BITS_PER_UNIT)
    bounds.check_size(field * sum(highest))
    kept = {node for nodes in stops.values() for node in nodes}
    packed = [0] * len(graph)
    packed[0] = 1
    raised: dict[int, dict[int, int]] = {}
    for node in graph.order:
        mass = packed[node]
        if node in raised:
            for gain, more in raised.pop(node).items():
                mass += more << (bits * gain)
        edges = graph.edges[node]
        packed[node] = mass if node in kept else 0
        if not edges:
            continue
        onward = shares[node] * graph.totals[node]
        for weight, to, records in edges:
            share = shares[to]
            factor = weight if share == onward else weight * (share // onward)
            moved = mass * factor
            gain = gains[records]
            if gain:
                above = raised.setdefault(to, {})
                above[gain] = above[gain] + moved if gain in above else moved
            elif packed[to]:
                packed[to] += moved
            else:
                packed[to] = moved
    found = {}
    for label, nodes in stops.items():
        total = sum([packed[node] * (wholes[label] // shares[node]) for node in nodes])
        raw = total.to_bytes(field * count, "little")
        weights = [int.from_bytes(raw[i : i + field], "little") for i in range(0, len(raw), field)]
        found[label] = {number: weight for number, weight in enumerate(weights) if weight}
    return found


def _values(graph: Graph, highest: list[int]) -> int:
    """How many fields are carried along all ways together."""
    return sum([(most + 1) * len(edges) for most, edges in zip(highest, graph.edges, strict=True)])


def _gains(graph: Graph, tally: Tally) -> tuple[dict[Records, int], list[int]]:
    """What each group of records adds, and for each node the highest total it can have."""
    gains: dict[Records, int] = {(): 0}
    highest = [0] * len(graph)
    for node in graph.order:
        so_far = highest[node]
        for _, to, records in graph.edges[node]:
            gain = gains.get(records)
            if gain is None:
                gain = gains[records] = tally.gain(records)
            if so_far + gain > highest[to]:
                highest[to] = so_far + gain
    return gains, highest
