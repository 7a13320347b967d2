"""What hits do besides wounding: pinning, and what comes when an attack is over."""

from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from firepower.chance.readings import AtLeast
from firepower.chance.steps import Modifier, Next, Roll, Step, Task
from firepower.systems.necromunda.damage import Body, Harm, begin
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.injury import D6, TWO_D6, injured
from firepower.systems.necromunda.traits import Trait
from firepower.systems.necromunda.wounding import Scattershot

R = TypeVar("R")


class Pinning(msgspec.Struct, frozen=True, cache_hash=True):
    """Whether a hit pins who stands: at once, or with a `test` against it.

    `need` of the test and its `dice` (2D6 for Cool, a D6 for Initiative).
    """

    test: str = ""
    need: int = 0
    two_dice: bool = False
    parts: tuple[Modifier, ...] = ()


class Catching(msgspec.Struct, frozen=True, cache_hash=True):
    """Blaze: the least D6 that sets on fire, also of who is Gunked.

    `per_hit`: one roll for each hit; `wounding`: only if the attack wounded.
    """

    least: int
    gunked: int
    per_hit: bool
    wounding: bool


class Aftermath(msgspec.Struct, frozen=True, cache_hash=True):
    """What the hits of an attack do to somebody besides wounding.

    `rads`: the least D6 that gives a Flesh Wound (1: no roll), None: no Rad-phage. `curse`: the
    Willpower to test (None: no Cursed). `drags`: the least D6 that drags.
    """

    pinning: Pinning | None = None
    catching: Catching | None = None
    rads: int | None = None
    curse: int | None = None
    drags: int | None = None
    concusses: bool = False
    gunks: bool = False

    @property
    def without_end(self) -> "Aftermath":
        """Of hits that are not the last of an attack: what comes when it is over is left out."""
        return replace(self, catching=None, rads=None, curse=None, drags=None)


