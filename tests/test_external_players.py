"""Players that are other programs: their words, their dialogue, and how those that misbehave lose."""

from __future__ import annotations

import logging
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from browser import Site
from plies.engine.limit import Limit
from plies.engine.time_manager import Clock
from plies.history import History
from plies.players import parse_player, parse_players
from plies.protocols import gtp_client, player, uci_client
from plies.protocols.player import ExternalPlayer
from plies.protocols.process import LONGEST_LINE, Program, printable
from plies.protocols.words import parse_external, split_outside_quotes
from plies.web.catalogue import Catalogue
from plies.web.levels import kind_named, kinds, read_programs
from programs import PATIENCE, PROGRAM, piped

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.plain,
    pytest.mark.skipif(sys.platform == "win32", reason="the fake program has no process groups on Windows"),
]

FAKE = Path(__file__).with_name("fake_engine.py")
GAME = plies.TicTacToe()


def words(folder: Path, how: str = "fair", protocol: str = "ugi") -> str:
    """The words for the fake program."""
    return f"{protocol}:\"{sys.executable} -I -S '{FAKE}' '{folder}' '{how}' {protocol}\""


def fake(folder: Path, how: str = "fair", protocol: str = "ugi", more: str = "") -> ExternalPlayer:
    return parse_external(words(folder, how, protocol) + more)


def pids(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "pids").read_text().split()]


def told(folder: Path) -> list[str]:
    return (folder / "told").read_text().splitlines()


def is_running(pid: int) -> bool:
    """Whether a process runs: one that has ended, and that nobody has asked about, does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    except OSError:
        os.kill(pid, 0)  # there is no /proc: whatever has ended and was not waited for counts, too
        return True
    return state != "Z"


def assert_gone(folder: Path) -> None:
    """All processes of the fake program have ended, or do so now."""
    deadline = time.monotonic() + PATIENCE
    assert pids(folder)
    while left := [pid for pid in pids(folder) if is_running(pid)]:
        assert time.monotonic() < deadline, f"{left} are still there"
        time.sleep(0.02)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for a program that hangs."""
    monkeypatch.setattr(player, "MARGIN", 0.5)
    monkeypatch.setattr(player, "IDLE", 0.05)
    monkeypatch.setattr(uci_client, "PREPARING", PATIENCE)
    monkeypatch.setattr(gtp_client, "ANSWERING", PATIENCE)


# -- Words.


@pytest.mark.parametrize(
    ("text", "arguments", "limit", "options"),
    [
        ("uci:{0}", [], Limit(1.0), {}),
        (" UCI : {0} : 0.5 ", [], Limit(0.5), {}),
        ("ugi:{0}:.25:depth=3", [], Limit(0.25, depth=3), {}),
        ("uci:{0}:nodes=1000:Depth=2", [], Limit(depth=2, nodes=1000), {}),
        ("uci:{0}:Skill Level=3:Hash = 16", [], Limit(1.0), {"Skill Level": "3", "Hash": "16"}),
        ("gtp:{0} --mode gtp --komi=6:5", ["--mode", "gtp", "--komi=6"], Limit(5), {}),
        ('gtp:"{0} --mode gtp":5', ["--mode", "gtp"], Limit(5), {}),
        ("ugi:'{0} -c \"a b\" c':1", ["-c", "a b", "c"], Limit(1), {}),
        ("uci:{0} host\\:8000:x:2", ["host\\:8000:x"], Limit(2), {}),
        ("uci:{0} C:\\tables:1", ["C:\\tables"], Limit(1), {}),
        ('uci:{0}:Path="C:\\tables:1, D:":1', [], Limit(1), {"Path": "C:\\tables:1, D:"}),
        ('uci:"{0} 1:2":3', ["1:2"], Limit(3), {}),
        ("uci:{0}:Name=", [], Limit(1.0), {"Name": ""}),
    ],
)
def test_words(text: str, arguments: list[str], limit: Limit, options: dict[str, str]) -> None:
    found = parse_player(text.format(sys.executable))
    assert isinstance(found, ExternalPlayer)
    assert found.command == (sys.executable, *arguments)
    assert (found.limit, found.options) == (limit, options)


def test_an_argument_that_looks_like_an_option_belongs_to_its_program() -> None:
    found = parse_external("gtp:sh --komi=6:5")
    assert (found.command[1:], found.limit) == (("--komi=6",), Limit(5))
    assert parse_external("uci:sh Threads=2").command[1:] == ("Threads=2",)


