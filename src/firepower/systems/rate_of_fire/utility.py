"""Utility actions: Aim, reloading, clearing a jam, Delay; each with what blocks it."""

from abc import abstractmethod
from collections.abc import Iterator
from enum import StrEnum
from typing import Any, ClassVar

from msgspec.structs import replace

from firepower.chance.steps import Modifier, Next, Task, View
from firepower.combat.actions import Action, ActionRule
from firepower.combat.paths import Path_
from firepower.combat.percentile.tests import PercentileTest
from firepower.combat.reactions import Blocked
from firepower.systems.rate_of_fire.conditions import Hampering, hampering
from firepower.systems.rate_of_fire.fate import fate_of
from firepower.systems.rate_of_fire.fighter import Fighter
from firepower.systems.rate_of_fire.models import ActionLine
from firepower.systems.rate_of_fire.ranges import check_lists
from firepower.systems.rate_of_fire.shooter import find_weapon, profile, weapons_of
from firepower.systems.rate_of_fire.tables import RofSetup, Rules, d100_rule
from firepower.systems.rate_of_fire.turn import turn_rules


class Why(StrEnum):
    """Why an action may be lost: AP; a weapon that is jammed, broken, has too few rounds or may
    fire no more this turn; nothing more to aim for, to reload, to clear."""

    AP = "ap"
    JAM = "jam"
    BROKEN = "broken"
    AMMUNITION = "ammunition"
    RATE_OF_FIRE = "rate_of_fire"
    AIM = "aim"
    FULL = "full"
    NO_JAM = "no_jam"


def because(why: Why) -> Blocked:
    """An action that is blocked for this reason."""
    return Blocked(why.value)


def affordable(setup: RofSetup, action: Action, ap: int, path: Path_) -> Action:
    """The action, if its AP can ever be had; refuses it otherwise."""
    most = turn_rules(setup, action.who).most_ap
    if most is not None and ap > most:
        raise setup.wrong(
            (*path, "action"),
            f"is {action.key!r}, which costs {ap} AP of at most {most} in a turn",
        )
    return action


