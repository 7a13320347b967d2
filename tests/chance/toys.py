"""Small steps of no game in particular, to put questions to the engine with.

The part of a combatant is a whole number of tokens. What a step does is an Effect.
"""

from typing import Any

import msgspec

from firepower.chance import (
    EVERYBODY,
    AtLeast,
    Choice,
    Die,
    Mark,
    Next,
    Option,
    Resolution,
    Roll,
    Step,
    Tally,
    Task,
    Total,
    View,
    dice,
)
from firepower.chance.dice import Dice, Term

D2 = dice("d2")
D3 = dice("d3")
D4 = dice("d4")
D6 = dice("d6")
COIN = Dice("coin", (Term(Die("coin", (1, 2), (2, 1))),))
"""A loaded coin: 2, which is good, one time in three."""


class Effect(msgspec.Struct, frozen=True):
    """Tokens lost, what is recorded, and what is to be done first."""

    lose: int = 0
    records: tuple[tuple[str, int], ...] = ()
    todo: tuple[Any, ...] = ()

    def follow(self, tokens: int) -> Next[int]:
        return Next(max(0, tokens - self.lose), *self.todo, records=dict(self.records))


NOTHING = Effect()


def scores(name: str, amount: int = 1) -> Effect:
    """An effect that only records."""
    return Effect(records=((name, amount),))


class Note(Step[int, None], frozen=True, gc=False, cache_hash=True):
    """Bookkeeping: an effect without a question."""

    effect: Effect

    def then(self, tokens: int, _: None) -> Next[int]:
        return self.effect.follow(tokens)


class LocalNote(Note, frozen=True, gc=False, cache_hash=True):
    """The same, of no interest to others."""

    reach = ()


class Throw(Step[int, bool], frozen=True, gc=False, cache_hash=True):
    """A throw against a need; with fewer than `while_tokens` it is no longer made."""

    dice: Dice
    least: int
    hit: Effect
    miss: Effect = NOTHING
    while_tokens: int = 0

    def applies(self, tokens: int) -> bool:
        return tokens >= self.while_tokens

    def ask(self, tokens: int) -> Roll[bool]:
        return Roll("throw", self.dice, AtLeast(self.least))

    def then(self, tokens: int, hit: bool) -> Next[int]:
        return (self.hit if hit else self.miss).follow(tokens)


class LocalThrow(Throw, frozen=True, gc=False, cache_hash=True):
    """The same, of no interest to others."""

    reach = ()


class ReachingThrow(Throw, frozen=True, gc=False, cache_hash=True):
    """The same, which says whom it reaches."""

    @property
    def reach(self) -> tuple[str, ...] | None:
        return reached((*self.hit.todo, *self.miss.todo))


def reached(todo: tuple[Any, ...]) -> tuple[str, ...] | None:
    """Whom tasks reach, besides whom they come from; None if one does not say."""
    names: list[str] = []
    for each in todo:
        step, who = (each.step, each.who) if isinstance(each, Task) else (each, None)
        if step.reach is None or who == EVERYBODY:
            return None
        names += [*((who,) if isinstance(who, str) else who or ()), *step.reach]
    return tuple(dict.fromkeys(names))


class HandfulThrow(Throw, frozen=True, gc=False, cache_hash=True):
    """The same, repeats thrown together."""

    together = True


class LocalHandfulThrow(Throw, frozen=True, gc=False, cache_hash=True):
    """The same, of no interest to others, repeats thrown together."""

    reach = ()
    together = True


