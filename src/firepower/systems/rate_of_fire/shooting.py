"""The shot: the test to hit, hits by degrees, who takes them, jams and condition checks."""

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Dice, Term, die
from firepower.chance.notation import dice
from firepower.chance.readings import AtLeast, RollUnder
from firepower.chance.steps import Choice, Next, Option, Roll, Step, Task
from firepower.combat.percentile.tests import D100Rule, Parts, PercentileTest
from firepower.systems.rate_of_fire.conditions import Suppressed
from firepower.systems.rate_of_fire.damage import (
    ErrantHitsLand,
    Struck,
    StruckAstray,
    Target,
    Wounding,
)
from firepower.systems.rate_of_fire.fate import FateRules
from firepower.systems.rate_of_fire.fighter import BROKEN, Fighter

D10 = dice("d10")


class HitCount(msgspec.Struct, frozen=True):
    """How degrees become hits.

    `table`: (from so many degrees, so many hits), ascending; None: one hit a degree.
    `over_shots`: how far hits may exceed the shots (None: no cap). `storm` multiplies after the
    cap, or with `cap_last` before it.
    """

    table: tuple[tuple[int, int], ...] | None
    over_shots: int | None
    storm: int
    cap_last: bool

    def hits(self, degrees: int, shots: int) -> int:
        """The hits of a success with so many degrees."""
        count = degrees
        if self.table is not None:
            count = max((hits for least, hits in self.table if degrees >= least), default=0)
        if self.over_shots is None:
            return self.storm * count
        cap = shots + self.over_shots
        if self.cap_last:
            return min(self.storm * count, cap)
        return self.storm * min(count, cap)


class Jamming(msgspec.Struct, frozen=True):
    """When a weapon jams, and what a jam does.

    `since`: the natural roll. `hits_stand`: hits count all the same; `spends`: so do rounds.
    `conditions`: (name, number of the condition check), the best first; `breaks`: a useless weapon
    that fails the check fires no more.

    R38
    """

    since: int
    hits_stand: bool
    spends: bool
    conditions: tuple[tuple[str, int], ...]
    breaks: bool

    def check(self, weapon: str, condition: str) -> "ConditionCheck":
        """The check of a weapon in this condition."""
        at = [name for name, _ in self.conditions].index(condition)
        worse = self.conditions[at + 1 : at + 2]
        lower = worse[0][0] if worse else BROKEN if self.breaks else condition
        return ConditionCheck(condition, self.conditions[at][1], lower, weapon)


class Errant(msgspec.Struct, frozen=True):
    """Shooting into melee: which failed rolls go astray, how many hits, and among whom.

    `cap` is what caps them where it is not the shots that were fired. `one_victim`: all strike the
    same. `bare`: they do damage and nothing else, so their `wounding` is another.
    """

    melee: tuple[str, ...]
    doubles: frozenset[int]
    count: HitCount
    cap: int | None
    one_victim: bool
    wounding: Wounding


class Allocation(msgspec.Struct, frozen=True):
    """Who else may take further hits, whether they may be waived, whether policy spreads them."""

    others: tuple[str, ...]
    may_waive: bool
    spreads: bool


