"""Fate, step by step: (step, fighter, what was read) -> what follows."""

from typing import Any

import msgspec
import pytest

from firepower.chance import Modifier, Next, Task, dice
from firepower.chance.readings import Test as Result
from firepower.combat.percentile.tests import D100Rule, SecondChance
from firepower.combat.turns import how_things_stand
from firepower.systems.rate_of_fire.conditions import PinningTest
from firepower.systems.rate_of_fire.damage import (
    Body,
    DamageRoll,
    DamageRollWithFate,
    LessDamage,
    RolledLess,
    Struck,
    Target,
    Wounding,
)
from firepower.systems.rate_of_fire.fate import (
    FateBegins,
    FateCost,
    FateRules,
    spend,
)
from firepower.systems.rate_of_fire.fighter import SHOT_AT, Fighter
from firepower.systems.rate_of_fire.shooting import HitRoll, RollToHit
from tests.systems.rate_of_fire.helpers import (
    CULTIST,
    Data,
    agenda,
    fate_rules,
    odds_of,
    played,
    scenario,
    shot_of,
)

FATE = fate_rules()
COST = FateCost(FATE.cost)
LUCKY, LUCKLESS, MORTAL = Fighter(fate=5), Fighter(fate=0), Fighter()

# -- points --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fighter", "least", "has", "rerolls"),
    [
        (Fighter(fate=1), 1, True, True),
        (Fighter(fate=5), 6, False, False),
        (Fighter(fate=6), 6, True, True),
        (LUCKLESS, 1, False, False),
        (MORTAL, 1, False, False),
        (Fighter(fate=5, rerolled=True), 1, True, False),
        (Fighter(fate=5, spared=True), 1, True, True),
    ],
)
def test_points_enough(fighter: Fighter, least: int, has: bool, rerolls: bool) -> None:
    fate = fate_rules(least=least)
    assert (fate.has(fighter), fate.offers(fighter)) == (has, rerolls)


@pytest.mark.parametrize(
    ("fate", "points", "left", "spent"),
    [(5, 2, 3, 2), (5, 5, 0, 5), (5, 6, 0, 5), (0, 3, 0, 0)],
)
def test_points_spent(fate: int, points: int, left: int, spent: int) -> None:
    after = Next(Fighter(fate=left), records={"fate_spent": spent})
    assert spend(Fighter(fate=fate), points) == after
    assert COST.then(Fighter(fate=fate), points) == after


def test_what_a_use_costs() -> None:
    roll = COST.ask(LUCKY)
    assert (roll.label, str(roll.throw)) == ("cost of Fate", "1d5+1")
    assert roll.reading.words(3) == "3 points"


@pytest.mark.parametrize(("fighter", "applies"), [(LUCKY, True), (LUCKLESS, False)])
def test_nothing_is_asked_of_who_has_nothing(fighter: Fighter, applies: bool) -> None:
    assert COST.applies(fighter) is applies


def test_a_new_character_rolls() -> None:
    step = FateBegins(dice("3d10+15"))
    roll = step.ask(MORTAL)
    assert (roll.label, str(roll.throw)) == ("Fate points", "3d10+15")
    assert step.then(MORTAL, 30) == Next(Fighter(fate=30))


def test_the_points_of_a_new_character() -> None:
    """A use costs 2 to 6, and there are 18 at least."""
    data = scenario(
        "single-shot", shooter={"fate": "rolled"}, policies={"fate_reroll": "every_test"}
    )
    spent = odds_of(data, "fate_spent")
    assert set(spent) == {0, 2, 3, 4, 5, 6}
    rolled = agenda(data)[0]
    assert (rolled.step, rolled.who) == (FateBegins(dice("3d10+15")), "scout")


def shot(degrees: int, *, hits: bool = False, jam: bool = False, errant: bool = False) -> HitRoll:
    return HitRoll(hits, degrees, jam, errant)


