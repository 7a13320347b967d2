"""The game as others ask it: attacks left open, measures, listings and the quick form."""

import tomllib
from fractions import Fraction
from typing import Any

import pytest

import firepower
from firepower.answers.question import read_question
from firepower.chance import Choice, Goal, Solver
from firepower.chance.table import Table, settled
from firepower.combat.errors import QuestionError
from firepower.combat.game import Opening
from firepower.systems.rate_of_fire import SYSTEM
from tests.systems.rate_of_fire.helpers import (
    CULTIST,
    DUMMY,
    Data,
    mean,
    odds_of,
    opened,
    scenario,
)

ALL = ["single-shot", "semi-auto", "full-auto 1", "full-auto 2", "full-auto 3", "suppressing-fire"]


def chosen(**line: Any) -> Opening:
    """The scout's attack on the cultist, as far as it is stated; the rest is left open."""
    data = scenario(line.pop("action", None), **{"at": ["cultist"], **line})
    return read_question(data, choosing=True).opening


def options(opening: Opening) -> list[str]:
    """The attacks to choose among; none if there is only one."""
    (task,) = settled(opening.situation).agenda[:1]
    seen = Table(opening.situation).view(task.step, task.who)
    question = task.step.ask(seen)
    return [option.key for option in question.options] if isinstance(question, Choice) else []


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ({"in_cone": ["cultist"]}, ALL),
        ({}, ALL[:-1]),
        ({"in_cone": ["cultist"], "ap": 1}, ALL[:3]),
        ({"in_cone": ["cultist"], "ap": 2}, ALL[:4]),
        ({"in_cone": ["cultist"], "ap": 3}, ALL),
        ({"action": "full-auto"}, ALL[2:5]),
        ({"action": "full-auto", "ap": 2}, ALL[2:4]),
        ({"dice": 2}, ["single-shot", "semi-auto", "full-auto 2"]),
        ({"carried": {"rof": "S/-/1d5"}}, ["single-shot", "full-auto 1"]),
        ({"carried": {"loaded": 9}}, ALL[:3]),
        ({"shooter": {"engaged": True}}, ALL[:2]),
        ({"action": "semi-auto"}, []),
        ({"action": "full-auto", "dice": 3}, []),
        ({"carried": {"loaded": 1}}, []),
    ],
)
def test_what_is_left_open_is_chosen_among_what_is_lawful(line: Data, names: list[str]) -> None:
    assert options(chosen(**line)) == names


def test_no_attack_is_offered_twice() -> None:
    """With seven rounds two dice and three come down to one."""
    opening = chosen(carried={"loaded": 7}, rulings={"short_ammunition": "downgrade"})
    assert options(opening) == ["single-shot", "semi-auto", "full-auto 1"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ({"carried": {"loaded": 0}}, "is 0, but single-shot uses 1 rounds"),
        ({"at": ["nobody"]}, "names 'nobody', who is not here"),
        (
            {"action": "suppressing-fire", "in_cone": ["cultist"], "ap": 2},
            "is 2, but this attack costs 3 AP",
        ),
        ({"action": "semi-auto", "dice": 2}, "is 2, but only full-auto rolls dice"),
    ],
)
def test_where_nothing_is_lawful_the_choice_is_refused(line: Data, sentence: str) -> None:
    with pytest.raises(QuestionError, match=sentence):
        chosen(**line)


def test_each_option_is_worth_its_own_attack() -> None:
    opening = chosen(in_cone=["cultist"])
    advice = Solver().advice(opening.situation, Goal(opening.measures["hits"]))
    (decision,) = advice.decisions
    assert dict(decision.options) == {
        "single-shot": Fraction(55, 100),
        "semi-auto": Fraction(95, 100),
        "full-auto 1": Fraction(33, 50),
        "full-auto 2": Fraction(197, 250),
        "full-auto 3": Fraction(1999, 2500),
        "suppressing-fire": Fraction(20, 100),
    }
    assert (decision.best, advice.value) == ("semi-auto", Fraction(95, 100))


