"""Dice notation, sums and handfuls against counting every fall of the dice."""

import doctest
from collections import Counter
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import product
from math import prod

import pytest

from firepower.chance import (
    ChanceError,
    Dice,
    DiceError,
    Die,
    Handful,
    Roll,
    Total,
    Typed,
    dice,
    die,
)
from firepower.chance.dice import Face, Term

Faces = tuple[int, ...]

FIREPOWER = Die("Firepower", ("1*", 1, 2, 3), (1, 2, 2, 1))
LOADED = Die("loaded d4", (1, 2, 3, 4), (1, 3, 2, 5))


def highest(count: int) -> Callable[[Faces], int]:
    return lambda faces: sum(sorted(faces, reverse=True)[:count])


def lowest(count: int) -> Callable[[Faces], int]:
    return lambda faces: sum(sorted(faces)[:count])


NOTATION: list[tuple[str, Faces, Callable[[Faces], int]]] = [
    ("d10", (10,), sum),
    ("D10", (10,), sum),
    ("1d6", (6,), sum),
    ("d1", (1,), sum),
    ("d%", (100,), sum),
    ("2d6+3", (6, 6), lambda f: sum(f) + 3),
    ("2d6 + 3", (6, 6), lambda f: sum(f) + 3),
    ("D3+1", (3,), lambda f: f[0] + 1),
    ("3d5", (5, 5, 5), sum),
    ("d10-4", (10,), lambda f: f[0] - 4),
    ("2-d4", (4,), lambda f: 2 - f[0]),
    ("1+d4+2", (4,), lambda f: f[0] + 3),
    ("3D6x2", (6, 6, 6), lambda f: 2 * sum(f)),
    ("2d4×3", (4, 4), lambda f: 3 * sum(f)),
    ("2d4*3-1", (4, 4), lambda f: 3 * sum(f) - 1),
    ("2d6+d4-1", (6, 6, 4), lambda f: sum(f) - 1),
    ("d8-2d3", (8, 3, 3), lambda f: f[0] - f[1] - f[2]),
    ("d6-d4x2", (6, 4), lambda f: f[0] - 2 * f[1]),
    ("4d6kh3", (6, 6, 6, 6), highest(3)),
    ("4D6KH3", (6, 6, 6, 6), highest(3)),
    ("2d20kl1", (20, 20), lowest(1)),
    ("3d6kh", (6, 6, 6), highest(1)),
    ("3d6kl", (6, 6, 6), lowest(1)),
    ("3d4kl2", (4, 4, 4), lowest(2)),
    ("3d4kh3", (4, 4, 4), sum),
    ("5d3kh2", (3, 3, 3, 3, 3), highest(2)),
    ("3d4kh2x10+d2", (4, 4, 4, 2), lambda f: 10 * highest(2)(f[:3]) + f[3]),
    ("d6-2d4kl1", (6, 4, 4), lambda f: f[0] - min(f[1:])),
    ("d66", (6, 6), lambda f: 10 * f[0] + f[1]),
    ("D66", (6, 6), lambda f: 10 * f[0] + f[1]),
    ("d066", (6, 6), lambda f: 10 * f[0] + f[1]),
    ("D66+1", (6, 6), lambda f: 10 * f[0] + f[1] + 1),
    ("2d66", (6, 6, 6, 6), lambda f: 10 * f[0] + f[1] + 10 * f[2] + f[3]),
    ("D66x2", (6, 6), lambda f: 20 * f[0] + 2 * f[1]),
    ("d4-d66", (4, 6, 6), lambda f: f[0] - 10 * f[1] - f[2]),
    ("d66+2d3kh1", (6, 6, 3, 3), lambda f: 10 * f[0] + f[1] + max(f[2:])),
    ("7", (), lambda _: 7),
    ("2+3", (), lambda _: 5),
]


def falls(sizes: Iterable[int]) -> Iterable[Faces]:
    return product(*(range(1, size + 1) for size in sizes))


