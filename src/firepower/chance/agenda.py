"""Agendas by number: what is still to come, for whom, and what of it matters to a question.

An agenda is a cell: a step, for whom it is, how many times, and the cell below it. Equal agendas
have one number.
"""

from typing import Any

from firepower.chance.errors import StepError
from firepower.chance.rows import Rows, Todo
from firepower.chance.steps import Task, View
from firepower.chance.tallies import EVERYBODY, Address, Records, Tally

Cell = tuple[int, int, int, int]
"""(step, for whom, how many times, the agenda below), all by number."""

NOTHING_LEFT = 0


class WidenError(Exception):
    """Somebody who was left out turned out to matter: ask again with these too."""

    def __init__(self, owners: frozenset[str]) -> None:
        super().__init__(owners)
        self.owners = owners


class Agendas:
    """The agendas of one question about some combatants (`kept`).

    What can reach none of them is left out. Whom a step is for is a number in `addresses`: the
    combatants alone, in their order, and then those who were ever addressed together. `labels`
    says of an agenda what ends next.
    """

    def __init__(self, rows: Rows, names: tuple[str, ...], kept: frozenset[str]) -> None:
        self.rows = rows
        self.names = names
        self.cells: list[Cell] = [(0, 0, 0, 0)]
        self.reads: list[frozenset[Tally]] = [frozenset()]
        self.labels: list[str] = [""]
        self.addresses: list[tuple[int, ...]] = [(i,) for i in range(len(names))]
        if not kept.issubset((*names, EVERYBODY)):
            raise StepError(f"a tally is about somebody who is not here: {sorted(kept)}")
        self._kept_names = kept
        self._index = {name: i for i, name in enumerate(names)}
        self._kept = self._mask(kept)
        self.is_kept = [name in kept for name in names]
        self._numbers: dict[Cell, int] = {}
        self._who: dict[Address, int] = {name: i for i, name in enumerate(names)}
        self._spans: dict[tuple[int, int], tuple[int, int]] = {}
        self._counted: dict[Any, tuple[tuple[Tally, int], ...]] = {}
        self._owned: dict[tuple[int, Records], Records] = {}
        self._glanced: dict[int, tuple[int, ...]] = {}

    def index(self, name: str) -> int:
        """The place of somebody among the parts; StepError if nobody here is called so."""
        at = self._index.get(name)
        if at is None:
            raise StepError(f"a step names {name!r}, who is not here")
        return at

    def begin(self, tasks: tuple[Task, ...]) -> int:
        """The agenda of these tasks."""
        todo = tuple([(self.rows.step_id(t.step), t.who, t.times) for t in tasks])
        return self.pushed(NOTHING_LEFT, self.who(EVERYBODY), todo)

    def pushed(self, agenda: int, who: int, todo: Todo) -> int:
        """The agenda with tasks on top, the first uppermost; `who` they are for if not said."""
        for step, to, times in reversed(todo):
            if times > 0:
                agenda = self._push(agenda, step, who if to is None else self.who(to), times)
        return agenda

    def after_one(self, agenda: int) -> int:
        """The agenda when the uppermost step was done once."""
        step, who, times, rest = self.cells[agenda]
        return rest if times == 1 else self._cell(step, who, times - 1, rest)

    def times_left(self, agenda: int, times: int) -> int:
        """The same agenda with the uppermost step so many times."""
        step, who, _, rest = self.cells[agenda]
        return self._cell(step, who, times, rest) if times else rest

    def who(self, address: Address) -> int:
        """The number of an address."""
        known = self._who.get(address)
        if known is None:
            named = self.names if address == EVERYBODY else address
            places = [self.index(name) for name in ((named,) if isinstance(named, str) else named)]
            if len(set(places)) < len(places):
                raise StepError(f"a step is addressed to somebody twice: {named}")
            known = self._who[address] = len(self.addresses)
            self.addresses.append(tuple(places))
        return known

    def address(self, who: int) -> Address:
        """The address of a number: a name, or several."""
        named = tuple([self.names[i] for i in self.addresses[who]])
        return named[0] if who < len(self.names) else named

    def state(self, address: Address, parts: tuple[int, ...]) -> Any:
        """What a Final looks at: the part of one, or a View of several, by their numbers."""
        found = tuple([self.rows.parts[part] for part in parts])
        if isinstance(address, str) and address != EVERYBODY:
            return found[0]
        return View(self.names if address == EVERYBODY else tuple(address), found)

    def glanced(self, step: int) -> tuple[int, ...]:
        """The places of those at whom a step glances."""
        known = self._glanced.get(step)
        if known is None:
            names = self.rows.steps[step].glances
            known = self._glanced[step] = tuple([self.index(name) for name in names])
        return known

    def check_seen(self, step: int, who: int) -> None:
        """WidenError if the step sees somebody who is left out."""
        missing = self._span(step, who)[1] & ~self._kept
        if missing:
            raise WidenError(
                frozenset(name for i, name in enumerate(self.names) if missing >> i & 1)
            )

    def counted(
        self, agenda: int, tallies: tuple[tuple[Tally, int], ...], records: Records
    ) -> tuple[tuple[Tally, int], ...]:
        """What the steps on this agenda read, after these records."""
        key = (self.reads[agenda], tallies, records)
        known = self._counted.get(key)
        if known is None:
            before = dict(tallies)
            known = self._counted[key] = tuple(
                (tally, tally.add(before.get(tally, 0), records))
                for tally in sorted(self.reads[agenda], key=repr)
            )
        return known

    def owned(self, who: int, records: Records) -> Records:
        """Records of a step under the name of whom it is for; of several, as they are."""
        if who >= len(self.names):
            return records
        key = (who, records)
        owned = self._owned.get(key)
        if owned is None:
            name = self.names[who]
            owned = self._owned[key] = tuple(
                [(f"{name}.{what}", total, most) for what, total, most in records]
            )
        return owned

    def _push(self, agenda: int, step: int, who: int, times: int) -> int:
        reached, _ = self._span(step, who)
        if not reached & self._kept and self.rows.steps[step].mark is None:
            return agenda
        top, top_who, more, rest = self.cells[agenda]
        if agenda and top == step and top_who == who:
            return self._cell(step, who, times + more, rest)
        return self._cell(step, who, times, agenda)

    def _cell(self, step: int, who: int, times: int, rest: int) -> int:
        key = (step, who, times, rest)
        cell = self._numbers.get(key)
        if cell is None:
            known = self.rows.steps[step]
            for tally in known.reads:
                if not self._kept_names.issuperset(tally.owners()):
                    raise WidenError(tally.owners())
            cell = self._numbers[key] = len(self.cells)
            self.cells.append(key)
            below = self.reads[rest]
            self.reads.append(below.union(known.reads) if known.reads else below)
            label = known.mark.label if known.mark is not None else ""
            self.labels.append(label or self.labels[rest])
        return cell

    def _span(self, step: int, who: int) -> tuple[int, int]:
        """Whom the step reaches, and whom it sees: a bit for each."""
        known = self._spans.get((step, who))
        if known is None:
            step_is = self.rows.steps[step]
            members = sum(1 << i for i in set(self.addresses[who]))
            sees = members | self._mask(frozenset(step_is.glances))
            reach = step_is.reach
            reaches = -1 if reach is None else members | self._mask(reach)
            known = self._spans[step, who] = (reaches, sees)
        return known

    def _mask(self, names: frozenset[str]) -> int:
        """A bit for each of these; the highest is for what is nobody's."""
        mask = 0
        for name in names:
            mask |= 1 << (len(self.names) if name == EVERYBODY else self.index(name))
        return mask
