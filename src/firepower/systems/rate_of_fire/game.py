"""Rate of Fire as a game that the rest of Firepower can ask."""

from typing import Any

import msgspec

from firepower.chance.steps import Final, Measure, Task, situation
from firepower.systems.documents import Document, Path_
from firepower.systems.errors import QuestionError
from firepower.systems.rate_of_fire.attack import Prepared, prepare
from firepower.systems.rate_of_fire.damage import Target
from firepower.systems.rate_of_fire.models import (
    ActionLine,
    RateOfFireScenario,
)
from firepower.systems.rate_of_fire.pinning import Fighter
from firepower.systems.rate_of_fire.scene import Scene, find_shooter
from firepower.systems.rate_of_fire.shooting import ChooseAttack
from firepower.systems.rate_of_fire.tables import Rules, read_rules
from firepower.systems.rulings import check_readings
from firepower.systems.system import Game, Listed, Opening, System

EXAMPLE = """\
# Two bursts of an autogun at a cultist. Try:
#   firepower odds scout.toml
#   firepower roll scout.toml --seed 8
#   firepower best scout.toml --goal cultist.damage
format = 1
system = "rate-of-fire"

[combatants.scout]
ranged_combat = 45

[combatants.scout.weapons.autogun]   # of the armoury; figures may be changed
loaded = 30

[combatants.cultist]
distance  = 40                       # metres from the shooter
willpower = 35
toughness = 30

[[do]]
by     = "scout"
action = "full-auto"                 # firepower actions rate-of-fire
weapon = "autogun"
at     = ["cultist"]
dice   = 2                           # one rate-of-fire die for each AP

[rulings]                            # firepower rulings rate-of-fire
[policies]                           # firepower policies rate-of-fire
"""


