"""Odds and play that go on from where a play stands: in a handful, in a Resolution."""

from fractions import Fraction

import pytest

from firepower.chance import (
    Die,
    Final,
    Generator,
    Situation,
    Solver,
    Tally,
    Task,
    Typed,
    play,
    situation,
)
from firepower.chance.dice import Dice, Term
from tests.chance.brute import Odds, every_play, odds_of, part
from tests.chance.toys import (
    D2,
    D3,
    D4,
    Damage,
    Effect,
    HandfulThrow,
    LocalHandfulStrike,
    LocalHandfulThrow,
    LocalNote,
    Strike,
    Tell,
    Throw,
    scores,
    times,
)

HITS = Tally(("a.hit",))
SCORE = Tally(("a.score",))
WOUND = Throw(D4, 3, scores("loss"))


def mixed_odds(start: Situation, asked: tuple[Tally | Final, ...], most: int) -> Odds[object]:
    """The odds from where each play stands after so many dice, weighted by how it came there."""
    solver = Solver()
    mixed: Odds[object] = {}
    for chance, played in every_play(start, most=most):
        for outcome, share in solver.joint(played.situation, asked):
            mixed[outcome] = mixed.get(outcome, Fraction(0)) + chance * share
    return mixed


MIDDLES = {
    "throws": (
        situation({"a": 2}, times(Throw(D3, 2, Effect(1, (("hit", 1),)), while_tokens=1), 4, "a")),
        (HITS, Final("a", int)),
    ),
    "a handful": (
        situation({"a": 3}, times(LocalHandfulThrow(D3, 2, Effect(1, (("hit", 1),))), 4, "a")),
        (HITS, Final("a", int)),
    ),
    "a handful that may kill": (
        situation(
            {"a": 1},
            times(LocalHandfulThrow(D2, 2, Effect(1, (("hit", 1),)), while_tokens=1), 4, "a"),
        ),
        (HITS, Final("a", int)),
    ),
    "a handful that leads to more": (
        situation(
            {"a": 0, "b": 2},
            times(
                HandfulThrow(
                    D2, 2, Effect(todo=(Task(Throw(D2, 2, scores("hurt"), Effect(1)), "b"),))
                ),
                3,
                "a",
            ),
        ),
        (Tally(("b.hurt",)), Final("b", int)),
    ),
    "a resolution": (
        situation(
            {"a": 9},
            Task(
                Strike((Throw(D3, 2, scores("loss", 2)), Throw(D2, 2, scores("loss"))), "loss",
                       scores("struck"), 5),
                "a",
            ),
        ),
        (Final("a", int), Tally(("a.loss",)), Tally(("a.struck",))),
    ),
    "a resolution whose part changes": (
        situation(
            {"a": 9},
            Task(
                Strike((times(Throw(D2, 2, Effect(1, (("loss", 2),)), while_tokens=1), 4),),
                       part_inside=2),
                "a",
            ),
        ),
        (Final("a", int),),
    ),
    "a resolution inside a resolution": (
        situation(
            {"a": 9},
            times(
                Strike(
                    (
                        Throw(D2, 2, scores("loss")),
                        Strike((times(Throw(D2, 2, scores("loss")), 2),), "loss", scores("deep")),
                    ),
                ),
                1,
                "a",
            ),
        ),
        (Final("a", int), Tally(("a.deep",)), Tally(("a.loss",))),
    ),
    "a handful of resolutions": (
        situation(
            {"a": 4},
            times(LocalHandfulStrike((Throw(D2, 2, Effect(todo=(WOUND,))),)), 2, "a"),
        ),
        (Final("a", int), Tally(("a.loss",))),
    ),
    "a handful of resolutions that may kill": (
        situation(
            {"a": 1},
            times(
                LocalHandfulStrike(
                    (times(Throw(D2, 2, scores("loss")), 2),), "loss", scores("struck"),
                    while_tokens=1,
                ),
                3,
                "a",
            ),
        ),
        (Final("a", int), Tally(("a.loss",)), Tally(("a.struck",))),
    ),
    "a handful that is read": (
        situation({"a": 0}, times(HandfulThrow(D2, 2, scores("hit")), 3, "a"), Tell(HITS)),
        (Tally(("told",)), HITS),
    ),
    "a handful of resolutions that is read": (
        situation(
            {"a": 5},
            times(LocalHandfulStrike((Throw(D2, 2, scores("hit")), LocalNote(scores("loss")))), 3,
                  "a"),
            Tell(HITS),
        ),
        (Tally(("told",)), HITS, Final("a", int)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("middle", MIDDLES)
@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_odds_go_on_from_where_a_play_stands(middle: str, most: int) -> None:
    start, asked = MIDDLES[middle]
    assert mixed_odds(start, asked, most) == odds_of(Solver().joint(start, asked))


@pytest.mark.parametrize("middle", MIDDLES)
def test_play_goes_on_from_where_it_stands(middle: str) -> None:
    start, asked = MIDDLES[middle]
    whole = Solver().joint(start, asked)
    for seed in range(30):
        stopped = play(start, Typed([str(1 + seed % 2)]))
        resumed = play(stopped.situation, Generator(seed))
        assert resumed.finished
        outcome = tuple(
            each.of(part(resumed, each.who)) if isinstance(each, Final) else resumed.number(each)
            for each in asked
        )
        assert whole.p(outcome) > 0
        assert Solver().joint(stopped.situation, asked).p(outcome) > 0


def test_odds_from_the_middle_of_a_resolution_by_hand() -> None:
    start, _ = MIDDLES["a resolution"]
    stopped = play(start, Typed(["3"]))
    assert not stopped.finished
    assert stopped.situation.records == ()
    assert odds_of(Solver().odds(stopped.situation, Final("a", int))) == {
        7: Fraction(1, 2),
        6: Fraction(1, 2),
    }


def test_a_loaded_die_keeps_its_weights_from_the_middle() -> None:
    loaded = Dice("loaded", (Term(Die("loaded", (1, 2, 3), (1, 2, 5)), 2),))
    start = situation({"a": 0}, times(Damage(loaded), 2, "a"))
    assert mixed_odds(start, (SCORE,), 2) == odds_of(Solver().joint(start, (SCORE,)))
