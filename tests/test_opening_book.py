"""Opening books: against brute force, interrupted, damaged, stale, and as searches and commands use them."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import functools
import hashlib
import importlib.util
import json
import random
import signal
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plies
from oracles import oracle_path
from plies.compiled.source_fingerprint import words_of
from plies.engine import opening_book_maker
from plies.engine.limit import Limit
from plies.engine.opening_book import book_value, root_in_book
from plies.engine.opening_book_maker import BookMaker
from plies.engine.opening_book_verifier import verify
from plies.engine.solve import Solver
from plies.game import Game, State
from plies.opening_book import file as book_file
from plies.opening_book import folder
from plies.opening_book.book import Entry, OpeningBook, backed_up, book_of, canonical
from plies.opening_book.file import MAGIC, read_book, read_header, write_book
from plies.opening_book.folder import book_for, book_path, open_book
from plies.opening_book.journal import Journal
from plies.suites.pons import score
from plies.web.serialize import search_info
from test_cli import program

pytestmark = pytest.mark.plain

TTT = plies.TicTacToe()
GAMES = {
    "tic-tac-toe": (TTT, 3),
    "kalah": (plies.game("kalah", houses=3, seeds=2), 3),  # a player may move twice, and margins count
    "nim": (plies.game("nim", heaps=(1, 2, 3)), 2),  # a position may come up after two plies or after one
    "connect-four": (plies.ConnectFour(4, 3), 3),
}


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "data"
    found.mkdir()
    monkeypatch.setenv("PLIES_DATA_DIR", str(found))
    monkeypatch.delenv("PLIES_BOOK", raising=False)
    return found


def brute_force(game: Game) -> Any:
    """The utility of a position to the player to move, and the plies to the end, by plain recursion."""
    draw = game.draw_value

    @functools.cache
    def known(state: State) -> tuple[float, int]:
        mover, found = game.to_move(state), []
        for action in game.actions(state):
            child = game.result(state, action)
            if game.is_terminal(child):
                found.append((float(game.utility(child, mover)), 1))
            else:
                utility, plies = known(child)
                same = game.to_move(child) == mover
                found.append((utility if same else 2 * draw - utility, plies + 1))
        best = max(utility for utility, _ in found)
        plies = [number for utility, number in found if utility == best]
        return best, min(plies) if best > draw else max(plies)

    return known


@pytest.fixture(scope="module", autouse=True)
def short_glances() -> Iterator[None]:
    """Successors are ordered by a search of a few nodes: interpreted, it takes most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening_book_maker, "GLANCE", 20)
        yield


@functools.cache
def of_game(name: str, distances: bool) -> BookMaker:
    return made(*GAMES[name], distances)


def made(game: Game, plies: int, distances: bool = True, **options: Any) -> BookMaker:
    maker = BookMaker(game, plies, **options)
    list(maker.enumerate())
    list(maker.run(distances=distances))
    return maker


@pytest.fixture(scope="module")
def tic_tac_toe() -> OpeningBook:
    return of_game("tic-tac-toe", True).book()


def part_of(maker: BookMaker, share: float, seed: int) -> OpeningBook:
    """The book of a part of what a maker has found."""
    kept = BookMaker(maker.game, maker.plies)
    list(kept.enumerate())
    some = random.Random(seed)
    entries = {state: entry for state, entry in maker.entries.items() if state in maker.layer}
    kept.resume((state, entry) for state, entry in entries.items() if some.random() < share)
    return kept.book()


# -- Against brute force.


