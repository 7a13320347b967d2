"""The four attacks: what each costs, who may make it, what it fires, its hits.

Everything that can never be lawful is refused here, before any die.
"""

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from firepower.chance.notation import dice
from firepower.combat.actions import Action, ActionRule
from firepower.combat.documents import Refusal
from firepower.combat.paths import Path_
from firepower.systems.rate_of_fire.aiming import Aiming
from firepower.systems.rate_of_fire.attack import Aimed, Attack, Buying
from firepower.systems.rate_of_fire.conditions import hampering, lasts
from firepower.systems.rate_of_fire.fired import Fired, is_open, paid, stormed
from firepower.systems.rate_of_fire.models import ActionLine, AttackName, RateOfFire, rate_of_fire
from firepower.systems.rate_of_fire.ranges import (
    check_lists,
    cones_of,
)
from firepower.systems.rate_of_fire.shooter import Shooter, find_shooter, profile, weapons_of
from firepower.systems.rate_of_fire.shooting import HitCount
from firepower.systems.rate_of_fire.tables import AttackTable, RofSetup, Rules
from firepower.systems.rate_of_fire.turn import turn_rules
from firepower.systems.rate_of_fire.utility import (
    CLEAR_JAM,
    RELOAD,
    affordable,
    is_delayed,
)

ENOUGH = 10**6
"""Rounds: where a fight goes on, too few of them are a matter of the moment."""


