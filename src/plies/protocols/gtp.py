"""GTP, the Go Text Protocol (version 2, Farnebäck 2002), for games in which a move is a point of a board."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from plies.errors import IllegalMove, PliesError
from plies.game import Action, Game
from plies.history import History
from plies.protocols.connection import Connection
from plies.protocols.moves import GTP_COLUMNS, checked_points, parse_vertex, vertex
from plies.protocols.options import checked_level, remade, version_number
from plies.protocols.thinking import Request, Thinker

if TYPE_CHECKING:
    from plies.engine.time_manager import Clock

SECONDS = 1.0
"""The time for a move where the client sets none. Not tuned."""

COMMANDS = (
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit"),
    *("boardsize", "clear_board", "komi", "play", "genmove", "reg_genmove", "undo", "showboard"),
    *("fixed_handicap", "time_settings", "time_left", "final_score", "loadsgf"),
)
"""The commands that are known."""

COLOURS = ({"b", "black"}, {"w", "white"})

MOST_HANDICAP = 9
"""The most stones of a fixed handicap."""


class Refused(PliesError):
    """A command that fails, in the words of the specification."""


class Engine:
    """An engine that speaks GTP on a connection."""

    def __init__(
        self, game: Game, connection: Connection, seconds: float = SECONDS, level: int | None = None
    ) -> None:
        self.game, self.connection, self.seconds = game, connection, seconds
        self.points = checked_points(game)
        self.thinker = Thinker(game, level=checked_level(game, level))
        self.history = History(game)
        self.groups: list[int] = []
        """The actions of each move played: two, where the opponent's pass was left out."""
        self.settings: tuple[float, float, int] | None = None
        """The main time, the byo-yomi time and its stones."""
        self.left: dict[int, tuple[float, int]] = {}
        """The time left to each player, and the stones to play in it."""

    def run(self, first: str) -> None:
        """Obey a first line and all others, until `quit` or the end of the input."""
        if self.obey(first):
            for line in self.connection.lines():
                if not self.obey(line):
                    break

    def obey(self, line: str) -> bool:
        """Obey a line, and answer; False if it ends the engine."""
        from plies.engine.root import blamed  # not before it is needed

        text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0]).replace("\t", " ")
        words = text.split()
        if not words:
            return True
        number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
        try:
            with blamed(self.game, None):
                answer = self._answer(words)
        except PliesError as error:
            self._reply("?", number, str(error))
            return True
        self._reply("=", number, answer)
        return words != ["quit"]

    def _reply(self, sign: str, number: str, text: str) -> None:
        lines = [line for line in text.splitlines() if line.strip()]  # an empty line ends an answer
        first = [] if text.startswith("\n") else lines[:1]
        head = " ".join([f"{sign}{number}", *first])
        self.connection.send(head, *lines[len(first) :], "")

    def _answer(self, words: list[str]) -> str:
        if not words or words[0] not in COMMANDS:
            raise Refused("unknown command")
        method: Callable[..., str] = getattr(self, f"_{words[0]}")
        given = len(words) - 1
        wanted = inspect.signature(method).parameters.values()
        least = sum(one.default is one.empty for one in wanted)
        if not least <= given <= len(wanted):
            raise Refused("syntax error")
        return method(*words[1:])

    # -- Administration.

    def _protocol_version(self) -> str:
        return "2"

    def _name(self) -> str:
        return "Plies"

    def _version(self) -> str:
        return version_number()

    def _known_command(self, name: str) -> str:
        return "true" if name in COMMANDS else "false"

    def _list_commands(self) -> str:
        return "\n".join(COMMANDS)

    def _quit(self) -> str:
        return ""

    # -- The board.

    def _boardsize(self, size: str) -> str:
        wanted, game = _whole(size), self.game
        rows = {str(row + 1) for row in range(wanted)} if wanted <= len(GTP_COLUMNS) else set()
        try:
            if "size" in inspect.signature(type(game)).parameters:
                game = remade(game, size=wanted)
            fits = {point[1:] for point in checked_points(game).values()} == rows
        except PliesError:
            fits = False
        if not fits:
            raise Refused("unacceptable size")
        if repr(game) != repr(self.game):
            self._replace(game, [])
        return self._clear_board()

    def _clear_board(self) -> str:
        self.history, self.groups = History(self.game), []
        self.left.clear()
        self.thinker.clear()
        return ""

    def _komi(self, komi: str) -> str:
        wanted = _number(komi)
        if "komi" in inspect.signature(type(self.game)).parameters and wanted != getattr(
            self.game, "komi", None
        ):
            self._replace(remade(self.game, komi=wanted), self.history.actions)
        return ""

    def _replace(self, game: Game, actions: list[Action]) -> None:
        """Go on with a game of other parameters, after the same actions."""
        history = History(game)
        for action in actions:
            history.play(action)
        self.game, self.points = game, checked_points(game)
        self.history, self.groups = history, self.groups if actions else []
        self.thinker = Thinker(game, level=self.thinker.level)

    def _fixed_handicap(self, count: str) -> str:
        placed = fixed_handicap(self.points, _whole(count))
        if self.history.actions:
            raise Refused("board not empty")
        if not placed or not self._can_pass():
            raise Refused("invalid number of stones")
        for point in placed:
            self._play("b", point)
        return " ".join(placed)

    def _can_pass(self) -> bool:
        history = self.history
        return any(not history.game.move_squares(history.state, action) for action in history.legal())

    def _play(self, colour: str, point: str) -> str:
        player = _player(colour)
        try:
            passed = self._turn_to(player)
            try:
                history = self.history
                history.play(parse_vertex(history.game, history.state, point))
            except PliesError:
                if passed:
                    self.history.undo()
                raise
        except PliesError:
            raise Refused("illegal move") from None
        self.groups.append(1 + passed)
        return ""

    def _turn_to(self, player: int) -> int:
        """Make it a player's turn, by the opponent's pass if need be; the number of passes."""
        history = self.history
        if history.over:
            raise IllegalMove("the game is over")
        if history.game.to_move(history.state) == player:
            return 0
        history.play(parse_vertex(history.game, history.state, "pass"))
        if history.over or history.game.to_move(history.state) != player:
            history.undo()
            raise IllegalMove("it is the opponent's turn")
        return 1

    def _undo(self) -> str:
        if not self.groups:
            raise Refused("cannot undo")
        for _ in range(self.groups.pop()):
            self.history.undo()
        self.history.clear()
        return ""

    def _showboard(self) -> str:
        return "\n" + self.game.text(self.history.state)

    def _loadsgf(self, name: str, number: str = "") -> str:
        from plies import records

        try:
            path = Path(name)
            if not path.is_file() or path.stat().st_size > records.LARGEST:  # a device may have no end
                raise Refused("cannot load file")
            record = records.read(path.read_text(encoding="utf-8", errors="replace"), self.game)
            if record.game != self.game.name:
                raise Refused("cannot load file")
            game = remade(self.game, **record.parameters)
            moves = record.moves if not number else record.moves[: max(0, _whole(number) - 1)]
            history = records.replay(game, record.position, moves)
        except (OSError, ValueError, PliesError):
            raise Refused("cannot load file") from None
        self._replace(game, [])
        self.history, self.groups = history, [1] * len(history.actions)
        return ""

    # -- Moves.

    def _genmove(self, colour: str) -> str:
        return self._generate(colour, keep=True)

    def _reg_genmove(self, colour: str) -> str:
        return self._generate(colour, keep=False)

    def _generate(self, colour: str, keep: bool) -> str:
        """Search for a player's move and, to keep it, play it."""
        player = _player(colour)
        if self.history.over:
            return "pass"
        try:
            passed = self._turn_to(player)
        except PliesError:
            raise Refused("illegal move: it is the opponent's turn") from None
        history = self.history
        try:
            action = self._chosen(player)
            text = vertex(history.game, history.state, action)
        except PliesError:
            if passed:
                history.undo()
            raise
        if keep:
            history.play(action)
            self.groups.append(1 + passed)
        elif passed:
            history.undo()
        return text

    def _chosen(self, player: int) -> Action:
        """The action that the engine finds best."""
        clock = self._clock(player)
        request = Request(clock=clock, seconds=None if clock else self.seconds)
        thought = self.thinker.begin(self.history, request)
        found = thought.run()
        return thought.legal[0] if found is None else found.action

    # -- Time.

    def _time_settings(self, main: str, period: str, stones: str) -> str:
        main_time, period_time, count = _number(main), _number(period), _whole(stones)
        if main_time < 0 or period_time < 0:
            raise Refused("syntax error")
        unlimited = period_time > 0 and count == 0  # as the specification says
        self.settings = None if unlimited else (main_time, period_time, count)
        self.left.clear()
        return ""

    def _time_left(self, colour: str, seconds: str, stones: str) -> str:
        self.left[_player(colour)] = (max(0.0, _number(seconds)), _whole(stones))
        return ""

    def _clock(self, player: int) -> Clock | None:
        """A player's clock; None if there is none."""
        from plies.engine.time_manager import Clock

        if player in self.left:
            seconds, stones = self.left[player]
            return Clock(seconds, moves_to_go=stones or None)
        if self.settings is None:
            return None
        main, period, stones = self.settings
        if main:
            return Clock(main)
        return Clock(period, moves_to_go=stones) if period else None

    # -- The score.

    def _final_score(self) -> str:
        game, history = self.game, self.history
        if "margin" in inspect.signature(type(game)).parameters:  # counted in points, at any time
            lead = remade(game, margin=True).utility(history.state, 0)
        elif history.over:
            lead = history.utility(0) - game.draw_value
        else:
            raise Refused("cannot score")
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"


