"""Distances and cones on a flat table, in the unit of the positions."""

from collections.abc import Mapping
from math import atan2, degrees, hypot, pi
from typing import TypeAlias

Position: TypeAlias = tuple[float, float]

EDGE = 1e-9
"""What a floating-point comparison may be off by: an edge counts as inside."""


def distance(a: Position, b: Position) -> float:
    """How far apart two positions are."""
    return hypot(a[0] - b[0], a[1] - b[1])


def within_cone(
    apex: Position, towards: Position, point: Position, half_angle: float, length: float
) -> bool:
    """Whether a point is at most `half_angle` degrees off the middle of a cone, edges included."""
    if distance(apex, point) > length + EDGE:
        return False
    if point == apex:
        return True
    turn = atan2(point[1] - apex[1], point[0] - apex[0])
    turn -= atan2(towards[1] - apex[1], towards[0] - apex[0])
    off = abs((turn + pi) % (2 * pi) - pi)
    return degrees(off) <= half_angle + EDGE


def near(
    middle: str, positions: Mapping[str, Position], reach: float, *, chained: bool
) -> tuple[str, ...]:
    """Who stands within `reach` of one of them, or with `chained` of anybody found so."""
    found = [middle]
    for centre in found:
        found.extend(
            name
            for name, at in positions.items()
            if name not in found and distance(positions[centre], at) <= reach + EDGE
        )
        if not chained:
            break
    return tuple(name for name in positions if name in found and name != middle)
