"""Rate of Fire as a game that the rest of Firepower can ask."""

from typing import Any

import msgspec

from firepower.chance.notation import dice
from firepower.chance.steps import Task, situation
from firepower.combat.documents import Document, Path_
from firepower.combat.errors import QuestionError
from firepower.combat.game import Game, Listed, Opening, System
from firepower.combat.register import check_readings
from firepower.combat.turns import allies
from firepower.systems.rate_of_fire.attack import Prepared, prepare
from firepower.systems.rate_of_fire.damage import Target
from firepower.systems.rate_of_fire.fate import FateBegins
from firepower.systems.rate_of_fire.lines import Fight, candidates, is_fight, option_name
from firepower.systems.rate_of_fire.measures import measures_of
from firepower.systems.rate_of_fire.models import ActionLine, RateOfFireScenario
from firepower.systems.rate_of_fire.muster import begins
from firepower.systems.rate_of_fire.scene import Scene
from firepower.systems.rate_of_fire.shooting import ChooseAttack
from firepower.systems.rate_of_fire.tables import Rules, read_rules

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

    def open(
        self, scenario: Any, document: Document, *, choosing: bool, turns: int | None = None
    ) -> Opening:
        """Check a scenario completely and make its question."""
        assert isinstance(scenario, RateOfFireScenario)
        check_readings(document, "rulings", self.rulings, scenario.rulings)
        check_readings(document, "policies", self.policies, scenario.policies)
        _check_names(scenario, document)
        scene = Scene(self.rules, scenario, document)
        if turns is not None:
            scenario = msgspec.structs.replace(scenario, rounds=turns)
        if turns is not None or is_fight(scenario):
            from firepower.systems.rate_of_fire.plan import fight

            asked = fight(scene, scenario, choosing=choosing)
        else:
            asked = _one_attack(scene, scenario.do[0], choosing=choosing)
        measures = measures_of(scene, asked)
        injuries = ("none", *(row.title for row in self.rules.injuries))
        rolled = [name for name, each in scene.combatants.items() if each.fate == "rolled"]
        fate = FateBegins(dice(self.rules.fate.start))
        parts = {name: begins(scene, name, asked.has_turns(name)) for name in scenario.combatants}
        return Opening(
            situation(parts, *[Task(fate, name) for name in rolled], *asked.agenda),
            measures,
            {name: injuries for name in measures if name.endswith(".injury")},
            scene.rulings.in_force(),
            scene.policies.in_force(),
            tuple(scene.not_modelled),
            asked.askers,
            scenario.rounds,
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
        """The attack actions, and what else a turn may hold."""
        attacks = [
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
        turn = self.rules.turn
        aim = f"{turn.aim_bonus:+d} to the next single shot, {turn.aim_most:+d} in all"
        others = [
            Listed("aim", "Aim", {"ap": str(turn.aim_ap), "gives": aim}),
            Listed("reload", "Reload", {"ap": "the weapon's", "gives": "a full magazine"}),
            Listed("clear-jam", "Clear a jam", {"ap": str(turn.clear_jam_ap), "to hit": "+0"}),
            Listed("delay", "Delay", {"ap": str(turn.delay_ap), "gives": "a later turn"}),
        ]
        return [*attacks, *others]


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
        side = scenario.combatants[name].side
        if side in scenario.combatants or "." in side or not side.isprintable():
            raise document.wrong(
                ("combatants", name, "side"), f"is {side!r}; a side has no dot, and nobody's name"
            )
        if scenario.combatants[name].surprised and name not in [line.by for line in scenario.do]:
            raise document.wrong(
                ("combatants", name, "surprised"), f"is true, but {name} takes no turn here"
            )
    if not scenario.do:
        raise document.wrong(("do",), "is empty; state what is done")


def _one_attack(scene: Scene, line: ActionLine, *, choosing: bool) -> Fight:
    """A question about one attack, or about which attack to make."""
    path: Path_ = ("do", 0)
    if choosing:
        agenda, targets = _choice(scene, line, path)
    else:
        prepared = prepare(scene, line, path)
        agenda, targets = prepared.agenda, prepared.targets
    return Fight(agenda, (line.by,), targets, allies(scene.combatants, line.by))


def _choice(
    scene: Scene, line: ActionLine, path: Path_
) -> tuple[tuple[Task, ...], tuple[Target, ...]]:
    """All lawful attacks that the line leaves open, as one Choice."""
    lawful: dict[str, Prepared] = {}
    refusals: list[QuestionError] = []
    for candidate in candidates(scene, line, path):
        try:
            prepared = prepare(scene, candidate, path)
            lawful[prepared.name] = prepared
        except QuestionError as refusal:
            refusals.append(refusal)
            scene.leave_out_option(option_name(candidate), refusal)
    if not lawful:
        allows_nothing = scene.wrong((*path, "ap"), f"is {line.ap}, which allows no attack")
        raise refusals[0] if refusals else allows_nothing
    if len(lawful) == 1:
        (only,) = lawful.values()
        return only.agenda, only.targets
    attacks = tuple((name, each.agenda) for name, each in lawful.items())
    targets = {target.name: target for each in lawful.values() for target in each.targets}
    return (Task(ChooseAttack(line.by, attacks), line.by),), tuple(targets.values())
