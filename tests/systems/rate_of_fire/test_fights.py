"""Fights as a whole: what holds for plans, samples beside exact odds, odds from the middle."""

from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from firepower.answers.odds import SEED
from firepower.answers.odds import odds as find_odds
from firepower.answers.question import read_question
from firepower.chance import (
    Die,
    Generator,
    Goal,
    LimitError,
    Policies,
    Roll,
    Solver,
    Typed,
    play,
)
from firepower.chance.answered import END
from firepower.combat.game import Opening
from firepower.combat.turns import RoundEnds, how_things_stand
from firepower.report import odds_data, when
from tests.systems.rate_of_fire.helpers import ERRORS, Data, check_plays, opened

EXAMPLES = Path(__file__).parents[3] / "examples"


def shooter(skill: int, toughness: int, **more: Any) -> Data:
    """Somebody with an autogun, 50 m from the other."""
    carried = {"loaded": 20, "magazine": 20, **more.pop("carried", {})}
    return {
        "ranged_combat": skill,
        "willpower": 40,
        "toughness": toughness,
        "distance": 50,
        "ap": 2,
        "weapons": {"autogun": carried},
        **more,
    }


def line(by: str, action: str, **more: Any) -> Data:
    at = {"scout": "cultist", "cultist": "scout"}[by]
    return {"by": by, "action": action, "at": [at], **more}


DUEL: Data = {
    "system": "rate-of-fire",
    "rounds": 2,
    "combatants": {
        "scout": shooter(45, 35, fate=5),
        "cultist": shooter(60, 20, armour=2),
    },
    "do": [
        line("scout", "full-auto", dice=2, otherwise=["clear-jam", "reload"]),
        line("cultist", "aim"),
        line("cultist", "single-shot", otherwise=["clear-jam"]),
    ],
    "policies": {"fate_reroll": "every_test"},
}
"""A smaller duel: two rounds, pinning, fatigue, an aim, reloading and Fate."""


WATCHED: Data = DUEL | {
    "combatants": DUEL["combatants"] | {"lookout": shooter(40, 30)},
    "do": [*DUEL["do"], {"by": "lookout", "action": "aim"}],
}
"""The same with somebody who only aims, which is little to ask about."""


@pytest.fixture(scope="module")
def duel() -> Opening:
    return opened(DUEL)


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver()


def test_samples_agree_with_the_exact_odds(duel: Opening, solver: Solver) -> None:
    count = 20_000
    names = list(duel.measures)
    sampled = Solver().sample(duel.situation, list(duel.measures.values()), count, seed=7)
    for name, each in zip(names, sampled, strict=True):
        exact = solver.odds(duel.situation, duel.measures[name])
        assert set(each.seen.weights) <= set(exact.weights)
        for outcome, p in exact:
            bound = ERRORS * sqrt(p * (1 - p) / count)
            assert abs(each.seen.p(outcome) - p) <= bound, (name, outcome)


def test_played_fights_have_the_exact_odds(duel: Opening, solver: Solver) -> None:
    check_plays(duel, solver, 4_000, Generator(3))


def test_each_measure_is_what_a_joint_says(duel: Opening, solver: Solver) -> None:
    names = ["scout.hits_scored", "cultist.out_of_action", "scout.fate_spent", "cultist.pinned"]
    measures = [duel.measures[name] for name in names]
    joint = solver.joint(duel.situation, measures)
    assert sum(p for _, p in joint) == 1
    for at, measure in enumerate(measures):
        alone = dict(solver.odds(duel.situation, measure))
        marginal: dict[Any, Fraction] = {}
        for outcome, p in joint:
            marginal[outcome[at]] = marginal.get(outcome[at], Fraction(0)) + p
        assert marginal == alone


