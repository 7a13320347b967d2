"""Weapons: a profile with everything that the fighter, the armoury and the scenario say of it."""

import msgspec

from firepower.combat.paths import Path_, close_matches
from firepower.systems.necromunda.fighter import Arm
from firepower.systems.necromunda.models import ActionLine, CarriedWeapon, Row
from firepower.systems.necromunda.skills import Skill, skill_of
from firepower.systems.necromunda.tables import NecSetup, figures, key_of
from firepower.systems.necromunda.traits import Trait, Traits

STANDARD = "standard"
"""The profile of a weapon that has one, and the plain one of those with special ammo."""

NOT_MODELLED = (
    Trait.ARC,
    Trait.BURROWING,
    Trait.CHEM_DELIVERY,
    Trait.CREW_OPERATED,
    Trait.DEFOLIATE,
    Trait.DEMOLITIONS,
    Trait.ESOTERIC,
    Trait.FIXED,
    Trait.FLARE,
    Trait.HAEMOPHAGIC,
    Trait.HAYWIRE,
    Trait.LANCE_BOMB,
    Trait.PASSENGER_OPERATED,
    Trait.RECKLESS,
    Trait.SILENT,
    Trait.VORTEX,
)
"""Traits about what no table here knows: vehicles, scenery, chems, the dark, the gang's list."""


class Weapon(msgspec.Struct, frozen=True, cache_hash=True):
    """One profile of a weapon in somebody's hands.

    `pattern`: its name in the armoury. `short` and `long` in inches (None: there is none).
    `strength`: with the wielder's own where it counts (None: it has none). `damage` None: no Wound
    is lost.
    """

    name: str
    pattern: str
    mode: str
    short: float | None
    long: float | None
    accuracy_short: int
    accuracy_long: int
    strength: int | None
    ap: int
    damage: int | None
    ammo: int | None
    traits: Traits
    template: bool
    suspensors: bool

    @property
    def title(self) -> str:
        """What it is called in a play."""
        return self.name if self.mode == STANDARD else f"{self.name} ({self.mode})"

    @property
    def is_melee(self) -> bool:
        """Whether it makes close combat attacks."""
        return not self.traits.names.isdisjoint((Trait.MELEE, Trait.SIDEARM, Trait.VERSATILE))

    @property
    def shoots(self) -> bool:
        """Whether it can be shot or thrown."""
        return self.template or (self.long is not None and Trait.MELEE not in self.traits)


def has_skill(setup: NecSetup, name: str, skill: Skill) -> bool:
    """Whether somebody has a skill."""
    return any(skill_of(each) is skill for each in setup.combatants[name].skills)


def modes_of(setup: NecSetup, name: str, weapon: str) -> list[str]:
    """The profiles that a weapon has."""
    return list(_rows(setup, name, weapon)) or [STANDARD]


def offered_modes(setup: NecSetup, name: str, weapon: str) -> list[str]:
    """The profiles that somebody has without having bought special ammo, or those stated."""
    stated = setup.combatants[name].weapons[weapon].profiles
    if stated is not None:
        return stated
    rows = _rows(setup, name, weapon)
    if STANDARD in rows or not rows:
        return [STANDARD]
    plain = [mode for mode, row in rows.items() if Trait.LIMITED not in Traits.of(row.traits)]
    return plain or list(rows)


def _entry_name(setup: NecSetup, name: str, weapon: str) -> str:
    return setup.combatants[name].weapons[weapon].use or weapon


def _rows(setup: NecSetup, name: str, weapon: str) -> dict[str, Row]:
    """The rows of the armoury for a weapon: the edition's, else the other's, which is told."""
    entry = setup.tables.weapons.get(key_of(_entry_name(setup, name, weapon)))
    if entry is None:
        return {}
    first, other = entry.n23, entry.n17
    if setup.rulings.takes("weapon_rows", "n17"):
        first, other = other, first
    if not first:
        setup.leave_out(f"{weapon} in this edition: its figures are those of another")
    return first or other


