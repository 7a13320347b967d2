"""Hits on one target: damage against armour and cover, injury categories, fatigue."""

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Dice
from firepower.chance.readings import Total
from firepower.chance.steps import Choice, Modifier, Next, Option, Roll, Step, Task
from firepower.systems.rate_of_fire.conditions import PinningTest, pinning_test
from firepower.systems.rate_of_fire.fate import FateRules, fate_of, spend
from firepower.systems.rate_of_fire.fighter import Fighter
from firepower.systems.rate_of_fire.shooter import Shooter
from firepower.systems.rate_of_fire.tables import RofSetup, bonus_of


class Body(msgspec.Struct, frozen=True, cache_hash=True):
    """What a hit meets: damage stopped (armour and cover less penetration), what a daemon's
    toughness stops, and the toughness bonus (None: not stated).

    `fatigue_counts`: how much fatigue makes a difference (0: none does), `collapses`: so much of it
    puts it out of action. `fate`: how its Fate works (None: it has none)."""

    stopped: int
    soaked: int
    toughness_bonus: int | None
    fatigue_counts: int = 0
    collapses: bool = False
    fate: FateRules | None = None


class Target(msgspec.Struct, frozen=True):
    """Who may be hit, and the pinning test of somebody hit (None: there is none).

    `suppressed`: already tested in this attack."""

    name: str
    body: Body
    pinning: PinningTest | None
    suppressed: bool


def target_of(
    setup: RofSetup, shooter: Shooter, name: str, original: str, *, suppressed: bool
) -> Target:
    """Somebody as a target of this shooter."""
    fighter = setup.combatants[name]
    stopped = max(0, fighter.armour + fighter.cover - shooter.weapon.penetration)
    bonus = bonus_of(setup, name, "toughness")
    if bonus is None:
        setup.leave_out(f"injuries of {name}: no 'toughness' is stated")
    if bonus is None and fighter.daemon:
        setup.leave_out(f"what the toughness of {name} stops: no 'toughness' is stated")
    soaked = bonus or 0 if fighter.daemon else 0
    counts, collapses = _fatigue_of(setup, name, bonus)
    body = Body(stopped, soaked, bonus, counts, collapses, fate_of(setup, name))
    return Target(name, body, pinning_test(setup, shooter, name, original), suppressed)


def _fatigue_of(setup: RofSetup, name: str, bonus: int | None) -> tuple[int, bool]:
    """How much fatigue makes a difference to somebody, and whether so much is a collapse."""
    if bonus is None:
        return 0, False
    if setup.rulings.takes("fatigue_collapse", "toughness_bonus"):
        return bonus + 1, True
    return int(name in setup.acting and setup.rulings.takes("fatigued", "minus_10")), False


class Wounding(msgspec.Struct, frozen=True):
    """What the hits of an attack do: the dice, what is added to each, the reading of the bonus
    for several hits ("" for none), the injury table as (over, fatigue), and pinning tests:
    "once", "per_hit" or "" for none; `repins` those who tested before the shot.

    R10, R19
    """

    dice: Dice
    parts: tuple[Modifier, ...]
    bonus: str
    injuries: tuple[tuple[int, int], ...]
    pins: str
    repins: bool

    def rolls(self, hits: int) -> list[tuple[int, int]]:
        """(bonus, how many damage rolls with it) for so many hits on one target."""
        if hits < 2 or not self.bonus:
            return [(0, hits)]
        return {
            "each": [(1, hits)],
            "extra_only": [(0, 1), (1, hits - 1)],
            "stacking": [(hits, hits)],
            "stacking_extra": [(hits - 1, hits)],
            "combined": [(hits, 1)],
        }[self.bonus]


