"""The workloads by hand: dicts of whole-number weights, each over one known denominator."""

from collections import Counter, defaultdict
from math import comb

from . import Exact


def w1() -> Exact[tuple[int, bool]]:
    """Dark Heresy burst: total damage, and whether the weapon jams."""
    bursts: Counter[tuple[int, bool]] = Counter()
    for roll in range(1, 101):
        hits = min(10, 1 + (55 - roll) // 10 // 2) if roll <= 55 else 0
        bursts[hits, roll >= 94] += 1
    damage = Counter(max(0, roll + 4 - 7) for roll in range(1, 11))
    most = max(hits for hits, _ in bursts)
    totals = _capped_sums(damage, most)
    weights: dict[tuple[int, bool], int] = defaultdict(int)
    for (hits, jam), rolls in bursts.items():
        scale = rolls * 10 ** (most - hits)
        for total, weight in totals[hits].items():
            weights[total, jam] += scale * weight
    return dict(weights), 100 * 10**most


def w2() -> Exact[int]:
    """Ninth Age, 30 attacks: models killed."""
    return _ninth_age(30)


def w2_240() -> Exact[int]:
    """Ninth Age, 240 attacks: models killed."""
    return _ninth_age(240)


def _ninth_age(attacks: int) -> Exact[int]:
    """The next model is whole or has one point left; of 27 attacks 21 do nothing, 2 wound it by
    two and 4 kill it, and any of those 6 kills a hurt one."""
    whole = {0: 1}
    hurt: dict[int, int] = {}
    for attack in range(1, attacks + 1):
        whole, hurt = (
            {
                killed: 21 * whole.get(killed, 0)
                + 4 * whole.get(killed - 1, 0)
                + 6 * hurt.get(killed - 1, 0)
                for killed in range(attack + 1)
            },
            {killed: 21 * hurt.get(killed, 0) + 2 * weight for killed, weight in whole.items()},
        )
    weights = {killed: weight + hurt.get(killed, 0) for killed, weight in whole.items()}
    return weights, 27**attacks


def w3() -> Exact[tuple[int, int]]:
    """Necromunda, three Firepower dice: wounds and failed ammo checks."""
    die: dict[tuple[int, int], int] = defaultdict(int)
    for hits, ammo, faces in ((1, 1, 1), (1, 0, 2), (2, 0, 2), (3, 0, 1)):
        failures = _successes(ammo, 1, 1, 2)
        for wounds, weight in enumerate(_successes(hits, 3, 4, 9)):
            for failed, chance in enumerate(failures):
                die[wounds, failed] += faces * weight * chance
    dice: dict[tuple[int, int], int] = {(0, 0): 1}
    for _ in range(3):
        thrown: dict[tuple[int, int], int] = defaultdict(int)
        for (wounds, failed), weight in dice.items():
            for (more_wounds, more_failed), more in die.items():
                thrown[wounds + more_wounds, failed + more_failed] += weight * more
        dice = thrown
    weights: dict[tuple[int, int], int] = defaultdict(int)
    for (wounds, failed), weight in dice.items():
        weights[wounds, failed] += 2 * weight
        weights[0, failed] += weight
    return dict(weights), 3 * (6 * 9**3 * 2) ** 3


def burst() -> Exact[int]:
    """Dark Heresy burst of up to 10 hits with locations and righteous fury: loss."""
    hits = Counter(min(10, 1 + (65 - r) // 10) if r <= 65 else 0 for r in range(1, 101))
    most = max(hits)
    loss, whole = _furious_loss()
    totals = _capped_sums(loss, most)
    weights: dict[int, int] = defaultdict(int)
    for number, rolls in hits.items():
        scale = rolls * whole ** (most - number)
        for total, weight in totals[number].items():
            weights[total] += scale * weight
    return dict(weights), 100 * whole**most


def _furious_loss() -> Exact[int]:
    """What one hit takes off, with 7 of 20 tens unconfirmed and 13 rolling on."""
    damage = {roll + 5: 20 * 10**4 for roll in range(1, 10)}
    damage[15] = 7 * 10**4
    for tens in range(4):
        for face in range(1, 10):
            damage[15 + 10 * tens + face] = 13 * 10 ** (3 - tens)
    damage[15 + 40] = 13
    loss: dict[int, int] = defaultdict(int)
    for points, weight in damage.items():
        for armour, tenths in ((1, 3), (2, 1), (3, 2), (5, 4)):
            loss[max(0, points - armour - 3)] += weight * tenths
    return dict(loss), 10 * (10 * 20 * 10**4)


def clash() -> Exact[int]:
    """Thirty against thirty over three initiative steps: combat score difference."""
    struck = _successes(15, 15, 2, 9)  # nothing has struck A yet
    answered = [_successes(min(20, b), 20, 5, 24) for b in range(31)]
    finished = [_successes(min(8, b), 8, 10, 27) for b in range(31)]
    alive: dict[tuple[int, int], int] = defaultdict(int)
    for killed, weight in enumerate(_successes(10, 10, 2, 9)):
        b = 30 - killed
        for killed_a, answer in enumerate(answered[b]):
            both = weight * answer
            for killed_b, strike in enumerate(struck):
                alive[30 - killed_a, max(0, b - killed_b)] += both * strike
    weights: dict[int, int] = defaultdict(int)
    for (a, b), weight in alive.items():
        for killed_a, finish in enumerate(finished[b]):
            weights[max(0, a - killed_a) - b] += weight * finish
    return dict(weights), 9**10 * 9**15 * 24**20 * 27**8


def _capped_sums(loss: dict[int, int], most: int) -> list[dict[int, int]]:
    """The total of 0, 1, 2 … hits, never above 40."""
    totals: list[dict[int, int]] = [{0: 1}]
    for _ in range(most):
        sums: dict[int, int] = defaultdict(int)
        for total, weight in totals[-1].items():
            for points, chance in loss.items():
                sums[min(40, total + points)] += weight * chance
        totals.append(sums)
    return totals


def _successes(tests: int, most: int, good: int, of: int) -> list[int]:
    """Weights, over of**most, of 0, 1, 2 … successes in so many tests."""
    spare = of ** (most - tests)
    return [spare * comb(tests, n) * good**n * (of - good) ** (tests - n) for n in range(tests + 1)]
