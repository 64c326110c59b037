"""Checkers positions as strings, in and out: the FEN of Portable Draughts Notation (PDN)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plies.bits import lowest, popcount
from plies.errors import BadPosition
from plies.games.checkers_board import Board, State, number, squares_of

if TYPE_CHECKING:
    from plies.games.checkers import Checkers


def write(game: Board, state: State) -> str:
    """The FEN of PDN: the player to move, White's squares, Black's, K for kings: "B:W21,K5:B1,2:H7".

    H is the number of plies without progress, left out where it is 0.
    """
    sides: dict[str, list[str]] = {"W": [], "B": []}
    for square in range(1, 33):
        if piece := game.piece(state, square):
            sides[piece.upper()].append(f"{'K' * piece.isupper()}{square}")
    colours = ":".join(colour + ",".join(squares) for colour, squares in sides.items())
    return f"{'BW'[state.player]}:{colours}" + (f":H{state.quiet}" if state.quiet else "")


def read(game: Checkers, text: str) -> State | None:
    """The state of a FEN, in which a run of squares may be written "1-12"; None if a text is none."""
    given = "".join(text.split()).upper()
    if not re.match("[BW]:", given):
        return None
    side = "([BW])([K0-9,-]*)"
    found = re.fullmatch(rf"([BW]):{side}:{side}(?::H([0-9]{{1,4}}))?(?::F[0-9]+)?\.?", given)
    if not found or found[2] == found[4]:
        raise BadPosition(f"{text!r} is not of the form {write(game, game.initial())!r}")
    sides, kings = {}, 0
    for colour, squares in ((found[2], found[3]), (found[4], found[5])):
        sides[colour], crowned = _read_side(game, text, colour, squares)
        kings |= crowned
    mine, theirs = (sides[colour] for colour in ("BW" if found[1] == "B" else "WB"))
    quiet = int(found[6] or 0)
    if mine & theirs:
        square = number(lowest(mine & theirs))
        raise BadPosition(f"{text!r} has pieces of both players on square {square}")
    if theirs == 0:
        raise BadPosition(f"in {text!r} the player who has just moved has no pieces")
    if quiet > 2 * game.no_progress:
        raise BadPosition(
            f"{text!r} has {quiet} plies without progress; the game ends after {2 * game.no_progress}"
        )
    if quiet and not kings & theirs:
        raise BadPosition(f"{text!r} has plies without progress, but no king that can have made the last")
    return State(mine, theirs, kings, "BW".index(found[1]), quiet)


def _read_side(game: Board, text: str, colour: str, squares: str) -> tuple[int, int]:
    """The pieces of a player, and the kings among them."""
    pieces = kings = 0
    for word in squares.split(",") if squares else []:
        found = re.fullmatch(r"(K?)([0-9]{1,2})(?:-([0-9]{1,2}))?", word)
        first, last = (int(found[2]), int(found[3] or found[2])) if found else (0, 0)
        if not found or not 1 <= first <= last <= 32:
            raise BadPosition(f"{word!r} after {colour} in {text!r} is not a square from 1 to 32")
        here = squares_of(range(first, last + 1))
        if here & pieces:
            raise BadPosition(f"{word!r} is given twice after {colour} in {text!r}")
        if not found[1] and here & (game.last_row if colour == "B" else game.first_row):
            raise BadPosition(f"{word!r} after {colour} in {text!r} is on the last row, but not a king")
        pieces |= here
        kings |= here if found[1] else 0
    if popcount(pieces) > 12:
        raise BadPosition(f"{text!r} has {popcount(pieces)} pieces after {colour}; a player has 12 at most")
    return pieces, kings
