"""Games of Plies as games of OpenSpiel, for its algorithms; OpenSpiel's games in Plies are
`plies.games.open_spiel`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from plies.errors import PliesError
from plies.game import CHANCE, SIMULTANEOUS, Game, parameters_of
from plies.history import LONGEST_GAME
from plies.interop.indexed_play import IndexedPlay, as_game
from plies.interop.observations import Observer, is_observable
from plies.validation import checked_bounds

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ImportError:
    raise PliesError("games of OpenSpiel need it: pip install 'plies[open_spiel]'") from None

MOST_OUTCOMES = 1 << 16
"""What OpenSpiel is told of how many outcomes chance may have; games of Plies do not say. Not tuned."""


def register(game: Game | str, **parameters: Any) -> str:
    """Register a game, given or by name, with OpenSpiel, and return its name there: "plies_connect_four".

    `pyspiel.load_game` makes it with the parameters it has here, or with others:
    "plies_connect_four(width=5,height=4)". Those that are no number, word or truth value stay as they are.
    """
    made = as_game(game, parameters)
    IndexedPlay(made)  # refuses games that do not fit
    present = parameters_of(made)
    settable = {name: value for name, value in present.items() if isinstance(value, int | float | str)}

    class Registered(SpielGame):
        """A game of Plies, with the parameters that OpenSpiel has read."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            given = {**settable, **(params or {})}
            fixed = {name: value for name, value in present.items() if name not in given}
            own = made if given == settable else type(made)(**fixed, **given)
            super().__init__(own, settable, params or {})

    kind = game_type(made, settable)
    pyspiel.register_game(kind, Registered)
    return str(kind.short_name)


def game_type(game: Game, settable: dict[str, Any]) -> Any:
    """What OpenSpiel knows of a game before it is made."""
    types = pyspiel.GameType
    utility = types.Utility.GENERAL_SUM
    if game.players > 1 and game.constant_sum:
        utility = types.Utility.ZERO_SUM if game.zero_sum else types.Utility.CONSTANT_SUM
    at_once, dice = game.simultaneous, game.stochastic
    return types(
        short_name=f"plies_{re.sub('[^a-z0-9]+', '_', game.name.casefold())}",
        long_name=f"{game.name} of Plies",
        dynamics=types.Dynamics.SIMULTANEOUS if at_once else types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if dice else types.ChanceMode.DETERMINISTIC,
        information=types.Information.PERFECT_INFORMATION,
        utility=utility,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=game.players,
        min_num_players=game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=is_observable(game),
        parameter_specification=settable,
    )


class SpielGame(pyspiel.Game):
    """A game of Plies as OpenSpiel has games; `plies_game` is the game itself."""

    def __init__(self, game: Game, settable: dict[str, Any], params: dict[str, Any]) -> None:
        low, high = checked_bounds(game)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.move_indices,
            max_chance_outcomes=MOST_OUTCOMES if game.stochastic else 0,
            num_players=game.players,
            min_utility=low,
            max_utility=high,
            utility_sum=None if game.total is None or game.players == 1 else float(game.total),
            max_game_length=LONGEST_GAME,
        )
        super().__init__(game_type(game, settable), info, params)
        self.plies_game = game

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return SpielObserver(self.plies_game)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):
    """A position of a game of Plies. An action is a `action_index`; an outcome of chance, its place in
    `chance`."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.play = IndexedPlay(game.plies_game)

    def current_player(self) -> int:
        if self.play.over:
            return int(pyspiel.PlayerId.TERMINAL)
        special = {CHANCE: pyspiel.PlayerId.CHANCE, SIMULTANEOUS: pyspiel.PlayerId.SIMULTANEOUS}
        return int(special.get(self.play.mover, self.play.mover))

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.play.moves[player])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(number, chance) for number, (_, chance) in enumerate(self.play.outcomes())]

    def _apply_action(self, action: int) -> None:
        play = self.play
        play.play(play.outcomes()[action][0] if play.mover == CHANCE else play.moves[play.mover][action])
        self._check_length()

    def _apply_actions(self, actions: list[int]) -> None:
        self.play.play(tuple(self.play.moves[player][action] for player, action in enumerate(actions)))
        self._check_length()

    def _check_length(self) -> None:
        if self.play.plies > LONGEST_GAME:
            name = self.play.game.name
            raise PliesError(f"a game of {name} has gone on for more than {LONGEST_GAME:,} plies")

    def _action_to_string(self, player: int, action: int) -> str:
        play = self.play
        if play.mover == CHANCE:
            return play.game.notation(play.state, play.outcomes()[action][0])
        move = play.moves[player][action]
        if play.mover == SIMULTANEOUS:
            return play.game.choice_notation(play.state, player, move)
        return play.game.notation(play.state, move)

    def is_terminal(self) -> bool:
        return self.play.over

    def returns(self) -> list[float]:
        return self.play.utilities() if self.play.over else [0.0] * self.play.game.players

    def __str__(self) -> str:
        return self.play.game.text(self.play.state)


class SpielObserver:
    """What a player sees of a position: the text and, if the game has any, the array that learners get."""

    def __init__(self, game: Game) -> None:
        self._observe = Observer(game) if is_observable(game) else None
        shape = self._observe.shape if self._observe else (0,)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)} if self._observe else {}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what the player sees into the array."""
        if self._observe is not None:
            self.dict["observation"][:] = self._observe(state.play.state, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """The position as text."""
        return str(state)