@pytest.mark.parametrize("name", GAMES)
def test_every_entry_is_right(name: str) -> None:
    game, _ = GAMES[name]
    truth, maker = brute_force(game), of_game(name, True)
    book = maker.book()
    assert book.known == book.layer == len(maker.layer)
    assert {state for state, _ in book.entries()} == {state for level in maker.levels for state in level}
    for state, entry in book.entries():
        utility, count = truth(state)
        assert entry.utility == utility
        assert entry.plies == (None if utility == game.draw_value else count)
        for image in game.symmetries(state):
            assert book.probe(image) == entry
    assert not verify(book, 3).wrong


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("distances", [True, False])
def test_a_partial_book_says_nothing_false(name: str, distances: bool) -> None:
    game, _ = GAMES[name]
    truth, maker = brute_force(game), of_game(name, distances)
    for seed in range(6):
        book = part_of(maker, seed / 6, seed)
        settled = dict(book.entries())
        assert book.known == sum(state in maker.layer for state in settled)
        assert not verify(book, 0).wrong
        for state in [state for level in maker.levels for state in level]:
            known = root_in_book(book, game, state, list(game.actions(state)))
            utility, count = truth(state)
            if state in settled and known is not None and known.value is not None:
                assert known.value.utility == utility
                assert known.value.plies in (None, count)
                child = game.result(state, known.action)
                reached = -truth(child)[0] if not game.is_terminal(child) else None
                if reached is not None and game.to_move(child) != game.to_move(state) and game.total == 0:
                    assert reached == utility
            for action, value in {} if known is None else known.scores.items():
                child = game.result(state, action)
                if not game.is_terminal(child):
                    worth, left = truth(child)
                    same = game.to_move(child) == game.to_move(state)
                    assert value.utility == (worth if same else 2 * game.draw_value - worth)
                    assert value.plies in (None, left + 1)


def test_backing_up() -> None:
    win, slow, draw, loss = Entry(1.0, 3), Entry(1.0, 5), Entry(0.0), Entry(-1.0, 4)
    late, uncounted = Entry(-1.0, 8), Entry(1.0)
    for successors, found in [
        ([win, slow, draw], win),
        ([slow, win, None], uncounted),  # what is not known might be quicker
        ([win, uncounted], uncounted),
        ([draw, loss, late], draw),
        ([loss, late], late),
        ([loss, Entry(-1.0)], Entry(-1.0)),
        ([draw, None], None),
        ([loss, None], None),
        ([None], None),
    ]:
        assert backed_up(TTT, successors) == found


@pytest.mark.parametrize("share", [0.2, 0.6, 1.0])
def test_searches_with_a_book_prove_what_is_true(share: float, data: Path) -> None:
    truth, maker = brute_force(TTT), of_game("tic-tac-toe", share == 0.6)
    book = part_of(maker, share, 1)
    write_book(book, book_path(TTT, 3))
    solvers = [Solver(TTT), Solver(TTT, distance=True)]
    engine = plies.AlphaBeta(TTT)
    for state in [state for level in maker.levels for state in level][::4]:
        utility, count = truth(state)
        for solver in solvers:
            solution = solver.solve(state)
            assert solution.value.utility == utility
            if solver.distance and utility:
                assert solution.value.plies == count
            child = TTT.result(state, solution.action)
            assert TTT.is_terminal(child) or -truth(child)[0] == utility
        for lines in (1, 9):
            found = engine.search(state, Limit(time=60), lines=lines)
            assert (found.value.utility, found.value.proved) == (utility, True)
            assert found.value.plies in ((None, count) if utility else (None, 0, count))
            assert found.line[0] == found.action == found.lines[0][0]
            for action, value in found.scores.items():
                child = TTT.result(state, action)
                if value.proved and value.bound == "=" and not TTT.is_terminal(child):
                    assert -truth(child)[0] == value.utility
    if share == 1:
        found = engine.search()
        assert (found.nodes, found.depth, found.value.proved) == (0, 0, True)
        assert len(found.scores) == 9
        made_by = "made by `plies book tic-tac-toe --plies 3` of Plies"
        assert found.book in found.rests_on
        assert f"Values are from a book of proved positions, {made_by}" in found.rests_on
        assert solvers[0].solve().rests_on == found.rests_on
        shown = search_info(TTT, TTT.initial(), found, (0, 0.0))  # on the page
        assert (shown["book"], shown["rests_on"], len(shown["scores"])) == (True, found.rests_on, 9)
        assert solvers[0].solve().nodes == 0