class Shot(msgspec.Struct, frozen=True, cache_hash=True):
    """One attack at one original target, with everything that its rules need but the state.

    `rounds` and `ap` are what it spends, `shots` what it fires at most. `cone`: who tests pinning;
    with `pins_after` that comes after the shot, since a jam pins nobody.
    """

    shooter: str
    title: str
    weapon: str
    parts: Parts
    rule: D100Rule
    luck: FateRules | None
    rounds: int
    ap: int
    shots: int
    count: HitCount
    jamming: Jamming
    original: str
    targets: tuple[Target, ...]
    wounding: Wounding
    allocation: Allocation
    errant: Errant | None
    cone: tuple[str, ...]
    pins_after: bool

    @property
    def reach(self) -> tuple[str, ...]:
        """Everybody whom the shot may do something to."""
        return tuple([target.name for target in self.targets])

    def among(self, standing: frozenset[str]) -> "Shot":
        """The shot as it is with those who still stand."""
        allocation, errant = self.allocation, self.errant
        melee = errant.melee if errant is not None else ()
        if standing.issuperset((*allocation.others, *melee, *self.cone)):
            return self
        others = tuple(name for name in allocation.others if name in standing)
        if errant is not None:
            errant = replace(errant, melee=tuple(name for name in melee if name in standing))
        return replace(
            self,
            allocation=replace(allocation, others=others),
            errant=errant,
            cone=tuple(name for name in self.cone if name in standing),
        )

    def begins(self, shots: int, parts: Parts) -> list[Task]:
        """The tests of those in the cone, and the roll to hit; `parts` are by the state. G3"""
        tests = [] if self.pins_after else self.pinning_tests()
        roll = RollToHit(self.parts + parts, self.rule, self.luck, shot=self, shots=shots)
        return [*tests, Task(roll, self.shooter)]

    def strike(self, name: str, hits: int) -> Task:
        """So many hits of this attack on one combatant."""
        return Task(Struck(self._target(name), self.wounding, hits), name)

    def land(self, name: str, wounding: Wounding) -> Task:
        """The errant hits of this attack on one combatant."""
        return Task(ErrantHitsLand(self._target(name), wounding), name)

    def pinning_tests(self) -> list[Task]:
        """The tests of everybody in the cone of suppressing fire, in its order."""
        targets = [self._target(name) for name in self.cone]
        return [Task(Suppressed(each.pinning), each.name) for each in targets if each.pinning]

    def _target(self, name: str) -> Target:
        return next(each for each in self.targets if each.name == name)

    def spent(self) -> dict[str, int]:
        """What the attack uses up."""
        return {"rounds_spent": self.rounds, "ap_spent": self.ap}

    def fired(self, shooter: Fighter, rounds: int, *, jam: bool) -> Fighter:
        """The shooter after so many rounds, with a weapon that may have jammed."""
        arm = shooter.arm(self.weapon)
        if arm is None:
            return shooter
        loaded = None if arm.loaded is None else arm.loaded - rounds
        return shooter.with_arm(replace(arm, loaded=loaded, jammed=arm.jammed or jam))


# -- the roll to hit -----------------------------------------------------------------------------


class HitRoll(msgspec.Struct, frozen=True):
    """What the roll to hit came to."""

    success: bool
    degrees: int
    jam: bool
    errant: bool


class ToHit(msgspec.Struct, frozen=True):
    """The test to hit: degrees, whether the weapon jams, whether a miss goes astray. C7"""

    test: RollUnder
    jams_from: int
    doubles: frozenset[int]

    def read(self, roll: int) -> HitRoll:
        test = self.test.read(roll)
        errant = not test.success and roll in self.doubles
        return HitRoll(test.success, test.degrees, roll >= self.jams_from, errant)

    @property
    def need(self) -> str:
        jams = f", jams on {self.jams_from}+" if self.jams_from <= 100 else ""
        return f"{self.test.need}{jams}"

    def words(self, read: HitRoll) -> str:
        kind = "success" if read.success else "failure"
        plural = "" if read.degrees == 1 else "s"
        words = f"{read.degrees} degree{plural} of {kind}"
        if read.errant:
            words += ", a double"
        return f"{words}, jam" if read.jam else words


class RollToHit(PercentileTest, frozen=True, gc=False, cache_hash=True):
    """The Ranged Combat test of the attack; a natural roll high enough jams the weapon. R35, D5"""

    attacks = True

    shot: Shot
    shots: int

    @property
    def reach(self) -> tuple[str, ...]:
        return self.shot.reach

    @property
    def label(self) -> str:
        return self.shot.title

    def reading(self, test: RollUnder) -> ToHit:
        errant = self.shot.errant
        doubles = errant.doubles if errant is not None else frozenset[int]()
        return ToHit(test, self.shot.jamming.since, doubles)

    def kept(self, read: HitRoll) -> HitRoll:
        return read if read.errant else replace(read, degrees=1)

    def failure(self, read: HitRoll) -> str:
        words = ", jam" * read.jam + ", a double" * read.errant
        return f"{self.shot.title} ({self.rule.of(self.parts).need}) failed{words}"

    def passed(self, shooter: Fighter, read: HitRoll) -> Next[Fighter]:
        shot, counts = self.shot, self.shot.jamming.hits_stand or not read.jam
        hits = shot.count.hits(read.degrees, self.shots) if counts else 0
        return self._fired(shooter, read, hits, 0)

    def failed(self, shooter: Fighter, read: HitRoll) -> Next[Fighter]:
        errant, counts = self.shot.errant, self.shot.jamming.hits_stand or not read.jam
        if errant is None or not read.errant or not counts:
            return self._fired(shooter, read, 0, 0)
        cap = self.shots if errant.cap is None else errant.cap
        return self._fired(shooter, read, 0, errant.count.hits(read.degrees, cap))

    def _fired(self, shooter: Fighter, read: HitRoll, hits: int, astray: int) -> Next[Fighter]:
        """What the shot does, and what the weapon suffers."""
        shot, jamming = self.shot, self.shot.jamming
        records = shot.spent() if jamming.spends or not read.jam else {"ap_spent": shot.ap}
        records |= {"jam": read.jam, "hits_scored": hits, "errant_hits": astray}
        shooter = shot.fired(shooter, records.get("rounds_spent", 0), jam=read.jam)
        todo: list[Task] = []
        arm = shooter.arm(shot.weapon)
        if read.jam and arm is not None:
            todo.append(Task(jamming.check(shot.weapon, arm.craftsmanship)))
        elif shot.pins_after:
            todo += shot.pinning_tests()
        if hits and (shot.allocation.others or shot.allocation.may_waive):
            todo.append(Task(Allocate(shot, hits - 1, ())))
        elif hits:
            todo.append(shot.strike(shot.original, hits))
        if astray and shot.errant is not None:
            each, times = (astray, 1) if shot.errant.one_victim else (1, astray)
            todo.append(Task(ErrantHit(shot.errant.melee, each), times=times))
            todo += [shot.land(name, shot.errant.wounding) for name in shot.errant.melee]
        return Next(shooter, *todo, records=records)


