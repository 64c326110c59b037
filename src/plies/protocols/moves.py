"""Moves and positions as programs write them to each other, in UCI, UGI and GTP."""

from __future__ import annotations

import re

from plies.errors import BadPosition, IllegalMove, Unsuitable
from plies.game import Action, Game, State
from plies.history import History
from plies.needs import Needs
from plies.validation import capped

SERVED = Needs(players=2, deterministic=True)
"""The games that UCI and UGI serve: two players who move in turn, without dice."""

NULL_MOVE = "0000"
"""What UCI calls a null move: the move of a player who has none."""

PASS, RESIGN = "pass", "resign"

GTP_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The letters of columns in GTP: I is left out."""

LONGEST_QUOTE = 40
"""The most characters of a bad line that an error quotes. Not tuned."""


def move_text(game: Game, state: State, action: Action) -> str:
    """An action as UCI and UGI write it: the game's `uci`, without spaces."""
    return "".join(game.uci(state, action).split())


def parse_move(game: Game, state: State, text: str) -> Action:
    """The legal action that a text denotes, as `move_text` writes it or as people do."""
    text = text.strip()
    if game.is_terminal(state):
        raise IllegalMove(f"{_quoted(text)} cannot be played: the game is over")
    for action in capped(game, state, game.actions(state)):
        if move_text(game, state, action) == text:
            return action
    return game.parse_action(state, text)


# -- GTP.


def points(game: Game) -> dict[str, str]:
    """The points of a board in GTP ("D4") by their names in the game ("d4"); none if moves are not points.

    Games such as go have them: every cell has a letter and a number, and a move is one cell, or a pass.
    """
    start = game.initial()
    scene = game.scene(start)
    if scene is None or game.is_terminal(start):
        return {}
    named = {cell.name: re.fullmatch("([A-Za-z])([1-9][0-9]?)", cell.name) for cell in scene.cells}
    columns = sorted({match[1].upper() for match in named.values() if match})
    rows = {match[2] for match in named.values() if match}
    if not all(named.values()) or not 1 < len(columns) <= len(GTP_COLUMNS) or len(rows) < 2:
        return {}
    letters = dict(zip(columns, GTP_COLUMNS, strict=False))
    found = {name: letters[match[1].upper()] + match[2] for name, match in named.items() if match}
    moves = [tuple(game.move_squares(start, action)) for action in game.actions(start)]
    single = all(len(squares) <= 1 and set(squares) <= found.keys() for squares in moves)
    return found if single and len(moves) == len(set(moves)) and any(moves) else {}


def checked_points(game: Game) -> dict[str, str]:
    """The points of a board in GTP, or an error."""
    SERVED.check(game, "GTP")
    if found := points(game):
        return found
    raise Unsuitable(f"GTP is for games in which a move is a point of the board; {game.name} is not one")


def vertex(game: Game, state: State, action: Action) -> str:
    """An action as GTP writes it: "D4", without a column I, or "pass"."""
    named, squares = checked_points(game), tuple(game.move_squares(state, action))
    if len(squares) > 1 or not named.keys() >= {*squares}:
        raise Unsuitable(
            f"{game.described(state, action)} is not a point of the board, which GTP could write"
        )
    return named[squares[0]] if squares else PASS


def parse_vertex(game: Game, state: State, text: str) -> Action:
    """The legal action that a vertex denotes; capitals or not."""
    named = {there: here for here, there in checked_points(game).items()}
    text = text.strip()
    if text.lower() != PASS and text.upper() not in named:
        raise IllegalMove(f"{_quoted(text)} is not a vertex of this board")
    wanted = () if text.lower() == PASS else (named[text.upper()],)
    for action in capped(game, state, game.actions(state)):
        if tuple(game.move_squares(state, action)) == wanted:
            return action
    raise IllegalMove(f"{_quoted(text)} is not a legal move")


# -- Positions.


def position_text(history: History) -> str:
    """A game so far as the arguments of UCI's `position`: where it began, and the moves since.

    Without position strings of its own a game has to begin at its initial state.
    """
    game, state = history.game, history.states[0]
    words = ["startpos"] if state == game.initial() else ["fen", game.position(state)]
    if history.actions:
        words.append("moves")
    for state, action in zip(history.states, history.actions, strict=False):
        words.append(move_text(game, state, action))
    return " ".join(words)


def parse_position_text(game: Game, text: str) -> History:
    """The game that the arguments of UCI's `position` denote, each move checked."""
    played = Played(game)
    played.move_to(text)
    return played.history


class Played:
    """A game that follows `position` commands: if one only adds moves, only these are played."""

    def __init__(self, game: Game) -> None:
        self.history = History(game)
        self._start = "startpos"
        self._moves: list[str] = []

    def move_to(self, text: str) -> None:
        """Play the game that the arguments of `position` denote; after an error this is of no use."""
        from plies.engine.root import blamed  # not before it is needed: `uciok` comes first

        before, _, after = f" {text.strip()} ".partition(" moves ")
        start, moves = " ".join(before.split()), after.split()
        kind, _, position = start.partition(" ")
        if kind not in ("startpos", "fen") or (kind == "startpos") == bool(position):
            raise BadPosition(f"a position is startpos, or fen and a position string, not {_quoted(text)}")
        if start != self._start or moves[: len(self._moves)] != self._moves:
            game = self.history.game
            with blamed(game, None):
                self.history = History(game, game.parse_position(position) if position else None)
            self._start, self._moves = start, []
        game = self.history.game
        for move in moves[len(self._moves) :]:
            with blamed(game, self.history.state):
                self.history = played_on(self.history)
                self.history.play(parse_move(game, self.history.state, move))
        self._moves = moves


def played_on(history: History) -> History:
    """A game that goes on although a repetition has ended it: what went before is forgotten.

    Many clients leave it to the players to claim a draw by repetition.
    """
    game = history.game
    if game.superko or not history.reason:
        return history
    return History(game, history.state)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…")
