"""Rows: what a step does to a part, every outcome with its weight, remembered.

A row knows neither names nor the rest of the agenda, so one solver shares its rows among all
the questions that it is asked.
"""

from collections.abc import Callable
from math import gcd
from typing import Any, NamedTuple, TypeAlias

from firepower.chance.errors import StepError
from firepower.chance.steps import (
    AnyStep,
    Choice,
    Everybody,
    Next,
    Question,
    Resolution,
    Roll,
    Step,
)

Records: TypeAlias = tuple[tuple[str, int], ...]
Todo: TypeAlias = tuple[tuple[int, str | None, int], ...]


class Outcome(NamedTuple):
    """One way a step can go: weight, the part after it, what it puts first, what it records."""

    weight: int
    part: int
    todo: Todo
    records: Records


class Row(NamedTuple):
    """All outcomes of a step on a part; of a Choice one outcome for each option, in order."""

    total: int
    outcomes: list[Outcome]
    question: Question[Any] | None


Solve: TypeAlias = Callable[[Resolution], dict[tuple[int, Records], int]]


class Rows:
    """Steps and parts by number, and the rows made of them."""

    def __init__(self, solve: Solve) -> None:
        self._solve = solve
        self.steps: list[AnyStep] = []
        self.parts: list[Any] = []
        self.conditional: list[bool] = []
        self.local: list[bool] = []
        self._step_ids: dict[AnyStep, int] = {}
        self._part_ids: dict[Any, int] = {}
        self._rows: dict[tuple[int, int], Row] = {}
        self._applies: dict[tuple[int, int], bool] = {}
        self._read: dict[tuple[Any, Any], list[tuple[Any, Records, int]]] = {}
        self._answered: dict[Resolution, dict[tuple[int, Records], int]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def step_id(self, step: AnyStep) -> int:
        """The number of a step; equal steps have one."""
        known = self._step_ids.get(step)
        if known is None:
            known = self._step_ids[step] = len(self.steps)
            self.steps.append(step)
            self.conditional.append(type(step).applies is not Step.applies)
            self.local.append(step.local)
        return known

    def part_id(self, part: object) -> int:
        """The number of a part; equal parts of one type have one."""
        key = part if isinstance(part, Everybody) else (type(part), part)
        known = self._part_ids.get(key)
        if known is None:
            known = self._part_ids[key] = len(self.parts)
            self.parts.append(part)
        return known

    def applies(self, step: int, part: int) -> bool:
        """Whether the step still matters to this part."""
        key = (step, part)
        known = self._applies.get(key)
        if known is None:
            known = self._applies[key] = self.steps[step].applies(self.parts[part])
        return known

    def row(self, step: int, part: int) -> Row:
        """The row of this step on this part."""
        key = (step, part)
        known = self._rows.get(key)
        if known is None:
            known = self._rows[key] = self._make(self.steps[step], self.parts[part])
        return known

    def _make(self, step: AnyStep, part: Any) -> Row:
        question = step.ask(part)
        if isinstance(question, Choice):
            options = [step.then(part, option.value) for option in question.options]
            outcomes = [self._outcome(step, 1, after, ()) for after in options]
            return Row(1, outcomes, question)
        merged: dict[tuple[int, Todo, Records], int] = {}
        for read, records, weight in self._answers(question):
            made = self._outcome(step, weight, step.then(part, read), records)
            key = made[1:]
            merged[key] = merged.get(key, 0) + weight
        shared = gcd(*merged.values())
        outcomes = [Outcome(weight // shared, *key) for key, weight in merged.items()]
        return Row(sum(merged.values()) // shared, outcomes, question)

    def _answers(self, question: Question[Any] | None) -> list[tuple[Any, Records, int]]:
        """What can be read, with the records of a Resolution and the weight."""
        if question is None:
            return [(None, (), 1)]
        if isinstance(question, Resolution):
            known = self._answered.get(question)
            if known is None:
                known = self._answered[question] = self._solve(question)
            return [(read, made, weight) for (read, made), weight in known.items()]
        assert isinstance(question, Roll)
        key = (question.throw, question.reading)
        found = self._read.get(key)
        if found is None:
            weights = read_weights(question)
            found = self._read[key] = [(read, (), weight) for read, weight in weights.items()]
        return found

    def _outcome(self, step: AnyStep, weight: int, after: Next[Any], records: Records) -> Outcome:
        todo: Todo = ()
        if after.todo:
            if step.local:
                _check_local(step, after)
            todo = tuple([(self.step_id(each.step), each.who, each.times) for each in after.todo])
        if after.records:
            made = tuple([record for record in after.records if record[1]])
            if not step.signed and any(amount < 0 for _, amount in made):
                raise StepError(f"{type(step).__name__} records less than nothing: {made}")
            records += made
        return Outcome(weight, self.part_id(after.part), todo, records)


def _check_local(step: AnyStep, after: Next[Any]) -> None:
    for each in after.todo:
        if each.who is not None or not each.step.local:
            raise StepError(f"{type(step).__name__} calls itself local but leads to {each.step!r}")


def read_weights(roll: Roll[Any]) -> dict[Any, int]:
    """What a roll reads, each with its whole-number weight."""
    read = roll.reading.read
    weights: dict[Any, int] = {}
    for total, weight in roll.throw.weights():
        key = read(total)
        weights[key] = weights.get(key, 0) + weight
    return weights
