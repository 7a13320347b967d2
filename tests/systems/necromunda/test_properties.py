"""What must hold for every shot, whatever the figures."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firepower.answers.question import read_question
from firepower.chance import Solver
from tests.systems.necromunda.asking import Data, p, scenario, weapon

TRAITS = (
    "Blaze",
    "Blast (3)",
    "Combi",
    "Concussion",
    "Cursed",
    "Drag",
    "Fear",
    "Flash",
    "Gas",
    "Gunk",
    "Knockback",
    "Master-crafted",
    "Melta",
    "Plentiful",
    "Pulverise",
    "Rad-phage",
    "Rapid Fire (1)",
    "Rapid Fire (2)",
    "Rending",
    "Scattershot",
    "Seismic",
    "Sever",
    "Shock",
    "Shred",
    "Toxin",
    "Unstable",
    "Web",
)

few = settings(max_examples=30, deadline=None)
skills = st.integers(1, 6)


@st.composite
def guns(draw: st.DrawFn, *more: str) -> Data:
    """A weapon with up to two traits."""
    two = draw(st.lists(st.sampled_from(TRAITS), max_size=2, unique=True))
    traits = [each for each in two if each.partition(" (")[0] not in "".join(more)]
    if sum(each.startswith("Rapid") for each in traits) == 2:
        traits = traits[:1]
    return weapon(
        *more,
        *traits,
        accuracy=draw(st.sampled_from(["-/-", "+1/-", "-1/+1", "+2/-1"])),
        strength=str(draw(st.integers(1, 8))),
        damage=str(draw(st.integers(1, 3))),
        ap=draw(st.integers(-3, 0)),
        ammo=draw(st.integers(2, 6)),
    )


@st.composite
def targets(draw: st.DrawFn) -> Data:
    """Somebody six to 24 inches away, in whatever armour and cover."""
    armour = draw(st.sampled_from(["", "flak", "mesh", "light-carapace", "armourweave"]))
    cover: Data = draw(st.sampled_from([{}, {"cover": "partial"}, {"cover": "full"}]))
    return cover | {
        "distance": draw(st.integers(2, 25)),
        "toughness": draw(st.integers(2, 6)),
        "wounds": draw(st.integers(1, 3)),
        "armour": armour,
    }


def odds(data: Data, solver: Solver | None = None) -> dict[str, dict[Any, Fraction]]:
    """Every measure's odds."""
    opening, solver = read_question(data).opening, solver or Solver()
    found = opening.measures.items()
    return {name: dict(solver.odds(opening.situation, each)) for name, each in found}


def shot(gun: Data, target: Data, skill: int = 4, **line: Any) -> Data:
    """A shot with a Ballistic Skill."""
    return scenario(gun, shooter={"ballistic_skill": skill}, target=target, **line)


@few
@given(guns(), targets(), skills)
def test_probabilities_sum_to_one(gun: Data, target: Data, skill: int) -> None:
    for found in odds(shot(gun, target, skill)).values():
        assert sum(found.values()) == 1
        assert all(chance > 0 for chance in found.values())


@few
@given(guns(), targets(), st.integers(1, 5), st.integers(-3, 3))
def test_a_better_skill_never_lowers_the_chance_to_hit(
    gun: Data, target: Data, skill: int, fog: int
) -> None:
    """Nor does an improbable shot, which has plain BS behind it."""
    better = shot(gun, target, skill, modifiers={"fog": fog})
    worse = shot(gun, target, skill + 1, modifiers={"fog": fog})
    assert p(better, "hits", 0) <= p(worse, "hits", 0)


@few
@given(guns("Rapid Fire (3)"), targets(), targets(), skills, skills, st.integers(1, 3))
def test_what_the_dice_cost_in_ammo_does_not_depend_on_the_target(
    gun: Data, one: Data, other: Data, skill: int, another: int, dice: int
) -> None:
    here = odds(shot(gun, one, skill, dice=dice))
    there = odds(shot(gun, other, another, dice=dice))
    for name in ("ammo_symbols", "ammo_failed", "out_of_ammo", "jammed"):
        assert here[name] == there[name]


