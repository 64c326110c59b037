"""The program's commands, their exit codes, and that nothing typed brings out a traceback."""

from __future__ import annotations

import contextlib
import io
import json
import os
import platform
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from graded.hostile import RIGHT
from plies.book import ALGORITHMS, Trace
from plies.cli import run
from plies.cli.program import app
from plies.compiled import interpreting
from plies.work.store import Store
from programs import Terminal, interactive

MINE = """
import plies

class Count(plies.Game):
    '''Count to three; whoever says three wins.'''
    def initial(self):
        return 0
    def to_move(self, state):
        return state % 2
    def actions(self, state):
        return ["next"] if state < 3 else []
    def result(self, state, action):
        return state + 1
    def is_terminal(self, state):
        return state == 3
    def utility(self, state, player):
        return 1 if player == 0 else -1

class Generous(Count):
    def utility(self, state, player):
        return 1
"""

COMMANDS = [one.name or one.callback.__name__ for one in app.registered_commands if one.callback]


class Done(NamedTuple):
    code: int
    out: str
    error: str


def program(*arguments: str) -> Done:
    """The program as `main` runs it, without a terminal."""
    out, error = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(error),
        mock.patch("sys.stdin", io.StringIO()),
    ):
        code = run(list(arguments))
    return Done(code, out.getvalue(), error.getvalue())


@pytest.fixture
def mine(tmp_path: Path) -> str:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    return str(file)


# -- What the program says of itself.


@pytest.mark.plain
def test_alone_it_explains_itself() -> None:
    done = program()
    assert done.code == 0
    for command in COMMANDS:
        assert f"\n  plies {command} " in done.out


@pytest.mark.long
@pytest.mark.early
@pytest.mark.plain
def test_every_example_works(mine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where pictures are written
    monkeypatch.setenv("PLIES_DATA_DIR", str(tmp_path / "data"))
    nim = plies.Nim()
    nim.compiled = False
    plies.solve(nim, memory=1).strategy().save("strategy.json")
    (tmp_path / "wac.epd").write_text('7k/5Q2/6K1/8/8/8/8/8 w - - bm Qg7# Qf8#; id "mate";')
    (tmp_path / "student.py").write_text(RIGHT, encoding="utf-8")
    for name in ("1.db", "2.db"):
        Store(tmp_path / name).__exit__()
    plies.Network.fresh(plies.Othello(), units=16).save(tmp_path / "othello.npz")
    (tmp_path / "handed-in").mkdir()
    (tmp_path / "handed-in" / "anna.py").write_text("def choose(game, state): ...")
    lines = [line.split("  ")[1] for line in program().out.splitlines() if line.startswith("  plies ")]
    assert len(lines) >= 16
    for line in lines:
        if line == "plies serve":  # goes on until somebody ends it
            continue
        arguments = line.removeprefix("plies ").replace("my_game.py:MyGame", f"{mine}:Count").split()
        if arguments[0] == "play":
            arguments += ["--players", "random,random"]
        if arguments[0] == "train":  # Othello takes its time, interpreted and to compile
            arguments = ["train", "tic-tac-toe", "--games", "20"]
        if arguments[0] == "tune":  # matches of Othello take hours
            arguments = ["tune", "tic-tac-toe", "--games", "2", "--limit", "nodes=100"]
        if "--judge" in arguments:  # interpreted, Othello's evaluation takes minutes
            arguments = ["eval", "tic-tac-toe", "--judge", "10"]
        if arguments[0] == "reproduce":  # some numbers of Nim take seconds, interpreted
            arguments = ["reproduce", "nim-bouton"]
        if arguments[0] == "grade":  # the other tests take seconds
            arguments += ["--only", "minimax: trees"]
        if arguments[0] == "bench":
            arguments += ["--time", "0.01"]
        assert program(*arguments).code == 0, line


@pytest.mark.plain
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_option_has_help(command: str) -> None:
    done = program(*command.split(), "--help")
    assert done.code == 0
    lines = done.out.splitlines()
    start = lines.index("Options:") + 1
    for i in range(start, len(lines)):
        if lines[i].startswith("  -"):
            words = lines[i].split("  ", 2) + lines[i + 1 : i + 2]
            assert any(word.strip() and not word.strip().startswith("-") for word in words[2:]), lines[i]


@pytest.mark.plain
def test_version() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "plies", "--version"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PLIES_CACHE_DIR": "/kept/here"},
    )
    facts = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert done.stdout.startswith("plies 0.1.0\n")
    assert {name: facts[name] for name in ("plies", "numba", "llvmlite", "numpy")} == {
        name: version(name) for name in ("plies", "numba", "llvmlite", "numpy")
    }
    assert facts["python"] == f"{platform.python_version()} ({platform.python_implementation()})"
    assert (facts["platform"], facts["CPUs"]) == (platform.platform(), str(os.cpu_count()))
    assert facts["cache"] == "/kept/here"
    assert ("compiling" in facts) == interpreting()


