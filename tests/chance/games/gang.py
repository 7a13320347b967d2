"""Gang: a handful of Firepower dice, an ammo test for each symbol, hits shared out, and fire.

A game made up for the tests. A shooter fires at a few targets that stand close together.
"""

import msgspec

from firepower.chance import (
    EVERYBODY,
    AtLeast,
    Choice,
    Die,
    Handful,
    Next,
    Option,
    Roll,
    Situation,
    Step,
    Task,
    Total,
    View,
    dice,
    situation,
)

D6 = dice("d6")
FIREPOWER = Die("Firepower", ("1*", 1, 2, 3), (1, 2, 2, 1))
HITS_AND_SYMBOLS = ((1, 1), (1, 0), (2, 0), (3, 0))
"""What each face is worth: the star is the ammo symbol."""

SHOOTER = "shooter"
HITS_ON = 3
CATCHES_FIRE_ON = 4
FIRE_STRENGTH = 3
MOST_ACTIVATIONS = 4


class Weapon(msgspec.Struct, frozen=True):
    """`one_by_one`: each hit is resolved before the next is allocated. `spreads`: the policy."""

    firepower: int
    strength: int
    ammo: int
    targets: tuple[str, ...]
    incendiary: bool = False
    one_by_one: bool = False
    spreads: bool = False


class Shooter(msgspec.Struct, frozen=True):
    """Who fires."""

    has_ammo: bool = True


class Ganger(msgspec.Struct, frozen=True):
    """Who is fired at. Each wound makes the next one easier."""

    toughness: int
    wounds: int
    burning: bool = False


