"""Dice: what lies on the table, what it comes to, and how often.

>>> Dice("2d6+3", (Term(die(6), 2),), plus=3).weights()[:3]
((5, 1), (6, 2), (7, 3))
>>> Faces((die(6), die(6))).total((6, 2))
(2, 6)
"""

from collections.abc import Hashable, Sequence
from functools import lru_cache, reduce
from itertools import chain, combinations_with_replacement, groupby, islice
from math import comb, factorial, prod
from operator import mul
from typing import Protocol, TypeAlias, TypeVar, cast

import msgspec

from firepower.chance.errors import DiceError

Face: TypeAlias = int | str

MAX_DICE = 100
MAX_TOTALS = 20_000
MAX_DIGITS = 9

V = TypeVar("V", bound=Hashable)


class Die(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """One physical die: its faces and a whole-number weight for each."""

    name: str
    faces: tuple[Face, ...]
    weights: tuple[int, ...]

    def read(self, typed: str) -> Face:
        """The face that a person typed; on a die of 1 to 10 or 100, all noughts are the highest.

        Raises DiceError if the die has no such face.
        """
        text = typed.strip()
        if text in self.faces:
            return text
        if len(text) <= MAX_DIGITS and text.removeprefix("-").isdecimal():
            number = int(text)
            if number in self.faces:
                return number
        if text in ("0", "00", "000") and self.faces[-1] in (10, 100):
            return self.faces[-1]
        shown = ", ".join(str(face) for face in self.faces)
        if self.faces == tuple(range(1, len(self.faces) + 1)):
            shown = f"1 to {len(self.faces)}"
        raise DiceError(f"a {self.name} has no face {text!r}; its faces are {shown}")


class Throw(Protocol):
    """What one roll throws: the physical dice, and what their faces come to together."""

    def physical(self) -> tuple[Die, ...]:
        """The dice that are thrown, in order."""

    def total(self, faces: tuple[Face, ...]) -> object:
        """What these faces come to, one face for each physical die."""

    def weights(self) -> tuple[tuple[object, int], ...]:
        """Every total with its whole-number weight."""


class Term(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """`count` equal dice, all or the `keep` highest (lowest if negative) added, times a factor.

    Raises DiceError if the die has a face that is no whole number.
    """

    die: Die
    count: int = 1
    keep: int = 0
    times: int = 1

    def __post_init__(self) -> None:
        for face in self.die.faces:
            if not isinstance(face, int):
                raise DiceError(f"a {self.die.name} cannot be added up: it shows {face!r}")

    def total(self, faces: tuple[int, ...]) -> int:
        kept = sorted(faces, reverse=self.keep > 0)[: abs(self.keep) or None]
        return self.times * sum(kept)


class Dice(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A sum of numeric dice and a constant: `2d6+d4-1`."""

    text: str
    terms: tuple[Term, ...]
    plus: int = 0

    def __str__(self) -> str:
        return self.text

    def physical(self) -> tuple[Die, ...]:
        """The dice that are thrown, in order."""
        return tuple(term.die for term in self.terms for _ in range(term.count))

    def total(self, faces: tuple[Face, ...]) -> int:
        """The sum that these faces make, one face for each physical die."""
        left = iter(cast("tuple[int, ...]", faces))
        return self.plus + sum(term.total(tuple(islice(left, term.count))) for term in self.terms)

    def weights(self) -> tuple[tuple[int, int], ...]:
        """Every total with its whole-number weight, totals ascending."""
        return _sum_weights(self)


class Handful(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """Equal dice whose faces are counted in several columns at once (hits and symbols, say).

    `worth` gives the columns of each face of `die`, in the order of its faces.
    """

    die: Die
    count: int
    worth: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return _several(self.die, self.count)

    def physical(self) -> tuple[Die, ...]:
        """The dice that are thrown."""
        return (self.die,) * self.count

    def total(self, faces: tuple[Face, ...]) -> tuple[int, ...]:
        """The columns of all faces, added up."""
        by_face = dict(zip(self.die.faces, self.worth, strict=True))
        nothing = (0,) * len(self.worth[0])
        return tuple(map(sum, zip(nothing, *[by_face[face] for face in faces], strict=True)))

    def weights(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """Every total with its whole-number weight, totals ascending."""
        return _handful_weights(self)


class Faces(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """Dice of which each face counts by itself: every natural 10, doubles, an artillery die.

    Nobody can tell equal dice next to each other apart, so their faces come in ascending order.

    Raises DiceError for more than MAX_DICE dice or MAX_TOTALS different outcomes.
    """

    dice: tuple[Die, ...]

    def __post_init__(self) -> None:
        ways = [comb(len(set(die.faces)) + count - 1, count) for die, count in _runs(self.dice)]
        if len(self.dice) > MAX_DICE or prod(ways) > MAX_TOTALS:
            raise DiceError(
                f"{self} would cost too much: at most {MAX_DICE} dice that fall in at most"
                f" {MAX_TOTALS} different ways are reckoned"
            )

    def __str__(self) -> str:
        return ", ".join(_several(die, count) for die, count in _runs(self.dice)) or "no dice"

    def physical(self) -> tuple[Die, ...]:
        """The dice that are thrown, in order."""
        return self.dice

    def total(self, faces: tuple[Face, ...]) -> tuple[Face, ...]:
        """The faces themselves, those of equal neighbours ascending, text after numbers."""
        left = iter(faces)
        runs = [sorted(islice(left, count), key=_by_size) for _, count in _runs(self.dice)]
        return tuple(chain(*runs))

    def weights(self) -> tuple[tuple[tuple[Face, ...], int], ...]:
        """Every total with its whole-number weight, totals ascending."""
        return _faces_weights(self)


def _several(die: Die, count: int) -> str:
    return f"{count}×{die.name}" if count > 1 else die.name


def _runs(dice: tuple[Die, ...]) -> list[tuple[Die, int]]:
    """Equal neighbours together: the die and how many of it there are."""
    return [(die, len(list(run))) for die, run in groupby(dice)]


def _by_size(face: Face) -> tuple[bool, Face]:
    return isinstance(face, str), face


@lru_cache(maxsize=4096)
def _sum_weights(dice: Dice) -> tuple[tuple[int, int], ...]:
    sums = {dice.plus: 1}
    for term in dice.terms:
        one = _gathered(cast("tuple[int, ...]", term.die.faces), term.die.weights)
        all_dice = _kept(one, term) if term.keep else _repeated(one, term.count)
        sums = _added(sums, all_dice, term.times)
    return tuple(sorted(sums.items()))


@lru_cache(maxsize=4096)
def _handful_weights(handful: Handful) -> tuple[tuple[tuple[int, ...], int], ...]:
    """The columns of a face are the digits of one number, so that they add up all at once."""
    count, worth = handful.count, handful.worth
    least = min(map(min, worth))
    base = count * (max(map(max, worth)) - least) + 1
    places = [base**at for at in reversed(range(len(worth[0])))]
    numbers = [sum(map(mul, places, each)) for each in worth]
    sums = _repeated(_gathered(numbers, handful.die.weights), count)
    lowest = count * least
    shift = lowest * sum(places)
    return tuple(
        (tuple([(total - shift) // place % base + lowest for place in places]), weight)
        for total, weight in sorted(sums.items())
    )


@lru_cache(maxsize=4096)
def _faces_weights(faces: Faces) -> tuple[tuple[tuple[Face, ...], int], ...]:
    found: list[tuple[tuple[Face, ...], int]] = [((), 1)]
    for die, count in _runs(faces.dice):
        one = _gathered(die.faces, die.weights)
        run = [
            (shown, _orders(shown) * prod([one[face] for face in shown]))
            for shown in combinations_with_replacement(sorted(one, key=_by_size), count)
        ]
        found = [(left + right, v * w) for left, v in found for right, w in run]
    return tuple(found)


def _orders(shown: tuple[Face, ...]) -> int:
    """In how many orders dice can show these faces: the multinomial coefficient."""
    return factorial(len(shown)) // prod([factorial(shown.count(face)) for face in set(shown)])


def _gathered(values: Sequence[V], weights: tuple[int, ...]) -> dict[V, int]:
    one = dict(zip(values, weights, strict=True))
    if len(one) < len(values):
        one = dict.fromkeys(values, 0)
        for value, weight in zip(values, weights, strict=True):
            one[value] += weight
    return one


def _added(left: dict[int, int], right: dict[int, int], times: int = 1) -> dict[int, int]:
    """The sums of two, the second of them multiplied."""
    if len(left) == 1:
        ((a, v),) = left.items()
        if (a, v, times) == (0, 1, 1):
            return right
        return {a + times * b: v * w for b, w in right.items()}
    sums: dict[int, int] = {}
    for a, v in left.items():
        for b, w in right.items():
            total = a + times * b
            sums[total] = sums.get(total, 0) + v * w
    return sums


def _repeated(one: dict[int, int], count: int) -> dict[int, int]:
    """The sums of `count` equal numbers.

    Numbers close together are the exponents of a polynomial, whose power is that of one great
    number with a field of bits for each weight: far quicker than adding up sum by sum.
    """
    if count == 1:
        return one
    lowest, spread = min(one), max(one) - min(one)
    if spread > count * len(one):
        return reduce(_added, [one] * count, {0: 1})
    field = (sum(one.values()) ** count).bit_length()
    power = sum([weight << field * (each - lowest) for each, weight in one.items()]) ** count
    mask = (1 << field) - 1
    return {
        count * lowest + at: weight
        for at in range(count * spread + 1)
        if (weight := (power >> field * at) & mask)
    }


def _kept(one: dict[int, int], term: Term) -> dict[int, int]:
    """Walk the faces from the kept end, choosing how many dice show each one."""
    keep, count = abs(term.keep), term.count
    states = {(0, 0): 1}
    for face, weight in sorted(one.items(), reverse=term.keep > 0):
        grown: dict[tuple[int, int], int] = {}
        for (used, total), ways in states.items():
            for more in range(count - used + 1):
                kept = max(0, min(keep - used, more))
                key = (used + more, total + kept * face)
                grown[key] = grown.get(key, 0) + ways * comb(count - used, more) * weight**more
        states = grown
    return {total: ways for (used, total), ways in states.items() if used == count}


@lru_cache(maxsize=1024)
def die(faces: int) -> Die:
    """A fair die with the faces 1 to `faces`."""
    return Die(f"d{faces}", tuple(range(1, faces + 1)), (1,) * faces)
