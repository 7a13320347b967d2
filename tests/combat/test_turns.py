"""Turns of a toy game: plans and choices, rounds and their ends, who acts, and for whom."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, ClassVar

import msgspec
import pytest

from firepower.chance import (
    NOBODY,
    Choice,
    Mark,
    Next,
    Option,
    Policies,
    Roll,
    Scripted,
    Situation,
    Solver,
    Step,
    Tally,
    Task,
    Told,
    Typed,
    View,
    dice,
    play,
    situation,
)
from firepower.chance.answered import END as AT_THE_END
from firepower.chance.readings import Total
from firepower.combat.actions import NEEDLESS, Action
from firepower.combat.documents import Document
from firepower.combat.errors import QuestionError
from firepower.combat.reactions import Blocked
from firepower.combat.scenario import Envelope, Line, Participant
from firepower.combat.setup import Setup
from firepower.combat.tables import Tables
from firepower.combat.turns import (
    END,
    ChosenTurn,
    PlannedAction,
    RoundEnds,
    Turn,
    TurnOver,
    actions_lost,
    agenda_of,
    has_rounds,
    how_things_stand,
    in_their_order,
    lost_to,
)


class Runner(msgspec.Struct, frozen=True):
    """Somebody with so much breath."""

    breath: int
    acts: bool = True

    @property
    def words(self) -> str:
        return f"{self.breath} breath" if self.breath else ""

    @property
    def glimpse(self) -> bool:
        return self.acts


class Rest(Step[Runner, None], frozen=True, gc=False, cache_hash=True):
    """What comes after a run."""

    reach = ()

    name: str = "rest"

    def says(self, runner: Runner) -> str:
        return self.name

    def then(self, runner: Runner, _: None) -> Next[Runner]:
        return Next(runner)


class Run(Action, frozen=True, kw_only=True):
    """Running costs breath; `cause` blocks it, if it is not empty."""

    cost: int
    cause: str = ""

    is_attack: ClassVar[bool] = True

    def blocked(self, view: View) -> Blocked | None:
        runner: Runner = view[self.who]
        cause = self.cause or ("" if runner.breath >= self.cost else "breath")
        return Blocked(cause) if cause else None

    def resolve(self, view: View) -> Next[View]:
        runner: Runner = view[self.who]
        after = view.replace(self.who, Runner(runner.breath - self.cost))
        return Next(after, Task(Rest(), self.who), records={f"{self.who}.runs": 1})


class Tag(Action, frozen=True, kw_only=True):
    """Whoever still runs may be tagged, and is out."""

    others: tuple[str, ...]

    is_attack: ClassVar[bool] = True

    @property
    def concerns(self) -> tuple[str, ...]:
        return self.others

    def blocked(self, view: View) -> Blocked | None:
        return None if view.glance(self.others[0]) else NEEDLESS

    def resolve(self, view: View) -> Next[View]:
        return Next(view, *[Task(Tagged(), other) for other in self.others])


def run(key: str, cost: int, cause: str = "") -> Run:
    return Run(who="ann", key=key, cost=cost, cause=cause)


def tag(*others: str) -> Tag:
    return Tag(who="ann", key=f"tag {others[0]}", others=others)


class Tagged(Step[Runner, None], frozen=True, gc=False, cache_hash=True):
    """Somebody is tagged."""

    reach = ()

    def then(self, runner: Runner, _: None) -> Next[Runner]:
        return Next(Runner(runner.breath, acts=False), records={"tagged": 1})


def here(*, ann: int, **others: bool) -> View:
    """What Ann sees in her turn: her own breath, and whether others still act."""
    return View(("ann",), (Runner(ann),), tuple(others.items()))


WALK, SPRINT, LAME = run("walk", 1), run("sprint", 3), run("hop", 0, "lame")
HOME = run("go home", 0, NEEDLESS.cause)


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
    assert ChosenTurn("ann", (WALK,)).applies(view) is acts


TAG_BOB, TAG_BOTH = tag("bob"), tag("cid", "bob", "ann")


@pytest.mark.parametrize("kind", [PlannedAction, ChosenTurn])
@pytest.mark.parametrize(
    ("actions", "others"),
    [
        ([WALK], ()),
        ([TAG_BOB], ("bob",)),
        ([WALK, TAG_BOB, SPRINT], ("bob",)),
        # each once, and oneself is not another
        ([TAG_BOTH], ("cid", "bob")),
        ([TAG_BOB, TAG_BOTH], ("bob", "cid")),
    ],
)
def test_a_turn_is_for_one_who_glances_at_others(
    kind: type[PlannedAction | ChosenTurn], actions: list[Run | Tag], others: tuple[str, ...]
) -> None:
    step = kind("ann", tuple(actions))
    assert step.task == Task(step, ("ann",))
    assert step.glances == others
    assert step.reach == others


@pytest.mark.parametrize("kind", [PlannedAction, ChosenTurn])
@pytest.mark.parametrize("acts", [True, False])
def test_of_others_a_turn_sees_whether_they_act(
    kind: type[PlannedAction | ChosenTurn], acts: bool
) -> None:
    step = kind("ann", (TAG_BOB,))
    assert {step.glance(Runner(breath, acts)) for breath in (0, 3)} == {acts}


def test_who_acts_no_more_hinders_a_plan() -> None:
    step = PlannedAction("ann", (TAG_BOB,))
    stands, out = here(ann=0, bob=True), here(ann=0, bob=False)
    assert (step.says(stands), step.says(out)) == ("ann: tag bob", "")
    assert step.then(stands, None) == Next(stands, Task(Tagged(), "bob"))
    assert step.then(out, None) == Next(out)


def test_a_plan_reaches_others_only_by_what_it_brings() -> None:
    """Bob is tagged once: the second time there is nobody to tag. Cid is left alone."""
    runners = {"bob": Runner(1), "ann": Runner(2), "cid": Runner(3)}
    start = situation(runners, *[PlannedAction("ann", (TAG_BOB,)).task] * 2)
    played = play(start, Typed([]))
    assert played.finished
    assert played.situation.parts == (Runner(1, acts=False), Runner(2), Runner(3))
    assert [e.text for e in played.events if isinstance(e, Told)] == ["ann: tag bob"]
    assert dict(Solver().odds(start, Tally(("bob.tagged",)))) == {1: 1}


def test_lost_actions_are_counted_by_their_causes() -> None:
    assert lost_to("ann", "breath") == "ann.lost_to_breath"
    measure = actions_lost("ann", ("breath", "lame"))
    assert (measure.names, measure.how) == (("ann.lost_to_breath", "ann.lost_to_lame"), "sum")


# -- a choice ------------------------------------------------------------------------------------

OPEN = ChosenTurn("ann", (WALK, SPRINT, LAME))


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
    assert ChosenTurn("ann", (HOME, HOME)).ask(FIT) is None
    assert ChosenTurn("ann", (WALK, HOME)).ask(FIT) is not None


def test_a_turn_is_over_when_nobody_is_left_to_act_against() -> None:
    step = ChosenTurn("ann", (TAG_BOB, tag("cid")))
    choice = step.ask(here(ann=1, bob=False, cid=True))
    assert choice is not None
    assert [option.key for option in choice.options] == ["tag cid", END]
    assert step.ask(here(ann=1, bob=False, cid=False)) is None


def test_a_choice_asks_what_comes_next() -> None:
    choice = OPEN.ask(FIT)
    assert choice is not None
    assert (choice.label, choice.side, choice.stated) == ("what next?", "", None)


@pytest.mark.parametrize(
    ("breath", "when", "words"),
    [
        ({"ann": 3}, "round 2", "round 2: 3 breath"),
        (
            {"bob": 1, "ann": 3, "cid": 2},
            "round 2",
            "round 2: 3 breath; bob 1 breath; cid 2 breath",
        ),
        ({"bob": 0, "ann": 3}, "round 2", "round 2: 3 breath"),
        # who decides may have nothing to say, and there may be no rounds
        ({"bob": 1, "ann": 0}, "round 2", "round 2: bob 1 breath"),
        ({"bob": 1, "ann": 3}, "", "3 breath; bob 1 breath"),
        ({"bob": 0, "ann": 0}, "round 2", "round 2"),
        ({"bob": 0, "ann": 0}, "", ""),
    ],
)
def test_how_everybody_stands_is_said_of_a_choice(
    breath: dict[str, int], when: str, words: str
) -> None:
    parts = {name: Runner(each) for name, each in breath.items()}
    assert how_things_stand("ann", when, parts.items()) == words
    assert how_things_stand("ann", when, iter(parts.items())) == words


class Attentive(Policies):
    """Walks whenever that may be done, and keeps in mind what it is told beside the choice."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def decide(self, choice: Choice[Any], parts: Mapping[str, Any], mark: str) -> str | None:
        self.told.append(how_things_stand(choice.by, mark, parts.items()))
        return "walk"


