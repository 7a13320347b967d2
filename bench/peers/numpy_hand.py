"""The workloads by hand in numpy: float arrays, plain convolutions and shifts."""

from math import comb

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def w1() -> dict[tuple[int, bool], float]:
    """Dark Heresy burst: total damage, and whether the weapon jams."""
    rolls = np.arange(1, 101)
    hits = np.where(rolls <= 55, np.minimum(10, 1 + (55 - rolls) // 10 // 2), 0)
    damage = np.bincount(np.maximum(0, np.arange(1, 11) + 4 - 7)) / 10
    totals = _capped_sums(damage, int(hits.max()))
    chances = {}
    for jam in (False, True):
        shots = np.bincount(hits[(rolls >= 94) == jam], minlength=len(totals)) / 100
        for total, chance in _chances(shots @ totals).items():
            chances[total, jam] = chance
    return chances


def w2() -> dict[int, float]:
    """Ninth Age, 30 attacks: models killed."""
    return _ninth_age(30)


def w2_240() -> dict[int, float]:
    """Ninth Age, 240 attacks: models killed."""
    return _ninth_age(240)


def _ninth_age(attacks: int) -> dict[int, float]:
    """The next model is whole or has one point left, by models killed so far."""
    whole = np.zeros(attacks + 1)
    hurt = np.zeros(attacks + 1)
    whole[0] = 1
    for _ in range(attacks):
        next_whole = whole * (21 / 27)
        next_whole[1:] += whole[:-1] * (4 / 27) + hurt[:-1] * (6 / 27)
        hurt = hurt * (21 / 27) + whole * (2 / 27)
        whole = next_whole
    return _chances(whole + hurt)


def w3() -> dict[tuple[int, int], float]:
    """Necromunda, three Firepower dice: wounds and failed ammo checks."""
    die = np.zeros((4, 2))
    for hits, ammo, faces in ((1, 1, 1), (1, 0, 2), (2, 0, 2), (3, 0, 1)):
        joint = np.outer(_successes(hits, 4 / 9), _successes(ammo, 1 / 2))
        die[: hits + 1, : ammo + 1] += joint * (faces / 6)
    dice = np.zeros((10, 4))
    dice[0, 0] = 1
    for _ in range(3):
        thrown = np.zeros_like(dice)
        for (wounds, failed), chance in np.ndenumerate(die):
            thrown[wounds:, failed:] += chance * dice[: 10 - wounds, : 4 - failed]
        dice = thrown
    shot = dice * (2 / 3)
    shot[0] += dice.sum(axis=0) / 3
    return {
        (wounds, failed): chance
        for wounds, row in enumerate(shot.tolist())
        for failed, chance in enumerate(row)
        if chance
    }


def burst() -> dict[int, float]:
    """Dark Heresy burst of up to 10 hits with locations and righteous fury: loss."""
    rolls = np.arange(1, 101)
    hits = np.where(rolls <= 65, np.minimum(10, 1 + (65 - rolls) // 10), 0)
    totals = _capped_sums(_furious_loss(), int(hits.max()))
    return _chances(np.bincount(hits) / 100 @ totals)


def _furious_loss() -> Floats:
    """What one hit takes off, by points."""
    damage = np.zeros(5 + 50 + 1)
    damage[6:15] = 1 / 10
    damage[15] = 0.35 / 10
    chance = 0.65 / 10
    for tens in range(4):
        chance /= 10
        first = 15 + 10 * tens + 1
        damage[first : first + 9] = chance
    damage[-1] = chance
    loss = np.zeros_like(damage)
    for armour, share in ((1, 0.3), (2, 0.1), (3, 0.2), (5, 0.4)):
        stopped = armour + 3
        loss[0] += share * damage[:stopped].sum()
        loss[:-stopped] += share * damage[stopped:]
    return loss


def clash() -> dict[int, float]:
    """Thirty against thirty over three initiative steps: combat score difference."""
    everyone = np.eye(31)
    struck = _successes(15, 2 / 9)  # nothing has struck A yet
    alive = np.zeros((31, 31))
    for killed, chance in enumerate(_successes(10, 2 / 9).tolist()):
        b = 30 - killed
        a_left = _survivors(everyone[30], _successes(min(20, b), 5 / 24))
        b_left = _survivors(everyone[b], struck)
        alive += chance * np.outer(a_left, b_left)
    scores = np.zeros(61)
    for b in range(31):
        a_left = _survivors(alive[:, b], _successes(min(8, b), 10 / 27))
        scores[30 - b : 61 - b] += a_left
    return {index - 30: chance for index, chance in _chances(scores).items()}


def _survivors(alive: Floats, losses: Floats) -> Floats:
    """The chances of how many are left, from those of how many stood and how many fall."""
    left = np.zeros_like(alive)
    for lost, chance in enumerate(losses.tolist()):
        left[: alive.size - lost] += chance * alive[lost:]
        left[0] += chance * alive[:lost].sum()
    return left


def _capped_sums(loss: Floats, most: int) -> Floats:
    """One row for the total of 0, 1, 2 … hits, never above 40."""
    totals = np.zeros((most + 1, 41))
    totals[0, 0] = 1
    for hits in range(most):
        total = np.convolve(totals[hits], loss)
        totals[hits + 1] = total[:41]
        totals[hits + 1, 40] += total[41:].sum()
    return totals


def _successes(tests: int, chance: float) -> Floats:
    """The chances of 0, 1, 2 … successes."""
    return np.array(
        [comb(tests, n) * chance**n * (1 - chance) ** (tests - n) for n in range(tests + 1)]
    )


def _chances(array: Floats) -> dict[int, float]:
    return {outcome: chance for outcome, chance in enumerate(array.tolist()) if chance}
