"""The worked cases of the rules, each named by its id, exact, through scenarios."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

import pytest

import firepower
from firepower.chance.events import Chosen, Thrown
from tests.systems.necromunda.asking import (
    AUTOGUN,
    STUBBER,
    Data,
    Odds,
    joint,
    mean,
    odds_of,
    p,
    refusal,
    scenario,
    weapon,
)


def shares(*printed: str) -> tuple[Fraction, ...]:
    """Printed fractions."""
    return tuple(Fraction(share) for share in printed)


def part(odds: Odds, **wanted: Any) -> Fraction:
    """How likely these are so, of somebody's flesh wounds, being down, and being out."""
    names = ("flesh", "down", "out", "fire")
    found = Fraction(0)
    for outcome, share in odds.items():
        stands = dict(zip(names, outcome, strict=False))
        if all(stands[name] == value for name, value in wanted.items()):
            found += share
    return found


def state(data: Data, who: str = "target") -> Odds:
    """Flesh wounds, down, out of action, and on fire."""
    names = ("flesh_wounds", "seriously_injured", "out_of_action")
    return joint(data, *(f"{who}.{name}" for name in names), finals=[(who, "on_fire")])


def fates(data: Data) -> tuple[Fraction, ...]:
    """Up, down and out, in that order."""
    odds = state(data)
    return part(odds, down=False, out=False), part(odds, down=True, out=False), part(odds, out=True)


# -- Firepower dice and ammo ---------------------------------------------------------------------


def test_fp1_one_firepower_die() -> None:
    assert odds_of(scenario(AUTOGUN), "holes") == dict(
        zip((1, 2, 3), shares("1/2", "1/3", "1/6"), strict=True)
    )
    assert mean(scenario(AUTOGUN), "holes") == Fraction(5, 3)
    assert p(scenario(AUTOGUN), "ammo_symbols", 1) == Fraction(1, 6)
    assert joint(scenario(AUTOGUN), "holes", "ammo_symbols")[1, 1] == Fraction(1, 6)


def test_fp2_two_firepower_dice() -> None:
    data = scenario(STUBBER, dice=2)
    holes = odds_of(data, "holes")
    assert tuple(holes[n] for n in range(2, 7)) == shares("1/4", "1/3", "5/18", "1/9", "1/36")
    assert mean(data, "holes") == Fraction(10, 3)
    symbols = odds_of(data, "ammo_symbols")
    assert tuple(symbols[n] for n in range(3)) == shares("25/36", "5/18", "1/36")
    both = joint(data, "holes", "ammo_symbols")
    assert both[2, 2] == Fraction(1, 36)
    assert not [symbols for holes, symbols in both if holes == 6 and symbols]


def ammo(data: Data) -> tuple[Fraction, ...]:
    """Nothing failed, out of ammo and no more, jammed, any failure."""
    odds = joint(data, "ammo_failed", "jammed")
    fine = sum(share for (failed, _), share in odds.items() if not failed)
    jammed = sum((share for (_, jams), share in odds.items() if jams), Fraction(0))
    assert p(data, "out_of_ammo") == 1 - fine - jammed
    return Fraction(fine), 1 - fine - jammed, jammed, 1 - Fraction(fine)


AMMO: dict[str, tuple[int, int, tuple[str, ...]]] = {
    "AM1-4": (1, 4, ("11/12", "1/12", "0", "1/12")),
    "AM1-2": (0, 2, ("35/36", "1/36", "0", "1/36")),
    "AM1-6": (1, 6, ("31/36", "5/36", "0", "5/36")),
    "AM1-5": (1, 5, ("8/9", "1/9", "0", "1/9")),
    "AM2-4": (2, 4, ("121/144", "11/72", "1/144", "23/144")),
    "AM2-6": (2, 6, ("961/1296", "155/648", "25/1296", "335/1296")),
}


@pytest.mark.parametrize("case", AMMO)
def test_am_ammo_of_an_attack(case: str) -> None:
    dice, value, printed = AMMO[case]
    traits = [f"Rapid Fire ({dice})"] if dice else []
    line: Data = {"dice": dice} if dice > 1 else {}
    assert ammo(scenario(weapon(*traits, ammo=value), **line)) == shares(*printed)


def test_am_weapons_of_the_armoury() -> None:
    """The weapons that the cases are about, as the armoury has them."""
    wanted = {
        "autogun": "1/12",
        "lasgun": "1/36",
        "boltgun": "5/36",
        "plasma-gun": "1/9",
        "heavy-stubber": "23/144",
        "heavy-bolter": "335/1296",
    }
    for name, printed in wanted.items():
        carried: Data = {"weapons": {name: {}}}
        line: Data = {"mode": "low"} if name == "plasma-gun" else {}
        assert ammo(scenario(shooter=carried, **line))[3] == Fraction(printed), name


