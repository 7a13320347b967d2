"""Play: dice as data, handfuls, typed faces, options and replays."""

from math import sqrt

import pytest

from firepower.chance import (
    AnswerError,
    Asked,
    Chosen,
    DiceError,
    Die,
    Generator,
    Handful,
    Modifier,
    Next,
    Policies,
    Recorded,
    Roll,
    RollUnder,
    Scripted,
    Situation,
    Step,
    Tally,
    Task,
    Thrown,
    Total,
    Typed,
    dice,
    play,
    readings,
    rethrown,
    situation,
)
from firepower.chance.dice import Face
from tests.chance.brute import part
from tests.chance.toys import (
    COIN,
    D2,
    D4,
    D6,
    NOTHING,
    Damage,
    Effect,
    HandfulThrow,
    LocalHandfulStrike,
    LocalHandfulThrow,
    Note,
    Pick,
    Score,
    Tell,
    Throw,
    scores,
    times,
)

HITS = Tally(("a.hit",))
SCORE = Tally(("a.score",))
SKILL = (Modifier("skill", 55, "a"), Modifier("long range", -10, "rules"))


class Shot(Step[int, readings.Test], frozen=True, gc=False, cache_hash=True):
    """A d100 test with its parts."""

    def ask(self, tokens: int) -> Roll[readings.Test]:
        return Roll("shoot", dice("d100"), RollUnder(45), SKILL, 45)

    def then(self, tokens: int, test: readings.Test) -> Next[int]:
        return Next(tokens, records={"hit": test.degrees if test.success else 0})


class Volley(Step[int, tuple[int, ...]], frozen=True, gc=False, cache_hash=True):
    """Three dice that count hits and symbols."""

    def ask(self, tokens: int) -> Roll[tuple[int, ...]]:
        firepower = Die("Firepower", ("1*", 1, 2, 3), (1, 2, 2, 1))
        return Roll("volley", Handful(firepower, 3, ((1, 1), (1, 0), (2, 0), (3, 0))), Total())

    def then(self, tokens: int, columns: tuple[int, ...]) -> Next[int]:
        hits, symbols = columns
        return Next(tokens, records={"hit": hits, "symbol": symbols})


def faces_of(start: Situation, *typed: str) -> list[tuple[tuple[Face, ...], ...]]:
    """The handfuls that these faces are thrown in."""
    events = play(start, Typed(typed)).events
    return [event.faces for event in events if isinstance(event, Thrown)]


# -- what happened, as data ----------------------------------------------------------------------


def test_every_die_need_part_and_consequence_is_told() -> None:
    start = situation({"a": 0}, Task(Shot(), "a"))
    assert play(start, Typed(["23"])).events == (
        Thrown(
            "Shot",
            "a",
            "shoot",
            "d100",
            "45 or less",
            SKILL,
            ((23,),),
            ("23",),
            ("3 degrees of success",),
        ),
        Recorded("Shot", "a.hit", 3),
    )
    assert play(start, Typed(["70"])).events[1:] == ()


def test_a_choice_is_told_with_all_its_options() -> None:
    options = (("duck", Effect(records=(("ducked", 1),))), ("stand", NOTHING))
    start = situation({"a": 0}, Task(Pick("b", options, "duck", "dodge?"), "a"))
    assert play(start, Generator(1)).events == (
        Chosen("Pick", "a", "dodge?", "b", "duck", ("duck", "stand")),
        Recorded("Pick", "a.ducked", 1),
    )


def test_a_handful_of_several_columns_is_one_roll() -> None:
    played = play(situation({"a": 0}, Task(Volley(), "a")), Typed(["1*", "3", "1"]))
    thrown = played.events[0]
    assert isinstance(thrown, Thrown)
    assert (thrown.dice, thrown.faces) == ("3×Firepower", (("1*", 3, 1),))
    assert played.number(Tally(("a.hit",))) == 5
    assert played.number(Tally(("a.symbol",))) == 1
    assert played.faces == ("1*", 3, 1)


