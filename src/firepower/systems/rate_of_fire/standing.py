"""How somebody may stand when a question begins: what could never come about is refused."""

from firepower.combat.paths import close_matches
from firepower.systems.rate_of_fire.attacks import FULL_AUTO
from firepower.systems.rate_of_fire.models import rate_of_fire
from firepower.systems.rate_of_fire.shooter import profile
from firepower.systems.rate_of_fire.tables import RofSetup, bonus_of
from firepower.systems.rate_of_fire.utility import CLEAR_JAM, RELOAD, most_aim


def check_standing(setup: RofSetup, name: str) -> None:
    """Refuse what somebody cannot be: surprised without a turn, aimed further than may be..."""
    each, where = setup.combatants[name], ("combatants", name)
    if each.surprised and (setup.rounds is None or name not in setup.acting):
        raise setup.wrong((*where, "surprised"), f"is true, but {name} takes no turn here")
    if each.not_shot_at and not each.pinned:
        raise setup.wrong((*where, "not_shot_at"), f"is true, but {name} is not pinned")
    _check_fatigue(setup, name)
    _check_aimed(setup, name)
    _check_begun(setup, name)
    for weapon, carried in each.weapons.items():
        if carried.fired:
            _check_fired(setup, name, weapon, carried.fired)


def _check_fatigue(setup: RofSetup, name: str) -> None:
    each, bonus = setup.combatants[name], bonus_of(setup, name, "toughness")
    too_tired = each.out_of_action is None and bonus is not None and each.fatigue > bonus
    if too_tired and setup.rulings.takes("fatigue_collapse", "toughness_bonus"):
        raise setup.wrong(
            ("combatants", name, "fatigue"),
            f"is {each.fatigue}: with more than {bonus} {name} is out of action",
        )


def _check_aimed(setup: RofSetup, name: str) -> None:
    aimed, where = setup.combatants[name].aimed, ("combatants", name, "aimed")
    each = setup.tables.turn.aim_bonus
    if aimed % each:
        raise setup.wrong(where, f"is {aimed}, but each Aim gives {each:+d}")
    if aimed and aimed > most_aim(setup):
        raise setup.wrong(where, f"is {aimed}, but Aim gives {most_aim(setup):+d} in all at most")


def _check_begun(setup: RofSetup, name: str) -> None:
    """What goes on is something that may, and is not done yet."""
    each, where = setup.combatants[name], ("combatants", name)
    if not each.begun:
        if each.ap_put_in:
            raise setup.wrong((*where, "ap_put_in"), f"is {each.ap_put_in}, but nothing is 'begun'")
        return
    takes: dict[str, int] = {}
    for rule in (RELOAD, CLEAR_JAM, FULL_AUTO):
        takes |= rule.takes(setup, name)
    if each.begun not in takes:
        near = close_matches(each.begun, takes) if takes else "there is none here"
        raise setup.wrong(
            (*where, "begun"), f"is {each.begun!r}, no action that goes on over turns; {near}"
        )
    if each.ap_put_in >= takes[each.begun]:
        raise setup.wrong(
            (*where, "ap_put_in"),
            f"is {each.ap_put_in}, but to {each.begun} takes {takes[each.begun]} AP: it is done",
        )


def _check_fired(setup: RofSetup, name: str, weapon: str, fired: int) -> None:
    where = ("combatants", name, "weapons", weapon, "fired")
    if setup.rounds is None:
        raise setup.wrong(where, f"is {fired}, but without 'rounds' are no turns to count it in")
    rof = rate_of_fire(profile(setup, name, weapon).rof)
    if fired > rof.most_shots:
        raise setup.wrong(where, f"is {fired}, but {rof.most_shots} count at most in a turn")
