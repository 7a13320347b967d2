"""The statements of the rules about turns, and what several turns make of those about attacks."""

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from firepower.answers.best import best
from firepower.answers.question import read_question
from tests.systems.rate_of_fire.helpers import (
    DUMMY,
    GUNNER,
    Data,
    Played,
    certain,
    chance,
    fight,
    hundredths,
    odds,
    odds_of,
    played,
    refusal,
)

SHOT = {"action": "single-shot", "at": ["cultist"]}
BURST = {"action": "semi-auto", "at": ["cultist"]}
SUPPRESSING = {"action": "suppressing-fire", "in_cone": ["cultist"]}
AIM = {"action": "aim"}
RELOAD = {"action": "reload"}
CLEAR_JAM = {"action": "clear-jam"}
DELAY = {"action": "delay", "at": ["cultist"]}
CULTISTS_AIM = {"by": "cultist", "action": "aim"}

MISS = 90
"""A roll that misses, and jams no Reliable weapon."""


def full_auto(dice: int) -> Data:
    return {"action": "full-auto", "at": ["cultist"], "dice": dice}


def turns(*lines: Data, **more: Any) -> Data:
    """Turns with 9 AP each, at somebody who cannot be hurt, unless more is said."""
    more.setdefault("people", {"cultist": DUMMY})
    more["shooter"] = {"ap": 9} | more.get("shooter", {})
    return fight(*lines, **more)


def needs(fought: Played) -> list[str]:
    """What each roll to hit needed, with its jam."""
    return [each.need for each in fought.thrown if each.label.endswith("Attack")]


# -- action points and surprise ------------------------------------------------------------------