def _player(colour: str) -> int:
    for player, words in enumerate(COLOURS):
        if colour.lower() in words:
            return player
    raise Refused("syntax error")


def _whole(word: str) -> int:
    if word.isascii() and word.isdigit() and len(word) < 10:
        return int(word)
    raise Refused("syntax error")


def _number(word: str) -> float:
    if re.fullmatch(r"[-+]?[0-9]{1,9}(\.[0-9]{0,9})?", word):
        return float(word)
    raise Refused("syntax error")


def fixed_handicap(points: dict[str, str], count: int) -> list[str]:
    """The points of a fixed handicap on a board, as the specification has them; none if there is none."""
    size = round(len(points) ** 0.5)
    most = MOST_HANDICAP if size % 2 and size >= 9 else 4
    if size * size != len(points) or size < 7 or not 2 <= count <= most:
        return []
    edge = 3 if size > 12 else 2
    low, high, middle = edge, size - 1 - edge, size // 2
    places = [(low, low), (high, high), (low, high), (high, low)][:count]
    places += [(low, middle), (high, middle)] if count >= 6 else []
    places += [(middle, low), (middle, high)] if count >= 8 else []
    places += [(middle, middle)] if count % 2 and count >= 5 else []
    letters = sorted({point[0] for point in points.values()})
    return [f"{letters[column]}{row + 1}" for column, row in places]
