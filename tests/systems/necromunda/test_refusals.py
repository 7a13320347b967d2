"""Wrong scenarios, asked through the command line: one sentence, exit code 2, nothing else."""

from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

import firepower
from tests.systems.conftest import Ask
from tests.systems.necromunda.asking import Data, odds_of, refusal, scenario, weapon

TOML = """\
format = 1
system = "necromunda"

[combatants.gunner]
side = "house"
ballistic_skill = 4
[combatants.gunner.weapons.autogun]
ammo = 4

[combatants.mate]
side = "house"
distance = 5

[combatants.raider]
side = "outlaws"
distance = 10
toughness = 3

[[do]]
by = "gunner"
weapon = "autogun"
action = "shoot"
at = ["raider"]
"""
"""A burst at a raider, with a friend who only stands there."""

BS = "ballistic_skill = 4"
AMMO = "ammo = 4"
DISTANCE = "distance = 10"
T = "toughness = 3"
WEAPON = 'weapon = "autogun"'
SHOOT = 'action = "shoot"'
AT = 'at = ["raider"]'
CARRIED = "[combatants.gunner.weapons.autogun]\nammo = 4"
GUN = "combatants.gunner.weapons.autogun"
RAIDER = "combatants.raider"
TWIN = 'action = "twin-guns"'


class Wrong(NamedTuple):
    """A scenario, and what its refusal must name: the key with its line, and the rest."""

    text: str
    key: str
    says: str


def changed(*changes: tuple[str, str], start: str = "", end: str = "") -> str:
    """The scenario with some of its text replaced; all must be there, once."""
    text = TOML
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return start + text + end


def with_gun(name: str, *changes: tuple[str, str], keys: str = "") -> str:
    """The scenario with another weapon of the armoury, which the line does not name."""
    carried = f"[combatants.gunner.weapons.{name}]\n{keys}"
    return changed((CARRIED, carried), (f"{WEAPON}\n", ""), *changes)


def of_weapon(keys: str) -> str:
    """The scenario with these figures of the autogun."""
    return changed((AMMO, keys))


def of_raider(keys: str) -> str:
    """The scenario with this said of the raider."""
    return changed((T, f"{T}\n{keys}"))


def of_gunner(keys: str) -> str:
    """The scenario with this said of the gunner."""
    return changed((BS, f"{BS}\n{keys}"))


def of_line(keys: str) -> str:
    """The scenario with these keys in its line."""
    return changed((AT, f"{AT}\n{keys}"))


def of_action(name: str, keys: str = "") -> str:
    """The scenario with another action, which names no weapon and nobody."""
    return changed((f"{WEAPON}\n", ""), (SHOOT, f'action = "{name}"'), (AT, keys))


FORM = {
    "unknown key at the top": Wrong("colour = 1\n" + TOML, "colour (line 1)", "is not known here"),
    "unknown key of a fighter": Wrong(
        changed((T, "tougness = 3")),
        f"{RAIDER}.tougness (line 17)",
        "is not known here; did you mean toughness?",
    ),
    "unknown key of a weapon": Wrong(
        of_weapon("amo = 4"), f"{GUN}.amo (line 8)", "is not known here; did you mean ammo?"
    ),
    "unknown key of a line": Wrong(
        of_line("dices = 2"), "do[1].dices (line 24)", "is not known here; did you mean dice?"
    ),
    "text for a number": Wrong(
        changed((T, 'toughness = "3"')),
        f"{RAIDER}.toughness (line 17)",
        "must be a whole number from 1 to 20, not '3'",
    ),
    "a skill as players write it": Wrong(
        changed((BS, 'ballistic_skill = "4+"')),
        "combatants.gunner.ballistic_skill (line 6)",
        "must be a whole number from 1 to 7, not '4+'",
    ),
    "an ammo value as players write it": Wrong(
        of_weapon('ammo = "4+"'), f"{GUN}.ammo (line 8)", "from 1 to 7 or single, not '4+'"
    ),
    "a fraction": Wrong(
        changed((T, "toughness = 3.5")), f"{RAIDER}.toughness (line 17)", "not 3.5"
    ),
    "true for a number": Wrong(
        changed((T, "toughness = true")), f"{RAIDER}.toughness (line 17)", "not true"
    ),
    "a number for true": Wrong(
        of_raider("pinned = 1"), f"{RAIDER}.pinned (line 18)", "must be true or false, not 1"
    ),
    "text for true": Wrong(
        of_raider('front = "yes"'), f"{RAIDER}.front (line 18)", "must be true or false, not 'yes'"
    ),
    "a name for a list": Wrong(
        changed((AT, 'at = "raider"')), "do[1].at (line 23)", "must be a list, not 'raider'"
    ),
    "a number for text": Wrong(
        of_weapon("strength = 4"), f"{GUN}.strength (line 8)", "must be text, not 4"
    ),
    "words for a modifier": Wrong(
        of_line('modifiers = { fog = "dense" }'),
        "do[1].modifiers.fog (line 24)",
        "must be a whole number from -20 to 20, not 'dense'",
    ),
    "a position of three numbers": Wrong(
        changed((DISTANCE, "position = [0, 0, 0]")),
        f"{RAIDER}.position (line 16)",
        "must be a list of 2 numbers, not [0, 0, 0]",
    ),
    "a position that is no number": Wrong(
        changed((DISTANCE, "position = [nan, 0]")), f"{RAIDER}.position[1] (line 16)", "not nan"
    ),
    "a battle that is neither over nor goes on": Wrong(
        'after_battle = "yes"\n' + TOML, "after_battle (line 1)", "must be true or false, not 'yes'"
    ),
}

