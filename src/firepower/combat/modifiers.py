"""Modifiers: the parts of a number, each with its label and source, and how they come together."""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from firepower.chance.steps import Modifier


class Effect(msgspec.Struct, frozen=True, cache_hash=True):
    """What changes a number, and how.

    Of a `group` only the one furthest from nothing counts. `op`: it sets the number, multiplies it,
    is added, or keeps it at most or at least so much; in this order.
    """

    label: str
    value: int
    source: str
    group: str = ""
    op: Literal["set", "multiply", "add", "at_most", "at_least"] = "add"


_ORDER = ("set", "multiply", "add", "at_most", "at_least")


def counting(effects: Iterable[Effect]) -> tuple[list[Effect], list[Effect]]:
    """Those that count, and those of a group from which another counts more; order is kept."""
    listed = list(effects)
    furthest: dict[str, int] = {}
    for i, each in enumerate(listed):
        best = furthest.get(each.group)
        if each.group and (best is None or abs(each.value) > abs(listed[best].value)):
            furthest[each.group] = i
    counts = {i for i, each in enumerate(listed) if not each.group or furthest[each.group] == i}
    others = [each for i, each in enumerate(listed) if i not in counts]
    return [listed[i] for i in sorted(counts)], others


def number_of(effects: Sequence[Effect]) -> int:
    """What they come to together."""
    number, (counts, _) = 0, counting(effects)
    for op in _ORDER:
        for each in (each for each in counts if each.op == op):
            if op == "set":
                number = each.value
            elif op == "multiply":
                number *= each.value
            elif op == "add":
                number += each.value
            else:
                number = (min if op == "at_most" else max)(number, each.value)
    return number


def shown(effects: Iterable[Effect]) -> tuple[Modifier, ...]:
    """The parts as a roll shows them; what does not count is there with nothing."""
    counts, others = counting(effects)
    parts = [Modifier(_label(each), each.value, each.source) for each in counts]
    return (
        *parts,
        *[Modifier(f"{each.label} (does not count)", 0, each.source) for each in others],
    )


def _label(effect: Effect) -> str:
    """The label, with how it changes the number if it is not added."""
    hows = {"set": "is", "multiply": "times", "at_most": "at most", "at_least": "at least"}
    return f"{effect.label} ({hows[effect.op]})" if effect.op in hows else effect.label
