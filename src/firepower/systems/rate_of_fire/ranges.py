"""Range bands, and who stands where: near a target, in a cone, in a melee."""

from math import floor

from firepower.combat.documents import Refusal
from firepower.combat.ground import EDGE, Position, cones, fit_one_cone, near, within_cone
from firepower.combat.paths import Path_
from firepower.systems.rate_of_fire.models import ActionLine
from firepower.systems.rate_of_fire.shooter import Shooter
from firepower.systems.rate_of_fire.tables import Band, RofSetup


def band_at(setup: RofSetup, range_m: float, metres: float) -> Band | None:
    """The range band of a weapon at a distance; None beyond the last. R03"""
    tables = setup.tables
    metres = _measured(setup, metres)
    tenth = setup.rulings.takes("point_blank", "tenth_of_range")
    point_blank = range_m // 10 if tenth else tables.point_blank_m
    for band in tables.bands:
        end = band.ranges * range_m if band.ranges else point_blank
        if metres <= end + EDGE:
            return band
    return None


def band_of(setup: RofSetup, shooter: Shooter, name: str) -> Band | None:
    """The range band that somebody stands in, seen from the shooter."""
    return band_at(setup, shooter.weapon.range, setup.distance(shooter.name, name))


def _measured(setup: RofSetup, metres: float) -> float:
    """A distance as bands count it."""
    nearer = setup.rulings.takes("between_bands", "nearer")
    return floor(metres + EDGE) if nearer else metres


def out_of_range(setup: RofSetup, shooter: Shooter, name: str, path: Path_) -> Refusal:
    """The refusal of a target beyond the last band."""
    metres = setup.distance(shooter.name, name)
    end = setup.tables.bands[-1].ranges * shooter.weapon.range
    return setup.wrong(path, f"is {name!r}, who is {metres:g} m away; the weapon reaches {end:g} m")


def check_lists(setup: RofSetup, line: ActionLine, path: Path_) -> None:
    """Check the names in every list of a line, whether this attack needs it or not."""
    for key in ("at", "near", "melee", "in_cone", "out_of_sight"):
        names = getattr(line, key) or []
        for i, name in enumerate(names):
            setup.combatant(name, (*path, key, i))
            if name == line.by and key != "melee":
                raise setup.wrong((*path, key, i), f"names {name!r}, who is the one shooting")
            if name in names[:i]:
                raise setup.wrong((*path, key, i), f"names {name!r} twice")


# -- near the target -----------------------------------------------------------------------------


def who_is_near(
    setup: RofSetup, shooter: Shooter, line: ActionLine, original: str, path: Path_
) -> tuple[str, ...]:
    """Who may take further hits: within 2 m of the original target and in range."""
    positions = {
        name: each.position
        for name, each in setup.combatants.items()
        if each.position is not None and name not in (shooter.name, *line.out_of_sight)
    }
    reach, found = setup.tables.spread_m, tuple[str, ...]()
    if original in positions:
        chained = setup.rulings.takes("near", "chained")
        found = near(original, positions, reach, chained=chained)
    if line.near is not None:
        for i, name in enumerate(line.near):
            if name == original:
                raise setup.wrong((*path, "near", i), f"names {name!r}, the original target")
            if original in positions and name in positions and name not in found:
                raise setup.wrong(
                    (*path, "near", i),
                    f"names {name!r}, whose position is not within {reach:g} m of {original}",
                )
        found = tuple(name for name in line.near if name not in line.out_of_sight)
        _check_near_by_distance(setup, shooter, original, found, path)
    if found and setup.rulings.takes("further_targets", "in_range"):
        for name in found:
            if band_of(setup, shooter, name) is None:
                setup.leave_out(f"further hits on {name}: out of range")
        found = tuple(name for name in found if band_of(setup, shooter, name) is not None)
    return found


def _check_near_by_distance(
    setup: RofSetup, shooter: Shooter, original: str, found: tuple[str, ...], path: Path_
) -> None:
    """Nobody near can be nearer or farther than the target by more than the reach."""
    if setup.rulings.takes("near", "chained"):
        return
    here, reach = setup.distance(shooter.name, original), setup.tables.spread_m
    for i, name in enumerate(found):
        there = setup.distance(shooter.name, name)
        if abs(here - there) > reach + EDGE:
            raise setup.wrong(
                (*path, "near", i),
                f"names {name!r}, who is {there:g} m away and so not within {reach:g} m of "
                f"{original} at {here:g} m",
            )


