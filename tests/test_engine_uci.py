"""`plies engine` as a client of UCI and UGI sees it."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import plies
from dialogue import PATIENCE, Inside, Outside
from plies.cli import run
from plies.engine import driver
from plies.protocols import options
from plies.protocols.connection import LONGEST_LINE, split_lines
from plies.protocols.info import score_text, wdl_text
from plies.protocols.serving import recognised
from programs import PROGRAM, UNTRACED

pytestmark = pytest.mark.plain

ECHO = str(Path(__file__).parents[1] / "examples" / "echo.py") + ":Echo"


@pytest.fixture(scope="module")
def four() -> Iterator[Inside]:
    """An engine for a small board of Connect Four, which all tests share."""
    with Inside(plies.ConnectFour(width=5, height=4)) as client:
        client.send("ugi")
        client.expect("^ugiok$")
        client.ask()
        yield client


@pytest.fixture(autouse=True)
def new_game(request: pytest.FixtureRequest) -> None:
    if "four" in request.fixturenames:
        client = request.getfixturevalue("four")
        client.ask("stop", "setoption name MultiPV value 1", "uginewgame")


def best(client: Inside | Outside, *lines: str) -> str:
    client.send(*lines)
    return client.expect("^bestmove").split()[1]


def infos(client: Inside | Outside, *lines: str) -> list[str]:
    before = len(client.heard)
    best(client, *lines)
    return [line for line in client.heard[before:] if line.startswith("info depth")]


# -- Limits.


@pytest.mark.parametrize(
    "limit",
    [
        "depth 3",
        "nodes 100",
        "movetime 30",
        "mate 1 movetime 50",
        "p1time 1000 p2time 1000 p1inc 10 p2inc 10",
        "wtime 1000 btime 1000 movestogo 5",
        "wtime 0 btime 0",
        "wtime -5 btime -5 winc -1",
        "depth 2 nodes 50 movetime 1000",
        "depth 0",
        "movetime 0",
    ],
)
def test_every_limit_ends_with_a_legal_move(four: Inside, limit: str) -> None:
    assert best(four, "position startpos moves 3", f"go {limit}") in "12345"


def test_a_depth_is_kept_to(four: Inside) -> None:
    told = infos(four, "position startpos", "go depth 4")
    assert re.match(r"info depth 4 score cp -?\d+ nodes \d+ nps \d+ hashfull \d+ time \d+ pv \d", told[-1])


def test_a_proved_win_is_mate_in_moves(four: Inside) -> None:
    told = infos(four, "position startpos moves 1 5 1 5 1 4", "go depth 5")
    assert " score mate 1 " in told[-1]
    assert told[-1].split(" pv ")[1] == "1"
    told = infos(four, "position startpos moves 1 5 1 5 4 5 4", "go depth 7")
    assert best(four, "position startpos moves 1 5 1 5 4 5 4", "go depth 7") == "5"


def test_infinite_searches_until_stop_and_stop_is_answered_soon(four: Inside) -> None:
    four.send("position startpos", "go infinite")
    time.sleep(0.3)
    assert not [line for line in four.heard[-1:] if line.startswith("bestmove")]
    begun = time.perf_counter()
    assert best(four, "stop") in "12345"
    assert time.perf_counter() - begun < 1  # 50 ms on a machine that does nothing else


def test_even_a_proved_position_waits_for_stop(four: Inside) -> None:
    four.send("position startpos moves 1 5 1 5 1 4", "go infinite")
    four.expect("score mate 1 ")
    assert four.ask() == []
    assert best(four, "stop") == "1"


def test_pondering_waits_for_the_move_it_expects(four: Inside) -> None:
    four.send("position startpos moves 3 3", "go ponder wtime 2000 btime 2000")
    time.sleep(0.2)
    assert not any(line.startswith("bestmove") for line in four.ask())
    begun = time.perf_counter()
    assert best(four, "ponderhit") in "12345"
    assert time.perf_counter() - begun < 5
    four.send("position startpos moves 3 3", "go ponder movetime 50")
    assert best(four, "stop") in "12345"


def test_pondering_on_what_is_proved_waits_as_well(four: Inside) -> None:
    four.send("position startpos moves 1 5 1 5 1 4", "go ponder movetime 50")
    four.expect("score mate 1 ")
    time.sleep(0.1)
    assert four.ask() == []
    assert best(four, "ponderhit") == "1"


def test_only_the_moves_asked_for_are_searched(four: Inside) -> None:
    # 1 wins at once, and so only a restricted search does not play it.
    position = "position startpos moves 1 5 1 5 1 4"
    assert best(four, position, "go depth 5") == "1"
    assert best(four, position, "go depth 5 searchmoves 2 3") in "23"
    assert best(four, position, "go searchmoves 4 depth 5") == "4"
    assert best(four, position, "go depth 5") == "1"


def test_several_lines_come_in_order(four: Inside) -> None:
    told = infos(four, "setoption name MultiPV value 3", "position startpos", "go depth 5")
    last = told[-3:]
    assert [re.findall(r"multipv (\d)", line) for line in last] == [["1"], ["2"], ["3"]]
    scores = [int(re.findall(r"score cp (-?\d+)", line)[0]) for line in last]
    assert scores == sorted(scores, reverse=True)
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == 3


def test_chances_are_told_if_asked_for(four: Inside) -> None:
    told = infos(four, "setoption name UCI_ShowWDL value true", "position startpos", "go depth 4")
    four.ask("setoption name UCI_ShowWDL value false")
    chances = [int(word) for word in re.findall(r"wdl (\d+) (\d+) (\d+)", told[-1])[0]]
    assert sum(chances) == 1000


@pytest.mark.parametrize("seed", range(2))
def test_every_go_is_answered_once(four: Inside, seed: int) -> None:
    rng, begun, asked = random.Random(seed), len(four.heard), 0
    for _ in range(40):
        moves = " ".join(rng.choice("12345") for _ in range(rng.randrange(3)))
        limit = rng.choice(
            ["infinite", "ponder movetime 5", "depth 2", "movetime 3", "wtime 9 btime 9", "nodes 9"]
        )
        four.send(f"position startpos moves {moves}", f"go {limit}")
        asked += 1
        time.sleep(rng.choice([0, 0, 0.01]))
        four.send(*rng.choice([["stop"], ["ponderhit", "stop"], ["stop", "stop"], ["ponderhit"], []]))
    four.ask("stop")
    time.sleep(0.1)
    four.ask()
    answers = [line for line in four.heard[begun:] if line.startswith("bestmove")]
    assert len(answers) == asked
    assert all(re.fullmatch("bestmove [1-5]", line) for line in answers)


# -- What is not a move.


def test_perft_counts_by_first_move(four: Inside) -> None:
    four.send("position startpos", "go perft 4")
    four.expect("^3: 125$")
    four.expect("^Nodes searched: 625$")


def test_queries_of_ugi(four: Inside) -> None:
    won = "position startpos moves 1 2 1 2 1 2 1"
    asked = ("query gameover", "query p1turn", "query result")
    assert four.ask("position startpos", *asked) == ["response false", "response true", "response none"]
    assert four.ask("position startpos moves 3", *asked)[1] == "response false"
    assert four.ask(won, *asked) == ["response true", "response false", "response p1win"]
    assert best(four, won, "go depth 3") == "0000"
    assert four.ask("query weather")[0].startswith("info string a query is")


def test_the_position_is_shown(four: Inside) -> None:
    told = four.ask("position startpos moves 3", "d", "eval")
    assert ". . X . ." in told
    assert "To move: Yellow" in told
    assert re.fullmatch(r"Evaluation: [+-]\d+ cp \(for Yellow\)", told[-1])


def test_the_bench_visits_the_same_nodes_each_time() -> None:
    with Inside(plies.TicTacToe()) as client:
        client.send("uci", "bench")
        first = client.expect("Nodes searched")
        client.send("bench")
        assert client.expect("Nodes searched") == first


# -- Options.


def test_parameters_of_the_game_are_options(four: Inside) -> None:
    with Inside(plies.ConnectFour()) as client:
        told = client.ask("ugi")
        assert "option name width type string default 7" in told
        told = client.ask("setoption name width value 4", "setoption name Height value 4", "d")
        assert "1 2 3 4" in told
        assert "info string width must be a whole number, not 'x'" in client.ask(
            "setoption name width value x"
        )
        assert best(client, "position startpos", "go depth 3") in "1234"


def test_as_many_threads_are_offered_as_the_engine_takes() -> None:
    assert options.MOST_THREADS == driver.MOST_THREADS


@pytest.mark.parametrize(
    "line",
    [
        "setoption",
        "setoption name",
        "setoption name Hash",
        "setoption name Hash value -1",
        "setoption name Hash value 99999999999999999999",
        "setoption name Threads value 0",
        "setoption name MultiPV value ٣",
        "setoption name nothing value 1",
        "setoption name UCI_ShowWDL value maybe",
        "setoption name Debug Log File value /nonexistent/folder/file",
        "setoption name width value 0",
        "setoption name width value 1000000",
        "position",
        "position nowhere",
        "position startpos moves 9",
        "position fen",
        "position fen garbage",
        "go depth x",
        "go searchmoves 9",
        "hello",
    ],
)
def test_bad_lines_get_a_sentence_and_no_more(four: Inside, line: str) -> None:
    told = four.ask(line)
    assert told[0].startswith("info string ")
    assert best(four, "position startpos", "go depth 2") in "12345"


def test_a_position_that_cannot_be_read_is_not_played_on(four: Inside) -> None:
    assert best(four, "position startpos moves 9 9", "go depth 2") == "0000"
    assert "no position" in four.heard[-2]


def test_words_before_a_command_are_ignored_as_uci_wants_it(four: Inside) -> None:
    assert best(four, "position startpos", "joho go depth 2") in "12345"
    assert four.ask("", "   ", "debug on", "stop", "ponderhit", "register later") == []


def test_go_twice_answers_twice(four: Inside) -> None:
    four.send("position startpos", "go depth 3", "go depth 2", "go infinite", "go depth 1")
    for _ in range(4):
        four.expect("^bestmove [1-5]")


def test_hash_and_threads(four: Inside) -> None:
    with Inside(plies.ConnectFour(width=5, height=4)) as client:
        client.ask("ugi", "setoption name Hash value 2", "setoption name Threads value 2")
        assert best(client, "position startpos", "go depth 4") in "12345"
        assert client.ask("setoption name Clear Hash") == []


def test_the_log_has_both_sides(tmp_path: Path) -> None:
    with Inside(plies.TicTacToe(), log=tmp_path / "log") as client:
        client.ask("uci")
        client.ask(f"setoption name Debug Log File value {tmp_path / 'other'}")
        client.ask("d")
    assert "> uci" in (tmp_path / "log").read_text()
    assert "< uciok" in (tmp_path / "log").read_text()
    assert "> d" in (tmp_path / "other").read_text()


# -- Scores.


def test_scores_in_the_words_of_uci() -> None:
    chess, tree = plies.Chess(), plies.Tree([[3, 12, 8], [2, 4, 6]])
    value = plies.Value
    assert score_text(chess, value.of(chess, 0.0123)) == "cp 123"
    assert score_text(chess, value.of(chess, 0.5, bound=">=")) == "cp 5000 lowerbound"
    assert score_text(chess, value.of(chess, 1, True, 1)) == "mate 1"
    assert score_text(chess, value.of(chess, 1, True, 5)) == "mate 3"
    assert score_text(chess, value.of(chess, -1, True, 4)) == "mate -2"
    assert score_text(chess, value.of(chess, 0, True, 8)) == "cp 0"
    assert score_text(chess, value.of(chess, 1, True)) == "cp 10000"
    assert score_text(chess, value.of(chess, 1, True), 3) == "mate 2"
    assert score_text(chess, value.of(chess, 0.5), 3) == "cp 5000"
    assert score_text(tree, value.of(tree, 3, True)) == "cp 300"
    assert wdl_text(chess, value.of(chess, 0, True)) == "wdl 0 1000 0"
    assert wdl_text(chess, value.of(chess, 1, True, 3)) == "wdl 1000 0 0"
    assert wdl_text(chess, value.of(chess, 0.0)) == "wdl 250 500 250"


# -- Lines.


def test_lines_are_put_together_whatever_the_pieces() -> None:
    pieces = iter([b"uc", b"i\r\nis", b"ready\n\xff\x00\n", b"go", b""])
    assert list(split_lines(lambda: next(pieces))) == ["uci", "isready", "\ufffd\x00", "go"]
    long = iter([b"x" * (LONGEST_LINE + 1), b"yyy\nuci\n", b""])
    assert list(split_lines(lambda: next(long))) == ["", "uci"]


@pytest.mark.parametrize(
    ("line", "protocol"),
    [
        ("uci", "uci"),
        ("ugi", "ugi"),
        ("isready", "uci"),
        ("name", "gtp"),
        ("12 protocol_version", "gtp"),
        ("list_commands # all", "gtp"),
        ("", None),
        ("# a comment", None),
        ("?", "uci"),
    ],
)
def test_the_first_line_says_which_protocol_it_is(line: str, protocol: str | None) -> None:
    assert recognised(line) == protocol


def test_a_mate_in_two_is_told_as_such() -> None:
    """Only one move does it, and interpreted it is found in a thousand nodes."""
    with Inside(plies.Chess()) as client:
        assert best(client, "uci", "position fen 8/8/8/8/K4p2/8/5R2/k7 w - - 0 1", "go mate 2") == "a4b3"
        assert " score mate 2 " in next(line for line in reversed(client.heard) if "score" in line)


def test_a_client_that_claims_no_draw_plays_on() -> None:
    shuffle = "g1f3 g8f6 f3g1 f6g8 "
    with Inside(plies.Chess()) as client:
        client.ask("uci", f"position startpos moves {2 * shuffle}")
        assert client.ask("query gameover", "query result") == ["response true", "response draw"]
        assert best(client, "go depth 1") != "(none)"
        assert best(client, f"position startpos moves {4 * shuffle} e2e4", "go depth 1") != "(none)"


# -- The program.


def test_it_introduces_itself_before_anything_large_is_imported() -> None:
    """What takes time comes later: Numba, and the searches."""
    script = (
        "import sys, io\n"
        "sys.argv = ['plies', 'engine', 'chess']\n"
        "import plies.cli.program, plies.protocols.uci as uci\n"
        "send = uci.Connection.send\n"
        "def noted(self, *lines):\n"
        "    send(self, *lines)\n"
        "    if 'uciok' in lines: print(sorted({'numba', 'plies.engine'} & set(sys.modules)), flush=True)\n"
        "uci.Connection.send = noted\n"
        "from plies.cli import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], input=b"uci\nquit\n", capture_output=True, env=UNTRACED, check=True
    )
    assert done.stdout.decode().splitlines()[-2:] == ["uciok", "[]"]


@pytest.mark.parametrize("ended_by", ["quit\n", ""])
def test_it_ends_cleanly_in_the_middle_of_a_search(ended_by: str) -> None:
    with Outside("tic-tac-toe", NUMBA_DISABLE_JIT="1") as client:
        client.send("uci", "position startpos", "go infinite")
        client.expect("^uciok$")
        client.write(ended_by.encode())
        assert client.end() == (0, "")
        client.expect("^bestmove")


def test_at_the_end_of_the_input_a_search_with_a_limit_is_finished() -> None:
    with Outside("chess", NUMBA_DISABLE_JIT="1") as client:
        client.send("uci", "isready", "position startpos moves e2e4", "go movetime 200")
        assert client.end() == (0, "")
        assert client.expect("^bestmove [a-h][78][a-h][56]( ponder .*)?$|^bestmove [bg]8")
    assert [line for line in client.heard if line.startswith("info depth")]


def test_a_client_that_reads_no_more_ends_it() -> None:
    with subprocess.Popen(
        [*PROGRAM, "engine", "tic-tac-toe"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**UNTRACED, "NUMBA_DISABLE_JIT": "1"},
        bufsize=0,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"uci\n")
        while process.stdout.readline() != b"uciok\n":
            pass
        process.stdout.close()
        process.stdin.write(b"d\n")
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["pig"], "is for games without chance"),
        (["pacman"], "is for 2 players"),
        (["goofspiel"], "move in turn"),
        (["chess", "--protocol", "xboard"], "must be uci, ugi, gtp"),
        (["chess", "--protocol", "gtp"], "a move is a point of the board"),
        (["chess", "--log", "/nonexistent/folder/log"], "no folder"),
        (["nothing"], "nothing"),
        (["go", "size=x"], "size must be a whole number"),
    ],
)
def test_what_cannot_be_served_is_refused_in_a_sentence(
    arguments: list[str],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open(os.devnull) as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        assert run(["engine", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert sentence in told.err
    assert told.err.count("\n") == 1


def test_a_game_of_ones_own() -> None:
    with Outside(ECHO, "matches=9", NUMBA_DISABLE_JIT="1") as client:
        client.send("ugi", "position startpos", "go depth 9")
        client.expect("option name matches type string default 9")
        client.expect("score mate 3 ")
        client.expect("^bestmove 1$")
        assert client.end() == (0, "")


BROKEN = """
import plies
class Broken(plies.Game):
    def initial(self): return 0
    def to_move(self, state): return state % 2
    def actions(self, state):
        if state == {place}: raise RuntimeError("no such luck")
        yield 1
        yield 2
    def result(self, state, action): return state + action
    def is_terminal(self, state): return state > 9
    def utility(self, state, player): return 1 if player == 0 else -1
