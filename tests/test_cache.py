"""The compile cache under attack: damage, foreign files, full disks, no place to be, many processes."""

from __future__ import annotations

import errno
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cache_attacks import FOREIGN, NOBODY, as_root, at_once, file_of, own_cache  # noqa: F401, a fixture
from plies.cli import run
from plies.compiled import disk_cache
from plies.errors import PliesWarning

pytestmark = pytest.mark.plain

NAME = "perft-Nim-0123456789abcdef0123"
ENTRY = disk_cache.Entry(disk_cache.CODE, b"as good as machine code")


# -- Claims.


def test_a_claim_ends_even_if_a_fork_has_its_file_open(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fcntl = pytest.importorskip("fcntl")
    open_claim, forked = disk_cache._open_claim, []

    def opened(name: str) -> int:
        descriptor = open_claim(name)
        assert descriptor is not None
        forked.append(os.dup(descriptor))  # a fork shares the lock in the same way
        return descriptor

    monkeypatch.setattr(disk_cache, "_open_claim", opened)
    with disk_cache.claim(NAME):
        waiting = os.open(disk_cache._claim_path(NAME), os.O_RDWR)
    fcntl.flock(waiting, fcntl.LOCK_EX | fcntl.LOCK_NB)
    for descriptor in (waiting, *forked):
        os.close(descriptor)


# -- Files: what is kept comes back to the bit, or not at all.


def test_what_is_kept_is_found_again(cache: Path) -> None:
    assert disk_cache.load(NAME) is None
    assert not cache.exists(), "to look for an entry makes no folder"
    for entry in (
        ENTRY,
        disk_cache.Entry(disk_cache.REFUSAL, b"Nim.actions does not compile"),
        disk_cache.Entry(disk_cache.CODE, b""),
    ):
        disk_cache.save(NAME, entry)
        assert disk_cache.load(NAME) == entry
    assert [path.name for path in cache.iterdir()] == [f"{NAME}.plies"]


def test_only_the_owner_can_read_or_write_what_is_kept(cache: Path) -> None:
    before = os.umask(0)
    try:
        disk_cache.save(NAME, ENTRY)
    finally:
        os.umask(before)
    assert cache.stat().st_mode & 0o777 == 0o700
    assert file_of(cache).stat().st_mode & 0o777 == 0o600


def test_every_flipped_bit_is_found_and_the_entry_dropped(cache: Path) -> None:
    disk_cache.save(NAME, ENTRY)
    path = file_of(cache)
    sound = path.read_bytes()
    for bit in range(len(sound) * 8):
        damaged = bytearray(sound)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        path.chmod(0o600)
        assert disk_cache.load(NAME) is None, bit
        assert not path.exists()


def test_every_shortened_or_lengthened_file_is_found(cache: Path) -> None:
    disk_cache.save(NAME, ENTRY)
    path = file_of(cache)
    sound = path.read_bytes()
    for damaged in (
        *(sound[:length] for length in range(len(sound))),
        sound + b"\0",
        b"\n" * 1000,
        sound * 2,
    ):
        path.write_bytes(damaged)
        path.chmod(0o600)
        assert disk_cache.load(NAME) is None
    disk_cache.save(NAME, ENTRY)
    assert disk_cache.load(NAME) == ENTRY


def test_an_entry_under_another_name_or_kind_is_foreign(cache: Path) -> None:
    disk_cache.save(NAME, ENTRY)
    other = NAME.replace("Nim", "Pig")
    file_of(cache).rename(cache / f"{other}.plies")
    assert disk_cache.load(other) is None
    disk_cache.save(NAME, ENTRY)
    path = file_of(cache)
    path.write_bytes(path.read_bytes().replace(b" code ", b" refusal "))
    assert disk_cache.load(NAME) is None


@pytest.mark.parametrize("spoil", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_foreign_file_is_dropped_and_replaced(cache: Path, spoil: Callable[[Path], None]) -> None:
    disk_cache.save(NAME, ENTRY)
    spoil(file_of(cache))
    assert disk_cache.load(NAME) is None
    assert list(cache.iterdir()) == []
    disk_cache.save(NAME, ENTRY)
    assert disk_cache.load(NAME) == ENTRY


@as_root
def test_a_file_of_another_owner_is_dropped(cache: Path) -> None:
    disk_cache.save(NAME, ENTRY)
    os.chown(file_of(cache), NOBODY, -1)
    assert disk_cache.load(NAME) is None
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777, 0o1777])
def test_nothing_is_taken_from_or_put_into_a_folder_that_others_can_write_to(cache: Path, mode: int) -> None:
    disk_cache.save(NAME, ENTRY)
    cache.chmod(mode)
    with pytest.warns(PliesWarning, match="can be written to by others"):
        assert disk_cache.load(NAME) is None
    before = file_of(cache).stat()
    disk_cache.save(NAME, ENTRY)  # said once is enough
    assert file_of(cache).stat() == before
    cache.chmod(0o700)
    assert disk_cache.load(NAME) == ENTRY


