"""Pools: a step so many times, as one row, where that comes to few outcomes.

Only plain repeats are pooled: no Choice, and nothing pushed. What is recorded keeps its sum and
its greatest amount apart, so that both stay right.
"""

from math import gcd, lcm
from typing import NamedTuple

from firepower.chance.rows import Outcome, Row, Rows
from firepower.chance.steps import Choice
from firepower.chance.tallies import Records

FEW = 64
"""More outcomes than this are cheaper layer by layer."""

MOST_BITS = 4096
"""Longer weights than this are cheaper layer by layer, where the work for them is bounded."""

BITS_AT_A_TIME = 2048

FEWEST_POOLED = 5
"""Fewer repeats than this are as quick one by one."""

Weights = dict[tuple[int, Records], int]


class Pool(NamedTuple):
    """A step so many times: its outcomes, the parts that it is asked at, how many ways were put
    together for it and for the pools that it grew from."""

    total: int
    outcomes: list[Outcome]
    parts: tuple[int, ...]
    cost: int


class Pools:
    """The pools that were made; each is grown from the one with a repeat less."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._pools: dict[tuple[int, int, int], Pool] = {}
        self._too_many: dict[tuple[int, int], int] = {}
        self._plain: dict[tuple[int, int], Row | None] = {}

    def pool(self, step: int, part: int, times: int) -> Pool | None:
        """The pool of a step from a part on, so many times; None if it has too many outcomes."""
        known = self._pools.get((step, part, times))
        if known is not None:
            return known
        if times >= self._too_many.get((step, part), times + 1):
            return None
        done = times - 1
        while done and (step, part, done) not in self._pools:
            done -= 1
        start = Pool(1, [Outcome(1, part, (), ())], (), 0)
        pool = self._pools[step, part, done] if done else start
        for number in range(done + 1, times + 1):
            grown = self._grown(step, pool)
            if grown is None:
                self._too_many[step, part] = number
                return None
            pool = self._pools[step, part, number] = grown
        return pool

    def _grown(self, step: int, pool: Pool) -> Pool | None:
        """The pool with one repeat more; None if that is not plain, or too much."""
        rows = {}
        for _, part, _, _ in pool.outcomes:
            if part not in rows:
                if not self._is_plain(step, part):
                    return None
                rows[part] = self._plain[step, part]
        whole = lcm(*[row.total for row in rows.values() if row is not None])
        if pool.total.bit_length() > MOST_BITS:
            return None
        weights: Weights = {}
        put_together = 0
        for weight, part, _, records in pool.outcomes:
            row = rows[part]
            if row is None:
                key = (part, records)
                weights[key] = weights.get(key, 0) + weight * whole
                continue
            factor = weight * (whole // row.total)
            put_together += len(row.outcomes)
            for more, after, _, made in row.outcomes:
                key = (after, _together(records, made) if made else records)
                weights[key] = weights.get(key, 0) + more * factor
        if len(weights) > FEW:
            return None
        shared = gcd(*weights.values())
        outcomes = [Outcome(n // shared, part, (), made) for (part, made), n in weights.items()]
        asked = dict.fromkeys((*pool.parts, *[part for part, row in rows.items() if row]))
        cost = pool.cost + put_together * (1 + whole.bit_length() // BITS_AT_A_TIME)
        return Pool(pool.total * whole // shared, outcomes, tuple(asked), cost)

    def _is_plain(self, step: int, part: int) -> bool:
        """Whether the step can be pooled at this part; where it does not apply it does nothing."""
        key = (step, part)
        if key not in self._plain:
            rows = self._rows
            if rows.steps[step].conditional and not rows.applies(step, part):
                self._plain[key] = None
                return True
            row = rows.row(step, part)
            if isinstance(row.question, Choice):
                return False
            for outcome in row.outcomes:
                if outcome.todo or any(most < 0 for _, _, most in outcome.records):
                    return False
            self._plain[key] = row
        return True


def _together(before: Records, made: Records) -> Records:
    """The sum of each name, and its greatest amount."""
    if not before and len(made) == 1:
        return made
    found = {name: (total, most) for name, total, most in before}
    for name, total, most in made:
        so_far, greatest = found.get(name, (0, 0))
        found[name] = (so_far + total, max(greatest, most))
    return tuple([(name, total, most) for name, (total, most) in sorted(found.items())])
