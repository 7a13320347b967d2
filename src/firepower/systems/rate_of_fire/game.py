"""Rate of Fire as a game that the rest of Firepower can ask."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from firepower.chance.notation import dice
from firepower.chance.steps import Task
from firepower.combat.game import GameSystem
from firepower.systems.rate_of_fire.attacks import ATTACKS, SUPPRESSING_FIRE
from firepower.systems.rate_of_fire.conditions import recovery_of
from firepower.systems.rate_of_fire.fate import FateBegins, RerollAgain
from firepower.systems.rate_of_fire.fighter import NOT_SHOT_AT, SHOT_AT, Arm, Fighter
from firepower.systems.rate_of_fire.measures import MEASURES
from firepower.systems.rate_of_fire.models import ActionLine, Combatant, RateOfFireScenario
from firepower.systems.rate_of_fire.standing import check_standing
from firepower.systems.rate_of_fire.tables import RofSetup, Rules
from firepower.systems.rate_of_fire.turn import TurnBegins, TurnEnds, turn_rules
from firepower.systems.rate_of_fire.utility import CLEAR_JAM, RELOAD, Aim, Delay


class RateOfFire(GameSystem[Combatant, ActionLine, Rules, Fighter]):
    """The game: a homebrew of d100 tests, action points and rate-of-fire dice."""

    name = "rate-of-fire"
    title = "Rate of Fire"
    folder = Path(__file__).parent
    scenario = RateOfFireScenario
    tables_type = Rules
    actions = (*ATTACKS, RELOAD, CLEAR_JAM, Aim(), Delay())
    measures = MEASURES
    unit = "m"
    renamed: ClassVar = {"down": "out_of_action", "combatants_down": "combatants_out_of_action"}

    def quick(self, weapon: str, action: str) -> dict[str, Any]:
        """One shooter with a weapon of the armoury, one target."""
        line: dict[str, Any] = {"by": "shooter", "action": action, "at": ["target"]}
        if action == SUPPRESSING_FIRE.name:
            line["in_cone"] = line["at"]
        return {
            "system": self.name,
            "combatants": {"shooter": {"weapons": {weapon: {}}}, "target": {}},
            "do": [line],
        }

    def check(self, setup: RofSetup) -> None:
        """Refuse what a combatant cannot be."""
        for name in setup.combatants:
            check_standing(setup, name)
        for name in setup.acting:
            turn_rules(setup, name)
        if any(each.fate is not None for each in setup.combatants.values()):
            setup.leave_out("Fate for initiative, against being dazed or stunned, and against fear")

    # -- how everybody begins --------------------------------------------------------------------

    def state(self, setup: RofSetup, name: str) -> Fighter:
        """What somebody begins with: weapons, conditions, Fate."""
        combatant, acts = setup.combatants[name], name in setup.acting
        if combatant.out_of_action is not None:
            return Fighter(out=True, lethal=combatant.out_of_action == "injury", passive=not acts)
        keeps = acts or not setup.fades
        arms = tuple(
            Arm(weapon, carried.loaded, carried.craftsmanship, carried.jammed, carried.fired)
            for weapon, carried in combatant.weapons.items()
        )
        counted = acts and turn_rules(setup, name).ap is not None
        return Fighter(
            pinned=(NOT_SHOT_AT if combatant.not_shot_at else SHOT_AT) * combatant.pinned * keeps,
            fatigue=combatant.fatigue,
            ap=0 if counted else None,
            aim=combatant.aimed,
            begun=combatant.begun,
            paid=combatant.ap_put_in,
            arms=arms if keeps else (),
            fate=combatant.fate if isinstance(combatant.fate, int) else None,
            rerolled=combatant.rerolled,
            tireless=combatant.tireless,
            passive=not keeps,
        )

    def begins(self, setup: RofSetup) -> Iterable[Task]:
        """The Fate points of new characters."""
        for name, each in setup.combatants.items():
            if each.fate == "rolled":
                yield Task(FateBegins(dice(setup.tables.fate.start)), name)

    # -- turns -----------------------------------------------------------------------------------

    def turn_begins(self, setup: RofSetup, name: str, number: int) -> Iterable[Task]:
        """Re-rolls come back; action points are found, less by surprise."""
        has_fate = any(each.fate is not None for each in setup.combatants.values())
        if has_fate and setup.rulings.takes("fate_turn", "anybodys"):
            yield from [Task(RerollAgain(), each) for each in setup.combatants]
        surprised = setup.combatants[name].surprised and number == setup.scenario.now.round
        yield Task(TurnBegins(turn_rules(setup, name), surprised), name)

    def turn_ends(self, setup: RofSetup, name: str, number: int) -> Iterable[Task]:
        """AP that are left are lost, and who is pinned may recover."""
        yield Task(TurnEnds(recovery_of(setup, name)), name)

    # -- what is left out ------------------------------------------------------------------------

    def finish(self, setup: RofSetup, targets: tuple[str, ...]) -> None:
        """Name what a fight has and this one does not."""
        if (setup.rounds or 0) > 1:
            setup.leave_out("movement: everybody stays where they are")
        for name, each in setup.combatants.items():
            if setup.rounds is not None and name in targets and name not in setup.acting:
                setup.leave_out(f"turns of {name}: no line is theirs")
            if each.modifiers and name not in targets:
                setup.leave_out(f"modifiers of {name}: they are to hit {name}, and nobody does")

    # -- how everybody stands in the end ---------------------------------------------------------

    def stated(self, setup: RofSetup, name: str, state: Fighter) -> dict[str, Any]:
        """The keys that say how somebody now stands; None takes one away."""
        weapons = {}
        for arm in state.arms:
            weapons[arm.name] = {
                "loaded": arm.loaded,
                "craftsmanship": None if arm.craftsmanship == "common" else arm.craftsmanship,
                "jammed": arm.jammed or None,
                "fired": arm.fired or None,
            }
        out = ("injury" if state.lethal else "fatigue") if state.out else None
        keys = {
            "surprised": None,
            "pinned": state.pinned > 0 or None,
            "not_shot_at": state.pinned == NOT_SHOT_AT or None,
            "fatigue": state.fatigue or None,
            "out_of_action": out,
            "aimed": state.aim or None,
            "begun": state.begun or None,
            "ap_put_in": state.paid or None,
            "fate": state.fate,
            "rerolled": state.rerolled or None,
            "tireless": state.tireless or None,
        }
        return keys | ({"weapons": weapons} if weapons else {})
