"""Go on boards up to 19x19, with area scoring and positional superko."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from plies.bits import mix
from plies.errors import BadParameter, BadPosition, IllegalMove
from plies.game import Game
from plies.games.coordinates import point_cell, point_name
from plies.games.wide_bitboard import (
    Wide,
    any_of,
    beside,
    both,
    either,
    first,
    holds,
    images_of,
    is_empty,
    key_of,
    nothing,
    rest,
    same,
    single,
    size,
    turned,
    wide,
    without,
)
from plies.record_format import RecordFormat
from plies.scene import Piece, Scene, coordinates, grid, squares, starred

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""What the columns are called, from the left: there is no I."""

WEIGHTS = (1.0, 0.3, -1.6, 0.45, 1.0)
"""What the features are worth, in points."""

WHITE = 7750843388603982575
"""Tells white stones from black ones in a key."""

NOWHERE = -1
"""The ko point where there is none."""


class State(NamedTuple):
    """Stones as sets of cells, row by row from the bottom: A1 is cell 0, B1 is cell 1."""

    black: Wide
    white: Wide
    atari: Wide  # the stones, of both colours, whose group has one liberty left: follows from the others
    ko: int  # the cell where the player to move may not take back at once, or NOWHERE
    passes: int  # how many players in a row have passed just now
    player: int  # the player to move, 0 is black


