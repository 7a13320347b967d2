"""Dark against an oracle of plain loops: bursts, dodges, exploding damage, injuries."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import TypeAlias

import pytest

from firepower.chance import (
    Final,
    Generator,
    Goal,
    Policies,
    Scripted,
    Solver,
    Tally,
    Thrown,
    Typed,
    play,
)
from tests.chance.brute import Odds, odds_of, part
from tests.chance.games.dark import Attack, Defence, Victim, Weapon, fire

AUTOGUN = Weapon(skill=55, most_hits=4, jams_from=94, damage=2, confirm=45, explosions=2)
SNIPER = Weapon(skill=103, most_hits=2, jams_from=100, damage=5, confirm=90, explosions=1)
CULTIST = Defence(agility=40, toughness=35, armour=4)
BRUTE = Defence(agility=15, toughness=62, armour=7, dodges=False)

ATTACKS = {
    "cultist": (Attack(AUTOGUN, CULTIST), 8),
    "brute": (Attack(AUTOGUN, BRUTE), 5),
    "sniped": (Attack(SNIPER, CULTIST), 3),
}

HITS = Tally(("gunner.hits",))
JAM = Tally(("gunner.jam",), "any")
DAMAGE = Tally(("target.damage",))
AVOIDED = Tally(("target.avoided",))
CUT_SHORT = Tally(("target.cut_short",))
EXPLOSIONS = Tally(("target.explosions",))
STUNNED = Tally(("target.stunned",), "any")
DOWN = Final("target", lambda victim: victim.down)
CRITICAL = Final("target", lambda victim: victim.critical)
EVERYTHING: tuple[Tally | Final, ...] = (
    HITS,
    JAM,
    DAMAGE,
    AVOIDED,
    CUT_SHORT,
    EXPLOSIONS,
    STUNNED,
    DOWN,
    CRITICAL,
)


# -- the oracle: what the rules say, once more, face by face -------------------------------------

# (wounds, critical, has dodged, stunned, bleeding, down)
Body: TypeAlias = tuple[int, int, bool, bool, bool, bool]
# (hits, damage, avoided, cut short, explosions)
Sums: TypeAlias = tuple[int, int, int, int, int]
Fates: TypeAlias = dict[tuple[Body, Sums], Fraction]
Plan: TypeAlias = Callable[[int], bool]

NONE: Sums = (0, 0, 0, 0, 0)
PERCENT = Fraction(1, 100)


def passes(target: int, roll: int) -> bool:
    return roll == 1 or (roll <= target and roll != 100)


def chance_under(target: int) -> Fraction:
    return sum((PERCENT for roll in range(1, 101) if passes(target, roll)), Fraction(0))


def put(fates: Fates, body: Body, sums: Sums, chance: Fraction) -> None:
    if chance:
        fates[body, sums] = fates.get((body, sums), Fraction(0)) + chance


def damage_rolls(confirm: int, explosions: int) -> dict[tuple[int, int, int], Fraction]:
    """(total, cut short, explosions) of one exploding die."""
    rolls = {(face, 0, 0): Fraction(1, 10) for face in range(1, 10)}
    if not explosions:
        rolls[10, 1, 0] = Fraction(1, 10)
        return rolls
    confirmed = chance_under(confirm)
    rolls[10, 0, 0] = Fraction(1, 10) * (1 - confirmed)
    for (total, cut, more), chance in damage_rolls(confirm, explosions - 1).items():
        key = (10 + total, cut, 1 + more)
        rolls[key] = rolls.get(key, Fraction(0)) + Fraction(1, 10) * confirmed * chance
    return rolls


def one_hit(attack: Attack, fates: Fates) -> Fates:
    rolls = damage_rolls(attack.weapon.confirm, attack.weapon.explosions)
    after: Fates = {}
    for (body, sums), chance in fates.items():
        wounds, critical, dodged, stunned, bleeding, down = body
        if down:
            put(after, body, sums, chance)
            continue
        for (total, cut, explosions), share in rolls.items():
            loss = max(0, total + attack.weapon.damage - attack.defence.armour)
            counted = (
                sums[0],
                sums[1] + loss,
                sums[2],
                sums[3] + cut,
                sums[4] + explosions,
            )
            both = chance * share
            if loss <= wounds:
                put(after, (wounds - loss, *body[1:]), counted, both)
                continue
            worse = min(8, critical + loss - wounds)
            if worse == 8:
                put(after, (0, 8, dodged, stunned, bleeding, True), counted, both)
                continue
            modifier, bleeds = (
                (20, False) if worse <= 2 else (0, True) if worse <= 4 else (-20, True)
            )
            steady = Fraction(1)
            if not stunned:
                steady = chance_under(attack.defence.toughness + modifier)
            blood = bleeding or bleeds
            put(after, (0, worse, dodged, stunned, blood, False), counted, both * steady)
            put(after, (0, worse, dodged, True, blood, False), counted, both * (1 - steady))
    return after


def hits_land(attack: Attack, fates: Fates, hits: int) -> Fates:
    for _ in range(hits):
        fates = one_hit(attack, fates)
    return fates


def under_fire(attack: Attack, body: Body, sums: Sums, hits: int, dodges: bool) -> Fates:
    """What comes of so many hits on one body, whether it dodges being settled."""
    wounds, critical, dodged, stunned, bleeding, down = body
    if down or dodged or stunned or not dodges:
        return hits_land(attack, {(body, sums): Fraction(1)}, hits)
    landing: dict[tuple[int, int], Fraction] = {}
    for roll in range(1, 101):
        target = attack.defence.agility
        margin = abs(target - roll) // 10
        if passes(target, roll):
            degrees = 1 + margin if roll <= target else 1
            key = (max(0, hits - degrees), min(hits, degrees))
        else:
            degrees = 1 + margin if roll > target else 1
            key = (hits + (1 if degrees >= 3 else 0), 0)
        landing[key] = landing.get(key, Fraction(0)) + PERCENT
    after: Fates = {}
    tired = (wounds, critical, True, stunned, bleeding, down)
    for (left, avoided), chance in landing.items():
        began = (*sums[:2], sums[2] + avoided, *sums[3:])
        for (one, more), share in hits_land(attack, {(tired, began): Fraction(1)}, left).items():
            put(after, one, more, chance * share)
    return after


def bursts_fired(weapon: Weapon) -> tuple[dict[int, Fraction], Fraction]:
    """The chance of each number of hits, and of a jam."""
    hits: dict[int, Fraction] = {}
    jam = Fraction(0)
    for roll in range(1, 101):
        if roll >= weapon.jams_from:
            jam += PERCENT
            continue
        scored = 0
        if passes(weapon.skill, roll):
            scored = min(weapon.most_hits, 1 + abs(weapon.skill - roll) // 10)
        hits[scored] = hits.get(scored, Fraction(0)) + PERCENT
    return hits, jam


def bled_out(fates: Fates) -> Fates:
    after: Fates = {}
    for (body, sums), chance in fates.items():
        if body[4] and not body[5]:
            put(after, (*body[:5], True), sums, chance * Fraction(2, 10))
            put(after, body, sums, chance * Fraction(8, 10))
        else:
            put(after, body, sums, chance)
    return after


@cache
def settled(attack: Attack, wounds: int, hits: int, dodges: bool) -> Fates:
    """What comes of so many hits on a fresh target by the end of the round."""
    body: Body = (wounds, 0, False, False, False, False)
    return bled_out(under_fire(attack, body, NONE, hits, dodges))


@cache
def whole_round(attack: Attack, wounds: int, bursts: int, dodges: bool) -> Odds[tuple[object, ...]]:
    """The joint of EVERYTHING."""
    scored, jam = bursts_fired(attack.weapon)
    firing: Fates = {((wounds, 0, False, False, False, False), NONE): Fraction(1)}
    odds: Odds[tuple[object, ...]] = {}

    def ends(fates: Fates, jammed: bool) -> None:
        for (body, sums), chance in bled_out(fates).items():
            hits, damage, avoided, cut, explosions = sums
            key = (hits, jammed, damage, avoided, cut, explosions, body[3], body[5], body[1])
            odds[key] = odds.get(key, Fraction(0)) + chance

    for _ in range(bursts):
        ends({key: chance * jam for key, chance in firing.items()}, jammed=True)
        after: Fates = {}
        for (body, sums), chance in firing.items():
            for hits, share in scored.items():
                began = (sums[0] + hits, *sums[1:])
                if not hits:
                    put(after, body, began, chance * share)
                    continue
                for (one, more), part_of in under_fire(attack, body, began, hits, dodges).items():
                    put(after, one, more, chance * share * part_of)
        firing = after
    ends(firing, jammed=False)
    return odds


# -- odds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ATTACKS)
def test_everything_together_is_what_the_oracle_counts(name: str) -> None:
    attack, wounds = ATTACKS[name]
    joint = Solver().joint(fire(attack, wounds), EVERYTHING)
    assert odds_of(joint) == whole_round(attack, wounds, 1, attack.defence.dodges)


@pytest.mark.parametrize("name", ATTACKS)
def test_every_measure_alone_is_its_margin(name: str) -> None:
    attack, wounds = ATTACKS[name]
    counted = whole_round(attack, wounds, 1, attack.defence.dodges)
    solver = Solver()
    for at, measure in enumerate(EVERYTHING):
        margin: Odds[object] = {}
        for outcome, chance in counted.items():
            margin[outcome[at]] = margin.get(outcome[at], Fraction(0)) + chance
        assert odds_of(solver.odds(fire(attack, wounds), measure)) == margin


def test_two_bursts_meet_one_dodge_and_a_jam_ends_the_firing() -> None:
    weapon = Weapon(skill=42, most_hits=2, jams_from=90, damage=1, confirm=45, explosions=1)
    attack = Attack(weapon, Defence(agility=38, toughness=40, armour=3))
    asked = (HITS, JAM, AVOIDED, STUNNED, DOWN)
    counted: Odds[tuple[object, ...]] = {}
    for outcome, chance in whole_round(attack, 4, 2, dodges=True).items():
        kept = tuple(outcome[EVERYTHING.index(measure)] for measure in asked)
        counted[kept] = counted.get(kept, Fraction(0)) + chance
    assert odds_of(Solver().joint(fire(attack, 4, 2), asked)) == counted


def test_the_gunner_is_asked_nothing_about_the_target() -> None:
    """The target's steps are its own business, so that hits need next to no situations."""
    attack, wounds = ATTACKS["cultist"]
    solver = Solver()
    assert solver.situations(fire(attack, wounds), (HITS,)) == 3  # not fired, fired, jammed
    assert solver.whole(fire(attack, wounds)) > 50


