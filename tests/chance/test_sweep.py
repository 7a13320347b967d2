"""Sweeps: slices of a joint, packed sums, tallies; all exact, whichever way they are added up."""

from fractions import Fraction
from itertools import product

import pytest

from firepower.chance import (
    AtLeast,
    Distribution,
    Final,
    Next,
    Roll,
    Situation,
    Solver,
    Step,
    Tally,
    Task,
    situation,
)
from firepower.chance.steps import AnyStep
from tests.chance.brute import counted, number_of, odds_of, part
from tests.chance.toys import (
    COIN,
    D2,
    D3,
    D4,
    D6,
    Effect,
    HandfulThrow,
    LocalHandfulStrike,
    LocalNote,
    LocalThrow,
    Note,
    Score,
    Strike,
    Throw,
    Watch,
    scores,
    times,
)

BLOOD = Effect(1, (("hit", 1), ("blood", 3)))
BLOW = Throw(D3, 3, BLOOD, scores("missed"), while_tokens=1)
COUNTER = Throw(COIN, 2, Effect(todo=(Task(BLOW, "a"),)), Effect(1), while_tokens=1)
GRAZES = LocalHandfulStrike((Throw(D2, 2, scores("loss", 2), scores("loss")),), while_tokens=1)


def skirmish() -> Situation:
    """Two who strike each other: steps of every kind, few enough dice for brute force."""
    return situation(
        {"a": 2, "b": 2},
        times(COUNTER, 2, "b"),
        times(GRAZES, 2, "b"),
        Task(LocalThrow(D3, 2, Effect(records=(("hit", 2),)), scores("hit", 5)), "a"),
    )


TALLIES = (
    Tally(("a.hit",)),
    Tally(("a.hit",), cap=3),
    Tally(("a.hit",), "greatest"),
    Tally(("a.hit",), "greatest", cap=4),
    Tally(("a.missed",), "any"),
    Tally(("a.hit", "a.blood", "b.loss")),
    Tally(("b.loss",)),
    Tally(("b.loss",), "any"),
    Tally(("a.nothing",)),
    Tally(("a.nothing",), "any"),
    Tally(("a.nothing",), "greatest"),
)
FINALS = (Final("a", int), Final("b", lambda tokens: tokens > 0))


@pytest.mark.parametrize("measure", TALLIES)
def test_a_measure_is_what_every_play_comes_to(measure: Tally) -> None:
    assert odds_of(Solver().odds(skirmish(), measure)) == counted(
        skirmish(), lambda played: played.number(measure)
    )


@pytest.mark.parametrize("final", FINALS)
def test_a_final_state_is_what_every_play_ends_with(final: Final) -> None:
    assert odds_of(Solver().odds(skirmish(), final)) == counted(
        skirmish(), lambda played: final.of(part(played, final.who))
    )


def test_every_slice_is_the_margin_of_the_joint() -> None:
    asked: tuple[Tally | Final, ...] = (*TALLIES, *FINALS)
    solver = Solver()
    joint = solver.joint(skirmish(), asked)
    assert sum(chance for _, chance in joint) == 1
    for at, measure in enumerate(asked):
        margin = joint.map(lambda outcome, at=at: outcome[at])  # type: ignore[misc]  # mypy cannot infer it
        assert margin == solver.odds(skirmish(), measure)


def test_the_joint_is_counted_together_and_not_multiplied() -> None:
    asked = (TALLIES[0], TALLIES[4], FINALS[1])
    joint = odds_of(Solver().joint(skirmish(), asked))
    assert joint == counted(
        skirmish(),
        lambda played: (played.number(asked[0]), played.number(asked[1]), part(played, "b") > 0),
    )
    alone = [Solver().odds(skirmish(), measure) for measure in asked]
    multiplied = {
        outcome: alone[0].p(outcome[0]) * alone[1].p(outcome[1]) * alone[2].p(outcome[2])
        for outcome in joint
    }
    assert joint != multiplied


SCATTER = (
    times(Score(D6), 3, "a"),
    Task(Throw(COIN, 2, scores("score", 4), Effect(todo=(Score(D4),))), "a"),
)


@pytest.mark.parametrize("cap", [None, 0, 1, 7, 12, 22, 100])
def test_packed_sums_are_the_sums_of_single_weights(cap: int | None) -> None:
    """A sum of one measure is packed; in a joint each total keeps its own weight."""
    start = situation({"a": 0}, *SCATTER)
    measure = Tally(("a.score",), cap=cap)
    packed = Solver().odds(start, measure)
    single = Solver().joint(start, (measure,)).map(lambda outcome: outcome[0])
    assert packed == single
    assert odds_of(packed) == counted(start, number_of(measure))


@pytest.mark.parametrize("far", [1, 1_000, 10**5, 10**7, 10**30])
def test_totals_far_apart_are_added_up_all_the_same(far: int) -> None:
    twice = times(Throw(COIN, 2, scores("score", far), scores("score")), 2, "a")
    odds = Solver().odds(situation({"a": 0}, twice, Task(Score(D2), "a")), Tally(("a.score",)))
    expected: dict[int, Fraction] = {}
    for one, two, last in product((1, 2, 3), (1, 2, 3), (1, 2)):
        total = sum(far if place == 3 else 1 for place in (one, two)) + last
        expected[total] = expected.get(total, Fraction(0)) + Fraction(1, 18)
    assert odds_of(odds) == expected


