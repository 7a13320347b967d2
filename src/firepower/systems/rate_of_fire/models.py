"""Who and what: weapons, combatants and lines of action, as a scenario states them."""

import re
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from firepower.chance.dice import Dice
from firepower.chance.errors import DiceError
from firepower.chance.notation import dice
from firepower.combat.scenario import Envelope, Line, Participant

Score: TypeAlias = Annotated[int, Meta(ge=0, le=150)]
Amount: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]
ToHitModifier: TypeAlias = Annotated[int, Meta(ge=-500, le=500)]
AimBonus: TypeAlias = Annotated[int, Meta(ge=0, le=500)]
Bonus: TypeAlias = Annotated[int, Meta(ge=0, le=20)]
FatePoints: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
DiceCount: TypeAlias = Annotated[int, Meta(ge=1, le=99)]
Names: TypeAlias = list[str]
AttackName: TypeAlias = Literal["single-shot", "semi-auto", "full-auto", "suppressing-fire"]
Craftsmanship: TypeAlias = Literal[
    "relic", "artificer", "best", "good", "common", "poor", "useless", "broken"
]

_ROF = re.compile(
    r"(?P<single>S|-)/(?P<semi>0*[1-9]\d{0,2}|-)/(?:(?P<dice>0*[1-9]\d?)[dD](?P<faces>5|10)|-)"
)
_DAMAGE = re.compile(r"(?P<dice>.+?)(?P<bonus>\+RCB)?(?P<fixed>[+-]\d+)?\s*\[(?P<kind>[EIRX])\]")

KINDS = {"E": "Energy", "I": "Impact", "R": "Rending", "X": "Explosive"}


class RateOfFire(msgspec.Struct, frozen=True):
    """What `S/2/3d5` says: single shots or not, rounds of a burst, full-auto dice."""

    single: bool
    semi: int
    dice: int
    faces: int

    @property
    def most_shots(self) -> int:
        """The most shots of a turn."""
        return self.dice * self.faces


class Harm(msgspec.Struct, frozen=True):
    """What `d10+2+RCB [I]` says: dice with their constant, the skill's bonus or not, the kind."""

    dice: Dice
    adds_bonus: bool
    kind: str


def rate_of_fire(text: str) -> RateOfFire:
    """Read the notation single/semi/full; a dash stands for a mode that the weapon lacks.

    Raises ValueError, with what would be right.

    R01, B13
    """
    match = _ROF.fullmatch(text.replace(" ", "").replace("–", "-"))
    if match is None:
        raise ValueError(f"rof {text!r} is not written like S/2/3d5 (full-auto dice: d5 or d10)")
    semi = 0 if match["semi"] == "-" else int(match["semi"])
    return RateOfFire(
        match["single"] == "S", semi, int(match["dice"] or 0), int(match["faces"] or 0)
    )


def harm(text: str) -> Harm:
    """Read a damage notation: dice, constants, `RCB` once, the kind in brackets.

    Raises ValueError, with what would be right.
    """
    match = _DAMAGE.fullmatch(text.replace(" ", ""))
    if match is None or "RCB" in match["dice"]:
        raise ValueError(
            f"damage {text!r} is not written like d10+2+RCB [I]; the kind is E, I, R or X"
        )
    try:
        thrown = dice(match["dice"] + (match["fixed"] or ""))
    except DiceError as problem:
        raise ValueError(f"damage {text!r} is not lawful: {problem}") from None
    return Harm(thrown, bool(match["bonus"]), KINDS[match["kind"]])


class Weapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A weapon's profile. R02, B5"""

    title: str
    range: Annotated[float, Meta(gt=0, le=100_000, description="range figure in metres")]
    rof: Annotated[str, Meta(description="rate of fire, like S/2/3d5")]
    damage: Annotated[str, Meta(description="damage, like d10+2+RCB [I]")]
    penetration: Amount = 0
    reliable: bool = False
    storm: Annotated[int, Meta(ge=1, le=5, description="Storm; 1 where none is printed")] = 1
    reload_ap: Amount = 0
    magazine: Annotated[Amount | None, Meta(description="rounds when full")] = None
    class_: str = msgspec.field(name="class", default="")
    group: str = ""
    xp_cost: Amount | None = None
    rarity: Amount | None = None

    def __post_init__(self) -> None:
        rate_of_fire(self.rof)
        harm(self.damage)


class CarriedWeapon(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True
):
    """A weapon in somebody's hands: one of the armoury, any figure changed, and its state. C10"""

    use: Annotated[str, Meta(description="its name in the armoury, if that is not its key")] = ""
    loaded: Annotated[Amount | None, Meta(description="rounds in it")] = None
    jammed: Annotated[bool, Meta(description="jammed and not yet cleared")] = False
    fired: Annotated[Amount, Meta(description="shots that count against this turn's most")] = 0
    craftsmanship: Annotated[Craftsmanship, Meta(description="for condition checks")] = "common"
    range: Annotated[float, Meta(gt=0, le=100_000)] | None = None
    rof: str | None = None
    damage: str | None = None
    penetration: Amount | None = None
    reliable: bool | None = None
    storm: Annotated[int, Meta(ge=1, le=5)] | None = None
    reload_ap: Annotated[Amount | None, Meta(description="AP to reload it")] = None
    magazine: Annotated[Amount | None, Meta(description="rounds when full")] = None

    def changes(self) -> dict[str, object]:
        """The figures that differ from the armoury's."""
        carried = {"use", "loaded", "jammed", "fired", "craftsmanship"}
        given = msgspec.structs.asdict(self)
        return {k: v for k, v in given.items() if k not in carried and v is not None}


