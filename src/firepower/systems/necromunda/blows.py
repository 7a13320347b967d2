"""Close combat as values: what a blow is on whom, with which hands, and how many there are."""

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

import msgspec

from firepower.chance.dice import Handful, die
from firepower.chance.steps import Modifier, Step
from firepower.systems.necromunda.aftermath import Aftermath
from firepower.systems.necromunda.ammo import AmmoRule
from firepower.systems.necromunda.damage import Body, Harm
from firepower.systems.necromunda.fighter import Fighter, Seen
from firepower.systems.necromunda.injury import Frame
from firepower.systems.necromunda.shot import NEVER, Parts

R = TypeVar("R")

FACES = (1, 2, 3, 4, 5, 6)

Crowd = Mapping[str, Seen]
"""How those stand who may be engaged with each other."""


def locked(crowd: Crowd, one: str, other: str) -> bool:
    """Whether two are engaged with each other: both stand, and each knows of it."""
    if one not in crowd or other not in crowd:
        return False
    mine, theirs = crowd[one], crowd[other]
    return mine.stands and theirs.stands and other in mine.engaged and one in theirs.engaged


class Parried(StrEnum):
    """With what a blow may be parried."""

    BY_ANY = "by any"
    BY_POWER = "by Power"
    BY_NONE = "by none"


class Kind(msgspec.Struct, frozen=True, cache_hash=True):
    """What a success is: its name, what it does, what it takes from the answer to it."""

    name: str
    harm: Harm
    entangles: bool = False
    disarms: bool = False


