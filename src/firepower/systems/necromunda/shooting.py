"""The shot: the roll to hit and the Firepower dice, in the order that a reading gives them."""

from typing import Any

import msgspec
from msgspec.structs import replace

from firepower.chance.readings import AtLeast
from firepower.chance.steps import Choice, Next, Option, Roll, Step
from firepower.systems.necromunda.ammo import NO_CHECK, AmmoChecks, FiredOnce, Unstable
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.injury import D6
from firepower.systems.necromunda.shot import PLAIN, OfAShot, Parts, Shot


def shoot(shot: Shot, parts: Parts) -> Step[Fighter, Any]:
    """The first step of a shot."""
    if shot.dice.most > 1 and shot.dice.declared == "before":
        return ChooseDice(shot, parts, None)
    return to_hit(shot, parts, min(1, shot.dice.most))


def to_hit(shot: Shot, parts: Parts, count: int) -> Step[Fighter, Any]:
    """The roll to hit, if there is one, with so many Firepower dice declared."""
    if shot.skill is None:
        return firepower(shot, count, PLAIN)
    return RollToHit(shot, parts, count)


def firepower(shot: Shot, count: int, face: int) -> Step[Fighter, Any]:
    """What follows the roll to hit: the Firepower dice that are declared, or to be chosen."""
    dice = shot.dice
    if dice.most > 1 and dice.declared == "after" and (face or dice.on_miss == "all"):
        return ChooseDice(shot, (), face)
    rolled = dice.rolled(count, hit=face > 0)
    if not rolled:
        return Fired(shot, face, 0, 0, rolled=False)
    return TwinLinkedRoll(shot, face, rolled) if dice.rerolls else FirepowerRoll(shot, face, rolled)


class HitReading(msgspec.Struct, frozen=True):
    """A D6 to hit: 0 for a miss, PLAIN for a hit, or the face itself from `tells` on."""

    least: int
    natural_1_misses: bool
    tells: int

    def read(self, total: int) -> int:
        if total < self.least or (self.natural_1_misses and total == 1):
            return 0
        return total if total >= self.tells else PLAIN

    @property
    def need(self) -> str:
        return f"{max(2 if self.natural_1_misses else 1, self.least)}+"

    def words(self, read: int) -> str:
        return "hit" if read else "miss"


class ChooseDice(OfAShot[int], frozen=True, gc=False, cache_hash=True):
    """Rapid Fire: from one to X Firepower dice may be rolled. RF-03, RF-04"""

    parts: Parts
    face: int | None

    def ask(self, fighter: Fighter) -> Choice[int]:
        dice = self.shot.dice
        options = tuple(Option(str(n), n) for n in range(1, dice.most + 1))
        stated = None if dice.stated is None else str(dice.stated)
        label = f"{self.shot.title}: how many Firepower dice?"
        return Choice(label, self.shot.shooter, options, str(dice.policy), stated=stated)

    def then(self, fighter: Fighter, count: int) -> Next[Fighter]:
        if self.face is None:
            return Next(fighter, to_hit(self.shot, self.parts, count))
        return Next(fighter, FirepowerRoll(self.shot, self.face, count))


class RollToHit(OfAShot[int], frozen=True, gc=False, cache_hash=True):
    """To hit: a D6 with what changes it of BS or more; a natural 1 misses. One roll an attack.

    RF-02
    """

    parts: Parts
    count: int
    again: bool = False

    @property
    def _least(self) -> int:
        return (self.shot.skill or 0) - sum(part.value for part in self.parts)

    def ask(self, fighter: Fighter) -> Roll[int] | None:
        shot = self.shot
        if shot.lost or self._least > 6:
            return None
        reading = HitReading(self._least, shot.natural_1_misses, shot.landing.tells)
        return Roll(f"{shot.title}: to hit", D6, reading, self.parts, shot.skill)

    def then(self, fighter: Fighter, face: int | None) -> Next[Fighter]:
        shot = self.shot
        if face is None and not shot.lost:
            return Next(fighter, ImprobableShot(shot, self.count))
        if face == 0 and shot.reroll and not self.again:
            # the weapon may be forgotten already, if this is the last shot
            arm = fighter.arm(shot.ammo.weapon)
            used = fighter if arm is None else fighter.with_arm(replace(arm, rerolled=True))
            return Next(used, replace(self, again=True))
        return Next(fighter, firepower(shot, self.count, face or 0))


class ImprobableShot(OfAShot[bool], frozen=True, gc=False, cache_hash=True):
    """A shot that no roll could make hit: only a 6 goes on, to a roll against plain BS."""

    count: int

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("improbable shot", D6, AtLeast(self.shot.improbable))

    def then(self, fighter: Fighter, goes_on: bool) -> Next[Fighter]:
        shot = self.shot
        if goes_on and (shot.skill or 0) <= 6:
            return Next(fighter, RollToHit(shot, (), self.count))
        return Next(fighter, firepower(shot, self.count, 0))


# -- Firepower dice --------------------------------------------------------------------------------


class FirepowerReading(msgspec.Struct, frozen=True):
    """The holes and Ammo symbols on Firepower dice; holes count for `rapid` fire alone."""

    rapid: bool

    def read(self, total: tuple[int, int]) -> tuple[int, int]:
        return total

    @property
    def need(self) -> str:
        return ""

    def words(self, read: tuple[int, int]) -> str:
        holes, symbols = read
        if not self.rapid:
            return "Ammo" if symbols else "no Ammo"
        ammo = f", {symbols} Ammo" if symbols else ""
        return f"{holes} hole{'s' * (holes != 1)}{ammo}"


