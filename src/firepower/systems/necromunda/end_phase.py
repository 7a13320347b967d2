"""The End phase: Recovery, alone or with help; what comes when the battle is over."""

from collections.abc import Iterable
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Faces
from firepower.chance.notation import dice
from firepower.chance.readings import AtLeast, Band
from firepower.chance.steps import Choice, Next, Option, Roll, Step, Task, View
from firepower.systems.necromunda.activation import RoundEnds
from firepower.systems.necromunda.fighter import Fighter, Seen
from firepower.systems.necromunda.injury import D6, Frame, OfInjury, OneOfSeveral, Shown, injured
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.tables import INJURY_FACES, InjuryFace, NecSetup
from firepower.systems.necromunda.targets import after_battle, frame_of, friends_within
from firepower.systems.necromunda.weapons import has_skill

# -- Recovery --------------------------------------------------------------------------------------


class Help(msgspec.Struct, frozen=True, cache_hash=True):
    """Who may help with somebody's Recovery: friends within an inch, and those not named.

    `medics` roll an Out of Action again; `unstoppable`: a D6 of so much before it (None: no skill).
    """

    friends: tuple[str, ...]
    others: int
    medics: tuple[str, ...]
    unstoppable: int | None


class RecoveryBegins(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Whether a friend helps with a Recovery: one who is Standing and Active within an inch."""

    frame: Frame
    help: Help

    @property
    def glances(self) -> tuple[str, ...]:
        return self.help.friends

    @property
    def reach(self) -> tuple[str, ...]:
        return self.frame.reach

    def glance(self, part: Fighter) -> Seen:
        return part.glimpse

    def applies(self, view: View) -> bool:
        return _lies(view[self.frame.name])

    def then(self, view: View, _: None) -> Next[View]:
        able = [name for name in self.help.friends if _helps(view.glance(name))]
        helped = self.help.others > 0 or bool(able)
        medic = not set(able).isdisjoint(self.help.medics)
        recovery = Recovery(self.frame, 1 + helped, helped, medic)
        if self.help.unstoppable is None:
            return Next(view, Task(recovery, self.frame.name))
        return Next(view, Task(Unstoppable(recovery, self.help.unstoppable), self.frame.name))


def _helps(seen: Seen) -> bool:
    return seen.stands and not seen.engaged and not seen.broken


def _lies(fighter: Fighter) -> bool:
    return fighter.is_down and not fighter.out


class Recovery(OfInjury[tuple[InjuryFace, ...]], frozen=True, gc=False, cache_hash=True):
    """Recovery in the End phase: one Injury die for who is Seriously Injured, two with help.

    `medic`: those that show Out of Action are rolled again, once; `kept` are the others then.
    """

    count: int
    helped: bool
    medic: bool
    kept: tuple[InjuryFace, ...] = ()

    def applies(self, fighter: Fighter) -> bool:
        return _lies(fighter)

    def ask(self, fighter: Fighter) -> Roll[tuple[InjuryFace, ...]]:
        label = "recovery, with help" if self.helped else "recovery"
        return Roll(label, Faces((self.frame.injury_die,) * self.count), Shown())

    def then(self, fighter: Fighter, faces: tuple[InjuryFace, ...]) -> Next[Fighter]:
        out = faces.count("out")
        if self.medic and out:
            kept = tuple(face for face in faces if face != "out")
            return Next(fighter, Recovery(self.frame, out, self.helped, medic=False, kept=kept))
        shown = sorted((*self.kept, *faces), key=INJURY_FACES.index)
        pick = PickRecovery if self.helped else PickAlone
        return Next(fighter, pick(self.frame, tuple(dict.fromkeys(shown))))


class PickRecovery(OneOfSeveral, frozen=True, gc=False, cache_hash=True):
    """The die that is picked in a Recovery with help, which gives no Flesh Wound."""

    deadly: ClassVar[bool] = False

    def counts(self, fighter: Fighter, face: InjuryFace) -> Next[Fighter]:
        return recovering(fighter, self.frame, face, helped=True)


class PickAlone(OneOfSeveral, frozen=True, gc=False, cache_hash=True):
    """The die of a Recovery alone; of two, if unstoppable, the one that is picked."""

    deadly: ClassVar[bool] = False

    def counts(self, fighter: Fighter, face: InjuryFace) -> Next[Fighter]:
        return recovering(fighter, self.frame, face, helped=False)


def recovering(fighter: Fighter, frame: Frame, face: InjuryFace, *, helped: bool) -> Next[Fighter]:
    """What a Recovery of this face brings; with help nobody takes a Flesh Wound.

    A Flesh Wound: is Pinned; a Serious Injury: stays down; both take a Flesh Wound. Out of Action:
    is removed. Whom a web alone holds takes none for a Serious Injury, and may be captured.
    """
    wounds = int(not helped)
    if face == "out" and not fighter.down:
        return Next(fighter.leave(0), Captured(frame.captured), records={"out_of_action": 1})
    if face == "out":
        return injured(fighter, frame, 0, 0, 1)
    if face == "serious":
        again = fighter.down and frame.again_flesh
        return injured(fighter, frame, wounds if again else 0, 0, 0)
    up = replace(fighter, down=False, webbed=False, pinned=True)
    after = injured(up, frame, wounds, 0, 0)
    records = dict(after.records) | {"recovered": int(not after.part.out)}
    return Next(after.part, *after.todo, records=records)


class Captured(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Who is removed out of a web is captured on a high D6, else out cold."""

    reach = ()

    least: int

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("captured in the web", D6, AtLeast(self.least))

    def then(self, fighter: Fighter, captured: bool) -> Next[Fighter]:
        return Next(fighter, records={"captured": captured})


class Unstoppable(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Unstoppable: before a Recovery a high D6 takes a Flesh Wound away, or gives another die."""

    recovery: Recovery
    least: int

    @property
    def reach(self) -> tuple[str, ...]:
        return self.recovery.reach

    def applies(self, fighter: Fighter) -> bool:
        return _lies(fighter)

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("unstoppable", D6, AtLeast(self.least))

    def then(self, fighter: Fighter, passed: bool) -> Next[Fighter]:
        return Next(fighter, UnstoppableChoice(self.recovery) if passed else self.recovery)


class UnstoppableChoice(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """A Flesh Wound less, or one more die to pick from."""

    recovery: Recovery

    @property
    def reach(self) -> tuple[str, ...]:
        return self.recovery.reach

    def ask(self, fighter: Fighter) -> Choice[bool] | None:
        if not fighter.flesh:
            return None
        options = (Option("another die", value=False), Option("a flesh wound less", value=True))
        who = self.recovery.frame.name
        return Choice(f"{who} is unstoppable: what?", who, options, options[0].key)

    def then(self, fighter: Fighter, heals: bool | None) -> Next[Fighter]:
        if heals:
            return Next(replace(fighter, flesh=fighter.flesh - 1), self.recovery)
        return Next(fighter, replace(self.recovery, count=self.recovery.count + 1))


def end_phase(setup: NecSetup) -> Iterable[Task]:
    """What everybody does when a round ends."""
    tables = setup.tables
    for name, each in setup.combatants.items():
        friends = friends_within(setup, name, tables.blaze.beside)
        medics = [friend for friend in friends if has_skill(setup, friend, Skill.MEDICAE)]
        if medics and not setup.rulings.takes("medicae", "rolls_again"):
            medics = []
        unstoppable = has_skill(setup, name, Skill.UNSTOPPABLE)
        helping = Help(
            friends=friends,
            others=each.helpers,
            medics=tuple(medics),
            unstoppable=tables.injuries.unstoppable if unstoppable else None,
        )
        yield Task(RecoveryBegins(frame_of(setup, name), helping), (name,))
    for name in setup.combatants:
        yield Task(RoundEnds(), name)


# -- the end of the battle -------------------------------------------------------------------------


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


class AfterBattle(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Who is still down when the battle ends is out of action on a low D6; a web lets go."""

    reach = ()

    survives: int

    def applies(self, fighter: Fighter) -> bool:
        return fighter.is_down and not fighter.out

    def ask(self, fighter: Fighter) -> Roll[bool] | None:
        if not fighter.down:
            return None
        return Roll("still down after the battle", D6, AtLeast(self.survives))

    def then(self, fighter: Fighter, survives: bool | None) -> Next[Fighter]:
        if survives is False:
            return Next(fighter.leave(), records={"out_of_action": 1})
        return Next(replace(fighter, down=False, webbed=False))


class LastingInjury(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """Each result of Out of Action is a D66 on the table of lasting injuries."""

    reach = ()

    rows: tuple[tuple[int, int], ...]
    titles: tuple[str, ...]

    def applies(self, fighter: Fighter) -> bool:
        return fighter.results > 0

    def ask(self, fighter: Fighter) -> Roll[int]:
        return Roll("lasting injury", dice("D66"), NamedBand(Band(self.rows), self.titles))

    def then(self, fighter: Fighter, row: int) -> Next[Fighter]:
        left = replace(fighter, results=fighter.results - 1)
        todo = (self,) if left.results else ()
        return Next(left, *todo, records={"lasting_injury": row})


class NamedBand(msgspec.Struct, frozen=True):
    """A row of a table, by its number from 1, with its name."""

    band: Band[int]
    titles: tuple[str, ...]

    def read(self, total: int) -> int:
        return self.band.read(total)

    @property
    def need(self) -> str:
        return ""

    def words(self, read: int) -> str:
        return self.titles[read - 1]
