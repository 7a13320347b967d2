"""The oracle of Necromunda against published figures, by their ids, and against itself."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from tests.oracles import necromunda as oracle
from tests.oracles.necromunda import (
    FIREPOWER,
    INJURY,
    SIXTH,
    Body,
    Burner,
    Gun,
    Man,
    Odds,
    Shooting,
    chance,
    fate,
    mean,
    rules,
    seen,
)

AUTOGUN = Gun(ammo=4, short=8, long=24, accuracy=(1, 0), rapid_fire=1)
STUBBER = Gun(strength=4, ap=-1, ammo=4, short=20, long=40, rapid_fire=2)
DEFAULT = rules()


def shares(*figures: str) -> tuple[Fraction, ...]:
    """Printed fractions."""
    return tuple(Fraction(figure) for figure in figures)


def fates(shooting: Shooting) -> tuple[Fraction, ...]:
    """Up, down and out, in that order."""
    found = seen(oracle.ends(shooting, 0), fate)
    order = ("standing_or_pinned", "seriously_injured", "out_of_action")
    return tuple(found.get(name, Fraction(0)) for name in order)


def test_fp1_one_firepower_die() -> None:
    one = oracle.firepower(1)
    assert {tuple(burst): p for burst, p in one.items()} == {
        (1, 1): SIXTH,
        (1, 0): 2 * SIXTH,
        (2, 0): 2 * SIXTH,
        (3, 0): SIXTH,
    }
    assert mean(seen(one, lambda burst: burst.holes)) == Fraction(5, 3)


def test_fp2_two_firepower_dice() -> None:
    two = oracle.firepower(2)
    holes, symbols = seen(two, lambda burst: burst.holes), seen(two, lambda burst: burst.symbols)
    assert tuple(holes[n] for n in range(2, 7)) == shares("1/4", "1/3", "5/18", "1/9", "1/36")
    assert mean(holes) == Fraction(10, 3)
    assert tuple(symbols[n] for n in range(3)) == shares("25/36", "5/18", "1/36")
    assert chance(two, lambda burst: burst == (2, 2)) == Fraction(1, 36)
    assert chance(two, lambda burst: burst.holes == 6 and burst.symbols > 0) == 0


AMMO = {
    "AM1-4": (1, 4, "11/12", "1/12", "0"),
    "AM1-2": (1, 2, "35/36", "1/36", "0"),
    "AM1-6": (1, 6, "31/36", "5/36", "0"),
    "AM1-5": (1, 5, "8/9", "1/9", "0"),
    "AM2-4": (2, 4, "121/144", "11/72", "1/144"),
    "AM2-6": (2, 6, "961/1296", "155/648", "25/1296"),
}


def ammo_of(shooting: Shooting) -> tuple[Fraction, ...]:
    """Nothing failed, out of ammo and no more, jammed."""
    found = oracle.volley(shooting)
    return (
        chance(found, lambda one: one.failed == 0),
        chance(found, lambda one: one.failed > 0 and not one.jammed),
        chance(found, lambda one: one.jammed),
    )


@pytest.mark.parametrize("case", AMMO)
def test_am_ammo_of_an_attack(case: str) -> None:
    dice, value, *printed = AMMO[case]
    gun = replace(STUBBER, ammo=value, rapid_fire=2 if dice == 2 else 0)
    assert ammo_of(Shooting(gun=gun, dice=dice)) == shares(*printed)


@pytest.mark.parametrize(
    ("value", "printed"), [(4, ("7/8", "1/8", "0")), (2, ("205/216", "11/216", "0"))]
)
def test_co_combi(value: int, printed: tuple[str, ...]) -> None:
    gun = replace(AUTOGUN, ammo=value, traits=frozenset({"Combi"}))
    assert ammo_of(Shooting(gun=gun)) == shares(*printed)


def test_a06_two_failures_of_a_combi_weapon() -> None:
    gun = replace(AUTOGUN, traits=frozenset({"Combi"}))
    found = ammo_of(Shooting(gun=gun, rules=rules({"combi_jam": "two_failures"})))
    assert found[2] == Fraction(1, 24)


def test_a02_dice_of_a_miss() -> None:
    def failed(reading: str) -> Fraction:
        shooting = Shooting(gun=STUBBER, dice=2, rules=rules({"firepower_on_miss": reading}))
        return 1 - ammo_of(shooting)[0]

    assert failed("all") == Fraction(23, 144)
    assert failed("one") == Fraction(35, 288)
    assert failed("none") == Fraction(23, 288)


def test_a03_the_ammo_face_without_its_hole() -> None:
    assert mean(seen(oracle.firepower(1, "no_hit"), lambda burst: burst.holes)) == Fraction(3, 2)


@pytest.mark.parametrize(
    ("modifier", "printed"),
    [
        (3, "5/6"),
        (2, "5/6"),
        (1, "2/3"),
        (0, "1/2"),
        (-1, "1/3"),
        (-2, "1/6"),
        (-3, "1/12"),
        (-4, "1/12"),
    ],
)
def test_ht1_to_hit(modifier: int, printed: str) -> None:
    assert oracle.hit_chance(4, modifier) == Fraction(printed)


def test_ht3_natural_1() -> None:
    assert oracle.hit_chance(3, 3) == Fraction(5, 6)
    assert oracle.hit_chance(3, 3, "as_it_is") == 1


def test_nh1_number_of_hits() -> None:
    hits = seen(oracle.volley(Shooting(gun=AUTOGUN)), lambda one: one.hits)
    assert tuple(hits[n] for n in range(4)) == shares("1/3", "1/3", "2/9", "1/9")
    assert mean(hits) == Fraction(10, 9)


def test_ch1_until_the_gun_stops() -> None:
    """Attacks until the first failure: 1 / p of them, each with its holes."""
    for dice, attacks, holes in ((1, "12", "20"), (2, "144/23", "480/23")):
        any_failure = 1 - ammo_of(Shooting(gun=STUBBER, dice=dice))[0]
        per_attack = mean(seen(oracle.firepower(dice), lambda burst: burst.holes))
        assert 1 / any_failure == Fraction(attacks)
        assert per_attack / any_failure == Fraction(holes)
    fine, _, jams = ammo_of(Shooting(gun=STUBBER, dice=2))
    assert jams / (1 - fine) == Fraction(1, 23)


@pytest.mark.parametrize(
    ("strength", "toughness", "printed"),
    [
        (3, 3, "1/2"),
        (4, 3, "2/3"),
        (6, 3, "5/6"),
        (3, 4, "1/3"),
        (2, 4, "1/6"),
        (2, 5, "1/6"),
        (5, 3, "2/3"),
        (8, 4, "5/6"),
        (3, 6, "1/6"),
    ],
)
def test_wd_to_wound(strength: int, toughness: int, printed: str) -> None:
    assert Fraction(7 - oracle.wound_needs(strength, toughness), 6) == Fraction(printed)


@pytest.mark.parametrize(
    ("save", "ap", "bonus", "printed"),
    [
        (5, 0, 0, "1/3"),
        (5, -1, 0, "1/6"),
        (5, -2, 0, "0"),
        (6, -1, 0, "0"),
        (4, -1, 0, "1/3"),
        (None, 0, 2, "1/3"),
        (None, 0, 1, "1/6"),
        (None, -1, 2, "1/6"),
        (2, 0, 0, "5/6"),
        (None, 0, 0, "0"),
    ],
)
def test_sv_saves(save: int | None, ap: int, bonus: int, printed: str) -> None:
    assert oracle.save_chance(save, ap, bonus) == Fraction(printed)


def test_in_injury_dice() -> None:
    def pool(dice: int) -> Odds[Body]:
        return oracle.injury_dice(Body(), dice, 3)

    hurt, down, out = Body(flesh=1), Body(down=True), Body(out=True)
    assert pool(1) == {hurt: Fraction(1, 3), down: Fraction(1, 2), out: Fraction(1, 6)}
    two = pool(2)
    assert two[Body(out=True)] == Fraction(11, 36)
    assert two[Body(flesh=1, down=True)] == Fraction(7, 12)
    assert two[Body(flesh=2)] == Fraction(1, 9)
    three = pool(3)
    assert three[Body(out=True)] == Fraction(91, 216)
    assert three[Body(flesh=3, out=True)] == Fraction(1, 27)
    assert three[Body(flesh=2, down=True)] == Fraction(13, 24)
    assert chance(three, lambda body: body.out) == Fraction(11, 24)


def test_damage_against_wounds() -> None:
    found = [oracle.dice_for(*each) for each in ((1, 1), (2, 1), (3, 1), (2, 2), (5, 3), (2, 0))]
    assert found == [1, 2, 3, 1, 3, 2]
    assert oracle.dice_for(1, 2) == 0


def test_ch_a_autogun_at_a_ganger() -> None:
    shooting = Shooting(gun=AUTOGUN)
    assert fates(shooting) == shares("659/972", "223/972", "5/54")
    fixed = replace(shooting, rules=rules({"hits_in_sequence": "fixed"}))
    assert fates(fixed) == shares("445/648", "43/192", "463/5184")


def test_ch_a_once_more_by_every_face() -> None:
    """All dice at once: roll to hit, Firepower, three rolls to wound and three Injury dice."""
    counts = {"standing_or_pinned": 0, "seriously_injured": 0, "out_of_action": 0}
    after_hits = {hits: dict.fromkeys(counts, 0) for hits in range(4)}
    for hits, found in after_hits.items():
        for wounds in product(range(1, 7), repeat=3):
            for injuries in product(INJURY, repeat=3):
                toughness, down, out = 3, False, False
                for wound, injury in list(zip(wounds, injuries, strict=True))[:hits]:
                    needs = {3: 4, 2: 3, 1: 2}[toughness] if not out else 7
                    if wound < needs:
                        continue
                    if injury == "out":
                        out = True
                    elif injury == "serious" and not down:
                        down = True
                    else:
                        toughness -= 1
                        out = toughness == 0
                fallen = "seriously_injured" if down else "standing_or_pinned"
                found["out_of_action" if out else fallen] += 1
    for die, (holes, _) in product(range(1, 7), FIREPOWER):
        for name, count in after_hits[holes if die >= 3 else 0].items():
            counts[name] += count
    total = sum(counts.values())
    assert total == 6**8
    assert tuple(Fraction(n, total) for n in counts.values()) == fates(Shooting(gun=AUTOGUN))


def test_ch_a2_lasgun_at_mesh() -> None:
    gun = Gun(ammo=2, short=18, accuracy=(1, 0))
    shooting = Shooting(gun=gun, men=(Man(armour="mesh"),))
    assert fates(shooting) == shares("23/27", "1/9", "1/27")
    assert mean(seen(oracle.ends(shooting, 0), lambda end: end.unsaved)) == Fraction(2, 9)


def test_ch_d_plasma_pistol() -> None:
    gun = Gun(strength=7, ap=-2, damage=3, ammo=5, accuracy=(1, 0), traits=frozenset({"Unstable"}))
    shooting = Shooting(gun=gun, men=(Man(wounds=2, save=6),))
    assert fates(shooting) == shares("41/81", "35/108", "55/324")
    assert oracle.shooter_lost(shooting) == Fraction(1, 12)


FLAMER = Gun(strength=4, ap=-1, ammo=5, traits=frozenset({"Blaze", "Template"}))


def test_bz0_flamer() -> None:
    shooting = Shooting(gun=FLAMER)
    assert fates(shooting) == shares("5/9", "1/3", "1/9")
    found = oracle.ends(shooting, 0)
    assert chance(found, lambda end: end.on_fire and not end.out) == Fraction(4, 9)


def test_bz1_putting_the_fire_out() -> None:
    printed = shares("1/6", "1/3", "1/2", "2/3", "5/6", "1")
    assert tuple(oracle.puts_out(friends) for friends in range(6)) == printed
    doubled = [oracle.puts_out(friends, double=True) for friends in range(3)]
    assert tuple(doubled) == shares("5/6", "1", "1")


def burning(odds: Odds[Burner]) -> tuple[Fraction, ...]:
    """Fire out, burning unhurt, with a flesh wound, down, out of action."""
    return (
        chance(odds, lambda one: not one.burning),
        odds.get(Burner(Body(struck=1)), Fraction(0)) + stood(odds, flesh=0),
        stood(odds, flesh=1),
        chance(odds, lambda one: one.burning and one.body.down and not one.body.out),
        chance(odds, lambda one: one.body.out),
    )


def stood(odds: Odds[Burner], flesh: int) -> Fraction:
    """Burns, is not down, and has so many flesh wounds."""

    def fits(one: Burner) -> bool:
        up = not one.body.down and not one.body.out
        plain = one == Burner(Body(struck=1))
        return one.burning and up and one.body.flesh == flesh and not plain

    return chance(odds, fits)


def test_bz2_bz3_one_burning_activation() -> None:
    man = Man()
    found = burning(oracle.activations(man, DEFAULT, 1))
    assert found == shares("1/6", "5/12", "5/36", "5/24", "5/72")
    found = burning(oracle.activations(man, DEFAULT, 1, double=True))
    assert found == shares("5/6", "1/12", "1/36", "1/24", "1/72")


@pytest.mark.parametrize(
    ("friends", "double", "printed"),
    [(0, False, "2/7"), (1, False, "1/2"), (2, False, "2/3"), (0, True, "10/11"), (1, True, "1")],
)
def test_bz5_out_before_hurt(friends: int, double: bool, printed: str) -> None:
    hurts = Fraction(1, 2)
    found = oracle.out_before_hurt(friends, double=double, hurts=hurts)
    assert found == Fraction(printed)


def test_bz5_is_where_many_activations_lead() -> None:
    """So many activations that hardly anybody is left who burns unhurt."""
    found = oracle.activations(Man(), DEFAULT, 40)
    unhurt = chance(found, lambda one: not one.burning and one.body.unsaved == 0)
    assert 0 < Fraction(2, 7) - unhurt < Fraction(1, 10**12)


def test_blaze_since_2018_takes_the_hit_first() -> None:
    """Half are unhurt; of everybody not out a sixth gets it out standing, half of it prone."""
    later = rules({"blaze": "hit_first"})
    found = oracle.activations(Man(), later, 1)
    assert chance(found, lambda one: one.body.out) == Fraction(1, 12)
    upright = chance(found, lambda one: not one.burning and not one.body.down)
    assert upright == (Fraction(1, 2) + Fraction(1, 6)) / 6
    assert chance(found, lambda one: not one.burning and one.body.down) == Fraction(1, 4) / 2
    lying = oracle.activations(Man(), later, 1, drops=True)
    assert chance(lying, lambda one: not one.burning) == Fraction(11, 12) / 2


def test_tx3_toxin() -> None:
    found = oracle.contest(Body(), 3, "flesh_wound")
    assert chance(found, lambda body: body.out) == Fraction(1, 2)
    assert chance(found, lambda body: body.down) == Fraction(1, 8)
    assert found[Body()] == Fraction(3, 8)
    needle = Gun(strength=None, damage=None, traits=frozenset({"Toxin", "Template"}))
    ends = oracle.ends(Shooting(gun=needle), 0)
    assert chance(ends, lambda end: end.unsaved > 0) == Fraction(2, 3)


@pytest.mark.parametrize(
    ("man", "printed"),
    [
        (Man(), "2/3"),
        (Man(toughness=4), "1/2"),
        (Man(respirator=True), "1/3"),
        (Man(respirator=True, armour="hazard-suit"), "1/6"),
    ],
)
def test_gs_gas(man: Man, printed: str) -> None:
    gas = Gun(strength=None, damage=None, traits=frozenset({"Gas", "Template"}))
    ends = oracle.ends(Shooting(gun=gas, men=(man,)), 0)
    assert chance(ends, lambda end: end.wounds > 0) == Fraction(printed)
    assert not chance(ends, lambda end: end.pinned)


def test_un_unstable() -> None:
    gun = replace(STUBBER, traits=frozenset({"Unstable"}))
    assert oracle.shooter_lost(Shooting(gun=gun)) == Fraction(1, 12)
    assert oracle.shooter_lost(Shooting(gun=gun, dice=2)) == Fraction(11, 72)
    each = Shooting(gun=gun, dice=2, rules=rules({"unstable_symbols": "each"}))
    assert oracle.shooter_lost(each) == Fraction(23, 144)


def test_sc_blast_that_missed() -> None:
    three, five = oracle.scattered(3), oracle.scattered(5)
    assert three["covered"] == Fraction(1, 9)
    assert five["covered"] == Fraction(5, 18)
    assert three["shooter"] == Fraction(1, 108)
    assert three["dud"] == Fraction(5, 108)
    assert three["shooter"] + three["dud"] == Fraction(1, 18)


def test_sh_shock() -> None:
    gun = Gun(traits=frozenset({"Shock"}))
    shooting = Shooting(gun=gun, men=(Man(toughness=4),))
    unsaved = chance(oracle.ends(shooting, 0), lambda end: end.unsaved > 0)
    assert unsaved == Fraction(5, 18)
    plain = oracle.ends(replace(shooting, gun=Gun()), 0)
    assert chance(plain, lambda end: end.unsaved > 0) == Fraction(1, 6)


def test_rc_recovery() -> None:
    def after(*, helped: bool) -> tuple[Fraction, ...]:
        found = oracle.recovered(Body(down=True), 3, "flesh_wound", helped=helped)
        return (
            chance(found, lambda body: not body.down and not body.out),
            chance(found, lambda body: body.down and not body.out),
            chance(found, lambda body: body.out),
        )

    assert after(helped=False) == shares("1/3", "1/2", "1/6")
    assert after(helped=True) == shares("5/9", "5/12", "1/36")


@pytest.mark.parametrize(("toughness", "printed"), [(2, "2/3"), (3, "1/2"), (4, "5/12")])
def test_recovery_in_the_long_run(toughness: int, printed: str) -> None:
    """Flesh wounds pile up while somebody lies there, so nobody lies for ever."""
    found = oracle.recoveries(Body(down=True), toughness, 20)
    assert chance(found, lambda body: body.out) == Fraction(printed)


def test_st_strays() -> None:
    assert oracle.strays(1, 1)[(1,)] == Fraction(1, 2)
    would = seen(oracle.firepower(2), lambda burst: burst.holes)
    taken = oracle.then(would, lambda hits: oracle.strays(hits, 1))
    assert mean(seen(taken, lambda hits: hits[0])) == Fraction(5, 3)


@pytest.mark.parametrize(
    ("hits", "others", "count"), [(2, 1, 2), (4, 2, 10), (6, 2, 21), (9, 3, 165)]
)
def test_al_allocations(hits: int, others: int, count: int) -> None:
    found = list(oracle.allocations(hits, others))
    assert len(set(found)) == len(found) == count == oracle.split_count(hits, others)
    assert all(first >= 1 and first + sum(rest) == hits for first, *rest in found)


def test_rl_reload() -> None:
    def tried(value: int, tries: int, *traits: str) -> Fraction:
        return oracle.reload_chance(Gun(ammo=value, traits=frozenset(traits)), tries)

    assert tried(4, 1) == Fraction(1, 2)
    assert tried(4, 2) == Fraction(3, 4)
    assert tried(6, 2) == Fraction(11, 36)
    assert tried(6, 1, "Plentiful") == 1
    assert tried(4, 2, "Scarce") == 0


def test_run_dry() -> None:
    fine = ammo_of(Shooting(gun=AUTOGUN))[0]
    printed = shares("1/12", "397/1728", "1214423/2985984")
    assert tuple(1 - fine**n for n in (1, 3, 6)) == printed


FAR = Gun(short=8, long=24, accuracy=(0, -1))


@pytest.mark.parametrize(
    ("other", "allowed"),
    [
        (Man(distance=20), True),
        (Man(distance=20, cover="partial"), True),
        (Man(distance=20, cover="full"), False),
        (Man(distance=20, engaged=True), True),
        (Man(distance=20, cover="partial", pinned=True), False),
        (Man(distance=25), False),
    ],
)
def test_hard_who_may_take_a_further_hit(other: Man, allowed: bool) -> None:
    target = Man(distance=20, cover="partial")
    assert oracle.modifier_about(FAR, target, Body()) == -2
    assert oracle.may_share(Shooting(gun=FAR, men=(target, other)), 1) == allowed


def test_a19_blaze_for_each_hit() -> None:
    """The printed figures of an arc rifle are those of one without Shock."""

    def burns(reading: str, *traits: str) -> Fraction:
        gun = Gun(strength=5, accuracy=(2, -1), rapid_fire=1, traits=frozenset(traits))
        shooting = Shooting(gun=gun, rules=rules({"blaze_rolls": reading}))
        return chance(oracle.ends(shooting, 0), lambda end: end.on_fire)

    assert burns("per_target", "Blaze") == Fraction(47645, 139968)
    assert burns("per_hit", "Blaze") == Fraction(240515, 559872)
    assert burns("per_target", "Blaze", "Shock") < burns("per_target", "Blaze")


def test_odds_are_whole() -> None:
    """Whatever happens, something does."""
    for gun, man in product((AUTOGUN, STUBBER, FLAMER), (Man(), Man(field="refractor", save=6))):
        shooting = Shooting(gun=gun, men=(man,), dice=max(1, gun.rapid_fire))
        assert sum(oracle.volley(shooting).values()) == 1
        assert sum(oracle.ends(shooting, 0).values()) == 1