@pytest.mark.parametrize("number", [1, 2])
def test_a_round_is_what_a_fight_of_so_many_rounds_is(
    duel: Opening, solver: Solver, number: int
) -> None:
    shorter = opened(DUEL | {"rounds": number})
    for name, measure in duel.measures.items():
        by_mark = solver.odds_by_mark(duel.situation, measure)
        assert set(by_mark) == {"round 1", "round 2", END}
        one = solver.odds(shorter.situation, shorter.measures[name])
        assert by_mark[f"round {number}"] == one
        assert by_mark[END] == by_mark["round 2"] == solver.odds(duel.situation, measure)


def test_odds_by_round_are_reported_for_each_round() -> None:
    question = read_question(DUEL)
    names = ["cultist.out_of_action", "cultist.injury"]
    found = find_odds(question, measures=names, by_round=True)
    assert list(found.after) == [1, 2]
    assert found.after[2].measures == found.measures
    first, last = (found.after[n].measures["cultist.out_of_action"].p(True) for n in (1, 2))  # noqa: FBT003 - an outcome
    assert 0 < first < last


# -- from the middle -----------------------------------------------------------------------------


def in_round_two(opening: Opening, seed: int) -> tuple[list[str], Die]:
    """The faces of a recorded fight up to a single die of its second round, and that die."""
    played = play(opening.situation, Generator(seed), Policies())
    faces = [str(face) for face in played.faces]
    for count in range(len(faces)):
        try:
            half = play(opening.situation, Typed(faces[:count]), Policies()).situation
        except ValueError:  # in the middle of a handful
            continue
        ends = [task.step.number for task in half.agenda if isinstance(task.step, RoundEnds)]
        if ends != [2] or half.agenda[0].who not in half.names:
            continue
        asked = half.agenda[0].step.ask(half.parts[half.names.index(half.agenda[0].who)])
        if isinstance(asked, Roll) and len(asked.throw.physical()) == 1:
            return faces[:count], asked.throw.physical()[0]
    raise AssertionError("the fight has no second round")


@pytest.mark.parametrize("seed", [1, 13, 31])
def test_odds_from_the_middle_of_round_two_average_to_those_before(seed: int) -> None:
    """Over all faces of the next die the odds from there average to the odds before it."""
    question = read_question(DUEL)
    faces, die = in_round_two(question.opening, seed)
    names = ["scout.damage", "cultist.damage", "cultist.hits_scored", "scout.hits_scored"]

    def means(given: list[str]) -> list[Fraction]:
        found = find_odds(question, measures=names, dice=given).measures
        return [found[name].mean for name in names]

    values = [means([*faces, str(face)]) for face in die.faces]
    assert means(faces) == [sum(each) / len(values) for each in zip(*values, strict=True)]
    assert len(set(map(tuple, values))) > 1


@pytest.mark.parametrize("seed", [1, 13, 31])
def test_from_the_middle_of_round_two_there_is_no_answer_for_the_first(seed: int) -> None:
    question = read_question(DUEL)
    faces, _ = in_round_two(question.opening, seed)
    found = find_odds(question, dice=faces, by_round=True)
    assert list(found.after) == [2]
    assert found.after[2].measures == found.measures
    half = play(question.opening.situation, Typed(faces), Policies()).situation
    for name, measure in question.opening.measures.items():
        by_mark = Solver().odds_by_mark(half, measure)
        assert set(by_mark) == {"round 2", END}
        assert by_mark[END] == found.measures[name]


def test_a_whole_recorded_fight_leaves_nothing_open() -> None:
    question = read_question(DUEL)
    played = play(question.opening.situation, Generator(5), Policies())
    faces = [str(face) for face in played.faces]
    found = find_odds(question, dice=faces, by_round=True)
    for name, measure in question.opening.measures.items():
        assert dict(found.measures[name]) == {played.value(measure): 1}
    assert found.after == {}


# -- what is too large ---------------------------------------------------------------------------


