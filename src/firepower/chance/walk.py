"""Walks: one play after the other on rows, from die to die.

A play stands on a spot: an agenda. What the uppermost step sees there decides what may come; each
outcome is a stride, which does the dice's outcome and all that follows from it for certain, as far
as that can be told from what was seen. Strides are remembered, so most of a play is looking up.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import itemgetter
from random import Random
from typing import Any, NamedTuple, TypeAlias

from firepower.chance.agenda import Agendas
from firepower.chance.errors import EndlessError
from firepower.chance.pools import FEWEST_POOLED, Pools
from firepower.chance.rows import Outcome, Rows
from firepower.chance.steps import Choice, Situation
from firepower.chance.table import MOST_SETTLED
from firepower.chance.tallies import Records, Tally, once
from firepower.chance.views import State, Tallies, Views

MOST_EXACT_FLOAT = 1 << 52
Gains: TypeAlias = tuple[tuple[int, int], ...]
"""What records add: (which tally, how much)."""


class Standing(NamedTuple):
    """Where a play stands while a stride is made: what is to come, everybody, what was recorded."""

    agenda: int
    parts: State
    records: Records
    told: Tallies


class Stride(NamedTuple):
    """Where an outcome leads: the next spot, the parts that change, what is gained, what is read.

    `sums` are added to tallies, of `tops` the greatest counts.
    """

    spot: "Spot | None"
    changes: tuple[tuple[int, int], ...]
    sums: Gains
    tops: Gains
    told: Tallies


class Fork:
    """What may come at a spot: where each outcome ends in the whole weight, and its stride.

    A single outcome has no cuts; they are shares where floats tell them apart. Strides are made
    when first drawn.
    """

    __slots__ = ("by_shares", "cuts", "known", "strides", "total", "ways")

    def __init__(self, ways: list[tuple[int, Standing]], known: frozenset[int]) -> None:
        self.ways = ways
        self.known = known
        self.strides: list[Stride | None] = [None] * len(ways)
        self.total = sum([weight for weight, _ in ways])
        self.by_shares = self.total < MOST_EXACT_FLOAT
        self.cuts: list[float] = []
        if len(ways) > 1:
            self.cuts += accumulate([weight for weight, _ in ways])
            if self.by_shares:
                self.cuts = [cut / self.total for cut in self.cuts]


class Looks(dict[int, Any]):
    """What a step makes of the parts that it glances at, found when first asked for."""

    def __init__(self, rows: Rows, step: int) -> None:
        super().__init__()
        self._rows, self._step = rows, step

    def __missing__(self, part: int) -> Any:
        look = self[part] = self._rows.glance(self._step, part)
        return look


class Spot:
    """An agenda on which a play stands, and the forks known there by what is seen."""

    __slots__ = ("agenda", "alone", "always", "forks", "key", "label", "members")

    def __init__(self, agendas: Agendas, agenda: int) -> None:
        step, who, _, _ = agendas.cells[agenda]
        mark = agendas.rows.steps[step].mark
        self.always = not agendas.rows.steps[step].conditional
        self.agenda = agenda
        self.members = agendas.addresses[who]
        self.label = mark.label if mark is not None else ""
        self.alone = who if who < len(agendas.names) else -1
        self.key = _key(self.members, agendas.glanced(step), Looks(agendas.rows, step))
        self.forks: dict[Any, Fork] = {}


def _key(
    members: tuple[int, ...], glances: tuple[int, ...], looks: Looks
) -> Callable[[list[int]], Any]:
    """What a step sees, made of everybody's parts: those of the members, and looks at others."""
    seen = itemgetter(*members) if members else _nothing
    if not glances:
        return seen
    if len(glances) == 1:
        (one,) = glances
        return lambda parts: (seen(parts), looks[parts[one]])
    look = looks.__getitem__
    others = itemgetter(*glances)
    return lambda parts: (seen(parts), *map(look, others(parts)))


def _nothing(_: list[int]) -> None:
    return None


