"""The turn: action points, surprise, and what its beginning and its end bring."""

import msgspec
from msgspec.structs import replace

from firepower.chance.dice import Handful, die
from firepower.chance.notation import dice
from firepower.chance.steps import AnyStep, Choice, Next, Roll, Step
from firepower.systems.rate_of_fire.conditions import Recovery, RecoveryTest
from firepower.systems.rate_of_fire.fate import FateCost, FateRules, fate_of
from firepower.systems.rate_of_fire.fighter import Fighter
from firepower.systems.rate_of_fire.tables import RofSetup, bonus_of

D10 = dice("d10")


class TurnRules(msgspec.Struct, frozen=True, cache_hash=True):
    """How the turns of one combatant begin.

    `ap` are the action points that it always has (None: not counted), `agility` the dice of which
    each gives one more if it shows `die_from` or more. `pinned` is the reading of
    `pinned_actions`, `awareness` the bonus of a surprise check, `willpower` the turns for which
    Fate lets fatigue be ignored.
    """

    who: str
    ap: int | None
    agility: Handful | None
    die_from: int
    pinned: str
    awareness: int
    willpower: int
    fate: FateRules | None

    @property
    def most_ap(self) -> int | None:
        """The most AP that there ever are in a turn; None if they are not counted."""
        if self.ap is None:
            return None
        return self.ap + (self.agility.count if self.agility is not None else 0)


def turn_rules(setup: RofSetup, name: str) -> TurnRules:
    """How the turns of somebody begin; without turns no AP are counted."""
    combatant, where = setup.combatants[name], ("combatants", name)
    agility, table = bonus_of(setup, name, "agility"), setup.tables.turn
    ap, dice = _stated_ap(setup, name), None
    if agility is not None and combatant.ap is not None:
        raise setup.wrong((*where, "ap"), f"is {ap}, but the agility that gives AP is stated")
    if ap is None and agility is not None:
        ap = table.ap
        worth = tuple((int(face >= table.die_from),) for face in range(1, 11))
        dice = Handful(die(10), agility, worth) if agility else None
    if setup.rounds is None:
        ap = dice = None
    elif ap is None:
        if any(line.by == name and line.action is None for line in setup.scenario.do):
            raise setup.wrong(
                where, "needs the key 'ap' or 'agility': its turn is left open, so AP must be known"
            )
        setup.leave_out(f"AP of {name}: neither 'ap' nor 'agility' is stated, enough are there")
    awareness = bonus_of(setup, name, "awareness")
    if combatant.surprised and awareness is None:
        raise setup.wrong(where, "makes a surprise check, so it needs the key 'awareness'")
    if combatant.surprised and ap is None:
        raise setup.wrong(where, "makes a surprise check for AP, so it needs the key 'agility'")
    halved = combatant.willpower is not None or combatant.pinned
    return TurnRules(
        name,
        ap,
        dice,
        table.die_from,
        setup.rulings["pinned_actions"] if halved and ap is not None else "all",
        awareness or 0,
        bonus_of(setup, name, "willpower") or 0,
        fate_of(setup, name),
    )


def _stated_ap(setup: RofSetup, name: str) -> int | None:
    """The AP of every turn, as the combatant or the line of an open turn states them."""
    combatant = setup.combatants[name]
    for i, line in enumerate(setup.scenario.do):
        if line.by != name or line.action is not None or line.ap is None:
            continue
        if not combatant.ap is combatant.agility is combatant.agility_bonus is None:
            raise setup.wrong(
                ("do", i, "ap"), f"is {line.ap}, but the AP of {name} are stated already"
            )
        return line.ap
    return combatant.ap


