"""From a line to a shot: the modifiers to hit, the Firepower dice, and whom hits may meet."""

from msgspec.structs import replace

from firepower.chance.steps import Modifier
from firepower.combat.paths import Path_
from firepower.systems.necromunda.activation import foes_of
from firepower.systems.necromunda.allocation import Bullets
from firepower.systems.necromunda.ammo import NO_CHECK, ammo_rule
from firepower.systems.necromunda.damage import Harm
from firepower.systems.necromunda.models import ActionLine
from firepower.systems.necromunda.shoot import Quarry
from firepower.systems.necromunda.shot import NEVER, FirepowerDice, Hit, Parts, Shot
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.tables import NecSetup, figures
from firepower.systems.necromunda.targets import (
    Approach,
    aftermath_of,
    body_of,
    frame_of,
    harm_of,
    within,
)
from firepower.systems.necromunda.traits import Trait
from firepower.systems.necromunda.weapons import Weapon, has_skill


class Aiming:
    """The shots of one line with one profile."""

    def __init__(self, setup: NecSetup, line: ActionLine, weapon: Weapon, path: Path_) -> None:
        self.setup = setup
        self.line = line
        self.weapon = weapon
        self.path = path
        self.shooter = line.by
        self.distances: dict[str, float] = {}

    # -- how far, and what that does -------------------------------------------------------------

    def distance(self, name: str) -> float | None:
        """How far somebody is; None where nothing says so: taken to be at Short range."""
        fighter, me = self.setup.combatants[name], self.setup.combatants[self.shooter]
        stated = fighter.distance is not None or None not in (fighter.position, me.position)
        if not stated and not (len(self.setup.combatants) == 2 and me.distance is not None):
            if not self.weapon.template:
                self.setup.leave_out(f"the distance of {name}: taken to be at Short range")
            return None
        return self.setup.distance(self.shooter, name)

    def is_long(self, name: str) -> bool:
        """Whether somebody is at Long range."""
        distance = self.distance(name)
        return distance is not None and self.weapon.is_long(distance)

    def is_lost(self, name: str) -> bool:
        """Whether somebody is out of range."""
        distance = self.distance(name)
        return distance is not None and self.weapon.long is not None and distance > self.weapon.long

    def approach(self, name: str) -> Approach:
        """How the shot comes at somebody."""
        blast = Trait.BLAST in self.weapon.traits
        return Approach(blast=blast, template=self.weapon.template, long=self.is_long(name))

    # -- whom it may meet ------------------------------------------------------------------------

    def quarry(self, name: str) -> Quarry:
        """Somebody as one who may be shot at."""
        setup, approach = self.setup, self.approach(name)
        fighter, table = setup.combatants[name], setup.tables.to_hit
        tricky = has_skill(setup, self.shooter, Skill.TRICK_SHOT)
        evades = None
        if has_skill(setup, name, Skill.EVADE) and fighter.cover is None:
            value = table.evade_at_long if approach.long else table.evade
            evades = Modifier("Evade", value, name)
        lies_low = has_skill(setup, name, Skill.LIE_LOW) and approach.long
        cover = 0 if approach.is_area else self._cover(name, tricky=tricky)
        return Quarry(
            hit=self.hit(name),
            parts=self._parts(name, cover),
            cover=cover,
            engaged=None if tricky else Modifier("engaged", table.engaged, name),
            prone=Modifier("prone at Long range", table.prone_at_long, name)
            if approach.long
            else None,
            evades=evades,
            hides=not self.weapon.template and (fighter.cover is not None or lies_low),
            foes=foes_of(setup, name),
        )

    def _cover(self, name: str, *, tricky: bool) -> int:
        cover, table = self.setup.combatants[name].cover, self.setup.tables.to_hit
        if cover == "partial":
            return 0 if tricky else table.partial_cover
        if cover == "full":
            return table.trick_full_cover if tricky else table.full_cover
        return 0

    def _parts(self, name: str, cover: int) -> Parts:
        """The modifiers about somebody that do not change: cover, range, what is stated."""
        fighter, weapon = self.setup.combatants[name], self.weapon
        found = []
        if cover:
            found.append(Modifier(f"{fighter.cover} cover", cover, name))
        accuracy = weapon.accuracy_long if self.is_long(name) else weapon.accuracy_short
        if accuracy:
            band = "Long" if self.is_long(name) else "Short"
            found.append(Modifier(f"{band} range", accuracy, weapon.name))
        found += [Modifier(cause, value, name) for cause, value in fighter.modifiers.items()]
        return tuple(found)

    def hit(self, name: str) -> Hit:
        """What a hit on somebody is, with what a natural 6 makes of it."""
        setup, weapon, approach = self.setup, self.weapon, self.approach(name)
        harm = harm_of(setup, self.shooter, weapon, approach)
        six, first_only = self._six(harm)
        knocks = NEVER
        if Trait.KNOCKBACK in weapon.traits and setup.combatants[name].blocked_behind:
            knocks = figures(setup, name).strength
        return Hit(
            body=body_of(setup, name, weapon, approach),
            harm=harm,
            after=aftermath_of(setup, name, weapon, approach),
            six=six,
            first_only=first_only or setup.rulings.takes("natural_die", "first_hit"),
            knocks=knocks,
        )

    def _six(self, harm: Harm) -> tuple[Harm | None, bool]:
        """What a natural 6 makes of a hit, and whether of the first hit alone."""
        setup, traits = self.setup, self.weapon.traits
        six, first_only = harm, False
        if Trait.SHOCK in traits:
            six = replace(six, sure=True)
        if Trait.BLAST not in traits and not self.weapon.template:
            if has_skill(setup, self.shooter, Skill.PRECISION_SHOT):
                six = replace(six, bare=True)
            if has_skill(setup, self.shooter, Skill.MARKSMAN) and harm.damage is not None:
                six = replace(six, damage=2 * harm.damage)
                first_only = Trait.RAPID_FIRE in traits
        return (None, False) if six == harm else (six, first_only)

    def others(self, original: str) -> list[Quarry]:
        """Those near the target who may take further hits. RF-12, RF-13"""
        setup, line = self.setup, self.line
        if Trait.RAPID_FIRE not in self.weapon.traits:
            return []
        inches = setup.tables.shooting.near
        if line.near is None:
            positions = setup.combatants[original].position is not None
            named = within(setup, original, inches) if positions else ()
            if not positions and self._somebody_else(original):
                setup.leave_out(f"who else is near {original}: state 'near' or positions")
        else:
            named = tuple(line.near)
        allies = setup.allies(self.shooter)
        friends_too = setup.rulings.takes("spare_hits", "anybody")
        found = []
        for i, name in enumerate(named):
            if line.near is not None:
                setup.combatant(name, (*self.path, "near", i))
            if name in (original, self.shooter) or name in line.out_of_sight:
                continue
            if name in allies and not friends_too and line.near is None:
                continue
            if not self.is_lost(name):
                found.append(self.quarry(name))
        return found

    def _somebody_else(self, original: str) -> bool:
        allies = self.setup.allies(self.shooter)
        return any(name != original and name not in allies for name in self.setup.combatants)

    # -- the shot ----------------------------------------------------------------------------------

    def shot(self, original: str) -> Shot:
        """The shot at one target; where its hits land is added when it is made."""
        setup, weapon = self.setup, self.weapon
        table, traits = setup.tables.to_hit, weapon.traits
        ammo = ammo_rule(setup, self.shooter, weapon)
        rapid = traits.number(Trait.RAPID_FIRE) or traits.number(Trait.FIRESTORM)
        grenade, once = Trait.GRENADE in traits, Trait.SINGLE_SHOT in traits
        return Shot(
            shooter=self.shooter,
            title=weapon.title,
            skill=None if weapon.template else figures(setup, self.shooter).ballistic_skill,
            natural_1_misses=setup.rulings.takes("natural_1", "misses"),
            improbable=table.improbable,
            lost=not weapon.template and self.is_lost(original),
            landing=Bullets(self.hit(original)),
            dice=self._dice(rapid, rolled=bool(rapid) or not (grenade or once)),
            ammo=ammo,
            frame=frame_of(setup, self.shooter),
            reroll=Trait.MASTER_CRAFTED in traits,
            checks=grenade and ammo.least != NO_CHECK,
            once=once,
        )

    def _dice(self, rapid: int, *, rolled: bool) -> FirepowerDice:
        """The Firepower dice of the profile: one, or of Rapid Fire up to its number."""
        setup, dice, rulings = self.setup, self.setup.tables.dice, self.setup.rulings
        stated = self.line.dice
        if stated is not None and stated > max(1, rapid):
            most = f"rolls at most {rapid} Firepower dice" if rapid else "has no Rapid Fire"
            raise setup.wrong((*self.path, "dice"), f"is {stated}, but {self.weapon.title} {most}")
        empty = rulings.takes("ammo_face", "no_hit") if rapid else False
        worth = []
        for face in dice.firepower.faces:
            ammo = str(face).endswith("!")
            holes = int(str(face).rstrip("!")) if rapid else 0
            worth.append((0 if ammo and empty else holes, int(ammo)))
        several = rapid > 1
        policy = rapid
        if several and stated is None and setup.policies.takes("firepower_dice", "one"):
            policy = 1
        return FirepowerDice(
            die=dice.firepower,
            worth=tuple(worth),
            most=max(1, rapid) if rolled else 0,
            stated=stated if several else None,
            policy=max(1, policy),
            declared=rulings["firepower_declared"] if several else "before",
            on_miss=rulings["firepower_on_miss"] if several else "all",
            rapid=bool(rapid),
            rerolls=Trait.TWIN_LINKED in self.weapon.traits,
        )
