"""Firepower: what an attack will do.

import firepower
question = firepower.read("scout.toml")
question.odds("hits").measures["hits"].mean
question.roll(seed=8)
question.best("cultist.damage").value
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from firepower.answers.asking import Question as Question
    from firepower.answers.asking import read as read
    from firepower.answers.odds import Odds as Odds
    from firepower.answers.played import Outcome as Outcome
    from firepower.chance.advice import Advice as Advice
    from firepower.chance.distribution import Distribution as Distribution
    from firepower.chance.errors import AnswerError as AnswerError
    from firepower.chance.errors import ChanceError as ChanceError
    from firepower.chance.errors import LimitError as LimitError
    from firepower.chance.solver import Solver as Solver
    from firepower.combat.errors import QuestionError as QuestionError

_WHERE = {
    "Advice": "chance.advice",
    "AnswerError": "chance.errors",
    "ChanceError": "chance.errors",
    "Distribution": "chance.distribution",
    "LimitError": "chance.errors",
    "Odds": "answers.odds",
    "Outcome": "answers.played",
    "Question": "answers.asking",
    "QuestionError": "combat.errors",
    "Solver": "chance.solver",
    "read": "answers.asking",
}

__all__ = [
    "Advice",
    "AnswerError",
    "ChanceError",
    "Distribution",
    "LimitError",
    "Odds",
    "Outcome",
    "Question",
    "QuestionError",
    "Solver",
    "read",
]


def __getattr__(name: str) -> Any:
    """The name, imported when it is asked for, so that importing a part imports no more."""
    if name not in _WHERE:
        raise AttributeError(f"module 'firepower' has no attribute {name!r}")
    return getattr(import_module(f"firepower.{_WHERE[name]}"), name)
