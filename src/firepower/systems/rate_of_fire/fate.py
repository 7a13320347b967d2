"""Fate: a failed test rolled again, a surprise foreseen, a hit made less, fatigue ignored."""

from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Dice
from firepower.chance.readings import Total
from firepower.chance.steps import Choice, Next, Option, Roll, Step
from firepower.systems.rate_of_fire.fighter import Fighter


class FateRules(msgspec.Struct, frozen=True, cache_hash=True):
    """How somebody's Fate works: the dice of a use, the least points for one, and policies.

    `rolled`: what a hit is made less by is the roll of the cost, else as many points as one likes.
    """

    who: str
    cost: Dice
    least: int
    rolled: bool
    reroll: str
    surprise: str
    damage: str
    fatigue: str

    def has(self, fighter: Fighter) -> bool:
        """Whether there are points enough for a use."""
        return fighter.fate is not None and fighter.fate >= self.least

    def spares(self, fighter: Fighter) -> bool:
        """Whether damage may be taken off a hit of this attack."""
        return self.has(fighter) and not fighter.spared and not fighter.down

    def offers_reroll(self, fighter: Fighter) -> bool:
        """Whether a failed test may be rolled again."""
        return self.has(fighter) and not fighter.rerolled

    def choice(self, label: str, fighter: Fighter, *, yes: bool) -> Choice[bool]:
        """The choice to use Fate or not."""
        options = (Option("no", value=False), Option("yes", value=True))
        return Choice(label, self.who, options, "yes" if yes else "no")


class Failed(Protocol):
    """A step whose test failed."""

    def failure(self, read: Any, /) -> str:
        """What happened, for a player."""

    def settle(self, fighter: Fighter, read: Any, /) -> Next[Fighter]:
        """What follows if it is left at that."""


class FateCost(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """What a use of Fate costs; where fewer points are left, none are left."""

    reach = ()

    cost: Dice

    def applies(self, fighter: Fighter) -> bool:
        return bool(fighter.fate)

    def ask(self, fighter: Fighter) -> Roll[int]:
        return Roll("cost of Fate", self.cost, Total("points"))

    def then(self, fighter: Fighter, points: int) -> Next[Fighter]:
        return spend(fighter, points)


def spend(fighter: Fighter, points: int) -> Next[Fighter]:
    """So many points less, or none left."""
    left = fighter.fate or 0
    spent = min(left, points)
    return Next(replace(fighter, fate=left - spent), records={"fate_spent": spent})


class SecondChance(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """A failed test may be rolled again with Fate, once a turn; the new result stands."""

    fate: FateRules
    test: Any
    read: Any
    attacks: bool

    @property
    def reach(self) -> tuple[str, ...] | None:
        reach: tuple[str, ...] | None = self.test.reach
        return reach

    def ask(self, fighter: Fighter) -> Choice[bool] | None:
        if not self.fate.offers_reroll(fighter):
            return None
        label = f"{self.test.failure(self.read)}: roll again with Fate?"
        policy = self.fate.reroll
        wants = policy == "every_test" or (policy == "attacks" and self.attacks)
        return self.fate.choice(label, fighter, yes=wants)

    def then(self, fighter: Fighter, again: bool | None) -> Next[Fighter]:
        if not again:
            failed: Failed = self.test
            return failed.settle(fighter, self.read)
        return Next(replace(fighter, rerolled=True), FateCost(self.fate.cost), self.test)


class OwnSecondChance(SecondChance, frozen=True, gc=False, cache_hash=True):
    """The same for a test whose result stays with the one who makes it."""

    reach = ()


class FateBegins(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """The Fate points of a new character are rolled."""

    reach = ()

    dice: Dice

    def ask(self, fighter: Fighter) -> Roll[int]:
        return Roll("Fate points", self.dice, Total("points"))

    def then(self, fighter: Fighter, points: int) -> Next[Fighter]:
        return Next(replace(fighter, fate=points))
