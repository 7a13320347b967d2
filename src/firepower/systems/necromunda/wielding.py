"""From a fighter's weapons to its attack in close combat: which may be used, and what blows are."""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Handful
from firepower.chance.steps import Modifier
from firepower.combat.paths import Path_
from firepower.systems.necromunda.ammo import NO_CHECK, ammo_rule
from firepower.systems.necromunda.blows import Blow, Bout, Guard, Gun, Hand, Kind, Parried, Press
from firepower.systems.necromunda.shot import NEVER, Parts
from firepower.systems.necromunda.skills import Skill
from firepower.systems.necromunda.tables import Melee, NecSetup, figures
from firepower.systems.necromunda.targets import (
    Approach,
    aftermath_of,
    body_of,
    frame_of,
    gap_between,
    harm_of,
)
from firepower.systems.necromunda.traits import Trait, Traits
from firepower.systems.necromunda.weapons import STANDARD, Weapon, has_skill, modes_of, weapon_of

MELEE = Approach(melee=True)
BESIDES = (Trait.DIGI, Trait.POWER_PACK, Trait.ADDITIONAL_ATTACKS)
"""Traits of weapons that strike besides those in the hands."""


class Manner(msgspec.Struct, frozen=True):
    """How somebody attacks: on a charge, from behind, as a reaction; what changes every roll."""

    charging: bool = False
    from_behind: bool = False
    reaction: bool = False
    parts: Parts = ()


# -- which weapons ---------------------------------------------------------------------------------


def is_melee_only(weapon: Weapon) -> bool:
    """Whether a weapon is made for close combat, and no Sidearm."""
    return weapon.is_melee and (Trait.MELEE in weapon.traits or Trait.SIDEARM not in weapon.traits)


def profile_of(setup: NecSetup, name: str, weapon: str, mode: str, path: Path_) -> Weapon:
    """The profile that somebody fights with: the one of that mode, else the first that can."""
    if weapon not in setup.combatants[name].weapons:
        return weapon_of(setup, name, weapon, "", path)
    modes = modes_of(setup, name, weapon)
    if mode in modes:
        return weapon_of(setup, name, weapon, mode, path)
    profiles = [weapon_of(setup, name, weapon, each, path) for each in modes]
    return next((each for each in profiles if each.is_melee), profiles[0])


def needs_both_hands(setup: NecSetup, name: str, weapon: Weapon) -> bool:
    """Whether a weapon leaves no hand for a second one. UW-03"""
    if Trait.UNWIELDY not in weapon.traits or not is_melee_only(weapon):
        return False
    return not (weapon.suspensors or has_skill(setup, name, Skill.BULGING_BICEPS))


def strikes_besides(weapon: Weapon) -> bool:
    """Whether a weapon strikes besides those that are fought with."""
    return any(trait in weapon.traits for trait in BESIDES)


def stated_weapons(
    setup: NecSetup, name: str, names: Sequence[str], mode: str, path: Path_
) -> tuple[Weapon, ...]:
    """The weapons that somebody is said to fight with. Raises Refusal for what cannot be."""
    most = setup.tables.melee.hands
    if len(names) > most:
        raise setup.wrong(path, f"names {len(names)} weapons; a fighter fights with {most}")
    found: list[Weapon] = []
    for i, each in enumerate(names):
        where = (*path, i)
        if each in names[:i]:
            raise setup.wrong(where, f"is {each!r} a second time")
        weapon = profile_of(setup, name, each, mode, path[:-1])
        if not weapon.is_melee:
            raise setup.wrong(where, f"is {each!r}, which has neither Melee nor Sidearm")
        if strikes_besides(weapon):
            raise setup.wrong(where, f"is {each!r}, which strikes besides the others, unnamed")
        found.append(weapon)
    for i, weapon in enumerate(found):
        if len(found) > 1 and needs_both_hands(setup, name, weapon):
            sentence = f"is {weapon.name!r}, which is Unwieldy: no second weapon goes with it"
            raise setup.wrong((*path, i), sentence)
    if mode and not any(weapon.mode == mode for weapon in found):
        raise setup.wrong((*path[:-1], "mode"), f"is {mode!r}, no profile of what is fought with")
    return tuple(found)


