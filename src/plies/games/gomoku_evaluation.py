"""Gomoku heuristics: static evaluation, threats, forced moves and move ordering."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plies.bits import mix
from plies.games import weights as evaluation
from plies.games.gomoku_board import Board, State
from plies.games.wide_bitboard import (
    Wide,
    both,
    either,
    first,
    is_empty,
    key_of,
    nothing,
    one_of,
    rest,
    single,
    size,
    turned,
    up,
    without,
)

WEIGHTS = (1.0, 4.0, 14.0, 25.0, 1.0, 12.0)
"""The weights of the features. Set by hand."""

WHITE = 1 << 62 | 0x1F3A5C7E9B2D4680
"""The salt that tells white stones from black ones in a hash: any mixed bits would do."""


class Threats(NamedTuple):
    """The threats of a player: what one more stone would make, as bitboards of empty cells."""

    fives: Wide
    fours: Wide
    straight: Wide  # straight fours, which make a five at either end
    stops: Wide  # the cells that prevent all straight fours


class Ranks(NamedTuple):
    """A number for each cell, bit-sliced: the cells with each binary digit set, the highest digit first."""

    a: Wide
    b: Wide
    c: Wide
    d: Wide
    e: Wide
    f: Wide
    g: Wide
    h: Wide


class Evaluation(Board):
    """The heuristics of `Gomoku` and `Renju`."""

    feature_names = ("ones", "twos", "threes", "fours", "centre", "turn")
    forcing = True
    refinements = {
        "beam": 16,
        "threats": 16,
        "reductions": True,
        "killers": True,
        "history": False,
        "table_cuts": False,
        "symmetry": False,
    }

    def __init__(
        self, size: int, exact_black: bool, exact_white: bool, weights: Sequence[float] | None
    ) -> None:
        super().__init__(size, exact_black, exact_white)
        self.weights = evaluation.chosen(WEIGHTS, weights)
        self.middle = self._square(size // 6), self._square(size // 3)  # see `ranks`

    # -- Evaluation.

    def tally(self, state: State, player: int) -> tuple[int, int, int, int]:
        """How many open rows of five have 1, 2, 3 and 4 stones of a player."""
        mine, theirs = self.sides(state, player)
        one = two = three = four = 0
        for way in range(4):
            rows = self.possible(mine, theirs, way, self.exact_for(player))
            ones, twos, fours = self.counted(mine, self.steps[way])
            four += size(both(rows, fours))
            rows = without(rows, fours)
            one += size(without(both(rows, ones), twos))
            two += size(without(both(rows, twos), ones))
            three += size(both(both(rows, twos), ones))
        return one, two, three, four

    def central(self, stones: Wide) -> int:
        """Points for stones near the centre: 3 on it, 2 and 1 around it."""
        near = 0
        for reach in range(3):
            near += size(both(stones, self.rings[reach]))
        return near

    def features(self, state: State) -> tuple[float, ...]:
        """Black's open rows of five less white's, by the stones in them; the centre; the tempo."""
        one, two, three, four = self.tally(state, 0)
        other_one, other_two, other_three, other_four = self.tally(state, 1)
        return (
            float(one - other_one),
            float(two - other_two),
            float(three - other_three),
            float(four - other_four),
            float(self.central(state.black) - self.central(state.white)),
            1.0 - 2.0 * state.player,
        )

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, squashed between -1 and 1; extreme if a five can be made."""
        mine, theirs = self.tally(state, state.player), self.tally(state, 1 - state.player)
        centre = self.central(state.black) - self.central(state.white)
        lead = self.weights[4] * (centre if state.player == 0 else -centre) + self.weights[5]
        for i in range(4):
            lead += (mine[i] - theirs[i]) * self.weights[i]
        value = 0.9 * lead / (abs(lead) + 200.0)
        if mine[3] > 0:
            value = 0.99
        elif theirs[3] > 0:  # lost unless it is blocked
            value = -0.985 if theirs[3] > 1 else -0.98
        return float(value if player == state.player else -value)

    # -- Threats.

    def threats(self, state: State, player: int) -> Threats:
        """What a player can make with one more stone."""
        mine, theirs = self.sides(state, player)
        empty = without(self.board, either(mine, theirs))
        fives = fours = straight = nothing()
        stops = empty
        for way in range(4):
            step = self.steps[way]
            ones, twos, four = self.counted(mine, step)
            three = without(both(ones, twos), four)
            if is_empty(either(three, four)):
                continue
            rows = self.possible(mine, theirs, way, self.exact_for(player))
            three, four = both(three, rows), both(four, rows)
            if not is_empty(four):
                fives = either(fives, self.spread(four, step))
            if not is_empty(three):
                fours = either(fours, self.spread(three, step))
                # In Renju a straight four may be forbidden to black, and so no threat.
                if player == 1 or not self.renju:
                    sixes = self.open_rows(three, mine, step)
                    straight = either(straight, self.inside(sixes, step))
                    while not is_empty(sixes):
                        five = self.spread(single(first(sixes)), step)
                        stops = both(stops, either(five, up(five, step)))
                        sixes = rest(sixes)
        return Threats(both(fives, empty), both(fours, empty), both(straight, empty), stops)

    def forced(self, state: State, only_fives: bool) -> Wide:
        """Cells that are sure to include a best move, where there is a threat; none where there is none.

        A five wins, and the opponent's must be blocked. A straight four wins, and the opponent's must be
        blocked within its row of six, or delayed by fours. Every other move loses, or wins no sooner.
        """
        mine = self.threats(state, state.player)
        if not is_empty(mine.fives):
            return single(first(mine.fives))
        theirs = self.threats(state, 1 - state.player)
        cells = theirs.fives
        if is_empty(cells):
            if only_fives:
                return cells
            if not is_empty(mine.straight):
                return single(first(mine.straight))
            if is_empty(theirs.straight):
                return nothing()
            cells = either(theirs.stops, mine.fours)
        cells = self.allowed(state, cells)
        if is_empty(cells):  # every move loses, but there must be one
            cells = self.allowed(state, self.empty(state))
            if not is_empty(cells):
                cells = single(first(cells))
        return cells

    def is_quiet(self, state: State) -> bool:
        """Whether nobody can make a five at once."""
        return is_empty(self.threats(state, 0).fives) and is_empty(self.threats(state, 1).fives)

    def candidates(self, state: State) -> Iterator[int]:
        """The forced moves; or all moves, best first."""
        if not self.is_terminal(state):
            cells, passing = self.forced(state, False), self.renju
            if is_empty(cells):
                cells = self.empty(state)
            ranks = self.ranks(state)
            while not is_empty(cells):
                best = highest(ranks, cells)
                cells = without(cells, best)
                best = self.allowed(state, best)
                while not is_empty(best):
                    yield first(best)
                    best, passing = rest(best), False
            if passing:
                yield self.passing

    def noisy(self, state: State) -> Iterator[int]:
        """The forced moves; or fours, so that quiescence follows continuous fours (VCF)."""
        if not self.is_terminal(state):
            cells = self.forced(state, True)
            if is_empty(cells):
                cells = self.allowed(state, self.threats(state, state.player).fours)
            while not is_empty(cells):
                yield first(cells)
                cells = rest(cells)

    # -- Move ordering.

    def ranks(self, state: State) -> Ranks:
        """The rank of each cell, by the rows of either player that a stone there changes. Set by hand."""
        none = nothing()
        ranks = Ranks(none, none, none, none, none, none, self.middle[0], self.middle[1])
        for i in range(8):
            way, own = i // 2, i % 2 == 0
            player = state.player if own else 1 - state.player
            mine, theirs = self.sides(state, player)
            step = self.steps[way]
            one, two, four = self.counted(mine, step)
            rows = without(self.possible(mine, theirs, way, self.exact_for(player)), four)
            threes = self.spread(both(both(rows, one), two), step)
            open_twos = self.inside(self.open_rows(without(both(rows, two), one), mine, step), step)
            twos = self.spread(both(rows, two), step)
            ones = either(twos, self.spread(both(rows, one), step))
            ranks = raised(ranks, either(threes, open_twos) if own else none, ones, twos, threes, open_twos)
        fours = self.threats(state, state.player).fours
        return raised(ranks, none, none, none, fours, fours)

    def key(self, state: State) -> int:
        black, white = both(state.black, self.board), both(state.white, self.board)
        return mix(key_of(black, 0) ^ key_of(white, WHITE) ^ state.player)

    def symmetries(self, state: State) -> Iterator[State]:
        for i in range(len(self.images)):
            black, white = turned(state.black, self.images, i), turned(state.white, self.images, i)
            yield State(black, white, state.player, state.won)


