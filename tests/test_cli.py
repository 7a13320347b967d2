"""The command line: every command answers, in text and in JSON, and repeats itself."""

import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from firepower.cli.main import main

ROOT = Path(__file__).parent.parent


class Said(NamedTuple):
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Said]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(ROOT)

    def run(command: str, typed: str = "") -> Said:
        monkeypatch.setattr(sys, "argv", ["firepower", *shlex.split(command)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return run


def test_odds_of_the_example_are_those_of_the_rules(run: Run) -> None:
    data = run("odds examples/scout.toml --json --exact").data
    test = next(test for test in data["tests"] if test["target"] is not None)
    assert (test["label"], test["by"], test["target"]) == ("Full Auto Attack", "scout", 35)
    assert test["parts"] == [
        {"label": "Ranged Combat", "value": 45, "source": "scout"},
        {"label": "Full Auto Attack (Difficult)", "value": -10, "source": "rules: full-auto"},
    ]
    assert data["measures"]["hits"]["exact"] == "197/250"
    assert data["measures"]["rounds_spent"]["distribution"] == [
        {"outcome": 10, "p": 1.0, "at_least": 1.0, "exact": "1", "exact_at_least": "1"}
    ]
    jam = {row["outcome"]: row["exact"] for row in data["measures"]["jam"]["distribution"]}
    assert jam == {False: "19/20", True: "1/20"}
    assert data["method"]["kind"] == "exact"
    assert data["rulings"]["degrees"] == "one_plus_tens"
    assert data["scenario"]["combatants"]["scout"]["weapons"]["autogun"]["loaded"] == 30


def test_a_scenario_from_a_report_asks_the_same_question(run: Run, tmp_path: Path) -> None:
    first = run("odds examples/cone.toml --json").data
    again = tmp_path / "again.json"
    again.write_text(json.dumps(first["scenario"]), "utf-8")
    assert run(f"odds {again} --json").data == first


def test_probabilities_of_every_measure_sum_to_one(run: Run) -> None:
    from fractions import Fraction

    for name in ("scout", "melee", "cone"):
        for found in run(f"odds examples/{name}.toml --json --exact").data["measures"].values():
            assert sum(Fraction(row["exact"]) for row in found["distribution"]) == 1


def test_one_measure_shows_the_same_as_all(run: Run) -> None:
    everything = run("odds examples/melee.toml --json").data["measures"]
    alone = run("odds examples/melee.toml --json --measure comrade.damage").data["measures"]
    assert alone == {"comrade.damage": everything["comrade.damage"]}


def test_text_stays_within_eighty_columns(run: Run) -> None:
    for command in (
        "odds examples/cone.toml",
        "roll examples/cone.toml --seed 2",
        "best examples/choice.toml --goal combatants_out_of_action",
        "rulings rate-of-fire",
        "weapons rate-of-fire",
        "actions rate-of-fire",
        "policies rate-of-fire",
    ):
        said = run(command)
        assert said.code == 0
        assert max(map(len, said.out.splitlines())) <= 80


def test_output_has_no_colour_off_a_terminal(run: Run) -> None:
    assert "\x1b" not in run("odds examples/scout.toml").out


def test_a_seed_plays_the_same_again(run: Run) -> None:
    first, second = (run("roll examples/melee.toml --seed 11") for _ in range(2))
    assert first == second
    assert first.out != run("roll examples/melee.toml --seed 12").out


def test_the_dice_of_a_play_play_it_again(run: Run) -> None:
    for seed in range(20):
        first = run(f"roll examples/cone.toml --seed {seed} --json").data
        dice, choices = ",".join(first["dice"]), ",".join(first["choices"])
        assert (
            run(f"roll examples/cone.toml --dice {dice} --choose '{choices}' --json").data == first
        )


def test_typed_dice_play_a_worked_example(run: Run) -> None:
    data = run("roll examples/scout.toml --dice 3,4,12,4,9,1,66 --json").data
    assert data["measures"] == {
        "hits": 3,
        "errant_hits": 0,
        "jam": False,
        "weapon_degraded": False,
        "rounds_spent": 10,
        "ap_spent": 2,
        "cultist.hits": 3,
        "cultist.damage": 11 + 16 + 8,
        "cultist.injury": 5,
        "cultist.fatigue": 1 + 3 + 0,
        "cultist.out_of_action": True,
        "cultist.pinned": True,
        "cultist.pinning_degrees": 4,
        "combatants_out_of_action": 1,
    }


def test_asked_dice_survive_nonsense(run: Run) -> None:
    said = run("roll examples/scout.toml --ask", "3\nfour\n4\n12.5\n-1\n012\n4\n0\n1\n00\n")
    assert said.code == 0
    assert "a d5 has no face 'four'; its faces are 1 to 5" in said.err
    assert "a d100 has no face '12.5'" in said.err
    assert "scout: rate-of-fire dice (d5): " in said.err
    assert "cultist: damage (d10): " in said.err
    assert "10: 17 damage" in said.out


def test_asked_choices_survive_nonsense(run: Run) -> None:
    scenario = "examples/choice.toml --set 'do[1].action=semi-auto' --set 'do[1].ap=1'"
    said = run(f"roll {scenario} --ask", "40\nseven\n1\n5\n5\n")
    assert "'seven' is none of 0, 1" in said.err
    assert "how many on acolyte?  1" in said.out


def test_answers_that_end_too_soon_are_said_so(run: Run) -> None:
    said = run("roll examples/scout.toml --ask", "3\n4\n")
    assert said.code == 2
    assert said.err.endswith("firepower: the answers ended before the attack did\n")
    assert said.out == ""


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("odds examples/scout.toml --dice 3,9", "a d5 has no face '9'"),
        ("odds examples/scout.toml --dice 3", "throws 2 dice (2d5) together; 1 of their faces"),
        ("odds examples/scout.toml --dice 6", "a d5 has no face '6'"),
        ("odds examples/scout.toml --dice 3,4,90,1", "1 face too many: nothing asks for 1"),
        ("odds examples/scout.toml --choose 1", "1 option too many: nothing asks for 1"),
        ("roll examples/scout.toml --dice 3,4", "more faces than the 2 given"),
        ("roll examples/scout.toml --seed 1 --ask", "both say where dice come from"),
        ("odds examples/scout.toml --measure hitz", "no measure 'hitz' here; did you mean hits"),
        ("best examples/scout.toml --goal 'sd(hits)'", "no measure 'sd(hits)'"),
        ("best examples/scout.toml --goal 'hits<=2'", "the goal 'hits<=2' is neither"),
        ("best examples/choice.toml --goal hits --choose full", "no option 'full'; there are"),
        ("odds examples/choice.toml", "must name its 'action'"),
        ("odds rate-of-fire autogun", "neither a scenario file nor GAME WEAPON ACTION"),
        ("odds rate-of-fire", "neither a scenario file nor GAME WEAPON ACTION"),
        ("rulings chess", "no game is called 'chess'"),
        ("weapons rate-of-fire autogum", "no weapon is called 'autogum'; did you mean autogun"),
        ("odds examples/scout.toml --set loaded", "--set takes key=value, not 'loaded'"),
        ("odds examples/scout.toml --set 'do[2].dice=1'", "names the key 'do[2].dice'"),
        ("odds examples/scout.toml --set 'a..b=1'", "not written like a.b[1].c"),
        ("odds examples/scout.toml --sett a=1", "No such option"),
    ],
)
def test_a_wrong_command_is_refused_in_one_sentence(run: Run, command: str, sentence: str) -> None:
    said = run(command)
    assert (said.code, said.out) == (2, "")
    assert sentence in said.err
    assert said.err.count("\n") == 1


