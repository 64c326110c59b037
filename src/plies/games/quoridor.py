"""Quoridor for two players on boards up to 9x9."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plies.bits import mix
from plies.errors import IllegalMove
from plies.games import quoridor_position
from plies.games import weights as evaluation
from plies.games.quoridor_board import COLUMNS, Board, State
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
    single,
    stack,
    turned,
)
from plies.scene import Cell, Line, Piece, Scene, coordinates, squares

WEIGHTS = (2.0, 1.0, 1.0)
"""The weights of the features, in steps. Set by hand."""

VERTICAL = 0x2545F4914F6CDD1D
"""The salt that tells vertical walls from horizontal ones in a hash: the multiplier of xorshift64* (Vigna
2016); any mixed bits would do."""


class Quoridor(Board):
    """Quoridor. An action is the cell that a pawn moves to, or a wall: its cell plus `cells` if it is
    horizontal, plus twice `cells` if it is vertical."""

    player_names = ("White", "Black")
    marks = ("X", "O")
    two_sided = True
    feature_names = ("distance", "walls", "tempo")
    cycles = True
    repetitions = 3
    prompt = "Move to a cell, such as e2, or place a wall, such as e3h (horizontal) or e3v (vertical)"
    rules = (
        "White (X) begins at the bottom and Black (O) at the top, each in the middle; whoever first reaches "
        "the opposite side wins. A player moves their pawn one step horizontally or vertically, or places "
        "one of their walls, which are two cells long, between cells; walls stay, and may not overlap or "
        "cross, nor leave a pawn without a path to its goal. A wall is named by its lower left cell, and h "
        "if it is horizontal, v if it is vertical. If the pawns meet, one jumps straight over the other; "
        "where a wall or the edge is behind the other, to either side of it. Threefold repetition is a "
        "draw."
    )

    def __init__(
        self, size: int = 9, walls: int | None = None, weights: Sequence[float] | None = None
    ) -> None:
        """A board of `size` cells a side, and `walls` for each player: by default 10 on a board of 9."""
        super().__init__(size, walls)
        self.move_indices = 3 * self.cells
        self.plane_shape = (size, size)
        self.weights = evaluation.chosen(WEIGHTS, weights)

    # -- The six rules.

    def initial(self) -> State:
        middle = self.size // 2
        top = self.size * (self.size - 1) + middle
        return State(middle, top, nothing(), nothing(), self.stock, self.stock, 0)

    def to_move(self, state: State) -> int:
        return state.player

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            # There is always a pawn move: both pawns have a path to their goals, and where one blocks the
            # other's only path, it can be jumped, straight or diagonally.
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
                        if not holds(doubtful, cell) or self.leaves_paths(state, kind, cell):
                            yield (kind + 1) * self.cells + cell

    def result(self, state: State, action: int) -> State:
        pawn, other, horizontal, vertical, walls, others, player = state
        if action < self.cells:
            if player == 0:
                return State(action, other, horizontal, vertical, walls, others, 1)
            return State(pawn, action, horizontal, vertical, walls, others, 0)
        wall = single(action % self.cells)
        if action < 2 * self.cells:
            horizontal = either(horizontal, wall)
        else:
            vertical = either(vertical, wall)
        return State(
            pawn, other, horizontal, vertical, walls - (player == 0), others - (player == 1), 1 - player
        )

    def is_terminal(self, state: State) -> bool:
        return state.first >= self.cells - self.size or state.second < self.size

    def utility(self, state: State, player: int) -> int:
        won = 0 if state.first >= self.cells - self.size else 1
        return 1 if player == won else -1

    # -- Ways between cells.

    # -- Walls.

    # -- Heuristics.

    def planes(self, state: State, player: int) -> tuple[Wide, ...]:
        """The player's own pawn and the opponent's, the horizontal and the vertical walls, as many cells as
        each of both has walls left, and a plane whose first cell is set for X. O sees the board from the
        other side."""
        x, o = single(state.first), single(state.second)
        walls, walls_of_o = stack(state.first_walls), stack(state.second_walls)
        if player == 0:
            return x, o, state.horizontal, state.vertical, walls, walls_of_o, single(0)
        horizontal, vertical = self.turned_around(state.horizontal), self.turned_around(state.vertical)
        # A wall is known by its lower left cell, which is the upper right one from the other side.
        horizontal, vertical = down(horizontal, self.size + 1), down(vertical, self.size + 1)
        pawn, other = self.turned_around(o), self.turned_around(x)
        return pawn, other, horizontal, vertical, walls_of_o, walls, nothing()

    def features(self, state: State) -> tuple[float, ...]:
        """X's lead over O in steps to the goal and in walls left, and the tempo."""
        north, east = self.open_sides(state.horizontal, state.vertical)
        lead = 0
        for player in range(2):
            steps = self.distance(state.first if player == 0 else state.second, player, north, east)
            lead += steps if player == 1 else -steps
        return float(lead), float(state.first_walls - state.second_walls), 1.0 - 2.0 * state.player

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, squashed between -1 and 1."""
        features = self.features(state)
        lead = 0.0
        for i in range(len(WEIGHTS)):
            lead += features[i] * self.weights[i]
        lead = lead / (abs(lead) + 20.0)
        return float(lead if player == 0 else -lead)

    def priority(self, state: State, action: int) -> int:
        """Pawn moves first, towards the goal before others; then walls, near the opponent's pawn first."""
        forward = 1 - 2 * state.player
        row = action % self.cells // self.size
        column = action % self.size
        if action < self.cells:
            return 40 + 4 * forward * (
                row - (state.first if state.player == 0 else state.second) // self.size
            )
        other = state.second if state.player == 0 else state.first
        # Distances are doubled, since a wall is between cells.
        down_by, aside = (
            abs(2 * row + 1 - other // self.size * 2),
            abs(2 * column + 1 - other % self.size * 2),
        )
        return 20 - down_by - aside

    def key(self, state: State) -> int:
        walls = key_of(both(state.horizontal, self.board), 0) ^ key_of(
            both(state.vertical, self.board), VERTICAL
        )
        numbers = state.first | state.second << 8 | state.first_walls << 16 | state.second_walls << 24
        return mix(walls ^ numbers << 1 ^ state.player)

    def symmetries(self, state: State) -> Iterator[State]:
        yield state
        yield State(
            int(self.mirror[0, state.first]),
            int(self.mirror[0, state.second]),
            turned(state.horizontal, self.mirror, 1),
            turned(state.vertical, self.mirror, 1),
            state.first_walls,
            state.second_walls,
            state.player,
        )

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        """A cell, "e2", or a wall by its lower left cell, "e3h" or "e3v"."""
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
            reason = f"a move must be a cell from a1 to {last}, with h or v for a wall"
        raise IllegalMove(f"{text.strip()!r} is not a legal move: {reason}")

    def _why_not(self, state: State, action: int) -> str:
        """Why a pawn move or a wall is illegal; "" if it is legal."""
        if self.is_terminal(state):
            return "the game is over"
        if action < self.cells:
            return "" if holds(self.steps(state), action) else "the pawn cannot move there"
        if (state.first_walls if state.player == 0 else state.second_walls) == 0:
            return f"{self.player_name(state.player)} has no walls left"
        cell, kind = action % self.cells, action // self.cells - 1
        if not holds(self.corners, cell):
            return "a wall there would not fit on the board"
        if not holds(self.places(state, kind)[0], cell):
            return "it would overlap or cross another wall"
        return "" if self.leaves_paths(state, kind, cell) else "it would leave a pawn no path to its goal"

    def text(self, state: State) -> str:
        lines = []
        for row in reversed(range(self.size)):
            cells, below = "", ""
            for column in range(self.size):
                cell = row * self.size + column
                cells += "X" if cell == state.first else "O" if cell == state.second else "."
                cells += "|" if self._has_wall(state.vertical, cell, self.size) else " "
                under = row > 0 and self._has_wall(state.horizontal, cell - self.size, 1)
                below += "- " if under else "  "
            lines += [f"{row + 1} {cells}".rstrip(), f"  {below}".rstrip()]
        lines[-1] = f"  {' '.join(COLUMNS[: self.size])}"
        return "\n".join([*lines, f"walls left: X {state.first_walls}, O {state.second_walls}"])

    def _has_wall(self, walls: Wide, cell: int, length: int) -> bool:
        """Whether a wall runs along a cell; its second cell is `length` further."""
        return holds(walls, cell) or (cell >= length and holds(walls, cell - length))

    def position(self, state: State) -> str:
        """X with its cell and walls left, O likewise, the walls on the board, and the player to move."""
        return quoridor_position.write(self, state)

    def parse_position(self, text: str) -> State:
        """The state of a string such as `position` writes, or after moves from the start."""
        state = quoridor_position.read(self, text)
        return super().parse_position(text) if state is None else state

    def scene(self, state: State) -> Scene:
        n = self.size
        columns, rows = COLUMNS[:n], [str(n - row) for row in range(n)]
        cells = [cell._replace(width=0.8, height=0.8) for cell in squares(columns, rows, ("tile",))]
        walls = []
        for cell in range(self.cells):
            if holds(self.corners, cell):
                x, y = cell % n + 1, n - cell // n - 1  # where the four cells around the wall's middle meet
                cells.append(Cell(self.point(cell) + "h", x - 0.5, y, "slot", 0.8, 0.2))
                cells.append(Cell(self.point(cell) + "v", x, y + 0.5, "slot", 0.2, 0.8))
                if holds(state.horizontal, cell):
                    walls.append(Line(x - 1, y, x + 1, y, "wall"))
                if holds(state.vertical, cell):
                    walls.append(Line(x, y - 1, x, y + 1, "wall"))
        pawns = [
            Piece(pawn % n + 0.5, n - pawn // n - 0.5, player)
            for player, pawn in enumerate((state.first, state.second))
        ]
        for left, at in ((state.second_walls, -0.5), (state.first_walls, n + 1.0)):  # in front of each player
            gap = n / (self.stock + 1)
            walls += [Line(gap * (i + 1), at - 0.2, gap * (i + 1), at + 0.2, "wall") for i in range(left)]
        return Scene(n, n, cells, pawns, walls, coordinates(columns, rows), ("white", "black"))

    def standing(self, state: State) -> str:
        if self.is_terminal(state):
            return ""
        sides = self.open_sides(state.horizontal, state.vertical)
        steps = (
            self.distance(pawn, player, *sides) for player, pawn in enumerate((state.first, state.second))
        )
        walls = self.by_player(state.first_walls, state.second_walls)
        return f"walls left: {walls}; steps to go: {self.by_player(*steps)}"

    def move_squares(self, state: State, action: int) -> tuple[str, ...]:
        if action >= self.cells:
            return (self.notation(state, action),)
        return self.point(state.first if state.player == 0 else state.second), self.point(action)
