"""What a game must provide, and what a question is when it is made ready."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from firepower.chance.steps import Situation, Task
from firepower.chance.tallies import AnyTally
from firepower.combat.actions import ActionRule
from firepower.combat.documents import Document
from firepower.combat.errors import QuestionError
from firepower.combat.measures import KINDS, Asked, Measure
from firepower.combat.reactions import Reaction
from firepower.combat.scenario import Envelope, Line, Participant
from firepower.combat.setup import Setup
from firepower.combat.tables import Tables, read_tables
from firepower.combat.turns import Turn, by_phases, in_their_order

C = TypeVar("C", bound=Participant)
L = TypeVar("L", bound=Line)
T = TypeVar("T", bound=Tables)
S = TypeVar("S")


class Listed(msgspec.Struct, frozen=True):
    """One row of a listing for players: its name, what it is called, and its figures."""

    name: str
    title: str
    figures: dict[str, str]


class Opening(msgspec.Struct, frozen=True, dict=True):
    """A question made ready: where it begins, what can be measured, and on what terms.

    `askers` are those who decide for a goal; `rounds` are the numbers of its rounds.
    """

    situation: Situation
    asked: dict[str, Asked]
    renamed: Mapping[str, str]
    rulings: dict[str, str]
    policies: dict[str, str]
    not_modelled: tuple[str, ...]
    askers: frozenset[str]
    rounds: range
    setup: Any

    @cached_property
    def measures(self) -> dict[str, AnyTally]:
        """What is counted for each measure, by its name."""
        return {name: each.tally for name, each in self.asked.items()}

    @cached_property
    def words(self) -> dict[str, tuple[str, ...]]:
        """The words of the outcomes 0, 1, 2... of those measures that are no plain numbers."""
        measures = {name: each.measure for name, each in self.asked.items()}
        return {name: each.words(self.setup) for name, each in measures.items() if each.words}

    @property
    def headlines(self) -> frozenset[str]:
        """The measures that are shown in full unasked."""
        return frozenset(name for name, each in self.asked.items() if each.measure.headline)


class GameSystem(ABC, Generic[C, L, T, S]):
    """A game: its documents, its tables, its actions, and what its combatants begin with.

    `folder` holds `rules.toml`, `rulings.toml`, `armoury.toml` and `example.toml`; `phases` are
    those of a round, if it has any; distances are in `unit`; `renamed` says what a measure of old
    is called now.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    folder: ClassVar[Path]
    scenario: ClassVar[Any]
    tables_type: ClassVar[Any]
    actions: ClassVar[tuple[ActionRule[Any], ...]]
    measures: ClassVar[tuple[Measure, ...]]
    phases: ClassVar[tuple[str, ...]] = ()
    unit: ClassVar[str] = ""
    renamed: ClassVar[Mapping[str, str]] = {}

    # -- what every game says --------------------------------------------------------------------

    @abstractmethod
    def state(self, setup: Setup[C, L, T], name: str) -> S:
        """What somebody begins with: profile and stated differences."""

    # -- what a game may say ---------------------------------------------------------------------

    def quick(self, weapon: str, action: str) -> dict[str, Any]:
        """The scenario, as plain data, of the quick form: one shooter, one target."""
        raise QuestionError(f"{self.title} has no quick form; write a scenario")

    def check(self, setup: Setup[C, L, T]) -> None:
        """Refuse what can never be so, besides what the documents' types say."""

    def begins(self, setup: Setup[C, L, T]) -> Iterable[Task]:
        """What comes before everything else."""
        return ()

    def turn_begins(self, setup: Setup[C, L, T], name: str, number: int) -> Iterable[Task]:
        """What a turn of somebody begins with, in this round."""
        return ()

    def turn_ends(self, setup: Setup[C, L, T], name: str, number: int) -> Iterable[Task]:
        """What it ends with."""
        return ()

    def round_ends(self, setup: Setup[C, L, T], number: int) -> Iterable[Task]:
        """What a round ends with, after all turns."""
        return ()

    def ends(self, setup: Setup[C, L, T]) -> Iterable[Task]:
        """What comes after everything else."""
        return ()

    def round(self, setup: Setup[C, L, T], turns: list[Turn]) -> tuple[tuple[Task, ...], ...]:
        """What is done in a round: turns in order or by phases, unless a game says otherwise."""
        return by_phases(turns, self.phases) if self.phases else in_their_order(turns)

    def reactions(self, setup: Setup[C, L, T], raised: frozenset[str]) -> Iterable[Reaction]:
        """Who may answer what, once it is known what can happen in this question."""
        return ()

    def harmed(self, setup: Setup[C, L, T], targets: tuple[str, ...]) -> tuple[str, ...]:
        """For whom there is something to measure, besides those at whom something is done."""
        return targets

    def affected(self, setup: Setup[C, L, T], targets: tuple[str, ...]) -> tuple[str, ...]:
        """Who is affected by what is done to others, though nothing is done to them."""
        return ()

    def finish(self, setup: Setup[C, L, T], targets: tuple[str, ...]) -> None:
        """Name what is left out, once all is declared."""

    def stated(self, setup: Setup[C, L, T], name: str, state: S) -> dict[str, Any]:
        """The keys of a combatant's document that say how it now stands; None takes one away."""
        raise QuestionError(f"{self.title} cannot write where a fight stands")

    # -- listings --------------------------------------------------------------------------------

    def tables(self, variant: Document | None = None) -> T:
        """The tables, with a variant laid over them. Raises QuestionError."""
        tables: T = read_tables(self.folder, self.tables_type, variant)
        return tables

    @property
    def example(self) -> str:
        """A scenario to begin with, as text."""
        return (self.folder / "example.toml").read_text("utf-8")

    def weapons(self, tables: T) -> list[Listed]:
        """The armoury: every figure of every weapon."""
        rows = []
        for name, weapon in getattr(tables, "weapons", {}).items():
            figures = msgspec.to_builtins(weapon)
            shown = {k: str(v) for k, v in figures.items() if k != "title" and v not in (None, "")}
            rows.append(Listed(name, figures.get("title", name), shown))
        return rows

    def listed_actions(self, tables: T) -> list[Listed]:
        """What a combatant can do."""
        return [
            Listed(rule.name, rule.heading(tables), rule.figures(tables)) for rule in self.actions
        ]