@pytest.mark.plain
def test_help_names_every_algorithm_and_player() -> None:
    for command, names in (
        ("best", plies.ALGORITHMS),
        ("compare", plies.ALGORITHMS),
        ("trace", ALGORITHMS),
        ("play", ("human", "random", "reflex", *plies.ALGORITHMS)),
        ("match", ("random", "reflex", *plies.ALGORITHMS)),
    ):
        text = re.sub(r"-\s+", "-", program(command, "--help").out)  # a line may break at a hyphen
        words = set(re.split(r"[\s,;\[\]]+", text))
        assert set(names) <= words | {word.partition("[")[0] for word in words}, command


def test_help_and_games_do_without_numba() -> None:
    code = (
        "import sys; from plies.cli import run; "
        "codes = [run(line.split()) for line in ('', '--help', 'games', 'games tic-tac-toe', 'play -h')]; "
        "assert codes == [0] * 5, codes; assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


# -- The commands.


@pytest.mark.plain
def test_games_lists_every_game() -> None:
    done = program("games")
    assert done.code == 0
    games = done.out.partition("\n\nTrees of the lectures")[0]
    assert [line.split()[0] for line in games.splitlines()] == plies.game_names()
    assert "connect-four (2 players): " in done.out
    assert "width=7, height=6" in done.out
    assert "pig (2 players, dice): " in done.out


@pytest.mark.plain
@pytest.mark.parametrize("name", plies.game_names())
def test_games_tells_the_rules(name: str) -> None:
    done = program("games", f" {name.upper()} ")
    game = plies.game(name)
    assert done.code == 0
    assert type(game).rules in done.out
    assert game.text(game.initial()) in done.out


@pytest.mark.plain
def test_a_game_of_ones_own_everywhere(mine: str) -> None:
    assert "Players: player 1 against player 2" in program("games", f"{mine}:Count").out
    assert "player 1 (engine) wins after 3 moves." in program("play", f"{mine}:Count").out
    assert "best move  next\nvalue      loss in 2" in program("best", f"{mine}:Count", "next").out
    assert "value 1" in program("trace", f"{mine}:Count").out
    assert program("check", f"{mine}:Count").code == 0


def test_best_finds_the_winning_move() -> None:
    done = program("best", "tic-tac-toe", "XX./OO./...")
    assert done.code == 0
    assert "tic-tac-toe, X to move\nbest move  3\nvalue      win in 1\nline       3\n" in done.out


@pytest.mark.plain
def test_best_as_json() -> None:
    done = program("best", "Tic_Tac_Toe", "xx.", "oo.", "...", "--json")
    found = json.loads(done.out)
    assert found["game"] == "TicTacToe()"
    assert found["player"] == "X"
    assert found["action"] == "3"
    assert found["value"] == {"utility": 1.0, "bound": "=", "proved": True, "plies": 1, "text": "win in 1"}
    assert found["line"] == ["3"]
    assert found["nodes"] > 0


def test_in_json_a_bound_is_no_value() -> None:
    """At depth 4, alpha-beta knows of the moves that are no better only that."""
    game = plies.TicTacToe()
    for words in ((), ("--lines", "3")):
        found = json.loads(program("best", "tic-tac-toe", "--depth", "4", "--json", *words).out)
        bounds = [value["bound"] for value in found["scores"].values()]
        exact = plies.search(game, depth=4, lines=9).scores
        for move, value in found["scores"].items():
            truth = exact[game.parse_action(game.initial(), move)].utility
            assert value["utility"] >= truth if value["bound"] == "<=" else value["utility"] == truth
        assert bounds.count("=") >= (3 if words else 1)
        assert "<=" in bounds


@pytest.mark.plain
def test_best_tells_several_lines_and_what_it_took() -> None:
    done = program("best", "tic-tac-toe", "XX./.O./...", "--lines", "3")
    assert len(re.findall(r"^line       ", done.out, re.MULTILINE)) == 3
    assert re.search(r"^cut-offs   \d", done.out, re.MULTILINE)
    assert re.search(r"^table hits \d", done.out, re.MULTILINE)
    found = json.loads(program("best", "tic-tac-toe", "XX./.O./...", "--lines", "3", "--json").out)
    assert len(found["lines"]) == 3
    assert found["lines"][0] == found["line"]
    assert found["cuts"] > 0
    assert found["hits"] > 0


@pytest.mark.plain
@interactive
def test_best_shows_what_is_found_while_it_goes_on() -> None:
    with Terminal("best", "tic-tac-toe", "--depth", "4") as terminal:
        shown = terminal.expect("every move:")
        depths = re.findall(
            r"depth (\d), \d+ nodes, \d+k?/s, \d+ cut-offs.*?: \d [-+\d.]+ \(estimate\)", shown
        )
        assert depths[-1] == "4"
        assert len(depths) > 1
        assert terminal.ends() == 0


@pytest.mark.costly
def test_best_with_limits_and_parameters() -> None:
    found = json.loads(program("best", "connect-four", "width=5", "height=4", "--depth", "3", "--json").out)
    assert found["game"] == "ConnectFour(width=5, height=4)"
    assert found["depth"] == 3
    assert found["value"]["proved"] is False
    assert "(estimate)" in program("best", "connect-four", "--nodes", "2000").out


@pytest.mark.plain
def test_best_in_a_game_with_dice() -> None:
    done = program("best", "pig", "10/10 1+9", "target=20", "--depth", "2")
    assert "pig, player 1 to move\nbest move  roll\n" in done.out


@pytest.mark.plain
def test_trace_cuts_as_the_book_does() -> None:
    done = program("trace", "tree")
    assert done.code == 0
    assert "11 nodes, 7 leaves, cut-offs: 1 alpha" in done.out
    assert "\n    cut c2, c3 (" in done.out


@pytest.mark.plain
def test_trace_of_a_tree_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "my.json"
    file.write_text('[[3, 3], {"name": "here", "children": [3, 9]}]')
    with_equal = program("trace", "tree", f"tree={file}")
    without = program("trace", "tree", f"tree={file}", "--option", "cut_on_equal=no")
    assert "cut here2" in with_equal.out
    assert "cut " not in without.out.split("\n", 2)[2]
    assert "MIN here = 3 " in program("trace", "tree", "here", f"tree={file}").out


@pytest.mark.plain
def test_trace_with_a_window() -> None:
    done = program("trace", "tree", "--option", "alpha=5")
    assert "MAX A <= 5  window (5, +inf)" in done.out


@pytest.mark.plain
def test_trace_chooses_what_suits() -> None:
    assert program("trace", "pig", "--depth", "2").out.startswith("expectiminimax (depth 2) on pig")
    assert program("trace", "nim", "heaps=1,1", "--algorithm", " MINIMAX ").out.startswith(
        "minimax (depth 3) "
    )


@pytest.mark.plain
def test_trace_as_json_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    assert program("trace", "tree", "--json", "-o", str(file)) == (0, "", "")
    assert Trace.from_json(file.read_text()).nodes == 11


def test_check() -> None:
    done = program("check", "nim", "heaps=1,2", "--games", "5")
    assert done.code == 0
    assert "5 random games" in done.out


def test_check_finds_a_broken_rule(mine: str) -> None:
    done = program("check", f"{mine}:Generous")
    assert done.code == 1
    assert "which does not sum to 0" in done.out
    assert done.error == ""


# -- What is refused: one sentence on standard error, exit code 2.


@pytest.mark.plain
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("frobnicate", "'frobnicate'"),
        ("games kriegspiel", "there is no game 'kriegspiel'"),
        ("play", "GAME"),
        ("play kriegspiel", "there is no game 'kriegspiel'"),
        ("play nim width=3", "'width=3' is not a parameter of Nim"),
        ("play nim heaps", "'heaps' is not a parameter of Nim"),
        ("play nim heaps=many", "heaps must be whole numbers"),
        ("play nim --players bob", "there is no player 'bob'"),
        (
            "play pig --players human,book:minimax:3",
            "minimax is for games without chance; Pig has chance nodes",
        ),
        ("play nim --seed x", "--seed"),
        ("play tic-tac-toe --position XXX", "has 3 cells"),
        ("play nowhere.py:Game", "there is no file 'nowhere.py'"),
        ("best tic-tac-toe 55", "is not a legal move"),
        ("best tic-tac-toe XXX/OO./...", "the game is over"),
        ("best nim --time 0", "--time must be more than 0"),
        ("best nim --time nan", "--time must be more than 0"),
        ("best nim --depth 0", "depth"),
        ("best nim --nodes -1", "nodes"),
        ("best nim --frob", "--frob; try plies best --help"),
        ("trace nim --algorithm guessing", "there is no algorithm 'guessing'"),
        ("trace nim --algorithm minimax --option alpha=0", "minimax has no option 'alpha'"),
        ("trace nim --option alpha=x", "alpha must be a number, not 'x'"),
        ("trace nim --option alpha=1 --option beta=0", "alpha must be below beta"),
        ("trace nim --depth -1", "depth"),
        ("trace nim --depth 12", "more than 10,000 nodes"),
        ("trace tree -o /no/such/folder/file", "'/no/such/folder/file' cannot be written"),
        ("trace tree tree=[1", "not JSON"),
        ("check nowhere.py", "there is no file 'nowhere.py'"),
    ],
)
def test_refusals(line: str, sentence: str) -> None:
    done = program(*line.split())
    assert done.code == 2
    assert done.out == ""
    assert done.error.startswith("plies: ")
    assert done.error.count("\n") == 1
    assert sentence in done.error


