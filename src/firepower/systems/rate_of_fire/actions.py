"""Actions of a turn: attacks, Aim, reloading, clearing a jam, Delay; each with what hinders it."""

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from firepower.chance.notation import dice
from firepower.chance.readings import Test
from firepower.chance.steps import Choice, Modifier, Next, Option, Roll, Step, Task, View
from firepower.combat.turns import NEEDLESS
from firepower.systems.rate_of_fire.attack import Aimed
from firepower.systems.rate_of_fire.conditions import Hampering, Parts, TestRule
from firepower.systems.rate_of_fire.fate import FateRules, OwnSecondChance
from firepower.systems.rate_of_fire.fighter import BROKEN, Arm, Fighter

D100 = dice("d100")


class Fire(msgspec.Struct, frozen=True, cache_hash=True):
    """An attack with one weapon, lawful with `least` to `most` rounds loaded (None: any number).

    `counted` goes against `limit`, the most shots of a turn (None: there is no limit). `aims` are
    the attacks at each target, the first wanted first; `chooses`: which is the shooter's choice.
    """

    who: str
    key: str
    arm: int
    ap: int
    least: int
    most: int | None
    counted: int
    limit: int | None
    aims: tuple[Aimed, ...]
    chooses: bool
    aim_counts: bool

    is_attack: ClassVar[bool] = True

    def hindrance(self, view: View) -> str:
        me: Fighter = view[self.who]
        arm = me.arms[self.arm]
        if not self._standing(view):
            return NEEDLESS
        if arm.craftsmanship == BROKEN:
            return "broken"
        if arm.jammed:
            return "jam"
        if arm.loaded is not None and not self._holds(arm.loaded):
            return "ammunition"
        if not me.affords(self.ap):
            return "ap"
        if self.limit is not None and arm.fired + self.counted > self.limit:
            return "rate_of_fire"
        return ""

    def _holds(self, loaded: int) -> bool:
        return self.least <= loaded and (self.most is None or loaded <= self.most)

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for aimed in self.aims for name in aimed.concerns))

    def _standing(self, view: View) -> list[Aimed]:
        standing = self._who_stands(view)
        return [aimed for aimed in self.aims if standing.issuperset(aimed.needs)]

    def begin(self, view: View) -> Next[View]:
        aims = self._standing(view)
        if self.chooses and len(aims) > 1:
            return Next(view, ChooseTarget(self, tuple(aims)))
        return self.at(view, aims[0])

    def at(self, view: View, aimed: Aimed) -> Next[View]:
        """The attack at one target, as things stand: conditions and an aim change its number."""
        me: Fighter = view[self.who]
        attack = aimed.among(self._who_stands(view))
        parts = attack.hampering.to_hit(me)
        if me.aim and self.aim_counts:
            parts = (Modifier("Aim", me.aim, self.who), *parts)
        elif me.aim:
            parts = (Modifier("Aim (does not count)", 0, "rules: aim"), *parts)
        if parts:
            attack = replace(attack, parts=attack.parts + parts)
        me = me.paying(self.ap)
        if self.limit is not None:
            arm = me.arms[self.arm]
            me = me.with_arm(self.arm, replace(arm, fired=arm.fired + self.counted))
        shot_at = [Task(BeShotAt(), attack.original)] if attack.original else []
        return Next(view.replace(self.who, me), *shot_at, *attack.begins())

    def _who_stands(self, view: View) -> frozenset[str]:
        others = [name for name in self.others if name != self.who]
        standing = [name for name in others if view.glance(name)]
        return frozenset((*standing, self.who))


