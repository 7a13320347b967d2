"""Chance: dice, steps, and what can be asked of them. Knows no game.

A step asks one question and says what its answer means; a `Solver` gives odds, advice and
samples of a situation made of steps, and `play` plays it out die by die.
"""

from firepower.chance.advice import Advice, Decision, Goal
from firepower.chance.dice import Dice, Die, Handful, dice, die
from firepower.chance.distribution import Distribution
from firepower.chance.errors import (
    AnswerError,
    ChanceError,
    DiceError,
    EndlessError,
    LimitError,
    StepError,
)
from firepower.chance.play import (
    Asked,
    Chosen,
    Generator,
    Played,
    Policies,
    Recorded,
    Scripted,
    Thrown,
    Told,
    Typed,
    play,
    rethrown,
)
from firepower.chance.readings import AnyOf, AtLeast, Band, RollUnder, Test, Total, degrees
from firepower.chance.sample import Sampled
from firepower.chance.solver import Solver
from firepower.chance.steps import (
    EVERYBODY,
    Choice,
    Everybody,
    Final,
    Measure,
    Modifier,
    Next,
    Option,
    Resolution,
    Roll,
    Situation,
    Step,
    Task,
    situation,
)

__all__ = [
    "EVERYBODY",
    "Advice",
    "AnswerError",
    "AnyOf",
    "Asked",
    "AtLeast",
    "Band",
    "ChanceError",
    "Choice",
    "Chosen",
    "Decision",
    "Dice",
    "DiceError",
    "Die",
    "Distribution",
    "EndlessError",
    "Everybody",
    "Final",
    "Generator",
    "Goal",
    "Handful",
    "LimitError",
    "Measure",
    "Modifier",
    "Next",
    "Option",
    "Played",
    "Policies",
    "Recorded",
    "Resolution",
    "Roll",
    "RollUnder",
    "Sampled",
    "Scripted",
    "Situation",
    "Solver",
    "Step",
    "StepError",
    "Task",
    "Test",
    "Thrown",
    "Told",
    "Total",
    "Typed",
    "degrees",
    "dice",
    "die",
    "play",
    "rethrown",
    "situation",
]
