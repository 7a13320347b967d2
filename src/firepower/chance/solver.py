"""The solver: the readings of steps that throw no dice, and the memory that they share."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec

from firepower.chance.advice import REACHED, Advice, Goal, Reached, advise
from firepower.chance.agenda import WidenError
from firepower.chance.answered import END, Answered, Asked
from firepower.chance.bounds import DEFAULT_SITUATIONS, DEFAULT_WORK, SAMPLING, Bounds, Look
from firepower.chance.distribution import Distribution
from firepower.chance.errors import FallsError, LimitError, StepError
from firepower.chance.graph import NO_CHOOSERS, Graph
from firepower.chance.pools import Pools
from firepower.chance.rows import Answers, Rows
from firepower.chance.sample import Sampled, draw
from firepower.chance.steps import Resolution, Situation, Task, task
from firepower.chance.sweep import sweep
from firepower.chance.table import settled
from firepower.chance.tallies import EVERYBODY, AnyTally, Final, Tally, once

DEFAULT_MEMORY = 4_000_000

Place: TypeAlias = tuple[Situation, frozenset[str], frozenset[str] | None]
T = TypeVar("T")

_INSIDE = "inside"
"""The name of the one part that a Resolution runs on."""


class _TooLarge(msgspec.Struct, frozen=True):
    """A graph that was given up: why, how far it came, and what was asked in it so far."""

    error: LimitError
    looks: tuple[Look, ...]
    cost: int
    asked: tuple[Asked, ...]


class Solver:
    """Answers questions about situations; remembers rows and graphs between them.

    `limit` is the number of situations that one exact answer may look at, `work` the work for all
    that is asked at once, `memory` the number of parts, outcomes, situations and ways that are kept
    before all are forgotten. Neither forgetting nor remembering changes an answer.
    """

    def __init__(
        self,
        limit: int = DEFAULT_SITUATIONS,
        work: int = DEFAULT_WORK,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        self.limit = limit
        self.work = work
        self.memory = memory
        self.forget()

    def forget(self) -> None:
        """Let go of everything that is remembered."""
        self._rows = Rows(self._resolve)
        self._pools = Pools(self._rows)
        self._graphs: dict[Place, Graph] = {}
        self._settled: dict[Situation, Situation] = {}
        self._enough: dict[tuple[Situation, frozenset[str]], frozenset[str]] = {}
        self._too_large: dict[Place, _TooLarge] = {}
        self._held = 0

    # -- odds ------------------------------------------------------------------------------------

    def odds(self, start: Situation, tally: AnyTally) -> Distribution[Any]:
        """The distribution of one tally at the end; Choices follow their policies.

        Raises LimitError if that costs too much, EndlessError if the steps never end.
        """
        return self.odds_by_mark(start, tally)[END]

    def odds_by_mark(self, start: Situation, tally: AnyTally) -> dict[str, Distribution[Any]]:
        """The same at the end and at each mark, of one sweep; at a mark among those who come there.

        Raises LimitError and EndlessError as `odds` does.
        """
        return self._odds(self._begun(start), tally, self._bounds())

    def answer(
        self, start: Situation, asked: Mapping[str, AnyTally], *, samples: int, seed: int
    ) -> Answered:
        """Each tally exactly, or, for what is left when the work is spent, of the same plays.

        There are so many samples, or as many as a bound on their own work allows. Raises LimitError
        if there is something left and `samples` is 0.
        """
        begun, bounds = self._begun(start), self._bounds()
        exact: dict[str, dict[str, Distribution[Any]]] = {}
        looked_at: dict[Place, int] = {}
        questions: dict[Asked, None] = {}
        why: LimitError | None = None
        bounds.asked.update([_owners((tally,), begun) for tally in asked.values()])
        for name, tally in asked.items():
            try:
                exact[name] = self._odds(begun, tally, bounds)
            except LimitError as too_much:
                why = too_much
            place = self._place(begun, tally)
            graph = self._graphs.get(place)
            if graph is None:
                questions |= dict.fromkeys(self._too_large[place].asked)
            else:
                questions |= dict.fromkeys(graph.asked)
                if name in exact:
                    looked_at[place] = len(graph)
        left = {name: tally for name, tally in asked.items() if name not in exact}
        sampled: dict[str, dict[str, Sampled]] = {name: {} for name in left}
        if why is not None:
            if not samples:
                raise why
            work = SAMPLING * max(self.work, DEFAULT_WORK)
            drawn = self._drawn(begun, list(left.values()), samples, seed, work)
            for mark, found in drawn.items():
                for name, each in zip(left, found, strict=True):
                    sampled[name][mark] = each
        return Answered(exact, sampled, tuple(questions), sum(looked_at.values()), why)

    def joint(self, start: Situation, tallies: Sequence[AnyTally]) -> Distribution[tuple[Any, ...]]:
        """The distribution of several tallies together at the end, as tuples in their order."""
        begun, bounds = self._begun(start), self._bounds()
        graph = self._graph(begun, _owners(tallies, begun), bounds)
        counted = [tally for tally in tallies if isinstance(tally, Tally)]
        finals = [tally for tally in tallies if isinstance(tally, Final)]
        before = once(begun.records)
        first = tuple([tally.add(0, before) for tally in counted])
        if not finals:
            return Distribution(sweep(graph, counted, first, bounds)[END][None])

        looks = [(each.of, graph.looking_at(each.who)) for each in finals]

        def final(node: int) -> tuple[Hashable, ...]:
            return tuple([of(look(node)) for of, look in looks])

        weights: dict[tuple[Any, ...], int] = {}
        for found, by_outcome in sweep(graph, counted, first, bounds, final)[END].items():
            for outcomes, weight in by_outcome.items():
                joined = _joined(tallies, outcomes, found)
                weights[joined] = weights.get(joined, 0) + weight
        return Distribution(weights)

    def situations(self, start: Situation, tallies: Iterable[AnyTally]) -> int:
        """How many situations are looked at to answer these tallies one by one."""
        begun = self._begun(start)
        looked_at: dict[Place, int] = {}
        for tally in tallies:
            graph = self._graph(begun, _owners((tally,), begun), self._bounds())
            looked_at[self._place(begun, tally)] = len(graph)
        return sum(looked_at.values())

    def asked(self, start: Situation, tally: AnyTally) -> Iterable[Asked]:
        """Every question that the odds of a tally look at, with who is asked.

        If that costs too much they are the questions of the situations that were looked at.
        """
        begun = self._begun(start)
        try:
            return self._graph(begun, _owners((tally,), begun), self._bounds()).asked
        except LimitError:
            return self._too_large[self._place(begun, tally)].asked

    def whole(self, start: Situation) -> int:
        """How many situations there are when nobody is left out, as a joint of all would need."""
        everybody = frozenset((EVERYBODY, *start.names))
        return len(self._graph(self._begun(start), everybody, self._bounds()))

    # -- advice ----------------------------------------------------------------------------------

    def advice(
        self,
        start: Situation,
        goal: Goal,
        askers: frozenset[str] | None = None,
        *,
        against: bool = False,
        least: bool = False,
    ) -> Advice:
        """The value of every option at each Choice, each under its own best continuation.

        `askers` decide for the goal (None: whoever is asked); the others follow their policies,
        or with `against` choose what is worst for it. `least` seeks the lowest value.
        """
        start, bounds = self._begun(start), self._bounds()
        choosers = None if against else askers
        if goal.is_plain_sum and isinstance(goal.tally, Tally):
            begun = goal.tally.add(0, once(start.records))
            owners = _owners((goal.tally,), start)
            graph = self._graph(start, owners, bounds, choosers)
        else:
            begun = 0
            try:
                graph = self._reaching(start, Reached(goal), bounds, choosers)
            except FallsError:
                graph = self._reaching(start, Reached(goal, falls=True), bounds, choosers)
        return advise(graph, goal, begun, askers, bounds, least=least)

    def _reaching(
        self,
        start: Situation,
        last: Reached,
        bounds: Bounds,
        choosers: frozenset[str] | None,
    ) -> Graph:
        """The graph of a question with a step at its end that reads what was recorded."""
        before = once(start.records)
        tallies = tuple((tally, tally.add(0, before)) for tally in last.reads)
        agenda = (*start.agenda, Task(last, last.sees))
        with_last = msgspec.structs.replace(start, agenda=agenda, tallies=start.tallies + tallies)
        return self._graph(with_last, REACHED.owners(), bounds, choosers)

    # -- samples ---------------------------------------------------------------------------------

    def sample(
        self, start: Situation, tallies: Sequence[AnyTally], count: int, seed: int
    ) -> list[Sampled]:
        """Play the steps `count` times; for each tally the outcomes that were seen."""
        return self.sample_by_mark(start, tallies, count, seed)[END]

    def sample_by_mark(
        self, start: Situation, tallies: Sequence[AnyTally], count: int, seed: int
    ) -> dict[str, list[Sampled]]:
        """The same at the end and at each mark, of one set of plays."""
        return self._drawn(self._begun(start), tallies, count, seed)

    def _drawn(
        self,
        begun: Situation,
        tallies: Sequence[AnyTally],
        count: int,
        seed: int,
        work: int | None = None,
    ) -> dict[str, list[Sampled]]:
        drawn = _widening(
            _owners(tallies, begun),
            lambda kept: draw(self._rows, self._pools, begun, kept, tallies, count, seed, work),
        )
        self._forget_if_full()
        return drawn

    # -- what is remembered ----------------------------------------------------------------------

    def _bounds(self) -> Bounds:
        return Bounds(self.limit, self.work)

    def _begun(self, start: Situation) -> Situation:
        """The question when all is done that asks nothing before anybody is left out of it."""
        known = self._settled.get(start)
        if known is None:
            known = self._settled[start] = settled(start)
        return known

    def _place(self, begun: Situation, tally: AnyTally) -> Place:
        """Where the graph for a tally is remembered, once it was looked for."""
        return begun, self._enough[begun, _owners((tally,), begun)], NO_CHOOSERS

    def _odds(
        self, begun: Situation, tally: AnyTally, bounds: Bounds
    ) -> dict[str, Distribution[Any]]:
        graph = self._graph(begun, _owners((tally,), begun), bounds)
        if isinstance(tally, Final):
            of, look = tally.of, graph.looking_at(tally.who)
            stops = sweep(graph, (), (), bounds, lambda node: of(look(node)))
            return {
                mark: Distribution({key: found[()] for key, found in stop.items()})
                for mark, stop in stops.items()
            }
        start = tally.add(0, once(begun.records))
        if graph.recorded.isdisjoint(tally.names):
            return dict.fromkeys(graph.stops, Distribution({tally.outcome(start): 1}))
        return {
            mark: Distribution({outcome: weight for (outcome,), weight in stop[None].items()})
            for mark, stop in sweep(graph, (tally,), (start,), bounds).items()
        }

    def _graph(
        self,
        start: Situation,
        owners: frozenset[str],
        bounds: Bounds,
        choosers: frozenset[str] | None = NO_CHOOSERS,
    ) -> Graph:
        """The explored graph for tallies of these owners, with everybody who matters to them."""
        known = self._enough.get((start, owners), owners)
        return _widening(known, lambda kept: self._explored(start, owners, kept, bounds, choosers))

    def _explored(
        self,
        start: Situation,
        owners: frozenset[str],
        kept: frozenset[str],
        bounds: Bounds,
        choosers: frozenset[str] | None,
    ) -> Graph:
        """A graph, explored or remembered, and counted once for all that is asked."""
        place = (start, kept, choosers)
        self._enough[start, owners] = kept
        if place in bounds.refused:
            raise bounds.refused[place]
        is_paid = place in bounds.paid
        bounds.paid.add(place)
        asked = max(1, sum([n for each, n in bounds.asked.items() if each <= kept]))
        try:
            graph = self._graphs.get(place)
            if graph is None:
                return self._explore(place, Bounds(self.limit, None) if is_paid else bounds, asked)
            if not is_paid:
                bounds.pay(graph.looks, graph.cost, asked)
        except LimitError as error:
            bounds.refused[place] = error
            raise
        return graph

    def _explore(self, place: Place, bounds: Bounds, asked: int) -> Graph:
        too_large = self._too_large.get(place)
        if too_large is not None and too_large.error.bound == "situations":
            bounds.pay(too_large.looks, too_large.cost, asked)
            raise too_large.error
        start, kept, choosers = place
        graph = Graph(self._rows, self._pools, start, kept, choosers)
        try:
            graph.explore(bounds, asked)
        except WidenError:
            bounds.spent -= graph.cost
            raise
        except LimitError as error:
            looks = tuple(graph.looks[:-1])
            self._too_large[place] = _TooLarge(error, looks, graph.cost, graph.asked)
            raise
        self._held += len(graph) + graph.ways
        self._forget_if_full()
        self._graphs[place] = graph
        return graph

    def _forget_if_full(self) -> None:
        if self._held + self._rows.size > self.memory:
            enough = self._enough
            self.forget()
            self._enough = enough

    def _resolve(self, question: Resolution) -> Answers:
        """Every answer of a Resolution, with what it records outside, and its weight."""
        agenda = tuple(Task(t.step, _INSIDE, t.times) for t in map(task, question.agenda))
        start = Situation((_INSIDE,), (question.part,), agenda)
        bounds = self._bounds()
        graph = Graph(self._rows, self._pools, start, frozenset((_INSIDE,)))
        graph.explore(bounds)
        if graph.settled:
            raise StepError(f"the resolution {question.label!r} contains a choice")
        begun = {f"{_INSIDE}.{name}": amount for name, amount in question.begun}
        names = tuple(sorted(graph.recorded | begun.keys()))
        inside = tuple(name.removeprefix(f"{_INSIDE}.") for name in names)
        first = tuple([begun.get(name, 0) for name in names])
        answers: dict[tuple[int, Any], int] = {}
        stops = sweep(graph, [Tally((name,)) for name in names], first, bounds)
        for numbers, weight in stops[END][None].items():
            made = dict(zip(inside, numbers, strict=True))
            leaving = once((n, k) for n, k in made.items() if k and question.leaves(n))
            key = (made.get(question.answer, 0), leaving)
            answers[key] = answers.get(key, 0) + weight
        ways = [(answer, made, weight) for (answer, made), weight in answers.items()]
        return Answers(ways, bounds.spent)


def _joined(tallies: Sequence[AnyTally], outcomes: Any, finals: Any) -> tuple[Any, ...]:
    """What was counted and what is true at the end, in the order of the tallies."""
    counted, found = iter(outcomes), iter(finals)
    return tuple([next(counted) if isinstance(each, Tally) else next(found) for each in tallies])


def _owners(tallies: Iterable[AnyTally], begun: Situation) -> frozenset[str]:
    """Those whom tallies are about."""
    owners: set[str] = set()
    for tally in tallies:
        of_all = isinstance(tally, Final) and tally.who == EVERYBODY
        owners.update(begun.names if of_all else tally.owners())
    return frozenset(owners)


def _widening(kept: frozenset[str], answer: Callable[[frozenset[str]], T]) -> T:
    """An answer with these kept, and with everybody else who turns out to matter."""
    while True:
        try:
            return answer(kept)
        except WidenError as more:
            kept |= more.owners
