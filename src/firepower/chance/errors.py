"""What can go wrong with a question about chance; each message is one sentence for a player."""


class ChanceError(ValueError):
    """The question cannot be answered as it was asked."""


class DiceError(ChanceError):
    """A dice expression, or a face that was typed in, cannot be read."""


class EndlessError(ChanceError):
    """The steps can come back to a situation they already left, so they never end."""


class LimitError(ChanceError):
    """The question has more situations than the solver was allowed to look at."""


class AnswerError(ChanceError):
    """An answer given beforehand (a face, an option) does not fit what is asked."""


class StepError(TypeError):
    """A step breaks its own promise (`local`, `reads`, no Choice in a Resolution): a bug."""
