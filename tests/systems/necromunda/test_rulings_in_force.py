"""The rulings that a report lists are those that can matter: no other changes a measure."""

from typing import Any

import pytest

from firepower.answers.question import read_question
from firepower.chance import Solver
from firepower.systems.necromunda import SYSTEM
from tests.systems.necromunda import melee_helpers as melee
from tests.systems.necromunda.asking import AUTOGUN, Data, scenario, weapon

BURST = AUTOGUN | {"traits": ["Rapid Fire (2)"]}
OTHER: dict[str, Data] = {"other": {"side": "theirs", "distance": 7}}
MATE: dict[str, Data] = {"mate": {"side": "ours", "beside": ["shooter"]}}

QUESTIONS: dict[str, Data] = {
    "a lasgun": scenario({"use": "lasgun"}),
    "a burst": scenario(BURST),
    "a burst with somebody near": scenario(BURST, others=OTHER, near=["other"]),
    "a burst past a bystander": scenario(AUTOGUN, others=OTHER, bystanders=["other"]),
    "a combi weapon": scenario(weapon("Combi", "Rapid Fire (1)", ammo=4)),
    "an unstable gun": scenario(weapon("Unstable", "Rapid Fire (2)", ammo=4)),
    "a flamer": scenario({"use": "flamer"}, target={"armour": "flak"}),
    "a grenade": scenario({"use": "frag-grenade"}, target={"armour": "flak"}),
    "gas": scenario({"use": "choke-gas-grenade"}),
    "a web": scenario({"use": "web-gun"}),
    "a beam": scenario(weapon("Melta", range="-/24")),
    "a poisoned dart": scenario(weapon("Toxin")),
    "rads": scenario(weapon("Rad-phage")),
    "fear": scenario(weapon("Fear"), others={"near": {"side": "theirs", "near": ["target"]}}),
    "sparks": scenario(weapon("Shock", "Rapid Fire (1)", ammo=4)),
    "a push": scenario(weapon("Knockback", accuracy="+1/-"), target={"blocked_behind": True}),
    "somebody of grit": scenario(weapon(damage="2"), target={"skills": ["True Grit"]}),
    "an aim and a heavy gun": scenario(
        weapon("Unwieldy"),
        shooter={"skills": ["Bulging Biceps"]},
        do=[{"action": "aim"}, {"action": "shoot", "at": ["target"]}],
        rounds=1,
    ),
    "a reload": scenario(AUTOGUN | {"out_of_ammo": True}, do=[{"action": "reload"}] * 2, rounds=1),
    "a jam of what is Plentiful": scenario(
        weapon("Plentiful", ammo=4) | {"jammed": True}, do=[{"action": "reload"}] * 2, rounds=1
    ),
    "a fire": scenario(shooter={"on_fire": True}, others=MATE, do=[{"action": "burn"}]),
    "a fire in a round": scenario(
        weapon(),
        shooter={"on_fire": True},
        do=[{"action": "aim"}, {"action": "shoot", "at": ["target"]}],
        rounds=1,
    ),
    "a recovery": scenario(
        shooter={"skills": ["Medicae"], "beside": ["mate"]},
        others={"mate": {"side": "ours", "seriously_injured": True}},
        do=[{"action": "move"}],
        rounds=1,
    ),
    "the end of a battle": scenario(target={"seriously_injured": True}, do=[{"action": "move"}])
    | {"after_battle": True},
    "overwatch": scenario(
        weapon(),
        target={"skills": ["Overwatch"], "weapons": {"gun": AUTOGUN}},
        rounds=1,
    ),
    "a fight": melee.scenario({"weapons": {"axe": melee.weapon()}}),
    "a fight with a pistol": melee.scenario(
        {"attacks": 2, "weapons": {"gun": melee.pistol("Rapid Fire (1)", ammo=4)}}
    ),
    "a fight with power": melee.scenario(
        {"weapons": {"blade": melee.weapon("Power")}}, {"b": {"field": "refractor"}}
    ),
    "a charge": melee.scenario({"weapons": {"axe": melee.weapon("Disarm")}}, action="charge"),
    "a retreat": melee.scenario({"engaged": ["b"]}, {"b": {}}, "retreat"),
}


def answers(data: Data, solver: Solver) -> dict[str, Any]:
    """Every measure of a question."""
    opening = read_question(data).opening
    return {name: solver.odds(opening.situation, each) for name, each in opening.measures.items()}


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_reading_of_a_ruling_that_is_not_listed_changes_a_measure(question: str) -> None:
    data = QUESTIONS[question]
    opening = read_question(data).opening
    solver, tables = Solver(), SYSTEM.tables()
    before = answers(data, solver)
    for kind, register, listed in (
        ("rulings", tables.rulings, opening.rulings),
        ("policies", tables.policies, opening.policies),
    ):
        for name, ruling in register.items():
            if name in listed:
                continue
            for reading in ruling.readings:
                if reading != ruling.default:
                    other = data | {kind: {**data.get(kind, {}), name: reading}}
                    assert answers(other, solver) == before, (name, reading)


def test_every_ruling_is_listed_somewhere() -> None:
    listed: set[str] = set()
    for data in QUESTIONS.values():
        opening = read_question(data).opening
        listed |= {*opening.rulings, *opening.policies}
    tables = SYSTEM.tables()
    rare = {"counter_attack", "displacer", "extra_attacks", "parry", "drop_prone"}
    assert {*tables.rulings, *tables.policies} - listed <= rare


def test_what_cannot_matter_is_not_listed() -> None:
    listed = read_question(QUESTIONS["a lasgun"]).opening.rulings
    aside = ("blaze", "burning", "toxin", "harder", "power", "lasting", "sidearm", "combi")
    assert not [name for name in listed if name.startswith(aside)]
