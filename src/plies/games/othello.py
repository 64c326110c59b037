"""Othello on a square board of side 4, 6 or 8."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from plies.bits import add, left, lowest, mix, multiply, popcount, right, signed
from plies.errors import BadParameter, BadPosition, IllegalMove
from plies.game import Game
from plies.games import othello_endgame
from plies.games import weights as evaluation
from plies.games.othello_weights import EARLY, LATE, WEIGHTS
from plies.scene import Piece, Scene, coordinates, squares

COLUMNS = "abcdefgh"


class State(NamedTuple):
    """Discs as bitboards, row by row from the top: a1 is bit 0, b1 is bit 1."""

    mine: int  # discs of the player to move
    theirs: int
    player: int  # the player to move


class Othello(Game):
    """Othello on a square board. An action is the number of a cell, a1 = 0, b1 = 1, …, or `passing`."""

    player_names, marks, two_sided = ("Black", "White"), ("X", "O"), True
    # Every move may be reduced or left out: `priority` only orders them.
    refinements = {"reductions": True, "futility": 4.0, "reverse_futility": 3.0, "quiet_priority": 16_383.0}
    prompt = "Choose a cell, such as d3"
    rules = (
        "Black (X) and White (O) take turns to place a disc on an empty cell, Black first. Every straight "
        "row of the opponent's discs between the new disc and another of one's own, horizontal, vertical or "
        "diagonal, is flipped; a move must flip at least one. A player who cannot move passes; when neither "
        "can, the player with more discs wins."
    )

    feature_names = tuple(f"{name}, {when}" for when in ("early", "late") for name in WEIGHTS)
    measured_levels = "levels/othello.json"

    def __init__(
        self, size: int = 8, empties_to_winner: bool = True, weights: Sequence[float] | None = None
    ) -> None:
        """A board of `size` cells a side; empty cells count for the winner, as in tournaments, or not."""
        if size not in (4, 6, 8):
            raise BadParameter(f"size must be 4, 6 or 8, not {size}")
        self.size = size
        self.empties_to_winner = empties_to_winner
        self.weights = evaluation.chosen(EARLY + LATE, weights)
        self.cells = self.passing = size * size
        self.move_indices, self.plane_shape = size * size + 1, (size, size)
        self.other_view, self.pattern_planes = (1, 0, 3, 2), (0, 1)
        self.bounds = (-size * size, size * size)
        self.board = signed((1 << size * size) - 1)
        # A flipped disc has neighbours on both sides, so none on an edge perpendicular to its line counts.
        self.inner_columns = sum(((1 << size - 2) - 1) << size * row + 1 for row in range(size))
        self.inner_rows = sum(((1 << size) - 1) << size * row for row in range(1, size - 1))
        self.inner = self.inner_columns & self.inner_rows
        self.first_column = sum(1 << size * row for row in range(size))
        self.last_column = left(self.first_column, size - 1)
        self.corners = signed(1 | 1 << size - 1 | 1 << size * (size - 1) | 1 << size * size - 1)
        self.edges = self.board & ~self.inner & ~self.corners
        self.quadrant = sum(((1 << size // 2) - 1) << size * row for row in range(size // 2))
        self.diagonal = signed(sum(1 << (size + 1) * row for row in range(size)))
        self.lines = self._lines()

    def _lines(self) -> np.ndarray:
        """For each cell and each of eight directions, the bitboard of the cells ahead, by which a disc may
        flip others: first in the four directions of higher numbers, then in the four of lower ones."""
        lines = []
        ahead = ((0, 1), (1, -1), (1, 0), (1, 1))
        for cell in range(self.cells):
            for down, across in (*ahead, *((-down, -across) for down, across in ahead)):
                line, row, column = 0, cell // self.size + down, cell % self.size + across
                while 0 <= row < self.size and 0 <= column < self.size:
                    line |= 1 << row * self.size + column
                    row, column = row + down, column + across
                lines.append(signed(line))
        return np.array(lines)

    def initial(self) -> State:
        above = self.size // 2 * (self.size - 1) - 1  # the upper left of the four centre cells
        below = above + self.size
        return State(1 << above + 1 | 1 << below, 1 << above | 1 << below + 1, 0)

    def to_move(self, state: State) -> int:
        return state.player

    def actions(self, state: State) -> Iterator[int]:
        cells = self.moves(state.mine, state.theirs)
        if cells == 0 and self.moves(state.theirs, state.mine) != 0:
            yield self.passing
        while cells != 0:
            yield lowest(cells)
            cells &= add(cells, -1)

    def result(self, state: State, action: int) -> State:
        if action == self.passing:
            return State(state.theirs, state.mine, 1 - state.player)
        turned = self.turned(state.mine, state.theirs, action)
        return State(state.theirs ^ turned, state.mine ^ turned ^ left(1, action), 1 - state.player)

    def is_terminal(self, state: State) -> bool:
        if state.mine | state.theirs == self.board:
            return True
        return self.moves(state.mine, state.theirs) == 0 and self.moves(state.theirs, state.mine) == 0

    def utility(self, state: State, player: int) -> int:
        """The player's discs less the opponent's, with the empty cells where they count for the winner."""
        lead = othello_endgame.final(self, state.mine, state.theirs)
        return lead if player == state.player else -lead

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, short of a win by all discs."""
        features = self.features(state)
        lead = 0.0
        for i in range(len(features)):
            lead += features[i] * self.weights[i]
        lead = max(1.0 - self.cells, min(self.cells - 1.0, lead))
        return lead if player == 0 else -lead

    def planes(self, state: State, player: int) -> tuple[int, int, int, int]:
        """The player's own discs and the opponent's, and where each of them could move."""
        own, other = (state.mine, state.theirs) if player == state.player else (state.theirs, state.mine)
        return own, other, self.moves(own, other), self.moves(other, own)

    def features(self, state: State) -> tuple[float, ...]:
        mine, theirs = state.mine, state.theirs
        empty = self.board & ~(mine | theirs)
        beside = self.around(empty & self.corners)  # a disc here gives up the corner
        mobility = popcount(self.moves(mine, theirs)) - popcount(self.moves(theirs, mine))
        potential = popcount(self.around(theirs) & empty) - popcount(self.around(mine) & empty)
        corners = popcount(mine & self.corners) - popcount(theirs & self.corners)
        diagonal = popcount(mine & beside & self.inner) - popcount(theirs & beside & self.inner)
        adjacent = popcount(mine & beside & self.edges) - popcount(theirs & beside & self.edges)
        stable = popcount(self.stable(mine)) - popcount(self.stable(theirs))
        edges = popcount(mine & self.edges & ~beside) - popcount(theirs & self.edges & ~beside)
        discs = popcount(mine) - popcount(theirs)
        parity = 1 if popcount(empty) & 1 else -1  # if odd, the player to move moves last
        late = popcount(mine | theirs) / self.cells
        late = late if state.player == 0 else -late  # as player 0 sees it
        early = 1.0 - late if state.player == 0 else -1.0 - late
        return (  # in the order of `feature_names`
            early * mobility,
            early * potential,
            early * corners,
            early * diagonal,
            early * adjacent,
            early * stable,
            early * edges,
            early * discs,
            early * parity,
            early,
            late * mobility,
            late * potential,
            late * corners,
            late * diagonal,
            late * adjacent,
            late * stable,
            late * edges,
            late * discs,
            late * parity,
            late,
        )

    def priority(self, state: State, action: int) -> int:
        """Fastest first: moves that leave the opponent least mobility; odd regions before even (parity)."""
        if action == self.passing:
            return 0
        after = self.result(state, action)
        mine, theirs = after.theirs, after.mine
        empty = self.board & ~(mine | theirs)
        replies = self.moves(theirs, mine)
        half, row = self.size // 2, self.cells // 2
        region = left(self.quadrant, (action >= row) * row + (action % self.size >= half) * half)
        return (
            popcount(self.moves(mine, theirs))
            - 4 * popcount(replies)
            - 6 * popcount(replies & self.corners)
            - popcount(self.around(mine) & empty)
            - 2 * (popcount(region & empty) & 1)
            + 2 * popcount(left(1, action) & self.corners)
        )

    def proved_bounds(self, state: State, alpha: float, beta: float) -> tuple[float, float]:
        """With few cells empty, by a search to the end."""
        return othello_endgame.proved_bounds(self, state.mine, state.theirs, alpha, beta)

    def key(self, state: State) -> int:
        mine = multiply(state.mine, -7046029254386353131)
        return mix(mine ^ right(mine, 32) ^ state.theirs ^ -state.player & 6364136223846793005)

    # -- Move generation in all eight directions at once: a step to the next cell of a line is a shift.

    def moves(self, mine: int, theirs: int) -> int:
        """The empty cells where a disc of `mine` flips at least one of `theirs`."""
        size = self.size
        columns, rows, inner = theirs & self.inner_columns, theirs & self.inner_rows, theirs & self.inner
        ends = self.ends_ahead(mine, columns, 1) | self.ends_ahead(mine, rows, size)
        ends |= self.ends_ahead(mine, inner, size - 1) | self.ends_ahead(mine, inner, size + 1)
        ends |= self.ends_behind(mine, columns, 1) | self.ends_behind(mine, rows, size)
        ends |= self.ends_behind(mine, inner, size - 1) | self.ends_behind(mine, inner, size + 1)
        return signed(ends & self.board & ~(mine | theirs))

    def ends_ahead(self, mine: int, theirs: int, step: int) -> int:
        """The cells just past each run of `theirs` from one of `mine`, towards higher numbers."""
        pairs = theirs & theirs << step
        run = theirs & mine << step
        run |= theirs & run << step
        run |= pairs & run << 2 * step
        run |= pairs & run << 2 * step  # six by now, the longest run there is
        return run << step

    def ends_behind(self, mine: int, theirs: int, step: int) -> int:
        """The cells just past each run of `theirs` from one of `mine`, towards lower numbers."""
        return self.run_behind(mine, theirs, step) >> step

    def run_behind(self, mine: int, theirs: int, step: int) -> int:
        """The runs of `theirs` that start next to one of `mine`, towards lower numbers."""
        pairs = theirs & theirs >> step
        run = theirs & mine >> step
        run |= theirs & run >> step
        run |= pairs & run >> 2 * step
        run |= pairs & run >> 2 * step
        return run

    def turned(self, mine: int, theirs: int, cell: int) -> int:
        """The discs of `theirs` that a disc of `mine` on an empty cell flips."""
        first = 8 * cell
        turned = self.turned_ahead(mine, theirs, int(self.lines[first]))
        turned |= self.turned_ahead(mine, theirs, int(self.lines[first + 1]))
        turned |= self.turned_ahead(mine, theirs, int(self.lines[first + 2]))
        turned |= self.turned_ahead(mine, theirs, int(self.lines[first + 3]))
        turned |= self.turned_behind(mine, theirs, int(self.lines[first + 4]), 1)
        turned |= self.turned_behind(mine, theirs, int(self.lines[first + 5]), self.size - 1)
        turned |= self.turned_behind(mine, theirs, int(self.lines[first + 6]), self.size)
        return turned | self.turned_behind(mine, theirs, int(self.lines[first + 7]), self.size + 1)

    def turned_ahead(self, mine: int, theirs: int, line: int) -> int:
        """The run of `theirs` at the start of a line, if one of `mine` bounds it, towards higher numbers."""
        # Fill all but the line's gaps with ones: the carry of an addition then stops at the first gap.
        end = add(theirs | ~line, 1) & line & mine
        return add(end, -int(end != 0)) & line

    def turned_behind(self, mine: int, theirs: int, line: int, step: int) -> int:
        """The run of `theirs` at the start of a line, if one of `mine` bounds it, towards lower numbers."""
        beyond = line & ~theirs  # the cells that are not in the run: at first the gaps, then all behind them
        beyond |= right(beyond, step)
        beyond |= right(beyond, 2 * step)
        beyond |= right(beyond, 4 * step)
        end = beyond & ~right(beyond, step) & line & mine
        return line & ~beyond if end != 0 else 0

    def around(self, cells: int) -> int:
        """The cells adjacent to some, in any of the eight directions."""
        across = cells | left(cells & ~self.last_column, 1) | right(cells & ~self.first_column, 1)
        return (across | left(across, self.size) | right(across, self.size)) & self.board

    def stable(self, discs: int) -> int:
        """Stable discs, which nothing can flip: on each line, an edge or a stable disc is next to them."""
        found, more = 0, discs & self.corners
        while more != found:
            found = more
            across = ~self.inner_columns | left(found, 1) | right(found, 1)
            down = ~self.inner_rows | left(found, self.size) | right(found, self.size)
            rising = ~self.inner | left(found, self.size - 1) | right(found, self.size - 1)
            falling = ~self.inner | left(found, self.size + 1) | right(found, self.size + 1)
            more = discs & across & down & rising & falling
        return found

    # -- Symmetries.

    def symmetries(self, state: State) -> Iterator[State]:
        # Two reflections in turn reach all eight symmetries of the square; the first is the state itself.
        for i in range(8):
            yield state
            if i % 2 == 0:
                state = State(self.mirrored(state.mine), self.mirrored(state.theirs), state.player)
            else:
                state = State(self.transposed(state.mine), self.transposed(state.theirs), state.player)

    def mirrored(self, cells: int) -> int:
        """The top-bottom reflection."""
        image = 0
        for _ in range(self.size):
            image = left(image, self.size) | cells & ((1 << self.size) - 1)
            cells = right(cells, self.size)
        return image

    def transposed(self, cells: int) -> int:
        """The transpose: rows and columns exchanged, each diagonal of cells moving as one."""
        image = cells & self.diagonal
        for i in range(1, self.size):
            upper = right(self.diagonal, i * (self.size + 1)) << i
            image |= (cells & upper) << i * (self.size - 1) | right(cells, i * (self.size - 1)) & upper
        return image

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        """The column and row, "d3", or "pass"."""
        if action == self.passing:
            return "pass"
        return f"{COLUMNS[action % self.size]}{action // self.size + 1}"

    def text(self, state: State) -> str:
        board = self._discs(state).replace("-", ".")
        rows = [board[i : i + self.size] for i in range(0, self.cells, self.size)]
        numbered = [f"{number} {' '.join(row)}" for number, row in enumerate(rows, 1)]
        return "\n".join([f"  {' '.join(COLUMNS[: self.size])}", *numbered])

    def scene(self, state: State) -> Scene:
        columns, rows = COLUMNS[: self.size], [str(row) for row in range(1, self.size + 1)]
        pieces = [
            Piece(cell % self.size + 0.5, cell // self.size + 0.5, self.marks.index(disc))
            for cell, disc in enumerate(self._discs(state))
            if disc != "-"
        ]
        cells, labels = squares(columns, rows, ("felt",)), coordinates(columns, rows)
        return Scene(self.size, self.size, cells, pieces, (), labels, ("black", "white"))

    def standing(self, state: State) -> str:
        return self.by_player(*(self._discs(state).count(mark) for mark in self.marks))

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        return () if action == self.passing else (self.notation(state, action),)

    def position(self, state: State) -> str:
        """The cells row by row, of X, O and -, and the player to move."""
        return f"{self._discs(state)} {self.marks[state.player]}"

    def parse_position(self, text: str) -> State:
        """The state of a board such as `position` writes, in rows or not, or after moves from the start.

        Text after a semicolon is ignored, as in collections of problems. Moves may be run together, and
        passes left out, as in transcripts of games.
        """
        board = "".join(re.split(r"[\s/|]+", text.partition(";")[0])).upper()
        if not board or re.search("[0-9]|PASS", board):
            return self._replayed(text)
        cells, player = board[:-1].replace(".", "-"), board[-1]
        if len(cells) != self.cells:
            raise BadPosition(
                f"{text!r} has {len(cells)} cells before the player to move; this board has {self.cells}"
            )
        if player not in self.marks:
            raise BadPosition(f"{text!r} must end with the player to move, X or O, not {player!r}")
        for cell, disc in enumerate(cells):
            if disc not in "XO-":
                place = COLUMNS[cell % self.size] + str(cell // self.size + 1)
                raise BadPosition(f"{disc!r} on {place} of {text!r} is not one of X, O and -")
        x, o = (signed(sum((disc == name) << cell for cell, disc in enumerate(cells))) for name in "XO")
        start = self.initial()
        if (start.mine | start.theirs) & ~(x | o):
            raise BadPosition(f"{text!r} has an empty cell in the centre, where the game starts")
        if self._connected(start.mine, x | o) != x | o:
            raise BadPosition(f"{text!r} has discs that are not connected to the others")
        return State(x, o, 0) if player == "X" else State(o, x, 1)

    def _replayed(self, text: str) -> State:
        """The state after the moves of a transcript."""
        state = self.initial()
        for move in re.split(r"[\s,;]+|(?<=[0-9])(?=[A-Za-z])", text.strip()) if text.strip() else []:
            if move.casefold() != "pass" and self.passing in self.actions(state):
                state = self.result(state, self.passing)
            if self.is_terminal(state):
                raise BadPosition(f"{move!r} comes after the end of the game")
            try:
                state = self.result(state, self.parse_action(state, move))
            except IllegalMove as error:
                raise BadPosition(f"{error} (reading {text.strip()!r} as moves)") from None
        return state

    def _connected(self, some: int, discs: int) -> int:
        """The discs that are connected to some (flood fill)."""
        found = 0
        while some != found:
            found = some
            some = discs & (found | self.around(found))
        return some

    def _discs(self, state: State) -> str:
        x, o = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        return "".join("X" if x >> i & 1 else "O" if o >> i & 1 else "-" for i in range(self.cells))
