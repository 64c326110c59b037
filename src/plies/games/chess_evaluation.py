"""Chess heuristics: static evaluation, move ordering, quiescence and static exchange evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from plies.bits import add, left, lowest, popcount, right, swap_bytes
from plies.games import weights as evaluation
from plies.games.chess_board import FILE_A, FILE_H, Board, State
from plies.games.chess_piece_square_tables import PIECE_SQUARE_TABLES
from plies.rules import noinline

WEIGHTS = {
    "pawns": 85.0,
    "knights": 334.0,
    "bishops": 315.0,
    "rooks": 467.0,
    "queens": 982.0,
    "piece-square tables, middle game": 1.2,
    "piece-square tables, end game": 0.55,
    "pair of bishops": 69.0,
    "doubled pawns": -14.0,
    "isolated pawns": -11.0,
    "passed pawns, middle game": 0.84,
    "passed pawns, end game": 4.7,
    "rooks on open files": 18.0,
    "mobility of knights": 4.4,
    "mobility of bishops": 5.4,
    "mobility of rooks": 6.4,
    "mobility of queens": 4.3,
    "pieces attacked by pawns": 78.0,
    "pieces attacked by lesser ones": 62.0,
    "attack on the king": 0.24,
    "shelter of the king": 2.3,
    "files near the king without pawns": -31.0,
    "tempo": 20.0,
}
"""The features by name, each with its weight in centipawns.

Fitted by logistic regression to the scores that Stockfish 15.1 gives, with 1,200 nodes, to 38,782 quiet
positions of games with random moves; on the scale of the weights that were set by hand before.
"""

SCALE = 10_000
"""Centipawns that make an evaluation of 1, a win: more than any material but a freak's. Not tuned."""

VALUES = (100, 330, 340, 520, 980)
"""Piece values for exchanges, in centipawns: pawn, knight, bishop, rook, queen. As in WEIGHTS."""

KING_VALUE = 10_000
"""More than all other pieces together."""

PHASE = 24
"""The game phase at the start: 1 for each minor piece, 2 for a rook, 4 for a queen (tapered evaluation)."""


ATTACK = np.array([0, 2, 2, 3, 5, 0])
"""How much each kind of piece adds to a king attack, per square it attacks next to the king. Set by hand."""