@pytest.mark.parametrize("bonus", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("stated", ["bonus", "characteristic"])
def test_r39_one_ap_and_one_for_each_agility_die_of_five_or_more(bonus: int, stated: str) -> None:
    agility = {"agility_bonus": bonus} if stated == "bonus" else {"agility": 10 * bonus + 9}
    data = fight(AIM, shooter=agility, people={"cultist": DUMMY})
    gains = Fraction(6, 10)
    assert odds_of(data, "ap_gained") == {
        1 + n: comb(bonus, n) * gains**n * (1 - gains) ** (bonus - n) for n in range(bonus + 1)
    }


def test_r39_a_stated_bonus_counts_more_than_the_characteristic() -> None:
    data = fight(AIM, shooter={"agility": 45, "agility_bonus": 1}, people={"cultist": DUMMY})
    assert odds_of(data, "ap_gained") == hundredths({1: 40, 2: 60})


@pytest.mark.parametrize("face", range(1, 11))
@pytest.mark.parametrize("awareness", [0, 3, 4, 9, 10, 12])
def test_r39_a_surprise_check_costs_what_it_fails_by(face: int, awareness: int) -> None:
    """A 10 always fails, by 1 at the least."""
    surprised = {"surprised": True, "awareness_bonus": awareness, "ap": 12}
    lost = max(face - awareness, 1 if face == 10 else 0)
    assert played(turns(AIM, shooter=surprised), face)["ap_gained"] == 12 - lost


@pytest.mark.parametrize(("ap", "left"), [(7, 0), (8, 1), (3, 0)])
def test_r39_surprise_leaves_no_fewer_than_no_ap(ap: int, left: int) -> None:
    surprised = {"surprised": True, "awareness": 34, "ap": ap}
    shot = played(turns(AIM, shooter=surprised), 10)
    assert (shot["ap_gained"], shot["lost_to_ap"]) == (left, int(not left))


def test_r39_the_surprise_check_comes_before_the_first_turn_alone() -> None:
    surprised = {"surprised": True, "awareness": 30, "agility": 20}
    data = fight(AIM, rounds=2, shooter=surprised, people={"cultist": DUMMY})
    assert played(data, 5, 4, 5, 5, 6).order == [
        ("scout", "surprise check"),
        ("scout", "action points"),
        ("scout", "action points"),
    ]
    # two of two, less two, in the first; three in the second
    assert played(data, 5, 4, 5, 5, 6)["ap_gained"] == 0 + 3


# -- attacks within a turn -----------------------------------------------------------------------


ONE, TWO, THREE = [1, MISS], [1, 1, MISS], [1, 1, 1, MISS]
"""Rate-of-fire dice, and a roll that misses."""


@pytest.mark.parametrize(
    ("lines", "faces", "spent", "lost"),
    [
        # three dice a turn in all, in one attack or in several
        ([full_auto(1), full_auto(2)], [*ONE, *TWO], 15, 0),
        ([full_auto(2), full_auto(1)], [*TWO, *ONE], 15, 0),
        ([full_auto(1)] * 4, ONE * 3, 15, 1),
        ([full_auto(2), full_auto(2), full_auto(1)], [*TWO, *ONE], 15, 1),
        ([full_auto(3), full_auto(1)], THREE, 15, 1),
        # suppressing fire uses all of them
        ([full_auto(1), SUPPRESSING], ONE, 5, 1),
        ([SUPPRESSING, full_auto(1)], [MISS], 15, 1),
    ],
)
def test_r13_no_more_shots_in_a_turn_than_the_highest_roll(
    lines: list[Data], faces: list[int], spent: int, lost: int
) -> None:
    fought = played(turns(*lines), *faces)
    fought.check(rounds_spent=spent, lost_to_rate_of_fire=lost)


def test_r13_shots_are_counted_in_each_turn_anew() -> None:
    fought = played(turns(full_auto(3), BURST, rounds=2), *THREE * 2)
    fought.check(rounds_spent=30, lost_to_rate_of_fire=2)


def test_r13_shots_are_counted_for_each_weapon() -> None:
    weapons = {name: {"use": "autogun", "loaded": 15} for name in ("left", "right")}
    lines = [full_auto(3) | {"weapon": name} for name in weapons]
    fought = played(turns(*lines, shooter={"weapons": weapons}), *THREE * 2)
    fought.check(rounds_spent=30, lost_to_rate_of_fire=0)


def test_r21_suppressing_fire_follows_no_delay() -> None:
    data = turns(DELAY, SUPPRESSING, CULTISTS_AIM, people={"cultist": GUNNER})
    assert (
        refusal(data) == "do[2].action is 'suppressing-fire', which cannot be joined with a Delay"
    )


@pytest.mark.parametrize("line", [SHOT, BURST, full_auto(1)])
def test_r21_other_attacks_do(line: Data) -> None:
    data = turns(DELAY, line, CULTISTS_AIM, people={"cultist": GUNNER})
    assert odds_of(data, "scout.actions_lost") == certain(0)


def test_a_delay_lets_another_go_first() -> None:
    shots_back = {"by": "cultist", "action": "single-shot", "at": ["scout"]}
    data = turns(DELAY, SHOT, shots_back, people={"cultist": GUNNER})
    assert [who for who, _ in played(data, MISS, MISS).order] == ["cultist", "scout"]


def test_a_turn_has_one_delay() -> None:
    people = {"cultist": GUNNER, "second": GUNNER}
    again = {"action": "delay", "at": ["second"]}
    others = [CULTISTS_AIM, {"by": "second", "action": "aim"}]
    data = turns(DELAY, SHOT, again, SHOT, *others, people=people)
    assert refusal(data) == "do[3].action is a second 'delay' in one turn"


# -- jams and what comes after them --------------------------------------------------------------

NO_TROUBLE = {"clear_jam": "automatic", "clear_jam_rounds": "kept"}


@pytest.mark.parametrize("rounds", [1, 3])
def test_r41_the_next_condition_check_is_of_the_worse_condition(rounds: int) -> None:
    """A common weapon fails at 3, so the next check needs 5: a 4 fails that too."""
    lines = [SHOT, CLEAR_JAM, SHOT]
    if rounds > 1:
        lines = [line | {"in_rounds": [i]} for i, line in enumerate(lines, 1)]
    data = turns(*lines, rounds=rounds, rulings=NO_TROUBLE)
    fought = played(data, 96, 3, 97, 4)
    assert [label for _, label in fought.order] == [
        "Single Shot Attack",
        "condition check of a common weapon",
        "Single Shot Attack",
        "condition check of a poor weapon",
    ]
    assert fought.words("condition check of a poor weapon") == ("failed",)


def test_r41_a_condition_that_holds_is_checked_by_the_same_number() -> None:
    fought = played(turns(SHOT, CLEAR_JAM, SHOT, rulings=NO_TROUBLE), 96, 4, 97, 4)
    checks = [each.label for each in fought.thrown if "condition" in each.label]
    assert checks == ["condition check of a common weapon"] * 2
    assert fought["weapon_degraded"] is False


def test_r41_two_shots_and_their_condition_checks() -> None:
    """Each shot jams five times in a hundred, and three such checks of ten fail."""
    spoils = Fraction(5, 100) * Fraction(3, 10)
    data = turns(SHOT, CLEAR_JAM, SHOT, rulings=NO_TROUBLE)
    assert odds_of(data, "weapon_degraded") == chance(100 * (1 - (1 - spoils) ** 2))


def test_a_jam_stops_the_weapon_until_it_is_cleared() -> None:
    """The test to clear it is at 45; its rounds are lost, and it is reloaded."""
    lines = [SHOT, BURST, CLEAR_JAM, BURST, RELOAD, BURST]
    fought = played(turns(*lines, carried={"magazine": 30}), 96, 10, 45, MISS)
    fought.check(rounds_spent=3, lost_to_jam=1, lost_to_ammunition=1)
    still = played(turns(*lines, carried={"magazine": 30}), 96, 10, 46)
    still.check(rounds_spent=1, lost_to_jam=3)


def test_a_jam_lasts_over_rounds() -> None:
    fought = played(turns(SHOT, rounds=3), 96, 10)
    fought.check(rounds_spent=1, lost_to_jam=2)


# -- Fate ----------------------------------------------------------------------------------------

FATE = {"fate": 20}
ATTACKS = {"fate_reroll": "attacks"}


def test_r42_one_failed_test_in_a_turn_is_rolled_again() -> None:
    """The first miss of each round is rolled again for a roll of the cost, the second is not."""
    data = turns(SHOT, SHOT, rounds=2, shooter=FATE, policies=ATTACKS)
    faces = [MISS, 1, MISS, MISS]
    fought = played(data, *faces, *faces)
    once = ["Single Shot Attack", "cost of Fate", "Single Shot Attack", "Single Shot Attack"]
    assert [label for _, label in fought.order] == once * 2
    fought.check(fate_spent=2 + 2, hits=0)


def test_r42_a_test_that_succeeds_leaves_the_re_roll_for_another() -> None:
    fought = played(turns(SHOT, SHOT, shooter=FATE, policies=ATTACKS), 55, 1, MISS, 5, 55, 1)
    fought.check(hits=2, fate_spent=6)


def test_r42_the_new_result_stands() -> None:
    """A miss by 1 degree is rolled again and is a miss by 5 that strays into the melee."""
    burst = BURST | {"melee": ["cultist"]}
    data = turns(burst, shooter=FATE, policies=ATTACKS)
    fought = played(data, 26, 1, 66, 1, 1, 1, 1)
    fought.check(hits=0, errant_hits=2, fate_spent=2)
    # and a double is forgotten
    played(data, 66, 1, 67).check(hits=0, errant_hits=0)


@pytest.mark.parametrize(
    ("faces", "jam", "rounds"),
    [
        ([97, 1, 50, 1], False, 1),
        ([97, 1, 60], False, 1),
        ([60, 1, 97, 10], True, 1),
        ([97, 1, 98, 10], True, 1),
    ],
)
def test_r42_only_the_final_die_jams(faces: list[int], jam: bool, rounds: int) -> None:
    fought = played(turns(SHOT, shooter=FATE, policies=ATTACKS), *faces)
    fought.check(jam=jam, rounds_spent=rounds, fate_spent=2)


def test_r42_the_odds_of_a_re_roll() -> None:
    """55 of a hundred hit and 45 roll again; of those 5 jam."""
    found = odds(turns(SHOT, shooter=FATE, policies=ATTACKS), "hits", "jam", "fate_spent")
    assert found["hits"] == hundredths({1: 55 + Fraction(45 * 55, 100)})
    assert found["jam"] == chance(Fraction(45 * 5, 100))
    assert found["fate_spent"] == hundredths(dict.fromkeys((2, 3, 4, 5, 6), 9))


def test_r42_the_dice_of_full_auto_stay_as_they_fell() -> None:
    data = turns(full_auto(1), shooter=FATE, policies=ATTACKS)
    assert [label for _, label in played(data, 2, MISS, 1, 35, 1).order] == [
        "rate-of-fire dice",
        "Full Auto Attack",
        "cost of Fate",
        "Full Auto Attack",
        "damage",
    ]


# -- ammunition over several actions -------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "spent", "faces"),
    [
        (SHOT, 1, [MISS]),
        (BURST, 2, [MISS]),
        (full_auto(1), 5, ONE),
        (full_auto(2), 0, []),
        (full_auto(3), 0, []),
        (SUPPRESSING, 0, []),
    ],
)
@pytest.mark.parametrize("rounds", [1, 2])
def test_nine_rounds_that_are_left(line: Data, spent: int, faces: list[int], rounds: int) -> None:
    """Eleven, less a burst, in the same turn or in the one before."""
    lines = [BURST | {"in_rounds": [1]}, line | {"in_rounds": [rounds]}]
    # with a magazine to come the fifteen rounds of three dice may be there in time
    lines.append(RELOAD | {"in_rounds": [rounds]})
    data = turns(*lines, rounds=rounds, carried={"loaded": 11, "magazine": 30})
    fought = played(data, MISS, *faces)
    fought.check(rounds_spent=2 + spent, lost_to_ammunition=int(not spent))