SHOT = shot_of(scenario("single-shot", shooter={"fate": 5}))
TO_HIT = RollToHit(SHOT.parts, SHOT.rule, SHOT.luck, shot=SHOT, shots=1)


# -- a failed test rolled again ------------------------------------------------------------------

RULE = D100Rule("one_plus_tens", natural_extremes=True, clamped=False)
PINNING = PinningTest((Modifier("Willpower", 40, "scout"),), RULE, FATE, title="Pinning Test")
FAILED, PASSED = Result(success=False, degrees=3), Result(success=True, degrees=1)
PINNED = {"pinned": 1, "pinning_degrees": 3}


def pinned(fighter: Fighter) -> Fighter:
    return msgspec.structs.replace(fighter, pinned=SHOT_AT)


@pytest.mark.parametrize(
    ("fighter", "read", "after"),
    [
        (LUCKY, PASSED, Next(LUCKY)),
        (LUCKY, FAILED, Next(LUCKY, SecondChance(PINNING, FAILED))),
        # no points, no Fate, or the re-roll of this turn is gone
        (LUCKLESS, FAILED, Next(pinned(LUCKLESS), records=PINNED)),
        (MORTAL, FAILED, Next(pinned(MORTAL), records=PINNED)),
        (
            Fighter(fate=5, rerolled=True),
            FAILED,
            Next(pinned(Fighter(fate=5, rerolled=True)), records=PINNED),
        ),
    ],
)
def test_a_failure_offers_a_second_chance(
    fighter: Fighter, read: Result, after: Next[Fighter]
) -> None:
    assert PINNING.then(fighter, read) == after


@pytest.mark.parametrize(
    ("again", "after"),
    [
        (True, Next(Fighter(fate=5, rerolled=True), COST, PINNING)),
        (False, Next(pinned(LUCKY), records=PINNED)),
        (None, Next(pinned(LUCKY), records=PINNED)),
    ],
)
def test_second_chance(again: bool | None, after: Next[Fighter]) -> None:
    assert SecondChance(PINNING, FAILED).then(LUCKY, again) == after


def test_a_second_chance_reaches_whom_its_test_reaches() -> None:
    assert SecondChance(PINNING, FAILED).reach == ()
    assert SecondChance(TO_HIT, shot(1)).reach == ("cultist",)


@pytest.mark.parametrize(
    ("policy", "attacks", "taken"),
    [
        ("never", True, "no"),
        ("never", False, "no"),
        ("attacks", True, "yes"),
        ("attacks", False, "no"),
        ("every_test", True, "yes"),
        ("every_test", False, "yes"),
    ],
)
def test_a_second_chance_is_a_choice(policy: str, attacks: bool, taken: str) -> None:
    fate = fate_rules(reroll=policy)
    test = msgspec.structs.replace(TO_HIT if attacks else PINNING, luck=fate)
    failed = shot(3) if attacks else FAILED
    choice = SecondChance(test, failed).ask(LUCKY)
    assert choice is not None
    assert choice.label == f"{test.failure(failed)}: roll again with Fate?"
    assert how_things_stand(choice.by, "", [("scout", LUCKY)]) == "5 Fate"
    assert (choice.by, choice.policy) == ("scout", taken)
    assert [(option.key, option.value) for option in choice.options] == [
        ("no", False),
        ("yes", True),
    ]


@pytest.mark.parametrize("fighter", [LUCKLESS, MORTAL, Fighter(fate=5, rerolled=True)])
def test_a_second_chance_may_be_gone(fighter: Fighter) -> None:
    """Of several tests thrown together the first to fail may have used it."""
    assert SecondChance(PINNING, FAILED).ask(fighter) is None


