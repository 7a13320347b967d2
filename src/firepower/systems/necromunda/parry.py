"""After the rolls to hit in close combat: parries, Step Aside, and the hits that are left land.

These are steps of the defender's and no reactions of the floor: those are answered yes or no, and
here it is chosen which of several hits is parried, of reaction attacks too.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

import msgspec
from msgspec.structs import replace

from firepower.chance.readings import AtLeast
from firepower.chance.steps import Choice, Next, Option, Roll, Step, Task
from firepower.systems.necromunda.aftermath import Struck
from firepower.systems.necromunda.blows import (
    Blows,
    Bout,
    Guard,
    Kind,
    OfABout,
    Parried,
    Result,
    Results,
    changed,
)
from firepower.systems.necromunda.damage import Body
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.injury import D6
from firepower.systems.necromunda.wounding import ToWound

Successes = tuple[tuple[int, int], ...]
"""Single successes: the place of the result, and of the kind in it."""


class Successful(msgspec.Struct, frozen=True):
    """How many dice hit, by kind of success."""

    least: int
    names: tuple[str, ...]

    def read(self, total: tuple[int, ...]) -> tuple[int, ...]:
        return total

    @property
    def need(self) -> str:
        return f"{self.least}+"

    def words(self, read: tuple[int, ...]) -> str:
        shown = [f"{n} {name}" for n, name in zip(read, self.names, strict=True) if n]
        return ", ".join(shown) or "no hit"


def reading_of(blows: Blows) -> Successful:
    """How rolls to hit are read."""
    return Successful(blows.least, tuple(kind.name for kind in blows.kinds))


# -- which success is the worst --------------------------------------------------------------------


def danger(body: Body, kind: Kind) -> Fraction:
    """About how much a hit is to be feared: the chance that it hurts, times its Damage."""
    harm, protection = kind.harm, body.protection
    need = body.needs[-1] if harm.begins is ToWound else body.frame.toughness
    wounds = Fraction(6 if harm.sure else 7 - min(6, need), 6)
    save = 7 if harm.bare else protection.armour_need(harm.ap)
    if protection.field is not None and not harm.naked:
        save = min(save, protection.field)
    return wounds * Fraction(min(6, max(1, save - 1)), 6) * max(1, harm.damage or 1)


def gain(blows: Blows, at: int) -> Fraction:
    """How much less there is to fear if a success of this kind is rolled again."""
    body = blows.blow.body
    again = [danger(body, kind) for kind in blows.by_face if kind is not None]
    return danger(body, blows.kinds[at]) - sum(again, Fraction(0)) / len(blows.by_face)


# -- parry -----------------------------------------------------------------------------------------


class Parry(OfABout[Successes], frozen=True, gc=False, cache_hash=True):
    """Parry: the bearer may have one success rolled again, with two such weapons two.

    Blows of a Power weapon are parried by one alone; those of an Entangle weapon never.
    """

    results: Results
    names: tuple[str, ...]

    @property
    def _guard(self) -> Guard:
        guard = self.bout.guard(self.names[0])
        assert guard is not None
        return guard

    def _kinds(self) -> Iterator[tuple[int, int]]:
        """The kinds of success that may be parried, by their places."""
        for i, result in enumerate(self.results):
            if result.target == self._guard.name and result.blows.blow.parried != Parried.BY_NONE:
                yield from ((i, k) for k, count in enumerate(result.counts) if count)

    def _lawful(self, chosen: Successes) -> bool:
        """Whether these successes may be parried together."""
        results = self.results
        power = [i for i, _ in chosen if results[i].blows.blow.parried == Parried.BY_POWER]
        there = all(chosen.count((i, k)) <= results[i].counts[k] for i, k in chosen)
        return there and len(power) <= self._guard.power

    def _key(self, chosen: Successes) -> str:
        words = [
            f"{self.results[i].blows.blow.weapon} {self.results[i].blows.kinds[k].name}"
            for i, k in chosen
        ]
        return " and ".join(words) or "none"

    def _options(self) -> dict[str, Successes]:
        kinds, found = list(self._kinds()), dict[str, Successes]()
        for count in range(self._guard.parries + 1):
            for chosen in combinations_with_replacement(kinds, count):
                if self._lawful(chosen):
                    found.setdefault(self._key(chosen), chosen)
        return found

    def ask(self, fighter: Fighter) -> Choice[Successes] | None:
        options = self._options() if fighter.stands else {}
        if len(options) < 2:
            return None
        policy = "none"
        if self._guard.willing:
            gains = {
                key: sum((gain(self.results[i].blows, k) for i, k in chosen), Fraction(0))
                for key, chosen in options.items()
            }
            policy = max(gains, key=lambda key: gains[key])
        named = tuple(Option(key, chosen) for key, chosen in options.items())
        label = f"{self._guard.name}: parry which hit of {self.bout.who}?"
        return Choice(label, self._guard.name, named, policy)

    def then(self, fighter: Fighter, chosen: Successes | None) -> Next[Fighter]:
        results = self.results
        for i, k in chosen or ():
            results = changed(results, i, results[i].less(k))
        again = tuple(i for i, _ in chosen or ())
        if not again:
            return Next(fighter, aside(self.bout, results, self.names))
        return Next(fighter, Task(RollAgain(self.bout, results, self.names, again), self.bout.who))


class RollAgain(OfABout[tuple[int, ...]], frozen=True, gc=False, cache_hash=True):
    """Hits that were parried are rolled again, and this stands."""

    results: Results
    names: tuple[str, ...]
    again: tuple[int, ...]

    @property
    def _blows(self) -> Blows:
        return self.results[self.again[0]].blows

    def ask(self, fighter: Fighter) -> Roll[tuple[int, ...]]:
        blows = self._blows
        label = f"{blows.blow.weapon} at {blows.blow.target}: parried, to hit again"
        count = self.again.count(self.again[0])
        return Roll(label, blows.handful(count), reading_of(blows), blows.parts, blows.skill)

    def then(self, fighter: Fighter, counts: tuple[int, ...]) -> Next[Fighter]:
        at = self.again[0]
        results = changed(self.results, at, self.results[at].more(counts))
        left = tuple(i for i in self.again if i != at)
        if left:
            return Next(fighter, replace(self, results=results, again=left))
        return Next(fighter, aside(self.bout, results, self.names))


# -- Step Aside ------------------------------------------------------------------------------------


def aside(bout: Bout, results: Results, names: tuple[str, ...]) -> Task:
    """What the defender does after parrying: Step Aside with that skill, else the next defends."""
    guard = bout.guard(names[0])
    if guard is None or guard.aside is None or not _hits(results, names[0]):
        return defended(bout, results, names[1:])
    return Task(StepAside(bout, results, names), names[0])


class StepAside(OfABout[bool], frozen=True, gc=False, cache_hash=True):
    """Step Aside: who passes an Initiative test makes one hit of the attack a miss."""

    results: Results
    names: tuple[str, ...]

    def ask(self, fighter: Fighter) -> Roll[bool] | None:
        guard = self.bout.guard(self.names[0])
        if guard is None or guard.aside is None or not fighter.stands:
            return None
        need = guard.aside.initiative_of(fighter)
        return Roll("Initiative, to step aside", D6, AtLeast(need, natural_1_fails=True))

    def then(self, fighter: Fighter, passed: bool | None) -> Next[Fighter]:
        if not passed:
            return Next(fighter, defended(self.bout, self.results, self.names[1:]))
        return Next(fighter, WhichMisses(self.bout, self.results, self.names))


class WhichMisses(OfABout[tuple[int, int]], frozen=True, gc=False, cache_hash=True):
    """Which hit becomes a miss is the defender's choice; by the policy the worst."""

    results: Results
    names: tuple[str, ...]

    def _options(self) -> dict[str, tuple[int, int]]:
        found = dict[str, tuple[int, int]]()
        for i, result in enumerate(self.results):
            for k, count in enumerate(result.counts):
                if count and result.target == self.names[0]:
                    blows = result.blows
                    found.setdefault(f"{blows.blow.weapon} {blows.kinds[k].name}", (i, k))
        return found

    def _worst(self, options: dict[str, tuple[int, int]]) -> str:
        def feared(key: str) -> Fraction:
            i, k = options[key]
            blows = self.results[i].blows
            return danger(blows.blow.body, blows.kinds[k])

        return max(options, key=feared)

    def ask(self, fighter: Fighter) -> Choice[tuple[int, int]] | None:
        options = self._options()
        if len(options) < 2:
            return None
        named = tuple(Option(key, at) for key, at in options.items())
        label = f"{self.names[0]}: which hit of {self.bout.who} misses?"
        return Choice(label, self.names[0], named, self._worst(options))

    def then(self, fighter: Fighter, taken: tuple[int, int] | None) -> Next[Fighter]:
        i, k = taken or next(iter(self._options().values()))
        results = changed(self.results, i, self.results[i].less(k))
        return Next(fighter, defended(self.bout, results, self.names[1:]))


