"""What does not change while a question is answered: who takes part, and how the rules are read."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Generic, TypeVar

from firepower.combat.documents import Document, Refusal
from firepower.combat.ground import EDGE, distance
from firepower.combat.paths import Path_, close_matches
from firepower.combat.register import Readings, check_readings
from firepower.combat.scenario import Envelope, Line, Participant
from firepower.combat.tables import Tables

C = TypeVar("C", bound=Participant)
L = TypeVar("L", bound=Line)
T = TypeVar("T", bound=Tables)


class Setup(Generic[C, L, T]):
    """A scenario with the tables and the readings that it is answered by.

    `rounds`: how many there are (None: the lines alone, without turns). `fades`: whether what no
    rule can still read is forgotten. `acting` are those who act, in their order. Only what is left
    out (`notes`) and the readings that were looked at grow while a question is made.
    """

    def __init__(
        self,
        tables: T,
        scenario: Envelope[C, L],
        document: Document,
        *,
        rounds: int | None,
        fades: bool = True,
        unit: str = "",
    ) -> None:
        self.tables = tables
        self.scenario = scenario
        self.document = document
        self.combatants: Mapping[str, C] = scenario.combatants
        self.rounds = rounds
        self.fades = fades
        self._unit = f" {unit}" if unit else ""
        edition = self._edition()
        check_readings(document, "rulings", tables.rulings, scenario.rulings)
        check_readings(document, "policies", tables.policies, scenario.policies)
        house = tables.variant
        rulings = {name: each for name, each in house.items() if name in tables.rulings}
        policies = {name: each for name, each in house.items() if name in tables.policies}
        self.rulings = Readings(tables.rulings, edition, rulings, scenario.rulings)
        self.policies = Readings(tables.policies, policies, scenario.policies)
        self.notes: dict[str, None] = {}
        self._check_names()
        self.acting = self._order()

    # -- refusals and what is left out -----------------------------------------------------------

    def wrong(self, path: Path_, sentence: str) -> Refusal:
        """The refusal of what stands at this key path of the scenario."""
        return self.document.wrong(path, sentence)

    def leave_out(self, what: str) -> None:
        """Name something that the scenario does not state and the answer leaves out."""
        self.notes[what] = None

    @contextmanager
    def trying(self, *, quietly: bool = False) -> Iterator[None]:
        """Try something: refused, it leaves no notes and no readings; `quietly`, no notes."""
        noted, readings = dict(self.notes), set(self.rulings.looked_at)
        policies = set(self.policies.looked_at)
        refused = True
        try:
            yield
            refused = False
        finally:
            if refused or quietly:
                self.notes = noted
            if refused:
                self.rulings.looked_at, self.policies.looked_at = readings, policies

    @property
    def goes_on(self) -> bool:
        """Whether a fight goes on: a line that cannot be done just now is lost, not refused."""
        return self.scenario.now != type(self.scenario.now)()

    # -- who -------------------------------------------------------------------------------------

    def combatant(self, name: str, path: Path_) -> C:
        """The combatant of this name, which stands at `path` in the scenario."""
        if name not in self.combatants:
            near = close_matches(name, self.combatants)
            raise self.wrong(path, f"names {name!r}, who is not here; {near}")
        return self.combatants[name]

    def distance(self, name: str, other: str) -> float:
        """How far somebody (`other`) is from one who acts: stated, or by positions."""
        me, them = self.combatants[name], self.combatants[other]
        two, unit = len(self.combatants) == 2, self._unit
        if me.position is not None and them.position is not None:
            by_positions = distance(me.position, them.position)
            if them.distance is not None and abs(by_positions - them.distance) > EDGE:
                raise self.wrong(
                    ("combatants", other, "distance"),
                    f"is {them.distance:g}{unit}, but by their positions it is "
                    f"{by_positions:g}{unit}",
                )
            return by_positions
        stated = [each.distance for each in (me, them) if each.distance is not None]
        if two and len(set(stated)) == 2:
            raise self.wrong(
                ("combatants", name, "distance"),
                f"is {stated[0]:g}{unit}, but {other} is {stated[1]:g}{unit} away: two have one "
                "distance",
            )
        if them.distance is not None:
            return them.distance
        if two and me.distance is not None:
            return me.distance
        if them.position is not None:
            raise self.wrong(("combatants", name), f"needs the key 'position', as {other} has one")
        raise self.wrong(("combatants", other), "needs the key 'distance' (from whoever acts)")

    def allies(self, name: str) -> frozenset[str]:
        """Everybody on the side of this combatant; without a side, only that one."""
        side = self.combatants[name].side
        return frozenset(
            other
            for other, each in self.combatants.items()
            if other == name or (side and each.side == side)
        )

    @property
    def sides(self) -> dict[str, tuple[str, ...]]:
        """Each side that is named, with its members."""
        found: dict[str, tuple[str, ...]] = {}
        for name, each in self.combatants.items():
            if each.side:
                found[each.side] = (*found.get(each.side, ()), name)
        return found

    # -- checks ----------------------------------------------------------------------------------

    def _edition(self) -> Mapping[str, str]:
        named, known = str(self.scenario.edition), self.tables.editions
        if not named:
            return {}
        if named not in known:
            able = [name for name, each in known.items() if not each.refused]
            raise self.wrong(("edition",), f"is not known; {close_matches(named, able)}")
        if known[named].refused:
            raise self.wrong(("edition",), f"is {named}: {known[named].refused}")
        return known[named].rulings

    def _check_names(self) -> None:
        for name, each in self.combatants.items():
            if not name.strip() or "." in name or not name.isprintable():
                raise self.wrong(
                    ("combatants",), f"has the name {name!r}; a name is not empty and has no dot"
                )
            side = each.side
            if side in self.combatants or "." in side or not side.isprintable():
                raise self.wrong(
                    ("combatants", name, "side"),
                    f"is {side!r}; a side has no dot, and nobody's name",
                )
        if not self.scenario.do:
            raise self.wrong(("do",), "is empty; state what is done")
        for i, line in enumerate(self.scenario.do):
            self.combatant(line.by, ("do", i, "by"))

    def _order(self) -> tuple[str, ...]:
        """Those who act, in the order stated, else in the order of their lines."""
        scenario = self.scenario
        acting = list(dict.fromkeys(line.by for line in scenario.do))
        if self.rounds is None:
            self._check_no_frame()
            return tuple(acting)
        # a play that stops early keeps its state and the lines of later rounds
        rounds = self.rounds if self.fades else max(self.rounds, scenario.rounds or 0)
        last = scenario.now.round + rounds - 1
        for i, line in enumerate(scenario.do):
            for j, number in enumerate(line.in_rounds or ()):
                if number > last:
                    raise self.wrong(
                        ("do", i, "in_rounds", j), f"is {number}, but the last round is {last}"
                    )
        for i, name in enumerate(scenario.order):
            if name not in acting:
                near = close_matches(name, acting)
                raise self.wrong(("order", i), f"names {name!r}, who does nothing; {near}")
            if name in scenario.order[:i]:
                raise self.wrong(("order", i), f"names {name!r} twice")
        for name in acting:
            if scenario.order and name not in scenario.order:
                raise self.wrong(("order",), f"does not name {name}, who acts")
        turn = scenario.now.turn
        if turn and turn not in acting:
            near = close_matches(turn, acting)
            raise self.wrong(("now", "turn"), f"names {turn!r}, who does nothing; {near}")
        return tuple(scenario.order or acting)

    def _check_no_frame(self) -> None:
        """What is about turns and rounds needs some."""
        scenario, needs = self.scenario, "needs the key 'rounds': without it there are no turns"
        for key, given in (
            ("order", scenario.order),
            ("now", scenario.now != type(scenario.now)()),
        ):
            if given:
                raise self.wrong((key,), needs)
        for i, line in enumerate(scenario.do):
            if line.in_rounds is not None:
                raise self.wrong(("do", i, "in_rounds"), needs)
