"""Throws that give the faces themselves, and every kind of throw against all falls of its dice."""

from collections import Counter
from itertools import product
from math import prod

import pytest

from firepower.chance import (
    Count,
    Dice,
    DiceError,
    Die,
    Doubles,
    Faces,
    Handful,
    Highest,
    Lowest,
    Roll,
    Total,
    Typed,
    dice,
    die,
)
from firepower.chance.dice import Face, Term, Throw

ARTILLERY = Die("artillery die", (2, 4, 6, 8, 10, "misfire"), (1,) * 6)
LOADED = Die("loaded", ("G", 3, 1, "A"), (1, 3, 2, 5))
TWICE = Die("d3 of six faces", (1, 1, 2, 2, 3, 3), (1, 2, 3, 4, 5, 6))

THROWS: list[Throw] = [
    Faces(()),
    Faces((ARTILLERY,)),
    Faces((die(6),) * 3),
    Faces((die(10), die(10), ARTILLERY)),
    Faces((LOADED,) * 4),
    Faces((LOADED, TWICE, TWICE, LOADED)),
    Faces((die(4), die(6), die(4))),
    Handful(LOADED, 3, ((1, 0), (2, 0), (2, 0), (0, 1))),
    Handful(die(10), 3, ((0,),) * 4 + ((1,),) * 6),
    Dice("three", (Term(TWICE, 3),)),
    Dice("better", (Term(TWICE, 3, -2, 2), Term(die(3))), -4),
    Dice("marked", (Term(Die("always 5", (5,), (3,))), Term(TWICE, 2, 0, -1))),
    dice("2d6+d4-1"),
    dice("d100+2"),
    dice("D66"),
    dice("4d6kh3"),
    dice("3"),
]


@pytest.mark.parametrize("throw", THROWS, ids=str)
def test_every_fall_of_the_dice_has_the_weight_that_the_odds_say(throw: Throw) -> None:
    thrown = throw.physical()
    expected: Counter[object] = Counter()
    for places in product(*(range(len(each.faces)) for each in thrown)):
        fallen = list(zip(thrown, places, strict=True))
        total = throw.total(tuple(each.faces[place] for each, place in fallen))
        expected[total] += prod(each.weights[place] for each, place in fallen)
    weights = throw.weights()
    assert dict(weights) == expected
    assert len(weights) == len(expected)
    assert sum(weight for _, weight in weights) == prod(sum(each.weights) for each in thrown)


def test_two_equal_dice_fall_in_as_many_ways_as_can_be_told_apart() -> None:
    expected = [
        ((low, high), 1 if low == high else 2) for low in range(1, 11) for high in range(low, 11)
    ]
    assert Faces((die(10), die(10))).weights() == tuple(expected)


def test_one_die_with_faces_of_text_shows_them_after_the_numbers() -> None:
    assert Faces((LOADED,)).weights() == (((1,), 2), ((3,), 3), (("A",), 5), (("G",), 1))
    assert Faces((LOADED,) * 4).total(("G", 3, "A", 1)) == (1, 3, "A", "G")


def test_only_equal_neighbours_are_sorted() -> None:
    faces = Faces((die(6), die(6), die(4), die(6), die(6)))
    assert faces.total((5, 2, 3, 6, 1)) == (2, 5, 3, 1, 6)
    assert faces.physical() == (die(6), die(6), die(4), die(6), die(6))


@pytest.mark.parametrize(
    ("thrown", "shown"),
    [
        ((die(10), die(10)), "2×d10"),
        ((die(10), ARTILLERY), "d10, artillery die"),
        ((die(6), die(4), die(4), die(4), die(6)), "d6, 3×d4, d6"),
        ((), "no dice"),
    ],
)
def test_faces_are_shown_as_the_dice_that_are_thrown(thrown: tuple[Die, ...], shown: str) -> None:
    assert str(Faces(thrown)) == shown


def test_faces_are_typed_die_by_die() -> None:
    roll = Roll("bounce", Faces((die(10), die(10), ARTILLERY)), Total())
    faces = Typed(["0", "7", "misfire"]).throw(roll, "")
    assert faces == (10, 7, "misfire")
    assert roll.throw.total(faces) == (7, 10, "misfire")


LIMITS = (
    "{} would cost too much: at most 100 dice that fall in at most 20000 different ways"
    " are reckoned"
)


@pytest.mark.parametrize(
    ("thrown", "shown"),
    [
        ((die(1),) * 101, "101×d1"),
        ((die(200), die(101)), "d200, d101"),
        ((die(20),) * 5, "5×d20"),
        ((die(2),) * 10_000, "10000×d2"),
        ((die(1000),) * 100, "100×d1000"),
    ],
)
def test_faces_that_fall_in_too_many_ways_are_refused(thrown: tuple[Die, ...], shown: str) -> None:
    with pytest.raises(DiceError) as refusal:
        Faces(thrown)
    assert str(refusal.value) == LIMITS.format(shown)


@pytest.mark.parametrize(
    ("thrown", "ways"),
    [
        ((die(200), die(100)), 20_000),
        ((die(2),) * 100, 101),
        ((Die("coin", (1,) * 500 + (2,) * 500, (1,) * 1000),) * 100, 101),
    ],
)
def test_the_most_faces_that_are_not_refused_are_reckoned(
    thrown: tuple[Die, ...], ways: int
) -> None:
    weights = Faces(thrown).weights()
    assert len(weights) == ways
    assert sum(weight for _, weight in weights) == prod(sum(each.weights) for each in thrown)


FALLS = [
    (one, other, third)
    for one in ARTILLERY.faces
    for other in range(1, 11)
    for third in range(1, 11)
]


def test_a_count_is_read_of_every_fall() -> None:
    natural = Count(frozenset({10, "misfire"}))
    for fall in FALLS:
        shown = 0
        for face in fall:
            if face in (10, "misfire"):
                shown += 1
        assert natural.read(fall) == shown
    assert natural.need == "10 or misfire"
    assert natural.words(0) == "0 show 10 or misfire"
    assert natural.words(1) == "1 shows 10 or misfire"
    assert natural.words(2) == "2 show 10 or misfire"


def test_doubles_are_any_two_that_show_the_same() -> None:
    for one, other, third in FALLS:
        same = one in (other, third) or other == third
        assert Doubles().read((one, other, third)) == same
    assert Doubles().read(()) is False
    assert Doubles().need == "doubles"
    assert (Doubles().words(read=True), Doubles().words(read=False)) == ("doubles", "no doubles")


def test_the_better_and_the_worse_of_two_are_read_of_every_fall() -> None:
    for one, other in product(range(1, 7), range(1, 9)):
        better, worse = (one, other) if one > other else (other, one)
        assert Highest().read((one, other)) == better
        assert Lowest().read((one, other)) == worse
    assert (Highest().need, Lowest().need) == ("", "")
    assert (Highest().words(6), Lowest().words(2)) == ("6", "2")


def test_the_better_of_two_d10_is_what_the_notation_keeps() -> None:
    better: Counter[int] = Counter()
    for shown, weight in Faces((die(10), die(10))).weights():
        numbers = tuple(face for face in shown if isinstance(face, int))
        better[Highest().read(numbers)] += weight
    assert dict(dice("2d10kh1").weights()) == better


def test_faces_of_a_need_are_listed_by_size() -> None:
    faces: frozenset[Face] = frozenset({10, 9, -1, -2, "misfire", "1*"})
    assert Count(faces).need == "-2 or -1 or 9 or 10 or 1* or misfire"
