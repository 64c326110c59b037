"""Chess, with all its rules: castling, en passant, promotion, and every kind of draw."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from plies.bits import add, left, lowest, mix, popcount, right, signed
from plies.errors import BadPosition
from plies.games import chess_fen, chess_san
from plies.games.chess_board import ANYWHERE, FILES, State
from plies.games.chess_endings import Endings
from plies.games.chess_openings import OPENINGS
from plies.record_format import RecordFormat
from plies.rules import noinline
from plies.scene import Piece, Scene, coordinates, squares

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
DARK = signed(0xAA55AA55AA55AA55)  # the dark squares
FIFTY_MOVES = 100
"""Plies without a pawn move or a capture that make a draw: fifty moves of each side."""

SIGNS = ("♙♘♗♖♕♔", "♟♞♝♜♛♚")
WORTH = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9}
"""The pieces in pawns, as people count them."""


class Chess(Endings):
    """Chess. An action is the from-square plus 64 times the to-square.

    A promotion adds 4096 times 1 for a knight, 2 for a bishop, 3 for a rook, 4 for a queen. Castling is a
    king move of two squares.
    """

    player_names = ("White", "Black")
    move_indices = 5 * 4096
    plane_shape = (8, 8)
    plane_names = (
        *("own pawns", "own knights", "own bishops", "own rooks", "own queens", "own king"),
        *("other pawns", "other knights", "other bishops", "other rooks", "other queens", "other king"),
        *("rooks that may castle", "en passant", "white"),
    )
    numbered_in_pairs = True
    two_sided = True
    measured_levels = "levels/chess.json"
    unit = 0.01  # a pawn
    cycles = True
    repetitions = 3
    refinements = {
        "null_move": True,
        "reductions": True,
        "killers": True,
        "history": True,
        "table_cuts": False,
        "reverse_futility": 0.008,
        "futility": 0.012,
        "late_moves": 3,
        "aspiration_width": 0.004,
    }
    prompt = "Choose a move, such as Nf3, exd5, O-O or e2e4"
    rules = (
        "White and Black take turns, White first. A rook moves along ranks and files, a bishop along "
        "diagonals, a queen along all of them, a knight two squares straight and one aside, over whatever "
        "stands there, the king one square in any direction. A pawn moves one square ahead, from where it "
        "began also two, captures one square diagonally ahead, and becomes a queen, rook, bishop or knight "
        "on the last rank. A pawn that has just moved two squares may be captured by a pawn as if it had "
        "moved one (en passant). A king that has not moved may castle: it goes two squares towards a rook "
        "that has not moved, and the rook to its other side, if nothing stands between them and the king is "
        "not attacked where it is, passes or arrives. A move may not leave one's own king in check. "
        "Checkmate, a check that no move answers, wins; stalemate, no legal move without being in check, is "
        "a draw. The game is also drawn by threefold repetition, by the fifty-move rule (fifty moves of each "
        "side without a capture or a pawn move), and when too little material is left for any checkmate."
    )

    def __init__(self, weights: Sequence[float] | None = None) -> None:
        """The game; `weights` replace those of its evaluation."""
        super().__init__(weights)
        self.start = self.parse_position(START)

    def initial(self) -> State:
        return self.start

    def to_move(self, state: State) -> int:
        return state.ply & 1

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_drawn(state):
            king, allowed, pinned = self.checks_and_pins(state, state.ply & 1)
            pieces = state.white if state.ply & 1 == 0 else state.black
            seventh = left(0xFF, 48 - 40 * (state.ply & 1))  # from where pawns promote
            while pieces != 0:
                source = lowest(pieces)
                pieces &= add(pieces, -1)
                targets = self.targets(state, source, king, allowed, pinned)
                promoting = left(1, source) & state.pawns & seventh != 0
                promotion = 4 if promoting else 0
                while targets != 0:
                    yield source | lowest(targets) << 6 | promotion << 12
                    if promotion > 1:
                        promotion -= 1  # the same move, underpromoting
                    else:
                        targets &= add(targets, -1)
                        promotion = 4 if promoting else 0

    def result(self, state: State, action: int) -> State:
        player = state.ply & 1
        source, target = left(1, action & 63), left(1, action >> 6 & 63)
        moved = source | target
        theirs = state.black if player == 0 else state.white
        is_pawn, is_king = state.pawns & source != 0, state.kings & source != 0
        captured = target & theirs
        if is_pawn and target == state.en_passant:
            captured = self.ahead(target, 1 - player)
        stay = ~captured
        pawns = state.pawns & stay ^ (moved if is_pawn else 0)
        knights = state.knights & stay ^ (moved if state.knights & source else 0)
        bishops = state.bishops & stay ^ (moved if state.bishops & source else 0)
        rooks = state.rooks & stay ^ (moved if state.rooks & source else 0)
        queens = state.queens & stay ^ (moved if state.queens & source else 0)
        kings = state.kings ^ (moved if is_king else 0)
        castling = state.castling & ~moved
        if is_king:
            castling &= ~left(0xFF, 56 * player)
            if moved == left(0x50, 56 * player):  # e1 and g1
                rooks ^= left(0xA0, 56 * player)
                moved ^= left(0xA0, 56 * player)
            elif moved == left(0x14, 56 * player):  # e1 and c1
                rooks ^= left(0x09, 56 * player)
                moved ^= left(0x09, 56 * player)
        if action >> 12:
            pawns ^= target
            knights |= target if action >> 12 == 1 else 0
            bishops |= target if action >> 12 == 2 else 0
            rooks |= target if action >> 12 == 3 else 0
            queens |= target if action >> 12 == 4 else 0
        white, black = state.white & stay, state.black & stay
        if player == 0:
            white ^= moved
        else:
            black ^= moved
        clock = 0 if is_pawn or captured else state.clock + 1
        after = State(
            pawns, knights, bishops, rooks, queens, kings, white, black, castling, 0, clock, state.ply + 1
        )
        if is_pawn and (action ^ action >> 6) & 63 == 16:  # two ranks ahead
            passed = self.ahead(source, player)
            if self.can_capture_en_passant(after, passed):
                return State(
                    pawns,
                    knights,
                    bishops,
                    rooks,
                    queens,
                    kings,
                    white,
                    black,
                    castling,
                    passed,
                    0,
                    after.ply,
                )
        return after

    def is_terminal(self, state: State) -> bool:
        return self.is_drawn(state) or not self.can_move(state)

    def utility(self, state: State, player: int) -> int:
        if not self.in_check(state) or self.can_move(state):
            return 0
        return -1 if player == state.ply & 1 else 1

    def identity(self, state: State) -> State:
        """Everything but the half-move clock and the move number."""
        return State(
            state.pawns,
            state.knights,
            state.bishops,
            state.rooks,
            state.queens,
            state.kings,
            state.white,
            state.black,
            state.castling,
            state.en_passant,
            0,
            state.ply & 1,
        )

    def core(self, state: State) -> State:
        return self.identity(state)

    def plies_left(self, state: State) -> int:
        """The plies until the fifty-move rule draws the game."""
        return FIFTY_MOVES - state.clock

    def key(self, state: State) -> int:
        # Not a Zobrist key, but a hash of five words: three bits of each square say which piece is there, a
        # fourth its colour; the fifth word has castling, en passant and the side to move.
        odd = state.pawns | state.bishops | state.queens
        low = state.knights | state.bishops | state.kings
        high = state.rooks | state.queens | state.kings
        rest = state.castling | state.en_passant | (state.ply & 1) << 32  # a5 is none of their squares
        return (
            mix(odd)
            ^ mix(low ^ 0x3C6EF372FE94F82B)
            ^ mix(high ^ 0x1F83D9ABFB41BD6B)
            ^ mix(state.white ^ 0x5BE0CD19137E2179)
            ^ mix(rest ^ 0x428A2F98D728AE22)
        )

    # -- Draws.

    def is_drawn(self, state: State) -> bool:
        """Whether the game is drawn by the fifty-move rule or by insufficient material."""
        return state.clock >= FIFTY_MOVES or self.has_insufficient_material(state)

    def has_insufficient_material(self, state: State) -> bool:
        """Whether no checkmate is possible: one minor piece is left, or bishops on one colour of squares."""
        if state.pawns | state.rooks | state.queens:
            return False
        if popcount(state.knights | state.bishops) <= 1:
            return True
        return state.knights == 0 and (state.bishops & DARK == 0 or state.bishops & ~DARK == 0)

    # -- Move generation.

    @noinline
    def can_move(self, state: State) -> bool:
        """Whether the player to move has a legal move."""
        king, allowed, pinned = self.checks_and_pins(state, state.ply & 1)
        pieces = state.white if state.ply & 1 == 0 else state.black
        while pieces != 0:
            if self.targets(state, lowest(pieces), king, allowed, pinned) != 0:
                return True
            pieces &= add(pieces, -1)
        return False

    def targets(self, state: State, source: int, king: int, allowed: int, pinned: int) -> int:
        """The legal targets of a piece of the player to move, given what `checks_and_pins` returns."""
        player = state.ply & 1
        piece, occupied = left(1, source), state.white | state.black
        mine = state.white if player == 0 else state.black
        if piece & state.kings:
            return self.king_targets(state, source, allowed)
        passing = 0
        if piece & state.pawns:
            found = self.ahead(piece, player) & ~occupied
            found |= (
                self.ahead(found & left(0xFF, 16 + 24 * player), player) & ~occupied
            )  # over the third rank
            attacked = int(self.pawn_steps[player, source])
            found |= attacked & occupied
            if attacked & state.en_passant and self.may_capture_en_passant(state, piece, state.en_passant):
                passing = state.en_passant
        elif piece & state.knights:
            found = int(self.knight_steps[source])
        else:
            found = 0
            if piece & (state.bishops | state.queens):
                found = self.diagonal(source, occupied)
            if piece & (state.rooks | state.queens):
                found |= self.straight(source, occupied)
        if piece & pinned:
            found &= int(self.through[king, source])
        return found & ~mine & allowed | passing

    @noinline
    def king_targets(self, state: State, source: int, allowed: int) -> int:
        """The legal targets of the king of the player to move, castling included."""
        player = state.ply & 1
        king, occupied = left(1, source), state.white | state.black
        mine, theirs = (state.white, state.black) if player == 0 else (state.black, state.white)
        found, tried = 0, int(self.king_steps[source]) & ~mine
        while tried != 0:
            target = left(1, lowest(tried))
            tried ^= target
            if self.attackers(state, lowest(target), player, occupied ^ king) & theirs == 0:
                found |= target
                # Castling, if not in check: where the king can go to f1, it may go on to g1, if f1 and g1 are
                # empty; likewise by d1 to c1, if b1, c1 and d1 are.
                if allowed == ANYWHERE and state.castling:
                    home = 56 * player
                    if target == left(0x20, home) and left(0x80, home) & state.castling:
                        tried |= left(0x40, home) & ~(occupied | left(occupied, 1))
                    if target == left(0x08, home) and left(0x01, home) & state.castling:
                        tried |= left(0x04, home) & ~(occupied | left(occupied, 1) | right(occupied, 1))
        return found

    def may_capture_en_passant(self, state: State, pawn: int, passed: int) -> bool:
        """Whether a pawn's capture en passant does not leave its king in check."""
        player = state.ply & 1
        mine, theirs = (state.white, state.black) if player == 0 else (state.black, state.white)
        captured = self.ahead(passed, 1 - player)
        occupied = (mine | theirs) ^ (pawn | passed | captured)
        king = lowest(state.kings & mine)
        return self.attackers(state, king, player, occupied) & theirs & ~captured == 0

    def can_capture_en_passant(self, state: State, passed: int) -> bool:
        """Whether a pawn of the player to move has a legal capture en passant on a square."""
        player = state.ply & 1
        mine = state.white if player == 0 else state.black
        pawns = int(self.pawn_steps[1 - player, lowest(passed)]) & state.pawns & mine
        while pawns != 0:
            if self.may_capture_en_passant(state, left(1, lowest(pawns)), passed):
                return True
            pawns &= add(pawns, -1)
        return False

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        """A move in standard algebraic notation (SAN): "Nf3", "exd5", "e8=Q+", "O-O"."""
        return chess_san.write(self, state, action)

    def parse_action(self, state: State, text: str) -> int:
        """The legal move that a text denotes, in short or long algebraic notation, or as in UCI ("e7e8q")."""
        return chess_san.read(self, state, text)

    def uci(self, state: State, action: int) -> str:
        """A move in UCI's long algebraic notation: "e2e4", "e1g1", "e7e8q"."""
        return chess_san.write_long(action)

    def text(self, state: State) -> str:
        board = chess_fen.pieces(state)
        rows = [
            f"{rank + 1} {' '.join(board.get(8 * rank + file, '.') for file in range(8))}"
            for rank in reversed(range(8))
        ]
        return "\n".join([*rows, f"  {' '.join(FILES)}"])

    def standing(self, state: State) -> str:
        """Who is ahead in material, in pawns, until the game is over."""
        if self.is_terminal(state):
            return ""
        counts = Counter(chess_fen.pieces(state).values())
        lead = sum(worth * (counts[piece] - counts[piece.lower()]) for piece, worth in WORTH.items())
        return f"{self.player_name(int(lead < 0))} is ahead by {abs(lead)}" if lead else ""

    def scene(self, state: State) -> Scene:
        ranks = "87654321"
        pieces = []
        for square, piece in chess_fen.pieces(state).items():
            player = int(piece.islower())
            sign = SIGNS[player][chess_fen.PIECES.index(piece.upper())]
            pieces.append(Piece(square % 8 + 0.5, 7.5 - square // 8, player, "sign", sign))
        if self.in_check(state):
            king = lowest(state.kings & self._mine(state))
            pieces.insert(0, Piece(king % 8 + 0.5, 7.5 - king // 8, None, "check"))
        cells, labels = squares(FILES, ranks, ("light", "dark")), coordinates(FILES, ranks)
        return Scene(8, 8, cells, pieces, (), labels, ("white", "black"))

    def ending(self, state: State) -> str:
        if not self.can_move(state):
            return "checkmate" if self.in_check(state) else "stalemate"
        return "insufficient material" if self.has_insufficient_material(state) else "the fifty-move rule"

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        return chess_fen.name(action & 63), chess_fen.name(action >> 6 & 63)

    def position(self, state: State) -> str:
        """The state in Forsyth-Edwards Notation (FEN)."""
        return chess_fen.write(state)

    def parse_position(self, text: str) -> State:
        """The state of a FEN, or after moves from the start, with or without move numbers."""
        if "/" not in text:
            played: State = super().parse_position(re.sub(r"(?<!\S)[0-9]+\.+", " ", text))
            return played
        state = chess_fen.read(text)
        mover, other = self.player_name(state.ply & 1), self.player_name(1 - (state.ply & 1))
        if self.in_check(state._replace(ply=state.ply + 1)):
            raise BadPosition(f"{other} is in check, but it is {mover}'s move")
        king, occupied = lowest(state.kings & self._mine(state)), state.white | state.black
        checks = self.attackers(state, king, state.ply & 1, occupied) & ~self._mine(state)
        if popcount(checks) > 2:
            raise BadPosition(
                f"{popcount(checks)} pieces give check to {mover}, more than any move can bring about"
            )
        if state.en_passant and not self.can_capture_en_passant(state, state.en_passant):
            return state._replace(en_passant=0)
        return state

    @classmethod
    def openings(cls) -> Sequence[str]:
        return tuple(OPENINGS.values())

    @classmethod
    def record_formats(cls) -> Sequence[RecordFormat]:
        from plies.games.chess_pgn import PGN  # it imports this module

        return (PGN,)

    def _mine(self, state: State) -> int:
        """The pieces of the player to move."""
        return state.white if state.ply & 1 == 0 else state.black
