"""Is this a game? `check_game` plays at random and tells in words which rules contradict each other."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plies.compiled import interpreting, kernel
from plies.errors import NotCompilable
from plies.game import CHANCE, Action, Game, State

LONGEST = 2_000
"""How many moves a random game is followed for: a game may go on for ever."""


@dataclass
class Report:
    """What `check_game` found out about a game."""

    game: str
    games: int = 0
    states: int = 0
    problems: list[str] = field(default_factory=list)
    compiled: bool = False
    why_not: str = ""

    @property
    def ok(self) -> bool:
        """Whether no rule is broken."""
        return not self.problems

    def __str__(self) -> str:
        lines = [f"{self.game}: {self.games} random games, {self.states:,} states"]
        lines += [f"  broken: {problem}" for problem in self.problems] or ["  every rule holds"]
        if self.compiled:
            lines.append("  compiled and interpreted rules were compared")
        else:
            lines.append(f"  runs interpreted: {self.why_not}")
        return "\n".join(lines)


def check_game(game: Game, games: int = 50, seed: int = 0) -> Report:
    """Play random games and report every kind of broken rule, each with the first place where it showed."""
    return _Examiner(game, seed).examine(games)


class _Broken(Exception):
    """A rule is so broken that this random game cannot go on."""


class _Examiner:
    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.report = Report(repr(game))
        self.kinds: set[str] = set()
        self.keys: dict[int, Any] = {}
        self.path: list[str] = []

    def examine(self, games: int) -> Report:
        self._compile()
        for _ in range(games):
            self.path = []
            self.report.games += 1
            try:
                self._play()
            except _Broken:
                continue
        return self.report

    def problem(self, kind: str, words: str) -> None:
        if kind not in self.kinds:
            self.kinds.add(kind)
            where = f" (after {' '.join(self.path[-40:])})" if self.path else " (in the initial state)"
            self.report.problems.append(words + where)

    def ask(self, rule: str, *args: Any) -> Any:
        """What a rule answers, or the end of this random game if it raises."""
        before = [_frozen(arg) for arg in args]
        try:
            answer = getattr(self.game, rule)(*args)
            if rule in ("actions", "chance", "noisy", "symmetries"):
                answer = list(answer)
        except Exception as error:  # a user's rule may raise anything, and that is what we are here to tell
            self.problem(f"{rule} raises", f"{rule}() raised {type(error).__name__}: {error}")
            raise _Broken from None
        if [_frozen(arg) for arg in args] != before:
            self.problem(f"{rule} mutates", f"{rule}() changed the state it was given")
            raise _Broken
        return answer

    def _play(self) -> None:
        state = self.ask("initial")
        for _ in range(LONGEST):
            self.report.states += 1
            self._check_key(state)
            self._compare(state)
            terminal = self.ask("is_terminal", state)
            if terminal:
                return self._check_terminal(state)
            mover = self._check_mover(state)
            actions = self._check_actions(state)
            if mover == CHANCE:
                self._check_chance(state, actions)
            else:
                self._check_evaluation(state)
                self._check_features(state)
            self._check_people(state, actions)
            self._check_optional(state, actions)
            action = self.random.choice(actions)
            try:
                self.path.append(self.game.notation(state, action))
            except Exception:  # told already by _check_people
                self.path.append(repr(action))
            state = self._check_result(state, action)
        return None

    def _check_key(self, state: State) -> None:
        key = self.ask("key", state)
        first = self.keys.setdefault(key, state)
        if _frozen(first) != _frozen(state) and not self._differ_by_a_clock(first, state):
            self.problem(
                "key", f"two different states have the key {key}: {_frozen(first)} and {_frozen(state)}"
            )

    def _differ_by_a_clock(self, one: State, other: State) -> bool:
        """Whether two states are the same position, of a kind that may come up again, at another time."""
        if not self.game.cycles:
            return False
        if self.game.superko:  # compares positions by keys, which may leave out who is to move
            return True
        if self.ask("is_terminal", one) or self.ask("is_terminal", other):
            return True
        return all(self.ask(rule, one) == self.ask(rule, other) for rule in ("to_move", "actions"))

    def _check_terminal(self, state: State) -> None:
        if actions := self.ask("actions", state):
            self.problem("terminal", f"a terminal state has actions: {_shown(actions)}")
        utilities = [self.ask("utility", state, player) for player in range(self.game.players)]
        low, high = self.game.bounds
        for player, utility in enumerate(utilities):
            if not _is_number(utility):
                self.problem("utility", f"utility() for player {player} is {utility!r}, not a finite number")
                raise _Broken
            if not low <= utility <= high:
                self.problem("bounds", f"a utility is {utility}, outside the bounds {low} to {high}")
        if self.game.zero_sum and abs(math.fsum(utilities)) > 1e-9:
            self.problem("zero-sum", f"utilities {utilities} do not sum to zero, though zero_sum is declared")

    def _check_mover(self, state: State) -> int:
        mover: int = self.ask("to_move", state)
        if mover == CHANCE and not self.game.stochastic:
            self.problem("chance", "to_move() is CHANCE, but there is no chance() rule")
            raise _Broken
        if mover != CHANCE and mover not in range(self.game.players):
            self.problem("to_move", f"to_move() is {mover!r}; players are 0 to {self.game.players - 1}")
            raise _Broken
        return mover

    def _check_actions(self, state: State) -> list[Action]:
        actions: list[Action] = self.ask("actions", state)
        if not actions:
            self.problem("no actions", "a state that is not terminal has no actions")
            raise _Broken
        if len({_frozen(action) for action in actions}) < len(actions):
            self.problem("twice", f"actions() gives an action twice: {_shown(actions)}")
        if list(map(_frozen, self.ask("actions", state))) != list(map(_frozen, actions)):
            self.problem("actions differ", "actions() gives other actions when asked again")
        return actions

    def _check_chance(self, state: State, actions: list[Action]) -> None:
        outcomes = self.ask("chance", state)
        probabilities = [probability for _, probability in outcomes]
        if any(not _is_number(p) or p < 0 for p in probabilities) or abs(math.fsum(probabilities) - 1) > 1e-9:
            self.problem("sum", f"the probabilities {probabilities} do not sum to 1")
        if {_frozen(action) for action, _ in outcomes} != {_frozen(action) for action in actions}:
            self.problem("outcomes", "chance() and actions() give different outcomes")

    def _check_evaluation(self, state: State) -> None:
        values = [self.ask("evaluate", state, player) for player in range(self.game.players)]
        low, high = self.game.bounds
        for value in values:
            if not _is_number(value) or not low <= value <= high:
                self.problem("evaluate", f"evaluate() is {value!r}, not a number from {low} to {high}")
                return
        if self.game.zero_sum and abs(math.fsum(values)) > 1e-9:
            self.problem("evaluate zero-sum", f"evaluations {values} do not sum to zero in a zero-sum game")

    def _check_features(self, state: State) -> None:
        names = self.game.feature_names
        if not self.game.has("features"):
            if names:
                self.problem("no features", "there are feature_names, but no features()")
            return
        features = list(self.ask("features", state))
        if not all(map(_is_number, features)):
            self.problem("features", f"features() are {_shown(features)}, not all of them finite numbers")
        if names and len(names) != len(features):
            self.problem(
                "feature_names", f"there are {len(features)} features, and {len(names)} feature_names"
            )

    def _check_people(self, state: State, actions: list[Action]) -> None:
        for action in actions:
            text = self.ask("notation", state, action)
            if _frozen(self.ask("parse_action", state, text)) != _frozen(action):
                self.problem("notation", f"notation {text!r} of action {action!r} is read as another action")
        self.ask("text", state)
        self._check_scene(state, actions)
        if self.game.has("position"):
            text = self.ask("position", state)
            if _frozen(self.ask("parse_position", text)) != _frozen(state):
                self.problem("position", f"the position string {text!r} is read as another state")

    def _check_scene(self, state: State, actions: list[Action]) -> None:
        scene = self.ask("scene", state)
        if scene is None:
            if self.game.has("touches"):
                self.problem("no scene", "there is touches(), but no scene() whose cells it could name")
            return
        cells = [cell.name for cell in scene.cells]
        if len(set(cells)) < len(cells):
            self.problem("cells", "two cells of the scene have the same name")
        for action in actions:
            touched = self.ask("touches", state, action)
            if unknown := [name for name in touched if name not in cells]:
                self.problem("touches", f"touches() names {unknown[0]!r}, which is no cell of the scene")

    def _check_optional(self, state: State, actions: list[Action]) -> None:
        legal = {_frozen(action) for action in actions}
        if self.game.has("noisy") and not {_frozen(a) for a in self.ask("noisy", state)} <= legal:
            self.problem("noisy", "noisy() gives an action that actions() does not")
        if self.game.has("priority") and not all(_is_number(self.ask("priority", state, a)) for a in actions):
            self.problem("priority", "priority() is not a finite number")
        if self.game.has("symmetries"):
            for image in self.ask("symmetries", state):
                same_mover = self.ask("to_move", image) == self.ask("to_move", state)
                if not same_mover or len(self.ask("actions", image)) != len(actions):
                    self.problem("symmetries", f"{image} is no symmetric image: mover or actions differ")

    def _check_result(self, state: State, action: Action) -> State:
        child = self.ask("result", state, action)
        if child is None:
            self.problem("result", f"result() of the legal action {self.path[-1]} is None")
            raise _Broken
        if _frozen(self.ask("result", state, action)) != _frozen(child):
            self.problem("result differs", f"result() of {self.path[-1]} is another state when asked again")
        return child

    # -- Compiled against interpreted.

    def _compile(self) -> None:
        try:
            if self.game.compiled is False or interpreting():
                raise NotCompilable("compilation is switched off")
            state = self.game.initial()
            action = next(iter(self.game.actions(state)))
            self.rules = dict(_STATE_RULES)
            if self.game.stochastic:
                self.rules["chance"] = _chance
            self.machine = {rule: run.compiled_for(self.game, state) for rule, run in self.rules.items()}
            self.machine["worth"] = _worth.compiled_for(self.game, state, 0)
            self.machine["result"] = _result.compiled_for(self.game, state, action)
            self.report.compiled = True
        except NotCompilable as reason:
            self.report.why_not = str(reason)
        except Exception:  # a rule raises in the initial state: the random games will tell
            self.report.why_not = "its rules raise errors"

    def _compare(self, state: State) -> None:
        """Ask the compiled rules what the interpreted ones are asked."""
        if not self.report.compiled:
            return
        for rule, run in self.rules.items():
            self._same(rule, run.interpreted, self.machine[rule], state)
        for player in range(self.game.players):
            self._same("worth", _worth.interpreted, self.machine["worth"], state, player)
        if not self.game.is_terminal(state):
            for action in itertools.islice(self.game.actions(state), 20):
                self._same("result", _result.interpreted, self.machine["result"], state, action)

    def _same(
        self, rule: str, interpreted: Callable[..., Any], machine: Callable[..., Any], *args: Any
    ) -> None:
        try:
            expected = interpreted(self.game, *args)
        except Exception:  # an interpreted rule that raises is told by `ask`
            return
        got = machine(self.game, *args)
        if _frozen(expected) != _frozen(got):
            name = _RULE_WORDS.get(rule, rule)
            self.problem(
                f"compiled {rule}", f"{name} differs: interpreted {_brief(expected)}, compiled {_brief(got)}"
            )


@kernel
def _facts(game, state):  # type: ignore[no-untyped-def]
    terminal = bool(game.is_terminal(state))
    mover = -2
    if not terminal:
        mover = game.to_move(state)
    return terminal, mover


@kernel
def _key(game, state):  # type: ignore[no-untyped-def]
    return game.key(state)


@kernel
def _actions(game, state):  # type: ignore[no-untyped-def]
    return [action for action in game.actions(state)]  # noqa: C416  (list() of a generator does not compile)


@kernel
def _chance(game, state):  # type: ignore[no-untyped-def]
    outcomes = [(action, probability) for action, probability in game.chance(state)]
    if game.to_move(state) != CHANCE:
        outcomes.clear()  # chance() is not defined here
    return outcomes


@kernel
def _worth(game, state, player):  # type: ignore[no-untyped-def]
    if game.is_terminal(state):
        return float(game.utility(state, player))
    return float(game.evaluate(state, player))


@kernel
def _result(game, state, action):  # type: ignore[no-untyped-def]
    return game.result(state, action)


_STATE_RULES = {"facts": _facts, "key": _key, "actions": _actions}
_RULE_WORDS = {"facts": "is_terminal() or to_move()", "worth": "utility() or evaluate()"}


def _frozen(value: Any) -> Any:
    """An immutable copy of a value, equal for equal values, arrays included."""
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple | list):
        return tuple(map(_frozen, value))
    if isinstance(value, dict):
        return "dict", frozenset((_frozen(key), _frozen(item)) for key, item in value.items())
    if isinstance(value, set | frozenset):
        return "set", frozenset(map(_frozen, value))
    if hasattr(value, "__dict__"):  # an object of a class of the user's own, which may be mutable
        return type(value).__qualname__, _frozen(vars(value))
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number | np.bool_) and math.isfinite(value)


def _shown(actions: list[Action]) -> str:
    return ", ".join(map(str, actions[:10])) + (", …" if len(actions) > 10 else "")


def _brief(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 120 else text[:117] + "…"
