"""A shot as an action: at whom it may be, what changes its number as things stand."""

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from firepower.chance.steps import Modifier, Next, Task, View
from firepower.combat.actions import NEEDLESS
from firepower.combat.reactions import Blocked
from firepower.systems.necromunda.activation import Doing, Why, because
from firepower.systems.necromunda.allocation import Bullets
from firepower.systems.necromunda.fighter import Fighter, Seen
from firepower.systems.necromunda.shooting import shoot
from firepower.systems.necromunda.shot import Hit, Parts, Shot


class Quarry(msgspec.Struct, frozen=True, cache_hash=True):
    """Somebody who may be shot at: the modifiers about this fighter, and what a hit would be.

    `engaged`, `prone` and `evades` count only while the fighter is; `hides`: Prone it cannot be
    targeted. `foes`: with whom it may be engaged.
    """

    hit: Hit
    parts: Parts
    cover: int
    engaged: Modifier | None
    prone: Modifier | None
    evades: Modifier | None
    hides: bool
    foes: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.hit.name

    @property
    def concerns(self) -> tuple[str, ...]:
        """Whom it must be looked at for."""
        return (self.name, *self.foes)

    def parts_as(self, seen: Seen, *, engaged: bool) -> Parts:
        """The modifiers about the fighter as it stands."""
        found = list(self.parts)
        if engaged and self.engaged is not None:
            found.append(self.engaged)
        if seen.prone and self.prone is not None:
            found.append(self.prone)
        if seen.stands and not engaged and self.evades is not None:
            found.append(self.evades)
        return tuple(found)


class Shooting(Doing, frozen=True, cache_hash=True, kw_only=True):
    """A shot with one profile at the first of those it names who may be targeted.

    `parts`: what the shooter and the line add. `others`: who may take further hits. `harder`: what
    is compared for that: "all" modifiers about a fighter or its "cover".
    """

    weapon: str
    mode: str
    shot: Shot
    parts: Parts
    quarries: tuple[Quarry, ...]
    others: tuple[Quarry, ...] = ()
    bystanders: tuple[Quarry, ...] = ()
    spreads: bool = False
    stray: int = 0
    harder: str = "all"
    keeps_aim: bool = False

    is_attack: ClassVar[bool] = True

    @property
    def concerns(self) -> tuple[str, ...]:
        quarries = (*self.quarries, *self.others, *self.bystanders)
        named = [*self.foes, *self.shot.reach]
        for each in quarries:
            named += [*each.concerns, *each.hit.reach]
        return tuple(name for name in dict.fromkeys(named) if name != self.who)

    @property
    def targets(self) -> tuple[str, ...]:
        quarries = (*self.quarries, *self.others, *self.bystanders)
        return tuple(dict.fromkeys(each.name for each in quarries))

    def blocked(self, view: View) -> Blocked | None:
        me: Fighter = view[self.who]
        if not self._eligible(view):
            return NEEDLESS
        arm = me.arm(self.weapon)
        if arm is not None and (arm.jammed or self.mode in arm.spent):
            return because(Why.JAM if arm.jammed else Why.AMMUNITION)
        if arm is not None and (arm.out or self.mode in arm.dry):
            return because(Why.AMMUNITION)
        return self.hindered(view)

    def _eligible(self, view: View) -> list[Quarry]:
        found = []
        for each in self.quarries:
            seen = self.seen(view, each.name)
            if seen.here and not (seen.prone and each.hides):
                found.append(each)
        return found

    def is_engaged(self, view: View, quarry: Quarry) -> bool:
        """Whether somebody is engaged with somebody who stands."""
        seen = self.seen(view, quarry.name)
        others = [self.seen(view, name) for name in seen.engaged]
        return seen.stands and any(quarry.name in each.engaged and each.stands for each in others)

    def parts_about(self, view: View, quarry: Quarry) -> Parts:
        """The modifiers about somebody as things stand."""
        engaged = self.is_engaged(view, quarry)
        return quarry.parts_as(self.seen(view, quarry.name), engaged=engaged)

    def resolve(self, view: View) -> Next[View]:
        me: Fighter = view[self.who]
        target = self._eligible(view)[0]
        aimed = (Modifier("Aim", me.aimed, self.who),) if me.aimed else ()
        parts = (*aimed, *self.parts, *self.parts_about(view, target))
        shot = replace(self.shot, landing=self.landing(view, target))
        after = self.paying(me)
        after = after if self.keeps_aim else replace(after, aimed=0)
        return Next(view.replace(self.who, after), Task(shoot(shot, parts), self.who))

    def landing(self, view: View, target: Quarry) -> Bullets:
        """Where the hits go, as things stand."""
        return Bullets(
            self.hit_on(view, target),
            tuple(self.hit_on(view, each) for each in self._recipients(view, target)),
            self.spreads,
            tuple(self.hit_on(view, each) for each in self.bystanders),
            self.stray,
        )

    def hit_on(self, view: View, quarry: Quarry) -> Hit:
        """A hit on somebody, who is pinned by it only if not engaged."""
        return replace(quarry.hit, pins=not self.is_engaged(view, quarry))

    def _recipients(self, view: View, target: Quarry) -> list[Quarry]:
        """Those near the target who are no harder to hit. RF-14"""
        found = []
        for each in self.others:
            seen = self.seen(view, each.name)
            if each.name == target.name or not seen.here or (seen.prone and each.hides):
                continue
            if self._ease(view, each) >= self._ease(view, target):
                found.append(each)
        return found

    def _ease(self, view: View, quarry: Quarry) -> int:
        if self.harder == "cover":
            return quarry.cover
        return sum(part.value for part in self.parts_about(view, quarry))
