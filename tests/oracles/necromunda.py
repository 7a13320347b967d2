"""Odds of Necromunda, counted face by face in plain loops. Slow on purpose, shares no code.

To hit, Firepower and ammo dice, the chain from a hit to its injuries, bursts over several, stray
shots and blasts without positions, fire, recovery. Inches throughout.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb
from typing import NamedTuple, TypeAlias, TypeVar

T = TypeVar("T", bound=Hashable)
S = TypeVar("S", bound=Hashable)
Odds: TypeAlias = dict[T, Fraction]

D6 = (1, 2, 3, 4, 5, 6)
SIXTH = Fraction(1, 6)
FIREPOWER = ((1, 1), (1, 0), (1, 0), (2, 0), (2, 0), (3, 0))  # holes, Ammo symbols
INJURY = ("flesh", "flesh", "serious", "serious", "serious", "out")
SCATTER = ("arrow", "arrow", "arrow", "arrow", "hit", "hit")
BASE_RADIUS = Fraction("12.5") / Fraction("25.4")

# every ruling with its readings, the default first
READINGS: dict[str, tuple[str, ...]] = {
    "natural_1": ("misses", "as_it_is"),
    "toxin": ("roll", "contest"),
    "melta": ("at_0_wounds", "at_short_range"),
    "rad_phage": ("on_4", "always"),
    "flak_template": ("improved", "plain"),
    "firepower_on_miss": ("all", "one", "none"),
    "ammo_face": ("hit", "no_hit"),
    "ammo_checks": ("all", "until_failed"),
    "combi_jam": ("one_check", "two_failures"),
    "no_ammo_value": ("nothing", "fails"),
    "unstable_symbols": ("once", "each"),
    "harder_to_hit": ("all", "cover"),
    "hits_in_sequence": ("falling", "fixed"),
    "natural_die": ("every_hit", "first_hit"),
    "further_serious_injury": ("flesh_wound", "nothing"),
    "blaze": ("roll_first", "hit_first"),
    "blaze_rolls": ("per_target", "per_hit"),
    "blaze_needs": ("hit", "wound"),
}

# save, that from the front, that against Blast, that against Template
ARMOUR: dict[str, tuple[int, int, int, int]] = {
    "flak": (6, 6, 5, 5),
    "mesh": (5, 5, 5, 5),
    "light-carapace": (4, 4, 4, 4),
    "heavy-carapace": (4, 3, 4, 4),
    "furnace-plates": (6, 5, 6, 6),
    "plate-mail": (6, 5, 5, 6),
    "hazard-suit": (6, 6, 6, 6),
    "layered-flak": (5, 5, 4, 4),
    "armourweave": (5, 5, 5, 5),
}
FIELDS = {"refractor": 5, "conversion": 5, "displacer": 4}


# ------------------------------------------------------------------ odds


def certainly(outcome: T) -> Odds[T]:
    """What is never otherwise."""
    return {outcome: Fraction(1)}


def mixed(parts: Iterable[tuple[T, Fraction]]) -> Odds[T]:
    """The odds that these shares add up to."""
    found: Odds[T] = {}
    for outcome, p in parts:
        if p:
            found[outcome] = found.get(outcome, Fraction(0)) + p
    return found


def then(odds: Odds[T], follow: Callable[[T], Odds[S]]) -> Odds[S]:
    """What follows from each outcome."""
    return mixed((after, p * q) for one, p in odds.items() for after, q in follow(one).items())


def seen(odds: Odds[T], look: Callable[[T], S]) -> Odds[S]:
    """What is looked at in each outcome."""
    return mixed((look(outcome), p) for outcome, p in odds.items())


def chance(odds: Odds[T], condition: Callable[[T], bool]) -> Fraction:
    """How likely the outcome meets a condition."""
    return sum((p for outcome, p in odds.items() if condition(outcome)), Fraction(0))


def mean(odds: Odds[int]) -> Fraction:
    """The expected number."""
    return sum((outcome * p for outcome, p in odds.items()), Fraction(0))


# ------------------------------------------------------------------ who and what


@dataclass(frozen=True, kw_only=True)
class Gun:
    """A ranged profile; `strength` and `damage` None: -, `rapid_fire` 0: no such weapon."""

    strength: int | None = 3
    ap: int = 0
    damage: int | None = 1
    ammo: int | None = None
    short: int = 12
    long: int = 24
    accuracy: tuple[int, int] = (0, 0)
    rapid_fire: int = 0
    traits: frozenset[str] = frozenset()

    def has(self, trait: str) -> bool:
        """Whether the profile has a trait, without its figure."""
        return trait in self.traits


@dataclass(frozen=True, kw_only=True)
class Man:
    """Somebody who may be hit, as things stand before."""

    toughness: int = 3
    wounds: int = 1
    strength: int = 3
    armour: str = ""
    save: int | None = None
    field: str = ""
    front: bool = True
    respirator: bool = False
    skills: frozenset[str] = frozenset()
    cool: int = 7
    distance: int = 6
    cover: str = ""
    engaged: bool = False
    pinned: bool = False
    on_fire: bool = False
    gunked: bool = False
    blocked_behind: bool = False


class Body(NamedTuple):
    """What hits have made of somebody; the last three count."""

    lost: int = 0
    flesh: int = 0
    down: bool = False
    webbed: bool = False
    out: bool = False
    burnt_out: bool = False
    struck: int = 0
    wounds: int = 0
    unsaved: int = 0


class End(NamedTuple):
    """Somebody when the attack is over; of who is out of action nothing else is said."""

    wounds: int
    unsaved: int
    lost: int
    flesh: int
    down: bool
    out: bool
    pinned: bool
    on_fire: bool


@dataclass(frozen=True)
class Rules:
    """The readings in force."""

    readings: tuple[tuple[str, str], ...] = ()

    def __getitem__(self, ruling: str) -> str:
        return dict(self.readings).get(ruling, READINGS[ruling][0])


def rules(readings: Mapping[str, str] | None = None) -> Rules:
    """Readings other than the default; wrong names are refused."""
    for name, reading in (readings or {}).items():
        if reading not in READINGS[name]:
            raise ValueError(f"no reading {reading!r} of {name!r}")
    return Rules(tuple(sorted((readings or {}).items())))


@dataclass(frozen=True, kw_only=True)
class Shooting:
    """One Shoot action at the first of `men`; the others stand near and may share its hits.

    `split`: so many of the hits to each of them.
    """

    gun: Gun
    ballistic_skill: int = 4
    dice: int = 1
    aim: int = 0
    modifiers: int = 0
    skills: frozenset[str] = frozenset()
    men: tuple[Man, ...] = (Man(),)
    bodies: tuple[Body, ...] = ()
    split: Callable[[int], tuple[int, ...]] = lambda hits: (hits,)
    rules: Rules = field(default_factory=Rules)

    def body(self, i: int) -> Body:
        """What has become of somebody so far."""
        return self.bodies[i] if self.bodies else Body()


# ------------------------------------------------------------------ to hit


class Aimed(NamedTuple):
    """Whether the roll to hit succeeds, and the die that counts for a natural 6."""

    hit: bool
    natural: int


def to_hit(ballistic_skill: int, modifier: int, natural_1: str = "misses") -> Odds[Aimed]:
    """A D6 and modifiers against the skill; what no face reaches is an Improbable Shot."""

    def plain(die: int, plus: int) -> Aimed:
        fails = die == 1 and natural_1 == "misses"
        return Aimed(not fails and die + plus >= ballistic_skill, die)

    if 6 + modifier >= ballistic_skill:
        return mixed((plain(die, modifier), SIXTH) for die in D6)
    outcomes: list[tuple[Aimed, Fraction]] = []
    for first in D6:
        if first < 6:
            outcomes.append((Aimed(hit=False, natural=first), SIXTH))
        else:
            outcomes += [(plain(second, 0), SIXTH * SIXTH) for second in D6]
    return mixed(outcomes)


def hit_chance(ballistic_skill: int, modifier: int, natural_1: str = "misses") -> Fraction:
    """How likely a shot hits."""
    return chance(to_hit(ballistic_skill, modifier, natural_1), lambda aimed: aimed.hit)


def at_short(gun: Gun, man: Man) -> bool:
    """Whether somebody is in the Short range of a weapon."""
    return man.distance <= gun.short


def out_of_range(gun: Gun, man: Man) -> bool:
    """Whether somebody is beyond the Long range of a weapon."""
    return man.distance > gun.long


COVER = {"": 0, "partial": -1, "full": -2}


def cover_modifier(man: Man, skills: frozenset[str] = frozenset()) -> int:
    """To hit somebody in cover."""
    if "Trick Shot" in skills:
        return {"": 0, "partial": 0, "full": -1}[man.cover]
    return COVER[man.cover]


def modifier_about(
    gun: Gun, man: Man, body: Body, skills: frozenset[str] = frozenset(), reading: str = "all"
) -> int:
    """Everything about somebody that changes the roll to hit; it ranks who is harder to hit."""
    total = cover_modifier(man, skills)
    if reading == "cover":
        return total
    short = at_short(gun, man)
    total += gun.accuracy[0] if short else gun.accuracy[1]
    prone = man.pinned or body.down or body.webbed
    if man.engaged and "Trick Shot" not in skills:
        total -= 1
    if prone and not short:
        total -= 1
    active = not man.engaged and not prone
    if "Evade" in man.skills and not man.cover and active:
        total -= 1 if short else 2
    return total


def shot_modifier(shooting: Shooting) -> int:
    """Everything that changes the roll to hit."""
    man, body = shooting.men[0], shooting.body(0)
    about = modifier_about(shooting.gun, man, body, shooting.skills)
    return about + shooting.aim + shooting.modifiers


def may_share(shooting: Shooting, i: int) -> bool:
    """Whether one near the target is no harder to hit and within range."""

    def about(j: int) -> int:
        man, body = shooting.men[j], shooting.body(j)
        reading = shooting.rules["harder_to_hit"]
        return modifier_about(shooting.gun, man, body, shooting.skills, reading)

    return about(i) >= about(0) and not out_of_range(shooting.gun, shooting.men[i])


# ------------------------------------------------------------------ Firepower dice and ammo


class Burst(NamedTuple):
    """What some Firepower dice show."""

    holes: int
    symbols: int


class Ammo(NamedTuple):
    """What the checks come to."""

    failed: int
    jammed: bool


def firepower(dice: int, ammo_face: str = "hit") -> Odds[Burst]:
    """Every face of so many Firepower dice."""
    share = SIXTH**dice
    outcomes = []
    for faces in product(FIREPOWER, repeat=dice):
        scoring = [holes for holes, symbol in faces if ammo_face == "hit" or not symbol]
        outcomes.append((Burst(sum(scoring), sum(symbol for _, symbol in faces)), share))
    return mixed(outcomes)


def ammo(symbols: int, gun: Gun, of: Rules, *, rerolls: bool = False) -> Odds[Ammo]:
    """One check for each symbol, in order; `rerolls`: a failed one is rolled again."""
    if gun.ammo is None:
        failed = symbols if of["no_ammo_value"] == "fails" else 0
        return certainly(Ammo(failed, jammed=failed >= 2 and gun.rapid_fire > 0))

    def failures(*dice: int) -> int:
        count = sum(die < (gun.ammo or 0) for die in dice)
        return count if of["combi_jam"] == "two_failures" else min(count, 1)

    def check() -> Odds[int]:
        repeat = 2 if gun.has("Combi") else 1
        return mixed((failures(*dice), SIXTH**repeat) for dice in product(D6, repeat=repeat))

    def one_more(failed: int) -> Odds[int]:
        if failed and of["ammo_checks"] == "until_failed":
            return certainly(failed)
        found = check()
        if rerolls:
            found = then(found, lambda one: check() if one else certainly(0))
        return seen(found, lambda one: failed + one)

    total = certainly(0)
    for _ in range(symbols):
        total = then(total, one_more)
    return seen(total, lambda failed: Ammo(failed, jammed=failed >= 2 and gun.rapid_fire > 0))


class Volley(NamedTuple):
    """One attack before anybody is wounded."""

    hit: bool
    natural: int
    hits: int
    holes: int
    symbols: int
    failed: int
    jammed: bool


def volley(shooting: Shooting) -> Odds[Volley]:
    """The roll to hit with the Firepower dice and their checks, all together."""
    gun, of = shooting.gun, shooting.rules
    template = gun.has("Template")
    if template:
        aimed_odds = certainly(Aimed(hit=True, natural=0))
    elif out_of_range(gun, shooting.men[0]):
        aimed_odds = certainly(Aimed(hit=False, natural=0))
    else:
        modifier = shot_modifier(shooting)
        aimed_odds = to_hit(shooting.ballistic_skill, modifier, of["natural_1"])
    most = shooting.dice if gun.rapid_fire else 1
    if not 1 <= most <= max(gun.rapid_fire, 1):
        raise ValueError(f"this weapon does not roll {most} Firepower dice")
    rerolls = "Munitioneer" in shooting.skills
    on_miss = {"all": most, "one": 1, "none": 0}[of["firepower_on_miss"]]
    counted = {
        hit: [
            (burst, checks, p * q)
            for burst, p in firepower(dice, of["ammo_face"]).items()
            for checks, q in ammo(burst.symbols, gun, of, rerolls=rerolls).items()
        ]
        for hit, dice in ((True, most), (False, on_miss))
    }
    outcomes = []
    for aimed, p in aimed_odds.items():
        for burst, checks, q in counted[aimed.hit]:
            hits = (burst.holes if gun.rapid_fire else 1) if aimed.hit else 0
            outcomes.append((Volley(*aimed, hits, *burst, *checks), p * q))
    return mixed(outcomes)


def unstable(symbols: int, reading: str = "once") -> Fraction:
    """How likely the symbols take the shooter of an Unstable weapon out of action."""
    rolls = min(symbols, 1) if reading == "once" else symbols
    return 1 - Fraction(1, 2) ** rolls


def shooter_lost(shooting: Shooting) -> Fraction:
    """How likely the shooter is taken out of action by the own weapon."""
    reading = shooting.rules["unstable_symbols"]
    found = volley(shooting).items()
    return sum((p * unstable(one.symbols, reading) for one, p in found), Fraction(0))


# ------------------------------------------------------------------ from the hit to its injuries


def wound_needs(strength: int, toughness: int) -> int:
    """The least face that wounds."""
    if strength >= 2 * toughness:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if 2 * strength <= toughness else 5


def save_chance(save: int | None, ap: int, bonus: int = 0) -> Fraction:
    """Armour and its bonuses against armour penetration; None: no armour."""
    if save is None:
        if bonus <= 0:
            return Fraction(0)
        save = 7
    return Fraction(sum(die > 1 and die + ap + bonus >= save for die in D6), 6)


def armour_save(man: Man, gun: Gun, of: Rules) -> int | None:
    """The save that somebody's armour gives against a weapon."""
    if man.save is not None:
        return man.save
    if not man.armour:
        return None
    plain, front, blast, template = ARMOUR[man.armour]
    saves = [plain]
    if man.front:
        saves.append(front)
    if gun.has("Blast"):
        saves.append(blast)
    if gun.has("Template") and of["flak_template"] == "improved":
        saves.append(template)
    return min(saves)


