"""Pools: a run of repeats as one row. What comes of it is what comes layer by layer."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firepower.chance import (
    EVERYBODY,
    AtLeast,
    Final,
    Generator,
    Goal,
    Next,
    Resolution,
    Roll,
    Situation,
    Solver,
    Step,
    Tally,
    Task,
    play,
    pools,
    situation,
)
from firepower.chance.errors import FallsError
from firepower.chance.pools import FEW, FEWEST_POOLED
from tests.chance.brute import counted, odds_of, part
from tests.chance.toys import (
    COIN,
    D2,
    D3,
    D6,
    NOTHING,
    Effect,
    HandfulThrow,
    LocalHandfulThrow,
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

RUN = FEWEST_POOLED
NEVER = 10**9
NAMES = ("a.x", "a.y")
TALLIES = (
    Tally(("a.x",)),
    Tally(("a.x", "a.y")),
    Tally(("a.x",), "greatest"),
    Tally(NAMES, "greatest"),
    Tally(("a.y",), "any"),
    Tally(("a.x",), cap=3),
    Tally(("a.x",), "greatest", cap=2),
    Tally(NAMES, weights=(2, 3)),
    Tally(NAMES, weights=(2, -3)),
    Tally(("told",)),
)
ASKED: tuple[Tally | Final, ...] = (*TALLIES, Final("a", int), Final("b", int))

ONE = scores("x")
BLOW = Throw(COIN, 2, Effect(1, (("x", 2), ("y", 1))), scores("x"), while_tokens=1)
FORK = Task(Throw(D2, 2, Effect(1)), "b")
"""Two situations in which the run that follows comes up: the second time it is pooled."""


def run(step: Any, number: int = RUN, tokens: int = 9, *after: Any) -> Situation:
    return situation({"a": tokens, "b": 1}, FORK, times(step, number, "a"), *after)


GAMES: dict[str, Situation] = {
    "sums": run(Throw(COIN, 2, ONE, scores("y", 2))),
    "one more than the fewest": run(Throw(COIN, 2, ONE, scores("y", 2)), RUN + 1),
    "several records a step": run(Throw(COIN, 2, Effect(0, (("x", 1), ("y", 3))), scores("x", 2))),
    "no longer applies on the way": run(BLOW, RUN, 2),
    "never applies": run(BLOW, RUN, 0),
    "tokens won": run(Throw(COIN, 2, Effect(-1, (("x", 1),)), Effect(2), while_tokens=1), RUN, 2),
    "while a sum is read": run(BLOW, RUN, 3, Tell(Tally(NAMES))),
    "while the greatest is read": run(BLOW, RUN, 3, Tell(Tally(NAMES, "greatest"))),
    "while it is read whether any": run(BLOW, RUN, 3, Tell(Tally(("a.y",), "any"))),
    "while a sum with a cap is read": run(BLOW, RUN, 3, Tell(Tally(NAMES, cap=4))),
    "while a score is read": run(BLOW, RUN, 3, Tell(Tally(NAMES, weights=(1, -2)))),
    "a handful": run(LocalHandfulThrow(COIN, 2, Effect(1, (("x", 1),)), while_tokens=1), RUN, 2),
    "of nobody else's interest": run(LocalThrow(COIN, 2, Effect(1, (("x", 1),)))),
    "bookkeeping": run(Note(Effect(1, (("x", 2),)))),
    "two runs": run(
        Throw(COIN, 2, ONE), RUN, 9, times(Throw(D2, 2, scores("y"), Effect(1)), 2, "a")
    ),
    "resolutions": run(Strike((Throw(COIN, 2, scores("x", 2), scores("y")),), "x"), RUN, 5),
    "recorded inside and outside": run(
        Strike((Throw(COIN, 2, scores("x", 3), scores("x")),), "x", scores("x", 2)), RUN, 5
    ),
    "inside a resolution": situation(
        {"a": 30, "b": 1},
        Task(Strike((Throw(D2, 2, Effect(1)), times(BLOW, RUN)), "x", part_inside=3), "a"),
    ),
    "inside, with several records": situation(
        {"a": 30, "b": 1},
        Task(
            Strike(
                (Throw(D2, 2, Effect(1)), times(Throw(COIN, 2, scores("y", 2), ONE), RUN)),
                "x",
                part_inside=3,
            ),
            "a",
        ),
    ),
    "it leads to more": run(Throw(COIN, 2, Effect(todo=(Note(ONE),)))),
    "for both": situation(
        {"a": 2, "b": 2}, FORK, times(BLOW, RUN, "a"), Task(Note(Effect(1)), "b")
    ),
}  # fmt: skip


@contextmanager
def layer_by_layer() -> Iterator[None]:
    """Nothing is pooled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pools.Pools, "pool", lambda *_: None)
        yield