def test_odds_from_here_average_to_the_odds(run: Run) -> None:
    """Over all d100 rolls, odds from after the roll average to the odds before it."""
    base = "odds examples/scout.toml --json --measure cultist.damage --dice 3,4"
    whole = run(base).data["measures"]["cultist.damage"]["mean"]
    after = [
        run(f"{base},{roll}").data["measures"]["cultist.damage"]["mean"] for roll in range(1, 101)
    ]
    assert sum(after) / 100 == pytest.approx(whole, abs=1e-12)


def test_best_values_every_attack(run: Run) -> None:
    advice = run("best examples/choice.toml --goal combatants_out_of_action --json --exact").data
    first = advice["decisions"][0]
    assert set(first["options"]) == {
        "single-shot",
        "semi-auto",
        "full-auto 1",
        "full-auto 2",
        "full-auto 3",
    }
    assert first["options"][first["best"]] == advice["value"]
    assert advice["policies"] == {}


def test_best_within_fewer_action_points_has_fewer_options(run: Run) -> None:
    command = "best examples/choice.toml --goal hits --json --set 'do[1].ap=1'"
    options = run(command).data["decisions"][0]["options"]
    assert set(options) == {"single-shot", "semi-auto", "full-auto 1"}


def test_best_for_the_least_takes_the_lowest(run: Run) -> None:
    advice = run("best examples/choice.toml --goal=-rounds_spent --json").data
    assert (advice["value"], advice["decisions"][0]["best"]) == (1.0, "single-shot")