# -- hits ----------------------------------------------------------------------------------------


class Allocate(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """The first hit is the original target's; each further one may go to somebody near it.

    Into a melee all hits strike the original target. `given` are the hits of others so far.

    R08, R17
    """

    shot: Shot
    left: int
    given: tuple[int, ...]

    @property
    def reach(self) -> tuple[str, ...]:
        return self.shot.reach

    def ask(self, shooter: Fighter) -> Choice[int] | None:
        allocation, at = self.shot.allocation, len(self.given)
        if not self.left:
            return None
        if at < len(allocation.others):
            share, rest = divmod(self.left + 1, len(allocation.others) - at + 1)
            policy = share + (rest > 1) if allocation.spreads else 0
            return self._choice(allocation.others[at], policy)
        return self._choice(self.shot.original, self.left) if allocation.may_waive else None

    def _choice(self, name: str, policy: int) -> Choice[int]:
        hits = "1 further hit" if self.left == 1 else f"{self.left} further hits"
        options = tuple(Option(str(n), n) for n in range(self.left + 1))
        label = f"{hits} to allocate: how many on {name}?"
        return Choice(label, self.shot.shooter, options, str(policy))

    def then(self, shooter: Fighter, taken: int | None) -> Next[Fighter]:
        shot, others = self.shot, self.shot.allocation.others
        if taken is not None and len(self.given) < len(others):
            return Next(shooter, Allocate(shot, self.left - taken, (*self.given, taken)))
        first = 1 + (self.left if taken is None else taken)
        struck = [(shot.original, first), *zip(others, self.given, strict=False)]
        return Next(shooter, *[shot.strike(name, n) for name, n in struck if n])


class ErrantHit(Step[Fighter, str], frozen=True, gc=False, cache_hash=True):
    """An errant hit is randomised among everybody in the melee, the original target included.

    `hits` go the same way: one, or all where a single victim takes them.

    R34
    """

    together = True

    melee: tuple[str, ...]
    hits: int

    @property
    def reach(self) -> tuple[str, ...]:
        return self.melee

    def ask(self, shooter: Fighter) -> Roll[str]:
        one_of_them = Dice(f"d{len(self.melee)}", (Term(die(len(self.melee))),))
        return Roll("errant hit: who is struck?", one_of_them, Victim(self.melee))

    def then(self, shooter: Fighter, victim: str) -> Next[Fighter]:
        return Next(shooter, Task(StruckAstray(self.hits), victim))


class Victim(msgspec.Struct, frozen=True):
    """One of the melee, by number."""

    names: tuple[str, ...]

    def read(self, number: int) -> str:
        return self.names[number - 1]

    @property
    def need(self) -> str:
        return ", ".join(f"{number} {name}" for number, name in enumerate(self.names, 1))

    def words(self, read: str) -> str:
        return read


# -- the weapon ----------------------------------------------------------------------------------


class ConditionCheck(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """A jam calls for a condition check: a d10 of the craftsmanship's number or more holds.

    Else the condition is `lower` from then on.

    R41
    """

    reach = ()

    craftsmanship: str
    tier: int
    lower: str
    weapon: str

    def applies(self, shooter: Fighter) -> bool:
        return self.tier > 0

    def ask(self, shooter: Fighter) -> Roll[bool]:
        return Roll(f"condition check of a {self.craftsmanship} weapon", D10, AtLeast(self.tier))

    def then(self, shooter: Fighter, held: bool) -> Next[Fighter]:
        arm = shooter.arm(self.weapon)
        if arm is not None and not held:
            shooter = shooter.with_arm(replace(arm, craftsmanship=self.lower))
        return Next(shooter, records={"weapon_degraded": not held})
