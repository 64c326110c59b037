"""The order in which stones were placed, read off the moves and the pictures: no game has to say anything."""

from __future__ import annotations

from plies.history import History
from plies.scene import Piece, Scene


def stone_numbers(history: History) -> dict[str, int]:
    """The number of the move that placed the piece on a cell, by cell; none where moves do anything else.

    A pass has a number, too, as in records of go.
    """
    game = history.game
    if game.simultaneous or game.scene(history.state) is None:
        return {}
    numbers: dict[str, int] = {}
    for number, (before, action) in enumerate(zip(history.states, history.actions, strict=False), 1):
        squares = game.move_squares(before, action)
        if len(squares) > 1:
            return {}
        if squares:
            numbers[squares[0]] = number
    after = _pieces(game.scene(history.state))
    start = _pieces(game.scene(history.states[0]))
    return {name: number for name, number in numbers.items() if name in after and name not in start}


def _pieces(scene: Scene | None) -> set[str]:
    """The cells, none larger than a piece needs, on which players' discs or signs are."""
    assert scene is not None
    placed = {(piece.x, piece.y) for piece in scene.pieces if _is_placed(piece)}
    return {
        cell.name for cell in scene.cells if (cell.x, cell.y) in placed and cell.width == cell.height == 1
    }


def _is_placed(piece: Piece) -> bool:
    return piece.player is not None and piece.look in ("disc", "sign")
