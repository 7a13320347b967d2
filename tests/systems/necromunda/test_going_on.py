"""A battle that goes on from a scenario is the battle that was not interrupted."""

from collections import defaultdict
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

import firepower
from firepower.answers.going_on import going_on
from firepower.answers.question import Opened, read_question
from firepower.chance import Final, Solver
from firepower.chance.steps import Situation
from firepower.systems.necromunda.fighter import Fighter
from tests.systems.necromunda.asking import AUTOGUN, Data, odds_of, scenario, weapon

States: TypeAlias = dict[tuple[Any, ...], Fraction]

LIMIT = 1_000_000

GUNS: dict[str, Data] = {
    "autogun": AUTOGUN | {"ammo": 6},
    "burst": AUTOGUN | {"ammo": 5, "traits": ["Rapid Fire (2)"]},
    "flamer": weapon("Template", "Blaze", range="-/T", ammo=5),
    "web": weapon("Web", strength="6", ammo=6),
    "flash": weapon("Flash", "Single Shot", strength="-", damage="-", ammo=4),
    "stunner": weapon("Concussion", "Flash", strength="2", damage="-", ammo=6),
    "fine": weapon("Master-crafted", "Limited", ammo=6),
    "combi": weapon("Combi", "Rapid Fire (1)", ammo=5),
    "unstable": weapon("Unstable", "Gunk", ammo=6),
}

ACTIONS = ["shoot", "shoot", "shoot", "aim", "reload", "stand-up", "blind-fire", "run-for-cover"]

CONDITIONS: list[Data] = [
    {},
    {},
    {"pinned": True},
    {"seriously_injured": True},
    {"webbed": True},
    {"on_fire": True},
    {"on_fire": True, "pinned": True},
    {"broken": True},
    {"blind": True, "ready": False},
    {"concussed": True},
    {"gunked": True},
    {"flesh_wounds": 1},
    {"wounds": 2, "wounds_lost": 1},
    {"field": "refractor", "burnt_out": True},
    {"field": "refractor"},
    {"armour": "mesh"},
    {"skills": ["Overwatch"]},
    {"skills": ["Nerves of Steel"]},
    {"ready": False},
]


LOOKED_AT = {
    "hits",
    "jammed",
    "out_of_ammo",
    "reloaded",
    "actions_lost",
    "hit",
    "blind",
    "on_fire",
    "recovered",
    "broken",
    "seriously_injured",
    "out_of_action",
}
"""What a battle may come to, as far as it is compared."""


def random_battle(seed: int) -> Data:
    """Two or three who shoot at each other over two rounds, each somehow hampered."""
    random = Random(seed)
    names = ["anna", "bo", "carl"][: random.choice([2, 2, 3])]
    people: Data = {}
    for name in names:
        gun = random.choice(list(GUNS))
        condition: Data = {}
        for each in random.sample(CONDITIONS, 2):
            clash = {"pinned", "seriously_injured", "webbed"} & set(condition) & set(each)
            lying = {"pinned", "seriously_injured", "webbed"}
            if clash or (lying & set(condition) and lying & set(each)):
                continue
            condition |= each
        carried = GUNS[gun] | ({"out_of_ammo": True} if random.random() < 0.25 else {})
        people[name] = {
            "side": "ours" if name == "anna" else "theirs",
            "distance": 6,
            "ballistic_skill": random.choice([3, 5]),
            "toughness": random.choice([2, 3]),
            "weapons": {gun: carried},
        } | condition
    if len(names) == 3 and random.random() < 0.5:
        people["bo"]["beside"] = ["carl"]
    lines = []
    for name in names:
        enemies = [each for each in names if people[each]["side"] != people[name]["side"]]
        for _ in range(random.choice([1, 1, 2])):
            action = random.choice(ACTIONS)
            line: Data = {"by": name, "action": action}
            if action in ("shoot", "blind-fire"):
                line["at"] = [random.choice(enemies)]
                line["otherwise"] = random.sample(["reload", "stand-up"], random.randint(0, 2))
            if action == "blind-fire" and "flamer" in people[name]["weapons"]:
                line["action"] = "shoot"
            if random.random() < 0.2:
                line["in_rounds"] = [random.choice([1, 2])]
            lines.append(line)
    rulings = {
        "blaze": random.choice(["roll_first", "hit_first"]),
        "further_serious_injury": random.choice(["flesh_wound", "nothing"]),
    }
    asked: Data = {"format": 1, "system": "necromunda", "rounds": 2}
    return asked | {"combatants": people, "do": lines, "rulings": rulings}


