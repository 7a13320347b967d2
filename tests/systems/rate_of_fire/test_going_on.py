"""A fight that goes on from a scenario is the fight that was not interrupted."""

import tomllib
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import firepower
from firepower.answers.going_on import going_on
from firepower.answers.question import Opened, read_question
from firepower.chance import Final, Solver
from firepower.chance.steps import Situation

Data = dict[str, Any]

EXAMPLES = Path(__file__).parents[3] / "examples"
ACTIONS = ["single-shot", "semi-auto", "full-auto", "aim", "reload", "clear-jam"]
States = dict[Any, Fraction]


def random_fight(random: Random) -> Data:
    """Two or three who shoot at each other over two rounds, with small numbers."""
    names = ["scout", "cultist", "acolyte"][: random.choice([2, 2, 3])]
    people: Data = {}
    for i, name in enumerate(names):
        people[name] = {
            "position": [20 * i, 0],
            "ranged_combat": random.choice([20, 50, 95]),
            "toughness": random.choice([10, 20]),
            "ap": random.choice([1, 2, 3]),
            "weapons": {
                "training-rifle": {
                    "loaded": random.choice([5, 6]),
                    "magazine": 6,
                    "rof": "S/2/1d5",
                    "damage": random.choice(["d2+2 [I]", "d2+8 [I]"]),
                    "craftsmanship": random.choice(["common", "useless"]),
                }
            },
        }
        if random.random() < 0.5:
            people[name]["willpower"] = random.choice([20, 60])
        if random.random() < 0.25:
            people[name]["fate"] = 2
    lines = []
    for name in names:
        for _ in range(random.choice([1, 1, 2])):
            action = random.choice(ACTIONS)
            line: Data = {"by": name, "action": action}
            if action in ACTIONS[:3]:
                line["at"] = [random.choice([each for each in names if each != name])]
                line["otherwise"] = random.sample(["clear-jam", "reload"], random.randint(0, 2))
            if random.random() < 0.2:
                line["in_rounds"] = [random.choice([1, 2])]
            lines.append(line)
    if len({line["by"] for line in lines}) < len(names):
        lines.append({"by": names[-1], "action": "aim"})
    short = random.choice(["forbid", "partial", "downgrade"])
    rulings = {"short_ammunition": short, "pinned_recovery": random.choice(["test", "end_of_turn"])}
    policies = {"fate_reroll": random.choice(["never", "every_test"])}
    return {
        "format": 1,
        "system": "rate-of-fire",
        "rounds": 2,
        "combatants": people,
        "do": lines,
        "rulings": rulings,
        "policies": policies,
    }


def states(question: Opened) -> States:
    """How everybody may stand in the end."""
    everybody = Final("", lambda view: view.parts)
    found = Solver(1_000_000).odds(question.opening.situation, everybody)
    return dict(found)


def written(data: Data, parts: tuple[Any, ...], rounds: int) -> Data:
    """The scenario that goes on from these states when so many rounds are over."""
    question = read_question(data, fades=False)
    names = question.opening.situation.names
    return going_on(question, Situation(names, parts, ()), rounds)


@pytest.mark.parametrize("seed", range(12))
def test_two_rounds_are_the_sum_over_all_scenarios_written_after_one(seed: int) -> None:
    data = random_fight(Random(seed))
    whole = states(read_question(data, fades=False))
    total: dict[Any, Fraction] = defaultdict(Fraction)
    for parts, p in states(read_question(data, fades=False, turns=1)).items():
        for end, then in states(read_question(written(data, parts, 1), fades=False)).items():
            total[end] += p * then
    assert dict(total) == whole


@pytest.mark.parametrize("seed", range(20))
def test_what_is_forgotten_changes_no_answer(seed: int) -> None:
    data = random_fight(Random(100 + seed))
    solver = Solver(1_000_000)
    short, long = read_question(data).opening, read_question(data, fades=False).opening
    assert list(short.measures) == list(long.measures)
    for name in short.measures:
        faded = solver.odds_by_mark(short.situation, short.measures[name])
        assert faded == solver.odds_by_mark(long.situation, long.measures[name]), name


def test_what_is_forgotten_makes_questions_smaller() -> None:
    data = tomllib.loads((EXAMPLES / "duel.toml").read_text("utf-8")) | {"rounds": 2}
    solver = Solver()
    short, long = read_question(data).opening, read_question(data, fades=False).opening
    assert 2 * solver.whole(short.situation) < solver.whole(long.situation)


