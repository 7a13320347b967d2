"""Questions: stated Choices, sides, who throws, and Resolutions thrown in handfuls."""

from fractions import Fraction
from functools import partial
from typing import Any

import msgspec
import pytest

from firepower.chance import (
    AtLeast,
    Choice,
    Chosen,
    Final,
    Generator,
    Goal,
    Next,
    Recorded,
    Resolution,
    Roll,
    Scripted,
    Situation,
    Solver,
    Step,
    StepError,
    Tally,
    Task,
    Thrown,
    Typed,
    View,
    play,
    situation,
)
from firepower.chance.dice import Face
from firepower.chance.sources import Policies
from tests.chance.brute import Odds, counted, every_play, odds_of, part
from tests.chance.toys import (
    COIN,
    D2,
    D6,
    NOTHING,
    Effect,
    HandfulThrow,
    LocalHandfulThrow,
    LocalNote,
    Pick,
    Score,
    Throw,
    scores,
    times,
)

GAIN = Tally(("a.gain",))
HALF = Fraction(1, 2)


class Ruled(Pick, frozen=True, gc=False, cache_hash=True):
    """A Choice that a side makes, or of which the option was stated."""

    side: str = ""
    stated: str | None = None

    def ask(self, tokens: int) -> Choice[Effect]:
        return msgspec.structs.replace(super().ask(tokens), side=self.side, stated=self.stated)


OPTIONS = (("low", scores("gain")), ("high", scores("gain", 3)), ("none", NOTHING))


def stated(key: str | None, policy: str = "low") -> Situation:
    return situation({"a": 0}, Task(Ruled("a", OPTIONS, policy, stated=key), "a"))


# -- what was stated -----------------------------------------------------------------------------


@pytest.mark.parametrize(("key", "gain"), [("low", 1), ("high", 3), ("none", 0), (None, 1)])
def test_what_was_stated_is_taken_else_what_the_policy_says(key: str | None, gain: int) -> None:
    start = stated(key)
    assert odds_of(Solver().odds(start, GAIN)) == {gain: 1}
    assert play(start, Generator(1)).number(GAIN) == gain
    assert Solver().sample(start, (GAIN,), 5, seed=1)[0].seen.p(gain) == 1


class Never:
    """A decider who must not be asked."""

    def decide(self, choice: Choice[Any], parts: object, mark: str) -> str:
        raise AssertionError(choice.label)


def test_a_stated_choice_is_no_event_and_asks_no_decider() -> None:
    played = play(stated("high"), Generator(1), Never())
    assert [type(event) for event in played.events] == [Recorded]
    assert played.options == ()
    assert [type(event) for event in play(stated(None), Generator(1)).events] == [Chosen, Recorded]


def test_a_stated_choice_does_not_stop_a_play_whose_faces_have_run_out() -> None:
    assert play(stated("high"), Typed([])).finished
    assert not play(stated(None), Typed([])).finished


@pytest.mark.parametrize("askers", [None, frozenset({"a"}), frozenset({"b"}), frozenset({"red"})])
@pytest.mark.parametrize("against", [False, True])
def test_a_stated_choice_is_no_decision_for_anybody(
    askers: frozenset[str] | None, against: bool
) -> None:
    start = situation({"a": 0}, Task(Ruled("a", OPTIONS, "low", "pick", "red", "none"), "a"))
    for goal in (Goal(GAIN), Goal(GAIN, 1), Goal(Final("a", int))):
        advice = Solver().advice(start, goal, askers, against=against)
        assert advice.value == 0
        assert not advice.decisions


def test_a_key_that_was_stated_and_is_not_there_is_a_mistake() -> None:
    sentence = "the choice 'pick' has no option 'up'"
    for reading in (
        lambda: Solver().odds(stated("up"), GAIN),
        lambda: Solver().advice(stated("up"), Goal(GAIN)),
        lambda: Solver().sample(stated("up"), (GAIN,), 5, seed=1),
    ):
        with pytest.raises(StepError, match=sentence):
            reading()


def test_a_key_that_was_stated_and_is_not_there_is_a_mistake_in_play_too() -> None:
    with pytest.raises(StepError, match="the choice 'pick' has no option 'up'"):
        play(stated("up"), Generator(1))


