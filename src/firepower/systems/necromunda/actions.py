"""Actions that are no attack: Aim, Reload, Stand Up, and those that only cost their action."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from firepower.chance.readings import AtLeast
from firepower.chance.steps import Next, Roll, Step, Task, View
from firepower.combat.actions import NEEDLESS, Action, ActionRule
from firepower.combat.paths import Path_
from firepower.combat.reactions import Blocked
from firepower.systems.necromunda.activation import (
    Cost,
    Doing,
    Status,
    Why,
    because,
    check_keys,
    foes_of,
    without_others,
)
from firepower.systems.necromunda.ammo import NO_CHECK, ReloadCheck, checks_again
from firepower.systems.necromunda.fighter import Arm, Fighter
from firepower.systems.necromunda.injury import TWO_D6
from firepower.systems.necromunda.models import ActionLine
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.standing import check_able
from firepower.systems.necromunda.tables import NecSetup, figures
from firepower.systems.necromunda.traits import Trait
from firepower.systems.necromunda.weapons import (
    has_skill,
    offered_modes,
    only_weapon,
    weapon_of,
)


class Plain(Doing, frozen=True, cache_hash=True, kw_only=True):
    """An action whose effect no table gives: it costs what it costs."""

    def resolve(self, view: View) -> Next[View]:
        return Next(view)


class PlainLying(Plain, frozen=True, cache_hash=True, kw_only=True):
    """Crawling: of who is Prone."""

    lawful: ClassVar[frozenset[Status]] = frozenset((Status.PINNED, Status.DOWN))


class PlainBroken(Plain, frozen=True, cache_hash=True, kw_only=True):
    """Running for cover: of who is Broken, and nothing else is."""

    def blocked(self, view: View) -> Blocked | None:
        me: Fighter = view[self.who]
        return None if me.broken and not me.is_down else because(Why.STATUS)


class UtilityRule(ActionRule[ActionLine]):
    """An action that is no attack; what only costs has an effect that no table here gives."""

    cost: ClassVar[Cost]
    doing: ClassVar[type[Doing]] = Plain
    offered: ClassVar[bool] = False

    def figures(self, tables: object) -> dict[str, str]:
        return {"cost": self.cost}

    def of_open(self, line: ActionLine) -> ActionLine:
        return without_others(line, self.own)

    def declare(self, setup: NecSetup, line: ActionLine, path: Path_) -> Action:
        check_keys(setup, line, path, self.own)
        if issubclass(self.doing, Plain):
            setup.leave_out(f"what {self.name} does but cost its action")
        doing = self.doing(
            who=line.by,
            key=self.name,
            name=self.name,
            cost=self.cost,
            foes=foes_of(setup, line.by),
        )
        return check_able(setup, line, doing, path)


class Move(UtilityRule):
    """Move: Simple."""

    name, title, cost = "move", "Move", Cost.SIMPLE


class TakeCover(UtilityRule):
    """Take Cover: Basic."""

    name, title, cost = "take-cover", "Take Cover", Cost.BASIC


class OperateDoor(UtilityRule):
    """Operate Door: Simple."""

    name, title, cost = "operate-door", "Operate Door", Cost.SIMPLE


class AccessTerminal(UtilityRule):
    """Access Terminal: Basic."""

    name, title, cost = "access-terminal", "Access Terminal", Cost.BASIC


class ForceDoor(UtilityRule):
    """Force Door: Basic."""

    name, title, cost = "force-door", "Force Door", Cost.BASIC


class CrawlThroughDuctway(UtilityRule):
    """Crawl Through Ductway: Double."""

    name, title, cost = "crawl-through-ductway", "Crawl Through Ductway", Cost.DOUBLE


class Crawl(UtilityRule):
    """Crawl: Double, of who is Prone."""

    name, title, cost, doing = "crawl", "Crawl", Cost.DOUBLE, PlainLying


class RunForCover(UtilityRule):
    """Running for Cover: Double, and all that a Broken fighter does."""

    name, title, cost, doing = "run-for-cover", "Running for Cover", Cost.DOUBLE, PlainBroken


# -- Stand Up --------------------------------------------------------------------------------------


class StandingUp(Doing, frozen=True, cache_hash=True, kw_only=True):
    """Getting up."""

    lawful: ClassVar[frozenset[Status]] = frozenset((Status.PINNED,))

    def blocked(self, view: View) -> Blocked | None:
        return NEEDLESS if view[self.who].stands else self.hindered(view)

    def resolve(self, view: View) -> Next[View]:
        me = replace(view[self.who], pinned=False)
        return Next(view.replace(self.who, me))


class StandUp(UtilityRule):
    """Stand Up: Basic, of who is Pinned."""

    name, title, cost, doing = "stand-up", "Stand Up", Cost.BASIC, StandingUp
    offered = True


# -- Aim -------------------------------------------------------------------------------------------


class TakingAim(Doing, frozen=True, cache_hash=True, kw_only=True):
    """A bonus for the shots of this activation; `expert` more with a test of `intelligence`."""

    bonus: int
    expert: int
    intelligence: int

    def resolve(self, view: View) -> Next[View]:
        me = replace(view[self.who], aimed=self.bonus)
        todo = (Task(AimTest(self.expert, self.intelligence), self.who),) if self.expert else ()
        return Next(view.replace(self.who, me), *todo)


class AimTest(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Ballistics Expert: an Intelligence test makes an aim better."""

    reach = ()

    bonus: int
    intelligence: int

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("Intelligence, to aim better", TWO_D6, AtLeast(self.intelligence))

    def then(self, fighter: Fighter, passed: bool) -> Next[Fighter]:
        return Next(replace(fighter, aimed=self.bonus) if passed else fighter)


