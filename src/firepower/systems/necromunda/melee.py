"""Attacks in close combat: whom they may meet, attack dice, rolls to hit, and who answers them."""

from typing import Any, TypeVar

from msgspec.structs import replace

from firepower.chance.steps import Choice, Modifier, Next, Option, Roll, Step, Task, View
from firepower.systems.necromunda.ammo import NO_CHECK, AmmoChecks, Unstable
from firepower.systems.necromunda.blows import (
    Aim,
    Blows,
    Bout,
    Crowd,
    Hand,
    OfABout,
    Result,
    Results,
    Share,
    changed,
    locked,
)
from firepower.systems.necromunda.fighter import Fighter, Seen
from firepower.systems.necromunda.parry import defended, reading_of
from firepower.systems.necromunda.shooting import FirepowerReading

R = TypeVar("R")

Shares = tuple[Share, ...]
Aims = tuple[Aim, ...]


class Crowded(Step[View, R], frozen=True, gc=False, cache_hash=True):
    """A step of one fighter that looks at those who may be engaged."""

    bout: Bout

    @property
    def glances(self) -> tuple[str, ...]:
        return tuple(name for name in self.bout.crowd if name != self.bout.who)

    def glance(self, part: Fighter) -> Seen:
        return part.glimpse

    @property
    def reach(self) -> tuple[str, ...]:
        return self.bout.fray

    def crowd(self, view: View) -> Crowd:
        """How everybody stands."""
        me: Fighter = view[self.bout.who]
        others: dict[str, Seen] = {name: view.glance(name) for name in self.glances}
        return others | {self.bout.who: me.glimpse}


def aims_of(bout: Bout, crowd: Crowd, names: tuple[str, ...]) -> list[tuple[str, bool]]:
    """Those of these who may be fought as things stand, and whether by being engaged.

    Versatile: whom a weapon reaches over a distance counts as engaged.
    """
    reached = {name for hand in bout.hands for name in hand.reaches}
    found = []
    for name in names:
        engaged = locked(crowd, bout.who, name)
        if engaged or (name in reached and name in crowd and crowd[name].stands):
            found.append((name, engaged))
    return found


class Attack(Crowded[None], frozen=True, gc=False, cache_hash=True):
    """The fighter attacks in close combat those of the named whom it may fight.

    `parts`: what changes the rolls of this attack alone.
    """

    names: tuple[str, ...]
    parts: tuple[Modifier, ...] = ()

    def applies(self, view: View) -> bool:
        return not view[self.bout.who].out

    def able(self, me: Fighter) -> bool:
        """Whether the fighter can attack at all."""
        return me.stands and not me.on_fire

    def armed(self, me: Fighter) -> tuple[Hand, ...]:
        """The weapons it fights with."""
        return tuple(hand for hand in self.bout.hands if hand.usable(me))

    def dice(self, me: Fighter, hands: tuple[Hand, ...]) -> int:
        """How many attack dice: Attacks, one for two weapons, and what else adds to them."""
        paired = any(hand.paired for hand in hands)
        dice = self.bout.attacks + (self.bout.doubled if paired else 0)
        return dice + (self.bout.pair if paired or len(hands) > 1 else 0)

    def own_parts(self, me: Fighter) -> tuple[Modifier, ...]:
        """What changes every roll, as the fighter stands."""
        return (*self.bout.parts, *self.parts)

    def only(self, me: Fighter) -> int | None:
        """The one face that hits, if only one does."""
        return None

    def then(self, view: View, _: None) -> Next[View]:
        bout, me, crowd = self.bout, view[self.bout.who], self.crowd(view)
        after = view.replace(bout.who, self.over(me))
        if not self.able(me):
            return Next(after)
        own = self.own_parts(me)
        aims = tuple(
            Aim(name, (*own, *bout.press.parts(crowd, bout.who, name)), engaged)
            for name, engaged in aims_of(bout, crowd, self.names)
        )
        if not aims:
            return Next(after)
        hands = self.armed(me)
        shares, odd = shared(bout, hands, self.dice(me, hands))
        shares += tuple(Share(hand, hand.dice) for hand in bout.extra if self.uses_extra(me))
        return Next(after, Task(divided(bout, aims, shares, self.only(me), odd=odd), bout.who))

    def uses_extra(self, me: Fighter) -> bool:
        """Whether what strikes besides the weapons does."""
        return True

    def over(self, me: Fighter) -> Fighter:
        """The fighter when the attack has begun."""
        return me


