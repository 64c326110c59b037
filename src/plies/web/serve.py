"""Runs the server: listens on a socket, prints the address, serves until Ctrl-C."""

from __future__ import annotations

import errno
import os
import platform
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence

import uvicorn

from plies.errors import PliesError
from plies.served_page import note_served
from plies.web.agents import read_agents
from plies.web.app import make_app
from plies.web.catalogue import Catalogue
from plies.web.connections import LARGEST_HEADER, ListeningSocket, TimedConnection
from plies.web.levels import read_programs
from plies.web.protocol import LARGEST_MESSAGE


def prepare(
    host: str = "127.0.0.1",
    port: int = 8000,
    games: Sequence[str] = (),
    *,
    players: Sequence[str] = (),
    agents: Sequence[str] = (),
    seed: int | None = None,
    workers: int | None = None,
) -> tuple[uvicorn.Server, socket.socket]:
    """The server, ready to run, and its listening socket.

    `games` are files with games, or with networks (.npz), `players` other programs with names
    ("Stockfish=uci:stockfish"), `agents` files with a function `choose(game, state)`.
    """
    catalogue = Catalogue(games, {**read_programs(players), **read_agents(agents)})
    listening = _listen(host, port)
    app = make_app(catalogue, hosts=[host, socket.gethostname()], seed=seed, workers=workers)
    settings = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        loop="asyncio",  # `ListeningSocket` relies on how it accepts
        http=TimedConnection,
        h11_max_incomplete_event_size=LARGEST_HEADER,
        ws_max_size=LARGEST_MESSAGE,
        ws_max_queue=8,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=1,
        lifespan="on",
    )
    return uvicorn.Server(settings), listening


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    games: Sequence[str] = (),
    *,
    players: Sequence[str] = (),
    agents: Sequence[str] = (),
    show: bool = False,
    say: Callable[[str], None] = print,
    seed: int | None = None,
) -> None:
    """Serve the page until Ctrl-C; with `show`, open a browser."""
    server, listening = prepare(host, port, games, players=players, agents=agents, seed=seed)
    address = _address(host, listening.getsockname()[1])
    say(f"Serving Plies at {address} (Ctrl-C to stop)")
    if show and _has_screen():
        threading.Timer(0.5, webbrowser.open, [address]).start()
    note_served(address)
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()
        note_served(address, False)


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket, or raise `PliesError`."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = ListeningSocket(family, kind, protocol)
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(128)  # from now on, connections wait rather than being refused
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PliesError(
                f"port {port} is in use; choose another with --port, or any free one with --port 0"
            ) from None
        raise PliesError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    except (OverflowError, UnicodeError) as error:
        raise PliesError(f"cannot listen on {host}:{port}: {error}") from None
    return listening


def _address(host: str, port: int) -> str:
    """The URL for a browser on this machine."""
    if host in ("0.0.0.0", "::", ""):
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _has_screen() -> bool:
    """Whether there is a display for a browser."""
    has_windows = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(has_windows) or platform.system() != "Linux"
