"""Questions about Necromunda as plain data, and their answers as fractions."""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import Any, TypeAlias

import firepower
from firepower.chance import Solver
from firepower.chance.tallies import Final

Data: TypeAlias = dict[str, Any]
Odds: TypeAlias = dict[Any, Fraction]

AUTOGUN: Data = {
    "range": "8/24",
    "accuracy": "+1/-",
    "strength": "3",
    "damage": "1",
    "ammo": 4,
    "traits": ["Rapid Fire (1)"],
}
STUBBER: Data = AUTOGUN | {
    "range": "20/40",
    "accuracy": "-/-",
    "strength": "4",
    "ap": -1,
    "traits": ["Rapid Fire (2)"],
}


def weapon(*traits: str, **figures: Any) -> Data:
    """A weapon that hits once, without an ammo value, with any figure changed."""
    plain = {"range": "12/24", "strength": "3", "damage": "1", "traits": list(traits)}
    return plain | figures


def scenario(
    gun: Mapping[str, Any] | None = None,
    *,
    shooter: Mapping[str, Any] | None = None,
    target: Mapping[str, Any] | None = None,
    others: Mapping[str, Mapping[str, Any]] | None = None,
    do: Sequence[Mapping[str, Any]] | None = None,
    rulings: Mapping[str, str] | None = None,
    policies: Mapping[str, str] | None = None,
    rounds: int | None = None,
    edition: str = "",
    **line: Any,
) -> Data:
    """One shot of the shooter with its gun at the target, 6 inches away; or other lines."""
    away: Data = {} if "position" in (target or {}) else {"distance": 6}
    carried = {} if gun is None else {"weapons": {"gun": dict(gun)}}
    first = {"by": "shooter", "action": "shoot", "at": ["target"], **line}
    asked: Data = {
        "format": 1,
        "system": "necromunda",
        "combatants": {
            "shooter": {"side": "ours", **carried, **(shooter or {})},
            "target": {"side": "theirs", **away, **(target or {})},
            **{name: dict(each) for name, each in (others or {}).items()},
        },
        "do": [first] if do is None else [{"by": "shooter", **each} for each in do],
        "rulings": dict(rulings or {}),
        "policies": dict(policies or {}),
    }
    if rounds is not None:
        asked["rounds"] = rounds
    if edition:
        asked["edition"] = edition
    return asked


def odds_of(data: Data, measure: str) -> Odds:
    """The exact distribution of one measure."""
    return dict(firepower.read(data).odds(measure, samples=0).measures[measure])


def p(data: Data, measure: str, outcome: Hashable = True) -> Fraction:
    """How likely one measure comes to this."""
    return odds_of(data, measure).get(outcome, Fraction(0))


def mean(data: Data, measure: str) -> Fraction:
    """What one measure comes to on average."""
    return sum(
        (Fraction(each) * share for each, share in odds_of(data, measure).items()), Fraction()
    )


def joint(data: Data, *measures: str, finals: Sequence[tuple[str, str]] = ()) -> Odds:
    """Several measures together, and how it ends for somebody (`finals`: who, and which state)."""
    opening = firepower.read(data).opened().opening
    asked: list[Any] = [opening.measures[name] for name in measures]
    asked += [Final(who=who, of=attrgetter(state)) for who, state in finals]
    return dict(Solver().joint(opening.situation, asked))


def refusal(data: Data) -> str:
    """The sentence with which a scenario is refused; it must be refused."""
    try:
        firepower.read(data).odds()
    except firepower.QuestionError as wrong:
        return str(wrong)
    raise AssertionError("the scenario is answered")
