"""What changes about a combatant in a fight, and is still to be read by a rule."""

import msgspec
from msgspec.structs import replace

from firepower.combat.actions import Part

NOT_SHOT_AT, SHOT_AT = 1, 2
"""How somebody is pinned: whether anybody shot at them since their last turn."""

BROKEN = "broken"
"""The condition of a weapon that fires no more."""


class Arm(msgspec.Struct, frozen=True, cache_hash=True):
    """A weapon in somebody's hands.

    `loaded`: rounds in it (None: not counted). `fired`: what counts against the most shots of a
    turn, so far in this one.
    """

    name: str
    loaded: int | None
    craftsmanship: str
    jammed: bool = False
    fired: int = 0

    @property
    def words(self) -> str:
        """How it stands, for a player."""
        words = [] if self.loaded is None else [f"{self.loaded} loaded"]
        words += ["jammed"] * self.jammed
        words += [self.craftsmanship] * (self.craftsmanship != "common")
        words += [f"{self.fired} fired"] * (self.fired > 0)
        return ", ".join(words)


class Fighter(Part, frozen=True, cache_hash=True):
    """One combatant.

    `out`: out of action, by a lethal injury (`lethal`) or too much fatigue. `astray`: errant hits
    that found this combatant and have not landed yet. `pinned`: 0, NOT_SHOT_AT or SHOT_AT. `ap`:
    left in this turn (None: not counted). `begun`, `paid`: an action that goes on, and the AP put
    into it. `fate`: points left (None: there is no Fate). `rerolled`: has had the re-roll of this
    turn. `spared`: has taken damage off this attack. `tireless`: turns for which fatigue is
    ignored. `passive`: takes no turn in this question, so that being pinned is read by nobody.
    """

    out: bool = False
    lethal: bool = False
    astray: int = 0
    pinned: int = 0
    fatigue: int = 0
    ap: int | None = None
    aim: int = 0
    begun: str = ""
    paid: int = 0
    arms: tuple[Arm, ...] = ()
    fate: int | None = None
    rerolled: bool = False
    spared: bool = False
    tireless: int = 0
    passive: bool = False

    @property
    def acts(self) -> bool:
        """Whether there is still a turn to take."""
        return not self.out

    @property
    def is_tired(self) -> bool:
        """Whether fatigue counts."""
        return self.fatigue > 0 and not self.tireless

    @property
    def words(self) -> str:
        """How things stand with this combatant, for a player."""
        if self.out:
            return "out of action"
        words = [] if self.ap is None else [f"{self.ap} AP"]
        arms = [(arm.name if len(self.arms) > 1 else "", arm.words) for arm in self.arms]
        words += [f"{name} {how}".strip() for name, how in arms if how]
        words += [f"aimed {self.aim:+d}"] * (self.aim > 0)
        words += [f"{self.begun} begun"] * bool(self.begun)
        words += ["", "pinned", "pinned, shot at"][self.pinned : self.pinned + 1]
        words += [f"fatigue {self.fatigue}"] * (self.fatigue > 0)
        words += [f"{self.fate} Fate"] * (self.fate is not None)
        words += ["re-roll used"] * self.rerolled
        words += [f"tireless for {self.tireless}"] * (self.tireless > 0)
        return ", ".join(each for each in words if each)

    def affords(self, ap: int) -> bool:
        """Whether so many AP are left, or none are counted."""
        return self.ap is None or self.ap >= ap

    def ap_left(self, begun: str, ap: int) -> int:
        """The AP that an action still takes, if it is the one that was begun."""
        return ap - (self.paid if self.begun == begun else 0)

    def arm(self, name: str) -> Arm | None:
        """The weapon of this name, if anything about it is still to be read."""
        return next((arm for arm in self.arms if arm.name == name), None)

    def with_arm(self, changed: Arm) -> "Fighter":
        """The same with one weapon changed."""
        arms = tuple(changed if arm.name == changed.name else arm for arm in self.arms)
        return replace(self, arms=arms)

    def paying(self, ap: int, *, keeps_aim: bool = False) -> "Fighter":
        """After an action that costs so much; what was begun is undone, and the aim used up."""
        left = None if self.ap is None else self.ap - ap
        return replace(self, ap=left, aim=self.aim if keeps_aim else 0, begun="", paid=0)

    def shot_at(self) -> "Fighter":
        """After somebody shot at this combatant."""
        return replace(self, pinned=SHOT_AT) if self.pinned else self

    def pinned_down(self) -> "Fighter":
        """After a failed pinning test."""
        return self if self.out or self.passive else replace(self, pinned=SHOT_AT)

    def falling(self, *, lethal: bool) -> "Fighter":
        """Out of action; nothing else matters any more, except hits that have yet to land."""
        return Fighter(
            out=True, lethal=self.lethal or lethal, astray=self.astray, passive=self.passive
        )

    def faded(self, rounds_left: int) -> "Fighter":
        """After the last action: rounds in weapons are read no more, nor is an aim.

        That a weapon is jammed is still asked for, and its condition by the check that follows.
        """
        arms = tuple(replace(arm, loaded=None, fired=0) for arm in self.arms)
        return replace(self, arms=arms, aim=0, begun="", paid=0)
