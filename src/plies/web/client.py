"""One client: its messages are read and answered in turn, and its search ends when it leaves."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time as clock
from collections.abc import Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from plies.engine import Limit, SearchResult
from plies.errors import PliesError
from plies.web.fair_queue import Usage
from plies.web.fields import BadMessage
from plies.web.levels import LONGEST_MOVE
from plies.web.messages import PROTOCOL
from plies.web.pondering import Pondered
from plies.web.processes import RemoteResult, RemoteSearcher, request_for
from plies.web.protocol import LATER, Message, PositionSpec, error_sentence
from plies.web.search_request import SearchRequest
from plies.web.searches import Job
from plies.web.server import Server
from plies.web.session import Session
from plies.web.shared_messages import SharedContext

RATE, BURST = 30.0, 60.0
"""The most messages of a client per second, and at once. Not tuned."""

ABUSE = 100
"""The bad messages in a row after which a client is disconnected. Not tuned."""

NO_RESULT = "the search ended without a result"

Shown = Callable[[SearchResult, tuple[int, float]], dict[str, Any]]
"""Makes JSON of a search's result and its effort."""


class Client:
    """A page at the other end of a WebSocket."""

    def __init__(self, server: Server, socket: WebSocket) -> None:
        self.server, self.socket = server, socket
        self.loop = asyncio.get_running_loop()
        self.session = Session(server.catalogue)
        self.usage = Usage()
        self.job: Job | None = None
        self.pondered: Pondered | None = None
        self.last_message = clock.monotonic()
        self._allowance = BURST
        self._refused = 0
        self._answering = asyncio.Lock()  # the session takes one message at a time
        self._info: dict[str, Any] | None = None  # the latest that is not sent yet; older ones are dropped
        self._replies: list[dict[str, Any]] = []  # what else of the search is not sent yet
        self._followed: int | None = None  # the message by which it follows a shared game
        self._state: dict[str, Any] | None = None  # the latest of that game which is not sent yet
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Answer until the client leaves or is disconnected."""
        self._background(self._send_replies())
        try:
            while self._refused < ABUSE:
                await self._answer(await self._receive())
            await self.socket.close(1008, "too many messages that cannot be answered")
        except (WebSocketDisconnect, RuntimeError):  # it has left, perhaps while it was being answered
            pass
        finally:
            self._cancel_search()
            self._stop_pondering()
            if self.server.sharing is not None:
                self.server.sharing.leave(self)
            for task in list(self._tasks):
                task.cancel()

    async def close(self, code: int, reason: str) -> None:
        """Disconnect the client."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it has left already
            await self.socket.close(code, reason)

    def _background(self, work: Any) -> None:
        task = self.loop.create_task(work)
        self._tasks.add(task)  # the loop itself holds no reference
        task.add_done_callback(self._tasks.discard)

    # -- Messages.

    async def _receive(self) -> str | bytes:
        event = await self.socket.receive()
        if event["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(event.get("code") or 1005)
        return event.get("text") or event.get("bytes") or ""

    async def _answer(self, data: str | bytes) -> None:
        id_: int | None = None
        try:
            message = PROTOCOL.read(data)
            id_ = message.id
            self._count()
        except BadMessage as error:
            self._refused += 1
            await self._send({"id": error.id if id_ is None else id_, "error": error_sentence(error)})
            return
        self._refused = 0
        if message.type.search == "hurry":
            if self.job is not None:
                self.job.hurried = True
        elif message.type.search:
            self._cancel_search()  # there is one at a time
            if message.type.search != "move":
                self._stop_pondering()
        reply = await self.reply(message)
        if message.type.search == "move":
            self._stop_pondering()  # it was about another move, or its search goes on as this client's own
        if reply.get("result") is not LATER:
            await self._send({"id": id_, **reply})

    def _count(self) -> None:
        """Refuse messages that come too fast."""
        now = clock.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self.last_message) * RATE) - 1
        self.last_message = now
        if self._allowance < 0:
            self._allowance = 0
            raise BadMessage(f"more than {RATE:g} messages a second: wait a moment")

    async def _send(self, reply: dict[str, Any]) -> None:
        try:
            text = json.dumps(reply, allow_nan=False)
        except ValueError:  # a number that JSON does not know
            text = json.dumps({"id": reply["id"], "error": "the answer holds a number that is not finite"})
        await self.socket.send_text(text)

    async def reply(self, message: Message) -> dict[str, Any]:
        """The last reply to a message, without its id: a result, which may be `LATER`, or an error."""
        try:
            return {"result": await self._result(message)}
        except Exception as error:  # the rules of a user's game may raise anything
            return {"error": error_sentence(error)}

    async def _result(self, message: Message) -> Any:
        server, position = self.server, message.position
        if message.type.shared:
            return await message.type.handler(
                SharedContext(self, message, clock.monotonic()), **message.fields
            )
        from_file = position is not None and position.game in server.catalogue.file_games
        if from_file and message.type.search == "ponder":
            raise PliesError("games from a file are not searched on your time")
        if from_file or message.type.isolated(message):
            request = request_for(message, server.rng.getrandbits(32), id(self))
            if message.type.search:
                self._search_in_process(message, request)
                return LATER
            return await self.loop.run_in_executor(server.threads, self._ask_process, request)
        async with self._answering:
            steps = self.session.answer(message, server.rng)
            result = await asyncio.wrap_future(server.queue.submit(self.usage, steps))
        if not isinstance(result, SearchRequest):
            return result
        if message.type.search == "ponder":
            self._ponder(message, result)
            return True
        if self.pondered is not None and self.pondered.answers(result):
            self._adopt(message, self.pondered)
        else:
            self._search(message, result)
        return LATER

    def _ask_process(self, request: dict[str, Any]) -> Any:
        """The answer of another process, waited for in a thread."""
        answer = None
        for reply in self.server.answer_processes.talk(request, key="answers", usage=self.usage):
            answer = reply.get("answer", answer)
        return answer

    # -- Shared games.

    def follow(self, id_: int) -> None:
        """From now on, what is pushed is about a shared game, and answers that message."""
        self._end_following()
        self._followed = id_

    def unfollow(self) -> None:
        """Hear no more of a shared game."""
        if self.server.sharing is not None:
            self.server.sharing.leave(self)
        self._end_following()

    def _end_following(self) -> None:
        if self._followed is not None:
            self._replies.append({"id": self._followed, "result": True})
            self._wake.set()
        self._followed = self._state = None

    def push(self, state: dict[str, Any]) -> None:
        """Send the state of the shared game; of several that are not sent yet, the last."""
        self._state = {"id": self._followed, "info": state}
        self._wake.set()

    # -- Searches.

    def _search(self, message: Message, request: SearchRequest) -> None:
        """Start a search in a thread."""
        self.job = self._job(request, lambda what, news, shown: self._tell(job, message, shown, what, news))
        job = self.job
        self.server.searches.submit(job)

    def _job(self, request: SearchRequest, tell: Callable[[str, Any, Shown], None]) -> Job:
        return Job(
            key=request.key,
            make=request.make,
            name=request.game.name,
            state=request.state,
            previous=request.previous,
            limit=request.limit,
            tell=lambda what, news: tell(what, news, request.info),
            lines=request.lines,
        )

    # -- Thinking on the client's time.

    def _ponder(self, message: Message, request: SearchRequest) -> None:
        """Start the search that the client's next message will ask for, if it plays what is expected."""
        job = self._job(request, lambda what, news, shown: self._tell_pondered(pondered, shown, what, news))
        self.pondered = pondered = Pondered(request, job)
        pondered.job.spare = True
        self.server.searches.submit(pondered.job)

    def _tell_pondered(self, pondered: Pondered, shown: Shown, what: str, news: Any) -> None:
        """Keep what the search reports, or pass it on, if the client waits for it by now."""
        if what == "info":
            return
        if what == "done" and news is None:
            what, news = "error", NO_RESULT
        elif isinstance(news, SearchResult):
            news = shown(news, pondered.job.effort)
        self.loop.call_soon_threadsafe(self._told_pondered, pondered, what, news)

    def _told_pondered(self, pondered: Pondered, what: str, news: Any) -> None:
        if pondered.message is not None:
            self._told(pondered.job, pondered.message, what, news)
        elif what != "note":
            pondered.outcome = what, news

    def _adopt(self, message: Message, pondered: Pondered) -> None:
        """A ponder hit: the search is this client's own from now on."""
        self.pondered, self.job, pondered.message = None, pondered.job, message
        self.server.searches.promote(pondered.job)
        if pondered.outcome is not None:
            self._told(pondered.job, message, *pondered.outcome)

    def _stop_pondering(self) -> None:
        if self.pondered is not None:
            self.server.searches.cancel(self.pondered.job)
            self.pondered = None

    def _search_in_process(self, message: Message, request: dict[str, Any]) -> None:
        """Start a search of a game from a file."""
        server, position = self.server, message.position
        assert position is not None
        assert server.file_searches is not None
        key = (position.game, position.parameters, message.fields["algorithm"])
        job = Job(
            key=object(),  # one for each: the other process keeps what can be shared
            make=lambda: RemoteSearcher(server.search_processes, request, key, job.note),
            name=position.game,
            state=None,
            previous=(),
            limit=Limit(float(message.fields.get("seconds", LONGEST_MOVE))),
            tell=lambda what, news: self._tell(job, message, _remote_info, what, news),
        )
        self.job = job
        server.file_searches.submit(job)

    def _cancel_search(self) -> None:
        """End the search of this client, if there is one."""
        if self.job is not None:
            for searches in (self.server.searches, self.server.file_searches):
                if searches is not None:
                    searches.cancel(self.job)
            self.job = None
        self._info = None

    def _tell(self, job: Job, message: Message, shown: Shown, what: str, news: Any) -> None:
        """Pass on what a search reports, from its thread to this client's."""
        if isinstance(news, RemoteResult) and news.answer is not None:
            what, news = "result", news.answer
        elif what == "info" and message.type.search == "move":
            return
        elif what == "done" and news is None:
            what, news = "error", NO_RESULT
        elif isinstance(news, SearchResult):
            news = shown(news, job.effort)
        self.loop.call_soon_threadsafe(self._told, job, message, what, news)

    def _told(self, job: Job, message: Message, what: str, news: Any) -> None:
        if job is not self.job:
            return
        if what == "info":
            self._info = {"id": message.id, "info": news}
        elif what == "done" and "choice" in news:
            self._replies.append({"id": message.id, "result": {"choice": news["choice"]}})
            self.job = None
        elif what == "done" and message.type.search == "move":
            self._background(self._play(job, message, news))
            return
        else:
            what = "result" if what == "done" else what
            self._replies.append({"id": message.id, what: news})
            self.job = job if what == "note" else None
        self._wake.set()

    async def _play(self, job: Job, message: Message, found: dict[str, Any]) -> None:
        """Answer a message for a move, once a search has found one, with the view after it.

        `expects` is the reply that the search expects, if there is something to think about after it.
        """
        assert message.position is not None
        position = message.position.after(found["move"])
        reply = await self._view(message, position)
        line = found["lines"][0] if found["lines"] else []
        if _is_choice(reply) and len(line) > 1 and line[0] == found["move"]:
            expected = await self._view(message, position.after(line[1]))
            if _is_choice(expected):
                reply["result"] = {**reply["result"], "expects": line[1]}
        if job is self.job:  # otherwise it was cancelled
            self.job = None
            self._replies.append({"id": message.id, **reply})
            self._wake.set()

    async def _view(self, message: Message, position: PositionSpec) -> dict[str, Any]:
        """The reply to a message that asks for a position."""
        return await self.reply(Message(message.id, PROTOCOL.types["view"], position, {}))

    async def _send_replies(self) -> None:
        """Send what a search reports, as fast as the client takes it."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            info, self._info = self._info, None
            replies, self._replies = self._replies, []
            state, self._state = self._state, None
            try:
                for reply in (info, state, *replies):
                    if reply is not None:
                        await self._send(reply)
            except (WebSocketDisconnect, RuntimeError):  # it has left; `run` notices too
                return


def _is_choice(reply: dict[str, Any]) -> bool:
    """Whether a reply shows a position in which a player has the move."""
    return "result" in reply and not reply["result"]["over"] and reply["result"]["mover"] >= 0


def _remote_info(found: SearchResult, effort: tuple[int, float]) -> dict[str, Any]:
    """The result of another process, with the effort of all slices."""
    assert isinstance(found, RemoteResult)
    nodes, seconds = effort
    speed = round(nodes / seconds) if seconds > 0 else 0
    return {**found.shown, "nodes": nodes, "seconds": round(seconds, 3), "speed": speed}
