"""Lines of a scenario: whether they make a fight, what they leave open, how they are read."""

import msgspec
from msgspec.structs import replace

from firepower.chance.steps import Task
from firepower.combat.documents import Path_
from firepower.systems.rate_of_fire.damage import Target
from firepower.systems.rate_of_fire.models import (
    ATTACKS,
    ActionLine,
    ActionName,
    RateOfFireScenario,
)
from firepower.systems.rate_of_fire.scene import Scene, find_shooter


class Fight(msgspec.Struct, frozen=True):
    """A fight made ready: what happens in it, who acts, who may be struck, who decides."""

    agenda: tuple[Task, ...]
    acting: tuple[str, ...]
    targets: tuple[Target, ...]
    askers: frozenset[str]
    counted: frozenset[str] = frozenset()

    def has_turns(self, name: str) -> bool:
        """Whether somebody's action points are counted."""
        return name in self.counted


def is_fight(scenario: RateOfFireScenario) -> bool:
    """Whether a scenario is about turns, and not about one attack."""
    line = scenario.do[0]
    if scenario.rounds > 1 or scenario.order or len(scenario.do) != 1 or line.in_rounds:
        return True
    actor = scenario.combatants.get(line.by)
    turn = actor is not None and (
        actor.surprised or not actor.ap is actor.agility is actor.agility_bonus is None
    )
    attack = line.action is None or line.action in ATTACKS
    return turn or not attack or bool(line.otherwise) or len(line.at) > 1


def as_said(line: ActionLine, action: ActionName) -> ActionLine:
    """The line with one of its actions; dice and AP that it states are full auto's, if any is."""
    said = replace(line, action=action)
    theirs = action == "full-auto" or (action == line.action and "full-auto" not in line.otherwise)
    return said if theirs else replace(said, dice=None, ap=None)


def same_round(one: ActionLine, other: ActionLine) -> bool:
    """Whether two lines are ever done in the same round."""
    if one.in_rounds is None or other.in_rounds is None:
        return True
    return not set(one.in_rounds).isdisjoint(other.in_rounds)


def option_name(line: ActionLine) -> str:
    """What an option is called that a line stands for."""
    dice = f" {line.dice}" if line.dice is not None else ""
    return f"{line.action}{dice}" + (f" with {line.weapon}" if line.weapon else "")


def candidates(scene: Scene, line: ActionLine, path: Path_) -> list[ActionLine]:
    """The line with every attack and number of dice that it leaves open, within its AP."""
    rof = find_shooter(scene, line, path).rof
    has = {"single-shot": rof.single, "semi-auto": rof.semi}
    names = [name for name in ATTACKS if has.get(name, rof.dice)]
    if line.action is not None:
        names = [name for name in ATTACKS if name == line.action]
    limit = line.ap if line.ap is not None else 99
    lines = []
    for name in names:
        action = scene.rules.actions[name]
        counts: list[int | None] = [None]
        if name == "full-auto":
            counts = [*range(1, 1 + rof.dice)] if line.dice is None else [line.dice]
        for count in counts:
            if action.ap * (count or 1) <= limit:
                dice = line.dice if line.action is not None and count is None else count
                lines.append(replace(line, action=name, dice=dice, ap=None))
    return lines
