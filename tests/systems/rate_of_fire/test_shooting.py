"""The shot, step by step: (step, shooter, what was read) -> what follows."""

from typing import Any

import msgspec
import pytest

from firepower.chance import Next, RollUnder, Task, dice
from firepower.systems.rate_of_fire.conditions import Fighter
from firepower.systems.rate_of_fire.damage import ErrantHitsLand, Struck, StruckAstray
from firepower.systems.rate_of_fire.shooting import (
    Allocate,
    Attack,
    ChooseAttack,
    ConditionCheck,
    EmptyCone,
    ErrantHit,
    HitCount,
    RateOfFireDice,
    RollToHit,
    Shot,
    ToHit,
    Victim,
)
from firepower.systems.rate_of_fire.tables import read_rules
from tests.systems.rate_of_fire.helpers import CULTIST, Data, opened, scenario

SHOOTER = Fighter()
CROWD = dict.fromkeys(("cultist", "second", "third"), CULTIST)


def attack_of(data: Data, **changes: Any) -> Attack:
    """The attack that a scenario makes ready."""
    attack: Attack = opened(data).situation.agenda[-1].step.attack
    return msgspec.structs.replace(attack, **changes)


FULL = attack_of(scenario("full-auto", dice=2))
BURST = attack_of(scenario("semi-auto", people=CROWD, near=["second", "third"]))
BRAWL = attack_of(scenario("full-auto", dice=2, people=CROWD, melee=["cultist", "second", "third"]))
CONE = attack_of(scenario("suppressing-fire", people=CROWD))


def struck(attack: Attack, name: str, hits: int) -> Task:
    target = next(each for each in attack.targets if each.name == name)
    return Task(Struck(target, attack.wounding, hits), name)


def astray(attack: Attack, hits: int) -> list[Task]:
    """Errant hits find their victims one by one, then all of them land."""
    landing = [
        Task(ErrantHitsLand(target, attack.errant_wounding), target.name)
        for target in attack.targets
    ]
    return [Task(ErrantHit(attack, 1), times=hits), *landing]


# -- from degrees to hits ------------------------------------------------------------------------

SEMI_AUTO = tuple((row.degrees, row.hits) for row in read_rules(None).semi_auto_hits)


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
    assert shot == Shot(success, degrees, jam, errant)
    assert TEST.words(shot) == words


def test_a_good_roll_may_jam() -> None:
    assert ToHit(RollUnder(95), 91, frozenset()).read(93) == Shot(
        success=True, degrees=1, jam=True, errant=False
    )


def test_what_the_roll_to_hit_needs() -> None:
    assert TEST.need == "35 or less, jams on 91+"


def test_the_roll_to_hit_shows_its_parts() -> None:
    roll = RollToHit(FULL, 7).ask(SHOOTER)
    assert (roll.label, str(roll.throw), roll.target) == ("Full Auto Attack", "d100", 35)
    assert [(part.label, part.value) for part in roll.parts] == [
        ("Ranged Combat", 45),
        ("Full Auto Attack (Difficult)", -10),
    ]


# -- rate-of-fire dice ---------------------------------------------------------------------------


def test_rate_of_fire_dice() -> None:
    step = RateOfFireDice(FULL)
    roll = step.ask(SHOOTER)
    assert roll.throw == dice("2d5")
    assert roll.reading.words(7) == "7 shots"
    assert step.then(SHOOTER, 7) == Next(SHOOTER, RollToHit(FULL, 7))


def test_no_more_shots_than_rounds() -> None:
    short = attack_of(
        scenario(
            "full-auto", dice=2, carried={"loaded": 4}, rulings={"short_ammunition": "partial"}
        )
    )
    assert RateOfFireDice(short).then(SHOOTER, 7) == Next(SHOOTER, RollToHit(short, 4))
    assert RateOfFireDice(short).then(SHOOTER, 3) == Next(SHOOTER, RollToHit(short, 3))


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
    wanted = attack_of(scenario(**lesser))
    assert attack_of(data) == wanted


# -- what the roll to hit means ------------------------------------------------------------------

HIT = Shot(success=True, degrees=3, jam=False, errant=False)
MISS = Shot(success=False, degrees=3, jam=False, errant=False)
STRAY = Shot(success=False, degrees=3, jam=False, errant=True)
JAM = Shot(success=False, degrees=7, jam=True, errant=True)
HIT_AND_JAM = Shot(success=True, degrees=1, jam=True, errant=False)

CHECK = Task(ConditionCheck("common", 4, "poor", None))


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
    attack: Attack, shots: int, read: Shot, todo: list[Task], records: dict[str, int]
) -> None:
    assert RollToHit(attack, shots).then(SHOOTER, read) == Next(SHOOTER, *todo, records=records)


def test_hits_stand_in_spite_of_a_jam() -> None:
    attack = msgspec.structs.replace(BRAWL, jam_hits=True)
    assert RollToHit(attack, 7).then(SHOOTER, JAM) == Next(
        SHOOTER, CHECK, *astray(attack, 7), records=spent(10, 2, jam=1, errant=7)
    )
    assert RollToHit(attack, 7).then(SHOOTER, HIT_AND_JAM) == Next(
        SHOOTER, CHECK, attack.strike("cultist", 1), records=spent(10, 2, jam=1, hits=1)
    )


def test_a_jam_that_uses_no_rounds() -> None:
    attack = msgspec.structs.replace(FULL, jam_spends=False)
    after = RollToHit(attack, 7).then(SHOOTER, JAM)
    assert dict(after.records) == {"ap_spent": 2, "jam": 1, "hits_scored": 0, "errant_hits": 0}
    assert dict(RollToHit(attack, 7).then(SHOOTER, MISS).records) == spent(10, 2)


