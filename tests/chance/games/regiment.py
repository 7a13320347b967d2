"""Regiment: two blocks of soldiers strike at each other, step by step, and the loser may break.

A game made up for the tests. Whoever strikes in an initiative step strikes at the same time.
"""

import msgspec

from firepower.chance import (
    EVERYBODY,
    AtLeast,
    Next,
    Resolution,
    Roll,
    Situation,
    Step,
    Tally,
    Task,
    View,
    dice,
    situation,
)

D6 = dice("d6")
TWO_D6 = dice("2d6")

NORTH = "north"
SOUTH = "south"


class Soldiers(msgspec.Struct, frozen=True):
    """How one side fights: attacks of each model that reaches the enemy, by initiative step."""

    frontage: int
    attacks: tuple[int, ...]
    to_hit: int
    to_wound: int
    save: int
    discipline: int
    trophies: bool = False


class Regiment(msgspec.Struct, frozen=True):
    """The models still standing."""

    models: int


class Battle(msgspec.Struct, frozen=True, cache_hash=True):
    """Both sides."""

    north: Soldiers
    south: Soldiers

    def of(self, name: str) -> Soldiers:
        return self.north if name == NORTH else self.south


class AtMost(msgspec.Struct, frozen=True):
    """A test that succeeds on a number or less."""

    most: int

    def read(self, total: int) -> bool:
        return total <= self.most

    @property
    def need(self) -> str:
        return f"{self.most} or less"

    def words(self, read: bool) -> str:
        return "holds" if read else "breaks"


def enemy(name: str) -> str:
    """The other side."""
    return SOUTH if name == NORTH else NORTH


class InitiativeStep(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """The blows of both sides are counted before any falls, so that all strike at once."""

    battle: Battle
    number: int

    def then(self, view: View, _: None) -> Next[View]:
        todo = []
        for name in (NORTH, SOUTH):
            soldiers = self.battle.of(name)
            fighting = min(view[name].models, soldiers.frontage)
            blows = fighting * soldiers.attacks[self.number]
            if blows:
                todo.append(Task(Blow(soldiers), enemy(name), blows))
        return Next(view, *todo)


class Blow(Step[Regiment, int], frozen=True, gc=False, cache_hash=True):
    """One blow that the regiment takes: who is hit, wounded and not saved is removed."""

    together = True
    reach = ()

    striker: Soldiers

    def applies(self, regiment: Regiment) -> bool:
        return regiment.models > 0

    def ask(self, regiment: Regiment) -> Resolution:
        return Resolution("blow", (HitRoll(self.striker),), "killed", recorded=True)

    def then(self, regiment: Regiment, killed: int) -> Next[Regiment]:
        return Next(Regiment(regiment.models - killed))


class HitRoll(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """To hit."""

    striker: Soldiers

    def ask(self, _: None) -> Roll[bool]:
        return Roll("to hit", D6, AtLeast(self.striker.to_hit))

    def then(self, _: None, hit: bool) -> Next[None]:
        return Next(None, WoundRoll(self.striker)) if hit else Next(None)


class Wounding(msgspec.Struct, frozen=True):
    """(wounded, a trophy): a natural 6 that wounds may be worth a trophy."""

    least: int
    trophies: bool

    def read(self, total: int) -> tuple[bool, bool]:
        wounded = total >= self.least
        return wounded, wounded and self.trophies and total == 6

    @property
    def need(self) -> str:
        return f"{self.least}+"

    def words(self, read: tuple[bool, bool]) -> str:
        return "passed, a trophy" if read[1] else "passed" if read[0] else "failed"


class WoundRoll(Step[None, tuple[bool, bool]], frozen=True, gc=False, cache_hash=True):
    """To wound; a trophy counts even if the enemy saves himself."""

    striker: Soldiers

    def ask(self, _: None) -> Roll[tuple[bool, bool]]:
        return Roll("to wound", D6, Wounding(self.striker.to_wound, self.striker.trophies))

    def then(self, _: None, read: tuple[bool, bool]) -> Next[None]:
        wounded, trophy = read
        todo = (ArmourSave(self.striker.save),) if wounded else ()
        return Next(None, *todo, records={"trophies": trophy})


class ArmourSave(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """The enemy's armour against this striker."""

    need: int

    def ask(self, _: None) -> Roll[bool]:
        return Roll("armour save", D6, AtLeast(self.need))

    def then(self, _: None, saved: bool) -> Next[None]:
        return Next(None, records={"killed": not saved})


LOSSES = {
    NORTH: Tally((f"{NORTH}.killed", f"{NORTH}.trophies")),
    SOUTH: Tally((f"{SOUTH}.killed", f"{SOUTH}.trophies")),
}
"""What counts against each side: its dead, and the trophies taken from it."""


class BreakTest(Step[View, bool | None], frozen=True, gc=False, cache_hash=True):
    """Who lost more tests 2d6 against discipline less the difference, or breaks."""

    battle: Battle

    @property
    def reads(self) -> tuple[Tally, ...]:
        return tuple(LOSSES.values())

    def defeat(self, view: View) -> tuple[str, int]:
        """Who lost, and by how much (not at all: 0)."""
        difference = view.tally(LOSSES[NORTH]) - view.tally(LOSSES[SOUTH])
        return (NORTH if difference > 0 else SOUTH), abs(difference)

    def ask(self, view: View) -> Roll[bool | None] | None:
        loser, difference = self.defeat(view)
        if not difference or not view[loser].models:
            return None
        need = AtMost(self.battle.of(loser).discipline - difference)
        return Roll(f"break test of {loser}", TWO_D6, need)

    def then(self, view: View, holds: bool | None) -> Next[View]:
        loser, difference = self.defeat(view)
        records = {"decided_by": difference}
        if holds is False:
            records[f"{loser}.broken"] = True
        return Next(view, records=records)


def clash(battle: Battle, north: int, south: int) -> Situation:
    """All initiative steps, and the break test."""
    steps = [InitiativeStep(battle, number) for number in range(len(battle.north.attacks))]
    parts = {NORTH: Regiment(north), SOUTH: Regiment(south)}
    return situation(parts, *steps, Task(BreakTest(battle), EVERYBODY))
