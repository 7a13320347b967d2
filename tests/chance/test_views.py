"""Views: what is not seen does not count. The state behind a view is swapped, the rows compared.

Rows are remembered by what a step sees, so a step that knows more than its View would be answered
for one state with what it did in another.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings

from firepower.answers.question import read_question
from firepower.chance import (
    EVERYBODY,
    AtLeast,
    Choice,
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
    View,
    situation,
)
from firepower.chance.bounds import Bounds
from firepower.chance.graph import Graph
from firepower.chance.rows import read_weights
from firepower.chance.steps import AnyStep, Question
from firepower.chance.table import Table
from firepower.chance.tallies import Address
from firepower.combat.errors import QuestionError
from tests.chance.brute import counted, number_of, odds_of
from tests.chance.random_games import games
from tests.chance.toys import COIN, D2, D3, Effect, LocalThrow, Throw, Trade, times

HITS = Tally(("a.hit",))
MOST_SITUATIONS = 3_000
MOST_ANSWERS = 8
EXAMPLES = sorted(
    path
    for path in (Path(__file__).parents[2] / "examples").glob("*.toml")
    if "\nextends" not in path.read_text()
)


def explored(start: Situation) -> Graph:
    """Everything there can be of everybody, or as much of it as is not too much."""
    solver = Solver()
    everybody = frozenset((EVERYBODY, *start.names))
    graph = Graph(solver._rows, solver._pools, start, everybody, None)
    with suppress(LimitError):
        graph.explore(Bounds(MOST_SITUATIONS))
    return graph


def answers(question: Question[Any] | None) -> Iterator[Any]:
    """What may be read: of a Resolution a few numbers, that are as good as any."""
    if question is None:
        yield None
    elif isinstance(question, Choice):
        yield from (option.value for option in question.options)
    elif isinstance(question, Resolution):
        yield from range(4)
    else:
        yield from list(read_weights(question))[:MOST_ANSWERS]


def done(step: AnyStep, seen: Any) -> Any:
    """All that a step does with what it sees: whether it matters, what it asks, what follows."""
    if not step.applies(seen):
        return None
    question = step.ask(seen)
    return question, step.says(seen), [step.then(seen, read) for read in answers(question)]


def behind(graph: Graph) -> dict[tuple[int, int, int], list[Table]]:
    """For each step and view a few different full states in which just that is seen."""
    found: dict[tuple[int, int, int], dict[Any, Table]] = defaultdict(dict)
    for agenda, parts, tallies in graph.places:
        if not agenda:
            continue
        step, who, _, _ = graph.agendas.cells[agenda]
        seen = graph.views.seen(step, who, parts, tallies)
        whole = tuple([graph.rows.parts[part] for part in parts])
        states = found[step, who, seen]
        if len(states) < 3:
            states[parts] = Table(Situation(graph.names, whole, (), tallies))
            states[parts].tallies = dict(tallies)
    return {key: list(states.values()) for key, states in found.items()}


def compared(start: Situation) -> int:
    """How many states were swapped behind a view; the step must do the same in each of them."""
    swapped = 0
    graph = explored(start)
    for (step, who, _), tables in behind(graph).items():
        if len(tables) < 2:
            continue
        known, address = graph.rows.steps[step].step, graph.agendas.address(who)
        first = done(known, tables[0].view(known, address))
        for table in tables[1:]:
            swapped += 1
            assert done(known, table.view(known, address)) == first, known
    return swapped


# -- what is there -------------------------------------------------------------------------------


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(games(most=10**6, choosing=True))
def test_no_step_of_a_random_game_knows_what_it_does_not_see(start: Situation) -> None:
    compared(start)


def test_the_states_behind_a_view_are_swapped_at_all() -> None:
    """Else the test above would show nothing."""
    start = situation(
        {"a": 2, "b": 1, "c": 3},
        times(LocalThrow(D3, 2, Effect(1)), 2, "c"),
        Task(Trade(("c",)), ("a", "b"), 2),
        Task(LocalThrow(D3, 2, Effect(1)), "b"),
    )
    assert compared(start) >= 10


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_step_of_an_example_knows_what_it_does_not_see(path: Path) -> None:
    changes = ["rounds=2"] if path.stem == "duel" else []
    read = 0
    for choosing in (False, True):
        with suppress(QuestionError):
            start = read_question(path, changes=changes, choosing=choosing).opening.situation
            compared(start)
            read += 1
    assert read


# -- what is caught ------------------------------------------------------------------------------


class Snipe(Step[View, bool], frozen=True, gc=False, cache_hash=True):
    """a may hit c, more easily the more tokens b has: the right rule, with a right glance."""

    @property
    def glances(self) -> tuple[str, ...]:
        return ("b",)

    def glance(self, tokens: int) -> Any:
        return tokens

    def tokens(self, view: View) -> int:
        return int(view.glance("b"))

    def ask(self, view: View) -> Roll[bool]:
        return Roll("snipe", D3, AtLeast(4 - self.tokens(view)))

    def then(self, view: View, hit: bool) -> Next[View]:
        return Next(view, records={"a.hit": hit})


class Shortsighted(Snipe, frozen=True, gc=False, cache_hash=True):
    """The same with a glance that tells too little: two tokens look like one."""

    def glance(self, tokens: int) -> Any:
        return min(tokens, 1)


class Forgetful(Snipe, frozen=True, gc=False, cache_hash=True):
    """The same with a glance that it forgot to name."""

    @property
    def glances(self) -> tuple[str, ...]:
        return ()


class Peeking(Snipe, frozen=True, gc=False, cache_hash=True):
    """The same with a glance that says nothing, and a back door by which it knows all the same."""

    door: ClassVar[list[int]] = []

    def glance(self, tokens: int) -> Any:
        self.door[:] = [tokens]
        return None

    def tokens(self, view: View) -> int:
        return self.door[0]


class PeekingAtParts(Snipe, frozen=True, gc=False, cache_hash=True):
    """The same without a glance, and a register of who has what."""

    register: ClassVar[dict[str, Any]] = {}

    @property
    def glances(self) -> tuple[str, ...]:
        return ()

    def tokens(self, view: View) -> int:
        return int(self.register.get("b", 0))


class Registers(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """Writes into that register, each time that it is asked, what b has."""

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll("tire", D2, AtLeast(2))

    def then(self, tokens: int, tired: bool) -> Next[int]:
        PeekingAtParts.register["b"] = tokens - tired
        return Next(tokens - tired)


def sniping(kind: type[Snipe], tire: Any = None) -> Situation:
    tires = Throw(D2, 2, Effect(1)) if tire is None else tire
    return situation({"a": 0, "b": 3}, times(tires, 2, "b"), Task(kind(), ("a",)))


RIGHT = {0: Fraction(1, 4), 1: Fraction(3, 4)}


def test_a_glance_that_tells_enough_is_right() -> None:
    # b has 3, 2 or 1 tokens left one, two, one times in four: hit in 3, 2, 1 cases of 3
    hit = Fraction(1, 4) + Fraction(1, 2) * Fraction(2, 3) + Fraction(1, 4) * Fraction(1, 3)
    expected = {0: 1 - hit, 1: hit}
    assert odds_of(Solver().odds(sniping(Snipe), HITS)) == expected
    assert counted(sniping(Snipe), number_of(HITS)) == expected
    assert compared(sniping(Snipe)) == 0


def test_a_glance_that_tells_too_little_is_not_the_game_that_was_meant() -> None:
    wrong = odds_of(Solver().odds(sniping(Shortsighted), HITS))
    assert wrong == {0: Fraction(2, 3), 1: Fraction(1, 3)}
    assert wrong != counted(sniping(Snipe), number_of(HITS))
    assert wrong == counted(sniping(Shortsighted), number_of(HITS))


def test_a_glance_that_was_not_named_is_a_mistake() -> None:
    with pytest.raises(StepError, match="glances at 'b' without saying so"):
        Solver().odds(sniping(Forgetful), HITS)


def test_a_step_that_looks_through_a_back_door_is_caught() -> None:
    with pytest.raises(AssertionError):
        compared(sniping(Peeking))


def test_a_step_that_looks_into_a_register_is_caught() -> None:
    """What it does depends on what was done last, not on what it sees."""
    with pytest.raises(AssertionError):
        compared_with_register(sniping(PeekingAtParts, Registers()))


def compared_with_register(start: Situation) -> int:
    """The comparison, with the register as it stands in each of the states that are swapped."""
    graph, swapped = explored(start), 0
    for (step, who, _), tables in behind(graph).items():
        known, address = graph.rows.steps[step].step, graph.agendas.address(who)
        seen = []
        for table in tables:
            PeekingAtParts.register.update(table.parts)
            seen.append(done(known, table.view(known, address)))
            swapped += 1
        assert seen == [seen[0]] * len(seen), known
    return swapped


def test_steps_for_everybody_leave_nothing_behind_a_view() -> None:
    class Look(Step[View, None], frozen=True, gc=False, cache_hash=True):
        def then(self, view: View, _: None) -> Next[View]:
            return Next(view, records={"a.hit": view["b"]})

    address: Address = EVERYBODY
    start = situation({"a": 0, "b": 2}, Task(Throw(COIN, 2, Effect(1)), "b"), Task(Look(), address))
    assert compared(start) == 0
    assert odds_of(Solver().odds(start, HITS)) == {1: Fraction(1, 3), 2: Fraction(2, 3)}
