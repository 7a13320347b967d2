"""The fight of eight in eight.toml by hand: three characters against five cultists.

Rules as in Rate of Fire with the default readings and policies. Nobody moves, so distances, range
bands and who stands in a cone are numbers here. A d100 is `random() * 100`, which is below a
target number exactly as often as a d100 is at most that.

A combatant is a list of numbers: first what is measured, then what else has to be remembered.
"""

from collections.abc import Callable
from typing import TypeAlias

from bench.fights import Row, Seen, tally

Random: TypeAlias = Callable[[], float]
Person: TypeAlias = list[int]

# -- what is measured of everybody, by its place in the list ---------------------------------------

JAM, DEGRADED, ROUNDS, AP_SPENT, AP_GAINED, JAMMED, PINNED_NOW, SCORED = range(8)
HITS, DAMAGE, INJURY, FATIGUE, OUT, PINNED, PINNING_DEGREES = range(8, 15)
_EACH = (
    *("jam", "weapon_degraded", "rounds_spent", "ap_spent", "ap_gained", "still_jammed"),
    *("still_pinned", "hits_scored", "hits", "damage", "injury", "fatigue"),
    *("out_of_action", "pinned", "pinning_degrees"),
)
MEASURED = len(_EACH)

# What else is remembered. PAID: AP put into clearing or reloading that goes on. SHOT_AT: since
# the last turn. The rest is for the marksman, the only one who aims and who loses actions.
LOADED, CONDITION, PAID, SHOT_AT, AIM = range(MEASURED, MEASURED + 5)
LOST, LOST_TO_AP, LOST_TO_JAM, LOST_TO_AMMUNITION, LOST_TO_AIM = range(MEASURED + 5, MEASURED + 10)

PC = ("scout", "gunner", "marks")
CULT = ("c1", "c2", "c3", "c4")  # c5 never acts and is never hit: further hits go elsewhere
_LOST = ("actions_lost", "lost_to_ap", "lost_to_jam", "lost_to_ammunition", "lost_to_aim")
_NEVER_LOST = ("lost_to_broken", "lost_to_rate_of_fire", "lost_to_full", "lost_to_no_jam")
COUNTED = (
    *(f"{who}.{what}" for who in PC + CULT for what in _EACH),
    *(f"marks.{what}" for what in _LOST),
    *("combatants_out_of_action", "pc.out_of_action", "cult.out_of_action"),
)
NEVER = (
    *(f"{who}.{what}" for who in PC + CULT for what in ("errant_hits", *_NEVER_LOST)),
    *(f"{who}.{what}" for who in PC + CULT if who != "marks" for what in _LOST),
    *(f"c5.{what}" for what in _EACH[HITS:]),
    "marks.fate_spent",  # the default policies spend no Fate
)
NAMES = COUNTED + NEVER
"""What the values of a row are; those from NEVER are always 0 here."""

_NOTHING = (0,) * len(NEVER)

# -- the rules -------------------------------------------------------------------------------------

PINNED_TO_HIT, FATIGUED = 20, 10  # off a test; fatigue takes off Willpower tests too
NOT_SHOT_AT = 30  # to the test that ends being pinned
RELIABLE_JAM, FULL_AUTO_JAM, OTHER_JAM = 95, 90, 95  # a d100 above that jams the weapon
COMMON, USELESS = 4, 6  # a condition check needs so much on a d10, at first and at worst
CLEAR_AP, RELOAD_AP, HEAVY_RELOAD_AP, SUPPRESSING_AP = 2, 2, 4, 3
ONE_AIM, MOST_AIM = 10, 20
LETHAL = 6  # injury category
FATIGUE_OF = (0, 0, 0, 1, 2, 3, 0)  # by injury category
BURST_HITS = (1, 2, 2, 3, 3, 4, 4, 5, 5, 5)  # by full tens of margin: degrees of success less 1

# AP of a turn: 1, and 1 more for each agility die of 5 or more, which is 3 cases of 5.
_DIE = (0, 0, 1, 1, 1)
AP_OF_2 = [1 + i + j for i in _DIE for j in _DIE]
AP_OF_3 = [ap + i for ap in AP_OF_2 for i in _DIE]
AP_OF_4 = [ap + i for ap in AP_OF_3 for i in _DIE]

# -- the combatants --------------------------------------------------------------------------------

