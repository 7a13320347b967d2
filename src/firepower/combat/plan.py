"""From the lines of a scenario to where a question begins: actions first, then who answers them."""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from firepower.chance.steps import Task, situation
from firepower.combat.actions import Action, ActionRule
from firepower.combat.documents import Document, Refusal
from firepower.combat.errors import QuestionError
from firepower.combat.game import GameSystem, Opening
from firepower.combat.measures import measured
from firepower.combat.paths import Path_, close_matches
from firepower.combat.reactions import Reaction, heard
from firepower.combat.scenario import Line
from firepower.combat.setup import Setup
from firepower.combat.turns import (
    ChosenAction,
    ChosenTurn,
    LoneAction,
    PlannedAction,
    Turn,
    agenda_of,
)

AnyGame = GameSystem[Any, Any, Any, Any]


def opened(
    game: AnyGame,
    tables: Any,
    scenario: Any,
    document: Document,
    *,
    choosing: bool,
    turns: int | None = None,
    fades: bool = True,
) -> Opening:
    """Check a scenario completely and make its question.

    With `choosing` what the scenario leaves open is a Choice; without, it is asked for. `turns` is
    for how many rounds, in place of the scenario's. Raises QuestionError before any die.
    """
    rounds = scenario.rounds if turns is None else turns
    setup = Setup(tables, scenario, document, rounds=rounds, fades=fades, unit=game.unit)
    return Plan(game, setup, choosing=choosing).opening()


