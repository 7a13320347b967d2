"""A shot as an action: at whom it may be, and what changes its number as things stand."""

from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from firepower.chance.readings import AtLeast
from firepower.chance.steps import Modifier, Next, Roll, Step, Task, View
from firepower.combat.actions import NEEDLESS
from firepower.combat.reactions import Blocked
from firepower.systems.necromunda.activation import Doing, Status, Why, because
from firepower.systems.necromunda.allocation import Bullets
from firepower.systems.necromunda.areas import Flames, Marker
from firepower.systems.necromunda.fighter import Fighter, Seen
from firepower.systems.necromunda.injury import TWO_D6
from firepower.systems.necromunda.shooting import shoot
from firepower.systems.necromunda.shot import Hit, Parts, Shot


class Quarry(msgspec.Struct, frozen=True, cache_hash=True):
    """Somebody who may be shot at: the modifiers about this fighter, and what a hit would be.

    `engaged`, `prone` and `evades` count only while the fighter is; `hides`: Prone it cannot be
    targeted; `takes_spare`: even then it takes further hits. `lost`: out of range. `near`: who may
    take further hits if this is the target. `foes`: with whom it may be engaged.
    """

    hit: Hit
    parts: Parts
    cover: int
    engaged: Modifier | None
    prone: Modifier | None
    evades: Modifier | None
    hides: bool
    takes_spare: bool
    lost: bool
    near: tuple[str, ...]
    foes: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.hit.name

    @property
    def concerns(self) -> tuple[str, ...]:
        """Whom it must be looked at for, or may do something to."""
        return (self.name, *self.foes, *self.hit.reach)

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

    `bystanders`: who is near its line, `strays`: whom a miss may hit, the nearest first. `parts`:
    what the shooter, the action and the line add. `pool`: everybody else whom it may hit.
    `harder`: what is compared for further hits: "all" modifiers about a fighter or its "cover".
    `knock_adds`: Knockback looks at the modified roll. `closer`: enemies nearer than the target,
    for whom `cool` is tested (None: nothing is).
    """

    weapon: str
    mode: str
    shot: Shot
    parts: Parts
    quarries: tuple[Quarry, ...]
    pool: tuple[Quarry, ...] = ()
    spreads: bool = False
    bystanders: tuple[str, ...] = ()
    strays: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()
    stray: int = 0
    knock_adds: bool = False
    harder: str = "all"
    closer: tuple[Quarry, ...] = ()
    cool: int | None = None
    keeps_aim: bool = False

    is_attack: ClassVar[bool] = True
    plain: ClassVar[bool] = False
    """Whether nothing changes its roll to hit."""

    @property
    def concerns(self) -> tuple[str, ...]:
        named = [*self.foes, *self.shot.frame.reach]
        for each in (*self.quarries, *self.pool, *self.closer):
            named += each.concerns
        return tuple(name for name in dict.fromkeys(named) if name != self.who)

    @property
    def targets(self) -> tuple[str, ...]:
        quarries = (*self.quarries, *self.pool, *self.closer)
        return tuple(dict.fromkeys((*[each.name for each in quarries], *self.behind)))

    def blocked(self, view: View) -> Blocked | None:
        me: Fighter = view[self.who]
        if not self.eligible(view):
            return NEEDLESS
        arm = me.arm(self.weapon)
        if arm is not None and arm.jammed:
            return because(Why.JAM)
        if arm is not None and (arm.out or self.mode in (*arm.dry, *arm.spent)):
            return because(Why.AMMUNITION)
        return self.hindered(view)

    def eligible(self, view: View) -> list[Quarry]:
        """Those named who may be targeted as things stand."""
        return [each for each in self.quarries if self._is_target(view, each)]

    def _is_target(self, view: View, quarry: Quarry) -> bool:
        seen = self.seen(view, quarry.name)
        return seen.here and not (seen.prone and quarry.hides)

    # -- what changes the number -----------------------------------------------------------------

    def is_engaged(self, view: View, quarry: Quarry) -> bool:
        """Whether somebody is engaged with somebody who stands."""
        seen = self.seen(view, quarry.name)
        others = [self.seen(view, name) for name in seen.engaged if name in quarry.foes]
        return seen.stands and any(quarry.name in each.engaged and each.stands for each in others)

    def parts_about(self, view: View, quarry: Quarry) -> Parts:
        """The modifiers about somebody as things stand."""
        engaged = self.is_engaged(view, quarry)
        return quarry.parts_as(self.seen(view, quarry.name), engaged=engaged)

    def parts_at(self, view: View, quarry: Quarry) -> Parts:
        """Everything that changes the roll to hit somebody."""
        if self.plain:
            return ()
        me: Fighter = view[self.who]
        aimed = (Modifier("Aim", me.aimed, self.who),) if me.aimed else ()
        return (*aimed, *self.parts, *self.parts_about(view, quarry))

    def _ease(self, view: View, quarry: Quarry) -> int:
        if self.harder == "cover":
            return quarry.cover
        return sum(part.value for part in self.parts_about(view, quarry))

    # -- the shot --------------------------------------------------------------------------------

    def resolve(self, view: View) -> Next[View]:
        me: Fighter = view[self.who]
        target = self.eligible(view)[0]
        first = self.shot_at(view, target)
        nearer = [each for each in self.closer if self._comes_first(view, each, target)]
        if nearer and self.cool is not None:
            first = TargetPriority(self.cool, self.shot, first, self.shot_at(view, nearer[0]))
        after = me if self.keeps_aim else replace(me, aimed=0)
        return Next(view.replace(self.who, after), Task(first, self.who))

    def _comes_first(self, view: View, nearer: Quarry, target: Quarry) -> bool:
        """Target priority: whether somebody nearer may not simply be skipped."""
        if not self._is_target(view, nearer) or self.seen(view, nearer.name).down:
            return False
        return self._ease(view, nearer) >= self._ease(view, target)

    def shot_at(self, view: View, target: Quarry) -> Step[Fighter, Any]:
        """The first step of the shot at somebody."""
        parts = self.parts_at(view, target)
        if self.knock_adds:
            knocks = target.hit.knocks - sum(part.value for part in parts)
            target = replace(target, hit=replace(target.hit, knocks=max(1, knocks)))
        arm = view[self.who].arm(self.weapon)
        shot = replace(
            self.shot,
            lost=target.lost,
            landing=self.landing(view, target),
            reroll=self.shot.reroll and not (arm is not None and arm.rerolled),
        )
        return shoot(shot, parts)

    def landing(self, view: View, target: Quarry) -> Any:
        """Where the hits go, as things stand."""
        everybody = {each.name: each for each in (*self.pool, *self.quarries)}
        return Bullets(
            self.hit_on(view, target),
            tuple(self.hit_on(view, each) for each in self._recipients(view, target)),
            self.spreads,
            tuple(self.hit_on(view, everybody[name]) for name in self._in_the_way(view, target)),
            self.stray,
        )

    def _in_the_way(self, view: View, target: Quarry) -> list[str]:
        """Whom a miss may hit: who is near the line, and who is engaged with the target."""
        engaged: tuple[str, ...] = ()
        if self.is_engaged(view, target):
            engaged = self.seen(view, target.name).engaged
        return [
            name
            for name in self.strays
            if name != target.name
            and self.seen(view, name).here
            and (name in self.bystanders or name in engaged)
        ]

    def hit_on(self, view: View, quarry: Quarry) -> Hit:
        """A hit on somebody, who is pinned by it only if not engaged."""
        return replace(quarry.hit, pins=not self.is_engaged(view, quarry))

    def _recipients(self, view: View, target: Quarry) -> list[Quarry]:
        """Those near the target who are no harder to hit. RF-14"""
        found = []
        for each in (*self.pool, *self.quarries):
            seen = self.seen(view, each.name)
            hidden = seen.prone and each.hides and not each.takes_spare
            if each.name not in target.near or each.lost or not seen.here or hidden:
                continue
            if self._ease(view, each) >= self._ease(view, target):
                found.append(each)
        return found


class TargetPriority(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Target priority: Cool to shoot at somebody who is not the nearest, else it is the nearest.

    Nothing is tested for those who take further hits. A-16
    """

    cool: int
    shot: Shot
    chosen: Any
    nearest: Any

    @property
    def reach(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.chosen.reach, *self.nearest.reach)))

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("Cool, to choose another target", TWO_D6, AtLeast(self.cool))

    def then(self, fighter: Fighter, passed: bool) -> Next[Fighter]:
        return Next(fighter, self.chosen if passed else self.nearest)


