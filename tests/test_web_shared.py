"""Two people at two pages: who is let in, whose move it is, clocks, offers, and connections that are lost."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from browser import PATIENCE, Client, Site
from plies.errors import PliesError
from plies.web import access, serve, sharing
from plies.web.protocol import PositionSpec
from plies.web.shared_game import SharedGame
from test_web_play import click, moves, serious, until, wait_status

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.plain

KEYS = ("a" * 32, "b" * 32, "c" * 32)
"""Those of two players and of somebody who watches."""


@pytest.fixture(scope="module")
def shared_site() -> Iterator[Site]:
    site = Site(share=True)
    yield site
    site.stop()


class Player(Client):
    """A page of a shared game, without a browser."""

    def __init__(self, site: Site, key: str) -> None:
        super().__init__(site.client().connection)
        self.key, self.id = key, ""
        self.state: dict[str, Any] = {}

    def hear(self) -> dict[str, Any]:
        reply = super().hear()
        if "info" in reply:
            self.state = reply["info"]
        return reply

    def join(self, id_: str) -> None:
        self.id = id_
        self.send("join", shared=id_, key=self.key)
        self.hear()

    def until(self, condition: Any) -> dict[str, Any]:
        while not self.state or not condition(self.state):
            self.hear()
        return self.state

    def move(self, move: str, ply: int | None = None) -> dict[str, Any]:  # type: ignore[override]
        ply = len(self.state["view"]["moves"]) if ply is None else ply
        return self.last_reply(type="shared_move", shared=self.id, key=self.key, ply=ply, move=move)

    def act(self, action: str) -> dict[str, Any]:
        about = {"shared": self.id, "key": self.key, "round": self.state["round"]}
        return self.last_reply(type="shared_act", action=action, **about)


@pytest.fixture
def two(shared_site: Site) -> Iterator[Any]:
    """Makes a game, and two players at it; the first has the first seat."""
    players: list[Player] = []

    def made(game: str, **fields: Any) -> list[Player]:
        players.extend(Player(shared_site, key) for key in KEYS[:2])
        made = players[0].ask("share", game=game, key=KEYS[0], seat=0, **fields)
        for player in players:
            player.join(made["shared"])
        players[0].until(lambda state: all(state["taken"]))
        return players

    yield made
    for player in players:
        player.__exit__()


def played(*players: Player, count: int) -> None:
    """Wait until all have heard of so many moves."""
    for player in players:
        player.until(lambda state: len(state["view"]["moves"]) == count)


# -- Who is let in.


def test_other_machines_need_the_token(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "is_loopback", lambda host: False)  # as if all came from elsewhere
    token = site.uvicorn.config.app.token  # type: ignore[union-attr]
    with httpx.Client(base_url=site.address, trust_env=False) as http:
        for path in ("/", "/learn", "/static/play.js", "/?token=", "/?token=x", f"/?token={token}&token=x"):
            reply = http.get(path)
            assert (reply.status_code, "token" in reply.text) == (403, True), path
        http.cookies.set(f"plies-{site.port}", token[:-1])
        assert http.get("/").status_code == 403
        http.cookies.clear()
        reply = http.get(f"/learn?token={token}")
        assert (reply.status_code, reply.headers["location"]) == (303, "/learn")
        assert {"HttpOnly", "SameSite=lax"} <= set(reply.headers["set-cookie"].split("; "))
        assert http.get("/static/play.js").status_code == 200  # by the cookie
        reply = http.get(f"//evil.example/?token={token}")
        assert reply.headers["location"] == "/"
        cookie = f"plies-{site.port}={token}"
    with pytest.raises(InvalidStatus):
        site.client()
    with pytest.raises(InvalidStatus):
        site.client(additional_headers={"X-Forwarded-For": "127.0.0.1"})
    with site.client(additional_headers={"Cookie": cookie}) as client:
        assert client.view("nim")["moves"] == []
    with pytest.raises(InvalidStatus):  # a page of another site, in a browser that has the cookie
        site.client(additional_headers={"Cookie": cookie}, origin="http://evil.example")


def test_only_loopback_is_this_machine() -> None:
    for host in ("127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "localhost"):
        assert sharing.is_loopback(host)
    for host in (
        "192.168.0.2",
        "0.0.0.0",
        "::",
        "fe80::1",
        "::ffff:192.168.0.2",
        "localhost.evil.example",
        "",
    ):
        assert not sharing.is_loopback(host)
    assert sharing.network_address("192.168.7.7") == "192.168.7.7"
    assert sharing.network_address("0.0.0.0") not in sharing.ANYWHERE
    assert len({sharing.new_token() for _ in range(9)}) == 9
    assert len(sharing.new_token()) >= 22


def test_the_program_prints_a_link_with_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve.uvicorn.Server, "run", lambda *_, **__: None)
    monkeypatch.setattr(serve, "note_served", lambda *_: None)
    for how, local, lines in (
        ({}, True, 1),
        ({"share": True}, True, 2),
        ({"host": "0.0.0.0"}, True, 2),
        ({"host": sharing.network_address("0.0.0.0")}, False, 1),
    ):
        said: list[str] = []
        serve.serve(port=0, say=said.append, **how)
        assert len(said) == lines, said
        assert said[0].startswith("Serving Plies at http://127.0.0.1:") == local
        assert ("?token=" in said[-1]) == (how != {})
        assert "127.0.0.1" not in said[-1] or how == {}
    assert sharing.qr_text(said[0]).count("\n") > 10


# -- Hostile messages.


def test_sharing_is_off_unless_asked_for(client: Client) -> None:
    assert "plies serve --share" in client.error("share", game="nim", key=KEYS[0])
    assert "plies serve --share" in client.error("join", shared="x", key=KEYS[0])


def test_nobody_moves_for_another_or_out_of_turn(two: Any, shared_site: Site) -> None:
    white, black = two("tic-tac-toe")
    with Player(shared_site, KEYS[2]) as other:
        other.join(white.id)
        assert other.state["seat"] is None
        assert "you watch" in other.move("1")["error"]
        assert "you watch" in other.act("resign")["error"]
        assert KEYS[0] not in json.dumps(other.state)  # nobody sees a key
    assert "not your turn" in black.move("1")["error"]
    assert "not a legal move" in white.move("10")["error"]
    assert "ply 4" in white.move("1", ply=3)["error"]
    assert white.move("1") == {"id": white.number, "result": True}
    played(white, black, count=1)
    assert "not your turn" in white.move("2")["error"]
    assert white.move("1", ply=0)["result"] is True  # sent again after a lost connection: made once
    assert black.move("1")["error"].startswith("'1' is not")
    for wrong in ({"action": "win"}, {"action": 3}, {"action": "draw", "seat": 1}):
        about = {"shared": white.id, "key": white.key, "round": 1, **wrong}
        assert "error" in white.last_reply(type="shared_act", **about)
    assert "not open any more" in white.error("join", shared="nonsense", key=KEYS[0])
    assert "16 characters" in white.error("join", shared=white.id, key="short")
    assert "at most 64" in white.error("join", shared=white.id, key="x" * 65)
    for game, words in (("pig", ""), ("peg-solitaire", "has 1"), ("nonsense", "no game")):
        reply = white.last_reply(type="share", game=game, key=KEYS[0])
        assert words in reply.get("error", ""), game
    over = {"game": "tic-tac-toe", "moves": list("12457"), "key": KEYS[0]}
    assert "the game is over here" in white.error("share", **over)
    played(white, black, count=1)


def hammer(player: Player, times: int, **message: Any) -> int:
    """Send a message many times; how often it was refused until the server has closed the connection."""
    refused = 0
    with contextlib.suppress(ConnectionClosed):
        for _ in range(times):
            player.send_raw(**message)
    with contextlib.suppress(ConnectionClosed):
        while True:
            refused += "error" in player.hear()
    return refused


def test_floods_and_huge_messages_reach_nobody_else(two: Any, shared_site: Site) -> None:
    white, black = two("nim")
    bad = {"type": "shared_move", "shared": white.id, "key": black.key, "ply": 0, "move": "2:3"}
    assert hammer(black, 2_000, **bad) >= 100
    white.until(lambda state: not state["here"][1])
    with Player(shared_site, KEYS[1]) as huge:
        hammer(huge, 1, type="join", shared=white.id, key="x" * 100_000)
    back = Player(shared_site, KEYS[1])
    back.join(white.id)
    assert back.state["seat"] == 1  # the seat is still theirs
    assert white.move("2:3")["result"]
    played(back, count=1)
    back.__exit__()


def a_game(id_: str, **settings: Any) -> SharedGame:
    view = {"moves": [], "over": False, "mover": 0}
    return SharedGame(id_, PositionSpec("nim"), ["A", "B"], view, **settings)


class Page:
    """A page that is told things."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def push(self, state: dict[str, Any]) -> None:
        self.state = state


