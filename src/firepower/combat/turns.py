"""Turns: what combatants do in them, by plan or by choice, round after round.

A game brings its actions; here they happen in the order of acting, those that come to nothing are
counted, and the end of each round is marked so that an answer can be given for it.

The part of a combatant says with `acts` whether it still can act, and with `words` how it stands.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeVar

import msgspec

from firepower.chance.steps import Choice, Mark, Next, Option, Situation, Step, Task, View
from firepower.chance.tallies import NOBODY, Tally
from firepower.combat.documents import Document, close_matches
from firepower.combat.game import Envelope, Line, Participant

P = TypeVar("P", bound=Participant)
R = TypeVar("R")
L = TypeVar("L", bound=Line)

NEEDLESS = "needless"
"""The hindrance of an action that has nothing left to do: it is left out, and not counted."""

END = "end turn"

MOST_TOLD_APART = 3


class Action(Protocol):
    """Something that a combatant may do in a turn; a frozen value.

    What it gets is a View of the one who acts; of others it sees who still acts.
    """

    is_attack: ClassVar[bool]
    """Whether it is done against somebody."""

    @property
    def key(self) -> str:
        """What it is called among the options."""

    @property
    def others(self) -> tuple[str, ...]:
        """Everybody else whom it looks at or does something to."""

    def hindrance(self, view: View, /) -> str:
        """Why it cannot be done as things stand, in a word; empty if it can."""

    def begin(self, view: View, /) -> Next[View]:
        """What happens when it is done."""


class OfATurn(Step[View, R], frozen=True, gc=False, cache_hash=True):
    """What one combatant does in a turn: it sees itself, and of others whether they still act."""

    who: str
    actions: tuple[Any, ...]

    @property
    def glances(self) -> tuple[str, ...]:
        others = dict.fromkeys(name for action in self.actions for name in action.others)
        return tuple(name for name in others if name != self.who)

    @property
    def reach(self) -> tuple[str, ...]:
        return self.glances

    def glance(self, part: Any) -> bool:
        return bool(part.acts)

    def applies(self, view: View) -> bool:
        return bool(view[self.who].acts)

    @property
    def task(self) -> Task:
        """The step for the one whose turn it is."""
        return Task(self, (self.who,))


class PlannedAction(OfATurn[None], frozen=True, gc=False, cache_hash=True):
    """A line of a plan: the first of its actions that can be done; if none can, it is lost."""

    def _taken(self, view: View) -> tuple[Any, str]:
        """The first action that can be done; if there is none, None and what hinders the first."""
        first = ""
        for action in self.actions:
            cause = action.hindrance(view)
            if not cause:
                return action, ""
            if cause == NEEDLESS:
                return None, NEEDLESS
            first = first or cause
        return None, first

    def says(self, view: View) -> str:
        action, cause = self._taken(view)
        planned = self.actions[0].key
        if cause:
            return "" if cause == NEEDLESS else f"{self.who}: {planned} is lost"
        instead = "" if action.key == planned else f" in place of {planned}"
        return f"{self.who}: {action.key}{instead}"

    def then(self, view: View, _: None) -> Next[View]:
        action, cause = self._taken(view)
        if not cause:
            after: Next[View] = action.begin(view)
            return after
        if cause == NEEDLESS:
            return Next(view)
        return Next(view, records={lost_to(self.who, cause): 1})


class ChosenAction(OfATurn[Any], frozen=True, gc=False, cache_hash=True):
    """A turn that is left open: one action after the other that can be done, or its end.

    It is over when all attacks would be needless: there is nobody left to act against.
    """

    def ask(self, view: View) -> Choice[Any] | None:
        hindered = [(each, each.hindrance(view)) for each in self.actions]
        lawful = [each for each, cause in hindered if not cause]
        attacks = [cause for each, cause in hindered if each.is_attack]
        if not lawful or (attacks and all(cause == NEEDLESS for cause in attacks)):
            return None
        options = (*(Option(each.key, each) for each in lawful), Option(END, None))
        return Choice("what next?", self.who, options, END)

    def then(self, view: View, action: Action | None) -> Next[View]:
        if action is None:
            return Next(view)
        after = action.begin(view)
        return Next(after.part, *after.todo, self, records=dict(after.records))


def how_things_stand(who: str, when: str, *states: Iterable[tuple[str, Any]]) -> str:
    """When, and how everybody stands, the one who decides first: what a choice may depend on.

    Of several states that make no difference each is told, or of many what is true in all.
    """
    by_name: dict[str, dict[str, None]] = {}
    for state in states:
        for name, part in state:
            by_name.setdefault(name, {})[part.words] = None
    words = {name: _either(list(each)) for name, each in by_name.items()}
    own = words.pop(who, "")
    shown = [own, *(f"{name} {each}" for name, each in words.items() if each)]
    return ": ".join(each for each in (when, "; ".join(each for each in shown if each)) if each)


def _either(words: list[str]) -> str:
    """One or the other of a few ways to stand; of many what they have in common."""
    if len(words) <= MOST_TOLD_APART:
        return " or ".join(each or "—" for each in words) if any(words) else ""
    first, *others = [each.split(", ") for each in words]
    return ", ".join(word for word in first if word and all(word in each for each in others))


class RoundEnds(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """The end of a round, and the beginning of the next: an answer can be given for it."""

    number: int
    next_round: tuple[Task, ...] = ()

    @property
    def mark(self) -> Mark:
        return Mark(round_mark(self.number))

    def says(self, view: View) -> str:
        return f"{self.mark.label} is over"

    def then(self, view: View, _: None) -> Next[View]:
        return Next(view, *self.next_round)


class TurnOver(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """A turn is over: nothing happens, but it can be told how large a question grows.

    `left` is how many more turns there are.
    """

    left: int

    @property
    def mark(self) -> Mark:
        return Mark(left=self.left)

    def then(self, view: View, _: None) -> Next[View]:
        return Next(view)


def round_mark(number: int) -> str:
    """What a round is called where it ends."""
    return f"round {number}"


class Turn(msgspec.Struct, frozen=True):
    """What somebody does in a round: tasks, and those put off until another's turn is over."""

    who: str
    tasks: tuple[Task, ...]
    waits_for: str = ""
    later: tuple[Task, ...] = ()