def test_paths_with_spaces_and_colons(tmp_path: Path) -> None:
    folder = tmp_path / "my: engines"
    folder.mkdir()
    program = folder / "one engine"
    program.symlink_to(sys.executable)
    for text in (f"uci:{program}", f'uci:"{program}":1', f"uci:\"'{program}'\":1"):
        assert parse_external(text).command == (str(program),)
    assert parse_external(f"uci:\"'{program}' --fast\"").command == (str(program), "--fast")
    assert parse_external(f"uci:{program}").name == "uci:one engine"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "uci:no-such-program",
            r"there is no program 'no-such-program'; give its path, or install it on the PATH",
        ),
        ("uci:", r"after uci: comes a program, as in uci:stockfish:0.5"),
        ("gtp: :5", r"after gtp: comes a program"),
        ("uci:\"''\"", r"there is no program ''"),
        ("uci:/", r"'/' is a folder, not a program"),
        (f"uci:{FAKE}", r"fake_engine.py' is not executable"),
        ('uci:"sh \'x":1', r"a quote of \"sh 'x\" has no end"),
        ("uci:sh:0", r"the seconds of uci: must be a number above 0 and at most a day, not '0'"),
        ("uci:sh:1e9", r"there is no program 'sh:1e9'"),
        ("uci:sh:99999", r"at most a day, not '99999'"),
        ("gtp:sh:0.5", r"the seconds of gtp: must be a whole number above 0 and at most a day, not '0.5'"),
        ("uci:sh:depth=x", r"the depth of uci: must be a whole number above 0, not 'x'"),
        ("uci:sh:nodes=0", r"the nodes of uci: must be a whole number above 0, not '0'"),
        ("gtp:sh:depth=3", r"'depth=3' cannot be said in GTP, which has seconds alone"),
        ("gtp:sh:Level=3", r"give a program its options as arguments: gtp:\"gnugo"),
        ("uci:sh:1:2", r"time is given twice, in '2'"),
        ("uci:sh:Hash=1:hash=2", r"hash is given twice"),
        ("uci:sh:Hash=1\nquit", r"no control characters"),
    ],
)
def test_words_that_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(plies.BadParameter, match=sentence):
        parse_player(text)


def test_a_file_in_this_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").symlink_to(sys.executable)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(plies.BadParameter, match="is not on the PATH; for the file in this folder, write"):
        parse_player("uci:here")
    assert parse_external("uci:./here").command == ("./here",)


@pytest.mark.parametrize(
    ("protocol", "game", "sentence"),
    [
        ("uci", plies.TicTacToe(), "UCI is for chess; tic-tac-toe is played by ugi: programs"),
        ("uci", plies.Pig(), "UCI is for games without chance"),
        ("ugi", plies.Backgammon(), "UGI is for games without chance"),
        ("ugi", plies.Pacman(), "UGI is for 2 players"),
        ("ugi", plies.Goofspiel(), "in which players move in turn"),
        ("gtp", plies.Chess(), "GTP is for games in which a move is a point of the board; chess is not one"),
    ],
)
def test_games_that_a_protocol_does_not_serve(protocol: str, game: plies.Game, sentence: str) -> None:
    with pytest.raises(plies.Unsuitable, match=sentence):
        parse_player(f"{protocol}:sh", game=game)
    assert not parse_external(f"{protocol}:sh").serves(game)


def test_games_that_a_protocol_serves() -> None:
    assert parse_external("uci:sh").serves(plies.Chess())
    for game in (plies.Go(size=5), plies.Othello(), plies.Gomoku(), plies.Renju()):
        assert parse_external("gtp:sh").serves(game)
        assert parse_external("ugi:sh").serves(game)


def test_commas_in_quotes_do_not_separate_players(tmp_path: Path) -> None:
    text = f'random,ugi:"{sys.executable} -I -S {FAKE} {tmp_path} a,b:c"'
    players = parse_players(text, GAME)
    assert [one.name for one in players] == ["random", f"ugi:{Path(sys.executable).name}"]


@given(st.text("ab:,\"' ", max_size=20), st.sampled_from(":,"))
def test_splitting_loses_nothing(text: str, separator: str) -> None:
    parts = split_outside_quotes(text, separator)
    assert separator.join(parts) == text
    if '"' not in text and "'" not in text:
        assert parts == text.split(separator)


