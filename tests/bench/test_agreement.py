"""The benchmark times nothing unless the engine and every peer give the same result."""

from dataclasses import replace
from typing import Any

import pytest
from bench.__main__ import main, table
from bench.agreement import DisagreementError, check
from bench.contestants import ENGINE, PEERS, Contestant
from bench.fights.stated import FIGHTS
from bench.workloads import WORKLOADS


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
@pytest.mark.parametrize("workload", WORKLOADS)
def test_engine_and_peer_agree(workload: str, peer: Contestant) -> None:
    check(workload, ENGINE, peer)


def doctored(peer: Contestant, workload: str) -> Contestant:
    """The same peer with another result for one workload."""

    def play() -> Any:
        result = peer.plays[workload]()
        if peer.kind == "exact":
            weights, total = result
            return {**weights, 1: weights.get(1, 0) + 1}, total + 1
        if peer.kind == "floats":
            return {outcome: chance + 2e-9 for outcome, chance in result.items()}
        return {quantity: (mean + 20 * error, error) for quantity, (mean, error) in result.items()}

    return replace(peer, plays={**peer.plays, workload: play})


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_different_result_is_found(peer: Contestant) -> None:
    with pytest.raises(DisagreementError, match=f"on w2 the engine and {peer.name} give"):
        check("w2", ENGINE, doctored(peer, "w2"))


def test_no_table_when_two_results_differ(capsys: pytest.CaptureFixture[str]) -> None:
    peers = (*PEERS[:3], doctored(PEERS[3], "w1"), PEERS[4])
    assert main([], ENGINE, peers) == 1
    assert capsys.readouterr() == (
        "",
        "on w1 the engine and dyce give different results, so nothing is timed.\n",
    )


def test_no_table_when_the_engine_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json"], doctored(ENGINE, "w1")) == 1
    assert capsys.readouterr() == (
        "",
        "on w1 the engine and dict DP give different results, so nothing is timed.\n",
    )


def fight_row(sampled: int) -> dict[str, Any]:
    """The largest numbers that are to be expected."""
    speeds = dict.fromkeys(("cold", "many", "by_hand", "only_played"), 999_999.4)
    cost = {"seconds": 999.99, "peak_mb": 9999.4, "situations": 9_999_999, "sampled": sampled}
    return {
        "plays_per_second": speeds,
        "cold_to_by_hand": 1.2345,
        "many_to_by_hand": 1.2345,
        "full_answer": cost,
        "one_measure": None if sampled else {"name": "A.models", "seconds": 999.99},
    }


def test_the_table_fits_into_80_columns() -> None:
    row = {
        "situations": 999,
        "engine_ms": 1234.567,
        "times_the_engine": {peer.name: 123.456 for peer in PEERS},
    }
    numbers = {
        "workloads": dict.fromkeys(WORKLOADS, row),
        "fights": {fight.name: fight_row(sampled=i % 2) for i, fight in enumerate(FIGHTS)},
        "played": {"workload": "w1", "plays": 100_000, "plays_per_second": 1_234_567.8},
        "start_up": {"odds_ms": 1234.5, "python_ms": 123.4, "times_python": 10.0},
    }
    lines = list(table(numbers, PEERS))
    assert max(map(len, lines)) <= 80
    assert len({len(line) for line in lines[2:9]}) == 1
    fights = next(i for i, line in enumerate(lines) if line.startswith("fight "))
    assert len({len(line) for line in lines[fights : fights + 5]}) == 1
