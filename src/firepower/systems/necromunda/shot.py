"""A shot as a value: what its rules need but the state, and what a hit of it is on whom."""

from typing import Any, Protocol, TypeVar

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Die, Faces, Handful
from firepower.chance.readings import AtLeast
from firepower.chance.steps import Modifier, Next, Roll, Step, Task
from firepower.systems.necromunda.aftermath import Aftermath, Struck
from firepower.systems.necromunda.ammo import AmmoRule
from firepower.systems.necromunda.damage import Body, Harm
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.injury import D6, Frame

R = TypeVar("R")

Parts = tuple[Modifier, ...]

PLAIN = 1
"""A hit whose natural roll matters to nobody; a miss is 0."""

NEVER = 7
"""A face that a D6 does not have."""


class Hit(msgspec.Struct, frozen=True, cache_hash=True):
    """What a hit on one fighter is: whom it meets, what it does, what comes of it.

    `pins`: the fighter stands and is not engaged. `six`: what a natural 6 to hit makes of it, of
    the first hit alone where `first_only`. `knocks`: the least natural roll that knocks back.
    """

    body: Body
    harm: Harm
    after: Aftermath
    pins: bool = True
    six: Harm | None = None
    first_only: bool = False
    knocks: int = NEVER

    @property
    def name(self) -> str:
        return self.body.name

    @property
    def reach(self) -> tuple[str, ...]:
        """Whom it may do something to."""
        return (self.name, *self.body.frame.reach, *self.harm.reach)

    @property
    def tells(self) -> int:
        """From which natural roll on it matters what was rolled."""
        return min(NEVER if self.six is None else 6, self.knocks)

    def struck(self, hits: int, face: int) -> list[Task]:
        """The tasks of so many hits, whose roll showed this."""
        if not hits:
            return []
        plain = self._knocked(self.harm, face)
        if self.six is None or face != 6:
            return [Task(Struck(self.body, plain, self.after, hits, self.pins), self.name)]
        special = self._knocked(self.six, face)
        if not self.first_only or hits == 1:
            return [Task(Struck(self.body, special, self.after, hits, self.pins), self.name)]
        first = Struck(self.body, special, self.after.without_end, 1, self.pins)
        others = Struck(self.body, plain, self.after, hits - 1, self.pins)
        return [Task(first, self.name), Task(others, self.name)]

    def slammed(self) -> "Hit":
        """The same with one more Damage: there was no room behind."""
        six = None if self.six is None else more_damage(self.six)
        return replace(self, harm=more_damage(self.harm), six=six)

    def _knocked(self, harm: Harm, face: int) -> Harm:
        """Knockback: one more Damage if there is no room behind."""
        return more_damage(harm) if face >= self.knocks and self.body.slammed else harm


def more_damage(harm: Harm) -> Harm:
    """A hit with one more Damage, if it does any."""
    return harm if harm.damage is None else replace(harm, damage=harm.damage + 1)


class Impaled(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Impale: the shot goes on to the next in its line, and hits on a D6 of so much."""

    hit: Hit
    least: int

    @property
    def reach(self) -> tuple[str, ...]:
        return self.hit.reach

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("impale", D6, AtLeast(self.least), by=self.hit.harm.attacker)

    def then(self, fighter: Fighter, hits: bool) -> Next[Fighter]:
        return Next(fighter, *self.hit.struck(1 if hits else 0, PLAIN))


class Landing(Protocol):
    """Where the hits of a shot go; a frozen value."""

    @property
    def reach(self) -> tuple[str, ...]:
        """Whom they may do something to."""

    @property
    def tells(self) -> int:
        """From which natural roll on it matters what was rolled."""

    def scored(self, hits: int) -> int:
        """How many hits so many of the dice are."""

    def hits(self, hits: int, face: int) -> list[Task]:
        """The tasks of so many hits."""

    def misses(self, hits: int) -> list[Task]:
        """The tasks of a miss that would have been so many hits."""


class FirepowerDice(msgspec.Struct, frozen=True, cache_hash=True):
    """How Firepower dice are rolled for a profile.

    `most` of them may be (0: none), `stated` or else `policy` are; `declared`: "before"
    or "after" the roll to hit, or "one_by_one". `on_miss`: "all", "one" or "none" of those.
    `rapid`: the holes are hits. `worth`: holes and symbols of each face. `rerolls`: Twin-linked.
    """

    die: Die
    worth: tuple[tuple[int, int], ...]
    most: int
    stated: int | None
    policy: int
    declared: str
    on_miss: str
    rapid: bool
    rerolls: bool

    def handful(self, count: int) -> Handful:
        """So many dice, of which the holes and the symbols are added up."""
        return Handful(self.die, count, self.worth)

    def faces(self, count: int) -> Faces:
        """So many dice, of which each is looked at."""
        return Faces((self.die,) * count)

    def total(self, faces: tuple[Any, ...]) -> tuple[int, int]:
        """The holes and symbols that these faces come to."""
        by_face = dict(zip(self.die.faces, self.worth, strict=True))
        return sum(by_face[face][0] for face in faces), sum(by_face[face][1] for face in faces)

    def rolled(self, count: int, *, hit: bool) -> int:
        """How many of those declared are rolled."""
        if hit or self.on_miss == "all":
            return count
        return min(count, 1) if self.on_miss == "one" else 0


class Shot(msgspec.Struct, frozen=True, cache_hash=True):
    """One attack, with everything that its rules need but the state.

    `skill`: BS (None: it hits without a roll). `improbable`: the least face that lets a shot go on
    which could not hit. `lost`: out of range. `reroll`: Master-crafted. `checks`: a grenade's ammo
    check after the attack. `once`: a Single Shot.
    """

    shooter: str
    title: str
    skill: int | None
    natural_1_misses: bool
    improbable: int
    lost: bool
    landing: Any
    dice: FirepowerDice
    ammo: AmmoRule
    frame: Frame
    reroll: bool
    checks: bool
    once: bool

    @property
    def reach(self) -> tuple[str, ...]:
        """Everybody whom it may do something to, besides the shooter."""
        landing: Landing = self.landing
        return tuple(dict.fromkeys((*self.frame.reach, *landing.reach)))


class OfAShot(Step[Fighter, R], frozen=True, gc=False, cache_hash=True):
    """A step of a shot, asked of the shooter."""

    shot: Shot

    @property
    def reach(self) -> tuple[str, ...]:
        return self.shot.reach
