"""Rate of Fire: a homebrew d100 game of single shots, bursts and suppressing fire."""

from firepower.systems.rate_of_fire.game import RateOfFire

SYSTEM = RateOfFire()

__all__ = ["SYSTEM"]
