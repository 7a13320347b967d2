"""How a fighter may stand when a question begins: what could never come about is refused."""

from firepower.chance.steps import View
from firepower.combat.actions import NEEDLESS
from firepower.combat.paths import Path_, close_matches
from firepower.systems.necromunda.activation import Doing, Why, engaged_at_first, foes_of
from firepower.systems.necromunda.ammo import GONE
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.models import ActionLine, CarriedWeapon, Combatant
from firepower.systems.necromunda.skills import Skill, skill_of
from firepower.systems.necromunda.tables import NecSetup, figures
from firepower.systems.necromunda.targets import armour_of, field_of
from firepower.systems.necromunda.traits import Trait, Traits
from firepower.systems.necromunda.weapons import (
    Weapon,
    arm_of,
    armoury_traits,
    has_skill,
    modes_of,
    weapon_of,
)

UPRIGHT = ("engaged", "broken", "blind", "concussed", "gunked", "on_fire", "aimed")
"""What somebody who is out of action cannot be any more."""

HINDERS = {
    Why.ACTIONS: "has aimed, and it is a Double action",
    Why.AMMUNITION: "is out of ammo for it",
    Why.BLIND: "is blind",
    Why.BROKEN: "is broken",
    Why.FIRE: "is on fire",
    Why.JAM: "has a jammed weapon",
}


def beginning(setup: NecSetup, name: str) -> Fighter:
    """How somebody stands when the question begins."""
    stated = setup.combatants[name]
    arms = tuple(arm_of(weapon, carried) for weapon, carried in stated.weapons.items())
    answers = setup.rounds is not None and has_skill(setup, name, Skill.OVERWATCH)
    brawls = bool(foes_of(setup, name)) or answers or not setup.fades
    if stated.out_of_action:
        return Fighter(out=True, ready=False)
    return Fighter(
        wounds_lost=stated.wounds_lost,
        flesh=stated.flesh_wounds,
        pinned=stated.pinned,
        down=stated.seriously_injured,
        webbed=stated.webbed,
        on_fire=stated.on_fire,
        broken=stated.broken,
        blind=stated.blind,
        concussed=stated.concussed,
        gunked=stated.gunked,
        burnt_out=stated.burnt_out,
        ready=stated.ready,
        aimed=stated.aimed,
        engaged=tuple(sorted(engaged_at_first(setup, name))),
        arms=arms if brawls or name in setup.acting else (),
        brawls=brawls,
    )


def is_sure(setup: NecSetup, path: Path_) -> bool:
    """Whether a line is done as things stand: in no rounds, before all others, and nothing else."""
    first = setup.scenario.do[0]
    named = first.action is not None and not first.otherwise
    return setup.rounds is None and path == ("do", 0) and named


def check_able(setup: NecSetup, line: ActionLine, doing: Doing, path: Path_) -> Doing:
    """Refuse what is sure not to be done; in rounds, and after other lines, it is lost."""
    if not is_sure(setup, path):
        return doing
    everybody = tuple(setup.combatants)
    view = View(everybody, tuple(beginning(setup, name) for name in everybody))
    me: Fighter = view[line.by]
    why = doing.blocked(view)
    if me.out or (why is not None and why != NEEDLESS):
        cause = "" if me.out or why is None else why.cause
        status = "out of action" if me.out else doing.status(view)
        hindered = HINDERS.get(Why(cause), "") if cause else ""
        raise setup.wrong(
            (*path, "action"), f"is {line.action!r}, but {line.by} {hindered or f'is {status}'}"
        )
    return doing


def check_standing(setup: NecSetup, name: str) -> None:
    """Refuse what a fighter cannot be, and name what changes nothing here."""
    each, where = setup.combatants[name], ("combatants", name)
    own = figures(setup, name)
    armour_of(setup, name)
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
    field = field_of(setup, name)
    if each.burnt_out and field is not None and not field.burns_out:
        raise setup.wrong((*where, "burnt_out"), f"is true, but {each.field} does not burn out")
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
    for key in ("pinned", "out_of_action", "engaged"):
        if each.webbed and getattr(each, key):
            raise setup.wrong((*where, "webbed"), f"is stated, and so is '{key}'")
    for key in UPRIGHT:
        if each.out_of_action and getattr(each, key):
            raise setup.wrong((*where, key), "is stated, and so is 'out_of_action'")


