"""Marks: answers where a turn or a round ends, all from one exploration."""

from fractions import Fraction
from math import sqrt
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from firepower.chance import (
    END,
    EVERYBODY,
    NOBODY,
    AtLeast,
    Choice,
    Final,
    Goal,
    Mark,
    Next,
    Option,
    Played,
    Roll,
    Situation,
    Solver,
    Step,
    Tally,
    Task,
    View,
    dice,
    play,
    situation,
)
from firepower.chance.agenda import WidenError
from firepower.chance.bounds import Bounds
from firepower.chance.graph import Graph
from firepower.chance.sources import Generator, Typed
from tests.chance.brute import Odds, counted, number_of, odds_of
from tests.chance.random_games import NAMES, TALLIES, games
from tests.chance.toys import (
    COIN,
    D2,
    D3,
    D6,
    Bell,
    Effect,
    LocalNote,
    LocalThrow,
    Note,
    Pick,
    Score,
    Tell,
    Throw,
    scores,
    times,
)

HITS = Tally(("a.hit",))
HIT = Throw(COIN, 2, scores("hit"))
TOLD = Tally(("told",))
FINALS = tuple(Final(name, int) for name in NAMES)
ASKED: tuple[Tally | Final, ...] = (*TALLIES, *FINALS)
CUT = "cut"


def rung(label: str, *todo: Task, left: int = 0) -> Task:
    return Task(Bell(label, todo, left), NOBODY)


def marked(start: Situation, at: int) -> Situation:
    """A game with a bell in between, which begins what comes after it."""
    agenda = (*start.agenda[:at], rung(CUT, *start.agenda[at:]))
    return Situation(start.names, start.parts, agenda)


few = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


# -- answers at a mark ---------------------------------------------------------------------------


@few
@given(games(most=200), st.integers(0, 5))
def test_answers_at_a_mark_are_those_of_the_game_cut_there(start: Situation, place: int) -> None:
    place = min(place, len(start.agenda))
    cut = Situation(start.names, start.parts, start.agenda[:place])
    whole = marked(start, place)
    solver = Solver()
    here, there = counted(cut, everything), counted(whole, everything)
    for at, asked in enumerate(ASKED):
        found = solver.odds_by_mark(whole, asked)
        assert odds_of(found[CUT]) == margin(here, at)
        assert odds_of(found[END]) == margin(there, at)
        assert found[END] == solver.odds(whole, asked)


def everything(played: Played) -> tuple[Any, ...]:
    """What a play comes to, as it is asked."""
    return (*map(played.number, TALLIES), *played.situation.parts)


def margin(odds: Odds[tuple[Any, ...]], at: int) -> Odds[Any]:
    """The odds of one of them."""
    found: Odds[Any] = {}
    for key, chance in odds.items():
        found[key[at]] = found.get(key[at], Fraction(0)) + chance
    return found


def sliced(start: Situation, owners: frozenset[str]) -> Graph:
    """All that there is to a question about some, and who else matters to it."""
    solver = Solver()
    while True:
        try:
            graph = Graph(solver._rows, solver._pools, start, owners)
            graph.explore(Bounds())
        except WidenError as more:
            owners |= more.owners
        else:
            return graph


@few
@given(games(most=10**6), st.integers(0, 5), st.sampled_from(ASKED))
def test_a_mark_widens_no_question(start: Situation, place: int, asked: Tally | Final) -> None:
    """With the mark there are as many situations more as there are in which it is come to."""
    at = min(place, len(start.agenda))
    assume(not (0 < at < len(start.agenda) and like(start.agenda[at - 1], start.agenda[at])))
    owners = asked.owners()
    without, with_mark = sliced(start, owners), sliced(marked(start, at), owners)
    ours = [node for node, mark in with_mark.marks.items() if mark.label == CUT]
    assert len(with_mark) <= len(without) + len(ours)


def like(one: Task, two: Task) -> bool:
    """Two tasks that are one run without a mark between."""
    return one.step == two.step and one.who == two.who


