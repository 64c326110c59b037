"""Plies: games as search problems. Write the rules once; watch them searched, and play them compiled.

    >>> import plies
    >>> game = plies.TicTacToe()            # or plies.game("chess"); plies.game_names() lists them
    >>> state = game.parse_position("1 5 2")
    >>> print(game.text(state))
     X | X | 3
    ---+---+---
     4 | O | 6
    ---+---+---
     7 | 8 | 9
    >>> found = plies.search(game, state)   # for a second, unless you give time=, depth= or nodes=
    >>> found.action, str(found.value), found.value.proved
    (3, 'draw', True)

A game of your own is a subclass of `plies.Game` with six rules: initial, to_move, actions, result,
is_terminal and utility. A state is an immutable value.

    check_game(game)                   do the rules hold together, and do they compile?
    search(game, state, time=1)        the best action and its value; analyse() yields results as they come
    solve(game, state)                 the exact value, proved
    make_database(game)                the value of every state, by retrograde analysis
    make_opening_book(game, 4)         the values of the first positions, proved one by one
    trace(game, algorithm="minimax")   every step of an algorithm of the book, as text and as a picture
    match(game, "engine:0.1", "mcts")  who is stronger, and by how much?
    compare(game, state, depth=4)      several algorithms on one position
    explain_evaluation(game, state)    EVAL by feature, weight and share; judge_evaluation(): is it any good?
    matrix_game([[1, -1], [-1, 1]])    its value and optimal mixed strategies
    draw.board(game, state)            a picture, as SVG
    ALGORITHMS                         the algorithms by name, and the games each one serves

In a shell, `plies --help`; on a page in a browser, `plies serve`. Errors are subclasses of `PliesError`.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from plies.errors import (
    BadParameter,
    BadPosition,
    BrokenRule,
    Forfeit,
    IllegalMove,
    NotCompilable,
    PliesError,
    PliesWarning,
    UnknownGame,
    Unsuitable,
)
from plies.game import CHANCE, SIMULTANEOUS, Game
from plies.registry import game, game_names

if TYPE_CHECKING:
    from plies import book, draw, learn, notebook, pathology
    from plies.arena.match import match
    from plies.arena.result import Match
    from plies.arena.tally import tally
    from plies.arena.tournament import Tournament, tournament
    from plies.book import rollout_evaluation, trace
    from plies.book.verify import verify
    from plies.check import check_game
    from plies.comparison import Comparison, compare
    from plies.engine import (
        AlphaBeta,
        Expectiminimax,
        Limit,
        MaxN,
        MctsOptions,
        MonteCarlo,
        Options,
        SearchResult,
    )
    from plies.engine.algorithms import ALGORITHMS, engine_for
    from plies.engine.opening_book_maker import make_opening_book
    from plies.engine.perft import perft
    from plies.engine.proof_number import ProofNumberSearch
    from plies.engine.search import analyse, search
    from plies.engine.solution import Solution
    from plies.engine.solve import Solver, solve
    from plies.engine.strategy import Strategy
    from plies.engine.value import Value
    from plies.evaluation import explain_evaluation, judge_evaluation
    from plies.games.awari import Awari
    from plies.games.backgammon import Backgammon
    from plies.games.checkers import Checkers
    from plies.games.chess import Chess
    from plies.games.connect_four import ConnectFour
    from plies.games.go import Go
    from plies.games.gomoku import Gomoku
    from plies.games.goofspiel import Goofspiel
    from plies.games.kalah import Kalah
    from plies.games.nim import Nim
    from plies.games.othello import Othello
    from plies.games.pacman import Pacman
    from plies.games.peg_solitaire import PegSolitaire
    from plies.games.pig import Pig
    from plies.games.pirates import Pirates
    from plies.games.qubic import Qubic
    from plies.games.quoridor import Quoridor
    from plies.games.renju import Renju
    from plies.games.sum_to_two import SumToTwo
    from plies.games.tic_tac_toe import TicTacToe
    from plies.games.tree import Tree
    from plies.history import History
    from plies.levels import Level, Levels, levels_of
    from plies.matrix import MatrixGame, matrix_game
    from plies.models import Modelled
    from plies.network import Network, load_network
    from plies.opening_book.book import OpeningBook
    from plies.opening_book.folder import save_opening_book
    from plies.record_format import RecordFormat
    from plies.refinements_file import tuned
    from plies.retrograde.database import Database
    from plies.retrograde.folder import open_database, save_database
    from plies.retrograde.make import make_database
    from plies.retrograde.value_iteration import ExpectedValues, value_iteration
    from plies.retrograde.verify import verify_database
    from plies.work.run import Where
    from plies.wrapper import Folded, Paranoid, WithUtility, Wrapper

# Where each name that is loaded on first use lives: `import plies` stays quick, and without Numba.
_LAZY = {
    "Awari": "plies.games.awari",
    "Backgammon": "plies.games.backgammon",
    "Checkers": "plies.games.checkers",
    "Chess": "plies.games.chess",
    "Comparison": "plies.comparison",
    "ConnectFour": "plies.games.connect_four",
    "AlphaBeta": "plies.engine",
    "Database": "plies.retrograde.database",
    "ExpectedValues": "plies.retrograde.value_iteration",
    "Expectiminimax": "plies.engine",
    "Folded": "plies.wrapper",
    "SearchResult": "plies.engine",
    "Go": "plies.games.go",
    "Gomoku": "plies.games.gomoku",
    "Goofspiel": "plies.games.goofspiel",
    "History": "plies.history",
    "Kalah": "plies.games.kalah",
    "Level": "plies.levels",
    "Levels": "plies.levels",
    "Limit": "plies.engine",
    "Match": "plies.arena",
    "MatrixGame": "plies.matrix",
    "MaxN": "plies.engine",
    "Modelled": "plies.models",
    "MonteCarlo": "plies.engine",
    "Network": "plies.network",
    "Nim": "plies.games.nim",
    "OpeningBook": "plies.opening_book.book",
    "Options": "plies.engine",
    "Othello": "plies.games.othello",
    "Pacman": "plies.games.pacman",
    "Paranoid": "plies.wrapper",
    "PegSolitaire": "plies.games.peg_solitaire",
    "Pig": "plies.games.pig",
    "Pirates": "plies.games.pirates",
    "ProofNumberSearch": "plies.engine.proof_number",
    "Qubic": "plies.games.qubic",
    "Quoridor": "plies.games.quoridor",
    "RecordFormat": "plies.record_format",
    "Renju": "plies.games.renju",
    "MctsOptions": "plies.engine",
    "Solution": "plies.engine.solution",
    "Solver": "plies.engine.solve",
    "Strategy": "plies.engine.strategy",
    "SumToTwo": "plies.games.sum_to_two",
    "TicTacToe": "plies.games.tic_tac_toe",
    "Tournament": "plies.arena.tournament",
    "Tree": "plies.games.tree",
    "Value": "plies.engine",
    "Where": "plies.work.run",
    "WithUtility": "plies.wrapper",
    "Wrapper": "plies.wrapper",
    "ALGORITHMS": "plies.engine",
    "analyse": "plies.engine.search",
    "book": "plies",
    "check_game": "plies.check",
    "compare": "plies.comparison",
    "draw": "plies",
    "engine_for": "plies.engine",
    "explain_evaluation": "plies.evaluation",
    "judge_evaluation": "plies.evaluation",
    "learn": "plies",
    "levels_of": "plies.levels",
    "load_network": "plies.network",
    "make_database": "plies.retrograde.make",
    "make_opening_book": "plies.engine.opening_book_maker",
    "match": "plies.arena",
    "matrix_game": "plies.matrix",
    "notebook": "plies",
    "open_database": "plies.retrograde.folder",
    "pathology": "plies",
    "perft": "plies.engine.perft",
    "rollout_evaluation": "plies.book",
    "save_database": "plies.retrograde.folder",
    "save_opening_book": "plies.opening_book.folder",
    "search": "plies.engine.search",
    "solve": "plies.engine.solve",
    "tally": "plies.arena",
    "tournament": "plies.arena.tournament",
    "tuned": "plies.refinements_file",
    "value_iteration": "plies.retrograde.value_iteration",
    "trace": "plies.book",
    "verify": "plies.book.verify",
    "verify_database": "plies.retrograde.verify",
}

__all__ = [
    "ALGORITHMS",
    "CHANCE",
    "SIMULTANEOUS",
    "AlphaBeta",
    "Awari",
    "Backgammon",
    "BadParameter",
    "BadPosition",
    "BrokenRule",
    "Checkers",
    "Chess",
    "Comparison",
    "ConnectFour",
    "Database",
    "ExpectedValues",
    "Expectiminimax",
    "Folded",
    "Forfeit",
    "Game",
    "Go",
    "Gomoku",
    "Goofspiel",
    "History",
    "IllegalMove",
    "Kalah",
    "Level",
    "Levels",
    "Limit",
    "Match",
    "MatrixGame",
    "MaxN",
    "MctsOptions",
    "Modelled",
    "MonteCarlo",
    "Network",
    "Nim",
    "NotCompilable",
    "OpeningBook",
    "Options",
    "Othello",
    "Pacman",
    "Paranoid",
    "PegSolitaire",
    "Pig",
    "Pirates",
    "PliesError",
    "PliesWarning",
    "ProofNumberSearch",
    "Qubic",
    "Quoridor",
    "RecordFormat",
    "Renju",
    "SearchResult",
    "Solution",
    "Solver",
    "Strategy",
    "SumToTwo",
    "TicTacToe",
    "Tournament",
    "Tree",
    "UnknownGame",
    "Unsuitable",
    "Value",
    "Where",
    "WithUtility",
    "Wrapper",
    "analyse",
    "book",
    "check_game",
    "compare",
    "draw",
    "engine_for",
    "explain_evaluation",
    "game",
    "game_names",
    "judge_evaluation",
    "learn",
    "levels_of",
    "load_network",
    "make_database",
    "make_opening_book",
    "match",
    "matrix_game",
    "notebook",
    "open_database",
    "pathology",
    "perft",
    "rollout_evaluation",
    "save_database",
    "save_opening_book",
    "search",
    "solve",
    "tally",
    "tournament",
    "trace",
    "tuned",
    "value_iteration",
    "verify",
    "verify_database",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'plies' has no attribute {name!r}")
    try:
        module = importlib.import_module(_LAZY[name] if _LAZY[name] != "plies" else f"plies.{name}")
    except ModuleNotFoundError as error:
        if error.name not in ("numba", "numpy"):
            raise
        raise PliesError(
            f"plies.{name} needs NumPy and Numba, and {error.name} is not installed here, such as in a "
            "browser; the book, the pictures and the small games do without"
        ) from None
    return module if _LAZY[name] == "plies" else getattr(module, name)


def __dir__() -> list[str]:
    return __all__


def _show_in_notebook() -> None:
    """Where this is a notebook, let it show positions, searches, traces and matches as pictures."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is not None:
        from plies import notebook

        notebook.register(shell)


_show_in_notebook()
