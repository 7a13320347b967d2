"""The command line: `firepower odds scenario.toml` and its sisters.

Exit codes: 0 answered, 2 the question was wrong (one sentence on standard error), 1 our fault.
"""

import gc
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from firepower.answers.asking import Question, read
from firepower.answers.odds import DEFAULT_SAMPLES
from firepower.answers.question import read_variant
from firepower.chance.bounds import DEFAULT_SITUATIONS, DEFAULT_WORK
from firepower.chance.errors import ChanceError, LimitError
from firepower.chance.solver import Solver
from firepower.chance.sources import Asked, Decider, Generator, Source
from firepower.chance.steps import Choice
from firepower.combat.errors import QuestionError
from firepower.combat.game import GameSystem
from firepower.combat.paths import close_matches
from firepower.combat.turns import how_things_stand
from firepower.report import advice_data, odds_data, outcome_data
from firepower.systems import find_system, system_names

F = TypeVar("F", bound=Callable[..., Any])
_FILE = click.Path(path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80})
@click.version_option(package_name="firepower")
def app() -> None:
    """What an attack will do: exact odds, one played outcome, the best decision.

    SCENARIO is a file, or the quick form: GAME WEAPON ACTION.
    """


def asks(command: F) -> F:
    """The arguments of a command that asks a question about a scenario."""
    for decorate in (
        click.option("--json", "as_json", is_flag=True, help="The answer as JSON."),
        click.option("--choose", default="", help="Options taken so far, by name: 0,1."),
        click.option("--dice", default="", help="Faces thrown so far: 3,4,12."),
        click.option("--variant", type=_FILE, help="A file of house rules."),
        click.option("--set", "change", multiple=True, metavar="KEY=VALUE", help="Change a key."),
        click.argument("scenario", nargs=-1, required=True),
    ):
        command = decorate(command)
    return command


with_variant = click.option("--variant", type=_FILE, help="A file of house rules.")
with_limit = click.option(
    "--limit",
    type=click.IntRange(1, 100_000_000),
    default=DEFAULT_SITUATIONS,
    show_default=True,
    help="How many situations an exact answer may look at.",
)
with_work = click.option(
    "--work",
    type=click.IntRange(1),
    default=DEFAULT_WORK,
    show_default=True,
    help="How much work exact answers may be; a unit is about a nanosecond.",
)
with_exact = click.option("--exact", is_flag=True, help="Every number as a fraction too.")


@app.command()
@asks
@with_exact
@with_limit
@with_work
@click.option(
    "--samples",
    type=click.IntRange(0, 10_000_000),
    default=DEFAULT_SAMPLES,
    show_default=True,
    help="How many plays stand in for what is too large to be exact; 0: none.",
)
@click.option("--by-round", is_flag=True, help="Every measure by the end of each round.")
@click.option("--measure", "-m", multiple=True, help="Only this measure, in full; repeatable.")
def odds(
    scenario: tuple[str, ...],
    change: tuple[str, ...],
    variant: Path | None,
    measure: tuple[str, ...],
    by_round: bool,
    samples: int,
    limit: int,
    work: int,
    dice: str,
    choose: str,
    as_json: bool,
    exact: bool,
) -> None:
    """Every outcome with its exact probability."""
    question = _question(scenario, change, variant, Solver(limit, work))
    report = question.odds(
        *measure, dice=_split(dice), choose=_options(choose), by_round=by_round, samples=samples
    )
    if as_json:
        _print_json(odds_data(report, exact=exact))
        return
    from firepower.cli import text

    text.show_odds(report, detailed=bool(measure), exact=exact)