def test_an_error_in_a_users_file_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "failing.py"
    file.write_text(MINE.replace("return state + 1", "return state / 0"))
    done = program("trace", f"{file}:Count")
    assert done.code == 2
    assert "ZeroDivisionError" in done.error
    assert f"{file}, line 13" in done.error


@pytest.mark.plain
def test_arguments_that_are_not_text() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "plies", "best", b"\xff\xfe"], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"plies: there is no game")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.plain
def test_a_reader_who_has_had_enough() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "plies", "games"], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert done.returncode == 0
    assert done.stderr == b""


# Words that mean something, and limits low enough for nothing to take long.
SOME = st.sampled_from(["games", "play", "best", "trace", "check", "--version", "--help"])
GAMES = st.sampled_from(["tic-tac-toe", "SUM-TO-TWO", "tree", "nim", "x.py", "x.py:X", ":", "", "=", " "])
WORDS = st.sampled_from(
    [
        *("heaps=1,2", "heaps=0", "heaps=", "=3", "tree=[1,2]", "tree={}", "tree=1", "levels=max", "levels="),
        *(
            "XX./OO./...",
            "5",
            "1 after 1",
            "A",
            "/a1",
            "--plain",
            "--json",
            "--option",
            "fail_hard=yes",
            "--help",
        ),
        *(
            "--players",
            "human",
            "random",
            "random:1,book:minimax:2",
            "engine:0.01",
            "book:max-n:1,human",
            ",",
            "human:",
        ),
        *("--position", "--seed", "1", "-1", "0.5", "nan", "inf", "1e999", "9" * 30, "--time", "0.01"),
        *(
            "--depth",
            "2",
            "--nodes",
            "100",
            "alpha=0",
            "evaluate=x.py:f",
            "--algorithm",
            *ALGORITHMS,
        ),
        *("--games", "3", "--limit", "0", "--", "-", "\x00", "\ud800", "✓", "1/2/3 1", "[bold]", "%s", "{}"),
    ]
)


@pytest.mark.plain
@settings(max_examples=60, deadline=None)
@given(st.tuples(SOME, GAMES), st.lists(WORDS | st.text(max_size=8), max_size=5))
@pytest.mark.no_cover
def test_no_words_bring_out_a_traceback(start: tuple[str, str], words: list[str]) -> None:
    done = program(*start, *words)
    assert done.code in (0, 1, 2)
    assert "Traceback" not in done.out + done.error
    if done.code == 2:
        assert done.error.startswith("plies: ")
        assert done.error.count("\n") == 1
    else:
        assert done.error == ""