@pytest.mark.parametrize(("text", "sizes", "total"), NOTATION)
def test_notation_means_what_every_fall_of_its_dice_adds_up_to(
    text: str, sizes: Faces, total: Callable[[Faces], int]
) -> None:
    expected = Counter(total(faces) for faces in falls(sizes))
    assert dice(text).weights() == tuple(sorted(expected.items()))


@pytest.mark.parametrize(("text", "sizes", "total"), NOTATION)
def test_faces_come_to_the_same_total_as_the_odds_say(
    text: str, sizes: Faces, total: Callable[[Faces], int]
) -> None:
    thrown = dice(text)
    assert tuple(die.faces for die in thrown.physical()) == tuple(
        tuple(range(1, size + 1)) for size in sizes
    )
    assert all(thrown.total(faces) == total(faces) for faces in falls(sizes))


def test_d66_is_two_dice_of_six_read_as_tens_and_units() -> None:
    weights = dice("d66").weights()
    assert weights == tuple((10 * tens + units, 1) for tens in range(1, 7) for units in range(1, 7))
    assert 2 * sum(total for total, _ in weights) == 77 * len(weights)
    assert dice("2D66").physical() == (die(6),) * 4
    assert str(dice("2D66 + 1")) == "2D66 + 1"


def test_the_faces_of_d66_are_typed_tens_first() -> None:
    roll = Roll("where?", dice("2d66"), Total())
    faces = Typed(["4", "6", "1", "2"]).throw(roll, "")
    assert faces == (4, 6, 1, 2)
    assert roll.throw.total(faces) == 46 + 12


def test_what_the_docstrings_of_notation_show_is_so() -> None:
    result = doctest.testmod(import_module("firepower.chance.notation"))
    assert (result.attempted, result.failed) == (3, 0)


def test_dice_are_shown_as_they_were_written() -> None:
    assert str(dice("3D6x2")) == "3D6x2"
    assert [die.name for die in dice("2d6+d%").physical()] == ["d6", "d6", "d100"]


@pytest.mark.parametrize("keep", [-4, -3, -1, 0, 1, 2, 4])
def test_keeping_counts_the_weights_of_a_loaded_die(keep: int) -> None:
    expected: Counter[int] = Counter()
    for places in product(range(4), repeat=4):
        faces = sorted(LOADED.faces[place] for place in places)
        kept = faces if not keep else faces[-keep:] if keep > 0 else faces[:-keep]
        expected[sum(map(int, kept))] += prod(LOADED.weights[place] for place in places)
    thrown = Dice("four loaded dice", (Term(LOADED, 4, keep),))
    assert dict(thrown.weights()) == expected


@pytest.mark.parametrize("count", [0, 1, 2, 5, 9])
@pytest.mark.parametrize(
    "thrown",
    [
        LOADED,
        Die("backgammon cube", (1, 2, 4, 8, 16, 32, 64), (1,) * 7),
        Die("d3 of six faces", (1, 1, 2, 2, 3, 3), (1, 2, 3, 4, 5, 6)),
        Die("Fudge", (-1, 0, 1), (1, 1, 1)),
        Die("far apart", (-1_000_000, 0, 7), (2, 1, 3)),
        Die("one face", (5,), (3,)),
    ],
    ids=lambda thrown: thrown.name,
)
def test_any_number_of_equal_dice_is_added_up_sum_by_sum(thrown: Die, count: int) -> None:
    expected = Counter({3: 1})
    for _ in range(count):
        grown: Counter[int] = Counter()
        for total, ways in expected.items():
            for face, weight in zip(thrown.faces, thrown.weights, strict=True):
                grown[total - 2 * int(face)] += ways * weight
        expected = grown
    weights = Dice("equal dice", (Term(thrown, count, 0, -2),), 3).weights()
    assert weights == tuple(sorted(expected.items()))


