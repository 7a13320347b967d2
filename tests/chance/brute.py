"""Brute force over `play`: every script of faces, every plan of options, each played out.

A test compares what the engine works out with what is counted here, one play at a time.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias, TypeVar

from firepower.chance import Choice, Distribution, Played, Roll, Situation, Tally, play
from firepower.chance.dice import Die, Face
from firepower.chance.sources import Decider, NoMoreAnswersError

T = TypeVar("T", bound=Hashable)
Odds: TypeAlias = dict[T, Fraction]


class Odometer:
    """Faces by their places on each die, one script after the other, at most `most` of them."""

    def __init__(self, most: int | None = None) -> None:
        self.places: list[int] = []
        self._most = most
        self._dice: list[Die] = []

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        return tuple(self._face(die) for die in roll.throw.physical())

    def _face(self, die: Die) -> Face:
        at = len(self._dice)
        if at == self._most:
            raise NoMoreAnswersError
        self._dice.append(die)
        if at == len(self.places):
            self.places.append(0)
        return die.faces[self.places[at]]

    def left(self) -> bool:
        return self._most is None or len(self._dice) < self._most

    def chance(self) -> Fraction:
        """How likely the faces were that fell."""
        chance = Fraction(1)
        for die, place in zip(self._dice, self.places, strict=True):
            chance *= Fraction(die.weights[place], sum(die.weights))
        return chance

    def turn(self) -> bool:
        """Go on to the next script; False after the last one."""
        while self.places and self.places[-1] + 1 == len(self._dice[-1].faces):
            self.places.pop()
            self._dice.pop()
        self._dice.clear()
        if not self.places:
            return False
        self.places[-1] += 1
        return True


def every_play(
    start: Situation, decider: Decider | None = None, most: int | None = None
) -> Iterator[tuple[Fraction, Played]]:
    """Every play with its chance, stopped after `most` dice."""
    faces = Odometer(most)
    going = True
    while going:
        played = play(start, faces, decider)
        yield faces.chance(), played
        going = faces.turn()


def counted(start: Situation, of: Callable[[Played], T]) -> Odds[T]:
    """The odds of something about the play, by playing every script."""
    odds: Odds[T] = {}
    for chance, played in every_play(start):
        outcome = of(played)
        odds[outcome] = odds.get(outcome, Fraction(0)) + chance
    return odds


def odds_of(distribution: Distribution[Any]) -> Odds[Any]:
    """A distribution as a plain dict, to compare with."""
    return dict(distribution)


def part(played: Played, who: str) -> Any:
    """The part of a combatant where the play ended."""
    return played.situation.parts[played.situation.names.index(who)]


class Leaf(NamedTuple):
    """A play that is over."""

    played: Played


class Fall(NamedTuple):
    """A die falls: its faces with their chances."""

    ways: tuple[tuple[Fraction, "Tree"], ...]


class Fork(NamedTuple):
    """Somebody chooses."""

    by: str
    label: str
    ways: tuple[tuple[str, "Tree"], ...]


Tree: TypeAlias = Leaf | Fall | Fork


class _Open(Exception):
    """The script ends at this die or this choice."""

    def __init__(self, at: Die | Choice[Any]) -> None:
        super().__init__(at)
        self.at = at


class _Script:
    """Faces and options by their places, in the order in which they are asked for."""

    def __init__(self, places: tuple[int, ...]) -> None:
        self._places = iter(places)

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        return tuple(die.faces[self._next(die)] for die in roll.throw.physical())

    def decide(self, choice: Choice[Any], parts: Mapping[str, Any], mark: str) -> str:
        return choice.options[self._next(choice)].key

    def left(self) -> bool:
        return True

    def _next(self, at: Die | Choice[Any]) -> int:
        place = next(self._places, None)
        if place is None:
            raise _Open(at)
        return place


def grown(start: Situation, script: tuple[int, ...] = ()) -> Tree:
    """The tree of everything that can happen, nothing merged."""
    source = _Script(script)
    try:
        return Leaf(play(start, source, source))
    except _Open as fork:
        at = fork.at
    if isinstance(at, Die):
        whole = sum(at.weights)
        return Fall(
            tuple(
                (Fraction(weight, whole), grown(start, (*script, place)))
                for place, weight in enumerate(at.weights)
            )
        )
    return Fork(
        at.by,
        at.label,
        tuple(
            (option.key, grown(start, (*script, place))) for place, option in enumerate(at.options)
        ),
    )


def plans(tree: Tree, by: str | None) -> Iterator[Tree]:
    """The tree under every plan of one who decides (None: of all), one after the other.

    A plan says for everything that may have happened before which option is taken.
    """
    if isinstance(tree, Leaf):
        yield tree
    elif isinstance(tree, Fork) and by in (None, tree.by):
        for _, way in tree.ways:
            yield from plans(way, by)
    elif isinstance(tree, Fork):
        keys = [key for key, _ in tree.ways]
        for ways in product(*(list(plans(way, by)) for _, way in tree.ways)):
            yield Fork(tree.by, tree.label, tuple(zip(keys, ways, strict=True)))
    else:
        chances = [chance for chance, _ in tree.ways]
        for ways in product(*(list(plans(way, by)) for _, way in tree.ways)):
            yield Fall(tuple(zip(chances, ways, strict=True)))


def how_many_plans(tree: Tree, by: str | None) -> int:
    """How many there are, without making them."""
    if isinstance(tree, Leaf):
        return 1
    numbers = [how_many_plans(way, by) for _, way in tree.ways]
    if isinstance(tree, Fork) and by in (None, tree.by):
        return sum(numbers)
    result = 1
    for number in numbers:
        result *= number
    return result


def worth(tree: Tree, of: Callable[[Played], int]) -> Fraction:
    """The expected worth of a tree in which nothing is left to decide."""
    if isinstance(tree, Leaf):
        return Fraction(of(tree.played))
    assert isinstance(tree, Fall)
    return sum((chance * worth(way, of) for chance, way in tree.ways), Fraction(0))


def number_of(measure: Tally) -> Callable[[Played], int]:
    """What a measure comes to in a play, as a number."""
    return lambda played: int(played.number(measure))
