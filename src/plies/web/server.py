"""One client: its messages are read, answered in turn, and its search is ended when it leaves."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time as clock
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from plies.engine import Limit, SearchResult
from plies.errors import PliesError
from plies.web import messages
from plies.web.catalogue import Catalogue
from plies.web.fair_queue import FairQueue, Usage
from plies.web.levels import LONGEST_MOVE
from plies.web.messages import BadMessage, Message
from plies.web.processes import Processes, RemoteResult, RemoteSearcher, request_for
from plies.web.searches import GLIMPSE, Job, Searches
from plies.web.session import SearchRequest, Session, read_record

RATE, BURST = 30.0, 60.0
"""How many messages a second a client may send, and how many at once."""

LONGEST_SENTENCE = 1_000

SILENT = 60.0
"""Seconds after which a client that asks nothing may have to make room; its page connects again."""

ABUSE = 100
"""After so many refused messages in a row, a client is sent away."""


SHORT_RECORD = 5_000
"""Records of up to so many characters are read at once; longer ones in a process, for they may take long."""

ANSWERING = 4
"""How many processes may answer at once about games from files; those that search come on top."""

WAITING = 64
"""How many clients may wait for them at once."""


class Server:
    """What all clients share: the games, the searches, the lots for dice, and threads for quick answers.

    Games from files are run by processes, and their searches have a queue of their own: whatever their rules
    do, nobody waits for it who asks for another game.
    """

    def __init__(self, catalogue: Catalogue, searches: Searches, seed: int | None = None) -> None:
        self.catalogue, self.searches = catalogue, searches
        self.rng = random.Random(seed)
        self.turns = FairQueue()
        self.own_searches = Searches(searches.workers) if catalogue.own else None
        self.searching = Processes(catalogue.files, searches.workers)
        self.answering = Processes(catalogue.files, ANSWERING)
        self.threads = ThreadPoolExecutor(WAITING, thread_name_prefix="plies-own")
        self.clients: set[Client] = set()

    async def make_room(self) -> bool:
        """Send away the client that has been silent longest; False if none has been silent for long."""
        silent = [client for client in self.clients if client.job is None]
        longest = min(silent, key=lambda client: client.counted, default=None)
        if longest is None or clock.monotonic() - longest.counted < SILENT:
            return False
        self.clients.discard(longest)
        await longest.leave(1013, "others wait for a place")
        return True

    def close(self) -> None:
        """End everything."""
        self.searches.close()
        self.turns.close()
        if self.own_searches is not None:
            self.own_searches.close()
        for processes in (self.searching, self.answering):
            processes.close()
        self.threads.shutdown(wait=False, cancel_futures=True)


class Client:
    """A page at the other end of a WebSocket."""

    def __init__(self, server: Server, socket: WebSocket) -> None:
        self.server, self.socket = server, socket
        self.loop = asyncio.get_running_loop()
        self.desk = Session(server.catalogue)
        self.account = Usage()
        self.job: Job | None = None
        self.allowance, self.counted = BURST, clock.monotonic()
        self.refused = 0
        self._news: dict[str, Any] | None = None  # the latest info that is not sent yet: older ones are lost
        self._words: list[dict[str, Any]] = []  # what else there is to send of the search
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Answer until the client leaves, or is sent away."""
        teller = asyncio.create_task(self._tell())
        try:
            while self.refused < ABUSE:
                await self._answer(await self._received())
            await self.socket.close(1008, "too many messages that cannot be answered")
        except (WebSocketDisconnect, RuntimeError):  # it has left, perhaps while it was being answered
            pass
        finally:
            self._drop()
            teller.cancel()

    async def leave(self, code: int, reason: str) -> None:
        """Send the client away."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it has left already
            await self.socket.close(code, reason)

    async def _received(self) -> str | bytes:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or 1005)
        return message.get("text") or message.get("bytes") or ""

    async def _answer(self, text: str | bytes) -> None:
        number: int | None = None
        try:
            message = messages.read(text)
            number = message.number
            self._count()
            reply = await self._reply(message)
            self.refused = 0
        except BadMessage as error:
            self.refused += 1
            number = error.number if number is None else number
            reply = {"error": str(error)}
        except PliesError as error:
            reply = {"error": _sentence(str(error))}
        except RecursionError:
            reply = {"error": "that is too deep to follow"}
        except Exception as error:  # in the rules of somebody's game
            reply = {"error": _sentence(f"{type(error).__name__}: {error}")}
        if reply is not None:
            await self._send({"id": number, **reply})

    def _count(self) -> None:
        """Refuse what comes faster than anybody can read."""
        now = clock.monotonic()
        self.allowance = min(BURST, self.allowance + (now - self.counted) * RATE) - 1
        self.counted = now
        if self.allowance < 0:
            self.allowance = 0
            raise BadMessage(f"that is more than {RATE:g} messages a second: wait a moment")

    async def _send(self, reply: dict[str, Any]) -> None:
        try:
            text = json.dumps(reply, allow_nan=False)
        except ValueError:  # a number that JSON does not know
            text = json.dumps({"id": reply["id"], "error": "the answer holds a number that is not finite"})
        await self.socket.send_text(text)

    async def _reply(self, message: Message) -> dict[str, Any] | None:
        """The answer; None where a search will give it."""
        if message.do == "stop":
            self._drop()
            return {"stopped": True}
        if message.do in ("move", "analyse"):
            self._drop()  # there is one search at a time
        own = message.place is not None and message.place.game in self.server.catalogue.own
        if own or (message.do == "read" and len(message.details["text"]) > SHORT_RECORD):
            return await self._apart(message)
        answer = await asyncio.wrap_future(self.server.turns.ask(self.account, self._steps(message)))
        if isinstance(answer, SearchRequest):
            self._begin(message.number, answer)
            return None
        return dict(answer)

    def _steps(self, message: Message) -> Generator[None, None, dict[str, Any] | SearchRequest]:
        """The answer, bit by bit, in a thread."""
        if message.do == "games":
            return {"games": self.server.catalogue.summary()}
        if message.do == "read":
            return {"record": read_record(message.details["text"])}
        if message.do == "learn":
            from plies.web.learn import answer

            return {"learn": answer(dict(message.details))}
        return (yield from self.desk.answer(message, self.server.rng))

    def _begin(self, number: int, wish: SearchRequest) -> None:
        """Let a player find its move, or begin an analysis."""
        searches = self.server.searches
        job = self._job(number, wish)
        if wish.short and not searches.is_ready(job):
            # A short thought is over before the compiler has begun, which then works while a person thinks.
            searches.foresee(replace(job, limit=GLIMPSE, tell=lambda what, news: None))
            job = self._job(number, wish.plain())
        self.job = job
        searches.ask(job)

    def _job(self, number: int, wish: SearchRequest) -> Job:
        job = Job(
            key=wish.key,
            make=wish.make,
            name=wish.game.name,
            state=wish.table.state,
            previous=wish.table.history.previous,
            limit=wish.limit,
            tell=lambda what, news: self._tell_of(job, number, wish.moving, what, news, wish.shown),
            lines=wish.lines,
            compiles=wish.compiles,
        )
        return job

    async def _apart(self, message: Message) -> dict[str, Any] | None:
        """The answer of another process, which runs the rules of games from files and reads long records."""
        server, place = self.server, message.place
        request = request_for(message, server.rng.getrandbits(32), id(self))
        if message.do not in ("move", "analyse"):
            return await self.loop.run_in_executor(server.threads, self._ask_apart, request)
        assert place is not None
        assert server.own_searches is not None
        moving, details = message.do == "move", message.details
        seconds = LONGEST_MOVE if moving else float(details["seconds"])
        key = (place.game, place.parameters, details["player" if moving else "algorithm"])
        job = Job(
            key=object(),  # one for each, for the other process keeps what can be shared
            make=lambda: RemoteSearcher(server.searching, request, key, job.note),
            name=place.game,
            state=None,
            previous=(),
            limit=Limit(seconds),
            tell=lambda what, news: self._tell_of(job, message.number, moving, what, news, _as_reported),
            compiles=False,
        )
        self.job = job
        server.own_searches.ask(job)
        return None

    def _ask_apart(self, request: dict[str, Any]) -> dict[str, Any]:
        """Wait for an answer, in a thread."""
        answer: dict[str, Any] = {}
        for reply in self.server.answering.talk(request, key="answers", account=self.account):
            answer = reply.get("answer", answer)
        return answer

    def _tell_of(
        self,
        job: Job,
        number: int,
        moving: bool,
        what: str,
        news: Any,
        shown: Callable[[SearchResult, tuple[int, float]], dict[str, Any]],
    ) -> None:
        """Hand on what a search tells, from its thread to the one of this client."""
        message = {what: news}
        if isinstance(news, SearchResult):
            if moving and what == "info":
                return
            found = shown(news, job.effort)
            message = {"move": found["move"]} if moving else {what: found}
        self.loop.call_soon_threadsafe(self._hear, job, {"id": number, **message})

    # -- News of a search.

    def _drop(self) -> None:
        """End the search of this client, if there is one."""
        if self.job is not None:
            for searches in (self.server.searches, self.server.own_searches):
                if searches is not None:
                    searches.cancel(self.job)
            self.job = None
        self._news = None

    def _hear(self, job: Job, message: dict[str, Any]) -> None:
        if job is not self.job:
            return
        if "info" in message:
            self._news = message
        else:
            self._words.append(message)
        if not message.keys() & {"info", "note"}:
            self.job = None  # it is over
        self._wake.set()

    async def _tell(self) -> None:
        """Send what a search has to tell, as fast as the client takes it."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            news, self._news = self._news, None
            words, self._words = self._words, []
            try:
                for message in [*([news] if news else []), *words]:
                    await self._send(message)
            except (WebSocketDisconnect, RuntimeError):  # it has left; `run` notices too
                return


def _as_reported(found: SearchResult, effort: tuple[int, float]) -> dict[str, Any]:
    """What another process found, with the effort of all slices."""
    assert isinstance(found, RemoteResult)
    nodes, seconds = effort
    speed = round(nodes / seconds) if seconds > 0 else 0
    return {**found.shown, "nodes": nodes, "seconds": round(seconds, 3), "speed": speed}


def _sentence(text: str) -> str:
    """The words of an error in one line, and not too many of them."""
    return " ".join(text.split())[:LONGEST_SENTENCE]
