"""Odds and best play of a whole fire fight, walked step by step. Slow on purpose, shares no code.

A fight is a tree of positions. `_Game.step` says what follows a position: chances, a choice or
the end. `plan_odds` pushes weights forward through it; `best_value` walks it back.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Literal, NamedTuple, TypeVar

Reroll = Literal["never", "attacks", "every_test"]
K = TypeVar("K", bound=Hashable)

ONE = Fraction(1)
NEVER_JAMS = 101
CONDITIONS = ("relic", "artificer", "best", "good", "common", "poor", "useless")
USELESS = 6
MODIFIERS = {"single-shot": 10, "semi-auto": 0, "full-auto": -10, "suppressing-fire": -30}
FATIGUE = {3: 1, 4: 2, 5: 3}
LETHAL = 6
AIM_STEP, AIM_MOST = 10, 20
CLEAR_AP = 2
SUPPRESS_AP = 3
END_TURN, KEEP, AGAIN = "end turn", "keep", "re-roll"
TALLIES = (
    "attacks",  # attacks made
    "hits",  # hits scored
    "hits_taken",
    "damage",  # suffered, after armour
    "injury",  # the greatest category suffered: not a sum
    "rounds_spent",  # rounds fired, counted or not
    "jams",
    "actions_lost",  # planned lines of which nothing was possible
    "ap_lost",  # points left at the ends of turns
    "times_pinned",  # pinning tests failed for good
    "rerolls",
    "fate_spent",
)


@dataclass(frozen=True, kw_only=True)
class Gun:
    """A weapon; `fa_dice` 0: no full auto, `semi` 0: no bursts; `jam_at` overrules the rule."""

    single: bool = True
    semi: int = 0
    fa_dice: int = 0
    fa_faces: int = 5
    storm: int = 1
    reliable: bool = False
    jam_at: int | None = None
    damage_dice: int = 1
    damage_faces: int = 10
    damage_plus: int = 0
    adds_rcb: bool = False
    penetration: int = 0
    magazine: int | None = None
    reload_ap: int = 2
    condition: int = 4

    @property
    def jams_on(self) -> int:
        """The lowest natural roll that jams it."""
        if self.jam_at is not None:
            return self.jam_at
        return 91 if self.fa_dice and not self.reliable else 96


@dataclass(frozen=True)
class Line:
    """One planned action; `dice` is read for full auto only; `otherwise` is tried in order."""

    action: str
    dice: int = 1
    otherwise: tuple["Line", ...] = ()

    @property
    def name(self) -> str:
        """The name of the option."""
        return f"full-auto {self.dice}" if self.action == "full-auto" else self.action


@dataclass(frozen=True, kw_only=True)
class Fighter:
    """Somebody in the fight, as he stands at its beginning.

    `pinning` gives the band modifier of each other fighter's pinning test against this one's
    fire (0 if not given). `turn_plans` overrules `plan` in the first turns.
    """

    name: str
    ranged_combat: int = 30
    toughness: int = 30
    willpower: int = 30
    ap: int | None = None
    agility_bonus: int = 3
    awareness_bonus: int = 3
    tests_surprise: bool = False
    armour: int = 0
    gun: Gun | None = None
    loaded: int | None = None
    target: str | None = None
    in_cone: tuple[str, ...] = ()
    pinning: tuple[tuple[str, int], ...] = ()
    plan: tuple[Line, ...] = ()
    turn_plans: tuple[tuple[Line, ...], ...] = ()
    fate: int = 0
    pinned: bool = False
    fatigue: int = 0
    jammed: bool = False
    aim: int = 0

    @property
    def tb(self) -> int:
        """Tens of Toughness."""
        return self.toughness // 10


@dataclass(frozen=True, kw_only=True)
class Fight:
    """Everybody in it, who takes turns in which order, and how many rounds it lasts."""

    fighters: tuple[Fighter, ...]
    order: tuple[str, ...]
    rounds: int

    def __post_init__(self) -> None:
        names = [fighter.name for fighter in self.fighters]
        named = {*self.order}
        for fighter in self.fighters:
            named |= {*fighter.in_cone, *dict(fighter.pinning)}
            named |= {fighter.target} if fighter.target is not None else set()
            if fighter.name in (fighter.target, *fighter.in_cone):
                raise ValueError(f"{fighter.name} cannot shoot at itself")
        if len({*names}) < len(names) or named - {*names} or len({*self.order}) < len(self.order):
            raise ValueError("every name must be one fighter's, and stand once in the order")

    def of(self, name: str) -> Fighter:
        """The fighter of that name."""
        return next(fighter for fighter in self.fighters if fighter.name == name)

    def but(self, changed: Fighter) -> "Fight":
        """The same fight with one fighter changed."""
        fighters = tuple(changed if old.name == changed.name else old for old in self.fighters)
        return replace(self, fighters=fighters)


class Standing(NamedTuple):
    """How one fighter stands at the end; `out` is `killed` or `down`, `condition` the tier."""

    name: str
    out: bool
    killed: bool
    down: bool
    pinned: bool
    fatigue: int
    loaded: int | None
    jammed: bool
    condition: int
    fate: int


class Outcome(NamedTuple):
    """How a fight ended."""

    people: tuple[Standing, ...]
    tallies: tuple[tuple[str, int], ...]

    def of(self, name: str) -> Standing:
        """How the fighter of that name stands."""
        return next(person for person in self.people if person.name == name)

    def count(self, tally: str) -> int:
        """The tally of that name."""
        return dict(self.tallies)[tally]


Odds = dict[Outcome, Fraction]
Predicate = Callable[[Outcome], bool]
Goal = tuple[Literal["expect"], str] | tuple[Literal["chance"], Predicate]


# ------------------------------------------------------------------------------------- dice


def _put(odds: dict[K, Fraction], key: K, weight: Fraction) -> None:
    odds[key] = odds.get(key, Fraction(0)) + weight


@cache
def dice_odds(dice: int, faces: int) -> dict[int, Fraction]:
    """The sum of some dice."""
    odds = {0: ONE}
    for _ in range(dice):
        more: dict[int, Fraction] = {}
        for total, weight in odds.items():
            for face in range(1, faces + 1):
                _put(more, total + face, weight / faces)
        odds = more
    return odds


@cache
def d100_odds(tn: int, jam_at: int) -> dict[tuple[int, bool], Fraction]:
    """A d100 test as (degrees of success, jammed); 0 degrees: failed."""
    odds: dict[tuple[int, bool], Fraction] = {}
    for roll in range(1, 101):
        degrees = 1 if roll == 1 else 0
        if roll < 100 and roll <= tn:
            degrees = 1 + (tn - roll) // 10
        _put(odds, (degrees, roll >= jam_at), Fraction(1, 100))
    return odds


def ap_odds(fighter: Fighter, *, first_turn: bool, pinned: bool) -> dict[int, Fraction]:
    """The action points of a turn."""
    points: dict[int, Fraction] = {}
    if fighter.ap is not None:
        points[fighter.ap] = ONE
    else:
        for faces in product(range(1, 11), repeat=fighter.agility_bonus):
            good = sum(1 for face in faces if face >= 5)
            _put(points, 1 + good, Fraction(1, 10**fighter.agility_bonus))
    if first_turn and fighter.tests_surprise:
        surprised: dict[int, Fraction] = {}
        for ap, weight in points.items():
            for die in range(1, 11):
                loss = max(0, die - fighter.awareness_bonus)
                if die == 10:
                    loss = max(1, loss)
                _put(surprised, max(0, ap - loss), weight / 10)
        points = surprised
    if pinned:
        halved: dict[int, Fraction] = {}
        for ap, weight in points.items():
            _put(halved, (ap + 1) // 2, weight)
        points = halved
    return points


def hits_scored(gun: Gun, mode: str, degrees: int, shots: int) -> int:
    """The hits of a successful attack; `shots` are the shots rolled for full auto."""
    if mode == "single-shot":
        return 1
    if mode == "semi-auto":
        return {1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 4, 7: 4}.get(degrees, 5)
    if mode == "full-auto":
        return gun.storm * min(degrees, shots)
    return gun.storm * {1: 1, 2: 2, 3: 2}.get(degrees, 3)


def category(damage: int, tb: int) -> int:
    """The injury category of one hit."""
    return sum(1 for n in range(1, 7) if damage > n * tb)


class Wounds(NamedTuple):
    """What the hits of one attack did."""

    fatigue: int = 0
    killed: bool = False
    damage: int = 0
    injury: int = 0


def wound_odds(shooter: Fighter, target: Fighter, hits: int, mode: str) -> dict[Wounds, Fraction]:
    """What so many hits of one attack do."""
    gun = shooter.gun
    assert gun is not None
    plus = gun.damage_plus
    plus += shooter.ranged_combat // 10 if gun.adds_rcb else 0
    plus += 1 if hits >= 2 and mode in ("semi-auto", "full-auto") else 0
    plus -= max(0, target.armour - gun.penetration)
    odds = {Wounds(): ONE}
    for _ in range(hits):
        more: dict[Wounds, Fraction] = {}
        for old, weight in odds.items():
            for rolled, chance_of in dice_odds(gun.damage_dice, gun.damage_faces).items():
                damage = max(0, rolled + plus)
                worst = category(damage, target.tb)
                new = Wounds(
                    fatigue=min(target.tb + 1, old.fatigue + FATIGUE.get(worst, 0)),
                    killed=old.killed or worst == LETHAL,
                    damage=old.damage + damage,
                    injury=max(old.injury, worst),
                )
                _put(more, new, weight * chance_of)
        odds = more
    return odds


# -------------------------------------------------------------------------------- positions


class Body(NamedTuple):
    """All that is remembered of one fighter; `paid` are the points put into `job`."""

    killed: bool
    pinned: bool
    fatigue: int
    loaded: int | None
    jammed: bool
    condition: int
    fate: int
    aim: int
    job: str = ""
    paid: int = 0
    rerolled: bool = False
    attacked: bool = False


class Stage(NamedTuple):
    """What happens next; `purpose`: hit, pin, cone, clear or recover."""

    name: str
    mode: str = ""
    dice: int = 0
    shots: int = 0
    purpose: str = ""
    who: int = 0
    tn: int = 0
    jam_at: int = NEVER_JAMS
    again: bool = False
    cone: tuple[int, ...] = ()
    failed: bool = False
    jammed: bool = False
    hits: int = 0


class Position(NamedTuple):
    """One moment of a fight."""

    bodies: tuple[Body, ...]
    counts: tuple[int, ...]
    round: int
    turn: int
    line: int
    ap: int
    shots: int
    stage: Stage


class Choice(NamedTuple):
    """Somebody has to choose; `about` is "action" or the purpose of a failed test."""

    who: int
    about: str
    options: dict[str, Position]


Chances = list[tuple[Fraction, Position]]
START, ACT = Stage("start"), Stage("act")


def _sure(at: Position) -> Chances:
    return [(ONE, at)]


class _Game:
    """The rules of one fight; `free` chooses for itself, all others follow their plans."""

    def __init__(
        self, fight: Fight, tallies: tuple[str, ...] = (), free: str | None = None
    ) -> None:
        self.fight = fight
        self.people = fight.fighters
        self.tallies = tallies
        self.index = {person.name: i for i, person in enumerate(self.people)}
        self.order = [self.index[name] for name in fight.order]
        self.free = -1 if free is None else self.index[free]
        self.slots: dict[tuple[int, str], int] = {}
        self.wounds_known: dict[tuple[int, int, str], dict[Wounds, Fraction]] = {}
        self.points_known: dict[tuple[int, bool, bool], dict[int, Fraction]] = {}
        for slot, tally in enumerate(tallies):
            name, what = tally.rsplit(".", 1)
            if what not in TALLIES:
                raise ValueError(f"unknown tally {tally}")
            self.slots[self.index[name], what] = slot
        for person in self.people:
            for lines in (person.plan, *person.turn_plans):
                for line in lines:
                    self._check(person, line)

    def _check(self, person: Fighter, line: Line) -> None:
        known = {*MODIFIERS, "aim", "reload", "clear-jam"}
        if line.action not in known:
            raise ValueError(f"unknown action {line.action}")
        if line.action in MODIFIERS and (person.gun is None or person.target is None):
            raise ValueError(f"{person.name} has nothing to shoot with or at")
        if line.action == "suppressing-fire" and not person.in_cone:
            raise ValueError(f"{person.name} has nobody in the cone")
        for other in line.otherwise:
            self._check(person, other)

    def beginning(self) -> Position:
        """The fight before its first turn."""
        bodies = [
            Body(
                killed=False,
                pinned=person.pinned,
                fatigue=min(person.fatigue, person.tb + 1),
                loaded=person.loaded,
                jammed=person.jammed,
                condition=person.gun.condition if person.gun is not None else 0,
                fate=person.fate,
                aim=person.aim,
            )
            for person in self.people
        ]
        counts = (0,) * len(self.tallies)
        return Position(tuple(bodies), counts, 0, 0, 0, 0, 0, START)

    def outcome(self, at: Position) -> Outcome:
        """What is told of a position at the end of the fight."""
        people = []
        for person, body in zip(self.people, at.bodies, strict=True):
            down = body.fatigue > person.tb
            people.append(
                Standing(
                    name=person.name,
                    out=body.killed or down,
                    killed=body.killed,
                    down=down,
                    pinned=body.pinned,
                    fatigue=body.fatigue,
                    loaded=body.loaded,
                    jammed=body.jammed,
                    condition=body.condition,
                    fate=body.fate,
                )
            )
        return Outcome(tuple(people), tuple(zip(self.tallies, at.counts, strict=True)))

    # small readings and changes of a position

    def out(self, at: Position, who: int) -> bool:
        """Whether somebody is out of action."""
        return at.bodies[who].killed or at.bodies[who].fatigue > self.people[who].tb

    def with_body(self, at: Position, who: int, body: Body) -> Position:
        """The position with one fighter's state changed."""
        return at._replace(bodies=(*at.bodies[:who], body, *at.bodies[who + 1 :]))

    def add(self, at: Position, who: int, what: str, amount: int) -> Position:
        """The position with one tally raised, if it is kept."""
        slot = self.slots.get((who, what))
        if slot is None:
            return at
        old = at.counts[slot]
        new = max(old, amount) if what == "injury" else old + amount
        return at._replace(counts=(*at.counts[:slot], new, *at.counts[slot + 1 :]))

    def shooting_tn(self, at: Position, who: int) -> int:
        """Ranged Combat as it is now, before what the action adds."""
        body = at.bodies[who]
        tn = self.people[who].ranged_combat
        tn -= 20 if body.pinned else 0
        tn -= 10 if body.fatigue >= 1 else 0
        return tn

    def courage_tn(self, at: Position, who: int) -> int:
        """Willpower as it is now."""
        return self.people[who].willpower - (10 if at.bodies[who].fatigue >= 1 else 0)

    def gun(self, who: int) -> Gun:
        """The weapon somebody shoots with."""
        gun = self.people[who].gun
        assert gun is not None
        return gun

    def target(self, who: int) -> int:
        """Whom somebody shoots at."""
        name = self.people[who].target
        assert name is not None
        return self.index[name]

    def rounds_used(self, who: int, line: Line) -> int:
        """The rounds an attack uses, which are also the most it could fire."""
        gun = self.gun(who)
        return {
            "single-shot": 1,
            "semi-auto": gun.semi,
            "full-auto": line.dice * gun.fa_faces,
            "suppressing-fire": gun.fa_dice * gun.fa_faces,
        }[line.action]

    def cost(self, line: Line) -> int:
        """The points an attack or an aim costs."""
        return {"full-auto": line.dice, "suppressing-fire": SUPPRESS_AP}.get(line.action, 1)

    def has_mode(self, who: int, line: Line) -> bool:
        """Whether somebody's weapon can fire so at all."""
        person = self.people[who]
        if person.gun is None or person.target is None:
            return False
        return {
            "single-shot": person.gun.single,
            "semi-auto": person.gun.semi > 0,
            "full-auto": 1 <= line.dice <= person.gun.fa_dice,
            "suppressing-fire": person.gun.fa_dice > 0 and len(person.in_cone) > 0,
        }[line.action]

    def possible(self, at: Position, who: int, line: Line) -> bool:
        """Whether an action is possible now, whatever became of the target."""
        body, person = at.bodies[who], self.people[who]
        if at.ap == 0:
            return False
        if line.action == "aim":
            return body.aim < AIM_MOST
        if line.action == "clear-jam":
            return body.jammed
        if line.action == "reload":
            if body.loaded is None or person.gun is None or person.gun.magazine is None:
                return False
            return body.loaded < person.gun.magazine
        if not self.has_mode(who, line) or body.jammed or self.cost(line) > at.ap:
            return False
        used = self.rounds_used(who, line)
        if body.loaded is not None and body.loaded < used:
            return False
        gun = self.gun(who)
        return gun.fa_dice == 0 or at.shots + used <= gun.fa_dice * gun.fa_faces

    def every_line(self, who: int) -> list[Line]:
        """Every action somebody could ever take."""
        gun = self.people[who].gun
        lines = [Line("single-shot"), Line("semi-auto")]
        lines += [Line("full-auto", n) for n in range(1, (gun.fa_dice if gun else 0) + 1)]
        lines.append(Line("suppressing-fire"))
        lines = [line for line in lines if self.has_mode(who, line)]
        if gun is not None:
            lines.append(Line("aim"))
            lines += [Line("reload")] if gun.magazine is not None else []
            may_jam = self.people[who].jammed or gun.jams_on <= 100
            lines += [Line("clear-jam")] if may_jam else []
        return lines

    def no_target(self, at: Position, who: int, line: Line) -> bool:
        """Whether an attack is not made because the target is already out of action."""
        if line.action not in MODIFIERS or self.people[who].target is None:
            return False
        return self.out(at, self.target(who))

    # what follows a position

    def step(self, at: Position) -> Chances | Choice | None:
        """What follows; None: the fight is over."""
        if at.round >= self.fight.rounds or not self.order:
            return None
        if at.stage.name == "act":
            return self._act(at)
        if at.stage.name == "failed":
            return self._failed(at)
        follow = {
            "start": self._start,
            "do": self._do,
            "cone": self._cone,
            "test": self._test,
            "settled": self._settled,
            "ending": self._ending,
        }
        return follow[at.stage.name](at)

    def _start(self, at: Position) -> Chances:
        who = self.order[at.turn]
        body = at.bodies[who]
        if self.out(at, who):
            # what nobody will ask about again is forgotten
            body = body._replace(aim=0, job="", paid=0, rerolled=False, attacked=False)
            return _sure(self._next_turn(self.with_body(at, who, body)))
        at = self.with_body(at, who, body._replace(rerolled=False))
        key = (who, at.round == 0, body.pinned)
        if key not in self.points_known:
            person = self.people[who]
            self.points_known[key] = ap_odds(person, first_turn=key[1], pinned=key[2])
        points = self.points_known[key]
        return [(weight, at._replace(ap=ap, stage=ACT)) for ap, weight in points.items()]

    def _next_turn(self, at: Position) -> Position:
        turn = at.turn + 1
        at = at._replace(line=0, ap=0, shots=0, stage=START)
        if turn == len(self.order):
            return at._replace(round=at.round + 1, turn=0)
        return at._replace(turn=turn)

    def _end_turn(self, at: Position, who: int) -> Position:
        at = self.add(at, who, "ap_lost", at.ap)
        return at._replace(ap=0, shots=0, stage=Stage("ending"))

    def _next_line(self, at: Position, who: int) -> Position:
        return at._replace(line=0 if who == self.free else at.line + 1, stage=ACT)

    def _act(self, at: Position) -> Chances | Choice:
        who = self.order[at.turn]
        if who == self.free:
            options = {}
            for line in self.every_line(who):
                if self.possible(at, who, line) and not self.no_target(at, who, line):
                    options[line.name] = at._replace(stage=Stage("do", line.action, line.dice))
            ending = self._end_turn(at, who)
            if not options:
                return _sure(ending)
            return Choice(who, "action", {**options, END_TURN: ending})
        person = self.people[who]
        plan = person.plan
        if at.round < len(person.turn_plans):
            plan = person.turn_plans[at.round]
        if at.line >= len(plan):
            return _sure(self._end_turn(at, who))
        planned = plan[at.line]
        for line in (planned, *planned.otherwise):
            if self.no_target(at, who, line):
                return _sure(self._next_line(at, who))
            if self.possible(at, who, line):
                return _sure(at._replace(stage=Stage("do", line.action, line.dice)))
        return _sure(self._next_line(self.add(at, who, "actions_lost", 1), who))

    def _do(self, at: Position) -> Chances:
        who = self.order[at.turn]
        body = at.bodies[who]
        line = Line(at.stage.mode, at.stage.dice)
        if line.action == "aim":
            body = body._replace(aim=min(AIM_MOST, body.aim + AIM_STEP), job="", paid=0)
            return _sure(self._next_line(self.with_body(at._replace(ap=at.ap - 1), who, body), who))
        if line.action in MODIFIERS:
            return self._attack(at, who, line)
        price = CLEAR_AP if line.action == "clear-jam" else self.gun(who).reload_ap
        before = body.paid if body.job == line.action else 0
        pays = min(at.ap, price - before)
        at = at._replace(ap=at.ap - pays)
        body = body._replace(aim=0, job=line.action, paid=before + pays)
        if body.paid < price:
            return _sure(self._next_line(self.with_body(at, who, body), who))
        body = body._replace(job="", paid=0)
        if line.action == "reload":
            body = body._replace(loaded=self.gun(who).magazine)
            return _sure(self._next_line(self.with_body(at, who, body), who))
        at = self.with_body(at, who, body)
        tn = self.shooting_tn(at, who)
        return _sure(at._replace(stage=Stage("test", purpose="clear", who=who, tn=tn)))

    def _attack(self, at: Position, who: int, line: Line) -> Chances:
        mode, gun, target = line.action, self.gun(who), self.target(who)
        used = self.rounds_used(who, line)
        body = at.bodies[who]
        shot = self._shot(at, who, mode, body.aim if mode == "single-shot" else 0)
        left = None if body.loaded is None else body.loaded - used
        at = self.with_body(at, who, body._replace(loaded=left, aim=0, job="", paid=0))
        at = at._replace(ap=at.ap - self.cost(line), shots=at.shots + used)
        at = self.add(self.add(at, who, "attacks", 1), who, "rounds_spent", used)
        cone = tuple(self.index[name] for name in self.people[who].in_cone)
        for one in {target, *(cone if mode == "suppressing-fire" else ())} & {*self.order}:
            at = self.with_body(at, one, at.bodies[one]._replace(attacked=True))
        if mode == "suppressing-fire":
            return _sure(at._replace(stage=Stage("cone", mode, cone=cone)))
        rolled = dice_odds(line.dice, gun.fa_faces) if mode == "full-auto" else {0: ONE}
        return [
            (weight, at._replace(stage=shot._replace(shots=shots)))
            for shots, weight in rolled.items()
        ]

    def _cone(self, at: Position) -> Chances:
        """The next of those in the cone tests; after the last one, the shot."""
        stage = at.stage
        if not stage.cone:
            who = self.order[at.turn]
            return _sure(at._replace(stage=self._shot(at, who, stage.mode)))
        one, rest = stage.cone[0], stage.cone[1:]
        if self.out(at, one):
            return _sure(at._replace(stage=stage._replace(cone=rest)))
        tn = self._pinning_tn(at, one)
        test = Stage("test", mode=stage.mode, purpose="cone", who=one, tn=tn, cone=rest)
        return _sure(at._replace(stage=test))

    def _shot(self, at: Position, who: int, mode: str, aim: int = 0) -> Stage:
        """The test to hit."""
        tn = self.shooting_tn(at, who) + MODIFIERS[mode] + aim
        return Stage("test", mode, purpose="hit", who=who, tn=tn, jam_at=self.gun(who).jams_on)

    def _pinning_tn(self, at: Position, one: int) -> int:
        bands = dict(self.people[self.order[at.turn]].pinning)
        return self.courage_tn(at, one) + bands.get(self.people[one].name, 0)

    def _test(self, at: Position) -> Chances:
        """A d100 is rolled; a failure that may be re-rolled waits for a choice."""
        stage = at.stage
        body = at.bodies[stage.who]
        may = body.fate > 0 and not body.rerolled and not stage.again
        odds: dict[tuple[bool, bool, int], Fraction] = {}
        for (degrees, jammed), weight in d100_odds(stage.tn, stage.jam_at).items():
            hits = 0
            if stage.purpose == "hit" and degrees and not jammed:
                hits = hits_scored(self.gun(stage.who), stage.mode, degrees, stage.shots)
            _put(odds, (degrees == 0, jammed, hits), weight)
        chances = []
        for (failed, jammed, hits), weight in odds.items():
            name = "failed" if failed and may else "settled"
            new = stage._replace(name=name, failed=failed, jammed=jammed, hits=hits)
            chances.append((weight, at._replace(stage=new)))
        return chances

    def _failed(self, at: Position) -> Choice | Chances:
        """A failed test may be re-rolled; the price is paid first."""
        stage = at.stage
        if stage.again:
            body = at.bodies[stage.who]
            plain = stage._replace(name="test", failed=False, jammed=False, hits=0)
            chances = []
            for die in range(1, 6):
                left = max(0, body.fate - (die + 1))
                new = self.with_body(at, stage.who, body._replace(fate=left, rerolled=True))
                new = self.add(new, stage.who, "rerolls", 1)
                new = self.add(new, stage.who, "fate_spent", body.fate - left)
                chances.append((Fraction(1, 5), new._replace(stage=plain)))
            return chances
        kept = at._replace(stage=stage._replace(name="settled"))
        again = at._replace(stage=stage._replace(again=True))
        return Choice(stage.who, stage.purpose, {KEEP: kept, AGAIN: again})

    def _settled(self, at: Position) -> Chances:
        """A test's result stands."""
        stage = at.stage
        body = at.bodies[stage.who]
        if stage.purpose == "hit":
            return self._shot_settled(at)
        if stage.purpose in ("pin", "cone"):
            if stage.failed:
                at = self.with_body(at, stage.who, body._replace(pinned=True))
                at = self.add(at, stage.who, "times_pinned", 1)
            if stage.purpose == "pin":
                return _sure(self._next_line(at, self.order[at.turn]))
            return _sure(at._replace(stage=Stage("cone", stage.mode, cone=stage.cone)))
        if stage.purpose == "clear":
            if not stage.failed:
                left = None if body.loaded is None else 0
                at = self.with_body(at, stage.who, body._replace(jammed=False, loaded=left))
            return _sure(self._next_line(at, stage.who))
        if not stage.failed:
            at = self.with_body(at, stage.who, body._replace(pinned=False))
        return _sure(self._turn_over(at, stage.who))

    def _shot_settled(self, at: Position) -> Chances:
        stage, who = at.stage, at.stage.who
        if stage.jammed:
            return self._jammed(at, who)
        if stage.hits == 0:
            return _sure(self._next_line(at, who))
        target = self.target(who)
        tn = self._pinning_tn(at, target)  # before the damage of this attack
        at = self.add(at, who, "hits", stage.hits)
        at = self.add(at, target, "hits_taken", stage.hits)
        odds: dict[Position, Fraction] = {}
        body, tb = at.bodies[target], self.people[target].tb
        for wounds, weight in self._wounds(who, stage.hits, stage.mode).items():
            hurt = body._replace(
                killed=body.killed or wounds.killed,
                fatigue=min(tb + 1, body.fatigue + wounds.fatigue),
            )
            new = self.with_body(at, target, hurt)
            new = self.add(new, target, "damage", wounds.damage)
            new = self.add(new, target, "injury", wounds.injury)
            if stage.mode == "full-auto":
                new = new._replace(stage=Stage("test", purpose="pin", who=target, tn=tn))
            else:
                new = self._next_line(new, who)
            _put(odds, new, weight)
        return [(weight, new) for new, weight in odds.items()]

    def _wounds(self, who: int, hits: int, mode: str) -> dict[Wounds, Fraction]:
        """What some hits do, of which nothing is told apart that nobody asks for."""
        key = (who, hits, mode)
        if key not in self.wounds_known:
            target = self.target(who)
            told: dict[Wounds, Fraction] = {}
            every = wound_odds(self.people[who], self.people[target], hits, mode)
            for wounds, weight in every.items():
                new = wounds
                if (target, "damage") not in self.slots:
                    new = new._replace(damage=0)
                if (target, "injury") not in self.slots:
                    new = new._replace(injury=0)
                _put(told, new, weight)
            self.wounds_known[key] = told
        return self.wounds_known[key]

    def _jammed(self, at: Position, who: int) -> Chances:
        """The weapon jams and may get worse."""
        body = at.bodies[who]._replace(jammed=True)
        at = self._next_line(self.add(at, who, "jams", 1), who)
        keeps = self.with_body(at, who, body)
        tier = body.condition
        if tier in (0, 1, USELESS):  # no die is below 1, and useless stays useless
            return _sure(keeps)
        falls = self.with_body(at, who, body._replace(condition=tier + 1))
        return [(Fraction(11 - tier, 10), keeps), (Fraction(tier - 1, 10), falls)]

    def _ending(self, at: Position) -> Chances:
        who = self.order[at.turn]
        body = at.bodies[who]
        if not body.pinned:
            return _sure(self._turn_over(at, who))
        tn = self.courage_tn(at, who) + (0 if body.attacked else 30)
        return _sure(at._replace(stage=Stage("test", purpose="recover", who=who, tn=tn)))

    def _turn_over(self, at: Position, who: int) -> Position:
        body = at.bodies[who]._replace(attacked=False)
        if at.round == self.fight.rounds - 1:
            body = body._replace(aim=0, job="", paid=0)  # no turn is left to use them in
        return self._next_turn(self.with_body(at, who, body))


