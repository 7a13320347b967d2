"""The benchmark's workloads, stated to the engine: a situation and what is asked of it.

The rules that they are made of are the steps in `bench.rules`.
"""

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from bench.rules import dark_heresy, necromunda, ninth_age
from firepower.chance import (
    Band,
    Distribution,
    Final,
    RollUnder,
    Situation,
    Solver,
    Tally,
    Task,
    dice,
    situation,
)


class Workload(NamedTuple):
    """A situation, the measures asked together, and the peers' outcome (None: the measures')."""

    start: Situation
    measures: tuple[Tally | Final, ...]
    outcome: Callable[[Any], Hashable] | None = None

    def answer(self, solver: Solver) -> Distribution[Any]:
        """The odds of the measure, or of all of them together."""
        if len(self.measures) == 1:
            found = solver.odds(self.start, self.measures[0])
        else:
            found = solver.joint(self.start, self.measures)
        return found if self.outcome is None else found.map(self.outcome)

    def situations(self, solver: Solver) -> int:
        """How many situations the answer looks at; several measures here leave nobody out."""
        if len(self.measures) == 1:
            return solver.situations(self.start, self.measures)
        return solver.whole(self.start)


def w1() -> Workload:
    """Dark Heresy burst: total damage, and whether the weapon jams."""
    burst = dark_heresy.Burst(_d100_test(55), degrees_per_hit=2, rounds=10, jams_from=94)
    fire = dark_heresy.FireBurst(burst, dark_heresy.Hit(dice("d10+4"), stopped=7))
    return Workload(
        situation({"shooter": None, "target": None}, Task(fire, "shooter")),
        (Tally(("target.damage",), cap=40), Tally(("shooter.jam",), "any")),
    )


def w2() -> Workload:
    """Ninth Age, 30 attacks: models killed."""
    return _ninth_age(30)


def w2_240() -> Workload:
    """Ninth Age, 240 attacks: models killed."""
    return _ninth_age(240)


def _ninth_age(attacks: int) -> Workload:
    profile = ninth_age.Profile(hit=4, wound=3, save=5, multiple=dice("d3+1"))
    attack = Task(ninth_age.AttackModel(profile, health=3), "unit", attacks)
    return Workload(situation({"unit": 3}, attack), (Tally(("unit.killed",)),))


def w3() -> Workload:
    """Necromunda, three Firepower dice: wounds and failed ammo checks."""
    weapon = necromunda.Weapon(hit=3, wound=3, save=5, ammo=4, firepower=3)
    return Workload(
        situation({"shooter": None, "target": None}, Task(necromunda.Shoot(weapon), "shooter")),
        (Tally(("target.wounds",)), Tally(("shooter.ammo_failed",))),
    )


def burst() -> Workload:
    """Dark Heresy burst of up to 10 hits with locations and righteous fury: loss."""
    test = _d100_test(65)
    armour = Band(((10, 2), (30, 3), (70, 5), (100, 1)))
    hit = dark_heresy.FuriousHit(
        dark_heresy.DamageRoll(plus=5, confirm=test, most=4),
        dark_heresy.ArmourStruck(armour, toughness=3),
    )
    fire = dark_heresy.FireBurst(dark_heresy.Burst(test, degrees_per_hit=1, rounds=10), hit)
    return Workload(
        situation({"shooter": None, "target": None}, Task(fire, "shooter")),
        (Tally(("target.damage",), cap=40),),
    )


def clash() -> Workload:
    """Thirty against thirty over three initiative steps: combat score difference."""
    strike = ninth_age.Profile(hit=4, wound=3, save=5)
    answer = ninth_age.Profile(hit=4, wound=4, save=6)
    finish = ninth_age.Profile(hit=3, wound=3, save=6)
    exchange = (ninth_age.Blows("A", 15, strike, "B"), ninth_age.Blows("B", 20, answer, "A"))
    agenda = (
        Task(ninth_age.Strike(ninth_age.Blows("A", 10, strike, "B")), "A"),
        ninth_age.StrikeTogether(exchange),
        Task(ninth_age.Strike(ninth_age.Blows("B", 8, finish, "A")), "B"),
    )
    return Workload(
        situation({"A": 30, "B": 30}, *agenda),
        (Final("A", int), Final("B", int)),
        lambda standing: standing[0] - standing[1],
    )


def _d100_test(target: int) -> RollUnder:
    return RollUnder(target, "tens", natural_extremes=False)


WORKLOADS: dict[str, Callable[[], Workload]] = {
    each.__name__: each for each in (w1, w2, w2_240, w3, burst, clash)
}
