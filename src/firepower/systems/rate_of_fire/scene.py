"""The scene of an attack: who shoots with what, where everybody stands, in which band."""

from math import floor, inf

import msgspec

from firepower.combat import geometry
from firepower.combat.documents import Document, Path_, close_matches
from firepower.combat.errors import QuestionError
from firepower.combat.register import Readings
from firepower.systems.rate_of_fire.models import (
    ActionLine,
    CarriedWeapon,
    Combatant,
    RateOfFire,
    RateOfFireScenario,
    Weapon,
    harm,
    rate_of_fire,
)
from firepower.systems.rate_of_fire.tables import Band, Rules


class Scene:
    """What does not change while a question is answered; what is missing is collected.

    `lasts`: what is done in one attack is read by a later one. `acting` are those who act, and
    `reloads` and `clears` the weapons (of whom, which) that are reloaded or cleared of a jam.
    """

    def __init__(
        self,
        rules: Rules,
        scenario: RateOfFireScenario,
        document: Document,
    ) -> None:
        self.rules = rules
        self.document = document
        self.combatants = scenario.combatants
        self.rulings = Readings(rules.rulings, scenario.rulings)
        self.policies = Readings(rules.policies, scenario.policies)
        self.not_modelled: dict[str, None] = {}
        self.lasts = False
        self.acting: tuple[str, ...] = ()
        self.reloads: set[tuple[str, str]] = set()
        self.clears: set[tuple[str, str]] = set()

    def begin_fight(self, acting: tuple[str, ...]) -> None:
        """From here on the question is a fight of turns: what happens to somebody lasts."""
        self.lasts = True
        self.acting = acting

    def wrong(self, path: Path_, sentence: str) -> QuestionError:
        """The refusal of what stands at this key path of the scenario."""
        return self.document.wrong(path, sentence)

    def leave_out(self, what: str) -> None:
        """Name something that the scenario does not state and the answer leaves out."""
        self.not_modelled[what] = None

    def leave_out_option(self, action: str, refusal: QuestionError) -> None:
        """Name an option that is not lawful, with the reason."""
        reason = str(refusal).removeprefix(f"{self.document.name}: ")
        self.leave_out(f"{action} as an option: {reason}")

    def combatant(self, name: str, path: Path_) -> Combatant:
        """The combatant of this name, which stands at `path` in the scenario."""
        if name not in self.combatants:
            near = close_matches(name, self.combatants)
            raise self.wrong(path, f"names {name!r}, who is not here; {near}")
        return self.combatants[name]

    def check_lists(self, line: ActionLine, path: Path_) -> None:
        """Check the names in every list of a line, whether this attack needs it or not."""
        for key in ("at", "near", "melee", "in_cone", "out_of_sight"):
            self._check_list(getattr(line, key) or [], (*path, key), line.by)

    def _check_list(self, names: list[str], path: Path_, shooter: str) -> None:
        for i, name in enumerate(names):
            self.combatant(name, (*path, i))
            if name == shooter:
                raise self.wrong((*path, i), f"names {name!r}, who is the one shooting")
            if name in names[:i]:
                raise self.wrong((*path, i), f"names {name!r} twice")


class Shooter(msgspec.Struct, frozen=True):
    """Who shoots, and with what."""

    name: str
    combatant: Combatant
    skill: int
    weapon: Weapon
    weapon_name: str
    carried: CarriedWeapon
    rof: RateOfFire
    arm: int

    def bonus(self, rules: Rules) -> int:
        """The Ranged Combat bonus."""
        stated = self.combatant.ranged_combat_bonus
        return rules.bonus(self.skill) if stated is None else stated


def find_weapon(scene: Scene, line: ActionLine, path: Path_) -> str:
    """The name of the weapon that a line is about."""
    combatant = scene.combatant(line.by, (*path, "by"))
    name = line.weapon
    if not name:
        if len(combatant.weapons) != 1:
            have = ", ".join(combatant.weapons) or "none"
            raise scene.wrong(path, f"must name its 'weapon'; {line.by} has {have}")
        name = next(iter(combatant.weapons))
    if name not in combatant.weapons:
        near = close_matches(name, combatant.weapons)
        raise scene.wrong((*path, "weapon"), f"is {name!r}, which {line.by} does not have; {near}")
    return name