@app.command()
@asks
@click.option("--seed", type=int, help="The generator's seed; equal seeds play alike.")
@click.option("--ask", is_flag=True, help="Prompt for each die and each choice.")
@click.option("--rounds", type=click.IntRange(1, 100), help="Play only so many rounds.")
@click.option("--end", help="Write the scenario that goes on from the end; '-': to the output.")
def roll(
    scenario: tuple[str, ...],
    change: tuple[str, ...],
    variant: Path | None,
    seed: int | None,
    dice: str,
    choose: str,
    ask: bool,
    rounds: int | None,
    end: str | None,
    as_json: bool,
) -> None:
    """One outcome, die by die.

    After the faces of --dice come those of --seed or --ask.
    """
    if ask and seed is not None:
        raise QuestionError("--ask and --seed both say where dice come from; give one")
    question = _question(scenario, change, variant)
    source: Source | None = None
    decider: Decider | None = None
    if ask:
        source, decider = Asked(_prompt, _refuse), Prompted()
    elif seed is not None or not dice:
        source = Generator(_fresh_seed() if seed is None else seed)
    report = question.roll(
        dice=_split(dice), choose=_options(choose), rounds=rounds, source=source, decider=decider
    )
    from firepower.cli import text

    if end is not None:
        from firepower.cli.files import write_end

        after = question.going_on(report, rounds)
        write_end(after, end, scenario, variant)
        refused = question.why_refused(after)
        if refused:
            click.echo(f"note: asked as it is, what goes on is refused: {refused}", err=True)
    with redirect_stdout(sys.stderr if end == "-" else sys.stdout):
        if as_json:
            _print_json(outcome_data(report))
        else:
            text.show_outcome(report, question.opened(choosing=True).opening, rounds)


@app.command()
@asks
@with_exact
@with_limit
@with_work
@click.option(
    "--turns", type=click.IntRange(1, 100), help="The best of so many turns, action by action."
)
@click.option(
    "--against",
    type=click.Choice(["policy", "best"]),
    default="policy",
    show_default=True,
    help="How the others choose: by their policies, or what is worst for the goal.",
)
@click.option(
    "--goal", required=True, help="A measure, or 'measure>=number'; a minus before it: the least."
)
def best(
    scenario: tuple[str, ...],
    goal: str,
    turns: int | None,
    against: str,
    limit: int,
    work: int,
    change: tuple[str, ...],
    variant: Path | None,
    dice: str,
    choose: str,
    as_json: bool,
    exact: bool,
) -> None:
    """Which action, and which options inside it, serve a goal.

    What the scenario leaves open (`action`, `dice`) is chosen, within its `ap`.
    """
    question = _question(scenario, change, variant, Solver(limit, work))
    advice = question.best(
        goal, turns=turns, against=against == "best", dice=_split(dice), choose=_options(choose)
    )
    if as_json:
        opened = question.opened(choosing=True, turns=turns)
        _print_json(advice_data(opened, goal, advice, exact=exact))
        return
    from firepower.cli import text

    terms = question.terms(turns=turns, policies=advice.policies)
    text.show_advice(goal, advice, terms, exact=exact)


@app.command()
@click.argument("system")
@click.argument("name", required=False)
@with_variant
def weapons(system: str, name: str | None, variant: Path | None) -> None:
    """The armoury of a game."""
    from firepower.cli import text

    game, tables = _game(system, variant)
    rows = game.weapons(tables)
    if name:
        names = [row.name for row in rows]
        if name not in names:
            raise QuestionError(f"no weapon is called {name!r}; {close_matches(name, names)}")
        rows = [row for row in rows if row.name == name]
    text.show_listing(rows)


@app.command()
@click.argument("system")
@with_variant
def actions(system: str, variant: Path | None) -> None:
    """What a combatant can do."""
    from firepower.cli import text

    game, tables = _game(system, variant)
    text.show_listing(game.listed_actions(tables))


@app.command()
@click.argument("system")
@with_variant
def rulings(system: str, variant: Path | None) -> None:
    """How a game's rules are read where their text leaves a gap."""
    from firepower.cli import text

    text.show_register(_game(system, variant)[1].rulings)


@app.command()
@click.argument("system")
@with_variant
def policies(system: str, variant: Path | None) -> None:
    """How choices are made that the rules leave to a player."""
    from firepower.cli import text

    text.show_register(_game(system, variant)[1].policies)


