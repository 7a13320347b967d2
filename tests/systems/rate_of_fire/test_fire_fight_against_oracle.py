"""Whole fights against an oracle that shares no code with the rules: equality is exact."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple, TypeAlias

import pytest

from firepower.chance import Final, Goal, Measure, Solver
from firepower.scenario import read_question
from firepower.systems.system import Opening
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
    assert not (person.pinned or person.fatigue or person.aim)
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
    if dice:
        (data["dice"],) = dice
    return data


def open_line(person: Fighter) -> Data:
    cone = {"in_cone": list(person.in_cone)} if person.in_cone else {}
    return {"by": person.name, "at": [person.target], **cone}


# -- the same measures ---------------------------------------------------------------------------

Reader: TypeAlias = Callable[[Fighter, Outcome], Hashable]


class Told(NamedTuple):
    """How the oracle tells a measure: the tally it needs, if any, and how the ending is read."""

    tally: str
    read: Reader


def counted(tally: str) -> Told:
    return Told(tally, lambda person, end: end.count(f"{person.name}.{tally}"))


OF_SHOOTER = {
    "hits_scored": counted("hits"),
    "rounds_spent": counted("rounds_spent"),
    "actions_lost": counted("actions_lost"),
    "fate_spent": counted("fate_spent"),
    "ap_left": counted("ap_lost"),
    "jam": Told("jams", lambda person, end: end.count(f"{person.name}.jams") > 0),
    "weapon_degraded": Told("", lambda person, end: worn(person, end)),
}
OF_TARGET = {
    "hits": counted("hits_taken"),
    "damage": counted("damage"),
    "injury": counted("injury"),
    "fatigue": Told("", lambda person, end: end.of(person.name).fatigue),
    "down": Told("", lambda person, end: end.of(person.name).killed),
    "out_of_action": Told("", lambda person, end: end.of(person.name).out),
    "pinned": Told(
        "times_pinned", lambda person, end: end.count(f"{person.name}.times_pinned") > 0
    ),
}
TOLD = OF_SHOOTER | OF_TARGET | {"stands": Told("", lambda person, end: standing(person, end))}


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
    # who does not act has no weapon in hand
    return [*found, *(f"{name}.stands" for name in {*fight.order, *shot_at})]


class Program:
    """What the program says of a fight."""

    def __init__(self, fight: Fight, reroll: Reroll = "never") -> None:
        self.fight = fight
        self.opening = read_question(as_scenario(fight, reroll)).opening
        self.solver = Solver()

    def measure(self, name: str) -> Measure | Final:
        return measure_of(self.fight, self.opening, name)

    def odds(self, name: str) -> Odds:
        start = self.opening.situation
        who, what = name.rsplit(".", 1)
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
        return dict(self.solver.joint(self.opening.situation, [*map(self.measure, names)]))


def measure_of(fight: Fight, opening: Opening, name: str) -> Measure | Final:
    """The measure; the only one who acts is not named."""
    who, what = name.rsplit(".", 1)
    if what == "stands":
        return Final(who, standing_here)
    if len(fight.order) == 1 and f"{who}.{what}" not in opening.measures:
        name = "hits" if what == "hits_scored" else what
    return opening.measures[name]


def gathered(weights: Iterator[tuple[Any, Fraction]]) -> Odds:
    found: Odds = {}
    for outcome, p in weights:
        found[outcome] = found.get(outcome, F(0)) + p
    return found


def told(fight: Fight, names: tuple[str, ...], reroll: Reroll = "never") -> Odds:
    """What the oracle says of some measures together."""
    readers: list[tuple[Fighter, Reader]] = []
    tallies = []
    for name in names:
        who, what = name.rsplit(".", 1)
        readers.append((fight.of(who), TOLD[what].read))
        tallies += [f"{who}.{TOLD[what].tally}"] if TOLD[what].tally else []
    wears = any(name.endswith((".stands", ".weapon_degraded")) for name in names)
    odds = oracle.plan_odds(fight, reroll, tuple(dict.fromkeys(tallies)), condition=wears)
    key = oracle.marginal(odds, lambda end: tuple(read(one, end) for one, read in readers))
    return {outcome: p for outcome, p in key.items() if p}


def check(fight: Fight, reroll: Reroll = "never", joint: tuple[str, ...] = ()) -> None:
    """Every measure has the same distribution, and so have some of them together."""
    program = Program(fight, reroll)
    for name in measures(fight, program.opening):
        theirs = {outcome: p for (outcome,), p in told(fight, (name,), reroll).items()}
        assert program.odds(name) == theirs, name
    if joint:
        assert program.joint(joint) == told(fight, joint, reroll)


# -- fights --------------------------------------------------------------------------------------

SINGLE, SEMI, AIM = Line("single-shot"), Line("semi-auto"), Line("aim")
RELOAD, CLEAR, SUPPRESS = Line("reload"), Line("clear-jam"), Line("suppressing-fire")
FULL = Line("full-auto", 1)

PISTOL = Gun(damage_faces=3)
CARBINE = Gun(semi=3, magazine=6, damage_faces=3, damage_plus=1)
AUTOGUN = Gun(semi=2, fa_dice=2, magazine=20, damage_faces=3)


def first(line: Line, *otherwise: Line) -> Line:
    return replace(line, otherwise=otherwise)


def scout(*plan: Line, gun: Gun = PISTOL, ap: int | None = 2, **more: Any) -> Fighter:
    cone = ("cultist",) if gun.fa_dice else ()
    made = Fighter(name="scout", ranged_combat=45, ap=ap, gun=gun, target="cultist", in_cone=cone)
    return replace(made, plan=plan, **more)


def cultist(*plan: Line, gun: Gun | None = None, **more: Any) -> Fighter:
    target = "scout" if gun else None
    cone = ("scout",) if gun and gun.fa_dice else ()
    made = Fighter(name="cultist", ranged_combat=40, willpower=40, ap=2, gun=gun, target=target)
    return replace(made, in_cone=cone, plan=plan, **more)


def fight(*fighters: Fighter, rounds: int = 1) -> Fight:
    """Those act who have a plan, in this order."""
    acting = tuple(each.name for each in fighters if each.plan or each.turn_plans)
    return Fight(fighters=fighters, order=acting, rounds=rounds)


# -- anything ------------------------------------------------------------------------------------

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
    plans = [any_plan(rng, gun, magazine if loaded is not None else 1000, most) for _ in range(rng.randint(1, rounds))]
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


@pytest.mark.parametrize("seed", range(20))
def test_anything(seed: int) -> None:
    check(*anything(Random(seed)))
