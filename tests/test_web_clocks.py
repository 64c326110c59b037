"""Clocks of games on the page: whose time passes, what a machine spends, what is kept, who loses on time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from browser import Client, Site
from plies.engine import Limit
from plies.web.clocks import within
from plies.web.searches import Job
from test_web_play import click, people_everywhere, press, until, wait_status

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.plain

Open = Callable[..., "Page"]


@pytest.mark.parametrize("clock", [0.0, 0.3, 5.0, 60.0, 1800.0])
def test_a_machine_never_takes_more_than_its_clock_or_its_level_has(clock: float) -> None:
    for increment in (0.0, 20.0):
        limit = within(Limit(5.0, depth=3), clock, increment)
        assert limit.time is not None
        assert limit.time <= max(0.001, min(5.0, clock - 0.25))
        assert limit.depth == 3
    assert within(Limit(5.0), None, 0.0) == Limit(5.0)


def test_a_move_and_pondering_get_the_same_limit(
    site: Site, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs: list[Job] = []
    submit = site.server.searches.submit
    monkeypatch.setattr(site.server.searches, "submit", lambda job: (jobs.append(job), submit(job)))
    monkeypatch.setattr("plies.engine.pondering.usable_cores", lambda: 4)
    told = {"game": "connect-four", "algorithm": "engine", "level": "9", "clock": 0.5, "increment": 0}
    assert len(client.ask("move", **told, moves=["4"])["moves"]) == 2
    client.ask("ponder", **told, moves=["4", "4"], expects="4")
    client.ask("stop")
    assert [job.limit for job in jobs] == [within(Limit(1.0), 0.5, 0.0)] * 2
    assert "clock must be a number" in client.error("move", **{**told, "clock": -1})
    assert "increment must be a number" in client.error("move", **{**told, "increment": 1e9})


CLOCKS = """async () => {
  const { Clocks, newClock } = await import("/static/clock.js");
  const { Game } = await import("/static/game.js");
  const game = new Game("chess");
  let [now, seat] = [0, 0];
  const clocks = new Clocks(() => game, () => seat, () => now);
  const found = [];
  const play = (move, mover, next) => {
    const child = game.at.child(move);
    child.mover = mover;
    game.visit(child);
    seat = next;
    clocks.update();
    found.push(clocks.left);
  };
  const pass = (seconds) => { now += 1000 * seconds; };
  game.clock = newClock("1+0");
  game.clock.increment = 2;
  clocks.update();
  pass(30); // before the first move, no clock runs
  play("e4", 0, 1);
  pass(10);
  play("e5", 1, 0);
  pass(5);
  found.push(clocks.left, clocks.flag);
  const at = game.at;
  game.visit(at.parent); // to look back
  seat = null;
  clocks.update();
  pass(100);
  found.push(clocks.left);
  game.visit(at);
  seat = 0;
  clocks.update();
  pass(54);
  found.push(clocks.left, clocks.flag);
  pass(2);
  found.push(clocks.left, clocks.flag);
  return found;
}"""


@pytest.mark.long
def test_whose_time_passes(open_page: Open) -> None:
    """The mover's, from the first move on, with an increment, as on the server; nobody's who looks back."""
    found = open_page("learn").evaluate(CLOCKS)
    assert found[:4] == [[60, 60], [60, 52], [55, 52], None]
    assert found[4:] == [[60, 50], [1, 52], None, [0, 52], 0]


def later(page: Page, seconds: float) -> None:
    """Let time pass for the clocks of a page."""
    page.evaluate(
        """passed => {
          const now = performance.now.bind(performance);
          performance.now = () => now() + 1000 * passed;
        }""",
        seconds,
    )


def clocks(page: Page) -> list[str]:
    return page.locator("#clocks .clock").all_inner_texts()


def test_a_game_with_clocks_is_kept_and_lost_on_time(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe")
    page.wait_for_selector("#seats select")
    assert page.locator("#clocks").is_hidden()  # off, unless chosen
    people_everywhere(page)
    page.select_option("#clock", "1+0")
    assert clocks(page) == ["1:00", "1:00"]
    click(page, "5")
    wait_status(page, "X: 5.")
    later(page, 30)
    until(page, "document.querySelector('#clocks .turn .clock').textContent <= '0:30'")
    assert clocks(page)[0] == "1:00"
    page.reload()
    until(page, "document.querySelector('#clocks .turn .clock')?.textContent <= '0:30'")
    page.select_option("#clock", "5+3")
    assert page.inner_text("#clock-note") == "From the next game on."
    later(page, 31)
    wait_status(page, "O has no time left. X wins.")
    assert clocks(page)[1] == "0:00.0"
    page.reload()
    wait_status(page, "O has no time left. X wins.")
    press(page, "u")  # and then on without clocks
    wait_status(page, "X: 5. O to move.")
    assert page.locator("#clocks").is_hidden()
    page.click("#new")
    until(page, "document.querySelector('#clocks .clock')?.textContent === '5:00'")


def test_a_machine_plays_by_its_clock(open_page: Open) -> None:
    page = open_page("#game=tic-tac-toe&mode=play")
    page.wait_for_selector("#seats select")
    page.select_option("#clock", "3+2")
    page.evaluate(
        """() => {
          const { send } = WebSocket.prototype;
          WebSocket.prototype.send = function(words) {
            if (words.includes('"type":"move"')) window.sent = JSON.parse(words);
            send.call(this, words);
          };
        }"""
    )
    begun = time.monotonic()
    click(page, "5")
    until(page, "document.querySelectorAll('#moves button').length === 2")
    assert page.evaluate("[sent.clock, sent.increment]") == [180, 2]
    assert clocks(page)[0] == "3:00"  # nothing for the first move
    minutes, seconds = map(int, clocks(page)[1].split(":"))
    most = time.monotonic() - begun
    assert 182 - most - 1 <= 60 * minutes + seconds <= 182  # the increment for the second, less what it took