class Evaluation(Board):
    """The heuristics of `Chess`."""

    feature_names = tuple(WEIGHTS)

    def __init__(self, weights: Sequence[float] | None = None) -> None:
        super().__init__()
        self.weights = evaluation.chosen(list(WEIGHTS.values()), weights)
        self.piece_square_tables = PIECE_SQUARE_TABLES
        self.attack = ATTACK

    # -- Evaluation.

    @noinline
    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, scaled so that 1 is a win."""
        features = self.features(state)
        lead = 0.0
        for i in range(len(features)):
            lead += features[i] * self.weights[i]
        lead = max(-0.999, min(0.999, lead / SCALE))
        return lead if player == 0 else -lead

    def planes(self, state: State, player: int) -> tuple[int, ...]:
        """The player's own pawns, knights, bishops, rooks, queens and king, the opponent's, the rooks that
        may castle, the en passant square, and a plane whose first cell is set for White. Black sees the board
        upside down."""
        own, other = (state.white, state.black) if player == 0 else (state.black, state.white)
        pawns, knights, bishops = state.pawns, state.knights, state.bishops
        rooks, queens, kings = state.rooks, state.queens, state.kings
        castling, en_passant = state.castling, state.en_passant
        if player == 1:
            own, other = swap_bytes(own), swap_bytes(other)
            pawns, knights, bishops = swap_bytes(pawns), swap_bytes(knights), swap_bytes(bishops)
            rooks, queens, kings = swap_bytes(rooks), swap_bytes(queens), swap_bytes(kings)
            castling, en_passant = swap_bytes(castling), swap_bytes(en_passant)
        return (
            *(pawns & own, knights & own, bishops & own, rooks & own, queens & own, kings & own),
            *(pawns & other, knights & other, bishops & other, rooks & other, queens & other, kings & other),
            *(castling, en_passant, 1 - player),
        )

    def features(self, state: State) -> tuple[float, ...]:
        white, black = state.white, state.black
        pawns = (state.pawns & white, state.pawns & black)
        guarded = (self.pawn_attacks(pawns[0], 0), self.pawn_attacks(pawns[1], 1))
        kings = (state.kings & white, state.kings & black)
        rings = (int(self.king_steps[lowest(kings[0])]), int(self.king_steps[lowest(kings[1])]))
        files = (self.on_files(pawns[0]), self.on_files(pawns[1]))
        minor = popcount(state.knights | state.bishops)
        early = min(PHASE, minor + 2 * popcount(state.rooks) + 4 * popcount(state.queens)) / PHASE

        # Piece by piece, White's less Black's: piece-square tables, mobility, attacks next to the other king
        # and on pieces of more value.
        middle = end = attack = defence = threats = 0
        knights_mobility = bishops_mobility = rooks_mobility = queens_mobility = 0
        kinds = (state.pawns, state.knights, state.bishops, state.rooks, state.queens, state.kings)
        dearer = (0, state.rooks | state.queens, state.rooks | state.queens, state.queens, 0)
        for kind in range(6):
            pieces, mobility = kinds[kind], 0
            while pieces != 0:
                square = lowest(pieces)
                pieces &= add(pieces, -1)
                player = right(black, square) & 1
                sign = 1 - 2 * player
                place = 64 * kind + (square ^ 56 * player)
                middle += sign * int(self.piece_square_tables[0, place])
                end += sign * int(self.piece_square_tables[1, place])
                if 0 < kind < 5:
                    attacked = self.attacked_by(kind, square, white | black)
                    mine, theirs = (white, black) if player == 0 else (black, white)
                    threats += sign * popcount(attacked & theirs & dearer[kind])
                    mobility += sign * popcount(attacked & ~mine & ~guarded[1 - player])
                    near = int(self.attack[kind]) * popcount(attacked & rings[1 - player])
                    attack += near * (1 - player)
                    defence += near * player
            knights_mobility = mobility if kind == 1 else knights_mobility
            bishops_mobility = mobility if kind == 2 else bishops_mobility
            rooks_mobility = mobility if kind == 3 else rooks_mobility
            queens_mobility = mobility if kind == 4 else queens_mobility

        passed = self.passed_pawns(pawns[0], pawns[1], 0) - self.passed_pawns(pawns[1], pawns[0], 1)
        pairs = int(popcount(state.bishops & white) > 1) - int(popcount(state.bishops & black) > 1)
        isolated = popcount(pawns[0] & ~self.beside(files[0])) - popcount(pawns[1] & ~self.beside(files[1]))
        doubled = (
            popcount(pawns[0]) - popcount(files[0] & 0xFF) - popcount(pawns[1]) + popcount(files[1] & 0xFF)
        )
        rooks = (state.rooks & white & ~files[0], state.rooks & black & ~files[1])
        open_files = popcount(rooks[0]) + popcount(rooks[0] & ~files[1])
        open_files -= popcount(rooks[1]) + popcount(rooks[1] & ~files[0])
        behind = popcount(white & ~pawns[0] & guarded[1])
        ahead = popcount(black & ~pawns[1] & guarded[0])
        shelter = self.shelter(kings[0], pawns[0], 0) - self.shelter(kings[1], pawns[1], 1)
        bare = self.bare_files(kings[0], files[0]) - self.bare_files(kings[1], files[1])
        return (  # in the order of WEIGHTS
            float(popcount(pawns[0]) - popcount(pawns[1])),
            float(popcount(state.knights & white) - popcount(state.knights & black)),
            float(popcount(state.bishops & white) - popcount(state.bishops & black)),
            float(popcount(state.rooks & white) - popcount(state.rooks & black)),
            float(popcount(state.queens & white) - popcount(state.queens & black)),
            early * middle,
            (1.0 - early) * end,
            float(pairs),
            float(doubled),
            float(isolated),
            early * passed,
            (1.0 - early) * passed,
            float(open_files),
            float(knights_mobility),
            float(bishops_mobility),
            float(rooks_mobility),
            float(queens_mobility),
            float(ahead - behind),
            float(threats),
            early * (attack * attack - defence * defence),
            early * shelter,
            early * bare,
            1.0 - 2.0 * (state.ply & 1),
        )

    def attacked_by(self, kind: int, square: int, occupied: int) -> int:
        """The squares that a knight (1), bishop (2), rook (3) or queen (4) attacks."""
        if kind == 1:
            return int(self.knight_steps[square])
        attacked = 0
        if kind != 3:
            attacked = self.diagonal(square, occupied)
        if kind != 2:
            attacked |= self.straight(square, occupied)
        return attacked

    def on_files(self, pieces: int) -> int:
        """All squares of the files that any of the pieces is on (a file fill)."""
        pieces |= left(pieces, 8) | right(pieces, 8)
        pieces |= left(pieces, 16) | right(pieces, 16)
        return pieces | left(pieces, 32) | right(pieces, 32)

    def beside(self, squares: int) -> int:
        """The squares next to these on the same rank."""
        return left(squares & ~FILE_H, 1) | right(squares & ~FILE_A, 1)

    def passed_pawns(self, mine: int, theirs: int, player: int) -> int:
        """The sum over a player's passed pawns of the ranks they have advanced, squared."""
        stopped = self.ahead(theirs | self.beside(theirs), 1 - player)
        if player == 0:
            stopped |= right(stopped, 8)
            stopped |= right(stopped, 16)
            stopped |= right(stopped, 32)
        else:
            stopped |= left(stopped, 8)
            stopped |= left(stopped, 16)
            stopped |= left(stopped, 32)
        mine &= ~stopped
        total = 0
        while mine != 0:
            advance = (lowest(mine) >> 3 ^ 7 * player) - 1
            total += advance * advance
            mine &= add(mine, -1)
        return total

    def shelter(self, king: int, pawns: int, player: int) -> int:
        """The pawn shield: pawns right before the king count twice, those a rank further once."""
        before = self.ahead(king | self.beside(king), player)
        return 2 * popcount(before & pawns) + popcount(self.ahead(before, player) & pawns)

    def bare_files(self, king: int, files: int) -> int:
        """How many of the king's file and those beside it are not among some files."""
        return popcount(self.on_files(king | self.beside(king)) & ~files & 0xFF)

    # -- Move ordering and quiescence.

    def priority(self, state: State, action: int) -> int:
        """MVV-LVA (most valuable victim, least valuable attacker); losing captures come last."""
        source, target, promotion = action & 63, action >> 6 & 63, action >> 12
        victim = self.value_on(state, target)
        if left(1, source) & state.pawns:
            if promotion:
                return 10 * victim + 5000 if promotion == 4 else -5000
            if left(1, target) & state.en_passant:
                victim = VALUES[0]
        if victim == 0:
            return 0
        attacker = self.value_on(state, source)
        if attacker > victim and not self.wins_exchange(state, source, target):
            return victim - attacker
        return 10 * victim - attacker // 11

    def is_quiet(self, state: State) -> bool:
        return not self.in_check(state)

    def null_move(self, state: State) -> State:
        """The position with the other side to move; the same one in a pawn ending, for fear of zugzwang."""
        mine = state.white if state.ply & 1 == 0 else state.black
        if mine & ~(state.pawns | state.kings) == 0:
            return state
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
            0,  # en passant is no longer possible
            state.clock,
            state.ply + 1,
        )

    def noisy(self, state: State) -> Iterator[int]:
        """Promotions to a queen, then captures that lose no material, by MVV-LVA."""
        player = state.ply & 1
        mine, theirs = (state.white, state.black) if player == 0 else (state.black, state.white)
        king, allowed, pinned = self.checks_and_pins(state, player)
        last = left(0xFF, 56 - 56 * player)
        kinds = (state.queens, state.rooks, state.bishops, state.knights, state.pawns)
        attacked_squares = self.attacked_squares(state, mine, player) & theirs
        goals = self.ahead(state.pawns & mine, player) & last & ~(mine | theirs)
        kind = -1
        while kind < 5:
            while goals != 0:
                target = lowest(goals)
                goals &= add(goals, -1)
                if kind < 0:
                    pieces = self.ahead(left(1, target), 1 - player)
                else:
                    pieces = self.attackers(state, target, 1 - player, mine | theirs) & mine
                while pieces != 0:
                    piece = self.least(state, pieces)
                    pieces ^= piece
                    source = lowest(piece)
                    if piece & state.kings:
                        fine = self.attackers(state, target, player, (mine | theirs) ^ piece) & theirs == 0
                    else:
                        fine = left(1, target) & allowed != 0
                        if piece & pinned and not int(self.through[king, source]) & left(1, target):
                            fine = False
                    if fine and (kind < 0 or self.wins_exchange(state, source, target)):
                        promotion = 4 if piece & state.pawns and left(1, target) & last else 0
                        yield source | target << 6 | promotion << 12
            kind += 1
            if kind < 5:
                goals = attacked_squares & kinds[kind]

    def exchange(self, state: State, action: int) -> float:
        """What a capture or promotion gains at most; captures that lose by SEE are not among the noisy."""
        gain = self.value_on(state, action >> 6 & 63)
        if action >> 12:
            gain += VALUES[4] - VALUES[0]
        elif gain == 0 and left(1, action >> 6 & 63) & state.en_passant:
            gain = VALUES[0]
        return gain / SCALE

    def attacked_squares(self, state: State, mine: int, player: int) -> int:
        """All squares that a player's pieces attack."""
        occupied = state.white | state.black
        found = self.pawn_attacks(state.pawns & mine, player)
        found |= int(self.king_steps[lowest(state.kings & mine)])
        pieces = state.knights & mine
        while pieces != 0:
            found |= int(self.knight_steps[lowest(pieces)])
            pieces &= add(pieces, -1)
        pieces = (state.bishops | state.queens) & mine
        while pieces != 0:
            found |= self.diagonal(lowest(pieces), occupied)
            pieces &= add(pieces, -1)
        pieces = (state.rooks | state.queens) & mine
        while pieces != 0:
            found |= self.straight(lowest(pieces), occupied)
            pieces &= add(pieces, -1)
        return found

    def value_on(self, state: State, square: int) -> int:
        """The value in an exchange of the piece on a square; 0 if it is empty."""
        return (
            VALUES[0] * (right(state.pawns, square) & 1)
            + VALUES[1] * (right(state.knights, square) & 1)
            + VALUES[2] * (right(state.bishops, square) & 1)
            + VALUES[3] * (right(state.rooks, square) & 1)
            + VALUES[4] * (right(state.queens, square) & 1)
            + KING_VALUE * (right(state.kings, square) & 1)
        )

    def least(self, state: State, pieces: int) -> int:
        """One of the least valuable of some pieces."""
        if pieces & state.pawns:
            pieces &= state.pawns
        elif pieces & state.knights:
            pieces &= state.knights
        elif pieces & state.bishops:
            pieces &= state.bishops
        elif pieces & state.rooks:
            pieces &= state.rooks
        elif pieces & state.queens:
            pieces &= state.queens
        return left(1, lowest(pieces))

    def wins_exchange(self, state: State, source: int, target: int) -> bool:
        """Static exchange evaluation (SEE): whether a capture loses no material after all recaptures.

        The swap algorithm: both sides recapture with their least valuable attacker, as long as it pays.
        """
        balance = self.value_on(state, target) - self.value_on(state, source)
        if balance >= 0:
            return True
        occupied = (state.white | state.black) ^ left(1, source)
        straight, diagonal = state.rooks | state.queens, state.bishops | state.queens
        pieces = self.attackers(state, target, 0, occupied) & ~(state.pawns & state.white)
        pieces |= int(self.pawn_steps[1, target]) & state.pawns & state.white
        player = 1 - (state.ply & 1)  # to recapture; behind in material if they cannot
        while True:
            pieces &= occupied
            mine = pieces & (state.white if player == 0 else state.black)
            if mine == 0:
                break
            piece = self.least(state, mine)
            if piece & state.kings and pieces & ~mine:  # a king cannot capture a defended piece
                break
            player = 1 - player
            # The balance for the other side if the piece that has captured is lost in turn.
            balance = -balance - 1 - self.value_on(state, lowest(piece))
            if balance >= 0:
                break
            occupied ^= piece
            # X-rays: a slider may stand behind the piece that has captured.
            pieces |= self.straight(target, occupied) & straight | self.diagonal(target, occupied) & diagonal
        return player != state.ply & 1
