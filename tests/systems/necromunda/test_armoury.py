"""The weapons of Necromunda are those of the printed rows, every one and no other.

`armoury_facts.txt` holds the rows as they were copied, one a line, before anything was mended:
edition, name, short and long range, short and long accuracy, Strength, AP, Damage, ammo, traits.
What the armoury has otherwise stands in MENDED, with the reason.
"""

import re
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
ARMOURY = tomllib.loads(
    (ROOT / "src/firepower/systems/necromunda/armoury.toml").read_text(encoding="utf-8")
)
FACTS = (Path(__file__).parent / "armoury_facts.txt").read_text(encoding="utf-8").splitlines()

COLUMNS = (
    "edition",
    "name",
    "short",
    "long",
    "accuracy_short",
    "accuracy_long",
    "strength",
    "ap",
    "damage",
    "ammo",
    "traits",
)
EDITIONS = ("n17", "n23")

NO_MELEE = "a close combat weapon needs Melee; this copy left it out"
FLAME = "its range is the template's"
NO_WOUNDS = "Gas makes an Injury roll and takes no Wounds"
BLADE = "the copy shows a poisoned blade's dashes; the numbers are those of 2017"

# edition, name, column, what the row has, what the armoury has, why
MENDED = (
    ("n23", "Assault Shield", "traits", "Shield,Knockback", "Shield,Knockback,Melee", NO_MELEE),
    ("n23", "Energy Shield", "traits", "Shield,Knockback", "Shield,Knockback,Melee", NO_MELEE),
    ("n23", "Shock Baton", "traits", "Parry,Shock", "Parry,Shock,Melee", NO_MELEE),
    ("n23", "Shock whip", "traits", "Shock,Versatile", "Shock,Versatile,Melee", NO_MELEE),
    (
        "n17",
        "Bluderbuss - Grape shot",
        "traits",
        "Plentiful,Scattershot",
        "Plentiful,Scattershot,Template",
        FLAME,
    ),
    (
        "n17",
        "Bluderbuss - Purgation shot",
        "traits",
        "Blaze,Plentiful",
        "Blaze,Plentiful,Template",
        FLAME,
    ),
    (
        "n17",
        "Heavy flamer",
        "traits",
        "Blaze,Template",
        "Blaze,Template,Unwieldy",
        "the later editions have Unwieldy; this copy left it out",
    ),
    (
        "n23",
        "Las sub-carbine",
        "traits",
        "Plentiful,Rapid Fire (1)",
        "Plentiful,Rapid Fire (1),Sidearm",
        "a pistol in 2017; this copy left Sidearm out",
    ),
    ("n23", "Sword", "accuracy_long", "0", "1", BLADE),
    ("n23", "Sword", "strength", "-", "S", BLADE),
    ("n23", "Sword", "damage", "-", "1", BLADE),
    ("n23", "Bolt pistol - gas shells", "damage", "(1)", "-", NO_WOUNDS),
    ("n23", "Boltgun - Gas shells", "damage", "(1)", "-", NO_WOUNDS),
    ("n23", "Combat shotgun - gas shells", "damage", "(1)", "-", NO_WOUNDS),
    ("n23", "Sawn-off shotgun - gas shells", "damage", "(1)", "-", NO_WOUNDS),
    ("n23", "Shotgun - gas shells", "damage", "(1)", "-", NO_WOUNDS),
)

# Weapons whose name in a row is not the armoury's, letter case and signs aside.
OTHER_NAMES = {
    "bluderbuss": "blunderbuss",
    "chainglaive": "chain-glaive",
    "demolition charge": "demo-charge",
    "club, maul or hammer": "maul",
    "maul (club, hammer)": "maul",
    "photon flash flare": "photon-flash-grenade",
    "compact autopistol (gun skull)": "compact-autopistol",
}

