"""Games as environments of Gymnasium: one seat is the learner's, and players of Plies have the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.errors import BadParameter, PliesError, Unsuitable
from plies.game import SIMULTANEOUS, Game
from plies.history import LONGEST_GAME
from plies.interop.indexed_play import IndexedPlay, as_game
from plies.interop.observations import RENDER_MODES, Observer, checked_mode, mask_of
from plies.players import Player, chosen_at_once, parse_player

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise PliesError("environments of Gymnasium need it: pip install 'plies[gymnasium]'") from None

ID = "Plies-v0"
"""The name by which `gymnasium.make` finds the environment: "plies.interop.gymnasium:Plies-v0"."""

MOST_TRIES = 1000
"""The most games that are begun until the learner has a move: others may end one before. Not tuned."""


class Environment(gymnasium.Env):
    """A game, given or by name, as one of its players sees it; the others are an `opponent`, such as "random"
    or "engine:depth=2".

    An action is a `action_index`; `info["action_mask"]` has a 1 for each that is legal. The reward is the
    utility, at the end; an illegal move ends the game with the least there is. The seed of `reset` decides
    what chance and players that sample do. A game of 10,000 plies is truncated.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        game: Game | str,
        opponent: str = "random",
        player: int = 0,
        render_mode: str | None = None,
        **parameters: Any,
    ) -> None:
        self.game = as_game(game, parameters)
        if player not in range(self.game.players):
            raise BadParameter(f"player must be between 0 and {self.game.players - 1}, not {player!r}")
        self.render_mode = checked_mode(render_mode)
        self.player, self.opponent = player, opponent
        self._observe = Observer(self.game)
        self._play = IndexedPlay(self.game)
        self._others = self._opponents(None)
        seen = self._observe
        self.observation_space = spaces.Box(seen.low, seen.high, seen.shape, seen.dtype)
        self.action_space = spaces.Discrete(self.game.move_indices)

    def _opponents(self, seed: int | None) -> dict[int, Player]:
        """The players of the other seats, each with a seed of its own."""
        others = {}
        for seat in range(self.game.players):
            if seat != self.player:
                own = None if seed is None else seed + seat
                others[seat] = parse_player(self.opponent, own, self.game)
                others[seat].prepare(self.game)
        return others

    @property
    def position(self) -> Any:
        """The state of the game."""
        return self._play.state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        """Begin a new game, and play on to the learner's first move."""
        super().reset(seed=seed)
        if seed is not None:
            self._others = self._opponents(int(self.np_random.integers(1 << 31)))
        for _ in range(MOST_TRIES):
            self._play.begin(self.game.initial())
            self._play_on()
            if not self._play.over:
                return self._seen(), self._info()
        raise Unsuitable(
            f"player {self.player} of {self.game.name} has no move before the others end the game, in "
            f"{MOST_TRIES} games of {self.opponent}: take another seat"
        )

    def step(self, action: Any) -> tuple[np.ndarray[Any, Any], float, bool, bool, dict[str, Any]]:
        """Make a move, and let the others and chance go on until the next."""
        play = self._play
        moves = play.moves[self.player]
        if int(action) not in moves:
            return self._seen(), float(self.game.bounds[0]), True, False, self._info()
        self._advance(moves[int(action)])
        self._play_on()
        reward = play.utilities()[self.player] if play.over else 0.0
        late = not play.over and play.plies >= LONGEST_GAME
        return self._seen(), reward, play.over, late, self._info()

    def _advance(self, choice: Any) -> None:
        """Play the learner's move; where all choose at once, with what the others choose."""
        play, game = self._play, self.game
        if play.mover == SIMULTANEOUS:
            others = {
                seat: chosen_at_once(other, game, play.state, seat) for seat, other in self._others.items()
            }
            choice = tuple({**others, self.player: choice}[seat] for seat in range(game.players))
        play.play(choice)

    def _play_on(self) -> None:
        """Chance and the others play until the learner is to move, or the game is over or too long."""
        play = self._play
        while not play.over and play.plies < LONGEST_GAME:
            play.let_chance_decide(self.np_random.random)
            if play.over or play.mover in (self.player, SIMULTANEOUS):
                return
            play.play(self._others[play.mover].choose(self.game, play.state, play.previous))

    def _seen(self) -> np.ndarray[Any, Any]:
        return self._observe(self._play.state, self.player)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def action_masks(self) -> np.ndarray[Any, Any]:
        """The legal moves, by the name that masking algorithms of Stable-Baselines3 ask for."""
        return mask_of(self._play.moves[self.player], self.game.move_indices)

    def render(self) -> str | None:
        """The position as text."""
        return self.game.text(self._play.state) if self.render_mode else None


if ID not in gymnasium.registry:
    gymnasium.register(ID, f"{__name__}:Environment")
