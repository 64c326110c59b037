"""The compiler and its cache: the answer is right whatever is in it, and nothing foreign in it is run."""

from __future__ import annotations

import errno
import os
import pickle
import random
import shutil
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plies
from cache_attacks import FOREIGN, NOBODY, as_root, at_once, file_of, own_cache  # noqa: F401, a fixture
from plies.compiled import Kernel, disk_cache, interpreting
from plies.errors import NotCompilable, PliesWarning

pytestmark = pytest.mark.skipif(interpreting(), reason="compilation is switched off")


class Count(plies.Game):
    """Count to three."""

    def initial(self) -> Any:
        return 0

    def to_move(self, state):
        return state % 2

    def actions(self, state):
        if state < 3:
            yield 1

    def result(self, state, action):
        return state + action

    def is_terminal(self, state):
        return state >= 3

    def utility(self, state, player):
        return 1 if player == 0 else -1


class Dictionary(Count):
    """Counts with what does not compile."""

    def result(self, state, action):
        return {0: 1, 1: 2, 2: 3}.get(state, "three")


def length(game, state):
    plies = 0
    while not game.is_terminal(state):
        state = game.result(state, 1)
        plies += 1
    return plies


def compiled(game: plies.Game | None = None) -> Any:
    """The kernel's machine code, as a process gets it that has not compiled it yet."""
    game = game or Count()
    machine = Kernel(length).compiled_for(game, 0)
    assert machine(game, 0) == 3
    return machine


def test_compiled_code_is_kept_and_loaded(cache: Path) -> None:
    assert not compiled().loaded
    assert disk_cache.contents().entries == 1
    assert compiled().loaded


def test_damaged_code_is_never_run_and_is_compiled_anew(cache: Path) -> None:
    compiled()
    path = file_of(cache)
    sound = path.read_bytes()
    for seed in range(12):
        rng = random.Random(seed)
        damaged = bytearray(sound)
        if seed % 3 == 0:
            del damaged[rng.randrange(len(sound)) :]
        else:
            damaged[rng.randrange(len(sound))] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        path.chmod(0o600)
        assert not compiled().loaded
        assert compiled().loaded, "healed"


class Bomb:
    """Leaves a mark wherever it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> Any:
        return Path.touch, (self.mark,)


def _plant(cache: Path, mark: Path) -> Path:
    """Put a well-formed entry that does harm in the place of a kernel's."""
    compiled()
    path = file_of(cache)
    disk_cache.save(path.stem, disk_cache.Entry(disk_cache.CODE, pickle.dumps(Bomb(mark))))
    return path


def test_a_planted_entry_of_our_own_would_be_run(cache: Path, tmp_path: Path) -> None:
    """What the tests below plant does harm where nothing is wrong with owner and mode, and even so heals."""
    _plant(cache, tmp_path / "mark")
    with pytest.warns(PliesWarning, match="compiled again: the cached code cannot be loaded"):
        assert not compiled().loaded
    assert (tmp_path / "mark").exists()
    assert compiled().loaded


class Halves(Count):
    def initial(self):
        return 0.0


def test_code_for_other_types_is_not_run(cache: Path) -> None:
    compiled()
    code = file_of(cache)
    machine = Kernel(length).compiled_for(Halves(), 0.0)
    assert machine(Halves(), 0.5) == 3
    (other,) = set(cache.glob("*.plies")) - {code}
    entry = disk_cache.load(code.stem)
    assert entry
    disk_cache.save(other.stem, entry)
    machine = Kernel(length).compiled_for(Halves(), 0.0)
    assert not machine.loaded
    assert machine(Halves(), 0.5) == 3
    assert Kernel(length).compiled_for(Halves(), 0.0).loaded


PLANTED: dict[str, Callable[[Path], None]] = {
    **FOREIGN,
    "not an entry": lambda path: path.write_bytes(path.read_bytes().partition(b"\n")[2]),
    "another entry's": lambda path: path.write_bytes(path.read_bytes()[:-1] + b" "),
}


