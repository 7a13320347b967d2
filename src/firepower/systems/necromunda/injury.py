"""Injuries: Injury dice and what they do, nerve tests, recovery, what comes after the battle."""

from typing import TypeVar

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Die, Faces, Handful
from firepower.chance.notation import dice
from firepower.chance.readings import AtLeast, Band
from firepower.chance.steps import Choice, Modifier, Next, Option, Roll, Step, Task, View
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.tables import INJURY_FACES, InjuryFace

R = TypeVar("R")

D6 = dice("d6")
TWO_D6 = dice("2d6")

ONE_OF_EACH = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
"""What each face of the Injury die counts as: flesh wounds, serious injuries, out of action."""


class Witness(msgspec.Struct, frozen=True, cache_hash=True):
    """A friend who sees somebody fall: the Cool to test, and friends who steady the nerve."""

    name: str
    cool: int
    beside: tuple[str, ...]


class Frame(msgspec.Struct, frozen=True, cache_hash=True):
    """What injuries of somebody depend on besides their state.

    `again_flesh`: a further Serious Injury is a Flesh Wound. `grit`: True Grit: "" for none,
    "single_die" or "damage_1" for where two are rolled and one is dropped. `keeps_count`: how many
    results of Out of Action there were is read after the battle. `captured`: a D6 of so much.
    """

    name: str
    toughness: int
    injury_die: Die
    again_flesh: bool
    grit: str
    keeps_count: bool
    captured: int
    witnesses: tuple[Witness, ...]

    @property
    def reach(self) -> tuple[str, ...]:
        """Those whom an injury may shake."""
        return tuple(each.name for each in self.witnesses)

    def nerve_tests(self) -> list[Task]:
        """The tests of friends who see this fighter fall."""
        return [Task(NerveTest(each), (each.name,)) for each in self.witnesses]

    def handful(self, count: int) -> Handful:
        """So many Injury dice."""
        by_face = dict(zip(INJURY_FACES, ONE_OF_EACH, strict=True))
        worth = tuple(by_face[_face(face)] for face in self.injury_die.faces)
        return Handful(self.injury_die, count, worth)


def _face(face: int | str) -> InjuryFace:
    return next(each for each in INJURY_FACES if each == face)


class InjuryReading(msgspec.Struct, frozen=True):
    """How many of each the Injury dice show."""

    def read(self, total: tuple[int, int, int]) -> tuple[int, int, int]:
        return total

    @property
    def need(self) -> str:
        return ""

    def words(self, read: tuple[int, int, int]) -> str:
        named = zip(read, ("flesh wound", "serious injury", "out of action"), strict=True)
        return ", ".join(f"{count} {name}" for count, name in named if count)


def injured(fighter: Fighter, frame: Frame, flesh: int, serious: int, out: int) -> Next[Fighter]:
    """What so many results of Injury dice do together.

    A Flesh Wound is Toughness -1, and none left is Out of Action; the first Serious Injury lays
    down, every further one is a Flesh Wound.
    """
    first = serious > 0 and not fighter.down
    wounds = flesh + (serious - first if frame.again_flesh else 0)
    results = out + (not out and frame.toughness - fighter.flesh - wounds <= 0)
    records = {"flesh_wounds": wounds, "serious_injuries": int(first)}
    if results:
        after = fighter.leave(results if frame.keeps_count else 1)
        records["out_of_action"] = 1
    else:
        after = replace(fighter, flesh=fighter.flesh + wounds)
        after = after.fall() if first else after
    tests = frame.nerve_tests() if results or first else []
    return Next(after, *tests, records={name: n for name, n in records.items() if n})


class OfInjury(Step[Fighter, R], frozen=True, gc=False, cache_hash=True):
    """A step about an injury of somebody, which may shake friends."""

    frame: Frame

    @property
    def reach(self) -> tuple[str, ...]:
        return self.frame.reach


class InjuryRoll(OfInjury[tuple[int, int, int]], frozen=True, gc=False, cache_hash=True):
    """The Injury dice of one hit; all of them apply.

    `attacker` may crush: see Pulverise.
    """

    count: int
    attacker: str
    pulverises: bool

    def ask(self, fighter: Fighter) -> Roll[tuple[int, int, int]]:
        return Roll("injury", self.frame.handful(self.count), InjuryReading(), by=self.attacker)

    def then(self, fighter: Fighter, read: tuple[int, int, int]) -> Next[Fighter]:
        flesh, serious, out = read
        if self.pulverises and flesh and not out and not (serious or fighter.down):
            return Next(fighter, Pulverise(self.frame, flesh, self.attacker))
        return injured(fighter, self.frame, flesh, serious, out)