def test_what_was_stated_is_no_policy_that_advice_follows() -> None:
    assert not Solver().advice(stated("high"), Goal(GAIN)).policies


# -- sides ---------------------------------------------------------------------------------------


def two_sides() -> Situation:
    """a and c are of one side; b, who is of the other, chooses in between."""
    mine = Ruled("a", OPTIONS, "none", "mine", "red")
    theirs = Ruled("b", (("give", NOTHING), ("take", Effect(todo=(SPOIL,)))), "give", "x", "blue")
    ours = Ruled("c", (("rest", NOTHING), ("help", Effect(todo=(HELP,)))), "rest", "ours", "red")
    return situation(dict.fromkeys("abc", 0), Task(mine, "a"), Task(theirs, "b"), Task(ours, "c"))


HELP = Task(Throw(D2, 2, scores("gain", 4)), "a")
SPOIL = Task(Throw(D2, 2, NOTHING, scores("gain", 5)), "a")


@pytest.mark.parametrize(
    ("askers", "against", "value"),
    [
        (None, False, 3 + Fraction(5, 2) + 2),
        (frozenset({"a"}), False, 3),
        (frozenset({"c"}), False, 2),
        (frozenset({"b"}), False, Fraction(5, 2)),
        (frozenset({"a", "c"}), False, 5),
        (frozenset({"a", "c"}), True, 5),
        (frozenset({"a"}), True, 3),
    ],
)
def test_the_askers_decide_for_the_goal(
    askers: frozenset[str] | None, against: bool, value: Fraction
) -> None:
    assert Solver().advice(two_sides(), Goal(GAIN), askers, against=against).value == value


@pytest.mark.parametrize(
    ("side", "against", "value", "labels"),
    [
        ("red", False, 5, ["mine", "ours"]),
        ("red", True, 5, ["mine", "x", "ours"]),
        ("blue", False, Fraction(5, 2), ["x"]),
        ("blue", True, Fraction(5, 2), ["mine", "x", "ours"]),
    ],
)
def test_a_side_that_asks_decides_for_all_of_its_own(
    side: str, against: bool, value: Fraction, labels: list[str]
) -> None:
    advice = Solver().advice(two_sides(), Goal(GAIN), frozenset({side}), against=against)
    assert advice.value == value
    assert [decision.label for decision in advice.decisions] == labels


def test_choices_of_the_other_side_follow_their_policy() -> None:
    """Whoever asks for one side opens none of the choices of the other."""
    for side, labels in (("red", {"mine", "ours"}), ("blue", {"x"}), ("green", set())):
        advice = Solver().advice(two_sides(), Goal(GAIN), frozenset({side}))
        assert {decision.label for decision in advice.decisions} == labels


# -- who throws ----------------------------------------------------------------------------------


class Thrower(Step[Any, bool], frozen=True, gc=False, cache_hash=True):
    """A throw by somebody who is not the one it is for."""

    by: str = ""

    def ask(self, seen: Any) -> Roll[bool]:
        return Roll("thrown", D2, AtLeast(2), by=self.by)

    def then(self, seen: Any, hit: bool) -> Next[Any]:
        return Next(seen, records={"hit": hit})


class Inside(Step[Any, int], frozen=True, gc=False, cache_hash=True):
    """The same, inside a Resolution."""

    by: str = ""

    def ask(self, seen: Any) -> Resolution:
        return Resolution("inside", (Thrower(self.by),), "hit")

    def then(self, seen: Any, hit: int) -> Next[Any]:
        return Next(seen, records={"hit": hit})


class Listening(Generator):
    """A generator that remembers who threw."""

    def __init__(self) -> None:
        super().__init__(1)
        self.heard: list[str] = []

    def throw(self, roll: Roll[Any], who: str) -> tuple[Face, ...]:
        self.heard.append(who)
        return super().throw(roll, who)


