"""The shot, step by step: (step, shooter, what was read) -> what follows."""

from typing import Any

import msgspec
import pytest

from firepower.chance import Choice, Next, RollUnder, Task, dice
from firepower.systems.rate_of_fire import SYSTEM
from firepower.systems.rate_of_fire.attack import (
    BeShotAt,
    BuyDie,
    Buying,
    ChooseTarget,
    EmptyCone,
    RateOfFireDice,
)
from firepower.systems.rate_of_fire.conditions import Suppressed
from firepower.systems.rate_of_fire.damage import ErrantHitsLand, Struck, StruckAstray
from firepower.systems.rate_of_fire.fighter import Arm, Fighter
from firepower.systems.rate_of_fire.shooting import (
    Allocate,
    ConditionCheck,
    ErrantHit,
    HitCount,
    HitRoll,
    RollToHit,
    Shot,
    ToHit,
    Victim,
)
from tests.systems.rate_of_fire.helpers import CULTIST, Data, attack_of, scenario, shot_of

ARM = Arm("autogun", None, "common")
SHOOTER = Fighter(arms=(ARM,))
JAMMED = Fighter(arms=(msgspec.structs.replace(ARM, jammed=True),))
CROWD = dict.fromkeys(("cultist", "second", "third"), CULTIST)

FULL = shot_of(scenario("full-auto", dice=2))
BURST = shot_of(scenario("semi-auto", people=CROWD, near=["second", "third"]))
BRAWL = shot_of(scenario("full-auto", dice=2, people=CROWD, melee=["cultist", "second", "third"]))
CONE = shot_of(scenario("suppressing-fire", people=CROWD))
MELEE = ("cultist", "second", "third")


def roll_to_hit(shot: Shot, shots: int) -> RollToHit:
    """The roll of a shot that fires so many."""
    return RollToHit(shot.parts, shot.rule, shot.luck, shot=shot, shots=shots)


def replaced(shot: Shot, part: str, **changes: Any) -> Shot:
    """The shot with something changed about one of its parts."""
    changed = msgspec.structs.replace(getattr(shot, part), **changes)
    return msgspec.structs.replace(shot, **{part: changed})


def struck(attack: Shot, name: str, hits: int) -> Task:
    target = next(each for each in attack.targets if each.name == name)
    return Task(Struck(target, attack.wounding, hits), name)


def astray(attack: Shot, hits: int) -> list[Task]:
    """Errant hits find their victims one by one, then all of them land."""
    errant = attack.errant
    assert errant is not None
    landing = [
        Task(ErrantHitsLand(target, errant.wounding), target.name) for target in attack.targets
    ]
    return [Task(ErrantHit(errant.melee, 1), times=hits), *landing]


# -- from degrees to hits ------------------------------------------------------------------------

SEMI_AUTO = tuple((row.degrees, row.hits) for row in SYSTEM.tables().semi_auto_hits)


@pytest.mark.parametrize(
    ("count", "degrees", "shots", "hits"),
    [
        # full auto: one hit a degree, capped by the shots; Storm after the cap or before it
        (HitCount(None, 0, 1, cap_last=False), 3, 7, 3),
        (HitCount(None, 0, 1, cap_last=False), 4, 1, 1),
        (HitCount(None, 0, 5, cap_last=False), 3, 2, 10),
        (HitCount(None, 0, 5, cap_last=True), 3, 2, 2),
        (HitCount(None, 0, 2, cap_last=True), 3, 7, 6),
        (HitCount(None, 0, 2, cap_last=False), 0, 7, 0),
        # a single shot hits once, whatever the degrees
        (HitCount(((0, 1),), 0, 1, cap_last=False), 0, 1, 1),
        (HitCount(((0, 1),), 0, 1, cap_last=False), 9, 1, 1),
        (HitCount(((0, 1),), 0, 3, cap_last=False), 2, 1, 3),
        (HitCount(((0, 1),), 0, 3, cap_last=True), 2, 1, 1),
        # a table without a cap, with one, and with one hit over the shots
        (HitCount(SEMI_AUTO, None, 1, cap_last=False), 9, 2, 5),
        (HitCount(SEMI_AUTO, None, 3, cap_last=True), 9, 2, 15),
        (HitCount(SEMI_AUTO, 0, 1, cap_last=False), 9, 2, 2),
        (HitCount(SEMI_AUTO, 1, 1, cap_last=False), 9, 2, 3),
        (HitCount(SEMI_AUTO, 1, 2, cap_last=False), 9, 2, 6),
        (HitCount(SEMI_AUTO, 1, 2, cap_last=True), 9, 2, 3),
        (HitCount(SEMI_AUTO, None, 1, cap_last=False), 0, 2, 0),
    ],
)
def test_hits(count: HitCount, degrees: int, shots: int, hits: int) -> None:
    assert count.hits(degrees, shots) == hits


