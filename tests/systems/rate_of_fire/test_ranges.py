"""Who shoots with what, where everybody stands, who is near, who is in the cone."""

from math import cos, radians, sin
from typing import Any

import pytest

from firepower.combat.errors import QuestionError
from firepower.systems.rate_of_fire.models import ActionLine
from firepower.systems.rate_of_fire.ranges import (
    band_at,
    band_of,
    who_is_in_cone,
    who_is_near,
)
from firepower.systems.rate_of_fire.shooter import Shooter, find_shooter
from tests.systems.rate_of_fire.helpers import (
    Data,
    odds,
    opened,
    refusal,
    scenario,
    setup_of,
    shot_of,
)

PATH = ("do", 0)


def line(**keys: Any) -> ActionLine:
    return ActionLine(by="scout", **keys)


def places(**where: list[float]) -> dict[str, Data]:
    return {name: {"position": place} for name, place in where.items()}


def ground(*, weapon: str = "autogun", rulings: Data | None = None, **where: list[float]) -> Data:
    """The scout at the origin, and others by their positions."""
    return scenario(
        "semi-auto",
        weapon=weapon,
        shooter={"position": [0, 0]},
        people=places(**where),
        rulings=rulings,
    )


def shooter_in(data: Data, **keys: Any) -> Shooter:
    return find_shooter(setup_of(data), line(**keys), PATH)


# -- the shooter ---------------------------------------------------------------------------------


def test_the_only_weapon_need_not_be_named() -> None:
    shooter = shooter_in(scenario())
    assert (shooter.name, shooter.skill, shooter.weapon_name) == ("scout", 45, "autogun")
    assert shooter.weapon.range == 35
    assert (shooter.rof.semi, shooter.rof.dice, shooter.rof.faces) == (2, 3, 5)


def test_one_of_several_weapons_must_be_named() -> None:
    data = scenario(shooter={"weapons": {"autogun": {}, "spare": {"use": "training-rifle"}}})
    with pytest.raises(QuestionError, match="must name its 'weapon'; scout has autogun, spare"):
        shooter_in(data)
    spare = shooter_in(data, weapon="spare")
    assert (spare.weapon.range, spare.weapon_name) == (40, "spare")


def test_figures_of_the_armoury_may_be_changed() -> None:
    changes = {"range": 50, "storm": 2, "reliable": False, "penetration": 4, "rof": "S/3/-"}
    weapon = shooter_in(scenario(carried=changes)).weapon
    assert {name: getattr(weapon, name) for name in changes} == changes
    assert weapon.damage == "d10+2+RCB [I]"


def test_a_weapon_may_be_stated_in_full() -> None:
    profile = {"range": 12.5, "rof": "S/-/-", "damage": "2d5 [R]"}
    weapon = shooter_in(scenario(shooter={"weapons": {"pipe gun": profile}})).weapon
    assert (weapon.title, weapon.range, weapon.storm) == ("pipe gun", 12.5, 1)
    assert not weapon.reliable


@pytest.mark.parametrize(("stated", "bonus"), [({}, 4), ({"ranged_combat_bonus": 7}, 7)])
def test_ranged_combat_bonus(stated: Data, bonus: int) -> None:
    (part,) = shot_of(scenario("single-shot", shooter=stated)).wounding.parts
    assert (part.label, part.value) == ("Ranged Combat bonus", bonus)


# -- distances and bands -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("me", "other", "metres"),
    [
        ({}, {"distance": 40}, 40),
        ({}, {"distance": 40, "position": [3, 4]}, 40),
        ({"position": [0, 0]}, {"distance": 40}, 40),
        ({"position": [0, 0]}, {"distance": 5, "position": [3, 4]}, 5),
        ({"position": [3, -4]}, {"position": [0, 0]}, 5),
        ({"position": [1.5, 1]}, {"position": [1.5, 1]}, 0),
    ],
)
def test_distance(me: Data, other: Data, metres: float) -> None:
    data = scenario("single-shot", shooter=me, people={"cultist": other})
    assert setup_of(data).distance("scout", "cultist") == metres


