"""An attack: what is fired at whom, what blocks it, and what comes before its roll to hit."""

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Dice
from firepower.chance.readings import Total
from firepower.chance.steps import Choice, Modifier, Next, Option, Roll, Step, Task, View
from firepower.combat.actions import NEEDLESS, Action
from firepower.combat.percentile.tests import Parts
from firepower.combat.reactions import Blocked
from firepower.systems.rate_of_fire.conditions import Hampering
from firepower.systems.rate_of_fire.fighter import BROKEN, Arm, Fighter
from firepower.systems.rate_of_fire.shooting import Shot
from firepower.systems.rate_of_fire.utility import Why, because, putting_in


class Aimed(msgspec.Struct, frozen=True, cache_hash=True):
    """A shot at one original target, possible as long as those in `needs` still stand.

    `alone`: the same when nobody else of a melee stands any more.
    """

    needs: tuple[str, ...]
    shot: Shot
    alone: Shot | None = None

    @property
    def concerns(self) -> tuple[str, ...]:
        """Everybody whom it looks at or may do something to."""
        alone = self.alone.reach if self.alone is not None else ()
        return (*self.needs, *self.shot.reach, *alone)

    def among(self, standing: frozenset[str]) -> Shot:
        """The shot as it is with those who still stand."""
        melee = self.shot.errant.melee if self.shot.errant is not None else ()
        shot = self.shot
        if self.alone is not None and not standing.intersection(melee[1:]):
            shot = self.alone
        return shot.among(standing)


class Attack(Action, frozen=True, cache_hash=True, kw_only=True):
    """An attack with one weapon, lawful with `least` to `most` rounds loaded (None: any number).

    `counted` goes against `limit`, the most shots of a turn (None: there is no limit). `dice` are
    the rate-of-fire dice, `buying` how more of them are bought once these are seen (None: they are
    not). `goes_on`: what is begun where its AP may be put in turn by turn ("": they may not).
    `aims` are the shots at each target, the first wanted first; `chooses`: which is the shooter's
    choice. `aim_counts`: the bonus of Aim actions does.
    """

    weapon: str
    ap: int
    least: int
    most: int | None
    counted: int
    limit: int | None
    dice: Dice | None
    buying: "Buying | None"
    goes_on: str
    aims: tuple[Aimed, ...]
    chooses: bool
    aim_counts: bool
    hampering: Hampering

    is_attack: ClassVar[bool] = True

    @property
    def concerns(self) -> tuple[str, ...]:
        others = dict.fromkeys(name for aimed in self.aims for name in aimed.concerns)
        return tuple(name for name in others if name != self.who)

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(n for aimed in self.aims for n in aimed.shot.reach))

    def blocked(self, view: View) -> Blocked | None:
        me: Fighter = view[self.who]
        arm = me.arm(self.weapon)
        if not self._standing(view):
            return NEEDLESS
        if arm is None or arm.craftsmanship == BROKEN:
            return because(Why.BROKEN)
        if arm.jammed:
            return because(Why.JAM)
        if arm.loaded is not None and not self._holds(arm.loaded):
            return because(Why.AMMUNITION)
        if not me.affords(me.ap_left(self.goes_on, self.ap)) and not (self.goes_on and me.ap):
            return because(Why.AP)
        if self.limit is not None and arm.fired + self.counted > self.limit:
            return because(Why.RATE_OF_FIRE)
        return None

    def _holds(self, loaded: int) -> bool:
        return self.least <= loaded and (self.most is None or loaded <= self.most)

    def _who_stands(self, view: View) -> frozenset[str]:
        return frozenset((*(name for name in self.concerns if view.glance(name)), self.who))

    def _standing(self, view: View) -> list[Aimed]:
        standing = self._who_stands(view)
        return [aimed for aimed in self.aims if standing.issuperset(aimed.needs)]

    def resolve(self, view: View) -> Next[View]:
        """The attack as things stand: conditions and an aim change its number."""
        me: Fighter = view[self.who]
        left = me.ap_left(self.goes_on, self.ap)
        if not me.affords(left):
            return putting_in(view, self.who, self.goes_on, keeps_aim=False)
        standing, aims = self._who_stands(view), self._standing(view)
        shots = tuple(aimed.among(standing) for aimed in (aims if self.chooses else aims[:1]))
        if left < self.ap:
            shots = tuple(replace(shot, ap=left) for shot in shots)
        parts = self._parts(me)
        me = me.paying(left)
        arm = me.arm(self.weapon)
        if self.limit is not None and arm is not None:
            me = me.with_arm(replace(arm, fired=arm.fired + self.counted))
        after = view.replace(self.who, me)
        if self.dice is None:
            return Next(after, *pick(shots, None, parts))
        buying = self.buying.limited(arm, self.limit) if self.buying and arm else self.buying
        rolls = RateOfFireDice(shots, parts, self.dice, buying, 1, 0)
        return Next(after, Task(rolls, self.who))

    def _parts(self, me: Fighter) -> Parts:
        parts = self.hampering.to_hit(me)
        if me.aim and self.aim_counts:
            return (Modifier("Aim", me.aim, self.who), *parts)
        if me.aim:
            return (Modifier("Aim (does not count)", 0, "rules: aim"), *parts)
        return parts


