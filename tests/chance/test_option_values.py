"""What every option of every decision is worth, against each history that can come to it.

A decision stands for all the histories after which the same is to be done in the same state; its
options are worth what these histories come to on the average, what was recorded before included.
"""

from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from firepower.chance import (
    Choice,
    Goal,
    Played,
    Roll,
    Situation,
    Solver,
    Tally,
    Task,
    play,
    situation,
)
from firepower.chance.dice import Die, Face
from firepower.chance.sources import NoMoreAnswersError
from tests.chance.random_games import NAMES, games
from tests.chance.toys import COIN, D2, D3, Bell, Effect, LocalThrow, Pick, Throw, scores, times

Script: TypeAlias = tuple[int, ...]


class _DieError(Exception):
    """A die falls that the script says nothing of."""


class Scripting:
    """Faces and options by their places; a play stops at the first choice without one."""

    def __init__(self, script: Script) -> None:
        self.open: Die | Choice[Any] | None = None
        self._places = list(script)

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        return tuple(die.faces[self._next(die)] for die in roll.throw.physical())

    def decide(self, choice: Choice[Any], parts: object, mark: str) -> str:
        if not self._places:
            self.open = choice
            raise NoMoreAnswersError
        return choice.options[self._places.pop(0)].key

    def left(self) -> bool:
        return True

    def _next(self, die: Die) -> int:
        if not self._places:
            self.open = die
            raise _DieError
        return self._places.pop(0)


class Reached(NamedTuple):
    """All that histories which stand at one decision come to together."""

    label: str
    by: str
    keys: tuple[str, ...]
    best: int
    chance: Fraction
    worths: tuple[Fraction, ...]


class Histories:
    """Every history of a game, and what it is worth under the best continuation."""

    def __init__(self, start: Situation, goal: Goal, *, least: bool) -> None:
        self.decisions: dict[Any, Reached] = {}
        self._start, self._goal = start, goal
        self._pick = min if least else max
        self._known: dict[Script, tuple[Played | None, Die | Choice[Any] | None]] = {}
        self._worth: dict[Script, Fraction] = {}
        self.value = self.worth(())
        self._visit((), Fraction(1))

    def at(self, script: Script) -> tuple[Played | None, Die | Choice[Any] | None]:
        if script not in self._known:
            scripting = Scripting(script)
            try:
                played: Played | None = play(self._start, scripting, scripting)
            except _DieError:
                played = None
            self._known[script] = played, scripting.open
        return self._known[script]

    def worth(self, script: Script) -> Fraction:
        """What a history comes to in all, done for the best from here."""
        if script not in self._worth:
            played, at = self.at(script)
            if isinstance(at, Die):
                ways = [self.worth((*script, place)) for place in range(len(at.faces))]
                whole = sum(at.weights)
                shares = [Fraction(weight, whole) for weight in at.weights]
                found = sum((w * s for w, s in zip(ways, shares, strict=True)), Fraction(0))
            elif at is not None:
                found = self._pick(self._options(script, at))
            else:
                assert played is not None
                found = Fraction(self._number(played))
            self._worth[script] = found
        return self._worth[script]

    def _options(self, script: Script, at: Choice[Any]) -> tuple[Fraction, ...]:
        return tuple(self.worth((*script, place)) for place in range(len(at.options)))

    def _number(self, played: Played) -> int:
        tally = self._goal.tally
        number = played.value(tally)
        enough = self._goal.at_least
        return int(number if enough is None else number >= enough)

    def _visit(self, script: Script, chance: Fraction) -> None:
        """Go on where the best play comes, and gather what stands at the same decision."""
        played, at = self.at(script)
        if isinstance(at, Die):
            whole = sum(at.weights)
            for place, weight in enumerate(at.weights):
                self._visit((*script, place), chance * Fraction(weight, whole))
        elif at is not None:
            assert played is not None
            worths = self._options(script, at)
            best = worths.index(self._pick(worths))
            self._gather(self._place(played), at, best, chance, worths)
            self._visit((*script, best), chance)

    def _place(self, played: Played) -> Any:
        """What tells decisions apart: of what was recorded only what still counts."""
        here = played.situation
        enough, tally = self._goal.at_least, self._goal.tally
        so_far = None
        if enough is not None and isinstance(tally, Tally):
            so_far = min(int(played.number(tally)), max(0, enough))
        return here.parts, here.agenda, here.tallies, so_far

    def _gather(
        self, place: Any, at: Choice[Any], best: int, chance: Fraction, worths: tuple[Fraction, ...]
    ) -> None:
        shares = tuple(chance * worth for worth in worths)
        before = self.decisions.get(place)
        if before is not None:
            assert before.best == best
            chance += before.chance
            shares = tuple(a + b for a, b in zip(before.worths, shares, strict=True))
        keys = tuple(option.key for option in at.options)
        self.decisions[place] = Reached(at.label, at.by, keys, best, chance, shares)