def test_the_cap_on_explosions_reports_what_it_swallowed() -> None:
    attack, wounds = ATTACKS["sniped"]
    still = Attack(attack.weapon, Defence(agility=0, toughness=35, armour=4, dodges=False))
    cut = Solver().odds(fire(still, 1000), CUT_SHORT)
    # two hits at most; each is cut short by two tens of which the first was confirmed
    each = Fraction(1, 10) * Fraction(90, 100) * Fraction(1, 10)
    hits = odds_of(Solver().odds(fire(still, wounds), HITS))
    assert cut.mean == each * sum(number * chance for number, chance in hits.items())


# -- advice --------------------------------------------------------------------------------------


def worth(goal_name: str, body: Body, sums: Sums) -> int:
    """What an end of the round is worth for a goal."""
    return {
        "least damage": sums[1],
        "not down": int(body[5]),
        "not stunned": int(body[3]),
        "at most five damage": int(sums[1] >= 6),
        "most explosions": sums[4],
    }[goal_name]


GOALS = {
    "least damage": (Goal(DAMAGE), True),
    "not down": (Goal(DOWN), True),
    "not stunned": (Goal(STUNNED), True),
    "at most five damage": (Goal(DAMAGE, 6), True),
    "most explosions": (Goal(EXPLOSIONS), False),
}


