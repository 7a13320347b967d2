"""Muster: how everybody begins, and how conditions and Fate work for each of them."""

import msgspec

from firepower.chance.notation import dice
from firepower.chance.readings import DegreeRule
from firepower.chance.steps import Modifier
from firepower.systems.rate_of_fire.conditions import Hampering, Recovery, TestRule
from firepower.systems.rate_of_fire.fate import FateRules
from firepower.systems.rate_of_fire.fighter import Arm, Fighter
from firepower.systems.rate_of_fire.models import Combatant
from firepower.systems.rate_of_fire.scene import Scene


def begins(scene: Scene, name: str, has_turns: bool) -> Fighter:
    """How somebody begins: without a past in one attack, with weapons and AP in a fight."""
    combatant = scene.combatants[name]
    fate = combatant.fate if isinstance(combatant.fate, int) else None
    if not scene.lasts:
        return Fighter(fate=fate)
    arms = tuple(
        Arm(carried.loaded, carried.craftsmanship, carried.jammed)
        for carried in combatant.weapons.values()
    )
    ap = 0 if has_turns else None
    return Fighter(ap=ap, arms=arms if name in scene.acting else (), fate=fate)


def test_rule(scene: Scene) -> TestRule:
    """How tests are read."""
    rulings = scene.rulings
    degrees: DegreeRule = msgspec.convert(rulings["degrees"], DegreeRule)
    return TestRule(
        degrees,
        rulings.takes("natural_extremes", "on"),
        rulings.takes("target_number", "clamped"),
    )


def hampering(scene: Scene) -> Hampering:
    """What being pinned or fatigued adds to tests; nothing where nothing lasts."""
    if not scene.lasts:
        return Hampering()
    rulings, values = scene.rulings, scene.rules.conditions
    pinned = fatigued = None
    if rulings.takes("pinned_to_hit", "minus_20"):
        source = "ruling: pinned_to_hit = minus_20"
        pinned = Modifier("pinned", values.pinned_to_hit, source)
    if rulings.takes("fatigued", "minus_10"):
        fatigued = Modifier("fatigued", values.fatigued, "ruling: fatigued = minus_10")
    return Hampering(pinned, fatigued)


def fate_of(scene: Scene, name: str) -> FateRules | None:
    """How somebody's Fate works; None for who has none."""
    if scene.combatants[name].fate is None:
        return None
    rulings, policies = scene.rulings, scene.policies
    cost = dice(scene.rules.fate.cost)
    highest = max(total for total, _ in cost.weights())
    least = highest if rulings.takes("fate_short", "highest_cost") else 1
    return FateRules(
        name,
        cost,
        least,
        rulings.takes("fate_mitigation", "rolled"),
        policies["fate_reroll"],
        policies["fate_surprise"],
        policies["fate_damage"],
        policies["fate_fatigue"],
    )


def fatigue_of(scene: Scene, toughness_bonus: int | None) -> tuple[int, bool]:
    """How much fatigue makes a difference to somebody, and whether so much is a collapse."""
    if not scene.lasts or toughness_bonus is None:
        return 0, False
    if scene.rulings.takes("fatigue_collapse", "toughness_bonus"):
        return toughness_bonus + 1, True
    return int(scene.rulings.takes("fatigued", "minus_10")), False


def recovery_of(scene: Scene, name: str) -> Recovery | None:
    """How somebody ceases to be pinned; None if never."""
    combatant, rulings, recovery = scene.combatants[name], scene.rulings, scene.rules.recovery
    how = rulings["pinned_recovery"]
    if how == "never" or combatant.willpower is None:
        return None
    parts = (
        Modifier("Willpower", combatant.willpower, name),
        Modifier(
            f"{recovery.title} ({recovery.difficulty})",
            recovery.modifier,
            f"ruling: pinned_recovery = {how}",
        ),
    )
    easier = None
    if how == "test":
        value = scene.rules.conditions.not_shot_at
        easier = Modifier("not shot at", value, "ruling: pinned_recovery = test")
    tests = how != "end_of_turn" and not combatant.engaged
    fate = fate_of(scene, name)
    return Recovery(parts, test_rule(scene), easier, hampering(scene), fate, tests)


def bonus_of(scene: Scene, combatant: Combatant, characteristic: str) -> int | None:
    """A characteristic's bonus as stated, else its tens; None if neither is stated."""
    stated: int | None = getattr(combatant, f"{characteristic}_bonus")
    if stated is not None:
        return stated
    value: int | None = getattr(combatant, characteristic)
    return None if value is None else scene.rules.bonus(value)