class Walk:
    """Plays of one question, and all that they have come to know of it."""

    def __init__(
        self,
        rows: Rows,
        pools: Pools,
        start: Situation,
        kept: frozenset[str],
        tallies: Sequence[Tally],
    ) -> None:
        self.rows = rows
        self.agendas = Agendas(rows, start.names, kept)
        self.known = 0
        self._pools = pools
        self._views = Views(rows, self.agendas)
        self._tallies = tallies
        self._spots: dict[int, Spot] = {}
        self._gains: dict[Records, tuple[Gains, Gains]] = {}
        self._told = start.tallies
        self._parts = tuple(rows.part_id(part) for part in start.parts)
        self._first = self._spot(self.agendas.begin(start.agenda))
        begun = once(start.records)
        self._begun = [tally.add(0, begun) for tally in tallies]

    def play(self, rng: Random, stop: Callable[[str, list[int], list[int]], None]) -> int:
        """Play once; `stop` gets each mark come to, and the end as "", with parts and numbers.

        Returns how many strides were taken.
        """
        random, below = rng.random, rng.randrange
        spot, told = self._first, self._told
        parts, numbers = list(self._parts), self._begun.copy()
        taken = 0
        while spot is not None:
            taken += 1
            if spot.label and (spot.always or self._applies(spot, parts, told)):
                stop(spot.label, parts, numbers)
            key = spot.key(parts) if spot.alone < 0 else parts[spot.alone]
            if told:
                key = (key, told)
            fork = spot.forks.get(key)
            if fork is None:
                fork = spot.forks[key] = self._fork(spot, tuple(parts), told)
            if fork.cuts:
                at = bisect_right(fork.cuts, random() if fork.by_shares else below(fork.total))
            else:
                at = 0
            stride = fork.strides[at]
            if stride is None:
                stride = fork.strides[at] = self._stride(fork, at, tuple(parts))
            spot, changes, sums, tops, told = stride
            for i, part in changes:
                parts[i] = part
            for i, gain in sums:
                numbers[i] += gain
            for i, gain in tops:
                if gain > numbers[i]:
                    numbers[i] = gain
        stop("", parts, numbers)
        return taken

    def _applies(self, spot: Spot, parts: list[int], told: Tallies) -> bool:
        """Whether the uppermost step of a spot still matters."""
        step, who, _, _ = self.agendas.cells[spot.agenda]
        return self.rows.applies(step, self._views.seen(step, who, tuple(parts), told))

    def _spot(self, agenda: int) -> Spot | None:
        if not agenda:
            return None
        spot = self._spots.get(agenda)
        if spot is None:
            spot = self._spots[agenda] = Spot(self.agendas, agenda)
        return spot

    def _fork(self, spot: Spot, parts: State, told: Tallies) -> Fork:
        """What may come at a spot, after all that is certain was done."""
        known = frozenset(spot.members)
        ways = self._ways(Standing(spot.agenda, parts, (), told))
        while len(ways) == 1 and self._goes_on(ways[0][1], known):
            ways = self._ways(ways[0][1])
        self.known += len(ways)
        return Fork(ways, known)

    def _stride(self, fork: Fork, at: int, parts: State) -> Stride:
        """The stride of one outcome, with all that follows from it for certain."""
        _, end = fork.ways[at]
        done = 0
        while self._goes_on(end, fork.known):
            done += 1
            if done > MOST_SETTLED:
                raise EndlessError("the steps go on and on without a die, so a play never ends")
            ways = self._ways(end)
            if len(ways) > 1:
                break
            end = ways[0][1]
        changes = tuple([(i, end.parts[i]) for i in sorted(fork.known) if end.parts[i] != parts[i]])
        if end.records not in self._gains:
            self._gains[end.records] = self._gained(end.records)
        return Stride(self._spot(end.agenda), changes, *self._gains[end.records], end.told)

    def _goes_on(self, here: Standing, known: frozenset[int]) -> bool:
        """Whether there is a next step, which is no mark and sees nobody else than these."""
        if not here.agenda:
            return False
        step, who, _, _ = self.agendas.cells[here.agenda]
        mark = self.rows.steps[step].mark
        if mark is not None and mark.label:
            return False
        return known.issuperset(self.agendas.addresses[who]) and known.issuperset(
            self.agendas.glanced(step)
        )

    def _ways(self, here: Standing) -> list[tuple[int, Standing]]:
        """All ways that the uppermost step can go, once or as often as it is pooled."""
        agendas, rows = self.agendas, self.rows
        step, who, times, rest = agendas.cells[here.agenda]
        seen = self._views.seen(step, who, here.parts, here.told)
        if rows.steps[step].conditional and not rows.applies(step, seen):
            told = self._read(rest, here.told, ())
            return [(1, Standing(rest, here.parts, here.records, told))]
        alone = who < len(agendas.names)
        pooled = times >= FEWEST_POOLED and alone and rows.steps[step].mark is None
        pool = self._pools.pool(step, seen, times) if pooled else None
        if pool is not None:
            return [(each.weight, self._after(here, who, rest, each)) for each in pool.outcomes]
        row = rows.row(step, seen)
        below = agendas.after_one(here.agenda)
        if isinstance(row.question, Choice):
            return [(1, self._after(here, who, below, row.outcomes[row.question.taken]))]
        return [(each.weight, self._after(here, who, below, each)) for each in row.outcomes]

    def _after(self, here: Standing, who: int, below: int, outcome: Outcome) -> Standing:
        """Where a play stands after an outcome."""
        _, part, todo, records = outcome
        parts, agendas = here.parts, self.agendas
        if who >= len(agendas.names):
            parts = self._views.after(who, parts, part)
        elif part != parts[who]:
            parts = (*parts[:who], part, *parts[who + 1 :])
        made = agendas.owned(who, records) if records else ()
        agenda = agendas.pushed(below, who, todo) if todo else below
        return Standing(agenda, parts, here.records + made, self._read(agenda, here.told, made))

    def _read(self, agenda: int, told: Tallies, made: Records) -> Tallies:
        """What the steps on an agenda read."""
        if told or self.agendas.reads[agenda]:
            return self.agendas.counted(agenda, told, made)
        return ()

    def _gained(self, records: Records) -> tuple[Gains, Gains]:
        """What records add to sums, and to what is the greatest."""
        gains = [(i, tally.how, tally.gain(records)) for i, tally in enumerate(self._tallies)]
        for i, how, gain in gains:
            if how == "sum" and gain < 0:
                self._tallies[i].check_rises(gain)
        sums = tuple([(i, gain) for i, how, gain in gains if gain and how == "sum"])
        tops = tuple([(i, gain) for i, how, gain in gains if gain > 0 and how != "sum"])
        return sums, tops