class FlameShooting(Shooting, frozen=True, cache_hash=True, kw_only=True):
    """A Template: everybody it touches is hit, whoever they are."""

    def landing(self, view: View, target: Quarry) -> Flames:
        return Flames(tuple(self.hit_on(view, each) for each in self.eligible(view)))


class BlastShooting(Shooting, frozen=True, cache_hash=True, kw_only=True):
    """A Blast: who is under the marker is stated, or comes from positions.

    `under`: for each target those under the marker centred there.
    """

    marker: Marker
    under: tuple[tuple[str, tuple[str, ...]], ...]
    places: tuple[tuple[str, tuple[tuple[tuple[str, ...], ...], ...]], ...]

    def landing(self, view: View, target: Quarry) -> Marker | Flames:
        if target.lost:
            return Flames(())
        everybody = {
            each.name: self.hit_on(view, each)
            for each in (*self.pool, *self.quarries, *self.closer)
            if self.seen(view, each.name).here
        }
        names = dict(self.under).get(target.name, (target.name,))
        stays = (target.name, *[name for name in names if name != target.name])
        stays = tuple(name for name in stays if name in names)
        return replace(
            self.marker,
            stays=tuple(everybody[name] for name in stays if name in everybody),
            around=tuple(everybody.values()),
            places=dict(self.places).get(target.name),
        )


class HarmlessShooting(Shooting, frozen=True, cache_hash=True, kw_only=True):
    """Smoke and the like: nobody is hit."""

    def landing(self, view: View, target: Quarry) -> Flames:
        return Flames(())


class Kneeling(Shooting, frozen=True, cache_hash=True, kw_only=True):
    """Blind Fire: a shot of who lies Pinned."""

    lawful: ClassVar[frozenset[Status]] = frozenset((Status.PINNED,))


class ThroughDuctway(Shooting, frozen=True, cache_hash=True, kw_only=True):
    """A shot through a ductway: a number of its own, and nothing changes it."""

    plain: ClassVar[bool] = True


class TwoGuns(Doing, frozen=True, cache_hash=True, kw_only=True):
    """Two Sidearms in one Shoot: each with a roll to hit and Firepower dice of its own."""

    first: Shooting
    second: Shooting

    is_attack: ClassVar[bool] = True

    @property
    def concerns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.first.concerns, *self.second.concerns)))

    @property
    def targets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.first.targets, *self.second.targets)))

    def blocked(self, view: View) -> Blocked | None:
        return self.first.blocked(view) or self.second.blocked(view)

    def resolve(self, view: View) -> Next[View]:
        first, second = self.first.resolve(view), self.second.resolve(view)
        return Next(first.part, *first.todo, *second.todo)
