"""Where something stands in a document, what is wrong there, and names that are nearly right."""

from collections.abc import Iterable
from typing import TypeAlias

Path_: TypeAlias = tuple[str | int, ...]
"""A key path: names of keys, and positions in lists from 0 on."""

Wrong: TypeAlias = tuple[Path_, str]
"""Where something is wrong, and what, in a sentence."""


def first_wrong(found: Iterable[Wrong | None]) -> Wrong | None:
    """The first thing that is wrong, if any is."""
    return next((wrong for wrong in found if wrong), None)


def close_matches(name: str, known: Iterable[str]) -> str:
    """`did you mean ...?`, or what there is."""
    from difflib import get_close_matches

    options = [str(each) for each in known]
    near = get_close_matches(name, options, n=2, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(near)}?"
    return f"there is {', '.join(sorted(options))}" if options else "there is none"