FIGURES = {
    "no ballistic skill": Wrong(
        changed((BS, "ballistic_skill = 0")),
        "combatants.gunner.ballistic_skill (line 6)",
        "must be a whole number from 1 to 7, not 0",
    ),
    "a ballistic skill of 8": Wrong(
        changed((BS, "ballistic_skill = 8")),
        "combatants.gunner.ballistic_skill (line 6)",
        "must be a whole number from 1 to 7, not 8",
    ),
    "no toughness": Wrong(
        changed((T, "toughness = 0")), f"{RAIDER}.toughness (line 17)", "from 1 to 20, not 0"
    ),
    "no wounds": Wrong(of_raider("wounds = 0"), f"{RAIDER}.wounds (line 18)", "from 1 to 20"),
    "too many wounds": Wrong(of_raider("wounds = 21"), f"{RAIDER}.wounds (line 18)", "not 21"),
    "no strength": Wrong(of_raider("strength = 0"), f"{RAIDER}.strength (line 18)", "from 1 to 20"),
    "a cool of one": Wrong(
        of_raider("cool = 1"), f"{RAIDER}.cool (line 18)", "must be a whole number from 2 to 13"
    ),
    "a negative distance": Wrong(
        changed((DISTANCE, "distance = -1")),
        f"{RAIDER}.distance (line 16)",
        "must be a number from 0 to 100000, not -1",
    ),
    "an endless distance": Wrong(
        changed((DISTANCE, "distance = inf")), f"{RAIDER}.distance (line 16)", "not inf"
    ),
    "a distance that the positions contradict": Wrong(
        changed((DISTANCE, f"{DISTANCE}\nposition = [0, 0]"), (BS, f"{BS}\nposition = [0, 5]")),
        f"{RAIDER}.distance (line 17)",
        "is 10 inches, but by their positions it is 5 inches",
    ),
    "a huge modifier": Wrong(
        of_raider("modifiers = { fog = 21 }"),
        f"{RAIDER}.modifiers.fog (line 18)",
        "must be a whole number from -20 to 20, not 21",
    ),
    "a huge aim": Wrong(
        of_gunner("aimed = 21"), "combatants.gunner.aimed (line 7)", "from -20 to 20, not 21"
    ),
    "more AP than there is": Wrong(
        of_weapon("ap = 11"), f"{GUN}.ap (line 8)", "must be a whole number from -10 to 10, not 11"
    ),
    "an ammo value of nothing": Wrong(of_weapon("ammo = 0"), f"{GUN}.ammo (line 8)", "not 0"),
    "fewer than no helpers": Wrong(
        of_raider("helpers = -1"), f"{RAIDER}.helpers (line 18)", "from 0 to 100, not -1"
    ),
    "a third kind of cover": Wrong(
        of_raider('cover = "hard"'), f"{RAIDER}.cover (line 18)", "one of full, partial, not 'hard'"
    ),
    "no rounds": Wrong("rounds = 0\n" + TOML, "rounds (line 1)", "from 1 to 100, not 0"),
}

