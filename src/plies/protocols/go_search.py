"""The search of UCI's `go`, in a thread: what it tells while it runs, and its answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from plies.engine.result import SearchResult
from plies.history import History
from plies.protocols.connection import Connection
from plies.protocols.info import info_lines, line_text
from plies.protocols.moves import move_text
from plies.protocols.running import Running
from plies.protocols.thinking import Request, Thinker, Thought

PAUSE = 0.1
"""The seconds between two reports of one depth. Not tuned: ten a second are more than anybody reads."""


@dataclass(frozen=True)
class Style:
    """How a search is told."""

    no_move: str
    """The answer where there is no move."""
    ponder: bool
    """Whether the answer names the reply that is expected."""
    wdl: bool
    """Whether winning chances are told."""


class GoSearch(Running):
    """The search of a `go`."""

    def __init__(
        self,
        connection: Connection,
        say: Callable[[str], None],
        thinker: Thinker,
        history: History,
        request: Request,
        style: Style,
    ) -> None:
        super().__init__(connection, say, history.game)
        self.state = history.state
        self.request, self.style = request, style
        self.no_answer = [style.no_move]
        self.begun = self.told_at = time.perf_counter()
        self.told: SearchResult | None = None
        self.thought: Thought = thinker.begin(history, self.request, self._tell, self.stop)
        self.start()

    def work(self) -> None:
        if self.thought.legal:
            self.thought.run()

    def ponderhit(self) -> None:
        self.thought.ponderhit()

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
            legal = self.thought.legal
            if not legal or not self.stopped.is_set():  # the game is over, or a rule is at fault
                return [self.style.no_move]
            return [f"bestmove {move_text(self.game, self.state, legal[0])}"]
        words = line_text(found, found.line)
        lines = [] if found is self.told or not found.depth else self._info(found)
        ponder = f" ponder {words[1]}" if len(words) > 1 and self.style.ponder else ""
        return [*lines, f"bestmove {move_text(self.game, self.state, found.action)}{ponder}"]

    def _tell(self, found: SearchResult) -> None:
        """Report a result: at once if it is of a new depth, but never too often."""
        now = time.perf_counter()
        deeper = self.told is None or found.depth > self.told.depth
        if found.depth and (deeper or now - self.told_at >= PAUSE) and not self.stopped.is_set():
            if self.told is not None and now - self.told_at < PAUSE and found.nodes < 2 * self.told.nodes:
                return
            self.told, self.told_at = found, now
            self.connection.send(*self._info(found))

    def _info(self, found: SearchResult) -> list[str]:
        search = self.thought.search
        return info_lines(
            found,
            self.request.lines,
            self.style.wdl,
            None if search is None else search.hashfull,
            time.perf_counter() - self.begun,
        )


def _has_end(request: Request) -> bool:
    return any((request.clock, request.seconds, request.depth, request.nodes))
