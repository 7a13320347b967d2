"""Many plays of every trait and every action agree with the exact odds; each play can be repeated.

A trait's scenario has one weapon with it, and the same without it comes to something else.
"""

import sys
from collections import Counter
from math import sqrt
from pathlib import Path
from shlex import split
from typing import Any
from zlib import crc32

import pytest
import tomli_w

import firepower
from firepower.answers.question import read_question
from firepower.chance import Generator, Policies, Solver, play
from firepower.cli.main import main
from firepower.systems.necromunda import SYSTEM
from firepower.systems.necromunda.traits import Trait, trait_of
from firepower.systems.necromunda.weapons import NOT_MODELLED
from tests.systems.necromunda import melee_helpers as melee
from tests.systems.necromunda.asking import Data, scenario, weapon

PLAYS = 1_000

ERRORS = 5
"""Standard errors that a share may be off."""

SHOT = {"action": "shoot", "at": ["target"]}
RELOAD = {"action": "reload"}
OTHER: dict[str, Data] = {"other": {"side": "theirs", "distance": 7}}
SAVED: Data = {"armour": "light-carapace", "wounds": 2}


def in_rounds(gun: Data, *lines: Data, rounds: int = 1, **more: Any) -> Data:
    """Activations of the shooter."""
    return scenario(gun, do=list(lines), rounds=rounds, **more)


def with_blade(*traits: str, others: dict[str, Data] | None = None, **me: Any) -> Data:
    """A fight with one weapon."""
    carried = {"weapons": {"gun": melee.weapon(*traits)}, "attacks": 2, **me}
    return melee.scenario(carried, others or {"b": {"armour": "mesh", "wounds": 2}})


