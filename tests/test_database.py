"""Databases as files: written and read, by the program and in Python; damaged, stale and hostile ones."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from plies.retrograde import database_file, folder
from plies.retrograde.database_file import MAGIC, read_database, read_header
from plies.retrograde.fingerprint import rules_fingerprint
from test_cli import program

pytestmark = pytest.mark.plain

GAME = plies.TicTacToe()
ARRAYS = ("starts", "words", "values", "distances")


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PLIES_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture(scope="module")
def database() -> plies.Database:
    return plies.make_database(GAME)


@pytest.fixture
def file(database: plies.Database) -> Path:
    return plies.save_database(database)


def test_what_is_written_is_read(database: plies.Database, file: Path, data: Path) -> None:
    assert file.parent == data
    assert file.name == f"tic-tac-toe-{rules_fingerprint(GAME)}.plies-db"
    read = plies.open_database(GAME)
    assert read.path == file
    assert (read.ending, read.folded, read.utilities) == ("", True, [-1.0, 0.0, 1.0])
    for name in ARRAYS:
        assert np.array_equal(getattr(read, name), getattr(database, name))
    for state, entry in database.states():
        assert read.probe(state) == entry
    assert plies.verify_database(read).holds
    assert [path.name for path in data.iterdir()] == [file.name]  # and nothing half written


def test_the_same_database_has_the_same_bytes(file: Path) -> None:
    before = file.read_bytes()
    assert plies.save_database(plies.make_database(GAME)).read_bytes() == before


def test_the_header_says_what_it_is(file: Path) -> None:
    header = read_header(file)
    assert (header.game, header.parameters, header.ending, header.entries) == ("tic-tac-toe", {}, "", 765)
    assert (header.longest, header.counts) == (5, [412, 151, 202])
    assert header.describes(GAME)


class Other(plies.TicTacToe):
    """Tic-Tac-Toe in which the second player wins a full board."""

    name = "tic-tac-toe"

    def utility(self, state: Any, player: int) -> int:
        return super().utility(state, player) or (1 if player else -1)


def test_a_database_of_other_rules_is_stale(file: Path) -> None:
    with pytest.raises(
        plies.PliesError, match="is stale: it was made by other rules of tic-tac-toe; make it"
    ):
        read_database(Other(), file)
    with pytest.raises(
        plies.PliesError, match="no database of tic-tac-toe: those there are were made by other"
    ):
        plies.open_database(Other())


def test_parameters_that_rules_read_are_part_of_the_fingerprint() -> None:
    prints = [
        rules_fingerprint(game)
        for game in (plies.Nim((1, 2)), plies.Nim((1, 3)), plies.Nim((1, 2), misere=True), plies.Nim((1, 2)))
    ]
    assert prints[0] == prints[3]
    assert len(set(prints)) == 3
    weights = plies.Othello(weights=[1.0] * len(plies.Othello().weights))
    assert rules_fingerprint(weights) == rules_fingerprint(plies.Othello())  # an evaluation is no rule


# -- Damaged and hostile files.


def test_a_file_that_is_cut_off_or_changed_is_refused(database: plies.Database, file: Path) -> None:
    whole = file.read_bytes()
    chance = random.Random(1)
    for _ in range(60):
        spoilt = bytearray(whole)
        if chance.random() < 0.4:
            spoilt = spoilt[: chance.randrange(len(whole))]
        else:
            place = chance.randrange(len(whole))
            spoilt[place] ^= 1 << chance.randrange(8)
        file.write_bytes(spoilt)
        with contextlib.suppress(plies.PliesError):
            read = read_database(GAME, file)  # of which only bytes between two arrays may differ
            assert all(np.array_equal(getattr(read, name), getattr(database, name)) for name in ARRAYS)
    file.write_bytes(b"")
    with pytest.raises(plies.PliesError, match="is no database of Plies"):
        read_database(GAME, file)
    file.unlink()
    with pytest.raises(plies.PliesError, match="cannot be read: No such file"):
        read_database(GAME, file)


def _place(whole: bytes, name: str) -> int:
    """Where an array begins."""
    length = struct.unpack_from("<Q", whole, len(MAGIC))[0]
    start = database_file._PREFIX.size + length
    header = database_file.Header(**json.loads(whole[database_file._PREFIX.size : start]))
    layout = database_file.Layout(header.low, header.seen)
    places, _ = database_file._places(start, database_file._shapes(header, layout))
    return places[ARRAYS.index(name)]


def forged(file: Path, **changes: Any) -> None:
    """Write the header of a file anew, with a checksum that is right."""
    whole = file.read_bytes()
    prefix = database_file._PREFIX
    length = struct.unpack_from("<Q", whole, len(MAGIC))[0]
    header = json.loads(whole[prefix.size : prefix.size + length])
    text = json.dumps({**header, **changes}).encode()
    digest = hashlib.blake2b(text, digest_size=32).digest()
    body = whole[-(-(prefix.size + length) // 64) * 64 :]
    head = prefix.pack(MAGIC, len(text), digest) + text
    file.write_bytes(head + b"\0" * (-len(head) % 64) + body)


@pytest.mark.parametrize(
    "changes",
    [
        {"entries": -1},
        {"entries": 1 << 40},
        {"entries": True},
        {"entries": 764},
        {"buckets": 60},
        {"buckets": 0},
        {"low": [0]},
        {"low": [0, 0, 0], "seen": [511, 511, 1]},
        {"seen": [1 << 70, 1]},
        {"low": "text"},
        {"values": "O"},
        {"values": "<f8"},
        {"distances": ["<u1"]},
        {"utilities": [0.0, 1.0]},
        {"utilities": [float("nan")]},
        {"utilities": {"a": 1}},
        {"folded": 1},
        {"parameters": []},
        {"counts": [1]},
        {"surprise": 1},
        {"game": 7},
        {"digest": "0" * 64},
    ],
    ids=str,
)
def test_headers_made_to_harm_are_refused(file: Path, changes: dict[str, Any]) -> None:
    forged(file, **changes)
    with pytest.raises(plies.PliesError) as error:
        read_database(GAME, file)
    assert "is damaged" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_made_to_harm_lead_nowhere(database: plies.Database, file: Path, name: str) -> None:
    """A file with a right checksum may still hold anything: look-ups stay within the arrays."""
    whole = bytearray(file.read_bytes())
    start, size = _place(whole, name), getattr(database, name).nbytes
    pattern = b"\x05\0\0\0\xff\xff\xff\xff" if name == "starts" else b"\xff" * 8  # far beyond the end
    nonsense = (pattern * size)[:size]
    whole[start : start + size] = nonsense
    file.write_bytes(whole)
    digest = hashlib.blake2b(digest_size=32)
    for one in ARRAYS:
        array = getattr(database, one)
        digest.update(nonsense if one == name else array.tobytes())
    forged(file, digest=digest.hexdigest())
    read = read_database(GAME, file)
    for state, _ in database.states():
        read.probe(state)
    assert not plies.verify_database(read).holds


def test_a_value_that_is_none_is_refused(database: plies.Database, file: Path) -> None:
    forged(file, utilities=[0.0])
    read = read_database(GAME, file)
    with pytest.raises(plies.PliesError, match="the database is damaged: an entry has a value that is none"):
        plies.verify_database(read)
    wrong = next(number for number in range(len(read)) if read.values[number] != 0)
    with pytest.raises(plies.PliesError, match="has a value that is none"):
        read.entry(wrong)


def test_a_folder_that_cannot_be_written(database: plies.Database, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(plies.PliesError, match="cannot be made: "):
        plies.save_database(database)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk here")
def test_a_full_disk_leaves_nothing_behind(
    database: plies.Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = file.read_bytes()
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(plies.PliesError, match="cannot be written: No space left on device"):
        plies.save_database(database)
    assert [path.read_bytes() for path in file.parent.iterdir()] == [whole]


def test_where_databases_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("PLIES_DATA_DIR")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert folder.data_folder() == tmp_path / "plies" / "databases"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert folder.data_folder() == Path.home() / ".local" / "share" / "plies" / "databases"
    monkeypatch.setattr("sys.platform", "darwin")
    assert folder.data_folder() == Path.home() / "Library" / "Application Support" / "plies" / "databases"


# -- The program.


def test_the_program_makes_and_reads_databases(tmp_path: Path) -> None:
    done = program("database", "make", "tic-tac-toe")
    assert (done.code, done.error) == (0, "")
    assert done.out.splitlines()[:6] == [
        "tic-tac-toe",
        "positions  765, symmetric ones taken for one",
        "values     X wins 412, 151 draws, O wins 202",
        "longest    5 plies",
        "start      draw",
        "verified   yes",
    ]
    listed = program("database", "list")
    assert listed.out.startswith("tic-tac-toe: 765 positions, 0.0 MB\n1 in ")
    assert json.loads(program("database", "list", "--json").out)[0]["entries"] == 765
    assert program("database", "verify", "tic-tac-toe").out == "765 entries follow from their successors\n"
    probed = program("database", "probe", "tic-tac-toe", "XX./OO./...")
    assert probed.out.startswith("value      win in 1\n  3: win in 1\n")
    found = json.loads(program("database", "probe", "tic-tac-toe", "XX./OO./...", "--json").out)
    assert found["value"]["text"] == found["moves"]["3"]["text"] == "win in 1"
    described = program("database", "describe", "tic-tac-toe", "--longest", "2").out.splitlines()
    assert len(described) == 5 + 4
    assert described[5].endswith(": loss in 5") or described[5].endswith(": win in 5")
    assert len(described[6].split()) == 5
    assert json.loads(program("database", "describe", "tic-tac-toe", "--json").out)["positions"] == 765
    file = tmp_path / "all.csv"
    assert program("database", "export", "tic-tac-toe", str(file)).code == 0
    lines = file.read_text().splitlines()
    assert lines[0] == "position,to move,utility,plies"
    assert len(lines) == 766
    assert program("database", "export", "tic-tac-toe", "-").out.splitlines() == lines


def test_the_program_refuses_in_a_sentence(data: Path) -> None:
    for arguments, words in [
        (
            ("verify", "tic-tac-toe"),
            "there is no database of tic-tac-toe: none was made; `plies database make`",
        ),
        (("make", "pig"), "retrograde analysis is for games without chance; Pig has chance nodes"),
        (("make", "tic-tac-toe", "--ending", "KQK"), "TicTacToe names no endings, such as 'KQK'"),
        (("make", "tic-tac-toe", "--memory", "0.001"), "of memory, more than the 1 kB there are"),
        (("probe", "no-game"), "there is no game 'no-game'"),
    ]:
        done = program("database", *arguments)
        assert done.code == 2
        assert words in done.error
        assert done.error.count("\n") == 1
    data.mkdir(exist_ok=True)
    (data / "broken.plies-db").write_bytes(b"nothing")
    done = program("database", "list")
    assert (done.code, done.out) == (0, f"1 in {data}\n")
    assert done.error.endswith("broken.plies-db' is no database of Plies\n")
    (data / "broken.plies-db").unlink()
    file = plies.save_database(plies.make_database(GAME))
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    done = program("database", "list")
    assert done.out == f"1 in {data}\n"
    assert f"is damaged: it has {len(whole) - 1:,} bytes instead of {len(whole):,}" in done.error


def test_a_position_that_is_not_there_is_refused(data: Path) -> None:
    database = plies.make_database(GAME, roots=[GAME.parse_position("XX./OO./...")])
    plies.save_database(database)
    done = program("database", "probe", "tic-tac-toe")
    assert (done.code, done.error) == (2, "plies: the position is not in the database of tic-tac-toe\n")
