"""Steps: what a rulebook says, as values.

A step asks one question (`ask`) and says what its answer means (`then`). Both are pure: no dice,
no clock, no input or output. Everything else in this package is a way of reading steps.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import msgspec

from firepower.chance.dice import Throw
from firepower.chance.errors import StepError
from firepower.chance.readings import Reading

P = TypeVar("P")
R = TypeVar("R")

EVERYBODY = ""
"""The address of a step that sees and changes the parts of all combatants."""


class Modifier(msgspec.Struct, frozen=True, gc=False):
    """One part of a number: its label, its value, and where it comes from."""

    label: str
    value: int
    source: str


class Roll(msgspec.Struct, Generic[R], frozen=True):
    """Dice to throw and how they are read.

    `parts` are what is added up, `target` the number they add up to if the roll is a test.
    """

    label: str
    throw: Throw
    reading: Reading[R]
    parts: tuple[Modifier, ...] = ()
    target: int | None = None


class Option(msgspec.Struct, Generic[R], frozen=True):
    """One thing that may be chosen: the key that names it, and its value for `then`."""

    key: str
    value: R


class Choice(msgspec.Struct, Generic[R], frozen=True):
    """Options, who decides, and the key that the stated policy takes.

    `stand` says how things stand, where whoever decides must be told.
    """

    label: str
    by: str
    options: tuple[Option[R], ...]
    policy: str
    stand: str = ""

    def index(self, key: str) -> int | None:
        """The position of the option that is named so, or None."""
        return next((i for i, option in enumerate(self.options) if option.key == key), None)

    @property
    def taken(self) -> int:
        """The position of the option that the policy takes."""
        index = self.index(self.policy)
        if index is None:
            raise StepError(f"the choice {self.label!r} has no option {self.policy!r}")
        return index


class Resolution(msgspec.Struct, frozen=True):
    """A smaller question without Choices, used like a die: its answer is one of its records.

    `agenda` runs on `part` alone; the answer is the sum of the records named `answer`. What is
    recorded inside is added up by name and recorded once, for the step that asks. `begun` is
    what was recorded already when play stopped in its middle.
    """

    label: str
    agenda: tuple["AnyStep | Task", ...]
    answer: str
    part: Any = None
    begun: tuple[tuple[str, int], ...] = ()


Question: TypeAlias = Roll[R] | Choice[R] | Resolution


class Measure(msgspec.Struct, frozen=True, cache_hash=True):
    """A number made of records: those of the names given, added up, the greatest, or whether any.

    A record's name is `combatant.record`, or `record` alone for a step addressed to everybody.
    With `cap` the number stops there. `any` gives booleans.
    """

    names: tuple[str, ...]
    how: str = "sum"
    cap: int | None = None

    def __post_init__(self) -> None:
        if self.how not in ("sum", "greatest", "any"):
            raise StepError(f"a measure is a sum, greatest or any, not {self.how!r}")

    def empty(self) -> int:
        """The number when nothing was recorded."""
        return 0

    def gain(self, records: tuple[tuple[str, int], ...]) -> int:
        """What these records are worth: their sum, or the greatest of them."""
        amounts = [amount for name, amount in records if name in self.names]
        return (sum(amounts) if self.how == "sum" else max(amounts)) if amounts else 0

    def grow(self, number: int, gain: int) -> int:
        """The number after such a gain."""
        if self.how == "any":
            return int(number > 0 or gain > 0)
        number = number + gain if self.how == "sum" else max(number, gain)
        return number if self.cap is None else min(number, self.cap)

    def add(self, number: int, records: tuple[tuple[str, int], ...]) -> int:
        """The number after these records."""
        return self.grow(number, self.gain(records))

    def outcome(self, number: int) -> int | bool:
        """The number as it is reported."""
        return number > 0 if self.how == "any" else number

    def owners(self) -> frozenset[str]:
        """The combatants whose records count."""
        return frozenset(name.rpartition(".")[0] for name in self.names) - {EVERYBODY}


class Final(msgspec.Struct, frozen=True):
    """A number, or a truth, about the part of one combatant at the end."""

    who: str
    of: Callable[[Any], Hashable]

    def owners(self) -> frozenset[str]:
        """The combatant whose part it looks at."""
        return frozenset((self.who,))


class Step(msgspec.Struct, Generic[P, R], frozen=True, gc=False, cache_hash=True):
    """One question and what its answer means, addressed to the part of one combatant.

    `together`: repeats of the step are one throw of many dice, and what they push comes after all
    of them; neither that nor their order may matter.
    `local`: all that comes of the step stays with its combatant, so that a question about others
    can skip it; the engine checks it. `reads`: the measures that `then` looks at through
    `Everybody.tally`; only a step addressed to everybody may read, and what it reads is counted
    from the moment that it stands on the agenda. `signed`: its records may be less than nothing.
    """

    together: ClassVar[bool] = False
    local: ClassVar[bool] = False
    signed: ClassVar[bool] = False

    @property
    def reads(self) -> tuple[Measure, ...]:
        return ()

    @property
    def mark(self) -> str:
        """What ends with this step, if something does: a round. Answers can be given for marks."""
        return ""

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


AnyStep: TypeAlias = Step[Any, Any]


class Task(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A step on the agenda: for whom (None: whoever it comes from), and how many times."""

    step: AnyStep
    who: str | None = None
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


class Everybody(msgspec.Struct, frozen=True, cache_hash=True):
    """All parts together, as a step addressed to EVERYBODY sees and returns them."""

    names: tuple[str, ...]
    parts: tuple[Any, ...]
    tallies: tuple[tuple[Measure, int], ...] = ()

    def __getitem__(self, name: str) -> Any:
        return self.parts[self.names.index(name)]

    def replace(self, name: str, part: object) -> "Everybody":
        """The same with one part changed."""
        at = self.names.index(name)
        return Everybody(self.names, (*self.parts[:at], part, *self.parts[at + 1 :]), self.tallies)

    def tally(self, measure: Measure) -> int:
        """What was recorded since the reading step was put on the agenda."""
        for kept, number in self.tallies:
            if kept == measure:
                return number
        raise StepError(f"a step reads {measure.names} without saying so in `reads`")


class Situation(msgspec.Struct, frozen=True, cache_hash=True):
    """Where a question stands: who is in what state, what is still to come, what was recorded."""

    names: tuple[str, ...]
    parts: tuple[Any, ...]
    agenda: tuple[Task, ...]
    tallies: tuple[tuple[Measure, int], ...] = ()
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
