"""Reports as text in 80 columns."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from firepower.chance.advice import Advice, Decision
from firepower.chance.distribution import Distribution
from firepower.chance.play import Chosen, Event, Recorded, Thrown
from firepower.chance.steps import Measure, Modifier
from firepower.report import Odds, Outcome, Terms, Tested
from firepower.systems.rulings import Ruling
from firepower.systems.system import Listed, Opening

WIDTH = 80
MOST_ROWS = 14
BAR = 30
EIGHTHS = " ▏▎▍▌▋▊▉"


def console() -> Console:
    """Standard output: 80 columns, colour only on a terminal."""
    return Console(width=WIDTH, highlight=False, soft_wrap=False)


def percent(p: Fraction) -> str:
    """A probability as a percentage; what is possible is never shown as nothing."""
    if 0 < p < Fraction(1, 20_000):
        return "<0.01%"
    if Fraction(19_999, 20_000) < p < 1:
        return ">99.99%"
    return f"{float(100 * p):.2f}%"


def bar(share: float, width: int = BAR) -> str:
    """A bar of block characters for a share from 0 to 1."""
    eighths = round(share * width * 8)
    if share > 0:
        eighths = max(1, eighths)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def number(value: Fraction | float) -> str:
    """A number with the digits a player wants."""
    return f"{float(value):.3f}".rstrip("0").rstrip(".")


# -- odds ----------------------------------------------------------------------------------------


def show_odds(out: Console, report: Odds, *, detailed: bool, exact: bool) -> None:
    """Tests, then every measure in a line, then the distributions as bars or fractions."""
    if report.so_far:
        show_events(out, report.so_far, report.opening)
        out.rule(style="dim")
    show_tests(out, report.tests)
    show_summary(out, report, exact=exact)
    for name, found in report.measures.items():
        plain = all(isinstance(outcome, bool) for outcome in found.weights)
        if len(found) > 1 and (detailed or (not plain and _is_headline(name))):
            show_distribution(out, name, found, report.words.get(name, ()), exact=exact)
    out.print()
    out.print(f"exact, {report.situations:,} situations", style="dim")
    show_terms(out, report.terms)


def _is_headline(name: str) -> bool:
    return name == "hits" or name.endswith((".damage", ".injury"))


def show_tests(out: Console, tests: Iterable[Tested]) -> None:
    """Each roll with its need and every part of it."""
    for test in tests:
        title = f"{test.label} ({test.by})"
        need = f"{test.dice}: {test.need}" if test.need else test.dice
        out.print(f"[bold]{escape(title)}[/bold]  {need}")
        out.print(Padding(_parts(test.parts, test.target), (0, 0, 0, 2)))


def _parts(parts: Iterable[Modifier], target: int | None) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(justify="right", min_width=4)
    table.add_column(min_width=34)
    table.add_column(style="dim")
    for part in parts:
        table.add_row(f"{part.value:+d}", part.label, part.source)
    if target is not None:
        table.add_row(f"{target}", "target number")
    return table


def show_summary(out: Console, report: Odds, *, exact: bool) -> None:
    """One line a measure: mean, deviation, and the chance of any."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("measure", min_width=26)
    for heading in ("mean", "sd", "at least 1"):
        table.add_column(heading, justify="right", min_width=9)
    for name, found in report.measures.items():
        if all(isinstance(outcome, bool) for outcome in found.weights):
            chance = found.at_least(True)  # noqa: FBT003 - the outcome asked about
            table.add_row(name, "", "", str(chance) if exact else percent(chance))
        else:
            sd = number(found.sd) if found.sd else ""
            mean = str(found.mean) if exact else number(found.mean)
            table.add_row(name, mean, sd, percent(found.at_least(1)))
    out.print()
    out.print(table)