def test_a_play_knows_its_numbers_and_where_it_ended() -> None:
    start = situation({"a": 5}, times(Damage(D6), 2, "a"), Task(Note(scores("hit")), "a"))
    played = play(start, Typed(["3", "1"]))
    assert played.finished
    assert part(played, "a") == 1
    assert played.situation.agenda == ()
    assert played.situation.records == (("a.score", 3), ("a.score", 1), ("a.hit", 1))
    assert played.number(SCORE) == 4
    assert played.number(Tally(("a.score",), cap=2)) == 2
    assert played.number(Tally(("a.score",), "greatest")) == 3
    assert played.number(Tally(("a.score",), "any")) is True
    assert played.number(Tally(("a.other",), "any")) is False


# -- handfuls ------------------------------------------------------------------------------------


def test_equal_questions_that_go_together_are_thrown_together() -> None:
    start = situation({"a": 0}, times(HandfulThrow(D6, 4, scores("hit")), 3, "a"))
    played = play(start, Typed(["6", "1", "4"]))
    first = played.events[0]
    assert isinstance(first, Thrown)
    assert first.faces == ((6,), (1,), (4,))
    assert first.words == ("passed", "failed", "passed")
    assert [type(event) for event in played.events[1:]] == [Recorded, Recorded]


def test_what_does_not_say_that_it_goes_together_is_thrown_one_by_one() -> None:
    start = situation({"a": 0}, times(Throw(D6, 4, scores("hit")), 3, "a"))
    assert faces_of(start, "6", "1", "4") == [((6,),), ((1,),), ((4,),)]


def test_only_neighbours_are_thrown_together() -> None:
    hit, other = HandfulThrow(D6, 4, scores("hit")), HandfulThrow(D6, 5, scores("hit"))
    start = situation(
        {"a": 0, "b": 0}, times(hit, 2, "a"), Task(hit, "b"), Task(other, "b"), Task(hit, "b")
    )
    handfuls = faces_of(start, "1", "2", "3", "4", "5")
    assert handfuls == [((1,), (2,)), ((3,),), ((4,),), ((5,),)]


def test_equal_steps_that_come_to_lie_together_are_thrown_together() -> None:
    hit = HandfulThrow(D6, 4, scores("hit"))
    start = situation({"a": 0}, Task(Note(Effect(todo=(times(hit, 2),))), "a"), Task(hit, "a"))
    assert faces_of(start, "1", "2", "3") == [((1,), (2,), (3,))]


WOUND = Throw(D4, 3, scores("loss"))
ATTACK = LocalHandfulStrike((Throw(D6, 4, Effect(todo=(WOUND,))),), while_tokens=1)


def test_resolutions_go_together_roll_by_roll() -> None:
    """As at a table: all the dice to hit, then those that hit once more to wound."""
    start = situation({"a": 9}, times(ATTACK, 4, "a"))
    assert faces_of(start, "6", "1", "5", "2", "4", "1") == [
        ((6,), (1,), (5,), (2,)),
        ((4,), (1,)),
    ]
    assert play(start, Typed(["6", "1", "5", "2", "4", "1"])).number(Tally(("a.loss",))) == 1


def test_what_a_handful_killed_is_not_hit_again() -> None:
    last = LocalHandfulThrow(D2, 2, Effect(1, (("hit", 1),)), scores("missed"), while_tokens=1)
    played = play(situation({"a": 1}, times(last, 4, "a")), Typed(["1", "2", "2", "1"]))
    assert played.faces == (1, 2, 2, 1)
    assert played.situation.records == (("a.missed", 1), ("a.hit", 1))


# -- sources of faces ----------------------------------------------------------------------------


def test_equal_seeds_throw_equal_faces() -> None:
    start = situation({"a": 0}, times(Score(D6), 40, "a"))
    assert play(start, Generator(7)) == play(start, Generator(7))
    assert play(start, Generator(7)).faces != play(start, Generator(8)).faces


def test_a_generator_throws_faces_as_often_as_they_weigh() -> None:
    count, share = 20_000, 1 / 3
    played = play(situation({"a": 0}, times(Score(COIN), count, "a")), Generator(11))
    seen = played.faces.count(2) / count
    assert abs(seen - share) < 5 * sqrt(share * (1 - share) / count)
    assert set(played.faces) == {1, 2}