WEAPONS = {
    "a weapon that is not carried": Wrong(
        changed((WEAPON, 'weapon = "autogn"')),
        "do[1].weapon (line 21)",
        "is 'autogn', which gunner does not carry; did you mean autogun?",
    ),
    "a weapon that the armoury lacks": Wrong(
        with_gun("autogn"),
        "combatants.gunner.weapons.autogn (line 7)",
        "is no weapon of the armoury and needs range and strength and damage; did you mean autogun",
    ),
    "a weapon used for one that there is not": Wrong(
        of_weapon('use = "lasgn"'), f"{GUN} (line 7)", "did you mean lasgun"
    ),
    "a weapon without a name": Wrong(
        with_gun('""', keys='use = "autogun"'),
        "combatants.gunner.weapons (line",
        "has the name ''; a name is not empty",
    ),
    "a profile that there is not": Wrong(
        of_line('mode = "frag"'),
        "do[1].mode (line 24)",
        "is 'frag', no profile of autogun; there is standard, static, warp",
    ),
    "a profile somebody cannot have": Wrong(
        of_weapon('profiles = ["flamer"]'), f"{GUN}.profiles[1] (line 8)", "no profile of it"
    ),
    "no weapon at all": Wrong(
        changed((CARRIED, ""), (f"{WEAPON}\n", "")),
        "do[1] (line",
        "must name its 'weapon': gunner has none",
    ),
    "one weapon of two": Wrong(
        changed((CARRIED, f"{CARRIED}\n[combatants.gunner.weapons.lasgun]"), (f"{WEAPON}\n", "")),
        "do[1] (line 20)",
        "must name its 'weapon': gunner has autogun, lasgun",
    ),
    "a shot with an axe": Wrong(with_gun("axe"), "do[1].weapon", "is 'axe', which cannot be shot"),
    "a range with a blank": Wrong(
        of_weapon('range = "8 24"'),
        f"{GUN} (line 7)",
        "'8 24' is no range; write it like 8/24, -/T, -/E or -/Sx3",
    ),
    "a range as in the tables": Wrong(
        of_weapon("range = '8\"/24\"'"), f"{GUN} (line 7)", "write it like 8/24"
    ),
    "a Short range beyond the Long one": Wrong(
        of_weapon('range = "24/8"'),
        f"{GUN} (line 7)",
        "'24/8' is no range: the Short one comes first, the Long one last",
    ),
    "a range of no inches": Wrong(of_weapon('range = "0/0"'), f"{GUN} (line 7)", "is no range"),
    "a template at Short range": Wrong(
        of_weapon('range = "T/24"'), f"{GUN} (line 7)", "'T/24' is no range"
    ),
    "thrown no times the Strength": Wrong(
        of_weapon('range = "-/Sx0"'), f"{GUN} (line 7)", "'-/Sx0' is no range"
    ),
    "an accuracy without a sign": Wrong(
        of_weapon('accuracy = "1/-"'), f"{GUN} (line 7)", "is no accuracy; write it like +1/-"
    ),
    "an accuracy for one range": Wrong(
        of_weapon('accuracy = "+1"'), f"{GUN} (line 7)", "'+1' is no accuracy"
    ),
    "a Strength that is none": Wrong(
        of_weapon('strength = "X"'),
        f"{GUN} (line 7)",
        "'X' is no strength; write it like 4, S, S+1, - or *",
    ),
    "an empty Strength": Wrong(of_weapon('strength = ""'), f"{GUN} (line 7)", "'' is no strength"),
    "a Strength without its plus": Wrong(
        of_weapon('strength = "S1"'), f"{GUN} (line 7)", "'S1' is no strength"
    ),
    "a Strength added to nothing": Wrong(
        of_weapon('strength = "+2"'), f"{GUN} (line 7)", "'+2' is no strength"
    ),
    "a Strength below the wielder's": Wrong(
        of_weapon('strength = "S-9"'), f"{GUN} (line 7)", "'S-9' is no strength"
    ),
    "a Strength of nothing": Wrong(
        of_weapon('strength = "0"'), f"{GUN} (line 7)", "'0' is no strength"
    ),
    "a Damage in words": Wrong(
        of_weapon('damage = "two"'), f"{GUN} (line 7)", "'two' is no damage; write it like 2 or -"
    ),
    "a Damage of nothing": Wrong(of_weapon('damage = "0"'), f"{GUN} (line 7)", "is no damage"),
    "a trait misspelt": Wrong(
        of_weapon('traits = ["Blazee"]'),
        f"{GUN} (line 7)",
        "no trait is called 'Blazee'; did you mean Blaze?",
    ),
    "a trait that there never was": Wrong(
        of_weapon('traits = ["Vorpal"]'), f"{GUN} (line 7)", "no trait is called 'Vorpal'"
    ),
    "a trait without its number": Wrong(
        of_weapon('traits = ["Rapid Fire"]'),
        f"{GUN} (line 7)",
        "'Rapid Fire' is no trait; write it like Rapid Fire (1)",
    ),
    "a burst of no dice": Wrong(
        of_weapon('traits = ["Rapid Fire (0)"]'),
        f"{GUN} (line 7)",
        "must have a number from 1 to 9",
    ),
    "a burst of any dice": Wrong(
        of_weapon('traits = ["Rapid Fire (*)"]'), f"{GUN} (line 7)", "write it like Rapid Fire (1)"
    ),
    "a burst in words": Wrong(
        of_weapon('traits = ["Rapid Fire (two)"]'), f"{GUN} (line 7)", "'Rapid Fire (two)'"
    ),
    "two bursts": Wrong(
        of_weapon('traits = ["Rapid Fire (1)", "Rapid Fire (2)"]'),
        f"{GUN} (line 7)",
        "Rapid Fire is named twice in 'traits'",
    ),
    "a trait with a number that has none": Wrong(
        of_weapon('traits = ["Blaze (2)"]'), f"{GUN} (line 7)", "write it like Blaze"
    ),
    "a marker without a size": Wrong(
        of_weapon('traits = ["Blast"]'), f"{GUN} (line 7)", "write it like Blast (1)"
    ),
    "a trait without letters": Wrong(
        of_weapon('traits = [""]'), f"{GUN} (line 7)", "no trait is called ''"
    ),
    "a Template that reaches far": Wrong(
        of_weapon('traits = ["Template"]'), f"{GUN} (line 7)", "so its 'range' is -/T"
    ),
    "a profile dry without Combi": Wrong(
        of_weapon('dry = ["standard"]'),
        f"{GUN}.dry (line 8)",
        "is stated, but only a Combi weapon has it",
    ),
    "another profile dry": Wrong(
        of_weapon('dry = ["flamer"]'),
        f"{GUN}.dry[1] (line 8)",
        "is 'flamer', no profile of it; there is standard, static, warp",
    ),
    "a profile gone that is reloaded": Wrong(
        of_weapon('spent = ["standard"]'),
        f"{GUN}.spent[1] (line 8)",
        "is 'standard', which is reloaded; gone for good is Scarce, Limited, Grenade, Single Shot",
    ),
    "a re-roll that was never there": Wrong(
        of_weapon("rerolled = true"), f"{GUN}.rerolled (line 8)", "it is not Master-crafted"
    ),
    "suspensors on what is light": Wrong(
        of_weapon("suspensors = true"), f"{GUN}.suspensors (line 8)", "it is not Unwieldy"
    ),
    "an axe out of ammo": Wrong(
        of_raider(f"[{RAIDER}.weapons.axe]\nout_of_ammo = true"),
        f"{RAIDER}.weapons.axe.out_of_ammo (line 19)",
        "is true, but it cannot be shot",
    ),
}

