"""Odds of one rate-of-fire attack, counted face by face. Slow on purpose, shares no code."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial
from typing import Literal, NamedTuple

Mode = Literal["single", "semi", "full", "suppress"]
Metres = int | float | Fraction

# every ruling with its readings, the default first
READINGS: dict[str, tuple[str, ...]] = {
    "fatigue_collapse": ("toughness_bonus", "any"),
    "degrees": ("A", "B", "B0", "C"),
    "natural_extremes": ("on", "off"),
    "semi_cap": ("none", "rounds", "rounds_plus_one"),
    "storm_cap": ("before", "after"),
    "storm_scope": ("full_auto_rate", "full_auto_attack", "every_mode"),
    "suppress_cap": ("none", "rounds_spent"),
    "reliable_jam": ("reliable", "general"),
    "jam_scope": ("weapon", "full_auto_only"),
    "jam_without_full_auto_reliable": ("96", "100"),
    "jam": ("no_hits", "hits_stand"),
    "doubles_zero": ("yes", "no"),
    "errant_cap": ("shots_fired", "rounds_spent", "weapon_maximum"),
    "errant_spread": ("per_hit", "one_victim"),
    "same_target_bonus": ("each", "extra_only", "stacking", "stacking_extra", "combined"),
    "suppress_same_target_bonus": ("no", "yes"),
    "pin_repeat": ("once_per_attack", "per_hit"),
    "suppress_hit_repins": ("no", "yes"),
    "semi_pins": ("no", "yes"),
    "pinning_band": ("own", "original"),
    "point_blank": ("fixed_3", "tenth_of_range"),
}

MODE_MODIFIER = {"single": 10, "semi": 0, "full": -10, "suppress": -30}
INTO_MELEE = -20
SEMI_HITS = {0: 0, 1: 1, 2: 2, 3: 2, 4: 3, 5: 3, 6: 4, 7: 4}  # from 8 degrees: 5
SUPPRESS_HITS = {0: 0, 1: 1, 2: 2, 3: 2}  # from 4 degrees: 3
BANDS = ("point_blank", "short", "effective", "medium", "long", "extreme")
PINNING = {
    "point_blank": -30,
    "short": -10,
    "effective": 0,
    "medium": 10,
    "long": 20,
    "extreme": 40,
}
FATIGUE = {0: 0, 1: 0, 2: 0, 3: 1, 4: 2, 5: 3, 6: 0}
LETHAL = 6


@dataclass(frozen=True, kw_only=True)
class Gun:
    """A weapon; `fa_dice` 0: no full auto, `semi` 0: no bursts."""

    semi: int
    fa_dice: int
    fa_faces: int
    damage_dice: int
    damage_faces: int
    damage_plus: int
    adds_rcb: bool
    penetration: int
    reliable: bool
    storm: int
    range_m: int
    tier: int = 4
    single: bool = True


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody who may be hit or pinned."""

    willpower: int
    toughness: int
    distance: Metres
    armour: int = 0
    cover: int = 0
    daemon: bool = False


