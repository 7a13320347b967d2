"""Inquiries: questions on their way to their answers, thrown in handfuls.

A Roll is answered at once. A Resolution is a small play of its own: its steps ask in turn, and
repeats that go together ask together, also those inside several Resolutions of one handful.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any

from firepower.chance.dice import Face
from firepower.chance.errors import StepError
from firepower.chance.promises import follows
from firepower.chance.steps import (
    AnyStep,
    Choice,
    Mark,
    Next,
    Question,
    Resolution,
    Roll,
    Step,
    Task,
    task,
)
from firepower.chance.tallies import Tally


class Resumed(Step[Any, Any], frozen=True, gc=False, cache_hash=True):
    """A step whose Resolution was begun, with what is left of it."""

    step: AnyStep
    rest: Resolution

    @property
    def glances(self) -> tuple[str, ...]:
        return self.step.glances

    @property
    def reach(self) -> tuple[str, ...] | None:
        return self.step.reach

    @property
    def reads(self) -> tuple[Tally, ...]:
        return self.step.reads

    @property
    def mark(self) -> Mark | None:
        return self.step.mark

    @property
    def signed(self) -> bool:  # type: ignore[override]  # as the step that was begun
        return self.step.signed

    def glance(self, part: Any) -> Hashable:
        return self.step.glance(part)

    def applies(self, part: Any) -> bool:
        return self.step.applies(part)

    def ask(self, part: Any) -> Resolution:
        return self.rest

    def then(self, part: Any, read: int) -> Next[Any]:
        return self.step.then(part, read)


def code_of(step: AnyStep) -> str:
    """What a step is called in events."""
    return type(step.step if isinstance(step, Resumed) else step).__name__


class Inquiry:
    """One question of a step: a Roll, or a Resolution that goes on from Roll to Roll."""

    def __init__(self, step: AnyStep, question: Question[Any]) -> None:
        if isinstance(question, Choice):
            raise StepError(f"a resolution contains the choice {question.label!r}")
        self.step = step
        self.question = question
        self.records: dict[str, int] = {}
        self.answer: Any = None
        self.done = False
        self._inner: list[Inquiry] = []
        if isinstance(question, Resolution):
            self.records = dict(question.begun)
            self._part = question.part
            self._agenda: list[Task] = []
            self._push([task(each) for each in question.agenda])
            self.go_on()

    def waiting(self) -> Iterator["Inquiry"]:
        """The Rolls that wait for dice: itself, or those inside."""
        if isinstance(self.question, Roll):
            if not self.done:
                yield self
            return
        for each in self._inner:
            yield from each.waiting()

    def take(self, faces: tuple[Face, ...]) -> None:
        """Answer a Roll."""
        assert isinstance(self.question, Roll)
        total = self.question.throw.total(faces)
        self.answer = self.question.reading.read(total)
        self.done = True

    def go_on(self) -> None:
        """After Rolls were answered: go on to the next ones, or to the end."""
        if isinstance(self.question, Roll):
            return
        for each in self._inner:
            each.go_on()
        while all(each.done for each in self._inner):
            self._close(self._inner)
            self._inner = []
            if not self._agenda:
                self.answer = self.records.get(self.question.answer, 0)
                self.done = True
                return
            self._begin(self._agenda.pop())

    @property
    def made(self) -> list[tuple[str, int]]:
        """What the step that asks records when this is done."""
        if isinstance(self.question, Roll):
            return []
        leaves = self.question.leaves
        return [(name, amount) for name, amount in self.records.items() if leaves(name)]

    def left(self) -> Task:
        """What is still to be done of the step that asks."""
        asked = self.question
        if isinstance(asked, Roll):
            return Task(self.step)
        assert isinstance(asked, Resolution)
        done = [each for each in self._inner if each.done]
        unfinished = [each.left() for each in self._inner if not each.done]
        self._close(done)
        self._push(unfinished)
        rest = tuple(reversed(self._agenda))
        begun = tuple(self.records.items())
        step = self.step.step if isinstance(self.step, Resumed) else self.step
        return Task(
            Resumed(
                step,
                Resolution(asked.label, rest, asked.answer, self._part, asked.recorded, begun),
            )
        )

    def _begin(self, top: Task) -> None:
        """Ask what a step asks: once, or as often as it goes together."""
        if top.times < 1 or not top.step.applies(self._part):
            return
        question = top.step.ask(self._part)
        times = top.times if question is not None and top.step.together else 1
        if top.times > times:
            self._agenda.append(Task(top.step, top.who, top.times - times))
        if question is None:
            self._push(self._follow(top.step, None))
        else:
            self._inner = [Inquiry(top.step, question) for _ in range(times)]

    def _close(self, inquiries: Sequence["Inquiry"]) -> None:
        """Take over the answers; what follows from them comes first."""
        todo: list[Task] = []
        for each in inquiries:
            if each.step.applies(self._part):
                self._add(each.made)
                todo += self._follow(each.step, each.answer)
        self._push(todo)

    def _follow(self, step: AnyStep, read: Any) -> tuple[Task, ...]:
        after = follows(step, self._part, read)
        self._part = after.part
        self._add(after.records)
        return after.todo

    def _push(self, todo: Sequence[Task]) -> None:
        """Put tasks on top of the agenda, the first uppermost; equal neighbours are one."""
        for each in reversed(todo):
            if each.who is not None:
                raise StepError(f"a step names {each.who!r}, who is not here")
            top = self._agenda[-1] if self._agenda else None
            if top is not None and top.step == each.step:
                self._agenda[-1] = Task(each.step, None, top.times + each.times)
            else:
                self._agenda.append(each)

    def _add(self, records: Iterable[tuple[str, int]]) -> None:
        for name, amount in records:
            self.records[name] = self.records.get(name, 0) + amount
