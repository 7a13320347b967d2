"""Random small games: who, with how many tokens, and what is to be done, few enough dice to count.

a and b act in every way there is. c is a bystander whom anybody may touch, and who throws one
thing at a time; handfuls touch nobody but c, so that the order within them does not matter, as it
must not.
"""

from functools import cache
from math import prod
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from firepower.chance import EVERYBODY, NOBODY, Situation, Tally, Task, dice, situation
from firepower.chance.dice import Dice
from firepower.chance.steps import AnyStep
from tests.chance.toys import (
    COIN,
    D2,
    D3,
    D4,
    NOTHING,
    Bell,
    Effect,
    HandfulThrow,
    LocalHandfulStrike,
    LocalHandfulThrow,
    LocalNote,
    LocalThrow,
    Note,
    Pick,
    ReachingThrow,
    Score,
    Strike,
    Tell,
    Throw,
    Trade,
)

ACTORS = ("a", "b")
NAMES = (*ACTORS, "c")
DICE = {
    "all": (COIN, COIN, D2, D4, dice("d5"), dice("d6"), dice("d7"), dice("d8"), dice("2d2")),
    "small": (COIN, COIN, D2, D3),
}
TALLIES = (
    Tally(("a.x",)),
    Tally(("b.x", "b.y"), cap=3),
    Tally(("a.x", "b.x", "c.x")),
    Tally(("c.y", "b.y"), "any"),
    Tally(("a.y", "a.x"), "greatest"),
    Tally(("told",)),
    Tally(("a.x", "b.x", "c.y"), weights=(2, -1, 3)),
)

lesser = st.integers(0, 2)
tokens_needed = st.sampled_from((1, 0, 2, 1))
records = st.dictionaries(st.sampled_from("xy"), st.integers(0, 2), max_size=2).map(
    lambda amounts: tuple(amounts.items())
)


@st.composite
def throws(draw: DrawFn, kind: type[Throw], effect: SearchStrategy[Effect], cast: str) -> Throw:
    die = draw(st.sampled_from(DICE[cast]))
    totals = [total for total, _ in die.weights()]
    least = draw(st.integers(totals[0] + 1, totals[-1]))
    return kind(die, least, draw(effect), draw(st.just(NOTHING) | effect), draw(tokens_needed))


def effects(
    todo: SearchStrategy[tuple[Any, ...]], lose: SearchStrategy[int] | None = None
) -> SearchStrategy[Effect]:
    """Tokens lost, or one won; what is recorded; what is to be done."""
    return st.builds(
        Effect, st.sampled_from((1, 0, -1, 2)) if lose is None else lose, records, todo
    )


nothing_more: SearchStrategy[tuple[Any, ...]] = st.just(())
alone = effects(nothing_more)
in_any_order = effects(nothing_more, lesser)
notes = st.builds(Note, alone)
touches_c = nothing_more | notes.map(lambda note: (Task(note, "c"),))
in_any_order_with_c = effects(touches_c, lesser)
tells = st.sampled_from([Task(Tell(tally), EVERYBODY) for tally in (*TALLIES[:5], TALLIES[6])])


@st.composite
def local_steps(draw: DrawFn, depth: int, cast: str) -> AnyStep:
    """A step of which nothing comes for others, nor of what it leads to."""
    return draw(_local_steps(depth, cast))


@cache
def _local_steps(depth: int, cast: str) -> SearchStrategy[AnyStep]:
    todo = nothing_more
    if depth:
        todo = st.lists(local_steps(depth - 1, cast), max_size=1).map(tuple)
    effect = effects(todo)
    return st.one_of(
        throws(LocalThrow, effect, cast),
        throws(LocalHandfulThrow, in_any_order, cast),
        st.builds(LocalNote, effect),
    )


@cache
def strikes(cast: str) -> SearchStrategy[Strike]:
    """A Resolution of one or two steps, with Resolutions inside or not."""
    inside = st.lists(
        st.one_of(
            local_steps(1, cast),
            throws(Throw, alone, cast),
            st.builds(Strike, st.tuples(local_steps(0, cast)), st.just("y")),
        ),
        min_size=1,
        max_size=2,
    ).map(tuple)
    answer = st.sampled_from("xy")
    return st.one_of(
        st.builds(Strike, inside, answer, effects(touches_c), lesser, tokens_needed),
        st.builds(LocalHandfulStrike, inside, answer, in_any_order, lesser, tokens_needed),
    )


def picks(effect: SearchStrategy[Effect]) -> SearchStrategy[Pick]:
    """A Choice of two or three effects; the policy is one of the first two."""
    return st.builds(
        lambda by, effects, policy: Pick(by, tuple(zip("uvw", effects, strict=False)), policy),
        st.sampled_from(ACTORS),
        st.lists(effect, min_size=2, max_size=3, unique=True),
        st.sampled_from("uv"),
    )


