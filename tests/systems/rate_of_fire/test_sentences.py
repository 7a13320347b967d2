"""The statements of the rules about one attack, in their order; R39 and R42 are about turns."""

from fractions import Fraction
from typing import Any

import pytest

from firepower.answers.odds import odds as find_odds
from firepower.answers.question import read_question
from tests.systems.rate_of_fire.helpers import (
    CULTIST,
    ONE_POINT,
    Data,
    agenda,
    chance,
    hundredths,
    odds,
    odds_of,
    opened,
    parts,
    played,
    refusal,
    scenario,
    target_number,
)

ACTIONS = ("single-shot", "semi-auto", "full-auto", "suppressing-fire")
FULL_AUTO_RATE = ("full-auto", "suppressing-fire")
PAIR = {"cultist": CULTIST, "other": CULTIST}


def fire(action: str, **more: Any) -> Data:
    """An attack; full auto has one die unless more is said."""
    if action == "full-auto":
        more.setdefault("dice", 1)
    return scenario(action, **more)


def spent(action: str, **more: Any) -> tuple[int, int]:
    """The rounds and action points that an attack always uses."""
    found = odds(fire(action, **more), "rounds_spent", "ap_spent")
    ((rounds, _),), ((ap, _),) = found["rounds_spent"].items(), found["ap_spent"].items()
    return int(str(rounds)), int(str(ap))


def hits_by_degrees(action: str, most: int) -> list[int]:
    """The hits of one degree of success, of two and so on, by rolls under 95."""
    modifiers = {"in all": 95 - target_number(fire(action, skill=95))}
    data = fire(action, skill=95, modifiers=modifiers, people={"dummy": {"distance": 9}})
    first = ["5"] if action == "full-auto" else []
    found = []
    for roll in range(95, 95 - 10 * most, -10):
        hits = hits_of_roll(data, [*first, str(roll)])
        found.append(hits)
    return found


def hits_of_roll(data: Data, faces: list[str]) -> int:
    """The hits that a roll scores; damage is left to the odds."""
    found = find_odds(read_question(data), measures=["hits"], dice=faces).measures["hits"]
    (hits,) = found.weights
    assert isinstance(hits, int)
    return hits


# -- how a weapon is written ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rof", "lawful"),
    [
        ("S/2/3d5", ACTIONS),
        ("S/2/-", ("single-shot", "semi-auto")),
        ("S/-/-", ("single-shot",)),
        ("-/3/-", ("semi-auto",)),
        ("-/-/2d10", FULL_AUTO_RATE),
    ],
)
def test_r01_a_dash_is_a_missing_mode(rof: str, lawful: tuple[str, ...]) -> None:
    for action in ACTIONS:
        data = fire(action, carried={"rof": rof})
        if action in lawful:
            assert opened(data).measures
        else:
            assert f"(rof {rof}) cannot do" in refusal(data)


def test_r02_the_autogun_adds_two_and_the_skill_bonus_and_has_no_penetration() -> None:
    people = {"cultist": CULTIST | {"armour": 3}}
    assert played(fire("single-shot", people=people), 40, 6)["cultist.damage"] == 6 + 2 + 4 - 3


def test_r03_each_band_ends_a_range_farther() -> None:
    for metres, modifier in ((3, -30), (35, -10), (70, 0), (105, 10), (140, 20), (175, 40)):
        people = {"cultist": CULTIST | {"distance": metres}}
        (test, _) = agenda(fire("suppressing-fire", people=people))
        assert test.step.ask(None).parts[-1].value == modifier
    assert "the weapon reaches 175 m" in refusal(
        fire("single-shot", people={"cultist": {"distance": 176}})
    )


# -- single shot ---------------------------------------------------------------------------------


def test_r04_a_single_shot_is_ordinary_and_gains_from_aim() -> None:
    assert parts(fire("single-shot", aim=20)) == {
        "Ranged Combat": 45,
        "Single Shot Attack (Ordinary)": 10,
        "Aim": 20,
    }
    assert target_number(fire("single-shot", aim=20)) == 75


