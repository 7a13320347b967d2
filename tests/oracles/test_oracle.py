"""The oracle against published figures, and against itself by dumber means."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from tests.oracles import rate_of_fire as oracle
from tests.oracles.rate_of_fire import Attack, Gun, Mode, Person

AUTOGUN = Gun(
    semi=2,
    fa_dice=3,
    fa_faces=5,
    damage_dice=1,
    damage_faces=10,
    damage_plus=2,
    adds_rcb=True,
    penetration=0,
    reliable=True,
    storm=1,
    range_m=35,
)
RIFLE = replace(AUTOGUN, semi=3, damage_plus=3, penetration=1, reliable=False, range_m=40)
HEAVY = replace(
    AUTOGUN,
    single=False,
    semi=0,
    fa_dice=5,
    fa_faces=10,
    damage_dice=2,
    penetration=3,
    reliable=False,
    range_m=100,
)
CARBINE = replace(AUTOGUN, semi=3, fa_dice=0, fa_faces=0, reliable=False, range_m=60)
FIVE_BARREL = replace(AUTOGUN, single=False, semi=0, fa_dice=1, reliable=False, storm=5, range_m=20)

MAN = Person(willpower=40, toughness=30, distance=50)


def fire(
    mode: Mode,
    *,
    gun: Gun = AUTOGUN,
    dice: int = 0,
    skill: int = 45,
    modifiers: int = 0,
    aim: int = 0,
    people: tuple[Person, ...] = (MAN,),
    melee: tuple[int, ...] = (),
    **rulings: str,
) -> Attack:
    """An attack on one man; suppressing fire has everybody in the cone."""
    return Attack(
        gun=gun,
        skill=skill,
        mode=mode,
        dice=dice,
        modifiers=modifiers,
        aim=aim,
        people=people,
        melee=melee,
        cone=tuple(range(len(people))) if mode == "suppress" else (),
        rulings=rulings,
    )


def mean(odds: dict[int, Fraction]) -> Fraction:
    return sum((value * share for value, share in odds.items()), Fraction(0))


def fractions(**odds: str) -> dict[int, Fraction]:
    """`_2="1/5"` for two hits with a fifth."""
    return {int(key[1:]): Fraction(value) for key, value in odds.items()}


def check_one(attack: Attack, rof_dice: tuple[int, ...], roll: int, **wanted: int | bool) -> None:
    got = oracle.one(attack, rof_dice, roll)
    assert got["errant"] == wanted.pop("errant", 0)
    assert {key: got[key] for key in wanted} == wanted


def test_x01_single() -> None:
    attack = fire("single")
    check_one(
        attack,
        (),
        38,
        tn=55,
        success=True,
        degrees=2,
        hits=1,
        shots=1,
        rounds=1,
        jam=False,
    )
    assert oracle.hits(attack) == fractions(_0="9/20", _1="11/20")
    assert oracle.jam(attack) == {False: Fraction(19, 20), True: Fraction(1, 20)}


def test_x02_single_aimed() -> None:
    attack = fire("single", aim=20)
    check_one(attack, (), 71, tn=75, success=True, degrees=1, hits=1, rounds=1, jam=False)
    assert oracle.hits(attack)[1] == Fraction(3, 4)


def test_x03_semi_ignores_aim() -> None:
    attack = fire("semi", aim=20)
    check_one(attack, (), 5, tn=45, success=True, degrees=5, hits=3, rounds=2, jam=False)
    assert mean(oracle.hits(attack)) == Fraction(19, 20)
    capped = fire("semi", aim=20, semi_cap="rounds")
    check_one(capped, (), 5, hits=2)
    assert mean(oracle.hits(capped)) == Fraction(4, 5)
    check_one(fire("semi", semi_cap="rounds_plus_one"), (), 5, hits=3)


def test_x05_full_two_dice() -> None:
    attack = fire("full", dice=2)
    check_one(
        attack,
        (3, 4),
        12,
        tn=35,
        success=True,
        degrees=3,
        hits=3,
        shots=7,
        rounds=10,
        jam=False,
    )
    assert mean(oracle.hits(attack)) == Fraction(197, 250)


def test_x06_full_capped_by_shots() -> None:
    attack = fire("full", dice=1)
    check_one(attack, (1,), 2, tn=35, success=True, degrees=4, hits=1, shots=1, rounds=5, jam=False)
    assert mean(oracle.hits(attack)) == Fraction(33, 50)


def test_x08_jam() -> None:
    attack = fire("full", gun=RIFLE, dice=3)
    check_one(
        attack,
        (5, 5, 5),
        91,
        tn=35,
        success=False,
        degrees=6,
        hits=0,
        shots=15,
        rounds=15,
        jam=True,
    )
    assert oracle.jam(attack)[True] == Fraction(1, 10)


def test_x09_reliable_does_not_jam_at_95() -> None:
    attack = fire("full", dice=3)
    check_one(
        attack,
        (5, 5, 5),
        95,
        tn=35,
        success=False,
        degrees=7,
        hits=0,
        shots=15,
        rounds=15,
        jam=False,
    )


def test_x11_suppress() -> None:
    attack = fire("suppress")
    check_one(attack, (), 4, tn=15, success=True, degrees=2, hits=2, rounds=15, jam=False)
    assert mean(oracle.hits(attack)) == Fraction(1, 5)


def test_x13_single_into_melee() -> None:
    two = (MAN, MAN)
    attack = fire("single", people=two, melee=(0, 1))
    check_one(
        attack,
        (),
        44,
        tn=35,
        success=False,
        degrees=1,
        hits=0,
        errant=1,
        rounds=1,
        jam=False,
    )
    assert oracle.hits(attack)[1] == Fraction(7, 20)
    assert oracle.errant_hits(attack) == fractions(_0="19/20", _1="1/20")
    assert oracle.hits_on(attack, 1) == fractions(_0="39/40", _1="1/40")
    stand = fire("single", people=two, melee=(0, 1), jam="hits_stand")
    assert oracle.errant_hits(stand)[1] == Fraction(7, 100)
    no_00 = fire("single", people=two, melee=(0, 1), jam="hits_stand", doubles_zero="no")
    assert oracle.errant_hits(no_00)[1] == Fraction(6, 100)


def test_x14_full_into_melee() -> None:
    attack = fire("full", dice=2, people=(MAN, MAN), melee=(0, 1))
    check_one(
        attack,
        (4, 5),
        77,
        tn=15,
        success=False,
        degrees=7,
        hits=0,
        errant=7,
        shots=9,
        rounds=10,
        jam=False,
    )
    assert mean(oracle.errant_hits(attack)) == Fraction(34, 125)
    one_die = fire("full", dice=1, people=(MAN, MAN), melee=(0, 1))
    assert mean(oracle.errant_hits(one_die)) == Fraction(43, 250)


@pytest.mark.parametrize(("roll", "errant"), [(66, 2), (67, 0)], ids=["X16", "X17"])
def test_x16_x17_semi_into_melee(roll: int, errant: int) -> None:
    attack = fire("semi", melee=(0,))
    check_one(
        attack,
        (),
        roll,
        tn=25,
        success=False,
        degrees=5,
        hits=0,
        errant=errant,
        rounds=2,
        jam=False,
    )


def test_x18_jam_stops_errant_hits() -> None:
    attack = fire("full", dice=3, melee=(0,))
    check_one(
        attack,
        (5, 5, 5),
        99,
        tn=15,
        success=False,
        degrees=9,
        hits=0,
        errant=0,
        rounds=15,
        jam=True,
    )
    stand = fire("full", dice=3, melee=(0,), jam="hits_stand")
    check_one(stand, (5, 5, 5), 99, errant=9, jam=True)


BAND_METRES = (2, 20, 50, 100, 130, 170)


@pytest.mark.parametrize(
    ("metres", "tn", "odds"),
    list(
        zip(
            BAND_METRES,
            (10, 30, 40, 50, 60, 80),
            ("9/10", "7/10", "3/5", "1/2", "2/5", "1/5"),
            strict=True,
        )
    ),
)
def test_x20_pinning_of_willpower_40(metres: int, tn: int, odds: str) -> None:
    attack = fire("suppress", people=(replace(MAN, distance=metres),))
    assert oracle.pinning_number(attack, 0) == tn
    assert oracle.pinned(attack, 0)[True] == Fraction(odds)


@pytest.mark.parametrize(
    ("metres", "tn", "odds"),
    list(
        zip(
            BAND_METRES,
            (-5, 15, 25, 35, 45, 65),
            ("99/100", "17/20", "3/4", "13/20", "11/20", "7/20"),
            strict=True,
        )
    ),
)
def test_x21_pinning_of_willpower_25(metres: int, tn: int, odds: str) -> None:
    attack = fire("suppress", people=(replace(MAN, willpower=25, distance=metres),))
    assert oracle.pinning_number(attack, 0) == tn
    assert oracle.pinned(attack, 0)[True] == Fraction(odds)
    if metres == 2:
        literal = replace(attack, rulings={"natural_extremes": "off"})
        assert oracle.pinned(literal, 0) == {True: Fraction(1)}


def check_bands(range_m: int, last_metres: tuple[int, ...]) -> None:
    start = 0
    for name, last in zip(oracle.BANDS, last_metres, strict=True):
        assert oracle.band(range_m, start) == name
        assert oracle.band(range_m, last) == name
        start = last + 1
    with pytest.raises(ValueError, match="out of range"):
        oracle.band(range_m, start)


def test_x23_bands_of_35() -> None:
    check_bands(35, (3, 35, 70, 105, 140, 175))


def test_x24_bands_of_100() -> None:
    check_bands(100, (3, 100, 200, 300, 400, 500))


def test_x26_lone_semi_hit() -> None:
    assert oracle.raw_rolls(fire("semi"), 1, (4,)) == (10,)


def test_x27_two_suppressing_hits() -> None:
    assert oracle.raw_rolls(fire("suppress"), 2, (4, 9)) == (10, 15)
    earning = fire("suppress", suppress_same_target_bonus="yes")
    assert oracle.raw_rolls(earning, 2, (4, 9)) == (11, 16)


@pytest.mark.parametrize(
    ("reading", "raw"),
    [
        ("each", (11, 12, 13)),
        ("extra_only", (10, 12, 13)),
        ("stacking", (13, 14, 15)),
        ("stacking_extra", (12, 13, 14)),
    ],
)
def test_same_target_bonus(reading: str, raw: tuple[int, ...]) -> None:
    attack = fire("full", dice=1, same_target_bonus=reading)
    assert oracle.raw_rolls(attack, 3, (4, 5, 6)) == raw
    assert oracle.raw_rolls(attack, 1, (4,)) == (10,)


def test_same_target_bonus_combined() -> None:
    attack = fire("semi", same_target_bonus="combined")
    assert oracle.raw_rolls(attack, 3, (4,)) == (13,)
    assert oracle.raw_rolls(attack, 1, (4,)) == (10,)


def check_full(dice: int, expected: dict[int, Fraction], average: str) -> None:
    odds = oracle.hits(fire("full", dice=dice))
    assert odds == expected
    assert mean(odds) == Fraction(average)


def test_x28_full_one_die() -> None:
    expected = fractions(_0="13/20", _1="3/20", _2="11/100", _3="7/100", _4="1/50")
    check_full(1, expected, "33/50")


def test_x29_full_two_dice() -> None:
    expected = fractions(_0="13/20", _1="1/10", _2="53/500", _3="1/10", _4="11/250")
    check_full(2, expected, "197/250")


def test_x30_full_three_dice() -> None:
    expected = fractions(_0="13/20", _1="1/10", _2="1/10", _3="251/2500", _4="31/625")
    check_full(3, expected, "1999/2500")


def test_x31_semi_odds() -> None:
    expected = fractions(_0="11/20", _1="1/10", _2="1/5", _3="3/20")
    assert oracle.hits(fire("semi")) == expected


def test_x32_suppress_odds() -> None:
    assert oracle.hits(fire("suppress")) == fractions(_0="17/20", _1="1/10", _2="1/20")


def spent(gun: Gun, mode: Mode, dice: int = 0) -> int:
    ((rounds, share),) = oracle.rounds_spent(fire(mode, gun=gun, dice=dice)).items()
    assert share == 1
    return rounds


def test_x33_nine_rounds_loaded() -> None:
    cases: tuple[tuple[Mode, int, bool], ...] = (
        ("single", 0, True),
        ("semi", 0, True),
        ("full", 1, True),
        ("full", 2, False),
        ("full", 3, False),
        ("suppress", 0, False),
    )
    for mode, dice, legal in cases:
        assert (spent(AUTOGUN, mode, dice) <= 9) == legal


def test_x34_rounds_of_the_autogun() -> None:
    assert (spent(AUTOGUN, "single"), spent(AUTOGUN, "semi")) == (1, 2)
    assert [spent(AUTOGUN, "full", dice) for dice in (1, 2, 3)] == [5, 10, 15]
    assert spent(AUTOGUN, "suppress") == 15


def test_x35_rounds_of_the_heavy_gun() -> None:
    assert [spent(HEAVY, "full", dice) for dice in (1, 3, 5)] == [10, 30, 50]
    assert spent(HEAVY, "suppress") == 50
    for mode in ("single", "semi"):
        with pytest.raises(ValueError, match="cannot fire so"):
            fire(mode, gun=HEAVY)


def test_storm_five() -> None:
    attack = fire("full", gun=FIVE_BARREL, dice=1)
    check_one(attack, (3,), 12, degrees=3, hits=15, shots=3, rounds=5)
    check_one(attack, (1,), 12, degrees=3, hits=5, shots=1, rounds=5)
    after = fire("full", gun=FIVE_BARREL, dice=1, storm_cap="after")
    check_one(after, (3,), 12, hits=3)
    spray = fire("suppress", gun=FIVE_BARREL)
    check_one(spray, (), 4, degrees=2, hits=10)
    capped = fire("suppress", gun=FIVE_BARREL, suppress_cap="rounds_spent")
    check_one(capped, (), 4, degrees=2, hits=5)
    plain = fire("suppress", gun=FIVE_BARREL, storm_scope="full_auto_attack")
    check_one(plain, (), 4, degrees=2, hits=2)


@pytest.mark.parametrize(
    ("tn", "roll", "readings"),
    [
        (45, 45, (1, 1, 0, 1)),
        (45, 38, (1, 1, 0, 2)),
        (45, 35, (2, 1, 1, 2)),
        (45, 5, (5, 4, 4, 5)),
        (35, 12, (3, 2, 2, 3)),
    ],
)
def test_x37_degrees(tn: int, roll: int, readings: tuple[int, ...]) -> None:
    got = [
        oracle.one(fire("semi", skill=tn, degrees=how), (), roll)["degrees"]
        for how in ("A", "B", "B0", "C")
    ]
    assert tuple(got) == readings


def test_degrees_of_failure() -> None:
    rolls = (46, 54, 55, 95)
    wanted = {"A": [1, 1, 2, 6], "B": [1, 1, 1, 5], "B0": [0, 0, 1, 5], "C": [1, 2, 2, 6]}
    for how, expected in wanted.items():
        attack = fire("semi", degrees=how)
        assert [oracle.one(attack, (), roll)["degrees"] for roll in rolls] == expected


def test_natural_extremes() -> None:
    sure = fire("semi", skill=105)
    check_one(sure, (), 95, success=True, degrees=2, jam=False)
    check_one(sure, (), 100, success=False, degrees=1)
    check_one(fire("semi", skill=105, natural_extremes="off"), (), 100, success=True, degrees=1)
    hopeless = fire("semi", skill=45, modifiers=-50)
    check_one(hopeless, (), 1, tn=-5, success=True, degrees=1, hits=1)
    check_one(fire("semi", modifiers=-50, natural_extremes="off"), (), 1, success=False, degrees=1)
    bare = fire("semi", skill=45, modifiers=-50, degrees="B0")
    check_one(bare, (), 1, tn=-5, success=True, degrees=0, hits=0)
    check_one(fire("semi", skill=105, degrees="B0"), (), 100, success=False, degrees=1)


@pytest.mark.parametrize(("tier", "odds"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5)])
def test_x39_condition_check(tier: int, odds: int) -> None:
    attack = fire("full", gun=replace(AUTOGUN, tier=tier), dice=1)
    worse = oracle.degraded(attack).get(True, Fraction(0))
    assert worse == Fraction(1, 20) * Fraction(odds, 10)


def test_jam_numbers() -> None:
    def lowest(mode: Mode, gun: Gun, **rulings: str) -> int:
        attack = fire(mode, gun=gun, dice=1)
        return oracle.jams_from(replace(attack, rulings=rulings))

    assert lowest("single", AUTOGUN) == 96
    assert lowest("full", AUTOGUN, reliable_jam="general") == 91
    assert lowest("single", RIFLE) == 91
    assert lowest("single", RIFLE, jam_scope="full_auto_only") == 96
    assert lowest("full", RIFLE, jam_scope="full_auto_only") == 91
    assert lowest("semi", CARBINE) == 96
    sturdy = replace(CARBINE, reliable=True)
    assert lowest("semi", sturdy) == 96
    assert lowest("semi", sturdy, jam_without_full_auto_reliable="100") == 100


def test_pinning_by_full_auto() -> None:
    near = (replace(MAN, distance=20),)
    attack = fire("full", dice=1, people=near)
    assert oracle.pinned(attack, 0)[True] == Fraction(7, 20) * Fraction(7, 10)
    each = fire("full", dice=1, people=near, pin_repeat="per_hit")
    holds = sum(share * Fraction(3, 10) ** n for n, share in oracle.hits(each).items())
    assert oracle.pinned(each, 0)[False] == holds
    assert oracle.pinned(fire("semi", people=near), 0) == {False: Fraction(1)}
    burst = fire("semi", people=near, semi_pins="yes")
    assert oracle.pinned(burst, 0)[True] == Fraction(9, 20) * Fraction(7, 10)


def test_pinning_again_by_suppressing_hits() -> None:
    near = (replace(MAN, distance=20),)
    again = fire("suppress", people=near, suppress_hit_repins="yes")
    hold = Fraction(3, 10)
    assert oracle.pinned(again, 0)[False] == hold * (Fraction(17, 20) + Fraction(3, 20) * hold)


def test_pinning_band() -> None:
    people = (replace(MAN, distance=20), replace(MAN, distance=100))
    assert oracle.pinning_number(fire("suppress", people=people), 1) == 50
    by_first = fire("suppress", people=people, pinning_band="original")
    assert oracle.pinning_number(by_first, 1) == 30
    heavy = fire("suppress", gun=HEAVY, people=(replace(MAN, distance=8),))
    assert oracle.pinning_number(heavy, 0) == 30
    tenth = replace(heavy, rulings={"point_blank": "tenth_of_range"})
    assert oracle.pinning_number(tenth, 0) == 10


def test_empty_cone_means_no_roll() -> None:
    attack = replace(fire("suppress"), cone=())
    assert oracle.hits(attack) == {0: Fraction(1)}
    assert oracle.jam(attack) == {False: Fraction(1)}
    assert oracle.rounds_spent(attack) == {15: Fraction(1)}


def test_allocation_must_be_complete() -> None:
    two = replace(fire("semi"), people=(MAN, MAN))
    for bad in (lambda count: (count - 1, 0), lambda count: (0, count)):
        with pytest.raises(ValueError, match="hit goes to"):
            oracle.hits_on(replace(two, allocation=bad), 0)


def test_armour_and_injury() -> None:
    target = Person(willpower=40, toughness=30, distance=50, armour=4, cover=1)
    attack = fire("single", people=(target, replace(target, daemon=True)))
    assert oracle.through_armour(attack, 0, 10) == 5
    assert oracle.through_armour(attack, 1, 10) == 2
    assert oracle.through_armour(attack, 0, 3) == 0
    sharp = fire("single", gun=replace(AUTOGUN, penetration=9), people=(target,))
    assert oracle.through_armour(sharp, 0, 10) == 10
    categories = [oracle.injury(target, damage) for damage in (0, 3, 4, 6, 7, 12, 13, 18, 19, 90)]
    assert categories == [0, 0, 1, 1, 2, 3, 4, 5, 6, 6]


TOY = Gun(
    semi=3,
    fa_dice=1,
    fa_faces=3,
    damage_dice=2,
    damage_faces=2,
    damage_plus=1,
    adds_rcb=True,
    penetration=1,
    reliable=False,
    storm=1,
    range_m=10,
)
WEAK = Person(willpower=30, toughness=10, distance=8, armour=2)
STRONG = Person(willpower=30, toughness=20, distance=12, armour=1, cover=2, daemon=True)

Tally = dict[str, dict[int, Fraction]]


def count_everything(attack: Attack, person: int, *, one_victim: bool) -> Tally:
    """Every face of every die at once, for three shots at most, `each` or `extra_only`."""
    tally: Tally = {key: {} for key in ("hits", "damage", "worst", "fatigue", "out", "all out")}
    strengths = [sum(faces) for faces in product((1, 2), repeat=2)]
    for shots, roll in product((1, 2, 3), range(1, 101)):
        shot = oracle.one(attack, (shots,), roll)
        landed = shot["hits"] + shot["errant"]
        if shot["errant"]:
            options = list(product(attack.melee, repeat=1 if one_victim else landed))
            aims = [option * landed if one_victim else option for option in options]
        else:
            aims = [((0, 0, 0) if attack.melee else (0, 1, 0))[:landed]]
        for aim, sums in product(aims, list(product(strengths, repeat=landed))):
            chance = Fraction(1, 300 * len(aims) * len(strengths) ** landed)
            harm: dict[int, list[int]] = {0: [], 1: []}
            for who, strength in zip(aim, sums, strict=True):
                plus = 1 if aim.count(who) > 1 else 0
                if attack.reading("same_target_bonus") == "extra_only" and not harm[who]:
                    plus = 0
                raw = strength + attack.gun.damage_plus + attack.skill // 10 + plus
                harm[who].append(oracle.through_armour(attack, who, raw))
            wounds = {
                who: [oracle.injury(attack.people[who], amount) for amount in amounts]
                for who, amounts in harm.items()
            }
            values = {
                "hits": len(harm[person]),
                "damage": sum(harm[person]),
                "worst": max(wounds[person], default=0),
                "fatigue": sum({3: 1, 4: 2, 5: 3}.get(wound, 0) for wound in wounds[person]),
                "out": is_out(attack, person, wounds[person]),
                "all out": sum(is_out(attack, who, each) for who, each in wounds.items()),
            }
            for key, value in values.items():
                tally[key][value] = tally[key].get(value, Fraction(0)) + chance
    return tally


def is_out(attack: Attack, person: int, wounds: list[int]) -> bool:
    """By a wound that kills, or by more fatigue than the toughness bonus, if that counts."""
    tired = sum({3: 1, 4: 2, 5: 3}.get(wound, 0) for wound in wounds)
    collapses = attack.reading("fatigue_collapse") == "toughness_bonus"
    return 6 in wounds or (collapses and tired > attack.people[person].toughness // 10)


def take_turns(count: int) -> tuple[int, int]:
    """Original, other, original, other."""
    return (count + 1) // 2, count // 2


@pytest.mark.parametrize("person", [0, 1])
@pytest.mark.parametrize("spread", ["per_hit", "one_victim"])
@pytest.mark.parametrize("bonus", ["each", "extra_only"])
@pytest.mark.parametrize("melee", [(), (0, 1)])
@pytest.mark.parametrize("collapse", ["toughness_bonus", "any"])
def test_convolutions(
    person: int, spread: str, bonus: str, melee: tuple[int, ...], collapse: str
) -> None:
    attack = Attack(
        gun=TOY,
        skill=42,
        mode="full",
        dice=1,
        modifiers=5,
        people=(WEAK, STRONG),
        melee=melee,
        allocation=take_turns,
        rulings={"errant_spread": spread, "same_target_bonus": bonus, "fatigue_collapse": collapse},
    )
    tally = count_everything(attack, person, one_victim=spread == "one_victim")
    assert oracle.hits_on(attack, person) == tally["hits"]
    assert oracle.damage_on(attack, person) == tally["damage"]
    assert oracle.worst_injury_on(attack, person) == tally["worst"]
    assert oracle.fatigue_on(attack, person) == tally["fatigue"]
    out = oracle.out_of_action_on(attack, person)
    assert {answer: share for answer, share in out.items() if share} == tally["out"]
    assert oracle.out_of_action(attack) == tally["all out"]
