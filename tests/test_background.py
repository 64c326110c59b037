"""Background threads: reused, let go, and none the worse for an error or a fork; and the kernels' records."""

from __future__ import annotations

import gc
import os
import threading
import time
import weakref

import numpy as np
import pytest

import plies
from plies.compiled import kernel
from plies.compiled.workspace import record_type
from plies.engine import AlphaBeta, Limit, background

pytestmark = pytest.mark.usefixtures("fresh")


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread of another test waits."""
    monkeypatch.setattr(background, "_waiting", [])


def thread_of() -> threading.Thread:
    """The thread that some work is done in."""
    found: list[threading.Thread] = []
    background.start(lambda: found.append(threading.current_thread())).join()
    return found[0]


def test_a_thread_is_used_again() -> None:
    assert thread_of() is thread_of() is not threading.current_thread()


def test_two_tasks_at_once_have_two_threads() -> None:
    both = threading.Barrier(2)
    tasks = [background.start(lambda: both.wait(60) and None) for _ in range(2)]
    for task in tasks:
        task.join(60)
        assert not task.is_alive()


def test_a_thread_without_work_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "KEPT", 0.01)
    thread = thread_of()
    thread.join(60)
    assert not thread.is_alive()
    assert background._waiting == []
    assert thread_of() is not thread


def test_work_that_comes_as_a_thread_gives_up_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that wait for no time at all give up again and again, just as the next work comes."""
    monkeypatch.setattr(background, "KEPT", 1e-5)
    done: list[int] = []
    for number in range(300):
        background.start(lambda number=number: done.append(number)).join(60)  # type: ignore[misc]
    assert done == list(range(300))


def test_a_thread_keeps_nothing_of_its_work() -> None:
    """Its memory would stay until the next search."""
    engine = AlphaBeta(plies.TicTacToe(), memory=0.1)
    engine.search(limit=Limit(depth=2))
    there = weakref.ref(engine)
    del engine
    gc.collect()
    assert there() is None


def test_work_that_raises_ends_its_thread_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", reported.append)

    def work() -> None:
        raise ValueError("of no use")

    task = background.start(work)
    task.join(60)
    assert not task.is_alive()
    assert background._waiting == []
    deadline = time.monotonic() + 60
    while not reported and time.monotonic() < deadline:
        time.sleep(0.001)
    assert str(reported[0].exc_value) == "of no use"
    assert thread_of() is not reported[0].thread


def test_a_thread_is_named_after_its_work() -> None:
    names: list[str] = []
    for name in ("plies-search", "plies-training"):
        background.start(lambda: names.append(threading.current_thread().name), name).join(60)
    assert names == ["plies-search", "plies-training"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_process_waits_for_no_thread_of_its_parent() -> None:
    thread_of()
    assert len(background._waiting) == 1
    child = os.fork()
    if not child:
        done: list[int] = []
        task = background.start(lambda: done.append(1))
        task.join(60)
        os._exit(0 if done else 1)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert os.waitstatus_to_exitcode(ended[1]) == 0


# -- Records.

PAIR = np.dtype([("whole", np.int64), ("part", np.float64)])


@kernel
def add_up(game, state, run):
    run.whole += 1
    run.part += 0.5
    return run.whole + run.part


def test_a_kernel_reads_and_writes_a_record() -> None:
    run = record_type(PAIR)()
    assert run.to_dict() == {"whole": 0, "part": 0.0}
    run.whole, run.part = -(1 << 63), 0.25
    game = plies.TicTacToe()
    assert add_up(game, game.initial(), run) == 1 - (1 << 63) + 0.75
    assert (run.whole, run.part) == (1 - (1 << 63), 0.75)
    assert type(run.whole) is int
    assert type(run.part) is float


def test_a_record_takes_what_its_numbers_can_hold() -> None:
    run = record_type(PAIR)()
    with pytest.raises(ValueError, match="invalid value"):
        run.whole = 1 << 63
    with pytest.raises(TypeError):
        run.whole = 0.5
    with pytest.raises(AttributeError):
        run.other = 1
    run.part = 3
    run.whole = np.int64(7)
    assert run.to_dict() == {"whole": 7, "part": 3.0}


def test_records_of_one_kind_share_a_class() -> None:
    assert record_type(PAIR) is record_type(np.dtype(PAIR.descr))