@pytest.mark.parametrize(
    ("missed", "kept"),
    [
        # how badly a shot misses matters only to errant hits
        (shot(3), shot(1)),
        (shot(7, jam=True), shot(1, jam=True)),
        (shot(3, errant=True), shot(3, errant=True)),
    ],
)
def test_a_missed_shot_offers_a_second_chance(missed: HitRoll, kept: HitRoll) -> None:
    assert TO_HIT.then(LUCKY, missed) == Next(LUCKY, SecondChance(TO_HIT, kept))
    assert TO_HIT.then(LUCKLESS, missed) == TO_HIT.failed(LUCKLESS, missed)


@pytest.mark.parametrize("jam", [False, True])
def test_a_shot_that_hits_stands(jam: bool) -> None:
    good = shot(2, hits=True, jam=jam)
    assert TO_HIT.then(LUCKY, good) == TO_HIT.passed(LUCKY, good)


@pytest.mark.parametrize(
    ("missed", "words"),
    [
        (shot(1), "Single Shot Attack (55 or less) failed"),
        (shot(1, jam=True), "Single Shot Attack (55 or less) failed, jam"),
        (shot(2, jam=True, errant=True), "Single Shot Attack (55 or less) failed, jam, a double"),
    ],
)
def test_a_missed_shot_in_words(missed: HitRoll, words: str) -> None:
    assert TO_HIT.failure(missed) == words


# -- a hit made less -----------------------------------------------------------------------------

INJURIES = ((1, 0), (2, 0), (3, 1), (4, 2), (5, 3), (6, 0))


def hit(fate: FateRules = FATE, **changes: Any) -> DamageRollWithFate:
    """A hit on somebody with a toughness bonus of 1: more than 6 points are lethal."""
    body = msgspec.structs.replace(Body(0, 0, 1, fate=fate), **changes)
    return DamageRollWithFate(dice("d10"), (), 0, body, INJURIES)


HIT = hit()
ROLLED = fate_rules(rolled=True)
SPARED = Fighter(fate=5, spared=True)


def harm(damage: int, **more: int) -> dict[str, int]:
    fatigue = {4: 1, 5: 2, 6: 3}.get(damage, 0)
    return {**more, "damage": damage, "injury": max(0, damage - 1), "fatigue": fatigue}


@pytest.mark.parametrize(
    ("fighter", "damage", "after"),
    [
        (LUCKY, 6, Next(LUCKY, LessDamage(HIT, 6, FATE))),
        (LUCKY, 0, Next(LUCKY, records=harm(0))),
        (SPARED, 6, Next(SPARED, records=harm(6))),
        (LUCKLESS, 6, Next(LUCKLESS, records=harm(6))),
        (MORTAL, 6, Next(MORTAL, records=harm(6))),
    ],
)
def test_a_hit_may_be_made_less(fighter: Fighter, damage: int, after: Next[Fighter]) -> None:
    assert HIT.then(fighter, damage) == after


@pytest.mark.parametrize(
    ("fate", "policy", "damage", "points", "options", "taken"),
    [
        (FATE, "never", 7, 5, 6, "0"),
        (FATE, "never", 3, 5, 4, "0"),
        (FATE, "to_survive", 7, 5, 6, "1"),
        (FATE, "to_survive", 10, 5, 6, "4"),
        (FATE, "to_survive", 11, 5, 6, "5"),
        # not lethal, or lethal whatever is spent
        (FATE, "to_survive", 6, 5, 6, "0"),
        (FATE, "to_survive", 12, 5, 6, "0"),
        (FATE, "to_survive", 9, 2, 3, "0"),
        (ROLLED, "never", 7, 5, 2, "no"),
        (ROLLED, "to_survive", 6, 5, 2, "no"),
        (ROLLED, "to_survive", 7, 5, 2, "yes"),
    ],
)
def test_how_much_less_is_a_choice(
    fate: FateRules, policy: str, damage: int, points: int, options: int, taken: str
) -> None:
    fate = msgspec.structs.replace(fate, damage=policy)
    fighter = Fighter(fate=points)
    choice = LessDamage(hit(fate), damage, fate).ask(fighter)
    assert choice.label == f"{damage} damage: how much less with Fate?"
    assert how_things_stand(choice.by, "", [("scout", fighter)]) == f"{points} Fate"
    assert (choice.by, choice.policy, len(choice.options)) == ("scout", taken, options)


