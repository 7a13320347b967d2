"""The actions of close combat: Fight, Charge, Coup de Grace, Retreat."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar

from msgspec.structs import replace

from firepower.chance.notation import dice
from firepower.chance.steps import Modifier, Next, Task, View
from firepower.combat.actions import NEEDLESS, Action, ActionRule
from firepower.combat.paths import Path_
from firepower.combat.reactions import Blocked
from firepower.systems.necromunda.activation import (
    CHARGE,
    FIGHT,
    Cost,
    Doing,
    Status,
    Why,
    because,
    check_keys,
    enemies_of,
    foes_of,
    without_others,
)
from firepower.systems.necromunda.blows import Bout, Crowd
from firepower.systems.necromunda.closing import (
    Agility,
    ChargeRoll,
    Combat,
    CoupDeGrace,
    RetreatTest,
    arriving,
)
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.injury import Frame
from firepower.systems.necromunda.melee import aims_of
from firepower.systems.necromunda.models import ActionLine
from firepower.systems.necromunda.shot import Parts
from firepower.systems.necromunda.standing import beginning, check_able, is_sure
from firepower.systems.necromunda.tables import NecSetup
from firepower.systems.necromunda.targets import (
    charge_inches,
    frame_of,
    gap_between,
    initiative_of,
)
from firepower.systems.necromunda.weapons import Weapon
from firepower.systems.necromunda.wielding import (
    Manner,
    Wielding,
    lawful_sets,
    stated_weapons,
    usual_weapons,
)

# -- what is done ----------------------------------------------------------------------------------


class Brawling(Doing, frozen=True, cache_hash=True, kw_only=True):
    """Something done in close combat to the named, with what their enemies may answer."""

    names: tuple[str, ...]
    combat: Combat

    @property
    def concerns(self) -> tuple[str, ...]:
        return tuple(name for name in self.combat.own.crowd if name != self.who)

    @property
    def reach(self) -> tuple[str, ...]:
        return self.combat.own.fray

    @property
    def targets(self) -> tuple[str, ...]:
        return (*self.names, self.who) if self.combat.answers else self.names

    def crowd(self, view: View) -> Crowd:
        """How everybody stands who may be engaged."""
        return {name: self.seen(view, name) for name in self.combat.own.crowd}

    def is_over(self, view: View) -> bool:
        """Whether there is nobody left of the named who is on their feet, or may yet be."""
        found = [self.seen(view, name) for name in self.names]
        return all(seen.down or not seen.here for seen in found)


class Fighting(Brawling, frozen=True, cache_hash=True, kw_only=True):
    """Fight: attacks in close combat at those it is engaged with, and their answer."""

    is_attack: ClassVar[bool] = True
    lawful: ClassVar[frozenset[Status]] = frozenset((Status.ENGAGED, Status.ACTIVE))

    def blocked(self, view: View) -> Blocked | None:
        if self.is_over(view):
            return NEEDLESS
        why = self.hindered(view)
        if why is None and not self._met(view):
            return because(Why.STATUS)
        return why

    def _met(self, view: View) -> tuple[str, ...]:
        found = aims_of(self.combat.own, self.crowd(view), self.names)
        return tuple(name for name, _ in found)

    def resolve(self, view: View) -> Next[View]:
        return Next(view, *self.combat.tasks(self._met(view)))


class Charging(Brawling, frozen=True, cache_hash=True, kw_only=True):
    """Charge: a move of Movement and D3 inches at the named, and a free Fight that must be made.

    `distance`: to the farthest of them (None: not stated, they are reached). `gunked`: what that
    changes of `movement`.
    """

    distance: float | None
    movement: int
    gunked: int
    throw: str

    is_attack: ClassVar[bool] = True

    def blocked(self, view: View) -> Blocked | None:
        if not any(self.seen(view, name).here for name in self.names):
            return NEEDLESS
        return self.hindered(view)

    def resolve(self, view: View) -> Next[View]:
        me: Fighter = view[self.who]
        movement = self.movement + (self.gunked if me.gunked else 0)
        lacking = 0.0 if self.distance is None else self.distance - movement
        if lacking <= 0:
            return Next(view, arriving(self.combat, self.names))
        if me.gunked or lacking > _most(self.throw):
            return Next(view)
        roll = ChargeRoll(self.combat, self.names, self.throw, lacking)
        return Next(view, Task(roll, self.who))


class Finishing(Doing, frozen=True, cache_hash=True, kw_only=True):
    """Coup de Grace: an enemy within an inch who lies Seriously Injured goes out of action."""

    frame: Frame

    @property
    def concerns(self) -> tuple[str, ...]:
        others = dict.fromkeys((*self.foes, self.frame.name))
        return tuple(name for name in others if name != self.who)

    @property
    def reach(self) -> tuple[str, ...]:
        return (*self.concerns, *self.frame.reach)

    @property
    def targets(self) -> tuple[str, ...]:
        return (self.frame.name,)

    def blocked(self, view: View) -> Blocked | None:
        seen = self.seen(view, self.frame.name)
        if not seen.here:
            return NEEDLESS
        if not seen.down:
            return because(Why.STATUS)
        return self.hindered(view)

    def resolve(self, view: View) -> Next[View]:
        return Next(view, Task(CoupDeGrace(self.frame), self.frame.name))


class Retreating(Brawling, frozen=True, cache_hash=True, kw_only=True):
    """Retreat: out of close combat, if an Initiative test is passed."""

    agility: Agility
    answering: tuple[Agility, ...]
    if_leaving: bool

    lawful: ClassVar[frozenset[Status]] = frozenset((Status.ENGAGED,))

    @property
    def targets(self) -> tuple[str, ...]:
        return (self.who,)

    def resolve(self, view: View) -> Next[View]:
        answers = tuple(zip(self.answering, self.combat.answers, strict=True))
        test = RetreatTest(self.combat.own, self.agility, answers, self.if_leaving)
        return Next(view, Task(test, self.who))


def _most(throw: str) -> int:
    """The most that dice show."""
    return max(total for total, _ in dice(throw).weights())


# -- from a line to what is done -------------------------------------------------------------------


def crowd_of(setup: NecSetup, *names: str) -> tuple[str, ...]:
    """These, and everybody who is or may become engaged with anybody."""
    return tuple(each for each in setup.combatants if each in names or foes_of(setup, each))


def fray_of(setup: NecSetup, names: Iterable[str]) -> tuple[str, ...]:
    """Those whom a fight of these may do something to: they and those who see them fall."""
    found: dict[str, None] = {}
    for name in names:
        found |= dict.fromkeys((name, *frame_of(setup, name).reach))
    return tuple(found)


def combat_of(
    setup: NecSetup,
    name: str,
    targets: tuple[str, ...],
    weapons: tuple[Weapon, ...],
    manner: Manner,
) -> Combat:
    """A fight of somebody with these targets: both sides of it."""
    answering = tuple(dict.fromkeys((*foes_of(setup, name), *targets)))
    crowd = crowd_of(setup, name, *answering)
    fray = fray_of(setup, (name, *answering))
    return Combat(
        own=Wielding(setup, name, targets, manner).bout(weapons, crowd, fray),
        answers=tuple(answer_of(setup, each, name, crowd, fray) for each in answering),
        frames=tuple(frame_of(setup, each) for each in targets),
        finishes=setup.policies.takes("follow_up", "coup_de_grace"),
        turned=setup.tables.melee.turned,
    )


def answer_of(
    setup: NecSetup, name: str, attacker: str, crowd: tuple[str, ...], fray: tuple[str, ...]
) -> Bout:
    """The reaction attacks of somebody at an attacker."""
    wielding = Wielding(setup, name, (attacker,), Manner(reaction=True))
    return wielding.bout(usual_weapons(setup, name), crowd, fray)


def _agility(setup: NecSetup, name: str) -> Agility:
    initiative, injuries = initiative_of(setup, name), setup.tables.injuries
    worse = min(injuries.initiative_worst, initiative + injuries.concussion)
    return Agility(initiative, max(initiative, worse), injuries.gunked)


class OfCloseCombat(ActionRule[ActionLine]):
    """An action of close combat: whom it names, with which weapons."""

    def of_open(self, line: ActionLine) -> ActionLine:
        return without_others(line, self.own)

    def declare(self, setup: NecSetup, line: ActionLine, path: Path_) -> Action:
        check_keys(setup, line, path, self.own)
        return check_able(setup, line, self.doing(setup, line, path), path)

    @abstractmethod
    def doing(self, setup: NecSetup, line: ActionLine, path: Path_) -> Doing:
        """What is done. Raises Refusal for what can never be."""

    def weapons(self, setup: NecSetup, line: ActionLine, path: Path_) -> tuple[Weapon, ...]:
        """The weapons of a line, else those that the fighter usually fights with."""
        names = list(line.weapons or ([line.weapon] if line.weapon else []))
        if not names:
            return usual_weapons(setup, line.by)
        return stated_weapons(setup, line.by, names, line.mode or "", (*path, "weapons"))

    def named(self, setup: NecSetup, line: ActionLine, path: Path_) -> tuple[str, ...]:
        """The enemies that a line names. Raises Refusal for who is none."""
        for i, name in enumerate(line.at or ()):
            setup.combatant(name, (*path, "at", i))
            if name in setup.allies(line.by):
                raise setup.wrong((*path, "at", i), f"is {name!r}, who is no enemy of {line.by}")
            if name in line.at[:i]:
                raise setup.wrong((*path, "at", i), f"is {name!r} a second time")
        return tuple(line.at or ())

    def usual_targets(self, setup: NecSetup, line: ActionLine) -> list[tuple[str, ...]]:
        """Whom it may be done to where the line does not say, for each way to choose."""
        return [(name,) for name in enemies_of(setup, line.by)]

    def targets(self, setup: NecSetup, line: ActionLine, path: Path_) -> tuple[str, ...]:
        """The enemies that a line names, or who goes without saying."""
        named = self.named(setup, line, path)
        if named:
            return named
        usual = self.usual_targets(setup, line)
        if len(usual) != 1:
            raise setup.wrong(path, "must name the target in 'at'")
        return usual[0]


class WithWeapons(OfCloseCombat):
    """An action that is done with weapons."""

    def candidates(self, setup: NecSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        sets = [tuple(line.weapons or (line.weapon,))] if line.weapons or line.weapon else None
        wholes = [tuple(line.at)] if line.at else self.near_targets(setup, line)
        for weapons in sets or lawful_sets(setup, line.by):
            for targets in wholes:
                yield replace(line, weapons=list(weapons), at=list(targets))

    def near_targets(self, setup: NecSetup, line: ActionLine) -> list[tuple[str, ...]]:
        """Whom it may be done to, but those who are too far away."""
        return self.usual_targets(setup, line)

    def key(self, line: ActionLine, weapons: tuple[Weapon, ...], targets: tuple[str, ...]) -> str:
        """What the action is called."""
        arms = " and ".join(weapon.title for weapon in weapons) or "bare hands"
        return f"{self.called(line)} {' and '.join(targets)} with {arms}"

    def parts(self, setup: NecSetup, line: ActionLine) -> Parts:
        """What the line states that changes rolls to hit."""
        return tuple(Modifier(cause, n, "stated") for cause, n in line.modifiers.items())


class Fight(WithWeapons):
    """Fight: a Basic action of who is engaged; an Unwieldy weapon costs no more. UW-04"""

    name = FIGHT
    title = "Fight"
    own = ("weapons", "weapon", "mode", "at", "turned", "from_behind", "modifiers")

    def usual_targets(self, setup: NecSetup, line: ActionLine) -> list[tuple[str, ...]]:
        foes = foes_of(setup, line.by)
        return [foes] if foes else super().usual_targets(setup, line)

    def doing(self, setup: NecSetup, line: ActionLine, path: Path_) -> Doing:
        targets, weapons = self.targets(setup, line, path), self.weapons(setup, line, path)
        parts = self.parts(setup, line)
        if line.turned:
            parts = (*parts, Modifier("turned", setup.tables.melee.turned, line.by))
        manner = Manner(from_behind=bool(line.from_behind), parts=parts)
        combat = combat_of(setup, line.by, targets, weapons, manner)
        foes = foes_of(setup, line.by)
        reached = {name for hand in combat.own.hands for name in hand.reaches}
        for i, name in enumerate(targets):
            where = (*path, "at", i) if line.at else path
            if name not in foes and name not in reached and not setup.goes_on:
                raise setup.wrong(where, f"is {name!r}, with whom {line.by} cannot be engaged")
            if is_sure(setup, path) and beginning(setup, name).prone:
                raise setup.wrong(where, f"is {name!r}, who lies: only who stands is engaged")
        return Fighting(
            who=line.by,
            key=self.key(line, weapons, targets),
            name=self.name,
            cost=Cost.BASIC,
            foes=foes,
            names=targets,
            combat=combat,
        )


class Charge(WithWeapons):
    """Charge: a Double action; who gets there must make a free Fight with one die more."""

    name = CHARGE
    title = "Charge"
    own = ("weapons", "weapon", "mode", "at", "unseen", "from_behind", "modifiers")

    def near_targets(self, setup: NecSetup, line: ActionLine) -> list[tuple[str, ...]]:
        most = charge_inches(setup, line.by) + _most(setup.tables.melee.charge_dice)
        gaps = {
            each: gap_between(setup, line.by, each[0]) for each in super().near_targets(setup, line)
        }
        return [each for each, gap in gaps.items() if gap is None or gap <= most]

    def doing(self, setup: NecSetup, line: ActionLine, path: Path_) -> Doing:
        targets, weapons = self.targets(setup, line, path), self.weapons(setup, line, path)
        table = setup.tables.melee
        parts = self.parts(setup, line)
        if line.unseen:
            parts = (*parts, Modifier("unseen", table.unseen, line.by))
        manner = Manner(charging=True, from_behind=bool(line.from_behind), parts=parts)
        gaps = [gap_between(setup, line.by, name) for name in targets]
        known = [gap for gap in gaps if gap is not None]
        if len(known) < len(gaps):
            setup.leave_out(f"the distance of a charge of {line.by}: taken to be near enough")
        return Charging(
            who=line.by,
            key=self.key(line, weapons, targets),
            name=self.name,
            cost=Cost.DOUBLE,
            foes=foes_of(setup, line.by),
            names=targets,
            combat=combat_of(setup, line.by, targets, weapons, manner),
            distance=max(known, default=None),
            movement=charge_inches(setup, line.by),
            gunked=table.gunked,
            throw=table.charge_dice,
        )


class CoupAction(OfCloseCombat):
    """Coup de Grace: a Simple action at an enemy within an inch who lies Seriously Injured."""

    name = "coup-de-grace"
    title = "Coup de Grace"
    own = ("at",)

    def candidates(self, setup: NecSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        for targets in [tuple(line.at)] if line.at else self.usual_targets(setup, line):
            yield replace(line, at=list(targets))

    def doing(self, setup: NecSetup, line: ActionLine, path: Path_) -> Doing:
        (name, *others) = self.targets(setup, line, path)
        where = (*path, "at") if line.at else path
        if others:
            raise setup.wrong(where, f"names {1 + len(others)} enemies; it is given to one")
        if is_sure(setup, path) and not beginning(setup, name).is_down:
            raise setup.wrong(where, f"names {name!r}, who does not lie Seriously Injured")
        gap, most = gap_between(setup, line.by, name), setup.tables.melee.engaged
        if gap is not None and gap > most:
            sentence = f"names {name!r}, who is {gap:g} inches away; it is given within {most:g}"
            raise setup.wrong(where, sentence)
        return Finishing(
            who=line.by,
            key=f"{self.name} for {name}",
            name=self.name,
            cost=Cost.SIMPLE,
            foes=foes_of(setup, line.by),
            frame=frame_of(setup, name),
        )


class Retreat(OfCloseCombat):
    """Retreat: a Basic action of who is engaged."""

    name = "retreat"
    title = "Retreat"

    def doing(self, setup: NecSetup, line: ActionLine, path: Path_) -> Doing:
        foes = foes_of(setup, line.by)
        if not foes:
            raise setup.wrong(path, f"has {line.by} retreat, who is engaged with nobody")
        combat = combat_of(setup, line.by, foes, (), Manner())
        return Retreating(
            who=line.by,
            key=self.name,
            name=self.name,
            cost=Cost.BASIC,
            foes=foes,
            names=foes,
            combat=combat,
            agility=_agility(setup, line.by),
            answering=tuple(_agility(setup, answer.who) for answer in combat.answers),
            if_leaving=setup.rulings.takes("retreat_reactions", "if_leaving"),
        )


CLOSE_COMBAT = (Fight(), Charge(), CoupAction(), Retreat())
