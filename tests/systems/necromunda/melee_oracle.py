"""Close combat once more in plain loops, without anything of the package.

Fighters are tuples of what they lost: wounds, flesh wounds, down, out; every die is gone through
face by face.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias

Chances: TypeAlias = dict[Any, Fraction]

INJURY = ("flesh", "flesh", "serious", "serious", "serious", "out")
SIXTH = Fraction(1, 6)


class State(NamedTuple):
    """What a fighter has lost."""

    lost: int = 0
    flesh: int = 0
    down: bool = False
    out: bool = False


class Body(NamedTuple):
    """Whom blows meet: Toughness, Wounds, the save that is needed (7: none)."""

    toughness: int = 3
    wounds: int = 1
    save: int = 7


class Weapon(NamedTuple):
    """What a blow does; with a natural 6 it may wound surely, or spare no armour and hurt more."""

    strength: int = 3
    ap: int = 0
    damage: int = 1
    shock: bool = False
    power: bool = False


def gathered(pairs: Iterable[tuple[Any, Fraction]]) -> Chances:
    """Equal outcomes together."""
    found: Chances = {}
    for what, chance in pairs:
        found[what] = found.get(what, Fraction(0)) + chance
    return found


def needed(strength: int, toughness: int) -> int:
    """To wound."""
    if strength >= toughness * 2:
        return 2
    if strength > toughness:
        return 3
    if strength == toughness:
        return 4
    return 6 if strength * 2 <= toughness else 5


def injured(state: State, body: Body, faces: Iterable[str]) -> State:
    """All Injury dice of a hit together."""
    shown = list(faces)
    flesh, serious = shown.count("flesh"), shown.count("serious")
    if serious:
        flesh += serious - (0 if state.down else 1)
    after = State(state.lost, state.flesh + flesh, state.down or serious > 0)
    gone = "out" in shown or after.flesh >= body.toughness
    return State(out=True) if gone else after


@cache
def one_hit(state: State, body: Body, weapon: Weapon, face: int) -> Chances:
    """What a hit whose roll showed this face does to somebody."""
    if state.out:
        return {state: Fraction(1)}
    six = face == 6
    need = needed(weapon.strength, max(1, body.toughness - state.flesh))
    damage = weapon.damage + (1 if six and weapon.power else 0)
    found = []
    for wound, save in product(range(1, 7), repeat=2):
        chance = SIXTH**2
        wounds = wound >= need or (six and weapon.shock)
        least = max(2, body.save - weapon.ap)
        saved = save >= least and save != 1 and not (six and weapon.power)
        if not wounds or saved:
            found.append((state, chance))
            continue
        left = body.wounds - state.lost
        lost = min(left, damage)
        dice = max(0, damage - max(0, left - 1))
        hurt = State(state.lost + lost, *state[1:])
        found += [
            (injured(hurt, body, faces), chance * SIXTH**dice)
            for faces in product(INJURY, repeat=dice)
        ]
    return gathered(found)


@cache
def hits(state: State, body: Body, blows: tuple[tuple[Weapon, int], ...]) -> Chances:
    """Hits in sequence, each with its weapon and its face."""
    now: Chances = {state: Fraction(1)}
    for weapon, face in blows:
        now = gathered(
            (after, p * q)
            for before, p in now.items()
            for after, q in one_hit(before, body, weapon, face).items()
        )
    return now


def in_order(blows: Iterable[tuple[Weapon, int]]) -> tuple[tuple[Weapon, int], ...]:
    """Weapon by weapon as they come, of each the natural 6s last."""
    listed = list(blows)
    weapons = list(dict.fromkeys(weapon for weapon, _ in listed))
    return tuple(
        (weapon, 6 if six else 5)  # any other face does what a 5 does
        for weapon in weapons
        for six in (False, True)
        for other, face in listed
        if other == weapon and (face == 6) == six
    )


def attack(
    state: State, body: Body, dice: Iterable[tuple[Weapon, int]], *, only: int | None = None
) -> Chances:
    """An attack: dice, each with its weapon and what it needs to hit."""
    listed = list(dice)
    found = []
    for faces in product(range(1, 7), repeat=len(listed)):
        struck = [
            (weapon, face)
            for (weapon, need), face in zip(listed, faces, strict=True)
            if face != 1 and face >= need and (only is None or face == only)
        ]
        for after, chance in hits(state, body, in_order(struck)).items():
            found.append((after, chance * SIXTH ** len(listed)))
    return gathered(found)


def answered(
    first: Chances, answer: Callable[[State], Chances], *, able: Callable[[State], bool]
) -> Chances:
    """Both sides: the target after the attack, the attacker after the answer to it."""
    found = []
    for target, chance in first.items():
        if not able(target):
            found.append(((target, State()), chance))
            continue
        found += [((target, mine), chance * q) for mine, q in answer(target).items()]
    return gathered(found)


def chance(of: Mapping[Any, Fraction], condition: Callable[[Any], bool]) -> Fraction:
    """How likely something is."""
    return sum((p for what, p in of.items() if condition(what)), Fraction(0))
