"""Scenarios of close combat as plain data, and their odds."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any, TypeAlias

import firepower
from firepower.chance import Solver

Data: TypeAlias = dict[str, Any]

SOLVER = Solver()


def weapon(*traits: str, **figures: Any) -> Data:
    """A weapon for close combat as it is carried."""
    known = {"range": "-/E", "strength": "S", "ap": 0, "damage": "1", "accuracy": "-/-"}
    return known | {"traits": ["Melee", *traits]} | figures


def pistol(*traits: str, **figures: Any) -> Data:
    """A Sidearm."""
    known = {"range": "8/16", "strength": "4", "damage": "1", "accuracy": "+2/-"}
    return known | {"traits": ["Sidearm", *traits]} | figures


LASTING: Data = {"wounds": 20}
"""Somebody whom nothing takes down, so that hits can be counted."""

IDLE: Data = {"on_fire": True}
"""Somebody who never answers."""


def scenario(
    me: Mapping[str, Any] | None = None,
    others: Mapping[str, Mapping[str, Any]] | None = None,
    action: str = "fight",
    *,
    rulings: Mapping[str, str] | None = None,
    policies: Mapping[str, str] | None = None,
    edition: str = "",
    **line: Any,
) -> Data:
    """What `a` does to the others, of whom the first is the target."""
    people = {"b": {}} if others is None else others
    if action != "retreat":
        line.setdefault("at", [next(iter(people))])
    data: Data = {
        "format": 1,
        "system": "necromunda",
        "combatants": {"a": dict(me or {}), **{k: dict(v) for k, v in people.items()}},
        "do": [{"by": "a", "action": action, **line}],
        "rulings": dict(rulings or {}),
        "policies": dict(policies or {}),
    }
    return data | ({"edition": edition} if edition else {})


def odds(data: Mapping[str, Any], measure: str, choose: Sequence[str] = ()) -> Any:
    """The distribution of a measure."""
    found = firepower.read(data, solver=SOLVER).odds(measure, choose=choose, samples=0)
    of = found.measures[measure]
    assert sum(of.p(outcome) for outcome, _ in of) == 1
    return of


def chance_of(data: Mapping[str, Any], measure: str, choose: Sequence[str] = ()) -> Fraction:
    """How likely something is."""
    chance: Fraction = odds(data, measure, choose).mean
    return chance


def hit_chances(data: Mapping[str, Any], who: str = "b") -> dict[int, Fraction]:
    """How many hits somebody takes."""
    return dict(odds(data, f"{who}.hit"))


def mean_hits(data: Mapping[str, Any], who: str = "b") -> Fraction:
    """The mean number of hits that somebody takes."""
    mean: Fraction = odds(data, f"{who}.hit").mean
    return mean


def parts(data: Mapping[str, Any], by: str, label: str = "to hit") -> dict[str, int]:
    """What changes a roll of somebody, by its causes."""
    tests = firepower.read(data, solver=SOLVER).odds(samples=0).tests
    found = next(each for each in tests if each.by == by and label in each.label)
    return {part.label: part.value for part in found.parts}


def refusal(data: Mapping[str, Any]) -> str:
    """The sentence with which a scenario is refused."""
    try:
        firepower.read(data).odds(samples=0)
    except firepower.QuestionError as refused:
        return str(refused)
    raise AssertionError("it was not refused")


TARGET: dict[str, Data] = {"b": LASTING | IDLE}
"""Somebody to count hits on, who never answers."""


def binomial(count: int, chance: Fraction) -> dict[int, Fraction]:
    """How many of so many dice succeed."""
    return {n: comb(count, n) * chance**n * (1 - chance) ** (count - n) for n in range(count + 1)}


def dice_of(data: Data, who: str = "b") -> int:
    """How many attack dice there are: the most hits, at a need that can be met."""
    return max(hit_chances(data, who))


def brawl(me: Data | None = None, **people: Data) -> Data:
    """`a` of the one side fights `b` of the other."""
    others = {name: LASTING | each for name, each in people.items()}
    return scenario({"side": "one", "wounds": 20} | (me or {}), others, at=["b"])