# Profiles whose key leaves a word of their name out.
PROFILES = {
    "": "standard",
    "acid rounds": "acid",
    "choke gas grenade": "choke-gas",
    "choke gas grenades": "choke-gas",
    "dumdum rounds": "dumdum",
    "executioner shells": "executioner",
    "firestorm ammo": "firestorm",
    "firestorm shells": "firestorm",
    "frag grenade": "frag",
    "frag grenades": "frag",
    "frag missile": "frag",
    "frag missiles": "frag",
    "gas shells": "gas",
    "grape shot": "grape",
    "inferno shells": "inferno",
    "krak grenade": "krak",
    "krak grenades": "krak",
    "krak missile": "krak",
    "krak missiles": "krak",
    "low power": "low",
    "maximal power": "maximal",
    "photon flash grenades": "photon-flash",
    "plasma grenades": "plasma",
    "purgation shot": "purgation",
    "salvo ammo": "salvo",
    "salvo fire": "salvo",
    "scare gas grenade": "scare-gas",
    "scare gas grenades": "scare-gas",
    "scatter ammo": "scatter",
    "scatter shell": "scatter",
    "shatter shells": "shatter",
    "shredder ammo": "shredder",
    "shredder blast": "shredder",
    "smoke grenade": "smoke",
    "smoke grenades": "smoke",
    "solid ammo": "solid",
    "solid slug": "solid",
    "spray (cyniss)": "spray",
    "static round": "static",
    "stun round": "stun",
    "stun rounds": "stun",
    "warp round": "warp",
}

OTHER_TRAITS = {
    "Pistol": "Sidearm",
    "Energy Shield": "Shield",
    "Assault Shield": "Shield",
    "Pulverize": "Pulverise",
    'Blast (3")': "Blast (3)",
    'Blast (5")': "Blast (5)",
}

TRAITS = frozenset(
    {
        "Backstab",
        "Blast (3)",
        "Blast (5)",
        "Blaze",
        "Burrowing",
        "Chem Delivery",
        "Combi",
        "Concussion",
        "Cursed",
        "Defoliate",
        "Demolitions",
        "Digi",
        "Disarm",
        "Drag",
        "Entangle",
        "Esoteric",
        "Fear",
        "Flare",
        "Flash",
        "Gas",
        "Graviton Pulse",
        "Grenade",
        "Hexagrammatic",
        "Impale",
        "Knockback",
        "Limited",
        "Melee",
        "Melta",
        "Parry",
        "Plentiful",
        "Power",
        "Pulverise",
        "Rad-phage",
        "Rapid Fire (1)",
        "Rapid Fire (2)",
        "Rapid Fire (3)",
        "Reckless",
        "Rending",
        "Scarce",
        "Scattershot",
        "Seismic",
        "Sever",
        "Shield",
        "Shield Breaker",
        "Shock",
        "Sidearm",
        "Silent",
        "Single Shot",
        "Smoke",
        "Template",
        "Toxin",
        "Twin-linked",
        "Unstable",
        "Unwieldy",
        "Versatile",
        "Web",
    }
)

Place = tuple[str, str, str]
Profile = dict[str, Any]


def as_key(name: str) -> str:
    """A name as it is typed: `Emperor's Wrath` as emperors-wrath."""
    return re.sub(r"[^a-z0-9]+", "-", re.sub("[\"'’]", "", name.lower())).strip("-")


def place_of(row: dict[str, str]) -> Place:
    """Where in the armoury a row must stand: weapon, edition, profile."""
    weapon, _, profile = row["name"].lower().partition(" - ")
    return (
        OTHER_NAMES.get(weapon, as_key(weapon)),
        row["edition"],
        PROFILES.get(profile, as_key(profile)),
    )


def signed(number: str) -> str:
    return {"-2": "-2", "-1": "-1", "0": "-", "1": "+1", "2": "+2"}[number]


def profile_of(row: dict[str, str]) -> Profile:
    """A row in the armoury's form."""
    profile: Profile = {
        "range": f"{row['short']}/{row['long']}",
        "accuracy": f"{signed(row['accuracy_short'])}/{signed(row['accuracy_long'])}",
        "strength": row["strength"],
        "ap": int(row["ap"]),
        "damage": row["damage"],
        "traits": sorted(OTHER_TRAITS.get(each, each) for each in row["traits"].split(",") if each),
    }
    if row["ammo"] == "*":
        profile["ammo"] = "single"
    elif row["ammo"] != "-":
        profile["ammo"] = int(row["ammo"].removesuffix("+"))
    return profile


def printed() -> list[dict[str, str]]:
    return [dict(zip(COLUMNS, line.split("|"), strict=True)) for line in FACTS]


def mended() -> list[dict[str, str]]:
    rows = printed()
    for edition, name, column, _, new, _ in MENDED:
        for row in rows:
            if (row["edition"], row["name"]) == (edition, name):
                row[column] = new
    return rows


