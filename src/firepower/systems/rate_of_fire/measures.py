"""What can be measured: of one attack, and of a fight."""

from firepower.chance.tallies import Final, Tally
from firepower.combat.turns import actions_lost, lost_to, sides
from firepower.systems.rate_of_fire.damage import Target
from firepower.systems.rate_of_fire.fighter import Fighter
from firepower.systems.rate_of_fire.lines import Fight
from firepower.systems.rate_of_fire.scene import Scene

Measures = dict[str, Tally | Final]

CAUSES = ("ap", "jam", "broken", "ammunition", "rate_of_fire", "aim", "full", "no_jam")
"""Why an action may be lost: AP; a weapon that is jammed, broken, has too few rounds or may fire
no more this turn; nothing more to aim for, to reload, to clear."""


def measures_of(scene: Scene, asked: Fight) -> Measures:
    """Every measure there is; `injury` is the worst.

    What happened counts even if it is over; `still_jammed` and `still_pinned` are what lasts.
    Where only one shoots, what that one does goes without a name before it; else hits scored are
    told apart from hits taken.
    """
    measures: Measures = {}
    for name in asked.acting:
        of_one = _of_shooter(scene, name)
        if len(asked.acting) > 1:
            of_one["hits_scored"] = of_one.pop("hits")
            of_one = {f"{name}.{what}": each for what, each in of_one.items()}
        measures |= of_one
    for target in asked.targets:
        measures |= {f"{target.name}.{what}": each for what, each in _of_target(target).items()}
    wounded = [each.name for each in asked.targets if each.body.toughness_bonus is not None]
    if wounded:
        measures["combatants_down"] = Tally(tuple(f"{name}.down" for name in wounded))
    if scene.lasts and wounded:
        for side, members in sides(scene.combatants).items():
            out = tuple(f"{member}.out" for member in members if member in wounded)
            if out:
                measures[f"{side}.out_of_action"] = Tally(out)
    return measures


def _of_shooter(scene: Scene, name: str) -> Measures:
    measures: Measures = {
        "hits": Tally((f"{name}.hits_scored",)),
        "errant_hits": Tally((f"{name}.errant_hits",)),
        "jam": Tally((f"{name}.jam",), "any"),
        "weapon_degraded": Tally((f"{name}.weapon_degraded",), "any"),
        "rounds_spent": Tally((f"{name}.rounds_spent",)),
        "ap_spent": Tally((f"{name}.ap_spent",)),
    }
    if scene.lasts:
        measures["ap_gained"] = Tally((f"{name}.ap_gained",))
        measures["actions_lost"] = actions_lost(name, CAUSES)
        for cause in CAUSES:
            record = lost_to(name, cause)
            measures[record.removeprefix(f"{name}.")] = Tally((record,))
    if scene.lasts:
        measures["still_jammed"] = Final(name, _is_jammed)
        if scene.combatants[name].willpower is not None:
            measures["still_pinned"] = Final(name, _is_pinned)
    if scene.combatants[name].fate is not None:
        measures["fate_spent"] = Tally((f"{name}.fate_spent",))
    return measures


def _is_jammed(fighter: Fighter) -> bool:
    return any(arm.jammed for arm in fighter.arms)


def _is_pinned(fighter: Fighter) -> bool:
    return fighter.pinned > 0


def _of_target(target: Target) -> Measures:
    name = target.name
    measures: Measures = {
        "hits": Tally((f"{name}.hits",)),
        "damage": Tally((f"{name}.damage",)),
    }
    if target.body.toughness_bonus is not None:
        measures["injury"] = Tally((f"{name}.injury",), "greatest")
        measures["fatigue"] = Tally((f"{name}.fatigue",))
        measures["down"] = Tally((f"{name}.down",), "any")
        if target.body.lasts:
            measures["out_of_action"] = Tally((f"{name}.out",), "any")
    if target.pinning is not None:
        measures["pinned"] = Tally((f"{name}.pinned",), "any")
        measures["pinning_degrees"] = Tally((f"{name}.pinning_degrees",), "greatest")
    return measures
