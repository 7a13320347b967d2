"""The shipped tables against a copy of the facts, and what a variant may lay over them."""

from typing import Any

import pytest

from firepower.combat.documents import Document
from firepower.combat.errors import QuestionError
from firepower.systems.rate_of_fire import SYSTEM
from firepower.systems.rate_of_fire.models import Weapon

RULES = SYSTEM.tables()


@pytest.mark.parametrize(
    ("name", "title", "difficulty", "modifier", "ap", "aim"),
    [
        ("single-shot", "Single Shot Attack", "Ordinary", 10, 1, True),
        ("semi-auto", "Semi-Auto Attack", "Challenging", 0, 1, False),
        ("full-auto", "Full Auto Attack", "Difficult", -10, 1, False),
        ("suppressing-fire", "Suppressing Fire Attack", "Very Hard", -30, 3, False),
    ],
)
def test_actions(name: Any, title: str, difficulty: str, modifier: int, ap: int, aim: bool) -> None:
    action = RULES.actions[name]
    assert (action.title, action.difficulty, action.modifier) == (title, difficulty, modifier)
    assert (action.ap, action.aim) == (ap, aim)


def test_there_are_four_actions() -> None:
    assert list(RULES.actions) == ["single-shot", "semi-auto", "full-auto", "suppressing-fire"]


def test_single_figures() -> None:
    assert RULES.spread_m == 2
    assert RULES.melee_modifier == -20
    assert RULES.point_blank_m == 3
    assert RULES.cone_degrees == 45
    assert RULES.bonus_divisor == 10


def test_semi_auto_hits() -> None:
    found = [(row.degrees, row.hits) for row in RULES.semi_auto_hits]
    assert found == [(1, 1), (2, 2), (4, 3), (6, 4), (8, 5)]


def test_suppressing_hits() -> None:
    found = [(row.degrees, row.hits) for row in RULES.suppressing_hits]
    assert found == [(1, 1), (2, 2), (4, 3)]


BANDS = [
    # title, ends at so many ranges, pinning, to hit: mirrored, parent
    ("Point Blank", 0, -30, 30, 30),
    ("Short", 1, -10, 10, 10),
    ("Effective", 2, 0, 0, 0),
    ("Medium", 3, 10, -10, -10),
    ("Long", 4, 20, -20, -30),
    ("Extreme", 5, 40, -40, -30),
]


def test_bands() -> None:
    assert [
        (band.title, band.ranges, band.pinning, band.to_hit["mirrored"], band.to_hit["parent"])
        for band in RULES.bands
    ] == BANDS
    assert {reading for band in RULES.bands for reading in band.to_hit} == {"mirrored", "parent"}


def test_jam() -> None:
    assert (RULES.jam.full_auto, RULES.jam.reliable, RULES.jam.other) == (91, 96, 96)


def test_pinning() -> None:
    pinning = RULES.pinning
    assert (pinning.title, pinning.difficulty, pinning.modifier) == (
        "Pinning Test",
        "Challenging",
        0,
    )


def test_injuries() -> None:
    assert [(row.title, row.over, row.fatigue) for row in RULES.injuries] == [
        ("light", 1, 0),
        ("heavy", 2, 0),
        ("serious", 3, 1),
        ("acute", 4, 2),
        ("crippling", 5, 3),
        ("lethal", 6, 0),
    ]


def test_craftsmanship() -> None:
    assert RULES.craftsmanship == {
        "relic": 0,
        "artificer": 1,
        "best": 2,
        "good": 3,
        "common": 4,
        "poor": 5,
        "useless": 6,
    }


@pytest.mark.parametrize(
    ("characteristic", "bonus"), [(0, 0), (9, 0), (10, 1), (45, 4), (99, 9), (105, 10)]
)
def test_bonus(characteristic: int, bonus: int) -> None:
    assert RULES.bonus(characteristic) == bonus


