"""Saying which value of a document does not fit, and what would."""

from typing import Any

import msgspec
from msgspec import inspect

from firepower.combat.paths import Path_, Wrong, close_matches, first_wrong


def find_wrong(value: Any, kind: Any) -> Wrong | None:
    """The path of the first value that does not fit this type, and why; None if all fit."""
    return _find(value, inspect.type_info(kind), ())


def _find(value: Any, info: inspect.Type, path: Path_) -> Wrong | None:
    """The first value that does not fit its type, and why; None if all fit."""
    if isinstance(info, inspect.Metadata):
        return _find(value, info.type, path)
    if isinstance(info, inspect.UnionType):
        kinds = [each for each in info.types if not isinstance(each, inspect.NoneType)]
        return _find_among(value, kinds, path)
    if isinstance(info, inspect.StructType):
        return _find_in_struct(value, info, path)
    if isinstance(info, inspect.DictType):
        if not isinstance(value, dict):
            return path, f"must be a table, not {_shown(value)}"
        return first_wrong(
            _find(each, info.value_type, (*path, key)) for key, each in value.items()
        )
    if isinstance(info, inspect.ListType | inspect.VarTupleType):
        if not isinstance(value, list):
            return path, f"must be a list, not {_shown(value)}"
        if len(value) < (getattr(info, "min_length", None) or 0):
            return path, "must be a list that is not empty"
        most = getattr(info, "max_length", None)
        if most is not None and len(value) > most:
            return path, f"must be a list of at most {most}, not {_shown(value)}"
        return first_wrong(_find(each, info.item_type, (*path, i)) for i, each in enumerate(value))
    if isinstance(info, inspect.TupleType):
        if not isinstance(value, list) or len(value) != len(info.item_types):
            return path, f"must be a list of {len(info.item_types)} numbers, not {_shown(value)}"
        pairs = enumerate(zip(value, info.item_types, strict=True))
        return first_wrong(_find(each, kind, (*path, i)) for i, (each, kind) in pairs)
    return _find_leaf(value, info, path)


def _find_among(value: Any, kinds: list[inspect.Type], path: Path_) -> Wrong | None:
    """What is wrong with a value that may be of several types; what each would need."""
    wrongs = []
    for kind in kinds:
        wrong = _find(value, kind, path)
        if wrong is None:
            return None
        wrongs.append(wrong)
    if any(where != path for where, _ in wrongs):
        return wrongs[0]
    ending = f", not {_shown(value)}"
    first, *others = [sentence.removesuffix(ending) for _, sentence in wrongs]
    needs = [first, *(other.removeprefix("must be ") for other in others)]
    return path, " or ".join(needs) + ending


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
        some = "one of " if len(info.values) > 1 else ""
        fits, need = value in info.values, f"must be {some}{', '.join(map(str, info.values))}"
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


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list" if len(str(value)) > 40 else str(value)
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