@pytest.mark.parametrize(
    ("reading", "spent", "ap"), [("forbid", 0, 0), ("partial", 9, 2), ("downgrade", 5, 1)]
)
def test_two_dice_with_nine_rounds_left(reading: str, spent: int, ap: int) -> None:
    data = turns(
        BURST,
        full_auto(2),
        carried={"loaded": 11},
        rulings={"short_ammunition": reading},
    )
    faces = {"forbid": [], "partial": TWO, "downgrade": ONE}[reading]
    played(data, MISS, *faces).check(rounds_spent=2 + spent, ap_spent=1 + ap)


def test_a_weapon_is_empty_until_it_is_reloaded() -> None:
    """Two bursts of three rounds, and one round that is not enough; then it is full again."""
    data = turns(
        BURST,
        weapon="training-rifle",
        carried={"loaded": 7, "magazine": 6},
        rounds=5,
    )
    data["do"].append({"by": "scout"} | RELOAD | {"in_rounds": [4]})
    fought = played(data, *[MISS] * 3)
    fought.check(rounds_spent=9, lost_to_ammunition=2, ap_spent=5)


def test_something_else_is_done_with_too_few_rounds() -> None:
    line = full_auto(2) | {"otherwise": ["semi-auto", "single-shot"]}
    fought = played(turns(*[line] * 4, carried={"loaded": 13}), 1, 1, MISS, MISS, MISS)
    fought.check(rounds_spent=13, lost_to_ammunition=1)


