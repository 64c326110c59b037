"""Nobody waits for the compiler: searches begin interpreted, and go on compiled when the code is there.

The compiler here is done when a test says so; tests/test_compiled_in_background.py is about the real one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

import plies
from browser import Site
from dialogue import Inside
from plies import notebook
from plies.cli.program import run
from plies.compiled import Kernel
from plies.compiled.background import Compilation, under_way
from plies.engine import Limit, engine_for
from plies.engine.driver import Driver
from plies.engine.proof_number import ProofNumberSearch
from plies.engine.runner import FIRST
from plies.engine.solve import Solver
from plies.players import EnginePlayer, parse_players


class Slow:
    """A compiler that is done when a test says so; what it calls machine code runs interpreted."""

    def __init__(self) -> None:
        self.compilation: Compilation | None = None
        self.there = False
        self.waited = 0

    def finish_what_has_begun(self) -> None:
        """Be done, if there is anything to do."""
        if self.compilation is not None:
            self.finish()

    def finish(self, usable: bool = True) -> None:
        """Be done, with machine code or without."""
        if not self.there:
            self.there = True
            if self.compilation is not None:
                self.compilation.usable = usable
                self.compilation.end()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    compiler = Slow()

    def prepare(kernel: Kernel, game: plies.Game, *args: Any, off: Any) -> Compilation:
        compiler.compilation = compiler.compilation or Compilation(kernel.__name__, game)
        return compiler.compilation

    def best_for(kernel: Kernel, game: plies.Game, *args: Any, off: Any = None) -> Callable[..., Any]:
        compiler.waited += not compiler.there and game.compiled is not False
        return kernel.interpreted

    def stamped(search: Any, job: Any) -> Any:
        result, code = search._result(job), search._code
        return replace(result, compiled=result.compiled if code is None else code.awaited is None)

    monkeypatch.delenv(FIRST)
    monkeypatch.setattr(Kernel, "is_ready", lambda kernel, game, *args, off: compiler.there)
    monkeypatch.setattr(Kernel, "prepare", prepare)
    monkeypatch.setattr(Kernel, "best_for", best_for)
    monkeypatch.setattr(Driver, "_stamped", stamped)
    yield compiler
    compiler.finish()


class Heap(NamedTuple):
    """What is on the table, and whose turn it is."""

    left: int
    player: int


class Take(plies.Game):
    """Take one or two of many; who takes the last has won. After some calls of a rule, something happens."""

    def __init__(self, many: int = 30, players: int = 2, after: int = 0, then: Any = None) -> None:
        self.many, self.players, self.after, self.then = many, players, after, then

    def initial(self):
        return Heap(self.many, 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        for count in range(1, 3):
            if count <= state.left:
                yield count

    def result(self, state, action):
        self.after -= 1
        if self.after <= 0 and self.then is not None:
            self.then()
        return Heap(state.left - action, (state.player + 1) % self.players)

    def is_terminal(self, state):
        return state.left == 0

    def utility(self, state, player):
        if self.players == 1:
            return 1
        return -1 if player == state.player else 1


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def results_until_compiled(slow: Slow, game: plies.Game, name: str) -> list[plies.SearchResult]:
    """What a search tells whose code is there after its third result, and which ends once that was used."""
    engine, found = engine_for(game, name), []
    for result in engine.analyse(limit=Limit(time=100)):
        found.append(result)
        if len(found) == 3:
            slow.finish()
        if result.compiled:
            engine.stop()
    return found


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("alpha-beta", plies.ConnectFour()),
        ("paranoid", plies.ConnectFour()),
        ("expectiminimax", plies.Pig()),
        ("expectimax", plies.ConnectFour()),
        ("max-n", plies.ConnectFour()),
        ("mcts", plies.ConnectFour()),
        ("flat", plies.ConnectFour()),
    ],
)
def test_every_search_begins_interpreted_and_goes_on_compiled(
    slow: Slow, name: str, game: plies.Game
) -> None:
    found = results_until_compiled(slow, game, name)
    assert [one.compiled for one in found[:3]] == [False] * 3
    assert found[-1].compiled
    assert slow.waited == 0
    told = [one.nodes if one.visits else one.depth for one in found[:-1]]
    assert told == sorted(set(told)), "what was told is not told again"


@pytest.mark.parametrize(("name", "players"), [("alpha-beta", 2), ("max-n", 2), ("depth-first", 1)])
def test_what_is_found_is_what_a_search_finds_that_waits(slow: Slow, name: str, players: int) -> None:
    game = Take(12, players, 40, slow.finish_what_has_begun)
    found = engine_for(game, name).search(limit=Limit(time=100))
    assert found.compiled
    assert found.value.proved
    waited = engine_for(Take(12, players), name).search(limit=Limit(time=100))
    assert (found.action, found.value, found.nodes) == (waited.action, waited.value, waited.nodes)


@pytest.mark.parametrize("solver", [Solver, ProofNumberSearch])
def test_a_proof_goes_on_compiled(slow: Slow, solver: Any) -> None:
    solution = solver(Take(12, 2, 40, slow.finish_what_has_begun), memory=1).solve()
    assert solution.compiled
    assert solution.value == solver(Take(12), memory=1).solve().value


@pytest.mark.parametrize("solver", [Solver, ProofNumberSearch])
def test_what_is_proved_before_the_code_is_there_ends_the_search(slow: Slow, solver: Any) -> None:
    solution = solver(Take(5), memory=1).solve()
    assert solution.solved
    assert not solution.compiled
    found = plies.search(Take(5), time=100)
    assert found.value.proved
    assert not found.compiled
    assert slow.compilation is not None
    assert not slow.compilation.done


@pytest.mark.parametrize("limit", [{"depth": 2}, {"nodes": 20}])
def test_a_search_limited_by_depth_or_nodes_waits(slow: Slow, limit: dict[str, int]) -> None:
    found = plies.search(Take(), **limit)  # type: ignore[arg-type]
    assert found.compiled
    assert slow.waited > 0
    assert slow.compilation is None


def test_with_a_time_as_well_it_does_not_wait_and_ends_at_its_depth(slow: Slow) -> None:
    begun = time.monotonic()
    found = plies.search(Take(), depth=2, time=100)
    assert time.monotonic() - begun < 50, "it does not wait for the compiler at its end either"
    assert found.depth == 2
    assert not found.compiled
    assert slow.waited == 0


def test_a_game_that_must_be_compiled_is_waited_for(slow: Slow) -> None:
    game = Take(5)
    game.compiled = True
    engine = engine_for(game, "alpha-beta")
    assert slow.waited > 0, "and whoever makes the search is told if it does not compile"
    assert engine.search(limit=Limit(time=100)).compiled
    assert slow.compilation is None


def test_whoever_wants_to_wait_does(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FIRST, "1")
    assert plies.search(Take(5), time=100).compiled


def test_a_game_that_does_not_compile_is_searched_on(slow: Slow) -> None:
    game = Take(12, 2, 40, lambda: slow.compilation and slow.finish(usable=False))
    found = plies.search(game, time=100, algorithm="alpha-beta")
    assert found.value.proved
    assert not found.compiled


def test_the_second_search_is_compiled_from_the_start(slow: Slow) -> None:
    engine = engine_for(Take())
    assert not engine.search(limit=Limit(time=0.01)).compiled
    slow.finish()
    assert all(found.compiled for found in engine.analyse(limit=Limit(time=0.01)))


def test_time_is_up_although_the_compiler_is_not_done(slow: Slow) -> None:
    found = plies.search(plies.ConnectFour(), time=0.05)
    assert found.depth >= 1
    assert not found.compiled


def test_where_the_interpreter_is_at_its_end_the_compiler_is_waited_for(slow: Slow) -> None:
    """As interpreted searches do not go as deep."""
    engine = engine_for(plies.ConnectFour())
    engine.runners[0].run.last_ply = 2
    threading.Timer(1.0, slow.finish).start()
    found = None
    for found in engine.analyse(limit=Limit(time=100)):
        if found.compiled:
            engine.stop()
    assert found is not None
    assert found.compiled
    assert found.depth > 3


def test_a_search_ends_where_the_interpreter_does_if_the_game_does_not_compile(
    slow: Slow,
) -> None:
    engine = engine_for(plies.ConnectFour())
    engine.runners[0].run.last_ply = 2
    threading.Timer(0.5, slow.finish, [False]).start()
    found = engine.search(limit=Limit(time=10))
    assert not found.compiled
    assert found.depth == 3


def test_it_can_be_stopped_while_it_waits_for_the_compiler(slow: Slow) -> None:
    engine = engine_for(plies.ConnectFour())
    engine.runners[0].run.last_ply = 2
    threading.Timer(0.5, engine.stop).start()
    found = engine.search(limit=Limit(time=100))
    assert not found.compiled
    assert found.depth == 3


def test_a_stop_just_when_the_code_is_there_is_not_forgotten(slow: Slow) -> None:
    engine = engine_for(plies.ConnectFour())

    class Stopping(type(engine)):  # type: ignore[misc]
        def _equip(self, code: Any) -> None:
            super()._equip(code)
            self.stop()

    engine.__class__ = Stopping
    for found in engine.analyse(limit=Limit(time=100)):
        if found.depth == 2:
            slow.finish()
    assert found.seconds < 50, "or it would have gone on until the time was up"


def test_pondering_goes_on_compiled(slow: Slow) -> None:
    engine = engine_for(plies.ConnectFour())
    engine.ponder(plies.ConnectFour().initial())
    assert engine.compilation is slow.compilation
    slow.finish()
    wait_for(lambda: engine._code is not None and engine._code.awaited is None)
    engine.stop()


def test_threads_begin_with_machine_code(slow: Slow) -> None:
    engine = engine_for(plies.ConnectFour(), threads=2)
    seen = set()
    for found in engine.analyse(limit=Limit(time=100)):
        seen.add((found.compiled, sum(bool(runner.run.nodes) for runner in engine.runners)))
        if found.depth == 3:
            slow.finish()
        if found.compiled:
            engine.stop()
    assert (False, 2) not in seen


# -- Clients.


def test_players_at_a_terminal_do_not_wait_and_matches_do(slow: Slow) -> None:
    player, _ = parse_players("engine:0.05,random", plies.ConnectFour())
    assert slow.compilation is not None, "it is compiled while a person thinks"
    assert slow.waited == 0
    assert isinstance(player, EnginePlayer)
    player.choose(player._ready(plies.ConnectFour()).game, plies.ConnectFour().initial())
    assert player.last is not None
    assert not player.last.compiled
    EnginePlayer(0.05).prepare(plies.ConnectFour())
    assert slow.waited > 0


def test_an_engine_answers_before_it_is_compiled(slow: Slow) -> None:
    with Inside(plies.ConnectFour()) as client:
        client.send("uci", "position startpos", "go movetime 50")
        client.expect("^bestmove")
        client.send("go infinite")
        client.expect("info depth [3-5] ")
        slow.finish()
        client.expect("info depth ([6-9]|..) ")
        client.send("stop")
        client.expect("^bestmove")
        depths = [int(line.split()[2]) for line in client.heard if line.startswith("info depth")]
        later = depths[depths.index(1, 1) :] if 1 in depths[1:] else depths
        assert later == sorted(later)


def test_an_engine_is_ready_when_it_is_compiled(slow: Slow) -> None:
    with Inside(plies.ConnectFour()) as client:
        client.send("uci", "isready")
        client.expect("uciok")
        wait_for(lambda: slow.compilation is not None)
        slow.finish()
        client.expect("readyok")


def test_an_engine_that_gets_ready_can_be_ended(slow: Slow) -> None:
    with Inside(plies.ConnectFour()) as client:
        client.send("uci", "isready")
        wait_for(lambda: slow.compilation is not None)
        client.send("quit")
        client.thread.join(30)
        assert not client.thread.is_alive()


def test_an_engine_that_waits_for_the_compiler_can_be_stopped(slow: Slow) -> None:
    with Inside(plies.ConnectFour()) as client:
        client.send("uci", "position startpos", "go depth 2")
        wait_for(lambda: slow.compilation is not None)
        assert slow.waited == 0
        client.send("stop")
        client.expect("^bestmove")
        client.send("go depth 2")
        slow.finish()
        client.expect("info depth 2 ")
        client.expect("^bestmove")


def test_gtp_answers_before_it_is_compiled(slow: Slow) -> None:
    with Inside(plies.Gomoku(size=9), protocol="gtp", seconds=0.05) as client:
        assert client.gtp("genmove b").startswith("= ")
    assert slow.waited == 0


def test_the_page_analyses_at_once_and_says_how_far_the_compiler_is(slow: Slow) -> None:
    site = Site(workers=2)
    try:
        with site.client() as client:
            client.send("analyse", game="connect-four", seconds=30)
            replies = [client.hear()]
            while not any("note" in reply for reply in replies):
                replies.append(client.hear())
            assert replies[-1]["note"].startswith("compiling connect-four: ")
            assert "s of about" in replies[-1]["note"]
            assert any("info" in reply and not reply["info"]["compiled"] for reply in replies)
            slow.finish()
            while not ("info" in (reply := client.hear()) and reply["info"]["compiled"]):
                pass
            client.ask("stop")
    finally:
        site.stop()


def test_a_notebook_shows_how_far_the_compiler_is(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("IPython")
    seen: list[Any] = []

    class Shown:
        def update(self, thing: Any) -> None:
            seen.append(thing)

    def display(thing: Any, display_id: bool) -> Shown:
        seen.append(thing)
        return Shown()

    monkeypatch.setattr("IPython.display.display", display)
    found = notebook.live(plies.ConnectFour(), time=1.2)
    assert seen[-1] is found
    assert len(seen) > len({id(one) for one in seen}), "it is shown again, with the seconds that have passed"
    assert "interpreted, and still compiling connect-four: " in notebook.show_found(found)
    slow.finish()
    assert "interpreted" not in notebook.show_found(found)


def test_best_says_that_it_searched_interpreted(slow: Slow, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["best", "connect-four", "--time", "0.05"]) == 0
    assert "searched interpreted, and still compiling connect-four: " in capsys.readouterr().out
    slow.finish()
    assert run(["best", "connect-four", "--time", "0.05"]) == 0
    assert "interpreted" not in capsys.readouterr().out


def test_compiling_is_told_in_seconds(slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("plies.compiled.background.time.monotonic", lambda: now[0])
    monkeypatch.setattr("plies.compiled.compile_times.expected_seconds", lambda kernel, game: 8.2)
    compilation = Compilation("pvs", plies.ConnectFour())
    now[0] += 3
    assert str(compilation) == "compiling connect-four: 3 s of about 8 s"
    assert compilation in under_way()
    called = []
    compilation.then(lambda: called.append(1))
    compilation.end()
    now[0] += 3
    assert compilation.elapsed == 3
    compilation.then(lambda: called.append(2))
    assert called == [1, 2]
    assert compilation not in under_way()