@pytest.mark.parametrize(
    ("reading", "rof", "loaded", "value"),
    [
        # a burst of 3 hits by 0.95 in the mean and jams by 0.05; but 1 round of 4 is left for the
        # second, which the table of hits does not mind
        ("forbid", "-/3/-", 4, Fraction(95, 100)),
        ("downgrade", "-/3/-", 4, Fraction(95, 100)),
        ("partial", "-/3/-", 4, Fraction(95, 100) + Fraction(95, 100) ** 2),
        # with the last round a single shot, which is an option of its own
        ("forbid", "S/3/-", 4, Fraction(95, 100) + Fraction(95, 100) * Fraction(55, 100)),
        ("downgrade", "S/3/-", 4, Fraction(95, 100) + Fraction(95, 100) * Fraction(55, 100)),
        ("partial", "S/3/-", 4, Fraction(95, 100) + Fraction(95, 100) ** 2),
        # too few from the beginning
        ("partial", "-/3/-", 2, Fraction(95, 100)),
    ],
)
def test_an_open_turn_may_fire_what_is_left(
    reading: str, rof: str, loaded: int, value: Fraction
) -> None:
    data = scenario(
        at=["cultist"],
        shooter={"ap": 2},
        carried={"loaded": loaded, "rof": rof},
        people={"cultist": DUMMY},
        rulings={"short_ammunition": reading},
    )
    opening = read_question(data | {"rounds": 1}, choosing=True).opening
    advice = Solver().advice(opening.situation, Goal(opening.measures["hits"]))
    assert advice.value == value
    keys = [key for key, _ in advice.decisions[0].options]
    assert keys == [*["single-shot"] * (rof[0] == "S"), "semi-auto", "aim", "end turn"]


AROUND = {
    "c1": {"position": [40, 0], "willpower": 30},
    "c2": {"position": [0, 40], "willpower": 30},
    "c3": {"position": [1, 41], "willpower": 30},
}


@pytest.mark.parametrize("at", [["c1", "c2"], ["c2", "c1"]])
def test_the_direction_of_a_cone_is_an_option(at: list[str]) -> None:
    """Whoever is named first: c3 fails a pinning test of 30 in seven of ten cases."""
    data = scenario(
        None, shooter={"ap": 3, "position": [0, 0]}, people=AROUND, at=at, carried={"loaded": 30}
    )
    opening = read_question(data, choosing=True, turns=1).opening
    advice = Solver().advice(opening.situation, Goal(opening.measures["c3.pinned"]))
    worth = dict(advice.decisions[0].options)
    assert advice.value == worth["suppressing-fire at c3"] == Fraction(7, 10)
    assert worth["suppressing-fire at c2, c3"] == Fraction(7, 10)
    assert worth["suppressing-fire at c1"] == 0


def test_every_weapon_is_an_option() -> None:
    spare = {"use": "training-marksman-carbine", "loaded": 3}
    weapons = {"autogun": {"loaded": 30}, "spare": spare}
    data = scenario(None, shooter={"weapons": weapons}, at=["cultist"])
    keys = options(read_question(data, choosing=True).opening)
    assert {"single-shot with autogun", "single-shot with spare"} < set(keys)
    assert "full-auto 1 with spare" not in keys


def test_who_is_out_of_action_is_shot_at_no_more() -> None:
    """Suppressing fire is then at the next in the cone, and a melee may be over."""
    out = CULTIST | {"distance": 10, "out_of_action": "injury"}
    people = {"fallen": out, "cultist": CULTIST}
    found = odds_of(scenario("suppressing-fire", people=people), "hits")
    assert found == odds_of(scenario("suppressing-fire"), "hits")
    people = {"cultist": CULTIST, "fallen": CULTIST | {"out_of_action": "fatigue"}}
    over = scenario("single-shot", people=people, melee=["cultist", "fallen"])
    assert odds_of(over, "hits") == odds_of(scenario("single-shot"), "hits")
    needless = scenario("single-shot", people={"cultist": CULTIST | {"out_of_action": "injury"}})
    assert odds_of(needless, "rounds_spent") == {0: Fraction(1)}


def test_modifiers_of_somebody_at_whom_nobody_shoots_are_named() -> None:
    data = scenario("single-shot", shooter={"modifiers": {"lucky coat": 10}})
    assert "modifiers of scout: they are to hit scout, and nobody does" in opened(data).not_modelled


@pytest.mark.parametrize(
    ("old", "new"),
    [("cultist.down", "out_of_action"), ("combatants_down", "combatants_out_of_action")],
)
def test_what_was_renamed_says_so(old: str, new: str) -> None:
    with pytest.raises(QuestionError, match=f"is called '{new}' now"):
        firepower.read(scenario("single-shot")).odds(old)


# -- measures ------------------------------------------------------------------------------------