def test_r05_a_single_shot_uses_one_round_and_one_ap_and_hits_once() -> None:
    assert spent("single-shot") == (1, 1)
    assert hits_by_degrees("single-shot", 9) == [1] * 9


def test_r05_a_bare_success_hits_however_degrees_are_counted() -> None:
    for reading in ("one_plus_tens", "at_least_one", "tens", "tens_digits"):
        data = fire("single-shot", rulings={"degrees": reading})
        assert odds_of(data, "hits") == hundredths({1: 55})


# -- semi-auto -----------------------------------------------------------------------------------


def test_r06_a_burst_is_challenging_and_gains_nothing_from_aim() -> None:
    data = fire("semi-auto", aim=20)
    assert parts(data) == {
        "Ranged Combat": 45,
        "Semi-Auto Attack (Challenging)": 0,
        "Aim (does not count)": 0,
    }
    assert target_number(data) == 45
    assert spent("semi-auto")[1] == 1


def test_r07_hits_of_a_burst() -> None:
    assert hits_by_degrees("semi-auto", 9) == [1, 2, 2, 3, 3, 4, 4, 5, 5]


@pytest.mark.parametrize(
    ("choose", "cultist", "other"), [(("0",), 3, 0), (("1",), 2, 1), (("2",), 1, 2)]
)
def test_r08_further_hits_of_a_burst_go_where_the_shooter_wants(
    choose: tuple[str, ...], cultist: int, other: int
) -> None:
    people = {name: {"distance": 50} for name in PAIR}
    shot = played(fire("semi-auto", people=people, near=["other"]), 5, 1, 1, 1, choose=choose)
    assert (shot["cultist.hits"], shot["other.hits"]) == (cultist, other)


@pytest.mark.parametrize(("rof", "rounds"), [("S/2/-", 2), ("S/3/-", 3), ("-/7/-", 7)])
def test_r09_a_burst_uses_its_rounds(rof: str, rounds: int) -> None:
    assert spent("semi-auto", carried={"rof": rof}) == (rounds, 1)


def test_r10_several_hits_of_a_burst_on_one_target_do_one_more_damage_each() -> None:
    people = {name: {"distance": 50} for name in PAIR}
    data = fire("semi-auto", carried=ONE_POINT, people=people, near=["other"])
    together = played(data, 5, 1, 1, 1, choose=("0",))
    assert together["cultist.damage"] == 3 * 2
    apart = played(data, 5, 1, 1, 1, choose=("1",))
    assert (apart["cultist.damage"], apart["other.damage"]) == (2 * 2, 1)


# -- full auto -----------------------------------------------------------------------------------


@pytest.mark.parametrize("action", FULL_AUTO_RATE)
@pytest.mark.parametrize("state", ["engaged", "fleeing"])
def test_r11_full_auto_is_not_for_the_engaged_or_fleeing(action: str, state: str) -> None:
    sentence = refusal(fire(action, shooter={state: True}))
    assert sentence == f"do[1].action is '{action}', but scout is {state}: not allowed"


@pytest.mark.parametrize("action", ["single-shot", "semi-auto"])
@pytest.mark.parametrize("state", ["engaged", "fleeing"])
def test_r11_other_attacks_are(action: str, state: str) -> None:
    assert odds_of(fire(action, shooter={state: True}), "hits") == odds_of(fire(action), "hits")


def test_r12_each_ap_is_a_die_up_to_the_weapons() -> None:
    assert [spent("full-auto", dice=dice)[1] for dice in (1, 2, 3)] == [1, 2, 3]
    assert refusal(fire("full-auto", dice=4)) == (
        "do[1].dice is 4, but the autogun (rof S/2/3d5) rolls at most 3"
    )