@pytest.mark.parametrize(
    ("value", "printed"), [(4, ("7/8", "1/8", "0")), (2, ("205/216", "11/216", "0"))]
)
def test_co_combi(value: int, printed: tuple[str, ...]) -> None:
    data = scenario(weapon("Combi", "Rapid Fire (1)", ammo=value))
    assert ammo(data)[:3] == shares(*printed)


def test_a06_combi_two_failures() -> None:
    gun = weapon("Combi", "Rapid Fire (1)", ammo=4)
    assert ammo(scenario(gun, rulings={"combi_jam": "two_failures"}))[2] == Fraction(1, 24)


def test_a02_dice_of_a_miss() -> None:
    data = scenario(STUBBER, dice=2, rulings={"firepower_on_miss": "one"})
    assert ammo(data)[3] == Fraction(35, 288)


def test_a03_the_ammo_face() -> None:
    data = scenario(AUTOGUN, rulings={"ammo_face": "no_hit"})
    assert mean(data, "holes") == Fraction(3, 2)


def test_ch1_until_the_gun_stops() -> None:
    for dice, attacks, holes in ((1, "12", "20"), (2, "144/23", "480/23")):
        data = scenario(STUBBER, dice=dice)
        assert 1 / ammo(data)[3] == Fraction(attacks)
        assert mean(data, "holes") / ammo(data)[3] == Fraction(holes)
    found = ammo(scenario(STUBBER, dice=2))
    assert found[2] / found[3] == Fraction(1, 23)


@pytest.mark.parametrize(
    ("rounds", "printed"), [(1, "1/12"), (3, "397/1728"), (6, "1214423/2985984")]
)
def test_run_dry(rounds: int, printed: str) -> None:
    """At a target beyond Long range, which is never hit: the dice are rolled all the same."""
    data = scenario(AUTOGUN, target={"distance": 30}, rounds=rounds)
    assert p(data, "out_of_ammo") == Fraction(printed)


BURST = ["Plentiful", "Rapid Fire (1)"]


def reloaded(carried: Mapping[str, Any], tries: int) -> Fraction:
    """How likely so many tries of one activation bring a weapon back."""
    gun = {**AUTOGUN, "out_of_ammo": True, **carried}
    lines: list[Data] = [{"action": "aim"}] if tries == 1 else []
    data = scenario(gun, do=[*lines, *[{"action": "reload"}] * tries], rounds=1)
    return p(data, "reloaded", 1)


@pytest.mark.parametrize(
    ("carried", "tries", "printed"),
    [
        ({}, 1, "1/2"),
        ({}, 2, "3/4"),
        ({"ammo": 6}, 2, "11/36"),
        ({"traits": ["Plentiful"]}, 1, "1"),
        ({"traits": ["Scarce"]}, 2, "0"),
        ({"jammed": True, "out_of_ammo": False}, 2, "0"),
        ({"jammed": True, "out_of_ammo": False, "traits": BURST}, 2, "0"),
    ],
)
def test_rl_reload(carried: Data, tries: int, printed: str) -> None:
    assert reloaded(carried, tries) == Fraction(printed)


@pytest.mark.parametrize(("value", "printed"), [(4, "3/4"), (6, "11/36")])
def test_rl_reload_played(value: int, printed: str) -> None:
    """Two tries, as often as they pass of every pair of faces."""
    gun = {**AUTOGUN, "out_of_ammo": True, "ammo": value}
    question = firepower.read(scenario(gun, do=[{"action": "reload"}] * 2, rounds=1))
    passed = 0
    for first in range(1, 7):
        for second in range(1, 7):
            faces = [str(first)] if first >= value else [str(first), str(second)]
            passed += question.roll(dice=faces).measures["reloaded"]
    assert Fraction(passed, 36) == Fraction(printed)


def test_un_unstable() -> None:
    gun = weapon("Unstable", "Rapid Fire (2)", ammo=4)
    for dice, reading, printed in (
        (1, "once", "1/12"),
        (2, "once", "11/72"),
        (2, "each", "23/144"),
    ):
        data = scenario(gun, dice=dice, rulings={"unstable_symbols": reading})
        assert p(data, "shooter.out_of_action") == Fraction(printed)


