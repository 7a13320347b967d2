"""The fights as they are stated to the engine, each beside its simulation by hand."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from bench.fights import Play, Seen, hand_clash, hand_duel, hand_eight
from bench.rules.ninth_age import Blows, Profile
from bench.rules.regiments import Regiment, combat
from firepower.answers.question import read_question
from firepower.chance import Final, Situation, Solver, Tally, View, situation
from firepower.chance.bounds import DEFAULT_WORK

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"

Asked: TypeAlias = tuple[Situation, dict[str, Tally | Final]]
"""A situation, and all that is measured of it, by name."""


class Fight(NamedTuple):
    """A fight of so many rounds: as the engine is asked about it, and as it is simulated by hand.

    `simulate` plays so often from a seed and counts every measure, `play` only plays. `work` is
    what the engine may spend on the full answer.
    """

    name: str
    rounds: int
    question: Callable[[], Asked]
    simulate: Callable[[int, int, int], Seen]
    play: Play
    work: int = DEFAULT_WORK

    def solver(self) -> Solver:
        """A solver that remembers nothing yet."""
        return Solver(work=self.work)


def _scenario(path: Path, rounds: int) -> Asked:
    opening = read_question(path, changes=[f"rounds={rounds}"]).opening
    return opening.situation, opening.measures


def _duel(rounds: int) -> Fight:
    question = partial(_scenario, EXAMPLES / "duel.toml", rounds)
    return Fight("duel", rounds, question, hand_duel.simulate, hand_duel.play)


def _eight(rounds: int) -> Fight:
    question = partial(_scenario, HERE / "eight.toml", rounds)
    return Fight(f"eight{rounds}", rounds, question, hand_eight.simulate, hand_eight.play)


CLASH_WORK = 25_000_000_000
"""Enough to answer two rounds of the clash exactly, which by default would be sampled."""


def clash(rounds: int) -> Fight:
    """Thirty against thirty: A strikes, both strike, B strikes, and the loser tests to hold."""
    question = partial(_clash, rounds)
    simulate, play = hand_clash.simulate, hand_clash.play
    return Fight(f"clash{rounds}", rounds, question, simulate, play, CLASH_WORK)


def _clash(rounds: int) -> Asked:
    strike = Profile(hit=4, wound=3, save=5)
    answer = Profile(hit=4, wound=4, save=6)
    finish = Profile(hit=3, wound=3, save=6)
    initiatives = (
        (Blows("A", 10, strike, "B"),),
        # In this order there are fewer situations. What is still to be struck is part of them, and
        # A has all of its blows more often than B.
        (Blows("B", 20, answer, "A"), Blows("A", 15, strike, "B")),
        (Blows("B", 8, finish, "A"),),
    )
    regiments = {"A": Regiment(30), "B": Regiment(30)}
    tasks = combat("A", "B", initiatives, discipline=7, rounds=rounds)
    measures: dict[str, Tally | Final] = {
        "A.models": Final("A", _models),
        "B.models": Final("B", _models),
        "A.killed": Tally(("A.killed",)),
        "B.killed": Tally(("B.killed",)),
        "A.broken": Final("A", _broken),
        "B.broken": Final("B", _broken),
        "score": Final(("A", "B"), _score),
    }
    return situation(regiments, *tasks), measures


def _models(regiment: Regiment) -> int:
    return regiment.models


def _broken(regiment: Regiment) -> bool:
    return regiment.broken


def _score(both: View) -> int:
    """How many models A has more than B."""
    return _models(both["A"]) - _models(both["B"])


FIGHTS = (_duel(6), _eight(1), _eight(3), clash(2))
