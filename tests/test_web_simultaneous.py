"""The page where players choose at once: nothing is shown, or sent, before all have chosen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import plies
from browser import Client, Site
from plies.web.levels import kinds
from test_web_play import PEOPLE, click, moves, people_everywhere, press, status, until, wait_status

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.plain

Open = Callable[..., "Page"]
GAME = "#game=goofspiel&p.cards=3"
SMALL: dict[str, Any] = {"game": "goofspiel", "parameters": {"cards": "3"}}

OWN = '''
import plies


class Odd(plies.Game):
    """Show one or two fingers; the first player wins if the sum is odd."""

    def initial(self):
        return ()

    def to_move(self, state):
        return plies.SIMULTANEOUS

    def choices(self, state, player):
        yield 1
        yield 2

    def result(self, state, action):
        return action

    def is_terminal(self, state):
        return bool(state)

    def utility(self, state, player):
        return 1 if (sum(state) % 2 == 1) == (player == 0) else -1
'''


# -- The server.


def test_a_position_says_what_each_may_choose(client: Client) -> None:
    view = client.ask("view", **SMALL)
    assert view["mover"] == plies.SIMULTANEOUS
    assert view["status"] == "Both players to move."
    assert view["choices"][1][2] == {"move": "3", "squares": ["2-3"]}
    assert len(view["legal"]) == 9
    assert client.view("tic-tac-toe")["choices"] is None


def test_a_machine_chooses_for_one_player_and_all_choices_make_a_move(client: Client) -> None:
    assert client.ask("choose", **SMALL, algorithm="engine", level="4", player=1) == {"choice": "3"}
    chosen = {client.ask("choose", **SMALL, algorithm="random", player=0)["choice"] for _ in range(12)}
    assert chosen <= {"1", "2", "3"}
    assert len(chosen) > 1
    view = client.ask("together", **SMALL, choices=["1", "3"])
    assert view["moves"] == ["1/3"]
    assert view["movers"] == [plies.SIMULTANEOUS]
    asked = {**SMALL, "moves": ["1/3"], "algorithm": "engine", "level": "4"}  # each in thirds, as shown below
    for player, both in ((0, {"2", "3"}), (1, {"1", "2"})):
        assert {client.ask("choose", **asked, player=player)["choice"] for _ in range(60)} == both
    forced = client.ask("choose", **SMALL, moves=["1/3", "2/2"], algorithm="engine", player=0)
    assert forced == {"choice": "3"}


def test_an_analysis_shows_the_mixture(client: Client) -> None:
    info = client.ask("analyse", **SMALL, moves=["1/3"])
    assert info["value"]["text"] == "-0.666667 on average"
    assert info["mixed"] == ["player 1 plays 2 (0.333), 3 (0.667)", "player 2 plays 1 (0.667), 2 (0.333)"]
    assert {one["move"]: one["value"]["utility"] for one in info["scores"]}["3/1"] == -1


def test_what_is_not_possible_gets_a_sentence(client: Client) -> None:
    assert "choose at once here, each for themselves" in client.error("move", **SMALL, algorithm="engine")
    assert "do not choose at once" in client.error("choose", game="nim", algorithm="random", player=0)
    assert "players have numbers 0 to 1" in client.error("choose", **SMALL, algorithm="random", player=2)
    assert "'7' is not a legal choice; choices: 1, 2, 3" in client.error(
        "together", **SMALL, choices=["1", "7"]
    )
    assert "2 choices make a move, not 1" in client.error("together", **SMALL, choices=["1"])
    assert "no player 'reflex'" in client.error("choose", **SMALL, algorithm="reflex", player=0)


@pytest.mark.long
def test_a_game_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "odd.py"
    path.write_text(OWN, encoding="utf-8")
    site, name = Site(games=(f"{path}:Odd",)), "odd"
    try:
        with site.client() as one:
            chosen = {one.ask("choose", game=name, algorithm="engine", player=1)["choice"] for _ in range(12)}
            assert chosen == {"1", "2"}
            assert one.ask("together", game=name, choices=["1", "2"])["over"]
    finally:
        site.stop()


def test_who_plays_where_nothing_searches() -> None:
    class Three(plies.Goofspiel):
        players = 3

    assert [kind.name for kind in kinds(plies.Goofspiel())] == ["engine", "random"]
    assert [kind.name for kind in kinds(Three())] == ["random"]


# -- The page.


class Frames:
    """All messages of a page, as they were sent and received."""

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, Any]] = []
        self.received: list[str] = []
        page.on("websocket", self._connect)
        page.reload()

    def _connect(self, socket: Any) -> None:
        socket.on("framesent", lambda data: self.sent.append(json.loads(data)))
        socket.on("framereceived", lambda data: self.received.append(str(data)))

    def types(self) -> list[str]:
        return [message["type"] for message in self.sent]


def test_a_person_chooses_before_the_machine_is_asked(open_page: Open) -> None:
    page = open_page(GAME)
    frames = Frames(page)
    wait_status(page, "Player 1, choose.")
    page.select_option(PEOPLE.format(2), "random")
    wait_status(page, "Player 1, choose.")
    assert "choose" not in frames.types()
    assert not any('"choice"' in data for data in frames.received)
    click(page, "1-2")
    until(page, "document.querySelectorAll('#moves button').length === 1")
    assert frames.types()[-2:] == ["choose", "together"]
    assert moves(page)[0].startswith("2/")
    wait_status(page, f"At once: {moves(page)[0]}. Player 1, choose.")
    click(page, "1-1")
    until(page, "document.querySelectorAll('#moves button').length === 2")
    press(page, "u")
    wait_status(page, f"At once: {moves(page)[0]}. Player 1, choose.")


@pytest.mark.long
def test_two_people_at_one_page_do_not_see_each_others_choice(open_page: Open) -> None:
    page = open_page(GAME)
    people_everywhere(page)
    wait_status(page, "Player 1, choose.")
    before = page.inner_html("#board svg > g:not(.overlay)")
    click(page, "1-3")
    wait_status(page, "Player 2, choose.")
    assert moves(page) == []
    assert page.inner_html("#board svg > g:not(.overlay)") == before
    assert page.locator("#board .overlay .picked").count() == 0
    assert "3" not in status(page)
    click(page, "1-1")  # the first player's cards cannot be chosen now
    assert moves(page) == []
    page.fill("#move", "4")
    page.press("#move", "Enter")
    until(page, "document.body.textContent.includes('4 is not a legal choice; choices: 1, 2, 3')")
    click(page, "2-1")
    wait_status(page, "At once: 3/1. Player 1, choose.")
    assert moves(page) == ["3/1"]


@pytest.mark.long
def test_machines_are_watched(open_page: Open) -> None:
    page = open_page(f"{GAME}&mode=watch")
    page.wait_for_selector("#run:not([hidden])")
    page.select_option(PEOPLE.format(1), "random")
    page.click("#run")
    wait_status(page, "after 3 moves")
    assert len(moves(page)) == 3