def test_the_schema_accepts_the_example(run: Run) -> None:
    schema = run("schema rate-of-fire").data
    assert "RateOfFireScenario" in schema["$ref"]
    weapon = schema["$defs"]["CarriedWeapon"]["properties"]
    assert weapon["loaded"]["description"] == "rounds in it"


def test_new_prints_a_scenario_that_runs(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    path.write_text(run("new rate-of-fire").out, "utf-8")
    assert run(f"odds {path}").code == 0


def test_the_quick_form_answers_without_a_file(run: Run) -> None:
    said = run(
        "odds rate-of-fire autogun full-auto --set combatants.shooter.ranged_combat=45 "
        "--set combatants.target.distance=40 --json --exact"
    )
    assert said.data["measures"]["hits"]["exact"] == "33/50"
    assert [what.partition(":")[0] for what in said.data["not_modelled"]] == [
        "more rate-of-fire dice",
        "ammunition",
        "injuries of target",
        "pinning of target",
    ]


def test_our_own_fault_ends_in_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("firepower.cli.main.read", broken)
    said = run("odds examples/scout.toml")
    assert (said.code, said.out) == (1, "")
    assert said.err == "firepower: our fault, not yours: ZeroDivisionError: oops\n"


def test_help_names_every_command(run: Run) -> None:
    said = run("--help")
    assert said.code == 0
    for command in ("odds", "roll", "best", "weapons", "actions", "rulings", "policies", "new"):
        assert f"  {command} " in said.out


@pytest.mark.parametrize("golden", sorted((ROOT / "tests" / "golden").glob("*.json")), ids=str)
def test_a_seed_plays_what_it_always_played(run: Run, golden: Path) -> None:
    """Recorded with `firepower roll examples/NAME.toml --seed SEED --json`."""
    name, _, seed = golden.stem.partition("-")
    data = run(f"roll examples/{name}.toml --seed {seed} --json").data
    assert data == json.loads(golden.read_text("utf-8"))


def test_an_option_is_worth_what_came_before_it_too(run: Run) -> None:
    advice = run("best examples/choice.toml --goal hits --json").data
    later = {each["label"][0]: each["options"]["0"] for each in advice["decisions"][1:]}
    assert later == {"3": 4.0, "2": 3.0, "1": 2.0}


def test_options_that_are_not_lawful_are_named(run: Run) -> None:
    command = "best examples/choice.toml --goal hits --json"
    data = run(f"{command} --set combatants.scout.weapons.autogun.loaded=9").data
    assert [what.partition(":")[0] for what in data["not_modelled"]] == [
        "full-auto 2 as an option",
        "full-auto 3 as an option",
        "suppressing-fire as an option",
    ]


# -- fights --------------------------------------------------------------------------------------


def test_odds_after_each_round(run: Run) -> None:
    asked = "odds examples/duel.toml --set rounds=2 --measure cultist.injury --by-round"
    data = run(f"{asked} --json").data
    assert [each["round"] for each in data["rounds"]] == [1, 2]
    means = [each["measures"]["cultist.injury"]["mean"] for each in data["rounds"]]
    assert means[0] < means[1] == data["measures"]["cultist.injury"]["mean"]
    assert "after round" in run(asked).out


def test_one_attack_has_no_rounds(run: Run) -> None:
    said = run("odds examples/scout.toml --by-round")
    assert (said.code, said.out) == (2, "")
    assert "without 'rounds' there are none" in said.err


def test_what_is_too_large_is_sampled_with_its_standard_errors(run: Run) -> None:
    asked = "odds examples/duel.toml --set rounds=2 --measure cultist.out_of_action --limit 500"
    data = run(f"{asked} --samples 400 --json --exact").data
    assert data["method"]["kind"] == "sampled"
    assert (data["method"]["limit"], data["method"]["samples"]) == (500, 400)
    assert data["method"]["limit_of"] == "situations"
    measure = data["measures"]["cultist.out_of_action"]
    assert 0 < measure["mean_error"] < 0.03
    assert "exact" not in measure["distribution"][0]
    text = run(f"{asked} --samples 400").out
    assert "±" in text
    assert (
        "sampled: 400 plays, as the question needs more than 500 situations; "
        "± is one standard error"
    ) in " ".join(text.split())
    refused = run(f"{asked} --samples 0")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        "firepower: the question needs more than 500 situations: "
        "ask for less (fewer rounds or turns, one --measure, or state what is left open), "
        "or raise --limit\n"
    )