@pytest.mark.parametrize("kind", [Thrower, Inside])
@pytest.mark.parametrize(
    ("who", "by", "throws"),
    [
        ("a", "", "a"),
        ("a", "b", "b"),
        ("a", "umpire", "umpire"),
        (("a",), "", ""),
        (("a", "b"), "", ""),
        (("a", "b"), "b", "b"),
        ((), "b", "b"),
        ("", "a", "a"),
    ],
)
def test_whoever_a_roll_names_throws_it_whomever_it_is_for(
    kind: type[Step[Any, Any]], who: Any, by: str, throws: str
) -> None:
    start = situation({"a": 0, "b": 0}, Task(kind(by), who))
    source = Listening()
    played = play(start, source)
    (thrown,) = [event for event in played.events if isinstance(event, Thrown)]
    assert (thrown.who, source.heard) == (throws, [throws])


@pytest.mark.parametrize(
    ("who", "by", "throws"),
    [("a", "", "a"), ("a", "b", "b"), (("a", "b"), "", ""), (("a", "b"), "b", "b"), ("", "a", "a")],
)
def test_who_throws_is_listed_with_each_question(who: Any, by: str, throws: str) -> None:
    start = situation({"a": 0, "b": 0}, Task(Thrower(by), who))
    asked = Solver().asked(start, Tally(("hit", "a.hit")))
    assert [(thrower, question.label) for thrower, question in asked] == [(throws, "thrown")]


def test_a_question_by_one_is_listed_once_whomever_it_is_for() -> None:
    start = situation(
        {"a": 0, "b": 0}, *(Task(Thrower("b"), who) for who in (("a", "b"), ("b",), "b"))
    )
    asked = list(Solver().asked(start, Tally(("hit", "a.hit", "b.hit"))))
    assert [(who, question.label) for who, question in asked] == [("b", "thrown")]


# -- what a Resolution records -------------------------------------------------------------------


