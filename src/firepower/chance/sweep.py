"""Sweeps: weights carried forward over an explored graph, one sweep for each measure.

Weights are whole numbers. Every node has one denominator, the least that all ways to it share,
so nothing is rounded and nothing is cut off.
"""

from collections.abc import Callable, Hashable, Sequence
from math import lcm
from typing import TypeVar

from firepower.chance.graph import Graph
from firepower.chance.rows import Records
from firepower.chance.steps import Measure

T = TypeVar("T", bound=Hashable)

MAX_PACKED_BITS = 8_000_000


def tally_sweep(graph: Graph, start: T, add: Callable[[T, Records], T]) -> dict[int, dict[T, int]]:
    """For each end of the graph the weights of each tally, all over one denominator.

    A tally is anything that grows with records: `add` gives the grown one.
    """
    shares = graph.denominators
    masses: list[dict[T, int]] = [{} for _ in shares]
    masses[0] = {start: 1}
    grown: dict[tuple[T, Records], T] = {}
    ends = [node for node in graph.order if not graph.edges[node]]
    whole = lcm(*(shares[end] for end in ends))
    for node in graph.order:
        edges = graph.edges[node]
        if not edges:
            continue
        mass = masses[node]
        onward = shares[node] * graph.totals[node]
        for weight, to, records in edges:
            factor = weight * (shares[to] // onward)
            into = masses[to]
            if not records:
                for tally, share in mass.items():
                    into[tally] = into.get(tally, 0) + share * factor
                continue
            for tally, share in mass.items():
                key = (tally, records)
                after = grown.get(key)
                if after is None:
                    after = grown[key] = add(tally, records)
                into[after] = into.get(after, 0) + share * factor
        masses[node] = {}
    return {
        end: {tally: share * (whole // shares[end]) for tally, share in masses[end].items()}
        for end in ends
    }


def joint_add(
    measures: Sequence[Measure],
) -> Callable[[tuple[int, ...], Records], tuple[int, ...]]:
    """How the numbers of several measures grow together; only those that gain are touched."""
    gains: dict[Records, list[tuple[int, int]]] = {}

    def add(tally: tuple[int, ...], records: Records) -> tuple[int, ...]:
        gained = gains.get(records)
        if gained is None:
            worth = [measure.gain(records) for measure in measures]
            gained = gains[records] = [(i, gain) for i, gain in enumerate(worth) if gain]
        grown = list(tally)
        for i, gain in gained:
            grown[i] = measures[i].grow(grown[i], gain)
        return tuple(grown)

    return add


def measure_sweep(graph: Graph, measure: Measure, start: int) -> dict[int, int]:
    """The weight of each number that the measure comes to, over one denominator."""
    if graph.recorded.isdisjoint(measure.names):
        return {start: 1}
    if measure.how == "sum":
        packed = _packed_sweep(graph, measure)
        if packed is not None:
            totals: dict[int, int] = {}
            for number, weight in packed.items():
                capped = start + number if measure.cap is None else min(start + number, measure.cap)
                totals[capped] = totals.get(capped, 0) + weight
            return totals
    merged: dict[int, int] = {}
    for weights in tally_sweep(graph, start, measure.add).values():
        for number, weight in weights.items():
            merged[number] = merged.get(number, 0) + weight
    return merged


def _packed_sweep(graph: Graph, measure: Measure) -> dict[int, int] | None:
    """Sums, with all totals of a node packed into one whole number, a fixed field for each.

    Adding records is then a shift, and adding up a node one addition. None if a record is less
    than nothing, or if totals are so wide apart that the fields would mostly stand empty.
    """
    gains, highest = _gains(graph, measure)
    if min(gains.values()) < 0:
        return None
    shares = graph.denominators
    ends = [node for node in graph.order if not graph.edges[node]]
    whole = lcm(*[shares[end] for end in ends])
    count = 1 + max([highest[end] for end in ends])
    field = (whole.bit_length() + 7) // 8
    if 8 * field * count > MAX_PACKED_BITS:
        return None
    bits = 8 * field
    packed = [0] * len(graph)
    packed[0] = 1
    raised: dict[int, dict[int, int]] = {}
    for node in graph.order:
        mass = packed[node]
        if node in raised:
            for gain, more in raised.pop(node).items():
                mass += more << (bits * gain)
        edges = graph.edges[node]
        if not edges:
            packed[node] = mass
            continue
        packed[node] = 0
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
    total = sum([packed[end] * (whole // shares[end]) for end in ends])
    raw = total.to_bytes(field * count, "little")
    weights = [int.from_bytes(raw[i : i + field], "little") for i in range(0, len(raw), field)]
    return {number: weight for number, weight in enumerate(weights) if weight}


def _gains(graph: Graph, measure: Measure) -> tuple[dict[Records, int], list[int]]:
    """What each group of records adds, and for each node the highest total it can have."""
    gains: dict[Records, int] = {(): 0}
    highest = [0] * len(graph)
    for node in graph.order:
        so_far = highest[node]
        for _, to, records in graph.edges[node]:
            gain = gains.get(records)
            if gain is None:
                gain = gains[records] = measure.gain(records)
            if so_far + gain > highest[to]:
                highest[to] = so_far + gain
    return gains, highest
