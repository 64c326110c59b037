"""Thinking on a client's time: what is expected, hits and misses, and that other clients come first."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

import plies
from browser import Client, Site, wait_for
from plies.web import levels
from plies.web import searches as module
from plies.web.searches import Job, Searches
from test_web_searches import Endless, job

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.plain

GAME = {"game": "tic-tac-toe"}
ENGINE = {"algorithm": "engine", "level": "3"}


@pytest.fixture(autouse=True)
def _cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many cores as there must be, whatever machine this is."""
    monkeypatch.setattr("plies.engine.pondering.usable_cores", lambda: 4)
    monkeypatch.setattr(module, "usable_cores", lambda: 4)


@pytest.fixture
def submitted(site: Site, monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """Every job from now on."""
    jobs: list[Job] = []
    submit = site.server.searches.submit

    def kept(job: Job) -> None:
        jobs.append(job)
        submit(job)

    monkeypatch.setattr(site.server.searches, "submit", kept)
    return jobs


def opened(client: Client, submitted: list[Job] | None = None) -> tuple[list[str], str]:
    """A game that the engine has answered in: the moves, and what it expects now; one job was `submitted`."""
    for _ in range(20):  # on a busy machine, time may be up before a reply is known
        if submitted:
            submitted.clear()
        view = client.ask("move", **GAME, moves=["5"], **ENGINE)
        assert len(view["moves"]) == 2
        if "expects" in view:
            break
    return view["moves"], view["expects"]


def pondered(site: Site) -> Any:
    """What is pondered for a client; others, of earlier tests, may still be on their way out."""
    found = [client.pondered for client in list(site.server.clients) if client.pondered is not None]
    assert len(found) <= 1
    return found[0] if found else None


def quiet(site: Site) -> None:
    wait_for(lambda: site.server.searches.load == (0, 0))


def test_a_move_says_what_it_expects(site: Site) -> None:
    with site.client() as client:
        moves, expects = opened(client)
        assert expects in [one["move"] for one in client.view("tic-tac-toe", *moves)["legal"]]
        assert "expects" not in client.ask("move", **GAME, algorithm="random", level="")
        almost = ["1", "4", "2", "5", "7", "8"]
        assert "expects" not in client.ask("move", **GAME, moves=almost, **ENGINE)  # which ends the game
        last = ["1", "5", "2", "3", "7", "4", "6"]
        assert "expects" not in client.ask("move", **GAME, moves=last, **ENGINE)  # the reply would end it


def test_a_hit_is_answered_by_the_search_that_was_made(site: Site, submitted: list[Job]) -> None:
    with site.client() as client:
        moves, expects = opened(client, submitted)
        assert client.ask("ponder", **GAME, moves=moves, **ENGINE, expects=expects) is True
        wait_for(lambda: pondered(site).outcome is not None)
        assert [one.spare for one in submitted] == [False, True]
        view = client.ask("move", **GAME, moves=[*moves, expects], **ENGINE)
        assert view["moves"][:-1] == [*moves, expects]
        assert len(submitted) == 2  # none but the one before the move
        assert pondered(site) is None


def test_a_hit_before_the_search_is_over_waits_for_it(site: Site, submitted: list[Job]) -> None:
    """At a level of a quarter of a second, so that the search goes on when the move comes."""
    quarter = {"game": "connect-four", "algorithm": "engine", "level": "4"}
    with site.client() as client:
        client.ask("ponder", **quarter, moves=["4", "4"], expects="4")
        assert len(client.ask("move", **quarter, moves=["4", "4", "4"])["moves"]) == 4
        assert len(submitted) == 1
        assert not submitted[0].spare  # it became a search like others


def test_a_miss_ends_it_and_searches_anew(site: Site, submitted: list[Job]) -> None:
    with site.client() as client:
        moves, expects = opened(client, submitted)
        client.ask("ponder", **GAME, moves=moves, **ENGINE, expects=expects)
        legal = [one["move"] for one in client.view("tic-tac-toe", *moves)["legal"]]
        other = next(move for move in legal if move != expects)
        view = client.ask("move", **GAME, moves=[*moves, other], **ENGINE)
        assert view["moves"][:-1] == [*moves, other]
        assert len(submitted) == 3
        assert submitted[1].cancelled
        assert pondered(site) is None


def test_another_level_is_no_hit(site: Site, submitted: list[Job]) -> None:
    with site.client() as client:
        moves, expects = opened(client, submitted)
        client.ask("ponder", **GAME, moves=moves, **ENGINE, expects=expects)
        client.ask("move", **GAME, moves=[*moves, expects], algorithm="engine", level="4")
        assert len(submitted) == 3
        assert submitted[1].cancelled


@pytest.mark.parametrize("ending", ["stop", "analyse", "leave", "ponder"])
def test_it_ends_with_other_searches_and_with_its_client(
    site: Site, submitted: list[Job], ending: str
) -> None:
    slow = {"game": "connect-four", "algorithm": "engine", "level": "6"}
    client = site.client()
    client.ask("ponder", **slow, moves=["4"], expects="4")
    job = submitted[-1]
    wait_for(lambda: job.begun)
    if ending == "stop":
        client.ask("stop")
    elif ending == "analyse":
        client.ask("analyse", **GAME, seconds=0.05)
    elif ending == "ponder":
        client.ask("ponder", **GAME, moves=["5", "1"], **ENGINE, expects="2")
    else:
        client.socket.close()
    wait_for(lambda: job.cancelled)
    client.socket.close()
    quiet(site)


def test_kept_engines_stay_right(site: Site) -> None:
    """Hits, misses and analyses in turn: what is proved is what brute force finds."""
    game = plies.TicTacToe()
    with site.client() as client:
        for first in ("1", "2", "5"):
            view = client.ask("move", **GAME, moves=[first], **ENGINE)
            while not view["over"]:
                moves = view["moves"]
                if "expects" in view:
                    client.ask("ponder", **GAME, moves=moves, **ENGINE, expects=view["expects"])
                legal = [one["move"] for one in view["legal"]]
                mine = view.get("expects", legal[0]) if len(moves) % 4 else legal[-1]
                if len(moves) > 5:
                    info = client.ask("analyse", **GAME, moves=moves, seconds=2)
                    state = game.parse_position(" ".join(moves))
                    assert info["value"]["utility"] == plies.book.minimax(game, state).value
                after = client.view("tic-tac-toe", *moves, mine)
                view = after if after["over"] else client.ask("move", **GAME, moves=after["moves"], **ENGINE)


def test_what_cannot_be_pondered_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    with site.client() as client:
        moves, expects = opened(client)
        more = {**GAME, "moves": moves, **ENGINE}
        assert "not a legal move" in client.error("ponder", **more, expects="5")
        over = ["1", "4", "2", "5"]
        assert "the game is over" in client.error("ponder", **{**more, "moves": over}, expects="3")
        pig = {"game": "pig", "parameters": {"target": "10"}, **ENGINE}
        assert "chance node" in client.error("ponder", **pig, moves=[], expects="roll")
        echo = {"game": "echo", "moves": [], **ENGINE}
        assert "from a file" in client.error("ponder", **echo, expects="1")
        assert client.ask("game", **GAME)["details"]["no_pondering"] == ""
        monkeypatch.setattr("plies.engine.pondering.usable_cores", lambda: 1)
        assert "needs 2 cores here, and there is 1" in client.error("ponder", **more, expects=expects)
        assert "needs 2 cores" in client.ask("game", **GAME)["details"]["no_pondering"]


# -- Other clients come first.


@pytest.fixture
def shared(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Searches]:
    monkeypatch.setattr(module, "LONGEST", 0.2)
    searches = Searches(getattr(request, "param", 2))
    yield searches
    searches.close()


def spare(name: str, searcher: Any) -> Job:
    made, _ = job(name, searcher)
    made.spare = True
    return made


def test_spare_jobs_leave_a_worker_free(shared: Searches) -> None:
    turns: list[str] = []
    for name in "ab":
        shared.submit(spare(name, Endless(name, turns)))
    wait_for(lambda: turns)
    assert shared.load == (1, 1)
    urgent, told = job("c", Endless("c", turns, deepest=3))
    shared.submit(urgent)
    wait_for(lambda: told and told[-1][0] == "done")
    wait_for(lambda: {"a", "b"} <= set(turns))  # and take turns among themselves
    assert urgent.nodes == 3


def test_a_spare_job_makes_room_at_once_and_goes_on_after(shared: Searches) -> None:
    turns: list[str] = []
    background = spare("a", Endless("a", turns))
    shared.submit(background)
    wait_for(lambda: turns == ["a"])
    others = [job(name, Endless(name, turns))[0] for name in "bc"]
    for one in others:
        shared.submit(one)
    wait_for(lambda: {"b", "c"} <= set(turns))
    wait_for(lambda: not background.begun)  # suspended, though both have just begun
    assert turns == ["a", "b", "c"]
    for one in others:
        shared.cancel(one)
    wait_for(lambda: turns == ["a", "b", "c", "a"])
    shared.cancel(background)
    wait_for(lambda: shared.load == (0, 0))


@pytest.mark.parametrize("shared", [1], indirect=True)
def test_a_single_worker_is_never_lent(shared: Searches) -> None:
    turns: list[str] = []
    waiting = spare("a", Endless("a", turns))
    shared.submit(waiting)
    urgent, told = job("b", Endless("b", turns, deepest=2))
    shared.submit(urgent)
    wait_for(lambda: told and told[-1][0] == "done")
    assert turns == ["b"]
    shared.promote(waiting)  # somebody waits for it now
    wait_for(lambda: turns == ["b", "a"])


def test_few_cores_are_not_lent(shared: Searches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "usable_cores", lambda: 1)
    shared.submit(spare("a", Endless("a")))
    done = threading.Event()
    urgent, _ = job("b", Endless("b", deepest=2))
    urgent.tell = lambda what, news: done.set() if what == "done" else None
    shared.submit(urgent)
    assert done.wait(30)
    assert shared.load == (0, 1)


# -- The page.


def test_the_page_shows_what_is_expected_and_whether_it_was_right(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    # In a second on a busy machine, a search may see a single ply, and then it expects no reply.
    monkeypatch.setattr(levels, "CLOCK", levels.LONGEST_MOVE)
    page = open_page("#game=tic-tac-toe")
    page.wait_for_selector("#board svg")
    assert page.is_hidden("#pondering")
    page.select_option("[aria-label='Level of O']", "4")  # lower levels see too few plies to expect much
    page.check("#ponder")
    said: list[str] = []

    def play(move: str, *words: str) -> None:
        page.fill("#move", move)
        page.press("#move", "Enter")
        for some in words:
            page.wait_for_selector(f'#pondering:has-text("{some}")')
        said.append(page.inner_text("#pondering"))

    play("1", "O thinks on your time, and expects ")
    play(said[-1].split()[-1].strip("."), "Ponder hit (1 of 1).", "and expects ")
    expected = said[-1].split()[-1].strip(".")
    taken = set(re.findall(r"\.\s*(\d)", page.inner_text("#moves")))
    other = next(cell for cell in "123456789" if cell not in {expected, *taken})
    play(other, f"Ponder miss: it expected {expected} (1 of 2).")
    page.click("#undo")
    page.wait_for_selector('#pondering:not(:has-text("Ponder miss")):has-text("and expects ")')
    page.uncheck("#ponder")
    page.wait_for_selector("#pondering", state="hidden")
