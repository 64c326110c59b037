"""Games on several cores: processes that play games by number, and the order in which their games count.

A game counts when all before it do. So a match is the same with any number of processes, and quick games do
not get ahead of slow ones, which would bias what is known so far.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from plies.arena.keeper import read_game
from plies.arena.table import Conditions, Maker, Played
from plies.errors import BadParameter, PliesError
from plies.game import Game
from plies.registry import loaded_files

ATTEMPTS = 3
"""How often a game is begun again whose process has died, before the match ends. Not tuned."""

PATIENCE = 5.0
"""The seconds that a process has to end its programs before it is killed. Not tuned."""


class Workers:
    """Processes that play the games of a match, each one game at a time."""

    def __init__(
        self, game: Game, players: Sequence[str | Maker], conditions: Conditions, count: int
    ) -> None:
        self._order = _order(game, players, conditions)
        self._count = count
        self._lock = threading.Lock()
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._closed = False
        self._finished: queue.SimpleQueue[Played | PliesError] = queue.SimpleQueue()

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._closed = True
            processes = list(self._processes.values())
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError, ValueError):  # of what was not sent yet
                    pipe.close()  # type: ignore[union-attr]

    def play(self, numbers: Sequence[int]) -> Iterator[Played]:
        """The games of these numbers, in order."""
        left = iter(numbers)
        for worker in range(min(self._count, len(numbers))):
            threading.Thread(target=self._serve, args=(worker, left), name="plies-match", daemon=True).start()
        early: dict[int, Played] = {}
        for number in numbers:
            while number not in early:
                played = self._finished.get()
                if isinstance(played, PliesError):
                    raise played
                early[played.game.number] = played
            yield early.pop(number)

    def _serve(self, worker: int, left: Iterator[int]) -> None:
        """Have a process play one game after the other, and start it again if it dies."""
        deaths = 0
        number: int | None = None
        while True:
            if number is None:
                with self._lock:
                    number = next(left, None)
                if number is None:
                    return
            process = self._process(worker)
            if process is None:
                return
            reply = _ask(process, number)
            if reply is None:
                deaths += 1
                with self._lock:
                    if self._closed:
                        return
                    self._processes.pop(worker, None)
                code = process.wait()
                if deaths >= ATTEMPTS:
                    words = f"game {number} was begun {deaths} times, and each time its process ended"
                    self._finished.put(PliesError(f"{words}, at last with code {code}"))
                    return
            elif "error" in reply:
                self._finished.put(PliesError(reply["error"]))
                return
            else:
                ponder = [(hits, tries) for hits, tries in reply["ponder"]]
                self._finished.put(Played(read_game(number, reply["game"]), ponder))
                number, deaths = None, 0

    def _process(self, worker: int) -> subprocess.Popen[bytes] | None:
        """A worker's process, started if need be; None if the match is over."""
        with self._lock:
            if self._closed:
                return None
            if worker not in self._processes:
                self._processes[worker] = process = subprocess.Popen(
                    [sys.executable, "-P", "-m", "plies.arena.worker"],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,  # so that Ctrl-C is for the match, which ends them
                )
                _send(process, self._order)
            return self._processes[worker]


def _order(game: Game, players: Sequence[str | Maker], conditions: Conditions) -> bytes:
    """What a process is told first: where modules are, which files to import, and what to play."""
    if "__main__" in {type(game).__module__, *(one.__module__ for one in players if callable(one))}:
        raise BadParameter(
            "several processes need a game and players that can be imported: move them from the main program "
            "to a file of their own, or play with jobs=1"
        )
    try:
        content = pickle.dumps((game, tuple(players), conditions))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise BadParameter(f"several processes need a game and players that can be copied: {error}") from None
    head = {"path": sys.path, "files": loaded_files(), "bytes": len(content)}
    return json.dumps(head).encode() + b"\n" + content


def _send(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None
    with contextlib.suppress(OSError):  # it has died, as its reply will show
        process.stdin.write(data)
        process.stdin.flush()


def _ask(process: subprocess.Popen[bytes], number: int) -> dict[str, Any] | None:
    """The reply of a process that plays a game; None if it died."""
    assert process.stdout is not None
    _send(process, b"%d\n" % number)
    line = process.stdout.readline()
    if not line.endswith(b"\n"):
        return None
    reply: dict[str, Any] = json.loads(line)
    return reply
