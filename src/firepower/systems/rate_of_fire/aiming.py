"""Aiming: from a line to the shots that an attack may be, with all that never changes in them."""

from collections.abc import Iterator
from typing import Protocol

from msgspec.structs import replace

from firepower.chance.steps import Modifier
from firepower.combat.paths import Path_
from firepower.systems.rate_of_fire.attack import Aimed
from firepower.systems.rate_of_fire.conditions import lasts, some_may_fall
from firepower.systems.rate_of_fire.damage import Wounding, target_of
from firepower.systems.rate_of_fire.fate import fate_of
from firepower.systems.rate_of_fire.fired import Fired
from firepower.systems.rate_of_fire.models import ActionLine, RateOfFire, harm
from firepower.systems.rate_of_fire.ranges import (
    band_of,
    melee_of,
    out_of_range,
    who_is_in_cone,
    who_is_near,
)
from firepower.systems.rate_of_fire.shooter import Shooter
from firepower.systems.rate_of_fire.shooting import Allocation, Errant, HitCount, Jamming, Shot
from firepower.systems.rate_of_fire.tables import AttackTable, RofSetup, Rules, d100_rule

NO_ROLL = 101
DOUBLES = frozenset(range(11, 100, 11))


class Mode(Protocol):
    """What a shot must know of the attack that it is of."""

    @property
    def name(self) -> str:
        """The attack."""

    @property
    def spreads(self) -> bool:
        """Whether further hits may go to others than the original target."""

    @property
    def full_rate(self) -> bool:
        """Whether it fires at the full-auto rate."""

    @property
    def full_auto(self) -> bool:
        """Whether it is the Full Auto Attack."""

    @property
    def needs_range(self) -> bool:
        """Whether the text requires the modifiers of range and movement."""

    def table(self, tables: Rules, /) -> AttackTable:
        """Its row of the table of attacks."""

    def count(self, setup: RofSetup, fired: Fired, /) -> HitCount:
        """How degrees become hits."""

    def wounds(self, setup: RofSetup, rof: RateOfFire, /) -> tuple[bool, bool, bool]:
        """Whether several hits earn the bonus, whether hits pin, and pin who was suppressed."""


