"""The Shoot actions: what each costs, who may make it, and its modifiers."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any, ClassVar

from msgspec.structs import replace

from firepower.chance.steps import Modifier
from firepower.combat.actions import Action, ActionRule
from firepower.combat.paths import Path_, close_matches
from firepower.systems.necromunda.activation import (
    Cost,
    check_keys,
    enemies_of,
    foes_of,
    without_others,
)
from firepower.systems.necromunda.aiming import Aiming
from firepower.systems.necromunda.models import ActionLine
from firepower.systems.necromunda.shoot import (
    BlastShooting,
    FlameShooting,
    HarmlessShooting,
    Kneeling,
    Quarry,
    Shooting,
    ThroughDuctway,
    TwoGuns,
)
from firepower.systems.necromunda.shot import Shot
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.standing import beginning, check_able, is_sure
from firepower.systems.necromunda.tables import NecSetup, figures
from firepower.systems.necromunda.traits import Trait
from firepower.systems.necromunda.weapons import (
    Weapon,
    has_skill,
    offered_modes,
    only_weapon,
    weapon_of,
)


class Shoot(ActionRule[ActionLine]):
    """Shoot: a Basic action, a Double one with an Unwieldy weapon. UW-01, UW-02"""

    name = "shoot"
    title = "Shoot"
    own: ClassVar[tuple[str, ...]] = (
        "weapon",
        "mode",
        "at",
        "dice",
        "near",
        "out_of_sight",
        "touched",
        "bystanders",
        "behind",
        "closer",
        "point",
        "ductway",
        "modifiers",
    )
    doing: ClassVar[type[Shooting]] = Shooting

    def of_open(self, line: ActionLine) -> ActionLine:
        return without_others(line, self.own)

    def candidates(self, setup: NecSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        for named in self._weapons(setup, line, path):
            for mode in self._modes(setup, named):
                moded = replace(named, mode=mode)
                weapon = weapon_of(setup, line.by, moded.weapon, mode, path)
                if not weapon.shoots:
                    continue
                if weapon.template:
                    yield moded
                    continue
                for first in line.at:
                    yield replace(moded, at=[first, *[n for n in line.at if n != first]])
                if line.at:
                    continue
                for target in enemies_of(setup, line.by):
                    yield replace(moded, at=[target])

    def _modes(self, setup: NecSetup, line: ActionLine) -> list[str]:
        if line.mode or line.weapon not in setup.combatants[line.by].weapons:
            return [line.mode]
        return offered_modes(setup, line.by, line.weapon)

    def _weapons(self, setup: NecSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        carried = list(setup.combatants[line.by].weapons)
        for weapon in [line.weapon] if line.weapon else carried:
            if not line.weapon:
                yield replace(line, weapon=weapon)
            else:
                yield line

    def declare(self, setup: NecSetup, line: ActionLine, path: Path_) -> Action:
        check_keys(setup, line, path, self.own)
        shooting = self.shooting(setup, line, path)
        check_able(setup, line, shooting, path)
        check_target(setup, line, shooting, path)
        return shooting

    def shooting(self, setup: NecSetup, line: ActionLine, path: Path_) -> Shooting:
        """The shot of a line; what its profile does to whom says of which kind it is."""
        weapon = self.profile(setup, line, path)
        self.check(setup, line, weapon, path)
        targets = line.at or self._only_enemy(setup, line, weapon, path)
        check_named(setup, line, path)
        self._check_friends(setup, line, weapon, path)
        aiming = Aiming(setup, line, weapon, path)
        cost = self.cost(setup, line.by, weapon)
        near = {name: aiming.near(name, first=name == targets[0]) for name in targets}
        spare = {name for names in near.values() for name in names}
        made: dict[str, Any] = {
            "who": line.by,
            "key": f"{self.called(line)} {weapon.title} at {' or '.join(targets)}",
            "name": self.name,
            "cost": cost,
            "foes": foes_of(setup, line.by),
            "weapon": weapon.name,
            "mode": weapon.mode,
            "shot": self.shot(setup, aiming),
            "parts": (*self.parts(setup, line, weapon), *_stated(line)),
            "quarries": tuple(
                aiming.quarry(name, near[name], takes_spare=name in spare) for name in targets
            ),
            "behind": tuple(line.behind or ()),
            "stray": setup.tables.shooting.stray_hits,
            "keeps_aim": cost is Cost.SIMPLE,
        }
        pool = [name for names in near.values() for name in names]
        if weapon.template:
            return FlameShooting(**made)
        if Trait.BLAST not in weapon.traits:
            strays = _strays(setup, aiming, targets)
            pool += strays
            made |= {"bystanders": aiming.in_the_way(targets[0]), "strays": strays}
        if Trait.BLAST in weapon.traits and not is_harmless(weapon):
            under = tuple((name, aiming.under_at(name)) for name in targets)
            places = tuple((name, aiming.places(name)) for name in targets)
            pool += [*_everybody_under(under, places), line.by]
            made |= {
                "marker": aiming.marker(),
                "under": under,
                "places": tuple((name, each) for name, each in places if each is not None),
            }
        made["pool"] = _pool(aiming, pool, targets, spare)
        if any(near.values()):
            made["harder"] = setup.rulings["harder_to_hit"]
            made["spreads"] = setup.policies.takes("further_hits", "spread")
        if Trait.KNOCKBACK in weapon.traits:
            made["knock_adds"] = setup.rulings.takes("knockback_roll", "modified")
        if not has_skill(setup, line.by, Skill.MARKSMAN):
            self._note_closer(setup, aiming, line, targets[0])
            made["closer"] = tuple(aiming.quarry(name) for name in line.closer)
            made["cool"] = figures(setup, line.by).cool
        if is_harmless(weapon):
            setup.leave_out(f"what {weapon.title} does: nobody is hit by it")
            return HarmlessShooting(**made)
        return BlastShooting(**made) if "marker" in made else self.doing(**made)

    def _note_closer(self, setup: NecSetup, aiming: Aiming, line: ActionLine, target: str) -> None:
        """Name those who by positions are nearer than the target, if nothing is stated."""
        here, there = setup.combatants[line.by].position, setup.combatants[target].position
        if line.closer or here is None or there is None:
            return
        nearer = [
            name
            for name in enemies_of(setup, line.by)
            if setup.combatants[name].position is not None
            and setup.distance(line.by, name) < setup.distance(line.by, target)
        ]
        if nearer:
            names = ", ".join(nearer)
            setup.leave_out(f"target priority: if they are in sight, state 'closer' ({names})")

    def _check_friends(
        self, setup: NecSetup, line: ActionLine, weapon: Weapon, path: Path_
    ) -> None:
        """Refuse friends as targets, but of what may touch anybody; they are no nearer enemies."""
        anybody = weapon.template or Trait.BLAST in weapon.traits or is_harmless(weapon)
        friends = setup.allies(line.by)
        for key, names in (("at", [] if anybody else line.at), ("closer", line.closer)):
            for i, name in enumerate(names):
                if name in friends:
                    raise setup.wrong((*path, key, i), f"names {name!r}, who is on the same side")

    def shot(self, setup: NecSetup, aiming: Aiming) -> Shot:
        """The shot, as far as it is the same for every target."""
        return aiming.shot()

    def check(self, setup: NecSetup, line: ActionLine, weapon: Weapon, path: Path_) -> None:
        """Refuse keys that the profile does not use."""
        area = weapon.template or Trait.BLAST in weapon.traits
        for key, used in (
            ("touched", Trait.BLAST in weapon.traits),
            ("point", Trait.BLAST in weapon.traits),
            ("behind", Trait.IMPALE in weapon.traits),
            ("near", Trait.RAPID_FIRE in weapon.traits),
            ("out_of_sight", Trait.RAPID_FIRE in weapon.traits),
            ("bystanders", not area),
            ("closer", not weapon.template),
        ):
            if getattr(line, key) not in (None, False, []) and not used:
                raise setup.wrong((*path, key), f"is stated, but {weapon.title} has no use for it")

    def profile(self, setup: NecSetup, line: ActionLine, path: Path_) -> Weapon:
        """The profile that is fired."""
        named = line.weapon or only_weapon(setup, line, path)
        weapon = weapon_of(setup, line.by, named, line.mode, path)
        if not weapon.shoots:
            raise setup.wrong((*path, "weapon"), f"is {named!r}, which cannot be shot")
        return weapon

    def _only_enemy(
        self, setup: NecSetup, line: ActionLine, weapon: Weapon, path: Path_
    ) -> list[str]:
        enemies = enemies_of(setup, line.by)
        if len(enemies) != 1:
            whom = "everybody touched" if weapon.template else "the target"
            raise setup.wrong(path, f"must name {whom} in 'at'")
        return enemies

    def cost(self, setup: NecSetup, name: str, weapon: Weapon) -> Cost:
        """What the shot costs; the Single action of an old text is the Basic one. A-35"""
        if Trait.UNWIELDY in weapon.traits and not weapon.suspensors:
            strong = has_skill(setup, name, Skill.BULGING_BICEPS)
            if not (strong and setup.rulings.takes("bulging_biceps", "ignores_unwieldy")):
                return Cost.DOUBLE
        if has_skill(setup, name, Skill.FAST_SHOT) and Trait.UNWIELDY not in weapon.traits:
            return Cost.SIMPLE
        return Cost.BASIC

    def parts(self, setup: NecSetup, line: ActionLine, weapon: Weapon) -> tuple[Modifier, ...]:
        """What the action itself adds to the roll to hit."""
        table = setup.tables.to_hit
        smoke = Trait.SMOKE in weapon.traits
        costs = line.point and not smoke
        return (Modifier("at a point", table.point, "rules: to_hit"),) if costs else ()


class BlindFire(Shoot):
    """Blind Fire: Double, of who is Pinned."""

    name = "blind-fire"
    title = "Blind Fire"
    doing = Kneeling

    def cost(self, setup: NecSetup, name: str, weapon: Weapon) -> Cost:
        return Cost.DOUBLE

    def check(self, setup: NecSetup, line: ActionLine, weapon: Weapon, path: Path_) -> None:
        super().check(setup, line, weapon, path)
        if weapon.template or Trait.BLAST in weapon.traits or is_harmless(weapon):
            raise setup.wrong((*path, "weapon"), f"is {weapon.title}, which is not fired blind")

    def parts(self, setup: NecSetup, line: ActionLine, weapon: Weapon) -> tuple[Modifier, ...]:
        return (Modifier(self.title, setup.tables.to_hit.blind_fire, "rules: to_hit"),)


class RunAndGun(Shoot):
    """Run and Gun: Double, with Hip Shooting: two moves, and a shot of no Unwieldy weapon."""

    name = "run-and-gun"
    title = "Run and Gun"

    def candidates(self, setup: NecSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        if has_skill(setup, line.by, Skill.HIP_SHOOTING):
            yield from super().candidates(setup, line, path)

    def cost(self, setup: NecSetup, name: str, weapon: Weapon) -> Cost:
        return Cost.DOUBLE

    def check(self, setup: NecSetup, line: ActionLine, weapon: Weapon, path: Path_) -> None:
        super().check(setup, line, weapon, path)
        if not has_skill(setup, line.by, Skill.HIP_SHOOTING):
            raise setup.wrong((*path, "action"), f"is {self.name}: {line.by} lacks Hip Shooting")
        if Trait.UNWIELDY in weapon.traits:
            raise setup.wrong((*path, "weapon"), f"is {weapon.title}, which is Unwieldy")

    def parts(self, setup: NecSetup, line: ActionLine, weapon: Weapon) -> tuple[Modifier, ...]:
        value = setup.tables.to_hit.run_and_gun
        return (*super().parts(setup, line, weapon), Modifier(self.title, value, "rules: to_hit"))


class FireThroughDuctway(Shoot):
    """Fire Through Ductway: Basic; it hits on a number of its own."""

    name = "fire-through-ductway"
    title = "Fire Through Ductway"
    doing = ThroughDuctway

    def candidates(self, setup: NecSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        if line.ductway:
            yield from super().candidates(setup, line, path)

    def check(self, setup: NecSetup, line: ActionLine, weapon: Weapon, path: Path_) -> None:
        super().check(setup, line, weapon, path)
        if not line.ductway:
            raise setup.wrong(path, "needs 'ductway = true': one that leads to the target")

    def shot(self, setup: NecSetup, aiming: Aiming) -> Shot:
        shot = aiming.shot()
        skill = None if shot.skill is None else setup.tables.to_hit.ductway
        return replace(shot, skill=skill)


class TwinGuns(Shoot):
    """Twin Guns Blazing: one Shoot with two Sidearms, each at -1, at the same target.

    A Gunfighter has no -1, and may shoot at two.
    """

    name = "twin-guns"
    title = "Twin Guns Blazing"
    own = (*Shoot.own, "weapons")

    def candidates(self, setup: NecSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        pairs = [tuple(line.weapons)]
        if not line.weapons:
            pairs = list(combinations(setup.combatants[line.by].weapons, 2))
        for pair in pairs:
            for target in [line.at] if line.at else [[n] for n in enemies_of(setup, line.by)]:
                yield replace(line, weapons=list(pair), at=target)

    def called(self, line: ActionLine) -> str:
        return self.name

    def declare(self, setup: NecSetup, line: ActionLine, path: Path_) -> Action:
        check_keys(setup, line, path, self.own)
        if len(line.weapons) != 2 or line.weapon or line.mode:
            raise setup.wrong(
                (*path, "weapons"), "must name two Sidearms; 'weapon' and 'mode' name none"
            )
        carried = setup.combatants[line.by].weapons
        for i, weapon in enumerate(line.weapons):
            if weapon not in carried:
                near = close_matches(weapon, carried)
                raise setup.wrong(
                    (*path, "weapons", i), f"is {weapon!r}, which {line.by} does not carry; {near}"
                )
        if len(set(line.weapons)) != 2:
            raise setup.wrong((*path, "weapons", 1), f"names {line.weapons[0]!r} twice")
        gunfighter = has_skill(setup, line.by, Skill.GUNFIGHTER)
        shots = []
        for i, weapon in enumerate(line.weapons):
            at = line.at[i : i + 1] or line.at[:1] if gunfighter else line.at
            shots.append(self.shooting(setup, replace(line, weapon=weapon, at=at), path))
            fired = weapon_of(setup, line.by, weapon, shots[-1].mode, path)
            if Trait.SIDEARM not in fired.traits:
                raise setup.wrong((*path, "weapons", i), f"is {weapon!r}, which is no Sidearm")
        first, second = shots
        both = TwoGuns(
            who=line.by,
            key=f"{self.name} {' and '.join(line.weapons)} at {' or '.join(first.targets)}",
            name=Shoot.name,
            cost=Cost.BASIC,
            foes=first.foes,
            first=first,
            second=second,
        )
        check_able(setup, line, both, path)
        check_target(setup, line, first, path)
        return both

    def cost(self, setup: NecSetup, name: str, weapon: Weapon) -> Cost:
        return Cost.BASIC

    def parts(self, setup: NecSetup, line: ActionLine, weapon: Weapon) -> tuple[Modifier, ...]:
        if has_skill(setup, line.by, Skill.GUNFIGHTER):
            return ()
        return (Modifier(self.title, setup.tables.to_hit.twin_guns, "rules: to_hit"),)


ATTACKS: tuple[Shoot, ...] = (Shoot(), BlindFire(), RunAndGun(), FireThroughDuctway(), TwinGuns())


def check_named(setup: NecSetup, line: ActionLine, path: Path_) -> None:
    """Refuse names of nobody, names given twice, and those of whom something else is known."""
    first = line.at[:1]
    for key, names, others in (
        ("at", line.at, []),
        ("near", line.near or [], first),
        ("out_of_sight", line.out_of_sight, first),
        ("touched", line.touched or [], []),
        ("bystanders", line.bystanders, first),
        ("behind", line.behind, first),
        ("closer", line.closer, first),
    ):
        for i, name in enumerate(names):
            setup.combatant(name, (*path, key, i))
            if name in names[:i]:
                raise setup.wrong((*path, key, i), f"names {name!r} twice")
            if name == line.by and key != "touched":
                raise setup.wrong((*path, key, i), f"is {name!r}, who shoots")
            if name in others:
                raise setup.wrong((*path, key, i), f"names {name!r}, the target")


def check_target(setup: NecSetup, line: ActionLine, shooting: Shooting, path: Path_) -> None:
    """Refuse a shot that is sure to be at none but those who lie hidden."""
    if not is_sure(setup, path):
        return
    hidden = []
    for quarry in shooting.quarries:
        each = beginning(setup, quarry.name)
        if each.prone and quarry.hides:
            hidden.append(quarry.name)
        elif not each.out:
            return
    if hidden:
        raise setup.wrong(
            (*path, "at"), f"is {' or '.join(hidden)}, who lies hidden and cannot be targeted"
        )


def is_harmless(weapon: Weapon) -> bool:
    """Whether a profile hits nobody: smoke, flares, chems."""
    plain = weapon.traits.names.isdisjoint((Trait.FLASH, Trait.GAS, Trait.TOXIN))
    none = weapon.strength is None and Trait.GRAVITON_PULSE not in weapon.traits
    return Trait.SMOKE in weapon.traits or (plain and none)


def _everybody_under(
    under: tuple[tuple[str, tuple[str, ...]], ...],
    places: tuple[tuple[str, tuple[tuple[tuple[str, ...], ...], ...] | None], ...],
) -> list[str]:
    """Everybody who may come to lie under a marker."""
    found = dict.fromkeys(name for _, names in under for name in names)
    for _, by_way in places:
        for way in by_way or ():
            found |= dict.fromkeys(name for names in way for name in names)
    return list(found)


def _strays(setup: NecSetup, aiming: Aiming, targets: list[str]) -> tuple[str, ...]:
    """Everybody whom a miss may hit: in the way, or in close combat with a target."""
    mingled = [foe for target in targets for foe in foes_of(setup, target)]
    found = aiming.by_distance([*aiming.in_the_way(targets[0]), *mingled])
    return tuple(name for name in found if name != aiming.shooter)


def _pool(
    aiming: Aiming, names: list[str], targets: list[str], spare: set[str]
) -> tuple[Quarry, ...]:
    """Everybody whom a shot may hit besides its targets, of whom some take further hits."""
    return tuple(
        aiming.quarry(name, takes_spare=name in spare)
        for name in dict.fromkeys(names)
        if name not in targets
    )


def _stated(line: ActionLine) -> tuple[Modifier, ...]:
    return tuple(Modifier(cause, value, "stated") for cause, value in line.modifiers.items())
