"""The End phase: Recovery, alone or with help, and what ends with the round and the battle."""

from collections.abc import Iterable

from msgspec.structs import replace

from firepower.chance.readings import AtLeast
from firepower.chance.steps import Next, Roll, Step, Task, View
from firepower.systems.necromunda.activation import RoundEnds
from firepower.systems.necromunda.fighter import Fighter, Seen
from firepower.systems.necromunda.injury import (
    D6,
    AfterBattle,
    Frame,
    HelpedRecovery,
    LastingInjury,
    Recovery,
)
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.tables import NecSetup
from firepower.systems.necromunda.targets import after_battle, frame_of, friends_within
from firepower.systems.necromunda.weapons import has_skill


class RecoveryBegins(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Whether a friend helps with a Recovery: one who is Standing and Active within an inch."""

    frame: Frame
    friends: tuple[str, ...]
    helpers: int

    @property
    def glances(self) -> tuple[str, ...]:
        return self.friends

    @property
    def reach(self) -> tuple[str, ...]:
        return self.frame.reach

    def glance(self, part: Fighter) -> Seen:
        return part.glimpse

    def applies(self, view: View) -> bool:
        me: Fighter = view[self.frame.name]
        return me.is_down and not me.out

    def then(self, view: View, _: None) -> Next[View]:
        seen: list[Seen] = [view.glance(name) for name in self.friends]
        helped = self.helpers > 0 or any(
            each.stands and not each.engaged and not each.broken for each in seen
        )
        step = HelpedRecovery(self.frame) if helped else Recovery(self.frame)
        return Next(view, Task(step, self.frame.name))


class Unstoppable(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Unstoppable: before a Recovery a high D6 takes a Flesh Wound away."""

    reach = ()

    least: int

    def applies(self, fighter: Fighter) -> bool:
        return fighter.is_down and not fighter.out and fighter.flesh > 0

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("unstoppable", D6, AtLeast(self.least))

    def then(self, fighter: Fighter, passed: bool) -> Next[Fighter]:
        return Next(replace(fighter, flesh=fighter.flesh - passed))


def end_phase(setup: NecSetup) -> Iterable[Task]:
    """What everybody does when a round ends."""
    tables = setup.tables
    for name, each in setup.combatants.items():
        frame = frame_of(setup, name)
        if has_skill(setup, name, Skill.UNSTOPPABLE):
            setup.leave_out(f"another Recovery die for {name}, who is Unstoppable: a wound goes")
            yield Task(Unstoppable(tables.injuries.unstoppable), name)
        friends = friends_within(setup, name, tables.blaze.beside)
        yield Task(RecoveryBegins(frame, friends, each.helpers), (name,))
    for name in setup.combatants:
        yield Task(RoundEnds(), name)


def after_the_battle(setup: NecSetup) -> Iterable[Task]:
    """Who is down when the battle is over, and lasting injuries."""
    if not after_battle(setup):
        return
    rows = setup.tables.lasting[setup.rulings["lasting_injuries"]]
    titles = tuple(title for _, title in rows)
    # a row goes up to where the next begins
    ends = [least - 1 for least, _ in rows[1:]] + [rows[-1][0]]
    bands = tuple((end, number) for number, end in enumerate(ends, 1))
    for name in setup.combatants:
        yield Task(AfterBattle(setup.tables.injuries.survives), name)
        yield Task(LastingInjury(bands, titles), name)
