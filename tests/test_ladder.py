"""The ladder: mistakes of students' files become sentences, and only games of changed files are played."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pytest

import plies
from plies.cli import run
from plies.ladder import child, game, ladder, page
from plies.ladder.game import FileSeat, HouseSeat, Result, play, replayed
from plies.ladder.ladder import Ladder, Settings
from plies.players import parse_player
from plies.sandbox import process
from plies.sandbox.process import Limits

pytestmark = [
    pytest.mark.plain,
    pytest.mark.skipif(sys.platform == "win32", reason="the limits are those of POSIX"),
]

FIRST = "def choose(game, state):\n    return list(game.actions(state))[0]\n"
LAST = (
    "class Agent:\n    def __init__(self):\n        self.count = 0\n"
    "    def choose(self, game, state):\n        self.count += 1\n        print('my move', self.count)\n"
    "        return list(game.actions(state))[-1]\n"
)


def against_the_house(folder: Path, code: str, seconds: float = 10, memory: int = 1024) -> Result:
    """A game of Tic-Tac-Toe that a file begins."""
    file = folder / "student.py"
    file.write_text(code)
    seats = [
        FileSeat(file, "tic-tac-toe", [], seconds, Limits(memory=memory << 20)),
        HouseSeat(parse_player("random:1")),
    ]
    return play(plies.TicTacToe(), ("student", "house"), seats, "0")


def lacks() -> list[str]:
    """The protections that this machine does not have."""
    program = process.Program("plies.ladder.child", setup={"game": "tic-tac-toe", "words": []})
    with process.StudentProcess(b"", program) as one:
        return one.missing


# -- Mistakes, each a sentence, and the game is lost.


@pytest.mark.parametrize(
    ("code", "fault", "words"),
    [
        (
            "def choose(game, state):\n    return 1 / 0",
            "crash",
            "crashes at move 1: ZeroDivisionError in line 2",
        ),
        ("def choose(game, state):\n    return 10", "illegal move", "plays '10' at move 1, which is illegal"),
        ("def choose(game, state):\n    return input('Your move? ')", "crash", "EOFError in line 2"),
        (
            "import os\ndef choose(game, state):\n    os._exit(5)",
            "crash",
            "ends at move 1: it ended the process by itself, with exit code 5",
        ),
        ("x = 1 / 0", "not loaded", "student.py, line 1, could not be run: ZeroDivisionError"),
        ("import sys\nsys.exit()", "not loaded", "SystemExit"),
        ("def move(game, state): ...", "not loaded", "it has no function choose(game, state) and no class"),
        ("x = bytearray(1 << 30)", "not loaded", "MemoryError"),
    ],
)
def test_a_mistake_loses_and_is_said_in_words(code, fault, words, tmp_path):
    result = against_the_house(tmp_path, code, memory=512)
    assert result.points == [0, 1]
    assert (result.fault, result.culprit) == (fault, 0)
    assert result.words.startswith("house wins: student ")
    assert words in result.words
    assert "\n" not in result.words


def test_loops_and_floods_take_too_long(tmp_path):
    for code in ("while True: pass", "while True: print('x' * 1000)"):
        result = against_the_house(tmp_path, f"def choose(game, state):\n    {code}", seconds=0.3)
        assert result.fault == "time"
        assert result.words == "house wins: student takes longer than 0.3 s for move 1"


def test_who_waits_does_not_compute(tmp_path):
    """The time of a move is that of computing, so that a busy machine is no harm."""
    code = (
        "import time\ndef choose(game, state):\n    if not state.x: time.sleep(1)\n"
        + FIRST.partition("\n")[2]
    )
    assert not against_the_house(tmp_path, code, seconds=0.5).fault


def test_loading_may_not_take_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(game, "LOADING", 0.5)
    assert against_the_house(tmp_path, "while True: pass").words.endswith("is not loaded after 0.5 s")


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells which processes there are")
def test_nothing_is_left_behind(tmp_path, monkeypatch):
    """Neither a process that a player starts, nor the files that it writes, nor the folder of its process."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    running, end = [], process.StudentProcess.end

    def count() -> int:
        found = 0
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):  # it has just ended
                found += str(folder).encode() in path.read_bytes()
        return found

    def count_and_end(self: process.StudentProcess) -> None:
        running.append(count())
        end(self)

    monkeypatch.setattr(process.StudentProcess, "end", count_and_end)
    against_the_house(tmp_path, FIRST)
    code = (
        "import os, time, pathlib\nif os.fork() == 0:\n"
        "    os.setsid()\n    time.sleep(600)\n    os._exit(0)\n"
        "pathlib.Path('left.txt').write_text('here')\n" + FIRST
    )
    assert not against_the_house(tmp_path, code).fault
    assert running[1] == running[0] + 1  # it was there
    deadline = time.monotonic() + 60
    while count() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert count() == 0
    assert list(folder.iterdir()) == []


