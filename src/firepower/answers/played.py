"""A play: what happened, and what it came to; and where the answers given so far lead."""

from collections.abc import Sequence
from typing import Any

import msgspec

from firepower.answers.question import Opened
from firepower.answers.terms import Terms, terms
from firepower.chance.errors import AnswerError
from firepower.chance.events import Event, Played
from firepower.chance.play import play
from firepower.chance.sources import Policies, Scripted, Typed
from firepower.chance.steps import Situation
from firepower.combat.game import Opening


class Outcome(msgspec.Struct, frozen=True):
    """One played attack: what happened, and what each measure came to."""

    system: str
    events: tuple[Event, ...]
    measures: dict[str, Any]
    words: dict[str, tuple[str, ...]]
    faces: tuple[str, ...]
    options: tuple[str, ...]
    terms: Terms
    end: Situation


def outcome(question: Opened, played: Played) -> Outcome:
    """The report of a play."""
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
        played.situation,
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
