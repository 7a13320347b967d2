"""The floor that every game stands on; it knows no game by name."""