TRAITS: dict[Trait, Data] = {
    Trait.ADDITIONAL_ATTACKS: with_blade("Additional Attacks (2)"),
    Trait.BACKSTAB: with_blade("Backstab")
    | {"do": [{"by": "a", "action": "fight", "at": ["b"], "from_behind": True}]},
    Trait.BLAST: scenario(weapon("Blast (5)"), others=OTHER, touched=["target", "other"]),
    Trait.BLAZE: in_rounds(weapon("Blaze"), SHOT, {"by": "target", "action": "aim"}),
    Trait.COMBI: in_rounds(weapon("Combi", "Rapid Fire (1)", ammo=5), SHOT),
    Trait.CONCUSSION: in_rounds(weapon("Concussion", "Flash"), SHOT)
    | {
        "do": [
            {"by": "shooter", **SHOT},
            {"by": "mate", **SHOT},
        ],
        "order": ["shooter", "mate"],
    },
    Trait.CURSED: scenario(weapon("Cursed")),
    Trait.DEFLAGRATE: scenario(weapon("Deflagrate"), target=SAVED),
    Trait.DIGI: with_blade("Digi"),
    Trait.DISARM: with_blade("Disarm", others={"b": {"weapons": {"axe": melee.weapon("Power")}}}),
    Trait.DRAG: scenario(weapon("Drag")),
    Trait.ENTANGLE: with_blade("Entangle"),
    Trait.FEAR: scenario(weapon("Fear"), others={"friend": {"side": "theirs", "near": ["target"]}}),
    Trait.FIRESTORM: scenario(weapon("Firestorm (2)", ammo=4), target=SAVED),
    Trait.FLASH: in_rounds(weapon("Flash"), SHOT),
    Trait.FORCE: with_blade("Force", psyker=True),
    Trait.GAS: scenario(weapon("Gas"), target={"respirator": True, "armour": "mesh"}),
    Trait.GRAVITON_PULSE: scenario(weapon("Graviton Pulse"), target={"strength": 4}),
    Trait.GRENADE: in_rounds(weapon("Grenade", range="-/Sx3", ammo=4), SHOT, rounds=2),
    Trait.GUNK: scenario(weapon("Gunk", "Blaze")),
    Trait.HEXAGRAMMATIC: with_blade("Hexagrammatic", others={"b": {"psyker": True, "wounds": 3}}),
    Trait.IMPALE: scenario(weapon("Impale", strength="5"), others=OTHER, behind=["other"]),
    Trait.KNOCKBACK: scenario(weapon("Knockback"), target={"blocked_behind": True, "wounds": 2}),
    Trait.LANCE: melee.scenario(
        {"weapons": {"gun": melee.weapon("Lance")}, "mounted": True}, None, "charge"
    ),
    Trait.LIMITED: in_rounds(weapon("Limited", ammo=6), SHOT, RELOAD),
    Trait.MASTER_CRAFTED: in_rounds(weapon("Master-crafted"), SHOT, rounds=2),
    Trait.MELEE: with_blade(),
    Trait.MELTA: scenario(weapon("Melta", damage="3"), target={"wounds": 2}),
    Trait.PAIRED: with_blade("Paired"),
    Trait.PARRY: melee.scenario({"attacks": 3}, {"b": {"weapons": {"gun": melee.weapon("Parry")}}}),
    Trait.PHASE: scenario(weapon("Phase"), target={"armour": "mesh", "field": "refractor"}),
    Trait.PLENTIFUL: in_rounds(weapon("Plentiful", ammo=6), SHOT, RELOAD),
    Trait.POWER: with_blade("Power"),
    Trait.POWER_PACK: with_blade("Power Pack"),
    Trait.PULVERISE: scenario(weapon("Pulverise", damage="2")),
    Trait.RAD_PHAGE: scenario(weapon("Rad-phage")),
    Trait.RAPID_FIRE: scenario(weapon("Rapid Fire (2)", ammo=4), others=OTHER, near=["other"]),
    Trait.RENDING: scenario(weapon("Rending"), target={"wounds": 2}),
    Trait.SCARCE: in_rounds(weapon("Scarce", ammo=6), SHOT, RELOAD),
    Trait.SCATTERSHOT: scenario(weapon("Scattershot"), target=SAVED),
    Trait.SEISMIC: scenario(
        weapon("Seismic"), target={"skills": ["Nerves of Steel"], "armour": "light-carapace"}
    ),
    Trait.SEVER: scenario(weapon("Sever")),
    Trait.SHIELD: melee.scenario({}, {"b": {"weapons": {"gun": melee.weapon("Shield")}}}),
    Trait.SHIELD_BREAKER: scenario(weapon("Shield Breaker"), target={"field": "conversion"}),
    Trait.SHOCK: scenario(weapon("Shock"), target={"toughness": 6}),
    Trait.SHRED: scenario(weapon("Shred", ap=-1), target={"armour": "light-carapace"}),
    Trait.SIDEARM: melee.scenario({"weapons": {"gun": melee.pistol()}}),
    Trait.SINGLE_SHOT: in_rounds(weapon("Single Shot"), SHOT, rounds=2),
    Trait.SMOKE: scenario(weapon("Smoke")),
    Trait.TEMPLATE: scenario(weapon("Template", range="-/T"), others=OTHER, at=["target", "other"]),
    Trait.TOXIN: scenario(weapon("Toxin"), target={"armour": "mesh", "wounds": 2}),
    Trait.TWIN_LINKED: scenario(weapon("Twin-linked", "Rapid Fire (2)", ammo=4)),
    Trait.UNSTABLE: scenario(weapon("Unstable", "Rapid Fire (2)", ammo=4)),
    Trait.UNWIELDY: in_rounds(weapon("Unwieldy"), {"action": "aim"}, SHOT),
    Trait.VERSATILE: melee.scenario(
        {"weapons": {"gun": melee.weapon("Versatile", range="E/3")}, "position": [0, 0]},
        {"b": {"position": [3, 0]}},
    ),
    Trait.WEB: in_rounds(weapon("Web", strength="5"), SHOT),
}
"""A scenario for each trait, whose weapon is called `gun`."""

