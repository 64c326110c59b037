"""Go on boards up to 19x19, with area scoring and positional superko."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plies.bits import mix
from plies.errors import IllegalMove
from plies.games import go_position
from plies.games.go_board import COLUMNS, NOWHERE, State
from plies.games.go_playouts import Playouts
from plies.games.wide_bitboard import (
    both,
    either,
    first,
    holds,
    images_of,
    is_empty,
    key_of,
    nothing,
    rest,
    single,
    size,
    turned,
    without,
)
from plies.record_format import RecordFormat
from plies.scene import Piece, Scene, coordinates, grid, squares, starred

WHITE = 7750843388603982575
"""The salt that tells white stones from black ones in a hash: a random number."""


class Go(Playouts):
    """Go with area scoring. An action is the number of a cell, A1 = 0, B1 = 1, …, or `passing`.

    Positional superko is left to `plies.History`, which knows all positions of the game; a state knows the ko
    point alone, where a stone would recapture at once.
    """

    player_names = ("black", "white")
    measured_levels = "levels/go.json"
    two_sided = True
    cycles = True
    superko = True
    algorithm = "mcts"
    mcts_options = {"rave": 3000, "exploration": 0, "expansion_threshold": 8}
    prompt = "Choose a point, such as D4, or pass"
    rules = (
        "Black and white take turns to place a stone on an empty point, black first, or to pass. Stones of "
        "one colour that are connected along the lines are a group; its liberties are the empty points next "
        "to it. A group without liberties is captured and removed, the opponent's groups first. A move may "
        "not leave one's own group without liberties (unless suicide is allowed), nor repeat an earlier "
        "position of the board (superko). Two passes in a row end the game: a player's area is their stones "
        "and the empty points that only their stones reach, and white adds the komi. The larger area wins; "
        "dead stones have to be captured before the game ends."
    )

    def __init__(
        self,
        size: int = 9,
        komi: float = 7.5,
        suicide: bool = False,
        margin: bool = False,
        rows: int | None = None,
        weights: Sequence[float] | None = None,
    ) -> None:
        """A board of `size` columns, and as many rows unless `rows` is given.

        `suicide`: a move may remove its own group, if that is more than the stone itself.
        `margin`: the utility is the margin of points instead of 1.
        """
        super().__init__(size, rows, komi, suicide, margin, weights)
        points = self.cells + abs(komi)
        self.bounds = (-points, points) if margin else (-1, 1)
        self.images = images_of(size, self.height)

    # -- The six rules.

    def initial(self) -> State:
        return State(nothing(), nothing(), nothing(), NOWHERE, 0, 0)

    def to_move(self, state: State) -> int:
        return state.player

    def actions(self, state: State) -> Iterator[int]:
        if state.passes < 2:
            cells = self.legal(state)
            while not is_empty(cells):
                yield first(cells)
                cells = rest(cells)
            yield self.passing

    def result(self, state: State, action: int) -> State:
        if action == self.passing:
            return State(state.black, state.white, state.atari, NOWHERE, state.passes + 1, 1 - state.player)
        stone = single(action)
        near = self.neighbours(stone)
        mine, theirs = self.sides(state)
        atari = state.atari
        mine = either(mine, stone)

        # 1. Capture the opponent's groups whose last liberty this was.
        weak = both(theirs, atari)
        taken = self.connected(both(near, weak), weak)
        theirs, atari = without(theirs, taken), without(atari, taken)
        empty = without(self.board, either(mine, theirs))
        freed = nothing()
        ko = NOWHERE
        if not is_empty(taken):
            freed = self.neighbours(taken)
            if size(taken) == 1 and is_empty(both(near, mine)) and size(both(near, empty)) == 1:
                ko = first(taken)

        # 2. Own groups next to captured stones leave atari, as do those that the stone connects to liberties.
        group = self.group_in_atari(stone, mine, empty)
        if is_empty(group):
            freed = either(freed, near)
        weak = both(mine, atari)
        atari = either(without(atari, self.connected(both(freed, weak), weak)), group)
        if self.suicide and not is_empty(group) and is_empty(both(self.neighbours(group), empty)):
            mine, atari = without(mine, group), without(atari, group)
            weak = both(theirs, atari)
            atari = without(atari, self.connected(both(self.neighbours(group), weak), weak))
            near = nothing()

        # 3. The opponent's groups next to the stone have lost a liberty, and may be in atari.
        left = both(near, theirs)
        while not is_empty(left):
            neighbour = single(first(left))
            group = self.group_in_atari(neighbour, theirs, empty)
            atari = either(atari, group)
            left = without(rest(left), group)

        if state.player == 0:
            return State(mine, theirs, atari, ko, 0, 1)
        return State(theirs, mine, atari, ko, 0, 0)

    def is_terminal(self, state: State) -> bool:
        return state.passes >= 2

    def utility(self, state: State, player: int) -> float:
        points = self.score(state)
        if not self.margin:
            points = 1.0 if points > 0 else -1.0 if points < 0 else 0.0
        return points if player == 0 else -points

    # -- Groups, liberties and areas.

    # -- Heuristics.

    def key(self, state: State) -> int:
        black, white = both(state.black, self.board), both(state.white, self.board)
        rest = state.ko + 1 << 3 | state.passes << 1 | state.player
        return mix(mix(key_of(black, 0) ^ key_of(white, WHITE)) ^ rest)

    def repetition_key(self, state: State) -> int:
        """A hash of the stones alone, as positional superko compares them; a pass repeats no position."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        return mix(key_of(black, 0) ^ key_of(white, WHITE) ^ state.passes)

    def repetition_value(self, state: State, player: int) -> float:
        """Superko forbids a repetition, so it counts as a loss for the player who made it."""
        return self.bounds[1] if player == state.player else self.bounds[0]

    def symmetries(self, state: State) -> Iterator[State]:
        for i in range(len(self.images)):
            ko = NOWHERE if state.ko == NOWHERE else int(self.images[i, state.ko])
            black, white = turned(state.black, self.images, i), turned(state.white, self.images, i)
            atari = turned(state.atari, self.images, i)
            yield State(black, white, atari, ko, state.passes, state.player)

    # -- Presentation.

    def notation(self, state: State, action: int) -> str:
        """The point as in the Go Text Protocol, "D4", or "pass"."""
        return "pass" if action == self.passing else self.point(action)

    def parse_action(self, state: State, text: str) -> int:
        if not self.is_terminal(state):
            if text.strip().casefold() == "pass":
                return self.passing
            cell = self.cell(text)
            if cell != NOWHERE and holds(self.legal(state), cell):
                return cell
            reason = self._why_not(state, text, cell)
            raise IllegalMove(f"{text.strip()!r} is not a legal move: {reason}")
        raise IllegalMove(f"{text.strip()!r} is not a legal move: the game is over")

    def _why_not(self, state: State, text: str, cell: int) -> str:
        """Why a move is illegal."""
        if cell == NOWHERE:
            return f"a move is a point from A1 to {self.point(self.cells - 1)}, or pass"
        if holds(either(state.black, state.white), cell):
            return "the point is occupied"
        if cell == state.ko:
            return "that would retake the ko at once"
        return "the stone would have no liberty"

    def text(self, state: State) -> str:
        rows = [
            f"{self.height - i:>2} {' '.join(row)}"
            for i, row in enumerate(go_position.stones_of(self, state).split("/"))
        ]
        return "\n".join([*rows, f"   {' '.join(COLUMNS[: self.size])}"])

    def position(self, state: State) -> str:
        """The rows from the top, of X (black), O and .; who is to move; the ko point or passes."""
        return go_position.write(self, state)

    def parse_position(self, text: str) -> State:
        """The state of a string such as `position` writes, or after moves from the start."""
        state = go_position.read(self, text)
        return super().parse_position(text) if state is None else state

    @classmethod
    def record_formats(cls) -> Sequence[RecordFormat]:
        from plies.games.go_sgf import SGF  # it imports this module

        return (SGF,)

    def scene(self, state: State) -> Scene:
        columns, rows = COLUMNS[: self.size], [str(self.height - row) for row in range(self.height)]
        stones = [
            Piece(cell % self.size + 0.5, self.height - cell // self.size - 0.5, player)
            for player, side in enumerate((state.black, state.white))
            for cell in range(self.cells)
            if holds(side, cell)
        ]
        if state.ko != NOWHERE:  # where the player to move may not take back
            stones.append(
                Piece(
                    state.ko % self.size + 0.5, self.height - state.ko // self.size - 0.5, None, "sign", "×"
                )
            )
        cells = starred(squares(columns, rows, ("point",)), self.size, self.height)
        lines, labels = grid(self.size, self.height), coordinates(columns, rows)
        return Scene(self.size, self.height, cells, stones, lines, labels, ("black", "white"))

    def standing(self, state: State) -> str:
        """The areas, with the komi, once the game is over: before, much of them is nobody's yet."""
        if not self.is_terminal(state):
            return ""
        black, white = (size(area) for area in self.areas(state))
        return self.by_player(black, white + self.komi)

    def move_squares(self, state: State, action: int) -> tuple[str, ...]:
        return () if action == self.passing else (self.point(action),)
