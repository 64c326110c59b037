"""Compiling in the background: by another process or a thread, once, whatever happens to them."""

from __future__ import annotations

import copy
import errno
import os
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plies
from cache_attacks import own_cache  # noqa: F401, a fixture
from plies.compiled import Kernel, background, compile_times, disk_cache, fingerprint_of, interpreting, kernel
from plies.compiled.fingerprint import fingerprint
from plies.errors import PliesWarning

pytestmark = pytest.mark.skipif(interpreting(), reason="compilation is switched off")

HERE = os.getpid()
PARENT = "PLIES_TEST_PARENT"


@kernel
def length(game, state):
    """How many plies the game takes."""
    plies = 0
    while not game.is_terminal(state):
        state = game.result(state, 1)
        plies += 1
    return plies


class Count(plies.Game):
    """Count to three."""

    name = "count"

    def initial(self) -> Any:
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        yield 1

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state >= 3

    def utility(self, state, player):
        return 1 if player == 0 else -1


class InTheOther(Count):
    """A game with which something happens in the process that compiles it."""

    def __init__(self) -> None:
        self.told = 0  # what has no attributes is not told of its state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if os.environ.get(PARENT) != str(os.getpid()):
            self.happen()

    def happen(self) -> None:
        raise NotImplementedError


class Crashes(InTheOther):
    """The compiler crashes."""

    def happen(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Foreign(InTheOther):
    """It cannot be imported."""

    def happen(self) -> None:
        raise ImportError("not here")


class Patched(InTheOther):
    """It is another game there."""

    def happen(self) -> None:
        Patched.is_terminal = lambda self, state: state >= 4  # type: ignore[method-assign]


class Full(InTheOther):
    """The disk is full."""

    def happen(self) -> None:
        disk_cache._write = full  # type: ignore[assignment]


class Refused(Count):
    """It does not compile."""

    def result(self, state, action):
        return {0: 1, 1: 2, 2: 3}.get(state, "three")


def full(*args: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.fixture
def fresh(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Kernel]:
    """A kernel as a process has it that has not compiled anything yet."""
    monkeypatch.setenv(PARENT, str(HERE))

    def made() -> Kernel:
        forgotten = Kernel(length.function)
        forgotten.function.__module__ = __name__
        return forgotten

    return made


def compiled(kernel: Kernel, game: plies.Game) -> background.Compilation:
    """The compilation of a kernel for a game, which has ended."""
    assert not kernel.is_ready(game, 0)
    compilation = kernel.prepare(game, 0)
    assert compilation in background.under_way() or compilation.done
    assert compilation.wait(600)  # at low priority, beside other tests
    return compilation


def test_another_process_compiles_for_this_one_and_the_next(fresh: Callable[[], Kernel]) -> None:
    kernel = fresh()
    assert compiled(kernel, Count()).usable
    assert kernel.is_ready(Count(), 0)
    assert kernel.compiled_for(Count(), 0).loaded  # type: ignore[attr-defined]
    assert kernel(Count(), 0) == 3
    assert fresh().is_ready(Count(), 0), "it is on disk"
    assert not fresh().is_ready(Count(), 0.0), "for arguments of these types"
    assert disk_cache.contents().entries == 1
    assert disk_cache.clear() == 0
    assert not fresh().is_ready(Count(), 0)


@pytest.mark.long
def test_it_is_not_compiled_twice_at_the_same_time(fresh: Callable[[], Kernel]) -> None:
    kernel = fresh()
    assert kernel.prepare(Count(), 0) is kernel.prepare(Count(), 0)
    kernel.prepare(Count(), 0).wait(600)


def test_it_is_known_without_numba_that_something_must_be_compiled(cache: Path) -> None:
    script = """
        import sys, plies
        from plies.engine.alpha_beta import AlphaBeta
        engine = AlphaBeta(plies.TicTacToe())
        print(engine.runners[0].compiled, "numba" in sys.modules)
    """
    environment = {**os.environ, "PLIES_COMPILE_FIRST": "0"}
    told = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, env=environment
    )
    assert told.stdout == "False False\n", told.stderr


def test_a_game_that_no_other_process_can_import_is_compiled_by_a_thread(fresh: Callable[[], Kernel]) -> None:
    class Inner(Count):
        """A class in a function."""

    for game in (Inner(), Foreign(), Patched()):
        kernel = fresh()
        assert compiled(kernel, game).usable, game
        assert kernel(game, 0) == 3
        assert not kernel.compiled_for(game, 0).loaded  # type: ignore[attr-defined]


def test_a_compiler_that_crashes_is_harmless_and_not_tried_again(fresh: Callable[[], Kernel]) -> None:
    kernel = fresh()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        compilation = compiled(kernel, Crashes())
    assert compilation.crashed
    assert not compilation.usable
    (words,) = [str(one.message) for one in told if issubclass(one.category, PliesWarning)]
    assert words == "the compiler ended with code -9; Crashes runs interpreted, a hundred times slower"
    assert not kernel.is_ready(Crashes(), 0)
    assert kernel.prepare(Crashes(), 0) is compilation


@pytest.mark.long
def test_on_a_full_disk_a_thread_compiles(
    fresh: Callable[[], Kernel], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk_cache, "_write", full)
    kernel = fresh()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert compiled(kernel, Full()).usable
    assert kernel(Full(), 0) == 3
    assert any("compiled code is not kept on disk" in str(one.message) for one in told)
    assert not fresh().is_ready(Full(), 0)


def test_a_game_that_does_not_compile(fresh: Callable[[], Kernel]) -> None:
    kernel = fresh()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        compilation = compiled(kernel, Refused())
    assert not compilation.usable
    assert not compilation.crashed
    assert any("does not compile" in str(one.message) for one in told)
    assert kernel.is_ready(Refused(), 0), "there is nothing to wait for"


@pytest.mark.long
def test_the_seconds_of_the_last_time_are_expected(fresh: Callable[[], Kernel], cache: Path) -> None:
    assert compile_times.expected_seconds("length", "Count") == compile_times.ROUGHLY
    compilation = compiled(fresh(), Count())
    (noted,) = cache.glob("*.seconds")
    seconds = float(noted.read_text())
    assert 0 < seconds <= compilation.elapsed
    assert compile_times.expected_seconds("length", "Count") == seconds
    assert compile_times.expected_seconds("length", "Other") == seconds, "as other games take"
    assert compile_times.expected_seconds("other", "Count") == compile_times.ROUGHLY
    noted.write_text("no number")
    assert compile_times.expected_seconds("length", "Count") == compile_times.ROUGHLY


def test_copies_have_the_same_code() -> None:
    """`copy` and `pickle` note something on the class of what they copy."""

    class Number(NamedTuple):
        number: int

    class Counted(Count):
        """Counts with a class that nobody has copied yet."""

        def initial(self):
            return Number(0)

        def result(self, state, action):
            return Number(state.number + action)

    def start() -> Number:
        return Number(0)

    game = Counted()
    before = fingerprint(start), fingerprint_of(game), length.identity(game, Number(0))
    copy.copy(Number(0))
    copy.copy(game)
    assert "__slotnames__" in vars(Number)
    assert (fingerprint(start), fingerprint_of(game), length.identity(game, Number(0))) == before


# -- Whole processes.

SCRIPT = """
import sys
from typing import Any, NamedTuple
import plies
from plies.compiled import background

class Race(plies.Game):
    def initial(self) -> Any:
        return 0
    def to_move(self, state):
        return state % 2
    def actions(self, state):
        yield 1
        yield 3
    def result(self, state, action):
        return state + action
    def is_terminal(self, state):
        return state >= 400
    def utility(self, state, player):
        return 1 if player == state % 2 else -1

if __name__ == "__main__":
    found = plies.search(Race(), time=float(sys.argv[1]), algorithm="max-n")
    print("compiled" if found.compiled else "interpreted", flush=True)
"""


def start(*arguments: str, folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "PLIES_COMPILE_FIRST": "0", "PLIES_CACHE_DIR": str(folder / "cache")}
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=environment,
    )