class UtilityRule(ActionRule[ActionLine]):
    """An action that is no attack."""

    def candidates(self, setup: RofSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        if setup.rounds is not None:
            yield replace(line, ap=None)

    def check(self, setup: RofSetup, line: ActionLine, path: Path_) -> None:
        """Refuse what no utility action has, and names that are nobody's."""
        check_lists(setup, line, path)
        for key in ("dice", "ap"):
            if getattr(line, key) is not None:
                given = getattr(line, key)
                raise setup.wrong((*path, key), f"is {given}, but {line.action} has none")
        if line.weapon:
            find_weapon(setup, line, path)


# -- Aim -----------------------------------------------------------------------------------------


class Aim(UtilityRule):
    """Aim: a bonus for the next attack that an aim counts for."""

    name = "aim"
    title = "Aim"

    def figures(self, tables: Rules) -> dict[str, str]:
        turn = tables.turn
        gives = f"{turn.aim_bonus:+d} to the next single shot, {turn.aim_most:+d} in all"
        return {"ap": str(turn.aim_ap), "gives": gives}

    def declare(self, setup: RofSetup, line: ActionLine, path: Path_) -> Action:
        self.check(setup, line, path)
        turn, most = setup.tables.turn, most_aim(setup)
        aim = TakeAim(who=line.by, key=self.name, ap=turn.aim_ap, bonus=turn.aim_bonus, most=most)
        return affordable(setup, aim, aim.ap, path)


def most_aim(setup: RofSetup) -> int:
    """What several Aim actions give in all at most."""
    turn, how = setup.tables.turn, setup.rulings["aim_bonus"]
    most = {"up_to_twenty": turn.aim_most, "only_ten": turn.aim_bonus, "without_end": 10**6}
    return most[how]


class TakeAim(Action, frozen=True, cache_hash=True, kw_only=True):
    """An Aim action, up to `most` in all."""

    ap: int
    bonus: int
    most: int

    def blocked(self, view: View) -> Blocked | None:
        me: Fighter = view[self.who]
        if me.aim >= self.most:
            return because(Why.AIM)
        return None if me.affords(self.ap) else because(Why.AP)

    def resolve(self, view: View) -> Next[View]:
        me = view[self.who].paying(self.ap, keeps_aim=True)
        me = replace(me, aim=min(self.most, me.aim + self.bonus))
        return Next(view.replace(self.who, me), records={f"{self.who}.ap_spent": self.ap})


# -- long actions --------------------------------------------------------------------------------


class LongAction(Action, frozen=True, cache_hash=True, kw_only=True):
    """An action that takes so many AP, over several turns if need be and if it may."""

    weapon: str
    ap: int
    over_turns: bool
    keeps_aim: bool

    does: ClassVar[str] = ""

    def blocked(self, view: View) -> Blocked | None:
        me: Fighter = view[self.who]
        why = self.nothing_to_do(me)
        if why is not None or me.affords(me.ap_left(self.begun, self.ap)):
            return why
        return None if self.over_turns and me.ap else because(Why.AP)

    def nothing_to_do(self, me: Fighter) -> Blocked | None:
        """Why it would come to nothing; None if it would not."""
        raise NotImplementedError  # reloading and clearing say it; a Struct cannot be abstract

    def done(self, view: View) -> Next[View]:
        """What it comes to when all AP are paid."""
        raise NotImplementedError  # reloading and clearing say it

    @property
    def begun(self) -> str:
        """What is begun: two weapons are reloaded one by one."""
        return f"{self.does} {self.weapon}"

    def resolve(self, view: View) -> Next[View]:
        me: Fighter = view[self.who]
        left = me.ap_left(self.begun, self.ap)
        if not me.affords(left):
            return putting_in(view, self.who, self.begun, keeps_aim=self.keeps_aim)
        after = self.done(view.replace(self.who, me.paying(left, keeps_aim=self.keeps_aim)))
        spent = {f"{self.who}.ap_spent": left}
        return Next(after.part, *after.todo, records=dict(after.records) | spent)


def putting_in(view: View, who: str, begun: str, *, keeps_aim: bool) -> Next[View]:
    """All AP of this turn are put into an action that goes on in the next."""
    me: Fighter = view[who]
    put_in = me.ap or 0
    so_far = me.paid if me.begun == begun else 0
    me = replace(me.paying(put_in, keeps_aim=keeps_aim), begun=begun, paid=so_far + put_in)
    return Next(view.replace(who, me), records={f"{who}.ap_spent": put_in})


class LongRule(UtilityRule):
    """An action on a weapon that may take more than one turn."""

    def candidates(self, setup: RofSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        if setup.rounds is not None:
            for weapon in weapons_of(setup, line, path):
                if self.may_come(setup, line.by, weapon):
                    yield replace(line, weapon=weapon, ap=None)

    def may_come(self, setup: RofSetup, who: str, weapon: str) -> bool:
        """Whether this may be done to a weapon in this question; an open turn may hold it."""
        for i, line in enumerate(setup.scenario.do):
            if line.by != who:
                continue
            named = self.name in (line.action, *line.otherwise)
            if named and find_weapon(setup, line, ("do", i)) == weapon:
                return True
            is_open = line.action is None and setup.rounds is not None
            if is_open and line.weapon in ("", weapon) and self.offers(setup, who, weapon):
                return True
        return False

    def offers(self, setup: RofSetup, who: str, weapon: str) -> bool:
        """Whether an open turn offers it."""
        return True

    def takes(self, setup: RofSetup, who: str) -> dict[str, int]:
        """The AP of each that may be begun in one turn and go on in the next."""
        if not setup.rulings.takes("long_actions", "over_turns"):
            return {}
        weapons = setup.combatants[who].weapons
        return {f"{self.name} {weapon}": self.ap(setup, who, weapon) for weapon in weapons}

    @abstractmethod
    def ap(self, setup: RofSetup, who: str, weapon: str) -> int:
        """The AP that it takes."""

    def option(self, setup: RofSetup, line: ActionLine, candidate: ActionLine, key: str) -> str:
        several = len(setup.combatants[line.by].weapons) > 1
        return f"{key} {candidate.weapon}" if several else key

    def _long(self, setup: RofSetup, line: ActionLine, path: Path_) -> dict[str, Any]:
        """What both kinds have: who, with what, over several turns or not, keeping an aim."""
        self.check(setup, line, path)
        name = find_weapon(setup, line, path)
        rulings = setup.rulings
        return {
            "who": line.by,
            "key": self.name,
            "weapon": name,
            "ap": self.ap(setup, line.by, name),
            "over_turns": rulings.takes("long_actions", "over_turns"),
            "keeps_aim": rulings.takes("aim_lasts", "next_attack"),
        }


class Reload(LongRule):
    """Reload: the weapon is full again, for its AP."""

    name = "reload"
    title = "Reload"

    def figures(self, tables: Rules) -> dict[str, str]:
        return {"ap": "the weapon's", "gives": "a full magazine"}

    def ap(self, setup: RofSetup, who: str, weapon: str) -> int:
        return profile(setup, who, weapon).reload_ap

    def offers(self, setup: RofSetup, who: str, weapon: str) -> bool:
        carried = setup.combatants[who].weapons[weapon]
        return carried.loaded is not None and bool(profile(setup, who, weapon).magazine)

    def declare(self, setup: RofSetup, line: ActionLine, path: Path_) -> Action:
        long = self._long(setup, line, path)
        name: str = long["weapon"]
        carried, weapon = setup.combatants[line.by].weapons[name], profile(setup, line.by, name)
        where = ("combatants", line.by, "weapons", name)
        if carried.loaded is None:
            raise setup.wrong(where, "is reloaded, so it needs the key 'loaded'")
        if not weapon.magazine:
            raise setup.wrong(where, "is reloaded, so it needs the key 'magazine'")
        if not weapon.reload_ap:
            setup.leave_out(f"AP to reload the {name}: no 'reload_ap' is stated, none are spent")
        setup.leave_out(f"spare magazines: {line.by} has enough for the {name}")
        when_jammed = setup.rulings.takes("reload_jammed", "yes")
        return Reloading(**long, magazine=weapon.magazine, when_jammed=when_jammed)


class Reloading(LongAction, frozen=True, cache_hash=True, kw_only=True):
    """The weapon is full again; `when_jammed`: a jam does not hinder it."""

    magazine: int
    when_jammed: bool

    does: ClassVar[str] = Reload.name

    def nothing_to_do(self, me: Fighter) -> Blocked | None:
        arm = me.arm(self.weapon)
        if arm is not None and arm.jammed and not self.when_jammed:
            return because(Why.JAM)
        full = arm is None or arm.loaded is None or arm.loaded >= self.magazine
        return because(Why.FULL) if full else None

    def done(self, view: View) -> Next[View]:
        me: Fighter = view[self.who]
        arm = me.arm(self.weapon)
        if arm is not None:
            me = me.with_arm(replace(arm, loaded=self.magazine))
        return Next(view.replace(self.who, me), records={f"{self.who}.reloads": 1})


class ClearJam(LongRule):
    """Clear a jam: by a test, or by the AP alone."""

    name = "clear-jam"
    title = "Clear a jam"

    def figures(self, tables: Rules) -> dict[str, str]:
        return {
            "ap": str(tables.turn.clear_jam_ap),
            "to hit": f"{tables.clearing.modifier:+d}",
        }

    def ap(self, setup: RofSetup, who: str, weapon: str) -> int:
        return setup.tables.turn.clear_jam_ap

    def declare(self, setup: RofSetup, line: ActionLine, path: Path_) -> Action:
        long, rulings = self._long(setup, line, path), setup.rulings
        skill = setup.combatants[line.by].ranged_combat
        if skill is None:
            raise setup.wrong(("combatants", line.by), "clears a jam, so it needs 'ranged_combat'")
        loses = rulings.takes("clear_jam_rounds", "lost")
        test = None
        if rulings.takes("clear_jam", "test"):
            parts = (
                Modifier("Ranged Combat", skill, line.by),
                setup.tables.clearing.part("ruling: clear_jam = test"),
            )
            test = ClearingTest(
                parts,
                d100_rule(setup),
                fate_of(setup, line.by),
                weapon=long["weapon"],
                loses_rounds=loses,
                hampering=hampering(setup, line.by),
            )
        return Clearing(**long, test=test, loses_rounds=loses)


class Clearing(LongAction, frozen=True, cache_hash=True, kw_only=True):
    """A jam is cleared: by a test, or by the AP alone (`test` is None)."""

    test: "ClearingTest | None"
    loses_rounds: bool

    does: ClassVar[str] = ClearJam.name

    def nothing_to_do(self, me: Fighter) -> Blocked | None:
        arm = me.arm(self.weapon)
        return None if arm is not None and arm.jammed else because(Why.NO_JAM)

    def done(self, view: View) -> Next[View]:
        me: Fighter = view[self.who]
        if self.test is None:
            return Next(view.replace(self.who, cleared(me, self.weapon, self.loses_rounds)))
        return Next(view, Task(self.test, self.who))


def cleared(fighter: Fighter, weapon: str, loses_rounds: bool) -> Fighter:
    """The fighter with a weapon that is jammed no more."""
    arm = fighter.arm(weapon)
    if arm is None:
        return fighter
    empties = loses_rounds and arm.loaded is not None
    return fighter.with_arm(replace(arm, jammed=False, loaded=0 if empties else arm.loaded))


class ClearingTest(PercentileTest, frozen=True, gc=False, cache_hash=True):
    """A Ranged Combat test clears the jam."""

    reach = ()

    weapon: str
    loses_rounds: bool
    hampering: Hampering

    @property
    def label(self) -> str:
        return "clearing a jam"

    def parts_of(self, fighter: Fighter) -> tuple[Modifier, ...]:
        return self.parts + self.hampering.to_hit(fighter)

    def failure(self, _: object) -> str:
        return "the jam is not cleared"

    def kept(self, _: object) -> None:
        return None

    def passed(self, fighter: Fighter, _: object) -> Next[Fighter]:
        after = cleared(fighter, self.weapon, self.loses_rounds)
        return Next(after, records={"jams_cleared": 1})


RELOAD, CLEAR_JAM = Reload(), ClearJam()


# -- Delay ---------------------------------------------------------------------------------------


class Delay(UtilityRule):
    """Delay: the rest of the turn is put off until somebody else's is over. G2"""

    name = "delay"
    title = "Delay"
    own_line = True

    def figures(self, tables: Rules) -> dict[str, str]:
        return {"ap": str(tables.turn.delay_ap), "gives": "a later turn"}

    def candidates(self, setup: RofSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        if setup.rounds is not None:
            setup.leave_out("delay as an option: it needs its own line")
        yield from ()

    def declare(self, setup: RofSetup, line: ActionLine, path: Path_) -> Action:
        self.check(setup, line, path)
        if setup.rounds is None:
            raise setup.wrong((*path, "action"), "is 'delay', but without 'rounds' are no turns")
        if any(
            other.by == line.by and other.action == self.name and same_round(line, other)
            for other in setup.scenario.do[: int(path[1])]
        ):
            raise setup.wrong((*path, "action"), "is a second 'delay' in one turn")
        if len(line.at) != 1 or line.at[0] not in setup.acting:
            raise setup.wrong(path, "must name in 'at' whose turn is waited for")
        one = setup.rulings.takes("delay_ap", "one")
        ap = setup.tables.turn.delay_ap if one else 0
        delay = PutOff(who=line.by, key=self.name, ap=ap, until=line.at[0])
        return affordable(setup, delay, ap, path)


class PutOff(Action, frozen=True, cache_hash=True, kw_only=True):
    """The rest of the turn is put off; the aim is kept."""

    ap: int
    until: str

    @property
    def waits_for(self) -> str:
        return self.until

    def blocked(self, view: View) -> Blocked | None:
        return None if view[self.who].affords(self.ap) else because(Why.AP)

    def resolve(self, view: View) -> Next[View]:
        me = view[self.who].paying(self.ap, keeps_aim=True)
        return Next(view.replace(self.who, me), records={f"{self.who}.ap_spent": self.ap})


def is_delayed(setup: RofSetup, line: ActionLine) -> bool:
    """Whether a turn with this line has a Delay."""
    return any(
        other.by == line.by and other.action == Delay.name and same_round(line, other)
        for other in setup.scenario.do
    )


def same_round(one: ActionLine, other: ActionLine) -> bool:
    """Whether two lines are ever done in the same round."""
    if one.in_rounds is None or other.in_rounds is None:
        return True
    return not set(one.in_rounds).isdisjoint(other.in_rounds)