class TurnBegins(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """A turn begins: the re-roll of the last is over, and action points are found. R39"""

    reach = ()

    rules: TurnRules
    surprised: bool

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def says(self, fighter: Fighter) -> str:
        return f"{self.rules.who} takes a turn"

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        rules = self.rules
        tireless = max(0, fighter.tireless - 1)
        fighter = replace(fighter, rerolled=False, tireless=tireless)
        fate = rules.fate if rules.fate is not None and rules.fate.has(fighter) else None
        todo: list[AnyStep] = []
        if fate is not None and fighter.is_tired and rules.willpower:
            todo.append(IgnoreFatigue(fate, rules.willpower))
        if rules.ap is None:
            return Next(fighter, *todo)
        if self.surprised:
            check = SurpriseCheck(rules) if fate is None else ForeseenSurprise(rules, fate)
            return Next(fighter, *todo, check)
        points = ActionPoints(rules, 0)
        if rules.agility is not None:
            return Next(fighter, *todo, points)
        found = points.then(fighter, None)
        return Next(found.part, *todo, records=dict(found.records))


class IgnoreFatigue(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """With Fate fatigue is ignored for as many rounds as the Willpower bonus."""

    reach = ()

    fate: FateRules
    turns: int

    def ask(self, fighter: Fighter) -> Choice[bool]:
        label = f"ignore fatigue for {self.turns} rounds with Fate?"
        return self.fate.choice(label, yes=self.fate.fatigue == "when_fatigued")

    def then(self, fighter: Fighter, taken: bool) -> Next[Fighter]:
        if not taken:
            return Next(fighter)
        return Next(replace(fighter, tireless=self.turns), FateCost(self.fate.cost))


class Surprise(msgspec.Struct, frozen=True):
    """A surprise check fails above the Awareness bonus and on a 10; the AP that it then costs."""

    awareness: int

    def read(self, face: int) -> int:
        if face <= self.awareness and face != 10:
            return 0
        return max(face - self.awareness, int(face == 10))

    @property
    def need(self) -> str:
        return f"{min(self.awareness, 9)} or less"

    def words(self, read: int) -> str:
        return f"surprised, {read} AP lost" if read else "not surprised"


class SurpriseCheck(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """Before the first turn: a d10 above the Awareness bonus, or a 10, costs action points."""

    reach = ()

    rules: TurnRules

    def ask(self, fighter: Fighter) -> Roll[int]:
        return Roll("surprise check", D10, Surprise(self.rules.awareness))

    def then(self, fighter: Fighter, lost: int) -> Next[Fighter]:
        return Next(fighter, ActionPoints(self.rules, lost), records={"surprised": lost > 0})


class ForeseenSurprise(Step[Fighter, bool], frozen=True, gc=False, cache_hash=True):
    """With Fate a surprise check counts as a 1."""

    reach = ()

    rules: TurnRules
    fate: FateRules

    def ask(self, fighter: Fighter) -> Choice[bool]:
        label = "let the surprise check count as 1 with Fate?"
        return self.fate.choice(label, yes=self.fate.surprise == "always")

    def then(self, fighter: Fighter, taken: bool) -> Next[Fighter]:
        rules = self.rules
        if not taken:
            return Next(fighter, SurpriseCheck(rules))
        lost = Surprise(rules.awareness).read(1)
        points = ActionPoints(rules, lost)
        return Next(fighter, FateCost(self.fate.cost), points, records={"surprised": lost > 0})


class Points(msgspec.Struct, frozen=True):
    """Action points: a number, and one more for each die that gives one; pinned by halves."""

    plus: int
    pinned: str
    die_from: int

    def read(self, gained: tuple[int, ...]) -> int:
        ap = max(0, self.plus + gained[0])
        return {"all": ap, "half": -(-ap // 2), "nothing": 0}[self.pinned]

    @property
    def need(self) -> str:
        return f"{self.die_from}+ each"

    def words(self, read: int) -> str:
        return f"{read} AP"


class ActionPoints(Step[Fighter, int], frozen=True, gc=False, cache_hash=True):
    """The AP of a turn: one, and one more for each agility die of 5 or more; less by surprise."""

    reach = ()

    rules: TurnRules
    lost: int

    def ask(self, fighter: Fighter) -> Roll[int] | None:
        if self.rules.agility is None:
            return None
        return Roll("action points", self.rules.agility, self._points(fighter))

    def _points(self, fighter: Fighter) -> Points:
        assert self.rules.ap is not None
        pinned = self.rules.pinned if fighter.pinned else "all"
        return Points(self.rules.ap - self.lost, pinned, self.rules.die_from)

    def then(self, fighter: Fighter, ap: int | None) -> Next[Fighter]:
        if ap is None:
            ap = self._points(fighter).read((0,))
        return Next(replace(fighter, ap=ap), records={"ap_gained": ap})


class TurnEnds(Step[Fighter, None], frozen=True, gc=False, cache_hash=True):
    """A turn ends: AP that are left are lost, and who is pinned may recover."""

    reach = ()

    recovery: Recovery | RecoveryTest | None

    def applies(self, fighter: Fighter) -> bool:
        return not fighter.out

    def then(self, fighter: Fighter, _: None) -> Next[Fighter]:
        arms = tuple(replace(arm, fired=0) if arm.fired else arm for arm in fighter.arms)
        rest = replace(fighter, ap=None if fighter.ap is None else 0, arms=arms)
        if not fighter.pinned or self.recovery is None:
            return Next(rest)
        return Next(rest, self.recovery)