@few
@given(guns("Rapid Fire (3)"), targets(), st.integers(1, 3))
def test_symbols_are_those_of_the_dice(gun: Data, target: Data, dice: int) -> None:
    """Each of so many dice shows one in a sixth."""
    found = odds(shot(gun, target, dice=dice))["ammo_symbols"]
    assert sum(number * chance for number, chance in found.items()) == Fraction(dice, 6)
    assert max(found) == dice


@few
@given(st.lists(st.tuples(guns(), targets()), min_size=2, max_size=3))
def test_odds_do_not_depend_on_what_was_asked_before(asked: list[tuple[Data, Data]]) -> None:
    together = Solver()
    for gun, target in [*asked, asked[0]]:
        data = shot(gun, target)
        assert odds(data, together) == odds(data)


NAMES = {"shooter": "zoe", "target": "adam", "other": "miriam"}


def renamed(data: Data) -> Data:
    """The same scenario with other names, in the same order."""

    def other(value: Any) -> Any:
        if isinstance(value, str):
            return NAMES.get(value, value)
        if isinstance(value, list):
            return [other(each) for each in value]
        if isinstance(value, dict):
            return {NAMES.get(key, key): other(each) for key, each in value.items()}
        return value

    changed: Data = other(data)
    return changed


@few
@given(guns("Rapid Fire (1)"), targets(), targets(), st.booleans())
def test_names_change_nothing(gun: Data, target: Data, other: Data, in_rounds: bool) -> None:
    """Who comes first by the alphabet is no matter."""
    others = {"other": other | {"side": "theirs"}}
    data = shot(gun, target, others=others, near=["other"])
    if in_rounds:
        data |= {"rounds": 1}
    found = {".".join(NAMES.get(each, each) for each in name.split(".")): odds_
             for name, odds_ in odds(data).items()}  # fmt: skip
    assert odds(renamed(data)) == found


@few
@given(guns(), targets())
def test_sides_are_named_at_will(gun: Data, target: Data) -> None:
    data = shot(gun, target)
    for who, side in (("shooter", "a gang"), ("target", "no gang")):
        data["combatants"][who] |= {"side": side}
    found, before = odds(data), odds(shot(gun, target))
    assert {name: found[name] for name in found if name in before} == {
        name: before[name] for name in found if name in before
    }


OF_EVERY_TARGET = {
    "hit",
    "pinned",
    "wounds",
    "unsaved",
    "wounds_lost",
    "flesh_wounds",
    "seriously_injured",
    "out_of_action",
}


@few
@given(guns("Rapid Fire (2)"), targets())
def test_all_who_may_be_hit_are_measured(gun: Data, target: Data) -> None:
    """The target, who is near it and who stands in the way; nobody else."""
    names = ("near", "aside", "away")
    others = {name: {"side": "theirs", "distance": 6} for name in names}
    in_way = [] if any(each.startswith("Blast") for each in gun["traits"]) else ["aside"]
    data = shot(gun, target, others=others, near=["near"], bystanders=in_way)
    found = set(read_question(data).opening.measures)
    for who in ("target", "near", *in_way):
        assert {f"{who}.{measure}" for measure in OF_EVERY_TARGET} <= found
    assert not [name for name in found if name.startswith("away.")]


@few
@given(guns(), targets())
def test_each_of_these_is_no_more_likely_than_the_one_before(gun: Data, target: Data) -> None:
    """A wound comes of a hit, a Wound lost or an injury of a wound that nothing saved."""
    found = odds(shot(gun, target))
    chances = [1 - found[f"target.{name}"].get(0, 0) for name in ("hit", "wounds", "unsaved")]
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize("need", range(1, 8))
@pytest.mark.parametrize("modifier", range(-4, 5))
def test_the_chance_to_hit(need: int, modifier: int) -> None:
    """A natural 1 misses; what no roll can hit needs a 6 and then plain BS."""
    least = need - modifier

    def of_a_roll(least: int) -> Fraction:
        return Fraction(7 - min(7, max(2, least)), 6)

    chance = of_a_roll(least) if least <= 6 else Fraction(1, 6) * of_a_roll(need)
    data = shot(weapon(), {}, need, modifiers={"all": modifier} if modifier else {})
    assert p(data, "hits", 1) == chance