def test_r13_no_more_shots_than_the_highest_roll() -> None:
    shot = played(fire("full-auto", dice=3), 5, 5, 5, 90)
    assert shot.words("rate-of-fire dice") == ("15 shots",)


def test_r14_dice_fall_before_a_difficult_test() -> None:
    data = fire("full-auto", dice=2)
    assert parts(data) == {"Ranged Combat": 45, "Full Auto Attack (Difficult)": -10}
    assert played(data, 1, 2, 90).order == [
        ("scout", "rate-of-fire dice"),
        ("scout", "Full Auto Attack"),
    ]


@pytest.mark.parametrize("action", FULL_AUTO_RATE)
def test_r15_full_auto_gains_nothing_from_aim(action: str) -> None:
    assert odds_of(fire(action, aim=20), "hits") == odds_of(fire(action), "hits")
    assert target_number(fire(action, aim=20)) == target_number(fire(action))


def test_r16_a_hit_for_each_degree_up_to_the_shots() -> None:
    assert hits_by_degrees("full-auto", 9) == [1, 2, 3, 4, 5, 5, 5, 5, 5]


def test_r17_further_hits_of_full_auto_go_where_the_shooter_wants() -> None:
    people = {name: {"distance": 50} for name in PAIR}
    data = fire("full-auto", people=people, near=["other"])
    shot = played(data, 5, 5, 1, 1, 1, 1, choose=("3",))
    assert (shot["cultist.hits"], shot["other.hits"]) == (1, 3)


@pytest.mark.parametrize("dice", [1, 2, 3])
def test_r18_full_auto_spends_dice_times_faces(dice: int) -> None:
    assert spent("full-auto", dice=dice) == (5 * dice, dice)
    assert spent("full-auto", dice=dice, carried={"rof": "-/-/3d10"}) == (10 * dice, dice)


def test_r19_several_full_auto_hits_on_one_target_do_one_more_damage_each() -> None:
    data = fire("full-auto", carried=ONE_POINT, people={"dummy": {"distance": 50}})
    assert played(data, 5, 20, 1, 1)["dummy.damage"] == 2 * 2
    assert played(data, 5, 30, 1)["dummy.damage"] == 1


def test_r20_every_target_that_is_hit_tests_pinning() -> None:
    data = fire("full-auto", people=PAIR, near=["other"])
    both = played(data, 5, 20, 1, 99, 1, 1, choose=("1",))
    assert (both["cultist.pinned"], both["other.pinned"]) == (True, False)
    one = played(data, 5, 20, 1, 1, 99, choose=("0",))
    assert (one["cultist.pinned"], one["other.pinned"]) == (True, False)
    assert [who for who, label in one.order if label == "Pinning Test"] == ["cultist"]


# -- suppressing fire ----------------------------------------------------------------------------


def test_r21_suppressing_fire_costs_three_ap_and_cannot_be_delayed() -> None:
    assert spent("suppressing-fire")[1] == 3
    assert "ap is 2, but this attack costs 3 AP" in refusal(fire("suppressing-fire", ap=2))
    assert refusal(fire("suppressing-fire", delay=True)).startswith("do[1].delay is not known")


def test_r22_the_cone_is_as_long_as_the_weapon_reaches_and_ends_where_sight_does() -> None:
    people = {
        name: {"position": place, "willpower": 40}
        for name, place in {
            "ahead": [0, 100],
            "inside": [41, 100],
            "outside": [42, 100],
            "farthest": [0, 175],
            "beyond": [0, 176],
            "hidden": [0, 110],
        }.items()
    }
    data = fire(
        "suppressing-fire",
        shooter={"position": [0, 0]},
        people=people,
        in_cone=None,
        at=["ahead"],
        out_of_sight=["hidden"],
    )
    tested = {name.partition(".")[0] for name in opened(data).measures if ".pinned" in name}
    assert tested == {"ahead", "inside", "farthest"}


