"""The program with its streams closed, full, empty or left early; and whom it blames for an error."""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from plies.cli.streams import silence
from programs import PATIENCE, PROGRAM
from test_cli import MINE, program

pytestmark = pytest.mark.plain

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell and /dev/full")

COMMANDS = ("games", "--help", "--version", "best nim --depth 2", "draw nim")


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """A line of a shell, in which PLIES is the program."""
    line = line.replace("PLIES", f"'{sys.executable}' -m plies")
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=PATIENCE, check=False)


@posix
@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_output(command: str) -> None:
    done = shell(f"PLIES {command} >&-")
    assert (done.returncode, done.stderr) == (0, "")


@posix
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_output(command: str) -> None:
    done = shell(f"PLIES {command} >/dev/full")
    assert done.returncode == 2
    assert done.stderr == "plies: the output cannot be written: No space left on device\n"


@posix
def test_a_full_output_does_not_cost_the_files(tmp_path: Path) -> None:
    match, strategy = tmp_path / "match.json", tmp_path / "strategy.json"
    done = shell(f"PLIES match nim random random --games 2 --save {match} >/dev/full")
    assert done.returncode == 2
    assert match.read_text().count("\n") == 3
    done = shell(f"PLIES solve nim heaps=1,2 --strategy {strategy} >/dev/full")
    assert done.returncode == 2
    assert strategy.read_text().startswith("{")


@pytest.mark.long
@posix
def test_everything_closed_or_full() -> None:
    assert shell("PLIES games <&- >&- 2>&-").returncode == 0
    assert shell("PLIES frobnicate 2>&-").stdout == ""
    assert shell("PLIES frobnicate 2>&-").returncode == 2
    assert shell("PLIES frobnicate 2>/dev/full").returncode == 2
    done = shell("PLIES play nim heaps=1 <&- 2>&1")
    assert done.returncode == 0
    assert "There is no input: the engine plays every side." in done.stdout


@posix
@pytest.mark.parametrize("command", ["games", "--help", "draw chess", "trace nim --depth 4"])
def test_a_reader_of_one_line(command: str) -> None:
    done = shell(f"set -o pipefail; PLIES {command} | head -1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


# -- Moves from a pipe.


def piped(*arguments: str, lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *arguments], input=lines, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def test_what_is_left_in_a_stream_that_is_silenced_goes_nowhere() -> None:
    reading, writing = os.pipe()
    with open(writing, "w") as stream:
        stream.write("what nobody will read")
        os.close(reading)
        silence(stream)
        stream.flush()  # a pipe that nobody reads would complain, now and as it is closed
        assert os.fstat(stream.fileno()).st_rdev == os.stat(os.devnull).st_rdev


def test_moves_from_a_pipe_need_no_words_about_players() -> None:
    done = piped("play", "tic-tac-toe", lines="5\n5\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("tic-tac-toe: X (you) against O (engine). Type ? for help.\n")
    assert "You are X: Choose number from 1-9: 5\nO (engine) plays " in done.stdout
    assert "You are X: Choose number from 1-9: 5\n'5' is not a legal move" in done.stdout
    assert done.stdout.endswith("1-9: \nThe input ended before the game was over.\nGoodbye.\n")


def test_a_game_that_ends_before_the_input_does() -> None:
    done = piped("play", "tic-tac-toe", "--players", "human,human", lines="1\n4\n2\n5\n3\n")
    assert "X (human) wins after 5 moves." in done.stdout
    assert "The input ended" not in done.stdout


def test_without_input_the_engine_plays_and_says_so() -> None:
    with open(os.devnull) as nothing:
        done = subprocess.run(
            [*PROGRAM, "play", "nim", "heaps=1,2"], stdin=nothing, capture_output=True, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        "nim: player 1 (engine) against player 2 (engine).\nThere is no input: the engine plays every side.\n"
    )
    assert done.stdout.endswith("player 1 (engine) wins after 3 moves.\n")


@posix
def test_a_pipe_whose_other_end_waits_for_the_question() -> None:
    with subprocess.Popen(
        [*PROGRAM, "play", "nim", "heaps=1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        shown = b""
        while b"such as 1:2: " not in shown:
            shown += os.read(process.stdout.fileno(), 4096)
        process.stdin.write(b"1:1\n")
        process.stdin.close()
        assert b"player 1 (you) wins after 1 move." in process.stdout.read()


def test_a_line_without_end_is_not_kept() -> None:
    done = piped("play", "nim", "--players", "human,random", lines="x" * 3_000_000 + "\n1:1\nquit\n")
    assert "that is 501 characters or more, too long for a move or a command" in done.stdout
    assert "1:1\nplayer 2 (random) plays" in done.stdout
    assert len(done.stdout) < 3000


# -- Whom an error is blamed on.


def blamed(error: str) -> tuple[str, int]:
    """The file and the line that a sentence names."""
    (found,) = re.findall(r"[ (]([^\s(]+), line (\d+)\)$", error.strip())
    return found[0], int(found[1])


def test_an_error_in_a_users_game(tmp_path: Path) -> None:
    file = tmp_path / "failing.py"
    file.write_text("import fractions\n" + MINE.replace("return state + 1", "return fractions.Fraction('x')"))
    for command in ("trace", "play", "games"):
        done = program(command, f"{file}:Count")
        if command != "games":
            assert done.code == 2
            assert blamed(done.error) == (str(file), 14)  # not the line in fractions.py that raises


@pytest.mark.parametrize("broken", [None, functools.partial(re.compile, "(")], ids=["here", "in a library"])
def test_an_error_in_plies_names_a_line_in_plies(monkeypatch: pytest.MonkeyPatch, broken: object) -> None:
    monkeypatch.setattr("plies.terminal.catalogue.game_names", broken)
    done = program("games")
    assert done.code == 2
    file, line = blamed(done.error)
    assert Path(file).parts[-3:] == ("plies", "terminal", "catalogue.py")
    assert "game_names()" in Path(file).read_text().splitlines()[line - 1]


def test_an_error_without_words() -> None:
    from plies.cli.unexpected import describe

    def fail() -> None:
        raise MemoryError

    with pytest.raises(MemoryError) as caught:
        fail()
    assert re.fullmatch(r"MemoryError \(.*test_cli_streams.py, line \d+\)", describe(caught.value))
