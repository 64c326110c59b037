"""Machine code that is linked and called without Numba."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import plies
from plies.compiled import Kernel, disk_cache, interpreting, loader
from plies.compiled.loader import OWN_CODE, LoadedKernel
from plies.compiled.workspace import Workspace, record_type

pytestmark = [
    pytest.mark.skipif(interpreting(), reason="compilation is switched off"),
    pytest.mark.skipif(not OWN_CODE, reason="elsewhere, Numba calls its code itself"),
]


class State(NamedTuple):
    """A state with numbers of each kind, and a tuple in it."""

    number: int
    pair: tuple[float, bool]
    player: int


class Mixed(plies.Game):
    """Count down; a player who counts to 0 wins."""

    def __init__(self, start: int = 3):
        self.start = start
        self.weights = np.array([0.5, 2.0])
        self.table = np.arange(6, dtype=np.int32).reshape(2, 3)

    def initial(self) -> Any:
        return State(self.start, (0.5, True), 0)

    def to_move(self, state):
        return state.player

    def actions(self, state):
        yield 1

    def result(self, state, action):
        if state.number < -1:
            raise ValueError("there is nothing left")
        return State(state.number - action, (state.pair[0], not state.pair[1]), 1 - state.player)

    def is_terminal(self, state):
        return state.number == 0

    def utility(self, state, player):
        return -1 if player == state.player else 1


RUN = np.dtype([("calls", np.int64), ("total", np.float64)])


def every_kind(game, state, factor, flag, counts, run, work):
    """Read and write whatever a kernel can be given."""
    run.calls += 1
    run.total += factor * state.pair[0] * game.weights[1] + game.table[1, 2]
    work.grid[1, 0] = state.number if flag and state.pair[1] else -1
    counts[1] += len(work.line)
    return state.number + counts[0], factor, flag, (state.player,)


def ahead(game, state, plies):
    """The number after some plies."""
    while plies > 0:
        state = game.result(state, 1)
        plies -= 1
    return state.number


def nothing(game, state):
    """Return nothing."""
    game.is_terminal(state)


def given() -> tuple[Any, ...]:
    run = record_type(RUN)()
    work = Workspace(grid=np.zeros((2, 2), np.int64), line=np.zeros(5))
    return 1.5, True, np.array([10, 0]), run, work


@pytest.fixture
def game() -> Mixed:
    return Mixed()


def test_arguments_and_results_of_every_kind(game: Mixed) -> None:
    args = given()
    machine: Any = Kernel(every_kind).compiled_for(game, game.initial(), *args)
    assert isinstance(machine, LoadedKernel)
    for call in (1, 2):
        assert machine(game, game.initial(), *args) == (13, 1.5, True, (0,))
        _, _, counts, run, work = args
        assert (run.calls, run.total) == (call, call * (1.5 * 0.5 * 2.0 + 5))
        assert counts.tolist() == [10, 5 * call]
        assert work.grid.tolist() == [[0, 0], [3, 0]]
    interpreted = Kernel(every_kind).interpreted(game, game.initial(), *given())
    assert machine(game, game.initial(), *given()) == interpreted


def test_arrays_are_read_where_they_are_now(game: Mixed) -> None:
    args = given()
    *_, run, work = args
    machine: Any = Kernel(every_kind).compiled_for(game, game.initial(), *args)
    machine(game, game.initial(), *args)
    work.grid = np.full((3, 4), 7)
    game.table = np.zeros((2, 3), np.int32)
    run.total = 0
    machine(game, game.initial(), *args)
    assert work.grid[1].tolist() == [3, 7, 7, 7]
    assert run.total == 1.5


def second_number(game, state, work):
    """An array that comes after another one, if there is one."""
    return int(work.line[1]) + game.table.shape[0]


def test_blocks_of_arrays_are_made_again_when_anything_is_another(game: Mixed) -> None:
    work = Workspace(line=np.array([1, 2]))
    one: Any = Kernel(second_number).compiled_for(game, game.initial(), work)
    more = Workspace(grid=np.array([[5, 6], [7, 8]]), line=np.array([3, 4]))
    two: Any = Kernel(second_number).compiled_for(game, game.initial(), more)
    assert one(game, game.initial(), work) == 2 + 2
    assert two(game, game.initial(), more) == 4 + 2
    assert one(game, game.initial(), more) == 4 + 2  # which needs one of its arrays alone
    assert two(game, game.initial(), more) == 4 + 2
    game.table.shape = (3, 2)
    assert two(game, game.initial(), more) == 4 + 3
    assert one(Mixed(), game.initial(), work) == 2 + 2


def test_what_is_raised_in_a_kernel_is_raised(game: Mixed) -> None:
    machine: Any = Kernel(ahead).compiled_for(game, game.initial(), 1)
    assert machine(game, game.initial(), 4) == -1
    with pytest.raises(ValueError, match=r"^there is nothing left$"):
        machine(game, game.initial(), 9)
    assert machine(game, game.initial(), 4) == -1


def test_a_kernel_that_returns_nothing(game: Mixed) -> None:
    machine: Any = Kernel(nothing).compiled_for(game, game.initial())
    assert machine(game, game.initial()) is None


@pytest.mark.parametrize(
    "state",
    [
        *(3, (3, (0.5, True)), (3, (0.5,), 0, 1), (3.5, (0.5, True), 0), (None, (0.5, True), 0)),
        *((1 << 63, (0.5, True), 0), (3, ("x", True), 0)),
    ],
)
def test_other_types_than_it_was_compiled_for_are_refused(game: Mixed, state: Any) -> None:
    machine: Any = Kernel(ahead).compiled_for(game, game.initial(), 1)
    with pytest.raises(TypeError, match="compiled for"):
        machine(game, state, 1)


def test_arrays_of_another_type_are_refused(game: Mixed) -> None:
    args = given()
    machine: Any = Kernel(every_kind).compiled_for(game, game.initial(), *args)
    for counts in (np.zeros(2), np.zeros((2, 2), np.int64), np.zeros(4, np.int64)[::2]):
        with pytest.raises(TypeError, match="compiled for"):
            machine(game, game.initial(), *args[:2], counts, *args[3:])


def test_threads_may_call_one_kernel_at_once(game: Mixed) -> None:
    machine: Any = Kernel(every_kind).compiled_for(game, game.initial(), *given())
    wrong = []

    def work(number: int) -> None:
        args = given()
        args[2][0] = number
        for _ in range(300):
            found = machine(game, game.initial()._replace(player=number), *args)
            if found != (3 + number, 1.5, True, (number,)):
                wrong.append(found)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("items", [[["q"], ["q"]], [["q"], ["bool"]]])
def test_a_tuple_of_another_length_is_refused(items: list[Any]) -> None:
    write = loader._tuple_writer(items)
    for arg in ((1,), (1, True, 3), [1, True]):
        with pytest.raises(ValueError, match="is not a tuple of 2"):
            write(arg, [], [])
    words: list[Any] = []
    write((1, True), words, [])
    assert words == [1, True]


@pytest.mark.parametrize("name", [pytest.param("kalah", marks=pytest.mark.costly), "pig"])
def test_the_next_process_searches_without_numba(tmp_path: Path, name: str) -> None:
    program = f"""
        import sys
        import plies
        game = plies.game({name!r})
        game.compiled = True
        print(plies.search(game, depth=2).value, "numba" in sys.modules)
    """
    printed = [
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(program)],
            check=True,
            capture_output=True,
            text=True,
            env={
                "PATH": "",
                "PYTHONPATH": str(Path(plies.__file__).parents[1]),
                "PLIES_CACHE_DIR": str(tmp_path),
            },
        ).stdout.split(" ")
        for _ in range(2)
    ]
    assert [words[-1] for words in printed] == ["True\n", "False\n"]
    assert printed[0][:-1] == printed[1][:-1]


def test_code_that_calls_what_the_system_lacks_is_compiled_again(
    game: Mixed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path))
    Kernel(ahead).compiled_for(game, game.initial(), 1)
    (path,) = tmp_path.glob("ahead-*.plies")
    entry = disk_cache.load(path.stem)
    assert entry
    assert entry.kind == disk_cache.OBJECT
    assert b'"calls": []' in entry.content
    changed = entry.content.replace(b'"calls": []', b'"calls": ["NRT_Allocate"]')
    disk_cache.save(path.stem, entry._replace(content=changed))
    machine: Any = Kernel(ahead).compiled_for(game, game.initial(), 1)
    assert not machine.loaded
    assert machine(game, game.initial(), 2) == 1
