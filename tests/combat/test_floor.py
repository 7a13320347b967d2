"""What the floor offers and no shipped game uses yet, on a toy game against plain loops."""

from contextlib import suppress
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from firepower.chance import (
    Generator,
    Goal,
    Next,
    Solver,
    Step,
    Task,
    Typed,
    View,
    play,
    situation,
)
from firepower.chance.events import Chosen, Thrown
from firepower.chance.sources import Policies, Scripted
from firepower.combat.actions import NEEDLESS, Action
from firepower.combat.documents import Document, Refusal, converted
from firepower.combat.errors import QuestionError
from firepower.combat.game import Opening
from firepower.combat.measures import Measure, measured
from firepower.combat.modifiers import Effect, counting, number_of, shown
from firepower.combat.plan import opened
from firepower.combat.reactions import Blocked, Reaction, heard
from firepower.combat.register import Readings, Ruling
from firepower.combat.setup import Setup
from firepower.combat.turns import NextToAct, PlannedAction
from tests.combat.skirmish import (
    RULES,
    Alternating,
    ByPhases,
    Rules,
    Shoot,
    Skirmish,
    SkirmishScenario,
    Soldier,
    Watch,
)

F = Fraction
Data = dict[str, Any]
SHOOT = {"by": "ann", "action": "shoot", "at": "bob"}
BACK = {"by": "bob", "action": "shoot", "at": "ann"}
WATCH = {"by": "bob", "action": "watch"}


def asked(
    *do: Data, game: Any = None, choosing: bool = False, fades: bool = True, **more: Any
) -> Opening:
    """A question of the toy game; combatants are changed by keys of their names."""
    people = {name: more.pop(name, {}) for name in ("ann", "bob")}
    people |= {"cid": more.pop("cid")} if "cid" in more else {}
    data = {"system": "skirmish", "combatants": people, "do": list(do)} | more
    document = Document("", data)
    scenario = converted(document, SkirmishScenario)
    return opened(game or Skirmish(), RULES, scenario, document, choosing=choosing, fades=fades)


def setup_of(tables: Rules, **more: Any) -> Setup[Any, Any, Any]:
    """What a question of the toy game is made with."""
    data = {"system": "skirmish", "combatants": {"ann": {}}, "do": [{"by": "ann"}]} | more
    document = Document("", data)
    return Setup(tables, converted(document, SkirmishScenario), document, rounds=None)


def odds(opening: Opening, measure: str) -> dict[Any, Fraction]:
    return dict(Solver().odds(opening.situation, opening.measures[measure]))


def mean(opening: Opening, measure: str) -> Fraction:
    return sum((int(each) * p for each, p in odds(opening, measure).items()), F(0))


def wounds(hits: int, left: int) -> dict[int, Fraction]:
    """How many of so many hits wound, each in half of all cases, somebody with so many left."""
    found: dict[int, Fraction] = {}
    for each in product((0, 1), repeat=hits):
        taken = min(left, sum(each))
        found[taken] = found.get(taken, F(0)) + F(1, 2**hits)
    return found


def mixed(shares: dict[int, Fraction], left: int = 3) -> dict[int, Fraction]:
    """Wounds where the number of hits is known by its chance."""
    found: dict[int, Fraction] = {}
    for hits, p in shares.items():
        for taken, q in wounds(hits, left).items():
            found[taken] = found.get(taken, F(0)) + p * q
    return found


ONE_SHOT = {1: F(1, 3), 2: F(1, 3), 3: F(1, 3)}
DODGED: dict[int, Fraction] = {}
for hits, less in product((1, 2, 3), repeat=2):
    DODGED[max(0, hits - less)] = DODGED.get(max(0, hits - less), F(0)) + F(1, 9)

# -- reactions -----------------------------------------------------------------------------------


def test_without_anybody_who_listens_a_shot_is_a_shot() -> None:
    assert odds(asked(SHOOT), "bob.wounds") == mixed(ONE_SHOT)


