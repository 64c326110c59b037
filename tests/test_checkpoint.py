"""Checkpoints: an analysis that is killed goes on to the same bytes; damaged and hostile ones are refused."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.retrograde import checkpoint as checkpoints
from plies.retrograde import enumeration, indexed, value_iteration
from plies.retrograde.checkpoint import RECORD, Checkpoint, _digest
from plies.retrograde.database_file import write_database
from plies.retrograde.make import make_database
from test_cli import program

pytestmark = pytest.mark.plain

NIM = plies.Nim((3, 4, 5))
AWARI = plies.Awari(houses=3, seeds=2, repetition="split")
JOBS: list[tuple[plies.Game, str]] = [(NIM, ""), (AWARI, "4")]


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps and threads as in large games, in small ones."""
    monkeypatch.setattr("os.fsync", lambda _: None)  # which takes most of the time
    for module in (enumeration, indexed):
        monkeypatch.setattr(module, "FEW", 60)
    monkeypatch.setattr(enumeration.Enumeration, "room", 64, raising=False)
    monkeypatch.setattr(enumeration.Enumeration.__init__, "__defaults__", _with_room(enumeration.Enumeration))
    monkeypatch.setattr(indexed.Numbering.__init__, "__defaults__", _with_room(indexed.Numbering))


def _with_room(kind: Any) -> tuple[Any, ...]:
    return tuple(64 if value == enumeration.ROOM else value for value in kind.__init__.__defaults__)


class Killed(BaseException):
    """Stands for a kill at some moment."""


def killed_after(steps: int) -> Callable[[Any], None]:
    def report(progress: Any) -> None:
        nonlocal steps
        steps -= 1
        if steps < 0:
            raise Killed

    return report


def written(database: plies.Database, path: Path) -> bytes:
    write_database(database, path)
    return path.read_bytes()


def go_on(game: plies.Game, ending: str, folder: Path, steps: int = 1 << 30) -> plies.Database:
    one = Checkpoint(folder, every=0)
    try:
        return make_database(game, ending, threads=2, progress=killed_after(steps), checkpoint=one)
    finally:
        one.close()


@pytest.mark.parametrize(("game", "ending"), JOBS)
def test_what_is_killed_goes_on_to_the_same_bytes(game: plies.Game, ending: str, tmp_path: Path) -> None:
    wanted = written(make_database(game, ending, threads=2), tmp_path / "whole")
    chance = random.Random(ending)
    begun = 0
    for number in range(4):
        folder = tmp_path / str(number)
        for _ in range(chance.randint(1, 4)):
            with contextlib.suppress(Killed):
                go_on(game, ending, folder, chance.randrange(40 if ending else 9))
            begun += (folder / RECORD).exists()
        assert written(go_on(game, ending, folder), tmp_path / "again") == wanted
    assert begun > 3