def test_of_several_states_that_make_no_difference_each_is_told_or_what_they_share() -> None:
    few = [(("ann", Runner(n)), ("bob", Runner(2))) for n in (1, 3)]
    assert how_things_stand("ann", "round 1", *few) == "round 1: 1 breath or 3 breath; bob 2 breath"
    assert how_things_stand("bob", "", *few) == "2 breath; ann 1 breath or 3 breath"
    many = [(("ann", Runner(n)), ("bob", Runner(2))) for n in range(5)]
    assert how_things_stand("bob", "", *many) == "2 breath"
    assert how_things_stand("ann", "", (("ann", Runner(0)),), (("ann", Runner(1)),)) == (
        "— or 1 breath"
    )


def test_who_decides_is_told_the_round_and_how_everybody_stands() -> None:
    second = (Task(Gasp(), "ann"), Task(Gasp(), "bob"), OPEN.task)
    runners = {"bob": Runner(1), "ann": Runner(1)}
    attentive = Attentive()
    start = situation(runners, *agenda_of([[(OPEN.task,)], [second]]))
    assert play(start, Typed(["2", "4"]), attentive).finished
    assert attentive.told == [
        "round 1: 1 breath; bob 1 breath",
        "round 2: 2 breath; bob 5 breath",
        "round 2: 1 breath; bob 5 breath",
    ]


