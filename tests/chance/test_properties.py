"""Odds, play and advice of random small games, against every play of them."""

from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firepower.chance import (
    Final,
    Generator,
    Played,
    Scripted,
    Situation,
    Solver,
    Tally,
    Typed,
    play,
)
from firepower.chance.sources import Policies
from tests.chance.brute import Odds, every_play, odds_of, part
from tests.chance.random_games import NAMES, TALLIES, games

FINALS = tuple(Final(name, int) for name in NAMES)
ASKED: tuple[Tally | Final, ...] = (*TALLIES, *FINALS)

few = settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def outcome(played: Played, asked: Tally | Final) -> int | bool:
    if isinstance(asked, Final):
        return int(part(played, asked.who))
    return played.number(asked)


@few
@given(games(most=400))
def test_odds_are_those_of_all_plays(start: Situation) -> None:
    """Play throws in handfuls and odds go one by one: both have the same distribution."""
    counted: Odds[tuple[int | bool, ...]] = {}
    for chance, played in every_play(start):
        assert played.finished
        key = tuple(outcome(played, asked) for asked in ASKED)
        counted[key] = counted.get(key, Fraction(0)) + chance
    solver = Solver()
    assert odds_of(solver.joint(start, ASKED)) == counted
    for at, asked in enumerate(ASKED):
        margin: Odds[int | bool] = {}
        for key, chance in counted.items():
            margin[key[at]] = margin.get(key[at], Fraction(0)) + chance
        assert odds_of(solver.odds(start, asked)) == margin


@few
@given(games(most=10**9))
def test_slices_are_the_margins_of_the_joint_and_add_up_to_one(start: Situation) -> None:
    solver = Solver()
    joint = solver.joint(start, ASKED)
    for at, asked in enumerate(ASKED):
        odds = solver.odds(start, asked)
        assert joint.map(lambda outcome, at=at: outcome[at]) == odds  # type: ignore[misc]  # mypy cannot infer it
        assert sum(chance for _, chance in odds) == 1


@few
@given(games(most=10**6), games(most=10**6), st.permutations(ASKED))
def test_answers_do_not_depend_on_what_was_asked_before(
    start: Situation, other: Situation, order: list[Tally | Final]
) -> None:
    busy = Solver(memory=40)
    for asked in order:
        busy.odds(other, asked)
        assert busy.odds(start, asked) == Solver().odds(start, asked)


@few
@given(games(most=100), st.integers(1, 4))
def test_odds_go_on_from_the_middle_of_a_play(start: Situation, dice: int) -> None:
    solver = Solver()
    whole = odds_of(solver.joint(start, ASKED))
    mixed: Odds[tuple[int | bool, ...]] = {}
    for chance, played in every_play(start, most=dice):
        for key, share in solver.joint(played.situation, ASKED):
            mixed[key] = mixed.get(key, Fraction(0)) + chance * share
    assert mixed == whole


@few
@given(games(most=10**9), st.integers(0, 10**6))
def test_a_recorded_play_replays_the_same(start: Situation, seed: int) -> None:
    played = play(start, Generator(seed))
    faces = Typed(str(face) for face in played.faces)
    options = Scripted(played.options, Policies())
    assert play(start, faces, options) == played
    assert (list(faces.unused()), list(options.unused())) == ([], [])


@few
@given(games(most=10**9), st.integers(0, 10**6))
def test_whatever_is_played_has_a_chance(start: Situation, seed: int) -> None:
    played = play(start, Generator(seed))
    joint = Solver().joint(start, ASKED)
    assert joint.p(tuple(outcome(played, asked) for asked in ASKED)) > 0
