"""A d100 test: its parts add up to a number, a roll of it or less succeeds, and luck may help."""

from typing import Any, ClassVar, Protocol

import msgspec

from firepower.chance.notation import dice
from firepower.chance.readings import DegreeRule, RollUnder
from firepower.chance.steps import Choice, Modifier, Next, Roll, Step

D100 = dice("d100")
Parts = tuple[Modifier, ...]


class D100Rule(msgspec.Struct, frozen=True, cache_hash=True):
    """How the parts of a test make a target number, and how a roll is read against it."""

    degrees: DegreeRule
    natural_extremes: bool
    clamped: bool

    def of(self, parts: Parts) -> RollUnder:
        """The test that these parts add up to."""
        target = sum(part.value for part in parts)
        if self.clamped:
            target = max(1, min(100, target))
        return RollUnder(target, self.degrees, self.natural_extremes)


class Luck(Protocol):
    """What lets somebody roll a failed test again."""

    def offers(self, part: Any, /) -> bool:
        """Whether this failed test may be rolled again."""

    def asks(self, failure: str, part: Any, /, *, attacks: bool) -> Choice[bool]:
        """The choice to do so or not."""

    def again(self, part: Any, test: Any, /) -> Next[Any]:
        """What it costs, and then the test."""


class PercentileTest(Step[Any, Any], frozen=True, gc=False, cache_hash=True):
    """A test: `passed` or `failed`, and in between the luck of whoever makes it (None: no luck).

    A failed test may be rolled again if luck offers it; the new result stands.
    """

    parts: Parts
    rule: D100Rule
    luck: Any

    attacks: ClassVar[bool] = False

    @property
    def label(self) -> str:
        """What the test is called."""
        raise NotImplementedError  # each says it; a Struct cannot be abstract

    def parts_of(self, part: Any) -> Parts:
        """What adds up to the number, as things stand with this combatant."""
        return self.parts

    def reading(self, test: RollUnder) -> Any:
        """How a roll is read; what is read knows its `success`."""
        return test

    def ask(self, part: Any) -> Roll[Any] | None:
        parts = self.parts_of(part)
        test = self.rule.of(parts)
        return Roll(self.label, D100, self.reading(test), parts, test.target)

    def then(self, part: Any, read: Any) -> Next[Any]:
        if read.success:
            return self.passed(part, read)
        if self.luck is not None and self.luck.offers(part):
            return Next(part, SecondChance(self, self.kept(read)))
        return self.failed(part, read)

    def kept(self, read: Any) -> Any:
        """What of a failure still matters if it is left at that."""
        return read

    def failure(self, read: Any) -> str:
        """What happened, for a player."""
        return f"{self.label}, {read.text}"

    def passed(self, part: Any, read: Any) -> Next[Any]:
        """What a success brings."""
        return Next(part)

    def failed(self, part: Any, read: Any) -> Next[Any]:
        """What a failure brings."""
        return Next(part)


class SecondChance(Step[Any, Any], frozen=True, gc=False, cache_hash=True):
    """A failed test may be rolled again; the new result stands."""

    test: Any
    read: Any

    @property
    def reach(self) -> tuple[str, ...] | None:
        reach: tuple[str, ...] | None = self.test.reach
        return reach

    def ask(self, part: Any) -> Choice[bool] | None:
        test: PercentileTest = self.test
        if not test.luck.offers(part):
            return None
        choice: Choice[bool] = test.luck.asks(test.failure(self.read), part, attacks=test.attacks)
        return choice

    def then(self, part: Any, again: bool | None) -> Next[Any]:
        test: PercentileTest = self.test
        after: Next[Any] = test.luck.again(part, test) if again else test.failed(part, self.read)
        return after