class Aim(UtilityRule):
    """Aim: Basic; the shots of this activation hit better."""

    name, title, cost = "aim", "Aim", Cost.BASIC
    offered = True

    def declare(self, setup: NecSetup, line: ActionLine, path: Path_) -> Action:
        check_keys(setup, line, path, self.own)
        table = setup.tables.to_hit
        expert = has_skill(setup, line.by, Skill.BALLISTICS_EXPERT)
        aim = TakingAim(
            who=line.by,
            key=self.name,
            name=self.name,
            cost=self.cost,
            foes=foes_of(setup, line.by),
            bonus=table.aim,
            expert=table.expert_aim if expert else 0,
            intelligence=figures(setup, line.by).intelligence,
        )
        return check_able(setup, line, aim, path)


# -- Reload ----------------------------------------------------------------------------------------


class Reloading(Doing, frozen=True, cache_hash=True, kw_only=True):
    """Making a weapon that is out of ammo usable again; `least` passes the check.

    `scarce`: it cannot be; `clears`: even if it is jammed.
    """

    weapon: str
    mode: str
    least: int
    scarce: bool
    clears: bool
    again: bool

    lawful: ClassVar[frozenset[Status]] = frozenset((Status.ACTIVE, Status.PINNED))

    def blocked(self, view: View) -> Blocked | None:
        arm: Arm | None = view[self.who].arm(self.weapon)
        if arm is None or not (arm.out or self.mode in arm.dry or arm.jammed):
            return NEEDLESS
        if arm.jammed and not self.clears:
            return because(Why.JAM)
        if self.scarce or self.mode in arm.spent:
            return because(Why.AMMUNITION)
        return self.hindered(view)

    def resolve(self, view: View) -> Next[View]:
        check = ReloadCheck(self.weapon, self.mode, self.least, self.again)
        return Next(view, Task(check, self.who))


class Reload(UtilityRule):
    """Reload: Simple; an ammo check, none for Plentiful; Scarce and jammed weapons stay empty."""

    name, title, cost, own = "reload", "Reload", Cost.SIMPLE, ("weapon", "mode")
    offered = True

    def candidates(self, setup: NecSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        for weapon in [line.weapon] if line.weapon else setup.combatants[line.by].weapons:
            for mode in [line.mode] if line.mode else offered_modes(setup, line.by, weapon):
                yield replace(line, weapon=weapon, mode=mode)

    def declare(self, setup: NecSetup, line: ActionLine, path: Path_) -> Action:
        check_keys(setup, line, path, self.own)
        named = line.weapon or only_weapon(setup, line, path)
        weapon = weapon_of(setup, line.by, named, line.mode, path)
        if weapon.ammo is None:
            raise setup.wrong((*path, "weapon"), f"is {named!r}, which has no ammo to reload")
        plentiful = Trait.PLENTIFUL in weapon.traits
        reloads = plentiful and setup.rulings.takes("jam_and_plentiful", "reloads")
        reload = Reloading(
            who=line.by,
            key=f"{self.name} {weapon.title}",
            name=self.name,
            cost=self.cost,
            foes=foes_of(setup, line.by),
            weapon=weapon.name,
            mode=weapon.mode,
            least=NO_CHECK if plentiful else weapon.ammo,
            scarce=Trait.SCARCE in weapon.traits or Trait.GRENADE in weapon.traits,
            clears=reloads,
            again=checks_again(setup, line.by),
        )
        return check_able(setup, line, reload, path)


UTILITY: tuple[UtilityRule, ...] = (
    Aim(),
    Reload(),
    Move(),
    TakeCover(),
    StandUp(),
    Crawl(),
    OperateDoor(),
    AccessTerminal(),
    ForceDoor(),
    CrawlThroughDuctway(),
    RunForCover(),
)