def test_beyond_the_limit_a_report_samples_and_says_so() -> None:
    question = read_question(DUEL)
    found = find_odds(question, solver=Solver(limit=300), samples=500)
    assert set(found.sampled) == set(found.measures)
    data = odds_data(found)
    assert data["method"] == {
        "kind": "sampled",
        "situations": 0,
        "limit": 300,
        "limit_of": "situations",
        "samples": 500,
        "seed": SEED,
    }
    row = data["measures"]["cultist.out_of_action"]["distribution"][0]
    share = row["p"]
    assert row["error"] == pytest.approx(sqrt(share * (1 - share) / 500))
    assert found.tests
    again = find_odds(question, solver=Solver(limit=300), samples=500)
    assert again.measures == found.measures


def test_too_much_work_is_sampled_too() -> None:
    """Situations are few enough; the work of all measures together is not."""
    question = read_question(DUEL)
    found = find_odds(question, solver=Solver(work=1_000_000), samples=500)
    assert set(found.sampled) == set(found.measures)
    method = odds_data(found)["method"]
    assert (method["kind"], method["limit"], method["limit_of"]) == ("sampled", 1_000_000, "work")
    assert str(found.why) == "the question needs more than 1,000,000 units of work"
    by_situations = find_odds(question, solver=Solver(limit=300), samples=500)
    assert found.measures == by_situations.measures


@pytest.mark.parametrize(
    ("solver", "sentence"),
    [
        (Solver(limit=300), "the question needs more than 300 situations"),
        (Solver(work=1_000_000), "the question needs more than 1,000,000 units of work"),
    ],
)
def test_without_samples_what_is_too_large_is_refused(solver: Solver, sentence: str) -> None:
    with pytest.raises(LimitError, match=f"^{sentence}$"):
        find_odds(read_question(DUEL), solver=solver, samples=0)


def test_a_measure_is_exact_in_all_rounds_or_sampled_in_all() -> None:
    question = read_question(WATCHED)
    start, measures = question.opening.situation, question.opening.measures
    names = ["lookout.ap_spent", "cultist.out_of_action"]
    costs = [Solver().situations(start, [measures[name]]) for name in names]
    assert costs[0] < costs[1]
    solver = Solver(limit=costs[1] - 1)
    found = find_odds(question, measures=names, by_round=True, samples=500, solver=solver)
    assert list(found.sampled) == names[1:]
    assert list(found.after) == [1, 2]
    for each in found.after.values():
        assert list(each.sampled) == names[1:]
        assert list(each.measures) == names
    assert found.situations == costs[0]
    assert odds_data(found)["method"] == {
        "kind": "partly sampled",
        "situations": costs[0],
        "limit": costs[1] - 1,
        "limit_of": "situations",
        "samples": 500,
        "seed": SEED,
    }
    for number, each in found.after.items():
        assert dict(each.measures[names[0]]) == {number: 1}


def test_the_solver_answers_several_measures_at_once() -> None:
    """Exactly where that does not cost too much, else by the same plays, at each mark."""
    opening = opened(WATCHED)
    start = opening.situation
    names = ["lookout.ap_spent", "cultist.out_of_action", "scout.hits_scored"]
    asked = {name: opening.measures[name] for name in names}
    whole = Solver().answer(start, asked, samples=0, seed=1)
    assert (whole.sampled, whole.why) == ({}, None)
    for name, measure in asked.items():
        assert whole.exact[name] == Solver().odds_by_mark(start, measure)
    few = Solver().situations(start, [asked[names[0]]])
    parted = Solver(limit=few).answer(start, asked, samples=300, seed=1)
    assert parted.exact == {names[0]: whole.exact[names[0]]}
    assert parted.situations == few
    assert parted.why is not None
    assert (parted.why.bound, parted.why.most) == ("situations", few)
    drawn = Solver().sample_by_mark(start, [asked[name] for name in names[1:]], 300, 1)
    assert set(drawn) == {"round 1", "round 2", END}
    for mark, each in drawn.items():
        assert parted.at(mark) == (
            {names[0]: whole.exact[names[0]][mark]},
            dict(zip(names[1:], each, strict=True)),
        )
    assert parted.comes_to("round 2")
    assert not parted.comes_to("round 3")


