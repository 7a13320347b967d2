"""Dice: what lies on the table, what it comes to, and how often.

>>> dice("2d6+3").weights()[:3]
((5, 1), (6, 2), (7, 3))
>>> dice("4d6kh3").total((2, 6, 1, 5))
13
"""

import re
from functools import lru_cache
from math import comb, prod
from typing import Protocol, TypeAlias

import msgspec

from firepower.chance.errors import DiceError

Face: TypeAlias = int | str

MAX_LENGTH = 60
MAX_FACES = 1000
MAX_DICE = 100
MAX_COST = 2000
MAX_KEEP_COST = 400
MAX_TOTALS = 20_000


class Die(msgspec.Struct, frozen=True, gc=False):
    """One physical die: its faces and a whole-number weight for each."""

    name: str
    faces: tuple[Face, ...]
    weights: tuple[int, ...]

    def read(self, typed: str) -> Face:
        """The face that a person typed; on a die of 1 to 10 or 100, all noughts are the highest.

        Raises DiceError if the die has no such face.
        """
        text = typed.strip()
        zero_is_top = self.faces[-1] in (10, 100) and text in ("0", "00", "000")
        for face in self.faces:
            if text == str(face) or (
                isinstance(face, int) and text.isdecimal() and int(text) == face
            ):
                return face
        if zero_is_top:
            return self.faces[-1]
        return _no_such_face(self, text)


def _no_such_face(die: Die, text: str) -> Face:
    shown = f"{die.faces[0]} to {die.faces[-1]}"
    if not all(isinstance(face, int) for face in die.faces):
        shown = ", ".join(str(face) for face in die.faces)
    raise DiceError(f"a {die.name} has no face {text!r}; its faces are {shown}")


class Throw(Protocol):
    """What one roll throws: the physical dice, and what their faces come to together."""

    def physical(self) -> tuple[Die, ...]:
        """The dice that are thrown, in order."""

    def total(self, faces: tuple[Face, ...]) -> object:
        """What these faces come to, one face for each physical die."""

    def weights(self) -> tuple[tuple[object, int], ...]:
        """Every total with its whole-number weight."""


class Term(msgspec.Struct, frozen=True, gc=False):
    """`count` equal dice, all or the `keep` highest (lowest if negative) added, times a factor."""

    die: Die
    count: int = 1
    keep: int = 0
    times: int = 1

    def total(self, faces: tuple[int, ...]) -> int:
        kept = sorted(faces)
        if self.keep > 0:
            kept = kept[-self.keep :]
        elif self.keep < 0:
            kept = kept[: -self.keep]
        return self.times * sum(kept)


class Dice(msgspec.Struct, frozen=True, gc=False):
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
        numbers = tuple(face for face in faces if isinstance(face, int))
        at, result = 0, self.plus
        for term in self.terms:
            result += term.total(numbers[at : at + term.count])
            at += term.count
        return result

    def weights(self) -> tuple[tuple[int, int], ...]:
        """Every total with its whole-number weight, totals ascending."""
        return _sum_weights(self)


