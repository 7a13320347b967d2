"""Random attacks against an oracle that shares no code with the rules: equality is exact."""

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import pytest

from tests.oracles import necromunda as oracle
from tests.oracles.necromunda import Body, Burner, End, Gun, Man, Shooting, Volley, rules
from tests.systems.necromunda.asking import Data, Odds, joint, scenario

PLAIN = ("Shock", "Rending", "Shred", "Seismic", "Melta", "Sever", "Phase", "Rad-phage", "Blaze")
INSTEAD = ("Toxin", "Gas", "Web", "Scattershot", "Knockback", "Shield Breaker")
ARMOURS = ("", "", *sorted(oracle.ARMOUR))
READ = {
    name: readings
    for name, readings in oracle.READINGS.items()
    if name not in ("blaze", "unstable_symbols", "toxin")
}


# -- the same attack for both --------------------------------------------------------------------


def gun_data(gun: Gun) -> Data:
    """A weapon as a scenario states it."""
    short, long = gun.accuracy
    traits = sorted(gun.traits)
    if gun.rapid_fire:
        traits.append(f"Rapid Fire ({gun.rapid_fire})")
    ammo = {} if gun.ammo is None else {"ammo": gun.ammo}
    return {
        "range": "-/T" if gun.has("Template") else f"{gun.short or '-'}/{gun.long}",
        "accuracy": f"{short:+d}/{long:+d}",
        "strength": "-" if gun.strength is None else str(gun.strength),
        "ap": gun.ap,
        "damage": "-" if gun.damage is None else str(gun.damage),
        "traits": traits,
        **ammo,
    }


def man_data(man: Man, body: Body) -> Data:
    """Somebody as a scenario states it."""
    stated: Data = {
        "side": "theirs",
        "toughness": man.toughness,
        "wounds": man.wounds,
        "strength": man.strength,
        "distance": man.distance,
        "cool": man.cool,
        "skills": sorted(man.skills),
        "front": man.front,
        "respirator": man.respirator,
        "pinned": man.pinned,
        "on_fire": man.on_fire,
        "gunked": man.gunked,
        "blocked_behind": man.blocked_behind,
        "wounds_lost": body.lost,
        "flesh_wounds": body.flesh,
        "seriously_injured": body.down,
    }
    given = {"armour": man.armour, "field": man.field, "cover": man.cover}
    stated |= {key: value for key, value in given.items() if value}
    if man.save is not None:
        stated["save"] = man.save
    if man.engaged:
        stated["engaged"] = ["friend"]
    return stated


def as_scenario(shooting: Shooting, **policies: str) -> Data:
    """One attack, to be asked of the program."""
    names = ["target", *(f"other{i}" for i in range(1, len(shooting.men)))]
    people = {
        name: man_data(man, shooting.body(i))
        for i, (name, man) in enumerate(zip(names, shooting.men, strict=True))
    }
    line: Data = {"near": names[1:]} if len(names) > 1 else {}
    if shooting.gun.rapid_fire:
        line["dice"] = shooting.dice
    if shooting.modifiers:
        line["modifiers"] = {"luck": shooting.modifiers}
    shooter: Data = {
        "ballistic_skill": shooting.ballistic_skill,
        "skills": sorted(shooting.skills),
        "aimed": shooting.aim,
    }
    others = {name: people[name] for name in names[1:]}
    if shooting.men[0].engaged:
        others["friend"] = {"side": "ours", "engaged": ["target"]}
    return scenario(
        gun_data(shooting.gun),
        shooter=shooter,
        target=people["target"],
        others=others,
        rulings={"displacer": "after_wound"} | dict(shooting.rules.readings),
        policies={"further_hits": "target"} | policies,
        **line,
    )


def check_volley(shooting: Shooting, data: Data) -> None:
    """What the shooter rolls, jointly."""
    names = ["hits", "ammo_symbols", "ammo_failed", "jammed"]

    def look(one: Volley) -> tuple[Any, ...]:
        return one.hits, one.symbols, one.failed, one.jammed

    assert joint(data, *names) == oracle.seen(oracle.volley(shooting), look)
    dry = joint(data, "out_of_ammo", "ammo_failed", "jammed")
    assert all(out == (failed > 0 and not jammed) for out, failed, jammed in dry)
    if shooting.gun.rapid_fire:
        holes = oracle.seen(oracle.volley(shooting), lambda one: (one.holes, one.hits))
        assert joint(data, "holes", "hits") == holes


