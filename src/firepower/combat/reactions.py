"""Reactions: what others may do when something happens, before it takes effect.

Something is at stake (an action, so many hits); those who listen answer one after the other, and
each may change it before it lands.
"""

from collections.abc import Hashable, Iterable
from typing import Any, ClassVar, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from firepower.chance.steps import Choice, Next, Option, Step, Task, View

D = TypeVar("D", bound="Deed")


class Blocked(msgspec.Struct, frozen=True):
    """Why something cannot be done as things stand: a cause that is counted if it is lost."""

    cause: str


class Trigger(msgspec.Struct, frozen=True):
    """What happens (`on`), who does it, to whom, in whose turn; `stake` is what may be changed."""

    on: str
    by: str
    to: tuple[str, ...] = ()
    in_turn_of: str = ""
    stake: Hashable = None


class Landing(Protocol):
    """What follows of a trigger when all have answered; a frozen value."""

    @property
    def reach(self) -> tuple[str, ...] | None:
        """Whom anything that comes of it may do something to (None: anybody)."""

    def land(self, trigger: Trigger, /) -> tuple[Task, ...]:
        """The tasks that follow, by what is at stake now."""


class Deed(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """What somebody does, of their own accord (an action) or as an answer (a reaction).

    It sees `who` does it and those it `sees`, and glances at those it `concerns`. `listeners` are
    the reactions to what it `raises`, also in the steps that it pushes.
    """

    who: str
    key: str
    listeners: tuple[Any, ...] = ()

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
        """Those whom something is done to, for whom there is something to measure."""
        return ()


class Reaction(Deed, frozen=True, cache_hash=True, kw_only=True):
    """What somebody may do when something happens; a frozen value that actions carry.

    `on` is what it answers, `wanted` its policy. Whether it can be done again is up to its own
    state.
    """

    on: str
    wanted: bool = True

    def blocked(self, view: View, trigger: Trigger) -> Blocked | None:
        """Why it cannot be done; then nobody is asked."""
        raise NotImplementedError  # each says it; a Struct cannot be abstract

    def resolve(self, view: View, pending: "Pending") -> Next[View]:
        """What happens when it is done; it ends with the tasks of what is pending."""
        raise NotImplementedError  # each says it; a Struct cannot be abstract


class Pending(msgspec.Struct, frozen=True, cache_hash=True):
    """What is at stake, who has yet to answer, and what follows then."""

    trigger: Trigger
    listeners: tuple[Any, ...]
    landing: Any

    def tasks(self) -> tuple[Task, ...]:
        """The next answer, or what follows if all have answered."""
        if self.listeners:
            return (Answer(self).task,)
        landed: tuple[Task, ...] = self.landing.land(self.trigger)
        return landed

    def changed(self, stake: Hashable) -> "Pending":
        """The same with something else at stake."""
        return replace(self, trigger=replace(self.trigger, stake=stake))

    @property
    def reach(self) -> tuple[str, ...] | None:
        """Whom anything that comes of it may do something to (None: anybody)."""
        if self.landing.reach is None:
            return None
        return reached(self.listeners, self.landing.reach)


def reached(listeners: Iterable[Reaction], others: Iterable[str] = ()) -> tuple[str, ...] | None:
    """Whom these may do something to, and those who answer them (None: anybody)."""
    found = dict.fromkeys(others)
    for each in listeners:
        further = reached(each.listeners)
        if each.reach is None or further is None:
            return None
        found |= dict.fromkeys((each.who, *each.sees, *each.reach, *further))
    return tuple(found)


class Answer(Step[View, bool], frozen=True, gc=False, cache_hash=True):
    """The next of those who listen may answer: by its policy, or as is chosen."""

    pending: Pending

    @property
    def _reaction(self) -> Reaction:
        reaction: Reaction = self.pending.listeners[0]
        return reaction

    @property
    def _rest(self) -> Pending:
        return replace(self.pending, listeners=self.pending.listeners[1:])

    @property
    def glances(self) -> tuple[str, ...]:
        seen = (self._reaction.who, *self._reaction.sees)
        return tuple(name for name in self._reaction.concerns if name not in seen)

    def glance(self, part: Any) -> Hashable:
        glimpse: Hashable = part.glimpse
        return glimpse

    @property
    def reach(self) -> tuple[str, ...] | None:
        return self.pending.reach

    def ask(self, view: View) -> Choice[bool] | None:
        reaction, trigger = self._reaction, self.pending.trigger
        if reaction.blocked(view, trigger) is not None:
            return None
        options = (Option("no", value=False), Option("yes", value=True))
        label = f"{trigger.by} {trigger.on}: {reaction.key}?"
        return Choice(label, reaction.who, options, "yes" if reaction.wanted else "no")

    def then(self, view: View, taken: bool | None) -> Next[View]:
        if not taken:
            return Next(view, *self._rest.tasks())
        return self._reaction.resolve(view, self._rest)

    @property
    def task(self) -> Task:
        """The step for the one who may answer."""
        return Task(self, (self._reaction.who, *self._reaction.sees))


def interrupted(
    trigger: Trigger, listeners: Iterable[Reaction], landing: Landing
) -> tuple[Task, ...]:
    """The answers of those who listen to a trigger, in their order, and then what follows."""
    return Pending(
        trigger, tuple(each for each in listeners if each.on == trigger.on), landing
    ).tasks()


def heard(deed: D, reactions: Iterable[Reaction], above: frozenset[str] = frozenset()) -> D:
    """An action or a reaction with those who listen to what it raises.

    What answers something may itself be answered, but not by what it is an answer to.
    """
    kinds = frozenset(deed.raises) - above
    listeners = tuple(
        heard(each, reactions, above | {each.on}) for each in reactions if each.on in kinds
    )
    return replace(deed, listeners=listeners) if listeners else deed