class Struck(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """The hits of one attack on one fighter, all of the same kind, in sequence.

    `pins`: the fighter stood and was not engaged when hit.
    """

    body: Body
    harm: Harm
    after: Aftermath
    hits: int
    pins: bool

    @property
    def reach(self) -> tuple[str, ...]:
        return (*self.body.reach, *self.harm.reach)

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        body, harm, after = self.body, self.harm, self.after
        if body.lying is not None:
            body = replace(body, protection=body.lying if fighter.prone else body.protection)
            body = replace(body, lying=None)
        todo: list[Step[Fighter, Any] | Task] = []
        records = {"hit": self.hits}
        pinning = after.pinning if self.pins and fighter.stands else None
        cancels = body.protection.cancels
        if pinning is not None and pinning.test and not cancels:
            todo.append(Pinned(pinning))
        elif pinning is not None and not cancels:
            fighter = fighter.pin()
            records["pinned"] = 1
        fighter = replace(fighter, cancelled=0, hurt=False)
        scatters = Trait.SCATTERSHOT in harm.traits
        first = Scattershot(body, harm) if scatters else begin(fighter, body, harm)
        todo.append(Task(first, times=self.hits))
        if pinning is not None and cancels:
            todo.append(Pinned(pinning, self.hits))
        return Next(fighter, *todo, *self._afterwards(), records=records)

    def _afterwards(self) -> list[Task]:
        after, times = self.after, 1
        tasks = []
        if after.concusses or after.gunks:
            tasks.append(Task(Hampers(self.hits, after.concusses, after.gunks)))
        if after.rads is not None:
            tasks.append(Task(RadPhage(self.hits, self.body, after.rads)))
        if after.curse is not None:
            tasks.append(Task(CurseTest(self.hits, after.curse)))
        if after.catching is not None:
            times = self.hits if after.catching.per_hit else 1
            tasks.append(Task(CatchFire(self.hits, after.catching), times=times))
        if after.drags is not None:
            tasks.append(Task(Dragged(self.hits, after.drags, self.harm.attacker)))
        if self.body.protection.cancels or (after.catching and after.catching.wounding):
            tasks.append(Task(AttackOver()))
        return tasks


class Pinned(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Who was hit is pinned; Nerves of Steel (Cool) or a mount (Initiative) may keep up.

    `hits`: of so many a field may have cancelled all; then it is asked when it has not.
    """

    reach = ()

    pinning: Pinning
    hits: int = 0

    def applies(self, fighter: Fighter) -> bool:
        return not self.hits or fighter.cancelled < self.hits

    def ask(self, fighter: Fighter) -> Roll[bool] | None:
        pinning = self.pinning
        if not pinning.test or not fighter.stands:
            return None
        need = pinning.need - sum(part.value for part in pinning.parts)
        throw = TWO_D6 if pinning.two_dice else D6
        label = f"{pinning.test}, not to be pinned"
        return Roll(label, throw, AtLeast(need), pinning.parts, pinning.need)

    def then(self, fighter: Fighter, passed: bool | None) -> Next[Fighter]:
        if passed:
            return Next(fighter)
        return Next(fighter.pin(), records={"pinned": 1})


class OfWhoWasHit(Step[Fighter, R], frozen=True, gc=False, cache_hash=True):
    """What comes after so many hits on somebody, of which a field has not cancelled all."""

    hits: int

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out and fighter.cancelled < self.hits


class Hampers(OfWhoWasHit[None], frozen=True, gc=False, cache_hash=True):
    """Concussion and Gunk: who was hit is hampered until the round ends."""

    reach = ()

    concusses: bool
    gunks: bool

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        after = replace(
            fighter,
            concussed=fighter.concussed or self.concusses,
            gunked=fighter.gunked or self.gunks,
        )
        return Next(after, records={"concussed": self.concusses, "gunked": self.gunks})


class RadPhage(OfWhoWasHit[bool], frozen=True, gc=False, cache_hash=True):
    """Rad-phage: when its hits are resolved, one more Flesh Wound on a D6, or always."""

    body: Body
    least: int

    @property
    def reach(self) -> tuple[str, ...]:
        return self.body.frame.reach

    def ask(self, fighter: Fighter) -> Roll[bool] | None:
        return None if self.least <= 1 else Roll("rad-phage", D6, AtLeast(self.least))

    def then(self, fighter: Fighter, worse: bool | None) -> Next[Fighter]:
        if worse is False:
            return Next(fighter)
        return injured(fighter, self.body.frame, 1, 0, 0)


class CurseTest(OfWhoWasHit[bool], frozen=True, gc=False, cache_hash=True):
    """Cursed: who fails a Willpower test is Insane; what that means is in no table here."""

    reach = ()

    willpower: int

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("Willpower, against a curse", TWO_D6, AtLeast(self.willpower))

    def then(self, fighter: Fighter, passed: bool) -> Next[Fighter]:
        return Next(fighter, records={"insane": not passed})


class CatchFire(OfWhoWasHit[bool], frozen=True, gc=False, cache_hash=True):
    """Blaze: who was hit and is not out of action catches fire on a high D6, once.

    BL-01, BL-02, BL-03, A-31
    """

    reach = ()

    catching: Catching

    def applies(self, fighter: Fighter) -> bool:
        burns = fighter.hurt or not self.catching.wounding
        return burns and super().applies(fighter) and not fighter.on_fire

    def ask(self, fighter: Fighter) -> Roll[bool]:
        least = self.catching.gunked if fighter.gunked else self.catching.least
        return Roll("catch fire", D6, AtLeast(least))

    def then(self, fighter: Fighter, burns: bool) -> Next[Fighter]:
        if not burns:
            return Next(fighter)
        after = replace(fighter, on_fire=True, gunked=False)
        return Next(after, records={"caught_fire": 1})


class Dragged(OfWhoWasHit[bool], frozen=True, gc=False, cache_hash=True):
    """Drag: who was hit and is not out of action is drawn D3 inches on a high D6."""

    reach = ()

    least: int
    attacker: str

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("drag", D6, AtLeast(self.least), by=self.attacker)

    def then(self, fighter: Fighter, drawn: bool) -> Next[Fighter]:
        return Next(fighter, records={"dragged": drawn})


class AttackOver(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """What was remembered of one attack is over with it."""

    reach = ()

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(replace(fighter, cancelled=0, hurt=False))
