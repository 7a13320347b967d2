"""What a player is told when a question is wrong."""


class QuestionError(ValueError):
    """The question cannot be answered as it stands; the message is one sentence for a player."""
