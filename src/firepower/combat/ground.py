"""Ground: distances, cones, who is near, on a flat table, in the unit of the positions.

All of it is known before any die; what can change in a fight is state.
"""

from collections.abc import Mapping
from math import atan2, cos, degrees, hypot, inf, pi, radians, sin
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


def cones(
    apex: Position, positions: Mapping[str, Position], half_angle: float, length: float
) -> list[tuple[str, ...]]:
    """Every set of people that some direction of a cone takes in, each once; nobody is no set."""
    edges = []
    for at in positions.values():
        turn = degrees(atan2(at[1] - apex[1], at[0] - apex[0]))
        edges += [(turn - half_angle) % 360, (turn + half_angle) % 360]
    edges = sorted(set(edges))
    between = [
        (a + (b - a) % 360 / 2) % 360 for a, b in zip(edges, edges[1:] + edges[:1], strict=True)
    ]
    found: dict[tuple[str, ...], None] = {}
    for turn in sorted((*edges, *between)):
        towards = (apex[0] + cos(radians(turn)), apex[1] + sin(radians(turn)))
        inside = tuple(
            name
            for name, at in positions.items()
            if within_cone(apex, towards, at, half_angle, length)
        )
        if inside:
            found[inside] = None
    return list(found)


def fit_one_cone(
    apex: Position, positions: Mapping[str, Position], half_angle: float
) -> tuple[str, str] | None:
    """Two who are not in one cone of any length; None if all are."""
    for name, at in positions.items():
        for other, where in positions.items():
            if not within_cone(apex, where, at, 2 * half_angle, inf):
                return name, other
    return None


def crossed(
    start: Position, end: Position, positions: Mapping[str, Position], reach: float
) -> tuple[str, ...]:
    """Who stands within `reach` of the straight line between two points, the nearest first."""
    along, across = end[0] - start[0], end[1] - start[1]
    length_squared = along**2 + across**2
    found = []
    for name, at in positions.items():
        towards = (at[0] - start[0]) * along + (at[1] - start[1]) * across
        share = max(0.0, min(1.0, towards / length_squared)) if length_squared else 0.0
        foot = (start[0] + share * along, start[1] + share * across)
        if distance(at, foot) <= reach + EDGE:
            found.append((distance(start, foot), name))
    return tuple(name for _, name in sorted(found, key=lambda each: each[0]))


def within_blast(
    centre: Position, positions: Mapping[str, Position], radius: float
) -> tuple[str, ...]:
    """Who stands no farther than `radius` from the centre, edges included."""
    return tuple(n for n, at in positions.items() if distance(centre, at) <= radius + EDGE)
