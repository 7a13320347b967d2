"""Actions: what can be done in a fight, each a frozen value; who answers them; the rules for them.

A paragraph of a rulebook about an action is an `ActionRule`. It makes `Action`s of the lines of a
scenario; these are what steps carry.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from firepower.chance.steps import Choice, Next, Option, Step, Task, View
from firepower.combat.documents import Path_
from firepower.combat.scenario import Line
from firepower.combat.setup import Setup

L = TypeVar("L", bound=Line)
AnySetup = Setup[Any, Any, Any]


class Part(Protocol):
    """What the floor must know of the state of a combatant: a small frozen value."""

    @property
    def acts(self) -> bool:
        """Whether there is still a turn to take."""

    @property
    def words(self) -> str:
        """How it stands with this combatant, for a player."""

    @property
    def glimpse(self) -> Hashable:
        """What the actions of others may know without naming this combatant in `sees`."""

    def faded(self, rounds_left: int) -> "Part":
        """The same without what no rule can read any more, after the last action of a question."""


class Blocked(msgspec.Struct, frozen=True):
    """Why an action cannot be done as things stand: a cause that is counted if it is lost."""

    cause: str


NEEDLESS = Blocked("needless")
"""An action that has nothing left to do: it is left out, and not counted as lost."""


class Trigger(msgspec.Struct, frozen=True):
    """What others may answer: what happens (`on`), who does it, to whom."""

    on: str
    by: str
    to: tuple[str, ...] = ()


class Reaction(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """What somebody may do when something happens; a frozen value that actions carry.

    It sees whoever is `who`, and those in `sees`; `wanted` is its policy. It may answer again
    unless its own state says otherwise.
    """

    who: str
    key: str
    on: str
    wanted: bool = True

    @property
    def sees(self) -> tuple[str, ...]:
        return ()

    @property
    def reach(self) -> tuple[str, ...] | None:
        """Whom else anything that comes of it may do something to (None: anybody)."""
        return None

    def blocked(self, view: View, trigger: Trigger) -> Blocked | None:
        """Why it cannot be done; not even asked for then."""
        raise NotImplementedError  # each says it; a Struct cannot be abstract

    def resolve(self, view: View, trigger: Trigger) -> Next[View]:
        """What happens when it is done."""
        raise NotImplementedError  # as above


class Answer(Step[View, bool], frozen=True, gc=False, cache_hash=True):
    """Somebody may answer what happens; by its policy, or as is chosen."""

    reaction: Any
    trigger: Trigger

    @property
    def reach(self) -> tuple[str, ...] | None:
        reach: tuple[str, ...] | None = self.reaction.reach
        return reach

    def applies(self, view: View) -> bool:
        return self.reaction.blocked(view, self.trigger) is None

    def ask(self, view: View) -> Choice[bool]:
        reaction: Reaction = self.reaction
        options = (Option("no", value=False), Option("yes", value=True))
        policy = "yes" if reaction.wanted else "no"
        return Choice(
            f"{self.trigger.by} {self.trigger.on}: {reaction.key}?", reaction.who, options, policy
        )

    def then(self, view: View, taken: bool) -> Next[View]:
        if not taken:
            return Next(view)
        after: Next[View] = self.reaction.resolve(view, self.trigger)
        return after

    @property
    def task(self) -> Task:
        """The step for the one who may answer."""
        return Task(self, (self.reaction.who, *self.reaction.sees))


def interrupted(trigger: Trigger, listeners: Iterable[Reaction], *then: Task) -> tuple[Task, ...]:
    """The answers of those who listen to a trigger, and what goes on after them."""
    answers = [Answer(each, trigger).task for each in listeners if each.on == trigger.on]
    return (*answers, *then)


class Action(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """Something that a combatant may do; what it gets is a View of `who` and of those it `sees`.

    At those it `concerns` it glances; `listeners` are the reactions to what it `raises`. `targets`
    are those whom something is done to, for whom there is something to measure.
    """

    who: str
    key: str
    listeners: tuple[Any, ...] = ()

    is_attack: ClassVar[bool] = False
    raises: ClassVar[tuple[str, ...]] = ()

    @property
    def sees(self) -> tuple[str, ...]:
        return ()

    @property
    def concerns(self) -> tuple[str, ...]:
        return ()

    @property
    def reach(self) -> tuple[str, ...] | None:
        """Whom else anything that comes of it may do something to (None: anybody)."""
        return self.concerns

    @property
    def targets(self) -> tuple[str, ...]:
        return ()

    @property
    def waits_for(self) -> str:
        """The rest of the turn is put off until the turn of this combatant is over."""
        return ""

    def blocked(self, view: View) -> Blocked | None:
        """Why it cannot be done as things stand; None if it can."""
        raise NotImplementedError  # each says it; a Struct cannot be abstract

    def trigger(self, view: View) -> Trigger | None:
        """What happens before it is done, that others may answer."""
        return None

    def resolve(self, view: View) -> Next[View]:
        """What happens when it is done."""
        raise NotImplementedError  # as above


class ActionRule(ABC, Generic[L]):
    """A paragraph about an action: what may be declared, and what it then is.

    `own` are the keys of a line that are about this action, if the line names several.
    """

    name: ClassVar[str]
    own: ClassVar[tuple[str, ...]] = ()
    phase: ClassVar[str] = ""
    own_line: ClassVar[bool] = False
    """Whether it cannot stand in place of another action."""

    @abstractmethod
    def listed(self, tables: Any) -> tuple[str, dict[str, str]]:
        """Its title and figures, for a listing."""

    @abstractmethod
    def candidates(self, setup: Any, line: L, path: Path_) -> Iterator[L]:
        """The line with every way to fill in what it leaves open. Raises Refusal."""

    @abstractmethod
    def declare(self, setup: Any, line: L, path: Path_) -> Action:
        """The action of a line; raises Refusal for what can never be lawful.

        `path` is where the line stands in the document.
        """

    def called(self, line: L) -> str:
        """What the action of a line is called, whether it is lawful or not."""
        return self.name

    def option(self, setup: Any, line: L, candidate: L, key: str) -> str:
        """What an option is called: the key of its action, and what sets it apart from others."""
        return key

    def instead(self, setup: Any, line: L, path: Path_) -> Iterator[Action]:
        """What is done in its place, by the rules, where it cannot be done as declared."""
        yield from ()


def heard(action: Action, reactions: Iterable[Reaction]) -> Action:
    """The action with those who listen to what it raises."""
    listeners = tuple(each for each in reactions if each.on in action.raises)
    return replace(action, listeners=listeners) if listeners else action