def test_keeping_counts_a_face_that_is_on_a_die_twice() -> None:
    thrown = Die("d3 of six faces", (1, 1, 2, 2, 3, 3), (1, 2, 3, 4, 5, 6))
    expected: Counter[int] = Counter()
    for one, other in product(range(6), repeat=2):
        better = max(int(thrown.faces[one]), int(thrown.faces[other]))
        expected[better] += thrown.weights[one] * thrown.weights[other]
    assert dict(Dice("better", (Term(thrown, 2, 1),)).weights()) == expected


@pytest.mark.parametrize(
    ("thrown", "sentence"),
    [
        (FIREPOWER, "a Firepower cannot be added up: it shows '1*'"),
        (Die("halved", (1, 0.5), (1, 1)), "a halved cannot be added up: it shows 0.5"),  # type: ignore[arg-type]
        (Die("last", (1, 2, "G"), (1, 1, 1)), "a last cannot be added up: it shows 'G'"),
    ],
)
def test_a_die_with_a_face_that_is_no_whole_number_is_not_added_up(
    thrown: Die, sentence: str
) -> None:
    with pytest.raises(DiceError) as refusal:
        Term(thrown)
    assert str(refusal.value) == sentence


NOT_DICE = "{!r} is not a dice expression; write it like d10, 2d6+3 or 4d6kh3"

REFUSED = {
    "": NOT_DICE.format(""),
    "fire": NOT_DICE.format("fire"),
    "d": NOT_DICE.format("d"),
    "2d": NOT_DICE.format("2d"),
    "-d6": NOT_DICE.format("-d6"),
    "2d6+": NOT_DICE.format("2d6+"),
    "2d6++3": NOT_DICE.format("2d6++3"),
    "2d-6": NOT_DICE.format("2d-6"),
    "d6.5": NOT_DICE.format("d6.5"),
    "1.5d6": NOT_DICE.format("1.5d6"),
    "d6/2": NOT_DICE.format("d6/2"),
    "(d6)": NOT_DICE.format("(d6)"),
    "2d6k1": NOT_DICE.format("2d6k1"),
    "2d6x": NOT_DICE.format("2d6x"),
    "d6x2kh1": NOT_DICE.format("d6x2kh1"),
    "d6!": NOT_DICE.format("d6!"),
    "0d6": "'0d6' throws 0 dice at once; 1 to 100 can be thrown",
    "101d2": "'101d2' throws 101 dice at once; 1 to 100 can be thrown",
    "d0": "'d0' has a die of 0 faces; a die has 1 to 1000",
    "d1001": "'d1001' has a die of 1001 faces; a die has 1 to 1000",
    "4d6kh0": "'4d6kh0' keeps 0 of 4 dice; 1 to 4 can be kept",
    "4d6kl5": "'4d6kl5' keeps 5 of 4 dice; 1 to 4 can be kept",
    "d6x1001": "'d6x1001' multiplies by 1001; at most 1000 is read",
    "21d100": "'21d100' would cost too much: its dice have 2100 faces in all; "
    "at most 2000 are reckoned",
    "20d100+d2": "'20d100+d2' would cost too much: its dice have 2002 faces in all; "
    "at most 2000 are reckoned",
    "41d10kh3": "'41d10kh3' would cost too much: its dice have 410 faces in all; "
    "at most 400 are reckoned",
    "d66kh1": "'d66kh1' keeps some of several D66; they can only be added up",
    "2D66kl1": "'2D66kl1' keeps some of several D66; they can only be added up",
    "0d66": "'0d66' throws 0 dice at once; 1 to 100 can be thrown",
    "51d66": "'51d66' throws 102 dice at once; 1 to 100 can be thrown",
    "d66x1001": "'d66x1001' multiplies by 1001; at most 1000 is read",
    "²d6": NOT_DICE.format("²d6"),
    "d6" + "+1" * 30: "a dice expression has at most 60 characters, not 62",
}


