"""Judgement in Gomoku: what a position is worth at a glance, and which moves deserve a look first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from plies.bits import mix, popcount
from plies.games import weights as evaluation
from plies.games.gomoku_board import Board, State
from plies.games.wide import (
    Wide,
    both,
    either,
    first,
    is_empty,
    key_of,
    nothing,
    rest,
    single,
    size,
    turned,
    up,
    without,
)

WEIGHTS = (1.0, 4.0, 14.0, 25.0, 1.0, 12.0)
"""What the features are worth."""

WHITE = 1 << 62 | 0x1F3A5C7E9B2D4680
"""Tells white stones from black ones in a key."""


class Judgement(Board):
    """The board with what helps a search."""

    player_names = ("black", "white")

    def __init__(
        self, size: int, exact_black: bool, exact_white: bool, weights: Sequence[float] | None
    ) -> None:
        super().__init__(size, exact_black, exact_white)
        self.near, self.far = self._surroundings(1, 2), self._surroundings(3, 4)
        self.weights = evaluation.chosen(WEIGHTS, weights)

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
