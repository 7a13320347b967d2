"""The solver: what can be asked, in any order, with any memory; Resolutions used like dice."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest

from firepower.chance import (
    Distribution,
    Final,
    Generator,
    Goal,
    LimitError,
    Next,
    Resolution,
    Roll,
    Situation,
    Solver,
    Step,
    StepError,
    Tally,
    Task,
    Total,
    play,
    situation,
)
from tests.chance.brute import counted, odds_of, part
from tests.chance.toys import (
    COIN,
    D2,
    D3,
    D4,
    Effect,
    LocalHandfulThrow,
    LocalNote,
    LocalThrow,
    Note,
    Pick,
    Score,
    Strike,
    Tell,
    Throw,
    scores,
    times,
)

HITS = Tally(("a.hit",))
FALLS = Tally(("b.fallen",), "any")
STANDING = Final("b", lambda tokens: tokens > 0)

WOUND = Throw(D3, 2, Effect(1, (("wound", 1),)), while_tokens=1)
SHOT = Throw(COIN, 2, Effect(records=(("hit", 1),), todo=(Task(WOUND, "b"),)))
DODGE = Pick("b", (("duck", Effect(lose=1)), ("stand", Effect())), "stand")


def duel(shots: int = 3) -> Situation:
    return situation({"a": 0, "b": 2}, Task(DODGE, "b"), times(SHOT, shots, "a"), Tell(HITS))


Question = Callable[[Solver], Any]

QUESTIONS: tuple[Question, ...] = (
    lambda solver: solver.odds(duel(), HITS),
    lambda solver: solver.odds(duel(), STANDING),
    lambda solver: solver.joint(duel(), (Tally(("told",)), STANDING, HITS)),
    lambda solver: solver.advice(
        duel(), Goal(Tally(("b.wound",)), 2), frozenset({"b"}), least=True
    ),
    lambda solver: [s.seen for s in solver.sample(duel(), (HITS, STANDING), 50, seed=3)],
    lambda solver: solver.odds(duel(2), HITS),
)


# -- nothing depends on what was asked before ----------------------------------------------------


@pytest.mark.parametrize("memory", [0, 1, 10, 25, 1000, 2_000_000])
def test_answers_depend_neither_on_their_order_nor_on_the_memory(memory: int) -> None:
    fresh = [question(Solver()) for question in QUESTIONS]
    for order in permutations(range(len(QUESTIONS)), 3):
        solver = Solver(memory=memory)
        for at in (*order, *order):
            assert QUESTIONS[at](solver) == fresh[at]


def test_answers_are_the_same_after_everything_was_forgotten() -> None:
    solver = Solver()
    before = [question(solver) for question in QUESTIONS]
    solver.forget()
    assert [question(solver) for question in QUESTIONS] == before


def test_steps_that_differ_only_in_a_number_are_not_confused() -> None:
    solver = Solver()
    for least in (1, 2, 3, 4):
        start = situation({"a": 0}, Task(Throw(D4, least, scores("hit")), "a"))
        assert solver.odds(start, HITS).mean == Fraction(5 - least, 4)


def test_equal_parts_of_different_combatants_are_not_confused() -> None:
    solver = Solver()
    for who, other in (("a", "b"), ("b", "a")):
        start = situation({"a": 3, "b": 3}, Task(Note(Effect(1, (("hit", 1),))), who))
        asked = (Tally((f"{who}.hit",)), Tally((f"{other}.hit",)), Final(who, int))
        assert odds_of(solver.joint(start, asked)) == {(1, 0, 2): 1}


def test_equal_parts_of_different_types_are_not_confused() -> None:
    start = situation({"a": 1, "b": True, "c": 1.0}, Task(Note(scores("hit")), "b"))
    shown = tuple(Final(name, repr) for name in "abc")
    untouched = situation({"a": 1, "b": True, "c": 1.0})
    assert odds_of(Solver().joint(untouched, shown)) == {("1", "True", "1.0"): 1}
    assert Solver().odds(start, Final("a", repr)).p("1") == 1


# -- what can be asked ---------------------------------------------------------------------------


def test_odds_by_hand() -> None:
    odds = Solver().odds(duel(2), HITS)
    assert odds_of(odds) == {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}
    fallen = Fraction(1, 9) * Fraction(4, 9)
    assert odds_of(Solver().odds(duel(2), STANDING)) == {True: 1 - fallen, False: fallen}


def test_a_joint_has_its_measures_in_the_order_asked() -> None:
    asked = (HITS, Tally(("b.wound",)), STANDING)
    joint = Solver().joint(duel(), asked)
    turned = Solver().joint(duel(), asked[::-1])
    assert turned == joint.map(lambda outcome: outcome[::-1])
    assert joint.p((2, 2, False)) == Fraction(2, 9) * Fraction(4, 9)
    assert joint.p((2, 2, True)) == 0


def test_a_joint_of_nothing_is_certain() -> None:
    assert odds_of(Solver().joint(duel(), ())) == {(): 1}


def test_a_question_with_nothing_to_do_is_certain() -> None:
    start = Situation(("a",), (4,), (), records=(("a.hit", 2),))
    assert odds_of(Solver().joint(start, (HITS, Final("a", int)))) == {(2, 4): 1}


def test_any_gives_booleans_and_sums_give_numbers() -> None:
    odds = Solver().odds(duel(), Tally(("a.hit",), "any"))
    assert [type(outcome) for outcome, _ in odds] == [bool, bool]
    assert odds == Distribution({False: 8, True: 19})


def test_a_final_state_may_be_told_in_words() -> None:
    fate = Final("b", lambda tokens: "up" if tokens else "down")
    assert Solver().odds(duel(2), fate).p("down") == Fraction(4, 81)


def test_how_many_situations_there_are() -> None:
    skirmish = situation(
        {"a": 0, "b": 0},
        times(LocalThrow(COIN, 2, scores("hit")), 4, "a"),
        times(LocalHandfulThrow(COIN, 2, scores("hit")), 2, "b"),
    )
    solver, b_hits = Solver(), Tally(("b.hit",))
    # repeats of a step are one way, from their beginning to their end
    assert solver.situations(skirmish, (HITS,)) == 2
    assert solver.situations(skirmish, (b_hits,)) == 2
    assert solver.situations(skirmish, (HITS, Tally(("a.hit",), "any"), b_hits)) == 4
    assert solver.whole(skirmish) == 3


def test_every_question_on_the_way_is_listed_once_nearest_first() -> None:
    asked = [(who, question.label) for who, question in Solver().asked(duel(), STANDING)]
    assert asked == [("b", "pick"), ("a", "throw"), ("b", "throw")]


def test_a_limit_is_for_one_answer_and_not_for_all() -> None:
    solver = Solver(limit=21)
    starts = [situation({"a": n}, times(Throw(COIN, 2, scores("hit")), 20, "a")) for n in range(5)]
    for start in starts:
        assert solver.odds(start, HITS).p(0) == Fraction(2**20, 3**20)
    with pytest.raises(LimitError):
        solver.odds(situation({"a": 0}, times(Score(D2), 21, "a")), HITS)


# -- Resolutions ---------------------------------------------------------------------------------


class Bruise(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """Hurts by the throw and by what the part inside has; that part grows."""

    def ask(self, heat: int) -> Roll[int]:
        return Roll("bruise", D2, Total())

    def then(self, heat: int, total: int) -> Next[int]:
        return Next(heat + 1, records={"loss": total + heat, "bruises": 1})


def test_a_resolution_runs_on_its_own_part_and_answers_with_one_of_its_records() -> None:
    strike = Strike((times(Bruise(), 2),), "loss", part_inside=10)
    start = situation({"a": 100}, Task(strike, "a"))
    asked = (Final("a", int), Tally(("a.loss",)), Tally(("a.bruises",)))
    quarter = Fraction(1, 4)
    assert odds_of(Solver().joint(start, asked)) == {
        (77, 23, 2): quarter,
        (76, 24, 2): 2 * quarter,
        (75, 25, 2): quarter,
    }


def test_a_resolution_that_records_no_answer_answers_nought() -> None:
    start = situation({"a": 5}, Task(Strike((times(Bruise(), 2),), "luck"), "a"))
    assert odds_of(Solver().odds(start, Final("a", int))) == {5: 1}
    assert odds_of(Solver().odds(start, Tally(("a.bruises",)))) == {2: 1}


def test_a_resolution_inside_a_resolution() -> None:
    twice = Strike((times(Throw(D2, 2, scores("loss", 2), scores("loss")), 2),))
    again = Throw(COIN, 2, Effect(records=(("deep", 1),), todo=(twice,)))
    start = situation({"a": 9}, times(Strike((again, twice)), 2, "a"))
    records = (Tally(("a.loss",)), Tally(("a.deep",)))
    joint = odds_of(Solver().joint(start, (Final("a", int), *records)))
    assert joint == counted(start, lambda played: (part(played, "a"), *map(played.number, records)))
    assert len(joint) > 10


def test_equal_resolutions_have_equal_answers_whoever_asks() -> None:
    inside = (times(Bruise(), 2),)
    one = Strike(inside, "loss", scores("hit"))
    two = Strike(inside, "loss", Effect(records=(("hit", 1),)), while_tokens=1)
    start = situation({"a": 9, "b": 7}, Task(one, "a"), Task(two, "b"))
    joint = Solver().joint(start, (Final("a", int), Final("b", int)))
    assert joint.map(lambda o: 9 - o[0]) == joint.map(lambda o: 7 - o[1])
    assert joint.p((9 - 3, 7 - 5)) == Fraction(1, 16)


def test_a_resolution_that_leads_outside_itself_is_refused() -> None:
    inside = Note(Effect(0, (), (Task(Note(Effect(0, (), ())), "b"),)))

    class Outer(Step[int, int], frozen=True, gc=False, cache_hash=True):
        def ask(self, part: int) -> Resolution:
            return Resolution("inner", (inside,), "x", 0, recorded=True)

        def then(self, part: int, read: int) -> Next[int]:
            return Next(part)

    with pytest.raises(StepError, match="'b', who is not here"):
        Solver().odds(situation({"a": 0, "b": 0}, Task(Outer(), "a")), Tally(("a.x",)))


@pytest.mark.parametrize("step", [Note(Effect(0, (), ())), LocalNote(Effect(0, (), ()))])
def test_a_step_for_somebody_who_is_not_here_is_refused(step: Step[int, None]) -> None:
    start = situation({"a": 0}, Task(step, "ghost"))
    with pytest.raises(StepError, match="'ghost', who is not here"):
        Solver().odds(start, Tally(("a.x",)))
    with pytest.raises(StepError, match="'ghost', who is not here"):
        play(start, Generator(1))
