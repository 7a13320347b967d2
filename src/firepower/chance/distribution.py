"""Distributions: every outcome with its exact probability."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import gcd, sqrt
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T", bound=Hashable)


class Distribution(Generic[T]):
    """Outcomes with whole-number weights over one denominator; immutable.

    The weights sum to `total`. Numbers and booleans have a mean (a boolean counts as 0 or 1).
    Iterating gives (outcome, probability), outcomes ascending where they can be compared.
    """

    def __init__(self, weights: Mapping[T, int]) -> None:
        kept = {outcome: weight for outcome, weight in weights.items() if weight}
        if not kept or any(weight < 0 for weight in kept.values()):
            raise ValueError("a distribution needs weights that are not negative and not all zero")
        shared = gcd(*kept.values())
        order = _in_order(kept)
        self.weights: Mapping[T, int] = {outcome: kept[outcome] // shared for outcome in order}
        self.total = sum(self.weights.values())

    def __iter__(self) -> Iterator[tuple[T, Fraction]]:
        for outcome, weight in self.weights.items():
            yield outcome, Fraction(weight, self.total)

    def __len__(self) -> int:
        return len(self.weights)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Distribution) and dict(self.weights) == dict(other.weights)

    def __hash__(self) -> int:
        return hash(tuple(self.weights.items()))

    def __repr__(self) -> str:
        return f"Distribution({dict(self.weights)!r})"

    def p(self, outcome: T) -> Fraction:
        """The probability of one outcome."""
        return Fraction(self.weights.get(outcome, 0), self.total)

    def at_least(self, outcome: T) -> Fraction:
        """The probability of this outcome or a greater one."""
        return self.chance(lambda other: bool(other >= outcome))  # type: ignore[operator]  # ordered

    def chance(self, condition: Callable[[T], bool]) -> Fraction:
        """The probability that the outcome meets a condition."""
        return Fraction(sum(w for o, w in self.weights.items() if condition(o)), self.total)

    @cached_property
    def mean(self) -> Fraction:
        """The expected outcome."""
        return Fraction(sum(_number(o) * w for o, w in self.weights.items()), self.total)

    @cached_property
    def variance(self) -> Fraction:
        """The expected square of the distance from the mean."""
        squares = sum(_number(o) ** 2 * w for o, w in self.weights.items())
        return Fraction(squares, self.total) - self.mean**2

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)

    def quantile(self, share: Fraction | float) -> T:
        """The smallest outcome that at least this share (0 to 1) of all cases does not exceed."""
        needed = Fraction(share)
        if not 0 <= needed <= 1:
            raise ValueError(f"a share lies between 0 and 1, not {share}")
        reached = accumulate(self.weights.values())
        return next(
            outcome
            for outcome, seen in zip(self.weights, reached, strict=True)
            if Fraction(seen, self.total) >= needed
        )

    def map(self, function: Callable[[T], Hashable]) -> "Distribution[Hashable]":
        """The distribution of a function of the outcome."""
        weights: dict[Hashable, int] = {}
        for outcome, weight in self.weights.items():
            key = function(outcome)
            weights[key] = weights.get(key, 0) + weight
        return Distribution(weights)


def _in_order(outcomes: Iterable[T]) -> list[T]:
    """Outcomes ascending; those that cannot be compared by their kind and as they are written."""
    try:
        return sorted(cast("Iterable[Any]", outcomes))
    except TypeError:
        return sorted(outcomes, key=lambda outcome: (type(outcome).__name__, repr(outcome)))


def _number(outcome: object) -> int:
    if not isinstance(outcome, int):
        raise TypeError(f"{outcome!r} is not a number, so it has no mean")
    return int(outcome)
