"""Hostile and slow clients, over real sockets: half-sent requests, floods, nonsense, no file descriptors."""

from __future__ import annotations

import contextlib
import re
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from browser import PATIENCE, Client, Site, wait_for
from plies.web import app, client, connections, server

pytestmark = pytest.mark.plain

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
)


@pytest.fixture
def alone() -> Iterator[Site]:
    """A server of its own, whose limits a test may change."""
    site = Site()
    yield site
    site.stop()


def opened(site: Site, sent: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", site.port), PATIENCE)
    connection.sendall(sent)
    return connection


def answer(connection: socket.socket) -> bytes:
    """All that comes until the other end closes; a connection that is reset has said nothing more."""
    parts = []
    with contextlib.suppress(ConnectionError):
        while part := connection.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


def drip(connection: socket.socket, data: bytes) -> float:
    """Send a byte every 50 milliseconds, and tell after how many seconds the other end has closed."""
    connection.setblocking(False)
    begun = time.monotonic()
    for number in range(int(PATIENCE / 0.05)):
        try:
            connection.send(data[number % len(data) :][:1])
            if connection.recv(1 << 16) == b"":
                break
        except BlockingIOError:
            time.sleep(0.05)
        except ConnectionError:
            break
    return time.monotonic() - begun


def closed(client: Client) -> int:
    """The code that a client is sent away with."""
    with pytest.raises(ConnectionClosed) as error:
        client.hear()
    assert error.value.rcvd is not None
    return int(error.value.rcvd.code)


# -- Slow requests.


@pytest.mark.parametrize(
    ("begin", "more"),
    [
        (b"", b""),
        (b"GET / HT", b""),
        (GET, b"X-Header: x\r\n"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n", b"x"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (GET + b"\r\n" + GET, b"X-Header: x\r\n"),
    ],
    ids=["silent", "cut off", "headers", "body", "chunks", "second request"],
)
def test_a_request_that_does_not_come_to_an_end_is_ended(
    alone: Site, monkeypatch: pytest.MonkeyPatch, begin: bytes, more: bytes
) -> None:
    monkeypatch.setattr(connections, "LONGEST_REQUEST", 1.0)
    with opened(alone, begin) as connection:
        if more:
            assert drip(connection, more) < 10
        else:
            connection.settimeout(10)
            answer(connection)
    wait_for(lambda: not alone.uvicorn.server_state.connections, 5)


def test_whoever_does_not_read_the_answer_is_not_waited_for(
    alone: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "LONGEST_REQUEST", 1.0)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.connect(("127.0.0.1", alone.port))
    connection.settimeout(0.5)
    with contextlib.suppress(OSError):  # it is taken no more, or the connection is ended
        for _ in range(2000):
            connection.sendall(GET.replace(b"/ ", b"/static/style.css ") + b"\r\n")
    wait_for(lambda: not alone.uvicorn.server_state.connections, 10)
    connection.close()


def test_whoever_does_not_read_a_socket_is_not_waited_for(
    alone: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "CLOSING", 0.3)
    config = alone.uvicorn.config
    monkeypatch.setattr(config, "ws_ping_interval", 0.5)
    monkeypatch.setattr(config, "ws_ping_timeout", 0.5)
    monkeypatch.setattr(client, "RATE", 1e9)
    monkeypatch.setattr(client, "BURST", 1e9)
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.connect(("127.0.0.1", alone.port))
    connection.settimeout(0.5)
    connection.sendall(UPGRADE + b"\r\n")
    message = b'{"id": 1, "type": "games"}'
    frame = bytes([0x81, 0x80 | len(message), 0, 0, 0, 0]) + message
    with contextlib.suppress(OSError):
        for _ in range(2000):
            connection.sendall(frame)
    wait_for(lambda: not alone.uvicorn.server_state.connections and not alone.server.clients, 10)
    connection.close()


# -- Too much.


def test_headers_without_end_are_refused(alone: Site) -> None:
    with opened(alone, GET) as connection:
        with contextlib.suppress(OSError):
            for number in range(2000):
                connection.sendall(b"X-%d: %s\r\n" % (number, b"x" * 500))
        said = answer(connection)
        assert said == b"" or b" 400 " in said.split(b"\r\n")[0]
    wait_for(lambda: not alone.uvicorn.server_state.connections, 5)


def test_a_body_is_not_read(site: Site) -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n"
    with opened(site, head) as connection:
        said = answer(connection)
    assert b" 405 " in said.split(b"\r\n")[0]
    assert b"connection: close" in said.lower()


def test_idle_connections_keep_nobody_out(alone: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 20)
    with contextlib.ExitStack() as held, alone.client() as client:
        idle = [held.enter_context(opened(alone, GET)) for _ in range(100)]
        assert client.view("nim")["mover"] == 0  # a client that was there stays
        assert httpx.get(alone.address, trust_env=False).status_code == 200
        wait_for(lambda: len(alone.uvicorn.server_state.connections) <= 20, 5)
        assert answer(idle[0]) == b""  # the first to come was the first to go


def test_silent_clients_make_room(alone: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "MOST_CLIENTS", 3)
    with contextlib.ExitStack() as held:
        first, *_ = [held.enter_context(alone.client()) for _ in range(3)]
        wait_for(lambda: len(alone.server.clients) == 3)
        with alone.client() as refused:
            assert closed(refused) == 1013
        monkeypatch.setattr(server, "IDLE", 0.0)
        with alone.client() as welcome:
            assert welcome.view("nim")["mover"] == 0
        assert closed(first) == 1013


# -- Nonsense.


@pytest.mark.parametrize(
    "origin",
    ["http://[", "http://]", "http://[::1", "[", "\xff", "http://localhost:x", "//", "http://\u2100"],
)
def test_an_origin_that_is_no_address_is_refused(site: Site, origin: str) -> None:
    with opened(site, UPGRADE + b"Origin: " + origin.encode() + b"\r\n\r\n") as connection:
        assert b" 403 " in answer(connection).split(b"\r\n")[0]


@pytest.mark.parametrize(
    "host", ["[", "[::1", "]", "a b", "\xff", "localhost:99999", "localhost:-1", "[::1]x", "%00"]
)
def test_a_host_that_is_no_address_is_refused(site: Site, host: str) -> None:
    for path in (b"/", b"/ws"):
        request = UPGRADE if path == b"/ws" else b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        with opened(site, request.replace(b"localhost", host.encode()) + b"\r\n") as connection:
            assert re.match(rb"HTTP/1.1 (400|403|421) ", answer(connection))


@pytest.mark.parametrize(
    "sent", [b"\0" * 100, b"\r\n" * 100, b"GET\r\n\r\n", b"\x16\x03\x01\x02\0\x01", b"GET / HTTP/9.9\r\n\r\n"]
)
def test_what_is_no_request_is_refused(site: Site, sent: bytes) -> None:
    with opened(site, sent) as connection:
        connection.shutdown(socket.SHUT_WR)
        said = answer(connection)
        assert said == b"" or re.match(rb"HTTP/1.1 (400|421) ", said)
    with site.client() as client:
        assert client.view("nim")["mover"] == 0


# -- No file descriptors left.


def served(*words: str, descriptors: int, errors: Path) -> tuple[subprocess.Popen[str], int]:
    """The program with so many file descriptors, and its port."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    process = subprocess.Popen(
        [sys.executable, "-m", "plies", "serve", "--no-open", "--port", "0", *words],
        stdout=subprocess.PIPE,
        stderr=errors.open("w"),
        text=True,
        preexec_fn=limited,
    )
    assert process.stdout is not None
    found = re.search(r":(\d+)/", process.stdout.readline())
    assert found, errors.read_text()
    return process, int(found[1])


def cpu_seconds(process: subprocess.Popen[str]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("limit", [False, True], ids=["no limit of its own", "as it is"])
@pytest.mark.long
def test_without_file_descriptors_it_neither_spins_nor_floods(tmp_path: Path, limit: bool) -> None:
    errors = tmp_path / "errors"
    descriptors = 200 if limit else 60  # fewer than it spares: it may open 8 connections in any case
    process, port = served(descriptors=descriptors, errors=errors)
    try:
        with contextlib.ExitStack() as held:
            for _ in range(300):
                connection = socket.create_connection(("127.0.0.1", port), PATIENCE)
                held.enter_context(connection)
                with contextlib.suppress(OSError):
                    connection.sendall(GET)
            begun = cpu_seconds(process)
            time.sleep(2)
            assert cpu_seconds(process) - begun < 1
            assert len(list(Path(f"/proc/{process.pid}/fd").iterdir())) <= descriptors
        wait_for(lambda: httpx.get(f"http://127.0.0.1:{port}/", trust_env=False).status_code == 200)
        assert errors.stat().st_size < 2_000
    finally:
        process.kill()
        process.wait()


def test_a_connection_that_cannot_be_accepted_is_turned_away(caplog: pytest.LogCaptureFixture) -> None:
    with connections.ListeningSocket(socket.AF_INET, socket.SOCK_STREAM, 0) as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.setblocking(False)
        visitors = [socket.create_connection(listening.getsockname(), 5) for _ in range(3)]
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        highest = max(int(entry.name) for entry in Path("/proc/self/fd").iterdir())
        taken = []
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (highest + 1, hard))
            with contextlib.suppress(OSError):
                while True:
                    taken.append(socket.socket())
            for visitor in visitors[:2]:
                with pytest.raises(BlockingIOError):
                    listening.accept()
                assert visitor.recv(1) == b""
        finally:
            for one in taken:
                one.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        accepted, _ = listening.accept()
        accepted.close()
        for visitor in visitors:
            visitor.close()
    assert len(caplog.records) == 1
    assert "no file descriptors are left" in caplog.text