class TrueGritRoll(OfInjury[tuple[InjuryFace, ...]], frozen=True, gc=False, cache_hash=True):
    """True Grit: two Injury dice where there would be one, and the owner drops one."""

    attacker: str

    def ask(self, fighter: Fighter) -> Roll[tuple[InjuryFace, ...]]:
        die = self.frame.injury_die
        return Roll("injury, two dice for True Grit", Faces((die, die)), Shown(), by=self.attacker)

    def then(self, fighter: Fighter, faces: tuple[InjuryFace, ...]) -> Next[Fighter]:
        return Next(fighter, KeepOne(self.frame, tuple(dict.fromkeys(faces))))


class Shown(msgspec.Struct, frozen=True):
    """The faces that Injury dice show."""

    def read(self, total: tuple[InjuryFace, ...]) -> tuple[InjuryFace, ...]:
        return tuple(sorted(total, key=INJURY_FACES.index))

    @property
    def need(self) -> str:
        return ""

    def words(self, read: tuple[InjuryFace, ...]) -> str:
        return ", ".join(read)


class OneOfTwo(OfInjury[InjuryFace], frozen=True, gc=False, cache_hash=True):
    """Which of two Injury dice counts is the owner's choice; the mildest comes first."""

    faces: tuple[InjuryFace, ...]

    def ask(self, fighter: Fighter) -> Choice[InjuryFace] | None:
        if len(self.faces) == 1:
            return None
        options = tuple(Option(face, face) for face in self.faces)
        return Choice("which Injury die counts?", self.frame.name, options, self.faces[0])

    def then(self, fighter: Fighter, kept: InjuryFace | None) -> Next[Fighter]:
        return self.counts(fighter, self.faces[0] if kept is None else kept)

    def counts(self, fighter: Fighter, face: InjuryFace) -> Next[Fighter]:
        """What the die that counts does."""
        raise NotImplementedError  # each says it; a Struct cannot be abstract


class KeepOne(OneOfTwo, frozen=True, gc=False, cache_hash=True):
    """True Grit: the other die is dropped."""

    def counts(self, fighter: Fighter, face: InjuryFace) -> Next[Fighter]:
        flesh, serious, out = (int(face == each) for each in INJURY_FACES)
        return injured(fighter, self.frame, flesh, serious, out)


class Pulverise(OfInjury[bool], frozen=True, gc=False, cache_hash=True):
    """Pulverise: the attacker may roll to make one Flesh Wound a Serious Injury."""

    flesh: int
    attacker: str

    def ask(self, fighter: Fighter) -> Choice[bool]:
        options = (Option("no", value=False), Option("yes", value=True))
        fatal = self.frame.toughness - fighter.flesh - self.flesh <= 0
        label = f"{self.frame.name}: pulverise?"
        return Choice(label, self.attacker, options, "no" if fatal else "yes")

    def then(self, fighter: Fighter, taken: bool) -> Next[Fighter]:
        if not taken:
            return injured(fighter, self.frame, self.flesh, 0, 0)
        return Next(fighter, PulveriseRoll(self.frame, self.flesh, self.attacker))


class PulveriseRoll(OfInjury[bool], frozen=True, gc=False, cache_hash=True):
    """A D6 of the target's Toughness or more, or a natural 6, makes it a Serious Injury."""

    flesh: int
    attacker: str

    def ask(self, fighter: Fighter) -> Roll[bool]:
        toughness = self.frame.toughness - fighter.flesh
        return Roll("pulverise", D6, AtLeast(toughness, always_passes=6), by=self.attacker)

    def then(self, fighter: Fighter, crushed: bool) -> Next[Fighter]:
        return injured(fighter, self.frame, self.flesh - crushed, int(crushed), 0)


# -- nerve -----------------------------------------------------------------------------------------


