"""What outgrows the memory: listed on disk to the same bytes, or refused by an estimate of its size."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

import plies
from plies.retrograde import counting, enumeration, growth, storage
from plies.retrograde.checkpoint import RECORD, Checkpoint
from plies.retrograde.growth import extrapolated, rounded
from plies.retrograde.make import make_database
from test_checkpoint import Killed, killed_after, small_steps, written

pytestmark = pytest.mark.plain

__all__ = ["small_steps"]

NIM = plies.Nim((3, 4, 5))
NIM.compiled = False

LITTLE = 0.067
"""Megabytes: enough for the table of Nim's states, and for nothing else."""

LAYERS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623, 4568683, 12236101, 30929111]
"""Positions of Connect Four after 0, 1, 2, … plies (Edelkamp and Kissmann 2008)."""


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The arrays that were made on disk."""
    made: list[Any] = []
    zeros = storage.Disk.zeros
    monkeypatch.setattr(storage.Disk, "zeros", lambda *given: made.append(given) or zeros(*given))
    return made


def go_on(folder: Path, memory: float | None, steps: int = 1 << 30) -> plies.Database:
    one = Checkpoint(folder, every=0)
    try:
        return make_database(NIM, threads=2, memory=memory, progress=killed_after(steps), checkpoint=one)
    finally:
        one.close()


def test_on_disk_and_in_memory_alike(files: list[Any], tmp_path: Path) -> None:
    wanted = written(go_on(tmp_path / "one", None), tmp_path / "whole")
    assert not files
    assert written(go_on(tmp_path / "two", LITTLE), tmp_path / "disk") == wanted
    assert len(files) > 10
    assert {path.name for path in (tmp_path / "two").iterdir()} >= {RECORD}


def test_what_is_killed_on_disk_goes_on_to_the_same_bytes(files: list[Any], tmp_path: Path) -> None:
    wanted = written(go_on(tmp_path / "one", None), tmp_path / "whole")
    for steps in (1, 3, 5, 8):
        folder = tmp_path / str(steps)
        with contextlib.suppress(Killed):
            go_on(folder, LITTLE, steps)
        before = len(files)
        assert written(go_on(folder, LITTLE), tmp_path / "again") == wanted
        assert len(files) > before


def test_without_a_folder_it_is_refused() -> None:
    with pytest.raises(plies.PliesError, match=r"states found so far take .* of memory, more than the"):
        make_database(NIM, threads=2, memory=LITTLE)


def test_what_must_be_in_memory_is_said(tmp_path: Path) -> None:
    with pytest.raises(plies.PliesError, match=r"with all on disk that can be, take \d+ kB of memory"):
        go_on(tmp_path / "one", LITTLE / 2)


def test_a_full_disk_ends_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.posix_fallocate", full, raising=False)
    with pytest.raises(plies.PliesError, match="cannot be written: No space left on device"):
        go_on(tmp_path / "one", LITTLE)


def test_arrays_in_memory_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    array = storage.np.arange(10_000, dtype=storage.np.int16).reshape(5_000, 2)
    assert storage.grown(array, 4_000) is array
    for room in (storage.ROOM, 1 << 40):  # of which there is not that much
        monkeypatch.setattr(storage, "ROOM", room)
        larger = storage.grown(array, 5_001)
        assert (larger[:5_000] == array).all()
        assert len(larger) >= 7_500
        assert larger.dtype == array.dtype


@pytest.mark.parametrize("reserving", [True, False])
def test_arrays_on_disk_grow(reserving: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not reserving:
        monkeypatch.delattr("os.posix_fallocate", raising=False)
    disk = storage.Disk(tmp_path)
    array = disk.zeros((5000, 2), "<i2")
    array[:] = 7
    array = storage.grown(array, 9000)
    assert (array[:5000] == 7).all()
    assert not array[5000:].any()
    assert len(array) >= 9000
    assert isinstance(array.base, storage.np.memmap)
    assert not list(tmp_path.iterdir())  # files without names


# -- Estimates.


def test_estimates_of_connect_four() -> None:
    """4,531,985,219,092 positions (Edelkamp and Kissmann 2008): within a factor of 50 from 9 layers on."""
    assert extrapolated(LAYERS[:6]) is None
    assert extrapolated([1, 2, 4, 8, 16, 32, 64, 128]) is None  # which need not end
    for count in range(9, 15):
        assert 9e10 < (extrapolated(LAYERS[:count]) or 0) < 2.2e14
    assert rounded(123456) == 120000


def test_far_too_many_states_are_refused_early(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "FEW", 1000)
    monkeypatch.setattr(growth, "LEAST_LAYERS", 6)
    monkeypatch.setattr(counting, "SECONDS", 0.05)
    monkeypatch.setattr(storage.Disk, "free", property(lambda _: 1_000_000))
    game = plies.ConnectFour()
    game.compiled = False
    message = r"there are about [0-9,]+000 states, an estimate by the growth of the 5,678 found so far"
    for checkpoint in (None, Checkpoint(tmp_path)):
        with pytest.raises(plies.PliesError, match=message):
            make_database(game, fold=False, memory=10, threads=1, checkpoint=checkpoint)
