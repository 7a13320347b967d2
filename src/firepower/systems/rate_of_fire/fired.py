"""What an attack fires, and what that takes: dice, rounds, AP."""

import msgspec

from firepower.combat.paths import Path_
from firepower.systems.rate_of_fire.models import ActionLine
from firepower.systems.rate_of_fire.shooter import Shooter
from firepower.systems.rate_of_fire.tables import RofSetup


class Fired(msgspec.Struct, frozen=True):
    """What an attack fires: rate-of-fire dice, what it spends, and how many shots at most."""

    dice: int
    rounds: int
    ap: int
    shots: int


def paid(setup: RofSetup, line: ActionLine, fired: Fired, path: Path_) -> Fired:
    """What is fired, if the AP that the line states are those that it costs."""
    if line.ap is not None and line.ap != fired.ap:
        raise setup.wrong((*path, "ap"), f"is {line.ap}, but this attack costs {fired.ap} AP")
    return fired


def stormed(setup: RofSetup, shooter: Shooter, shots: int) -> int:
    """The rounds that so many shots at the full-auto rate take. R18"""
    storm = shooter.weapon.storm
    return shots * storm if storm > 1 and setup.rulings.takes("storm_ammunition", "yes") else shots


def is_open(setup: RofSetup, path: Path_) -> bool:
    """Whether the line that stands there leaves open what is done."""
    return setup.scenario.do[int(path[1])].action is None
