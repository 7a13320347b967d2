"""How weapons are written: rate of fire, damage, and what a scenario may change of them."""

import msgspec
import pytest

from firepower.chance import dice
from firepower.systems.rate_of_fire.models import (
    ActionLine,
    CarriedWeapon,
    Combatant,
    Harm,
    RateOfFire,
    Weapon,
    harm,
    rate_of_fire,
)


@pytest.mark.parametrize(
    ("text", "single", "semi", "dice_count", "faces"),
    [
        ("S/2/3d5", True, 2, 3, 5),
        ("S/3/5d10", True, 3, 5, 10),
        ("S/-/-", True, 0, 0, 0),
        ("S/2/-", True, 2, 0, 0),
        ("S/-/1d5", True, 0, 1, 5),
        ("-/3/-", False, 3, 0, 0),
        ("-/-/5d10", False, 0, 5, 10),
        ("-/-/-", False, 0, 0, 0),
        ("S/–/–", True, 0, 0, 0),
        (" S / 2 / 3D5 ", True, 2, 3, 5),
        ("S/12/10d5", True, 12, 10, 5),
    ],
)
def test_rate_of_fire(text: str, single: bool, semi: int, dice_count: int, faces: int) -> None:
    assert rate_of_fire(text) == RateOfFire(single, semi, dice_count, faces)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "S",
        "S/2",
        "S/2/3d5/1",
        "S/2/3d6",
        "S/2/3d100",
        "S/2/3",
        "S/2/3d5+1",
        "S/0/3d5",
        "S/00/3d5",
        "S/2/0d5",
        "S/2/00d5",
        "S/2/100d5",
        "S/-2/3d5",
        "S/x/3d5",
        "1/2/3d5",
        "2/S/3d5",
        "//",
        "S/²/3d5",
    ],
)
def test_bad_rate_of_fire(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not written like S/2/3d5") as refused:
        rate_of_fire(text)
    assert repr(text) in str(refused.value)


@pytest.mark.parametrize(
    ("text", "expression", "adds_bonus", "kind"),
    [
        ("d10+2+RCB [I]", "d10+2", True, "Impact"),
        ("d10+RCB [E]", "d10", True, "Energy"),
        ("d10+RCB+2 [R]", "d10+2", True, "Rending"),
        ("2d10+2 [X]", "2d10+2", False, "Explosive"),
        ("d5-1+RCB[I]", "d5-1", True, "Impact"),
        ("d5+RCB-1 [I]", "d5-1", True, "Impact"),
        ("2d10+d5+3+RCB [I]", "2d10+d5+3", True, "Impact"),
        ("1D10 [I]", "1D10", False, "Impact"),
    ],
)
def test_harm(text: str, expression: str, adds_bonus: bool, kind: str) -> None:
    assert harm(text) == Harm(dice(expression), adds_bonus, kind)


@pytest.mark.parametrize(
    "text",
    ["", "d10", "[I]", "d10 [Q]", "d10 [i]", "d10 I", "RCB [I]", "+RCB [I]", "d10+RCB+RCB [I]"],
)
def test_bad_harm(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not written like d10\+2\+RCB \[I\]"):
        harm(text)


@pytest.mark.parametrize(
    "text",
    ["d0 [I]", "0d10 [I]", "d10+ [I]", "d10++2 [I]", "99999d9999 [I]", "50d100 [I]", "x [I]"],
)
def test_bad_dice_in_harm(text: str) -> None:
    with pytest.raises(ValueError, match="damage"):
        harm(text)


@pytest.mark.parametrize("profile", [{"rof": "S/2/3d6"}, {"damage": "d10"}, {"storm": 6}])
def test_a_weapon_is_checked_when_it_is_read(profile: dict[str, object]) -> None:
    good = {"title": "gun", "range": 10, "rof": "S/-/-", "damage": "d10 [I]"}
    assert msgspec.convert(good, Weapon).storm == 1
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(good | profile, Weapon)


def test_a_carried_weapon_names_the_figures_that_it_changes() -> None:
    carried = CarriedWeapon(
        use="autogun", loaded=3, jammed=True, craftsmanship="poor", storm=2, reliable=False
    )
    assert carried.changes() == {"storm": 2, "reliable": False}
    assert CarriedWeapon().changes() == {}


def test_every_figure_of_a_carried_weapon_is_one_of_a_weapon() -> None:
    state = {"use", "loaded", "jammed", "fired", "craftsmanship"}
    assert set(CarriedWeapon.__struct_fields__) - state <= set(Weapon.__struct_fields__)


@pytest.mark.parametrize("kind", [ActionLine, Combatant, CarriedWeapon, Weapon])
def test_unknown_fields_are_refused(kind: type[msgspec.Struct]) -> None:
    with pytest.raises(msgspec.ValidationError, match="unknown field `speed`"):
        msgspec.convert({"speed": 1}, kind)
