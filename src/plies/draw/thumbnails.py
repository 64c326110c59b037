"""Small boards in the nodes of a tree."""

from __future__ import annotations

import re

from plies.book.events import Node
from plies.draw.board import board
from plies.draw.picture import Picture
from plies.draw.svg import Markup
from plies.errors import BadParameter, PliesError
from plies.game import Game, State

SIDE = 64
"""The pixels of the longer side of a small board. Not tuned."""


class Thumbnails:
    """The boards of the nodes of a trace, as pictures in a picture."""

    def __init__(self, game: Game, of: str, nodes: list[Node]) -> None:
        if game.name != of:
            raise BadParameter(f"the trace is of {of}, and {game.name} cannot draw its boards")
        self.game = game
        self.nodes = nodes

    def board(self, node: Node) -> Markup | None:
        """The board of a node, its upper left corner in the origin; None if the trace does not have it."""
        state = node.entered.state
        if state is None:
            return None
        return small(board(self.game, state, last=self._last(node), size=SIDE))

    def _last(self, node: Node) -> tuple[State, object] | None:
        by = node.entered
        if by.parent is None or by.action is None:
            return None
        before = self.nodes[by.parent].entered.state
        try:
            return before, self.game.parse_action(before, by.action)
        except PliesError:  # where dice fall, or a notation that cannot be read back
            return None


def small(picture: Picture) -> Markup:
    """A picture to be part of another, without words and stylesheet of its own."""
    opening, inside = picture.svg.split('<rect class="ground"', 1)
    box = re.search(r'viewBox="[^"]*" width="\d+" height="\d+"', opening)
    assert box is not None
    return Markup(f'<svg class="plies board" {box[0]}><rect class="ground"{inside}')


def size(board: Markup) -> tuple[float, float]:
    """The width and height of a small board."""
    found = re.search(r'width="(\d+)" height="(\d+)"', board)
    assert found is not None
    return float(found[1]), float(found[2])
