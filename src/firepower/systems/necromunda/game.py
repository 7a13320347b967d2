"""Necromunda as a game that the rest of Firepower can ask."""

from pathlib import Path

from firepower.combat.game import GameSystem
from firepower.systems.necromunda.activation import check_engaged, engaged_at_first, foes_of
from firepower.systems.necromunda.attacks import Shoot
from firepower.systems.necromunda.brawl import CLOSE_COMBAT
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.measures import MEASURES
from firepower.systems.necromunda.models import ActionLine, Combatant, NecromundaScenario
from firepower.systems.necromunda.tables import NecSetup, Rules
from firepower.systems.necromunda.weapons import arm_of


class Necromunda(GameSystem[Combatant, ActionLine, Rules, Fighter]):
    """The game: gangs of the underhive, from 2017 onward."""

    name = "necromunda"
    title = "Necromunda"
    folder = Path(__file__).parent
    scenario = NecromundaScenario
    tables_type = Rules
    actions = (Shoot(), *CLOSE_COMBAT)
    measures = MEASURES
    unit = "inches"

    def check(self, setup: NecSetup) -> None:
        """Refuse what a fighter cannot be."""
        check_engaged(setup)

    def state(self, setup: NecSetup, name: str) -> Fighter:
        """What somebody begins with."""
        stated = setup.combatants[name]
        arms = tuple(arm_of(weapon, carried) for weapon, carried in stated.weapons.items())
        engaged = engaged_at_first(setup, name)
        if stated.out_of_action:
            return Fighter(out=True, ready=False)
        return Fighter(
            wounds_lost=stated.wounds_lost,
            flesh=stated.flesh_wounds,
            pinned=stated.pinned,
            down=stated.seriously_injured,
            webbed=stated.webbed,
            on_fire=stated.on_fire,
            broken=stated.broken,
            blind=stated.blind,
            concussed=stated.concussed,
            gunked=stated.gunked,
            burnt_out=stated.burnt_out,
            ready=stated.ready,
            aimed=stated.aimed,
            engaged=tuple(sorted(engaged)),
            arms=arms if name in setup.acting or engaged or foes_of(setup, name) else (),
        )
