"""`python -m bench.fights.answer FIGHT [MEASURE]`: what the full answer costs, as JSON.

In a process of its own, so that nothing is known beforehand and all memory is the answer's.
"""

import gc
import json
import re
import resource
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.fights.stated import FIGHTS, Fight

SAMPLES, SEED = 10_000, 1
STATUS = Path("/proc/self/status")


def answered(fight: Fight, only: str | None = None) -> dict[str, Any]:
    """Ask for every measure at the end of every round, or for one of them, from cold."""
    began = perf_counter()
    start, measures = fight.question()
    asked = measures if only is None else {only: measures[only]}
    answer = fight.solver().answer(start, asked, samples=SAMPLES, seed=SEED)
    return {
        "seconds": perf_counter() - began,
        "peak_mb": peak_mb(),
        "situations": answer.situations,
        "exact": len(answer.exact),
        "sampled": len(answer.sampled),
    }


def peak_mb() -> float:
    """The most memory that this process has had.

    Where the system says so it is asked: a child's `ru_maxrss` begins with that of its parent.
    """
    if STATUS.exists():
        (kilobytes,) = re.findall(r"VmHWM:\s*(\d+) kB", STATUS.read_text())
        return int(kilobytes) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    gc.disable()  # as the command line does
    by_name = {fight.name: fight for fight in FIGHTS}
    sys.stdout.write(json.dumps(answered(by_name[sys.argv[1]], *sys.argv[2:])))
