"""Answers take turns: who asks for little is not kept waiting by those who ask for much."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import chain

import pytest

from browser import Site, wait_for
from plies.web import fair_queue
from plies.web.fair_queue import HEAVY, HEAVY_USE, FairQueue, Usage

pytestmark = pytest.mark.plain


def long_work(done: list[str], name: str, seconds: float) -> Generator[None, None, str]:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        yield
    done.append(name)
    return name


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Iterator[FairQueue]:
    made = FairQueue(getattr(request, "param", 1))
    yield made
    made.close()


def test_what_is_returned_or_raised_is_handed_on(shared: FairQueue) -> None:
    def fail() -> Generator[None, None, None]:
        yield
        raise ZeroDivisionError("in a rule")

    done: list[str] = []
    assert shared.submit(Usage(), long_work(done, "a", 0)).result(10) == "a"
    with pytest.raises(ZeroDivisionError, match="in a rule"):
        shared.submit(Usage(), fail()).result(10)
    assert shared.submit(Usage(), long_work(done, "b", 0)).result(10) == "b"


def test_little_work_comes_before_much(shared: FairQueue) -> None:
    done: list[str] = []
    much = [shared.submit(Usage(), long_work(done, f"much {n}", 0.3)) for n in range(3)]
    time.sleep(0.1)
    little = [shared.submit(Usage(), long_work(done, f"little {n}", 0.005)) for n in range(3)]
    wait([*much, *little], 30)
    assert sorted(done[:3]) == ["little 0", "little 1", "little 2"]


def test_what_a_client_has_used_counts_for_its_next_request_and_is_forgotten(
    shared: FairQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = Usage()
    shared.submit(usage, long_work([], "much", 0.2)).result(30)
    assert 0.1 < usage.seconds < 1
    monkeypatch.setattr(fair_queue, "HALF_LIFE", 0.01)
    time.sleep(0.2)
    assert usage.seconds < 0.001


@pytest.mark.parametrize("shared", [HEAVY + 1], indirect=True)
def test_one_thread_is_left_for_those_who_have_used_little(shared: FairQueue) -> None:
    """However long a step takes: that of a picture, or of a record that is read."""
    release = threading.Event()
    entered = []

    def stuck(number: int) -> Generator[None, None, None]:
        entered.append(number)
        release.wait(30)
        yield

    usages = [Usage() for _ in range(5)]
    for usage in usages:
        usage.add(10 * HEAVY_USE)
    futures = [shared.submit(usage, stuck(number)) for number, usage in enumerate(usages)]
    wait_for(lambda: len(entered) == HEAVY)
    assert shared.submit(Usage(), long_work([], "little", 0)).result(10) == "little"
    assert len(entered) == HEAVY
    release.set()
    wait(futures, 10)
    assert all(future.done() for future in futures)


def test_what_nobody_waits_for_is_given_up(shared: FairQueue) -> None:
    done: list[str] = []
    first = shared.submit(Usage(), long_work(done, "first", 0.2))
    second = shared.submit(Usage(), long_work(done, "second", 0.2))
    assert second.cancel()
    assert first.result(10) == "first"
    assert shared.submit(Usage(), long_work(done, "third", 0)).result(10) == "third"
    assert done == ["first", "third"]


@pytest.mark.long
def test_twenty_clients_that_replay_long_games_starve_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small client is served in between, though each of them always has a request that takes long."""
    monkeypatch.setattr(fair_queue, "HALF_LIFE", 600.0)  # on a busy machine, what is used is soon forgotten
    site = Site()
    stop = threading.Event()
    rows = [[f"{column}{row}" for column in "ABCDEFGHJ"] for row in range(1, 10)]
    games = [[*chain(*order)][:60] for order in (rows, rows[::-1])]  # which share no move
    served = [0] * 20

    def replay(number: int) -> None:
        with site.client() as client:
            while not stop.is_set():
                client.view("go", *games[served[number] % 2])
                served[number] += 1

    with ThreadPoolExecutor(20) as threads:
        replays = [threads.submit(replay, number) for number in range(20)]
        try:
            with site.client() as client:
                wait_for(lambda: sum(one.usage.seconds > HEAVY_USE for one in site.server.clients) >= HEAVY)
                before = sum(served)
                for _ in range(10):
                    client.view("tic-tac-toe")
                meanwhile = sum(served) - before
        finally:
            stop.set()  # or they would replay for ever
        for one in replays:
            one.result()
    assert meanwhile < 10 * 20 / 2  # if it had waited for its turn, each would have had ten
    site.stop()