def test_a_mark_leaves_out_whoever_else_is_busy() -> None:
    busy = LocalThrow(D3, 2, Effect(1), scores("hit"))
    round_2 = (times(busy, 2, "a"), times(busy, 2, "b"), rung("round 2"))
    start = situation(
        {"a": 9, "b": 9}, times(busy, 2, "a"), times(busy, 2, "b"), rung("round 1", *round_2)
    )
    alone = situation(
        {"a": 9, "b": 9}, times(busy, 2, "a"), rung("round 1", times(busy, 2, "a"), rung("round 2"))
    )
    solver = Solver()
    assert solver.odds_by_mark(start, HITS) == solver.odds_by_mark(alone, HITS)
    assert solver.situations(start, (HITS,)) == solver.situations(alone, (HITS,))


def test_a_question_about_nobody_there_has_its_answer_at_every_mark() -> None:
    start = situation({"a": 1}, Task(HIT, "a"), rung("one", Task(HIT, "a"), rung("two")))
    found = Solver().odds_by_mark(start, Tally(("a.nothing",)))
    assert {mark: odds_of(odds) for mark, odds in found.items()} == {
        mark: {0: 1} for mark in ("one", "two", END)
    }


def test_a_mark_without_a_label_is_no_answer() -> None:
    start = situation({"a": 1}, Task(HIT, "a"), rung("", Task(HIT, "a")))
    assert list(Solver().odds_by_mark(start, HITS)) == [END]
    assert odds_of(Solver().odds(start, HITS)) == counted(start, number_of(HITS))
    assert list(Solver().sample_by_mark(start, [HITS], 10, 1)) == [END]


def test_a_mark_that_only_some_come_to_is_an_answer_among_those() -> None:
    on = (Task(Score(D2, "hit"), "a"), rung("far", times(HIT, 2, "a")))
    start = situation(
        {"a": 1}, Task(Throw(D3, 3, Effect(todo=(*on,)), scores("hit", 7)), "a"), Task(HIT, "a")
    )
    found = Solver().odds_by_mark(start, HITS)
    half = Fraction(1, 2)
    assert odds_of(found["far"]) == {1: half, 2: half}
    assert odds_of(found[END]) == counted(start, number_of(HITS))
    sampled = Solver().sample_by_mark(start, [HITS], 3000, 1)
    assert abs(sampled["far"][0].count - 1000) <= 5 * sqrt(3000 * 2 / 9)
    assert sampled[END][0].count == 3000
    assert set(sampled["far"][0].seen.weights) == {1, 2}
    answered = Solver().answer(start, {"hits": HITS}, samples=0, seed=1)
    assert answered.comes_to("far")
    assert not answered.comes_to("further")


class Quiet(Bell, frozen=True, gc=False, cache_hash=True):
    """A mark of which nothing comes."""

    reach = ()


def test_a_mark_of_which_nothing_comes_is_an_answer_all_the_same() -> None:
    start = situation({"a": 1}, Task(HIT, "a"), Task(Quiet("one"), NOBODY), Task(HIT, "a"))
    found = Solver().odds_by_mark(start, HITS)
    assert odds_of(found["one"]) == {0: Fraction(2, 3), 1: Fraction(1, 3)}
    assert found[END].mean == Fraction(2, 3)
    assert Solver().sample_by_mark(start, [HITS], 10, 1).keys() == {"one", END}


def test_a_mark_that_nobody_comes_to_is_no_answer() -> None:
    never = Throw(D3, 4, Effect(todo=(rung("never"),)))
    start = situation({"a": 1}, Task(never, "a"))
    assert list(Solver().odds_by_mark(start, HITS)) == [END]
    assert list(Solver().sample_by_mark(start, [HITS], 10, 1)) == [END]


def test_an_answer_is_given_before_what_the_mark_begins() -> None:
    start = situation(
        {"a": 5}, Task(Score(D2, "hit"), "a"), rung("half", Task(Note(Effect(5)), "a"))
    )
    found = Solver().odds_by_mark(start, Final("a", int))
    assert odds_of(found["half"]) == {5: 1}
    assert odds_of(found[END]) == {0: 1}


def test_records_made_before_count_at_every_mark() -> None:
    fresh = situation({"a": 1}, Task(HIT, "a"), rung("half", Task(HIT, "a")))
    begun = Situation(fresh.names, fresh.parts, fresh.agenda, records=(("a.hit", 5),))
    solver = Solver()
    for mark, odds in solver.odds_by_mark(fresh, HITS).items():
        more = solver.odds_by_mark(begun, HITS)[mark]
        assert more == odds.map(lambda hits: hits + 5)
        sampled = solver.sample_by_mark(begun, [HITS], 50, 1)[mark][0].seen
        assert set(sampled.weights) <= set(more.weights)


