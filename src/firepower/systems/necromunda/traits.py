"""Weapon traits: their names, and which of them are steps here."""

import re
from enum import StrEnum
from typing import Self

import msgspec

from firepower.combat.paths import close_matches

_NUMBERED = re.compile(r"(?P<name>[^(]+?)\s*\((?P<number>\d+|\*)[\"'\u2019\u201d]*\)")


class Trait(StrEnum):
    """A trait by the name that the rules give it."""

    ADDITIONAL_ATTACKS = "Additional Attacks"
    ARC = "Arc"
    BACKSTAB = "Backstab"
    BLAST = "Blast"
    BLAZE = "Blaze"
    BURROWING = "Burrowing"
    CHEM_DELIVERY = "Chem Delivery"
    COMBI = "Combi"
    CONCUSSION = "Concussion"
    CREW_OPERATED = "Crew Operated"
    CURSED = "Cursed"
    DEFLAGRATE = "Deflagrate"
    DEFOLIATE = "Defoliate"
    DEMOLITIONS = "Demolitions"
    DIGI = "Digi"
    DISARM = "Disarm"
    DRAG = "Drag"
    ENTANGLE = "Entangle"
    ESOTERIC = "Esoteric"
    FEAR = "Fear"
    FIRESTORM = "Firestorm"
    FIXED = "Fixed"
    FLARE = "Flare"
    FLASH = "Flash"
    FORCE = "Force"
    GAS = "Gas"
    GRAVITON_PULSE = "Graviton Pulse"
    GRENADE = "Grenade"
    GUNK = "Gunk"
    HAEMOPHAGIC = "Haemophagic"
    HAYWIRE = "Haywire"
    HEXAGRAMMATIC = "Hexagrammatic"
    IMPALE = "Impale"
    KNOCKBACK = "Knockback"
    LANCE = "Lance"
    LANCE_BOMB = "Lance-bomb"
    LIMITED = "Limited"
    MASTER_CRAFTED = "Master-crafted"
    MELEE = "Melee"
    MELTA = "Melta"
    PAIRED = "Paired"
    PARRY = "Parry"
    PASSENGER_OPERATED = "Passenger Operated"
    PHASE = "Phase"
    PLENTIFUL = "Plentiful"
    POWER = "Power"
    POWER_PACK = "Power Pack"
    PULVERISE = "Pulverise"
    RAD_PHAGE = "Rad-phage"
    RAPID_FIRE = "Rapid Fire"
    RECKLESS = "Reckless"
    RENDING = "Rending"
    SCARCE = "Scarce"
    SCATTERSHOT = "Scattershot"
    SEISMIC = "Seismic"
    SEVER = "Sever"
    SHIELD = "Shield"
    SHIELD_BREAKER = "Shield Breaker"
    SHOCK = "Shock"
    SHRED = "Shred"
    SIDEARM = "Sidearm"
    SILENT = "Silent"
    SINGLE_SHOT = "Single Shot"
    SMOKE = "Smoke"
    TEMPLATE = "Template"
    TOXIN = "Toxin"
    TWIN_LINKED = "Twin-linked"
    UNSTABLE = "Unstable"
    UNWIELDY = "Unwieldy"
    VERSATILE = "Versatile"
    VORTEX = "Vortex"
    WEB = "Web"


ALIASES = {
    "pistol": Trait.SIDEARM,
    "energy shield": Trait.SHIELD,
    "assault shield": Trait.SHIELD,
    "pulverize": Trait.PULVERISE,
    "rapidfire": Trait.RAPID_FIRE,
    "demolition": Trait.DEMOLITIONS,
    "rad phage": Trait.RAD_PHAGE,
}

NUMBERED = (Trait.RAPID_FIRE, Trait.BLAST, Trait.FIRESTORM, Trait.ADDITIONAL_ATTACKS, Trait.ARC)

_BY_NAME = {each.value.lower(): each for each in Trait} | ALIASES


def trait_of(text: str) -> tuple[Trait, int]:
    """A trait as it is written, with its number (0 if it has none): `Rapid Fire (2)`.

    Raises ValueError for a trait that is not known, and for a number too many or too few.
    """
    match = _NUMBERED.fullmatch(text.strip())
    name, number = (match["name"], match["number"]) if match else (text.strip(), "")
    trait = _BY_NAME.get(name.lower())
    if trait is None:
        near = close_matches(name, [each.value for each in Trait])
        hint = f"; {near}" if near.startswith("did") else ""
        raise ValueError(f"no trait is called {text!r}{hint}")
    if trait in NUMBERED and number.isdigit() and not 1 <= int(number) <= 9:
        raise ValueError(f"{text!r} must have a number from 1 to 9")
    if (trait in NUMBERED) != bool(number) or number == "*":
        how = f"{trait} (1)" if trait in NUMBERED else f"{trait}"
        raise ValueError(f"{text!r} is no trait; write it like {how}")
    return trait, int(number) if number.isdigit() else 0


class Traits(msgspec.Struct, frozen=True, cache_hash=True):
    """The traits of a profile, with the numbers of those that have one."""

    names: frozenset[Trait] = frozenset()
    numbers: tuple[tuple[Trait, int], ...] = ()

    def __contains__(self, trait: Trait) -> bool:
        return trait in self.names

    def number(self, trait: Trait) -> int:
        """The number of a trait: dice of Rapid Fire, inches of a Blast; 0 without it."""
        return dict(self.numbers).get(trait, 0)

    @classmethod
    def of(cls, written: list[str]) -> Self:
        """Those that are written so. Raises ValueError as trait_of."""
        found = [trait_of(each) for each in written]
        numbers = tuple(sorted((trait, number) for trait, number in found if number))
        return cls(frozenset(trait for trait, _ in found), numbers)

    def plus(self, *more: Trait) -> Self:
        """The same with more of them."""
        return type(self)(self.names.union(more), self.numbers)