def injury_needs(face: int, toughness: int) -> bool:
    """Whether a D6 of Gas or Toxin succeeds."""
    return face >= toughness or face == 6


def injured(body: Body, faces: Iterable[str], toughness: int, further: str) -> Body:
    """Injury dice, applied all of them, to somebody of this Toughness before flesh wounds."""
    rolled = list(faces)
    if "out" in rolled:
        return body._replace(out=True)
    flesh, down = body.flesh, body.down
    for face in rolled:
        if face == "flesh" or (down and further == "flesh_wound"):
            flesh += 1
        elif face == "serious":
            down = True
    return body._replace(flesh=flesh, down=down, out=flesh >= toughness)


def injury_dice(body: Body, dice: int, toughness: int, further: str = "flesh_wound") -> Odds[Body]:
    """So many Injury dice, all at once."""
    share = SIXTH**dice
    rolls = product(INJURY, repeat=dice)
    return mixed((injured(body, faces, toughness, further), share) for faces in rolls)


def gritty(body: Body, dice: int, toughness: int, further: str) -> Odds[Body]:
    """True Grit: one Injury die fewer; of two in place of one the milder counts.

    A flesh wound is the milder one for somebody who stands and has Toughness to lose.
    """
    if dice > 1:
        return injury_dice(body, dice - 1, toughness, further)
    if body.down or body.flesh + 1 >= toughness:
        raise ValueError("which die is the milder is not said here")
    outcomes = []
    for rolled in product(INJURY, repeat=2):
        face = min(rolled, key=("flesh", "serious", "out").index)
        outcomes.append((injured(body, [face], toughness, further), SIXTH * SIXTH))
    return mixed(outcomes)


