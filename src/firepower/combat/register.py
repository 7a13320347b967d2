"""Rulings and policies: where a rules text leaves a gap, the readings there are and the one taken.

A ruling says how a rule is understood, a policy how a choice is made that the rules leave to a
player. Both are registers of named questions with named readings.
"""

from collections.abc import Mapping

import msgspec

from firepower.combat.documents import Document, close_matches


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question that the rules text leaves open, its readings and the default."""

    question: str
    default: str
    why: str
    source: str
    readings: dict[str, str]

    def __post_init__(self) -> None:
        if self.default not in self.readings:
            raise ValueError(f"the default {self.default!r} is none of the readings")


class Readings:
    """The readings that are in force, and which of them were looked at."""

    def __init__(self, register: Mapping[str, Ruling], taken: Mapping[str, str]) -> None:
        self._register = register
        self._taken = {name: ruling.default for name, ruling in register.items()} | dict(taken)
        self.looked_at: set[str] = set()

    def __getitem__(self, name: str) -> str:
        """The reading in force."""
        self.looked_at.add(name)
        return self._taken[name]

    def takes(self, name: str, reading: str) -> bool:
        """Whether this reading is in force; KeyError if the register does not know it."""
        if reading not in self._register[name].readings:
            raise KeyError(f"{name} has no reading {reading}")
        return self[name] == reading

    def in_force(self) -> dict[str, str]:
        """Those that were looked at, with their readings, in the order of the register."""
        return {name: self._taken[name] for name in self._register if name in self.looked_at}


def check_readings(
    document: Document, key: str, register: Mapping[str, Ruling], taken: Mapping[str, str]
) -> None:
    """QuestionError if a name or a reading is not in the register."""
    for name, reading in taken.items():
        if name not in register:
            raise document.wrong((key, name), f"is not known; {close_matches(name, register)}")
        if reading not in register[name].readings:
            known = ", ".join(register[name].readings)
            raise document.wrong((key, name), f"must be one of {known}, not {reading!r}")
