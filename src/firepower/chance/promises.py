"""Promises: what a step says of itself, held against what it does."""

from collections.abc import Iterable, Sequence
from typing import Any

from firepower.chance.errors import StepError
from firepower.chance.steps import AnyStep, Next, Task, View
from firepower.chance.tallies import EVERYBODY


def check_promises(
    step: AnyStep,
    reach: frozenset[str] | None,
    part: Any,
    after: Next[Any],
    inside: Sequence[tuple[str, int]] = (),
) -> None:
    """StepError if a step records less than nothing, leads too far, or loses somebody.

    `reach` is the step's own, `part` what it saw, `inside` what its Resolution records.
    """
    made = (*after.records, *inside) if inside else after.records
    is_view = isinstance(part, View)
    if is_view and (not isinstance(after.part, View) or after.part.names != part.names):
        raise StepError(f"{type(step).__name__} gives back others than it was given")
    for name, amount in made:
        if amount < 0 and not step.signed:
            raise StepError(f"{type(step).__name__} records less than nothing: {made}")
        if not is_view and "." in name:
            raise StepError(f"{type(step).__name__} records for somebody else: {made}")
    if reach is None or EVERYBODY in reach:
        return
    within = reach.union(part.names) if is_view else reach
    for each in after.todo:
        if not within.issuperset(_reached(each)):
            raise StepError(f"{type(step).__name__} does not say that it reaches {_name(each)}")
    for name, _ in made if is_view else ():
        if name.rpartition(".")[0] not in within:
            raise StepError(f"{type(step).__name__} does not say that it reaches {name!r}")


def follows(
    step: AnyStep, seen: Any, read: Any, inside: Sequence[tuple[str, int]] = ()
) -> Next[Any]:
    """What follows from what a step read; StepError if it breaks a promise."""
    after: Next[Any] = step.then(seen, read)
    reach = step.reach
    check_promises(step, None if reach is None else frozenset(reach), seen, after, inside)
    return after


def _reached(each: Task) -> Iterable[str]:
    """Whom a task reaches, besides those whom the step that leads to it is addressed to.

    A mark matters to any question.
    """
    if each.step.reach is None or each.step.mark is not None:
        return (EVERYBODY,)
    named = () if each.who is None else (each.who,) if isinstance(each.who, str) else each.who
    return (*named, *each.step.reach)


def _name(each: Task) -> str:
    """A task in words."""
    what = type(each.step).__name__
    return what if each.who is None else f"{what} for {each.who!r}"
