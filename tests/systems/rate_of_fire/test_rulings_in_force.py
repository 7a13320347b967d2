"""The rulings that a report lists are those that can matter: no other changes a measure."""

from typing import Any

import pytest

from firepower.answers.question import read_question
from firepower.chance import Solver
from firepower.chance.tallies import Tally
from firepower.systems.rate_of_fire import SYSTEM

Data = dict[str, Any]

GUNNER: Data = {"ranged_combat": 45, "weapons": {"autogun": {"loaded": 30}}}
CULTIST: Data = {"distance": 40, "willpower": 35, "toughness": 30}


def asked(*lines: Data, people: Data | None = None, **more: Any) -> Data:
    combatants = {"scout": GUNNER, "cultist": CULTIST} | (people or {})
    do = [{"by": "scout", "at": ["cultist"]} | line for line in lines]
    return {"format": 1, "system": "rate-of-fire", "combatants": combatants, "do": do} | more


STORM = {"weapons": {"training-twin-carbine": {"loaded": 40}}, "ranged_combat": 45}
QUESTIONS = {
    "a single shot": asked({"action": "single-shot"}),
    "a burst": asked({"action": "semi-auto"}),
    "full auto": asked({"action": "full-auto", "dice": 1}),
    "with Storm": asked({"action": "full-auto", "dice": 1}, people={"scout": STORM}),
    "into a melee": asked(
        {"action": "semi-auto", "melee": ["acolyte"]}, people={"acolyte": CULTIST}
    ),
    "several near": asked(
        {"action": "semi-auto", "near": ["acolyte"]}, people={"acolyte": CULTIST}
    ),
    "suppressing fire": asked({"action": "suppressing-fire", "in_cone": ["cultist"]}),
    "a pinned shooter": asked(
        {"action": "single-shot"}, people={"scout": GUNNER | {"pinned": True}}
    ),
    "two shots": asked({"action": "single-shot"}, {"action": "single-shot"}),
    "a turn": asked(
        {"action": "aim"},
        {"action": "single-shot"},
        people={"scout": GUNNER | {"ap": 2}},
        rounds=1,
    ),
    "a duel": asked(
        {"action": "full-auto", "dice": 1, "otherwise": ["clear-jam", "reload"]},
        {"by": "cultist", "action": "semi-auto", "at": ["scout"]},
        people={
            "scout": GUNNER
            | {"ap": 2, "willpower": 30, "weapons": {"autogun": {"loaded": 5, "magazine": 5}}},
            "cultist": GUNNER | CULTIST | {"ap": 1},
        },
        rounds=2,
    ),
}


def answers(data: Data) -> dict[str, Any] | None:
    """Every measure; None where the question is refused under this reading."""
    opening, solver = read_question(data).opening, Solver()
    names = {name: each for name, each in opening.measures.items() if isinstance(each, Tally)}
    return {name: solver.odds(opening.situation, each) for name, each in names.items()}


@pytest.mark.parametrize("question", QUESTIONS)
def test_no_reading_of_a_ruling_that_is_not_listed_changes_a_measure(question: str) -> None:
    data = QUESTIONS[question]
    listed = read_question(data).opening.rulings
    before = answers(data)
    for name, ruling in SYSTEM.tables().rulings.items():
        if name in listed:
            continue
        for reading in ruling.readings:
            assert answers(data | {"rulings": {name: reading}}) == before, (name, reading)


def test_what_cannot_matter_is_not_listed() -> None:
    listed = read_question(QUESTIONS["a single shot"]).opening.rulings
    assert not [name for name in listed if name.startswith(("storm", "errant", "pinned", "cone"))]