def need_to_wound(strength: int, toughness: int) -> int:
    """What a d6 has to show."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


class RapidFire(Step[Shooter, tuple[int, int]], frozen=True, gc=False, cache_hash=True):
    """The Firepower dice say how many hits there may be, and how often the ammo is tested."""

    weapon: Weapon

    def ask(self, shooter: Shooter) -> Roll[tuple[int, int]]:
        handful = Handful(FIREPOWER, self.weapon.firepower, HITS_AND_SYMBOLS)
        return Roll("Firepower", handful, Total())

    def then(self, shooter: Shooter, thrown: tuple[int, int]) -> Next[Shooter]:
        hits, symbols = thrown
        todo: list[Step[Shooter, bool] | Task] = [HitRoll(self.weapon, hits)]
        if symbols:
            todo.append(Task(AmmoTest(self.weapon.ammo), times=symbols))
        return Next(shooter, *todo, records={"symbols": symbols})


class HitRoll(Step[Shooter, bool], frozen=True, gc=False, cache_hash=True):
    """One roll to hit, for all the hits."""

    weapon: Weapon
    hits: int

    def ask(self, shooter: Shooter) -> Roll[bool]:
        return Roll("to hit", D6, AtLeast(HITS_ON))

    def then(self, shooter: Shooter, hit: bool) -> Next[Shooter]:
        if not hit:
            return Next(shooter)
        weapon = self.weapon
        given = (0,) * len(weapon.targets)
        share = (
            HitOneByOne(weapon, self.hits)
            if weapon.one_by_one
            else ShareOut(weapon, self.hits, given)
        )
        return Next(shooter, Task(share, EVERYBODY), records={"hits": self.hits})


class AmmoTest(Step[Shooter, bool], frozen=True, gc=False, cache_hash=True):
    """Each ammo symbol may mean that the weapon is empty."""

    reach = ()
    together = True

    ammo: int

    def applies(self, shooter: Shooter) -> bool:
        return shooter.has_ammo

    def ask(self, shooter: Shooter) -> Roll[bool]:
        return Roll("ammo", D6, AtLeast(self.ammo))

    def then(self, shooter: Shooter, held: bool) -> Next[Shooter]:
        if held:
            return Next(shooter)
        return Next(Shooter(has_ammo=False), records={"out_of_ammo": True})


class ShareOut(Step[View, int], frozen=True, gc=False, cache_hash=True):
    """All hits are allocated, one after the other, before any of them is resolved."""

    weapon: Weapon
    left: int
    given: tuple[int, ...]

    def ask(self, view: View) -> Choice[int] | None:
        if not self.left:
            return None
        targets = self.weapon.targets
        options = tuple(Option(name, at) for at, name in enumerate(targets))
        at = sum(self.given) % len(targets) if self.weapon.spreads else 0
        return Choice(f"{self.left} hits to share out", SHOOTER, options, targets[at])

    def then(self, view: View, at: int | None) -> Next[View]:
        if at is None:
            struck = zip(self.weapon.targets, self.given, strict=True)
            wound = WoundRoll(self.weapon.strength, self.weapon.incendiary)
            return Next(view, *(Task(wound, name, hits) for name, hits in struck if hits))
        given = tuple(hits + (i == at) for i, hits in enumerate(self.given))
        return Next(view, ShareOut(self.weapon, self.left - 1, given))


class HitOneByOne(Step[View, str], frozen=True, gc=False, cache_hash=True):
    """Each hit is allocated to a target that still stands, and resolved at once."""

    weapon: Weapon
    left: int

    def applies(self, view: View) -> bool:
        return any(view[name].wounds for name in self.weapon.targets)

    def ask(self, view: View) -> Choice[str]:
        standing = [name for name in self.weapon.targets if view[name].wounds]
        options = tuple(Option(name, name) for name in standing)
        return Choice(f"{self.left} hits to go", SHOOTER, options, standing[0])

    def then(self, view: View, name: str) -> Next[View]:
        todo = [Task(WoundRoll(self.weapon.strength, self.weapon.incendiary), name)]
        if self.left > 1:
            todo.append(Task(HitOneByOne(self.weapon, self.left - 1)))
        return Next(view, *todo)


class WoundRoll(Step[Ganger, bool], frozen=True, gc=False, cache_hash=True):
    """Strength against the toughness that is left; a wound lowers it, and may set on fire."""

    reach = ()

    strength: int
    incendiary: bool = False

    def applies(self, ganger: Ganger) -> bool:
        return ganger.wounds > 0

    def ask(self, ganger: Ganger) -> Roll[bool]:
        need = need_to_wound(self.strength, ganger.toughness)
        return Roll("to wound", D6, AtLeast(need))

    def then(self, ganger: Ganger, wounded: bool) -> Next[Ganger]:
        if not wounded:
            return Next(ganger)
        toughness = max(1, ganger.toughness - 1)
        hurt = msgspec.structs.replace(ganger, toughness=toughness, wounds=ganger.wounds - 1)
        todo = [CatchFire()] if self.incendiary else []
        return Next(hurt, *todo, records={"wounds": 1, "out": hurt.wounds == 0})


class CatchFire(Step[Ganger, bool], frozen=True, gc=False, cache_hash=True):
    """Who is wounded by an incendiary weapon may catch fire."""

    reach = ()

    def applies(self, ganger: Ganger) -> bool:
        return ganger.wounds > 0 and not ganger.burning

    def ask(self, ganger: Ganger) -> Roll[bool]:
        return Roll("catches fire", D6, AtLeast(CATCHES_FIRE_ON))

    def then(self, ganger: Ganger, caught: bool) -> Next[Ganger]:
        return Next(msgspec.structs.replace(ganger, burning=caught))


class Burn(Step[Ganger, bool], frozen=True, gc=False, cache_hash=True):
    """An activation on fire: on a 6 it goes out, else it may wound, and burns on for a while."""

    reach = ()

    activation: int = 1

    def applies(self, ganger: Ganger) -> bool:
        return ganger.burning and ganger.wounds > 0

    def ask(self, ganger: Ganger) -> Roll[bool]:
        return Roll("fire goes out", D6, AtLeast(6))

    def then(self, ganger: Ganger, out: bool) -> Next[Ganger]:
        unhurt = msgspec.structs.replace(ganger, burning=False)
        if out:
            return Next(unhurt)
        records = {"burned": 1}
        if self.activation == MOST_ACTIVATIONS:
            return Next(unhurt, WoundRoll(FIRE_STRENGTH), records=records)
        return Next(ganger, WoundRoll(FIRE_STRENGTH), Burn(self.activation + 1), records=records)


def attack(weapon: Weapon, gangers: dict[str, Ganger]) -> Situation:
    """One attack, and what burns afterwards."""
    fires = [Task(Burn(), name) for name in gangers]
    return situation({SHOOTER: Shooter(), **gangers}, Task(RapidFire(weapon), SHOOTER), *fires)
