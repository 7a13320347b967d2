"""From a line of the scenario to an attack: what it costs, the number to hit, who may be struck.

Everything that can never be lawful is refused here, before any die.
"""

import msgspec

from firepower.chance.dice import Dice, dice
from firepower.chance.readings import DegreeRule, RollUnder
from firepower.chance.steps import Modifier, Task
from firepower.systems.documents import Path_
from firepower.systems.rate_of_fire import scene as scenery
from firepower.systems.rate_of_fire.damage import Target, Wounding
from firepower.systems.rate_of_fire.models import ActionLine, ActionName, harm
from firepower.systems.rate_of_fire.pinning import PinningTest
from firepower.systems.rate_of_fire.scene import Scene, Shooter
from firepower.systems.rate_of_fire.shooting import (
    Attack,
    EmptyCone,
    HitCount,
    RateOfFireDice,
    RollToHit,
)

FULL_AUTO_RATE = ("full-auto", "suppressing-fire")
NO_ROLL = 101
DOUBLES = frozenset(range(11, 100, 11))


class Volley(msgspec.Struct, frozen=True):
    """What is fired: the mode, the dice if it is full auto, what it spends and what it can fire."""

    mode: ActionName
    dice: int
    rounds: int
    ap: int
    shots: int


class Prepared(msgspec.Struct, frozen=True):
    """An attack made ready: how it is called, what it begins with, who may be affected."""

    name: str
    agenda: tuple[Task, ...]
    targets: tuple[Target, ...]


def prepare(scene: Scene, line: ActionLine, path: Path_) -> Prepared:
    """Check one line completely and make its attack; refuses what can never be lawful."""
    shooter = scenery.find_shooter(scene, line, path)
    scene.check_lists(line, path)
    volley = _volley(scene, shooter, line, path)
    cone: tuple[str, ...] = ()
    if volley.mode == "suppressing-fire":
        cone = scenery.who_is_in_cone(scene, shooter, line, path)
        if not cone:
            return _prepared(shooter, volley, _attack(scene, shooter, line, volley, "", (), path))
        original = _suppressed(scene, shooter, line, cone, path)
    else:
        original = _chosen(scene, shooter, line, path)
    return _prepared(shooter, volley, _attack(scene, shooter, line, volley, original, cone, path))


def _prepared(shooter: Shooter, volley: Volley, attack: Attack) -> Prepared:
    name = volley.mode if volley.mode != "full-auto" else f"{volley.mode} {volley.dice}"
    if not attack.original:
        return Prepared(name, (Task(EmptyCone(attack), shooter.name),), ())
    tests = [] if attack.pins_after else attack.pinning_tests()
    first = RollToHit(attack, volley.shots) if attack.rof_dice is None else RateOfFireDice(attack)
    return Prepared(name, (*tests, Task(first, shooter.name)), attack.targets)


# -- what is fired -------------------------------------------------------------------------------


def _volley(scene: Scene, shooter: Shooter, line: ActionLine, path: Path_) -> Volley:
    mode, rof = line.action, shooter.rof
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
    scene: Scene, shooter: Shooter, line: ActionLine, mode: ActionName, path: Path_
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


# -- at whom -------------------------------------------------------------------------------------


def _chosen(scene: Scene, shooter: Shooter, line: ActionLine, path: Path_) -> str:
    if not line.at:
        raise scene.wrong(path, "must name the original target in 'at'")
    original = line.at[0]
    if original in line.out_of_sight:
        raise scene.wrong((*path, "at"), f"is {original!r}, who is out of sight")
    if scenery.band_of(scene, shooter, original) is None:
        raise scenery.out_of_range(scene, shooter, original, (*path, "at"))
    return original


def _suppressed(
    scene: Scene, shooter: Shooter, line: ActionLine, cone: tuple[str, ...], path: Path_
) -> str:
    """The original target of suppressing fire."""
    if scene.rulings.takes("suppressing_original", "named"):
        if not line.at or line.at[0] not in cone:
            raise scene.wrong(path, "must name somebody in the cone in 'at'")
        return line.at[0]
    return _closest(scene, shooter, cone)


