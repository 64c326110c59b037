"""Strategies: an optimal answer to every position that can be reached, to be played, saved and loaded.

Where a database leaves a clock out, strategies do, too: there is one answer at all clocks.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plies.book.verify import SLACK, Replies, bare, check_verifiable
from plies.engine.result import line_text
from plies.engine.value import Value
from plies.errors import IllegalMove, PliesError
from plies.game import Action, Game, State
from plies.needs import VERSUS

if TYPE_CHECKING:
    from plies.engine.solution import Solves

FORMAT = "plies strategy 1"
"""The first field of a file; its number changes with the format."""

LARGEST_FILE = 1 << 28
"""The most bytes of a file. Not tuned."""

LONGEST_LINE = 20
"""The most moves of a refutation that an error quotes."""

LARGEST_STRATEGY = 10_000_000
"""The most positions of a strategy that is loaded, by default. Not tuned."""


class Strategy:
    """An optimal action for each position of one player, which attains the value against any play.

    Positions are solved when reached; `complete` solves all that can be reached, after which no solver is
    needed. A strategy can play a game like any other player.
    """

    name = "strategy"

    def __init__(
        self, game: Game, state: State, player: int, value: Value, solver: Solves | None = None
    ) -> None:
        self.game, self.state, self.player = game, state, player
        self.value = value
        """The least that the player gets from `state` on."""
        self._solver = solver
        self._answers: dict[Any, Action] = {}
        self.reached: int | None = None
        """The size of the proof: the positions that can be reached, ends included, once they were counted."""

    @property
    def positions(self) -> int:
        """The number of positions answered so far."""
        return len(self._answers)

    @property
    def is_complete(self) -> bool:
        """Whether every position that can be reached has its answer."""
        return self._solver is None

    def action(self, state: State) -> Action:
        """An optimal action in a position with the player to move."""
        state = bare(self.game, state)
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
            raise PliesError("the strategy has no action here: the position cannot be reached against it")
        solution = self._solver.solve(state)
        if not solution.solved:
            raise PliesError(f"the strategy has no action here: {solution.reason}")
        return solution.action

    def complete(self, limit: int = 1_000_000) -> Strategy:
        """Solve every position that can be reached, up to a limit; the strategy itself."""
        if not self.is_complete:
            explored = _explored(self.game, self.state, self.player, self.action, limit)
            self._answers = {_hashable(state): action for state, action in explored}
            self._solver = None
        return self

    # -- As a player.

    def prepare(self, game: Game) -> None:
        """Check that the game is the strategy's own."""
        if repr(game) != repr(self.game):
            raise PliesError(f"the strategy is for {self.game!r}, not for {game!r}")

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The action to take."""
        return self.action(state)

    # -- In a file: the answers, in the order of `_explored`.

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
        """The position string of the root; None for the initial position."""
        if self.state == self.game.initial():
            return None
        position = self.game.position(self.state)
        if self.game.parse_position(position) != self.state:
            raise PliesError(f"the strategy cannot be written: {position!r} is read as another position")
        return position

    @classmethod
    def load(
        cls,
        path: str | Path,
        game: Game,
        limit: int = LARGEST_STRATEGY,
        progress: Callable[[int], None] | None = None,
    ) -> Strategy:
        """Read a strategy for a game, of up to a limit of positions.

        A file is not trusted: every action is checked, every reply is played, and the value is the one that
        the strategy is shown to attain. `progress` is called with the positions so far, now and then.
        """
        VERSUS.check(game, "a strategy")
        check_verifiable(game)
        content = _read(path)
        if content["game"] != repr(game):
            raise PliesError(f"the strategy in {str(path)!r} is for {content['game']:.200}, not for {game!r}")
        position, claim = content["position"], content["value"]
        state = game.initial() if position is None else game.parse_position(position)
        strategy = cls(game, state, content["player"], Value.of(game, float(claim["utility"])))
        words = iter(content["actions"])

        def answer(state: State) -> Action:
            word = next(words, None)
            if word is None:
                raise PliesError(f"the strategy in {str(path)!r} is not complete: actions are missing")
            try:
                return _meant(game, state, word)
            except IllegalMove as error:
                raise PliesError(f"the strategy in {str(path)!r} is broken: {error}") from None

        for reached, action in _explored(game, state, strategy.player, answer, limit):
            strategy._answers[_hashable(reached)] = action
        if next(words, None) is not None:
            raise PliesError(f"the strategy in {str(path)!r} is broken: it has more actions than positions")
        strategy._verify(path, float(claim["utility"]), claim["plies"], progress)
        if claim["plies"] is None or strategy.value.lead == 0:  # the plies to a draw do not matter
            strategy.value = replace(strategy.value, plies=0 if claim["plies"] == 0 else None)
        return strategy

    def _verify(
        self, path: str | Path, utility: float, plies: int | None, progress: Callable[[int], None] | None
    ) -> None:
        """Find what the strategy attains, or raise an error if it claims more."""
        replies = Replies(self.game, self, self.player, sys.maxsize, progress)
        worst = replies.worst(self.state)
        self.value = Value.of(self.game, worst.utility, True, worst.plies)
        self.reached = len(replies.nodes)
        if shortfall := _shortfall(self.game, self.value, utility, plies):
            moves = line_text(self.game, self.state, replies.line(self.state)[:LONGEST_LINE])
            line = f", as after {' '.join(moves)}" if moves else ""
            raise PliesError(f"the strategy in {str(path)!r} is broken: {shortfall}{replies.late or line}")


def _shortfall(game: Game, attained: Value, utility: float, plies: int | None) -> str:
    """How a strategy falls short of its claim, in words; empty if by rounding only."""
    slack = SLACK * max(map(abs, game.bounds))
    if attained.utility < utility - slack:
        return f"it claims {utility:g}, but its outcome may be {attained.utility:g}"
    if plies is None or attained.plies is None or attained.utility > utility + slack:
        return ""
    if attained.lead > 0 and attained.plies > plies:
        return f"it claims to win in {plies} plies, but it may take {attained.plies}"
    if attained.lead < 0 and attained.plies < plies:
        return f"it claims to last {plies} plies, but it may be only {attained.plies}"
    return ""


def _explored(
    game: Game, state: State, player: int, answer: Callable[[State], Action], limit: float
) -> Iterator[tuple[State, Action]]:
    """Each of the player's positions that can be reached, once, with the answer to it; depth first."""
    seen: set[Any] = set()
    waiting = [state]
    while waiting:
        state = bare(game, waiting.pop())
        if game.is_terminal(state) or _hashable(state) in seen:
            continue
        seen.add(_hashable(state))
        if len(seen) > limit:
            raise PliesError(f"more than {limit:,} positions can be reached against the strategy")
        if game.to_move(state) == player:
            action = answer(state)
            yield state, action
            waiting.append(game.result(state, action))
        else:
            waiting += [game.result(state, action) for action in game.actions(state)]


