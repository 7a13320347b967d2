"""From a line of the scenario to an attack: what it costs, the number to hit, who may be struck.

Everything that can never be lawful is refused here, before any die.
"""

import msgspec

from firepower.chance.dice import Dice
from firepower.chance.notation import dice
from firepower.chance.steps import Modifier, Task
from firepower.combat.documents import Path_
from firepower.systems.rate_of_fire import scene as scenery
from firepower.systems.rate_of_fire.conditions import PinningTest
from firepower.systems.rate_of_fire.damage import Body, Target, Wounding
from firepower.systems.rate_of_fire.models import ActionLine, AttackName, harm
from firepower.systems.rate_of_fire.muster import (
    bonus_of,
    fate_of,
    fatigue_of,
    hampering,
    test_rule,
)
from firepower.systems.rate_of_fire.scene import Scene, Shooter
from firepower.systems.rate_of_fire.shooting import Attack, HitCount
from firepower.systems.rate_of_fire.volley import FULL_AUTO_RATE, Volley, volley_of

NO_ROLL = 101
DOUBLES = frozenset(range(11, 100, 11))


class Aimed(msgspec.Struct, frozen=True, cache_hash=True):
    """An attack at one original target, possible as long as those in `needs` still stand.

    `alone`: the same when nobody else of a melee stands any more.
    """

    needs: tuple[str, ...]
    attack: Attack
    alone: Attack | None = None

    @property
    def concerns(self) -> tuple[str, ...]:
        """Everybody whom it looks at or may do something to."""
        alone = self.alone.reach if self.alone is not None else ()
        return (*self.needs, *self.attack.reach, *alone)

    def among(self, standing: frozenset[str]) -> Attack:
        """The attack as it is with those who still stand."""
        attack = self.attack
        if self.alone is not None and not standing.intersection(attack.melee[1:]):
            attack = self.alone
        if standing.issuperset((*attack.others, *attack.melee, *attack.cone)):
            return attack
        return msgspec.structs.replace(
            attack,
            others=tuple(name for name in attack.others if name in standing),
            melee=tuple(name for name in attack.melee if name in standing),
            cone=tuple(name for name in attack.cone if name in standing),
        )


class Prepared(msgspec.Struct, frozen=True):
    """An attack made ready: what is fired, and the attack for each original target there may be,
    in the order in which they are taken."""

    volley: Volley
    aims: tuple[Aimed, ...]
    shooter: Shooter

    @property
    def name(self) -> str:
        """What it is called among the options."""
        return self.volley.name

    @property
    def agenda(self) -> tuple[Task, ...]:
        """What it begins with, if everybody stands."""
        return tuple(self.aims[0].attack.begins())

    @property
    def targets(self) -> tuple[Target, ...]:
        """Who may be affected."""
        found = {each.name: each for aimed in self.aims for each in aimed.attack.targets}
        return tuple(found.values())


def prepare(scene: Scene, line: ActionLine, path: Path_, loaded: int | None = None) -> Prepared:
    """Check one line completely and make its attack; refuses what can never be lawful.

    `loaded` are the rounds in the weapon, if not those that the scenario states.
    """
    shooter = scenery.find_shooter(scene, line, path)
    if loaded is not None:
        carried = msgspec.structs.replace(shooter.carried, loaded=loaded)
        shooter = msgspec.structs.replace(shooter, carried=carried)
    scene.check_lists(line, path)
    volley = volley_of(scene, shooter, line, path)
    if volley.mode == "suppressing-fire":
        aims = _suppressing(scene, shooter, line, volley, path)
    else:
        aims = _at_one(scene, shooter, line, volley, path)
    return Prepared(volley, tuple(aims), shooter)


# -- at whom -------------------------------------------------------------------------------------


def _at_one(
    scene: Scene, shooter: Shooter, line: ActionLine, volley: Volley, path: Path_
) -> list[Aimed]:
    """The attack at each of those whom the line names."""
    if not line.at:
        raise scene.wrong(path, "must name the original target in 'at'")
    aims = []
    for i, original in enumerate(line.at):
        if original in line.out_of_sight:
            raise scene.wrong((*path, "at"), f"is {original!r}, who is out of sight")
        if scenery.band_of(scene, shooter, original) is None:
            raise scenery.out_of_range(scene, shooter, original, (*path, "at"))
        listed = line if i == 0 or len(line.at) == 1 else _elsewhere(scene, line, original)
        attack = _attack(scene, shooter, listed, volley, original, (), original, path)
        alone = None
        if len(attack.melee) > 1 and scene.lasts:
            free = msgspec.structs.replace(listed, melee=[])
            alone = _attack(scene, shooter, free, volley, original, (), original, path)
        aims.append(Aimed((original,), attack, alone))
    if len(aims) > 1 and scene.policies.takes("target", "closest"):
        aims.sort(key=lambda each: scenery.distance_m(scene, shooter.name, each.needs[0]))
    return aims


