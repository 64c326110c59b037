"""One client: its messages are read, answered in turn, and its search is ended when it leaves."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time as clock
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from plies import records
from plies.engine import Found, Limit
from plies.errors import PliesError
from plies.game import CHANCE
from plies.web import answers, messages
from plies.web.catalogue import Catalogue, as_text
from plies.web.levels import SHORT, Kind, kind_named, slipped
from plies.web.messages import BadMessage, Message
from plies.web.searches import GLIMPSE, Job, Searches
from plies.web.table import Table

RATE, BURST = 30.0, 60.0
"""How many messages a second a client may send, and how many at once."""

LONGEST_SENTENCE = 1_000

SILENT = 60.0
"""Seconds after which a client that asks nothing may have to make room; its page connects again."""

ABUSE = 100
"""After so many refused messages in a row, a client is sent away."""


class Server:
    """What all clients share: the games, the searches, the lots for dice, and threads for quick answers."""

    def __init__(self, catalogue: Catalogue, searches: Searches, seed: int | None = None) -> None:
        self.catalogue, self.searches = catalogue, searches
        self.lots = random.Random(seed)
        self.threads = ThreadPoolExecutor(4, thread_name_prefix="plies-answer")
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
        self.threads.shutdown(wait=False, cancel_futures=True)


class Client:
    """A page at the other end of a WebSocket."""

    def __init__(self, server: Server, socket: WebSocket) -> None:
        self.server, self.socket = server, socket
        self.loop = asyncio.get_running_loop()
        self.table: Table | None = None
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
        reply: dict[str, Any] | None = await self._elsewhere(self._done, message)
        return reply

    async def _elsewhere(self, function: Callable[..., Any], *args: Any) -> Any:
        """Do something in a thread, so that other clients need not wait for it."""
        return await self.loop.run_in_executor(self.server.threads, function, *args)

    # -- In a thread, one request of a client at a time.

    def _done(self, message: Message) -> dict[str, Any] | None:
        catalogue, details = self.server.catalogue, message.details
        if message.do == "games":
            return {"games": catalogue.summary()}
        if message.do == "read":
            return {"record": self._read(details["text"])}
        if message.do == "learn":
            from plies.web.learning import answer

            return {"learn": answer(dict(details))}
        assert message.place is not None
        if message.do == "game":
            game = catalogue.game(message.place.game, message.place.parameters)
            return {"game": answers.described(game, message.place, catalogue)}
        last, self.table = self.table, None  # a table that fails is not used again
        self.table = table = Table.laid(message.place, catalogue, last)
        if message.do == "view":
            return {"view": table.view()}
        if message.do == "chance":
            return {"move": table.outcome(self.server.lots)}
        if message.do == "write":
            return {"text": table.record(details["format"])}
        return self._search(message, table)

    def _read(self, text: str) -> dict[str, Any]:
        told = records.read(text)
        return {
            "game": told.game,
            "parameters": as_text(told.parameters),
            "position": told.position,
            "moves": told.moves,
        }

    def _search(self, message: Message, table: Table) -> dict[str, Any] | None:
        """Let a player find its move, or begin an analysis; whatever was searched before is dropped."""
        self._drop()
        if table.mover is None:
            raise PliesError("there is nothing to search: the game is over")
        if table.mover == CHANCE:
            raise PliesError("there is nothing to search: it is for chance to move")
        details, game = message.details, table.game
        moving = message.do == "move"
        kind = kind_named(game, details["player"] if moving else details["algorithm"])
        if moving:
            level = kind.level(details["level"])
            legal = table.history.legal()
            slip = slipped(level, game, table.state, table.history.past, self.server.lots)
            if len(legal) == 1 or slip is not None:
                return {"move": game.notation(table.state, legal[0] if len(legal) == 1 else slip)}
            limit, lines = level.limit, 1
        else:
            if not kind.analyses:
                raise PliesError(f"{kind.label} says nothing about a position")
            limit = Limit(float(details["seconds"]), details["depth"], details["nodes"])
            lines = min(details["lines"], len(table.history.legal()))
        self._begin(message.number, kind, table, limit, lines, moving)
        return None

    def _begin(self, number: int, kind: Kind, table: Table, limit: Limit, lines: int, moving: bool) -> None:
        state, mover, place = table.state, table.mover or 0, table.place
        game = self.server.catalogue.searched(place.game, place.parameters)
        key = (place.game, place.parameters, kind.name, mover if kind.name == "expectimax" else -1)

        def tell(what: str, news: Any) -> None:
            if isinstance(news, Found):
                if moving and what == "info":
                    return
                shown = answers.info(game, state, news, job.effort)
                message = {"info": shown} if what == "info" else {"done": shown}
                message = {"move": shown["move"]} if moving else message
            else:
                message = {what: news}
            self.loop.call_soon_threadsafe(self._hear, job, {"id": number, **message})

        job = Job(
            key=key,
            make=lambda: kind.make(game, mover),
            game=game,
            state=state,
            past=table.history.past,
            limit=limit,
            tell=tell,
            lines=lines,
        )
        if moving and limit.time == SHORT and not self.server.searches.is_ready(job):
            # A short thought is over before the compiler has begun, which then works while a person thinks.
            self.server.searches.foresee(replace(job, limit=GLIMPSE, tell=lambda what, news: None))
            plain = copy(game)
            plain.compiled = False
            job = replace(job, key=(*key, "plain"), make=lambda: kind.make(plain, mover), game=plain)
        self.job = job
        self.server.searches.ask(job)

    # -- News of a search.

    def _drop(self) -> None:
        """End the search of this client, if there is one."""
        if self.job is not None:
            self.server.searches.cancel(self.job)
            self.job = None
        self._news = None

    def _hear(self, job: Job, message: dict[str, Any]) -> None:
        if job is not self.job:
            return
        if "info" in message:
            self._news = message
        else:
            self._words.append(message)
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


def _sentence(text: str) -> str:
    """The words of an error in one line, and not too many of them."""
    return " ".join(text.split())[:LONGEST_SENTENCE]
