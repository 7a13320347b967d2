"""The merged graph of situations: explored once, without weights, then put in order.

A node is an agenda with a state. Nodes that are reached by different dice are one node, so the
cost grows with distinct situations and not with dice paths.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from math import lcm
from typing import Any, TypeAlias

from firepower.chance.agenda import Agendas
from firepower.chance.bounds import PER_ANSWER, PER_EDGE, PER_NODE, Bounds, Growth, Look
from firepower.chance.errors import EndlessError
from firepower.chance.order import Edge, in_order, merged
from firepower.chance.pools import FEWEST_POOLED, Pool, Pools
from firepower.chance.rows import Row, Rows
from firepower.chance.steps import Choice, Mark, Question, Resolution, Situation, asked_of
from firepower.chance.tallies import EVERYBODY, Address, Records
from firepower.chance.views import State, Tallies, Views

Place: TypeAlias = tuple[int, State, Tallies]
PlainWays: TypeAlias = tuple[int, list[tuple[int, int, Records]]]
"""The ways of a step that pushes nothing: total, (weight, part after, records) of each."""

NO_CHOOSERS: frozenset[str] = frozenset()


COUNTED_AT_ONCE = 5_000
"""So many ways and answers are found between two looks at the bounds."""

MET_BEFORE = 3
"""A run of repeats is pooled when it has come so often before; a pool costs something to make."""


class Graph:
    """The nodes of one question, for the tallies of some combatants (`kept`).

    What cannot reach them is left out; WidenError says when one of the others matters.
    `choosers` are those whose Choices stay open (None: everybody's); all other Choices follow
    their policy. Node 0 is the beginning; `order` is topological; a node without edges is an end.
    """

    def __init__(
        self,
        rows: Rows,
        pools: Pools,
        start: Situation,
        kept: frozenset[str],
        choosers: frozenset[str] | None = NO_CHOOSERS,
    ) -> None:
        self.rows = rows
        self.pools = pools
        self.names = start.names
        self.choosers = choosers
        self.agendas = Agendas(rows, start.names, kept)
        self.views = Views(rows, self.agendas)
        self.places: list[Place] = []
        self.edges: list[list[Edge]] = []
        self.totals: list[int] = []
        self.choices: dict[int, Choice[Any]] = {}
        self.settled: dict[int, Choice[Any]] = {}
        self.marks: dict[int, Mark] = {}
        self.order: list[int] = []
        self.ways = 0
        self.cost = 0
        self.looks: list[Look] = []
        self._read = self._counted = 0
        self._solving = 0
        self._used: set[tuple[int, int]] = set()
        self._runs: dict[tuple[int, int, int], int] = {}
        self._resolved: set[Resolution] = set()
        self._pools_made: set[tuple[int, int, int]] = set()
        self._nodes: dict[Place, int] = {}
        self._pooled: dict[int, tuple[int, ...]] = {}
        self._plain: dict[tuple[int, int, int], PlainWays | None] = {}
        parts = tuple(rows.part_id(part) for part in start.parts)
        self._node(self.agendas.begin(start.agenda), parts, start.tallies, ())

    def __len__(self) -> int:
        return len(self.places)

    def explore(self, bounds: Bounds, asked: int = 1) -> None:
        """Find every node, from one mark to the next, and put them in order.

        `asked` is how many sweeps will follow. Raises LimitError when there are too many nodes or
        ways, or will be by the last mark; EndlessError if a node can be reached from itself.
        """
        places, edges, marks = self.places, self.edges, self.marks
        at = 0
        waiting: list[int] = []
        growth = Growth()
        while True:
            while at < len(places):
                if at in marks:
                    waiting.append(at)
                elif not edges[at] and not self._expand_run(at, bounds):
                    self.expand(at)
                at += 1
                if self.ways + self._read - self._counted > COUNTED_AT_ONCE:
                    self._count(bounds)
            self._count(bounds)
            if not waiting:
                break
            left = max([marks[node].left for node in waiting])
            if left:
                self._look_ahead(bounds, growth.ahead(len(places), len(waiting), left), asked)
            for node in waiting:
                self.expand(node)
            waiting.clear()
        self._look_ahead(bounds, 0, asked)
        self.order = self._in_order()

    def _in_order(self) -> list[int]:
        """The nodes, each after all that lead to it."""
        order, looping = in_order(self.edges)
        if looping is not None:
            cell = self.agendas.cells[self.places[looping][0]]
            step = type(self.rows.steps[cell[0]].step).__name__
            raise EndlessError(
                f"the step {step} can come back to where it was, so the question never ends; give "
                "it a cap"
            )
        return order

    def _count(self, bounds: Bounds) -> None:
        """Count what exploring has cost since this was last done."""
        bounds.check_situations(len(self.places))
        cost = len(self) * PER_NODE + self.ways * PER_EDGE + self._read * PER_ANSWER
        cost += self._solving
        bounds.spend(cost - self.cost)
        self.cost = cost
        self._counted = self.ways + self._read

    def _look_ahead(self, bounds: Bounds, ahead: int, asked: int) -> None:
        """LimitError if so many more situations are too many, or too much work with the sweeps."""
        look = Look(self.cost, self.ways, len(self), ahead)
        self.looks.append(look)
        bounds.check_look(look, asked)

    def expand(self, node: int) -> None:
        """Find the ways out of one node."""
        agenda, parts, tallies = self.places[node]
        if not agenda:
            return
        agendas = self.agendas
        step, who, _, _ = agendas.cells[agenda]
        row = self._row(step, self.views.seen(step, who, parts, tallies))
        rest = agendas.after_one(agenda)
        alone = who < len(parts)
        if alone:
            head, tail = parts[:who], parts[who + 1 :]
        outcomes = row.outcomes
        is_open = False
        if isinstance(row.question, Choice):
            is_open = row.question.is_open_to(self.choosers)
            if is_open:
                self.choices[node] = row.question
            else:
                self.settled[node] = row.question
                outcomes = [outcomes[row.question.taken]]
        ways: list[Edge] = []
        nodes = self._nodes
        for weight, part, todo, records in outcomes:
            after = (*head, part, *tail) if alone else self.views.after(who, parts, part)
            if records:
                records = agendas.owned(who, records)  # noqa: PLW2901 - the same, addressed
            onward = agendas.pushed(rest, who, todo) if todo else rest
            to = None if tallies else nodes.get((onward, after, ()))
            if to is None:
                to = self._node(onward, after, tallies, records)
            ways.append((weight, to, records))
        if not is_open:
            ways = merged(ways)
            self.totals[node] = sum([edge[0] for edge in ways])
        self.edges[node] = ways
        self.ways += len(ways)

    def _expand_run(self, node: int, bounds: Bounds) -> bool:
        """Expand a node that repeats a step: in one go if that comes often, else layer by layer.

        Returns whether that can be.
        """
        agenda, parts, tallies = self.places[node]
        step, who, times, rest = self.agendas.cells[agenda]
        if times < 2 or who >= len(parts):
            return False
        if not self.agendas.is_kept[who]:
            self.agendas.check_seen(step, who)
        by_layers = not tallies and not self.rows.steps[step].conditional
        pool = None
        if times >= FEWEST_POOLED or not by_layers:
            pool = self._pool(step, parts[who], times, at_once=not by_layers)
        if pool is None:
            if by_layers:
                self._expand_layers(node, bounds)
            return by_layers
        head, tail = parts[:who], parts[who + 1 :]
        ways: list[Edge] = []
        for weight, part, _, records in pool.outcomes:
            owned = self.agendas.owned(who, records) if records else ()
            to = self._node(rest, (*head, part, *tail), tallies, owned)
            ways.append((weight, to, owned))
        self.edges[node], self.totals[node] = ways, pool.total
        self._pooled[node] = pool.parts
        self.ways += len(ways)
        return True

    def _pool(self, step: int, part: int, times: int, *, at_once: bool) -> Pool | None:
        """The pool of a run that came often, or `at_once`; its cost is counted once."""
        run = (step, part, times)
        met = self._runs[run] = self._runs.get(run, 0) + 1
        if met <= MET_BEFORE and not at_once:
            return None
        pool = self.pools.pool(step, part, times)
        if pool is not None and run not in self._pools_made:
            self._pools_made.add(run)
            self._read += pool.cost
            for each in pool.parts:
                self._row(step, each)
        return pool

    def _expand_layers(self, node: int, bounds: Bounds) -> None:
        """Expand a node and the repeats of its step that follow, one layer for each repeat.

        A repeat whose step pushes others ends the run there; it is expanded as any node.
        """
        agenda, parts, _ = self.places[node]
        step, who, times, _ = self.agendas.cells[agenda]
        head, tail = parts[:who], parts[who + 1 :]
        places, edges, totals = self.places, self.edges, self.totals
        layer = {parts[who]: node}
        while layer and times:
            times -= 1
            below = self.agendas.times_left(agenda, times)
            after: dict[int, int] = {}
            fresh: dict[int, int] = {}
            for part, here in layer.items():
                found = self._plain_ways(step, part, who)
                if found is None:
                    self.expand(here)
                    continue
                out: list[Edge] = []
                for weight, other, records in found[1]:
                    to = after.get(other)
                    if to is None:
                        state = (*head, other, *tail)
                        before = len(places)
                        if times:
                            to = self._at((below, state, ()))
                        else:
                            to = self._node(below, state, (), ())
                        after[other] = to
                        if to == before:
                            fresh[other] = to
                    out.append((weight, to, records))
                edges[here], totals[here] = out, found[0]
                self.ways += len(out)
                if self.ways + self._read - self._counted > COUNTED_AT_ONCE:
                    self._count(bounds)
            layer = fresh

    def _plain_ways(self, step: int, part: int, who: int) -> PlainWays | None:
        """The ways of a step from a part on; None if one of them pushes steps."""
        key = (step, part, who)
        if key not in self._plain:
            row = self._row(step, part)
            owned = self.agendas.owned
            if isinstance(row.question, Choice) or any(outcome.todo for outcome in row.outcomes):
                self._plain[key] = None
            else:
                self._plain[key] = (
                    row.total,
                    [
                        (weight, after, owned(who, records) if records else ())
                        for weight, after, _, records in row.outcomes
                    ],
                )
        return self._plain[key]

    def _row(self, step: int, part: int) -> Row:
        """A row; what it costs is counted once for each graph, whoever else remembers it."""
        row = self.rows.row(step, part)
        if (step, part) not in self._used:
            self._used.add((step, part))
            self._read += row.cost
            if isinstance(row.question, Resolution) and row.question not in self._resolved:
                self._resolved.add(row.question)
                self._solving += self.rows.resolved(row.question).work
        return row

    def mark(self, node: int) -> str:
        """What ends next after a node: the label of the first mark on its agenda."""
        return self.agendas.labels[self.places[node][0]]

    def is_kept(self, name: str) -> bool:
        """Whether somebody is not left out."""
        return self.agendas.is_kept[self.agendas.index(name)]

    def looking_at(self, who: Address) -> Callable[[int], Any]:
        """What tells of a node the part of one combatant, or a View of those of several."""
        places, parts = self.places, self.rows.parts
        members = self.agendas.addresses[self.agendas.who(who)]
        if isinstance(who, str) and who != EVERYBODY:
            (at,) = members
            return lambda node: parts[places[node][1][at]]
        state = self.agendas.state
        return lambda node: state(who, tuple([places[node][1][i] for i in members]))

    @cached_property
    def denominators(self) -> list[int]:
        """For each node the denominator of the weights that reach it."""
        found = [0] * len(self)
        found[0] = 1
        for node in self.order:
            onward = found[node] * self.totals[node]
            for _, to, _ in self.edges[node]:
                known = found[to]
                if known != onward:
                    found[to] = lcm(known, onward) if known else onward
        return found

    @cached_property
    def stops(self) -> dict[str, list[int]]:
        """The nodes where an answer can be given: by the label of their mark; "" for the ends."""
        found: dict[str, list[int]] = {"": []}
        for node in self.order:
            if not self.edges[node]:
                found[""].append(node)
            elif node in self.marks and self.marks[node].label:
                found.setdefault(self.marks[node].label, []).append(node)
        return found

    @cached_property
    def made(self) -> frozenset[Records]:
        """All that is recorded on some way."""
        return frozenset([edge[2] for edges in self.edges for edge in edges if edge[2]])

    @cached_property
    def recorded(self) -> frozenset[str]:
        """The names of all records that are made somewhere."""
        return frozenset([record[0] for records in self.made for record in records])

    @cached_property
    def asked(self) -> tuple[tuple[str, Question[Any]], ...]:
        """Every question that is asked somewhere, with who is asked, once, nearest first."""
        return tuple(self._questions())

    def _questions(self) -> Iterator[tuple[str, Question[Any]]]:
        seen = set()
        for node, (agenda, parts, tallies) in enumerate(self.places):
            if not self.edges[node]:
                continue
            step, who, _, _ = self.agendas.cells[agenda]
            asked_at = self._pooled.get(node) or (self.views.seen(step, who, parts, tallies),)
            for part in asked_at:
                question = self.rows.row(step, part).question
                if question is None:
                    continue
                by = asked_of(self.agendas.address(who), question)
                if (by, question) not in seen:
                    seen.add((by, question))
                    yield by, question

    def _node(self, agenda: int, parts: State, tallies: Tallies, records: Records) -> int:
        """The node of this agenda and state, after steps that no longer apply are skipped."""
        rows, agendas = self.rows, self.agendas
        while agenda:
            step, who, _, rest = agendas.cells[agenda]
            if not rows.steps[step].conditional:
                break
            told = agendas.counted(agenda, tallies, records) if rows.steps[step].reads else ()
            if rows.applies(step, self.views.seen(step, who, parts, told)):
                break
            agenda = rest
        if tallies or agendas.reads[agenda]:
            tallies = agendas.counted(agenda, tallies, records)
        return self._at((agenda, parts, tallies))

    def _at(self, place: Place) -> int:
        """The node of a place, a new one if it was never come to."""
        node = self._nodes.get(place)
        if node is None:
            node = self._nodes[place] = len(self.places)
            self.places.append(place)
            self.edges.append([])
            self.totals.append(1)
            agenda = place[0]
            if agenda:
                mark = self.rows.steps[self.agendas.cells[agenda][0]].mark
                if mark is not None:
                    self.marks[node] = mark
        return node