def test_a_chosen_action_is_followed_by_the_next_choice() -> None:
    after = ran(FIT, ann=2)
    assert OPEN.then(FIT, WALK) == Next(after.part, *after.todo, OPEN, records={"ann.runs": 1})
    assert OPEN.then(FIT, None) == Next(FIT)


@pytest.mark.parametrize(
    ("keys", "breath", "runs"),
    [
        (["walk", "walk", END], 1, 2),
        (["sprint"], 0, 1),
        (["walk", "walk", "walk"], 0, 3),
        ([END], 3, 0),
    ],
)
def test_a_turn_left_open_goes_on_until_it_is_ended(
    keys: list[str], breath: int, runs: int
) -> None:
    start = situation({"bob": Runner(9), "ann": Runner(3)}, OPEN.task)
    script = Scripted(keys, Policies())
    played = play(start, Typed([]), script)
    assert not script.unused()
    assert played.situation.parts == (Runner(9), Runner(breath))
    assert played.number(Tally(("ann.runs",))) == runs


# -- rounds --------------------------------------------------------------------------------------


def tasks(names: str) -> tuple[Task, ...]:
    """Tasks of these names."""
    return tuple(Task(Rest(name), "ann") for name in names.split())


def names_of(agenda: Iterable[Task]) -> str:
    """The names of tasks, the ends of turns, and those of rounds with what comes after them."""
    names = []
    for step in [task.step for task in agenda]:
        if isinstance(step, Rest):
            names.append(step.name)
        elif isinstance(step, TurnOver):
            names.append(f".{step.left}")
        else:
            assert isinstance(step, RoundEnds)
            names += [f"|{step.number}", *names_of(step.next_round).split()]
    return " ".join(names)


def turn(who: str, before: str, waits_for: str = "", later: str = "") -> Turn:
    return Turn(who, tasks(before), waits_for, tasks(later))


@pytest.mark.parametrize(
    ("turns", "agenda"),
    [
        ([], ""),
        ([turn("ann", "a b"), turn("bob", "c")], "a b c"),
        # what is put off comes when the other's turn is over
        ([turn("ann", "a", "bob", "z"), turn("bob", "b"), turn("cid", "c")], "a b z c"),
        ([turn("ann", "a", "cid", "z"), turn("bob", "b"), turn("cid", "c")], "a b c z"),
        ([turn("ann", "", "bob", "z"), turn("bob", "")], "z"),
        # two wait for the same: the first to wait comes first
        (
            [turn("ann", "a", "cid", "z"), turn("bob", "b", "cid", "y"), turn("cid", "c")],
            "a b c z y",
        ),
        # a turn that waits itself is over when it is over
        (
            [turn("ann", "a", "bob", "z"), turn("bob", "b", "cid", "y"), turn("cid", "c")],
            "a b c y z",
        ),
        (
            [
                turn("ann", "a", "cid", "z"),
                turn("bob", "b", "ann", "y"),
                turn("cid", "c"),
                turn("dan", "d"),
            ],
            "a b c z y d",
        ),
    ],
)
def test_agenda(turns: list[Turn], agenda: str) -> None:
    assert names_of([task for tasks in in_their_order(turns) for task in tasks]) == agenda


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
        in_their_order(turns)


NO_ONE = View((), ())


def test_the_end_of_a_round_changes_nothing() -> None:
    step = RoundEnds(2)
    assert step.ask(NO_ONE) is None
    assert step.then(NO_ONE, None) == Next(NO_ONE)
    assert step.says(NO_ONE) == "round 2 is over"


