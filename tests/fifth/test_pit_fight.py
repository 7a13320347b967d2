"""A game from outside: found by its entry point, and every command answers for it."""

import ast
import re
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import firepower
from firepower.answers.going_on import going_on
from firepower.answers.question import read_question
from firepower.chance import Final, Solver
from firepower.chance.steps import Situation
from firepower.cli.main import main
from firepower.combat.errors import QuestionError
from firepower.combat.game import GameSystem, check_contract
from firepower.combat.measures import Measure
from firepower.systems import find_system, system_names

HERE = Path(__file__).parent
GAME = HERE / "pit_fight"
EXAMPLE = GAME / "example.toml"
PAGE = HERE.parents[1] / "docs" / "a-game-of-your-own.md"


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(HERE))
    yield
    for name in [each for each in sys.modules if each.startswith("pit_fight")]:
        del sys.modules[name]


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> str:
    """What a command prints; it must answer."""
    monkeypatch.setattr("sys.argv", ["firepower", *map(str, words)])
    main()
    return capsys.readouterr().out


def test_it_is_found() -> None:
    assert "pit-fight" in system_names()
    assert find_system("pit-fight").title == "Pit Fight"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("odds", "blue.wounds"),
        ("odds --by-round", "after round"),
        ("roll --seed 3", "strike"),
        ("best --goal blue.felled", "put everything into it?"),
    ],
)
def test_every_verb_answers(
    command: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    verb, *options = command.split()
    assert says in run(capsys, monkeypatch, verb, str(EXAMPLE), *options)


@pytest.mark.parametrize(
    ("listing", "says"),
    [
        ("actions", "strike  Strike"),
        ("rulings", "Who is staggered by a hit?"),
        ("policies", ""),
        ("weapons", ""),
        ("schema", "a d6 of so much or more hits"),
        ("new", 'system = "pit-fight"'),
    ],
)
def test_every_listing_answers(
    listing: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert says in run(capsys, monkeypatch, listing, "pit-fight")


def test_its_example_is_what_new_prints() -> None:
    assert find_system("pit-fight").example == EXAMPLE.read_text("utf-8")


def test_a_play_goes_on(tmp_path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    end = tmp_path / "next.toml"
    run(
        capsys, monkeypatch, "roll", str(EXAMPLE), "--seed", "1", "--rounds", "1", "--end", str(end)
    )
    assert firepower.read(end).odds("blue.felled").measures["blue.felled"].mean >= 0
    assert "round = 2" in end.read_text("utf-8")


# -- its numbers, against loops that share no code with it ---------------------------------------


def felled(rounds: int, heavy: int) -> Fraction:
    """The chance that red (4+, two wounds) fells blue (5+, three wounds), nobody risking all."""
    states = {((2, False), (3, False)): Fraction(1)}
    for turn in ["red", "blue"] * rounds:
        after: dict[Any, Fraction] = {}
        for (red, blue), p in states.items():
            me, other = (red, blue) if turn == "red" else (blue, red)
            number = (4 if turn == "red" else 5) + me[1]
            fights = me[0] > 0 and other[0] > 0
            for face in range(1, 7):
                struck = other
                if fights and (face == 6 or face >= number):
                    struck = (other[0] - 1, other[1] or face >= heavy)
                steady = (me[0], me[1] and not fights)
                pair = (steady, struck) if turn == "red" else (struck, steady)
                after[pair] = after.get(pair, Fraction(0)) + p / 6
        states = after
    return sum((p for (_, blue), p in states.items() if blue[0] == 0), Fraction(0))


@pytest.mark.parametrize("rounds", [1, 2, 3, 5])
@pytest.mark.parametrize(("reading", "heavy"), [("by_six", 6), ("by_any", 1)])
def test_odds_are_what_loops_find(rounds: int, reading: str, heavy: int) -> None:
    question = firepower.read(EXAMPLE, changes=[f"rounds={rounds}", f"rulings.stagger={reading}"])
    assert question.odds("blue.felled").measures["blue.felled"].mean == felled(rounds, heavy)


def test_everything_at_stake_is_worth_it_only_at_the_last() -> None:
    """Red needs one more wound, and this is the last strike: a third more often."""
    changes = ["rounds=1", "combatants.blue.wounds=1"]
    advice = firepower.read(EXAMPLE, changes=changes).best("blue.felled")
    (decision,) = advice.decisions
    assert dict(decision.options) == {"no": Fraction(1, 2), "yes": Fraction(2, 3)}


def test_two_rounds_are_the_sum_over_what_is_written_after_one() -> None:
    data = read_question(EXAMPLE).document.data | {"rounds": 2}
    everybody = Final("", lambda view: view.parts)

    def states(question: Any) -> dict[Any, Fraction]:
        return dict(Solver().odds(question.opening.situation, everybody))

    first = read_question(data, fades=False, turns=1)
    total: dict[Any, Fraction] = {}
    for parts, p in states(first).items():
        end = going_on(first, Situation(first.opening.situation.names, parts, ()), 1)
        for after, then in states(read_question(end, fades=False)).items():
            total[after] = total.get(after, Fraction(0)) + p * then
    assert total == states(read_question(data, fades=False))


# -- what a game must say ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"title": None}, "does not say its title"),
        ({"measures": None, "actions": None}, "does not say its actions, measures"),
        ({"name": "other"}, "calls itself 'other'"),
        ({"scenario": dict}, "are no Envelope"),
        ({"tables_type": dict}, "are no Tables"),
        ({"actions": ("strike",)}, "the actions of the game 'pit-fight' have 'strike' among them"),
        ({"measures": (1,)}, "the measures of the game 'pit-fight' have 1 among them"),
    ],
)
def test_a_game_that_lacks_something_is_refused(changes: dict[str, Any], sentence: str) -> None:
    whole = find_system("pit-fight")
    said = {
        each: getattr(whole, each)
        for each in ("name", "title", "folder", "scenario", "tables_type", "actions", "measures")
    } | changes
    body = {key: value for key, value in said.items() if value is not None}
    broken = type("Broken", (GameSystem,), body | {"state": type(whole).state})()
    with pytest.raises(QuestionError, match=re.escape(sentence)):
        check_contract(broken, "pit-fight")


def counted(name: str, of: Any, alone: str = "") -> Measure:
    """A measure."""
    return Measure(name=name, of=of, title=name, records={"felled": 1}, alone=alone)


@pytest.mark.parametrize(
    ("measures", "twice"),
    [
        # who acts and whom it is done to have their name before the measure's
        ((counted("x", "actor"), counted("x", "target")), "x"),
        # of one who acts alone, and of all, there is no name
        ((counted("x", "actor"), counted("x", "all")), "x"),
        ((counted("x", "actor", alone="y"), counted("y", "all")), "y"),
        ((counted("x", "side"), counted("x", "side")), "x"),
        ((counted("x", "actor"), counted("x", "side")), ""),
        ((counted("x", "target"), counted("x", "all")), ""),
    ],
)
def test_a_measure_may_not_be_there_twice(measures: tuple[Measure, ...], twice: str) -> None:
    broken = type("Twice", (type(find_system("pit-fight")),), {"measures": measures})()
    if not twice:
        check_contract(broken, "pit-fight")
        return
    with pytest.raises(QuestionError, match=f"has the measure '{twice}' twice"):
        check_contract(broken, "pit-fight")


def test_an_action_may_not_be_there_twice() -> None:
    whole = find_system("pit-fight")
    body = {"actions": whole.actions * 2}
    broken = type("Twice", (type(whole),), body)()
    with pytest.raises(QuestionError, match="has the action 'strike' twice"):
        check_contract(broken, "pit-fight")


def test_an_action_is_of_a_phase_that_there_is() -> None:
    whole = find_system("pit-fight")
    late = type("Late", (type(whole.actions[0]),), {"phase": "night"})()
    broken = type("Night", (type(whole),), {"actions": (late,), "phases": ("day",)})()
    with pytest.raises(QuestionError, match="has no phase 'night', in which is 'strike'"):
        check_contract(broken, "pit-fight")


def test_tables_that_are_no_toml_are_refused_by_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "rules.toml").write_text("number = = 4\n")
    broken = type("Broken", (type(find_system("pit-fight")),), {"folder": tmp_path})()
    with pytest.raises(QuestionError, match=r"rules\.toml is not TOML.*line 1"):
        broken.tables()


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(QuestionError, match="is no GameSystem but a str"):
        check_contract("pit-fight", "pit-fight")


# -- the page that builds it ---------------------------------------------------------------------


def test_the_page_builds_this_game() -> None:
    text = PAGE.read_text("utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    ours = ast.dump(ast.parse((GAME / "__init__.py").read_text("utf-8")))
    assert ast.dump(ast.parse("\n".join(blocks))) == ours
    for name in ("rules.toml", "rulings.toml", "example.toml"):
        assert (GAME / name).read_text("utf-8") in text
