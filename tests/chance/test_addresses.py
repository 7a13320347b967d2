"""Addresses: who is seen and changed, at whom a step glances, how far it reaches."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from firepower.chance import (
    EVERYBODY,
    NOBODY,
    AtLeast,
    Final,
    Generator,
    Next,
    Roll,
    Situation,
    Solver,
    Step,
    StepError,
    Tally,
    Task,
    Typed,
    View,
    play,
    situation,
)
from tests.chance.brute import counted, number_of, odds_of, part
from tests.chance.toys import (
    COIN,
    D2,
    D4,
    Effect,
    LocalNote,
    LocalThrow,
    Note,
    ReachingThrow,
    Throw,
    Trade,
    scores,
)

HITS = Tally(("a.hit",))
THIRD = Fraction(1, 3)


class Does(Step[View, Any], frozen=True, gc=False, cache_hash=True):
    """Whatever a function makes of the View; says what it glances at and how far it reaches."""

    what: Callable[[View], Next[View]]
    watched: tuple[str, ...] = ()
    reaches: tuple[str, ...] | None = None

    @property
    def glances(self) -> tuple[str, ...]:
        return self.watched

    @property
    def reach(self) -> tuple[str, ...] | None:
        return self.reaches

    def glance(self, tokens: int) -> bool:
        return tokens > 0

    def then(self, view: View, read: Any) -> Next[View]:
        return self.what(view)


class Maybe(Does, frozen=True, gc=False, cache_hash=True):
    """The same, one time in three."""

    def ask(self, view: View) -> Roll[bool]:
        return Roll("maybe", COIN, AtLeast(2))

    def then(self, view: View, read: Any) -> Next[View]:
        return self.what(view) if read else Next(view)


class Remember(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Records what it was given: how many it sees, and what they have together."""

    def then(self, view: View, _: None) -> Next[View]:
        assert isinstance(view, View)
        return Next(view, records={"seen": len(view.names), "tokens": sum(view.parts)})


def finals(*names: str) -> tuple[Final, ...]:
    return tuple(Final(name, int) for name in names)


def refused(start: Situation, asked: Tally | Final, sentence: str) -> None:
    """Odds, samples and play all refuse, with the same sentence."""
    with pytest.raises(StepError, match=sentence):
        Solver().odds(start, asked)
    with pytest.raises(StepError, match=sentence):
        Solver().sample(start, (asked,), 20, seed=1)
    with pytest.raises(StepError, match=sentence):
        _ = [play(start, Generator(seed)) for seed in range(20)]


# -- who is seen ---------------------------------------------------------------------------------


def test_several_are_seen_and_changed_together() -> None:
    start = situation({"a": 1, "b": 0, "c": 5}, Task(Trade(), ("a", "b"), 2))
    # no token left to sell after the first success
    sold = THIRD + 2 * THIRD * THIRD
    expected = {(0, 1, 5): sold, (1, 0, 5): 1 - sold}
    assert odds_of(Solver().joint(start, finals("a", "b", "c"))) == expected
    assert counted(start, lambda played: played.situation.parts) == expected


def test_what_is_done_by_several_is_recorded_for_those_it_names() -> None:
    record = Does(lambda view: Next(view, records={"a.hit": 2, "b.hit": 3, "hit": 7}))
    start = situation({"a": 0, "b": 0}, Task(record, ("a", "b")))
    asked = (HITS, Tally(("b.hit",)), Tally(("hit",)))
    assert odds_of(Solver().joint(start, asked)) == {(2, 3, 7): 1}
    assert play(start, Generator(1)).situation.records == (("a.hit", 2), ("b.hit", 3), ("hit", 7))


@pytest.mark.parametrize("tokens", [0, 1, 2, 7])
def test_of_others_a_step_knows_only_its_glance(tokens: int) -> None:
    """Whether c has any tokens is all that counts, so rows for one token serve for seven."""
    start = situation({"a": 2, "b": 0, "c": tokens}, Task(Trade(("c",)), ("a", "b")))
    sold = THIRD if tokens else Fraction(0)
    odds = odds_of(Solver().odds(start, Final("b", int)))
    assert odds == {n: chance for n, chance in ((0, 1 - sold), (1, sold)) if chance}
    assert counted(start, lambda played: part(played, "b")) == odds