def _closest(scene: Scene, shooter: Shooter, cone: tuple[str, ...]) -> str:
    return min(cone, key=lambda name: scenery.distance_m(scene, shooter.name, name))


# -- the attack ----------------------------------------------------------------------------------


def _attack(
    scene: Scene,
    shooter: Shooter,
    line: ActionLine,
    volley: Volley,
    original: str,
    cone: tuple[str, ...],
    path: Path_,
) -> Attack:
    rulings, rules, mode = scene.rulings, scene.rules, volley.mode
    melee = _melee(scene, shooter, line, original, path)
    others: tuple[str, ...] = ()
    if original and not melee and mode != "single-shot":
        others = scenery.who_is_near(scene, shooter, line, original, path)
        if mode == "suppressing-fire":
            band = scenery.band_of(scene, shooter, original)
            for name in others:
                if scenery.band_of(scene, shooter, name) != band:
                    scene.leave_out(f"further hits on {name}: another range band")
            others = tuple(n for n in others if scenery.band_of(scene, shooter, n) == band)
    parts = _to_hit(scene, shooter, line, volley, original, cone, bool(melee))
    struck = dict.fromkeys((*cone, original, *others, *melee) if original else ())
    wounding = _wounding(scene, shooter, mode)
    bare = rulings.takes("errant_effects", "damage_only") if melee else False
    errant = msgspec.structs.replace(wounding, bonus="", pins="") if bare else wounding
    return Attack(
        shooter=shooter.name,
        title=rules.actions[mode].title,
        parts=parts,
        test=_test(scene, parts),
        jams_from=_jams_from(scene, shooter, mode),
        craftsmanship=shooter.carried.craftsmanship,
        tier=rules.craftsmanship[shooter.carried.craftsmanship],
        rounds=volley.rounds,
        ap=volley.ap,
        shots=volley.shots,
        rof_dice=_rof_dice(shooter, volley),
        count=_hit_count(scene, shooter, volley),
        errant_count=_errant_count(scene, shooter, volley),
        original=original,
        others=others,
        melee=melee,
        targets=tuple(_target(scene, shooter, name, original, name in cone) for name in struck),
        cone=cone,
        wounding=wounding,
        errant_wounding=errant,
        errant_shots=_errant_shots(scene, shooter, volley) if melee else None,
        doubles=_doubles(scene) if melee else frozenset(),
        one_victim=bool(melee) and rulings.takes("errant_spread", "one_victim"),
        may_waive=not melee
        and mode != "single-shot"
        and rulings.takes("further_hits", "may_be_waived"),
        spreads=bool(others) and scene.policies.takes("allocation", "spread"),
        jam_hits=rulings.takes("jam_hits", "hits_stand"),
        jam_spends=rulings.takes("jam_ammunition", "in_full"),
        pins_after=bool(cone) and rulings.takes("jam_pinning", "void"),
    )


def _melee(
    scene: Scene, shooter: Shooter, line: ActionLine, original: str, path: Path_
) -> tuple[str, ...]:
    """Everybody in the melee that is shot into, the original target first."""
    if not line.melee or not original:
        return ()
    for i, name in enumerate(line.melee):
        if scenery.band_of(scene, shooter, name) is None:
            raise scenery.out_of_range(scene, shooter, name, (*path, "melee", i))
    return tuple(dict.fromkeys((original, *line.melee)))


