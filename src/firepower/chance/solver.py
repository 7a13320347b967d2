"""The solver: the readings of steps that throw no dice, and the memory that they share."""

from collections.abc import Iterable, Sequence
from functools import partial
from random import Random
from typing import Any, TypeAlias

from firepower.chance.advice import REACHED, Advice, Goal, Reached, advise
from firepower.chance.distribution import Distribution
from firepower.chance.errors import LimitError, StepError
from firepower.chance.graph import NOBODY, Graph, WidenError
from firepower.chance.rows import Records, Rows
from firepower.chance.sample import Sampled, draw
from firepower.chance.steps import (
    EVERYBODY,
    Final,
    Measure,
    Question,
    Resolution,
    Situation,
    Task,
    task,
)
from firepower.chance.sweep import joint_add, measure_sweep, tally_sweep

DEFAULT_LIMIT = 200_000
DEFAULT_MEMORY = 2_000_000

AnyMeasure: TypeAlias = Measure | Final
Asked: TypeAlias = tuple[str, Question[Any]]
Place: TypeAlias = tuple[Situation, frozenset[str], frozenset[str] | None]

_INSIDE = "inside"
"""The name of the one part that a Resolution runs on."""


class Solver:
    """Answers questions about situations; remembers rows and graphs between them.

    `limit` is the number of situations that one exact answer may look at, `memory` the number
    of rows and situations that are kept before all are forgotten. Forgetting changes no answer.
    """

    def __init__(self, limit: int = DEFAULT_LIMIT, memory: int = DEFAULT_MEMORY) -> None:
        self.limit = limit
        self.memory = memory
        self.forget()

    def forget(self) -> None:
        """Let go of everything that is remembered."""
        self._rows = Rows(self._resolve)
        self._graphs: dict[Place, Graph] = {}
        self._enough: dict[tuple[Situation, frozenset[str]], frozenset[str]] = {}
        self._too_large: dict[Place, tuple[LimitError, tuple[Asked, ...]]] = {}
        self._held = 0

    def odds(self, start: Situation, measure: AnyMeasure) -> Distribution[Any]:
        """The distribution of one measure; Choices follow their policies.

        Raises LimitError above the limit of situations, EndlessError if the steps never end.
        """
        graph = self._graph(start, measure.owners())
        if isinstance(measure, Final):
            weights: dict[Any, int] = {}
            for end, tallies in tally_sweep(graph, 0, _nothing).items():
                outcome = measure.of(graph.part(end, measure.who))
                weights[outcome] = weights.get(outcome, 0) + tallies[0]
            return Distribution(weights)
        numbers = measure_sweep(graph, measure, measure.add(0, start.records))
        return Distribution({measure.outcome(n): weight for n, weight in numbers.items()})

    def joint(
        self, start: Situation, measures: Sequence[AnyMeasure]
    ) -> Distribution[tuple[Any, ...]]:
        """The distribution of several measures together, as tuples in their order."""
        graph = self._graph(start, _owners(measures))
        counted = [measure for measure in measures if isinstance(measure, Measure)]
        add = joint_add(counted)
        first = add((0,) * len(counted), start.records)
        weights: dict[tuple[Any, ...], int] = {}
        for end, tallies in tally_sweep(graph, first, add).items():
            for tally, weight in tallies.items():
                numbers = iter(tally)
                outcome = tuple(
                    measure.outcome(next(numbers))
                    if isinstance(measure, Measure)
                    else measure.of(graph.part(end, measure.who))
                    for measure in measures
                )
                weights[outcome] = weights.get(outcome, 0) + weight
        return Distribution(weights)

    def situations(self, start: Situation, measures: Sequence[AnyMeasure]) -> int:
        """How many situations are looked at to answer these measures one by one."""
        graphs = {id(g): len(g) for m in measures for g in (self._graph(start, m.owners()),)}
        return sum(graphs.values())

    def asked(self, start: Situation, measure: AnyMeasure) -> Iterable[Asked]:
        """Every question that the odds of a measure look at, with who is asked.

        Above the limit of situations these are the questions of those that were looked at.
        """
        try:
            return self._graph(start, measure.owners()).asked
        except LimitError:
            place = (start, self._enough[start, measure.owners()], NOBODY)
            return self._too_large[place][1]

    def whole(self, start: Situation) -> int:
        """How many situations there are when nobody is left out, as a joint of all would need."""
        return len(self._graph(start, frozenset(start.names)))

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
        owners, begun = goal.measure.owners(), 0
        if goal.is_plain_sum and isinstance(goal.measure, Measure):
            begun = goal.measure.add(0, start.records)
        else:
            start, owners = _with_last(start, Reached(goal)), REACHED.owners()
        choosers = None if against else askers
        graph = self._graph(start, owners, choosers)
        return advise(graph, goal, begun, askers, least=least)

    def sample(
        self, start: Situation, measures: Sequence[AnyMeasure], count: int, seed: int
    ) -> list[Sampled]:
        """Play the steps `count` times; for each measure the outcomes that were seen."""
        return self.sample_marks(start, measures, count, seed)[""]

    def sample_marks(
        self, start: Situation, measures: Sequence[AnyMeasure], count: int, seed: int
    ) -> dict[str, list[Sampled]]:
        """The same at the end ("") and wherever a step marks that something ends, of one set of
        plays."""
        kept = _owners(measures)
        while True:
            try:
                return draw(
                    partial(Graph, self._rows, start, kept),
                    start.records,
                    measures,
                    count,
                    Random(seed),
                    max(self.limit, DEFAULT_LIMIT),
                )
            except WidenError as more:
                kept |= more.owners

    def _graph(
        self,
        start: Situation,
        owners: frozenset[str],
        choosers: frozenset[str] | None = NOBODY,
    ) -> Graph:
        kept = self._enough.get((start, owners), owners)
        while True:
            place = (start, kept, choosers)
            known = self._graphs.get(place)
            if known is not None:
                return known
            if place in self._too_large:
                self._enough[start, owners] = kept
                raise self._too_large[place][0]
            try:
                graph = Graph(self._rows, start, kept, choosers)
                graph.explore(self.limit)
            except WidenError as more:
                kept |= more.owners
            except LimitError as too_many:
                self._enough[start, owners] = kept
                self._too_large[place] = (too_many, graph.asked)
                raise
            else:
                break
        self._held += len(graph)
        if self._held + len(self._rows) > self.memory:
            self.forget()
        self._enough[start, owners] = kept
        self._graphs[place] = graph
        return graph

    def _resolve(self, question: Resolution) -> dict[tuple[int, Records], int]:
        """Every answer of a Resolution, with the records made on the way, and its weight."""
        agenda = tuple(Task(t.step, _INSIDE, t.times) for t in map(task, question.agenda))
        start = Situation((_INSIDE,), (question.part,), agenda)
        graph = Graph(self._rows, start, frozenset((_INSIDE,)))
        graph.explore(self.limit)
        if graph.settled:
            raise StepError(f"the resolution {question.label!r} contains a choice")
        begun = {f"{_INSIDE}.{name}": amount for name, amount in question.begun}
        made = {name for edges in graph.edges for _, _, records in edges for name, _ in records}
        names = tuple(sorted(made | begun.keys()))
        inside = tuple(name.removeprefix(f"{_INSIDE}.") for name in names)

        add = joint_add([Measure((name,)) for name in names])
        first = tuple(begun.get(name, 0) for name in names)
        answers: dict[tuple[int, Records], int] = {}
        for tallies in tally_sweep(graph, first, add).values():
            for tally, weight in tallies.items():
                records = tuple((n, k) for n, k in zip(inside, tally, strict=True) if k)
                key = (dict(records).get(question.answer, 0), records)
                answers[key] = answers.get(key, 0) + weight
        return answers


def _nothing(tally: int, _: Records) -> int:
    return tally


def _owners(measures: Sequence[AnyMeasure]) -> frozenset[str]:
    return frozenset[str]().union(*(measure.owners() for measure in measures))


def _with_last(start: Situation, last: Reached) -> Situation:
    """The same question with a step at its end that reads what was recorded from the start."""
    tallies = tuple((measure, measure.add(0, start.records)) for measure in last.reads)
    return Situation(
        start.names,
        start.parts,
        (*start.agenda, Task(last, EVERYBODY)),
        start.tallies + tallies,
        start.records,
    )
