"""Games as environments of PettingZoo, in which agents act one after the other (AEC)."""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.errors import BadParameter, PliesError
from plies.game import SIMULTANEOUS, Game
from plies.history import LONGEST_GAME
from plies.interop.indexed_play import IndexedPlay, as_game
from plies.interop.observations import Observer, mask_of

try:
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise PliesError("environments of PettingZoo need it: pip install 'plies[pettingzoo]'") from None


def env(game: Game | str, render_mode: str | None = None, **parameters: Any) -> AECEnv:
    """The environment of a game, given or by name, with PettingZoo's usual wrappers: an illegal move ends it
    with the least utility for the agent."""
    made = Environment(game, render_mode, **parameters)
    ending = wrappers.TerminateIllegalWrapper(made, illegal_reward=made.game.bounds[0])
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ending))


class Environment(AECEnv):
    """The environment of a game, which raises `IllegalMove` where a move is illegal.

    Agents are player_0, player_1, …; an action is a `move_index`. An observation is a dictionary of the
    "observation" and the "action_mask". Rewards are utilities, at the end. Chance is drawn by the seed. Where
    all choose at once, they act in order and none sees what the others chose. A game of 10,000 plies is
    truncated.
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
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self._play = IndexedPlay(self.game)
        self._play.let_chance_decide(self._random.random)
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
        move = play.action(player, int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if play.mover == SIMULTANEOUS:
            self._chosen.append(move)
            if len(self._chosen) == self.game.players:
                play.play(tuple(self._chosen))
                self._chosen = []
        else:
            play.play(move)
        play.let_chance_decide(self._random.random)
        if play.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, play.utilities(), strict=True))
            self._accumulate_rewards()
        elif play.plies >= LONGEST_GAME:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select((player + 1) % self.game.players)

    def render(self) -> str | None:
        """The position as text."""
        return self.game.text(self._play.state) if self.render_mode else None

    def close(self) -> None:
        """There is nothing to close."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


RENDER_MODES = ("ansi",)


def checked_mode(mode: str | None) -> str | None:
    """A render mode that there is, or None."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadParameter(f"render_mode must be None or {' or '.join(RENDER_MODES)}, not {mode!r}")
    return mode
