"""What must hold for every attack, whatever the figures."""

from fractions import Fraction
from itertools import pairwise, product

from hypothesis import given, settings
from hypothesis import strategies as st

from firepower.chance import Solver
from tests.systems.rate_of_fire.helpers import (
    CULTIST,
    Data,
    Played,
    odds,
    odds_of,
    opened,
    scenario,
)

MODES = ("single-shot", "semi-auto", "full-auto", "suppressing-fire")
WEAPONS = ("autogun", "training-rifle", "training-twin-carbine")

skills = st.integers(1, 120)
modes = st.sampled_from(MODES)
weapons = st.sampled_from(WEAPONS)
few = settings(max_examples=40, deadline=None)


def attack(mode: str, skill: int, **line: object) -> Data:
    if mode == "full-auto":
        line.setdefault("dice", 2)
    return scenario(mode, skill=skill, **line)  # type: ignore[arg-type]  # keys of a line


@few
@given(modes, weapons, skills)
def test_probabilities_sum_to_one(mode: str, weapon: str, skill: int) -> None:
    for found in odds(attack(mode, skill, weapon=weapon)).values():
        assert sum(found.values()) == 1
        assert all(p > 0 for p in found.values())


@few
@given(modes, weapons, skills, st.integers(1, 30))
def test_a_better_skill_never_lowers_the_chance_of_hits(
    mode: str, weapon: str, skill: int, more: int
) -> None:
    worse = odds_of(attack(mode, skill, weapon=weapon), "hits")
    better = odds_of(attack(mode, skill + more, weapon=weapon), "hits")
    for least in range(1, 20):
        chance_worse = sum((p for n, p in worse.items() if n >= least), Fraction(0))  # type: ignore[operator]  # hits
        chance_better = sum((p for n, p in better.items() if n >= least), Fraction(0))  # type: ignore[operator]  # hits
        assert chance_better >= chance_worse


@few
@given(modes, weapons, skills, skills)
def test_ammunition_depends_on_the_mode_alone(
    mode: str, weapon: str, skill: int, other: int
) -> None:
    spent = odds_of(attack(mode, skill, weapon=weapon), "rounds_spent")
    assert len(spent) == 1
    assert spent == odds_of(attack(mode, other, weapon=weapon), "rounds_spent")


@few
@given(st.sampled_from(MODES[1:]), skills, st.integers(1, 60))
def test_bursts_are_blind_to_aim(mode: str, skill: int, aim: int) -> None:
    assert odds(attack(mode, skill, aim=aim)) == odds(attack(mode, skill))


@few
@given(modes, skills)
def test_hits_exclude_errant_hits(mode: str, skill: int) -> None:
    data = attack(
        mode, skill, people={"cultist": CULTIST, "guard": CULTIST}, melee=["cultist", "guard"]
    )
    opening = opened(data)
    both = Solver().joint(
        opening.situation, [opening.measures["hits"], opening.measures["errant_hits"]]
    )
    assert all(not (hits and errant) for hits, errant in both.weights)


def test_hits_never_fall_as_the_roll_falls() -> None:
    """The same rate-of-fire dice, no jam, one roll after the other."""
    data = scenario("full-auto", dice=2, people={"cultist": {"distance": 50}}, carried={
        "damage": "1 [I]"
    })  # fmt: skip
    for dice in product((1, 3, 5), repeat=2):
        hits = [Played(data, (*dice, roll))["hits"] for roll in range(1, 91)]
        assert all(earlier >= later for earlier, later in pairwise(hits))


def test_dice_cover_exactly_what_is_possible() -> None:
    """Every script of dice of a small attack, and nothing else, is in the odds."""
    data = scenario(
        "semi-auto", people={"cultist": {"distance": 50, "toughness": 30}}, carried={
            "damage": "1 [I]"
        },
    )  # fmt: skip
    opening = opened(data)
    names = ["hits", "jam", "cultist.damage", "cultist.injury", "weapon_degraded"]
    joint = Solver().joint(opening.situation, [opening.measures[name] for name in names])
    seen = set()
    for roll in range(1, 101):
        checks: list[tuple[int, ...]] = [(check,) for check in range(1, 11)] if roll > 95 else [()]
        for check in checks:
            played = Played(data, (roll, *check))
            seen.add(tuple(played[name] for name in names))
    assert seen == set(joint.weights)
