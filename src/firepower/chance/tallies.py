"""Tallies: numbers made of what steps record, or of how things stand in the end."""

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeAlias

import msgspec

from firepower.chance.errors import FallsError, StepError

Address: TypeAlias = str | tuple[str, ...]
"""One combatant, or several together; EVERYBODY are all there are, NOBODY is nobody."""

EVERYBODY = ""
NOBODY: tuple[str, ...] = ()

Records: TypeAlias = tuple[tuple[str, int, int], ...]
"""What was recorded on one way: a name, the sum, and the greatest single amount.

The two differ where repeats of a step were pooled.
"""


def once(records: Iterable[tuple[str, int]]) -> Records:
    """Records that were each made at one time."""
    return tuple([(name, amount, amount) for name, amount in records])


class Tally(msgspec.Struct, frozen=True, cache_hash=True):
    """A number made of records: those of the names given, added up, the greatest, or whether any.

    A record's name is `combatant.record`, or `record` alone where it is nobody's. `weights` say
    how often each name counts in a sum (a score: ours once, theirs minus once); without them each
    counts once. With `cap` the number stops there. `any` gives booleans.
    """

    names: tuple[str, ...]
    how: str = "sum"
    cap: int | None = None
    weights: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.how not in ("sum", "greatest", "any"):
            raise StepError(f"a tally is a sum, greatest or any, not {self.how!r}")
        if not self.weights:
            return
        if self.how != "sum" or len(self.weights) != len(self.names):
            raise StepError(f"only a sum has weights, one for each of its names: {self}")
        if self.cap is not None and min(self.weights) < 0:
            raise FallsError(f"a sum that may fall has no cap: {self}")

    def gain(self, records: Records) -> int:
        """What these records are worth: their sum, or the greatest of them."""
        names = self.names
        if self.how != "sum":
            return max((most for name, _, most in records if name in names), default=0)
        if not self.weights:
            return sum([total for name, total, _ in records if name in names])
        by_name = dict(zip(names, self.weights, strict=True))
        return sum([by_name.get(name, 0) * total for name, total, _ in records])

    def grow(self, number: int, gain: int) -> int:
        """The number after such a gain."""
        if self.how == "any":
            return int(number > 0 or gain > 0)
        if self.how == "greatest":
            return self.capped(max(number, gain))
        self.check_rises(gain)
        return self.capped(number + gain)

    def check_rises(self, gain: int) -> None:
        """FallsError if a gain is a loss and there is a cap: it would hide how much was lost."""
        if gain < 0 and self.cap is not None:
            raise FallsError(f"a sum that may fall has no cap: {self}")

    def add(self, number: int, records: Records) -> int:
        """The number after these records."""
        return self.grow(number, self.gain(records))

    def capped(self, number: int) -> int:
        """The number, no higher than the cap, nor than 1 for whether any."""
        if self.how == "any":
            return int(number > 0)
        return number if self.cap is None else min(number, self.cap)

    def outcome(self, number: int) -> int | bool:
        """The number as it is reported."""
        return number > 0 if self.how == "any" else number

    def owners(self) -> frozenset[str]:
        """The combatants whose records count; EVERYBODY if some are nobody's."""
        return frozenset(name.rpartition(".")[0] for name in self.names)


class Final(msgspec.Struct, frozen=True):
    """Something about the end: a function of one combatant's part, or of a View of several."""

    who: Address
    of: Callable[[Any], Hashable]

    def owners(self) -> frozenset[str]:
        """Those whose parts it looks at."""
        return frozenset((self.who,) if isinstance(self.who, str) else self.who)


AnyTally: TypeAlias = Tally | Final
