"""The floor that every game stands on; it knows no game by name. What an author of one needs."""

from firepower.combat.actions import NEEDLESS, Action, ActionRule, Part
from firepower.combat.documents import Document, Refusal
from firepower.combat.errors import QuestionError
from firepower.combat.game import GameSystem, Listed, Opening
from firepower.combat.measures import Measure
from firepower.combat.modifiers import Effect, number_of, shown
from firepower.combat.paths import Path_
from firepower.combat.reactions import Blocked, Pending, Reaction, Trigger, interrupted
from firepower.combat.register import Edition, Ruling
from firepower.combat.scenario import Envelope, Line, Now, Participant
from firepower.combat.setup import Setup
from firepower.combat.tables import Tables
from firepower.combat.turns import Turn, alternating, by_phases, in_their_order, lost_to

__all__ = [
    "NEEDLESS",
    "Action",
    "ActionRule",
    "Blocked",
    "Document",
    "Edition",
    "Effect",
    "Envelope",
    "GameSystem",
    "Line",
    "Listed",
    "Measure",
    "Now",
    "Opening",
    "Part",
    "Participant",
    "Path_",
    "Pending",
    "QuestionError",
    "Reaction",
    "Refusal",
    "Ruling",
    "Setup",
    "Tables",
    "Trigger",
    "Turn",
    "alternating",
    "by_phases",
    "in_their_order",
    "interrupted",
    "lost_to",
    "number_of",
    "shown",
]