class RateOfFireGame(Game):
    """The rules of Rate of Fire, as shipped or as a variant changes them."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.rulings = rules.rulings
        self.policies = rules.policies

    def open(self, scenario: Any, document: Document, *, choosing: bool) -> Opening:
        """Check a scenario completely and make its question."""
        assert isinstance(scenario, RateOfFireScenario)
        check_readings(document, "rulings", self.rulings, scenario.rulings)
        check_readings(document, "policies", self.policies, scenario.policies)
        _check_names(scenario, document)
        scene = Scene(self.rules, scenario, document)
        path: Path_ = ("do", 0)
        line = scenario.do[0]
        if choosing:
            agenda, targets = _choice(scene, line, path)
        else:
            prepared = prepare(scene, line, path)
            agenda, targets = prepared.agenda, prepared.targets
        fighters = dict.fromkeys(scenario.combatants, Fighter())
        measures = _measures(line.by, targets)
        injuries = ("none", *(row.title for row in self.rules.injuries))
        return Opening(
            situation(fighters, *agenda),
            measures,
            {name: injuries for name in measures if name.endswith(".injury")},
            scene.rulings.in_force(),
            scene.policies.in_force(),
            tuple(scene.not_modelled),
        )

    def weapons(self) -> list[Listed]:
        """The armoury."""
        rows = []
        for name, weapon in self.rules.weapons.items():
            figures = msgspec.to_builtins(weapon)
            shown = {k: str(v) for k, v in figures.items() if k != "title" and v not in (None, "")}
            rows.append(Listed(name, weapon.title, shown))
        return rows

    def actions(self) -> list[Listed]:
        """The attack actions."""
        return [
            Listed(
                name,
                action.title,
                {
                    "ap": f"{action.ap} a die" if name == "full-auto" else str(action.ap),
                    "to hit": f"{action.modifier:+d} ({action.difficulty})",
                    "aim": "counts" if action.aim else "does not count",
                },
            )
            for name, action in self.rules.actions.items()
        ]


class RateOfFireSystem(System):
    """The entry point of the game."""

    name = "rate-of-fire"
    title = "Rate of Fire"
    scenario = RateOfFireScenario
    example = EXAMPLE

    def game(self, variant: Document | None = None) -> RateOfFireGame:
        """The rules, with a variant laid over them."""
        return RateOfFireGame(read_rules(variant))

    def quick(self, weapon: str, action: str) -> dict[str, Any]:
        """One shooter with a weapon of the armoury, one target."""
        line: dict[str, Any] = {"by": "shooter", "action": action, "at": ["target"]}
        if action == "suppressing-fire":
            line["in_cone"] = line["at"]
        return {
            "system": self.name,
            "combatants": {"shooter": {"weapons": {weapon: {}}}, "target": {}},
            "do": [line],
        }


def _check_names(scenario: RateOfFireScenario, document: Document) -> None:
    for name in scenario.combatants:
        if not name.strip() or "." in name or not name.isprintable():
            raise document.wrong(
                ("combatants",), f"has the name {name!r}; a name is not empty and has no dot"
            )
    if not scenario.do:
        raise document.wrong(("do",), "is empty; state one attack")
    if len(scenario.do) > 1:
        raise document.wrong(
            ("do", 1), "is a second line; this game answers for one attack at a time"
        )


def _choice(
    scene: Scene, line: ActionLine, path: Path_
) -> tuple[tuple[Task, ...], tuple[Target, ...]]:
    """All lawful attacks that the line leaves open, as one Choice."""
    lawful: dict[str, Prepared] = {}
    refusals: list[QuestionError] = []
    for candidate in _candidates(scene, line, path):
        try:
            prepared = prepare(scene, candidate, path)
            lawful[prepared.name] = prepared
        except QuestionError as refusal:
            refusals.append(refusal)
            reason = str(refusal).removeprefix(f"{scene.document.name}: ")
            scene.leave_out(f"{candidate.action} as an option: {reason}")
    if not lawful:
        allows_nothing = scene.wrong((*path, "ap"), f"is {line.ap}, which allows no attack")
        raise refusals[0] if refusals else allows_nothing
    if len(lawful) == 1:
        (only,) = lawful.values()
        return only.agenda, only.targets
    attacks = tuple((name, each.agenda) for name, each in lawful.items())
    targets = {target.name: target for each in lawful.values() for target in each.targets}
    return (Task(ChooseAttack(line.by, attacks), line.by),), tuple(targets.values())


def _candidates(scene: Scene, line: ActionLine, path: Path_) -> list[ActionLine]:
    """The line with every action and number of dice that it leaves open, within its AP."""
    rof = find_shooter(scene, line, path).rof
    has = {"single-shot": rof.single, "semi-auto": rof.semi}
    names = [name for name in scene.rules.actions if has.get(name, rof.dice)]
    if line.action is not None:
        names = [line.action]
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
                lines.append(msgspec.structs.replace(line, action=name, dice=dice, ap=None))
    return lines


def _measures(shooter: str, targets: tuple[Target, ...]) -> dict[str, Measure | Final]:
    """What can be measured of an attack; `injury` is the worst."""
    measures: dict[str, Measure | Final] = {
        "hits": Measure((f"{shooter}.hits_scored",)),
        "errant_hits": Measure((f"{shooter}.errant_hits",)),
        "jam": Measure((f"{shooter}.jam",), "any"),
        "weapon_degraded": Measure((f"{shooter}.weapon_degraded",), "any"),
        "rounds_spent": Measure((f"{shooter}.rounds_spent",)),
        "ap_spent": Measure((f"{shooter}.ap_spent",)),
    }
    for target in targets:
        name = target.name
        measures[f"{name}.hits"] = Measure((f"{name}.hits",))
        measures[f"{name}.damage"] = Measure((f"{name}.damage",))
        if target.toughness_bonus is not None:
            measures[f"{name}.injury"] = Measure((f"{name}.injury",), "greatest")
            measures[f"{name}.fatigue"] = Measure((f"{name}.fatigue",))
            measures[f"{name}.down"] = Measure((f"{name}.down",), "any")
        if target.pinning is not None:
            measures[f"{name}.pinned"] = Measure((f"{name}.pinned",), "any")
            measures[f"{name}.pinning_degrees"] = Measure((f"{name}.pinning_degrees",), "greatest")
    if any(target.toughness_bonus is not None for target in targets):
        measures["combatants_down"] = Measure(tuple(f"{each.name}.down" for each in targets))
    return measures
