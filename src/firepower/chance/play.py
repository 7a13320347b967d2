"""Play: one outcome of a situation, die by die, as data.

Equal questions that stand next to each other and say that they go together are thrown as one
handful. What happened is a list of events; `firepower.report` makes words of it.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Protocol, TypeAlias

import msgspec

from firepower.chance.dice import Die, Face
from firepower.chance.errors import AnswerError, StepError
from firepower.chance.steps import (
    EVERYBODY,
    AnyStep,
    Choice,
    Everybody,
    Final,
    Measure,
    Modifier,
    Next,
    Resolution,
    Roll,
    Situation,
    Step,
    Task,
    task,
)


class Thrown(msgspec.Struct, frozen=True, tag="thrown"):
    """Dice that were thrown: one entry of `faces`, `totals` and `read` for each question asked."""

    code: str
    who: str
    label: str
    dice: str
    need: str
    parts: tuple[Modifier, ...]
    faces: tuple[tuple[Face, ...], ...]
    totals: tuple[str, ...]
    words: tuple[str, ...]


class Chosen(msgspec.Struct, frozen=True, tag="chosen"):
    """An option that was taken, of those there were."""

    code: str
    who: str
    label: str
    by: str
    option: str
    options: tuple[str, ...]


class Told(msgspec.Struct, frozen=True, tag="told"):
    """What a step that asks nothing says of itself: a turn begins, an action is taken."""

    code: str
    who: str
    text: str


class Recorded(msgspec.Struct, frozen=True, tag="recorded"):
    """A record that a step made."""

    code: str
    name: str
    amount: int


Event: TypeAlias = Thrown | Chosen | Told | Recorded


class Played(msgspec.Struct, frozen=True):
    """What happened, and the situation it led to (`finished` if nothing is left to do)."""

    events: tuple[Event, ...]
    situation: Situation
    finished: bool

    @property
    def faces(self) -> tuple[Face, ...]:
        """All faces in the order in which they fell: given again, they replay the same."""
        thrown = (event for event in self.events if isinstance(event, Thrown))
        return tuple(face for event in thrown for faces in event.faces for face in faces)

    @property
    def options(self) -> tuple[str, ...]:
        """All options in the order in which they were taken."""
        return tuple(event.option for event in self.events if isinstance(event, Chosen))

    def number(self, measure: Measure) -> int | bool:
        """What a measure came to."""
        return measure.outcome(measure.add(measure.empty(), self.situation.records))

    def value(self, measure: Measure | Final) -> Any:
        """What a measure came to, or what is true of a part at the end."""
        if isinstance(measure, Measure):
            return self.number(measure)
        at = self.situation.names.index(measure.who)
        return measure.of(self.situation.parts[at])


class NoMoreAnswersError(Exception):
    """The source of dice or of decisions is exhausted: play stops here."""


class Source(Protocol):
    """Where faces come from."""

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        """One face for each physical die that `who` throws, or NoMoreAnswersError."""

    def left(self) -> bool:
        """Whether there is another face to come."""


class Decider(Protocol):
    """Who takes the options."""

    def decide(self, choice: Choice[Any]) -> str | None:
        """The key of the option taken; None leaves it to the policy."""


class Generator:
    """Faces from a seeded generator; equal seeds give equal faces."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        return tuple(
            self._random.choices(die.faces, die.weights)[0] for die in roll.throw.physical()
        )

    def left(self) -> bool:
        return True


class Typed:
    """Faces given beforehand, as text; then those of another source, if there is one."""

    def __init__(self, faces: Iterable[str], then: Source | None = None) -> None:
        self._faces = list(faces)
        self._at = 0
        self._then = then

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        dice = roll.throw.physical()
        given = self._faces[self._at : self._at + len(dice)]
        if not dice:
            return ()
        if not given and self._then is None:
            raise NoMoreAnswersError
        faces = tuple(die.read(text) for die, text in zip(dice, given, strict=False))
        if len(given) < len(dice) and self._then is not None and self._then.left():
            self._at += len(given)
            return faces + self._then.throw(roll, who)[len(given) :]
        if len(given) < len(dice):
            raise AnswerError(
                f"'{roll.label}' throws {len(dice)} dice ({roll.throw}) together; "
                f"{len(given)} of their faces cannot stand alone"
            )
        self._at += len(given)
        return faces

    def left(self) -> bool:
        return self._at < len(self._faces) or (self._then is not None and self._then.left())

    def unused(self) -> Sequence[str]:
        """The faces that nothing asked for."""
        return self._faces[self._at :]


