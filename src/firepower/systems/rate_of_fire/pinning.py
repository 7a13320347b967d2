"""Pinning: who tests, and who keeps their head down."""

import msgspec

from firepower.chance.dice import dice
from firepower.chance.readings import RollUnder, Test
from firepower.chance.steps import Modifier, Next, Roll, Step

D100 = dice("d100")


class Fighter(msgspec.Struct, frozen=True):
    """What changes about a combatant and is still to be read by a rule.

    `down`: has taken a lethal injury. `astray`: errant hits that found this combatant and have
    not landed yet.
    """

    down: bool = False
    astray: int = 0


class PinningTest(Step[Fighter, Test], frozen=True, gc=False, cache_hash=True):
    """A Willpower test with the modifier of a range band; who fails is pinned.

    `spares_the_dead`: who took a lethal injury in this attack does not test.
    """

    local = True
    together = True

    title: str
    parts: tuple[Modifier, ...]
    test: RollUnder
    spares_the_dead: bool = False

    def applies(self, fighter: Fighter) -> bool:
        return not (self.spares_the_dead and fighter.down)

    def ask(self, fighter: Fighter) -> Roll[Test]:
        return Roll(self.title, D100, self.test, self.parts, self.test.target)

    def then(self, fighter: Fighter, test: Test) -> Next[Fighter]:
        if test.success:
            return Next(fighter)
        return Next(fighter, records={"pinned": 1, "pinning_degrees": test.degrees})
