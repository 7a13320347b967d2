"""The table: where one play stands, and what is done there without a question."""

from collections.abc import Iterable, Sequence
from typing import Any

from firepower.chance.errors import StepError
from firepower.chance.promises import follows
from firepower.chance.steps import AnyStep, Next, Situation, Task, View
from firepower.chance.tallies import EVERYBODY, Address, Tally, once

MOST_SETTLED = 10_000


class Table:
    """The parts, the agenda (its top last) and what was recorded, as a play changes them."""

    def __init__(self, start: Situation) -> None:
        self.names = start.names
        self.parts = dict(zip(start.names, start.parts, strict=True))
        self.agenda: list[Task] = []
        self.push(start.agenda, EVERYBODY)
        self.tallies = dict(start.tallies)
        self.records = list(start.records)
        self._counted = len(self.records)
        self.count()

    def view(self, step: AnyStep, who: Address) -> Any:
        """What a step sees: the part of one, or a View of several."""
        if isinstance(who, str) and who != EVERYBODY:
            return self.parts[who]
        names = self.names if isinstance(who, str) else who
        return View(
            names,
            tuple(self.parts[name] for name in names),
            tuple((name, step.glance(self.parts[name])) for name in step.glances),
            tuple(sorted([(t, self.tallies[t]) for t in step.reads], key=repr)),
        )

    def push(self, todo: Iterable[Task], who: Address) -> None:
        """Put tasks on top of the agenda, the first one uppermost; equal neighbours are one."""
        for each in reversed(list(todo)):
            owner = who if each.who is None else each.who
            self._check_here(owner, each.step.glances)
            top = self.agenda[-1] if self.agenda else None
            if each.times < 1:
                continue
            if top is not None and top.step == each.step and top.who == owner:
                self.agenda[-1] = Task(each.step, owner, top.times + each.times)
            else:
                self.agenda.append(Task(each.step, owner, each.times))

    def _check_here(self, owner: Address, glances: tuple[str, ...]) -> None:
        """StepError if a step names somebody who is not here, or one twice."""
        named = () if owner == EVERYBODY else (owner,) if isinstance(owner, str) else owner
        for name in (*named, *glances):
            if name not in self.parts:
                raise StepError(f"a step names {name!r}, who is not here")
        if len(set(named)) < len(named):
            raise StepError(f"a step is addressed to somebody twice: {named}")

    def take_off(self, times: int) -> None:
        """Take the uppermost step off the agenda so many times."""
        top = self.agenda.pop()
        if top.times > times:
            self.agenda.append(Task(top.step, top.who, top.times - times))

    def follow(
        self, step: AnyStep, who: Address, seen: Any, read: Any
    ) -> tuple[tuple[str, int], ...]:
        """Do what follows from what a step read; returns the records."""
        after = follows(step, seen, read)
        made = self.settle(who, after)
        self.push(after.todo, who)
        return made

    def settle(self, who: Address, after: Next[Any]) -> tuple[tuple[str, int], ...]:
        """Take over parts and records, and leave what is to be done to the caller."""
        if isinstance(who, str) and who != EVERYBODY:
            self.parts[who] = after.part
        else:
            self.parts.update(zip(after.part.names, after.part.parts, strict=True))
        return self.record(who, after.records)

    def record(
        self, who: Address, records: Iterable[tuple[str, int]]
    ) -> tuple[tuple[str, int], ...]:
        """Add records, under the name of whom they are for; returns them with it."""
        alone = isinstance(who, str) and who != EVERYBODY
        made = tuple(
            (f"{who}.{name}" if alone else name, amount) for name, amount in records if amount
        )
        self.records += made
        return made

    def count(self) -> None:
        """Count what a step on the agenda will read, and forget what none will."""
        made = once(self.records[self._counted :])
        self._counted = len(self.records)
        reads: set[Tally] = {tally for each in self.agenda for tally in each.step.reads}
        self.tallies = {tally: tally.add(self.tallies.get(tally, 0), made) for tally in reads}

    @property
    def ends_next(self) -> str:
        """What ends next: the label of the first mark that has one."""
        marks = (each.step.mark for each in reversed(self.agenda))
        return next((mark.label for mark in marks if mark is not None and mark.label), "")

    def situation(self) -> Situation:
        """The situation here."""
        parts = tuple(self.parts[name] for name in self.names)
        agenda = tuple(reversed(self.agenda))
        tallies: Sequence[tuple[Tally, int]] = sorted(self.tallies.items(), key=repr)
        return Situation(self.names, parts, agenda, tuple(tallies), tuple(self.records))


def settled(start: Situation) -> Situation:
    """The situation when all is done that asks nothing, up to the first question or mark."""
    table = Table(start)
    for _ in range(MOST_SETTLED):
        if not table.agenda:
            break
        top = table.agenda[-1]
        assert top.who is not None
        seen = table.view(top.step, top.who)
        if not top.step.applies(seen):
            table.agenda.pop()
        elif top.step.mark is not None or top.step.ask(seen) is not None:
            break
        else:
            table.take_off(1)
            table.follow(top.step, top.who, seen, None)
        table.count()
    return table.situation()
