"""Gomoku and Renju: five in a row on a square board, 15x15 unless said otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from plies.bits import mix, popcount
from plies.errors import BadParameter, BadPosition, IllegalMove
from plies.game import Game
from plies.games.wide import (
    Wide,
    both,
    down,
    either,
    first,
    holds,
    images_of,
    is_empty,
    key_of,
    nothing,
    one_of,
    rest,
    single,
    size,
    turned,
    up,
    wide,
    without,
)
from plies.scene import Line, Piece, Scene, coordinates, grid, squares

COLUMNS = "abcdefghijklmnopqrs"

WEIGHTS = (1.0, 4.0, 14.0, 25.0, 1.0, 12.0)
"""What the features are worth."""

WHITE = 1 << 62 | 0x1F3A5C7E9B2D4680
"""Tells white stones from black ones in a key."""

FIVE, OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = 1, 2, 3, 4
"""What a stone of black makes, in Renju: all but the first are forbidden."""

FORBIDDEN = ("", "", "an overline", "a double four", "a double three")

MIDDLE = 5
"""A line through a cell is looked at from five cells before it to five after: the cell is bit 5 of 11."""


class State(NamedTuple):
    """Stones as sets of cells, row by row from the bottom: a1 is cell 0, b1 is cell 1."""

    black: Wide
    white: Wide
    player: int  # the player to move, 0 is black
    won: int  # 1 if the last stone has made five in a row


class Gomoku(Game):
    """Five in a row wins. An action is the number of a cell, a1 = 0, b1 = 1, …"""

    player_names = ("black", "white")
    feature_names = ("ones", "twos", "threes", "fours", "centre", "turn")
    prompt = "Choose a point, such as h8"
    rules = (
        "Black and white take turns to put a stone on a free point, black first. Whoever has five stones in "
        "an unbroken row, across, down or diagonally, wins; six or more count as well, unless the game is "
        "for exactly five. A full board is a draw."
    )

    def __init__(self, size: int = 15, exact: bool = False, weights: Sequence[float] | None = None) -> None:
        """A board of that side; `exact`: six or more in a row do not win."""
        self.exact = exact
        self._prepare(size, exact, exact, False, False, weights)

    def _prepare(
        self,
        size: int,
        exact_black: bool,
        exact_white: bool,
        renju: bool,
        opening: bool,
        weights: Sequence[float] | None,
    ) -> None:
        """What rules and searches look up, for Gomoku and Renju alike."""
        if not 5 <= size <= 19:
            raise BadParameter(f"a {type(self).__name__} board has a side from 5 to 19, not {size}")
        self.size = size
        self.exact_black, self.exact_white = exact_black, exact_white
        self.renju = renju
        self.cells = size * size
        self.passing = size * size  # in Renju only, where black may have no other move
        self.board = wide((1 << self.cells) - 1)
        # Four directions: to the right, up, up to the right, up to the left.
        self.steps = (1, size, size + 1, size - 1)
        self.starts_of_5 = tuple(self._starts(across, upward, 4) for across, upward in self._ways())
        self.starts_of_6 = tuple(self._starts(across, upward, 5) for across, upward in self._ways())
        self.starts_of_7 = tuple(self._starts(across, upward, 6) for across, upward in self._ways())
        self.behind_one = tuple(self._starts(-across, -upward, 1) for across, upward in self._ways())
        self.squares = tuple(self._square(reach if opening else size) for reach in range(3))
        self.rings = tuple(self._square(reach) for reach in range(3))
        self.near, self.far = self._surroundings(1, 2), self._surroundings(3, 4)
        self.images = images_of(size, size)
        self.weights = np.array(WEIGHTS if weights is None else weights, float)
        if self.weights.shape != (len(WEIGHTS),):
            raise BadParameter(f"{type(self).__name__} has {len(WEIGHTS)} weights, not {self.weights.size}")

    def _ways(self) -> Sequence[tuple[int, int]]:
        return (1, 0), (0, 1), (1, 1), (-1, 1)

    def _on_board(self, column: int, row: int) -> bool:
        return 0 <= column < self.size and 0 <= row < self.size

    def _starts(self, across: int, upward: int, length: int) -> Wide:
        """The cells from which so many steps in a direction stay on the board."""
        cells = (divmod(cell, self.size) for cell in range(self.cells))
        kept = [
            self._on_board(column + length * across, row + length * upward) << row * self.size + column
            for row, column in cells
        ]
        return wide(sum(kept))

    def _square(self, reach: int) -> Wide:
        """The cells no further from the centre than that."""
        last = self.size - 1
        cells = (divmod(cell, self.size) for cell in range(self.cells))
        kept = [
            (max(abs(2 * row - last), abs(2 * column - last)) <= 2 * reach + last % 2)
            << row * self.size + column
            for row, column in cells
        ]
        return wide(sum(kept))

    def _surroundings(self, nearest: int, farthest: int) -> np.ndarray:
        """For each cell, those in line with it at such a distance: six words each."""
        table = []
        for cell in range(self.cells):
            row, column = divmod(cell, self.size)
            found = 0
            for across, upward in self._ways():
                for step in (*range(-farthest, 1 - nearest), *range(nearest, farthest + 1)):
                    there = column + step * across, row + step * upward
                    if self._on_board(*there):
                        found |= 1 << there[1] * self.size + there[0]
            table.append(wide(found))
        return np.array(table)

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

    # -- Cells and rows.

    def empty(self, state: State) -> Wide:
        """The free cells."""
        return without(self.board, either(state.black, state.white))

    def sides(self, state: State) -> tuple[Wide, Wide]:
        """The stones of the player to move, and those of the other."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        return (black, white) if state.player == 0 else (white, black)

    def legal(self, state: State) -> Wide:
        """Where the player to move may put a stone."""
        return self.allowed(state, self.empty(state))

    def allowed(self, state: State, cells: Wide) -> Wide:
        """Those of some free cells that the player to move may put a stone on: in Gomoku, all."""
        return cells

    def lines(self, stones: Wide, others: Wide, cell: int, way: int) -> tuple[int, int]:
        """Which of the cells in line with a cell are in two sets: 11 bits each, the cell itself bit 5."""
        row, column = cell // self.size, cell % self.size
        upward = 0 if way == 0 else 1
        across = (1 - way % 2) if way < 3 else -1
        found = found_others = 0
        for i in range(11):
            there_row, there_column = row + (i - MIDDLE) * upward, column + (i - MIDDLE) * across
            if 0 <= there_row < self.size and 0 <= there_column < self.size:
                there = there_row * self.size + there_column
                if holds(stones, there):
                    found |= 1 << i
                if holds(others, there):
                    found_others |= 1 << i
        return found, found_others

    def line(self, stones: Wide, cell: int, way: int) -> int:
        """Which of the cells in line with a cell are among the stones."""
        return self.lines(stones, stones, cell, way)[0]

    def makes_five(self, stones: Wide, cell: int, exact: bool) -> bool:
        """Whether the stone on a cell is one of five in a row."""
        for way in range(4):
            step = self.steps[way]
            # Most stones have few in line: look at the next ones before reading the whole line.
            if (cell + step < self.cells and holds(stones, cell + step)) or (
                cell >= step and holds(stones, cell - step)
            ):
                run = run_length(self.line(stones, cell, way))
                if run == 5 or (run > 5 and not exact):
                    return True
        return False

    # -- Rows of five cells without a stone of the other, by how many stones are in them.

    def open_rows(self, mine: Wide, theirs: Wide, way: int, exact: bool) -> Wide:
        """The first cells of rows of five in which the other has no stone, and that can become a five."""
        step = self.steps[way]
        free = without(self.board, theirs)
        rows = free
        for _ in range(4):
            rows = both(down(rows, step), free)
        rows = both(rows, self.starts_of_5[way])
        if exact:  # a stone of one's own before or behind would make it an overline
            behind = mine
            for _ in range(5):
                behind = down(behind, step)
            rows = without(rows, both(behind, self.starts_of_6[way]))
            rows = without(rows, both(up(mine, step), self.behind_one[way]))
        return rows

    def counted(self, mine: Wide, step: int) -> tuple[Wide, Wide, Wide]:
        """How many stones are in the row of five from each cell on: the three digits of a binary number."""
        ones = twos = fours = nothing()
        here = mine
        for _ in range(5):
            carry = both(ones, here)
            ones = one_of(ones, here)
            fours = either(fours, both(twos, carry))
            twos = one_of(twos, carry)
            here = down(here, step)
        return ones, twos, fours

    def spread(self, rows: Wide, step: int, length: int) -> Wide:
        """All cells of rows, from their first cells."""
        cells = rows
        for _ in range(length - 1):
            rows = up(rows, step)
            cells = either(cells, rows)
        return both(cells, self.board)

    def completing(self, mine: Wide, theirs: Wide, exact: bool, three: bool) -> Wide:
        """The free cells that make a five of four stones; or, if `three` is set, a four of three."""
        cells = nothing()
        for way in range(4):
            step = self.steps[way]
            ones, twos, fours = self.counted(mine, step)
            rows = both(ones, twos) if three else without(without(fours, ones), twos)
            if not is_empty(rows):
                rows = both(rows, self.open_rows(mine, theirs, way, exact))
                cells = either(cells, self.spread(rows, step, 5))
        return without(cells, either(mine, theirs))

    def straight(self, mine: Wide, theirs: Wide, way: int, exact: bool) -> Wide:
        """The first cells of rows of six, free at both ends, with three stones in the four cells between.

        One stone more makes a straight four, which makes a five at either end.
        """
        step = self.steps[way]
        empty = without(self.board, either(mine, theirs))
        ends = empty
        for _ in range(5):
            ends = down(ends, step)
        ones = twos = nothing()
        here, free = mine, without(self.board, theirs)
        rows = both(both(empty, ends), self.starts_of_6[way])
        for _ in range(4):
            here, free = down(here, step), down(free, step)
            rows = both(rows, free)
            twos = one_of(twos, both(ones, here))
            ones = one_of(ones, here)
        rows = both(rows, both(ones, twos))  # three stones: of four, two digits are 0
        if exact:
            behind = mine
            for _ in range(6):
                behind = down(behind, step)
            rows = without(rows, both(behind, self.starts_of_7[way]))
            rows = without(rows, both(up(mine, step), self.behind_one[way]))
        return rows

    # -- What helps a search.

    def exact_for(self, player: int) -> bool:
        """Whether a player needs exactly five."""
        return self.exact_black if player == 0 else self.exact_white

    def tally(self, state: State, player: int) -> tuple[int, int, int, int]:
        """How many rows of five without a stone of the other have 1, 2, 3 and 4 stones of a player."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        mine, theirs = (black, white) if player == 0 else (white, black)
        one = two = three = four = 0
        for way in range(4):
            rows = self.open_rows(mine, theirs, way, self.exact_for(player))
            ones, twos, fours = self.counted(mine, self.steps[way])
            low = without(rows, fours)
            one += size(without(both(low, ones), twos))
            two += size(without(both(low, twos), ones))
            three += size(both(both(low, twos), ones))
            four += size(both(rows, fours))
        return one, two, three, four

    def central(self, stones: Wide) -> int:
        """How near the stones are to the centre: 3 for one on it, 2 and 1 for those around."""
        near = 0
        for reach in range(3):
            near += size(both(stones, self.rings[reach]))
        return near

    def features(self, state: State) -> tuple[float, ...]:
        """Rows of five that only one player has stones in, by how many stones: black's less white's."""
        one = two = three = four = 0
        for player in range(2):
            sign = 1 - 2 * player
            counts = self.tally(state, player)
            one += sign * counts[0]
            two += sign * counts[1]
            three += sign * counts[2]
            four += sign * counts[3]
        centre = self.central(state.black) - self.central(state.white)
        return float(one), float(two), float(three), float(four), float(centre), 1.0 - 2.0 * state.player

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, between -1 and 1; near these where somebody can make five."""
        lead = 0.0
        fours = their_fours = 0
        for side in range(2):
            one, two, three, four = self.tally(state, side)
            sum_of_rows = one * self.weights[0] + two * self.weights[1]
            sum_of_rows += three * self.weights[2] + four * self.weights[3]
            lead += sum_of_rows if side == state.player else -sum_of_rows
            if side == state.player:
                fours = four
            else:
                their_fours = four
        centre = self.central(state.black) - self.central(state.white)
        lead += self.weights[4] * (centre if state.player == 0 else -centre) + self.weights[5]
        value = 0.9 * lead / (abs(lead) + 200.0)
        if fours > 0:
            value = 0.99
        elif their_fours > 0:  # worse than anything, until it is stopped, which is a noisy move
            value = -0.985 if their_fours > 1 else -0.98
        return float(value if player == state.player else -value)

    def plausible(self, state: State) -> Iterator[int]:
        """A five; or what stops a five; or a straight four; or what may stop a straight four; or anything.

        Whatever is left out here loses, or wins no sooner.
        """
        if not self.is_terminal(state):
            cells = nothing()
            for attempt in range(2):
                if is_empty(cells):
                    cells = self.allowed(state, self.urgent(state) if attempt == 0 else self.empty(state))
            if self.renju and is_empty(cells):
                yield self.passing
            while not is_empty(cells):
                yield first(cells)
                cells = rest(cells)

    def urgent(self, state: State) -> Wide:
        """The free cells among which a best move is sure to be, unless none of them is allowed."""
        mine, theirs = self.sides(state)
        empty = without(self.board, either(mine, theirs))
        fives, stopping, fours = self.pressing(state)
        if not is_empty(fives):
            return single(first(fives))
        if not is_empty(stopping):
            return stopping
        # A straight four wins. So theirs must be stopped within its row of six, or be kept waiting by fours.
        # In Renju black may not be allowed to make one, and then it is no threat.
        stops = empty
        threatened = False
        for i in range(8):
            way, own = i // 2, i % 2 == 0
            player = state.player if own else 1 - state.player
            if not (self.renju and player == 0):
                one, other = (mine, theirs) if own else (theirs, mine)
                rows = self.straight(one, other, way, self.exact_for(player))
                if own and not is_empty(rows):
                    step = self.steps[way]
                    return single(first(both(self.spread(up(rows, step), step, 4), empty)))
                while not is_empty(rows):
                    threatened = True
                    stops = both(stops, self.spread(single(first(rows)), self.steps[way], 6))
                    rows = rest(rows)
        return either(stops, fours) if threatened else empty

    def pressing(self, state: State) -> tuple[Wide, Wide, Wide]:
        """The cells that make a five, those that stop one, and those that make a four."""
        mine, theirs = self.sides(state)
        fives = stopping = fours = nothing()
        for i in range(3):
            own = i != 1
            one, other = (mine, theirs) if own else (theirs, mine)
            exact = self.exact_for(state.player if own else 1 - state.player)
            cells = self.completing(one, other, exact, i == 2)
            if i == 0:
                fives = cells
            elif i == 1:
                stopping = cells
            else:
                fours = cells
        return fives, stopping, fours

    def noisy(self, state: State) -> Iterator[int]:
        """A five; or what stops a five; or fours: so a search goes on through continuous fours."""
        if not self.is_terminal(state):
            fives, stopping, fours = self.pressing(state)
            cells = fives
            if is_empty(fives):
                cells = self.allowed(state, fours if is_empty(stopping) else stopping)
            while not is_empty(cells):
                yield first(cells)
                cells = rest(cells)

    def priority(self, state: State, action: int) -> float:
        """How many stones are in line with a cell, near ones first; of no stones, the centre."""
        if action == self.passing:
            return 0.0
        mine, theirs = self.sides(state)
        order = 6 * self.in_line(mine, self.near, action) + 5 * self.in_line(theirs, self.near, action)
        order += 2 * self.in_line(mine, self.far, action) + self.in_line(theirs, self.far, action)
        row, column, middle = action // self.size, action % self.size, self.size // 2
        return order - 0.1 * (abs(row - middle) + abs(column - middle))

    def in_line(self, stones: Wide, around: np.ndarray, cell: int) -> int:
        """How many of the stones are among the cells that a table gives for a cell."""
        return (
            popcount(stones.a & int(around[cell, 0]))
            + popcount(stones.b & int(around[cell, 1]))
            + popcount(stones.c & int(around[cell, 2]))
            + popcount(stones.d & int(around[cell, 3]))
            + popcount(stones.e & int(around[cell, 4]))
            + popcount(stones.f & int(around[cell, 5]))
        )

    def key(self, state: State) -> int:
        black, white = both(state.black, self.board), both(state.white, self.board)
        return mix(key_of(black, 0) ^ key_of(white, WHITE) ^ state.player)

    def symmetries(self, state: State) -> Iterator[State]:
        for i in range(len(self.images)):
            black, white = turned(state.black, self.images, i), turned(state.white, self.images, i)
            yield State(black, white, state.player, state.won)

    # -- For people.

    def notation(self, state: State, action: int) -> str:
        """Column and row, "h8"; or "pass", for black in Renju with nothing but forbidden points left."""
        return "pass" if action == self.passing else self.point(action)

    def point(self, cell: int) -> str:
        """What people call a cell."""
        return f"{COLUMNS[cell % self.size]}{cell // self.size + 1}"

    def cell(self, point: str) -> int:
        """The cell that people call so, or -1 if there is none on this board."""
        found = re.fullmatch(r"([a-s])([1-9][0-9]?)", point.strip().casefold(), re.ASCII)
        if found is None:
            return -1
        column, row = COLUMNS.index(found[1]), int(found[2]) - 1
        return row * self.size + column if self._on_board(column, row) else -1

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
            reason = f"a move is a point from a1 to {self.point(self.cells - 1)}"
        raise IllegalMove(f"{text.strip()!r} is not a legal move: {reason}")

    def _why_not(self, state: State, cell: int) -> str:
        """What is wrong with a move to a cell of the board."""
        if not holds(self.empty(state), cell):
            return "there is a stone already"
        stones = size(either(state.black, state.white))
        if stones < 3 and not holds(self.squares[stones], cell):
            return f"the {('first', 'second', 'third')[stones]} stone of Renju is " + (
                "in the centre" if stones == 0 else f"no more than {stones} from the centre"
            )
        return f"black may not make {FORBIDDEN[judged(self, state.black, state.white, cell)]}"

    def text(self, state: State) -> str:
        rows = [f"{self.size - i:>2} {' '.join(row)}" for i, row in enumerate(self._stones(state).split("/"))]
        return "\n".join([*rows, f"   {' '.join(COLUMNS[: self.size])}"])

    def position(self, state: State) -> str:
        """The rows from the top, of X (black), O and ., and who is to move, B or W."""
        return f"{self._stones(state)} {'BW'[state.player]}"

    def parse_position(self, text: str) -> State:
        """The state of a board such as `position` writes, or of the moves that lead there."""
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
            raise BadPosition(f"{text!r} has {' '.join(words) or 'nothing'!r} after the board, not B or W")
        stones = "".join(reversed(rows))
        black, white = (sum((stone == name) << i for i, stone in enumerate(stones)) for name in "XO")
        return self._checked(wide(black), wide(white), player, text)

    def _checked(self, black: Wide, white: Wide, player: int, text: str) -> State:
        """The state with these stones, if a game can lead there."""
        lead = size(black) - size(white)
        if lead != player and not (self.renju and lead < player):
            raise BadPosition(
                f"{text!r} has {size(black)} X and {size(white)} O; X, who begins, has as many before a move "
                "of their own, and one more after it"
            )
        last, other = (white, black) if player == 0 else (black, white)
        name = self.player_name(1 - player)
        if self._fives(other, player):
            raise BadPosition(f"{text!r} goes on after {self.player_name(player)} has five in a row")
        won = self._fives(last, 1 - player)
        cells = [cell for cell in range(self.cells) if holds(last, cell)]
        if won and all(self._fives(without(last, single(cell)), 1 - player) for cell in cells):
            raise BadPosition(f"{text!r} has fives of {name} that no one stone completed")
        if self.renju and self._longest(black) > 5:
            raise BadPosition(f"{text!r} has six X or more in a row, which black may not make")
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
        """The rows from the top, of X, O and ., with / between them."""
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
        cells = squares(columns, rows, ("point",))
        return Scene(self.size, self.size, cells, stones, lines, coordinates(columns, rows))

    def _place(self, cell: int) -> tuple[float, float]:
        return cell % self.size + 0.5, self.size - cell // self.size - 0.5

    def _winning_rows(self, state: State) -> list[Line]:
        """The rows of five or more that have won the game."""
        stones = state.white if state.player == 0 else state.black
        found = []
        for cell in range(self.cells if state.won else 0):
            for way in range(4):
                line = self.line(stones, cell, way)
                if line >> MIDDLE & 1 and not line >> MIDDLE - 1 & 1 and run_length(line) >= 5:
                    last = cell + (run_length(line) - 1) * self.steps[way]
                    found.append(Line(*self._place(cell), *self._place(last), "row"))
        return found

    def touches(self, state: State, action: int) -> tuple[str, ...]:
        return () if action == self.passing else (self.point(action),)