def _to_hit(
    scene: Scene,
    shooter: Shooter,
    line: ActionLine,
    volley: Volley,
    original: str,
    cone: tuple[str, ...],
    into_melee: bool,
) -> tuple[Modifier, ...]:
    """The parts of the target number, each with where it comes from."""
    rules, action = scene.rules, scene.rules.actions[volley.mode]
    rule = f"rules: {volley.mode}"
    parts = [
        Modifier("Ranged Combat", shooter.skill, shooter.name),
        Modifier(f"{action.title} ({action.difficulty})", action.modifier, rule),
    ]
    if line.aim:
        counts = Modifier("Aim", line.aim, shooter.name)
        parts.append(counts if action.aim else Modifier("Aim (does not count)", 0, rule))
    if into_melee:
        helpless = scene.combatants[original].helpless
        if not (helpless and scene.rulings.takes("melee_helpless", "waived")):
            parts.append(Modifier("shooting into melee", rules.melee_modifier, "rules: melee"))
    if original:
        suppressing = volley.mode == "suppressing-fire"
        ranged = _closest(scene, shooter, cone) if suppressing else original
        parts += _range_and_movement(scene, shooter, ranged, required=suppressing)
        parts += [
            Modifier(label, value, original)
            for label, value in scene.combatants[original].modifiers.items()
        ]
    parts += [Modifier(label, value, "scenario") for label, value in line.modifiers.items()]
    return tuple(parts)


def _range_and_movement(
    scene: Scene, shooter: Shooter, name: str, *, required: bool
) -> list[Modifier]:
    """What the distance and the movement of a target add: stated, or by an opt-in table."""
    target, parts = scene.combatants[name], []
    table = scene.rulings["range_to_hit"]
    band = scenery.band_of(scene, shooter, name)
    if target.range_modifier is not None:
        parts.append(Modifier("range", target.range_modifier, name))
    elif table != "stated" and band is not None:
        label = f"{band.title} range"
        parts.append(Modifier(label, band.to_hit[table], f"ruling: range_to_hit = {table}"))
    elif required:
        scene.leave_out(f"range to hit: {name} states no 'range_modifier', 0 is used")
    if target.movement_modifier is not None:
        parts.append(Modifier("movement", target.movement_modifier, name))
    elif required:
        scene.leave_out(f"movement to hit: {name} states no 'movement_modifier', 0 is used")
    return parts


def _test(scene: Scene, parts: tuple[Modifier, ...]) -> RollUnder:
    target = sum(part.value for part in parts)
    if scene.rulings.takes("target_number", "clamped"):
        target = max(1, min(100, target))
    rule: DegreeRule = msgspec.convert(scene.rulings["degrees"], DegreeRule)
    return RollUnder(target, rule, scene.rulings.takes("natural_extremes", "on"))


def _jams_from(scene: Scene, shooter: Shooter, mode: ActionName) -> int:
    jam, rulings = scene.rules.jam, scene.rulings
    full_auto = bool(shooter.rof.dice)
    if full_auto and mode not in FULL_AUTO_RATE:
        full_auto = rulings.takes("jam_scope", "every_mode")
    if not shooter.weapon.reliable and not full_auto:
        return NO_ROLL if rulings.takes("jam_other", "never") else jam.other
    if not shooter.weapon.reliable:
        return jam.full_auto
    if full_auto and rulings.takes("reliable_jam", "general"):
        return jam.full_auto
    if not shooter.rof.dice and rulings.takes("jam_reliable_other", "on_100"):
        return 100
    return jam.reliable


def _rof_dice(shooter: Shooter, volley: Volley) -> Dice | None:
    return dice(f"{volley.dice}d{shooter.rof.faces}") if volley.dice else None


def _storm(scene: Scene, shooter: Shooter, mode: ActionName) -> int:
    scope = scene.rulings["storm_scope"]
    storms = scope == "every_attack" or mode == "full-auto"
    storms |= scope == "full_auto_rate" and mode == "suppressing-fire"
    return shooter.weapon.storm if storms else 1


def _errant_count(scene: Scene, shooter: Shooter, volley: Volley) -> HitCount:
    """One errant hit for each degree of failure, as many as shots at most."""
    cap_last = scene.rulings.takes("storm_cap", "before_cap")
    return HitCount(None, 0, _storm(scene, shooter, volley.mode), cap_last)