_SAID = ("name", "title", "folder", "scenario", "tables_type", "actions", "measures")


def check_contract(game: Any, name: str) -> None:
    """QuestionError, with what is missing, if a game does not say what every game must."""
    if not isinstance(game, GameSystem):
        raise QuestionError(f"the game {name!r} is no GameSystem but a {type(game).__name__}")
    lacks = [each for each in _SAID if not hasattr(game, each)]
    if lacks:
        raise QuestionError(f"the game {name!r} does not say its {', '.join(lacks)}")
    if game.name != name:
        raise QuestionError(f"the game {name!r} calls itself {game.name!r}")
    if not (isinstance(game.scenario, type) and issubclass(game.scenario, Envelope)):
        raise QuestionError(f"the scenarios of the game {name!r} are no Envelope")
    if not (isinstance(game.tables_type, type) and issubclass(game.tables_type, Tables)):
        raise QuestionError(f"the tables of the game {name!r} are no Tables")
    for what, kind in (("actions", ActionRule), ("measures", Measure)):
        wrong = [each for each in getattr(game, what) if not isinstance(each, kind)]
        if wrong:
            raise QuestionError(f"the {what} of the game {name!r} have {wrong[0]!r} among them")
    of = {kind: [m for m in game.measures if m.of == kind] for kind in KINDS}
    named = [each.name for each in (*of["actor"], *of["target"])]
    nameless = [each.alone or each.name for each in (*of["actor"], *of["all"])]
    for what, names in (
        ("action", [rule.name for rule in game.actions]),
        ("measure", named),
        ("measure", nameless),
        ("measure", [each.name for each in of["side"]]),
    ):
        twice = [each for i, each in enumerate(names) if each in names[:i]]
        if twice:
            raise QuestionError(f"the game {name!r} has the {what} {twice[0]!r} twice")
    for rule in game.actions:
        if game.phases and rule.phase not in ("", *game.phases):
            raise QuestionError(
                f"the game {name!r} has no phase {rule.phase!r}, in which is {rule.name!r}"
            )
