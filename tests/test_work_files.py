"""Files of units and tournaments in the hands of the unlucky and the hostile: one sentence, nothing lost."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import socket
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, wait
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import plies
from plies.arena import match
from plies.arena.annotated import Recorder
from plies.arena.keeper import Keeper
from plies.arena.table import Conditions
from plies.arena.tournament import Tournament, tournament
from plies.arena.units import Games
from plies.games.chess_pgn import read_pgn
from plies.games.go_sgf import read_sgf
from plies.players import Player, Random
from plies.terminal.tournament import tournament_text
from plies.terminal.tournament_page import write_pages, write_record
from plies.tune import LevelFitting
from plies.work import on_ray
from plies.work.code import Code, Loader, rules_of
from plies.work.on_ray import why_not
from plies.work.run import Where, in_order
from plies.work.store import Store, merge
from plies.work.unit import Done, Job, Unit
from test_cli import program

pytestmark = pytest.mark.plain

GAME, PLAYERS = plies.Nim(heaps=(1, 2)), ["random", "reflex"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cup.db"
    tournament(GAME, PLAYERS, games=6, where=Where(units=path))
    return path


# -- Another job than the one that the file was begun with.


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"seed": 1}, "seed 0, not 1"),
        ({"players": [*PLAYERS, "level:1"]}, "players random, reflex, not random, reflex, level:1"),
        ({"game": plies.Nim(heaps=(2, 2))}, r"heaps \[1, 2\], not \[2, 2\]; rules \w+, not \w+"),
        ({"clock": "1+1"}, r"clock none, not 1\+1"),
        ({"openings": 3, "seed": 1, "adjudicate": True, "plies": 9}, "; 1 more differ"),
    ],
)
def test_a_file_of_another_tournament_is_refused(file: Path, asked: dict[str, Any], sentence: str) -> None:
    before = file.read_bytes()
    given: dict[str, Any] = {"game": GAME, "players": PLAYERS, "games": 6} | asked
    words = f"cup.db' was begun with .*{sentence}.*: go on with the settings it was begun with, or name"
    with pytest.raises(plies.PliesError, match=words):
        tournament(**given, where=Where(units=file))
    assert file.read_bytes() == before


def test_a_file_of_other_units_is_refused(file: Path) -> None:
    before = file.read_bytes()
    done = program("reproduce", "matrix", "--units", str(file))
    assert (done.code, done.error.count("\n")) == (2, 1)
    assert "was begun with units games, not numbers" in done.error
    assert file.read_bytes() == before


def test_rules_that_have_changed_are_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    described = Code().game(GAME)
    monkeypatch.setattr(plies.Nim, "utility", lambda self, state, player: 0)
    with pytest.raises(plies.PliesError, match=r"was begun with rules \w+, not \w+: go on"):
        tournament(GAME, PLAYERS, games=6, where=Where(units=file))
    with pytest.raises(plies.PliesError, match=r"other rules of nim, \w+ and not \w+: install the same"):
        Loader({}).game(described)
    saved = file.with_name("match.jsonl")
    match(GAME, "random", "reflex", games=2, save=saved)
    monkeypatch.undo()
    with pytest.raises(plies.PliesError, match=r"match.jsonl' was begun with rules \w+, not \w+: go on"):
        match(GAME, "random", "reflex", games=2, save=saved, resume=True)


def test_a_users_file_that_has_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own_player.py"
    own.write_text("from plies.players import Random\n\n\ndef player(seed):\n    return Random(seed)\n")
    monkeypatch.syspath_prepend(tmp_path)
    task = Games(GAME, (plies.registry.function(f"{own}:player"), "random"), Conditions())
    before = Job.of(task)
    own.write_text(own.read_text() + "# another version\n")
    assert Job.of(task).identity != before.identity
    with Store(tmp_path / "cup.db") as store:
        store.begin(before)
        with pytest.raises(plies.PliesError, match=r"was begun with own_player\.py \w+, not \w+: go on"):
            store.begin(Job.of(task))
    assert rules_of(GAME) != "unknown"


def test_more_games_from_a_list_of_openings_go_on(tmp_path: Path) -> None:
    openings, where = tmp_path / "openings.txt", Where(units=tmp_path / "cup.db")
    openings.write_text("1\n2\n3\n4\n5\n6\n7\n")
    first = tournament(plies.TicTacToe(), PLAYERS, games=4, openings=openings, where=where)
    more = tournament(plies.TicTacToe(), PLAYERS, games=8, openings=openings, where=where)
    assert more.games[:4] == first.games
    assert len({one.game.moves[0] for one in more.games}) == 4


def test_a_file_that_cannot_be_written_now_is_shown(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plies.work.store.PATIENCE", 0.0)
    with sqlite3.connect(file) as base:
        base.execute("BEGIN IMMEDIATE")  # another is writing, for as long as this takes
        assert len(tournament(GAME, PLAYERS, games=6, where=Where(units=file)).games) == 6
        with pytest.raises(plies.PliesError, match="cannot be used as a file of units: database is locked"):
            tournament(GAME, PLAYERS, games=8, where=Where(units=file))


def test_a_file_of_another_format_is_refused(file: Path) -> None:
    with sqlite3.connect(file) as base:
        base.execute("PRAGMA user_version = 2")
    with pytest.raises(plies.PliesError, match="format 2, and this version of Plies has format 1: use the"):
        Store(file)


LEVEL = {"nodes": 1, "temperature": 1, "score": None}


def test_levels_of_another_fitting_are_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "levels.json"
    text = json.dumps({"game": repr(GAME), "games": 4, "levels": [LEVEL]})
    path.write_text(text)
    with pytest.raises(plies.PliesError, match=r"was begun with games 4, not 2: .* another folder"):
        LevelFitting(GAME, games=2, path=path)
    assert path.read_text() == text


def test_a_book_of_another_depth_is_not_replaced(tmp_path: Path) -> None:
    words = ["book", "nim", "heaps=1,2", "--memory", "1", "--out", str(tmp_path / "nim.book"), "--plies"]
    assert program(*words, "1").code == 0
    before = (tmp_path / "nim.book").read_bytes()
    done = program(*words, "2")
    assert (done.code, done.out) == (2, "")
    assert "nim.book' was begun with plies 1, not 2: go on" in done.error
    assert (tmp_path / "nim.book").read_bytes() == before


def test_what_was_reproduced_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    assert program("reproduce", "matrix", "--output", str(path)).code == 0
    before = path.read_bytes()
    done = program("reproduce", "pig-hold-at-20", "--output", str(path))
    assert (done.code, done.out) == (2, "")
    assert "there is a file" in done.error
    assert path.read_bytes() == before


# -- Ray.


class AuthenticationError(Exception):
    """What Ray raises where there is no token."""


def test_a_token_that_is_missing_or_wrong_is_named() -> None:
    """Ray's own words, of version 2.60."""
    assert "wants a token, and there is none" in why_not("auto", AuthenticationError("…"), "")
    said = "gcs_client.cc:210: Failed to get cluster ID: RPC error: InvalidAuthToken: Authentication token is"
    failed = ConnectionError("Failed to connect to Ray cluster at 192.0.2.2:6399\nand more")
    assert "does not accept the token" in why_not("192.0.2.2:6399", failed, said)
    assert why_not("auto", failed, "busy") == (
        "there is no Ray cluster at 'auto': Failed to connect to Ray cluster at 192.0.2.2:6399"
    )


