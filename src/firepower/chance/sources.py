"""Where the faces of a play come from, and who takes its options."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from firepower.chance.dice import Die, Face
from firepower.chance.errors import AnswerError
from firepower.chance.steps import Choice, Roll


class NoMoreAnswersError(Exception):
    """The source of dice or of decisions is exhausted: play stops here."""


class Source(Protocol):
    """Where faces come from."""

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        """One face for each physical die that `who` throws, or NoMoreAnswersError."""

    def left(self) -> bool:
        """Whether there is another face to come."""


class Decider(Protocol):
    """Who takes the options."""

    def decide(self, choice: Choice[Any], parts: Mapping[str, Any], mark: str) -> str | None:
        """The key of the option taken; None leaves it to the policy.

        `parts` are how everybody stands, `mark` what ends next.
        """


class Generator:
    """Faces from a seeded generator; equal seeds give equal faces."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        return tuple(
            self._random.choices(die.faces, die.weights)[0] for die in roll.throw.physical()
        )

    def left(self) -> bool:
        return True


class Typed:
    """Faces given beforehand, as text; then those of another source, if there is one."""

    def __init__(self, faces: Iterable[str], then: Source | None = None) -> None:
        self._faces = list(faces)
        self._at = 0
        self._then = then

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        dice = roll.throw.physical()
        given = self._faces[self._at : self._at + len(dice)]
        if not dice:
            return ()
        if not given and self._then is None:
            raise NoMoreAnswersError
        faces = tuple(die.read(text) for die, text in zip(dice, given, strict=False))
        if len(given) < len(dice) and self._then is not None and self._then.left():
            self._at += len(given)
            return faces + self._then.throw(roll, who)[len(given) :]
        if len(given) < len(dice):
            raise AnswerError(
                f"'{roll.label}' throws {len(dice)} dice ({roll.throw}) together; "
                f"{len(given)} of their faces cannot stand alone"
            )
        self._at += len(given)
        return faces

    def left(self) -> bool:
        return self._at < len(self._faces) or (self._then is not None and self._then.left())

    def unused(self) -> Sequence[str]:
        """The faces that nothing asked for."""
        return self._faces[self._at :]


class Asked:
    """Faces typed by a person at a prompt; a face that the die does not have is asked again.

    `prompt` gets a sentence and returns what was typed; `refuse` gets the reason of a refusal.
    """

    def __init__(self, prompt: Callable[[str], str], refuse: Callable[[str], None]) -> None:
        self._prompt = prompt
        self._refuse = refuse

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        return tuple(self._face(roll, die, who) for die in roll.throw.physical())

    def _face(self, roll: Roll[Any], die: Die, who: str) -> Face:
        need = f", {roll.reading.need}" if roll.reading.need else ""
        while True:
            typed = self._prompt(f"{who}: {roll.label} ({die.name}{need})".removeprefix(": "))
            try:
                return die.read(typed)
            except ValueError as wrong:
                self._refuse(str(wrong))

    def left(self) -> bool:
        return True


class Policies:
    """Every Choice follows its policy."""

    def decide(self, choice: Choice[Any], parts: Mapping[str, Any], mark: str) -> str | None:
        return None


class Settled:
    """Every Choice follows its policy, and a play goes on there although no face is left."""

    def decide(self, choice: Choice[Any], parts: Mapping[str, Any], mark: str) -> str | None:
        return choice.policy


class Scripted:
    """Options given beforehand by their keys; then those of another decider."""

    def __init__(self, keys: Iterable[str], then: Decider) -> None:
        self._keys = list(keys)
        self._then = then

    def decide(self, choice: Choice[Any], parts: Mapping[str, Any], mark: str) -> str | None:
        if not self._keys:
            return self._then.decide(choice, parts, mark)
        key = self._keys.pop(0)
        if choice.index(key) is None:
            raise AnswerError(
                f"'{choice.label}' has no option {key!r}; there are "
                + ", ".join(option.key for option in choice.options)
            )
        return key

    def unused(self) -> Sequence[str]:
        """The options that nothing asked for."""
        return self._keys
