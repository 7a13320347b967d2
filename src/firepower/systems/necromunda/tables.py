"""The tables of Necromunda as they stand in rules.toml, and what is reckoned with them."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from firepower.chance.dice import Die
from firepower.chance.notation import dice
from firepower.chance.steps import Modifier
from firepower.combat.paths import close_matches
from firepower.combat.setup import Setup
from firepower.combat.tables import Tables
from firepower.systems.necromunda.models import ActionLine, Combatant, WeaponEntry

Need: TypeAlias = Annotated[int, Meta(ge=1, le=7)]
InjuryFace: TypeAlias = Literal["flesh", "serious", "out"]
When: TypeAlias = Literal["at_least_double", "more", "equal", "at_most_half", "less"]

INJURY_FACES: tuple[InjuryFace, ...] = ("flesh", "serious", "out")


class Strict(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of which every key is known."""


class Figures(Strict, frozen=True):
    """The characteristics of a fighter."""

    movement: int
    weapon_skill: Need
    ballistic_skill: Need
    strength: int
    toughness: int
    wounds: int
    initiative: Need
    attacks: int
    leadership: int
    cool: int
    willpower: int
    intelligence: int


class DiceTable(Strict, frozen=True):
    """The special dice, face by face."""

    firepower_holes: Annotated[list[int], Meta(min_length=1)]
    firepower_ammo: list[bool]
    injury: Annotated[list[InjuryFace], Meta(min_length=1)]
    scatter_arrows: Annotated[int, Meta(ge=1)]
    scatter_hits: Annotated[int, Meta(ge=1)]

    def __post_init__(self) -> None:
        if len(self.firepower_holes) != len(self.firepower_ammo):
            raise ValueError("firepower_holes and firepower_ammo must say as many faces")

    @property
    def firepower(self) -> Die:
        """The Firepower die; its faces are its holes, with an ! where the Ammo symbol is."""
        faces = [
            f"{holes}!" if ammo else str(holes)
            for holes, ammo in zip(self.firepower_holes, self.firepower_ammo, strict=True)
        ]
        return _die("Firepower die", faces)

    @property
    def injury_die(self) -> Die:
        """The Injury die."""
        return _die("Injury die", list(self.injury))

    @property
    def scatter_die(self) -> Die:
        """The Scatter die: arrows, and the Hit symbol."""
        return Die("Scatter die", ("arrow", "hit"), (self.scatter_arrows, self.scatter_hits))


def _die(name: str, faces: list[str]) -> Die:
    """A die whose equal faces are one with its weight."""
    different = tuple(dict.fromkeys(faces))
    return Die(name, different, tuple(faces.count(face) for face in different))


class ToHit(Strict, frozen=True):
    """What changes a shot's roll to hit."""

    partial_cover: int
    full_cover: int
    trick_full_cover: int
    engaged: int
    prone_at_long: int
    point: int
    aim: int
    expert_aim: int
    twin_guns: int
    blind_fire: int
    run_and_gun: int
    ductway: Need
    evade: int
    evade_at_long: int
    improbable: int
    target_priority_dice: str


class ShootingTable(Strict, frozen=True):
    """Distances and numbers around a shot."""

    near: float
    base: float
    scatter: str
    misfire: int
    misfire_on_shooter: int
    stray_line: float
    stray_hits: int
    unstable: int
    directions: Annotated[int, Meta(ge=1, le=360)]
    impale: int
    drag: int


class WoundRow(Strict, frozen=True):
    """A row of the table to wound: how Strength is to Toughness, and what is needed."""

    when: When
    need: Need

    def fits(self, strength: int, toughness: int) -> bool:
        """Whether the row is that of these."""
        return {
            "at_least_double": strength >= 2 * toughness,
            "more": strength > toughness,
            "equal": strength == toughness,
            "at_most_half": 2 * strength <= toughness,
            "less": strength < toughness,
        }[self.when]


class Saves(Strict, frozen=True):
    """What improves saves, and how far."""

    unarmoured: Need
    partial_cover: int
    full_cover: int
    shield_melee: int
    shield_ranged: int
    best: Need


