"""Fate: a failed test rolled again, a surprise foreseen, a hit made less, fatigue ignored."""

from typing import Any

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Dice
from firepower.chance.notation import dice
from firepower.chance.readings import Total
from firepower.chance.steps import Choice, Next, Option, Roll, Step
from firepower.systems.rate_of_fire.fighter import Fighter
from firepower.systems.rate_of_fire.tables import RofSetup


class FateRules(msgspec.Struct, frozen=True, cache_hash=True):
    """How somebody's Fate works: the dice of a use, the least points for one, and policies.

    `rolled`: what a hit is made less by is the roll of the cost, else as many points as one likes.

    R42
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
        return self.has(fighter) and not fighter.spared and not fighter.lethal

    def choice(self, label: str, *, yes: bool) -> Choice[bool]:
        """The choice to use Fate or not."""
        options = (Option("no", value=False), Option("yes", value=True))
        return Choice(label, self.who, options, "yes" if yes else "no")

    # -- a failed test rolled again, once a turn -------------------------------------------------

    def offers(self, fighter: Fighter) -> bool:
        """Whether a failed test may be rolled again."""
        return self.has(fighter) and not fighter.rerolled

    def asks(self, failure: str, fighter: Fighter, *, attacks: bool) -> Choice[bool]:
        """The choice to roll again or not."""
        wants = self.reroll == "every_test" or (self.reroll == "attacks" and attacks)
        return self.choice(f"{failure}: roll again with Fate?", yes=wants)

    def again(self, fighter: Fighter, test: Any) -> Next[Fighter]:
        """What it costs, and then the test."""
        return Next(replace(fighter, rerolled=True), FateCost(self.cost), test)


def fate_of(setup: RofSetup, name: str) -> FateRules | None:
    """How somebody's Fate works; None for who has none."""
    if setup.combatants[name].fate is None:
        return None
    rulings, policies = setup.rulings, setup.policies
    cost = dice(setup.tables.fate.cost)
    highest = max(total for total, _ in cost.weights())
    least = highest if rulings.takes("fate_short", "highest_cost") else 1
    return FateRules(
        name,
        cost,
        least,
        rolled=rulings.takes("fate_mitigation", "rolled"),
        reroll=policies["fate_reroll"],
        surprise=policies["fate_surprise"],
        damage=policies["fate_damage"],
        fatigue=policies["fate_fatigue"],
    )


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


class FateBegins(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """The Fate points of a new character are rolled."""

    reach = ()

    dice: Dice

    def ask(self, fighter: Fighter) -> Roll[int]:
        return Roll("Fate points", self.dice, Total("points"))

    def then(self, fighter: Fighter, points: int) -> Next[Fighter]:
        return Next(replace(fighter, fate=points))


class RerollAgain(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """A turn begins, anybody's, and a failed test may be rolled again once more."""

    reach = ()

    def applies(self, fighter: Fighter) -> bool:
        return fighter.rerolled

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(replace(fighter, rerolled=False))
