"""A program that speaks GTP, asked for moves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from plies.engine.limit import Limit
from plies.engine.time_manager import Clock
from plies.errors import Forfeit, IllegalMove, PliesError
from plies.game import Action, Game, State
from plies.history import History
from plies.protocols.moves import PASS, RESIGN, checked_points, parse_vertex
from plies.protocols.process import Program, printable

ANSWERING = 60.0
"""The seconds that a program has for a command other than to think of a move. Not tuned."""

MOST_LINES, LONGEST_LINE = 1_000, 200
"""The most lines of an answer that are read, and the most characters of each. Not tuned."""

COLOURS = "black", "white"


class GtpClient:
    """A running program, and the moves it was told."""

    def __init__(self, command: Sequence[str]) -> None:
        self.program = Program(command)
        self._told: list[tuple[int, str]] = []
        self._points: dict[str, str] = {}
        self._timed: tuple[int, int, int] | None = None
        try:
            self._commands = set(self._ask("list_commands").split())
        except Forfeit as error:
            self.program.end()
            raise Forfeit(f"{self.program.name} does not speak GTP, or not now: {error}") from None
        except BaseException:
            self.program.end()
            raise

    def _ask(self, command: str, patience: float | None = None) -> str:
        """The answer to a command; a program that refuses it forfeits."""
        lines: list[str] = []

        def read(line: str) -> str | None:
            if lines or line.startswith(("=", "?")):
                if line and len(lines) < MOST_LINES:
                    lines.append(line[:LONGEST_LINE])
                elif not line:
                    return "\n".join(lines)
            return None

        self.program.discard()  # a second answer to the command before, say
        self.program.send(command)
        answer = self.program.answer(ANSWERING if patience is None else patience, read)
        if answer.startswith("?"):
            said = printable(answer[1:].strip())
            raise Forfeit(f"{self.program.name} refuses {printable(command, 40)!r}: {said}")
        return answer[1:].strip()

    def new_game(self, game: Game) -> None:
        """Begin another game, on a board of its size."""
        self._points = checked_points(game)
        self._ask(f"boardsize {len({name[0] for name in self._points.values()})}")
        self._ask("clear_board")
        if hasattr(game, "komi"):
            self._ask(f"komi {game.komi:g}")
        self._told, self._timed = [], None

    def choose(
        self, history: History, limit: Limit, clocks: Sequence[Clock] | None, patience: float
    ) -> Action:
        """The program's move, if it comes within `patience` seconds."""
        game, state = history.game, history.state
        self._follow(history)
        self._set_time(limit, clocks)
        mover = game.to_move(state)
        move = self._ask(f"genmove {COLOURS[mover]}", patience)
        if move.lower() == RESIGN:
            raise Forfeit(f"{self.program.name} resigned")
        try:
            action = parse_vertex(game, state, move)
        except IllegalMove:
            raise Forfeit(f"{self.program.name} played the illegal move {printable(move, 20)!r}") from None
        self._told.append((mover, self._vertex(history, state, action)))
        return action

    def _follow(self, history: History) -> None:
        """Tell the program the moves that it does not know, from the start if it knows others."""
        game = history.game
        moves = _stones(history, self._points)
        for state, action in zip(history.states, history.actions, strict=False):
            moves.append((game.to_move(state), self._vertex(history, state, action)))
        if moves[: len(self._told)] != self._told:
            self.new_game(game)
        for colour, move in moves[len(self._told) :]:
            self._ask(f"play {COLOURS[colour]} {move}")
        self._told = moves

    def _vertex(self, history: History, state: State, action: Action) -> str:
        squares = history.game.move_squares(state, action)
        return self._points[squares[0]] if squares else PASS

    def _set_time(self, limit: Limit, clocks: Sequence[Clock] | None) -> None:
        """Tell the program its time, in the whole seconds of GTP, if it knows about time."""
        if clocks is not None:
            settings = max(1, math.floor(clocks[0].remaining)), 0, 0
            if self._timed is None and "time_settings" in self._commands:
                self._ask("time_settings {} {} {}".format(*settings))
                self._timed = settings
            if "time_left" in self._commands:
                for colour, clock in zip(COLOURS, clocks, strict=True):
                    left = max(1, math.floor(clock.remaining))
                    self._ask(f"time_left {colour} {left} {clock.moves_to_go or 0}")
        elif limit.time is not None and "time_settings" in self._commands:
            settings = 0, round(limit.time), 1  # so many seconds for each move
            if self._timed != settings:
                self._ask("time_settings {} {} {}".format(*settings))
                self._timed = settings

    def stop(self) -> None:
        """GTP has no word for it."""

    def end(self) -> None:
        """End the program."""
        self.program.end("quit")


def _stones(history: History, points: Mapping[str, str]) -> list[tuple[int, str]]:
    """The stones on the board where a game began, as moves: they may be played in any order.

    A game that begins with stones on the board cannot begin anywhere else.
    """
    game, state = history.game, history.states[0]
    if state == game.initial():
        return []
    scene, empty = game.scene(state), game.scene(game.initial())
    assert scene is not None, "its cells are the points"
    assert empty is not None, "its cells are the points"
    if empty.pieces:
        raise PliesError(f"GTP has no position strings, so {game.name} has to be played from its start")
    cells = {(cell.x, cell.y): cell.name for cell in scene.cells}
    stones = [(piece.player, points[cells[piece.x, piece.y]]) for piece in scene.pieces]
    return [(player, point) for player, point in stones if player is not None]