def test_a_cluster_that_goes_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray would end the program a minute later, with words of its own."""
    replied: Future[Any] = Future()
    reply = SimpleNamespace(remote=lambda *_: SimpleNamespace(future=lambda: replied))
    with socket.create_server(("127.0.0.1", 0)) as head:
        address = "{}:{}".format(*head.getsockname())
        ray = SimpleNamespace(
            is_initialized=lambda: True,
            cluster_resources=lambda: {"CPU": 1},
            put=lambda value: value,
            remote=lambda **_: lambda function: reply,
            exceptions=SimpleNamespace(RayError=RuntimeError),
            get_runtime_context=lambda: SimpleNamespace(gcs_address=address),
        )
        monkeypatch.setattr(on_ray, "_ray", lambda: ray)
        monkeypatch.setattr(on_ray, "GLANCE", 0.01)
        cluster = on_ray.OnRay(Job.of(Games(GAME, PLAYERS, Conditions())))
        future = cluster.submit(Unit(0, [0, 1, 0]))
        assert not wait([future], 0.2).done
    with cluster:
        with pytest.raises(
            plies.PliesError, match=f"^the Ray cluster at {address} has gone away: start it and"
        ):
            future.result(60)
        replied.set_result("late")
        with pytest.raises(plies.PliesError, match="has gone away"):
            cluster.submit(Unit(1, [0, 1, 1]))


# -- Two at once.


def test_the_first_result_counts_for_both(tmp_path: Path) -> None:
    job, unit = Job.of(Games(GAME, PLAYERS, Conditions())), Unit(0, [0, 1, 0])
    with Store(tmp_path / "cup.db") as one, Store(tmp_path / "cup.db") as other:
        assert one.begin(job) == other.begin(job) == {}
        assert one.keep(job, unit, Done("first")) == Done("first")
        assert other.keep(job, unit, Done("second", {"seconds": 1})) == Done("first")
        assert other.begin(job) == {unit.key: Done("first")}


class Finished:
    """A back end whose units are done, or have failed, by number."""

    room = 3

    def __init__(self, *results: Any) -> None:
        self.results = results

    def submit(self, unit: Unit) -> Future[Done]:
        future: Future[Done] = Future()
        result = self.results[unit.number]
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(Done(result))
        return future


def test_what_is_kept_is_what_comes_out_of_a_unit() -> None:
    found = in_order(Finished("a", "b"), map(Unit, range(2)), {}, lambda unit, done: Done(done.result + "!"))
    assert [done.result for _, done in found] == ["a!", "b!"]


def test_an_error_costs_no_result() -> None:
    kept = []

    def keep(unit: Unit, done: Done) -> Done:
        kept.append(unit.number)
        return done

    found = in_order(Finished(plies.PliesError("broken"), "b", "c"), map(Unit, range(3)), {}, keep)
    with pytest.raises(plies.PliesError, match="broken"):
        list(found)
    assert kept == [1, 2]


# -- Damage.


def damaged(data: bytes, chance: random.Random) -> bytes:
    """A file with a bit or some bytes changed, cut off, or with pages wiped out or exchanged."""
    new, page = bytearray(data), 4096
    match chance.randrange(5):
        case 0:
            new[chance.randrange(len(new))] ^= 1 << chance.randrange(8)
        case 1:
            for _ in range(chance.randrange(2, 30)):
                new[chance.randrange(len(new))] = chance.randrange(256)
        case 2:
            del new[chance.randrange(1, len(new)) :]
        case 3:
            begin = 512 * chance.randrange(len(new) // 512)
            new[begin : begin + 512] = bytes(512)
        case 4:
            one, other = (page * chance.randrange(1, len(new) // page) for _ in range(2))
            new[one : one + page], new[other : other + page] = data[other:][:page], data[one:][:page]
    return bytes(new)


def test_damage_is_refused_in_a_sentence_or_does_no_harm(file: Path) -> None:
    """A bit in free space is no harm; a result that is missing or another would be."""
    job = Job.of(Games(GAME, PLAYERS, Conditions(openings=plies.arena.openings.Openings(4))))
    with Store(file) as store:
        expected = store.begin(job)
    assert len(expected) == 6
    data, chance, refusals = file.read_bytes(), random.Random(5), []
    for _ in range(200):
        file.write_bytes(changed := damaged(data, chance))
        try:
            with Store(file) as store:
                assert store.begin(job) == expected
        except plies.PliesError as error:
            refusals.append(str(error))
        assert file.read_bytes() == changed
    assert 100 < len(refusals) < 200
    assert all(one.isprintable() and one.startswith(repr(str(file))) for one in refusals)


def test_damaged_shards_are_not_merged(file: Path, tmp_path: Path) -> None:
    with sqlite3.connect(file) as base:
        base.execute("UPDATE units SET result = replace(result, '1', '2') WHERE number = 3")
    before = file.read_bytes()
    with pytest.raises(plies.PliesError, match="is damaged: the result of unit 3 has another checksum; put"):
        merge([file], tmp_path / "whole.db")
    assert file.read_bytes() == before


def test_the_damaged_file_of_a_merge_is_named(file: Path, tmp_path: Path) -> None:
    """Not the sound one, which somebody might then delete; and what is damaged is not written to."""
    damaged_file, data = tmp_path / "damaged.db", bytearray(file.read_bytes())
    data[8192:9000] = bytes(808)
    damaged_file.write_bytes(data)
    for parts, into in (([file], damaged_file), ([file, damaged_file], tmp_path / "new.db")):
        with pytest.raises(plies.PliesError, match=r"^'.*damaged.db' (is damaged|cannot be used)"):
            merge(parts, into)
    assert damaged_file.read_bytes() == data
    assert not (tmp_path / "new.db").exists()


# -- Full disks.


class FullDisk(io.RawIOBase):
    """A file on a disk that is full."""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = plies.Chess()
    played = match(game, "random", "random:7", games=1, plies=2)
    words = "cannot be written: No space left on device"
    keeper = Keeper(tmp_path / "match.jsonl", False, game, {})
    keeper.file.close()
    keeper.file = io.BufferedWriter(FullDisk())
    with pytest.raises(plies.PliesError, match=words), keeper:
        keeper.keep(played.games[0])
    recorder = Recorder(tmp_path / "match.pgn", game, ("a", "b"), None)
    recorder.begin(False, [])
    recorder.file.close()
    recorder.file = io.TextIOWrapper(io.BufferedWriter(FullDisk()))
    with pytest.raises(plies.PliesError, match=words), recorder:
        recorder.keep(played.games[0])

    def full(self: Path, *_: object, **__: object) -> io.TextIOWrapper:
        self.touch()
        return io.TextIOWrapper(io.BufferedWriter(FullDisk()))

    played = tournament(game, ["random", "random:7"], games=1, plies=2)
    monkeypatch.setattr(Path, "open", full)
    with pytest.raises(plies.PliesError, match=words):
        write_record(game, played, tmp_path / "games.pgn")
    assert {path.name for path in tmp_path.iterdir()} == {"match.jsonl", "match.pgn"}


# -- Names.

ODD = [
    '"; DROP TABLE units; --',
    "<script>alert('&')</script>",
    "two\nlines\r\x1b[31m\0",
    "ünï\u202ecödé \ud800",
    "../../" + 500 * "x",
    "]\\;B[aa]",
    "{0} %s ${y}",
]


def maker(name: str) -> Callable[[int], Player]:
    def make(seed: int) -> Player:
        return Random(seed)

    make.__name__ = name
    return make


def lines_of(game: plies.Game, played: Tournament) -> int:
    return tournament_text(game, played).count("\n")


def test_odd_names_stay_names(tmp_path: Path) -> None:
    game = plies.Chess()
    played = tournament(game, [maker(name) for name in ODD], games=1, plies=1, gauntlet=True, openings=0)
    text = tournament_text(game, played)
    assert text.replace("\n", "").isprintable()
    plain = tournament(game, [maker(name) for name in "abcdefg"], games=1, plies=1, gauntlet=True, openings=0)
    assert lines_of(game, played) == lines_of(game, plain)
    assert len(set(played.players)) == len(ODD)
    write_pages(game, played, tmp_path / "page")
    pages = [path.read_text(encoding="utf-8") for path in (tmp_path / "page").rglob("*.html")]
    assert len(pages) == 1 + len(ODD) - 1
    assert not any("<script>alert" in page for page in pages)
    write_record(game, played, tmp_path / "games.pgn")
    read = read_pgn((tmp_path / "games.pgn").read_text(encoding="utf-8"))
    assert [one.tags["Black"] for one in read] == list(played.players[1:])
    assert {path.name for path in tmp_path.iterdir()} == {"page", "games.pgn"}


def test_odd_names_in_sgf(tmp_path: Path) -> None:
    game = plies.Go(size=5)
    played = tournament(game, [maker(ODD[5]), maker(ODD[2])], games=1, plies=4)
    write_record(game, played, tmp_path / "games.sgf")
    assert len(read_sgf((tmp_path / "games.sgf").read_text(encoding="utf-8"), plies.Go).actions) == 4


# -- Files that are there already.


def test_other_files_are_not_replaced(tmp_path: Path) -> None:
    words = ["tournament", "chess", "random", "random:7", "--games", "1", "--plies", "2"]
    mine, page, save = tmp_path / "mine.pgn", tmp_path / "page", tmp_path / "cup.pgn"
    page.mkdir()
    for path in (mine, page / "index.html"):
        path.write_text("precious")
    for options, sentence in (
        (["--record", str(mine)], "is not from a tournament: give another name"),
        (["--html", str(page)], "is not from a tournament: give another name"),
        (["--save", str(save), "--record", str(save)], "--save and --record name the same file"),
    ):
        done = program(*words, *options)
        assert (done.code, done.out, done.error.count("\n")) == (2, "", 1)
        assert sentence in done.error
    assert mine.read_text() == (page / "index.html").read_text() == "precious"
    assert not save.exists()
    for _ in range(2):  # its own are replaced
        ours = ["--record", str(tmp_path / "ours.pgn"), "--html", str(tmp_path / "ours")]
        assert program(*words, *ours).code == 0