def usual_weapons(setup: NecSetup, name: str) -> tuple[Weapon, ...]:
    """What somebody fights with unless it is said: as its own keys say, else the best lawful pair.

    That is its Melee weapons in the order in which it carries them, then Sidearms.
    """
    path = ("combatants", name, "fights_with")
    stated = setup.combatants[name].fights_with
    if stated is not None:
        return stated_weapons(setup, name, stated, "", path)
    carried = [
        profile_of(setup, name, each, "", path[:-1]) for each in setup.combatants[name].weapons
    ]
    able = [each for each in carried if each.is_melee and not strikes_besides(each)]
    able.sort(key=lambda weapon: not is_melee_only(weapon))
    found: list[Weapon] = []
    for weapon in able:
        if found and needs_both_hands(setup, name, weapon):
            continue
        found.append(weapon)
        if len(found) == setup.tables.melee.hands or needs_both_hands(setup, name, weapon):
            break
    return tuple(found)


def lawful_sets(setup: NecSetup, name: str) -> list[tuple[str, ...]]:
    """Every pair and every single weapon that somebody may fight with; else bare hands."""
    path = ("combatants", name)
    able = [
        weapon
        for each in setup.combatants[name].weapons
        if (weapon := profile_of(setup, name, each, "", path)).is_melee
        and not strikes_besides(weapon)
    ]
    single = [(each.name,) for each in able]
    free = [each for each in able if not needs_both_hands(setup, name, each)]
    pairs = [(one.name, two.name) for i, one in enumerate(free) for two in free[i + 1 :]]
    return [*pairs, *single] or [()]


def bare_hands(setup: NecSetup, name: str) -> Weapon:
    """Unarmed: the fighter's Strength, no AP."""
    return Weapon(
        name="unarmed",
        pattern="unarmed",
        mode=STANDARD,
        short=None,
        long=None,
        accuracy_short=0,
        accuracy_long=0,
        strength=figures(setup, name).strength,
        ap=0,
        damage=setup.tables.melee.unarmed_damage,
        ammo=None,
        traits=Traits(),
        template=False,
        suspensors=False,
    )


# -- the attack ------------------------------------------------------------------------------------