class Renju(Gomoku):
    """Renju: five in a row, where black may not make an overline, a double four or a double three."""

    rules = (
        "Black and white take turns to put a stone on a free point, black first, in the centre; the second "
        "stone is next to it and the third no more than two from the centre. White wins with five or more in "
        "an unbroken row, across, down or diagonally; black with exactly five. Black may not make six or "
        "more in a row, nor two fours at once, nor two threes at once (a three can become a straight four, "
        "free at both ends, by a stone that black may play), unless the same stone makes five. If black has "
        "no other points left, black passes. A full board is a draw."
    )

    def __init__(self, size: int = 15, opening: bool = True, weights: Sequence[float] | None = None) -> None:
        """A board of that side; `opening`: the first three stones are kept to the centre."""
        if size % 2 == 0:
            raise BadParameter(f"a Renju board has a centre, and so an odd side, not {size}")
        self.opening = opening
        self._prepare(size, True, False, True, opening, weights)

    def allowed(self, state: State, cells: Wide) -> Wide:
        """Those of some free cells that the player to move may put a stone on."""
        stones = size(either(state.black, state.white))
        if stones < 3:
            cells = both(cells, self.squares[stones])
        if state.player == 0 and stones > 3:
            cells = without(cells, self.forbidden_cells(state, cells))
        return cells

    def forbidden_cells(self, state: State, cells: Wide) -> Wide:
        """Those of some free cells that black may not play on."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        suspects = both(cells, self.crowded(black))
        found = nothing()
        while not is_empty(suspects):
            cell = first(suspects)
            if judged(self, black, white, cell) > FIVE:
                found = either(found, single(cell))
            suspects = rest(suspects)
        return found

    def crowded(self, black: Wide) -> Wide:
        """The cells with four stones of black or more in line within four cells: no other is forbidden."""
        one = two = three = four = nothing()
        for way in range(4):
            step = self.steps[way]
            here, there = black, black
            for _ in range(4):
                here = both(up(here, step), self.behind_one[way])
                there = both(down(there, step), self.starts_of_2(way))
                for side in range(2):
                    more = here if side == 0 else there
                    four = either(four, both(three, more))
                    three = either(three, both(two, more))
                    two = either(two, both(one, more))
                    one = either(one, more)
        return four

    def starts_of_2(self, way: int) -> Wide:
        """The cells from which one step in a direction stays on the board."""
        return both(down(self.behind_one[way], self.steps[way]), self.board)


# -- Lines of eleven cells, of which the middle one has a stone.


def run_length(line: int) -> int:
    """How many stones are in the unbroken row through the middle."""
    length = 1
    while length + MIDDLE <= 10 and line >> MIDDLE + length & 1:
        length += 1
    back = 1
    while back <= MIDDLE and line >> MIDDLE - back & 1:
        back += 1
    return length + back - 1


def fours_in(line: int, free: int) -> int:
    """How many fours a line has: a straight four is one, though it makes five at either end."""
    ends = 0
    distance = 0
    for i in range(11):
        if free >> i & 1 and run_length(line | 1 << i) == 5 and run_length(line) < 5:
            # The stone must lengthen the row through the middle, or it is another row.
            ends += 1
            distance = i - distance
    if ends == 2 and distance == 5:
        return 1
    return ends


def is_straight(line: int, free: int) -> bool:
    """Whether the row through the middle is a straight four."""
    if run_length(line) != 4:
        return False
    low = MIDDLE
    while line >> low - 1 & 1:
        low -= 1
    high = low + 3
    if low < 1 or high > 9 or not free >> low - 1 & 1 or not free >> high + 1 & 1:
        return False
    return (low < 2 or not line >> low - 2 & 1) and (high > 8 or not line >> high + 2 & 1)


def judged(game: Gomoku, black: Wide, white: Wide, cell: int) -> int:
    """What a stone of black on a free cell makes: 0, FIVE, or what is forbidden."""
    after = either(black, single(cell))
    empty = without(game.board, either(after, white))
    overline = False
    fours = threes = 0
    for i in range(8):
        # Four ways are looked at for fives and fours, and then once more for threes.
        way = i % 4
        line, free = game.lines(after, empty, cell, way)
        more = fours_in(line, free)
        if i < 4:
            run = run_length(line)
            if run == 5:
                return FIVE
            overline = overline or run > 5
            fours += more
        elif overline:
            return OVERLINE
        elif fours > 1:
            return DOUBLE_FOUR
        elif more == 0:
            found = False
            for j in range(11):
                if not found and free >> j & 1 and is_straight(line | 1 << j, free & ~(1 << j)):
                    # It is a three if black may play there: which may again depend on threes.
                    found = judged(game, after, white, cell + (j - MIDDLE) * game.steps[way]) == 0
            threes += found
    return DOUBLE_THREE if threes > 1 else 0
