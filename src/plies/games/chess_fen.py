"""Chess positions in Forsyth-Edwards Notation (FEN), in and out."""

from __future__ import annotations

import re

from plies.bits import indices, left, lowest, popcount, right, signed
from plies.errors import BadPosition
from plies.games.chess_board import FILES, State

PIECES = "PNBRQK"
COLOURS = ("White", "Black")
MOST_MOVES = 9999
"""The greatest move number and half-move clock that are read. Not tuned: longer than any game."""

CORNERS = {"K": 7, "Q": 0, "k": 63, "q": 56}
"""The square of the rook that each letter of the castling field stands for."""


def name(square: int) -> str:
    """The name of a square: "e4"."""
    return f"{FILES[square % 8]}{square // 8 + 1}"


def pieces(state: State) -> dict[int, str]:
    """The piece on each occupied square, White's in capitals."""
    found = {}
    for letter, squares in zip(PIECES, state, strict=False):
        for square in indices(squares):
            found[square] = letter if right(state.white, square) & 1 else letter.lower()
    return found


def write(state: State) -> str:
    """A position in FEN, with the en passant square only if the capture is legal."""
    board, rows = pieces(state), []
    for rank in reversed(range(8)):
        row = "".join(board.get(8 * rank + file, " ") for file in range(8))
        rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
    castling = "".join(letter for letter, rook in CORNERS.items() if right(state.castling, rook) & 1)
    passed = name(lowest(state.en_passant)) if state.en_passant else "-"
    mover, number = "wb"[state.ply & 1], state.ply // 2 + 1
    return f"{'/'.join(rows)} {mover} {castling or '-'} {passed} {state.clock} {number}"


def read(text: str) -> State:
    """The state that a FEN denotes; raises `BadPosition`, but does not check what takes the rules to tell.

    Trailing fields may be left out.
    """
    fields = text.split()
    if not 1 <= len(fields) <= 6:
        raise BadPosition(f"a FEN has up to six fields, not {len(fields)}: {short(text)}")
    board, mover, castling, passed, clock, number = fields + ["w", "-", "-", "0", "1"][len(fields) - 1 :]
    sets = _board(board)
    if mover not in ("w", "b"):
        raise BadPosition(f"the side to move in a FEN must be w or b, not {short(mover)}")
    for word, what in ((clock, "half-move clock"), (number, "move number")):
        if not re.fullmatch("[0-9]{1,4}", word):
            raise BadPosition(f"the {what} in a FEN must be between 0 and {MOST_MOVES}, not {short(word)}")
    player = "wb".index(mover)
    ply = 2 * max(int(number) - 1, 0) + player
    pieces = [signed(sets[letter] | sets[letter.lower()]) for letter in PIECES]
    white, black = (signed(sum(sets[x] for x in letters)) for letters in (PIECES, PIECES.lower()))
    state = State._make((*pieces, white, black, _castling(castling, sets), 0, int(clock), ply))
    _check_pieces(state)
    return state._replace(en_passant=_passed(passed, state))


def _board(text: str) -> dict[str, int]:
    """The bitboard of each letter of the first field."""
    sets = dict.fromkeys(PIECES + PIECES.lower(), 0)
    rows = text.split("/")
    if len(rows) != 8:
        raise BadPosition(f"the board of a FEN has 8 ranks, not {len(rows)}: {short(text)}")
    for rank, row in zip(reversed(range(8)), rows, strict=True):
        if re.search("[0-9]{2}", row):
            raise BadPosition(f"rank {rank + 1}, {short(row)}, has two numbers in a row")
        file = 0
        for letter in row:
            if letter in sets and file < 8:
                sets[letter] |= 1 << 8 * rank + file
            elif letter not in "12345678" and letter not in sets:
                raise BadPosition(
                    f"{letter!r} on rank {rank + 1} is not a piece: KQRBNP are White's, kqrbnp Black's"
                )
            file += 1 if letter in sets else int(letter)
        if file != 8:
            raise BadPosition(f"rank {rank + 1}, {short(row)}, has {file} squares, not 8")
    return sets


def _castling(text: str, sets: dict[str, int]) -> int:
    """The bitboard of the rooks that may castle."""
    if not re.fullmatch("-|K?Q?k?q?", text):
        raise BadPosition(f"castling in a FEN must be some of KQkq, in this order, or -, not {short(text)}")
    rooks = 0
    for letter in text.replace("-", ""):
        king, rook, rank = ("K", "R", 0) if letter.isupper() else ("k", "r", 7)
        corner = CORNERS[letter]
        if not (sets[king] >> 8 * rank + 4 & 1 and sets[rook] >> corner & 1):
            colour = COLOURS[rank // 7]
            raise BadPosition(
                f"{letter} says that {colour} may castle, but there is no king on {name(8 * rank + 4)} "
                f"or no rook on {name(corner)}"
            )
        rooks |= 1 << corner
    return signed(rooks)


def _passed(text: str, state: State) -> int:
    """The bitboard of the en passant square."""
    if text == "-":
        return 0
    player = state.ply & 1
    if not re.fullmatch("[a-h][36]", text) or text[1] != "63"[player]:
        rank = "63"[player]
        raise BadPosition(
            f"the en passant square in a FEN must be one of rank {rank}, or -, not {short(text)}"
        )
    square = FILES.index(text[0]) + 8 * (int(text[1]) - 1)
    ahead = 8 if player else -8  # as the pawn has moved
    occupied, theirs = state.white | state.black, state.white if player else state.black
    pawn = left(1, square + ahead) & state.pawns & theirs
    if not pawn or (left(1, square) | left(1, square - ahead)) & occupied:
        raise BadPosition(
            f"no pawn has passed over {text}: one would stand on {name(square + ahead)}, "
            f"with {text} and {name(square - ahead)} empty"
        )
    return left(1, square)


def _check_pieces(state: State) -> None:
    """Raise `BadPosition` for pieces that no game leads to."""
    for colour, side in zip(COLOURS, (state.white, state.black), strict=True):
        if popcount(state.kings & side) != 1:
            raise BadPosition(f"{colour} has {popcount(state.kings & side)} kings, not 1")
        pawns = popcount(state.pawns & side)
        if pawns > 8:
            raise BadPosition(f"{colour} has {pawns} pawns, more than 8")
        first = (2, 2, 2, 1)  # knights, bishops, rooks, queens
        promoted = sum(max(0, popcount(kind & side) - n) for kind, n in zip(state[1:5], first, strict=True))
        if pawns + promoted > 8:
            raise BadPosition(
                f"{colour} has {promoted} promoted pieces besides {pawns} pawns, more than 8 together"
            )
    for square in indices(state.pawns):
        if not 8 <= square < 56:
            raise BadPosition(f"there is a pawn on {name(square)}, where none can be")


def short(text: str) -> str:
    """A text as an error message quotes it."""
    return repr(text if len(text) <= 80 else text[:77] + "…")
