"""What no rule reads any more is forgotten, and that changes no odds."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import firepower
from firepower.chance import Solver
from tests.systems.necromunda.asking import AUTOGUN, STUBBER, Data, p, scenario, weapon

GUNS = (
    AUTOGUN,
    AUTOGUN | {"out_of_ammo": True},
    STUBBER,
    weapon("Blaze", "Template", range="-/T", ammo=4),
    weapon("Unwieldy"),
    weapon("Web"),
    weapon("Flash", "Concussion"),
    weapon("Gunk"),
    weapon("Blast (3)", "Knockback", ammo=5),
    weapon("Single Shot", ammo="single"),
    weapon("Scarce", ammo=4),
    weapon("Limited", ammo=4),
    weapon("Combi", ammo=4),
    weapon("Grenade", range="-/Sx3", ammo=4),
)
STATES = ("pinned", "on_fire", "broken", "blind", "concussed", "seriously_injured")
ACTIONS = (
    "shoot",
    "shoot",
    "reload",
    "blind-fire",
    "move",
    "aim",
    "stand-up",
    "burn",
    "crawl",
    "take-cover",
)


def odds(data: Data, *, fades: bool) -> dict[str, Any]:
    """Every measure, with what is forgotten or without."""
    opening = firepower.read(data).opened(fades=fades).opening
    solver = Solver()
    return {
        name: dict(solver.odds(opening.situation, measure))
        for name, measure in opening.measures.items()
    }


def any_lines(seed: int) -> Data:
    """A few actions of somebody in some state, and one of the target."""
    dice = Random(seed)

    def state(names: tuple[str, ...]) -> Data:
        return {name: True for name in names if dice.random() < 0.15}

    lines: list[Data] = []
    for _ in range(dice.randint(1, 3)):
        action = dice.choice(ACTIONS)
        at = {"at": ["target"]} if action in ("shoot", "blind-fire") else {}
        lines.append({"action": action, **at})
    if dice.random() < 0.4:
        lines.append({"by": "target", "action": dice.choice(["burn", "stand-up", "move"])})
    return scenario(
        dice.choice(GUNS),
        shooter=state(STATES),
        target=state((*STATES, "webbed")),
        do=lines,
        rounds=dice.choice([None, 1, 2]),
    )


@pytest.mark.parametrize("seed", range(60))
def test_any_lines(seed: int) -> None:
    data = any_lines(seed)
    try:
        firepower.read(data).opened()
    except firepower.QuestionError:
        return
    assert odds(data, fades=True) == odds(data, fades=False)


@pytest.mark.parametrize("first", ["aim", "reload"])
def test_a_reload_in_the_last_line(first: str) -> None:
    lines: list[Data] = [{"action": first}, {"action": "reload"}]
    data = scenario(AUTOGUN | {"out_of_ammo": True}, do=lines, rounds=1)
    assert odds(data, fades=True) == odds(data, fades=False)


def test_the_re_roll_of_a_master_crafted_weapon() -> None:
    assert p(scenario(weapon("Master-crafted")), "hits", 1) == Fraction(3, 4)