def test_decisions_say_what_ends_next() -> None:
    pick = Pick("a", (("u", scores("hit")), ("v", Effect())), "u")
    start = situation(
        {"a": 1}, Task(pick, "a"), rung("one", Task(pick, "a"), rung("two", Task(pick, "a")))
    )
    advice = Solver().advice(start, Goal(HITS))
    assert [decision.mark for decision in advice.decisions] == ["one", "two", ""]


class Listening:
    """A decider who remembers what ends next."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def decide(self, choice: Choice[Any], parts: object, mark: str) -> None:
        self.heard.append(mark)


def test_a_decider_is_told_what_ends_next() -> None:
    pick = Pick("a", (("u", scores("hit")), ("v", Effect())), "u")
    start = situation(
        {"a": 1}, Task(pick, "a"), rung("", Task(pick, "a"), rung("two", Task(pick, "a")))
    )
    decider = Listening()
    play(start, Generator(1), decider)
    assert decider.heard == ["", "two", ""]


# -- rounds --------------------------------------------------------------------------------------


class Break(Step[View, bool], frozen=True, gc=False, cache_hash=True):
    """Breaks if more was hit than a d6 shows."""

    measure: Tally = HITS

    @property
    def reads(self) -> tuple[Tally, ...]:
        return (self.measure,)

    def ask(self, view: View) -> Roll[bool]:
        return Roll("break", D6, AtLeast(view.tally(self.measure) + 1))

    def then(self, view: View, holds: bool) -> Next[View]:
        records = {"broken": not holds, "told": view.tally(self.measure)}
        return Next(view, records=records)


def test_what_a_round_reads_is_counted_from_when_the_round_is_begun() -> None:
    """With both rounds on the agenda the second test counts the hits of the first as well."""
    fight, test = times(HIT, 3, "a"), Task(Break(), EVERYBODY)
    begun = situation({"a": 0}, fight, test, rung("one", fight, test))
    at_once = situation({"a": 0}, fight, test, rung("one"), fight, test)
    told = Tally(("told",))
    assert Solver().odds(begun, told).mean == 1 + 1
    assert Solver().odds(at_once, told).mean == 1 + 2
    broken = Tally(("broken",))
    # each test is failed on as many of six as were hit
    assert Solver().odds(begun, broken).mean == Fraction(1 + 1, 6)
    assert Solver().odds(at_once, broken).mean == Fraction(1 + 2, 6)
    for start in (begun, at_once):
        solver, whole = Solver(), Solver().odds_by_mark(start, broken)
        assert whole["one"].mean == Fraction(1, 6)
        assert solver.sample_by_mark(start, [broken], 20, 1).keys() == whole.keys()
        for seed in range(20):
            assert whole[END].p(play(start, Generator(seed)).number(broken)) > 0


def test_rounds_that_are_begun_one_by_one_are_what_every_play_comes_to() -> None:
    fight, test = times(HIT, 2, "a"), Task(Break(), EVERYBODY)
    start = situation({"a": 0}, fight, test, rung("one", fight, test))
    asked = (TOLD, Tally(("broken",)), HITS)
    assert odds_of(Solver().joint(start, asked)) == counted(
        start, lambda played: tuple(map(played.number, asked))
    )


def test_odds_go_on_from_a_mark() -> None:
    """A play that stopped in the second round, the mark behind it, has the odds of what is left."""
    start = situation({"a": 1}, Task(HIT, "a"), rung("one", times(HIT, 2, "a"), rung("two")))
    stopped = play(start, Typed(["2", "1"])).situation
    found = Solver().odds_by_mark(stopped, HITS)
    third = Fraction(1, 3)
    assert {mark: odds_of(odds) for mark, odds in found.items()} == {
        mark: {1: 1 - third, 2: third} for mark in ("two", END)
    }


# -- samples -------------------------------------------------------------------------------------


def three_rounds() -> Situation:
    sure, luck = Task(Note(scores("hit", 3)), "a"), times(HIT, 2, "a")
    return situation(
        {"a": 9},
        times(Throw(COIN, 2, Effect(1, (("hit", 1),))), 4, "a"),
        rung(
            "one", sure, rung("two", luck, Task(Throw(D2, 2, Effect(2)), "a"), rung("three", luck))
        ),
    )


MARKED: tuple[Tally | Final, ...] = (
    HITS,
    Tally(("a.hit",), "greatest"),
    Tally(("a.hit",), cap=4),
    Final("a", int),
    Final(("a",), lambda view: view["a"] > 7),
)


@pytest.mark.parametrize("seed", [1, 2])
def test_samples_at_every_mark_agree_with_the_odds_there(seed: int) -> None:
    count, solver = 8000, Solver()
    sampled = solver.sample_by_mark(three_rounds(), MARKED, count, seed)
    assert sampled.keys() == {"one", "two", "three", END}
    for at, asked in enumerate(MARKED):
        for mark, exact in solver.odds_by_mark(three_rounds(), asked).items():
            seen = sampled[mark][at]
            assert seen.count == count
            assert set(seen.seen.weights) <= set(exact.weights)
            for outcome, chance in exact:
                share = float(chance)
                error = sqrt(share * (1 - share) / count)
                assert abs(float(seen.seen.p(outcome)) - share) <= 5 * error


def test_samples_at_all_marks_are_of_the_same_plays() -> None:
    """Between the first two marks three is added for certain: exactly the same shares, moved."""
    sampled = Solver().sample_by_mark(three_rounds(), MARKED, 777, 5)
    assert sampled["two"][0].seen == sampled["one"][0].seen.map(lambda hits: hits + 3)
    assert sampled["two"][3].seen == sampled["one"][3].seen
    assert sampled["three"][0].seen != sampled["two"][0].seen


@few
@given(games(most=10**4), st.integers(0, 5))
def test_what_is_seen_at_a_mark_of_a_random_game_has_a_chance(start: Situation, place: int) -> None:
    whole, solver = marked(start, min(place, len(start.agenda))), Solver()
    sampled = solver.sample_by_mark(whole, ASKED, 60, 1)
    for at, asked in enumerate(ASKED):
        exact = solver.odds_by_mark(whole, asked)
        assert exact.keys() >= sampled.keys()
        for mark, seen in sampled.items():
            assert set(seen[at].seen.weights) <= set(exact[mark].weights)
            for outcome, share in seen[at].seen:
                chance = float(exact[mark].p(outcome))
                spread = sqrt(chance * (1 - chance) / seen[at].count)
                assert abs(float(share) - chance) <= 6 * spread


# -- what asks nothing comes first ---------------------------------------------------------------


class Supply(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Everybody gets a token: bookkeeping that sees and changes all."""

    def then(self, view: View, _: None) -> Next[View]:
        for name in view.names:
            view = view.replace(name, view[name] + 1)
        return Next(view, records={"supplied": 1, "a.hit": 1})


