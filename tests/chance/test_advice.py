"""Advice against every plan there is, exactly: whatever may be chosen, valued play by play."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from firepower.chance import (
    Advice,
    Final,
    Goal,
    Next,
    Played,
    Situation,
    Solver,
    Step,
    StepError,
    Tally,
    Task,
    View,
    situation,
)
from firepower.chance.play import play
from firepower.chance.sources import Typed
from tests.chance.brute import (
    Fall,
    Fork,
    Leaf,
    Tree,
    every_play,
    grown,
    how_many_plans,
    part,
    plans,
    worth,
)
from tests.chance.random_games import games
from tests.chance.toys import (
    COIN,
    D2,
    D3,
    Effect,
    Note,
    Pick,
    Strike,
    Throw,
    scores,
    times,
)

GAIN = Tally(("a.gain",))
MOST_PLANS = 1000


def value_in(goal: Goal) -> Callable[[Played], int]:
    """What one finished play is worth for a goal."""
    measure = goal.tally

    def of(played: Played) -> int:
        number = (
            measure.of(part(played, measure.who))
            if isinstance(measure, Final)
            else played.number(measure)
        )
        if goal.at_least is not None:
            return int(number >= goal.at_least)  # type: ignore[operator]  # goals here are of numbers
        return int(number)  # type: ignore[call-overload,no-any-return]  # as above

    return of


def best_of_all(tree: Tree, goal: Goal, asker: str | None, *, least: bool = False) -> Fraction:
    """The best that any plan of the asker gets against the worst that the others can plan."""
    best, worst = (min, max) if least else (max, min)
    of = value_in(goal)
    return best(
        worst(worth(settled, of) for settled in plans(planned, None))
        for planned in plans(tree, asker)
    )


def followed(tree: Tree, policies: dict[str, str], asker: str) -> Tree:
    """The tree with the Choices of all but the asker made by policy."""
    if isinstance(tree, Leaf):
        return tree
    if isinstance(tree, Fall):
        return Fall(tuple((chance, followed(way, policies, asker)) for chance, way in tree.ways))
    if tree.by != asker:
        return followed(dict(tree.ways)[policies[tree.label]], policies, asker)
    ways = tuple((key, followed(way, policies, asker)) for key, way in tree.ways)
    return Fork(tree.by, tree.label, ways)


# -- a problem with everything in it -------------------------------------------------------------

SNAP = Effect(todo=(Throw(COIN, 2, scores("gain", 4)),))
AIM = Effect(1, todo=(Throw(D2, 2, scores("gain", 2)),))
SAFE = scores("gain")
SHOOT = Pick("a", (("snap", SNAP), ("aim", AIM), ("safe", SAFE)), "safe", "shoot")
RUN = Effect(todo=(Task(Throw(COIN, 2, Effect(1, (("gain", 5),))), "a"),))
HIDE = Effect(1, todo=(Task(Note(Effect(lose=1)), "a"),))
COVER = Pick("b", (("run", RUN), ("hide", HIDE)), "hide", "cover")
START = situation({"a": 2, "b": 1}, Task(SHOOT, "a"), Task(COVER, "b"), Task(SHOOT, "a"))
POLICIES = {"shoot": "safe", "cover": "hide"}

GOALS = (
    Goal(GAIN),
    Goal(GAIN, 1),
    Goal(GAIN, 3),
    Goal(GAIN, 5),
    Goal(GAIN, 0),
    Goal(GAIN, -2),
    Goal(GAIN, 99),
    Goal(Tally(("a.gain",), cap=4)),
    Goal(Tally(("a.gain",), "greatest")),
    Goal(Tally(("a.gain",), "greatest"), 3),
    Goal(Tally(("a.gain",), "any")),
    Goal(Final("a", int)),
    Goal(Final("a", int), 1),
    Goal(Final("b", lambda tokens: tokens == 0)),
)


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("least", [False, True])
def test_whoever_is_asked_decides_for_the_goal(goal: Goal, least: bool) -> None:
    advice = Solver().advice(START, goal, least=least)
    pick = min if least else max
    assert advice.value == pick(worth(plan, value_in(goal)) for plan in plans(grown(START), None))
    assert advice.least == least


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("least", [False, True])
@pytest.mark.parametrize("asker", ["a", "b"])
def test_the_others_follow_their_policies(goal: Goal, least: bool, asker: str) -> None:
    tree = followed(grown(START), POLICIES, asker)
    advice = Solver().advice(START, goal, frozenset((asker,)), least=least)
    assert advice.value == best_of_all(tree, goal, asker, least=least)
    assert {decision.by for decision in advice.decisions} == {asker}


@pytest.mark.parametrize("goal", GOALS[::3])
@pytest.mark.parametrize("least", [False, True])
@pytest.mark.parametrize("asker", ["a", "b"])
def test_the_others_play_against_the_goal(goal: Goal, least: bool, asker: str) -> None:
    advice = Solver().advice(START, goal, frozenset((asker,)), against=True, least=least)
    assert advice.value == best_of_all(grown(START), goal, asker, least=least)


def test_the_goals_of_this_problem_ask_for_different_plans() -> None:
    """Else the tests above would show little."""
    asked = [Solver().advice(START, goal, frozenset({"a"})) for goal in GOALS]
    taken = {option.best for advice in asked for option in advice.decisions}
    assert taken == {"snap", "aim", "safe"}
    assert len({tuple(d.best for d in advice.decisions) for advice in asked}) >= 4
    assert len({advice.value for advice in asked}) >= 7


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(
    games(cast="small", most=60, choosing=True),
    st.sampled_from(
        (
            Goal(Tally(("a.x", "b.x", "c.x"))),
            Goal(Tally(("a.x", "b.y", "c.y")), 2),
            Goal(Tally(("a.x", "b.x", "a.y"), "greatest")),
            Goal(Tally(("a.x", "b.x", "told"), "any")),
            Goal(Tally(("a.x", "a.y", "b.x", "b.y"), cap=3)),
            Goal(Final("c", int)),
            Goal(Final("a", int), 1),
        )
    ),
    st.sampled_from((None, "a", "b")),
    st.booleans(),
)
def test_advice_on_random_problems_is_the_best_of_all_plans(
    start: Situation, goal: Goal, asker: str | None, least: bool
) -> None:
    tree = grown(start)
    both = 1 if asker is None else how_many_plans(tree, "a" if asker == "b" else "b")
    assume(1 < how_many_plans(tree, asker) * both < MOST_PLANS)
    askers = None if asker is None else frozenset((asker,))
    advice = Solver().advice(start, goal, askers, against=True, least=least)
    assert advice.value == best_of_all(tree, goal, asker, least=least)


# -- decisions -----------------------------------------------------------------------------------


def test_every_option_is_valued_under_its_own_best_continuation() -> None:
    goal = Goal(GAIN, 4)
    decision = Solver().advice(START, goal, frozenset({"a"})).decisions[0]
    tree = followed(grown(START), POLICIES, "a")
    assert isinstance(tree, Fork)
    assert decision.options == tuple((key, best_of_all(way, goal, "a")) for key, way in tree.ways)
    assert decision.best == max(decision.options, key=lambda option: option[1])[0]
    assert (decision.label, decision.by, decision.policy) == ("shoot", "a", "safe")
    assert decision.arrives == 1


def test_decisions_say_how_likely_they_come_when_all_is_done_for_the_best() -> None:
    risky = Pick("a", (("stop", scores("gain")), ("go on", Effect(todo=(times(SHOT, 2),)))), "stop")
    advice = Solver().advice(situation({"a": 0}, Task(risky, "a")), Goal(GAIN), frozenset({"a"}))
    third = Fraction(1, 3)
    # two throws of the coin; a hit allows a double or nothing at one in two
    assert [(d.label, d.arrives) for d in advice.decisions] == [
        ("pick", 1),
        ("double", third),
        ("double", third),
    ]
    assert advice.value == 2 * third * 4
    assert [key for key, _ in advice.decisions[0].options] == ["stop", "go on"]
    assert [value for _, value in advice.decisions[0].options] == [1, Fraction(8, 3)]


DOUBLE = Pick(
    "a",
    (("keep", scores("gain", 4)), ("double", Effect(todo=(Throw(D2, 2, scores("gain", 7)),)))),
    "keep",
    "double",
)
SHOT = Throw(COIN, 2, Effect(todo=(DOUBLE,)))


def test_an_option_is_worth_what_was_gained_before_it_too() -> None:
    """What was gained may differ from play to play: on the average, of those that come so far."""
    lucky = Throw(COIN, 2, scores("gain", 6), Effect(1))
    start = situation({"a": 1}, Task(lucky, "a"), Task(DOUBLE, "a"))
    advice = Solver().advice(start, Goal(GAIN), frozenset({"a"}))
    # the tokens tell the two falls apart, so there are two decisions
    kept = {d.arrives: dict(d.options)["keep"] for d in advice.decisions}
    assert kept == {Fraction(1, 3): 10, Fraction(2, 3): 4}
    assert advice.value == Fraction(10 + 2 * 4, 3)
    alike = situation({"a": 0}, Task(lucky, "a"), Task(DOUBLE, "a"))
    (decision,) = Solver().advice(alike, Goal(GAIN), frozenset({"a"})).decisions
    assert decision.arrives == 1
    assert decision.options == (("keep", Fraction(6)), ("double", 2 + Fraction(7, 2)))


def test_decisions_to_which_the_best_play_never_comes_are_left_out() -> None:
    trap = Pick("a", (("in", Effect(todo=(DOUBLE,))), ("out", scores("gain", 9))), "in")
    start = situation({"a": 0}, Task(trap, "a"))
    best = Solver().advice(start, Goal(GAIN), frozenset({"a"}))
    worst = Solver().advice(start, Goal(GAIN), frozenset({"a"}), least=True)
    assert [d.label for d in best.decisions] == ["pick"]
    assert best.value == 9
    assert [(d.label, d.best) for d in worst.decisions] == [("pick", "in"), ("double", "double")]
    assert worst.value == Fraction(7, 2)


def test_without_a_choice_the_value_is_what_the_odds_say() -> None:
    start = situation({"a": 3}, times(Throw(D3, 2, Effect(1, (("gain", 2),))), 3, "a"))
    odds = Solver().odds(start, GAIN)
    assert Solver().advice(start, Goal(GAIN)).value == odds.mean
    assert Solver().advice(start, Goal(GAIN, 3)).value == odds.at_least(3)
    assert Solver().advice(start, Goal(Tally(("a.gain",), "any"))).value == odds.at_least(1)
    assert Solver().advice(start, Goal(Final("a", int))).value == Fraction(1)
    assert Solver().advice(start, Goal(GAIN)).decisions == ()


def test_advice_says_whether_its_values_are_chances() -> None:
    chances = [Solver().advice(START, goal).is_chance for goal in GOALS[:2]]
    assert chances == [False, True]
    assert Solver().advice(START, Goal(Tally(("a.gain",), "any"))).is_chance
    assert not Solver().advice(START, Goal(Tally(("a.gain",), "greatest"))).is_chance


@pytest.mark.parametrize("goal", GOALS)
def test_what_was_recorded_before_counts(goal: Goal) -> None:
    records = (("a.gain", 2), ("b.gain", 9))
    begun = Situation(START.names, START.parts, START.agenda, records=records)
    tree = followed(grown(begun), POLICIES, "a")
    advice = Solver().advice(begun, goal, frozenset({"a"}))
    assert advice.value == best_of_all(tree, goal, "a")
    assert isinstance(tree, Fork)
    options = tuple((key, best_of_all(way, goal, "a")) for key, way in tree.ways)
    assert advice.decisions[0].options == options


@pytest.mark.parametrize("goal", GOALS)
def test_advice_goes_on_from_the_middle_of_a_play(goal: Goal) -> None:
    """Before the first Choice the value is the mean of the values after each fall of the dice."""
    strike = Strike((times(Throw(D2, 2, scores("loss")), 2),), "loss", scores("gain"))
    start = situation({"a": 3, "b": 1}, times(strike, 2, "a"), *START.agenda)
    whole = Solver().advice(start, goal, frozenset({"a"})).value
    for dice in (1, 2, 3, 4):
        mixed = Fraction(0)
        for chance, played in every_play(start, most=dice):
            mixed += chance * Solver().advice(played.situation, goal, frozenset({"a"})).value
        assert mixed == whole


def test_a_play_that_stopped_at_a_choice_is_advised_there() -> None:
    start = situation({"a": 2, "b": 1}, Task(Throw(COIN, 2, scores("gain", 3)), "a"), *START.agenda)
    for face, already in (("1", 0), ("2", 3)):
        stopped = play(start, Typed([face]))
        assert not stopped.finished
        advice = Solver().advice(stopped.situation, Goal(GAIN, 6), frozenset({"a"}))
        fresh = Solver().advice(START, Goal(GAIN, 6 - already), frozenset({"a"}))
        assert advice == fresh


# -- the engine's own reading step ---------------------------------------------------------------


def test_a_measure_with_a_cap_never_comes_to_more_than_its_cap() -> None:
    start = situation({"a": 0}, times(Note(scores("gain", 2)), 2, "a"))
    capped = Tally(("a.gain",), cap=3)
    assert Solver().odds(start, capped).at_least(4) == 0
    assert Solver().advice(start, Goal(capped, 4)).value == 0
    assert Solver().advice(start, Goal(capped, 3)).value == 1


GREATEST = Tally(("a.gain",), "greatest")


class SecondWind(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Gains five if nothing was gained since it was announced."""

    @property
    def reads(self) -> tuple[Tally, ...]:
        return (GREATEST,)

    def then(self, view: View, _: None) -> Next[View]:
        return Next(view, records={"a.gain": 0 if view.tally(GREATEST) else 5})


def test_a_goal_does_not_change_what_the_steps_of_the_game_read() -> None:
    announce = Note(Effect(todo=(Task(SecondWind(), ""),)))
    start = situation({"a": 0}, Task(Note(scores("gain")), "a"), Task(announce, "a"))
    assert Solver().odds(start, GREATEST).p(5) == 1
    assert Solver().advice(start, Goal(GREATEST)).value == 5


def test_a_final_number_may_be_less_than_nothing() -> None:
    start = situation({"a": 3}, Task(Throw(COIN, 2, Effect(lose=3)), "a"))
    debt = Final("a", lambda tokens: -tokens)
    assert Solver().odds(start, debt).mean == -2
    assert Solver().advice(start, Goal(debt)).value == -2


def test_a_choice_inside_a_resolution_is_refused() -> None:
    start = situation({"a": 0}, Task(Strike((SHOOT,)), "a"))
    with pytest.raises(StepError, match="contains a choice"):
        Solver().advice(start, Goal(GAIN), frozenset({"a"}))


def test_advice_is_plain_data() -> None:
    advice = Solver().advice(START, Goal(GAIN), frozenset({"a"}))
    assert isinstance(advice, Advice)
    assert isinstance(advice.value, Fraction)
    assert advice.situations > 1