def test_there_are_so_many_games_and_watchers(monkeypatch: pytest.MonkeyPatch) -> None:
    hall: Any = sharing.Sharing("http://192.168.0.2:8000/", "t0ken")
    monkeypatch.setattr(sharing, "MOST_GAMES", 2)
    monkeypatch.setattr(sharing, "MOST_WATCHING", 1)
    first, second, third = map(a_game, "abc")
    pages = [Page(), Page()]
    for game in (first, second):
        hall.open(game)
    assert hall.link_to(first) == "http://192.168.0.2:8000/?token=t0ken#shared=a"
    for key in KEYS[:2]:
        first.take(key)
    hall.admit(first, pages[0], KEYS[0])
    with pytest.raises(PliesError, match="as many people watch"):
        hall.admit(first, pages[1], KEYS[2])
    hall.admit(first, pages[1], KEYS[1])  # a player always finds room
    with pytest.raises(PliesError, match="too many shared games"):
        hall.open(third)
    second.used -= sharing.ABANDONED
    hall.open(third)  # in place of one that nobody follows
    assert hall.find("c") is third
    with pytest.raises(PliesError, match="not open any more"):
        hall.find("b")
    hall.admit(third, pages[0], KEYS[2])  # a page follows one game
    assert pages[1].state["here"] == [False, True]
    hall.leave(pages[0])
    assert list(hall.games) == ["a", "c"]


