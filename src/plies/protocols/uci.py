"""UCI, the Universal Chess Interface, and UGI, which is UCI for any game: the engine's side.

UCI: Huber and Meyer-Kahlen, 2006 edition. UGI: `ugi.md` of the match program cutegames.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from plies.errors import BadParameter, PliesError
from plies.game import Game
from plies.history import History
from plies.protocols.connection import Connection
from plies.protocols.moves import NULL_MOVE, Played, move_text
from plies.protocols.options import Options
from plies.protocols.running import Running
from plies.protocols.thinking import Thinker, Thought

if TYPE_CHECKING:
    from plies.engine.result import SearchResult
    from plies.protocols.thinking import Request

PAUSE = 0.1
"""The seconds between two reports of one depth. Not tuned: ten a second are more than anybody reads."""

UCI, UGI = "uci", "ugi"


class Engine:
    """An engine that speaks UCI, or UGI, on a connection."""

    def __init__(self, game: Game, connection: Connection, dialect: str = UCI) -> None:
        self.connection, self.dialect = connection, dialect
        self.options = Options(game)
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
        except PliesError as error:
            self.say(str(error))
        return True

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
        try:
            number = version("plies")
        except PackageNotFoundError:
            number = ""
        name = f"Plies {number}".strip()
        self.connection.send(
            f"id name {name} ({self.options.game.name})",
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
        return Thinker(options.game, options.memory, options.threads)

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

        self._finish()
        try:
            history = self.history()
            request, perft = parse_go(history, words)
        except PliesError as error:
            self.say(str(error))
            self.connection.send(self.no_move)
            return
        if perft is not None:
            from plies.protocols.tools import Perft

            self.search = Perft(self.connection, self.say, history, perft)
        else:
            self.search = _Search(self, history, request)

    @property
    def no_move(self) -> str:
        """The answer where there is no move."""
        return f"bestmove {'(none)' if self.dialect == UCI else NULL_MOVE}"

    def _stop(self, words: list[str]) -> None:
        self.stop()

    def _ponderhit(self, words: list[str]) -> None:
        if isinstance(self.search, _Search):
            self.search.thought.ponderhit()

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


class _Search(Running):
    """The search of a `go`."""

    def __init__(self, engine: Engine, history: History, request: Request) -> None:
        self.game, self.state = history.game, history.state
        self.legal = history.legal()
        self.request = replace(request, lines=engine.options.lines)
        self.begun = self.told_at = time.perf_counter()
        self.told: SearchResult | None = None
        self.thought: Thought = engine.thinker.begin(history, self.request, self._tell, self.stop)
        self.engine = engine
        super().__init__(engine.connection, engine.say)

    def work(self) -> None:
        if self.legal:
            self.thought.run()

    def interrupt(self) -> None:
        self.thought.stop()

    def finish(self) -> None:
        if self.request.infinite or self.request.ponder or not _has_end(self.request):
            self.stop()
        else:
            super().finish()

    def answer(self) -> list[str]:
        found = self.thought.latest
        if found is None:
            if not self.legal or not self.stopped.is_set():  # the game is over, or a rule is at fault
                return [self.engine.no_move]
            return [f"bestmove {move_text(self.game, self.state, self.legal[0])}"]
        from plies.protocols.info import line_text

        words = line_text(found, found.line)
        lines = [] if found is self.told else self._info(found)
        ponder = f" ponder {words[1]}" if len(words) > 1 and self.engine.dialect == UCI else ""
        return [*lines, f"bestmove {move_text(self.game, self.state, found.action)}{ponder}"]

    def _tell(self, found: SearchResult) -> None:
        """Report a result: at once if it is of a new depth, but never too often."""
        now = time.perf_counter()
        deeper = self.told is None or found.depth > self.told.depth
        if found.depth and (deeper or now - self.told_at >= PAUSE) and not self.stopped.is_set():
            if self.told is not None and now - self.told_at < PAUSE and found.nodes < 2 * self.told.nodes:
                return
            self.told, self.told_at = found, now
            self.engine.connection.send(*self._info(found))

    def _info(self, found: SearchResult) -> list[str]:
        from plies.protocols.info import info_lines

        search = self.thought.search
        return info_lines(
            found,
            self.request.lines,
            self.engine.options.wdl,
            None if search is None else search.hashfull,
            time.perf_counter() - self.begun,
        )


def _has_end(request: Request) -> bool:
    return any((request.clock, request.seconds, request.depth, request.nodes))


def _result(history: History) -> str:
    """The result of a game in the words of UGI."""
    if not history.over:
        return "none"
    first, second = (history.utility(player) for player in range(2))
    return "draw" if first == second else "p1win" if first > second else "p2win"
