"""Reports as text that a player reads."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from typing import Any

from firepower.chance.advice import Advice, Decision
from firepower.chance.distribution import Distribution
from firepower.chance.play import Chosen, Event, Recorded, Thrown
from firepower.chance.steps import Measure, Modifier
from firepower.cli.page import WIDTH, bar, columns, write, write_wrapped
from firepower.report import Odds, Outcome, Terms, Tested
from firepower.systems.rulings import Ruling
from firepower.systems.system import Listed, Opening

MOST_ROWS = 14
BAR = 30


def percent(p: Fraction) -> str:
    """A probability as a percentage; what is possible is never shown as nothing."""
    if 0 < p < Fraction(1, 20_000):
        return "<0.01%"
    if Fraction(19_999, 20_000) < p < 1:
        return ">99.99%"
    return f"{float(100 * p):.2f}%"


def number(value: Fraction | float) -> str:
    """A number with the digits that a player wants."""
    shown = f"{float(value):.3f}"
    return shown.rstrip("0").rstrip(".")


# -- odds ----------------------------------------------------------------------------------------


def show_odds(report: Odds, *, detailed: bool, exact: bool) -> None:
    """Tests, then every measure in a line, then the distributions as bars or fractions."""
    if report.so_far:
        show_events(report.so_far, report.opening)
        write("─" * WIDTH, dim=True)
    show_tests(report.tests)
    show_summary(report, exact=exact)
    for name, found in report.measures.items():
        if len(found) > 1 and (detailed or _is_headline(name)):
            show_distribution(name, found, report.words.get(name, ()), exact=exact)
    write()
    write(f"exact, {report.situations:,} situations", dim=True)
    show_terms(report.terms)


def _is_headline(name: str) -> bool:
    return name == "hits" or name.endswith((".damage", ".injury"))


def show_tests(tests: Iterable[Tested]) -> None:
    """Each roll with its need and every part of it."""
    for test in tests:
        write(f"{test.label} ({test.by})  {test.dice}{_need(test.need)}", bold=True)
        rows = _part_rows(test.parts)
        if test.target is not None:
            rows.append([str(test.target), "target number", ""])
        for line in columns(rows, "><<", indent=2):
            write(line)


def _part_rows(parts: Iterable[Modifier]) -> list[list[str]]:
    return [[f"{part.value:+d}", part.label, part.source] for part in parts]


def _need(need: str) -> str:
    return f": {need}" if need else ""


def show_summary(report: Odds, *, exact: bool) -> None:
    """One line a measure: mean, deviation, and the chance of any."""
    rows = [["measure", "mean", "sd", "at least 1"]]
    for name, found in report.measures.items():
        if _is_truth(found):
            chance = found.chance(bool)
            rows.append([name, "", "", str(chance) if exact else percent(chance)])
        else:
            mean = str(found.mean) if exact else number(found.mean)
            sd = number(found.sd) if found.sd else ""
            rows.append([name, mean, sd, percent(found.at_least(1))])
    write()
    for line in columns(rows, "<>>>"):
        write(line)


def _is_truth(found: Distribution[Any]) -> bool:
    return all(isinstance(outcome, bool) for outcome in found.weights)


def show_distribution(
    name: str, found: Distribution[Any], words: tuple[str, ...], *, exact: bool
) -> None:
    """The outcomes as bars (or fractions), with the chance of each and of at least each."""
    groups = grouped(found)
    most = max(p for _, p, _ in groups)
    rows = [[name, "chance", "", "at least"]]
    for outcomes, p, at_least in groups:
        drawn = str(p) if exact else bar(float(p / most), BAR)
        rows.append([_span(outcomes, words), percent(p), f"{drawn:{BAR}}", percent(at_least)])
    write()
    for line in columns(rows, "<><>" if words else ">><>"):
        write(line)


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


def show_outcome(report: Outcome, opening: Opening) -> None:
    """What happened, die by die, then what it came to."""
    show_events(report.events, opening)
    came_to = []
    for name, value in report.measures.items():
        if value:
            words = report.words.get(name)
            shown = "yes" if value is True else f"{value} {words[value]}" if words else str(value)
            came_to.append(f"{name} {shown}")
    write()
    write_wrapped("; ".join(came_to) or "nothing came of it")
    again = f"--dice {','.join(report.faces)}" if report.faces else ""
    if report.options:
        again += f" --choose {','.join(report.options)}"
    write(f"the same again: {again.strip()}", dim=True)
    show_terms(report.terms)


def show_events(events: Iterable[Event], opening: Opening) -> None:
    """Each event in a line: dice with need and result, choices, consequences."""
    measured = [each for each in opening.measures.values() if isinstance(each, Measure)]
    how = {name: each.how for each in measured for name in each.names}
    for is_record, group in groupby(events, lambda event: isinstance(event, Recorded)):
        if is_record:
            _show_records(group, how)
            continue
        for event in group:
            if isinstance(event, Thrown):
                _show_thrown(event)
            elif isinstance(event, Chosen):
                write(f"{event.by}: {event.label}  {event.option}", bold=True)


def _show_thrown(event: Thrown) -> None:
    title = f"{event.who}: {event.label}" if event.who else event.label
    write(f"{title}  {event.dice}{_need(event.need)}", bold=True)
    if event.parts:
        for line in columns(_part_rows(event.parts), "><<", indent=6):
            write(line, dim=True)
    for faces, total, words in zip(event.faces, event.totals, event.words, strict=True):
        shown = " ".join(str(face) for face in faces)
        if len(faces) > 1 and total.lstrip("-").isdecimal():
            shown += f" = {total}"
        write(f"    {shown}{_need(words)}")


def _show_records(events: Iterable[Event], how: Mapping[str, str]) -> None:
    """What was recorded, in one line for each combatant."""
    numbers: dict[str, dict[str, int]] = {}
    for event in events:
        assert isinstance(event, Recorded)
        who, _, what = event.name.rpartition(".")
        before = numbers.setdefault(who, {}).get(what, 0)
        greatest = how.get(event.name) == "greatest"
        numbers[who][what] = max(before, event.amount) if greatest else before + event.amount
    for who, made in numbers.items():
        listed = [
            what if how.get(f"{who}.{what}") == "any" else f"{what} {amount}"
            for what, amount in made.items()
        ]
        write_wrapped(f"→ {who}: {', '.join(listed).replace('_', ' ')}", indent=6, dim=True)


# -- advice --------------------------------------------------------------------------------------


def show_advice(goal: str, advice: Advice, terms: Terms, *, exact: bool) -> None:
    """The best value, and each decision with all its options."""
    write(f"goal: {goal}   best {_worth(advice.value, advice, exact=exact)}", bold=True)
    if not advice.decisions:
        write("there is nothing to choose")
    for decision in advice.decisions:
        _show_decision(decision, advice, exact=exact)
    write()
    write(f"exact, {advice.situations:,} situations", dim=True)
    show_terms(terms)


def _worth(worth: Fraction, advice: Advice, *, exact: bool) -> str:
    if exact:
        return str(worth)
    return percent(worth) if advice.is_chance else number(worth)


def _show_decision(decision: Decision, advice: Advice, *, exact: bool) -> None:
    comes = "" if decision.arrives == 1 else f" (comes up {percent(decision.arrives)})"
    write()
    write_wrapped(f"{decision.by}: {decision.label}{comes}")
    top = max(worth for _, worth in decision.options) or Fraction(1)
    best_first = sorted(decision.options, key=lambda option: option[1], reverse=not advice.least)
    rows = [
        [
            key,
            _worth(worth, advice, exact=exact),
            "" if exact else bar(float(worth / top), BAR),
            "best" if key == decision.best else "",
        ]
        for key, worth in best_first
    ]
    for line in columns(rows, "<><<", indent=2):
        write(line)


# -- terms and registers -------------------------------------------------------------------------


def show_terms(terms: Terms) -> None:
    """Rulings and policies in force, and what was left out."""
    for title, readings in (("rulings", terms.rulings), ("policies", terms.policies)):
        if readings:
            listed = ", ".join(f"{name}={reading}" for name, reading in readings.items())
            write_wrapped(f"{title}: {listed}", dim=True)
    for what in terms.not_modelled:
        write_wrapped(f"not modelled: {what}", colour="yellow")


def show_register(register: Mapping[str, Ruling]) -> None:
    """Every question with its readings, the default marked."""
    for name, ruling in register.items():
        write(name, bold=True)
        write_wrapped(ruling.question, indent=2)
        for reading, means in ruling.readings.items():
            mark = "*" if reading == ruling.default else " "
            write_wrapped(f"{mark} {reading}: {means}", indent=4)
        write_wrapped(f"because {ruling.why} ({ruling.source})", indent=4, dim=True)
        write()
    write("* the default", dim=True)


def show_listing(rows: Iterable[Listed]) -> None:
    """Names, titles and figures."""
    for row in rows:
        write(f"{row.name}  {row.title}", bold=True)
        write_wrapped("  ".join(f"{key} {value}" for key, value in row.figures.items()), indent=4)
