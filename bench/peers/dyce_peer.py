"""The workloads in dyce: histograms, `apply` and, where a roll decides the next, `expand`."""

import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from typing import TypeVar

from dyce import H, HResult, expand, explode_n
from dyce.lifecycle import ExperimentalWarning

from . import Exact

Before = TypeVar("Before")
After = TypeVar("After")


def w1() -> Exact[tuple[int, bool]]:
    """Dark Heresy burst: total damage, and whether the weapon jams."""

    def burst(roll: int) -> tuple[int, bool]:
        hits = min(10, 1 + (55 - roll) // 10 // 2) if roll <= 55 else 0
        return hits, roll >= 94

    bursts = H(100).apply(burst)
    damage = (H(10) + 4 - 7).apply(lambda points: max(0, points))
    totals = _capped_sums(damage, max(hits for hits, _ in bursts))

    def total(shot: tuple[int, bool]) -> H[tuple[int, bool]]:
        hits, jam = shot
        return totals[hits].apply(lambda points: (points, jam))

    return _weights(_follow(total, bursts))


def w2() -> Exact[int]:
    """Ninth Age, 30 attacks: models killed."""
    return _ninth_age(30)


def w2_240() -> Exact[int]:
    """Ninth Age, 240 attacks: models killed."""
    return _ninth_age(240)


def _ninth_age(attacks: int) -> Exact[int]:
    wound = (H(3) + 1).apply(lambda points: min(3, points))
    attack = _follow(lambda unsaved: wound if unsaved else H({0: 1}), H({False: 7, True: 2}))

    def suffer(lost: int, points: int) -> int:
        return lost + min(points, 3 - lost % 3)

    lost = reduce(lambda before, each: before.apply(suffer, each), [attack] * attacks, H({0: 1}))
    return _weights(lost // 3)


def w3() -> Exact[tuple[int, int]]:
    """Necromunda, three Firepower dice: wounds and failed ammo checks."""
    faces = H([(1, 1), (1, 0), (1, 0), (2, 0), (2, 0), (3, 0)])
    wounds = _successes(H({False: 5, True: 4}), 3)
    failures = _successes(H({False: 1, True: 1}), 1)

    def resolve(face: tuple[int, int]) -> H[tuple[int, int]]:
        hits, ammo = face
        return wounds[hits].apply(lambda wound, failed: (wound, failed), failures[ammo])

    def add(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
        return one[0] + other[0], one[1] + other[1]

    def shoot(dice: tuple[int, int], hit: bool) -> tuple[int, int]:
        return (dice[0] if hit else 0, dice[1])

    die = _follow(resolve, faces)
    dice = die.apply(add, die).apply(add, die)
    return _weights(dice.apply(shoot, H({False: 1, True: 2})))


def burst() -> Exact[int]:
    """Dark Heresy burst of up to 10 hits with locations and righteous fury: loss."""
    hits = H(100).apply(lambda roll: min(10, 1 + (65 - roll) // 10) if roll <= 65 else 0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExperimentalWarning)
        more = explode_n(H(10), n=3)
    fury = 10 + _follow(lambda confirmed: more if confirmed else H({0: 1}), H(100).le(65))
    damage = _follow(lambda roll: fury if roll == 10 else H({roll: 1}), H(10)) + 5
    armour = H({1: 3, 2: 1, 3: 2, 5: 4})
    loss = damage.apply(lambda points, worn: max(0, points - worn - 3), armour)
    totals = _capped_sums(loss, max(hits))
    return _weights(_follow(totals.__getitem__, hits))


def clash() -> Exact[int]:
    """Thirty against thirty over three initiative steps: combat score difference."""
    strike = H({False: 7, True: 2})
    struck = 15 @ strike
    answered = _successes(H({False: 19, True: 5}), 20)
    finished = _successes(H({False: 17, True: 10}), 8)

    def exchange(b: int) -> H[tuple[int, int]]:  # nothing has struck A yet
        return struck.apply(
            lambda killed_b, killed_a: (30 - killed_a, max(0, b - killed_b)),
            answered[min(20, b)],
        )

    def finish(alive: tuple[int, int]) -> H[int]:
        a, b = alive
        return finished[min(8, b)].apply(lambda killed_a: max(0, a - killed_a) - b)

    return _weights(_follow(finish, _follow(exchange, 30 - (10 @ strike))))


def _follow(roll_on: Callable[[Before], H[After]], first: H[Before]) -> H[After]:
    """What each outcome of the first roll leads to, with no branch cut off."""

    def branch(result: HResult[Before]) -> H[After]:
        return roll_on(result.outcome)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExperimentalWarning)
        return expand(branch, first, min_path_probability=Fraction(0))


def _capped_sums(loss: H[int], most: int) -> list[H[int]]:
    """The total of 0, 1, 2 … hits, never above 40."""
    return list(
        accumulate(
            [loss] * most,
            lambda total, one: total.apply(lambda a, b: min(40, a + b), one),
            initial=H({0: 1}),
        )
    )


def _successes(test: H[bool], most: int) -> list[H[int]]:
    """How many of 0, 1, 2 … tests succeed (dyce's own `0 @ test` is the empty histogram)."""
    return list(accumulate([test] * most, lambda total, one: total + one, initial=H({0: 1})))


def _weights(histogram: H[Before]) -> Exact[Before]:
    return dict(histogram.items()), histogram.total