ARMOURY = {
    "autogun": Weapon(
        title="Necromunda-pattern Autogun",
        range=35,
        rof="S/2/3d5",
        damage="d10+2+RCB [I]",
        penetration=0,
        reload_ap=2,
        reliable=True,
        storm=1,
        class_="Basic",
        group="Solid Projectile",
        xp_cost=4,
        rarity=4,
    ),
    "training-rifle": Weapon(
        title="Training rifle (made up)",
        range=40,
        rof="S/3/3d5",
        damage="d10+3+RCB [I]",
        penetration=1,
        reload_ap=2,
        storm=1,
    ),
    "training-twin-carbine": Weapon(
        title="Training twin carbine (made up)",
        range=30,
        rof="S/2/2d5",
        damage="d10+4+RCB [X]",
        penetration=3,
        reload_ap=2,
        storm=2,
    ),
    "training-heavy-gun": Weapon(
        title="Training heavy gun (made up)",
        range=100,
        rof="-/-/5d10",
        damage="2d10+2+RCB [I]",
        penetration=3,
        reload_ap=4,
        storm=1,
    ),
    "training-marksman-carbine": Weapon(
        title="Training marksman carbine (made up)",
        range=60,
        rof="S/3/-",
        damage="d10+3+RCB [E]",
        penetration=0,
        reload_ap=2,
        storm=1,
    ),
    "training-five-barrel": Weapon(
        title="Training five-barrel (made up)",
        range=20,
        rof="-/-/1d5",
        damage="d10+1+RCB [R]",
        penetration=0,
        reload_ap=3,
        storm=5,
    ),
}


@pytest.mark.parametrize("name", ARMOURY)
def test_weapon(name: str) -> None:
    assert RULES.weapons[name] == ARMOURY[name]


def test_there_are_no_other_weapons() -> None:
    assert set(RULES.weapons) == set(ARMOURY)


def variant(**data: Any) -> Document:
    return Document("house.toml", {"extends": "rate-of-fire", **data})


def test_a_variant_changes_what_it_names_and_nothing_else() -> None:
    changed = SYSTEM.tables(
        variant(
            spread_m=3,
            jam={"other": 98},
            actions={"semi-auto": {"modifier": 5}},
            weapons={"autogun": {"range": 50}},
        )
    )
    assert changed.spread_m == 3
    assert (changed.jam.full_auto, changed.jam.other) == (91, 98)
    assert changed.actions["semi-auto"].modifier == 5
    assert changed.actions["semi-auto"].title == "Semi-Auto Attack"
    assert changed.weapons["autogun"].range == 50
    assert changed.weapons["autogun"].rof == "S/2/3d5"
    assert SYSTEM.tables() == RULES


def test_a_variant_takes_another_reading() -> None:
    changed = SYSTEM.tables(variant(rulings={"degrees": "tens"}))
    assert changed.rulings["degrees"].default == "tens"
    assert changed.rulings["degrees"].readings == RULES.rulings["degrees"].readings
    assert changed.rulings["jam_hits"] == RULES.rulings["jam_hits"]


def test_a_variant_adds_a_weapon() -> None:
    gun = {"title": "Pipe gun", "range": 10, "rof": "S/-/-", "damage": "d5 [I]"}
    assert SYSTEM.tables(variant(weapons={"pipe-gun": gun})).weapons["pipe-gun"].storm == 1


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"spred_m": 3}, "spred_m"),
        ({"spread_m": "far"}, "spread_m"),
        ({"jam": {"semi": 1}}, "jam.semi"),
        ({"semi_auto_hits": [{"degrees": 1, "hits": 1, "at": 2}]}, r"semi_auto_hits\[1\].at"),
        (
            {"bands": [{"title": "", "ranges": 0, "pinning": 0, "to_hit": {}, "at": 2}]},
            r"bands\[1\].at",
        ),
        ({"injuries": [{"title": "", "over": 1, "fatigue": 0, "at": 2}]}, r"injuries\[1\].at"),
        ({"actions": {"sniping": {"modifier": 1}}}, "actions"),
        ({"rulings": {"degrees": "ten"}}, "rulings.degrees"),
        ({"rulings": {"degree": "tens"}}, "rulings.degree"),
        ({"rulings": 3}, "rulings"),
        ({"weapons": {"autogun": {"range": 0}}}, "weapons.autogun.range"),
        ({"weapons": {"autogun": {"rof": "S/2/3d6"}}}, "S/2/3d6"),
    ],
)
def test_a_variant_that_is_wrong(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(QuestionError, match=named) as refused:
        SYSTEM.tables(variant(**changes))
    assert str(refused.value).startswith("house.toml: ")
