"""What can be measured of a battle.

What happened counts even if it is over; `seriously_injured` and `on_fire` are how it ends.
"""

from typing import Any

from firepower.combat.measures import Measure
from firepower.combat.turns import INTERRUPTED
from firepower.systems.necromunda.actions import Reload
from firepower.systems.necromunda.activation import Why
from firepower.systems.necromunda.burning import may_burn
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.tables import NecSetup
from firepower.systems.necromunda.targets import after_battle

CAUSES = (*Why, INTERRUPTED.cause)


def _lies(fighter: Fighter) -> bool:
    return fighter.is_down and not fighter.out


def _burns(fighter: Fighter) -> bool:
    return fighter.on_fire and not fighter.out


def burns(setup: NecSetup, name: str) -> bool:
    """Whether somebody may burn."""
    return may_burn(setup, name)


def recovers(setup: NecSetup, name: str) -> bool:
    """Whether there are End phases in which somebody may recover."""
    return setup.rounds is not None


def ends(setup: NecSetup, name: str) -> bool:
    """Whether the battle is over with the question."""
    return after_battle(setup)


def lasting(setup: NecSetup) -> tuple[str, ...]:
    """The words of the lasting injuries."""
    rows = setup.tables.lasting[setup.rulings["lasting_injuries"]]
    return ("none", *(title for _, title in rows))


def may_lose(setup: NecSetup, name: str) -> bool:
    """Whether an action may turn out to be impossible."""
    lines = setup.scenario.do
    return setup.rounds is not None or len(lines) > 1 or bool(lines[0].otherwise)


def may_reload(setup: NecSetup, name: str) -> bool:
    """Whether a line may come to be a Reload."""
    first = setup.scenario.do[0]
    return may_lose(setup, name) or first.action in (None, Reload.name)


def done(name: str, title: str, **more: Any) -> Measure:
    """A measure of what somebody who acts did."""
    return Measure(name=name, of="actor", title=title, records={name: 1}, **more)


def taken(name: str, title: str, **more: Any) -> Measure:
    """A measure of what was done to somebody."""
    return Measure(name=name, of="target", title=title, records={name: 1}, **more)


MEASURES = (
    done("hits", "hits scored", headline=True),
    done("holes", "bullet holes rolled"),
    done("ammo_symbols", "Ammo symbols rolled"),
    done("ammo_failed", "ammo checks failed"),
    done("out_of_ammo", "Out of Ammo", how="any"),
    done("jammed", "jammed for the battle", how="any"),
    done("reloaded", "reloads", when=may_reload),
    Measure(
        name="actions_lost",
        of="actor",
        title="actions that could not be done",
        records={f"lost_to_{cause}": 1 for cause in CAUSES},
        when=may_lose,
    ),
    taken("hit", "hits taken"),
    taken("pinned", "pinned", how="any"),
    taken("wounds", "wounds, before saves"),
    taken("unsaved", "wounds that no save stopped"),
    taken("wounds_lost", "Wounds lost"),
    taken("flesh_wounds", "flesh wounds"),
    Measure(
        name="seriously_injured",
        of="target",
        title="lies Seriously Injured at the end",
        final=_lies,
        headline=True,
    ),
    taken("out_of_action", "out of action", how="any", headline=True),
    taken("webbed", "caught in a web", how="any"),
    taken("blind", "blinded", how="any"),
    taken("insane", "failed against a curse", how="any"),
    taken("dragged", "dragged", how="any"),
    taken("caught_fire", "caught fire", how="any", when=burns),
    Measure(name="on_fire", of="target", title="burns at the end", final=_burns, when=burns),
    taken("fire_out", "put the fire out", how="any", when=burns),
    taken("activations_on_fire", "activations on fire", when=burns),
    taken("recovered", "recovered", how="any", when=recovers),
    taken("broken", "broken", how="any", beside=True),
    taken("concussed", "concussed", how="any"),
    taken("gunked", "gunked", how="any"),
    taken("captured", "captured", how="any", when=recovers),
    Measure(
        name="lasting_injury",
        of="target",
        title="the worst lasting injury",
        records={"lasting_injury": 1},
        how="greatest",
        words=lasting,
        when=ends,
    ),
    Measure(
        name="fighters_out_of_action",
        of="all",
        title="how many are out of action",
        records={"out_of_action": 1},
    ),
    Measure(
        name="fighters_out_of_action",
        of="side",
        title="how many of a side are out of action",
        records={"out_of_action": 1},
    ),
)
