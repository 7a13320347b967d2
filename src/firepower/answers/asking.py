"""A question that can be asked again and again: odds, a play, the best decision."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from firepower.answers.best import best
from firepower.answers.going_on import going_on
from firepower.answers.odds import DEFAULT_SAMPLES, Odds, odds
from firepower.answers.played import Outcome, outcome, refuse_unused
from firepower.answers.question import Loaded, Opened, load
from firepower.answers.terms import Terms, terms
from firepower.chance.advice import Advice
from firepower.chance.errors import AnswerError
from firepower.chance.play import play
from firepower.chance.solver import Solver
from firepower.chance.sources import Decider, Generator, Scripted, Settled, Source, Typed
from firepower.combat.documents import Document, converted
from firepower.combat.errors import QuestionError


class Question:
    """A scenario that was read; each verb decides what of it is left open.

    One solver answers all, and remembers what the answers share. Every method raises QuestionError
    for a question that is wrong and AnswerError for dice or options that do not fit; odds and
    advice raise LimitError for what would cost too much.
    """

    def __init__(self, loaded: Loaded, solver: Solver | None = None) -> None:
        self._loaded = loaded
        self._solver = solver or Solver()
        self._opened: dict[tuple[bool, int | None, bool], Opened] = {}

    def opened(
        self, *, choosing: bool = False, turns: int | None = None, fades: bool = True
    ) -> Opened:
        """Where the question begins, once for each way to ask it."""
        how = (choosing, turns, fades)
        if how not in self._opened:
            self._opened[how] = self._loaded.opened(choosing=choosing, turns=turns, fades=fades)
        return self._opened[how]

    @property
    def measures(self) -> dict[str, str]:
        """What can be asked, and what each means."""
        asked = self.opened(choosing=True).opening.asked
        return {name: each.measure.title for name, each in asked.items()}

    def odds(
        self,
        *measures: str,
        dice: Sequence[str] = (),
        choose: Sequence[str] = (),
        by_round: bool = False,
        samples: int = DEFAULT_SAMPLES,
    ) -> Odds:
        """Every outcome of some measures, or of all, with its exact probability.

        `dice` and `choose` are the answers given so far: odds are then those from there. What is
        too large to be exact is what was seen in `samples` plays; with 0 it is refused.
        """
        return odds(
            self.opened(),
            measures=measures,
            dice=dice,
            choose=choose,
            by_round=by_round,
            samples=samples,
            solver=self._solver,
        )

    def roll(
        self,
        *,
        seed: int | None = None,
        dice: Sequence[str] = (),
        choose: Sequence[str] = (),
        rounds: int | None = None,
        source: Source | None = None,
        decider: Decider | None = None,
        choosing: bool | None = None,
    ) -> Outcome:
        """One play, die by die; equal seeds play alike.

        Faces and options come from `dice` and `choose` first, then from `source` and `decider`, if
        there are any, else from the seed and by policy. Only so many `rounds` are played. What the
        scenario leaves open is asked for where options are given (`choosing`).
        """
        if choosing is None:
            choosing = bool(choose) or decider is not None
        whole = self._loaded.scenario.rounds
        if rounds is not None and (whole is None or rounds > whole):
            have = "no 'rounds'" if whole is None else f"{whole} rounds"
            raise QuestionError(f"the scenario has {have}, so {rounds} of them cannot be played")
        opened = self.opened(choosing=choosing, turns=rounds, fades=False)
        if seed is not None:
            source = Generator(seed)
        typed = Typed(dice, source)
        script = Scripted(choose, decider or Settled())
        played = play(opened.opening.situation, typed, script)
        refuse_unused(typed, script)
        if not played.finished:
            raise AnswerError(
                f"the attack needs more faces than the {len(played.faces)} given; "
                "add them to --dice, or --seed or --ask for the rest"
            )
        return outcome(opened, played)

    def going_on(self, outcome: Outcome, rounds: int | None = None) -> dict[str, Any]:
        """The scenario that goes on from the end of a play, which played so many rounds."""
        opened = self.opened(fades=False, choosing=True)
        whole = self._loaded.scenario.rounds or 0
        return going_on(opened, outcome.end, whole if rounds is None else rounds)

    def why_refused(self, data: dict[str, Any]) -> str:
        """Why a scenario that goes on from this one could not be asked as it is; "" if it can."""
        document, before = Document("", data), self._loaded
        scenario = converted(document, before.system.scenario)
        after = Loaded(document, before.system, before.tables, scenario)
        try:
            after.opened(choosing=True)
        except QuestionError as refusal:
            return str(refusal)
        return ""

    def best(
        self,
        goal: str,
        *,
        turns: int | None = None,
        against: bool = False,
        dice: Sequence[str] = (),
        choose: Sequence[str] = (),
    ) -> Advice:
        """The value of every option for a goal, each under its own best continuation.

        A goal is a measure (its expected value; of a truth its chance), `measure>=number` (the
        chance of that), or either with a minus before it (the least). With `against` the others
        choose what is worst for it. `turns`: the best of so many whole turns.
        """
        return best(
            self.opened(choosing=True, turns=turns),
            goal,
            against=against,
            dice=tuple(dice),
            choose=tuple(choose),
            solver=self._solver,
        )

    def terms(self, *, turns: int | None = None, policies: bool = True) -> Terms:
        """What advice rests on: rulings and policies in force, what is left out, the scenario."""
        return terms(self.opened(choosing=True, turns=turns), policies=policies)


def read(
    source: Path | str | Mapping[str, Any],
    *,
    changes: Sequence[str] = (),
    variant: Path | str | None = None,
    solver: Solver | None = None,
) -> Question:
    """Read a scenario: a path, the text of one, or plain data.

    `changes` are laid over it, like `scout.ranged_combat=50`; `variant` is a file of house rules.
    Raises QuestionError, one sentence, for anything that is wrong.
    """
    house = Path(variant) if variant is not None else None
    return Question(load(source, changes=changes, variant=house), solver)


__all__ = ["Question", "QuestionError", "read"]