class Armour(Strict, frozen=True):
    """An armour: its save, and where it is another: from the front, against Blast, Template;
    what it adds to Initiative and to a charge.
    """

    title: str
    save: Need
    front: Need | None = None
    blast: Need | None = None
    template: Need | None = None
    never_worse: Need | None = None
    fireproof: bool = False
    initiative: int = 0
    charge: int = 0
    reflects: list[str] = []


class FieldArmour(Strict, frozen=True):
    """A field: its save; what burns it out; whether it makes a hit no hit at all,
    or flashes at those around."""

    title: str
    save: Need
    burns_out: int = 0
    cancels: bool = False
    flashes: bool = False


class Injuries(Strict, frozen=True):
    """Numbers of what comes after hits."""

    initiative_worst: Need
    concussion: int
    gunked: int
    respirator: int
    respirator_and_suit: int
    dodge: Need
    rad_phage: Need
    survives: Need
    captured: Need
    fear: int
    munitioneer: float
    nerve: float
    unstoppable: Need
    treat_wounds: Need


class BlazeTable(Strict, frozen=True):
    """Fire: what catches it, what it does, what puts it out."""

    catches: Need
    gunked: Need
    strength: int
    ap: int
    damage: int
    out: int
    friend: int
    double_action: int
    prone: int
    move: str
    stops: float
    beside: float


class Melee(Strict, frozen=True):
    """Close combat: dice and modifiers."""

    two_weapons: int
    charge: int
    berserker: int
    assist: int
    interference: int
    turned: int
    unseen: int
    broken: int
    entangled: int
    charge_dice: str
    iron_jaw: int
    blind: Need
    engaged: float
    hands: Annotated[int, Meta(ge=1)]
    paired_charge: int
    digi: int
    parries: int
    counter_attack: int
    unarmed_damage: int
    power_damage: int
    crushing: int
    backstab: int
    lance: int
    bull_charge: int
    hexagrammatic: int
    gunked: int


class Activation(Strict, frozen=True):
    """How many actions an activation has."""

    actions: Annotated[int, Meta(ge=1, le=5)]


class Rules(Tables, frozen=True, forbid_unknown_fields=True):
    """Every table of the game."""

    fighters: dict[str, Figures]
    dice: DiceTable
    to_hit: ToHit
    shooting: ShootingTable
    wound: list[WoundRow]
    saves: Saves
    armour: dict[str, Armour]
    fields: dict[str, FieldArmour]
    injuries: Injuries
    blaze: BlazeTable
    melee: Melee
    activation: Activation
    lasting: dict[str, list[tuple[int, str]]]
    weapons: dict[str, WeaponEntry]

    def __post_init__(self) -> None:
        for row in self.wound:
            if not 2 <= row.need <= 6:
                raise ValueError(f"needs from 2 to 6 to wound, not {row.need}")
        for name, rows in self.lasting.items():
            if [least for least, _ in rows] != sorted({least for least, _ in rows}):
                raise ValueError(f"lasting.{name} must ascend")
        for text in (self.shooting.scatter, self.blaze.move, self.melee.charge_dice):
            dice(text)

    def to_wound(self, strength: int, toughness: int) -> int:
        """What is needed to wound: the first row that fits."""
        return next(row.need for row in self.wound if row.fits(strength, toughness))


NecSetup: TypeAlias = Setup[Combatant, ActionLine, Rules]


def figures(setup: NecSetup, name: str) -> Figures:
    """The characteristics of somebody: those stated, else of the made-up profile."""
    fighter = setup.combatants[name]
    if fighter.profile not in setup.tables.fighters:
        near = close_matches(fighter.profile, setup.tables.fighters)
        path = ("combatants", name, "profile")
        raise setup.wrong(path, f"is {fighter.profile!r}, which is no profile; {near}")
    given = {
        key: value
        for key in Figures.__struct_fields__
        if (value := getattr(fighter, key)) is not None
    }
    return msgspec.structs.replace(setup.tables.fighters[fighter.profile], **given)


def key_of(name: str) -> str:
    """The key of a table for a name as somebody writes it."""
    return "-".join(name.strip().lower().split())


def part(label: str, value: int, source: str) -> Modifier:
    """A part of a number, with where it comes from."""
    return Modifier(label, value, source)
