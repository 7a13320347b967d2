"""Skills by name: those that change an attack or what comes after it."""

from enum import StrEnum


class Skill(StrEnum):
    """A skill by the name that the rules give it."""

    BALLISTICS_EXPERT = "Ballistics Expert"
    BERSERKER = "Berserker"
    BULGING_BICEPS = "Bulging Biceps"
    BULL_CHARGE = "Bull Charge"
    COMBAT_MASTER = "Combat Master"
    COUNTER_ATTACK = "Counter-Attack"
    CRUSHING_BLOW = "Crushing Blow"
    DODGE = "Dodge"
    EVADE = "Evade"
    FAST_SHOT = "Fast Shot"
    GUNFIGHTER = "Gunfighter"
    HIP_SHOOTING = "Hip Shooting"
    IRON_JAW = "Iron Jaw"
    LIE_LOW = "Lie Low"
    MARKSMAN = "Marksman"
    MEDICAE = "Medicae"
    MUNITIONEER = "Munitioneer"
    NERVES_OF_STEEL = "Nerves of Steel"
    OVERWATCH = "Overwatch"
    PRECISION_SHOT = "Precision Shot"
    STEP_ASIDE = "Step Aside"
    TRICK_SHOT = "Trick Shot"
    TRUE_GRIT = "True Grit"
    UNSTOPPABLE = "Unstoppable"


_BY_NAME = {each.value.lower(): each for each in Skill}


def skill_of(text: str) -> Skill | None:
    """The skill of this name; None if there is none that changes anything here."""
    return _BY_NAME.get(text.strip().lower())
