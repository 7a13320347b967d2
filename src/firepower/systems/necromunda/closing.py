"""Into close combat and out of it: a fight and what follows it, charges, retreats."""

from math import ceil

import msgspec
from msgspec.structs import replace

from firepower.chance.notation import dice
from firepower.chance.readings import AtLeast
from firepower.chance.steps import Choice, Modifier, Next, Option, Roll, Step, Task, View
from firepower.systems.necromunda.blows import Bout, OfABout, locked
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.injury import D6, Frame, injured
from firepower.systems.necromunda.melee import Attack, Crowded, ReactionAttack, aims_of

CONSOLIDATE = "consolidate"


# -- a fight ---------------------------------------------------------------------------------------


class Combat(msgspec.Struct, frozen=True, cache_hash=True, kw_only=True):
    """A fight of somebody: the attack, what each enemy may answer, and what follows.

    `frames` of those who may be finished; `finishes`: by policy they are. `turned`: what it costs
    to have turned.
    """

    own: Bout
    answers: tuple[Bout, ...]
    frames: tuple[Frame, ...]
    finishes: bool
    turned: int

    @property
    def who(self) -> str:
        """Whose fight it is."""
        return self.own.who

    def tasks(self, names: tuple[str, ...], turned: tuple[str, ...] = ()) -> tuple[Task, ...]:
        """The attack on these, the answers of all enemies, and what follows."""
        who = (self.who,)
        tasks = [Task(Attack(self.own, names), who)]
        for answer in self.answers:
            had_to_turn = Modifier("turned", self.turned, answer.who)
            parts = (had_to_turn,) if answer.who in turned else ()
            tasks.append(Task(ReactionAttack(answer, who, parts), (answer.who,)))
        reached = {name for hand in self.own.hands for name in hand.reaches}
        frames = tuple(f for f in self.frames if f.name in names and f.name not in reached)
        if frames:
            tasks.append(Task(FollowUp(self.own, frames, self.finishes), who))
        return tuple(tasks)


class FollowUp(Crowded[str], frozen=True, gc=False, cache_hash=True):
    """When all enemies fell the fighter may consolidate, or give one who is down a coup de grace.

    Consolidating it is engaged with nobody any more.
    """

    frames: tuple[Frame, ...]
    finishes: bool

    def ask(self, view: View) -> Choice[str] | None:
        crowd = self.crowd(view)
        down = [frame.name for frame in self.frames if crowd[frame.name].down]
        if self._is_held(view) or not down or not view[self.bout.who].stands:
            return None
        options = (
            Option(CONSOLIDATE, ""),
            *(Option(f"coup de grace for {name}", name) for name in down),
        )
        policy = options[1 if self.finishes else 0].key
        return Choice("consolidate or coup de grace?", self.bout.who, options, policy)

    def _is_held(self, view: View) -> bool:
        """Whether somebody it is engaged with still stands."""
        crowd = self.crowd(view)
        return any(locked(crowd, self.bout.who, name) for name in crowd)

    def then(self, view: View, name: str | None) -> Next[View]:
        free = view
        if not self._is_held(view):
            free = view.replace(self.bout.who, replace(view[self.bout.who], engaged=()))
        if not name:
            return Next(free)
        frame = next(frame for frame in self.frames if frame.name == name)
        return Next(free, Task(CoupDeGrace(frame), name))