# -- Bit-sliced arithmetic: numbers for all cells at once.


def odd(x: Wide, y: Wide, z: Wide) -> Wide:
    """The sum bit of a full adder: the cells of one of the sets, or of all three."""
    return one_of(one_of(x, y), z)


def carried(x: Wide, y: Wide, z: Wide) -> Wide:
    """The carry bit of a full adder: the cells of at least two of the sets."""
    return either(both(x, y), both(z, either(x, y)))


def raised(ranks: Ranks, by_1: Wide, by_2: Wide, by_4: Wide, by_8: Wide, also_by_8: Wide) -> Ranks:
    """The ranks with some cells raised by 1, some by 2, and so on."""
    carry = both(ranks.h, by_1)
    carry_2 = carried(ranks.g, by_2, carry)
    carry_4 = carried(ranks.f, by_4, carry_2)
    eights = odd(ranks.e, by_8, carry_4)
    carry_8, also_carry_8 = carried(ranks.e, by_8, carry_4), both(eights, also_by_8)
    carry_16 = carried(ranks.d, carry_8, also_carry_8)
    carry_32 = both(ranks.c, carry_16)
    return Ranks(
        one_of(ranks.a, both(ranks.b, carry_32)),
        one_of(ranks.b, carry_32),
        one_of(ranks.c, carry_16),
        odd(ranks.d, carry_8, also_carry_8),
        one_of(eights, also_by_8),
        odd(ranks.f, by_4, carry_2),
        odd(ranks.g, by_2, carry),
        one_of(ranks.h, by_1),
    )


def highest(ranks: Ranks, cells: Wide) -> Wide:
    """The cells, of some, that rank highest."""
    for digit in ranks:
        found = both(cells, digit)
        if not is_empty(found):
            cells = found
    return cells
