"""Dark Heresy: a burst's test, hits by degrees, damage with righteous fury, armour where it hits.

The shooter and the target change in nothing that a rule reads, so their parts are None.
"""

import msgspec

from firepower.chance import Band, Dice, Next, Resolution, Roll, RollUnder, Step, Task, Total, dice

D10 = dice("d10")
D100 = dice("d100")


class Shot(msgspec.Struct, frozen=True, gc=False):
    """What a burst's test came to: hits, and whether the weapon jams."""

    hits: int
    jam: bool


class Burst(msgspec.Struct, frozen=True, gc=False):
    """A test to hit read for a burst: one hit, and one more for each so many degrees.

    `jams_from` is the natural roll that jams the weapon (None: it never jams).
    """

    test: RollUnder
    degrees_per_hit: int
    rounds: int
    jams_from: int | None = None

    def read(self, roll: int) -> Shot:
        test = self.test.read(roll)
        hits = min(self.rounds, 1 + test.degrees // self.degrees_per_hit) if test.success else 0
        return Shot(hits, self.jams_from is not None and roll >= self.jams_from)

    @property
    def need(self) -> str:
        return self.test.need

    def words(self, read: Shot) -> str:
        hits = "1 hit" if read.hits == 1 else f"{read.hits} hits"
        return f"{hits}, jam" if read.jam else hits


class FireBurst(Step[None, Shot], frozen=True, gc=False, cache_hash=True):
    """One roll to hit for the whole burst; each hit is resolved on the target."""

    burst: Burst
    hit: "Hit | FuriousHit"

    def ask(self, shooter: None) -> Roll[Shot]:
        return Roll("to hit", D100, self.burst)

    def then(self, shooter: None, shot: Shot) -> Next[None]:
        todo = [Task(self.hit, "target", shot.hits)] if shot.hits else []
        return Next(shooter, *todo, records={"jam": shot.jam})


class Harm(msgspec.Struct, frozen=True, gc=False):
    """Damage less what armour and toughness stop, never below none."""

    stopped: int

    def read(self, rolled: int) -> int:
        return max(0, rolled - self.stopped)

    @property
    def need(self) -> str:
        return f"less {self.stopped}"

    def words(self, read: int) -> str:
        return f"{read} damage"


class Hit(Step[None, int], frozen=True, gc=False, cache_hash=True):
    """A hit's damage dice, less armour and toughness."""

    together = True
    reach = ()

    damage: Dice
    stopped: int

    def ask(self, target: None) -> Roll[int]:
        return Roll("damage", self.damage, Harm(self.stopped))

    def then(self, target: None, damage: int) -> Next[None]:
        return Next(target, records={"damage": damage})


class FuriousHit(Step[None, int], frozen=True, gc=False, cache_hash=True):
    """A hit with righteous fury, against the armour of the location that it strikes."""

    reach = ()

    damage: "DamageRoll"
    armour: "ArmourStruck"

    def ask(self, target: None) -> Resolution:
        return Resolution("hit", (self.damage, self.armour), "damage", 0, recorded=True)

    def then(self, target: None, damage: int) -> Next[None]:
        return Next(target)


class DamageRoll(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """The die of damage and what is added; a natural 10 may be righteous fury."""

    reach = ()

    plus: int
    confirm: RollUnder
    most: int

    def ask(self, damage: int) -> Roll[int]:
        return Roll("damage", D10, Total())

    def then(self, damage: int, rolled: int) -> Next[int]:
        todo = [ConfirmFury(self.confirm, self.most)] if rolled == 10 else []
        return Next(damage + rolled + self.plus, *todo)


class ConfirmFury(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """Righteous fury needs a second roll to hit."""

    reach = ()

    test: RollUnder
    most: int

    def ask(self, damage: int) -> Roll[bool]:
        return Roll("righteous fury", D100, Confirmed(self.test))

    def then(self, damage: int, confirmed: bool) -> Next[int]:
        return Next(damage, *([FuryRoll(self.most)] if confirmed else []))


class Confirmed(msgspec.Struct, frozen=True, gc=False):
    """Whether a test succeeds, whatever its degrees."""

    test: RollUnder

    def read(self, roll: int) -> bool:
        return self.test.read(roll).success

    @property
    def need(self) -> str:
        return self.test.need

    def words(self, read: bool) -> str:
        return "confirmed" if read else "not confirmed"


class FuryRoll(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """Another die of damage, and another after each 10, so many at most."""

    reach = ()

    most: int

    def ask(self, damage: int) -> Roll[int]:
        return Roll("righteous fury", D10, Total())

    def then(self, damage: int, rolled: int) -> Next[int]:
        todo = [FuryRoll(self.most - 1)] if rolled == 10 and self.most > 1 else []
        return Next(damage + rolled, *todo)


class ArmourStruck(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """The location's armour and the toughness take their share of the damage."""

    reach = ()

    armour: Band[int]
    toughness: int

    def ask(self, damage: int) -> Roll[int]:
        return Roll("location", D100, self.armour)

    def then(self, damage: int, armour: int) -> Next[int]:
        return Next(0, records={"damage": max(0, damage - armour - self.toughness)})
