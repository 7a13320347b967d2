"""The benchmark's workloads computed by other means, each from scratch at every call.

An exact peer answers with whole-number weights and their total, the hand-written numpy one
with floats, and Monte Carlo with the mean and standard error of each named quantity.
"""

from typing import TypeVar

Outcome = TypeVar("Outcome")

Exact = tuple[dict[Outcome, int], int]
Estimates = dict[str, tuple[float, float]]