@pytest.mark.parametrize("name", ["cultist", "brute"])
@pytest.mark.parametrize("goal_name", GOALS)
def test_whether_to_dodge_is_advised_for_each_number_of_hits(name: str, goal_name: str) -> None:
    attack, wounds = ATTACKS[name]
    goal, least = GOALS[goal_name]

    def value(hits: int, dodges: bool) -> Fraction:
        fates = settled(attack, wounds, hits, dodges)
        return sum((chance * worth(goal_name, *key) for key, chance in fates.items()), Fraction(0))

    advice = Solver().advice(fire(attack, wounds), goal, frozenset({"target"}), least=least)
    decisions = {decision.label: decision for decision in advice.decisions}
    scored, _ = bursts_fired(attack.weapon)
    assert decisions.keys() == {f"dodge {hits}?" for hits in scored if hits}
    pick = min if least else max
    expected = Fraction(0)
    for hits, chance in scored.items():
        if not hits:
            continue
        decision = decisions[f"dodge {hits}?"]
        options = (("dodge", value(hits, dodges=True)), ("stand", value(hits, dodges=False)))
        assert decision.options == options
        assert dict(options)[decision.best] == pick(dict(options).values())
        assert decision.arrives == chance
        assert decision.policy == ("dodge" if attack.defence.dodges else "stand")
        expected += chance * pick(dict(options).values())
    assert advice.value == expected


def test_whether_a_dodge_is_wise_depends_on_who_is_asked() -> None:
    def best(name: str, goal_name: str) -> set[str]:
        goal, least = GOALS[goal_name]
        advice = Solver().advice(fire(*ATTACKS[name]), goal, frozenset({"target"}), least=least)
        return {decision.best for decision in advice.decisions}

    assert best("sniped", "least damage") == {"dodge"}
    assert best("brute", "least damage") == {"stand"}
    assert best("cultist", "not down") == {"dodge", "stand"}


# -- play ----------------------------------------------------------------------------------------