@st.composite
def steps(draw: DrawFn, depth: int, cast: str) -> AnyStep:
    """A step of any kind; what it leads to is for its own combatant or for another."""
    return draw(_steps(depth, cast))


@cache
def trades(cast: str) -> SearchStrategy[Task]:
    """Something that a and b do together, with a glance at c or at each other."""
    todo = nothing_more | st.builds(
        lambda throw, who: (Task(throw, who),),
        throws(LocalThrow, alone, cast),
        st.sampled_from("ab"),
    )
    return st.one_of(
        st.builds(
            lambda sold, watched, who: Task(Trade(watched, sold), who),
            effects(todo),
            st.sampled_from(((), ("c",))),
            st.sampled_from((("a", "b"), ("b", "a"))),
        ),
        st.builds(
            lambda sold, who: Task(Trade(("b", "c") if who == "a" else ("a",), sold), (who,)),
            effects(nothing_more),
            st.sampled_from(ACTORS),
        ),
    )


@cache
def _steps(depth: int, cast: str) -> SearchStrategy[AnyStep]:
    todo = nothing_more
    if depth:
        tasks = st.builds(Task, steps(depth - 1, cast), st.sampled_from((None, *ACTORS)))
        todo = st.lists(st.one_of(tasks, bystanding(cast), tells), max_size=1).map(tuple)
    effect = effects(todo)
    return st.one_of(
        throws(Throw, effect, cast),
        throws(ReachingThrow, effect, cast),
        throws(HandfulThrow, in_any_order_with_c, cast),
        st.builds(Note, effect),
        picks(effect),
        strikes(cast),
        local_steps(1, cast),
        st.builds(Score, st.sampled_from(DICE[cast]), st.sampled_from("xy")),
    )


@cache
def bystanding(cast: str) -> SearchStrategy[Task]:
    """Something that c does."""
    thrown = throws(Throw, alone, cast)
    return st.builds(Task, notes | thrown, st.just("c"), st.integers(1, 2))


@cache
def acting(cast: str, *, choosing: bool) -> SearchStrategy[Task]:
    """Something that a or b does; if `choosing`, more often a Choice."""
    anything = steps(1, cast) | picks(alone) if choosing else steps(1, cast)
    return st.builds(Task, anything, st.sampled_from(ACTORS), st.integers(1, 3))


@cache
def handfuls() -> SearchStrategy[Task]:
    """Two or three of a kind in one hand; the last tokens may go before the last of them."""
    inside = st.tuples(throws(Throw, alone, "small"))
    strike = st.builds(
        LocalHandfulStrike, inside, st.just("x"), in_any_order, lesser, st.integers(1, 2)
    )
    thrown = throws(HandfulThrow, in_any_order_with_c, "small")
    return st.builds(Task, strike | thrown, st.sampled_from(ACTORS), st.integers(2, 3))


@st.composite
def games(draw: DrawFn, *, cast: str = "all", most: int = 800, choosing: bool = False) -> Situation:
    """A situation with at most `most` scripts of faces (and of options, if `choosing`)."""
    agenda: list[Task] = []
    left = most
    for _ in range(draw(st.integers(2, 5))):
        kinds = acting(cast, choosing=choosing) | bystanding(cast) | handfuls() | trades(cast)
        task = draw(kinds)
        number = scripts(task, choosing=choosing)
        if number <= left:
            agenda.append(task)
            left //= number
    assume(agenda and left < most)
    if draw(st.booleans()):
        at = draw(st.integers(0, len(agenda)))
        agenda.insert(at, draw(tells))
    if draw(st.booleans()):
        at = draw(st.integers(0, len(agenda)))
        agenda[at:] = [Task(Bell("half", tuple(agenda[at:])), NOBODY)]
    return situation({name: draw(st.sampled_from((1, 0, 2, 3))) for name in NAMES}, *agenda)


def scripts(each: Task | AnyStep, *, choosing: bool = False) -> int:
    """No fewer scripts of faces than a step can ask for."""

    def of(effect: Effect) -> int:
        return prod((scripts(more, choosing=choosing) for more in effect.todo), start=1)

    if isinstance(each, Task):
        return prod([scripts(each.step, choosing=choosing)] * each.times)
    if isinstance(each, Throw):
        return faces(each.dice) * max(of(each.hit), of(each.miss))
    if isinstance(each, Score):
        return faces(each.dice)
    if isinstance(each, Strike):
        return prod(scripts(more) for more in each.inside) * of(each.after)
    if isinstance(each, Trade):
        return 2 * of(each.sold)
    if isinstance(each, Pick):
        numbers = [of(effect) for _, effect in each.options]
        return sum(numbers) if choosing else max(numbers)
    return of(each.effect) if isinstance(each, Note) else 1


def faces(thrown: Dice) -> int:
    return prod(len(die.faces) for die in thrown.physical())