# -- The dialogue.


def test_it_plays_whole_games(tmp_path: Path) -> None:
    played = plies.match(GAME, words(tmp_path), "random:1", games=4)
    assert len(played.games) == 4
    assert len(pids(tmp_path)) == 1, "one program plays game after game"
    assert_gone(tmp_path)


def test_it_is_told_the_whole_game(tmp_path: Path) -> None:
    history, one = History(GAME), fake(tmp_path, more=":0.25:depth=3:nodes=9")
    for move in (5, 9):
        history.play(one.choose(GAME, history.state, history.previous))
        history.play(move)
    assert one.choose(GAME, history.state, history.previous) == 3
    one.close()
    assert_gone(tmp_path)
    assert told(tmp_path) == [
        "ugi",
        "isready",
        "uginewgame",
        "isready",
        "isready",
        "position startpos",
        "go movetime 250 depth 3 nodes 9",
        "isready",
        "position startpos moves 1 5",
        "go movetime 250 depth 3 nodes 9",
        "isready",
        "position startpos moves 1 5 2 9",
        "go movetime 250 depth 3 nodes 9",
        "quit",
    ]


def test_a_position_without_its_past(tmp_path: Path) -> None:
    one, state = fake(tmp_path), GAME.parse_position("X........")
    with pytest.raises(plies.Forfeit, match="played the illegal move '1'"):
        one.choose(GAME, state)  # the fake program does not read positions, and takes the first cell
    assert f"position fen {GAME.position(state)}" in told(tmp_path)


def test_what_it_says_about_its_move_is_an_estimate(tmp_path: Path) -> None:
    one = fake(tmp_path)
    one.choose(GAME, GAME.initial())
    assert one.last is not None
    assert (one.last.action, one.last.depth, one.last.value.proved) == (1, 1, False)
    assert one.last.value.utility == pytest.approx(0.03)
    one.close()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("depth 12 seldepth 20 multipv 1 score cp -31 nodes 5000 pv e2e4", (-31, None, 12, 5000)),
        ("depth 3 score mate -2 upperbound", (None, -2, 3, 0)),
        ("multipv 2 score cp 5", None),
        ("depth 3 nodes 5", None),
        ("string score cp 5", None),
        ("score cp 99999999999999999999", None),
        ("score cp", None),
        ("", None),
    ],
)
def test_info(line: str, found: tuple[int | None, ...] | None) -> None:
    assert uci_client._found(line.split()) == found


def test_another_game_is_announced(tmp_path: Path) -> None:
    history, one = History(GAME), fake(tmp_path)
    history.play(one.choose(GAME, history.state))
    history.play(5)
    one.choose(GAME, history.state, history.previous)
    one.choose(GAME, GAME.initial())
    assert [line for line in told(tmp_path) if "new" in line or "position" in line] == [
        "uginewgame",
        "position startpos",
        "position startpos moves 1 5",
        "uginewgame",
        "position startpos",
    ]
    one.close()


def test_an_option_cannot_take_long_to_read() -> None:
    """Spaces without end would take the cube of their number, if each could be part of a name."""
    line = "option name" + " " * 60_000 + "type"
    assert uci_client.OPTION.fullmatch(" ".join(line.split())) is None


def test_clocks_of_ugi(tmp_path: Path) -> None:
    one = fake(tmp_path)
    one.choose_on_clock(GAME, GAME.initial(), (), (Clock(60, 0.5), Clock(0.0004, 0.5)))
    one.choose_on_clock(GAME, GAME.initial(), (), (Clock(9, 0, 7), Clock(8, 0, 8)))
    assert [line for line in told(tmp_path) if line.startswith("go")] == [
        "go p1time 60000 p1inc 500 p2time 1 p2inc 500",
        "go p1time 9000 p1inc 0 p2time 8000 p2inc 0 movestogo 7",
    ]
    one.close()


