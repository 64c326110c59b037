"""Playing in a terminal: the program itself, driven through a pipe and through a pseudo-terminal."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from pathlib import Path

import pytest

from programs import CTRL_C, CTRL_D, PATIENCE, PROGRAM, Terminal, interactive, piped

LAB = "You are X: Choose number from 1-9:"


# -- The lab, on a terminal.


@interactive
def test_the_lab() -> None:
    with Terminal("play", "tic-tac-toe") as terminal:
        assert "1 │ 2 │ 3" in terminal.expect(LAB)
        terminal.type("1")
        assert "O (engine) plays 5." in terminal.expect(LAB)  # every other answer loses
        terminal.type("2")
        assert "O (engine) plays 3." in terminal.expect(LAB)
        terminal.type("9")  # lets O win
        terminal.expect("O (engine) plays 7.")
        terminal.expect("O (engine) wins after 6 moves.")
        terminal.expect("new, undo, save FILE or quit:")
        terminal.type("quit")
        terminal.expect("Goodbye.")
        assert terminal.ends() == 0


@pytest.mark.plain
@interactive
def test_undo_redo_new_and_resign() -> None:
    with Terminal("play", "tic-tac-toe") as terminal:
        terminal.expect(LAB)
        terminal.type("undo")
        assert "you have no move to take back" in terminal.expect(LAB)
        terminal.type("1")
        assert "X │ 2 │ 3" in terminal.expect(LAB)
        terminal.type("undo")
        shown = terminal.expect(LAB)
        assert "1 │ 2 │ 3" in shown
        assert "4 │ 5 │ 6" in shown
        terminal.type("redo")
        shown = terminal.expect(LAB)
        assert "X │ 2 │ 3" in shown
        assert "4 │ O │ 6" in shown
        terminal.type("redo")
        assert "there is nothing to redo" in terminal.expect(LAB)
        terminal.type("resign")
        terminal.expect("X (you) resigns after 2 moves; O (engine) wins.")
        terminal.expect("quit:")
        terminal.type("undo")
        assert "X │ 2 │ 3" in terminal.expect(LAB)
        terminal.type("resign")
        terminal.expect("quit:")
        terminal.type("5")
        terminal.expect("the game is over; type new")
        terminal.type("new")
        assert "1 │ 2 │ 3" in terminal.expect(LAB)
        terminal.press(CTRL_D)
        terminal.expect("Goodbye.")
        assert terminal.ends() == 0


@pytest.mark.plain
@interactive
def test_hint_in_stages_help_rules_moves_score_and_position() -> None:
    with Terminal("play", "tic-tac-toe", "--position", "XO./XO./...") as terminal:
        terminal.expect(LAB)
        terminal.type("hint")
        shown = terminal.expect(LAB)
        assert "For X: win in 1." in shown
        assert "7" not in shown.split("\n")[1]  # the move is not told yet
        terminal.type("hint")
        assert "7 looks best." in terminal.expect(LAB)
        terminal.type("hint")
        assert "Best line: 7." in terminal.expect(LAB)
        terminal.type("moves")
        assert "Legal moves: 3 6 7 8 9" in terminal.expect(LAB)
        terminal.type("SCORE")
        assert "7: win in 1" in terminal.expect(LAB)
        terminal.type("position")
        assert "XO./XO./..." in terminal.expect(LAB)
        terminal.type("rules")
        assert "take turns to mark an empty cell" in terminal.expect(LAB)
        terminal.type("?")
        shown = terminal.expect(LAB)
        for command in ("hint", "undo", "redo", "save FILE", "load FILE", "resign", "new", "help", "quit"):
            assert f"\n  {command}" in shown
        terminal.type("7")
        terminal.expect("X (you) wins after 1 move.")
        terminal.expect("quit:")
        terminal.type("hint")
        terminal.expect("there is nothing to search: the game is over")


@pytest.mark.plain
@interactive
def test_bad_input_gets_a_sentence_and_another_chance() -> None:
    with Terminal("play", "tic-tac-toe") as terminal:
        for typed, sentence in [
            ("0", "'0' is not a legal move; legal moves: 1, 2, 3, 4, 5, 6, 7, 8, 9"),
            ("", "type a move or a command; ? lists the commands"),
            ("é½", "'é½' is not a legal move"),
            ("x" * 600, "that is 600 characters, too long"),
            ("save", "save needs a file"),
            ("load /no/such/file", "there is no file '/no/such/file'"),
        ]:
            terminal.expect(LAB)
            terminal.type(typed)
            terminal.expect(sentence)
        terminal.expect(LAB)
        terminal.type(" 5 ")
        terminal.expect("O (engine) plays")


@pytest.mark.plain
@interactive
def test_ctrl_c_at_the_question_ends_well() -> None:
    with Terminal("play", "tic-tac-toe") as terminal:
        terminal.expect(LAB)
        terminal.press_until(CTRL_C, "Goodbye.")
        assert terminal.ends() == 0
        assert "Traceback" not in terminal.screen


@interactive
def test_ctrl_c_makes_the_machine_move_now() -> None:
    with Terminal("play", "connect-four", "--players", "human,engine:3600") as terminal:
        terminal.expect("Choose a column:")
        terminal.type("4")
        terminal.expect("Yellow (engine) is thinking")
        terminal.press(CTRL_C)
        terminal.expect("Yellow (engine) plays")
        terminal.expect("Choose a column:")
        terminal.type("quit")
        assert terminal.ends() == 0


@interactive
def test_ctrl_c_ends_a_game_without_people() -> None:
    with Terminal("play", "connect-four", "--players", "engine:3600,engine:3600") as terminal:
        terminal.expect("Red (engine) is thinking")
        terminal.press(CTRL_C)
        terminal.expect("Goodbye.")
        assert terminal.ends() == 0


@pytest.mark.plain
@interactive
def test_no_colour_where_it_is_not_wanted() -> None:
    with Terminal("play", "tic-tac-toe", "--plain") as terminal:
        assert "1 | 2 | 3" in terminal.expect(LAB)
    environment = {**os.environ, "TERM": "xterm-256color", "FORCE_COLOR": "1"}
    environment.pop("NO_COLOR", None)
    coloured = _raw_screen(environment)
    assert "\x1b[1;36mX\x1b[0m" in coloured
    assert "\x1b[1;36m" not in _raw_screen({**environment, "NO_COLOR": "1"})


def _raw_screen(environment: dict[str, str]) -> str:
    with Terminal("play", "tic-tac-toe", "--players", "human,random:1", **environment) as terminal:
        raw = b""
        while b"1-9:" not in raw:
            raw += os.read(terminal.master, 4096)
        terminal.type("5")
        deadline = time.monotonic() + PATIENCE
        while raw.count(b"1-9:") < 2 and time.monotonic() < deadline:
            raw += os.read(terminal.master, 4096)
        return raw.decode()


# -- Pipes.


def test_without_a_terminal_the_machine_plays_both_sides() -> None:
    done = piped("play", "tic-tac-toe")
    assert done.returncode == 0
    assert done.stdout.startswith("tic-tac-toe: X (engine) against O (engine).\n")
    assert done.stdout.endswith("It is a draw after 9 moves.\n")
    assert done.stdout.count("---+---+---") == 2 * 10
    assert done.stderr == ""
    assert "\x1b" not in done.stdout


@pytest.mark.plain
def test_moves_from_a_pipe() -> None:
    done = piped("play", "tic-tac-toe", "--players", "human,human", lines="1\n4\n2\n5\n3\n")
    assert done.returncode == 0
    assert "You are O: Choose number from 1-9: 4\n" in done.stdout
    assert "X (human) wins after 5 moves." in done.stdout
    assert done.stdout.endswith("Goodbye.\n")


@pytest.mark.plain
def test_the_pipe_runs_dry() -> None:
    done = piped("play", "tic-tac-toe", "--players", "human", lines="1\n")
    assert done.returncode == 0
    assert done.stdout.endswith("Goodbye.\n")
    assert done.stderr == ""


@pytest.mark.plain
def test_bytes_that_are_not_text() -> None:
    done = subprocess.run(
        [*PROGRAM, "play", "nim", "--players", "human,human"],
        input=b"\xff\xfe\n\x00\nquit\n",
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.count(b"is not a legal move") == 2
    assert done.stderr == b""


@pytest.mark.plain
def test_dice_fall_as_seeded() -> None:
    games = [
        piped("play", "pig", "target=20", "--players", "random,random", "--seed", seed).stdout
        for seed in ("1", "1", "2")
    ]
    assert games[0] == games[1] != games[2]
    assert re.search(r"\nChance: [1-6]\.\n", games[0])
    assert re.search(r"player [12] \(random\) wins after \d+ moves\.\n$", games[0])


@pytest.mark.plain
def test_a_player_moves_twice_and_every_player_gets_a_payoff() -> None:
    tree = json.dumps({"levels": [0, 0, 1, 2], "tree": [[[[{"value": [1, 5, 2]}]], 0]]})
    done = piped("play", "tree", f"tree={tree}", "--players", "human,book:max-n:3,random", lines="a1\nb1\n")
    asked = re.findall(r"You are player (\d): Your branch: (\w+)\n", done.stdout)
    assert asked == [("1", "a1"), ("1", "b1")]
    assert "player 2 (book:max-n) plays c1.\nplayer 3 (random) plays " in done.stdout
    assert "over after 4 moves: player 1 gets 1, player 2 gets 5, player 3 gets 2." in done.stdout


@pytest.mark.plain
def test_payoffs_of_a_zero_sum_game() -> None:
    done = piped("play", "tree", "--players", "book:minimax,book:minimax")
    assert done.stdout.endswith("MAX (book:minimax) wins after 2 moves (MAX gets 3, MIN gets -3).\n")


@pytest.mark.plain
def test_undo_with_two_people_takes_back_one_move() -> None:
    done = piped("play", "tic-tac-toe", "--players", "human,human", lines="1\n2\nundo\n3\nposition\nquit\n")
    assert "X.O/.../..." in done.stdout


@pytest.mark.plain
def test_a_legal_move_wins_over_a_command(tmp_path: Path) -> None:
    file = tmp_path / "commands.json"
    file.write_text(json.dumps({"tree": {"children": {"quit": [1, 2], "undo": [3, 4], "go": 5}}}))
    lines = "quit\nundo\nundo\nhelp\nquit\n"
    done = piped("play", "tree", f"tree={file}", "--players", "human,human", lines=lines)
    asked = re.findall(r"You are (\w+): Your branch: (\w+)\n", done.stdout)
    assert asked == [("MAX", "quit"), ("MIN", "undo"), ("MAX", "undo"), ("MIN", "help"), ("MIN", "quit")]
    assert "Type a move, or one of" in done.stdout


@pytest.mark.plain
def test_a_move_after_undo_forgets_what_was_undone() -> None:
    lines = "1\n2\nundo\nundo\n5\nredo\nposition\nquit\n"
    done = piped("play", "tic-tac-toe", "--players", "human,human", lines=lines)
    assert "there is nothing to redo" in done.stdout
    assert ".../.X./..." in done.stdout


@pytest.mark.plain
def test_jump_and_branches() -> None:
    lines = "game\n1\n2\n3\njump 1\ngame\n5\ngame\nbranch 1\nposition\ngame\njump 9\njump\nbranch 7\n"
    done = piped("play", "tic-tac-toe", "--players", "human,human", lines=lines)
    assert "No moves yet." in done.stdout
    assert "1. 1 (here), 2. 2, 3. 3\n" in done.stdout
    assert "1. 1, 2. 5 (here)\nBranch 1: 1 2 3\n" in done.stdout
    assert "\nXOX/.../...\n" in done.stdout
    assert "1. 1, 2. 2, 3. 3 (here)\nBranch 1: 1 5\n" in done.stdout
    assert "the move must be between 0 and 3, not 9" in done.stdout
    assert "jump needs a number" in done.stdout
    assert "there is no branch 7" in done.stdout


@pytest.mark.plain
def test_a_jump_ends_where_a_person_is_to_move() -> None:
    lines = "1\n2\njump 1\nposition\ngame\n"  # after move 1 the machine was to move, and its answer is known
    done = piped("play", "tic-tac-toe", "--players", "human,book:alpha-beta:9", lines=lines)
    assert "\nX../.O./...\n" in done.stdout
    assert "2. 5 (here), 3. 2, 4. 3" in done.stdout


@pytest.mark.plain
def test_every_move_has_a_score_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plies.terminal.commands.SCORE_SECONDS", PATIENCE)  # for busy machines
    done = piped("play", "tic-tac-toe", "--players", "human,human", lines="1\nscore\n")
    scores = dict(re.findall(r"^  (\d): (.+)$", done.stdout, re.MULTILINE))
    assert scores.pop("5") == "draw"
    assert scores.keys() == set("2346789")
    assert all(re.fullmatch(r"loss in \d", value) for value in scores.values())
    assert re.search(r"^table hits \d", done.stdout, re.MULTILINE)


@pytest.mark.plain
def test_a_link_to_the_page() -> None:
    done = piped("play", "nim", "heaps=1,2", "--players", "human,human", lines="2:1\nlink\n")
    assert "\nhttp://127.0.0.1:8000/#game=nim&p.heaps=1%2C2&moves=2%3A1\n" in done.stdout


# -- Records.


@pytest.mark.plain
def test_records_in_the_formats_of_the_world(tmp_path: Path) -> None:
    people = ("--players", "human,human")
    file = tmp_path / "game.pgn"
    done = piped("play", "chess", *people, lines=f"e4\ne5\nsave {file}\n")
    assert f"Saved to {file}." in done.stdout
    assert "1. e4 e5" in file.read_text()
    done = piped("play", "chess", *people, lines=f"load {file}\nposition\n")
    assert "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w" in done.stdout
    file.write_text("1. e4 e4\n")
    assert "e4" in piped("play", "chess", *people, lines=f"load {file}\n").stdout.split("load", 1)[1]
    other = tmp_path / "tic.pgn"
    done = piped("play", "tic-tac-toe", *people, lines=f"5\nsave {other}\n")
    assert "tic-tac-toe is written as json, not pgn" in done.stdout
    assert not other.exists()


@pytest.mark.plain
def test_a_record_out_and_in(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    people = ("--players", "human,human")
    done = piped("play", "pig", "target=9", "--seed", "3", *people, lines=f"roll\nsave {file}\nsave {file}\n")
    assert f"Saved to {file}." in done.stdout
    assert "already exists; give another name" in done.stdout
    record = json.loads(file.read_text())
    assert record["game"] == "pig"
    assert record["parameters"] == {"target": 9}
    assert record["moves"][0] == "roll"
    assert len(record["moves"]) == 2  # the die's throw is a move too
    done = piped("play", "pig", "target=9", *people, lines=f"load {file}\nposition\nundo\nposition\n")
    assert "Chance" not in done.stdout  # the dice fall as they fell
    positions = re.findall(r"^\d/\d [12]\+\d$", done.stdout, re.MULTILINE)
    assert len(positions) == 2
    assert positions[0] != positions[1] == "0/0 1+0"


@pytest.mark.plain
def test_a_record_keeps_the_position_it_began_with(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    people = ("--players", "human,human")
    piped("play", "tic-tac-toe", "--position", "5", *people, lines=f"1\nsave {file}\n")
    done = piped("play", "tic-tac-toe", *people, lines=f"load {file}\nposition\nnew\nposition\n")
    assert re.findall(r"^[XO.]{3}/\S+$", done.stdout, re.MULTILINE) == ["O../.X./...", ".../.X./..."]


GOOD = {"game": "tic-tac-toe", "parameters": {}, "position": "", "moves": ["5"]}


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "cannot be read"),
        ("[" * 100_000, "cannot be read"),
        ("[1]", "is not a record"),
        (json.dumps(GOOD | {"game": "nim"}), "is a record of another game"),
        (json.dumps(GOOD | {"parameters": {"width": 3}}), "is a record of another game"),
        (json.dumps(GOOD | {"moves": "555"}), "is not a record"),
        (json.dumps(GOOD | {"moves": ["5"] * 20_000}), "is not a record"),
        (json.dumps(GOOD | {"moves": ["5", "5"]}), "move 2 of"),
        (json.dumps(GOOD | {"moves": [{"5": 5}]}), "move 1 of"),
        (json.dumps(GOOD | {"moves": list("1425369")}), "has moves after the end of the game, from move 6"),
        (json.dumps(GOOD | {"position": "XXX"}), "has 3 cells"),
        (json.dumps(GOOD | {"position": 5}), "is not a record"),
        (json.dumps(GOOD) + " " * 1_000_000, "is too large for a record"),
    ],
    ids=range(13),
)
def test_a_record_that_is_refused_leaves_the_game_as_it_is(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(text)
    done = piped("play", "tic-tac-toe", "--players", "human,human", lines=f"9\nload {file}\nposition\n")
    assert sentence in done.stdout
    assert ".../.../..X" in done.stdout
    assert done.returncode == 0
    assert done.stderr == ""


# -- Rules that look back.

RING = f"{Path(__file__).with_name('cyclic_games.py')}:Ring"


@pytest.mark.plain
def test_a_repetition_ends_the_game(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    lines = f"on\nback\non\nback\nmoves\nsave {file}\nundo\nmoves\nredo\nposition\n"
    done = piped("play", RING, "--players", "human,human", lines=lines)
    drawn = "It is a draw after 4 moves; the position occurs for the third time.\n"
    assert done.stdout.count(drawn) == 2
    assert "there are no moves: the game is over" in done.stdout
    assert "Legal moves: on back goal\n" in done.stdout
    done = piped("play", RING, "--players", "human,human", lines=f"load {file}\n")
    assert drawn in done.stdout
    record = json.loads(file.read_text())
    file.write_text(json.dumps(record | {"moves": [*record["moves"], "on"]}))
    done = piped("play", RING, "--players", "human,human", lines=f"load {file}\n")
    assert "has moves after the end of the game, from move 5" in done.stdout


@pytest.mark.plain
def test_the_engine_looks_back() -> None:
    """B must not let the token stand on place 1, and A cannot make B: round and round it goes."""
    done = piped("play", RING, "size=6", "--players", "human,engine:depth=3", lines="back\n" * 20)
    assert "draw after" in done.stdout
    assert "the position occurs for the third time" in done.stdout


def test_superko_forbids_moves(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    ring = (RING, "size=5", "superko=yes")
    lines = f"on\non\nback\nmoves\non\nsave {file}\non\nposition\n"
    done = piped("play", *ring, "--players", "human,human", lines=lines)
    assert "back would repeat an earlier position\n" in done.stdout
    assert "Legal moves: on\n" in done.stdout
    assert "B (human) wins after 4 moves; every move would repeat an earlier position." in done.stdout
    record = json.loads(file.read_text())
    assert record["moves"] == ["on"] * 3
    file.write_text(json.dumps(record | {"moves": ["on", "on", "back"]}))
    done = piped("play", *ring, "--players", "human,human", lines=f"load {file}\n")
    assert "move 3 of" in done.stdout
    assert "back would repeat an earlier position" in done.stdout
    done = piped("play", *ring, "--players", "random:1,random:2")
    assert done.returncode == 0
    assert done.stderr == ""


# -- Rules that a user got wrong.

BROKEN = """
import plies

