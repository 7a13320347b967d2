"""An answer as plain data: odds, a play, advice, each with its terms."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import msgspec

from firepower.answers.odds import SEED, Found, Odds
from firepower.answers.played import Outcome
from firepower.answers.question import Opened
from firepower.answers.terms import Terms, terms
from firepower.chance.advice import Advice, Decision
from firepower.chance.distribution import Distribution
from firepower.chance.sample import Sampled
from firepower.combat.turns import how_things_stand


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


def advice_data(question: Opened, goal: str, advice: Advice, *, exact: bool) -> dict[str, Any]:
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