def test_options_are_checked_and_set(tmp_path: Path) -> None:
    more = ':skill level=7:Style="Very Wild":Book=false:Path=/a b'
    fake(tmp_path, more=more).prepare(GAME)
    assert [line for line in told(tmp_path) if line.startswith("setoption")] == [
        "setoption name Skill Level value 7",
        "setoption name Style value Very Wild",
        "setoption name Book value false",
        "setoption name Path value /a b",
    ]
    assert_gone(tmp_path)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("Skill=7", "has no option 'Skill'; it has Skill Level, Style, Book, Path"),
        ("dept=3", "a limit is a number of seconds, depth= or nodes="),
        ("Skill Level=21", "Skill Level of .* must be a whole number from 0 to 20, not '21'"),
        ("Skill Level=high", "must be a whole number from 0 to 20, not 'high'"),
        ("Style=mild", "Style of .* must be one of calm, very wild, not 'mild'"),
        ("Book=yes", "Book of .* must be true or false, not 'yes'"),
    ],
)
def test_options_that_are_refused(tmp_path: Path, option: str, sentence: str) -> None:
    with pytest.raises(plies.BadParameter, match=sentence):
        fake(tmp_path, more=f":{option}").prepare(GAME)
    assert_gone(tmp_path)


def test_gtp(tmp_path: Path) -> None:
    game = plies.Gomoku(size=9)
    history, one = History(game), fake(tmp_path, protocol="gtp", more=":3")
    for _ in range(2):
        history.play(one.choose(game, history.state, history.previous))
        history.play(game.parse_action(history.state, "e5" if len(history.actions) == 1 else "i9"))
    history.undo()
    history.undo()
    history.play(game.parse_action(history.state, "c3"))
    one.choose(game, history.state, history.previous)
    one.close()
    assert_gone(tmp_path)
    begun = ["boardsize 9", "clear_board"]
    assert [line for line in told(tmp_path) if line not in begun] == [
        "list_commands",
        "time_settings 0 3 1",
        "genmove black",
        "play white E5",
        "genmove black",
        "play black A1",
        "play white E5",
        "play black C3",
        "time_settings 0 3 1",
        "genmove white",
        "quit",
    ]


def test_gtp_sets_up_positions_stone_by_stone(tmp_path: Path) -> None:
    game = plies.Go(size=5, komi=0.5)
    state = History(game)
    for move in ("c3", "pass", "d4", "b2"):
        state.play(game.parse_action(state.state, move))
    one = fake(tmp_path, protocol="gtp")
    assert game.notation(state.state, one.choose(game, state.state)).lower() == "a1"
    lines = told(tmp_path)
    assert "komi 0.5" in lines
    assert sorted(line for line in lines if line.startswith("play")) == [
        "play black C3",
        "play black D4",
        "play white B2",
    ]
    one.close()


def test_gtp_cannot_begin_othello_elsewhere(tmp_path: Path) -> None:
    game = plies.Othello()
    state = game.parse_position("d3 c5")
    with pytest.raises(plies.PliesError, match="othello has to be played from its start"):
        fake(tmp_path, protocol="gtp").choose(game, state)
    assert_gone(tmp_path)


def test_clocks_of_gtp(tmp_path: Path) -> None:
    game = plies.Gomoku(size=9)
    one = fake(tmp_path, protocol="gtp")
    one.choose_on_clock(game, game.initial(), (), (Clock(61.9), Clock(0.2, 0, 3)))
    assert [line for line in told(tmp_path) if line.startswith("time")] == [
        "time_settings 61 0 0",
        "time_left black 61 0",
        "time_left white 1 3",
    ]
    one.close()


def test_the_log_has_the_dialogue(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "plies.protocols"):
        fake(tmp_path).choose(GAME, GAME.initial())
    said = [record.getMessage().partition(" ")[2] for record in caplog.records]
    assert [line for line in said if line in ("< ugi", "> ugiok", "< go movetime 1000", "> bestmove 1")] == [
        "< ugi",
        "> ugiok",
        "< go movetime 1000",
        "> bestmove 1",
    ]


def test_a_line_break_is_not_sent(tmp_path: Path) -> None:
    program = Program([sys.executable, "-c", "input()"])
    with pytest.raises(plies.PliesError, match="it is not one line"):
        program.send("position startpos\nquit")
    program.end()


# -- Those who misbehave.