# ---------------------------------------------------------------------------------- answers


def _rerolls(reroll: Reroll, about: str) -> bool:
    """Whether one who follows a plan re-rolls a failed test."""
    return reroll == "every_test" or (reroll == "attacks" and about == "hit")


def _forget_conditions(fight: Fight) -> Fight:
    """The same fight with weapons that never get worse, which changes nothing else."""
    for person in fight.fighters:
        if person.gun is not None:
            fight = fight.but(replace(person, gun=replace(person.gun, condition=0)))
    return fight


def _pushed(
    game: _Game,
    reroll: Reroll,
    settle: Callable[[Position, Choice], Position | None],
) -> dict[Position, Fraction]:
    """The weights of all places where the fight ends, or where `settle` does not choose."""
    stops: dict[Position, Fraction] = {}
    # all that reaches one line of one turn is gathered before anything goes on from there
    waiting = {(0, 0, 0): {game.beginning(): ONE}}
    while waiting:
        moment = min(waiting)
        wave = waiting.pop(moment)
        while wave:
            following: dict[Position, Fraction] = {}
            for at, weight in wave.items():
                node = game.step(at)
                if node is None:
                    _put(stops, at, weight)
                    continue
                if isinstance(node, Choice):
                    if node.who == game.free:
                        chosen = settle(at, node)
                    else:
                        again = _rerolls(reroll, node.about)
                        chosen = node.options[AGAIN if again else KEEP]
                    if chosen is None:
                        _put(stops, at, weight)
                        continue
                    node = _sure(chosen)
                for chance_of, new in node:
                    when = (new.round, new.turn, new.line)
                    later = following if when == moment else waiting.setdefault(when, {})
                    _put(later, new, weight * chance_of)
            wave = following
    return stops


