"""Who and what: fighters, weapons and lines of action, as a scenario states them."""

import re
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from firepower.combat.scenario import Envelope, Line, Participant
from firepower.systems.necromunda.traits import trait_of

Names: TypeAlias = list[str]
Target: TypeAlias = Annotated[int, Meta(ge=1, le=7)]
Mental: TypeAlias = Annotated[int, Meta(ge=2, le=13)]
Figure: TypeAlias = Annotated[int, Meta(ge=0, le=20)]
Amount: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
ToHitModifier: TypeAlias = Annotated[int, Meta(ge=-20, le=20)]
Penetration: TypeAlias = Annotated[int, Meta(ge=-10, le=10)]
Ammo: TypeAlias = Annotated[int, Meta(ge=1, le=7)]
Cover: TypeAlias = Literal["partial", "full"]

_RANGE = re.compile(r"(?P<short>-|E|\d{1,3}|Sx\d)/(?P<long>-|E|T|\d{1,3}|Sx\d)")
_ACCURACY = re.compile(r"(?P<short>-|[+-]\d)/(?P<long>-|[+-]\d)")
_STRENGTH = re.compile(r"(?P<own>S)?(?P<plus>[+-]?\d{1,2})?|-|\*")
_DAMAGE = re.compile(r"\d{1,2}|-")


def _check(pattern: re.Pattern[str], text: str, what: str, example: str) -> None:
    if not pattern.fullmatch(text) or not text:
        raise ValueError(f"{text!r} is no {what}; write it like {example}")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One profile of a weapon: a row of the armoury.

    `range` and `accuracy` are short and long: inches, E (engaged), T (template), Sx3 (thrown, so
    many times the Strength), - (none). `ammo`: the least that passes a check; left out, there is
    none; `single`: it fires once.
    """

    range: Annotated[str, Meta(description="short/long in inches, such as 8/24, -/T, -/E, -/Sx3")]
    strength: Annotated[str, Meta(description="such as 4, S, S+1, - or *")]
    damage: Annotated[str, Meta(description="wounds of a hit, or -")]
    accuracy: Annotated[str, Meta(description="to hit at short/long range, such as +1/-")] = "-/-"
    ap: Annotated[Penetration, Meta(description="added to the armour save, such as -1")] = 0
    ammo: Annotated[
        Ammo | Literal["single"] | None, Meta(description="passes an ammo check: 4 for 4+")
    ] = None
    traits: Annotated[Names, Meta(description="by name, such as Rapid Fire (1)")] = []

    def __post_init__(self) -> None:
        _check(_RANGE, self.range, "range", "8/24, -/T, -/E or -/Sx3")
        _check(_ACCURACY, self.accuracy, "accuracy", "+1/- or -1/+1")
        _check(_STRENGTH, self.strength, "strength", "4, S, S+1, - or *")
        _check(_DAMAGE, self.damage, "damage", "2 or -")
        for each in self.traits:
            trait_of(each)


class WeaponEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A weapon of the armoury: its profiles by name, in the rows of 2017 and in those since."""

    title: str
    n17: dict[str, Row] = {}
    n23: dict[str, Row] = {}


class CarriedWeapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A weapon somebody carries: of the armoury by its name, with any figure changed.

    Figures that are stated are those of every profile; a weapon that the armoury lacks states
    range, strength and damage.
    """

    use: Annotated[str, Meta(description="its name in the armoury, if it has another here")] = ""
    range: Annotated[str | None, Meta(description="short/long in inches, such as 8/24")] = None
    accuracy: Annotated[str | None, Meta(description="to hit at short/long range")] = None
    strength: Annotated[str | None, Meta(description="such as 4, S, S+1 or -")] = None
    ap: Annotated[Penetration | None, Meta(description="added to the armour save")] = None
    damage: Annotated[str | None, Meta(description="wounds of a hit, or -")] = None
    ammo: Annotated[
        Ammo | Literal["single"] | None, Meta(description="passes an ammo check: 4 for 4+")
    ] = None
    traits: Annotated[Names | None, Meta(description="by name, such as Blaze")] = None
    profiles: Annotated[
        Names | None,
        Meta(description="those that `best` offers; else the standard one, or all not Limited"),
    ] = None
    suspensors: Annotated[bool, Meta(description="Unwieldy no more costs a Double action")] = False

    # how it stands when the question begins
    out_of_ammo: Annotated[bool, Meta(description="out of ammo until it is reloaded")] = False
    jammed: Annotated[bool, Meta(description="jammed for the rest of the battle")] = False
    dry: Annotated[Names, Meta(description="profiles of a Combi weapon that are out of ammo")] = []
    spent: Annotated[Names, Meta(description="profiles that are gone for the battle")] = []
    rerolled: Annotated[bool, Meta(description="Master-crafted: has had its re-roll")] = False

    def changed(self, row: Row | None) -> Row:
        """A profile with the figures that are stated here; without a profile they are all of it.

        Raises ValueError if figures are missing.
        """
        given = {
            key: value for key in Row.__struct_fields__ if (value := getattr(self, key)) is not None
        }
        if row is not None:
            return msgspec.structs.replace(row, **given)
        lacks = [key for key in ("range", "strength", "damage") if key not in given]
        if lacks:
            raise ValueError(f"needs {' and '.join(lacks)}")
        return Row(**given)

    def __post_init__(self) -> None:
        base = Row(range="-/E", strength="S", damage="1")
        self.changed(base)


class Combatant(Participant, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fighter of a gang; distances and positions are in inches.

    Figures that are not stated are those of the made-up `profile`.
    """

    profile: Annotated[str, Meta(description="made-up figures: juve, ganger, champion, leader")] = (
        "ganger"
    )
    movement: Annotated[Figure | None, Meta(description="M, in inches")] = None
    weapon_skill: Annotated[Target | None, Meta(description="WS: 4 for 4+")] = None
    ballistic_skill: Annotated[Target | None, Meta(description="BS: 4 for 4+")] = None
    strength: Annotated[Figure | None, Meta(description="S")] = None
    toughness: Annotated[
        Annotated[int, Meta(ge=1, le=20)] | None, Meta(description="T, before flesh wounds")
    ] = None
    wounds: Annotated[
        Annotated[int, Meta(ge=0, le=20)] | None, Meta(description="W, before any are lost")
    ] = None
    initiative: Annotated[Target | None, Meta(description="I: 4 for 4+")] = None
    attacks: Annotated[Figure | None, Meta(description="A")] = None
    leadership: Annotated[Mental | None, Meta(description="Ld: 7 for 7+ on 2D6")] = None
    cool: Annotated[Mental | None, Meta(description="Cl: 7 for 7+ on 2D6")] = None
    willpower: Annotated[Mental | None, Meta(description="Wil: 7 for 7+ on 2D6")] = None
    intelligence: Annotated[Mental | None, Meta(description="Int: 7 for 7+ on 2D6")] = None

    armour: Annotated[str, Meta(description="its name, such as flak or mesh")] = ""
    save: Annotated[Target | None, Meta(description="armour save, in place of the armour's")] = None
    field: Annotated[str, Meta(description="field armour: refractor, conversion, displacer")] = ""
    respirator: Annotated[bool, Meta(description="Toughness +2 against Gas")] = False
    mounted: Annotated[bool, Meta(description="on a mount")] = False
    psyker: Annotated[bool, Meta(description="a psyker: Force weapons work")] = False
    skills: Annotated[Names, Meta(description="skills by name, such as Marksman")] = []
    weapons: Annotated[dict[str, CarriedWeapon], Meta(description="weapons, by name")] = {}
    fights_with: Annotated[
        Annotated[list[str], Meta(max_length=2)] | None,
        Meta(description="up to two weapons for close combat; else the best it may"),
    ] = None

    cover: Annotated[Cover | None, Meta(description="partial or full; else in the open")] = None
    front: Annotated[bool, Meta(description="attacks come from the front arc")] = True
    blocked_behind: Annotated[
        bool, Meta(description="something solid within an inch behind: Knockback hurts more")
    ] = False
    beside: Annotated[Names | None, Meta(description="who stands within 1 inch")] = None
    near: Annotated[Names | None, Meta(description="who stands within 3 inches")] = None
    helpers: Annotated[
        Amount, Meta(description="Active friends within 1 inch who are no combatants here")
    ] = 0
    modifiers: Annotated[
        dict[str, ToHitModifier], Meta(description="to hit this fighter, by their causes")
    ] = {}

    # how things stand with somebody when the question begins
    wounds_lost: Annotated[Amount, Meta(description="wounds lost so far")] = 0
    flesh_wounds: Annotated[Amount, Meta(description="each is Toughness -1")] = 0
    pinned: Annotated[bool, Meta(description="Prone and Pinned")] = False
    seriously_injured: Annotated[bool, Meta(description="Prone and Seriously Injured")] = False
    webbed: Annotated[bool, Meta(description="Webbed: as Seriously Injured")] = False
    out_of_action: Annotated[bool, Meta(description="out of action")] = False
    on_fire: Annotated[bool, Meta(description="has a Blaze marker")] = False
    broken: Annotated[bool, Meta(description="Broken: runs for cover")] = False
    blind: Annotated[bool, Meta(description="Blind: no attacks until activated")] = False
    concussed: Annotated[bool, Meta(description="Initiative worse by 2 until the round ends")] = (
        False
    )
    gunked: Annotated[bool, Meta(description="Gunked: catches fire on 2+")] = False
    burnt_out: Annotated[bool, Meta(description="the field armour is burnt out")] = False
    ready: Annotated[bool, Meta(description="not activated yet in this round")] = True
    engaged: Annotated[Names, Meta(description="with whom, in close combat")] = []
    aimed: Annotated[ToHitModifier, Meta(description="bonus of an Aim of this activation")] = 0


