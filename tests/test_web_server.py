"""The page's server over real sockets: what it serves and to whom, and what it says to whatever comes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import plies
from browser import ECHO, PATIENCE, Client, Site, wait_for
from documents import ROOT
from plies.web.catalogue import Catalogue
from plies.web.messages import PROTOCOL
from plies.web.protocol import LARGEST_MESSAGE

pytestmark = pytest.mark.plain

HTTP = httpx.Client(verify=False, trust_env=False)  # one for all: to make one takes long
STATIC = ROOT / "src" / "plies" / "web" / "static"


# -- Files and headers.


def test_a_page_and_all_it_needs_are_served_with_strict_headers(site: Site) -> None:
    paths = [
        "/",
        *(["/learn"] if (STATIC / "learn.html").exists() else []),
        "/static/picture.css",
        *(f"/static/{path.name}" for path in STATIC.iterdir()),
    ]
    for path in paths:
        reply = HTTP.get(site.address.rstrip("/") + path)
        assert reply.status_code == 200, path
        policy = reply.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["referrer-policy"] == "no-referrer"


def test_a_browser_asks_whether_its_files_are_still_right() -> None:
    site = Site(lasting=False)
    for path in ("", "static/picture.css", "static/icon.svg"):
        assert HTTP.get(site.address + path).headers["cache-control"] == "no-cache", path
    site.stop()


def test_every_file_that_is_referred_to_is_there(site: Site) -> None:
    for path in [*STATIC.glob("*.html"), *STATIC.glob("*.js")]:
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r'(?:src|href)="(/static/[^"]+)"|from "\.(/[^"]+)"', text):
            address = name[0] or f"/static{name[1]}"
            assert HTTP.get(site.address.rstrip("/") + address).status_code == 200, (path.name, address)


def test_nothing_is_fetched_from_elsewhere_and_nothing_is_inline() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8")
        addresses = set(re.findall(r"https?://[^\s\"'`)]+", text))
        assert addresses <= {"http://www.w3.org/2000/svg"}, path.name
        if path.suffix == ".html":
            assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text), path.name


@pytest.mark.parametrize(
    "path",
    [
        "static/../app.py",
        "static/%2e%2e/app.py",
        "static/..%2fapp.py",
        "static//etc/passwd",
        "app.py",
        "ws",
        "",
    ],
)
def test_no_other_file_is_served(site: Site, path: str) -> None:
    method = "GET" if path else "POST"
    reply = HTTP.request(method, site.address + path)
    assert reply.status_code in (404, 405)
    assert reply.text == "Not found."


@pytest.mark.parametrize(
    ("host", "welcome"),
    [
        ("localhost:{port}", True),
        ("127.0.0.1:{port}", True),
        ("[::1]:{port}", True),
        ("evil.example", False),
        ("localhost.evil.example:{port}", False),
        ("127.0.0.1.evil.example", False),
        ("evil@localhost", False),
        ("localhost/evil", False),
        ("localhost:x", False),
        ("", False),
    ],
)
def test_a_foreign_host_is_refused(site: Site, host: str, welcome: bool) -> None:
    reply = HTTP.get(site.address, headers={"Host": host.format(port=site.port)})
    assert reply.status_code == (200 if welcome else 421)


@pytest.mark.parametrize(
    ("origin", "welcome"),
    [
        (None, True),
        ("http://127.0.0.1:{port}", True),
        ("http://evil.example", False),
        ("http://127.0.0.1:1", False),
        ("http://127.0.0.1.evil.example:{port}", False),
        ("null", False),
    ],
)
def test_a_socket_from_another_page_is_refused(site: Site, origin: str | None, welcome: bool) -> None:
    given = {} if origin is None else {"origin": origin.format(port=site.port)}
    if welcome:
        with site.client(**given) as client:
            assert client.view("nim")["mover"] == 0
    else:
        with pytest.raises(InvalidStatus, match="403"):
            site.client(**given)


def test_a_socket_with_a_foreign_host_is_refused(site: Site) -> None:
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    headers["Sec-WebSocket-Key"] = "MDEyMzQ1Njc4OWFiY2RlZg=="
    for host, code in ((f"127.0.0.1:{site.port}", 101), ("evil.example", 403)):
        with HTTP.stream("GET", f"{site.address}ws", headers={**headers, "Host": host}) as reply:
            assert reply.status_code == code


# -- Requests.


def moved(client: Client, view: dict[str, Any], position: dict[str, Any]) -> dict[str, Any]:
    """The view after a random move, which all players may have made at once."""
    if view["mover"] == plies.SIMULTANEOUS:
        asked = [{**position, "algorithm": "random", "player": player} for player in (0, 1)]
        choices = [client.ask("choose", **fields)["choice"] for fields in asked]
        after: dict[str, Any] = client.ask("together", **position, choices=choices)
    else:
        after = client.ask("move", **position, algorithm="random")
    return after


def test_every_game_can_be_shown_and_moved_in(client: Client) -> None:
    games = client.ask("games")
    assert [game["name"] for game in games] == ["echo", *plies.game_names()]
    for game in games:
        name = game["name"]
        assert game["rules"]
        details = client.ask("game", game=name)["details"]
        assert details["kinds"][0]["name"] == "engine"
        assert details["formats"][-3:] == ["json", "svg", "html"]
        moves: list[str] = []
        for _ in range(3):
            view = client.view(name, *moves)
            assert view["svg"].startswith("<svg")
            assert "<style" not in view["svg"]
            assert " style=" not in view["svg"]
            if view["over"]:
                break
            cells = set(view["cells"])
            assert all(set(one["squares"]) <= cells for one in view["legal"])
            if view["mover"] == -1:
                after = client.ask("chance", game=name, moves=moves)
                assert after["moves"][:-1] == moves
                moves = after["moves"]
            else:
                after = moved(client, view, {"game": name, "moves": moves})
                assert after["moves"][-1] in [one["move"] for one in view["legal"]]
                assert after["moves"][:-1] == moves
                moves = after["moves"]
        if view["position"]:
            again = client.view(name, position=view["position"])
            assert again["position"] == view["position"]


def test_the_end_of_a_game_is_told(client: Client) -> None:
    view = client.view("tic-tac-toe", *"12457")
    assert (view["over"], view["mover"], view["legal"]) == (True, None, [])
    assert view["status"] == "X wins after 5 moves."
    assert client.view("tic-tac-toe", *"123546879")["status"] == "Draw after 9 moves."
    assert "comes after the end" in client.error("view", game="tic-tac-toe", moves=[*"124578"])
    knights = ["Nf3", "Nf6", "Ng1", "Ng8"] * 2
    assert "occurs for the third time" in client.view("chess", *knights)["status"]


def test_moves_may_be_typed_loosely_and_come_back_as_they_are_written(client: Client) -> None:
    assert client.view("chess", "E2E4", " e7e5 ", "ng1f3")["moves"] == ["e4", "e5", "Nf3"]


def test_a_request_may_go_anywhere_from_the_last_one(client: Client) -> None:
    """What the server remembers of the last request is a shortcut, and makes no difference."""
    for moves in ("445", "4453", "4", "", "3344", "3345", "33"):
        view = client.view("connect-four", *moves)
        assert view["moves"] == list(moves)
        assert view["position"] == plies.ConnectFour().position(plies.ConnectFour().parse_position(moves))
    assert client.error("view", game="connect-four", moves=["4", "9"])
    assert client.view("connect-four", "4")["moves"] == ["4"]


def test_dice_fall_by_the_seed() -> None:
    rolls = []
    for _ in range(2):
        site = Site()
        with site.client() as client:
            rolls.append([client.ask("chance", game="backgammon")["moves"][0] for _ in range(5)])
        site.stop()
    assert rolls[0] == rolls[1]
    assert len(set(rolls[0])) > 1


def test_records_out_and_in(client: Client) -> None:
    for game, moves, form in (
        ("chess", ["e4", "e5", "Nf3"], "pgn"),
        ("go", ["E5", "pass", "C3"], "sgf"),
        ("checkers", ["11-15", "23-19"], "pdn"),
        ("nim", ["A1"], "json"),
    ):
        first = client.view(game)["legal"][0]["move"] if game == "nim" else ""
        moves = [first] if first else moves
        text = client.ask("write_record", game=game, moves=moves, format=form)
        record = client.ask("read_record", text=text)
        assert (record["left_out"], record["game"], record["moves"]) == ([], game, moves)
        assert client.ask("view", **place_of(record))["moves"] == moves


def place_of(record: dict[str, Any]) -> dict[str, Any]:
    """The fields of a message that name the position of a record."""
    return {name: record[name] for name in ("game", "parameters", "position", "moves")}


def test_a_picture_that_goes_out_has_its_colours(client: Client) -> None:
    text = client.ask("write_record", game="chess", moves=["e4"], format="svg")
    assert text.startswith("<svg")
    assert "<style>" in text


def test_a_record_keeps_parameters_and_position(client: Client) -> None:
    place = {"game": "go", "parameters": {"size": "5", "komi": "0.5"}, "moves": ["C3"]}
    record = client.ask("read_record", text=client.ask("write_record", **place, format="json"))
    assert record["left_out"] == []
    assert record["parameters"]["size"] == "5"
    assert client.ask("view", **place_of(record))["moves"] == ["C3"]
    position = client.view("chess", "e4")["position"]
    text = client.ask("write_record", game="chess", position=position, moves=["e5"], format="pgn")
    record = client.ask("read_record", text=text)
    assert record["position"] == position


def test_a_game_of_ones_own(client: Client) -> None:
    view = client.view("echo", parameters={"matches": "9"})
    assert [one["move"] for one in view["legal"]] == ["1", "2", "3"]
    found = client.ask("analyse", game="echo", parameters={"matches": "9"}, lines=3)
    assert found["value"]["proved"]
    assert found["value"]["text"].startswith("win in")


@pytest.mark.long
def test_every_player_makes_a_legal_move(client: Client) -> None:
    for game in ("tic-tac-toe", "pig", "pirates", "peg-solitaire"):
        legal = [one["move"] for one in client.view(game)["legal"]]
        for kind in client.ask("game", game=game)["details"]["kinds"]:
            level = kind["levels"][0]["name"]
            move = client.move(game, kind["name"], level=level)
            assert move in legal, (game, kind["name"], move)


def test_an_analysis_is_a_stream_that_ends_with_what_is_proved(client: Client) -> None:
    number = client.send("analyse", game="tic-tac-toe", moves=["1", "5", "2"], lines=9)
    results = []
    while "result" not in (reply := client.hear()):
        assert reply["id"] == number
        results.append(reply["info"])
    found = reply["result"]
    assert results
    assert found["move"] == "3"
    assert {score["move"] for score in found["scores"]} == set("346789")
    worth = {"text": "draw", "utility": 0, "lead": 0, "proved": True, "bound": "=", "chance": 0.5}
    assert found["value"] == worth | {"other": worth}  # a draw is the same for either
    assert "key" in found["rests_on"]
    lost = next(score for score in found["scores"] if score["move"] == "9")
    assert (lost["value"]["proved"], lost["value"]["chance"]) == (True, 0.0)
    assert found["nodes"] > 0
    assert found["lines"][0][0] == "3"


def test_algorithms_of_the_book_are_stopped_as_soon_as_any(site: Site, client: Client) -> None:
    client.send("analyse", game="connect-four", algorithm="book:minimax")
    depths = [reply["info"]["depth"] for reply in (client.hear() for _ in range(2)) if "info" in reply]
    assert depths == sorted(depths)
    assert client.ask("stop")
    wait_for(lambda: site.server.searches.load == (0, 0))
    found = client.ask("analyse", game="sum-to-two", algorithm="book:max-n")
    assert (found["value"]["utility"], found["value"]["proved"]) == (1, True)


def test_a_puzzle_is_analysed_for_longer_and_longer(client: Client) -> None:
    found = client.ask("analyse", game="peg-solitaire", seconds=1)
    assert found["algorithm"] == "depth-first"
    assert len(found["lines"][0]) > 5


# -- What is refused.

BAD: list[tuple[Any, str]] = [
    ("", "JSON object"),
    ("{", "JSON object"),
    ("[]", "JSON object"),
    ("NaN", "JSON object"),
    ('{"id": 1, "type": "stop", "x": Infinity}', "JSON object"),
    ("[" * 30_000, "JSON object"),
    ('{"type": "games"}', "must have an id"),
    ('{"id": true, "type": "games"}', "must have an id"),
    ('{"id": -1, "type": "games"}', "must have an id"),
    ('{"id": 1e3, "type": "games"}', "must have an id"),
    ({}, "type must be one of"),
    ({"type": "eval"}, "type must be one of"),
    ({"type": ["view"]}, "type must be one of"),
    ({"type": "games", "extra": 1}, "games has no field 'extra'"),
    ({"type": "view"}, "the field 'game' is missing"),
    ({"type": "view", "game": 5}, "game must be text"),
    ({"type": "view", "game": "nim", "moves": "1"}, "moves must be a list"),
    ({"type": "view", "game": "nim", "moves": [1]}, "an item of moves must be text"),
    ({"type": "view", "game": "nim", "moves": ["1"] * 2001}, "at most 2,000"),
    ({"type": "view", "game": "nim", "moves": ["1" * 201]}, "at most 200 characters"),
    ({"type": "view", "game": "nim", "position": "x" * 2001}, "at most 2,000 characters"),
    ({"type": "view", "game": "nim", "parameters": []}, "parameters must be an object"),
    ({"type": "view", "game": "nim", "parameters": {"heaps": 3}}, "heaps must be text"),
    ({"type": "view", "game": "nim", "parameters": {f"p{i}": "" for i in range(21)}}, "at most 20"),
    ({"type": "move", "game": "nim"}, "the field 'algorithm' is missing"),
    ({"type": "analyse", "game": "nim", "lines": 0}, "lines must be a whole number from 1 to 2,000"),
    ({"type": "analyse", "game": "nim", "lines": 1.5}, "lines must be a whole number"),
    ({"type": "analyse", "game": "nim", "seconds": 1e9}, "seconds must be a number from 0.01 to 60"),
    ({"type": "write_record", "game": "nim", "format": 1}, "format must be text"),
    ({"type": "write_record", "game": "nim", "format": "pgn"}, "nim is written as json"),
    ({"type": "read_record", "text": "{}"}, "is not a record"),
    ({"type": "read_record", "text": "hello"}, "is not a legal move"),
    ({"type": "view", "game": "no-such"}, "there is no game 'no-such'"),
    ({"type": "view", "game": ECHO}, "there is no game"),
    ({"type": "view", "game": "nim", "moves": ["x"]}, "is not a legal move"),
    ({"type": "view", "game": "chess", "position": "rubbish"}, "rubbish"),
    ({"type": "view", "game": "nim", "parameters": {"size": "3"}}, "is not a parameter of Nim"),
    ({"type": "view", "game": "nim", "parameters": {"heaps": "999999999"}}, "at most 100,000"),
    ({"type": "view", "game": "nim", "parameters": {"heaps": "50000"}}, "too many for the page"),
    ({"type": "view", "game": "pirates", "parameters": {"coins": "9999"}}, "too many for the page"),
    (
        {"type": "view", "game": "kalah", "parameters": {"houses": "1", "seeds": "900000000"}},
        "at most 100,000",
    ),
    ({"type": "view", "game": "tree", "parameters": {"tree": "pyproject.toml"}}, "must be JSON"),
    ({"type": "view", "game": "tree", "parameters": {"tree": "Makefile"}}, "must be JSON"),
    ({"type": "view", "game": "pacman", "parameters": {"layout": "/tmp/x.lay"}}, "the page reads no files"),
    ({"type": "view", "game": "pacman", "parameters": {"layout": "x.lay"}}, "the page reads no files"),
    ({"type": "view", "game": "backgammon", "parameters": {"network": "x.npz"}}, "cannot be set on the page"),
    ({"type": "view", "game": "kalah", "parameters": {"weights": "1,2"}}, "cannot be set on the page"),
    ({"type": "chance", "game": "nim"}, "this is not a chance node"),
    ({"type": "move", "game": "nim", "algorithm": "human"}, "nim has no player 'human'"),
    ({"type": "move", "game": "nim", "algorithm": "engine", "level": "99"}, "has no level '99'"),
    ({"type": "move", "game": "backgammon", "algorithm": "engine"}, "this is a chance node"),
    ({"type": "analyse", "game": "nim", "algorithm": "random"}, "does not evaluate positions"),
    ({"type": "analyse", "game": "tic-tac-toe", "moves": [*"12457"]}, "the game is over"),
]


@pytest.mark.parametrize(("message", "sentence"), BAD, ids=lambda value: str(value)[:50])
def test_what_cannot_be_done_is_a_sentence(client: Client, message: Any, sentence: str) -> None:
    if isinstance(message, str):
        client.socket.send(message)
        reply = client.hear()
    else:
        reply = client.last_reply(**message)
        assert reply["id"] == client.number
    assert sentence in reply["error"]
    assert "Traceback" not in reply["error"]
    assert "\n" not in reply["error"]
    assert client.view("nim")["mover"] == 0  # and the connection is as good as before


def test_bytes_that_are_no_text_are_refused(client: Client) -> None:
    client.socket.send(b"\xff\xfe")
    assert "JSON object" in client.hear()["error"]


def test_a_message_that_is_too_large_ends_the_connection(site: Site, client: Client) -> None:
    client.send("read_record", text="x" * 70_000)
    with pytest.raises(ConnectionClosed) as closed:
        client.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    with site.client() as other:
        assert other.view("nim")["mover"] == 0


def test_the_page_knows_how_large_a_message_may_be() -> None:
    source = (STATIC / "connection.js").read_text(encoding="utf-8")
    assert f"const LARGEST = {LARGEST_MESSAGE:_};" in source


def test_too_many_messages_are_refused_and_then_the_client_is_sent_away(site: Site) -> None:
    with site.client() as client:
        with contextlib.suppress(ConnectionClosed):  # which may be before all are sent
            for _ in range(300):
                client.send("stop")
        replies = []
        with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012, one of many answers is the last
            while True:
                replies.append(client.hear())
        assert any("wait a moment" in reply.get("error", "") for reply in replies)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
WORDS = st.sampled_from(
    ["nim", "tic-tac-toe", "chess", "tree", "pacman", "1", "e4", "engine", "json", "../x"]
)
ANY = WORDS | JSON
MESSAGES = st.fixed_dictionaries(
    {
        "id": st.integers(0, 9) | JSON,
        "type": st.sampled_from(sorted(PROTOCOL.types)) | JSON,
    },
    optional={
        "game": ANY,
        "parameters": st.dictionaries(st.text(max_size=8) | WORDS, ANY, max_size=3) | JSON,
        "position": ANY,
        "moves": st.lists(ANY, max_size=4) | JSON,
        "tree": ANY,
        "level": ANY,
        "algorithm": ANY,
        "lines": st.integers(1, 5) | JSON,
        "seconds": st.just(0.01),
        "format": ANY,
        "text": ANY,
    },
)


@settings(max_examples=60)
@given(
    message=MESSAGES.map(lambda data: json.dumps(data).encode())
    | JSON.map(lambda data: json.dumps(data).encode())
    | st.binary(max_size=200)
)
def test_whatever_comes_gets_an_answer_and_leaves_the_server_well(site: Site, message: bytes) -> None:
    with site.client() as client:
        client.socket.send(message, text=False)
        client.number = 1_000_000  # an id that no message above has
        number = client.send("view", game="sum-to-two")
        while (reply := client.hear())["id"] != number:
            assert len(reply) == 2
            assert "Traceback" not in json.dumps(reply)
            if "error" in reply:
                assert "\n" not in reply["error"]
        assert reply["result"]["mover"] == 0


# -- Many clients.


def test_a_search_ends_when_its_client_leaves() -> None:
    site = Site()
    searches = site.server.searches
    with site.client() as client:
        client.send("analyse", game="chess")
        wait_for(lambda: searches.load == (1, 0))
        while "info" not in client.hear():  # it may have to be compiled first
            pass
    wait_for(lambda: searches.load == (0, 0))
    wait_for(lambda: not site.server.clients)
    site.stop()


def test_a_search_ends_when_it_is_stopped_or_another_is_asked_for(site: Site, client: Client) -> None:
    first = client.send("analyse", game="connect-four")
    while "info" not in client.hear():
        pass
    second = client.send("analyse", game="connect-four", moves=["4"])
    heard = [client.hear() for _ in range(3)]
    assert heard[-1]["id"] == second
    assert client.ask("stop")
    wait_for(lambda: site.server.searches.load == (0, 0))
    assert first != second


@pytest.mark.long
def test_a_hundred_clients_are_served_fairly() -> None:
    """Nobody waits for more than a turn of all others; meanwhile the server answers at once."""
    site = Site(workers=3)
    results = [0] * 100
    slowest = 0.0

    async def analyse(number: int, all_served: asyncio.Event) -> None:
        async with connect(f"ws://127.0.0.1:{site.port}/ws", max_size=None) as socket:
            moves = [str(1 + number % 7), str(1 + number // 7 % 7)]
            message = {"id": 1, "type": "analyse", "game": "connect-four", "moves": moves}
            await socket.send(json.dumps(message))
            while not all_served.is_set():
                try:
                    reply = json.loads(await asyncio.wait_for(socket.recv(), 0.5))
                except TimeoutError:
                    continue
                results[number] += "info" in reply
                assert "error" not in reply
                if min(results) >= 1:
                    all_served.set()

    async def look(all_served: asyncio.Event) -> None:
        nonlocal slowest
        async with connect(f"ws://127.0.0.1:{site.port}/ws", max_size=None) as socket:
            while not all_served.is_set():
                begun = time.monotonic()
                await socket.send(json.dumps({"id": 1, "type": "view", "game": "tic-tac-toe"}))
                await socket.recv()
                slowest = max(slowest, time.monotonic() - begun)
                await asyncio.sleep(0.2)

    async def everybody() -> None:
        all_served = asyncio.Event()
        people = [analyse(number, all_served) for number in range(100)]
        await asyncio.wait_for(asyncio.gather(*people, look(all_served)), 60)

    with ThreadPoolExecutor(1) as thread:  # this one may have a loop already, that of a browser
        thread.submit(lambda: asyncio.run(everybody())).result()
    assert min(results) >= 1
    assert max(results) <= 40  # nobody had all the time
    assert slowest < 5
    wait_for(lambda: site.server.searches.load == (0, 0))
    site.stop()


# -- The program.


def serve(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "plies", "serve", "--no-open", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_the_program_tells_its_address_and_ends_quietly() -> None:
    process = serve("--port", "0", "--game", ECHO)
    assert process.stdout is not None
    said = process.stdout.readline()
    address = re.search(r"http://127\.0\.0\.1:\d+/", said)
    assert address, said
    assert "Plies" in HTTP.get(address[0]).text
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=PATIENCE)
    assert (out, errors, process.returncode) == ("", "", 0)


def test_a_port_that_is_taken_is_a_sentence(site: Site) -> None:
    process = serve("--port", str(site.port))
    _, errors = process.communicate(timeout=PATIENCE)
    assert (
        errors
        == f"plies: port {site.port} is in use; choose another with --port, or any free one with --port 0\n"
    )
    assert process.returncode == 2


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "starlette.py").write_text("raise ModuleNotFoundError('no', name='starlette')")
    command = "import sys; from plies.cli import run; sys.exit(run(['serve']))"
    done = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.stderr == "plies: the page needs Starlette and uvicorn: pip install 'plies[web]'\n"
    assert done.returncode == 2


def test_a_file_that_holds_no_game_is_refused_at_once() -> None:
    process = serve("--game", "no_such.py:Game")
    _, errors = process.communicate(timeout=PATIENCE)
    assert errors == "plies: there is no file 'no_such.py'\n"


def test_only_so_many_games_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plies.web.catalogue.MOST_COMPILED", 2)
    catalogue = Catalogue()
    for size in ("3", "4"):
        assert catalogue.searched("nim", [("heaps", size)]).compiled is None
    assert catalogue.game("nim", [("heaps", "5")]).compiled is None  # looking costs nothing
    assert catalogue.searched("nim", [("heaps", "5")]).compiled is False
    assert catalogue.searched("nim", [("heaps", "3")]).compiled is None


def test_two_games_of_ones_own_may_have_one_name() -> None:
    catalogue = Catalogue([ECHO, ECHO])
    assert catalogue.file_games == ["echo", "echo-2"]
    assert catalogue.names[:2] == ["echo", "echo-2"]


BROKEN = """
import math
import plies

