"""Scenarios as plain data, their odds as fractions, and plays by typed faces."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple, TypeAlias

import msgspec

from firepower.answers.odds import odds as find_odds
from firepower.answers.played import outcome as find_outcome
from firepower.answers.played import refuse_unused
from firepower.answers.question import read_question
from firepower.chance import Generator, Policies, Scripted, Solver, Task, Thrown, Typed, dice, play
from firepower.chance.table import settled
from firepower.combat.documents import Document, converted
from firepower.combat.errors import QuestionError
from firepower.combat.game import Opening
from firepower.combat.setup import Setup
from firepower.systems.rate_of_fire import SYSTEM
from firepower.systems.rate_of_fire.attack import Attack
from firepower.systems.rate_of_fire.fate import FateRules
from firepower.systems.rate_of_fire.models import RateOfFireScenario
from firepower.systems.rate_of_fire.shooting import Shot
from firepower.systems.rate_of_fire.tables import RofSetup

Data: TypeAlias = dict[str, Any]
Odds: TypeAlias = dict[Hashable, Fraction]

CULTIST: Data = {"distance": 50, "willpower": 40, "toughness": 30}
"""A target in the Effective band of the autogun, where a pinning test has no modifier."""

ONE_POINT = {"damage": "d1 [I]"}
"""A weapon whose hits do one point of damage, so that damage can be counted by hand."""

TOML = """\
format = 1
system = "rate-of-fire"

[combatants.scout]
ranged_combat = 45

[combatants.scout.weapons.autogun]
loaded = 30

[combatants.cultist]
distance = 40
willpower = 35
toughness = 30

[[do]]
by = "scout"
weapon = "autogun"
action = "semi-auto"
at = ["cultist"]
"""
"""The scout's burst at the cultist as a file, which is answered as it stands."""

DUMMY: Data = {"distance": 50}
"""Somebody in the Effective band who is neither pinned nor wounded, and so never goes down."""

GUNNER: Data = DUMMY | {"ranged_combat": 45, "weapons": {"autogun": {"loaded": 100}}}
"""The same with an autogun, to shoot back with."""


class Case(NamedTuple):
    """One scenario, what is looked at, and what each reading makes of it."""

    data: Data
    look: str | Callable[[Data], Any]
    expected: dict[str, Any]


def scenario(
    action: str | None = None,
    *,
    weapon: str = "autogun",
    skill: int = 45,
    shooter: Mapping[str, Any] | None = None,
    carried: Mapping[str, Any] | None = None,
    people: Mapping[str, Mapping[str, Any]] | None = None,
    rulings: Mapping[str, str] | None = None,
    policies: Mapping[str, str] | None = None,
    **line: Any,
) -> Data:
    """The scout's attack on the cultist; `people` replaces those who may be hit.

    The first of `people` is the target; for suppressing fire everybody stands in the cone.
    """
    others = {"cultist": CULTIST} if people is None else people
    if action == "suppressing-fire":
        line.setdefault("in_cone", list(others))
    else:
        line.setdefault("at", [next(iter(others))])
    scout = {"ranged_combat": skill, "weapons": {weapon: {"loaded": 100, **(carried or {})}}}
    return {
        "format": 1,
        "system": "rate-of-fire",
        "combatants": {"scout": scout | dict(shooter or {}), **others},
        "do": [{"by": "scout", **({"action": action} if action else {}), **line}],
        "rulings": dict(rulings or {}),
        "policies": dict(policies or {}),
    }


def fight(
    *lines: Mapping[str, Any], rounds: int = 1, order: Sequence[str] = (), **more: Any
) -> Data:
    """Turns of these lines, which are the scout's where nobody else is named."""
    do = [{"by": "scout", **line} for line in lines]
    return scenario(**more) | {"do": do, "rounds": rounds, "order": list(order)}


def fate_rules(**changes: Any) -> FateRules:
    """The scout's Fate, which is never used by policy, with some of its rules changed."""
    rules = FateRules(
        "scout",
        dice("1d5+1"),
        1,
        rolled=False,
        reroll="never",
        surprise="never",
        damage="never",
        fatigue="never",
    )
    return msgspec.structs.replace(rules, **changes)


def opened(data: Data) -> Opening:
    """Where the question begins, and what can be measured."""
    return read_question(data).opening


def agenda(data: Data) -> tuple[Task, ...]:
    """What is to be done when all is done that asks nothing."""
    return settled(opened(data).situation).agenda


def attack_of(data: Data) -> Attack:
    """The attack that the first line of a scenario makes, if it has no frame of turns."""
    attack: Attack = opened(data).situation.agenda[0].step.actions[0]
    return attack


