"""Students' files that misbehave: each is a sentence in the report, and nothing is left behind."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from graded.hostile import DAEMON, HOSTILE, LAB_TABLE, RIGHT, THIEF
from plies.errors import PliesError
from plies.grade.grading import grade
from plies.grade.session import PROGRAM, Session
from plies.sandbox.process import BIGGEST_FILE, Ended, Limits, StudentProcess

pytestmark = [
    pytest.mark.plain,
    pytest.mark.skipif(sys.platform != "linux", reason="limits and namespaces are those of Linux"),
]


@pytest.fixture(autouse=True)
def nothing_left(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder for temporary ones, which must be empty afterwards."""
    folder = tmp_path_factory.mktemp("temporary")
    folder.chmod(0o777)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


def student(tmp_path: Path, source: str) -> Path:
    file = tmp_path / "student.py"
    file.write_text(source, encoding="utf-8")
    return file


def missing_here(tmp_path: Path) -> list[str]:
    with StudentProcess(b"", PROGRAM) as process:
        return process.missing


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if name == "loops when called" else []) for name in HOSTILE],
)
def test_a_file_that_misbehaves_is_a_sentence(name: str, tmp_path: Path) -> None:
    source, words = HOSTILE[name]
    slow = name.startswith("loops")
    report = grade(student(tmp_path, source), only=["minimax: trees"], seconds=1.0 if slow else 60.0)
    assert report.points == 0
    assert words in report.text()
    assert (tmp_path / "student.py").read_text(encoding="utf-8") == source


def test_what_comes_before_an_error_is_graded(tmp_path: Path) -> None:
    report = grade(student(tmp_path, f"{RIGHT}\nraise ValueError('no')\n"), only=["minimax: trees"])
    assert report.points == report.most
    assert report.notes == ["When the file is loaded: ValueError: no (line 10)."]


def test_a_test_that_ends_the_process_costs_that_test_only(tmp_path: Path) -> None:
    source = RIGHT.replace("if depth == 0:", "if depth == 0:\n        import os; os._exit(1)")
    report = grade(student(tmp_path, source), only=["minimax: depth", "minimax: two"])
    assert {test.name: test.points for test in report.tests} == {
        "minimax: two ghosts": 1,
        "minimax: depth bound": 0,
    }


def test_a_copy_of_the_process_does_not_answer(tmp_path: Path) -> None:
    source = f"import os\n{RIGHT}".replace(
        "    if depth == 0:", "    if depth == 99: os.fork()\n    if depth == 0:"
    )
    with Session(student(tmp_path, source), 60.0) as session:
        session.load()
        tree = {"movers": [0, 1, 1], "children": [[1, 2], [], []], "values": [0, 1, 2]}
        for value in (2, 5, 9):  # what a copy answers would be taken for the answer to the next question
            tree["values"] = [0, 1, value]
            (answer,) = session.ask("search", function="minimax", trees=[tree], cases=[[0, None, None, None]])
            assert answer["value"] == value


def test_a_process_that_hides_in_a_session_of_its_own_ends(tmp_path: Path) -> None:
    if "a process namespace" in missing_here(tmp_path):
        pytest.skip("this kernel gives no process namespace")
    with Session(student(tmp_path, ""), 20.0) as session:
        usual = _processes_of(folder_of(session))
    with Session(student(tmp_path, DAEMON.replace("MARK", "600")), 20.0) as session:
        folder = folder_of(session)
        wait_for(lambda: _processes_of(folder) > usual)  # it is there
    wait_for(lambda: _processes_of(folder) == 0)  # as long as the file is


def folder_of(session: Session) -> str:
    """The name of the temporary folder of a file that is loaded."""
    assert session.load()["error"] == ""
    assert session._process is not None
    return session._process._folder.name


def wait_for(condition: Callable[[], bool]) -> None:
    """Processes begin and end in the kernel's own time."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _processes_of(folder: str) -> int:
    """The processes that run the student's file in a temporary folder."""
    count = 0
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has just ended
            count += folder.encode() in path.read_bytes()
    return count


