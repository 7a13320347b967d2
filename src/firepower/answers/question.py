"""The document that asks a question: reading it, changing it from outside, checking it."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import msgspec

from firepower.combat.documents import Document, converted, parse_document, read_document
from firepower.combat.errors import QuestionError
from firepower.combat.game import GameSystem, Opening
from firepower.combat.paths import Path_
from firepower.combat.plan import opened
from firepower.systems import find_system


class Loaded(msgspec.Struct, frozen=True):
    """A scenario that was read: its document, its game, and the game's tables."""

    document: Document
    system: GameSystem[Any, Any, Any, Any]
    tables: Any
    scenario: Any

    def opened(
        self, *, choosing: bool = False, turns: int | None = None, fades: bool = True
    ) -> "Opened":
        """Check it completely and make its question; raises QuestionError.

        `choosing` leaves open what the scenario does not state, and `turns` asks for so many rounds
        of whole turns; without `fades` nothing is forgotten.
        """
        opening = opened(
            self.system,
            self.tables,
            self.scenario,
            self.document,
            choosing=choosing,
            turns=turns,
            fades=fades,
        )
        return Opened(self.document, self.system, self.scenario, opening, turns)


class Opened(msgspec.Struct, frozen=True):
    """A scenario that was read and checked, and where its question begins.

    `turns` are the rounds of whole turns that were asked for (None: what the scenario says).
    """

    document: Document
    system: GameSystem[Any, Any, Any, Any]
    scenario: Any
    opening: Opening
    turns: int | None = None


def load(
    source: Path | str | Mapping[str, Any],
    *,
    changes: Sequence[str] = (),
    variant: Path | None = None,
) -> Loaded:
    """Read a scenario from a file, its text or plain data, with `key=value` changes laid over it.

    `variant` is a file of house rules in place of the scenario's own. Raises QuestionError, one
    sentence, for anything that is wrong.
    """
    document = _document(source)
    if changes:
        document = _with_changes(document, changes)
    system = _system_of(document)
    scenario = converted(document, system.scenario)
    if variant is None and scenario.variant:
        beside = source.parent if isinstance(source, Path) else Path()
        variant = beside / scenario.variant
    tables = system.tables(read_variant(variant, system) if variant else None)
    return Loaded(document, system, tables, scenario)


def read_question(
    source: Path | str | Mapping[str, Any],
    *,
    changes: Sequence[str] = (),
    variant: Path | None = None,
    choosing: bool = False,
    turns: int | None = None,
    fades: bool = True,
) -> Opened:
    """Read a scenario as `load` does, and make its question as `Loaded.opened` does."""
    loaded = load(source, changes=changes, variant=variant)
    return loaded.opened(choosing=choosing, turns=turns, fades=fades)


def read_variant(path: Path, system: GameSystem[Any, Any, Any, Any]) -> Document:
    """Read a file of house rules and check that it is one for this game."""
    variant = read_document(path)
    if "extends" not in variant.data:
        raise variant.wrong((), f"needs the key 'extends': {system.name!r}")
    extends = variant.data["extends"]
    if extends != system.name:
        raise variant.wrong(("extends",), f"must be {system.name!r}, not {extends!r}")
    return variant


def _document(source: Path | str | Mapping[str, Any]) -> Document:
    """A path is read; text is one if it is a single line, else it is the document itself."""
    if isinstance(source, Path):
        return read_document(source)
    if isinstance(source, str):
        if "\n" not in source:
            return read_document(Path(source))
        return parse_document(source, "", as_json=source.lstrip().startswith("{"))
    return Document("", dict(source))


def _system_of(document: Document) -> GameSystem[Any, Any, Any, Any]:
    if "system" not in document.data:
        raise document.wrong((), "needs the key 'system', the game: 'rate-of-fire', say")
    name = document.data["system"]
    if not isinstance(name, str):
        raise document.wrong(("system",), f"must be text, not {name!r}")
    try:
        return find_system(name)
    except QuestionError as problem:
        raise document.wrong(("system",), f"is wrong: {problem}") from None


_STEP = re.compile(r"([^.\[\]=]+)((?:\[\d+\])*)")


def _with_changes(document: Document, changes: Sequence[str]) -> Document:
    data = deepcopy(document.data)
    for change in changes:
        key, equals, text = change.partition("=")
        if not equals or not key.strip():
            raise QuestionError(f"--set takes key=value, not {change!r}")
        _put(data, _path(key.strip()), _value(text.strip()), key.strip())
    return Document(document.name, data, document.text)


def _path(key: str) -> Path_:
    """`do[1].dice` is the key `dice` of the first line under `do`."""
    path: list[str | int] = []
    for part in key.split("."):
        match = _STEP.fullmatch(part)
        if match is None:
            raise QuestionError(f"--set names the key {key!r}, which is not written like a.b[1].c")
        path.append(match[1])
        path.extend(int(number) - 1 for number in re.findall(r"\d+", match[2]))
    return tuple(path)


def _value(text: str) -> Any:
    """A value is read as TOML, else as text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text


def _put(data: Any, path: Path_, value: Any, key: str) -> None:
    at = data
    for step, after in zip(path, (*path[1:], None), strict=True):
        fits = isinstance(at, dict) if isinstance(step, str) else _has(at, step)
        if not fits:
            raise QuestionError(f"--set names the key {key!r}, which the scenario does not have")
        if after is None:
            at[step] = value
        else:
            at = at.setdefault(step, {}) if isinstance(step, str) else at[step]


def _has(at: Any, number: int) -> bool:
    return isinstance(at, list) and 0 <= number < len(at)
