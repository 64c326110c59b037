"""Gomoku: five in a row on a square board, by default 15x15."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plies.errors import BadPosition, IllegalMove
from plies.games.coordinates import point_cell, point_name
from plies.games.gomoku_board import MIDDLE, State, run_length
from plies.games.gomoku_evaluation import Evaluation
from plies.games.wide_bitboard import (
    Wide,
    either,
    first,
    holds,
    is_empty,
    nothing,
    rest,
    single,
    size,
    wide,
    without,
)
from plies.scene import Line, Piece, Scene, coordinates, grid, squares, starred

COLUMNS = "abcdefghijklmnopqrs"


class Gomoku(Evaluation):
    """Five in a row wins. An action is the number of a cell, a1 = 0, b1 = 1, …"""

    player_names = ("black", "white")
    measured_levels = "levels/gomoku.json"
    two_sided = True
    feature_names = ("ones", "twos", "threes", "fours", "centre", "tempo")
    prompt = "Choose a point, such as h8"
    rules = (
        "Black and white take turns to place a stone on an empty point, black first. Five stones in an "
        "unbroken row, horizontal, vertical or diagonal, win; six or more (an overline) do as well, unless "
        "the game is for exactly five. A full board is a draw."
    )

    def __init__(self, size: int = 15, exact: bool = False, weights: Sequence[float] | None = None) -> None:
        """A board of `size` points a side; `exact`: overlines, six or more in a row, do not win."""
        self.exact = exact
        super().__init__(size, exact, exact, weights)

    # -- The six rules.

    def initial(self) -> State:
        return State(nothing(), nothing(), 0, 0)

    def to_move(self, state: State) -> int:
        return state.player

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            cells = self.legal(state)
            if self.renju and is_empty(cells):
                yield self.passing
            while not is_empty(cells):
                yield first(cells)
                cells = rest(cells)

    def result(self, state: State, action: int) -> State:
        if action == self.passing:
            return State(state.black, state.white, 1 - state.player, 0)
        stone = single(action)
        if state.player == 0:
            black = either(state.black, stone)
            return State(black, state.white, 1, int(self.makes_five(black, action, self.exact_black)))
        white = either(state.white, stone)
        return State(state.black, white, 0, int(self.makes_five(white, action, self.exact_white)))

    def is_terminal(self, state: State) -> bool:
        return state.won == 1 or is_empty(self.empty(state))

    def utility(self, state: State, player: int) -> int:
        if state.won == 0:
            return 0
        return 1 if player != state.player else -1

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        """The column and row, "h8"; or "pass", where black has only forbidden points left in Renju."""
        return "pass" if action == self.passing else self.point(action)

    def point(self, cell: int) -> str:
        """The name of a cell."""
        return point_name(cell, COLUMNS, self.size)

    def cell(self, point: str) -> int:
        """The cell of that name, or -1 if this board has none."""
        return point_cell(point, COLUMNS, self.size, self.size)

    def parse_action(self, state: State, text: str) -> int:
        cell = self.cell(text)
        if self.is_terminal(state):
            reason = "the game is over"
        elif cell >= 0:
            if holds(self.legal(state), cell):
                return cell
            reason = self._why_not(state, cell)
        elif text.strip().casefold() == "pass" and self.passing in self.actions(state):
            return self.passing
        else:
            reason = f"a move must be a point from a1 to {self.point(self.cells - 1)}"
        raise IllegalMove(f"{text.strip()!r} is not a legal move: {reason}")

    def _why_not(self, state: State, cell: int) -> str:
        """Why a move to a cell of the board is illegal."""
        return "the point is occupied"

    def text(self, state: State) -> str:
        rows = [f"{self.size - i:>2} {' '.join(row)}" for i, row in enumerate(self._stones(state).split("/"))]
        return "\n".join([*rows, f"   {' '.join(COLUMNS[: self.size])}"])

    def position(self, state: State) -> str:
        """The rows from the top, of X (black), O and ., and the player to move, B or W."""
        return f"{self._stones(state)} {'BW'[state.player]}"

    def parse_position(self, text: str) -> State:
        """The state of a board such as `position` writes, or after moves from the start."""
        words = text.replace("|", " ").upper().split()
        rows: list[str] = []
        while words and set(words[0]) <= set("XO./"):
            rows += filter(None, words.pop(0).split("/"))
        if not rows:
            return super().parse_position(text)  # type: ignore[no-any-return]
        if len(rows) != self.size:
            raise BadPosition(f"{text!r} has {len(rows)} rows; this board has {self.size}")
        for number, row in enumerate(rows, 1):
            if len(row) != self.size:
                raise BadPosition(
                    f"row {number} of {text!r} has {len(row)} cells; this board has {self.size}"
                )
        player = {"B": 0, "BLACK": 0, "W": 1, "WHITE": 1}.get(words[0] if len(words) == 1 else "")
        if player is None:
            raise BadPosition(
                f"{text!r} must have B or W after the board, not {' '.join(words) or 'nothing'!r}"
            )
        stones = "".join(reversed(rows))
        black, white = (sum((stone == name) << i for i, stone in enumerate(stones)) for name in "XO")
        return self._checked(wide(black), wide(white), player, text)

    def _checked(self, black: Wide, white: Wide, player: int, text: str) -> State:
        """The state with these stones; raises `BadPosition` for one that no game leads to."""
        lead = size(black) - size(white)
        if lead != player and not (self.renju and lead < player):
            raise BadPosition(
                f"{text!r} has {size(black)} X and {size(white)} O; X must have as many before a move of X, "
                "and one more after it"
            )
        last, other = (white, black) if player == 0 else (black, white)
        name = self.player_name(1 - player)
        if self._fives(other, player):
            raise BadPosition(f"{text!r} goes on after {self.player_name(player)} has five in a row")
        won = self._fives(last, 1 - player)
        cells = [cell for cell in range(self.cells) if holds(last, cell)]
        if won and all(self._fives(without(last, single(cell)), 1 - player) for cell in cells):
            raise BadPosition(f"{text!r} has fives of {name} that no single stone completes")
        if self.renju and self._longest(black) > 5:
            raise BadPosition(f"{text!r} has an overline of X, which black may not make")
        return State(black, white, player, int(won))

    def _fives(self, stones: Wide, player: int) -> bool:
        return any(
            self.makes_five(stones, cell, self.exact_for(player))
            for cell in range(self.cells)
            if holds(stones, cell)
        )

    def _longest(self, stones: Wide) -> int:
        cells = [cell for cell in range(self.cells) if holds(stones, cell)]
        return max(
            [run_length(self.line(stones, cell, way)) for cell in cells for way in range(4)], default=0
        )

    def _stones(self, state: State) -> str:
        """The rows from the top, of X, O and ., separated by /."""
        marks = [
            "X" if holds(state.black, cell) else "O" if holds(state.white, cell) else "."
            for cell in range(self.cells)
        ]
        rows = ["".join(marks[i : i + self.size]) for i in range(0, self.cells, self.size)]
        return "/".join(reversed(rows))

    def scene(self, state: State) -> Scene:
        columns, rows = COLUMNS[: self.size], [str(self.size - row) for row in range(self.size)]
        stones = [
            Piece(*self._place(cell), player)
            for player, side in enumerate((state.black, state.white))
            for cell in range(self.cells)
            if holds(side, cell)
        ]
        lines = grid(self.size, self.size) + self._winning_rows(state)
        cells = starred(squares(columns, rows, ("point",)), self.size, self.size)
        labels = coordinates(columns, rows)
        return Scene(self.size, self.size, cells, stones, lines, labels, ("black", "white"))

    def _place(self, cell: int) -> tuple[float, float]:
        return cell % self.size + 0.5, self.size - cell // self.size - 0.5

    def _winning_rows(self, state: State) -> list[Line]:
        """The winning rows of five or more."""
        stones = state.white if state.player == 0 else state.black
        found = []
        for cell in range(self.cells if state.won else 0):
            for way in range(4):
                line = self.line(stones, cell, way)
                if line >> MIDDLE & 1 and not line >> MIDDLE - 1 & 1 and run_length(line) >= 5:
                    last = cell + (run_length(line) - 1) * self.steps[way]
                    found.append(Line(*self._place(cell), *self._place(last), "row"))
        return found

    def move_squares(self, state: State, action: int) -> tuple[str, ...]:
        return () if action == self.passing else (self.point(action),)
