"""How searches are shared among clients: turns, what is kept between them, and compiling beside them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import plies
from browser import wait_for
from plies.compiled.background import Compilation
from plies.engine import Limit, SearchResult, Value
from plies.web import searches as module
from plies.web.searches import KEPT, Job, Searches

pytestmark = pytest.mark.plain

NIM = plies.Nim()


class Endless:
    """A searcher that goes on until it is stopped, a depth every few milliseconds."""

    compilation: Compilation | None = None

    def __init__(self, name: str = "", turns: list[str] | None = None, deepest: int | None = None) -> None:
        self.game, self.name = NIM, name
        self.turns = [] if turns is None else turns
        self.deepest = deepest
        self.stopped = threading.Event()

    def analyse(
        self, state: Any, limit: Limit, *, previous: Any = (), lines: int = 1
    ) -> Iterator[SearchResult]:
        self.stopped.clear()
        self.turns.append(self.name)
        begun, depth = time.monotonic(), 0
        while not self.stopped.is_set() and time.monotonic() - begun < (limit.time or 9):
            depth += 1
            yield SearchResult("1:1", Value(0.1), ["1:1"], depth, depth, time.monotonic() - begun)
            if depth == self.deepest:
                return
            self.stopped.wait(0.01)

    def search(self, state: Any, limit: Limit, *, previous: Any = (), lines: int = 1) -> SearchResult:
        *_, found = self.analyse(state, limit, previous=previous)
        return found

    def stop(self) -> None:
        self.stopped.set()


@pytest.fixture
def shared(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Searches]:
    """Workers with slices of 0.2 seconds."""
    monkeypatch.setattr(module, "LONGEST", 0.2)
    searches = Searches(getattr(request, "param", 1))
    yield searches
    searches.close()


def job(name: str, searcher: Any = None, seconds: float = 9.0, make: Any = None) -> tuple[Job, list[Any]]:
    told: list[Any] = []
    made = Job(
        key=name,
        make=make or (lambda: searcher),
        name="nim",
        state=NIM.initial(),
        previous=(),
        limit=Limit(seconds),
        tell=lambda what, news: told.append((what, news)),
    )
    return made, told


def test_clients_take_turns(shared: Searches) -> None:
    turns: list[str] = []
    jobs = [job(name, Endless(name, turns))[0] for name in "abc"]
    for one in jobs:
        shared.submit(one)
    wait_for(lambda: len(turns) >= 7)
    assert "".join(turns[:7]) == "abcabca"
    for one in jobs:
        shared.cancel(one)
    wait_for(lambda: shared.load == (0, 0))


def test_nobody_is_interrupted_where_nobody_waits(shared: Searches) -> None:
    turns: list[str] = []
    alone, told = job("a", Endless("a", turns), seconds=0.6)
    shared.submit(alone)
    wait_for(lambda: told and told[-1][0] == "done")
    assert turns == ["a"]
    assert told[-1][1].depth > 10


def test_what_was_found_is_kept_from_turn_to_turn(shared: Searches) -> None:
    one, told = job("a", Endless("a"), seconds=0.7)
    other, _ = job("b", Endless("b"))
    shared.submit(one)
    shared.submit(other)
    wait_for(lambda: told and told[-1][0] == "done")
    depths = [news.depth for what, news in told if what == "info"]
    assert depths == sorted(depths)
    assert one.nodes > depths[-1]  # those of all turns
    shared.cancel(other)


def test_a_search_that_ends_by_itself_is_over(shared: Searches) -> None:
    one, told = job("a", Endless("a", deepest=3))
    shared.submit(one)
    wait_for(lambda: told and told[-1][0] == "done")
    assert told[-1][1].depth == 3


def test_a_cancelled_job_is_heard_of_no_more(shared: Searches) -> None:
    one, told = job("a", Endless("a"))
    shared.submit(one)
    wait_for(lambda: told)
    shared.cancel(one)
    wait_for(lambda: shared.load == (0, 0))
    count = len(told)
    time.sleep(0.2)
    assert len(told) == count


def test_a_failure_is_told_and_harms_nobody(shared: Searches) -> None:
    def fail() -> None:
        raise ZeroDivisionError("in a rule")

    broken, told = job("broken", make=fail)
    shared.submit(broken)
    wait_for(lambda: told)
    assert told == [("error", "the search failed with ZeroDivisionError: in a rule")]
    well, told = job("a", Endless("a", deepest=1))
    shared.submit(well)
    wait_for(lambda: told and told[-1][0] == "done")


def test_a_client_that_cannot_be_told_harms_nobody(shared: Searches) -> None:
    deaf, _ = job("deaf", Endless("deaf"))
    said: list[Any] = []

    def tell(what: str, news: Any) -> None:
        said.append(news)
        if what == "info":
            raise KeyError("in notation")

    deaf.tell = tell
    shared.submit(deaf)
    wait_for(lambda: shared.load == (0, 0) and len(said) >= 2)
    assert said[1] == "the search failed with KeyError: 'in notation'"
    well, told = job("a", Endless("a", deepest=1))
    shared.submit(well)
    wait_for(lambda: told and told[-1][0] == "done")


def test_a_search_goes_on_until_all_lines_are_proved(shared: Searches) -> None:
    """Though it makes room when the best of them is."""

    class Lines(Endless):
        seen = 0  # which it remembers from turn to turn

        def analyse(
            self, state: Any, limit: Limit, *, previous: Any = (), lines: int = 1
        ) -> Iterator[SearchResult]:
            for found in super().analyse(state, limit, previous=previous):
                self.seen += 1
                best, other = Value(1.0, True, 1), Value(0.0, proved=self.seen >= 60)
                yield replace(found, value=best, scores={"1:1": best, "1:2": other})
                if other.proved:
                    return

    one, told = job("a", Lines("a"), seconds=20)
    one.lines = 2
    other, _ = job("b", Endless("b"))
    shared.submit(one)
    shared.submit(other)
    wait_for(lambda: told and told[-1][0] == "done")
    assert told[-1][1].scores["1:2"].proved
    shared.cancel(other)


def test_it_is_told_how_far_the_compiler_is(shared: Searches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "NOTE_AFTER", 0.0)
    slow = Endless("slow")
    slow.compilation = Compilation("pvs", NIM)
    try:
        one, told = job("slow", slow)
        shared.submit(one)
        wait_for(lambda: any(what == "note" for what, _ in told))
        assert any(
            what == "note" and str(words).startswith("compiling nim: 0 s of about ") for what, words in told
        )
        assert any(what == "info" for what, _ in told) or one.found is not None
        shared.cancel(one)
    finally:
        slow.compilation.end()


def test_a_worker_keeps_few_searchers(shared: Searches) -> None:
    made = []
    for name in "abcdea":

        def make(name: str = name) -> Endless:
            made.append(name)
            return Endless(name, deepest=1)

        one, told = job(name, make=make)
        shared.submit(one)
        wait_for(lambda told=told: told and told[-1][0] == "done")
    assert KEPT < 5
    assert made == list("abcdea")  # the first was given up by the time it came again


def test_what_a_book_knows_of_one_move_does_not_hide_what_is_found_of_the_others() -> None:
    known = {4: Value(1.0, proved=True)}
    book = SearchResult(4, known[4], [4], 0, 0, 0.0, scores=known, book="the opening book")
    deeper = replace(book, depth=7, nodes=900, scores={**known, 3: Value(0.2), 5: Value(0.1)})
    analysis, _ = job("connect-four")
    analysis.lines = 3
    analysis.keep(book)
    assert not module.sight_of(book, 3)[0]
    analysis.keep(deeper)
    assert analysis.found is deeper
    assert module.sight_of(book, 1)[0]  # to play, one move is enough
