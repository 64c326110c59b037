"""Random games in which every rule is called in every state, and its answers compared."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from plies.check.compiled_rules import CompiledRules
from plies.check.keys import Keys
from plies.check.numbering import check_endings
from plies.check.optional_rules import check_optional
from plies.check.report import LONGEST, Report
from plies.check.values import GENERATORS, frozen, is_number, is_whole, listed, sums_to, usable
from plies.errors import BadParameter, BrokenRule
from plies.game import CHANCE, SIMULTANEOUS, Action, Game, State
from plies.game_heuristics import NO_ACTION
from plies.validation import MOST_ACTIONS, checked_bounds, checked_players, refuse_arrays

MOST_OF_THE_BEGINNING = 1_000
"""How many states from the beginning of the game have their keys compared: there, positions come about in
several ways. Not tuned."""

MOST_READ = 500
"""The most actions of a state whose notation is parsed back: each is looked for among all. Not tuned."""

ENOUGH_UNFINISHED = 3
"""After this many random games that do not end, and none that does, no more are played. Not tuned."""


class _Broken(Exception):
    """A rule is so broken that this random game cannot go on."""


class _Endless(_Broken):
    """A rule yields without end: calling it again would take as long again."""


class Examiner:
    """Plays random games and notes contradictions."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.report = Report(repr(game))
        self.statistics = self.report.statistics
        self.kinds: set[str] = set()
        self.keys = Keys(game, self.ask)
        self.path: list[str] = []
        self.compiled_rules = CompiledRules(game, self.report)
        self.low, self.high = -1.0, 1.0
        self.numbers_compared = 0
        self.rests: dict[Any, tuple[State, set[Any]]] = {}

    def examine(self, games: int, progress: Callable[[int, int], None] | None) -> Report:
        """Check the facts, then play and check as many games."""
        if not self._check_facts():
            return self.report
        try:
            for number in range(games):
                self._play()
                if progress:
                    progress(number + 1, games)
                if self.statistics.unfinished == ENOUGH_UNFINISHED and not self.statistics.lengths:
                    break
            self._explore()
            with contextlib.suppress(_Broken):
                check_endings(self)
        except _Endless:
            pass  # reported already
        except KeyboardInterrupt:
            self.report.stopped = True
        if self.statistics.unfinished and not self.statistics.lengths and not self.game.cycles:
            self.path = []
            self.problem("endless", f"no random game was over after {LONGEST:,} plies: does this game end?")
        self.report.statistics_lines = self.statistics.lines(self.game)
        return self.report

    def problem(self, kind: str, words: str) -> None:
        """Note a problem, the first time that one of its kind shows."""
        if kind not in self.kinds:
            self.kinds.add(kind)
            where = f" (after {' '.join(self.path[-40:])})" if self.path else " (in the initial state)"
            self.report.problems.append(words + where)

    def ask(self, rule: str, *args: Any) -> Any:
        """The answer of a rule; if it raises, this random game ends."""
        before = [frozen(arg) for arg in args]
        try:
            answer = usable(rule, getattr(self.game, rule)(*args))
        except Exception as error:  # a rule may raise anything, which is what we report
            self.problem(f"{rule} raises", f"{rule}() raised {type(error).__name__}: {error}")
            raise _Broken from None
        if rule in GENERATORS and len(answer) > MOST_ACTIONS:
            self.problem(f"{rule} endless", f"{rule}() gives more than {MOST_ACTIONS:,} things: does it end?")
            raise _Endless
        if [frozen(arg) for arg in args] != before:
            self.problem(f"{rule} mutates", f"{rule}() changed the state it was given")
            raise _Broken
        return answer

    # -- A random game.

    def _play(self) -> None:
        self.path = []
        self.report.games += 1
        try:
            self._play_on(self.ask("initial"))
        except _Endless:
            raise
        except _Broken:
            pass

    def _play_on(self, state: State) -> None:
        seen: Counter[Any] = Counter()
        clocks: dict[Any, int] = {}
        taken: list[Action] = [NO_ACTION, NO_ACTION]
        for ply in range(LONGEST):
            self.report.states += 1
            self._check_arrays(state)
            self._check_key(state)
            for rule, words in self.compiled_rules.disagreements(state):
                self.problem(f"compiled {rule}", words)
            if self.ask("is_terminal", state):
                return self._check_terminal(state, ply)
            mover = self._check_mover(state)
            actions = self._check_actions(state)
            if mover == SIMULTANEOUS:
                self._check_choices(state, actions)
            if mover == CHANCE:
                weights = self._check_chance(state, actions)
            else:
                weights = None
                self.statistics.actions += len(actions)
                self.statistics.choices += 1
                self.statistics.most_actions = max(self.statistics.most_actions, len(actions))
                self._check_evaluation(state)
                self._check_features(state)
            self._check_people(state, actions)
            check_optional(self, state, mover, actions, taken)
            if self._comes_again(state, mover, seen, clocks, ply):
                return None
            action = self.random.choices(actions, weights)[0] if weights else self.random.choice(actions)
            taken.append(action)
            self.path.append(self._notation(state, action))
            state = self._check_result(state, action)
        self.statistics.unfinished += 1
        return None

    def _notation(self, state: State, action: Action) -> str:
        try:
            return self.game.notation(state, action)
        except Exception:  # reported by _check_people
            return repr(action)

    def _comes_again(
        self, state: State, mover: int, seen: Counter[Any], clocks: dict[Any, int], ply: int
    ) -> bool:
        """Whether a game is over because its position has stood before."""
        if not self.game.cycles:
            if mover == CHANCE:  # by luck, a position may come again in a game that is sure to end
                seen.clear()
                return False
            position = frozen(self.ask("identity", state))
            seen[position] += 1
            if seen[position] > 1:
                self.problem("cycles", "a position has come up again, though `cycles` is not set to True")
                raise _Broken
            return False
        self._check_clock(state, mover, clocks)
        position = self.ask("repetition_key", state), mover
        seen[position] += 1
        payoff = [self.ask("repetition_value", state, player) for player in range(self.game.players)]
        self._check_payoff("repetition_value", payoff)
        if seen[position] < self.game.repetitions:
            return False
        self.statistics.lengths.append(ply)
        self.statistics.payoffs.append([float(utility) for utility in payoff])
        return True

    def _check_clock(self, state: State, mover: int, clocks: dict[Any, int]) -> None:
        """Whether a clock has run down since the position stood before: `clocks` has what was left then."""
        if self.game.has("plies_left"):
            position = frozen(self.ask("identity", state)), mover
            left = int(self.ask("plies_left", state))
            if left >= clocks.get(position, left + 1):
                self.problem(
                    "clock",
                    "plies_left() has started anew, and then a position from before came up again: it may "
                    "do so only after moves that cannot be taken back",
                )
                raise _Broken
            clocks[position] = left

    def _explore(self) -> None:
        """Compare the keys of the states at the beginning of the game, breadth first."""
        self.path = []
        try:
            start = self.ask("initial")
        except _Broken:
            return
        todo: deque[tuple[State, list[str]]] = deque([(start, [])])
        met = {frozen(start)}
        while todo:
            state, path = todo.popleft()
            self.path = path
            with contextlib.suppress(_Broken):
                self._check_arrays(state)
                self._check_key(state)
                if self.ask("is_terminal", state):
                    continue
                for action in self.ask("actions", state):
                    if len(met) >= MOST_OF_THE_BEGINNING:
                        break
                    self.path = [*path, self._notation(state, action)]
                    child = self.ask("result", state, action)
                    if child is not None and frozen(child) not in met:
                        met.add(frozen(child))
                        todo.append((child, self.path))

    # -- What is asked of every state.

    def _check_facts(self) -> bool:
        """Whether the facts are such that games can be played."""
        try:
            self.low, self.high = checked_bounds(self.game)
        except BadParameter as error:
            self.problem("bounds", str(error))
            self.low, self.high = float("-inf"), float("inf")
        try:
            checked_players(self.game)
        except BadParameter as error:
            self.problem("players", str(error))
            return False
        if self.game.total is not None and not is_number(self.game.total):
            self.problem("total", f"total is {self.game.total!r}: give a finite number, or None")
        return True

    def _check_arrays(self, state: State) -> None:
        try:
            refuse_arrays(self.game, state)
        except BrokenRule as error:
            self.problem("array", str(error))
            raise _Broken from None

    def _check_key(self, state: State) -> None:
        key = self.ask("key", state)
        if not is_whole(key) or not -(1 << 63) <= key < 1 << 64:
            self.problem("no key", f"key() is {key!r}, not a whole number of 64 bits")
            raise _Broken
        if words := self.keys.difference(state):
            self.problem("key", words)

    def _check_terminal(self, state: State, plies: int) -> None:
        if actions := self.ask("actions", state):
            self.problem("terminal", f"a terminal state has actions: {listed(actions)}")
        utilities = [self.ask("utility", state, player) for player in range(self.game.players)]
        self._check_payoff("utility", utilities)
        self.statistics.lengths.append(plies)
        self.statistics.payoffs.append([float(utility) for utility in utilities])

    def _check_payoff(self, rule: str, payoff: list[Any]) -> None:
        """Check what a rule says that players get: finite, within the bounds, of the right sum."""
        low, high, total = self.low, self.high, self.game.total
        for player, value in enumerate(payoff):
            if not is_number(value):
                self.problem(rule, f"{rule}() for player {player} is {value!r}, not a finite number")
                raise _Broken
            if not low <= value <= high:
                self.problem(f"{rule} bounds", f"{rule}() is {value}, outside the bounds {low:g} to {high:g}")
        if total is not None and is_number(total) and not sums_to(payoff, total):
            words = f"{rule}() gives {payoff}, which does not sum to {total:g}"
            self.problem(f"{rule} total", f"{words}: is `total` right? (None: there is no constant sum)")

    def _check_mover(self, state: State) -> int:
        mover: int = self.ask("to_move", state)
        if mover == CHANCE and not self.game.stochastic:
            self.problem("chance", "to_move() is CHANCE, but there is no chance() rule")
            raise _Broken
        if mover == SIMULTANEOUS and not self.game.simultaneous:
            self.problem("choices", "to_move() is SIMULTANEOUS, but there is no choices() rule")
            raise _Broken
        if mover not in (CHANCE, SIMULTANEOUS) and mover not in range(self.game.players):
            self.problem("to_move", f"to_move() is {mover!r}; players are 0 to {self.game.players - 1}")
            raise _Broken
        if not is_whole(mover):
            self.problem("to_move", f"to_move() is {mover!r}, not a whole number")
        return mover

    def _check_actions(self, state: State) -> list[Action]:
        actions: list[Action] = self.ask("actions", state)
        if not actions:
            self.problem("no actions", "a state that is not terminal has no actions")
            raise _Broken
        if len({frozen(action) for action in actions}) < len(actions):
            self.problem("twice", f"actions() gives an action twice: {listed(actions)}")
        if list(map(frozen, self.ask("actions", state))) != list(map(frozen, actions)):
            self.problem("actions differ", "actions() gives other actions when asked again")
        return actions

    def _check_choices(self, state: State, actions: list[Action]) -> None:
        """Check what players may choose at once: all that actions() combines, each written in its own way."""
        choices = [self.ask("choices", state, player) for player in range(self.game.players)]
        together = {frozen(action) for action in itertools.product(*choices)}
        if {frozen(action) for action in actions} != together:
            self.problem("together", "actions() does not combine the choices() of all players")
        for player, own in enumerate(choices):
            for choice in own:
                text = self.ask("choice_notation", state, player, choice)
                if frozen(self.ask("parse_choice", state, player, text)) != frozen(choice):
                    words = f"notation {text!r} of choice {choice!r} is read as another choice"
                    self.problem("choice_notation", words)

    def _check_chance(self, state: State, actions: list[Action]) -> list[float] | None:
        """Check the outcomes of dice; returns the probabilities of the actions, if they are sound."""
        outcomes = {frozen(action): probability for action, probability in self.ask("chance", state)}
        probabilities = list(outcomes.values())
        if any(not is_number(p) or p < 0 for p in probabilities) or not sums_to([*probabilities], 1):
            self.problem("sum", f"the probabilities {probabilities} do not sum to 1")
            return None
        if outcomes.keys() != {frozen(action) for action in actions}:
            self.problem("outcomes", "chance() and actions() give different outcomes")
            return None
        return [outcomes[frozen(action)] for action in actions]

    def _check_evaluation(self, state: State) -> None:
        if not self.game.has("evaluate"):
            return
        values = [self.ask("evaluate", state, player) for player in range(self.game.players)]
        for value in values:
            if not is_number(value) or not self.low <= value <= self.high:
                words = f"evaluate() is {value!r}, not a number from {self.low:g} to {self.high:g}"
                self.problem("evaluate", words)
                return
        total = self.game.total
        if total is not None and is_number(total) and not sums_to(values, total):
            self.problem("evaluate total", f"evaluate() gives {values}, which does not sum to {total:g}")

    def _check_features(self, state: State) -> None:
        names = self.game.feature_names
        if not self.game.has("features"):
            if names:
                self.problem("no features", "there are feature_names, but no features()")
            return
        features = list(self.ask("features", state))
        if not all(map(is_number, features)):
            self.problem("features", f"features() are {listed(features)}, not all of them finite numbers")
        if names and len(names) != len(features):
            self.problem(
                "feature_names", f"there are {len(features)} features, and {len(names)} feature_names"
            )

    def _check_people(self, state: State, actions: list[Action]) -> None:
        for action in actions[:MOST_READ]:
            text = self.ask("notation", state, action)
            if frozen(self.ask("parse_action", state, text)) != frozen(action):
                self.problem("notation", f"notation {text!r} of action {action!r} is read as another action")
        self.ask("text", state)
        self._check_scene(state, actions)
        if self.game.has("position"):
            text = self.ask("position", state)
            if frozen(self.ask("parse_position", text)) != frozen(state):
                self.problem("position", f"the position string {text!r} is read as another state")

    def _check_scene(self, state: State, actions: list[Action]) -> None:
        scene = self.ask("scene", state)
        if scene is None:
            if self.game.has("move_squares"):
                self.problem("no scene", "there is move_squares(), but no scene() whose cells it could name")
            return
        cells = [cell.name for cell in scene.cells]
        if len(set(cells)) < len(cells):
            self.problem("cells", "two cells of the scene have the same name")
        for action in actions:
            touched = self.ask("move_squares", state, action)
            if unknown := [name for name in touched if name not in cells]:
                self.problem(
                    "move_squares", f"move_squares() names {unknown[0]!r}, which is no cell of the scene"
                )

    def _check_result(self, state: State, action: Action) -> State:
        child = self.ask("result", state, action)
        if child is None:
            self.problem("result", f"result() of the legal action {self.path[-1]} is None")
            raise _Broken
        if frozen(self.ask("result", state, action)) != frozen(child):
            self.problem("result differs", f"result() of {self.path[-1]} is another state when asked again")
        return child
