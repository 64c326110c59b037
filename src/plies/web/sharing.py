"""The games that people at different pages share, and the link that lets others in.

All of this happens on the server's event loop, so nothing needs a lock but a move, which waits for the rules.
"""

from __future__ import annotations

import asyncio
import io
import ipaddress
import math
import secrets
import socket
import time
from typing import TYPE_CHECKING, Any

import segno

from plies.errors import PliesError
from plies.web.shared_game import SharedGame

if TYPE_CHECKING:
    from plies.web.client import Client

MOST_GAMES = 200
"""The most shared games at once. Not tuned."""

MOST_WATCHING = 20
"""The most pages that follow one game, those of its players included. Not tuned."""

ABANDONED = 60.0
"""Seconds after which a game that no page follows may make room for a new one. Not tuned."""

ANYWHERE = ("", "0.0.0.0", "::")
"""The hosts that stand for every address of this machine."""

LOOK_AGAIN = 0.2
"""Seconds after which a clock is looked at again that has run out during a move. Not tuned."""


class Sharing:
    """All shared games of a server, by id, and the pages that follow each."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.token = address, token
        self.games: dict[str, SharedGame] = {}
        self._pages: dict[str, dict[Client, str]] = {}
        """The pages that follow each game, with their keys."""
        self._timers: dict[str, asyncio.TimerHandle] = {}

    @property
    def link(self) -> str:
        """The address that lets other machines in."""
        return f"{self.address}?token={self.token}"

    def link_to(self, game: SharedGame) -> str:
        """The address at which the other player joins a game."""
        return f"{self.link}#shared={game.id}"

    def open(self, game: SharedGame) -> None:
        """Keep a new game, in place of one that nobody follows if there are too many."""
        if len(self.games) >= MOST_GAMES:
            idle = [one for one in self.games.values() if not self._pages[one.id]]
            oldest = min(idle, key=lambda one: (one.full, one.used), default=None)
            if oldest is None or time.monotonic() - oldest.used < ABANDONED:
                raise PliesError("there are too many shared games on this server; try again later")
            self._drop(oldest.id)
        self.games[game.id] = game
        self._pages[game.id] = {}

    def _drop(self, id_: str) -> None:
        del self.games[id_], self._pages[id_]
        if timer := self._timers.pop(id_, None):
            timer.cancel()

    def find(self, id_: str) -> SharedGame:
        """The game of that id."""
        if id_ not in self.games:
            raise PliesError("this game is not open any more: the server has been restarted, or nobody came")
        return self.games[id_]

    def admit(self, game: SharedGame, page: Client, key: str) -> None:
        """Let a page follow a game from now on, and no other."""
        pages = self._pages[game.id]
        if game.seat_of(key) is None and page not in pages and len(pages) >= MOST_WATCHING:
            raise PliesError("as many people watch this game as there is room for")
        self.leave(page)
        pages[page] = key

    def leave(self, page: Client) -> None:
        """A page follows no game any more."""
        for id_, pages in self._pages.items():
            if page in pages:
                del pages[page]
                self.publish(self.games[id_])

    def publish(self, game: SharedGame) -> None:
        """Tell every page that follows a game what it is like now, and again when a clock has run out."""
        game.used = time.monotonic()
        seats = {page: game.seat_of(key) for page, key in self._pages[game.id].items()}
        here = [number in seats.values() for number in range(len(game.seats))]
        for page, seat in seats.items():
            page.push(game.state(seat, here))
        if timer := self._timers.pop(game.id, None):
            timer.cancel()
        left = game.time_left(time.monotonic())
        if math.isfinite(left):
            self._timers[game.id] = asyncio.get_running_loop().call_later(left + 0.01, self._ring, game)

    def _ring(self, game: SharedGame) -> None:
        if game.turn.locked():  # a move has come in time, and is being looked at
            self._timers[game.id] = asyncio.get_running_loop().call_later(LOOK_AGAIN, self._ring, game)
        elif game.time_is_over(time.monotonic()):
            self.publish(game)


def new_token() -> str:
    """A token nobody can guess: 128 random bits."""
    return secrets.token_urlsafe(16)


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own, which no other machine can come from."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def network_address(host: str) -> str:
    """The name under which other machines reach a server that listens on an address."""
    if host not in ANYWHERE:
        return host
    for family, far in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((far, 9))  # sends nothing: it asks the system which way that would go
                found = str(probe.getsockname()[0])
        except OSError:  # no way there by this protocol
            continue
        if not is_loopback(found):
            return found
    return socket.gethostname()


def qr_code(link: str) -> dict[str, Any]:
    """The QR code of a link: its `size` in modules, with a quiet zone, and a `path` of the dark ones."""
    code = segno.make(link, error="m", micro=False)
    rows = [list(row) for row in code.matrix_iter(border=2)]
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return {"size": len(rows), "path": path}


def qr_text(link: str) -> str:
    """The QR code of a link for a terminal."""
    out = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")
