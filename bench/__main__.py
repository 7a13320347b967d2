"""`python -m bench`: whether engine and peers agree, and only then how long each takes."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from bench.agreement import DisagreementError, check
from bench.contestants import ENGINE, PEERS, Contestant
from bench.timing import PLAYS, milliseconds, plays_per_second, start_up
from bench.workloads import WORKLOADS
from firepower.chance import Solver

PLAYED = "w1"


def main(
    arguments: Sequence[str] | None = None,
    engine: Contestant = ENGINE,
    peers: Sequence[Contestant] = PEERS,
) -> int:
    """Check every workload, then time all; 1 and one sentence if two results differ."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="the same numbers as JSON")
    options = parser.parse_args(arguments)
    try:
        for workload in WORKLOADS:
            for peer in peers:
                check(workload, engine, peer)
    except DisagreementError as error:
        sys.stderr.write(f"{error}, so nothing is timed.\n")
        return 1
    numbers = measured(engine, peers)
    text = json.dumps(numbers, indent=2) if options.json else "\n".join(table(numbers, peers))
    sys.stdout.write(f"{text}\n")
    return 0


def measured(engine: Contestant, peers: Sequence[Contestant]) -> dict[str, Any]:
    """Everything that is measured, by name."""
    workloads = {}
    for name, workload in WORKLOADS.items():
        times = milliseconds(name, (engine, *peers))
        workloads[name] = {
            "situations": workload().situations(Solver()),
            "engine_ms": times[engine.name],
            "peers_ms": {peer.name: times[peer.name] for peer in peers},
            "times_the_engine": {p.name: times[p.name] / times[engine.name] for p in peers},
        }
    odds_ms, python_ms = start_up()
    return {
        "workloads": workloads,
        "played": {
            "workload": PLAYED,
            "plays": PLAYS,
            "plays_per_second": plays_per_second(PLAYED),
        },
        "start_up": {
            "odds_ms": odds_ms,
            "python_ms": python_ms,
            "times_python": odds_ms / python_ms,
        },
    }


def table(numbers: dict[str, Any], peers: Sequence[Contestant]) -> Iterator[str]:
    """The numbers for people, in lines of at most 80 characters."""
    heads = [f"{head:>6}" for head in ("engine ms", *(peer.name for peer in peers))]
    yield "From cold: the engine's milliseconds, and each peer's time divided by them."
    yield ""
    yield "workload  " + "  ".join(heads)
    for name, row in numbers["workloads"].items():
        ratios = (f"{ratio:.2f}" for ratio in row["times_the_engine"].values())
        cells = (f"{row['engine_ms']:.2f}", *ratios)
        aligned = (f"{cell:>{len(head)}}" for cell, head in zip(cells, heads, strict=True))
        yield f"{name:<8}  " + "  ".join(aligned)
    yield ""
    counts = (f"{name} {row['situations']:,}" for name, row in numbers["workloads"].items())
    yield f"Situations: {', '.join(counts)}."
    played, start = numbers["played"], numbers["start_up"]
    yield (
        f"Played attacks of {played['workload']}: {played['plays_per_second']:,.0f} a second "
        f"({played['plays']:,} played)."
    )
    yield (
        f"Start-up: {start['odds_ms']:.0f} ms for `firepower odds examples/scout.toml`, "
        f"{start['python_ms']:.0f} ms"
    )
    yield f"for `python -c pass`: {start['times_python']:.1f} times as long."


if __name__ == "__main__":
    sys.exit(main())