def test_r23_everybody_in_the_cone_tests_before_the_shooter_rolls() -> None:
    people = {"friend": CULTIST, "foe": CULTIST}
    assert played(fire("suppressing-fire", people=people), 41, 40, 90).order == [
        ("friend", "Pinning Test"),
        ("foe", "Pinning Test"),
        ("scout", "Suppressing Fire Attack"),
    ]


def test_r24_range_and_movement_of_the_closest_count() -> None:
    people = {
        "far": CULTIST | {"distance": 60, "range_modifier": 1, "movement_modifier": 2},
        "close": CULTIST | {"distance": 20, "range_modifier": 10, "movement_modifier": -20},
    }
    assert parts(fire("suppressing-fire", people=people)) == {
        "Ranged Combat": 45,
        "Suppressing Fire Attack (Very Hard)": -30,
        "range": 10,
        "movement": -20,
    }


def test_r24_what_is_not_stated_of_the_closest_is_named() -> None:
    assert opened(fire("suppressing-fire")).not_modelled == (
        "range to hit: cultist states no 'range_modifier', 0 is used",
        "movement to hit: cultist states no 'movement_modifier', 0 is used",
    )
    assert opened(fire("semi-auto")).not_modelled == ()


def test_r25_hits_of_suppressing_fire() -> None:
    assert hits_by_degrees("suppressing-fire", 6) == [1, 2, 2, 3, 3, 3]


def test_r26_further_suppressing_hits_stay_near_and_in_the_band() -> None:
    people = {
        name: {"position": place}
        for name, place in {
            "cultist": [0, 34],
            "same": [0, 35],
            "next_band": [0, 35.5],
            "too_far": [2.5, 34],
        }.items()
    }
    data = fire("suppressing-fire", shooter={"position": [0, 0]}, people=people)
    shot = agenda(data)[-1].step.shot
    assert (shot.original, shot.allocation.others) == ("cultist", ("same",))


@pytest.mark.parametrize(("rof", "rounds"), [("-/-/3d5", 15), ("-/-/2d10", 20), ("-/-/5d5", 25)])
def test_r27_suppressing_fire_spends_all_dice_times_faces(rof: str, rounds: int) -> None:
    assert spent("suppressing-fire", carried={"rof": rof}) == (rounds, 3)


def test_r27_suppressing_fire_rolls_no_rate_of_fire_dice() -> None:
    shot = played(fire("suppressing-fire", people={"dummy": {"distance": 50}}), 90)
    assert shot.order == [("scout", "Suppressing Fire Attack")]


# -- pinning -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metres", "failing"), [(3, 90), (4, 70), (36, 60), (71, 50), (106, 40), (175, 20)]
)
def test_r28_pinning_by_the_band_of_who_tests(metres: int, failing: int) -> None:
    people = {"cultist": CULTIST | {"distance": metres}}
    assert odds_of(fire("suppressing-fire", people=people), "cultist.pinned") == chance(failing)


# -- Storm ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("storm", [1, 2, 3, 4, 5])
def test_r29_storm_multiplies_the_hits_of_the_degrees(storm: int) -> None:
    once = odds_of(fire("full-auto", dice=3), "hits")
    found = odds_of(fire("full-auto", dice=3, carried={"storm": storm}), "hits")
    assert found == {int(str(hits)) * storm: p for hits, p in once.items()}


def test_r29_storm_is_one_unless_it_is_stated() -> None:
    gun = {"range": 35, "rof": "-/-/3d5", "damage": "d10 [I]", "reliable": True}
    data = fire("full-auto", dice=3, shooter={"weapons": {"gun": gun}})
    assert odds_of(data, "hits") == odds_of(fire("full-auto", dice=3), "hits")


@pytest.mark.parametrize(
    ("action", "hits"),
    [
        ("single-shot", {1: 55}),
        ("semi-auto", {1: 10, 2: 20, 3: 15}),
        ("suppressing-fire", {3: 10, 6: 5}),
    ],
)
def test_r30_storm_counts_at_the_full_auto_rate(action: str, hits: dict[int, int]) -> None:
    assert odds_of(fire(action, carried={"storm": 3}), "hits") == hundredths(hits)


