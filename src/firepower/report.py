"""The document that answers a question: odds, a played attack, each with its terms."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from firepower.chance.advice import Advice, Decision
from firepower.chance.answered import END, Answered, Asked
from firepower.chance.distribution import Distribution
from firepower.chance.errors import AnswerError, LimitError
from firepower.chance.events import Event, Played
from firepower.chance.play import play
from firepower.chance.sample import Sampled
from firepower.chance.solver import Solver
from firepower.chance.sources import Policies, Scripted, Typed
from firepower.chance.steps import Modifier, Roll, Situation
from firepower.chance.tallies import AnyTally
from firepower.scenario import Question
from firepower.systems.documents import close_matches
from firepower.systems.errors import QuestionError
from firepower.systems.system import Opening
from firepower.systems.turns import has_rounds, how_things_stand, round_mark

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


class Terms(msgspec.Struct, frozen=True):
    """What an answer rests on."""

    rulings: dict[str, str]
    policies: dict[str, str]
    not_modelled: tuple[str, ...]
    scenario: dict[str, Any]


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
        raise QuestionError("one attack has no rounds after which odds could be given")
    start, events = resumed(opening, dice, choose)
    answered = solver.answer(start, asked, samples=samples, seed=SEED)
    found = _found(asked, answered, END)
    after = {
        number: _found(asked, answered, round_mark(number))
        for number in range(1, opening.rounds + 1)
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


def outcome(question: Question, played: Played) -> Outcome:
    """The report of a play that came to its end."""
    opening = question.opening
    values = {name: played.value(measure) for name, measure in opening.measures.items()}
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


def pick_measures(opening: Opening, names: Iterable[str]) -> dict[str, AnyTally]:
    """The measures of these names, or all; QuestionError for one that there is not."""
    chosen = list(names)
    for name in chosen:
        if name not in opening.measures:
            near = close_matches(name, opening.measures)
            raise QuestionError(f"there is no measure {name!r} here; {near}")
    return {name: opening.measures[name] for name in chosen or opening.measures}


def terms(question: Question, *, policies: bool = True) -> Terms:
    """The rulings and policies in force, what is left out, and the scenario as it was read.

    Without `policies` nobody follows any: whoever chooses takes what is best.
    """
    opening = question.opening
    followed = opening.policies if policies else {}
    scenario = _without_defaults(msgspec.to_builtins(question.scenario))
    return Terms(opening.rulings, followed, opening.not_modelled, scenario)


def _without_defaults(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: _without_defaults(each) for key, each in value.items()}
        return {key: each for key, each in kept.items() if each is not None}
    if isinstance(value, list | tuple):
        return [_without_defaults(each) for each in value]
    return value


def _tests(asked: Iterable[Asked], start: Situation) -> Iterable[Tested]:
    """Every kind of roll that is made, those that the agenda asks as it stands before others."""
    rolls = [(who, question) for who, question in asked if isinstance(question, Roll)]
    first = {question: i for i, question in enumerate(_asked_first(start))}
    for who, roll in sorted(rolls, key=lambda each: first.get(each, len(first))):
        yield Tested(roll.label, who, str(roll.throw), roll.reading.need, roll.target, roll.parts)


def _asked_first(start: Situation) -> Iterable[tuple[str, object]]:
    """What the agenda asks as it stands, in its order."""
    parts = dict(zip(start.names, start.parts, strict=True))
    for task in start.agenda:
        if task.who in parts:
            yield task.who, task.step.ask(parts[task.who])


# -- as data -------------------------------------------------------------------------------------


def odds_data(report: Odds, *, exact: bool = False) -> dict[str, Any]:
    """The report as plain data for JSON; with `exact` each probability has its fraction too."""
    return {
        "format": 1,
        "system": report.system,
        "tests": msgspec.to_builtins(report.tests),
        "measures": _measures_data(Found(report.measures, report.sampled), exact=exact),
        **_rounds_data(report.after, exact=exact),
        "method": _method_data(report),
        **_terms_data(report.terms),
        "so_far": msgspec.to_builtins(report.so_far),
    }


def _measures_data(found: Found, *, exact: bool) -> dict[str, Any]:
    return {
        name: _sample_data(found.sampled[name])
        if name in found.sampled
        else _distribution_data(each, exact=exact)
        for name, each in found.measures.items()
    }


def _rounds_data(after: Mapping[int, Found], *, exact: bool) -> dict[str, Any]:
    if not after:
        return {}
    rounds = [
        {"round": number, "measures": _measures_data(found, exact=exact)}
        for number, found in after.items()
    ]
    return {"rounds": rounds}


def when(decision: Decision) -> str:
    """In which round a decision comes, and how everybody stands then."""
    return how_things_stand(decision.by, decision.mark, *decision.states)


def _method_data(report: Odds) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": "exact", "situations": report.situations}
    if report.sampled:
        kind = "sampled" if len(report.sampled) == len(report.measures) else "partly sampled"
        count = next(iter(report.sampled.values())).count
        assert report.why is not None
        data |= {"kind": kind, "limit": report.why.most, "limit_of": report.why.bound}
        data |= {"samples": count, "seed": SEED}
    return data


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
        **({} if question.turns is None else {"turns": question.turns}),
        "value": _number(advice.value, exact=exact),
        "decisions": [
            {
                "label": each.label,
                "by": each.by,
                "when": when(each),
                "states": [how_things_stand(each.by, each.mark, state) for state in each.states],
                "arrives": _number(each.arrives, exact=exact),
                "options": {key: _number(worth, exact=exact) for key, worth in each.options},
                "best": each.best,
                "policy": each.policy,
            }
            for each in advice.decisions
        ],
        "method": {"kind": "exact", "situations": advice.situations},
        **_terms_data(terms(question, policies=advice.policies)),
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


def _sample_data(sampled: Sampled) -> dict[str, Any]:
    """What was seen, with standard errors; there is nothing exact about it."""
    data = _distribution_data(sampled.seen, exact=False) | {"mean_error": sampled.mean_error}
    for row in data["distribution"]:
        row.update(_share_errors(sampled, "", row["p"]))
        row.update(_share_errors(sampled, "at_least_", row["at_least"]))
    return data | {"never_seen_below": sampled.bound}


def _share_errors(sampled: Sampled, what: str, share: float) -> dict[str, float]:
    """The standard error of a share, or how far off one of nothing or all may be."""
    if share in (0, 1):
        return {f"{what}bound": sampled.bound}
    return {f"{what}error": sampled.error(share)}


def _number(value: Fraction, *, exact: bool) -> Any:
    return {"value": float(value), "exact": str(value)} if exact else float(value)