def dice_for(damage: int, left: int) -> int:
    """How many Injury dice Damage is against so many Wounds that are left."""
    return sum(1 for point in range(1, damage + 1) if point >= max(left, 1))


class Hit(NamedTuple):
    """One hit on somebody: how the die fell, whether at Short range, what Toughness counts."""

    gun: Gun
    natural: int
    short: bool
    fixed: int | None
    skills: frozenset[str]
    first: bool


@lru_cache(maxsize=200_000)
def one_hit(body: Body, man: Man, hit: Hit, of: Rules) -> tuple[tuple[Body, Fraction], ...]:
    """What one hit makes of somebody."""
    if body.out:
        return ((body, Fraction(1)),)
    struck = certainly(body._replace(struck=body.struck + 1))

    def wounds(rolls: int) -> Odds[Body]:
        after = struck
        for _ in range(rolls):
            after = then(after, lambda one: wound_roll(one, man, hit, of))
        return after

    if hit.gun.has("Scattershot"):
        return tuple(mixed((b, p / 6) for n in D6 for b, p in wounds(n).items()).items())
    return tuple(wounds(1).items())


def wound_roll(body: Body, man: Man, hit: Hit, of: Rules) -> Odds[Body]:
    """The roll to wound, or what stands in its place, with all that follows."""
    if body.out:
        return certainly(body)
    gun = hit.gun
    left = man.toughness - body.flesh
    toughness = left if hit.fixed is None else hit.fixed
    further = of["further_serious_injury"]
    sixth = hit.natural == 6
    rolls_for_injury = gun.has("Gas") or (gun.has("Toxin") and of["toxin"] == "roll")
    if gun.has("Gas") and man.respirator:
        toughness += 3 if man.armour == "hazard-suit" else 2
    outcomes: list[tuple[Body, Fraction]] = []
    for face in D6:
        if rolls_for_injury:
            success = injury_needs(face, toughness)
        elif sixth and gun.has("Shock"):
            success = True
        else:
            success = face >= wound_needs(gun.strength or 0, toughness)
        if not success:
            outcomes.append((body, SIXTH))
            continue
        natural = 0 if sixth and gun.has("Shock") else face
        wounded = body._replace(wounds=body.wounds + 1)
        after: Odds[Body]
        if gun.has("Web"):
            after = certainly(wounded._replace(webbed=True))
        elif gun.has("Gas"):
            unsaved = wounded._replace(unsaved=wounded.unsaved + 1)
            after = injury_dice(unsaved, 1, man.toughness, further)
        else:
            after = then(saved(wounded, man, hit, natural, of), Hurting(man, hit, natural, of))
        if "Dodge" in man.skills:
            after = mixed([*((b, p * 5 * SIXTH) for b, p in after.items()), (wounded, SIXTH)])
        outcomes += [(one, p * SIXTH) for one, p in after.items()]
    return mixed(outcomes)


