"""How large questions may be: situations, not time."""

import firepower
from tests.systems.necromunda.asking import AUTOGUN, Data, weapon

LASGUN = weapon(ammo=2)
FLAMER = weapon("Blaze", "Template", range="-/T", strength="4", ap=-1, ammo=5)


def situations(data: Data, *measures: str) -> int:
    report = firepower.read(data).odds(*measures)
    assert not report.sampled
    return report.situations


def test_a_burst_at_three_stays_small_for_each() -> None:
    gun = AUTOGUN | {"traits": ["Rapid Fire (3)"], "strength": "4"}
    data: Data = {
        "system": "necromunda",
        "combatants": {"ann": {"side": "us", "weapons": {"gun": gun}}},
        "do": [{"by": "ann", "action": "shoot", "at": ["t0"], "near": ["t1", "t2"]}],
    }
    data["combatants"] |= {f"t{i}": {"side": "them", "distance": 6} for i in range(3)}
    for i in range(3):
        assert situations(data, f"t{i}.out_of_action") <= 500


def test_two_against_two_for_a_round() -> None:
    """Two who stand up if they must and shoot, on each side; one of them with a flamer."""
    guns = {"a1": LASGUN, "a2": AUTOGUN, "b1": AUTOGUN, "b2": FLAMER}
    foes = {"a1": ["b1", "b2"], "a2": ["b2", "b1"], "b1": ["a1", "a2"], "b2": ["a2"]}
    people = {
        name: {"side": name[0], "distance": 10, "armour": "flak", "weapons": {"gun": gun}}
        for name, gun in guns.items()
    }
    do = [
        {"by": name, "action": action, **({"at": at} if action == "shoot" else {})}
        for name, at in foes.items()
        for action in ("stand-up", "shoot")
    ]
    data = {"system": "necromunda", "combatants": people, "do": do, "rounds": 1}
    assert situations(data) <= 20_000


def test_a_burst_that_burns_four_for_three_activations() -> None:
    gun = AUTOGUN | {"traits": ["Rapid Fire (3)", "Blaze"], "strength": "4"}
    names = [f"t{i}" for i in range(4)]
    data: Data = {
        "system": "necromunda",
        "combatants": {"ann": {"side": "us", "weapons": {"gun": gun}}},
        "do": [{"by": "ann", "action": "shoot", "at": names[:1], "near": names[1:]}],
    }
    data["combatants"] |= {name: {"side": "them", "distance": 6} for name in names}
    data["do"] += [{"by": name, "action": "burn"} for _ in range(3) for name in names]
    for name in names:
        assert situations(data, f"{name}.out_of_action") <= 500