MEASURED = (
    "wounds",
    "unsaved",
    "wounds_lost",
    "flesh_wounds",
    "seriously_injured",
    "out_of_action",
    "pinned",
)


def comparable(end: End, man: Man) -> End:
    """Without what no text says.

    Flesh wounds and flames of somebody who is out of action are nobody's, and whether a wound that
    is dodged was saved before is a matter of counting. With a displacer field being pinned counts
    for those alone who lie there Pinned.
    """
    if man.field == "displacer" and (end.down or end.out):
        end = end._replace(pinned=False)
    if end.out:
        end = end._replace(flesh=0, down=False, on_fire=False)
    return end._replace(unsaved=0) if "Dodge" in man.skills else end


def check_man(shooting: Shooting, data: Data, name: str, i: int) -> Odds:
    """What becomes of somebody, jointly."""
    found = joint(data, *(f"{name}.{each}" for each in MEASURED), finals=[(name, "on_fire")])
    man = shooting.men[i]
    ours = oracle.seen(found, lambda each: comparable(End(*each), man))
    theirs = oracle.seen(oracle.ends(shooting, i), lambda end: comparable(end, man))
    assert ours == theirs
    return found


def check(shooting: Shooting, **policies: str) -> None:
    """The program and the oracle find the same."""
    data = as_scenario(shooting, **policies)
    check_volley(shooting, data)
    for i in range(len(shooting.men)):
        check_man(shooting, data, f"other{i}" if i else "target", i)


# -- any attack ----------------------------------------------------------------------------------


def any_gun(dice: Random) -> Gun:
    """Some weapon; what stands in place of the roll to wound comes alone."""
    traits = set(dice.sample(PLAIN, dice.choice([0, 0, 1, 1, 2])))
    if dice.random() < 0.3:
        traits = {dice.choice(INSTEAD)}
    if dice.random() < 0.2:
        traits.add("Combi")
    rapid_fire = dice.choice([0, 0, 1, 1, 2])
    if "Scattershot" in traits:
        rapid_fire = 0
    return Gun(
        strength=dice.randint(1, 8),
        ap=dice.choice([1, 0, 0, -1, -2, -3]),
        damage=dice.choice([1, 1, 2, 3]),
        ammo=dice.choice([None, 2, 3, 4, 5, 6]),
        short=dice.choice([0, 4, 8, 12]),
        long=24,
        accuracy=(dice.randint(-2, 2), dice.randint(-2, 2)),
        rapid_fire=rapid_fire,
        traits=frozenset(traits),
    )


def any_man(dice: Random) -> tuple[Man, Body]:
    """Somebody in some state who can be targeted."""
    wounds = dice.choice([1, 1, 2, 3])
    toughness = dice.randint(2, 5)
    down = dice.random() < 0.15
    pinned = not down and dice.random() < 0.15
    engaged = not down and not pinned and dice.random() < 0.15
    skills = frozenset(dice.sample(("Evade", "Dodge", "Nerves of Steel"), dice.choice([0, 0, 1])))
    man = Man(
        toughness=toughness,
        wounds=wounds,
        strength=dice.randint(2, 5),
        armour=dice.choice(ARMOURS),
        save=dice.choice([None, None, 3, 6]),
        field="" if "Dodge" in skills else dice.choice(["", "", "", *sorted(oracle.FIELDS)]),
        front=dice.random() < 0.7,
        respirator=dice.random() < 0.3,
        skills=skills,
        cool=dice.randint(4, 9),
        distance=dice.choice([3, 4, 6, 9, 18, 24]),
        cover="" if pinned or down else dice.choice(["", "partial", "full"]),
        engaged=engaged,
        pinned=pinned,
        on_fire=dice.random() < 0.1,
        gunked=dice.random() < 0.2,
        blocked_behind=dice.random() < 0.5,
    )
    flesh = dice.randint(0, min(2, toughness - 1))
    lost = wounds if down else dice.randint(0, wounds - 1)
    return man, Body(lost=lost, flesh=flesh, down=down)


