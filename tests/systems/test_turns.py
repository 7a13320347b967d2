"""Turns of a toy game: plans and choices, rounds and their ends, who acts, and for whom."""

from collections.abc import Mapping
from typing import ClassVar

import msgspec
import pytest

from firepower.chance import EVERYBODY, Next, Option, Step, Task, View, situation
from firepower.systems.documents import Document
from firepower.systems.errors import QuestionError
from firepower.systems.system import Envelope, Line, Participant
from firepower.systems.turns import (
    END,
    NEEDLESS,
    ChosenAction,
    PlannedAction,
    RoundEnds,
    Turn,
    actions_lost,
    agenda_of,
    allies,
    lost_to,
    order_of_acting,
    sides,
    until_round,
)


class Runner(msgspec.Struct, frozen=True):
    """Somebody with so much breath."""

    breath: int
    acts: bool = True

    @property
    def words(self) -> str:
        return f"{self.breath} breath" if self.breath else ""


class Rest(Step[Runner, None], frozen=True, gc=False, cache_hash=True):
    """What comes after a run."""

    name: str = "rest"

    def then(self, runner: Runner, _: None) -> Next[Runner]:
        return Next(runner)


class Run(msgspec.Struct, frozen=True):
    """Running costs breath; `cause` hinders it, if it is not empty."""

    who: str
    key: str
    cost: int
    cause: str = ""

    is_attack: ClassVar[bool] = True

    def hindrance(self, view: View) -> str:
        runner: Runner = view[self.who]
        return self.cause or ("" if runner.breath >= self.cost else "breath")

    def begin(self, view: View) -> Next[View]:
        runner: Runner = view[self.who]
        after = view.replace(self.who, Runner(runner.breath - self.cost))
        return Next(after, Task(Rest(), self.who), records={f"{self.who}.runs": 1})


def here(**breath: int) -> View:
    """Runners with so much breath."""
    return View(tuple(breath), tuple(Runner(each) for each in breath.values()))


WALK, SPRINT, LAME = Run("ann", "walk", 1), Run("ann", "sprint", 3), Run("ann", "hop", 0, "lame")
HOME = Run("ann", "go home", 0, NEEDLESS)


def ran(view: View, **breath: int) -> Next[View]:
    """After Ann's run, when she has so much breath."""
    (left,) = breath.values()
    return Next(view.replace("ann", Runner(left)), Task(Rest(), "ann"), records={"ann.runs": 1})


def lost(view: View, cause: str) -> Next[View]:
    return Next(view, records={f"ann.lost_to_{cause}": 1})


# -- a plan --------------------------------------------------------------------------------------

FIT, TIRED, SPENT = here(ann=3), here(ann=1), here(ann=0)


@pytest.mark.parametrize(
    ("actions", "view", "after", "says"),
    [
        ([SPRINT], FIT, ran(FIT, ann=0), "ann: sprint"),
        ([SPRINT, WALK], FIT, ran(FIT, ann=0), "ann: sprint"),
        ([SPRINT, WALK], TIRED, ran(TIRED, ann=0), "ann: walk in place of sprint"),
        ([LAME, SPRINT, WALK], TIRED, ran(TIRED, ann=0), "ann: walk in place of hop"),
        # none can be done: what hinders the first of them counts, once
        ([SPRINT], TIRED, lost(TIRED, "breath"), "ann: sprint is lost"),
        ([LAME, SPRINT, WALK], SPENT, lost(SPENT, "lame"), "ann: hop is lost"),
        ([SPRINT, LAME], SPENT, lost(SPENT, "breath"), "ann: sprint is lost"),
        # one that is needless ends the search, and is not counted
        ([HOME], FIT, Next(FIT), ""),
        ([HOME, WALK], FIT, Next(FIT), ""),
        ([SPRINT, HOME, WALK], TIRED, Next(TIRED), ""),
        ([WALK, HOME], FIT, ran(FIT, ann=2), "ann: walk"),
    ],
)
def test_planned_action(actions: list[Run], view: View, after: Next[View], says: str) -> None:
    step = PlannedAction("ann", tuple(actions))
    assert step.ask(view) is None
    assert step.then(view, None) == after
    assert step.says(view) == says


@pytest.mark.parametrize("acts", [True, False])
def test_only_who_acts_has_a_turn(acts: bool) -> None:
    view = View(("ann",), (Runner(3, acts),))
    assert PlannedAction("ann", (WALK,)).applies(view) is acts
    assert ChosenAction("ann", "round 1", (WALK,)).applies(view) is acts


def test_lost_actions_are_counted_by_their_causes() -> None:
    assert lost_to("ann", "breath") == "ann.lost_to_breath"
    measure = actions_lost("ann", ("breath", "lame"))
    assert (measure.names, measure.how) == (("ann.lost_to_breath", "ann.lost_to_lame"), "sum")


