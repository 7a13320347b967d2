"""What can be measured of a fight.

What happened counts even if it is over; `still_jammed` and `still_pinned` are what lasts. Hits that
somebody scored and those that somebody took are told apart, where more than one acts.
"""

from typing import Any

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


def done(name: str, title: str, **more: Any) -> Measure:
    """What somebody who acts does, or what becomes of them."""
    records = {} if "final" in more else {name: 1}
    return Measure(**{"name": name, "of": "actor", "title": title, "records": records} | more)


def suffered(name: str, title: str, **more: Any) -> Measure:
    """What is done to somebody."""
    return Measure(**{"name": name, "of": "target", "title": title, "records": {name: 1}} | more)


def lost(why: Why) -> Measure:
    """Actions that were lost for one reason."""
    title = f"actions lost for this reason: {why.replace('_', ' ')}"
    return done(f"lost_to_{why}", title, when=may_lose)


ALL_LOST = {f"lost_to_{why}": 1 for why in Why}
OUT: dict[str, Any] = {"records": {"out_of_action": 1}, "when": can_be_hurt}

MEASURES = (
    done("hits_scored", "hits that struck as they should", alone="hits", headline=True),
    done("errant_hits", "hits that went astray in a melee"),
    done("jam", "a weapon jams", how="any"),
    done("weapon_degraded", "a jam makes a weapon worse", how="any"),
    done("rounds_spent", "rounds fired off", unit="rounds"),
    done("ap_spent", "action points spent", unit="AP"),
    done("ap_gained", "action points of all turns", unit="AP", when=in_turns),
    done("actions_lost", "actions that could not be done", records=ALL_LOST, when=may_lose),
    *map(lost, Why),
    done("still_jammed", "a weapon is jammed in the end", final=_is_jammed, when=in_turns),
    done("still_pinned", "pinned in the end", final=_is_pinned, when=stays_pinned),
    done("fate_spent", "Fate points spent", unit="points", when=has_fate),
    suffered("hits", "hits taken"),
    suffered("damage", "damage that armour and cover let through", unit="points", headline=True),
    suffered(
        *("injury", "the worst injury"),
        how="greatest",
        words=injuries,
        headline=True,
        when=can_be_hurt,
    ),
    suffered("fatigue", "levels of fatigue taken", unit="levels", when=can_be_hurt),
    suffered("out_of_action", "acts no more: by a lethal injury, or fatigue", how="any", **OUT),
    suffered("pinned", "fails a pinning test", how="any", when=can_be_pinned),
    suffered(
        *("pinning_degrees", "the most degrees by which a pinning test failed"),
        unit="degrees",
        how="greatest",
        when=can_be_pinned,
    ),
    Measure(name="combatants_out_of_action", of="all", title="how many act no more", **OUT),
    Measure(name="out_of_action", of="side", title="how many of a side act no more", **OUT),
)