class Broken(plies.Game):
    def initial(self):
        return 0
    def to_move(self, state):
        return state % 2
    def actions(self, state):
        yield from (1, 2, 3)
    def result(self, state, action):
        if action == 3:
            raise ZeroDivisionError("three\\nis bad")
        return state + action
    def is_terminal(self, state):
        return state >= 6
    def utility(self, state, player):
        return math.inf if player == 0 else -math.inf
"""


def test_a_game_full_of_errors_gets_sentences(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN)
    site = Site(games=(f"{tmp_path / 'broken.py'}:Broken",))
    with site.client() as client:
        assert client.view("broken", "1")["mover"] == 1
        assert client.error("view", game="broken", moves=["3"]) == "ZeroDivisionError: three is bad"
        assert "not finite" in client.error("view", game="broken", moves=["2", "2", "2"])
        assert "ZeroDivisionError" in client.error("analyse", game="broken")
        assert "ZeroDivisionError" in client.error("move", game="broken", algorithm="reflex")
        for _ in range(5):  # a random player takes the bad move, too
            reply = client.last_reply(type="move", game="broken", algorithm="random")
            if "result" in reply:
                assert reply["result"]["moves"] in (["1"], ["2"])
            else:
                assert "ZeroDivisionError" in reply["error"]
    site.stop()
