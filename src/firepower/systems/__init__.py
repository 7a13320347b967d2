"""The games: those of this package, and those that are installed beside it.

A game is a package with an object of `System`. One that is not built in names it under the entry
point group `firepower.systems` and needs nothing else to be known.
"""

from importlib import import_module

from firepower.combat.documents import close_matches
from firepower.combat.errors import QuestionError
from firepower.combat.game import System

GROUP = "firepower.systems"

BUILT_IN = ("rate-of-fire",)


def system_names() -> tuple[str, ...]:
    """The games that are installed."""
    from importlib.metadata import entry_points

    return (*BUILT_IN, *sorted(point.name for point in entry_points(group=GROUP)))


def find_system(name: str) -> System:
    """The game of this name; QuestionError if it is not installed.

    The games of this package are imported by name, since a look through all that is installed
    would cost more than the answer.
    """
    if name in BUILT_IN:
        module = import_module(f"firepower.systems.{name.replace('-', '_')}")
        found: System = module.SYSTEM
        return found
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP, name=name):
        other: System = point.load()
        return other
    raise QuestionError(f"no game is called {name!r}; {close_matches(name, system_names())}")