# Ranged Combat with the modifier of the attack: single shot +10, burst 0, full auto -10,
# suppressing fire -30; the bare skill clears a jam.
SCOUT, SCOUT_FULL = 48, 48 - 10
GUNNER, GUNNER_FULL, GUNNER_SUPPRESSING = 42, 42 - 10, 42 - 30
MARKS, MARKS_SINGLE = 55, 55 + 10
CULTIST, CULTIST_SINGLE, C4, C4_FULL = 32, 32 + 10, 35, 35 - 10
# Willpower. A pinning test has -10 at Short range, nothing at Effective.
CULTIST_WILL, C4_WILL, GUNNER_WILL = 30, 42, 45
SHORT = 10
# Toughness bonus; more fatigue than that is a collapse.
SCOUT_TOUGH, GUNNER_TOUGH, MARKS_TOUGH, CULTIST_TOUGH, C4_TOUGH = 3, 4, 3, 3, 4
# Added to dice that begin at 0: the dice's least, weapon, Ranged Combat bonus, less what armour
# and cover stop beyond the penetration.
SCOUT_AT_C1 = 1 + 2 + 4 - 1
GUNNER_AT_CULTIST, GUNNER_AT_C4 = 2 + 2 + 4, 2 + 2 + 4 - (3 + 2 - 3)
MARKS_AT_C4 = 1 + 3 + 5 - (3 + 2)
C1_AT_SCOUT, C2_AT_GUNNER = 1 + 2 + 3 - 3, 1 + 2 + 3 - 4
C3_AT_MARKS = 1 + 3 + 3 - (2 - 1)
C4_AT_GUNNER = 1 + 4 + 3 - (4 - 3)
AUTOGUN, HEAVY_GUN, MARKSMAN_CARBINE, RIFLE, TWIN_CARBINE = 20, 60, 9, 15, 20  # magazines
SCOUT_AUTOGUN = 30
STORM = 2  # of the twin carbine


def _fresh(loaded: int) -> Person:
    person = [0] * (LOST_TO_AIM + 1)
    for truth in (JAM, DEGRADED, JAMMED, PINNED_NOW, OUT, PINNED):
        person[truth] = False
    person[LOADED], person[CONDITION] = loaded, COMMON
    return person


_FRESH = [
    _fresh(loaded)
    for loaded in (
        *(SCOUT_AUTOGUN, HEAVY_GUN, MARKSMAN_CARBINE),
        *(AUTOGUN, AUTOGUN, RIFLE, TWIN_CARBINE),
    )
]


def simulate(plays: int, seed: int, rounds: int = 1) -> Seen:
    """So many plays: how often each outcome of each measure was seen after each round."""
    return tally(play, COUNTED, NEVER, plays, seed, rounds)


def play(rounds: int, random: Random) -> list[Row]:
    """One fight: the value of every measure, in the order of NAMES, at the end of each round."""
    rows = []
    scout, gunner, marks, c1, c2, c3, c4 = [person[:] for person in _FRESH]
    for _ in range(rounds):
        if not scout[OUT]:
            scouts_turn(random, scout, c1)
        if not c1[OUT]:
            burst_turn(random, c1, scout, C1_AT_SCOUT, SCOUT_TOUGH)
        if not c2[OUT]:
            burst_turn(random, c2, gunner, C2_AT_GUNNER, GUNNER_TOUGH)
        if not gunner[OUT]:
            gunners_turn(random, gunner, c1, c2, c3, c4)
        if not c3[OUT]:
            single_shot_turn(random, c3, marks)
        if not c4[OUT]:
            twin_carbine_turn(random, c4, gunner)
        if not marks[OUT]:
            marksmans_turn(random, marks, c4)
        pcs_out = scout[OUT] + gunner[OUT] + marks[OUT]
        cult_out = c1[OUT] + c2[OUT] + c3[OUT] + c4[OUT]
        rows.append(
            (
                *scout[:MEASURED],
                *gunner[:MEASURED],
                *marks[:MEASURED],
                *c1[:MEASURED],
                *c2[:MEASURED],
                *c3[:MEASURED],
                *c4[:MEASURED],
                *marks[LOST:],
                *(pcs_out + cult_out, pcs_out, cult_out),
                *_NOTHING,
            )
        )
    return rows


# -- turns -----------------------------------------------------------------------------------------
# With nobody left to fire at a line is left out. Else what hinders it is dealt with in its place: a
# jam is cleared, an empty weapon reloaded; who has an AP, as all but the marksman do, loses none.