class CoupDeGrace(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Coup de grace: who lies Seriously Injured goes out of action."""

    frame: Frame

    @property
    def reach(self) -> tuple[str, ...]:
        return self.frame.reach

    def applies(self, fighter: Fighter) -> bool:
        return fighter.is_down and not fighter.out

    def says(self, fighter: Fighter) -> str:
        return f"{self.frame.name}: coup de grace"

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return injured(fighter, self.frame, 0, 0, 1)


# -- a charge --------------------------------------------------------------------------------------


class ChargeRoll(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """A charge moves D3 inches farther than Movement; who does not get there has spent it."""

    combat: Combat
    names: tuple[str, ...]
    throw: str
    lacking: float

    @property
    def reach(self) -> tuple[str, ...]:
        return self.combat.own.fray

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("charge", dice(self.throw), AtLeast(ceil(self.lacking)))

    def then(self, fighter: Fighter, arrives: bool) -> Next[Fighter]:
        if not arrives:
            return Next(fighter)
        return Next(fighter, arriving(self.combat, self.names))


def arriving(combat: Combat, names: tuple[str, ...]) -> Task:
    """The charger gets there."""
    return Task(ChargeArrives(combat.own, combat, names), (combat.who,))


class ChargeArrives(Crowded[bool], frozen=True, gc=False, cache_hash=True):
    """The charger is engaged with those who stand, and must fight them.

    Who was Pinned stands up and counts as having turned. If all lie Seriously Injured, a coup de
    grace may be given instead.
    """

    combat: Combat
    names: tuple[str, ...]

    def _down(self, view: View) -> list[Frame]:
        """Those whom a coup de grace may be given, if there is nobody to fight."""
        crowd = self.crowd(view)
        there = [name for name in self.names if crowd[name].here]
        if any(not crowd[name].down for name in there):
            return []
        return [frame for frame in self.combat.frames if frame.name in there]

    def ask(self, view: View) -> Choice[bool] | None:
        down = self._down(view)
        if not down:
            return None
        options = (Option("yes", value=True), Option("no", value=False))
        label = f"a coup de grace for {down[0].name}?"
        return Choice(label, self.bout.who, options, "yes")

    def then(self, view: View, finishes: bool | None) -> Next[View]:
        down = self._down(view)
        if down:
            todo = (Task(CoupDeGrace(down[0]), down[0].name),) if finishes else ()
            return Next(view, *todo)
        who, crowd = self.bout.who, self.crowd(view)
        met = tuple(n for n in self.names if crowd[n].here and not crowd[n].down)
        turned = tuple(name for name in met if crowd[name].prone)
        me: Fighter = view[who]
        after = view.replace(who, replace(me, engaged=_with(me.engaged, *met)))
        joining = [Task(Engages(who), name) for name in met]
        return Next(after, *joining, *self.combat.tasks(met, turned))


def _with(names: tuple[str, ...], *more: str) -> tuple[str, ...]:
    return tuple(sorted({*names, *more}))


class Engages(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Who is charged is engaged, and on their feet."""

    reach = ()

    charger: str

    def applies(self, fighter: Fighter) -> bool:
        return not (fighter.out or fighter.is_down)

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        engaged = _with(fighter.engaged, self.charger)
        return Next(replace(fighter, pinned=False, engaged=engaged))


# -- a retreat -------------------------------------------------------------------------------------


class Agility(msgspec.Struct, frozen=True, cache_hash=True):
    """An Initiative test: what it needs, what of who is concussed, and what gunk adds to it."""

    need: int
    concussed: int
    gunked: int

    def roll(self, label: str, fighter: Fighter) -> Roll[bool]:
        """The test as the fighter is."""
        need = self.concussed if fighter.concussed else self.need
        need -= self.gunked if fighter.gunked else 0
        return Roll(label, D6, AtLeast(need, natural_1_fails=True))


class RetreatTest(OfABout[bool], frozen=True, gc=False, cache_hash=True):
    """Retreat: an Initiative test to leave; each enemy may test its own to attack first.

    `if_leaving`: enemies test only if the fighter leaves.
    """

    agility: Agility
    answers: tuple[tuple[Agility, Bout], ...]
    if_leaving: bool

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return self.agility.roll("Initiative, to retreat", fighter)

    def then(self, fighter: Fighter, leaves: bool) -> Next[Fighter]:
        who = (self.bout.who,)
        todo: list[Task] = []
        if leaves or not self.if_leaving:
            todo += [
                Task(RetreatAnswer(bout, agility, who), (bout.who,))
                for agility, bout in self.answers
            ]
        if leaves:
            todo.append(Task(Leaves(), self.bout.who))
        return Next(fighter, *todo)


class RetreatAnswer(Crowded[bool], frozen=True, gc=False, cache_hash=True):
    """An enemy of who retreats may make reaction attacks if it passes an Initiative test."""

    agility: Agility
    names: tuple[str, ...]

    def applies(self, view: View) -> bool:
        return not view[self.bout.who].out

    def ask(self, view: View) -> Roll[bool] | None:
        me = view[self.bout.who]
        able = me.stands and not me.on_fire
        if not able or not aims_of(self.bout, self.crowd(view), self.names):
            return None
        label = f"Initiative, as {' and '.join(self.names)} retreats"
        return self.agility.roll(label, me)

    def then(self, view: View, passed: bool | None) -> Next[View]:
        if not passed:
            return Next(view)
        return Next(view, ReactionAttack(self.bout, self.names))


class Leaves(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Who retreats is engaged with nobody any more."""

    reach = ()

    def applies(self, fighter: Fighter) -> bool:
        return fighter.stands

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return Next(replace(fighter, engaged=()), records={"retreated": 1})
