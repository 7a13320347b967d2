"""What happens in a play, as data; others make words of it."""

from typing import Any, TypeAlias

import msgspec

from firepower.chance.dice import Face
from firepower.chance.steps import Modifier, Situation, View
from firepower.chance.tallies import Final, Tally, once


class Thrown(msgspec.Struct, frozen=True, tag="thrown"):
    """Dice that were thrown: one entry of `faces`, `totals` and `read` for each question asked."""

    code: str
    who: str
    label: str
    dice: str
    need: str
    parts: tuple[Modifier, ...]
    faces: tuple[tuple[Face, ...], ...]
    totals: tuple[str, ...]
    words: tuple[str, ...]


class Chosen(msgspec.Struct, frozen=True, tag="chosen"):
    """An option that was taken, of those there were."""

    code: str
    who: str
    label: str
    by: str
    option: str
    options: tuple[str, ...]


class Told(msgspec.Struct, frozen=True, tag="told"):
    """What a step that asks nothing says of itself: a turn begins, an action is taken."""

    code: str
    who: str
    text: str


class Recorded(msgspec.Struct, frozen=True, tag="recorded"):
    """A record that a step made."""

    code: str
    name: str
    amount: int


Event: TypeAlias = Thrown | Chosen | Told | Recorded


class Played(msgspec.Struct, frozen=True):
    """What happened, and the situation it led to (`finished` if nothing is left to do)."""

    events: tuple[Event, ...]
    situation: Situation
    finished: bool

    @property
    def faces(self) -> tuple[Face, ...]:
        """All faces in the order in which they fell: given again, they replay the same."""
        thrown = (event for event in self.events if isinstance(event, Thrown))
        return tuple(face for event in thrown for faces in event.faces for face in faces)

    @property
    def options(self) -> tuple[str, ...]:
        """All options in the order in which they were taken."""
        return tuple(event.option for event in self.events if isinstance(event, Chosen))

    def number(self, tally: Tally) -> int | bool:
        """What a tally came to."""
        return tally.outcome(tally.add(0, once(self.situation.records)))

    def value(self, tally: Tally | Final) -> Any:
        """What a tally came to, or what is true of how things stand at the end."""
        if isinstance(tally, Tally):
            return self.number(tally)
        return tally.of(View(self.situation.names, self.situation.parts).of(tally.who))
