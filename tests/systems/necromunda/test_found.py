"""What a tester with the text and the command line alone found wrong or missing, by hand."""

from fractions import Fraction
from typing import Any

import pytest

import firepower
from tests.systems.necromunda.asking import (
    AUTOGUN,
    Data,
    mean,
    odds_of,
    p,
    refusal,
    scenario,
    weapon,
)

F = Fraction

FLASH = weapon("Flash", "Template", range="-/T", strength="-", damage="-")
SHIELD = {"weapons": {"assault-shield": {}}}


def notes(data: Data) -> str:
    return "; ".join(firepower.read(data).terms().not_modelled)


# -- a miss ----------------------------------------------------------------------------------------


def test_a_miss_into_close_combat_may_hit_whoever_is_in_it() -> None:
    """At -1 two of three miss; half of these hit the friend."""
    friend = {"friend": {"side": "ours", "distance": 6}}
    data = scenario(weapon(), target={"engaged": ["friend"]}, others=friend)
    assert p(data, "friend.hit", 1) == F(2, 3) / 2
    assert p(scenario(weapon(), others=friend), "hits", 1) == F(1, 2)
    assert "friend.hit" not in firepower.read(scenario(weapon(), others=friend)).measures


@pytest.mark.parametrize(("off", "hit"), [(0.9, F(1, 4)), (1.4, F(1, 4)), (1.6, None)])
def test_a_miss_may_hit_who_stands_by_the_line(off: float, hit: Fraction | None) -> None:
    """By positions, an inch from the line to the base."""
    people = {"other": {"side": "theirs", "position": [5, off]}}
    data = scenario(
        weapon(), shooter={"position": [0, 0]}, target={"position": [8, 0]}, others=people
    )
    if hit is None:
        assert "other.hit" not in firepower.read(data).measures
    else:
        assert p(data, "other.hit", 1) == hit


# -- what stops hits -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "stopped"), [({}, F(1, 2)), ({"pinned": True}, F(1, 3)), ({"front": False}, F(1, 3))]
)
def test_a_shield_protects_from_the_front_who_stands(state: Data, stopped: Fraction) -> None:
    data = scenario(weapon(), target={"save": 5} | SHIELD | state)
    assert mean(data, "target.unsaved") == mean(data, "target.wounds") * (1 - stopped)


def test_a_shield_makes_a_save_two_at_best() -> None:
    """3+ and two are 2+, which AP -2 makes 4+."""
    me = {"weapons": {"sword": weapon(range="-/E", strength="4", ap=-2) | {"traits": ["Melee"]}}}
    target = {"save": 3, "wounds": 9} | SHIELD
    fight = [{"action": "fight", "at": ["target"], "weapons": ["sword"]}]
    data = scenario(do=fight, shooter=me, target=target)
    data["combatants"]["target"].pop("distance", None)
    assert mean(data, "target.unsaved") == mean(data, "target.wounds") / 2


def test_no_shield_stops_a_fire() -> None:
    burning = {"on_fire": True, "save": 5} | SHIELD
    data = scenario(do=[{"action": "burn"}], shooter=burning)
    assert mean(data, "shooter.unsaved") == F(5, 12) * F(5, 6)


def test_an_ap_that_helps_gives_who_wears_nothing_a_save() -> None:
    data = scenario(weapon(ap=1))
    assert mean(data, "target.unsaved") == mean(data, "target.wounds") * F(5, 6)


@pytest.mark.parametrize(
    ("gun", "measure", "chance"),
    [
        (weapon(), "target.pinned", F(1, 4)),
        (weapon("Rad-phage", strength="1"), "target.flesh_wounds", F(1, 8)),
        (weapon("Blaze", strength="1", damage="1"), "target.on_fire", F(1, 8)),
    ],
)
def test_a_displacer_makes_a_hit_none(gun: Data, measure: str, chance: Fraction) -> None:
    target = {"field": "displacer", "wounds": 9, "toughness": 9}
    assert mean(scenario(gun, target=target), measure) == chance


def test_a_displacer_is_rolled_in_place_of_armour() -> None:
    """With 2+ armour the armour is chosen, and the hit pins; the other choice may cancel it."""
    data = scenario(weapon(), target={"field": "displacer", "save": 2, "wounds": 9})
    assert p(data, "target.pinned") == F(1, 2)
    assert mean(data, "target.unsaved") == F(1, 2) * F(1, 2) * F(1, 6)
    advice = firepower.read(data).best("-target.pinned", against=True)
    assert advice is not None


