"""Each fight as the engine plays and answers it is the fight that is simulated by hand."""

from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from math import comb

import pytest
from bench.__main__ import main
from bench.agreement import (
    DisagreementError,
    Shares,
    check_fight,
    compare,
    exact,
    sampled,
    simulated,
)
from bench.contestants import ENGINE, PEERS
from bench.fights import Seen
from bench.fights.answer import answered
from bench.fights.stated import FIGHTS, Fight, clash


@pytest.mark.parametrize("fight", FIGHTS, ids=lambda fight: fight.name)
def test_engine_and_simulation_by_hand_agree(fight: Fight) -> None:
    by_hand, played = simulated(fight, 4_000), sampled(fight, 2_000)
    assert by_hand.keys() == played.keys()
    compare(fight, by_hand, played)


def test_an_exact_answer_and_the_simulation_by_hand_agree() -> None:
    fight = clash(1)
    found = exact(fight)
    by_hand = simulated(fight, 4_000)
    assert found.keys() == by_hand.keys()
    assert all(shares.plays is None for shares in found.values())
    compare(fight, by_hand, found)


def test_a_round_of_the_clash_is_that_of_binomials_and_loops() -> None:
    fight = clash(1)
    start, measures = fight.question()
    expected: dict[str, dict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for (a, b, broken), chance in one_round(30, 30).items():
        for name, outcome in {
            "A.models": a,
            "B.models": b,
            "A.killed": 30 - a,
            "B.killed": 30 - b,
            "A.broken": broken == "A",
            "B.broken": broken == "B",
            "score": a - b,
        }.items():
            expected[name][outcome] += chance
    assert {name: dict(fight.solver().odds(start, measures[name])) for name in measures} == expected


def one_round(a: int, b: int) -> dict[tuple[int, int, str], Fraction]:
    """(models of A, models of B, who broke), by the rules of `bench.fights.hand_clash`."""
    odds: dict[tuple[int, int, str], Fraction] = defaultdict(Fraction)
    strike, answer, finish = Fraction(2, 9), Fraction(5, 24), Fraction(10, 27)
    for first, p in killed(min(10, a), strike, b):
        for second, q in killed(min(15, a), strike, b - first):
            for back, r in killed(min(20, b - first), answer, a):
                for last, s in killed(min(8, b - first - second), finish, a - back):
                    left = (a - back - last, b - first - second)
                    score = first + second - back - last
                    breaks = 1 - holds(abs(score)) if score else Fraction(0)
                    if breaks:
                        odds[(*left, "B" if score > 0 else "A")] += p * q * r * s * breaks
                    if breaks < 1:
                        odds[(*left, "")] += p * q * r * s * (1 - breaks)
    return odds


@cache
def killed(blows: int, chance: Fraction, standing: int) -> list[tuple[int, Fraction]]:
    """How many models so many blows kill."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for n in range(blows + 1):
        exactly = comb(blows, n) * chance**n * (1 - chance) ** (blows - n)
        found[min(n, standing)] += exactly
    return list(found.items())


@cache
def holds(difference: int) -> Fraction:
    """Two dice of at most 7 less the difference, or a double 1."""
    rolls = [i + j for i in range(1, 7) for j in range(1, 7)]
    return Fraction(sum(roll <= max(2, 7 - difference) for roll in rolls), 36)


def doctored_by_hand(fight: Fight, more: Callable[[int], int]) -> Fight:
    """The same fight; its last measure but those that are nothing has other outcomes."""

    def simulate(plays: int, seed: int, rounds: int) -> Seen:
        seen = fight.simulate(plays, seed, rounds)
        measures = seen[f"round {rounds}"]
        name = [each for each, counted in measures.items() if len(counted) > 1][-1]
        measures[name] = Counter({more(value): n for value, n in measures[name].items()})
        return seen

    return fight._replace(simulate=simulate)


@pytest.mark.parametrize("fight", FIGHTS, ids=lambda fight: fight.name)
def test_another_result_by_hand_is_found(fight: Fight) -> None:
    other = doctored_by_hand(fight, lambda value: value + 1)
    with pytest.raises(DisagreementError, match=f"on {fight.name} the engine and the simulation"):
        compare(other, simulated(other, 1_000), sampled(fight, 500))


def test_another_distribution_of_the_same_mean_is_found() -> None:
    fight = clash(1)
    by_hand, played = simulated(fight, 1_000), sampled(fight, 500)
    one = by_hand["A.broken", "round 1"]
    share = one.by_outcome[1]
    by_hand["A.broken", "round 1"] = Shares({0: 1 - share / 2, 2: share / 2}, one.plays)
    with pytest.raises(DisagreementError, match=r"\(A.broken, round 1\)"):
        compare(fight, by_hand, played)


def test_what_never_happens_in_one_must_not_in_the_other() -> None:
    fight = clash(1)
    by_hand = simulated(fight, 1_000)
    never = ("A.broken", "round 1")
    alike = {never: Shares({0: 1.0}, None)}
    with pytest.raises(DisagreementError):
        compare(fight, by_hand, alike)
    compare(fight, {never: Shares({0: 1.0}, 1_000)}, alike)


def test_another_exact_answer_is_found() -> None:
    fight = doctored_by_hand(clash(1), lambda value: value + 1)
    with pytest.raises(DisagreementError, match=r"on clash1 .* \(score, round 1\)"):
        compare(fight, simulated(fight, 1_000), exact(fight))


def test_other_measures_are_found() -> None:
    def simulate(plays: int, seed: int, rounds: int) -> Seen:
        seen = clash(1).simulate(plays, seed, rounds)
        del seen["round 1"]["score"]
        return seen

    with pytest.raises(DisagreementError, match="measure different things"):
        check_fight(clash(1)._replace(simulate=simulate))


def test_no_table_when_a_fight_differs(capsys: pytest.CaptureFixture[str]) -> None:
    fight = doctored_by_hand(clash(1), lambda value: value + 1)
    assert main([], ENGINE, PEERS[:1], [fight]) == 1
    assert capsys.readouterr() == (
        "",
        "on clash1 the engine and the simulation by hand give different results "
        "(score, round 1), so nothing is timed.\n",
    )


def test_what_an_answer_costs() -> None:
    cost = answered(clash(1))
    assert cost.pop("seconds") > 0
    assert cost.pop("peak_mb") > 10
    assert cost.pop("situations") > 1_000
    assert cost == {"exact": 7, "sampled": 0}
    assert answered(clash(1), "score")["exact"] == 1