# -- Aim -----------------------------------------------------------------------------------------

PLAIN, AIMED, AIMED_TWICE = (f"{number} or less, jams on 96+" for number in (55, 65, 75))


@pytest.mark.parametrize(
    ("lines", "faces", "needed"),
    [
        # for the next single shot, and no more than that
        ([AIM, SHOT], [MISS], [AIMED]),
        ([AIM, AIM, SHOT], [MISS], [AIMED_TWICE]),
        ([AIM, SHOT, SHOT], [MISS, MISS], [AIMED, PLAIN]),
        ([AIM, SHOT, AIM, SHOT], [MISS, MISS], [AIMED, AIMED]),
        # lost by an attack that gains nothing from it, and by anything else that is done
        ([AIM, BURST, SHOT], [MISS, MISS], ["45 or less, jams on 96+", PLAIN]),
        ([AIM, full_auto(1), SHOT], [1, MISS, MISS], ["35 or less, jams on 96+", PLAIN]),
        ([AIM, BURST, RELOAD, SHOT], [MISS, MISS], ["45 or less, jams on 96+", PLAIN]),
        # kept when an action is lost: full, without a jam, aimed enough
        ([AIM, RELOAD, SHOT], [MISS], [AIMED]),
        ([AIM, CLEAR_JAM, SHOT], [MISS], [AIMED]),
        ([AIM, AIM, AIM, SHOT], [MISS], [AIMED_TWICE]),
    ],
)
def test_an_aim_is_kept_or_lost(lines: list[Data], faces: list[int], needed: list[str]) -> None:
    data = turns(*lines, carried={"loaded": 30, "magazine": 30})
    assert needs(played(data, *faces)) == needed