def test_a_dodge_changes_what_is_at_stake() -> None:
    assert odds(asked(SHOOT, bob={"dodges": 1}), "bob.wounds") == mixed(DODGED)


def test_a_reaction_is_a_choice_with_a_policy() -> None:
    unwary = {"dodges": 1, "wary": False}
    opening = asked(SHOOT, bob=unwary)
    assert odds(opening, "bob.wounds") == mixed(ONE_SHOT)
    played = play(
        opening.situation, Typed(["3", "3", "1", "1", "1"]), Scripted(["yes"], Policies())
    )
    chosen = [event for event in played.events if isinstance(event, Chosen)]
    assert [(each.by, each.label, each.option) for each in chosen] == [
        ("bob", "ann hits: dodge?", "yes")
    ]


def test_an_answer_may_be_answered() -> None:
    """The feint saves all hits from the dodge."""
    opening = asked(SHOOT, ann={"feints": 1}, bob={"dodges": 1})
    assert odds(opening, "bob.wounds") == mixed(ONE_SHOT)


class Riposte(Reaction, frozen=True, cache_hash=True, kw_only=True):
    """A blow that answers a blow."""

    raises = ("blow", "noise")


def test_nothing_is_answered_by_what_it_answers() -> None:
    """A blow for a blow ends there, what answers its noise may be answered by a blow."""
    blow = Riposte(who="ann", key="riposte", on="blow")
    echo = Riposte(who="bob", key="echo", on="noise")
    (answer,) = heard(blow, [blow, echo], frozenset({"blow"})).listeners
    assert (answer.key, answer.listeners) == ("echo", ())
    first, second = heard(blow, [blow, echo]).listeners
    assert [each.key for each in first.listeners] == ["echo"]
    assert [each.key for each in second.listeners] == ["riposte"]


def test_each_answer_is_used_up() -> None:
    """Two shots, two dodges, one feint: the second dodge works."""
    opening = asked(SHOOT, SHOOT, rounds=1, ann={"feints": 1}, bob={"dodges": 2, "wounds": 9})
    assert mean(opening, "bob.wounds") == sum(n * p for n, p in mixed(ONE_SHOT, 9).items())


def interrupted_odds(watcher_left: int = 3) -> tuple[Fraction, Fraction]:
    """By loops: the chance that ann is shot down before she shoots, and bob's mean wounds."""
    down = sum((p for taken, p in mixed(ONE_SHOT, 1).items() if taken == 1), F(0))
    shot = sum((n * p for n, p in mixed(ONE_SHOT, watcher_left).items()), F(0))
    return down, (1 - down) * shot


def test_an_action_that_was_interrupted_is_checked_again_and_counted() -> None:
    down, wounded = interrupted_odds()
    opening = asked(SHOOT, ann={"wounds": 1}, bob={"watching": True})
    assert odds(opening, "lost") == {0: 1 - down, 1: down}
    assert mean(opening, "bob.wounds") == wounded
    assert mean(opening, "ann.wounds") == down


def test_nobody_dodges_in_their_own_turn() -> None:
    """The first shot comes in ann's own turn; she could dodge, but may not."""
    opening = asked(SHOOT, ann={"wounds": 1, "dodges": 1}, bob={"watching": True})
    assert mean(opening, "ann.wounds") == mean(
        asked(SHOOT, ann={"wounds": 1}, bob={"watching": True}), "ann.wounds"
    )


def test_whoever_may_choose_to_watch_is_listened_to() -> None:
    """Both passes: bob's turn is open, and ann's shot knows that he may watch."""
    opening = asked(
        {"by": "bob"}, SHOOT, rounds=1, choosing=True, ann={"wounds": 1}, bob={"wounds": 1}
    )
    advice = Solver().advice(opening.situation, Goal(opening.measures["bob.wounds"]), least=True)
    first = next(each for each in advice.decisions if each.label == "what next?")
    down, _ = interrupted_odds()
    hit = sum((p for taken, p in mixed(ONE_SHOT, 1).items() if taken == 1), F(0))
    assert dict(first.options)["watch"] == (1 - down) * hit
    assert dict(first.options)["shoot ann"] == (1 - down) * hit