FIGHTERS = (
    {
        "an unknown profile": Wrong(
            of_raider('profile = "gangr"'),
            f"{RAIDER}.profile (line 18)",
            "is 'gangr', which is no profile; did you mean ganger?",
        ),
        "an unknown armour": Wrong(
            of_raider('armour = "mush"'),
            f"{RAIDER}.armour (line 18)",
            "is 'mush', which is none; did you mean mesh?",
        ),
        "an unknown field": Wrong(
            of_raider('field = "refracter"'),
            f"{RAIDER}.field (line 18)",
            "is 'refracter', which is none; did you mean refractor?",
        ),
        "a skill without letters": Wrong(
            of_raider('skills = [""]'), f"{RAIDER}.skills[1] (line 18)", "is empty"
        ),
        "a skill twice": Wrong(
            of_raider('skills = ["Dodge", "Dodge"]'),
            f"{RAIDER}.skills[2] (line 18)",
            "names 'Dodge' twice",
        ),
        "pinned and seriously injured": Wrong(
            of_raider("pinned = true\nseriously_injured = true"),
            f"{RAIDER}.seriously_injured (line 19)",
            "is stated, and so is 'pinned'",
        ),
        "pinned and engaged": Wrong(
            of_raider('pinned = true\nengaged = ["gunner"]'),
            f"{RAIDER}.engaged (line 19)",
            "is stated, and so is 'pinned'",
        ),
        "pinned and webbed": Wrong(
            of_raider("pinned = true\nwebbed = true"),
            f"{RAIDER}.webbed (line 19)",
            "so is 'pinned'",
        ),
        "webbed and engaged": Wrong(
            of_raider('webbed = true\nengaged = ["gunner"]'),
            f"{RAIDER}.webbed (line 18)",
            "is stated, and so is 'engaged'",
        ),
        "burnt out, without a field": Wrong(
            of_raider("burnt_out = true"),
            f"{RAIDER}.burnt_out (line 18)",
            "is true, but there is no 'field'",
        ),
        "a field burnt out that cannot": Wrong(
            of_raider('field = "conversion"\nburnt_out = true'),
            f"{RAIDER}.burnt_out (line 19)",
            "is true, but conversion does not burn out",
        ),
        "as many flesh wounds as toughness": Wrong(
            of_raider("flesh_wounds = 3"),
            f"{RAIDER}.flesh_wounds (line 18)",
            "is 3: with Toughness 3 that is out of action",
        ),
        "more wounds lost than there are": Wrong(
            of_raider("wounds_lost = 2"), f"{RAIDER}.wounds_lost (line 18)", "is 2 of 1"
        ),
        "engaged with a friend": Wrong(
            of_gunner('engaged = ["mate"]'),
            "combatants.gunner.engaged[1] (line 7)",
            "names 'mate', who is on the same side",
        ),
        "engaged with nobody": Wrong(
            of_gunner('engaged = ["ghost"]'),
            "combatants.gunner.engaged[1] (line 7)",
            "names 'ghost', who is not here; there is gunner, mate, raider",
        ),
        "engaged with oneself": Wrong(
            of_gunner('engaged = ["gunner"]'),
            "combatants.gunner.engaged[1] (line 7)",
            "names gunner",
        ),
        "engaged with somebody twice": Wrong(
            of_raider('engaged = ["gunner", "gunner"]'),
            f"{RAIDER}.engaged[2] (line 18)",
            "names 'gunner' twice",
        ),
        "beside nobody": Wrong(
            of_gunner('beside = ["ghost"]'),
            "combatants.gunner.beside[1] (line 7)",
            "who is not here",
        ),
        "near oneself": Wrong(
            of_gunner('near = ["gunner"]'),
            "combatants.gunner.near[1] (line 7)",
            "names gunner again",
        ),
        "a side with a dot": Wrong(
            changed(('side = "outlaws"', 'side = "a.b"')), f"{RAIDER}.side (line 15)", "has no dot"
        ),
        "a side that is somebody": Wrong(
            changed(('side = "outlaws"', 'side = "gunner"')), f"{RAIDER}.side (line 15)", "nobody's"
        ),
    }
    | {
        f"out of action and {key}": Wrong(
            of_raider(f"out_of_action = true\n{key} = {value}"),
            f"{RAIDER}.{key} (line 19)",
            "is stated, and so is 'out_of_action'",
        )
        for key, value in {
            "webbed": "true",
            "on_fire": "true",
            "broken": "true",
            "blind": "true",
            "concussed": "true",
            "gunked": "true",
            "aimed": "1",
            "engaged": '["gunner"]',
        }.items()
    }
    | {
        f"{key} and out of action": Wrong(
            of_raider(f"{key} = true\nout_of_action = true"),
            f"{RAIDER}.out_of_action (line 19)",
            f"is stated, and so is '{key}'",
        )
        for key in ("pinned", "seriously_injured")
    }
)