MATE: dict[str, Data] = {"mate": {"side": "ours", "distance": 5, "weapons": {"gun": weapon()}}}
TRAITS[Trait.CONCUSSION]["combatants"]["mate"] = {
    "side": "ours",
    "distance": 5,
    "weapons": {"lamp": weapon("Flash")},
}

ALWAYS = {Trait.MELEE, Trait.SIDEARM, Trait.TEMPLATE, Trait.VERSATILE}
"""Traits without which the same weapon is none, or its range says the same."""

PINNED = {"pinned": True}
LASPISTOLS = {"weapons": {"left": {"use": "laspistol"}, "right": {"use": "autopistol"}}}

ACTIONS: dict[str, Data] = {
    "shoot": scenario(weapon(), target={"armour": "mesh", "cover": "partial"}),
    "shoot, a farther target": scenario(weapon(), others=OTHER, closer=["other"]),
    "shoot, and a bystander": scenario(weapon(), others=OTHER, bystanders=["other"]),
    "shoot at what is hard to hit": scenario(weapon(), modifiers={"fog": -4}),
    "blind-fire": scenario(weapon(), shooter=PINNED, action="blind-fire"),
    "run-and-gun": scenario(weapon(), shooter={"skills": ["Hip Shooting"]}, action="run-and-gun"),
    "fire-through-ductway": scenario(weapon(), action="fire-through-ductway", ductway=True),
    "twin-guns": scenario(shooter=LASPISTOLS, action="twin-guns", weapons=["left", "right"]),
    "burn": scenario(shooter={"on_fire": True}, do=[{"action": "burn"}]),
    "burn, as since 2018": scenario(
        shooter={"on_fire": True}, do=[{"action": "burn"}], edition="2018"
    ),
    "aim": in_rounds(weapon(), {"action": "aim"}, SHOT),
    "aim, of an expert": in_rounds(
        weapon(), {"action": "aim"}, SHOT, shooter={"skills": ["Ballistics Expert"]}
    ),
    "reload": in_rounds(weapon(ammo=4) | {"out_of_ammo": True}, RELOAD, SHOT),
    "stand-up": in_rounds(
        weapon(),
        {"action": "stand-up"},
        SHOT,
        {"by": "target", **SHOT, "at": ["shooter"]},
        target={"weapons": {"gun": weapon()}},
    ),
    "crawl": in_rounds(weapon(), {"action": "crawl"}, SHOT, shooter=PINNED),
    "run-for-cover": in_rounds(
        weapon(), SHOT, {"action": "run-for-cover"}, shooter={"broken": True}, rounds=1
    ),
    "overwatch": in_rounds(
        weapon(), SHOT, target={"skills": ["Overwatch"], "weapons": {"gun": weapon()}}, rounds=1
    ),
    "fight": melee.scenario({"attacks": 2}, {"b": {"attacks": 2}}),
    "charge": melee.scenario(
        {"weapons": {"axe": melee.weapon()}}, {"b": {"distance": 7}}, "charge"
    ),
    "coup-de-grace": melee.scenario({}, {"b": {"seriously_injured": True}}, "coup-de-grace"),
    "retreat": melee.scenario({"engaged": ["b"]}, {"b": {}}, "retreat"),
    "recovery and what comes after the battle": scenario(
        target={"seriously_injured": True}, do=[{"action": "move"}], rounds=2
    )
    | {"after_battle": True},
}

IDLE = (
    "move",
    "take-cover",
    "operate-door",
    "access-terminal",
    "force-door",
    "crawl-through-ductway",
)
"""Actions that only cost what they cost."""

CASES: dict[str, Data] = {str(trait): data for trait, data in TRAITS.items()} | ACTIONS


def answers(data: Data) -> dict[str, dict[Any, Any]]:
    """The odds of every measure."""
    opening, solver = read_question(data).opening, Solver()
    found = opening.measures.items()
    return {name: dict(solver.odds(opening.situation, each)) for name, each in found}