def test_the_cone_tests_after_the_shot_where_a_jam_lets_everybody_off() -> None:
    attack = msgspec.structs.replace(CONE, pins_after=True)
    tests = tuple(Task(target.pinning, target.name) for target in CONE.targets if target.pinning)
    assert [task.who for task in tests] == list(CROWD)
    assert RollToHit(attack, 15).then(SHOOTER, JAM).todo == (CHECK,)
    assert RollToHit(attack, 15).then(SHOOTER, MISS).todo == tests
    assert RollToHit(attack, 15).then(SHOOTER, HIT).todo == (*tests, attack.strike("cultist", 2))
    assert RollToHit(CONE, 15).then(SHOOTER, MISS).todo == ()


def test_errant_hits_have_a_cap_of_their_own() -> None:
    attack = msgspec.structs.replace(BRAWL, errant_shots=15)
    assert list(RollToHit(attack, 1).then(SHOOTER, STRAY).todo) == astray(attack, 3)


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
    step = Allocate(msgspec.structs.replace(BURST, spreads=True), hits - 1, ())
    while (choice := step.ask(SHOOTER)) is not None:
        (task,) = step.then(SHOOTER, int(choice.policy)).todo
        assert isinstance(task.step, Allocate)
        step = task.step
    given = (*step.given, 0, 0)[:2]
    assert (1 + step.left, *given) == SPREAD[hits]


def test_further_hits_may_be_waived() -> None:
    attack = msgspec.structs.replace(FULL, may_waive=True)
    step = Allocate(attack, 2, ())
    choice = step.ask(SHOOTER)
    assert choice is not None
    assert (choice.policy, len(choice.options)) == ("2", 3)
    assert choice.label == "2 further hits to allocate: how many on cultist?"
    assert step.then(SHOOTER, 0) == Next(SHOOTER, struck(attack, "cultist", 1))
    assert step.then(SHOOTER, 2) == Next(SHOOTER, struck(attack, "cultist", 3))


# -- errant hits ---------------------------------------------------------------------------------


def test_an_errant_hit_asks_who_is_struck() -> None:
    roll = ErrantHit(BRAWL, 1).ask(SHOOTER)
    assert roll.label == "errant hit: who is struck?"
    assert roll.throw == dice("d3")
    assert roll.reading.need == "1 cultist, 2 second, 3 third"
    assert [roll.reading.read(face) for face in (1, 2, 3)] == ["cultist", "second", "third"]


@pytest.mark.parametrize("hits", [1, 3])
def test_an_errant_hit_finds_somebody(hits: int) -> None:
    assert ErrantHit(BRAWL, hits).then(SHOOTER, "second") == Next(
        SHOOTER, Task(StruckAstray(hits), "second")
    )


def test_one_victim_takes_all_errant_hits() -> None:
    attack = msgspec.structs.replace(BRAWL, one_victim=True)
    first, *_ = RollToHit(attack, 7).then(SHOOTER, STRAY).todo
    assert first == Task(ErrantHit(attack, 3), times=1)


def test_errant_hits_may_do_damage_alone() -> None:
    bare = msgspec.structs.replace(BRAWL.wounding, bonus="", pins="")
    attack = msgspec.structs.replace(BRAWL, errant_wounding=bare)
    _, *landing = RollToHit(attack, 7).then(SHOOTER, STRAY).todo
    assert landing == astray(attack, 3)[1:]
    assert {task.step.wounding for task in landing} == {bare}


def test_a_victim_is_said_by_name() -> None:
    assert Victim(("one", "two")).words("two") == "two"


# -- jams, and nobody there ----------------------------------------------------------------------


@pytest.mark.parametrize(("held", "degraded"), [(True, False), (False, True)])
def test_condition_check(held: bool, degraded: bool) -> None:
    after = ConditionCheck("common", 4, "poor", None).then(SHOOTER, held)
    assert after == Next(SHOOTER, records={"weapon_degraded": degraded})


def test_a_condition_check_needs_its_number() -> None:
    roll = ConditionCheck("common", 4, "poor", None).ask(SHOOTER)
    assert (str(roll.throw), roll.reading.need) == ("d10", "4+")
    assert [roll.reading.read(face) for face in (1, 3, 4, 10)] == [False, False, True, True]


def test_a_relic_needs_no_condition_check() -> None:
    assert not ConditionCheck("relic", 0, "artificer", None).applies(SHOOTER)
    assert ConditionCheck("artificer", 1, "best", None).applies(SHOOTER)


def test_an_empty_cone_spends_and_rolls_nothing() -> None:
    step = EmptyCone(CONE)
    assert step.ask(SHOOTER) is None
    after = step.then(SHOOTER, None)
    assert after == Next(SHOOTER, records={"rounds_spent": 15, "ap_spent": 3})


# -- which attack --------------------------------------------------------------------------------


def test_choosing_an_attack() -> None:
    burst, cone = (Task(RollToHit(BURST, 2), "scout"),), (Task(RollToHit(CONE, 15), "scout"),)
    step = ChooseAttack("scout", (("semi-auto", burst), ("suppressing-fire", cone)))
    choice = step.ask(SHOOTER)
    assert [option.key for option in choice.options] == ["semi-auto", "suppressing-fire"]
    assert (choice.by, choice.policy) == ("scout", "semi-auto")
    assert step.then(SHOOTER, cone) == Next(SHOOTER, *cone)