TARGETS = {
    "somebody who acts is not here": Wrong(
        changed(('by = "gunner"', 'by = "guner"')),
        "do[1].by (line 20)",
        "names 'guner', who is not here; did you mean gunner?",
    ),
    "a target who is not here": Wrong(
        changed((AT, 'at = ["raidr"]')), "do[1].at[1] (line 23)", "did you mean raider?"
    ),
    "the shooter as target": Wrong(
        changed((AT, 'at = ["gunner"]')), "do[1].at[1] (line 23)", "is 'gunner', who shoots"
    ),
    "a friend as target": Wrong(
        changed((AT, 'at = ["mate"]')), "do[1].at[1] (line 23)", "'mate', who is on the same side"
    ),
    "a target twice": Wrong(
        changed((AT, 'at = ["raider", "raider"]')), "do[1].at[2] (line 23)", "names 'raider' twice"
    ),
    "one target of two": Wrong(
        changed((f"{AT}\n", ""), end="[combatants.other]\n"),
        "do[1] (line 19)",
        "must name the target in 'at'",
    ),
    "a target that lies in cover": Wrong(
        of_raider('pinned = true\ncover = "full"'),
        "do[1].at (line 25)",
        "is raider, who lies hidden and cannot be targeted",
    ),
    "no dice": Wrong(of_line("dice = 0"), "do[1].dice (line 24)", "from 1 to 9, not 0"),
    "more dice than Rapid Fire has": Wrong(
        of_line("dice = 2"),
        "do[1].dice (line 24)",
        "is 2, but autogun rolls at most 1 Firepower dice",
    ),
    "dice without Rapid Fire": Wrong(
        with_gun("lasgun", (AT, f"{AT}\ndice = 2")), "do[1].dice", "but lasgun has no Rapid Fire"
    ),
    "near without Rapid Fire": Wrong(
        with_gun("lasgun", (AT, f'{AT}\nnear = ["mate"]')),
        "do[1].near",
        "is stated, but lasgun has no use for it",
    ),
    "near the target is the target": Wrong(
        of_line('near = ["raider"]'), "do[1].near[1] (line 24)", "names 'raider', the target"
    ),
    "near the target is the shooter": Wrong(
        of_line('near = ["gunner"]'), "do[1].near[1] (line 24)", "is 'gunner', who shoots"
    ),
    "near the target is nobody": Wrong(
        of_line('near = ["ghost"]'), "do[1].near[1] (line 24)", "who is not here"
    ),
    "near the target twice": Wrong(
        of_line('near = ["mate", "mate"]'), "do[1].near[2] (line 24)", "names 'mate' twice"
    ),
    "nobody out of sight": Wrong(
        of_line('out_of_sight = ["ghost"]'), "do[1].out_of_sight[1] (line 24)", "who is not here"
    ),
    "the target out of sight": Wrong(
        of_line('out_of_sight = ["raider"]'), "do[1].out_of_sight[1] (line 24)", "the target"
    ),
    "out of sight without Rapid Fire": Wrong(
        with_gun("lasgun", (AT, f'{AT}\nout_of_sight = ["mate"]')),
        "do[1].out_of_sight",
        "is stated, but lasgun has no use for it",
    ),
    "nobody in the way": Wrong(
        of_line('bystanders = ["ghost"]'), "do[1].bystanders[1] (line 24)", "who is not here"
    ),
    "the target in the way": Wrong(
        of_line('bystanders = ["raider"]'), "do[1].bystanders[1] (line 24)", "the target"
    ),
    "in the way of a flamer": Wrong(
        with_gun("flamer", (AT, f'{AT}\nbystanders = ["mate"]')), "do[1].bystanders", "has no use"
    ),
    "a marker of bullets": Wrong(
        of_line('touched = ["mate"]'), "do[1].touched (line 24)", "but autogun has no use for it"
    ),
    "bullets at a point": Wrong(
        of_line("point = true"), "do[1].point (line 24)", "but autogun has no use for it"
    ),
    "a marker over nobody": Wrong(
        with_gun("frag-grenade", (AT, f'{AT}\ntouched = ["ghost"]')), "do[1].touched[1]", "'ghost'"
    ),
    "a marker over somebody twice": Wrong(
        with_gun("frag-grenade", (AT, f'{AT}\ntouched = ["mate", "mate"]')),
        "do[1].touched[2]",
        "names 'mate' twice",
    ),
    "behind without Impale": Wrong(
        of_line('behind = ["mate"]'), "do[1].behind (line 24)", "but autogun has no use for it"
    ),
    "nobody behind": Wrong(
        with_gun("harpoon-launcher", (AT, f'{AT}\nbehind = ["ghost"]')),
        "do[1].behind[1]",
        "names 'ghost', who is not here",
    ),
    "the target behind itself": Wrong(
        with_gun("harpoon-launcher", (AT, f'{AT}\nbehind = ["raider"]')),
        "do[1].behind[1]",
        "names 'raider', the target",
    ),
    "nobody nearer": Wrong(
        of_line('closer = ["ghost"]'), "do[1].closer[1] (line 24)", "who is not here"
    ),
    "a friend nearer": Wrong(
        of_line('closer = ["mate"]'), "do[1].closer[1] (line 24)", "who is on the same side"
    ),
    "the target nearer than itself": Wrong(
        of_line('closer = ["raider"]'), "do[1].closer[1] (line 24)", "names 'raider', the target"
    ),
    "nearer than flames": Wrong(
        with_gun("flamer", (AT, f'{AT}\ncloser = ["raider"]')), "do[1].closer", "has no use for it"
    ),
}

