"""Quoridor for two on boards up to 9x9."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from plies.bits import mix
from plies.errors import BadParameter, BadPosition, IllegalMove
from plies.game import Game
from plies.games.wide_bitboard import (
    Wide,
    both,
    down,
    either,
    first,
    holds,
    is_empty,
    key_of,
    nothing,
    rest,
    same,
    single,
    turned,
    up,
    wide,
    without,
)
from plies.scene import Cell, Label, Line, Piece, Scene, coordinates, squares

COLUMNS = "abcdefghi"

WEIGHTS = (2.0, 1.0, 1.0)
"""What the features are worth, in steps."""

VERTICAL = 0x2545F4914F6CDD1D
"""Tells walls that stand upright in a picture from those that lie across, in a key."""

NORTH, SOUTH, EAST, WEST = 0, 1, 2, 3


class State(NamedTuple):
    """Pawns as cells, row by row from the bottom: a1 is cell 0, b1 is cell 1.

    A wall belongs to the cell at its lower left: that cell and the next one have the wall to the north if
    it lies across, to the east if it stands upright.
    """

    first: int  # where X is, who begins at the bottom
    second: int
    across: Wide
    upright: Wide
    first_walls: int  # how many X has left
    second_walls: int
    player: int  # the player to move


class Quoridor(Game):
    """Quoridor. An action is the cell a pawn moves to, or a wall: `cells` more, or twice that if upright."""

    player_names = ("X", "O")
    feature_names = ("distance", "walls", "turn")
    cycles = True
    repetitions = 3
    prompt = "Move to a cell, such as e2, or set a wall, such as e3h (across) or e3v (upright)"
    rules = (
        "X begins at the bottom and O at the top, each in the middle; whoever first reaches the opposite "
        "side wins. A player moves the pawn one step across, up or down, or sets one of their walls, which "
        "are two cells long, between cells; walls stay, and may not overlap or cross, nor cut a pawn off "
        "from its goal altogether. A wall is named by the cell at its lower left, and h if it lies across, "
        "v if it stands upright. If the pawns meet, one jumps straight over the other; where a wall or the "
        "edge is behind the other, to either side of it. A position that stands for the third time is a "
        "draw."
    )

    def __init__(
        self, size: int = 9, walls: int | None = None, weights: Sequence[float] | None = None
    ) -> None:
        """A board of that side, and so many walls for each player: 10 on a board of 9."""
        if size not in (3, 5, 7, 9):
            raise BadParameter(f"a Quoridor board has side 3, 5, 7 or 9, not {size}")
        if walls is not None and not 0 <= walls <= 20:
            raise BadParameter(f"a player has from 0 to 20 walls, not {walls}")
        self.size = size
        self.walls = walls
        self.stock = size * size // 8 if walls is None else walls
        self.cells = size * size
        self.board = wide((1 << self.cells) - 1)
        first_column = sum(1 << size * row for row in range(size))
        row = (1 << size) - 1
        self.not_top = wide((1 << size * (size - 1)) - 1)
        self.not_right = wide((1 << self.cells) - 1 & ~(first_column << size - 1))
        self.corners = both(self.not_top, self.not_right)  # cells that a wall may belong to
        self.left, self.last = wide(first_column), wide(first_column << size - 2)
        self.low, self.high = wide(row), wide(row << size * (size - 2))
        self.goals = wide(row << size * (size - 1)), wide(row)
        self.mirror = self._mirror()
        self.weights = np.array(WEIGHTS if weights is None else weights, float)
        if self.weights.shape != (len(WEIGHTS),):
            raise BadParameter(f"Quoridor has {len(WEIGHTS)} weights, not {self.weights.size}")

    def _mirror(self) -> np.ndarray:
        """Where each cell goes when left and right are exchanged, and where each wall."""
        places = [divmod(cell, self.size) for cell in range(self.cells)]
        pawns = [row * self.size + self.size - 1 - column for row, column in places]
        walls = [row * self.size + max(self.size - 2 - column, 0) for row, column in places]
        return np.array([pawns, walls])

    # -- The six rules.

    def initial(self) -> State:
        middle = self.size // 2
        top = self.size * (self.size - 1) + middle
        return State(middle, top, nothing(), nothing(), self.stock, self.stock, 0)

    def to_move(self, state: State) -> int:
        return state.player

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            # There is always a step: both pawns have ways to their goals, and where one stands in the other's
            # only way, it can be jumped over, straight or aside.
            cells = self.steps(state)
            walls = state.first_walls if state.player == 0 else state.second_walls
            while not is_empty(cells):
                yield first(cells)
                cells = rest(cells)
            if walls > 0:
                for kind in range(2):
                    cells, doubtful = self.places(state, kind)
                    while not is_empty(cells):
                        cell = first(cells)
                        cells = rest(cells)
                        if not holds(doubtful, cell) or self.leaves_ways(state, kind, cell):
                            yield (kind + 1) * self.cells + cell

    def result(self, state: State, action: int) -> State:
        pawn, other, across, upright, walls, others, player = state
        if action < self.cells:
            if player == 0:
                return State(action, other, across, upright, walls, others, 1)
            return State(pawn, action, across, upright, walls, others, 0)
        wall = single(action % self.cells)
        if action < 2 * self.cells:
            across = either(across, wall)
        else:
            upright = either(upright, wall)
        return State(pawn, other, across, upright, walls - (player == 0), others - (player == 1), 1 - player)

    def is_terminal(self, state: State) -> bool:
        return state.first >= self.cells - self.size or state.second < self.size

    def utility(self, state: State, player: int) -> int:
        won = 0 if state.first >= self.cells - self.size else 1
        return 1 if player == won else -1

    # -- Ways between cells.

    def open_ways(self, across: Wide, upright: Wide) -> tuple[Wide, Wide]:
        """The cells from which a step up is free, and those from which a step to the right is."""
        north = without(self.not_top, either(across, up(across, 1)))
        east = without(self.not_right, either(upright, up(upright, self.size)))
        return north, east

    def step(self, cells: Wide, way: int, north: Wide, east: Wide) -> Wide:
        """Where one step in a direction leads from some cells."""
        if way == NORTH:
            return up(both(cells, north), self.size)
        if way == SOUTH:
            return both(down(cells, self.size), north)
        if way == EAST:
            return up(both(cells, east), 1)
        return both(down(cells, 1), east)

    def reached(self, cells: Wide, north: Wide, east: Wide) -> Wide:
        """These cells and those one step from them."""
        found = either(up(both(cells, north), self.size), both(down(cells, self.size), north))
        found = either(found, either(up(both(cells, east), 1), both(down(cells, 1), east)))
        return both(either(cells, found), self.board)

    def distance(self, pawn: int, player: int, north: Wide, east: Wide) -> int:
        """How many steps a player is from the goal, the other pawn left out; -1 if there is no way."""
        goal = self.goals[0] if player == 0 else self.goals[1]
        cells = single(pawn)
        steps = 0
        while is_empty(both(cells, goal)):
            more = self.reached(cells, north, east)
            if same(more, cells):
                return -1
            cells = more
            steps += 1
        return steps

    def steps(self, state: State) -> Wide:
        """Where the pawn of the player to move may go."""
        north, east = self.open_ways(state.across, state.upright)
        pawn, other = state.first, state.second
        if state.player == 1:
            pawn, other = other, pawn
        here, there = single(pawn), single(other)
        found = nothing()
        for way in range(4):
            next_cell = both(self.step(here, way, north, east), self.board)
            if same(next_cell, there):
                next_cell = both(self.step(there, way, north, east), self.board)
                if is_empty(next_cell):  # no room behind: to either side
                    aside = EAST if way < 2 else NORTH
                    next_cell = either(
                        self.step(there, aside, north, east), self.step(there, aside + 1, north, east)
                    )
            found = either(found, both(next_cell, self.board))
        return without(found, here)

    # -- Walls.

    def places(self, state: State, kind: int) -> tuple[Wide, Wide]:
        """Where a wall, across (0) or upright (1), overlaps and crosses no other; and where it may shut in.

        A wall can shut something off only if two of its three points, the ends and the middle, touch other
        walls or the edge.
        """
        n = self.size
        across, upright = both(state.across, self.corners), both(state.upright, self.corners)
        touched = either(either(across, up(across, 1)), down(across, 1))
        touched = either(either(touched, upright), either(up(upright, n), down(upright, n)))
        touched = both(touched, self.corners)
        if kind == 0:
            taken = either(either(across, upright), either(up(across, 1), down(across, 1)))
            before = either(up(touched, 1), self.left)
            behind = either(down(touched, 1), self.last)
        else:
            taken = either(either(across, upright), either(up(upright, n), down(upright, n)))
            before = either(up(touched, n), self.low)
            behind = either(down(touched, n), self.high)
        two = either(both(before, behind), both(touched, either(before, behind)))
        return without(self.corners, taken), two

    def leaves_ways(self, state: State, kind: int, cell: int) -> bool:
        """Whether both pawns still have a way to their goals if a wall is set."""
        wall = single(cell)
        across = either(state.across, wall) if kind == 0 else state.across
        upright = either(state.upright, wall) if kind == 1 else state.upright
        north, east = self.open_ways(across, upright)
        for player in range(2):
            if self.distance(state.first if player == 0 else state.second, player, north, east) < 0:
                return False
        return True

    # -- What helps a search.

    def features(self, state: State) -> tuple[float, ...]:
        """By how many steps X is nearer to the goal than O, and has more walls left."""
        north, east = self.open_ways(state.across, state.upright)
        lead = 0
        for player in range(2):
            steps = self.distance(state.first if player == 0 else state.second, player, north, east)
            lead += steps if player == 1 else -steps
        return float(lead), float(state.first_walls - state.second_walls), 1.0 - 2.0 * state.player

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, between -1 and 1."""
        features = self.features(state)
        lead = 0.0
        for i in range(len(WEIGHTS)):
            lead += features[i] * self.weights[i]
        lead = lead / (abs(lead) + 20.0)
        return float(lead if player == 0 else -lead)

    def priority(self, state: State, action: int) -> int:
        """Steps first, and towards the goal; then walls, those near the other's pawn before others."""
        forward = 1 - 2 * state.player
        row = action % self.cells // self.size
        column = action % self.size
        if action < self.cells:
            return 40 + 4 * forward * (
                row - (state.first if state.player == 0 else state.second) // self.size
            )
        other = state.second if state.player == 0 else state.first
        # Twice the distance, since a wall is between cells.
        down_by, aside = (
            abs(2 * row + 1 - other // self.size * 2),
            abs(2 * column + 1 - other % self.size * 2),
        )
        return 20 - down_by - aside

    def key(self, state: State) -> int:
        walls = key_of(both(state.across, self.board), 0) ^ key_of(both(state.upright, self.board), VERTICAL)
        numbers = state.first | state.second << 8 | state.first_walls << 16 | state.second_walls << 24
        return mix(walls ^ numbers << 1 ^ state.player)

    def symmetries(self, state: State) -> Iterator[State]:
        yield state
        yield State(
            int(self.mirror[0, state.first]),
            int(self.mirror[0, state.second]),
            turned(state.across, self.mirror, 1),
            turned(state.upright, self.mirror, 1),
            state.first_walls,
            state.second_walls,
            state.player,
        )

    # -- For people.

    def point(self, cell: int) -> str:
        """What people call a cell."""
        return f"{COLUMNS[cell % self.size]}{cell // self.size + 1}"

    def cell(self, point: str) -> int:
        """The cell that people call so; the point must be a letter and a digit."""
        return (int(point[1]) - 1) * self.size + COLUMNS.index(point[0].casefold())

    def notation(self, state: State, action: int) -> str:
        """A cell, "e2", or a wall by the cell at its lower left, "e3h" or "e3v"."""
        return self.point(action % self.cells) + ("", "h", "v")[action // self.cells]

    def parse_action(self, state: State, text: str) -> int:
        word = "".join(text.split()).casefold()
        last = COLUMNS[self.size - 1] + str(self.size)
        found = re.fullmatch(rf"([a-{last[0]}][1-{last[1]}])([hv]?)", word)
        if found:
            action = self.cell(found[1]) + self.cells * " hv".index(found[2] or " ")
            reason = self._why_not(state, action)
            if not reason:
                return action
        else:
            reason = f"a move is a cell from a1 to {last}, or a cell and h or v for a wall"
        raise IllegalMove(f"{text.strip()!r} is not a legal move: {reason}")

    def _why_not(self, state: State, action: int) -> str:
        """What is wrong with a step or a wall; nothing if it is legal."""
        if self.is_terminal(state):
            return "the game is over"
        if action < self.cells:
            return "" if holds(self.steps(state), action) else "the pawn cannot go there"
        if (state.first_walls if state.player == 0 else state.second_walls) == 0:
            return f"{self.player_name(state.player)} has no walls left"
        cell, kind = action % self.cells, action // self.cells - 1
        if not holds(self.corners, cell):
            return "a wall there would stick out of the board"
        if not holds(self.places(state, kind)[0], cell):
            return "it would overlap or cross another wall"
        return "" if self.leaves_ways(state, kind, cell) else "it would cut a pawn off from its goal"

    def text(self, state: State) -> str:
        lines = []
        for row in reversed(range(self.size)):
            cells, below = "", ""
            for column in range(self.size):
                cell = row * self.size + column
                cells += "X" if cell == state.first else "O" if cell == state.second else "."
                cells += "|" if self._has_wall(state.upright, cell, self.size) else " "
                under = row > 0 and self._has_wall(state.across, cell - self.size, 1)
                below += "- " if under else "  "
            lines += [f"{row + 1} {cells}".rstrip(), f"  {below}".rstrip()]
        lines[-1] = f"  {' '.join(COLUMNS[: self.size])}"
        return "\n".join([*lines, f"walls left: X {state.first_walls}, O {state.second_walls}"])

    def _has_wall(self, walls: Wide, cell: int, length: int) -> bool:
        """Whether a wall, whose second cell is so much further, runs along a cell."""
        return holds(walls, cell) or (cell >= length and holds(walls, cell - length))

    def _walls(self, state: State) -> list[str]:
        return [
            self.point(cell) + sign
            for sign, walls in (("h", state.across), ("v", state.upright))
            for cell in range(self.cells)
            if holds(walls, cell)
        ]

    def position(self, state: State) -> str:
        """X, where it is and its walls left; the same of O; the walls; who is to move."""
        pawns = [
            f"X {self.point(state.first)} {state.first_walls}",
            f"O {self.point(state.second)} {state.second_walls}",
        ]
        return " ".join([*pawns, *self._walls(state), self.player_name(state.player)])

    def parse_position(self, text: str) -> State:
        """The state of a position such as `position` writes, or of the moves that lead there."""
        words = text.casefold().split()
        if not words or words[0] != "x":
            return super().parse_position(text)  # type: ignore[no-any-return]
        last = COLUMNS[self.size - 1], self.size
        pawn = rf"([a-{last[0]}][1-{last[1]}]) ([0-9]{{1,2}})"
        wall = rf"[a-{COLUMNS[self.size - 2]}][1-{self.size - 1}][hv]"
        found = re.fullmatch(rf"x {pawn} o {pawn}((?: {wall})*) ([xo])", " ".join(words), re.ASCII)
        if found is None:
            raise BadPosition(
                f"{text!r} is not of the form 'X e1 10 O e9 10 e3h d4v X': each pawn with its cell and walls "
                f"left, the walls, the player to move (cells are a1 to {last[0]}{last[1]})"
            )
        state = State(
            self.cell(found[1]),
            self.cell(found[3]),
            nothing(),
            nothing(),
            int(found[2]),
            int(found[4]),
            "xo".index(found[6]),
        )
        for name in found[5].split():
            cell, kind = self.cell(name), "hv".index(name[2])
            if not holds(self.places(state, kind)[0], cell):
                raise BadPosition(f"the wall {name} of {text!r} overlaps or crosses another")
            action = (kind + 1) * self.cells + cell
            state = self.result(state, action)._replace(
                first_walls=state.first_walls, second_walls=state.second_walls, player=state.player
            )
        return self._checked(state, text)

    def _checked(self, state: State, text: str) -> State:
        """The state, if a game can lead there."""
        if state.first == state.second:
            raise BadPosition(f"both pawns of {text!r} are on {self.point(state.first)}")
        for player, walls in enumerate((state.first_walls, state.second_walls)):
            if walls > self.stock:
                raise BadPosition(
                    f"{self.player_name(player)} of {text!r} has {walls} walls left of {self.stock}"
                )
        placed = len(self._walls(state))
        if placed + state.first_walls + state.second_walls != 2 * self.stock:
            raise BadPosition(
                f"{text!r} has {placed} walls set and {state.first_walls} and {state.second_walls} left; "
                f"together there are {2 * self.stock}"
            )
        north, east = self.open_ways(state.across, state.upright)
        for player, pawn in enumerate((state.first, state.second)):
            if self.distance(pawn, player, north, east) < 0:
                raise BadPosition(f"{self.player_name(player)} of {text!r} has no way to its goal")
            if holds(self.goals[player], pawn) and state.player == player:
                raise BadPosition(f"{text!r} goes on after {self.player_name(player)} has reached the goal")
        return state

    def scene(self, state: State) -> Scene:
        n = self.size
        columns, rows = COLUMNS[:n], [str(n - row) for row in range(n)]
        cells = [cell._replace(width=0.84, height=0.84) for cell in squares(columns, rows)]
        walls = []
        for cell in range(self.cells):
            if holds(self.corners, cell):
                x, y = cell % n + 1, n - cell // n - 1  # where the four cells around the wall's middle meet
                cells.append(Cell(self.point(cell) + "h", x - 0.5, y, "slot", 0.8, 0.2))
                cells.append(Cell(self.point(cell) + "v", x, y + 0.5, "slot", 0.2, 0.8))
                if holds(state.across, cell):
                    walls.append(Line(x - 1, y, x + 1, y, "wall"))
                if holds(state.upright, cell):
                    walls.append(Line(x, y - 1, x, y + 1, "wall"))
        pawns = [
            Piece(pawn % n + 0.5, n - pawn // n - 0.5, player, "disc", self.player_names[player])
            for player, pawn in enumerate((state.first, state.second))
        ]
        labels = coordinates(columns, rows)
        labels.append(Label(n / 2, n + 0.95, self.text(state).rpartition("\n")[2]))
        return Scene(n, n, cells, pawns, walls, labels)

    def move_squares(self, state: State, action: int) -> tuple[str, ...]:
        if action >= self.cells:
            return (self.notation(state, action),)
        return self.point(state.first if state.player == 0 else state.second), self.point(action)
