"""What a game must provide: its documents, its rules, and a question made ready."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from firepower.chance.steps import Situation
from firepower.chance.tallies import Final, Tally
from firepower.combat.documents import Document
from firepower.combat.register import Ruling

C = TypeVar("C")
A = TypeVar("A")


RoundNumber: TypeAlias = Annotated[int, Meta(ge=1, le=100)]


class Participant(msgspec.Struct, frozen=True, kw_only=True):
    """What every game's combatants state."""

    side: Annotated[str, Meta(description="whom this combatant fights for")] = ""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """What every game's lines of action state."""

    by: Annotated[str, Meta(description="who acts")]
    in_rounds: Annotated[
        Annotated[list[RoundNumber], Meta(min_length=1)] | None,
        Meta(description="only in these rounds; else in every round"),
    ] = None


class Envelope(msgspec.Struct, Generic[C, A], frozen=True, forbid_unknown_fields=True):
    """The document that asks a question: one envelope for all games."""

    system: Annotated[str, Meta(description="the game, for example rate-of-fire")]
    combatants: Annotated[dict[str, C], Meta(description="who takes part, by name")]
    do: Annotated[list[A], Meta(description="what is done, in order; in every round again")]
    rounds: Annotated[RoundNumber, Meta(description="for how many rounds")] = 1
    order: Annotated[
        list[str], Meta(description="who acts in which order; else as their lines come")
    ] = []
    format: Annotated[Literal[1], Meta(description="the version of this form")] = 1
    variant: Annotated[str, Meta(description="a file of house rules, beside this one")] = ""
    rulings: Annotated[dict[str, str], Meta(description="readings other than the default")] = {}
    policies: Annotated[dict[str, str], Meta(description="how open choices are made")] = {}


class Opening(msgspec.Struct, frozen=True):
    """A question made ready: where it begins, what can be measured, and on what terms.

    `words` names the outcomes 0, 1, 2... of a measure, where they are not plain numbers.
    `askers` are those who decide for a goal, `rounds` how many there are.
    """

    situation: Situation
    measures: dict[str, Tally | Final]
    words: dict[str, tuple[str, ...]]
    rulings: dict[str, str]
    policies: dict[str, str]
    not_modelled: tuple[str, ...]
    askers: frozenset[str]
    rounds: int


class Listed(msgspec.Struct, frozen=True):
    """One row of a listing for players: its name, what it is called, and its figures."""

    name: str
    title: str
    figures: dict[str, str]


class Game(ABC):
    """A game's rules as they stand, after a variant was laid over them."""

    rulings: Mapping[str, Ruling]
    policies: Mapping[str, Ruling]

    @abstractmethod
    def open(
        self, scenario: Any, document: Document, *, choosing: bool, turns: int | None = None
    ) -> Opening:
        """Check a scenario completely and make its question.

        With `choosing` what the scenario leaves open is a Choice; without, it is asked for.
        `turns` is for how many rounds, in place of the scenario's; turns are whole then.
        Raises QuestionError before any die.
        """

    @abstractmethod
    def weapons(self) -> list[Listed]:
        """The armoury."""

    @abstractmethod
    def actions(self) -> list[Listed]:
        """What a combatant can do."""


class System(ABC):
    """A game: its documents and its rules."""

    name: ClassVar[str]
    title: ClassVar[str]
    scenario: ClassVar[Any]
    example: ClassVar[str]

    @abstractmethod
    def game(self, variant: Document | None = None) -> Game:
        """The rules, with a variant laid over them if there is one."""

    @abstractmethod
    def quick(self, weapon: str, action: str) -> dict[str, Any]:
        """The scenario, as plain data, of the quick form: one shooter, one target."""
