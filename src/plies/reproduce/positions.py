"""Published numbers of positions."""

from __future__ import annotations

from functools import partial
from itertools import combinations, product
from typing import Any

from plies.errors import BadPosition
from plies.registry import game as make_game
from plies.reproduce.computing import levels, reachable
from plies.reproduce.entry import Entry


def _count(name: str, **parameters: Any) -> int:
    return len(reachable(make_game(name, **parameters)))


def _by_ply(name: str, plies: int, **parameters: Any) -> list[int]:
    return [len(level) for level in levels(make_game(name, **parameters), plies)]


def _classes(name: str, **parameters: Any) -> int:
    """Positions, turned and mirrored ones counted once."""
    game = make_game(name, **parameters)
    return len({min(game.symmetries(state)) for state in reachable(game)})


def _classes_by_ply(name: str, plies: int, **parameters: Any) -> list[int]:
    """Positions after 0, 1, … plies, turned and mirrored ones counted once."""
    game = make_game(name, **parameters)
    found, level = [1], {game.initial()}
    for _ in range(plies):
        below = (game.result(state, action) for state in level for action in game.actions(state))
        level = {min(game.symmetries(state)) for state in below}
        found.append(len(level))
    return found


def _diagrams(plies: int) -> int:
    """Chess positions after some plies, without castling rights and en passant."""
    game = make_game("chess")
    return len({game.position(state).split()[0] for state in levels(game, plies)[-1]})


def _legal_boards(columns: int, rows: int) -> int:
    """Boards of go that are legal, among all ways to put black, white or nothing on each point."""
    game = make_game("go", size=columns, rows=rows)
    legal = 0
    for points in product(".XO", repeat=columns * rows):
        board = "/".join("".join(points[i : i + columns]) for i in range(0, len(points), columns))
        try:
            game.parse_position(f"{board} B")
        except BadPosition:
            continue
        legal += 1
    return legal


def _placements(count: int) -> int:
    """Ways to place so many pieces on a board of checkers, no man on its crowning rank."""
    game, legal = make_game("checkers"), 0
    for squares in combinations(range(1, 33), count):
        for kinds in product(("W", "WK", "B", "BK"), repeat=count):
            sides = {
                colour: ",".join(
                    f"{kind[1:]}{square}"
                    for kind, square in zip(kinds, squares, strict=True)
                    if kind[0] == colour
                )
                for colour in "WB"
            }
            mover = "W" if sides["B"] else "B"
            try:
                game.parse_position(f"{mover}:W{sides['W']}:B{sides['B']}")
            except BadPosition:
                continue
            legal += 1
    return legal


def _forbidden(board: str) -> dict[str, str]:
    """The points of a board of renju, its rows from the top, that are forbidden to black, and why."""
    from plies.games.gomoku_board import State
    from plies.games.renju import FORBIDDEN, Renju, judged
    from plies.games.wide_bitboard import holds, wide

    game = Renju(opening=False)
    stones = "".join(reversed(board.split()))
    black, white = (sum((stone == mark) << i for i, stone in enumerate(stones)) for mark in "XO")
    state = State(wide(black), wide(white), 0, 0)
    empty = game.empty(state)
    kinds = {
        game.point(cell): FORBIDDEN[judged(game, state.black, state.white, cell)]
        for cell in range(game.cells)
        if holds(empty, cell)
    }
    return {point: kind for point, kind in kinds.items() if kind}


def _renju(number: int, expected: dict[str, str], board: str) -> Entry:
    return Entry(
        f"renju-forbidden-points-{number}",
        f"Renju, the points of board {number} that are forbidden to black",
        "Renju International Federation",
        1998,
        "The International Rules of Renju; board of mintaka's tests",
        expected,
        1,
        partial(_forbidden, board),
    )