class Score(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """A throw whose total is recorded as `score`."""

    reach = ()

    dice: Dice
    name: str = "score"

    def ask(self, tokens: int) -> Roll[int]:
        return Roll("score", self.dice, Total())

    def then(self, tokens: int, total: int) -> Next[int]:
        return Next(tokens, records={self.name: total})


class Damage(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """Damage by any dice, a constant included."""

    dice: Dice

    def ask(self, tokens: int) -> Roll[int]:
        return Roll("damage", self.dice, Total())

    def then(self, tokens: int, total: int) -> Next[int]:
        return Next(max(0, tokens - total), records={"score": total})


class Strike(Step[int, int], frozen=True, gc=False, cache_hash=True):
    """A Resolution: so many tokens are lost as the steps inside record `answer`."""

    inside: tuple[Any, ...]
    answer: str = "loss"
    after: Effect = NOTHING
    part_inside: int = 0
    while_tokens: int = 0

    def applies(self, tokens: int) -> bool:
        return tokens >= self.while_tokens

    def ask(self, tokens: int) -> Resolution:
        return Resolution("strike", self.inside, self.answer, self.part_inside, recorded=True)

    def then(self, tokens: int, loss: int) -> Next[int]:
        return self.after.follow(max(0, tokens - loss))


class LocalHandfulStrike(Strike, frozen=True, gc=False, cache_hash=True):
    """The same, of no interest to others, repeats thrown together."""

    reach = ()
    together = True


class Pick(Step[int, Effect], frozen=True, gc=False, cache_hash=True):
    """A Choice between named effects."""

    by: str
    options: tuple[tuple[str, Effect], ...]
    policy: str
    label: str = "pick"

    def ask(self, tokens: int) -> Choice[Effect]:
        options = tuple(Option(key, effect) for key, effect in self.options)
        return Choice(self.label, self.by, options, self.policy)

    def then(self, tokens: int, effect: Effect) -> Next[int]:
        return effect.follow(tokens)


class Tell(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Reads a measure and records it again under another name."""

    signed = True

    measure: Tally
    name: str = "told"

    @property
    def reads(self) -> tuple[Tally, ...]:
        return (self.measure,)

    def then(self, view: View, _: None) -> Next[View]:
        return Next(view, records={self.name: view.tally(self.measure)})


class Watch(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Keeps a measure in the state for as long as it waits, and does nothing with it."""

    measure: Tally

    @property
    def reads(self) -> tuple[Tally, ...]:
        return (self.measure,)

    def then(self, view: View, _: None) -> Next[View]:
        view.tally(self.measure)
        return Next(view)


class Trade(Step[View, bool], frozen=True, gc=False, cache_hash=True):
    """A coin decides whether a token goes from the first to the last of those addressed together.

    Who is watched only matters for whether there are tokens left: without any there is no coin.
    """

    watched: tuple[str, ...] = ()
    sold: Effect = NOTHING

    @property
    def glances(self) -> tuple[str, ...]:
        return self.watched

    @property
    def reach(self) -> tuple[str, ...] | None:
        return reached(self.sold.todo)

    def glance(self, tokens: int) -> bool:
        return tokens > 0

    def applies(self, view: View) -> bool:
        return bool(view[view.names[0]] > 0)

    def ask(self, view: View) -> Roll[bool] | None:
        if not all(view.glance(name) for name in self.watched):
            return None
        return Roll("trade", COIN, AtLeast(2), by=view.names[0])

    def then(self, view: View, sold: bool | None) -> Next[View]:
        if not sold:
            return Next(view)
        seller, buyer = view.names[0], view.names[-1]
        after = view.replace(seller, view[seller] - 1)
        after = after.replace(buyer, after[buyer] + 1)
        records = {f"{seller}.{name}": amount for name, amount in self.sold.records}
        return Next(after, *self.sold.todo, records=records)


class Bell(Step[View, None], frozen=True, gc=False, cache_hash=True):
    """Something ends here, and the next begins: addressed to nobody."""

    label: str
    todo: tuple[Task, ...] = ()
    left: int = 0

    @property
    def mark(self) -> Mark:
        return Mark(self.label, self.left)

    def then(self, view: View, _: None) -> Next[View]:
        return Next(view, *self.todo)


class Append(Step[tuple[str, ...], None], frozen=True, gc=False, cache_hash=True):
    """Adds a letter to a part that is a row of letters, then does more."""

    letter: str
    todo: tuple[Any, ...] = ()

    def then(self, letters: tuple[str, ...], _: None) -> Next[tuple[str, ...]]:
        return Next((*letters, self.letter), *self.todo)


def times(step: Any, number: int, who: str | None = None) -> Task:
    """A step so many times."""
    return Task(step, who, number)
