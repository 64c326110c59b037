"""Published counts of move sequences: perft, and numbers of whole games."""

from __future__ import annotations

from functools import partial
from typing import Any

from plies.reproduce.computing import lines, lines_by_depth
from plies.reproduce.entry import Entry

WIKI = "Chess Programming Wiki, Perft Results"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PINS = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
PROMOTIONS = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
CASTLING = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
MIDDLE = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"


def _chess(number: int, depth: int, expected: int, seconds: float, position: str) -> Entry:
    """A position of the Chess Programming Wiki, whose page is cited as of 2013."""
    what = f"chess, position {number} of the wiki, {depth} plies"
    compute = partial(lines, "chess", depth, position)
    name = f"chess-perft-position-{number}-depth-{depth}"
    return Entry(name, what, "Chess Programming Wiki", 2013, WIKI, expected, seconds, compute)


def _openspiel(
    name: str, game: str, what: str, expected: list[int], seconds: float, **parameters: Any
) -> Entry:
    """Counts of another library, which this project made with its version 2.0.2."""
    return Entry(
        f"{name}-perft",
        f"{what}, each depth up to {len(expected)}",
        "Lanctot et al.",
        2019,
        "OpenSpiel: A Framework for Reinforcement Learning in Games; counted with version 2.0.2",
        expected,
        seconds,
        partial(lines_by_depth, game, len(expected), **parameters),
    )


def _games_by_length() -> list[int]:
    """Tic-Tac-Toe: the games that end after 5, 6, … plies."""
    from plies.registry import game as make_game

    game = make_game("tic-tac-toe")
    level, ended = {game.initial(): 1}, []
    for _ in range(9):
        below: dict[Any, int] = {}
        for state, ways in level.items():
            for action in game.actions(state):
                child = game.result(state, action)
                below[child] = below.get(child, 0) + ways
        ended.append(sum(ways for state, ways in below.items() if game.is_terminal(state)))
        level = {state: ways for state, ways in below.items() if not game.is_terminal(state)}
    return ended[4:]


def _goofspiel() -> list[int]:
    return [lines("goofspiel", 2 * cards - 1, cards=cards, prizes="random") for cards in (1, 2, 3)]


def _opening_plays() -> int:
    """The plays of all 21 rolls from the start, by the positions they lead to."""
    from plies.games.backgammon import Backgammon
    from plies.games.backgammon_board import State

    game = Backgammon()
    start = game.initial()
    total = 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            state = State(start.mine, start.theirs, 0, 10 * high + low)
            total += len({game.result(state, action) for action in game.actions(state)})
    return total


ENTRIES = (
    Entry(
        "tic-tac-toe-games",
        "Tic-Tac-Toe, games by their number of plies, from 5 to 9, in all 255,168",
        "Bottomley",
        2001,
        "How many Tic-Tac-Toe (noughts and crosses) games are possible?",
        [1440, 5328, 47952, 72576, 127872],
        1,
        _games_by_length,
    ),
    Entry(
        "chess-perft-depth-5",
        "chess, move sequences of 5 plies",
        "Edwards",
        1999,
        "OEIS A048987",
        4_865_609,
        4,
        partial(lines, "chess", 5),
    ),
    Entry(
        "chess-perft-depth-6",
        "chess, move sequences of 6 plies",
        "Edwards",
        1999,
        "OEIS A048987",
        119_060_324,
        4,
        partial(lines, "chess", 6),
    ),
    _chess(2, 4, 4_085_603, 0.2, KIWIPETE),
    _chess(2, 5, 193_690_690, 6, KIWIPETE),
    _chess(3, 6, 11_030_083, 0.5, PINS),
    _chess(3, 7, 178_633_661, 6, PINS),
    _chess(4, 5, 15_833_292, 0.5, PROMOTIONS),
    _chess(5, 5, 89_941_194, 3, CASTLING),
    _chess(6, 5, 164_075_551, 5, MIDDLE),
    Entry(
        "checkers-perft-depth-10",
        "checkers, move sequences of 10 plies",
        "Bik",
        2009,
        "Perft for Checkers, aartbik.com",
        18_391_564,
        2,
        partial(lines, "checkers", 10),
    ),
    Entry(
        "checkers-perft-depth-11",
        "checkers, move sequences of 11 plies",
        "Bik",
        2009,
        "Perft for Checkers, aartbik.com",
        85_242_128,
        4,
        partial(lines, "checkers", 11),
    ),
    Entry(
        "othello-perft-depth-9",
        "Othello, move sequences of 9 plies",
        "Bik",
        2009,
        "Perft for Reversi, aartbik.com",
        3_005_288,
        1,
        partial(lines, "othello", 9),
    ),
    _openspiel("connect-four", "connect-four", "Connect Four", [7, 49, 343, 2401, 16807, 117649, 823536], 1),
    _openspiel("kalah", "kalah", "Kalah(6,4)", [6, 35, 185, 942, 4690, 23233], 1),
    _openspiel("awari", "awari", "Awari", [6, 36, 190, 1014, 5219, 27332], 1),
    _openspiel("go-3x3", "go", "Go 3x3", [10, 91, 738, 5281, 33384], 2, size=3),
    _openspiel(
        "nim-1-3-5-7",
        "nim",
        "Nim with heaps of 1, 3, 5 and 7",
        [16, 206, 2116, 17338, 113912],
        1,
        heaps=(1, 3, 5, 7),
        misere=True,
    ),
    _openspiel("quoridor", "quoridor", "Quoridor", [131, 16677], 3),
    _openspiel("quoridor-5x5", "quoridor", "Quoridor 5x5", [35, 1109, 31540], 3, size=5),
    _openspiel("quoridor-3x3", "quoridor", "Quoridor 3x3", [11, 77, 316, 1172], 3, size=3),
    Entry(
        "goofspiel-games",
        "Goofspiel with 1, 2 and 3 cards, games: the cube of a factorial",
        "Rhoads & Bartholdi",
        2012,
        "Computer Solution to the Game of Pure Strategy, Games 3",
        [1, 8, 216],
        1,
        _goofspiel,
    ),
    Entry(
        "backgammon-opening-plays",
        "backgammon, distinct plays of the 21 rolls from the start",
        "GNU Backgammon",
        2026,
        "counted with its Python package, gnubg",
        447,
        1,
        _opening_plays,
    ),
)
