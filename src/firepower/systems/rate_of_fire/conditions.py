"""Conditions: who is pinned and for how long, and what being pinned or fatigued does to tests."""

import msgspec
from msgspec.structs import replace

from firepower.chance.notation import dice
from firepower.chance.readings import DegreeRule, RollUnder, Test
from firepower.chance.steps import Modifier, Next, Roll, Step
from firepower.systems.rate_of_fire.fate import FateRules, OwnSecondChance
from firepower.systems.rate_of_fire.fighter import NOT_SHOT_AT, SHOT_AT, Fighter

D100 = dice("d100")
Parts = tuple[Modifier, ...]


class TestRule(msgspec.Struct, frozen=True, cache_hash=True):
    """How the parts of a test make a target number, and how a roll is read against it."""

    __test__ = False  # no test for a collector of tests

    degrees: DegreeRule
    natural_extremes: bool
    clamped: bool

    def of(self, parts: Parts) -> RollUnder:
        """The test that these parts add up to."""
        target = sum(part.value for part in parts)
        if self.clamped:
            target = max(1, min(100, target))
        return RollUnder(target, self.degrees, self.natural_extremes)


class Hampering(msgspec.Struct, frozen=True, cache_hash=True):
    """What conditions add to tests (None: nothing), in a fight where they last."""

    pinned: Modifier | None = None
    fatigued: Modifier | None = None

    def to_hit(self, fighter: Fighter) -> Parts:
        """What a Ranged Combat test of this fighter suffers."""
        pinned = (self.pinned,) if self.pinned is not None and fighter.pinned else ()
        return pinned + self.to_willpower(fighter)

    def to_willpower(self, fighter: Fighter) -> Parts:
        """What a Willpower test of this fighter suffers."""
        return (self.fatigued,) if self.fatigued is not None and fighter.is_tired else ()


class PinningTest(Step[Fighter, Test], frozen=True, gc=False, cache_hash=True):
    """A Willpower test with the modifier of a range band; who fails is pinned.

    `spares_the_dead`: who took a lethal injury in this attack does not test. `lasts`: being pinned
    is still to be read by a rule.
    """

    reach = ()
    together = True

    title: str
    parts: Parts
    rule: TestRule
    spares_the_dead: bool = False
    lasts: bool = False
    hampering: Hampering = Hampering()
    fate: FateRules | None = None

    def of(self, fighter: Fighter) -> "PinningTest":
        """The test as this fighter makes it: as things stand before the attack does harm."""
        worse = self.hampering.to_willpower(fighter)
        return replace(self, parts=self.parts + worse) if worse else self

    def applies(self, fighter: Fighter) -> bool:
        return not (self.spares_the_dead and fighter.down)

    def ask(self, fighter: Fighter) -> Roll[Test]:
        test = self.rule.of(self.parts)
        return Roll(self.title, D100, test, self.parts, test.target)

    def then(self, fighter: Fighter, test: Test) -> Next[Fighter]:
        if test.success:
            return Next(fighter)
        if self.fate is not None and self.fate.offers_reroll(fighter):
            return Next(fighter, OwnSecondChance(self.fate, self, test, attacks=False))
        return self.settle(fighter, test)

    def failure(self, test: Test) -> str:
        return f"{self.title}, {test.text}"

    def settle(self, fighter: Fighter, test: Test) -> Next[Fighter]:
        """What a failure does."""
        if self.lasts and not fighter.out:
            fighter = replace(fighter, pinned=SHOT_AT)
        return Next(fighter, records={"pinned": 1, "pinning_degrees": test.degrees})


class Suppressed(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Somebody in the cone of suppressing fire: shot at, and to be tested as they stand."""

    reach = ()

    test: PinningTest

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(fighter.shot_at(), self.test.of(fighter))


class Recovery(msgspec.Struct, frozen=True, cache_hash=True):
    """How somebody ceases to be pinned at the end of a turn: by a test of these parts, or without
    one; `not_shot_at` is added if nobody shot at them since their last turn."""

    parts: Parts
    rule: TestRule
    not_shot_at: Modifier | None
    hampering: Hampering
    fate: FateRules | None
    tests: bool = True


class RecoveryTest(Step[Fighter, Test], frozen=True, gc=False, cache_hash=True):
    """Who is pinned tests Willpower at the end of a turn, and easier if not shot at."""

    reach = ()

    recovery: Recovery

    def applies(self, fighter: Fighter) -> bool:
        return fighter.pinned > 0

    def ask(self, fighter: Fighter) -> Roll[Test] | None:
        how = self.recovery
        if not how.tests:
            return None
        parts = how.parts + how.hampering.to_willpower(fighter)
        if how.not_shot_at is not None and fighter.pinned == NOT_SHOT_AT:
            parts += (how.not_shot_at,)
        test = how.rule.of(parts)
        return Roll("recovery from being pinned", D100, test, parts, test.target)

    def then(self, fighter: Fighter, test: Test | None) -> Next[Fighter]:
        if test is None or test.success:
            return Next(replace(fighter, pinned=0), records={"recovered": 1})
        fate = self.recovery.fate
        if fate is not None and fate.offers_reroll(fighter):
            return Next(fighter, OwnSecondChance(fate, self, None, attacks=False))
        return self.settle(fighter, None)

    def failure(self, _: None) -> str:
        return "still pinned"

    def settle(self, fighter: Fighter, _: None) -> Next[Fighter]:
        """Still pinned; whoever shoots at them from now on counts."""
        return Next(replace(fighter, pinned=NOT_SHOT_AT))
