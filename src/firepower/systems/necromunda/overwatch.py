"""Overwatch: a shot at somebody who has declared an action, before it is done."""

from collections.abc import Iterator

from msgspec.structs import replace

from firepower.chance.steps import Next, View
from firepower.combat.documents import Refusal
from firepower.combat.reactions import Blocked, Pending, Reaction, Trigger
from firepower.systems.necromunda.activation import (
    ACTS,
    Cost,
    Status,
    Why,
    because,
    enemies_of,
)
from firepower.systems.necromunda.attacks import Shoot
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.models import ActionLine
from firepower.systems.necromunda.shoot import Shooting
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.tables import NecSetup
from firepower.systems.necromunda.weapons import has_skill


class Overwatch(Reaction, frozen=True, cache_hash=True, kw_only=True):
    """Who stands and is still Ready may shoot at an enemy who acts, and is Ready no more."""

    shooting: Shooting

    @property
    def concerns(self) -> tuple[str, ...]:
        return self.shooting.concerns

    @property
    def targets(self) -> tuple[str, ...]:
        return self.shooting.targets

    def blocked(self, view: View, trigger: Trigger) -> Blocked | None:
        me: Fighter = view[self.who]
        at = [each.name for each in self.shooting.quarries]
        if trigger.by not in at or not me.ready or trigger.in_turn_of == self.who:
            return because(Why.STATUS)
        if me.broken or self.shooting.status(view) is not Status.ACTIVE:
            return because(Why.STATUS)
        return self.shooting.blocked(view)

    def resolve(self, view: View, pending: Pending) -> Next[View]:
        shot = self.shooting.resolve(view)
        me = replace(shot.part[self.who], ready=False)
        return Next(shot.part.replace(self.who, me), *shot.todo, *pending.tasks())


def watchers(setup: NecSetup) -> Iterator[Overwatch]:
    """Everybody with the skill, with the first weapon that a Basic Shoot may fire. A-34"""
    rule = Shoot()
    for name in setup.combatants:
        if setup.rounds is None or not has_skill(setup, name, Skill.OVERWATCH):
            continue
        for enemy in enemies_of(setup, name):
            shooting = _shot(setup, rule, name, enemy) if enemy in setup.acting else None
            if shooting is not None:
                yield Overwatch(
                    who=name,
                    key=f"overwatch with {shooting.weapon}",
                    on=ACTS,
                    wanted=setup.policies.takes("overwatch", "yes"),
                    shooting=shooting,
                )


def _shot(setup: NecSetup, rule: Shoot, name: str, enemy: str) -> Shooting | None:
    """The shot of somebody at an enemy; None if no weapon can be fired so."""
    for weapon in setup.combatants[name].weapons:
        line = ActionLine(by=name, action=rule.name, weapon=weapon, at=[enemy])
        try:
            with setup.trying():
                shooting = rule.shooting(setup, line, ("combatants", name))
        except Refusal:
            continue
        if shooting.cost is not Cost.DOUBLE:
            return replace(shooting, cost=Cost.FREE, name="overwatch")
    return None