def in_their_order(turns: Sequence[Turn]) -> tuple[tuple[Task, ...], ...]:
    """The tasks of a round, turn by turn, in the order in which they come.

    What is put off comes when the turn that it waits for is over. Raises ValueError with the name
    of somebody who waits for a turn that is over already, or for one that waits in turn.
    """
    agenda: list[tuple[Task, ...]] = []
    waiting: dict[str, list[Turn]] = {}

    def over(who: str) -> None:
        for each in waiting.pop(who, []):
            agenda.append(each.later)
            over(each.who)

    for turn in turns:
        agenda.append(turn.tasks)
        if turn.waits_for:
            waiting.setdefault(turn.waits_for, []).append(turn)
        else:
            over(turn.who)
    for left in waiting.values():
        raise ValueError(left[0].who)
    return tuple(agenda)


def agenda_of(rounds: Sequence[Sequence[tuple[Task, ...]]]) -> tuple[Task, ...]:
    """The first of several rounds of turns; its end brings the second, and so on to the last."""
    agenda: tuple[Task, ...] = ()
    turns_left = 0
    for number, turns in reversed(list(enumerate(rounds, 1))):
        agenda = (Task(RoundEnds(number, agenda), NOBODY),)
        for tasks in reversed(turns):
            agenda = (*tasks, Task(TurnOver(turns_left), NOBODY), *agenda)
            turns_left += 1
    return agenda


def has_rounds(start: Situation) -> bool:
    """Whether a question is one of rounds, so that answers can be given for their ends."""
    return any(task.step.mark is not None for task in start.agenda)


def lost_to(who: str, cause: str) -> str:
    """The record of an action that was lost, by its cause."""
    return f"{who}.lost_to_{cause}"


def actions_lost(who: str, causes: Iterable[str]) -> Tally:
    """How many actions somebody loses, whatever the cause."""
    return Tally(tuple(lost_to(who, cause) for cause in causes))


# -- who acts, in which order, and for whom ------------------------------------------------------


def order_of_acting(scenario: Envelope[P, L], document: Document) -> list[str]:
    """Those who act, in the order stated, else in the order of their lines; refuses what is not so.

    Lines that are only done in some rounds name rounds that there are.
    """
    acting = list(dict.fromkeys(line.by for line in scenario.do))
    for i, line in enumerate(scenario.do):
        for j, number in enumerate(line.in_rounds or ()):
            if number > scenario.rounds:
                raise document.wrong(
                    ("do", i, "in_rounds", j), f"is {number}, but 'rounds' is {scenario.rounds}"
                )
    for i, name in enumerate(scenario.order):
        if name not in acting:
            near = close_matches(name, acting)
            raise document.wrong(("order", i), f"names {name!r}, who does nothing; {near}")
        if name in scenario.order[:i]:
            raise document.wrong(("order", i), f"names {name!r} twice")
    for name in acting:
        if scenario.order and name not in scenario.order:
            raise document.wrong(("order",), f"does not name {name}, who acts")
    return scenario.order or acting


def allies(combatants: Mapping[str, P], name: str) -> frozenset[str]:
    """Everybody on the side of this combatant; without a side, only that one."""
    side = combatants[name].side
    return frozenset(
        other for other, each in combatants.items() if other == name or (side and each.side == side)
    )


def sides(combatants: Mapping[str, P]) -> dict[str, tuple[str, ...]]:
    """Each side that is named, with its members."""
    found: dict[str, tuple[str, ...]] = {}
    for name, each in combatants.items():
        if each.side:
            found[each.side] = (*found.get(each.side, ()), name)
    return found
