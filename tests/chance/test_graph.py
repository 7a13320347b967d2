"""The graph of situations: what is merged, skipped and left out, and which promises are kept."""

from fractions import Fraction

import pytest

from firepower.chance import (
    EVERYBODY,
    AtLeast,
    Choice,
    EndlessError,
    Final,
    Generator,
    LimitError,
    Next,
    Option,
    Roll,
    Solver,
    Step,
    StepError,
    Tally,
    Task,
    View,
    play,
    situation,
)
from tests.chance.brute import counted, number_of, odds_of, part
from tests.chance.toys import (
    COIN,
    D2,
    D4,
    Append,
    Effect,
    HandfulThrow,
    LocalHandfulThrow,
    LocalNote,
    LocalThrow,
    Note,
    Pick,
    Score,
    Strike,
    Tell,
    Throw,
    scores,
    times,
)

HITS = Tally(("a.hit",))
HIT = Throw(COIN, 2, scores("hit"))


class Reroll(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """Thrown again for as long as it fails: a loop without a cap."""

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll("again", COIN, AtLeast(2))

    def then(self, tokens: int, hit: bool) -> Next[int]:
        return Next(tokens) if hit else Next(tokens, Reroll(), records={"again": 1})


class Rerolls(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """Thrown again for as long as it fails, at most so many times."""

    left: int

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll("again", COIN, AtLeast(2))

    def then(self, tokens: int, hit: bool) -> Next[int]:
        if hit or not self.left:
            return Next(tokens, records={"given_up": not hit})
        return Next(tokens, Rerolls(self.left - 1), records={"again": 1})


class Drain(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """Thrown again for as long as there are tokens; each throw takes one."""

    def applies(self, tokens: int) -> bool:
        return tokens > 0

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll("drain", COIN, AtLeast(2))

    def then(self, tokens: int, hit: bool) -> Next[int]:
        return Next(tokens - 1, Drain(), records={"drained": hit})


class Grow(Step[int, None], frozen=True, gc=False, cache_hash=True):
    """A state that never comes back to where it was, and never ends."""

    def then(self, tokens: int, _: None) -> Next[int]:
        return Next(tokens + 1, Grow())


class Begin(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """Begins a loop without a cap, or ends at once."""

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll("begin", D2, AtLeast(2))

    def then(self, tokens: int, begun: bool) -> Next[int]:
        return Next(tokens, Reroll()) if begun else Next(tokens)


class Weaken(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """A token less, by a coin."""

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll("weaken", COIN, AtLeast(2))

    def then(self, tokens: int, weaker: bool) -> Next[int]:
        return Next(max(0, tokens - weaker))


class Peek(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Reads a measure that it does not list."""

    def then(self, view: View, _: None) -> Next[View]:
        return Next(view, records={"seen": view.tally(HITS)})


class Swap(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Exchanges the parts of a and b."""

    def then(self, view: View, _: None) -> Next[View]:
        swapped = view.replace("a", view["b"]).replace("b", view["a"])
        return Next(swapped, records={"swaps": 1, "a.swapped": 2})


# -- what a situation is -------------------------------------------------------------------------


def test_paths_that_lead_to_one_situation_are_one_situation() -> None:
    start = situation({"a": 0}, times(Score(D2, "hit"), 20, "a"))
    assert Solver().whole(start) == 21
    assert len(Solver().odds(start, HITS)) == 21


def test_the_state_counts_only_what_still_differs() -> None:
    weaken = Weaken()
    start = situation({"a": 2}, times(weaken, 9, "a"))
    states_by_throws_made = [1, 2, 3, 3, 3, 3, 3, 3, 3, 3]
    assert Solver().whole(start) == sum(states_by_throws_made)


def test_a_step_that_no_longer_applies_is_skipped_with_all_its_repeats() -> None:
    alive = Throw(COIN, 2, Effect(lose=1), while_tokens=1)
    start = situation({"a": 0}, times(alive, 50, "a"), Task(HIT, "a"))
    assert Solver().whole(start) == 2
    assert odds_of(Solver().odds(start, HITS)) == {0: Fraction(2, 3), 1: Fraction(1, 3)}


def test_a_step_is_skipped_only_from_when_it_no_longer_applies() -> None:
    last_blow = Throw(COIN, 2, Effect(1, (("hit", 1),)), scores("missed"), while_tokens=1)
    start = situation({"a": 1}, times(last_blow, 3, "a"))
    odds = odds_of(Solver().joint(start, (HITS, Tally(("a.missed",)))))
    third, miss = Fraction(1, 3), Fraction(2, 3)
    assert odds == {
        (1, 0): third,
        (1, 1): miss * third,
        (1, 2): miss * miss * third,
        (0, 3): miss**3,
    }


def test_what_follows_comes_first_and_in_its_order() -> None:
    follow = (Append("b", (Append("c"),)), Append("d"))
    start = situation({"a": ()}, Task(Append("a", follow), "a"), Task(Append("e"), "a"))
    final = Final("a", "".join)
    assert odds_of(Solver().odds(start, final)) == {"abcde": 1}
    assert "".join(part(play(start, Generator(1)), "a")) == "abcde"


def test_repeats_come_one_by_one_each_with_what_follows_from_it() -> None:
    start = situation({"a": ()}, times(Append("a", (times(Append("b"), 2),)), 2, "a"))
    assert odds_of(Solver().odds(start, Final("a", "".join))) == {"abbabb": 1}
    assert "".join(part(play(start, Generator(1)), "a")) == "abbabb"


def test_a_task_that_is_to_be_done_no_times_is_not_done() -> None:
    start = situation({"a": 3}, Task(Note(Effect(1, (("hit", 1),))), "a", 0))
    assert odds_of(Solver().odds(start, HITS)) == {0: 1}
    assert play(start, Generator(1)).number(HITS) == 0


def test_steps_without_an_address_are_for_whom_they_come_from() -> None:
    passed_on = Note(Effect(todo=(Task(Note(Effect(todo=(Note(scores("hit", 4)),))), "b"),)))
    start = situation({"a": 0, "b": 0}, Task(passed_on, "a"))
    b_hits = Tally(("b.hit",))
    assert odds_of(Solver().joint(start, (HITS, b_hits))) == {(0, 4): 1}


def test_a_step_for_everybody_sees_and_changes_all_parts() -> None:
    start = situation({"a": 3, "b": 5}, Swap())
    finals = (Final("a", int), Final("b", int), Tally(("swaps",)), Tally(("a.swapped",)))
    assert odds_of(Solver().joint(start, finals)) == {(5, 3, 1, 2): 1}
    assert start == situation({"a": 3, "b": 5}, Task(Swap(), EVERYBODY))


# -- leaving others out --------------------------------------------------------------------------


def test_local_steps_of_others_are_left_out_of_a_measure() -> None:
    busy = LocalThrow(D4, 2, Effect(lose=1), scores("hit"))
    parts = {"a": 9, "b": 9}
    start = situation(parts, times(busy, 6, "b"), times(busy, 2, "a"), times(busy, 3, "b"))
    solver = Solver()
    alone = situation(parts, times(busy, 2, "a"))
    assert solver.odds(start, HITS) == solver.odds(alone, HITS)
    assert solver.situations(start, (HITS,)) == solver.situations(alone, (HITS,))
    assert solver.situations(start, (HITS,)) < solver.whole(start)


def test_others_are_looked_at_when_something_comes_of_them() -> None:
    provoked = Throw(COIN, 2, Effect(todo=(Task(HIT, "a"),)))
    prepared = LocalThrow(D4, 3, Effect(lose=1))
    last_token = Throw(D2, 2, Effect(todo=(Task(HIT, "a"),)), while_tokens=2)
    start = situation(
        {"a": 0, "b": 2}, Task(prepared, "b"), Task(provoked, "b"), Task(last_token, "b")
    )
    assert odds_of(Solver().odds(start, HITS)) == counted(start, number_of(HITS))


def test_what_a_local_step_prepares_decides_whether_a_later_step_applies() -> None:
    spend = LocalNote(Effect(lose=2))
    attack = Throw(D2, 2, Effect(todo=(Task(Note(scores("hit")), "a"),)), while_tokens=1)
    start = situation({"a": 0, "b": 2}, Task(spend, "b"), Task(attack, "b"))
    assert odds_of(Solver().odds(start, HITS)) == counted(start, number_of(HITS)) == {0: 1}


class Reload(Step[int, None], frozen=True, gc=False, cache_hash=True):
    """One more token, which is nobody else's business."""

    reach = ()

    def then(self, tokens: int, _: None) -> Next[int]:
        return Next(tokens + 1)


def test_a_step_that_a_local_step_made_possible_is_not_skipped() -> None:
    attack = Throw(D2, 2, Effect(todo=(Task(Note(scores("hit")), "a"),)), while_tokens=1)
    start = situation({"a": 0, "b": 0}, Task(Reload(), "b"), Task(attack, "b"))
    half = Fraction(1, 2)
    assert counted(start, number_of(HITS)) == {0: half, 1: half}
    assert odds_of(Solver().odds(start, HITS)) == {0: half, 1: half}


@pytest.mark.parametrize(
    "leads_to",
    [
        Task(LocalNote(scores("hit")), "b"),
        Task(LocalNote(scores("hit")), "a"),
        Task(LocalNote(scores("hit")), EVERYBODY),
        Note(scores("hit")),
    ],
)
def test_a_local_step_that_leads_away_breaks_its_promise(leads_to: Note | Task) -> None:
    start = situation({"a": 0, "b": 0}, Task(LocalThrow(D2, 2, Effect(todo=(leads_to,))), "a"))
    with pytest.raises(StepError, match="LocalThrow does not say that it reaches"):
        Solver().odds(start, HITS)


def test_a_local_step_may_lead_to_a_local_step() -> None:
    chain = LocalThrow(D2, 2, Effect(todo=(times(LocalNote(scores("hit")), 3),)))
    start = situation({"a": 0}, Task(chain, "a"))
    assert odds_of(Solver().odds(start, HITS)) == {0: Fraction(1, 2), 3: Fraction(1, 2)}


# -- ends ----------------------------------------------------------------------------------------


def test_a_loop_without_a_cap_is_refused_with_a_sentence() -> None:
    with pytest.raises(EndlessError) as refusal:
        Solver().odds(situation({"a": 0}, Task(Reroll(), "a")), HITS)
    assert str(refusal.value) == (
        "the step Reroll can come back to where it was, so the question never ends; give it a cap"
    )


def test_the_step_that_loops_is_named_and_not_the_one_that_led_to_it() -> None:
    with pytest.raises(EndlessError, match="the step Reroll can come back to where it was"):
        Solver().odds(situation({"a": 0}, Task(Begin(), "a")), HITS)


def test_a_loop_inside_a_resolution_is_refused_too() -> None:
    with pytest.raises(EndlessError):
        Solver().odds(situation({"a": 0}, Task(Strike((Reroll(),)), "a")), HITS)


@pytest.mark.parametrize("cap", [0, 1, 2, 5])
def test_a_loop_with_a_cap_reports_what_the_cap_swallowed(cap: int) -> None:
    start = situation({"a": 0}, Task(Rerolls(cap), "a"))
    miss = Fraction(2, 3)
    odds = odds_of(Solver().joint(start, (Tally(("a.again",)), Tally(("a.given_up",), "any"))))
    expected = {(n, False): miss**n * (1 - miss) for n in range(cap + 1)}
    assert odds == {**expected, (cap, True): miss ** (cap + 1)}


def test_a_loop_that_the_state_limits_ends() -> None:
    start = situation({"a": 3}, Task(Drain(), "a"))
    third = Fraction(1, 3)
    assert odds_of(Solver().odds(start, Tally(("a.drained",)))) == {
        0: (1 - third) ** 3,
        1: 3 * third * (1 - third) ** 2,
        2: 3 * third**2 * (1 - third),
        3: third**3,
    }
    assert Solver().whole(start) == 4


def test_a_question_that_grows_without_end_meets_the_limit() -> None:
    with pytest.raises(LimitError, match="the question needs more than 1,000 situations"):
        Solver(limit=1000).odds(situation({"a": 0}, Task(Grow(), "a")), HITS)


def test_the_limit_is_the_number_of_situations_that_are_looked_at() -> None:
    start = situation({"a": 0}, times(Score(D2, "hit"), 20, "a"))
    assert Solver(limit=21).odds(start, HITS).p(40) == Fraction(1, 2**20)
    with pytest.raises(LimitError, match="more than 20 situations"):
        Solver(limit=20).odds(start, HITS)


def test_the_limit_holds_inside_a_resolution() -> None:
    start = situation({"a": 0}, Task(Strike((times(Score(D2, "hit"), 30),), "hit"), "a"))
    assert Solver(limit=31).odds(start, HITS).p(60) == Fraction(1, 2**30)
    with pytest.raises(LimitError):
        Solver(limit=30).odds(start, HITS)


# -- promises ------------------------------------------------------------------------------------


def test_less_than_nothing_cannot_be_recorded() -> None:
    with pytest.raises(StepError, match="Note records less than nothing"):
        Solver().odds(situation({"a": 0}, Task(Note(scores("hit", -1)), "a")), HITS)


def test_a_record_of_nothing_is_no_record() -> None:
    start = situation({"a": 0}, Task(Note(scores("hit", 0)), "a"))
    assert odds_of(Solver().odds(start, HITS)) == {0: 1}
    assert play(start, Generator(1)).situation.records == ()


def test_a_step_that_reads_what_it_does_not_list_is_a_mistake() -> None:
    start = situation({"a": 0}, Task(HIT, "a"), Peek())
    sentence = r"a step reads \('a.hit',\) without saying so in `reads`"
    with pytest.raises(StepError, match=sentence):
        Solver().odds(start, HITS)
    with pytest.raises(StepError, match=sentence):
        play(start, Generator(1))


def test_a_tally_adds_up_in_one_of_three_ways() -> None:
    with pytest.raises(StepError, match="a tally is a sum, greatest or any, not 'mean'"):
        Tally(("a.hit",), "mean")


def test_a_policy_must_be_one_of_the_options() -> None:
    choice = Pick("a", (("yes", scores("hit")), ("no", Effect())), "perhaps")
    start = situation({"a": 0}, Task(choice, "a"))
    with pytest.raises(StepError, match="the choice 'pick' has no option 'perhaps'"):
        Solver().odds(start, HITS)
    with pytest.raises(StepError, match="the choice 'pick' has no option 'perhaps'"):
        play(start, Generator(1))


def test_a_choice_without_advice_follows_its_policy() -> None:
    options = (("one", scores("hit")), ("two", scores("hit", 2)))
    start = situation({"a": 0}, *(Task(Pick("a", options, key), "a") for key in ("two", "one")))
    assert odds_of(Solver().odds(start, HITS)) == {3: 1}
    choice = Choice("pick", "a", (Option("one", 1), Option("two", 2)), "two")
    assert (choice.taken, choice.index("one"), choice.index("three")) == (1, 0, None)


def test_a_resolution_must_not_contain_a_choice() -> None:
    choice = Pick("a", (("yes", scores("loss")), ("no", Effect())), "yes")
    start = situation({"a": 3}, Task(Strike((HIT, choice)), "a"))
    with pytest.raises(StepError, match="the resolution 'strike' contains a choice"):
        Solver().odds(start, HITS)
    with pytest.raises(StepError, match="a resolution contains the choice 'pick'"):
        play(start, Generator(1))


# -- what is read --------------------------------------------------------------------------------


def test_what_is_read_is_counted_from_when_the_reading_step_is_put_on_the_agenda() -> None:
    tell = Task(Tell(HITS), EVERYBODY)
    pushes = Note(Effect(records=(("hit", 4),), todo=(Note(scores("hit", 2)), tell)))
    start = situation({"a": 0}, Task(Note(scores("hit", 8)), "a"), Task(pushes, "a"))
    told = Tally(("told",))
    assert odds_of(Solver().joint(start, (HITS, told))) == {(14, 6): 1}
    assert play(start, Generator(1)).number(told) == 6


def test_a_reading_step_of_the_first_agenda_counts_from_the_beginning() -> None:
    start = situation({"a": 0}, times(HandfulThrow(COIN, 2, scores("hit")), 3, "a"), Tell(HITS))
    told = Tally(("told",))
    assert odds_of(Solver().odds(start, told)) == odds_of(Solver().odds(start, HITS))
    assert counted(start, number_of(told)) == odds_of(Solver().odds(start, told))


def test_a_reading_step_that_comes_first_of_all_has_nothing_to_read_yet() -> None:
    start = situation({"a": 0}, Tell(HITS), Task(HIT, "a"))
    told = Tally(("told",))
    assert odds_of(Solver().odds(start, told)) == {0: 1}
    assert play(start, Generator(1)).number(told) == 0


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        (Tally(("a.hit", "b.hit")), 7),
        (Tally(("b.hit",)), 4),
        (Tally(("a.hit", "b.hit"), "greatest"), 4),
        (Tally(("a.hit", "b.hit"), "any"), 1),
        (Tally(("a.other",), "any"), 0),
        (Tally(("a.hit", "b.hit"), cap=5), 5),
    ],
)
def test_every_kind_of_measure_can_be_read(measure: Tally, told: int) -> None:
    notes = (Task(Note(scores("hit", 3)), "a"), Task(LocalNote(scores("hit", 4)), "b"))
    start = situation({"a": 0, "b": 0}, *notes, Tell(measure))
    assert odds_of(Solver().odds(start, Tally(("told",)))) == {told: 1}
    assert play(start, Generator(1)).number(Tally(("told",))) == told


def test_what_no_step_will_read_any_more_is_forgotten() -> None:
    hit = LocalHandfulThrow(COIN, 2, scores("hit"))
    read_early = situation({"a": 0}, times(hit, 4, "a"), Tell(HITS), times(HIT, 3, "a"))
    read_late = situation({"a": 0}, times(hit, 4, "a"), times(HIT, 3, "a"), Tell(HITS))
    # before the reading step a situation for each number of hits, afterwards one
    assert Solver().whole(read_early) == 1 + 5 + 1 + 1
    assert Solver().whole(read_late) == 1 + 5 + 8 + 1


def test_whether_a_step_applies_may_depend_on_what_it_reads() -> None:
    start = situation({"a": 0}, Task(HIT, "a"), IfHit())
    told = Tally(("told",))
    assert counted(start, number_of(told)) == {0: Fraction(2, 3), 1: Fraction(1, 3)}
    assert odds_of(Solver().odds(start, told)) == {0: Fraction(2, 3), 1: Fraction(1, 3)}


class IfHit(Tell, frozen=True, gc=False, cache_hash=True):
    """Only matters if something was hit."""

    measure: Tally = HITS

    def applies(self, view: View) -> bool:
        return view.tally(HITS) > 0
