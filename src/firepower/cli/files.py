"""Files that commands write: whole or not at all."""

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from firepower.combat.errors import QuestionError


def write_end(
    data: dict[str, Any], end: str, scenario: Sequence[str], variant: Path | None
) -> None:
    """Write the scenario that goes on, as TOML or, by the file's name, as JSON.

    Its house rules are named as seen from there.
    """
    import tomli_w

    if variant is None and data.get("variant"):
        variant = Path(scenario[0]).parent / data["variant"]
    beside = Path() if end == "-" else Path(end).parent
    if variant is not None:
        data = {**data, "variant": os.path.relpath(variant, beside)}
    as_json = Path(end).suffix == ".json"
    text = json.dumps(data, indent=2) + "\n" if as_json else tomli_w.dumps(data)
    if end == "-":
        sys.stdout.write(text)
    else:
        write_whole(Path(end), text)


def write_whole(path: Path, text: str) -> None:
    """Write a file whole or not at all, where links lead; QuestionError if that cannot be."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        what = "a directory" if path.is_dir() else "a device or pipe"
        raise QuestionError(f"{path} is {what}, not a file to write")
    mode = path.stat().st_mode if path.exists() else 0o644
    unfinished = None
    try:
        with NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
            unfinished = file.name
            file.write(text)
        os.chmod(unfinished, mode)
        os.replace(unfinished, path)
    except OSError as problem:
        if unfinished is not None:
            Path(unfinished).unlink(missing_ok=True)
        raise QuestionError(f"{path} cannot be written: {problem.strerror}") from None
