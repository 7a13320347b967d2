"""Cases of the rulings and policies about turns, which `test_rulings` goes through.

Unless a comment says otherwise the scout has Ranged Combat 45 and an autogun, and shoots at
somebody 50 m away, in the Effective band, who cannot be hurt: 55 rolls of a hundred hit with a
single shot, 35 if the scout is pinned, 45 if fatigued. A gunner shoots back as well.
"""

from tests.systems.rate_of_fire.helpers import (
    CULTIST,
    DUMMY,
    GUNNER,
    Case,
    certain,
    chance,
    fight,
    hundredths,
    scenario,
)

SHOT = {"action": "single-shot", "at": ["cultist"]}
BURST = {"action": "semi-auto", "at": ["cultist"]}
FULL_AUTO = {"action": "full-auto", "at": ["cultist"]}
AIM = {"action": "aim"}
RELOAD = {"action": "reload"}
CLEAR_JAM = {"action": "clear-jam"}

SUPPRESSED = {"by": "cultist", "action": "suppressing-fire", "in_cone": ["scout"]}
"""The scout is pinned in six cases of ten, by a Willpower of 40."""

SHOT_AT = {"by": "cultist", "action": "single-shot", "at": ["scout"]}
"""The scout is hit in 55 cases of a hundred."""

TARGET = {"cultist": DUMMY}
ENEMY = {"cultist": GUNNER}


def hurting(damage: str) -> dict[str, object]:
    """A gunner whose hits do this damage; it is counted in toughness bonuses of 1."""
    return {"cultist": GUNNER | {"weapons": {"autogun": {"loaded": 100, "damage": damage}}}}


SERIOUS, ACUTE = hurting("d1+3 [I]"), hurting("d1+4 [I]")
"""More than three times the bonus: one level of fatigue; more than four times: two."""

DEADLY = {"damage": "d1+6 [I]"}
"""Seven points of damage kill a bonus of 1, six do not."""

FATED = CULTIST | {"toughness": 10, "fate": 100}