def test_who_is_glanced_at_is_looked_at_when_he_changes_alone() -> None:
    """c is nobody else's business, but whether he has a token left is."""
    tire = LocalThrow(D4, 2, Effect(1))
    start = situation({"a": 2, "b": 0, "c": 2}, Task(tire, "c", 2), Task(Trade(("c",)), ("a", "b")))
    sold = (1 - Fraction(9, 16)) * THIRD
    for name, traded in (("a", 1), ("b", 1)):
        odds = odds_of(Solver().odds(start, Final(name, int)))
        assert odds == counted(start, lambda played, name=name: part(played, name))  # type: ignore[misc]  # mypy cannot infer it
        assert odds[traded] == sold


LOOKS: dict[str, Callable[[View], Any]] = {
    "the part": lambda view: view["c"],
    "a glance": lambda view: view.glance("c"),
    "a change": lambda view: view.replace("c", 0),
    "a part of it": lambda view: view.of(("a", "c")),
    "one of it": lambda view: view.of("c"),
    "nobody": lambda view: view["ghost"],
}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("who", [("a", "b"), ("a",), NOBODY])
def test_to_look_elsewhere_is_a_mistake(look: str, who: tuple[str, ...]) -> None:
    def does(view: View) -> Next[View]:
        LOOKS[look](view)
        return Next(view)

    start = situation({"a": 1, "b": 1, "c": 1}, Task(Maybe(does), who))
    refused(start, HITS, "whom it is not addressed to|without saying so in `glances`")


@pytest.mark.parametrize("look", [view for view in LOOKS if view != "a glance"])
def test_who_is_only_glanced_at_is_not_seen(look: str) -> None:
    def does(view: View) -> Next[View]:
        LOOKS[look](view)
        return Next(view)

    start = situation({"a": 1, "b": 1, "c": 1}, Task(Maybe(does, ("c",)), ("a", "b")))
    refused(start, HITS, "whom it is not addressed to")


def test_a_member_is_seen_and_not_glanced_at() -> None:
    start = situation({"a": 1}, Task(Maybe(lambda view: Next(view.glance("a"))), ("a",)))
    refused(start, HITS, "glances at 'a' without saying so")


def test_a_step_that_glances_says_for_what() -> None:
    class Blind(Step[View, None], frozen=True, gc=False, cache_hash=True):
        glances = ("b",)

        def then(self, view: View, _: None) -> Next[View]:
            return Next(view)

    start = situation({"a": 0, "b": 0}, Task(Throw(COIN, 2, Effect()), "a"), Task(Blind(), ("a",)))
    refused(start, HITS, "Blind glances at others and does not say for what")


@pytest.mark.parametrize(
    ("who", "seen", "tokens"),
    [
        (("b",), 1, 2),
        (("c", "a"), 2, 5),
        (NOBODY, 0, 0),
        (EVERYBODY, 3, 7),
        (("a", "b", "c"), 3, 7),
    ],
)
def test_a_view_is_of_exactly_those_who_are_addressed(
    who: str | tuple[str, ...], seen: int, tokens: int
) -> None:
    start = situation({"a": 1, "b": 2, "c": 4}, Task(Throw(COIN, 2, Effect()), "a"))
    start = Situation(start.names, start.parts, (*start.agenda, Task(Remember(), who)))
    asked = (Tally(("seen",)), Tally(("tokens",)))
    assert odds_of(Solver().joint(start, asked)) == {(seen, tokens): 1}
    assert [play(start, Generator(1)).number(each) for each in asked] == [seen, tokens]
    sampled = Solver().sample(start, asked, 5, seed=1)
    assert [each.seen.p(number) for each, number in zip(sampled, (seen, tokens), strict=True)] == [
        1,
        1,
    ]


def test_one_name_alone_gives_the_part_and_not_a_view() -> None:
    start = situation({"a": 3}, Task(Note(Effect(1)), "a"))
    assert odds_of(Solver().odds(start, Final("a", int))) == {2: 1}


def test_the_view_of_everybody_names_them_in_their_order() -> None:
    def does(view: View) -> Next[View]:
        assert view.names == ("b", "a")
        return Next(view.replace("b", view["b"] + 1))

    start = situation({"b": 0, "a": 5}, Task(Does(does), EVERYBODY))
    assert odds_of(Solver().joint(start, finals("a", "b"))) == {(5, 1): 1}