def any_shooting(seed: int) -> Shooting:
    """Some attack at one fighter."""
    dice = Random(seed)
    gun = any_gun(dice)
    man, body = any_man(dice)
    skills = dice.sample(("Marksman", "Precision Shot", "Trick Shot"), dice.choice([0, 0, 1]))
    read = {name: dice.choice(READ[name]) for name in dice.sample(sorted(READ), dice.randint(0, 4))}
    return Shooting(
        gun=gun,
        ballistic_skill=dice.randint(2, 6),
        dice=dice.randint(1, max(1, gun.rapid_fire)),
        aim=dice.choice([0, 0, 1]),
        modifiers=dice.choice([0, 0, 0, -1, -2, 2]),
        skills=frozenset(skills),
        men=(man,),
        bodies=(body,),
        rules=rules(read),
    )


@pytest.mark.parametrize("seed", range(60))
def test_any_attack(seed: int) -> None:
    check(any_shooting(seed))


def several(seed: int) -> tuple[Shooting, str]:
    """A burst at one fighter with one or two others near, and how its hits are shared out."""
    dice = Random(1000 + seed)
    gun = replace(any_gun(dice), rapid_fire=dice.choice([1, 2, 2]))
    if gun.has("Scattershot") or gun.has("Gas") or gun.has("Toxin"):
        gun = replace(gun, traits=frozenset())
    people = [any_man(dice) for _ in range(dice.choice([2, 2, 3]))]
    men = tuple(replace(man, engaged=False, distance=dice.choice([6, 9])) for man, _ in people)
    shooting = Shooting(
        gun=gun,
        ballistic_skill=dice.randint(2, 5),
        dice=gun.rapid_fire,
        modifiers=dice.choice([0, 1, -1]),
        men=men,
        bodies=tuple(body for _, body in people),
        rules=rules({"harder_to_hit": dice.choice(["all", "cover"])}),
    )
    return shooting, dice.choice(["spread", "target"])


def splits_of(shooting: Shooting, data: Data) -> dict[int, tuple[int, ...]]:
    """How the program shares out each number of hits; it is one of the legal splits."""
    names = ["target", *(f"other{i}" for i in range(1, len(shooting.men)))]
    found = joint(data, "hits", *(f"{name}.hit" for name in names))
    splits = {hits: tuple(shares) for hits, *shares in found}
    assert len(splits) == len(found)
    for hits, shares in splits.items():
        if hits:
            assert shares in oracle.allocations(hits, len(names) - 1)
        for i, share in enumerate(shares):
            assert not share or i == 0 or oracle.may_share(shooting, i)
    return splits


@pytest.mark.parametrize("seed", range(24))
def test_any_burst_over_several(seed: int) -> None:
    """Whoever may share takes something where hits are spread, and each fares as is reckoned."""
    shooting, policy = several(seed)
    splits = splits_of(shooting, as_scenario(shooting, further_hits=policy))
    for hits, shares in splits.items():
        for i, share in enumerate(shares[1:], 1):
            takes = policy == "spread" and hits > i and oracle.may_share(shooting, i)
            assert share > 0 or not takes or sum(share > 0 for share in shares) == hits
    check(replace(shooting, split=splits.__getitem__), further_hits=policy)


# -- what random attacks leave out -------------------------------------------------------------

TEMPLATE = Gun(strength=4, ap=-1, ammo=5, short=0, traits=frozenset({"Template"}))
SHOT = Gun(strength=4, ammo=4)
BURST = replace(SHOT, rapid_fire=2)


def with_traits(gun: Gun, *traits: str) -> Gun:
    """The same weapon with more traits."""
    return replace(gun, traits=gun.traits | set(traits))


