"""What an answer rests on: readings, what was left out, and the scenario itself."""

from collections.abc import Iterable
from typing import Any

import msgspec

from firepower.answers.question import Opened
from firepower.chance.tallies import AnyTally
from firepower.combat.errors import QuestionError
from firepower.combat.game import Opening
from firepower.combat.paths import close_matches


class Terms(msgspec.Struct, frozen=True):
    """What an answer rests on."""

    rulings: dict[str, str]
    policies: dict[str, str]
    not_modelled: tuple[str, ...]
    scenario: dict[str, Any]


def terms(question: Opened, *, policies: bool = True) -> Terms:
    """The rulings and policies in force, what is left out, and the scenario as it was read.

    Without `policies` nobody follows any: whoever chooses takes what is best.
    """
    opening = question.opening
    followed = opening.policies if policies else {}
    scenario = msgspec.to_builtins(question.scenario)
    return Terms(opening.rulings, followed, opening.not_modelled, scenario)


def pick_measures(opening: Opening, names: Iterable[str]) -> dict[str, AnyTally]:
    """The measures of these names, or all; QuestionError for one that there is not."""
    chosen = list(names)
    for name in chosen:
        if name not in opening.measures:
            what = name.rpartition(".")[2]
            if what in opening.renamed:
                raise QuestionError(f"the measure {what!r} is called {opening.renamed[what]!r} now")
            near = close_matches(name, opening.measures)
            raise QuestionError(f"there is no measure {name!r} here; {near}")
    return {name: opening.measures[name] for name in chosen or opening.measures}
