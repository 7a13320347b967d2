"""Dice notation: what a person writes, read as the dice that it throws.

>>> dice("2d6+3").weights()[:3]
((5, 1), (6, 2), (7, 3))
>>> dice("4d6kh3").total((2, 6, 1, 5))
13
>>> dice("D66").total((2, 5))
25
"""

import re
from functools import lru_cache

from firepower.chance.dice import MAX_DICE, MAX_TOTALS, Dice, Term, die
from firepower.chance.errors import DiceError

MAX_LENGTH = 60
MAX_FACES = 1000
MAX_COST = 2000
MAX_KEEP_COST = 400

_SIGN = re.compile(r"\s*([+-])\s*")
_TERM = re.compile(
    r"(?P<count>\d*)[dD](?P<faces>\d+|%)(?:[kK](?P<end>[hHlL])(?P<keep>\d*))?(?:[x×*](?P<times>\d+))?"
    r"|(?P<number>\d+)"
)


@lru_cache(maxsize=1024)
def dice(text: str) -> Dice:
    """Read dice notation: `d10`, `2d6+3`, `D3+1`, `3D6x2`, `4d6kh3`, `2d20kl1`, `d%`, `D66`.

    `D66` is two dice of six, the first read as tens and the second as units: 11 to 66, each digit
    1 to 6. So there is no way to ask for a die of 66 faces, nor to keep some of several `D66`.

    Raises DiceError, with what would be right, for anything else and for an expression
    that would cost more than a table of a few thousand totals.
    """
    if len(text) > MAX_LENGTH:
        raise DiceError(f"a dice expression has at most {MAX_LENGTH} characters, not {len(text)}")
    first, *signed = _SIGN.split(text.strip())
    terms: list[Term] = []
    plus = 0
    for sign, part in (("+", first), *zip(signed[::2], signed[1::2], strict=True)):
        match = _TERM.fullmatch(part)
        if match is None:
            raise DiceError(
                f"{text!r} is not a dice expression; write it like d10, 2d6+3 or 4d6kh3"
            )
        factor = 1 if sign == "+" else -1
        if match["number"]:
            plus += factor * int(match["number"])
        else:
            terms += _terms(text, match, factor)
    _refuse_costly(text, terms)
    return Dice(text, tuple(terms), plus)


def _terms(text: str, match: re.Match[str], factor: int) -> list[Term]:
    shown, sides, end, kept, multiplied, _ = match.groups()
    count = int(shown or 1)
    faces = 100 if sides == "%" else int(sides)
    times = int(multiplied or 1)
    thrown = 2 * count if faces == 66 else count
    if not 1 <= thrown <= MAX_DICE:
        raise DiceError(f"{text!r} throws {thrown} dice at once; 1 to {MAX_DICE} can be thrown")
    if not 1 <= faces <= MAX_FACES:
        raise DiceError(f"{text!r} has a die of {faces} faces; a die has 1 to {MAX_FACES}")
    if times > MAX_FACES:
        raise DiceError(f"{text!r} multiplies by {times}; at most {MAX_FACES} is read")
    if faces == 66:
        if end:
            raise DiceError(f"{text!r} keeps some of several D66; they can only be added up")
        tens_and_units = [
            Term(die(6), times=10 * factor * times),
            Term(die(6), times=factor * times),
        ]
        return tens_and_units * count
    if not end:
        return [Term(die(faces), count, 0, factor * times)]
    keep = int(kept or 1)
    if not 1 <= keep <= count:
        raise DiceError(f"{text!r} keeps {keep} of {count} dice; 1 to {count} can be kept")
    return [Term(die(faces), count, keep if end in "hH" else -keep, factor * times)]


def _refuse_costly(text: str, terms: list[Term]) -> None:
    cost = kept = span = 0
    totals = 1
    for term in terms:
        faces = term.count * len(term.die.faces)
        cost += faces
        kept += faces if term.keep else 0
        totals *= faces
        span += abs(term.times) * faces
    if cost > MAX_COST or kept > MAX_KEEP_COST:
        limit = MAX_KEEP_COST if kept > MAX_KEEP_COST else MAX_COST
        raise DiceError(
            f"{text!r} would cost too much: its dice have {cost} faces in all; at most {limit} are"
            " reckoned"
        )
    if totals > MAX_TOTALS and span > MAX_TOTALS:
        raise DiceError(f"{text!r} would cost too much: it has too many different totals")
