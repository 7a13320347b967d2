"""Who shoots, and with which weapon."""

import msgspec

from firepower.combat.paths import Path_, close_matches
from firepower.systems.rate_of_fire.models import (
    ActionLine,
    CarriedWeapon,
    Combatant,
    RateOfFire,
    Weapon,
    harm,
    rate_of_fire,
)
from firepower.systems.rate_of_fire.tables import RofSetup


class Shooter(msgspec.Struct, frozen=True):
    """Who shoots, and with what; `loaded` are the rounds that it may have by then."""

    name: str
    combatant: Combatant
    skill: int
    weapon: Weapon
    weapon_name: str
    carried: CarriedWeapon
    rof: RateOfFire
    loaded: int | None


def find_weapon(setup: RofSetup, line: ActionLine, path: Path_) -> str:
    """The name of the weapon that a line is about."""
    combatant = setup.combatants[line.by]
    name = line.weapon
    if not name:
        if len(combatant.weapons) != 1:
            have = ", ".join(combatant.weapons) or "none"
            raise setup.wrong(path, f"must name its 'weapon'; {line.by} has {have}")
        name = next(iter(combatant.weapons))
    if name not in combatant.weapons:
        near = close_matches(name, combatant.weapons)
        raise setup.wrong((*path, "weapon"), f"is {name!r}, which {line.by} does not have; {near}")
    return name


def weapons_of(setup: RofSetup, line: ActionLine, path: Path_) -> list[str]:
    """The weapons that a line may be about: the one it names, or all that there are."""
    if line.weapon or not setup.combatants[line.by].weapons:
        return [find_weapon(setup, line, path)]
    return list(setup.combatants[line.by].weapons)


def find_shooter(setup: RofSetup, line: ActionLine, path: Path_) -> Shooter:
    """Who a line lets act, with which weapon; refuses whoever cannot shoot."""
    combatant = setup.combatants[line.by]
    if combatant.ranged_combat is None:
        raise setup.wrong(("combatants", line.by), "shoots, so it needs the key 'ranged_combat'")
    name = find_weapon(setup, line, path)
    carried = combatant.weapons[name]
    weapon = profile(setup, line.by, name)
    rof = rate_of_fire(weapon.rof)
    skill = combatant.ranged_combat
    return Shooter(line.by, combatant, skill, weapon, name, carried, rof, carried.loaded)


def profile(setup: RofSetup, who: str, name: str) -> Weapon:
    """The weapon of the armoury with the scenario's changes, or one that is stated in full."""
    where: Path_ = ("combatants", who, "weapons", name)
    carried, armoury = setup.combatants[who].weapons[name], setup.tables.weapons
    known, changes = carried.use or name, carried.changes()
    for key, read in (("rof", rate_of_fire), ("damage", harm)):
        if key in changes:
            try:
                read(str(changes[key]))
            except ValueError as problem:
                raise setup.wrong((*where, key), f"is wrong: {problem}") from None
    if known in armoury:
        return msgspec.structs.replace(armoury[known], **changes)
    if not carried.use and {"range", "rof", "damage"} <= changes.keys():
        return msgspec.convert({"title": name, **changes}, Weapon)
    near = close_matches(known, armoury)
    raise setup.wrong(
        (*where, "use") if carried.use else where,
        f"names {known!r}, no weapon of the armoury, and states no range, rof and damage; {near}",
    )
