"""Views: what a step addressed to several sees of a state, by number, and what it leaves behind."""

from typing import Any, TypeAlias

from firepower.chance.agenda import Agendas
from firepower.chance.rows import Rows
from firepower.chance.steps import View
from firepower.chance.tallies import Tally

State: TypeAlias = tuple[int, ...]
"""The part of each combatant, by number."""

Tallies: TypeAlias = tuple[tuple[Tally, int], ...]


class Views:
    """The Views that were seen; equal ones have one number, as parts have."""

    def __init__(self, rows: Rows, agendas: Agendas) -> None:
        self._rows = rows
        self._agendas = agendas
        self._seen: dict[Any, int] = {}

    def seen(self, step: int, who: int, parts: State, tallies: Tallies) -> int:
        """What a step sees: a part alone, or a View of several (with tallies only if it reads).

        Raises WidenError if somebody whom it sees is left out.
        """
        agendas, rows = self._agendas, self._rows
        if who < len(agendas.names):
            if not agendas.is_kept[who]:
                agendas.check_seen(step, who)
            return parts[who]
        agendas.check_seen(step, who)
        members = agendas.addresses[who]
        known = rows.steps[step]
        told = tuple([each for each in tallies if each[0] in known.reads]) if known.reads else ()
        if known.glances:
            at = agendas.glanced(step)
            looks = tuple([rows.glance(step, parts[i]) for i in at])
        else:
            looks = ()
        key = (who, known.glances, tuple([parts[i] for i in members]), looks, told)
        number = self._seen.get(key)
        if number is None:
            names = tuple([agendas.names[i] for i in members])
            whole = tuple([rows.parts[parts[i]] for i in members])
            glanced = tuple(zip(known.glances, looks, strict=True))
            number = self._seen[key] = rows.part_id(View(names, whole, glanced, told))
        return number

    def after(self, who: int, parts: State, view: int) -> State:
        """The state with the parts of a View in it."""
        new = list(parts)
        changed = self._rows.members(view)
        for i, part in zip(self._agendas.addresses[who], changed, strict=True):
            new[i] = part
        return tuple(new)
