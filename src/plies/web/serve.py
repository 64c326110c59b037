"""Running the server: the socket it listens on, the address it tells, and its end."""

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
from plies.web.app import make_app
from plies.web.catalogue import Catalogue
from plies.web.connections import LARGEST_HEADER, ListeningSocket, TimedConnection
from plies.web.messages import LARGEST


def prepare(
    host: str = "127.0.0.1",
    port: int = 8000,
    games: Sequence[str] = (),
    *,
    seed: int | None = None,
    workers: int | None = None,
) -> tuple[uvicorn.Server, socket.socket]:
    """The server, ready to run, and the socket it will listen on. `games` are files of one's own."""
    catalogue = Catalogue(games)
    listening = _listen(host, port)
    app = make_app(catalogue, hosts=[host, socket.gethostname()], seed=seed, workers=workers)
    settings = uvicorn.Config(
        app,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        loop="asyncio",  # whose way to accept a connection `ListeningSocket` knows
        http=TimedConnection,
        h11_max_incomplete_event_size=LARGEST_HEADER,
        ws_max_size=LARGEST,
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
    show: bool = False,
    say: Callable[[str], None] = print,
    seed: int | None = None,
) -> None:
    """Serve the page until Ctrl-C; `show`: open a browser."""
    server, listening = prepare(host, port, games, seed=seed)
    address = _address(host, listening.getsockname()[1])
    say(f"Plies is at {address} (Ctrl-C ends it)")
    if show and _has_screen():
        threading.Timer(0.5, webbrowser.open, [address]).start()
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        listening.close()


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens at an address, or a sentence that says why there is none."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = ListeningSocket(family, kind, protocol)
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen(128)  # from here on a browser waits rather than being refused
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PliesError(
                f"port {port} is taken; give another with --port, or --port 0 for any that is free"
            ) from None
        raise PliesError(f"{host}:{port} cannot be listened on: {error.strerror or error}") from None
    except (OverflowError, UnicodeError) as error:
        raise PliesError(f"{host}:{port} cannot be listened on: {error}") from None
    return listening


def _address(host: str, port: int) -> str:
    """What to type into a browser on this machine."""
    if host in ("0.0.0.0", "::", ""):
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _has_screen() -> bool:
    """Whether a browser would have somewhere to appear."""
    has_windows = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(has_windows) or platform.system() != "Linux"