def test_the_table_of_an_attack_is_the_printed_one() -> None:
    semi_auto = [BURST.count.hits(degrees, 2) for degrees in range(11)]
    assert semi_auto == [0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5]
    suppressing = [CONE.count.hits(degrees, 15) for degrees in range(8)]
    assert suppressing == [0, 1, 2, 2, 3, 3, 3, 3]


# -- the test to hit -----------------------------------------------------------------------------

TEST = ToHit(RollUnder(35), 91, frozenset((*range(11, 100, 11), 100)))


@pytest.mark.parametrize(
    ("roll", "success", "degrees", "jam", "errant", "words"),
    [
        (1, True, 4, False, False, "4 degrees of success"),
        (33, True, 1, False, False, "1 degree of success"),
        (35, True, 1, False, False, "1 degree of success"),
        (36, False, 1, False, False, "1 degree of failure"),
        (44, False, 1, False, True, "1 degree of failure, a double"),
        (90, False, 6, False, False, "6 degrees of failure"),
        (91, False, 6, True, False, "6 degrees of failure, jam"),
        (99, False, 7, True, True, "7 degrees of failure, a double, jam"),
        (100, False, 7, True, True, "7 degrees of failure, a double, jam"),
    ],
)
def test_reading_the_roll_to_hit(
    roll: int, success: bool, degrees: int, jam: bool, errant: bool, words: str
) -> None:
    shot = TEST.read(roll)
    assert shot == HitRoll(success, degrees, jam, errant)
    assert TEST.words(shot) == words


def test_a_good_roll_may_jam() -> None:
    assert ToHit(RollUnder(95), 91, frozenset()).read(93) == HitRoll(
        success=True, degrees=1, jam=True, errant=False
    )


def test_what_the_roll_to_hit_needs() -> None:
    assert TEST.need == "35 or less, jams on 91+"


def test_the_roll_to_hit_shows_its_parts() -> None:
    roll = roll_to_hit(FULL, 7).ask(SHOOTER)
    assert (roll.label, str(roll.throw), roll.target) == ("Full Auto Attack", "d100", 35)
    assert [(part.label, part.value) for part in roll.parts] == [
        ("Ranged Combat", 45),
        ("Full Auto Attack (Difficult)", -10),
    ]


# -- rate-of-fire dice ---------------------------------------------------------------------------


def rolls(shot: Shot, **changes: Any) -> RateOfFireDice:
    """The rate-of-fire dice of a shot that was declared with all of them."""
    first = RateOfFireDice((shot,), (), dice("2d5"), None, 1, 0)
    return msgspec.structs.replace(first, **changes)


def aimed(shot: Shot, shots: int) -> list[Task]:
    """Somebody is shot at, and the roll to hit."""
    return [Task(BeShotAt(), shot.original), Task(roll_to_hit(shot, shots), "scout")]


def test_rate_of_fire_dice() -> None:
    step = rolls(FULL)
    roll = step.ask(SHOOTER)
    assert roll.throw == dice("2d5")
    assert roll.reading.words(7) == "7 shots"
    assert step.then(SHOOTER, 7) == Next(SHOOTER, *aimed(FULL, 7))


def test_no_more_shots_than_rounds() -> None:
    short = shot_of(
        scenario(
            "full-auto", dice=2, carried={"loaded": 4}, rulings={"short_ammunition": "partial"}
        )
    )
    assert rolls(short).then(SHOOTER, 7) == Next(SHOOTER, *aimed(short, 4))
    assert rolls(short).then(SHOOTER, 3) == Next(SHOOTER, *aimed(short, 3))


def test_the_target_is_chosen_when_the_dice_are_seen() -> None:
    """R14: the points and the dice first, then one target."""
    other = msgspec.structs.replace(FULL, original="other")
    (task,) = rolls(FULL, shots=(FULL, other)).then(SHOOTER, 7).todo
    assert task == Task(ChooseTarget((FULL, other), 7, ()), "scout")
    choice = task.step.ask(SHOOTER)
    assert isinstance(choice, Choice)
    assert [option.key for option in choice.options] == ["cultist", "other"]
    assert task.step.then(SHOOTER, 0) == Next(SHOOTER, *aimed(FULL, 7))


EACH = Buying(most=3, wanted=2, ap=1, rounds=5, shots=5, counted=5)


