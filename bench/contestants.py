"""The engine and its peers, each ready to compute any workload from cold."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal

from bench.peers import Exact, dict_dp, dyce_peer, icepool_peer, numpy_hand, numpy_monte_carlo
from bench.workloads import WORKLOADS
from firepower.chance import Solver


@dataclass(frozen=True)
class Contestant:
    """Who computes workloads: by name a function for each, and how to forget what is cached.

    `kind` is what the functions give: weights with their total, floats, or (mean, error).
    """

    name: str
    kind: Literal["exact", "floats", "estimates"]
    plays: dict[str, Callable[[], Any]]
    forget: Callable[[], None]


def _engine(workload: str) -> Callable[[], Exact[Any]]:
    def play() -> Exact[Any]:
        answer = WORKLOADS[workload]().answer(Solver())
        return dict(answer.weights), answer.total

    return play


def _forget_engine() -> None:
    """Clear every cache of a function in the engine; a Solver's memory goes with it."""
    for name, module in list(sys.modules.items()):
        if name.startswith("firepower.chance."):
            for member in list(vars(module).values()):
                if hasattr(member, "cache_clear"):
                    member.cache_clear()


def _peer(
    name: str, module: ModuleType, kind: Literal["exact", "floats", "estimates"] = "exact"
) -> Contestant:
    plays = {each: getattr(module, each) for each in WORKLOADS}
    return Contestant(name, kind, plays, getattr(module, "forget", lambda: None))


ENGINE = Contestant("engine", "exact", {each: _engine(each) for each in WORKLOADS}, _forget_engine)
PEERS = (
    _peer("dict DP", dict_dp),
    _peer("numpy by hand", numpy_hand, "floats"),
    _peer("icepool", icepool_peer),
    _peer("dyce", dyce_peer),
    _peer("numpy Monte Carlo", numpy_monte_carlo, "estimates"),
)
