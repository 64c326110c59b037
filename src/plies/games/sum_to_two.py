"""Sum-to-2, a game whose whole tree fits on a slide.

Player 1 moves, then player 2, then player 1 again; a move is 0 or 1.
Player 1 wins if the three moves sum to 2, otherwise player 2 wins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plies.errors import BadPosition
from plies.game import Game
from plies.scene import Cell, Label, Piece, Scene


class State(NamedTuple):
    """The sum of the moves made, and how many there were."""

    total: int
    ply: int


class SumToTwo(Game):
    """Sum-to-2: three moves of 0 or 1, by player 1, 2 and 1; player 1 wins if they sum to 2."""

    move_indices = 2
    plane_shape = (4, 4)
    prompt = "Choose 0 or 1"
    rules = (
        "Player 1 chooses 0 or 1, then player 2 does, then player 1 again. "
        "If the three numbers sum to 2, player 1 wins, otherwise player 2."
    )

    def initial(self) -> State:
        return State(0, 0)

    def to_move(self, state: State) -> int:
        return state.ply % 2

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            yield 0
            yield 1

    def result(self, state: State, number: int) -> State:
        return State(state.total + number, state.ply + 1)

    def is_terminal(self, state: State) -> bool:
        return state.ply == 3

    def utility(self, state: State, player: int) -> int:
        winner = 0 if state.total == 2 else 1
        return 1 if player == winner else -1

    def planes(self, state: State, player: int) -> tuple[int]:
        """The one cell of the sum, in the row of the number of moves made."""
        return (1 << 4 * state.ply + state.total,)

    # -- Presentation.

    def text(self, state: State) -> str:
        return f"sum {state.total} after {state.ply} of 3 moves"

    def scene(self, state: State) -> Scene:
        """The two numbers to choose from, the moves that are left, and the sum so far."""
        cells = [Cell("0", 0.5, 0.5), Cell("1", 1.5, 0.5), Cell("sum", 3, 0.5, "pit", 1.4, 1)]
        pieces = [Piece(cell.x, cell.y, None, "sign", cell.name) for cell in cells[:2]]
        pieces += [Piece(4.2 + 0.5 * i, 0.5, None, "sign", "|") for i in range(3 - state.ply)]
        pieces.append(Piece(3, 0.5, None, "seeds", str(state.total)))
        return Scene(5.5, 1, cells, pieces, (), [Label(2.75, 1.4, self.text(state))])

    def move_squares(self, state: State, number: int) -> Sequence[str]:
        return (str(number),)

    def position(self, state: State) -> str:
        """The sum and the number of moves made: "1 after 2"."""
        return f"{state.total} after {state.ply}"

    def parse_position(self, text: str) -> State:
        """The state of "1 after 2", or after moves from the start: "0 1"."""
        found = re.fullmatch(r"([0-9]{1,9})\s*after\s*([0-9]{1,9})", text.strip(), re.IGNORECASE)
        if not found:
            played: State = super().parse_position(" ".join(text))
            return played
        total, ply = int(found[1]), int(found[2])
        if not total <= ply <= 3:
            raise BadPosition(f"{text!r} is impossible: there are 3 moves, and each adds 0 or 1")
        return State(total, ply)
