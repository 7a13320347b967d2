"""Pit Fight: fighters strike at each other until one side lies in the sand."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from firepower.chance import Choice, Modifier, Next, Option, Roll, Step, Task, Total, View, dice
from firepower.combat import (
    NEEDLESS,
    Action,
    ActionRule,
    Blocked,
    Envelope,
    GameSystem,
    Line,
    Measure,
    Part,
    Participant,
    Path_,
    Tables,
)


class Fighter(Participant, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is stated of somebody in the pit."""

    strike: Annotated[int, Meta(ge=2, le=6, description="a d6 of so much or more hits")]
    wounds: Annotated[int, Meta(ge=0, le=20, description="wounds that are left")]
    staggered: Annotated[bool, Meta(description="the next strike is harder")] = False


class Blow(Line, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is stated of something done."""

    at: Annotated[str, Meta(description="at whom")] = ""


class Scenario(Envelope[Fighter, Blow], frozen=True, forbid_unknown_fields=True):
    """A question about Pit Fight."""


class Rules(Tables, frozen=True, forbid_unknown_fields=True):
    """The tables in rules.toml."""

    staggered: int
    all_or_nothing: int


class Body(Part, frozen=True):
    """What changes about somebody in the pit."""

    wounds: int
    staggered: bool = False

    @property
    def acts(self) -> bool:
        return self.wounds > 0

    @property
    def words(self) -> str:
        return f"{self.wounds} wounds" + ", staggered" * self.staggered


class Strike(ActionRule[Blow]):
    """Strike: a d6 of the fighter's number or more hits."""

    name = "strike"
    title = "Strike"

    def candidates(self, setup: Any, line: Blow, path: Path_) -> Iterator[Blow]:
        for name in [line.at] if line.at else setup.combatants:
            if name != line.by:
                yield replace(line, at=name)

    def declare(self, setup: Any, line: Blow, path: Path_) -> Action:
        setup.combatant(line.at, (*path, "at"))
        heavy = 1 if setup.rulings.takes("stagger", "by_any") else 6
        number, tables = setup.combatants[line.by].strike, setup.tables
        worse = Modifier("staggered", tables.staggered, "rules: staggered")
        risk = Modifier("all or nothing", tables.all_or_nothing, "rules: all_or_nothing")
        return Striking(
            who=line.by,
            key=f"strike {line.at}",
            at=line.at,
            number=number,
            heavy=heavy,
            worse=worse,
            risk=risk,
        )


class Striking(Action, frozen=True, cache_hash=True, kw_only=True):
    """A strike at somebody who still stands."""

    at: str
    number: int
    heavy: int
    worse: Modifier
    risk: Modifier

    is_attack: ClassVar[bool] = True

    @property
    def concerns(self) -> tuple[str, ...]:
        return (self.at,)

    @property
    def targets(self) -> tuple[str, ...]:
        return (self.at,)

    def blocked(self, view: View) -> Blocked | None:
        return None if view.glance(self.at) else NEEDLESS

    def resolve(self, view: View) -> Next[View]:
        me = view[self.who]
        parts = (self.worse,) if me.staggered else ()
        steady = view.replace(self.who, replace(me, staggered=False))
        return Next(steady, Task(AllOrNothing(self, parts), self.who))


class AllOrNothing(Step[Body, bool], frozen=True, gc=False, cache_hash=True):
    """Everything may be put into a strike: it is easier, and leaves one staggered."""

    blow: Striking
    parts: tuple[Modifier, ...]

    @property
    def reach(self) -> tuple[str, ...]:
        return (self.blow.at,)

    def ask(self, me: Body) -> Choice[bool]:
        options = (Option("no", value=False), Option("yes", value=True))
        return Choice("put everything into it?", self.blow.who, options, "no")

    def then(self, me: Body, everything: bool) -> Next[Body]:
        parts = (*self.parts, self.blow.risk) if everything else self.parts
        after = replace(me, staggered=me.staggered or everything)
        return Next(after, RollToHit(self.blow, parts))


class RollToHit(Step[Body, int], frozen=True, gc=False, cache_hash=True):
    """The strike hits on the fighter's number or more; a natural six always does."""

    blow: Striking
    parts: tuple[Modifier, ...]

    @property
    def reach(self) -> tuple[str, ...]:
        return (self.blow.at,)

    def ask(self, me: Body) -> Roll[int]:
        need = self.blow.number - sum(part.value for part in self.parts)
        return Roll(f"strike, {min(6, need)} or more", dice("d6"), Total(), self.parts)

    def then(self, me: Body, face: int) -> Next[Body]:
        plus = sum(part.value for part in self.parts)
        if face < 6 and face + plus < self.blow.number:
            return Next(me)
        return Next(me, Task(Hit(face >= self.blow.heavy), self.blow.at), records={"hits": 1})


class Hit(Step[Body, None], frozen=True, gc=False, cache_hash=True):
    """A hit takes a wound; a heavy one staggers."""

    reach = ()

    heavy: bool

    def applies(self, body: Body) -> bool:
        return body.acts

    def then(self, body: Body, _: None) -> Next[Body]:
        after = Body(body.wounds - 1, staggered=body.staggered or self.heavy)
        return Next(after, records={"wounds": 1, "felled": not after.acts})


class PitFight(GameSystem[Fighter, Blow, Rules, Body]):
    """The game."""

    name = "pit-fight"
    title = "Pit Fight"
    folder = Path(__file__).parent
    scenario = Scenario
    tables_type = Rules
    actions = (Strike(),)
    measures = (
        Measure(name="hits", of="actor", title="hits scored", records={"hits": 1}),
        Measure(
            name="wounds", of="target", title="wounds taken", records={"wounds": 1}, headline=True
        ),
        Measure(
            name="felled", of="target", title="lies in the sand", records={"felled": 1}, how="any"
        ),
    )

    def state(self, setup: Any, name: str) -> Body:
        fighter = setup.combatants[name]
        return Body(fighter.wounds, fighter.staggered)

    def stated(self, setup: Any, name: str, state: Body) -> dict[str, Any]:
        return {"wounds": state.wounds, "staggered": state.staggered or None}


SYSTEM = PitFight()
