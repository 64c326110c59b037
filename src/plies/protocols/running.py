"""Work that an engine does in a thread, such as a search, until it is finished or stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable

from plies.engine.faults import broken
from plies.errors import PliesError
from plies.game import Game
from plies.protocols.connection import Connection
from plies.protocols.thinking import MOMENT

PROMPTLY = 0.02
"""The seconds that a search has to end after `stop`; then the answer is its latest result, so that `stop` is
answered within 50 ms even if a rule takes longer."""


class Running:
    """Something that runs in a thread until it is finished or stopped, and then answers once."""

    no_answer: list[str] = []
    """The lines of the answer where there is none."""

    def __init__(self, connection: Connection, say: Callable[[str], None], game: Game) -> None:
        self.connection, self.say, self.game = connection, say, game
        self.stopped = threading.Event()
        self._answering = threading.Lock()
        self._done = threading.Event()
        self.thread = threading.Thread(target=self._run, name="plies-go", daemon=True)

    def start(self) -> None:
        """Begin the work."""
        self.thread.start()

    @property
    def answered(self) -> bool:
        """Whether it has answered."""
        return self._done.is_set()

    def work(self) -> None:
        """Do the work."""
        raise NotImplementedError

    def interrupt(self) -> None:
        """Make the work end soon."""

    def ponderhit(self) -> None:
        """Note that the opponent made the move that was expected."""

    def answer(self) -> list[str]:
        """The lines of the answer."""
        return []

    def finish(self) -> None:
        """Wait for its end, if it has one; unless something urgent comes, for which it is stopped."""
        while not self._done.wait(MOMENT):
            if self.connection.urgent:
                self.stop()

    def stop(self) -> None:
        """Stop, and answer promptly."""
        self.stopped.set()
        self.interrupt()
        if not self._done.wait(PROMPTLY):
            self._reply()

    def _run(self) -> None:
        try:
            try:
                self.work()
            except Exception as error:  # a rule may raise anything
                self._report(error)
            self._reply()
        except BaseException as error:  # raised in the first thread: the client is gone
            self._done.set()
            self.connection.fail(error)

    def _report(self, error: Exception) -> None:
        if self.connection.lost:
            raise error
        self.say(str(error if isinstance(error, PliesError) else broken(self.game, None, 0, error)))

    def _reply(self) -> None:
        with self._answering:
            if not self._done.is_set():
                try:
                    try:
                        lines = self.answer()
                    except Exception as error:
                        self._report(error)
                        lines = self.no_answer
                    self.connection.send(*lines)
                finally:
                    self._done.set()