@pytest.mark.parametrize(
    ("loaded", "fired", "limit", "most"),
    [(None, 0, None, 3), (14, 0, None, 2), (4, 0, None, 0), (None, 8, 15, 1), (9, 8, 15, 1)],
)
def test_no_more_dice_than_rounds_and_shots_of_a_turn_allow(
    loaded: int | None, fired: int, limit: int | None, most: int
) -> None:
    arm = Arm("autogun", loaded, "common", fired=fired)
    assert EACH.limited(arm, limit).most == most


@pytest.mark.parametrize(
    ("bought", "ap", "policy"), [(1, 1, "yes"), (2, 1, "no"), (3, 1, None), (1, 0, None)]
)
def test_another_die_is_bought_when_those_before_are_seen(
    bought: int, ap: int, policy: str | None
) -> None:
    first = rolls(FULL, buying=EACH, bought=bought)
    (task,) = first.then(msgspec.structs.replace(SHOOTER, ap=ap), 4).todo
    step = task.step
    assert isinstance(step, BuyDie)
    choice = step.ask(msgspec.structs.replace(SHOOTER, ap=ap))
    assert (choice.policy if choice is not None else None) == policy
    if choice is not None:
        assert choice.label == "4 shots so far: another rate-of-fire die?"


def test_dice_that_were_bought_are_paid_one_by_one() -> None:
    fighter = Fighter(ap=2, arms=(Arm("autogun", 30, "common", fired=5),))
    seen = rolls(FULL, buying=EACH, bought=1, so_far=4)
    step = BuyDie((FULL,), seen, EACH)
    paid = Fighter(ap=1, arms=(Arm("autogun", 30, "common", fired=10),))
    assert step.then(fighter, 1) == Next(paid, msgspec.structs.replace(seen, bought=2))
    two = msgspec.structs.replace(FULL, rounds=10, ap=2, shots=10)
    step = BuyDie((FULL,), msgspec.structs.replace(seen, bought=2), EACH)
    assert step.then(fighter, 0) == Next(fighter, *aimed(two, 4))


@pytest.mark.parametrize(
    ("action", "loaded", "lesser"),
    [
        ("full-auto", 14, {"action": "full-auto", "dice": 2}),
        ("full-auto", 5, {"action": "full-auto", "dice": 1}),
        ("full-auto", 4, {"action": "semi-auto"}),
        ("full-auto", 2, {"action": "semi-auto"}),
        ("full-auto", 1, {"action": "single-shot"}),
        ("suppressing-fire", 14, {"action": "full-auto", "dice": 2}),
        ("semi-auto", 1, {"action": "single-shot"}),
    ],
)
def test_the_largest_lawful_attack(action: str, loaded: int, lesser: Data) -> None:
    line = {"dice": 3} if action == "full-auto" else {}
    data = scenario(
        action,
        carried={"loaded": loaded},
        rulings={"short_ammunition": "downgrade"},
        at=["cultist"],
        **line,
    )
    assert shot_of(data) == shot_of(scenario(**lesser))
    assert attack_of(data).least == attack_of(scenario(**lesser)).least


# -- what the roll to hit means ------------------------------------------------------------------

HIT = HitRoll(success=True, degrees=3, jam=False, errant=False)
MISS = HitRoll(success=False, degrees=3, jam=False, errant=False)
STRAY = HitRoll(success=False, degrees=3, jam=False, errant=True)
JAM = HitRoll(success=False, degrees=7, jam=True, errant=True)
HIT_AND_JAM = HitRoll(success=True, degrees=1, jam=True, errant=False)

CHECK = Task(ConditionCheck("common", 4, "poor", "autogun"))


def spent(rounds: int, ap: int, *, jam: int = 0, hits: int = 0, errant: int = 0) -> dict[str, int]:
    return {
        "rounds_spent": rounds,
        "ap_spent": ap,
        "jam": jam,
        "hits_scored": hits,
        "errant_hits": errant,
    }