# -- Playing.


def test_a_game_with_offers_and_a_rematch(two: Any) -> None:
    white, black = two("chess")
    assert "after the game" in white.act("rematch")["error"]
    assert white.act("draw")["result"]
    assert black.until(lambda state: state["offered"])["offered"] == {"draw": 0}
    assert white.move("e4")["result"]  # one's own move leaves the offer
    played(white, black, count=1)
    assert black.state["offered"] == {"draw": 0}
    assert black.move("e5")["result"]  # the other's declines it
    played(white, black, count=2)
    assert white.state["offered"] == {}
    black.act("draw")
    white.act("decline")
    black.until(lambda state: not state["offered"])
    black.act("draw")
    white.act("draw")
    for one in (white, black):
        assert one.until(lambda state: state["outcome"])["outcome"] == {"winner": None, "how": "agreed"}
    assert "the game is over" in white.move("Nf3")["error"]
    assert "the game is over" in white.act("resign")["error"]
    white.act("rematch")
    black.act("rematch")
    for one, seat in ((white, 1), (black, 0)):
        state = one.until(lambda state: state["round"] == 2)
        assert (state["seat"], state["view"]["moves"], state["outcome"]) == (seat, [], None)
    assert "not your turn" in white.move("e4")["error"]
    assert black.move("e4")["result"]
    white.state["round"] = 1
    assert white.act("resign")["result"]  # sent again, too late: it was about the game before
    assert black.act("resign")["result"]
    outcome = white.until(lambda state: state["outcome"])["outcome"]
    assert outcome == {"winner": 1, "how": "resigned"}


def test_dice_and_choices_at_once(two: Any, shared_site: Site) -> None:
    white, black = two("backgammon")
    first = white.state["view"]
    assert (len(first["moves"]), first["movers"]) == (1, [-1])  # the server has rolled
    mover = (white, black)[first["mover"]]
    assert mover.move(first["legal"][0]["move"])["result"]
    played(white, black, count=3)
    for one in (white, black):
        one.ask("leave")
    made = white.ask("share", game="goofspiel", key=KEYS[0], seat=0)
    for one in (white, black):
        one.state = {}
        one.join(made["shared"])
    white.until(lambda state: all(state["taken"]))
    assert white.move("3")["result"]
    assert "not your turn" in white.move("2")["error"]
    state = black.until(lambda state: state["acts"] == [1])
    assert "3" not in json.dumps({**state, "view": None})  # what the other has chosen is not seen
    assert "not a legal choice" in black.move("99")["error"]
    assert black.move("2")["result"]
    for one in (white, black):
        assert one.until(lambda state: state["view"]["moves"])["acts"] == [0, 1]


def test_a_game_from_a_file_is_shared_and_clocks_run_out(two: Any) -> None:
    white, black = two("echo", minutes=0.01)
    time.sleep(0.7)
    assert white.move(white.state["view"]["legal"][0]["move"])["result"]  # clocks start with the first move
    outcome = black.until(lambda state: state["outcome"])["outcome"]
    assert outcome == {"winner": 0, "how": "time"}
    assert (black.state["clocks"], len(black.state["view"]["moves"])) == ([0.6, 0.0], 1)
    assert "the game is over" in black.move(black.state["view"]["legal"][0]["move"])["error"]


def test_a_clock_counts_from_when_a_move_arrives() -> None:
    game = a_game("x", minutes=1, increment=2)
    for key in KEYS[:2]:
        game.take(key)
    game.moved(0, (0, "a"), time.monotonic())
    game.show({"moves": ["a"], "over": False, "mover": 1})
    begun = game.seats[1].since
    assert begun is not None
    assert game.seats[1].remaining(begun + 59) == pytest.approx(1)
    assert not game.time_is_over(begun + 59.9)
    game.moved(1, (1, "b"), begun + 59)
    assert game.seats[1].left == pytest.approx(3)
    game.show({"moves": ["a", "b"], "over": False, "mover": 0})
    assert game.time_is_over(begun + 1_000)
    assert game.outcome == {"winner": 1, "how": "time"}
    with pytest.raises(PliesError, match="over"):
        game.check_turn(0, 2)