def skirmish(*first: Task) -> Situation:
    busy = LocalThrow(D3, 2, Effect(1), scores("hit"))
    return situation({"a": 3, "b": 3}, *first, times(busy, 3, "b"), times(busy, 2, "a"))


def test_what_asks_nothing_before_the_first_question_widens_nothing() -> None:
    solver, supply = Solver(), Task(Supply(), EVERYBODY)
    plain, supplied = skirmish(), skirmish(supply, Task(Note(Effect()), "b"), supply)
    assert solver.situations(supplied, (HITS,)) == solver.situations(plain, (HITS,))
    assert solver.odds(supplied, HITS) == solver.odds(plain, HITS).map(lambda hits: hits + 2)
    assert odds_of(solver.odds(supplied, Tally(("supplied",)))) == {2: 1}
    a = Final("a", int)
    assert solver.odds(supplied, a) == solver.odds(plain, a).map(lambda tokens: tokens + 2)


def test_what_asks_nothing_after_a_question_widens() -> None:
    late = situation({"a": 3, "b": 3}, *skirmish().agenda, Task(Supply(), EVERYBODY))
    solver = Solver()
    assert solver.situations(late, (HITS,)) > 2 * solver.situations(skirmish(), (HITS,))
    assert odds_of(solver.odds(late, HITS)) == counted(late, number_of(HITS))