def test_others_files_are_out_of_reach(tmp_path):
    """A player may read neither another's file nor the folder of the game."""
    other = tmp_path / "other.py"
    other.write_text("SECRET")
    words = against_the_house(tmp_path, f"open({str(other)!r}).read()\n{FIRST}").words
    if lacks():
        pytest.skip("this kernel has no Landlock, or no namespaces")
    assert "PermissionError" in words


def test_a_game_of_ones_own_is_found_from_any_folder(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("import plies\nclass Mine(plies.TicTacToe): ...\n")
    (tmp_path / "student.py").write_text(FIRST)
    monkeypatch.chdir(tmp_path)
    seats = [
        FileSeat(tmp_path / "student.py", "mine.py:Mine", [], 10, Limits()),
        HouseSeat(parse_player("random:1")),
    ]
    assert not play(plies.TicTacToe(), ("student", "house"), seats, "0").fault


def test_a_file_that_changes_while_it_plays_is_played_again(handed_in, tmp_path, monkeypatch):
    played = []

    def changing(game_: plies.Game, names: tuple[str, str], seats: object, seed: str) -> Result:
        if not played:
            (handed_in / "anna.py").write_text(LAST)
        played.append(seed)
        return drawn(game_, names, seats, seed)

    monkeypatch.setattr(ladder, "play", changing)
    one = Ladder(handed_in, tmp_path / "out", Settings("tic-tac-toe", time=10, rounds=1))
    assert len(list(one.play())) == 1
    assert len(set(played)) == 2, "the game of the old file is not kept for the new one"


def test_files_that_cannot_be_read_lose(handed_in, tmp_path):
    (handed_in / "chris.py").write_bytes(b"#" * (process.BIGGEST_FILE + 1))
    (handed_in / "dora.py").symlink_to(tmp_path / "nowhere.py")
    (handed_in / "emil.py").symlink_to("/dev/zero")
    (handed_in / "ben.py").unlink()
    one = Ladder(handed_in, tmp_path / "out", Settings("tic-tac-toe", rounds=1))
    said = {result.names[1]: result.words for result in one.play() if result.names[0] == "anna"}
    assert "at most 1,000,000 are read" in said["chris"]
    assert "cannot be read: No such file" in said["dora"]
    assert "is not a file" in said["emil"]


def test_the_environment_is_not_handed_on(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "token")
    code = "import os\ndef choose(game, state):\n    raise ValueError(sorted(os.environ))"
    words = against_the_house(tmp_path, code).words
    assert "ValueError" in words
    assert "SECRET" not in words


def test_an_answer_that_is_none_is_refused(tmp_path):
    """A file may write to the channel itself; the referee believes no number that is not a legal move's."""
    code = (
        "import os, json\ndef choose(game, state):\n"
        "    for fd in range(3, 10):\n        try:\n            os.write(fd, b'{\"move\": 99}\\n')\n"
        "        except OSError:\n            pass\n    return 1"
    )
    result = against_the_house(tmp_path, code)
    assert result.fault == "illegal move"


def test_answers_are_read_up_to_a_length(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "LARGEST_ANSWER", 150)
    words = against_the_house(tmp_path, "raise ValueError('x' * 200)").words
    assert words.endswith("cannot be loaded: its answer is too long")


# -- Games.


def test_the_file_sees_the_game_as_it_is(tmp_path):
    """Dice and the other's moves reach it: in Pig it holds as soon as the turn has 4 points."""
    file = tmp_path / "student.py"
    file.write_text(
        "from plies.games.pig import HOLD, ROLL\n"
        "def choose(game, state):\n    return HOLD if state.turn >= 4 else ROLL\n"
    )
    pig = plies.game("pig", target=12)
    seats = [FileSeat(file, "pig", ["target=12"], 10, Limits()), HouseSeat(parse_player("random:2"))]
    result = play(pig, ("student", "house"), seats, "3")
    history = replayed(pig, result.moves)
    assert history.over
    assert not result.fault
    assert result.points[0] == (1 if history.utility(0) > 0 else 0)
    for state, action in zip(history.states, history.actions, strict=False):
        if not state.rolling and state.player == 0:
            assert action == (0 if state.turn >= 4 else 7)


def test_moves_that_are_not_of_the_game_are_refused():
    with pytest.raises(plies.PliesError, match="not moves of this game"):
        replayed(plies.TicTacToe(), [0, 99])


def test_choices_are_outcomes_where_chance_moves():
    pig = plies.game("pig")
    assert child.choices(pig, pig.result(pig.initial(), 7)) == [1, 2, 3, 4, 5, 6]


# -- The ladder.


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "anna.py").write_text(FIRST)
    (folder / "ben.py").write_text(LAST)
    (folder / "_notes.py").write_text("no player")
    return folder


def drawn(game_: plies.Game, names: tuple[str, str], seats: object, seed: str) -> Result:
    """A game that is not played."""
    return Result(list(names), [0.5, 0.5], "a draw in 0 moves")


