"""A game's tables: `rules.toml`, `rulings.toml` and `armoury.toml` in its folder, and variants.

A variant is a file of house rules that is laid over them.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from firepower.combat.documents import Document, converted, overlaid, read_document
from firepower.combat.register import Edition, Ruling, check_readings

T = TypeVar("T", bound="Tables")


class Tables(msgspec.Struct, frozen=True, kw_only=True):
    """What every game's tables have: its rulings and policies, its editions, and the variant.

    `variant` are the readings that a file of house rules takes.
    """

    rulings: dict[str, Ruling] = {}
    policies: dict[str, Ruling] = {}
    editions: dict[str, Edition] = {}
    variant: dict[str, str] = {}


def read_tables(folder: Path, kind: type[T], variant: Document | None) -> T:
    """The tables of a game, with those of a variant laid over them.

    Raises QuestionError if a variant names a table, a ruling, a policy or a reading that there is
    not.
    """
    shipped = _shipped(folder)
    tables = converted(Document("rules", shipped), kind)
    if variant is None:
        return tables
    changes = {key: value for key, value in variant.data.items() if key != "extends"}
    readings: dict[str, str] = {}
    for register in ("rulings", "policies"):
        if register in changes:
            taken = changes[register]
            check_readings(variant, register, getattr(tables, register), taken)
            changes[register] = {name: {"default": reading} for name, reading in taken.items()}
            readings |= taken
    for key in ("editions", "variant"):
        if key in changes:
            raise variant.wrong((key,), "is not known here; a variant takes no editions")
    laid = converted(Document(variant.name, overlaid(shipped, changes), variant.text), kind)
    return msgspec.structs.replace(laid, variant=readings)


@lru_cache(maxsize=8)
def _shipped(folder: Path) -> dict[str, Any]:
    """The tables of a folder as plain data; what a game does not have it leaves out."""
    read = {
        name: read_document(folder / f"{name}.toml").data
        for name in ("rules", "rulings", "armoury")
        if (folder / f"{name}.toml").exists()
    }
    weapons = {"weapons": read["armoury"]} if "armoury" in read else {}
    return {**read.get("rules", {}), **read.get("rulings", {}), **weapons}
