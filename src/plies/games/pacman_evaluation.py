"""Pacman heuristics: static evaluation, and the features of an action for reflex agents."""

from __future__ import annotations

from collections.abc import Sequence

from plies.bits import popcount
from plies.games import weights as evaluation
from plies.games.pacman_board import Board
from plies.games.pacman_maze import STOP
from plies.games.pacman_state import State, cell_of, scared_time
from plies.games.wide_bitboard import Wide, holds, is_empty, size

FAR = 5
"""The distance beyond which an active ghost does not count. Set by hand."""

WEIGHTS = (1.0, -1.5, -1.0, -10.0, 4.0, 60.0)
"""The weights of the features, in points. Set by hand."""

ACTION_WEIGHTS = (1.0, 3.0, 2.0, -10.0, 5.0, -0.5, 1.0)
"""The weights of the features of an action. Set by hand."""


class Evaluation(Board):
    """The heuristics of `Pacman`."""

    move_indices = 5
    feature_names = (
        "score",
        "steps to food",
        "food",
        "capsules",
        "steps to an active ghost",
        "nearness of a scared ghost",
    )
    action_feature_names = (
        "food eaten",
        "nearness of food",
        "capsule eaten",
        "active ghosts beside",
        "ghosts caught",
        "standing still",
        "a ghost's success",
    )

    def __init__(
        self,
        layout: str,
        ghosts: int | None,
        limit: int,
        stop: bool,
        weights: Sequence[float] | None,
        action_weights: Sequence[float] | None,
    ) -> None:
        super().__init__(layout, ghosts, limit, stop)
        self.weights = evaluation.chosen(WEIGHTS, weights)
        self.action_weights = evaluation.chosen(ACTION_WEIGHTS, action_weights)

    def steps_to_food(self, food: Wide, cell: int) -> int:
        """The maze distance to the nearest food; 0 if there is none."""
        if is_empty(food):
            return 0
        for i in range(self.nearest.shape[1]):
            other = int(self.nearest[cell, i])
            if holds(food, other):
                return int(self.distance[cell, other])
        return 0

    def features(self, state: State) -> tuple[float, ...]:
        """The score, distances to food and ghosts through the maze, and what is left to eat.

        A scared ghost counts if Pacman can reach it in time.
        """
        active, scared = FAR, 0.0
        for i in range(self.count):
            other = self.ghost_at(state, i)
            steps = int(self.distance[state.pacman, cell_of(other)])
            if scared_time(other) == 0:
                active = min(active, steps)
            elif steps <= scared_time(other):
                scared = max(scared, 1.0 / (1 + steps))
        return (
            float(state.score),
            float(self.steps_to_food(state.food, state.pacman)),
            float(size(state.food)),
            float(popcount(state.capsules)),
            float(active),
            scared,
        )

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, clipped to the bounds."""
        features = self.features(state)
        value = 0.0
        for i in range(len(WEIGHTS)):
            value += features[i] * self.weights[i]
        most = float(self.numbers[2]) - 0.5
        value = max(-most, min(most, value))
        return float(value if player == 0 else -value)

    def action_features(self, state: State, action: int) -> tuple[float, ...]:
        """What an action does at once, for a reflex agent; the last is for ghosts, the others for Pacman."""
        if state.turn > 0:
            mover = self.ghost_at(state, state.turn - 1)
            there = int(self.neighbours[cell_of(mover), action])
            steps = float(self.distance[there, state.pacman])
            return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, steps if scared_time(mover) > 0 else -steps
        cell = int(self.neighbours[state.pacman, action])
        capsule = int(self.capsule_at[cell])
        beside = caught = 0.0
        for i in range(self.count):
            other = self.ghost_at(state, i)
            if scared_time(other) == 0:
                beside += self.distance[cell, cell_of(other)] <= 1
            else:
                caught += self.meets(other, cell)
        eaten = holds(state.food, cell)
        return (
            1.0 if eaten else 0.0,
            1.0 if eaten else 1.0 / (1 + self.steps_to_food(state.food, cell)),
            1.0 if capsule >= 0 and (state.capsules >> capsule & 1) != 0 else 0.0,
            float(beside),
            float(caught),
            1.0 if action == STOP else 0.0,
            0.0,
        )

    def evaluate_action(self, state: State, action: int) -> float:
        """The weighted sum of an action's features."""
        features = self.action_features(state, action)
        value = 0.0
        for i in range(len(ACTION_WEIGHTS)):
            value += features[i] * self.action_weights[i]
        return float(value)

    def priority(self, state: State, action: int) -> float:
        """What a reflex agent likes best is searched first."""
        return self.evaluate_action(state, action)
