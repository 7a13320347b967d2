"""What hits leave behind, skills of a shot, recovery and the end of a battle: numbers by hand."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import firepower
from tests.systems.necromunda.asking import Data, odds_of, p, refusal, scenario, weapon

F = Fraction

FLAMES: Data = {"range": "-/T"}
TWO_D6 = [a + b for a, b in product(range(1, 7), repeat=2)]


def on_two_dice(least: int) -> Fraction:
    return F(sum(total >= least for total in TWO_D6), 36)


# -- conditions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("initiative", "worse"), [(2, 4), (4, 6), (5, 6), (6, 6)])
def test_concussion_makes_initiative_worse_by_two(initiative: int, worse: int) -> None:
    """The flash after it is looked away from with the worse Initiative, 6+ at worst."""
    guns = {
        "stunner": weapon("Concussion", "Template", **FLAMES, strength="1"),
        "flash": weapon("Flash", "Template", **FLAMES, strength="-", damage="-"),
    }
    target = {"initiative": initiative, "toughness": 9, "wounds": 9}
    flash = {"action": "shoot", "weapon": "flash", "at": ["target"]}
    stun = flash | {"weapon": "stunner"}
    before = scenario(do=[flash], shooter={"weapons": guns}, target=target)
    assert p(before, "target.blind") == F(initiative - 1, 6)
    after = scenario(do=[stun, flash], shooter={"weapons": guns}, target=target)
    assert p(after, "target.blind") == F(worse - 1, 6)


def test_fear_is_a_nerve_test_two_worse_in_place_of_injuries() -> None:
    gun = weapon("Fear", "Template", **FLAMES, strength="9")
    data = scenario(gun, target={"cool": 7})
    assert p(data, "target.out_of_action") == 0
    question = firepower.read(data)
    end = [question.roll(seed=seed) for seed in range(40)]
    assert {each.measures["target.unsaved"] for each in end} == {0, 1}
    with_friend = {"friend": {"side": "theirs", "near": ["target"]}}
    broken = scenario(gun, target={"cool": 7}, others=with_friend)
    assert p(broken, "target.broken") == F(5, 6) * (1 - on_two_dice(9 - 1))


def test_a_natural_six_of_knockback_needs_something_behind() -> None:
    gun = weapon("Knockback", accuracy="-/-")
    hurt = {"wounds": 9, "strength": 5, "blocked_behind": True}
    lost = odds_of(scenario(gun, target=hurt), "target.wounds_lost")
    assert lost == {0: F(3, 4), 1: F(1, 12), 2: F(1, 6)}
    hurt["blocked_behind"] = False
    assert odds_of(scenario(gun, target=hurt), "target.wounds_lost")[1] == F(1, 4)


# -- skills of a shot ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("skill", "target", "distance", "chance"),
    [
        ("Evade", {"skills": ["Evade"]}, 6, F(1, 3)),
        ("Evade", {"skills": ["Evade"]}, 20, F(1, 6)),
        ("Evade", {"skills": ["Evade"], "cover": "partial"}, 20, F(1, 3)),
        ("Evade", {"skills": ["Evade"], "pinned": True}, 6, F(1, 2)),
        ("Trick Shot", {"cover": "partial"}, 6, F(1, 2)),
        ("Trick Shot", {"cover": "full"}, 6, F(1, 3)),
        ("none", {"pinned": True}, 6, F(1, 2)),
        ("none", {"pinned": True}, 20, F(1, 3)),
        ("none", {"seriously_injured": True}, 20, F(1, 3)),
    ],
)
def test_what_changes_the_roll_to_hit(
    skill: str, target: Data, distance: int, chance: Fraction
) -> None:
    skills = [] if skill in ("none", "Evade") else [skill]
    data = scenario(weapon(), shooter={"skills": skills}, target=target | {"distance": distance})
    assert p(data, "hits", 1) == chance


def test_who_lies_low_is_targeted_at_short_range_alone() -> None:
    lying = {"skills": ["Lie Low"], "pinned": True}
    assert p(scenario(weapon(), target=lying), "hits", 1) == F(1, 2)
    far = scenario(weapon(), target=lying | {"distance": 20})
    assert "who lies hidden and cannot be targeted" in refusal(far)


def test_a_prone_fighter_in_cover_cannot_be_targeted() -> None:
    data = scenario(weapon(), target={"pinned": True, "cover": "partial"})
    assert "who lies hidden and cannot be targeted" in refusal(data)


def test_marksman_doubles_damage_on_a_natural_six_of_the_first_hit() -> None:
    gun = weapon("Rapid Fire (1)", strength="9")
    target = {"wounds": 20, "toughness": 3}
    data = scenario(gun, shooter={"skills": ["Marksman"], "ballistic_skill": 6}, target=target)
    lost = odds_of(data, "target.wounds_lost")
    expected: dict[int, Fraction] = {0: F(5, 6)}
    for holes, share in ((1, F(1, 2)), (2, F(1, 3)), (3, F(1, 6))):
        for wounds in product((0, 1), repeat=holes):
            chance = F(1, 6) * share
            for each in wounds:
                chance *= F(5, 6) if each else F(1, 6)
            total = sum(wounds) + wounds[0]
            expected[total] = expected.get(total, F(0)) + chance
    assert lost == expected


@pytest.mark.parametrize(("passed", "cool"), [(on_two_dice(7), 7), (on_two_dice(10), 10)])
def test_nerves_of_steel_is_a_test_not_to_be_pinned(passed: Fraction, cool: int) -> None:
    target = {"skills": ["Nerves of Steel"], "cool": cool, "toughness": 9, "wounds": 9}
    gun = weapon("Template", **FLAMES, strength="1")
    assert p(scenario(gun, target=target), "target.pinned") == 1 - passed


@pytest.mark.parametrize(("closer", "chance"), [({}, on_two_dice(7)), ({"cover": "full"}, F(1))])
def test_another_than_the_nearest_needs_a_cool_test(closer: Data, chance: Fraction) -> None:
    others = {"near one": {"side": "theirs", "distance": 4} | closer}
    data = scenario(weapon(), others=others, closer=["near one"])
    assert p(data, "target.hit", 1) == chance / 2
    marksman = scenario(
        weapon(), others=others, closer=["near one"], shooter={"skills": ["Marksman"]}
    )
    assert p(marksman, "target.hit", 1) == F(1, 2)


# -- recovery, and the end of the battle ---------------------------------------------------------


def down(**changes: Any) -> Data:
    """Somebody who lies through one End phase."""
    fighter = {"seriously_injured": True} | changes
    return scenario(do=[{"action": "crawl"}], shooter=fighter, rounds=1)


def test_who_is_removed_out_of_a_web_is_captured_on_five() -> None:
    data = down(seriously_injured=False, webbed=True)
    assert p(data, "shooter.out_of_action") == F(1, 6)
    assert p(data, "shooter.captured") == F(1, 6) * F(2, 6)
    assert odds_of(data, "shooter.flesh_wounds") == {0: F(2, 3), 1: F(1, 3)}


def test_unstoppable_takes_a_flesh_wound_away_or_picks_from_two_dice() -> None:
    """On a 4: with no flesh wound there is only the other die; the mildest is picked."""
    data = down(skills=["Unstoppable"])
    one, two = F(1, 3), 1 - F(2, 3) ** 2
    assert p(data, "shooter.recovered") == one / 2 + two / 2
    hurt = down(skills=["Unstoppable"], flesh_wounds=1)
    advice = firepower.read(hurt).best("-shooter.flesh_wounds")
    keys = {key for decision in advice.decisions for key, _ in decision.options}
    assert {"another die", "a flesh wound less"} <= keys


@pytest.mark.parametrize("friend", ["Medicae", "none"])
def test_a_helper_with_medicae_rolled_an_out_of_action_again_in_2017(friend: str) -> None:
    others = {"friend": {"side": "ours", "beside": ["shooter"], "skills": [friend]}}
    data = down() | {"edition": "2017"}
    data["combatants"] |= others
    once = F(1, 36)
    again = F(10, 36) * F(0) + once * once
    out = again if friend == "Medicae" else once
    assert p(data, "shooter.out_of_action") == out


def test_who_is_still_down_after_the_battle_survives_on_three() -> None:
    data = scenario(do=[{"action": "crawl"}], shooter={"seriously_injured": True})
    data["after_battle"] = True
    assert p(data, "shooter.out_of_action") == F(1, 3)
    assert p(data, "shooter.seriously_injured") == 0


@pytest.mark.parametrize(
    ("edition", "rows"),
    [
        ("2023", [1, 1, 1, 1, 8, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 5, 1]),
        ("2017", [1, 11, 11, 1, 1, 1, 1, 1, 1, 1, 5, 1]),
    ],
)
def test_lasting_injuries_are_a_d66(edition: str, rows: list[int]) -> None:
    """Each row with how many of the 36 it has."""
    data = scenario(do=[{"action": "crawl"}], shooter={"seriously_injured": True}, edition=edition)
    data["after_battle"] = True
    found = odds_of(data, "shooter.lasting_injury")
    assert found == {0: F(2, 3)} | {n: F(count, 108) for n, count in enumerate(rows, 1)}


# -- Pulverise -----------------------------------------------------------------------------------


@pytest.mark.parametrize("toughness", [2, 3, 6])
def test_pulverise_makes_one_of_the_flesh_wounds_a_serious_injury(toughness: int) -> None:
    """Two Injury dice; on Toughness or more, or a 6, one Flesh Wound lays down; the out stay out.

    Nobody crushes a Flesh Wound that leaves no Toughness.
    """
    gun = weapon("Pulverise", "Template", range="-/T", strength="12", damage="2")
    data = scenario(gun, target={"toughness": toughness})
    crush = F(7 - min(toughness, 6), 6)
    out = down = F(0)
    for faces in product(("flesh", "flesh", "serious", "serious", "serious", "out"), repeat=2):
        flesh = faces.count("flesh")
        if "out" in faces or (flesh == 2 and toughness == 2):
            out += F(1, 36)
        elif "serious" in faces:
            # of two serious injuries one is a flesh wound
            down += F(1, 36)
        else:
            down += crush / 36
    assert p(data, "target.out_of_action") == F(5, 6) * out
    assert p(data, "target.seriously_injured") == F(5, 6) * down


# -- activations ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("skills", "lost"), [([], 1), (["Fast Shot"], 0)])
@pytest.mark.parametrize(("trait", "ever"), [("", True), ("Unwieldy", False)])
def test_fast_shot_makes_a_shot_simple_but_not_unwieldy(
    skills: list[str], lost: int, trait: str, *, ever: bool
) -> None:
    """Two shots in one activation; of a Double action there is one in any case."""
    gun = weapon(trait) if trait else weapon()
    shot = {"action": "shoot", "at": ["target"]}
    target = {"toughness": 9, "wounds": 9}
    data = scenario(gun, do=[shot, shot], rounds=1, shooter={"skills": skills}, target=target)
    assert odds_of(data, "actions_lost") == {lost if ever else 1: F(1)}


def test_who_was_blind_sees_again_when_activated() -> None:
    """Blinded before its activation it loses that; in the next round it shoots."""
    data = scenario(weapon(), rounds=1, shooter={"blind": True})
    assert p(data, "hits", 1) == F(1, 2)
    assert p(scenario(weapon(), rounds=1, shooter={"ready": False}), "hits", 0) == 1


def test_who_has_shot_on_overwatch_has_had_the_activation() -> None:
    """The watcher shoots at an aim, and then has no shot of its own; or waits, and has."""
    do = [
        {"by": "target", "action": "aim"},
        {"action": "shoot", "at": ["target"]},
    ]
    shooter = {"skills": ["Overwatch"]}
    target = {"toughness": 9, "wounds": 9}
    for policy in ("yes", "no"):
        data = scenario(
            weapon(),
            do=do,
            rounds=1,
            shooter=shooter,
            target=target,
            policies={"overwatch": policy},
        )
        data["order"] = ["target", "shooter"]
        assert odds_of(data, "shooter.hits") == {0: F(1, 2), 1: F(1, 2)}