def test_others_files_and_the_network_are_out_of_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing_here(tmp_path):
        pytest.skip("this kernel has no Landlock, or no namespaces")
    monkeypatch.setenv("PLIES_SECRET", "hush")
    target = tmp_path / "other.py"
    target.write_text("somebody's work", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        source = THIEF.replace("TARGET", repr(str(target))).replace("FOLDER", repr(str(tmp_path)))
        source = source.replace("PORT", str(server.getsockname()[1]))
        with Session(student(tmp_path, source), 20.0) as session:
            said = session.load()["error"]
    assert "RuntimeError: could []" in said
    assert target.read_text(encoding="utf-8") == "somebody's work"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.py", "student.py"]


def test_a_file_may_write_in_its_own_folder_but_not_much(tmp_path: Path) -> None:
    small = "open('notes', 'w').write('x' * 1000)\nimport os\nassert os.listdir() != []\n"
    large = "open('notes', 'w').write('x' * 10**7)\n"
    with Session(student(tmp_path, small), 20.0) as session:
        assert session.load()["error"] == ""
    with Session(student(tmp_path, large), 20.0) as session:
        assert "File too large" in session.load()["error"]


def test_a_file_may_use_numpy_and_plies(tmp_path: Path) -> None:
    source = "import numpy\nimport plies\nassert float(numpy.array([1, 2]).max()) + plies.CHANCE == 1\n"
    with Session(student(tmp_path, source), 60.0) as session:
        assert session.load()["error"] == ""


def test_what_a_file_prints_does_not_reach_the_answers(tmp_path: Path) -> None:
    source = RIGHT.replace("    if depth == 0:", "    print('{\"result\": 5}')\n    if depth == 0:", 1)
    report = grade(student(tmp_path, source), only=["minimax: trees"])
    assert report.points == report.most


def test_what_is_written_into_the_pipe_is_noticed(tmp_path: Path) -> None:
    write = "    try: os.write(number, b'nonsense\\n')\n    except OSError: pass\n"
    source = f"import os\nfor number in range(3, 1024):\n{write}"  # a busy process has many files
    with (
        Session(student(tmp_path, source), 20.0) as session,
        pytest.raises(Ended, match="the pipe for its answers"),
    ):
        session.load()


FORGERIES = {
    "another number of cases": {"result": []},
    "no result": {"value": 1},
    "a result and an error": {"result": [], "error": ""},
    "a leaf that is not there": {"result": [{"value": 1, "leaves": [99]}] * 70},
    "a value that is a list": {"result": [{"value": [1], "leaves": [0]}] * 70},
}


@pytest.mark.parametrize("name", FORGERIES)
def test_an_answer_of_another_shape_is_a_sentence(name: str, tmp_path: Path) -> None:
    """Whoever writes into the pipe can forge answers, but not stop the grader."""
    forged = json.dumps(FORGERIES[name]) + "\n"
    write = f"        try: os.write(number, {forged.encode()!r})\n        except OSError: pass\n"
    source = f"import os\ndef minimax(game, state):\n    for number in range(3, 1024):\n{write}    return 0\n"
    report = grade(student(tmp_path, source), only=["minimax: trees"])
    assert report.points == 0
    assert "it answers in place of the grader" in report.text()


def test_all_its_files_have_little_room(tmp_path: Path) -> None:
    if missing_here(tmp_path):
        pytest.skip("this kernel mounts nothing for users")
    source = "for i in range(100): open(f'{i}', 'w').write('x' * 10**6)\n"
    with Session(student(tmp_path, source), 20.0) as session:
        assert "No space left" in session.load()["error"]
        assert sorted(os.listdir(folder_of_process(session))) == [
            "errors",
            "student.py",
        ]  # none of it is on disk


def folder_of_process(session: Session) -> Path:
    assert session._process is not None
    return session._process._folder


def test_locked_and_deep_folders_are_deleted(tmp_path: Path) -> None:
    with StudentProcess(b"", PROGRAM) as process:
        folder = process._folder
        (folder / "locked").mkdir()
        (folder / "locked" / "file").write_text("x")
        (folder / "locked").chmod(0)
        here = os.getcwd()
        os.chdir(folder)
        try:
            for _ in range(1200):  # deeper than Python's recursion
                os.mkdir("d")
                os.chdir("d")
        finally:
            os.chdir(here)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            "def minimax(game, state):\n    raise ValueError('\\x1b[2J\\udc80\\u202e')",
            "ValueError: ?[2J?? (line 2)",
        ),
        ("class Sad(Exception):\n    def __str__(self): 1 / 0\nraise Sad", "loaded: Sad (line 3)."),
        ("def __getattr__(name): raise ValueError(name)\nglobals()[5] = 6", "there is no function minimax"),
    ],
)
def test_odd_errors_and_names(source: str, words: str, tmp_path: Path) -> None:
    text = grade(student(tmp_path, source), only=["minimax: trees"]).text()
    assert words in text
    assert text.isprintable() or set(text) - {"\n"} <= set(filter(str.isprintable, text))


def test_odd_names_of_files(tmp_path: Path) -> None:
    file = Path(os.fsdecode(os.fsencode(tmp_path) + b"/a \xff\n.py"))
    file.write_text(RIGHT, encoding="utf-8")
    report = grade(file, only=["minimax: trees"])
    assert report.points == report.most
    assert report.file == "a ? .py"


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "endless.py").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.py")
    for name in ("endless.py", "pipe.py"):
        with pytest.raises(PliesError, match="is not a file"):
            grade(tmp_path / name)


@pytest.mark.long
def test_the_limit_on_the_processor(tmp_path: Path) -> None:
    with (
        Session(student(tmp_path, "while True: pass"), 60.0, Limits(cpu=1)) as session,
        pytest.raises(Ended, match="too much time of the processor"),
    ):
        session.load()


def test_a_table_in_lab_style_is_no_search(tmp_path: Path) -> None:
    report = grade(student(tmp_path, LAB_TABLE), only=["minimax: positions"])
    assert report.style == "lab"
    assert [bug.key for finding in report.findings for bug in finding.bugs] == ["no-search"]


def test_a_file_that_is_not_there_or_too_large(tmp_path: Path) -> None:
    with pytest.raises(PliesError, match="cannot be read: No such file"):
        grade(tmp_path / "nobody.py")
    with pytest.raises(PliesError, match="at most 1,000,000 are read"):
        grade(student(tmp_path, "#" * (BIGGEST_FILE + 1)))


def test_the_pipes_are_closed() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(2):
        with StudentProcess(b"", PROGRAM):
            pass
    assert len(os.listdir("/proc/self/fd")) == before
