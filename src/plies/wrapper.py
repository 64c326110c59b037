"""A game made of another one: the same rules, some of which a subclass changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from plies.errors import BadParameter
from plies.game import Action, Game, State
from plies.scene import Scene
from plies.validation import checked_bounds

FACTS = (
    *("players", "total", "bounds", "unit", "cycles", "repetitions", "superko", "exact_key", "forcing"),
    *("refinements", "algorithm", "mcts_options", "feature_names", "policies", "player_names", "compiled"),
    *("rules", "prompt"),
)
"""The facts of a game that are those of the game it is made of; a test compares them with `Game`."""


class Wrapper(Game):
    """Another game, rule for rule. It compiles if the other one does."""

    def __init__(self, game: Game) -> None:
        self.game = game
        for fact in FACTS:
            setattr(self, fact, getattr(game, fact))

    def has(self, rule: str) -> bool:
        """Whether the game gives an optional rule, or the one it is made of does."""
        return getattr(type(self), rule) is not getattr(Wrapper, rule) or self.game.has(rule)

    @property
    def stochastic(self) -> bool:
        return type(self).chance is not Wrapper.chance or self.game.stochastic

    @property
    def name(self) -> str:
        return self.game.name

    # -- The rules.

    def initial(self) -> State:
        return self.game.initial()

    def to_move(self, state: State) -> int:
        return self.game.to_move(state)

    def actions(self, state: State) -> Iterable[Action]:
        for action in self.game.actions(state):
            yield action

    def result(self, state: State, action: Action) -> State:
        return self.game.result(state, action)

    def is_terminal(self, state: State) -> bool:
        return self.game.is_terminal(state)

    def utility(self, state: State, player: int) -> float:
        return self.game.utility(state, player)

    def chance(self, state: State) -> Iterable[tuple[Action, float]]:
        for outcome, probability in self.game.chance(state):
            yield outcome, probability

    def evaluate(self, state: State, player: int) -> float:
        return self.game.evaluate(state, player)

    def features(self, state: State) -> tuple[float, ...]:
        return self.game.features(state)

    @property
    def encoding_size(self) -> int:
        return self.game.encoding_size

    def encode(self, state: State, player: int, into: Any) -> None:
        self.game.encode(state, player, into)

    def candidates(self, state: State) -> Iterable[Action]:
        for action in self.game.candidates(state):
            yield action

    def noisy(self, state: State) -> Iterable[Action]:
        for action in self.game.noisy(state):
            yield action

    def is_quiet(self, state: State) -> bool:
        return self.game.is_quiet(state)

    def null_move(self, state: State) -> State:
        return self.game.null_move(state)

    def priority(self, state: State, action: Action) -> float:
        return self.game.priority(state, action)

    def playout(self, state: State, random: int) -> Action:
        return self.game.playout(state, random)

    def move_index(self, state: State, action: Action) -> int:
        return self.game.move_index(state, action)

    def identity(self, state: State) -> Any:
        return self.game.identity(state)

    def key(self, state: State) -> int:
        return self.game.key(state)

    def repetition_key(self, state: State) -> int:
        return self.game.repetition_key(state)

    def plies_left(self, state: State) -> int:
        return self.game.plies_left(state)

    def repetition_value(self, state: State, player: int) -> float:
        return self.game.repetition_value(state, player)

    def symmetries(self, state: State) -> Iterable[State]:
        for image in self.game.symmetries(state):
            yield image

    # -- For people.

    def player_name(self, player: int) -> str:
        return self.game.player_name(player)

    def notation(self, state: State, action: Action) -> str:
        return self.game.notation(state, action)

    def parse_action(self, state: State, text: str) -> Action:
        return self.game.parse_action(state, text)

    def text(self, state: State) -> str:
        return self.game.text(state)

    def scene(self, state: State) -> Scene | None:
        return self.game.scene(state)

    def move_squares(self, state: State, action: Action) -> Sequence[str]:
        return self.game.move_squares(state, action)

    def position(self, state: State) -> str:
        return self.game.position(state)

    def parse_position(self, text: str) -> State:
        return self.game.parse_position(text)


class Paranoid(Wrapper):
    """The paranoid reduction: a game of many players as one of two, one player against all the others.

    That player is player 0 here, the others together are player 1, and what the one gains the others lose:
    all of them play to make that player's utility as small as they can. Alpha-beta serves such a game.
    """

    def __init__(self, game: Game, player: int = 0) -> None:
        super().__init__(game)
        if not 0 <= player < game.players:
            raise BadParameter(
                f"{type(game).__name__} has players 0 to {game.players - 1}; there is no player {player}"
            )
        self.player = np.array([player])  # run-time data: one machine code serves every player
        most = max(map(abs, checked_bounds(game)))
        self.players, self.total, self.bounds = 2, 0, (-most, most)
        self.algorithm = None  # what serves the game may refuse this one, or lead back here

    def to_move(self, state: State) -> int:
        mover = self.game.to_move(state)
        if mover < 0 or mover >= self.game.players:
            return mover
        return 0 if mover == self.player[0] else 1

    def utility(self, state: State, player: int) -> float:
        utility = self.game.utility(state, self.player[0])
        return utility if player == 0 else -utility

    def evaluate(self, state: State, player: int) -> float:
        value = self.game.evaluate(state, self.player[0])
        return value if player == 0 else -value

    def repetition_value(self, state: State, player: int) -> float:
        value = self.game.repetition_value(state, self.player[0])
        return value if player == 0 else -value

    def player_name(self, player: int) -> str:
        return self.game.player_name(int(self.player[0])) if player == 0 else "the others"