def _check_names(setup: NecSetup, name: str, key: str, named: list[str]) -> None:
    where = ("combatants", name, key)
    for i, other in enumerate(named):
        setup.combatant(other, (*where, i))
        if other == name:
            raise setup.wrong((*where, i), f"names {name} again")
        if other in named[:i]:
            raise setup.wrong((*where, i), f"names {other!r} twice")
        if key == "engaged" and other in setup.allies(name):
            raise setup.wrong((*where, i), f"names {other!r}, who is on the same side")


def _check_skills(setup: NecSetup, name: str) -> None:
    for i, written in enumerate(setup.combatants[name].skills):
        skill = skill_of(written)
        if not written.strip():
            raise setup.wrong(("combatants", name, "skills", i), "is empty")
        if written in setup.combatants[name].skills[:i]:
            raise setup.wrong(("combatants", name, "skills", i), f"names {written!r} twice")
        if skill is None:
            near = close_matches(written, [each.value for each in Skill])
            setup.leave_out(f"the skill {written!r} of {name}, which is not known here; {near}")
        elif skill is Skill.MEDICAE and setup.rulings.takes("medicae", "nothing"):
            setup.leave_out(f"Treat Wounds of {name}, who has Medicae")


def _check_weapon(setup: NecSetup, name: str, weapon: str, carried: CarriedWeapon) -> None:
    where = ("combatants", name, "weapons", weapon)
    if not weapon.strip() or not weapon.isprintable():
        raise setup.wrong(where[:-1], f"has the name {weapon!r}; a name is not empty")
    modes = modes_of(setup, name, weapon)
    profiles = [weapon_of(setup, name, weapon, mode, where) for mode in modes]
    for each in profiles:
        if Trait.TEMPLATE in each.traits and not each.template:
            raise setup.wrong(where, "is a Template, so its 'range' is -/T")
    _check_condition(setup, name, weapon, profiles)


def _check_condition(setup: NecSetup, name: str, weapon: str, profiles: list[Weapon]) -> None:
    """Refuse what a weapon with these profiles cannot have come to."""
    carried, where = setup.combatants[name].weapons[weapon], ("combatants", name, "weapons", weapon)
    traits, modes = armoury_traits(setup, name, weapon), [each.mode for each in profiles]
    for key in ("dry", "spent", "profiles"):
        for i, mode in enumerate(getattr(carried, key) or []):
            if mode not in modes:
                near = close_matches(mode, modes)
                raise setup.wrong((*where, key, i), f"is {mode!r}, no profile of it; {near}")
    _check_use(setup, carried, traits, where)
    for i, mode in enumerate(carried.spent):
        if profiles[modes.index(mode)].traits.names.isdisjoint(GONE):
            ways = ", ".join(GONE)
            raise setup.wrong(
                (*where, "spent", i), f"is {mode!r}, which is reloaded; gone for good is {ways}"
            )
    if not any(each.shoots for each in profiles):
        for key in ("out_of_ammo", "jammed"):
            if getattr(carried, key):
                raise setup.wrong((*where, key), "is true, but it cannot be shot")


def _check_use(setup: NecSetup, carried: CarriedWeapon, traits: Traits, where: Path_) -> None:
    """Refuse what is stated of a weapon that lacks the trait for it."""
    if carried.suspensors and Trait.UNWIELDY not in traits:
        raise setup.wrong((*where, "suspensors"), "is true, but it is not Unwieldy")
    if carried.dry and Trait.COMBI not in traits:
        raise setup.wrong((*where, "dry"), "is stated, but only a Combi weapon has it")
    if carried.rerolled and Trait.MASTER_CRAFTED not in traits:
        raise setup.wrong((*where, "rerolled"), "is true, but it is not Master-crafted")