def test_only_games_of_changed_files_are_played(handed_in, tmp_path, monkeypatch):
    monkeypatch.setattr(ladder, "play", drawn)

    def games(rounds: int = 1) -> list[list[str]]:
        one = Ladder(handed_in, tmp_path / "out", Settings("tic-tac-toe", time=10, rounds=rounds))
        return [result.names for result in one.play()]

    assert games() == [["anna", "ben"]]
    assert games() == []
    (handed_in / "chris.py").write_text(LAST)
    assert games() == [["anna", "chris"], ["ben", "chris"]]
    before = (handed_in / "anna.py").read_text()
    (handed_in / "anna.py").write_text(before + "# better\n")
    assert games() == [["anna", "ben"], ["anna", "chris"]]
    (handed_in / "anna.py").write_text(before)
    assert games() == [], "its games are still known"
    assert games(rounds=2) == [["ben", "anna"], ["chris", "anna"], ["chris", "ben"]]


@pytest.mark.long
def test_the_program_writes_standings_with_every_game(handed_in, capsys):
    (handed_in / "<b>.py").write_text("def choose(game, state):\n    return '<script>'")
    assert (
        run(["ladder", str(handed_in), "tic-tac-toe", "--time", "10", "--rounds", "1", "--also", "random"])
        == 0
    )
    said = capsys.readouterr().out
    assert ("This machine has not: " in said) == bool(lacks())
    assert said.startswith("6 games played, 0 kept; the page is ")
    assert re.search(r"<b>\s+0 of 3\s+lost by illegal move: 3", said)
    index = (handed_in / "ladder" / "index.html").read_text()
    assert "<script>" not in index
    assert "&lt;b&gt;" in index
    rows = re.findall(r"<tr><td>\d+</td>(.*?)</tr>", index)
    points = [re.findall(r"<td>(.*?)</td>", row)[1] for row in rows]
    assert len(points) == 4
    assert sum(float(text.replace("½", ".5")) for text in points) == 6, "a game is a point"
    links = set(re.findall(r'href="(games/[0-9a-f]+\.html)"', index))
    assert len(links) == 6
    for link in links:
        text = (handed_in / "ladder" / link).read_text()
        assert 'type="range"' in text
        assert "Standings" in text
    assert (
        run(["ladder", str(handed_in), "tic-tac-toe", "--time", "10", "--rounds", "1", "--also", "random"])
        == 0
    )
    assert capsys.readouterr().out.startswith("0 games played, 6 kept")


def test_pages_of_earlier_files_go(handed_in, tmp_path, monkeypatch):
    monkeypatch.setattr(ladder, "play", drawn)
    one = Ladder(handed_in, tmp_path / "out", Settings("tic-tac-toe", time=10, rounds=1))
    list(one.play())
    page.write_pages(one)
    (handed_in / "ben.py").unlink()
    assert one.changed()
    assert not one.changed()
    page.write_pages(one)
    assert list((tmp_path / "out" / "games").iterdir()) == []


def test_a_game_without_pictures_has_its_moves():
    from plies.history import History

    class Plain(plies.SumToTwo):
        def scene(self, state):
            return None

    history = History(Plain())
    history.play(history.legal()[0])
    assert "<pre>" in page.positions(history)


def test_points_are_written_as_people_do():
    assert [page.points(number) for number in (0, 0.5, 1, 2.5)] == ["0", "½", "1", "2½"]
    assert process.printable("a\x1b[1mb\n\udcff") == "a?[1mb ?"


@pytest.mark.parametrize("noted", ["{", "[]", '{"games": {"k": {"names": ["a"]}}}', '{"games": {"k": 1}}'])
def test_notes_that_are_none_are_refused(noted, handed_in, capsys):
    (handed_in / "ladder").mkdir()
    (handed_in / "ladder" / "games.json").write_text(noted)
    assert run(["ladder", str(handed_in)]) == 2
    assert "delete it, and all games are played again" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nowhere"], "there is no folder 'nowhere'"),
        (["."], "no file of '.' is a player"),
        ([".", "--time", "0"], "time must be more than 0"),
        ([".", "--rounds", "0"], "rounds must be between 1 and 100"),
        ([".", "--memory", "1"], "memory must be between"),
        ([".", "pacman"], "a ladder"),
        ([".", "nochess"], "there is no game 'nochess'"),
        ([".", "--also", "grandmaster"], "grandmaster"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["ladder", *words]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


def test_results_are_kept_game_by_game(handed_in, tmp_path, monkeypatch):
    monkeypatch.setattr(ladder, "play", drawn)
    (handed_in / "chris.py").write_text(FIRST)
    one = Ladder(handed_in, tmp_path / "out", Settings("tic-tac-toe", time=10, rounds=1))
    next(one.play())  # and then Ctrl-C
    assert len(json.loads((tmp_path / "out" / "games.json").read_text())["games"]) == 1
    assert len(Ladder(handed_in, tmp_path / "out", one.settings).missing()) == 2
    assert os.listdir(tmp_path / "out") == ["games.json"]
