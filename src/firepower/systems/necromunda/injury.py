"""Injuries: Injury dice and what they do, nerve tests, recovery, what comes after the battle."""

from typing import ClassVar, TypeVar

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Die, Faces, Handful
from firepower.chance.notation import dice
from firepower.chance.readings import AtLeast
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


class OneOfSeveral(OfInjury[InjuryFace], frozen=True, gc=False, cache_hash=True):
    """Which of several Injury dice counts is the owner's choice; the mildest comes first.

    `deadly`: a Flesh Wound among them is one.
    """

    faces: tuple[InjuryFace, ...]
    deadly: ClassVar[bool] = True

    def ask(self, fighter: Fighter) -> Choice[InjuryFace] | None:
        if len(self.faces) == 1:
            return None
        options = tuple(Option(face, face) for face in self.faces)
        return Choice("which Injury die counts?", self.frame.name, options, self._wanted(fighter))

    def _wanted(self, fighter: Fighter) -> InjuryFace:
        """The mildest, but not a Flesh Wound that would leave no Toughness."""
        last = self.frame.toughness - fighter.flesh == 1 and not fighter.down
        spared = [face for face in self.faces if face != "flesh"]
        return spared[0] if last and self.deadly else self.faces[0]

    def then(self, fighter: Fighter, kept: InjuryFace | None) -> Next[Fighter]:
        return self.counts(fighter, self.faces[0] if kept is None else kept)

    def counts(self, fighter: Fighter, face: InjuryFace) -> Next[Fighter]:
        """What the die that counts does."""
        raise NotImplementedError  # each says it; a Struct cannot be abstract


class KeepOne(OneOfSeveral, frozen=True, gc=False, cache_hash=True):
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