@pytest.mark.parametrize("spoil", PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_entry_is_not_run(cache: Path, tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    spoil(_plant(cache, tmp_path / "mark"))
    assert not compiled().loaded
    assert not (tmp_path / "mark").exists()
    assert compiled().loaded


@as_root
def test_a_planted_entry_of_another_owner_is_not_run(cache: Path, tmp_path: Path) -> None:
    os.chown(_plant(cache, tmp_path / "mark"), NOBODY, -1)
    assert not compiled().loaded
    assert not (tmp_path / "mark").exists()
    assert compiled().loaded


def test_an_entry_in_a_folder_that_others_can_write_to_is_not_run(cache: Path, tmp_path: Path) -> None:
    _plant(cache, tmp_path / "mark")
    cache.chmod(0o777)
    with pytest.warns(PliesWarning, match="chmod go-w would change that"):
        assert not compiled().loaded
    assert not compiled().loaded
    assert not (tmp_path / "mark").exists()


def test_a_full_disk_only_costs_the_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.warns(PliesWarning, match="No space left on device"):
            assert not compiled().loaded
    assert list(cache.glob("*.plies")) == []
    assert not compiled().loaded
    assert compiled().loaded


def _caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


def _passing() -> list[Exception]:
    from numba.core.errors import TypingError

    return [
        MemoryError(),
        OSError(errno.ENOSPC, "No space left on device"),
        _caused(TypingError("internal error"), MemoryError()),
    ]


@pytest.mark.parametrize("which", range(3))
def test_a_passing_failure_is_not_remembered(
    cache: Path, monkeypatch: pytest.MonkeyPatch, which: int
) -> None:
    from plies.compiled import compiler

    def fail(*_: Any) -> None:
        raise _passing()[which]

    run = Kernel(length)
    with monkeypatch.context() as patch:
        patch.setattr(compiler, "_dispatched", fail)
        with pytest.raises(NotCompilable, match=r"could not be compiled now: .*; the next call tries again"):
            run.compiled_for(Count(), 0)
    assert list(cache.glob("*")) == []
    assert run.compiled_for(Count(), 0)(Count(), 0) == 3, "nor in this process"


@pytest.mark.parametrize("error", [AssertionError("a fault of Numba"), RecursionError(), KeyError("x")])
def test_a_fault_of_the_compiler_is_not_kept(
    cache: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    from plies.compiled import compiler

    def fail(*_: Any) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(compiler, "_dispatched", fail)
        with pytest.raises(NotCompilable):
            Kernel(length).compiled_for(Count(), 0)
    assert list(cache.glob("*")) == []
    assert not compiled().loaded


def test_ctrl_c_while_compiling_is_not_remembered(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from plies.compiled import compiler

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    run = Kernel(length)
    with monkeypatch.context() as patch:
        patch.setattr(compiler, "object_code", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run.compiled_for(Count(), 0)
    assert list(cache.glob("*")) == []
    assert run.compiled_for(Count(), 0)(Count(), 0) == 3


def refusal(monkeypatch: pytest.MonkeyPatch, *, asked: bool) -> str:
    """Why a game does not compile, and that the compiler was asked, or not."""
    from plies.compiled import compiler

    run = Kernel(length)
    calls = []
    inner = compiler._dispatched
    with monkeypatch.context() as patch:
        patch.setattr(compiler, "_dispatched", lambda *given: (calls.append(given[0]), inner(*given))[1])
        with pytest.raises(NotCompilable) as caught:
            run.compiled_for(Dictionary(), 0)
    assert calls.count(run) == asked
    return str(caught.value)


def test_a_refusal_is_remembered_while_it_is_true(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plies.compiled import compiler, label

    sentence = refusal(monkeypatch, asked=True)
    assert sentence.startswith("Dictionary.result does not compile")
    assert refusal(monkeypatch, asked=False) == sentence
    (path,) = cache.glob("length-*.plies")
    with path.open("ab") as file:
        file.write(b"garbage")
    assert refusal(monkeypatch, asked=True) == sentence
    with monkeypatch.context() as patch:
        for module, name in ((label, "versions"), (compiler, "versions"), (compiler, "versions_now")):
            patch.setattr(module, name, lambda: "repaired")
        assert refusal(monkeypatch, asked=True) == sentence
    with monkeypatch.context() as patch:  # a comment above the rule moves the line that the sentence names
        patch.setattr(label, "files_of", lambda _: "changed")
        patch.setattr(compiler, "files_of", lambda _: "changed")
        assert refusal(monkeypatch, asked=True) == sentence
    assert refusal(monkeypatch, asked=True) == sentence
    assert refusal(monkeypatch, asked=False) == sentence


def test_a_refusal_follows_the_files_that_it_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from plies.compiled import label

    before = label.files_of(Dictionary())
    assert label.files_of(Count()) != label.files_of(plies.Nim()) != before
    copy = tmp_path / "copy.py"
    shutil.copy(__file__, copy)
    monkeypatch.setattr("inspect.getfile", lambda _: str(copy))
    moved = label.files_of(Dictionary())
    copy.write_text("# a comment\n" + copy.read_text())
    assert len({before, moved, label.files_of(Dictionary())}) == 3


def test_what_is_kept_depends_on_every_file_of_the_compiler(tmp_path: Path) -> None:
    from plies.compiled import label

    names = {path.name for path in label.SOURCES}
    assert {
        "arrays.py",
        "bit_operations.py",
        "bits.py",
        "compiler.py",
        "game_type.py",
        "jit.py",
        "loader.py",
    } <= names
    copies = [Path(shutil.copy(path, tmp_path)) for path in label.SOURCES]
    assert label.versions_now(copies) == label.versions_now()
    seen = {label.versions_now()}
    for copy in copies:
        with copy.open("a") as file:
            file.write("# repaired\n")
        seen.add(label.versions_now(copies))
    assert len(seen) == len(copies) + 1


def test_nothing_is_kept_once_the_compiler_has_changed_on_disk(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from plies.compiled import compiler

    monkeypatch.setattr(compiler, "versions_now", lambda: "newer")
    assert not compiled().loaded
    assert list(cache.glob("*.plies")) == []


def test_code_compiled_with_other_settings_is_other_code(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import numba

    compiled()
    for name, value in (("BOUNDSCHECK", 1), ("OPT", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(numba.config, name, value)
            assert not compiled().loaded
            assert compiled().loaded
    assert disk_cache.contents().entries == 3


def test_settings_that_nobody_has_changed_are_known_without_numba(tmp_path: Path) -> None:
    program = """
        import sys
        from plies.compiled.label import changed_settings
        assert changed_settings() == [] and "numba" not in sys.modules
        import numba
        assert changed_settings() == []
        numba.config.BOUNDSCHECK = 1
        assert changed_settings() == [("BOUNDSCHECK", "1")]
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    command = [sys.executable, "-c", textwrap.dedent(program)]
    subprocess.run(command, check=True, cwd=tmp_path, env=environment)
    program = "from plies.compiled.label import changed_settings; print(changed_settings())"
    environment["NUMBA_OPT"] = "2"
    done = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "[('OPT', '_OptLevel(2)')]\n"


def test_the_name_of_a_class_is_no_path(cache: Path) -> None:
    for name in ("../../escape", "a" * 300, "Žofie", ""):
        game = type(name, (Count,), {"__module__": __name__})()
        assert Kernel(length).compiled_for(game, 0)(game, 0) == 3
    assert disk_cache.contents().entries == 4
    assert list(cache.parent.iterdir()) == [cache]


@pytest.mark.long
def test_processes_that_compile_the_same_at_once(cache: Path) -> None:
    program = """
        import sys
        sys.path.insert(0, sys.argv[1])
        from test_cache_compiled import compiled
        print(compiled().loaded)
    """
    here = str(Path(__file__).parent)
    assert sorted(at_once(program, *((here,) for _ in range(3)))) == ["False\n", "True\n", "True\n"]
    assert len(list(cache.glob("*.plies"))) == 1
    assert at_once(program, (here,)) == ["True\n"]


def test_a_claim_is_waited_for_and_ends_with_its_process(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = """
        import sys, time
        from plies.compiled import disk_cache
        with disk_cache.claim("pvs-Count-00000000000000000000"):
            print("claimed", flush=True)
            time.sleep(600)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "claimed\n"
        threading.Timer(0.3, holder.kill).start()
        with disk_cache.claim("pvs-Count-00000000000000000000") as waited:
            assert waited
            assert holder.wait(60) != 0
    with disk_cache.claim("pvs-Count-00000000000000000000") as waited:
        assert not waited
        monkeypatch.setattr(disk_cache, "LONGEST_CLAIM", 0.1)
        with disk_cache.claim("pvs-Count-00000000000000000000") as waited:
            assert waited  # not for ever
    assert list(cache.glob("*.plies")) == []


def test_a_game_of_the_main_program_is_loaded_the_next_time(cache: Path) -> None:
    program = """
        from typing import NamedTuple
        import plies
        from plies.compiled import kernel

        class State(NamedTuple):
            total: int

        class Main(plies.Game):
            def initial(self): return State(0)
            def to_move(self, state): return state.total % 2
            def actions(self, state): yield 1
            def result(self, state, action): return State(state.total + action)
            def is_terminal(self, state): return state.total >= 3
            def utility(self, state, player): return 1 if player == 0 else -1

        @kernel
        def after(game, state):
            return game.result(state, 1).total

        machine = after.compiled_for(Main(), State(4))
        print(machine(Main(), State(4)), machine.loaded)
    """
    assert at_once(program, ()) == ["5 False\n"]
    assert at_once(program, ()) == ["5 True\n"]
