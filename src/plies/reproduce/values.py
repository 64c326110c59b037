"""Published values of positions: games that others have solved."""

from __future__ import annotations

from functools import partial, reduce
from itertools import combinations_with_replacement
from operator import xor
from typing import Any

from plies.errors import PliesError
from plies.reproduce.computing import position_of, result, solved, value
from plies.reproduce.entry import Entry

KALAH = "Solving Kalah, ICGA Journal 23(3); margins by Irving's program"
FEINSTEIN = (
    "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 f6 pass e1 f1"
)
"""Feinstein's perfect game on the 6x6 board: 16-20."""


def _board(width: int, height: int, expected: str, seconds: float) -> Entry:
    return Entry(
        f"connect-four-value-{width}x{height}",
        f"Connect Four {width}x{height}, for the first player",
        "Tromp",
        2006,
        "John's Connect Four Playground, tromp.github.io/c4",
        expected,
        seconds,
        partial(result, "connect-four", width=width, height=height),
    )


def _fhourstones(position: str, expected: str, seconds: float) -> Entry:
    return Entry(
        f"connect-four-fhourstones-{position}",
        f"Connect Four after {position}, for the player to move",
        "Tromp",
        2008,
        "The Fhourstones Benchmark, version 3",
        expected,
        seconds,
        partial(result, "connect-four", position),
    )


def _stones_left(position: str) -> int:
    """The score of Pons: the stones that the winner has not played yet at the end, counted from 1."""
    from plies.suites.pons import score

    game, state = position_of("connect-four", position, {})
    return score(game, state, solved("connect-four", position, distance=True).value)


def _pons(position: str, expected: int, seconds: float) -> Entry:
    return Entry(
        f"connect-four-score-{position}",
        f"Connect Four after {position}: how soon who wins, as Pons counts it",
        "Pons",
        2015,
        "Solving Connect 4, blog.gamesolver.org: test sets",
        expected,
        seconds,
        partial(_stones_left, position),
    )


def _kalah_row(houses: int, seeds: int) -> list[int]:
    """The margins of Kalah with 1, 2, … seeds a house, with Irving's rule for captures."""
    small = houses < 3
    return [
        value("kalah", small=small, houses=houses, seeds=n, empty_capture=True) for n in range(1, seeds + 1)
    ]


def _kalah(houses: int, expected: list[int], seconds: float) -> Entry:
    return Entry(
        f"kalah-values-{houses}-houses",
        f"Kalah({houses}, n), the first player's margin for n from 1 to {len(expected)}",
        "Irving, Donkers & Uiterwijk",
        2000,
        KALAH,
        expected,
        seconds,
        partial(_kalah_row, houses, len(expected)),
    )


def _kalah_one(houses: int, seeds: int, expected: int, seconds: float) -> Entry:
    return Entry(
        f"kalah-value-{houses}-{seeds}",
        f"Kalah({houses}, {seeds}), the first player's margin",
        "Irving, Donkers & Uiterwijk",
        2000,
        KALAH,
        expected,
        seconds,
        partial(value, "kalah", houses=houses, seeds=seeds, empty_capture=True),
    )


def _bouton(misere: bool) -> list[int]:
    """How many games of Nim with up to three heaps of up to five there are, and how many are won as Bouton
    says."""
    heaps = [heaps for n in (1, 2, 3) for heaps in combinations_with_replacement(range(1, 6), n)]
    right = 0
    for one in heaps:
        wins = bool(reduce(xor, one))
        if misere and max(one) == 1:
            wins = not wins
        right += (result("nim", heaps=one, misere=misere, small=True) == "win") == wins
    return [len(heaps), right]


def _by_search(columns: int, rows: int) -> int:
    """What black gets on a small board of go, which has cycles: proved by a search of some plies."""
    from plies.engine.search import search

    game, state = position_of("go", "", {"size": columns, "rows": rows, "komi": 0, "margin": True})
    found = search(game, state, algorithm="alpha-beta", depth=8, time=60)
    if not found.value.proved:
        raise PliesError(f"the value {found.value} is not proved")
    return int(found.value.utility)


def _go(columns: int, rows: int, expected: int, seconds: float) -> Entry:
    return Entry(
        f"go-value-{columns}x{rows}",
        f"Go {columns}x{rows}, black's margin by area, without komi",
        "Drange",
        1998,
        "Mini-Go, mathpuzzle.com",
        expected,
        seconds,
        partial(_by_search, columns, rows),
    )


def _ffo(number: int, expected: int, seconds: float, position: str) -> Entry:
    return Entry(
        f"othello-ffo-{number}",
        f"Othello, FFO endgame {number}: discs ahead with best play",
        "Tastet",
        1998,
        "FForum, endgame test of the Fédération Française d'Othello; scores as in Edax's problem set",
        expected,
        seconds,
        partial(value, "othello", position),
    )


def _feinstein(empties: int) -> int:
    """What black gets in Feinstein's perfect game with so many squares left."""
    moves = FEINSTEIN.split()
    game, state = position_of("othello", "", {"size": 6})
    played = 0
    while game.position(state).count("-") > empties:
        state = game.result(state, game.parse_action(state, moves[played]))
        played += 1
    worth = value("othello", " ".join(moves[:played]), size=6)
    return worth if game.to_move(state) == 0 else -worth


def _pegs(layout: str, **parameters: Any) -> str:
    """Whether a game of peg solitaire can be won."""
    return "solvable" if value("peg-solitaire", layout=layout, **parameters) == 1 else "not solvable"


