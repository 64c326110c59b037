"""How a search ends: by a limit, by `stop`, by Ctrl-C, by the next search; always with a legal action."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
import threading
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from engine_games import TINY, PlainBush, Words, book_value, bushes, options
from plies.compiled import interpreting
from plies.engine import AlphaBeta, Limit, SearchResult, background

SMALL = plies.ConnectFour(width=5, height=4)

FOREVER = plies.ConnectFour()
"""A game that no search here is given the time to exhaust."""

OPEN = Limit(nodes=10**15)


def told(found: SearchResult) -> Any:
    """All that a search found but the time it took."""
    return {name: value for name, value in vars(found).items() if name not in ("seconds", "game")}


def is_sound(found: SearchResult, game: plies.Game, state: Any) -> bool:
    """Whether the action is legal and the lines are."""
    for line in [found.line, *found.lines]:
        assert line
        place = state
        for action in line:
            place = game.play(place, action)
    return found.action == found.line[0] and found.action in list(game.actions(state))


@pytest.fixture(autouse=True)
def no_thread_is_left():
    yield
    assert not [thread for thread in threading.enumerate() if thread.name == "plies-search"]


# -- Limits.


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("nodes", [1, 2, 10, 500, 5000])
def test_a_limit_of_nodes(nodes, threads):
    found = AlphaBeta(SMALL, memory=0.1, threads=threads).search(limit=Limit(nodes=nodes))
    assert is_sound(found, SMALL, SMALL.initial())
    assert found.nodes <= nodes + 20 * threads  # one path to its end, at most
    if nodes >= 500:
        assert found.nodes >= nodes // threads


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("depth", [1, 2, 6])
def test_a_limit_of_depth(depth, threads):
    results = list(AlphaBeta(SMALL, memory=0.1, threads=threads).analyse(limit=Limit(depth=depth)))
    depths = [found.depth for found in results]
    if threads > 1 and depths[-2:] == [depth, depth]:  # told again, with what the other thread counted since
        depths.pop()
    assert depths == list(range(depth + 1))


@pytest.mark.parametrize("seconds", [1e-6, 0.05])
def test_a_limit_of_time(seconds):
    found = AlphaBeta(SMALL, memory=0.1).search(limit=Limit(time=seconds))
    assert is_sound(found, SMALL, SMALL.initial())


def test_whichever_limit_comes_first():
    engine = AlphaBeta(SMALL, memory=0.1)
    start = SMALL.initial()
    assert engine.search(start, Limit(time=1000, depth=2, nodes=10**9)).depth == 2
    assert engine.search(start, Limit(time=1000, depth=1000, nodes=50)).nodes < 100
    assert is_sound(engine.search(start, Limit(time=0.01, depth=1000, nodes=10**15)), SMALL, start)


def test_without_a_limit_a_search_ends_all_the_same():
    assert plies.search(FOREVER).action in FOREVER.actions(FOREVER.initial())
    assert AlphaBeta(FOREVER, memory=0.1).search().depth > 0


def test_a_quiescence_search_keeps_to_the_limit_too():
    """A tree that is noisy all the way: at depth 1 everything below is looked at."""

    class Loud(plies.Game):
        compiled = False
        bounds = (-99, 99)

        def initial(self) -> Any:
            return (0, 0)

        def to_move(self, state: Any) -> int:
            return state[0] % 2

        def actions(self, state: Any) -> Any:
            return range(0 if self.is_terminal(state) else 6)

        def noisy(self, state: Any) -> Any:
            return self.actions(state)

        def result(self, state: Any, action: int) -> Any:
            return (state[0] + 1, (state[1] * 5 + action * 7) % 97)

        def is_terminal(self, state: Any) -> bool:
            return state[0] == 60

        def evaluate(self, state: Any, player: int) -> float:
            return state[1] - 48 if player == 0 else 48 - state[1]

        def utility(self, state: Any, player: int) -> float:
            return self.evaluate(state, player)

    game = Loud()
    found = AlphaBeta(game, memory=0.1).search(limit=Limit(nodes=500))
    assert is_sound(found, game, game.initial())
    assert found.nodes <= 600
    assert is_sound(AlphaBeta(game, memory=0.1).search(limit=Limit(time=0.05)), game, game.initial())


# -- Stopped in the middle.


@settings(max_examples=200 if not interpreting() else 60)
@given(bushes(max_depth=6), options(), st.sampled_from([TINY, 0.01]), st.integers(1, 150))
@pytest.mark.no_cover
def test_stopped_at_any_node_the_answer_is_no_worse(game, options, memory, nodes):
    """Than that of the last depth completed; if it is another, then because a deeper look says so."""
    results = list(AlphaBeta(game, memory=memory, options=options).analyse(0, Limit(nodes=nodes, depth=8)))
    *_, last = results
    assert is_sound(last, game, 0)
    complete = next(found for found in results if found.depth == last.depth)
    assert [found.depth for found in results] == sorted(found.depth for found in results)
    if last.action == complete.action or last.depth == 0:
        return

    def deeper(action: int) -> float:
        return book_value(game, game.result(0, action), game.to_move(0), last.depth, options)

    if last.value.bound == "=":
        assert last.value.utility in (deeper(last.action), complete.scores[last.action].utility)
    assert deeper(last.action) >= deeper(complete.action)


@settings(max_examples=30 if not interpreting() else 5)
@given(st.floats(0, 0.02), st.sampled_from([1, 2]))
def test_stopped_from_another_thread_at_a_random_moment(delay, threads):
    engine, state = AlphaBeta(FOREVER, memory=0.1, threads=threads), FOREVER.initial()
    stop = threading.Timer(delay, engine.stop)
    results = []
    for found in engine.analyse(state, OPEN):
        results.append(found)
        if len(results) == 1:
            stop.start()
    stop.join()
    assert all(is_sound(found, FOREVER, state) for found in results)
    depths = [found.depth for found in results]
    assert depths == sorted(depths)
    assert set(depths) == set(range(depths[-1] + 1))


def test_a_stop_is_heeded_while_the_stack_is_full(monkeypatch):
    engine = AlphaBeta(PlainBush([[1, 2], [3, 4]]), memory=TINY)
    worker = engine.runners[0]
    kernel = worker.kernel

    def full(*args: Any) -> int:
        worker.run.full = worker.run.stop = 1
        worker.stop()
        worker.kernel = kernel
        return 0

    worker.kernel = full
    assert engine.search(0, Limit(depth=5)).depth == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
@pytest.mark.parametrize("call", ["engine.search(limit=limit)", "plies.search(game, nodes=10**15)"])
def test_ctrl_c_ends_a_search_with_the_best_so_far(call):
    program = f"""
        import threading, time
        import plies
        from plies.engine import AlphaBeta, Limit
        game = plies.ConnectFour()  # whose machine code the tests above need, too
        limit = Limit(nodes=10**15)
        engine = AlphaBeta(game)

        def watch():
            while not any(thread.name == "plies-search" for thread in threading.enumerate()):
                time.sleep(0.01)
            time.sleep(0.2)
            print("searching", flush=True)

        threading.Thread(target=watch, daemon=True).start()
        found = {call}
        print(found.action in game.actions(game.initial()), found.nodes > 0)
    """
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "searching\n"
    child.send_signal(signal.SIGINT)
    out, errors = child.communicate(timeout=60)
    assert (out, child.returncode) == ("True True\n", 0), errors


# -- The stream of infos.


@settings(max_examples=100 if not interpreting() else 20)
@given(bushes(), options(), st.integers(1, 6), st.integers(1, 3))
def test_the_last_info_is_what_search_says(game, options, depth, lines):
    results = list(AlphaBeta(game, memory=0.01, options=options).analyse(0, Limit(depth=depth), lines=lines))
    found = AlphaBeta(game, memory=0.01, options=options).search(0, Limit(depth=depth), lines=lines)
    assert told(results[-1]) == told(found)
    assert [info.depth for info in results] == list(range(len(results)))
    nodes = [info.nodes for info in results]
    assert nodes == sorted(nodes)


def test_the_one_who_reads_the_stream_decides_when_it_ends():
    engine = AlphaBeta(FOREVER, memory=0.1)
    for found in engine.analyse(limit=OPEN):
        if found.depth == 3:
            break
    assert engine.search(limit=Limit(depth=4)).depth == 4


def test_a_search_ends_a_stream_that_was_left_open():
    engine = AlphaBeta(FOREVER, memory=0.1)
    stream = engine.analyse(limit=OPEN)
    assert [next(stream).depth for _ in range(3)] == [0, 1, 2]
    fresh = AlphaBeta(FOREVER, memory=0.1).search(limit=Limit(depth=5))
    assert engine.search(limit=Limit(depth=5)).depth == fresh.depth
    assert all(is_sound(found, FOREVER, FOREVER.initial()) for found in stream)


# -- An engine between moves.


def test_the_table_is_kept_between_moves():
    """The next position but one has been searched already, two plies less deep."""
    engine, state = AlphaBeta(SMALL, memory=4), SMALL.initial()
    first = engine.search(state, Limit(depth=8))
    assert engine.search(state, Limit(depth=8)).nodes < first.nodes / 10
    for action in first.line[:2]:
        state = SMALL.result(state, action)
    fresh = AlphaBeta(SMALL, memory=4).search(state, Limit(depth=6))
    again = engine.search(state, Limit(depth=6))
    assert again.nodes < fresh.nodes / 2
    assert again.value.utility == fresh.value.utility


def test_a_game_played_by_one_engine_against_itself():
    game = plies.TicTacToe()
    engine, state = AlphaBeta(game, memory=0.01), game.initial()
    while not game.is_terminal(state):
        found = engine.search(state, Limit(depth=9))
        assert (found.value.utility, found.value.proved) == (0, True)
        state = game.play(state, found.action)
    assert game.utility(state, 0) == 0


def test_thinking_on_the_opponents_time():
    engine, state = AlphaBeta(FOREVER, memory=64), FOREVER.initial()
    nodes, depth = (1_500, 6) if interpreting() else (50_000, 10)  # about as deep as that many nodes go
    engine.ponder(state)
    while engine.runners[0].run.nodes < nodes:
        time.sleep(0.01)
    found = engine.search(state, Limit(depth=depth))
    assert found.depth == depth
    assert found.nodes < AlphaBeta(FOREVER, memory=64).search(state, Limit(depth=depth)).nodes
    engine.ponder(state)
    engine.ponder(FOREVER.result(state, next(iter(FOREVER.actions(state)))))
    engine.stop()
    assert is_sound(engine.search(state, Limit(nodes=100)), FOREVER, state)


def test_pondering_can_be_stopped():
    engine = AlphaBeta(FOREVER, memory=0.1)
    engine.ponder(FOREVER.initial())
    engine.stop()
    deadline = time.monotonic() + 60
    while any(thread.name == "plies-search" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("games", [(SMALL, SMALL), (SMALL, plies.TicTacToe()), (Words(), SMALL)], ids=str)
def test_two_engines_at_once(games):
    """Each finds, node for node, what it finds alone."""
    limits = [Limit(depth=4 if isinstance(game, Words) or interpreting() else 8) for game in games]
    alone = [
        AlphaBeta(game, memory=0.1).search(limit=limit) for game, limit in zip(games, limits, strict=True)
    ]
    together: dict[int, SearchResult] = {}

    def run(number: int) -> None:
        together[number] = AlphaBeta(games[number], memory=0.1).search(limit=limits[number])

    threads = [threading.Thread(target=run, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [told(together[number]) for number in range(2)] == [told(found) for found in alone]


# -- The one way to ask, for games that other algorithms serve.


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        (plies.TicTacToe(), "alpha-beta"),
        (plies.Pig(target=20), "expectiminimax"),
        (plies.Tree([[(1, 2, 3), (4, 1, 2)], [(6, 1, 2), (7, 4, 1)]], (0, 1, 2)), "max-n"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("limit", [{"depth": 2}, {"nodes": 40}, {"time": 0.05}], ids=str)
def test_search_serves_any_kind_of_game(game, algorithm, limit):
    found = plies.search(game, **limit)
    assert found.algorithm == algorithm
    assert found.action in game.actions(game.initial())


def test_a_thread_that_is_slow_to_start_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is over before its second thread has begun ended without a word, and was waited for."""
    begin = threading.Thread._set_ident  # type: ignore[attr-defined]

    def slowly(thread: threading.Thread) -> None:
        begin(thread)
        if thread.name == "plies-search":
            time.sleep(0.02)  # it has a number by now, but does not count as started

    monkeypatch.setattr(background, "_waiting", [])  # so that threads are started
    monkeypatch.setattr(threading.Thread, "_set_ident", slowly)
    found: list[SearchResult] = []
    engine = AlphaBeta(plies.TicTacToe(), memory=0.01, threads=2)
    asking = threading.Thread(target=lambda: found.append(engine.search(limit=Limit(depth=1))), daemon=True)
    asking.start()
    asking.join(60)
    assert found[0].action in range(9)


class Late(plies.Nim):
    """A rule raises, though not in the position that is searched."""

    def result(self, state: Any, action: Any) -> Any:
        if state != self.initial():
            raise ValueError("too many")
        return super().result(state, action)


@pytest.mark.plain
def test_pondering_that_ends_by_an_error_says_so(caplog: pytest.LogCaptureFixture) -> None:
    game = Late()
    game.compiled = False
    engine = AlphaBeta(game, memory=TINY)
    engine.ponder(game.initial())
    for _ in range(200):
        if caplog.messages:
            break
        time.sleep(0.05)
    [message] = caplog.messages
    assert message.startswith("thinking on the opponent's time ended early: ")
    assert "too many" in message
    with pytest.raises(plies.BrokenRule, match="too many"):
        engine.search(game.initial(), Limit(depth=3))
