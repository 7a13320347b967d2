"""Rows: what a step does to a part, every outcome with its weight, remembered.

A row knows the rest of neither the state nor the agenda, so one solver shares its rows among all
the questions that it is asked.
"""

from collections.abc import Callable
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from firepower.chance.promises import check_promises
from firepower.chance.steps import (
    AnyStep,
    Choice,
    Mark,
    Next,
    Question,
    Resolution,
    Roll,
    Step,
    View,
)
from firepower.chance.tallies import EVERYBODY, Address, Records, Tally

Todo: TypeAlias = tuple[tuple[int, Address | None, int], ...]


class Outcome(NamedTuple):
    """One way a step can go: weight, the part after it, what it puts first, what it records."""

    weight: int
    part: int
    todo: Todo
    records: Records


class Row(NamedTuple):
    """All outcomes of a step on a part; of a Choice one outcome for each option, in order.

    `cost` is how much was read for it.
    """

    total: int
    outcomes: list[Outcome]
    question: Question[Any] | None
    cost: int


class Known(NamedTuple):
    """What is known of a step whatever the part."""

    step: AnyStep
    conditional: bool
    glances: tuple[str, ...]
    reach: frozenset[str] | None
    reads: tuple[Tally, ...]
    mark: Mark | None


Way: TypeAlias = tuple[Any, Records, int]
"""What is read, what is recorded with it, and the weight."""


class Answers(NamedTuple):
    """The ways in which a Resolution can be answered, and the work of finding them."""

    ways: list[Way]
    work: int


Solve: TypeAlias = Callable[[Resolution], Answers]


class Rows:
    """Steps and parts by number, and the rows made of them.

    `size` counts parts and outcomes: how much is remembered.
    """

    def __init__(self, solve: Solve) -> None:
        self._solve = solve
        self.steps: list[Known] = []
        self.parts: list[Any] = []
        self._step_ids: dict[AnyStep, int] = {}
        self.size = 0
        self._part_ids: dict[Any, int] = {}
        self._rows: dict[tuple[int, int], Row] = {}
        self._applies: dict[tuple[int, int], bool] = {}
        self._glances: dict[tuple[int, int], Any] = {}
        self._members: dict[int, tuple[int, ...]] = {}
        self._read: dict[tuple[Any, Any], list[Way]] = {}
        self._answered: dict[Resolution, Answers] = {}

    def step_id(self, step: AnyStep) -> int:
        """The number of a step; equal steps have one."""
        known = self._step_ids.get(step)
        if known is None:
            known = self._step_ids[step] = len(self.steps)
            reach = step.reach
            if reach is not None and EVERYBODY in reach:
                reach = None
            self.steps.append(
                Known(
                    step,
                    type(step).applies is not Step.applies,
                    step.glances,
                    None if reach is None else frozenset(reach),
                    step.reads,
                    step.mark,
                )
            )
        return known

    def part_id(self, part: object) -> int:
        """The number of a part; equal parts of one type have one."""
        key: Any = (type(part), part)
        if isinstance(part, View):
            glanced = tuple([(name, type(look), look) for name, look in part.glanced])
            key = (part.names, tuple(map(self.part_id, part.parts)), glanced, part.tallies)
        known = self._part_ids.get(key)
        if known is None:
            known = self._part_ids[key] = len(self.parts)
            self.parts.append(part)
            self.size += 1
        return known

    def members(self, view: int) -> tuple[int, ...]:
        """The numbers of the parts in a View."""
        known = self._members.get(view)
        if known is None:
            parts = self.parts[view].parts
            known = self._members[view] = tuple([self.part_id(part) for part in parts])
        return known

    def glance(self, step: int, part: int) -> Any:
        """What a step may know of such a part."""
        key = (step, part)
        if key not in self._glances:
            self._glances[key] = self.steps[step].step.glance(self.parts[part])
        return self._glances[key]

    def applies(self, step: int, part: int) -> bool:
        """Whether the step still matters to this part."""
        key = (step, part)
        known = self._applies.get(key)
        if known is None:
            known = self._applies[key] = self.steps[step].step.applies(self.parts[part])
        return known

    def row(self, step: int, part: int) -> Row:
        """The row of this step on this part."""
        key = (step, part)
        known = self._rows.get(key)
        if known is None:
            known = self._rows[key] = self._make(self.steps[step], self.parts[part])
            self.size += 1 + len(known.outcomes)
        return known

    def _make(self, known: Known, part: Any) -> Row:
        step = known.step
        question = step.ask(part)
        if isinstance(question, Choice):
            options = [step.then(part, option.value) for option in question.options]
            outcomes = [Outcome(1, *self._left(known, part, after)) for after in options]
            return Row(1, outcomes, question, len(outcomes))
        answers = self._answers(question)
        merged: dict[tuple[int, Todo, Records], int] = {}
        for read, records, weight in answers:
            key = self._left(known, part, step.then(part, read), records)
            merged[key] = merged.get(key, 0) + weight
        shared = gcd(*merged.values())
        outcomes = [Outcome(weight // shared, *key) for key, weight in merged.items()]
        return Row(sum(merged.values()) // shared, outcomes, question, len(answers))

    def resolved(self, question: Resolution) -> Answers:
        """The answers of a Resolution, and the work of finding them."""
        solved = self._answered.get(question)
        if solved is None:
            solved = self._answered[question] = self._solve(question)
        return solved

    def _answers(self, question: Question[Any] | None) -> list[Way]:
        if question is None:
            return _NO_QUESTION
        if isinstance(question, Resolution):
            return self.resolved(question).ways
        assert isinstance(question, Roll)
        key = (question.throw, question.reading)
        read = self._read.get(key)
        if read is None:
            weights = read_weights(question)
            read = self._read[key] = [(each, (), weight) for each, weight in weights.items()]
        return read

    def _left(
        self, known: Known, part: Any, after: Next[Any], records: Records = ()
    ) -> tuple[int, Todo, Records]:
        """What is left behind: the part, what is put first, what is recorded."""
        inside = [(name, total) for name, total, _ in records] if records else ()
        check_promises(known.step, known.reach, part, after, inside)
        todo: Todo = ()
        if after.todo:
            todo = tuple([(self.step_id(each.step), each.who, each.times) for each in after.todo])
        if after.records:
            records += tuple([(name, n, n) for name, n in after.records if n])
        return self.part_id(after.part), todo, records


_NO_QUESTION: list[Way] = [(None, (), 1)]


def read_weights(roll: Roll[Any]) -> dict[Any, int]:
    """What a roll reads, each with its whole-number weight."""
    read = roll.reading.read
    weights: dict[Any, int] = {}
    for total, weight in roll.throw.weights():
        key = read(total)
        weights[key] = weights.get(key, 0) + weight
    return weights