class NerveTest(Step[View, bool], frozen=True, gc=False, cache_hash=True):
    """A friend within three inches fell: Cool on 2D6, +1 for each steady friend, or Broken."""

    reach = ()

    witness: Witness
    modifier: Modifier | None = None

    @property
    def glances(self) -> tuple[str, ...]:
        return self.witness.beside

    def glance(self, part: Fighter) -> bool:
        return part.stands and not part.broken

    def applies(self, view: View) -> bool:
        me: Fighter = view[self.witness.name]
        return not (me.out or me.is_down or me.broken)

    def ask(self, view: View) -> Roll[bool]:
        steady = sum(bool(view.glance(name)) for name in self.witness.beside)
        parts = () if self.modifier is None else (self.modifier,)
        if steady:
            parts = (*parts, Modifier("steady friends", steady, "rules: nerve"))
        need = self.witness.cool - sum(part.value for part in parts)
        return Roll("nerve", TWO_D6, AtLeast(need), parts, self.witness.cool, self.witness.name)

    def then(self, view: View, steady: bool) -> Next[View]:
        if steady:
            return Next(view)
        me = view[self.witness.name]
        return Next(view.replace(self.witness.name, broken(me)), records=_of(self.witness.name))


def _of(name: str) -> dict[str, int]:
    return {f"{name}.broken": 1}


def broken(fighter: Fighter) -> Fighter:
    """Broken: from now on running for cover."""
    return replace(fighter, broken=True)


# -- the End phase, and the end of the battle ------------------------------------------------------


class Recovery(OfInjury[tuple[int, int, int]], frozen=True, gc=False, cache_hash=True):
    """Recovery in the End phase: one Injury die for who is Seriously Injured.

    A Flesh Wound: takes it and is Pinned; a Serious Injury: takes a Flesh Wound and stays down;
    Out of Action: is removed.
    """

    def applies(self, fighter: Fighter) -> bool:
        return fighter.is_down and not fighter.out

    def ask(self, fighter: Fighter) -> Roll[tuple[int, int, int]]:
        return Roll("recovery", self.frame.handful(1), InjuryReading())

    def then(self, fighter: Fighter, read: tuple[int, int, int]) -> Next[Fighter]:
        return recovering(fighter, self.frame, INJURY_FACES[read.index(1)], helped=False)


def recovering(fighter: Fighter, frame: Frame, face: InjuryFace, *, helped: bool) -> Next[Fighter]:
    """What a Recovery of this face brings; with help nobody takes a Flesh Wound.

    Whom a web alone holds takes none for a Serious Injury, and may be captured if removed.
    """
    wounds = int(not helped)
    if face == "out" and not fighter.down:
        return Next(fighter.leave(0), Captured(frame.captured), records={"out_of_action": 1})
    if face == "out":
        return injured(fighter, frame, 0, 0, 1)
    if face == "serious":
        return injured(fighter, frame, wounds if fighter.down else 0, 0, 0)
    up = replace(fighter, down=False, webbed=False, pinned=True)
    after = injured(up, frame, wounds, 0, 0)
    return Next(after.part, *after.todo, records=dict(after.records) | {"recovered": 1})


class Captured(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Who is removed out of a web is captured on a high D6, else out cold."""

    reach = ()

    least: int

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("captured in the web", D6, AtLeast(self.least))

    def then(self, fighter: Fighter, captured: bool) -> Next[Fighter]:
        return Next(fighter, records={"captured": captured})


class HelpedRecovery(OfInjury[tuple[InjuryFace, ...]], frozen=True, gc=False, cache_hash=True):
    """With one friend's help two Injury dice are rolled and one is picked."""

    def applies(self, fighter: Fighter) -> bool:
        return fighter.is_down and not fighter.out

    def ask(self, fighter: Fighter) -> Roll[tuple[InjuryFace, ...]]:
        die = self.frame.injury_die
        return Roll("recovery, with help", Faces((die, die)), Shown())

    def then(self, fighter: Fighter, faces: tuple[InjuryFace, ...]) -> Next[Fighter]:
        return Next(fighter, PickRecovery(self.frame, tuple(dict.fromkeys(faces))))


class PickRecovery(OneOfTwo, frozen=True, gc=False, cache_hash=True):
    """The one of two dice that is picked in a helped Recovery."""

    def counts(self, fighter: Fighter, face: InjuryFace) -> Next[Fighter]:
        return recovering(fighter, self.frame, face, helped=True)


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
