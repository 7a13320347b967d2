"""Steps: what a rulebook says, as values.

A step asks one question (`ask`) and says what its answer means (`then`). Both are pure: no dice,
no clock, no input or output. Everything else in this package is a way of reading steps.
"""

from collections.abc import Hashable, Mapping
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import msgspec

from firepower.chance.dice import Throw
from firepower.chance.errors import StepError
from firepower.chance.readings import Reading
from firepower.chance.tallies import EVERYBODY, Address, Tally

P = TypeVar("P")
R = TypeVar("R")


class Modifier(msgspec.Struct, frozen=True, gc=False):
    """One part of a number: its label, its value, and where it comes from."""

    label: str
    value: int
    source: str


class Roll(msgspec.Struct, Generic[R], frozen=True):
    """Dice to throw and how they are read.

    `parts` are what is added up, `target` the number they add up to if the roll is a test. `by`
    throws them, if not the one whom the step is addressed to.
    """

    label: str
    throw: Throw
    reading: Reading[R]
    parts: tuple[Modifier, ...] = ()
    target: int | None = None
    by: str = ""


class Option(msgspec.Struct, Generic[R], frozen=True):
    """One thing that may be chosen: the key that names it, and its value for `then`."""

    key: str
    value: R


class Choice(msgspec.Struct, Generic[R], frozen=True):
    """Options, who has to choose, and the key that the policy takes.

    `side` decides, where it is not `by` alone. `stated` is the key of the option that was stated
    beforehand: then nobody is asked any more.
    """

    label: str
    by: str
    options: tuple[Option[R], ...]
    policy: str
    side: str = ""
    stated: str | None = None

    def index(self, key: str) -> int | None:
        """The position of the option that is named so, or None."""
        return next((i for i, option in enumerate(self.options) if option.key == key), None)

    @property
    def taken(self) -> int:
        """The position of the option that was stated, else of that which the policy takes."""
        key = self.policy if self.stated is None else self.stated
        index = self.index(key)
        if index is None:
            raise StepError(f"the choice {self.label!r} has no option {key!r}")
        return index

    def is_open_to(self, choosers: frozenset[str] | None) -> bool:
        """Whether it is still to be made by these (None: by whoever has to)."""
        if self.stated is not None:
            return False
        return choosers is None or self.by in choosers or self.side in choosers


class Resolution(msgspec.Struct, frozen=True):
    """A smaller question without Choices, used like a die: its answer is one of its records.

    `agenda` runs on `part` alone; the answer is the sum of the records named `answer`, which are
    recorded outside only if `recorded` says so. What else is recorded inside is added up by name
    and recorded once, for the step that asks. `begun` is what was recorded already when play
    stopped in its middle.
    """

    label: str
    agenda: tuple["AnyStep | Task", ...]
    answer: str
    part: Any = None
    recorded: bool = False
    begun: tuple[tuple[str, int], ...] = ()

    def leaves(self, name: str) -> bool:
        """Whether a record of this name made inside is a record outside."""
        return self.recorded or name != self.answer


Question: TypeAlias = Roll[R] | Choice[R] | Resolution


class Mark(msgspec.Struct, frozen=True, gc=False):
    """What ends with a step: a turn, a round.

    Answers can be given for a mark that has a label. `left`: how many more are to come that are
    like it, so that it can be told early how large a question will be.
    """

    label: str = ""
    left: int = 0


class Step(msgspec.Struct, Generic[P, R], frozen=True, gc=False, cache_hash=True):
    """One question and what its answer means, addressed to one combatant or to several together.

    Addressed to one, a step gets and gives back that combatant's part; addressed to several (by a
    tuple of names, to EVERYBODY, to NOBODY) a View of theirs. Whom else it must know about it names
    in `glances`: of these the View holds what `glance` makes of their parts, and nothing more.

    `reach`: besides whom it is addressed to, all those whom anything that comes of it may change
    or record for (None: anybody). A question about others leaves the step out; the engine checks
    that it keeps its word. `together`: repeats are one throw of many dice, and what they
    push comes after all of them; neither that nor their order may matter. `reads`: the tallies
    that `then` looks at through `View.tally`, counted from the moment that the step stands on the
    agenda. `signed`: its records may be less than nothing. `mark`: what ends with it.
    """

    together: ClassVar[bool] = False
    signed: ClassVar[bool] = False

    @property
    def glances(self) -> tuple[str, ...]:
        return ()

    @property
    def reach(self) -> tuple[str, ...] | None:
        return None

    @property
    def reads(self) -> tuple[Tally, ...]:
        return ()

    @property
    def mark(self) -> Mark | None:
        return None

    def glance(self, part: Any, /) -> Hashable:
        """What the step must know about one of those in `glances`: a small value."""
        raise StepError(f"{type(self).__name__} glances at others and does not say for what")

    def applies(self, part: P, /) -> bool:
        """Whether the step still matters; if not, it and all its repeats are skipped."""
        return True

    def ask(self, part: P, /) -> Question[R] | None:
        """The question, or None for bookkeeping."""
        return None

    def says(self, part: P, /) -> str:
        """What a play tells of a step that asks nothing; empty if that is not worth a word."""
        return ""

    def then(self, part: P, read: R, /) -> "Next[P]":
        """What follows from what was read (from the option chosen, from the answer; or None)."""
        raise NotImplementedError  # every step says it; a msgspec Struct cannot be abstract


