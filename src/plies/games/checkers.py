"""Checkers, or English draughts (American checkers)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from plies.bits import lowest, mix, multiply
from plies.errors import BadParameter, IllegalMove
from plies.games import checkers_position
from plies.games.checkers_board import State, neighbours, number
from plies.games.checkers_endings import Endings
from plies.record_format import RecordFormat
from plies.scene import Cell, Label, Piece, Scene

FOREVER = 1 << 30
"""The plies left where there is no limit: more than any game lasts."""


class Checkers(Endings):
    """Checkers. An action is the bit of a square plus 64 times a path.

    A path below 4 is the direction of a step. Any other is a whole jump: its digits in base 4 are the
    directions, the first one lowest, with a leading 1.
    """

    player_names = ("Black", "White")
    numbered_in_pairs = True
    two_sided = True
    prompt = "Choose a move, such as 11-15 or 15x24"
    cycles = True
    repetitions = 3
    forcing = True
    refinements = {"extensions": False}
    rules = (
        "Black and White take turns, Black first. A man moves to an empty square diagonally ahead; a king, "
        "diagonally ahead or back. A piece captures an opposing piece next to it by jumping to the empty "
        "square just behind, in the directions it may move. Captures are mandatory, and go on with the same "
        "piece as long as it can jump again. A man that reaches the last row is crowned king, which ends its "
        "move. A player who cannot move loses. The game is drawn by threefold repetition, or when both have "
        "made 40 moves in a row without a capture or a move of a man."
    )
    measured_levels = "levels/checkers.json"

    def __init__(self, no_progress: int = 40, weights: Sequence[float] | None = None) -> None:
        """A draw after `no_progress` moves of each without a capture or a move of a man; 0 for never."""
        if not 0 <= no_progress <= 1000:
            raise BadParameter(
                f"no_progress must be between 1 and 1000 moves of each, or 0 for no limit, not {no_progress}"
            )
        self.no_progress = no_progress
        super().__init__(weights)

    def initial(self) -> State:
        return State(self.black_start, self.white_start, 0, 0, 0)

    def to_move(self, state: State) -> int:
        return state.player

    def actions(self, state: State) -> Iterator[int]:
        if self.no_progress == 0 or state.quiet < 2 * self.no_progress:
            if self.jumpers(state) != 0:
                for jump in self.noisy(state):
                    yield jump
            else:
                for direction in range(4):
                    steppers = self.steppers(state, direction)
                    while steppers != 0:
                        yield lowest(steppers) + 64 * direction
                        steppers &= steppers - 1

    def noisy(self, state: State) -> Iterator[int]:
        """The captures, each a whole jump: until its piece can jump no further."""
        empty = self.board & ~(state.mine | state.theirs)
        starts = self.jumpers(state)
        while starts != 0:
            piece = starts & -starts
            start = lowest(starts)
            starts ^= piece
            # Depth-first: `after` is 4 to the power of the jumps so far, where the next direction goes.
            first, last = self.directions(state, piece)
            free, left, path, after, direction, ended = empty | piece, state.theirs, 1, 1, first, False
            while True:
                over = neighbours(piece, direction) & left
                landing = neighbours(over, direction) & free
                if direction < last and landing != 0:
                    piece, left = landing, left ^ over
                    path, after = path + (direction + 3) * after, 4 * after
                    ended = True
                    direction = last if last - first < 4 and landing & self.ends else first
                elif direction < last:
                    direction += 1
                else:
                    if ended:
                        yield start + 64 * path
                    if after == 1:
                        break
                    after >>= 2
                    direction = path // after - 4  # backtrack: undo the last jump
                    path -= (direction + 3) * after
                    over = neighbours(piece, direction ^ 2)
                    piece, left = neighbours(over, direction ^ 2), left ^ over
                    ended = False
                    direction += 1

    def is_quiet(self, state: State) -> bool:
        """Whether the player to move has no capture."""
        return self.jumpers(state) == 0

    def result(self, state: State, action: int) -> State:
        start, path = 1 << (action & 63), action >> 6
        end, taken = start, 0
        if path < 4:
            end = neighbours(start, path)
        while path > 3:
            over = neighbours(end, path & 3)
            end, taken = neighbours(over, path & 3), taken | over
            path >>= 2
        king = state.kings & start
        kings = state.kings & ~(start | taken)
        if king or end & self.ends:
            kings |= end
        quiet = state.quiet + 1 if self.no_progress and king and taken == 0 else 0
        return State(state.theirs ^ taken, state.mine ^ start | end, kings, 1 - state.player, quiet)

    def is_terminal(self, state: State) -> bool:
        if self.no_progress and state.quiet >= 2 * self.no_progress:
            return True
        return not self.can_move(state)

    def utility(self, state: State, player: int) -> int:
        """A loss for a player who cannot move; else a draw for lack of progress."""
        if self.can_move(state):
            return 0
        return -1 if player == state.player else 1

    def identity(self, state: State) -> State:
        """Everything but the count of plies without progress."""
        return State(state.mine, state.theirs, state.kings, state.player, 0)

    def core(self, state: State) -> State:
        return self.identity(state)

    def plies_left(self, state: State) -> int:
        """The plies until the game is drawn for lack of progress."""
        return 2 * self.no_progress - state.quiet if self.no_progress else FOREVER

    def key(self, state: State) -> int:
        men = multiply(state.mine, -7046029254386353131) ^ state.theirs << 1
        return mix(mix(men) ^ state.kings << 1 ^ state.player)

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        """The squares, "11-15" or "15x24"; all squares of a multiple jump whose ends are ambiguous."""
        squares = self.move_squares(state, action)
        if action >> 6 < 4:
            return "-".join(squares)
        ends = squares[0], squares[-1]
        paths = [self.move_squares(state, jump) for jump in self.noisy(state)]
        if sum((path[0], path[-1]) == ends for path in paths) > 1:
            return "x".join(squares)
        return "x".join(ends)

    def parse_action(self, state: State, text: str) -> int:
        """The legal move that a text denotes, with all squares of a multiple jump or only some of them."""
        wanted = re.split("[-x:]", "".join(text.split()).casefold())
        found = []
        for action in self.actions(state):
            squares = list(self.move_squares(state, action))
            if squares == wanted:
                return action
            if (squares[0], squares[-1]) == (wanted[0], wanted[-1]) and _runs_through(squares, wanted):
                found.append(action)
        if not found or len(wanted) < 2:
            raise IllegalMove(f"{text.strip()!r} is not a legal move; {self.legal_moves(state)}")
        if len(found) > 1:
            raise IllegalMove(f"{text.strip()!r} could be several jumps; {self.legal_moves(state)}")
        return found[0]

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        """The squares that the piece visits, in order."""
        bit, path = action & 63, action >> 6
        squares, length = [number(bit)], 1 if path < 4 else 2
        while path > 3 or length == 1:
            bit += length * (4, 5, -4, -5)[path & 3]
            squares.append(number(bit))
            if length == 1:
                break
            path >>= 2
        return squares

    def text(self, state: State) -> str:
        """The board with White at the bottom; men are b and w, kings B and W; square numbers on the left."""
        rows = []
        for row in range(8):
            squares = range(4 * row + 1, 4 * row + 5)
            line = "   ".join(self.piece(state, square) or "." for square in squares)
            numbers = f"{squares[0]:>2}-{squares[-1]:<2}"
            rows.append(f"{numbers}  {'' if row % 2 else '  '}{line}{'  ' if row % 2 else ''}".rstrip())
        return "\n".join(rows)

    def ending(self, state: State) -> str:
        if self.can_move(state):
            return "no progress"
        return "no move left" if state.mine else "no piece left"

    def scene(self, state: State) -> Scene:
        """The board with White at the bottom; light squares, which have no number, are named as in chess."""
        cells, pieces, labels = [], [], []
        for place in range(64):
            row, column = divmod(place, 8)
            square = 4 * row + column // 2 + 1
            dark = (row + column) % 2 == 1
            name = str(square) if dark else f"{'abcdefgh'[column]}{8 - row}"
            cells.append(Cell(name, column + 0.5, row + 0.5, "dark" if dark else "light"))
            if dark:
                labels.append(Label(column + 0.15, row + 0.13, name, "inside"))
            if dark and (piece := self.piece(state, square)):
                look = "king" if piece.isupper() else "disc"
                pieces.append(Piece(column + 0.5, row + 0.5, "bw".index(piece.lower()), look))
        return Scene(8, 8, cells, pieces, (), labels, ("black", "white"))

    def position(self, state: State) -> str:
        """The FEN of PDN: the player to move, White's squares, Black's, K for kings: "B:W21,K5:B1,2:H7"."""
        return checkers_position.write(self, state)

    def parse_position(self, text: str) -> State:
        """The state of a FEN as in PDN, or after moves from the start, with or without move numbers."""
        state = checkers_position.read(self, text)
        if state is None:
            state = super().parse_position(re.sub(r"(^|\s)[0-9]+\.+", " ", text))
        return state

    @classmethod
    def record_formats(cls) -> Sequence[RecordFormat]:
        from plies.games.checkers_pdn import PDN  # it imports this module

        return (PDN,)


def _runs_through(squares: list[str], some: list[str]) -> bool:
    """Whether some squares are a subsequence of all."""
    rest = iter(squares)
    return all(square in rest for square in some)
