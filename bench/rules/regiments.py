"""Close combat of two regiments, round after round: who strikes when, and who breaks.

Rolls and profiles are those of the Ninth Age, in `bench.rules.ninth_age`.
"""

import msgspec

from bench.rules.ninth_age import Blows, Profile, RollToHit
from firepower.chance import NOBODY, Mark, Next, Resolution, Roll, Step, Tally, Task, View, dice

TWO_D6 = dice("2d6")
DOUBLE_ONE = 2
"""The least that two dice can show; it passes any test."""


class Regiment(msgspec.Struct, frozen=True, cache_hash=True):
    """The models that stand, and whether they have broken."""

    models: int
    broken: bool = False


class Round(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """A round of combat: its initiative steps and its break test, if nobody has broken yet.

    What the test reads is counted from here.
    """

    reach = ()

    tasks: tuple[Task, ...]

    def applies(self, view: View) -> bool:
        return not any(regiment.broken for regiment in view.parts)

    def then(self, view: View, _: None) -> Next[View]:
        return Next(view, *self.tasks)


class Initiative(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """One initiative step: all its blows are counted before any falls, so they fall together."""

    reach = ()

    blows: tuple[Blows, ...]

    def then(self, view: View, _: None) -> Next[View]:
        todo = [
            Task(Blow(each.profile), each.target, each.count(view[each.striker].models))
            for each in self.blows
        ]
        return Next(view, *todo)


class Blow(Step[Regiment, int], frozen=True, gc=False, cache_hash=True):
    """One blow at a regiment: to hit, to wound, save. What gets through kills a model."""

    together = True
    reach = ()

    profile: Profile

    def applies(self, regiment: Regiment) -> bool:
        return regiment.models > 0

    def ask(self, regiment: Regiment) -> Resolution:
        return Resolution("blow", (RollToHit(self.profile),), "wounds")

    def then(self, regiment: Regiment, wounds: int) -> Next[Regiment]:
        standing = Regiment(regiment.models - wounds, regiment.broken)
        return Next(standing, records={"killed": wounds})


class AtMost(msgspec.Struct, frozen=True, gc=False):
    """A test that is passed on a number or less."""

    most: int

    def read(self, total: int) -> bool:
        return total <= self.most

    @property
    def need(self) -> str:
        return f"{self.most} or less"

    def words(self, read: bool) -> str:
        return "holds" if read else "breaks"


class BreakTest(Step[View, bool | None], frozen=True, gc=False, cache_hash=True):
    """Who lost more models this round holds on 2D6 of at most discipline less the difference."""

    reach = ()

    one: str
    other: str
    discipline: int

    @property
    def score(self) -> Tally:
        """By how many models more the other regiment lost than the one."""
        return Tally((f"{self.other}.killed", f"{self.one}.killed"), weights=(1, -1))

    @property
    def reads(self) -> tuple[Tally, ...]:
        return (self.score,)

    def ask(self, view: View) -> Roll[bool | None] | None:
        difference = abs(view.tally(self.score))
        if not difference:
            return None
        return Roll("break test", TWO_D6, AtMost(max(DOUBLE_ONE, self.discipline - difference)))

    def then(self, view: View, holds: bool | None) -> Next[View]:
        if holds is not False:
            return Next(view)
        loser = self.other if view.tally(self.score) > 0 else self.one
        return Next(view.replace(loser, Regiment(view[loser].models, broken=True)))


class RoundEnds(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """The end of a round, and the beginning of the next."""

    number: int
    next_round: tuple[Task, ...]

    @property
    def mark(self) -> Mark:
        return Mark(f"round {self.number}")

    def then(self, view: View, _: None) -> Next[View]:
        return Next(view, *self.next_round)


def combat(
    one: str,
    other: str,
    initiatives: tuple[tuple[Blows, ...], ...],
    *,
    discipline: int,
    rounds: int,
) -> tuple[Task, ...]:
    """The first round of a combat of two regiments; its end brings the second, and so on."""
    both = (one, other)
    strikes = [Task(Initiative(blows), both) for blows in initiatives]
    fought = Task(Round((*strikes, Task(BreakTest(one, other, discipline), both))), both)
    tasks: tuple[Task, ...] = ()
    for number in range(rounds, 0, -1):
        tasks = (fought, Task(RoundEnds(number, tasks), NOBODY))
    return tasks
