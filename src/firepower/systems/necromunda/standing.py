"""How a fighter may stand when a question begins: what could never come about is refused."""

from firepower.combat.paths import Path_, close_matches
from firepower.systems.necromunda.models import CarriedWeapon, Combatant
from firepower.systems.necromunda.skills import Skill, skill_of
from firepower.systems.necromunda.tables import NecSetup, figures
from firepower.systems.necromunda.targets import armour_of, field_of
from firepower.systems.necromunda.traits import Trait
from firepower.systems.necromunda.weapons import armoury_traits, modes_of, weapon_of


def check_standing(setup: NecSetup, name: str) -> None:
    """Refuse what a fighter cannot be, and name what changes nothing here."""
    each, where = setup.combatants[name], ("combatants", name)
    own = figures(setup, name)
    armour_of(setup, name)
    field_of(setup, name)
    _check_statuses(setup, each, where)
    if each.flesh_wounds >= own.toughness and not each.out_of_action:
        raise setup.wrong(
            (*where, "flesh_wounds"),
            f"is {each.flesh_wounds}: with Toughness {own.toughness} that is out of action",
        )
    if each.wounds_lost > own.wounds:
        raise setup.wrong((*where, "wounds_lost"), f"is {each.wounds_lost} of {own.wounds}")
    if each.burnt_out and not each.field:
        raise setup.wrong((*where, "burnt_out"), "is true, but there is no 'field'")
    for key in ("engaged", "beside", "near"):
        _check_names(setup, name, key, getattr(each, key) or [])
    _check_skills(setup, name)
    for weapon, carried in each.weapons.items():
        _check_weapon(setup, name, weapon, carried)


def _check_statuses(setup: NecSetup, each: Combatant, where: Path_) -> None:
    """Pinned, Seriously Injured, webbed, engaged: of these only one at a time."""
    stated = [key for key in ("pinned", "seriously_injured", "out_of_action") if getattr(each, key)]
    stated += ["engaged"] if each.engaged else []
    if len(stated) > 1:
        raise setup.wrong((*where, stated[1]), f"is stated, and so is '{stated[0]}'")
    if each.pinned and each.webbed:
        raise setup.wrong((*where, "webbed"), "is stated, and so is 'pinned'")


def _check_names(setup: NecSetup, name: str, key: str, named: list[str]) -> None:
    where = ("combatants", name, key)
    for i, other in enumerate(named):
        setup.combatant(other, (*where, i))
        if other == name:
            raise setup.wrong((*where, i), f"names {name} again")
        if key == "engaged" and other in setup.allies(name):
            raise setup.wrong((*where, i), f"names {other!r}, who is on the same side")


def _check_skills(setup: NecSetup, name: str) -> None:
    for i, written in enumerate(setup.combatants[name].skills):
        skill = skill_of(written)
        if not written.strip():
            raise setup.wrong(("combatants", name, "skills", i), "is empty")
        if skill is None:
            near = close_matches(written, [each.value for each in Skill])
            setup.leave_out(f"the skill {written!r} of {name}, which is not known here; {near}")
        elif skill is Skill.MEDICAE and setup.rulings.takes("medicae", "nothing"):
            setup.leave_out(f"Treat Wounds of {name}, who has Medicae")


def _check_weapon(setup: NecSetup, name: str, weapon: str, carried: CarriedWeapon) -> None:
    where = ("combatants", name, "weapons", weapon)
    modes = modes_of(setup, name, weapon)
    for mode in modes:
        weapon_of(setup, name, weapon, mode, where)
    for key in ("dry", "spent", "profiles"):
        for i, mode in enumerate(getattr(carried, key) or []):
            if mode not in modes:
                near = close_matches(mode, modes)
                raise setup.wrong((*where, key, i), f"is {mode!r}, no profile of it; {near}")
    if carried.dry and Trait.COMBI not in armoury_traits(setup, name, weapon):
        raise setup.wrong((*where, "dry"), "is stated, but only a Combi weapon has it")
    if carried.rerolled and Trait.MASTER_CRAFTED not in armoury_traits(setup, name, weapon):
        raise setup.wrong((*where, "rerolled"), "is true, but it is not Master-crafted")
