"""`plies reproduce`: its table, its exit codes, its file, and the entries that take no time."""

from __future__ import annotations

import contextlib
import importlib
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plies.errors import BadParameter, PliesError
from plies.reproduce import Entry, all_entries, examples, find, reproduce
from plies.reproduce.report import shown, time_text
from plies.reproduce.run import read, write
from test_cli import Done, program

pytestmark = pytest.mark.plain

QUICKEST = [
    *("tic-tac-toe-positions", "tic-tac-toe-games", "tic-tac-toe-nodes-alpha-beta", "tic-tac-toe-value"),
    *("connect-four-positions-4x3", "go-positions-2x2", "checkers-positions-2-pieces", "renju", "goofspiel"),
    *("backgammon-opening-plays", "kalah-values-1-houses", "go-value-3x1", "alpha-beta-minimum", "aima"),
    *("cs188", "matrix", "pig-hold-at-20", "connect-four-score-225", "peg-solitaire-triangle"),
    pytest.param("nim-bouton", marks=pytest.mark.long),  # tests/test_games_nim.py has the theorem
]


def entry(name: str, found: Any, expected: Any = 3, seconds: float = 1.0) -> Entry:
    def compute() -> Any:
        if isinstance(found, BaseException):
            raise found
        return found

    return Entry(name, "three", "Euclid", -300, "Elements", expected, seconds, compute)


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes these entries the whole table."""

    def put(*entries: Entry) -> None:
        monkeypatch.setattr("plies.reproduce.table.all_entries", lambda: list(entries))

    return put


# -- The table.


def test_every_entry_says_what_it_is() -> None:
    entries = all_entries()
    assert len(entries) >= 40
    assert len({one.name for one in entries}) == len(entries)
    for one in entries:
        assert one.name == "-".join(one.name.casefold().split()), one.name
        assert one.what, one.name
        assert one.author, one.name
        assert one.source, one.name
        assert 1850 <= one.year <= 2026, one.name
        assert one.seconds > 0, one.name
        assert callable(one.compute)
        assert json.loads(json.dumps(one.expected)) == one.expected, one.name
        assert one.expected is not None, one.name


def test_the_quick_set_fits_in_five_minutes() -> None:
    assert sum(one.seconds for one in find()) <= 300
    assert {one.cost for one in all_entries()} == {"quick", "long"}
    assert len(find(everything=True)) == len(all_entries()) > len(find()) >= 40


@pytest.mark.parametrize("name", QUICKEST)
def test_the_quickest_agree(name: str) -> None:
    for one in find([name]):
        ((outcome, _),) = reproduce([one])
        assert outcome.agrees, outcome


def test_entries_by_their_names() -> None:
    assert [one.name for one in find(["nim-bouton"])] == ["nim-bouton"]  # though another begins with it
    assert [one.name for one in find(["BOUTON"])] == ["nim-bouton", "nim-bouton-misere"]
    assert [one.name for one in find(["Nim Bouton_Misere"])] == ["nim-bouton-misere"]
    assert "qubic-value" in [one.name for one in find(["qubic"])]  # a name asks for long ones, too
    with pytest.raises(BadParameter, match="no entry has 'shogi' in its name"):
        find(["nim", "shogi"])
    with pytest.raises(BadParameter):
        find([""])


def test_listing_loads_no_numba() -> None:
    code = "import sys; from plies.reproduce import find; find(); assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_the_source_there_are_no_entries_of_its_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    names = {one.name for one in all_entries()}
    assert {"hex-value-5x5", "domineering-value-7x7"} <= names
    monkeypatch.setattr(Path, "is_dir", lambda path: path.name != "examples")
    try:
        assert importlib.reload(examples).ENTRIES == ()
    finally:
        monkeypatch.undo()
        importlib.reload(examples)
    assert {one.name for one in all_entries()} == names


# -- The program.


def ran(*arguments: str) -> Done:
    return program("reproduce", *arguments)


def test_the_list_shows_costs(only: Callable[..., None]) -> None:
    only(entry("first", 3), entry("second", 3, seconds=600))
    lines = ran("--list").out.splitlines()
    assert lines == [
        "first   quick   1.0 s  three (Euclid -300)",
        "second  long   10 min  three (Euclid -300)",
        "2 entries, about 10 min; 1 of them quick, about 1.0 s.",
    ]
    assert ran("--list", "second").out.splitlines()[0] == lines[1]


def test_what_agrees(only: Callable[..., None]) -> None:
    only(entry("first", 3), entry("second", [1, 2_000], [1, 2_000]), entry("slow", 4, seconds=600))
    done = ran()
    assert done.code == 0
    first, second, summary = done.out.splitlines()
    assert first.startswith("agrees   first ")
    assert first.endswith("  3 (Euclid -300)")
    assert "1, 2,000" in second
    assert summary.startswith("2 of 2 agree, none differs; ")


@pytest.mark.parametrize(
    ("found", "words"), [(4, "found 4"), ("3", "found 3"), (None, "found None"), (PliesError("no"), "no")]
)
def test_what_differs_is_told_with_exit_code_1(only: Callable[..., None], found: Any, words: str) -> None:
    only(entry("first", found), entry("second", 3))
    done = ran()
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0].startswith("DIFFERS  first ")
    assert lines[0].endswith(words)
    assert lines[1] == "         expected 3: Euclid -300, Elements"
    assert lines[2].startswith("agrees   second")
    assert lines[3].startswith("1 of 2 agree, 1 differs; ")


def test_a_real_entry_with_a_wrong_expectation_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = find(["aima-alpha-beta"])
    monkeypatch.setattr("plies.reproduce.table.all_entries", lambda: [replace(one, expected=[3, 9])])
    done = ran()
    assert done.code == 1
    assert "found 3, 7" in done.out


def test_ctrl_c_keeps_what_is_there(only: Callable[..., None], tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    only(entry("first", 3), entry("second", KeyboardInterrupt()), entry("third", 3))
    done = ran("--output", str(file))
    assert done.code == 130
    assert "Stopped after 1 of 3 entries.\n1 of 1 agree, none differs" in done.out
    assert [outcome.name for outcome in read(file)] == ["first"]


def test_a_ctrl_c_that_ends_a_search_leaves_no_outcome(only: Callable[..., None]) -> None:
    def compute() -> int:
        with contextlib.suppress(KeyboardInterrupt):  # as a search does, which returns what it has
            signal.raise_signal(signal.SIGINT)
        return 4

    only(entry("first", 3), Entry("second", "three", "Euclid", -300, "Elements", 3, 1, compute))
    done = ran()
    assert done.code == 130
    assert "DIFFERS" not in done.out
    assert "Stopped after 1 of 2 entries." in done.out


# -- The file.


def test_resuming_runs_what_is_missing_or_differed(only: Callable[..., None], tmp_path: Path) -> None:
    file, runs = tmp_path / "out.json", []

    def counting(name: str, found: int, expected: int = 3) -> Entry:
        def compute() -> int:
            runs.append(name)
            return found

        return Entry(name, "three", "Euclid", -300, "Elements", expected, 1, compute)

    only(counting("first", 3), counting("second", 4))
    assert ran("--resume", str(file)).code == 1
    assert runs == ["first", "second"]
    only(counting("first", 3), counting("second", 3), counting("third", 3))
    done = ran("--resume", str(file))
    assert done.code == 0
    assert runs == ["first", "second", "second", "third"]
    assert "earlier" in done.out.splitlines()[0]
    only(counting("first", 5, 5))  # what is expected has changed
    assert ran("--resume", str(file)).code == 0
    assert runs[-1] == "first"
    kept = {outcome.name: outcome.found for outcome in read(file)}
    assert kept == {"first": 5, "second": 3, "third": 3}


def test_what_was_kept_is_told_in_the_words_of_today() -> None:
    before, today = entry("first", 3), replace(entry("first", 4), source="Elements, VII")
    kept = [outcome for outcome, _ in reproduce([before])]
    ((outcome, now),) = reproduce([today], kept)
    assert (outcome.source, outcome.found, now) == ("Elements, VII", 3, False)


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    outcomes = [one for one, _ in reproduce([entry("first", 3), entry("second", [1, "é"], [1, "é"])])]
    write(tmp_path / "out.json", outcomes)
    assert read(tmp_path / "out.json") == outcomes
    assert read(tmp_path / "none.json") == []
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_a_page(only: Callable[..., None], tmp_path: Path) -> None:
    file = tmp_path / "out.md"
    only(entry("first", 3), entry("second", 4))
    assert ran("--output", str(file)).code == 1
    page = file.read_text(encoding="utf-8")
    assert page.startswith("# Published numbers\n\n1 of 2 agree.")
    assert "| `first` | three | Euclid -300: Elements | 3 | the same | 0.0 s |" in page
    assert "| 3 | **4** | 0.0 s |" in page


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"machine": {}}', '{"machine": {"plies": "1"}, "outcomes": [1]}', "[" * 10**5, "\xff"],
)
def test_files_that_are_something_else(tmp_path: Path, text: str) -> None:
    file = tmp_path / "out.json"
    file.write_text(text, encoding="latin-1")
    done = ran("matrix", "--resume", str(file))
    assert (done.code, done.out) == (2, "")
    assert done.error == f"plies: {str(file)!r} is not a file that `plies reproduce` has written\n"


def test_a_file_of_another_version(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    file.write_text('{"machine": {"plies": "0.0.1"}, "outcomes": []}')
    assert "was made by Plies 0.0.1" in ran("matrix", "--resume", str(file)).error


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("zzz", "no entry has 'zzz' in its name; --list shows them all"),
        ("--output x.txt", "'x.txt' must end in .json or .md"),
        ("--resume x.md", "'x.md' must end in .json"),
        ("--output none/x.json", "there is no folder 'none'"),
    ],
)
def test_refusals(line: str, sentence: str) -> None:
    done = ran(*line.split())
    assert (done.code, done.out) == (2, "")
    assert sentence in done.error
    assert done.error.count("\n") == 1


def test_how_results_are_written() -> None:
    assert shown([1_000, [2, "1/3"]]) == "1,000, (2, 1/3)"
    assert shown({"f8": "an overline"}) == "f8 an overline"
    assert [time_text(seconds) for seconds in (0.04, 9.94, 12.4, 600)] == ["0.0 s", "9.9 s", "12 s", "10 min"]
