"""Necromunda, from 2017 onward: shooting, close combat, fire and injuries."""

from firepower.systems.necromunda.game import Necromunda

SYSTEM = Necromunda()