@pytest.mark.parametrize(
    ("action", "number", "errant"),
    [
        # capped by the round, by two rounds and by 15 rounds; the doubles that fail and hold
        ("single-shot", 35, {1: 5}),
        ("semi-auto", 25, {1: 1, 2: 5}),
        ("suppressing-fire", -5, {3 * n: 1 for n in (2, 3, 4, 5, 7, 8, 9, 10)}),
    ],
)
def test_r31_storm_multiplies_errant_hits_too(
    action: str, number: int, errant: dict[int, int]
) -> None:
    data = fire(action, carried={"storm": 3}, melee=["cultist"])
    assert target_number(data) == number
    assert odds_of(data, "errant_hits") == hundredths(errant)


# -- shooting into melee -------------------------------------------------------------------------


@pytest.mark.parametrize("action", ACTIONS)
def test_r32_shooting_into_melee_is_20_harder(action: str) -> None:
    assert parts(fire(action, melee=["cultist"]))["shooting into melee"] == -20
    assert target_number(fire(action, melee=["cultist"])) == target_number(fire(action)) - 20


@pytest.mark.parametrize("action", ["semi-auto", "full-auto", "suppressing-fire"])
def test_r33_into_melee_all_hits_are_the_original_targets(action: str) -> None:
    people = {"cultist": {"distance": 50}, "other": {"distance": 50}}
    near = {"near": ["other"], "policies": {"allocation": "spread"}}
    data = fire(action, skill=75, people=people, melee=["other"], **near)
    first = [5] if action == "full-auto" else []
    shot = played(data, *first, 5, *[1] * hits_of_roll(data, [*map(str, first), "5"]))
    assert shot["cultist.hits"] == shot["hits"] > 1
    assert shot["other.hits"] == 0


@pytest.mark.parametrize(
    ("action", "double", "errant"),
    [
        ("single-shot", 77, 1),
        ("semi-auto", 77, 2),
        ("full-auto", 77, 3),
        ("full-auto", 22, 1),
        ("suppressing-fire", 77, 9),
    ],
)
def test_r34_a_failed_double_strays_for_each_degree_up_to_the_shots(
    action: str, double: int, errant: int
) -> None:
    people = {"cultist": {"distance": 50}, "other": {"distance": 50}}
    data = fire(action, people=people, melee=["other"])
    first = [3] if action == "full-auto" else []
    shot = played(data, *first, double, *[2] * errant, *[1] * errant)
    assert (shot["hits"], shot["errant_hits"]) == (0, errant)
    assert (shot["cultist.hits"], shot["other.hits"]) == (0, errant)


def test_r34_errant_hits_are_thrown_in_one_handful() -> None:
    people = {"cultist": {"distance": 50}, "other": {"distance": 50}}
    data = fire("suppressing-fire", people=people, melee=["other"])
    shot = played(data, 33, 1, 2, 1, 2, *[1] * 4)
    label = "errant hit: who is struck?"
    assert [who for who, what in shot.order if what == label] == ["scout"]
    assert shot.words(label) == ("cultist", "other", "cultist", "other")


def test_r34_the_original_target_may_be_struck_by_errant_hits() -> None:
    people = {"cultist": {"distance": 50}, "other": {"distance": 50}}
    data = fire("semi-auto", people=people, melee=["other"])
    shot = played(data, 66, 1, 2, 1, 1)
    assert (shot["cultist.hits"], shot["other.hits"]) == (1, 1)


def test_r34_a_melee_of_five_is_answered() -> None:
    people = dict.fromkeys(("cultist", "two", "three", "four", "five"), CULTIST)
    found = odds(fire("suppressing-fire", people=people, melee=list(people)))
    assert all(sum(distribution.values()) == 1 for distribution in found.values())
    assert found["two.damage"] == found["five.damage"]