def weapon_of(setup: NecSetup, name: str, weapon: str, mode: str, path: Path_) -> Weapon:
    """A profile of a weapon that somebody carries; `path` is where the line names it."""
    fighter = setup.combatants[name]
    if weapon not in fighter.weapons:
        near = close_matches(weapon, fighter.weapons) if fighter.weapons else "there is none"
        raise setup.wrong((*path, "weapon"), f"is {weapon!r}, which {name} does not carry; {near}")
    carried, where = fighter.weapons[weapon], ("combatants", name, "weapons", weapon)
    rows = _rows(setup, name, weapon)
    mode = mode or (STANDARD if STANDARD in rows or not rows else "")
    if not mode and len(rows) > 1:
        raise setup.wrong(path, f"must name its 'mode': {weapon} has {', '.join(rows)}")
    mode = mode or next(iter(rows))
    if rows and mode not in rows:
        near = close_matches(mode, rows)
        raise setup.wrong((*path, "mode"), f"is {mode!r}, no profile of {weapon}; {near}")
    try:
        row = carried.changed(rows.get(mode))
    except ValueError as lacks:
        known = close_matches(_entry_name(setup, name, weapon), setup.tables.weapons)
        raise setup.wrong(where, f"is no weapon of the armoury and {lacks}; {known}") from None
    return _resolved(setup, name, weapon, mode, row, carried)


def only_weapon(setup: NecSetup, line: ActionLine, path: Path_) -> str:
    """The weapon of a line that names none: the only one there is. Raises Refusal."""
    carried = list(setup.combatants[line.by].weapons)
    if len(carried) == 1:
        return carried[0]
    has = f"has {', '.join(carried)}" if carried else "has none"
    raise setup.wrong(path, f"must name its 'weapon': {line.by} {has}")


def armoury_traits(setup: NecSetup, name: str, weapon: str) -> Traits:
    """The traits of all profiles of a weapon that somebody carries."""
    carried, found = setup.combatants[name].weapons[weapon], Traits()
    rows = _rows(setup, name, weapon)
    for row in [carried.changed(each) for each in rows.values()] if rows else []:
        found = found.plus(*Traits.of(row.traits).names)
    return found.plus(*Traits.of(carried.traits or []).names)


def _resolved(
    setup: NecSetup, name: str, weapon: str, mode: str, row: Row, carried: CarriedWeapon
) -> Weapon:
    strength = figures(setup, name).strength
    traits = Traits.of(row.traits)
    for each in NOT_MODELLED:
        if each in traits:
            setup.leave_out(f"{each} of {weapon}")
    if Trait.FORCE in traits and setup.combatants[name].psyker:
        traits = traits.plus(Trait.POWER, Trait.SEVER)
    short, long = (_inches(each, strength) for each in row.range.split("/"))
    near, far = (0 if each == "-" else int(each) for each in row.accuracy.split("/"))
    return Weapon(
        name=weapon,
        pattern=key_of(_entry_name(setup, name, weapon)),
        mode=mode,
        short=short,
        long=long,
        accuracy_short=near,
        accuracy_long=far,
        strength=_strength(row.strength, strength),
        ap=row.ap,
        damage=None if row.damage == "-" else int(row.damage),
        ammo=row.ammo if isinstance(row.ammo, int) else None,
        traits=traits.plus(Trait.SINGLE_SHOT) if row.ammo == "single" else traits,
        template=row.range.endswith("/T"),
        suspensors=carried.suspensors,
    )


def _inches(text: str, strength: int) -> float | None:
    if text in ("-", "E", "T"):
        return None
    return float(text[2:]) * strength if text.startswith("Sx") else float(text)


def _strength(text: str, own: int) -> int | None:
    if text in ("-", "*"):
        return None
    if not text.startswith("S"):
        return int(text)
    return own + int(text[1:] or 0)


def arm_of(weapon: str, carried: CarriedWeapon) -> Arm:
    """How a weapon stands when the question begins."""
    return Arm(
        weapon,
        carried.out_of_ammo,
        carried.jammed,
        tuple(carried.dry),
        tuple(carried.spent),
        carried.rerolled,
    )


def is_unstable(setup: NecSetup, name: str) -> bool:
    """Whether somebody's own weapon may take its bearer out of action."""
    weapons = setup.combatants[name].weapons if name in setup.acting else {}
    return any(Trait.UNSTABLE in armoury_traits(setup, name, weapon) for weapon in weapons)