class Handful(msgspec.Struct, frozen=True, gc=False):
    """Equal dice whose faces are counted in several columns at once (hits and symbols, say).

    `worth` gives the columns of each face of `die`, in the order of its faces.
    """

    die: Die
    count: int
    worth: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        return f"{self.count}×{self.die.name}" if self.count > 1 else self.die.name

    def physical(self) -> tuple[Die, ...]:
        """The dice that are thrown."""
        return (self.die,) * self.count

    def total(self, faces: tuple[Face, ...]) -> tuple[int, ...]:
        """The columns of all faces, added up."""
        by_face = dict(zip(self.die.faces, self.worth, strict=True))
        nothing = (0,) * len(self.worth[0])
        return tuple(map(sum, zip(nothing, *[by_face[face] for face in faces], strict=True)))

    def weights(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """Every total with its whole-number weight."""
        return _handful_weights(self)


@lru_cache(maxsize=4096)
def _sum_weights(dice: Dice) -> tuple[tuple[int, int], ...]:
    sums = {dice.plus: 1}
    for term in dice.terms:
        one = _kept_weights(term) if term.keep else _plain_weights(term)
        sums = _added(sums, {term.times * total: weight for total, weight in one.items()})
    return tuple(sorted(sums.items()))


def _added(left: dict[int, int], right: dict[int, int]) -> dict[int, int]:
    if len(left) == 1:
        ((a, v),) = left.items()
        return {a + b: v * w for b, w in right.items()}
    sums: dict[int, int] = {}
    for a, v in left.items():
        for b, w in right.items():
            sums[a + b] = sums.get(a + b, 0) + v * w
    return sums


def _faces(die: Die) -> dict[int, int]:
    return {
        face: weight
        for face, weight in zip(die.faces, die.weights, strict=True)
        if isinstance(face, int)
    }


def _plain_weights(term: Term) -> dict[int, int]:
    one = _faces(term.die)
    sums = {0: 1}
    for _ in range(term.count):
        sums = _added(sums, one)
    return sums


def _kept_weights(term: Term) -> dict[int, int]:
    """Walk the faces from the kept end, choosing how many dice show each one."""
    keep, count = abs(term.keep), term.count
    faces = sorted(_faces(term.die).items(), reverse=term.keep > 0)
    states = {(0, 0): 1}
    for face, weight in faces:
        grown: dict[tuple[int, int], int] = {}
        for (used, total), ways in states.items():
            for more in range(count - used + 1):
                kept = max(0, min(keep - used, more))
                key = (used + more, total + kept * face)
                grown[key] = grown.get(key, 0) + ways * comb(count - used, more) * weight**more
        states = grown
    return {total: ways for (used, total), ways in states.items() if used == count}


@lru_cache(maxsize=4096)
def _handful_weights(handful: Handful) -> tuple[tuple[tuple[int, ...], int], ...]:
    columns = len(handful.worth[0])
    sums: dict[tuple[int, ...], int] = {(0,) * columns: 1}
    one: dict[tuple[int, ...], int] = {}
    for worth, weight in zip(handful.worth, handful.die.weights, strict=True):
        one[worth] = one.get(worth, 0) + weight
    for _ in range(handful.count):
        grown: dict[tuple[int, ...], int] = {}
        for total, ways in sums.items():
            for worth, weight in one.items():
                key = tuple([a + b for a, b in zip(total, worth, strict=True)])
                grown[key] = grown.get(key, 0) + ways * weight
        sums = grown
    return tuple(sorted(sums.items()))


@lru_cache(maxsize=1024)
def die(faces: int) -> Die:
    """A fair die with the faces 1 to `faces`."""
    return Die(f"d{faces}", tuple(range(1, faces + 1)), (1,) * faces)


_TERM = re.compile(
    r"(?P<count>\d*)[dD](?P<faces>\d+|%)(?:[kK](?P<end>[hHlL])(?P<keep>\d*))?(?:[x×*](?P<times>\d+))?"
    r"|(?P<number>\d+)"
)


@lru_cache(maxsize=1024)
def dice(text: str) -> Dice:
    """Read dice notation: `d10`, `2d6+3`, `D3+1`, `3D6x2`, `4d6kh3`, `2d20kl1`, `d%`.

    Raises DiceError, with what would be right, for anything else and for an expression
    that would cost more than a table of a few thousand totals.
    """
    if len(text) > MAX_LENGTH:
        raise DiceError(f"a dice expression has at most {MAX_LENGTH} characters, not {len(text)}")
    signed = re.split(r"\s*([+-])\s*", text.strip())
    signs = ["+", *signed[1::2]]
    terms: list[Term] = []
    plus = 0
    for sign, part in zip(signs, signed[::2], strict=True):
        match = _TERM.fullmatch(part)
        if match is None:
            raise DiceError(
                f"{text!r} is not a dice expression; write it like d10, 2d6+3 or 4d6kh3"
            )
        factor = 1 if sign == "+" else -1
        if match["number"]:
            plus += factor * int(match["number"])
        else:
            terms.append(_term(text, match, factor))
    _refuse_costly(text, terms)
    return Dice(text, tuple(terms), plus)


def _term(text: str, match: re.Match[str], factor: int) -> Term:
    count = int(match["count"] or 1)
    faces = 100 if match["faces"] == "%" else int(match["faces"])
    keep = int(match["keep"] or 1) if match["end"] else 0
    if not 1 <= count <= MAX_DICE:
        raise DiceError(f"{text!r} throws {count} dice at once; 1 to {MAX_DICE} can be thrown")
    if not 1 <= faces <= MAX_FACES:
        raise DiceError(f"{text!r} has a die of {faces} faces; a die has 1 to {MAX_FACES}")
    if match["end"] and not 1 <= keep <= count:
        raise DiceError(f"{text!r} keeps {keep} of {count} dice; 1 to {count} can be kept")
    sided = keep if (match["end"] or "h") in "hH" else -keep
    times = int(match["times"] or 1)
    if times > MAX_FACES:
        raise DiceError(f"{text!r} multiplies by {times}; at most {MAX_FACES} is read")
    return Term(die(faces), count, sided, factor * times)


def _refuse_costly(text: str, terms: list[Term]) -> None:
    cost = sum(term.count * len(term.die.faces) for term in terms)
    kept = sum(term.count * len(term.die.faces) for term in terms if term.keep)
    if cost > MAX_COST or kept > MAX_KEEP_COST:
        limit = MAX_KEEP_COST if kept > MAX_KEEP_COST else MAX_COST
        raise DiceError(
            f"{text!r} would cost too much: its dice have {cost} faces in all; at most {limit} are"
            " reckoned"
        )
    if prod(term.count * len(term.die.faces) for term in terms) > MAX_TOTALS:
        span = sum(abs(term.times) * term.count * len(term.die.faces) for term in terms)
        if span > MAX_TOTALS:
            raise DiceError(f"{text!r} would cost too much: it has too many different totals")
