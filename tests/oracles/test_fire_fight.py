"""The fire fight oracle against numbers reckoned by hand, and against itself by dumber means."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.oracles import fire_fight as oracle
from tests.oracles.fire_fight import Fight, Fighter, Goal, Gun, Line, Outcome

F = Fraction
SINGLE, SEMI, AIM = Line("single-shot"), Line("semi-auto"), Line("aim")
RELOAD, CLEAR, SUPPRESS = Line("reload"), Line("clear-jam"), Line("suppressing-fire")
HITS: Goal = ("expect", "scout.hits")

PISTOL = Gun(jam_at=101, damage_faces=1, damage_plus=-1)  # never jams, never hurts
AUTOGUN = replace(PISTOL, semi=2, fa_dice=3, fa_faces=5)
CULTIST = Fighter(name="cultist", ranged_combat=40, toughness=30, willpower=40, ap=3)


def scout(*plan: Line, gun: Gun = PISTOL, ap: int = 2, rc: int = 45) -> Fighter:
    return Fighter(
        name="scout",
        ranged_combat=rc,
        ap=ap,
        gun=gun,
        target="cultist",
        in_cone=("cultist",) if gun.fa_dice else (),
        plan=plan,
    )


def shooting(
    shooter: Fighter, target: Fighter = CULTIST, *others: Fighter, rounds: int = 1
) -> Fight:
    """Only the scout acts."""
    return Fight(fighters=(shooter, target, *others), order=("scout",), rounds=rounds)


def mean(fight: Fight, tally: str, reroll: oracle.Reroll = "never") -> Fraction:
    return oracle.mean(oracle.plan_odds(fight, reroll, (tally,)), tally)


def spread(fight: Fight, tally: str) -> dict[int, Fraction]:
    odds = oracle.plan_odds(fight, tallies=(tally,))
    return oracle.marginal(odds, lambda end: end.count(tally))


def likely(fight: Fight, predicate: oracle.Predicate, reroll: oracle.Reroll = "never") -> Fraction:
    return oracle.chance(oracle.plan_odds(fight, reroll), predicate)


def has_loaded(rounds: int) -> oracle.Predicate:
    return lambda end: end.of("scout").loaded == rounds


def has_hit(times: int) -> oracle.Predicate:
    return lambda end: end.count("scout.hits") == times


def is_pinned(end: Outcome) -> bool:
    return end.of("cultist").pinned


# ------------------------------------------------------------------------------------- dice


def test_action_points() -> None:
    two = Fighter(name="a", agility_bonus=2)
    points = oracle.ap_odds(two, first_turn=True, pinned=False)
    assert points == {1: F(4, 25), 2: F(12, 25), 3: F(9, 25)}
    assert oracle.ap_odds(two, first_turn=False, pinned=True) == {1: F(16, 25), 2: F(9, 25)}


@pytest.mark.parametrize(
    ("ap", "awareness", "pinned", "expected"),
    [
        (2, 3, False, {2: F(3, 10), 1: F(1, 10), 0: F(6, 10)}),
        (2, 12, False, {2: F(9, 10), 1: F(1, 10)}),
        (3, 3, True, {2: F(3, 10), 1: F(2, 10), 0: F(1, 2)}),
    ],
)
def test_surprise(ap: int, awareness: int, pinned: bool, expected: dict[int, Fraction]) -> None:
    man = Fighter(name="a", ap=ap, awareness_bonus=awareness, tests_surprise=True)
    assert oracle.ap_odds(man, first_turn=True, pinned=pinned) == expected
    later = oracle.ap_odds(man, first_turn=False, pinned=pinned)
    assert later == {(ap + 1) // 2 if pinned else ap: 1}


def test_a_d100_test() -> None:
    assert oracle.d100_odds(-5, 96) == {
        (1, False): F(1, 100),
        (0, False): F(94, 100),
        (0, True): F(5, 100),
    }
    high = oracle.d100_odds(120, 101)
    assert high[0, False] == F(1, 100)
    assert high[3, False] == F(9, 100)  # 91 to 99
    assert oracle.d100_odds(45, 101)[5, False] == F(5, 100)


# ---------------------------------------------------------------------------------- attacks


def test_two_shots_beat_one_aimed_shot() -> None:
    assert mean(shooting(scout(SINGLE, SINGLE)), "scout.hits") == F(11, 10)
    assert mean(shooting(scout(AIM, SINGLE)), "scout.hits") == F(13, 20)
    values = oracle.first_values(shooting(scout()), "scout", HITS)
    assert values == {"single-shot": F(11, 10), "aim": F(13, 20), "end turn": 0}
    assert oracle.best_value(shooting(scout()), "scout", HITS) == F(11, 10)


def test_a_jam_ends_the_shooting() -> None:
    plain = replace(PISTOL, jam_at=None)
    fight = shooting(scout(SINGLE, SINGLE, gun=plain))
    assert mean(fight, "scout.hits") == F(11, 20) * F(39, 20)
    assert mean(fight, "scout.jams") == F(39, 400)
    assert mean(fight, "scout.actions_lost") == F(1, 20)
    assert mean(fight, "scout.rounds_spent") == F(39, 20)
    worse = likely(fight, lambda end: end.of("scout").condition == 5)
    assert worse == F(39, 400) * F(3, 10)
    automatic = shooting(scout(SINGLE, SINGLE, gun=replace(AUTOGUN, jam_at=None)))
    assert mean(automatic, "scout.hits") == F(11, 20) * F(19, 10)
    reliable = shooting(scout(SINGLE, SINGLE, gun=replace(AUTOGUN, jam_at=None, reliable=True)))
    assert mean(reliable, "scout.hits") == mean(fight, "scout.hits")


@pytest.mark.parametrize(
    ("condition", "worse"), [(0, 0), (1, 0), (2, F(1, 10)), (5, F(4, 10)), (6, 0)]
)
def test_condition_checks(condition: int, worse: Fraction) -> None:
    gun = replace(PISTOL, jam_at=51, condition=condition)
    fight = shooting(scout(SINGLE, gun=gun))
    fell = likely(fight, lambda end: end.of("scout").condition == condition + 1)
    assert fell == worse / 2


def test_semi_auto() -> None:
    fight = shooting(scout(SEMI, gun=AUTOGUN))
    assert spread(fight, "scout.hits") == {0: F(11, 20), 1: F(1, 10), 2: F(1, 5), 3: F(3, 20)}
    assert spread(fight, "scout.rounds_spent") == {2: 1}


def test_full_auto() -> None:
    one = shooting(scout(Line("full-auto", 1), ap=1, gun=AUTOGUN))
    assert spread(one, "scout.hits") == {
        0: F(13, 20),
        1: F(3, 20),
        2: F(11, 100),
        3: F(7, 100),
        4: F(1, 50),
    }
    for dice, expected in ((1, F(33, 50)), (2, F(197, 250)), (3, F(1999, 2500))):
        fight = shooting(scout(Line("full-auto", dice), ap=3, gun=AUTOGUN))
        assert mean(fight, "scout.hits") == expected
        assert spread(fight, "scout.rounds_spent") == {5 * dice: 1}
        assert spread(fight, "scout.ap_lost") == {3 - dice: 1}
    twice = shooting(scout(Line("full-auto", 1), gun=replace(AUTOGUN, storm=2)))
    assert mean(twice, "scout.hits") == F(33, 25)


def test_aim_is_kept_used_up_and_limited() -> None:
    assert mean(shooting(scout(AIM, SEMI, SINGLE, ap=3, gun=AUTOGUN)), "scout.hits") == F(3, 2)
    patient = shooting(scout(AIM, AIM, AIM, SINGLE, ap=4))
    assert mean(patient, "scout.hits") == F(3, 4)
    assert mean(patient, "scout.actions_lost") == 1
    over_turns = replace(scout(), turn_plans=((AIM, AIM), (SINGLE,)))
    assert mean(shooting(over_turns, rounds=2), "scout.hits") == F(3, 4)
    # an attack that is not made leaves everything as it is
    dead = replace(CULTIST, fatigue=4)
    unmade = shooting(scout(AIM, SINGLE), dead)
    tallies = ("scout.attacks", "scout.actions_lost", "scout.ap_lost")
    (end,) = oracle.plan_odds(unmade, tallies=tallies)
    assert dict(end.tallies) == {
        "scout.attacks": 0,
        "scout.actions_lost": 0,
        "scout.ap_lost": 1,
    }


def test_the_most_shots_of_a_turn() -> None:
    volley = shooting(scout(Line("full-auto", 3), SEMI, ap=5, gun=AUTOGUN))
    assert mean(volley, "scout.actions_lost") == 1
    mixed = scout(Line("full-auto", 2), SEMI, SINGLE, SEMI, SINGLE, ap=6, gun=AUTOGUN)
    assert mean(shooting(mixed), "scout.actions_lost") == 1
    assert mean(shooting(mixed), "scout.rounds_spent") == 15
    bursts = scout(*[SEMI] * 6, ap=6, gun=replace(PISTOL, semi=3))
    assert mean(shooting(bursts), "scout.rounds_spent") == 18


def test_too_few_rounds() -> None:
    plan = (Line("full-auto", 1), Line("full-auto", 1, (Line("full-auto", 2), SEMI)), SINGLE)
    shooter = replace(scout(*plan, ap=3, gun=replace(AUTOGUN, magazine=20)), loaded=9)
    fight = shooting(shooter)
    assert mean(fight, "scout.rounds_spent") == 8
    assert likely(fight, lambda end: end.of("scout").loaded == 1) == 1


# ----------------------------------------------------------------------- reloading, clearing


def test_a_reload_may_take_two_turns() -> None:
    gun = replace(PISTOL, magazine=6, reload_ap=3)
    shooter = replace(scout(SINGLE, RELOAD, gun=gun), loaded=0)
    for rounds, loaded, lost in ((1, 0, 1), (2, 6, 2), (3, 5, 2)):
        fight = shooting(shooter, rounds=rounds)
        assert likely(fight, has_loaded(loaded)) == 1
        assert mean(fight, "scout.actions_lost") == lost
    broken = replace(shooter, plan=(), turn_plans=((RELOAD,), (AIM, RELOAD), (RELOAD,)))
    for rounds, loaded in ((2, 0), (3, 6)):
        fight = shooting(broken, rounds=rounds)
        assert likely(fight, has_loaded(loaded)) == 1
    full = replace(scout(Line("reload", otherwise=(SINGLE,)), gun=gun), loaded=6)
    assert mean(shooting(full), "scout.attacks") == 1


@pytest.mark.parametrize(
    ("changes", "cleared"),
    [
        ({}, F(45, 100)),
        ({"pinned": True}, F(25, 100)),
        ({"fatigue": 1}, F(35, 100)),
        ({"fatigue": 1, "pinned": True}, F(15, 100)),
    ],
)
def test_clearing_a_jam(changes: dict[str, bool | int], cleared: Fraction) -> None:
    gun = replace(PISTOL, magazine=6)
    shooter = replace(scout(CLEAR, ap=4, gun=gun), jammed=True, loaded=4)
    # four points, two when pinned: one test
    fight = shooting(replace(shooter, **changes))  # type: ignore[arg-type]
    assert likely(fight, lambda end: not end.of("scout").jammed) == cleared
    assert likely(fight, lambda end: end.of("scout").loaded == 0) == cleared
    uncounted = shooting(replace(shooter, loaded=None))
    assert likely(uncounted, lambda end: end.of("scout").loaded is None) == 1


def test_clearing_a_jam_point_by_point() -> None:
    shooter = replace(scout(SINGLE, CLEAR, ap=1), jammed=True)
    for rounds, still in ((1, F(1)), (2, F(55, 100)), (3, F(55, 100)), (4, F(55, 100) ** 2)):
        # once cleared, the single point of a turn is shot away
        fight = shooting(shooter, rounds=rounds)
        assert likely(fight, lambda end: end.of("scout").jammed) == still
    assert mean(shooting(shooter, rounds=3), "scout.hits") == F(45, 100) * F(55, 100)


# ---------------------------------------------------------------------------------- damage


def test_damage() -> None:
    gun = replace(AUTOGUN, damage_plus=0, adds_rcb=True, penetration=2)
    target = replace(CULTIST, armour=5)  # 1 + 4 - 3 = 2, and 3 each for several hits
    semi = shooting(scout(SEMI, gun=gun), target)
    assert mean(semi, "cultist.damage") == F(1, 10) * 2 + F(1, 5) * 6 + F(3, 20) * 9
    spray = shooting(scout(SUPPRESS, ap=3, gun=gun), target)
    assert spread(spray, "scout.hits") == {0: F(17, 20), 1: F(1, 10), 2: F(1, 20)}
    assert mean(spray, "cultist.damage") == F(1, 5) * 2
    padded = shooting(scout(SEMI, gun=gun), replace(CULTIST, armour=50))
    assert spread(padded, "cultist.damage") == {0: 1}
    die = replace(PISTOL, damage_faces=10, damage_plus=0)
    # 4 to 6: light, 7 to 9: heavy, 10: serious
    ten = shooting(scout(SINGLE, gun=die))
    assert spread(ten, "cultist.injury") == {
        0: F(45, 100) + F(165, 1000),
        1: F(165, 1000),
        2: F(165, 1000),
        3: F(55, 1000),
    }
    assert likely(ten, lambda end: end.of("cultist").fatigue == 1) == F(55, 1000)


def test_fatigue_adds_up_to_a_collapse() -> None:
    acute = replace(PISTOL, damage_plus=12)  # 13 > 4 x 3: two points of fatigue
    two = shooting(scout(SINGLE, SINGLE, gun=acute, rc=190))
    assert likely(two, lambda end: end.of("cultist").down) == F(99, 100) ** 2
    assert likely(two, lambda end: end.of("cultist").out) == F(99, 100) ** 2
    assert likely(two, lambda end: end.of("cultist").killed) == 0
    assert likely(two, lambda end: end.of("cultist").fatigue == 2) == 2 * F(99, 10000)
    three = shooting(scout(SINGLE, SINGLE, SINGLE, ap=3, gun=acute, rc=190))
    assert mean(three, "scout.attacks") == 3 - F(99, 100) ** 2
    assert mean(three, "scout.actions_lost") == 0
    down = F(99, 100) ** 2 * (1 + 2 * F(1, 100))
    assert likely(three, lambda end: end.of("cultist").down) == down


def test_the_killed_do_not_shoot_back() -> None:
    lethal = replace(PISTOL, damage_plus=18)
    cultist = replace(CULTIST, gun=PISTOL, target="scout", plan=(SINGLE,))
    fighters = (scout(SINGLE, gun=lethal), cultist)
    fight = Fight(fighters=fighters, order=("scout", "cultist"), rounds=1)
    assert mean(fight, "cultist.attacks") == F(45, 100)
    assert likely(fight, lambda end: end.of("cultist").out) == F(55, 100)
    assert likely(fight, lambda end: end.of("cultist").killed) == F(55, 100)
    assert likely(fight, lambda end: end.of("cultist").fatigue > 0) == 0


def test_all_hits_of_an_attack_land() -> None:
    gun = replace(PISTOL, semi=2, damage_plus=18)
    fight = shooting(scout(SEMI, gun=gun))
    assert mean(fight, "cultist.damage") == F(1, 10) * 19 + F(1, 5) * 40 + F(3, 20) * 60


# --------------------------------------------------------------------------------- pinning


def test_full_auto_pins_whom_it_hits() -> None:
    plan = (Line("full-auto", 1),)
    hit = F(35, 100)
    assert likely(shooting(scout(*plan, gun=AUTOGUN)), is_pinned) == hit * F(6, 10)
    lethal = replace(AUTOGUN, damage_plus=30)
    killed = shooting(scout(*plan, gun=lethal))
    assert likely(killed, lambda end: is_pinned(end) and end.of("cultist").out) == hit * F(6, 10)
    # fatigue from this attack does not count yet, older fatigue does
    serious = replace(AUTOGUN, damage_plus=9)
    tiring = shooting(scout(*plan, gun=serious))
    assert likely(tiring, is_pinned) == hit * F(6, 10)
    assert likely(tiring, lambda end: end.of("cultist").fatigue > 0) == hit
    tired = shooting(scout(*plan, gun=AUTOGUN), replace(CULTIST, fatigue=1))
    assert likely(tired, is_pinned) == hit * F(7, 10)
    banded = replace(scout(*plan, gun=AUTOGUN), pinning=(("cultist", 20),))
    assert likely(shooting(banded), is_pinned) == hit * F(4, 10)
    for line in (SINGLE, SEMI):
        assert likely(shooting(scout(line, gun=AUTOGUN)), is_pinned) == 0


def test_suppressing_fire_pins_the_cone_hit_or_not() -> None:
    other = Fighter(name="other", willpower=20)
    shooter = replace(
        scout(SUPPRESS, ap=3, gun=replace(AUTOGUN, jam_at=1)),  # it jams for certain
        in_cone=("cultist", "other"),
        pinning=(("cultist", -10),),
    )
    odds = oracle.plan_odds(shooting(shooter, CULTIST, other))
    both = oracle.marginal(odds, lambda end: (is_pinned(end), end.of("other").pinned))
    assert both[True, True] == F(7, 10) * F(8, 10)
    assert both[False, True] == F(3, 10) * F(8, 10)
    assert sum(both.values()) == 1


def test_the_pinned_do_less_and_recover() -> None:
    cultist = replace(CULTIST, gun=PISTOL, target="scout", plan=(SINGLE,) * 3)
    shooter = scout(gun=AUTOGUN, ap=3)
    shooter = replace(shooter, pinning=(("cultist", -10),), turn_plans=((SUPPRESS,),))
    fight = Fight(fighters=(shooter, cultist), order=("scout", "cultist"), rounds=1)
    free, pinned = F(3, 10) * 3 * F(1, 2), F(7, 10) * 2 * F(3, 10)
    assert mean(fight, "cultist.hits") == free + pinned
    assert mean(fight, "cultist.actions_lost") == F(7, 10)
    # under fire: Willpower 40
    assert likely(fight, is_pinned) == F(7, 10) * F(6, 10)
    # left alone: Willpower 70; tired as well: 60
    later = replace(fight, rounds=2)
    assert likely(later, is_pinned) == F(7, 10) * F(6, 10) * F(3, 10)
    tired = replace(CULTIST, pinned=True, fatigue=1)
    alone = Fight(fighters=(scout(), tired), order=("cultist",), rounds=1)
    assert likely(alone, is_pinned) == F(4, 10)


# ------------------------------------------------------------------------------------ fate


def test_fate_re_rolls_one_failed_attack_a_turn() -> None:
    once = F(55, 100) + F(45, 100) * F(55, 100)
    lucky = shooting(replace(scout(SINGLE), fate=10))
    assert mean(lucky, "scout.hits") == F(55, 100)
    assert mean(lucky, "scout.hits", "attacks") == once
    assert mean(lucky, "scout.fate_spent", "attacks") == F(45, 100) * 4
    last = shooting(replace(scout(SINGLE), fate=1))
    assert mean(last, "scout.fate_spent", "attacks") == F(45, 100)
    twice = shooting(replace(scout(SINGLE, SINGLE), fate=50))
    expected = F(55, 100) * (1 + once) + F(45, 100) * F(110, 100)
    assert mean(twice, "scout.hits", "attacks") == expected
    turns = shooting(replace(scout(SINGLE), fate=50), rounds=2)
    assert mean(turns, "scout.hits", "attacks") == 2 * once


def test_a_re_rolled_jam_is_gone_and_a_good_roll_that_jams_stays() -> None:
    # target number 200: only 100 fails, 96 to 100 jam
    shooter = replace(scout(SINGLE, rc=190, gun=replace(PISTOL, jam_at=96)), fate=1)
    fight = shooting(shooter)
    assert mean(fight, "scout.hits", "attacks") == F(95, 100) * F(101, 100)
    assert mean(fight, "scout.jams", "attacks") == F(4, 100) + F(5, 10000)


def test_fate_against_pinning_waits_for_the_own_turn() -> None:
    cultist = replace(CULTIST, fate=100)
    shooter = scout(SUPPRESS, ap=3, gun=AUTOGUN)
    fight = shooting(shooter, cultist, rounds=2)
    assert likely(fight, is_pinned, "attacks") == 1 - F(16, 100)
    # unspent 4/10, spent 24/100: then one more test, with or without a re-roll
    free = F(4, 10) * F(64, 100) + F(24, 100) * F(4, 10)
    assert likely(fight, is_pinned, "every_test") == 1 - free
    # with a turn of its own in between, in which it may recover and be ready again
    acting = replace(fight, order=("cultist", "scout"))
    calm = F(64, 100)  # after the first fire
    freed = F(36, 100) * F(64, 100)  # recovered under fire: unspent 40 of 64 times
    unspent = calm + F(36, 100) * F(4, 10)
    assert freed == F(36, 100) * F(4, 10) + F(36, 100) * F(6, 10) * F(4, 10)
    expected = unspent * F(64, 100) + (freed - F(36, 100) * F(4, 10)) * F(4, 10)
    assert likely(acting, is_pinned, "every_test") == 1 - expected


# ------------------------------------------------------------------------------- best play


def duel(*, rounds: int, fate: int = 0) -> Fight:
    gun = Gun(semi=2, magazine=3, damage_faces=10, damage_plus=3, reload_ap=2)
    cultist = replace(
        CULTIST, ap=2, gun=gun, target="scout", loaded=3, plan=(AIM, Line("single-shot"))
    )
    shooter = replace(scout(SEMI, SINGLE, gun=gun), loaded=3, fate=fate)
    return Fight(fighters=(shooter, cultist), order=("scout", "cultist"), rounds=rounds)


def down(end: Outcome) -> bool:
    return end.of("cultist").out


def test_the_options_offered() -> None:
    gun = replace(AUTOGUN, jam_at=None, magazine=20)
    shooter = replace(scout(ap=3, gun=gun), loaded=14)
    offered = {*oracle.first_values(shooting(shooter), "scout", HITS)}
    singles = {"single-shot", "semi-auto", "aim", "reload", "end turn"}
    assert offered == {*singles, "full-auto 1", "full-auto 2"}
    offered = {*oracle.first_values(shooting(replace(shooter, loaded=20)), "scout", HITS)}
    automatic = {"full-auto 1", "full-auto 2", "full-auto 3", "suppressing-fire"}
    assert offered == (singles | automatic) - {"reload"}
    offered = {*oracle.first_values(shooting(replace(shooter, jammed=True)), "scout", HITS)}
    assert offered == {"aim", "reload", "clear-jam", "end turn"}


def test_aiming_pays_for_the_weary() -> None:
    tired = replace(scout(ap=1, rc=5), fatigue=1)  # 5, or 15 once aimed
    fight = shooting(tired, rounds=2)
    values = oracle.first_values(fight, "scout", HITS)
    assert values == {"single-shot": F(10, 100), "aim": F(15, 100), "end turn": F(5, 100)}
    goal: Goal = ("chance", lambda end: end.count("scout.hits") >= 1)
    tallies = ("scout.hits",)
    values = oracle.first_values(fight, "scout", goal, tallies=tallies)
    assert values["single-shot"] == 1 - F(95, 100) ** 2
    assert values["aim"] == F(15, 100)


def test_the_best_re_rolls_only_when_it_pays() -> None:
    # no more than one hit is wanted, and no fate is to be wasted
    fight = shooting(replace(scout(ap=1), fate=1))
    assert oracle.best_value(fight, "scout", HITS) == F(55, 100) + F(45, 100) * F(55, 100)
    thrifty: Goal = ("chance", lambda end: end.of("scout").fate == 1)
    assert oracle.best_value(fight, "scout", thrifty) == 1
    # a failed shot is better left alone than re-rolled into a jam
    clean: Goal = ("chance", lambda end: end.count("scout.attacks") == 1 and not jams(end))
    jammy = shooting(replace(scout(ap=1, gun=replace(PISTOL, jam_at=91)), fate=1))
    value = oracle.best_value(jammy, "scout", clean, tallies=("scout.attacks",))
    assert value == F(9, 10) + F(1, 10) * F(9, 10)


def jams(end: Outcome) -> bool:
    return end.of("scout").jammed


@pytest.mark.parametrize("goal", [HITS, ("chance", down)])
def test_no_fixed_plan_beats_the_best(goal: Goal) -> None:
    fight = duel(rounds=2)
    best = oracle.best_value(fight, "scout", goal)
    values = [oracle.plan_value(plan, goal) for plan in oracle.all_plans(fight, "scout", 1)]
    assert len(values) == 1 + 5 + 25
    assert max(values) <= best
    # in a single turn of one point, a plan is all there is
    short = fight.but(replace(fight.of("scout"), ap=1))
    short = replace(short, rounds=1)
    values = [oracle.plan_value(plan, goal) for plan in oracle.all_plans(short, "scout", 1)]
    assert max(values) == oracle.best_value(short, "scout", goal)


def test_no_fixed_plan_of_two_turns_beats_the_best() -> None:
    fight = duel(rounds=2)
    fight = fight.but(replace(fight.of("scout"), ap=1))
    best = oracle.best_value(fight, "scout", HITS)
    values = [oracle.plan_value(plan, HITS) for plan in oracle.all_plans(fight, "scout", 2)]
    assert len(values) == 36
    assert max(values) <= best


def test_the_best_choice_is_worth_the_whole() -> None:
    fight = duel(rounds=2, fate=1)
    best = oracle.best_value(fight, "scout", HITS)
    assert best == max(oracle.first_values(fight, "scout", HITS).values())
    assert best > oracle.best_value(duel(rounds=2), "scout", HITS)
    rerolls: tuple[oracle.Reroll, ...] = ("never", "attacks", "every_test")
    for reroll in rerolls:
        assert best >= oracle.plan_value(fight, HITS, reroll)


def test_walking_back_and_pushing_forward_agree() -> None:
    fight = duel(rounds=3)
    idle = Fighter(name="idle")  # chooses for itself, and has nothing to choose
    crowd = replace(fight, fighters=(*fight.fighters, idle))
    for goal in (HITS, ("chance", down), ("expect", "cultist.injury")):
        assert oracle.best_value(crowd, "idle", goal) == oracle.plan_value(crowd, goal)


def test_first_decisions_by_action_points() -> None:
    shooter = replace(scout(), ap=None, agility_bonus=1)
    found = oracle.first_decisions(shooting(shooter), "scout", HITS)
    by_ap = {decision.ap: (decision.chance, max(decision.values.values())) for decision in found}
    assert by_ap == {1: (F(2, 5), F(11, 20)), 2: (F(3, 5), F(11, 10))}
    with pytest.raises(ValueError, match="chance comes before"):
        oracle.first_values(shooting(shooter), "scout", HITS)


# ------------------------------------------------------------------------------- the whole


@pytest.mark.parametrize("reroll", ["never", "attacks", "every_test"])
def test_all_is_counted_once(reroll: oracle.Reroll) -> None:
    fight = duel(rounds=1, fate=3)
    gun = Gun(semi=2, fa_dice=2, magazine=20, damage_plus=3)
    shooter = replace(fight.of("scout"), gun=gun, loaded=20, in_cone=("cultist",), ap=None)
    shooter = replace(
        shooter, agility_bonus=1, tests_surprise=True, plan=(Line("full-auto", 1), SEMI)
    )
    fight = fight.but(shooter)
    odds = oracle.plan_odds(fight, reroll, ("scout.hits", "cultist.injury"))
    assert sum(odds.values()) == 1
    fewer = oracle.plan_odds(fight, reroll, ("scout.hits",), condition=False)
    assert oracle.mean(odds, "scout.hits") == oracle.mean(fewer, "scout.hits")
    for times in {end.count("scout.hits") for end in fewer}:
        assert oracle.chance(odds, has_hit(times)) == oracle.chance(fewer, has_hit(times))


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="nobody in the cone"):
        oracle.plan_odds(shooting(replace(scout(SUPPRESS, gun=AUTOGUN), in_cone=())))
    with pytest.raises(ValueError, match="unknown action"):
        oracle.plan_odds(shooting(scout(Line("dance"))))
    with pytest.raises(ValueError, match="unknown tally"):
        oracle.plan_odds(shooting(scout()), tallies=("scout.joy",))
    with pytest.raises(ValueError, match="every name"):
        Fight(fighters=(CULTIST, CULTIST), order=(), rounds=1)
