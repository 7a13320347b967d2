"""The Shoot actions: what each costs, who may make it, and its modifiers."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from firepower.chance.steps import Modifier
from firepower.combat.actions import Action, ActionRule
from firepower.combat.paths import Path_
from firepower.systems.necromunda.activation import Cost, enemies_of, foes_of
from firepower.systems.necromunda.aiming import Aiming
from firepower.systems.necromunda.models import ActionLine
from firepower.systems.necromunda.shoot import Shooting
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.tables import NecSetup
from firepower.systems.necromunda.traits import Trait
from firepower.systems.necromunda.weapons import Weapon, has_skill, modes_of, weapon_of


class Shoot(ActionRule[ActionLine]):
    """Shoot: a Basic action, a Double one with an Unwieldy weapon. UW-01, UW-02"""

    name = "shoot"
    title = "Shoot"
    own = ("weapon", "mode", "at", "dice", "near", "bystanders")
    doing: ClassVar[type[Shooting]] = Shooting

    def candidates(self, setup: NecSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        for named in self._weapons(setup, line, path):
            for mode in [named.mode] if named.mode else modes_of(setup, line.by, named.weapon):
                moded = replace(named, mode=mode)
                weapon = weapon_of(setup, line.by, moded.weapon, mode, path)
                if not weapon.shoots:
                    continue
                if line.at or weapon.template:
                    yield moded
                    continue
                for target in enemies_of(setup, line.by):
                    yield replace(moded, at=[target])

    def _weapons(self, setup: NecSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        carried = list(setup.combatants[line.by].weapons)
        for weapon in [line.weapon] if line.weapon else carried:
            if not line.weapon:
                yield replace(line, weapon=weapon)
            else:
                yield line

    def declare(self, setup: NecSetup, line: ActionLine, path: Path_) -> Action:
        weapon = self.profile(setup, line, path)
        targets = line.at or self._only_enemy(setup, line, path)
        for i, name in enumerate(targets):
            setup.combatant(name, (*path, "at", i))
            if name == line.by:
                raise setup.wrong((*path, "at", i), f"is {name!r}, who shoots")
        aiming = Aiming(setup, line, weapon, path)
        for i, name in enumerate(line.bystanders):
            setup.combatant(name, (*path, "bystanders", i))
        bystanders = tuple(aiming.quarry(name) for name in line.bystanders)
        first = targets[0]
        return self.doing(
            who=line.by,
            key=f"{self.called(line)} {weapon.title} at {' or '.join(targets)}",
            name=self.name,
            cost=self.cost(setup, line.by, weapon),
            foes=foes_of(setup, line.by),
            weapon=weapon.name,
            mode=weapon.mode,
            shot=aiming.shot(first),
            parts=(*self.parts(setup, line), *_stated(line)),
            quarries=tuple(aiming.quarry(name) for name in targets),
            others=tuple(aiming.others(first)),
            bystanders=bystanders,
            spreads=setup.policies.takes("further_hits", "spread"),
            stray=setup.tables.shooting.stray_hits,
            harder="all" if setup.rulings.takes("harder_to_hit", "all") else "cover",
            keeps_aim=self.cost(setup, line.by, weapon) is Cost.SIMPLE,
        )

    def profile(self, setup: NecSetup, line: ActionLine, path: Path_) -> Weapon:
        """The profile that is fired."""
        named = line.weapon
        if not named:
            able = list(setup.combatants[line.by].weapons)
            if len(able) != 1:
                has = f"has {', '.join(able)}" if able else "has none"
                raise setup.wrong(path, f"must name its 'weapon': {line.by} {has}")
            named = able[0]
        weapon = weapon_of(setup, line.by, named, line.mode, path)
        if not weapon.shoots:
            raise setup.wrong((*path, "weapon"), f"is {named!r}, which cannot be shot")
        return weapon

    def _only_enemy(self, setup: NecSetup, line: ActionLine, path: Path_) -> list[str]:
        enemies = enemies_of(setup, line.by)
        if len(enemies) != 1:
            raise setup.wrong(path, "must name the target in 'at'")
        return enemies

    def cost(self, setup: NecSetup, name: str, weapon: Weapon) -> Cost:
        """What the shot costs."""
        if Trait.UNWIELDY in weapon.traits and not weapon.suspensors:
            strong = has_skill(setup, name, Skill.BULGING_BICEPS)
            if not (strong and setup.rulings.takes("bulging_biceps", "ignores_unwieldy")):
                return Cost.DOUBLE
        if has_skill(setup, name, Skill.FAST_SHOT) and Trait.UNWIELDY not in weapon.traits:
            return Cost.SIMPLE
        return Cost.BASIC

    def parts(self, setup: NecSetup, line: ActionLine) -> tuple[Modifier, ...]:
        """What the action itself adds to the roll to hit."""
        return ()


def _stated(line: ActionLine) -> tuple[Modifier, ...]:
    return tuple(Modifier(cause, value, "stated") for cause, value in line.modifiers.items())