@dataclass(frozen=True, kw_only=True)
class Attack:
    """One attack; `people` are named by their index."""

    gun: Gun
    skill: int
    mode: Mode
    people: tuple[Person, ...]
    dice: int = 0
    modifiers: int = 0
    aim: int = 0
    original: int = 0
    melee: tuple[int, ...] = ()
    cone: tuple[int, ...] = ()
    allocation: Callable[[int], tuple[int, ...]] | None = None
    rulings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what the rules or the interface do not allow."""
        for key, value in self.rulings.items():
            if value not in READINGS[key]:
                raise ValueError(f"no reading {value!r} of {key!r}")
        possible = {
            "single": self.gun.single,
            "semi": self.gun.semi > 0,
            "full": 1 <= self.dice <= self.gun.fa_dice,
            "suppress": self.gun.fa_dice > 0,
        }
        if not possible[self.mode]:
            raise ValueError(f"this weapon cannot fire so: {self.mode}, {self.dice} dice")
        if self.melee and self.original not in self.melee:
            raise ValueError("the original target is one of the melee")
        if len(set(self.melee)) < len(self.melee):
            raise ValueError("somebody stands in the melee twice")
        if self.mode == "suppress" and self.cone and self.original not in self.cone:
            raise ValueError("the original target is one of the cone")

    def reading(self, key: str) -> str:
        """Reading in force."""
        return self.rulings.get(key, READINGS[key][0])


class Shot(NamedTuple):
    """What one to-hit roll came to."""

    tn: int
    success: bool
    degrees: int
    hits: int
    errant: int
    shots: int
    rounds: int
    jam: bool


# ------------------------------------------------------------------ the to-hit roll


def target_number(attack: Attack) -> int:
    """Skill and every modifier; never clamped."""
    tn = attack.skill + MODE_MODIFIER[attack.mode] + attack.modifiers
    if attack.mode == "single":
        tn += attack.aim
    if attack.melee:
        tn += INTO_MELEE
    return tn


def passes(tn: int, roll: int, naturals: str) -> bool:
    """A d100 test."""
    if naturals == "on" and roll == 1:
        return True
    if naturals == "on" and roll == 100:
        return False
    return roll <= tn


def degrees_of(tn: int, roll: int, success: bool, how: str) -> int:
    """Degrees of success or of failure, mirrored."""
    if success != (roll <= tn):  # a natural 01 or 00 decided against the number
        return 0 if success and how == "B0" else 1  # as a bare success counts
    margin = tn - roll if success else roll - tn
    if how == "A":
        return 1 + margin // 10
    if how == "B":
        return max(1, margin // 10)
    if how == "B0":
        return margin // 10
    tens = tn // 10 - roll // 10
    return 1 + tens if success else 1 - tens


def jams_from(attack: Attack) -> int:
    """Lowest natural roll that jams."""
    gun = attack.gun
    full_auto = attack.mode in ("full", "suppress")
    if gun.fa_dice > 0 and (full_auto or attack.reading("jam_scope") == "weapon"):
        if gun.reliable and attack.reading("reliable_jam") == "reliable":
            return 96
        return 91
    if gun.reliable:
        return int(attack.reading("jam_without_full_auto_reliable"))
    return 96


def storm_factor(attack: Attack) -> int:
    """By what the hits are multiplied."""
    covered: dict[str, tuple[str, ...]] = {
        "full_auto_rate": ("full", "suppress"),
        "full_auto_attack": ("full",),
        "every_mode": ("single", "semi", "full", "suppress"),
    }
    if attack.mode in covered[attack.reading("storm_scope")]:
        return max(1, attack.gun.storm)
    return 1


def rounds_of(attack: Attack) -> int:
    """Ammunition that leaves the magazine."""
    gun = attack.gun
    if attack.mode == "single":
        return 1
    if attack.mode == "semi":
        return gun.semi
    if attack.mode == "full":
        return attack.dice * gun.fa_faces
    return gun.fa_dice * gun.fa_faces


def storm_and_cap(attack: Attack, generated: int, cap: int) -> int:
    """Multiply and cap, in the order of the ruling."""
    if attack.reading("storm_cap") == "before":
        return storm_factor(attack) * min(generated, cap)
    return min(storm_factor(attack) * generated, cap)


def straight_hits(attack: Attack, dos: int, shots: int) -> int:
    """Hits of a success."""
    if attack.mode == "single":
        return storm_and_cap(attack, 1, 1)
    if attack.mode == "full":
        return storm_and_cap(attack, dos, shots)
    if attack.mode == "semi":
        generated = SEMI_HITS.get(dos, 5)
        how = attack.reading("semi_cap")
        if how == "none":
            return storm_factor(attack) * generated
        return storm_and_cap(attack, generated, attack.gun.semi + (how == "rounds_plus_one"))
    found = storm_factor(attack) * SUPPRESS_HITS.get(dos, 3)
    if attack.reading("suppress_cap") == "rounds_spent":
        found = min(found, rounds_of(attack))
    return found


def is_double(attack: Attack, roll: int) -> bool:
    """Two equal digits; 100 is shown as 00."""
    if roll == 100:
        return attack.reading("doubles_zero") == "yes"
    return roll // 10 == roll % 10


def stray_hits(attack: Attack, dof: int, shots: int) -> int:
    """Hits of a failed double into a melee."""
    how = attack.reading("errant_cap")
    cap = shots
    if how == "rounds_spent":
        cap = rounds_of(attack)
    if how == "weapon_maximum" and attack.gun.fa_dice > 0:
        cap = attack.gun.fa_dice * attack.gun.fa_faces
    return storm_and_cap(attack, dof, cap)


def resolve(attack: Attack, shots: int, roll: int) -> Shot:
    """Read one d100."""
    tn = target_number(attack)
    rounds = rounds_of(attack)
    if attack.mode == "suppress" and not attack.cone:  # nobody there: no roll
        return Shot(
            tn, success=False, degrees=0, hits=0, errant=0, shots=shots, rounds=rounds, jam=False
        )
    success = passes(tn, roll, attack.reading("natural_extremes"))
    degrees = degrees_of(tn, roll, success, attack.reading("degrees"))
    jam = roll >= jams_from(attack)
    straight = 0
    errant = 0
    if success:
        straight = straight_hits(attack, degrees, shots)
    elif attack.melee and is_double(attack, roll):
        errant = stray_hits(attack, degrees, shots)
    if jam and attack.reading("jam") == "no_hits":
        straight = 0
        errant = 0
    return Shot(tn, success, degrees, straight, errant, shots, rounds, jam)


def shots_of(attack: Attack) -> dict[int, Fraction]:
    """Shots fired; only full auto rolls for them."""
    if attack.mode != "full":
        return {rounds_of(attack): Fraction(1)}
    sums = {0: Fraction(1)}
    for _ in range(attack.dice):
        longer: dict[int, Fraction] = {}
        for so_far, chance in sums.items():
            for face in range(1, attack.gun.fa_faces + 1):
                old = longer.get(so_far + face, Fraction(0))
                longer[so_far + face] = old + chance / attack.gun.fa_faces
        sums = longer
    return sums


def every_shot(attack: Attack) -> Iterator[tuple[Shot, Fraction]]:
    """All shot counts and all hundred rolls."""
    for shots, chance in shots_of(attack).items():
        for roll in range(1, 101):
            yield resolve(attack, shots, roll), chance / 100


def one(attack: Attack, rof_dice: tuple[int, ...], roll: int) -> dict[str, int | bool]:
    """Result of given dice."""
    shots = rounds_of(attack)
    if attack.mode == "full":
        if len(rof_dice) != attack.dice:
            raise ValueError("one face for every die")
        shots = sum(rof_dice)
    return dict(resolve(attack, shots, roll)._asdict())


def hits(attack: Attack) -> dict[int, Fraction]:
    """Hits of a successful test."""
    found: dict[int, Fraction] = {}
    for shot, chance in every_shot(attack):
        found[shot.hits] = found.get(shot.hits, Fraction(0)) + chance
    return found


def errant_hits(attack: Attack) -> dict[int, Fraction]:
    """Hits of a failed double into a melee."""
    found: dict[int, Fraction] = {}
    for shot, chance in every_shot(attack):
        found[shot.errant] = found.get(shot.errant, Fraction(0)) + chance
    return found


def jam(attack: Attack) -> dict[bool, Fraction]:
    """Whether the weapon jams."""
    found: dict[bool, Fraction] = {}
    for shot, chance in every_shot(attack):
        found[shot.jam] = found.get(shot.jam, Fraction(0)) + chance
    return found


def degraded(attack: Attack) -> dict[bool, Fraction]:
    """Whether the weapon jams and then rolls below its tier on a d10."""
    found: dict[bool, Fraction] = {}
    for jammed, chance in jam(attack).items():
        for die in range(1, 11):
            worse = jammed and die < attack.gun.tier
            found[worse] = found.get(worse, Fraction(0)) + chance / 10
    return found


def rounds_spent(attack: Attack) -> dict[int, Fraction]:
    """Ammunition used, jam or not."""
    return {rounds_of(attack): Fraction(1)}


# ------------------------------------------------------------------ who is hit


def allocated(attack: Attack, count: int) -> tuple[int, ...]:
    """Hits per person of a success."""
    alone = tuple(count if i == attack.original else 0 for i in range(len(attack.people)))
    if count == 0 or attack.melee or attack.allocation is None:
        return alone
    chosen = attack.allocation(count)
    if len(chosen) != len(attack.people) or sum(chosen) != count or min(chosen) < 0:
        raise ValueError("every hit goes to one person")
    if chosen[attack.original] < 1:
        raise ValueError("the first hit goes to the original target")
    return chosen


def splits(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Every way to write the total as ordered parts."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in splits(total - first, parts - 1):
            yield (first, *rest)


def strays(attack: Attack, count: int) -> dict[tuple[int, ...], Fraction]:
    """Hits per person when hits fall at random on the melee."""
    sides = len(attack.melee)
    found: dict[tuple[int, ...], Fraction] = {}
    for split in splits(count, sides):
        if attack.reading("errant_spread") == "one_victim":
            chance = Fraction(1, sides) if max(split) == count else Fraction(0)
        else:
            orders = factorial(count)
            for part in split:
                orders //= factorial(part)
            chance = Fraction(orders, sides**count)
        per_person = [0] * len(attack.people)
        for who, part in zip(attack.melee, split, strict=True):
            per_person[who] = part
        if chance > 0:
            found[tuple(per_person)] = chance
    return found


def hits_per_person(attack: Attack) -> dict[tuple[int, ...], Fraction]:
    """Joint distribution of the hits that everybody takes."""
    numbers: dict[tuple[int, int], Fraction] = {}
    for shot, chance in every_shot(attack):
        key = (shot.hits, shot.errant)
        numbers[key] = numbers.get(key, Fraction(0)) + chance
    found: dict[tuple[int, ...], Fraction] = {}
    for (straight, errant), chance in numbers.items():
        ways = strays(attack, errant) if errant else {allocated(attack, straight): Fraction(1)}
        for per_person, share in ways.items():
            found[per_person] = found.get(per_person, Fraction(0)) + chance * share
    return found


def hits_on(attack: Attack, person: int) -> dict[int, Fraction]:
    """Straight and errant hits on one person."""
    found: dict[int, Fraction] = {}
    for per_person, chance in hits_per_person(attack).items():
        count = per_person[person]
        found[count] = found.get(count, Fraction(0)) + chance
    return found


# ------------------------------------------------------------------ damage


def bonuses(attack: Attack, count: int) -> list[int]:
    """Extra damage of each damage roll that a person hit so often takes."""
    earns = attack.mode in ("semi", "full")
    if attack.mode == "suppress":
        earns = attack.reading("suppress_same_target_bonus") == "yes"
    if count < 2 or not earns:
        return [0] * count
    how = attack.reading("same_target_bonus")
    if how == "each":
        return [1] * count
    if how == "extra_only":
        return [0] + [1] * (count - 1)
    if how == "stacking":
        return [count] * count
    if how == "stacking_extra":
        return [count - 1] * count
    return [count]


def raw_damage(attack: Attack, dice_sum: int, bonus: int) -> int:
    """Before armour."""
    raw = dice_sum + attack.gun.damage_plus + bonus
    if attack.gun.adds_rcb:
        raw += attack.skill // 10
    return raw


def raw_rolls(attack: Attack, count: int, sums: tuple[int, ...]) -> tuple[int, ...]:
    """Raw damage of each roll for `count` hits, from the sums on the dice."""
    extra = bonuses(attack, count)
    return tuple(raw_damage(attack, got, plus) for got, plus in zip(sums, extra, strict=True))


def through_armour(attack: Attack, person: int, raw: int) -> int:
    """Damage that is left."""
    victim = attack.people[person]
    left = raw - max(0, victim.armour + victim.cover - attack.gun.penetration)
    if victim.daemon:
        left -= victim.toughness // 10
    return max(0, left)


def injury(victim: Person, damage: int) -> int:
    """Category of one hit's damage."""
    worst = 0
    for category in range(1, LETHAL + 1):
        if damage > category * (victim.toughness // 10):
            worst = category
    return worst


def roll_ways(attack: Attack, person: int, bonus: int) -> dict[int, int]:
    """In how many ways the dice of one damage roll give each damage."""
    sums = {0: 1}
    for _ in range(attack.gun.damage_dice):
        longer: dict[int, int] = {}
        for so_far, ways in sums.items():
            for face in range(1, attack.gun.damage_faces + 1):
                longer[so_far + face] = longer.get(so_far + face, 0) + ways
        sums = longer
    found: dict[int, int] = {}
    for dice_sum, ways in sums.items():
        damage = through_armour(attack, person, raw_damage(attack, dice_sum, bonus))
        found[damage] = found.get(damage, 0) + ways
    return found


def after_hits(
    attack: Attack,
    person: int,
    count: int,
    mark: Callable[[int], int],
    join: Callable[[int, int], int],
) -> dict[int, Fraction]:
    """Mark the damage of each roll and join the marks, the number of hits being known."""
    joined = {0: 1}
    for bonus in bonuses(attack, count):
        longer: dict[int, int] = {}
        for so_far, ways in joined.items():
            for damage, more in roll_ways(attack, person, bonus).items():
                value = join(so_far, mark(damage))
                longer[value] = longer.get(value, 0) + ways * more
        joined = longer
    every = sum(joined.values())
    return {value: Fraction(ways, every) for value, ways in joined.items()}


def over_hits(
    attack: Attack,
    person: int,
    mark: Callable[[int], int],
    join: Callable[[int, int], int],
) -> dict[int, Fraction]:
    """The same over every number of hits."""
    found: dict[int, Fraction] = {}
    for count, chance in hits_on(attack, person).items():
        for value, share in after_hits(attack, person, count, mark, join).items():
            found[value] = found.get(value, Fraction(0)) + chance * share
    return found


def add(left: int, right: int) -> int:
    """Sum."""
    return left + right


def larger(left: int, right: int) -> int:
    """Maximum."""
    return max(left, right)


def damage_on(attack: Attack, person: int) -> dict[int, Fraction]:
    """Damage after armour, summed over the hits."""
    return over_hits(attack, person, lambda damage: damage, add)


def worst_injury_on(attack: Attack, person: int) -> dict[int, Fraction]:
    """Worst category over the hits; 0 without any."""
    victim = attack.people[person]
    return over_hits(attack, person, lambda damage: injury(victim, damage), larger)


def fatigue_on(attack: Attack, person: int) -> dict[int, Fraction]:
    """Fatigue summed over the hits."""
    victim = attack.people[person]
    return over_hits(attack, person, lambda damage: FATIGUE[injury(victim, damage)], add)


def out_chance(attack: Attack, person: int, count: int) -> Fraction:
    """Chance that so many hits put somebody out of action: by one that kills, or by fatigue."""
    victim = attack.people[person]
    collapses = attack.reading("fatigue_collapse") == "toughness_bonus"
    enough = victim.toughness // 10 + 1 if collapses else 10**6

    def mark(damage: int) -> int:
        worst = injury(victim, damage)
        return enough if worst == LETHAL else FATIGUE[worst]

    tired = after_hits(attack, person, count, mark, add)
    return sum((share for much, share in tired.items() if much >= enough), Fraction(0))


def out_of_action_on(attack: Attack, person: int) -> dict[bool, Fraction]:
    """Whether somebody is put out of action."""
    out = sum(
        (
            chance * out_chance(attack, person, count)
            for count, chance in hits_on(attack, person).items()
        ),
        Fraction(0),
    )
    return {False: 1 - out, True: out}


def out_of_action(attack: Attack) -> dict[int, Fraction]:
    """How many people are put out of action."""
    known: dict[tuple[int, int], Fraction] = {}
    found: dict[int, Fraction] = {}
    for per_person, chance in hits_per_person(attack).items():
        dead = {0: chance}
        for person, count in enumerate(per_person):
            if (person, count) not in known:
                known[person, count] = out_chance(attack, person, count)
            dies = known[person, count]
            longer: dict[int, Fraction] = {}
            for number, share in dead.items():
                longer[number] = longer.get(number, Fraction(0)) + share * (1 - dies)
                longer[number + 1] = longer.get(number + 1, Fraction(0)) + share * dies
            dead = longer
        for number, share in dead.items():
            found[number] = found.get(number, Fraction(0)) + share
    return {number: share for number, share in found.items() if share > 0}


# ------------------------------------------------------------------ pinning


def band(range_m: int, distance: Metres, point_blank: str = "fixed_3") -> str:
    """First band that reaches so far."""
    nearest = 3 if point_blank == "fixed_3" else range_m // 10
    limits = (nearest, *(step * range_m for step in range(1, 6)))
    for name, limit in zip(BANDS, limits, strict=True):
        if distance <= limit:
            return name
    raise ValueError("out of range")


def pinning_number(attack: Attack, person: int) -> int:
    """Number that a person's pinning test must not exceed."""
    where = attack.people[person]
    if attack.reading("pinning_band") == "original":
        where = attack.people[attack.original]
    name = band(attack.gun.range_m, where.distance, attack.reading("point_blank"))
    return attack.people[person].willpower + PINNING[name]


def pinning_tests(attack: Attack, person: int, count: int) -> int:
    """How many tests a person takes after so many hits."""
    for_hits = count if attack.reading("pin_repeat") == "per_hit" else min(count, 1)
    if attack.mode == "single":
        return 0
    if attack.mode == "semi":
        counts = attack.gun.fa_dice > 0 and attack.reading("semi_pins") == "yes"
        return for_hits if counts else 0
    if attack.mode == "full":
        return for_hits
    if attack.reading("suppress_hit_repins") == "no":
        for_hits = 0
    return for_hits + (person in attack.cone)


def pinned(attack: Attack, person: int) -> dict[bool, Fraction]:
    """Whether a person fails any pinning test."""
    found: dict[bool, Fraction] = {}
    for count, chance in hits_on(attack, person).items():
        holds = Fraction(1)
        for _ in range(pinning_tests(attack, person, count)):
            tn = pinning_number(attack, person)
            naturals = attack.reading("natural_extremes")
            holds *= Fraction(sum(passes(tn, roll, naturals) for roll in range(1, 101)), 100)
        found[False] = found.get(False, Fraction(0)) + chance * holds
        found[True] = found.get(True, Fraction(0)) + chance * (1 - holds)
    return {answer: share for answer, share in found.items() if share > 0}