@pytest.mark.parametrize(
    ("attack", "shots", "read", "todo", "records"),
    [
        (FULL, 7, HIT, [FULL.strike("cultist", 3)], spent(10, 2, hits=3)),
        (FULL, 2, HIT, [FULL.strike("cultist", 2)], spent(10, 2, hits=2)),
        (FULL, 7, MISS, [], spent(10, 2)),
        (FULL, 7, JAM, [CHECK], spent(10, 2, jam=1)),
        (FULL, 7, HIT_AND_JAM, [CHECK], spent(10, 2, jam=1)),
        (BRAWL, 7, STRAY, astray(BRAWL, 3), spent(10, 2, errant=3)),
        (BRAWL, 2, STRAY, astray(BRAWL, 2), spent(10, 2, errant=2)),
        (BRAWL, 7, JAM, [CHECK], spent(10, 2, jam=1)),
        (BURST, 2, HIT, [Task(Allocate(BURST, 1, ()))], spent(2, 1, hits=2)),
        (CONE, 15, HIT, [CONE.strike("cultist", 2)], spent(15, 3, hits=2)),
    ],
)
def test_roll_to_hit(
    attack: Shot, shots: int, read: HitRoll, todo: list[Task], records: dict[str, int]
) -> None:
    after = JAMMED if read.jam else SHOOTER
    assert roll_to_hit(attack, shots).then(SHOOTER, read) == Next(after, *todo, records=records)


def test_hits_stand_in_spite_of_a_jam() -> None:
    attack = replaced(BRAWL, "jamming", hits_stand=True)
    assert roll_to_hit(attack, 7).then(SHOOTER, JAM) == Next(
        JAMMED, CHECK, *astray(attack, 7), records=spent(10, 2, jam=1, errant=7)
    )
    assert roll_to_hit(attack, 7).then(SHOOTER, HIT_AND_JAM) == Next(
        JAMMED, CHECK, attack.strike("cultist", 1), records=spent(10, 2, jam=1, hits=1)
    )


def test_a_jam_that_uses_no_rounds() -> None:
    attack = replaced(FULL, "jamming", spends=False)
    after = roll_to_hit(attack, 7).then(SHOOTER, JAM)
    assert dict(after.records) == {"ap_spent": 2, "jam": 1, "hits_scored": 0, "errant_hits": 0}
    assert dict(roll_to_hit(attack, 7).then(SHOOTER, MISS).records) == spent(10, 2)


def test_the_cone_tests_after_the_shot_where_a_jam_lets_everybody_off() -> None:
    attack = msgspec.structs.replace(CONE, pins_after=True)
    tests = tuple(
        Task(Suppressed(each.pinning), each.name) for each in CONE.targets if each.pinning
    )
    assert [task.who for task in tests] == list(CROWD)
    assert roll_to_hit(attack, 15).then(SHOOTER, JAM).todo == (CHECK,)
    assert roll_to_hit(attack, 15).then(SHOOTER, MISS).todo == tests
    assert roll_to_hit(attack, 15).then(SHOOTER, HIT).todo == (*tests, attack.strike("cultist", 2))
    assert roll_to_hit(CONE, 15).then(SHOOTER, MISS).todo == ()


def test_errant_hits_have_a_cap_of_their_own() -> None:
    attack = replaced(BRAWL, "errant", cap=15)
    assert list(roll_to_hit(attack, 1).then(SHOOTER, STRAY).todo) == astray(attack, 3)


# -- who takes the hits --------------------------------------------------------------------------


def test_the_first_hit_is_not_to_be_allocated() -> None:
    step = Allocate(BURST, 0, ())
    assert step.ask(SHOOTER) is None
    assert step.then(SHOOTER, None) == Next(SHOOTER, struck(BURST, "cultist", 1))


def test_without_others_all_hits_are_the_original_targets() -> None:
    step = Allocate(FULL, 2, ())
    assert step.ask(SHOOTER) is None
    assert step.then(SHOOTER, None) == Next(SHOOTER, struck(FULL, "cultist", 3))


def test_further_hits_are_offered_one_person_after_another() -> None:
    first = Allocate(BURST, 2, ())
    choice = first.ask(SHOOTER)
    assert choice is not None
    assert (choice.by, choice.policy) == ("scout", "0")
    assert choice.label == "2 further hits to allocate: how many on second?"
    assert [option.key for option in choice.options] == ["0", "1", "2"]
    assert first.then(SHOOTER, 1) == Next(SHOOTER, Allocate(BURST, 1, (1,)))
    second = Allocate(BURST, 1, (1,)).ask(SHOOTER)
    assert second is not None
    assert second.label == "1 further hit to allocate: how many on third?"


@pytest.mark.parametrize(
    ("left", "given", "hits"),
    [
        (2, (0, 0), {"cultist": 3}),
        (0, (2,), {"cultist": 1, "second": 2}),
        (1, (1, 0), {"cultist": 2, "second": 1}),
        (0, (1, 1), {"cultist": 1, "second": 1, "third": 1}),
        (0, (0, 2), {"cultist": 1, "third": 2}),
    ],
)
def test_allocated(left: int, given: tuple[int, ...], hits: dict[str, int]) -> None:
    strikes = [struck(BURST, name, n) for name, n in hits.items()]
    assert Allocate(BURST, left, given).then(SHOOTER, None) == Next(SHOOTER, *strikes)