def test_the_quickest_win_is_chosen_where_distances_are_known() -> None:
    game = plies.Tree([[1, 1], [[[1, 1], [1, 1]], [[1, 1], [1, 1]]]])
    states = [game.result(game.initial(), action) for action in game.actions(game.initial())]
    slow, quick = Entry(-1.0, 3), Entry(-1.0, 1)

    def chosen(first: Entry, second: Entry) -> tuple[Any, Any]:
        entries = {states[0]: first, states[1]: second, game.initial(): Entry(1.0)}
        book = book_of(game, 1, 0, 2, 2, entries, "0")
        known = root_in_book(book, game, game.initial(), list(game.actions(game.initial())))
        assert known is not None
        return known.action, known.value

    actions = list(game.actions(game.initial()))
    assert chosen(slow, quick)[0] == actions[1]
    assert chosen(quick, slow)[0] == actions[0]
    assert chosen(Entry(-1.0), slow)[0] == actions[1]
    assert chosen(Entry(-1.0), Entry(-1.0))[1].plies is None


def test_a_search_that_is_limited_by_depth_or_nodes_takes_no_book(
    tic_tac_toe: OpeningBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_book(tic_tac_toe, book_path(TTT, 3))
    assert plies.search(TTT, depth=2).depth == 2
    assert plies.search(TTT, nodes=50).nodes > 0
    assert plies.search(TTT, time=60).nodes == 0
    assert plies.search(TTT, time=60, book="no").nodes > 0
    with monkeypatch.context() as patch:
        patch.setenv("PLIES_BOOK", "no")
        assert plies.search(TTT, time=60).nodes > 0
    assert plies.solve(TTT, book="no").nodes > plies.solve(TTT).nodes == 0
    with pytest.raises(plies.BadParameter, match="book is yes, no or the name of a file"):
        plies.AlphaBeta(TTT, book=True)  # type: ignore[arg-type]


def test_what_is_only_estimated_beside_the_book_is_no_proof() -> None:
    """One action is known to draw, and the search of the others was stopped before it proved anything."""
    game = plies.ConnectFour(5, 4)
    drawn = canonical(game, game.result(game.initial(), 0))
    write_book(book_of(game, 1, 0, 3, 1, {drawn: Entry(0.0)}, "0"), book_path(game, 1))
    for found in plies.AlphaBeta(game).analyse(limit=Limit(time=0.2)):
        assert not found.value.proved
        assert found.scores[0].proved
        assert found.scores[4].proved  # its reflection
        assert str(found.scores[0]) == "draw"
        assert found.book in found.rests_on
        assert found.line[0] == found.action


def test_threads_have_nothing_to_do_where_a_book_settles_the_position(tic_tac_toe: OpeningBook) -> None:
    plies.save_opening_book(tic_tac_toe)
    engine = plies.AlphaBeta(TTT, threads=2)
    for moves in ("", "5", ""):
        found = engine.search(TTT.parse_position(moves), Limit(time=5))
        assert (found.value.proved, found.value.utility, found.nodes) == (True, 0, 0)


@pytest.mark.long
def test_no_line_without_a_score_beside_a_book(data: Path) -> None:
    """A search that has only begun has lines, too: shown with the value of the book, they would be false."""
    maker = of_game("tic-tac-toe", True)
    write_book(part_of(maker, 0.4, 1), book_path(TTT, 3))
    beside = 0
    for state in [state for level in maker.levels for state in list(level)[::4]]:
        for found in plies.AlphaBeta(TTT).analyse(state, Limit(time=10), lines=4):
            assert {line[0] for line in found.lines} <= {found.action, *found.scores}
            beside += bool(found.book) and len(found.scores) < len(list(TTT.actions(state)))
    assert beside


def test_searchmoves_with_a_book(tic_tac_toe: OpeningBook) -> None:
    write_book(tic_tac_toe, book_path(TTT, 3))
    engine = plies.AlphaBeta(TTT)
    found = engine.search(limit=Limit(time=60), actions=[1])
    assert (found.action, found.value.proved, list(found.scores)) == (1, False, [1])
    state = TTT.parse_position("X../.../...")
    assert engine.search(state, Limit(time=60), actions=[2, 3]).action in (2, 3)


# -- Searched books.


def test_a_searched_book_is_never_a_proof(data: Path) -> None:
    book = made(TTT, 2, nodes=30).book()
    assert not book.proved
    path = book_path(TTT, 2, 30)
    write_book(book, path)
    assert book_for(TTT) is None  # only if it is named
    found = plies.search(TTT, time=60, book=str(path))
    assert (found.nodes, found.value.proved) == (0, False)
    assert "a book of searched positions" in found.book
    assert not any(value.proved for value in found.scores.values())
    assert not verify(book, 2).wrong
    with pytest.raises(plies.BadParameter, match="a proof cannot rest on a book of searched positions"):
        plies.solve(TTT, book=str(path))


# -- Interruptions.


@pytest.mark.long
def test_an_interrupted_book_goes_on_to_the_same_values(tmp_path: Path) -> None:
    whole = {state: entry[:2] for state, entry in of_game("tic-tac-toe", True).entries.items()}
    for seed in range(2):
        path, some = tmp_path / f"book{seed}", random.Random(seed)
        for _ in range(100):
            maker, journal = BookMaker(TTT, 3), Journal(TTT, path, "about")
            list(maker.enumerate())
            maker.resume(journal.entries())
            maker.new = journal.add
            before, steps = maker.done + maker.counted, maker.run()
            for _ in range(some.randrange(1, 20)):
                if next(steps, None) is None:
                    break
            else:
                assert maker.done + maker.counted > before
                if journal._file is not None:
                    journal._file.close()  # and nothing else, as after a kill
                with journal.path.open("ab") as torn:
                    torn.write(b"deadbeef [[1, 2"[: some.randrange(15)])
                continue
            break
        assert {state: entry[:2] for state, entry in maker.entries.items()} == whole


@pytest.mark.parametrize("nodes", [0, 30])
def test_ctrl_c_during_a_search_ends_the_work(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is interrupted returns what it has, which is not what the book asks for."""
    maker = BookMaker(TTT, 2, nodes=nodes)
    list(maker.enumerate())
    steps, search = maker.run(), maker._glances.search
    assert next(steps).done == 1

    def interrupted(*given: Any) -> Any:
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return search(*given)

    monkeypatch.setattr(maker._glances, "search", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(steps)
    assert maker.done == 1


def test_a_journal_of_another_book_is_refused(tmp_path: Path) -> None:
    journal = Journal(TTT, tmp_path / "book", "rules 3 0")
    journal.path.write_bytes(b"0123")  # killed before its first line was whole
    assert list(journal.entries()) == []
    journal.add(TTT.initial(), Entry(0.0, None, 3))
    assert list(journal.entries()) == [(TTT.initial(), Entry(0.0, None, 3))]
    with pytest.raises(
        plies.PliesError, match=r"journal' was begun with plies 3, not 4: go on with the book"
    ):
        list(Journal(TTT, tmp_path / "book", "rules 4 0").entries())
    assert list(Journal(TTT, tmp_path / "none", "rules 3 0").entries()) == []
    lines = journal.path.read_bytes()
    journal.path.write_bytes(lines.replace(b"rules 3", b"rules 4"))
    with pytest.raises(plies.PliesError, match="is damaged: its first line cannot be read"):
        list(journal.entries())
    journal.path.write_bytes(lines.replace(b"0.0", b"1.0"))
    assert list(journal.entries()) == []
    journal.remove()
    assert not journal.path.exists()


def test_a_foreign_entry_is_not_taken_over() -> None:
    maker = BookMaker(TTT, 3)
    list(maker.enumerate())
    state = next(iter(maker.layer))
    maker.resume([(TTT.initial(), Entry(1.0)), (state, Entry(7.0)), (("nonsense",), Entry(0.0))])
    assert not maker.entries


# -- Files.


def test_what_is_written_is_read(tic_tac_toe: OpeningBook, data: Path) -> None:
    path = book_path(TTT, 3)
    write_book(tic_tac_toe, path)
    assert path.parent == data
    read = book_for(TTT)
    assert read is not None
    assert dict(read.entries()) == dict(tic_tac_toe.entries())
    assert (read.plies, read.nodes, read.layer, read.known) == (3, 0, 38, 38)
    assert read.made_by == tic_tac_toe.made_by
    assert [one.name for one in data.iterdir()] == [path.name]


def faulty(whole: bytes) -> Iterator[bytes]:
    for length in (0, 5, 20, 60, len(whole) // 2, len(whole) - 1):
        yield whole[:length]
    yield whole + b"\0"
    for place in range(0, len(whole), 7):
        yield whole[:place] + bytes([whole[place] ^ 0x10]) + whole[place + 1 :]


def test_a_damaged_file_is_refused(tic_tac_toe: OpeningBook, tmp_path: Path) -> None:
    path = tmp_path / "book"
    write_book(tic_tac_toe, path)
    for contents in faulty(path.read_bytes()):
        path.write_bytes(contents)
        with pytest.raises(plies.PliesError, match=r"is damaged: |is no opening book of Plies"):
            read_book(TTT, path)
    with pytest.raises(plies.PliesError, match="it is not a file"):
        read_book(TTT, tmp_path)
    with pytest.raises(plies.PliesError, match="No such file"):
        read_book(TTT, tmp_path / "nowhere")


def forged(path: Path, contents: bytes | None = None, **changes: Any) -> None:
    """Change the header, and possibly the contents, of a file, with the right checksums."""
    whole = path.read_bytes()
    start = book_file._PREFIX.size
    _, length, _ = book_file._PREFIX.unpack(whole[:start])
    header = json.loads(whole[start : start + length])
    packed = whole[start + length :] if contents is None else zlib.compress(contents)
    header |= {"packed": len(packed), "digest": hashlib.blake2b(packed, digest_size=32).hexdigest()}
    text = json.dumps(header | changes).encode()
    digest = hashlib.blake2b(text, digest_size=32).digest()
    path.write_bytes(book_file._PREFIX.pack(MAGIC, len(text), digest) + text + packed)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"entries": -1}, "header makes no sense"),
        ({"entries": True}, "header makes no sense"),
        ({"entries": 1 << 40}, "header makes no sense"),
        ({"order": []}, "header makes no sense"),
        ({"order": [0] * 9}, "states have another size|contents have another size"),
        ({"utilities": 1 << 30}, "header makes no sense"),
        ({"utilities": 2}, "contents have another size"),
        ({"known": 39}, "header makes no sense"),
        ({"version": "1\n2"}, "header makes no sense"),
        ({"version": "1" * 300}, "header makes no sense"),
        ({"more": 1}, "header makes no sense"),
        ({"parameters": []}, "header makes no sense"),
        ({"packed": 1}, "another length"),
        ({"entries": 53}, "contents have another size"),
    ],
)
def test_a_forged_header_is_refused(
    tic_tac_toe: OpeningBook, tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    path = tmp_path / "book"
    write_book(tic_tac_toe, path)
    forged(path)
    read_book(TTT, path)  # nothing was changed
    forged(path, **changes)
    with pytest.raises(plies.PliesError, match=why):
        read_book(TTT, path)


def test_forged_contents_are_refused(tic_tac_toe: OpeningBook, tmp_path: Path) -> None:
    path = tmp_path / "book"
    write_book(tic_tac_toe, path)
    whole = book_file._planes(tic_tac_toe)
    n, columns = len(tic_tac_toe), len(tic_tac_toe.order)
    utilities = 8 * n * columns
    values = utilities + 8 * len(tic_tac_toe.utilities)
    for contents, why in [
        (bytes(len(whole)), "positions are not in order"),
        (whole[:values] + b"\x09" * (4 * n) + whole[values + 4 * n :], "a value is missing"),
        (whole[:utilities] + b"\xff" * 24 + whole[utilities + 24 :], "utilities are out of bounds"),
        (whole + bytes(1 << 20), "contents have another size"),
        (whole[:-1], "contents have another size"),
    ]:
        forged(path, contents)
        with pytest.raises(plies.PliesError, match=why):
            read_book(TTT, path)


def test_a_bomb_is_not_unpacked(tic_tac_toe: OpeningBook, tmp_path: Path) -> None:
    path = tmp_path / "book"
    write_book(tic_tac_toe, path)
    forged(path, bytes(1 << 26))  # 64 kB that would be 64 MB
    assert path.stat().st_size < 100_000
    with pytest.raises(plies.PliesError, match="contents have another size"):
        read_header(path)


def test_a_full_disk_leaves_the_old_file(
    tic_tac_toe: OpeningBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "some" / "book"
    path.parent.mkdir()
    write_book(tic_tac_toe, path)
    whole = path.read_bytes()
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(plies.PliesError, match="cannot be written: No space left on device"):
        write_book(tic_tac_toe, path)
    assert [one.read_bytes() for one in path.parent.iterdir()] == [whole]


def test_a_damaged_book_is_not_used_and_said(
    tic_tac_toe: OpeningBook, caplog: pytest.LogCaptureFixture
) -> None:
    path = book_path(TTT, 3)
    write_book(tic_tac_toe, path)
    path.write_bytes(path.read_bytes()[:-1])
    assert plies.search(TTT, time=60).nodes > 0
    assert "an opening book is not used" in caplog.text


# -- Other rules.


class Misere(plies.TicTacToe):
    """Tic-Tac-Toe in which a row loses."""

    name = "tic-tac-toe"

    def utility(self, state: Any, player: int) -> int:
        return -super().utility(state, player)


class Weighed(plies.TicTacToe):
    """Tic-Tac-Toe in which a win is worth what an array says."""

    def __init__(self, worth: int) -> None:
        super().__init__()
        self.worth = np.array([worth])

    def utility(self, state: Any, player: int) -> int:
        return super().utility(state, player) * int(self.worth[0])


def test_a_book_by_other_rules_is_refused(tic_tac_toe: OpeningBook) -> None:
    path = book_path(TTT, 3)
    write_book(tic_tac_toe, path)
    other = Misere()
    assert book_path(other, 3) != path
    assert book_for(other) is None
    with pytest.raises(plies.PliesError, match="is stale, or of another game"):
        open_book(other, path)
    with pytest.raises(plies.PliesError, match="is stale, or of another game"):
        open_book(plies.ConnectFour(4, 3), path)


def test_the_fingerprint_is_that_of_the_rules_alone() -> None:
    def print_of(game: Game) -> str:
        return folder.book_fingerprint(game)

    assert print_of(plies.ConnectFour()) == print_of(plies.ConnectFour(weights=[0] * 7))
    assert print_of(plies.ConnectFour()) != print_of(plies.ConnectFour(6, 6))
    assert print_of(plies.game("nim")) != print_of(plies.game("nim", misere=True))
    one, other = Weighed(1), Weighed(2)  # their rules read an array
    assert print_of(one) != print_of(other)
    assert print_of(one) == print_of(Weighed(1))
    # It is the same under every version of Python: the book that comes with Plies is named by it.
    assert any(print_of(plies.ConnectFour()) in one.name for one in folder.SHIPPED.iterdir())


MINE = """
import plies

LIMIT = 3


class Mine(plies.Nim):
    def utility(self, state, player):
        return super().utility(state, player) if self.to_move(state) < LIMIT else 0
"""


def test_the_fingerprint_changes_with_the_source_of_a_rule(tmp_path: Path) -> None:
    found = []
    for number, (old, new) in enumerate([("", ""), ("else 0", "else  0  # as ever"), ("<", ">"), ("3", "4")]):
        file = tmp_path / f"mine{number}.py"
        file.write_text(MINE.replace(old, new) if old else MINE)
        spec = importlib.util.spec_from_file_location("mine", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found.append(folder.book_fingerprint(module.Mine()))
    assert found[0] == found[1]
    assert len({*found}) == 3


def test_the_words_of_source() -> None:
    one = 'def f(x):\n    """What it does."""\n    # Why.\n    return f"a{x!r}b" + (x\n      + 1)\n'
    other = 'def f(x):\n    return f"a{x!r}b" + (x + 1)\n'
    assert words_of(one) == words_of(other)
    assert 'f"a{x!r}b"' in words_of(one)
    assert words_of(one) != words_of(one.replace("+ 1", "- 1"))
    raised = 'raise ValueError(\n    "a string that begins a line"\n    f"and {another}"\n)\n'
    assert words_of(raised)[3:5] == ['"a string that begins a line"', 'f"and {another}"']
    assert words_of("x = 'docstring'\n") != words_of("x = 'other'\n")


# -- The verifier.


@pytest.fixture(scope="module")
def solved() -> dict[State, Entry]:
    maker = made(TTT, 2)
    assert not verify(maker.book(), 12).wrong
    return maker.entries


@pytest.mark.long
@pytest.mark.parametrize("where", ["layer", "before", "distance", "move", "missing"])
def test_the_verifier_finds_faults(where: str, solved: dict[State, Entry]) -> None:
    maker = BookMaker(TTT, 2)
    list(maker.enumerate())
    maker.resume((state, solved[state]) for state in maker.layer)
    entries = dict(maker.entries)
    layer, before = list(maker.layer), list(maker.levels[1])
    if where == "layer":
        entries[layer[0]] = entries[layer[0]]._replace(utility=1.0 - entries[layer[0]].utility)
    elif where == "before":
        entries[before[0]] = Entry(1.0)
    elif where == "distance":
        state = next(state for state in layer if entries[state].plies)
        entries[state] = entries[state]._replace(plies=(entries[state].plies or 0) + 2)
    elif where == "move":
        state = next(state for state in layer if entries[state].utility == 1)
        entries[state] = entries[state]._replace(move=20)
    else:
        del entries[layer[0]]
    book = book_of(TTT, 2, 0, len(layer), len(layer), entries, "0")
    assert verify(book, 12).wrong


# -- The program.


@pytest.mark.long
def test_the_program_makes_and_reads_books(tmp_path: Path) -> None:
    done = program("book", "tic-tac-toe", "--plies", "3")
    assert (done.code, done.error) == (0, "")
    assert done.out.splitlines()[:5] == [
        "tic-tac-toe, 3 plies, proved",
        "layer      38 of 38 positions (100 %)",
        "before it  16 positions",
        "distances  24 positions",
        "start      draw",
    ]
    assert program("book", "describe", "tic-tac-toe").out == "\n".join(done.out.splitlines()[:5]) + "\n"
    assert json.loads(program("book", "describe", "tic-tac-toe", "--json").out)["layer known"] == 38
    assert program("book", "verify", "tic-tac-toe", "--samples", "2").out == (
        "16 positions follow from their successors, 38 are of the layer; 2 of these were solved again\n"
    )
    probed = program("book", "probe", "tic-tac-toe", "X../.../...").out.splitlines()
    assert probed[:3] == ["value      draw", "best move  5", "  5: draw"]
    assert json.loads(program("book", "probe", "tic-tac-toe", "--json").out)["value"]["text"] == "draw"
    solved = program("solve", "tic-tac-toe")
    assert "Values are from a book of proved positions" in solved.out
    assert "book" not in program("solve", "tic-tac-toe", "--book", "no").out
    assert "Values are from a book of proved positions" in program("best", "tic-tac-toe").out
    assert "book of" not in program("best", "tic-tac-toe", "--option", "book=no").out
    out = tmp_path / "mine"
    again = program("book", "make", "tic-tac-toe", "--plies", "3", "--out", str(out), "--json")
    assert json.loads(again.out)["layer known"] == 38
    assert out.read_bytes() == book_path(TTT, 3).read_bytes()  # it has gone on from the one there was
    searched = program("book", "tic-tac-toe", "--plies", "1", "--searched", "--nodes", "20")
    assert searched.out.startswith("tic-tac-toe, 1 plies, searched, 20 nodes each\n")


def test_the_program_refuses_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "foreign").write_bytes(b"nothing")
    for arguments, words in [
        (("describe", "tic-tac-toe"), "there is no opening book of tic-tac-toe by these rules"),
        (("pig", "--plies", "2"), "an opening book is for games without chance; Pig has chance nodes"),
        (("tic-tac-toe", "--searched"), "a searched book takes both --searched and --nodes"),
        (("tic-tac-toe", "--plies", "10"), "the game is over before 10 plies are played: take fewer"),
        (("tic-tac-toe", "--time", "-1"), "--time must be more than 0 seconds"),
        (("describe", "tic-tac-toe", "--file", str(tmp_path / "foreign")), "is no opening book of Plies"),
        (("no-game", "--plies", "2"), "there is no game 'no-game'"),
    ]:
        done = program("book", *arguments)
        assert done.code == 2
        assert words in done.error
        assert done.error.count("\n") == 1


@pytest.mark.long
def test_a_time_limit_keeps_what_is_there() -> None:
    done = program("book", "tic-tac-toe", "--plies", "3", "--time", "0.0001")
    assert done.code == 0
    assert done.out.endswith("The time is up; the same command goes on.\n")
    assert "layer      38 of 38" in program("book", "tic-tac-toe", "--plies", "3").out


# -- The book of Connect Four that comes with Plies.


@pytest.fixture(scope="module")
def shipped() -> OpeningBook:
    (path,) = folder.SHIPPED.glob("connect-four-*")
    assert path.stat().st_size < 300_000
    return open_book(plies.ConnectFour(), path)


def test_the_shipped_book_and_published_scores(shipped: OpeningBook) -> None:
    game, compared = shipped.game, 0
    for name in ("L1_R1", "L1_R2", "L1_R3"):
        for line in oracle_path(f"connect4/pons_Test_{name}.txt").read_text().splitlines():
            moves, published = line.split()
            if len(moves) > shipped.plies:
                continue
            state = game.parse_position(moves)
            entry = shipped.probe(state)
            if entry is not None:
                compared += 1
                assert entry.utility == (int(published) > 0) - (int(published) < 0)
                if entry.plies is not None:
                    assert score(game, state, book_value(shipped, entry)) == int(published)
    assert compared


def test_the_shipped_book_and_published_counts(shipped: OpeningBook) -> None:
    """Of the first plies, every position is known, and as many are won, drawn and lost as published."""
    game, level = shipped.game, {shipped.game.initial()}
    rows = csv.DictReader(oracle_path("connect4/positions_7x6_by_ply.csv").read_text().splitlines())
    whole = 0
    for row in rows:
        entries = [shipped.probe(state) for state in level]
        if None in entries:
            break
        whole += 1
        first = [entry.utility * (-1) ** int(row["ply"]) for entry in entries if entry is not None]
        counts = [first.count(value) for value in (1, 0, -1)]
        words = ("first_player_won", "drawn", "first_player_lost")
        assert counts == [int(row[word]) for word in words]
        level = {game.result(state, action) for state in level for action in game.actions(state)}
    assert whole >= 1


def test_the_first_moves_are_known_at_once(shipped: OpeningBook) -> None:
    game = shipped.game
    known = root_in_book(shipped, game, game.initial(), list(game.actions(game.initial())))
    assert known is not None
    assert str(known.value) == "win"
    assert known.action == 3
    entry = shipped.probe(game.initial())
    assert entry is not None
    assert book_value(shipped, entry).proved
    assert canonical(game, game.parse_position("4453")) == canonical(game, game.parse_position("4435"))
    assert dataclasses.is_dataclass(shipped)