# -- to hit --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("modifier", "printed"),
    [
        (3, "5/6"),
        (2, "5/6"),
        (1, "2/3"),
        (0, "1/2"),
        (-1, "1/3"),
        (-2, "1/6"),
        (-3, "1/12"),
        (-4, "1/12"),
    ],
)
def test_ht1_to_hit(modifier: int, printed: str) -> None:
    data = scenario(weapon(), modifiers={"all": modifier} if modifier else {})
    assert p(data, "hits", 1) == Fraction(printed)


@pytest.mark.parametrize(("reading", "printed"), [("misses", "5/6"), ("as_it_is", "1")])
def test_ht3_natural_1(reading: str, printed: str) -> None:
    data = scenario(
        weapon(accuracy="+2/-"),
        shooter={"ballistic_skill": 3, "aimed": 1},
        rulings={"natural_1": reading},
    )
    assert p(data, "hits", 1) == Fraction(printed)


def test_nh1_number_of_hits() -> None:
    hits = odds_of(scenario(AUTOGUN), "hits")
    assert tuple(hits[n] for n in range(4)) == shares("1/3", "1/3", "2/9", "1/9")
    assert mean(scenario(AUTOGUN), "hits") == Fraction(10, 9)


@pytest.mark.parametrize(
    ("other", "allowed"),
    [
        ({}, True),
        ({"cover": "partial"}, True),
        ({"cover": "full"}, False),
        ({"engaged": ["friend"]}, True),
        ({"cover": "partial", "pinned": True}, False),
    ],
)
def test_hard_who_may_take_a_further_hit(other: Data, allowed: bool) -> None:
    far = AUTOGUN | {"accuracy": "-/-1", "traits": ["Rapid Fire (2)"]}
    data = scenario(
        far,
        target={"distance": 20, "cover": "partial"},
        others={
            "other": {"side": "theirs", "distance": 20, **other},
            "friend": {"side": "ours", "engaged": ["other"] if other.get("engaged") else []},
        },
        near=["other"],
        dice=2,
        policies={"further_hits": "spread"},
    )
    takes = joint(data, "hits", "other.hit")
    assert any(taken for _, taken in takes) == allowed


# -- from hits to injuries -----------------------------------------------------------------------

FLAMES = weapon("Template", range="-/T", ammo=5)
"""A weapon that hits whoever it is used on, once."""


@pytest.mark.parametrize(
    ("strength", "toughness", "printed"),
    [
        (3, 3, "1/2"),
        (4, 3, "2/3"),
        (6, 3, "5/6"),
        (3, 4, "1/3"),
        (2, 4, "1/6"),
        (2, 5, "1/6"),
        (5, 3, "2/3"),
        (8, 4, "5/6"),
        (3, 6, "1/6"),
    ],
)
def test_wd_to_wound(strength: int, toughness: int, printed: str) -> None:
    data = scenario(FLAMES | {"strength": str(strength)}, target={"toughness": toughness})
    assert p(data, "target.wounds", 1) == Fraction(printed)


def saved(data: Data) -> Fraction:
    """The share of wounds that are saved."""
    return 1 - mean(data, "target.unsaved") / mean(data, "target.wounds")


@pytest.mark.parametrize(
    ("gun", "target", "printed"),
    [
        (weapon(), {"armour": "mesh"}, "1/3"),
        (weapon(ap=-1), {"armour": "mesh"}, "1/6"),
        (weapon(ap=-2), {"armour": "mesh"}, "0"),
        (weapon(ap=-1), {"armour": "flak"}, "0"),
        (weapon(ap=-1), {"armour": "light-carapace"}, "1/3"),
        (FLAMES, {"cover": "full"}, "1/3"),
        (FLAMES, {"cover": "partial"}, "1/6"),
        (FLAMES | {"ap": -1}, {"cover": "full"}, "1/6"),
        (weapon(), {"save": 2}, "5/6"),
        (weapon(), {}, "0"),
        (weapon(), {"cover": "full"}, "0"),
    ],
)
def test_sv_saves(gun: Data, target: Data, printed: str) -> None:
    assert saved(scenario(gun, target=target)) == Fraction(printed)


def pool(dice: int) -> Odds:
    """So many Injury dice on a healthy fighter with Toughness 3, by what they come to."""
    data = scenario(FLAMES | {"damage": str(dice)})
    wounded = p(data, "target.unsaved", 1)
    names = ("flesh_wounds", "seriously_injured", "out_of_action")
    odds = joint(data, "target.unsaved", *(f"target.{name}" for name in names))
    return {
        tuple(each): share / wounded for (unsaved, *each), share in odds.items() if unsaved == 1
    }


