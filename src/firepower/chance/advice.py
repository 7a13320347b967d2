"""Advice: values pulled back over the graph, so that every option of every Choice has its worth."""

from collections import Counter
from fractions import Fraction
from math import lcm
from typing import Any

import msgspec

from firepower.chance.bounds import PER_EDGE, Bounds
from firepower.chance.graph import Graph
from firepower.chance.steps import Next, Step, View
from firepower.chance.tallies import NOBODY, Address, AnyTally, Final, Records, Tally


class Goal(msgspec.Struct, frozen=True):
    """What advice is for: the expected measure, or the chance that it is at least a number."""

    tally: AnyTally
    at_least: int | None = None

    @property
    def is_chance(self) -> bool:
        """Whether the value is a probability."""
        if self.at_least is not None:
            return True
        return isinstance(self.tally, Tally) and self.tally.how == "any"

    @property
    def is_plain_sum(self) -> bool:
        """Whether the goal is an expected sum of records, which needs no state of its own."""
        return (
            isinstance(self.tally, Tally)
            and self.tally.how == "sum"
            and self.tally.cap is None
            and self.at_least is None
        )


class Reached(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """The last step of a question with a goal that must know what was recorded: did we reach it?

    `falls`: what is counted may become less again, so that it is counted to the end.
    """

    goal: Goal
    falls: bool = False

    signed = True

    @property
    def sees(self) -> Address:
        """Whom it is addressed to."""
        tally = self.goal.tally
        if isinstance(tally, Tally):
            return NOBODY
        return tally.who if isinstance(tally.who, tuple) or not tally.who else (tally.who,)

    @property
    def counted(self) -> Tally | None:
        """The goal's tally, counted no further than needed and apart from what the game reads."""
        tally, enough = self.goal.tally, self.goal.at_least
        if isinstance(tally, Final):
            return None
        cap, weights = tally.cap, tally.weights
        if weights:
            weights = (*weights, 0)
        falls = self.falls or any(weight < 0 for weight in weights)
        if enough is not None and tally.how != "any" and not falls:
            cap = max(0, enough if cap is None else min(cap, enough))
        return Tally((*tally.names, *REACHED.names), tally.how, cap, weights)

    @property
    def reads(self) -> tuple[Tally, ...]:
        return () if self.counted is None else (self.counted,)

    def then(self, view: View, _: None) -> Next[View]:
        if isinstance(self.goal.tally, Final):
            worth: Any = self.goal.tally.of(view.of(self.goal.tally.who))
        else:
            assert self.counted is not None
            worth = view.tally(self.counted)
        if self.goal.at_least is not None:
            worth = worth >= self.goal.at_least
        return Next(view, records={REACHED.names[0]: int(worth)})


REACHED = Tally(("goal reached",))


class Decision(msgspec.Struct, frozen=True):
    """One Choice that may come up: its options with their values, and how likely it is to come.

    `arrives` is the chance of coming to it when every open Choice is made for the best. `mark` is
    what ends next after it. `states` are how those who matter may stand then, by name: several
    where it makes no difference to any option.
    """

    label: str
    by: str
    arrives: Fraction
    options: tuple[tuple[str, Fraction], ...]
    best: str
    policy: str
    mark: str
    states: tuple[tuple[tuple[str, Any], ...], ...]

    @property
    def matters(self) -> bool:
        """Whether the options differ in value."""
        return any(value != self.options[0][1] for _, value in self.options)


class Advice(msgspec.Struct, frozen=True):
    """The value of the best play, and the decisions on the way in the order they may come.

    `is_chance` says that values are probabilities, `least` that the lowest was sought, `policies`
    that some Choices follow theirs.
    """

    value: Fraction
    decisions: tuple[Decision, ...]
    situations: int
    is_chance: bool
    least: bool
    policies: bool


class Value:
    """A fraction kept as two whole numbers, not reduced until somebody asks."""

    __slots__ = ("over", "up")

    def __init__(self, up: int, over: int) -> None:
        self.up = up
        self.over = over

    def __lt__(self, other: "Value") -> bool:
        return self.up * other.over < other.up * self.over

    def fraction(self) -> Fraction:
        return Fraction(self.up, self.over)


def advise(
    graph: Graph,
    goal: Goal,
    begun: int,
    askers: frozenset[str] | None,
    bounds: Bounds,
    *,
    least: bool,
) -> Advice:
    """Pull the expected sum of the goal's records back over a graph with open Choices.

    The askers (None: whoever is asked) take the highest value, or with `least` the lowest;
    everybody else whose Choices are open takes the opposite.
    """
    tally = goal.tally if goal.is_plain_sum else REACHED
    assert isinstance(tally, Tally)
    gains: dict[Records, int] = {(): 0}
    values: list[Value] = [Value(0, 1)] * len(graph)
    taken: dict[int, int] = {}
    worths: dict[int, list[Value]] = {}
    for node in reversed(graph.order):
        edges = graph.edges[node]
        if not edges:
            continue
        bounds.spend(len(edges) * (PER_EDGE + values[edges[0][1]].over.bit_length()))
        ways = []
        for _, to, records in edges:
            gain = gains.get(records)
            if gain is None:
                gain = gains[records] = tally.gain(records)
            after = values[to]
            ways.append(Value(after.up + gain * after.over, after.over) if gain else after)
        if node in graph.choices:
            mine = graph.choices[node].is_open_to(askers)
            pick = min if mine == least else max
            best = pick(range(len(ways)), key=ways.__getitem__)
            taken[node], worths[node], values[node] = best, ways, ways[best]
        elif len(edges) == 1:
            values[node] = ways[0]
        else:
            over = lcm(*(way.over for way in ways))
            up = sum(e[0] * w.up * (over // w.over) for e, w in zip(edges, ways, strict=True))
            values[node] = Value(up, over * graph.totals[node])
    arrivals = _arrivals(graph, taken, gains)
    looks = [(name, graph.looking_at(name)) for name in graph.names if graph.is_kept(name)]
    decisions = {
        node: Decision(
            choice.label,
            choice.by,
            arrivals[node][0],
            tuple(
                (option.key, way.fraction() + begun + arrivals[node][1])
                for option, way in zip(choice.options, worths[node], strict=True)
            ),
            choice.options[taken[node]].key,
            choice.policy,
            graph.mark(node),
            (tuple([(name, look(node)) for name, look in looks]),),
        )
        for node in graph.order
        if (choice := graph.choices.get(node)) is not None and arrivals[node][0]
    }
    value = values[0].fraction() + begun
    grouped = _grouped(graph, taken, decisions)
    policies = any(choice.stated is None for choice in graph.settled.values())
    return Advice(value, grouped, len(graph), goal.is_chance, least, policies)


def _grouped(
    graph: Graph, taken: dict[int, int], decisions: dict[int, Decision]
) -> tuple[Decision, ...]:
    """Decisions that differ in nothing that matters are one, unless both may come in one play."""
    alike = {
        node: msgspec.structs.replace(each, arrives=Fraction(0), states=())
        for node, each in decisions.items()
    }
    before = _how_often_before_the_end(graph, taken, alike)
    groups: dict[tuple[Decision, int], list[Decision]] = {}
    for node, each in decisions.items():
        groups.setdefault((alike[node], before[node]), []).append(each)
    return tuple(
        msgspec.structs.replace(
            decision,
            arrives=sum([each.arrives for each in group], Fraction(0)),
            states=tuple([state for each in group for state in each.states]),
        )
        for (decision, _), group in groups.items()
    )


def _how_often_before_the_end(
    graph: Graph, taken: dict[int, int], alike: dict[int, Decision]
) -> dict[int, int]:
    """For each decision how many like it may still come after it, when the best is done.

    Two with the same number are never in one play.
    """
    often = Counter(alike.values())
    bits: dict[tuple[Decision, int], int] = {}
    ahead = [0] * len(graph)
    found: dict[int, int] = {}
    for node in reversed(graph.order):
        edges = graph.edges[node]
        if node in taken:
            edges = [edges[taken[node]]]
        for _, to, _ in edges:
            ahead[node] |= ahead[to]
        if node in alike and often[alike[node]] == 1:
            found[node] = 0
        elif node in alike:
            number = 0
            while ahead[node] & bits.get((alike[node], number), 0):
                number += 1
            found[node] = number
            ahead[node] |= bits.setdefault((alike[node], number), 1 << len(bits))
    return found


def _arrivals(
    graph: Graph, taken: dict[int, int], gains: dict[Records, int]
) -> dict[int, tuple[Fraction, Fraction]]:
    """For each open Choice under best play the chance of it, and what is gained by then."""
    shares = graph.denominators
    masses = [0] * len(graph)
    gained = [0] * len(graph)
    masses[0] = 1
    for node in graph.order:
        edges, mass = graph.edges[node], masses[node]
        if node in taken:
            edges = [edges[taken[node]]]
        onward = shares[node] * graph.totals[node]
        for weight, to, records in edges:
            factor = weight * (shares[to] // onward)
            masses[to] += mass * factor
            gained[to] += (gained[node] + gains[records] * mass) * factor
    return {
        node: (Fraction(masses[node], shares[node]), Fraction(gained[node], masses[node] or 1))
        for node in taken
    }