# -- the hits that are left ------------------------------------------------------------------------


def _hits(results: Results, name: str) -> int:
    return sum(result.hits for result in results if result.target == name)


def defended(bout: Bout, results: Results, names: tuple[str, ...]) -> Task:
    """The next who may defend, of these; if nobody is left the hits land."""
    for at, name in enumerate(names):
        guard = bout.guard(name)
        if guard is None or not _hits(results, name):
            continue
        if guard.parries:
            return Task(Parry(bout, results, names[at:]), name)
        if guard.aside is not None:
            return aside(bout, results, names[at:])
    return Task(Land(bout, results), bout.who)


class Land(OfABout[None], frozen=True, gc=False, cache_hash=True):
    """The hits that are left are resolved, weapon by weapon, a natural 6 after plain hits."""

    results: Results

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        results = self.results
        todo: list[Task] = []
        struck = [result.target for result in results]
        for name in dict.fromkeys((*struck, *self.bout.counting)):
            hampered = self._hampered(name)
            if hampered is not None:
                todo.append(Task(hampered, name))
        for result in results:
            todo += _struck(result)
        hits = sum(result.hits for result in results)
        return Next(fighter, *todo, records={"hits": hits} if hits else None)

    def _hampered(self, name: str) -> "Hampered | None":
        """What the blows at somebody take from the answer to them, or add to it."""
        guard, mine = self.bout.guard(name), [r for r in self.results if r.target == name]
        kinds = [
            kind
            for result in mine
            for kind, count in zip(result.blows.kinds, result.counts, strict=True)
            if count
        ]
        missed = 0
        if name in self.bout.counting:
            missed = sum(result.missed for result in self.results)
        elif guard is not None and guard.counters:
            missed = sum(result.missed for result in mine)
        entangles, disarms = any(k.entangles for k in kinds), any(k.disarms for k in kinds)
        if not (missed or entangles or disarms):
            return None
        return Hampered(entangles, disarms, missed)


def _struck(result: Result) -> list[Task]:
    """The hits of one weapon, each kind together; what comes after the attack comes last."""
    blow = result.blows.blow
    hits = [(k, n) for k, n in zip(result.blows.kinds, result.counts, strict=True) if n]
    tasks = []
    for i, (kind, count) in enumerate(hits):
        after = blow.after if i == len(hits) - 1 else blow.after.without_end
        tasks.append(Task(Struck(blow.body, kind.harm, after, count, pins=False), blow.target))
    return tasks


class Hampered(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Entangle and Disarm: a natural 6 takes from the answer; Counter-Attack: a miss adds to it."""

    reach = ()

    entangled: bool
    disarmed: bool
    missed: int

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        after = replace(
            fighter,
            entangled=fighter.entangled or self.entangled,
            disarmed=fighter.disarmed or self.disarmed,
            missed=fighter.missed + self.missed,
        )
        return Next(after)