class Combatant(Participant, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Somebody who shoots, or may be shot. Distances and positions are in metres."""

    ranged_combat: Annotated[Score | None, Meta(description="Ranged Combat")] = None
    ranged_combat_bonus: Annotated[Amount | None, Meta(description="if not the tens digit")] = None
    agility: Annotated[Score | None, Meta(description="Agility, for the AP of a turn")] = None
    agility_bonus: Annotated[Bonus | None, Meta(description="if not the tens digit")] = None
    ap: Annotated[DiceCount | None, Meta(description="AP of each turn, without dice")] = None
    surprised: Annotated[bool, Meta(description="makes a surprise check before the first turn")] = (
        False
    )
    awareness: Annotated[Score | None, Meta(description="Awareness, for the surprise check")] = None
    awareness_bonus: Annotated[Bonus | None, Meta(description="if not the tens digit")] = None
    fate: Annotated[
        FatePoints | Literal["rolled"] | None,
        Meta(description="Fate points, or 'rolled' for a new character's"),
    ] = None
    willpower: Annotated[Score | None, Meta(description="Willpower, for pinning tests")] = None
    willpower_bonus: Annotated[Bonus | None, Meta(description="if not the tens digit")] = None
    toughness: Annotated[Score | None, Meta(description="Toughness, for injuries")] = None
    toughness_bonus: Annotated[Amount | None, Meta(description="if not the tens digit")] = None
    armour: Annotated[Amount, Meta(description="damage that armour stops")] = 0
    cover: Annotated[Amount, Meta(description="damage that cover stops")] = 0
    daemon: Annotated[bool, Meta(description="its toughness bonus stops damage too")] = False
    engaged: Annotated[bool, Meta(description="in melee itself")] = False
    fleeing: bool = False
    helpless: Annotated[bool, Meta(description="helpless, stunned or unaware")] = False
    tests_pinning: Annotated[bool, Meta(description="false for who cannot be pinned")] = True
    range_modifier: Annotated[
        ToHitModifier | None, Meta(description="to hit this combatant, for its distance")
    ] = None
    movement_modifier: Annotated[
        ToHitModifier | None, Meta(description="to hit this combatant, for its movement")
    ] = None
    modifiers: Annotated[
        dict[str, ToHitModifier], Meta(description="to hit this combatant, by their causes")
    ] = {}
    weapons: Annotated[dict[str, CarriedWeapon], Meta(description="weapons, by name")] = {}

    # how things stand with somebody when the question begins
    pinned: Annotated[bool, Meta(description="pinned when the question begins")] = False
    not_shot_at: Annotated[
        bool, Meta(description="pinned, and nobody shot at them since their last turn")
    ] = False
    fatigue: Annotated[Amount, Meta(description="levels of fatigue so far")] = 0
    out_of_action: Annotated[
        Literal["injury", "fatigue"] | None, Meta(description="by what, if they act no more")
    ] = None
    aimed: Annotated[AimBonus, Meta(description="bonus of Aim actions taken before")] = 0
    begun: Annotated[str, Meta(description="a long action that goes on, like 'reload autogun'")] = (
        ""
    )
    ap_put_in: Annotated[Amount, Meta(description="AP put into the long action so far")] = 0
    rerolled: Annotated[bool, Meta(description="has had the re-roll of this turn")] = False
    tireless: Annotated[Amount, Meta(description="turns for which fatigue is ignored")] = 0


class ActionLine(Line, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One line of what is done."""

    weapon: Annotated[str, Meta(description="with which weapon; needless if there is one")] = ""
    at: Annotated[
        Names,
        Meta(description="the original target: the first who still stands; delay: who goes first"),
    ] = []
    dice: Annotated[
        DiceCount | None, Meta(description="full auto: rate-of-fire dice, one for each AP")
    ] = None
    ap: Annotated[
        DiceCount | None, Meta(description="AP spent; for `best` the most that may be spent")
    ] = None
    aim: Annotated[AimBonus, Meta(description="bonus of Aim actions taken before")] = 0
    near: Annotated[
        Names | None, Meta(description="who else stands within 2 m of the original target")
    ] = None
    melee: Annotated[
        Names, Meta(description="everybody in the melee with the target: shooting into it")
    ] = []
    in_cone: Annotated[
        Names | None, Meta(description="suppressing fire: everybody in the cone, in order")
    ] = None
    out_of_sight: Annotated[Names, Meta(description="in the cone, but not in sight")] = []
    modifiers: Annotated[
        dict[str, ToHitModifier], Meta(description="to hit, by their causes: light, recoil...")
    ] = {}


class RateOfFireScenario(Envelope[Combatant, ActionLine], frozen=True, forbid_unknown_fields=True):
    """A question about Rate of Fire."""
