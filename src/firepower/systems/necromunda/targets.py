"""Whom a hit meets: what a fighter's figures, armour, skills and friends make of an attack."""

from typing import Any

import msgspec

from firepower.chance.steps import Modifier
from firepower.combat.ground import EDGE, distance
from firepower.combat.paths import close_matches
from firepower.systems.necromunda.aftermath import Aftermath, Catching, Pinning
from firepower.systems.necromunda.damage import Body, Harm, Protection
from firepower.systems.necromunda.injury import Frame, Witness
from firepower.systems.necromunda.models import NecromundaScenario
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.tables import Armour, FieldArmour, NecSetup, figures, key_of
from firepower.systems.necromunda.traits import Trait
from firepower.systems.necromunda.weapons import Weapon, armoury_traits, has_skill
from firepower.systems.necromunda.wounding import (
    AgainstToughness,
    FearTest,
    FlashTest,
    GravitonTest,
    ToWound,
    ToxinContest,
)

OF_HARM = frozenset(
    (
        Trait.BLAZE,
        Trait.DEFLAGRATE,
        Trait.GAS,
        Trait.KNOCKBACK,
        Trait.PULVERISE,
        Trait.RENDING,
        Trait.SCATTERSHOT,
        Trait.SEISMIC,
        Trait.SHIELD_BREAKER,
        Trait.SHOCK,
        Trait.SHRED,
        Trait.WEB,
    )
)
"""Traits that a hit still looks at when it lands."""


class Approach(msgspec.Struct, frozen=True):
    """How an attack comes: in close combat, under a Blast marker, in a Template, as a fire."""

    melee: bool = False
    blast: bool = False
    template: bool = False
    long: bool = False
    fire: bool = False

    @property
    def is_area(self) -> bool:
        """Whether cover helps the save, not against the roll to hit."""
        return self.blast or self.template


def nerve_inches(setup: NecSetup) -> float:
    """How near friends see somebody fall."""
    return setup.tables.injuries.nerve


def after_battle(setup: NecSetup) -> bool:
    """Whether the battle is over when the question is."""
    scenario = setup.scenario
    return isinstance(scenario, NecromundaScenario) and scenario.after_battle


# -- who is where ----------------------------------------------------------------------------------


def within(setup: NecSetup, name: str, inches: float) -> tuple[str, ...]:
    """Who stands within so many inches of somebody: by positions, else as stated."""
    me = setup.combatants[name]
    if me.position is not None:
        gap = base_inches(setup) if setup.rulings.takes("distances", "bases") else 0.0
        return tuple(
            other
            for other, each in setup.combatants.items()
            if other != name
            and each.position is not None
            and distance(me.position, each.position) <= inches + gap + EDGE
        )
    listed = me.beside if inches <= setup.tables.blaze.beside else me.near
    named = dict.fromkeys(listed or ())
    for other, each in setup.combatants.items():
        theirs = each.beside if inches <= setup.tables.blaze.beside else each.near
        if name in (theirs or ()):
            named[other] = None
    return tuple(other for other in setup.combatants if other in named)


def base_inches(setup: NecSetup) -> float:
    """A fighter's base: its diameter in inches."""
    return setup.tables.shooting.base / 25.4


def gap_between(setup: NecSetup, name: str, other: str) -> float | None:
    """The inches between two: by positions, else as stated; None where nothing says."""
    one, two = setup.combatants[name], setup.combatants[other]
    if one.position is not None and two.position is not None:
        gap = base_inches(setup) if setup.rulings.takes("distances", "bases") else 0.0
        return max(0.0, setup.distance(name, other) - gap)
    stated = [each.distance for each in (one, two) if each.distance is not None]
    if len(stated) == 2 and len(setup.combatants) == 2:
        return setup.distance(name, other)
    return stated[0] if len(stated) == 1 else None


def friends_within(setup: NecSetup, name: str, inches: float) -> tuple[str, ...]:
    """Friends who stand within so many inches."""
    allies = setup.allies(name)
    return tuple(other for other in within(setup, name, inches) if other in allies)


