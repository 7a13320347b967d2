"""Squad: one shoots at several, each of whom tests his nerve, is hit and hurt, and lies low.

A game made up for the tests. Its steps can be addressed to whom they concern, or to everybody;
the rules are the same.
"""

from typing import Any

import msgspec

from firepower.chance import (
    EVERYBODY,
    NOBODY,
    AtLeast,
    Final,
    Next,
    Roll,
    Situation,
    Step,
    Tally,
    Task,
    Total,
    View,
    dice,
    situation,
)
from tests.chance.toys import Bell

D6 = dice("d6")
D10 = dice("d10")


class Fighter(msgspec.Struct, frozen=True):
    """Wounds lost, of six, and the turns that he still lies low."""

    lost: int = 0
    low: int = 0


class Concerning(Step[View, Any], frozen=True, gc=False, cache_hash=True):
    """A step about one fighter, with a glance at who shoots, for him alone or for everybody."""

    of: str
    by: str = ""
    wide: bool = False

    @property
    def reach(self) -> tuple[str, ...] | None:
        return None if self.wide else ()

    @property
    def glances(self) -> tuple[str, ...]:
        return (self.by,) if self.by and not self.wide else ()

    def glance(self, fighter: Fighter) -> int:
        return fighter.lost

    def applies(self, view: View) -> bool:
        return bool(view[self.of].lost < 6)

    def changed(
        self, view: View, *todo: Task, lost: int = 0, low: int = 0, **made: int
    ) -> Next[View]:
        """The fighter with so much more lost, and lying low for at least so many turns."""
        fighter = view[self.of]
        after = Fighter(min(6, fighter.lost + lost), max(fighter.low, low))
        records = {f"{self.of}.{name}": amount for name, amount in made.items()}
        return Next(view.replace(self.of, after), *todo, records=records)


def task(kind: type[Concerning], of: str, by: str = "", *, wide: bool, times: int = 1) -> Task:
    """The step as it is addressed: to whom it changes, or to everybody."""
    return Task(kind(of, by, wide), EVERYBODY if wide else (of,), times)


class Nerve(Concerning, frozen=True, gc=False, cache_hash=True):
    """Nerve: d10 of 4 or more, or he lies low for two turns."""

    def ask(self, view: View) -> Roll[bool]:
        return Roll("nerve", D10, AtLeast(4), by=self.of)

    def then(self, view: View, holds: bool) -> Next[View]:
        return self.changed(view) if holds else self.changed(view, low=2, shaken=1)


class Fire(Concerning, frozen=True, gc=False, cache_hash=True):
    """Fire at one: d10 less 5, less what he lies low and what the shooter has lost, are hits."""

    def ask(self, view: View) -> Roll[int]:
        return Roll("fire", D10, Total(), by=self.by)

    def then(self, view: View, total: int) -> Next[View]:
        shooter_lost = view[self.by].lost if self.wide else view.glance(self.by)
        hits = total - 5 - view[self.of].low - shooter_lost
        if hits <= 0:
            return self.changed(view)
        return self.changed(view, task(Hurt, self.of, wide=self.wide, times=hits), hits=hits)


class Hurt(Concerning, frozen=True, gc=False, cache_hash=True):
    """A hit: d6 less 3 are lost."""

    def ask(self, view: View) -> Roll[int]:
        return Roll("damage", D6, Total(), by=self.by)

    def then(self, view: View, total: int) -> Next[View]:
        lost = min(max(0, total - 3), 6 - view[self.of].lost)
        return self.changed(view, lost=lost, damage=lost)


class Recover(Concerning, frozen=True, gc=False, cache_hash=True):
    """Who lies low gets up a turn sooner on d6 of 5 or more."""

    def ask(self, view: View) -> Roll[bool] | None:
        return Roll("recover", D6, AtLeast(5), by=self.of) if view[self.of].low else None

    def then(self, view: View, soon: bool | None) -> Next[View]:
        fighter = view[self.of]
        after = Fighter(fighter.lost, max(0, fighter.low - (2 if soon else 1)))
        records = {f"{self.of}.turns_low": fighter.low > 0}
        return Next(view.replace(self.of, after), records=records)


def suppression(targets: int, *, wide: bool = False) -> Situation:
    """One fires at several, and they recover for two turns."""
    names = tuple(f"t{number}" for number in range(targets))
    agenda: list[Task] = []
    for name in names:
        agenda.append(task(Nerve, name, wide=wide))
        agenda.append(task(Fire, name, "shooter", wide=wide))
    agenda.extend(task(Recover, name, wide=wide, times=2) for name in names)
    return situation({"shooter": Fighter(), **dict.fromkeys(names, Fighter())}, *agenda)


def measures(name: str) -> tuple[Tally | Final, ...]:
    """All that can be asked of one."""
    return (
        Tally((f"{name}.hits",)),
        Tally((f"{name}.damage",)),
        Tally((f"{name}.shaken",), "any"),
        Tally((f"{name}.turns_low",)),
        Final(name, lambda fighter: fighter.lost == 6),
        Final(name, lambda fighter: fighter.low),
    )


def brawl(*pairs: tuple[str, str], rounds: int, wide: bool = False) -> Situation:
    """Pairs who fire at each other, round after round; each round is begun by the one before."""
    then: tuple[Task, ...] = ()
    for number in reversed(range(rounds)):
        turns = [turn for pair in pairs for turn in (pair, pair[::-1])]
        acts = [
            task(kind, one if kind is Nerve else other, "" if kind is Nerve else one, wide=wide)
            for one, other in turns
            for kind in (Nerve, Fire)
        ]
        bell = Task(Bell(f"round {number + 1}", then, rounds - 1 - number), NOBODY)
        then = (*acts, bell)
    names = [name for pair in pairs for name in pair]
    return situation(dict.fromkeys(names, Fighter()), *then)
