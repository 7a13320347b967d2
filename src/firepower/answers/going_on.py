"""The scenario that goes on from where a play stands: the same question with another state."""

from copy import deepcopy
from typing import Any

from firepower.answers.question import Opened
from firepower.chance.steps import Situation


def going_on(question: Opened, situation: Situation, rounds: int = 0) -> dict[str, Any]:
    """The scenario, as plain data, that goes on from a situation when so many rounds are over.

    It has the same lines and the rounds that are left, or as many again if none is; what was
    recorded before is not carried. The question must have been read without `fades`, since what is
    forgotten cannot be written. Raises QuestionError if the game cannot write its state.
    """
    setup, data = question.opening.setup, deepcopy(question.document.data)
    for name, part in zip(situation.names, situation.parts, strict=True):
        _lay_over(data["combatants"][name], question.system.stated(setup, name, part))
    whole = question.scenario.rounds
    if whole is not None:
        data["rounds"] = whole - rounds if whole > rounds else whole
        data["now"] = {"round": setup.scenario.now.round + rounds}
    return data


def _lay_over(data: dict[str, Any], keys: dict[str, Any]) -> None:
    """Keys laid over a table, key by key; None takes one away."""
    for key, value in keys.items():
        if value is None:
            data.pop(key, None)
        elif isinstance(value, dict):
            _lay_over(data.setdefault(key, {}), value)
        else:
            data[key] = value
