"""Static evaluation of chess, and which moves deserve a look first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from plies.bits import add, left, lowest, popcount, right
from plies.games import weights as evaluation
from plies.games.chess_board import FILE_A, FILE_H, Board, State

WEIGHTS = {
    "pawns": 100.0,
    "knights": 330.0,
    "bishops": 340.0,
    "rooks": 520.0,
    "queens": 980.0,
    "placement, middle game": 1.0,
    "placement, end game": 1.0,
    "pair of bishops": 35.0,
    "doubled pawns": -12.0,
    "isolated pawns": -14.0,
    "passed pawns, middle game": 1.5,
    "passed pawns, end game": 4.0,
    "rooks on open files": 12.0,
    "mobility of knights": 4.0,
    "mobility of bishops": 4.0,
    "mobility of rooks": 3.0,
    "mobility of queens": 1.5,
    "attack on the king": 0.12,
    "shelter of the king": 9.0,
    "right to move": 10.0,
}
"""What the features are called, and what each is worth in hundredths of a pawn."""

SCALE = 10_000
"""So many hundredths of a pawn would be a win: more than all men on a board are worth, but for freak ones."""

VALUES = (100, 330, 340, 520, 980)
"""What a pawn, knight, bishop, rook and queen are worth in an exchange."""

KING_VALUE = 10_000
PHASE = 24
"""Of the men besides pawns at the start, with 1 for a minor piece, 2 for a rook and 4 for a queen."""


def _placement() -> Any:
    """What a square is worth to each kind of White's men, in the middle game and in the end game."""
    table = np.zeros((2, 6 * 64), np.int64)
    for square in range(64):
        file, rank = square % 8, square // 8
        across, up = min(file, 7 - file), min(rank, 7 - rank)  # steps from the edges
        ring, centre = min(across, up), across + up
        advance = rank - 1
        middle = (
            # Pawns go forward, in the centre first; those before a castled king had better stay.
            (across - 1) * 3 * min(advance, 4) // 2
            + 2 * advance * (advance > 2)
            - 18 * (across == 3 and rank == 1),
            8 * centre - 28 + 3 * min(rank, 5) - 8 * (ring == 0),
            4 * centre - 10 + 3 * ring - 8 * (rank == 0),
            5 * across - 6 + 22 * (rank == 6) - 4 * (0 < rank < 4),
            2 * ring - 3 * (rank > 3) + 2,
            (3 - across) * 9 - 18 * rank - (14 if across == 3 and rank == 0 else 0) + 10,
        )
        end = (
            (0, 0, 4, 10, 20, 36, 60, 0)[rank],
            6 * centre - 20,
            3 * centre - 9,
            2 * (rank > 3) + 6 * (rank == 6),
            5 * ring - 6 + 2 * (rank > 3),
            10 * centre + 6 * ring - 36,
        )
        for kind in range(6):
            table[:, kind * 64 + square] = middle[kind], end[kind]
    return table


PLACEMENT = _placement()
ATTACK = np.array([0, 2, 2, 3, 5, 0])
"""How dangerous a man is to a king whose surroundings it attacks."""


