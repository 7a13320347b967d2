"""The document that answers a question: odds, a played attack, each with its terms."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from firepower.chance.advice import Advice
from firepower.chance.distribution import Distribution
from firepower.chance.errors import AnswerError, LimitError
from firepower.chance.play import Event, Played, Policies, Scripted, Typed, play
from firepower.chance.solver import AnyMeasure, Solver
from firepower.chance.steps import Measure, Modifier, Roll, Situation
from firepower.scenario import Question
from firepower.systems.documents import close_matches
from firepower.systems.errors import QuestionError
from firepower.systems.system import Opening


class Tested(msgspec.Struct, frozen=True):
    """One kind of roll that is made: who makes it, what it needs, and every part of that."""

    label: str
    by: str
    dice: str
    need: str
    target: int | None
    parts: tuple[Modifier, ...]


class Terms(msgspec.Struct, frozen=True):
    """What an answer rests on."""

    rulings: dict[str, str]
    policies: dict[str, str]
    not_modelled: tuple[str, ...]
    scenario: dict[str, Any]


class Odds(msgspec.Struct, frozen=True):
    """Exact odds: each measure with its distribution, and how they were found."""

    system: str
    tests: tuple[Tested, ...]
    measures: dict[str, Distribution[Any]]
    words: dict[str, tuple[str, ...]]
    situations: int
    terms: Terms
    opening: Opening
    so_far: tuple[Event, ...]


class Outcome(msgspec.Struct, frozen=True):
    """One played attack: what happened, and what each measure came to."""

    system: str
    events: tuple[Event, ...]
    measures: dict[str, Any]
    words: dict[str, tuple[str, ...]]
    faces: tuple[str, ...]
    options: tuple[str, ...]
    terms: Terms


def odds(
    question: Question,
    *,
    measures: Sequence[str] = (),
    dice: Sequence[str] = (),
    choose: Sequence[str] = (),
    solver: Solver | None = None,
) -> Odds:
    """Exact odds of a question, of some measures or of all.

    `dice` and `choose` are the answers given so far: odds are then those from there.
    Where all are asked for, one that has too many situations is left out and named.
    Raises QuestionError for a measure that there is not, AnswerError for an answer that does not
    fit, LimitError for a measure that was asked for and has too many situations.
    """
    solver = solver or Solver()
    opening = question.opening
    asked = pick_measures(opening, measures)
    start, events = resumed(opening, dice, choose)
    found: dict[str, Distribution[Any]] = {}
    left_out: list[str] = []
    for name, measure in asked.items():
        try:
            found[name] = solver.odds(start, measure)
        except LimitError as too_many:
            if measures:
                raise
            left_out.append(f"{name}: {too_many}")
    answered = [asked[name] for name in found]
    return Odds(
        question.system.name,
        tuple(_tests(solver, start, answered)),
        found,
        opening.words,
        solver.situations(start, answered),
        terms(question, left_out=left_out),
        opening,
        events,
    )


def outcome(question: Question, played: Played) -> Outcome:
    """The report of a play that came to its end."""
    opening = question.opening
    values = {name: _value(played, measure) for name, measure in opening.measures.items()}
    return Outcome(
        question.system.name,
        played.events,
        values,
        opening.words,
        tuple(str(face) for face in played.faces),
        played.options,
        terms(question),
    )


def resumed(
    opening: Opening, dice: Sequence[str], choose: Sequence[str]
) -> tuple[Situation, tuple[Event, ...]]:
    """Where the answers given so far lead: the situation there, and what happened on the way.

    Raises AnswerError if one does not fit or is never asked for.
    """
    if not dice and not choose:
        return opening.situation, ()
    typed = Typed(dice)
    script = Scripted(choose, Policies())
    played = play(opening.situation, typed, script)
    refuse_unused(typed, script)
    return played.situation, played.events


def refuse_unused(typed: Typed, script: Scripted) -> None:
    """AnswerError if faces or options were given that nothing asked for."""
    for unused, what in ((typed.unused(), "face"), (script.unused(), "option")):
        if unused:
            plural = "s" if len(unused) > 1 else ""
            raise AnswerError(
                f"{len(unused)} {what}{plural} too many: nothing asks for {', '.join(unused)}"
            )


def pick_measures(opening: Opening, names: Iterable[str]) -> dict[str, AnyMeasure]:
    """The measures of these names, or all; QuestionError for one that there is not."""
    chosen = list(names)
    for name in chosen:
        if name not in opening.measures:
            near = close_matches(name, opening.measures)
            raise QuestionError(f"there is no measure {name!r} here; {near}")
    return {name: opening.measures[name] for name in chosen or opening.measures}


def terms(question: Question, *, choosing: bool = False, left_out: Iterable[str] = ()) -> Terms:
    """The rulings and policies in force, what is left out, and the scenario as it was read.

    With `choosing` the best options stand in place of the policies.
    """
    opening = question.opening
    policies = {} if choosing else opening.policies
    scenario = _without_defaults(msgspec.to_builtins(question.scenario))
    return Terms(opening.rulings, policies, (*opening.not_modelled, *left_out), scenario)


def _without_defaults(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _without_defaults(each) for key, each in value.items()}
        return {key: each for key, each in kept.items() if each is not None}
    if isinstance(value, list | tuple):
        return [_without_defaults(each) for each in value]
    return value


def _tests(solver: Solver, start: Situation, measures: Iterable[AnyMeasure]) -> Iterable[Tested]:
    seen: dict[tuple[str, Roll[Any]], None] = {}
    for measure in measures:
        for who, asked in solver.asked(start, measure):
            if isinstance(asked, Roll):
                seen[who, asked] = None
    first = {question: i for i, question in enumerate(_asked_first(start))}
    for who, roll in sorted(seen, key=lambda asked: first.get(asked, len(first))):
        yield Tested(roll.label, who, str(roll.throw), roll.reading.need, roll.target, roll.parts)


def _asked_first(start: Situation) -> Iterable[tuple[str, object]]:
    """What the agenda asks as it stands, in its order."""
    parts = dict(zip(start.names, start.parts, strict=True))
    for task in start.agenda:
        if task.who in parts:
            yield task.who, task.step.ask(parts[task.who])


def _value(played: Played, measure: AnyMeasure) -> Any:
    if isinstance(measure, Measure):
        return played.number(measure)
    at = played.situation.names.index(measure.who)
    return measure.of(played.situation.parts[at])


# -- as data -------------------------------------------------------------------------------------


def odds_data(report: Odds, *, exact: bool = False) -> dict[str, Any]:
    """The report as plain data for JSON; with `exact` each probability has its fraction too."""
    return {
        "format": 1,
        "system": report.system,
        "tests": msgspec.to_builtins(report.tests),
        "measures": {
            name: _distribution_data(found, exact=exact) for name, found in report.measures.items()
        },
        "method": {"kind": "exact", "situations": report.situations},
        **_terms_data(report.terms),
        "so_far": msgspec.to_builtins(report.so_far),
    }


def outcome_data(report: Outcome) -> dict[str, Any]:
    """A played attack as plain data for JSON."""
    return {
        "format": 1,
        "system": report.system,
        "events": msgspec.to_builtins(report.events),
        "measures": report.measures,
        "dice": list(report.faces),
        "choices": list(report.options),
        **_terms_data(report.terms),
    }


def advice_data(question: Question, goal: str, advice: Advice, *, exact: bool) -> dict[str, Any]:
    """Advice as plain data for JSON."""
    return {
        "format": 1,
        "system": question.system.name,
        "goal": goal,
        "value": _number(advice.value, exact=exact),
        "decisions": [
            {
                "label": each.label,
                "by": each.by,
                "arrives": _number(each.arrives, exact=exact),
                "options": {key: _number(worth, exact=exact) for key, worth in each.options},
                "best": each.best,
                "policy": each.policy,
            }
            for each in advice.decisions
        ],
        "method": {"kind": "exact", "situations": advice.situations},
        **_terms_data(terms(question, choosing=True)),
    }


def _terms_data(terms: Terms) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(terms)
    return data


def _distribution_data(found: Distribution[Any], *, exact: bool) -> dict[str, Any]:
    rows = []
    for outcome, p in found:
        row: dict[str, Any] = {"outcome": outcome, "p": float(p)}
        at_least = found.at_least(outcome)
        row["at_least"] = float(at_least)
        if exact:
            row |= {"exact": str(p), "exact_at_least": str(at_least)}
        rows.append(row)
    data: dict[str, Any] = {"mean": float(found.mean), "sd": found.sd}
    if exact:
        data["exact"] = str(found.mean)
    return data | {"distribution": rows}


def _number(value: Fraction, *, exact: bool) -> Any:
    return {"value": float(value), "exact": str(value)} if exact else float(value)