LATE = r"did not answer within 0\.55 seconds"


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("die", r"ended with exit code 3: out of  \[31mmemory$"),
        ("kill itself", r"was ended by SIGKILL$"),
        ("hang", LATE),
        ("late", LATE),
        ("flood", LATE),
        ("noise", LATE),
        ("close", r"closed its output$"),
        ("endless", rf"printed a line of more than {LONGEST_LINE:,} bytes$"),
        ("cheat", r"played the illegal move '1'$"),
        ("control", r"played the illegal move ' \[2J \]0;owned '$"),
        ("none", r"played the illegal move '\(none\)'$"),
        ("long", r"played the illegal move '9{20}…'$"),
        ("nothing", r"played the illegal move ''$"),
    ],
)
def test_a_player_that_fails_forfeits_and_leaves_no_process(tmp_path: Path, how: str, sentence: str) -> None:
    history, one = History(GAME), fake(tmp_path, how, more=":0.05")
    history.play(1)
    with pytest.raises(plies.Forfeit, match=sentence) as caught:
        one.choose(GAME, history.state, history.previous)
    assert str(caught.value).isprintable()
    assert_gone(tmp_path)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("die", r"ended with exit code 3"),
        ("hang", r"did not answer within 1\.5 seconds"),
        ("cheat", r"played the illegal move '1'"),
        ("resign", r" resigned$"),
        ("control", r"played the illegal move"),
    ],
)
def test_so_does_one_that_speaks_gtp(tmp_path: Path, how: str, sentence: str) -> None:
    game = plies.Gomoku(size=9)
    with pytest.raises(plies.Forfeit, match=sentence):
        fake(tmp_path, how, "gtp", ":1").choose(game, game.initial())
    assert_gone(tmp_path)


def test_a_move_against_superko_is_illegal(tmp_path: Path) -> None:
    game, rng = plies.Go(3), random.Random(1)
    history = History(game)
    while not (forbidden := set(game.actions(history.state)) - set(history.legal())):
        history.play(rng.choice(history.legal()))
        history = History(game) if history.over else history
    move = game.notation(history.state, min(forbidden)).upper()
    with pytest.raises(plies.Forfeit, match=f"played the illegal move '{move}'"):
        fake(tmp_path, f"play {move}", "gtp").choose(game, history.state, history.previous)
    assert_gone(tmp_path)


@pytest.mark.parametrize(
    ("how", "protocol", "sentence"),
    [
        ("silent", "ugi", "does not speak UGI, or not now: .* did not answer within 1 seconds"),
        ("not at all", "ugi", "does not speak UGI, or not now: .* exit code 1: usage: fake_engine.py --help"),
        ("fair", "gtp", "does not speak GTP, or not now"),
        ("small", "gtp", "refuses 'boardsize 9': unacceptable size"),
    ],
)
def test_a_program_of_another_kind_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, protocol: str, sentence: str
) -> None:
    monkeypatch.setattr(uci_client, "STARTING", 1.0)
    monkeypatch.setattr(gtp_client, "ANSWERING", 1.0)
    one = fake(tmp_path, how, protocol)
    if (how, protocol) == ("fair", "gtp"):
        one = ExternalPlayer("gtp", fake(tmp_path, how, "ugi").command)  # which answers no word of GTP
    with pytest.raises(plies.PliesError, match=sentence):
        one.prepare(plies.Gomoku(size=9))
    assert_gone(tmp_path)


