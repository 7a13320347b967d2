"""Hits on one fighter: whom they meet, what they do, what stops them, damage."""

from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec.structs import replace

from firepower.chance.notation import dice
from firepower.chance.readings import AtLeast, AtMost
from firepower.chance.steps import Choice, Modifier, Next, Option, Roll, Step, Task
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.injury import (
    D6,
    Frame,
    InjuryRoll,
    TrueGritRoll,
    Witness,
)
from firepower.systems.necromunda.traits import Trait

R = TypeVar("R")


class Protection(msgspec.Struct, frozen=True, cache_hash=True):
    """What may stop a hit of one attack: armour with what improves it, a field.

    `armour`, `field`: the least that saves (None: there is none). `never_worse`: whatever the AP.
    `reflects`: the AP counts as 0. `burns_out`: a D6 of so much after the field has stopped a hit.
    `cancels`: what the field stops was no hit at all; `first`: it is rolled before a hit wounds.
    """

    armour: int | None = None
    parts: tuple[Modifier, ...] = ()
    never_worse: int | None = None
    reflects: bool = False
    field: int | None = None
    burns_out: int = 0
    cancels: bool = False
    first: bool = False

    def armour_need(self, ap: int) -> int:
        """The least that saves against so much AP; more than 6 is never."""
        if self.armour is None:
            return 7 - max(0, ap)
        bonus = sum(part.value for part in self.parts) + (0 if self.reflects else ap)
        need = max(2, self.armour - bonus)
        return need if self.never_worse is None else min(need, self.never_worse)


class Body(msgspec.Struct, frozen=True, cache_hash=True):
    """Whom a hit of one attack meets.

    `needs`: to wound, by the Toughness that is left, from 1. `against_gas` is added to Toughness.
    `dodges`: a D6 of so much dodges a wound (None: no skill). `slammed`: Knockback finds no room.
    `nerve`, `fear`: the nerve test in place of injuries.
    """

    frame: Frame
    wounds: int
    strength: int
    initiative: int
    initiative_worst: int
    concussion: int
    gunked: int
    needs: tuple[int, ...]
    protection: Protection
    lying: Protection | None = None
    against_gas: int = 0
    dodges: int | None = None
    slammed: bool = False
    nerve: Witness | None = None
    fear: Modifier | None = None

    @property
    def name(self) -> str:
        return self.frame.name

    @property
    def reach(self) -> tuple[str, ...]:
        """Whom a hit may shake: those who see this fighter fall, and by Fear it itself."""
        own = () if self.nerve is None else (self.nerve.name,)
        return (*own, *self.frame.reach)

    def toughness(self, fighter: Fighter) -> int:
        """Toughness less flesh wounds."""
        return max(1, self.frame.toughness - fighter.flesh)

    def initiative_of(self, fighter: Fighter) -> int:
        """What an Initiative test needs now."""
        need = self.initiative - (self.gunked if fighter.gunked else 0)
        return max(need, min(self.initiative_worst, need + self.concussion * fighter.concussed))


class Harm(msgspec.Struct, frozen=True, cache_hash=True):
    """What one hit does.

    `begins`: the step that decides whether it wounds; `injures`: the step in place of Injury dice
    (None: they are rolled). `sure`: it wounds without a roll. `bare`: no armour saves, `naked`: no
    field does. `finishes`: at 0 Wounds each Injury die is Out of Action. `fixed`: hits of one
    attack are all rolled against the Toughness that the first met. `tells`: whether it wounded is
    asked when the attack is over. `onward`: the task of what an Impale hits next.
    """

    attacker: str
    weapon: str
    strength: int
    ap: int
    damage: int | None
    traits: frozenset[Trait]
    begins: Any
    injures: Any = None
    sure: bool = False
    bare: bool = False
    naked: bool = False
    finishes: bool = False
    fixed: bool = False
    tells: bool = False
    onward: Task | None = None
    reach: tuple[str, ...] = ()


class OfAHit(Step[Fighter, R], frozen=True, gc=False, cache_hash=True):
    """A step of one hit on somebody; `meets` a Toughness, which may be that of the first hit."""

    meets: ClassVar[bool] = False

    body: Body
    harm: Harm

    @property
    def reach(self) -> tuple[str, ...]:
        return (*self.body.reach, *self.harm.reach)

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    @property
    def hit(self) -> tuple[Body, Harm]:
        """Whom the hit meets, and what it does."""
        return self.body, self.harm