def plan_odds(
    fight: Fight,
    reroll: Reroll = "never",
    tallies: tuple[str, ...] = (),
    *,
    condition: bool = True,
) -> Odds:
    """How the fight ends if everybody follows the plan, with the tallies asked for.

    Without `condition` the weapons' conditions are left out (told as 0): fewer endings.
    """
    game = _Game(fight if condition else _forget_conditions(fight), tallies)
    odds: Odds = {}
    for at, weight in _pushed(game, reroll, lambda _at, _node: None).items():
        _put(odds, game.outcome(at), weight)
    return odds


def marginal(odds: Odds, key: Callable[[Outcome], K]) -> dict[K, Fraction]:
    """The odds of one thing about the outcome."""
    found: dict[K, Fraction] = {}
    for outcome, weight in odds.items():
        _put(found, key(outcome), weight)
    return found


def mean(odds: Odds, tally: str) -> Fraction:
    """The mean of a tally."""
    return sum((weight * end.count(tally) for end, weight in odds.items()), Fraction(0))


def chance(odds: Odds, predicate: Predicate) -> Fraction:
    """How likely something is."""
    return sum((weight for end, weight in odds.items() if predicate(end)), Fraction(0))


def plan_value(
    fight: Fight, goal: Goal, reroll: Reroll = "never", tallies: tuple[str, ...] = ()
) -> Fraction:
    """What the plan is worth for a goal."""
    if goal[0] == "expect":
        return mean(plan_odds(fight, reroll, (goal[1],), condition=False), goal[1])
    return chance(plan_odds(fight, reroll, tallies), goal[1])


