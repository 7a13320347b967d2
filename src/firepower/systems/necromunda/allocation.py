"""Who takes the hits of a shot: the target and others near it; who stands in a miss's way."""

import msgspec
from msgspec.structs import replace

from firepower.chance.readings import AtMost
from firepower.chance.steps import Choice, Next, Option, Roll, Step, Task
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.injury import D6
from firepower.systems.necromunda.shot import PLAIN, Hit


class Bullets(msgspec.Struct, frozen=True, cache_hash=True):
    """Hits on the original target, of which further ones may go to `others` near it.

    Hits on somebody who is gone by then are lost. `spreads`: by the policy they do.
    `bystanders`: who may be hit by a miss, the nearest first; a D6 of so much (`stray`) hits each.

    A-17
    """

    target: Hit
    others: tuple[Hit, ...] = ()
    spreads: bool = False
    bystanders: tuple[Hit, ...] = ()
    stray: int = 0

    @property
    def reach(self) -> tuple[str, ...]:
        hits = (self.target, *self.others, *self.bystanders)
        return tuple(name for hit in hits for name in hit.reach)

    @property
    def tells(self) -> int:
        return min(hit.tells for hit in (self.target, *self.others))

    def scored(self, hits: int) -> int:
        """How many hits so many are."""
        return hits

    def hits(self, hits: int, face: int) -> list[Task]:
        """All hits are allocated before any wound roll; the first is the target's."""
        if hits < 2 or not self.others:
            return self.target.struck(hits, face)
        return [Task(Allocate(self, hits - 1, face, ()))]

    def misses(self, hits: int) -> list[Task]:
        """A miss may hit those in its way, once for each hit it would have been."""
        if not self.bystanders or not hits:
            return []
        landing = [Task(StrayHitsLand(hit), hit.name) for hit in self.bystanders]
        return [Task(StrayShot(self, 0), times=hits), *landing]


class Allocate(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """Rapid Fire: how many of the hits that are left go to the next of those near the target.

    Everything is allocated before the first wound roll. RF-10, RF-11, RF-15
    """

    bullets: Bullets
    left: int
    face: int
    given: tuple[int, ...]

    @property
    def reach(self) -> tuple[str, ...]:
        return self.bullets.reach

    def ask(self, fighter: Fighter) -> Choice[int] | None:
        if not self.left:
            return None
        other = self.bullets.others[len(self.given)]
        options = tuple(Option(str(n), n) for n in range(self.left + 1))
        hits = f"{self.left} further hit{'s' * (self.left > 1)}"
        label = f"{hits} to allocate: how many on {other.name}?"
        # the first hit is the target's already
        share = (self.left + 1) // (len(self.bullets.others) - len(self.given) + 1)
        policy = share if self.bullets.spreads else 0
        return Choice(label, self.bullets.target.harm.attacker, options, str(policy))

    def then(self, fighter: Fighter, taken: int | None) -> Next[Fighter]:
        bullets, taken = self.bullets, taken or 0
        given, left = (*self.given, taken), self.left - taken
        if left and len(given) < len(bullets.others):
            return Next(fighter, replace(self, left=left, given=given))
        tasks = bullets.target.struck(1 + left, self.face)
        for other, hits in zip(bullets.others, given, strict=False):
            tasks += other.struck(hits, self.face)
        return Next(fighter, *tasks)


class StrayShot(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """A stray shot: on a low D6 it hits the next in its way, else it goes on to the one after."""

    together = False

    bullets: Bullets
    at: int

    @property
    def reach(self) -> tuple[str, ...]:
        return self.bullets.reach

    def ask(self, fighter: Fighter) -> Roll[bool]:
        name = self.bullets.bystanders[self.at].name
        return Roll(f"stray shot at {name}", D6, AtMost(self.bullets.stray))

    def then(self, fighter: Fighter, hits: bool) -> Next[Fighter]:
        if hits:
            return Next(fighter, Task(Astray(), self.bullets.bystanders[self.at].name))
        if self.at + 1 < len(self.bullets.bystanders):
            return Next(fighter, replace(self, at=self.at + 1))
        return Next(fighter)


class Astray(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """A stray shot has found somebody; it is kept until all have."""

    reach = ()

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(replace(fighter, astray=fighter.astray + 1))


class StrayHitsLand(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """All stray shots that found this fighter land."""

    hit: Hit

    @property
    def reach(self) -> tuple[str, ...]:
        return self.hit.reach

    def applies(self, fighter: Fighter) -> bool:
        return fighter.astray > 0

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        landed = replace(fighter, astray=0)
        return Next(landed, *self.hit.struck(fighter.astray, PLAIN))