class BeShotAt(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Somebody is shot at, which matters to whoever is pinned."""

    reach = ()

    def applies(self, fighter: Fighter) -> bool:
        return fighter.pinned > 0

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(fighter.shot_at())


class ChooseTarget(Step[View, Aimed], frozen=True, gc=False, cache_hash=True):
    """At whom of several the attack goes."""

    fire: Fire
    aims: tuple[Aimed, ...]

    @property
    def glances(self) -> tuple[str, ...]:
        return tuple(name for name in self.fire.others if name != self.fire.who)

    @property
    def reach(self) -> tuple[str, ...]:
        return self.glances

    def glance(self, part: Fighter) -> bool:
        return part.acts

    def ask(self, view: View) -> Choice[Aimed]:
        options = tuple(Option(aimed.needs[0], aimed) for aimed in self.aims)
        return Choice(f"{self.fire.key}: at whom?", self.fire.who, options, options[0].key)

    def then(self, view: View, aimed: Aimed) -> Next[View]:
        return self.fire.at(view, aimed)


class TakeAim(msgspec.Struct, frozen=True, cache_hash=True):
    """An Aim action: a bonus for the next attack that an aim counts for."""

    who: str
    key: str
    ap: int
    bonus: int
    most: int

    is_attack: ClassVar[bool] = False
    others: ClassVar[tuple[str, ...]] = ()

    def hindrance(self, view: View) -> str:
        me: Fighter = view[self.who]
        if me.aim >= self.most:
            return "aim"
        return "" if me.affords(self.ap) else "ap"

    def begin(self, view: View) -> Next[View]:
        me = view[self.who].paying(self.ap, keeps_aim=True)
        me = replace(me, aim=min(self.most, me.aim + self.bonus))
        return Next(view.replace(self.who, me), records={f"{self.who}.ap_spent": self.ap})


class LongAction(msgspec.Struct, frozen=True, cache_hash=True):
    """An action that takes so many AP, over several turns if need be and if it may."""

    who: str
    key: str
    weapon: str
    arm: int
    ap: int
    over_turns: bool
    keeps_aim: bool

    is_attack: ClassVar[bool] = False
    others: ClassVar[tuple[str, ...]] = ()

    def hindrance(self, view: View) -> str:
        me: Fighter = view[self.who]
        cause = self.nothing_to_do(me.arms[self.arm])
        if cause or me.affords(self._left(me)):
            return cause
        return "" if self.over_turns and me.ap else "ap"

    def nothing_to_do(self, arm: Arm) -> str:
        """Why it would come to nothing; empty if it would not."""
        raise NotImplementedError  # reloading and clearing say it; a Struct cannot be abstract

    def done(self, view: View) -> Next[View]:
        """What it comes to when all AP are paid."""
        raise NotImplementedError  # as above

    def _left(self, me: Fighter) -> int:
        return self.ap - (me.paid if me.begun == self._name else 0)

    @property
    def _name(self) -> str:
        """What is begun: two weapons are reloaded one by one."""
        return self.key if self.key.endswith(self.weapon) else f"{self.key} {self.weapon}"

    def begin(self, view: View) -> Next[View]:
        me: Fighter = view[self.who]
        left = self._left(me)
        if me.ap is not None and me.ap < left:
            put_in = me.ap
            me = me.paying(put_in, keeps_aim=self.keeps_aim)
            me = replace(me, begun=self._name, paid=self.ap - left + put_in)
            after = Next(view.replace(self.who, me))
        else:
            put_in = left
            me = me.paying(put_in, keeps_aim=self.keeps_aim)
            after = self.done(view.replace(self.who, me))
        spent = {f"{self.who}.ap_spent": put_in}
        return Next(after.part, *after.todo, records=dict(after.records) | spent)


class Reload(LongAction, frozen=True, cache_hash=True):
    """The weapon is full again."""

    magazine: int
    when_jammed: bool

    def nothing_to_do(self, arm: Arm) -> str:
        if arm.jammed and not self.when_jammed:
            return "jam"
        return "full" if arm.loaded is None or arm.loaded >= self.magazine else ""

    def done(self, view: View) -> Next[View]:
        me: Fighter = view[self.who]
        arm = replace(me.arms[self.arm], loaded=self.magazine)
        after = view.replace(self.who, me.with_arm(self.arm, arm))
        return Next(after, records={f"{self.who}.reloads": 1})


class ClearJam(LongAction, frozen=True, cache_hash=True):
    """A jam is cleared: by a test, or by the AP alone (`clearing` is None)."""

    clearing: "ClearingTest | None"
    loses_rounds: bool

    def nothing_to_do(self, arm: Arm) -> str:
        return "" if arm.jammed else "no_jam"

    def done(self, view: View) -> Next[View]:
        me: Fighter = view[self.who]
        if self.clearing is None:
            return Next(view.replace(self.who, cleared(me, self.arm, self.loses_rounds)))
        worse = self.clearing.hampering.to_hit(me)
        test = replace(self.clearing, parts=self.clearing.parts + worse)
        return Next(view, Task(test, self.who))


def cleared(fighter: Fighter, at: int, loses_rounds: bool) -> Fighter:
    """The fighter with a weapon that is jammed no more."""
    arm = fighter.arms[at]
    empties = loses_rounds and arm.loaded is not None
    return fighter.with_arm(at, replace(arm, jammed=False, loaded=0 if empties else arm.loaded))


class ClearingTest(Step[Fighter, Test], frozen=True, gc=False, cache_hash=True):
    """A Ranged Combat test clears the jam."""

    reach = ()

    arm: int
    loses_rounds: bool
    parts: Parts
    rule: TestRule
    hampering: Hampering
    fate: FateRules | None

    def ask(self, fighter: Fighter) -> Roll[Test]:
        test = self.rule.of(self.parts)
        return Roll("clearing a jam", D100, test, self.parts, test.target)

    def then(self, fighter: Fighter, test: Test) -> Next[Fighter]:
        if test.success:
            return Next(cleared(fighter, self.arm, self.loses_rounds), records={"jams_cleared": 1})
        if self.fate is not None and self.fate.offers_reroll(fighter):
            return Next(fighter, OwnSecondChance(self.fate, self, None, attacks=False))
        return self.settle(fighter, None)

    def failure(self, _: None) -> str:
        return "the jam is not cleared"

    def settle(self, fighter: Fighter, _: None) -> Next[Fighter]:
        """Still jammed."""
        return Next(fighter)


class Delay(msgspec.Struct, frozen=True, cache_hash=True):
    """The rest of the turn is put off; the aim is kept."""

    who: str
    key: str
    ap: int

    is_attack: ClassVar[bool] = False
    others: ClassVar[tuple[str, ...]] = ()

    def hindrance(self, view: View) -> str:
        me: Fighter = view[self.who]
        return "" if me.affords(self.ap) else "ap"

    def begin(self, view: View) -> Next[View]:
        me = view[self.who].paying(self.ap, keeps_aim=True)
        return Next(view.replace(self.who, me), records={f"{self.who}.ap_spent": self.ap})
