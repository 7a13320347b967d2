"""Actions: what can be done in a fight, each a frozen value, and the rules for them.

A paragraph of a rulebook about an action is an `ActionRule`. It makes `Action`s of the lines of a
scenario; these are what steps carry.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from typing import Any, ClassVar, Generic, Self, TypeVar

import msgspec

from firepower.chance.steps import Next, View
from firepower.combat.paths import Path_
from firepower.combat.reactions import Blocked, Deed, Trigger
from firepower.combat.scenario import Line
from firepower.combat.setup import Setup

L = TypeVar("L", bound=Line)
AnySetup = Setup[Any, Any, Any]


class Part(msgspec.Struct, frozen=True):
    """The state of a combatant, as far as the floor knows it: what changes and is still to be read.

    A game's own adds fields; equal states are equal values.
    """

    @property
    def acts(self) -> bool:
        """Whether there is still a turn to take."""
        return True

    @property
    def words(self) -> str:
        """How it stands with this combatant, for a player."""
        return ""

    @property
    def glimpse(self) -> Hashable:
        """What the actions of others may know without naming this combatant in `sees`."""
        return self.acts

    def faded(self, rounds_left: int) -> Self:
        """The same without what no rule can read any more, after the last action of a question."""
        return self


NEEDLESS = Blocked("needless")
"""An action that has nothing left to do: it is left out, and not counted as lost."""


class Action(Deed, frozen=True, cache_hash=True, kw_only=True):
    """Something that a combatant may do in its turn.

    What others may answer before it is done is its `trigger`; it is paid for before that.
    """

    is_attack: ClassVar[bool] = False

    @property
    def waits_for(self) -> str:
        """The rest of the turn is put off until the turn of this combatant is over."""
        return ""

    def blocked(self, view: View) -> Blocked | None:
        """Why it cannot be done as things stand; None if it can."""
        raise NotImplementedError  # each says it; a Struct cannot be abstract

    def pay(self, view: View) -> View:
        """The state after its cost, where that is paid before others answer."""
        return view

    def trigger(self, view: View) -> Trigger | None:
        """What others may answer before it is done."""
        return None

    def prevented(self, view: View) -> Blocked | None:
        """Why it cannot be done any more when others have answered; it is paid for by then."""
        return None

    def resolve(self, view: View) -> Next[View]:
        """What happens when it is done."""
        raise NotImplementedError  # each says it; a Struct cannot be abstract


class ActionRule(ABC, Generic[L]):
    """A paragraph about an action: what may be declared, and what it then is.

    `own` are the keys of a line that are about this action, if the line names several; `phase` is
    that of a round in which it is done, where a game has phases.
    """

    name: ClassVar[str]
    title: ClassVar[str] = ""
    own: ClassVar[tuple[str, ...]] = ()
    phase: ClassVar[str] = ""
    own_line: ClassVar[bool] = False
    """Whether it cannot stand in place of another action."""
    offered: ClassVar[bool] = True
    """Whether it is an option where a line leaves its action open; not if it changes nothing."""

    def heading(self, tables: Any) -> str:
        """What it is called in a listing."""
        return self.title or self.name

    def figures(self, tables: Any) -> dict[str, str]:
        """What a listing says of it, besides its title."""
        return {}

    def of_open(self, line: L) -> L:
        """A line that leaves its action open, as far as it is about this one."""
        return line

    def candidates(self, setup: Any, line: L, path: Path_) -> Iterator[L]:
        """The line with every way to fill in what it leaves open. Raises Refusal."""
        yield line

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