class FirepowerRoll(OfAShot[tuple[int, int]], frozen=True, gc=False, cache_hash=True):
    """The Firepower dice: bullet holes and Ammo symbols."""

    face: int
    count: int
    holes: int = 0
    symbols: int = 0
    rolled: int = 0

    @property
    def _reading(self) -> FirepowerReading:
        return FirepowerReading(self.shot.dice.rapid)

    def ask(self, fighter: Fighter) -> Roll[tuple[int, int]]:
        return Roll("Firepower", self.shot.dice.handful(self.count), self._reading)

    def then(self, fighter: Fighter, read: tuple[int, int]) -> Next[Fighter]:
        holes, symbols = self.holes + read[0], self.symbols + read[1]
        dice, rolled = self.shot.dice, self.rolled + self.count
        more = dice.declared == "one_by_one" and rolled < dice.most
        if more and dice.rolled(2, hit=self.face > 0) == 2:
            return Next(fighter, AnotherDie(self.shot, self.face, holes, symbols, rolled))
        return Next(fighter, Fired(self.shot, self.face, holes, symbols))


class AnotherDie(OfAShot[bool], frozen=True, gc=False, cache_hash=True):
    """One Firepower die after the other, stopping at will."""

    face: int
    holes: int
    symbols: int
    rolled: int

    def ask(self, fighter: Fighter) -> Choice[bool]:
        dice = self.shot.dice
        options = (Option("no", value=False), Option("yes", value=True))
        wanted = dice.stated or dice.policy
        label = f"{self.shot.title}: another Firepower die?"
        policy = "yes" if self.rolled < wanted else "no"
        stated = None if dice.stated is None else policy
        return Choice(label, self.shot.shooter, options, policy, stated=stated)

    def then(self, fighter: Fighter, more: bool) -> Next[Fighter]:
        if not more:
            return Next(fighter, Fired(self.shot, self.face, self.holes, self.symbols))
        roll = FirepowerRoll(self.shot, self.face, 1, self.holes, self.symbols, self.rolled)
        return Next(fighter, roll)


class FacesShown(msgspec.Struct, frozen=True):
    """The faces that Firepower dice show."""

    def read(self, total: tuple[Any, ...]) -> tuple[Any, ...]:
        return total

    @property
    def need(self) -> str:
        return ""

    def words(self, read: tuple[Any, ...]) -> str:
        return ", ".join(str(face) for face in read)


class TwinLinkedRoll(OfAShot[tuple[Any, ...]], frozen=True, gc=False, cache_hash=True):
    """Twin-linked: any of the Firepower dice may be rolled again, once.

    `kept` are those that were not.
    """

    face: int
    count: int
    kept: tuple[Any, ...] = ()
    again: bool = False

    def ask(self, fighter: Fighter) -> Roll[tuple[Any, ...]]:
        label = "Firepower, again" if self.again else "Firepower"
        return Roll(label, self.shot.dice.faces(self.count), FacesShown())

    def then(self, fighter: Fighter, faces: tuple[Any, ...]) -> Next[Fighter]:
        if not self.again:
            return Next(fighter, RerollFirepower(self.shot, self.face, faces))
        holes, symbols = self.shot.dice.total((*self.kept, *faces))
        return Next(fighter, Fired(self.shot, self.face, holes, symbols))


class RerollFirepower(OfAShot[tuple[Any, ...]], frozen=True, gc=False, cache_hash=True):
    """Which Firepower dice are rolled again; by the policy those that show an Ammo symbol."""

    face: int
    faces: tuple[Any, ...]

    def ask(self, fighter: Fighter) -> Choice[tuple[Any, ...]]:
        sets: dict[tuple[Any, ...], None] = {(): None}
        for face in self.faces:
            sets |= {(*chosen, face): None for chosen in sets}
        options = tuple(Option(" and ".join(each) or "none", each) for each in sets)
        symbols = tuple(face for face in self.faces if self.shot.dice.total((face,))[1])
        label = f"{self.shot.title}: which dice again?"
        return Choice(label, self.shot.shooter, options, " and ".join(symbols) or "none")

    def then(self, fighter: Fighter, again: tuple[Any, ...]) -> Next[Fighter]:
        kept = list(self.faces)
        for face in again:
            kept.remove(face)
        if not again:
            holes, symbols = self.shot.dice.total(tuple(kept))
            return Next(fighter, Fired(self.shot, self.face, holes, symbols))
        roll = TwinLinkedRoll(self.shot, self.face, len(again), tuple(kept), again=True)
        return Next(fighter, roll)


# -- what was fired --------------------------------------------------------------------------------


class Fired(OfAShot[None], frozen=True, gc=False, cache_hash=True):
    """The attack is made: ammo is checked for each symbol, hits or a miss land.

    Checks depend on symbols, not on whether the shot hit. RF-01, RF-06
    """

    face: int
    holes: int
    symbols: int
    rolled: bool = True

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        shot, hits = self.shot, self.holes if self.shot.dice.rapid else 1
        todo: list[Any] = []
        if self.symbols and shot.ammo.least != NO_CHECK:
            todo.append(AmmoChecks(shot.ammo, self.symbols))
        if self.symbols and shot.ammo.unstable:
            times = self.symbols if shot.ammo.each_symbol else 1
            todo += [Unstable(shot.ammo.unstable, shot.frame)] * times
        landing = shot.landing
        if self.face:
            todo += landing.hits(hits, self.face)
        else:
            todo += landing.misses(hits)
        if shot.checks:
            todo.append(AmmoChecks(shot.ammo, 1))
        if shot.once:
            todo.append(FiredOnce(shot.ammo))
        records = {"ammo_symbols": self.symbols, "hits": landing.scored(hits) if self.face else 0}
        if shot.dice.rapid:
            records["holes"] = self.holes
        return Next(fighter, *todo, records={name: n for name, n in records.items() if n})