def test_the_end_of_a_round_brings_the_next() -> None:
    step = RoundEnds(2, tasks("a b"))
    assert step.then(NO_ONE, None) == Next(NO_ONE, *tasks("a b"))
    assert step.glances == ()


def test_the_end_of_a_round_is_marked() -> None:
    assert RoundEnds(3).mark == Mark("round 3")


def test_the_end_of_a_turn_tells_how_many_are_left_and_changes_nothing() -> None:
    step = TurnOver(4)
    assert step.mark == Mark("", 4)
    assert step.ask(NO_ONE) is None
    assert step.then(NO_ONE, None) == Next(NO_ONE)
    assert step.says(NO_ONE) == ""


@pytest.mark.parametrize(
    ("rounds", "agenda"),
    [
        ([], ""),
        ([["a b"]], "a b .0 |1"),
        ([["a b", "c"]], "a b .1 c .0 |1"),
        ([["a b"], ["c", "d e"]], "a b .2 |1 c .1 d e .0 |2"),
        ([["a b"], ["c"], []], "a b .1 |1 c .0 |2 |3"),
    ],
)
def test_one_round_after_the_other(rounds: list[list[str]], agenda: str) -> None:
    chained = agenda_of([[tasks(turn) for turn in turns] for turns in rounds])
    assert names_of(chained) == agenda
    ends = [task for task in chained if isinstance(task.step, RoundEnds)]
    assert [task.who for task in ends] == [NOBODY] * bool(rounds)


def test_a_round_begins_when_the_last_is_over() -> None:
    """What is to come is not on the agenda before."""
    agenda = agenda_of([[tasks("a b")], [tasks("c")], []])
    last = Task(RoundEnds(3), NOBODY)
    second = (*tasks("c"), Task(TurnOver(0), NOBODY), Task(RoundEnds(2, (last,)), NOBODY))
    first = (Task(TurnOver(1), NOBODY), Task(RoundEnds(1, second), NOBODY))
    assert agenda == (*tasks("a b"), *first)


class Gasp(Step[Runner, int], frozen=True, gc=False, cache_hash=True):
    """Breath comes back, by a die."""

    reach = ()

    def ask(self, runner: Runner) -> Roll[int]:
        return Roll("gasp", dice("d4"), Total("breath"))

    def then(self, runner: Runner, breath: int) -> Next[Runner]:
        return Next(Runner(runner.breath + breath), records={"gasps": 1, "breath": breath})


ROUNDS = [(Task(Gasp(), "ann"), *tasks("a b")), (*tasks("c"), Task(Gasp(), "ann")), ()]
BREATH = Tally(("ann.breath",))
D4 = {face: Fraction(1, 4) for face in (1, 2, 3, 4)}
TWO_D4 = {total: Fraction(4 - abs(5 - total), 16) for total in range(2, 9)}


def of_rounds(*rounds: tuple[Task, ...]) -> Situation:
    agenda = agenda_of([[each] if each else [] for each in rounds])
    return situation({"bob": Runner(0), "ann": Runner(3)}, *agenda)


THREE_ROUNDS = of_rounds(*ROUNDS)


def test_rounds_are_played_in_their_order() -> None:
    played = play(THREE_ROUNDS, Typed(["2", "3"]))
    assert played.finished
    told = [each.text for each in played.events if isinstance(each, Told)]
    assert " ".join(told) == "a b round 1 is over c round 2 is over round 3 is over"
    assert played.situation.parts == (Runner(0), Runner(8))


@pytest.mark.parametrize(("number", "found"), [(1, D4), (2, TWO_D4), (3, TWO_D4)])
def test_when_a_round_is_over_it_is_as_if_there_were_no_more(
    number: int, found: dict[int, Fraction]
) -> None:
    solver = Solver()
    by_mark = solver.odds_by_mark(THREE_ROUNDS, BREATH)
    assert dict(by_mark[f"round {number}"]) == found
    assert by_mark[f"round {number}"] == solver.odds(of_rounds(*ROUNDS[:number]), BREATH)


def test_the_end_is_that_of_the_last_round() -> None:
    by_mark = Solver().odds_by_mark(THREE_ROUNDS, BREATH)
    assert set(by_mark) == {"round 1", "round 2", "round 3", AT_THE_END}
    assert by_mark[AT_THE_END] == by_mark["round 3"]