def test_what_asks_nothing_is_not_done_before_a_mark_that_comes_first() -> None:
    supply = Task(Supply(), EVERYBODY)
    start = situation({"a": 3, "b": 3}, supply, rung("dawn", supply, *skirmish().agenda))
    found = Solver().odds_by_mark(start, Final("a", int))
    assert odds_of(found["dawn"]) == {4: 1}
    assert max(tokens for tokens, _ in found[END]) == 5
    sampled = Solver().sample_by_mark(start, [Final("a", int)], 10, 1)
    assert sampled["dawn"][0].seen.p(4) == 1


def test_what_no_longer_applies_is_passed_over_at_the_beginning() -> None:
    dead = Throw(COIN, 2, scores("hit"), while_tokens=9)
    solver = Solver()
    passed = skirmish(Task(dead, "b"), Task(Supply(), EVERYBODY), Task(dead, "a"))
    assert solver.situations(passed, (HITS,)) == solver.situations(skirmish(), (HITS,))


def test_a_choice_is_a_question_even_if_it_was_stated() -> None:
    class Stated(Step[int, int], frozen=True, gc=False, cache_hash=True):
        reach = ()

        def ask(self, tokens: int) -> Choice[int]:
            options = (Option("one", 1), Option("two", 2))
            return Choice("how many", "a", options, "one", stated="two")

        def then(self, tokens: int, number: int) -> Next[int]:
            return Next(tokens, records={"hit": number})

    start = skirmish(Task(Stated(), "a"))
    assert Solver().odds(start, HITS) == Solver().odds(skirmish(), HITS).map(lambda hits: hits + 2)


def test_what_is_read_is_counted_while_what_asks_nothing_is_done() -> None:
    start = situation(
        {"a": 1},
        Task(LocalNote(scores("hit", 4)), "a"),
        Task(HIT, "a"),
        Task(Tell(HITS), EVERYBODY),
    )
    assert odds_of(Solver().odds(start, TOLD)) == {4: Fraction(2, 3), 5: Fraction(1, 3)}


# -- marks that are steps of their own -----------------------------------------------------------


class Gong(Step[int, None], frozen=True, gc=False, cache_hash=True):
    """A mark that is addressed to somebody, and sounds only while he has tokens."""

    label: str

    @property
    def mark(self) -> Mark:
        return Mark(self.label)

    def applies(self, tokens: int) -> bool:
        return tokens > 0

    def then(self, tokens: int, _: None) -> Next[int]:
        return Next(tokens, records={"hit": 1})


A_TOKENS = Final("a", int)


def sounding() -> Situation:
    tire = Task(Throw(D2, 2, Effect(1)), "a")
    return situation({"a": 1}, tire, Task(Gong("gong"), "a"), Task(HIT, "a"))


def test_a_mark_that_no_longer_applies_is_not_come_to() -> None:
    found = Solver().odds_by_mark(sounding(), A_TOKENS)
    assert odds_of(found["gong"]) == {1: 1}


def test_a_mark_that_no_longer_applies_is_not_come_to_in_a_sample() -> None:
    seen = Solver().sample_by_mark(sounding(), [A_TOKENS], 100, 1)["gong"][0]
    assert set(seen.seen.weights) == {1}


def test_a_mark_that_comes_many_times_is_sampled_as_often() -> None:
    """Six gongs in a run, one hit each: as often with none as with five."""
    start = situation({"a": 1}, Task(HIT, "a"), times(Gong("gong"), 6, "a"))
    gongs = Tally(("a.hit",))
    exact = Solver().odds_by_mark(start, gongs)["gong"]
    assert set(exact.weights) == set(range(7))
    sampled = Solver().sample_by_mark(start, [gongs], 200, 1)["gong"][0].seen
    assert set(sampled.weights) == set(range(7))


def test_a_mark_that_comes_three_times_in_each_play_has_odds_that_are_right() -> None:
    start = situation(
        {"a": 9},
        Task(Throw(dice("d100"), 2, Effect(1)), "a"),
        rung("turn", Task(LocalThrow(D2, 1, Effect()), "a"), rung("turn", rung("turn"))),
    )
    odds = Solver().odds_by_mark(start, A_TOKENS)["turn"]
    assert odds_of(odds) == {8: Fraction(99, 100), 9: Fraction(1, 100)}
