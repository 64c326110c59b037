"""Tic-Tac-Toe: three in a row on nine cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plies.bits import popcount
from plies.errors import BadPosition
from plies.game import Game
from plies.games import weights as evaluation
from plies.scene import Cell, Line, Piece, Scene

# Sets of cells in octal, a digit a row: cell 1 is the lowest bit, cell 9 the highest.
LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


WEIGHTS = (0.1,)
"""The weight of an open line: a lead of seven, the most there is, is less than a win. Set by hand."""


class State(NamedTuple):
    """The cells that each player has marked, as bits: cell 1 is bit 0, cell 9 is bit 8."""

    x: int
    o: int


class TicTacToe(Game):
    """Tic-Tac-Toe: three in a row on nine cells, X first. An action is the number of a cell, 1 to 9."""

    player_names = ("X", "O")
    prompt = "Choose number from 1-9"
    rules = (
        "X and O take turns to mark an empty cell, X first. Three marks in a row, horizontal, "
        "vertical or diagonal, win. A full board is a draw."
    )

    feature_names = ("open lines",)
    move_indices = 9
    plane_shape = (3, 3)
    other_view = (1, 0)
    measured_levels = "levels/tic-tac-toe.json"

    def __init__(self, weights: Sequence[float] | None = None) -> None:
        self.weights = evaluation.chosen(WEIGHTS, weights)

    def initial(self) -> State:
        return State(0, 0)

    def to_move(self, state: State) -> int:
        return popcount(state.x | state.o) % 2

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            marked = state.x | state.o
            for cell in range(1, 10):
                if not marked >> (cell - 1) & 1:
                    yield cell

    def result(self, state: State, cell: int) -> State:
        mark = 1 << (cell - 1)
        if self.to_move(state) == 0:
            return State(state.x | mark, state.o)
        return State(state.x, state.o | mark)

    def is_terminal(self, state: State) -> bool:
        return self.has_line(state.x) or self.has_line(state.o) or state.x | state.o == 0o777

    def utility(self, state: State, player: int) -> int:
        if self.has_line(state.x):
            return 1 if player == 0 else -1
        if self.has_line(state.o):
            return 1 if player == 1 else -1
        return 0

    def evaluate(self, state: State, player: int) -> float:
        """The weighted feature, clipped short of a win."""
        value = max(-0.99, min(0.99, self.features(state)[0] * float(self.weights[0])))
        return value if player == 0 else -value

    def features(self, state: State) -> tuple[float, ...]:
        """The lines open to X less those open to O."""
        lead = 0
        for line in LINES:
            if not state.o & line:
                lead += 1
            if not state.x & line:
                lead -= 1
        return (float(lead),)

    def move_index(self, state: State, cell: int) -> int:
        return cell - 1

    def planes(self, state: State, player: int) -> tuple[int, int]:
        """The player's own marks, and the opponent's."""
        return (state.x, state.o) if player == 0 else (state.o, state.x)

    def symmetries(self, state: State) -> Iterator[State]:
        # Two reflections in turn reach all eight symmetries of the square; the first is the state itself.
        for i in range(8):
            yield state
            if i % 2 == 0:
                state = State(self.mirrored(state.x), self.mirrored(state.o))
            else:
                state = State(self.transposed(state.x), self.transposed(state.o))

    def has_line(self, marks: int) -> bool:
        for line in LINES:  # noqa: SIM110 - `any` does not compile
            if marks & line == line:
                return True
        return False

    def mirrored(self, marks: int) -> int:
        """The left-right reflection."""
        return (marks & 0o111) << 2 | marks & 0o222 | (marks & 0o444) >> 2

    def transposed(self, marks: int) -> int:
        """The transpose: rows and columns exchanged."""
        above = (marks & 0o042) << 2 | (marks & 0o004) << 4
        below = (marks & 0o210) >> 2 | (marks & 0o100) >> 4
        return above | below | marks & 0o421

    # -- Presentation.

    def text(self, state: State) -> str:
        cells = [mark if mark != "." else str(cell) for cell, mark in enumerate(self._marks(state), 1)]
        rows = [" " + " | ".join(cells[i : i + 3]) for i in (0, 3, 6)]
        return "\n---+---+---\n".join(rows)

    def scene(self, state: State) -> Scene:
        cells = [Cell(str(i + 1), i % 3 + 0.5, i // 3 + 0.5) for i in range(9)]
        marks = self._marks(state)
        pieces = [
            Piece(cell.x, cell.y, self.player_names.index(mark), "sign", mark)
            for cell, mark in zip(cells, marks, strict=True)
            if mark != "."
        ]
        lines = []
        for line in LINES:
            if line & state.x == line or line & state.o == line:
                first, *_, last = (cell for i, cell in enumerate(cells) if line >> i & 1)
                lines.append(Line(first.x, first.y, last.x, last.y, "row"))
        return Scene(3, 3, cells, pieces, lines)

    def move_squares(self, state: State, cell: int) -> Sequence[str]:
        return (str(cell),)

    def position(self, state: State) -> str:
        """Three rows of X, O and ., separated by /: "X../.O./..X"."""
        marks = self._marks(state)
        return f"{marks[:3]}/{marks[3:6]}/{marks[6:]}"

    def parse_position(self, text: str) -> State:
        """The state of a string such as "X../.O./..X", with or without /, or after moves, such as "195"."""
        if not set(text.upper()) & set("XO."):
            played: State = super().parse_position(" ".join(text))
            return played
        cells = [cell for cell in text.upper() if cell not in "/|" and not cell.isspace()]
        if len(cells) != 9:
            raise BadPosition(f"{text!r} has {len(cells)} cells; a Tic-Tac-Toe board has 9")
        x = o = 0
        for i, cell in enumerate(cells):
            if cell not in "XO.":
                raise BadPosition(f"{cell!r} in cell {i + 1} of {text!r} is not one of X, O and .")
            x |= (cell == "X") << i
            o |= (cell == "O") << i
        if popcount(x) - popcount(o) not in (0, 1):
            raise BadPosition(
                f"{text!r} has {popcount(x)} X and {popcount(o)} O; X must have as many, or one more"
            )
        for name, marks, ply in (("X", x, 1), ("O", o, 0)):
            if self.has_line(marks) and popcount(x | o) % 2 != ply:
                raise BadPosition(f"{text!r} goes on after {name} has won")
        return State(x, o)

    def _marks(self, state: State) -> str:
        return "".join("X" if state.x >> i & 1 else "O" if state.o >> i & 1 else "." for i in range(9))
