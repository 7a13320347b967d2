"""The document that asks a question: one envelope for all games, each with its own parts in it."""

from typing import Annotated, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from firepower.combat.ground import Position

C = TypeVar("C", bound="Participant")
L = TypeVar("L", bound="Line")

RoundNumber: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
Distance: TypeAlias = Annotated[float, Meta(ge=0, le=100_000)]


class Participant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every game's combatants state."""

    side: Annotated[str, Meta(description="whom this combatant fights for")] = ""
    distance: Annotated[Distance | None, Meta(description="how far from whoever acts")] = None
    position: Annotated[Position | None, Meta(description="x and y")] = None


class Line(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every game's lines of action state."""

    by: Annotated[str, Meta(description="who acts")]
    action: Annotated[
        str | None, Meta(description="what is done; `best` chooses if it is left out")
    ] = None
    otherwise: Annotated[
        list[str],
        Meta(description="what is done if that cannot be; else the action is lost", max_length=8),
    ] = []
    in_rounds: Annotated[
        Annotated[list[RoundNumber], Meta(min_length=1)] | None,
        Meta(description="only in these rounds; else in every round"),
    ] = None


class Now(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where a fight stands that goes on: what is nobody's."""

    round: Annotated[RoundNumber, Meta(description="the number of the first round")] = 1
    turn: Annotated[str, Meta(description="whose turn comes first in it; else the first")] = ""


class Envelope(
    msgspec.Struct, Generic[C, L], frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The document that asks a question.

    Without `rounds` there are the lines alone: no turns, and nothing that begins or ends one.
    """

    system: Annotated[str, Meta(description="the game, for example rate-of-fire")]
    combatants: Annotated[dict[str, C], Meta(description="who takes part, by name")]
    do: Annotated[list[L], Meta(description="what is done, in order; in every round again")]
    rounds: Annotated[
        RoundNumber | None, Meta(description="for how many rounds; else the lines alone, once")
    ] = None
    order: Annotated[
        list[str], Meta(description="who acts in which order; else as their lines come")
    ] = []
    now: Annotated[Now, Meta(description="where a fight stands that goes on")] = Now()
    format: Annotated[Literal[1], Meta(description="the version of this form")] = 1
    edition: Annotated[str | int, Meta(description="an edition of the game")] = ""
    variant: Annotated[str, Meta(description="a file of house rules, beside this one")] = ""
    rulings: Annotated[dict[str, str], Meta(description="readings other than the default")] = {}
    policies: Annotated[dict[str, str], Meta(description="how open choices are made")] = {}