def armoury() -> dict[Place, Profile]:
    return {
        (key, edition, name): profile
        for key, weapon in ARMOURY.items()
        for edition in EDITIONS
        for name, profile in weapon.get(edition, {}).items()
    }


def test_the_rows_are_all_there() -> None:
    editions = [row["edition"] for row in printed()]
    assert (editions.count("n17"), editions.count("n23"), len(editions)) == (115, 221, 336)


def test_every_row_stands_in_the_armoury_as_it_is_printed_or_mended() -> None:
    held = armoury()
    other = [
        (row["edition"], row["name"], held.get(place_of(row)), profile_of(row))
        for row in mended()
        if held.get(place_of(row)) != profile_of(row)
    ]
    assert other == []


def test_no_profile_is_invented() -> None:
    assert set(armoury()) - {place_of(row) for row in mended()} == set()


def test_two_rows_of_one_profile_are_the_two_known_pairs() -> None:
    names: dict[Place, list[str]] = {}
    for row in printed():
        names.setdefault(place_of(row), []).append(row["name"])
    assert {place: sorted(both) for place, both in names.items() if len(both) > 1} == {
        ("maul", "n17", "standard"): ["Club, maul or hammer", "Maul"],
        ("shock-baton", "n23", "standard"): ["Shock Baton", "Shock baton"],
    }


@pytest.mark.parametrize(("edition", "name", "column", "old", "new", "why"), MENDED)
def test_what_is_mended_is_needed(
    edition: str, name: str, column: str, old: str, new: str, why: str
) -> None:
    found = [row[column] for row in printed() if (row["edition"], row["name"]) == (edition, name)]
    assert found == [old]
    assert new != old
    assert why


def test_no_other_name_is_idle() -> None:
    rows = printed()
    weapons = {row["name"].lower().partition(" - ")[0] for row in rows}
    profiles = {row["name"].lower().partition(" - ")[2] for row in rows}
    assert set(OTHER_NAMES) - weapons == set()
    assert set(PROFILES) - profiles == set()


def test_a_weapon_has_a_title_and_at_least_one_edition_and_nothing_else() -> None:
    for key, weapon in ARMOURY.items():
        editions = set(weapon) - {"title"}
        assert weapon["title"], key
        assert editions, key
        assert editions <= set(EDITIONS), key
        assert all(weapon[edition] for edition in editions), key


def test_a_title_is_a_row_s_name_the_later_edition_s_where_it_has_the_weapon() -> None:
    spelt: dict[tuple[str, str], set[str]] = {}
    for row in printed():
        key, edition, _ = place_of(row)
        spelt.setdefault((key, edition), set()).add(row["name"].partition(" - ")[0])
    for key, weapon in ARMOURY.items():
        last = max(set(weapon) & set(EDITIONS))
        assert weapon["title"] in spelt[key, last], key


def test_every_trait_is_a_known_one_and_no_known_one_is_idle() -> None:
    assert {each for profile in armoury().values() for each in profile["traits"]} == TRAITS


def test_keys_are_plain_and_in_order() -> None:
    plain = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
    assert list(ARMOURY) == sorted(ARMOURY)
    for key, weapon in ARMOURY.items():
        assert plain.fullmatch(key), key
        for edition in set(weapon) & set(EDITIONS):
            profiles = list(weapon[edition])
            assert all(plain.fullmatch(each) for each in profiles), key
            assert profiles == sorted(profiles, key=lambda each: (each != "standard", each)), key


def nearly(key: str) -> set[str]:
    """A key without its hyphens, and with one letter less: what a misspelling shares with it."""
    letters = key.replace("-", "")
    return {letters} | {letters[:at] + letters[at + 1 :] for at in range(len(letters))}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("servo-claw", "servoclaw"),
        ("chain-glaive", "chainglaive"),
        ("bluderbuss", "blunderbuss"),
        ("flare", "flares"),
        ("pulverizer", "pulveriser"),
    ],
)
def test_a_misspelling_is_noticed(one: str, other: str) -> None:
    assert nearly(one) & nearly(other)


def test_no_two_keys_differ_only_in_spelling() -> None:
    near = {key: nearly(key) for key in ARMOURY}
    assert [pair for pair in combinations(ARMOURY, 2) if near[pair[0]] & near[pair[1]]] == []
