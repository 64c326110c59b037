"""A game in progress whose moves are numbers from 0, as the libraries of learners want them."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable
from typing import Any

from plies.errors import BadParameter, BrokenRule, Unsuitable
from plies.game import CHANCE, SIMULTANEOUS, Action, Game, State
from plies.history import History
from plies.registry import game as make_game
from plies.validation import checked_players, in_state, index_rule, outcomes_in

MOST_INDICES = 1 << 20
"""The largest action space: a mask has as many bytes. Not tuned."""


def as_game(game: Game | str, parameters: dict[str, Any]) -> Game:
    """A game, or the game of that name with these parameters."""
    if isinstance(game, str):
        return make_game(game, **parameters)
    if parameters:
        raise BadParameter(f"{next(iter(parameters))} is for games given by name: make the game with it")
    return game


NO_MOVES: dict[int, Action] = {}
"""Of a player who is not to move."""


class IndexedPlay:
    """One game as it goes on. A move is the `action_index` of an action; where chance decides, the action
    itself."""

    def __init__(self, game: Game, start: State | None = None) -> None:
        if not isinstance(game.move_indices, int) or game.move_indices < 1:
            raise Unsuitable(
                f"{game.name} does not state how many move indices it has, and learners choose from a fixed "
                "number of them: give it `move_indices` and, unless actions are numbers from 0, move_index()"
            )
        if game.move_indices > MOST_INDICES:
            raise Unsuitable(
                f"{game.name} has {game.move_indices:,} move indices, and learners can choose from at most "
                f"{MOST_INDICES:,}"
            )
        checked_players(game)
        self.game = game
        self._count = game.move_indices
        self._index_of = getattr(game, index_rule(game))
        self.begin(game.initial() if start is None else start)

    def begin(self, state: State) -> None:
        """Begin a new game in a state."""
        self.state = state
        self.plies = 0
        """The actions and outcomes of chance so far."""
        self._history = History(self.game, state) if self.game.cycles else None
        self._enter()

    def _enter(self) -> None:
        """Find out who is to move, and which moves there are."""
        game, state, history = self.game, self.state, self._history
        self.moves: list[dict[int, Action]] = [NO_MOVES] * game.players
        """For each player, the legal moves by index, in the game's order; none for who is not to move."""
        self.over = over = game.is_terminal(state) if history is None else history.over
        """Whether the game is over, by its rules or by its history."""
        self.mover: int = SIMULTANEOUS if over else game.to_move(state)
        """The player to move, CHANCE or SIMULTANEOUS."""
        if over or self.mover == CHANCE:
            return
        if self.mover == SIMULTANEOUS:
            for player in range(game.players):
                self.moves[player] = self._indexed(game.choices(state, player))
        else:
            legal = game.actions(state) if history is None else history.legal()
            self.moves[self.mover] = self._indexed(legal)

    def _indexed(self, actions: Iterable[Action]) -> dict[int, Action]:
        found: dict[int, Action] = {}
        game, state, index_of, count = self.game, self.state, self._index_of, self._count
        for action in actions:
            index = index_of(state, action)
            if index in found or not 0 <= index < count:
                wrong = "that of another action, too," if index in found else f"not below {game.move_indices}"
                rule = index_rule(game)
                place = in_state(game, state, rule)
                raise BrokenRule(f"{rule}() of {action!r} is {index!r}, {wrong} {place}")
            found[index] = action
        return found

    def play(self, action: Action) -> None:
        """Play an action of the player to move, of all at once, or an outcome of chance."""
        if self._history is None:
            self.state = self.game.result(self.state, action)
        else:
            self._history.play(action)
            self.state = self._history.state
        self.plies += 1
        self._enter()

    def outcomes(self) -> list[tuple[Action, float]]:
        """The outcomes of chance, with their probabilities."""
        return outcomes_in(self.game, self.state)

    def let_chance_decide(self, random: Callable[[], float]) -> None:
        """Draw outcomes, by random numbers from 0 to 1, until a player is to move or the game is over."""
        while self.mover == CHANCE:
            drawn, outcomes = random(), [(outcome, chance) for outcome, chance in self.outcomes() if chance]
            sums = itertools.accumulate(chance for _, chance in outcomes)
            place = next((i for i, below in enumerate(sums) if drawn < below), -1)  # rounded, the last
            self.play(outcomes[place][0])

    def utilities(self) -> list[float]:
        """The utility of the finished game to each player."""
        worth = (
            self._history.utility if self._history else lambda player: self.game.utility(self.state, player)
        )
        return [float(worth(player)) for player in range(self.game.players)]

    @property
    def previous(self) -> list[State]:
        """The states before, where the rules look back on them."""
        return list(self._history.previous) if self._history else []

    def __deepcopy__(self, memo: dict[int, Any]) -> IndexedPlay:
        """The same position, to go on from separately; the game itself is shared."""
        other = copy.copy(self)
        if self._history is not None:
            other._history = self._history.copy()
        return other
