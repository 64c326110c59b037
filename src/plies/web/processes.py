"""Processes for the rules of games from files and for long records, killed when they take too long.

A process serves one request at a time. It announces each phase of its work, and each phase has a deadline; a
process that misses one is killed, and the client gets the reason. The next request starts another.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time as clock
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from plies.engine import Limit, SearchResult, Value
from plies.engine.runner import FIRST
from plies.errors import PliesError
from plies.game import Game, State
from plies.web.fair_queue import Usage
from plies.web.protocol import Message

DEADLINES = {"start": 30.0, "answer": 10.0, "lesson": 10.0, "read": 10.0, "search": 5.0}
"""Seconds for each phase; for a search, beyond its limit. Not tuned."""

SHORT_DEADLINE = 2.0
"""Seconds for an answer while others wait for a process, and for a search to stop. Not tuned."""

TICK = 0.05
"""Seconds between two checks of the deadlines. Not tuned."""

LOOK = "look for an endless loop in its rules"
"""The advice in errors about a game that takes too long."""

TOO_LATE = {
    "start": "{game} could not be loaded within {seconds:g} seconds: " + LOOK,
    "answer": "the rules of {game} gave no answer within {seconds:g} seconds and were stopped: " + LOOK,
    "lesson": "the search of {game} took more than {seconds:g} seconds and was stopped: give less to search",
    "read": "the record could not be read within {seconds:g} seconds: give a shorter one, of one game",
    "search": "the search of {game} ran {seconds:g} seconds beyond its end and was stopped: " + LOOK,
}
"""The errors for phases that took longer."""


@dataclass(frozen=True)
class RemoteResult(SearchResult):
    """The result of a search in another process."""

    shown: dict[str, Any] = field(default_factory=dict)
    """The result as the page shows it."""
    settled: bool = False
    """Whether all is proved."""
    answer: Any = None
    """The answer to the message, if no search was needed."""


def request_for(message: Message, seed: int, client: int) -> dict[str, Any]:
    """A message as JSON for a process, with the seed of what is random in its answer."""
    position = message.position
    return {
        "type": message.type.name,
        "position": position and [position.game, position.parameters, position.position, position.moves],
        "fields": dict(message.fields),
        "seed": seed,
        "client": client,
    }


class Child:
    """One process."""

    def __init__(self, files: Sequence[str]) -> None:
        self.key: Hashable = None
        """What it served last."""
        self.fresh = True
        """Whether it has yet to load the games."""
        self._numbers = itertools.count(1)
        self._number = 0
        self._replies: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "plies.web.child", *files],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # so that Ctrl-C is for the server alone
            env={**os.environ, FIRST: "0"},  # no deadline waits for the compiler
        )
        threading.Thread(target=self._listen, name="plies-child", daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as replies, contextlib.suppress(ValueError, OSError):
            for line in replies:  # the last of which is cut off if the process is killed
                self._replies.put(json.loads(line))
        self._replies.put(None)

    @property
    def alive(self) -> bool:
        """Whether it can be asked something."""
        return self._process.poll() is None

    def request(self, request: dict[str, Any]) -> None:
        """Send it a request."""
        self._number = next(self._numbers)
        self._send({**request, "number": self._number})

    def stop(self) -> None:
        """Ask it to end the current search."""
        self._send({"stop": self._number})

    def _send(self, data: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it has died, as `receive` will report
            self._process.stdin.write(json.dumps(data).encode() + b"\n")
            self._process.stdin.flush()

    def receive(self, seconds: float) -> dict[str, Any] | None:
        """Its next reply, None if it has died; `queue.Empty` if there is none in time."""
        return self._replies.get(timeout=seconds)

    def kill(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # of what was not sent yet
            self._process.stdin.close()

    @property
    def death(self) -> str:
        """How it ended, in words."""
        code = self._process.wait()
        return f"by {signal.Signals(-code).name}" if code < 0 else f"with code {code}"


class Processes:
    """A limited number of processes, started when needed. Its methods may be called from any thread."""

    def __init__(self, files: Sequence[str], most: int) -> None:
        self.files, self.most = list(files), most
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._waiting: list[tuple[float, int]] = []
        self._numbers = itertools.count()
        self._open = True
        self._changed = threading.Condition()

    def talk(
        self,
        request: dict[str, Any],
        *,
        key: Hashable,
        usage: Usage | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[dict[str, Any]]:
        """All replies of a process to a request.

        A process that has served the same `key` is preferred. Of those who wait, the one who has used least
        comes first.
        """
        child = self._take(key, usage.seconds if usage else 0.0)
        begun, over = clock.monotonic(), False
        try:
            child.request(request)
            for reply in self._replies(child, request, stopped):
                over = "end" in reply and "fatal" not in reply
                if "error" in reply:
                    raise PliesError(reply["error"])
                yield reply
        finally:
            if not over:
                child.kill()
            if usage is not None:
                usage.add(clock.monotonic() - begun)
            self._give_back(child)

    def _replies(
        self, child: Child, request: dict[str, Any], stopped: Callable[[], bool]
    ) -> Iterator[dict[str, Any]]:
        """The replies of a process, as long as it meets its deadlines."""
        game = request["position"][0] if request["position"] else "the record"
        phase, begun = "start" if child.fresh else "answer", clock.monotonic()
        allowed = DEADLINES[phase]
        stopping: float | None = None
        while True:
            try:
                reply = child.receive(TICK)
            except queue.Empty:
                now = clock.monotonic()
                if stopped():
                    child.stop()  # again and again, for a search may not quite have begun
                    stopping = now if stopping is None else stopping
                late: float | None = DEADLINES[phase] if now - begun > allowed else None
                if phase in ("answer", "lesson", "read") and self._waiting and now - begun > SHORT_DEADLINE:
                    late = SHORT_DEADLINE
                if phase == "search" and stopping is not None and now - max(begun, stopping) > SHORT_DEADLINE:
                    late = SHORT_DEADLINE
                if late is not None:
                    raise PliesError(TOO_LATE[phase].format(game=game, seconds=late)) from None
                continue
            if reply is None:
                raise PliesError(f"the process that worked on {game} ended {child.death}")
            if "phase" in reply:
                phase, begun = reply["phase"], clock.monotonic()
                allowed = DEADLINES[phase] + reply["seconds"]
                child.fresh = False
                continue
            yield reply
            if "end" in reply:
                return

    def _take(self, key: Hashable, used: float) -> Child:
        """A process for one request, once there is one."""
        with self._changed:
            place = (used, next(self._numbers))
            self._waiting.append(place)
            try:
                while self._open and (place != min(self._waiting) or not self._free()):
                    self._changed.wait()
            finally:
                self._waiting.remove(place)
                self._changed.notify_all()
            if not self._open:
                raise PliesError("the server is shutting down")
            self._idle = [child for child in self._idle if child.alive]
            fitting = [child for child in self._idle if child.key == key] or self._idle
            child = fitting[-1] if fitting else self._started()
            if fitting:
                self._idle.remove(child)
            child.key = key
            self._busy.add(child)
            return child

    def _started(self) -> Child:
        try:
            return Child(self.files)
        except OSError as error:
            raise PliesError(
                f"no process could be started for this game: {error.strerror or error}"
            ) from None

    def _free(self) -> bool:
        return bool(self._idle) or len(self._busy) < self.most

    def _give_back(self, child: Child) -> None:
        with self._changed:
            self._busy.discard(child)
            if child.alive and self._open:
                self._idle.append(child)
            self._changed.notify_all()

    def close(self) -> None:
        """End all processes."""
        with self._changed:
            self._open = False
            children = [*self._idle, *self._busy]
            self._idle.clear()
            self._changed.notify_all()
        for child in children:
            child.kill()


class RemoteSearcher:
    """A searcher for one request that works in another process."""

    game: Game  # which only that process has
    compilation = None  # which that process reports as a note

    def __init__(
        self, processes: Processes, request: dict[str, Any], key: Hashable, note: Callable[[str], None]
    ) -> None:
        self.processes, self.request, self.key, self.note = processes, request, key, note
        self.spent = 0.0
        self.stopped = False

    def search(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> SearchResult:
        *_, found = self.analyse(state, limit, lines=lines, previous=previous)
        return found

    def analyse(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> Iterator[SearchResult]:
        """What the process reports; the request says what is searched and how far in all."""
        self.stopped = False
        seconds = (limit and limit.time) or 1.0
        begun = clock.monotonic()
        request = {**self.request, "seconds": seconds, "spent": self.spent}
        for reply in self.processes.talk(request, key=self.key, stopped=lambda: self.stopped):
            if "note" in reply:
                self.note(reply["note"])
            if "answer" in reply:
                yield RemoteResult(
                    None, Value(0.0, True), [], 0, 0, 0.0, answer=reply["answer"], settled=True
                )
            if "shown" in reply:
                yield RemoteResult(
                    action=None,
                    value=Value(0.0, reply["proved"]),
                    line=[],
                    depth=reply["depth"],
                    nodes=reply["nodes"],
                    seconds=reply["seconds"],
                    algorithm=reply["algorithm"],
                    shown=reply["shown"],
                    settled=reply["settled"],
                )
        self.spent += clock.monotonic() - begun

    def stop(self) -> None:
        """End the current search; may be called from any thread."""
        self.stopped = True