def scouts_turn(random: Random, me: Person, c1: Person) -> None:
    """Full auto with one die at c1, who may be pinned by it. Nobody ever pins the scout."""
    ap = AP_OF_3[int(random() * 125)]
    me[AP_GAINED] += ap
    if c1[OUT]:
        return
    if me[JAMMED]:
        clear_jam(random, me, ap, SCOUT)
    elif me[LOADED] < 5:
        reload(me, ap, RELOAD_AP, SCOUT_AUTOGUN)
    else:
        me[AP_SPENT] += 1
        me[ROUNDS] += 5
        me[LOADED] -= 5
        c1[SHOT_AT] = True
        target = SCOUT_FULL - FATIGUED if me[FATIGUE] else SCOUT_FULL
        roll = random() * 100
        if roll < target:
            degrees = 1 + (target - 1 - int(roll)) // 10
            shots = 1 + int(random() * 5)  # the die matters only now
            hits = degrees if degrees < shots else shots
            me[SCORED] += hits
            will = CULTIST_WILL - FATIGUED if c1[FATIGUE] else CULTIST_WILL
            plus = SCOUT_AT_C1 + 1 if hits > 1 else SCOUT_AT_C1
            harm(random, c1, hits, plus, CULTIST_TOUGH)
            pinning_test(random, c1, will)
        elif roll >= RELIABLE_JAM:
            jams(random, me)