class Aiming:
    """Makes the shots of one attack, one for each target that it may be at."""

    def __init__(
        self, rule: Mode, setup: RofSetup, shooter: Shooter, fired: Fired, path: Path_
    ) -> None:
        self.rule = rule
        self.setup = setup
        self.shooter = shooter
        self.fired = fired
        self.path = path

    # -- at whom ---------------------------------------------------------------------------------

    def at_each(self, line: ActionLine) -> Iterator[Aimed]:
        """The shot at each of those whom the line names, the first wanted first."""
        setup, shooter, path = self.setup, self.shooter, self.path
        if not line.at:
            raise setup.wrong(path, "must name the original target in 'at'")
        aims = []
        for i, original in enumerate(line.at):
            if original in line.out_of_sight:
                raise setup.wrong((*path, "at"), f"is {original!r}, who is out of sight")
            if band_of(setup, shooter, original) is None:
                raise out_of_range(setup, shooter, original, (*path, "at"))
            listed = line if i == 0 or len(line.at) == 1 else self._elsewhere(line, original)
            aims.append(self._at((original,), listed, original, (), original))
        if len(aims) > 1 and setup.policies.takes("target", "closest"):
            aims.sort(key=lambda each: setup.distance(shooter.name, each.needs[0]))
        yield from aims

    def _elsewhere(self, line: ActionLine, original: str) -> ActionLine:
        """The line at another target than its first: what it lists is about the first."""
        if line.near is None and not line.melee:
            return line
        self.setup.leave_out(f"who is near {original}: 'near' and 'melee' are about {line.at[0]}")
        return replace(line, near=None, melee=[])

    def at_cone(self, line: ActionLine) -> Iterator[Aimed]:
        """The shot at a cone: its original target, and those who come after it if it falls."""
        setup, shooter, path = self.setup, self.shooter, self.path
        cone = who_is_in_cone(setup, shooter, line, path)
        if not cone:
            yield self._at((), line, "", (), "")
            return
        near = sorted(cone, key=lambda name: setup.distance(shooter.name, name))
        pairs = [(name, name) for name in near]
        if setup.rulings.takes("suppressing_original", "named"):
            if not line.at or line.at[0] not in cone:
                raise setup.wrong(path, "must name somebody in the cone in 'at'")
            pairs = [(line.at[0], name) for name in near] + pairs
        pairs = pairs if some_may_fall(setup, cone) else pairs[:1]
        for i, (original, closest) in enumerate(pairs):
            needs = tuple(dict.fromkeys((original, closest)))
            others = None if line.near is None else [n for n in line.near if n != original]
            with setup.trying(quietly=i > 0):
                listed = line if i == 0 else replace(line, near=others)
                aimed = self._at(needs, listed, original, cone, closest)
            yield aimed

    def _at(
        self,
        needs: tuple[str, ...],
        line: ActionLine,
        original: str,
        cone: tuple[str, ...],
        closest: str,
    ) -> Aimed:
        """The shot at one original target; `closest` is who sets range and movement."""
        shot = self._shot(line, original, cone, closest)
        alone = None
        melee = shot.errant.melee if shot.errant is not None else ()
        if len(melee) > 1 and some_may_fall(self.setup, melee):
            with self.setup.trying(quietly=True):
                alone = self._shot(replace(line, melee=[]), original, cone, closest)
        return Aimed(needs, shot, alone)

    def _shot(self, line: ActionLine, original: str, cone: tuple[str, ...], closest: str) -> Shot:
        setup, shooter, fired, rule = self.setup, self.shooter, self.fired, self.rule
        melee = self._melee(line, original, cone)
        others = self._others(line, original, cone) if not melee else ()
        struck = dict.fromkeys((*cone, original, *others, *melee) if original else ())
        wounding = self._wounding()
        rulings = setup.rulings
        may_waive = not melee and rule.spreads
        return Shot(
            shooter=shooter.name,
            title=rule.table(setup.tables).title,
            weapon=shooter.weapon_name,
            parts=self._parts(line, original, closest, into_melee=bool(melee)),
            rule=d100_rule(setup),
            luck=fate_of(setup, shooter.name),
            rounds=fired.rounds,
            ap=fired.ap,
            shots=fired.shots,
            count=self._stormed(rule.count(setup, fired)),
            jamming=self._jamming(),
            original=original,
            targets=tuple(
                target_of(setup, shooter, name, original, suppressed=name in cone)
                for name in struck
            ),
            wounding=wounding,
            allocation=Allocation(
                others,
                may_waive and rulings.takes("further_hits", "may_be_waived"),
                bool(others) and setup.policies.takes("allocation", "spread"),
            ),
            errant=self._errant(melee, wounding) if melee else None,
            cone=cone,
            pins_after=bool(cone) and rulings.takes("jam_pinning", "void"),
        )

    # -- who -------------------------------------------------------------------------------------

    def _melee(self, line: ActionLine, original: str, cone: tuple[str, ...]) -> tuple[str, ...]:
        """The melee that is shot into, if the original target is one of it.

        Of suppressing fire it is where `melee` names it too, or but one other; else it is an
        outsider.

        R33
        """
        among = len(line.melee) == 1 or original in (*line.melee, *line.at[:1])
        outside = line.melee and cone and not among
        if outside and self.setup.rulings.takes("suppressing_melee", "original_in_it"):
            return ()
        return melee_of(self.setup, self.shooter, line, original, self.path)

    def _others(self, line: ActionLine, original: str, cone: tuple[str, ...]) -> tuple[str, ...]:
        """Who may take further hits; of suppressing fire only those in the original's band. R26"""
        setup, shooter = self.setup, self.shooter
        if not original or not self.rule.spreads:
            return ()
        others = who_is_near(setup, shooter, line, original, self.path)
        if not cone:
            return others
        band = band_of(setup, shooter, original)
        for name in others:
            if band_of(setup, shooter, name) != band:
                setup.leave_out(f"further hits on {name}: another range band")
        return tuple(name for name in others if band_of(setup, shooter, name) == band)

    # -- the number to hit -----------------------------------------------------------------------

    def _parts(
        self, line: ActionLine, original: str, closest: str, *, into_melee: bool
    ) -> tuple[Modifier, ...]:
        """The parts of the target number that do not change, each with where it comes from. R32"""
        setup, shooter, row = self.setup, self.shooter, self.rule.table(self.setup.tables)
        source = f"rules: {self.rule.name}"
        parts = [
            Modifier("Ranged Combat", shooter.skill, shooter.name),
            Modifier(f"{row.title} ({row.difficulty})", row.modifier, source),
        ]
        if line.aim:
            counts = Modifier("Aim", line.aim, shooter.name)
            parts.append(counts if row.aim else Modifier("Aim (does not count)", 0, source))
        if into_melee:
            helpless = setup.combatants[original].helpless
            if not (helpless and setup.rulings.takes("melee_helpless", "waived")):
                melee = setup.tables.melee_modifier
                parts.append(Modifier("shooting into melee", melee, "rules: melee"))
        if original:
            parts += self._range_and_movement(closest)
            parts += [
                Modifier(label, value, original)
                for label, value in setup.combatants[original].modifiers.items()
            ]
        parts += [Modifier(label, value, "scenario") for label, value in line.modifiers.items()]
        return tuple(parts)

    def _range_and_movement(self, name: str) -> list[Modifier]:
        """What the distance and the movement of a target add: stated, or by an opt-in table.

        The text requires both of suppressing fire.

        R24
        """
        setup, target, parts = self.setup, self.setup.combatants[name], []
        required = self.rule.needs_range
        table = setup.rulings["range_to_hit"]
        band = band_of(setup, self.shooter, name)
        if target.range_modifier is not None:
            parts.append(Modifier("range", target.range_modifier, name))
        elif table != "stated" and band is not None:
            label = f"{band.title} range"
            parts.append(Modifier(label, band.to_hit[table], f"ruling: range_to_hit = {table}"))
        elif required:
            setup.leave_out(f"range to hit: {name} states no 'range_modifier', 0 is used")
        if target.movement_modifier is not None:
            parts.append(Modifier("movement", target.movement_modifier, name))
        elif required:
            setup.leave_out(f"movement to hit: {name} states no 'movement_modifier', 0 is used")
        return parts

    # -- hits, jams, damage ----------------------------------------------------------------------

    def _stormed(self, count: HitCount) -> HitCount:
        """The same with Storm, before or after the cap. R29, R30"""
        storm, rulings = self.shooter.weapon.storm, self.setup.rulings
        if storm == 1:
            return count
        scope = rulings["storm_scope"]
        applies = scope == "every_attack" or self.rule.full_auto
        if not applies and not (scope == "full_auto_rate" and self.rule.full_rate):
            return count
        return replace(
            count,
            storm=storm,
            cap_last=count.cap_last or rulings.takes("storm_cap", "before_cap"),
        )

    def _errant(self, melee: tuple[str, ...], wounding: Wounding) -> Errant:
        """Shooting into melee: what goes astray. R31, D3"""
        rulings = self.setup.rulings
        rof, how = self.shooter.rof, rulings["errant_cap"]
        cap = self.fired.rounds if how == "rounds_spent" else None
        if how == "weapon_maximum" and rof.dice:
            cap = rof.dice * rof.faces
        bare = rulings.takes("errant_effects", "damage_only")
        return Errant(
            melee,
            DOUBLES | {100} if rulings.takes("doubles_zero", "yes") else DOUBLES,
            self._stormed(HitCount(None, 0, 1, cap_last=False)),
            cap,
            rulings.takes("errant_spread", "one_victim"),
            replace(wounding, bonus="", pins="") if bare else wounding,
        )

    def _jamming(self) -> Jamming:
        """When the weapon jams, and what that does."""
        setup, tables, rulings = self.setup, self.setup.tables, self.setup.rulings
        ladder = tuple(sorted(tables.craftsmanship.items(), key=lambda each: each[1]))
        return Jamming(
            self._jams_from(),
            rulings.takes("jam_hits", "hits_stand"),
            rulings.takes("jam_ammunition", "in_full"),
            ladder,
            lasts(setup) and rulings.takes("below_useless", "breaks"),
        )

    def _jams_from(self) -> int:
        """The natural roll from which the weapon jams. R36, R37"""
        jam, rulings = self.setup.tables.jam, self.setup.rulings
        weapon, rof = self.shooter.weapon, self.shooter.rof
        full_auto = bool(rof.dice)
        if full_auto and not self.rule.full_rate:
            full_auto = rulings.takes("jam_scope", "every_mode")
        if not weapon.reliable and not full_auto:
            return NO_ROLL if rulings.takes("jam_other", "never") else jam.other
        if not weapon.reliable:
            return jam.full_auto
        if full_auto and rulings.takes("reliable_jam", "general"):
            return jam.full_auto
        if not rof.dice and rulings.takes("jam_reliable_other", "on_100"):
            return 100
        return jam.reliable

    def _wounding(self) -> Wounding:
        """What a hit does. A5"""
        tables, rulings, shooter = self.setup.tables, self.setup.rulings, self.shooter
        damage = harm(shooter.weapon.damage)
        parts: tuple[Modifier, ...] = ()
        if damage.adds_bonus:
            stated = shooter.combatant.ranged_combat_bonus
            bonus = tables.bonus(shooter.skill) if stated is None else stated
            parts = (Modifier("Ranged Combat bonus", bonus, shooter.name),)
        earns, pins, repins = self.rule.wounds(self.setup, shooter.rof)
        return Wounding(
            damage.dice,
            parts,
            rulings["same_target_bonus"] if earns else "",
            tuple((row.over, row.fatigue) for row in tables.injuries),
            rulings["pinning_tests"] if pins else "",
            repins,
        )