def test_others_may_react_against_the_goal() -> None:
    opening = asked(SHOOT, bob={"dodges": 1, "wary": False})
    goal = Goal(opening.measures["bob.wounds"])
    ann = frozenset(["ann"])
    by_policy = Solver().advice(opening.situation, goal, ann).value
    against = Solver().advice(opening.situation, goal, ann, against=True).value
    assert by_policy == sum(n * p for n, p in mixed(ONE_SHOT).items())
    assert against == sum(n * p for n, p in mixed(DODGED).items())


@pytest.mark.parametrize("rounds", [1, 2])
def test_what_is_forgotten_changes_no_answer(rounds: int) -> None:
    people = {"ann": {"dodges": 1}, "bob": {"watching": True, "dodges": 1}}
    for measure in ("ann.wounds", "bob.wounds", "bob.out"):
        faded = odds(asked(SHOOT, BACK, rounds=rounds, **people), measure)
        assert faded == odds(asked(SHOOT, BACK, rounds=rounds, fades=False, **people), measure)


# -- what an action sees ---------------------------------------------------------------------------


class Trade(Action, frozen=True, cache_hash=True, kw_only=True):
    """Two trade their wounds: both are seen whole, and changed together."""

    other: str

    @property
    def sees(self) -> tuple[str, ...]:
        return (self.other,)

    def blocked(self, view: View) -> Blocked | None:
        return None if view[self.other].wounds != view[self.who].wounds else NEEDLESS

    def resolve(self, view: View) -> Next[View]:
        mine, theirs = view[self.who], view[self.other]
        return Next(view.replace(self.who, theirs).replace(self.other, mine))


def test_an_action_changes_those_whom_it_sees() -> None:
    step = PlannedAction("ann", (Trade(who="ann", key="trade", other="bob"),))
    assert step.task == Task(step, ("ann", "bob"))
    assert (step.glances, step.reach) == ((), ())
    parts = {"ann": Soldier(1), "bob": Soldier(5), "cid": Soldier(9)}
    played = play(situation(parts, step.task), Typed([]))
    assert played.situation.parts == (Soldier(5), Soldier(1), Soldier(9))
    same = play(situation(parts | {"bob": Soldier(1)}, step.task), Typed([]))
    assert same.situation.parts == (Soldier(1), Soldier(1), Soldier(9))


# -- rounds --------------------------------------------------------------------------------------


def test_sides_alternate_and_choose_who_acts() -> None:
    """Ann's side has two: whoever acts first may be the last to shoot at a bob who still stands."""
    second = {"by": "cid", "action": "shoot", "at": "bob"}
    people = {"ann": {"side": "us"}, "cid": {"side": "us", "wounds": 1}, "bob": {"wounds": 1}}
    opening = asked(
        SHOOT,
        second,
        {"by": "bob", "action": "shoot", "at": "cid"},
        rounds=1,
        game=Alternating(),
        **people,
    )
    played = play(opening.situation, Typed(["1", "1", "1", "1"]), Scripted(["cid"], Policies()))
    (chosen,) = [event for event in played.events if isinstance(event, Chosen)]
    assert (chosen.label, chosen.options, chosen.option) == (
        "who acts next?",
        ("ann", "cid"),
        "cid",
    )
    told = [event.text for event in played.events if hasattr(event, "text")]
    assert told[:2] == ["cid: shoot bob", "bob: shoot cid"]


def test_a_side_that_was_passed_over_keeps_its_place() -> None:
    """Of three sides the first has nobody ready; after the second, the third chooses."""
    waiting = tuple((who, who[0], ()) for who in ("a1", "b1", "b2", "c1"))
    seen = tuple((who, who != "a1") for who, _, _ in waiting)
    step = NextToAct(waiting, ("a", "b", "c"))
    after = step.then(View((), (), seen), 1)
    assert [task.step for task in after.todo] == [
        NextToAct((waiting[0], waiting[2], waiting[3]), ("a", "c", "b"))
    ]