def pick(shots: tuple[Shot, ...], fired: int | None, parts: Parts) -> list[Task]:
    """The shot at the only target, or the choice of one; `fired` are the shots that dice gave."""
    if len(shots) > 1:
        return [Task(ChooseTarget(shots, fired, parts), shots[0].shooter)]
    (shot,) = shots
    shot_at = [Task(BeShotAt(), shot.original)] if shot.original else []
    if not shot.original:
        return [Task(EmptyCone(shot), shot.shooter)]
    return [*shot_at, *shot.begins(shot.shots if fired is None else min(fired, shot.shots), parts)]


class OfAnAttack(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """A step between the declaration of an attack and its roll to hit: the shots it may be."""

    shots: tuple[Shot, ...]

    @property
    def reach(self) -> tuple[str, ...]:
        struck = [name for shot in self.shots for name in (shot.original, *shot.reach) if name]
        named = dict.fromkeys((self.shots[0].shooter, *struck))
        return tuple(named)


class ChooseTarget(OfAnAttack, frozen=True, gc=False, cache_hash=True):
    """At whom of several the attack goes; in full auto when the dice are seen. R14"""

    fired: int | None
    parts: Parts

    def ask(self, shooter: Fighter) -> Choice[int]:
        options = tuple(Option(shot.original, i) for i, shot in enumerate(self.shots))
        label = f"{self.shots[0].title}: at whom?"
        return Choice(label, self.shots[0].shooter, options, options[0].key)

    def then(self, shooter: Fighter, at: int) -> Next[Fighter]:
        return Next(shooter, *pick(self.shots[at : at + 1], self.fired, self.parts))


class BeShotAt(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Somebody is shot at, which matters to whoever is pinned."""

    reach = ()

    def applies(self, fighter: Fighter) -> bool:
        return fighter.pinned > 0

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(fighter.shot_at())


class EmptyCone(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Suppressing fire at nobody: rounds and AP are spent, nothing is rolled."""

    reach = ()

    shot: Shot

    def then(self, shooter: Fighter, _: None) -> Next[Fighter]:
        shot = self.shot
        return Next(shot.fired(shooter, shot.rounds, jam=False), records=shot.spent())


# -- rate-of-fire dice ---------------------------------------------------------------------------


class Buying(msgspec.Struct, frozen=True):
    """How rate-of-fire dice are bought one by one: what each costs, how many at most.

    `wanted` are as many as the policy buys.
    """

    most: int
    wanted: int
    ap: int
    rounds: int
    shots: int
    counted: int

    def limited(self, arm: Arm, limit: int | None) -> "Buying":
        """The same with no more dice than the rounds and the most shots of a turn allow."""
        most = self.most
        if arm.loaded is not None:
            most = min(most, arm.loaded // self.rounds)
        if limit is not None and self.counted:
            most = min(most, (limit - arm.fired) // self.counted)
        return replace(self, most=most)


class RateOfFireDice(OfAnAttack, frozen=True, gc=False, cache_hash=True):
    """Full auto: each AP rolls one rate-of-fire die; together they are the shots fired. R12"""

    parts: Parts
    dice: Dice
    buying: Buying | None
    bought: int
    so_far: int

    def ask(self, shooter: Fighter) -> Roll[int]:
        return Roll("rate-of-fire dice", self.dice, Total("shots"))

    def then(self, shooter: Fighter, fired: int) -> Next[Fighter]:
        fired += self.so_far
        if self.buying is not None:
            return Next(shooter, BuyDie(self.shots, replace(self, so_far=fired), self.buying))
        return Next(shooter, *pick(self.shots, fired, self.parts))


class BuyDie(OfAnAttack, frozen=True, gc=False, cache_hash=True):
    """Another rate-of-fire die for another AP, when those before it are seen."""

    rolls: RateOfFireDice
    buying: Buying

    def ask(self, shooter: Fighter) -> Choice[int] | None:
        bought, buying = self.rolls.bought, self.buying
        if bought >= buying.most or not shooter.affords(buying.ap):
            return None
        options = (Option("no", 0), Option("yes", 1))
        label = f"{self.rolls.so_far} shots so far: another rate-of-fire die?"
        policy = options[bought < buying.wanted].key
        return Choice(label, self.shots[0].shooter, options, policy)

    def then(self, shooter: Fighter, more: int | None) -> Next[Fighter]:
        rolls, buying = self.rolls, self.buying
        if not more:
            return Next(shooter, *pick(self._bought(), rolls.so_far, rolls.parts))
        left = None if shooter.ap is None else shooter.ap - buying.ap
        shooter = replace(shooter, ap=left)
        arm = shooter.arm(self.shots[0].weapon)
        if arm is not None and arm.fired:
            shooter = shooter.with_arm(replace(arm, fired=arm.fired + buying.counted))
        return Next(shooter, replace(rolls, bought=rolls.bought + 1))

    def _bought(self) -> tuple[Shot, ...]:
        """The shots with what all dice that were bought cost, and may fire."""
        n, each = self.rolls.bought, self.buying
        return tuple(
            replace(shot, rounds=n * each.rounds, ap=n * each.ap, shots=n * each.shots)
            for shot in self.shots
        )
