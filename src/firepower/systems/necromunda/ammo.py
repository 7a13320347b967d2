"""Ammo: checks for each symbol, Out of Ammo and jammed, Unstable, reloading."""

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Faces, die
from firepower.chance.readings import AtLeast, AtMost
from firepower.chance.steps import Next, Roll, Step
from firepower.systems.necromunda.fighter import Arm, Fighter
from firepower.systems.necromunda.injury import D6, Frame, injured
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.tables import NecSetup
from firepower.systems.necromunda.targets import friends_within
from firepower.systems.necromunda.traits import Trait
from firepower.systems.necromunda.weapons import Weapon, has_skill

NO_CHECK = 0
ALWAYS_FAILS = 7
GONE = (Trait.SCARCE, Trait.LIMITED, Trait.GRENADE, Trait.SINGLE_SHOT)
"""Traits of profiles that a failed check ends for the battle."""


class AmmoRule(msgspec.Struct, frozen=True, cache_hash=True):
    """How a profile runs out.

    `least`: the least that passes (NO_CHECK: nothing is checked). `combi`: two dice for each check,
    the worse counts, and the profile runs out alone; `two_failures`: both failed are two.
    `jams`: two failed checks are the end of it. `gone`: a failed check is the end of the profile,
    `whole`: the weapon is out of ammo. `all_checks`: also after one has failed. `rerolls`: failed
    checks are rolled again once. `unstable`: a D6 of so much takes the shooter out (0: no).
    `each_symbol`: so for every symbol.
    """

    weapon: str
    mode: str
    least: int
    combi: bool
    two_failures: bool
    jams: bool
    gone: bool
    whole: bool
    all_checks: bool
    rerolls: bool
    unstable: int
    each_symbol: bool

    def out(self, arm: Arm) -> Arm:
        """After a failed check."""
        if self.gone and self.mode not in arm.spent:
            arm = replace(arm, spent=(*arm.spent, self.mode))
        if self.combi:
            return arm if self.mode in arm.dry else replace(arm, dry=(*arm.dry, self.mode))
        return replace(arm, out=True) if self.whole else arm


def ammo_rule(setup: NecSetup, name: str, weapon: Weapon) -> AmmoRule:
    """How a profile of somebody's weapon runs out."""
    traits, rulings = weapon.traits, setup.rulings
    least = weapon.ammo or NO_CHECK
    if weapon.ammo is None and Trait.SINGLE_SHOT not in traits and Trait.MELEE not in traits:
        least = ALWAYS_FAILS if rulings.takes("no_ammo_value", "fails") else NO_CHECK
    combi = Trait.COMBI in traits
    rapid = traits.number(Trait.RAPID_FIRE) or traits.number(Trait.FIRESTORM)
    unstable = Trait.UNSTABLE in traits
    return AmmoRule(
        weapon=weapon.name,
        mode=weapon.mode,
        least=least,
        combi=combi,
        two_failures=combi and rulings.takes("combi_jam", "two_failures"),
        jams=bool(rapid),
        gone=not traits.names.isdisjoint(GONE),
        whole=Trait.GRENADE not in traits,
        all_checks=not rapid or rulings.takes("ammo_checks", "all"),
        rerolls=checks_again(setup, name),
        unstable=setup.tables.shooting.unstable if unstable else 0,
        each_symbol=unstable and rulings.takes("unstable_symbols", "each"),
    )


def checks_again(setup: NecSetup, name: str) -> bool:
    """Munitioneer: whether failed checks are rolled again, the skill somebody's or a friend's."""
    inches = setup.tables.injuries.munitioneer
    near = friends_within(setup, name, inches) if setup.combatants[name].position else ()
    return any(has_skill(setup, each, Skill.MUNITIONEER) for each in (name, *near))


class AmmoChecks(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """An ammo check for each Ammo symbol, one after the other.

    One that fails: Out of Ammo; two or more in one attack: jammed for the battle in place of it.

    RF-05, RF-07, RF-08, RF-09, A-04
    """

    reach = ()

    rule: AmmoRule
    left: int
    failed: int = 0
    again: bool = False

    def ask(self, fighter: Fighter) -> Roll[int]:
        rule = self.rule
        throw = Faces((die(6),) * (2 if rule.combi else 1))
        label = "ammo check, again" if self.again else "ammo check"
        return Roll(label, throw, Failures(rule.least, 2 if rule.two_failures else 1))

    def then(self, fighter: Fighter, failures: int) -> Next[Fighter]:
        rule = self.rule
        if failures and rule.rerolls and not self.again:
            return Next(fighter, replace(self, again=True))
        failed, left = min(2, self.failed + failures), self.left - 1
        records = {"ammo_failed": failures} if failures else None
        if left and (rule.all_checks or not failed):
            more = replace(self, left=left, failed=failed, again=False)
            return Next(fighter, more, records=records)
        after = self._after(fighter, failed)
        return Next(after.part, records=dict(records or {}) | dict(after.records))

    def _after(self, fighter: Fighter, failed: int) -> Next[Fighter]:
        arm, rule = fighter.arm(self.rule.weapon), self.rule
        if not failed:
            return Next(fighter)
        jams = failed > 1 and (rule.jams or rule.two_failures)
        records = {"jammed": 1} if jams else {"out_of_ammo": 1}
        if arm is None:
            return Next(fighter, records=records)
        changed = replace(arm, jammed=True) if jams else rule.out(arm)
        return Next(fighter.with_arm(changed), records=records)


class FiredOnce(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """Single Shot: one use, and then as if an ammo check had failed."""

    reach = ()

    rule: AmmoRule

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        arm = fighter.arm(self.rule.weapon)
        after = fighter if arm is None else fighter.with_arm(self.rule.out(arm))
        return Next(after, records={"out_of_ammo": 1})


class Failures(msgspec.Struct, frozen=True):
    """How many failures a check is; of two dice the worse counts, or each of them."""

    least: int
    most: int

    def read(self, total: tuple[int, ...]) -> int:
        return min(self.most, sum([face < self.least for face in total]))

    @property
    def need(self) -> str:
        return f"{self.least}+"

    def words(self, read: int) -> str:
        return "failed" if read else "passed"


class Unstable(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Unstable: with an Ammo symbol, a low D6 takes the shooter out of action.

    The attack is resolved all the same.
    """

    most: int
    frame: Frame

    @property
    def reach(self) -> tuple[str, ...]:
        return self.frame.reach

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("unstable", D6, AtMost(self.most))

    def then(self, fighter: Fighter, out: bool) -> Next[Fighter]:
        if not out:
            return Next(fighter)
        return injured(fighter, self.frame, 0, 0, 1)


class ReloadCheck(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Reload: an ammo check makes the weapon usable again; Plentiful needs none."""

    reach = ()

    weapon: str
    mode: str
    least: int
    again: bool

    def ask(self, fighter: Fighter) -> Roll[bool] | None:
        return None if self.least == NO_CHECK else Roll("reload", D6, AtLeast(self.least))

    def then(self, fighter: Fighter, loaded: bool | None) -> Next[Fighter]:
        if loaded is False and self.again:
            return Next(fighter, replace(self, again=False))
        if loaded is False:
            return Next(fighter)
        arm = fighter.arm(self.weapon)
        if arm is None:
            # forgotten already, if this is the last action
            return Next(fighter, records={"reloaded": 1})
        dry = tuple(each for each in arm.dry if each != self.mode)
        ready = replace(arm, out=False, jammed=False, dry=dry)
        return Next(fighter.with_arm(ready), records={"reloaded": 1})