@pytest.mark.parametrize(
    ("fate", "less", "after"),
    [
        (FATE, 0, Next(LUCKY, records=harm(6))),
        (FATE, 2, Next(Fighter(fate=3, spared=True), records=harm(4, fate_spent=2))),
        (ROLLED, 0, Next(LUCKY, records=harm(6))),
        (ROLLED, 1, Next(SPARED, RolledLess(hit(ROLLED), 6, ROLLED))),
    ],
)
def test_less_damage(fate: FateRules, less: int, after: Next[Fighter]) -> None:
    assert LessDamage(hit(fate), 6, fate).then(LUCKY, less) == after


@pytest.mark.parametrize(
    ("fighter", "points", "after"),
    [
        (SPARED, 4, Next(Fighter(fate=1, spared=True), records=harm(2, fate_spent=4))),
        # more than the damage, and more than there are
        (Fighter(fate=9), 8, Next(Fighter(fate=1), records=harm(0, fate_spent=8))),
        (Fighter(fate=2), 4, Next(Fighter(fate=0), records=harm(4, fate_spent=2))),
    ],
)
def test_rolled_less(fighter: Fighter, points: int, after: Next[Fighter]) -> None:
    step = RolledLess(hit(ROLLED), 6, ROLLED)
    assert step.then(fighter, points) == after
    assert step.ask(fighter) == COST.ask(fighter)


WOUNDING = Wounding(dice("d10"), (), "", INJURIES, "", repins=False)


@pytest.mark.parametrize(
    ("fighter", "kind", "after"),
    [
        (SPARED, DamageRollWithFate, LUCKY),
        (LUCKY, DamageRollWithFate, LUCKY),
        (LUCKLESS, DamageRoll, LUCKLESS),
        (MORTAL, DamageRoll, MORTAL),
    ],
)
def test_each_attack_can_be_made_less_again(
    fighter: Fighter, kind: type[DamageRoll], after: Fighter
) -> None:
    target = Target("cultist", HIT.body, None, suppressed=False)
    rolls = kind(WOUNDING.dice, (), 0, HIT.body, INJURIES)
    assert Struck(target, WOUNDING, 2).then(fighter, None) == Next(
        after, Task(rolls, times=2), records={"hits": 2}
    )


def target(damage: str, **state: Any) -> Data:
    """A burst at somebody with a toughness bonus of 1, who uses Fate to survive."""
    return scenario(
        "semi-auto",
        carried={"damage": damage},
        people={"cultist": CULTIST | {"toughness": 10, "fate": 10} | state},
        policies={"fate_damage": "to_survive"},
        rulings={"fatigue_collapse": "any"},
    )


def test_only_one_hit_of_an_attack_is_made_less() -> None:
    """Two hits with +1 each: the first of 8 becomes 6, the second kills."""
    burst = played(target("d10 [I]"), 30, 7, 8, choose=("2",))
    assert (burst["cultist.damage"], burst["cultist.injury"] == 6) == (6 + 9, True)


def test_the_hit_that_kills_is_made_less_not_the_first() -> None:
    burst = played(target("d10 [I]"), 30, 4, 9, choose=("0", "4"))
    assert (burst["cultist.damage"], burst["cultist.injury"] == 6) == (5 + 6, False)


def test_the_dead_use_no_fate() -> None:
    """One point cannot help against the first hit of 9, but could against the second of 7."""
    burst = played(target("d10 [I]", fate=1), 30, 8, 6, choose=("0",))
    assert (burst["cultist.damage"], burst["cultist.injury"] == 6) == (9 + 7, True)
