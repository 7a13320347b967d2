"""Blaze: what a burning fighter does when activated, in the two procedures there are."""

from math import cos, inf, pi, sin, sqrt
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Dice
from firepower.chance.notation import dice
from firepower.chance.readings import AtLeast, Total
from firepower.chance.steps import Choice, Modifier, Next, Option, Roll, Step, Task, View
from firepower.combat.ground import EDGE, Position, distance
from firepower.systems.necromunda.aftermath import AttackOver
from firepower.systems.necromunda.damage import Body, Harm, begin
from firepower.systems.necromunda.fighter import Fighter, Seen
from firepower.systems.necromunda.injury import D6

R = TypeVar("R")


class RandomMove(msgspec.Struct, frozen=True, cache_hash=True):
    """How far a burning fighter runs, and what it keeps away from; walls and ledges are not known.

    A-32

    `start`: where the fighter stands (None: nobody says), `short_of`: how near enemies may be,
    centre to centre.
    """

    inches: Dice
    directions: int
    start: Position | None = None
    enemies: tuple[Position, ...] = ()
    short_of: float = 0.0

    def end(self, start: Position, way: int, inches: int) -> Position:
        """Where a move in one of the directions stops: before it would come too near an enemy."""
        turn = 2 * pi * way / self.directions
        along = (cos(turn), sin(turn))
        reach = float(inches)
        for enemy in self.enemies:
            reach = min(reach, self._until(start, along, enemy))
        return (round(start[0] + reach * along[0], 6), round(start[1] + reach * along[1], 6))

    def _until(self, start: Position, along: tuple[float, float], enemy: Position) -> float:
        """How far along a line somebody may go before it is too near an enemy."""
        to_enemy = (enemy[0] - start[0], enemy[1] - start[1])
        ahead = to_enemy[0] * along[0] + to_enemy[1] * along[1]
        off = to_enemy[0] ** 2 + to_enemy[1] ** 2 - ahead**2
        room = self.short_of**2 - off
        if room <= EDGE or ahead <= 0:
            return inf
        return max(0.0, ahead - sqrt(room))


class Fire(msgspec.Struct, frozen=True, cache_hash=True):
    """What a fire does to one fighter, and what puts it out.

    `friends`: those who may stand within an inch, with where they stand if it is known; `helpers`:
    others there. `any_friend`: they help as long as they are not out of action; `burning_helps`:
    also on fire. The rest are the readings of the procedure of 2017.
    """

    name: str
    body: Body
    harm: Harm
    out: int
    friend: int
    helpers: int
    friends: tuple[tuple[str, Position | None], ...]
    beside: float
    any_friend: bool
    burning_helps: bool
    move: RandomMove
    double_action: int = 0
    prone: int = 0
    actions_after: int = 2
    double_acts: bool = False
    double_hurts: bool = True
    pinned_double: bool = True
    down: str = "rolls"
    engaged_runs: bool = False

    def helping(self, view: View, me: Fighter) -> int:
        """How many friends help to put it out."""
        count = self.helpers
        for name, position in self.friends:
            seen: Seen = view.glance(name)
            active = seen.here if self.any_friend else seen.stands and not seen.engaged
            if active and (self.burning_helps or not seen.on_fire):
                count += self._is_beside(me, position)
        return count

    def _is_beside(self, me: Fighter, position: Position | None) -> bool:
        here = me.at or self.move.start
        if position is None or here is None:
            return me.at is None
        return distance(here, position) <= self.beside + EDGE


