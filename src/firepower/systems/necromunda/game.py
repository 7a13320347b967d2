"""Necromunda as a game that the rest of Firepower can ask."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from firepower.chance.steps import Task
from firepower.combat.game import GameSystem, Listed
from firepower.combat.reactions import Reaction
from firepower.combat.turns import Turn, alternating
from firepower.systems.necromunda.actions import UTILITY
from firepower.systems.necromunda.activation import ACTS, ActivationBegins, ActivationEnds
from firepower.systems.necromunda.attacks import ATTACKS
from firepower.systems.necromunda.brawl import CLOSE_COMBAT
from firepower.systems.necromunda.burning import Burn, burning_step, may_burn
from firepower.systems.necromunda.end_phase import after_the_battle, end_phase
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.measures import MEASURES
from firepower.systems.necromunda.models import ActionLine, Combatant, NecromundaScenario, Row
from firepower.systems.necromunda.overwatch import watchers
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.standing import beginning, check_standing
from firepower.systems.necromunda.tables import NecSetup, Rules
from firepower.systems.necromunda.targets import frame_of
from firepower.systems.necromunda.weapons import STANDARD, has_skill, is_unstable


class Necromunda(GameSystem[Combatant, ActionLine, Rules, Fighter]):
    """The game: gangs of the underhive, from 2017 onward."""

    name = "necromunda"
    title = "Necromunda"
    folder = Path(__file__).parent
    scenario = NecromundaScenario
    tables_type = Rules
    actions = (*ATTACKS, *CLOSE_COMBAT, Burn(), *UTILITY)
    measures = MEASURES
    unit = "inches"

    def quick(self, weapon: str, action: str) -> dict[str, Any]:
        """One fighter with a weapon of the armoury, one target."""
        return {
            "system": self.name,
            "combatants": {"shooter": {"weapons": {weapon: {}}}, "target": {}},
            "do": [{"by": "shooter", "action": action, "at": ["target"]}],
        }

    def check(self, setup: NecSetup) -> None:
        """Refuse what a fighter cannot be."""
        for name in setup.combatants:
            check_standing(setup, name)

    def finish(self, setup: NecSetup, targets: tuple[str, ...]) -> None:
        """Name what a battle has and this question does not."""
        if setup.rounds is not None:
            setup.leave_out("Priority, groups, rally and bottle tests")
            for name in targets:
                if name not in setup.acting:
                    setup.leave_out(f"activations of {name}: no line is theirs")
        for name, each in setup.combatants.items():
            if has_skill(setup, name, Skill.OVERWATCH) and setup.rounds is None:
                setup.leave_out(f"Overwatch of {name}: it needs 'rounds'")
            if each.modifiers and name not in targets:
                setup.leave_out(f"modifiers of {name}: they are to hit {name}, and nobody does")

    def weapons(self, tables: Rules) -> list[Listed]:
        """The armoury: every profile of every weapon, with the edition of its row."""
        rows = []
        for name, entry in tables.weapons.items():
            for edition, profiles in (("2018 to 2023", entry.n23), ("2017", entry.n17)):
                for mode, row in profiles.items():
                    title = entry.title if mode == STANDARD else f"{entry.title}, {mode}"
                    rows.append(Listed(name, title, {"rows of": edition} | _figures(row)))
        return rows

    # -- rounds ----------------------------------------------------------------------------------

    def round(self, setup: NecSetup, turns: list[Turn]) -> tuple[tuple[Task, ...], ...]:
        """Sides take turns to activate one Ready fighter each."""
        sides = {name: each.side or name for name, each in setup.combatants.items()}
        return alternating(turns, sides)

    def turn_begins(self, setup: NecSetup, name: str, number: int) -> Iterable[Task]:
        """An activation; who burns has none but that of the fire."""
        yield Task(ActivationBegins(setup.tables.activation.actions), name)
        if may_burn(setup, name):
            yield burning_step(setup, name).task

    def reactions(self, setup: NecSetup, raised: frozenset[str]) -> Iterable[Reaction]:
        """Those who may answer an action."""
        return watchers(setup) if ACTS in raised else ()

    def turn_ends(self, setup: NecSetup, name: str, number: int) -> Iterable[Task]:
        """The activation is over."""
        yield Task(ActivationEnds(), name)

    def round_ends(self, setup: NecSetup, number: int) -> Iterable[Task]:
        """The End phase."""
        return end_phase(setup)

    def ends(self, setup: NecSetup) -> Iterable[Task]:
        """The battle may be over."""
        return after_the_battle(setup)

    def harmed(self, setup: NecSetup, targets: tuple[str, ...]) -> tuple[str, ...]:
        """Those at whom something is done, who burn, lie, or may fall by their own gun."""
        hurt = [
            name
            for name, each in setup.combatants.items()
            if each.on_fire or each.seriously_injured or each.webbed or is_unstable(setup, name)
        ]
        return tuple(dict.fromkeys((*targets, *hurt)))

    def affected(self, setup: NecSetup, targets: tuple[str, ...]) -> tuple[str, ...]:
        """Friends who see somebody fall."""
        return tuple(each for name in targets for each in frame_of(setup, name).reach)

    # -- how everybody begins, and stands in the end ---------------------------------------------

    def state(self, setup: NecSetup, name: str) -> Fighter:
        """What somebody begins with."""
        return beginning(setup, name)

    def stated(self, setup: NecSetup, name: str, state: Fighter) -> dict[str, Any]:
        """The keys that say how somebody now stands; None takes one away."""
        keys: dict[str, Any] = {
            "wounds_lost": state.wounds_lost or None,
            "flesh_wounds": state.flesh or None,
            "pinned": state.pinned or None,
            "seriously_injured": state.down or None,
            "webbed": state.webbed or None,
            "out_of_action": state.out or None,
            "on_fire": state.on_fire or None,
            "broken": state.broken or None,
            "blind": state.blind or None,
            "concussed": state.concussed or None,
            "gunked": state.gunked or None,
            "burnt_out": state.burnt_out or None,
            "ready": None if state.ready or state.out else False,
            "engaged": list(state.engaged) or None,
            "aimed": state.aimed or None,
        }
        if state.at is not None:
            keys["position"] = list(state.at)
        arms = {
            arm.name: {
                "out_of_ammo": arm.out or None,
                "jammed": arm.jammed or None,
                "dry": list(arm.dry) or None,
                "spent": list(arm.spent) or None,
                "rerolled": arm.rerolled or None,
            }
            for arm in state.arms
        }
        return keys | ({"weapons": arms} if arms else {})


def _figures(row: Row) -> dict[str, str]:
    """A row of the armoury, for players."""
    shown = {
        "range": row.range,
        "accuracy": row.accuracy if row.accuracy != "-/-" else "",
        "S": row.strength,
        "AP": f"{row.ap:+d}" if row.ap else "",
        "D": row.damage,
        "ammo": f"{row.ammo}+" if isinstance(row.ammo, int) else row.ammo or "",
        "traits": ", ".join(row.traits),
    }
    return {key: value for key, value in shown.items() if value}