ACTIONS = {
    "an action that there is not": Wrong(
        changed((SHOOT, 'action = "shot"')),
        "do[1].action (line 22)",
        "is 'shot', which is no action; did you mean shoot?",
    ),
    "no action": Wrong(
        changed((f"{SHOOT}\n", "")), "do[1] (line 19)", "must name its 'action': shoot, "
    ),
    "another action that there is not": Wrong(
        of_line('otherwise = ["reloaad"]'), "do[1].otherwise[1] (line 24)", "did you mean reload?"
    ),
    "the same again": Wrong(
        of_line('otherwise = ["shoot"]'), "do[1].otherwise[1]", "is 'shoot' a second time"
    ),
    "rounds of no round": Wrong(
        of_line("in_rounds = [1]"), "do[1].in_rounds (line 24)", "needs the key 'rounds'"
    ),
    "an order of no round": Wrong(
        'order = ["gunner"]\n' + TOML, "order (line 1)", "needs the key 'rounds'"
    ),
    "running without the skill": Wrong(
        changed((SHOOT, 'action = "run-and-gun"')),
        "do[1].action (line 22)",
        "gunner lacks Hip Shooting",
    ),
    "running with what is heavy": Wrong(
        with_gun(
            "heavy-stubber",
            (BS, f'{BS}\nskills = ["Hip Shooting"]'),
            (SHOOT, 'action = "run-and-gun"'),
        ),
        "do[1].weapon",
        "is heavy-stubber, which is Unwieldy",
    ),
    "blind fire with a marker": Wrong(
        with_gun("frag-grenade", (SHOOT, 'action = "blind-fire"')),
        "do[1].weapon",
        "is frag-grenade, which is not fired blind",
    ),
    "a ductway that is not there": Wrong(
        changed((SHOOT, 'action = "fire-through-ductway"')),
        "do[1] (line 19)",
        "needs 'ductway = true'",
    ),
    "two guns that are rifles": Wrong(
        changed(
            (CARRIED, f"{CARRIED}\n[combatants.gunner.weapons.lasgun]"),
            (WEAPON, 'weapons = ["autogun", "lasgun"]'),
            (SHOOT, TWIN),
        ),
        "do[1].weapons[1] (line 22)",
        "is 'autogun', which is no Sidearm",
    ),
    "two guns that are one": Wrong(
        with_gun("laspistol", (SHOOT, f'{TWIN}\nweapons = ["laspistol", "laspistol"]')),
        "do[1].weapons[2]",
        "names 'laspistol' twice",
    ),
    "one gun in two hands": Wrong(
        changed((WEAPON, 'weapons = ["autogun"]'), (SHOOT, TWIN)),
        "do[1].weapons (line 21)",
        "must name two Sidearms; 'weapon' and 'mode' name none",
    ),
    "two guns and a third": Wrong(
        of_line('weapons = ["a", "b", "c"]'), "do[1].weapons (line 24)", "a list of at most 2"
    ),
    "two guns that are not carried": Wrong(
        with_gun("laspistol", (SHOOT, f'{TWIN}\nweapons = ["laspistol", "lasgun"]')),
        "do[1].weapons[2]",
        "is 'lasgun', which gunner does not carry",
    ),
    "weapons of a single shot": Wrong(
        of_line('weapons = ["autogun"]'), "do[1].weapons (line 24)", "but shoot has none"
    ),
    "turned to shoot": Wrong(of_line("turned = true"), "do[1].turned", "but shoot has none"),
    "unseen to shoot": Wrong(of_line("unseen = true"), "do[1].unseen", "but shoot has none"),
    "a helper with shooting": Wrong(
        of_line('helper = "mate"'), "do[1].helper (line 24)", "is stated, but shoot has none"
    ),
    "an aim at somebody": Wrong(
        of_action("aim", AT), "do[1].at (line 22)", "is stated, but aim has none"
    ),
    "an aim with modifiers": Wrong(
        of_action("aim", "modifiers = { fog = 1 }"), "do[1].modifiers", "but aim has none"
    ),
    "an aim with a weapon": Wrong(
        of_action("aim", WEAPON), "do[1].weapon (line 22)", "is stated, but aim has none"
    ),
    "a move with dice": Wrong(of_action("move", "dice = 1"), "do[1].dice", "but move has none"),
    "a move to a point": Wrong(
        of_action("move", "point = true"), "do[1].point", "is stated, but move has none"
    ),
    "a fire at somebody": Wrong(
        of_action("burn", AT), "do[1].at (line 22)", "is stated, but burn has none"
    ),
    "reloading at somebody": Wrong(
        of_action("reload", AT), "do[1].at (line 22)", "is stated, but reload has none"
    ),
    "reloading an axe": Wrong(
        with_gun("axe", (SHOOT, 'action = "reload"'), (AT, "")),
        "do[1].weapon",
        "is 'axe', which has no ammo to reload",
    ),
    "reloading a profile that there is not": Wrong(
        of_action("reload", 'mode = "frag"'), "do[1].mode", "is 'frag', no profile of autogun"
    ),
}