def _mate(position: str, most: int) -> str:
    """The key move, and in how many moves it mates, by the shallowest search that proves it."""
    from plies.engine import AlphaBeta, Limit, Options

    game, state = position_of("chess", position, {})
    engine = AlphaBeta(game, options=Options())  # without what chess prunes, which may leave the key move out
    for depth in range(1, 2 * most):
        found = engine.search(state, Limit(depth=depth, time=60))
        if found.value.proved and found.value.utility == 1:
            return f"{game.notation(state, found.action)}, mate in {(depth + 1) // 2}"
    return f"no mate in {most} is proved"


ENTRIES = (
    Entry(
        "tic-tac-toe-value",
        "Tic-Tac-Toe, for the first player",
        "Dudeney",
        1907,
        "The Canterbury Puzzles, Noughts and Crosses",
        "draw",
        1,
        partial(result, "tic-tac-toe", small=True),
    ),
    _board(4, 4, "draw", 7),
    _board(5, 4, "draw", 5),
    _board(6, 4, "loss", 7),
    _board(7, 4, "draw", 10),
    _board(4, 5, "draw", 6),
    _board(5, 5, "draw", 6),
    _board(4, 6, "draw", 6),
    _board(6, 5, "draw", 10),
    _board(5, 6, "draw", 8),
    Entry(
        "connect-four-value-7x6",
        "Connect Four 7x6, for the first player",
        "Allis",
        1988,
        "A Knowledge-based Approach of Connect-Four; Allen in the same year",
        "win",
        200,
        partial(result, "connect-four"),
    ),
    _fhourstones("45461667", "win", 5),
    _fhourstones("35333571", "loss", 6),
    _fhourstones("13333111", "draw", 15),
    _pons("2252576253462244111563365343671351441", -1, 1),
    _pons("274552224131661", 0, 1),
    _pons("5455174361263362", -1, 1),
    _pons("32164625", 11, 1),
    _kalah(1, [0, -2, 6, -2, 2, 0], 1),
    _kalah(2, [2, -2, -2, -12, 6, 8], 1),
    _kalah(3, [0, 4, 2, 2, 6, -10], 25),
    _kalah(4, [2, 6, 8, 2], 20),
    _kalah(5, [0, 0, 8], 15),
    _kalah(6, [2, 10, 2], 20),
    _kalah_one(4, 5, 2, 6),
    _kalah_one(4, 6, 0, 9),
    _kalah_one(5, 4, 12, 10),
    _kalah_one(6, 4, 10, 100),
    Entry(
        "othello-value-4x4",
        "Othello 4x4, for the first player",
        "Wikipedia",
        2023,
        "Reversi: on boards of 4x4 and 6x6 the second player wins",
        "loss",
        7,
        partial(result, "othello", size=4),
    ),
    Entry(
        "othello-6x6-feinstein-14",
        "Othello 6x6, black's margin in the perfect game with 14 empty squares",
        "Feinstein",
        1993,
        "Amenor wins world 6x6 championships!, British Othello Federation newsletter",
        -4,
        7,
        partial(_feinstein, 14),
    ),
    Entry(
        "othello-6x6-feinstein-20",
        "Othello 6x6, black's margin in the perfect game with 20 empty squares",
        "Feinstein",
        1993,
        "Amenor wins world 6x6 championships!, British Othello Federation newsletter",
        -4,
        12,
        partial(_feinstein, 20),
    ),
    _ffo(1, 18, 8, "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"),
    _ffo(2, 10, 1, "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X"),
    _ffo(40, 38, 10, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X"),
    Entry(
        "qubic-value",
        "Qubic, for the first player",
        "Patashnik",
        1980,
        "Qubic: 4x4x4 Tic-Tac-Toe, Mathematics Magazine 53",
        "win",
        300,
        partial(result, "qubic", algorithm="proof-number"),
    ),
    Entry(
        "nim-bouton",
        "Nim with up to three heaps of up to 5: games, and those decided by the nim-sum",
        "Bouton",
        1901,
        "Nim, a game with a complete mathematical theory, Annals of Mathematics 3",
        [55, 55],
        2,
        partial(_bouton, False),
    ),
    Entry(
        "nim-bouton-misere",
        "misère Nim with up to three heaps of up to 5: games, and those decided by the nim-sum",
        "Bouton",
        1901,
        "Nim, a game with a complete mathematical theory, Annals of Mathematics 3",
        [55, 55],
        2,
        partial(_bouton, True),
    ),
    Entry(
        "peg-solitaire-central-game",
        "peg solitaire, from all but the centre to the centre",
        "Bergholt",
        1912,
        "a solution in 18 moves, in The Queen",
        "solvable",
        3,
        partial(_pegs, "english"),
    ),
    Entry(
        "peg-solitaire-triangle",
        "peg solitaire, triangle of 15 holes, from all but a corner to one peg",
        "Bell",
        2008,
        "Solving Triangular Peg Solitaire, Journal of Integer Sequences 11",
        "solvable",
        1,
        partial(_pegs, "triangle"),
    ),
    _go(2, 1, 0, 1),
    _go(3, 1, 3, 1),
    _go(4, 1, 4, 1),
    Entry(
        "chess-mate-morphy",
        "chess, mate in two",
        "Morphy",
        1856,
        "New York Clipper, 28 June 1856",
        "Ra6, mate in 2",
        1,
        partial(_mate, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ),
)