def states(question: Opened) -> States:
    """How everybody may stand in the end.

    Without what only an activation reads, and what only the end of the battle does.
    """
    everybody = Final("", lambda view: tuple(_between(part) for part in view.parts))
    return dict(Solver(LIMIT).odds(question.opening.situation, everybody))


def _between(part: Fighter) -> Fighter:
    return replace(part, results=0, actions=None)


def written(data: Data, parts: tuple[Any, ...], rounds: int = 1) -> Data:
    """The scenario that goes on from these states when so many rounds are over."""
    question = read_question(data, fades=False)
    names = question.opening.situation.names
    return going_on(question, Situation(names, parts, ()), rounds)


@pytest.mark.parametrize("seed", range(12))
def test_two_rounds_are_the_sum_over_all_scenarios_written_after_one(seed: int) -> None:
    data = random_battle(seed)
    whole = states(read_question(data, fades=False))
    total: dict[Any, Fraction] = defaultdict(Fraction)
    for parts, p in states(read_question(data, fades=False, turns=1)).items():
        for end, then in states(read_question(written(data, parts), fades=False)).items():
            total[end] += p * then
    assert dict(total) == whole


@pytest.mark.parametrize("seed", [*range(85, 105), 107, 108, 109])
def test_what_is_forgotten_changes_no_answer(seed: int) -> None:
    data = random_battle(seed)
    solver = Solver(LIMIT)
    short, long = read_question(data).opening, read_question(data, fades=False).opening
    assert list(short.measures) == list(long.measures)
    asked = [name for name in short.measures if name.partition(".")[2] in LOOKED_AT]
    assert asked
    for name in asked:
        faded = solver.odds_by_mark(short.situation, short.measures[name])
        assert faded == solver.odds_by_mark(long.situation, long.measures[name]), name


@pytest.mark.parametrize("gun", GUNS)
def test_what_is_forgotten_changes_no_single_shot(gun: str) -> None:
    """The last action of a question is where weapons and aims are forgotten."""
    solver = Solver()
    for data in (scenario(GUNS[gun]), scenario(GUNS[gun] | {"out_of_ammo": True}, rounds=1)):
        reload = data | {"do": [{"by": "shooter", "action": "reload"}], "rounds": 1}
        for each in (data, reload) if GUNS[gun].get("ammo") else (data,):
            short, long = read_question(each).opening, read_question(each, fades=False).opening
            for name in short.measures:
                faded = solver.odds(short.situation, short.measures[name])
                assert faded == solver.odds(long.situation, long.measures[name]), name


@pytest.mark.parametrize("lines", [(), ({"by": "target", "action": "aim", "in_rounds": [1]},)])
def test_who_watches_still_knows_how_the_weapon_stands(lines: tuple[Data, ...]) -> None:
    """With no line of its own, or none any more; the weapon has one shot."""
    gun = weapon("Single Shot", range="24/48")
    watcher = {"skills": ["Overwatch"], "ready": False, "weapons": {"gun": gun}}
    data = scenario(target=watcher, rounds=3, do=[{"action": "move"}, *lines])
    assert odds_of(data, "shooter.hit") == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    gun |= {"out_of_ammo": True}
    assert odds_of(data, "shooter.hit") == {0: Fraction(1)}


STATED: list[Data] = [
    {"pinned": True},
    {"seriously_injured": True},
    {"webbed": True},
    {"webbed": True, "seriously_injured": True},
    {"on_fire": True},
    {"broken": True},
    {"blind": True},
    {"concussed": True},
    {"gunked": True},
    {"ready": False},
    {"aimed": 2},
    {"wounds": 3, "wounds_lost": 2},
    {"wounds": 1, "wounds_lost": 1},
    {"flesh_wounds": 2},
    {"field": "refractor", "burnt_out": True},
]


