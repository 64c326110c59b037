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
from collections.abc import Generator, Hashable
from typing import IO, Any

from plies.engine import Limit, Search, SearchResult, game_size
from plies.errors import PliesError
from plies.web.catalogue import Catalogue
from plies.web.messages import PROTOCOL
from plies.web.processes import DEADLINES
from plies.web.protocol import Message, PositionSpec, error_sentence
from plies.web.search_request import SearchRequest
from plies.web.searches import EVERY, KEPT, sight_of
from plies.web.session import Session

SESSIONS = 16
"""The most clients whose sessions are kept. Not tuned."""

GRACE = 10
"""Seconds beyond a deadline after which the process ends itself: its server may be gone. Not tuned."""


class Program:
    """Answers requests one after the other, while a second thread listens for "stop"."""

    def __init__(self, files: list[str], requests: IO[bytes], replies: IO[bytes]) -> None:
        self.catalogue = Catalogue(files)
        self._requests, self._replies = requests, replies
        self._queue: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._sessions: OrderedDict[int, Session] = OrderedDict()
        self._kept: OrderedDict[Hashable, Search] = OrderedDict()
        self._number = 0
        self._stopped = 0
        """The number of the last request whose search was to stop."""
        self._searcher: Search | None = None
        self._saying = threading.Lock()

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
            except Exception as error:  # the rules of a user's game may raise anything
                last = {"error": error_sentence(error)}
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
        with self._saying:
            self._replies.write(json.dumps(reply).encode() + b"\n")
            self._replies.flush()

    def _begin(self, phase: str, seconds: float = 0.0) -> None:
        """Announce a phase, and how many seconds it has beyond its deadline."""
        _alarm(DEADLINES[phase] + seconds + GRACE)
        self._say({"phase": phase, "seconds": seconds})

    def _answer(self, request: dict[str, Any]) -> None:
        type_ = PROTOCOL.types[request["type"]]
        position = None
        if request["position"] is not None:
            game, parameters, start, moves = request["position"]
            position = PositionSpec(game, tuple(map(tuple, parameters)), start, tuple(moves))
        if type_.phase != "answer":
            self._begin(type_.phase)
        message = Message(0, type_, position, request["fields"])
        answer = _finished(self._session(request["client"]).answer(message, random.Random(request["seed"])))
        if isinstance(answer, SearchRequest):
            self._search(answer, request["seconds"], request["spent"])
        else:
            self._say({"answer": answer})

    def _session(self, client: int) -> Session:
        session = self._sessions.setdefault(client, Session(self.catalogue))
        self._sessions.move_to_end(client)
        while len(self._sessions) > SESSIONS:
            self._sessions.popitem(last=False)
        return session

    # -- Searches.

    def _search(self, request: SearchRequest, seconds: float, spent: float) -> None:
        """Search for a number of seconds at most, or for the rest of the limit."""
        searcher = self._ready(request)
        left = max(0.01, min(seconds, (request.limit.time or seconds) - spent))
        self._searcher = searcher
        self._begin("search", left)
        limit = Limit(left, request.limit.depth, request.limit.nodes)
        sent, latest = 0.0, None
        threading.Thread(target=self._note, args=(searcher,), daemon=True).start()
        for found in searcher.analyse(request.state, limit, lines=request.lines, previous=request.previous):
            latest = found
            if self._stopped == self._number:
                searcher.stop()
            if clock.monotonic() - sent >= EVERY:
                sent, latest = clock.monotonic(), None
                self._report(request, found)
        if latest is not None:
            self._report(request, latest)

    def _report(self, request: SearchRequest, found: SearchResult) -> None:
        settled, proved, _ = sight_of(found, request.lines)
        self._say(
            {
                "shown": request.info(found, (found.nodes, found.seconds)),
                "proved": proved,
                "settled": settled,
                "depth": found.depth,
                "nodes": found.nodes,
                "seconds": found.seconds,
                "algorithm": found.algorithm,
            }
        )

    def _note(self, searcher: Search) -> None:
        """Report about once a second how far the compiler is, while the search waits for it."""
        while (compilation := searcher.compilation) and not compilation.wait(1.0):
            if searcher is not self._searcher:
                return
            self._say({"note": str(compilation)})

    def _ready(self, request: SearchRequest) -> Search:
        """The searcher for a request."""
        if request.key not in self._kept:
            self._kept[request.key] = request.make()
        self._kept.move_to_end(request.key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[request.key]


def _finished(steps: Generator[None, None, Any]) -> Any:
    """The return value of a generator."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


def _alarm(seconds: float) -> None:
    """End this process after some seconds, even in the middle of machine code; 0: never."""
    if hasattr(signal, "setitimer"):  # Windows has none
        signal.setitimer(signal.ITIMER_REAL, seconds)


def main() -> None:
    """Serve the files that are named as arguments, until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    game_size.TRUSTED = False
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