# -- Initiative, movement, skills, traits ----------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "need"),
    [({}, 4), ({"armour": "heavy-carapace"}, 5), ({"gunked": True}, 5), ({"concussed": True}, 6)],
)
def test_what_makes_an_initiative_test_harder(state: Data, need: int) -> None:
    data = scenario(FLASH, target={"initiative": 4} | state)
    assert p(data, "target.blind") == F(need - 1, 6)


@pytest.mark.parametrize(("armour", "arrives"), [("", F(2, 3)), ("heavy carapace", F(1, 3))])
def test_heavy_carapace_charges_an_inch_less(armour: str, arrives: Fraction) -> None:
    """Movement 5 and D3 inches, seven to go; 4+ with two dice."""
    me = {"movement": 5, "weapon_skill": 4, "attacks": 1, "armour": armour}
    charge = [{"action": "charge", "at": ["target"]}]
    data = scenario(do=charge, shooter=me, target={"distance": 7, "wounds": 9, "weapons": {}})
    assert mean(data, "target.hit") == arrives * 2 * F(1, 2)


def test_munitioneer_helps_friends_within_six_inches_and_reloads() -> None:
    """Both checks must fail: a symbol on 1/6, and twice less than 4."""
    places = {"shooter": {"position": [0, 0]}, "target": {"position": [6, 0]}}
    for inches, chance in ((4, F(1, 24)), (9, F(1, 12))):
        friend = {"side": "ours", "position": [0, inches], "skills": ["Munitioneer"]}
        data = scenario(AUTOGUN, others={"friend": friend}, **places)
        assert p(data, "out_of_ammo") == chance
    gun = AUTOGUN | {"out_of_ammo": True}
    own = scenario(gun, do=[{"action": "reload"}], shooter={"skills": ["Munitioneer"]})
    assert p(own, "reloaded", 1) == F(3, 4)


@pytest.mark.parametrize(("psyker", "lost"), [(False, F(1, 2)), (True, F(1))])
def test_hexagrammatic_hurts_psykers_twice(lost: Fraction, *, psyker: bool) -> None:
    gun = weapon("Hexagrammatic", damage="2")
    data = scenario(gun, target={"psyker": psyker, "wounds": 8})
    assert mean(data, "target.wounds_lost") == lost


def test_an_impale_goes_no_farther_than_long_range() -> None:
    gun = weapon("Impale", range="8/24")
    for inches, beyond in ((20, True), (25, False)):
        others = {"other": {"side": "theirs", "distance": inches}}
        data = scenario(gun, others=others, behind=["other"])
        assert (mean(data, "other.hit") > 0) == beyond


def test_smoke_at_a_point_is_no_harder() -> None:
    for traits, hits in ((["Blast (5)", "Smoke"], F(1, 2)), (["Blast (5)"], F(1, 6))):
        gun = weapon(*traits, range="6/24", ammo=4)
        tests = firepower.read(scenario(gun, point=True, touched=["target"])).odds().tests
        values = [part.value for test in tests for part in test.parts]
        assert (-2 in values) == (hits == F(1, 6))


def test_a_marker_beyond_range_is_pulled_back_along_the_line() -> None:
    """At 24 inches a marker of 5 touches who stands at 25 and at 26.5."""
    people = {"other": {"side": "theirs", "position": [25, 0]}}
    data = scenario(
        weapon("Blast (5)", range="8/24"),
        shooter={"position": [0, 0]},
        target={"position": [26.5, 0]},
        others=people,
    )
    assert p(data, "hits", 2) == F(1, 2)
    assert min(p(data, "target.hit", 1), p(data, "other.hit", 1)) > F(1, 2)


def test_a_point_may_be_aimed_at_beside_who_lies_hidden() -> None:
    gun = weapon("Blast (3)")
    lying = {"pinned": True, "cover": "full"}
    assert "lies hidden" in refusal(scenario(gun, target=lying))
    data = scenario(gun, target=lying, point=True, touched=["target"])
    assert p(data, "hits", 1) == F(1, 6)


# -- profiles, targets, measures, notes ------------------------------------------------------------


def test_a_weapon_without_a_plain_profile_must_name_one() -> None:
    data = scenario({"use": "shotgun"})
    assert "must name its 'mode': gun has" in refusal(data)
    assert p(scenario({"use": "shotgun"}, mode="solid"), "hits", 1) > 0