BANDS_OF_35 = [
    (0, "Point Blank"),
    (3, "Point Blank"),
    (3.5, "Short"),
    (4, "Short"),
    (35, "Short"),
    (35.5, "Effective"),
    (70, "Effective"),
    (70.01, "Medium"),
    (105, "Medium"),
    (106, "Long"),
    (140, "Long"),
    (141, "Extreme"),
    (175, "Extreme"),
    (175.5, None),
    (176, None),
]


@pytest.mark.parametrize(("metres", "title"), BANDS_OF_35)
def test_band(metres: float, title: str | None) -> None:
    data = scenario()
    band = band_at(setup_of(data), shooter_in(data).weapon.range, metres)
    assert (band and band.title) == title


NEARER = [
    (3.99, "Point Blank"),
    (4, "Short"),
    (35.9, "Short"),
    (36, "Effective"),
    (175.9, "Extreme"),
    (176, None),
]


@pytest.mark.parametrize(("metres", "title"), NEARER)
def test_band_with_metres_rounded_down(metres: float, title: str | None) -> None:
    data = scenario(rulings={"between_bands": "nearer"})
    band = band_at(setup_of(data), shooter_in(data).weapon.range, metres)
    assert (band and band.title) == title


@pytest.mark.parametrize(
    ("weapon", "last_metre"), [("autogun", 3), ("training-heavy-gun", 10), ("training-rifle", 4)]
)
def test_point_blank_of_a_tenth(weapon: str, last_metre: int) -> None:
    data = scenario(weapon=weapon, rulings={"point_blank": "tenth_of_range"})
    titles = [
        band.title
        for metres in (last_metre, last_metre + 1)
        if (band := band_at(setup_of(data), shooter_in(data).weapon.range, metres))
    ]
    assert titles == ["Point Blank", "Short"]


def test_band_of_somebody() -> None:
    data = ground(cultist=[30, 40])
    band = band_of(setup_of(data), shooter_in(data), "cultist")
    assert band is not None
    assert band.title == "Effective"


@pytest.mark.parametrize(
    ("mine", "theirs", "title"),
    [(1.4, 4.4, "Point Blank"), (29.4, 64.4, "Short"), (23.3, 128.3, "Medium")],
)
def test_the_end_of_a_band_by_positions(mine: float, theirs: float, title: str) -> None:
    """3, 35 and 105 metres, which floating point makes a trace more."""
    data = scenario(
        "single-shot", shooter={"position": [mine, 0]}, people=places(cultist=[theirs, 0])
    )
    band = band_of(setup_of(data), shooter_in(data), "cultist")
    assert (band and band.title) == title


# -- who is near ---------------------------------------------------------------------------------


def near(data: Data, **keys: Any) -> tuple[str, ...]:
    return who_is_near(setup_of(data), shooter_in(data), line(**keys), "cultist", PATH)


def test_nobody_is_near_unless_somebody_says_so() -> None:
    data = scenario("semi-auto", people={"cultist": {"distance": 9}, "other": {"distance": 9}})
    assert near(data) == ()
    assert near(data, near=["other"]) == ("other",)


def test_two_metres_are_near_and_more_are_not() -> None:
    data = ground(cultist=[0, 20], edge=[0, 22], beside=[1, 20], beyond=[2.01, 20])
    assert near(data) == ("edge", "beside")


def test_a_friend_may_be_near_but_not_the_shooter() -> None:
    assert near(ground(cultist=[0, 1], friend=[1, 1])) == ("friend",)


def test_what_is_near_in_turn_counts_when_chained() -> None:
    people = {"cultist": [0, 20], "third": [3, 20], "second": [1.5, 20], "apart": [9, 20]}
    assert near(ground(**people)) == ("second",)
    chained = ground(rulings={"near": "chained"}, **people)
    assert near(chained) == ("third", "second")


def test_a_list_goes_before_positions() -> None:
    data = ground(cultist=[0, 20], one=[1, 20], two=[0, 21])
    assert near(data, near=[]) == ()
    assert near(data, near=["two"]) == ("two",)


def test_somebody_without_a_position_may_be_listed() -> None:
    data = ground(cultist=[0, 20])
    data["combatants"]["guest"] = {"distance": 20}
    assert near(data) == ()
    assert near(data, near=["guest"]) == ("guest",)