# -- injuries --------------------------------------------------------------------------------------


def witness_of(setup: NecSetup, name: str, *, but: str = "") -> Witness:
    """Somebody's nerve: the Cool, and the friends who steady it."""
    beside = friends_within(setup, name, setup.tables.injuries.nerve)
    return Witness(name, figures(setup, name).cool, tuple(n for n in beside if n != but))


def frame_of(setup: NecSetup, name: str) -> Frame:
    """What injuries of somebody depend on."""
    tables, rulings = setup.tables, setup.rulings
    grit = ""
    if has_skill(setup, name, Skill.TRUE_GRIT):
        grit = rulings["true_grit"]
    friends = friends_within(setup, name, tables.injuries.nerve)
    return Frame(
        name=name,
        toughness=figures(setup, name).toughness,
        injury_die=tables.dice.injury_die,
        again_flesh=rulings.takes("further_serious_injury", "flesh_wound"),
        grit=grit,
        keeps_count=after_battle(setup),
        captured=tables.injuries.captured,
        witnesses=tuple(witness_of(setup, friend, but=name) for friend in friends),
    )


# -- what stops hits -------------------------------------------------------------------------------


def armour_of(setup: NecSetup, name: str) -> Armour | None:
    """The armour that somebody wears."""
    worn = key_of(setup.combatants[name].armour)
    if not worn:
        return None
    if worn not in setup.tables.armour:
        near = close_matches(worn, setup.tables.armour)
        raise setup.wrong(("combatants", name, "armour"), f"is {worn!r}, which is none; {near}")
    return setup.tables.armour[worn]


def initiative_of(setup: NecSetup, name: str) -> int:
    """What an Initiative test of somebody needs; heavy armour makes it worse."""
    armour = armour_of(setup, name)
    return figures(setup, name).initiative - (armour.initiative if armour is not None else 0)


def charge_inches(setup: NecSetup, name: str) -> int:
    """How far somebody moves in a charge, before any dice."""
    armour = armour_of(setup, name)
    return figures(setup, name).movement + (armour.charge if armour is not None else 0)


def field_of(setup: NecSetup, name: str) -> FieldArmour | None:
    """The field armour that somebody has."""
    worn = key_of(setup.combatants[name].field)
    if not worn:
        return None
    if worn not in setup.tables.fields:
        near = close_matches(worn, setup.tables.fields)
        raise setup.wrong(("combatants", name, "field"), f"is {worn!r}, which is none; {near}")
    return setup.tables.fields[worn]


def protection_of(
    setup: NecSetup, name: str, weapon: Weapon, approach: Approach, *, shielded: bool = True
) -> Protection:
    """What may stop a hit of an attack on somebody; prone no shield does."""
    tables = setup.tables
    armour = armour_of(setup, name)
    save = _save(setup, name, armour, approach)
    parts = _save_parts(setup, name, approach)
    if save is None and parts:
        save = tables.saves.unarmoured
    shield = _shield(setup, name, save, weapon, approach) if shielded else 0
    if shield:
        save = tables.saves.unarmoured if save is None else save
        parts = (*parts, Modifier("shield", shield, name))
    field = field_of(setup, name)
    if field is not None and field.flashes:
        setup.leave_out(f"the flash of the field of {name} on those around")
    cancels = field is not None and field.cancels
    reflects = armour is not None and any(each in weapon.pattern for each in armour.reflects)
    return Protection(
        armour=save,
        parts=parts,
        never_worse=armour.never_worse if armour is not None else None,
        reflects=reflects,
        field=field.save if field is not None else None,
        burns_out=field.burns_out if field is not None else 0,
        cancels=cancels,
        first=cancels and setup.rulings.takes("displacer", "per_hit"),
    )


