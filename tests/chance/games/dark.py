"""Dark: a burst of fire, dodged or not, with exploding damage and a table of injuries.

A game made up for the tests. A gunner fires bursts at one target; d100 tests are rolled under.
"""

import msgspec

from firepower.chance import (
    Band,
    Choice,
    Next,
    Option,
    Resolution,
    Roll,
    RollUnder,
    Situation,
    Step,
    Task,
    Total,
    dice,
    readings,
    situation,
)

D100 = dice("d100")
D10 = dice("d10")

GUNNER = "gunner"
TARGET = "target"


class Weapon(msgspec.Struct, frozen=True):
    """What is fired, in whose hands: `skill` to hit, `confirm` for a 10 to count as exploding."""

    skill: int
    most_hits: int
    jams_from: int
    damage: int
    confirm: int
    explosions: int


class Defence(msgspec.Struct, frozen=True):
    """What a target sets against it, and whether it dodges where nobody says otherwise."""

    agility: int
    toughness: int
    armour: int
    dodges: bool = True


class Attack(msgspec.Struct, frozen=True, cache_hash=True):
    """One weapon against one defence."""

    weapon: Weapon
    defence: Defence


class Gunner(msgspec.Struct, frozen=True):
    """Who fires."""

    jammed: bool = False


class Victim(msgspec.Struct, frozen=True):
    """Who is fired at. `critical` is the damage taken beyond the last wound."""

    wounds: int
    critical: int = 0
    has_dodged: bool = False
    stunned: bool = False
    bleeding: bool = False
    down: bool = False


class Injury(msgspec.Struct, frozen=True):
    """A row of the table: the modifier of the toughness test (None: no test), and what befalls."""

    shock: int | None
    bleeds: bool = False
    falls: bool = False


WORST = 8
INJURIES: Band[Injury] = Band(
    (
        (2, Injury(shock=20)),
        (4, Injury(shock=0, bleeds=True)),
        (7, Injury(shock=-20, bleeds=True)),
        (WORST, Injury(shock=None, falls=True)),
    )
)
"""By the critical total."""

BLEEDS_OUT_ON = 2


class Burst(msgspec.Struct, frozen=True):
    """How a burst is read: the degrees of a hit (0 for a miss), or that the weapon jams."""

    test: RollUnder
    jams_from: int

    def read(self, roll: int) -> int | None:
        if roll >= self.jams_from:
            return None
        test = self.test.read(roll)
        return test.degrees if test.success else 0

    @property
    def need(self) -> str:
        return f"{self.test.need}, jams on {self.jams_from}+"

    def words(self, read: int | None) -> str:
        return "jam" if read is None else f"{read} degrees"


class FireBurst(Step[Gunner, int | None], frozen=True, gc=False, cache_hash=True):
    """A burst hits once for each degree of success, up to a cap. A high roll jams the weapon."""

    attack: Attack

    def applies(self, gunner: Gunner) -> bool:
        return not gunner.jammed

    def ask(self, gunner: Gunner) -> Roll[int | None]:
        weapon = self.attack.weapon
        return Roll("burst", D100, Burst(RollUnder(weapon.skill), weapon.jams_from))

    def then(self, gunner: Gunner, degrees: int | None) -> Next[Gunner]:
        if degrees is None:
            return Next(Gunner(jammed=True), records={"jam": True})
        hits = min(degrees, self.attack.weapon.most_hits)
        if not hits:
            return Next(gunner)
        return Next(gunner, Task(UnderFire(self.attack, hits), TARGET), records={"hits": hits})


class UnderFire(Step[Victim, bool | None], frozen=True, gc=False, cache_hash=True):
    """A target that still can may try to dodge, once; otherwise all hits land."""

    reach = ()

    attack: Attack
    hits: int

    def applies(self, victim: Victim) -> bool:
        return not victim.down

    def ask(self, victim: Victim) -> Choice[bool | None] | None:
        if victim.has_dodged or victim.stunned:
            return None
        options = (
            Option[bool | None]("dodge", value=True),
            Option[bool | None]("stand", value=False),
        )
        policy = "dodge" if self.attack.defence.dodges else "stand"
        return Choice(f"dodge {self.hits}?", TARGET, options, policy)

    def then(self, victim: Victim, dodges: bool | None) -> Next[Victim]:
        if dodges:
            return Next(victim, Dodge(self.attack, self.hits))
        return Next(victim, Task(Hit(self.attack), times=self.hits))


class Dodge(Step[Victim, readings.Test], frozen=True, gc=False, cache_hash=True):
    """Each degree of success avoids a hit; who fails by three degrees runs into one more."""

    reach = ()

    attack: Attack
    hits: int

    def ask(self, victim: Victim) -> Roll[readings.Test]:
        return Roll("dodge", D100, RollUnder(self.attack.defence.agility))

    def then(self, victim: Victim, test: readings.Test) -> Next[Victim]:
        victim = msgspec.structs.replace(victim, has_dodged=True)
        if test.success:
            avoided = min(self.hits, test.degrees)
            records = {"avoided": avoided}
            left = self.hits - avoided
        else:
            records = {}
            left = self.hits + (test.degrees >= 3)
        todo = [Task(Hit(self.attack), times=left)] if left else []
        return Next(victim, *todo, records=records)


