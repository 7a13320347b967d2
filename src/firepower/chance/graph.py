"""The merged graph of situations: explored once, without weights, then put in order.

A node is an agenda with a state. Nodes that are reached by different dice are one node, so the
cost grows with distinct situations and not with dice paths.
"""

from collections.abc import Iterator
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from firepower.chance.errors import EndlessError, LimitError
from firepower.chance.rows import Records, Rows, Todo
from firepower.chance.steps import EVERYBODY, Choice, Everybody, Measure, Question, Situation

Tallies: TypeAlias = tuple[tuple[Measure, int], ...]
State: TypeAlias = tuple[int, ...]
Place: TypeAlias = tuple[int, State, Tallies]
NOBODY: frozenset[str] = frozenset()


class Edge(NamedTuple):
    """One way out of a node."""

    weight: int
    to: int
    records: Records


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
        at = 0
        while at < len(self.places):
            self.expand(at)
            at += 1
            if len(self.places) > limit:
                raise LimitError(f"the question has more than {limit} situations")
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
            row = rows.row(step, self._seen(parts, tallies))
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
            ways.append(Edge(weight, self._node(onward, after, tallies, records), records))
        self.edges[node] = ways if is_open else _merged(ways)
        self.totals[node] = 1 if is_open else sum([edge[0] for edge in self.edges[node]])

    def part(self, node: int, who: str) -> Any:
        """The part of one combatant at a node."""
        return self.rows.parts[self.places[node][1][self._index[who]]]

    def asked(self) -> Iterator[tuple[str, Question[Any]]]:
        """Every question that is asked somewhere, with who is asked, once, nearest first."""
        seen = set()
        for agenda, parts, tallies in self.places:
            if not agenda:
                continue
            step, who, _, _ = self._cells[agenda]
            part = self._seen(parts, tallies) if who == EVERYBODY else parts[self._index[who]]
            question = self.rows.row(step, part).question
            if question is not None and (who, question) not in seen:
                seen.add((who, question))
                yield who, question

    def _seen(self, parts: State, tallies: Tallies) -> int:
        """The number of the state as a step addressed to everybody sees it."""
        rows = self.rows
        return rows.part_id(
            Everybody(self.names, tuple([rows.parts[part] for part in parts]), tallies)
        )

    def _node(self, agenda: int, parts: State, tallies: Tallies, records: Records) -> int:
        """The node of this agenda and state, after steps that no longer apply are skipped."""
        rows = self.rows
        while agenda:
            step, who, _, rest = self._cells[agenda]
            if not rows.conditional[step]:
                break
            part = self._seen(parts, tallies) if who == EVERYBODY else parts[self._index[who]]
            if rows.applies(step, part):
                break
            agenda = rest
        reads = self._reads[agenda]
        if reads or tallies:
            before = dict(tallies)
            tallies = tuple(
                (measure, measure.add(before.get(measure, 0), records))
                for measure in sorted(reads, key=repr)
            )
        place = (agenda, parts, tallies)
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
        if who not in self.kept and who != EVERYBODY and self.rows.local[step]:
            return agenda
        top, top_who, more, rest = self._cells[agenda]
        if agenda and top == step and top_who == who:
            return self._cell(step, who, times + more, rest)
        return self._cell(step, who, times, agenda)

    def _cell(self, step: int, who: str, times: int, rest: int) -> int:
        key = (step, who, times, rest)
        cell = self._cell_ids.get(key)
        if cell is None:
            cell = self._cell_ids[key] = len(self._cells)
            self._cells.append(key)
            reads = self.rows.steps[step].reads
            for measure in reads:
                if not self.kept.issuperset(measure.owners()):
                    raise WidenError(measure.owners())
            self._reads.append(self._reads[rest].union(reads))
        return cell

    def _own(self, who: str, records: Records) -> Records:
        key = (who, records)
        owned = self._owned.get(key)
        if owned is None:
            owned = self._owned[key] = tuple((f"{who}.{name}", n) for name, n in records)
        return owned

    def _put_in_order(self) -> None:
        waiting = [0] * len(self.places)
        for edges in self.edges:
            for edge in edges:
                waiting[edge[1]] += 1
        order = [0] if not waiting[0] else []
        for node in order:
            for edge in self.edges[node]:
                waiting[edge[1]] -= 1
                if not waiting[edge[1]]:
                    order.append(edge[1])
        if len(order) < len(self.places):
            stuck = next(n for n in range(len(waiting)) if waiting[n])
            step = self.rows.steps[self._cells[self.places[stuck][0]][0]]
            raise EndlessError(
                f"the step {type(step).__name__} can come back to where it was, so the question "
                "never ends; give it a cap"
            )
        self.order = order


def _merged(ways: list[Edge]) -> list[Edge]:
    """Edges to one node with the same records are one edge; weights without a common factor."""
    if len(ways) == 1:
        return [Edge(1, ways[0][1], ways[0][2])]
    merged: dict[tuple[int, Records], int] = {}
    for weight, to, records in ways:
        key = (to, records)
        merged[key] = merged.get(key, 0) + weight
    shared = gcd(*merged.values())
    return [Edge(weight // shared, *key) for key, weight in merged.items()]
