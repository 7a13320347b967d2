"""Rulings and policies: where a rules text leaves a gap, the readings there are and the one taken.

A ruling says how a rule is understood, a policy how a choice is made that the rules leave to a
player. Both are registers of named questions with named readings. An edition takes some readings
together; a scenario's own come before those of a variant, these before an edition's.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from firepower.combat.documents import Document
from firepower.combat.paths import close_matches


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question that the rules text leaves open, its readings and the default.

    `statement` is the number of what it is about, in the list of the game's statements.
    """

    question: str
    default: str
    why: str
    source: str
    readings: dict[str, str]
    statement: str = ""

    def __post_init__(self) -> None:
        if self.default not in self.readings:
            raise ValueError(f"the default {self.default!r} is none of the readings")


Register = Mapping[str, Ruling]


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An edition of a game: the readings that it takes, by the names of their rulings.

    `refused`: why nothing can be asked of it.
    """

    title: str
    rulings: dict[str, str] = {}
    refused: str = ""


class Readings:
    """The readings that are in force, and which of them were looked at."""

    def __init__(self, register: Register, *layers: Mapping[str, str]) -> None:
        self._register = register
        self._taken = {name: ruling.default for name, ruling in register.items()}
        for layer in layers:
            self._taken.update(layer)
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


def check_readings(document: Document, key: str, register: Register, taken: Any) -> None:
    """Refusal if what stands at a key is no table of readings that the register knows."""
    if not isinstance(taken, dict):
        raise document.wrong((key,), "must be a table of readings by name")
    for name, reading in taken.items():
        if name not in register:
            raise document.wrong((key, name), f"is not known; {close_matches(name, register)}")
        if reading not in register[name].readings:
            known = ", ".join(register[name].readings)
            raise document.wrong((key, name), f"must be one of {known}, not {reading!r}")
