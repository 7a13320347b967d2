"""Turns: what combatants do in them, by plan or by choice, round after round.

A game brings its actions; here they happen in the order of acting, those that come to nothing are
counted, and the end of each round is marked so that an answer can be given for it.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from firepower.chance.steps import Choice, Mark, Next, Option, Situation, Step, Task, View
from firepower.chance.tallies import NOBODY, Tally
from firepower.combat.actions import NEEDLESS, Action
from firepower.combat.reactions import Blocked, Trigger, interrupted, reached

R = TypeVar("R")

END = "end turn"

INTERRUPTED = Blocked("interrupted")
"""An action of somebody whom an answer to it has put out of action."""

MOST_TOLD_APART = 3


class Acting(Step[View, R], frozen=True, gc=False, cache_hash=True):
    """What one combatant does: it sees itself and those its actions see, and glances at others.

    `last`: how many rounds there are after the last of its actions (None: there are more actions).
    """

    who: str
    actions: tuple[Any, ...]
    last: int | None = None

    @property
    def glances(self) -> tuple[str, ...]:
        seen = self.task.who or ()
        others = dict.fromkeys(name for action in self.actions for name in action.concerns)
        return tuple(name for name in others if name not in seen)

    @property
    def reach(self) -> tuple[str, ...] | None:
        found: dict[str, None] = {}
        for action in self.actions:
            reach = None if action.reach is None else reached(action.listeners, action.reach)
            if reach is None:
                return None
            found |= dict.fromkeys(reach)
        seen = self.task.who or ()
        return tuple(name for name in found if name not in seen)

    def glance(self, part: Any) -> Hashable:
        glimpse: Hashable = part.glimpse
        return glimpse

    def applies(self, view: View) -> bool:
        return bool(view[self.who].acts)

    @property
    def task(self) -> Task:
        """The step for the one who acts."""
        seen = dict.fromkeys((self.who, *[name for each in self.actions for name in each.sees]))
        return Task(self, tuple(seen))

    def _do(self, view: View, action: Action) -> Next[View]:
        """Do it, after those have answered who listen."""
        view = action.pay(view)
        trigger = action.trigger(view) if action.listeners else None
        if trigger is None:
            return self._forgetting(action.resolve(view))
        landing = ActionLands(GoesOn(self.who, (action,), self.last))
        return Next(view, *interrupted(trigger, action.listeners, landing))

    def _forgetting(self, after: Next[View]) -> Next[View]:
        """After the last action: without what no rule can read any more."""
        if self.last is None:
            return after
        part = after.part.replace(self.who, after.part[self.who].faded(self.last))
        return Next(part, *after.todo, records=dict(after.records))


class PlannedAction(Acting[Any], frozen=True, gc=False, cache_hash=True):
    """A line of a plan: the first of its actions that can be done; if none can, it is lost."""

    def _taken(self, view: View) -> tuple[Any, Blocked | None]:
        """The first action that can be done; if there is none, None and what blocks the first."""
        first = None
        for action in self.actions:
            why = action.blocked(view)
            if why is None:
                return action, None
            if why == NEEDLESS:
                return None, NEEDLESS
            first = first or why
        return None, first

    def says(self, view: View) -> str:
        action, why = self._taken(view)
        planned = self.actions[0].key
        if why is not None:
            return "" if why == NEEDLESS else f"{self.who}: {planned} is lost"
        instead = "" if action.key == planned else f" in place of {planned}"
        return f"{self.who}: {action.key}{instead}"

    def then(self, view: View, _: None) -> Next[View]:
        action, why = self._taken(view)
        if why is None:
            return self._do(view, action)
        records = {} if why == NEEDLESS else {lost_to(self.who, why.cause): 1}
        return self._forgetting(Next(view, records=records))


class LoneAction(PlannedAction, frozen=True, gc=False, cache_hash=True):
    """The only line of a question without turns: it needs no telling which it is."""

    def says(self, view: View) -> str:
        return ""


class GoesOn(Acting[None], frozen=True, gc=False, cache_hash=True):
    """An action that others have answered, if nothing prevents it now."""

    def applies(self, view: View) -> bool:
        return True

    def _prevented(self, view: View) -> Blocked | None:
        why: Blocked | None = self.actions[0].prevented(view)
        return why if why is not None or view[self.who].acts else INTERRUPTED

    def says(self, view: View) -> str:
        prevented = self._prevented(view) is not None
        return f"{self.who}: {self.actions[0].key} is interrupted" if prevented else ""

    def then(self, view: View, _: None) -> Next[View]:
        why = self._prevented(view)
        if why is None:
            return self._forgetting(self.actions[0].resolve(view))
        records = {} if why == NEEDLESS else {lost_to(self.who, why.cause): 1}
        return self._forgetting(Next(view, records=records))


class ActionLands(msgspec.Struct, frozen=True, cache_hash=True):
    """What follows when an action was answered: it goes on."""

    step: Any

    @property
    def reach(self) -> tuple[str, ...] | None:
        step: GoesOn = self.step
        return None if step.reach is None else (step.who, *step.reach)

    def land(self, trigger: Trigger) -> tuple[Task, ...]:
        step: GoesOn = self.step
        return (step.task,)


class ChosenAction(PlannedAction, frozen=True, gc=False, cache_hash=True):
    """A line that leaves something open: one of its actions that can be done."""

    def ask(self, view: View) -> Choice[Any] | None:
        lawful = [each for each in self.actions if each.blocked(view) is None]
        if len(lawful) < 2:
            return None
        options = tuple(Option(each.key, each) for each in lawful)
        return Choice("which attack?", self.who, options, options[0].key)

    def says(self, view: View) -> str:
        return ""

    def then(self, view: View, action: Action | None) -> Next[View]:
        return self._do(view, action) if action is not None else super().then(view, None)


class ChosenTurn(Acting[Any], frozen=True, gc=False, cache_hash=True):
    """A turn that is left open: one action after the other that can be done, or its end.

    It is over when all attacks would be needless: there is nobody left to act against.
    """

    def ask(self, view: View) -> Choice[Any] | None:
        blocked = [(each, each.blocked(view)) for each in self.actions]
        lawful = [each for each, why in blocked if why is None]
        attacks = [why for each, why in blocked if each.is_attack]
        if not lawful or (attacks and all(why == NEEDLESS for why in attacks)):
            return None
        options = (*(Option(each.key, each) for each in lawful), Option(END, None))
        return Choice("what next?", self.who, options, END)

    def then(self, view: View, action: Action | None) -> Next[View]:
        if action is None:
            return self._forgetting(Next(view))
        after = replace(self, last=None)._do(view, action)
        return Next(after.part, *after.todo, self, records=dict(after.records))


# -- rounds ----------------------------------------------------------------------------------------


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


class Turn(msgspec.Struct, frozen=True):
    """What somebody does in a round, or in a `phase` of it: tasks, and those put off until the
    turn of another is over."""

    who: str
    tasks: tuple[Task, ...]
    waits_for: str = ""
    later: tuple[Task, ...] = ()
    phase: str = ""


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


def by_phases(turns: Sequence[Turn], phases: Sequence[str]) -> tuple[tuple[Task, ...], ...]:
    """The tasks of a round phase by phase, in each of them in the order of acting."""
    groups = [in_their_order([turn for turn in turns if turn.phase == each]) for each in phases]
    return tuple(tasks for group in groups for tasks in group)


class NextToAct(Step[View, int], frozen=True, gc=False, cache_hash=True):
    """Sides take turns to let one of theirs act; a side that has nobody ready is passed over.

    In a game that alternates the state of a combatant says whether it is `ready`.
    `waiting`: who has not acted yet, with the side and the tasks of each, in the order in which
    the policy takes them. `sides` in the order in which they choose, the next one first.
    """

    waiting: tuple[tuple[str, str, tuple[Task, ...]], ...]
    sides: tuple[str, ...]

    @property
    def glances(self) -> tuple[str, ...]:
        return tuple(who for who, _, _ in self.waiting)

    def glance(self, part: Any) -> bool:
        return bool(part.ready)

    def _next(self, view: View) -> tuple[str, list[int]]:
        """The side that chooses, and which of those who wait it chooses from."""
        for side in self.sides:
            able = [
                i
                for i, (who, theirs, _) in enumerate(self.waiting)
                if theirs == side and view.glance(who)
            ]
            if able:
                return side, able
        return "", []

    def ask(self, view: View) -> Choice[int] | None:
        side, able = self._next(view)
        if len(able) < 2:
            return None
        options = tuple(Option(self.waiting[i][0], i) for i in able)
        return Choice("who acts next?", options[0].key, options, options[0].key, side=side)

    def then(self, view: View, at: int | None) -> Next[View]:
        side, able = self._next(view)
        if not able:
            return Next(view)
        at = able[0] if at is None else at
        left = (*self.waiting[:at], *self.waiting[at + 1 :])
        others = tuple(each for each in self.sides if each != side)
        more = (NextToAct(left, (*others, side)),) if left else ()
        return Next(view, *self.waiting[at][2], *[Task(each, NOBODY) for each in more])


def alternating(turns: Sequence[Turn], sides: dict[str, str]) -> tuple[tuple[Task, ...], ...]:
    """One round in which sides alternate; `sides` says of everybody whose they are."""
    waiting = tuple((turn.who, sides[turn.who], turn.tasks) for turn in turns)
    order = tuple(dict.fromkeys(side for _, side, _ in waiting))
    return ((Task(NextToAct(waiting, order), NOBODY),),)


def agenda_of(
    rounds: Sequence[Sequence[tuple[Task, ...]]], first: int = 1, ends: tuple[Task, ...] = ()
) -> tuple[Task, ...]:
    """The first of several rounds of turns; its end brings the second, and the last what `ends`."""
    agenda = ends
    turns_left = 0
    for number, turns in reversed(list(enumerate(rounds, first))):
        agenda = (Task(RoundEnds(number, agenda), NOBODY),)
        for tasks in reversed(turns):
            agenda = (*tasks, Task(TurnOver(turns_left), NOBODY), *agenda)
            turns_left += 1
    return agenda


def has_rounds(start: Situation) -> bool:
    """Whether a question is one of rounds, so that answers can be given for their ends."""
    return any(task.step.mark is not None for task in start.agenda)


def round_mark(number: int) -> str:
    """What a round is called where it ends."""
    return f"round {number}"


# -- what is told of them --------------------------------------------------------------------------


def lost_to(who: str, cause: str) -> str:
    """The record of an action that was lost, by its cause."""
    return f"{who}.lost_to_{cause}"


def actions_lost(who: str, causes: Iterable[str]) -> Tally:
    """How many actions somebody loses, whatever the cause."""
    return Tally(tuple(lost_to(who, cause) for cause in causes))


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