def test_what_is_too_much_work_is_sampled(run: Run) -> None:
    asked = "odds examples/duel.toml --set rounds=2 --measure cultist.out_of_action --work 1000000"
    method = run(f"{asked} --samples 400 --json").data["method"]
    assert (method["kind"], method["samples"]) == ("sampled", 400)
    assert (method["limit"], method["limit_of"]) == (1_000_000, "work")
    text = " ".join(run(f"{asked} --samples 400").out.split())
    assert "sampled: 400 plays, as the question needs more than 1,000,000 units of work;" in text
    refused = run(f"{asked} --samples 0")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == (
        "firepower: the question needs more than 1,000,000 units of work: "
        "ask for less (fewer rounds or turns, one --measure, or state what is left open), "
        "or raise --work\n"
    )


def test_where_all_is_exact_no_limit_is_named(run: Run) -> None:
    asked = "odds examples/duel.toml --set rounds=1 --measure cultist.injury --json"
    assert set(run(asked).data["method"]) == {"kind", "situations"}


def test_a_measure_has_an_answer_of_one_kind_for_every_round(run: Run) -> None:
    """The first round alone would be small enough: it is sampled all the same."""
    asked = "odds examples/duel.toml --measure cultist.out_of_action --by-round --json --limit 5000"
    one = run(f"{asked} --set rounds=1").data
    assert one["method"]["kind"] == "exact"
    data = run(f"{asked} --set rounds=3 --samples 400").data
    assert data["method"]["kind"] == "sampled"
    rounds = [each["measures"]["cultist.out_of_action"] for each in data["rounds"]]
    assert len(rounds) == 3
    assert all("mean_error" in each for each in rounds)
    assert rounds[-1] == data["measures"]["cultist.out_of_action"]
    means = [each["mean"] for each in rounds]
    assert means == sorted(means)


def test_the_best_of_several_turns_is_a_plan(run: Run) -> None:
    one, two = (
        run(f"best examples/turn.toml --goal cultist.out_of_action --turns {n} --json").data
        for n in (1, 2)
    )
    assert (one["turns"], two["turns"]) == (1, 2)
    assert one["value"] < two["value"]
    options = two["decisions"][0]["options"]
    assert set(options) == {"single-shot", "semi-auto", "aim", "reload", "end turn"}
    assert max(options.values()) == two["value"]
    text = run("best examples/turn.toml --goal cultist.out_of_action --turns 2").out
    assert "comes up" in text
    assert "come up less often" in text