@pytest.mark.parametrize(("text", "sentence"), REFUSED.items())
def test_what_is_not_dice_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(DiceError) as refusal:
        dice(text)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    "text",
    [
        "100d1000",
        "999999999999d6",
        "d999999999999999999999999",
        "d6x99999999999999999999999999999999999999999",
        "100d100kh50",
        "9" * 100_000,
        "d6+" * 100_000 + "d6",
        "+".join(["20d20"] * 10),
    ],
)
def test_expressions_that_would_cost_dear_are_refused_before_any_sum(text: str) -> None:
    with pytest.raises(DiceError):
        dice(text)


@pytest.mark.parametrize(
    "text",
    [
        "d100x997+d100x991+d100x983+d100x977",
        "d1000x1000-d1000",
        "d100kh1x900+d100kl1x800+d100kh1x701",
        "d100x150-d100x150-d3",
    ],
)
def test_factors_that_spread_the_totals_over_many_thousands_are_refused(text: str) -> None:
    with pytest.raises(DiceError) as refusal:
        dice(text)
    assert str(refusal.value).startswith(f"{text!r} would cost too much: ")


@pytest.mark.parametrize(
    "text", ["d100x100+d100", "2d10x10+2d10", "d10x100+d10x10+d10", "d1000x1000"]
)
def test_factors_that_make_a_table_of_thousands_are_reckoned(text: str) -> None:
    thrown = dice(text)
    weights = thrown.weights()
    assert weights[0][0] == sum(term.times * term.count for term in thrown.terms)
    assert sum(weight for _, weight in weights) == prod(len(die.faces) for die in thrown.physical())


def test_the_greatest_that_is_not_refused_is_reckoned() -> None:
    thrown = dice("20d100")
    assert sum(weight for _, weight in thrown.weights()) == 100**20
    assert thrown.weights()[0] == (20, 1)
    assert thrown.weights()[-1] == (2000, 1)


def test_as_many_d66_as_are_not_refused_are_reckoned() -> None:
    weights = dice("50d66").weights()
    assert (weights[0], weights[-1]) == ((50 * 11, 1), (50 * 66, 1))
    assert sum(weight for _, weight in weights) == 36**50


def test_a_refusal_is_a_chance_error_and_a_value_error() -> None:
    with pytest.raises(ChanceError):
        dice("d0")
    with pytest.raises(ValueError, match="has a die of 0 faces"):
        dice("d0")


@pytest.mark.parametrize(
    ("thrown", "typed", "face"),
    [
        (die(6), "4", 4),
        (die(6), " 6 ", 6),
        (die(6), "03", 3),
        (die(10), "0", 10),
        (die(10), "00", 10),
        (die(10), "10", 10),
        (die(10), "1", 1),
        (die(100), "00", 100),
        (die(100), "0", 100),
        (die(100), "000", 100),
        (die(100), "100", 100),
        (die(100), "07", 7),
        (die(100), "70", 70),
        (Die("d10 from nought", tuple(range(10)), (1,) * 10), "0", 0),
        (die(6), "٣", 3),
        (Die("Fudge", (-1, 0, 1), (1, 1, 1)), "-1", -1),
        (Die("tens", tuple(range(10, 101, 10)), (1,) * 10), "00", 100),
        (FIREPOWER, "1*", "1*"),
        (FIREPOWER, "1", 1),
        (FIREPOWER, "3", 3),
    ],
)
def test_a_typed_face_is_read_as_a_player_means_it(thrown: Die, typed: str, face: Face) -> None:
    read = thrown.read(typed)
    assert (type(read), read) == (type(face), face)


