"""Readings, line by line: what is read of a total, what has to be rolled, and in what words."""

import pytest

from firepower.chance import AnyOf, AtLeast, AtMost, Band, RollUnder, Total, degrees, readings

DEGREE_RULES: tuple[readings.DegreeRule, ...] = (
    "one_plus_tens",
    "at_least_one",
    "tens",
    "tens_digits",
)


@pytest.mark.parametrize(
    ("reading", "passes", "need"),
    [
        (AtLeast(4), {4, 5, 6}, "4+"),
        (AtMost(2), {1, 2}, "2 or less"),
        (AtLeast(1), {1, 2, 3, 4, 5, 6}, "1+"),
        (AtLeast(7), set(), "7+"),
        (AtLeast(1, natural_1_fails=True), {2, 3, 4, 5, 6}, "2+"),
        (AtLeast(-3, natural_1_fails=True), {2, 3, 4, 5, 6}, "2+"),
        (AtLeast(3, natural_1_fails=True), {3, 4, 5, 6}, "3+"),
        (AtLeast(8, always_passes=6), {6}, "6+"),
        (AtLeast(3, always_passes=6), {3, 4, 5, 6}, "3+"),
        (AtLeast(7, natural_1_fails=True, always_passes=6), {6}, "6+"),
        (AtLeast(0, natural_1_fails=True, always_passes=6), {2, 3, 4, 5, 6}, "2+"),
    ],
)
def test_a_need_passes_on_these_faces_of_a_d6(
    reading: AtLeast, passes: set[int], need: str
) -> None:
    assert {face for face in range(1, 7) if reading.read(face)} == passes
    assert reading.need == need


def test_a_need_says_whether_it_was_met() -> None:
    assert AtLeast(4).words(read=True) == "passed"
    assert AtLeast(4).words(read=False) == "failed"


def test_any_of_reads_only_the_faces_named() -> None:
    reading = AnyOf(frozenset({1, 6}))
    assert [reading.read(face) for face in range(1, 7)] == [True, False, False, False, False, True]
    assert reading.need == "1 or 6"
    assert (reading.words(read=True), reading.words(read=False)) == ("yes", "no")


def test_any_of_reads_faces_that_are_no_numbers() -> None:
    reading = AnyOf(frozenset({"1*"}))
    assert reading.read("1*")
    assert not reading.read(1)
    assert reading.need == "1*"


@pytest.mark.parametrize(
    ("total", "row"),
    [
        (-2, "graze"),
        (0, "graze"),
        (3, "graze"),
        (4, "wound"),
        (7, "wound"),
        (8, "kill"),
        (10, "kill"),
        (99, "kill"),
    ],
)
def test_a_band_is_read_up_to_its_highest_total_and_the_last_row_is_open(
    total: int, row: str
) -> None:
    band = Band(((3, "graze"), (7, "wound"), (10, "kill")))
    assert band.read(total) == row
    assert band.need == ""
    assert band.words(row) == row


def test_a_band_may_mean_numbers() -> None:
    band: Band[int] = Band(((1, 0), (5, 2), (6, 4)))
    assert [band.read(face) for face in range(1, 7)] == [0, 2, 2, 2, 2, 4]
    assert band.words(4) == "4"


def test_a_total_is_read_as_it_is() -> None:
    assert Total().read(11) == 11
    assert Total().read((2, 1)) == (2, 1)
    assert Total().need == ""
    assert Total().words(11) == ""
    assert Total("shots").words(11) == "11 shots"


# (target, roll): the degrees under each rule, in the order of DEGREE_RULES
DEGREES = {
    (45, 45): (1, 1, 0, 1),
    (45, 44): (1, 1, 0, 1),
    (45, 36): (1, 1, 0, 2),
    (45, 35): (2, 1, 1, 2),
    (45, 26): (2, 1, 1, 3),
    (45, 25): (3, 2, 2, 3),
    (45, 9): (4, 3, 3, 5),
    (45, 1): (5, 4, 4, 5),
    (40, 39): (1, 1, 0, 2),
    (45, 46): (1, 1, 0, 1),
    (45, 49): (1, 1, 0, 1),
    (45, 50): (1, 1, 0, 2),
    (45, 54): (1, 1, 0, 2),
    (45, 55): (2, 1, 1, 2),
    (45, 65): (3, 2, 2, 3),
    (45, 99): (6, 5, 5, 6),
    (45, 100): (6, 5, 5, 7),
    (120, 30): (10, 9, 9, 10),
    (0, 20): (3, 2, 2, 3),
}


@pytest.mark.parametrize(("at", "expected"), DEGREES.items())
def test_degrees_are_counted_by_each_rule(
    at: tuple[int, int], expected: tuple[int, int, int, int]
) -> None:
    target, roll = at
    assert tuple(degrees(rule, target, roll) for rule in DEGREE_RULES) == expected


@pytest.mark.parametrize(("at", "expected"), DEGREES.items())
@pytest.mark.parametrize("rule", DEGREE_RULES)
def test_a_test_without_extremes_is_its_target_and_its_degrees(
    rule: readings.DegreeRule, at: tuple[int, int], expected: tuple[int, int, int, int]
) -> None:
    target, roll = at
    read = RollUnder(target, rule, natural_extremes=False).read(roll)
    assert read == readings.Test(roll <= target, expected[DEGREE_RULES.index(rule)])


@pytest.mark.parametrize(
    ("target", "roll", "success", "by_rule"),
    [
        (45, 1, True, (5, 4, 4, 5)),  # a 1 that would succeed anyway keeps its degrees
        (1, 1, True, (1, 1, 0, 1)),
        # made by the extreme alone: never better than a bare success
        (0, 1, True, (1, 1, 0, 1)),
        (-30, 1, True, (1, 1, 0, 1)),
        (45, 100, False, (6, 5, 5, 7)),
        (99, 100, False, (1, 1, 0, 2)),
        (100, 100, False, (1, 1, 1, 1)),
        (130, 100, False, (1, 1, 1, 1)),
        (130, 99, True, (4, 3, 3, 5)),
        (0, 2, False, (1, 1, 0, 1)),
    ],
)
def test_natural_extremes_overrule_the_target(
    target: int, roll: int, success: bool, by_rule: tuple[int, int, int, int]
) -> None:
    for rule, expected in zip(DEGREE_RULES, by_rule, strict=True):
        assert RollUnder(target, rule).read(roll) == readings.Test(success, expected)


@pytest.mark.parametrize("rule", DEGREE_RULES)
@pytest.mark.parametrize("extremes", [True, False])
def test_the_need_says_on_which_rolls_a_test_succeeds(
    rule: readings.DegreeRule, extremes: bool
) -> None:
    for target in range(-20, 131):
        reading = RollUnder(target, rule, extremes)
        passing = [roll for roll in range(1, 101) if reading.read(roll).success]
        assert reading.need.endswith(" or less")
        stated = int(reading.need.removesuffix(" or less"))
        assert passing == list(range(1, min(stated, 100) + 1))


def test_degrees_are_told_in_words() -> None:
    reading = RollUnder(45)
    assert reading.words(readings.Test(success=True, degrees=1)) == "1 degree of success"
    assert reading.words(readings.Test(success=False, degrees=3)) == "3 degrees of failure"
    assert readings.Test(success=True, degrees=0).text == "0 degrees of success"