def _connect_four(width: int, height: int, expected: int, seconds: float) -> Entry:
    return Entry(
        f"connect-four-positions-{width}x{height}",
        f"Connect Four {width}x{height}, reachable positions",
        "Böck",
        2025,
        "Strongly Solving 7x6 Connect-Four on Consumer Grade Hardware, arXiv 2507.05267, after Tromp",
        expected,
        seconds,
        partial(_count, "connect-four", width=width, height=height),
    )


def _go(columns: int, rows: int, expected: int, seconds: float) -> Entry:
    return Entry(
        f"go-positions-{columns}x{rows}",
        f"Go {columns}x{rows}, legal positions",
        "Tromp & Farnebäck",
        2007,
        "Combinatorics of Go, Computers and Games 2006; OEIS A094777",
        expected,
        seconds,
        partial(_legal_boards, columns, rows),
    )


def _checkers(count: int, expected: int, seconds: float) -> Entry:
    return Entry(
        f"checkers-positions-{count}-pieces",
        f"checkers, ways to place pieces ({count}), the player to move not counted",
        "Schaeffer et al.",
        2007,
        "Checkers is Solved, Science 317",
        expected,
        seconds,
        partial(_placements, count),
    )


ENTRIES = (
    Entry(
        "tic-tac-toe-positions",
        "Tic-Tac-Toe, reachable positions",
        "Schaefer",
        2002,
        "MathRec Solutions (Tic-Tac-Toe), mathrec.org",
        5478,
        1,
        partial(_count, "tic-tac-toe"),
    ),
    Entry(
        "tic-tac-toe-positions-symmetry",
        "Tic-Tac-Toe, positions, turned and mirrored ones counted once",
        "Schaefer",
        2002,
        "MathRec Solutions (Tic-Tac-Toe), mathrec.org",
        765,
        1,
        partial(_classes, "tic-tac-toe"),
    ),
    Entry(
        "connect-four-positions-by-ply",
        "Connect Four, positions after 0 to 8 plies",
        "Tromp",
        2012,
        "OEIS A212693",
        [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275],
        2,
        partial(_by_ply, "connect-four", 8),
    ),
    _connect_four(4, 3, 12_031, 1),
    _connect_four(5, 3, 158_911, 2),
    _connect_four(4, 4, 161_029, 2),
    _connect_four(5, 4, 3_945_711, 40),
    Entry(
        "chess-diagrams-4-plies",
        "chess, diagrams after 4 plies",
        "Schwarzkopf",
        1994,
        "Die ersten Züge, Problemkiste 92; OEIS A019319",
        71_852,
        7,
        partial(_diagrams, 4),
    ),
    Entry(
        "peg-solitaire-positions-by-jump",
        "peg solitaire, central game, positions after 0 to 9 jumps up to symmetry",
        "Bell",
        2005,
        "OEIS A112737",
        [1, 1, 2, 8, 39, 171, 719, 2757, 9751, 31312],
        4,
        partial(_classes_by_ply, "peg-solitaire", 9),
    ),
    _go(2, 2, 57, 1),
    _go(3, 3, 12_675, 2),
    _renju(
        1,
        {"e14": "a double four", "f8": "an overline", "k5": "a double three"},
        """
        ..........X....
        ..........X....
        ....X.....X....
        ..X.X....X.XXXX
        .X..X.....X....
        X...O..........
        ...............
        ...XX.XXX......
        ...............
        ...............
        .........X..X..
        .X........X....
        .X.X......X....
        ...X...........
        ...............
        """,
    ),
    _renju(
        2,
        {"f8": "a double three"},
        """
        ...............
        ...............
        ...............
        ...............
        ...............
        ........O......
        ....OOXOO......
        ....X..X.......
        ....XO.........
        ....XXX........
        ....X..........
        ....O..........
        ...............
        ...............
        ...............
        """,
    ),
    _checkers(1, 120, 1),
    _checkers(2, 6_972, 1),
    _checkers(3, 261_224, 6),
)