class Asked:
    """Faces typed by a person at a prompt; a face that the die does not have is asked again.

    `prompt` gets a sentence and returns what was typed; `refuse` gets the reason of a refusal.
    """

    def __init__(self, prompt: Callable[[str], str], refuse: Callable[[str], None]) -> None:
        self._prompt = prompt
        self._refuse = refuse

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        return tuple(self._face(roll, die, who) for die in roll.throw.physical())

    def _face(self, roll: Roll[Any], die: Die, who: str) -> Face:
        need = f", {roll.reading.need}" if roll.reading.need else ""
        while True:
            typed = self._prompt(f"{who}: {roll.label} ({die.name}{need})".removeprefix(": "))
            try:
                return die.read(typed)
            except ValueError as wrong:
                self._refuse(str(wrong))

    def left(self) -> bool:
        return True


class Policies:
    """Every Choice follows its policy."""

    def decide(self, choice: Choice[Any]) -> str | None:
        return None


class Scripted:
    """Options given beforehand by their keys; then those of another decider."""

    def __init__(self, keys: Iterable[str], then: Decider) -> None:
        self._keys = list(keys)
        self._then = then

    def decide(self, choice: Choice[Any]) -> str | None:
        if not self._keys:
            return self._then.decide(choice)
        key = self._keys.pop(0)
        if choice.index(key) is None:
            raise AnswerError(
                f"'{choice.label}' has no option {key!r}; there are "
                + ", ".join(option.key for option in choice.options)
            )
        return key

    def unused(self) -> Sequence[str]:
        """The options that nothing asked for."""
        return self._keys


class Resumed(Step[Any, Any], frozen=True, gc=False, cache_hash=True):
    """A step whose Resolution was begun, with what is left of it."""

    step: AnyStep
    rest: Resolution

    def applies(self, part: Any) -> bool:
        return self.step.applies(part)

    def ask(self, part: Any) -> Resolution:
        return self.rest

    def then(self, part: Any, read: int) -> Next[Any]:
        return self.step.then(part, read)


class Inquiry:
    """One question on its way to its answer: a Roll at once, a Resolution roll by roll."""

    def __init__(self, step: AnyStep, question: Roll[Any] | Resolution) -> None:
        self.step = step
        self.question = question
        self.records: dict[str, int] = {}
        self.answer: Any = None
        self.done = False
        self._inner: Inquiry | None = None
        if isinstance(question, Resolution):
            self.records = dict(question.begun)
            self._part = question.part
            self._agenda = [task(each) for each in reversed(question.agenda)]
            self._go_on()

    @property
    def asking(self) -> "Inquiry":
        """The innermost question: the one that waits for dice."""
        return self if self._inner is None else self._inner.asking

    def take(self, faces: tuple[Face, ...]) -> None:
        """Answer the Roll that is asked."""
        if isinstance(self.question, Roll):
            total = self.question.throw.total(faces)
            self.answer = self.question.reading.read(total)
            self.done = True
            return
        assert self._inner is not None
        self._inner.take(faces)
        if self._inner.done:
            self._close_inner(self._inner)
            self._go_on()

    def left(self) -> Task:
        """What is still to be done of the step that asks."""
        if isinstance(self.question, Roll):
            return Task(self.step)
        agenda = [self._inner.left()] if self._inner is not None else []
        rest = (*agenda, *reversed(self._agenda))
        asked, begun = self.question, tuple(self.records.items())
        return Task(
            Resumed(self.step, Resolution(asked.label, rest, asked.answer, self._part, begun))
        )

    def _close_inner(self, inner: "Inquiry") -> None:
        self._add(inner.records.items())
        self._follow(inner.step.then(self._part, inner.answer))
        self._inner = None

    def _follow(self, after: Next[Any]) -> None:
        self._part = after.part
        self._agenda.extend(reversed(after.todo))
        self._add(after.records)

    def _add(self, records: Iterable[tuple[str, int]]) -> None:
        for name, amount in records:
            self.records[name] = self.records.get(name, 0) + amount

    def _go_on(self) -> None:
        """Go on to the next Roll, or to the end."""
        assert isinstance(self.question, Resolution)
        while self._agenda:
            top = self._agenda.pop()
            if top.times < 1 or not top.step.applies(self._part):
                continue
            if top.times > 1:
                self._agenda.append(Task(top.step, top.who, top.times - 1))
            question = top.step.ask(self._part)
            if question is None:
                self._follow(top.step.then(self._part, None))
                continue
            if isinstance(question, Choice):
                raise StepError(f"a resolution contains the choice {question.label!r}")
            self._inner = Inquiry(top.step, question)
            if not self._inner.done:
                return
            self._close_inner(self._inner)
        self.answer = self.records.get(self.question.answer, 0)
        self.done = True