@app.command()
@click.argument("system")
def schema(system: str) -> None:
    """The JSON Schema of a game's scenarios."""
    _print_json(msgspec.json.schema(find_system(system).scenario))


@app.command()
@click.argument("system")
def new(system: str) -> None:
    """An example scenario to begin with."""
    sys.stdout.write(find_system(system).example)


def _question(
    words: Sequence[str],
    changes: Sequence[str],
    variant: Path | None,
    solver: Solver | None = None,
) -> Question:
    """A scenario file, or the quick form: game, weapon, action."""
    source: Path | dict[str, Any] = Path(words[0])
    if len(words) == 3:
        source = find_system(words[0]).quick(words[1], words[2])
    elif len(words) != 1 or words[0] in system_names():
        raise QuestionError(
            f"{' '.join(words)!r} is neither a scenario file nor GAME WEAPON ACTION"
        )
    return read(source, changes=changes, variant=variant, solver=solver)


def _game(system: str, variant: Path | None) -> tuple[GameSystem[Any, Any, Any, Any], Any]:
    """A game and its tables, with a variant laid over them."""
    found = find_system(system)
    return found, found.tables(read_variant(variant, found) if variant else None)


def _split(text: str) -> tuple[str, ...]:
    return tuple(text.replace(",", " ").split())


def _options(text: str) -> tuple[str, ...]:
    """Options by name; a name may be of several words."""
    return tuple(each.strip() for each in text.split(",") if each.strip())


def _print_json(data: Any) -> None:
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n")


def _fresh_seed() -> int:
    from secrets import randbits

    return randbits(32)


class Prompted:
    """A person who is asked for each option; what is no option is asked again."""

    def decide(self, choice: Choice[Any], parts: Mapping[str, Any], mark: str) -> str | None:
        keys = [option.key for option in choice.options]
        while True:
            stand = how_things_stand(choice.by, mark, parts.items())
            before = f"{stand}: " if stand else ""
            asked = f"{before}{choice.label} [{', '.join(keys)}; Enter for {choice.policy}]"
            typed = _prompt(asked)
            if not typed:
                return choice.policy
            if typed in keys:
                return typed
            _refuse(f"{typed!r} is none of {', '.join(keys)}")


def _prompt(question: str) -> str:
    sys.stderr.write(f"{question}: ")
    sys.stderr.flush()
    line = sys.stdin.readline()
    if not line:
        raise QuestionError("the answers ended before the attack did")
    return line.strip()


def _refuse(reason: str) -> None:
    sys.stderr.write(f"  {reason}\n")


def main() -> None:
    """Run a command; a wrong question ends in one sentence and exit code 2, our fault in 1."""
    gc.disable()  # situations make no cycles, and looking for some takes a quarter of the time
    try:
        app.main(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as shown:
        sys.stderr.write(f"{shown.format_message()}\n")
        sys.exit(2)
    except click.ClickException as wrong:
        _fail(wrong.format_message())
    except LimitError as too_much:
        _fail(f"{too_much}: {_HOW_TO_GO_ON[too_much.bound]}")
    except (QuestionError, ChanceError) as wrong:
        _fail(str(wrong))
    except (KeyboardInterrupt, click.Abort):
        _fail("stopped")
    except RecursionError:
        _fail("the scenario is nested too deeply")
    except BrokenPipeError:
        sys.stderr.close()
    except Exception as fault:  # noqa: BLE001 - no traceback reaches a user
        sys.stderr.write(
            f"firepower: our fault, not yours: {type(fault).__name__}: {fault}"[:500] + "\n"
        )
        sys.exit(1)
    finally:
        gc.enable()


_ASK_FOR_LESS = "ask for less (fewer rounds or turns, one --measure, or state what is left open)"
_HOW_TO_GO_ON = {
    "situations": f"{_ASK_FOR_LESS}, or raise --limit",
    "work": f"{_ASK_FOR_LESS}, or raise --work",
    "bytes": _ASK_FOR_LESS,
}


def _fail(sentence: str) -> None:
    sys.stderr.write(f"firepower: {' '.join(sentence.split())}\n")
    sys.exit(2)