def test_typed_faces_come_in_the_order_in_which_they_are_asked_for() -> None:
    start = situation({"a": 20}, Task(Damage(dice("2d6+1")), "a"), Task(Damage(D4), "a"))
    typed = Typed(["6", " 2", "3", "5"])
    played = play(start, typed)
    assert part(played, "a") == 20 - 9 - 3
    assert list(typed.unused()) == ["5"]
    assert typed.left()


def test_a_typed_face_that_the_die_lacks_is_refused() -> None:
    start = situation({"a": 9}, Task(Score(D4), "a"), Task(Score(D6), "a"))
    with pytest.raises(DiceError, match="a d4 has no face '5'; its faces are 1 to 4"):
        play(start, Typed(["5", "1"]))
    with pytest.raises(DiceError, match="a d6 has no face 'x'; its faces are 1 to 6"):
        play(start, Typed(["4", "x"]))


def test_too_few_faces_for_one_throw_are_refused() -> None:
    start = situation({"a": 9}, Task(Damage(dice("3d6")), "a"))
    with pytest.raises(AnswerError) as refusal:
        play(start, Typed(["4", "4"]))
    assert (
        str(refusal.value)
        == "'damage' throws 3 dice (3d6) together; 2 of their faces cannot stand alone"
    )


def test_typed_faces_are_followed_by_another_source() -> None:
    start = situation({"a": 0}, times(Score(D6), 10, "a"))
    typed = Typed(["2", "5"], Generator(3))
    played = play(start, typed)
    assert played.finished
    assert played.faces[:2] == (2, 5)
    assert played.faces[2:] == play(start, Generator(3)).faces[:8]
    assert (list(typed.unused()), typed.left()) == ([], True)


def test_a_throw_that_was_typed_in_part_is_finished_by_the_other_source() -> None:
    start = situation({"a": 99}, times(Damage(dice("3d6")), 2, "a"))
    others = play(start, Generator(3)).faces
    played = play(start, Typed(["2", "5"], Generator(3)))
    assert played.faces == (2, 5, others[2], *others[3:])


def test_without_more_faces_the_play_stops_where_it_is() -> None:
    start = situation({"a": 9}, times(Damage(D6), 3, "a"))
    stopped = play(start, Typed(["2"]))
    assert not stopped.finished
    assert part(stopped, "a") == 7
    assert stopped.situation.agenda == (Task(Damage(D6), "a", 2),)
    assert play(start, Typed([])).situation == start


def test_what_is_no_die_asks_for_no_face() -> None:
    start = situation({"a": 9}, Task(Damage(dice("2")), "a"), Task(Damage(D6), "a"))
    assert part(play(start, Generator(1)), "a") <= 6
    played = play(start, Typed(["4"]))
    assert played.finished
    assert part(played, "a") == 3


def test_a_person_is_asked_again_for_a_face_that_the_die_lacks() -> None:
    typed = iter(["7", "nine", "4", "0", "2"])
    asked: list[str] = []
    refused: list[str] = []

    def prompt(sentence: str) -> str:
        asked.append(sentence)
        return next(typed)

    start = situation({"a": 0}, Task(HandfulThrow(D6, 4, scores("hit")), "a"), Task(Score(D4), "a"))
    played = play(start, Asked(prompt, refused.append))
    assert played.faces == (4, 2)
    assert asked == ["a: throw (d6, 4+)"] * 3 + ["a: score (d4)"] * 2
    assert refused == [
        "a d6 has no face '7'; its faces are 1 to 6",
        "a d6 has no face 'nine'; its faces are 1 to 6",
        "a d4 has no face '0'; its faces are 1 to 4",
    ]


def test_a_person_is_asked_for_each_die_of_a_throw() -> None:
    typed = iter(["6", "5"])
    start = situation({"a": 20}, Task(Damage(dice("2d6")), "a"))
    played = play(start, Asked(lambda _: next(typed), lambda _: None))
    assert part(played, "a") == 9


# -- options -------------------------------------------------------------------------------------

TURN = Pick("a", (("left", scores("left")), ("right", scores("right"))), "right", "turn")