def test_a_round_that_is_over_has_no_answer() -> None:
    in_the_second = play(THREE_ROUNDS, Typed(["2"])).situation
    by_mark = Solver().odds_by_mark(in_the_second, BREATH)
    assert set(by_mark) == {"round 2", "round 3", AT_THE_END}
    assert dict(by_mark["round 2"]) == {2 + face: p for face, p in D4.items()}
    sampled = Solver().sample_by_mark(in_the_second, [BREATH], 50, seed=1)
    assert set(sampled) == set(by_mark)


def test_what_is_sampled_is_marked_by_rounds_too() -> None:
    sampled = Solver().sample_by_mark(THREE_ROUNDS, [BREATH], 400, seed=1)
    assert set(sampled) == {"round 1", "round 2", "round 3", AT_THE_END}
    for mark, found in (("round 1", D4), ("round 2", TWO_D4), ("round 3", TWO_D4)):
        (each,) = sampled[mark]
        assert each.count == 400
        assert set(each.seen.weights) == set(found)
    assert sampled["round 2"] == sampled["round 3"] == sampled[AT_THE_END]


@pytest.mark.parametrize(
    ("start", "rounds"),
    [
        (THREE_ROUNDS, True),
        (of_rounds(()), True),
        (play(THREE_ROUNDS, Typed(["2"])).situation, True),
        (play(THREE_ROUNDS, Typed(["2", "3"])).situation, False),
        (situation({"ann": Runner(3)}, *tasks("a")), False),
    ],
)
def test_a_question_may_be_one_of_rounds(start: Situation, rounds: bool) -> None:
    assert has_rounds(start) is rounds


# -- who acts, and for whom ----------------------------------------------------------------------


def race(
    *acting: str | Line, order: tuple[str, ...] = (), rounds: int = 1
) -> Envelope[Participant, Line]:
    """A scenario of the toy game, with a line for each of these."""
    lines = [Line(by=each) if isinstance(each, str) else each for each in acting]
    names = dict.fromkeys(line.by for line in lines)
    everybody = {name: Participant() for name in names} | {"idle": Participant()}
    return Envelope("toy", everybody, lines, rounds, list(order))


def setup_of(scenario: Envelope[Participant, Line]) -> Setup[Participant, Line, Tables]:
    return Setup(Tables(), scenario, Document("", {}), rounds=scenario.rounds)


@pytest.mark.parametrize(
    ("acting", "order", "found"),
    [
        (("ann",), (), ["ann"]),
        (("bob", "ann", "bob"), (), ["bob", "ann"]),
        (("bob", "ann", "bob"), ("ann", "bob"), ["ann", "bob"]),
    ],
)
def test_order_of_acting(acting: tuple[str, ...], order: tuple[str, ...], found: list[str]) -> None:
    assert list(setup_of(race(*acting, order=order)).acting) == found


@pytest.mark.parametrize("rounds", [2, 3])
def test_lines_may_be_done_in_some_rounds(rounds: int) -> None:
    line = Line(by="ann", in_rounds=[1, 2])
    assert setup_of(race(line, rounds=rounds)).acting == ("ann",)


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
        (race("ann", LATE, rounds=2), "do[2].in_rounds[2] is 3, but the last round is 2"),
        (race("ann", LATE), "do[2].in_rounds[2] is 3, but the last round is 1"),
    ],
)
def test_wrong_order(wrong: Envelope[Participant, Line], sentence: str) -> None:
    with pytest.raises(QuestionError) as refused:
        setup_of(wrong)
    assert str(refused.value) == sentence


TEAMS = {
    "ann": Participant(side="red"),
    "bob": Participant(side="blue"),
    "cid": Participant(side="red"),
    "dan": Participant(),
    "eve": Participant(),
}
TEAM_RACE = setup_of(Envelope("toy", TEAMS, [Line(by="ann")]))


@pytest.mark.parametrize(
    ("name", "friends"),
    [("ann", {"ann", "cid"}), ("cid", {"ann", "cid"}), ("bob", {"bob"}), ("dan", {"dan"})],
)
def test_allies(name: str, friends: set[str]) -> None:
    assert TEAM_RACE.allies(name) == friends


def test_sides() -> None:
    assert TEAM_RACE.sides == {"red": ("ann", "cid"), "blue": ("bob",)}
    assert setup_of(race("ann")).sides == {}


def test_what_is_about_turns_needs_rounds() -> None:
    """Without them the lines stand alone."""
    for wrong in (
        msgspec.structs.replace(race("ann", order=("ann",)), rounds=None),
        msgspec.structs.replace(race(Line(by="ann", in_rounds=[1])), rounds=None),
    ):
        with pytest.raises(QuestionError, match="needs the key 'rounds'"):
            setup_of(wrong)