def test_in_injury_dice() -> None:
    one, two, three = pool(1), pool(2), pool(3)
    assert one[1, False, False] == Fraction(1, 3)
    assert one[0, True, False] == Fraction(1, 2)
    assert part(one, out=True) == Fraction(1, 6)
    assert part(two, out=True) == Fraction(11, 36)
    assert two[1, True, False] == Fraction(7, 12)
    assert two[2, False, False] == Fraction(1, 9)
    assert three[2, True, False] == Fraction(13, 24)
    assert part(three, out=True) == Fraction(91, 216) + Fraction(1, 27) == Fraction(11, 24)


@pytest.mark.parametrize(
    ("damage", "wounds", "dice"), [(1, 1, 1), (2, 1, 2), (3, 1, 3), (2, 2, 1), (5, 3, 3), (1, 2, 0)]
)
def test_damage_against_wounds(damage: int, wounds: int, dice: int) -> None:
    """So many Injury dice are thrown in one play."""
    data = scenario(FLAMES | {"damage": str(damage)}, target={"wounds": wounds, "toughness": 6})
    faces = ["2", "6", *["flesh"] * dice]
    assert firepower.read(data).roll(dice=faces).measures["target.flesh_wounds"] == dice


@pytest.mark.parametrize(
    ("reading", "printed"),
    [
        ("falling", ("659/972", "223/972", "5/54")),
        ("fixed", ("445/648", "43/192", "463/5184")),
    ],
)
def test_ch_a_autogun_at_a_ganger(reading: str, printed: tuple[str, ...]) -> None:
    data = scenario(AUTOGUN, rulings={"hits_in_sequence": reading})
    assert fates(data) == shares(*printed)


def test_ch_a2_lasgun_at_mesh() -> None:
    data = scenario(weapon(range="18/24", accuracy="+1/-", ammo=2), target={"armour": "mesh"})
    assert fates(data) == shares("23/27", "1/9", "1/27")
    assert p(data, "target.unsaved", 1) == Fraction(2, 9)


def test_ch_d_plasma_pistol() -> None:
    gun = weapon("Unstable", accuracy="+1/-", strength="7", ap=-2, damage="3", ammo=5)
    data = scenario(gun, target={"wounds": 2, "save": 6})
    assert fates(data) == shares("41/81", "35/108", "55/324")
    assert p(data, "shooter.out_of_action") == Fraction(1, 12)


def test_sh_shock() -> None:
    stout = {"toughness": 4}
    assert p(scenario(weapon("Shock"), target=stout), "target.unsaved", 1) == Fraction(5, 18)
    assert p(scenario(weapon(), target=stout), "target.unsaved", 1) == Fraction(1, 6)


def test_tx3_toxin() -> None:
    gun = FLAMES | {"traits": ["Template", "Toxin"]}
    by_roll = scenario(gun)
    assert p(by_roll, "target.wounds", 1) == Fraction(2, 3)
    contest = scenario(gun, rulings={"toxin": "contest"})
    wounded = p(contest, "target.unsaved", 1)
    odds = state(contest)
    assert part(odds, out=True) / wounded == Fraction(1, 2)
    assert part(odds, down=True, out=False) / wounded == Fraction(1, 8)


@pytest.mark.parametrize(
    ("target", "printed"),
    [
        ({}, "2/3"),
        ({"toughness": 4}, "1/2"),
        ({"respirator": True}, "1/3"),
        ({"respirator": True, "armour": "hazard-suit"}, "1/6"),
    ],
)
def test_gs_gas(target: Data, printed: str) -> None:
    gun = weapon("Template", "Gas", range="-/T", strength="-", damage="-", ammo=5)
    data = scenario(gun, target=target)
    assert p(data, "target.wounds", 1) == Fraction(printed)
    assert p(data, "target.pinned") == 0


@pytest.mark.parametrize(
    ("helpers", "printed"), [(0, ("1/3", "1/2", "1/6")), (1, ("5/9", "5/12", "1/36"))]
)
def test_rc_recovery(helpers: int, printed: tuple[str, ...]) -> None:
    lying = {"seriously_injured": True, "wounds_lost": 1, "helpers": helpers}
    data = scenario(target=lying, do=[{"action": "move"}], rounds=1)
    assert fates(data) == shares(*printed)
    assert p(data, "target.recovered") == Fraction(printed[0])


# -- blasts and stray shots ----------------------------------------------------------------------


