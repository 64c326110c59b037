"""Qubic: four in a row in a cube of 4x4x4."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from plies.bits import add, left, lowest, mix, multiply, popcount, right, signed
from plies.errors import BadPosition, IllegalMove
from plies.game import Game
from plies.games import weights as evaluation
from plies.rules import noinline
from plies.scene import Cell, Label, Line, Piece, Scene

SIDE = 4
CELLS = SIDE**3
COLUMNS = "abcd"

LEVEL = 5.4
"""The distance of two levels in a picture, one below the other."""

WEIGHTS = (1.0, 4.0, 12.0, 6.0)
"""The weights of the features. Set by hand."""

PROMISING = 60
"""The sum over rows from which a move has positive priority, and is not reduced. Set by hand."""

ALL = signed((1 << CELLS) - 1)


class State(NamedTuple):
    """Stones as bitboards: on the lowest level a1 is bit 0, b1 bit 1, a2 bit 4; a1 one level up is bit 16."""

    mine: int  # stones of the player to move
    theirs: int
    player: int  # the player to move


@cache
def lines() -> tuple[tuple[int, ...], ...]:
    """The 76 rows of four, each as its cells in order."""
    found = set()
    for cell in itertools.product(range(SIDE), repeat=3):
        for way in itertools.product((-1, 0, 1), repeat=3):
            row = [[place + step * i for place, step in zip(cell, way, strict=True)] for i in range(SIDE)]
            if any(way) and all(0 <= place < SIDE for there in row for place in there):
                found.add(tuple(sorted(x + SIDE * y + SIDE * SIDE * z for x, y, z in row)))
    return tuple(sorted(found))


@cache
def turns() -> tuple[list[tuple[int, int]], ...]:
    """A cycle through the 192 symmetries of the cube: how each is made from the one before.

    Each step is a list of swaps: the cells of a bitboard with those a distance further. Besides rotations and
    reflections, the layers may be permuted alike in all three directions: the inner ones swapped, or each
    outer one with its neighbour. That, too, keeps all rows (R. Silver, 1967).
    """

    def layers(axis: int, *places: int) -> int:
        return sum(1 << cell for cell in range(CELLS) if cell >> 2 * axis & 3 in places)

    def mirrored(axis: int) -> list[tuple[int, int]]:
        return [(layers(axis, 0), 3 * SIDE**axis), (layers(axis, 1), SIDE**axis)]

    def transposed(axis: int) -> list[tuple[int, int]]:  # with the next axis
        ways = []
        for bit in (1, 2):
            low, high = bit << 2 * axis, bit << 2 * axis + 2
            cells = sum(1 << cell for cell in range(CELLS) if cell & low and not cell & high)
            ways.append((cells, high - low))
        return ways

    middle = [(layers(axis, 1), SIDE**axis) for axis in range(3)]
    outer = [(layers(axis, 0, 2), SIDE**axis) for axis in range(3)]
    ways = []
    for order in range(4):
        for turn in range(6):
            ways += [mirrored(axis) for axis in (0, 1, 0, 2, 0, 1, 0, 2)]
            ways[-1] += transposed(turn % 2)
        ways[-1] += outer if order % 2 else middle
    return tuple(ways)


class Qubic(Game):
    """Four in a row in a cube. An action is the number of a cell: level, row and column, each from 0 to 3."""

    player_names = ("X", "O")
    feature_names = ("ones", "twos", "threes", "tempo")
    move_indices = CELLS
    plane_shape = (4, 4, 4)
    other_view = (1, 0)
    forcing = True
    refinements = {"reductions": True}
    prompt = "Choose level, column and row, such as 2b3"
    rules = (
        "X and O take turns to place a stone on an empty cell of a cube of four levels, each with four rows "
        "and four columns; X begins. Four stones in a straight row win: there are 76 such rows, along the "
        "three directions of the cube, diagonally across its layers, and from corner to corner. A full cube "
        "is a draw."
    )

    def __init__(self, weights: Sequence[float] | None = None) -> None:
        rows = lines()
        self.count = len(rows)
        self.rows = np.array([signed(sum(1 << cell for cell in row)) for row in rows])
        # Rows of one direction start at different cells and have the same step.
        self.steps = np.array(sorted({row[1] - row[0] for row in rows}))
        firsts = [sum(1 << row[0] for row in rows if row[1] - row[0] == step) for step in self.steps]
        self.starts = np.array([signed(cells) for cells in firsts])
        through = [[i for i, row in enumerate(rows) if cell in row] for cell in range(CELLS)]
        self.begin = np.cumsum([0, *map(len, through)])
        self.through = np.array([self.rows[i] for found in through for i in found])
        ways = turns()
        self.turns = np.cumsum([0, *map(len, ways)])
        self.exchanged = np.array([signed(cells) for way in ways for cells, _ in way])
        self.distance = np.array([distance for way in ways for _, distance in way])
        self.weights = evaluation.chosen(WEIGHTS, weights)

    # -- The six rules.

    def initial(self) -> State:
        return State(0, 0, 0)

    def to_move(self, state: State) -> int:
        return state.player

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            cells = ~(state.mine | state.theirs)
            while cells != 0:
                yield lowest(cells)
                cells &= add(cells, -1)

    def result(self, state: State, action: int) -> State:
        return State(state.theirs, state.mine | left(1, action), 1 - state.player)

    def is_terminal(self, state: State) -> bool:
        return state.mine | state.theirs == ALL or self.has_row(state.theirs)

    def utility(self, state: State, player: int) -> int:
        if not self.has_row(state.theirs):
            return 0
        return 1 if player != state.player else -1

    # -- Rows.

    def has_row(self, stones: int) -> bool:
        """Whether four of the stones are in a row."""
        for i in range(len(self.steps)):
            step = int(self.steps[i])
            pairs = stones & right(stones, step)
            if pairs & right(pairs, 2 * step) & int(self.starts[i]) != 0:
                return True
        return False

    def counted(self, mine: int, theirs: int, i: int) -> tuple[int, int, int]:
        """The first cells of open rows in a direction with 1, 2 and 3 stones of a player."""
        step = int(self.steps[i])
        second, other = right(mine, step), theirs | right(theirs, step)
        free = int(self.starts[i]) & ~(other | right(other, 2 * step))
        # Add the stones of the first and second cell of each row, then those of the third and fourth.
        one, two = mine ^ second, mine & second
        next_one, next_two = right(one, 2 * step), right(two, 2 * step)
        odd, pair = one ^ next_one, two | next_two
        return free & odd & ~pair, free & ~odd & (two ^ next_two | one & next_one), free & odd & pair

    @noinline
    def filling(self, mine: int, theirs: int, stones: int) -> tuple[int, int]:
        """The empty cells of open rows with 2 or 3 stones of a player, and those in several such rows."""
        cells = several = 0
        for i in range(len(self.steps)):
            _, two, three = self.counted(mine, theirs, i)
            step = int(self.steps[i])
            row = three if stones == 3 else two
            row |= left(row, step)
            row |= left(row, 2 * step)
            several |= cells & row
            cells |= row
        free = ~(mine | theirs)
        return cells & free, several & free

    # -- Heuristics.

    def planes(self, state: State, player: int) -> tuple[int, int]:
        """The player's own stones, and the opponent's."""
        return (state.mine, state.theirs) if player == state.player else (state.theirs, state.mine)

    def features(self, state: State) -> tuple[float, ...]:
        """X's open rows less O's, by the stones in them; the tempo."""
        one, two, three = self.tally(state.mine, state.theirs)
        other_one, other_two, other_three = self.tally(state.theirs, state.mine)
        sign = 1.0 - 2.0 * state.player
        return sign * (one - other_one), sign * (two - other_two), sign * (three - other_three), sign

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, squashed between -1 and 1; extreme if a four can be made."""
        lead = self.weights[3]
        mine, theirs = self.tally(state.mine, state.theirs), self.tally(state.theirs, state.mine)
        for i in range(3):
            lead += (mine[i] - theirs[i]) * self.weights[i]
        value = 0.9 * lead / (abs(lead) + 40.0)
        if mine[2] > 0:
            value = 0.99
        elif theirs[2] > 0:
            value = -0.98
        return float(value if player == state.player else -value)

    def tally(self, mine: int, theirs: int) -> tuple[int, int, int]:
        """How many open rows have 1, 2 and 3 stones of a player."""
        one = two = three = 0
        for i in range(len(self.steps)):
            rows = self.counted(mine, theirs, i)
            one += popcount(rows[0])
            two += popcount(rows[1])
            three += popcount(rows[2])
        return one, two, three

    def pressing(self, state: State) -> int:
        """The cells that complete four in a row; if there are none, those where the opponent would."""
        cells = self.filling(state.mine, state.theirs, 3)[0]
        return cells if cells != 0 else self.filling(state.theirs, state.mine, 3)[0]

    def is_quiet(self, state: State) -> bool:
        """Whether nobody can complete four in a row at once."""
        return self.pressing(state) == 0

    def null_move(self, state: State) -> State:
        return State(state.theirs, state.mine, 1 - state.player)

    def candidates(self, state: State) -> Iterator[int]:
        """A winning cell; or one that blocks a win; or all."""
        if not self.is_terminal(state):
            cells = self.pressing(state)
            # Where two cells win, or have to be blocked, one is as good as the other.
            cells = left(1, lowest(cells)) if cells != 0 else ~(state.mine | state.theirs)
            while cells != 0:
                yield lowest(cells)
                cells &= add(cells, -1)

    def noisy(self, state: State) -> Iterator[int]:
        """A win; or a block; or third stones in a row, which force the reply, those in two rows first."""
        if not self.is_terminal(state):
            cells = self.pressing(state)
            several = 0
            if cells == 0:
                cells, several = self.filling(state.mine, state.theirs, 2)
                cells &= ~several
            while several != 0:
                yield lowest(several)
                several &= add(several, -1)
            while cells != 0:
                yield lowest(cells)
                cells &= add(cells, -1)

    def priority(self, state: State, action: int) -> int:
        """The open rows through the cell, weighted by their stones. Numbers set by hand."""
        order = 0
        for i in range(int(self.begin[action]), int(self.begin[action + 1])):
            row = int(self.through[i])
            mine, theirs = popcount(row & state.mine), popcount(row & state.theirs)
            if theirs == 0:
                order += 1 + 5 * mine * mine
            elif mine == 0:
                order += 4 * theirs * theirs
        return order - PROMISING

    def key(self, state: State) -> int:
        mine = multiply(state.mine, -7046029254386353131)
        return mix(mine ^ right(mine, 32) ^ state.theirs ^ -state.player & 6364136223846793005)

    def symmetries(self, state: State) -> Iterator[State]:
        """The 192 images of the cube by rotation, reflection and permutation of layers."""
        mine, theirs = state.mine, state.theirs
        for i in range(len(self.turns) - 1):
            yield State(mine, theirs, state.player)
            for j in range(int(self.turns[i]), int(self.turns[i + 1])):
                cells, distance = int(self.exchanged[j]), int(self.distance[j])
                other = (mine ^ right(mine, distance)) & cells
                mine ^= other | left(other, distance)
                other = (theirs ^ right(theirs, distance)) & cells
                theirs ^= other | left(other, distance)

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        """The level, column and row: "2b3"."""
        return f"{action // 16 + 1}{COLUMNS[action % 4]}{action // 4 % 4 + 1}"

    def parse_action(self, state: State, text: str) -> int:
        found = re.fullmatch(r"([1-4])([a-d])([1-4])", "".join(text.split()).casefold())
        if found is None:
            reason = "a move must be a level, a column and a row, from 1a1 to 4d4"
        else:
            cell = 16 * (int(found[1]) - 1) + 4 * (int(found[3]) - 1) + COLUMNS.index(found[2])
            if self.is_terminal(state):
                reason = "the game is over"
            elif (state.mine | state.theirs) >> cell & 1:
                reason = "the cell is occupied"
            else:
                return cell
        raise IllegalMove(f"{text.strip()!r} is not a legal move: {reason}")

    def text(self, state: State) -> str:
        """The levels side by side, the lowest on the left."""
        levels = self._stones(state).split("/")
        lines = ["  " + "   ".join(f"level {level}" for level in (1, 2, 3, 4))]
        for row in range(SIDE):
            parts = [" ".join(level[4 * row : 4 * row + 4]) for level in levels]
            lines.append(f"{row + 1} {'   '.join(parts)}")
        return "\n".join([*lines, "  " + "   ".join(["a b c d"] * 4)])

    def position(self, state: State) -> str:
        """The levels from the lowest, each row by row, of X, O and ., separated by /."""
        return self._stones(state)

    def parse_position(self, text: str) -> State:
        """The state of a cube such as `position` writes, or after moves from the start."""
        cells = "".join(re.split(r"[\s/|]+", text)).upper()
        if not cells or set(cells) - set("XO."):
            return super().parse_position(text)  # type: ignore[no-any-return]
        if len(cells) != CELLS:
            raise BadPosition(f"{text!r} has {len(cells)} cells; a cube has {CELLS}")
        x, o = (signed(sum((stone == name) << i for i, stone in enumerate(cells))) for name in "XO")
        lead = popcount(x) - popcount(o)
        if lead not in (0, 1):
            raise BadPosition(
                f"{text!r} has {popcount(x)} X and {popcount(o)} O; X must have as many, or one more"
            )
        last, other = (o, x) if lead == 0 else (x, o)
        if self.has_row(other):
            raise BadPosition(f"{text!r} goes on after {self.player_name(lead)} has four in a row")
        cells_of_last = [1 << i for i in range(CELLS) if last >> i & 1]
        if self.has_row(last) and all(self.has_row(last & ~cell) for cell in cells_of_last):
            raise BadPosition(
                f"{text!r} has fours of {self.player_name(1 - lead)} that no single stone completes"
            )
        return State(other, last, lead)

    def _stones(self, state: State) -> str:
        x, o = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        marks = "".join("X" if x >> i & 1 else "O" if o >> i & 1 else "." for i in range(CELLS))
        return "/".join(marks[i : i + 16] for i in range(0, CELLS, 16))

    def _place(self, cell: int) -> tuple[float, float]:
        """The place of a cell in a picture: levels two by two, the lowest first."""
        level = cell // 16
        return cell % 4 + 5 * (level % 2) + 0.5, cell // 4 % 4 + LEVEL * (level // 2) + 0.5

    def scene(self, state: State) -> Scene:
        x, o = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        pieces = [
            Piece(*self._place(cell), player, "disc", self.player_names[player])
            for player, stones in enumerate((x, o))
            for cell in range(CELLS)
            if stones >> cell & 1
        ]
        won = []
        for row in map(int, self.rows):
            if state.theirs & row == row:
                cells = [cell for cell in range(CELLS) if row >> cell & 1]
                won.append(Line(*self._place(cells[0]), *self._place(cells[-1]), "row"))
        labels = []
        for level in range(SIDE):
            x, y = 5 * (level % 2), LEVEL * (level // 2)
            labels.append(Label(x + SIDE / 2, y - 0.35, f"level {level + 1}"))
            if x == 0:
                labels += [Label(x - 0.35, y + row + 0.5, str(row + 1)) for row in range(SIDE)]
            if y > 0:
                labels += [
                    Label(x + column + 0.5, y + SIDE + 0.35, COLUMNS[column]) for column in range(SIDE)
                ]
        places = [Cell(self.notation(state, cell), *self._place(cell), _look(cell)) for cell in range(CELLS)]
        return Scene(2 * SIDE + 1, LEVEL + SIDE, places, pieces, won, labels)

    def move_squares(self, state: State, action: int) -> tuple[str, ...]:
        return (self.notation(state, action),)


def _look(cell: int) -> str:
    """Cells alternate as on a chessboard, in space: those above each other differ."""
    return ("light", "dark")[(cell + cell // 4 + cell // 16) % 2]