def asked_of(who: Address, question: Question[Any]) -> str:
    """Who throws or chooses when a question is put to somebody; nobody is named for several."""
    if not isinstance(question, Resolution) and question.by:
        return question.by
    return who if isinstance(who, str) else ""


AnyStep: TypeAlias = Step[Any, Any]


class Task(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A step on the agenda: for whom (None: whoever it comes from), and how many times."""

    step: AnyStep
    who: Address | None = None
    times: int = 1


class Next(Generic[P]):
    """What follows: the part as it is now, what is to be done first, and what is recorded."""

    __slots__ = ("part", "records", "todo")

    def __init__(
        self, part: P, *todo: AnyStep | Task, records: Mapping[str, int | bool] | None = None
    ) -> None:
        self.part = part
        self.todo = tuple([task(each) for each in todo]) if todo else ()
        self.records = (
            tuple([(name, int(amount)) for name, amount in records.items()]) if records else ()
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Next) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"Next({self.part!r}, *{self.todo!r}, records={dict(self.records)!r})"

    def _key(self) -> tuple[object, ...]:
        return (self.part, self.todo, self.records)


def task(each: AnyStep | Task) -> Task:
    """A step as a task, once; a task as it is."""
    return each if isinstance(each, Task) else Task(each)


class View(msgspec.Struct, frozen=True, cache_hash=True):
    """What a step addressed to several sees of the state, and returns changed.

    `parts` are those of the `names` it is addressed to, `glanced` what it may know of others,
    `tallies` what was recorded of what it reads. Looking elsewhere is a StepError.
    """

    names: tuple[str, ...]
    parts: tuple[Any, ...]
    glanced: tuple[tuple[str, Any], ...] = ()
    tallies: tuple[tuple[Tally, int], ...] = ()

    def __getitem__(self, name: str) -> Any:
        """The part of somebody whom the step is addressed to."""
        return self.parts[self._at(name)]

    def glance(self, name: str) -> Any:
        """What the step may know of somebody else."""
        for other, seen in self.glanced:
            if other == name:
                return seen
        raise StepError(f"a step glances at {name!r} without saying so in `glances`")

    def of(self, who: Address) -> Any:
        """The part of one of them, or a View of several."""
        if isinstance(who, str) and who != EVERYBODY:
            return self[who]
        names = self.names if isinstance(who, str) else who
        return View(names, tuple([self[name] for name in names]))

    def replace(self, name: str, part: object) -> "View":
        """The same with one part changed."""
        at = self._at(name)
        parts = (*self.parts[:at], part, *self.parts[at + 1 :])
        return View(self.names, parts, self.glanced, self.tallies)

    def tally(self, tally: Tally) -> int:
        """What was recorded since the reading step was put on the agenda."""
        for kept, number in self.tallies:
            if kept == tally:
                return number
        raise StepError(f"a step reads {tally.names} without saying so in `reads`")

    def _at(self, name: str) -> int:
        if name not in self.names:
            raise StepError(f"a step looks at {name!r}, whom it is not addressed to")
        return self.names.index(name)


class Situation(msgspec.Struct, frozen=True, cache_hash=True):
    """Where a question stands: who is in what state, what is still to come, what was recorded."""

    names: tuple[str, ...]
    parts: tuple[Any, ...]
    agenda: tuple[Task, ...]
    tallies: tuple[tuple[Tally, int], ...] = ()
    records: tuple[tuple[str, int], ...] = ()


def situation(parts: Mapping[str, object], *agenda: AnyStep | Task) -> Situation:
    """The beginning of a question: parts by name, and steps addressed to one of them or to all.

    A step without an address is addressed to everybody.
    """
    tasks = tuple(task(each) for each in agenda)
    placed = tuple(
        Task(each.step, EVERYBODY if each.who is None else each.who, each.times) for each in tasks
    )
    return Situation(tuple(parts), tuple(parts.values()), placed)