def joint(start: Situation) -> Any:
    return Solver().joint(start, ASKED)


@pytest.mark.parametrize("name", GAMES)
def test_a_pooled_run_is_what_every_play_comes_to(name: str) -> None:
    start = GAMES[name]
    pooled = joint(start)
    assert odds_of(pooled) == counted(
        start,
        lambda played: (*map(played.number, TALLIES), part(played, "a"), part(played, "b")),
    )
    for at, asked in enumerate(ASKED):
        assert Solver().odds(start, asked) == pooled.map(lambda outcome, at=at: outcome[at])
    with layer_by_layer():
        assert joint(start) == pooled


FEWER = [name for name in GAMES if name not in ("it leads to more", "never applies", "bookkeeping")]


@pytest.mark.parametrize("name", [name for name in FEWER if not name.startswith("inside")])
def test_there_are_fewer_situations_with_pools(name: str) -> None:
    with_pools = Solver().whole(GAMES[name])
    with layer_by_layer():
        assert with_pools < Solver().whole(GAMES[name])


@pytest.mark.parametrize("name", ["it leads to more", "never applies"])
def test_what_cannot_be_pooled_costs_what_it_did(name: str) -> None:
    with_pools = Solver().whole(GAMES[name])
    with layer_by_layer():
        assert with_pools == Solver().whole(GAMES[name])


def test_a_run_that_comes_up_once_goes_layer_by_layer() -> None:
    once = situation({"a": 9}, times(Score(D2, "x"), RUN, "a"))
    assert Solver().whole(once) == RUN + 1
    # where the step may no longer apply there are no layers: one row at once
    throw = Throw(COIN, 2, Effect(1))
    assert Solver().whole(situation({"a": 9}, times(throw, RUN, "a"))) == 1 + RUN + 1


def test_equal_steps_that_come_to_lie_together_are_one_run() -> None:
    for name in ("sums", "no longer applies on the way"):
        whole = GAMES[name]
        (fork, task) = whole.agenda
        single = [Task(task.step, task.who)] * RUN
        apart = Situation(whole.names, whole.parts, (fork, *single))
        assert Solver().whole(apart) == Solver().whole(whole)
        pushed = situation(
            {"a": whole.parts[0], "b": 1},
            fork,
            Task(Throw(D2, 1, Effect(todo=(times(task.step, RUN - 2),))), "a"),
            times(task.step, 2, "a"),
        )
        assert Solver().whole(pushed) == 2 + Solver().whole(whole)


@pytest.mark.parametrize("tally", [TALLIES[1], TALLIES[3], Tally(("a.score",), "greatest")])
def test_a_pool_with_too_many_outcomes_goes_layer_by_layer(tally: Tally) -> None:
    """Sums and greatest of six dice are more than are put together in one row."""
    assert len({(n, top) for n in range(6, 37) for top in range(1, 7)}) > FEW
    start = run(Score(D6, "x"), 6, 9, Task(Score(D2, "y"), "a"))
    odds = Solver().odds(start, tally)
    size = Solver().whole(start)
    with layer_by_layer():
        assert Solver().odds(start, tally) == odds
        assert Solver().whole(start) == size


@pytest.mark.parametrize("number", [RUN, 7, 12, 40])
def test_long_runs_are_binomial(number: int) -> None:
    """While few, in one row; with too many outcomes, in layers; the same to the last weight."""
    start = run(Throw(COIN, 2, ONE), number)
    odds = Solver().joint(start, (TALLIES[0], TALLIES[2]))
    one = Fraction(1, 3)
    expected = {(0, 0): (1 - one) ** number}
    ways = 1
    for hits in range(1, number + 1):
        ways = ways * (number - hits + 1) // hits
        expected[hits, 1] = ways * one**hits * (1 - one) ** (number - hits)
    assert odds_of(odds) == expected


