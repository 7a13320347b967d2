"""Odds: every measure of a question with its distribution, and how it was found."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from firepower.answers.played import resumed
from firepower.answers.question import Opened
from firepower.answers.terms import Terms, pick_measures, terms
from firepower.chance.answered import END, Answered, Asked
from firepower.chance.distribution import Distribution
from firepower.chance.errors import LimitError
from firepower.chance.events import Event
from firepower.chance.sample import Sampled
from firepower.chance.solver import Solver
from firepower.chance.steps import AnyStep, Modifier, Roll, Situation
from firepower.chance.table import settled
from firepower.combat.errors import QuestionError
from firepower.combat.game import Opening
from firepower.combat.turns import has_rounds, round_mark

DEFAULT_SAMPLES = 10_000
SEED = 1
"""Samples are drawn alike each time that a question is asked."""


class Tested(msgspec.Struct, frozen=True):
    """One kind of roll that is made: who makes it, what it needs, and every part of that."""

    label: str
    by: str
    dice: str
    need: str
    target: int | None
    parts: tuple[Modifier, ...]


class Found(msgspec.Struct, frozen=True):
    """The distribution of each measure, and those of them that were sampled."""

    measures: dict[str, Distribution[Any]]
    sampled: dict[str, Sampled]


class Odds(msgspec.Struct, frozen=True):
    """Odds: each measure with its distribution, and how they were found.

    Those in `sampled` would have cost too much to be exact and are what was seen in so many plays,
    `samples` or as many as the work allowed; `why` says what was too much. `after` are the measures
    as they stand when a round is over, by its number.
    """

    system: str
    tests: tuple[Tested, ...]
    measures: dict[str, Distribution[Any]]
    words: dict[str, tuple[str, ...]]
    situations: int
    sampled: dict[str, Sampled]
    why: LimitError | None
    samples: int
    after: dict[int, Found]
    terms: Terms
    opening: Opening
    so_far: tuple[Event, ...]


def odds(
    question: Opened,
    *,
    measures: Sequence[str] = (),
    dice: Sequence[str] = (),
    choose: Sequence[str] = (),
    by_round: bool = False,
    samples: int = DEFAULT_SAMPLES,
    solver: Solver | None = None,
) -> Odds:
    """Odds of a question, of some measures or of all.

    `dice` and `choose` are the answers given so far: odds are then those from there. What would
    cost more than the solver may spend is what was seen in `samples` plays.
    Raises QuestionError for a measure that there is not and for rounds where there are none,
    AnswerError for an answer that does not fit, LimitError if that costs too much and `samples`
    is 0.
    """
    solver = solver or Solver()
    opening = question.opening
    asked = pick_measures(opening, measures)
    if by_round and not has_rounds(opening.situation):
        raise QuestionError("without 'rounds' there are none after which odds could be given")
    start, events = resumed(opening, dice, choose)
    answered = solver.answer(start, asked, samples=samples, seed=SEED)
    found = _found(asked, answered, END)
    after = {
        number: _found(asked, answered, round_mark(number))
        for number in opening.rounds
        if by_round and answered.comes_to(round_mark(number))
    }
    return Odds(
        question.system.name,
        tuple(_tests(answered.asked, start)),
        found.measures,
        opening.words,
        answered.situations,
        found.sampled,
        answered.why,
        samples,
        after,
        terms(question),
        opening,
        events,
    )


def _found(asked: Iterable[str], answered: Answered, mark: str) -> Found:
    """The measures at one mark, in the order in which they were asked for."""
    exact, sampled = answered.at(mark)
    found = exact | {name: each.seen for name, each in sampled.items()}
    return Found({name: found[name] for name in asked}, sampled)


def _tests(asked: Iterable[Asked], start: Situation) -> Iterable[Tested]:
    """Every kind of roll that is made, those that the agenda asks as it stands before others."""
    rolls = [(who, question) for who, question in asked if isinstance(question, Roll)]
    first = {question: i for i, question in enumerate(_asked_first(start))}
    for who, roll in sorted(rolls, key=lambda each: first.get(each, len(first))):
        yield Tested(roll.label, who, str(roll.throw), roll.reading.need, roll.target, roll.parts)


def _asked_first(start: Situation) -> Iterable[tuple[str, object]]:
    """What the agenda asks as it stands, in its order, when all is done that asks nothing."""
    first = settled(start)
    parts = dict(zip(first.names, first.parts, strict=True))
    for task in first.agenda:
        if task.who in parts:
            yield from _asked_of(task.who, parts[task.who], task.step)


def _asked_of(who: str, part: Any, step: AnyStep) -> Iterable[tuple[str, object]]:
    """What a step asks, or if it asks nothing what those ask that it leads to."""
    question = step.ask(part)
    if question is not None:
        yield who, question
        return
    for each in step.then(part, None).todo:
        if each.who is None:
            yield from _asked_of(who, part, each.step)
