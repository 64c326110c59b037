"""Positions as pictures: what `plies draw` draws."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plies import draw
from plies.engine import search
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Action, Game, State

MOST_SCORES = 100
"""Up to how many legal moves each gets an exact score; of more, the best one does."""


def draw_position(
    game: Game,
    state: State,
    *,
    move: str | None = None,
    arrows: Sequence[str] = (),
    legal: bool = False,
    seconds: float | None = None,
    size: int | None = None,
) -> draw.Picture:
    """A picture of a position, or of the one that a move leads to, with that move marked.

    Arrows are moves as people write them. If `seconds` are given, a search of so many scores every move.
    """
    last = None
    if move is not None:
        last = (state, _read(game, state, move))
        state = game.result(*last)
    scores = None
    if seconds is not None:
        if not game.is_terminal(state) and game.to_move(state) == CHANCE:
            raise PliesError("there are no moves to score: the dice are about to fall")
        count = len(list(game.actions(state)))
        scores = search(game, state, time=seconds, lines=count if count <= MOST_SCORES else 1).scores
    drawn = [_read(game, state, arrow) for arrow in arrows]
    return draw.board(game, state, last=last, legal=legal, arrows=drawn, scores=scores, size=size)


def _read(game: Game, state: State, move: str) -> Action:
    if game.is_terminal(state):
        raise BadParameter(f"{move!r} cannot be played: the game is over")
    return game.parse_action(state, move)


def check_output(path: Path) -> None:
    """Refuse a file that a picture cannot be written to, before anybody waits for it."""
    if path.suffix.lower() != ".svg":
        raise PliesError(f"a picture is written to a file that ends in .svg, not to {str(path)!r}")
    if not path.parent.is_dir():
        raise PliesError(f"{str(path)!r} cannot be written: there is no folder {str(path.parent)!r}")