def begin(fighter: Fighter, body: Body, harm: Harm) -> Step[Fighter, Any]:
    """The step that a hit begins with: a field that may cancel it, or whether it wounds."""
    if body.protection.first and not harm.naked:
        return Displace(body, harm)
    return begins(fighter, body, harm)


def begins(fighter: Fighter, body: Body, harm: Harm) -> Step[Fighter, Any]:
    """The step that decides whether a hit wounds."""
    if harm.fixed and harm.begins.meets:
        rolled: Step[Fighter, Any] = harm.begins(body, harm, body.toughness(fighter))
        return rolled
    step: Step[Fighter, Any] = harm.begins(body, harm)
    return step


def wounded(fighter: Fighter, body: Body, harm: Harm) -> Next[Fighter]:
    """A wound, that a save may yet stop. Web: nothing stops it, and it holds."""
    if harm.tells:
        fighter = replace(fighter, hurt=True)
    records = {"wounds": 1}
    if Trait.WEB in harm.traits:
        caught = replace(fighter, webbed=True, pinned=False, engaged=())
        return Next(caught, records=records | {"webbed": 1})
    return Next(fighter, dodge_or_save(fighter, body, harm), records=records)


# -- does anything stop it? ------------------------------------------------------------------------


def dodge_or_save(fighter: Fighter, body: Body, harm: Harm) -> Step[Fighter, Any]:
    """What comes first when a hit has wounded: a dodge, for who has learnt it, or the save."""
    return save_of(fighter, body, harm) if body.dodges is None else DodgeRoll(body, harm)


class DodgeRoll(OfAHit[bool], frozen=True, gc=False, cache_hash=True):
    """Dodge: a 6 cancels the wound."""

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("dodge", D6, AtLeast(self.body.dodges or 7))

    def then(self, fighter: Fighter, dodged: bool) -> Next[Fighter]:
        if dodged:
            return Next(fighter)
        return Next(fighter, save_of(fighter, *self.hit))


def save_of(fighter: Fighter, body: Body, harm: Harm) -> Step[Fighter, Any]:
    """The one save that there is for a hit: armour or field, the owner's choice, or none."""
    armour = not harm.bare and body.protection.armour_need(harm.ap) <= 6
    field = body.protection.field is not None and not harm.naked and not fighter.burnt_out
    field = field and not body.protection.first
    if armour and field:
        return ChooseSave(body, harm)
    if armour:
        return ArmourSave(body, harm)
    return FieldSave(body, harm) if field else Unsaved(body, harm)


class ChooseSave(OfAHit[Any], frozen=True, gc=False, cache_hash=True):
    """There is one save for each hit: by the armour or by the field."""

    def ask(self, fighter: Fighter) -> Choice[Any]:
        protection = self.body.protection
        options = (
            Option("armour", ArmourSave(*self.hit)),
            Option("field", FieldSave(*self.hit)),
        )
        better = protection.armour_need(self.harm.ap) <= (protection.field or 7)
        policy = options[0 if better else 1].key
        return Choice("armour or field?", self.body.name, options, policy)

    def then(self, fighter: Fighter, taken: Step[Fighter, Any]) -> Next[Fighter]:
        return Next(fighter, taken)


class Displace(OfAHit[bool], frozen=True, gc=False, cache_hash=True):
    """A field that is rolled for each hit, in place of any armour save: by it or by the armour."""

    def ask(self, fighter: Fighter) -> Choice[bool] | None:
        need = self.body.protection.armour_need(self.harm.ap)
        if self.harm.bare or need > 6:
            return None
        options = (Option("field", value=True), Option("armour", value=False))
        better = options[0 if need >= (self.body.protection.field or 7) else 1].key
        return Choice("armour or field?", self.body.name, options, better)

    def then(self, fighter: Fighter, field: bool | None) -> Next[Fighter]:
        if field is False:
            return Next(fighter, begins(fighter, *self.hit))
        return Next(fighter, DisplacerRoll(*self.hit))


class DisplacerRoll(OfAHit[bool], frozen=True, gc=False, cache_hash=True):
    """A hit that the field stops was none; if it fails, there is no other save."""

    def ask(self, fighter: Fighter) -> Roll[bool]:
        need = self.body.protection.field or 7
        throw = dice("2d6kl1") if Trait.SHIELD_BREAKER in self.harm.traits else D6
        return Roll("field save", throw, AtLeast(need, natural_1_fails=True))

    def then(self, fighter: Fighter, saved: bool) -> Next[Fighter]:
        if saved:
            return Next(replace(fighter, cancelled=fighter.cancelled + 1))
        open_to = replace(self.harm, bare=True, naked=True)
        return Next(fighter, begins(fighter, self.body, open_to))