def told(histories: Histories) -> list[Any]:
    """The decisions that were counted, as they should be advised: those alike added up."""
    alike: dict[Any, Fraction] = {}
    for each in histories.decisions.values():
        worths = [worth / each.chance for worth in each.worths]
        options = tuple(zip(each.keys, worths, strict=True))
        key = (each.label, each.by, each.keys[each.best], options)
        alike[key] = alike.get(key, Fraction(0)) + each.chance
    return sorted(alike.items())


def advised(start: Situation, goal: Goal, *, least: bool) -> list[Any]:
    alike: dict[Any, Fraction] = {}
    for d in Solver().advice(start, goal, least=least).decisions:
        key = (d.label, d.by, d.best, d.options)
        alike[key] = alike.get(key, Fraction(0)) + d.arrives
    return sorted(alike.items())


def compared(start: Situation, goal: Goal, *, least: bool) -> int:
    """How many decisions there are, each of whose options is worth what was counted."""
    histories = Histories(start, goal, least=least)
    assert Solver().advice(start, goal, least=least).value == histories.value
    assert advised(start, goal, least=least) == told(histories)
    return len(histories.decisions)


# what counts all records of all, so that nobody is left out of the question
EVERY = tuple(f"{name}.{what}" for name in NAMES for what in "xy")
GOALS = (
    Goal(Tally(EVERY)),
    Goal(Tally(EVERY, weights=(1, -2, 3, 0, -1, 2))),
    Goal(Tally((*EVERY, "told"))),
    Goal(Tally(EVERY), 2),
)


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(
    games(cast="small", most=80, choosing=True),
    st.sampled_from(GOALS),
    st.booleans(),
    st.sampled_from(((), (("a.x", 2), ("c.y", 1)))),
)
def test_every_option_is_worth_what_all_its_histories_come_to(
    start: Situation, goal: Goal, least: bool, records: tuple[tuple[str, int], ...]
) -> None:
    begun = Situation(start.names, start.parts, start.agenda, records=records)
    assume(compared(begun, goal, least=least))


GAIN = Tally(("a.gain",))
LUCK = Throw(COIN, 2, scores("gain", 6), scores("gain"))
DOUBLE = Pick(
    "a",
    (("keep", scores("gain", 2)), ("double", Effect(todo=(Throw(D3, 3, scores("gain", 7)),)))),
    "keep",
    "double",
)
TIRING = Throw(D2, 2, Effect(1, (("gain", 3),)), scores("gain", 2), while_tokens=1)
PROBLEMS = {
    "luck before": (times(LUCK, 3, "a"), times(DOUBLE, 2, "a")),
    "luck before and between": (
        Task(LUCK, "a"),
        Task(DOUBLE, "a"),
        times(TIRING, 3, "a"),
        Task(DOUBLE, "a"),
    ),
    "unequal ways to the same state": (
        Task(Throw(D3, 3, Effect(1, (("gain", 9),)), Effect(1)), "a"),
        Task(Throw(COIN, 2, Effect(1, (("gain", 4),)), Effect(0, (("gain", 1),))), "a"),
        Task(DOUBLE, "a"),
    ),
    "many at once, in two states": (
        Task(Throw(D2, 2, Effect(1)), "a"),
        times(LUCK, 5, "a"),
        Task(DOUBLE, "a"),
    ),
    "a mark between": (Task(LUCK, "a"), Task(Bell("half", (Task(DOUBLE, "a"),)), ())),
}


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("least", [False, True])
@pytest.mark.parametrize("goal", [Goal(GAIN), Goal(GAIN, 9)])
def test_options_after_records_were_made(name: str, least: bool, goal: Goal) -> None:
    assert compared(situation({"a": 2}, *PROBLEMS[name]), goal, least=least) >= 1


def test_a_decision_that_many_come_to_counts_each_as_often_as_it_comes() -> None:
    """By hand: 6 comes one time in three, 1 else; both lead to the same choice."""
    start = situation({"a": 0}, Task(LUCK, "a"), Task(DOUBLE, "a"))
    (decision,) = Solver().advice(start, Goal(GAIN)).decisions
    before = Fraction(6 + 2 * 1, 3)
    assert decision.options == (("keep", before + 2), ("double", before + Fraction(7, 3)))
    assert decision.best == "double"
    assert decision.arrives == 1


def test_a_decision_tells_how_everybody_stands() -> None:
    tire = LocalThrow(D2, 1, Effect(2))
    start = situation({"a": 0, "b": 3}, Task(tire, "b"), Task(LUCK, "a"), Task(DOUBLE, "a"))
    (decision,) = Solver().advice(start, Goal(GAIN)).decisions
    assert all(dict(state).get("b", 1) == 1 for state in decision.states)
