"""Best: which option serves a goal, each valued under its own best continuation."""

import re

from firepower.answers.played import resumed
from firepower.answers.question import Opened
from firepower.answers.terms import pick_measures
from firepower.chance.advice import Advice, Goal
from firepower.chance.solver import Solver
from firepower.combat.errors import QuestionError

_GOAL = re.compile(r"(?P<least>-)?(?P<name>[^<>=]+?)\s*(?:>=\s*(?P<number>\d+))?")


def best(
    question: Opened,
    goal: str,
    *,
    against: bool = False,
    dice: tuple[str, ...] = (),
    choose: tuple[str, ...] = (),
    solver: Solver | None = None,
) -> Advice:
    """The value of every option of a question that was read with `choosing`.

    With `against` the others choose what is worst for the goal, in place of their policies.

    A goal is a measure (its expected value; of a truth its chance), `measure>=number` (the chance
    of that), or either with a minus before it (the least). Raises QuestionError for any other.
    """
    match = _GOAL.fullmatch(goal.strip())
    if match is None:
        raise QuestionError(f"the goal {goal!r} is neither a measure nor like 'measure>=3'")
    name = match["name"].strip()
    measure = pick_measures(question.opening, [name])[name]
    wanted = Goal(measure, int(match["number"]) if match["number"] else None)
    start, _ = resumed(question.opening, dice, choose)
    askers = question.opening.askers
    return (solver or Solver()).advice(
        start, wanted, askers, against=against, least=bool(match["least"])
    )
