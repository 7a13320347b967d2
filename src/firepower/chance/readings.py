"""Readings: what a step wants to know about the dice, stated once.

A reading serves the odds (few outcomes in place of a hundred faces), the explanation ("4+")
and the typed die alike. Any frozen value with `read`, `need` and `words` is a reading; games
add their own.
"""

from collections.abc import Hashable
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import msgspec

R = TypeVar("R", bound=Hashable)
R_co = TypeVar("R_co", covariant=True)


class Reading(Protocol[R_co]):
    """How a total is read."""

    def read(self, total: Any, /) -> R_co:
        """What the step gets to know."""

    @property
    def need(self) -> str:
        """What has to be rolled, for a player: "4+"; empty if every total counts."""

    def words(self, read: Any, /) -> str:
        """What was read, for a player: "passed"; empty if the total says it all."""


class Total(msgspec.Struct, frozen=True, gc=False):
    """The total itself."""

    unit: str = ""

    def read(self, total: Any) -> Any:
        return total

    @property
    def need(self) -> str:
        return ""

    def words(self, read: object) -> str:
        return f"{read} {self.unit}" if self.unit else ""


class AtLeast(msgspec.Struct, frozen=True, gc=False):
    """A need such as 4+; a natural 1 may always fail, the `natural` face may always pass."""

    least: int
    natural_1_fails: bool = False
    always_passes: int | None = None

    def read(self, total: int) -> bool:
        if total == self.always_passes:
            return True
        return total >= self.least and not (self.natural_1_fails and total == 1)

    @property
    def need(self) -> str:
        least = max(self.least, 2) if self.natural_1_fails else self.least
        return f"{least}+" if self.always_passes is None else f"{min(least, self.always_passes)}+"

    def words(self, read: bool) -> str:
        return "passed" if read else "failed"


class AtMost(msgspec.Struct, frozen=True, gc=False):
    """So much or less."""

    most: int

    def read(self, total: int) -> bool:
        return total <= self.most

    @property
    def need(self) -> str:
        return f"{self.most} or less"

    def words(self, read: bool) -> str:
        return "passed" if read else "failed"


class AnyOf(msgspec.Struct, frozen=True, gc=False):
    """Whether the total is one of these."""

    faces: frozenset[int | str]

    def read(self, total: int | str) -> bool:
        return total in self.faces

    @property
    def need(self) -> str:
        return _any_of(self.faces)

    def words(self, read: bool) -> str:
        return "yes" if read else "no"


def _any_of(faces: frozenset[int | str]) -> str:
    by_size = sorted(faces, key=lambda face: (isinstance(face, str), face))
    return " or ".join(str(face) for face in by_size)


class Count(msgspec.Struct, frozen=True, gc=False):
    """How many of several faces are one of these: every natural 10."""

    faces: frozenset[int | str]

    def read(self, total: tuple[int | str, ...]) -> int:
        return sum([face in self.faces for face in total])

    @property
    def need(self) -> str:
        return _any_of(self.faces)

    def words(self, read: int) -> str:
        return f"{read} {'shows' if read == 1 else 'show'} {self.need}"


class Highest(msgspec.Struct, frozen=True, gc=False):
    """The highest of several faces: the better of two."""

    def read(self, total: tuple[int, ...]) -> int:
        return max(total)

    @property
    def need(self) -> str:
        return ""

    def words(self, read: int) -> str:
        return str(read)


class Lowest(msgspec.Struct, frozen=True, gc=False):
    """The lowest of several faces: the worse of two."""

    def read(self, total: tuple[int, ...]) -> int:
        return min(total)

    @property
    def need(self) -> str:
        return ""

    def words(self, read: int) -> str:
        return str(read)


class Doubles(msgspec.Struct, frozen=True, gc=False):
    """Whether two or more of several faces are the same."""

    def read(self, total: tuple[int | str, ...]) -> bool:
        return len(set(total)) < len(total)

    @property
    def need(self) -> str:
        return "doubles"

    def words(self, read: bool) -> str:
        return "doubles" if read else "no doubles"


class Band(msgspec.Struct, Generic[R], frozen=True, gc=False):
    """A table: (highest total of the row, what the row means), ascending; the last row is open."""

    rows: tuple[tuple[int, R], ...]

    def read(self, total: int) -> R:
        for highest, meaning in self.rows:
            if total <= highest:
                return meaning
        return self.rows[-1][1]

    @property
    def need(self) -> str:
        return ""

    def words(self, read: R) -> str:
        return str(read)


DegreeRule = Literal["one_plus_tens", "at_least_one", "tens", "tens_digits"]
"""How degrees are counted from the margin between target number and roll."""


def degrees(rule: DegreeRule, target: int, roll: int) -> int:
    """Degrees of success of a roll that is not above its target, else degrees of failure.

    `one_plus_tens`: 1 and one more per full ten of margin; `at_least_one`: one per full ten,
    never none; `tens`: one per full ten; `tens_digits`: 1 and the difference of the tens.
    """
    margin = abs(target - roll)
    if rule == "one_plus_tens":
        return 1 + margin // 10
    if rule == "at_least_one":
        return max(1, margin // 10)
    if rule == "tens":
        return margin // 10
    return 1 + abs(target // 10 - roll // 10)


class Test(msgspec.Struct, frozen=True, gc=False):
    """What a d100 test came to: success, and its degrees (of success or of failure)."""

    __test__: ClassVar[bool] = False  # no test for a collector of tests

    success: bool
    degrees: int

    @property
    def text(self) -> str:
        kind = "success" if self.success else "failure"
        plural = "" if self.degrees == 1 else "s"
        return f"{self.degrees} degree{plural} of {kind}"


class RollUnder(msgspec.Struct, frozen=True, gc=False):
    """A d100 test: success on the target or less.

    With `natural_extremes` a 1 always succeeds and a 100 always fails; a result that only this
    rule made has one degree, or none where a bare success has none.
    """

    target: int
    rule: DegreeRule = "one_plus_tens"
    natural_extremes: bool = True

    def read(self, roll: int) -> Test:
        plain = roll <= self.target
        success = plain
        if self.natural_extremes and roll in (1, 100):
            success = roll == 1
        if success and not plain:
            return Test(success, min(1, degrees(self.rule, self.target, self.target)))
        if success != plain:
            return Test(success, 1)
        return Test(success, degrees(self.rule, self.target, roll))

    @property
    def need(self) -> str:
        if not self.natural_extremes:
            return f"{self.target} or less"
        return f"{min(99, max(1, self.target))} or less"

    def words(self, read: Test) -> str:
        return read.text
