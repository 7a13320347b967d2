"""The workloads played 100,000 times each in numpy, from a fixed seed."""

import numpy as np
from numpy.typing import NDArray

from . import Estimates

SAMPLES = 100_000
SEED = 40_000

Integers = NDArray[np.int64]


def w1() -> Estimates:
    """Dark Heresy burst: total damage, and how often the weapon jams."""
    rng = np.random.default_rng(SEED)
    roll = rng.integers(1, 101, SAMPLES)
    hits = np.where(roll <= 55, np.minimum(10, 1 + (55 - roll) // 10 // 2), 0)
    damage = np.zeros(SAMPLES, np.int64)
    for hit in range(hits.max()):
        struck = np.flatnonzero(hits > hit)
        damage[struck] += np.maximum(0, rng.integers(1, 11, struck.size) + 4 - 7)
    return _estimates(damage=np.minimum(40, damage), jam=(roll >= 94).astype(np.int64))


def w2() -> Estimates:
    """Ninth Age, 30 attacks: models killed."""
    return _ninth_age(30)


def w2_240() -> Estimates:
    """Ninth Age, 240 attacks: models killed."""
    return _ninth_age(240)


def _ninth_age(attacks: int) -> Estimates:
    """Only the unsaved wounds are played one by one."""
    rng = np.random.default_rng(SEED)
    unsaved = rng.binomial(attacks, 2 / 9, SAMPLES)
    lost = np.zeros(SAMPLES, np.int64)
    for wound in range(unsaved.max()):
        struck = np.flatnonzero(unsaved > wound)
        before = lost[struck]
        points = rng.integers(2, 5, struck.size)
        lost[struck] = before + np.minimum(points, 3 - before % 3)
    return _estimates(killed=lost // 3)


def w3() -> Estimates:
    """Necromunda, three Firepower dice: wounds and failed ammo checks."""
    rng = np.random.default_rng(SEED)
    faces = rng.integers(0, 6, (3, SAMPLES))
    hits = np.array([1, 1, 1, 2, 2, 3])[faces].sum(axis=0)
    ammo = (faces == 0).sum(axis=0)
    hits[rng.integers(1, 7, SAMPLES) < 3] = 0
    return _estimates(wounds=rng.binomial(hits, 4 / 9), failed=rng.binomial(ammo, 1 / 2))


def burst() -> Estimates:
    """Dark Heresy burst of up to 10 hits with locations and righteous fury: loss."""
    rng = np.random.default_rng(SEED)
    roll = rng.integers(1, 101, SAMPLES)
    hits = np.where(roll <= 65, np.minimum(10, 1 + (65 - roll) // 10), 0)
    loss = np.zeros(SAMPLES, np.int64)
    for hit in range(hits.max()):
        struck = np.flatnonzero(hits > hit)
        location = rng.integers(1, 101, struck.size)
        armour = np.array([2, 3, 5, 1])[np.searchsorted([10, 30, 70], location)]
        loss[struck] += np.maximum(0, _furious_damage(rng, struck.size) - armour - 3)
    return _estimates(loss=np.minimum(40, loss))


def _furious_damage(rng: np.random.Generator, hits: int) -> Integers:
    damage = rng.integers(1, 11, hits)
    rolling = np.flatnonzero(damage == 10)
    damage += 5
    rolling = rolling[rng.integers(1, 101, rolling.size) <= 65]
    for _ in range(4):
        more = rng.integers(1, 11, rolling.size)
        damage[rolling] += more
        rolling = rolling[more == 10]
    return damage


def clash() -> Estimates:
    """Thirty against thirty over three initiative steps: combat score difference."""
    rng = np.random.default_rng(SEED)
    a = np.full(SAMPLES, 30)
    b = 30 - rng.binomial(10, 2 / 9, SAMPLES)
    killed_a = rng.binomial(np.minimum(20, b), 5 / 24)
    killed_b = rng.binomial(np.minimum(15, a), 2 / 9)
    a = np.maximum(0, a - killed_a)
    b = np.maximum(0, b - killed_b)
    a = np.maximum(0, a - rng.binomial(np.minimum(8, b), 10 / 27))
    return _estimates(difference=a - b)


def _estimates(**samples: Integers) -> Estimates:
    """Each quantity's mean and its standard error."""
    return {
        name: (float(values.mean()), float(values.std(ddof=1)) / values.size**0.5)
        for name, values in samples.items()
    }
