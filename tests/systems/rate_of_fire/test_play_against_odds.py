"""Many played attacks of every kind agree with the exact odds."""

from collections import Counter
from math import sqrt

import pytest

from firepower.chance import Generator, Measure, Solver, play
from tests.systems.rate_of_fire.helpers import CULTIST, Data, opened, scenario

PLAYS = 20_000
ERRORS = 4.5
"""Standard errors that a share may be off: about one in 150,000 for each share looked at."""

GUARD: Data = {"distance": 51, "willpower": 30, "toughness": 20, "armour": 2}
PEOPLE = {"cultist": CULTIST, "guard": GUARD}

ATTACKS = {
    "single shot": scenario("single-shot", people=PEOPLE),
    "semi-auto, hits spread": scenario(
        "semi-auto", people=PEOPLE, near=["guard"], policies={"allocation": "spread"}
    ),
    "full auto, hits spread": scenario(
        "full-auto", dice=3, people=PEOPLE, near=["guard"], policies={"allocation": "spread"}
    ),
    "full auto into melee": scenario("full-auto", dice=2, people=PEOPLE, melee=["guard"]),
    "suppressing fire": scenario("suppressing-fire", people=PEOPLE, near=["guard"], skill=75),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_played_attacks_have_the_exact_odds(name: str) -> None:
    opening, solver = opened(ATTACKS[name]), Solver()
    dice = Generator(len(name))
    seen: dict[str, Counter[int | bool]] = {measure: Counter() for measure in opening.measures}
    for _ in range(PLAYS):
        played = play(opening.situation, dice)
        for measure, kind in opening.measures.items():
            assert isinstance(kind, Measure)
            seen[measure][played.number(kind)] += 1
    for measure, counts in seen.items():
        exact = solver.odds(opening.situation, opening.measures[measure])
        assert set(counts) <= set(exact.weights)
        for outcome, p in exact:
            bound = ERRORS * sqrt(p * (1 - p) / PLAYS)
            assert abs(counts[outcome] / PLAYS - p) <= bound, (measure, outcome)