@pytest.mark.parametrize(
    ("thrown", "typed", "sentence"),
    [
        (die(6), "7", "a d6 has no face '7'; its faces are 1 to 6"),
        (die(6), "0", "a d6 has no face '0'; its faces are 1 to 6"),
        (die(6), "00", "a d6 has no face '00'; its faces are 1 to 6"),
        (die(20), "0", "a d20 has no face '0'; its faces are 1 to 20"),
        (die(100), "101", "a d100 has no face '101'; its faces are 1 to 100"),
        (die(10), "0000", "a d10 has no face '0000'; its faces are 1 to 10"),
        (die(6), "", "a d6 has no face ''; its faces are 1 to 6"),
        (die(6), " six", "a d6 has no face 'six'; its faces are 1 to 6"),
        (die(6), "-1", "a d6 has no face '-1'; its faces are 1 to 6"),
        (die(6), "3.0", "a d6 has no face '3.0'; its faces are 1 to 6"),
        (die(6), "²", "a d6 has no face '²'; its faces are 1 to 6"),
        (die(6), "1_0", "a d6 has no face '1_0'; its faces are 1 to 6"),
        (die(6), "-", "a d6 has no face '-'; its faces are 1 to 6"),
        (die(6), "--3", "a d6 has no face '--3'; its faces are 1 to 6"),
        (die(6), "9" * 5000, f"a d6 has no face '{'9' * 5000}'; its faces are 1 to 6"),
        (die(10), "-0", "a d10 has no face '-0'; its faces are 1 to 10"),
        (
            Die("doubling cube", (2, 4, 8), (1, 1, 1)),
            "3",
            "a doubling cube has no face '3'; its faces are 2, 4, 8",
        ),
        (FIREPOWER, "*", "a Firepower has no face '*'; its faces are 1*, 1, 2, 3"),
        (FIREPOWER, "4", "a Firepower has no face '4'; its faces are 1*, 1, 2, 3"),
    ],
)
def test_a_face_that_the_die_lacks_is_refused(thrown: Die, typed: str, sentence: str) -> None:
    with pytest.raises(DiceError) as refusal:
        thrown.read(typed)
    assert str(refusal.value) == sentence


HITS_AND_SYMBOLS = ((1, 1), (1, 0), (2, 0), (3, 0))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_handful_counts_all_columns_of_every_fall(count: int) -> None:
    handful = Handful(FIREPOWER, count, HITS_AND_SYMBOLS)
    expected: Counter[tuple[int, ...]] = Counter()
    for places in product(range(4), repeat=count):
        hits = sum(HITS_AND_SYMBOLS[place][0] for place in places)
        symbols = sum(HITS_AND_SYMBOLS[place][1] for place in places)
        expected[hits, symbols] += prod(FIREPOWER.weights[place] for place in places)
        faces = tuple(FIREPOWER.faces[place] for place in places)
        assert handful.total(faces) == (hits, symbols)
    assert dict(handful.weights()) == expected
    assert handful.physical() == (FIREPOWER,) * count


def test_a_handful_of_no_dice_comes_to_nothing_in_every_column() -> None:
    handful = Handful(FIREPOWER, 0, HITS_AND_SYMBOLS)
    assert handful.weights() == (((0, 0), 1),)
    assert handful.total(()) == (0, 0)


def test_a_handful_is_shown_as_a_number_of_dice() -> None:
    assert str(Handful(FIREPOWER, 3, HITS_AND_SYMBOLS)) == "3×Firepower"
    assert str(Handful(FIREPOWER, 1, HITS_AND_SYMBOLS)) == "Firepower"


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5])
@pytest.mark.parametrize(
    "worth",
    [
        ((-2, 1), (0, -1), (3, 0), (3, 0)),
        ((0, 50, 0), (1, 0, 0), (0, 0, 9), (7, 7, 7)),
        ((4,), (4,), (4,), (4,)),
    ],
)
def test_a_handful_may_take_away_and_count_in_any_number_of_columns(
    worth: tuple[tuple[int, ...], ...], count: int
) -> None:
    expected: Counter[tuple[int, ...]] = Counter()
    for places in product(range(4), repeat=count):
        total = tuple(
            sum(worth[place][column] for place in places) for column in range(len(worth[0]))
        )
        expected[total] += prod(FIREPOWER.weights[place] for place in places)
    assert Handful(FIREPOWER, count, worth).weights() == tuple(sorted(expected.items()))