def _elsewhere(scene: Scene, line: ActionLine, original: str) -> ActionLine:
    """The line at another target than its first: what it lists is about the first."""
    if line.near is None and not line.melee:
        return line
    scene.leave_out(f"who is near {original}: 'near' and 'melee' are about {line.at[0]}")
    return msgspec.structs.replace(line, near=None, melee=[])


def _suppressing(
    scene: Scene, shooter: Shooter, line: ActionLine, volley: Volley, path: Path_
) -> list[Aimed]:
    """The attack at the cone: its original target, and in a fight those who come after it."""
    cone = scenery.who_is_in_cone(scene, shooter, line, path)
    if not cone:
        return [Aimed((), _attack(scene, shooter, line, volley, "", (), "", path))]
    near = sorted(cone, key=lambda name: scenery.distance_m(scene, shooter.name, name))
    pairs = [(name, name) for name in near]
    if scene.rulings.takes("suppressing_original", "named"):
        if not line.at or line.at[0] not in cone:
            raise scene.wrong(path, "must name somebody in the cone in 'at'")
        pairs = [(line.at[0], name) for name in near] + pairs
    noted = dict(scene.not_modelled)
    aims = []
    for original, closest in pairs if scene.lasts else pairs[:1]:
        attack = _attack(scene, shooter, line, volley, original, cone, closest, path)
        alone = None
        if len(attack.melee) > 1 and scene.lasts:
            free = msgspec.structs.replace(line, melee=[])
            alone = _attack(scene, shooter, free, volley, original, cone, closest, path)
        needs = tuple(dict.fromkeys((original, closest)))
        aims.append(Aimed(needs, attack, alone))
        noted = noted if aims[1:] else dict(scene.not_modelled)
    scene.not_modelled = noted
    return aims


# -- the attack ----------------------------------------------------------------------------------


def _attack(
    scene: Scene,
    shooter: Shooter,
    line: ActionLine,
    volley: Volley,
    original: str,
    cone: tuple[str, ...],
    closest: str,
    path: Path_,
) -> Attack:
    """The attack at one original target; `closest` is who sets range and movement."""
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
    parts = _to_hit(scene, shooter, line, volley, original, closest, into_melee=bool(melee))
    struck = dict.fromkeys((*cone, original, *others, *melee) if original else ())
    wounding = _wounding(scene, shooter, mode)
    bare = rulings.takes("errant_effects", "damage_only") if melee else False
    errant = msgspec.structs.replace(wounding, bonus="", pins="") if bare else wounding
    return Attack(
        shooter=shooter.name,
        title=rules.actions[mode].title,
        parts=parts,
        rule=test_rule(scene),
        jams_from=_jams_from(scene, shooter, mode),
        craftsmanship=shooter.carried.craftsmanship,
        conditions=tuple(sorted(rules.craftsmanship.items(), key=lambda each: each[1])),
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
        arm=shooter.arm if scene.lasts else None,
        hampering=hampering(scene),
        fate=fate_of(scene, shooter.name),
        useless_breaks=scene.lasts and rulings.takes("below_useless", "breaks"),
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
    closest: str,
    *,
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
        parts += _range_and_movement(scene, shooter, closest, required=suppressing)
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


def _jams_from(scene: Scene, shooter: Shooter, mode: AttackName) -> int:
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


def _storm(scene: Scene, shooter: Shooter, mode: AttackName) -> int:
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


def _wounding(scene: Scene, shooter: Shooter, mode: AttackName) -> Wounding:
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
    fighter = scene.combatants[name]
    stopped = max(0, fighter.armour + fighter.cover - shooter.weapon.penetration)
    bonus = bonus_of(scene, fighter, "toughness")
    if bonus is None:
        scene.leave_out(f"injuries of {name}: no 'toughness' is stated")
    if bonus is None and fighter.daemon:
        scene.leave_out(f"what the toughness of {name} stops: no 'toughness' is stated")
    soaked = bonus or 0 if fighter.daemon else 0
    test = _pinning_test(scene, shooter, name, original)
    fate = fate_of(scene, name)
    counts, collapses = fatigue_of(scene, bonus)
    body = Body(stopped, soaked, bonus, scene.lasts, counts, collapses, fate)
    return Target(name, body, test, suppressed)


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
    return PinningTest(
        pinning.title,
        tuple(parts),
        test_rule(scene),
        spared,
        name in scene.acting,
        hampering(scene),
        fate_of(scene, name),
    )
