"""Bounds: what costs too much is refused, early, the same whatever was asked before."""

import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firepower.chance import (
    END,
    NOBODY,
    Answered,
    ChanceError,
    Final,
    Generator,
    Goal,
    LimitError,
    Next,
    Roll,
    Situation,
    Solver,
    Step,
    StepError,
    Tally,
    Task,
    Total,
    dice,
    play,
    sample,
    situation,
)
from firepower.chance.bounds import Bounds
from firepower.chance.graph import Graph, Growth
from firepower.chance.steps import AnyStep
from firepower.chance.sweep import sweep
from tests.chance.random_games import NAMES, TALLIES, games
from tests.chance.toys import (
    COIN,
    D2,
    D6,
    Bell,
    Effect,
    LocalThrow,
    Pick,
    Score,
    Strike,
    Tell,
    Throw,
    scores,
    times,
)

X = Tally(("a.x",))
HIT = Throw(COIN, 2, scores("x"))
AMPLE = 10**15
ASKED: tuple[Tally | Final, ...] = (*TALLIES, *(Final(name, int) for name in NAMES))


def coins(number: int, who: str = "a", step: AnyStep = HIT) -> Situation:
    return situation({"a": 0, "b": 0}, times(step, number, who))


def explored(start: Situation, bounds: Bounds, asked: int = 1) -> tuple[Graph, bool]:
    """The situations that are looked at, and whether that was all."""
    solver = Solver()
    graph = Graph(solver._rows, solver._pools, start, frozenset(start.names))
    try:
        graph.explore(bounds, asked)
    except LimitError:
        return graph, False
    return graph, True


def least(enough: Callable[[int], bool]) -> int:
    """The least number that is enough."""
    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle
    return high


def refused(reading: Callable[[], object]) -> LimitError | None:
    try:
        reading()
    except LimitError as error:
        return error
    return None


# -- what is bounded -----------------------------------------------------------------------------


def test_too_many_situations_are_refused_with_a_sentence() -> None:
    error = refused(lambda: Solver(limit=1234).odds(coins(2000), X))
    assert error is not None
    assert (error.bound, error.most) == ("situations", 1234)
    assert str(error) == "the question needs more than 1,234 situations"


def test_too_much_work_is_refused_with_a_sentence() -> None:
    error = refused(lambda: Solver(work=54_321).odds(coins(50), X))
    assert error is not None
    assert (error.bound, error.most) == ("work", 54_321)
    assert str(error) == "the question needs more than 54,321 units of work"


@pytest.mark.parametrize("tally", [X, Tally(("a.x",), "greatest")])
def test_too_many_bytes_are_refused_with_a_sentence(tally: Tally) -> None:
    """Packed, or value by value."""
    graph, whole = explored(coins(50, step=Score(D6, "x")), Bounds())
    assert whole
    assert sweep(graph, (tally,), (0,), Bounds())
    error = refused(lambda: sweep(graph, (tally,), (0,), Bounds(size=150)))
    assert error is not None
    assert (error.bound, error.most) == ("bytes", 150)
    assert str(error) == "the question needs more than 150 bytes for its weights"


def test_what_just_fits_is_answered() -> None:
    for start in (coins(40), coins(7, step=Score(D6, "x"))):
        size = Solver().situations(start, (X,))
        assert refused(lambda start=start, size=size: Solver(limit=size).odds(start, X)) is None  # type: ignore[misc]  # mypy cannot infer it
        assert refused(lambda start=start, size=size: Solver(limit=size - 1).odds(start, X))  # type: ignore[misc]  # as above
        work = least(lambda n, start=start: not refused(lambda: Solver(work=n).odds(start, X)))  # type: ignore[misc]  # as above
        assert Solver(work=work).odds(start, X) == Solver().odds(start, X)


@pytest.mark.parametrize(
    "reading",
    [
        lambda solver, start: solver.odds(start, X),
        lambda solver, start: solver.odds_by_mark(start, Final("a", int)),
        lambda solver, start: solver.joint(start, (X, Final("a", int))),
        lambda solver, start: solver.whole(start),
        lambda solver, start: solver.situations(start, (X,)),
        lambda solver, start: solver.advice(start, Goal(X)),
        lambda solver, start: solver.answer(start, {"x": X}, samples=0, seed=1),
    ],
)
@pytest.mark.parametrize("bound", ["limit", "work"])
def test_every_exact_reading_is_bounded(
    reading: Callable[[Solver, Situation], object], bound: str
) -> None:
    solver = Solver(**{bound: 30})
    assert refused(lambda: reading(solver, coins(100)))
    assert refused(lambda: reading(solver, coins(100)))


