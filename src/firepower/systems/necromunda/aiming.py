"""From a line to a shot: the modifiers to hit, the Firepower dice, and whom hits may meet."""

from collections.abc import Iterable
from math import cos, floor, pi, sin

from msgspec.structs import replace

from firepower.chance.notation import dice
from firepower.chance.steps import Modifier, Task
from firepower.combat.ground import Position, crossed, distance, within_blast
from firepower.combat.paths import Path_
from firepower.systems.necromunda.activation import foes_of
from firepower.systems.necromunda.ammo import NO_CHECK, ammo_rule
from firepower.systems.necromunda.areas import Marker
from firepower.systems.necromunda.damage import Harm
from firepower.systems.necromunda.models import ActionLine
from firepower.systems.necromunda.shoot import Quarry
from firepower.systems.necromunda.shot import NEVER, FirepowerDice, Hit, Impaled, Parts, Shot
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.tables import NecSetup, figures
from firepower.systems.necromunda.targets import (
    Approach,
    aftermath_of,
    base_inches,
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
        if name == self.shooter:
            return 0.0
        stated = fighter.distance is not None or None not in (fighter.position, me.position)
        if not stated and not (len(self.setup.combatants) == 2 and me.distance is not None):
            if not self.weapon.template:
                self.setup.leave_out(f"the distance of {name}: taken to be at Short range")
            return None
        return self.setup.distance(self.shooter, name)

    def is_long(self, name: str) -> bool:
        """Whether somebody is at Long range."""
        if self.weapon.short is None:
            return self.weapon.long is not None
        distance = self.distance(name)
        return distance is not None and distance > self.weapon.short

    def is_lost(self, name: str) -> bool:
        """Whether somebody is out of range."""
        distance = self.distance(name)
        return distance is not None and self.weapon.long is not None and distance > self.weapon.long

    def approach(self, name: str) -> Approach:
        """How the shot comes at somebody."""
        blast = Trait.BLAST in self.weapon.traits
        return Approach(blast=blast, template=self.weapon.template, long=self.is_long(name))

    # -- whom it may meet ------------------------------------------------------------------------

    def quarry(self, name: str, near: tuple[str, ...] = (), *, takes_spare: bool = False) -> Quarry:
        """Somebody as one who may be shot at, with those near who may take further hits.

        `takes_spare`: this one may take further hits of another.
        """
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
            hides=(fighter.cover is not None or lies_low)
            and not (self.weapon.template or self.line.point),
            takes_spare=takes_spare and setup.rulings.takes("hidden_recipients", "yes"),
            lost=self._is_wasted(name),
            near=near,
            foes=foes_of(setup, name),
        )

    def _is_wasted(self, name: str) -> bool:
        """Whether a shot is too far; a marker is pulled back, if positions say where."""
        if self.weapon.template or not self.is_lost(name):
            return False
        if Trait.BLAST not in self.weapon.traits:
            return True
        if self._centre(name) is None:
            self.setup.leave_out(f"where the marker lies that is thrown beyond range at {name}")
            return True
        return False

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
        """What a hit on somebody is; an Impale goes on to those behind, each a Strength less."""
        strength, onward = self.weapon.strength or 0, None
        if Trait.IMPALE not in self.weapon.traits:
            return self._hit(name, strength, None)
        reached = [other for other in self.line.behind if not self.is_lost(other)]
        behind = reached[: max(0, strength - 1)]
        for less, other in reversed(list(enumerate(behind, 1))):
            hit = self._hit(other, strength - less, onward)
            onward = Task(Impaled(hit, self.setup.tables.shooting.impale), other)
        return self._hit(name, strength, onward)

    def _hit(self, name: str, strength: int, onward: Task | None) -> Hit:
        """A hit of so much Strength, with what a natural 6 makes of it."""
        setup, weapon, approach = self.setup, self.weapon, self.approach(name)
        harm = harm_of(setup, self.shooter, weapon, approach)
        if onward is not None:
            harm = replace(harm, onward=onward, reach=onward.step.reach or ())
        harm = replace(harm, strength=strength)
        psyker = setup.combatants[name].psyker and Trait.HEXAGRAMMATIC in weapon.traits
        if psyker and harm.damage is not None:
            harm = replace(harm, damage=harm.damage * setup.tables.melee.hexagrammatic)
        six, first_only = self._six(harm)
        bursts = six is not None and Trait.RAPID_FIRE in weapon.traits
        knocks = NEVER
        if Trait.KNOCKBACK in weapon.traits and setup.combatants[name].blocked_behind:
            knocks = figures(setup, name).strength
        return Hit(
            body=body_of(setup, name, weapon, approach, strength=strength),
            harm=harm,
            after=aftermath_of(setup, name, weapon, approach),
            six=six,
            first_only=first_only or (bursts and setup.rulings.takes("natural_die", "first_hit")),
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

    def near(self, target: str, *, first: bool) -> tuple[str, ...]:
        """Who may take further hits of a burst at somebody. RF-12, RF-13"""
        setup, line = self.setup, self.line
        if Trait.RAPID_FIRE not in self.weapon.traits:
            return ()
        stated = line.near if first else None
        if stated is not None:
            for i, name in enumerate(stated):
                setup.combatant(name, (*self.path, "near", i))
            named = tuple(stated)
        elif setup.combatants[target].position is not None:
            named = within(setup, target, setup.tables.shooting.near)
        else:
            named = ()
            if self._somebody_else(target):
                setup.leave_out(f"who else is near {target}: state 'near' or positions")
        friends = frozenset() if stated or self._spares_nobody() else setup.allies(self.shooter)
        barred = {target, self.shooter, *friends, *line.out_of_sight}
        return tuple(name for name in named if name not in barred)

    def _spares_nobody(self) -> bool:
        return self.setup.rulings.takes("spare_hits", "anybody")

    def _somebody_else(self, original: str) -> bool:
        allies = self.setup.allies(self.shooter)
        return any(name != original and name not in allies for name in self.setup.combatants)

    # -- who stands in the way -------------------------------------------------------------------

    def in_the_way(self, target: str) -> tuple[str, ...]:
        """Who is within an inch of the line to a target: stated, or by positions."""
        stated, table = self.line.bystanders, self.setup.tables.shooting
        everybody = self.setup.combatants
        start, end = everybody[self.shooter].position, everybody[target].position
        if stated or start is None or end is None:
            return tuple(stated)
        others = {
            name: each.position
            for name, each in everybody.items()
            if name not in (self.shooter, target) and each.position is not None
        }
        edge = base_inches(self.setup) / 2 * self.setup.rulings.takes("distances", "bases")
        return crossed(start, end, others, table.stray_line + edge)

    def by_distance(self, names: Iterable[str]) -> tuple[str, ...]:
        """These, the nearest to the shooter first, as far as distances are known."""
        far = {name: self.distance(name) for name in dict.fromkeys(names)}
        return tuple(sorted(far, key=lambda name: (far[name] is None, far[name] or 0.0)))

    # -- markers ---------------------------------------------------------------------------------

    def marker(self) -> Marker:
        """The Blast marker, without who lies under it."""
        table, dice_table = self.setup.tables.shooting, self.setup.tables.dice
        radius, base = self.weapon.traits.number(Trait.BLAST) / 2, base_inches(self.setup) / 2
        me = self.setup.combatants[self.shooter]
        return Marker(
            stays=(),
            around=(),
            places=None,
            covers=floor(radius + base),
            on_shooter=self.under(me.position) if me.position is not None else (self.shooter,),
            scatter_die=dice_table.scatter_die,
            faces=dice(table.scatter).weights()[-1][0],
            misfire=table.misfire,
            misfire_on_shooter=table.misfire_on_shooter,
        )

    def under(self, centre: Position) -> tuple[str, ...]:
        """Everybody who is at least partly under the marker with its centre here."""
        radius = self.weapon.traits.number(Trait.BLAST) / 2 + base_inches(self.setup) / 2
        positions = {
            name: each.position
            for name, each in self.setup.combatants.items()
            if each.position is not None
        }
        return within_blast(centre, positions, radius)

    def _centre(self, target: str) -> Position | None:
        """Where a marker at somebody lies: no farther than Long range, along the line."""
        to, start = (self.setup.combatants[each].position for each in (target, self.shooter))
        far = self.weapon.long
        if to is None or start is None or far is None or distance(start, to) <= far:
            return to
        share = far / distance(start, to)
        return (start[0] + share * (to[0] - start[0]), start[1] + share * (to[1] - start[1]))

    def under_at(self, target: str) -> tuple[str, ...]:
        """Everybody under the marker that stays on somebody: stated, or by positions."""
        line, setup = self.line, self.setup
        if line.touched is not None:
            for i, name in enumerate(line.touched):
                setup.combatant(name, (*self.path, "touched", i))
            return tuple(line.touched)
        centre = self._centre(target)
        if centre is not None:
            return self.under(centre)
        setup.leave_out(f"who else is under the marker at {target}: state 'touched' or positions")
        return (target,)

    def places(self, target: str) -> tuple[tuple[tuple[str, ...], ...], ...] | None:
        """Who lies under the marker when it has moved from somebody, by direction and inches."""
        position, table = self._centre(target), self.setup.tables.shooting
        if position is None:
            return None
        ways = [2 * pi * way / table.directions for way in range(table.directions)]
        farthest = dice(table.scatter).weights()[-1][0]
        return tuple(
            tuple(
                self.under((position[0] + n * cos(way), position[1] + n * sin(way)))
                for n in range(1, farthest + 1)
            )
            for way in ways
        )

    # -- the shot ----------------------------------------------------------------------------------

    def shot(self) -> Shot:
        """The shot; at whom, and where its hits land, is added when it is made."""
        setup, weapon = self.setup, self.weapon
        table, traits = setup.tables.to_hit, weapon.traits
        ammo = ammo_rule(setup, self.shooter, weapon)
        rapid = traits.number(Trait.RAPID_FIRE) or traits.number(Trait.FIRESTORM)
        if Trait.FIRESTORM in traits:
            setup.leave_out(f"who is nearest to {weapon.name}: Firestorm hits whom the line names")
        grenade, once = Trait.GRENADE in traits, Trait.SINGLE_SHOT in traits
        return Shot(
            shooter=self.shooter,
            title=weapon.title,
            skill=None if weapon.template else figures(setup, self.shooter).ballistic_skill,
            natural_1_misses=setup.rulings.takes("natural_1", "misses"),
            improbable=table.improbable,
            lost=False,
            landing=None,
            dice=self._dice(rapid, rolled=bool(rapid) or not (grenade or once)),
            ammo=ammo,
            frame=frame_of(setup, self.shooter),
            reroll=Trait.MASTER_CRAFTED in traits,
            checks=grenade and ammo.least != NO_CHECK,
            once=once,
        )

    def _dice(self, rapid: int, *, rolled: bool) -> FirepowerDice:
        """The Firepower dice of the profile: one, or of Rapid Fire up to its number.

        A Template rolls one, a grenade none, two guns each its own. A-09
        """
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
            on_miss=rulings["firepower_on_miss"] if rolled and not self.weapon.template else "all",
            rapid=bool(rapid),
            rerolls=Trait.TWIN_LINKED in self.weapon.traits,
        )