class Plan:
    """Makes actions of lines, each line once, and turns of actions."""

    def __init__(self, game: AnyGame, setup: Setup[Any, Any, Any], *, choosing: bool) -> None:
        self.game = game
        self.setup = setup
        self.lines: list[Any] = setup.scenario.do
        self._phases = game.phases or ("",)
        self._rules: dict[str, ActionRule[Any]] = {rule.name: rule for rule in game.actions}
        self._own = {key for rule in game.actions for key in rule.own}
        self._choosing = choosing
        self._open = [i for i, line in enumerate(self.lines) if self._is_open(i, line)]
        self._chosen = set(self._open)
        game.check(setup)
        declared = {
            (phase, i): actions
            for i, line in enumerate(self.lines)
            for phase, actions in self._declared(i, line).items()
        }
        actions = [action for each in declared.values() for action in each]
        reactions = self._who_listens(actions)
        self._actions = {
            at: tuple(heard(action, reactions) for action in each) for at, each in declared.items()
        }
        done: list[Action | Reaction] = [*actions, *reactions]
        self._targets = tuple(dict.fromkeys(name for each in done for name in each.targets))

    def _who_listens(self, actions: list[Action]) -> tuple[Reaction, ...]:
        """Everybody who may answer what can happen, answers to answers included."""
        raised = frozenset(kind for each in actions for kind in each.raises)
        while True:
            reactions = tuple(self.game.reactions(self.setup, raised))
            more = raised.union(kind for each in reactions for kind in each.raises)
            if more == raised:
                return reactions
            raised = more

    def opening(self) -> Opening:
        """The question, with everything that it rests on."""
        game, setup = self.game, self.setup
        numbers = range(setup.scenario.now.round, setup.scenario.now.round + (setup.rounds or 0))
        agenda = self._alone() if setup.rounds is None else self._in_rounds(numbers)
        self._targets = game.harmed(setup, self._targets)
        game.finish(setup, self._targets)
        affected = game.affected(setup, self._targets)
        asked = measured(setup, game.measures, self._targets, affected)
        parts = {name: game.state(setup, name) for name in setup.combatants}
        by = self.lines[self._open[0] if self._open else 0].by
        return Opening(
            situation(parts, *game.begins(setup), *agenda),
            asked,
            game.renamed,
            setup.rulings.in_force(),
            setup.policies.in_force(),
            tuple(setup.notes),
            setup.allies(by),
            numbers,
            setup,
        )

    # -- lines -----------------------------------------------------------------------------------

    def _is_open(self, i: int, line: Line) -> bool:
        """Whether a line does not say what is done; refuses what it says wrongly."""
        for j, name in enumerate((line.action, *line.otherwise)):
            path: Path_ = ("do", i, "action") if j == 0 else ("do", i, "otherwise", j - 1)
            if name is not None and name not in self._rules:
                near = close_matches(name, self._rules)
                raise self.setup.wrong(path, f"is {name!r}, which is no action; {near}")
            if j and name is not None and self._rules[name].own_line:
                raise self.setup.wrong(path, f"is {name!r}, which is a line of its own")
        for key, listed in (("otherwise", line.otherwise), ("in_rounds", line.in_rounds or [])):
            for j, each in enumerate(listed):
                if each in listed[:j] or each == line.action:
                    raise self.setup.wrong(("do", i, key, j), f"is {each!r} a second time")
        if line.action is None and line.otherwise:
            raise self.setup.wrong(("do", i, "otherwise"), "stands in place of no 'action'")
        if line.action is None and not self._choosing:
            names = ", ".join(self._rules)
            raise self.setup.wrong(
                ("do", i), f"must name its 'action': {names} (only `best` chooses one)"
            )
        return line.action is None

    def _declared(self, i: int, line: Line) -> dict[str, tuple[Action, ...]]:
        """The actions of a line by phase: those tried one after the other, or chosen from."""
        path: Path_ = ("do", i)
        if line.action is None:
            rules = [rule for rule in self._rules.values() if rule.offered]
            open_to = self._offered(line, path, rules)
            if not open_to:
                raise self.setup.wrong(path, "leaves nothing that could be done")
            return open_to
        phase = self._phase_of(self._rules[line.action])
        if self._choosing and not line.otherwise:
            offered = self._offered(line, path, [self._rules[line.action]]).get(phase, ())
            if len(offered) > 1:
                self._chosen.add(i)
            if len(offered) > 1 or (offered and self.setup.rounds is None):
                return {phase: offered}
        found: list[Action] = []
        for j, name in enumerate((line.action, *line.otherwise)):
            rule, said = self._rules[name], self._said(line, name)
            try:
                found += [
                    rule.declare(self.setup, said, path),
                    *rule.instead(self.setup, said, path),
                ]
            except Refusal as refusal:
                if j == 0 or refusal.path != (*path, "action"):
                    raise
                raise refusal.at((*path, "otherwise", j - 1)) from None
        return {phase: tuple(found)}

    def _phase_of(self, rule: ActionRule[Any]) -> str:
        """The phase of a round in which an action is done; the first, if it does not say."""
        return rule.phase if rule.phase in self._phases else self._phases[0]

    def _said(self, line: Line, name: str) -> Line:
        """The line with one of its actions; keys that are another's own are not this one's."""
        others = [self._rules[each] for each in (line.action, *line.otherwise) if each is not None]
        theirs = {key for rule in others for key in rule.own}
        mine = self._rules[name].own
        dropped = [
            key for key in self._own if key not in mine and (key in theirs or name != line.action)
        ]
        return replace(line, action=name, **dict.fromkeys(dropped))

    def _offered(
        self, line: Line, path: Path_, rules: Iterable[ActionRule[Any]]
    ) -> dict[str, tuple[Action, ...]]:
        """Everything lawful that an open line may be, by phase; what is not, with the reason."""
        setup = self.setup
        refusals: list[Refusal] = []
        found: dict[tuple[str, Action], Action] = {}
        for rule in rules:
            try:
                with setup.trying():
                    about = rule.of_open(line) if line.action is None else line
                    named = replace(about, action=rule.name)
                    candidates = list(rule.candidates(setup, named, path))
            except Refusal as refusal:
                refusals.append(refusal)
                continue
            for candidate in candidates:
                try:
                    with setup.trying():
                        made = rule.declare(setup, candidate, path)
                        # something else that is done in its place is an option of its own
                        lesser = rule.instead(setup, candidate, path)
                        ways = [made, *(each for each in lesser if each.key == made.key)]
                    key = rule.option(setup, line, candidate, made.key)
                    for each in ways:
                        same = (self._phase_of(rule), replace(each, key=""))
                        found.setdefault(same, replace(each, key=key))
                except Refusal as refusal:
                    refusals.append(refusal)
                    key = rule.option(setup, line, candidate, rule.called(candidate))
                    setup.leave_out(f"{key} as an option: {refusal.reason}")
        if refusals and not any(each.is_attack for each in found.values()):
            raise refusals[0]
        by_phase: dict[str, tuple[Action, ...]] = {}
        for (phase, _), each in found.items():
            by_phase[phase] = (*by_phase.get(phase, ()), each)
        return by_phase

    # -- turns -----------------------------------------------------------------------------------

    def _alone(self) -> tuple[Task, ...]:
        """The lines alone, in their order."""
        last = {line.by: i for i, line in enumerate(self.lines)}
        planned = LoneAction if len(self.lines) == 1 else PlannedAction
        tasks = []
        for i, line in enumerate(self.lines):
            kind = ChosenAction if i in self._chosen else planned
            ends = 0 if last[line.by] == i and self.setup.fades else None
            actions = tuple(a for phase in self._phases for a in self._actions.get((phase, i), ()))
            tasks.append(kind(line.by, actions, ends).task)
        return (*tasks, *self.game.ends(self.setup))

    def _in_rounds(self, numbers: range) -> tuple[Task, ...]:
        setup, rounds = self.setup, []
        last = self._last_lines(numbers)
        for number in numbers:
            acting = list(setup.acting)
            if number == numbers[0] and setup.scenario.now.turn:
                acting = acting[acting.index(setup.scenario.now.turn) :]
            left = numbers[-1] - number
            turns = [each for name in acting for each in self._turns(name, number, left, last)]
            try:
                groups = self.game.round(setup, turns)
            except ValueError as late:
                raise self._waits_too_long(str(late), number) from None
            ends = tuple(self.game.round_ends(setup, number))
            rounds.append((*groups, ends) if ends else groups)
        return agenda_of(rounds, numbers[0], tuple(self.game.ends(setup)))

    def _last_lines(self, numbers: range) -> dict[str, tuple[int, str, int]]:
        """The last line that everybody has, with its round and phase."""
        return {
            name: (number, phase, i)
            for number in numbers
            for phase in self._phases
            for name in self.setup.acting
            for i, _ in self._lines_of(name, number)
            if (phase, i) in self._actions
        }

    def _turns(
        self, name: str, number: int, left: int, last: dict[str, tuple[int, str, int]]
    ) -> Iterator[Turn]:
        """What somebody does in a round: one turn, or one for each phase."""
        game, setup, phases = self.game, self.setup, self._phases
        for phase in phases:
            before: list[Task] = []
            if phase == phases[0]:
                before += game.turn_begins(setup, name, number)
            tasks, waits_for = before, ""
            for i, _ in self._lines_of(name, number):
                actions = self._actions.get((phase, i))
                if actions is None:
                    continue
                chosen = ChosenTurn if i in self._open else ChosenAction
                kind = chosen if i in self._chosen else PlannedAction
                ends = left if last[name] == (number, phase, i) and setup.fades else None
                tasks.append(kind(name, actions, ends).task)
                puts_off = next((a.waits_for for a in actions if a.waits_for), "")
                if puts_off:
                    waits_for, tasks = puts_off, []
            if phase == phases[-1]:
                tasks += game.turn_ends(setup, name, number)
            later = tuple(tasks) if waits_for else ()
            yield Turn(name, tuple(before), waits_for, later, phase)

    def _lines_of(self, name: str, number: int) -> Iterator[tuple[int, Any]]:
        for i, line in enumerate(self.lines):
            if line.by == name and (line.in_rounds is None or number in line.in_rounds):
                yield i, line

    def _waits_too_long(self, name: str, number: int) -> QuestionError:
        """The refusal of a turn that is put off until one that does not come."""
        at, whom = next(
            (i, action.waits_for)
            for i, _ in self._lines_of(name, number)
            for phase in self._phases
            for action in self._actions.get((phase, i), ())
            if action.waits_for
        )
        return self.setup.wrong(
            ("do", at, "at"), f"is {whom!r}, who does not act after {name} in that round"
        )
