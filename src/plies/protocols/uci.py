"""UCI, the Universal Chess Interface, and UGI, which is UCI for any game: the engine's side.

UCI: Huber and Meyer-Kahlen 2000, in the description of 2006. UGI: `ugi.md` of the match program cutegames.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from plies.errors import BadParameter, PliesError
from plies.game import Game
from plies.history import History
from plies.protocols.connection import Connection
from plies.protocols.moves import NULL_MOVE, Played, played_on
from plies.protocols.options import Options, version_number
from plies.protocols.thinking import Thinker

if TYPE_CHECKING:
    from plies.protocols.running import Running

UCI, UGI = "uci", "ugi"


class Engine:
    """An engine that speaks UCI, or UGI, on a connection."""

    def __init__(
        self, game: Game, connection: Connection, dialect: str = UCI, level: int | None = None
    ) -> None:
        self.connection, self.dialect = connection, dialect
        self.options = Options(game, level)
        self.thinker = self._new_thinker()
        self.played: Played | None = Played(game)
        self.search: Running | None = None
        self._commands: dict[str, Callable[[list[str]], None]] = {
            UCI: self._introduce,
            UGI: self._introduce,
            "debug": self._ignore,
            "register": self._ignore,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._newgame,
            "uginewgame": self._newgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "query": self._query,
            "d": self._display,
            "eval": self._eval,
            "bench": self._bench,
        }

    def run(self, first: str) -> None:
        """Obey a first line and all others, until `quit` or the end of the input."""
        try:
            if self.obey(first):
                for line in self.connection.lines():
                    if not self.obey(line):
                        break
                else:
                    self._finish()
        finally:
            self.stop()

    def obey(self, line: str) -> bool:
        """Obey a line; False if it ends the engine. Unknown words before a command are ignored."""
        words = line.split()
        known = [place for place, word in enumerate(words) if word == "quit" or word in self._commands]
        if not known:
            if words:
                self.say(f"unknown command: {line.strip()[:80]}")
            return True
        name, *rest = words[known[0] :]
        if name == "quit":
            return False
        try:
            self._commands[name](rest)
        except Exception as error:  # a rule may raise anything
            if self.connection.lost:
                raise
            self.say(self._sentence(error))
        return True

    def _sentence(self, error: Exception) -> str:
        """What went wrong, in a sentence; an error that is not our own is one of the game's rules."""
        from plies.engine.faults import broken

        return str(error if isinstance(error, PliesError) else broken(self.options.game, None, 0, error))

    def say(self, sentence: str) -> None:
        """Tell a person something."""
        self.connection.send(f"info string {' '.join(sentence.split())}")

    def _finish(self) -> None:
        """Let the search go on to its end, if there is one that it comes to by itself."""
        if self.search is not None:
            self.search.finish()
        self.stop()

    def stop(self) -> None:
        """End the search, if there is one, and answer."""
        if self.search is not None:
            self.search.stop()
            self.search = None

    # -- The commands.

    def _ignore(self, words: list[str]) -> None:
        pass

    def _introduce(self, words: list[str]) -> None:
        self.connection.send(
            f"id name Plies {version_number()} ({self.options.game.name})",
            "id author the authors of Plies",
            *self.options.described(),
            f"{self.dialect}ok",
        )

    def _isready(self, words: list[str]) -> None:
        if self.search is None or self.search.answered:
            self.thinker.wait(lambda: self.connection.urgent)
        self.connection.send("readyok")

    def _setoption(self, words: list[str]) -> None:
        name, _, value = " ".join(words).partition(" value ")
        if not name.startswith("name "):
            raise BadParameter("an option is set by: setoption name NAME value VALUE")
        before = self.options.game
        change = self.options.set(name.removeprefix("name ").strip(), value.strip(), self.connection)
        if change == "engine":
            self.stop()
            self.thinker = self._new_thinker()
        elif change == "clear":
            self.thinker.clear()
        if self.options.game is not before:
            self.played = Played(self.options.game)

    def _new_thinker(self) -> Thinker:
        options = self.options
        return Thinker(options.game, options.memory, options.threads, options.level)

    def _newgame(self, words: list[str]) -> None:
        self.stop()
        self.thinker.clear()
        self.played = Played(self.options.game)

    def _position(self, words: list[str]) -> None:
        played, self.played = self.played or Played(self.options.game), None
        played.move_to(" ".join(words))
        self.played = played

    def history(self) -> History:
        """The current game; an error after a position that could not be read."""
        if self.played is None:
            raise PliesError("there is no position: the last one could not be read")
        return self.played.history

    def _go(self, words: list[str]) -> None:
        from plies.protocols.go_command import parse_go
        from plies.protocols.go_search import GoSearch, Style
        from plies.protocols.tools import Perft

        self._finish()
        style = Style(
            no_move=f"bestmove {'(none)' if self.dialect == UCI else NULL_MOVE}",
            ponder=self.dialect == UCI,
            wdl=self.options.wdl,
        )
        try:
            history = played_on(self.history())
            request, perft = parse_go(history, words)
            request = replace(request, lines=self.options.lines)
            if perft is not None:
                self.search = Perft(self.connection, self.say, history, perft)
            else:
                self.search = GoSearch(self.connection, self.say, self.thinker, history, request, style)
        except Exception as error:  # a client that asked for a move waits for an answer
            if self.connection.lost:
                raise
            self.say(self._sentence(error))
            self.connection.send(style.no_move)

    def _stop(self, words: list[str]) -> None:
        self.stop()

    def _ponderhit(self, words: list[str]) -> None:
        if self.search is not None:
            self.search.ponderhit()

    def _query(self, words: list[str]) -> None:
        history, question = self.history(), " ".join(words)
        if question == "gameover":
            answer = str(history.over).lower()
        elif question == "p1turn":
            game, state = history.game, history.state
            answer = str(not game.is_terminal(state) and game.to_move(state) == 0).lower()
        elif question == "result":
            answer = _result(history)
        else:
            raise BadParameter(f"a query is gameover, p1turn or result, not {question[:40]!r}")
        self.connection.send(f"response {answer}")

    def _display(self, words: list[str]) -> None:
        from plies.protocols.tools import display

        self.connection.send(*display(self.history()))

    def _eval(self, words: list[str]) -> None:
        from plies.protocols.tools import static_evaluation

        self.connection.send(static_evaluation(self.history()))

    def _bench(self, words: list[str]) -> None:
        from plies.protocols.tools import Bench

        self._finish()
        self.search = Bench(self.connection, self.say, self.thinker)


def _result(history: History) -> str:
    """The result of a game in the words of UGI."""
    if not history.over:
        return "none"
    first, second = (history.utility(player) for player in range(2))
    return "draw" if first == second else "p1win" if first > second else "p2win"