class OfAFire(Step[View, R], frozen=True, gc=False, cache_hash=True):
    """A step of a burning fighter, who glances at friends and foes."""

    fire: Fire
    foes: tuple[str, ...]

    @property
    def glances(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*[name for name, _ in self.fire.friends], *self.foes)))

    def glance(self, part: Fighter) -> Seen:
        return part.glimpse

    @property
    def reach(self) -> tuple[str, ...]:
        return self.fire.body.frame.reach

    @property
    def task(self) -> Task:
        """The step for the one who burns."""
        return Task(self, (self.fire.name,))

    def me(self, view: View) -> Fighter:
        """The one who burns."""
        fighter: Fighter = view[self.fire.name]
        return fighter

    def applies(self, view: View) -> bool:
        me = self.me(view)
        return me.on_fire and not me.out and me.actions != 0

    def engaged(self, view: View) -> bool:
        """Whether the fighter stands in close combat."""
        me = self.me(view)
        return me.stands and any(view.glance(n).stands for n in me.engaged if n in self.foes)

    def roll(self, view: View, extra: tuple[Modifier, ...]) -> Roll[bool]:
        """The roll that puts a fire out: a D6, with the friends beside. BL-11"""
        fire, parts = self.fire, extra
        friends = fire.helping(view, self.me(view))
        if friends:
            parts = (*parts, Modifier("friends beside", friends * fire.friend, "rules: blaze"))
        need = fire.out - sum(part.value for part in parts)
        return Roll("put the fire out", D6, AtLeast(need), parts, fire.out, fire.name)

    def put_out(self, view: View, actions: int) -> Next[View]:
        """The flames go out, and so many actions are left."""
        me = self.me(view)
        left = None if me.actions is None else actions
        after = replace(me, on_fire=False, actions=left)
        return self._next(view, after, records={f"{self.fire.name}.fire_out": 1})

    def burnt(self, view: View, me: Fighter, *todo: Task) -> Next[View]:
        """The flames hit; BL-06"""
        fire = self.fire
        hit = Task(begin(me, fire.body, fire.harm), fire.name)
        over = (Task(AttackOver(), fire.name),) if fire.body.protection.first else ()
        return Next(view.replace(fire.name, me), hit, *over, *todo)

    def _next(self, view: View, me: Fighter, records: dict[str, int]) -> Next[View]:
        return Next(view.replace(self.fire.name, me), records=records)


class RollFirst(OfAFire[str], frozen=True, gc=False, cache_hash=True):
    """Blaze of 2017: a roll puts it out, or a Double action with a better one does.

    BL-04, BL-09, BL-10
    """

    policy: str
    stated: str | None = None

    def ask(self, view: View) -> Choice[str] | None:
        if not self._may_double(view):
            return None
        options = (Option("normal roll", "normal"), Option("double action", "double"))
        keys = {"normal": "normal roll", "double": "double action"}
        label = f"{self.fire.name} burns: how to put it out?"
        stated = None if self.stated is None else keys[self.stated]
        return Choice(label, self.fire.name, options, keys[self.policy], stated=stated)

    def _may_double(self, view: View) -> bool:
        me, fire = self.me(view), self.fire
        if me.is_down:
            return fire.down == "double"
        if me.pinned and not fire.pinned_double:
            return False
        return not (self.engaged(view) and not fire.engaged_runs)

    def then(self, view: View, how: str | None) -> Next[View]:
        me = self.me(view)
        if me.is_down and self.fire.down == "no_roll":
            return Next(view.replace(self.fire.name, _spent(me)))
        double = how == "double"
        records = {f"{self.fire.name}.activations_on_fire": 1}
        if double:
            records[f"{self.fire.name}.pinned"] = int(me.stands)
            me = me.pin()
        roll = PutOut(self.fire, self.foes, double)
        return Next(view.replace(self.fire.name, me), roll.task, records=records)


class PutOut(OfAFire[bool], frozen=True, gc=False, cache_hash=True):
    """On a 6 or more the flames go out; else they hit, and who stands runs. BL-05, BL-08, BL-12"""

    double: bool

    def ask(self, view: View) -> Roll[bool]:
        value = self.fire.double_action
        extra = (Modifier("Double action", value, "rules: blaze"),) if self.double else ()
        return self.roll(view, extra)

    def then(self, view: View, out: bool) -> Next[View]:
        me, fire = self.me(view), self.fire
        if out and self.double:
            return self.put_out(view, fire.actions_after if fire.double_acts else 0)
        if out:
            return self.put_out(view, fire.actions_after)
        if self.double and not fire.double_hurts:
            return Next(view.replace(fire.name, _spent(me)))
        return self.burnt(view, _spent(me), RunBurning(fire, self.foes).task)


