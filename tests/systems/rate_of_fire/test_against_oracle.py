"""Every measure against an oracle that shares no code with the rules: equality is exact."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from firepower.chance import Solver
from tests.oracles import rate_of_fire as oracle
from tests.oracles.rate_of_fire import Attack, Gun, Mode, Person
from tests.systems.rate_of_fire.helpers import Data, opened

AUTOGUN = Gun(
    semi=2,
    fa_dice=3,
    fa_faces=5,
    damage_dice=1,
    damage_faces=10,
    damage_plus=2,
    adds_rcb=True,
    penetration=0,
    reliable=True,
    storm=1,
    range_m=35,
)
RIFLE = replace(AUTOGUN, semi=3, damage_plus=3, penetration=1, reliable=False, range_m=40)
GUNS = {
    "autogun": AUTOGUN,
    "training-rifle": RIFLE,
    "training-twin-carbine": replace(
        RIFLE, semi=2, fa_dice=2, damage_plus=4, penetration=3, storm=2, range_m=30
    ),
    "training-heavy-gun": replace(
        RIFLE,
        single=False,
        semi=0,
        fa_dice=5,
        fa_faces=10,
        damage_dice=2,
        damage_plus=2,
        penetration=3,
        range_m=100,
    ),
    "training-marksman-carbine": replace(RIFLE, fa_dice=0, fa_faces=0, penetration=0, range_m=60),
    "training-five-barrel": replace(
        RIFLE, single=False, semi=0, fa_dice=1, damage_plus=1, penetration=0, storm=5, range_m=20
    ),
}
TIERS = {"relic": 0, "artificer": 1, "best": 2, "good": 3, "common": 4, "poor": 5, "useless": 6}
ACTIONS: dict[Mode, str] = {
    "single": "single-shot",
    "semi": "semi-auto",
    "full": "full-auto",
    "suppress": "suppressing-fire",
}

# ruling and readings here -> key and readings of the oracle; what is not named is called alike
ORACLE_RULINGS: dict[str, tuple[str, dict[str, str]]] = {
    "degrees": (
        "degrees",
        {"one_plus_tens": "A", "at_least_one": "B", "tens": "B0", "tens_digits": "C"},
    ),
    "natural_extremes": ("natural_extremes", {}),
    "semi_auto_cap": ("semi_cap", {}),
    "storm_cap": ("storm_cap", {"after_cap": "before", "before_cap": "after"}),
    "storm_scope": ("storm_scope", {"every_attack": "every_mode"}),
    "suppressing_cap": ("suppress_cap", {}),
    "reliable_jam": ("reliable_jam", {}),
    "jam_scope": ("jam_scope", {"every_mode": "weapon", "full_auto_rate": "full_auto_only"}),
    "jam_reliable_other": (
        "jam_without_full_auto_reliable",
        {"as_printed": "96", "on_100": "100"},
    ),
    "jam_hits": ("jam", {}),
    "doubles_zero": ("doubles_zero", {}),
    "errant_cap": ("errant_cap", {}),
    "errant_spread": ("errant_spread", {}),
    "same_target_bonus": ("same_target_bonus", {}),
    "suppressing_bonus": ("suppress_same_target_bonus", {}),
    "pinning_tests": ("pin_repeat", {"once": "once_per_attack"}),
    "suppressed_and_hit": ("suppress_hit_repins", {}),
    "semi_auto_pins": ("semi_pins", {}),
    "pinning_band": ("pinning_band", {}),
    "point_blank": ("point_blank", {"fixed": "fixed_3"}),
    "fatigue_collapse": ("fatigue_collapse", {}),
}


def readings(ruling: str) -> tuple[str, ...]:
    """The readings of a ruling that the oracle knows, the default first."""
    key, other_names = ORACLE_RULINGS[ruling]
    here = {there: name for name, there in other_names.items()}
    return tuple(here.get(there, there) for there in oracle.READINGS[key])


class Shooting(NamedTuple):
    """One attack, to be asked of the program and of the oracle.

    The first of `people` is the target, or the closest in the cone. `near` share further hits.
    """

    weapon: str
    mode: Mode
    people: tuple[Person, ...]
    dice: int = 0
    skill: int = 45
    modifiers: int = 0
    aim: int = 0
    melee: bool = False
    near: tuple[int, ...] = ()
    craftsmanship: str = "common"
    reliable: bool | None = None
    storm: int | None = None
    rulings: dict[str, str] = {}  # noqa: RUF012 - never changed

    @property
    def gun(self) -> Gun:
        gun = replace(GUNS[self.weapon], tier=TIERS[self.craftsmanship])
        if self.reliable is not None:
            gun = replace(gun, reliable=self.reliable)
        return gun if self.storm is None else replace(gun, storm=self.storm)


def as_scenario(shooting: Shooting) -> Data:
    names = [f"p{i}" for i in range(len(shooting.people))]
    weapon = {
        "loaded": 100,
        "craftsmanship": shooting.craftsmanship,
        "reliable": shooting.reliable,
        "storm": shooting.storm,
    }
    line: Data = {"by": "scout", "action": ACTIONS[shooting.mode], "aim": shooting.aim}
    line |= {"modifiers": {"all in all": shooting.modifiers}}
    line |= {"melee": names} if shooting.melee else {}
    line |= {"near": [names[i] for i in shooting.near]} if shooting.near else {}
    line |= {"dice": shooting.dice} if shooting.mode == "full" else {}
    line |= {"in_cone": names} if shooting.mode == "suppress" else {"at": ["p0"]}
    fields = ("willpower", "toughness", "distance", "armour", "cover", "daemon")
    people = {
        name: {field: getattr(person, field) for field in fields}
        for name, person in zip(names, shooting.people, strict=True)
    }
    kept = {key: value for key, value in weapon.items() if value is not None}
    scout = {"ranged_combat": shooting.skill, "weapons": {shooting.weapon: kept}}
    return {
        "system": "rate-of-fire",
        "combatants": {"scout": scout, **people},
        "do": [line],
        "rulings": shooting.rulings,
        "policies": {"allocation": "spread" if shooting.near else "original"},
    }


def as_attack(shooting: Shooting) -> Attack:
    everybody = tuple(range(len(shooting.people)))
    taken = {}
    for name, reading in shooting.rulings.items():
        key, names = ORACLE_RULINGS[name]
        taken[key] = names.get(reading, reading)
    attack = Attack(
        gun=shooting.gun,
        skill=shooting.skill,
        mode=shooting.mode,
        people=shooting.people,
        dice=shooting.dice,
        modifiers=shooting.modifiers,
        aim=shooting.aim,
        melee=everybody if shooting.melee else (),
        cone=everybody if shooting.mode == "suppress" else (),
        rulings=taken,
    )
    return replace(attack, allocation=evenly(sharers(shooting, attack), len(everybody)))


def sharers(shooting: Shooting, attack: Attack) -> tuple[int, ...]:
    """The original target and who shares its hits: for suppressing fire in the same band."""
    if shooting.mode == "single":
        return (0,)
    bands = [
        oracle.band(shooting.gun.range_m, person.distance, attack.reading("point_blank"))
        for person in shooting.people
    ]
    near = shooting.near
    if shooting.mode == "suppress":
        near = tuple(i for i in near if bands[i] == bands[0])
    return (0, *near)


def evenly(who: tuple[int, ...], people: int) -> Callable[[int], tuple[int, ...]]:
    """Hits dealt like cards, one to each in turn."""

    def deal(count: int) -> tuple[int, ...]:
        dealt = [0] * people
        for i in range(count):
            dealt[who[i % len(who)]] += 1
        return tuple(dealt)

    return deal


def by_the_program(shooting: Shooting) -> dict[str, dict[Any, Fraction]]:
    opening, solver = opened(as_scenario(shooting)), Solver()
    return {
        name: dict(solver.odds(opening.situation, measure))
        for name, measure in opening.measures.items()
        if name != "ap_spent" and not name.endswith(".pinning_degrees")
    }


def by_the_oracle(shooting: Shooting) -> dict[str, dict[Any, Fraction]]:
    attack = as_attack(shooting)
    found: dict[str, dict[Any, Fraction]] = {
        "hits": oracle.hits(attack),
        "errant_hits": oracle.errant_hits(attack),
        "jam": oracle.jam(attack),
        "weapon_degraded": oracle.degraded(attack),
        "rounds_spent": oracle.rounds_spent(attack),
        "combatants_out_of_action": oracle.out_of_action(attack),
    }
    concerned = {0, *sharers(shooting, attack)}
    if shooting.melee:
        concerned = {0}
    if shooting.melee or shooting.mode == "suppress":
        concerned = set(range(len(shooting.people)))
    for i in concerned:
        found[f"p{i}.hits"] = oracle.hits_on(attack, i)
        found[f"p{i}.damage"] = oracle.damage_on(attack, i)
        found[f"p{i}.injury"] = oracle.worst_injury_on(attack, i)
        found[f"p{i}.fatigue"] = oracle.fatigue_on(attack, i)
        found[f"p{i}.out_of_action"] = dict(oracle.out_of_action_on(attack, i))
        found[f"p{i}.pinned"] = oracle.pinned(attack, i)
    return {
        name: {outcome: p for outcome, p in sorted(odds.items()) if p}
        for name, odds in found.items()
    }


def check(shooting: Shooting) -> dict[str, dict[Any, Fraction]]:
    """Both have the same measures, and each the same distribution."""
    ours, theirs = by_the_program(shooting), by_the_oracle(shooting)
    assert set(ours) == set(theirs)
    for name, found in ours.items():
        assert found == theirs[name], name
    return ours


# -- every mode of every weapon ------------------------------------------------------------------


def crowd(weapon: str) -> tuple[Person, ...]:
    """Two people in the Effective band of a weapon."""
    metres = GUNS[weapon].range_m * 6 // 5
    weak = Person(willpower=40, toughness=28, distance=metres, armour=3)
    strong = Person(willpower=33, toughness=41, distance=metres + 1, armour=2, cover=3, daemon=True)
    return weak, strong


def every_mode() -> Iterator[tuple[str, Mode, int]]:
    for weapon, gun in GUNS.items():
        if gun.single:
            yield weapon, "single", 0
        if gun.semi:
            yield weapon, "semi", 0
        if gun.fa_dice:
            for dice in sorted({1, gun.fa_dice}):
                yield weapon, "full", dice
            yield weapon, "suppress", 0


@pytest.mark.parametrize("melee", [False, True], ids=["open", "melee"])
@pytest.mark.parametrize(("weapon", "mode", "dice"), list(every_mode()))
def test_every_mode_of_every_weapon(weapon: str, mode: Mode, dice: int, melee: bool) -> None:
    check(
        Shooting(
            weapon,
            mode,
            crowd(weapon),
            dice,
            skill=52,
            modifiers=6,
            aim=10,
            melee=melee,
            near=() if melee else (1,),
        )
    )


# -- every reading of every ruling ---------------------------------------------------------------

SOFT = Person(willpower=40, toughness=25, distance=20)
FAR = Person(willpower=40, toughness=30, distance=100)

BURST = Shooting("autogun", "semi", (SOFT,), skill=85)
SPRAY = Shooting("autogun", "full", (SOFT,), 1, skill=45)
BRAWL = Shooting("autogun", "full", (SOFT, SOFT), 1, skill=45, melee=True)
STORM = Shooting("training-five-barrel", "full", (SOFT,), 1, skill=45)
COVERING = Shooting("training-five-barrel", "suppress", (SOFT,), skill=75)
CONE = Shooting("autogun", "suppress", (SOFT, FAR), skill=75)

WHERE_IT_MATTERS: dict[str, list[Shooting]] = {
    "degrees": [BURST, BRAWL, BURST._replace(mode="single")],
    "natural_extremes": [
        SPRAY._replace(modifiers=-60),
        CONE._replace(modifiers=-80),
        *(
            each._replace(modifiers=-100, rulings={"degrees": "tens"})
            for each in (BURST, BURST._replace(mode="single"), SPRAY, CONE)
        ),
    ],
    "semi_auto_cap": [BURST],
    "storm_cap": [
        STORM,
        STORM._replace(melee=True),
        COVERING._replace(melee=True),
        Shooting(
            "training-twin-carbine", "single", (SOFT,), rulings={"storm_scope": "every_attack"}
        ),
    ],
    "storm_scope": [
        COVERING,
        BURST._replace(weapon="training-twin-carbine"),
        Shooting("training-twin-carbine", "single", (SOFT, SOFT), melee=True),
    ],
    "suppressing_cap": [COVERING, COVERING._replace(skill=35, melee=True)],
    "reliable_jam": [SPRAY],
    "jam_scope": [Shooting("training-rifle", "single", (SOFT,))],
    "jam_reliable_other": [Shooting("training-marksman-carbine", "single", (SOFT,), reliable=True)],
    "jam_hits": [BURST._replace(weapon="training-rifle", skill=98), BRAWL],
    "doubles_zero": [BRAWL._replace(rulings={"jam_hits": "hits_stand"})],
    "errant_cap": [BRAWL],
    "errant_spread": [BRAWL],
    "same_target_bonus": [BURST, SPRAY, BRAWL],
    "suppressing_bonus": [COVERING],
    "pinning_tests": [SPRAY, CONE._replace(rulings={"suppressed_and_hit": "yes"})],
    "suppressed_and_hit": [CONE],
    "semi_auto_pins": [BURST, Shooting("training-rifle", "semi", (SOFT, SOFT), melee=True)],
    "pinning_band": [CONE],
    "point_blank": [Shooting("training-heavy-gun", "suppress", (replace(SOFT, distance=8), FAR))],
    "fatigue_collapse": [SPRAY, BRAWL, CONE],
}


def test_every_ruling_of_the_oracle_is_compared() -> None:
    assert {key for key, _ in ORACLE_RULINGS.values()} == set(oracle.READINGS)
    assert set(WHERE_IT_MATTERS) == set(ORACLE_RULINGS)


@pytest.mark.parametrize(
    ("name", "reading"),
    [(name, reading) for name in ORACLE_RULINGS for reading in readings(name)],
)
def test_every_reading(name: str, reading: str) -> None:
    """The oracle agrees, and any other reading than the default changes some measure."""
    changed = False
    for shooting in WHERE_IT_MATTERS[name]:
        there = check(shooting._replace(rulings={**shooting.rulings, name: reading}))
        changed |= there != by_the_program(shooting)
    assert changed == (reading != readings(name)[0])


BAND_METRES = {2: 30, 20: 10, 50: 0, 100: -10, 130: -20, 170: -40}


@pytest.mark.parametrize("metres", BAND_METRES)
def test_range_to_hit(metres: int) -> None:
    """The oracle knows no table of range modifiers; the figures are stated to it."""
    far = replace(SOFT, distance=metres)
    for mode, dice in (("single", 0), ("full", 2), ("suppress", 0)):
        shooting = Shooting("autogun", mode, (far,), dice)
        for reading in ("mirrored", "parent"):
            plus = max(BAND_METRES[metres], -30) if reading == "parent" else BAND_METRES[metres]
            plus = -30 if reading == "parent" and metres == 130 else plus
            opening = opened(as_scenario(shooting) | {"rulings": {"range_to_hit": reading}})
            found = dict(Solver().odds(opening.situation, opening.measures["hits"]))
            wanted = oracle.hits(as_attack(shooting._replace(modifiers=plus)))
            assert found == {hits: p for hits, p in wanted.items() if p}


# -- anything ------------------------------------------------------------------------------------


@st.composite
def persons(draw: st.DrawFn, range_m: int) -> Person:
    return Person(
        willpower=draw(st.integers(0, 100)),
        toughness=draw(st.integers(0, 70)),
        distance=draw(st.integers(0, 5 * range_m)),
        armour=draw(st.integers(0, 8)),
        cover=draw(st.integers(0, 4)),
        daemon=draw(st.booleans()),
    )


@st.composite
def shootings(draw: st.DrawFn) -> Shooting:
    weapon, mode, dice = draw(st.sampled_from(list(every_mode())))
    range_m = GUNS[weapon].range_m
    melee = draw(st.booleans())
    people = draw(st.lists(persons(range_m), min_size=1, max_size=3))
    if mode == "suppress":
        people.sort(key=lambda person: person.distance)
    close = [i for i, one in enumerate(people) if i and abs(one.distance - people[0].distance) <= 2]
    near = () if melee or draw(st.booleans()) else tuple(close)
    names = draw(st.sets(st.sampled_from(list(ORACLE_RULINGS))))
    rulings = {name: draw(st.sampled_from(readings(name))) for name in sorted(names)}
    reliable = draw(st.booleans())
    if rulings.get("jam_scope") == "full_auto_rate" and reliable:
        # A Reliable weapon capable of full auto keeps its printed 96 at other rates; the oracle
        # treats it like one that has no full auto. Nobody says which is right.
        rulings.pop("jam_reliable_other", None)
    return Shooting(
        weapon,
        mode,
        tuple(people),
        dice,
        skill=draw(st.integers(0, 120)),
        modifiers=draw(st.integers(-60, 60)),
        aim=draw(st.sampled_from([0, 10, 20])),
        melee=melee,
        near=near,
        craftsmanship=draw(st.sampled_from(sorted(TIERS))),
        reliable=reliable,
        # many errant hits on three people cost the oracle much
        storm=draw(st.integers(1, 2 if melee else 5)),
        rulings=rulings,
    )


# no shrinking: the oracle is slow, and an attack says enough
@settings(
    max_examples=20,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)
@given(shootings())
def test_anything(shooting: Shooting) -> None:
    check(shooting)
