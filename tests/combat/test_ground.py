"""Lines, blasts and cones on a flat table; edges count as inside."""

from math import cos, radians, sin
from random import Random

import pytest

from firepower.combat.ground import (
    Position,
    cones,
    crossed,
    fit_one_cone,
    within_blast,
    within_cone,
)

START, END = (0.0, 0.0), (10.0, 0.0)


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        # beside the line, at the edge and beyond it, on either side
        ((5, 0), True),
        ((5, 2), True),
        ((5, -2), True),
        ((5, 2.001), False),
        ((5, -2.001), False),
        # off the ends: as far as the reach, and no farther
        ((-2, 0), True),
        ((-2.001, 0), False),
        ((12, 0), True),
        ((12.001, 0), False),
        ((-1.2, 1.6), True),
        ((-1.5, 1.5), False),
        ((11.2, -1.6), True),
        ((11.5, -1.5), False),
        # a floating-point edge
        ((0.3, 2 + 1e-12), True),
    ],
)
def test_crossed(point: Position, inside: bool) -> None:
    assert crossed(START, END, {"one": point}, 2) == (("one",) if inside else ())


def test_crossed_on_a_slope() -> None:
    """The diagonal from (0, 0) to (10, 10) passes (4, 6) at the square root of 2."""
    positions = {"one": (4.0, 6.0), "other": (6.0, 4.0)}
    assert crossed((0, 0), (10, 10), positions, 2**0.5) == ("one", "other")
    assert crossed((0, 0), (10, 10), positions, 1.41) == ()


def test_crossed_backwards() -> None:
    """The same line from its other end is crossed by the same people, in turned order."""
    positions = {"first": (1.0, 1.0), "second": (5.0, -1.0), "third": (9.0, 0.0)}
    assert crossed(START, END, positions, 1) == ("first", "second", "third")
    assert crossed(END, START, positions, 1) == ("third", "second", "first")


@pytest.mark.parametrize(
    ("positions", "order"),
    [
        ({"far": (8, 0), "near": (2, 0), "middle": (5, 0)}, ("near", "middle", "far")),
        # how far off the line somebody stands does not matter, nor how far from the start
        ({"aside": (2, 2), "ahead": (2.1, 0)}, ("aside", "ahead")),
        # as near as each other, also before the start or beyond the end: as they are named
        ({"one": (5, 1), "other": (5, -1)}, ("one", "other")),
        ({"other": (5, -1), "one": (5, 1)}, ("other", "one")),
        ({"on": (0, 0), "behind": (-1, 0)}, ("on", "behind")),
        ({"behind": (-1, 0), "on": (0, 0)}, ("behind", "on")),
        ({"beyond": (11, 0), "end": (10, 0), "start": (0, 0)}, ("start", "beyond", "end")),
    ],
)
def test_crossed_by_nearness(positions: dict[str, Position], order: tuple[str, ...]) -> None:
    assert crossed(START, END, positions, 2) == order


def test_a_line_without_length_is_a_point() -> None:
    positions = {"here": (3.0, 3.0), "edge": (5.0, 3.0), "outside": (5.1, 3.0)}
    assert crossed((3, 3), (3, 3), positions, 2) == ("here", "edge")


def test_a_line_without_width() -> None:
    assert crossed(START, END, {"on": (5, 0), "beside": (5, 0.001)}, 0) == ("on",)


@pytest.mark.parametrize("cut", [crossed(START, END, {}, 2), within_blast(START, {}, 2)])
def test_nobody_there(cut: tuple[str, ...]) -> None:
    assert cut == ()


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        ((1, 1), True),
        ((4, 1), True),
        ((1, -2), True),
        ((2.8, 3.4), True),
        ((4.001, 1), False),
        ((3.2, 3.2), False),
        ((4 + 1e-12, 1), True),
    ],
)
def test_within_blast(point: Position, inside: bool) -> None:
    assert within_blast((1, 1), {"one": point}, 3) == (("one",) if inside else ())


def test_a_blast_names_people_as_they_are_named() -> None:
    positions = {"edge": (3.0, 0.0), "outside": (4.0, 0.0), "middle": (0.0, 0.0)}
    assert within_blast((0, 0), positions, 3) == ("edge", "middle")
    assert within_blast((0, 0), positions, 0) == ("middle",)


@pytest.mark.parametrize("seed", range(30))
def test_cones_are_the_sets_that_any_direction_takes_in(seed: int) -> None:
    """Against two thousand directions; a set that only an edge takes in may be missed by these."""
    random = Random(seed)
    people = {
        f"p{i}": (random.randint(-20, 20) + 0.1 * i, random.randint(-20, 20) + 0.05)
        for i in range(random.randint(1, 5))
    }
    half, length = random.choice([10.0, 22.5, 60.0]), random.choice([15.0, 40.0])
    found = set(cones((0, 0), people, half, length))
    tried = set()
    for step in range(2_000):
        turn = radians(step * 360 / 2_000)
        towards = (cos(turn), sin(turn))
        tried.add(
            tuple(n for n, at in people.items() if within_cone((0, 0), towards, at, half, length))
        )
    assert tried - {()} <= found
    for names in found:
        apart = fit_one_cone((0, 0), {name: people[name] for name in names}, half)
        assert apart is None


def test_two_as_far_apart_as_a_cone_is_wide_fit_into_it() -> None:
    people = {"ahead": (10.0, 0.0), "aside": (0.0, 10.0)}
    assert set(cones((0, 0), people, 45, 20)) == {("ahead",), ("aside",), ("ahead", "aside")}


def test_who_do_not_fit_one_cone_are_named() -> None:
    people = {"ahead": (0.0, 10.0), "aside": (10.0, 0.0)}
    assert fit_one_cone((0, 0), people, 22.5) == ("ahead", "aside")
    assert fit_one_cone((0, 0), people, 45) is None
