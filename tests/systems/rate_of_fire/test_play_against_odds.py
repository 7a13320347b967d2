"""Many played attacks of every kind agree with the exact odds."""

import pytest

from firepower.chance import Generator, Solver
from tests.systems.rate_of_fire.helpers import CULTIST, Data, check_plays, opened, scenario

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
    check_plays(opened(ATTACKS[name]), Solver(), 8_000, Generator(len(name)))