def _hashable(state: State) -> Any:
    """The state, with lists as tuples, for use as a dictionary key."""
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
    """The legal action with that notation."""
    for action in game.actions(state):
        if game.notation(state, action) == word:
            return action
    raise IllegalMove(f"{word[:40]!r} is not a legal move in one of its positions")


def _read(path: str | Path) -> dict[str, Any]:
    """The content of a file, of the right form."""
    name = repr(str(path))
    try:
        if Path(path).exists() and not Path(path).is_file():  # a pipe, or a device, may have no end
            raise PliesError(f"{name} cannot be read: it is not a file")
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
    """Whether all fields are there, each of the right type."""
    if not {"game", "position", "player", "value", "actions"} <= content.keys():
        return False
    value, actions = content["value"], content["actions"]
    return (
        isinstance(content["game"], str)
        and isinstance(content["position"], str | None)
        and type(content["player"]) is int
        and content["player"] in (0, 1)
        and isinstance(value, dict)
        and value.keys() == {"utility", "plies"}
        and type(value["utility"]) in (int, float)
        and abs(value["utility"]) <= 1e300  # false for nan too
        and (value["plies"] is None or (type(value["plies"]) is int and value["plies"] >= 0))
        and isinstance(actions, list)
        and all(isinstance(word, str) for word in actions)
    )


class StrategyFile:
    """A player who follows the strategy in a file, which is read, and verified, before the game."""

    name = "strategy"

    def __init__(self, path: str) -> None:
        self.path = path
        self._strategy: Strategy | None = None

    def prepare(self, game: Game) -> None:
        """Read the file, or raise an error if it is for another game."""
        self._strategy = Strategy.load(self.path, game)

    def choose(self, game: Game, state: State, previous: Sequence[State] = ()) -> Action:
        """The action to take."""
        if self._strategy is None or self._strategy.game is not game:
            self.prepare(game)
        assert self._strategy is not None
        return self._strategy.action(state)