class Table:
    """The state of one play: parts, agenda, events."""

    def __init__(self, start: Situation) -> None:
        self.names = start.names
        self.parts = dict(zip(start.names, start.parts, strict=True))
        self.agenda: list[Task] = []
        self.push(start.agenda, EVERYBODY)
        self.tallies = dict(start.tallies)
        self.records = list(start.records)
        self.events: list[Event] = []

    def part(self, who: str) -> Any:
        if who != EVERYBODY:
            return self.parts[who]
        parts = tuple(self.parts[name] for name in self.names)
        return Everybody(self.names, parts, tuple(self.tallies.items()))

    def push(self, todo: Iterable[Task], who: str) -> None:
        """Put tasks on top of the agenda, the first one uppermost; equal neighbours are one."""
        for each in reversed(list(todo)):
            owner = who if each.who is None else each.who
            if owner not in self.parts and owner != EVERYBODY:
                name = type(each.step).__name__
                raise StepError(f"the step {name} is addressed to {owner!r}, who is not here")
            top = self.agenda[-1] if self.agenda else None
            if each.times < 1:
                continue
            if top is not None and top.step == each.step and top.who == owner:
                self.agenda[-1] = Task(each.step, owner, top.times + each.times)
            else:
                self.agenda.append(Task(each.step, owner, each.times))

    def follow(self, step: AnyStep, who: str, after: Next[Any]) -> tuple[Task, ...]:
        """Take over the part and the records; what is to be done is returned."""
        if who == EVERYBODY:
            self.parts = dict(zip(after.part.names, after.part.parts, strict=True))
        else:
            self.parts[who] = after.part
        self.record(step, who, after.records)
        return tuple(Task(t.step, who if t.who is None else t.who, t.times) for t in after.todo)

    def record(self, step: AnyStep, who: str, records: Iterable[tuple[str, int]]) -> None:
        for name, amount in records:
            if amount:
                full = f"{who}.{name}" if who != EVERYBODY else name
                self.records.append((full, amount))
                self.events.append(Recorded(type(step).__name__, full, amount))

    def settle_tallies(self, made: Sequence[tuple[str, int]]) -> None:
        """Count what a step on the agenda will read, and forget what none will."""
        reads = {measure for each in self.agenda for measure in each.step.reads}
        self.tallies = {m: m.add(self.tallies.get(m, 0), tuple(made)) for m in reads}

    def situation(self) -> Situation:
        parts = tuple(self.parts[name] for name in self.names)
        agenda, tallies = tuple(reversed(self.agenda)), tuple(self.tallies.items())
        return Situation(self.names, parts, agenda, tallies, tuple(self.records))