def test_a_program_that_cannot_be_started(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    with pytest.raises(plies.PliesError, match="script cannot be started: No such file or directory"):
        parse_player(f"ugi:{script}").prepare(GAME)


@pytest.mark.parametrize("how", ["deaf", "fork"])
def test_whatever_it_does_it_ends(tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plies.protocols.process.FAREWELL", 0.1)
    one = fake(tmp_path, how)
    one.choose(GAME, GAME.initial())
    assert all(map(is_running, pids(tmp_path)))
    one.close()
    assert_gone(tmp_path)


def test_children_of_one_that_died_end_too(tmp_path: Path) -> None:
    one = fake(tmp_path, "fork")
    one.prepare(GAME)
    program, child = pids(tmp_path)
    os.kill(program, signal.SIGKILL)
    with pytest.raises(plies.Forfeit, match="was ended by SIGKILL"):
        one.choose(GAME, GAME.initial())
    assert_gone(tmp_path)
    assert not is_running(child)


def test_it_is_started_again_for_the_next_game(tmp_path: Path) -> None:
    one = fake(tmp_path, "die once")
    with pytest.raises(plies.Forfeit, match="ended with exit code 4"):
        one.choose(GAME, GAME.initial())
    assert one.choose(GAME, GAME.initial()) == 1
    assert len(pids(tmp_path)) == 2
    one.close()


@pytest.mark.parametrize("protocol", ["ugi", "gtp"])
def test_a_second_answer_is_none(tmp_path: Path, protocol: str) -> None:
    game = GAME if protocol == "ugi" else plies.game("gomoku", size=9)
    history, one = History(game), fake(tmp_path, "twice", protocol)
    for _ in range(2):
        history.play(one.choose(game, history.state, history.previous))
        history.play(history.legal()[-1])
        time.sleep(0.1)  # GTP cannot tell a second answer that comes late
    history.play(one.choose(game, history.state, history.previous))
    one._end()


def test_one_that_died_between_two_games_loses_neither(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "IDLE", PATIENCE)
    fake(tmp_path).prepare(GAME)
    os.kill(pids(tmp_path)[0], signal.SIGKILL)
    assert_gone(tmp_path)
    one = fake(tmp_path)
    assert one.choose(GAME, GAME.initial()) == 1
    one._end()


def test_ctrl_c_makes_it_move_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = fake(tmp_path, "until stop", more=":60")
    one.prepare(GAME)
    answer = Program.answer

    def interrupted(self: Program, seconds: float, read: object) -> object:
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(Program, "answer", interrupted)
    assert one.choose(GAME, GAME.initial()) == 9
    assert Program.answer is answer
    one._end()


ENDS = """
import os, signal, sys, time
from plies.protocols.words import parse_external
import plies
one = parse_external(sys.argv[1])
one.choose(plies.TicTacToe(), plies.TicTacToe().initial())
{how}
"""


@pytest.mark.parametrize(
    "how",
    ["raise ValueError", "os.kill(os.getpid(), signal.SIGINT); time.sleep(60)", "sys.exit(one)"],
)
def test_nothing_is_left_when_python_ends(tmp_path: Path, how: str) -> None:
    program = ENDS.format(how=how)
    done = subprocess.run(
        [sys.executable, "-c", program, words(tmp_path, "fork")], capture_output=True, timeout=PATIENCE
    )
    assert done.returncode != 0
    assert_gone(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_nothing_is_left_when_the_program_is_told_to_end(tmp_path: Path, number: signal.Signals) -> None:
    """By whoever started it, or by closing its terminal, while another program thinks and hears nothing."""
    players = f"{words(tmp_path, 'hang')}:60"
    program = subprocess.Popen(
        [*PROGRAM, "watch", "tic-tac-toe", "--players", players],
        stdout=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # these tests may run under nohup
    )
    deadline = time.monotonic() + PATIENCE
    while not ((tmp_path / "told").exists() and "go movetime 60000" in told(tmp_path)):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    program.send_signal(number)
    program.communicate(timeout=PATIENCE)
    assert program.returncode == -number
    assert_gone(tmp_path)


def test_what_is_quoted_is_printable() -> None:
    assert printable("a\x1b[2J\u202e\nb") == "a [2J  b"
    assert printable("x" * 500, 10) == "x" * 10 + "…"


# -- Where people see it.


def test_play_says_why_a_program_has_lost(tmp_path: Path) -> None:
    text = f"human,{words(tmp_path, 'die')}"
    done = piped("play", "tic-tac-toe", "--players", text, "--no-ponder", lines="5\nundo\n3\nquit\n")
    assert done.returncode == 0
    assert done.stderr == ""
    name = Path(sys.executable).name
    for moved in ("5", "3"):
        assert (
            f"O (ugi:{name}) loses after 1 move: {name} ended with exit code 3: out of  [31mmemory; "
            "X (you) wins." in done.stdout
        ), moved
    assert done.stdout.count("loses after 1 move") == 2
    assert_gone(tmp_path)


def test_watch_says_it_too(tmp_path: Path) -> None:
    done = piped("watch", "tic-tac-toe", "--players", f"random:1,{words(tmp_path, 'cheat')}", "--seed", "3")
    assert done.returncode == 0
    assert "wins after" in done.stdout or "loses after" in done.stdout
    assert_gone(tmp_path)


def test_a_program_that_is_not_there_is_one_sentence() -> None:
    done = piped("play", "chess", "--players", "uci:no-such-program")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("plies: there is no program 'no-such-program'")
    assert done.stderr.count("\n") == 1


# -- On the page.


def test_the_page_has_the_programs_of_its_server_and_no_others(tmp_path: Path) -> None:
    programs = read_programs([f"Fake = {words(tmp_path)}:1"])
    offered = {kind.name: kind for kind in kinds(GAME, programs)}
    assert offered["program:Fake"].group == "Program"
    assert "program:Fake" not in {kind.name for kind in kinds(plies.Pig(), programs)}
    assert "program:Fake" not in {kind.name for kind in kinds(GAME)}
    assert not list(tmp_path.iterdir()), "a list starts no program"
    for name in ("program:Other", words(tmp_path), "uci:sh", "program:Fake:depth=3", "Fake"):
        with pytest.raises(plies.BadParameter, match="tic-tac-toe has no player"):
            kind_named(GAME, name, programs)
    found = kind_named(GAME, "program:Fake", programs).make(GAME).search(GAME.initial(), Limit(0.01))
    assert found.action == 1


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("uci:sh", "a program for the page is written NAME=uci:PROGRAM, not 'uci:sh'"),
        ("X=engine", "a program for the page is written NAME=uci:PROGRAM"),
        ("=uci:sh", "a program for the page is written NAME=uci:PROGRAM"),
        ("X=uci:no-such-program", "there is no program 'no-such-program'"),
        ("X=uci:sh:11", "at most 10 seconds for a move"),
        ("X" * 50 + "=uci:sh", "too long, not printable, or taken"),
    ],
)
def test_programs_that_a_server_refuses(word: str, sentence: str) -> None:
    with pytest.raises(plies.BadParameter, match=sentence):
        read_programs([word])


def test_a_client_plays_against_a_program_of_the_server_and_starts_no_other(tmp_path: Path) -> None:
    (tmp_path / "good").mkdir()
    (tmp_path / "bad").mkdir()
    players = (f"Fake={words(tmp_path / 'good')}", f"Cheat={words(tmp_path / 'bad', 'cheat')}:1")
    site = Site(players=players)
    try:
        with site.client() as client:
            details = client.ask("game", game="tic-tac-toe")["details"]
            assert [one["label"] for one in details["kinds"] if one["group"] == "Program"] == [
                "Fake",
                "Cheat",
            ]
            position = {"game": "tic-tac-toe", "moves": ["1", "5"]}
            view = client.ask("move", **position, algorithm="program:Fake")
            assert view["moves"] == ["1", "5", "2"]
            said = client.error("move", **position, algorithm="program:Cheat")
            assert said.endswith("played the illegal move '1'")
            said = client.error("analyse", **position, algorithm="program:Fake")
            assert said == "Fake does not evaluate positions"
            started = tmp_path / "x"
            for name in (f"ugi:touch {started}", f"program:ugi:touch {started}", f"ugi:sh -c '>{started}'"):
                said = client.error("move", **position, algorithm=name[-60:])
                assert said.startswith("tic-tac-toe has no player")
            assert not started.exists()
            kinds_of_file = client.ask("game", game="echo")["details"]["kinds"]
            assert not [one for one in kinds_of_file if one["group"] == "Program"]
    finally:
        site.stop()
    assert_gone(tmp_path / "good")
    assert_gone(tmp_path / "bad")


def test_a_person_plays_against_a_program_on_the_page(tmp_path: Path, browser: Browser) -> None:
    site = Site(players=(f"A fake={words(tmp_path)}",))
    page = browser.new_page()
    try:
        page.goto(site.address + "#game=tic-tac-toe")
        page.wait_for_selector("#seats select")
        page.select_option("#seats .seat:nth-child(2) select >> nth=0", "program:A fake")
        heading = "#seats .seat:nth-child(2) optgroup[label='Other programs']"
        assert page.locator(heading).text_content() == "A fake"
        page.locator("#board [data-cell='5']").click()
        page.wait_for_function("() => document.getElementById('status').textContent.includes('O: 1.')")
    finally:
        page.close()
        site.stop()
    assert_gone(tmp_path)


def test_programs_of_a_server_have_a_time() -> None:
    assert read_programs(["X=uci:sh:depth=3"])["X"].limit == Limit(10.0, depth=3)
    with pytest.raises(plies.BadParameter, match="taken"):
        read_programs(["X=uci:sh", "X=uci:sh"])
    assert Catalogue().programs == {}