def test_work_grows_with_the_values_and_with_the_bits() -> None:
    """The same situations cost more when more different sums are carried through them."""

    def needed(start: Situation, *tallies: Tally) -> int:
        bounds = Bounds(work=AMPLE)
        graph, _ = explored(start, bounds)
        before = bounds.spent
        for tally in tallies:
            sweep(graph, (tally,), (0,), bounds)
        return bounds.spent - before

    step = Throw(COIN, 2, scores("x", 40), scores("x"))
    few, many = needed(coins(60), X), needed(coins(60, step=step), X)
    assert few < many
    assert needed(coins(60), X, X) == 2 * few
    greatest = Tally(("a.x",), "greatest")
    assert needed(coins(60), greatest) < needed(coins(60, step=Score(D6, "x")), greatest)


def test_work_inside_a_resolution_counts_once_for_each_question() -> None:
    def spent(*names: str) -> int:
        quiet = [times(Throw(COIN, 2, Effect(), scores(name, 0)), 300) for name in names]
        bounds = Bounds(work=AMPLE)
        strikes = [Task(Strike((each,), "none"), "a") for each in quiet]
        explored(situation({"a": 0}, *strikes), bounds)
        return bounds.spent

    one, same, two = spent("x"), spent("x", "x"), spent("x", "y")
    assert same < 1.5 * one
    assert two == pytest.approx(2 * one, rel=0.1)


def test_equal_resolutions_are_solved_once_whoever_asks() -> None:
    def spent(*afters: Effect) -> int:
        inside = (times(Throw(COIN, 2, scores("x")), 30),)
        bounds = Bounds(work=AMPLE)
        strikes = [Task(Strike(inside, "none", after), "a") for after in afters]
        explored(situation({"a": 0}, *strikes), bounds)
        return bounds.spent

    once = spent(Effect())
    assert spent(Effect(), scores("y")) < 1.5 * once


def test_a_record_of_nothing_leaves_no_trace() -> None:
    start = coins(5, step=Throw(D6, 2, scores("x", 0), scores("y", 0)))
    graph, _ = explored(start, Bounds())
    assert not graph.made
    assert graph.ways == 1


# -- a bound, as a value -------------------------------------------------------------------------


def test_exactly_as_much_as_is_allowed_is_allowed() -> None:
    bounds = Bounds(situations=5, work=7, size=9)
    bounds.check_situations(5)
    bounds.check_work(7)
    bounds.check_size(9)
    bounds.spend(7)
    for check in (
        lambda: bounds.check_situations(6),
        lambda: bounds.check_work(1),
        lambda: bounds.check_size(10),
        lambda: bounds.spend(1),
    ):
        assert refused(check)


# -- early ---------------------------------------------------------------------------------------


class Restore(Step[int, None], frozen=True, gc=False, cache_hash=True):
    """All tokens again."""

    reach = ()

    def then(self, tokens: int, _: None) -> Next[int]:
        return Next(9)


def rounds(number: int, *, told: bool = True, restored: bool = True, throws: int = 4) -> Situation:
    """Rounds that each begin where the one before began, or where it ended."""
    todo: tuple[Task, ...] = ()
    for left in range(number):
        fight = times(LocalThrow(D2, 2, Effect(1), scores("x")), throws, "a")
        rest = (Task(Restore(), "a"),) if restored else ()
        bell = Task(Bell(f"round {number - left}", todo, left if told else 0), NOBODY)
        todo = (fight, *rest, bell)
    return situation({"a": 9}, *todo)


def test_each_round_adds_the_same() -> None:
    sizes = [len(explored(rounds(number), Bounds())[0]) for number in (1, 2, 3, 10)]
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0]
    assert sizes[3] - sizes[0] == 9 * (sizes[1] - sizes[0])