@pytest.mark.parametrize("action", ACTIONS)
def test_r34_nothing_strays_outside_a_melee(action: str) -> None:
    assert odds_of(fire(action), "errant_hits") == {0: Fraction(1)}


@pytest.mark.parametrize(("roll", "strays"), [(22, False), (33, True), (34, False), (90, False)])
def test_r35_other_failures_hit_nobody(roll: int, strays: bool) -> None:
    """25 or less hits: 22 is a double and a success."""
    data = fire("semi-auto", people={"dummy": {"distance": 50}}, melee=["dummy"])
    rest = [1, 1] if strays else [1] if roll == 22 else []
    assert played(data, roll, *rest)["errant_hits"] == strays


# -- jams ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ACTIONS)
def test_r36_a_weapon_capable_of_full_auto_jams_on_91(action: str) -> None:
    data = fire(action, carried={"reliable": False})
    assert odds_of(data, "jam") == chance(10)
    first = [1] if action == "full-auto" else []
    pinning = [1] if action == "suppressing-fire" else []
    assert played(data, *pinning, *first, 90)["jam"] is False
    assert played(data, *pinning, *first, 91, 10)["jam"] is True


def test_r36_the_roll_counts_without_modifiers() -> None:
    easy = fire("single-shot", weapon="training-rifle", skill=150)
    assert odds_of(easy, "jam") == chance(10)


@pytest.mark.parametrize("action", ACTIONS)
def test_r37_the_autogun_jams_on_96(action: str) -> None:
    assert odds_of(fire(action), "jam") == chance(5)


def test_r38_a_jam_calls_for_a_condition_check() -> None:
    shot = played(fire("single-shot"), 96, 3)
    assert shot.order == [
        ("scout", "Single Shot Attack"),
        ("scout", "condition check of a common weapon"),
    ]
    assert shot["weapon_degraded"] is True
    assert played(fire("single-shot"), 96, 4)["weapon_degraded"] is False


# -- damage --------------------------------------------------------------------------------------


def test_r40_armour_and_cover_stop_what_penetration_leaves_of_them() -> None:
    tough = CULTIST | {"armour": 5, "cover": 3, "toughness": 60}
    carried = {"penetration": 2}
    data = fire("single-shot", carried=carried, people={"cultist": tough})
    assert played(data, 40, 10)["cultist.damage"] == 10 + 2 + 4 - (5 + 3 - 2)
    daemon = fire("single-shot", carried=carried, people={"cultist": tough | {"daemon": True}})
    assert played(daemon, 40, 10)["cultist.damage"] == 10 - 6


@pytest.mark.parametrize(
    ("rolled", "category", "fatigue"),
    [(3, 0, 0), (4, 1, 0), (7, 2, 0), (10, 3, 1), (13, 4, 2), (16, 5, 3), (19, 6, 0)],
)
def test_r40_injuries_by_multiples_of_the_toughness_bonus(
    rolled: int, category: int, fatigue: int
) -> None:
    shot = played(fire("single-shot", carried={"damage": "d20 [I]"}), 40, rolled)
    assert (shot["cultist.injury"], shot["cultist.fatigue"]) == (category, fatigue)
    assert shot["combatants_out_of_action"] == (category == 6)


@pytest.mark.parametrize(
    ("craftsmanship", "holds_on"),
    [("artificer", 1), ("best", 2), ("good", 3), ("common", 4), ("poor", 5), ("useless", 6)],
)
def test_r41_a_condition_check_by_craftsmanship(craftsmanship: str, holds_on: int) -> None:
    data = fire("single-shot", carried={"craftsmanship": craftsmanship})
    assert played(data, 100, holds_on)["weapon_degraded"] is False
    if holds_on > 1:
        assert played(data, 100, holds_on - 1)["weapon_degraded"] is True


def test_r41_a_relic_is_never_checked() -> None:
    assert played(fire("single-shot", carried={"craftsmanship": "relic"}), 100)["jam"] is True