SHOOTERS = {"hits", "errant_hits", "jam", "weapon_degraded", "rounds_spent", "ap_spent"}
EVERYBODYS = {"hits", "damage"}
WITH_TOUGHNESS = {"injury", "fatigue", "out_of_action"}
WITH_WILLPOWER = {"pinned", "pinning_degrees"}


@pytest.mark.parametrize(
    ("cultist", "measures"),
    [
        ({"distance": 50}, EVERYBODYS),
        ({"distance": 50, "toughness": 30}, EVERYBODYS | WITH_TOUGHNESS),
        ({"distance": 50, "toughness_bonus": 3}, EVERYBODYS | WITH_TOUGHNESS),
        ({"distance": 50, "willpower": 30}, EVERYBODYS | WITH_WILLPOWER),
        (CULTIST, EVERYBODYS | WITH_TOUGHNESS | WITH_WILLPOWER),
    ],
)
def test_measures(cultist: Data, measures: set[str]) -> None:
    wanted = SHOOTERS | {f"cultist.{name}" for name in measures}
    wanted |= {"combatants_out_of_action"} if measures >= WITH_TOUGHNESS else set()
    opening = opened(scenario("single-shot", people={"cultist": cultist}))
    assert set(opening.measures) == wanted


def test_only_those_who_may_be_struck_are_measured() -> None:
    people = {name: {"distance": 50} for name in ("cultist", "near", "aside")}
    data = scenario("semi-auto", people=people, near=["near"])
    measured = {name.partition(".")[0] for name in opened(data).measures if "." in name}
    assert measured == {"cultist", "near"}


def test_injuries_have_names() -> None:
    words = opened(scenario("single-shot")).words
    names = ("none", "light", "heavy", "serious", "acute", "crippling", "lethal")
    assert words == {"cultist.injury": names}


def test_damage_of_nobody_in_particular() -> None:
    """A hit does d10 + 2 + 4 less 3: nine rolls in ten of a mean of 8.5, and 55 rolls hit."""
    data = scenario("single-shot", people={"cultist": CULTIST | {"armour": 3}})
    assert mean(odds_of(data, "cultist.damage")) == Fraction(55, 100) * Fraction(17, 2)


# -- listings and the quick form -----------------------------------------------------------------


def test_the_armoury_is_listed() -> None:
    rows = {row.name: row for row in SYSTEM.weapons(SYSTEM.tables())}
    autogun = rows["autogun"]
    assert autogun.title == "Necromunda-pattern Autogun"
    assert autogun.figures["rof"] == "S/2/3d5"
    assert autogun.figures["damage"] == "d10+2+RCB [I]"
    assert "magazine" not in autogun.figures
    assert len(rows) == 6


def test_the_actions_are_listed() -> None:
    rows = {row.name: row.figures for row in SYSTEM.listed_actions(SYSTEM.tables())}
    assert rows == {
        "single-shot": {"ap": "1", "to hit": "+10 (Ordinary)", "aim": "counts"},
        "semi-auto": {"ap": "1", "to hit": "+0 (Challenging)", "aim": "does not count"},
        "full-auto": {"ap": "1 a die", "to hit": "-10 (Difficult)", "aim": "does not count"},
        "suppressing-fire": {"ap": "3", "to hit": "-30 (Very Hard)", "aim": "does not count"},
        "aim": {"ap": "1", "gives": "+10 to the next single shot, +20 in all"},
        "reload": {"ap": "the weapon's", "gives": "a full magazine"},
        "clear-jam": {"ap": "2", "to hit": "+0"},
        "delay": {"ap": "1", "gives": "a later turn"},
    }


@pytest.mark.parametrize("action", ["single-shot", "semi-auto", "full-auto", "suppressing-fire"])
def test_the_quick_form_needs_a_skill_and_a_distance(action: str) -> None:
    data = SYSTEM.quick("autogun", action)
    data["combatants"]["shooter"]["ranged_combat"] = 45
    data["combatants"]["target"]["distance"] = 50
    wanted = scenario(action, people={"target": {"distance": 50}})
    if action == "full-auto":
        wanted["do"][0]["dice"] = 1
    assert odds_of(data, "hits") == odds_of(wanted, "hits")


def test_the_example_is_answered() -> None:
    data = tomllib.loads(SYSTEM.example)
    assert mean(odds_of(data, "hits")) == Fraction(197, 250)
