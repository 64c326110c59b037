"""Peg solitaire on boards of several shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from plies.bits import mix, popcount
from plies.errors import BadParameter, BadPosition
from plies.game import Game
from plies.games import weights as evaluation
from plies.scene import Cell, Label, Line, Piece, Scene


class Layout(NamedTuple):
    """A board: its holes by rows, the hole that is empty at first, and the goal, that of the last peg."""

    rows: str
    start: str
    goal: str
    triangular: bool = False


LAYOUTS = {
    "english": Layout("..ooo.. ..ooo.. ooooooo ooooooo ooooooo ..ooo.. ..ooo..", "d4", "d4"),
    "european": Layout("..ooo.. .ooooo. ooooooo ooooooo ooooooo .ooooo. ..ooo..", "c1", "any"),
    "german": Layout(f"{'...ooo... ' * 3}{'ooooooooo ' * 3}{'...ooo... ' * 3}", "e5", "e5"),
    "asymmetric": Layout(f"{'..ooo... ' * 3}{'oooooooo ' * 3}{'..ooo... ' * 2}", "d5", "d5"),
    "triangle": Layout("o oo ooo oooo ooooo", "1", "any", triangular=True),
}

COLUMNS = "abcdefghi"

WEIGHTS = (-0.25, 0.1, -0.3, -0.3)
"""The weights of the features, in pegs left at the end. Set by hand."""


class State(NamedTuple):
    """The pegs as a bitboard, row by row from the top."""

    pegs: int


class PegSolitaire(Game):
    """Peg solitaire, for one player. An action is the number of a jump in the list of all jumps of the board.

    The goal is one peg, in a given hole or in any. It is worth 1; any other end is worth minus the pegs left.
    """

    players = 1
    total = None
    exact_key = True
    player_names = ("Player",)
    prompt = "Choose a jump, such as d2-d4"
    feature_names = ("pegs", "jumps", "isolated pegs", "pegs in corners")
    rules = (
        "All holes but one have a peg. A peg jumps over an adjacent one, along a line of the board, into the "
        "empty hole just behind, and the peg jumped over is removed. The goal is to leave one peg, on most "
        "boards in the hole that was empty at first."
    )

    def __init__(
        self,
        layout: str = "english",
        start: str = "",
        goal: str = "",
        weights: Sequence[float] | None = None,
    ) -> None:
        """A board by name, the hole that is empty at first, and that of the last peg, or "any"."""
        if layout not in LAYOUTS:
            raise BadParameter(f"there is no board {layout!r}; there are {', '.join(LAYOUTS)}")
        board = LAYOUTS[layout]
        self.layout = layout
        self._places = [
            (row, column)
            for row, line in enumerate(board.rows.split())
            for column, hole in enumerate(line)
            if hole == "o"
        ]
        self._names = [
            str(number) if board.triangular else f"{COLUMNS[column]}{row + 1}"
            for number, (row, column) in enumerate(self._places, 1)
        ]
        self.start, self.goal = (start or board.start).casefold(), (goal or board.goal).casefold()
        if self.start not in self._names:
            raise BadParameter(f"start must be a hole of the {layout} board, not {start!r}")
        if self.goal not in [*self._names, "any"]:
            raise BadParameter(f"goal must be a hole of the {layout} board or 'any', not {goal!r}")
        self.weights = evaluation.chosen(WEIGHTS, weights)
        self.holes = len(self._places)
        self.bounds = (-self.holes, 1)
        self.full = (1 << self.holes) - 1
        # All that the rules read is in arrays, so boards of all shapes share one compilation.
        first = self.full ^ 1 << self._names.index(self.start)
        last = 0 if self.goal == "any" else 1 << self._names.index(self.goal)
        self.ends = np.array([first, last])  # the pegs at first, and the goal, 0 for any hole
        self._jumps = self._lines(board.triangular)
        # For each jump, the two holes that must have pegs, and these with the hole where it ends.
        self.needed = np.array([1 << a | 1 << b for a, b, _ in self._jumps])
        self.changed = np.array([1 << a | 1 << b | 1 << c for a, b, c in self._jumps])
        middles = {b for _, b, _ in self._jumps}
        self.corners = np.array([sum(1 << hole for hole in range(self.holes) if hole not in middles)])
        self.near = np.array(
            [sum(1 << b for b in {b for a, b, _ in self._jumps if a == hole}) for hole in range(self.holes)]
        )
        self.move_indices = len(self._jumps)
        self.plane_shape = (self.holes,)
        self.urgency = self._urgencies()
        self.images = self._tables(self._images(board.triangular))

    def _lines(self, triangular: bool) -> list[tuple[int, int, int]]:
        """Every jump: the holes where it begins, that it jumps over, where it ends."""
        ways = [(0, 1), (1, 0), (0, -1), (-1, 0)] + ([(1, 1), (-1, -1)] if triangular else [])
        number = {place: hole for hole, place in enumerate(self._places)}
        found = []
        for (row, column), hole in number.items():
            for down, across in ways:
                over = number.get((row + down, column + across))
                end = number.get((row + 2 * down, column + 2 * across))
                if over is not None and end is not None:
                    found.append((hole, over, end))
        return found

    def _urgencies(self) -> np.ndarray:
        """How much nearer to the goal, or to the middle of the board, each jump leaves the pegs.

        The exponent 1.5 is a compromise: others solve some boards at once and some not at all.
        """
        rows, columns = (max(numbers) / 2 for numbers in zip(*self._places, strict=True))
        if self.ends[1]:
            rows, columns = self._places[self._names.index(self.goal)]
        far = [abs(row - rows) ** 1.5 + abs(column - columns) ** 1.5 for row, column in self._places]
        return np.array([far[a] + far[b] - far[c] for a, b, c in self._jumps])

    def _images(self, triangular: bool) -> list[list[int]]:
        """The symmetries of the board that keep the goal: where each hole goes."""
        number = {place: hole for hole, place in enumerate(self._places)}
        last = max(row for row, _ in self._places)
        if triangular:  # three coordinates, each greatest at a corner
            spots = [[(row - column, column, last - row) for row, column in self._places]]
            orders = [(0, 1, 2), (1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1)]
            turned = [
                [(spot[order[0]] + spot[order[1]], spot[order[1]]) for spot in spots[0]] for order in orders
            ]
        else:
            turned = [
                [(a if y else last - a, b if x else last - b) for a, b in places]
                for places in (self._places, [(column, row) for row, column in self._places])
                for y in (True, False)
                for x in (True, False)
            ]
        images = [[number.get(place, -1) for place in places] for places in turned]
        goal = self._names.index(self.goal) if self.ends[1] else -1
        return [image for image in images if -1 not in image and (goal < 0 or image[goal] == goal)]

    def _tables(self, images: list[list[int]]) -> np.ndarray:
        """For each image and each eight holes, a row of 256: where each set of pegs goes."""
        tables = []
        for image in images:
            for first in range(0, self.holes, 8):
                table = np.zeros(256, np.int64)
                for i, hole in enumerate(image[first : first + 8]):
                    table[np.arange(256) >> i & 1 == 1] |= 1 << hole
                tables.append(table)
        return np.array(tables)

    def initial(self) -> State:
        return State(int(self.ends[0]))

    def to_move(self, state: State) -> int:
        return 0

    def actions(self, state: State) -> Iterator[int]:
        for jump in range(len(self.changed)):
            if state.pegs & self.changed[jump] == self.needed[jump]:
                yield jump

    def result(self, state: State, jump: int) -> State:
        return State(state.pegs ^ int(self.changed[jump]))

    def is_terminal(self, state: State) -> bool:
        for _ in self.actions(state):
            return False
        return True

    def utility(self, state: State, player: int) -> int:
        """1 for the goal, else minus the pegs left."""
        if popcount(state.pegs) == 1 and (self.ends[1] == 0 or state.pegs == self.ends[1]):
            return 1
        return -popcount(state.pegs)

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, short of the goal."""
        features = self.features(state)
        value = 0.0
        for i in range(len(WEIGHTS)):
            value += features[i] * self.weights[i]
        return float(max(0.5 - len(self.near), min(0.5, value)))

    def planes(self, state: State, player: int) -> tuple[int]:
        """The pegs."""
        return (state.pegs,)

    def features(self, state: State) -> tuple[float, ...]:
        lonely = 0
        for hole in range(len(self.near)):
            if state.pegs >> hole & 1 and state.pegs & self.near[hole] == 0:
                lonely += 1
        jumps = 0
        for jump in range(len(self.changed)):
            if state.pegs & self.changed[jump] == self.needed[jump]:
                jumps += 1
        pegs, corners = popcount(state.pegs), popcount(state.pegs & int(self.corners[0]))
        return float(pegs), float(jumps), float(lonely), float(corners)

    def priority(self, state: State, jump: int) -> float:
        """Jumps that leave the pegs close to the goal first."""
        return float(self.urgency[jump])

    def key(self, state: State) -> int:
        return mix(state.pegs)

    def symmetries(self, state: State) -> Iterator[State]:
        parts = (len(self.near) + 7) // 8
        for i in range(len(self.images) // parts):  # the first is the identity
            image = 0
            for part in range(parts):
                image |= int(self.images[i * parts + part, state.pegs >> 8 * part & 255])
            yield State(image)

    # -- Presentation.

    def notation(self, state: State, jump: int) -> str:
        """The holes where a jump begins and ends: "d2-d4"."""
        return "-".join(self.move_squares(state, jump))

    def move_squares(self, state: State, jump: int) -> Sequence[str]:
        begin, _, end = self._jumps[jump]
        return self._names[begin], self._names[end]

    def standing(self, state: State) -> str:
        left = popcount(state.pegs)
        return f"{left} peg{'' if left == 1 else 's'} left"

    def text(self, state: State) -> str:
        """Pegs as o, empty holes as ., with the letters of columns and the numbers of rows."""
        board = LAYOUTS[self.layout]
        rows = board.rows.split()
        lines = []
        for row, line in enumerate(rows):
            words = [self._shown(state, row, column) for column in range(len(line))]
            if board.triangular:
                first = self._names[self._places.index((row, 0))]
                lines.append(f"{first:>2}  {' ' * (len(rows) - 1 - row)}{' '.join(words)}")
            else:
                lines.append(f"{row + 1}  {' '.join(words)}".rstrip())
        return "\n".join(lines if board.triangular else [*lines, f"   {' '.join(COLUMNS[: len(rows[0])])}"])

    def _shown(self, state: State, row: int, column: int) -> str:
        """The character of a place: a peg, an empty hole, or a space."""
        if (row, column) not in self._places:
            return " "
        return "o" if state.pegs >> self._places.index((row, column)) & 1 else "."

    def scene(self, state: State) -> Scene:
        board = LAYOUTS[self.layout]
        rows = board.rows.split()
        width = max(map(len, rows))
        cells, pieces = [], []
        for hole, (row, column) in enumerate(self._places):
            x, y = column + 0.5 + (width - len(rows[row])) / 2, row + 0.5
            cells.append(Cell(self._names[hole], x, y, "hole"))
            if state.pegs >> hole & 1:
                pieces.append(Piece(x, y, 0))
        labels = []
        if not board.triangular:
            labels = [Label(-0.35, row + 0.5, str(row + 1)) for row in range(len(rows))]
            labels += [Label(x + 0.5, len(rows) + 0.35, COLUMNS[x]) for x in range(width)]
        return Scene(width, len(rows), cells, pieces, self._goal_frame(cells), labels, ("red",))

    def _goal_frame(self, cells: Sequence[Cell]) -> list[Line]:
        """A frame around the hole of the last peg, if it is a given one."""
        corners = [
            [
                (cell.x + x, cell.y + y)
                for x, y in ((-0.47, -0.47), (0.47, -0.47), (0.47, 0.47), (-0.47, 0.47))
            ]
            for cell in cells
            if cell.name == self.goal
        ]
        return [Line(*ends[i - 1], *ends[i]) for ends in corners for i in range(4)]

    def position(self, state: State) -> str:
        """The holes of each row from the top, o with a peg and . without: "ooo/ooo/ooooooo/…"."""
        rows = [
            "".join(self._shown(state, row, column) for column in range(len(line))).strip()
            for row, line in enumerate(LAYOUTS[self.layout].rows.split())
        ]
        return "/".join(rows)

    def parse_position(self, text: str) -> State:
        """The state of a board such as `position` writes, or after jumps from the start, "d2-d4 b3-d3"."""
        if "-" in text or not text.strip():
            played: State = super().parse_position(text)
            return played
        given = re.split(r"[\s/|]+", text.strip(" \t\n/|"))
        wanted = self.position(State(self.full)).split("/")
        if len(given) != len(wanted):
            raise BadPosition(f"{text!r} has {len(given)} rows; the {self.layout} board has {len(wanted)}")
        pegs = hole = 0
        for number, (row, full) in enumerate(zip(given, wanted, strict=True), 1):
            if len(row) != len(full):
                raise BadPosition(
                    f"row {number} of {text!r} has {len(row)} holes; it should have {len(full)}"
                )
            for place in row:
                if place not in "oO.":
                    raise BadPosition(f"{place!r} in row {number} of {text!r} is neither o nor .")
                pegs |= (place != ".") << hole
                hole += 1
        if pegs in (0, self.full):
            raise BadPosition(f"{text!r} has {'a peg in every hole' if pegs else 'no pegs'}")
        return State(pegs)