class Struck(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Hits land on one target: all are counted before any damage, as the bonus looks at them.

    R20, E5, F2
    """

    reach = ()

    target: Target
    wounding: Wounding
    hits: int

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        target, wounding = self.target, self.wounding
        rolls = DamageRoll
        if target.body.fate is not None and target.body.fate.has(fighter):
            rolls, fighter = DamageRollWithFate, replace(fighter, spared=False)
        todo = [
            Task(self._damage(rolls, bonus), times=times)
            for bonus, times in wounding.rolls(self.hits)
            if times
        ]
        tests = wounding.pins and (wounding.repins or not target.suppressed)
        if target.pinning is not None and tests:
            times = self.hits if wounding.pins == "per_hit" else 1
            todo.append(Task(target.pinning.of(fighter), times=times))
        return Next(fighter.shot_at(), *todo, records={"hits": self.hits})

    def _damage(self, rolls: type["DamageRoll"], bonus: int) -> "DamageRoll":
        parts = self.wounding.parts
        if bonus:
            parts = (*parts, Modifier("several hits", bonus, "rules: several hits"))
        body, name = self.target.body, self.target.name
        plus = sum(part.value for part in parts)
        if body.stopped:
            label = "armour and cover, less penetration"
            parts = (*parts, Modifier(label, -body.stopped, name))
        if body.soaked:
            parts = (*parts, Modifier("toughness bonus of a daemon", -body.soaked, name))
        return rolls(self.wounding.dice, parts, plus, body, self.wounding.injuries)


class StruckAstray(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Errant hits come one by one; they are kept until all have found somebody."""

    reach = ()

    hits: int

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(replace(fighter, astray=fighter.astray + self.hits))


class ErrantHitsLand(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """All errant hits that found this target land together. D7"""

    reach = ()

    target: Target
    wounding: Wounding

    def applies(self, fighter: Fighter) -> bool:
        return fighter.astray > 0

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        struck = Struck(self.target, self.wounding, fighter.astray)
        return Next(replace(fighter, astray=0), struck)


class Harmed(msgspec.Struct, frozen=True):
    """Damage after armour and cover, never below none."""

    plus: int
    stopped: int
    soaked: int

    def read(self, rolled: int) -> int:
        return max(0, max(0, rolled + self.plus - self.stopped) - self.soaked)

    @property
    def need(self) -> str:
        return ""

    def words(self, read: int) -> str:
        return f"{read} damage"


class DamageRoll(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """One hit's damage: dice, constants and bonuses, less what armour and cover stop.

    The injury is the greatest category whose multiple of the toughness bonus it exceeds.

    R40, F4
    """

    reach = ()
    together = True

    dice: Dice
    parts: tuple[Modifier, ...]
    plus: int
    body: Body
    injuries: tuple[tuple[int, int], ...]

    def ask(self, fighter: Fighter) -> Roll[int]:
        reading = Harmed(self.plus, self.body.stopped, self.body.soaked)
        return Roll("damage", self.dice, reading, self.parts)

    def then(self, fighter: Fighter, damage: int) -> Next[Fighter]:
        return self.harm(fighter, damage)

    def harm(self, fighter: Fighter, damage: int) -> Next[Fighter]:
        """What so much damage does."""
        category, body, stood = self.category(damage), self.body, not fighter.out
        fatigue = self.injuries[category - 1][1] if category else 0
        records = {"damage": damage, "injury": category, "fatigue": fatigue}
        if category == len(self.injuries) and not fighter.lethal:
            fighter = fighter.falling(lethal=True)
        if body.fatigue_counts and fatigue and not fighter.out:
            tired = min(body.fatigue_counts, fighter.fatigue + fatigue)
            fighter = replace(fighter, fatigue=tired)
            if body.collapses and tired == body.fatigue_counts:
                fighter = fighter.falling(lethal=False)
        if stood and fighter.out:
            records["out_of_action"] = 1
        return Next(fighter, records=records)

    def category(self, damage: int) -> int:
        """The injury category of so much damage, 0 for none."""
        bonus = self.body.toughness_bonus
        if bonus is None:
            return 0
        return sum(damage > over * bonus for over, _ in self.injuries)


class DamageRollWithFate(DamageRoll, frozen=True, gc=False, cache_hash=True):
    """The damage of a hit on somebody with Fate, once an attack made less by it.

    Hits are worked out one by one, since the choice is made when a hit's damage is known.
    """

    together = False

    def then(self, fighter: Fighter, damage: int) -> Next[Fighter]:
        fate = self.body.fate
        if fate is None or not damage or not fate.spares(fighter):
            return self.harm(fighter, damage)
        return Next(fighter, LessDamage(self, damage, fate))

    def harm_less(self, fighter: Fighter, damage: int, points: int) -> Next[Fighter]:
        """The harm of a hit that so many points, or those that are left, make less."""
        paid = spend(fighter, points)
        spent = dict(paid.records)["fate_spent"]
        after = self.harm(paid.part, max(0, damage - spent))
        return Next(after.part, records=dict(paid.records) | dict(after.records))


class LessDamage(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """So many points of Fate take as much damage off one hit of an attack."""

    reach = ()

    hit: DamageRollWithFate
    damage: int
    fate: FateRules

    def ask(self, fighter: Fighter) -> Choice[int]:
        most = min(self.damage, fighter.fate or 0)
        amounts = [0, 1] if self.fate.rolled else range(most + 1)
        keys = ["no", "yes"] if self.fate.rolled else [str(n) for n in amounts]
        options = tuple(Option(key, n) for key, n in zip(keys, amounts, strict=True))
        label = f"{self.damage} damage: how much less with Fate?"
        return Choice(label, self.fate.who, options, keys[self._wanted(most)])

    def _wanted(self, most: int) -> int:
        """The least that keeps the hit from being lethal, by the policy; else nothing."""
        lethal = len(self.hit.injuries)
        if self.fate.damage == "never" or self.hit.category(self.damage) < lethal:
            return 0
        if self.fate.rolled:
            return 1
        spared = [n for n in range(most + 1) if self.hit.category(self.damage - n) < lethal]
        return spared[0] if spared else 0

    def then(self, fighter: Fighter, less: int) -> Next[Fighter]:
        if not less:
            return self.hit.harm(fighter, self.damage)
        fighter = replace(fighter, spared=True)
        if self.fate.rolled:
            return Next(fighter, RolledLess(self.hit, self.damage, self.fate))
        return self.hit.harm_less(fighter, self.damage, less)


class RolledLess(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """The points that the dice of the cost ask take as much damage off the hit."""

    reach = ()

    hit: DamageRollWithFate
    damage: int
    fate: FateRules

    def ask(self, fighter: Fighter) -> Roll[int]:
        return Roll("cost of Fate", self.fate.cost, Total("points"))

    def then(self, fighter: Fighter, points: int) -> Next[Fighter]:
        return self.hit.harm_less(fighter, self.damage, points)
