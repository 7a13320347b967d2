"""Play: one outcome of a situation, die by die.

Equal questions that stand next to each other and say that they go together are thrown as one
handful.
"""

from typing import Any

from firepower.chance.dice import Face
from firepower.chance.errors import AnswerError, EndlessError
from firepower.chance.events import Chosen, Event, Played, Recorded, Thrown, Told
from firepower.chance.inquiry import Inquiry, code_of
from firepower.chance.promises import follows
from firepower.chance.sources import Decider, NoMoreAnswersError, Policies, Source
from firepower.chance.steps import AnyStep, Choice, Roll, Situation, Task, asked_of
from firepower.chance.table import MOST_SETTLED, Table
from firepower.chance.tallies import Address


def play(start: Situation, source: Source, decider: Decider | None = None) -> Played:
    """Play until nothing is left to do, or until the source of dice has no more.

    A Choice that comes when typed faces have run out stops the play too, so that odds and
    advice can be asked from there. Raises EndlessError if steps go on without a question or a word.
    """
    game = _Game(start, source, decider or Policies())
    finished, idle = True, 0
    while game.table.agenda and finished:
        known = len(game.events)
        try:
            game.next_step()
        except NoMoreAnswersError:
            finished = False
        game.table.count()
        idle = idle + 1 if len(game.events) == known else 0
        if idle > MOST_SETTLED:
            raise EndlessError("the steps go on and on without a question, so play never ends")
    return Played(tuple(game.events), game.table.situation(), finished)


class _Game:
    """One play: its table, its events, and who answers."""

    def __init__(self, start: Situation, source: Source, decider: Decider) -> None:
        self.table = Table(start)
        self.events: list[Event] = []
        self._source = source
        self._decider = decider

    def next_step(self) -> None:
        """Do the uppermost step, or all of its repeats that go together."""
        table = self.table
        top = table.agenda[-1]
        who, step = top.who, top.step
        assert who is not None
        part = table.view(step, who)
        if not step.applies(part):
            table.agenda.pop()
            return
        question = step.ask(part)
        if isinstance(question, Choice):
            value = self._chosen(step, who, question)
            table.take_off(1)
            self._record(step, table.follow(step, who, part, value))
        elif question is None:
            said = step.says(part)
            if said:
                self.events.append(Told(code_of(step), _name(who), said))
            table.take_off(1)
            self._record(step, table.follow(step, who, part, None))
        else:
            times = top.times if step.together else 1
            table.take_off(times)
            self._throw_together(who, [Inquiry(step, question) for _ in range(times)])

    def _chosen(self, step: AnyStep, who: Address, choice: Choice[Any]) -> Any:
        """The value of the option that is taken."""
        if choice.stated is not None:
            return choice.options[choice.taken].value
        key = self._decider.decide(choice, self.table.parts, self.table.ends_next)
        if key is None and not self._source.left():
            raise NoMoreAnswersError
        at = choice.taken if key is None else choice.index(key)
        assert at is not None
        option = choice.options[at]
        keys = tuple(each.key for each in choice.options)
        self.events.append(
            Chosen(code_of(step), _name(who), choice.label, choice.by, option.key, keys)
        )
        return option.value

    def _throw_together(self, who: Address, inquiries: list[Inquiry]) -> None:
        """Ask equal questions in one handful, until each of the inquiries has its answer."""
        table = self.table
        try:
            while waiting := [leaf for each in inquiries for leaf in each.waiting()]:
                roll = waiting[0].question
                self._throw(who, [leaf for leaf in waiting if leaf.question == roll])
                for each in inquiries:
                    each.go_on()
        finally:
            todo: list[Task] = []
            for each in inquiries:
                seen = table.view(each.step, who)
                if each.done and each.step.applies(seen):
                    self._record(each.step, table.record(who, each.made))
                    after = follows(each.step, seen, each.answer, each.made)
                    self._record(each.step, table.settle(who, after))
                    todo.extend(after.todo)
            table.push(todo, who)
            table.push([each.left() for each in inquiries if not each.done], who)

    def _throw(self, who: Address, group: list[Inquiry]) -> None:
        roll = group[0].question
        assert isinstance(roll, Roll)
        by = asked_of(who, roll)
        faces: list[tuple[Face, ...]] = []
        try:
            for each in group:
                thrown = self._source.throw(roll, by)
                faces.append(thrown)
                each.take(thrown)
        finally:
            if faces:
                self.events.append(_thrown(group[0].step, by, roll, tuple(faces)))

    def _record(self, step: AnyStep, made: tuple[tuple[str, int], ...]) -> None:
        code = code_of(step)
        self.events.extend([Recorded(code, name, amount) for name, amount in made])


def _name(who: Address) -> str:
    """The name of one combatant; nobody's where a step is for several."""
    return who if isinstance(who, str) else ""


def _thrown(
    step: AnyStep, who: str, roll: Roll[Any], faces: tuple[tuple[Face, ...], ...]
) -> Thrown:
    totals = [roll.throw.total(each) for each in faces]
    return Thrown(
        code_of(step),
        who,
        roll.label,
        str(roll.throw),
        roll.reading.need,
        roll.parts,
        faces,
        tuple(str(total) for total in totals),
        tuple(roll.reading.words(roll.reading.read(total)) for total in totals),
    )


def rethrown(played: Played, change: int, face: Face) -> tuple[str, ...]:
    """The faces of a play up to and with one that is changed; what follows is thrown anew."""
    faces = played.faces
    if not 0 <= change < len(faces):
        raise AnswerError(f"the play has {len(faces)} dice, so there is no die {change + 1}")
    return (*(str(each) for each in faces[:change]), str(face))