@pytest.mark.parametrize("first", [2, 3, RUN, 8])
def test_pools_of_other_lengths_do_not_change_a_pool(first: int) -> None:
    """A longer run is grown from a shorter one that was asked before, or not."""
    solver = Solver()
    step = Throw(COIN, 2, Effect(1, (("x", 1),)), scores("y"), while_tokens=1)
    for number in (first, 6, 7, RUN):
        start = run(step, number, 4)
        assert solver.joint(start, ASKED) == Solver().joint(start, ASKED)
        assert solver.situations(start, TALLIES) == Solver().situations(start, TALLIES)


class Growing(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """A throw that is another question with every token lost."""

    def applies(self, tokens: int) -> bool:
        return tokens > 0

    def ask(self, tokens: int) -> Roll[bool] | Resolution:
        if tokens == 2:
            return Resolution("two left", (Throw(D2, 2, ONE),), "x", 0)
        return Roll(f"{tokens} left", COIN, AtLeast(2))

    def then(self, tokens: int, hit: bool) -> Next[int]:
        return Next(tokens - bool(hit), records={"y": 1})


class Tiring(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """A throw that is another question each time."""

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll(f"{tokens} left", COIN, AtLeast(2))

    def then(self, tokens: int, hit: bool) -> Next[int]:
        return Next(tokens - 1, records={"y": hit})


class Spending(Tiring, frozen=True, gc=False, cache_hash=True):
    """Gains nine at first, and less than nothing from then on."""

    signed = True

    def then(self, tokens: int, hit: bool) -> Next[int]:
        return Next(tokens - 1, records={"y": 9 if tokens == 9 else -1})


def test_what_falls_within_a_run_has_no_cap_whoever_had_the_run_before() -> None:
    runs = [times(Spending(), RUN, name) for name in "ab"]
    start = situation({"a": 9, "b": 9}, *runs, Task(Tell(Tally(("a.y", "b.y"))), EVERYBODY))
    assert odds_of(Solver().odds(start, Tally(("b.y",)))) == {9 - RUN + 1: 1}
    for name in "ab":
        with pytest.raises(FallsError):
            Solver().odds(start, Tally((f"{name}.y",), cap=6))


def test_questions_inside_a_pooled_run_are_listed_all_the_same() -> None:
    tally = Tally(("a.y",))
    listed = {}
    for begun in (3, 4, 6, 9):
        # two situations in which nothing but the rest differs: all but the first are pooled
        start = situation(
            {"a": begun, "b": 1}, FORK, FORK, times(Growing(), RUN, "a"), Task(Note(Effect()), "b")
        )
        asked = {(who, question.label) for who, question in Solver().asked(start, tally)}
        with layer_by_layer():
            assert asked == {(who, q.label) for who, q in Solver().asked(start, tally)}
        listed[begun] = sorted(label for who, label in asked if who == "a")
    assert listed[3] == ["1 left", "3 left", "two left"]
    assert listed[9] == ["5 left", "6 left", "7 left", "8 left", "9 left"]


def test_questions_of_a_run_that_another_had_before_are_listed_for_both() -> None:
    """b's run is the second of its kind, so it is pooled although b never had it before."""
    start = situation(
        {"a": 6, "b": 6}, times(Growing(), RUN, "a"), times(Growing(), RUN, "b"), FORK
    )
    asked = [(who, q.label) for who, q in Solver().asked(start, Tally(("b.y", "a.y")))]
    labels = [label for who, label in asked if who == "a"]
    assert labels == ["6 left", "5 left", "4 left", "3 left", "two left"]
    assert [label for who, label in asked if who == "b" and label != "throw"] == labels
    for names in ("ab", "ba"):
        runs = [times(Tiring(), RUN, name) for name in names]
        both = situation({"a": 9, "b": 9}, *runs)
        every = [(who, q.label) for who, q in Solver().asked(both, Tally(("a.y", "b.y")))]
        assert every == [(name, f"{left} left") for name in names for left in (9, 8, 7, 6, 5)]


@pytest.mark.parametrize("name", [name for name in FEWER if name != "sums"])
def test_samples_of_pooled_runs_agree_with_the_odds(name: str) -> None:
    count = 2000
    solver = Solver()
    for asked, sampled in zip(ASKED, solver.sample(GAMES[name], ASKED, count, 3), strict=True):
        exact = solver.odds(GAMES[name], asked)
        assert set(sampled.seen.weights) <= set(exact.weights)
        for outcome, chance in exact:
            share = float(chance)
            bound = 5 * sqrt(share * (1 - share) / count)
            assert abs(float(sampled.seen.p(outcome)) - share) <= bound


@pytest.mark.parametrize("name", GAMES)
def test_what_is_played_of_a_pooled_run_has_a_chance(name: str) -> None:
    whole = joint(GAMES[name])
    for seed in range(10):
        played = play(GAMES[name], Generator(seed))
        outcome = (*map(played.number, TALLIES), part(played, "a"), part(played, "b"))
        assert whole.p(outcome) > 0


def test_a_run_of_choices_is_never_pooled() -> None:
    pick = Pick("a", (("u", ONE), ("v", Effect(1, (("x", 2),)))), "u")
    start = run(pick, RUN)
    assert odds_of(Solver().odds(start, TALLIES[0])) == {RUN: 1}
    advice = Solver().advice(start, Goal(TALLIES[0]))
    assert advice.value == 2 * RUN
    assert len({state for decision in advice.decisions for state in decision.states}) >= RUN
    assert Solver().sample(start, (TALLIES[0],), 10, 1)[0].seen.p(RUN) == 1


def test_a_run_that_becomes_more_than_plain_on_the_way_is_not_pooled() -> None:
    """Only when the tokens are gone does the step lead to more."""

    class Sometimes(Step[int, bool], frozen=True, gc=False, cache_hash=True):
        def ask(self, tokens: int) -> Roll[bool]:
            return Roll("sometimes", COIN, AtLeast(2))

        def then(self, tokens: int, hit: bool) -> Next[int]:
            todo = (Note(Effect(-2, (("y", 1),))),) if not tokens else ()
            return Next(max(0, tokens - hit), *todo, records={"x": hit})

    start = run(Sometimes(), RUN, 2)
    assert odds_of(joint(start)) == counted(
        start,
        lambda played: (*map(played.number, TALLIES), part(played, "a"), part(played, "b")),
    )


class Swing(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """A gain or a loss."""

    signed = True

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll("swing", COIN, AtLeast(2))

    def then(self, tokens: int, up: bool) -> Next[int]:
        return Next(tokens, records={"x": 2 if up else -1})


@pytest.mark.parametrize("tally", [Tally(("a.x",)), Tally(("a.x",), "greatest")])
def test_what_may_fall_is_added_up_all_the_same(tally: Tally) -> None:
    start = run(Swing())
    expected = counted(start, lambda played: played.number(tally))
    assert odds_of(Solver().odds(start, tally)) == expected
    told = situation({"a": 1, "b": 1}, FORK, times(Swing(), RUN, "a"), Task(Tell(tally), EVERYBODY))
    assert odds_of(Solver().odds(told, Tally(("told",)))) == expected


dice = st.sampled_from((COIN, COIN, D2, D3))
effects = st.builds(
    Effect,
    st.sampled_from((0, 1, -1, 2)),
    st.dictionaries(st.sampled_from("xy"), st.integers(0, 3), max_size=2).map(
        lambda amounts: tuple(amounts.items())
    ),
)
throws = st.builds(
    Throw, st.sampled_from((COIN, D2)), st.just(2), effects, st.just(NOTHING) | effects,
    st.sampled_from((0, 1, 2)),
)  # fmt: skip
handfuls = st.builds(
    HandfulThrow, st.just(COIN), st.just(2),
    st.builds(Effect, st.integers(0, 2), st.just((("x", 1),))),
)  # fmt: skip


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(
    throws | handfuls,
    st.integers(RUN, RUN + 1),
    st.integers(0, 4),
    st.sampled_from((None, *TALLIES[:9])),
)
def test_random_runs_are_what_every_play_comes_to(
    step: Any, number: int, tokens: int, read: Tally | None
) -> None:
    start = run(step, number, tokens, *([] if read is None else [Task(Tell(read), EVERYBODY)]))
    pooled = joint(start)
    assert odds_of(pooled) == counted(
        start,
        lambda played: (*map(played.number, TALLIES), part(played, "a"), part(played, "b")),
    )
    with layer_by_layer():
        assert joint(start) == pooled


def test_the_most_outcomes_of_a_pool_change_no_odds() -> None:
    start = GAMES["while a sum is read"]
    before = joint(start)
    for few in (1, 3, 10, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pools, "FEW", few)
            assert joint(start) == before
