"""Chance: dice, steps, and what can be asked of them. Knows no game.

A step asks one question and says what its answer means; a `Solver` gives odds, advice and
samples of a situation made of steps, and `play` plays it out die by die.
"""

from firepower.chance.advice import Advice, Decision, Goal
from firepower.chance.answered import END, Answered
from firepower.chance.dice import Dice, Die, Faces, Handful, die
from firepower.chance.distribution import Distribution
from firepower.chance.errors import (
    AnswerError,
    ChanceError,
    DiceError,
    EndlessError,
    LimitError,
    StepError,
)
from firepower.chance.events import Chosen, Played, Recorded, Thrown, Told
from firepower.chance.notation import dice
from firepower.chance.play import play, rethrown
from firepower.chance.readings import (
    AnyOf,
    AtLeast,
    AtMost,
    Band,
    Count,
    Doubles,
    Highest,
    Lowest,
    RollUnder,
    Test,
    Total,
    degrees,
)
from firepower.chance.sample import Sampled
from firepower.chance.solver import Solver
from firepower.chance.sources import Asked, Generator, Policies, Scripted, Typed
from firepower.chance.steps import (
    Choice,
    Mark,
    Modifier,
    Next,
    Option,
    Resolution,
    Roll,
    Situation,
    Step,
    Task,
    View,
    situation,
)
from firepower.chance.tallies import EVERYBODY, NOBODY, Final, Tally

__all__ = [
    "END",
    "EVERYBODY",
    "NOBODY",
    "Advice",
    "AnswerError",
    "Answered",
    "AnyOf",
    "Asked",
    "AtLeast",
    "AtMost",
    "Band",
    "ChanceError",
    "Choice",
    "Chosen",
    "Count",
    "Decision",
    "Dice",
    "DiceError",
    "Die",
    "Distribution",
    "Doubles",
    "EndlessError",
    "Faces",
    "Final",
    "Generator",
    "Goal",
    "Handful",
    "Highest",
    "LimitError",
    "Lowest",
    "Mark",
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
    "Tally",
    "Task",
    "Test",
    "Thrown",
    "Told",
    "Total",
    "Typed",
    "View",
    "degrees",
    "dice",
    "die",
    "play",
    "rethrown",
    "situation",
]
