"""The application: the files of the page and the WebSocket. Only files of this package are served."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from plies.draw import forms, theme
from plies.web.access import SecurityMiddleware, same_origin
from plies.web.catalogue import Catalogue
from plies.web.client import Client
from plies.web.connections import most_connections
from plies.web.searches import Searches
from plies.web.server import Server
from plies.web.sharing import Sharing, new_token

MOST_CLIENTS = 500
"""The most clients at once, if there are connections for them. Not tuned."""

HERE = Path(str(resources.files("plies.web"))) / "static"
"""The folder of the page's files."""

PICTURES = Path(str(resources.files("plies.draw")))
"""The folder of the script and stylesheet that pages share with pictures."""

PAGES = {"/": "index.html", "/learn": "learn.html"}
"""The pages, by path."""


def most_clients() -> int:
    """The most clients: half of all connections, as each also fetches files."""
    return min(MOST_CLIENTS, most_connections() // 2)


def make_app(
    catalogue: Catalogue | None = None,
    *,
    hosts: Sequence[str] = (),
    seed: int | None = None,
    workers: int | None = None,
    token: str | None = None,
    sharing: Sharing | None = None,
) -> SecurityMiddleware:
    """The application. `hosts` are names it answers to besides localhost; `seed` makes dice and slips
    repeatable; `workers` is how many searches run at once; other machines must bring the `token`; with
    `sharing`, people at two pages can play each other.
    """
    server = Server(catalogue or Catalogue(), Searches(workers), seed, sharing)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        server.close()

    async def websocket(socket: WebSocket) -> None:
        if not same_origin(socket.headers):
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
    return SecurityMiddleware(app, server, token or new_token(), hosts)


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
