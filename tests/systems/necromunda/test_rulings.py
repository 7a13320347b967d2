"""Every reading of every ruling and policy, on a question that each of them answers otherwise.

The comments say how the number was reckoned by hand. Unless they say otherwise the shooter hits on
4+ and the gun is of Strength 3 without an ammo value, which wounds the target on 4+ and takes its
one Wound; then an Injury die is a Flesh Wound in two faces of six, Out of Action in one.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import pytest

import firepower
from firepower.chance import Goal, Solver
from firepower.chance.tallies import Final, Tally
from firepower.systems.necromunda import SYSTEM
from tests.systems.necromunda import melee_helpers as melee
from tests.systems.necromunda.asking import AUTOGUN, Data, odds_of, scenario, weapon

F = Fraction

Look: TypeAlias = Callable[[Data], Any]

LASTING: Data = {"wounds": 9}
"""Somebody who loses Wounds and rolls no Injury die."""

HELD: Data = {"wounds": 20}
"""Somebody whom close combat does not take down."""

FIRE: Data = {"on_fire": True}


class Case(NamedTuple):
    """A question, what is looked at, and what each reading makes of it."""

    data: Data
    look: Look
    expected: dict[str, Any]


def chance(measure: str, *, of: Any = True) -> Look:
    """How likely a measure comes to this; 0 where it cannot be asked."""

    def look(data: Data) -> F:
        opening = firepower.read(data).opened().opening
        if measure not in opening.measures:
            return F(0)
        return odds_of(data, measure).get(of, F(0))

    return look


def any_of(measure: str) -> Look:
    """How likely a measure comes to one at least."""

    def look(data: Data) -> F:
        return 1 - chance(measure, of=0)(data) if _is_asked(data, measure) else F(0)

    return look


def _is_asked(data: Data, measure: str) -> bool:
    return measure in firepower.read(data).opened().opening.measures


def mean(measure: str, *choose: str) -> Look:
    """What a measure comes to on average, when these options have been taken."""

    def look(data: Data) -> F:
        found = firepower.read(data).odds(measure, samples=0, choose=choose).measures[measure]
        return sum((F(n) * p for n, p in dict(found).items()), F(0))

    return look


def final(who: str, state: str) -> Look:
    """How likely somebody is so in the end."""

    def look(data: Data) -> F:
        opening = firepower.read(data).opened().opening
        return dict(Solver().odds(opening.situation, Final(who, attrgetter(state)))).get(True, F(0))

    return look


def worded(measure: str, word: str) -> Look:
    """How likely a measure comes to what has this name."""

    def look(data: Data) -> F:
        words = firepower.read(data).opened().opening.words[measure]
        return odds_of(data, measure).get(words.index(word), F(0))

    return look


def most_hits(price: int) -> Look:
    """What the best choice of dice is worth: hits, of which each failed ammo check costs some."""

    def look(data: Data) -> F:
        opening = firepower.read(data).opened().opening
        names = ("shooter.hits", "shooter.ammo_failed")
        goal = Goal(Tally(names, weights=(1, -price)))
        return Solver().advice(opening.situation, goal).value

    return look


def chooses_a_number(data: Data) -> bool:
    """Whether the shooter says how many dice, and not after each whether there is another."""
    opening = firepower.read(data).opened().opening
    questions = Solver().asked(opening.situation, opening.measures["hits"])
    return any("how many Firepower dice" in question.label for _, question in questions)


def burst(x: int, *traits: str, **figures: Any) -> Data:
    """A weapon with Rapid Fire of so many dice, and an ammo value of 4+."""
    return weapon(f"Rapid Fire ({x})", *traits, **{"ammo": 4, **figures})


def burning(friend: Data | None = None, **more: Any) -> Data:
    """The activation of a burning shooter, with a friend beside it."""
    others = {} if friend is None else {"friend": {"side": "ours", "beside": ["shooter"], **friend}}
    shooter = FIRE | more.pop("shooter", {})
    do = [{"action": "burn"}]
    return scenario(**{"shooter": shooter, "others": others, "do": do, **more})


def placed(others: dict[str, Data], gun: Data, **line: Any) -> Data:
    """A burst of a shooter at the origin at a target ten inches north; others by positions."""
    target = {"position": [0, 10]}
    return scenario(gun, shooter={"position": [0, 0]}, target=target, others=others, **line)


DOUBLE = {"fire": "double"}

CASES: dict[str, list[Case]] = {
    # -- editions ----------------------------------------------------------------------------------
    # a marker of 3 inches that missed lies on the target after one inch (1/9), one of 5 after two
    "weapon_rows": [
        Case(
            scenario({"use": "rad-cannon"}),
            chance("target.hit", of=1),
            {"n23": F(1, 2) + F(1, 2) * F(5, 18), "n17": F(1, 2) + F(1, 2) * F(1, 9)},
        )
    ],
    # 3+ with +2 is 1+
    "natural_1": [
        Case(
            scenario(weapon(accuracy="+2/-"), shooter={"ballistic_skill": 3}),
            chance("hits", of=1),
            {"misses": F(5, 6), "as_it_is": F(1)},
        )
    ],
    # a hit, then 3+ and a die, or a wound and 2D6 above D6 + 3, which is one of two
    "toxin": [
        Case(
            scenario(weapon("Toxin")),
            chance("target.out_of_action"),
            {"roll": F(1, 2) * F(2, 3) * F(1, 6), "contest": F(1, 2) * F(1, 2) * F(1, 2)},
        )
    ],
    # no Short range: a wound on 2+ is the end of it, or a die is rolled
    "melta": [
        Case(
            scenario(weapon("Melta", range="-/24", strength="8")),
            chance("target.out_of_action"),
            {"at_0_wounds": F(1, 2) * F(5, 6), "at_short_range": F(1, 2) * F(5, 6) * F(1, 6)},
        )
    ],
    # Toughness 9 is wounded on 6: a Flesh Wound in one of 18 hits, none left in one of 36
    "rad_phage": [
        Case(
            scenario(weapon("Rad-phage"), target={"toughness": 9}),
            mean("target.flesh_wounds"),
            {
                "on_4": F(1, 2) * (F(1, 18) + F(35, 36) * F(1, 2)),
                "always": F(1, 2) * (F(1, 18) + F(35, 36)),
            },
        )
    ],
    # Cool 7+ at -2 fails in 26 of 36; instead of the die after a wound, or of the wound
    "fear": [
        Case(
            scenario(weapon("Fear")),
            final("target", "broken"),
            {"injury": F(1, 2) * F(1, 2) * F(26, 36), "wound": F(1, 2) * F(26, 36)},
        )
    ],
    # 4 and 5 to hit: half wound, a third is saved by the field; so it is for 6, or not
    "power": [
        Case(
            melee.scenario(
                {"weapons": {"blade": melee.weapon("Power")}}, {"b": {**HELD, "field": "refractor"}}
            ),
            mean("b.unsaved"),
            {"spares_fields": F(3, 6) * F(1, 3), "no_save": F(2, 6) * F(1, 3) + F(1, 6) * F(1, 2)},
        )
    ],
    # flak is 5+ or 6+ against flames
    "flak_template": [
        Case(
            scenario(weapon("Template", range="-/T"), target={"armour": "flak"}),
            chance("target.unsaved", of=1),
            {"improved": F(1, 2) * F(4, 6), "plain": F(1, 2) * F(5, 6)},
        )
    ],
    # an Aim leaves no Double action; without Unwieldy the shot hits on 3+
    "bulging_biceps": [
        Case(
            scenario(
                weapon("Unwieldy"),
                shooter={"skills": ["Bulging Biceps"]},
                do=[{"action": "aim"}, {"action": "shoot", "at": ["target"]}],
                rounds=1,
            ),
            chance("hits", of=1),
            {"one_hand": F(0), "ignores_unwieldy": F(2, 3)},
        )
    ],
    # of two dice both show Out of Action, or twice so
    "medicae": [
        Case(
            scenario(
                shooter={"skills": ["Medicae"], "beside": ["mate"]},
                others={"mate": {"side": "ours", "seriously_injured": True}},
                do=[{"action": "move"}],
                rounds=1,
            ),
            chance("mate.out_of_action"),
            {"nothing": F(1, 36), "rolls_again": F(1, 36**2)},
        )
    ],
    # a third of those who are down goes out of action; then 15 to 26, or 12 to 26, of the D66
    "lasting_injuries": [
        Case(
            scenario(target={"seriously_injured": True}, do=[{"action": "move"}])
            | {"after_battle": True},
            worded("target.lasting_injury", "out cold"),
            {"n23": F(1, 3) * F(8, 36), "n17": F(1, 3) * F(11, 36)},
        )
    ],
    # -- Firepower dice and ammo -------------------------------------------------------------------
    # two dice at most; a failed check, one in 12 a die, is worth 12 hits. Before: one die, 5/6 - 1.
    # After a miss one (-1), after a hit both (2 x 2/3); one by one it is the same, but asked later
    "firepower_declared": [
        Case(
            scenario(burst(2)),
            most_hits(12),
            {"before": F(-1, 6), "after": F(1, 6), "one_by_one": F(1, 6)},
        ),
        Case(
            scenario(burst(2)),
            chooses_a_number,
            {"before": True, "after": True, "one_by_one": False},
        ),
    ],
    # 23/144 fail of two dice, one in 12 of one
    "firepower_on_miss": [
        Case(
            scenario(burst(2)),
            any_of("ammo_failed"),
            {
                "all": F(23, 144),
                "one": F(1, 2) * F(23, 144) + F(1, 2) * F(1, 12),
                "none": F(1, 2) * F(23, 144),
            },
        )
    ],
    # ten holes on six faces, or nine
    "ammo_face": [
        Case(scenario(burst(1)), mean("hits"), {"hit": F(1, 2) * F(10, 6), "no_hit": F(3, 4)})
    ],
    # two symbols, and both checks fail
    "ammo_checks": [
        Case(scenario(burst(2)), chance("jammed"), {"all": F(1, 36 * 4), "until_failed": F(0)})
    ],
    # one symbol, whose two dice both fail
    "combi_jam": [
        Case(
            scenario(burst(1, "Combi")),
            chance("jammed"),
            {"one_check": F(0), "two_failures": F(1, 24)},
        )
    ],
    "jam_and_plentiful": [
        Case(
            scenario(burst(1, "Plentiful") | {"jammed": True}, do=[{"action": "reload"}], rounds=1),
            chance("reloaded", of=1),
            {"jammed": F(0), "reloads": F(1)},
        )
    ],
    "no_ammo_value": [
        Case(scenario(weapon()), chance("out_of_ammo"), {"nothing": F(0), "fails": F(1, 6)})
    ],
    # any of two symbols, and half; or half of one, three quarters of two
    "unstable_symbols": [
        Case(
            scenario(burst(2, "Unstable")),
            chance("shooter.out_of_action"),
            {"once": F(11, 72), "each": F(23, 144)},
        )
    ],
    # -- who takes hits ----------------------------------------------------------------------------
    # more than one hit in half of the hits; the other stands at Long range, where +1 is missing
    "harder_to_hit": [
        Case(
            scenario(
                burst(1, accuracy="+1/-", range="8/24"),
                others={"other": {"distance": 9}},
                near=["other"],
            ),
            any_of("other.hit"),
            {"all": F(0), "cover": F(2, 3) * F(1, 2)},
        )
    ],
    "spare_hits": [
        Case(
            placed({"mate": {"side": "ours", "position": [2.5, 10]}}, burst(1)),
            any_of("mate.hit"),
            {"enemies": F(0), "anybody": F(1, 4)},
        )
    ],
    # 3.5 inches between the centres of bases of an inch
    "distances": [
        Case(
            placed({"other": {"position": [3.5, 10]}}, burst(1)),
            any_of("other.hit"),
            {"bases": F(1, 4), "centres": F(0)},
        )
    ],
    # both in partial cover
    "hidden_recipients": [
        Case(
            scenario(
                burst(1),
                target={"cover": "partial"},
                others={"other": {"distance": 6, "cover": "partial", "pinned": True}},
                near=["other"],
            ),
            any_of("other.hit"),
            {"no": F(0), "yes": F(1, 3) * F(1, 2)},
        )
    ],
    # all 6^8 outcomes of an autogun at short range were counted
    "hits_in_sequence": [
        Case(
            scenario(AUTOGUN),
            chance("target.out_of_action"),
            {"falling": F(5, 54), "fixed": F(463, 5184)},
        )
    ],
    # Toughness 9 is wounded on 6, by a natural 6 without a roll: each of 5/3 hits, or the first
    "natural_die": [
        Case(
            scenario(burst(1, "Shock"), target={"toughness": 9, **LASTING}),
            mean("target.wounds"),
            {
                "every_hit": F(2, 6) * F(5, 18) + F(1, 6) * F(5, 3),
                "first_hit": F(2, 6) * F(5, 18) + F(1, 6) * (1 + F(2, 3) * F(1, 6)),
            },
        )
    ],
    # -- injuries ----------------------------------------------------------------------------------
    # a hit that does not wound pins all the same, unless it was none
    "displacer": [
        Case(
            scenario(weapon(), target={"field": "displacer", "wounds": 9}),
            chance("target.pinned"),
            {"per_hit": F(1, 4), "after_wound": F(1, 2) * (1 - F(1, 2) * F(1, 2))},
        )
    ],
    "further_serious_injury": [
        Case(
            scenario(weapon(), target={"seriously_injured": True, "wounds_lost": 1}),
            mean("target.flesh_wounds"),
            {"flesh_wound": F(1, 4) * (F(1, 3) + F(1, 2)), "nothing": F(1, 4) * F(1, 3)},
        )
    ],
    # Damage 2 against two Wounds is one die: two, and both are Out of Action; or one less, none
    "true_grit": [
        Case(
            scenario(weapon(damage="2"), target={"wounds": 2, "skills": ["True Grit"]}),
            chance("target.out_of_action"),
            {"single_die": F(1, 4) * F(1, 36), "damage_1": F(0)},
        )
    ],
    # hits on 3+; Strength 5 is knocked by 5 and 6, or by 4 with the +1 too: then Damage 2
    "knockback_roll": [
        Case(
            scenario(
                weapon("Knockback", accuracy="+1/-"),
                target={"strength": 5, "blocked_behind": True, **LASTING},
            ),
            mean("target.wounds_lost"),
            {"natural": F(1, 2) * F(1 + 1 + 2 + 2, 6), "modified": F(1, 2) * F(1 + 2 + 2 + 2, 6)},
        )
    ],
    # -- fire --------------------------------------------------------------------------------------
    # 6; or first a hit that takes out of action one of 12, then Prone, where 4 does
    "blaze": [
        Case(
            burning(),
            chance("shooter.fire_out"),
            {"roll_first": F(1, 6), "hit_first": F(11, 12) * F(1, 2)},
        )
    ],
    # one, two and three hits in a half, a third and a sixth of the bursts that hit
    "blaze_rolls": [
        Case(
            scenario(burst(1, "Blaze"), target=LASTING),
            chance("target.caught_fire"),
            {
                "per_target": F(1, 2) * F(1, 2),
                "per_hit": F(1, 2) * (1 - F(1, 4) - F(1, 12) - F(1, 48)),
            },
        )
    ],
    "blaze_needs": [
        Case(
            scenario(weapon("Blaze"), target=LASTING),
            chance("target.caught_fire"),
            {"hit": F(1, 4), "wound": F(1, 8)},
        )
    ],
    "active_friend": [
        Case(
            burning({"pinned": True}),
            chance("shooter.fire_out"),
            {"standing": F(1, 6), "any": F(1, 3)},
        )
    ],
    "burning_friend": [
        Case(burning(FIRE), chance("shooter.fire_out"), {"helps": F(1, 3), "no": F(1, 6)})
    ],
    # an Aim and a shot, or an Aim alone
    "after_fire_out": [
        Case(
            scenario(
                weapon(),
                shooter=FIRE,
                do=[{"action": "aim"}, {"action": "shoot", "at": ["target"]}],
                rounds=1,
            ),
            chance("hits", of=1),
            {"two_actions": F(1, 6) * F(2, 3), "one_action": F(0)},
        )
    ],
    # out in five of six; then blind fire hits on 6
    "after_double_action": [
        Case(
            scenario(
                weapon(),
                shooter=FIRE,
                do=[{"action": "blind-fire", "at": ["target"]}],
                rounds=1,
                policies=DOUBLE,
            ),
            chance("hits", of=1),
            {"over": F(0), "acts": F(5, 6) * F(1, 6)},
        )
    ],
    "burning_engaged": [
        Case(
            burning(shooter={"engaged": ["target"]}, policies=DOUBLE),
            chance("shooter.fire_out"),
            {"stays": F(1, 6), "runs": F(5, 6)},
        )
    ],
    "burning_down": [
        Case(
            burning(shooter={"seriously_injured": True}, policies=DOUBLE),
            chance("shooter.fire_out"),
            {"rolls": F(1, 6), "double": F(5, 6), "no_roll": F(0)},
        )
    ],
    "pinned_double_action": [
        Case(
            burning(shooter={"pinned": True}, policies=DOUBLE),
            chance("shooter.fire_out"),
            {"yes": F(5, 6), "no": F(1, 6)},
        )
    ],
    "failed_double_action": [
        Case(
            burning(policies=DOUBLE),
            chance("shooter.wounds", of=1),
            {"burns": F(1, 6) * F(1, 2), "no_hit": F(0)},
        )
    ],
    # -- close combat ------------------------------------------------------------------------------
    # a die with the pistol of Strength 4 and one unarmed, or both with the pistol
    "sidearm_attacks": [
        Case(
            melee.scenario({"attacks": 2, "weapons": {"gun": melee.pistol()}}, {"b": HELD}),
            mean("b.wounds"),
            {"one": F(1, 2) * F(2, 3) + F(1, 2) * F(1, 2), "any": 2 * F(1, 2) * F(2, 3)},
        )
    ],
    "sidearm_rapid_fire": [
        Case(
            melee.scenario({"weapons": {"gun": melee.pistol("Rapid Fire (1)")}}, {"b": HELD}),
            mean("b.hit"),
            {"one_hit": F(1, 2), "holes": F(1, 2) * F(5, 3)},
        )
    ],
    # the ring's own attack is of Strength 6, which wounds on 2+
    "extra_attacks": [
        Case(
            melee.scenario(
                {
                    "weapons": {
                        "blade": melee.weapon(),
                        "ring": melee.weapon("Digi", strength="6"),
                    }
                },
                {"b": HELD},
                weapons=["blade"],
            ),
            mean("b.wounds"),
            {"own": F(1, 2) * F(1, 2) + F(1, 2) * F(5, 6), "pool": 2 * F(1, 2) * F(1, 2)},
        )
    ],
    # b, with an enemy too many, hits c on 5+, with Strength 6, or 3 if disarmed by a's 6
    "disarm": [
        Case(
            melee.scenario(
                {"side": "us", "weapons": {"hook": melee.weapon("Disarm")}, **HELD},
                {
                    "b": {**HELD, "weapons": {"axe": melee.weapon(strength="6")}},
                    "c": {"side": "us", "engaged": ["b"], **HELD},
                },
            )
            | {
                "do": [
                    {"by": "a", "action": "fight", "at": ["b"]},
                    {"by": "c", "action": "fight", "at": ["b"]},
                ]
            },
            mean("c.wounds"),
            {
                "round": F(1, 3) * (F(5, 6) * F(5, 6) + F(1, 6) * F(1, 2)),
                "combat": F(1, 3) * F(5, 6),
            },
        )
    ],
    # a, with an enemy too many, misses each of two with 2/3; b, who has help, hits on 3+
    "counter_attack": [
        Case(
            melee.scenario(
                {"attacks": 2, **HELD},
                {
                    "b": {"side": "them", "skills": ["Counter-Attack"], **HELD},
                    "c": {"side": "them", **HELD, **FIRE},
                },
                at=["b", "c"],
            ),
            mean("a.hit", "1"),
            {
                "at_this_fighter": (1 + F(2, 3)) * F(2, 3),
                "all_misses": (1 + F(4, 3)) * F(2, 3),
            },
        )
    ],
    # the enemy tests Initiative and hits, whether the retreat succeeds or not
    "retreat_reactions": [
        Case(
            melee.scenario({"engaged": ["b"]}, {"b": {}}, "retreat"),
            any_of("a.hit"),
            {"always": F(1, 4), "if_leaving": F(1, 2) * F(1, 4)},
        )
    ],
    # -- policies ----------------------------------------------------------------------------------
    "firepower_dice": [Case(scenario(burst(2)), mean("holes"), {"most": F(10, 3), "one": F(5, 3)})],
    "further_hits": [
        Case(
            scenario(burst(1), others={"other": {"distance": 6}}, near=["other"]),
            any_of("other.hit"),
            {"spread": F(1, 4), "target": F(0)},
        )
    ],
    "parry": [
        Case(
            melee.scenario({}, {"b": {"weapons": {"sword": melee.weapon("Parry")}, **HELD}}),
            any_of("b.hit"),
            {"worst": F(1, 4), "never": F(1, 2)},
        )
    ],
    # who lies Seriously Injured, an eighth, goes out of action too
    "follow_up": [
        Case(
            melee.scenario({}, {"b": {}}),
            chance("b.out_of_action"),
            {"consolidate": F(1, 24), "coup_de_grace": F(1, 24) + F(1, 8)},
        )
    ],
    "fire": [Case(burning(), chance("shooter.fire_out"), {"normal": F(1, 6), "double": F(5, 6)})],
    # a quarter is Seriously Injured by the hit, and Prone by that
    "drop_prone": [
        Case(
            burning(rulings={"blaze": "hit_first"}),
            chance("shooter.fire_out"),
            {"yes": F(11, 12) * F(1, 2), "no": F(2, 3) * F(1, 6) + F(1, 4) * F(1, 2)},
        )
    ],
    "overwatch": [
        Case(
            scenario(
                target={"skills": ["Overwatch"], "weapons": {"gun": weapon()}},
                do=[{"action": "move"}],
                rounds=1,
            ),
            any_of("shooter.hit"),
            {"yes": F(1, 2), "no": F(0)},
        )
    ],
}

TABLES = SYSTEM.tables()
REGISTER = TABLES.rulings | TABLES.policies
READINGS = [(name, reading) for name in CASES for reading in CASES[name][0].expected]


def under(data: Data, name: str, reading: str) -> Data:
    """The same question under another reading."""
    register = "policies" if name in TABLES.policies else "rulings"
    return data | {register: data[register] | {name: reading}}


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_reading(name: str, reading: str) -> None:
    for case in CASES[name]:
        assert case.look(under(case.data, name, reading)) == case.expected[reading]


@pytest.mark.parametrize("name", CASES)
def test_default(name: str) -> None:
    for case in CASES[name]:
        assert case.look(case.data) == case.expected[REGISTER[name].default]


@pytest.mark.parametrize("name", CASES)
def test_readings_differ(name: str) -> None:
    for one, other in combinations(CASES[name][0].expected, 2):
        assert any(case.expected[one] != case.expected[other] for case in CASES[name])


def test_every_ruling_has_its_cases() -> None:
    assert set(CASES) == set(REGISTER)
    for name, cases in CASES.items():
        for case in cases:
            assert list(case.expected) == list(REGISTER[name].readings), name


@pytest.mark.parametrize(("name", "reading"), READINGS)
def test_reading_is_reported(name: str, reading: str) -> None:
    opening = firepower.read(under(CASES[name][0].data, name, reading)).opened().opening
    in_force = opening.policies if name in TABLES.policies else opening.rulings
    assert in_force[name] == reading


@pytest.mark.parametrize("edition", ["2017", "2018", "2023"])
def test_an_edition_is_its_rulings(edition: str) -> None:
    """Asked of the edition, the cases come to what its readings do."""
    readings = TABLES.editions[edition].rulings
    assert readings
    for name, reading in readings.items():
        for case in CASES[name]:
            alone = case.data | {"rulings": dict(readings)}
            assert case.look(case.data | {"edition": edition}) == case.look(alone)
            if len(readings) < 3:
                assert case.look(alone) == case.expected[reading]
