"""Go heuristics: static evaluation, move ordering and quiescence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plies.games import weights as evaluation
from plies.games.go_board import Board, State
from plies.games.wide_bitboard import (
    Wide,
    both,
    either,
    first,
    is_empty,
    rest,
    single,
    size,
    without,
)

WEIGHTS = (1.0, 0.3, -1.6, 0.45, 1.0)
"""The weights of the features, in points. Set by hand."""


class Evaluation(Board):
    """The heuristics of `Go`."""

    feature_names = ("area", "stones", "atari", "liberties", "tempo")

    def __init__(
        self,
        columns: int,
        rows: int | None,
        komi: float,
        suicide: bool,
        margin: bool,
        weights: Sequence[float] | None,
    ) -> None:
        super().__init__(columns, rows, komi, suicide)
        self.margin = margin
        self.weights = evaluation.chosen(WEIGHTS, weights)

    def features(self, state: State) -> tuple[float, ...]:
        """Black's numbers less white's, in the order of `feature_names`; "atari" is stones in atari."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        empty = without(self.board, either(black, white))
        weak_black, weak_white = both(black, state.atari), both(white, state.atari)
        liberties = size(both(self.neighbours(black), empty)) - size(both(self.neighbours(white), empty))
        return (
            self.influence(state),
            float(size(black) - size(white)),
            float(size(weak_black) - size(weak_white)),
            float(liberties),
            1.0 - 2.0 * state.player,
        )

    def influence(self, state: State) -> float:
        """Black's lead in cells nearer to its own stones, without stones that can be captured now."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        free = without(self.board, either(black, white))
        lost = both(white if state.player == 0 else black, state.atari)
        free = either(free, lost)
        black, white = without(black, lost), without(white, lost)
        while True:
            to_black, to_white = both(self.neighbours(black), free), both(self.neighbours(white), free)
            reached = either(to_black, to_white)
            if is_empty(reached):
                return float(size(black) - size(white))
            black = either(black, without(to_black, to_white))
            white = either(white, without(to_white, to_black))
            free = without(free, reached)

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, komi included, short of a certain win."""
        features = self.features(state)
        lead = -self.komi
        for i in range(len(WEIGHTS)):
            lead += features[i] * self.weights[i]
        if self.margin:
            most = self.cells + abs(self.komi) - 0.5
            lead = max(-most, min(most, lead))
        else:
            lead = lead / (abs(lead) + 10.0)
        return float(lead if player == 0 else -lead)

    def priority(self, state: State, action: int) -> float:
        """Captures first, then escapes from atari and contact moves; own eyes and passing last."""
        if action == self.passing:
            return -20.0
        near = self.neighbours(single(action))
        mine, theirs = self.sides(state)
        taken = size(both(near, both(theirs, state.atari)))
        saved = size(both(near, both(mine, state.atari)))
        contact = size(both(near, theirs))
        around, own = size(near), size(both(near, mine))
        edge = 2 * (around < 4)
        return 8 * taken + 5 * saved + 2 * contact - own - edge - 12 * (own == around)

    def noisy(self, state: State) -> Iterator[int]:
        """Captures of more than one stone: these come to an end, for no ko is among them."""
        mine, theirs = self.sides(state)
        weak = both(theirs, state.atari)
        groups = both(weak, self.neighbours(weak))
        cells = both(self.neighbours(groups), without(self.board, either(mine, theirs)))
        while not is_empty(cells):
            yield first(cells)
            cells = rest(cells)

    def sensible(self, state: State) -> Wide:
        """The legal cells that fill no single-point eye of the player to move."""
        mine, _ = self.sides(state)
        others = without(self.board, without(mine, state.atari))
        return both(self.legal(state), self.neighbours(others))