@pytest.mark.parametrize(("marker", "printed"), [(3, "1/9"), (5, "5/18")])
def test_sc_blast_that_missed(marker: int, printed: str) -> None:
    data = scenario(weapon(f"Blast ({marker})"))
    missed = 1 - p(data, "hits", 1)
    assert missed == Fraction(1, 2)
    assert p(data, "target.hit", 1) == Fraction(1, 2) + missed * Fraction(printed)
    assert p(data, "shooter.hit", 1) == missed * Fraction(1, 108)


def test_st_stray_shots() -> None:
    others: Data = {"bystander": {"side": "ours"}}
    single = scenario(weapon(), others=others, bystanders=["bystander"])
    assert p(single, "bystander.hit", 1) == Fraction(1, 2) * Fraction(1, 2)
    burst = scenario(STUBBER, others=others, bystanders=["bystander"], dice=2)
    assert mean(burst, "bystander.hit") == Fraction(1, 2) * Fraction(5, 3)


# -- fire ----------------------------------------------------------------------------------------

BURN: Sequence[Data] = [{"by": "target", "action": "burn"}]


def burning(*, friends: int = 0, rounds: int | None = None, fire: str = "normal") -> Data:
    """Somebody on fire, once or for some rounds, with friends beside."""
    target = {"on_fire": True, "helpers": friends}
    return scenario(target=target, do=BURN, rounds=rounds, policies={"fire": fire})


FLAMER = FLAMES | {"strength": "4", "ap": -1, "traits": ["Blaze", "Template"]}


def test_bz0_flamer() -> None:
    data = scenario(FLAMER)
    assert fates(data) == shares("5/9", "1/3", "1/9")
    assert p(data, "target.on_fire") == p(data, "target.caught_fire") == Fraction(4, 9)


@pytest.mark.parametrize(
    ("fire", "friends", "printed"),
    [
        ("normal", 0, "1/6"),
        ("normal", 1, "1/3"),
        ("normal", 2, "1/2"),
        ("normal", 3, "2/3"),
        ("normal", 4, "5/6"),
        ("normal", 5, "1"),
        ("double", 0, "5/6"),
        ("double", 1, "1"),
        ("double", 2, "1"),
    ],
)
def test_bz1_putting_the_fire_out(fire: str, friends: int, printed: str) -> None:
    assert p(burning(friends=friends, fire=fire), "target.fire_out") == Fraction(printed)


@pytest.mark.parametrize(
    ("fire", "printed"),
    [
        ("normal", ("1/6", "5/12", "5/36", "5/24", "5/72")),
        ("double", ("5/6", "1/12", "1/36", "1/24", "1/72")),
    ],
    ids=["BZ2", "BZ3"],
)
def test_bz2_bz3_one_burning_activation(fire: str, printed: tuple[str, ...]) -> None:
    odds = state(burning(fire=fire))
    assert (
        part(odds, fire=False, out=False),
        part(odds, fire=True, flesh=0, down=False, out=False),
        part(odds, fire=True, flesh=1, down=False, out=False),
        part(odds, fire=True, down=True, out=False),
        part(odds, out=True),
    ) == shares(*printed)


BEFORE_HURT = [
    ("normal", 0, "2/7"),
    ("normal", 1, "1/2"),
    ("normal", 2, "2/3"),
    ("double", 0, "10/11"),
    ("double", 1, "1"),
]


@pytest.mark.parametrize(("fire", "friends", "printed"), BEFORE_HURT)
def test_bz5_out_before_hurt(fire: str, friends: int, printed: str) -> None:
    """By the odds of one activation, and as far as five of them go."""
    once = joint(burning(fire=fire, friends=friends), "target.fire_out", "target.unsaved")
    gone = sum((share for (out, _), share in once.items() if out), Fraction(0))
    again = once.get((False, 0), Fraction(0))
    assert gone / (1 - again) == Fraction(printed)
    several = joint(
        burning(fire=fire, friends=friends, rounds=5), "target.fire_out", "target.unsaved"
    )
    assert several[True, 0] == gone * sum(again**n for n in range(5))


@pytest.mark.parametrize(
    ("reading", "printed"), [("per_target", "47645/139968"), ("per_hit", "240515/559872")]
)
def test_a19_blaze_for_each_hit(reading: str, printed: str) -> None:
    """The printed figures of an arc rifle are those of one without Shock."""
    gun = AUTOGUN | {"strength": "5", "accuracy": "+2/-1", "traits": ["Blaze", "Rapid Fire (1)"]}
    assert p(scenario(gun, rulings={"blaze_rolls": reading}), "target.on_fire") == Fraction(printed)


