"""The board of Pacman: the tables of a maze that the rules read, and where everybody is."""

from __future__ import annotations

import numpy as np

from plies.errors import BadParameter
from plies.game import Game
from plies.games.pacman_maze import STOP, Maze
from plies.games.pacman_state import (
    CATCH,
    CLEAR,
    DIE,
    DIGIT,
    EAT,
    MOVE,
    State,
    cell_of,
    direction_of,
    is_halfway,
)
from plies.games.wide_bitboard import first, is_empty, rest, wide


class Board(Game):
    """A maze with Pacman and ghosts in it; `Pacman` adds the rules of play.

    All that depends on the layout is in arrays, so layouts with the same number of ghosts share one
    compilation.
    """

    def __init__(self, layout: str, ghosts: int | None, limit: int, stop: bool) -> None:
        self.layout = layout
        self._maze = maze = Maze(layout)
        if str(ghosts).isdecimal():  # the program hands it on as it is typed
            ghosts = int(str(ghosts))
        if ghosts is not None and (not isinstance(ghosts, int) or not 0 <= ghosts <= len(maze.ghosts)):
            raise BadParameter(
                f"ghosts must be between 0 and {len(maze.ghosts)} in this layout, not {ghosts!r}"
            )
        if not 1 <= limit <= 100_000:
            raise BadParameter(f"limit must be between 1 and 100,000 moves, not {limit}")
        self.ghosts = ghosts
        self.limit = limit
        self.stop = stop
        self.count = len(maze.ghosts) if ghosts is None else ghosts
        self.players = self.count + 1
        self.total = 0 if self.count == 1 else None
        self.player_names = ("Pacman", *(f"ghost {i + 1}" for i in range(self.count)))
        # The least score is to be caught at the last move, the greatest to catch every ghost after every
        # capsule.
        least = DIE + MOVE * limit
        greatest = CLEAR + EAT * len(maze.food) + CATCH * self.count * len(maze.capsules) + MOVE
        most = max(-least, greatest)
        self.bounds = (-most, most)
        # Tables that the rules read.
        self.neighbours = maze.neighbours()
        self.distance = maze.distances()
        self.nearest = np.argsort(self.distance, axis=1, kind="stable")  # by cell: all cells, near ones first
        self.place = np.array(maze.places)
        self.capsule_at = np.full(len(maze.places), -1)
        self.capsule_at[maze.capsules] = np.arange(len(maze.capsules))
        self.food_words = np.array(wide(sum(1 << cell for cell in maze.food)))
        self.starts = np.array([maze.pacman, *(maze.number[place] for place in maze.ghosts)])
        self.numbers = np.array([limit, (1 << len(maze.capsules)) - 1, most])

    def ghost_at(self, state: State, i: int) -> int:
        """A ghost, packed; the first is number 0."""
        word = state.low >> DIGIT * i if i < 3 else state.high >> DIGIT * (i - 3)
        return word & (1 << DIGIT) - 1

    def legal_directions(self, state: State) -> int:
        """The directions that the player to move may take, as bits."""
        cell = state.pacman
        found = 0
        if state.turn > 0:
            mover = self.ghost_at(state, state.turn - 1)
            if is_halfway(mover):
                return 1 << direction_of(mover)
            cell = cell_of(mover)
        for direction in range(STOP):
            if self.neighbours[cell, direction] >= 0:
                found |= 1 << direction
        if state.turn > 0:
            last = direction_of(self.ghost_at(state, state.turn - 1))
            if last != STOP and found & ~(1 << (last ^ 1)):
                found &= ~(1 << (last ^ 1))  # no reversing, since there is another way
        if found == 0 or (state.turn == 0 and self.stop):
            found |= 1 << STOP
        return found

    def meets(self, ghost: int, cell: int) -> bool:
        """Whether a ghost is in a cell; a halfway one is in two."""
        here = cell_of(ghost)
        return here == cell or (
            is_halfway(ghost) == 1 and int(self.neighbours[here, direction_of(ghost)]) == cell
        )

    def point(self, cell: int) -> str:
        """The name of a cell: "b2"."""
        return self._maze.name(self._maze.places[cell])

    def food_cells(self, state: State) -> set[int]:
        """The cells with food."""
        cells, food = set(), state.food
        while not is_empty(food):
            cells.add(first(food))
            food = rest(food)
        return cells

    def capsule_cells(self, state: State) -> set[int]:
        """The cells with a capsule."""
        return {cell for i, cell in enumerate(self._maze.capsules) if state.capsules >> i & 1}
