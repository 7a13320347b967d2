"""A toy game for what no shipped game uses yet: reactions, alternation, phases, editions.

Everybody shoots with a d6. Who watches may shoot first at whoever shoots; who is shot at may dodge
once, which takes hits off; a dodge may be feinted by the shooter, once.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from firepower.chance import Next, Roll, Step, Task, Total, View, dice
from firepower.chance.readings import AtLeast
from firepower.combat import (
    NEEDLESS,
    Action,
    ActionRule,
    Blocked,
    Edition,
    Envelope,
    GameSystem,
    Line,
    Measure,
    Part,
    Participant,
    Path_,
    Pending,
    Reaction,
    Ruling,
    Tables,
    Trigger,
    Turn,
    alternating,
    interrupted,
)

D6 = dice("d6")
D3 = dice("d3")


class Person(Participant, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody in the skirmish; `dodges` and `feints` are how often they may."""

    wounds: int = 3
    bullets: int | None = None
    watching: bool = False
    dodges: int = 0
    feints: int = 0
    wary: bool = True


class Order(Line, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line."""

    at: str = ""


class SkirmishScenario(Envelope[Person, Order], frozen=True, forbid_unknown_fields=True):
    """A question."""


class Rules(Tables, frozen=True, kw_only=True):
    """Its tables."""


RULING = Ruling("What hits?", "four", "so it is", "house", {"four": "4 or more", "six": "a 6"})
RULES = Rules(
    rulings={"to_hit": RULING},
    editions={
        "hard": Edition("the hard one", {"to_hit": "six"}),
        "2017": Edition("named by a year", {"to_hit": "six"}),
    },
)


class Soldier(Part, frozen=True, cache_hash=True):
    """How somebody stands."""

    wounds: int
    watching: bool = False
    dodges: int = 0
    feints: int = 0
    ready: bool = True
    bullets: int | None = None

    @property
    def acts(self) -> bool:
        return self.wounds > 0

    def faded(self, rounds_left: int) -> "Soldier":
        return replace(self, bullets=None)


# -- shots ---------------------------------------------------------------------------------------


class Shoot(ActionRule[Order]):
    """A d3 of hits, each of which wounds on the number."""

    name = "shoot"
    phase = "shooting"

    def candidates(self, setup: Any, line: Order, path: Path_) -> Iterable[Order]:
        for name in [line.at] if line.at else setup.combatants:
            if name != line.by:
                yield replace(line, at=name)

    def declare(self, setup: Any, line: Order, path: Path_) -> Action:
        setup.combatant(line.at, (*path, "at"))
        number = {"four": 4, "six": 6}[setup.rulings["to_hit"]]
        return Shot(who=line.by, key=f"shoot {line.at}", at=line.at, number=number)


class Shot(Action, frozen=True, cache_hash=True, kw_only=True):
    """A shot; it can be answered before, and its hits can."""

    at: str
    number: int

    is_attack: ClassVar[bool] = True
    raises: ClassVar[tuple[str, ...]] = ("shoots", "hits")

    @property
    def concerns(self) -> tuple[str, ...]:
        return (self.at,)

    @property
    def targets(self) -> tuple[str, ...]:
        return (self.at,)

    def blocked(self, view: View) -> Blocked | None:
        if not view.glance(self.at):
            return NEEDLESS
        if view[self.who].bullets == 0:
            return Blocked("empty")
        return None if view[self.who].ready else Blocked("spent")

    def pay(self, view: View) -> View:
        me = view[self.who]
        left = None if me.bullets is None else me.bullets - 1
        return view.replace(self.who, replace(me, ready=False, bullets=left))

    def trigger(self, view: View) -> Trigger:
        return Trigger("shoots", self.who, (self.at,), self.who)

    def prevented(self, view: View) -> Blocked | None:
        return None if view[self.who].acts else Blocked("interrupted_by_watcher")

    def resolve(self, view: View) -> Next[View]:
        hits = RollHits(self.who, self.at, self.number, self.listeners, self.who)
        return Next(view, Task(hits, self.who))


class RollHits(Step[Soldier, int], frozen=True, gc=False, cache_hash=True):
    """So many hits, which the target may dodge."""

    who: str
    at: str
    number: int
    listeners: tuple[Any, ...]
    in_turn_of: str

    @property
    def reach(self) -> tuple[str, ...]:
        return (self.who, self.at)

    def ask(self, me: Soldier) -> Roll[int]:
        return Roll("hits", D3, Total())

    def then(self, me: Soldier, hits: int) -> Next[Soldier]:
        trigger = Trigger("hits", self.who, (self.at,), self.in_turn_of, hits)
        concerned = [each for each in self.listeners if each.who == self.at]
        return Next(me, *interrupted(trigger, concerned, Landing(self.at, self.number)))


class Landing(msgspec.Struct, frozen=True, cache_hash=True):
    """So many hits land."""

    at: str
    number: int

    @property
    def reach(self) -> tuple[str, ...]:
        return (self.at,)

    def land(self, trigger: Trigger) -> tuple[Task, ...]:
        hits = trigger.stake
        assert isinstance(hits, int)
        return (Task(Wound(self.number), self.at, hits),)


class Wound(Step[Soldier, bool], frozen=True, gc=False, cache_hash=True):
    """A hit wounds on the number."""

    reach = ()
    together = True

    number: int

    def applies(self, soldier: Soldier) -> bool:
        return soldier.acts

    def ask(self, soldier: Soldier) -> Roll[bool]:
        return Roll("wound", D6, AtLeast(self.number))

    def then(self, soldier: Soldier, wounded: bool) -> Next[Soldier]:
        if not wounded:
            return Next(soldier)
        left = replace(soldier, wounds=soldier.wounds - 1)
        return Next(left, records={"wounds": 1, "out": not left.acts})


# -- what others do ------------------------------------------------------------------------------


class Watch(ActionRule[Order]):
    """Watching: the next who shoots is shot at first."""

    name = "watch"
    phase = "preparing"

    def declare(self, setup: Any, line: Order, path: Path_) -> Action:
        return Watching(who=line.by, key="watch")


class Watching(Action, frozen=True, cache_hash=True, kw_only=True):
    """Watching takes the turn."""

    def blocked(self, view: View) -> Blocked | None:
        return None if view[self.who].ready else Blocked("spent")

    def resolve(self, view: View) -> Next[View]:
        me = replace(view[self.who], watching=True, ready=False)
        return Next(view.replace(self.who, me))


class FirstShot(Reaction, frozen=True, cache_hash=True, kw_only=True):
    """Whoever watches shoots at one who shoots, before that shot."""

    at: str
    number: int

    raises: ClassVar[tuple[str, ...]] = ("hits",)

    @property
    def concerns(self) -> tuple[str, ...]:
        return (self.at,)

    @property
    def targets(self) -> tuple[str, ...]:
        return (self.at,)

    def blocked(self, view: View, trigger: Trigger) -> Blocked | None:
        me = view[self.who]
        watches = me.watching and me.acts and trigger.by == self.at and view.glance(self.at)
        return None if watches else Blocked("not_watching")

    def resolve(self, view: View, pending: Pending) -> Next[View]:
        me = replace(view[self.who], watching=False)
        turn = pending.trigger.in_turn_of
        hits = RollHits(self.who, self.at, self.number, self.listeners, turn)
        return Next(view.replace(self.who, me), Task(hits, self.who), *pending.tasks())


class Dodge(Reaction, frozen=True, cache_hash=True, kw_only=True):
    """Who is hit may dodge, so often: each hit but those that the shooter's feint saves."""

    raises: ClassVar[tuple[str, ...]] = ("dodges",)

    def blocked(self, view: View, trigger: Trigger) -> Blocked | None:
        able = view[self.who].dodges and self.who in trigger.to
        return None if able and trigger.in_turn_of != self.who else Blocked("cannot")

    def resolve(self, view: View, pending: Pending) -> Next[View]:
        me = view[self.who]
        after = view.replace(self.who, replace(me, dodges=me.dodges - 1))
        trigger = Trigger("dodges", self.who, (pending.trigger.by,), "", pending)
        feints = [each for each in self.listeners if each.who == pending.trigger.by]
        return Next(after, *interrupted(trigger, feints, Dodging(self.who, pending)))


class Dodging(msgspec.Struct, frozen=True, cache_hash=True):
    """A dodge that was not feinted is rolled."""

    who: str
    pending: Pending

    @property
    def reach(self) -> tuple[str, ...] | None:
        reach = self.pending.reach
        return None if reach is None else (self.who, *reach)

    def land(self, trigger: Trigger) -> tuple[Task, ...]:
        if trigger.stake is None:
            return self.pending.tasks()
        return (Task(DodgeRoll(self.pending), self.who),)


class DodgeRoll(Step[Soldier, int], frozen=True, gc=False, cache_hash=True):
    """So many hits less."""

    pending: Pending

    @property
    def reach(self) -> tuple[str, ...] | None:
        return self.pending.reach

    def ask(self, me: Soldier) -> Roll[int]:
        return Roll("dodge", D3, Total())

    def then(self, me: Soldier, less: int) -> Next[Soldier]:
        hits = self.pending.trigger.stake
        assert isinstance(hits, int)
        return Next(me, *self.pending.changed(max(0, hits - less)).tasks())


class Feint(Reaction, frozen=True, cache_hash=True, kw_only=True):
    """The shooter makes a dodge come to nothing."""

    def blocked(self, view: View, trigger: Trigger) -> Blocked | None:
        return None if view[self.who].feints else Blocked("cannot")

    def resolve(self, view: View, pending: Pending) -> Next[View]:
        me = view[self.who]
        after = view.replace(self.who, replace(me, feints=me.feints - 1))
        return Next(after, *pending.changed(None).tasks())


# -- the game ------------------------------------------------------------------------------------


class TurnBegins(Step[Soldier, None], frozen=True, gc=False, cache_hash=True):
    """Ready again."""

    reach = ()

    def then(self, soldier: Soldier, _: None) -> Next[Soldier]:
        return Next(replace(soldier, ready=True))


class Skirmish(GameSystem[Person, Order, Rules, Soldier]):
    """The game, with turns in order."""

    name = "skirmish"
    title = "Skirmish"
    folder = Path(__file__).parent
    scenario = SkirmishScenario
    tables_type = Rules
    actions = (Shoot(), Watch())
    measures = (
        Measure(name="wounds", of="target", title="wounds", records={"wounds": 1}),
        Measure(name="out", of="target", title="out", records={"out": 1}, how="any", beside=True),
        Measure(
            name="lost", of="actor", title="lost", records={"lost_to_interrupted_by_watcher": 1}
        ),
        Measure(name="losses", of="side", title="wounds of a side", records={"wounds": 1}),
        Measure(name="all_wounds", of="all", title="wounds", records={"wounds": 1}),
    )

    def tables(self, variant: Any = None) -> Rules:
        return RULES

    def state(self, setup: Any, name: str) -> Soldier:
        one = setup.combatants[name]
        return Soldier(one.wounds, one.watching, one.dodges, one.feints, bullets=one.bullets)

    def turn_begins(self, setup: Any, name: str, number: int) -> Iterable[Task]:
        yield Task(TurnBegins(), name)

    def reactions(self, setup: Any, raised: frozenset[str]) -> Iterable[Reaction]:
        for name, one in setup.combatants.items():
            others = [other for other in setup.combatants if other != name]
            if "shoots" in raised:
                yield from [
                    FirstShot(who=name, key="first shot", on="shoots", at=other, number=4)
                    for other in others
                ]
            if "hits" in raised and one.dodges:
                yield Dodge(who=name, key="dodge", on="hits", wanted=one.wary)
            if "dodges" in raised and one.feints:
                yield Feint(who=name, key="feint", on="dodges")


class Alternating(Skirmish):
    """The same, sides taking turns."""

    def round(self, setup: Any, turns: list[Turn]) -> tuple[tuple[Task, ...], ...]:
        sides = {name: one.side or name for name, one in setup.combatants.items()}
        return alternating(turns, sides)

    def turn_begins(self, setup: Any, name: str, number: int) -> Iterable[Task]:
        return ()

    def round_ends(self, setup: Any, number: int) -> Iterable[Task]:
        return [Task(TurnBegins(), name) for name in setup.combatants]


class ByPhases(Skirmish):
    """The same, all watch before anybody shoots."""

    phases = ("preparing", "shooting")
