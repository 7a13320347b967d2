"""The benchmark's workloads as situations: each with the measures that are asked of it."""

from typing import TypeAlias

from bench.rules import dark_heresy, necromunda, ninth_age
from firepower.chance import (
    Band,
    Final,
    Measure,
    RollUnder,
    Situation,
    Task,
    dice,
    situation,
)

Workload: TypeAlias = tuple[Situation, tuple[Measure | Final, ...]]


def w1() -> Workload:
    """Dark Heresy burst: total damage, and whether the weapon jams."""
    test = RollUnder(55, "tens", natural_extremes=False)
    burst = dark_heresy.Burst(test, 2, 10, 94)
    fire = dark_heresy.FireBurst(burst, dark_heresy.Hit(dice("d10+4"), 7))
    start = situation({"shooter": None, "target": None}, Task(fire, "shooter"))
    return start, (Measure(("target.damage",), cap=40), Measure(("shooter.jam",), "any"))


def w2(attacks: int = 30) -> Workload:
    """Ninth Age, 30 attacks: models killed."""
    profile = ninth_age.Profile(4, 3, 5, dice("d3+1"))
    attack = ninth_age.AttackModel(profile, health=3)
    return situation({"trolls": 3}, Task(attack, "trolls", attacks)), (
        Measure(("trolls.killed",)),
    )


def w2_240() -> Workload:
    """Ninth Age, 240 attacks: models killed."""
    return w2(240)


def w3(R=False) -> Workload:
    """Necromunda, three Firepower dice: wounds and failed ammo checks."""
    weapon = necromunda.Weapon(hit=3, wound=3, save=5, ammo=4, firepower=3)
    start = situation({"shooter": None, "target": None}, Task(necromunda.Shoot(weapon), "shooter"))
    return start, (Measure(("target.wounds",)), Measure(("shooter.ammo_failed",)))


def burst() -> Workload:
    """Dark Heresy burst of up to 10 hits with locations and righteous fury: loss."""
    test = RollUnder(65, "tens", natural_extremes=False)
    damage = dark_heresy.DamageRoll(5, test, 4)
    armour = Band(((10, 2), (30, 3), (70, 5), (100, 1)))
    hit = dark_heresy.FuriousHit(damage, dark_heresy.ArmourStruck(armour, 3))
    fire = dark_heresy.FireBurst(dark_heresy.Burst(test, 1, 10), hit)
    start = situation({"shooter": None, "target": None}, Task(fire, "shooter"))
    return start, (Measure(("target.damage",), cap=40),)


def clash(chain=False) -> Workload:
    """Thirty against thirty over three initiative steps: combat score difference."""
    strike, answer = ninth_age.Profile(4, 3, 5), ninth_age.Profile(4, 4, 6)
    finish = ninth_age.Profile(3, 3, 6)
    first = ninth_age.InitiativeStep((ninth_age.Blows("A", "B", 10, strike),), chain)
    second = ninth_age.InitiativeStep(
        (ninth_age.Blows("A", "B", 15, strike), ninth_age.Blows("B", "A", 20, answer)), chain
    )
    third = ninth_age.InitiativeStep((ninth_age.Blows("B", "A", 8, finish),), chain)
    start = situation({"A": 30, "B": 30}, first, second, third)
    return start, (Final("A", int), Final("B", int))