def test_toxin_of_2017_needs_a_strength_to_wound_with() -> None:
    data = scenario({"use": "needle-rifle"}, rulings={"toxin": "contest"})
    assert "has no Strength to wound with" in refusal(data)
    assert p(scenario({"use": "needle-rifle"}, edition="2017"), "target.out_of_action") > 0


def test_best_says_whom_to_shoot() -> None:
    weak = {"weak": {"side": "theirs", "distance": 6, "toughness": 1}}
    data = scenario(weapon(), others=weak, at=["target", "weak"])
    decision = firepower.read(data).best("fighters_out_of_action").decisions[0]
    assert [key for key, _ in decision.options] == [
        "shoot gun at target or weak",
        "shoot gun at weak or target",
    ]
    assert decision.options[1][1] > decision.options[0][1]


def test_a_friend_who_sees_somebody_fall_can_be_asked_about() -> None:
    """Somebody falls (in two of three wounds) before a friend with Cool 7."""
    near = {"friend": {"side": "theirs", "near": ["target"], "cool": 7}}
    data = scenario(weapon(), others=near)
    fallen = F(1, 4) * F(2, 3)
    assert p(data, "friend.broken") == fallen * F(15, 36)
    assert "friend.hit" not in firepower.read(data).measures


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (scenario(weapon(), shooter={"skills": ["Overwatch"]}), "Overwatch of shooter"),
        (scenario(do=[{"action": "take-cover"}]), "what take-cover does but cost its action"),
        (scenario(weapon("Firestorm (1)")), "Firestorm hits whom the line names"),
        (
            scenario(
                weapon("Knockback"), shooter={"position": [0, 0]}, target={"position": [6, 0]}
            ),
            "where Knockback moves target",
        ),
        (
            scenario(
                weapon(),
                shooter={"position": [0, 0]},
                target={"position": [10, 0]},
                others={"near one": {"side": "theirs", "position": [0, 4]}},
            ),
            "target priority: if they are in sight, state 'closer' (near one)",
        ),
    ],
)
def test_what_is_not_there_is_named(data: Data, note: str) -> None:
    assert note in notes(data)


@pytest.mark.parametrize("armour", ["Mesh", "mesh", " Heavy Carapace ", "heavy-carapace"])
def test_names_are_read_without_regard_to_case(armour: str) -> None:
    gun: dict[str, Any] = {"use": "Heavy stubber"}
    assert p(scenario(gun, target={"armour": armour}), "hits", 0) > 0


def test_a_double_action_that_pins_counts_as_being_pinned() -> None:
    data = scenario(do=[{"action": "burn"}], shooter={"on_fire": True})
    assert odds_of(data, "shooter.pinned") == {False: F(1)}
    assert odds_of(data | {"policies": {"fire": "double"}}, "shooter.pinned") == {True: F(1)}


# -- armour ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("armour", "gun", "state", "stopped"),
    [
        ("flak", weapon(), {}, F(1, 6)),
        ("flak", weapon("Blast (5)"), {}, F(1, 3)),
        ("flak", weapon("Template", range="-/T"), {}, F(1, 3)),
        ("layered-flak", weapon(), {}, F(1, 3)),
        ("layered-flak", weapon("Blast (5)"), {}, F(1, 2)),
        ("plate-mail", weapon(), {"front": False}, F(1, 6)),
        ("plate-mail", weapon(), {}, F(1, 3)),
        ("heavy-carapace", weapon(), {}, F(2, 3)),
        ("heavy-carapace", weapon(), {"front": False}, F(1, 2)),
        ("furnace-plates", weapon(), {}, F(1, 3)),
        ("furnace-plates", weapon(), {"front": False}, F(1, 6)),
        ("light-carapace", weapon(ap=-2), {}, F(1, 6)),
        ("armourweave", weapon(ap=-3), {}, F(1, 6)),
        ("gutterforged-cloak", weapon(ap=-1), {}, F(0)),
        ("reflec-shroud", weapon(ap=-2), {}, F(0)),
        ("reflec-shroud", {"use": "lasgun", "ap": -2, "strength": "3"}, {}, F(1, 3)),
        ("reflec-shroud", {"use": "plasma-pistol", "profiles": ["low"]}, {}, F(1, 3)),
    ],
)
def test_armour_by_name(armour: str, gun: Data, state: Data, stopped: Fraction) -> None:
    line = {"mode": "low"} if gun.get("use") == "plasma-pistol" else {}
    target = {"armour": armour, "wounds": 9, "toughness": 3} | state
    data = scenario(gun, target=target, **line)
    assert mean(data, "target.unsaved") == mean(data, "target.wounds") * (1 - stopped)
