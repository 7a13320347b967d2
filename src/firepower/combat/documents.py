"""Reading documents (TOML or JSON), and saying what is wrong with one in a sentence.

msgspec judges; where it refuses, `explain` looks for the value again by its type, so that the
sentence can name the key, its line, the value and what would be right.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from firepower.combat.errors import QuestionError
from firepower.combat.paths import Path_, Wrong, first_wrong

T = TypeVar("T")

MAX_BYTES = 1_000_000
MAX_DOTS = 200
"""A line of thousands of dotted keys takes a TOML reader minutes."""


class Document(msgspec.Struct, frozen=True):
    """What a file says, with its text so that lines can be named."""

    name: str
    data: dict[str, Any]
    text: str = ""

    def wrong(self, path: Path_, sentence: str) -> "Refusal":
        """The refusal of what stands at this key path."""
        return Refusal(self, path, sentence)

    def where(self, path: Path_) -> str:
        """A key path in words, with its line if there is one."""
        line = _line_of(self.text, path)
        at = f" (line {line})" if line else ""
        return f"{_dotted(path)}{at}" if path else "it"


class Refusal(QuestionError):
    """What stands at a key path of a document cannot be so, and why, in a sentence."""

    def __init__(self, document: Document, path: Path_, sentence: str) -> None:
        super().__init__(document, path, sentence)
        self.document = document
        self.path = path
        self.sentence = sentence

    def __str__(self) -> str:
        where = f"{self.document.name}: " if self.document.name else ""
        return f"{where}{self.reason}"

    @property
    def reason(self) -> str:
        """The refusal without the name of the document."""
        return f"{self.document.where(self.path)} {self.sentence}"

    def at(self, path: Path_) -> "Refusal":
        """The same about what stands at another key path."""
        return Refusal(self.document, path, self.sentence)


def read_document(path: Path) -> Document:
    """Read a TOML or JSON file; QuestionError if it is none, too large or not there."""
    name = str(path)
    try:
        if path.is_dir():
            raise QuestionError(f"{name} is a directory, not a scenario file")
        if path.exists() and not path.is_file():
            raise QuestionError(f"{name} is not a file")
        if path.stat().st_size > MAX_BYTES:
            raise QuestionError(f"{name} is larger than a scenario can be ({MAX_BYTES:,} bytes)")
        raw = path.read_bytes()
    except FileNotFoundError:
        raise QuestionError(f"there is no file {name}") from None
    except OSError as problem:
        raise QuestionError(f"{name} cannot be read: {problem.strerror}") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise QuestionError(f"{name} is not text in UTF-8") from None
    return parse_document(text, name, as_json=path.suffix == ".json")


def parse_document(text: str, name: str, *, as_json: bool) -> Document:
    """Read the text of a document; QuestionError if it is neither."""
    crowded = [n for n, line in enumerate(text.splitlines(), 1) if line.count(".") > MAX_DOTS]
    if crowded and not as_json:
        raise QuestionError(f"{name} has more than {MAX_DOTS} dots in line {crowded[0]}")
    try:
        data = json.loads(text, object_pairs_hook=_unique) if as_json else tomllib.loads(text)
    except ValueError as problem:
        if "digits" in str(problem):
            raise QuestionError(f"{name} has a number with too many digits") from None
        kind = "JSON" if as_json else "TOML"
        raise QuestionError(f"{name} is not {kind}: {problem}") from None
    except RecursionError:
        raise QuestionError(f"{name} is nested too deeply") from None
    if not isinstance(data, dict):
        raise QuestionError(f"{name} must be a table of keys, not {str(data)[:40]}")
    return Document(name, data, "" if as_json else text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"the key {key!r} is given twice")
        table[key] = value
    return table


def converted(document: Document, kind: type[T]) -> T:
    """The document as a value of this type, or a QuestionError that says what is wrong where."""
    endless = _find_endless(document.data, ())
    if endless:
        raise document.wrong(*endless)
    try:
        return msgspec.convert(document.data, kind)
    except msgspec.ValidationError as refusal:
        from firepower.combat.explain import find_wrong

        path, sentence = find_wrong(document.data, kind) or ((), f"is wrong: {refusal}")
        raise document.wrong(path, sentence) from None


def _find_endless(value: Any, path: Path_) -> Wrong | None:
    """The first number that is none or has no end, which TOML can write."""
    if isinstance(value, dict):
        return first_wrong(_find_endless(each, (*path, key)) for key, each in value.items())
    if isinstance(value, list):
        return first_wrong(_find_endless(each, (*path, i)) for i, each in enumerate(value))
    if isinstance(value, float) and not isfinite(value):
        return path, f"must be a number, not {value}"
    return None


def _dotted(path: Path_) -> str:
    text = ""
    for key in path:
        text += f"[{key + 1}]" if isinstance(key, int) else f".{key}" if text else key
    return text


_HEADER = re.compile(r"\s*(\[\[?)([^\]]+)\]\]?\s*(?:#.*)?$")
_KEY = re.compile(
    r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*="
)
_PART = re.compile(r"[\w-]+|\"[^\"]*\"|'[^']*'")


def _line_of(text: str, path: Path_) -> int:
    """The line of a TOML text where a key path stands, or the nearest table above it; else 0."""
    table: Path_ = ()
    counts: dict[Path_, int] = {}
    best, best_length = 0, 0
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            table = _keys(header[2])
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            here = table
        elif key:
            here = (*table, *_keys(key[1]))
        else:
            continue
        if path[: len(here)] == here and len(here) > best_length:
            best, best_length = number, len(here)
    return best


def _keys(dotted: str) -> Path_:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))


def overlaid(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Tables laid over tables key by key; anything else replaces what was there."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            merged[key] = overlaid(below, value)
        else:
            merged[key] = value
    return merged