def test_who_is_not_ready_is_passed_over() -> None:
    people = {"bob": {"wounds": 1}}
    opening = asked(SHOOT, BACK, rounds=2, game=Alternating(), **people)
    hit = sum((p for taken, p in mixed(ONE_SHOT, 1).items() if taken == 1), F(0))
    stages = Solver().odds_by_mark(opening.situation, opening.measures["bob.out"])
    assert dict(stages["round 1"])[True] == hit


def test_phases_come_one_after_the_other() -> None:
    """By phases bob watches before ann shoots, though her line comes first."""
    down, _ = interrupted_odds()
    lines, people = (SHOOT, WATCH), {"ann": {"wounds": 1}}
    assert mean(asked(*lines, rounds=1, **people), "ann.lost") == 0
    assert mean(asked(*lines, rounds=1, game=ByPhases(), **people), "ann.lost") == down


def test_an_open_line_is_asked_for_in_each_phase() -> None:
    """Ann may watch, and later in the round shoot; nobody watches in the phase of shooting."""
    opening = asked({"by": "ann"}, rounds=1, game=ByPhases(), choosing=True)
    scripted = Scripted(["end turn", "shoot bob"], Policies())
    played = play(opening.situation, Typed(["1", "1"]), scripted)
    options = [event.options for event in played.events if isinstance(event, Chosen)]
    assert options == [("watch", "end turn"), ("shoot bob", "end turn")]


class Pause(Action, frozen=True, cache_hash=True, kw_only=True):
    """Nothing at all."""

    def blocked(self, view: View) -> Blocked | None:
        return None

    def resolve(self, view: View) -> Next[View]:
        return Next(view)


class Wait(Watch):
    """Nothing at all, before anybody shoots."""

    name = "wait"

    def declare(self, setup: Any, line: Any, path: Any) -> Action:
        return Pause(who=line.by, key="wait")


class ByPhasesWithPause(ByPhases):
    """The game by phases, in which one may wait."""

    actions = (Shoot(), Wait())


class Eager:
    """Whoever may shoot shoots."""

    def decide(self, choice: Any, parts: Any, mark: str) -> str | None:
        keys = [option.key for option in choice.options]
        return "shoot ann" if "shoot ann" in keys else "end turn"


@pytest.mark.parametrize("fades", [False, True])
@pytest.mark.parametrize("lines", [(BACK, {"by": "bob", "action": "wait"}), ({"by": "bob"},)])
def test_a_later_phase_is_no_earlier_line(lines: tuple[Data, ...], *, fades: bool) -> None:
    """What is done in a later phase is done last: that there is one bullet is kept until then."""
    people = {"ann": {"wounds": 9}, "bob": {"bullets": 1}}
    game, choosing = ByPhasesWithPause(), len(lines) == 1
    opening = asked(*lines, rounds=2, game=game, fades=fades, choosing=choosing, **people)
    played = play(opening.situation, Generator(1), Eager())
    thrown = [event for event in played.events if isinstance(event, Thrown)]
    assert [event.label for event in thrown].count("hits") == 1


class Ended(Step[Soldier, None], frozen=True, gc=False, cache_hash=True):
    """Everything is over."""

    reach = ()

    def then(self, soldier: Soldier, _: None) -> Next[Soldier]:
        return Next(soldier, records={"wounds": 7})


class WithEnd(Skirmish):
    """The game, in which something comes after everything else, for one at whom nobody shoots."""

    def ends(self, setup: Any) -> Any:
        return [Task(Ended(), "cid")]

    def harmed(self, setup: Any, targets: tuple[str, ...]) -> tuple[str, ...]:
        return (*targets, "cid")


class Witnessed(Skirmish):
    """The game with one who looks on, and nobody who answers."""

    def reactions(self, setup: Any, raised: frozenset[str]) -> Any:
        return ()

    def affected(self, setup: Any, targets: tuple[str, ...]) -> tuple[str, ...]:
        return ("cid", *targets)


