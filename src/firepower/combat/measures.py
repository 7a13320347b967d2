"""Measures: what can be asked about a fight, in the player's words; each comes to a tally."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Literal, TypeAlias, get_args

import msgspec

from firepower.chance.tallies import AnyTally, Final, Tally
from firepower.combat.setup import Setup

AnySetup: TypeAlias = Setup[Any, Any, Any]
Kind: TypeAlias = Literal["actor", "target", "side", "all"]
KINDS: tuple[Kind, ...] = get_args(Kind)


def always(setup: AnySetup, name: str) -> bool:
    """A measure that is there for everybody."""
    return True


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """What can be asked: of each who acts, of each to whom something is done, of a side, of all.

    It is made of `records` with their weights, or a function of the `final` state of somebody.
    `when` says for whom it is there (of a side or of all: who counts). `words` names the outcomes
    0, 1, 2... where they are not plain numbers, `alone` is its name where only one acts. A
    `headline` is shown in full unasked. `beside`: it is there too for those to whom nothing is done
    but who are affected by what is done to others.
    """

    name: str
    of: Kind
    title: str
    records: Mapping[str, int] = {}
    final: Callable[[Any], Hashable] | None = None
    how: Literal["sum", "any", "greatest"] = "sum"
    unit: str = ""
    words: Callable[[AnySetup], tuple[str, ...]] | None = None
    headline: bool = False
    alone: str = ""
    beside: bool = False
    when: Callable[[AnySetup, str], bool] = always

    def __post_init__(self) -> None:
        if (self.final is None) != bool(self.records):
            raise ValueError(f"the measure {self.name!r} needs either records or a final state")
        if self.final is not None and self.of in ("side", "all"):
            raise ValueError(f"the measure {self.name!r} is of a final state, which is one's alone")

    def tally(self, names: Iterable[str]) -> AnyTally:
        """What is counted, for one or for several together."""
        of = tuple(names)
        if self.final is not None:
            return Final(of[0], self.final)
        records = tuple(f"{name}.{record}" for name in of for record in self.records)
        weights = tuple(self.records.values()) * len(of)
        return Tally(records, self.how, weights=() if set(weights) == {1} else weights)


class Asked(msgspec.Struct, frozen=True):
    """A measure of somebody, and what is counted for it."""

    measure: Measure
    tally: AnyTally


def measured(
    setup: AnySetup,
    measures: Iterable[Measure],
    targets: Iterable[str],
    affected: Iterable[str] = (),
) -> dict[str, Asked]:
    """Every measure of a question by its name, with those `affected` besides the targets.

    Where only one acts, what that one does goes without a name before it.
    """
    acting, struck, found = setup.acting, list(targets), dict[str, Asked]()
    by_kind = {kind: [m for m in measures if m.of == kind] for kind in KINDS}
    for name in acting:
        for each in by_kind["actor"]:
            if each.when(setup, name):
                full = f"{name}.{each.name}" if len(acting) > 1 else each.alone or each.name
                found[full] = Asked(each, each.tally((name,)))
    for name in dict.fromkeys((*struck, *affected)):
        for each in by_kind["target"]:
            if (name in struck or each.beside) and each.when(setup, name):
                found[f"{name}.{each.name}"] = Asked(each, each.tally((name,)))
    for each in (*by_kind["all"], *by_kind["side"]):
        groups = {"": tuple(struck)} if each.of == "all" else setup.sides
        for side, members in groups.items():
            who = [name for name in members if name in struck and each.when(setup, name)]
            if who:
                found[f"{side}.{each.name}" if side else each.name] = Asked(each, each.tally(who))
    return found