def shot_of(data: Data, **changes: Any) -> Shot:
    """The shot of that attack at its first target."""
    return msgspec.structs.replace(attack_of(data).aims[0].shot, **changes)


def odds(data: Data, *names: str) -> dict[str, Odds]:
    """The exact distributions of these measures, or of all."""
    opening, solver = opened(data), Solver()
    asked = names or tuple(opening.measures)
    return {name: dict(solver.odds(opening.situation, opening.measures[name])) for name in asked}


def odds_of(data: Data, name: str) -> Odds:
    """The exact distribution of one measure."""
    return odds(data, name)[name]


def mean(found: Odds) -> Fraction:
    """The expected number."""
    return sum((int(outcome) * p for outcome, p in found.items()), Fraction(0))


def certain(outcome: Hashable) -> Odds:
    """The distribution of what is never otherwise."""
    return {outcome: Fraction(1)}


def hundredths(shares: Mapping[Any, int | float]) -> Odds:
    """Shares in a hundred as fractions; what is missing from the hundred is the outcome 0."""
    found = {outcome: Fraction(str(share)) / 100 for outcome, share in shares.items()}
    rest = 1 - sum(found.values())
    return ({0: rest} if rest else {}) | found


def chance(percent: int | str | Fraction) -> Odds:
    """The distribution of something that is true in so many cases of a hundred."""
    true = Fraction(percent) / 100
    return {answer: p for answer, p in ((False, 1 - true), (True, true)) if p}


def target_number(data: Data) -> int:
    """The number to hit, as the report states it."""
    tested = find_odds(read_question(data), measures=["hits"]).tests
    numbers = [test.target for test in tested if test.by == "scout" and test.target is not None]
    assert len(numbers) == 1
    return numbers[0]


def parts(data: Data) -> dict[str, int]:
    """The parts of the number to hit by their labels."""
    (test,) = (t for t in find_odds(read_question(data), measures=["hits"]).tests if t.target)
    return {part.label: part.value for part in test.parts}


class Played:
    """One attack, played to its end with typed faces: measures by name, and the dice in order."""

    def __init__(self, data: Data, faces: tuple[int, ...], choose: tuple[str, ...] = ()) -> None:
        question = read_question(data)
        typed, script = Typed([str(face) for face in faces]), Scripted(choose, Policies())
        played = play(question.opening.situation, typed, script)
        assert played.finished, f"more dice are asked for than {faces}"
        refuse_unused(typed, script)
        self.measures = find_outcome(question, played).measures
        self.thrown = [event for event in played.events if isinstance(event, Thrown)]

    def __getitem__(self, measure: str) -> Any:
        return self.measures[measure]

    @property
    def order(self) -> list[tuple[str, str]]:
        """Who threw what, in the order in which it was thrown."""
        return [(event.who, event.label) for event in self.thrown]

    def words(self, label: str) -> tuple[str, ...]:
        """What the dice with this label came to."""
        return next(event.words for event in self.thrown if event.label == label)

    def check(self, **wanted: Any) -> None:
        """Compare some of the scout's measures."""
        assert {name: self.measures[name] for name in wanted} == wanted


def played(data: Data, *faces: int, choose: tuple[str, ...] = ()) -> Played:
    """Play an attack with these faces; they must be all that it needs, and no more."""
    return Played(data, faces, choose)


def refusal(data: Data) -> str:
    """The sentence with which a scenario is refused; it must be refused."""
    try:
        read_question(data)
    except QuestionError as wrong:
        return str(wrong)
    raise AssertionError("the scenario is answered")


def setup_of(data: Data) -> RofSetup:
    """The setup of a scenario, for the functions that find out who stands where."""
    document = Document("", data)
    scenario = converted(document, RateOfFireScenario)
    return Setup(SYSTEM.tables(), scenario, document, rounds=scenario.rounds)


ERRORS = 4.5
"""Standard errors that a share may be off: about one in 150,000 for each share looked at."""


def check_plays(opening: Opening, solver: Solver, count: int, dice: Generator) -> None:
    """Compare so many plays with the exact odds of every measure."""
    seen: dict[str, Counter[Any]] = {measure: Counter() for measure in opening.measures}
    for _ in range(count):
        played = play(opening.situation, dice, Policies())
        for name, measure in opening.measures.items():
            seen[name][played.value(measure)] += 1
    for name, counts in seen.items():
        exact = solver.odds(opening.situation, opening.measures[name])
        assert set(counts) <= set(exact.weights)
        for outcome, p in exact:
            bound = ERRORS * sqrt(p * (1 - p) / count)
            assert abs(counts[outcome] / count - p) <= bound, (name, outcome)