def test_who_is_only_affected_has_the_measures_for_that() -> None:
    measures = asked(SHOOT, cid={}, game=Witnessed()).measures
    assert {name for name in measures if name.startswith("cid.")} == {"cid.out"}
    assert "bob.wounds" in measures


@pytest.mark.parametrize("rounds", [None, 1, 3])
def test_what_ends_a_question_comes_once(rounds: int | None) -> None:
    opening = asked(SHOOT, rounds=rounds, cid={}, game=WithEnd())
    assert odds(opening, "cid.wounds") == {7: F(1)}
    assert mean(opening, "bob.wounds") > 0


# -- what may be chosen --------------------------------------------------------------------------


class Rest(Watch):
    """Nothing that anybody would choose."""

    name = "rest"
    offered = False


class Cry(Shoot):
    """A shot at ann, whomever an open line is about."""

    name = "cry"

    def of_open(self, line: Any) -> Any:
        return replace(line, at="ann")


class WithRest(Skirmish):
    """The game with two more actions."""

    actions = (Cry(), Shoot(), Rest())


def test_an_open_line_offers_what_is_about_it() -> None:
    """Whom the line names is about one action, not about the other; a third is no option."""
    opening = asked({"by": "cid", "at": "bob"}, game=WithRest(), choosing=True, cid={})
    played = play(opening.situation, Generator(1), Policies())
    (chosen,) = [event for event in played.events if isinstance(event, Chosen)]
    assert chosen.options == ("shoot ann", "shoot bob")
    stated = asked({"by": "cid", "action": "rest"}, game=WithRest(), choosing=True, cid={})
    assert not [e for e in play(stated.situation, Typed([])).events if isinstance(e, Chosen)]


class Fire(Shoot):
    """The same as to shoot, by another name."""

    name = "fire"

    def declare(self, setup: Any, line: Any, path: Any) -> Action:
        return replace(super().declare(setup, line, path), key=f"fire at {line.at}")


class TwoWords(Skirmish):
    """The game with two names for one thing."""

    actions = (Shoot(), Fire())


def test_what_differs_in_its_name_alone_is_one_option() -> None:
    opening = asked({"by": "ann"}, game=TwoWords(), choosing=True, cid={})
    played = play(opening.situation, Typed(["1", "1"]), Scripted(["shoot cid"], Policies()))
    (chosen,) = [event for event in played.events if isinstance(event, Chosen)]
    assert chosen.options == ("shoot bob", "shoot cid")


@pytest.mark.parametrize(
    ("refused", "quietly", "notes", "readings"),
    [
        (False, False, ["before", "tried"], {"to_hit"}),
        (False, True, ["before"], {"to_hit"}),
        (True, False, ["before"], set()),
    ],
)
def test_what_was_only_tried_is_not_reported(
    refused: bool, quietly: bool, notes: list[str], readings: set[str]
) -> None:
    setup = setup_of(RULES)
    setup.leave_out("before")
    with suppress(Refusal), setup.trying(quietly=quietly):
        assert setup.rulings["to_hit"] == "four"
        setup.leave_out("tried")
        if refused:
            raise setup.wrong(("do",), "cannot be")
    assert list(setup.notes) == notes
    assert setup.rulings.looked_at == readings


# -- measures, editions --------------------------------------------------------------------------


def test_measures_of_sides_and_of_all() -> None:
    people = {"ann": {"side": "us"}, "bob": {"side": "them"}}
    opening = asked(SHOOT, BACK, rounds=1, **people)
    both = mean(opening, "ann.wounds") + mean(opening, "bob.wounds")
    assert mean(opening, "them.losses") == mean(opening, "bob.wounds")
    assert mean(opening, "all_wounds") == both


def test_a_side_of_which_nobody_is_struck_has_no_measure() -> None:
    setup = setup_of(RULES, combatants={"ann": {"side": "us"}, "bob": {"side": "them"}})
    named = set(measured(setup, Skirmish.measures, ["bob"]))
    assert named == {"lost", "bob.wounds", "bob.out", "them.losses", "all_wounds"}


