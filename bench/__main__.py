"""`python -m bench`: whether engine and peers agree, and only then how long each takes."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from bench.agreement import DisagreementError, check, check_fight
from bench.contestants import ENGINE, PEERS, Contestant
from bench.fights.stated import FIGHTS, Fight
from bench.timing import (
    FIGHT_PLAYS,
    MANY_FIGHT_PLAYS,
    PLAYS,
    fight_plays_per_second,
    full_answer,
    milliseconds,
    plays_per_second,
    start_up,
)
from bench.workloads import WORKLOADS
from firepower.chance import Solver

PLAYED = "w1"


def main(
    arguments: Sequence[str] | None = None,
    engine: Contestant = ENGINE,
    peers: Sequence[Contestant] = PEERS,
    fights: Sequence[Fight] = FIGHTS,
) -> int:
    """Check every workload and fight, then time all; 1 and one sentence if two results differ."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="the same numbers as JSON")
    options = parser.parse_args(arguments)
    try:
        for workload in WORKLOADS:
            for peer in peers:
                check(workload, engine, peer)
        for fight in fights:
            check_fight(fight)
    except DisagreementError as error:
        sys.stderr.write(f"{error}, so nothing is timed.\n")
        return 1
    numbers = measured(engine, peers, fights)
    text = json.dumps(numbers, indent=2) if options.json else "\n".join(table(numbers, peers))
    sys.stdout.write(f"{text}\n")
    return 0


def measured(
    engine: Contestant, peers: Sequence[Contestant], fights: Sequence[Fight]
) -> dict[str, Any]:
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
        "fights": {fight.name: measured_fight(fight) for fight in fights},
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


def measured_fight(fight: Fight) -> dict[str, Any]:
    """What a fight costs to play and to answer; `one_measure` if it is answered exactly."""
    plays = fight_plays_per_second(fight)
    answer = full_answer(fight)
    _, measures = fight.question()
    one = None
    if not answer["sampled"]:
        first = next(iter(measures))
        one = {"name": first, "seconds": full_answer(fight, first)["seconds"]}
    return {
        "rounds": fight.rounds,
        "measures": len(measures),
        "plays_per_second": plays,
        "cold_to_by_hand": plays["cold"] / plays["by_hand"],
        "many_to_by_hand": plays["many"] / plays["by_hand"],
        "full_answer": answer,
        "one_measure": one,
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
    yield ""
    yield from fight_table(numbers["fights"])
    yield ""
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


def fight_table(fights: dict[str, Any]) -> Iterator[str]:
    """The fights for people: their plays, and what the full answer costs."""
    few, many = (f"{plays // 1000}k" for plays in (FIGHT_PLAYS, MANY_FIGHT_PLAYS))
    heads = (
        *("fight ", "by hand", f"    {few}", "ratio", f"   {many}", "ratio"),
        *("situations", "seconds", "  MB"),
    )
    yield "Fights, every measure at the end of every round: plays a second by hand, and the"
    yield f"engine's from cold over {few} and {many} plays; then the full answer, from cold."
    yield ""
    yield "  ".join(heads)
    for name, row in fights.items():
        plays, answer = row["plays_per_second"], row["full_answer"]
        cells = (
            f"{plays['by_hand']:,.0f}",
            f"{plays['cold']:,.0f}",
            f"{row['cold_to_by_hand']:.3f}",
            f"{plays['many']:,.0f}",
            f"{row['many_to_by_hand']:.3f}",
            "sampled" if answer["sampled"] else f"{answer['situations']:,}",
            f"{answer['seconds']:.2f}",
            f"{answer['peak_mb']:.0f}",
        )
        aligned = (f"{cell:>{len(head)}}" for cell, head in zip(cells, heads[1:], strict=True))
        yield f"{name:<{len(heads[0])}}  " + "  ".join(aligned)
    yield ""
    yield "By hand with nothing counted, plays a second:"
    only = (f"{name} {row['plays_per_second']['only_played']:,.0f}" for name, row in fights.items())
    yield f"{', '.join(only)}."
    for name, row in fights.items():
        if row["one_measure"] is not None:
            one = row["one_measure"]
            yield f"One measure of {name} ({one['name']}), exactly: {one['seconds']:.2f} s."


if __name__ == "__main__":
    sys.exit(main())