class Evaluation(Board):
    """Evaluation, and which moves are likely to be good or to change it."""

    feature_names = tuple(WEIGHTS)

    def __init__(self, weights: Sequence[float] | None = None) -> None:
        super().__init__()
        self.weights = evaluation.chosen(list(WEIGHTS.values()), weights)
        self.placement = PLACEMENT
        self.attack = ATTACK

    # -- Evaluation.

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, as a share of a win."""
        features = self.features(state)
        lead = 0.0
        for i in range(len(features)):
            lead += features[i] * self.weights[i]
        lead = max(-0.999, min(0.999, lead / SCALE))
        return lead if player == 0 else -lead

    def features(self, state: State) -> tuple[float, ...]:
        white, black = state.white, state.black
        pawns = (state.pawns & white, state.pawns & black)
        guarded = (self.pawn_attacks(pawns[0], 0), self.pawn_attacks(pawns[1], 1))
        kings = (state.kings & white, state.kings & black)
        rings = (int(self.king_steps[lowest(kings[0])]), int(self.king_steps[lowest(kings[1])]))
        files = (self.on_files(pawns[0]), self.on_files(pawns[1]))
        minor = popcount(state.knights | state.bishops)
        early = min(PHASE, minor + 2 * popcount(state.rooks) + 4 * popcount(state.queens)) / PHASE

        # Man by man, White's less Black's: placement, mobility, and what is attacked around the other king.
        middle = end = attack = defence = 0
        knights_reach = bishops_reach = rooks_reach = queens_reach = 0
        kinds = (state.pawns, state.knights, state.bishops, state.rooks, state.queens, state.kings)
        for kind in range(6):
            pieces, reach = kinds[kind], 0
            while pieces != 0:
                square = lowest(pieces)
                pieces &= add(pieces, -1)
                player = right(black, square) & 1
                sign = 1 - 2 * player
                place = 64 * kind + (square ^ 56 * player)
                middle += sign * int(self.placement[0, place])
                end += sign * int(self.placement[1, place])
                if 0 < kind < 5:
                    attacked = self.attacked_by(kind, square, white | black)
                    mine = white if player == 0 else black
                    reach += sign * popcount(attacked & ~mine & ~guarded[1 - player])
                    near = int(self.attack[kind]) * popcount(attacked & rings[1 - player])
                    attack += near * (1 - player)
                    defence += near * player
            if kind == 1:
                knights_reach = reach
            elif kind == 2:
                bishops_reach = reach
            elif kind == 3:
                rooks_reach = reach
            elif kind == 4:
                queens_reach = reach

        passed = self.passed(pawns[0], pawns[1], 0) - self.passed(pawns[1], pawns[0], 1)
        pairs = int(popcount(state.bishops & white) > 1) - int(popcount(state.bishops & black) > 1)
        isolated = popcount(pawns[0] & ~self.beside(files[0])) - popcount(pawns[1] & ~self.beside(files[1]))
        doubled = (
            popcount(pawns[0]) - popcount(files[0] & 0xFF) - popcount(pawns[1]) + popcount(files[1] & 0xFF)
        )
        rooks = (state.rooks & white & ~files[0], state.rooks & black & ~files[1])
        open_files = popcount(rooks[0]) + popcount(rooks[0] & ~files[1])
        open_files -= popcount(rooks[1]) + popcount(rooks[1] & ~files[0])
        shelter = self.shelter(kings[0], pawns[0], 0) - self.shelter(kings[1], pawns[1], 1)
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
            float(knights_reach),
            float(bishops_reach),
            float(rooks_reach),
            float(queens_reach),
            early * (attack * attack - defence * defence),
            early * shelter,
            1.0 - 2.0 * (state.ply & 1),
        )

    def attacked_by(self, kind: int, square: int, occupied: int) -> int:
        """What a knight (1), bishop (2), rook (3) or queen (4) attacks."""
        if kind == 1:
            return int(self.knight_steps[square])
        attacked = 0
        if kind != 3:
            attacked = self.diagonal(square, occupied)
        if kind != 2:
            attacked |= self.straight(square, occupied)
        return attacked

    def on_files(self, pieces: int) -> int:
        """All squares of the files on which any of the men stands."""
        pieces |= left(pieces, 8) | right(pieces, 8)
        pieces |= left(pieces, 16) | right(pieces, 16)
        return pieces | left(pieces, 32) | right(pieces, 32)

    def beside(self, squares: int) -> int:
        """The squares next to these on their ranks."""
        return left(squares & ~FILE_H, 1) | right(squares & ~FILE_A, 1)

    def passed(self, mine: int, theirs: int, player: int) -> int:
        """For pawns that no pawn of the opponent can stop or capture: their ranks from the start, squared."""
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
        """The pawns close before the king, counted twice, and those a rank further."""
        before = self.ahead(king | self.beside(king), player)
        return 2 * popcount(before & pawns) + popcount(self.ahead(before, player) & pawns)

    # -- Moves that deserve a look first, and those that change what a position is worth.

    def priority(self, state: State, action: int) -> int:
        """Captures that win material, the greatest first, then quiet moves, then captures that lose some."""
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
        """The other player to move; but not with king and pawns alone, who may suffer from having to move."""
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
            0,  # the chance to capture in passing is gone
            state.clock,
            state.ply + 1,
        )

    def noisy(self, state: State) -> Iterator[int]:
        """Promotions to a queen, and captures that lose nothing: the greatest first, by the least first."""
        player = state.ply & 1
        mine, theirs = (state.white, state.black) if player == 0 else (state.black, state.white)
        king, allowed, pinned = self.held(state, player)
        last = left(0xFF, 56 - 56 * player)
        kinds = (state.queens, state.rooks, state.bishops, state.knights, state.pawns)
        struck = self.struck(state, mine, player) & theirs
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
                    man = self.least(state, pieces)
                    pieces ^= man
                    source = lowest(man)
                    if man & state.kings:
                        fine = self.attackers(state, target, player, (mine | theirs) ^ man) & theirs == 0
                    else:
                        fine = left(1, target) & allowed != 0
                        if man & pinned and not int(self.through[king, source]) & left(1, target):
                            fine = False
                    if fine and (kind < 0 or self.wins_exchange(state, source, target)):
                        promotion = 4 if man & state.pawns and left(1, target) & last else 0
                        yield source | target << 6 | promotion << 12
            kind += 1
            if kind < 5:
                goals = struck & kinds[kind]

    def struck(self, state: State, mine: int, player: int) -> int:
        """All squares that a player's men attack."""
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
        """What the man on a square is worth in an exchange; 0 if there is none."""
        return (
            VALUES[0] * (right(state.pawns, square) & 1)
            + VALUES[1] * (right(state.knights, square) & 1)
            + VALUES[2] * (right(state.bishops, square) & 1)
            + VALUES[3] * (right(state.rooks, square) & 1)
            + VALUES[4] * (right(state.queens, square) & 1)
            + KING_VALUE * (right(state.kings, square) & 1)
        )

    def least(self, state: State, pieces: int) -> int:
        """One of those of the men that are worth least."""
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
        """Whether a capture loses nothing, if both go on capturing on that square as long as it pays."""
        balance = self.value_on(state, target) - self.value_on(state, source)
        if balance >= 0:
            return True
        occupied = (state.white | state.black) ^ left(1, source)
        straight, diagonal = state.rooks | state.queens, state.bishops | state.queens
        pieces = self.attackers(state, target, 0, occupied) & ~(state.pawns & state.white)
        pieces |= int(self.pawn_steps[1, target]) & state.pawns & state.white
        player = 1 - (state.ply & 1)  # whose turn it is to capture, and who is behind if they cannot
        while True:
            pieces &= occupied
            mine = pieces & (state.white if player == 0 else state.black)
            if mine == 0:
                break
            man = self.least(state, mine)
            if man & state.kings and pieces & ~mine:  # a king does not capture what is guarded
                break
            player = 1 - player
            # What this one has gained, beyond what the other needs, if the man that captures is lost too.
            balance = -balance - 1 - self.value_on(state, lowest(man))
            if balance >= 0:
                break
            occupied ^= man
            # Behind a man that has captured, another may have been waiting.
            pieces |= self.straight(target, occupied) & straight | self.diagonal(target, occupied) & diagonal
        return player != state.ply & 1