# -- a choice ------------------------------------------------------------------------------------

OPEN = ChosenAction("ann", "round 2", (WALK, SPRINT, LAME))


@pytest.mark.parametrize(
    ("breath", "options"),
    [(3, ["walk", "sprint", END]), (2, ["walk", END]), (1, ["walk", END])],
)
def test_what_can_be_done_may_be_chosen(breath: int, options: list[str]) -> None:
    choice = OPEN.ask(here(ann=breath))
    assert choice is not None
    assert [option.key for option in choice.options] == options
    assert choice.options[-1] == Option(END, None)
    assert (choice.by, choice.policy) == ("ann", END)


def test_a_turn_is_over_when_nothing_can_be_done() -> None:
    assert OPEN.ask(here(ann=0)) is None
    assert OPEN.then(here(ann=0), None) == Next(here(ann=0))


def test_a_turn_is_over_when_all_attacks_are_needless() -> None:
    assert ChosenAction("ann", "round 2", (HOME, HOME)).ask(FIT) is None
    assert ChosenAction("ann", "round 2", (WALK, HOME)).ask(FIT) is not None


@pytest.mark.parametrize(
    ("breath", "label"),
    [
        ({"ann": 3}, "round 2: 3 breath"),
        ({"bob": 1, "ann": 3, "cid": 2}, "round 2: 3 breath; bob 1 breath; cid 2 breath"),
        ({"bob": 0, "ann": 3}, "round 2: 3 breath"),
    ],
)
def test_a_choice_says_how_everybody_stands(breath: dict[str, int], label: str) -> None:
    choice = OPEN.ask(here(**breath))
    assert choice is not None
    assert (choice.label, choice.stand) == ("what next?", label)


def test_a_chosen_action_is_followed_by_the_next_choice() -> None:
    after = ran(FIT, ann=2)
    assert OPEN.then(FIT, WALK) == Next(after.part, *after.todo, OPEN, records={"ann.runs": 1})
    assert OPEN.then(FIT, None) == Next(FIT)


# -- rounds --------------------------------------------------------------------------------------


def tasks(names: str) -> tuple[Task, ...]:
    """Tasks of these names."""
    return tuple(Task(Rest(name), "ann") for name in names.split())


def names_of(agenda: tuple[Task, ...]) -> str:
    """The names of tasks, and the marks of the ends of rounds."""
    steps = [task.step for task in agenda]
    return " ".join(e.name if isinstance(e, Rest) else f"|{e.number}" for e in steps)


def turn(who: str, before: str, waits_for: str = "", later: str = "") -> Turn:
    return Turn(who, tasks(before), waits_for, tasks(later))


@pytest.mark.parametrize(
    ("turns", "agenda"),
    [
        ([], "|3"),
        ([turn("ann", "a b"), turn("bob", "c")], "a b c |3"),
        # what is put off comes when the other's turn is over
        ([turn("ann", "a", "bob", "z"), turn("bob", "b"), turn("cid", "c")], "a b z c |3"),
        ([turn("ann", "a", "cid", "z"), turn("bob", "b"), turn("cid", "c")], "a b c z |3"),
        ([turn("ann", "", "bob", "z"), turn("bob", "")], "z |3"),
        # two wait for the same: the first to wait comes first
        (
            [turn("ann", "a", "cid", "z"), turn("bob", "b", "cid", "y"), turn("cid", "c")],
            "a b c z y |3",
        ),
        # a turn that waits itself is over when it is over
        (
            [turn("ann", "a", "bob", "z"), turn("bob", "b", "cid", "y"), turn("cid", "c")],
            "a b c y z |3",
        ),
        (
            [
                turn("ann", "a", "cid", "z"),
                turn("bob", "b", "ann", "y"),
                turn("cid", "c"),
                turn("dan", "d"),
            ],
            "a b c z y d |3",
        ),
    ],
)
def test_agenda(turns: list[Turn], agenda: str) -> None:
    assert names_of(agenda_of(turns, 3, ())) == agenda


def test_what_happens_at_the_end_of_a_round_comes_before_its_mark() -> None:
    turns = [turn("ann", "a", "bob", "z"), turn("bob", "b")]
    agenda = agenda_of(turns, 1, iter(tasks("e f")))
    assert names_of(agenda) == "a b z e f |1"
    assert agenda[-1] == Task(RoundEnds(1), EVERYBODY)