class Saved(NamedTuple):
    """Somebody after the save, and whether the wound comes through."""

    body: Body
    through: bool


def saved(body: Body, man: Man, hit: Hit, wound: int, of: Rules) -> Odds[Saved]:
    """The save, by armour, or by a field if that is better.

    A hit that a displacer field stops has been no hit.
    """
    gun = hit.gun
    ap = gun.ap * 2 if gun.has("Shred") and wound == 6 else gun.ap
    bonus = 0
    if gun.has("Blast") or gun.has("Template"):
        bonus = -COVER[man.cover]
    armour = save_chance(armour_save(man, gun, of), ap, bonus)
    if man.armour == "armourweave":
        armour = max(armour, SIXTH)
    if hit.natural == 6 and "Precision Shot" in hit.skills and not gun.has("Blast"):
        armour = Fraction(0)
    shielded = bool(man.field) and not body.burnt_out
    by_field = Fraction(7 - FIELDS[man.field], 6) if shielded else Fraction(0)
    if gun.has("Shield Breaker"):
        by_field *= by_field
    if gun.has("Phase") or (gun.has("Seismic") and wound == 6):
        armour = by_field = Fraction(0)
    through = Saved(body._replace(unsaved=body.unsaved + 1), through=True)
    stopped = Saved(body, through=False)
    if armour >= by_field:
        return mixed([(stopped, armour), (through, 1 - armour)])
    if man.field == "displacer":
        stopped = Saved(body._replace(struck=body.struck - 1), through=False)
    burns = SIXTH if man.field == "refractor" else Fraction(0)
    return mixed(
        [
            (stopped, by_field * (1 - burns)),
            (Saved(body._replace(burnt_out=True), through=False), by_field * burns),
            (through, 1 - by_field),
        ]
    )


