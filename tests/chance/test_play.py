"""Play: dice as data, handfuls, typed faces, options, replays, and going on from the middle."""

from collections.abc import Callable
from fractions import Fraction
from math import sqrt
from typing import Any

import pytest

from firepower.chance import (
    AnswerError,
    Asked,
    AtLeast,
    Chosen,
    DiceError,
    Die,
    Final,
    Generator,
    Handful,
    Measure,
    Modifier,
    Next,
    Played,
    Policies,
    Recorded,
    Roll,
    RollUnder,
    Scripted,
    Situation,
    Solver,
    Step,
    Task,
    Thrown,
    Total,
    Typed,
    dice,
    play,
    rethrown,
    situation,
)
from firepower.chance.readings import Test as D100Test
from tests.chance.brute import Odds, every_play, odds_of, part
from tests.chance.toys import (
    COIN,
    D2,
    D3,
    D4,
    D6,
    NOTHING,
    Effect,
    HandfulThrow,
    LocalHandfulStrike,
    LocalHandfulThrow,
    Note,
    Pick,
    Score,
    Strike,
    Tell,
    Throw,
    scores,
    times,
)

D100Test.__test__ = False  # type: ignore[attr-defined]