def test_out_of_range_nobody_takes_further_hits() -> None:
    data = ground(cultist=[0, 175], behind=[0, 176])
    assert near(data) == ()
    assert near(ground(rulings={"further_targets": "anywhere"}, cultist=[0, 175], behind=[0, 176]))


def test_who_is_out_of_sight_takes_no_further_hits() -> None:
    data = ground(cultist=[0, 20], hidden=[0, 21], other=[1, 20])
    assert near(data, out_of_sight=["hidden"]) == ("other",)


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (["cultist"], "do[1].near[1] names 'cultist', the original target"),
        (["scout"], "do[1].near[1] names 'scout', who is the one shooting"),
        (["one", "one"], "do[1].near[2] names 'one' twice"),
        (["onne"], "do[1].near[1] names 'onne', who is not here; did you mean one?"),
        (["one", "far"], "do[1].near[2] names 'far', whose position is not within 2 m of cultist"),
    ],
)
def test_wrong_names_near_by(names: list[str], sentence: str) -> None:
    data = ground(cultist=[0, 20], one=[1, 20], far=[0, 23])
    data["do"][0]["near"] = names
    assert refusal(data) == sentence


def test_further_hits_of_suppressing_fire_stay_in_the_band() -> None:
    people = places(cultist=[0, 34.5], same=[1, 34.5], behind=[0, 35.5])
    data = scenario(
        "suppressing-fire",
        shooter={"position": [0, 0]},
        people=people,
        policies={"allocation": "spread"},
    )
    found = odds(data, "same.hits", "behind.hits")
    assert len(found["same.hits"]) == 2
    assert found["behind.hits"] == {0: 1}


# -- who is in the cone --------------------------------------------------------------------------


def cone(data: Data, **keys: Any) -> tuple[str, ...]:
    return who_is_in_cone(setup_of(data), shooter_in(data), line(**keys), PATH)


TWENTY_TWO_AND_A_HALF = [41.421356237309505, 100]
"""The tangent of 22.5 degrees, a hundred metres ahead."""

AROUND: dict[str, list[float]] = {
    "ahead": [0, 100],
    "left_edge": [-TWENTY_TWO_AND_A_HALF[0], 100],
    "right_edge": TWENTY_TWO_AND_A_HALF,
    "outside": [42, 100],
    "far": [0, 175],
    "too_far": [0, 175.1],
    "behind": [0, -5],
}


def test_the_cone_has_45_degrees_in_all_and_its_edges_are_inside() -> None:
    data = ground(**AROUND)
    assert cone(data, at=["ahead"]) == ("ahead", "left_edge", "right_edge", "far")


def test_the_cone_points_at_whom_it_is_said_to() -> None:
    data = ground(**AROUND)
    assert cone(data, at=["behind"]) == ("behind",)
    assert cone(data, at=["right_edge"]) == ("ahead", "right_edge", "outside", "far")


def test_the_cone_crosses_the_seam_of_the_angles() -> None:
    data = ground(west=[-100, 0], north_of_it=[-100, 10], south_of_it=[-100, -10])
    assert cone(data, at=["west"]) == ("west", "north_of_it", "south_of_it")


def test_the_wide_cone() -> None:
    rulings = {"cone_angle": "each_side"}
    data = ground(rulings=rulings, ahead=[0, 10], edge=[10, 10], outside=[10.1, 10])
    assert cone(data, at=["ahead"]) == ("ahead", "edge")


def test_the_short_cone() -> None:
    rulings = {"cone_length": "range"}
    assert cone(ground(rulings=rulings, near=[0, 35], far=[0, 35.1]), at=["near"]) == ("near",)


def test_friends_are_in_the_cone_and_the_shooter_is_not() -> None:
    assert cone(ground(cultist=[0, 20], friend=[0, 5]), at=["cultist"]) == ("cultist", "friend")


def test_who_is_out_of_sight_is_not_in_the_cone() -> None:
    data = ground(cultist=[0, 20], hidden=[0, 21])
    assert cone(data, at=["cultist"], out_of_sight=["hidden"]) == ("cultist",)