@pytest.mark.parametrize(
    "given",
    [
        lambda view: view.of(("b", "a")),
        lambda view: view.of(("a",)),
        lambda view: View(("a", "c"), view.parts),
        lambda _: View((), ()),
    ],
)
def test_to_give_back_others_than_one_was_given_is_a_mistake(given: Callable[[View], Any]) -> None:
    start = situation(
        {"a": 1, "b": 2, "c": 3}, Task(Maybe(lambda view: Next(given(view))), ("a", "b"))
    )
    refused(start, HITS, "gives back others than it was given")


def test_a_part_of_another_kind_is_taken_as_it_is() -> None:
    """Parts are the game's; only whose they are is the engine's."""
    start = situation({"a": 1, "b": 2}, Task(Does(lambda v: Next(v.replace("a", "up"))), ("a",)))
    assert odds_of(Solver().odds(start, Final("a", str))) == {"up": 1}


# -- how far a step reaches ----------------------------------------------------------------------


BUSY = LocalThrow(D4, 2, Effect(1, (("hit", 1),)))


def test_what_reaches_nobody_of_those_asked_about_is_left_out() -> None:
    parts = {"a": 3, "b": 3, "c": 9}
    trade, other = Task(Trade(), ("a", "b"), 3), Task(Trade(), ("c", "b"), 3)
    local = Task(BUSY, "c", 3)
    start = situation(parts, local, trade, local)
    alone = situation(parts, trade)
    solver = Solver()
    assert solver.situations(start, finals("a")) == solver.situations(alone, finals("a"))
    assert solver.odds(start, Final("a", int)) == solver.odds(alone, Final("a", int))
    both = situation(parts, local, trade, other)
    assert solver.situations(both, finals("a")) > solver.situations(alone, finals("a"))


@pytest.mark.parametrize(
    ("asked", "left_out"), [("a", False), ("b", False), ("c", True), ("d", True)]
)
def test_a_reach_that_is_named_is_looked_at_for_these_and_no_others(
    asked: str, left_out: bool
) -> None:
    hits = Task(LocalNote(scores("hit")), "b")
    aim = ReachingThrow(COIN, 2, Effect(todo=(hits,)))
    assert aim.reach == ("b",)
    start = situation(dict.fromkeys("abcd", 9), Task(aim, "a", 4))
    solver, tally = Solver(), Tally((f"{asked}.hit",))
    assert (solver.situations(start, (tally,)) == 1) == left_out
    assert odds_of(solver.odds(start, tally)) == counted(start, number_of(tally))


def test_a_question_about_a_record_of_nobody_leaves_out_what_says_whom_it_reaches() -> None:
    note = Does(lambda view: Next(view, records={"noise": 1}))
    start = situation({"a": 9, "b": 9}, Task(BUSY, "a", 4), Task(note, ("a",)), Task(BUSY, "b", 4))
    solver, noise = Solver(), Tally(("noise",))
    assert odds_of(solver.odds(start, noise)) == {1: 1}
    assert solver.situations(start, (noise,)) < solver.whole(start)


TOO_FAR = {
    "leads to another": lambda view: Next(view, Task(LocalNote(scores("hit")), "c")),
    "leads to all": lambda view: Next(view, Task(LocalNote(scores("hit")), EVERYBODY)),
    "leads to several": lambda view: Next(view, Task(Trade(), ("b", "c"))),
    "leads to what may reach anybody": lambda view: Next(view, Task(Note(Effect()), "a")),
    "leads to what reaches another": lambda view: Next(
        view, Task(ReachingThrow(COIN, 2, Effect(todo=(Task(BUSY, "c"),))), "a")
    ),
    "records for another": lambda view: Next(view, records={"c.hit": 1}),
    "records for nobody": lambda view: Next(view, records={"hit": 1}),
}


@pytest.mark.parametrize("deed", TOO_FAR)
@pytest.mark.parametrize("reach", [(), ("b",)])
def test_a_step_that_goes_beyond_its_reach_is_a_mistake(deed: str, reach: tuple[str, ...]) -> None:
    """The row is refused as soon as it is made, a play when it comes to it."""
    rare = Maybe(TOO_FAR[deed], reaches=reach)
    start = situation({"a": 1, "b": 1, "c": 1}, Task(rare, ("a",)))
    sentence = "Maybe does not say that it reaches"
    refused(start, HITS, sentence)
    assert play(start, Typed(["1"])).finished
    with pytest.raises(StepError, match=sentence):
        play(start, Typed(["2"]))


