"""Chess between Plies and python-chess: its boards and games, in and out, with the moves that led there.

Needs the package `chess`, which python-chess is called on PyPI.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from plies.errors import BadPosition, PliesError
from plies.games.chess import Chess
from plies.games.chess_board import State
from plies.history import History

if TYPE_CHECKING:
    import chess
    import chess.pgn


def from_board(board: chess.Board) -> History:
    """The game of a board: its current position, and all those before it by the board's move stack.

    `plies.search(history.game, history.state, previous=history.previous)` searches it.
    """
    _refuse_variants(board)
    return _replayed(board.root(), board.move_stack)


def to_board(history: History) -> chess.Board:
    """The board of a game, with its moves on the stack."""
    library = _library()
    board = library.Board(_chess(history).position(history.states[0]))
    for state, action in zip(history.states, history.actions, strict=False):
        board.push_uci(history.game.uci(state, action))
    return board  # type: ignore[no-any-return]


def from_game(game: chess.pgn.GameNode) -> History:
    """The main line of a game of python-chess, to its end."""
    board = game.game().board()
    _refuse_variants(board)
    return _replayed(board, list(game.game().mainline_moves()))


def to_game(history: History) -> chess.pgn.Game:
    """A game as python-chess has it, with its result if it is over."""
    _library()
    import chess.pgn

    game = chess.pgn.Game.from_board(to_board(history))
    if history.over:
        lead = history.utility(0)
        game.headers["Result"] = "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2"
    return game


def _replayed(board: chess.Board, moves: Sequence[chess.Move]) -> History:
    """The game that begins on a board and goes on with these moves."""
    game = Chess()
    history = History(game, _state(game, board))
    for move in moves:
        history.play(game.parse_action(history.state, move.uci()))
    return history


def _state(game: Chess, board: chess.Board) -> State:
    """The state of a board."""
    if not board.is_valid():
        raise BadPosition(f"{board.fen()!r} is not a position of a game: {board.status()!r}")
    return game.parse_position(board.fen())


def _refuse_variants(board: chess.Board) -> None:
    if board.uci_variant != "chess" or board.chess960:
        name = "Chess960" if board.chess960 else board.uci_variant
        raise BadPosition(f"only standard chess can be read, not {name}")


def _chess(history: History) -> Chess:
    if not isinstance(history.game, Chess):
        raise PliesError(f"python-chess plays chess, not {history.game.name}")
    return history.game


def _library() -> Any:
    """The package of python-chess, or an error that says how to get it."""
    try:
        import chess
    except ImportError:
        raise PliesError("boards and games of python-chess need it: pip install chess") from None
    return chess