PLAYS = {
    "a miss": (["56"], [], {}, Victim(8)),
    "a jam, though it would have missed": (["94"], [], {"gunner.jam": 1}, Victim(8)),
    "one hit, avoided by one degree": (
        ["55", "40"],
        ["dodge"],
        {"gunner.hits": 1, "target.avoided": 1},
        Victim(8, has_dodged=True),
    ),
    "a dodge into a third hit: 5, 6 and 7 less 2, a failed test at 35, no bleeding out": (
        ["45", "60", "5", "6", "7", "36", "3"],
        ["dodge"],
        {"gunner.hits": 2, "target.damage": 12, "target.stunned": 1, "target.bleeding": 1},
        Victim(0, 4, has_dodged=True, stunned=True, bleeding=True),
    ),
    "four hits of six degrees: 1, 2, a 10 not confirmed and 1, less 2": (
        ["05", "1", "2", "10", "46", "1"],
        ["stand"],
        {"gunner.hits": 4, "target.damage": 8},
        Victim(0),
    ),
    "explosions cut short: 30 less 2": (
        ["55", "10", "45", "0", "01", "10"],
        ["stand"],
        {
            "gunner.hits": 1,
            "target.damage": 28,
            "target.explosions": 2,
            "target.cut_short": 1,
            "target.down": 1,
        },
        Victim(0, 8, down=True),
    ),
    "a failed test at 55": (
        ["45", "10", "99", "3", "56"],
        ["stand"],
        {"gunner.hits": 2, "target.damage": 9, "target.stunned": 1},
        Victim(0, 1, stunned=True),
    ),
    "a test held at 35, then bled out": (
        ["45", "10", "99", "5", "35", "2"],
        ["stand"],
        {"gunner.hits": 2, "target.damage": 11, "target.bleeding": 1, "target.down": 1},
        Victim(0, 3, bleeding=True, down=True),
    ),
}


@pytest.mark.parametrize("name", PLAYS)
def test_a_burst_played_by_hand(name: str) -> None:
    faces, options, records, victim = PLAYS[name]
    attack, wounds = ATTACKS["cultist"]
    dice = Typed(faces)
    played = play(fire(attack, wounds), dice, Scripted(options, Policies()))
    assert played.finished
    assert list(dice.unused()) == []
    assert part(played, "target") == victim
    summed: dict[str, int] = {}
    for record, amount in played.situation.records:
        summed[record] = summed.get(record, 0) + amount
    assert (summed.pop("target.rolled", 0) > 0) == ("target.damage" in records)
    assert summed == records


def test_the_report_of_a_burst_names_the_needs() -> None:
    attack, wounds = ATTACKS["cultist"]
    played = play(fire(attack, wounds), Typed(["45", "60", "5", "6", "7", "36", "3"]), Policies())
    told = [
        (event.code, event.who, event.need, event.words)
        for event in played.events
        if isinstance(event, Thrown)
    ]
    assert told == [
        ("FireBurst", "gunner", "55 or less, jams on 94+", ("2 degrees",)),
        ("Dodge", "target", "40 or less", ("3 degrees of failure",)),
        ("DamageDie", "target", "", ("",)),
        ("DamageDie", "target", "", ("",)),
        ("DamageDie", "target", "", ("",)),
        ("Shock", "target", "35 or less", ("1 degree of failure",)),
        ("BleedOut", "target", "", ("",)),
    ]


@pytest.mark.parametrize("seed", range(20))
def test_a_played_burst_replays_and_has_a_chance(seed: int) -> None:
    attack, wounds = ATTACKS["cultist"]
    start = fire(attack, wounds)
    played = play(start, Generator(seed))
    again = play(start, Typed(map(str, played.faces)), Scripted(played.options, Policies()))
    assert again == played
    records = (HITS, DAMAGE, STUNNED)
    outcome = (*map(played.number, records), part(played, "target").down)
    assert Solver().joint(start, (*records, DOWN)).p(outcome) > 0


def test_the_odds_after_the_first_roll_add_up_to_the_odds_before_it() -> None:
    attack, wounds = ATTACKS["cultist"]
    solver, start = Solver(), fire(attack, wounds)
    mixed: Odds[bool] = {}
    for roll in range(1, 101):
        stopped = play(start, Typed([str(roll)]))
        for outcome, chance in solver.odds(stopped.situation, DOWN):
            mixed[outcome] = mixed.get(outcome, Fraction(0)) + chance * PERCENT
    assert mixed == odds_of(solver.odds(start, DOWN))


def test_the_odds_in_the_middle_of_the_damage_add_up_too() -> None:
    attack, wounds = ATTACKS["cultist"]
    solver, start = Solver(), fire(attack, wounds)
    standing = Scripted(["stand"], Policies())
    before = play(start, Typed(["45"]), standing).situation
    mixed: Odds[int] = {}
    for face in range(1, 11):
        stopped = play(before, Typed([str(face)]))
        assert not stopped.finished
        for outcome, chance in solver.odds(stopped.situation, DAMAGE):
            mixed[outcome] = mixed.get(outcome, Fraction(0)) + chance / 10
    assert mixed == odds_of(solver.odds(before, DAMAGE))
