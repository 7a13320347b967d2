"""Does a hit wound? Wound rolls, and what traits put in their place or in that of Injury dice."""

from typing import ClassVar, TypeVar

import msgspec
from msgspec.structs import replace

from firepower.chance.notation import dice
from firepower.chance.readings import AtLeast, AtMost, Total
from firepower.chance.steps import Next, Roll, Task
from firepower.systems.necromunda.damage import Harm, OfAHit, begin, dodge_or_save, wounded
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.injury import D6, NerveTest, injured
from firepower.systems.necromunda.traits import Trait

R = TypeVar("R")


class WoundReading(msgspec.Struct, frozen=True):
    """Whether a D6 wounds (1), or wounds with the 6 that a trait asks for (6), or not (0)."""

    least: int
    sixes: bool

    def read(self, total: int) -> int:
        if total < self.least:
            return 0
        return 6 if self.sixes and total == 6 else 1

    @property
    def need(self) -> str:
        return f"{self.least}+"

    def words(self, read: int) -> str:
        return {0: "no wound", 1: "wound", 6: "wound with a 6"}[read]


class AtToughness(OfAHit[R], frozen=True, gc=False, cache_hash=True):
    """A roll against the Toughness that is left, or `toughness` where all hits meet the same."""

    meets: ClassVar[bool] = True

    toughness: int | None = None

    def met(self, fighter: Fighter) -> int:
        """The Toughness that the hit meets."""
        return self.toughness or self.body.toughness(fighter)


class ToWound(AtToughness[int], frozen=True, gc=False, cache_hash=True):
    """To wound: Strength against Toughness, by the table."""

    def ask(self, fighter: Fighter) -> Roll[int] | None:
        if self.harm.sure:
            return None
        toughness = self.met(fighter)
        label = f"to wound, S{self.harm.strength} against T{toughness}"
        sixes = not self.harm.traits.isdisjoint((Trait.RENDING, Trait.SHRED, Trait.SEISMIC))
        reading = WoundReading(self.body.needs[toughness - 1], sixes)
        return Roll(label, D6, reading, by=self.harm.attacker)

    def then(self, fighter: Fighter, read: int | None) -> Next[Fighter]:
        if read == 0:
            return Next(fighter)
        return wounded(fighter, self.body, _with_six(self.harm) if read == 6 else self.harm)


def _with_six(harm: Harm) -> Harm:
    """What a 6 to wound makes of a hit: Rending, Shred, Seismic."""
    if Trait.RENDING in harm.traits and harm.damage is not None:
        harm = replace(harm, damage=harm.damage + 1)
    if Trait.SHRED in harm.traits:
        harm = replace(harm, ap=2 * harm.ap)
    if Trait.SEISMIC in harm.traits:
        harm = replace(harm, bare=True, naked=True)
    return harm


class AgainstToughness(AtToughness[bool], frozen=True, gc=False, cache_hash=True):
    """Toxin, Gas: no wound roll, but a D6 of the Toughness or more, or a natural 6.

    What succeeds means an Injury roll, whatever Wounds are left.
    """

    def ask(self, fighter: Fighter) -> Roll[bool] | None:
        if self.harm.sure:
            return None
        gas = Trait.GAS in self.harm.traits
        toughness = self.met(fighter) + (self.body.against_gas if gas else 0)
        label = f"{'gas' if gas else 'toxin'} against T{toughness}"
        return Roll(label, D6, AtLeast(toughness, always_passes=6), by=self.harm.attacker)

    def then(self, fighter: Fighter, works: bool | None) -> Next[Fighter]:
        if works is False:
            return Next(fighter)
        harm = replace(self.harm, damage=None)
        return Next(fighter, dodge_or_save(fighter, self.body, harm), records={"wounds": 1})


class FlashTest(OfAHit[bool], frozen=True, gc=False, cache_hash=True):
    """Flash: no wound roll; who fails an Initiative test is Blind, and not Ready."""

    def ask(self, fighter: Fighter) -> Roll[bool]:
        need = self.body.initiative_of(fighter)
        return Roll("Initiative, against Flash", D6, AtLeast(need, natural_1_fails=True))

    def then(self, fighter: Fighter, passed: bool) -> Next[Fighter]:
        if passed:
            return Next(fighter)
        blind = replace(fighter, blind=True, ready=False, waits=not fighter.ready)
        return Next(blind, records={"blind": 1})


class GravitonTest(OfAHit[bool], frozen=True, gc=False, cache_hash=True):
    """Graviton Pulse: no wound roll; who rolls over its Strength, or a 6, suffers the Damage."""

    def ask(self, fighter: Fighter) -> Roll[bool]:
        highest = min(5, self.body.strength)
        return Roll("Strength, against a graviton pulse", D6, AtMost(highest))

    def then(self, fighter: Fighter, passed: bool) -> Next[Fighter]:
        if passed:
            return Next(fighter)
        return wounded(fighter, self.body, self.harm)


class Scattershot(OfAHit[int], frozen=True, gc=False, cache_hash=True):
    """Scattershot: each hit makes D6 wound rolls."""

    def ask(self, fighter: Fighter) -> Roll[int]:
        return Roll("wound rolls of a scattershot", D6, Total("times"), by=self.harm.attacker)

    def then(self, fighter: Fighter, times: int) -> Next[Fighter]:
        return Next(fighter, Task(begin(fighter, self.body, self.harm), times=times))


# -- in place of Injury dice -----------------------------------------------------------------------


class FearTest(OfAHit[None], frozen=True, gc=False, cache_hash=True):
    """Fear: where Injury dice would be rolled, a nerve test is, and it is harder."""

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        body = self.body
        if body.nerve is None:
            return Next(fighter)
        return Next(fighter, Task(NerveTest(body.nerve, body.fear), (body.name,)))


class ToxinContest(OfAHit[int], frozen=True, gc=False, cache_hash=True):
    """Toxin as it was in 2017, in place of Injury dice: 2D6 against a D6 and Toughness.

    More: out of action; as much: Seriously Injured; less: nothing.
    """

    def ask(self, fighter: Fighter) -> Roll[int]:
        toughness = self.body.toughness(fighter)
        label = f"toxin, 2D6 less a D6 against T{toughness}"
        return Roll(label, dice("2d6-d6"), Contest(toughness), by=self.harm.attacker)

    def then(self, fighter: Fighter, sign: int) -> Next[Fighter]:
        return injured(fighter, self.body.frame, 0, int(sign == 0), int(sign > 0))


class Contest(msgspec.Struct, frozen=True):
    """Whether a number is less than (-1), as much as (0) or more than (1) another."""

    other: int

    def read(self, total: int) -> int:
        return (total > self.other) - (total < self.other)

    @property
    def need(self) -> str:
        return f"more than {self.other}"

    def words(self, read: int) -> str:
        return {-1: "no effect", 0: "seriously injured", 1: "out of action"}[read]
