"""The merged graph of situations: explored once, without weights, then put in order.

A node is an agenda with a state. Nodes that are reached by different dice are one node, so the
cost grows with distinct situations and not with dice paths.
"""

from collections.abc import Iterator
from functools import cached_property
from math import gcd, lcm
from typing import Any, TypeAlias

from firepower.chance.errors import EndlessError, LimitError, StepError
from firepower.chance.rows import Records, Rows, Todo
from firepower.chance.steps import EVERYBODY, Choice, Everybody, Measure, Question, Situation

Tallies: TypeAlias = tuple[tuple[Measure, int], ...]
State: TypeAlias = tuple[int, ...]
Place: TypeAlias = tuple[int, State, Tallies]
NOBODY: frozenset[str] = frozenset()


Edge: TypeAlias = tuple[int, int, Records]
"""One way out of a node: weight, node, records."""


class WidenError(Exception):
    """A combatant who was left out turned out to matter: explore again with these too."""

    def __init__(self, owners: frozenset[str]) -> None:
        super().__init__(owners)
        self.owners = owners


class Graph:
    """The nodes of one question, for the measures of some combatants (`kept`).

    Local steps of the others are left out; WidenError says when one of the others matters.
    `choosers` are those whose Choices stay open (None: everybody's); all other Choices follow
    their policy. Node 0 is the beginning; `order` is topological; a node without edges is an end.
    """

    def __init__(
        self,
        rows: Rows,
        start: Situation,
        kept: frozenset[str],
        choosers: frozenset[str] | None = NOBODY,
    ) -> None:
        self.rows = rows
        self.names = start.names
        self.kept = kept
        self.choosers = choosers
        self.places: list[Place] = []
        self.edges: list[list[Edge]] = []
        self.totals: list[int] = []
        self.choices: dict[int, Choice[Any]] = {}
        self.settled: dict[int, Choice[Any]] = {}
        self.order: list[int] = []
        self._everybody_kept = kept.issuperset(start.names)
        self._index = {name: i for i, name in enumerate(start.names)}
        self._nodes: dict[Place, int] = {}
        self._cells: list[tuple[int, str, int, int]] = [(0, "", 0, 0)]
        self._cell_ids: dict[tuple[int, str, int, int], int] = {}
        self._reads: list[frozenset[Measure]] = [frozenset()]
        self._marks: list[str] = [""]
        self._everybody: dict[tuple[State, Tallies], int] = {}
        self._tallied: dict[tuple[frozenset[Measure], Tallies, Records], Tallies] = {}
        self._owned: dict[tuple[str, Records], Records] = {}
        agenda = 0
        for each in reversed(start.agenda):
            who = EVERYBODY if each.who is None else each.who
            agenda = self._push(agenda, rows.step_id(each.step), who, each.times)
        parts = tuple(rows.part_id(part) for part in start.parts)
        self._node(agenda, parts, start.tallies, ())

    def __len__(self) -> int:
        return len(self.places)

    def explore(self, limit: int) -> None:
        """Find every node and put them in order.

        Raises LimitError above `limit` nodes, EndlessError if a node can be reached from itself.
        """
        places, edges = self.places, self.edges
        at = 0
        while at < len(places):
            if not edges[at]:
                if self._begins_run(at):
                    self._expand_run(at, limit)
                else:
                    self.expand(at)
            at += 1
            if len(places) > limit:
                raise _too_many(limit)
        self._put_in_order()

    def expand(self, node: int) -> None:
        """Find the ways out of one node."""
        agenda, parts, tallies = self.places[node]
        if not agenda:
            return
        rows = self.rows
        step, who, times, rest = self._cells[agenda]
        if times > 1:
            rest = self._cell(step, who, times - 1, rest)
        if who == EVERYBODY:
            if not self._everybody_kept:
                raise WidenError(frozenset(self.names))
            row = rows.row(step, self._seen(step, parts, tallies))
        else:
            if who not in self.kept and not rows.local[step]:
                raise WidenError(frozenset((who,)))
            at = self._index[who]
            row = rows.row(step, parts[at])
            head, tail = parts[:at], parts[at + 1 :]
        outcomes = row.outcomes
        is_open = False
        if isinstance(row.question, Choice):
            is_open = self.choosers is None or row.question.by in self.choosers
            if is_open:
                self.choices[node] = row.question
            else:
                self.settled[node] = row.question
                outcomes = [outcomes[row.question.taken]]
        ways: list[Edge] = []
        for weight, part, todo, records in outcomes:
            if who == EVERYBODY:
                after = tuple([rows.part_id(each) for each in rows.parts[part].parts])
            else:
                after = (*head, part, *tail)
                if records:
                    records = self._own(who, records)  # noqa: PLW2901 - the same, addressed
            onward = self._pushed(rest, who, todo) if todo else rest
            ways.append((weight, self._node(onward, after, tallies, records), records))
        if is_open:
            self.edges[node] = ways
        else:
            self.edges[node] = ways = _merged(ways)
            self.totals[node] = sum([edge[0] for edge in ways])

    def _begins_run(self, node: int) -> bool:
        """Whether the node repeats a step that can be followed layer by layer."""
        agenda, _, tallies = self.places[node]
        step, who, times, _ = self._cells[agenda]
        return (
            times > 1
            and who != EVERYBODY
            and not tallies
            and not self.rows.conditional[step]
            and (who in self.kept or self.rows.local[step])
        )

    def _expand_run(self, node: int, limit: int) -> None:
        """Expand a node and the repeats of its step that follow, one layer for each repeat.

        A repeat whose step pushes others ends the run there; it is expanded as any node.
        """
        agenda, parts, _ = self.places[node]
        step, who, times, rest = self._cells[agenda]
        at = self._index[who]
        head, tail = parts[:at], parts[at + 1 :]
        places, edges, totals = self.places, self.edges, self.totals
        ways: dict[int, tuple[int, list[tuple[int, int, Records]]] | None] = {}
        layer = {parts[at]: node}
        while layer and times:
            times -= 1
            agenda = self._cell(step, who, times, rest) if times else rest
            after: dict[int, int] = {}
            fresh: dict[int, int] = {}
            for part, here in layer.items():
                if part not in ways:
                    ways[part] = self._plain_ways(step, part, who)
                found = ways[part]
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
                            to = self._at((agenda, state, ()))
                        else:
                            to = self._node(agenda, state, (), ())
                        after[other] = to
                        if to == before:
                            fresh[other] = to
                    out.append((weight, to, records))
                edges[here], totals[here] = out, found[0]
            layer = fresh
            if len(self.places) > limit:
                raise _too_many(limit)

    def _plain_ways(
        self, step: int, part: int, who: str
    ) -> tuple[int, list[tuple[int, int, Records]]] | None:
        """(total, (weight, part after, records) of each way); None if a way pushes steps."""
        row = self.rows.row(step, part)
        if isinstance(row.question, Choice) or any(outcome.todo for outcome in row.outcomes):
            return None
        return row.total, [
            (weight, after, self._own(who, records) if records else ())
            for weight, after, _, records in row.outcomes
        ]

    def mark(self, node: int) -> str:
        """What ends next after a node: the first mark on its agenda."""
        return self._marks[self.places[node][0]]

    def ends(self, node: int) -> str:
        """What ends at a node, if its step is a mark."""
        step = self._cells[self.places[node][0]][0]
        return self.rows.steps[step].mark if self.places[node][0] else ""

    def part(self, node: int, who: str) -> Any:
        """The part of one combatant at a node."""
        return self.rows.parts[self.places[node][1][self._index[who]]]

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
    def recorded(self) -> frozenset[str]:
        """The names of all records that are made somewhere."""
        made = {records for edges in self.edges for _, _, records in edges}
        return frozenset(name for records in made for name, _ in records)

    @cached_property
    def asked(self) -> tuple[tuple[str, Question[Any]], ...]:
        """Every question that is asked somewhere, with who is asked, once, nearest first."""
        return tuple(self._questions())

    def _questions(self) -> Iterator[tuple[str, Question[Any]]]:
        seen = set()
        for agenda, parts, tallies in self.places:
            if not agenda:
                continue
            step, who, _, _ = self._cells[agenda]
            everybody = who == EVERYBODY
            part = self._seen(step, parts, tallies) if everybody else parts[self._index[who]]
            question = self.rows.row(step, part).question
            if question is not None and (who, question) not in seen:
                seen.add((who, question))
                yield who, question

    def _seen(self, step: int, parts: State, tallies: Tallies) -> int:
        """The number of the state as a step addressed to everybody sees it: tallies if it reads."""
        rows = self.rows
        key = (parts, tallies if rows.steps[step].reads else ())
        known = self._everybody.get(key)
        if known is None:
            everybody = Everybody(self.names, tuple([rows.parts[part] for part in parts]), key[1])
            known = self._everybody[key] = rows.part_id(everybody)
        return known

    def _node(self, agenda: int, parts: State, tallies: Tallies, records: Records) -> int:
        """The node of this agenda and state, after steps that no longer apply are skipped."""
        rows = self.rows
        while agenda:
            step, who, _, rest = self._cells[agenda]
            if not rows.conditional[step]:
                break
            if who == EVERYBODY:
                if not self._everybody_kept:
                    raise WidenError(frozenset(self.names))
                part = self._seen(step, parts, self._counted(agenda, tallies, records))
            elif who in self.kept:
                part = parts[self._index[who]]
            else:
                raise WidenError(frozenset((who,)))
            if rows.applies(step, part):
                break
            agenda = rest
        if self._reads[agenda] or tallies:
            tallies = self._counted(agenda, tallies, records)
        return self._at((agenda, parts, tallies))

    def _counted(self, agenda: int, tallies: Tallies, records: Records) -> Tallies:
        """What the steps on this agenda read, after these records."""
        key = (self._reads[agenda], tallies, records)
        known = self._tallied.get(key)
        if known is None:
            before = dict(tallies)
            known = self._tallied[key] = tuple(
                (measure, measure.add(before.get(measure, 0), records))
                for measure in sorted(self._reads[agenda], key=repr)
            )
        return known

    def _at(self, place: Place) -> int:
        """The node of a place, a new one if it was never come to."""
        node = self._nodes.get(place)
        if node is None:
            node = self._nodes[place] = len(self.places)
            self.places.append(place)
            self.edges.append([])
            self.totals.append(1)
        return node

    def _pushed(self, agenda: int, who: str, todo: Todo) -> int:
        for step, to, times in reversed(todo):
            agenda = self._push(agenda, step, who if to is None else to, times)
        return agenda

    def _push(self, agenda: int, step: int, who: str, times: int) -> int:
        left_out = who in self._index and who not in self.kept and self.rows.local[step]
        if times < 1 or left_out:
            return agenda
        top, top_who, more, rest = self._cells[agenda]
        if agenda and top == step and top_who == who:
            return self._cell(step, who, times + more, rest)
        return self._cell(step, who, times, agenda)

    def _cell(self, step: int, who: str, times: int, rest: int) -> int:
        key = (step, who, times, rest)
        cell = self._cell_ids.get(key)
        if cell is None:
            if who not in self._index and who != EVERYBODY:
                name = type(self.rows.steps[step]).__name__
                raise StepError(f"the step {name} is addressed to {who!r}, who is not here")
            cell = self._cell_ids[key] = len(self._cells)
            self._cells.append(key)
            reads = self.rows.steps[step].reads
            for measure in reads:
                if not self.kept.issuperset(measure.owners()):
                    raise WidenError(measure.owners())
            self._reads.append(self._reads[rest].union(reads))
            self._marks.append(self.rows.steps[step].mark or self._marks[rest])
        return cell

    def _own(self, who: str, records: Records) -> Records:
        key = (who, records)
        owned = self._owned.get(key)
        if owned is None:
            owned = self._owned[key] = tuple((f"{who}.{name}", n) for name, n in records)
        return owned

    def _looping(self, waiting: list[int]) -> int:
        """A node that can be reached from itself: going back from a stuck one, the first again."""
        stuck = [node for node, left in enumerate(waiting) if left]
        before = {edge[1]: node for node in stuck for edge in self.edges[node]}
        node, seen = stuck[0], set[int]()
        while node not in seen:
            seen.add(node)
            node = before[node]
        return node

    def _put_in_order(self) -> None:
        if all(edge[1] > node for node, edges in enumerate(self.edges) for edge in edges):
            self.order = list(range(len(self.places)))
            return
        waiting = [0] * len(self.places)
        for edges in self.edges:
            for edge in edges:
                waiting[edge[1]] += 1
        order = [] if waiting[0] else [0]
        for node in order:
            for edge in self.edges[node]:
                waiting[edge[1]] -= 1
                if not waiting[edge[1]]:
                    order.append(edge[1])
        if len(order) < len(self.places):
            step = self.rows.steps[self._cells[self.places[self._looping(waiting)][0]][0]]
            raise EndlessError(
                f"the step {type(step).__name__} can come back to where it was, so the question "
                "never ends; give it a cap"
            )
        self.order = order


def _merged(ways: list[Edge]) -> list[Edge]:
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


def _too_many(limit: int) -> LimitError:
    return LimitError(
        f"the question has more than {limit:,} situations: ask for less, or raise the limit"
    )
