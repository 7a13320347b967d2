"""Sweeps: weights carried forward over an explored graph.

Weights are whole numbers. Every node has one denominator, the least that all ways to it share,
so nothing is rounded and nothing is cut off. A sweep answers for every mark at once.
"""

from collections.abc import Callable, Hashable, Sequence
from itertools import product
from math import lcm, prod
from typing import NamedTuple, TypeAlias

from firepower.chance.bounds import BITS_PER_UNIT, PER_EDGE, PER_STEP, Bounds
from firepower.chance.graph import Graph
from firepower.chance.tallies import Records, Tally

Numbers: TypeAlias = tuple[int, ...]
"""What was counted of several tallies, in their order."""

Outcomes: TypeAlias = tuple[int | bool, ...]
"""What several tallies come to together, in their order."""

MAX_PACKED_BITS = 8_000_000
PER_VALUE = 120
"""Bytes that a value carried along takes up, besides its weight."""


AtStop: TypeAlias = dict[Hashable, dict[Outcomes, int]]
"""Weights over one denominator: by what is true of the final state, then by outcomes."""


def sweep(
    graph: Graph,
    tallies: Sequence[Tally],
    start: Numbers,
    bounds: Bounds,
    final: Callable[[int], Hashable] | None = None,
) -> dict[str, AtStop]:
    """The weights of all outcomes at every stop, by the label of its mark.

    `start` is what the tallies are at the beginning; `final` says of a node what is true of its
    state (without it nothing is asked about that, and the key is None).
    """
    packing = _packing(graph, tallies, start)
    if packing is None:
        masses = _carried(graph, start, _adding(tallies), bounds)
    else:
        packed = _packed(graph, packing, bounds)
    found: dict[str, AtStop] = {}
    for label, nodes in graph.stops.items():
        whole = lcm(*[graph.denominators[node] for node in nodes])
        factors = {node: whole // graph.denominators[node] for node in nodes}
        stop = found[label] = {}
        for key, group in _groups(nodes, final).items():
            if packing is None:
                stop[key] = _added({node: masses[node] for node in group}, factors, tallies)
            else:
                mass = sum([packed[node] * factors[node] for node in group])
                stop[key] = _unpacked(mass, packing, tallies)
    return found


def _groups(nodes: list[int], final: Callable[[int], Hashable] | None) -> dict[Hashable, list[int]]:
    """The nodes of a stop by what is true of them."""
    if final is None:
        return {None: nodes}
    groups: dict[Hashable, list[int]] = {}
    for node in nodes:
        groups.setdefault(final(node), []).append(node)
    return groups


# -- value by value ------------------------------------------------------------------------------


def _added(
    masses: dict[int, dict[Numbers, int]], factors: dict[int, int], tallies: Sequence[Tally]
) -> dict[Outcomes, int]:
    """What was carried to some nodes of a stop, each with its factor to the stop's denominator."""
    found: dict[Outcomes, int] = {}
    for node, mass in masses.items():
        for numbers, share in mass.items():
            outcomes = tuple([t.outcome(n) for t, n in zip(tallies, numbers, strict=True)])
            found[outcomes] = found.get(outcomes, 0) + share * factors[node]
    return found


def _carried(
    graph: Graph, start: Numbers, add: Callable[[Numbers, Records], Numbers], bounds: Bounds
) -> list[dict[Numbers, int]]:
    """For each node of a stop the weights of each value, over the node's denominator.

    A value is anything that grows with records: `add` gives the grown one.
    """
    shares = graph.denominators
    masses: list[dict[Numbers, int]] = [{} for _ in shares]
    masses[0] = {start: 1}
    grown: dict[tuple[Numbers, Records], Numbers] = {}
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
    return masses


def _adding(tallies: Sequence[Tally]) -> Callable[[Numbers, Records], Numbers]:
    """How the numbers of several tallies grow together; only those that gain are touched."""
    gains: dict[Records, list[tuple[int, int]]] = {}

    def add(numbers: Numbers, records: Records) -> Numbers:
        gained = gains.get(records)
        if gained is None:
            worth = [tally.gain(records) for tally in tallies]
            gained = gains[records] = [(i, gain) for i, gain in enumerate(worth) if gain]
        grown = list(numbers)
        for i, gain in gained:
            grown[i] = tallies[i].grow(grown[i], gain)
        return tuple(grown)

    return add


# -- packed --------------------------------------------------------------------------------------


class Packing(NamedTuple):
    """How sums of several tallies are packed into one whole number: a field for each total.

    `gains` are the fields by which records raise, `spans` how many totals each tally can have (of
    the last they follow each other), `start` what they begin with.
    """

    bits: int
    gains: dict[Records, int]
    spans: tuple[int, ...]
    start: Numbers


def _packing(graph: Graph, tallies: Sequence[Tally], start: Numbers) -> Packing | None:
    """How to pack these tallies; None if one is a greatest, may fall, or lies too wide apart."""
    if any(tally.how == "greatest" for tally in tallies):
        return None
    spans, worths = [], []
    for tally in tallies:
        worth = {records: tally.gain(records) for records in graph.made}
        if worth and min(worth.values()) < 0:
            return None
        spans.append(1 + _highest(graph, worth))
        worths.append(worth)
    wholes = [lcm(*[graph.denominators[node] for node in nodes]) for nodes in graph.stops.values()]
    bits = 8 * (max(wholes).bit_length() // 8 + 1)
    if bits * prod(spans) > MAX_PACKED_BITS:
        return None
    strides = [prod(spans[i + 1 :]) for i in range(len(spans))]
    gains = {
        records: sum(
            [stride * worth[records] for stride, worth in zip(strides, worths, strict=True)]
        )
        for records in graph.made
    }
    return Packing(bits, gains, tuple(spans), start)


def _highest(graph: Graph, worth: dict[Records, int]) -> int:
    """The highest total that there can be."""
    highest = [0] * len(graph)
    for node in graph.order:
        so_far = highest[node]
        for _, to, records in graph.edges[node]:
            total = so_far + worth[records] if records else so_far
            if total > highest[to]:
                highest[to] = total
    return max(highest)


def _packed(graph: Graph, packing: Packing, bounds: Bounds) -> list[int]:
    """For each node of a stop its weights, packed, over the node's denominator.

    Adding records is then a shift, and adding up a node one addition.
    """
    bits, gains, shares = packing.bits, packing.gains, graph.denominators
    fields = prod(packing.spans)
    bounds.spend(graph.ways * (PER_EDGE + bits * fields // 2 // BITS_PER_UNIT))
    kept = {node for nodes in graph.stops.values() for node in nodes}
    held = 0
    came = [0] * len(graph)
    packed = [0] * len(graph)
    packed[0] = 1
    raised: dict[int, dict[int, int]] = {}
    for node in graph.order:
        mass = packed[node]
        held -= came[node]
        if node in raised:
            for gain, more in raised.pop(node).items():
                mass += more << (bits * gain)
        packed[node] = 0
        if node in kept:
            packed[node] = mass
            held += mass.bit_length() // 8
        bounds.check_size(held)
        edges = graph.edges[node]
        if not edges:
            continue
        onward = shares[node] * graph.totals[node]
        for weight, to, records in edges:
            share = shares[to]
            moved = mass * (weight if share == onward else weight * (share // onward))
            gain = gains[records] if records else 0
            if not came[to]:
                came[to] = moved.bit_length() // 8 + bits * gain // 8
                held += came[to]
            if gain:
                above = raised.setdefault(to, {})
                above[gain] = above[gain] + moved if gain in above else moved
            elif packed[to]:
                packed[to] += moved
            else:
                packed[to] = moved
    return packed


def _unpacked(mass: int, packing: Packing, tallies: Sequence[Tally]) -> dict[Outcomes, int]:
    """The weight of all outcomes packed into one."""
    if not tallies:
        return {(): mass}
    field = packing.bits // 8
    raw = mass.to_bytes(field * (mass.bit_length() // packing.bits + 1), "little")
    each = zip(tallies, packing.start, packing.spans, strict=True)
    totals = [[t.outcome(t.capped(begun + n)) for n in range(span)] for t, begun, span in each]
    found: dict[Outcomes, int] = {}
    for at, outcomes in zip(range(0, len(raw), field), product(*totals), strict=False):
        weight = int.from_bytes(raw[at : at + field], "little")
        if weight:
            found[outcomes] = found.get(outcomes, 0) + weight
    return found
