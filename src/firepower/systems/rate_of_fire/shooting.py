"""The shot: rate-of-fire dice, the test to hit, hits by degrees, who takes them, and jams."""

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Dice, Term, die
from firepower.chance.notation import dice
from firepower.chance.readings import AtLeast, RollUnder, Total
from firepower.chance.steps import Choice, Modifier, Next, Option, Roll, Step, Task
from firepower.systems.rate_of_fire.conditions import Hampering, Suppressed, TestRule
from firepower.systems.rate_of_fire.damage import (
    ErrantHitsLand,
    Struck,
    StruckAstray,
    Target,
    Wounding,
)
from firepower.systems.rate_of_fire.fate import FateRules, SecondChance
from firepower.systems.rate_of_fire.fighter import BROKEN, Fighter

D10 = dice("d10")
D100 = dice("d100")


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


class Attack(msgspec.Struct, frozen=True, cache_hash=True):
    """One attack with everything that its rules need, added up before any die.

    `rounds` and `ap` are what it spends, `shots` what it fires where no dice tell, `jams_from`
    the natural roll, `craftsmanship` the weapon's for a condition check by `conditions`: (name,
    number), the best first. `others` may take further hits. `errant_shots` caps errant hits where
    the shots do not. `pins_after`: a jam pins nobody, so the cone tests after the shot.
    In a fight where things last `arm` is the weapon of the shooter (None: nothing lasts) and
    `hampering` what conditions do to the test; `fate` is the shooter's (None: there is none).
    `useless_breaks`: a useless weapon that fails a condition check fires no more.
    """

    shooter: str
    title: str
    parts: tuple[Modifier, ...]
    rule: TestRule
    jams_from: int
    craftsmanship: str
    conditions: tuple[tuple[str, int], ...]
    rounds: int
    ap: int
    shots: int
    rof_dice: Dice | None
    count: HitCount
    errant_count: HitCount
    original: str
    others: tuple[str, ...]
    melee: tuple[str, ...]
    targets: tuple[Target, ...]
    cone: tuple[str, ...]
    wounding: Wounding
    errant_wounding: Wounding
    errant_shots: int | None
    doubles: frozenset[int]
    one_victim: bool
    may_waive: bool
    spreads: bool
    jam_hits: bool
    jam_spends: bool
    pins_after: bool
    arm: int | None = None
    hampering: Hampering = Hampering()
    fate: FateRules | None = None
    useless_breaks: bool = False

    @property
    def reach(self) -> tuple[str, ...]:
        """Everybody whom the attack may do something to."""
        return tuple([target.name for target in self.targets])

    def begins(self) -> list[Task]:
        """What the attack begins with: its dice or its test, and pinning tests before them."""
        if not self.original:
            return [Task(EmptyCone(self), self.shooter)]
        tests = [] if self.pins_after else self.pinning_tests()
        rolls = RateOfFireDice(self) if self.rof_dice is not None else RollToHit(self, self.shots)
        return [*tests, Task(rolls, self.shooter)]

    def strike(self, name: str, hits: int) -> Task:
        """So many hits of this attack on one combatant."""
        return Task(Struck(self._target(name), self.wounding, hits), name)

    def settle(self, name: str) -> Task:
        """The errant hits of this attack on one combatant."""
        return Task(ErrantHitsLand(self._target(name), self.errant_wounding), name)

    def _target(self, name: str) -> Target:
        return next(each for each in self.targets if each.name == name)

    def pinning_tests(self) -> list[Task]:
        """The tests of everybody in the cone of suppressing fire, in its order."""
        tasks = []
        for each in map(self._target, self.cone):
            if each.pinning is not None:
                test = Suppressed(each.pinning) if each.body.lasts else each.pinning
                tasks.append(Task(test, each.name))
        return tasks

    def spent(self) -> dict[str, int]:
        """What the attack uses up."""
        return {"rounds_spent": self.rounds, "ap_spent": self.ap}

    def fired(self, shooter: Fighter, rounds: int, *, jam: bool) -> Fighter:
        """The shooter after so many rounds, with a weapon that may have jammed."""
        if self.arm is None:
            return shooter
        arm = shooter.arms[self.arm]
        loaded = None if arm.loaded is None else arm.loaded - rounds
        return shooter.with_arm(self.arm, replace(arm, loaded=loaded, jammed=arm.jammed or jam))

    def condition_check(self, shooter: Fighter) -> "ConditionCheck":
        """The check of the weapon in the condition that it is in by now."""
        condition = self.craftsmanship
        if self.arm is not None:
            condition = shooter.arms[self.arm].craftsmanship
        at = [name for name, _ in self.conditions].index(condition)
        worse = self.conditions[at + 1 : at + 2]
        lower = worse[0][0] if worse else BROKEN if self.useless_breaks else condition
        return ConditionCheck(condition, self.conditions[at][1], lower, self.arm)


