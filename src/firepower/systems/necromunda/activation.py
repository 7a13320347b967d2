"""The activation: what actions cost, what a fighter may do in which status, beginning and end."""

from collections.abc import Collection
from enum import StrEnum
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from firepower.chance.steps import Next, Step, View
from firepower.combat.actions import Action
from firepower.combat.paths import Path_
from firepower.combat.reactions import Blocked, Trigger
from firepower.combat.scenario import Line
from firepower.systems.necromunda.fighter import Fighter, Seen
from firepower.systems.necromunda.models import ActionLine
from firepower.systems.necromunda.tables import NecSetup
from firepower.systems.necromunda.targets import gap_between

ACTS = "acts"
"""What happens when a fighter has declared an action, before it is done."""

CHARGE = "charge"
"""The action that brings fighters into close combat."""

FIGHT = "fight"
"""The action that needs fighters in close combat."""


class Cost(StrEnum):
    """What an action costs of an activation."""

    FREE = "free"
    SIMPLE = "simple"
    BASIC = "basic"
    DOUBLE = "double"

    @property
    def actions(self) -> int:
        """How many actions it takes."""
        return {Cost.FREE: 0, Cost.DOUBLE: 2}.get(self, 1)


class Status(StrEnum):
    """How a fighter stands or lies."""

    ACTIVE = "standing and active"
    ENGAGED = "standing and engaged"
    PINNED = "prone and pinned"
    DOWN = "seriously injured"


class Why(StrEnum):
    """Why an action cannot be done as things stand; it is counted by this name."""

    ACTIONS = "actions"
    AMMUNITION = "out_of_ammo"
    BLIND = "being_blind"
    BROKEN = "being_broken"
    FIRE = "fire"
    JAM = "jam"
    OVERWATCH = "overwatch"
    REPEATED = "repetition"
    STATUS = "status"


def because(why: Why) -> Blocked:
    """What blocks an action, as a cause that is counted."""
    return Blocked(why.value)


_DEFAULTS = msgspec.structs.asdict(ActionLine(by=""))

OF_ONE_ACTION = tuple(k for k in ActionLine.__struct_fields__ if k not in Line.__struct_fields__)
"""Keys of a line that are about some actions and not about others."""


def check_keys(setup: NecSetup, line: ActionLine, path: Path_, own: Collection[str]) -> None:
    """Refuse keys that are not about the action of a line."""
    for key in OF_ONE_ACTION:
        if key not in own and getattr(line, key) not in (None, _DEFAULTS[key]):
            raise setup.wrong((*path, key), f"is stated, but {line.action} has none")


def without_others(line: ActionLine, own: Collection[str]) -> ActionLine:
    """A line without the keys that are not about an action, which has `own`."""
    return replace(line, **{key: _DEFAULTS[key] for key in OF_ONE_ACTION if key not in own})


def charging(setup: NecSetup) -> set[str]:
    """Those who may charge in this question."""
    return {
        line.by
        for line in setup.scenario.do
        if line.action is None or CHARGE in (line.action, *line.otherwise)
    }


def enemies_of(setup: NecSetup, name: str) -> list[str]:
    """Everybody who is not on somebody's side."""
    allies = setup.allies(name)
    return [other for other in setup.combatants if other not in allies]


def fought(setup: NecSetup) -> set[tuple[str, str]]:
    """Who is taken to be engaged with whom because a line without turns has them fight.

    Not if somebody charges, and not over a distance that is stated.
    """
    if setup.rounds is not None or charging(setup):
        return set()
    pairs = set()
    for line in setup.scenario.do:
        if line.action != FIGHT:
            continue
        enemies = enemies_of(setup, line.by)
        for name in line.at or (enemies if len(enemies) == 1 else ()):
            if name not in enemies:
                continue
            gap = gap_between(setup, line.by, name)
            if gap is None or gap <= setup.tables.melee.engaged:
                pairs |= {(line.by, name), (name, line.by)}
    return pairs


def engaged_at_first(setup: NecSetup, name: str) -> tuple[str, ...]:
    """Those with whom somebody is engaged when the question begins: as one of the two states.

    Who lies is engaged with nobody.
    """
    me, pairs = setup.combatants[name], fought(setup)
    if me.pinned or me.seriously_injured or me.webbed:
        return ()
    return tuple(
        other
        for other in enemies_of(setup, name)
        if other in me.engaged or name in setup.combatants[other].engaged or (name, other) in pairs
    )


