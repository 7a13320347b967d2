"""The plan: from lines of a scenario to the turns of a fight, round after round."""

from collections.abc import Iterator
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from firepower.chance.dice import Handful, die
from firepower.chance.steps import Modifier, Task
from firepower.combat.documents import Path_
from firepower.combat.errors import QuestionError
from firepower.combat.turns import (
    Action,
    ChosenAction,
    PlannedAction,
    Turn,
    agenda_of,
    allies,
    in_their_order,
    order_of_acting,
)
from firepower.systems.rate_of_fire.actions import (
    ClearingTest,
    ClearJam,
    Delay,
    Fire,
    Reload,
    TakeAim,
)
from firepower.systems.rate_of_fire.attack import Prepared, prepare
from firepower.systems.rate_of_fire.damage import Target
from firepower.systems.rate_of_fire.lines import (
    Fight,
    as_said,
    candidates,
    option_name,
    same_round,
)
from firepower.systems.rate_of_fire.models import (
    ATTACKS,
    ActionLine,
    RateOfFire,
    RateOfFireScenario,
)
from firepower.systems.rate_of_fire.muster import (
    bonus_of,
    fate_of,
    hampering,
    recovery_of,
    test_rule,
)
from firepower.systems.rate_of_fire.scene import Scene, find_weapon, profile
from firepower.systems.rate_of_fire.turn import RerollAgain, TurnBegins, TurnEnds, TurnRules
from firepower.systems.rate_of_fire.volley import FULL_AUTO_RATE

AnyAction: TypeAlias = Fire | TakeAim | Reload | ClearJam | Delay
A = TypeVar("A", Fire, TakeAim, Delay)


def fight(scene: Scene, scenario: RateOfFireScenario, *, choosing: bool) -> Fight:
    """Check every line completely and make the turns of all rounds."""
    for i, line in enumerate(scenario.do):
        scene.combatant(line.by, ("do", i, "by"))
    order = order_of_acting(scenario, scene.document)
    scene.begin_fight(tuple(order))
    planner = Planner(scene, scenario, choosing)
    rounds = []
    for number in range(1, scenario.rounds + 1):
        turns = [planner.turn(name, number) for name in order]
        try:
            rounds.append(in_their_order(turns))
        except ValueError as late:
            raise planner.waits_too_long(str(late), number) from None
    planner.name_what_is_left_out()
    return Fight(agenda_of(rounds), tuple(order), planner.targets, planner.askers, planner.counted)