def show_distribution(
    out: Console, name: str, found: Distribution[Any], words: tuple[str, ...], *, exact: bool
) -> None:
    """The outcomes as bars (or fractions), with the chance of each and of at least each."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(name, min_width=12, justify="left" if words else "right")
    table.add_column("chance", justify="right", min_width=8)
    table.add_column("", min_width=BAR)
    table.add_column("at least", justify="right", min_width=8)
    groups = grouped(found)
    most = max(p for _, p, _ in groups)
    for outcomes, p, at_least in groups:
        shown = _span(outcomes, words)
        drawn = str(p) if exact else bar(float(p / most))
        table.add_row(shown, percent(p), drawn, percent(at_least))
    out.print()
    out.print(table)


def grouped(found: Distribution[Any]) -> list[tuple[tuple[Any, Any], Fraction, Fraction]]:
    """(lowest, highest) outcome, chance, chance of at least the lowest.

    Many outcomes are put in groups of equal width; nought stays on its own.
    """
    outcomes = list(found.weights)
    if len(outcomes) <= MOST_ROWS or not all(type(each) is int for each in outcomes):
        return [((each, each), found.p(each), found.at_least(each)) for each in outcomes]
    width = -(-(outcomes[-1] - outcomes[0]) // (MOST_ROWS - 1))
    groups: dict[int, list[int]] = {}
    for each in outcomes:
        groups.setdefault(-1 if each == 0 else (each - 1) // width, []).append(each)
    rows = []
    for at, members in groups.items():
        low, high = (0, 0) if at < 0 else (at * width + 1, (at + 1) * width)
        chance = sum((found.p(each) for each in members), Fraction(0))
        rows.append(((low, high), chance, found.at_least(members[0])))
    return rows


def _span(outcomes: tuple[Any, Any], words: tuple[str, ...]) -> str:
    low, high = outcomes
    if low != high:
        return f"{low}–{high}"
    if isinstance(low, bool):
        return "yes" if low else "no"
    return f"{low} {words[low]}" if words else str(low)


# -- a played attack -----------------------------------------------------------------------------


def show_outcome(out: Console, report: Outcome, opening: Opening) -> None:
    """What happened, die by die, then what it came to."""
    show_events(out, report.events, opening)
    out.print()
    came_to = []
    for name, value in report.measures.items():
        if value:
            words = report.words.get(name)
            shown = "yes" if value is True else f"{value} {words[value]}" if words else str(value)
            came_to.append(f"{name} {shown}")
    out.print(Text("; ".join(came_to) or "nothing came of it", style="bold"))
    again = f"--dice {','.join(report.faces)}"
    if report.options:
        again += f" --choose {','.join(report.options)}"
    out.print(f"the same again: {again}", style="dim", soft_wrap=True)
    show_terms(out, report.terms)


def show_events(out: Console, events: Iterable[Event], opening: Opening) -> None:
    """Each event in a line: dice with need and result, choices, consequences."""
    measured = [each for each in opening.measures.values() if isinstance(each, Measure)]
    greatest = {name for each in measured if each.how == "greatest" for name in each.names}
    for is_record, group in groupby(events, lambda event: isinstance(event, Recorded)):
        if is_record:
            _show_records(out, group, greatest)
            continue
        for event in group:
            if isinstance(event, Thrown):
                _show_thrown(out, event)
            elif isinstance(event, Chosen):
                out.print(f"[bold]{event.by}: {escape(event.label)}[/bold]  {event.option}")


def _show_thrown(out: Console, event: Thrown) -> None:
    title = f"{event.who}: {event.label}" if event.who else event.label
    need = f"  [dim]{event.need}[/dim]" if event.need else ""
    out.print(f"[bold]{escape(title)}[/bold]  {event.dice}{need}")
    if event.parts:
        parts = "  ".join(f"{part.value:+d} {part.label}" for part in event.parts)
        out.print(Padding(Text(parts, style="dim"), (0, 0, 0, 4)))
    for faces, total, words in zip(event.faces, event.totals, event.words, strict=True):
        shown = " ".join(str(face) for face in faces)
        if len(faces) > 1 and total.lstrip("-").isdecimal():
            shown += f" = {total}"
        out.print(f"    {shown}" + (f": {words}" if words else ""))


def _show_records(out: Console, events: Iterable[Event], greatest: set[str]) -> None:
    """What was recorded, in one line for each combatant."""
    numbers: dict[str, dict[str, int]] = {}
    for event in events:
        assert isinstance(event, Recorded)
        who, _, what = event.name.rpartition(".")
        before = numbers.setdefault(who, {}).get(what, 0)
        after = max(before, event.amount) if event.name in greatest else before + event.amount
        numbers[who][what] = after
    for who, made in numbers.items():
        listed = ", ".join(f"{what.replace('_', ' ')} {amount}" for what, amount in made.items())
        out.print(Padding(Text(f"→ {who}: {listed}", style="dim"), (0, 0, 0, 6)))


# -- advice --------------------------------------------------------------------------------------


def show_advice(out: Console, goal: str, advice: Advice, terms: Terms, *, exact: bool) -> None:
    """The best value, and each decision with all its options."""
    shown = str(advice.value) if exact else number(advice.value)
    out.print(f"[bold]goal: {escape(goal)}[/bold]   best {shown}")
    if not advice.decisions:
        out.print("there is nothing to choose")
    for decision in advice.decisions:
        _show_decision(out, decision, exact=exact)
    out.print()
    out.print(f"exact, {advice.situations:,} situations", style="dim")
    show_terms(out, terms)


def _show_decision(out: Console, decision: Decision, *, exact: bool) -> None:
    comes = "" if decision.arrives == 1 else f" (comes up {percent(decision.arrives)})"
    out.print()
    out.print(f"{decision.by}: {decision.label}{comes}", markup=False)
    top = max(float(worth) for _, worth in decision.options) or 1.0
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(min_width=18)
    table.add_column(justify="right", min_width=8)
    table.add_column(min_width=BAR)
    table.add_column()
    for key, worth in sorted(decision.options, key=lambda option: -option[1]):
        mark = "best" if key == decision.best else ""
        drawn = str(worth) if exact else bar(max(0.0, float(worth) / top))
        table.add_row(key, number(worth), drawn, mark)
    out.print(Padding(table, (0, 0, 0, 2)))


# -- terms and registers -------------------------------------------------------------------------


def show_terms(out: Console, terms: Terms) -> None:
    """Rulings and policies in force, and what was left out."""
    for title, readings in (("rulings", terms.rulings), ("policies", terms.policies)):
        if readings:
            listed = ", ".join(f"{name}={reading}" for name, reading in readings.items())
            out.print(Text(f"{title}: {listed}", style="dim"))
    for what in terms.not_modelled:
        out.print(Text(f"not modelled: {what}", style="yellow"))


def show_register(out: Console, register: Mapping[str, Ruling]) -> None:
    """Every question with its readings, the default marked."""
    for name, ruling in register.items():
        out.print(f"[bold]{name}[/bold]  {ruling.question}")
        for reading, means in ruling.readings.items():
            mark = "*" if reading == ruling.default else " "
            out.print(Padding(Text(f"{mark} {reading}: {means}"), (0, 0, 0, 2)))
        out.print(
            Padding(Text(f"because {ruling.why} ({ruling.source})", style="dim"), (0, 0, 1, 4))
        )
    out.print("* the default", style="dim")


def show_listing(out: Console, rows: Iterable[Listed]) -> None:
    """Names, titles and figures."""
    for row in rows:
        out.print(f"[bold]{row.name}[/bold]  {row.title}")
        figures = "  ".join(f"{key} {value}" for key, value in row.figures.items())
        out.print(Padding(Text(figures), (0, 0, 0, 4)))