class ActionLine(Line, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of what is done."""

    weapon: Annotated[str, Meta(description="with which weapon; needless if there is one")] = ""
    mode: Annotated[str, Meta(description="the profile, where the weapon has several")] = ""
    weapons: Annotated[
        Names, Meta(description="fight: up to two weapons; shoot: two Sidearms", max_length=2)
    ] = []
    at: Annotated[
        Names,
        Meta(description="the target: the first who may be one; Template: everybody touched"),
    ] = []
    dice: Annotated[
        Annotated[int, Meta(ge=1, le=9)] | None,
        Meta(description="Rapid Fire: how many Firepower dice; else a policy or `best` says"),
    ] = None
    near: Annotated[
        Names | None, Meta(description="who else stands within 3 inches of the target")
    ] = None
    out_of_sight: Annotated[Names, Meta(description="near the target, but not in sight")] = []
    touched: Annotated[
        Names | None, Meta(description="Blast: everybody under the marker, if it stays")
    ] = None
    bystanders: Annotated[
        Names, Meta(description="within 1 inch of the line of fire, the nearest first")
    ] = []
    behind: Annotated[
        Names, Meta(description="Impale: in the line behind the target, the nearest first")
    ] = []
    closer: Annotated[Names, Meta(description="enemies nearer than the target, in sight")] = []
    point: Annotated[bool, Meta(description="Blast: aimed at a point, not at a fighter")] = False
    ductway: Annotated[bool, Meta(description="a ductway leads to the target")] = False
    turned: Annotated[bool, Meta(description="fight: had to turn to face")] = False
    unseen: Annotated[bool, Meta(description="charge: at an enemy not seen")] = False
    from_behind: Annotated[bool, Meta(description="outside the target's vision arc")] = False
    helper: Annotated[str, Meta(description="recover: the friend who helps")] = ""
    modifiers: Annotated[dict[str, ToHitModifier], Meta(description="to hit, by their causes")] = {}


class NecromundaScenario(
    Envelope[Combatant, ActionLine], frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A question about Necromunda."""

    after_battle: Annotated[
        bool, Meta(description="then the battle is over: who is down may yet go out of action")
    ] = False