def test_every_condition_can_be_stated_and_comes_back() -> None:
    stated = {
        "pinned": True,
        "not_shot_at": True,
        "fatigue": 2,
        "aimed": 10,
        "begun": "reload training-rifle",
        "ap_put_in": 1,
        "fate": 3,
        "rerolled": True,
        "tireless": 2,
    }
    data = random_fight(Random(0))
    data["combatants"]["scout"] |= stated | {"toughness": 30, "willpower": 30}
    weapon = data["combatants"]["scout"]["weapons"]["training-rifle"]
    weapon |= {"loaded": 2, "jammed": True, "fired": 4, "craftsmanship": "poor"}
    data["do"] = [{"by": "scout", "action": "clear-jam"}, {"by": "cultist", "action": "aim"}]
    data["now"] = {"round": 2}
    opening = read_question(data, fades=False).opening
    again = written(data, opening.situation.parts, 1)
    assert again["combatants"] == data["combatants"]
    assert again["now"] == {"round": 3}


@pytest.mark.parametrize("by", ["injury", "fatigue"])
def test_who_is_out_of_action_stays_so(by: str) -> None:
    data = random_fight(Random(0))
    data["combatants"]["cultist"]["out_of_action"] = by
    question = read_question(data, fades=False)
    again = written(data, question.opening.situation.parts, 1)
    assert again["combatants"]["cultist"] == data["combatants"]["cultist"]
    measures = firepower.read(data).odds().measures
    assert measures["cultist.ap_gained"].mean == 0


def test_a_fight_goes_on_in_the_turn_that_is_named() -> None:
    data = random_fight(Random(0)) | {"rounds": 1, "now": {"round": 3, "turn": "cultist"}}
    measures = firepower.read(data).odds().measures
    assert measures["scout.ap_gained"].mean == 0
    assert measures["cultist.ap_gained"].mean > 0


def test_what_cannot_be_done_just_now_is_lost_in_a_fight_that_goes_on() -> None:
    data = random_fight(Random(0)) | {"rounds": 1}
    data["do"] = [{"by": "scout", "action": "single-shot", "at": ["cultist"]}]
    weapon = data["combatants"]["scout"]["weapons"]["training-rifle"]
    for change, cause in ({"jammed": True}, "jam"), ({"loaded": 0}, "ammunition"):
        before = dict(weapon)
        weapon |= change
        with pytest.raises(firepower.QuestionError):
            firepower.read(data).odds()
        lost = firepower.read(data | {"now": {"round": 2}}).odds(f"lost_to_{cause}")
        assert lost.measures[f"lost_to_{cause}"].mean == 1
        weapon.clear()
        weapon |= before


@pytest.mark.parametrize(
    ("example", "rounds", "sentence"),
    [
        ("scout", 1, "the scenario has no 'rounds', so 1 of them cannot be played"),
        ("duel", 7, "the scenario has 6 rounds, so 7 of them cannot be played"),
    ],
)
def test_no_more_rounds_are_played_than_there_are(example: str, rounds: int, sentence: str) -> None:
    with pytest.raises(firepower.QuestionError, match=sentence):
        firepower.read(EXAMPLES / f"{example}.toml").roll(seed=1, rounds=rounds)


def test_what_is_written_is_whole_or_not_there(tmp_path: Path) -> None:
    from firepower.cli.files import write_whole

    write_whole(tmp_path / "next.toml", "a = 1")
    assert [each.name for each in tmp_path.iterdir()] == ["next.toml"]
    for wrong in (tmp_path, tmp_path / "nowhere" / "next.toml"):
        with pytest.raises(firepower.QuestionError):
            write_whole(wrong, "a = 1")
    assert [each.name for each in tmp_path.iterdir()] == ["next.toml"]


def test_the_end_of_a_play_is_written_with_its_house_rules(tmp_path: Path) -> None:
    """As seen from where it is written."""
    from firepower.cli.files import write_end

    rules = EXAMPLES / "house-rules.toml"
    question = firepower.read(EXAMPLES / "scout.toml", variant=rules)
    end = question.going_on(question.roll(seed=1))
    write_end(end, str(tmp_path / "next.toml"), [str(EXAMPLES / "scout.toml")], rules)
    assert firepower.read(tmp_path / "next.toml").odds("hits").measures["hits"].mean >= 0