def test_rounds_that_are_sampled_are_of_the_same_plays() -> None:
    """What only ever grows does not fall from one round to the next."""
    question = read_question(DUEL | {"rounds": 4})
    names = ["scout.rounds_spent", "cultist.damage", "cultist.pinned"]
    solver = Solver(limit=300)
    found = find_odds(question, measures=names, by_round=True, samples=300, solver=solver)
    assert list(found.after) == [1, 2, 3, 4]
    assert set(found.after[4].sampled) == set(names) == set(found.sampled)
    for name in names:
        means = [each.measures[name].mean for each in found.after.values()]
        assert means == sorted(means)
    assert found.measures == found.after[4].measures


def test_what_lasts_is_told_apart_from_what_has_been(duel: Opening, solver: Solver) -> None:
    for name in ("pinned", "still_pinned"):
        assert f"cultist.{name}" in duel.measures
    now, ever = (
        solver.odds(duel.situation, duel.measures[f"cultist.{name}"]).p(True)  # noqa: FBT003 - an outcome
        for name in ("still_pinned", "pinned")
    )
    assert 0 < now < ever
    jam = [duel.measures[f"cultist.{name}"] for name in ("still_jammed", "jam")]
    joint = solver.joint(duel.situation, jam)
    assert joint.p((True, False)) == 0
    assert joint.p((False, True)) > 0


# -- the best plan -------------------------------------------------------------------------------


def test_the_marksman_saves_fate_the_longer_the_fight_is() -> None:
    """With one turn left a failed shot is rolled again; with three the points are kept."""
    best = {}
    for turns in (1, 3):
        question = read_question(EXAMPLES / "turn.toml", choosing=True, turns=turns)
        opening = question.opening
        goal = Goal(opening.measures["cultist.out_of_action"])
        advice = Solver().advice(opening.situation, goal, opening.askers)
        rerolls = [each for each in advice.decisions if "roll again" in each.label]
        likeliest = max(rerolls, key=lambda each: each.arrives)
        best[turns] = likeliest.best
    assert best == {1: "yes", 3: "no"}


def test_every_decision_of_a_plan_tells_when_it_comes() -> None:
    question = read_question(EXAMPLES / "turn.toml", choosing=True, turns=3)
    opening = question.opening
    goal = Goal(opening.measures["cultist.out_of_action"])
    advice = Solver().advice(opening.situation, goal, opening.askers)
    told = [
        (each.label, how_things_stand(each.by, each.mark, state))
        for each in advice.decisions
        for state in each.states
    ]
    assert len(advice.decisions) > 100
    assert len(told) > 2 * len(advice.decisions)
    assert len(set(told)) == len(told)
    assert all(when.startswith("round ") for _, when in told)
    assert len({(each.label, when(each)) for each in advice.decisions}) > 180


def test_no_plan_of_fixed_actions_beats_the_best() -> None:
    """Every plan of two turns, written out as lines, is worth no more than the best one."""
    base: Data = {
        "system": "rate-of-fire",
        "combatants": {
            "scout": {
                "ranged_combat": 45,
                "ap": 1,
                "weapons": {"autogun": {"loaded": 3, "magazine": 3}},
            },
            "cultist": {"distance": 50, "toughness": 20},
        },
    }
    name = "cultist.out_of_action"
    question = read_question(
        base | {"do": [{"by": "scout", "at": ["cultist"]}]}, choosing=True, turns=3
    )
    opening = question.opening
    best = Solver().advice(opening.situation, Goal(opening.measures[name]), opening.askers).value
    actions = ("aim", "single-shot", "semi-auto", "reload")
    values = {}
    for plan in ((a, b, c) for a in actions for b in actions for c in actions):
        lines = [line("scout", action, in_rounds=[number]) for number, action in enumerate(plan, 1)]
        if all(action in ("aim", "reload") for action in plan):
            continue
        found = opened(base | {"do": lines, "rounds": 3})
        values[plan] = Solver().odds(found.situation, found.measures[name]).mean
    assert max(values.values()) <= best
    assert best > 0