def foes_of(setup: NecSetup, name: str) -> tuple[str, ...]:
    """Those with whom somebody is engaged, or may become so by a charge."""
    engaged, able = engaged_at_first(setup, name), charging(setup)
    return tuple(
        other
        for other in enemies_of(setup, name)
        if other in engaged or not able.isdisjoint((name, other))
    )


class Doing(Action, frozen=True, cache_hash=True, kw_only=True):
    """What a fighter does in an activation, at a cost.

    `name`: Basic and Free actions of one name are done once. `foes`: with whom the fighter may be
    engaged.
    """

    name: str
    cost: Cost
    foes: tuple[str, ...] = ()

    lawful: ClassVar[frozenset[Status]] = frozenset((Status.ACTIVE,))
    raises: ClassVar[tuple[str, ...]] = (ACTS,)

    @property
    def concerns(self) -> tuple[str, ...]:
        return tuple(name for name in self.foes if name not in self.sees)

    def seen(self, view: View, name: str) -> Seen:
        """How somebody else stands."""
        if name in view.names:
            part: Fighter = view[name]
            return part.glimpse
        seen: Seen = view.glance(name)
        return seen

    def engaged_with(self, view: View) -> tuple[str, ...]:
        """Those with whom the fighter is engaged and who still stand."""
        me: Fighter = view[self.who]
        if not me.stands:
            return ()
        return tuple(name for name in me.engaged if self._holds(self.seen(view, name)))

    def _holds(self, other: Seen) -> bool:
        """Whether somebody engages the fighter: it stands, and knows of it."""
        return other.stands and self.who in other.engaged

    def status(self, view: View) -> Status:
        """How the fighter stands or lies."""
        me: Fighter = view[self.who]
        if me.is_down:
            return Status.DOWN
        if me.pinned:
            return Status.PINNED
        return Status.ENGAGED if self.engaged_with(view) else Status.ACTIVE

    def hindered(self, view: View) -> Blocked | None:
        """What keeps the fighter from any action of this kind and cost."""
        me: Fighter = view[self.who]
        if me.on_fire:
            return because(Why.FIRE)
        if me.broken:
            return because(Why.BROKEN)
        if self.is_attack and me.blind:
            return because(Why.BLIND)
        if self.status(view) not in self.lawful:
            return because(Why.STATUS)
        return afforded(me, self.name, self.cost)

    def blocked(self, view: View) -> Blocked | None:
        return self.hindered(view)

    def pay(self, view: View) -> View:
        return view.replace(self.who, paid(view[self.who], self.name, self.cost))

    def trigger(self, view: View) -> Trigger:
        return Trigger(ACTS, self.who, in_turn_of=self.who)

    def prevented(self, view: View) -> Blocked | None:
        able = self.status(view) in self.lawful and not view[self.who].on_fire
        return None if able else because(Why.OVERWATCH)


def afforded(me: Fighter, name: str, cost: Cost) -> Blocked | None:
    """What keeps a fighter from affording an action; a Double action needs all of both."""
    if me.actions is not None and me.actions < cost.actions:
        return because(Why.ACTIONS)
    if cost is Cost.DOUBLE and me.aimed:
        return because(Why.ACTIONS)
    if name in me.used:
        return because(Why.REPEATED)
    return None


def paid(me: Fighter, name: str, cost: Cost) -> Fighter:
    """A fighter after an action of this name and cost."""
    if me.actions is None:
        return me
    once = cost in (Cost.BASIC, Cost.FREE)
    used = (*me.used, name) if once and name not in me.used else me.used
    return replace(me, actions=me.actions - cost.actions, used=tuple(sorted(used)))


# -- the beginning and the end of an activation --------------------------------------------------


class ActivationBegins(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """An activation has so many actions; who was Blind sees again."""

    reach = ()

    actions: int

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        if not fighter.ready:
            return Next(replace(fighter, actions=0, used=()))
        return Next(replace(fighter, actions=self.actions, used=(), blind=False))


class ActivationEnds(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """After an activation a fighter is not Ready any more, and an aim is over."""

    reach = ()

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(replace(fighter, ready=False, actions=0, used=(), aimed=0))


class RoundEnds(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """What ends with the round: concussion, gunk; everybody is Ready again but who must wait."""

    reach = ()

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        after = replace(
            fighter,
            concussed=False,
            gunked=False,
            disarmed=False,
            ready=not fighter.waits,
            waits=False,
        )
        return Next(after)