def entries(folder: Path) -> list[Path]:
    return list((folder / "cache").glob("*.plies"))


def wait_for_entry(folder: Path) -> None:
    end = time.monotonic() + 240
    while not entries(folder):
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.long
def test_a_script_leaves_its_code_for_the_next_time(tmp_path: Path) -> None:
    """A thread compiles what is defined in it, and is waited for."""
    (tmp_path / "race.py").write_text(SCRIPT)
    for expected in ("interpreted", "compiled"):
        told, said = start("race.py", "0.05", folder=tmp_path).communicate(timeout=240)
        assert (told, said) == (f"{expected}\n", "")
        assert len(entries(tmp_path)) == 1


@pytest.mark.long
def test_a_program_that_has_ended_is_outlived_by_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "race.py").write_text(SCRIPT)
    best = ("-m", "plies", "best", "race.py:Race", "--time", "0.05", "--algorithm", "max-n")
    told, said = start(*best, folder=tmp_path).communicate(timeout=240)
    assert not entries(tmp_path)
    assert "searched interpreted, and still compiling" in told
    assert said == ""
    wait_for_entry(tmp_path)
    told, said = start(*best, folder=tmp_path).communicate(timeout=240)
    assert "interpreted" not in told


@pytest.mark.long
def test_ctrl_c_ends_the_search_and_not_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "race.py").write_text(SCRIPT)
    code = "import plies; print(plies.search(plies.game('race.py:Race'), time=200, algorithm='max-n').depth)"
    process = start("-c", code, folder=tmp_path)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    told, said = process.communicate(timeout=240)
    assert int(told) > 0, said
    assert process.returncode == 0
    wait_for_entry(tmp_path)


@pytest.mark.long
def test_two_processes_that_start_together_compile_once(tmp_path: Path) -> None:
    (tmp_path / "race.py").write_text(SCRIPT)
    code = (
        "import plies; found = plies.search(plies.game('race.py:Race'), time=200, algorithm='max-n'); "
        "print(found.compiled)"
    )
    two = [start("-c", code, folder=tmp_path) for _ in range(2)]
    wait_for_entry(tmp_path)
    (entry,) = (tmp_path / "cache").glob("*.plies")
    made = entry.stat().st_ino
    for process in two:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=240)
    assert entry.stat().st_ino == made
