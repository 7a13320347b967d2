"""Hits on one target: damage against armour and cover, injury categories, fatigue."""

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Dice
from firepower.chance.steps import Modifier, Next, Roll, Step, Task
from firepower.systems.rate_of_fire.pinning import Fighter, PinningTest


class Target(msgspec.Struct, frozen=True):
    """What a hit meets: damage stopped (armour and cover less penetration), what a daemon's
    toughness stops, the toughness bonus (None: not stated), and the pinning test of somebody hit
    (None: there is none). `suppressed`: already tested in this attack."""

    name: str
    stopped: int
    soaked: int
    toughness_bonus: int | None
    pinning: PinningTest | None
    suppressed: bool


class Wounding(msgspec.Struct, frozen=True):
    """What the hits of an attack do: the dice, what is added to each, the reading of the bonus
    for several hits ("" for none), the injury table as (over, fatigue), and pinning tests:
    "once", "per_hit" or "" for none; `repins` those who tested before the shot."""

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
    """Hits land on one target: all are counted before any damage, since the bonus looks at them."""

    local = True

    target: Target
    wounding: Wounding
    hits: int

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        target, wounding = self.target, self.wounding
        todo = [
            Task(self._damage(bonus), times=times)
            for bonus, times in wounding.rolls(self.hits)
            if times
        ]
        tests = wounding.pins and (wounding.repins or not target.suppressed)
        if target.pinning is not None and tests:
            times = self.hits if wounding.pins == "per_hit" else 1
            todo.append(Task(target.pinning, times=times))
        return Next(fighter, *todo, records={"hits": self.hits})

    def _damage(self, bonus: int) -> "DamageRoll":
        parts = self.wounding.parts
        if bonus:
            parts = (*parts, Modifier("several hits", bonus, "rules: several hits"))
        target = self.target
        plus = sum(part.value for part in parts)
        if target.stopped:
            label = "armour and cover, less penetration"
            parts = (*parts, Modifier(label, -target.stopped, target.name))
        if target.soaked:
            parts = (*parts, Modifier("toughness bonus of a daemon", -target.soaked, target.name))
        return DamageRoll(
            self.wounding.dice,
            parts,
            plus,
            target.stopped,
            target.soaked,
            target.toughness_bonus,
            self.wounding.injuries,
        )


class StruckAstray(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Errant hits come one by one; they are kept until all have found somebody."""

    local = True

    hits: int

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(replace(fighter, astray=fighter.astray + self.hits))


class ErrantHitsLand(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """All errant hits that found this target land together."""

    local = True

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
    """

    local = True
    together = True

    dice: Dice
    parts: tuple[Modifier, ...]
    plus: int
    stopped: int
    soaked: int
    toughness_bonus: int | None
    injuries: tuple[tuple[int, int], ...]

    def ask(self, fighter: Fighter) -> Roll[int]:
        reading = Harmed(self.plus, self.stopped, self.soaked)
        return Roll("damage", self.dice, reading, self.parts)

    def then(self, fighter: Fighter, damage: int) -> Next[Fighter]:
        category = self.category(damage)
        fatigue = self.injuries[category - 1][1] if category else 0
        lethal = category == len(self.injuries)
        records = {"damage": damage, "injury": category, "fatigue": fatigue}
        if lethal and not fighter.down:
            fighter, records["down"] = replace(fighter, down=True), 1
        return Next(fighter, records=records)

    def category(self, damage: int) -> int:
        """The injury category of so much damage, 0 for none."""
        if self.toughness_bonus is None:
            return 0
        return sum(damage > over * self.toughness_bonus for over, _ in self.injuries)