@dataclass(frozen=True)
class Hurting:
    """The Damage of a wound that may have been saved, and its Injury dice."""

    man: Man
    hit: Hit
    wound: int
    of: Rules

    def __call__(self, after: Saved) -> Odds[Body]:
        body, man, gun = after.body, self.man, self.hit.gun
        if not after.through:
            return certainly(body)
        further = self.of["further_serious_injury"]
        if gun.has("Toxin") and self.of["toxin"] == "roll":
            return injury_dice(body, 1, man.toughness, further)
        points = self.points()
        dice = dice_for(points, man.wounds - body.lost)
        body = body._replace(lost=min(man.wounds, body.lost + points))
        if not dice:
            return certainly(body)
        if gun.has("Sever") or (gun.has("Melta") and self.melts()):
            return certainly(body._replace(out=True))
        if gun.has("Toxin"):
            return contest(body, man.toughness, further)
        if "True Grit" in man.skills:
            return gritty(body, dice, man.toughness, further)
        return injury_dice(body, dice, man.toughness, further)

    def points(self) -> int:
        """Damage, with what adds to it."""
        gun, natural, man = self.hit.gun, self.hit.natural, self.man
        points = gun.damage or 0
        if natural == 6 and "Marksman" in self.hit.skills and self.hit.first:
            points *= 1 if gun.has("Blast") else 2
        if gun.has("Rending") and self.wound == 6:
            points += 1
        if gun.has("Knockback") and man.blocked_behind and natural >= man.strength:
            points += 1
        return points

    def melts(self) -> bool:
        """Whether Melta turns Injury dice into Out of Action."""
        if self.hit.gun.short == 0:
            return self.of["melta"] == "at_0_wounds"
        return self.hit.short


