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
from plies.web.sharing import ANYWHERE, Sharing, is_loopback, network_address, new_token, qr_text


def prepare(
    host: str = "127.0.0.1",
    port: int = 8000,
    games: Sequence[str] = (),
    *,
    players: Sequence[str] = (),
    agents: Sequence[str] = (),
    seed: int | None = None,
    workers: int | None = None,
    share: bool = False,
    token: str | None = None,
) -> tuple[uvicorn.Server, socket.socket]:
    """The server, ready to run, and its listening socket.

    `games` are files with games, or with networks (.npz), `players` other programs with names
    ("Stockfish=uci:stockfish"), `agents` files with a function `choose(game, state)`. With `share`, people at
    two pages can play each other. Other machines must bring the `token`, a random one unless given.
    """
    catalogue = Catalogue(games, {**read_programs(players), **read_agents(agents)})
    listening = _listen(host, port)
    token = token or new_token()
    sharing = Sharing(_address(network_address(host), listening.getsockname()[1]), token) if share else None
    hosts = [host, socket.gethostname()]
    app = make_app(catalogue, hosts=hosts, seed=seed, workers=workers, token=token, sharing=sharing)
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
        proxy_headers=False,  # a header must not say that a request comes from this machine
    )
    return uvicorn.Server(settings), listening


def serve(
    host: str | None = None,
    port: int = 8000,
    games: Sequence[str] = (),
    *,
    players: Sequence[str] = (),
    agents: Sequence[str] = (),
    show: bool = False,
    say: Callable[[str], None] = print,
    seed: int | None = None,
    share: bool = False,
) -> None:
    """Serve the page until Ctrl-C; with `show`, open a browser, with `share`, let others on the network play.

    Without a `host`, this machine alone is served, or with `share` its network.
    """
    host = host if host is not None else "0.0.0.0" if share else "127.0.0.1"
    token = new_token()
    server, listening = prepare(
        host, port, games, players=players, agents=agents, seed=seed, share=share, token=token
    )
    port = listening.getsockname()[1]
    address, others = _address(host, port), f"{_address(network_address(host), port)}?token={token}"
    local = is_loopback(host) or host in ANYWHERE
    say(f"Serving Plies at {address if local else others} (Ctrl-C to stop)")
    if share or host in ANYWHERE:
        say(f"For others on your network: {others}")
    if share and show:
        say(qr_text(others))
    if show and _has_screen():
        threading.Timer(0.5, webbrowser.open, [address if local else others]).start()
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
    if host in ANYWHERE:
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _has_screen() -> bool:
    """Whether there is a display for a browser."""
    has_windows = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(has_windows) or platform.system() != "Linux"