class _Best:
    """The values of all positions met, for one who chooses for itself."""

    def __init__(
        self, fight: Fight, who: str, goal: Goal, tallies: tuple[str, ...], reroll: Reroll
    ) -> None:
        self.goal = goal
        self.reroll = reroll
        if goal[0] == "expect":
            fight, tallies = _forget_conditions(fight), (goal[1],)
        # a sum may be counted from nought again at every position, a greatest may not
        self.sums = goal[0] == "expect" and not goal[1].endswith(".injury")
        self.game = _Game(fight, tallies, who)
        self.known: dict[Position, Fraction] = {}

    def value(self, at: Position) -> Fraction:
        """What a position is worth, with what was counted before it."""
        so_far = 0
        if self.sums:
            so_far, at = at.counts[0], at._replace(counts=(0,))
        if at not in self.known:
            self.known[at] = self._value(at)
        return so_far + self.known[at]

    def _value(self, at: Position) -> Fraction:
        node = self.game.step(at)
        if node is None:
            end = self.game.outcome(at)
            if self.goal[0] == "expect":
                return Fraction(end.count(self.goal[1]))
            return ONE if self.goal[1](end) else Fraction(0)
        if isinstance(node, Choice):
            if node.who != self.game.free:
                again = _rerolls(self.reroll, node.about)
                return self.value(node.options[AGAIN if again else KEEP])
            best = None
            for option in node.options.values():
                worth = self.value(option)
                best = worth if best is None else max(best, worth)
            assert best is not None
            return best
        total = Fraction(0)
        for weight, new in node:
            total += weight * self.value(new)
        return total

    def settle(self, at: Position, node: Choice) -> Position | None:
        """Stop at the first action; before it, re-roll if that is better than keeping."""
        if node.about == "action":
            return None
        again = self.value(node.options[AGAIN]) > self.value(node.options[KEEP])
        return node.options[AGAIN if again else KEEP]


