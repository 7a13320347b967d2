"""What is fired: the mode and its dice, what it spends, what the loaded rounds allow."""

import msgspec

from firepower.combat.documents import Path_
from firepower.systems.rate_of_fire.models import ATTACKS, ActionLine, AttackName
from firepower.systems.rate_of_fire.scene import Scene, Shooter

FULL_AUTO_RATE = ("full-auto", "suppressing-fire")


class Volley(msgspec.Struct, frozen=True):
    """What is fired: the mode, the dice if it is full auto, what it spends and what it can fire."""

    mode: AttackName
    dice: int
    rounds: int
    ap: int
    shots: int

    @property
    def name(self) -> str:
        """What it is called among the options."""
        return f"{self.mode} {self.dice}" if self.mode == "full-auto" else self.mode


def volley_of(scene: Scene, shooter: Shooter, line: ActionLine, path: Path_) -> Volley:
    mode, rof = next((name for name in ATTACKS if name == line.action), None), shooter.rof
    if mode is None:
        raise scene.wrong(
            path,
            "must name its 'action': single-shot, semi-auto, full-auto or suppressing-fire "
            "(only `best` chooses one)",
        )
    lacks = {
        "single-shot": not rof.single,
        "semi-auto": not rof.semi,
        "full-auto": not rof.dice,
        "suppressing-fire": not rof.dice,
    }
    if lacks[mode]:
        can = [name for name, missing in lacks.items() if not missing]
        raise scene.wrong(
            (*path, "action"),
            f"is {mode!r}, which the {shooter.weapon_name} (rof {shooter.weapon.rof}) cannot do; "
            f"it can do {', '.join(can) or 'nothing'}",
        )
    if mode in FULL_AUTO_RATE:
        for state in ("engaged", "fleeing"):
            if getattr(shooter.combatant, state):
                raise scene.wrong(
                    (*path, "action"), f"is {mode!r}, but {shooter.name} is {state}: not allowed"
                )
    if line.dice is not None and mode != "full-auto":
        raise scene.wrong((*path, "dice"), f"is {line.dice}, but only full-auto rolls dice")
    return _loaded(scene, shooter, _wanted(scene, shooter, line, mode, path))


def _wanted(
    scene: Scene, shooter: Shooter, line: ActionLine, mode: AttackName, path: Path_
) -> Volley:
    """The volley as it is asked for, if there is ammunition enough."""
    rof, rules = shooter.rof, scene.rules
    count = _dice_of(scene, line) if mode == "full-auto" else 0
    shots, ap = 1, rules.actions[mode].ap
    if mode == "semi-auto":
        shots = rof.semi
    elif mode == "suppressing-fire":
        shots = rof.dice * rof.faces
    elif mode == "full-auto":
        if count > rof.dice:
            raise scene.wrong(
                (*path, "ap" if line.dice is None else "dice"),
                f"is {count}, but the {shooter.weapon_name} (rof {shooter.weapon.rof}) rolls at "
                f"most {rof.dice}",
            )
        shots = count * rof.faces
        ap = _full_auto_ap(scene, line, count * ap, path)
    if line.ap is not None and line.ap != ap:
        raise scene.wrong((*path, "ap"), f"is {line.ap}, but this attack costs {ap} AP")
    doubled = mode in FULL_AUTO_RATE and scene.rulings.takes("storm_ammunition", "yes")
    rounds = shots * shooter.weapon.storm if doubled else shots
    return Volley(mode, count, rounds, ap, shots)


def _dice_of(scene: Scene, line: ActionLine) -> int:
    """The rate-of-fire dice of a line: as stated, else one for each AP, else one."""
    if line.dice is not None:
        return line.dice
    if line.ap is None:
        scene.leave_out("more rate-of-fire dice: neither 'dice' nor 'ap' is stated, one is rolled")
        return 1
    return line.ap // scene.rules.actions["full-auto"].ap


def _full_auto_ap(scene: Scene, line: ActionLine, ap: int, path: Path_) -> int:
    if line.ap is None or line.ap == ap:
        return ap
    if scene.rulings.takes("dice_per_ap", "equal"):
        raise scene.wrong((*path, "ap"), f"is {line.ap}, but {line.dice} dice cost {ap} AP")
    if line.ap < ap:
        raise scene.wrong((*path, "ap"), f"is {line.ap}, which allows no more than {line.ap} dice")
    return line.ap


def _loaded(scene: Scene, shooter: Shooter, wanted: Volley) -> Volley:
    """The volley that the loaded rounds allow."""
    loaded = shooter.carried.loaded
    if loaded is None:
        scene.leave_out(f"ammunition: {shooter.name} states no rounds 'loaded', enough are assumed")
        return wanted
    if loaded >= wanted.rounds:
        return wanted
    partial = scene.rulings.takes("short_ammunition", "partial") and loaded
    if partial:
        return msgspec.structs.replace(wanted, rounds=loaded, shots=min(wanted.shots, loaded))
    lesser = _downgraded(scene, shooter, wanted, loaded)
    if lesser is not None and scene.rulings.takes("short_ammunition", "downgrade"):
        scene.leave_out(f"{wanted.mode} as asked for: with {loaded} loaded it is {lesser.mode}")
        return lesser
    where = ("combatants", shooter.name, "weapons", shooter.weapon_name, "loaded")
    lawful = "nothing can be fired"
    if lesser is not None:
        lawful = f"lawful is {lesser.mode}"
        if lesser.dice:
            lawful += f" with {lesser.dice} {'die' if lesser.dice == 1 else 'dice'}"
    raise scene.wrong(
        where, f"is {loaded}, but {wanted.mode} uses {wanted.rounds} rounds; {lawful}"
    )


def _downgraded(scene: Scene, shooter: Shooter, wanted: Volley, loaded: int) -> Volley | None:
    """The largest lawful attack with the rounds loaded: fewer dice, a burst, a single shot."""
    rof, actions = shooter.rof, scene.rules.actions
    if wanted.mode in FULL_AUTO_RATE:
        each = wanted.rounds // (wanted.dice or rof.dice)
        count = min(loaded // each, rof.dice)
        if count:
            ap = count * actions["full-auto"].ap
            return Volley("full-auto", count, count * each, ap, count * rof.faces)
        if rof.semi and loaded >= rof.semi:
            return Volley("semi-auto", 0, rof.semi, actions["semi-auto"].ap, rof.semi)
    if rof.single and loaded >= 1 and wanted.mode != "single-shot":
        return Volley("single-shot", 0, 1, actions["single-shot"].ap, 1)
    return None