def test_who_is_out_of_sight_is_left_out_of_a_listed_cone_too() -> None:
    people = {"cultist": {"distance": 20}, "hidden": {"distance": 21}}
    data = scenario("suppressing-fire", people=people)
    listed = ["cultist", "hidden"]
    assert cone(data, in_cone=listed, out_of_sight=["hidden"]) == ("cultist",)


def test_a_list_of_who_is_in_the_cone_goes_before_positions() -> None:
    data = ground(cultist=[0, 20], friend=[0, 5])
    assert cone(data, in_cone=["friend"]) == ("friend",)
    assert cone(data, in_cone=[]) == ()


def test_the_end_of_the_range_is_in_a_listed_cone() -> None:
    data = scenario("suppressing-fire", people={"far": {"distance": 175}})
    assert cone(data, in_cone=["far"]) == ("far",)


@pytest.mark.parametrize(
    ("rulings", "metres"), [({}, 175.5), ({"cone_length": "range"}, 36)], ids=["extreme", "range"]
)
def test_nobody_out_of_range_may_be_listed(rulings: Data, metres: float) -> None:
    data = scenario("suppressing-fire", people={"far": {"distance": metres}}, rulings=rulings)
    assert refusal(data) == (
        f"do[1].in_cone[1] names 'far', who is {metres:g} m away: out of range"
    )


def suppressing(data: Data, *at: str, **keys: Any) -> Data:
    """Suppressing fire by positions, its middle at somebody."""
    return data | {"do": [{"by": "scout", "action": "suppressing-fire", "at": list(at), **keys}]}


def test_a_cone_needs_a_list_or_a_direction() -> None:
    sentence = "do[1] must list everybody 'in_cone', or everybody needs a 'position'"
    assert refusal(suppressing(ground(cultist=[0, 20]))).startswith(sentence)
    assert refusal(suppressing(scenario("single-shot"), "cultist")).startswith(sentence)


def test_a_cone_needs_the_positions_of_all() -> None:
    data = ground(cultist=[0, 20])
    data["combatants"]["ghost"] = {"distance": 5}
    assert refusal(suppressing(data, "cultist")) == (
        "combatants.ghost needs the key 'position': is it in the cone?"
    )


def test_a_cone_points_at_somebody_who_is_here() -> None:
    data = suppressing(ground(cultist=[0, 20]), "cultits")
    assert refusal(data) == ("do[1].at[1] names 'cultits', who is not here; did you mean cultist?")


def test_a_cone_does_not_point_at_the_shooter() -> None:
    data = suppressing(ground(cultist=[0, 20]), "scout")
    assert refusal(data) == "do[1].at[1] names 'scout', who is the one shooting"


def test_who_stands_on_the_shooter_is_in_every_cone() -> None:
    """At 0 metres there is no direction; 0 metres are Point Blank."""
    data = ground(cultist=[0, 20], clinging=[0, 0])
    assert cone(data, at=["cultist"]) == ("cultist", "clinging")


@pytest.mark.parametrize(
    "keys",
    [
        {"action": "single-shot", "near": ["ghost"]},
        {"action": "single-shot", "in_cone": ["ghost"]},
        {"action": "single-shot", "out_of_sight": ["ghost"]},
        {"action": "semi-auto", "melee": ["cultist"], "near": ["ghost"]},
        {"action": "suppressing-fire", "in_cone": ["cultist"], "at": ["ghost"]},
        {"action": "suppressing-fire", "in_cone": ["cultist"], "out_of_sight": ["ghost"]},
    ],
)
def test_a_name_is_checked_even_where_the_attack_does_not_need_it(keys: Data) -> None:
    data = scenario("single-shot")
    data["do"] = [{"by": "scout", "at": ["cultist"]} | keys]
    assert "'ghost', who is not here" in refusal(data)


# -- who is the original target ------------------------------------------------------------------


def original(data: Data) -> str:
    return shot_of(data).original


def test_suppressing_fire_is_at_the_closest_friends_included() -> None:
    people = {"cultist": {"distance": 30}, "friend": {"distance": 10}}
    assert original(scenario("suppressing-fire", people=people)) == "friend"


def test_a_tie_is_the_first_in_the_list() -> None:
    people = {"one": {"distance": 10}, "two": {"distance": 10}}
    assert original(scenario("suppressing-fire", people=people)) == "one"
    assert original(scenario("suppressing-fire", people=people, in_cone=["two", "one"])) == "two"