def test_the_best_of_a_turn_has_the_turns_ap_from_its_line(run: Run) -> None:
    data = run("best examples/choice.toml --goal combatants_out_of_action --turns 1 --json").data
    assert "3 AP" in data["decisions"][0]["when"]


def test_others_may_play_against_the_goal(run: Run) -> None:
    asked = "best examples/turn.toml --goal cultist.out_of_action --turns 1 --json"
    asked += " --set combatants.cultist.fate=20"
    plain, against = run(asked).data, run(f"{asked} --against best").data
    assert against["value"] < plain["value"]
    assert plain["policies"]["fate_damage"] == "never"
    assert against["policies"] == {}


def test_a_too_large_plan_is_refused(run: Run) -> None:
    said = run("best examples/turn.toml --goal cultist.out_of_action --turns 3 --limit 1000")
    assert (said.code, said.out) == (2, "")
    assert "the question needs more than 1,000 situations: " in said.err
    assert "raise --limit" in said.err


def test_an_open_turn_is_played_by_asking(run: Run) -> None:
    typed = "aim\nnonsense\nsingle-shot\n12\n"
    said = run("roll examples/turn.toml --set rounds=1 --ask", typed + "5\n" * 10)
    assert said.code == 0
    assert "aim" in said.out
    assert "is none of" in said.err


def test_who_is_asked_is_told_how_things_stand(run: Run) -> None:
    """The round, then who decides, then everybody else of whom there is something to say."""
    scenario = "examples/turn.toml --set rounds=2 --set combatants.cultist.fate=3"
    typed = ["aim", "", "aim", "single-shot", "99", "yes", "5", "40", "5", ""]
    said = run(f"roll {scenario} --ask", "".join(f"{each}\n" for each in typed))
    assert said.code == 0
    actions = "single-shot, semi-auto, reload, aim, end turn; Enter for end turn"
    test = "Single Shot Attack (d100, 70 or less, jams on 96+)"
    failed = "Single Shot Attack (70 or less) failed, jam: roll again with Fate?"
    assert said.err.removesuffix(": ").split("]: ") == [
        f"round 1: 2 AP, 3 loaded, 6 Fate; cultist 3 Fate: what next? [{actions}",
        f"round 1: 1 AP, 3 loaded, aimed +10, 6 Fate; cultist 3 Fate: what next? [{actions}",
        f"round 2: 2 AP, 3 loaded, aimed +10, 6 Fate; cultist 3 Fate: what next? [{actions}",
        "round 2: 1 AP, 3 loaded, aimed +20, 6 Fate; cultist 3 Fate: what next? "
        "[single-shot, semi-auto, reload, end turn; Enter for end turn",
        f"marksman: {test}: "
        f"round 2: 0 AP, 3 loaded, 6 Fate; cultist 3 Fate: {failed} [no, yes; Enter for no",
        f"marksman: cost of Fate (d5): marksman: {test}: cultist: damage (d10): "
        "round 2: 3 Fate; marksman 0 AP, 2 loaded, 0 Fate, re-roll used: "
        "10 damage: how much less with Fate? [0, 1, 2, 3; Enter for 0]",
    ]


def test_who_is_asked_in_one_attack_is_told_no_round(run: Run) -> None:
    scenario = "examples/choice.toml --set 'do[1].action=semi-auto' --set 'do[1].ap=1'"
    said = run(f"roll {scenario} --ask", "40\n1\n5\n5\n")
    asked = "28 loaded: 1 further hit to allocate: how many on acolyte? [0, 1; Enter for 0]: "
    assert said.err.startswith(f"scout: Semi-Auto Attack (d100, 55 or less, jams on 96+): {asked}")
    assert "round" not in said.err