class Shot(msgspec.Struct, frozen=True):
    """What the roll to hit came to."""

    success: bool
    degrees: int
    jam: bool
    errant: bool


class ToHit(msgspec.Struct, frozen=True):
    """The test to hit: degrees, whether the weapon jams, whether a miss goes astray."""

    test: RollUnder
    jams_from: int
    doubles: frozenset[int]

    def read(self, roll: int) -> Shot:
        test = self.test.read(roll)
        errant = not test.success and roll in self.doubles
        return Shot(test.success, test.degrees, roll >= self.jams_from, errant)

    @property
    def need(self) -> str:
        jams = f", jams on {self.jams_from}+" if self.jams_from <= 100 else ""
        return f"{self.test.need}{jams}"

    def words(self, read: Shot) -> str:
        kind = "success" if read.success else "failure"
        plural = "" if read.degrees == 1 else "s"
        words = f"{read.degrees} degree{plural} of {kind}"
        if read.errant:
            words += ", a double"
        return f"{words}, jam" if read.jam else words


class RateOfFireDice(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """Full auto: each AP rolls one rate-of-fire die; together they are the shots fired."""

    attack: Attack

    @property
    def reach(self) -> tuple[str, ...]:
        return self.attack.reach

    def ask(self, shooter: Fighter) -> Roll[int]:
        assert self.attack.rof_dice is not None
        return Roll("rate-of-fire dice", self.attack.rof_dice, Total("shots"))

    def then(self, shooter: Fighter, shots: int) -> Next[Fighter]:
        return Next(shooter, RollToHit(self.attack, min(shots, self.attack.shots)))


class RollToHit(Step[Fighter, Shot], frozen=True, gc=False, cache_hash=True):
    """The Ranged Combat test of the attack; a natural roll high enough jams the weapon."""

    attack: Attack
    shots: int

    @property
    def reach(self) -> tuple[str, ...]:
        return self.attack.reach

    def ask(self, shooter: Fighter) -> Roll[Shot]:
        attack = self.attack
        test = attack.rule.of(attack.parts)
        reading = ToHit(test, attack.jams_from, attack.doubles)
        return Roll(attack.title, D100, reading, attack.parts, test.target)

    def then(self, shooter: Fighter, shot: Shot) -> Next[Fighter]:
        fate = self.attack.fate
        if fate is not None and not shot.success and fate.offers_reroll(shooter):
            kept = shot if shot.errant else replace(shot, degrees=1)
            return Next(shooter, SecondChance(fate, self, kept, attacks=True))
        return self.settle(shooter, shot)

    def failure(self, shot: Shot) -> str:
        words = ", jam" * shot.jam + ", a double" * shot.errant
        need = self.attack.rule.of(self.attack.parts).need
        return f"{self.attack.title} ({need}) failed{words}"

    def settle(self, shooter: Fighter, shot: Shot) -> Next[Fighter]:
        """What the shot does, and what the weapon suffers."""
        attack = self.attack
        hits = errant = 0
        if attack.jam_hits or not shot.jam:
            if shot.success:
                hits = attack.count.hits(shot.degrees, self.shots)
            elif shot.errant:
                cap = self.shots if attack.errant_shots is None else attack.errant_shots
                errant = attack.errant_count.hits(shot.degrees, cap)
        records = attack.spent() if attack.jam_spends or not shot.jam else {"ap_spent": attack.ap}
        records |= {"jam": shot.jam, "hits_scored": hits, "errant_hits": errant}
        shooter = attack.fired(shooter, records.get("rounds_spent", 0), jam=shot.jam)
        todo: list[Task] = []
        if shot.jam:
            todo.append(Task(attack.condition_check(shooter)))
        elif attack.pins_after:
            todo += attack.pinning_tests()
        if hits and (attack.others or attack.may_waive):
            todo.append(Task(Allocate(attack, hits - 1, ())))
        elif hits:
            todo.append(attack.strike(attack.original, hits))
        if errant:
            each, times = (errant, 1) if attack.one_victim else (1, errant)
            todo.append(Task(ErrantHit(attack, each), times=times))
            todo += [attack.settle(name) for name in attack.melee]
        return Next(shooter, *todo, records=records)


class Allocate(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """The first hit is the original target's; each further one may go to somebody near it.

    Into a melee all hits strike the original target. `given` are the hits of `others` so far.
    """

    attack: Attack
    left: int
    given: tuple[int, ...]

    @property
    def reach(self) -> tuple[str, ...]:
        return self.attack.reach

    def ask(self, shooter: Fighter) -> Choice[int] | None:
        attack, at = self.attack, len(self.given)
        if not self.left:
            return None
        if at < len(attack.others):
            share, rest = divmod(self.left + 1, len(attack.others) - at + 1)
            policy = share + (rest > 1) if attack.spreads else 0
            return self._choice(attack.others[at], policy)
        return self._choice(attack.original, self.left) if attack.may_waive else None

    def _choice(self, name: str, policy: int) -> Choice[int]:
        hits = "1 further hit" if self.left == 1 else f"{self.left} further hits"
        options = tuple(Option(str(n), n) for n in range(self.left + 1))
        label = f"{hits} to allocate: how many on {name}?"
        return Choice(label, self.attack.shooter, options, str(policy))

    def then(self, shooter: Fighter, taken: int | None) -> Next[Fighter]:
        attack = self.attack
        if taken is not None and len(self.given) < len(attack.others):
            return Next(shooter, Allocate(attack, self.left - taken, (*self.given, taken)))
        first = 1 + (self.left if taken is None else taken)
        struck = [(attack.original, first), *zip(attack.others, self.given, strict=False)]
        return Next(shooter, *[attack.strike(name, n) for name, n in struck if n])


class ErrantHit(Step[Fighter, str], frozen=True, gc=False, cache_hash=True):
    """An errant hit is randomised among everybody in the melee, the original target included.

    `hits` go the same way: one, or all where a single victim takes them.
    """

    together = True

    attack: Attack
    hits: int

    @property
    def reach(self) -> tuple[str, ...]:
        return self.attack.reach

    def ask(self, shooter: Fighter) -> Roll[str]:
        melee = self.attack.melee
        one_of_them = Dice(f"d{len(melee)}", (Term(die(len(melee))),))
        return Roll("errant hit: who is struck?", one_of_them, Victim(melee))

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


class ConditionCheck(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """A jam calls for a condition check: a d10 of the craftsmanship's number or more holds.

    Else the condition is `lower` from then on.
    """

    reach = ()

    craftsmanship: str
    tier: int
    lower: str
    arm: int | None

    def applies(self, shooter: Fighter) -> bool:
        return self.tier > 0

    def ask(self, shooter: Fighter) -> Roll[bool]:
        return Roll(f"condition check of a {self.craftsmanship} weapon", D10, AtLeast(self.tier))

    def then(self, shooter: Fighter, held: bool) -> Next[Fighter]:
        if self.arm is not None and not held:
            arm = replace(shooter.arms[self.arm], craftsmanship=self.lower)
            shooter = shooter.with_arm(self.arm, arm)
        return Next(shooter, records={"weapon_degraded": not held})


class EmptyCone(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Suppressing fire at nobody: rounds and AP are spent, nothing is rolled."""

    reach = ()

    attack: Attack

    def then(self, shooter: Fighter, _: None) -> Next[Fighter]:
        attack = self.attack
        return Next(attack.fired(shooter, attack.rounds, jam=False), records=attack.spent())


class ChooseAttack(Step[Fighter, tuple[Task, ...]], frozen=True, gc=False, cache_hash=True):
    """Which of the lawful attacks to make: (name, what it begins with)."""

    shooter: str
    attacks: tuple[tuple[str, tuple[Task, ...]], ...]

    def ask(self, shooter: Fighter) -> Choice[tuple[Task, ...]]:
        options = tuple(Option(name, tasks) for name, tasks in self.attacks)
        return Choice("which attack?", self.shooter, options, self.attacks[0][0])

    def then(self, shooter: Fighter, tasks: tuple[Task, ...]) -> Next[Fighter]:
        return Next(shooter, *tasks)