def melee_of(
    setup: RofSetup, shooter: Shooter, line: ActionLine, original: str, path: Path_
) -> tuple[str, ...]:
    """Everybody in the melee that is shot into, the original target first."""
    if not line.melee or not original:
        return ()
    others = [name for name in line.melee if name != shooter.name]
    for i, name in enumerate(line.melee):
        if name in others and band_of(setup, shooter, name) is None:
            raise out_of_range(setup, shooter, name, (*path, "melee", i))
    return tuple(dict.fromkeys((original, *others)))


# -- the cone of suppressing fire ----------------------------------------------------------------


def who_is_in_cone(
    setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_
) -> tuple[str, ...]:
    """Everybody in the cone of suppressing fire, friends too, in the order of the scenario. R22"""
    if line.in_cone is not None:
        for i, name in enumerate(line.in_cone):
            metres = setup.distance(shooter.name, name)
            if _measured(setup, metres) > _cone_length(setup, shooter) + EDGE:
                raise setup.wrong(
                    (*path, "in_cone", i), f"names {name!r}, who is {metres:g} m away: out of range"
                )
        if line.at and line.at[0] not in line.in_cone:
            raise setup.wrong((*path, "at"), f"is {line.at[0]!r}, who is not listed in the cone")
        _check_cone_by_positions(setup, shooter, line.in_cone, path)
        return tuple(name for name in line.in_cone if name not in line.out_of_sight)
    me = shooter.combatant.position
    towards = setup.combatants[line.at[0]].position if line.at else None
    if me is None or towards is None:
        raise setup.wrong(
            path,
            "must list everybody 'in_cone', or everybody needs a 'position' and 'at' names the "
            "one whom the middle of the cone points at",
        )
    if me == towards:
        raise setup.wrong((*path, "at"), f"is where {shooter.name} is: the cone has no direction")
    half, length = _half_cone(setup), _cone_length(setup, shooter)
    seen = _placed(setup, shooter, line)
    return tuple(n for n, at in seen.items() if within_cone(me, towards, at, half, length))


def cones_of(setup: RofSetup, shooter: Shooter, line: ActionLine) -> list[tuple[str, ...]]:
    """Whom the cone may take in, by its direction: each set of people once."""
    me = shooter.combatant.position
    if me is None:
        return []
    half, length = _half_cone(setup), _cone_length(setup, shooter)
    return cones(me, _placed(setup, shooter, line), half, length)


def _placed(setup: RofSetup, shooter: Shooter, line: ActionLine) -> dict[str, Position]:
    """Where everybody is who may be in the cone; refuses if somebody is nowhere."""
    found = {}
    for name, each in setup.combatants.items():
        if name == shooter.name or name in line.out_of_sight:
            continue
        if each.position is None:
            raise setup.wrong(("combatants", name), "needs the key 'position': is it in the cone?")
        found[name] = each.position
    return found


def _check_cone_by_positions(
    setup: RofSetup, shooter: Shooter, names: list[str], path: Path_
) -> None:
    """Those who have positions must fit into one cone."""
    me = shooter.combatant.position
    placed = {name: at for name in names if (at := setup.combatants[name].position)}
    apart = fit_one_cone(me, placed, _half_cone(setup)) if me is not None else None
    if apart is not None:
        name, other = apart
        raise setup.wrong(
            (*path, "in_cone", names.index(name)),
            f"names {name!r}, who is not in one cone with {other}",
        )


def _half_cone(setup: RofSetup) -> float:
    in_all = setup.rulings.takes("cone_angle", "in_all")
    return setup.tables.cone_degrees / 2 if in_all else setup.tables.cone_degrees


def _cone_length(setup: RofSetup, shooter: Shooter) -> float:
    if setup.rulings.takes("cone_length", "range"):
        return shooter.weapon.range
    return setup.tables.bands[-1].ranges * shooter.weapon.range
