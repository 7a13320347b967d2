"""Whole fights against an oracle that shares no code with the rules: equality is exact."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple, TypeAlias

import pytest

from firepower.answers.question import read_question
from firepower.chance import Final, Goal, Situation, Solver, Tally
from firepower.combat.game import Opening
from tests.oracles import fire_fight as oracle
from tests.oracles.fire_fight import Fight, Fighter, Gun, Line, Outcome, Reroll
from tests.systems.rate_of_fire.helpers import Data, Odds

F = Fraction
METRES = {-30: 2, -10: 20, 0: 50, 10: 100, 20: 130, 40: 170}
"""Where a pinning test has this modifier, if the range of the weapon is 35."""

REROLLS: tuple[Reroll, ...] = ("never", "attacks", "every_test")

# -- the same fight as a scenario ----------------------------------------------------------------


def as_scenario(fight: Fight, reroll: Reroll = "never", chooses: str = "") -> Data:
    """The fight as plain data; the turns of whoever `chooses` are left open."""
    guns = [each.gun for each in fight.fighters if each.gun is not None]
    assert all(gun.jam_at in (None, oracle.NEVER_JAMS) for gun in guns)
    never = any(gun.jam_at for gun in guns)
    assert not never or all(gun.jam_at and not (gun.fa_dice or gun.reliable) for gun in guns)
    lines: list[Data] = []
    for name in fight.order:
        if name == chooses:
            lines.append(open_line(fight.of(name)))
        else:
            lines += planned_lines(fight.of(name), fight.rounds)
    return {
        "system": "rate-of-fire",
        "combatants": {each.name: combatant(fight, each) for each in fight.fighters},
        "do": lines,
        "rounds": fight.rounds,
        "order": list(fight.order),
        "rulings": {"jam_other": "never"} if never else {},
        "policies": {"fate_reroll": reroll},
    }


def combatant(fight: Fight, person: Fighter) -> Data:
    assert (person.pinned, person.fatigue, person.aim) == (False, 0, 0)
    data: Data = {
        "ranged_combat": person.ranged_combat,
        "toughness": person.toughness,
        "willpower": person.willpower,
        "armour": person.armour,
    }
    if person.name in fight.order:
        has_dice = person.ap is None
        data |= {"agility_bonus": person.agility_bonus} if has_dice else {"ap": person.ap}
        if person.tests_surprise:
            data |= {"surprised": True, "awareness_bonus": person.awareness_bonus}
    bands = {
        dict(other.pinning).get(person.name, 0)
        for other in fight.fighters
        if person.name in (other.target, *other.in_cone)
    }
    if bands:
        (band,) = bands
        data["distance"] = METRES[band]
    data |= {"fate": person.fate} if person.fate else {}
    data |= {"weapons": {"gun": weapon(person, person.gun)}} if person.gun else {}
    return data


def weapon(person: Fighter, gun: Gun) -> Data:
    automatic = f"{gun.fa_dice}d{gun.fa_faces}" if gun.fa_dice else "-"
    plus = "+RCB" * gun.adds_rcb + (f"{gun.damage_plus:+d}" if gun.damage_plus else "")
    data: Data = {
        "range": 35,
        "rof": f"{'S' if gun.single else '-'}/{gun.semi or '-'}/{automatic}",
        "damage": f"{gun.damage_dice}d{gun.damage_faces}{plus} [I]",
        "penetration": gun.penetration,
        "storm": gun.storm,
        "reliable": gun.reliable,
        "reload_ap": gun.reload_ap,
        "craftsmanship": oracle.CONDITIONS[gun.condition],
        "jammed": person.jammed,
    }
    data |= {"magazine": gun.magazine} if gun.magazine is not None else {}
    return data | ({"loaded": person.loaded} if person.loaded is not None else {})


def planned_lines(person: Fighter, rounds: int) -> Iterator[Data]:
    firsts = person.turn_plans[:rounds]
    for number, plan in enumerate(firsts, 1):
        for line in plan:
            yield {**as_line(person, line), "in_rounds": [number]}
    after = list(range(len(firsts) + 1, rounds + 1))
    for line in person.plan if after else ():
        yield {**as_line(person, line), **({"in_rounds": after} if firsts else {})}


def as_line(person: Fighter, line: Line) -> Data:
    tried = (line, *line.otherwise)
    names = [each.action for each in tried]
    data: Data = {"by": person.name, "action": names[0]}
    data |= {"otherwise": names[1:]} if names[1:] else {}
    data |= {"at": [person.target]} if {*names} & {*oracle.MODIFIERS} else {}
    data |= {"in_cone": list(person.in_cone)} if "suppressing-fire" in names else {}
    dice = {each.dice for each in tried if each.action == "full-auto"}
    if dice - {1} or line.action == "full-auto":
        (data["dice"],) = dice
    return data


def open_line(person: Fighter) -> Data:
    cone = {"in_cone": list(person.in_cone)} if person.in_cone else {}
    return {"by": person.name, "at": [person.target], **cone}


# -- the same measures ---------------------------------------------------------------------------

Reader: TypeAlias = Callable[[Fighter, Outcome], Any]


class Told(NamedTuple):
    """How the oracle tells a measure: the tally it needs, if any, and how the ending is read."""

    tally: str
    read: Reader


def counted(tally: str) -> Told:
    return Told(tally, lambda person, end: end.count(f"{person.name}.{tally}"))


def worn(person: Fighter, end: Outcome) -> bool:
    assert person.gun is not None
    return end.of(person.name).condition > person.gun.condition


def standing(person: Fighter, end: Outcome) -> str:
    """How somebody stands at the end; nothing more is told of who is out of action."""
    one = end.of(person.name)
    if one.out:
        return "out"
    words = f"pinned {one.pinned}, fatigue {one.fatigue}, fate {one.fate}"
    if person.gun is not None:
        words += f", loaded {one.loaded}, jammed {one.jammed}, condition {one.condition}"
    return words


OF_SHOOTER = {
    "hits_scored": counted("hits"),
    "rounds_spent": counted("rounds_spent"),
    "actions_lost": counted("actions_lost"),
    "fate_spent": counted("fate_spent"),
    "ap_left": counted("ap_lost"),
    "jam": Told("jams", lambda person, end: end.count(f"{person.name}.jams") > 0),
    "weapon_degraded": Told("", worn),
}
OF_TARGET = {
    "hits": counted("hits_taken"),
    "damage": counted("damage"),
    "injury": counted("injury"),
    "fatigue": Told("", lambda person, end: end.of(person.name).fatigue),
    "out_of_action": Told("", lambda person, end: end.of(person.name).out),
    "pinned": Told(
        "times_pinned", lambda person, end: end.count(f"{person.name}.times_pinned") > 0
    ),
}
TOLD = OF_SHOOTER | OF_TARGET | {"stands": Told("", standing)}


def standing_here(part: Any) -> str:
    if part.out:
        return "out"
    words = f"pinned {part.pinned > 0}, fatigue {part.fatigue}, fate {part.fate or 0}"
    for arm in part.arms:
        condition = oracle.CONDITIONS.index(arm.craftsmanship)
        words += f", loaded {arm.loaded}, jammed {arm.jammed}, condition {condition}"
    return words


def measures(fight: Fight, opening: Opening) -> list[str]:
    """What both can tell of a fight, always with a name before it."""
    found = []
    for name in fight.order:
        person = fight.of(name)
        for what in OF_SHOOTER:
            armed = person.gun is not None or what in ("actions_lost", "ap_left")
            # a useless weapon stays as it is, whatever is said of a check that it fails
            keeps = person.gun is not None and person.gun.condition == oracle.USELESS
            lucky = person.fate > 0 or what != "fate_spent"
            if armed and lucky and not (keeps and what == "weapon_degraded"):
                found.append(f"{name}.{what}")
    shot_at = [each.name for each in fight.fighters if f"{each.name}.damage" in opening.measures]
    found += [f"{name}.{what}" for name in shot_at for what in OF_TARGET]
    # how somebody stands who never acts is read by no rule, and may be forgotten
    return [*found, *(f"{name}.stands" for name in fight.order)]


class Program:
    """What the program says of a fight."""

    def __init__(self, fight: Fight, reroll: Reroll = "never") -> None:
        self.fight = fight
        self.opening = read_question(as_scenario(fight, reroll)).opening
        self.unfaded = read_question(as_scenario(fight, reroll), fades=False).opening
        self.solver = Solver()

    def measure(self, name: str) -> Tally | Final:
        return measure_of(self.fight, self.opening, name)

    def odds(self, name: str) -> Odds:
        who, what = name.rsplit(".", 1)
        start = self._start((name,))
        if what == "ap_left":
            both = [self.measure(f"{who}.{each}") for each in ("ap_gained", "ap_spent")]
            joint = self.solver.joint(start, both)
            return gathered((gained - spent, p) for (gained, spent), p in joint)
        odds = dict(self.solver.odds(start, self.measure(name)))
        if what == "fatigue":  # counted on beyond a collapse
            most = self.fight.of(who).tb + 1
            return gathered((min(most, n), p) for n, p in odds.items())
        return odds

    def joint(self, names: tuple[str, ...]) -> Odds:
        return dict(self.solver.joint(self._start(names), [*map(self.measure, names)]))

    def _start(self, names: tuple[str, ...]) -> Situation:
        """Where it begins; how somebody stands in the end is told if nothing is forgotten."""
        told = any(name.endswith(".stands") for name in names)
        return (self.unfaded if told else self.opening).situation


def measure_of(fight: Fight, opening: Opening, name: str) -> Tally | Final:
    """The measure; the only one who acts is not named."""
    who, what = name.rsplit(".", 1)
    if what == "stands":
        return Final(who, standing_here)
    if len(fight.order) == 1 and f"{who}.{what}" not in opening.measures:
        name = "hits" if what == "hits_scored" else what
    return opening.measures[name]


def gathered(weights: Iterable[tuple[Any, Fraction]]) -> Odds:
    found: Odds = {}
    for outcome, p in weights:
        found[outcome] = found.get(outcome, F(0)) + p
    return found


def told(
    fight: Fight, names: Iterable[str], reroll: Reroll = "never"
) -> dict[tuple[Any, ...], Fraction]:
    """What the oracle says of some measures together."""
    split = [name.rsplit(".", 1) for name in names]
    readers = [(fight.of(who), TOLD[what].read) for who, what in split]
    tallies = dict.fromkeys(f"{who}.{TOLD[what].tally}" for who, what in split if TOLD[what].tally)
    wears = any(what in ("stands", "weapon_degraded") for _, what in split)
    odds = oracle.plan_odds(fight, reroll, tuple(tallies), condition=wears)
    key = oracle.marginal(odds, lambda end: tuple(read(one, end) for one, read in readers))
    return {outcome: p for outcome, p in key.items() if p}


def told_one_by_one(fight: Fight, names: list[str], reroll: Reroll) -> dict[str, Odds]:
    """What the oracle says of each; what needs no tally is asked for at once."""
    free = [name for name in names if not TOLD[name.rsplit(".", 1)[1]].tally]
    groups = [free, *([name] for name in names if name not in free)]
    found: dict[str, Odds] = {}
    for group in groups:
        together = told(fight, group, reroll)
        for i, name in enumerate(group):
            found[name] = gathered((outcome[i], p) for outcome, p in together.items())
    return found


def check(fight: Fight, reroll: Reroll = "never", joint: tuple[str, ...] = ()) -> None:
    """Every measure has the same distribution, and so have some of them together."""
    program = Program(fight, reroll)
    wanted = told_one_by_one(fight, measures(fight, program.opening), reroll)
    for name, odds in wanted.items():
        assert program.odds(name) == odds, name
    if joint:
        assert program.joint(joint) == told(fight, joint, reroll)


# -- fights --------------------------------------------------------------------------------------

SINGLE, SEMI, AIM = Line("single-shot"), Line("semi-auto"), Line("aim")
RELOAD, CLEAR, SUPPRESS = Line("reload"), Line("clear-jam"), Line("suppressing-fire")
ONE_DIE, TWO_DICE = Line("full-auto", 1), Line("full-auto", 2)

PISTOL = Gun(damage_faces=3)
CARBINE = Gun(semi=3, magazine=6, damage_faces=3, damage_plus=1)
AUTOGUN = Gun(semi=2, fa_dice=2, magazine=20, damage_faces=3)
SPRAYER = replace(AUTOGUN, single=False, semi=0, fa_dice=1, magazine=10, storm=2)
HARMLESS: Data = {"damage_faces": 1, "damage_plus": -1}


def first(line: Line, *otherwise: Line) -> Line:
    return replace(line, otherwise=otherwise)


def scout(*plan: Line, gun: Gun = PISTOL, ap: int | None = 2, **more: Any) -> Fighter:
    return shooter("scout", "cultist", plan, gun, **{"ranged_combat": 45, "ap": ap, **more})


def cultist(*plan: Line, gun: Gun | None = None, ap: int | None = 2, **more: Any) -> Fighter:
    is_like = {"ranged_combat": 40, "willpower": 40, "ap": ap, **more}
    return shooter("cultist", more.get("target", "scout"), plan, gun, **is_like)


def medic(*plan: Line, gun: Gun | None = None, at: str = "cultist", **more: Any) -> Fighter:
    return shooter("medic", at, plan, gun, **{"ap": 2, "ranged_combat": 50, **more})


def shooter(name: str, at: str, plan: tuple[Line, ...], gun: Gun | None, **more: Any) -> Fighter:
    if gun is None:
        return Fighter(name=name, plan=plan, **more)
    cone = (at,) if gun.fa_dice else ()
    return Fighter(name=name, plan=plan, gun=gun, **{"target": at, "in_cone": cone, **more})


def bands(fight: Fight, **pinning: int) -> Fight:
    """The same fight with modifiers of pinning tests, by who makes them."""
    for each in fight.fighters:
        if each.gun is not None:
            fight = fight.but(replace(each, pinning=tuple(pinning.items())))
    return fight


def fight(*fighters: Fighter, rounds: int = 1) -> Fight:
    """Those act who have a plan, in this order."""
    acting = tuple(each.name for each in fighters if each.plan or each.turn_plans)
    return Fight(fighters=fighters, order=acting, rounds=rounds)


def planned(person: Fighter, *plans: tuple[Line, ...]) -> Fighter:
    """Somebody with one plan for each turn; the last is kept."""
    return replace(person, turn_plans=plans[:-1], plan=plans[-1])


FIGHTS = {
    # aiming
    "an aim is used up": fight(scout(AIM, SEMI, SINGLE, gun=CARBINE, ap=3), cultist()),
    "an aim is kept over turns": fight(
        planned(scout(), (AIM, AIM), (AIM, SINGLE)), cultist(), rounds=2
    ),
    "a reload uses the aim up": fight(
        scout(AIM, RELOAD, SINGLE, gun=replace(CARBINE, reload_ap=1), loaded=1, ap=3), cultist()
    ),
    # otherwise
    "what else can be done": fight(
        scout(first(SEMI, RELOAD), first(SINGLE, CLEAR, AIM), gun=CARBINE, loaded=4),
        cultist(),
        rounds=3,
    ),
    "with too few points the next": fight(
        scout(*[first(SUPPRESS, SEMI, CLEAR, AIM)] * 2, gun=AUTOGUN, ap=None, agility_bonus=2),
        cultist(),
        rounds=2,
    ),
    "with dice after a reload": fight(
        scout(first(RELOAD, TWO_DICE), first(TWO_DICE, CLEAR), gun=AUTOGUN, loaded=11, ap=3),
        cultist(),
        rounds=2,
    ),
    # reloading and clearing
    "a reload over turns": fight(
        scout(first(RELOAD, SEMI), gun=replace(CARBINE, reload_ap=3), loaded=2), cultist(), rounds=3
    ),
    "a reload over three turns": fight(
        scout(first(SINGLE, RELOAD), gun=replace(CARBINE, reload_ap=3), loaded=1, ap=1),
        cultist(),
        rounds=5,
    ),
    "a reload begun again": fight(
        planned(
            scout(gun=replace(CARBINE, reload_ap=3), loaded=0, ap=2),
            (RELOAD,),
            (AIM, RELOAD),
            (RELOAD, SINGLE),
        ),
        cultist(),
        rounds=3,
    ),
    "a reload by dice": fight(
        scout(RELOAD, SEMI, gun=replace(CARBINE, reload_ap=3), loaded=0, ap=None, agility_bonus=2),
        cultist(),
        rounds=2,
    ),
    "a jam cleared point by point": fight(
        scout(first(CLEAR, SINGLE), ap=1, jammed=True), cultist(), rounds=4
    ),
    "a jam cleared in vain": fight(
        scout(CLEAR, CLEAR, RELOAD, SINGLE, gun=CARBINE, loaded=6, jammed=True, ap=5),
        cultist(),
        rounds=2,
    ),
    "one thing after another": fight(
        planned(
            scout(gun=replace(CARBINE, reload_ap=2), loaded=0, jammed=True, ap=1),
            (RELOAD,),
            (CLEAR,),
            (RELOAD,),
            (first(RELOAD, CLEAR),),
        ),
        cultist(),
        rounds=6,
    ),
    # jams
    **{
        f"jams of a {condition} weapon": fight(
            scout(
                *[first(ONE_DIE, CLEAR)] * 2,
                gun=replace(AUTOGUN, condition=tier, **HARMLESS),
                ap=3,
            ),
            cultist(),
            rounds=2,
        )
        for tier, condition in enumerate(oracle.CONDITIONS)
    },
    "a reliable weapon": fight(
        scout(SEMI, ONE_DIE, CLEAR, gun=replace(AUTOGUN, reliable=True), ap=4), cultist(), rounds=2
    ),
    # the most shots of a turn
    "the most shots of a turn": fight(
        scout(TWO_DICE, SINGLE, SEMI, gun=AUTOGUN, ap=4), cultist(), rounds=2
    ),
    "shots of every mode": fight(
        scout(ONE_DIE, SEMI, SEMI, SEMI, SINGLE, SINGLE, gun=AUTOGUN, ap=6), cultist()
    ),
    "no dice, no limit": fight(scout(*[SEMI] * 4, gun=CARBINE, ap=4), cultist()),
    "all rounds at once": fight(
        scout(first(SUPPRESS, RELOAD), SINGLE, gun=AUTOGUN, ap=4, loaded=10), cultist(), rounds=2
    ),
    # harm
    "armour and penetration": fight(
        scout(SEMI, gun=replace(CARBINE, penetration=2, adds_rcb=True, damage_plus=6)),
        cultist(armour=5),
    ),
    "fatigue and collapse": fight(
        scout(SINGLE, SINGLE, gun=replace(PISTOL, damage_faces=2, damage_plus=9)),
        cultist(SINGLE, gun=replace(PISTOL, damage_faces=2, damage_plus=8)),
        rounds=3,
    ),
    "acute and crippling": fight(
        scout(SEMI, SINGLE, gun=replace(CARBINE, damage_faces=4, damage_plus=11), ranged_combat=90),
        cultist(SINGLE, gun=PISTOL),
        rounds=2,
    ),
    "lethal": fight(
        scout(SEMI, gun=replace(CARBINE, damage_faces=10, damage_plus=5)),
        cultist(SINGLE, gun=replace(CARBINE, damage_faces=2, damage_plus=16), toughness=20),
        rounds=2,
    ),
    "nobody left to shoot at": fight(
        scout(SINGLE, first(SINGLE, AIM), first(AIM, SINGLE), gun=replace(PISTOL, damage_plus=17)),
        cultist(),
        rounds=2,
    ),
    "a tired shooter clears and shoots worse": fight(
        cultist(SINGLE, gun=replace(PISTOL, damage_plus=9), ranged_combat=80),
        scout(SINGLE, CLEAR, SINGLE, ap=4, jammed=True, toughness=30),
        rounds=2,
    ),
    "no toughness at all": fight(
        scout(SEMI, gun=CARBINE), cultist(SINGLE, gun=PISTOL, toughness=9), rounds=2
    ),
    "beyond a hundred and below none": fight(
        scout(SINGLE, ONE_DIE, gun=AUTOGUN, ranged_combat=150, ap=3),
        cultist(SINGLE, SEMI, gun=CARBINE, ranged_combat=0, willpower=0),
        rounds=2,
    ),
    # pinning
    "half of the points": fight(
        scout(ONE_DIE, gun=replace(AUTOGUN, **HARMLESS)),
        cultist(SINGLE, SINGLE, AIM, gun=PISTOL, ap=3),
        rounds=2,
    ),
    "recovery under fire": fight(
        planned(scout(gun=replace(AUTOGUN, **HARMLESS), ap=3), (SUPPRESS,), (SINGLE,)),
        cultist(first(SINGLE, AIM), gun=PISTOL, ap=3),
        rounds=3,
    ),
    "recovery left alone": fight(
        planned(scout(gun=replace(AUTOGUN, **HARMLESS), ap=3), (SUPPRESS,), (AIM,)),
        cultist(first(SINGLE, AIM), gun=PISTOL, ap=3),
        rounds=3,
    ),
    "pinned before the first turn": fight(
        cultist(SUPPRESS, gun=replace(AUTOGUN, **HARMLESS), ap=None, agility_bonus=2),
        scout(SINGLE, AIM, SINGLE, ap=None, agility_bonus=2),
        rounds=2,
    ),
    "the pinned clear worse": fight(
        cultist(SUPPRESS, gun=replace(AUTOGUN, **HARMLESS), ap=3),
        scout(CLEAR, SINGLE, jammed=True, ap=3),
        rounds=2,
    ),
    "the pinned and tired": fight(
        cultist(ONE_DIE, gun=replace(AUTOGUN, damage_plus=9, damage_faces=1)),
        scout(SINGLE, SINGLE, gun=PISTOL, ap=3),
        rounds=2,
    ),
    "killed and pinned": fight(
        scout(ONE_DIE, gun=replace(AUTOGUN, damage_faces=1, damage_plus=18)),
        cultist(SINGLE, gun=PISTOL),
        rounds=2,
    ),
    "a storm": bands(
        fight(
            scout(ONE_DIE, CLEAR, gun=SPRAYER, loaded=10, ap=3),
            cultist(SINGLE, gun=PISTOL, toughness=20, armour=1),
            rounds=2,
        ),
        cultist=-30,
        scout=-30,
    ),
    "a suppressing storm": fight(
        scout(SUPPRESS, gun=SPRAYER, ap=3, ranged_combat=100), cultist(armour=1)
    ),
    # surprise and dice
    "surprised": fight(
        scout(SINGLE, SINGLE, tests_surprise=True, awareness_bonus=4),
        cultist(AIM, SINGLE, gun=PISTOL),
        rounds=2,
    ),
    "surprised with dice": fight(
        scout(SINGLE, AIM, SINGLE, ap=None, tests_surprise=True, awareness_bonus=10),
        cultist(SINGLE, gun=PISTOL, tests_surprise=True, awareness_bonus=0, ap=12),
    ),
    "surprised and pinned": fight(
        cultist(SUPPRESS, gun=replace(AUTOGUN, **HARMLESS), ap=3),
        scout(SINGLE, SINGLE, ap=4, tests_surprise=True, awareness_bonus=7),
    ),
    "no agility": fight(scout(SINGLE, SINGLE, ap=None, agility_bonus=0), cultist(), rounds=2),
    # three
    "two against one": fight(
        scout(SINGLE, gun=replace(PISTOL, damage_plus=12)),
        medic(AIM, SINGLE, gun=replace(PISTOL, damage_plus=14)),
        cultist(SINGLE, SINGLE, gun=PISTOL, toughness=20),
        rounds=2,
    ),
    "everybody against the next": fight(
        scout(SINGLE, gun=replace(PISTOL, damage_faces=1, damage_plus=18)),
        cultist(SINGLE, gun=replace(PISTOL, damage_faces=1, damage_plus=18), target="medic"),
        medic(SINGLE, at="scout", gun=replace(PISTOL, damage_faces=1, damage_plus=18)),
        rounds=2,
    ),
    "a cone of two": bands(
        fight(
            scout(SUPPRESS, gun=replace(AUTOGUN, **HARMLESS), ap=3, in_cone=("cultist", "medic")),
            cultist(AIM, SINGLE, gun=PISTOL, ap=3),
            medic(SINGLE, SINGLE, gun=PISTOL, willpower=55),
        ),
        cultist=-10,
        medic=20,
        scout=40,
    ),
    "a cone with a friend": bands(
        fight(
            scout(SUPPRESS, gun=replace(AUTOGUN, **HARMLESS), ap=3, in_cone=("cultist", "medic")),
            medic(SINGLE, gun=replace(PISTOL, damage_plus=14)),
            cultist(SINGLE, gun=replace(PISTOL, damage_plus=14), target="medic", toughness=90),
        ),
        cultist=0,
        medic=0,
    ),
    "a cone of three": bands(
        fight(
            scout(
                SUPPRESS,
                gun=replace(AUTOGUN, **HARMLESS),
                ap=3,
                in_cone=("cultist", "medic", "clerk"),
            ),
            cultist(),
            medic(SINGLE, gun=PISTOL),
            Fighter(name="clerk", willpower=25),
            rounds=2,
        ),
        cultist=-30,
        medic=0,
        clerk=10,
    ),
}


@pytest.mark.parametrize("name", FIGHTS)
def test_fights(name: str) -> None:
    check(FIGHTS[name])


LUCKY = {
    "attacks": fight(scout(SINGLE, SINGLE, fate=3), cultist(SINGLE, gun=PISTOL, fate=1)),
    "a jam rolled again": fight(
        scout(SEMI, CLEAR, SEMI, gun=AUTOGUN, ap=4, fate=6), cultist(), rounds=2
    ),
    "clearing": fight(scout(CLEAR, SINGLE, jammed=True, ap=3, fate=4), cultist(), rounds=3),
    "pinning and recovery": fight(
        scout(SUPPRESS, gun=replace(AUTOGUN, **HARMLESS), ap=3),
        cultist(SINGLE, gun=PISTOL, fate=5),
        rounds=2,
    ),
    "pinned by whom it hits": fight(
        cultist(ONE_DIE, gun=replace(AUTOGUN, damage_plus=9, damage_faces=1), ap=1),
        scout(SINGLE, gun=PISTOL, fate=4, toughness=90),
        rounds=2,
    ),
    "once between own turns": fight(
        cultist(SUPPRESS, gun=replace(AUTOGUN, **HARMLESS), ap=3),
        medic(SUPPRESS, gun=replace(AUTOGUN, **HARMLESS), ap=3, at="scout"),
        scout(SINGLE, fate=10),
    ),
    "whoever does not act": fight(
        scout(ONE_DIE, SINGLE, gun=AUTOGUN, ap=3), cultist(fate=3, toughness=90), rounds=2
    ),
}


@pytest.mark.parametrize("reroll", REROLLS)
@pytest.mark.parametrize("name", LUCKY)
def test_fate(name: str, reroll: Reroll) -> None:
    check(LUCKY[name], reroll)


def test_measures_together() -> None:
    check(
        fight(
            scout(SINGLE, SINGLE, gun=replace(PISTOL, damage_plus=9)),
            cultist(SINGLE, gun=replace(PISTOL, damage_plus=8)),
            rounds=2,
        ),
        joint=("scout.hits_scored", "cultist.out_of_action", "scout.damage"),
    )
    check(
        fight(
            scout(ONE_DIE, gun=replace(AUTOGUN, **HARMLESS)),
            cultist(SINGLE, SINGLE, gun=PISTOL),
        ),
        joint=("cultist.pinned", "cultist.hits_scored", "scout.jam"),
    )


# -- the best play -------------------------------------------------------------------------------


class Best(NamedTuple):
    """Somebody plays for a measure: its mean, or the chance that it is true or at least so much."""

    fight: Fight
    measure: str
    at_least: int | None = None
    who: str = "scout"
    reroll: Reroll = "never"

    @property
    def goal(self) -> oracle.Goal:
        """The goal for the oracle."""
        if self.at_least is None and self.measure.rsplit(".", 1)[1] in SUMS:
            return ("expect", self.tallies[0])
        return ("chance", self.happens)

    @property
    def tallies(self) -> tuple[str, ...]:
        """What the oracle must count for it."""
        name, what = self.measure.rsplit(".", 1)
        return (f"{name}.{TOLD[what].tally}",) if TOLD[what].tally else ()

    def happens(self, end: Outcome) -> bool:
        """Whether it is true, or at least so much."""
        name, what = self.measure.rsplit(".", 1)
        found: int = TOLD[what].read(self.fight.of(name), end)
        return found >= (self.at_least or 1)


SUMS = ("hits_scored", "rounds_spent", "actions_lost", "fate_spent", "hits", "damage", "injury")


def check_best(best: Best, *, least: bool = False) -> None:
    """The value of the best play is the same, and so is that of every option at the first action.

    With `least` the measure is sought to be low.
    """
    fight, who, reroll = best.fight, best.who, best.reroll
    data = as_scenario(fight, reroll, who)
    opening = read_question(data, choosing=True, turns=fight.rounds).opening
    assert opening.askers == frozenset({who})
    goal = Goal(measure_of(fight, opening, best.measure), best.at_least)
    advice = Solver().advice(opening.situation, goal, opening.askers, least=least)
    wish, tallies = best.goal, best.tallies
    if least:
        wish = ("chance", lambda end: not best.happens(end))
    value = oracle.best_value(fight, who, wish, tallies=tallies, reroll=reroll)
    assert advice.value == (1 - value if least else value)
    options = [dict(each.options) for each in advice.decisions if each.label == "what next?"]
    firsts = oracle.first_decisions(fight, who, wish, tallies=tallies, reroll=reroll)
    for each in firsts:
        values = {key: 1 - p if least else p for key, p in each.values.items()}
        if each.chance == 1:
            assert options[0] == values
        elif len({*values.values()}) > 1:  # a choice that changes nothing may be left out
            assert gains(values) in map(gains, options)


def gains(options: dict[str, Fraction]) -> dict[str, Fraction]:
    """What options are worth more than the end of the turn: no matter what was gained before."""
    return {key: value - options[oracle.END_TURN] for key, value in options.items()}


NEVER_JAMS: Data = {"jam_at": oracle.NEVER_JAMS}

BEST = {
    "two shots or an aimed one": Best(fight(scout(SINGLE), cultist()), "scout.hits_scored"),
    "aim over turns": Best(
        fight(scout(SINGLE, ap=1, ranged_combat=5), cultist(), rounds=3), "scout.hits_scored", 1
    ),
    "what pays for two hits": Best(
        fight(scout(SINGLE, gun=CARBINE, loaded=4), cultist(), rounds=2), "scout.hits_scored", 3
    ),
    "a weapon that never jams": Best(
        fight(
            scout(SINGLE, gun=replace(CARBINE, **NEVER_JAMS), loaded=3, ap=3), cultist(), rounds=2
        ),
        "cultist.damage",
    ),
    "to reload or not": Best(
        fight(
            scout(SINGLE, gun=replace(CARBINE, magazine=3, reload_ap=3), loaded=1),
            cultist(),
            rounds=3,
        ),
        "scout.hits_scored",
    ),
    "to clear a jam or not": Best(
        fight(
            scout(SINGLE, gun=replace(CARBINE, magazine=3, reload_ap=1), loaded=3, jammed=True),
            cultist(),
            rounds=3,
        ),
        "scout.hits_scored",
    ),
    "everything an autogun does": Best(
        fight(scout(SINGLE, gun=AUTOGUN, loaded=20, ap=4), cultist()), "cultist.damage"
    ),
    "to pin": Best(
        fight(
            scout(SINGLE, gun=replace(AUTOGUN, magazine=None), loaded=10, ap=3),
            cultist(),
            rounds=2,
        ),
        "cultist.pinned",
    ),
    "the worst injury": Best(
        fight(scout(SINGLE, gun=replace(CARBINE, damage_plus=8), loaded=6), cultist()),
        "cultist.injury",
    ),
    "to kill": Best(
        fight(
            scout(SINGLE, gun=replace(AUTOGUN, damage_plus=10), loaded=20, ap=3),
            cultist(toughness=20),
        ),
        "cultist.out_of_action",
    ),
    "out of action before it shoots": Best(
        fight(
            scout(SINGLE, gun=replace(PISTOL, damage_plus=10)),
            cultist(AIM, SINGLE, gun=replace(PISTOL, damage_plus=12)),
            rounds=2,
        ),
        "cultist.out_of_action",
    ),
    "as second": Best(
        fight(
            cultist(SUPPRESS, gun=replace(AUTOGUN, **HARMLESS), ap=3),
            scout(SINGLE, ap=3),
            rounds=2,
        ),
        "scout.hits_scored",
        2,
    ),
    "by dice": Best(
        fight(scout(SINGLE, gun=CARBINE, loaded=6, ap=None, agility_bonus=2), cultist()),
        "scout.hits_scored",
        2,
    ),
    "surprised": Best(
        fight(
            scout(SINGLE, gun=CARBINE, loaded=6, ap=3, tests_surprise=True, awareness_bonus=7),
            cultist(),
        ),
        "cultist.damage",
    ),
    "with Fate": Best(fight(scout(SINGLE, fate=3), cultist(), rounds=2), "scout.hits_scored"),
    "with Fate for two hits": Best(
        fight(scout(SINGLE, gun=CARBINE, loaded=6, fate=1), cultist(), rounds=1),
        "scout.hits_scored",
        3,
    ),
    "a jam with Fate": Best(
        fight(scout(CLEAR, jammed=True, ap=3, fate=2), cultist(), rounds=2), "scout.hits_scored"
    ),
    "against Fate": Best(
        fight(scout(SINGLE, gun=AUTOGUN, loaded=20, ap=4), cultist(fate=4)),
        "cultist.pinned",
        reroll="every_test",
    ),
    "beside a friend": Best(
        fight(
            medic(SINGLE, gun=replace(PISTOL, damage_plus=12)),
            scout(SINGLE, gun=replace(PISTOL, damage_plus=12), ap=1),
            cultist(SINGLE, gun=replace(PISTOL, damage_plus=12), toughness=20),
            rounds=2,
        ),
        "cultist.out_of_action",
    ),
    "the most shots of a turn": Best(
        fight(scout(SINGLE, gun=replace(AUTOGUN, fa_dice=1), loaded=20, ap=4), cultist()),
        "scout.rounds_spent",
    ),
    "to keep a foe from shooting": Best(
        fight(
            scout(SINGLE, gun=replace(AUTOGUN, **HARMLESS), loaded=20, ap=3),
            cultist(SINGLE, SINGLE, gun=PISTOL, ap=3),
        ),
        "cultist.actions_lost",
    ),
}
AVOIDED = {
    "being shot": Best(
        fight(
            scout(SINGLE, gun=replace(AUTOGUN, damage_plus=8), loaded=20, ap=3),
            cultist(SINGLE, gun=replace(PISTOL, damage_plus=14)),
            rounds=1,
        ),
        "scout.out_of_action",
    ),
    "two hits": Best(
        fight(
            scout(SINGLE, gun=replace(PISTOL, damage_plus=12)),
            cultist(SINGLE, gun=PISTOL),
            rounds=2,
        ),
        "cultist.hits_scored",
        2,
    ),
}


@pytest.mark.parametrize("name", BEST)
def test_best(name: str) -> None:
    check_best(BEST[name])


@pytest.mark.parametrize("name", AVOIDED)
def test_avoided(name: str) -> None:
    check_best(AVOIDED[name], least=True)


# -- anything ------------------------------------------------------------------------------------

# seeds of fights that the oracle is done with in a moment
SMALL = [0, 18, 19, 21, 22, 23, 25, 26, 27, 28, 29, 36, 39, 41, 49, 53, 59, 62, 66, 70]
SMALL_BEST = [6, 9, 23, 24, 27, 29, 31, 40, 45, 49, 51, 61, 63, 66, 69, 76, 79, 86, 92, 101]
GUNS = (
    PISTOL,
    CARBINE,
    AUTOGUN,
    replace(AUTOGUN, single=False, semi=0, fa_dice=1, magazine=10, storm=2),
    replace(AUTOGUN, semi=0, fa_dice=1, fa_faces=10, damage_faces=1),
)


def any_gun(rng: Random) -> Gun:
    return replace(
        rng.choice(GUNS),
        reliable=rng.random() < 0.5,
        reload_ap=rng.randint(1, 3),
        damage_plus=rng.choice([0, 1, 4, 9]),
        adds_rcb=rng.random() < 0.3,
        penetration=rng.randint(0, 2),
        condition=rng.randint(0, oracle.USELESS),
    )


def uses(gun: Gun, line: Line) -> tuple[int, int]:
    """The rounds and the action points of an attack; nothing for other actions."""
    return {
        "single-shot": (1, 1),
        "semi-auto": (gun.semi, 1),
        "full-auto": (line.dice * gun.fa_faces, line.dice),
        "suppressing-fire": (gun.fa_dice * gun.fa_faces, oracle.SUPPRESS_AP),
    }.get(line.action, (0, 0))


def any_plan(rng: Random, gun: Gun, rounds: int, ap: int) -> tuple[Line, ...]:
    """Some lines that can be paid with so many rounds and points."""
    attacks = [SINGLE] * gun.single + [SEMI] * (gun.semi > 0) + [SUPPRESS] * (gun.fa_dice > 0)
    attacks += [Line("full-auto", 1 + n) for n in range(gun.fa_dice)]
    attacks = [a for a in attacks if uses(gun, a)[0] <= rounds and uses(gun, a)[1] <= ap]
    others = [AIM, CLEAR, *([RELOAD] if gun.magazine else [])]
    lines = []
    for _ in range(rng.randint(1, 3)):
        line = rng.choice(attacks) if attacks and rng.random() < 0.7 else rng.choice(others)
        rest = [a for a in (*attacks, *others) if a != line and a.dice == 1]
        if line.action == "full-auto":
            rest = [a for a in rest if a.action != "full-auto"]
        lines.append(first(line, *rng.sample(rest, min(len(rest), rng.choice([0, 0, 1, 2])))))
    return tuple(lines)


def any_person(rng: Random, name: str, others: list[str], rounds: int) -> Fighter:
    gun = any_gun(rng)
    ap, agility = rng.choice([None, 1, 2, 3, 4]), rng.randint(0, 2)
    person = Fighter(
        name=name,
        ranged_combat=rng.randint(10, 110),
        toughness=rng.choice([10, 20, 30, 90]),
        willpower=rng.randint(0, 80),
        ap=ap,
        agility_bonus=agility,
        awareness_bonus=rng.randint(0, 10),
        tests_surprise=rng.random() < 0.3,
        armour=rng.randint(0, 3),
        fate=rng.choice([0, 0, 1, 3, 6]),
    )
    if name != "scout" and rng.random() < 0.3:
        return person
    magazine = gun.magazine or 6
    loaded = rng.choice([None, rng.randint(0, magazine)])
    if loaded is None:
        gun = replace(gun, magazine=None)
    most = 1 + agility if ap is None else ap
    plans = [
        any_plan(rng, gun, magazine if loaded is not None else 1000, most)
        for _ in range(rng.randint(1, rounds))
    ]
    done = [each for plan in plans for line in plan for each in (line, *line.otherwise)]
    if loaded is not None and RELOAD.action not in {each.action for each in done}:
        loaded = max(loaded, *(uses(gun, each)[0] for each in done))
    may_clear = CLEAR.action in {each.action for each in done}
    target = rng.choice(others)
    cone = [target, *(rng.sample(others, len(others)) if rng.random() < 0.5 else ())]
    return replace(
        person,
        gun=gun,
        loaded=loaded,
        jammed=may_clear and rng.random() < 0.3,
        target=target,
        in_cone=tuple(dict.fromkeys(cone)) if gun.fa_dice else (),
        plan=plans[0],
        turn_plans=tuple(plans[1:]),
    )


def anything(rng: Random) -> tuple[Fight, Reroll]:
    """Any fight of two or three that both can be asked about."""
    reroll, rounds = rng.choice(REROLLS), rng.randint(1, 2)
    names = ["scout", "cultist", "medic"][: rng.choice([2, 2, 3])]
    people = {n: any_person(rng, n, [o for o in names if o != n], rounds) for n in names}
    metres = rng.choice(sorted(METRES))
    bands = tuple((name, metres) for name in names)
    people = {n: replace(p, pinning=bands if p.gun else ()) for n, p in people.items()}
    # the original target of a cone is another one when the first is out of action, and somebody
    # out of action keeps no Fate: these stay in action
    tough = {p.target for p in people.values() if len(p.in_cone) > 1}
    tough |= {n for n, p in people.items() if p.fate and reroll == "every_test"}
    people |= {n: replace(people[n], toughness=90, armour=20) for n in tough if n}
    order = [name for name in names if people[name].plan]
    rng.shuffle(order)
    return Fight(fighters=tuple(people.values()), order=tuple(order), rounds=rounds), reroll


@pytest.mark.parametrize("seed", SMALL)
def test_anything(seed: int) -> None:
    check(*anything(Random(seed)))


def any_best(rng: Random) -> Best:
    """Any fight in which the scout chooses; with Fate only if nobody else acts."""
    fight, reroll = anything(rng)
    person = fight.of("scout")
    assert person.gun is not None
    assert person.target is not None
    alone = fight.order == ("scout",)
    loaded = None if person.loaded is None else max(1, person.loaded)
    person = replace(
        person,
        ap=None if person.ap is None else min(3, person.ap),
        loaded=loaded if person.gun.magazine is not None or person.gun.single else None,
        fate=person.fate if alone else 0,
        tests_surprise=person.tests_surprise and not (alone and person.fate),
    )
    measure = rng.choice(
        [
            "scout.hits_scored",
            "scout.rounds_spent",
            "scout.jam",
            f"{person.target}.damage",
            f"{person.target}.injury",
            f"{person.target}.out_of_action",
            f"{person.target}.pinned",
        ]
    )
    summed = measure.rsplit(".", 1)[1] in SUMS
    at_least = rng.choice([None, 1, 2]) if summed else None
    return Best(fight.but(person), measure, at_least, reroll=reroll)


@pytest.mark.parametrize("seed", SMALL_BEST)
def test_the_best_of_anything(seed: int) -> None:
    check_best(any_best(Random(seed)))
