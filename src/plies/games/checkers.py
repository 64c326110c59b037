"""Checkers, or English draughts: step or jump diagonally, and jump if you can."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from plies.bits import lowest, mix, multiply, popcount
from plies.errors import BadParameter, BadPosition, IllegalMove
from plies.game import Game
from plies.games import weights as evaluation
from plies.record_format import RecordFormat
from plies.scene import Cell, Label, Piece, Scene

# A step down the board, towards higher numbers, is a shift by 4 or 5 bits; a step up is the same back.
DOWN_LEFT, DOWN_RIGHT, UP_RIGHT, UP_LEFT = range(4)

WEIGHTS = (1.0, 1.4, 0.12, 0.02, 0.04, 0.01, -0.1, 2.5, 0.1)
"""What one more of each feature is worth, in men."""


FOREVER = 1 << 30
"""More plies than any game lasts."""


class State(NamedTuple):
    """Pieces as bitboards: square 1 is bit 0, and after every eighth square a bit stays free.

    So the bits of squares that touch always differ by 4 or 5, and a step off the board ends on a free bit.
    """

    mine: int  # pieces of the player to move
    theirs: int
    kings: int  # those of both that are kings
    player: int  # the player to move
    quiet: int  # plies since a man moved or a piece was taken


class Checkers(Game):
    """Checkers. An action is the bit of a square plus 64 times a path.

    A path below 4 is the direction of a step. Any other is a whole jump: its digits to the base 4 are the
    directions, the first one lowest, and a 1 stands above the last.
    """

    player_names = ("Black", "White")
    prompt = "Choose a move, such as 11-15 or 15x24"
    cycles = True
    repetitions = 3
    forcing = True
    refinements = {"extensions": False}
    feature_names = (
        "men",
        "kings",
        "back row",
        "advancement",
        "centre",
        "mobility",
        "trapped kings",
        "share of pieces",
        "move",
    )
    rules = (
        "Black and White take turns, Black first. A man steps to a free square diagonally ahead; a king, "
        "diagonally ahead or back. A piece jumps over one of the other's beside it to the free square just "
        "behind, in the directions it may step, and takes it. Whoever can jump must, and must go on with the "
        "same piece as long as it can jump again. A man that reaches the last row ends its move there and "
        "becomes a king. Whoever cannot move has lost. The game is drawn when a position stands for the "
        "third time, or when both have made 40 moves in a row without taking a piece or moving a man."
    )

    def __init__(self, no_progress: int = 40, weights: Sequence[float] | None = None) -> None:
        """A draw after so many moves of each without progress, 0 for never."""
        if not 0 <= no_progress <= 1000:
            raise BadParameter(
                f"the game is drawn after 1 to 1000 moves of each without progress, or 0 for never, "
                f"not {no_progress}"
            )
        self.no_progress = no_progress
        self.weights = evaluation.chosen(WEIGHTS, weights)
        self.board = _squares(range(1, 33))
        self.black_start = _squares(range(1, 13))
        self.white_start = _squares(range(21, 33))
        self.first_row = _squares(range(1, 5))
        self.last_row = _squares(range(29, 33))
        self.ends = self.first_row | self.last_row
        self.centre = _squares((10, 11, 14, 15, 18, 19, 22, 23))
        self.odd_rows = _squares(square for square in range(1, 33) if (square - 1) // 4 & 1)
        self.row_pairs = _squares(square for square in range(1, 33) if (square - 1) // 4 & 2)
        self.lower_half = _squares(range(17, 33))

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
        """The jumps: each goes on until its piece can jump no further."""
        empty = self.board & ~(state.mine | state.theirs)
        starts = self.jumpers(state)
        while starts != 0:
            piece = starts & -starts
            start = lowest(starts)
            starts ^= piece
            # Depth-first: `after` is the place in the path of the next direction, 4 to the jumps made so far.
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
                    direction = path // after - 4  # the last one, taken back
                    path -= (direction + 3) * after
                    over = neighbours(piece, direction ^ 2)
                    piece, left = neighbours(over, direction ^ 2), left ^ over
                    ended = False
                    direction += 1

    def is_quiet(self, state: State) -> bool:
        """Whether the player to move need not jump."""
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
        """Whoever cannot move has lost; else it is a draw for want of progress."""
        if self.can_move(state):
            return 0
        return -1 if player == state.player else 1

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, in men, between -1 and 1."""
        features = self.features(state)
        lead = 0.0
        for i in range(len(WEIGHTS)):
            lead += features[i] * self.weights[i]
        value = lead / (abs(lead) + 4.0)
        return value if player == 0 else -value

    def features(self, state: State) -> tuple[float, ...]:
        if state.player == 0:
            black, white, sign = state.mine, state.theirs, 1.0
        else:
            black, white, sign = state.theirs, state.mine, -1.0
        black_men, white_men = black & ~state.kings, white & ~state.kings
        black_kings, white_kings = black & state.kings, white & state.kings
        passed = State(state.theirs, state.mine, state.kings, 1 - state.player, 0)
        pieces, others = popcount(black), popcount(white)
        return (  # in the order of `feature_names`
            float(popcount(black_men) - popcount(white_men)),
            float(popcount(black_kings) - popcount(white_kings)),
            float(popcount(black_men & self.first_row) - popcount(white_men & self.last_row)),
            float(self.rows(black_men) + self.rows(white_men) - 7 * popcount(white_men)),
            float(popcount(black & self.centre) - popcount(white & self.centre)),
            sign * (self.mobility(state) - self.mobility(passed)),
            float(popcount(self.trapped(black_kings, white)) - popcount(self.trapped(white_kings, black))),
            (pieces - others) / (pieces + others),
            sign,
        )

    def priority(self, state: State, action: int) -> int:
        """Long jumps first; then moves to the centre, and those that the other must answer by a jump."""
        path, taken = action >> 6, 0
        while path > 3:
            taken += 1
            path >>= 2
        after = self.result(state, action)
        to_centre = after.theirs & ~state.mine & self.centre != 0
        return 4 * taken + to_centre + (self.jumpers(after) != 0)

    def move_index(self, state: State, action: int) -> int:
        """The square a piece leaves and its first direction."""
        path = action >> 6
        return action & 63 | (path & 3) << 6

    def identity(self, state: State) -> State:
        """Everything but the moves without progress."""
        return State(state.mine, state.theirs, state.kings, state.player, 0)

    def plies_left(self, state: State) -> int:
        """Until nobody has made progress for too long."""
        return 2 * self.no_progress - state.quiet if self.no_progress else FOREVER

    def key(self, state: State) -> int:
        men = multiply(state.mine, -7046029254386353131) ^ state.theirs << 1
        return mix(mix(men) ^ state.kings << 1 ^ state.player)

    # -- Steps and jumps, of all pieces at once.

    def directions(self, state: State, piece: int) -> tuple[int, int]:
        """The first direction that a piece of the player to move may take, and the one after the last."""
        if piece & state.kings:
            return 0, 4
        return 2 * state.player, 2 * state.player + 2

    def downward(self, state: State) -> int:
        """The pieces of the player to move that may move towards higher numbers."""
        return state.mine if state.player == 0 else state.mine & state.kings

    def upward(self, state: State) -> int:
        """Those that may move towards lower numbers."""
        return state.mine if state.player == 1 else state.mine & state.kings

    def steppers(self, state: State, direction: int) -> int:
        """The pieces of the player to move that have a free square beside them in a direction."""
        free = self.board & ~(state.mine | state.theirs)
        movers = self.downward(state) if direction < 2 else self.upward(state)
        return movers & neighbours(free, direction ^ 2)

    def jumpers(self, state: State) -> int:
        """The pieces of the player to move that can jump."""
        theirs = state.theirs
        free = self.board & ~(state.mine | theirs)
        down = theirs >> 4 & free >> 8 | theirs >> 5 & free >> 10
        up = theirs << 4 & free << 8 | theirs << 5 & free << 10
        return self.downward(state) & down | self.upward(state) & up

    def can_move(self, state: State) -> bool:
        """Whether the player to move has a step or a jump."""
        free = self.board & ~(state.mine | state.theirs)
        steps = self.downward(state) & (free >> 4 | free >> 5) | self.upward(state) & (free << 4 | free << 5)
        return steps != 0 or self.jumpers(state) != 0

    # -- What an evaluation looks at.

    def mobility(self, state: State) -> int:
        """How many steps the player to move has."""
        count = 0
        for direction in range(4):
            count += popcount(self.steppers(state, direction))
        return count

    def rows(self, men: int) -> int:
        """The sum of the rows that men stand on, the first counted as 0."""
        return (
            popcount(men & self.odd_rows)
            + 2 * popcount(men & self.row_pairs)
            + 4 * popcount(men & self.lower_half)
        )

    def trapped(self, kings: int, others: int) -> int:
        """The kings of which every step ends beside a piece of the other player, or on one."""
        near = others | others << 4 | others << 5 | others >> 4 | others >> 5
        safe = self.board & ~(near | kings)
        return kings & ~(safe << 4 | safe << 5 | safe >> 4 | safe >> 5)

    # -- For people.

    def notation(self, state: State, action: int) -> str:
        """Squares as in "11-15" or "15x24"; all of a long jump where its ends do not tell which is meant."""
        squares = self.move_squares(state, action)
        if action >> 6 < 4:
            return "-".join(squares)
        ends = squares[0], squares[-1]
        paths = [self.move_squares(state, jump) for jump in self.noisy(state)]
        if sum((path[0], path[-1]) == ends for path in paths) > 1:
            return "x".join(squares)
        return "x".join(ends)

    def parse_action(self, state: State, text: str) -> int:
        """The step or jump that a person wrote, with all squares of a long jump or only some of them."""
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
            raise IllegalMove(f"{text.strip()!r} may be any of several jumps; {self.legal_moves(state)}")
        return found[0]

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        """The squares that the piece stands on, one after the other."""
        bit, path = action & 63, action >> 6
        squares, length = [_number(bit)], 1 if path < 4 else 2
        while path > 3 or length == 1:
            bit += length * (4, 5, -4, -5)[path & 3]
            squares.append(_number(bit))
            if length == 1:
                break
            path >>= 2
        return squares

    def text(self, state: State) -> str:
        """The board with White below, black pieces as b and B, white ones as w and W, and square numbers."""
        rows = []
        for row in range(8):
            squares = range(4 * row + 1, 4 * row + 5)
            line = "   ".join(self._piece(state, square) or "." for square in squares)
            numbers = f"{squares[0]:>2}-{squares[-1]:<2}"
            rows.append(f"{numbers}  {'' if row % 2 else '  '}{line}{'  ' if row % 2 else ''}".rstrip())
        return "\n".join(rows)

    def scene(self, state: State) -> Scene:
        """The board with White below; a light square has the name of its column and row."""
        cells, pieces, labels = [], [], []
        for place in range(64):
            row, column = divmod(place, 8)
            square = 4 * row + column // 2 + 1
            dark = (row + column) % 2 == 1
            name = str(square) if dark else f"{'abcdefgh'[column]}{8 - row}"
            cells.append(Cell(name, column + 0.5, row + 0.5, "dark" if dark else "light"))
            if dark:
                labels.append(Label(column + 0.15, row + 0.13, name, "inside"))
            if dark and (piece := self._piece(state, square)):
                look = "king" if piece.isupper() else "disc"
                pieces.append(Piece(column + 0.5, row + 0.5, "bw".index(piece.lower()), look))
        return Scene(8, 8, cells, pieces, (), labels, ("black", "white"))

    def _piece(self, state: State, square: int) -> str:
        """What stands on a square, as `text` shows it; "" if nothing does."""
        bit = _squares((square,))
        if not bit & (state.mine | state.theirs):
            return ""
        colour = "bw"[state.player if bit & state.mine else 1 - state.player]
        return colour.upper() if bit & state.kings else colour

    def position(self, state: State) -> str:
        """As in PDN: the player to move, White's squares and Black's, K for kings: "B:W21,K5:B1,2:H7".

        H is how many plies there were without progress, and is left out where there were none.
        """
        sides: dict[str, list[str]] = {"W": [], "B": []}
        for square in range(1, 33):
            if piece := self._piece(state, square):
                sides[piece.upper()].append(f"{'K' * piece.isupper()}{square}")
        colours = ":".join(colour + ",".join(squares) for colour, squares in sides.items())
        return f"{'BW'[state.player]}:{colours}" + (f":H{state.quiet}" if state.quiet else "")

    def parse_position(self, text: str) -> State:
        """The state that `position` writes so, or that of the moves that lead there.

        A run of squares may be written "1-12".
        """
        given = "".join(text.split()).upper()
        if not re.match("[BW]:", given):
            played: State = super().parse_position(re.sub(r"(^|\s)[0-9]+\.+", " ", text))  # without numbers
            return played
        side = "([BW])([K0-9,-]*)"
        found = re.fullmatch(rf"([BW]):{side}:{side}(?::H([0-9]{{1,4}}))?(?::F[0-9]+)?\.?", given)
        if not found or found[2] == found[4]:
            raise BadPosition(f"{text!r} is not of the form {self.position(self.initial())!r}")
        sides, kings = {}, 0
        for colour, squares in ((found[2], found[3]), (found[4], found[5])):
            sides[colour], crowned = self._read_side(text, colour, squares)
            kings |= crowned
        mine, theirs = (sides[colour] for colour in ("BW" if found[1] == "B" else "WB"))
        quiet = int(found[6] or 0)
        if mine & theirs:
            square = _number(lowest(mine & theirs))
            raise BadPosition(f"{text!r} has pieces of both players on square {square}")
        if theirs == 0:
            raise BadPosition(f"{text!r} goes on after the player who is not to move has lost all pieces")
        if quiet > 2 * self.no_progress:
            raise BadPosition(
                f"{text!r} has {quiet} plies without progress; the game ends after {2 * self.no_progress}"
            )
        if quiet and not kings & theirs:
            raise BadPosition(f"{text!r} has plies without progress, but no king that made the last of them")
        return State(mine, theirs, kings, "BW".index(found[1]), quiet)

    @classmethod
    def record_formats(cls) -> Sequence[RecordFormat]:
        from plies.games.checkers_pdn import PDN  # it imports this module

        return (PDN,)

    def _read_side(self, text: str, colour: str, squares: str) -> tuple[int, int]:
        """The pieces of a player and which of them are kings."""
        pieces = kings = 0
        for word in squares.split(",") if squares else []:
            found = re.fullmatch(r"(K?)([0-9]{1,2})(?:-([0-9]{1,2}))?", word)
            first, last = (int(found[2]), int(found[3] or found[2])) if found else (0, 0)
            if not found or not 1 <= first <= last <= 32:
                raise BadPosition(f"{word!r} after {colour} in {text!r} is not a square from 1 to 32")
            here = _squares(range(first, last + 1))
            if here & pieces:
                raise BadPosition(f"{word!r} stands twice after {colour} in {text!r}")
            if not found[1] and here & (self.last_row if colour == "B" else self.first_row):
                raise BadPosition(f"{word!r} after {colour} in {text!r} is on the last row, but not a king")
            pieces |= here
            kings |= here if found[1] else 0
        if popcount(pieces) > 12:
            raise BadPosition(
                f"{text!r} has {popcount(pieces)} pieces after {colour}; a player has 12 at most"
            )
        return pieces, kings


def neighbours(squares: int, direction: int) -> int:
    """The squares one step away from these; some may be off the board."""
    if direction == DOWN_LEFT:
        return squares << 4
    if direction == DOWN_RIGHT:
        return squares << 5
    if direction == UP_RIGHT:
        return squares >> 4
    return squares >> 5


def _squares(numbers: Iterable[int]) -> int:
    """The bitboard of squares by their numbers, from 1."""
    return sum(1 << number - 1 + (number - 1) // 8 for number in numbers)


def _number(bit: int) -> str:
    """The number of the square that a bit stands for."""
    return str(bit - bit // 9 + 1)


def _runs_through(squares: list[str], some: list[str]) -> bool:
    """Whether some squares come in this order among all."""
    rest = iter(squares)
    return all(square in rest for square in some)
