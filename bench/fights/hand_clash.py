"""Thirty against thirty by hand: two rounds of close combat over three initiative steps.

A model has one health. An attack goes through if it hits, wounds and is not saved, a D6 each, so
the models that so many attacks remove are drawn at once, from their binomial distribution.
"""

from collections.abc import Callable
from math import comb

from bench.fights import Row, Seen, tally

MODELS = 30
FIRST, SECOND, ANSWER, LAST = 10, 15, 20, 8  # the most attacks: A, A, B at the same time, B
# The chance that an attack hits, wounds and is not saved: of the faces of three D6.
A_STRIKES = 3 * 4 * 4 / 6**3  # 4+ to hit, 3+ to wound, B saves on 5+
B_ANSWERS = 3 * 3 * 5 / 6**3  # 4+, 4+, A saves on 6+
B_FINISHES = 4 * 4 * 5 / 6**3  # 3+, 3+, A saves on 6+
BREAK_FROM = 7  # a break test is 2D6 of at most this, less the difference of the scores

NAMES = ("A.models", "B.models", "A.killed", "B.killed", "A.broken", "B.broken", "score")


def _up_to(most: int, chance: float) -> list[list[float]]:
    """By number of attacks: the chance that no more than 0, 1, 2... of them go through."""
    tables = []
    for n in range(most + 1):
        exactly = [comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n)]
        tables.append([sum(exactly[: k + 1]) for k in range(n)])
    return tables


_A_STRIKES = _up_to(SECOND, A_STRIKES)
_B_ANSWERS = _up_to(ANSWER, B_ANSWERS)
_B_FINISHES = _up_to(LAST, B_FINISHES)


def _holds(difference: int) -> float:
    """The chance to pass a break test: two dice of so much or less, or a double 1."""
    least = max(2, BREAK_FROM - difference)
    return sum(i + j <= least for i in range(1, 7) for j in range(1, 7)) / 36


_HOLDS = [_holds(difference) for difference in range(MODELS + 1)]


def simulate(plays: int, seed: int, rounds: int = 2) -> Seen:
    """So many plays: how often each outcome of each measure was seen after each round."""
    return tally(play, NAMES, (), plays, seed, rounds)


def play(rounds: int, random: Callable[[], float]) -> list[Row]:
    """One clash: the value of every measure, in the order of NAMES, at the end of each round."""
    rows: list[Row] = []
    a = b = MODELS
    a_broken = b_broken = False
    for _ in range(rounds):
        if not (a_broken or b_broken):
            a_before, b_before = a, b
            # 1. A strikes.
            b -= _through(_A_STRIKES[min(FIRST, a)], random(), b)
            # 2. Both strike, as many as stand before either does.
            a_strikes, b_answers = min(SECOND, a), min(ANSWER, b)
            b -= _through(_A_STRIKES[a_strikes], random(), b)
            a -= _through(_B_ANSWERS[b_answers], random(), a)
            # 3. B strikes.
            a -= _through(_B_FINISHES[min(LAST, b)], random(), a)
            # Whoever lost more models takes a break test.
            difference = (b_before - b) - (a_before - a)
            if difference > 0:
                b_broken = random() >= _HOLDS[difference]
            elif difference:
                a_broken = random() >= _HOLDS[-difference]
        rows.append((a, b, MODELS - a, MODELS - b, a_broken, b_broken, a - b))
    return rows


def _through(up_to: list[float], drawn: float, standing: int) -> int:
    """The models removed, never more than stand."""
    removed = 0
    for chance in up_to:
        if drawn < chance:
            break
        removed += 1
    return removed if removed < standing else standing
