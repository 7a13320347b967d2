"""Reading documents (TOML or JSON), and saying what is wrong with one in a sentence.

msgspec judges; where it refuses, the value is looked for again by its type, so that the sentence
can name the key, its line, the value and what would be right.
"""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import inspect

from firepower.systems.errors import QuestionError

T = TypeVar("T")
Path_: TypeAlias = tuple[str | int, ...]
Wrong: TypeAlias = tuple[Path_, str]

MAX_BYTES = 1_000_000


class Document(msgspec.Struct, frozen=True):
    """What a file says, with its text so that lines can be named."""

    name: str
    data: dict[str, Any]
    text: str = ""

    def wrong(self, path: Path_, sentence: str) -> QuestionError:
        """The error for something at this key path."""
        where = f"{self.name}: " if self.name else ""
        line = _line_of(self.text, path)
        at = f" (line {line})" if line else ""
        key = _dotted(path)
        return QuestionError(f"{where}{key}{at} {sentence}" if key else f"{where}it {sentence}")


def read_document(path: Path) -> Document:
    """Read a TOML or JSON file; QuestionError if it is none, too large or not there."""
    name = str(path)
    try:
        if path.is_dir():
            raise QuestionError(f"{name} is a directory, not a scenario file")
        if path.stat().st_size > MAX_BYTES:
            raise QuestionError(f"{name} is larger than a scenario can be ({MAX_BYTES:,} bytes)")
        raw = path.read_bytes()
    except FileNotFoundError:
        raise QuestionError(f"there is no file {name}") from None
    except OSError as problem:
        raise QuestionError(f"{name} cannot be read: {problem.strerror}") from None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise QuestionError(f"{name} is not text in UTF-8") from None
    return parse_document(text, name, as_json=path.suffix == ".json")


def parse_document(text: str, name: str, *, as_json: bool) -> Document:
    """Read the text of a document; QuestionError if it is neither."""
    try:
        data = json.loads(text, object_pairs_hook=_unique) if as_json else tomllib.loads(text)
    except ValueError as problem:
        kind = "JSON" if as_json else "TOML"
        raise QuestionError(f"{name} is not {kind}: {problem}") from None
    except RecursionError:
        raise QuestionError(f"{name} is nested too deeply") from None
    if not isinstance(data, dict):
        raise QuestionError(f"{name} must be a table of keys, not {_shown(data)}")
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
        wrong = _find(document.data, inspect.type_info(kind), ())
        path, sentence = wrong or ((), f"is wrong: {refusal}")
        raise document.wrong(path, sentence) from None


