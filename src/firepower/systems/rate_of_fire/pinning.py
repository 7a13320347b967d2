"""Pinning: who tests, and who keeps their head down."""

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import dice
from firepower.chance.readings import RollUnder, Test
from firepower.chance.steps import Modifier, Next, Roll, Step

D100 = dice("d100")


class Fighter(msgspec.Struct, frozen=True):
    """What changes about a combatant and is still to be read by a rule.

    `astray`: errant hits that found this combatant and have not landed yet.
    """

    pinned: bool = False
    down: bool = False
    astray: int = 0


class PinningTest(Step[Fighter, Test], frozen=True, gc=False, cache_hash=True):
    """A Willpower test with the modifier of a range band; who fails is pinned.

    Who is pinned already has nothing to lose by another test of the same attack.
    """

    local = True

    title: str
    parts: tuple[Modifier, ...]
    test: RollUnder

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.pinned

    def ask(self, fighter: Fighter) -> Roll[Test]:
        return Roll(self.title, D100, self.test, self.parts, self.test.target)

    def then(self, fighter: Fighter, test: Test) -> Next[Fighter]:
        if test.success:
            return Next(fighter)
        pinned = replace(fighter, pinned=True)
        return Next(pinned, records={"pinning_degrees": test.degrees})


class Unpinned(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """A suppressing fire that jammed pins nobody, under the ruling that says so."""

    local = True

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(replace(fighter, pinned=False))


def is_pinned(fighter: Fighter) -> bool:
    """Whether this fighter is pinned."""
    return fighter.pinned