@pytest.mark.parametrize(("game", "ending"), JOBS)
def test_a_kill_before_the_record_costs_only_what_came_after_the_last(
    game: plies.Game, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = written(make_database(game, ending, threads=2), tmp_path / "whole")
    replacing = checkpoints.replacing
    for saves in (0, 1, 4):
        left = saves

        @contextlib.contextmanager
        def failing(path: Path) -> Any:
            nonlocal left
            left -= 1
            with replacing(path) as file:
                if left < 0:
                    file.write(b"half")
                    raise Killed
                yield file

        monkeypatch.setattr(checkpoints, "replacing", failing)
        with pytest.raises(Killed):
            go_on(game, ending, tmp_path / str(saves))
        monkeypatch.setattr(checkpoints, "replacing", replacing)
        with pytest.raises(Killed):
            go_on(game, ending, tmp_path / str(saves), 2)
        found = go_on(game, ending, tmp_path / str(saves))
        assert written(found, tmp_path / "again") == wanted


def dice(folder: Path | None, steps: int = 1 << 30) -> tuple[bytes, bytes]:
    """The bounds of Pig to 8 points, as far as so many steps."""
    game = plies.Pig(target=8)
    game.compiled = False
    one = None if folder is None else Checkpoint(folder, every=0)
    try:
        found = plies.value_iteration(game, progress=killed_after(steps), checkpoint=one)
    finally:
        if one is not None:
            one.close()
    return found.low.tobytes(), found.high.tobytes()


@pytest.mark.long
def test_value_iteration_goes_on_to_the_same_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_iteration, "PORTION", 20)
    wanted = dice(None)
    found: list[int] = []
    resume = value_iteration.resume_bounds
    monkeypatch.setattr(
        value_iteration, "resume_bounds", lambda *given: found.append(resume(*given)) or found[-1]
    )
    for steps in (3, 20):
        with pytest.raises(Killed):
            dice(tmp_path, steps)
    assert dice(tmp_path) == wanted
    reports: list[Any] = []
    game = plies.Pig(target=8)
    game.compiled = False
    plies.value_iteration(game, progress=reports.append)
    for steps in range(len(reports) - 20, len(reports), 7):
        with pytest.raises(Killed):
            dice(tmp_path / str(steps), steps)
        assert dice(tmp_path / str(steps)) == wanted
    assert len(set(found)) > 3
    record = (tmp_path / RECORD).read_bytes()
    for bad in (np.inf, -7.0):
        bounds = np.fromfile(tmp_path / "bounds")
        bounds[4] = bad
        bounds.tofile(tmp_path / "bounds")

        def digests(record: dict[str, Any], bounds: Any = bounds) -> None:
            record["files"]["bounds"]["pieces"] = [[len(bounds) // 2, _digest(bounds.tobytes())]]

        forged(tmp_path, digests)
        with pytest.raises(plies.PliesError, match="what it holds makes no sense"):
            dice(tmp_path)
        (tmp_path / RECORD).write_bytes(record)


SCRIPT = """
import sys
from plies.retrograde import checkpoint, enumeration, indexed
checkpoint.EVERY = 0.05
from plies.cli import main
sys.argv = ["plies", "database", "make", *sys.argv[1:]]
main()
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
@pytest.mark.parametrize(
    "words", [["tic-tac-toe", "--no-fold"], ["awari", "repetition=split", "--ending", "4"]]
)
def test_processes_that_are_killed(words: list[str], tmp_path: Path) -> None:
    def begun(folder: Path) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PLIES_DATA_DIR": str(folder), "NUMBA_DISABLE_JIT": "1"}
        command = [sys.executable, "-c", SCRIPT, *words]
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)

    start = time.monotonic()
    assert begun(tmp_path / "whole").wait() == 0
    seconds = time.monotonic() - start
    chance = random.Random(1)
    for _ in range(5):
        process = begun(tmp_path / "killed")
        time.sleep(chance.uniform(0.3, 0.9) * seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert begun(tmp_path / "killed").wait() == 0
    (whole,), (killed,) = ((tmp_path / name).glob("*.plies-db") for name in ("whole", "killed"))
    assert whole.read_bytes() == killed.read_bytes()
    assert not list((tmp_path / "killed").glob("*.checkpoint"))


# -- Damaged, hostile, locked, and of something else.


@pytest.fixture(params=JOBS, ids=["states", "numbers"])
def left(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[plies.Game, str, Path]:
    """A checkpoint that was left behind."""
    game, ending = request.param
    with pytest.raises(Killed):
        go_on(game, ending, tmp_path / "left", 25 if ending else 4)
    return game, ending, tmp_path / "left"


def test_damage_is_refused(left: tuple[plies.Game, str, Path]) -> None:
    game, ending, folder = left
    files = [path for path in sorted(folder.iterdir()) if path.name != "lock" and path.stat().st_size]
    assert len(files) > 3
    before = {path: path.read_bytes() for path in files}
    chance = random.Random(3)
    for _ in range(24):
        for path, data in before.items():
            path.write_bytes(data)
        path = chance.choice(files)
        spoilt = bytearray(before[path])
        if chance.random() < 0.3:
            spoilt = spoilt[: chance.randrange(len(spoilt))]
        else:
            spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
        path.write_bytes(spoilt)
        with pytest.raises(plies.PliesError, match="remove it, and begin again") as error:
            go_on(game, ending, folder, 1)
        assert "\n" not in str(error.value)


def forged(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Write a record anew, with a checksum that is right."""
    path = folder / RECORD
    record = json.loads(path.read_bytes().partition(b"\n")[2])
    change(record)
    text = json.dumps(record).encode()
    path.write_bytes(_digest(text).encode() + b"\n" + text)


HOSTILE: list[Callable[[dict[str, Any]], Any]] = [
    lambda record: record.clear(),
    lambda record: record.update(job=7),
    lambda record: record.update(facts=[]),
    lambda record: record.update(facts={}),
    lambda record: record["files"].clear(),
    lambda record: record["files"].update({"../../etc/passwd": {"kind": "<i8", "columns": 0, "pieces": []}}),
    lambda record: next(iter(record["files"].values())).update(kind="|O"),
    lambda record: next(iter(record["files"].values())).update(columns=-1),
    lambda record: next(iter(record["files"].values()))["pieces"].append([1 << 39, "0"]),
    lambda record: record["facts"]["parts"][0].update(done=-1),
    lambda record: record["facts"]["parts"][0].update(done=10**9),
    lambda record: record["facts"]["parts"][0].update(utilities=["x"]),
    lambda record: record["facts"]["parts"][0].update(utilities=[float("nan")] * 9),
    lambda record: record["facts"]["parts"][0].update(utilities=[0.0] * 9999),
    lambda record: record["facts"]["parts"].append({}),
    lambda record: record["facts"].update(low=[1 << 70], solved=-1),
    lambda record: record["facts"].update(seen="x", solved=10**6),
    lambda record: record["facts"].update(seen=[3], worths=["x"]),
    lambda record: record["facts"].update(epoch=99, worths=[]),
]


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_records_made_to_harm_are_refused(left: tuple[plies.Game, str, Path], number: int) -> None:
    game, ending, folder = left
    forged(folder, HOSTILE[number])
    with pytest.raises(plies.PliesError) as error:
        go_on(game, ending, folder)
    assert "\n" not in str(error.value)


def test_edges_made_to_harm_are_refused(left: tuple[plies.Game, str, Path]) -> None:
    """A file with a right checksum may hold anything; what leads beyond the arrays is refused."""
    game, ending, folder = left
    names = [path.name for path in folder.iterdir() if path.stat().st_size]
    for kind in ("children", "parents", "info", "codes", "exits"):
        for name in (name for name in names if name.startswith(kind)):
            path = folder / name
            before, record = path.read_bytes(), (folder / RECORD).read_bytes()
            path.write_bytes(b"\xf0" * len(before))

            def digests(record: dict[str, Any], name: str = name, size: int = len(before)) -> None:
                kept = record["files"][name]
                width = size // sum(rows for rows, _ in kept["pieces"])
                kept["pieces"] = [[rows, _digest(b"\xf0" * (rows * width))] for rows, _ in kept["pieces"]]

            forged(folder, digests)
            with pytest.raises(plies.PliesError, match="what it holds makes no sense"):
                go_on(game, ending, folder)
            path.write_bytes(before)
            (folder / RECORD).write_bytes(record)


def test_a_full_disk_ends_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(plies.PliesError, match="cannot be written: No space left on device"):
            go_on(NIM, "", tmp_path / "full")
    wanted = written(make_database(NIM, threads=2), tmp_path / "whole")
    assert written(go_on(NIM, "", tmp_path / "full"), tmp_path / "again") == wanted
    monkeypatch.setattr("shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000}))
    with pytest.raises(plies.PliesError, match=r"5 takes about .* of disk, more than the 1 kB free in"):
        go_on(AWARI, "5", tmp_path / "small")


@pytest.mark.skipif(checkpoints.fcntl is None, reason="there are no locks here")
def test_two_processes_do_not_share_one(tmp_path: Path) -> None:
    one, two = Checkpoint(tmp_path / "one"), Checkpoint(tmp_path / "one")
    assert one.open("job") is None
    with pytest.raises(plies.PliesError, match="another process is at work in"):
        two.open("job")
    one.close()
    assert not (tmp_path / "one").exists()


def test_a_checkpoint_of_other_settings_is_refused(left: tuple[plies.Game, str, Path]) -> None:
    game, ending, folder = left
    with pytest.raises(
        plies.PliesError, match=r"was begun otherwise .*: go on with the same settings, or rem"
    ):
        make_database(game, ending, threads=1, checkpoint=Checkpoint(folder))


def test_the_program_goes_on_and_tidies_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLIES_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(checkpoints, "EVERY", 0.0)
    made = enumeration.Enumeration.step
    steps = 20

    def failing(self: Any, pool: Any) -> None:
        nonlocal steps
        steps -= 1
        if steps == 0:
            raise plies.PliesError("killed")
        made(self, pool)

    monkeypatch.setattr(enumeration.Enumeration, "step", failing)
    # In this order: `solve` looks positions up in a database that is there.
    for words in (("solve", "tic-tac-toe", "--algorithm", "retrograde"), ("database", "make", "tic-tac-toe")):
        steps = 6
        assert program(*words).error == "plies: killed\n"
        (folder,) = tmp_path.glob("*.checkpoint")
        done = program(*words)
        assert done.code == 0
        assert not folder.exists()
        if words[0] == "database":
            assert done.error == f"plies: going on with {folder}\n"
