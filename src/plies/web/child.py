"""The program of a process that runs the rules of games from files.

Started by `plies.web.processes` with the files as its arguments. Requests come in and replies go out as
JSON, one a line; the last reply to a request has an `end`.
"""

from __future__ import annotations

import json
import os
import queue
import random
import signal
import sys
import threading
import time as clock
from collections import OrderedDict
from collections.abc import Hashable
from typing import IO, Any

from plies.compiled import interpreting
from plies.engine import Limit, Search, SearchResult
from plies.errors import PliesError
from plies.web.catalogue import Catalogue
from plies.web.messages import Message, PositionSpec
from plies.web.processes import PATIENCE
from plies.web.searches import EVERY, GLIMPSE, KEPT, sight_of
from plies.web.session import SearchRequest, Session, read_record

DESKS = 16
"""How many clients' last places are remembered."""

SURPLUS = 10
"""Seconds after which the process ends itself if nobody has: its server may be gone."""


class Program:
    """Answers requests, one after the other; a second thread listens for the word to stop."""

    def __init__(self, files: list[str], requests: IO[bytes], replies: IO[bytes]) -> None:
        self.catalogue = Catalogue(files)
        self._requests, self._replies = requests, replies
        self._queue: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._desks: OrderedDict[int, Session] = OrderedDict()
        self._kept: OrderedDict[Hashable, Search] = OrderedDict()
        self._number = 0
        self._stopped = 0
        """The number of the last request whose search was to stop."""
        self._searcher: Search | None = None
        self._compiling = threading.Lock()

    def run(self) -> None:
        """Answer until the input ends."""
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            request = self._queue.get()
            self._number = request["number"]
            self._begin("answer")
            try:
                self._answer(request)
                last: dict[str, Any] = {}
            except PliesError as error:
                last = {"error": str(error)}
            except RecursionError:
                last = {"error": "that is too deep to follow"}
            except Exception as error:  # in the rules of somebody's game
                last = {"error": f"{type(error).__name__}: {error}"}
            self._searcher = None
            _alarm(0)
            self._say({**last, "end": True})

    def _listen(self) -> None:
        for line in self._requests:
            request = json.loads(line)
            if "stop" in request:
                self._stopped = request["stop"]
                searcher = self._searcher
                if searcher is not None and self._stopped == self._number:
                    searcher.stop()
            else:
                self._queue.put(request)
        os._exit(0)  # the server is gone

    def _say(self, reply: dict[str, Any]) -> None:
        self._replies.write(json.dumps(reply).encode() + b"\n")
        self._replies.flush()

    def _begin(self, phase: str, seconds: float = 0.0) -> None:
        """Say what comes next, and how long it may take."""
        _alarm(PATIENCE[phase] + seconds + SURPLUS)
        self._say({"phase": phase, "seconds": seconds})

    def _answer(self, request: dict[str, Any]) -> None:
        if request["do"] == "read":
            self._begin("read")
            self._say({"answer": {"record": read_record(request["details"]["text"])}})
            return
        game, parameters, position, moves = request["place"]
        place = PositionSpec(game, tuple((name, text) for name, text in parameters), position, tuple(moves))
        message = Message(0, request["do"], place, request["details"])
        steps = self._desk(request["client"]).answer(message, random.Random(request["seed"]))
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                answer = stop.value
                break
        if isinstance(answer, SearchRequest):
            self._search(answer, request["seconds"], request["spent"])
        else:
            self._say({"answer": answer})

    def _desk(self, client: int) -> Session:
        desk = self._desks.setdefault(client, Session(self.catalogue))
        self._desks.move_to_end(client)
        while len(self._desks) > DESKS:
            self._desks.popitem(last=False)
        return desk

    # -- Searches.

    def _search(self, wish: SearchRequest, seconds: float, spent: float) -> None:
        """Search for so many seconds at most, or for what is left of the limit."""
        if wish.short and wish.key not in self._kept and _compiles(wish):
            threading.Thread(target=self._foresee, args=[wish], daemon=True).start()
            wish = wish.plain()
        searcher = self._ready(wish)
        left = max(0.01, min(seconds, (wish.limit.time or seconds) - spent))
        self._searcher = searcher
        self._begin("search", left)
        limit = Limit(left, wish.limit.depth, wish.limit.nodes)
        sent, latest = 0.0, None
        for found in searcher.analyse(
            wish.table.state, limit, previous=wish.table.history.previous, lines=wish.lines
        ):
            latest = found
            if self._stopped == self._number:
                searcher.stop()
            if clock.monotonic() - sent >= EVERY:
                sent, latest = clock.monotonic(), None
                self._report(wish, found)
        if latest is not None:
            self._report(wish, latest)

    def _report(self, wish: SearchRequest, found: SearchResult) -> None:
        settled, proved, _ = sight_of(found, wish.lines)
        self._say(
            {
                "shown": wish.shown(found, (found.nodes, found.seconds)),
                "proved": proved,
                "settled": settled,
                "depth": found.depth,
                "nodes": found.nodes,
                "seconds": found.seconds,
                "algorithm": found.algorithm,
            }
        )

    def _ready(self, wish: SearchRequest) -> Search:
        """The searcher that serves a wish, compiled if it may be."""
        if wish.key not in self._kept:
            if _compiles(wish):
                # Rules that loop near the root are found out here, where they have little time.
                wish.plain().make().search(wish.table.state, GLIMPSE, previous=wish.table.history.previous)
                self._begin("compile")
                self._say({"note": f"compiling {wish.table.place.game}, once"})
                with self._compiling:  # what is being foreseen is waited for
                    if wish.key not in self._kept:
                        self._kept[wish.key] = wish.make()
                # Some compile no sooner than they search.
                self._kept[wish.key].search(wish.table.state, GLIMPSE, previous=wish.table.history.previous)
            else:
                self._kept[wish.key] = wish.make()
        self._kept.move_to_end(wish.key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[wish.key]

    def _foresee(self, wish: SearchRequest) -> None:
        """Compile for the next move while a person thinks about this one."""
        if self._compiling.acquire(blocking=False):
            try:
                searcher = wish.make()
            except Exception:  # the search that needs it will say so
                return
            finally:
                self._compiling.release()
            self._kept.setdefault(wish.key, searcher)


def _compiles(wish: SearchRequest) -> bool:
    return wish.compiles and not interpreting()


def _alarm(seconds: float) -> None:
    """End this process after so many seconds, even in the middle of machine code; 0: never."""
    if hasattr(signal, "setitimer"):  # Windows has none
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main() -> None:
    """Serve the files that are named as arguments, until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the rules print is not a reply
    try:
        program = Program(sys.argv[1:], sys.stdin.buffer, replies)
    except PliesError as error:  # in a file that has changed since the server was started
        replies.write(json.dumps({"error": str(error), "end": True, "fatal": True}).encode() + b"\n")
        replies.flush()
    else:
        program.run()


if __name__ == "__main__":
    main()
