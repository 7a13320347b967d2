"""Reports as text that a player reads."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import groupby
from shlex import quote
from typing import Any

from firepower.answers.odds import Odds, Tested
from firepower.answers.played import Outcome
from firepower.answers.terms import Terms
from firepower.chance.advice import Advice, Decision
from firepower.chance.distribution import Distribution
from firepower.chance.events import Chosen, Event, Recorded, Thrown, Told
from firepower.chance.sample import Sampled
from firepower.chance.steps import Modifier
from firepower.chance.tallies import Tally
from firepower.cli.page import WIDTH, bar, columns, columns_and_text, write, write_wrapped
from firepower.combat.game import Listed, Opening
from firepower.combat.register import Ruling
from firepower.report import when

MOST_ROWS = 14
MOST_IN_FULL = 4
MOST_PLANNED = 20
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
    if report.after:
        show_rounds(report, exact=exact)
    else:
        show_summary(report, exact=exact, detailed=detailed)
        for name, found in report.measures.items():
            if len(found) > 1 and (detailed or name in report.opening.headlines):
                words, sampled = report.words.get(name, ()), report.sampled.get(name)
                show_distribution(name, found, words, exact=exact, sampled=sampled)
    write()
    show_method(report)
    show_terms(report.terms)


def show_method(report: Odds) -> None:
    """How the numbers were found."""
    if len(report.sampled) < len(report.measures):
        write(f"exact, {report.situations:,} situations", dim=True)
    if report.sampled:
        count = next(iter(report.sampled.values())).count
        all_of_them = len(report.sampled) == len(report.measures)
        some = "" if all_of_them else f" ({', '.join(report.sampled)})"
        fewer = " (as many as --work allows)" if count < report.samples else ""
        write_wrapped(
            f"sampled{some}: {count:,} plays{fewer}, as {report.why}; ± is one standard error",
            dim=True,
        )


def show_rounds(report: Odds, *, exact: bool) -> None:
    """Each measure as it stands when each round is over: its mean, or the chance of it."""
    numbers = list(report.after)
    rows = [["after round", *map(str, numbers)]]
    for name in report.measures:
        row = []
        for number in numbers:
            found = report.after[number].measures[name]
            sampled = report.after[number].sampled.get(name)
            if _is_truth(found):
                p = found.chance(bool)
                row.append(str(p) if exact and sampled is None else _share(p, sampled))
            else:
                is_exact = exact and sampled is None
                row.append(str(found.mean) if is_exact else number_with_error(found, sampled))
        rows.append([name, *row])
    write()
    for line in columns(rows, "<" + ">" * len(numbers)):
        write(line)
    for name, words in report.words.items():
        if name in report.measures:
            _show_word_rounds(report, name, words)


def _show_word_rounds(report: Odds, name: str, words: tuple[str, ...]) -> None:
    """The chance of each outcome that has a name, when each round is over."""
    found = {number: each.measures[name] for number, each in report.after.items()}
    sampled = report.sampled.get(name)
    outcomes = sorted({outcome for each in found.values() for outcome in each.weights})
    if len(outcomes) < 2:
        return
    rows = [[name, *map(str, found)]]
    rows += [
        [
            f"{outcome} {words[outcome]}",
            *(_seen(each.p(outcome), sampled) for each in found.values()),
        ]
        for outcome in outcomes
    ]
    write()
    for line in columns(rows, "<" + ">" * len(found)):
        write(line)


def _seen(p: Fraction, sampled: Sampled | None) -> str:
    """A probability; what was not seen in samples is not shown as nothing."""
    return percent(p) if p or sampled is None else _share(p, sampled)


def _share(p: Fraction, sampled: Sampled | None) -> str:
    """A probability; if it was sampled with its standard error, or as far as one can tell."""
    if sampled is None:
        return percent(p)
    if p == 0:
        return f"<{100 * sampled.bound:.2f}%"
    if p == 1:
        return f">{100 - 100 * sampled.bound:.2f}%"
    return f"{percent(p)} ±{100 * sampled.error(float(p)):.2f}"


def number_with_error(found: Distribution[Any], sampled: Sampled | None) -> str:
    """A mean, with its standard error if it was sampled."""
    return number(found.mean) + (f" ±{number(sampled.mean_error)}" if sampled is not None else "")


def show_tests(tests: Iterable[Tested]) -> None:
    """Each roll with its need and every part of it; other numbers of the same test below it."""
    kinds: dict[tuple[str, str, str], list[Tested]] = {}
    for test in tests:
        varies = (test.label, test.by, test.dice) if test.target is not None else None
        kinds.setdefault(varies or (test.label, test.by, f"{test.need}{test.parts}"), []).append(
            test
        )
    for first, *others in kinds.values():
        write(f"{first.label} ({first.by})  {first.dice}{_need(first.need)}", bold=True)
        rows = _part_rows(first.parts)
        if first.target is not None:
            rows.append([str(first.target), "target number", ""])
        for line in columns(rows, "><<", indent=2):
            write(line)
        numbers = [(other.target, other) for other in others if other.target is not None]
        for _, other in sorted(numbers, key=lambda each: -each[0])[:MOST_ROWS]:
            write_wrapped(f"{other.need}: {_difference(first, other)}", indent=2)


def _difference(first: Tested, other: Tested) -> str:
    """What makes the number of a test another than that of the first."""
    more = [f"{p.value:+d} {p.label} ({p.source})" for p in other.parts if p not in first.parts]
    less = [f"without {part.label}" for part in first.parts if part not in other.parts]
    return ", ".join(more + less)


def _part_rows(parts: Iterable[Modifier]) -> list[list[str]]:
    return [[f"{part.value:+d}", part.label, part.source] for part in parts]


def _need(need: str) -> str:
    return f": {need}" if need else ""


def show_summary(report: Odds, *, exact: bool, detailed: bool) -> None:
    """One line a measure: mean, deviation, and the chance of any; what is never is only named."""
    rows = [["measure", "mean", "sd", "at least 1"]]
    never = []
    for name, found in report.measures.items():
        sampled = report.sampled.get(name)
        chance = found.chance(bool) if _is_truth(found) else found.at_least(1)
        if not detailed and not chance and not found.mean:
            never.append(name)
        elif _is_truth(found):
            p = str(chance) if exact and sampled is None else _share(chance, sampled)
            rows.append([name, "", "", p])
        else:
            is_exact = exact and sampled is None
            mean = str(found.mean) if is_exact else number_with_error(found, sampled)
            sd = number(found.sd) if found.sd else ""
            rows.append([name, mean, sd, _share(chance, sampled)])
    write()
    for line in columns(rows, "<>>>"):
        write(line)
    if never:
        how = "never"
        if report.sampled:
            bound = next(iter(report.sampled.values())).bound
            how = f"never seen (less than {100 * bound:.2f}% each, at 95%)"
        write_wrapped(f"{how}: {', '.join(never)}", dim=True)


def _is_truth(found: Distribution[Any]) -> bool:
    return all(isinstance(outcome, bool) for outcome in found.weights)


def show_distribution(
    name: str,
    found: Distribution[Any],
    words: tuple[str, ...],
    *,
    exact: bool,
    sampled: Sampled | None = None,
) -> None:
    """The outcomes as bars (or fractions), with the chance of each and of at least each."""
    groups = grouped(found)
    most = max(p for _, p, _ in groups)
    rows = [[name, "chance", "", "at least"]]
    for outcomes, p, at_least in groups:
        drawn = str(p) if exact and sampled is None else bar(float(p / most), BAR)
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


def show_outcome(report: Outcome, opening: Opening, rounds: int | None = None) -> None:
    """What happened, die by die, then what it came to; `rounds` if only so many were played."""
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
        again += f" --choose {quote(','.join(report.options))}"
    if rounds is not None:
        again += f" --rounds {rounds}"
    write(f"the same again: {again.strip()}", dim=True)
    show_terms(report.terms)


def show_events(events: Iterable[Event], opening: Opening) -> None:
    """Each event in a line: dice with need and result, choices, consequences."""
    how: dict[str, str] = {}
    for each in opening.measures.values():
        if isinstance(each, Tally):
            how = dict.fromkeys(each.names, each.how) | how
    for is_record, group in groupby(events, lambda event: isinstance(event, Recorded)):
        if is_record:
            _show_records(group, how)
            continue
        for event in group:
            if isinstance(event, Thrown):
                _show_thrown(event)
            elif isinstance(event, Told):
                write(event.text, bold=True)
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
    """The best value, each decision with all its options, and many decisions as a plan.

    Where the options are worth the same nothing has to be decided.
    """
    matter = [decision for decision in advice.decisions if decision.matters]
    word = "best" if matter else "value"
    write(f"goal: {goal}   {word} {_worth(advice.value, advice, exact=exact)}", bold=True)
    if not matter:
        write("there is nothing to choose" if not advice.decisions else "no option changes it")
    in_full = matter
    if len(matter) > MOST_IN_FULL:
        in_full = [decision for decision in matter[:1] if decision.arrives == 1]
    for decision in in_full:
        _show_decision(decision, advice, exact=exact)
    if len(matter) > MOST_IN_FULL:
        _show_plan(matter, advice, exact=exact)
    write()
    write(f"exact, {advice.situations:,} situations", dim=True)
    show_terms(terms)


def _show_plan(decisions: list[Decision], advice: Advice, *, exact: bool) -> None:
    """What to do in each situation that best play may come to, those that come most often."""
    likely = sorted(decisions, key=lambda each: -each.arrives)[:MOST_PLANNED]
    rows = [["comes up", "best", "value", "next best", "value", "when"]]
    for decision in (each for each in decisions if each in likely):
        best_first = _best_first(decision, advice)
        two = [[key, _worth(worth, advice, exact=exact)] for key, worth in best_first[:2]]
        best, second = (*two, ["", ""])[:2]
        asked = ": ".join(each for each in (when(decision), decision.label) if each)
        rows.append([percent(decision.arrives), *best, *second, asked])
    write()
    for line in columns_and_text(rows, "><><>"):
        write(line)
    if len(decisions) > len(likely):
        more = len(decisions) - len(likely)
        write_wrapped(f"and {more:,} situations that come up less often (all of them with --json)")


def _best_first(decision: Decision, advice: Advice) -> list[tuple[str, Fraction]]:
    return sorted(decision.options, key=lambda option: option[1], reverse=not advice.least)


def _worth(worth: Fraction, advice: Advice, *, exact: bool) -> str:
    if exact:
        return str(worth)
    return percent(worth) if advice.is_chance else number(worth)


def _show_decision(decision: Decision, advice: Advice, *, exact: bool) -> None:
    comes = "" if decision.arrives == 1 else f" (comes up {percent(decision.arrives)})"
    write()
    stand = when(decision)
    at = f" ({stand})" if stand else ""
    write_wrapped(f"{decision.by}: {decision.label}{at}{comes}")
    top = max(worth for _, worth in decision.options) or Fraction(1)
    best_first = _best_first(decision, advice)
    rows = [
        [
            key,
            _worth(worth, advice, exact=exact),
            "" if exact else bar(float(worth / top), BAR),
            "best" if worth == best_first[0][1] else "",
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