def test_a_fight_is_told_round_by_round(run: Run) -> None:
    said = run("roll examples/duel.toml --set rounds=2 --seed 291").out
    assert said.index("round 1 is over") < said.index("round 2 is over")
    assert "clear-jam in place of semi-auto" in said
    assert "fatigued" in said


def test_where_no_option_changes_the_value_nothing_is_called_best(run: Run) -> None:
    """A cultist of Toughness 90 is not brought down in one turn."""
    asked = "best examples/turn.toml --goal cultist.out_of_action --turns 1"
    said = run(f"{asked} --set combatants.cultist.toughness=90").out
    assert "no option changes it" in said
    assert "best" not in said


@pytest.mark.parametrize(
    ("variant", "says"),
    [
        ('[fate]\nstart = "x"\n', "fate (line 2) is wrong: 'x' is not a dice expression"),
        ("[turn]\nclear_jam_ap = 0\n", "turn.clear_jam_ap (line 3) must be a whole number from 1"),
        ("[turn]\nap = -3\n", "turn.ap (line 3) must be a whole number from 0"),
    ],
)
def test_senseless_house_rules_are_refused(
    run: Run, tmp_path: Path, variant: str, says: str
) -> None:
    path = tmp_path / "house.toml"
    path.write_text(f'extends = "rate-of-fire"\n{variant}')
    said = run(f"odds examples/duel.toml --variant {path}")
    assert (said.code, said.out) == (2, "")
    assert says in said.err


def test_the_package_is_the_command() -> None:
    said = subprocess.run(
        [sys.executable, "-m", "firepower", "odds", "examples/scout.toml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "hits" in said.stdout


# -- where a play ends ----------------------------------------------------------------------------

ONE_ROUND = "roll examples/duel.toml --seed 5 --rounds 1 --end"


def test_what_goes_on_is_written_as_the_file_is_called(run: Run, tmp_path: Path) -> None:
    for name in ("next.toml", "next.json"):
        assert run(f"{ONE_ROUND} {tmp_path / name}").code == 0
    ends = [
        run(f"odds {tmp_path / name} --json --exact").data for name in ("next.toml", "next.json")
    ]
    assert ends[0] == ends[1]
    assert json.loads((tmp_path / "next.json").read_text("utf-8"))["now"]["round"] == 2


def test_what_goes_on_is_written_where_a_link_leads(run: Run, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    real, link = tmp_path / "far" / "real.toml", tmp_path / "link.toml"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    assert run(f"{ONE_ROUND} {link}").code == 0
    assert link.is_symlink()
    assert "round = 2" in real.read_text("utf-8")
    assert real.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in real.parent.iterdir()] == ["real.toml"]


def test_what_is_no_file_is_not_written(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, why in (
        (tmp_path / "pipe", "is a device or pipe, not a file to write"),
        (Path("/dev/null"), "is a device or pipe, not a file to write"),
        (tmp_path, "is a directory, not a file to write"),
        (tmp_path / "none" / "next.toml", "cannot be written: No such file or directory"),
    ):
        said = run(f"{ONE_ROUND} {path}")
        assert (said.code, said.out, said.err) == (2, "", f"firepower: {path} {why}\n")


def test_a_file_that_cannot_take_the_place_of_another_is_not_left(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    said = run(f"{ONE_ROUND} {tmp_path / 'next.toml'}")
    assert (said.code, list(tmp_path.iterdir())) == (2, [])
    assert "cannot be written: No space left on device" in said.err


def test_what_goes_on_but_cannot_be_asked_is_said(run: Run, tmp_path: Path) -> None:
    """The weapon jams with the one attack, so it cannot be made again."""
    end = tmp_path / "next.toml"
    said = run(f"roll examples/scout.toml --dice 5,5,96 --seed 1 --end {end}")
    why = "is true: a jammed weapon cannot fire until it is cleared\n"
    where = "combatants.scout.weapons.autogun.jammed"
    assert said.code == 0
    assert said.err == f"note: asked as it is, what goes on is refused: {where} {why}"
    assert run(f"odds {end}").err.endswith(why)