def test_options_are_taken_as_they_were_given_and_then_by_another_decider() -> None:
    start = situation({"a": 0}, times(TURN, 3, "a"))
    played = play(start, Generator(1), Scripted(["left", "right"], Scripted(["left"], Policies())))
    assert played.options == ("left", "right", "left")
    assert play(start, Generator(1)).options == ("right", "right", "right")


def test_an_option_that_is_not_there_is_refused() -> None:
    with pytest.raises(AnswerError) as refusal:
        play(situation({"a": 0}, Task(TURN, "a")), Generator(1), Scripted(["up"], Policies()))
    assert str(refusal.value) == "'turn' has no option 'up'; there are left, right"


def test_options_that_nothing_asked_for_are_left_over() -> None:
    scripted = Scripted(["left", "left"], Policies())
    play(situation({"a": 0}, Task(TURN, "a")), Generator(1), scripted)
    assert list(scripted.unused()) == ["left"]


def test_a_choice_stops_a_play_whose_faces_have_run_out() -> None:
    start = situation({"a": 0}, Task(Score(D6), "a"), Task(TURN, "a"), Task(Score(D6), "a"))
    stopped = play(start, Typed(["3"]))
    assert not stopped.finished
    assert stopped.options == ()
    assert stopped.situation.agenda == start.agenda[1:]
    given = play(start, Typed(["3"]), Scripted(["left"], Policies()))
    assert given.options == ("left",)
    assert given.situation.agenda == start.agenda[2:]
    assert play(start, Typed(["3", "1"])).options == ("right",)


# -- replays -------------------------------------------------------------------------------------


def long_game() -> Situation:
    """Throws, handfuls, Resolutions, Choices, reading steps; what comes depends on the dice."""
    hurt = Effect(1, (("hurt", 1),))
    more = Effect(1, (("hit", 1),), (Task(Throw(D6, 3, hurt, while_tokens=1), "b"),))
    pick = Pick("b", (("run", Effect(2)), ("fight", Effect(todo=(times(ATTACK, 2),)))), "fight")
    return situation(
        {"a": 4, "b": 5},
        times(Throw(D6, 3, more, while_tokens=1), 4, "a"),
        times(pick, 2, "b"),
        times(HandfulThrow(D4, 3, scores("hit")), 3, "a"),
        Tell(HITS),
        Task(Damage(dice("2d6kh1")), "b"),
    )


@pytest.mark.parametrize("seed", range(12))
def test_the_faces_and_options_of_a_play_replay_it(seed: int) -> None:
    options = Scripted(["run", "fight"] if seed % 2 else ["fight"], Policies())
    played = play(long_game(), Generator(seed), options)
    again = play(long_game(), Typed(map(str, played.faces)), Scripted(played.options, Policies()))
    assert again == played


@pytest.mark.parametrize("at", [0, 1, 3, 5])
def test_one_face_changed_recomputes_what_follows(at: int) -> None:
    played = play(long_game(), Generator(5))
    old = played.faces[at]
    new = 1 if old != 1 else 6
    faces = rethrown(played, at, new)
    assert faces == (*map(str, played.faces[:at]), str(new))
    changed = play(long_game(), Typed(faces, Generator(99)), Scripted(["fight"] * 2, Policies()))
    assert changed.finished
    assert changed.faces[: at + 1] == (*played.faces[:at], new)
    assert changed != played


def test_a_changed_face_changes_what_comes_of_it() -> None:
    start = situation(
        {"a": 9}, Task(Throw(D6, 4, Effect(todo=(Damage(D6),)), scores("missed")), "a")
    )
    played = play(start, Typed(["5", "3"]))
    assert part(played, "a") == 6
    missed = play(start, Typed(rethrown(played, 0, 2)))
    assert missed.finished
    assert (part(missed, "a"), missed.situation.records) == (9, (("a.missed", 1),))
    worse = play(start, Typed(rethrown(played, 1, 6)))
    assert part(worse, "a") == 3


@pytest.mark.parametrize("at", [-1, 2, 9])
def test_a_die_that_was_not_thrown_cannot_be_changed(at: int) -> None:
    played = play(situation({"a": 0}, times(Score(D6), 2, "a")), Generator(1))
    with pytest.raises(AnswerError, match=f"the play has 2 dice, so there is no die {at + 1}"):
        rethrown(played, at, 3)