@pytest.mark.parametrize(
    ("turns", "late"),
    [
        # whose turn is over already, who never has one, oneself, and each other
        ([turn("bob", "b"), turn("ann", "a", "bob", "z")], "ann"),
        ([turn("ann", "a", "nobody", "z"), turn("bob", "b")], "ann"),
        ([turn("ann", "a", "ann", "z")], "ann"),
        ([turn("ann", "a", "bob", "z"), turn("bob", "b", "ann", "y")], "ann"),
        ([turn("bob", "b", "cid", "y"), turn("cid", "c", "bob", "z"), turn("ann", "a")], "bob"),
        # somebody who waits for one that never comes
        ([turn("ann", "a", "bob", "z"), turn("bob", "b", "nobody", "y")], "ann"),
    ],
)
def test_nobody_waits_for_ever(turns: list[Turn], late: str) -> None:
    with pytest.raises(ValueError, match=f"^{late}$"):
        agenda_of(turns, 1, ())


def test_the_end_of_a_round_changes_nothing() -> None:
    step = RoundEnds(2)
    assert step.ask(FIT) is None
    assert step.then(FIT, None) == Next(FIT)
    assert step.says(FIT) == "round 2 is over"


THREE_ROUNDS = situation(
    {"ann": Runner(3)},
    *agenda_of([turn("ann", "a b")], 1, ()),
    *agenda_of([turn("ann", "c")], 2, ()),
    *agenda_of([turn("ann", "")], 3, ()),
)


@pytest.mark.parametrize(
    ("number", "agenda"), [(1, "a b |1"), (2, "a b |1 c |2"), (3, "a b |1 c |2 |3")]
)
def test_until_a_round_is_over(number: int, agenda: str) -> None:
    so_far = until_round(THREE_ROUNDS, number)
    assert so_far is not None
    assert names_of(so_far.agenda) == agenda
    assert so_far.parts == THREE_ROUNDS.parts


def test_a_round_that_is_over_cannot_be_cut_off() -> None:
    in_the_second = msgspec.structs.replace(THREE_ROUNDS, agenda=THREE_ROUNDS.agenda[3:])
    assert until_round(in_the_second, 1) is None
    assert until_round(in_the_second, 4) is None
    rest = until_round(in_the_second, 2)
    assert rest is not None
    assert names_of(rest.agenda) == "c |2"


# -- who acts, and for whom ----------------------------------------------------------------------


def race(
    *acting: str | Line, order: tuple[str, ...] = (), rounds: int = 1
) -> Envelope[Participant, Line]:
    """A scenario of the toy game, with a line for each of these."""
    lines = [Line(by=each) if isinstance(each, str) else each for each in acting]
    names = dict.fromkeys(line.by for line in lines)
    everybody = {name: Participant() for name in names} | {"idle": Participant()}
    return Envelope("toy", everybody, lines, rounds, list(order))


@pytest.mark.parametrize(
    ("acting", "order", "found"),
    [
        (("ann",), (), ["ann"]),
        (("bob", "ann", "bob"), (), ["bob", "ann"]),
        (("bob", "ann", "bob"), ("ann", "bob"), ["ann", "bob"]),
    ],
)
def test_order_of_acting(acting: tuple[str, ...], order: tuple[str, ...], found: list[str]) -> None:
    assert order_of_acting(race(*acting, order=order), Document("", {})) == found


@pytest.mark.parametrize("rounds", [2, 3])
def test_lines_may_be_done_in_some_rounds(rounds: int) -> None:
    line = Line(by="ann", in_rounds=[1, 2])
    assert order_of_acting(race(line, rounds=rounds), Document("", {})) == ["ann"]


LATE = Line(by="bob", in_rounds=[1, 3])


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (race("ann", order=("idle",)), "order[1] names 'idle', who does nothing; there is ann"),
        (
            race("ann", order=("ann", "an")),
            "order[2] names 'an', who does nothing; did you mean ann?",
        ),
        (race("ann", "bob", order=("ann", "bob", "ann")), "order[3] names 'ann' twice"),
        (race("ann", "bob", order=("bob",)), "order does not name ann, who acts"),
        (race("ann", LATE, rounds=2), "do[2].in_rounds[2] is 3, but 'rounds' is 2"),
        (race("ann", LATE), "do[2].in_rounds[2] is 3, but 'rounds' is 1"),
    ],
)
def test_wrong_order(wrong: Envelope[Participant, Line], sentence: str) -> None:
    with pytest.raises(QuestionError) as refused:
        order_of_acting(wrong, Document("", {}))
    assert str(refused.value) == sentence


TEAMS: Mapping[str, Participant] = {
    "ann": Participant(side="red"),
    "bob": Participant(side="blue"),
    "cid": Participant(side="red"),
    "dan": Participant(),
    "eve": Participant(),
}


@pytest.mark.parametrize(
    ("name", "friends"),
    [("ann", {"ann", "cid"}), ("cid", {"ann", "cid"}), ("bob", {"bob"}), ("dan", {"dan"})],
)
def test_allies(name: str, friends: set[str]) -> None:
    assert allies(TEAMS, name) == friends


def test_sides() -> None:
    assert sides(TEAMS) == {"red": ("ann", "cid"), "blue": ("bob",)}
    assert sides({"ann": Participant()}) == {}