class Loses(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """Loses so many tokens as the steps inside come to."""

    together = True

    inside: tuple[Any, ...]
    recorded: bool = False

    def ask(self, tokens: int) -> Resolution:
        return Resolution("losing", self.inside, "loss", 0, self.recorded)

    def then(self, tokens: int, loss: int) -> Next[int]:
        return Next(max(0, tokens - loss), records={"told": loss})


class LosesInTurn(Loses, frozen=True, gc=False, cache_hash=True):
    """The same, one at a time."""

    together = False


SIDE_EFFECTS = (
    Throw(D2, 2, Effect(records=(("loss", 2), ("noise", 1))), scores("loss")),
    LocalNote(scores("smoke", 3)),
)


@pytest.mark.parametrize("recorded", [False, True])
def test_an_answer_is_a_record_only_if_it_says_so(recorded: bool) -> None:
    start = situation({"a": 9}, Task(Loses(SIDE_EFFECTS, recorded), "a"))
    asked = tuple(Tally((f"a.{name}",)) for name in ("loss", "noise", "smoke", "told"))
    expected = {(2 * recorded, 1, 3, 2): HALF, (recorded, 0, 3, 1): HALF}
    assert odds_of(Solver().joint(start, asked)) == expected
    assert counted(start, lambda played: tuple(map(played.number, asked))) == expected


@pytest.mark.parametrize("recorded", [False, True])
def test_an_answer_inside_an_answer_is_recorded_only_if_both_say_so(recorded: bool) -> None:
    inner = Loses(SIDE_EFFECTS, recorded)
    start = situation({"a": 9}, Task(Loses((inner,), recorded=True), "a"))
    asked = tuple(Tally((f"a.{name}",)) for name in ("loss", "noise", "smoke", "told"))
    joint = odds_of(Solver().joint(start, asked))
    assert joint == counted(start, lambda played: tuple(map(played.number, asked)))
    # told: once by the inner step, once by the outer, which answers what the inner one recorded
    answers = ((2, 1), (1, 0))
    assert joint == {
        (answer * recorded, noise, 3, answer + answer * recorded): HALF for answer, noise in answers
    }


# -- handfuls ------------------------------------------------------------------------------------

SAVE = HandfulThrow(D6, 5, NOTHING, scores("loss"))
WOUND = HandfulThrow(D6, 4, Effect(todo=(SAVE,)))
HIT = HandfulThrow(D6, 3, Effect(todo=(WOUND,)))


def hands(start: Situation, *faces: str) -> list[tuple[int, str]]:
    """How many dice were thrown at a time, and for what need."""
    return [
        (len(event.faces), event.need)
        for event in play(start, Typed(faces)).events
        if isinstance(event, Thrown)
    ]


FACES = ["6"] * 20 + ["1"] * 10 + ["6"] * 12 + ["1"] * 8 + ["6"] * 5 + ["1"] * 7
HANDS = [(30, "3+"), (20, "4+"), (12, "5+")]


def test_thirty_attacks_of_one_hand_are_three_throws() -> None:
    """Thirty Resolutions: all the dice to hit, then all to wound, then all the saves."""
    start = situation({"a": 40}, times(Loses((HIT,)), 30, "a"))
    assert hands(start, *FACES) == HANDS
    assert part(play(start, Typed(FACES)), "a") == 40 - 7


def test_several_resolutions_of_several_dice_are_thrown_together() -> None:
    start = situation({"a": 40}, times(Loses((times(HIT, 10),)), 3, "a"))
    assert hands(start, *FACES)[0] == HANDS[0]


@pytest.mark.parametrize("resolutions", [1, 3])
def test_all_the_dice_inside_a_resolution_are_three_throws(resolutions: int) -> None:
    inside = (times(HIT, 30 // resolutions),)
    start = situation({"a": 40}, times(Loses(inside), resolutions, "a"))
    assert hands(start, *FACES) == HANDS


def test_a_handful_inside_a_resolution_that_was_begun_goes_on_as_one() -> None:
    start = situation({"a": 40}, Task(Loses((times(HIT, 10),)), "a"))
    stopped = play(start, Typed(["1", "1"]))
    assert hands(stopped.situation, *["1"] * 8) == [(8, "3+")]


def test_a_handful_outside_leads_to_handfuls() -> None:
    start = situation({"a": 40}, times(HIT, 30, "a"))
    assert hands(start, *FACES) == HANDS


SMALL_SAVE = HandfulThrow(D2, 2, NOTHING, scores("loss"))
SMALL_HIT = HandfulThrow(COIN, 2, Effect(todo=(SMALL_SAVE,)), scores("missed"))
STEPS = {
    "one resolution": times(Loses((times(SMALL_HIT, 3),)), 1, "a"),
    "two resolutions": times(Loses((times(SMALL_HIT, 2),)), 2, "a"),
    "three resolutions": times(Loses((SMALL_HIT, LocalNote(scores("noise")))), 3, "a"),
    "one inside the other": times(Loses((Loses((times(SMALL_HIT, 2),), recorded=True),)), 2, "a"),
    "recorded": times(Loses((times(SMALL_HIT, 2),), recorded=True), 2, "a"),
    "one by one": times(LosesInTurn((times(SMALL_HIT, 2),)), 2, "a"),
    "a handful without": times(LocalHandfulThrow(COIN, 2, Effect(1, (("loss", 1),))), 4, "a"),
}
COUNTED = (
    *(Tally((f"a.{name}",)) for name in ("loss", "missed", "told", "noise")),
    Tally(("a.told",), "greatest"),
)
ASKED: tuple[Tally | Final, ...] = (Final("a", int), *COUNTED)


@pytest.mark.parametrize("name", STEPS)
def test_wherever_a_handful_stops_the_odds_add_up_to_what_they_were(name: str) -> None:
    """Stopped after every number of dice there can be, and averaged over all their faces."""
    start = situation({"a": 2}, STEPS[name], Task(Score(D2, "noise"), "a"))
    solver = Solver()
    whole = odds_of(solver.joint(start, ASKED))
    assert whole == counted(
        start,
        lambda played: (part(played, "a"), *map(played.number, COUNTED)),
    )
    longest = max(len(played.faces) for _, played in every_play(start))
    for most in range(longest + 1):
        mixed: Odds[tuple[Any, ...]] = {}
        for chance, played in every_play(start, most=most):
            for outcome, share in solver.joint(played.situation, ASKED):
                mixed[outcome] = mixed.get(outcome, Fraction(0)) + chance * share
        assert mixed == whole


@pytest.mark.parametrize("name", STEPS)
def test_a_play_that_stopped_in_a_handful_goes_on_with_the_same_chances(name: str) -> None:
    """Each half played out by every face: no odds are asked in between."""
    start = situation({"a": 2}, STEPS[name])
    whole = counted(start, lambda played: (part(played, "a"), played.number(COUNTED[0])))
    for most in (1, 2, 3):
        mixed: Odds[tuple[Any, ...]] = {}
        for chance, played in every_play(start, most=most):
            for share, rest in every_play(played.situation):
                outcome = (part(rest, "a"), rest.number(COUNTED[0]))
                mixed[outcome] = mixed.get(outcome, Fraction(0)) + chance * share
        assert mixed == whole


class Fall(Step[View, int], frozen=True, gc=False, cache_hash=True):
    """A Resolution of a step for several, which glances, reads and may record less than nothing."""

    signed = True
    watched: tuple[str, ...] = ()
    read: tuple[Tally, ...] = ()
    worth: int = 1

    @property
    def glances(self) -> tuple[str, ...]:
        return self.watched

    @property
    def reads(self) -> tuple[Tally, ...]:
        return self.read

    def glance(self, tokens: int) -> bool:
        return tokens > 0

    def ask(self, view: View) -> Resolution:
        return Resolution("falling", (times(Throw(D2, 2, scores("loss")), 2),), "loss", 0)

    def then(self, view: View, loss: int) -> Next[View]:
        seen = sum(view.glance(name) for name in self.watched) + sum(map(view.tally, self.read))
        return Next(view, records={"a.gain": self.worth * loss + seen})


@pytest.mark.parametrize(
    "step",
    [
        Fall(),
        pytest.param(
            Fall(watched=("b",)),
        ),
        pytest.param(
            Fall(read=(Tally(("a.hit",)),)),
        ),
        pytest.param(
            Fall(worth=-1),
        ),
    ],
    ids=["plain", "glances", "reads", "signed"],
)
def test_a_resolution_for_several_goes_on_where_it_stopped(step: Fall) -> None:
    hit = Task(Throw(D2, 2, scores("hit")), "a")
    start = situation({"a": 1, "b": 1}, hit, Task(step, ("a",)))
    solver = Solver()
    whole = odds_of(solver.odds(start, GAIN))
    mixed: Odds[Any] = {}
    for chance, played in every_play(start, most=2):
        for outcome, share in solver.odds(played.situation, GAIN):
            mixed[outcome] = mixed.get(outcome, Fraction(0)) + chance * share
        assert play(played.situation, Generator(1)).finished
    assert mixed == whole


def test_what_is_told_after_a_stop_is_what_would_have_been_told() -> None:
    start = situation({"a": 9}, Task(Loses((Throw(D2, 2, scores("loss")), Score(D2))), "a"))
    whole = play(start, Typed(["2", "1"]))
    stopped = play(start, Typed(["2"]))
    rest = play(stopped.situation, Typed(["1"]))
    assert (*stopped.events, *rest.events) == whole.events


@pytest.mark.parametrize(
    ("inside", "sentence"),
    [
        (Throw(D2, 1, scores("loss", -1)), "Throw records less than nothing"),
        (
            Throw(D2, 1, Effect(todo=(Task(LocalNote(scores("loss")), "b"),))),
            "'b', who is not here",
        ),
    ],
)
@pytest.mark.parametrize(
    "reading",
    [
        "odds",
        pytest.param(
            "play",
        ),
    ],
)
def test_promises_are_held_inside_a_resolution_too(
    inside: Throw, sentence: str, reading: str
) -> None:
    start = situation({"a": 3, "b": 3}, Task(Loses((inside,)), "a"))
    answered = partial(Solver().odds, start, GAIN)
    with pytest.raises(StepError, match=sentence):
        answered() if reading == "odds" else play(start, Generator(1))


def test_options_replay_what_was_stated_or_not() -> None:
    """Faces and options of a play give it again: a stated choice needs none."""
    start = situation(
        {"a": 0},
        Task(Ruled("a", OPTIONS, "low", stated="high"), "a"),
        Task(Ruled("a", OPTIONS, "low"), "a"),
    )
    played = play(start, Generator(1), Scripted(["none"], Policies()))
    assert played.options == ("none",)
    assert played.number(GAIN) == 3
    assert play(start, Generator(1), Scripted(played.options, Policies())) == played