"""


@pytest.mark.parametrize("place", [0, 3])
def test_a_broken_rule_is_reported_and_survived(place: int, tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN.format(place=place))
    with Outside(f"{tmp_path / 'broken.py'}:Broken", NUMBA_DISABLE_JIT="1") as client:
        client.send("uci", "isready", "position startpos", "go depth 6")
        client.expect("info string .*actions.* raised RuntimeError: no such luck")
        client.expect("^bestmove")
        client.send("position startpos moves 1", "go depth 6", "isready")
        client.expect("^readyok$")
        code, errors = client.end()
        assert (code, errors) == (0, "")


# -- Whatever is sent.

WORDS = [
    *("uci", "ugi", "isready", "go", "stop", "ponderhit", "position", "startpos", "fen", "moves", "1", "2"),
    *("5", "9", "depth", "nodes", "movetime", "wtime", "btime", "winc", "mate", "perft", "searchmoves", "-1"),
    *("infinite", "ponder", "setoption", "name", "value", "Hash", "MultiPV", "Threads", "width", "query"),
    *("gameover", "result", "d", "eval", "ucinewgame", "debug", "\x00", "ü", "999999999999999999999", "0.5"),
    *("1e9", "nan", "=", "bench?", "./X/O", "x" * 300, "\ufffd"),
]


def mutated(rng: random.Random) -> bytes:
    line = " ".join(rng.choice(WORDS) for _ in range(rng.randrange(8)))
    data = bytearray(line.encode())
    for _ in range(rng.randrange(3)):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


@pytest.mark.parametrize("seed", range(3))
def test_no_line_ends_it(seed: int) -> None:
    rng = random.Random(seed)
    with Inside(plies.ConnectFour(width=4, height=3)) as client:
        client.ask("ugi")
        for _ in range(60):
            data = mutated(rng)
            if b"quit" in data or any(word in data for word in (b"perft", b"Hash", b"Threads", b"width")):
                continue
            client.write(data + b"\n")
        client.ask("stop", "setoption name width value 4")
        assert best(client, "position startpos", "go depth 1") in "1234"
    assert not [thread for thread in threading.enumerate() if thread.name == "plies-go"]