def contest(body: Body, toughness: int, further: str) -> Odds[Body]:
    """Toxin in 2017 in place of the Injury roll: 2D6 against a D6 and the Toughness."""
    outcomes = []
    for one, two, three in product(D6, repeat=3):
        theirs = three + toughness - body.flesh
        if one + two > theirs:
            after = body._replace(out=True)
        elif one + two == theirs:
            after = injured(body, ["serious"], toughness, further)
        else:
            after = body
        outcomes.append((after, SIXTH**3))
    return mixed(outcomes)


# ------------------------------------------------------------------ the whole attack


def struck(shooting: Shooting, i: int, natural: int, hits: int) -> Odds[Body]:
    """What so many hits of one attack make of somebody, before what follows the attack."""
    of, man = shooting.rules, shooting.men[i]
    found = certainly(shooting.body(i))
    for number in range(hits):
        counts = natural if number == 0 or of["natural_die"] == "every_hit" else 0
        fixed = None
        if of["hits_in_sequence"] == "fixed":
            fixed = man.toughness - shooting.body(i).flesh
        hit = Hit(
            gun=shooting.gun,
            natural=counts,
            short=at_short(shooting.gun, man),
            fixed=fixed,
            skills=shooting.skills,
            first=number == 0,
        )
        found = then(found, lambda body, hit=hit: dict(one_hit(body, man, hit, of)))  # type: ignore[misc]
    return found


def aftermath(body: Body, shooting: Shooting, i: int) -> Odds[End]:
    """Pinning, Rad-phage and fire, when the hits of an attack are resolved."""
    man, gun, of = shooting.men[i], shooting.gun, shooting.rules
    before = shooting.body(i)
    was_prone = man.pinned or before.down or before.webbed
    pinned = not man.pinned and body.struck > 0 and not gun.has("Gas")
    pinned = pinned and not was_prone and not man.engaged
    steady = Fraction(0)
    if pinned and "Nerves of Steel" in man.skills and not gun.has("Seismic"):
        steady = Fraction(sum(a + b >= man.cool for a in D6 for b in D6), 36)
    found: Odds[Body] = certainly(body)
    proof = man.armour == "hazard-suit"
    if gun.has("Rad-phage") and body.struck and not body.out and not proof:
        worse = injured(body, ["flesh"], man.toughness, of["further_serious_injury"])
        takes = Fraction(1) if of["rad_phage"] == "always" else Fraction(1, 2)
        found = mixed([(worse, takes), (body, 1 - takes)])
    outcomes: list[tuple[End, Fraction]] = []
    for after, p in found.items():
        catches = Fraction(0)
        reason = after.unsaved if of["blaze_needs"] == "wound" else after.struck
        if gun.has("Blaze") and reason and not after.out and not proof:
            fails = Fraction(1, 6) if man.gunked else Fraction(1, 2)
            catches = 1 - fails ** (reason if of["blaze_rolls"] == "per_hit" else 1)
        if man.on_fire:
            catches = Fraction(1)
        for burning, q in ((True, catches), (False, 1 - catches)):
            for lies, r in ((pinned, 1 - steady), (False, steady)):
                down = after.down or after.webbed
                wounds, unsaved = after.wounds, after.unsaved
                lost, flesh = after.lost - before.lost, after.flesh - before.flesh
                end = End(wounds, unsaved, lost, flesh, down, after.out, lies, burning)
                outcomes.append((end, p * q * r))
    return mixed(outcomes)