class Blow(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """One die of a weapon at one fighter.

    `engaged`, `reaching`: what changes the roll while engaged, and over a distance. `knocks`: the
    least roll that knocks back where there is no room; `by_total`: the roll with what changes it.
    """

    weapon: str
    body: Body
    after: Aftermath
    plain: Kind
    six: Kind
    engaged: Parts
    reaching: Parts
    parried: Parried
    knocks: int = NEVER
    by_total: bool = False

    @property
    def target(self) -> str:
        """Whom it meets."""
        return self.body.name

    def kind(self, face: int, bonus: int) -> Kind:
        """What a success with this face is; `bonus` is all that changes the roll."""
        kind = self.six if face == FACES[-1] else self.plain
        roll = face + bonus if self.by_total else face
        if roll < self.knocks or kind.harm.damage is None:
            return kind
        harm = msgspec.structs.replace(kind.harm, damage=kind.harm.damage + 1)
        return msgspec.structs.replace(kind, name=f"{kind.name}, knocked back", harm=harm)


class Gun(msgspec.Struct, frozen=True, cache_hash=True):
    """The ammo of a Sidearm in close combat: a Firepower die for each blow.

    `holes`: its bullet holes are hits, as when it is shot.
    """

    firepower: Handful
    rule: AmmoRule
    frame: Frame
    holes: bool


class Hand(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """A weapon as somebody fights with it, and its blow at each who may be fought.

    `single`: it takes one die and no more. `dice`: those it adds besides all others. `reaches`:
    whom it meets without being engaged. `crushing`: its blows with a Crushing Blow.
    """

    name: str
    mode: str
    title: str
    blows: tuple[Blow, ...]
    crushing: tuple[Blow, ...] = ()
    single: bool = False
    paired: bool = False
    dice: int = 0
    reaches: tuple[str, ...] = ()
    gun: Gun | None = None
    rerolls: bool = False

    def usable(self, fighter: Fighter) -> bool:
        """Whether the weapon has not run out."""
        arm = fighter.arm(self.name)
        if arm is None:
            return True
        return not (arm.out or arm.jammed or self.mode in arm.dry or self.mode in arm.spent)

    def blow(self, target: str, *, crushing: bool) -> Blow:
        """Its blow at somebody."""
        blows = self.crushing if crushing else self.blows
        return next(each for each in blows if each.target == target)


class Guard(msgspec.Struct, frozen=True, cache_hash=True):
    """What somebody does about blows: `parries` of them, of which `power` may be Power weapons'.

    `aside`: the skill Step Aside. `counters`: the skill Counter-Attack. `willing`: parries by
    policy.
    """

    name: str
    parries: int
    power: int
    aside: Body | None
    counters: bool
    willing: bool


class Press(msgspec.Struct, frozen=True, cache_hash=True):
    """How a crowd changes rolls to hit: each friend that helps, each enemy in the way.

    `friends` and `enemies` of the fighter; `beside`: those of each enemy's side.
    """

    friends: tuple[str, ...]
    enemies: tuple[str, ...]
    beside: tuple[tuple[str, tuple[str, ...]], ...]
    assist: int
    interference: int

    def parts(self, crowd: Crowd, who: str, target: str) -> Parts:
        """Assists and interference as things stand.

        A friend helps who is engaged with the target and with nobody else of its side; an enemy
        is in the way who is engaged with the fighter and with nobody else of that side.
        """
        theirs = dict(self.beside).get(target, ())
        helping = [
            friend
            for friend in self.friends
            if locked(crowd, friend, target) and not any(locked(crowd, friend, n) for n in theirs)
        ]
        hindering = [
            enemy
            for enemy in self.enemies
            if enemy != target
            and locked(crowd, enemy, who)
            and not any(locked(crowd, enemy, n) for n in self.friends)
        ]
        found = []
        if helping and self.assist:
            found.append(Modifier("assists", self.assist * len(helping), " and ".join(helping)))
        if hindering and self.interference:
            value = self.interference * len(hindering)
            found.append(Modifier("interference", value, " and ".join(hindering)))
        return tuple(found)


class Bout(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """How somebody attacks in close combat: everything but the state.

    `attacks`: dice whatever the weapons; `doubled`: more with a Paired weapon, `pair`: with two.
    `parts`: what changes every roll; `broken`, `entangled` where the fighter is. `blind`: the
    natural roll that hits without sight. `crushes`: has a Crushing Blow. `keeps_disarmed`: Disarm
    outlasts the combat; `counting`: whose Counter-Attack counts all misses. `crowd`: who is
    looked at; `fray`: whom all of it may reach.
    """

    who: str
    skill: int
    natural_1_misses: bool
    attacks: int
    doubled: int
    pair: int
    hands: tuple[Hand, ...]
    extra: tuple[Hand, ...]
    unarmed: Hand
    guards: tuple[Guard, ...]
    parts: Parts
    broken: Modifier
    entangled: Modifier
    blind: int
    press: Press
    crushes: bool
    counters: int
    counting: tuple[str, ...]
    keeps_disarmed: bool
    crowd: tuple[str, ...]
    fray: tuple[str, ...]

    def guard(self, name: str) -> Guard | None:
        """What somebody does about the blows."""
        return next((each for each in self.guards if each.name == name), None)


class Aim(msgspec.Struct, frozen=True, cache_hash=True):
    """Somebody who may be fought as things stand, and what changes rolls to hit."""

    name: str
    parts: Parts
    engaged: bool


class Share(msgspec.Struct, frozen=True, cache_hash=True):
    """So many dice of one weapon."""

    hand: Hand
    dice: int
    crushing: bool = False


class Blows(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """Dice of one weapon at one fighter, rolled together; `only`: the one face that hits."""

    hand: Hand
    blow: Blow
    count: int
    parts: Parts
    skill: int
    natural_1_misses: bool
    only: int | None

    @property
    def bonus(self) -> int:
        """All that changes the roll."""
        return sum(part.value for part in self.parts)

    @property
    def least(self) -> int:
        """The least face that hits; more than 6 is never."""
        least = max(2 if self.natural_1_misses else 1, self.skill - self.bonus)
        return least if self.only is None or least > FACES[-1] else max(least, self.only)

    @property
    def can_hit(self) -> bool:
        """Whether any face hits; there are no improbable blows."""
        return self.least <= FACES[-1]

    @property
    def by_face(self) -> tuple[Kind | None, ...]:
        """What each face is; None for a miss."""
        return tuple(
            self.blow.kind(face, self.bonus) if face >= self.least else None for face in FACES
        )

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of success there are, in the order of their faces."""
        return tuple(dict.fromkeys(kind for kind in self.by_face if kind is not None))

    def handful(self, count: int) -> Handful:
        """So many dice, counted by kind of success."""
        kinds = self.kinds
        worth = tuple(tuple(int(kind == each) for each in kinds) for kind in self.by_face)
        return Handful(die(FACES[-1]), count, worth)


class Result(msgspec.Struct, frozen=True, cache_hash=True):
    """What was rolled: how many successes of each kind."""

    blows: Blows
    counts: tuple[int, ...]

    @property
    def target(self) -> str:
        """Whom the blows meet."""
        return self.blows.blow.target

    @property
    def hits(self) -> int:
        """How many hit."""
        return sum(self.counts)

    @property
    def missed(self) -> int:
        """How many dice missed."""
        return max(0, self.blows.count - self.hits)

    def more(self, counts: tuple[int, ...]) -> "Result":
        """The same with more successes."""
        added = tuple(a + b for a, b in zip(self.counts, counts, strict=True))
        return Result(self.blows, added)

    def less(self, at: int) -> "Result":
        """The same with one success of a kind less."""
        counts = tuple(count - (i == at) for i, count in enumerate(self.counts))
        return Result(self.blows, counts)


Results = tuple[Result, ...]


def changed(results: Results, at: int, result: Result) -> Results:
    """Results with one of them replaced."""
    return (*results[:at], result, *results[at + 1 :])


class OfABout(Step[Fighter, R], frozen=True, gc=False, cache_hash=True):
    """A step of an attack in close combat."""

    bout: Bout

    @property
    def reach(self) -> tuple[str, ...]:
        return self.bout.fray