FIGHT_CASES: dict[str, list[Case]] = {
    "shots_in_a_turn": [
        # 15 shots at most: 5 of one die, 10 of two, 2 of a burst; 5 in 100 jam each time
        Case(
            fight(FULL_AUTO | {"dice": 1}, FULL_AUTO | {"dice": 2}, BURST, people=TARGET),
            "rounds_spent",
            {
                "every_attack": hundredths({5: 5, 15: 95}),
                "full_auto_dice": hundredths({5: 5, 15: "4.75", 17: "90.25"}),
                "one_attack": hundredths({5: 5, 7: 95}),
            },
        )
    ],
    "aim_bonus": [
        # 55, and 20, 30 or 10 more
        Case(
            fight(AIM, AIM, AIM, SHOT, people=TARGET),
            "hits",
            {
                "up_to_twenty": hundredths({1: 75}),
                "without_end": hundredths({1: 85}),
                "only_ten": hundredths({1: 65}),
            },
        )
    ],
    "aim_lasts": [
        # reloaded between the aim and the shot
        Case(
            fight(AIM, RELOAD, SHOT, carried={"loaded": 1, "magazine": 30}, people=TARGET),
            "hits",
            {"next_action": hundredths({1: 55}), "next_attack": hundredths({1: 65})},
        )
    ],
    "long_actions": [
        # 2 AP to reload, 1 in each turn: full at the end of the second, a shot in the third
        Case(
            fight(
                SHOT | {"otherwise": ["reload"]},
                rounds=3,
                shooter={"ap": 1},
                carried={"loaded": 0, "magazine": 30},
                people=TARGET,
            ),
            "rounds_spent",
            {"over_turns": certain(1), "in_one_turn": certain(0)},
        )
    ],
    "clear_jam": [
        # 45 rolls clear the jam
        Case(
            fight(
                CLEAR_JAM,
                SHOT,
                carried={"jammed": True},
                people=TARGET,
                rulings={"clear_jam_rounds": "kept"},
            ),
            "rounds_spent",
            {"test": hundredths({1: 45}), "automatic": certain(1)},
        )
    ],
    "clear_jam_rounds": [
        Case(
            fight(
                CLEAR_JAM,
                SHOT,
                carried={"jammed": True},
                people=TARGET,
                rulings={"clear_jam": "automatic"},
            ),
            "rounds_spent",
            {"lost": certain(0), "kept": certain(1)},
        )
    ],
    "reload_jammed": [
        # 5 in 100 jam
        Case(
            fight(
                SHOT,
                {"by": "scout", "action": "reload"},
                shooter={"ap": 3},
                carried={"loaded": 5, "magazine": 10},
                people=TARGET,
            ),
            "actions_lost",
            {"yes": certain(0), "no": hundredths({1: 5})},
        )
    ],
    "below_useless": [
        # 5 in 100 jam; of those half fail a check at 6, and the second shot may be the last
        Case(
            fight(
                SHOT,
                CLEAR_JAM,
                SHOT,
                carried={"craftsmanship": "useless"},
                people=TARGET,
                rulings={"clear_jam": "automatic", "clear_jam_rounds": "kept"},
            ),
            "rounds_spent",
            {"stays_useless": certain(2), "breaks": hundredths({1: "2.5", 2: "97.5"})},
        )
    ],
    "pinned_to_hit": [
        # 40 of 100 hit with 55, 60 with 35: 22 and 21
        Case(
            fight(SUPPRESSED, SHOT, shooter={"willpower": 40}, people=ENEMY),
            "scout.hits_scored",
            {"minus_20": hundredths({1: 43}), "unchanged": hundredths({1: 55})},
        )
    ],
    "pinned_actions": [
        # of 3 AP
        Case(
            fight(SUPPRESSED, SHOT, shooter={"willpower": 40, "ap": 3}, people=ENEMY),
            "scout.ap_gained",
            {
                "half": hundredths({2: 60, 3: 40}),
                "all": certain(3),
                "nothing": hundredths({3: 40}),
            },
        )
    ],
    "pinned_recovery": [
        # Two turns end before the shot. Still pinned then: 0.6 x 0.6, after being shot at, x 0.3;
        # 0.6 x 0.6 x 0.6; nobody; 0.6. So many times 20 rolls hit no more.
        Case(
            fight(
                SUPPRESSED | {"in_rounds": [1]},
                SHOT | {"in_rounds": [3]},
                rounds=3,
                shooter={"willpower": 40},
                people=ENEMY,
            ),
            "scout.hits_scored",
            {
                "test": hundredths({1: "52.84"}),
                "plain_test": hundredths({1: "50.68"}),
                "end_of_turn": hundredths({1: 55}),
                "never": hundredths({1: 43}),
            },
        )
    ],
    "fatigued": [
        # 45 of 100 hit with 55, 55 with 45
        Case(
            fight(SHOT_AT, SHOT, shooter={"toughness": 10}, people=SERIOUS),
            "scout.hits_scored",
            {"minus_10": hundredths({1: "49.5"}), "unchanged": hundredths({1: 55})},
        )
    ],
    "fatigue_collapse": [
        # two levels, for a toughness bonus of 1
        Case(
            fight(SHOT_AT, SHOT, shooter={"toughness": 10}, people=ACUTE),
            "scout.out_of_action",
            {"toughness_bonus": chance(55), "any": chance(0)},
        )
    ],
    "delay_ap": [
        # 1 AP, which is needed for the shot
        Case(
            fight(
                {"action": "delay", "at": ["cultist"]},
                SHOT,
                AIM | {"by": "cultist"},
                shooter={"ap": 1},
                people=ENEMY,
            ),
            "scout.rounds_spent",
            {"one": certain(0), "nothing": certain(1)},
        )
    ],
    "fate_turn": [
        # 45 of 100 miss and roll again; then 60 of 100 are pinned, or 36 if they roll again too:
        # 0.45 x 60 + 0.55 x 36
        Case(
            fight(
                SHOT,
                SUPPRESSED,
                shooter={"willpower": 40, "fate": 100},
                people=ENEMY,
                policies={"fate_reroll": "every_test"},
            ),
            "scout.pinned",
            {"own": chance("46.8"), "anybodys": chance(36)},
        )
    ],
    "fate_short": [
        # a use costs 2 to 6, and there is one point: 55 and 0.45 x 55
        Case(
            scenario(
                "single-shot",
                shooter={"fate": 1},
                people=TARGET,
                policies={"fate_reroll": "attacks"},
            ),
            "hits",
            {"any_left": hundredths({1: "79.75"}), "highest_cost": hundredths({1: 55})},
        )
    ],
    "fate_mitigation": [
        # one point is enough; the dice take 2 to 6, a fifth of the hits each
        Case(
            scenario(
                "single-shot",
                carried=DEADLY,
                people={"cultist": FATED},
                policies={"fate_damage": "to_survive"},
            ),
            "cultist.damage",
            {
                "chosen": hundredths({6: 55}),
                "rolled": hundredths(dict.fromkeys((1, 2, 3, 4, 5), 11)),
            },
        )
    ],
    "target": [
        # the second of those who are named is 10 m closer
        Case(
            fight(
                SHOT | {"at": ["cultist", "bystander"]},
                people={"cultist": DUMMY, "bystander": {"distance": 40}},
            ),
            "bystander.hits",
            {"as_listed": certain(0), "closest": hundredths({1: 55})},
        )
    ],
    "fate_reroll": [
        # 55 and 0.45 x 55
        Case(
            scenario("single-shot", shooter={"fate": 100}, people=TARGET),
            "hits",
            {
                "never": hundredths({1: 55}),
                "attacks": hundredths({1: "79.75"}),
                "every_test": hundredths({1: "79.75"}),
            },
        ),
        # 60 and 0.6 x 60
        Case(
            scenario("suppressing-fire", people={"cultist": CULTIST | {"fate": 100}}),
            "cultist.pinned",
            {"never": chance(60), "attacks": chance(60), "every_test": chance(36)},
        ),
    ],
    "fate_surprise": [
        # a bonus of 3: 1 to 3 lose nothing, 4 and 5 one and two of 3 AP, the rest all of them
        Case(
            fight(
                SHOT,
                shooter={"ap": 3, "surprised": True, "awareness": 30, "fate": 100},
                people=TARGET,
            ),
            "ap_gained",
            {"never": hundredths({1: 10, 2: 10, 3: 30}), "always": certain(3)},
        )
    ],
    "fate_damage": [
        Case(
            scenario("single-shot", carried=DEADLY, people={"cultist": FATED}),
            "cultist.injury",
            {"never": hundredths({6: 55}), "to_survive": hundredths({5: 55})},
        )
    ],
    "fate_fatigue": [
        # 45 of 100 hit with 55, 55 with 45
        Case(
            fight(
                SHOT_AT,
                SHOT,
                shooter={"toughness": 10, "willpower": 10, "fate": 100},
                people=SERIOUS,
            ),
            "scout.hits_scored",
            {"never": hundredths({1: "49.5"}), "when_fatigued": hundredths({1: 55})},
        )
    ],
}

FIGHT_POLICIES = ("target", "fate_reroll", "fate_surprise", "fate_damage", "fate_fatigue")