class ArmourSave(OfAHit[bool], frozen=True, gc=False, cache_hash=True):
    """Armour save: a D6, with AP and what improves it; a natural 1 fails."""

    def ask(self, fighter: Fighter) -> Roll[bool]:
        protection = self.body.protection
        parts = protection.parts
        if self.harm.ap:
            value = 0 if protection.reflects else self.harm.ap
            parts = (*parts, Modifier("AP", value, self.harm.weapon))
        need = protection.armour_need(self.harm.ap)
        reading = AtLeast(need, natural_1_fails=True)
        return Roll("armour save", D6, reading, parts, protection.armour)

    def then(self, fighter: Fighter, saved: bool) -> Next[Fighter]:
        return Next(fighter) if saved else unsaved(fighter, *self.hit)


class FieldSave(OfAHit[bool], frozen=True, gc=False, cache_hash=True):
    """Field armour: neither AP nor anything else changes it; Shield Breaker makes it worse."""

    def ask(self, fighter: Fighter) -> Roll[bool]:
        worse = Trait.SHIELD_BREAKER in self.harm.traits
        throw = dice("2d6kl1") if worse else D6
        need = self.body.protection.field or 7
        return Roll("field save", throw, AtLeast(need, natural_1_fails=True))

    def then(self, fighter: Fighter, saved: bool) -> Next[Fighter]:
        if not saved:
            return unsaved(fighter, *self.hit)
        protection = self.body.protection
        if protection.cancels:
            fighter = replace(fighter, cancelled=fighter.cancelled + 1)
        todo = (BurnsOut(protection.burns_out),) if protection.burns_out else ()
        return Next(fighter, *todo)


class BurnsOut(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """A field that has stopped a hit burns out on a low D6."""

    reach = ()

    most: int

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("does the field burn out?", D6, AtMost(self.most))

    def then(self, fighter: Fighter, burnt: bool) -> Next[Fighter]:
        return Next(replace(fighter, burnt_out=fighter.burnt_out or burnt))


class Unsaved(OfAHit[None], frozen=True, gc=False, cache_hash=True):
    """Nothing stops the hit."""

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        return unsaved(fighter, *self.hit)


def unsaved(fighter: Fighter, body: Body, harm: Harm) -> Next[Fighter]:
    """A wound that nothing has stopped does its damage, and may go on to others."""
    onward = () if harm.onward is None else (harm.onward,)
    after = suffer(fighter, body, harm)
    return Next(after.part, *after.todo, *onward, records=dict(after.records) | {"unsaved": 1})


# -- damage ----------------------------------------------------------------------------------------


def suffer(fighter: Fighter, body: Body, harm: Harm) -> Next[Fighter]:
    """The damage of a hit: each point takes a Wound.

    The point that takes the last, and each after it, rolls an Injury die; so does each point
    against a fighter at 0 Wounds already. A hit without Damage rolls one, whatever is left.
    """
    left = max(0, body.wounds - fighter.wounds_lost)
    lost = min(left, harm.damage or 0)
    count = 1 if harm.damage is None else max(0, harm.damage - max(0, left - 1))
    hurt = replace(fighter, wounds_lost=fighter.wounds_lost + lost)
    records = {"wounds_lost": lost} if lost else {}
    todo: list[Step[Fighter, Any] | Task] = []
    if count and harm.finishes and harm.damage is not None:
        gone = hurt.leave(count if body.frame.keeps_count else 1)
        return Next(gone, *body.frame.nerve_tests(), records=records | {"out_of_action": 1})
    if count:
        todo.append(injury_of(body, harm, count))
    if Trait.DEFLAGRATE in harm.traits:
        todo.append(begin(hurt, body, replace(harm, traits=harm.traits - {Trait.DEFLAGRATE})))
    return Next(hurt, *todo, records=records)


def injury_of(body: Body, harm: Harm, count: int) -> Step[Fighter, Any]:
    """The step that so many Injury dice of a hit are: fewer for True Grit, or another for a trait.

    True Grit: one die less; of a single one two are rolled, and one is dropped.
    """
    if harm.injures is not None:
        step: Step[Fighter, Any] = harm.injures(body, harm)
        return step
    frame = body.frame
    single = harm.damage == 1 if frame.grit == "damage_1" else count == 1
    if frame.grit and single:
        return TrueGritRoll(frame, harm.attacker)
    pulverises = Trait.PULVERISE in harm.traits
    return InjuryRoll(frame, count - bool(frame.grit), harm.attacker, pulverises)