LEFT_OUT: dict[str, Shooting] = {
    "template": Shooting(gun=TEMPLATE, men=(Man(armour="flak"),)),
    "template at partial cover": Shooting(gun=TEMPLATE, men=(Man(cover="partial"),)),
    "template at armour in cover": Shooting(
        gun=TEMPLATE, men=(Man(cover="full", armour="layered-flak"),)
    ),
    "template of 2017": Shooting(
        gun=TEMPLATE, men=(Man(armour="flak"),), rules=rules({"flak_template": "plain"})
    ),
    "hazard suit in the fire": Shooting(
        gun=with_traits(TEMPLATE, "Blaze", "Rad-phage"), men=(Man(armour="hazard-suit"),)
    ),
    "gunked in the fire": Shooting(gun=with_traits(TEMPLATE, "Blaze"), men=(Man(gunked=True),)),
    "contest of Toxin": Shooting(
        gun=with_traits(TEMPLATE, "Toxin"),
        men=(Man(toughness=4, wounds=2, armour="mesh"),),
        bodies=(Body(lost=1, flesh=1),),
        rules=rules({"toxin": "contest"}),
    ),
    "Munitioneer": Shooting(gun=BURST, dice=2, skills=frozenset({"Munitioneer"})),
    "True Grit": Shooting(
        gun=replace(SHOT, damage=1), men=(Man(toughness=4, skills=frozenset({"True Grit"})),)
    ),
    "True Grit, several dice": Shooting(
        gun=replace(SHOT, damage=3),
        men=(Man(toughness=4, wounds=2, skills=frozenset({"True Grit"})),),
    ),
    "Improbable Shock": Shooting(
        gun=with_traits(SHOT, "Shock"), modifiers=-3, men=(Man(toughness=5),)
    ),
    "Marksman with a burst": Shooting(
        gun=BURST, dice=2, skills=frozenset({"Marksman"}), men=(Man(wounds=3),)
    ),
    "Marksman with Rending": Shooting(
        gun=with_traits(SHOT, "Rending"), skills=frozenset({"Marksman"}), men=(Man(wounds=3),)
    ),
    "Melta beyond Short range": Shooting(
        gun=with_traits(replace(SHOT, strength=8), "Melta"), men=(Man(distance=18),)
    ),
    "Melta at many Wounds": Shooting(
        gun=with_traits(replace(SHOT, strength=8, damage=2), "Melta"), men=(Man(wounds=3),)
    ),
    "Seismic and nerves": Shooting(
        gun=with_traits(SHOT, "Seismic"), men=(Man(skills=frozenset({"Nerves of Steel"})),)
    ),
    "beyond Long range": Shooting(gun=BURST, dice=2, men=(Man(distance=30),)),
    "a refractor field for six hits": Shooting(
        gun=BURST, dice=2, ballistic_skill=2, men=(Man(field="refractor", wounds=3),)
    ),
    "six hits on somebody who is down": Shooting(
        gun=BURST,
        dice=2,
        ballistic_skill=2,
        men=(Man(toughness=5),),
        bodies=(Body(lost=1, down=True),),
        rules=rules({"further_serious_injury": "nothing"}),
    ),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_random_attacks_leave_out(name: str) -> None:
    check(LEFT_OUT[name])


@pytest.mark.parametrize("marker", [3, 5])
@pytest.mark.parametrize(("skill", "modifier"), [(2, 0), (4, 1), (5, -3)])
def test_blast_at_one(marker: int, skill: int, modifier: int) -> None:
    data = scenario(
        gun_data(SHOT) | {"traits": [f"Blast ({marker})"]},
        shooter={"ballistic_skill": skill},
        modifiers={"luck": modifier},
    )
    covered = oracle.under_marker(skill, modifier, marker)
    misses = 1 - oracle.hit_chance(skill, modifier)
    found = joint(data, "target.hit", "shooter.hit")
    assert found[1, 0] == covered
    assert found[0, 1] == misses * oracle.scattered(marker)["shooter"]


@pytest.mark.parametrize("bystanders", [1, 2, 3])
@pytest.mark.parametrize("dice", [0, 1, 2])
def test_stray_hits(bystanders: int, dice: int) -> None:
    """Every hit that the attack would have caused goes down the line."""
    names = [f"bystander{i}" for i in range(bystanders)]
    data = scenario(
        gun_data(replace(SHOT, rapid_fire=dice)),
        others={name: {"side": "ours", "toughness": 9} for name in names},
        bystanders=names,
        dice=max(dice, 1),
    )
    would = {1: Fraction(1)} if not dice else oracle.seen(oracle.firepower(dice), lambda b: b.holes)
    missed = oracle.then(would, lambda hits: oracle.strays(hits, bystanders))
    nobody = (0,) * bystanders
    half = Fraction(1, 2)
    wanted = oracle.mixed([(nobody, half), *((taken, p * half) for taken, p in missed.items())])
    assert joint(data, *(f"{name}.hit" for name in names)) == wanted


def test_a_displaced_hit_pins_nobody() -> None:
    """It does not set on fire either."""
    gun = with_traits(TEMPLATE, "Blaze")
    check(Shooting(gun=gun, men=(Man(field="displacer"),)))


def test_being_pinned_counts_alike() -> None:
    """Who is hit is pinned, whatever the hit does besides: with a displacer field too."""
    found = joint(
        scenario(
            gun_data(TEMPLATE),
            target={"field": "displacer"},
            rulings={"displacer": "after_wound"},
        ),
        "target.unsaved",
        "target.pinned",
    )
    assert all(pinned for unsaved, pinned in found if unsaved)


# -- fire ----------------------------------------------------------------------------------------


class Fire(NamedTuple):
    """Somebody who burns for some rounds, and how the fire is fought."""

    man: Man
    start: Burner
    rounds: int
    friends: int
    double: bool
    drops: bool
    readings: dict[str, str]


def any_fire(seed: int) -> Fire:
    """Somebody on fire, alone but for friends who stand beside."""
    dice = Random(2000 + seed)
    wounds = dice.choice([1, 1, 2])
    down = dice.random() < 0.2
    man = Man(
        toughness=dice.randint(2, 5),
        wounds=wounds,
        save=dice.choice([None, None, 3, 5]),
        field=dice.choice(["", "", "refractor", "conversion"]),
    )
    body = Body(lost=wounds if down else 0, flesh=dice.randint(0, 1), down=down)
    pinned = not down and dice.random() < 0.3
    return Fire(
        man=man,
        start=Burner(body=body, pinned=pinned),
        rounds=dice.randint(1, 4),
        friends=dice.choice([0, 0, 1, 2]),
        double=dice.random() < 0.4,
        drops=dice.random() < 0.5,
        readings={"blaze": dice.choice(["roll_first", "hit_first"])},
    )


def burning_data(fire: Fire) -> Data:
    """That as a scenario, in which nobody else does anything."""
    stated = man_data(fire.man, fire.start.body)
    stated |= {"on_fire": True, "pinned": fire.start.pinned, "helpers": fire.friends}
    return scenario(
        target=stated,
        do=[{"by": "target", "action": "burn"}],
        rounds=fire.rounds,
        rulings=fire.readings,
        policies={
            "fire": "double" if fire.double else "normal",
            "drop_prone": "yes" if fire.drops else "no",
        },
    )


class Burnt(NamedTuple):
    """What is looked at when the fire is over."""

    flesh: int
    down: bool
    out: bool
    on_fire: bool
    pinned: bool


def shown(burnt: Burnt) -> Burnt:
    """Of who is out of action nothing else is said, and who is down is not Pinned besides."""
    if burnt.out:
        return Burnt(0, down=False, out=True, on_fire=False, pinned=False)
    return burnt._replace(pinned=burnt.pinned and not burnt.down)


@pytest.mark.parametrize("seed", range(24))
def test_any_fire(seed: int) -> None:
    """Activations of a burning fighter with the End phases between them, jointly."""
    fire = any_fire(seed)
    found = joint(
        burning_data(fire),
        "target.flesh_wounds",
        "target.seriously_injured",
        "target.out_of_action",
        finals=[("target", "on_fire"), ("target", "pinned")],
    )
    before = fire.start.body.flesh
    theirs = oracle.burning_rounds(
        fire.man,
        rules(fire.readings),
        fire.rounds,
        start=fire.start,
        friends=fire.friends,
        double=fire.double,
        drops=fire.drops,
        helped=fire.friends > 0,
    )

    def look(one: Burner) -> Burnt:
        body = one.body
        return shown(Burnt(body.flesh - before, body.down, body.out, one.burning, one.pinned))

    assert oracle.seen(found, lambda each: shown(Burnt(*each))) == oracle.seen(theirs, look)
