"""The tables of Rate of Fire as they stand in rules.toml, rulings.toml and armoury.toml."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from firepower.chance.notation import dice
from firepower.combat.documents import Document, close_matches, converted, overlaid
from firepower.combat.register import Ruling
from firepower.systems.rate_of_fire.models import AttackName, Weapon


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An attack action: its difficulty and what it costs (`ap`: of each die in full auto)."""

    title: str
    difficulty: str
    modifier: int
    ap: int
    aim: bool = False


class HitsRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From so many degrees of success on, so many hits."""

    degrees: int
    hits: int


class Band(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A range band: where it ends in ranges of the weapon, and its modifiers."""

    title: str
    ranges: int
    pinning: int
    to_hit: dict[str, int]


class Jam(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The natural rolls from which weapons jam."""

    full_auto: int
    reliable: int
    other: int


class TestEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A test: what it is called, how hard it is."""

    __test__ = False  # no test for a collector of tests

    title: str
    difficulty: str
    modifier: int


class TurnTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The AP of a turn, one and one more for each agility die of so much; what actions cost."""

    ap: Annotated[int, Meta(ge=0, le=20)]
    die_from: Annotated[int, Meta(ge=1, le=11)]
    aim_ap: Annotated[int, Meta(ge=1, le=20)]
    aim_bonus: Annotated[int, Meta(ge=1, le=500)]
    aim_most: Annotated[int, Meta(ge=1, le=500)]
    clear_jam_ap: Annotated[int, Meta(ge=1, le=20)]
    delay_ap: Annotated[int, Meta(ge=0, le=20)]


class Conditions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What being pinned and being fatigued add to tests, and what ends being pinned."""

    pinned_to_hit: int
    not_shot_at: int
    fatigued: int


class Fate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fate: the points of a new character, and what a use costs."""

    start: str
    cost: str

    def __post_init__(self) -> None:
        dice(self.start)
        dice(self.cost)


class Injury(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An injury category: damage over so many toughness bonuses, and the fatigue it brings."""

    title: str
    over: int
    fatigue: int


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All tables of the game."""

    title: str
    spread_m: float
    melee_modifier: int
    point_blank_m: int
    cone_degrees: float
    bonus_divisor: int
    actions: dict[AttackName, Action]
    semi_auto_hits: list[HitsRow]
    suppressing_hits: list[HitsRow]
    bands: list[Band]
    jam: Jam
    pinning: TestEntry
    recovery: TestEntry
    clearing: TestEntry
    turn: TurnTable
    conditions: Conditions
    fate: Fate
    injuries: list[Injury]
    craftsmanship: dict[str, int]
    rulings: dict[str, Ruling]
    policies: dict[str, Ruling]
    weapons: dict[str, Weapon]

    def bonus(self, characteristic: int) -> int:
        """A characteristic's bonus: its tens."""
        return characteristic // self.bonus_divisor


def read_rules(variant: Document | None) -> Rules:
    """The game's tables, with those of a variant laid over them.

    A variant names new defaults as `ruling = "reading"`. Raises QuestionError if it names a
    table, a ruling, a policy or a reading that there is not.
    """
    tables = _shipped()
    if variant is None:
        return converted(Document("rules", tables), Rules)
    changes = {key: value for key, value in variant.data.items() if key != "extends"}
    for register in ("rulings", "policies"):
        if register in changes:
            changes[register] = _new_defaults(variant, register, tables[register])
    return converted(Document(variant.name, overlaid(tables, changes), variant.text), Rules)


def _new_defaults(
    variant: Document, register: str, shipped: dict[str, Any]
) -> dict[str, dict[str, str]]:
    taken = variant.data[register]
    if not isinstance(taken, dict):
        raise variant.wrong((register,), "must be a table of readings by name")
    for name, reading in taken.items():
        if name not in shipped:
            raise variant.wrong((register, name), f"is not known; {close_matches(name, shipped)}")
        known = shipped[name]["readings"]
        if reading not in known:
            raise variant.wrong(
                (register, name), f"must be one of {', '.join(known)}, not {reading!r}"
            )
    return {name: {"default": reading} for name, reading in taken.items()}


@lru_cache(maxsize=1)
def _shipped() -> dict[str, Any]:
    here = Path(__file__)
    read = {
        name: tomllib.loads(here.with_name(f"{name}.toml").read_text("utf-8"))
        for name in ("rules", "rulings", "armoury")
    }
    return {**read["rules"], **read["rulings"], "weapons": read["armoury"]}