@pytest.mark.parametrize(("reading", "printed"), [("hit", "4/9"), ("wound", "5/18")])
def test_a20_what_blaze_needs(reading: str, printed: str) -> None:
    """Two thirds wound and one of six of those goes out: 5/9 of the hits are wounds that burn."""
    data = scenario(FLAMER, rulings={"blaze_needs": reading})
    assert p(data, "target.on_fire") == Fraction(printed)


FRIEND: Data = {"side": "theirs"}


@pytest.mark.parametrize(
    ("ruling", "reading", "friend", "printed"),
    [
        ("active_friend", "standing", {}, "1/3"),
        ("active_friend", "standing", {"pinned": True}, "1/6"),
        ("active_friend", "standing", {"seriously_injured": True}, "1/6"),
        ("active_friend", "standing", {"engaged": ["shooter"]}, "1/6"),
        ("active_friend", "any", {"pinned": True}, "1/3"),
        ("active_friend", "any", {"out_of_action": True}, "1/6"),
        ("burning_friend", "helps", {"on_fire": True}, "1/3"),
        ("burning_friend", "no", {"on_fire": True}, "1/6"),
    ],
)
def test_a21_a22_who_helps(ruling: str, reading: str, friend: Data, printed: str) -> None:
    data = scenario(
        target={"on_fire": True, "beside": ["friend"]},
        others={"friend": FRIEND | friend},
        do=BURN,
        rulings={ruling: reading},
    )
    assert p(data, "target.fire_out") == Fraction(printed)


@pytest.mark.parametrize(
    ("ruling", "reading", "target", "printed"),
    [
        ("burning_engaged", "stays", {"engaged": ["shooter"]}, "1/6"),
        ("burning_engaged", "runs", {"engaged": ["shooter"]}, "5/6"),
        ("burning_down", "rolls", {"seriously_injured": True}, "1/6"),
        ("burning_down", "double", {"seriously_injured": True}, "5/6"),
        ("burning_down", "no_roll", {"seriously_injured": True}, "0"),
        ("pinned_double_action", "yes", {"pinned": True}, "5/6"),
        ("pinned_double_action", "no", {"pinned": True}, "1/6"),
    ],
)
def test_a26_a28_a29_who_may_double(ruling: str, reading: str, target: Data, printed: str) -> None:
    data = scenario(
        target={"on_fire": True, **target},
        do=BURN,
        rulings={ruling: reading},
        policies={"fire": "double"},
    )
    assert p(data, "target.fire_out") == Fraction(printed)


@pytest.mark.parametrize(("reading", "printed"), [("burns", "1/12"), ("no_hit", "0")])
def test_a30_failed_double_action(reading: str, printed: str) -> None:
    data = burning(fire="double") | {"rulings": {"failed_double_action": reading}}
    assert p(data, "target.wounds", 1) == Fraction(printed)


@pytest.mark.parametrize(
    ("fire", "ruling", "reading", "acted"),
    [
        ("normal", "after_fire_out", "two_actions", 2),
        ("normal", "after_fire_out", "one_action", 1),
        ("double", "after_double_action", "over", 0),
        ("double", "after_double_action", "acts", 2),
    ],
)
def test_a23_a24_after_the_fire(fire: str, ruling: str, reading: str, acted: int) -> None:
    """Of three Reloads that fail, so many are rolled for."""
    lines: list[Data] = [{"action": "burn"}, *[{"action": "reload"}] * 3]
    data = scenario(
        AUTOGUN | {"out_of_ammo": True},
        shooter={"on_fire": True},
        do=lines,
        rounds=1,
        rulings={ruling: reading},
        policies={"fire": fire},
    )
    rolled = firepower.read(data).roll(dice=["6", *["1"] * acted])
    assert thrown(rolled).count("reload") == acted


def test_a31_no_second_marker() -> None:
    question = firepower.read(scenario(FLAMER, target={"on_fire": True}))
    assert "catch fire" not in thrown(question.roll(dice=["2", "1"]))


# -- allocations ---------------------------------------------------------------------------------


