"""Dots and Boxes: draw lines between dots; who closes a box owns it and draws again."""

from typing import NamedTuple

import plies
from plies import bits


class State(NamedTuple):
    lines: int  # one bit a line: the level ones row by row, then the upright ones
    margin: int  # the boxes of player 1 less those of player 2
    player: int


class DotsAndBoxes(plies.Game):
    """Draw a line; whoever closes a box owns it and goes on. The utility is the lead in boxes."""

    def __init__(self, width: int = 3, height: int = 3):
        level = width * (height + 1)
        if min(width, height) < 1 or level + (width + 1) * height > 62:
            raise plies.BadParameter(f"{width}x{height} boxes are too many")
        self.width = width
        self.height = height
        self.lines = level + (width + 1) * height
        self.bounds = (-width * height, width * height)
        self.boxes = tuple(
            1 << row * width + column
            | 1 << (row + 1) * width + column
            | 1 << level + row * (width + 1) + column
            | 1 << level + row * (width + 1) + column + 1
            for row in range(height)
            for column in range(width)
        )

    def initial(self):
        return State(0, 0, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        for line in range(self.lines):
            if not state.lines >> line & 1:
                yield line

    def result(self, state, line):
        lines = state.lines | 1 << line
        closed = 0
        for box in self.boxes:
            if box >> line & 1 and lines & box == box:
                closed += 1
        if closed == 0:
            return State(lines, state.margin, 1 - state.player)
        return State(lines, state.margin + (closed if state.player == 0 else -closed), state.player)

    def is_terminal(self, state):
        return bits.popcount(state.lines) == self.lines

    def utility(self, state, player):
        return state.margin if player == 0 else -state.margin

    # -- What helps a search.

    def points_and_rest(self, state):
        """What can still be won depends on the lines alone, whoever is to move."""
        return state.margin, state.lines


if __name__ == "__main__":
    for width, height in ((1, 1), (2, 1), (2, 2)):
        print(f"{width}x{height}, for the first player: {plies.solve(DotsAndBoxes(width, height)).value}")