def test_the_closest_counts_as_one_of_the_melee_that_is_shot_into() -> None:
    people = {"closest": {"distance": 10}, "fighter": {"distance": 20}}
    data = scenario("suppressing-fire", people=people, melee=["fighter"])
    shot = shot_of(data)
    assert shot.errant is not None
    assert (shot.original, shot.errant.melee) == ("closest", ("closest", "fighter"))


def test_an_outsider_is_not_of_a_melee_that_suppressing_fire_takes_in() -> None:
    """Several are named as the melee, and the closest is none of them."""
    people = {name: {"distance": 40} for name in ("one", "two")} | {"closest": {"distance": 10}}
    data = scenario("suppressing-fire", people=people, melee=["one", "two"])
    assert (shot_of(data).original, shot_of(data).errant) == ("closest", None)
    among = shot_of(data | {"rulings": {"suppressing_melee": "any_in_cone"}})
    assert among.errant is not None
    assert among.errant.melee == ("closest", "one", "two")


def test_a_shooter_may_be_one_of_the_melee_and_is_not_struck() -> None:
    people = {"cultist": {"distance": 1}, "other": {"distance": 1}}
    data = scenario("single-shot", people=people, melee=["cultist", "scout", "other"])
    errant = shot_of(data).errant
    assert errant is not None
    assert errant.melee == ("cultist", "other")


# -- what cannot be true together ----------------------------------------------------------------


def test_who_is_much_nearer_or_farther_is_not_near() -> None:
    people = {"cultist": {"distance": 20}, "far": {"distance": 22.5}}
    data = scenario("semi-auto", people=people, near=["far"])
    assert refusal(data) == (
        "do[1].near[1] names 'far', who is 22.5 m away and so not within 2 m of cultist at 20 m"
    )
    people["far"]["distance"] = 22
    assert near(scenario("semi-auto", people=people), near=["far"]) == ("far",)


def test_who_is_in_the_melee_is_in_range() -> None:
    people = {"cultist": {"distance": 20}, "far": {"distance": 2000}}
    data = scenario("semi-auto", people=people, melee=["far"])
    assert refusal(data) == (
        "do[1].melee[1] is 'far', who is 2000 m away; the weapon reaches 175 m"
    )


def test_a_listed_cone_is_one_cone() -> None:
    data = ground(cultist=[0, 20], behind=[0, -20], beside=[8, 20])
    data["do"] = [{"by": "scout", "action": "suppressing-fire", "in_cone": ["cultist", "beside"]}]
    assert opened(data).situation.agenda
    data["do"][0]["in_cone"] = ["cultist", "behind"]
    assert refusal(data) == ("do[1].in_cone[1] names 'cultist', who is not in one cone with behind")


@pytest.mark.parametrize(("reading", "widest"), [("in_all", 45), ("each_side", 90)])
def test_a_listed_cone_is_as_wide_as_a_cone(reading: str, widest: int) -> None:
    """Wider apart than half a cone is still one cone; wider than the whole is none."""
    for degrees, fits in ((widest / 2 + 5, True), (widest - 2, True), (widest + 2, False)):
        angle = radians(degrees)
        data = ground(cultist=[0, 20], beside=[20 * sin(angle), 20 * cos(angle)])
        data["rulings"] = {"cone_angle": reading}
        data["do"] = [
            {"by": "scout", "action": "suppressing-fire", "in_cone": ["cultist", "beside"]}
        ]
        if fits:
            assert opened(data).situation.agenda
        else:
            assert "not in one cone with" in refusal(data)


def test_suppressing_fire_points_at_somebody_in_the_listed_cone() -> None:
    people = {"cultist": {"distance": 30}, "other": {"distance": 10}}
    data = scenario("suppressing-fire", people=people, in_cone=["cultist"], at=["other"])
    assert refusal(data) == "do[1].at is 'other', who is not listed in the cone"


def test_who_takes_no_further_hits_is_named() -> None:
    people = {"cultist": {"distance": 35}, "other": {"distance": 36}}
    opening = opened(scenario("suppressing-fire", people=people, near=["other"]))
    assert "further hits on other: another range band" in opening.not_modelled
