"""Checkers heuristics: static evaluation and move ordering."""

from __future__ import annotations

from collections.abc import Sequence

from plies.bits import popcount, reverse
from plies.games import weights as evaluation
from plies.games.checkers_board import PLACES, Board, State, indices

WEIGHTS = (1.0, 1.4, 0.12, 0.02, 0.04, 0.01, -0.1, 2.5, 0.1)
"""The weights of the features, in men. Set by hand."""


class Evaluation(Board):
    """The heuristics of `Checkers`."""

    move_indices = 1426
    """98 steps, and 1,328 jumps along different paths."""

    plane_shape = (PLACES,)  # every ninth cell is unused
    plane_names = ("own men", "own kings", "other men", "other kings")
    feature_names = (
        "men",
        "kings",
        "back row",
        "advancement",
        "centre",
        "mobility",
        "trapped kings",
        "share of pieces",
        "tempo",
    )

    def __init__(self, weights: Sequence[float] | None) -> None:
        super().__init__()
        self.weights = evaluation.chosen(WEIGHTS, weights)

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, in men, squashed between -1 and 1."""
        features = self.features(state)
        lead = 0.0
        for i in range(len(WEIGHTS)):
            lead += features[i] * self.weights[i]
        value = lead / (abs(lead) + 4.0)
        return value if player == 0 else -value

    def planes(self, state: State, player: int) -> tuple[int, int, int, int]:
        """The player's own men and kings, and the opponent's. White sees the board from the other side."""
        own, other, kings = state.mine, state.theirs, state.kings
        if player != state.player:
            own, other = other, own
        if player == 1:
            own, other, kings = reverse(own, PLACES), reverse(other, PLACES), reverse(kings, PLACES)
        return own & ~kings, own & kings, other & ~kings, other & kings

    def features(self, state: State) -> tuple[float, ...]:
        if state.player == 0:
            black, white, sign = state.mine, state.theirs, 1.0
        else:
            black, white, sign = state.theirs, state.mine, -1.0
        black_men, white_men = black & ~state.kings, white & ~state.kings
        black_kings, white_kings = black & state.kings, white & state.kings
        passed = State(state.theirs, state.mine, state.kings, 1 - state.player, 0)
        pieces, others = popcount(black), popcount(white)
        return (  # in the order of `feature_names`
            float(popcount(black_men) - popcount(white_men)),
            float(popcount(black_kings) - popcount(white_kings)),
            float(popcount(black_men & self.first_row) - popcount(white_men & self.last_row)),
            float(self.rows(black_men) + self.rows(white_men) - 7 * popcount(white_men)),
            float(popcount(black & self.centre) - popcount(white & self.centre)),
            sign * (self.mobility(state) - self.mobility(passed)),
            float(popcount(self.trapped(black_kings, white)) - popcount(self.trapped(white_kings, black))),
            (pieces - others) / (pieces + others),
            sign,
        )

    def priority(self, state: State, action: int) -> int:
        """Long jumps first; then moves to the centre, and those that force the opponent to capture."""
        path, taken = action >> 6, 0
        while path > 3:
            taken += 1
            path >>= 2
        after: State = self.result(state, action)
        to_centre = after.theirs & ~state.mine & self.centre != 0
        return 4 * taken + to_centre + (self.jumpers(after) != 0)

    def move_index(self, state: State, action: int) -> int:
        """The square that a piece leaves and its first direction."""
        path = action >> 6
        return action & 63 | (path & 3) << 6

    def action_index(self, state: State, action: int) -> int:
        """The number of a step or of a whole jump among all that there can be."""
        return indices()[action]

    def mobility(self, state: State) -> int:
        """How many steps, captures aside, the player to move has."""
        count = 0
        for direction in range(4):
            count += popcount(self.steppers(state, direction))
        return count

    def rows(self, men: int) -> int:
        """The sum of the rows of some men, the first counted as 0."""
        return (
            popcount(men & self.odd_rows)
            + 2 * popcount(men & self.row_pairs)
            + 4 * popcount(men & self.lower_half)
        )

    def trapped(self, kings: int, others: int) -> int:
        """The kings whose every step is blocked or ends next to an opposing piece."""
        near = others | others << 4 | others << 5 | others >> 4 | others >> 5
        safe = self.board & ~(near | kings)
        return kings & ~(safe << 4 | safe << 5 | safe >> 4 | safe >> 5)
