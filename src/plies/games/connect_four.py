"""Connect Four on a board of any size up to 63 bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plies.bits import indices, lowest, mix, popcount
from plies.errors import BadParameter, BadPosition
from plies.game import Game
from plies.games import weights as evaluation
from plies.scene import Cell, Label, Line, Piece, Scene

COLUMNS = "123456789abcdefghijklmnopqrstuv"
"""The names of the columns: one character each, so moves can be written without spaces."""


WEIGHTS = {
    "open fours": 0.087,
    "tempo": 0.47,
    "a win at once": 9.0,
    "good threats": 0.43,
    "other threats": 0.2,
    "zugzwang": 1.18,
    "X moves first": -0.235,
}
"""The features by name, each with its weight, by logistic regression on 3,300 solved positions of 18 to
28 plies, from games of the engine at 3 to 7 plies after random openings; but for the tempo, with which values
swing least from depth to depth."""


class State(NamedTuple):
    """Discs as bitboards: a column has height + 1 bits, the lowest cell first, the top bit unused."""

    mine: int  # discs of the player to move
    filled: int  # discs of both players
    ply: int


class ConnectFour(Game):
    """Connect Four on a board of any size up to 63 bits. An action is a column, 0 the leftmost."""

    player_names = ("Red", "Yellow")
    marks = ("X", "O")
    exact_key = True
    prompt = "Choose a column"
    rules = (
        "Red (X) and Yellow (O) take turns to drop a disc into a column, where it falls to the lowest empty "
        "cell; Red begins. Four discs in a row, horizontally, vertically or diagonally, win. A full board is "
        "a draw."
    )

    feature_names = tuple(WEIGHTS)
    measured_levels = "levels/connect-four.json"

    def __init__(self, width: int = 7, height: int = 6, weights: Sequence[float] | None = None) -> None:
        if width < 1 or height < 1 or width * (height + 1) > 63:
            raise BadParameter(f"width * (height + 1) must be at most 63; {width}x{height} does not fit")
        self.width = width
        self.height = height
        self.weights = evaluation.chosen(tuple(WEIGHTS.values()), weights)
        self.plane_shape = (width, height + 1)  # the bit above each column is never set
        self.other_view = (1, 0, 3, 2)
        self.move_indices = width
        # Bits from a cell to the next: up, then to the right, downwards, level and upwards.
        self.steps = (1, height, height + 1, height + 2) if width > 3 else (1,)
        self.column = (1 << height) - 1
        self.bottom = sum(1 << (column * (height + 1)) for column in range(width))
        self.board = sum(((1 << height) - 1) << (column * (height + 1)) for column in range(width))
        self.odd = sum(self.bottom << row for row in range(0, height, 2))  # the first row, the third, …

    def initial(self) -> State:
        return State(0, 0, 0)

    def to_move(self, state: State) -> int:
        return state.ply % 2

    def actions(self, state: State) -> Iterator[int]:
        if self.is_terminal(state):
            return
        for i in range(self.width):
            column = self.width // 2 + (1 - 2 * (i & 1)) * ((i + 1) // 2)  # centre first
            if not (state.filled >> (column * (self.height + 1) + self.height - 1)) & 1:
                yield column

    def result(self, state: State, column: int) -> State:
        drop = state.filled + (1 << (column * (self.height + 1)))  # the carry stops at the lowest empty cell
        return State(state.mine ^ state.filled, state.filled | drop, state.ply + 1)

    def is_terminal(self, state: State) -> bool:
        return state.ply == self.width * self.height or self.four_in_a_row(state.mine ^ state.filled)

    def utility(self, state: State, player: int) -> int:
        if not self.four_in_a_row(state.mine ^ state.filled):
            return 0
        return 1 if player != self.to_move(state) else -1

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, squashed between -1 and 1."""
        features = self.features(state)
        lead = 0.0
        for i in range(len(features)):
            lead += features[i] * self.weights[i]
        value = lead / (abs(lead) + 1.0)
        return value if player == 0 else -value

    def features(self, state: State) -> tuple[float, ...]:
        """The open fours through each disc of X, summed, less those of O; whose turn it is; and threats:
        empty cells that complete a four.

        When all else is filled, X gets the odd rows and O the even ones (Allis 1988). So threats of X on odd
        rows and those of O on even rows are good, unless the opponent has a threat below. Zugzwang favours X
        if X has a good threat, and else O, if O has one.
        """
        sign = 1.0 if self.to_move(state) == 0 else -1.0
        theirs = state.mine ^ state.filled
        x, o = (state.mine, theirs) if self.to_move(state) == 0 else (theirs, state.mine)
        of_x, of_o = self.winning_cells(x, state.filled), self.winning_cells(o, state.filled)
        next_cells = (state.filled + self.bottom) & self.board
        wins = next_cells & (of_x if self.to_move(state) == 0 else of_o)
        later_x, later_o = of_x & ~self.above(of_o), of_o & ~self.above(of_x)
        good_x, good_o = later_x & self.odd, later_o & ~self.odd
        zugzwang = 1.0 if good_x != 0 else -1.0 if good_o != 0 else 0.0
        good_x, good_o = good_x & ~next_cells, good_o & ~next_cells
        other_x, other_o = later_x & ~next_cells & ~self.odd, later_o & ~next_cells & self.odd
        return (  # in the order of `feature_names`
            float(self.open_fours(x, o) - self.open_fours(o, x)),
            sign,
            sign if wins != 0 else 0.0,
            float(popcount(good_x) - popcount(good_o)),
            float(popcount(other_x) - popcount(other_o)),
            zugzwang,
            1.0,
        )

    def candidates(self, state: State) -> Iterator[int]:
        """A winning column; or one that blocks a four; or those that do not let the opponent win at once."""
        if self.is_terminal(state):
            return
        next_cells = (state.filled + self.bottom) & self.board
        theirs = self.winning_cells(state.mine ^ state.filled, state.filled)
        chosen = next_cells & self.winning_cells(state.mine, state.filled)
        if chosen == 0:
            chosen = next_cells & theirs
            if chosen == 0:
                chosen = next_cells & ~(theirs >> 1)  # not below a winning cell of theirs
                if chosen == 0:
                    chosen = next_cells  # every move loses
        for i in range(self.width):
            column = self.width // 2 + (1 - 2 * (i & 1)) * ((i + 1) // 2)
            if (chosen >> (column * (self.height + 1))) & self.column:
                yield column

    def proved_bounds(self, state: State, alpha: float, beta: float) -> tuple[int, int]:
        """A win at once; no move that prevents one; else what replies in pairs of cells are sure to bring."""
        next_cells = (state.filled + self.bottom) & self.board
        mine = self.winning_cells(state.mine, state.filled)
        if next_cells & mine:
            return 1, 1
        theirs = self.winning_cells(state.mine ^ state.filled, state.filled)
        blocks = next_cells & theirs
        safe = (blocks if blocks else next_cells) & ~(theirs >> 1)
        if safe == 0 or blocks & (blocks - 1):
            return -1, -1
        if self.height % 2:
            return -1, 1
        if self.to_move(state) == 0:
            return self.bounds_by_pairs(state.mine, state.mine ^ state.filled, mine, theirs, next_cells, 0)
        low, high = self.bounds_by_pairs(state.mine ^ state.filled, state.mine, theirs, mine, next_cells, 1)
        return -high, -low

    def bounds_by_pairs(
        self, x: int, o: int, of_x: int, of_o: int, next_cells: int, mover: int
    ) -> tuple[int, int]:
        """Bounds of the value to X, by the cells that a player gets who has an answer to every move.

        All columns have an even number of cells. So O can answer a disc on an odd row by one on top of it
        (claimeven and follow-up, Allis 1988) and gets all even rows; but where the next cell of a column is
        on an even row, O answers it by that of another such column, and X gets one of the two. If X can
        complete no four with what is left, X does not win; and if a threat of O is among the cells that O
        gets, O wins.
        """
        empty = self.board & ~(x | o)
        loose = next_cells & ~self.odd  # an even number of cells if X is to move
        left = x | empty & self.odd
        if not self.four_in_a_row(left):
            bad = self.completing_cells(left) & loose  # O must take it, before there are two
            if bad & (bad - mover) == 0 and (
                popcount(loose) < 3 + mover or not self.four_in_a_row(left | loose)
            ):
                sure = empty & ~self.odd & ~loose
                return -1, -1 if of_o & sure else 0
        return -1 + 2 * self.zugzwang(o, of_x & self.odd & ~next_cells, empty, loose, mover), 1

    def zugzwang(self, o: int, threats: int, empty: int, loose: int, mover: int) -> bool:
        """Whether X wins by a threat on an odd row over a next cell on an even row.

        X answers O's moves in that column by one on top of it, and all others as O would: see
        `bounds_by_pairs`. So O has to play below the threat in the end, unless O completes a four before.
        """
        for below in indices(loose if threats else 0):
            column = self.column << below - below % (self.height + 1)
            if threats & column:
                threat = 1 << lowest(threats & column)
                others = loose & ~column
                left = o | empty & (self.odd & ~column | ~self.odd & column & (threat - 1))
                if not self.four_in_a_row(left):
                    bad = self.completing_cells(left) & others
                    if bad & (bad - 1 + mover) == 0 and (
                        popcount(others) < 4 - mover or not self.four_in_a_row(left | others)
                    ):
                        return True
        return False

    def priority(self, state: State, column: int) -> int:
        """How many cells win after a column is played."""
        drop = (state.filled + (1 << (column * (self.height + 1)))) & ~state.filled
        return popcount(self.winning_cells(state.mine | drop, state.filled))

    def move_index(self, state: State, column: int) -> int:
        """The cell that the disc falls to."""
        return lowest((state.filled + (1 << (column * (self.height + 1)))) & ~state.filled)

    def action_index(self, state: State, column: int) -> int:
        return column

    def planes(self, state: State, player: int) -> tuple[int, int, int, int]:
        """The player's own discs and the opponent's, and the cells where each of them completes a four."""
        own, other = state.mine, state.mine ^ state.filled
        if player != self.to_move(state):
            own, other = other, own
        return own, other, self.winning_cells(own, state.filled), self.winning_cells(other, state.filled)

    def key(self, state: State) -> int:
        # Unique: in each column the sum encodes its height and whose discs are in it (John Tromp).
        return mix(state.mine + state.filled)

    def symmetries(self, state: State) -> Iterator[State]:
        yield state
        yield State(self.mirrored(state.mine), self.mirrored(state.filled), state.ply)

    def four_in_a_row(self, stones: int) -> bool:
        """Whether four of the discs are in a row."""
        for step in self.steps:
            pairs = stones & (stones >> step)
            if pairs & (pairs >> 2 * step):
                return True
        return False

    def winning_cells(self, stones: int, filled: int) -> int:
        """The empty cells that complete a four of the discs."""
        cells = (stones << 1) & (stones << 2) & (stones << 3)
        if self.width > 3:
            for i in range(3):
                step = self.height + i
                pair = (stones << step) & (stones << 2 * step)
                cells |= pair & ((stones << 3 * step) | (stones >> step))
                pair = (stones >> step) & (stones >> 2 * step)
                cells |= pair & ((stones >> 3 * step) | (stones << step))
        return cells & self.board & ~filled

    def completing_cells(self, cells: int) -> int:
        """The other cells that complete a four of some that need not be filled: each on an even row, and the
        one two above it not among them."""
        return self.winning_cells(cells, cells) | (cells << 1) & (cells << 2) & (cells >> 1)

    def open_fours(self, stones: int, others: int) -> int:
        """The fours without a disc of the opponent that run through each disc, summed."""
        total = 0
        free = self.board & ~others
        for step in self.steps:
            pairs = free & (free >> step)
            fours = pairs & (pairs >> 2 * step)  # the first cell of each
            for i in range(4):
                total += popcount(fours & (stones >> i * step))
        return total

    def above(self, cells: int) -> int:
        """All cells above some in their columns."""
        found = 0
        for _ in range(self.height - 1):
            cells = (cells << 1) & self.board
            found |= cells
        return found

    def mirrored(self, stones: int) -> int:
        """The left-right reflection."""
        size = self.height + 1
        image = 0
        for _ in range(self.width):
            image = image << size | stones & ((1 << size) - 1)
            stones >>= size
        return image

    # -- Presentation.

    def notation(self, state: State, column: int) -> str:
        return COLUMNS[column]

    def text(self, state: State) -> str:
        rows = [*self.position(state).split("/"), COLUMNS[: self.width]]
        return "\n".join(" ".join(row) for row in rows)

    def scene(self, state: State) -> Scene:
        """The holes, and over each column a slot with the name of the column."""
        names, high = COLUMNS[: self.width], self.height
        holes = [
            Cell(f"{name}-{row + 1}", x + 0.5, high - row - 0.5, "hole")
            for x, name in enumerate(names)
            for row in range(high)
        ]
        slots = [Cell(name, x + 0.5, high / 2, "slot", 1, high) for x, name in enumerate(names)]
        x = state.mine if self.to_move(state) == 0 else state.mine ^ state.filled
        pieces = [self._disc(cell, 0 if x >> cell & 1 else 1) for cell in indices(state.filled)]
        lines = [Line(*self._place(first), *self._place(last), "row") for first, last in self._fours(state)]
        labels = [Label(x + 0.5, high + 0.35, name) for x, name in enumerate(names)]
        return Scene(self.width, high, holes + slots, pieces, lines, labels, ("red", "yellow"))

    def _disc(self, cell: int, player: int) -> Piece:
        return Piece(*self._place(cell), player)

    def move_squares(self, state: State, column: int) -> Sequence[str]:
        return (COLUMNS[column],)

    def _place(self, cell: int) -> tuple[float, float]:
        """The centre of a cell in the scene."""
        column, row = divmod(cell, self.height + 1)
        return column + 0.5, self.height - row - 0.5

    def _fours(self, state: State) -> Iterator[tuple[int, int]]:
        """The ends of each four in a row."""
        stones = state.mine ^ state.filled
        for step in self.steps:
            pairs = stones & (stones >> step)
            for cell in indices(pairs & (pairs >> 2 * step)):
                yield cell, cell + 3 * step

    def position(self, state: State) -> str:
        """The rows from the top, of X, O and ., separated by /."""
        x = state.mine if self.to_move(state) == 0 else state.mine ^ state.filled
        rows = []
        for row in reversed(range(self.height)):
            cells = [1 << (column * (self.height + 1) + row) for column in range(self.width)]
            rows.append("".join("X" if x & cell else "O" if state.filled & cell else "." for cell in cells))
        return "/".join(rows)

    def parse_position(self, text: str) -> State:
        """The state of a board such as `position` writes, or after moves from the start, such as "4453"."""
        if not set(text.upper()) & set("X."):  # no column is called x, and no board is without X and .
            played: State = super().parse_position(" ".join(text))
            return played
        x, filled = self._read_board(text)
        o = x ^ filled
        if popcount(x) - popcount(o) not in (0, 1):
            raise BadPosition(
                f"{text!r} has {popcount(x)} X and {popcount(o)} O; X must have as many, or one more"
            )
        ply = popcount(filled)
        last, other = (x, o) if ply % 2 else (o, x)
        if self.four_in_a_row(other):
            raise BadPosition(f"{text!r} goes on after {self.marks[ply % 2]} has four in a row")
        if self.four_in_a_row(last) and not self._won_at_last(last, filled):
            raise BadPosition(
                f"{text!r} has fours of {self.marks[1 - ply % 2]} that no single disc completes"
            )
        return State(other, filled, ply)

    def _read_board(self, text: str) -> tuple[int, int]:
        """The discs of X, and those of both, on a board written as text."""
        rows = text.upper().replace("/", " ").replace("|", " ").split()
        if len(rows) != self.height:
            raise BadPosition(f"{text!r} has {len(rows)} rows; this board has {self.height}")
        x = filled = 0
        for number, row in reversed(list(enumerate(rows, 1))):
            if len(row) != self.width:
                raise BadPosition(
                    f"row {number} of {text!r} has {len(row)} cells; this board has {self.width}"
                )
            for column, cell in enumerate(row):
                where = f"in row {number}, column {column + 1} of {text!r}"
                below = column * (self.height + 1) + self.height - number - 1
                if cell not in "XO.":
                    raise BadPosition(f"{cell!r} {where} is not one of X, O and .")
                if cell != "." and number < self.height and not filled >> below & 1:
                    raise BadPosition(f"the {cell} {where} has no disc below it")
                x |= (cell == "X") << (below + 1)
                filled |= (cell != ".") << (below + 1)
        return x, filled

    def _won_at_last(self, stones: int, filled: int) -> bool:
        """Whether one of the top discs can have completed all fours."""
        tops = stones & ~(filled >> 1)
        return any(not self.four_in_a_row(stones ^ (1 << top)) for top in indices(tops))
