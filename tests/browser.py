"""A server of the page on a free port, and a browser that looks at it, for all tests of the page.

Where there is no Chromium, tests that need it are skipped.
"""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from plies.worksheet.page import CHROMIUM as NAMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from websockets.sync.client import ClientConnection

CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
PATIENCE = 60.0  # seconds; a machine that runs many tests may be that slow
ECHO = str(Path(__file__).parents[1] / "examples" / "echo.py") + ":Echo"


class Site:
    """The page's server, in a thread of this process."""

    def __init__(
        self,
        port: int = 0,
        games: tuple[str, ...] = (ECHO,),
        workers: int | None = 2,
        players: tuple[str, ...] = (),
        agents: tuple[str, ...] = (),
        share: bool = False,
        lasting: bool = True,
    ) -> None:
        from plies.web.serve import prepare

        self.uvicorn, self.socket = prepare(
            port=port, games=games, players=players, agents=agents, seed=1, workers=workers, share=share
        )
        self.port = self.socket.getsockname()[1]
        self.server = self.uvicorn.config.app.server  # type: ignore[union-attr]
        if lasting:
            self.uvicorn.config.app = Lasting(self.uvicorn.config.app)
        self.thread = threading.Thread(
            target=self.uvicorn.run, kwargs={"sockets": [self.socket]}, daemon=True
        )
        self.thread.start()
        wait_for(lambda: self.uvicorn.started)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def stop(self) -> None:
        self.uvicorn.should_exit = True
        self.thread.join(PATIENCE)
        self.socket.close()

    def client(self, **options: Any) -> Client:
        from websockets.sync.client import connect

        options.setdefault("max_size", None)
        return Client(connect(f"ws://127.0.0.1:{self.port}/ws", **options))


class Client:
    """A program at the other end of the WebSocket."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.socket = connection.__enter__()
        self.number = 0

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.__exit__(None, None, None)

    def send(self, type_: str, **fields: Any) -> int:
        return self.send_raw(type=type_, **fields)

    def send_raw(self, **message: Any) -> int:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, **message}))
        return self.number

    def hear(self) -> dict[str, Any]:
        reply = json.loads(self.socket.recv(timeout=PATIENCE))
        assert isinstance(reply, dict)
        return reply

    def last_reply(self, **message: Any) -> dict[str, Any]:
        """Send a message, and wait for its result or error; what comes before it is left out."""
        number = self.send_raw(**message)
        while True:
            reply = self.hear()
            if reply["id"] == number and not reply.keys() & {"info", "note"}:
                if "wait a moment" not in reply.get("error", ""):
                    return reply
                time.sleep(0.2)
                number = self.send_raw(**message)

    def ask(self, type_: str, **fields: Any) -> Any:
        """The result of a message."""
        reply = self.last_reply(type=type_, **fields)
        assert "result" in reply, reply
        return reply["result"]

    def error(self, type_: str, **fields: Any) -> str:
        """The error that a message gets."""
        reply = self.last_reply(type=type_, **fields)
        assert "error" in reply, reply
        return str(reply["error"])

    def view(self, game: str, *moves: str, **more: Any) -> dict[str, Any]:
        view = self.ask("view", game=game, moves=list(moves), **more)
        assert isinstance(view, dict)
        return view

    def move(self, game: str, algorithm: str, **more: Any) -> str:
        """The move that an algorithm makes."""
        return str(self.ask("move", game=game, algorithm=algorithm, **more)["moves"][-1])


def wait_for(condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never was so"
        time.sleep(0.02)


class Lasting:
    """The application, with files that browsers keep: to ask for fifty again takes a fifth of the time."""

    def __init__(self, app: Any) -> None:
        self.app = app

    def __getattr__(self, name: str) -> Any:
        return getattr(self.app, name)  # which server it is, and its token

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def lasting(message: Any) -> None:
            if message["type"] == "http.response.start" and scope["path"].startswith("/static/"):
                headers = [(name, value) for name, value in message["headers"] if name != b"cache-control"]
                message["headers"] = [*headers, (b"cache-control", b"max-age=3600")]
            await send(message)

        await self.app(scope, receive, lasting)


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """One server for all tests that need no other."""
    running = Site()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def server(site: Site) -> str:
    """The address of that server."""
    return site.address.rstrip("/")


@pytest.fixture
def client(site: Site) -> Iterator[Client]:
    """A client of that server."""
    with site.client() as one:
        yield one


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    if not CHROMIUM:
        pytest.skip("needs Chromium, which is not installed here (on Debian: chromium-headless-shell)")
    driver = pytest.importorskip("playwright.sync_api")
    with driver.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


WINDOW: dict[str, Any] = {"viewport": {"width": 1100, "height": 800}, "reduced_motion": "reduce"}


@pytest.fixture(scope="session")
def window(browser: Browser) -> Page:
    """A window for the tests that need no other, one after another: a new one takes a second of computing."""
    return browser.new_context(**WINDOW).new_page()


@pytest.fixture
def open_page(browser: Browser, window: Page, site: Site) -> Iterator[Callable[..., Page]]:
    """Opens a page of the server at an address; no script may fail in it.

    The first is in the common window, which is left as it was found; others, and those with settings, have
    windows of their own.
    """
    pages: list[Page] = []
    failures: list[str] = []

    def failed(error: Any) -> None:
        failures.append(str(error))

    def complained(said: Any) -> None:
        if said.type == "error":
            failures.append(said.text)

    def opened(path: str = "", **settings: Any) -> Page:
        own = settings or pages
        page = browser.new_context(**{**WINDOW, **settings}).new_page() if own else window
        pages.append(page)
        page.set_default_timeout(1000 * PATIENCE)
        page.on("pageerror", failed)
        page.on("console", complained)
        page.goto(site.address + path)
        return page

    yield opened
    for page in pages:
        if page is not window:
            page.context.close()
            continue
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.emulate_media(media="null")
        page.mouse.move(0, 0)
        page.goto("about:blank")
        page.remove_listener("pageerror", failed)
        page.remove_listener("console", complained)
    # A server that was stopped on purpose is what browsers complain of, too.
    failures = [words for words in failures if "WebSocket" not in words and "ERR_CONNECTION" not in words]
    assert failures == [], failures