def without(trait: Trait) -> Data:
    """The trait's scenario with a weapon that lacks it."""
    data = TRAITS[trait]

    def plain(fighter: Data) -> Data:
        if "gun" not in fighter.get("weapons", {}):
            return fighter
        gun = fighter["weapons"]["gun"]
        left = [each for each in gun["traits"] if trait_of(each)[0] is not trait]
        return fighter | {"weapons": {"gun": gun | {"traits": left}}}

    people = {name: plain(each) for name, each in data["combatants"].items()}
    needless = {Trait.BLAST: "touched", Trait.RAPID_FIRE: "near", Trait.IMPALE: "behind"}
    drop = needless.get(trait)
    lines = [{key: n for key, n in line.items() if key != drop} for line in data["do"]]
    return data | {"combatants": people, "do": lines}


@pytest.mark.parametrize("name", CASES)
def test_plays_have_the_exact_odds(name: str) -> None:
    opening, dice = read_question(CASES[name]).opening, Generator(crc32(name.encode()))
    seen: dict[str, Counter[Any]] = {measure: Counter() for measure in opening.measures}
    for _ in range(PLAYS):
        played = play(opening.situation, dice, Policies())
        for measure, tally in opening.measures.items():
            seen[measure][played.value(tally)] += 1
    solver = Solver()
    for measure, counts in seen.items():
        exact = dict(solver.odds(opening.situation, opening.measures[measure]))
        assert set(counts) <= set(exact)
        for outcome, p in exact.items():
            bound = ERRORS * sqrt(p * (1 - p) / PLAYS)
            assert abs(counts[outcome] / PLAYS - p) <= bound, (measure, outcome)


@pytest.mark.parametrize("name", CASES)
def test_a_play_is_repeated_by_its_faces_and_options(name: str) -> None:
    question = firepower.read(CASES[name])
    for seed in range(10):
        first = question.roll(seed=seed)
        again = question.roll(dice=first.faces, choose=first.options)
        assert (again.measures, again.end) == (first.measures, first.end)


@pytest.mark.parametrize("trait", [trait for trait in TRAITS if trait not in ALWAYS])
def test_a_trait_changes_what_comes(trait: Trait) -> None:
    assert answers(TRAITS[trait]) != answers(without(trait))


def test_every_trait_that_is_a_rule_here_is_played() -> None:
    assert set(TRAITS) == set(Trait) - set(NOT_MODELLED)


@pytest.mark.parametrize("action", IDLE)
def test_an_action_that_only_costs_is_the_same_in_every_play(action: str) -> None:
    """A Double action leaves none for a shot, another one."""
    data = in_rounds(weapon(), {"action": action}, SHOT)
    lost = {"crawl-through-ductway": 1}.get(action, 0)
    assert answers(data)["actions_lost"] == {lost: 1}
    for seed in range(5):
        assert firepower.read(data).roll(seed=seed).measures["actions_lost"] == lost


def test_every_action_is_played() -> None:
    names = {rule.name for rule in SYSTEM.actions}
    assert names == {name for name in (*ACTIONS, *IDLE) if name in names}


@pytest.mark.parametrize("name", ["burn", "Twin-linked", "Rapid Fire"])
def test_the_line_that_says_the_same_again_does(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Options have names of several words, and there may be several of them."""
    path = tmp_path / "play.toml"
    path.write_text(tomli_w.dumps(CASES[name]))

    def rolled(*words: str) -> tuple[str, str]:
        monkeypatch.setattr(sys, "argv", ["firepower", "roll", str(path), *words])
        main()
        what, _, again = capsys.readouterr().out.partition("the same again: ")
        return what, again.splitlines()[0]

    for seed in range(6):
        first, again = rolled("--seed", str(seed))
        assert rolled(*split(again)) == (first, again)