def burst_turn(random: Random, me: Person, target: Person, plus: int, tough: int) -> None:
    """c1 and c2: a burst of two at one target."""
    ap = AP_OF_3[int(random() * 125)]
    if me[PINNED_NOW]:
        ap = (ap + 1) // 2
    me[AP_GAINED] += ap
    if target[OUT]:
        pass
    elif me[JAMMED]:
        clear_jam(random, me, ap, CULTIST)
    elif me[LOADED] < 2:
        reload(me, ap, RELOAD_AP, AUTOGUN)
    else:
        me[AP_SPENT] += 1
        me[ROUNDS] += 2
        me[LOADED] -= 2
        target[SHOT_AT] = True
        number = hampered(me, CULTIST)
        roll = random() * 100
        if roll < number:
            hits = BURST_HITS[(number - 1 - int(roll)) // 10]
            me[SCORED] += hits
            harm(random, target, hits, plus + 1 if hits > 1 else plus, tough)
        elif roll >= RELIABLE_JAM:
            jams(random, me)
    if me[PINNED_NOW]:
        recover(random, me, CULTIST_WILL)


def gunners_turn(
    random: Random, me: Person, c1: Person, c2: Person, c3: Person, c4: Person
) -> None:
    """Suppressing fire at the cone with c1 to c4; otherwise full auto with one die at c1."""
    ap = AP_OF_2[int(random() * 25)]
    if me[PINNED_NOW]:
        ap = (ap + 1) // 2
    me[AP_GAINED] += ap
    if c1[OUT] and c2[OUT] and c3[OUT] and c4[OUT]:
        pass
    elif ap >= SUPPRESSING_AP and me[LOADED] >= 50 and not me[JAMMED]:
        suppressing_fire(random, me, c1, c2, c3, c4)
    elif c1[OUT]:
        pass  # full auto would be next, which has nobody left: what comes after it is not tried
    elif me[JAMMED]:
        clear_jam(random, me, ap, GUNNER)
    elif me[LOADED] < 10:
        reload(me, ap, HEAVY_RELOAD_AP, HEAVY_GUN)
    else:
        heavy_full_auto(random, me, c1)
    if me[PINNED_NOW]:
        recover(random, me, GUNNER_WILL)


def suppressing_fire(
    random: Random, me: Person, c1: Person, c2: Person, c3: Person, c4: Person
) -> None:
    """All in the cone test pinning; then the closest who stands may be hit, without a bonus.

    They are listed by their distance, and none of them has a modifier for range or movement.
    """
    for person, will in ((c1, CULTIST_WILL), (c2, CULTIST_WILL), (c3, CULTIST_WILL), (c4, C4_WILL)):
        if not person[OUT]:
            person[SHOT_AT] = True
            pinning_test(random, person, will - SHORT - (FATIGUED if person[FATIGUE] else 0))
    me[AP_SPENT] += SUPPRESSING_AP
    me[ROUNDS] += 50
    me[LOADED] -= 50
    target = hampered(me, GUNNER_SUPPRESSING)
    roll = random() * 100
    if roll < target:
        hits = 2 if roll < target - 10 else 1  # by 2 degrees or 1; more are out of reach
        me[SCORED] += hits
        for person in (c1, c2, c3):
            if not person[OUT]:
                harm(random, person, hits, GUNNER_AT_CULTIST, CULTIST_TOUGH, two_dice=True)
                return
        harm(random, c4, hits, GUNNER_AT_C4, C4_TOUGH, two_dice=True)
    elif roll >= FULL_AUTO_JAM:
        jams(random, me)


def heavy_full_auto(random: Random, me: Person, c1: Person) -> None:
    """Full auto with one d10 at c1, who may be pinned by it."""
    me[AP_SPENT] += 1
    me[ROUNDS] += 10
    me[LOADED] -= 10
    c1[SHOT_AT] = True
    target = hampered(me, GUNNER_FULL)
    roll = random() * 100
    if roll < target:
        degrees = 1 + (target - 1 - int(roll)) // 10
        shots = 1 + int(random() * 10)
        hits = degrees if degrees < shots else shots
        me[SCORED] += hits
        will = CULTIST_WILL - SHORT - (FATIGUED if c1[FATIGUE] else 0)
        plus = GUNNER_AT_CULTIST + 1 if hits > 1 else GUNNER_AT_CULTIST
        harm(random, c1, hits, plus, CULTIST_TOUGH, two_dice=True)
        pinning_test(random, c1, will)
    elif roll >= FULL_AUTO_JAM:
        jams(random, me)


def single_shot_turn(random: Random, me: Person, marks: Person) -> None:
    """c3: a single shot at the marksman."""
    ap = AP_OF_3[int(random() * 125)]
    if me[PINNED_NOW]:
        ap = (ap + 1) // 2
    me[AP_GAINED] += ap
    if marks[OUT]:
        pass
    elif me[JAMMED]:
        clear_jam(random, me, ap, CULTIST)
    elif not me[LOADED]:
        reload(me, ap, RELOAD_AP, RIFLE)
    else:
        me[AP_SPENT] += 1
        me[ROUNDS] += 1
        me[LOADED] -= 1
        marks[SHOT_AT] = True
        target = hampered(me, CULTIST_SINGLE)
        roll = random() * 100
        if roll < target:
            me[SCORED] += 1
            harm(random, marks, 1, C3_AT_MARKS, MARKS_TOUGH)
        elif roll >= FULL_AUTO_JAM:  # in every mode of a weapon that can fire full auto
            jams(random, me)
    if me[PINNED_NOW]:
        recover(random, me, CULTIST_WILL)


def twin_carbine_turn(random: Random, me: Person, gunner: Person) -> None:
    """c4: full auto with one die at the gunner, who may be pinned by it."""
    ap = AP_OF_3[int(random() * 125)]
    if me[PINNED_NOW]:
        ap = (ap + 1) // 2
    me[AP_GAINED] += ap
    if gunner[OUT]:
        pass
    elif me[JAMMED]:
        clear_jam(random, me, ap, C4)
    elif me[LOADED] < 5:
        reload(me, ap, RELOAD_AP, TWIN_CARBINE)
    else:
        me[AP_SPENT] += 1
        me[ROUNDS] += 5
        me[LOADED] -= 5
        gunner[SHOT_AT] = True
        target = hampered(me, C4_FULL)
        roll = random() * 100
        if roll < target or roll < 1:  # a natural 01 hits, with one degree
            degrees = 1 + (target - 1 - int(roll)) // 10 if roll < target else 1
            shots = 1 + int(random() * 5)
            hits = STORM * (degrees if degrees < shots else shots)
            me[SCORED] += hits
            will = GUNNER_WILL - FATIGUED if gunner[FATIGUE] else GUNNER_WILL
            harm(random, gunner, hits, C4_AT_GUNNER + 1, GUNNER_TOUGH)  # always several
            pinning_test(random, gunner, will)
        elif roll >= FULL_AUTO_JAM:
            jams(random, me)
    if me[PINNED_NOW]:
        recover(random, me, C4_WILL)


def marksmans_turn(random: Random, me: Person, c4: Person) -> None:
    """Aim, then a single shot at c4. Nobody ever pins the marksman."""
    ap = AP_OF_4[int(random() * 625)]
    me[AP_GAINED] += ap
    if me[AIM] == MOST_AIM:
        me[LOST] += 1
        me[LOST_TO_AIM] += 1
    else:
        ap -= 1
        me[AP_SPENT] += 1
        me[AIM] += ONE_AIM
        me[PAID] = 0  # what was begun in the last turn is undone
    if c4[OUT]:
        return
    if not ap:
        cause = LOST_TO_AP
        if me[JAMMED]:
            cause = LOST_TO_JAM
        elif not me[LOADED]:
            cause = LOST_TO_AMMUNITION
        me[LOST] += 1
        me[cause] += 1
        return
    aim = me[AIM]
    me[AIM] = 0  # any action but another Aim uses it up
    if me[JAMMED]:
        clear_jam(random, me, ap, MARKS)
    elif not me[LOADED]:
        reload(me, ap, RELOAD_AP, MARKSMAN_CARBINE)
    else:
        me[AP_SPENT] += 1
        me[ROUNDS] += 1
        me[LOADED] -= 1
        c4[SHOT_AT] = True
        target = MARKS_SINGLE + aim - (FATIGUED if me[FATIGUE] else 0)
        roll = random() * 100
        if roll < target:
            me[SCORED] += 1
            harm(random, c4, 1, MARKS_AT_C4, C4_TOUGH)
        elif roll >= OTHER_JAM:
            jams(random, me)


# -- what turns are made of ------------------------------------------------------------------------


def hampered(me: Person, number: int) -> int:
    """The number of a Ranged Combat test for somebody who may be pinned or fatigued."""
    if me[PINNED_NOW]:
        number -= PINNED_TO_HIT
    return number - FATIGUED if me[FATIGUE] else number


def harm(
    random: Random, me: Person, hits: int, plus: int, tough: int, *, two_dice: bool = False
) -> None:
    """So many hits on somebody, a d10 or two and `plus` each; all count, even if one is enough."""
    me[HITS] += hits
    for _ in range(hits):
        damage = int(random() * 10) + plus
        if two_dice:
            damage += int(random() * 10)
        me[DAMAGE] += damage
        category = (damage - 1) // tough
        if category > me[INJURY]:
            me[INJURY] = category if category < LETHAL else LETHAL
        if category >= LETHAL:
            me[OUT] = True
        else:
            me[FATIGUE] += FATIGUE_OF[category]
    if me[FATIGUE] > tough:
        me[OUT] = True
    if me[OUT]:  # a weapon and a state that nobody asks for any more
        me[JAMMED] = me[PINNED_NOW] = False


def pinning_test(random: Random, me: Person, target: int) -> None:
    """Who fails is pinned; it is counted even for somebody who has just fallen."""
    roll = random() * 100
    if roll >= target:
        degrees = 1 + (int(roll) + 1 - target) // 10
        me[PINNED] = True
        if degrees > me[PINNING_DEGREES]:
            me[PINNING_DEGREES] = degrees
        if not me[OUT]:
            me[PINNED_NOW] = me[SHOT_AT] = True


def recover(random: Random, me: Person, target: int) -> None:
    """At the end of a turn a Willpower test ends being pinned, easier for who was not shot at."""
    if me[FATIGUE]:
        target -= FATIGUED
    if not me[SHOT_AT]:
        target += NOT_SHOT_AT
    if random() * 100 < target:
        me[PINNED_NOW] = False
    else:
        me[SHOT_AT] = False


def jams(random: Random, me: Person) -> None:
    """A jam hits nobody, and the weapon's condition is checked."""
    me[JAM] = me[JAMMED] = True
    if random() * 10 < me[CONDITION] - 1:
        me[DEGRADED] = True
        me[CONDITION] = min(USELESS, me[CONDITION] + 1)


def clear_jam(random: Random, me: Person, ap: int, skill: int) -> None:
    """Two AP, over two turns if need be, and a test; the rounds in the weapon are lost."""
    if pays(me, ap, CLEAR_AP) and random() * 100 < hampered(me, skill):
        me[JAMMED] = False
        me[LOADED] = 0


def reload(me: Person, ap: int, cost: int, magazine: int) -> None:
    """A full magazine, over several turns if need be."""
    if pays(me, ap, cost):
        me[LOADED] = magazine


def pays(me: Person, ap: int, cost: int) -> bool:
    """Put AP into a long action; whether it is done."""
    left = cost - me[PAID]
    if ap < left:
        me[AP_SPENT] += ap
        me[PAID] += ap
        return False
    me[AP_SPENT] += left
    me[PAID] = 0
    return True