# -- In the browser.


def both_pages(browser: Browser, site: Site, link: str, **settings: Any) -> list[Page]:
    pages = []
    for _ in range(2):
        page = browser.new_context(viewport={"width": 1100, "height": 800}, **settings).new_page()
        page.set_default_timeout(1000 * PATIENCE)
        pages.append(page)
    pages[0].goto(site.address + link)
    return pages


@pytest.mark.early
def test_two_people_who_lose_their_connection(browser: Browser) -> None:
    site = Site(share=True)
    white, black = both_pages(browser, site, "#game=tic-tac-toe", reduced_motion="reduce")
    wait_status(white, "X to move.")
    white.click("#share")
    white.select_option("#share-side", "0")
    white.select_option("#share-clock", "30+20")
    white.click("#share-form button")
    white.wait_for_selector("#qr svg path")
    link = white.input_value("#share-link")
    assert "token=" in link
    black.goto(link)  # the token is kept, and does not stay in the address
    wait_status(black, "X to move.")
    assert "token" not in black.url
    until(white, "!document.getElementById('share-dialog').open")
    assert not white.is_visible("#analysis-card")  # nobody helps
    click(black, "1")  # not their turn
    click(white, "5")
    for page in (white, black):
        wait_status(page, "X: 5. O to move.")
        assert moves(page) == ["5"]
    assert ":" in white.inner_text("#shared-players li:first-child .clock")
    # The server closes both connections; what is clicked meanwhile is not lost.
    for client in list(site.server.clients):
        client.loop.call_soon_threadsafe(client.loop.create_task, client.close(1012, "restarting"))
    click(black, "1")
    for page in (white, black):
        wait_status(page, "O: 1. X to move.")
    black.reload()  # the seat is still theirs
    wait_status(black, "O: 1. X to move.")
    black.close()
    until(white, "document.getElementById('shared-players').textContent.includes('lost the connection')")
    click(white, "2")
    wait_status(white, "X: 2.")
    site_again = black.context.new_page()
    site_again.goto(link)
    wait_status(site_again, "X: 2. O to move.")
    click(site_again, "8")
    wait_status(white, "O: 8. X to move.")
    site_again.click("#shared-draw")
    until(white, "document.getElementById('shared-draw').textContent === 'Accept the draw'")
    white.click("#shared-draw")
    for page in (white, site_again):
        wait_status(page, "Draw agreed.")
    white.click("#shared-rematch")
    until(site_again, "document.getElementById('shared-rematch').textContent === 'Accept the rematch'")
    site_again.click("#shared-rematch")
    for page in (white, site_again):
        until(page, "document.querySelectorAll('#moves button').length === 0")
    click(site_again, "9")  # sides are swapped
    for page in (white, site_again):
        wait_status(page, "X: 9. O to move.")
    site.stop()
    for page in (white, site_again):
        page.context.close()


@pytest.mark.long
def test_each_sees_their_side_and_a_phone_has_room(browser: Browser, shared_site: Site) -> None:
    from axe_playwright_python.sync_playwright import Axe

    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "reduced_motion": "reduce"}
    with Player(shared_site, KEYS[0]) as white:
        made = white.ask("share", game="chess", key=KEYS[0], seat=0, minutes=10)
        white.join(made["shared"])
        page = browser.new_context(**phone).new_page()
        page.goto(made["link"].replace(made["link"].split("?")[0], shared_site.address))
        wait_status(page, "White to move.")
        white.until(lambda state: all(state["taken"]))
        white.move("e4")
        wait_status(page, "White: e4. Black to move.")
        boxes = [page.locator(f'#board [data-cell="{cell}"]').bounding_box() for cell in ("e2", "e7")]
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[0]["y"] < boxes[1]["y"]  # Black is below
        page.locator('#board [data-cell="e7"]').tap()
        page.locator('#board [data-cell="e5"]').tap()
        white.until(lambda state: state["view"]["moves"] == ["e4", "e5"])
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        serious(Axe().run(page))
        page.click("#resign")
        wait_status(page, "Black resigns. White wins.")
        page.click("#new")  # leaves the table
        until(page, "!location.hash.includes('shared')")
        white.until(lambda state: not state["here"][1])
        page.goto(made["link"].replace(made["link"].split("?")[0], shared_site.address))
        wait_status(page, "Black resigns. White wins.")
        page.context.close()