@as_root
def test_nothing_is_taken_from_or_put_into_a_folder_of_another_owner(cache: Path) -> None:
    disk_cache.save(NAME, ENTRY)
    os.chown(cache, NOBODY, -1)
    with pytest.warns(PliesWarning, match="belongs to another user"):
        assert disk_cache.load(NAME) is None
    disk_cache.save(NAME.replace("Nim", "Pig"), ENTRY)
    assert len(list(cache.iterdir())) == 1


def test_a_passing_failure_to_read_drops_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_cache.save(NAME, ENTRY)

    def refuse(*_: Any) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refuse)
        assert disk_cache.load(NAME) is None
    assert disk_cache.load(NAME) == ENTRY


def test_a_folder_that_cannot_be_written_to_can_still_be_read(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk_cache.save(NAME, ENTRY)

    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError(errno.EROFS, "Read-only file system")

    for function in ("utime", "unlink", "replace"):
        monkeypatch.setattr(os, function, refuse)
    monkeypatch.setattr("tempfile.mkstemp", refuse)
    cache.chmod(0o500)
    assert disk_cache.load(NAME) == ENTRY
    with pytest.warns(PliesWarning, match="Read-only file system"):
        disk_cache.save(NAME, ENTRY)
    cache.chmod(0o700)


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_full_disk_leaves_nothing_behind(cache: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, full)
        with pytest.warns(PliesWarning, match="No space left on device"):
            disk_cache.save(NAME, ENTRY)
        disk_cache.save(NAME, ENTRY)  # said once is enough
    assert list(cache.iterdir()) == []
    disk_cache.save(NAME, ENTRY)
    assert disk_cache.load(NAME) == ENTRY


def test_a_file_that_cannot_grow_is_not_kept(cache: Path) -> None:
    """A limit on the size of files fails where a full disk does: in the middle of a write."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, before[1]))
    try:
        with pytest.warns(PliesWarning, match="File too large"):
            disk_cache.save(NAME, disk_cache.Entry(disk_cache.CODE, bytes(100_000)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(cache.iterdir()) == []


def test_ctrl_c_in_mid_write_leaves_nothing_behind(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        disk_cache.save(NAME, ENTRY)
    assert list(cache.iterdir()) == []


def test_a_file_is_on_the_disk_before_it_has_its_name(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda file: (steps.append("fsync"), fsync(file)))
    monkeypatch.setattr(os, "replace", lambda *paths: (steps.append("replace"), replace(*paths)))
    disk_cache.save(NAME, ENTRY)
    assert steps == ["fsync", "replace", "fsync"]


def test_what_is_stale_goes_and_nothing_else(cache: Path) -> None:
    hour = 3600
    ages = {
        "staging-abcdefg_": 2 * hour,
        "staging-01234567": 2 * hour,
        "staging-of-mine": 1000 * 24 * hour,
        "staging-younger0": hour / 2,
        "notes.txt": 1000 * 24 * hour,
        "my-old-folder": 1000 * 24 * hour,
        NAME.replace("Nim", "Pig"): 61 * 24 * hour,  # as an earlier version kept it
        NAME.replace("Nim", "Go"): 59 * 24 * hour,
        NAME.replace("Nim", "Chess") + ".plies": 61 * 24 * hour,
        NAME.replace("Nim", "Othello") + ".plies": 59 * 24 * hour,
    }
    cache.mkdir(mode=0o700)
    for name, age in ages.items():
        path = cache / name
        if "." in name or name == "staging-abcdefg_":
            path.touch()
        else:
            (path / "inner").mkdir(parents=True)
            (path / "inner" / "file").touch()
        os.utime(path, (time.time() - age, time.time() - age))
    disk_cache.save(NAME, ENTRY)
    kept = {path.name for path in cache.iterdir()} - {f"{NAME}.plies"}
    assert ages.keys() - kept == {
        "staging-abcdefg_",
        "staging-01234567",
        NAME.replace("Nim", "Pig"),
        NAME.replace("Nim", "Chess") + ".plies",
    }


def test_an_entry_in_use_is_not_forgotten(cache: Path) -> None:
    disk_cache.save(NAME, ENTRY)
    os.utime(file_of(cache), (0, 0))
    assert disk_cache.load(NAME) == ENTRY
    disk_cache.save(NAME.replace("Nim", "Pig"), ENTRY)
    assert disk_cache.load(NAME) == ENTRY


# -- Places.


@pytest.mark.parametrize("given", ["", "relative", "./relative", "~/cache"])
def test_an_empty_or_relative_user_cache_is_ignored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.delenv("PLIES_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", given)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert disk_cache.folder() == tmp_path / ".cache" / "plies"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert disk_cache.folder() == tmp_path / "xdg" / "plies"
    monkeypatch.setenv("PLIES_CACHE_DIR", str(tmp_path / "mine"))
    assert disk_cache.folder() == tmp_path / "mine"


@pytest.mark.parametrize("home", ["", "relative", None])
def test_without_a_home_there_is_no_cache_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("PLIES_CACHE_DIR", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    if home is None:  # as for a user whom the system does not know
        monkeypatch.setattr("pwd.getpwuid", lambda _: {}[0])
    else:
        monkeypatch.setenv("HOME", home)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(disk_cache, "_warned", set())
    assert disk_cache.folder() is None
    with pytest.warns(PliesWarning, match="there is no home folder; PLIES_CACHE_DIR can name another"):
        assert disk_cache.load(NAME) is None
    disk_cache.save(NAME, ENTRY)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("place", "reason"),
    [("file", "File exists|not a folder"), ("file/below", "Not a directory"), ("dangling", "File exists")],
)
def test_a_place_that_cannot_be_a_folder_only_costs_the_cache(
    cache: Path, monkeypatch: pytest.MonkeyPatch, place: str, reason: str
) -> None:
    (cache.parent / "file").touch()
    (cache.parent / "dangling").symlink_to("nowhere")
    monkeypatch.setenv("PLIES_CACHE_DIR", str(cache.parent / place))
    with pytest.warns(PliesWarning, match=reason):
        assert [disk_cache.load(NAME), disk_cache.save(NAME, ENTRY)] == [None, None]
    assert {path.name for path in cache.parent.iterdir()} == {"file", "dangling"}


# -- Several processes.


def test_processes_that_keep_and_clear_one_entry_do_not_disturb_each_other(cache: Path) -> None:
    program = """
        import sys
        from plies.compiled import disk_cache
        name, seed = sys.argv[1], int(sys.argv[2])
        content = bytes([seed]) * 200_000
        found = 0
        for i in range(60):
            disk_cache.save(name, disk_cache.Entry(disk_cache.CODE, content))
            entry = disk_cache.load(name)
            assert entry is None or len(set(entry.content)) == 1 and len(entry.content) == 200_000
            found += entry is not None
            if i % 10 == seed:
                disk_cache.clear()
        assert found > 20, found
    """
    for done in at_once(program, *((NAME, str(seed)) for seed in range(3))):
        assert done == ""
    assert [path.name for path in cache.iterdir()] in ([], [f"{NAME}.plies"])


# -- The command.


def test_the_command_says_where_the_cache_is_and_how_large(
    cache: Path, capsys: pytest.CaptureFixture
) -> None:
    assert run(["cache"]) == 0
    assert capsys.readouterr().out == f"folder   {cache}\nentries  0\nsize     0.0 kB\n"
    disk_cache.save(NAME, disk_cache.Entry(disk_cache.CODE, bytes(2_000_000)))
    (cache / NAME.replace("Nim", "Pig")).mkdir()
    (cache / NAME.replace("Nim", "Pig") / "file").write_bytes(bytes(1_000_000))
    (cache / "notes.txt").write_bytes(bytes(5_000_000))
    assert run(["cache"]) == 0
    assert capsys.readouterr().out == f"folder   {cache}\nentries  2\nsize     3.0 MB\n"
    assert run(["cache", "--json"]) == 0
    size = 1_000_000 + (cache / f"{NAME}.plies").stat().st_size
    assert json.loads(capsys.readouterr().out) == {
        "folder": str(cache),
        "entries": 2,
        "bytes": size,
        "deleted": 0,
        "trouble": None,
    }


def test_the_command_clears_the_cache_and_touches_nothing_else(
    cache: Path, capsys: pytest.CaptureFixture
) -> None:
    disk_cache.save(NAME, ENTRY)
    outside = cache.parent / "outside"
    outside.mkdir()
    (outside / "file").touch()
    (cache / NAME.replace("Nim", "Pig")).symlink_to(outside)
    (cache / "staging-01234567").mkdir()
    (cache / "notes.txt").touch()
    (cache / "my-folder").mkdir()
    assert run(["cache", "--clear"]) == 0
    assert capsys.readouterr().out == "2 entries deleted (0.2 kB)\n"
    assert {path.name for path in cache.iterdir()} == {"notes.txt", "my-folder"}
    assert (outside / "file").exists()
    assert run(["cache", "--clear", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deleted"] == 0


def test_the_command_says_what_could_not_be_deleted(
    cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    disk_cache.save(NAME, ENTRY)

    def refuse(*_: Any, **__: Any) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "unlink", refuse)
    assert run(["cache", "--clear"]) == 2
    assert f"1 of the files in {cache} could not be deleted" in capsys.readouterr().err


def test_the_command_says_why_a_cache_is_not_used(cache: Path, capsys: pytest.CaptureFixture) -> None:
    cache.mkdir()
    cache.chmod(0o777)
    assert run(["cache"]) == 0
    assert f"not used: {cache} can be written to by others" in capsys.readouterr().out
