"""The Ninth Age: attacks that hit, wound and are saved; simultaneous blows by initiative."""

import msgspec

from firepower.chance import (
    AtLeast,
    Dice,
    Everybody,
    Next,
    Resolution,
    Roll,
    Step,
    Task,
    Total,
    dice,
)

D6 = dice("d6")


class Profile(msgspec.Struct, frozen=True, gc=False):
    """What an attack needs to hit and to wound, what saves from it, and its multiple wounds."""

    hit: int
    wound: int
    save: int
    multiple: Dice | None = None


class RollToHit(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """An attack that hits goes on to wound."""

    together = True
    local = True

    profile: Profile

    def ask(self, target: None) -> Roll[bool]:
        return Roll("to hit", D6, AtLeast(self.profile.hit))

    def then(self, target: None, hit: bool) -> Next[None]:
        return Next(target, *([RollToWound(self.profile)] if hit else []))


class RollToWound(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """A wound goes on to the armour save."""

    together = True
    local = True

    profile: Profile

    def ask(self, target: None) -> Roll[bool]:
        return Roll("to wound", D6, AtLeast(self.profile.wound))

    def then(self, target: None, wounded: bool) -> Next[None]:
        return Next(target, *([ArmourSave(self.profile)] if wounded else []))


class ArmourSave(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """A wound that is not saved is one wound, or as many as the weapon's dice say."""

    together = True
    local = True

    profile: Profile

    def ask(self, target: None) -> Roll[bool]:
        return Roll("armour save", D6, AtLeast(self.profile.save))

    def then(self, target: None, saved: bool) -> Next[None]:
        if saved:
            return Next(target)
        if self.profile.multiple is None:
            return Next(target, records={"wounds": 1})
        return Next(target, MultipleWounds(self.profile.multiple))


class MultipleWounds(Step[None, int], frozen=True, gc=False, cache_hash=True):
    """How many wounds an unsaved wound becomes."""

    local = True

    dice: Dice

    def ask(self, target: None) -> Roll[int]:
        return Roll("multiple wounds", self.dice, Total("wounds"))

    def then(self, target: None, wounds: int) -> Next[None]:
        return Next(target, records={"wounds": wounds})


class AttackModel(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """An attack on the foremost model, whose health is the part; what is too much is lost."""

    local = True

    profile: Profile
    health: int

    def ask(self, left: int) -> Resolution:
        return Resolution("attack", (RollToHit(self.profile),), "wounds")

    def then(self, left: int, wounds: int) -> Next[int]:
        if wounds < left:
            return Next(left - wounds)
        return Next(self.health, records={"killed": 1})


class Attacks(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """All attacks of one side on a unit, whose models are the part; a wound takes a model."""

    local = True

    profile: Profile
    count: int

    def ask(self, models: int) -> Resolution:
        return Resolution("attacks", (Task(RollToHit(self.profile), times=self.count),), "wounds")

    def then(self, models: int, wounds: int) -> Next[int]:
        return Next(max(0, models - wounds))


class Blows(msgspec.Struct, frozen=True, gc=False):
    """Who strikes whom, with how many attacks as long as so many models stand."""

    striker: str
    target: str
    most: int
    profile: Profile


class InitiativeStep(Step[Everybody, None], frozen=True, gc=False, cache_hash=True):
    """Whoever stands now strikes, even those who are struck down in this step."""

    blows: tuple[Blows, ...]

    def then(self, everybody: Everybody, _: None) -> Next[Everybody]:
        todo = []
        for blows in self.blows:
            count = min(blows.most, everybody[blows.striker])
            if count:
                todo.append(Task(Attacks(blows.profile, count), blows.target))
        return Next(everybody, *todo)
