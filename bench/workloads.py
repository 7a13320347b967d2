"""The benchmark's workloads as a rules author writes them: ordinary steps, one attack at a time.

Each function gives the situation and the measures that are asked together.
"""

from typing import TypeAlias

import msgspec

from firepower.chance import (
    AtLeast,
    Band,
    Dice,
    Everybody,
    Final,
    Handful,
    Measure,
    Next,
    Resolution,
    Roll,
    RollUnder,
    Situation,
    Step,
    Task,
    Total,
    dice,
    die,
    situation,
)

Workload: TypeAlias = tuple[Situation, tuple[Measure | Final, ...]]

D6 = dice("d6")
D10 = dice("d10")
D100 = dice("d100")


# -- Dark Heresy: bursts -------------------------------------------------------------------------


class Shot(msgspec.Struct, frozen=True, gc=False):
    """What a burst's test came to: hits, and whether the weapon jams."""

    hits: int
    jam: bool


class Burst(msgspec.Struct, frozen=True, gc=False):
    """A test to hit read as a burst: a hit, and another for each so many degrees."""

    test: RollUnder
    degrees_per_hit: int
    rounds: int
    jams_from: int | None

    def read(self, roll: int) -> Shot:
        test = self.test.read(roll)
        hits = min(self.rounds, 1 + test.degrees // self.degrees_per_hit) if test.success else 0
        return Shot(hits, self.jams_from is not None and roll >= self.jams_from)

    @property
    def need(self) -> str:
        return self.test.need

    def words(self, shot: Shot) -> str:
        return f"{shot.hits} hits, jam" if shot.jam else f"{shot.hits} hits"


class FireBurst(Step[None, Shot], frozen=True, gc=False, cache_hash=True):
    """One roll to hit for the whole burst; every hit is resolved on the target."""

    burst: Burst
    hit: Step[None, int]

    def ask(self, shooter: None) -> Roll[Shot]:
        return Roll("to hit", D100, self.burst)

    def then(self, shooter: None, shot: Shot) -> Next[None]:
        todo = [Task(self.hit, "target", shot.hits)] if shot.hits else []
        return Next(shooter, *todo, records={"jam": shot.jam})


class Harm(msgspec.Struct, frozen=True, gc=False):
    """Damage after what armour and toughness stop, never below none."""

    stopped: int

    def read(self, rolled: int) -> int:
        return max(0, rolled - self.stopped)

    @property
    def need(self) -> str:
        return f"less {self.stopped}"

    def words(self, read: int) -> str:
        return f"{read} damage"


class Hit(Step[None, int], frozen=True, gc=False, cache_hash=True):
    """Damage dice less armour and toughness."""

    together = True
    local = True

    damage: Dice
    stopped: int

    def ask(self, target: None) -> Roll[int]:
        return Roll("damage", self.damage, Harm(self.stopped))

    def then(self, target: None, damage: int) -> Next[None]:
        return Next(target, records={"damage": damage})


def w1() -> Workload:
    """Dark Heresy burst: total damage, and whether the weapon jams."""
    test = RollUnder(55, "tens", natural_extremes=False)
    fire = FireBurst(Burst(test, 2, 10, 94), Hit(dice("d10+4"), 7))
    start = situation({"shooter": None, "target": None}, Task(fire, "shooter"))
    return start, (Measure(("target.damage",), cap=40), Measure(("shooter.jam",), "any"))


# -- Dark Heresy: locations and righteous fury ---------------------------------------------------


class Blow(msgspec.Struct, frozen=True, gc=False):
    """A hit in the making: the armour where it struck, and its damage so far."""

    armour: int = 0
    damage: int = 0


class Fury(msgspec.Struct, frozen=True, gc=False):
    """How a hit does damage: what is added, what confirms a 10, how many more dice at most."""

    plus: int
    confirm: RollUnder
    most: int


class Location(Step[Blow, int], frozen=True, gc=False, cache_hash=True):
    """Where the hit strikes, and so which armour it meets."""

    armour: Band[int]

    def ask(self, blow: Blow) -> Roll[int]:
        return Roll("location", D100, self.armour)

    def then(self, blow: Blow, armour: int) -> Next[Blow]:
        return Next(Blow(armour, blow.damage))


class DamageDie(Step[Blow, int], frozen=True, gc=False, cache_hash=True):
    """One die of damage; a 10 calls for a test that confirms righteous fury."""

    plus: int
    fury: AnyFury