READINGS = {
    "the edition of another game": Wrong(
        "edition = 2026\n" + TOML, "edition (line 1)", "is 2026: that is another game"
    ),
    "an edition in words": Wrong(
        'edition = "newest"\n' + TOML, "edition (line 1)", "there is 2017, 2018, 2023, source"
    ),
    "a ruling that there is not": Wrong(
        TOML + '[rulings]\nblase = "roll_first"\n',
        "rulings.blase (line 25)",
        "is not known; did you mean blaze?",
    ),
    "a reading that there is not": Wrong(
        TOML + '[rulings]\nblaze = "hit"\n',
        "rulings.blaze (line 25)",
        "must be one of roll_first, hit_first, not 'hit'",
    ),
    "a reading that is no text": Wrong(
        TOML + "[rulings]\nnatural_1 = 1\n", "rulings.natural_1 (line 25)", "must be text, not 1"
    ),
    "a policy that there is not": Wrong(
        TOML + '[policies]\nfires = "normal"\n', "policies.fires (line 25)", "did you mean fire?"
    ),
    "a reading of a policy that there is not": Wrong(
        TOML + '[policies]\nfire = "doubel"\n',
        "policies.fire (line 25)",
        "must be one of normal, double, not 'doubel'",
    ),
    "a ruling among the policies": Wrong(
        TOML + '[policies]\nblaze = "hit_first"\n', "policies.blaze (line 25)", "is not known"
    ),
}

HINDERED = {
    "out of ammo": Wrong(of_weapon("out_of_ammo = true"), "do[1].action", "is out of ammo for it"),
    "a jam": Wrong(of_weapon("jammed = true"), "do[1].action (line 22)", "has a jammed weapon"),
    "a profile that is gone": Wrong(
        of_weapon('spent = ["warp"]').replace(AT, f'{AT}\nmode = "warp"'),
        "do[1].action (line 22)",
        "is 'shoot', but gunner is out of ammo for it",
    ),
    "blind fire of who stands": Wrong(
        changed((SHOOT, 'action = "blind-fire"')),
        "do[1].action (line 22)",
        "is 'blind-fire', but gunner is standing and active",
    ),
    "a Double action after an Aim": Wrong(
        with_gun("heavy-stubber", (BS, f"{BS}\naimed = 1")),
        "do[1].action",
        "is 'shoot', but gunner has aimed, and it is a Double action",
    ),
    "standing up of who is down": Wrong(
        of_action("stand-up").replace(BS, f"{BS}\nseriously_injured = true"),
        "do[1].action",
        "is 'stand-up', but gunner is seriously injured",
    ),
    "a fire that does not burn": Wrong(
        of_action("burn"), "do[1].action (line 21)", "is 'burn', but gunner is not on fire"
    ),
    "reloading what is Scarce": Wrong(
        with_gun("meltagun", (SHOOT, 'action = "reload"'), (AT, ""), keys="out_of_ammo = true"),
        "do[1].action",
        "is 'reload', but gunner is out of ammo for it",
    ),
} | {
    f"a shooter who is {words}": Wrong(
        of_gunner(f"{key} = {value}"), "do[1].action (line 23)", f"but gunner is {words}"
    )
    for key, value, words in (
        ("pinned", "true", "prone and pinned"),
        ("seriously_injured", "true", "seriously injured"),
        ("webbed", "true", "seriously injured"),
        ("engaged", '["raider"]', "standing and engaged"),
        ("out_of_action", "true", "out of action"),
        ("on_fire", "true", "on fire"),
        ("broken", "true", "broken"),
        ("blind", "true", "blind"),
    )
}