class Broken(plies.Game):
    player_names = ("A", "B")
    def __init__(self, how: str = ""):
        self.how = how
    def initial(self):
        return 0
    def to_move(self, state):
        return 7 if self.how == "mover" else plies.CHANCE if self.how == "dice" else state % 2
    def actions(self, state):
        return [] if self.how == "stuck" else ["go"]
    def result(self, state, action):
        return state // 0 if self.how == "raises" else state + 1
    def is_terminal(self, state):
        return state == 20_000
    def utility(self, state, player):
        return 0
    def chance(self, state):
        yield "go", 0.5
    def parse_action(self, state, text):
        return {"go": "go", "fly": "fly"}[text]
"""


@pytest.mark.plain
@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("mover", "is 7 here, which is not one of its players"),
        ("stuck", "has no legal moves here"),
        ("raises", "ZeroDivisionError"),
        ("dice", "do not sum to 1"),
    ],
)
def test_broken_rules_are_one_sentence(tmp_path: Path, how: str, sentence: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    done = piped("play", f"{file}:Broken", f"how={how}", "--players", "random,random")
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.plain
def test_a_parser_that_cannot_read_and_one_that_reads_too_much(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    done = piped("play", f"{file}:Broken", "--players", "human,human", lines="swim\nfly\ngo\nquit\n")
    assert "'swim' cannot be read as a move" in done.stdout
    assert "fly is not a legal move; legal moves: go\n" in done.stdout
    assert "You are B: Your move:" in done.stdout
    assert done.returncode == 0


@pytest.mark.plain
def test_a_game_without_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plies.terminal.session.LONGEST_GAME", 1_000)  # all of them would take seconds
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    done = piped("play", f"{file}:Broken", "--players", "random,random")
    assert done.stdout.endswith("The game is stopped after 1,000 moves.\n")
    assert done.returncode == 0
