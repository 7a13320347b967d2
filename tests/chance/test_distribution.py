"""Distributions: exact shares, moments, quantiles and what cannot be one."""

from fractions import Fraction
from math import sqrt

import pytest

from firepower.chance import Distribution, dice

TWO_DICE = Distribution(dict(dice("2d6").weights()))
JAMS = Distribution({True: 7, False: 93})


def test_every_outcome_has_its_share_in_ascending_order() -> None:
    shares = list(Distribution({3: 2, -1: 4, 2: 6}))
    assert shares == [(-1, Fraction(1, 3)), (2, Fraction(1, 2)), (3, Fraction(1, 6))]


def test_weights_are_in_lowest_terms_and_empty_ones_are_left_out() -> None:
    distribution = Distribution({1: 4, 2: 0, 3: 12})
    assert distribution.weights == {1: 1, 3: 3}
    assert distribution.total == 4
    assert len(distribution) == 2


def test_equal_shares_are_equal_distributions_however_they_were_weighed() -> None:
    left, right = Distribution({1: 2, 2: 4}), Distribution({2: 50, 1: 25, 9: 0})
    assert left == right
    assert hash(left) == hash(right)
    assert left != Distribution({1: 2, 2: 3})
    assert left != Distribution({1: 2, 3: 4})
    assert left != {1: 1, 2: 2}


@pytest.mark.parametrize("weights", [{}, {1: 0}, {1: 2, 2: -1}])
def test_a_distribution_needs_weights(weights: dict[int, int]) -> None:
    with pytest.raises(ValueError, match="needs weights that are not negative and not all zero"):
        Distribution(weights)


def test_the_chance_of_one_outcome_of_a_greater_one_and_of_a_condition() -> None:
    assert TWO_DICE.p(7) == Fraction(6, 36)
    assert TWO_DICE.p(13) == 0
    assert TWO_DICE.at_least(10) == Fraction(6, 36)
    assert TWO_DICE.at_least(2) == 1
    assert TWO_DICE.at_least(13) == 0
    assert TWO_DICE.chance(lambda total: total % 2 == 0) == Fraction(1, 2)
    assert JAMS.p(outcome=True) == Fraction(7, 100)
    assert JAMS.at_least(outcome=True) == Fraction(7, 100)


def test_moments_are_exact() -> None:
    assert TWO_DICE.mean == 7
    assert TWO_DICE.variance == Fraction(35, 6)
    assert TWO_DICE.sd == sqrt(35 / 6)
    assert JAMS.mean == Fraction(7, 100)
    assert JAMS.variance == Fraction(7 * 93, 100**2)


def test_what_is_no_number_has_no_mean() -> None:
    injuries = Distribution({"stunned": 1, "down": 2})
    with pytest.raises(TypeError, match="'down' is not a number, so it has no mean"):
        _ = injuries.mean


@pytest.mark.parametrize(
    ("share", "outcome"),
    [
        (0, 2),
        (Fraction(1, 36), 2),
        (Fraction(1, 36) + Fraction(1, 10**30), 3),
        (Fraction(15, 36), 6),
        (0.5, 7),
        (Fraction(21, 36), 7),
        (Fraction(22, 36), 8),
        (1, 12),
    ],
)
def test_a_quantile_is_the_smallest_outcome_that_covers_the_share(
    share: Fraction | float, outcome: int
) -> None:
    assert TWO_DICE.quantile(share) == outcome


@pytest.mark.parametrize("share", [1.01, Fraction(3, 2), -0.5, Fraction(-1, 100)])
def test_a_share_beyond_nought_and_one_is_refused(share: Fraction | float) -> None:
    with pytest.raises(ValueError, match="a share lies between 0 and 1, not"):
        TWO_DICE.quantile(share)


def test_a_function_of_the_outcome_gathers_the_weights() -> None:
    evens = TWO_DICE.map(lambda total: total % 3)
    assert evens == Distribution({0: 12, 1: 12, 2: 12})
    assert TWO_DICE.map(lambda total: total >= 10) == Distribution({True: 1, False: 5})


def test_a_distribution_is_shown_with_its_weights() -> None:
    assert repr(Distribution({2: 6, 1: 3})) == "Distribution({1: 1, 2: 2})"
