"""Necromunda: one roll to hit, Firepower dice with ammo symbols, wounds and ammo checks."""

import msgspec

from firepower.chance import AtLeast, Band, Next, Resolution, Roll, Step, Task, dice

D6 = dice("d6")
FIREPOWER = Band(((1, (1, 1)), (3, (1, 0)), (5, (2, 0)), (6, (3, 0))))
"""Hits and ammo symbols on the faces of a Firepower die."""


class Weapon(msgspec.Struct, frozen=True, gc=False):
    """Needs of the shooter and the weapon, what saves the target, and the Firepower dice."""

    hit: int
    wound: int
    save: int
    ammo: int
    firepower: int


class Shoot(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """The roll to hit; the Firepower dice are rolled with it, whether it hits or not."""

    weapon: Weapon

    def ask(self, shooter: None) -> Roll[bool]:
        return Roll("to hit", D6, AtLeast(self.weapon.hit))

    def then(self, shooter: None, hit: bool) -> Next[None]:
        return Next(shooter, Task(FirepowerDie(self.weapon, hit), times=self.weapon.firepower))


class FirepowerDie(Step[None, tuple[int, int]], frozen=True, gc=False, cache_hash=True):
    """A die shows how many hits a hit becomes; each ammo symbol calls for a check."""

    weapon: Weapon
    hit: bool

    def ask(self, shooter: None) -> Roll[tuple[int, int]]:
        return Roll("firepower", D6, FIREPOWER)

    def then(self, shooter: None, shown: tuple[int, int]) -> Next[None]:
        hits, symbols = shown
        wounds = Task(Hit(self.weapon), "target", hits if self.hit else 0)
        return Next(shooter, wounds, Task(AmmoCheck(self.weapon.ammo), times=symbols))


class Hit(Step[None, int], frozen=True, gc=False, cache_hash=True):
    """A hit is resolved to its end: to wound, then the save."""

    together = True
    reach = ()

    weapon: Weapon

    def ask(self, target: None) -> Resolution:
        return Resolution("hit", (RollToWound(self.weapon),), "wounds", recorded=True)

    def then(self, target: None, wounds: int) -> Next[None]:
        return Next(target)


class RollToWound(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """A hit that wounds goes on to the save."""

    reach = ()

    weapon: Weapon

    def ask(self, target: None) -> Roll[bool]:
        return Roll("to wound", D6, AtLeast(self.weapon.wound))

    def then(self, target: None, wounded: bool) -> Next[None]:
        return Next(target, *([Save(self.weapon.save)] if wounded else []))


class Save(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """What is not saved is a wound."""

    reach = ()

    need: int

    def ask(self, target: None) -> Roll[bool]:
        return Roll("save", D6, AtLeast(self.need))

    def then(self, target: None, saved: bool) -> Next[None]:
        return Next(target, records={"wounds": not saved})


class AmmoCheck(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """An ammo symbol's check; who fails it is out of ammo."""

    reach = ()
    together = True

    need: int

    def ask(self, shooter: None) -> Roll[bool]:
        return Roll("ammo check", D6, AtLeast(self.need))

    def then(self, shooter: None, passed: bool) -> Next[None]:
        return Next(shooter, records={"ammo_failed": not passed})