class AttackRule(ActionRule[ActionLine]):
    """What all attacks have in common: a weapon that has the mode, rounds, AP, a roll to hit."""

    name: ClassVar[AttackName]
    spreads: ClassVar[bool] = True
    full_rate: ClassVar[bool] = False
    full_auto: ClassVar[bool] = False
    needs_range: ClassVar[bool] = False

    @abstractmethod
    def has(self, rof: RateOfFire) -> bool:
        """Whether a weapon has this mode."""

    @abstractmethod
    def fired(self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_) -> Fired:
        """What it fires as asked for, with ammunition enough."""

    @abstractmethod
    def count(self, setup: RofSetup, fired: Fired) -> HitCount:
        """How degrees become hits."""

    @abstractmethod
    def wounds(self, setup: RofSetup, rof: RateOfFire) -> tuple[bool, bool, bool]:
        """Whether several hits earn the bonus, whether hits pin, and pin who was suppressed."""

    def table(self, tables: Rules) -> AttackTable:
        """Its row of the table of attacks."""
        return tables.actions[self.name]

    def heading(self, tables: Rules) -> str:
        return self.table(tables).title

    def figures(self, tables: Rules) -> dict[str, str]:
        row = self.table(tables)
        return {
            "ap": self.cost(row),
            "to hit": f"{row.modifier:+d} ({row.difficulty})",
            "aim": "counts" if row.aim else "does not count",
        }

    def cost(self, row: AttackTable) -> str:
        """What it costs, for a listing."""
        return str(row.ap)

    # -- what a line leaves open -----------------------------------------------------------------

    def candidates(self, setup: RofSetup, line: ActionLine, path: Path_) -> Iterator[ActionLine]:
        limit = line.ap if setup.rounds is None else None
        if limit is None and setup.rounds is None:
            limit = setup.combatants[line.by].ap
        for weapon in weapons_of(setup, line, path):
            with_one = replace(line, weapon=weapon, ap=None)
            if is_open(setup, path) and "dice" not in self.own:
                with_one = replace(with_one, dice=None)
            shooter = find_shooter(setup, with_one, path)
            if self.has(shooter.rof):
                for way in self.ways(setup, shooter, with_one, path):
                    if limit is None or self.table(setup.tables).ap * (way.dice or 1) <= limit:
                        yield way

    def ways(
        self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_
    ) -> Iterator[ActionLine]:
        """The ways to make it with one weapon."""
        yield line

    def called(self, line: ActionLine) -> str:
        return f"{self.name} {line.dice}" if line.dice is not None else self.name

    def option(self, setup: RofSetup, line: ActionLine, candidate: ActionLine, key: str) -> str:
        if line.in_cone is None and candidate.in_cone is not None:
            key = f"{key} at {', '.join(candidate.in_cone)}"
        several = not line.weapon and len(setup.combatants[line.by].weapons) > 1
        return f"{key} with {candidate.weapon}" if several else key

    # -- what is declared ------------------------------------------------------------------------

    def declare(self, setup: RofSetup, line: ActionLine, path: Path_) -> Action:
        return self.made(setup, self.shooter(setup, line, path), line, path)

    def instead(self, setup: RofSetup, line: ActionLine, path: Path_) -> Iterator[Action]:
        """What is fired where the rounds are too few, by the ruling on that."""
        shooter = find_shooter(setup, line, path)
        if shooter.loaded is None or not lasts(setup):
            return
        if setup.rulings["short_ammunition"] == "forbid":
            return
        with setup.trying(quietly=True):
            whole = self.made(setup, self.shooter(setup, line, path), line, path)
        for loaded in range(1, whole.least):
            try:
                with setup.trying(quietly=True):
                    made = self.made(setup, replace(shooter, loaded=loaded), line, path)
            except Refusal:
                continue
            yield replace(made, least=loaded, most=loaded)

    def shooter(self, setup: RofSetup, line: ActionLine, path: Path_) -> Shooter:
        """Who shoots, with a weapon as it may be by then; refuses one that can never fire."""
        shooter = find_shooter(setup, line, path)
        who, weapon = shooter.name, shooter.weapon_name
        if shooter.carried.jammed and not (setup.goes_on or CLEAR_JAM.may_come(setup, who, weapon)):
            raise setup.wrong(
                ("combatants", who, "weapons", weapon, "jammed"),
                "is true: a jammed weapon cannot fire until it is cleared",
            )
        if shooter.loaded is None:
            return shooter
        if setup.goes_on:
            return replace(shooter, loaded=ENOUGH)
        if RELOAD.may_come(setup, who, weapon):
            return replace(shooter, loaded=max(shooter.loaded, shooter.weapon.magazine or 0))
        return shooter

    def made(self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_) -> Attack:
        """The attack with the rounds that this shooter has."""
        check_lists(setup, line, path)
        self.check(setup, shooter, line, path)
        wanted = self.fired(setup, shooter, line, path)
        rule, fired = loaded_for(setup, shooter, self, wanted)
        return rule.attack(setup, shooter, line, fired, path)

    def check(self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_) -> None:
        """Refuse what can never be lawful. R11"""
        if not self.has(shooter.rof):
            can = [rule.name for rule in ATTACKS if rule.has(shooter.rof)]
            raise setup.wrong(
                (*path, "action"),
                f"is {self.name!r}, which the {shooter.weapon_name} (rof {shooter.weapon.rof}) "
                f"cannot do; it can do {', '.join(can) or 'nothing'}",
            )
        if self.full_rate:
            states = {"engaged": shooter.combatant.engaged or shooter.name in line.melee}
            states["fleeing"] = shooter.combatant.fleeing
            for state in (state for state, holds in states.items() if holds):
                raise setup.wrong(
                    (*path, "action"),
                    f"is {self.name!r}, but {shooter.name} is {state}: not allowed",
                )
        if line.dice is not None and "dice" not in self.own:
            raise setup.wrong((*path, "dice"), f"is {line.dice}, but only full-auto rolls dice")
        if line.aim and setup.rounds is not None:
            raise setup.wrong(
                (*path, "aim"), f"is {line.aim}, but in a fight aiming is a line: action = 'aim'"
            )

    def attack(
        self, setup: RofSetup, shooter: Shooter, line: ActionLine, fired: Fired, path: Path_
    ) -> Attack:
        """The attack that fires so much."""
        aims = tuple(self.aims(Aiming(self, setup, shooter, fired, path), line))
        counted, limit = self._most_shots(setup, shooter, fired)
        rolled = dice(f"{fired.dice}d{shooter.rof.faces}") if fired.dice else None
        called = self.called(replace(line, dice=fired.dice or None))
        made = Attack(
            who=line.by,
            key=called,
            weapon=shooter.weapon_name,
            ap=fired.ap,
            least=fired.rounds,
            most=None,
            counted=counted,
            limit=limit,
            dice=rolled,
            buying=None,
            goes_on=f"{called} {shooter.weapon_name}" if self.extended(setup) else "",
            aims=aims,
            chooses=len(aims) > 1 and not aims[0].shot.cone,
            aim_counts=self.table(setup.tables).aim,
            hampering=hampering(setup, line.by),
        )
        if not made.goes_on:
            affordable(setup, made, fired.ap, path)
        return made

    def extended(self, setup: RofSetup) -> bool:
        """Whether its AP may be put in turn by turn."""
        return False

    def _most_shots(
        self, setup: RofSetup, shooter: Shooter, fired: Fired
    ) -> tuple[int, int | None]:
        """What counts against the most shots of a turn, and how many these are. R13"""
        rof = shooter.rof
        if not rof.dice or setup.rounds is None:
            return 0, None
        counted, limit = fired.shots, rof.most_shots
        how = setup.rulings["shots_in_a_turn"]
        if how != "every_attack" and not self.full_rate:
            counted = 0
        elif how == "one_attack":
            return limit, limit
        return counted, None if self._never_fires_more(setup, shooter, limit) else limit

    def _never_fires_more(self, setup: RofSetup, shooter: Shooter, limit: int) -> bool:
        """Whether the AP of a turn never allow more shots than the limit."""
        mine = [line for line in setup.scenario.do if line.by == shooter.name]
        actions = {name for line in mine for name in (line.action, *line.otherwise)}
        if actions & {None, FULL_AUTO.name} and FULL_AUTO.extended(setup):
            return False
        if shooter.carried.fired:
            return False
        most, rof = turn_rules(setup, shooter.name).most_ap, shooter.rof
        suppressing = -(-limit // SUPPRESSING_FIRE.table(setup.tables).ap)
        return most is not None and most * max(rof.faces, rof.semi, suppressing) <= limit

    # -- at whom ---------------------------------------------------------------------------------

    def aims(self, aiming: Aiming, line: ActionLine) -> Iterator[Aimed]:
        """The shots that it may be, the first wanted first."""
        return aiming.at_each(line)


class SingleShot(AttackRule):
    """Single Shot Attack: one shot at +10, one hit at most; an aim counts. R04, R05"""

    name = "single-shot"
    spreads = False

    def has(self, rof: RateOfFire) -> bool:
        return rof.single

    def fired(self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_) -> Fired:
        return paid(setup, line, Fired(0, 1, self.table(setup.tables).ap, 1), path)

    def count(self, setup: RofSetup, fired: Fired) -> HitCount:
        return HitCount(((0, 1),), 0, 1, cap_last=False)

    def wounds(self, setup: RofSetup, rof: RateOfFire) -> tuple[bool, bool, bool]:
        return False, False, False


class SemiAuto(AttackRule):
    """Semi-Auto Attack: a burst at +0, hits by a table; an aim never counts. R06, R07, R09"""

    name = "semi-auto"

    def has(self, rof: RateOfFire) -> bool:
        return rof.semi > 0

    def fired(self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_) -> Fired:
        rounds = shooter.rof.semi
        return paid(setup, line, Fired(0, rounds, self.table(setup.tables).ap, rounds), path)

    def count(self, setup: RofSetup, fired: Fired) -> HitCount:
        table = tuple((row.degrees, row.hits) for row in setup.tables.semi_auto_hits)
        over = {"none": None, "rounds": 0, "rounds_plus_one": 1}[setup.rulings["semi_auto_cap"]]
        return HitCount(table, over, 1, cap_last=False)

    def wounds(self, setup: RofSetup, rof: RateOfFire) -> tuple[bool, bool, bool]:
        return True, bool(rof.dice) and setup.rulings.takes("semi_auto_pins", "yes"), False


class FullAuto(AttackRule):
    """Full Auto Attack: a rate-of-fire die for each AP, then a test at -10, a hit a degree.

    R15, R16
    """

    name = "full-auto"
    own = ("dice", "ap")
    full_rate = full_auto = True

    def has(self, rof: RateOfFire) -> bool:
        return rof.dice > 0

    def cost(self, row: AttackTable) -> str:
        return f"{row.ap} a die"

    def ways(
        self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_
    ) -> Iterator[ActionLine]:
        one_by_one = setup.rulings.takes("dice_bought", "one_by_one")
        least = line.dice or 1
        for count in [least] if line.dice or one_by_one else range(1, 1 + shooter.rof.dice):
            yield replace(line, dice=count)

    def fired(self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_) -> Fired:
        rof, row = shooter.rof, self.table(setup.tables)
        count = self._dice_of(setup, line)
        if count > rof.dice:
            raise setup.wrong(
                (*path, "ap" if line.dice is None else "dice"),
                f"is {count}, but the {shooter.weapon_name} (rof {shooter.weapon.rof}) rolls at "
                f"most {rof.dice}",
            )
        ap = self._ap(setup, line, count * row.ap, path)
        return Fired(count, stormed(setup, shooter, count * rof.faces), ap, count * rof.faces)

    def _dice_of(self, setup: RofSetup, line: ActionLine) -> int:
        """The rate-of-fire dice of a line: as stated, else one for each AP, else one."""
        if line.dice is not None:
            return line.dice
        if line.ap is None:
            setup.leave_out(
                "more rate-of-fire dice: neither 'dice' nor 'ap' is stated, one is rolled"
            )
            return 1
        return line.ap // self.table(setup.tables).ap

    def _ap(self, setup: RofSetup, line: ActionLine, ap: int, path: Path_) -> int:
        if line.ap is None or line.ap == ap:
            return ap
        if setup.rulings.takes("dice_per_ap", "equal"):
            raise setup.wrong((*path, "ap"), f"is {line.ap}, but {line.dice} dice cost {ap} AP")
        if line.ap < ap:
            raise setup.wrong(
                (*path, "ap"), f"is {line.ap}, which allows no more than {line.ap} dice"
            )
        return line.ap

    def attack(
        self, setup: RofSetup, shooter: Shooter, line: ActionLine, fired: Fired, path: Path_
    ) -> Attack:
        if setup.rulings.takes("dice_bought", "declared"):
            return super().attack(setup, shooter, line, fired, path)
        one = Fired(1, fired.rounds // fired.dice, fired.ap // fired.dice, shooter.rof.faces)
        made = super().attack(setup, shooter, line, one, path)
        each = Buying(shooter.rof.dice, fired.dice, one.ap, one.rounds, one.shots, made.counted)
        return replace(made, key=self.name, buying=each)

    def extended(self, setup: RofSetup) -> bool:
        return setup.rounds is not None and setup.rulings.takes("extended_action", "over_turns")

    def takes(self, setup: RofSetup, who: str) -> dict[str, int]:
        """The AP of each that may be begun in one turn and go on in the next."""
        if not self.extended(setup) or setup.rulings.takes("dice_bought", "one_by_one"):
            return {}
        found = dict[str, int]()
        mine = [line.ap or 0 for line in setup.scenario.do if line.by == who]
        more = max(mine, default=0) if setup.rulings.takes("dice_per_ap", "up_to") else 0
        for weapon in setup.combatants[who].weapons:
            for count in range(1, 1 + rate_of_fire(profile(setup, who, weapon).rof).dice):
                called = self.called(ActionLine(by=who, dice=count))
                found[f"{called} {weapon}"] = max(more, count * self.table(setup.tables).ap)
        return found

    def count(self, setup: RofSetup, fired: Fired) -> HitCount:
        return HitCount(None, 0, 1, cap_last=False)

    def wounds(self, setup: RofSetup, rof: RateOfFire) -> tuple[bool, bool, bool]:
        return True, True, False


class SuppressingFire(AttackRule):
    """Suppressing Fire Attack: a cone tests pinning, then a test at -30. R21, R25, R27, B12"""

    name = "suppressing-fire"
    full_rate = needs_range = True

    def has(self, rof: RateOfFire) -> bool:
        return rof.dice > 0

    def ways(
        self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_
    ) -> Iterator[ActionLine]:
        """One for each set of people that a direction of the cone takes in."""
        stated = line.in_cone is not None or (line.at and not is_open(setup, path))
        known = [] if stated else cones_of(setup, shooter, line)
        if not known:
            yield line
            return
        named = setup.rulings.takes("suppressing_original", "named")
        for names in known:
            at = [name for name in line.at if name in names][:1] if named else []
            yield replace(line, in_cone=list(names), at=at or list(names[: int(named)]))

    def check(self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_) -> None:
        if setup.rounds is not None and is_delayed(setup, line):
            raise setup.wrong(
                (*path, "action"), f"is {self.name!r}, which cannot be joined with a Delay"
            )
        super().check(setup, shooter, line, path)

    def fired(self, setup: RofSetup, shooter: Shooter, line: ActionLine, path: Path_) -> Fired:
        shots = shooter.rof.most_shots
        ap = self.table(setup.tables).ap
        return paid(setup, line, Fired(0, stormed(setup, shooter, shots), ap, shots), path)

    def count(self, setup: RofSetup, fired: Fired) -> HitCount:
        table = tuple((row.degrees, row.hits) for row in setup.tables.suppressing_hits)
        if setup.rulings.takes("suppressing_cap", "rounds_spent"):
            return HitCount(table, fired.rounds - fired.shots, 1, cap_last=True)
        return HitCount(table, None, 1, cap_last=False)

    def wounds(self, setup: RofSetup, rof: RateOfFire) -> tuple[bool, bool, bool]:
        rulings = setup.rulings
        repins = rulings.takes("suppressed_and_hit", "yes")
        return rulings.takes("suppressing_bonus", "yes"), repins, repins

    def aims(self, aiming: Aiming, line: ActionLine) -> Iterator[Aimed]:
        return aiming.at_cone(line)


SINGLE_SHOT, SEMI_AUTO, FULL_AUTO = SingleShot(), SemiAuto(), FullAuto()
SUPPRESSING_FIRE = SuppressingFire()
ATTACKS: tuple[AttackRule, ...] = (SINGLE_SHOT, SEMI_AUTO, FULL_AUTO, SUPPRESSING_FIRE)


# -- rounds and AP -------------------------------------------------------------------------------


def loaded_for(
    setup: RofSetup, shooter: Shooter, rule: AttackRule, wanted: Fired
) -> tuple[AttackRule, Fired]:
    """What the loaded rounds allow; refuses where they are too few."""
    loaded = shooter.loaded
    if loaded is None:
        setup.leave_out(f"ammunition: {shooter.name} states no rounds 'loaded', enough are assumed")
        return rule, wanted
    if loaded >= wanted.rounds:
        return rule, wanted
    how = setup.rulings["short_ammunition"]
    if how == "partial" and loaded:
        return rule, replace(wanted, rounds=loaded, shots=min(wanted.shots, loaded))
    lesser = downgraded(setup, shooter, rule, wanted, loaded)
    if lesser is not None and how == "downgrade":
        called = lesser[0].name
        setup.leave_out(f"{rule.name} as asked for: with {loaded} loaded it is {called}")
        return lesser
    lawful = "nothing can be fired"
    if lesser is not None:
        lawful = f"lawful is {lesser[0].name}"
        if lesser[1].dice:
            lawful += f" with {lesser[1].dice} {'die' if lesser[1].dice == 1 else 'dice'}"
    raise setup.wrong(
        ("combatants", shooter.name, "weapons", shooter.weapon_name, "loaded"),
        f"is {loaded}, but {rule.name} uses {wanted.rounds} rounds; {lawful}",
    )


def downgraded(
    setup: RofSetup, shooter: Shooter, rule: AttackRule, wanted: Fired, loaded: int
) -> tuple[AttackRule, Fired] | None:
    """The largest lawful attack with the rounds loaded: fewer dice, a burst, a single shot."""
    rof, actions = shooter.rof, setup.tables.actions
    if rule.full_rate:
        each = wanted.rounds // (wanted.dice or rof.dice)
        count = min(loaded // each, rof.dice)
        if count:
            ap = count * actions[FULL_AUTO.name].ap
            return FULL_AUTO, Fired(count, count * each, ap, count * rof.faces)
        if rof.semi and loaded >= rof.semi:
            return SEMI_AUTO, Fired(0, rof.semi, actions[SEMI_AUTO.name].ap, rof.semi)
    if rof.single and loaded >= 1 and rule is not SINGLE_SHOT:
        return SINGLE_SHOT, Fired(0, 1, actions[SINGLE_SHOT.name].ap, 1)
    return None