@pytest.mark.parametrize("condition", STATED, ids="-".join)
def test_every_condition_can_be_stated_and_comes_back(condition: Data) -> None:
    data = scenario(AUTOGUN, target=condition, rounds=1, action="aim", at=[])
    opening = read_question(data, fades=False).opening
    again = written(data, opening.situation.parts)
    assert again["combatants"] == data["combatants"]
    assert again["now"] == {"round": 2}


ARMS: list[Data] = [
    {"out_of_ammo": True},
    {"jammed": True},
    {"dry": ["flamer"]},
    {"spent": ["krak"]},
    {"dry": ["autogun"], "spent": ["krak"], "jammed": True},
    {"traits": ["Master-crafted"], "rerolled": True},
]


@pytest.mark.parametrize("condition", ARMS, ids="-".join)
def test_every_condition_of_a_weapon_can_be_stated_and_comes_back(condition: Data) -> None:
    gun = {"use": "autogun-combi-weapon", **condition}
    if "krak" in condition.get("spent", []):
        gun["traits"] = ["Combi", "Limited"]
    data = scenario(gun, rounds=1, action="aim", at=[])
    opening = read_question(data, fades=False).opening
    again = written(data, opening.situation.parts)
    assert again["combatants"] == data["combatants"]


def test_who_is_engaged_stays_so() -> None:
    data = scenario(AUTOGUN, shooter={"engaged": ["target"]}, target={"engaged": ["shooter"]})
    data["rounds"] = 1
    opening = read_question(data, fades=False).opening
    assert written(data, opening.situation.parts)["combatants"] == data["combatants"]


def test_who_is_out_of_action_stays_so() -> None:
    data = scenario(AUTOGUN, target={"out_of_action": True}, rounds=1)
    opening = read_question(data, fades=False).opening
    assert written(data, opening.situation.parts)["combatants"] == data["combatants"]


def test_where_a_burning_fighter_ran_is_written() -> None:
    """East, two inches: the twelfth direction is that of the x axis."""
    people = {"position": [0, 0], "on_fire": True, "toughness": 9}
    data = scenario(shooter=people, target={"position": [40, 0]}, action="aim", at=[], rounds=2)
    question = firepower.read(data)
    run = question.roll(dice=["1", "1", "1", "1", "12"], choose=["normal roll"], rounds=1)
    shooter = question.going_on(run, rounds=1)["combatants"]["shooter"]
    assert shooter["position"] == pytest.approx([2, 0])
    assert shooter["on_fire"]


def test_a_battle_goes_on_with_the_fighter_whose_turn_is_named() -> None:
    data = scenario(AUTOGUN, rounds=1, do=[
        {"action": "shoot", "at": ["target"]},
        {"by": "target", "action": "aim"},
    ])  # fmt: skip
    data["now"] = {"round": 3, "turn": "target"}
    measures = firepower.read(data).odds().measures
    assert measures["target.hit"].mean == 0
    assert firepower.read(data | {"now": {"round": 3}}).odds().measures["target.hit"].mean > 0


def test_what_is_forgotten_makes_questions_smaller() -> None:
    do = [
        {"action": "shoot", "at": ["target"]},
        {"by": "target", "action": "shoot", "at": ["shooter"]},
    ]
    gun = AUTOGUN | {"traits": ["Rapid Fire (2)"]}
    data = scenario(gun, target={"weapons": {"gun": gun}}, do=do, rounds=2)
    solver = Solver()
    short, long = read_question(data).opening, read_question(data, fades=False).opening
    assert solver.whole(short.situation) < solver.whole(long.situation)


def test_the_lines_of_a_battle_that_goes_on_stay_as_they_are() -> None:
    data = random_battle(0)
    question = firepower.read(data)
    for seed in range(8):
        again = question.going_on(question.roll(seed=seed, rounds=1), rounds=1)
        assert again["do"] == data["do"]
        assert again["rounds"] == 1
        firepower.read(again).roll(seed=seed)
