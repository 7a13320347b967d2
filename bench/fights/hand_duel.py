"""The duel of examples/duel.toml by hand: a scout's bursts against a cultist's aimed shots.

Rules as in Rate of Fire with the default readings. A d100 is `random() * 100`, which is below
the target number exactly as often as a d100 is at most that.
"""

from collections.abc import Callable

from bench.fights import Row, Seen, tally

SCOUT_SKILL = 45  # Ranged Combat; no modifier for a burst
SHOT_SKILL = 35 + 10  # the cultist's, with the +10 of a single shot
SCOUT_LOADED, CULTIST_LOADED = 15, 20
MAGAZINE, BURST = 30, 2  # rounds
RELOAD_AP = CLEAR_AP = CULTIST_AP = 2
AIM, MOST_AIM = 10, 20
FATIGUED = 10  # off every test, however much fatigue it is
JAM = 95  # an autogun is Reliable: it jams on a natural 96 or more
COMMON, USELESS = 4, 6  # a condition check needs so much on a d10, at first and at worst
SCOUT_DAMAGE = 1 + 2 + 4  # a d10 of 0 to 9 and 1, autogun, Ranged Combat bonus; no armour
CULTIST_DAMAGE = 1 + 2 + 3
TOUGHNESS = 3  # bonus of both; more fatigue than that is a collapse
LETHAL = 6  # injury category
FATIGUE = (0, 0, 0, 1, 2, 3, 0)  # by injury category
BURST_HITS = (1, 2, 2, 3, 3, 4, 4, 5, 5, 5)  # by full tens of margin: degrees of success less 1

_EACH = (
    *("jam", "weapon_degraded", "rounds_spent", "ap_spent", "ap_gained", "actions_lost"),
    *("lost_to_ap", "lost_to_jam", "lost_to_ammunition", "lost_to_aim", "still_jammed"),
    *("hits_scored", "hits", "damage", "injury", "fatigue", "out_of_action"),
)
_NEVER = (
    *("errant_hits", "lost_to_broken", "lost_to_rate_of_fire", "lost_to_full", "lost_to_no_jam"),
    *("still_pinned", "pinned", "pinning_degrees"),
)
COUNTED = (
    *(f"{who}.{what}" for who in ("scout", "cultist") for what in _EACH),
    "combatants_out_of_action",
)
NEVER = tuple(f"{who}.{what}" for who in ("scout", "cultist") for what in _NEVER)
NAMES = COUNTED + NEVER
"""What the values of a row are; those from NEVER are always 0 here."""

_NOTHING = (0,) * len(NEVER)


def simulate(plays: int, seed: int, rounds: int = 6) -> Seen:
    """So many plays: how often each outcome of each measure was seen after each round."""
    return tally(play, COUNTED, NEVER, plays, seed, rounds)


