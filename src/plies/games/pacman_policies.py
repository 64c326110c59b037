"""Ghost policies: models of opponents who do not play their best move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plies.errors import BadParameter
from plies.game import Policy
from plies.games.pacman_state import State, cell_of, is_halfway, scared_time


def directional(attack: float = 0.8, flee: float | None = None) -> Policy:
    """CS 188's DirectionalGhost: rush Pacman with probability `attack`, or flee with `flee` if scared.

    Otherwise any move is equally likely, as it is for Pacman. Distances are Manhattan distances.
    """
    flight = attack if flee is None else flee
    for probability in (attack, flight):
        if not 0 <= probability <= 1:
            raise BadParameter(f"a probability must be between 0 and 1, not {probability:g}")

    def policy(game: Any, state: State) -> Iterator[tuple[int, float]]:
        share = 0.0
        if state.turn > 0:
            share = flight if scared_time(game.ghost_at(state, state.turn - 1)) > 0 else attack
        count = 0
        least = 1 << 30
        moves = 0
        for action in game.actions(state):
            moves += 1
            distance = _distance_after(game, state, action)
            if distance < least:
                least = distance
                count = 0
            if distance == least:
                count += 1
        for action in game.actions(state):
            chosen = share / count if _distance_after(game, state, action) == least else 0.0
            probability = chosen + (1 - share) / moves
            if probability > 0:
                yield action, probability

    policy.__name__ = "directional"
    return policy


def _distance_after(game: Any, state: State, action: int) -> int:
    """The Manhattan distance from Pacman, in half steps, after a ghost's action; negative if it is scared."""
    if state.turn == 0:
        return 0
    mover = game.ghost_at(state, state.turn - 1)
    cell, scared = cell_of(mover), scared_time(mover)
    there = int(game.neighbours[cell, action])
    total = 0
    for axis in range(2):
        here, next_one = int(game.place[cell, axis]), int(game.place[there, axis])
        between = here + next_one if scared > 0 and is_halfway(mover) == 0 else 2 * next_one
        total += abs(between - 2 * int(game.place[state.pacman, axis]))
    return -total if scared > 0 else total