class Enumerate:
    """Takes a path through the options of a play, and afterwards knows the one after it."""

    def __init__(self) -> None:
        self.path: list[int] = []
        self.sizes: list[int] = []
        self.at = 0

    def begin(self) -> None:
        self.at, self.sizes = 0, []

    def decide(self, choice: Any, parts: Mapping[str, Any], mark: str) -> str:
        if self.at == len(self.path):
            self.path.append(0)
        self.sizes.append(len(choice.options))
        key = choice.options[self.path[self.at]].key
        self.at += 1
        return str(key)

    def step(self) -> bool:
        """Whether there is another path."""
        while self.path and self.path[-1] + 1 == self.sizes[len(self.path) - 1]:
            self.path.pop()
        if not self.path:
            return False
        self.path[-1] += 1
        return True


def splits(dice: Sequence[str], near: Mapping[str, Any]) -> set[tuple[int, ...]]:
    """Every way in which a burst that hits with these Firepower faces may be shared out."""
    gun = weapon(f"Rapid Fire ({len(dice)})", strength="1")
    solid = {name: {"side": "theirs", "distance": 6, "toughness": 9, **dict(each)}
             for name, each in near.items()}  # fmt: skip
    data = scenario(gun, target={"toughness": 9}, others=solid, near=list(near), dice=len(dice))
    question, options = firepower.read(data), Enumerate()
    found = set()
    while True:
        options.begin()
        hits = sum(int(face) for face in dice)
        faces = ["6", *dice, *["1"] * hits]
        measures = question.roll(dice=faces, decider=options).measures
        found.add(tuple(measures[f"{name}.hit"] for name in ("target", *near)))
        if not options.step():
            return found


@pytest.mark.parametrize(
    ("dice", "others", "count"),
    [("11", 1, 2), ("22", 2, 10), ("33", 2, 21), ("333", 3, 165)],
)
def test_al_allocations(dice: str, others: int, count: int) -> None:
    hits = sum(map(int, dice))
    found = splits(list(dice), {f"other{i}": {} for i in range(others)})
    assert len(found) == count == comb(hits - 1 + others, others)
    assert all(first >= 1 and first + sum(rest) == hits for first, *rest in found)


# -- procedure, without odds ---------------------------------------------------------------------


def thrown(outcome: firepower.Outcome) -> list[str]:
    """What dice were thrown for, in order."""
    return [event.label for event in outcome.events if isinstance(event, Thrown)]


def test_p01_more_dice_than_there_are() -> None:
    assert "at most 2" in refusal(scenario(STUBBER, dice=3))


def test_p02_one_failure_is_no_jam() -> None:
    rolled = firepower.read(scenario(AUTOGUN)).roll(dice=["1", "1!", "3"])
    assert rolled.measures["out_of_ammo"]
    assert not rolled.measures["jammed"]


def test_p04_two_failures_jam() -> None:
    lines: list[Data] = [{"action": "shoot", "at": ["target"], "dice": 2}, {"action": "reload"}]
    rolled = firepower.read(scenario(STUBBER, do=lines)).roll(dice=["1", "1!", "1!", "1", "3"])
    assert rolled.measures["jammed"]
    assert rolled.measures["ammo_failed"] == 2
    assert rolled.measures["actions_lost"] == 1
    assert "reload" not in thrown(rolled)


def test_p05_a_miss_with_a_symbol() -> None:
    rolled = firepower.read(scenario(AUTOGUN)).roll(dice=["1", "1!", "4"])
    assert rolled.measures["hits"] == 0
    assert thrown(rolled)[-1] == "ammo check"


OTHER: Data = {"side": "theirs", "distance": 6}


def test_p06_one_hit_is_not_split() -> None:
    data = scenario(AUTOGUN, others={"other": OTHER}, near=["other"])
    rolled = firepower.read(data).roll(dice=["6", "1", "1"])
    assert rolled.measures["hits"] == 1
    assert not [event for event in rolled.events if isinstance(event, Chosen)]


def test_p07_four_hits() -> None:
    assert splits(["2", "2"], {"other": {}}) == {(4, 0), (3, 1), (2, 2), (1, 3)}


@pytest.mark.parametrize(
    ("reading", "inches", "shares_hits"),
    [
        ("centres", 3.0, True),
        ("centres", 3.1, False),
        ("bases", 3.0 + 25 / 25.4, True),
        ("bases", 3.1 + 25 / 25.4, False),
    ],
)
def test_p08_three_inches(reading: str, inches: float, shares_hits: bool) -> None:
    data = scenario(
        AUTOGUN,
        shooter={"position": [0, 0]},
        target={"position": [0, 6]},
        others={"other": {"side": "theirs", "position": [inches, 6]}},
        rulings={"distances": reading},
    )
    found = firepower.read(data).odds().measures
    assert ("other.hit" in found and found["other.hit"].at_least(1) > 0) == shares_hits