class Go(Game):
    """Go with area scoring. An action is the number of a cell, A1 = 0, B1 = 1, …, or `passing`.

    That a move may not bring back an earlier position is for `plies.History`, which knows the positions; a
    state knows the ko point, where a stone would bring back the last position but one.
    """

    player_names = ("black", "white")
    feature_names = ("area", "stones", "atari", "liberties", "turn")
    cycles = True
    superko = True
    algorithm = "mcts"
    mcts_options = {"rave": 500, "exploration": 0, "expansion_threshold": 5}
    prompt = "Choose a point, such as D4, or pass"
    rules = (
        "Black and white take turns to put a stone on a free point, black first, or to pass. Stones of one "
        "colour that are joined along the lines are a group; its liberties are the free points next to it. "
        "When the last liberty of a group is taken, the group is taken off the board; the other's groups go "
        "first. A move may not leave one's own group without liberties (unless suicide is allowed), nor "
        "bring back a position that the board has shown before. Two passes in a row end the game: each "
        "player's area is their stones and the free points that only their stones reach, and white has the "
        "komi added. The larger area wins; stones that are dead must be taken off by play."
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
        """A board of so many columns, and as many rows unless `rows` says otherwise.

        `suicide`: a move may take its own group off the board, if it is more than that one stone.
        `margin`: the game is worth the points it is won by, not 1.
        """
        if not 1 <= size <= 19 or not (rows is None or 1 <= rows <= 19):
            given = f"{size}x{size if rows is None else rows}"
            raise BadParameter(f"a Go board has from 1 to 19 columns and rows; {given} does not fit")
        if not -400 <= komi <= 400 or komi * 2 != int(komi * 2):
            raise BadParameter(f"the komi is a whole number of half points from -400 to 400, not {komi}")
        self.size = size
        self.rows = rows
        self.komi = komi
        self.suicide = suicide
        self.margin = margin
        self.height = size if rows is None else rows
        self.cells = size * self.height
        self.passing = self.cells
        points = self.cells + abs(komi)
        self.bounds = (-points, points) if margin else (-1, 1)
        first_column = sum(1 << size * row for row in range(self.height))
        every = (1 << self.cells) - 1
        self.board = wide(every)
        self.not_first = wide(every & ~first_column)
        self.not_last = wide(every & ~(first_column << size - 1))
        self.images = images_of(size, self.height)
        self.weights = np.array(WEIGHTS if weights is None else weights, float)
        if self.weights.shape != (len(WEIGHTS),):
            raise BadParameter(f"Go has {len(WEIGHTS)} weights, not {self.weights.size}")

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

        # 1. Groups of theirs whose last liberty this was are taken.
        weak = both(theirs, atari)
        taken = self.grown(both(near, weak), weak)
        theirs, atari = without(theirs, taken), without(atari, taken)
        empty = without(self.board, either(mine, theirs))
        freed = nothing()
        ko = NOWHERE
        if not is_empty(taken):
            freed = self.neighbours(taken)
            if size(taken) == 1 and is_empty(both(near, mine)) and size(both(near, empty)) == 1:
                ko = first(taken)

        # 2. Groups of mine beside those breathe again, as do those that the stone joins, if it can.
        group = self.pressed(stone, mine, empty)
        if is_empty(group):
            freed = either(freed, near)
        weak = both(mine, atari)
        atari = either(without(atari, self.grown(both(freed, weak), weak)), group)
        if self.suicide and not is_empty(group) and is_empty(both(self.neighbours(group), empty)):
            mine, atari = without(mine, group), without(atari, group)
            weak = both(theirs, atari)
            atari = without(atari, self.grown(both(self.neighbours(group), weak), weak))
            near = nothing()

        # 3. Groups of theirs have lost a liberty, and may be in atari.
        left = both(near, theirs)
        while not is_empty(left):
            neighbour = single(first(left))
            group = self.pressed(neighbour, theirs, empty)
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

    def neighbours(self, cells: Wide) -> Wide:
        """The cells next to some of these."""
        return beside(cells, self.size, self.not_first, self.not_last, self.board)

    def sides(self, state: State) -> tuple[Wide, Wide]:
        """The stones of the player to move, and those of the other."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        return (black, white) if state.player == 0 else (white, black)

    def legal(self, state: State) -> Wide:
        """Where the player to move may put a stone."""
        mine, theirs = self.sides(state)
        empty = without(self.board, either(mine, theirs))
        # A stone has a liberty next to a free cell, to a group of mine that has another one, and to a group
        # of theirs that it takes. Where suicide is allowed, it may not be that of the stone alone.
        helpful = either(empty, both(theirs, state.atari))
        helpful = either(helpful, mine if self.suicide else without(mine, state.atari))
        cells = both(empty, self.neighbours(helpful))
        if state.ko != NOWHERE:
            cells = without(cells, single(state.ko))
        return cells

    def grown(self, some: Wide, among: Wide) -> Wide:
        """Those among these cells that are joined to some of them."""
        if is_empty(some):
            return some
        while True:
            more = both(either(some, self.neighbours(some)), among)
            if same(more, some):
                return some
            some = more

    def pressed(self, stone: Wide, stones: Wide, empty: Wide) -> Wide:
        """The group of a stone if it has no more than one liberty, else nothing."""
        group = stone
        while True:
            near = self.neighbours(group)
            if size(both(near, empty)) > 1:
                return nothing()
            more = either(group, both(near, stones))
            if same(more, group):
                return group
            group = more

    def areas(self, state: State) -> tuple[Wide, Wide]:
        """Each player's stones and the free cells that only these reach."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        empty = without(self.board, either(black, white))
        reached = self.grown(both(self.neighbours(black), empty), empty)
        other = self.grown(both(self.neighbours(white), empty), empty)
        return either(black, without(reached, other)), either(white, without(other, reached))

    def score(self, state: State) -> float:
        """By how many points black is ahead as the board stands."""
        black, white = self.areas(state)
        return size(black) - size(white) - self.komi

    # -- What helps a search.

    def features(self, state: State) -> tuple[float, ...]:
        """The lead of black over white in each of what `feature_names` says."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        empty = without(self.board, either(black, white))
        weak_black, weak_white = both(black, state.atari), both(white, state.atari)
        liberties = size(both(self.neighbours(black), empty)) - size(both(self.neighbours(white), empty))
        return (
            self.influence(state),
            float(size(black) - size(white)),
            float(size(weak_black) - size(weak_white)),
            float(liberties),
            1.0 - 2.0 * state.player,
        )

    def influence(self, state: State) -> float:
        """How many more cells are nearer to black than to white; what the next move can take is left out."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        free = without(self.board, either(black, white))
        lost = both(white if state.player == 0 else black, state.atari)
        free = either(free, lost)
        black, white = without(black, lost), without(white, lost)
        while True:
            to_black, to_white = both(self.neighbours(black), free), both(self.neighbours(white), free)
            reached = either(to_black, to_white)
            if is_empty(reached):
                return float(size(black) - size(white))
            black = either(black, without(to_black, to_white))
            white = either(white, without(to_white, to_black))
            free = without(free, reached)

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, less the komi, always less than the best result."""
        features = self.features(state)
        lead = -self.komi
        for i in range(len(WEIGHTS)):
            lead += features[i] * self.weights[i]
        if self.margin:
            most = self.cells + abs(self.komi) - 0.5
            lead = max(-most, min(most, lead))
        else:
            lead = lead / (abs(lead) + 10.0)
        return float(lead if player == 0 else -lead)

    def priority(self, state: State, action: int) -> float:
        """Captures first, then what saves a group or attacks; one's own eyes, and passing, last."""
        if action == self.passing:
            return -20.0
        near = self.neighbours(single(action))
        mine, theirs = self.sides(state)
        taken = size(both(near, both(theirs, state.atari)))
        saved = size(both(near, both(mine, state.atari)))
        contact = size(both(near, theirs))
        around, own = size(near), size(both(near, mine))
        edge = 2 * (around < 4)
        return 8 * taken + 5 * saved + 2 * contact - own - edge - 12 * (own == around)

    def noisy(self, state: State) -> Iterator[int]:
        """Captures of more than one stone: there is an end to these, and no ko among them."""
        mine, theirs = self.sides(state)
        weak = both(theirs, state.atari)
        groups = both(weak, self.neighbours(weak))
        cells = both(self.neighbours(groups), without(self.board, either(mine, theirs)))
        while not is_empty(cells):
            yield first(cells)
            cells = rest(cells)

    def playout(self, state: State, random: int) -> int:
        """Mostly a capture or the rescue of a group in atari, else one that is no eye and not in atari."""
        mine, theirs = self.sides(state)
        legal = self.legal(state)
        if random & 7 and not is_empty(state.atari):
            urgent = both(legal, self.neighbours(both(theirs, state.atari)))
            if not is_empty(urgent):
                return any_of(urgent, random)
            urgent = both(legal, self.neighbours(both(mine, state.atari)))
            if not is_empty(urgent):
                cell = any_of(urgent, random)
                if size(without(self.neighbours(single(cell)), either(mine, theirs))) > 1:
                    return cell
        cells = self.sensible(state)
        for _ in range(3):  # tries to stay out of atari
            if is_empty(cells):
                break
            cell = any_of(cells, random)
            if not self.self_atari(state, cell):
                return cell
            cells = without(cells, single(cell))
        return self.passing if is_empty(cells) else any_of(cells, random)

    def self_atari(self, state: State, cell: int) -> bool:
        """Whether a stone on a free cell takes nothing and leaves its own group one liberty at most."""
        mine, theirs = self.sides(state)
        stone = single(cell)
        near = self.neighbours(stone)
        empty = without(self.board, either(either(mine, theirs), stone))
        if size(both(near, empty)) > 1 or not is_empty(both(near, both(theirs, state.atari))):
            return False
        return not is_empty(self.pressed(stone, mine, empty))

    def sensible(self, state: State) -> Wide:
        """Where a stone is legal and fills no eye of one's own."""
        mine, _ = self.sides(state)
        others = without(self.board, without(mine, state.atari))
        return both(self.legal(state), self.neighbours(others))

    def key(self, state: State) -> int:
        black, white = both(state.black, self.board), both(state.white, self.board)
        rest = state.ko + 1 << 3 | state.passes << 1 | state.player
        return mix(mix(key_of(black, 0) ^ key_of(white, WHITE)) ^ rest)

    def repetition_key(self, state: State) -> int:
        """The stones, whoever is to move, as superko compares them; a pass does not repeat a position."""
        black, white = both(state.black, self.board), both(state.white, self.board)
        return mix(key_of(black, 0) ^ key_of(white, WHITE) ^ state.passes)

    def repetition_value(self, state: State, player: int) -> float:
        """A move that brings back a position is not allowed: it counts as the worst for whoever made it."""
        return self.bounds[1] if player == state.player else self.bounds[0]

    def symmetries(self, state: State) -> Iterator[State]:
        for i in range(len(self.images)):
            ko = NOWHERE if state.ko == NOWHERE else int(self.images[i, state.ko])
            black, white = turned(state.black, self.images, i), turned(state.white, self.images, i)
            atari = turned(state.atari, self.images, i)
            yield State(black, white, atari, ko, state.passes, state.player)

    # -- For people.

    def notation(self, state: State, action: int) -> str:
        """Column and row as in the Go Text Protocol, "D4", or "pass"."""
        return "pass" if action == self.passing else self.point(action)

    def point(self, cell: int) -> str:
        """What people call a cell."""
        return point_name(cell, COLUMNS, self.size)

    def cell(self, point: str) -> int:
        """The cell that people call so, or NOWHERE if there is none on this board."""
        return point_cell(point, COLUMNS, self.size, self.height)

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
        """What is wrong with a move."""
        if cell == NOWHERE:
            return f"a move is a point from A1 to {self.point(self.cells - 1)}, or pass"
        if holds(either(state.black, state.white), cell):
            return "there is a stone already"
        if cell == state.ko:
            return "that would bring back the last position but one (ko)"
        return "the stone would have no liberty"

    def text(self, state: State) -> str:
        rows = [
            f"{self.height - i:>2} {' '.join(row)}" for i, row in enumerate(self._stones(state).split("/"))
        ]
        return "\n".join([*rows, f"   {' '.join(COLUMNS[: self.size])}"])

    def position(self, state: State) -> str:
        """The rows from the top, of X (black), O and .; who is to move; the ko point or passes."""
        words = [self._stones(state), "BW"[state.player]]
        if state.ko != NOWHERE:
            words += ["ko", self.point(state.ko)]
        return " ".join(words + ["pass"] * state.passes)

    def parse_position(self, text: str) -> State:
        """The state of a board such as `position` writes, or of the moves that lead there."""
        words = text.replace("|", " ").upper().split()
        board: list[str] = []
        while words and set(words[0]) <= set("XO./"):
            board += filter(None, words.pop(0).split("/"))
        if not board:
            return super().parse_position(text)  # type: ignore[no-any-return]
        black, white = self._read_board(board, text)
        player = {"B": 0, "BLACK": 0, "W": 1, "WHITE": 1}.get(words[0] if words else "")
        if player is None:
            given = f"{words[0]!r}" if words else "nothing"
            raise BadPosition(f"{text!r} has {given} after the board, not the player to move, B or W")
        atari = self._atari(black, white, text)
        state = State(black, white, atari, NOWHERE, 0, player)
        match words[1:]:
            case []:
                return state
            case ["PASS"] | ["PASS", "PASS"]:
                return state._replace(passes=len(words) - 1)
            case ["KO", point]:
                return self._with_ko(state, point, text)
        raise BadPosition(
            f"{text!r} has more after the player to move than 'ko' and a point, 'pass' or 'pass pass'"
        )

    def _read_board(self, rows: list[str], text: str) -> tuple[Wide, Wide]:
        if len(rows) != self.height:
            raise BadPosition(f"{text!r} has {len(rows)} rows; this board has {self.height}")
        for number, row in enumerate(rows, 1):
            if len(row) != self.size:
                raise BadPosition(
                    f"row {number} of {text!r} has {len(row)} cells; this board has {self.size}"
                )
        stones = "".join(reversed(rows))
        black, white = (sum((stone == name) << i for i, stone in enumerate(stones)) for name in "XO")
        return wide(black), wide(white)

    def _atari(self, black: Wide, white: Wide, text: str) -> Wide:
        """The stones whose group has one liberty; a group without any cannot be."""
        empty = without(self.board, either(black, white))
        atari = nothing()
        for stones, name in ((black, "black"), (white, "white")):
            left = stones
            while not is_empty(left):
                stone = single(first(left))
                group = self.pressed(stone, stones, empty)
                if not is_empty(group) and is_empty(both(self.neighbours(group), empty)):
                    raise BadPosition(
                        f"the {name} group at {self.point(first(left))} of {text!r} has no liberty"
                    )
                atari = either(atari, group)
                left = without(left, self.grown(stone, stones))
        return atari

    def _with_ko(self, state: State, point: str, text: str) -> State:
        """The state with a ko point, if a stone can just have been taken there by one that is alone."""
        cell = self.cell(point)
        if cell == NOWHERE:
            raise BadPosition(f"{point!r} in {text!r} is no point of this board")
        near = self.neighbours(single(cell))
        mine, theirs = self.sides(state)
        takers = both(both(near, theirs), state.atari)
        alone = size(self.grown(takers, theirs)) == 1
        if holds(either(mine, theirs), cell) or not is_empty(without(near, theirs)) or not alone:
            raise BadPosition(f"no stone can just have been taken in a ko at {self.point(cell)} of {text!r}")
        return state._replace(ko=cell)

    def _stones(self, state: State) -> str:
        """The rows from the top, of X, O and ., with / between them."""
        marks = [
            "X" if holds(state.black, cell) else "O" if holds(state.white, cell) else "."
            for cell in range(self.cells)
        ]
        rows = ["".join(marks[i : i + self.size]) for i in range(0, self.cells, self.size)]
        return "/".join(reversed(rows))

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
        cells = starred(squares(columns, rows, ("point",)), self.size, self.height)
        lines, labels = grid(self.size, self.height), coordinates(columns, rows)
        return Scene(self.size, self.height, cells, stones, lines, labels, ("black", "white"))

    def move_squares(self, state: State, action: int) -> tuple[str, ...]:
        return () if action == self.passing else (self.point(action),)