@pytest.mark.parametrize("deed", TOO_FAR)
def test_a_step_that_says_nothing_of_its_reach_may_go_anywhere(deed: str) -> None:
    start = situation({"a": 1, "b": 1, "c": 1}, Task(Maybe(TOO_FAR[deed]), ("a",)))
    if deed == "leads to all":
        return  # a step of tokens, which a View has not
    hits = Tally(("c.hit", "b.hit", "a.hit", "hit"))
    assert odds_of(Solver().joint(start, (hits, *finals("a", "b", "c")))) == counted(
        start, lambda played: (played.number(hits), *played.situation.parts)
    )


@pytest.mark.parametrize(
    "deed",
    [
        lambda view: Next(view, Task(LocalNote(scores("hit")), "b")),
        lambda view: Next(view, Task(LocalNote(scores("hit")), "a")),
        lambda view: Next(view, Task(Trade(), ("b", "a"))),
        lambda view: Next(view, records={"a.hit": 1, "b.hit": 1}),
    ],
)
def test_what_stays_within_the_reach_is_allowed(deed: Callable[[View], Next[View]]) -> None:
    start = situation({"a": 1, "b": 1, "c": 1}, Task(Maybe(deed, reaches=("b",)), ("a",)))
    hits = Tally(("a.hit", "b.hit"))
    assert odds_of(Solver().joint(start, (hits, *finals("a", "b", "c")))) == counted(
        start, lambda played: (played.number(hits), *played.situation.parts)
    )
    assert Solver().situations(start, (Tally(("c.hit",)),)) == 1


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
@pytest.mark.parametrize("reach", [None, (), ("c",)])
def test_the_order_of_those_addressed_does_not_matter(
    names: tuple[str, ...], reach: tuple[str, ...] | None
) -> None:
    def does(view: View) -> Next[View]:
        after = view.replace("a", view["a"] - 1).replace("b", view["b"] + 2)
        return Next(after, records={"a.hit": view["b"]})

    start = situation({"a": 3, "b": 1, "c": 0}, Task(Maybe(does, reaches=reach), names, 2))
    turned = situation({"a": 3, "b": 1, "c": 0}, Task(Maybe(does, reaches=reach), ("a", "b"), 2))
    asked: tuple[Tally | Final, ...] = (HITS, *finals("a", "b", "c"))
    assert Solver().joint(start, asked) == Solver().joint(turned, asked)
    assert odds_of(Solver().joint(start, asked)) == counted(
        start, lambda played: (played.number(HITS), *played.situation.parts)
    )


# -- mistakes that go unnoticed ------------------------------------------------------------------


def test_a_step_that_says_it_reaches_everybody_is_not_left_out() -> None:
    class Wide(Step[int, bool], frozen=True, gc=False, cache_hash=True):
        reach = (EVERYBODY,)

        def ask(self, tokens: int) -> Roll[bool]:
            return Roll("wide", D2, AtLeast(2))

        def then(self, tokens: int, hit: bool) -> Next[int]:
            return Next(tokens, Task(Does(lambda view: Next(view.replace("a", 0))), EVERYBODY))

    start = situation({"a": 1, "b": 1}, Task(Wide(), "b"))
    assert odds_of(Solver().odds(start, Final("a", int))) == {0: 1}


def test_nobody_is_addressed_twice() -> None:
    start = situation({"a": 3}, Task(Does(lambda view: Next(view.replace("a", 2))), ("a", "a")))
    refused(start, Final("a", int), "addressed to somebody twice")


@pytest.mark.parametrize("first", [(), (Task(Throw(D2, 2, Effect()), "a"),)])
def test_to_glance_at_somebody_who_is_not_here_is_a_mistake(first: tuple[Task, ...]) -> None:
    start = situation({"a": 1, "b": 0}, *first, Task(Trade(("ghost",)), ("a", "b")))
    refused(start, Final("a", int), "'ghost', who is not here")


def test_to_give_back_a_part_in_place_of_a_view_is_a_mistake() -> None:
    start = situation({"a": 1}, Task(Maybe(lambda view: Next(view["a"])), ("a",)))
    refused(start, HITS, "Maybe")