class Wielding:
    """How one fighter attacks those that it may fight."""

    def __init__(self, setup: NecSetup, name: str, targets: Iterable[str], manner: Manner) -> None:
        self.setup = setup
        self.name = name
        self.targets = tuple(targets)
        self.manner = manner

    @property
    def _table(self) -> Melee:
        return self.setup.tables.melee

    def _has(self, skill: Skill) -> bool:
        return has_skill(self.setup, self.name, skill)

    def bout(
        self, weapons: tuple[Weapon, ...], crowd: tuple[str, ...], fray: tuple[str, ...]
    ) -> Bout:
        """The attack with these weapons."""
        setup, name, table = self.setup, self.name, self._table
        own, charging = figures(setup, name), self.manner.charging
        rulings = setup.rulings
        extra, pooled = self._extra()
        hands = tuple(self.hand(each) for each in weapons)
        dice = own.attacks + pooled
        if charging:
            dice += table.charge + table.berserker * self._has(Skill.BERSERKER)
        doubles = charging and any(hand.paired for hand in hands)
        return Bout(
            who=name,
            skill=own.weapon_skill,
            natural_1_misses=rulings.takes("natural_1", "misses"),
            attacks=dice,
            doubled=own.attacks * (table.paired_charge - 1) if doubles else 0,
            pair=table.two_weapons,
            hands=hands,
            extra=extra,
            unarmed=self.hand(bare_hands(setup, name)),
            guards=tuple(self._guard(target) for target in self.targets),
            parts=self.manner.parts,
            broken=Modifier("Broken", table.broken, name),
            entangled=Modifier("entangled", table.entangled, name),
            blind=table.blind,
            press=self._press(crowd),
            crushes=self._has(Skill.CRUSHING_BLOW),
            counters=table.counter_attack if self._has(Skill.COUNTER_ATTACK) else 0,
            counting=self._counting(crowd),
            keeps_disarmed=self._keeps_disarmed(crowd),
            crowd=crowd,
            fray=fray,
        )

    def _counting(self, crowd: tuple[str, ...]) -> tuple[str, ...]:
        """Who counts misses at others too, for Counter-Attack."""
        able = [each for each in crowd if has_skill(self.setup, each, Skill.COUNTER_ATTACK)]
        taken = able and self.setup.rulings.takes("counter_attack", "all_misses")
        return tuple(each for each in able if each != self.name) if taken else ()

    def _keeps_disarmed(self, crowd: tuple[str, ...]) -> bool:
        """Whether Disarm outlasts the combat, if anybody's weapon has it."""
        combatants = self.setup.combatants
        carried = [
            profile_of(self.setup, each, weapon, "", ("combatants", each))
            for each in crowd
            for weapon in combatants[each].weapons
        ]
        disarms = any(Trait.DISARM in weapon.traits for weapon in carried)
        return disarms and self.setup.rulings.takes("disarm", "round")

    def _extra(self) -> tuple[tuple[Hand, ...], int]:
        """What strikes besides the weapons in the hands, and how many dice it adds to theirs."""
        setup, name, table = self.setup, self.name, self._table
        hands, pooled = [], 0
        for each in setup.combatants[name].weapons:
            weapon = profile_of(setup, name, each, "", ("combatants", name))
            more = weapon.traits.number(Trait.ADDITIONAL_ATTACKS)
            if more:
                hands.append(replace(self.hand(weapon), dice=more, single=False))
            elif strikes_besides(weapon):
                if setup.rulings.takes("extra_attacks", "own"):
                    hands.append(replace(self.hand(weapon), dice=table.digi))
                else:
                    pooled += table.digi
        return tuple(hands), pooled

    def _press(self, crowd: tuple[str, ...]) -> Press:
        """Who may help, and who may be in the way."""
        setup, table = self.setup, self._table
        allies = setup.allies(self.name)
        enemies = tuple(each for each in crowd if each not in allies)
        beside = []
        for target in self.targets:
            theirs = setup.allies(target)
            beside.append((target, tuple(n for n in crowd if n in theirs and n != target)))
        return Press(
            friends=tuple(each for each in crowd if each in allies and each != self.name),
            enemies=enemies,
            beside=tuple(beside),
            assist=table.assist,
            interference=0 if self._has(Skill.COMBAT_MASTER) else table.interference,
        )

    def _guard(self, target: str) -> Guard:
        """What somebody does about the blows: its weapons with Parry, its skills."""
        setup = self.setup
        carried = [
            profile_of(setup, target, each, "", ("combatants", target))
            for each in setup.combatants[target].weapons
        ]
        parrying = [each.traits for each in carried if Trait.PARRY in each.traits]
        most = min(len(parrying), self._table.parries)
        steps = has_skill(setup, target, Skill.STEP_ASIDE)
        counters = has_skill(setup, target, Skill.COUNTER_ATTACK) and not self.manner.reaction
        return Guard(
            name=target,
            parries=most,
            power=min(most, sum(Trait.POWER in traits for traits in parrying)),
            aside=body_of(setup, target, bare_hands(setup, self.name), MELEE) if steps else None,
            counters=counters,
            willing=most > 0 and setup.policies.takes("parry", "worst"),
        )

    # -- one weapon --------------------------------------------------------------------------------

    def hand(self, weapon: Weapon) -> Hand:
        """A weapon with its blow at each who may be fought."""
        setup, name, traits = self.setup, self.name, weapon.traits
        sidearm = weapon.is_melee and not is_melee_only(weapon)
        mounted = setup.combatants[name].mounted
        crushing: tuple[Blow, ...] = ()
        if self._has(Skill.CRUSHING_BLOW) and not sidearm:
            crushing = tuple(self.blow(weapon, each, crushing=True) for each in self.targets)
        if weapon.ammo is not None and not sidearm:
            setup.leave_out(f"the ammo of {weapon.name} in close combat")
        return Hand(
            name=weapon.name,
            mode=weapon.mode,
            title=weapon.title,
            blows=tuple(self.blow(weapon, each) for each in self.targets),
            crushing=crushing,
            single=sidearm and setup.rulings.takes("sidearm_attacks", "one"),
            paired=Trait.PAIRED in traits and not mounted,
            reaches=self._reaches(weapon),
            gun=self._gun(weapon) if sidearm else None,
            rerolls=Trait.MASTER_CRAFTED in traits,
        )

    def _reaches(self, weapon: Weapon) -> tuple[str, ...]:
        """Versatile: whom it reaches within its Long range without being engaged."""
        if Trait.VERSATILE not in weapon.traits or weapon.long is None:
            return ()
        found = []
        for target in self.targets:
            gap = gap_between(self.setup, self.name, target)
            if gap is not None and self._table.engaged < gap <= weapon.long:
                found.append(target)
        return tuple(found)

    def _gun(self, weapon: Weapon) -> Gun | None:
        """The Firepower die of a Sidearm, if anything about it is to be read."""
        setup, dice = self.setup, self.setup.tables.dice
        rule = ammo_rule(setup, self.name, weapon)
        rapid = weapon.traits.number(Trait.RAPID_FIRE)
        holes = bool(rapid) and setup.rulings.takes("sidearm_rapid_fire", "holes")
        if rule.least == NO_CHECK and not rule.unstable and not holes:
            return None
        empty = holes and setup.rulings.takes("ammo_face", "no_hit")
        worth = []
        for face in dice.firepower.faces:
            ammo = str(face).endswith("!")
            shown = int(str(face).rstrip("!"))
            worth.append((0 if ammo and empty else shown, int(ammo)))
        firepower = Handful(dice.firepower, 1, tuple(worth))
        return Gun(firepower, rule, frame_of(setup, self.name), holes)

    def blow(self, weapon: Weapon, target: str, *, crushing: bool = False) -> Blow:
        """One die of a weapon at somebody, with what a natural 6 makes of it."""
        setup, traits, table = self.setup, weapon.traits, self._table
        strength, damage = self._force(weapon, target)
        if crushing:
            strength = None if strength is None else strength + table.crushing
            damage = None if damage is None else damage + table.crushing
        harm = replace(
            harm_of(setup, self.name, weapon, MELEE), strength=strength or 0, damage=damage
        )
        plain = Kind("hit", harm)
        parried = Parried.BY_POWER if Trait.POWER in traits else Parried.BY_ANY
        knocks, by_total = self._knocks(weapon, target)
        stated = setup.combatants[target].modifiers
        about = tuple(Modifier(cause, value, target) for cause, value in stated.items())
        engaged, reaching = self._accuracy(weapon)
        return Blow(
            weapon=f"crushing {weapon.title}" if crushing else weapon.title,
            body=body_of(setup, target, weapon, MELEE, strength=strength),
            after=aftermath_of(setup, target, weapon, MELEE),
            plain=plain,
            six=self._six(weapon, plain),
            engaged=(*engaged, *about),
            reaching=(*reaching, *about),
            parried=Parried.BY_NONE if Trait.ENTANGLE in traits else parried,
            knocks=knocks,
            by_total=by_total,
        )

    def _force(self, weapon: Weapon, target: str) -> tuple[int | None, int | None]:
        """Strength and Damage: Backstab, Lance, Bull Charge; against psykers Hexagrammatic."""
        setup, manner, table = self.setup, self.manner, self._table
        strength, damage = weapon.strength, weapon.damage
        more = 0
        if manner.from_behind and Trait.BACKSTAB in weapon.traits:
            more += table.backstab
        mounted = setup.combatants[self.name].mounted
        if manner.charging and mounted and Trait.LANCE in weapon.traits:
            more += table.lance
        if self._bulls(weapon):
            more += table.bull_charge
        if damage is not None and Trait.HEXAGRAMMATIC in weapon.traits:
            damage *= table.hexagrammatic if setup.combatants[target].psyker else 1
        return (None if strength is None else strength + more), damage

    def _bulls(self, weapon: Weapon) -> bool:
        """Bull Charge: weapons of close combat, not Sidearms, on a charge."""
        sidearm = weapon.is_melee and not is_melee_only(weapon)
        return self.manner.charging and not sidearm and self._has(Skill.BULL_CHARGE)

    def _knocks(self, weapon: Weapon, target: str) -> tuple[int, bool]:
        """Knockback where there is no room behind: the least roll, and whether it is a total.

        With room it moves an inch, and the attacker follows.
        """
        setup = self.setup
        knocks = Trait.KNOCKBACK in weapon.traits or self._bulls(weapon)
        if not (knocks and setup.combatants[target].blocked_behind):
            return NEVER, False
        by_total = setup.rulings.takes("knockback_roll", "modified")
        return figures(setup, target).strength, by_total

    def _six(self, weapon: Weapon, plain: Kind) -> Kind:
        """What a natural 6 makes of a hit: Shock, Power, Entangle, Disarm."""
        traits, harm, reaction = weapon.traits, plain.harm, self.manner.reaction
        if Trait.SHOCK in traits:
            harm = replace(harm, sure=True)
        if Trait.POWER in traits:
            more = None if harm.damage is None else harm.damage + self._table.power_damage
            naked = self.setup.rulings.takes("power", "no_save")
            harm = replace(harm, bare=True, naked=naked, damage=more)
        disarms = Trait.DISARM in traits
        if reaction and disarms:
            disarms = self.setup.rulings.takes("disarm", "round")
        entangles = Trait.ENTANGLE in traits and not reaction
        six = Kind("natural 6", harm, entangles, disarms)
        return plain if replace(six, name=plain.name) == plain else six

    def _accuracy(self, weapon: Weapon) -> tuple[Parts, Parts]:
        """The accuracy of a Melee weapon: the column of E while engaged, the other over a distance.

        That of a Sidearm does not count.
        """
        if not weapon.is_melee or not is_melee_only(weapon):
            return (), ()
        engaged, reaching = weapon.accuracy_short, weapon.accuracy_long
        if weapon.long is None:
            engaged, reaching = engaged + reaching, 0

        def parts(value: int) -> Parts:
            return (Modifier("accuracy", value, weapon.name),) if value else ()

        return parts(engaged), parts(reaching)