def find_shooter(scene: Scene, line: ActionLine, path: Path_) -> Shooter:
    """Who a line lets act, with a weapon that can fire at all; refuses otherwise."""
    combatant = scene.combatant(line.by, (*path, "by"))
    if combatant.ranged_combat is None:
        raise scene.wrong(("combatants", line.by), "shoots, so it needs the key 'ranged_combat'")
    name = find_weapon(scene, line, path)
    carried = _in_time(scene, line.by, name, combatant.weapons[name])
    where = ("combatants", line.by, "weapons", name)
    weapon = profile(scene, name, carried, where)
    if carried.jammed:
        raise scene.wrong(
            (*where, "jammed"), "is true: a jammed weapon cannot fire until it is cleared"
        )
    rof = rate_of_fire(weapon.rof)
    arm = list(combatant.weapons).index(name)
    return Shooter(line.by, combatant, combatant.ranged_combat, weapon, name, carried, rof, arm)


def _in_time(scene: Scene, who: str, name: str, carried: CarriedWeapon) -> CarriedWeapon:
    """A weapon at its best in this fight: reloaded and cleared of a jam, if that is done."""
    if (who, name) in scene.reloads and carried.loaded is not None:
        full = profile(scene, name, carried, ("combatants", who, "weapons", name)).magazine or 0
        carried = msgspec.structs.replace(carried, loaded=max(carried.loaded, full))
    if (who, name) in scene.clears:
        carried = msgspec.structs.replace(carried, jammed=False)
    return carried


def profile(scene: Scene, name: str, carried: CarriedWeapon, where: Path_) -> Weapon:
    """The weapon of the armoury with the scenario's changes, or one that is stated in full."""
    armoury = scene.rules.weapons
    known = carried.use or name
    changes = carried.changes()
    for key, read in (("rof", rate_of_fire), ("damage", harm)):
        if key in changes:
            try:
                read(str(changes[key]))
            except ValueError as problem:
                raise scene.wrong((*where, key), f"is wrong: {problem}") from None
    if known in armoury:
        return msgspec.structs.replace(armoury[known], **changes)
    if not carried.use and {"range", "rof", "damage"} <= changes.keys():
        return msgspec.convert({"title": name, **changes}, Weapon)
    near = close_matches(known, armoury)
    raise scene.wrong(
        (*where, "use") if carried.use else where,
        f"names {known!r}, no weapon of the armoury, and states no range, rof and damage; {near}",
    )


def distance_m(scene: Scene, shooter: str, name: str) -> float:
    """How far somebody is from the shooter: stated, or by positions."""
    me, other = scene.combatants[shooter], scene.combatants[name]
    if me.position is not None and other.position is not None:
        metres = geometry.distance(me.position, other.position)
        if other.distance is not None and abs(metres - other.distance) > geometry.EDGE:
            raise scene.wrong(
                ("combatants", name, "distance"),
                f"is {other.distance:g} m, but by their positions it is {metres:g} m",
            )
        return metres
    stated = [each.distance for each in (me, other) if each.distance is not None]
    if len(scene.combatants) == 2 and len(set(stated)) == 2:
        raise scene.wrong(
            ("combatants", shooter, "distance"),
            f"is {stated[0]:g} m, but {name} is {stated[1]:g} m away: two have one distance",
        )
    if other.distance is None and me.distance is not None and len(scene.combatants) == 2:
        return me.distance
    if other.distance is None and other.position is not None:
        raise scene.wrong(("combatants", shooter), f"needs the key 'position', as {name} has one")
    if other.distance is None:
        raise scene.wrong(
            ("combatants", name), "needs the key 'distance' (metres from the shooter)"
        )
    return other.distance


def band_at(scene: Scene, weapon: Weapon, metres: float) -> Band | None:
    """The range band at a distance; None beyond the last."""
    rules = scene.rules
    metres = _measured(scene, metres)
    tenth = scene.rulings.takes("point_blank", "tenth_of_range")
    point_blank = weapon.range // 10 if tenth else rules.point_blank_m
    for band in rules.bands:
        end = band.ranges * weapon.range if band.ranges else point_blank
        if metres <= end + geometry.EDGE:
            return band
    return None


def _measured(scene: Scene, metres: float) -> float:
    """A distance as bands count it."""
    nearer = scene.rulings.takes("between_bands", "nearer")
    return floor(metres + geometry.EDGE) if nearer else metres


def band_of(scene: Scene, shooter: Shooter, name: str) -> Band | None:
    """The range band that somebody stands in, seen from the shooter."""
    return band_at(scene, shooter.weapon, distance_m(scene, shooter.name, name))