def _save(setup: NecSetup, name: str, armour: Armour | None, approach: Approach) -> int | None:
    fighter = setup.combatants[name]
    if fighter.save is not None:
        return fighter.save
    if armour is None:
        return None
    saves = [armour.save]
    if fighter.front and armour.front is not None:
        saves.append(armour.front)
    if approach.blast and armour.blast is not None:
        saves.append(armour.blast)
    against_template = approach.template and armour.template is not None
    if against_template and setup.rulings.takes("flak_template", "improved"):
        saves.append(armour.template or armour.save)
    return min(saves)


def _save_parts(setup: NecSetup, name: str, approach: Approach) -> tuple[Modifier, ...]:
    fighter, saves = setup.combatants[name], setup.tables.saves
    parts = []
    if approach.is_area and fighter.cover is not None:
        value = saves.full_cover if fighter.cover == "full" else saves.partial_cover
        parts.append(Modifier(f"{fighter.cover} cover", value, name))
    return tuple(parts)


def _shield(
    setup: NecSetup, name: str, save: int | None, weapon: Weapon, approach: Approach
) -> int:
    """What a shield in front adds to the save, which it makes 2+ at best."""
    fighter, saves = setup.combatants[name], setup.tables.saves
    breaks = Trait.SHIELD_BREAKER in weapon.traits or approach.fire
    if breaks or not fighter.front or not _has_shield(setup, name):
        return 0
    value = saves.shield_melee if approach.melee else saves.shield_ranged
    save = saves.unarmoured if save is None else save
    return save - max(saves.best, save - value)


def _has_shield(setup: NecSetup, name: str) -> bool:
    """Whether somebody carries an energy or assault shield."""
    weapons = setup.combatants[name].weapons
    return any(Trait.SHIELD in armoury_traits(setup, name, weapon) for weapon in weapons)


# -- whom a hit meets ------------------------------------------------------------------------------


def body_of(
    setup: NecSetup, name: str, weapon: Weapon, approach: Approach, *, strength: int | None = None
) -> Body:
    """Somebody as a target of this profile; `strength` in place of the weapon's own."""
    own, tables = figures(setup, name), setup.tables
    fighter = setup.combatants[name]
    strength = weapon.strength if strength is None else strength
    harder = 0
    if approach.melee and weapon.ap == 0 and has_skill(setup, name, Skill.IRON_JAW):
        harder = tables.melee.iron_jaw
    needs = tuple(
        tables.to_wound(strength or 0, toughness + harder)
        for toughness in range(1, own.toughness + 1)
    )
    gas = 0
    if fighter.respirator:
        suit = key_of(fighter.armour) == "hazard-suit"
        gas = tables.injuries.respirator_and_suit if suit else tables.injuries.respirator
    return Body(
        frame=frame_of(setup, name),
        wounds=own.wounds,
        strength=own.strength,
        initiative=initiative_of(setup, name),
        initiative_worst=tables.injuries.initiative_worst,
        concussion=tables.injuries.concussion,
        gunked=tables.injuries.gunked,
        needs=needs,
        protection=protection_of(setup, name, weapon, approach),
        lying=_lying(setup, name, weapon, approach),
        against_gas=gas,
        dodges=tables.injuries.dodge if has_skill(setup, name, Skill.DODGE) else None,
        slammed=fighter.blocked_behind,
        nerve=witness_of(setup, name) if Trait.FEAR in weapon.traits else None,
        fear=Modifier("Fear", tables.injuries.fear, weapon.name),
    )


def _lying(setup: NecSetup, name: str, weapon: Weapon, approach: Approach) -> Protection | None:
    """What may stop a hit on somebody prone, if that is another."""
    if not _has_shield(setup, name):
        return None
    return protection_of(setup, name, weapon, approach, shielded=False)


