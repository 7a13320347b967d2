"""The Ninth Age: attacks that hit, wound and are saved; blows by initiative, some at once."""

import msgspec

from firepower.chance import (
    AtLeast,
    Dice,
    Next,
    Resolution,
    Roll,
    Step,
    Task,
    Total,
    View,
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
    reach = ()

    profile: Profile

    def ask(self, target: None) -> Roll[bool]:
        return Roll("to hit", D6, AtLeast(self.profile.hit))

    def then(self, target: None, hit: bool) -> Next[None]:
        return Next(target, *([RollToWound(self.profile)] if hit else []))


class RollToWound(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """A wound goes on to the armour save."""

    together = True
    reach = ()

    profile: Profile

    def ask(self, target: None) -> Roll[bool]:
        return Roll("to wound", D6, AtLeast(self.profile.wound))

    def then(self, target: None, wounded: bool) -> Next[None]:
        return Next(target, *([ArmourSave(self.profile)] if wounded else []))


class ArmourSave(Step[None, bool], frozen=True, gc=False, cache_hash=True):
    """A wound that is not saved is one wound, or as many as the weapon's dice say."""

    together = True
    reach = ()

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

    reach = ()

    dice: Dice

    def ask(self, target: None) -> Roll[int]:
        return Roll("multiple wounds", self.dice, Total("wounds"))

    def then(self, target: None, wounds: int) -> Next[None]:
        return Next(target, records={"wounds": wounds})


class AttackModel(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """An attack on the foremost model, whose health is the part; what is too much is lost."""

    reach = ()

    profile: Profile
    health: int

    def ask(self, left: int) -> Resolution:
        return Resolution("attack", (RollToHit(self.profile),), "wounds", recorded=True)

    def then(self, left: int, wounds: int) -> Next[int]:
        if wounds < left:
            return Next(left - wounds)
        return Next(self.health, records={"killed": 1})


class Attacks(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """All attacks of one side on a unit, whose models are the part; a wound takes a model."""

    reach = ()

    profile: Profile
    count: int

    def ask(self, models: int) -> Resolution:
        return Resolution(
            "attacks", (Task(RollToHit(self.profile), times=self.count),), "wounds", recorded=True
        )

    def then(self, models: int, wounds: int) -> Next[int]:
        return Next(max(0, models - wounds))


class Blows(msgspec.Struct, frozen=True, gc=False):
    """Who strikes, how many attacks there are if so many models stand, and who is struck."""

    striker: str
    most: int
    profile: Profile
    target: str

    def count(self, models: int) -> int:
        """The attacks of so many models: one each."""
        return min(self.most, models)

    def tasks(self, models: int) -> list[Task]:
        """The attacks of so many models, all of them at once."""
        count = self.count(models)
        return [Task(Attacks(self.profile, count), self.target)] if count else []


class Strike(Step[int, None], frozen=True, gc=False, cache_hash=True):
    """One side strikes alone, with the models that stand by then."""

    blows: Blows

    def then(self, models: int, _: None) -> Next[int]:
        return Next(models, *self.blows.tasks(models))


class StrikeTogether(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Blows of one initiative step: all who stand now strike, even those who fall in it."""

    blows: tuple[Blows, ...]

    def then(self, view: View, _: None) -> Next[View]:
        tasks = [task for each in self.blows for task in each.tasks(view[each.striker])]
        return Next(view, *tasks)