SCENARIOS = FORM | FIGURES | WEAPONS | FIGHTERS | TARGETS | ACTIONS | READINGS | HINDERED


@pytest.mark.parametrize("name", SCENARIOS)
def test_wrong_scenario(name: str, tmp_path: Path, ask: Ask) -> None:
    wrong, path = SCENARIOS[name], tmp_path / "shot.toml"
    path.write_text(wrong.text)
    sentence = ask("odds", path)
    assert sentence.startswith(f"{path}: ")
    rest = sentence.removeprefix(f"{path}: ")
    assert rest.startswith(wrong.key)
    assert wrong.says in rest
    assert len(sentence) < 700


def test_the_scenario_itself_is_answered(tmp_path: Path) -> None:
    """Each scenario above is this one with a single fault."""
    path = tmp_path / "shot.toml"
    path.write_text(TOML)
    assert firepower.read(path).odds("hits").measures["hits"].mean > 0


@pytest.mark.parametrize("command", ["odds", "roll", "best"])
def test_every_command_refuses_alike(command: str, tmp_path: Path, ask: Ask) -> None:
    path = tmp_path / "shot.toml"
    path.write_text(of_line('near = ["raider"]'))
    more = {"roll": ["--seed", "1"], "best": ["--goal", "hits"]}.get(command, [])
    assert ask(command, path, *more) == (
        f"{path}: do[1].near[1] (line 24) names 'raider', the target"
    )


# -- what only seems to be wrong -------------------------------------------------------------------


def later(data: Data) -> Data:
    """The same with a line before it, after which nobody knows how things stand."""
    return data | {"do": [{"by": "target", "action": "aim"}, *data["do"]]}


@pytest.mark.parametrize(
    ("gun", "shooter"),
    [
        ({"jammed": True, "traits": ["Rapid Fire (1)"]}, {}),
        ({"out_of_ammo": True}, {}),
        ({}, {"pinned": True}),
        ({}, {"on_fire": True}),
        ({}, {"broken": True}),
    ],
)
def test_what_another_line_may_change_is_lost_instead(gun: Data, shooter: Data) -> None:
    """A first line is sure not to be done; after others, and in rounds, it is counted as lost."""
    data = scenario(weapon() | gun, shooter=shooter)
    assert "do[1].action is 'shoot', but shooter" in refusal(data)
    assert odds_of(later(data), "shooter.actions_lost") == {1: 1}


def test_what_is_done_in_its_place_is_no_refusal() -> None:
    data = scenario(weapon(ammo=2) | {"out_of_ammo": True}, otherwise=["reload"])
    assert odds_of(data, "actions_lost") == {0: 1}


def test_keys_of_a_shot_are_no_matter_of_what_is_done_in_its_place() -> None:
    """A marker that is stated for a grenade is not stated for reloading it."""
    gun = weapon("Blast (3)", ammo=2) | {"out_of_ammo": True}
    data = scenario(gun, otherwise=["reload"], touched=["target"], point=True)
    assert odds_of(data, "reloaded") == {0: Fraction(1, 6), 1: Fraction(5, 6)}


def test_an_open_line_offers_what_its_keys_are_about() -> None:
    data = scenario(weapon(ammo=2))
    del data["do"][0]["action"]
    advice = firepower.read(data).best("target.hit")
    assert set(dict(advice.decisions[0].options)) >= {"aim", "shoot gun at target"}


def test_of_two_who_stand_one_need_not_say_that_they_are_engaged() -> None:
    """A third who shoots at either has the modifier for it."""
    others = {"mate": {"side": "ours", "distance": 5}}
    for who, whom in (("mate", "target"), ("target", "mate")):
        data = scenario(weapon(), others=others)
        data["combatants"][who]["engaged"] = [whom]
        tests = firepower.read(data).odds("hits").tests
        assert ("engaged", -1) in {(part.label, part.value) for part in tests[0].parts}


def test_who_is_out_of_action_is_not_shot_at_any_more() -> None:
    data = scenario(weapon(), target={"out_of_action": True})
    assert odds_of(data, "hits") == {0: 1}


def test_friends_may_stand_under_a_marker_and_in_flames() -> None:
    others = {"mate": {"side": "ours", "distance": 5}}
    gas = weapon("Blast (3)", "Gas", strength="-", damage="-")
    for gun in (gas, weapon("Template", range="-/T")):
        assert odds_of(scenario(gun, others=others, at=["mate"]), "mate.hit")[1] > 0