def harm_of(setup: NecSetup, attacker: str, weapon: Weapon, approach: Approach) -> Harm:
    """What a hit of this profile does."""
    traits, rulings = weapon.traits, setup.rulings
    begins: Any = ToWound
    injures: Any = None
    if Trait.FLASH in traits:
        begins = FlashTest
    elif Trait.GRAVITON_PULSE in traits:
        begins = GravitonTest
    elif Trait.GAS in traits or (Trait.TOXIN in traits and rulings.takes("toxin", "roll")):
        begins = AgainstToughness
    elif Trait.TOXIN in traits:
        injures = ToxinContest
    if Trait.FEAR in traits and rulings.takes("fear", "wound"):
        begins = FearTest
    elif Trait.FEAR in traits:
        injures = FearTest
    saveless = Trait.PHASE in traits or Trait.GAS in traits
    if begins is ToWound and weapon.strength is None:
        where = ("combatants", attacker, "weapons", weapon.name)
        raise setup.wrong(where, "has no Strength to wound with; state 'strength'")
    return Harm(
        attacker=attacker,
        weapon=weapon.name,
        strength=weapon.strength or 0,
        ap=weapon.ap,
        damage=weapon.damage,
        traits=traits.names & OF_HARM,
        begins=begins,
        injures=injures,
        bare=saveless or Trait.GRAVITON_PULSE in traits,
        naked=saveless,
        finishes=Trait.SEVER in traits or _melts(setup, weapon, approach),
        fixed=rulings.takes("hits_in_sequence", "fixed"),
        tells=Trait.BLAZE in traits and rulings.takes("blaze_needs", "wound"),
    )


def _melts(setup: NecSetup, weapon: Weapon, approach: Approach) -> bool:
    """Melta: whether Injury dice are Out of Action; a profile may lack a Short range."""
    if Trait.MELTA not in weapon.traits:
        return False
    if weapon.short is None:
        return setup.rulings.takes("melta", "at_0_wounds")
    return not approach.long


def aftermath_of(setup: NecSetup, name: str, weapon: Weapon, approach: Approach) -> Aftermath:
    """What the hits of this profile do to somebody besides wounding."""
    traits, tables, rulings = weapon.traits, setup.tables, setup.rulings
    own, fighter = figures(setup, name), setup.combatants[name]
    armour = armour_of(setup, name)
    fireproof = armour is not None and armour.fireproof
    catching = rads = None
    if Trait.BLAZE in traits and not fireproof:
        per_hit = rulings.takes("blaze_rolls", "per_hit")
        wounding = rulings.takes("blaze_needs", "wound")
        catching = Catching(tables.blaze.catches, tables.blaze.gunked, per_hit, wounding)
    if Trait.RAD_PHAGE in traits and not fireproof:
        rads = 1 if rulings.takes("rad_phage", "always") else tables.injuries.rad_phage
    if Trait.CURSED in traits:
        setup.leave_out("what somebody Insane does")
    moves = [str(each) for each in (Trait.KNOCKBACK, Trait.DRAG) if each in traits]
    if moves and fighter.position is not None:
        setup.leave_out(f"where {' and '.join(moves)} moves {name}")
    return Aftermath(
        pinning=None if approach.melee else _pinning(setup, name, traits.names, approach),
        catching=catching,
        rads=rads,
        curse=own.willpower if Trait.CURSED in traits else None,
        drags=own.strength if Trait.DRAG in traits else None,
        concusses=Trait.CONCUSSION in traits,
        gunks=Trait.GUNK in traits and not fighter.on_fire,
    )


def _pinning(
    setup: NecSetup, name: str, traits: frozenset[Trait], approach: Approach
) -> Pinning | None:
    """How a hit of a ranged attack pins; Seismic pins whatever ability there is."""
    own = figures(setup, name)
    if Trait.GAS in traits or Trait.SMOKE in traits:
        return None
    if Trait.SEISMIC in traits:
        return Pinning()
    if has_skill(setup, name, Skill.NERVES_OF_STEEL):
        return Pinning("Cool", own.cool, two_dice=True)
    if setup.combatants[name].mounted:
        knocks = approach.blast or Trait.KNOCKBACK in traits
        parts = (Modifier("Blast or Knockback", -1, "rules: mounted"),) if knocks else ()
        return Pinning("Initiative", initiative_of(setup, name), parts=parts)
    return Pinning()