def best_value(
    fight: Fight,
    who: str,
    goal: Goal,
    *,
    tallies: tuple[str, ...] = (),
    reroll: Reroll = "never",
) -> Fraction:
    """What the best play of one fighter is worth; all others follow plans and `reroll`.

    `tallies` are those that the predicate of a "chance" goal asks for.
    """
    best = _Best(fight, who, goal, tallies, reroll)
    return best.value(best.game.beginning())


class Decision(NamedTuple):
    """One place where somebody's first action is chosen."""

    chance: Fraction
    ap: int
    standing: Outcome
    values: dict[str, Fraction]


def first_decisions(
    fight: Fight,
    who: str,
    goal: Goal,
    *,
    tallies: tuple[str, ...] = (),
    reroll: Reroll = "never",
) -> list[Decision]:
    """All places where the first action may have to be chosen, with each option's value.

    Their chances fall short of 1 by the chance that nothing is ever to be chosen.
    """
    best = _Best(fight, who, goal, tallies, reroll)
    decisions = []
    for at, weight in _pushed(best.game, reroll, best.settle).items():
        node = best.game.step(at)
        if isinstance(node, Choice):
            values = {name: best.value(option) for name, option in node.options.items()}
            decisions.append(Decision(weight, at.ap, best.game.outcome(at), values))
    return decisions


def first_values(
    fight: Fight,
    who: str,
    goal: Goal,
    *,
    tallies: tuple[str, ...] = (),
    reroll: Reroll = "never",
) -> dict[str, Fraction]:
    """The value of each option at the first action, if there is but one place to choose it."""
    decisions = first_decisions(fight, who, goal, tallies=tallies, reroll=reroll)
    if len(decisions) != 1 or decisions[0].chance != 1:
        raise ValueError("chance comes before the first action: ask for first_decisions")
    return decisions[0].values


def all_plans(fight: Fight, who: str, turns: int) -> Iterator[Fight]:
    """The fight with every fixed sequence of actions for somebody's first turns.

    Each turn has at most as many actions as it can have points.
    """
    person = fight.of(who)
    game = _Game(fight)
    lines = game.every_line(game.index[who])
    most = 1 + person.agility_bonus if person.ap is None else person.ap
    one_turn: list[tuple[Line, ...]] = []
    for length in range(most + 1):
        one_turn += product(lines, repeat=length)
    for plans in product(one_turn, repeat=turns):
        yield fight.but(replace(person, turn_plans=plans))