class Planner:
    """Makes turns of lines; each line is checked once, whatever the rounds."""

    def __init__(self, scene: Scene, scenario: RateOfFireScenario, choosing: bool) -> None:
        self.scene = scene
        self.scenario = scenario
        self._targets: dict[str, Target] = {}
        has_fate = any(each.fate is not None for each in scene.combatants.values())
        self._anybodys_reroll = has_fate and scene.rulings.takes("fate_turn", "anybodys")
        self._open = [line.by for line in scenario.do if line.action is None]
        if self._open and not choosing:
            at = next(i for i, line in enumerate(scenario.do) if line.action is None)
            raise scene.wrong(("do", at), "must name its 'action' (only `best` chooses one)")
        self._find_reloads()
        self._rules = {name: self._turn_rules(name) for name in scene.acting}
        self._actions = self._compiled()

    @property
    def targets(self) -> tuple[Target, ...]:
        """Who may be struck or pinned."""
        return tuple(self._targets.values())

    @property
    def askers(self) -> frozenset[str]:
        """Those on the side of whoever has a turn that is left open, or else acts first."""
        by = self._open[0] if self._open else self.scenario.do[0].by
        return allies(self.scenario.combatants, by)

    @property
    def counted(self) -> frozenset[str]:
        """Those whose action points are counted."""
        return frozenset(name for name, rules in self._rules.items() if rules.ap is not None)

    # -- turns -----------------------------------------------------------------------------------

    def turn(self, name: str, number: int) -> Turn:
        """What somebody does in a round."""
        rules = self._rules[name]
        tasks: list[Task] = []
        if self._anybodys_reroll:
            tasks += [Task(RerollAgain(), each) for each in self.scene.combatants]
        surprised = self.scene.combatants[name].surprised and number == 1
        tasks.append(Task(TurnBegins(rules, surprised), name))
        end = Task(TurnEnds(rules), name)
        waits_for, before = "", tasks
        for i, line in self._lines_of(name, number):
            if line.action is None:
                tasks.append(ChosenAction(name, self._actions[i]).task)
            else:
                tasks.append(PlannedAction(name, self._actions[i]).task)
            if line.action == "delay":
                waits_for, tasks = line.at[0], []
        tasks.append(end)
        if not waits_for:
            return Turn(name, tuple(tasks))
        return Turn(name, tuple(before), waits_for, tuple(tasks))

    def _lines_of(self, name: str, number: int) -> Iterator[tuple[int, ActionLine]]:
        for i, line in enumerate(self.scenario.do):
            if line.by == name and (line.in_rounds is None or number in line.in_rounds):
                yield i, line

    def waits_too_long(self, name: str, number: int) -> QuestionError:
        """The refusal of a Delay that never ends in this round."""
        i, line = next(each for each in self._lines_of(name, number) if each[1].action == "delay")
        return self.scene.wrong(
            ("do", i, "at"), f"is {line.at[0]!r}, who does not act after {name} in that round"
        )

    def _turn_rules(self, name: str) -> TurnRules:
        scene = self.scene
        combatant = scene.combatants[name]
        where = ("combatants", name)
        agility = bonus_of(scene, combatant, "agility")
        ap, dice = self._stated_ap(name), None
        if agility is not None and combatant.ap is not None:
            raise scene.wrong((*where, "ap"), f"is {ap}, but the agility that gives AP is stated")
        if ap is None and agility is not None:
            ap = scene.rules.turn.ap
            worth = tuple((int(face >= scene.rules.turn.die_from),) for face in range(1, 11))
            dice = Handful(die(10), agility, worth) if agility else None
        if ap is None and name in self._open:
            raise scene.wrong(
                where, "needs the key 'ap' or 'agility': its turn is left open, so AP must be known"
            )
        if ap is None:
            scene.leave_out(f"AP of {name}: neither 'ap' nor 'agility' is stated, enough are there")
        awareness = bonus_of(scene, combatant, "awareness")
        if combatant.surprised and awareness is None:
            raise scene.wrong(where, "makes a surprise check, so it needs the key 'awareness'")
        if combatant.surprised and ap is None:
            raise scene.wrong(where, "makes a surprise check for AP, so it needs the key 'agility'")
        return TurnRules(
            name,
            ap,
            dice,
            scene.rules.turn.die_from,
            scene.rulings["pinned_actions"] if combatant.willpower is not None else "all",
            awareness or 0,
            bonus_of(scene, combatant, "willpower") or 0,
            recovery_of(scene, name),
            fate_of(scene, name),
        )

    def _stated_ap(self, name: str) -> int | None:
        """The AP of every turn, as the combatant or the line of an open turn states them."""
        combatant = self.scene.combatants[name]
        for i, line in enumerate(self.scenario.do):
            if line.by != name or line.action is not None or line.ap is None:
                continue
            if not combatant.ap is combatant.agility is combatant.agility_bonus is None:
                raise self.scene.wrong(
                    ("do", i, "ap"), f"is {line.ap}, but the AP of {name} are stated already"
                )
            return line.ap
        return combatant.ap

    # -- actions ---------------------------------------------------------------------------------

    def _find_reloads(self) -> None:
        """Which weapons are reloaded or cleared in this fight: their lines count on it."""
        scene = self.scene
        for i, line in enumerate(self.scenario.do):
            done = {line.action, *line.otherwise}
            if line.action is None:
                for name, carried in scene.combatants[line.by].weapons.items():
                    where = ("combatants", line.by, "weapons", name)
                    full = profile(scene, name, carried, where).magazine
                    if full and carried.loaded is not None:
                        scene.reloads.add((line.by, name))
                    scene.clears.add((line.by, name))
            if done & {"reload", "clear-jam"}:
                weapon = (line.by, find_weapon(scene, line, ("do", i)))
                if "reload" in done:
                    scene.reloads.add(weapon)
                if "clear-jam" in done:
                    scene.clears.add(weapon)

    def _compiled(self) -> dict[int, tuple[Action, ...]]:
        """The actions of each line: those that are tried one after the other, or chosen from."""
        compiled: dict[int, tuple[Action, ...]] = {}
        for i, line in enumerate(self.scenario.do):
            path: Path_ = ("do", i)
            self._check_line(line, path)
            if line.action is None:
                compiled[i] = self._open_actions(line, path, delayed=self._is_delayed(line))
                self.scene.leave_out("delay as an option: it needs its own line")
                continue
            actions: list[Action] = []
            for j, name in enumerate((line.action, *line.otherwise)):
                key = (*path, "action") if j == 0 else (*path, "otherwise", j - 1)
                if name == "suppressing-fire" and self._is_delayed(line):
                    raise self.scene.wrong(key, f"is {name!r}, which cannot be joined with a Delay")
                try:
                    actions += self._actions_of(as_said(line, name), path, key)
                except QuestionError as refusal:
                    other = f"do[{i + 1}].action"  # names the line's own action, not this one
                    if j == 0 or other not in str(refusal):
                        raise
                    raise self.scene.wrong(key, str(refusal).partition(") ")[2]) from None
            compiled[i] = tuple(actions)
        return compiled

    def _is_delayed(self, line: ActionLine) -> bool:
        """Whether a turn with this line has a Delay."""
        return any(
            other.by == line.by and other.action == "delay" and same_round(line, other)
            for other in self.scenario.do
        )

    def _check_line(self, line: ActionLine, path: Path_) -> None:
        if line.aim:
            raise self.scene.wrong(
                (*path, "aim"), f"is {line.aim}, but in a fight aiming is a line: action = 'aim'"
            )
        if "delay" in line.otherwise:
            at = line.otherwise.index("delay")
            raise self.scene.wrong(
                (*path, "otherwise", at), "is 'delay', which is a line of its own"
            )
        earlier = self.scenario.do[: path[1]] if isinstance(path[1], int) else []
        if line.action == "delay" and any(
            other.by == line.by and other.action == "delay" and same_round(line, other)
            for other in earlier
        ):
            raise self.scene.wrong((*path, "action"), "is a second 'delay' in one turn")
        for key, listed in (("otherwise", line.otherwise), ("in_rounds", line.in_rounds or [])):
            for i, each in enumerate(listed):
                if each in listed[:i] or each == line.action:
                    raise self.scene.wrong((*path, key, i), f"is {each!r} a second time")
        if line.weapon:
            find_weapon(self.scene, line, path)
        if line.action not in (None, *ATTACKS) and "full-auto" not in line.otherwise:
            for key in ("dice", "ap"):
                if getattr(line, key) is not None:
                    given = getattr(line, key)
                    raise self.scene.wrong((*path, key), f"is {given}, but {line.action} has none")

    def _open_actions(self, line: ActionLine, path: Path_, *, delayed: bool) -> tuple[Action, ...]:
        """Everything lawful that a turn may hold, with each weapon."""
        scene = self.scene
        weapons = list(scene.combatants[line.by].weapons)
        if line.weapon or not weapons:
            weapons = [find_weapon(scene, line, path)]
        found: list[Action] = []
        refusals: list[QuestionError] = []
        for weapon in weapons:
            with_one = replace(line, weapon=weapon, ap=None)
            for candidate in candidates(scene, with_one, path):
                if candidate.action == "suppressing-fire" and delayed:
                    scene.leave_out("suppressing-fire as an option: no turn joins it with a Delay")
                    continue
                try:
                    made = self._actions_of(candidate, path, (*path, "action"))
                except QuestionError as refusal:
                    refusals.append(refusal)
                    scene.leave_out_option(option_name(candidate), refusal)
                    continue
                if scene.rulings.takes("short_ammunition", "downgrade"):
                    made = made[:1]  # the lesser attacks are options themselves
                if len(weapons) > 1:
                    made = [replace(each, key=f"{each.key} with {weapon}") for each in made]
                found += made
            if (line.by, weapon) in scene.reloads:
                found.append(self._reload(with_one, path, many=len(weapons) > 1))
            found.append(self._clear_jam(with_one, path, many=len(weapons) > 1))
        if refusals and not any(isinstance(each, Fire) for each in found):
            raise refusals[0]
        return (*found, self._aim(line))

    def _actions_of(self, line: ActionLine, path: Path_, key: Path_) -> list[AnyAction]:
        """What a line does: one action, and with too few rounds what is fired in its place."""
        self.scene.check_lists(line, path)
        if line.action == "aim":
            return [self._affordable(self._aim(line), key)]
        if line.action == "reload":
            return [self._reload(line, path, many=False)]
        if line.action == "clear-jam":
            return [self._clear_jam(line, path, many=False)]
        if line.action == "delay":
            return [self._affordable(self._delay(line, path), key)]
        prepared = prepare(self.scene, line, path)
        self._targets |= {target.name: target for target in prepared.targets}
        fire = self._affordable(self._fire(line, prepared, prepared.volley.rounds, None), key)
        return [fire, *self._with_fewer_rounds(line, path, prepared)]

    def _fire(self, line: ActionLine, prepared: Prepared, least: int, most: int | None) -> Fire:
        volley, rof = prepared.volley, prepared.shooter.rof
        counted, limit = volley.shots, None
        if rof.dice:
            limit = rof.dice * rof.faces
            how = self.scene.rulings["shots_in_a_turn"]
            if how == "one_attack":
                counted = limit
            elif self._never_fires_more(line.by, rof, limit):
                limit = None
            if how != "every_attack" and volley.mode not in FULL_AUTO_RATE:
                counted = 0
        return Fire(
            line.by,
            volley.name,
            prepared.shooter.arm,
            volley.ap,
            least,
            most,
            counted,
            limit,
            prepared.aims,
            volley.mode != "suppressing-fire" and len(prepared.aims) > 1,
            self.scene.rules.actions[volley.mode].aim,
        )

    def _never_fires_more(self, name: str, rof: RateOfFire, limit: int) -> bool:
        """Whether the AP of a turn never allow more shots than the limit."""
        most = self._most_ap(name)
        suppressing = -(-limit // self.scene.rules.actions["suppressing-fire"].ap)
        return most is not None and most * max(rof.faces, rof.semi, suppressing) <= limit

    def _most_ap(self, name: str) -> int | None:
        """The most AP that somebody ever has in a turn; None if they are not counted."""
        rules = self._rules[name]
        if rules.ap is None:
            return None
        return rules.ap + (rules.agility.count if rules.agility is not None else 0)

    def _with_fewer_rounds(self, line: ActionLine, path: Path_, whole: Prepared) -> Iterator[Fire]:
        """What is fired where the rounds are too few, by the ruling on that."""
        scene = self.scene
        if whole.shooter.carried.loaded is None or scene.rulings["short_ammunition"] == "forbid":
            return
        noted = dict(scene.not_modelled)
        for loaded in range(1, whole.volley.rounds):
            try:
                prepared = prepare(scene, line, path, loaded)
            except QuestionError:
                continue
            yield self._fire(line, prepared, loaded, loaded)
        scene.not_modelled = noted

    def _affordable(
        self, action: "Fire | TakeAim | Delay | Reload | ClearJam", key: Path_
    ) -> "Fire | TakeAim | Delay | Reload | ClearJam":
        """The action, if its AP can ever be had; refuses it otherwise."""
        most = self._most_ap(action.who)
        if most is not None and action.ap > most:
            raise self.scene.wrong(
                key,
                f"is {action.key!r}, which costs {action.ap} AP of at most {most} in a turn",
            )
        return action

    def _aim(self, line: ActionLine) -> TakeAim:
        turn, how = self.scene.rules.turn, self.scene.rulings["aim_bonus"]
        most = {"up_to_twenty": turn.aim_most, "only_ten": turn.aim_bonus, "without_end": 10**6}
        return TakeAim(line.by, "aim", turn.aim_ap, turn.aim_bonus, most[how])

    def _reload(self, line: ActionLine, path: Path_, *, many: bool) -> Reload:
        scene, (name, at) = self.scene, self._weapon(line, path)
        carried = scene.combatants[line.by].weapons[name]
        where = ("combatants", line.by, "weapons", name)
        weapon = profile(scene, name, carried, where)
        if carried.loaded is None:
            raise scene.wrong(where, "is reloaded, so it needs the key 'loaded'")
        if not weapon.magazine:
            raise scene.wrong(where, "is reloaded, so it needs the key 'magazine'")
        key = f"reload {name}" if many else "reload"
        when_jammed = scene.rulings.takes("reload_jammed", "yes")
        if not weapon.reload_ap:
            scene.leave_out(f"AP to reload the {name}: no 'reload_ap' is stated, none are spent")
        return Reload(
            line.by, key, name, at, weapon.reload_ap, *self._long(), weapon.magazine, when_jammed
        )

    def _clear_jam(self, line: ActionLine, path: Path_, *, many: bool) -> ClearJam:
        scene, (name, at) = self.scene, self._weapon(line, path)
        shooter, rulings = scene.combatants[line.by], scene.rulings
        if shooter.ranged_combat is None:
            raise scene.wrong(("combatants", line.by), "clears a jam, so it needs 'ranged_combat'")
        loses = rulings.takes("clear_jam_rounds", "lost")
        test = None
        if rulings.takes("clear_jam", "test"):
            clearing = scene.rules.clearing
            label = f"{clearing.title} ({clearing.difficulty})"
            parts = (
                Modifier("Ranged Combat", shooter.ranged_combat, line.by),
                Modifier(label, clearing.modifier, "ruling: clear_jam = test"),
            )
            fate = fate_of(scene, line.by)
            test = ClearingTest(at, loses, parts, test_rule(scene), hampering(scene), fate)
        key = f"clear-jam {name}" if many else "clear-jam"
        ap = scene.rules.turn.clear_jam_ap
        return ClearJam(line.by, key, name, at, ap, *self._long(), test, loses)

    def _long(self) -> tuple[bool, bool]:
        """Whether a long action may go on in the next turn, and whether it keeps an aim."""
        rulings = self.scene.rulings
        over_turns = rulings.takes("long_actions", "over_turns")
        return over_turns, rulings.takes("aim_lasts", "next_attack")

    def _weapon(self, line: ActionLine, path: Path_) -> tuple[str, int]:
        name = find_weapon(self.scene, line, path)
        return name, list(self.scene.combatants[line.by].weapons).index(name)

    def _delay(self, line: ActionLine, path: Path_) -> Delay:
        if len(line.at) != 1 or line.at[0] not in self.scene.acting:
            raise self.scene.wrong(path, "must name in 'at' whose turn is waited for")
        one = self.scene.rulings.takes("delay_ap", "one")
        return Delay(line.by, "delay", self.scene.rules.turn.delay_ap if one else 0)

    # -- what is left out ------------------------------------------------------------------------

    def name_what_is_left_out(self) -> None:
        """Name what a fight has and this one does not."""
        scene = self.scene
        if self.scenario.rounds > 1:
            scene.leave_out("movement: everybody stays where they are")
        for who, weapon in sorted(scene.reloads):
            scene.leave_out(f"spare magazines: {who} has enough for the {weapon}")
        for name in self._targets:
            if name not in scene.acting:
                scene.leave_out(f"turns of {name}: no line is theirs")
        if any(each.fate is not None for each in scene.combatants.values()):
            scene.leave_out("Fate for initiative, against being dazed or stunned, and against fear")
