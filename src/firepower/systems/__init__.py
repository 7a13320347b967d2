"""The games: those of this package, and those that are installed beside it.

A game is a package with a `SYSTEM`, a GameSystem. One that is not built in names it under the
entry point group `firepower.systems` and needs nothing else to be known.
"""

from importlib import import_module
from typing import Any

from firepower.combat.errors import QuestionError
from firepower.combat.game import GameSystem, check_contract
from firepower.combat.paths import close_matches

GROUP = "firepower.systems"

BUILT_IN = ("rate-of-fire", "necromunda")


def system_names() -> tuple[str, ...]:
    """The games that are installed."""
    from importlib.metadata import entry_points

    return (*BUILT_IN, *sorted(point.name for point in entry_points(group=GROUP)))


def find_system(name: str) -> GameSystem[Any, Any, Any, Any]:
    """The game of this name; QuestionError if it is not installed, or lacks something.

    The games of this package are imported by name, since a look through all that is installed
    would cost more than the answer.
    """
    if name in BUILT_IN:
        module = import_module(f"firepower.systems.{name.replace('-', '_')}")
        return _checked(module.SYSTEM, name)
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP, name=name):
        try:
            found = point.load()
        except Exception as fault:
            raise QuestionError(f"the game {name!r} cannot be loaded: {fault}") from fault
        return _checked(found, name)
    raise QuestionError(f"no game is called {name!r}; {close_matches(name, system_names())}")


def _checked(found: Any, name: str) -> GameSystem[Any, Any, Any, Any]:
    check_contract(found, name)
    game: GameSystem[Any, Any, Any, Any] = found
    return game
