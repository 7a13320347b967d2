"""Markers and templates: who lies under them, and where a marker that misses comes to lie."""

from typing import Any

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Die, Faces, die
from firepower.chance.readings import AtLeast, AtMost
from firepower.chance.steps import Next, Roll, Step, Task
from firepower.systems.necromunda.fighter import Fighter
from firepower.systems.necromunda.injury import D6
from firepower.systems.necromunda.shot import NEVER, PLAIN, Hit


class Flames(msgspec.Struct, frozen=True, cache_hash=True):
    """A Template: everybody touched is hit."""

    touched: tuple[Hit, ...]

    @property
    def reach(self) -> tuple[str, ...]:
        return tuple(name for hit in self.touched for name in hit.reach)

    @property
    def tells(self) -> int:
        return NEVER

    def scored(self, hits: int) -> int:
        """One for each."""
        return len(self.touched)

    def hits(self, hits: int, face: int) -> list[Task]:
        """One hit on each."""
        return [task for hit in self.touched for task in hit.struck(1, PLAIN)]

    def misses(self, hits: int) -> list[Task]:
        """A Template does not miss."""
        return []


class Marker(msgspec.Struct, frozen=True, cache_hash=True):
    """A Blast marker.

    `stays`: who lies under it if it hits; `around`: everybody who may, of whom `places` gives those
    under it by direction and inches (None: no positions are known; then the first of `stays` lies
    under it up to so many inches, `covers`). `on_shooter`: who does if it comes back.
    """

    stays: tuple[Hit, ...]
    around: tuple[Hit, ...]
    places: tuple[tuple[tuple[str, ...], ...], ...] | None
    covers: int
    on_shooter: tuple[str, ...]
    scatter_die: Die
    faces: int
    misfire: int
    misfire_on_shooter: int

    @property
    def reach(self) -> tuple[str, ...]:
        return tuple(name for hit in (*self.stays, *self.around) for name in hit.reach)

    @property
    def tells(self) -> int:
        return min((hit.tells for hit in self.stays), default=NEVER)

    def scored(self, hits: int) -> int:
        """One for each under the marker."""
        return len(self.stays)

    def hits(self, hits: int, face: int) -> list[Task]:
        """The marker stays: everybody under it is hit once."""
        return [task for hit in self.stays for task in blown(hit, face)]

    def misses(self, hits: int) -> list[Task]:
        """The marker moves."""
        return [Task(Scatter(self))]

    def under(self, names: tuple[str, ...]) -> list[Task]:
        """The hits of those who lie under it where it has come to lie."""
        everybody = {hit.name: hit for hit in (*self.around, *self.stays)}
        struck = [everybody[name] for name in names if name in everybody]
        return [task for hit in struck for task in blown(hit, PLAIN)]


def blown(hit: Hit, face: int) -> list[Task]:
    """A hit by a Blast: Knockback asks a D6 for each, not the roll to hit."""
    if hit.knocks >= NEVER or not hit.body.slammed:
        return hit.struck(1, face)
    return [Task(BlownBack(replace(hit, knocks=NEVER), hit.knocks), hit.name)]


class BlownBack(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """Knockback of a Blast: a D6 of the Strength or more, with something solid behind."""

    hit: Hit
    least: int

    @property
    def reach(self) -> tuple[str, ...]:
        return self.hit.reach

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def ask(self, fighter: Fighter) -> Roll[bool]:
        attacker = self.hit.harm.attacker
        return Roll("knocked back by the blast", D6, AtLeast(self.least), by=attacker)

    def then(self, fighter: Fighter, knocked: bool) -> Next[Fighter]:
        hit = self.hit.slammed() if knocked else self.hit
        return Next(fighter, *hit.struck(1, PLAIN))


class ScatterReading(msgspec.Struct, frozen=True):
    """How far a marker moves; 0: a misfire. Farther than `most` is all the same."""

    misfire: int
    most: int

    def read(self, total: tuple[Any, Any]) -> int:
        inches, shown = total
        if shown == "hit" and inches == self.misfire:
            return 0
        return min(int(inches), self.most + 1)

    @property
    def need(self) -> str:
        return ""

    def words(self, read: int) -> str:
        return "misfire" if not read else f"{read} inches" if read <= self.most else "off"


class OfAMarker(Step[Fighter, Any], frozen=True, gc=False, cache_hash=True):
    """A step of a Blast marker that missed, asked of the shooter."""

    marker: Marker

    @property
    def reach(self) -> tuple[str, ...]:
        return self.marker.reach


class Scatter(OfAMarker, frozen=True, gc=False, cache_hash=True):
    """A marker that missed moves D6 inches; the Hit symbol with a 1 is a misfire."""

    def ask(self, fighter: Fighter) -> Roll[int]:
        marker = self.marker
        most = marker.faces if marker.places is not None else marker.covers
        throw = Faces((die(marker.faces), marker.scatter_die))
        return Roll("scatter", throw, ScatterReading(marker.misfire, most))

    def then(self, fighter: Fighter, inches: int) -> Next[Fighter]:
        marker = self.marker
        if not inches:
            return Next(fighter, Misfire(marker))
        if marker.places is not None:
            return Next(fighter, ScatterDirection(marker, inches))
        covered = inches <= marker.covers and bool(marker.stays)
        return Next(fighter, *marker.under((marker.stays[0].name,) if covered else ()))


class ScatterDirection(OfAMarker, frozen=True, gc=False, cache_hash=True):
    """The direction of the Scatter die, one of so many."""

    inches: int

    def ask(self, fighter: Fighter) -> Roll[tuple[str, ...]]:
        places = self.marker.places or ()
        throw = Faces((die(len(places)),))
        return Roll("scatter: which way?", throw, Way(places, self.inches))

    def then(self, fighter: Fighter, names: tuple[str, ...]) -> Next[Fighter]:
        return Next(fighter, *self.marker.under(names))


class Way(msgspec.Struct, frozen=True):
    """Who lies under a marker that went this way."""

    places: tuple[tuple[tuple[str, ...], ...], ...]
    inches: int

    def read(self, total: tuple[int, ...]) -> tuple[str, ...]:
        return self.places[total[0] - 1][self.inches - 1]

    @property
    def need(self) -> str:
        return ""

    def words(self, read: tuple[str, ...]) -> str:
        return ", ".join(read) or "nobody"


class Misfire(OfAMarker, frozen=True, gc=False, cache_hash=True):
    """A misfire: on a low D6 the marker lies on the shooter, else it is a dud."""

    def ask(self, fighter: Fighter) -> Roll[bool]:
        return Roll("misfire", D6, AtMost(self.marker.misfire_on_shooter))

    def then(self, fighter: Fighter, back: bool) -> Next[Fighter]:
        return Next(fighter, *self.marker.under(self.marker.on_shooter if back else ()))
