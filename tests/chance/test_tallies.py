"""Tallies: weights, caps, what may fall, outcomes of any kind, and how things stand in the end."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest

from firepower.chance import (
    EVERYBODY,
    NOBODY,
    AtLeast,
    Distribution,
    Final,
    Generator,
    Goal,
    Next,
    Roll,
    Sampled,
    Situation,
    Solver,
    Step,
    StepError,
    Tally,
    Task,
    View,
    play,
    situation,
)
from firepower.chance.errors import FallsError
from firepower.chance.tallies import once
from tests.chance.brute import counted, number_of, odds_of
from tests.chance.toys import (
    COIN,
    D2,
    D3,
    Effect,
    LocalThrow,
    Note,
    Pick,
    Score,
    Strike,
    Tell,
    Throw,
    Watch,
    scores,
    times,
)

THIRD = Fraction(1, 3)

# -- weights -------------------------------------------------------------------------------------

BLOW = Throw(D3, 3, Effect(1, (("kills", 1),)), scores("spoils", 2), while_tokens=1)
SCORE = Tally(("b.kills", "a.kills", "a.spoils"), weights=(1, -1, 2))
SCORES = (
    SCORE,
    Tally(("a.kills", "b.kills"), weights=(3, 2)),
    Tally(("a.kills", "b.kills"), weights=(3, 2), cap=4),
    Tally(("a.kills", "b.kills"), weights=(0, 1)),
    Tally(("a.kills", "b.kills"), weights=(-1, -1)),
    Tally(("a.kills", "nothing"), weights=(1, -5)),
    Tally(("nothing",), weights=(-5,)),
)


def melee() -> Situation:
    return situation({"a": 2, "b": 2}, times(BLOW, 2, "a"), times(BLOW, 3, "b"))


@pytest.mark.parametrize("tally", SCORES)
def test_a_score_is_what_every_play_comes_to(tally: Tally) -> None:
    expected = counted(melee(), number_of(tally))
    assert odds_of(Solver().odds(melee(), tally)) == expected
    asked = (tally, Tally(("a.kills",)), tally)
    assert odds_of(Solver().joint(melee(), asked)) == counted(
        melee(), lambda played: tuple(map(played.number, asked))
    )


@pytest.mark.parametrize("tally", SCORES)
def test_a_score_is_sampled_as_it_is_counted(tally: Tally) -> None:
    exact = Solver().odds(melee(), tally)
    seen = Solver().sample(melee(), (tally,), 4000, seed=3)[0].seen
    assert set(seen.weights) <= set(exact.weights)
    for outcome, chance in exact:
        assert abs(float(seen.p(outcome)) - float(chance)) < 5 * float(chance / 4000) ** 0.5


@pytest.mark.parametrize("tally", SCORES)
def test_a_score_is_read_as_it_is_counted(tally: Tally) -> None:
    told = situation({"a": 2, "b": 2}, *melee().agenda, Task(Tell(tally), EVERYBODY))
    assert Solver().odds(told, Tally(("told",))) == Solver().odds(melee(), tally)
    assert odds_of(Solver().odds(told, Tally(("told",)))) == counted(
        told, number_of(Tally(("told",)))
    )


def test_a_score_keeps_less_than_what_it_is_made_of() -> None:
    """Ours less theirs is one number in the state, and not two."""
    names = ("a.kills", "b.kills")
    one = situation({"a": 9, "b": 9}, *melee().agenda, Watch(Tally(names, weights=(1, -1))))
    two = situation(
        {"a": 9, "b": 9}, *melee().agenda, *(Task(Watch(Tally((name,))), "") for name in names)
    )
    assert Solver().whole(one) < Solver().whole(two)


@pytest.mark.parametrize("tally", SCORES)
@pytest.mark.parametrize("records", [(), (("a.kills", 3), ("b.kills", 1))])
def test_what_was_recorded_before_has_its_weight(
    tally: Tally, records: tuple[tuple[str, int], ...]
) -> None:
    fresh = melee()
    start = Situation(fresh.names, fresh.parts, fresh.agenda, records=records)
    if tally.cap is None and tally.weights == (3, 2):
        before = tally.add(0, once(records))
        assert Solver().odds(start, tally) == Solver().odds(fresh, tally).map(
            lambda number: number + before
        )
    assert odds_of(Solver().odds(start, tally)) == counted(start, number_of(tally))


CHOICE = Pick("a", (("hold", scores("spoils")), ("charge", Effect(todo=(times(BLOW, 2),)))), "hold")


@pytest.mark.parametrize("at_least", [None, -1, 0, 1, 2, 3, 5])
@pytest.mark.parametrize("tally", SCORES)
def test_advice_for_a_score(tally: Tally, at_least: int | None) -> None:
    """Each option alone, as if it had been taken for certain."""
    start = situation({"a": 2, "b": 2}, Task(CHOICE, "a"), times(BLOW, 2, "b"))
    values = {}
    for key, effect in CHOICE.options:
        taken = situation({"a": 2, "b": 2}, Task(Note(effect), "a"), times(BLOW, 2, "b"))
        odds = Solver().odds(taken, tally)
        values[key] = odds.mean if at_least is None else odds.at_least(at_least)
    advice = Solver().advice(start, Goal(tally, at_least))
    assert dict(advice.decisions[0].options) == values
    assert advice.value == max(values.values())
    assert Solver().advice(start, Goal(tally, at_least), least=True).value == min(values.values())


@pytest.mark.parametrize(
    ("names", "how", "cap", "weights"),
    [
        (("a.x",), "greatest", None, (1,)),
        (("a.x",), "any", None, (1,)),
        (("a.x", "a.y"), "sum", None, (1,)),
        (("a.x",), "sum", None, (1, 2)),
        (("a.x", "a.y"), "sum", 3, (1, -1)),
    ],
)
def test_weights_that_make_no_sense_are_refused(
    names: tuple[str, ...], how: str, cap: int | None, weights: tuple[int, ...]
) -> None:
    with pytest.raises(StepError):
        Tally(names, how, cap, weights)


class Peek(Step[View, bool], frozen=True, gc=False, cache_hash=True):
    """Reads what it does not list at all."""

    def ask(self, view: View) -> Roll[bool]:
        return Roll("peek", COIN, AtLeast(2))

    def then(self, view: View, read: bool) -> Next[View]:
        return Next(view, records={"told": view.tally(SCORE)})


def test_a_step_that_lists_nothing_reads_nothing_whoever_else_does() -> None:
    """Nor is it another step for what others read."""
    start = situation(
        {"a": 2, "b": 2}, *melee().agenda, Task(Peek(), NOBODY), Task(Watch(SCORE), NOBODY)
    )
    for reading in (
        lambda: Solver().odds(start, Tally(("told",))),
        lambda: Solver().sample(start, (Tally(("told",)),), 10, seed=1),
        lambda: play(start, Generator(1)),
    ):
        with pytest.raises(StepError, match="without saying so in `reads`"):
            reading()


class Snoop(Tell, frozen=True, gc=False, cache_hash=True):
    """Says that it reads one thing, and reads another too."""

    secret: Tally = SCORE

    def then(self, view: View, _: None) -> Next[View]:
        return Next(view, records={"told": view.tally(self.measure) + view.tally(self.secret)})


@pytest.mark.parametrize(
    "others",
    [
        (),
        pytest.param(
            (Task(Watch(SCORE), EVERYBODY),),
        ),
    ],
)
@pytest.mark.parametrize("reading", ["odds", "play"])
def test_a_step_reads_only_what_it_lists(others: tuple[Task, ...], reading: str) -> None:
    snoop = Task(Snoop(Tally(("a.kills",))), EVERYBODY)
    start = situation({"a": 2, "b": 2}, *melee().agenda, snoop, *others)
    answered = partial(Solver().odds, start, Tally(("told",)))
    with pytest.raises(StepError, match="without saying so in `reads`"):
        answered() if reading == "odds" else play(start, Generator(1))


# -- what may fall -------------------------------------------------------------------------------


class Swing(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """A gain or a loss."""

    signed = True

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll("swing", COIN, AtLeast(2))

    def then(self, tokens: int, up: bool) -> Next[int]:
        return Next(tokens, records={"luck": 5 if up else -2})


LUCK = ("a.luck",)
SWINGS = situation({"a": 0}, times(Swing(), 4, "a"))


def test_a_cap_on_what_falls_is_refused() -> None:
    for start in (SWINGS, situation({"a": 0}, *SWINGS.agenda, Task(Tell(Tally(LUCK, cap=4)), ""))):
        asked = Tally(LUCK, cap=4) if start is SWINGS else Tally(("told",))
        with pytest.raises(FallsError, match="a sum that may fall has no cap"):
            Solver().odds(start, asked)
        with pytest.raises(FallsError):
            Solver().joint(start, (asked,))
        with pytest.raises(FallsError):
            Solver().advice(start, Goal(Tally(LUCK, cap=4)))


def test_a_cap_on_what_falls_is_refused_in_a_sample_too() -> None:
    with pytest.raises(FallsError):
        Solver().sample(SWINGS, (Tally(LUCK, cap=4),), 10, seed=1)


def test_a_cap_on_what_only_others_lose_is_allowed() -> None:
    lucky = times(Throw(COIN, 2, scores("luck", 3)), 2, "a")
    start = situation({"a": 0, "b": 0}, times(Swing(), 2, "b"), lucky)
    assert odds_of(Solver().odds(start, Tally(LUCK, cap=4))) == {
        0: Fraction(4, 9),
        3: Fraction(4, 9),
        4: Fraction(1, 9),
    }


@pytest.mark.parametrize("at_least", range(-8, 21, 3))
@pytest.mark.parametrize("begun", [0, 7, -7])
def test_whether_what_falls_comes_to_enough_is_answered(at_least: int, begun: int) -> None:
    """It may have been enough on the way, and too little in the end."""
    start = Situation(("a",), (0,), SWINGS.agenda, records=(("a.luck", begun),))
    odds = Solver().odds(start, Tally(LUCK))
    assert odds_of(odds) == {
        n + begun: share for n, share in odds_of(Solver().odds(SWINGS, Tally(LUCK))).items()
    }
    for least in (False, True):
        advice = Solver().advice(start, Goal(Tally(LUCK), at_least), least=least)
        assert advice.value == odds.at_least(at_least)


@pytest.mark.parametrize("at_least", [-3, 0, 2, 4, 6])
def test_options_of_a_goal_that_may_fall(at_least: int) -> None:
    pick = Pick(
        "a", (("stay", Effect()), ("dare", Effect(todo=(times(Swing(), 2),)))), "stay", "dare?"
    )
    start = situation({"a": 0}, Task(Swing(), "a"), Task(pick, "a"), Task(Swing(), "a"))
    values = {}
    for before, chance in ((5, THIRD), (-2, 2 * THIRD)):
        stay = before + 5 >= at_least, before - 2 >= at_least
        values["stay", before] = THIRD * stay[0] + 2 * THIRD * stay[1]
        three = [(15, 1), (8, 6), (1, 12), (-6, 8)]
        values["dare", before] = sum(
            (Fraction(ways, 27) for more, ways in three if before + more >= at_least), Fraction(0)
        )
        assert chance
    best = {before: max(values["stay", before], values["dare", before]) for before in (5, -2)}
    advice = Solver().advice(start, Goal(Tally(LUCK), at_least))
    assert advice.value == THIRD * best[5] + 2 * THIRD * best[-2]
    assert {d.options for d in advice.decisions} == {
        (("stay", values["stay", before]), ("dare", values["dare", before])) for before in (5, -2)
    }


@pytest.mark.parametrize(
    ("how", "cap"),
    [
        ("greatest", None),
        ("any", None),
        pytest.param(
            "greatest",
            4,
        ),
    ],
)
def test_what_does_not_add_up_cannot_fall(how: str, cap: int | None) -> None:
    tally = Tally(LUCK, how, cap)
    assert odds_of(Solver().odds(SWINGS, tally)) == counted(SWINGS, lambda p: p.number(tally))
    told = situation({"a": 0}, *SWINGS.agenda, Task(Tell(tally), EVERYBODY))
    assert odds_of(Solver().odds(told, Tally(("told",)))) == counted(
        told, number_of(Tally(("told",)))
    )


# -- outcomes of every kind ----------------------------------------------------------------------


KINDS: dict[str, Callable[[int], Any]] = {
    "nothing, text and numbers": lambda n: (None, "none", 0, 2)[n],
    "tuples of both": lambda n: ((1, None), (1, "x"), (1, 2), (None,))[n],
    "tuples and numbers": lambda n: ((), 1, (1, 2), ("x", 1))[n],
    "only nothing": lambda n: None,  # noqa: ARG005 - nothing at all
    "fractions and text": lambda n: (Fraction(1, 2), "half", 1, None)[n],
    "sets": lambda n: frozenset(range(n)),
}


def tired() -> Situation:
    return situation(
        {"a": 3, "b": 3}, times(LocalThrow(D2, 2, Effect(1)), 3, "a"), Task(Score(D2), "a")
    )


@pytest.mark.parametrize("kind", KINDS)
def test_outcomes_may_be_of_any_kind(kind: str) -> None:
    final = Final("a", KINDS[kind])
    expected: dict[Any, Fraction] = {}
    for lost, ways in enumerate((1, 3, 3, 1)):
        outcome = KINDS[kind](3 - lost)
        expected[outcome] = expected.get(outcome, Fraction(0)) + Fraction(ways, 8)
    assert odds_of(Solver().odds(tired(), final)) == expected
    score = Tally(("a.score",))
    joint = Solver().joint(tired(), (final, score, Final("b", KINDS[kind])))
    other = KINDS[kind](3)
    assert odds_of(joint) == {
        (outcome, number, other): share / 2
        for outcome, share in expected.items()
        for number in (1, 2)
    }
    assert repr(joint) == repr(Solver().joint(tired(), (final, score, Final("b", KINDS[kind]))))
    assert set(Solver().sample(tired(), (final,), 200, 1)[0].seen.weights) <= set(expected)
    assert Solver().odds_by_mark(tired(), final)[""] == Solver().odds(tired(), final)


def test_outcomes_that_cannot_be_sorted_have_an_order_of_their_own() -> None:
    one = Distribution({"b": 1, None: 2, 3: 1, "a": 4, (1, 2): 1})
    two = Distribution({(1, 2): 1, 3: 1, "a": 4, None: 2, "b": 1})
    assert list(one) == list(two)
    assert one == two
    assert hash(one) == hash(two)


# -- how things stand ----------------------------------------------------------------------------


def both_tire() -> Situation:
    tire = LocalThrow(COIN, 2, Effect(1))
    return situation({"a": 1, "b": 1, "c": 7}, *(Task(tire, name) for name in "abc"))


def parts_of(*names: str) -> Callable[[View], tuple[int, ...]]:
    return lambda view: tuple(view[name] for name in names)


@pytest.mark.parametrize(
    "who", [("a", "b"), ("b", "a"), ("a",), ("a", "b", "c"), ("c", "a"), NOBODY]
)
def test_a_final_of_several_is_what_every_play_ends_with(who: tuple[str, ...]) -> None:
    final = Final(who, parts_of(*who))
    expected = counted(both_tire(), lambda played: played.value(final))
    assert len(expected) == 2 ** len(who)
    assert odds_of(Solver().odds(both_tire(), final)) == expected
    assert set(Solver().sample(both_tire(), (final,), 100, 1)[0].seen.weights) <= set(expected)
    joint = Solver().joint(both_tire(), (final, Final("c", int)))
    assert odds_of(joint) == counted(
        both_tire(), lambda played: (played.value(final), played.situation.parts[2])
    )
    if who:
        best = Goal(Final(who, lambda view: sum(view.parts)))
        assert (
            Solver().advice(both_tire(), best).value == Solver().odds(both_tire(), best.tally).mean
        )


def test_a_final_of_several_leaves_others_out() -> None:
    two = situation({"a": 1, "b": 1}, *both_tire().agenda[:2])
    solver, final = Solver(), Final(("a", "b"), parts_of("a", "b"))
    assert solver.situations(both_tire(), (final,)) == solver.situations(two, (final,))


@pytest.mark.parametrize("reading", ["odds", "joint", "sample"])
def test_a_final_of_everybody_is_what_every_play_ends_with(reading: str) -> None:
    final = Final(EVERYBODY, parts_of("a", "b", "c"))
    expected = counted(both_tire(), lambda played: played.value(final))
    if reading == "odds":
        assert odds_of(Solver().odds(both_tire(), final)) == expected
    elif reading == "joint":
        joint = Solver().joint(both_tire(), (final,))
        assert {key[0]: chance for key, chance in joint} == expected
    else:
        assert set(Solver().sample(both_tire(), (final,), 900, 1)[0].seen.weights) == set(expected)


def test_advice_for_how_everybody_stands() -> None:
    goal = Goal(Final(EVERYBODY, lambda view: sum(view.parts)))
    expected = counted(both_tire(), lambda played: sum(played.situation.parts))
    mean = sum((number * chance for number, chance in expected.items()), Fraction(0))
    assert Solver().advice(both_tire(), goal).value == mean
    at_least = Goal(goal.tally, 8)
    assert Solver().advice(both_tire(), at_least).value == sum(
        chance for number, chance in expected.items() if number >= 8
    )


def test_a_final_looks_at_nobody_else() -> None:
    with pytest.raises(StepError, match="whom it is not addressed to"):
        Solver().odds(both_tire(), Final(("a",), lambda view: view["b"]))
    with pytest.raises(StepError, match="'ghost'"):
        Solver().odds(both_tire(), Final("ghost", int))
    played = play(both_tire(), Generator(1))
    assert played.value(Final(EVERYBODY, lambda view: view.names)) == ("a", "b", "c")


# -- samples -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "bound"), [(1, 1.0), (2, 1.0), (3, 1.0), (4, 0.75), (300, 0.01), (10_000, 0.0003)]
)
def test_what_was_never_seen_is_rarer_than_three_in_as_many_plays(count: int, bound: float) -> None:
    assert Sampled(Distribution({0: 1}), count).bound == pytest.approx(bound)


@pytest.mark.parametrize("far", [0, 254, 255, 256, 300, -1, -300, 10**12])
def test_numbers_that_fit_a_byte_or_not_are_counted_alike(far: int) -> None:
    class Far(Score, frozen=True, gc=False, cache_hash=True):
        signed = True

        def then(self, tokens: int, total: int) -> Next[int]:
            return Next(tokens, records={"x": far if total == 1 else total})

    start = situation({"a": 0}, Task(Far(D3), "a"), Task(Score(D2, "y"), "a"))
    asked = (Tally(("a.x",)), Tally(("a.y",)), Tally(("a.x",), "any"), Tally(("a.x",), "greatest"))
    solver = Solver()
    sampled = solver.sample(start, asked, 900, seed=2)
    for tally, each in zip(asked, sampled, strict=True):
        exact = solver.odds(start, tally)
        assert each.seen.weights.keys() == exact.weights.keys()
        for outcome, chance in exact:
            assert abs(float(each.seen.p(outcome) - chance)) < 5 * (0.25 / 900) ** 0.5


def test_a_resolution_may_record_what_falls() -> None:
    class Inner(Swing, frozen=True, gc=False, cache_hash=True):
        reach = ()

    class Signed(Strike, frozen=True, gc=False, cache_hash=True):
        signed = True

    inside = (times(Inner(), 2),)
    with pytest.raises(StepError, match="Strike records less than nothing"):
        Solver().odds(situation({"a": 9}, Task(Strike(inside, "luck"), "a")), Tally(LUCK))
    start = situation({"a": 9}, Task(Signed(inside, "luck"), "a"))
    assert odds_of(Solver().odds(start, Tally(LUCK))) == counted(start, number_of(Tally(LUCK)))
