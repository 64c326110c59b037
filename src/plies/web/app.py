"""The application: the files of the page, the WebSocket, and the checks on who may use them.

Only files of this package are served. The Host header must name this machine, or else another site could
point its own name here (DNS rebinding); and a WebSocket must come from a page of this server.
"""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from plies.draw import forms, theme
from plies.web.catalogue import Catalogue
from plies.web.client import Client
from plies.web.connections import most_connections
from plies.web.searches import Searches
from plies.web.server import Server

MOST_CLIENTS = 500
"""The most clients at once, if there are connections for them. Not tuned."""

HERE = Path(str(resources.files("plies.web"))) / "static"
"""The folder of the page's files."""

PICTURES = Path(str(resources.files("plies.draw")))
"""The folder of the script and stylesheet that pages share with pictures."""

PAGES = {"/": "index.html", "/learn": "learn.html"}
"""The pages, by path."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-cache",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def most_clients() -> int:
    """The most clients: half of all connections, as each also fetches files."""
    return min(MOST_CLIENTS, most_connections() // 2)


def make_app(
    catalogue: Catalogue | None = None,
    *,
    hosts: Sequence[str] = (),
    seed: int | None = None,
    workers: int | None = None,
) -> SecurityMiddleware:
    """The application. `hosts` are names it answers to besides localhost; `seed` makes dice and slips
    repeatable; `workers` is how many searches run at once.
    """
    server = Server(catalogue or Catalogue(), Searches(workers), seed)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        server.close()

    async def websocket(socket: WebSocket) -> None:
        if not _same_origin(socket.headers):
            await socket.close(1008)
            return
        await socket.accept()
        if len(server.clients) >= most_clients() and not await server.make_room():
            await socket.close(1013, "too many clients; try again later")
            return
        client = Client(server, socket)
        server.clients.add(client)
        try:
            await client.run()
        finally:
            server.clients.discard(client)

    routes = [
        *(Route(path, _file(HERE / name, "text/html")) for path, name in PAGES.items()),
        Route("/static/picture.css", _text(theme.STYLE, "text/css")),
        Route("/static/tree.css", _text(forms.STYLE, "text/css")),
        Route("/static/steps.css", _file(PICTURES / "steps.css", "text/css")),
        Route("/static/steps.js", _file(PICTURES / "steps.js", "text/javascript")),
        Mount("/static", StaticFiles(directory=HERE)),
        WebSocketRoute("/ws", websocket),
    ]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={404: _missing, 405: _missing})
    return SecurityMiddleware(app, server, hosts)


def _file(path: Path, kind: str) -> Callable[[Request], Response]:
    def serve(_: Request) -> Response:
        if not path.is_file():
            return PlainTextResponse("Not found.", 404)
        return Response(path.read_bytes(), media_type=kind)

    return serve


def _text(text: str, kind: str) -> Callable[[Request], Response]:
    return lambda _: Response(text, media_type=kind)


async def _missing(request: Request, error: Exception) -> Response:
    return PlainTextResponse("Not found.", getattr(error, "status_code", 404))


class SecurityMiddleware:
    """Rejects requests for other host names, and adds security headers."""

    def __init__(self, app: Starlette, server: Server, hosts: Sequence[str] = ()) -> None:
        self.app, self.server = app, server
        self.hosts = {"localhost", *(host.lower() for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        host = asked.get("host", "")
        if not self._own(host):
            await self._refuse(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers["Content-Security-Policy"] = POLICY.format(host=host)
                if asked.get("content-length", "0") != "0" or "transfer-encoding" in asked:
                    headers["Connection"] = "close"  # no body is ever read
            await send(message)

        await self.app(scope, receive, guarded)

    def _own(self, host: str) -> bool:
        """Whether a Host header names this machine. An IP address is safe: DNS cannot rebind it."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if host.lower() not in _written(name, urlsplit(f"//{host}").port):
                return False
        except ValueError:
            return False
        if name in self.hosts:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close(1008)
        else:
            sentence = "This server answers only to localhost and to IP addresses."
            await PlainTextResponse(sentence, 421, HEADERS)(scope, receive, send)


def _written(name: str, port: int | None) -> set[str]:
    """The spellings of a name and a port that a Host header may have."""
    name = f"[{name}]" if ":" in name else name
    return {name, f"{name}:{port}"} if port is not None else {name, f"{name}:"}


def _same_origin(headers: Headers) -> bool:
    """Whether a WebSocket comes from a page of this server; only browsers send an origin."""
    origin = headers.get("origin")
    if origin is None:
        return True
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower()
    except ValueError:  # not a URL
        return False