def ends(shooting: Shooting, i: int) -> Odds[End]:
    """Somebody when one attack is over."""
    naturals = seen(volley(shooting), lambda one: (one.natural, one.hits))
    outcomes = []
    for (natural, hits), p in naturals.items():
        share = shooting.split(hits)[i] if hits and not shooting.gun.has("Template") else hits
        bodies = struck(shooting, i, natural, share)
        found = then(bodies, lambda body: aftermath(body, shooting, i))
        outcomes += [(end, p * q) for end, q in found.items()]
    return mixed(outcomes)


def fate(end: End) -> str:
    """What has become of somebody, in one word."""
    if end.out:
        return "out_of_action"
    return "seriously_injured" if end.down else "standing_or_pinned"


# ------------------------------------------------------------------ further hits


def allocations(hits: int, others: int) -> Iterator[tuple[int, ...]]:
    """Every split of a burst: the first hit is the target's, the rest anybody's."""
    for rest in product(range(hits), repeat=others):
        if sum(rest) <= hits - 1:
            yield (hits - sum(rest), *rest)


def strays(hits: int, bystanders: int) -> Odds[tuple[int, ...]]:
    """Hits of a missed attack, each going down the line: 1-3 hits the next one there."""
    found = certainly((0,) * bystanders)

    def one_more(taken: tuple[int, ...]) -> Odds[tuple[int, ...]]:
        outcomes, left = [], Fraction(1)
        for i in range(bystanders):
            left /= 2
            outcomes.append(((*taken[:i], taken[i] + 1, *taken[i + 1 :]), left))
        return mixed([*outcomes, (taken, left)])

    for _ in range(hits):
        found = then(found, one_more)
    return found


# ------------------------------------------------------------------ blasts


def scattered(diameter: int) -> Odds[str]:
    """Where a marker that misses comes to lie: still over its target, off it, or a misfire."""
    reach = Fraction(diameter, 2) + BASE_RADIUS
    outcomes = []
    for face, inches in product(SCATTER, D6):
        if face == "hit" and inches == 1:
            outcomes += [("shooter" if die == 1 else "dud", SIXTH**3) for die in D6]
        else:
            outcomes.append(("covered" if inches < reach else "off", SIXTH * SIXTH))
    return mixed(outcomes)


def under_marker(ballistic_skill: int, modifier: int, diameter: int) -> Fraction:
    """How likely a Blast lies over the fighter it was aimed at."""
    hits = hit_chance(ballistic_skill, modifier)
    return hits + (1 - hits) * scattered(diameter)["covered"]


# ------------------------------------------------------------------ fire


FLAMES = Gun(strength=3, ap=-1, damage=1, short=100, long=100)


class Burner(NamedTuple):
    """Somebody on fire, or no more."""

    body: Body = Body()
    burning: bool = True
    pinned: bool = False


BURNING = Burner()


def puts_out(friends: int, *, double: bool = False, prone: bool = False) -> Fraction:
    """How likely the flames go out, with what adds to the roll."""
    plus = friends + (4 if double else 0) + (2 if prone else 0)
    return Fraction(sum(die + plus >= 6 for die in D6), 6)


def burnt(burner: Burner, man: Man, of: Rules) -> Odds[Burner]:
    """The hit of the flames."""
    hit = Hit(FLAMES, natural=0, short=True, fixed=None, skills=frozenset(), first=True)
    bodies = dict(one_hit(burner.body, man, hit, of))
    return seen(bodies, lambda body: burner._replace(body=body))


