"""What can go wrong with a question about chance; each message is one sentence for a player."""


class ChanceError(ValueError):
    """The question cannot be answered as it was asked."""


class DiceError(ChanceError):
    """A dice expression, or a face that was typed in, cannot be read."""


class EndlessError(ChanceError):
    """The steps can come back to a situation they already left, so they never end."""


class LimitError(ChanceError):
    """The question costs more than the solver was allowed to spend.

    `bound` says on what: situations, work, or bytes; `most` how much was allowed.
    """

    def __init__(self, bound: str, most: int) -> None:
        super().__init__(f"the question needs more than {most:,} {_BOUNDS[bound]}")
        self.bound = bound
        self.most = most


_BOUNDS = {
    "situations": "situations",
    "work": "units of work",
    "bytes": "bytes for its weights",
}


class AnswerError(ChanceError):
    """An answer given beforehand (a face, an option) does not fit what is asked."""


class StepError(TypeError):
    """A step breaks its own promise (`reach`, `reads`, no Choice in a Resolution): a bug."""


class FallsError(StepError):
    """A sum with a cap was to become less: it would no longer tell what it was."""