def _spent(me: Fighter) -> Fighter:
    """No more actions in this activation."""
    return me if me.actions is None else replace(me, actions=0)


class RunBurning(OfAFire[int], frozen=True, gc=False, cache_hash=True):
    """Who still stands after the hit runs 2D6 inches in a random direction; Pinned nobody does.

    Engaged nobody does: every step would be too near an enemy. BL-07, A-25, A-27
    """

    def applies(self, view: View) -> bool:
        me = self.me(view)
        runs = self.fire.engaged_runs or not self.engaged(view)
        return me.on_fire and me.stands and runs and self.fire.move.start is not None

    def ask(self, view: View) -> Roll[int]:
        return Roll("burning: how far?", self.fire.move.inches, Total("inches"), by=self.fire.name)

    def then(self, view: View, inches: int) -> Next[View]:
        return Next(view, RunTowards(self.fire, self.foes, inches).task)


class RunTowards(OfAFire[int], frozen=True, gc=False, cache_hash=True):
    """The direction of a random move, one of so many; it stops short of an enemy."""

    inches: int

    def applies(self, view: View) -> bool:
        return True

    def ask(self, view: View) -> Roll[int]:
        one_of_them = dice(f"d{self.fire.move.directions}")
        return Roll("burning: which way?", one_of_them, Total(), by=self.fire.name)

    def then(self, view: View, way: int) -> Next[View]:
        me, move = self.me(view), self.fire.move
        start = me.at or move.start or (0.0, 0.0)
        after = replace(me, at=move.end(start, way, self.inches))
        return Next(view.replace(self.fire.name, after))


class HitFirst(OfAFire[None], frozen=True, gc=False, cache_hash=True):
    """Blaze since 2018: the hit comes first, then the move, then the roll; that is all.

    Who is Pinned stands up, who is Active runs; who is Engaged or Seriously Injured does neither.
    """

    drops: str

    def then(self, view: View, _: None) -> Next[View]:
        fire = self.fire
        records = {f"{fire.name}.activations_on_fire": 1}
        after = self.burnt(view, self.me(view), StandAndRun(fire, self.foes, self.drops).task)
        return Next(after.part, *after.todo, records=records)


class StandAndRun(OfAFire[None], frozen=True, gc=False, cache_hash=True):
    """After the hit: stand up, run; then going Prone and Pinned is a choice."""

    drops: str

    def then(self, view: View, _: None) -> Next[View]:
        fire, me = self.fire, self.me(view)
        roll = LastRoll(fire, self.foes).task
        if me.is_down or self.engaged(view):
            return Next(view, roll)
        up = view.replace(fire.name, replace(me, pinned=False))
        run = RunBurning(fire, self.foes).task
        return Next(up, run, DropProne(fire, self.foes, self.drops).task, roll)


class DropProne(OfAFire[bool], frozen=True, gc=False, cache_hash=True):
    """After running a burning fighter may drop, which helps to put it out."""

    drops: str

    def applies(self, view: View) -> bool:
        return super().applies(view) and self.me(view).stands

    def ask(self, view: View) -> Choice[bool]:
        options = (Option("no", value=False), Option("yes", value=True))
        label = f"{self.fire.name} burns: go Prone and Pinned?"
        return Choice(label, self.fire.name, options, self.drops)

    def then(self, view: View, drops: bool) -> Next[View]:
        me = self.me(view)
        return Next(view.replace(self.fire.name, me.pin() if drops else me))


class LastRoll(OfAFire[bool], frozen=True, gc=False, cache_hash=True):
    """The roll that puts it out, +2 for who is Pinned or Seriously Injured; then it is over."""

    def ask(self, view: View) -> Roll[bool]:
        prone = Modifier("prone", self.fire.prone, "rules: blaze")
        return self.roll(view, (prone,) if self.me(view).prone else ())

    def then(self, view: View, out: bool) -> Next[View]:
        if out:
            return self.put_out(view, 0)
        return Next(view.replace(self.fire.name, _spent(self.me(view))))