def test_sums_of_many_dice_keep_every_last_weight() -> None:
    odds = Solver().odds(situation({"a": 0}, times(Score(D6), 60, "a")), Tally(("a.score",)))
    ways = [1]
    for _ in range(60):
        ways = [
            sum(ways[total - face] for face in range(1, 7) if 0 <= total - face < len(ways))
            for total in range(len(ways) + 6)
        ]
    assert odds == Distribution({total: way for total, way in enumerate(ways) if way})
    assert odds.p(60) == Fraction(1, 6**60)


@pytest.mark.parametrize("measure", TALLIES)
def test_records_made_before_are_counted_from_there(measure: Tally) -> None:
    fresh = skirmish()
    records = (("a.hit", 4), ("b.hit", 9), ("a.missed", 1))
    start = Situation(fresh.names, fresh.parts, fresh.agenda, records=records)
    expected = counted(start, lambda played: played.number(measure))
    solver = Solver()
    assert odds_of(solver.odds(start, measure)) == expected
    assert solver.joint(start, (measure,)).map(lambda o: o[0]) == solver.odds(start, measure)
    assert solver.odds(fresh, measure) == Solver().odds(fresh, measure)


@pytest.mark.parametrize("kept", TALLIES)
def test_tallies_that_are_kept_change_no_odds(kept: Tally) -> None:
    """The same question with a tally that waits in the state for a step that ignores it."""
    fresh, solver = skirmish(), Solver()
    watched = situation({"a": 2, "b": 2}, *fresh.agenda, Watch(kept))
    assert solver.whole(watched) > solver.whole(fresh) or kept.names == ("a.nothing",)
    for measure in (*TALLIES, *FINALS):
        assert solver.odds(watched, measure) == solver.odds(fresh, measure)


def test_a_step_that_is_a_resolution_is_worth_the_steps_inside() -> None:
    inside = (Throw(D3, 2, scores("hit"), scores("missed")), Score(D4))
    plain = situation({"a": 0}, *(times(step, 1, "a") for step in (*inside, *inside)))
    resolved = situation({"a": 0}, times(Strike(inside, "hit"), 2, "a"))
    asked = tuple(Tally((f"a.{name}",)) for name in ("hit", "missed", "score"))
    assert Solver().joint(resolved, asked) == Solver().joint(plain, asked)


def test_what_is_recorded_inside_a_resolution_is_added_up_to_one_record() -> None:
    start = situation({"a": 0}, times(Strike((times(Score(D2), 2),), "score"), 2, "a"))
    greatest = Tally(("a.score",), "greatest")
    quarter = Fraction(1, 4)
    one = {2: quarter, 3: 2 * quarter, 4: quarter}
    expected: dict[int, Fraction] = {}
    for (first, chance), (second, share) in product(one.items(), repeat=2):
        total = max(first, second)
        expected[total] = expected.get(total, Fraction(0)) + chance * share
    assert odds_of(Solver().odds(start, greatest)) == expected
    assert counted(start, number_of(greatest)) == expected


class Swing(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """A gain or a loss."""

    signed = True

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll("swing", COIN, AtLeast(2))

    def then(self, tokens: int, up: bool) -> Next[int]:
        return Next(tokens, records={"luck": 5 if up else -2})


@pytest.mark.parametrize(
    "measure",
    [
        Tally(("a.luck",)),
        Tally(("a.luck", "a.score")),
        Tally(("a.luck",), "greatest"),
        Tally(("a.luck",), "any"),
    ],
)
def test_records_may_be_less_than_nothing_where_a_step_says_so(measure: Tally) -> None:
    start = situation({"a": 0}, times(Swing(), 3, "a"), Task(Score(D3), "a"), Task(Swing(), "a"))
    expected = counted(start, lambda played: played.number(measure))
    assert odds_of(Solver().joint(start, (measure,)).map(lambda o: o[0])) == expected
    assert odds_of(Solver().odds(start, measure)) == expected


def test_one_step_that_records_several_names_counts_for_each_measure() -> None:
    both = Note(Effect(records=(("x", 2), ("y", 5))))
    start = situation({"a": 0}, times(both, 3, "a"))
    asked = tuple(
        Tally(names, how)
        for names, how in [
            (("a.x", "a.y"), "sum"),
            (("a.x",), "sum"),
            (("a.x", "a.y"), "greatest"),
            (("a.y",), "any"),
        ]
    )
    assert odds_of(Solver().joint(start, asked)) == {(21, 6, 5, True): 1}


@pytest.mark.parametrize(
    "steps",
    [
        (times(HandfulThrow(D3, 3, scores("hit")), 3, "a"),),
        (times(LocalHandfulStrike((Throw(D3, 3, scores("loss")),)), 3, "a"),),
        (Task(Throw(D3, 3, scores("hit"), Effect(todo=(LocalNote(scores("hit", 2)),))), "a"),),
    ],
)
def test_chances_add_up_to_one(steps: tuple[AnyStep | Task, ...]) -> None:
    start = situation({"a": 3}, *steps)
    odds = Solver().odds(start, Tally(("a.hit", "a.loss")))
    assert sum(chance for _, chance in odds) == 1
    assert len(odds) > 1