def play(rounds: int, random: Callable[[], float]) -> list[Row]:  # noqa: C901 - one loop is fastest
    """One duel: the value of every measure, in the order of NAMES, at the end of each round."""
    rows = []
    scout_loaded, scout_jammed, scout_condition, paid = SCOUT_LOADED, False, COMMON, 0
    scout_jam = scout_degraded = scout_out = False
    scout_rounds = scout_spent = scout_gained = lost_to_ap = scout_to_jam = scout_to_ammo = 0
    scout_scored = scout_damage = scout_injury = scout_fatigue = 0
    loaded, jammed, condition, aim = CULTIST_LOADED, False, COMMON, 0
    jam = degraded = out = False
    shots = spent = gained = lost_to_jam = lost_to_ammo = lost_to_aim = 0
    scored = damage = injury = fatigue = 0
    for _ in range(rounds):
        # The scout: two bursts; where one cannot be fired, the jam is cleared, or it is reloaded.
        if not scout_out:
            ap = 1 + (random() < 0.6) + (random() < 0.6)  # one more for each d10 of 5 or more
            scout_gained += ap
            for _line in (1, 2):
                if out:  # nobody is left to fire at: nothing is done, and nothing lost
                    break
                if scout_jammed:
                    if not ap:
                        scout_to_jam += 1
                    elif ap < CLEAR_AP - paid:  # goes on in the next turn
                        scout_spent += ap
                        paid += ap
                        ap = 0
                    else:
                        ap -= CLEAR_AP - paid
                        scout_spent += CLEAR_AP - paid
                        paid = 0
                        target = SCOUT_SKILL - FATIGUED if scout_fatigue else SCOUT_SKILL
                        if random() * 100 < target:
                            scout_jammed, scout_loaded = False, 0  # its rounds are lost
                elif scout_loaded < BURST:
                    if not ap:
                        scout_to_ammo += 1
                    elif ap < RELOAD_AP - paid:
                        scout_spent += ap
                        paid += ap
                        ap = 0
                    else:
                        ap -= RELOAD_AP - paid
                        scout_spent += RELOAD_AP - paid
                        paid = 0
                        scout_loaded = MAGAZINE
                elif not ap:
                    lost_to_ap += 1
                else:
                    ap -= 1
                    scout_spent += 1
                    scout_rounds += BURST
                    scout_loaded -= BURST
                    target = SCOUT_SKILL - FATIGUED if scout_fatigue else SCOUT_SKILL
                    roll = random() * 100
                    if roll < target:
                        hits = BURST_HITS[(target - 1 - int(roll)) // 10]
                        scout_scored += hits
                        # several hits on one target: +1 damage each
                        plus = SCOUT_DAMAGE + 1 if hits > 1 else SCOUT_DAMAGE
                        for _hit in range(hits):
                            dealt = int(random() * 10) + plus
                            damage += dealt
                            category = (dealt - 1) // TOUGHNESS
                            if category >= LETHAL:
                                injury = LETHAL
                                out = True
                                continue
                            if category > injury:
                                injury = category
                            fatigue += FATIGUE[category]
                        if fatigue > TOUGHNESS:
                            out = True
                    elif roll >= JAM:
                        scout_jam = scout_jammed = True
                        if random() * 10 < scout_condition - 1:
                            scout_degraded = True
                            scout_condition = min(USELESS, scout_condition + 1)
        # The cultist: Aim, then a single shot; nothing is done in its place.
        if not out:
            gained += CULTIST_AP
            if aim == MOST_AIM:
                lost_to_aim += 1
            else:
                aim += AIM
                spent += 1
            if scout_out:
                pass
            elif jammed:
                lost_to_jam += 1
            elif not loaded:
                lost_to_ammo += 1
            else:
                spent += 1
                shots += 1
                loaded -= 1
                target = SHOT_SKILL + aim
                if fatigue:
                    target -= FATIGUED
                aim = 0
                roll = random() * 100
                if roll < target:
                    scored += 1
                    dealt = int(random() * 10) + CULTIST_DAMAGE
                    scout_damage += dealt
                    category = min(LETHAL, (dealt - 1) // TOUGHNESS)
                    if category > scout_injury:
                        scout_injury = category
                    scout_fatigue += FATIGUE[category]
                    if category == LETHAL or scout_fatigue > TOUGHNESS:
                        scout_out = True
                elif roll >= JAM:
                    jam = jammed = True
                    if random() * 10 < condition - 1:
                        degraded = True
                        condition = min(USELESS, condition + 1)
        # Who is out of action has put the weapon away: nothing is still jammed.
        rows.append(
            (
                *(scout_jam, scout_degraded, scout_rounds, scout_spent, scout_gained),
                *(lost_to_ap + scout_to_jam + scout_to_ammo, lost_to_ap, scout_to_jam),
                *(scout_to_ammo, 0, scout_jammed and not scout_out, scout_scored),
                # one hit for each that the other scores
                *(scored, scout_damage, scout_injury, scout_fatigue, scout_out),
                *(jam, degraded, shots, spent, gained),
                *(lost_to_jam + lost_to_ammo + lost_to_aim, 0, lost_to_jam),
                *(lost_to_ammo, lost_to_aim, jammed and not out, scored),
                *(scout_scored, damage, injury, fatigue, out),
                scout_out + out,
                *_NOTHING,
            )
        )
    return rows
