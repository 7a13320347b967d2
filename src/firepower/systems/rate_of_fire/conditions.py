"""Conditions: who is pinned and for how long, and what being pinned or fatigued does to tests."""

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from firepower.chance.readings import Test
from firepower.chance.steps import Modifier, Next, Step
from firepower.combat.percentile.tests import Parts, PercentileTest
from firepower.systems.rate_of_fire.fate import fate_of
from firepower.systems.rate_of_fire.fighter import NOT_SHOT_AT, Fighter
from firepower.systems.rate_of_fire.ranges import band_of
from firepower.systems.rate_of_fire.shooter import Shooter
from firepower.systems.rate_of_fire.tables import RofSetup, d100_rule


class Hampering(msgspec.Struct, frozen=True, cache_hash=True):
    """What conditions add to tests (None: nothing)."""

    pinned: Modifier | None = None
    fatigued: Modifier | None = None

    def to_hit(self, fighter: Fighter) -> Parts:
        """What a Ranged Combat test of this fighter suffers."""
        pinned = (self.pinned,) if self.pinned is not None and fighter.pinned else ()
        return pinned + self.to_willpower(fighter)

    def to_willpower(self, fighter: Fighter) -> Parts:
        """What a Willpower test of this fighter suffers."""
        return (self.fatigued,) if self.fatigued is not None and fighter.is_tired else ()


def hampering(setup: RofSetup, name: str) -> Hampering:
    """What being pinned or fatigued adds to tests of somebody; nothing if neither can be."""
    rulings, values = setup.rulings, setup.tables.conditions
    combatant = setup.combatants[name]
    if not (lasts(setup) or combatant.pinned or combatant.fatigue):
        return Hampering()
    pinned = fatigued = None
    if rulings.takes("pinned_to_hit", "minus_20"):
        pinned = Modifier("pinned", values.pinned_to_hit, "ruling: pinned_to_hit = minus_20")
    if rulings.takes("fatigued", "minus_10"):
        fatigued = Modifier("fatigued", values.fatigued, "ruling: fatigued = minus_10")
    return Hampering(pinned, fatigued)


def lasts(setup: RofSetup) -> bool:
    """Whether what is done in one action may be read by another."""
    return setup.rounds is not None or len(setup.scenario.do) > 1


def some_may_fall(setup: RofSetup, names: Iterable[str]) -> bool:
    """Whether some of these may be out of action when something is done."""
    return lasts(setup) or any(setup.combatants[name].out_of_action for name in names)


# -- pinning tests -------------------------------------------------------------------------------


class PinningTest(PercentileTest, frozen=True, gc=False, cache_hash=True):
    """A Willpower test with the modifier of a range band; who fails is pinned.

    `spares_the_dead`: who took a lethal injury in this attack does not test.

    R28, E7
    """

    reach = ()
    together = True

    title: str
    spares_the_dead: bool = False
    hampering: Hampering = Hampering()

    @property
    def label(self) -> str:
        return self.title

    def of(self, fighter: Fighter) -> "PinningTest":
        """The test as this fighter makes it: as things stand before the attack does harm."""
        worse = self.hampering.to_willpower(fighter)
        return replace(self, parts=self.parts + worse) if worse else self

    def applies(self, fighter: Fighter) -> bool:
        return not (self.spares_the_dead and fighter.lethal)

    def failed(self, fighter: Fighter, test: Test) -> Next[Fighter]:
        return Next(fighter.pinned_down(), records={"pinned": 1, "pinning_degrees": test.degrees})


def pinning_test(setup: RofSetup, shooter: Shooter, name: str, original: str) -> PinningTest | None:
    """The pinning test of somebody; None if there is none. E6"""
    fighter, pinning = setup.combatants[name], setup.tables.pinning
    if not fighter.tests_pinning:
        return None
    if fighter.willpower is None:
        setup.leave_out(f"pinning of {name}: no 'willpower' is stated")
        return None
    own = setup.rulings.takes("pinning_band", "own")
    band = band_of(setup, shooter, name if own else original) or setup.tables.bands[-1]
    parts = (
        Modifier("Willpower", fighter.willpower, name),
        pinning.part("rules: pinning"),
        Modifier(f"{band.title} range", band.pinning, "rules: pinning"),
    )
    spared = setup.rulings.takes("lethal_pinning", "spared")
    return PinningTest(
        parts,
        d100_rule(setup),
        fate_of(setup, name),
        title=pinning.title,
        spares_the_dead=spared,
        hampering=hampering(setup, name),
    )


class Suppressed(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Somebody in the cone of suppressing fire: shot at, and to be tested as they stand. R23"""

    reach = ()

    test: PinningTest

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(fighter.shot_at(), self.test.of(fighter))


# -- being pinned ends ---------------------------------------------------------------------------


class Recovery(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Being pinned ends at the end of a turn without a test: by a ruling, or in melee."""

    reach = ()

    def applies(self, fighter: Fighter) -> bool:
        return fighter.pinned > 0

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(replace(fighter, pinned=0), records={"recovered": 1})


class RecoveryTest(PercentileTest, frozen=True, gc=False, cache_hash=True):
    """Who is pinned tests Willpower at the end of a turn, and easier if not shot at.

    `not_shot_at` is added if nobody shot at them since their last turn (None: nothing is).
    """

    reach = ()

    not_shot_at: Modifier | None
    hampering: Hampering

    @property
    def label(self) -> str:
        return "recovery from being pinned"

    def applies(self, fighter: Fighter) -> bool:
        return fighter.pinned > 0

    def parts_of(self, fighter: Fighter) -> Parts:
        parts = self.parts + self.hampering.to_willpower(fighter)
        easier = self.not_shot_at is not None and fighter.pinned == NOT_SHOT_AT
        return (*parts, self.not_shot_at) if easier and self.not_shot_at is not None else parts

    def failure(self, test: Test) -> str:
        return "still pinned"

    def kept(self, test: Test) -> None:
        return None

    def passed(self, fighter: Fighter, test: Test) -> Next[Fighter]:
        return Recovery().then(fighter, None)

    def failed(self, fighter: Fighter, test: Test | None) -> Next[Fighter]:
        """Still pinned; whoever shoots at them from now on counts."""
        return Next(replace(fighter, pinned=NOT_SHOT_AT))


def recovery_of(setup: RofSetup, name: str) -> Recovery | RecoveryTest | None:
    """How somebody ceases to be pinned; None if never."""
    combatant, rulings = setup.combatants[name], setup.rulings
    how = rulings["pinned_recovery"]
    if how == "never" or combatant.willpower is None:
        return None
    if how == "end_of_turn" or combatant.engaged:
        return Recovery()
    source = f"ruling: pinned_recovery = {how}"
    parts = (
        Modifier("Willpower", combatant.willpower, name),
        setup.tables.recovery.part(source),
    )
    easier = None
    if how == "test":
        easier = Modifier("not shot at", setup.tables.conditions.not_shot_at, source)
    return RecoveryTest(
        parts,
        d100_rule(setup),
        fate_of(setup, name),
        not_shot_at=easier,
        hampering=hampering(setup, name),
    )
