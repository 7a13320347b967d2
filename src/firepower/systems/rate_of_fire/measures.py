"""What can be measured of a fight.

What happened counts even if it is over; `still_jammed` and `still_pinned` are what lasts. Hits that
somebody scored and those that somebody took are told apart, where more than one acts.
"""

from firepower.combat.measures import Measure
from firepower.systems.rate_of_fire.conditions import lasts
from firepower.systems.rate_of_fire.fighter import Fighter
from firepower.systems.rate_of_fire.tables import RofSetup, bonus_of
from firepower.systems.rate_of_fire.utility import Why


def in_turns(setup: RofSetup, name: str) -> bool:
    """Whether there are turns."""
    return setup.rounds is not None


def may_lose(setup: RofSetup, name: str) -> bool:
    """Whether a line may turn out to be impossible."""
    return lasts(setup)


def can_be_pinned(setup: RofSetup, name: str) -> bool:
    """Whether somebody makes pinning tests."""
    combatant = setup.combatants[name]
    return combatant.tests_pinning and combatant.willpower is not None


def stays_pinned(setup: RofSetup, name: str) -> bool:
    """Whether somebody may still be pinned when a fight of turns ends."""
    return setup.rounds is not None and setup.combatants[name].willpower is not None


def can_be_hurt(setup: RofSetup, name: str) -> bool:
    """Whether it is known what injures somebody."""
    return bonus_of(setup, name, "toughness") is not None


def has_fate(setup: RofSetup, name: str) -> bool:
    """Whether somebody has Fate points."""
    return setup.combatants[name].fate is not None


def _is_jammed(fighter: Fighter) -> bool:
    return any(arm.jammed for arm in fighter.arms)


def _is_pinned(fighter: Fighter) -> bool:
    return fighter.pinned > 0


def injuries(setup: RofSetup) -> tuple[str, ...]:
    """The words of the injury categories."""
    return ("none", *(row.title for row in setup.tables.injuries))


MEASURES = (
    Measure(
        name="hits_scored",
        alone="hits",
        of="actor",
        title="hits that struck as they should",
        records={"hits_scored": 1},
        headline=True,
    ),
    Measure(
        name="errant_hits",
        of="actor",
        title="hits that went astray in a melee",
        records={"errant_hits": 1},
    ),
    Measure(name="jam", of="actor", title="the weapon jams", records={"jam": 1}, how="any"),
    Measure(
        name="weapon_degraded",
        of="actor",
        title="a jam makes a weapon worse",
        records={"weapon_degraded": 1},
        how="any",
    ),
    Measure(
        name="rounds_spent",
        of="actor",
        title="rounds fired off",
        unit="rounds",
        records={"rounds_spent": 1},
    ),
    Measure(
        name="ap_spent",
        of="actor",
        title="action points spent",
        unit="AP",
        records={"ap_spent": 1},
    ),
    Measure(
        name="ap_gained",
        of="actor",
        title="action points of all turns",
        unit="AP",
        records={"ap_gained": 1},
        when=in_turns,
    ),
    Measure(
        name="actions_lost",
        of="actor",
        title="actions that could not be done",
        records={f"lost_to_{why}": 1 for why in Why},
        when=may_lose,
    ),
    *(
        Measure(
            name=f"lost_to_{why}",
            of="actor",
            title=f"actions lost for this reason: {why.replace('_', ' ')}",
            records={f"lost_to_{why}": 1},
            when=may_lose,
        )
        for why in Why
    ),
    Measure(
        name="still_jammed",
        of="actor",
        title="a weapon is jammed in the end",
        final=_is_jammed,
        when=in_turns,
    ),
    Measure(
        name="still_pinned",
        of="actor",
        title="pinned in the end",
        final=_is_pinned,
        when=stays_pinned,
    ),
    Measure(
        name="fate_spent",
        of="actor",
        title="Fate points spent",
        unit="points",
        records={"fate_spent": 1},
        when=has_fate,
    ),
    Measure(name="hits", of="target", title="hits taken", records={"hits": 1}),
    Measure(
        name="damage",
        of="target",
        title="damage that armour and cover let through",
        unit="points",
        records={"damage": 1},
        headline=True,
    ),
    Measure(
        name="injury",
        of="target",
        title="the worst injury",
        records={"injury": 1},
        how="greatest",
        words=injuries,
        headline=True,
        when=can_be_hurt,
    ),
    Measure(
        name="fatigue",
        of="target",
        title="levels of fatigue taken",
        unit="levels",
        records={"fatigue": 1},
        when=can_be_hurt,
    ),
    Measure(
        name="out_of_action",
        of="target",
        title="acts no more: by a lethal injury, or too much fatigue",
        records={"out_of_action": 1},
        how="any",
        when=can_be_hurt,
    ),
    Measure(
        name="pinned",
        of="target",
        title="fails a pinning test",
        records={"pinned": 1},
        how="any",
        when=can_be_pinned,
    ),
    Measure(
        name="pinning_degrees",
        of="target",
        title="the most degrees by which a pinning test failed",
        unit="degrees",
        records={"pinning_degrees": 1},
        how="greatest",
        when=can_be_pinned,
    ),
    Measure(
        name="combatants_out_of_action",
        of="all",
        title="how many act no more",
        records={"out_of_action": 1},
        when=can_be_hurt,
    ),
    Measure(
        name="out_of_action",
        of="side",
        title="how many of a side act no more",
        records={"out_of_action": 1},
        when=can_be_hurt,
    ),
)
