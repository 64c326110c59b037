"""Connect Four on a board of any size up to 63 bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from plies.errors import BadParameter
from plies.game import Game


class State(NamedTuple):
    """Stones as bitboards: a column is height + 1 bits, the lowest cell first, the top bit empty."""

    mine: int  # stones of the player to move
    filled: int  # stones of both
    ply: int


class ConnectFour(Game):
    """Connect Four on a board of any size up to 63 bits."""

    player_names = ("X", "O")

    def __init__(self, width: int = 7, height: int = 6) -> None:
        if width < 1 or height < 1 or width * (height + 1) > 63:
            raise BadParameter(
                f"a Connect Four board needs width * (height + 1) from 2 to 63; {width}x{height} does not fit"
            )
        self.width = width
        self.height = height

    def initial(self) -> State:
        return State(0, 0, 0)

    def to_move(self, state: State) -> int:
        return state.ply % 2

    def actions(self, state: State) -> Iterator[int]:
        for i in range(self.width):
            column = self.width // 2 + (1 - 2 * (i & 1)) * (i + 1) // 2  # centre first
            if not (state.filled >> (column * (self.height + 1) + self.height - 1)) & 1:
                yield column

    def result(self, state: State, column: int) -> State:
        drop = state.filled + (1 << (column * (self.height + 1)))
        return State(state.mine ^ state.filled, state.filled | drop, state.ply + 1)

    def is_terminal(self, state: State) -> bool:
        return state.ply == self.width * self.height or self.four_in_a_row(state.mine ^ state.filled)

    def utility(self, state: State, player: int) -> int:
        if not self.four_in_a_row(state.mine ^ state.filled):
            return 0
        return 1 if player != self.to_move(state) else -1

    def four_in_a_row(self, stones: int) -> bool:
        column = self.height + 1
        for step in (1, column - 1, column, column + 1):
            pairs = stones & (stones >> step)
            if pairs & (pairs >> 2 * step):
                return True
        return False
