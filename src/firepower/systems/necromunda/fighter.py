"""What changes about a fighter in a battle, and is still to be read by a rule."""

import msgspec
from msgspec.structs import replace

from firepower.combat.actions import Part


class Arm(msgspec.Struct, frozen=True, cache_hash=True):
    """A weapon in somebody's hands.

    `out`: out of ammo until it is reloaded; `dry`: profiles of a Combi weapon that are. `jammed`
    and the `spent` profiles are gone for the battle. `rerolled`: Master-crafted was used.
    """

    name: str
    out: bool = False
    jammed: bool = False
    dry: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    rerolled: bool = False

    @property
    def words(self) -> str:
        """How it stands, for a player."""
        words = ["jammed"] if self.jammed else ["out of ammo"] if self.out else []
        words += [f"{profile} out of ammo" for profile in self.dry]
        words += [f"{profile} gone" for profile in self.spent]
        return f"{self.name} {' and '.join(words)}" if words else ""


class Seen(msgspec.Struct, frozen=True):
    """What others may know of a fighter: standing, Prone, or neither (out of action)."""

    stands: bool
    prone: bool
    engaged: tuple[str, ...]
    broken: bool
    down: bool
    on_fire: bool

    @property
    def here(self) -> bool:
        """Not out of action."""
        return self.stands or self.prone


class Fighter(Part, frozen=True, cache_hash=True):
    """One fighter; differences from the profile.

    `out`: out of action, by so many `results` of that. `flesh`: flesh wounds. `ready`: not
    activated yet; `waits`: will not be Ready in the next round. `actions`: left in this activation
    (None: not counted), `used`: Basic and Free actions done in it. `astray`: stray hits that have
    not landed yet. `cancelled`: hits of this attack that a field made none, `hurt`: one wounded.
    `at`: where the fighter ran, burning. `entangled`, `disarmed`: in the close combat that goes on,
    `missed`: blows at this fighter in it that missed; `brawls`: there may be one, or another answer
    to what others do.
    """

    wounds_lost: int = 0
    flesh: int = 0
    pinned: bool = False
    down: bool = False
    webbed: bool = False
    out: bool = False
    results: int = 0
    on_fire: bool = False
    broken: bool = False
    blind: bool = False
    concussed: bool = False
    gunked: bool = False
    burnt_out: bool = False
    ready: bool = True
    waits: bool = False
    actions: int | None = None
    used: tuple[str, ...] = ()
    aimed: int = 0
    engaged: tuple[str, ...] = ()
    arms: tuple[Arm, ...] = ()
    astray: int = 0
    at: tuple[float, float] | None = None
    cancelled: int = 0
    hurt: bool = False
    entangled: bool = False
    disarmed: bool = False
    missed: int = 0
    brawls: bool = False

    @property
    def acts(self) -> bool:
        """Whether there is still an activation to come."""
        return not self.out

    @property
    def is_down(self) -> bool:
        """Seriously Injured, or Webbed, which is treated alike."""
        return self.down or self.webbed

    @property
    def prone(self) -> bool:
        """Pinned or Seriously Injured."""
        return not self.out and (self.pinned or self.is_down)

    @property
    def stands(self) -> bool:
        """On their feet, engaged or not."""
        return not self.out and not self.prone

    @property
    def glimpse(self) -> Seen:
        """What others may know."""
        if self.out:
            return GONE
        return Seen(self.stands, self.prone, self.engaged, self.broken, self.is_down, self.on_fire)

    @property
    def words(self) -> str:
        """How things stand with this fighter, for a player."""
        if self.out:
            return "out of action"
        words = ["seriously injured"] * self.down + ["webbed"] * self.webbed
        words += ["pinned"] * self.pinned
        words += [_many(self.wounds_lost, "wound", " lost"), _many(self.flesh, "flesh wound")]
        words += ["on fire"] * self.on_fire + ["broken"] * self.broken + ["blind"] * self.blind
        words += ["concussed"] * self.concussed + ["gunked"] * self.gunked
        words += [_many(self.actions or 0, "action")]
        words += [f"aimed {self.aimed:+d}"] * (self.aimed != 0)
        words += [f"engaged with {' and '.join(self.engaged)}"] * bool(self.engaged)
        return ", ".join(word for word in (*words, *(arm.words for arm in self.arms)) if word)

    def arm(self, name: str) -> Arm | None:
        """The weapon of this name, if anything about it is still to be read."""
        return next((arm for arm in self.arms if arm.name == name), None)

    def with_arm(self, changed: Arm) -> "Fighter":
        """The same with one weapon changed."""
        arms = tuple(changed if arm.name == changed.name else arm for arm in self.arms)
        return replace(self, arms=arms)

    def pin(self) -> "Fighter":
        """Prone and Pinned, if standing."""
        return replace(self, pinned=True) if self.stands else self

    def fall(self) -> "Fighter":
        """Prone and Seriously Injured."""
        return replace(self, down=True, pinned=False, engaged=())

    def leave(self, results: int = 1) -> "Fighter":
        """Out of action; nothing else matters any more."""
        return Fighter(out=True, results=results, astray=self.astray, ready=False)

    def faded(self, rounds_left: int) -> "Fighter":
        """After the last action: neither this activation nor weapons are read any more.

        Who may be drawn into close combat, or has Overwatch, still needs the weapons for reactions.
        """
        if self.out:
            return self
        arms = self.arms if self.brawls else ()
        left = None if self.actions is None else 0
        return replace(self, aimed=0, used=(), actions=left, arms=arms)


GONE = Seen(stands=False, prone=False, engaged=(), broken=False, down=False, on_fire=False)


def _many(count: int, what: str, more: str = "") -> str:
    """So many of something, in words; nothing for none."""
    return f"{count} {what}{'s' * (count != 1)}{more}" if count else ""
