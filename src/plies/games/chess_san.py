"""Chess moves in standard algebraic notation (SAN), and the looser ways in which people write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from plies.bits import indices, right
from plies.errors import IllegalMove
from plies.games import chess_fen
from plies.games.chess_board import FILES, State

if TYPE_CHECKING:
    from plies.games.chess import Chess


def write(game: Chess, state: State, action: int) -> str:
    """A move in SAN: "Nf3", "exd5", "e8=Q+", "O-O"."""
    source, target, promotion = action & 63, action >> 6 & 63, action >> 12
    letter = chess_fen.pieces(state)[source].upper()
    capture = right(state.white | state.black, target) & 1 or (letter == "P" and (target - source) % 8 != 0)
    after = game.result(state, action)
    end = "" if not game.in_check(after) else "+" if game.can_move(after) else "#"
    if letter == "K" and abs(target - source) == 2:
        return ("O-O" if target > source else "O-O-O") + end
    goal = ("x" if capture else "") + chess_fen.name(target)
    if letter == "P":
        file = FILES[source % 8] if capture else ""
        return file + goal + (f"={chess_fen.PIECES[promotion]}" if promotion else "") + end
    return letter + _disambiguation(game, state, source, target) + goal + end


def write_long(action: int) -> str:
    """A move in the long algebraic notation of UCI: "e2e4", "e1g1", "e7e8q"."""
    promotion = action >> 12
    piece = chess_fen.PIECES[promotion].lower() if promotion else ""
    return chess_fen.name(action & 63) + chess_fen.name(action >> 6 & 63) + piece


def _disambiguation(game: Chess, state: State, source: int, target: int) -> str:
    """The file, rank or both that tell a piece from others of its kind that could make the move."""
    checks_and_pins = game.checks_and_pins(state, state.ply & 1)
    mine = state.white if state.ply & 1 == 0 else state.black
    kind = next(squares for squares in state if right(squares, source) & 1) & mine
    others = [
        square
        for square in indices(kind)
        if square != source and right(game.targets(state, square, *checks_and_pins), target) & 1
    ]
    if not others:
        return ""
    name = chess_fen.name(source)
    if all(square % 8 != source % 8 for square in others):
        return name[0]
    return name[1] if all(square // 8 != source // 8 for square in others) else name


def read(game: Chess, state: State, text: str) -> int:
    """The legal move that a text denotes, in algebraic notation, short or long, or as in UCI ("e7e8q").

    Signs for captures, checks and comments may be left out or added. Case is ignored where it makes no
    difference, unlike in bxc3 and Bxc3.
    """
    wanted = re.sub(r"\s|e\.p\.|[-xX:=()/+#!?]", "", text)
    if re.fullmatch("[oO0]{2,3}", wanted):
        wanted = "O" * len(wanted)
    found = []
    if len(wanted) <= 8:
        pieces = chess_fen.pieces(state)
        spellings = {
            action: _spellings(pieces[action & 63].upper(), action) for action in game.actions(state)
        }
        found = [action for action, ways in spellings.items() if wanted in ways]
        if not found:
            folded = wanted.casefold()
            found = [a for a, ways in spellings.items() if folded in {way.casefold() for way in ways}]
    if len(found) == 1:
        return found[0]
    if found:
        moves = " or ".join(game.notation(state, action) for action in found)
        raise IllegalMove(f"{chess_fen.short(text)} could be {moves}")
    raise IllegalMove(f"{chess_fen.short(text)} is not a legal move; {game.legal_moves(state)}")


def _spellings(letter: str, action: int) -> set[str]:
    """The ways to write the move of a piece with that letter, without signs."""
    source, target, promotion = action & 63, action >> 6 & 63, action >> 12
    start, goal = chess_fen.name(source), chess_fen.name(target)
    ways = {start + goal, letter + start + goal}
    if letter == "K" and abs(target - source) == 2:
        ways.add("OO" if target > source else "OOO")
    elif letter == "P":
        ways.add(goal if source % 8 == target % 8 else start[0] + goal)
    else:
        ways |= {letter + start[0] + goal, letter + start[1] + goal, letter + goal}
    if promotion:
        piece = chess_fen.PIECES[promotion]
        return {way + end for way in ways for end in (piece, piece.lower())}
    return ways