def test_a_question_that_will_be_too_large_is_given_up_early() -> None:
    size = len(explored(rounds(50), Bounds())[0])
    for limit in (size // 2, size * 9 // 10):
        graph, whole = explored(rounds(50), Bounds(situations=limit))
        assert not whole
        assert len(graph) <= size // 50 + 1
        late, whole = explored(rounds(50, told=False), Bounds(situations=limit))
        assert not whole
        assert len(late) > limit // 2


@pytest.mark.parametrize(
    "throws",
    [
        1,
        4,
        8,
    ],
)
def test_a_question_that_just_fits_is_not_given_up(throws: int) -> None:
    start = rounds(50, throws=throws)
    size = len(explored(rounds(50, told=False, throws=throws), Bounds())[0])
    graph, whole = explored(start, Bounds(situations=size))
    assert (len(graph), whole) == (size, True)
    assert not explored(start, Bounds(situations=size - 1))[1]


@pytest.mark.parametrize("told", [False, True])
@pytest.mark.parametrize("asked", [1, 30])
def test_work_is_looked_ahead_too(told: bool, asked: int) -> None:
    """Told how many rounds are left, less is looked at; but not much less is answered.

    What is read for the first time in the first round is taken to be read in each.
    """
    need = least(lambda work: explored(rounds(50, told=told), Bounds(work=work), asked)[1])
    untold = least(lambda work: explored(rounds(50, told=False), Bounds(work=work), asked)[1])
    assert need <= untold * 1.4
    assert not explored(rounds(50, told=told), Bounds(work=need - 1), asked)[1]
    half, whole = explored(rounds(50, told=told), Bounds(work=need // 2), asked)
    assert not whole
    whole_size = len(explored(rounds(50), Bounds())[0])
    if told:
        assert len(half) <= whole_size // 50 + 1
    elif asked == 1:
        assert len(half) > whole_size // 4


def test_more_measures_need_more_work_before_it_is_done() -> None:
    start = rounds(20)
    needs = [
        least(lambda work, n=n: explored(start, Bounds(work=work), n)[1])  # type: ignore[misc]  # mypy cannot infer it
        for n in (0, 1, 11)
    ]
    assert needs[2] - needs[0] == pytest.approx(11 * (needs[1] - needs[0]), rel=0.01)


def test_rounds_that_only_remember_more_and_more_are_given_up_too() -> None:
    size = len(explored(rounds(8, restored=False, throws=3), Bounds())[0])
    graph, whole = explored(rounds(8, restored=False, throws=3), Bounds(situations=size))
    assert whole
    assert len(graph) == size
    assert not explored(rounds(8, restored=False, throws=3), Bounds(situations=size - 1))[1]


def test_the_most_that_is_left_is_what_is_ahead() -> None:
    """Two ways end together; one has all rounds still to come."""
    last = Task(Bell("over"), NOBODY)
    long, short = rounds(50).agenda, (times(LocalThrow(D2, 2, Effect(1)), 4, "a"), last)
    for hit, miss in ((long, short), (short, long)):
        choice = Throw(COIN, 2, Effect(todo=hit), Effect(todo=miss))
        start = situation({"a": 9}, Task(choice, "a"))
        size = len(explored(start, Bounds())[0])
        graph, whole = explored(start, Bounds(situations=size // 2))
        assert not whole
        assert len(graph) < size // 10


def test_growth_is_told_by_the_last_stage_or_by_the_slowest() -> None:
    growth = Growth()
    assert growth.ahead(10, 2, 3) == 3 * 10  # ten were added, from one; ten for each of two is more
    assert growth.ahead(16, 4, 2) == 2 * 6  # six from two: three each, and twelve for four
    assert growth.ahead(36, 1, 5) == 5 * 3  # twenty from four; but for one at least three
    assert growth.ahead(36, 1, 1) == 0  # nothing was added
    assert growth.ahead(99, 7, 0) == 0  # nothing is left


def test_a_round_that_adds_less_does_not_refuse_what_fits() -> None:
    """The first round is large, all that come after it small."""
    throw = LocalThrow(D2, 2, Effect(1), scores("x"))
    small = Task(LocalThrow(D2, 1, Effect()), "a")
    todo: tuple[Task, ...] = ()
    for left in range(20):
        todo = (small, Task(Bell("round", todo, left), NOBODY))
    start = situation({"a": 99}, times(throw, 60, "a"), Task(Restore(), "a"), *todo)
    size = len(explored(start, Bounds())[0])
    assert size < 2500
    first = len(explored(situation({"a": 99}, times(throw, 60, "a")), Bounds())[0])
    assert size < first + 200
    assert explored(start, Bounds(situations=30 * first))[1]


# -- answers, exact or sampled -------------------------------------------------------------------


def counts(number: int, who: str = "a") -> dict[str, Tally]:
    """Measures that differ, each a sweep of its own."""
    return {f"{who} {cap}": Tally((f"{who}.x",), cap=cap) for cap in range(1, number + 1)}


def busy(number: int = 40) -> Situation:
    local = LocalThrow(COIN, 2, scores("x"))
    return situation({"a": 0, "b": 0}, times(local, number, "a"), times(local, number, "b"))


SAMPLES = 60


def answer(solver: Solver, start: Situation, asked: Mapping[str, Any]) -> Answered | str:
    """An answer; or a sentence, if so little is allowed that no Resolution can be solved."""
    try:
        return solver.answer(start, asked, samples=9, seed=1)
    except LimitError as error:
        return str(error)


def split(answered: Answered | str) -> Any:
    """Which are exact, which sampled, and what was too much."""
    if isinstance(answered, str):
        return answered
    why = answered.why
    return (
        tuple(answered.exact),
        tuple(answered.sampled),
        None if why is None else (why.bound, why.most),
    )


def test_everything_is_exact_while_there_is_work_left() -> None:
    answered = Solver().answer(busy(), counts(5), samples=0, seed=1)
    assert split(answered)[1:] == ((), None)
    for name, tally in counts(5).items():
        assert answered.exact[name][END] == Solver().odds(busy(), tally)
    assert answered.situations == Solver().situations(busy(), list(counts(5).values()))
    assert answered.at(END)[0].keys() == counts(5).keys()
    assert not answered.at(END)[1]


def test_what_is_left_is_sampled_of_the_same_plays_and_nothing_else() -> None:
    asked = {**counts(4, "a"), "far": Tally(("b.x", "a.x")), **counts(4, "b")}
    seen = set()
    for work in range(200_000, 40_000_000, 2_000_000):
        solver = Solver(work=work)
        answered = solver.answer(busy(), asked, samples=SAMPLES, seed=7)
        assert {*answered.exact, *answered.sampled} == set(asked)
        assert not set(answered.exact) & set(answered.sampled)
        assert (answered.why is None) == (not answered.sampled)
        for name, found in answered.exact.items():
            assert found == Solver().odds_by_mark(busy(), asked[name])
        left = [asked[name] for name in answered.sampled]
        if left:
            plays = Solver().sample_by_mark(busy(), left, SAMPLES, 7)[END]
            assert [answered.sampled[name][END] for name in answered.sampled] == plays
            assert all(each.count == SAMPLES for each in plays)
            with pytest.raises(LimitError):
                Solver(work=work).answer(busy(), asked, samples=0, seed=7)
        seen.add(len(answered.exact))
    assert seen > {0}


def test_a_measure_that_is_too_large_leaves_the_others_exact() -> None:
    asked = {"a": X, "both": Tally(("told",)), "b": Tally(("b.x",))}
    start = situation({"a": 0, "b": 0}, *busy(30).agenda, Task(Tell(Tally(("a.x", "b.x"))), ""))
    answered = Solver(limit=2).answer(start, asked, samples=SAMPLES, seed=1)
    assert (list(answered.exact), list(answered.sampled)) == ([], ["a", "both", "b"])
    answered = Solver(limit=100).answer(busy(30), {"a": X, "b": asked["b"]}, samples=0, seed=1)
    assert (list(answered.exact), answered.why) == (["a", "b"], None)
    few = Task(Pick("a", (("u", scores("x")), ("v", Effect())), "u"), "a")
    mixed = situation({"a": 0, "b": 0}, few, *busy(30).agenda[1:])
    answered = Solver(limit=2).answer(mixed, {"a": X, "b": asked["b"]}, samples=SAMPLES, seed=1)
    assert (list(answered.exact), list(answered.sampled)) == (["a"], ["b"])
    assert answered.why is not None
    assert answered.why.bound == "situations"


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(
    games(most=10**6),
    games(most=10**6),
    st.integers(1, 60),
    st.permutations(range(len(ASKED))),
    st.sampled_from((30, 10**6)),
)
def test_too_many_situations_are_too_many_whatever_was_asked_before(
    start: Situation, other: Situation, limit: int, order: Sequence[int], memory: int
) -> None:
    """Which measures are exact, what they are, and what was too much."""
    asked = {str(at): ASKED[at] for at in order}
    solver = Solver(limit, AMPLE, memory)
    for at in order[:4]:
        refused(lambda at=at: solver.odds(start, ASKED[at]))  # type: ignore[misc]  # mypy cannot infer it
        refused(lambda at=at: solver.odds(other, ASKED[at]))  # type: ignore[misc]  # as above
    fresh = answer(Solver(limit, AMPLE), start, asked)
    for _ in range(2):
        again = answer(solver, start, asked)
        assert split(again) == split(fresh)
        assert found(again) == found(fresh)
    for at in order:
        one = refused(partial(Solver(limit, AMPLE).odds, start, ASKED[at]))
        again_one = refused(partial(solver.odds, start, ASKED[at]))
        assert str(one) == str(again_one)


def found(answered: Answered | str) -> Any:
    """What was answered, exactly or not."""
    return answered if isinstance(answered, str) else (answered.exact, answered.sampled)


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(games(most=10**6), st.integers(10_000, 2_000_000), st.permutations(range(len(ASKED))))
def test_two_answers_of_one_solver_are_one_answer(
    start: Situation, work: int, order: Sequence[int]
) -> None:
    """Little work: the same question again has the same exact and the same sampled measures."""
    asked = {str(at): ASKED[at] for at in order}
    solver = Solver(work=work)
    first, again = answer(solver, start, asked), answer(solver, start, asked)
    assert split(again) == split(first)
    assert found(again) == found(first)


WORKS = range(100_000, 3_000_000, 50_000)


def splits(make: Callable[[int], Solver], start: Situation, asked: Mapping[str, Any]) -> list[Any]:
    """The split at more and more work."""
    return [split(make(work).answer(start, asked, samples=5, seed=1)) for work in WORKS]


def test_too_much_work_is_too_much_whatever_was_asked_before() -> None:
    """First one measure, which may fit alone; then ten, which do not."""

    def after_one(work: int) -> Solver:
        solver = Solver(work=work)
        refused(lambda: solver.odds(coins(30), X))
        return solver

    start = coins(30)
    assert splits(after_one, start, counts(10)) == splits(
        lambda w: Solver(work=w), start, counts(10)
    )


def test_too_much_work_is_too_much_whatever_is_remembered() -> None:
    asked = {name: tally for n in range(1, 7) for who in "ab" for name, tally in
             ((f"{who} {n}", Tally((f"{who}.x",), cap=n)),)}  # fmt: skip
    start = busy(60)
    little = splits(lambda work: Solver(work=work, memory=50), start, asked)
    assert little == splits(lambda work: Solver(work=work), start, asked)


def widening() -> Situation:
    """After a long round about a alone somebody else turns out to matter to a."""
    reply = Throw(COIN, 2, Effect(todo=(Task(HIT, "a"),)), while_tokens=1)
    bell = Task(Bell("round", (Task(reply, "b"),)), NOBODY)
    return situation({"a": 0, "b": 1}, times(LocalThrow(COIN, 2, Effect(-1)), 40, "a"), bell)


def test_who_turns_out_to_matter_is_paid_for_whenever_it_is_asked() -> None:
    """The same question twice: it was refused, and then answered."""
    for work in range(4_000_000, 12_000_000, 1_000_000):
        solver = Solver(work=work)
        first = refused(partial(solver.odds, widening(), X))
        assert str(refused(partial(solver.odds, widening(), X))) == str(first)


def test_what_is_asked_is_listed_whatever_was_refused_before() -> None:
    """Too much for thirty measures, but not for one."""
    last = Task(Score(D6, "y"), "a")
    start = rounds(20)
    bell = Task(Bell("first", (*start.agenda[1:], last), 20), NOBODY)
    start = situation({"a": 9}, start.agenda[0], bell)
    for work in range(1_000_000, 40_000_000, 1_000_000):
        solver = Solver(work=work)
        refused(partial(solver.answer, start, counts(30), samples=0, seed=1))
        assert list(solver.asked(start, X)) == list(Solver(work=work).asked(start, X))


def test_what_was_looked_at_before_it_was_too_much_is_listed() -> None:
    start = situation({"a": 0}, times(HIT, 3000, "a"), Task(Score(D6, "x"), "a"))
    solver = Solver(limit=2000)
    for _ in range(2):
        assert [question.label for _, question in solver.asked(start, X)] == ["throw"]
        assert refused(partial(solver.odds, start, X))
    assert [question.label for _, question in Solver().asked(start, X)] == ["throw", "score"]


# -- memory --------------------------------------------------------------------------------------


@settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(games(most=10**6), games(most=10**6))
def test_a_solver_that_forgets_answers_the_same(start: Situation, other: Situation) -> None:
    asked = {str(at): each for at, each in enumerate(ASKED)}
    forgetful, solver = Solver(memory=50), Solver()
    for game in (start, other, start):
        again = forgetful.answer(game, asked, samples=0, seed=1)
        whole = solver.answer(game, asked, samples=0, seed=1)
        assert again.exact == whole.exact
        assert forgetful.joint(game, ASKED) == solver.joint(game, ASKED)
        assert forgetful.sample(game, ASKED, 20, 3) == solver.sample(game, ASKED, 20, 3)


def test_a_solver_that_forgets_looks_at_as_many_situations() -> None:
    asked = {**counts(2, "a"), **counts(2, "b"), "a 3": X}
    whole = Solver().answer(busy(), asked, samples=0, seed=1)
    again = Solver(memory=10).answer(busy(), asked, samples=0, seed=1)
    assert again.situations == whole.situations


def test_a_sample_that_forgets_is_the_same_sample() -> None:
    start = situation({"a": 9, "b": 9}, times(Throw(D6, 4, Effect(1, (("x", 1),))), 6, "a"))
    whole = Solver().sample(start, (X, Final("a", int)), 10_000, 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sample, "MOST_KNOWN", 0)
        patch.setattr(sample, "PLAYS_AT_ONCE", 100)
        assert Solver().sample(start, (X, Final("a", int)), 10_000, 3) == whole


class Spread(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """A die with many faces, kept in the state, and recorded many times over."""

    reach = ()

    def ask(self, tokens: int) -> Roll[int]:
        return Roll("spread", dice("d400"), Total())

    def then(self, tokens: int, total: int) -> Next[int]:
        return Next(total, records={"x": 50 * total})


def test_a_sweep_takes_up_no_more_bytes_than_it_may() -> None:
    quiet = LocalThrow(COIN, 2, Effect())
    start = situation({"a": 0}, Task(Spread(), "a"), times(quiet, 2, "a"), Task(Restore(), "a"))
    graph, _ = explored(start, Bounds())
    most = 1_000_000
    tracemalloc.start()
    error = refused(lambda: sweep(graph, (X,), (0,), Bounds(work=AMPLE, size=most)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert error is not None or peak < 5 * most


def test_a_question_in_which_a_step_is_wrong_is_no_question_of_cost() -> None:
    wrong = situation({"a": 0}, Task(Throw(COIN, 2, scores("x", -1)), "a"))
    with pytest.raises(StepError):
        Solver().answer(wrong, {"x": X}, samples=10, seed=1)


class OftenError(Exception):
    """It went on for very long."""


class Circle(Step[int, None], frozen=True, gc=False, cache_hash=True):
    """Comes back to where it was, or to one token more, without ever asking anything."""

    patience: ClassVar[int] = 0
    grows: bool

    def then(self, tokens: int, _: None) -> Next[int]:
        Circle.patience -= 1
        if not Circle.patience:
            raise OftenError
        return Next(tokens + self.grows, Circle(self.grows))


@pytest.mark.parametrize(
    ("reading", "grows"), [("sample", True), ("answer", True), ("play", True), ("play", False)]
)
def test_what_never_ends_is_refused_by_what_follows_one_play_too(reading: str, grows: bool) -> None:
    """A sample of what comes back to where it was cannot even be told from one that works long."""
    Circle.patience = 30_000
    start = situation({"a": 0}, Task(HIT, "a"), Task(Circle(grows), "a"))
    solver = Solver(limit=1000)
    readings: dict[str, Callable[[], object]] = {
        "sample": lambda: solver.sample(start, (X,), 5, seed=1),
        "answer": lambda: solver.answer(start, {"x": X}, samples=5, seed=1),
        "play": lambda: play(start, Generator(1)),
    }
    with pytest.raises(ChanceError):
        readings[reading]()


def test_shares_of_an_answer_add_up_to_one() -> None:
    answered = Solver(work=500_000).answer(busy(), counts(6), samples=SAMPLES, seed=3)
    for name, found in answered.exact.items():
        assert sum(chance for _, chance in found[END]) == Fraction(1), name
    for by_mark in answered.sampled.values():
        assert sum(chance for _, chance in by_mark[END].seen) == 1