class ReactionAttack(Attack, frozen=True, gc=False, cache_hash=True):
    """Who still stands engaged with the attacker after it fought attacks it, Ready or not.

    Not while on fire, webbed or down. Blind: only a natural 6 hits. It is not answered.
    """

    def dice(self, me: Fighter, hands: tuple[Hand, ...]) -> int:
        return super().dice(me, hands) + me.missed * self.bout.counters

    def armed(self, me: Fighter) -> tuple[Hand, ...]:
        return () if me.disarmed else super().armed(me)

    def uses_extra(self, me: Fighter) -> bool:
        return not me.disarmed

    def own_parts(self, me: Fighter) -> tuple[Modifier, ...]:
        parts = super().own_parts(me)
        parts += (self.bout.broken,) * me.broken
        return parts + (self.bout.entangled,) * me.entangled

    def only(self, me: Fighter) -> int | None:
        return self.bout.blind if me.blind else None

    def over(self, me: Fighter) -> Fighter:
        keeps = self.bout.keeps_disarmed and me.disarmed
        return replace(me, entangled=False, missed=0, disarmed=keeps)


# -- attack dice -----------------------------------------------------------------------------------


def shared(bout: Bout, hands: tuple[Hand, ...], dice: int) -> tuple[Shares, bool]:
    """How many dice each weapon has, and whether there is an odd one left.

    A Sidearm takes one; two Melee weapons share the rest evenly; without one it is unarmed.
    """
    singles = [hand for hand in hands if hand.single][:dice]
    left = dice - len(singles)
    others = [hand for hand in hands if not hand.single]
    if not others and left:
        others = [bout.unarmed]
    shares = [Share(hand, left // len(others)) for hand in others]
    shares += [Share(hand, 1) for hand in singles]
    return tuple(shares), len(others) > 1 and left % len(others) == 1


def divided(
    bout: Bout, aims: Aims, shares: Shares, only: int | None, *, odd: bool
) -> Step[Fighter, Any]:
    """What follows when the dice are counted: whose an odd one is, if there is one."""
    return (OddDie if odd else CrushingBlow)(bout, aims, shares, only)


class OfDice(OfABout[R], frozen=True, gc=False, cache_hash=True):
    """A choice about attack dice; `only`: the one face that hits, if only one does."""

    aims: Aims
    shares: Shares
    only: int | None


class OddDie(OfDice[int], frozen=True, gc=False, cache_hash=True):
    """Two weapons share the attack dice evenly; whose an odd one is, is chosen."""

    def ask(self, fighter: Fighter) -> Choice[int]:
        titles = [share.hand.title for share in self.shares if not share.hand.single][:2]
        options = tuple(Option(title, i) for i, title in enumerate(titles))
        return Choice("whose is the odd attack die?", self.bout.who, options, titles[0])

    def then(self, fighter: Fighter, at: int) -> Next[Fighter]:
        shares = tuple(
            replace(share, dice=share.dice + (i == at)) for i, share in enumerate(self.shares)
        )
        return Next(fighter, CrushingBlow(self.bout, self.aims, shares, self.only))


class CrushingBlow(OfDice[int], frozen=True, gc=False, cache_hash=True):
    """Crushing Blow: before the rolls one attack die is named, with more Strength and Damage."""

    def ask(self, fighter: Fighter) -> Choice[int] | None:
        if not self.bout.crushes:
            return None
        able = {
            share.hand.title: i
            for i, share in enumerate(self.shares)
            if share.dice and share.hand.crushing
        }
        options = tuple(Option(title, i) for title, i in able.items())
        first = options[0].key if options else "none"
        options = (*options, Option("none", -1))
        return Choice("which weapon's is the crushing blow?", self.bout.who, options, first)

    def then(self, fighter: Fighter, at: int | None) -> Next[Fighter]:
        shares = self.shares
        if at is not None and at >= 0:
            less = replace(shares[at], dice=shares[at].dice - 1)
            crushing = Share(shares[at].hand, 1, crushing=True)
            shares = (*shares[:at], crushing, less, *shares[at + 1 :])
        shares = tuple(share for share in shares if share.dice)
        return Next(fighter, Divide(self.bout, self.aims, shares, self.only))


class Divide(OfDice[int], frozen=True, gc=False, cache_hash=True):
    """The dice of each weapon may be divided among those fought; by the policy none are.

    `left` of those of the first weapon are not `given` yet; `rolls` are what is settled.
    """

    given: tuple[int, ...] = ()
    rolls: tuple[Blows, ...] = ()

    def _aims(self) -> Aims:
        """Those whom the first weapon meets."""
        reaches = self.shares[0].hand.reaches
        return tuple(aim for aim in self.aims if aim.engaged or aim.name in reaches)

    @property
    def _left(self) -> int:
        return self.shares[0].dice - sum(self.given)

    def ask(self, fighter: Fighter) -> Choice[int] | None:
        if not self.shares:
            return None
        aims, at = self._aims(), len(self.given)
        if at + 1 >= len(aims):
            return None
        left = self._left
        options = tuple(Option(str(n), n) for n in range(left, -1, -1))
        title = self.shares[0].hand.title
        label = f"{title}: how many of {left} attack dice at {aims[at].name}?"
        return Choice(label, self.bout.who, options, str(left))

    def then(self, fighter: Fighter, taken: int | None) -> Next[Fighter]:
        if not self.shares:
            return Next(fighter, RollBlows(self.bout, self.rolls))
        aims, left = self._aims(), self._left
        given = (*self.given, left if taken is None else taken)
        if aims and sum(given) < self.shares[0].dice:
            return Next(fighter, replace(self, given=given))
        rolls = [self._blows(aim, count) for aim, count in zip(aims, given, strict=False) if count]
        more = replace(self, shares=self.shares[1:], given=(), rolls=(*self.rolls, *rolls))
        return Next(fighter, more)

    def _blows(self, aim: Aim, count: int) -> Blows:
        """So many dice of the first weapon at somebody."""
        share, bout = self.shares[0], self.bout
        blow = share.hand.blow(aim.name, crushing=share.crushing)
        own = blow.engaged if aim.engaged else blow.reaching
        return Blows(
            hand=share.hand,
            blow=blow,
            count=count,
            parts=(*own, *aim.parts),
            skill=bout.skill,
            natural_1_misses=bout.natural_1_misses,
            only=self.only,
        )


# -- rolls to hit ----------------------------------------------------------------------------------


class RollBlows(OfABout[tuple[int, ...]], frozen=True, gc=False, cache_hash=True):
    """To hit: a D6 with what changes it of WS or more for each die; a natural 1 misses.

    What no roll can hit is missed. Dice of one weapon at one fighter are rolled together. `left`
    are to be rolled; `again`: Master-crafted has its re-roll of the last.
    """

    left: tuple[Blows, ...]
    results: Results = ()
    again: bool = False

    def ask(self, fighter: Fighter) -> Roll[tuple[int, ...]] | None:
        if not self.left or not self.left[0].can_hit:
            return None
        blows = self.left[0]
        count = 1 if self.again else blows.count
        label = f"{blows.blow.weapon} at {blows.blow.target}: to hit{' again' * self.again}"
        return Roll(label, blows.handful(count), reading_of(blows), blows.parts, blows.skill)

    def then(self, fighter: Fighter, counts: tuple[int, ...] | None) -> Next[Fighter]:
        bout = self.bout
        if not self.left:
            names = tuple(dict.fromkeys(result.target for result in self.results))
            return Next(fighter, defended(bout, self.results, names))
        blows = self.left[0]
        result = Result(blows, counts or ())
        if self.again:
            result = self.results[-1].more(result.counts)
        results = (*self.results[: len(self.results) - self.again], result)
        arm = fighter.arm(blows.hand.name)
        spare = blows.hand.rerolls and arm is not None and not arm.rerolled
        if arm is not None and spare and counts is not None and result.missed:
            used = fighter.with_arm(replace(arm, rerolled=True))
            return Next(used, replace(self, results=results, again=True))
        if blows.hand.gun is not None:
            return Next(fighter, SidearmDie(bout, self.left, results))
        return Next(fighter, RollBlows(bout, self.left[1:], results))


class SidearmDie(OfABout[tuple[int, int]], frozen=True, gc=False, cache_hash=True):
    """A Sidearm rolls a Firepower die in close combat too, for its ammo."""

    left: tuple[Blows, ...]
    results: Results

    def ask(self, fighter: Fighter) -> Roll[tuple[int, int]] | None:
        gun = self.left[0].hand.gun
        if gun is None:
            return None
        return Roll("Firepower", gun.firepower, FirepowerReading(rapid=gun.holes))

    def then(self, fighter: Fighter, read: tuple[int, int]) -> Next[Fighter]:
        gun, (holes, symbols), results = self.left[0].hand.gun, read, self.results
        assert gun is not None
        if gun.holes:
            last = results[-1]
            counts = tuple(count * holes for count in last.counts)
            results = changed(results, len(results) - 1, replace(last, counts=counts))
        todo: list[Step[Fighter, Any]] = []
        if symbols and gun.rule.least != NO_CHECK:
            todo.append(AmmoChecks(gun.rule, symbols))
        if symbols and gun.rule.unstable:
            todo.append(Unstable(gun.rule.unstable, gun.frame))
        more = RollBlows(self.bout, self.left[1:], results)
        records = {"ammo_symbols": symbols} if symbols else None
        return Next(fighter, *todo, more, records=records)