def who_is_near(
    scene: Scene, shooter: Shooter, line: ActionLine, original: str, path: Path_
) -> tuple[str, ...]:
    """Who may take further hits: within 2 m of the original target and in range."""
    positions = {
        name: each.position
        for name, each in scene.combatants.items()
        if each.position is not None and name not in (shooter.name, *line.out_of_sight)
    }
    found: tuple[str, ...] = ()
    if original in positions:
        chained = scene.rulings.takes("near", "chained")
        found = geometry.near(original, positions, scene.rules.spread_m, chained=chained)
    if line.near is not None:
        for i, name in enumerate(line.near):
            if name == original:
                raise scene.wrong((*path, "near", i), f"names {name!r}, the original target")
            if original in positions and name in positions and name not in found:
                raise scene.wrong(
                    (*path, "near", i),
                    f"names {name!r}, whose position is not within {scene.rules.spread_m:g} m "
                    f"of {original}",
                )
        found = tuple(name for name in line.near if name not in line.out_of_sight)
        _check_near_by_distance(scene, shooter, original, found, path)
    if found and scene.rulings.takes("further_targets", "in_range"):
        for name in found:
            if band_of(scene, shooter, name) is None:
                scene.leave_out(f"further hits on {name}: out of range")
        found = tuple(name for name in found if band_of(scene, shooter, name) is not None)
    return found


def _check_near_by_distance(
    scene: Scene, shooter: Shooter, original: str, found: tuple[str, ...], path: Path_
) -> None:
    """Nobody near can be nearer or farther than the target by more than the reach."""
    if scene.rulings.takes("near", "chained"):
        return
    here, reach = distance_m(scene, shooter.name, original), scene.rules.spread_m
    for i, name in enumerate(found):
        there = distance_m(scene, shooter.name, name)
        if abs(here - there) > reach + geometry.EDGE:
            raise scene.wrong(
                (*path, "near", i),
                f"names {name!r}, who is {there:g} m away and so not within {reach:g} m of "
                f"{original} at {here:g} m",
            )


def who_is_in_cone(
    scene: Scene, shooter: Shooter, line: ActionLine, path: Path_
) -> tuple[str, ...]:
    """Everybody in the cone of suppressing fire, friends too, in the order of the scenario."""
    if line.in_cone is not None:
        for i, name in enumerate(line.in_cone):
            metres = distance_m(scene, shooter.name, name)
            if _measured(scene, metres) > _cone_length(scene, shooter) + geometry.EDGE:
                raise scene.wrong(
                    (*path, "in_cone", i), f"names {name!r}, who is {metres:g} m away: out of range"
                )
        if line.at and line.at[0] not in line.in_cone:
            raise scene.wrong((*path, "at"), f"is {line.at[0]!r}, who is not listed in the cone")
        _check_cone_by_positions(scene, shooter, line.in_cone, path)
        return tuple(name for name in line.in_cone if name not in line.out_of_sight)
    me = shooter.combatant.position
    towards = scene.combatants[line.at[0]].position if line.at else None
    if me is None or towards is None:
        raise scene.wrong(
            path,
            "must list everybody 'in_cone', or everybody needs a 'position' and 'at' names the "
            "one whom the middle of the cone points at",
        )
    half = _half_cone(scene)
    if me == towards:
        raise scene.wrong((*path, "at"), f"is where {shooter.name} is: the cone has no direction")
    inside = []
    for name, each in scene.combatants.items():
        if name == shooter.name or name in line.out_of_sight:
            continue
        if each.position is None:
            raise scene.wrong(("combatants", name), "needs the key 'position': is it in the cone?")
        if geometry.within_cone(me, towards, each.position, half, _cone_length(scene, shooter)):
            inside.append(name)
    return tuple(inside)


def _check_cone_by_positions(scene: Scene, shooter: Shooter, names: list[str], path: Path_) -> None:
    """Those who have positions must fit into one cone."""
    me = shooter.combatant.position
    placed = [(i, n, at) for i, n in enumerate(names) if (at := scene.combatants[n].position)]
    if me is None:
        return
    for i, name, at in placed:
        for _, other, where in placed:
            if not geometry.within_cone(me, where, at, 2 * _half_cone(scene), inf):
                raise scene.wrong(
                    (*path, "in_cone", i), f"names {name!r}, who is not in one cone with {other}"
                )


def _half_cone(scene: Scene) -> float:
    in_all = scene.rulings.takes("cone_angle", "in_all")
    return scene.rules.cone_degrees / 2 if in_all else scene.rules.cone_degrees


def _cone_length(scene: Scene, shooter: Shooter) -> float:
    if scene.rulings.takes("cone_length", "range"):
        return shooter.weapon.range
    return scene.rules.bands[-1].ranges * shooter.weapon.range


def out_of_range(scene: Scene, shooter: Shooter, name: str, path: Path_) -> QuestionError:
    """The refusal of a target beyond the last band."""
    metres = distance_m(scene, shooter.name, name)
    end = scene.rules.bands[-1].ranges * shooter.weapon.range
    return scene.wrong(path, f"is {name!r}, who is {metres:g} m away; the weapon reaches {end:g} m")
