"""What several tallies come to together, exactly or as it was seen in plays."""

from typing import Any, TypeAlias

import msgspec

from firepower.chance.distribution import Distribution
from firepower.chance.errors import LimitError
from firepower.chance.sample import Sampled
from firepower.chance.steps import Question

Asked: TypeAlias = tuple[str, Question[Any]]
"""A question with who is asked."""

END = ""
"""Where all is over, among the marks."""


class Answered(msgspec.Struct, frozen=True):
    """What several tallies come to, at the end (END) and at each mark, by their names.

    A tally is among the `exact`, or, if that would have cost too much, among the `sampled`; `why`
    says what was too much. `asked` are the questions on the way with who is asked, each once,
    `situations` how many the exact answers looked at.
    """

    exact: dict[str, dict[str, Distribution[Any]]]
    sampled: dict[str, dict[str, Sampled]]
    asked: tuple[Asked, ...]
    situations: int
    why: LimitError | None

    def comes_to(self, mark: str) -> bool:
        """Whether there are answers at a mark; it may be over, or never come."""
        exact, sampled = self.at(mark)
        return bool(exact or sampled)

    def at(self, mark: str) -> tuple[dict[str, Distribution[Any]], dict[str, Sampled]]:
        """The exact and the sampled answers at one mark."""
        exact = {name: found[mark] for name, found in self.exact.items() if mark in found}
        return exact, {name: each[mark] for name, each in self.sampled.items() if mark in each}
