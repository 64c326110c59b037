"""Games as environments of PettingZoo, in which agents act one after the other (AEC)."""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.errors import PliesError
from plies.game import CHANCE, SIMULTANEOUS, Game
from plies.history import LONGEST_GAME
from plies.interop.indexed_play import IndexedPlay, as_game
from plies.interop.observations import RENDER_MODES, Observer, checked_mode, mask_of

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
except ImportError:
    raise PliesError("environments of PettingZoo need it: pip install 'plies[pettingzoo]'") from None


def env(game: Game | str, render_mode: str | None = None, **parameters: Any) -> Environment:
    """The environment of a game, given or by name. It needs none of PettingZoo's wrappers, which take longer
    than most games do."""
    return Environment(game, render_mode, **parameters)


class Environment(AECEnv):
    """The environment of a game.

    Agents are player_0, player_1, …; an action is a `action_index`. An observation is a dictionary of the
    "observation" and the "action_mask". Rewards are utilities, at the end; an illegal move ends the game with
    the least there is for the agent, and 0 for the others. Chance is drawn by the seed. Where all choose at
    once, they act in order and none sees what the others chose. A game of 10,000 plies is truncated.
    """

    def __init__(self, game: Game | str, render_mode: str | None = None, **parameters: Any) -> None:
        super().__init__()
        self.game = as_game(game, parameters)
        self.render_mode = checked_mode(render_mode)
        self.metadata = {
            "name": f"plies_{self.game.name.replace('-', '_')}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self._observe = Observer(self.game)
        self._play = IndexedPlay(self.game)
        self._random: Any = None
        self.possible_agents = [f"player_{player}" for player in range(self.game.players)]
        self._numbers = {agent: player for player, agent in enumerate(self.possible_agents)}
        size = self.game.move_indices
        self.action_spaces = {agent: spaces.Discrete(size) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._space(size) for agent in self.possible_agents}

    def _space(self, size: int) -> spaces.Dict:
        seen = self._observe
        return spaces.Dict(
            {
                "observation": spaces.Box(seen.low, seen.high, seen.shape, seen.dtype),
                "action_mask": spaces.Box(0, 1, (size,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    @property
    def position(self) -> Any:
        """The state of the game."""
        return self._play.state

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game."""
        if self.game.stochastic and (seed is not None or self._random is None):
            self._random = seeding.np_random(seed)[0].random  # which takes as long as several moves
        self._play.begin(self.game.initial())
        if self.game.stochastic:
            self._play.let_chance_decide(self._random)
        self._chosen: list[Any] = []  # by those who have chosen, where all do at once
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select(0)

    def _select(self, otherwise: int) -> None:
        """Select the agent to act: in a finished game, another one."""
        mover = self._play.mover
        if self._play.over:
            mover = otherwise
        elif mover == SIMULTANEOUS:
            mover = len(self._chosen)
        self.agent_selection = self.possible_agents[mover]

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """What an agent sees, and its legal moves: none unless it is to act."""
        player = self._numbers[agent]
        moves = self._play.moves[player] if agent == self.agent_selection else {}
        return {
            "observation": self._observe(self._play.state, player),
            "action_mask": mask_of(moves, self.game.move_indices),
        }

    def step(self, action: Any) -> None:
        """The selected agent makes a move; one whose game is over makes none, None."""
        agent, play = self.agent_selection, self._play
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        player = self._numbers[agent]
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        moves, index = play.moves[player], int(action)
        if index not in moves:
            self._end({agent: self.game.bounds[0]})
            self._select((player + 1) % self.game.players)
            return
        move = moves[index]
        if play.mover == SIMULTANEOUS:
            self._chosen.append(move)
            if len(self._chosen) == self.game.players:
                play.play(tuple(self._chosen))
                self._chosen = []
        else:
            play.play(move)
        if play.mover == CHANCE:
            play.let_chance_decide(self._random)
        if play.over:
            self._end(dict(zip(self.agents, play.utilities(), strict=True)))
        elif play.plies >= LONGEST_GAME:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select((player + 1) % self.game.players)

    def _end(self, rewards: dict[str, float]) -> None:
        """The game is over, with these rewards and 0 for who has none."""
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards |= rewards
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as text."""
        return self.game.text(self._play.state) if self.render_mode else None

    def close(self) -> None:
        """There is nothing to close."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