def test_an_aim_is_lost_by_reloading() -> None:
    data = turns(AIM, RELOAD, SHOT, carried={"loaded": 29, "magazine": 30})
    assert needs(played(data, MISS)) == [PLAIN]


def test_an_aim_is_kept_over_rounds() -> None:
    data = turns(AIM | {"in_rounds": [1]}, SHOT | {"in_rounds": [3]}, rounds=3)
    assert needs(played(data, MISS)) == [AIMED]


def test_an_aim_is_kept_through_a_delay_and_through_being_shot_at() -> None:
    shots_back = {"by": "cultist", "action": "single-shot", "at": ["scout"]}
    data = turns(AIM, DELAY, SHOT, shots_back, people={"cultist": GUNNER})
    assert needs(played(data, 1, 1, MISS)) == [PLAIN, AIMED]


@pytest.mark.parametrize("action", [BURST, full_auto(1), SUPPRESSING])
def test_other_attacks_gain_nothing_from_an_aim(action: Data) -> None:
    assert odds_of(turns(AIM, action), "hits") == odds_of(turns(action), "hits")


# -- who is left ---------------------------------------------------------------------------------


def test_the_fallen_are_shot_at_no_more_and_act_no_more() -> None:
    """Seven points kill a toughness bonus of 1."""
    deadly = {"damage": "d1+6 [I]"}
    shots_back = {"by": "cultist", "action": "single-shot", "at": ["scout"]}
    people = {"cultist": GUNNER | {"toughness": 10}}
    data = turns(SHOT, SHOT, shots_back, rounds=2, carried=deadly, people=people)
    fought = played(data, 1, 1)
    assert fought["cultist.out_of_action"] is True
    assert fought["scout.rounds_spent"] == 1
    assert (fought["scout.actions_lost"], fought["cultist.actions_lost"]) == (0, 0)


def test_a_side_counts_everybody_once() -> None:
    """The first hit of 5 is a collapse of fatigue, the second of 7 kills who has collapsed."""
    cultist = DUMMY | {"toughness": 10, "side": "cult"}
    data = turns(BURST, carried={"damage": "d10 [I]"}, people={"cultist": cultist})
    fought = played(data, 30, 4, 6)
    assert fought["cultist.out_of_action"] is True
    assert fought["cult.out_of_action"] == 1


def test_an_open_turn_goes_on_while_anybody_can_be_shot_at() -> None:
    """With the one who is named fallen, suppressing fire at the other can still be chosen."""
    people = {"cultist": DUMMY | {"toughness": 10}, "second": DUMMY | {"distance": 40}}
    line = {"at": ["cultist"], "in_cone": ["cultist", "second"]}
    rulings = {"shots_in_a_turn": "full_auto_dice"}
    data = turns(line, carried={"damage": "d1+6 [I]"}, people=people, rulings=rulings)
    question = read_question(data, choosing=True, turns=1)
    assert best(question, "second.hits", dice=("1", "1"), choose=("single-shot",)).value > 0
