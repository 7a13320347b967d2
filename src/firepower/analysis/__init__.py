"""Questions made of several answers: which option is best."""