SPREAD = {
    1: (1, 0, 0),
    2: (1, 1, 0),
    3: (1, 1, 1),
    4: (2, 1, 1),
    5: (2, 2, 1),
    6: (2, 2, 2),
    7: (3, 2, 2),
}


@pytest.mark.parametrize("hits", SPREAD)
def test_spread_evenly(hits: int) -> None:
    """The policy of each choice in turn, the original target first."""
    step = Allocate(replaced(BURST, "allocation", spreads=True), hits - 1, ())
    while (choice := step.ask(SHOOTER)) is not None:
        (task,) = step.then(SHOOTER, int(choice.policy)).todo
        assert isinstance(task.step, Allocate)
        step = task.step
    given = (*step.given, 0, 0)[:2]
    assert (1 + step.left, *given) == SPREAD[hits]


def test_further_hits_may_be_waived() -> None:
    attack = replaced(FULL, "allocation", may_waive=True)
    step = Allocate(attack, 2, ())
    choice = step.ask(SHOOTER)
    assert choice is not None
    assert (choice.policy, len(choice.options)) == ("2", 3)
    assert choice.label == "2 further hits to allocate: how many on cultist?"
    assert step.then(SHOOTER, 0) == Next(SHOOTER, struck(attack, "cultist", 1))
    assert step.then(SHOOTER, 2) == Next(SHOOTER, struck(attack, "cultist", 3))


# -- errant hits ---------------------------------------------------------------------------------


def test_an_errant_hit_asks_who_is_struck() -> None:
    roll = ErrantHit(MELEE, 1).ask(SHOOTER)
    assert roll.label == "errant hit: who is struck?"
    assert roll.throw == dice("d3")
    assert roll.reading.need == "1 cultist, 2 second, 3 third"
    assert [roll.reading.read(face) for face in (1, 2, 3)] == ["cultist", "second", "third"]


@pytest.mark.parametrize("hits", [1, 3])
def test_an_errant_hit_finds_somebody(hits: int) -> None:
    assert ErrantHit(MELEE, hits).then(SHOOTER, "second") == Next(
        SHOOTER, Task(StruckAstray(hits), "second")
    )


def test_one_victim_takes_all_errant_hits() -> None:
    attack = replaced(BRAWL, "errant", one_victim=True)
    first, *_ = roll_to_hit(attack, 7).then(SHOOTER, STRAY).todo
    assert first == Task(ErrantHit(MELEE, 3), times=1)


def test_errant_hits_may_do_damage_alone() -> None:
    bare = msgspec.structs.replace(BRAWL.wounding, bonus="", pins="")
    attack = replaced(BRAWL, "errant", wounding=bare)
    _, *landing = roll_to_hit(attack, 7).then(SHOOTER, STRAY).todo
    assert landing == astray(attack, 3)[1:]
    assert {task.step.wounding for task in landing} == {bare}


def test_a_victim_is_said_by_name() -> None:
    assert Victim(("one", "two")).words("two") == "two"


# -- jams, and nobody there ----------------------------------------------------------------------


@pytest.mark.parametrize(("held", "degraded"), [(True, False), (False, True)])
def test_condition_check(held: bool, degraded: bool) -> None:
    after = ConditionCheck("common", 4, "poor", "autogun").then(SHOOTER, held)
    worse = Fighter(arms=(Arm("autogun", None, "poor"),))
    shooter = worse if degraded else SHOOTER
    assert after == Next(shooter, records={"weapon_degraded": degraded})


def test_a_condition_check_needs_its_number() -> None:
    roll = ConditionCheck("common", 4, "poor", "autogun").ask(SHOOTER)
    assert (str(roll.throw), roll.reading.need) == ("d10", "4+")
    assert [roll.reading.read(face) for face in (1, 3, 4, 10)] == [False, False, True, True]


def test_a_relic_needs_no_condition_check() -> None:
    assert not ConditionCheck("relic", 0, "artificer", "autogun").applies(SHOOTER)
    assert ConditionCheck("artificer", 1, "best", "autogun").applies(SHOOTER)


def test_an_empty_cone_spends_and_rolls_nothing() -> None:
    step = EmptyCone(CONE)
    assert step.ask(SHOOTER) is None
    after = step.then(SHOOTER, None)
    assert after == Next(SHOOTER, records={"rounds_spent": 15, "ap_spent": 3})