def close_matches(name: str, known: Iterable[str]) -> str:
    """`did you mean ...?`, or what there is."""
    from difflib import get_close_matches

    options = [str(each) for each in known]
    near = get_close_matches(name, options, n=2, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"there is {', '.join(sorted(options))}" if options else "there is none"


def _find_endless(value: Any, path: Path_) -> Wrong | None:
    """The first number that is none or has no end, which TOML can write."""
    if isinstance(value, dict):
        return _first(_find_endless(each, (*path, key)) for key, each in value.items())
    if isinstance(value, list):
        return _first(_find_endless(each, (*path, i)) for i, each in enumerate(value))
    if isinstance(value, float) and not isfinite(value):
        return path, f"must be a number, not {value}"
    return None


def _find(value: Any, info: inspect.Type, path: Path_) -> Wrong | None:
    """The first value that does not fit its type, and why; None if all fit."""
    if isinstance(info, inspect.Metadata):
        return _find(value, info.type, path)
    if isinstance(info, inspect.UnionType):
        kinds = [each for each in info.types if not isinstance(each, inspect.NoneType)]
        found = [_find(value, each, path) for each in kinds]
        return None if None in found else found[0]
    if isinstance(info, inspect.StructType):
        return _find_in_struct(value, info, path)
    if isinstance(info, inspect.DictType):
        if not isinstance(value, dict):
            return path, f"must be a table, not {_shown(value)}"
        return _first(_find(each, info.value_type, (*path, key)) for key, each in value.items())
    if isinstance(info, inspect.ListType | inspect.VarTupleType):
        if not isinstance(value, list):
            return path, f"must be a list, not {_shown(value)}"
        most = getattr(info, "max_length", None)
        if most is not None and len(value) > most:
            return path, f"must be a list of at most {most}, not {_shown(value)}"
        return _first(_find(each, info.item_type, (*path, i)) for i, each in enumerate(value))
    if isinstance(info, inspect.TupleType):
        if not isinstance(value, list) or len(value) != len(info.item_types):
            return path, f"must be a list of {len(info.item_types)} numbers, not {_shown(value)}"
        pairs = enumerate(zip(value, info.item_types, strict=True))
        return _first(_find(each, kind, (*path, i)) for i, (each, kind) in pairs)
    return _find_leaf(value, info, path)


def _find_in_struct(value: Any, info: inspect.StructType, path: Path_) -> Wrong | None:
    if not isinstance(value, dict):
        return path, f"must be a table, not {_shown(value)}"
    fields = {field.encode_name: field for field in info.fields}
    for key in value:
        if key not in fields:
            return (*path, key), f"is not known here; {close_matches(key, fields)}"
    for key, field in fields.items():
        if key in value:
            wrong = _find(value[key], field.type, (*path, key))
            if wrong:
                return wrong
        elif field.required:
            return path, f"needs the key {key!r}{_described(field.type)}"
    try:
        msgspec.convert(value, info.cls)
    except msgspec.ValidationError as refusal:
        return path, f"is wrong: {str(refusal).partition(' - at `')[0]}"
    return None


def _find_leaf(value: Any, info: inspect.Type, path: Path_) -> Wrong | None:
    if isinstance(info, inspect.IntType):
        fits = isinstance(value, int) and not isinstance(value, bool) and _within(value, info)
        need = f"must be a whole number{_range(info)}"
    elif isinstance(info, inspect.FloatType):
        fits = isinstance(value, int | float) and not isinstance(value, bool)
        fits = fits and _within(value, info)
        need = f"must be a number{_range(info)}"
    elif isinstance(info, inspect.BoolType):
        fits, need = isinstance(value, bool), "must be true or false"
    elif isinstance(info, inspect.LiteralType):
        fits, need = value in info.values, f"must be one of {', '.join(map(str, info.values))}"
    elif isinstance(info, inspect.StrType):
        fits = isinstance(value, str) and len(value) >= (info.min_length or 0)
        need = "must be text" if not info.min_length else "must be text that is not empty"
    else:
        return None
    return None if fits else (path, f"{need}, not {_shown(value)}")


def _within(value: float, info: inspect.IntType | inspect.FloatType) -> bool:
    return (
        (info.ge is None or value >= info.ge)
        and (info.gt is None or value > info.gt)
        and (info.le is None or value <= info.le)
    )


def _range(info: inspect.IntType | inspect.FloatType) -> str:
    if info.gt is not None:
        return f" above {info.gt:g}" + (f" and up to {info.le}" if info.le is not None else "")
    if info.ge is not None and info.le is not None:
        return f" from {info.ge} to {info.le}"
    if info.ge is not None:
        return f" of at least {info.ge}"
    return f" of at most {info.le}" if info.le is not None else ""


def _described(info: inspect.Type) -> str:
    if isinstance(info, inspect.UnionType):
        return next((text for each in info.types if (text := _described(each))), "")
    if isinstance(info, inspect.Metadata) and info.extra_json_schema:
        description = info.extra_json_schema.get("description")
        return f" ({description})" if description else ""
    return ""


def _first(found: Iterable[Wrong | None]) -> Wrong | None:
    return next((wrong for wrong in found if wrong), None)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list" if len(str(value)) > 40 else str(value)
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


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