def _hit_count(scene: Scene, shooter: Shooter, volley: Volley) -> HitCount:
    rules, rulings, mode = scene.rules, scene.rulings, volley.mode
    storm = _storm(scene, shooter, mode)
    cap_last = rulings.takes("storm_cap", "before_cap")
    if mode == "full-auto":
        return HitCount(None, 0, storm, cap_last)
    if mode == "single-shot":
        return HitCount(((0, 1),), 0, storm, cap_last)
    if mode == "semi-auto":
        table = tuple((row.degrees, row.hits) for row in rules.semi_auto_hits)
        over = {"none": None, "rounds": 0, "rounds_plus_one": 1}[rulings["semi_auto_cap"]]
        return HitCount(table, over, storm, cap_last)
    table = tuple((row.degrees, row.hits) for row in rules.suppressing_hits)
    if rulings.takes("suppressing_cap", "rounds_spent"):
        return HitCount(table, volley.rounds - volley.shots, storm, cap_last=True)
    return HitCount(table, None, storm, cap_last)


def _errant_shots(scene: Scene, shooter: Shooter, volley: Volley) -> int | None:
    """What caps errant hits, where it is not the shots that were fired."""
    if scene.rulings.takes("errant_cap", "rounds_spent"):
        return volley.rounds
    if scene.rulings.takes("errant_cap", "weapon_maximum") and shooter.rof.dice:
        return shooter.rof.dice * shooter.rof.faces
    return None


def _doubles(scene: Scene) -> frozenset[int]:
    return DOUBLES | {100} if scene.rulings.takes("doubles_zero", "yes") else DOUBLES


def _wounding(scene: Scene, shooter: Shooter, mode: ActionName) -> Wounding:
    rules, rulings = scene.rules, scene.rulings
    damage = harm(shooter.weapon.damage)
    parts: tuple[Modifier, ...] = ()
    if damage.adds_bonus:
        parts = (Modifier("Ranged Combat bonus", shooter.bonus(rules), shooter.name),)
    earns = mode in ("semi-auto", "full-auto")
    earns |= mode == "suppressing-fire" and rulings.takes("suppressing_bonus", "yes")
    pins = mode == "full-auto"
    if mode == "semi-auto" and shooter.rof.dice:
        pins = rulings.takes("semi_auto_pins", "yes")
    repins = mode == "suppressing-fire" and rulings.takes("suppressed_and_hit", "yes")
    return Wounding(
        damage.dice,
        parts,
        rulings["same_target_bonus"] if earns else "",
        tuple((row.over, row.fatigue) for row in rules.injuries),
        rulings["pinning_tests"] if pins or repins else "",
        repins,
    )


def _target(scene: Scene, shooter: Shooter, name: str, original: str, suppressed: bool) -> Target:
    fighter, rules = scene.combatants[name], scene.rules
    stopped = max(0, fighter.armour + fighter.cover - shooter.weapon.penetration)
    bonus = fighter.toughness_bonus
    if bonus is None and fighter.toughness is not None:
        bonus = rules.bonus(fighter.toughness)
    if bonus is None:
        scene.leave_out(f"injuries of {name}: no 'toughness' is stated")
    if bonus is None and fighter.daemon:
        scene.leave_out(f"what the toughness of {name} stops: no 'toughness' is stated")
    soaked = bonus or 0 if fighter.daemon else 0
    test = _pinning_test(scene, shooter, name, original)
    return Target(name, stopped, soaked, bonus, test, suppressed)


def _pinning_test(scene: Scene, shooter: Shooter, name: str, original: str) -> PinningTest | None:
    fighter, pinning = scene.combatants[name], scene.rules.pinning
    if not fighter.tests_pinning:
        return None
    if fighter.willpower is None:
        scene.leave_out(f"pinning of {name}: no 'willpower' is stated")
        return None
    own = scene.rulings.takes("pinning_band", "own")
    band = scenery.band_of(scene, shooter, name if own else original) or scene.rules.bands[-1]
    parts = [
        Modifier("Willpower", fighter.willpower, name),
        Modifier(f"{pinning.title} ({pinning.difficulty})", pinning.modifier, "rules: pinning"),
        Modifier(f"{band.title} range", band.pinning, "rules: pinning"),
    ]
    spared = scene.rulings.takes("lethal_pinning", "spared")
    return PinningTest(pinning.title, tuple(parts), _test(scene, tuple(parts)), spared)