class Hit(Step[Victim, int], frozen=True, gc=False, cache_hash=True):
    """Damage less armour comes off wounds; what is beyond adds up to a critical total.

    The hit that adds to the total applies the row of the table that it then stands at.
    """

    reach = ()

    attack: Attack

    def applies(self, victim: Victim) -> bool:
        return not victim.down

    def ask(self, victim: Victim) -> Resolution:
        weapon = self.attack.weapon
        return Resolution(
            "damage", (DamageDie(weapon.confirm, weapon.explosions),), "rolled", recorded=True
        )

    def then(self, victim: Victim, rolled: int) -> Next[Victim]:
        loss = max(0, rolled + self.attack.weapon.damage - self.attack.defence.armour)
        beyond = max(0, loss - victim.wounds)
        wounds = max(0, victim.wounds - loss)
        critical = min(WORST, victim.critical + beyond)
        struck = msgspec.structs.replace(victim, wounds=wounds, critical=critical)
        todo = self.consequences(INJURIES.read(critical)) if beyond else ()
        return Next(struck, *todo, records={"damage": loss})

    def consequences(self, injury: Injury) -> "tuple[Shock | Bleeds | Falls, ...]":
        """The steps of a row of the table."""
        todo: list[Shock | Bleeds | Falls] = []
        if injury.shock is not None:
            todo.append(Shock(self.attack.defence.toughness + injury.shock))
        if injury.bleeds:
            todo.append(Bleeds())
        if injury.falls:
            todo.append(Falls())
        return tuple(todo)


class DamageDie(Step[None, int], frozen=True, gc=False, cache_hash=True):
    """A d10 of damage; a 10 may explode, unless that has happened too often (`cut_short`)."""

    confirm: int
    explosions: int

    def ask(self, _: None) -> Roll[int]:
        return Roll("damage", D10, Total())

    def then(self, _: None, rolled: int) -> Next[None]:
        if rolled < 10:
            return Next(None, records={"rolled": rolled})
        if not self.explosions:
            return Next(None, records={"rolled": rolled, "cut_short": 1})
        return Next(None, Fury(self.confirm, self.explosions), records={"rolled": rolled})


class Fury(Step[None, readings.Test], frozen=True, gc=False, cache_hash=True):
    """A 10 explodes if a test confirms it: another die is added."""

    confirm: int
    explosions: int

    def ask(self, _: None) -> Roll[readings.Test]:
        return Roll("fury", D100, RollUnder(self.confirm))

    def then(self, _: None, test: readings.Test) -> Next[None]:
        if not test.success:
            return Next(None)
        die = DamageDie(self.confirm, self.explosions - 1)
        return Next(None, die, records={"explosions": 1})


class Shock(Step[Victim, readings.Test], frozen=True, gc=False, cache_hash=True):
    """A toughness test; who fails it is stunned."""

    reach = ()

    target: int

    def applies(self, victim: Victim) -> bool:
        return not victim.stunned and not victim.down

    def ask(self, victim: Victim) -> Roll[readings.Test]:
        return Roll("toughness", D100, RollUnder(self.target))

    def then(self, victim: Victim, test: readings.Test) -> Next[Victim]:
        if test.success:
            return Next(victim)
        return Next(msgspec.structs.replace(victim, stunned=True), records={"stunned": True})


class Bleeds(Step[Victim, None], frozen=True, gc=False, cache_hash=True):
    """The target bleeds from now on."""

    reach = ()

    def applies(self, victim: Victim) -> bool:
        return not victim.bleeding

    def then(self, victim: Victim, _: None) -> Next[Victim]:
        return Next(msgspec.structs.replace(victim, bleeding=True), records={"bleeding": True})


class Falls(Step[Victim, None], frozen=True, gc=False, cache_hash=True):
    """The target is down."""

    reach = ()

    def then(self, victim: Victim, _: None) -> Next[Victim]:
        return Next(msgspec.structs.replace(victim, down=True), records={"down": True})


class BleedOut(Step[Victim, int], frozen=True, gc=False, cache_hash=True):
    """At the end of the round who bleeds falls on a low d10."""

    reach = ()

    def applies(self, victim: Victim) -> bool:
        return victim.bleeding and not victim.down

    def ask(self, victim: Victim) -> Roll[int]:
        return Roll("bleeding", D10, Total())

    def then(self, victim: Victim, rolled: int) -> Next[Victim]:
        return Next(victim, Falls()) if rolled <= BLEEDS_OUT_ON else Next(victim)


def fire(attack: Attack, wounds: int, bursts: int = 1) -> Situation:
    """So many bursts at a target with so many wounds, and the end of the round."""
    parts = {GUNNER: Gunner(), TARGET: Victim(wounds)}
    return situation(parts, Task(FireBurst(attack), GUNNER, bursts), Task(BleedOut(), TARGET))