def activation(
    burner: Burner,
    man: Man,
    of: Rules,
    *,
    friends: int = 0,
    double: bool = False,
    drops: bool = False,
) -> Odds[Burner]:
    """One activation of somebody who burns, in the procedure that is read.

    `double`: the Double action, where it is there; `drops`: goes prone where that may be.
    """
    if burner.body.out or not burner.burning:
        return certainly(burner)
    down = burner.body.down
    if of["blaze"] == "roll_first":
        doubled = double and not down and not man.engaged
        if doubled:
            burner = burner._replace(pinned=True)
        gone = puts_out(friends, double=doubled)
        found = burnt(burner, man, of)
        left = [(one, p * (1 - gone)) for one, p in found.items()]
        return mixed([(burner._replace(burning=False), gone), *left])

    def tries(one: Burner) -> Odds[Burner]:
        if one.body.out:
            return certainly(one)
        standing = not one.body.down
        one = one._replace(pinned=drops and standing and not man.engaged)
        gone = puts_out(friends, prone=one.pinned or one.body.down)
        return mixed([(one._replace(burning=False), gone), (one, 1 - gone)])

    return then(burnt(burner, man, of), tries)


def activations(
    man: Man,
    of: Rules,
    count: int,
    *,
    start: Burner = BURNING,
    friends: int = 0,
    double: bool = False,
    drops: bool = False,
) -> Odds[Burner]:
    """So many activations of somebody on fire, the same choice in each."""

    def once(burner: Burner) -> Odds[Burner]:
        return activation(burner, man, of, friends=friends, double=double, drops=drops)

    found = certainly(start)
    for _ in range(count):
        found = then(found, once)
    return found


def burning_rounds(
    man: Man,
    of: Rules,
    count: int,
    *,
    start: Burner = BURNING,
    friends: int = 0,
    double: bool = False,
    drops: bool = False,
    helped: bool = False,
) -> Odds[Burner]:
    """So many rounds of somebody on fire: an activation, then the Recovery roll of the End phase.

    Who recovers lies there Pinned; who does not burn does nothing.
    """
    further = of["further_serious_injury"]

    def once(burner: Burner) -> Odds[Burner]:
        return activation(burner, man, of, friends=friends, double=double, drops=drops)

    def recovers(burner: Burner) -> Odds[Burner]:
        found = recovered(burner.body, man.toughness, further, helped=helped)
        lay = burner.body.down

        def after(body: Body) -> Burner:
            up = lay and not body.down and not body.out
            return burner._replace(body=body, pinned=burner.pinned or up)

        return seen(found, after)

    found = certainly(start)
    for _ in range(count):
        found = then(then(found, once), recovers)
    return found


def out_before_hurt(friends: int, *, double: bool = False, hurts: Fraction) -> Fraction:
    """How likely the flames go out before anything hurts: p / (1 - (1 - p)(1 - w))."""
    gone = puts_out(friends, double=double)
    return gone / (1 - (1 - gone) * (1 - hurts))


# ------------------------------------------------------------------ recovery, reload


def recovered(body: Body, toughness: int, further: str, *, helped: bool = False) -> Odds[Body]:
    """One Recovery roll of somebody who is down; with help the better of two and no flesh wound."""
    if body.out or not (body.down or body.webbed):
        return certainly(body)
    outcomes = []
    for rolled in product(INJURY, repeat=2 if helped else 1):
        face = min(rolled, key=("flesh", "serious", "out").index)
        if face == "out":
            after = body._replace(out=True)
        elif face == "flesh":
            after = body._replace(down=False, webbed=False)
            if not helped:
                after = injured(after, ["flesh"], toughness, further)
        elif helped or body.webbed or further == "nothing":
            after = body
        else:
            after = injured(body, ["flesh"], toughness, further)
        outcomes.append((after, SIXTH ** len(rolled)))
    return mixed(outcomes)


def recoveries(
    body: Body, toughness: int, rounds: int, *, further: str = "flesh_wound", helped: bool = False
) -> Odds[Body]:
    """The Recovery rolls of so many End phases."""
    found = certainly(body)
    for _ in range(rounds):
        found = then(found, lambda one: recovered(one, toughness, further, helped=helped))
    return found


def reload_chance(gun: Gun, tries: int) -> Fraction:
    """How likely Reload brings a weapon back that is Out of Ammo."""
    if gun.has("Scarce") or gun.ammo is None:
        return Fraction(0)
    if gun.has("Plentiful"):
        return Fraction(1)
    fails = Fraction(gun.ammo - 1, 6)
    return 1 - fails**tries


def split_count(hits: int, others: int) -> int:
    """How many splits there are, in closed form."""
    return comb(hits - 1 + others, others)