@pytest.mark.parametrize(
    ("other", "line"),
    [
        ({"cover": "partial"}, {}),
        ({"distance": 25}, {}),
        ({}, {"out_of_sight": ["other"]}),
    ],
    ids=["P-10", "P-12 range", "P-12 sight"],
)
def test_p10_p12_refused_further_hits(other: Data, line: Data) -> None:
    data = scenario(AUTOGUN, others={"other": OTHER | other}, near=["other"], **line)
    found = firepower.read(data).odds().measures
    assert "other.hit" not in found or found["other.hit"].p(0) == 1


def test_p14_allocated_before_any_wound() -> None:
    data = scenario(STUBBER, others={"other": OTHER}, near=["other"], dice=2)
    rolled = firepower.read(data).roll(dice=["6", "2", "2", "1", "1", "1", "1"], choose=["2"])
    kinds = [
        "choice" if isinstance(event, Chosen) else event.label.split(",")[0]
        for event in rolled.events
        if isinstance(event, Chosen | Thrown)
    ]
    assert kinds == ["gun: to hit", "Firepower", "choice", *["to wound"] * 4]


@pytest.mark.parametrize("before", ["move", "aim"])
def test_p15_unwieldy_after_another_action(before: str) -> None:
    lines: list[Data] = [{"action": before}, {"action": "shoot", "at": ["target"]}]
    data = scenario(weapon("Unwieldy"), do=lines, rounds=1)
    assert p(data, "actions_lost", 1) == 1
    assert p(data, "target.hit", 0) == 1
    lifted = scenario(weapon("Unwieldy", suspensors=True), do=lines, rounds=1)
    assert p(lifted, "actions_lost", 0) == 1
    assert p(lifted, "target.hit", 0) < 1


def test_p18_no_fire_for_who_is_out_of_action() -> None:
    question = firepower.read(scenario(FLAMER))
    assert thrown(question.roll(dice=["2", "6", "out"]))[-1] == "injury"
    burns = question.roll(dice=["2", "1", "4"])
    assert thrown(burns)[-1] == "catch fire"
    assert burns.measures["target.on_fire"]


def test_p19_out_and_acts_normally() -> None:
    lines: list[Data] = [
        {"action": "burn"},
        {"action": "aim"},
        {"action": "shoot", "at": ["target"]},
        {"action": "move"},
    ]
    data = scenario(weapon(), shooter={"on_fire": True, "helpers": 1}, do=lines, rounds=1)
    rolled = firepower.read(data).roll(dice=["5", "3", "2", "1"])
    assert rolled.measures["shooter.fire_out"]
    assert rolled.measures["hits"] == 1, "a 3 and an Aim"
    assert rolled.measures["actions_lost"] == 1, "the third action of two"


def test_p22_double_action_ends_the_activation() -> None:
    lines: list[Data] = [{"action": "burn"}, {"action": "shoot", "at": ["target"]}]
    data = scenario(
        weapon(), shooter={"on_fire": True}, do=lines, rounds=1, policies={"fire": "double"}
    )
    rolled = firepower.read(data).roll(dice=["2"])
    assert rolled.measures["shooter.fire_out"]
    assert rolled.measures["actions_lost"] == 1
    assert rolled.end.parts[0].pinned


@pytest.mark.parametrize(
    ("reading", "inches"),
    [
        ("bases", 5.0 + 25 / 25.4),
        ("centres", 5.0),
    ],
)
def test_p24_runs_no_nearer_than_an_inch(reading: str, inches: float) -> None:
    """Nine inches towards an enemy five inches away: four are run."""
    data = scenario(
        weapon(),
        shooter={"on_fire": True, "position": [0, 0]},
        target={"position": [inches, 0]},
        do=[{"action": "burn"}],
        rulings={"distances": reading},
    )
    rolled = firepower.read(data).roll(dice=["1", "1", "4", "5", "12"])
    assert rolled.measures["shooter.on_fire"]
    x, y = rolled.end.parts[0].at
    assert (x, y) == pytest.approx((4, 0), abs=1e-5)


@pytest.mark.parametrize(("burns", "fights_back"), [(True, False), (False, True)])
def test_p23_who_burns_does_not_fight_back(burns: bool, fights_back: bool) -> None:
    knife = {"weapons": {"knife": weapon("Melee", range="-/E", strength="S")}}
    data = scenario(
        shooter=knife,
        target={"on_fire": burns, **knife},
        do=[{"action": "charge", "at": ["target"]}],
    )
    assert (p(data, "shooter.hit", 0) < 1) == fights_back