def play(start: Situation, source: Source, decider: Decider | None = None) -> Played:
    """Play until nothing is left to do, or until the source of dice has no more.

    A Choice that comes when typed faces have run out stops the play too, so that odds and
    advice can be asked from there.
    """
    table = Table(start)
    table.settle_tallies(())
    decider = decider or Policies()
    finished = True
    while table.agenda:
        seen = len(table.records)
        try:
            _next_step(table, source, decider)
        except NoMoreAnswersError:
            finished = False
        table.settle_tallies(table.records[seen:])
        if not finished:
            break
    return Played(tuple(table.events), table.situation(), finished)


def _next_step(table: Table, source: Source, decider: Decider) -> None:
    top = table.agenda[-1]
    who, step = top.who or EVERYBODY, top.step
    part = table.part(who)
    if not step.applies(part):
        table.agenda.pop()
        return
    question = step.ask(part)
    if isinstance(question, Choice):
        key = decider.decide(question)
        if key is None and not source.left():
            raise NoMoreAnswersError
        at = question.taken if key is None else question.index(key)
        assert at is not None
        option = question.options[at]
        keys = tuple(each.key for each in question.options)
        code = type(step).__name__
        table.events.append(Chosen(code, who, question.label, question.by, option.key, keys))
        _take_off(table, 1)
        table.push(table.follow(step, who, step.then(part, option.value)), who)
    elif question is None:
        said = step.says(part)
        if said:
            table.events.append(Told(type(step).__name__, who, said))
        _take_off(table, 1)
        table.push(table.follow(step, who, step.then(part, None)), who)
    else:
        times = top.times if step.together else 1
        _throw_together(table, source, who, [Inquiry(step, question) for _ in range(times)])


def _take_off(table: Table, times: int) -> None:
    """Take a step off the agenda so many times."""
    top = table.agenda.pop()
    if top.times > times:
        table.agenda.append(Task(top.step, top.who, top.times - times))


def _throw_together(table: Table, source: Source, who: str, inquiries: list[Inquiry]) -> None:
    """Ask equal questions in one handful, until each of the inquiries has its answer."""
    _take_off(table, len(inquiries))
    try:
        while waiting := [each for each in inquiries if not each.done]:
            roll = waiting[0].asking.question
            group = [each for each in waiting if each.asking.question == roll]
            _throw_handful(table, source, who, group)
    finally:
        todo: list[Task] = []
        for each in inquiries:
            if each.done and each.step.applies(table.part(who)):
                table.record(each.step, who, each.records.items())
                after = each.step.then(table.part(who), each.answer)
                todo.extend(table.follow(each.step, who, after))
        table.push(todo, who)
        table.push([each.left() for each in inquiries if not each.done], who)


def _throw_handful(table: Table, source: Source, who: str, group: list[Inquiry]) -> None:
    asking = group[0].asking
    roll = asking.question
    assert isinstance(roll, Roll)
    faces: list[tuple[Face, ...]] = []
    try:
        for each in group:
            thrown = source.throw(roll, who)
            faces.append(thrown)
            each.take(thrown)
    finally:
        if faces:
            table.events.append(_thrown(asking.step, who, roll, tuple(faces)))


def _thrown(
    step: AnyStep, who: str, roll: Roll[Any], faces: tuple[tuple[Face, ...], ...]
) -> Thrown:
    totals = [roll.throw.total(each) for each in faces]
    return Thrown(
        type(step).__name__,
        who,
        roll.label,
        str(roll.throw),
        roll.reading.need,
        roll.parts,
        faces,
        tuple(str(total) for total in totals),
        tuple(roll.reading.words(roll.reading.read(total)) for total in totals),
    )


def rethrown(played: Played, change: int, face: Face) -> tuple[str, ...]:
    """The faces of a play up to and with one that is changed; what follows is thrown anew."""
    faces = played.faces
    if not 0 <= change < len(faces):
        raise AnswerError(f"the play has {len(faces)} dice, so there is no die {change + 1}")
    return (*(str(each) for each in faces[:change]), str(face))
