"""What can be measured of a battle."""

from firepower.combat.measures import Measure
from firepower.systems.necromunda.fighter import Fighter


def _down(fighter: Fighter) -> bool:
    return fighter.is_down and not fighter.out


MEASURES = (
    Measure(name="hits", of="actor", title="hits scored", records={"hits": 1}, headline=True),
    Measure(name="holes", of="actor", title="bullet holes rolled", records={"holes": 1}),
    Measure(name="ammo_symbols", of="actor", title="Ammo symbols", records={"ammo_symbols": 1}),
    Measure(name="ammo_failed", of="actor", title="ammo checks failed", records={"ammo_failed": 1}),
    Measure(
        name="out_of_ammo", of="actor", title="Out of Ammo", records={"out_of_ammo": 1}, how="any"
    ),
    Measure(
        name="jammed", of="actor", title="jammed for the battle", records={"jammed": 1}, how="any"
    ),
    Measure(name="hit", of="target", title="hits taken", records={"hit": 1}),
    Measure(name="wounds", of="target", title="wounds before saves", records={"wounds": 1}),
    Measure(name="unsaved", of="target", title="unsaved wounds", records={"unsaved": 1}),
    Measure(name="wounds_lost", of="target", title="Wounds lost", records={"wounds_lost": 1}),
    Measure(name="flesh_wounds", of="target", title="flesh wounds", records={"flesh_wounds": 1}),
    Measure(name="pinned", of="target", title="pinned", records={"pinned": 1}, how="any"),
    Measure(
        name="seriously_injured",
        of="target",
        title="lies Seriously Injured",
        final=_down,
        headline=True,
    ),
    Measure(
        name="out_of_action",
        of="target",
        title="out of action",
        records={"out_of_action": 1},
        how="any",
        headline=True,
    ),
)
