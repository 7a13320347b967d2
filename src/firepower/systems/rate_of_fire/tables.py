"""The tables of Rate of Fire as they stand in rules.toml and armoury.toml."""

from typing import Annotated

import msgspec
from msgspec import Meta

from firepower.chance.notation import dice
from firepower.chance.readings import DegreeRule
from firepower.chance.steps import Modifier
from firepower.combat.percentile.tests import D100Rule
from firepower.combat.setup import Setup
from firepower.combat.tables import Tables
from firepower.systems.rate_of_fire.models import ActionLine, AttackName, Combatant, Weapon


class AttackTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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


class Difficulty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A test: what it is called, how hard it is."""

    title: str
    difficulty: str
    modifier: int

    def part(self, source: str) -> Modifier:
        """What its difficulty adds to the target number."""
        return Modifier(f"{self.title} ({self.difficulty})", self.modifier, source)


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


class Rules(Tables, frozen=True, forbid_unknown_fields=True):
    """All tables of the game."""

    title: str
    spread_m: float
    melee_modifier: int
    point_blank_m: int
    cone_degrees: float
    bonus_divisor: int
    actions: dict[AttackName, AttackTable]
    semi_auto_hits: list[HitsRow]
    suppressing_hits: list[HitsRow]
    bands: list[Band]
    jam: Jam
    pinning: Difficulty
    recovery: Difficulty
    clearing: Difficulty
    turn: TurnTable
    conditions: Conditions
    fate: Fate
    injuries: list[Injury]
    craftsmanship: dict[str, int]
    weapons: dict[str, Weapon]

    def bonus(self, characteristic: int) -> int:
        """A characteristic's bonus: its tens."""
        return characteristic // self.bonus_divisor


RofSetup = Setup[Combatant, ActionLine, Rules]


def d100_rule(setup: RofSetup) -> D100Rule:
    """How tests are read. A2"""
    rulings = setup.rulings
    degrees: DegreeRule = msgspec.convert(rulings["degrees"], DegreeRule)
    extremes = rulings.takes("natural_extremes", "on")
    return D100Rule(degrees, extremes, rulings.takes("target_number", "clamped"))


def bonus_of(setup: RofSetup, name: str, characteristic: str) -> int | None:
    """A characteristic's bonus as stated, else its tens; None if neither is stated."""
    combatant = setup.combatants[name]
    stated: int | None = getattr(combatant, f"{characteristic}_bonus")
    if stated is not None:
        return stated
    value: int | None = getattr(combatant, characteristic)
    return None if value is None else setup.tables.bonus(value)
