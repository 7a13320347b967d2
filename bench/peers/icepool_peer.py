"""The workloads in icepool: dice, `@` and `map`."""

from typing import Any

import icepool  # type: ignore[import-untyped]

from . import Exact


def forget() -> None:
    """Clear the only global cache used here: standard dice, which carry their own sums."""
    icepool.d.cache_clear()


def w1() -> Exact[tuple[int, bool]]:
    """Dark Heresy burst: total damage, and whether the weapon jams."""
    damage = (icepool.d(10) + 4 - 7).clip(min_outcome=0)

    def burst(roll: int) -> tuple[int, bool]:
        hits = min(10, 1 + (55 - roll) // 10 // 2) if roll <= 55 else 0
        return hits, roll >= 94

    def total(hits: int, jam: bool) -> tuple[Any, bool]:
        return (hits @ damage).clip(max_outcome=40), jam

    return _weights(icepool.d(100).map(burst).map(total))


def w2() -> Exact[int]:
    """Ninth Age, 30 attacks: models killed."""
    return _ninth_age(30)


def w2_240() -> Exact[int]:
    """Ninth Age, 240 attacks: models killed."""
    return _ninth_age(240)


def _ninth_age(attacks: int) -> Exact[int]:
    wound = (icepool.d(3) + 1).clip(max_outcome=3)

    def suffer(lost: int, points: int) -> int:
        return lost + min(points, 3 - lost % 3)

    lost = list(icepool.accumulate(suffer, [wound] * attacks, initial=0))
    unsaved = attacks @ icepool.coin(2, 9)
    return _weights(unsaved.map(lost.__getitem__, star=False) // 3)


def w3() -> Exact[tuple[int, int]]:
    """Necromunda, three Firepower dice: wounds and failed ammo checks."""
    wound = icepool.coin(4, 9)
    failed = icepool.coin(1, 2)
    faces = icepool.Die([(1, 1), (1, 0), (1, 0), (2, 0), (2, 0), (3, 0)])

    def resolve(hits: int, ammo: int) -> Any:
        return icepool.vectorize(hits @ wound, ammo @ failed)

    def shoot(hit: bool, result: tuple[int, int]) -> tuple[int, int]:
        return (result[0] if hit else 0, result[1])

    dice = 3 @ faces.map(resolve)
    return _weights(icepool.map(shoot, icepool.coin(4, 6), dice))


def burst() -> Exact[int]:
    """Dark Heresy burst of up to 10 hits with locations and righteous fury: loss."""
    hits = icepool.d(100).map(lambda roll: min(10, 1 + (65 - roll) // 10) if roll <= 65 else 0)
    fury = icepool.coin(65, 100).if_else(icepool.d(10).explode(depth=3), 0)
    damage = icepool.d(10).map({10: 10 + fury}) + 5
    armour = icepool.Die({1: 3, 2: 1, 3: 2, 5: 4})
    loss = (damage - armour - 3).clip(min_outcome=0).simplify()
    totals = [icepool.Die([0])]
    for _ in range(hits.max_outcome()):
        totals.append((totals[-1] + loss).clip(max_outcome=40))
    return _weights(hits.map(totals.__getitem__, star=False))


def clash() -> Exact[int]:
    """Thirty against thirty over three initiative steps: combat score difference."""
    strike, answer = icepool.coin(2, 9), icepool.coin(5, 24)
    finished = [attacks @ icepool.coin(10, 27) for attacks in range(9)]

    def exchange(b: int) -> Any:  # nothing has struck A yet
        return icepool.map(
            lambda killed_b, killed_a: (30 - killed_a, max(0, b - killed_b)),
            15 @ strike,
            min(20, b) @ answer,
        )

    def finish(a: int, b: int) -> Any:
        return icepool.map(lambda killed_a: max(0, a - killed_a) - b, finished[min(8, b)])

    return _weights((30 - 10 @ strike).map(exchange).map(finish))


def _weights(die: Any) -> Exact[Any]:
    return dict(die.items()), die.denominator()
