"""Strategies: an optimal answer to every position that can come up, to be played, saved and loaded."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plies.engine.value import Value
from plies.errors import IllegalMove, PliesError
from plies.game import Action, Game, State

if TYPE_CHECKING:
    from plies.engine.solution import BaseSolver

FORMAT = "plies strategy 1"

LARGEST_FILE = 1 << 28
"""How many bytes of a file are read, and no more."""


class Strategy:
    """Answers each position of one player with an optimal action, and so attains the value against any play.

    Positions are solved as they come up; `complete` looks ahead at every reply, after which the strategy
    stands on its own. It takes a seat in a game as any player does.
    """

    name = "strategy"

    def __init__(
        self, game: Game, state: State, player: int, value: Value, solver: BaseSolver | None = None
    ) -> None:
        self.game, self.state, self.player = game, state, player
        self.value = value
        """What the player gets, or more, if the game goes on from `state`."""
        self._solver = solver
        self._answers: dict[Any, Action] = {}

    @property
    def positions(self) -> int:
        """How many positions have an answer by now."""
        return len(self._answers)

    @property
    def is_complete(self) -> bool:
        """Whether every position that can come up has its answer."""
        return self._solver is None

    def action(self, state: State) -> Action:
        """An optimal action in a position where it is the player's turn."""
        known = _hashable(state)
        if known not in self._answers:
            if self.game.is_terminal(state):
                raise PliesError("the strategy has no action here: the game is over")
            mover = self.game.to_move(state)
            if mover != self.player:
                mine, theirs = self.game.player_name(self.player), self.game.player_name(mover)
                raise PliesError(f"the strategy is for {mine}; it is the turn of {theirs}")
            self._answers[known] = self._solved(state)
        return self._answers[known]

    def _solved(self, state: State) -> Action:
        if self._solver is None:
            raise PliesError("the strategy has no action here: the position cannot come up against it")
        solution = self._solver.solve(state)
        if not solution.solved:
            raise PliesError(f"the strategy has no action here: {solution.reason}")
        return solution.action

    def complete(self, limit: int = 1_000_000) -> Strategy:
        """Answer every reply of the opponent, up to a limit of positions, and return the strategy itself."""
        if not self.is_complete:
            explored = _explored(self.game, self.state, self.player, self.action, limit)
            self._answers = {_hashable(state): action for state, action in explored}
            self._solver = None
        return self

    # -- As a player.

    def prepare(self, game: Game) -> None:
        """Refuse any game but the strategy's own."""
        if repr(game) != repr(self.game):
            raise PliesError(f"the strategy is for {self.game!r}, not for {game!r}")

    def choose(self, game: Game, state: State) -> Action:
        """The action to take."""
        return self.action(state)

    # -- In a file: the answers, in the order in which `_explored` comes to them.

    def save(self, path: str | Path, limit: int = 1_000_000) -> None:
        """Write the strategy as JSON, completed first, up to a limit of positions."""
        self.complete(limit)
        answers = _explored(self.game, self.state, self.player, self.action, math.inf)
        content = {
            "format": FORMAT,
            "game": repr(self.game),
            "position": self._position(),
            "player": self.player,
            "value": {"utility": self.value.utility, "plies": self.value.plies},
            "actions": [_written(self.game, state, action) for state, action in answers],
        }
        try:
            Path(path).write_text(json.dumps(content) + "\n", encoding="utf-8")
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", error)
            raise PliesError(f"{str(path)!r} cannot be written: {why}") from None

    def _position(self) -> str | None:
        """Where the strategy begins; None for the beginning of the game."""
        if self.state == self.game.initial():
            return None
        position = self.game.position(self.state)
        if self.game.parse_position(position) != self.state:
            raise PliesError(f"{position!r} does not say all about the position the strategy begins in")
        return position

    @classmethod
    def load(cls, path: str | Path, game: Game) -> Strategy:
        """Read a strategy for a game, each action checked; whatever is wrong is told in a sentence."""
        content = _read(path)
        if content["game"] != repr(game):
            raise PliesError(f"the strategy in {str(path)!r} is for {content['game']}, not for {game!r}")
        position, value = content["position"], content["value"]
        state = game.initial() if position is None else game.parse_position(position)
        strategy = cls(game, state, content["player"], Value(float(value["utility"]), True, value["plies"]))
        words = iter(content["actions"])

        def answer(state: State) -> Action:
            word = next(words, None)
            if word is None:
                raise PliesError(f"the strategy in {str(path)!r} is not complete: actions are missing")
            try:
                return _meant(game, state, word)
            except IllegalMove as error:
                raise PliesError(f"the strategy in {str(path)!r} is broken: {error}") from None

        for reached, action in _explored(game, state, strategy.player, answer, math.inf):
            strategy._answers[_hashable(reached)] = action
        if next(words, None) is not None:
            raise PliesError(f"the strategy in {str(path)!r} is broken: it has more actions than positions")
        return strategy


def _explored(
    game: Game, state: State, player: int, answer: Callable[[State], Action], limit: float
) -> Iterator[tuple[State, Action]]:
    """Each of the player's positions that can come up, once, with the answer to it; depth first."""
    seen: set[Any] = set()
    waiting = [state]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state) or _hashable(state) in seen:
            continue
        seen.add(_hashable(state))
        if len(seen) > limit:
            raise PliesError(f"more than {limit:,} positions can come up against the strategy")
        if game.to_move(state) == player:
            action = answer(state)
            yield state, action
            waiting.append(game.result(state, action))
        else:
            waiting += [game.result(state, action) for action in game.actions(state)]


def _hashable(state: State) -> Any:
    """The state, or if it is a list, what can be looked up in its place."""
    try:
        hash(state)
    except TypeError:
        if isinstance(state, list | tuple):
            return tuple(map(_hashable, state))
        raise PliesError(f"a strategy needs states that can be hashed, not {type(state).__name__}") from None
    return state


def _written(game: Game, state: State, action: Action) -> str:
    word = game.notation(state, action)
    if _meant(game, state, word) != action:
        raise PliesError(f"the strategy cannot be written: two moves are called {word!r}")
    return word


def _meant(game: Game, state: State, word: str) -> Action:
    """The legal action that is written so, to the letter."""
    for action in game.actions(state):
        if game.notation(state, action) == word:
            return action
    raise IllegalMove(f"{word[:40]!r} is not a legal move in one of its positions")


def _read(path: str | Path) -> dict[str, Any]:
    """What the file says."""
    name = repr(str(path))
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
        content = json.loads(data) if len(data) <= LARGEST_FILE else None
    except OSError as error:
        raise PliesError(f"{name} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise PliesError(f"{name} is not a strategy that this version of Plies wrote")
    if not _is_sound(content):
        raise PliesError(f"the strategy in {name} is broken: parts of it are missing or of a wrong type")
    return content


def _is_sound(content: dict[str, Any]) -> bool:
    """Whether all parts are there, each of the type that it should be."""
    if not {"game", "position", "player", "value", "actions"} <= content.keys():
        return False
    value, actions = content["value"], content["actions"]
    return (
        isinstance(content["game"], str)
        and isinstance(content["position"], str | None)
        and content["player"] in (0, 1)
        and isinstance(value, dict)
        and value.keys() == {"utility", "plies"}
        and type(value["utility"]) in (int, float)
        and abs(value["utility"]) <= 1e300  # false for nan too
        and (value["plies"] is None or (type(value["plies"]) is int and value["plies"] >= 0))
        and isinstance(actions, list)
        and all(isinstance(word, str) for word in actions)
    )
