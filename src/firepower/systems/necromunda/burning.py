"""A burning fighter's activation: what the scenario and the readings make of it."""

from typing import Any, ClassVar

from msgspec.structs import replace

from firepower.chance.notation import dice
from firepower.chance.steps import Next, Task, View
from firepower.combat.actions import NEEDLESS, Action, ActionRule
from firepower.combat.paths import Path_
from firepower.combat.reactions import Blocked
from firepower.systems.necromunda.activation import Cost, Doing, check_keys, foes_of, without_others
from firepower.systems.necromunda.blaze import Fire, HitFirst, OfAFire, RandomMove, RollFirst
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.models import ActionLine
from firepower.systems.necromunda.standing import is_sure
from firepower.systems.necromunda.tables import NecSetup
from firepower.systems.necromunda.targets import (
    Approach,
    base_inches,
    body_of,
    friends_within,
    harm_of,
)
from firepower.systems.necromunda.traits import Trait, Traits
from firepower.systems.necromunda.weapons import STANDARD, Weapon, armoury_traits


def may_burn(setup: NecSetup, name: str) -> bool:
    """Whether somebody burns, or may be set on fire in this question."""
    if setup.combatants[name].on_fire:
        return True
    return any(
        Trait.BLAZE in armoury_traits(setup, carrier, weapon)
        for carrier, each in setup.combatants.items()
        for weapon in each.weapons
        if carrier != name and carrier in setup.acting
    )


def flames(setup: NecSetup) -> Weapon:
    """The hit that a fire does, as a profile."""
    blaze = setup.tables.blaze
    return Weapon(
        name="fire",
        pattern="fire",
        mode=STANDARD,
        short=None,
        long=None,
        accuracy_short=0,
        accuracy_long=0,
        strength=blaze.strength,
        ap=blaze.ap,
        damage=blaze.damage,
        ammo=None,
        traits=Traits(),
        template=False,
        suspensors=False,
    )


def fire_of(setup: NecSetup, name: str) -> Fire:
    """What a fire does to somebody, and what puts it out."""
    tables, rulings = setup.tables.blaze, setup.rulings
    weapon, fighter = flames(setup), setup.combatants[name]
    friends = friends_within(setup, name, tables.beside)
    if fighter.position is not None:
        # who runs may come to stand beside others
        friends = tuple(n for n in setup.allies(name) if n != name)
    return Fire(
        name=name,
        body=body_of(setup, name, weapon, Approach(fire=True)),
        harm=harm_of(setup, name, weapon, Approach(fire=True)),
        out=tables.out,
        friend=tables.friend,
        helpers=fighter.helpers,
        friends=tuple((n, setup.combatants[n].position) for n in sorted(friends)),
        beside=tables.beside + base_inches(setup) * rulings.takes("distances", "bases"),
        any_friend=rulings.takes("active_friend", "any"),
        burning_helps=rulings.takes("burning_friend", "helps"),
        move=_move(setup, name),
        prone=tables.prone,
    )


def _move(setup: NecSetup, name: str) -> RandomMove:
    """How somebody burning runs: where positions are known."""
    tables, fighter = setup.tables, setup.combatants[name]
    allies = setup.allies(name)
    start = fighter.position
    if start is None:
        setup.leave_out(f"where {name} runs burning: no position is stated")
    elif not (setup.rounds or 0) > 1 and setup.fades and len(allies) == 1:
        start = None
    gap = base_inches(setup) * setup.rulings.takes("distances", "bases")
    return RandomMove(
        inches=dice(tables.blaze.move),
        directions=tables.shooting.directions,
        start=start,
        enemies=tuple(
            each.position
            for other, each in setup.combatants.items()
            if other not in allies and each.position is not None
        ),
        short_of=tables.blaze.stops + gap,
    )


def burning_step(setup: NecSetup, name: str) -> OfAFire[Any]:
    """The first step of a burning activation, in the procedure of the edition."""
    foes = foes_of(setup, name)
    fire = fire_of(setup, name)
    if setup.rulings.takes("blaze", "hit_first"):
        drops = "yes" if setup.policies.takes("drop_prone", "yes") else "no"
        return HitFirst(fire, foes, drops)
    return RollFirst(_of_2017(setup, fire), foes, setup.policies["fire"])


def _of_2017(setup: NecSetup, fire: Fire) -> Fire:
    """The readings of the procedure of 2017."""
    tables, rulings = setup.tables, setup.rulings
    return replace(
        fire,
        double_action=tables.blaze.double_action,
        actions_after=tables.activation.actions
        if rulings.takes("after_fire_out", "two_actions")
        else 1,
        double_acts=rulings.takes("after_double_action", "acts"),
        double_hurts=rulings.takes("failed_double_action", "burns"),
        pinned_double=rulings.takes("pinned_double_action", "yes"),
        down=rulings["burning_down"],
        engaged_runs=rulings.takes("burning_engaged", "runs"),
    )


class Burn(ActionRule[ActionLine]):
    """The activation of a burning fighter, who can do nothing else.

    In a question of rounds it comes by itself when the activation begins.
    """

    name = "burn"
    title = "Burn: the activation of a burning fighter"

    def of_open(self, line: ActionLine) -> ActionLine:
        return without_others(line, self.own)

    def declare(self, setup: NecSetup, line: ActionLine, path: Path_) -> Action:
        check_keys(setup, line, path, self.own)
        if is_sure(setup, path) and not setup.combatants[line.by].on_fire:
            raise setup.wrong((*path, "action"), f"is 'burn', but {line.by} is not on fire")
        return Burning(
            who=line.by,
            key=self.name,
            name=self.name,
            cost=Cost.FREE,
            foes=foes_of(setup, line.by),
            step=burning_step(setup, line.by),
        )


class Burning(Doing, frozen=True, cache_hash=True, kw_only=True):
    """A burning activation, where there are no rounds in which it comes by itself."""

    step: OfAFire[Any]

    raises: ClassVar[tuple[str, ...]] = ()

    @property
    def concerns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.foes, *self.step.glances, *self.step.reach)))

    @property
    def targets(self) -> tuple[str, ...]:
        return (self.who,)

    def blocked(self, view: View) -> Blocked | None:
        me: Fighter = view[self.who]
        return NEEDLESS if not me.on_fire or me.actions is not None else None

    def resolve(self, view: View) -> Next[View]:
        return Next(view, Task(self.step, (self.who,)))
