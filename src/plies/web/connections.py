"""Limits on connections: how many there may be, how long a request may take, and what to do without file
descriptors.

uvicorn has no deadline for a request that arrives a byte at a time, and does not count connections that have
sent none yet. asyncio, out of file descriptors, logs that it cannot accept a connection thousands of times a
second.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import math
import os
import socket
import sys
import time as clock
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

if sys.platform != "win32":
    import resource

MOST_CONNECTIONS = 1_000
"""The most open connections, WebSockets included. Not tuned."""

SPARED = 64
"""File descriptors reserved for files, pipes and the event loop. Not tuned."""

LONGEST_REQUEST = 20.0
"""Seconds from the opening of a connection, or from the last response, to the end of the next one. Not
tuned."""

LARGEST_HEADER = 1 << 14
"""The most bytes of a request's header; a browser sends about a thousand."""

CLOSING = 5.0
"""Seconds that a closing WebSocket may take to read what it was sent. Not tuned."""

SCARCE = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""The errors of `accept` that mean that the system is out of resources."""

PAUSE = 0.05
"""Seconds to wait when a connection can be neither accepted nor refused. Not tuned."""

log = logging.getLogger("plies.web")


def most_connections() -> int:
    """The most open connections, given the limit on file descriptors."""
    if sys.platform == "win32":  # which sets no limit of this kind
        return MOST_CONNECTIONS
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (
        MOST_CONNECTIONS if limit == resource.RLIM_INFINITY else max(8, min(MOST_CONNECTIONS, limit - SPARED))
    )


class TimedConnection(H11Protocol):
    """An HTTP connection with a deadline; a WebSocket has pings instead."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.since = self.loop.time()
        self._deadline = self.loop.call_later(LONGEST_REQUEST, transport.abort)
        if len(self.connections) > most_connections():
            self._make_room()

    def _make_room(self) -> None:
        """Close the HTTP connections that have been idle longest, this one if there are no others."""
        open_ = [
            one for one in self.connections if one.transport is not None and not one.transport.is_closing()
        ]
        waiting = sorted(
            (one for one in open_ if isinstance(one, TimedConnection)), key=lambda one: one.since
        )
        for one in waiting[: len(open_) - most_connections()]:
            one.transport.abort()

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        self._deadline.cancel()
        self._deadline = self.loop.call_later(LONGEST_REQUEST, self.transport.abort)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._deadline.cancel()
        super().handle_websocket_upgrade(event)
        _abort_if_stuck(self.loop, self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._deadline.cancel()
        super().connection_lost(exc)


def _abort_if_stuck(loop: asyncio.AbstractEventLoop, transport: asyncio.Transport) -> None:
    """Abort a WebSocket that takes too long to close.

    Closing a transport waits until the other end has read everything, which it may never do.
    """
    again = transport.abort if transport.is_closing() else lambda: _abort_if_stuck(loop, transport)
    loop.call_later(CLOSING, again)


class ListeningSocket(socket.socket):
    """A listening socket that refuses connections when file descriptors run out.

    One descriptor is held in reserve for that: a connection that is not accepted leaves the socket readable,
    and the event loop would try again at once, for ever.
    """

    def __init__(self, family: int, kind: int, protocol: int) -> None:
        super().__init__(family, kind, protocol)
        self._reserve = os.open(os.devnull, os.O_RDONLY)
        self._warned = -math.inf

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept the next connection; `BlockingIOError`, as if there were none, if it had to be refused."""
        try:
            return super().accept()
        except OSError as error:
            if error.errno not in SCARCE:
                raise
        self._refuse()
        raise BlockingIOError(errno.EAGAIN, "a connection was refused")

    def _refuse(self) -> None:
        now = clock.monotonic()
        if now - self._warned > 60:
            self._warned = now
            log.warning(
                "no file descriptors are left, so connections are refused; allow more with `ulimit -n`"
            )
        self._release()
        try:
            super().accept()[0].close()
        except OSError:  # another thread took the descriptor, or the other end has left
            clock.sleep(PAUSE)
        try:
            self._reserve = os.open(os.devnull, os.O_RDONLY)
        except OSError:  # tried again at the next connection
            clock.sleep(PAUSE)

    def _release(self) -> None:
        if self._reserve >= 0:
            os.close(self._reserve)
            self._reserve = -1

    def close(self) -> None:
        self._release()
        super().close()