@pytest.mark.parametrize(
    ("measure", "sentence"),
    [
        ({}, "the measure 'x' needs either records or a final state"),
        ({"records": {"a": 1}, "final": bool}, "needs either records or a final state"),
        ({"final": bool, "of": "side"}, "is of a final state, which is one's alone"),
        ({"final": bool, "of": "all"}, "is of a final state, which is one's alone"),
    ],
)
def test_a_measure_is_of_records_or_of_a_final_state(measure: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Measure(**{"name": "x", "of": "actor", "title": "x"} | measure)


def test_an_edition_takes_readings_and_a_scenario_others() -> None:
    assert asked(SHOOT).rulings == {"to_hit": "four"}
    assert asked(SHOOT, edition="hard").rulings == {"to_hit": "six"}
    mixed_up = asked(SHOOT, edition="hard", rulings={"to_hit": "four"})
    assert mixed_up.rulings == {"to_hit": "four"}
    assert asked(SHOOT, edition=2017).rulings == {"to_hit": "six"}
    with pytest.raises(QuestionError, match="edition is not known; there is 2017, hard"):
        asked(SHOOT, edition="soft")


def test_house_rules_lie_over_an_edition() -> None:
    house = replace(RULES, variant={"to_hit": "four"})
    setup = setup_of(house, edition="hard")
    assert setup.rulings["to_hit"] == "four"


def test_readings_lie_over_each_other() -> None:
    ruling = Ruling("?", "a", "", "", {"a": "", "b": "", "c": "", "d": ""})
    edition, variant, scenario = {"x": "b"}, {"x": "c"}, {"x": "d"}
    assert Readings({"x": ruling})["x"] == "a"
    assert Readings({"x": ruling}, edition)["x"] == "b"
    assert Readings({"x": ruling}, edition, variant)["x"] == "c"
    assert Readings({"x": ruling}, edition, variant, scenario)["x"] == "d"


# -- numbers that do more than add up ------------------------------------------------------------


def effect(value: int, op: Any = "add", group: str = "", label: str = "") -> Effect:
    return Effect(label or f"{op} {value}", value, "test", group, op)


@pytest.mark.parametrize(
    ("effects", "number"),
    [
        ([], 0),
        ([effect(3), effect(-1)], 2),
        ([effect(7, "set"), effect(2)], 9),
        # whatever their order: set, multiplied, added, kept within
        ([effect(2), effect(2, "multiply"), effect(7, "set")], 16),
        ([effect(20, "set"), effect(10, "at_most")], 10),
        ([effect(4, "set"), effect(1), effect(6, "at_least")], 6),
        ([effect(9), effect(5, "at_most"), effect(7, "at_least")], 7),
        # of a group only the furthest from nothing
        ([effect(10), effect(-20, group="cover"), effect(-10, group="cover")], -10),
        ([effect(5, group="x"), effect(5, group="x"), effect(1, group="y")], 6),
    ],
)
def test_number_of(effects: list[Effect], number: int) -> None:
    assert number_of(effects) == number


def test_what_does_not_count_is_shown_as_such() -> None:
    small, large = (
        effect(-10, group="cover", label="hedge"),
        effect(-20, group="cover", label="wall"),
    )
    counts, idle = counting([small, large])
    assert (counts, idle) == ([large], [small])
    labels = [(part.label, part.value) for part in shown([effect(30, "at_most"), small, large])]
    assert labels == [("at_most 30 (at most)", 30), ("wall", -20), ("hedge (does not count)", 0)]


def test_of_two_that_are_worth_the_same_the_first_counts() -> None:
    hedge, wall = (effect(-10, group="cover", label=each) for each in ("hedge", "wall"))
    assert counting([hedge, wall]) == ([hedge], [wall])


def test_of_two_that_are_alike_one_counts_and_the_other_is_shown() -> None:
    twice = [effect(-10, group="cover", label="hedge")] * 2
    assert counting(twice) == (twice[:1], twice[1:])
    assert [(part.label, part.value) for part in shown(twice)] == [
        ("hedge", -10),
        ("hedge (does not count)", 0),
    ]
