"""`plies engine` as a client of GTP sees it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import plies
from dialogue import Inside
from plies.protocols.gtp import COMMANDS
from plies.protocols.moves import parse_vertex

pytestmark = pytest.mark.plain

SGF = "(;FF[4]GM[1]SZ[5]KM[0.5];B[cc];W[bb];B[dd])"


@pytest.fixture(scope="module")
def shared() -> Iterator[Inside]:
    """An engine for a small board of go, which tests share."""
    with Inside(plies.Go(size=5, komi=0.5), seconds=0.05) as client:
        yield client


@pytest.fixture
def go(shared: Inside) -> Inside:
    assert shared.gtp("boardsize 5") == "="
    assert shared.gtp("komi 0.5") == "="
    assert shared.gtp("time_settings 0 1 0") == "="
    return shared


def test_it_introduces_itself(go: Inside) -> None:
    assert go.gtp("protocol_version") == "= 2"
    assert go.gtp("name") == "= Plies"
    assert go.gtp("12 version").startswith("=12 ")
    assert go.gtp("list_commands") == "= " + "\n".join(COMMANDS)
    assert go.gtp("known_command genmove") == "= true"
    assert go.gtp("7 known_command fly") == "=7 false"


def test_moves_are_played_shown_and_taken_back(go: Inside) -> None:
    assert go.gtp("1 play black c3") == "=1"
    assert go.gtp("play W B2") == "="
    assert go.gtp("showboard").splitlines()[3].split() == ["3", ".", ".", "X", ".", "."]
    assert go.gtp("undo") == "="
    assert go.gtp("undo") == "="
    assert go.gtp("undo") == "? cannot undo"
    assert go.gtp("showboard").count("X") == 0


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("fly", "? unknown command"),
        ("5 fly", "?5 unknown command"),
        ("9", "?9 unknown command"),
        ("play", "? syntax error"),
        ("play black", "? syntax error"),
        ("play green C3", "? syntax error"),
        ("play black I3", "? illegal move"),
        ("play black Z99", "? illegal move"),
        ("play black resign", "? illegal move"),
        ("boardsize five", "? syntax error"),
        ("boardsize 100", "? unacceptable size"),
        ("boardsize 0", "? unacceptable size"),
        ("komi much", "? syntax error"),
        ("genmove", "? syntax error"),
        ("time_settings 1", "? syntax error"),
        ("time_settings -1 0 0", "? syntax error"),
        ("time_left b x 0", "? syntax error"),
        ("loadsgf /nonexistent", "? cannot load file"),
        ("fixed_handicap 4", "? invalid number of stones"),
        ("quit now", "? syntax error"),
    ],
)
def test_failures_in_the_words_of_the_specification(go: Inside, line: str, answer: str) -> None:
    assert go.gtp(line) == answer
    assert go.gtp("name") == "= Plies"


def test_an_occupied_point_is_illegal_and_so_is_a_repetition(go: Inside) -> None:
    go.gtp("play b C3")
    assert go.gtp("play w C3") == "? illegal move"
    go.gtp("clear_board")
    for stone in ("b B1", "w C1", "b A2", "w D2", "b B3", "w C3", "b C2", "w B2"):
        assert go.gtp(f"play {stone}") == "="
    assert go.gtp("play b C2") == "? illegal move"  # the ko


def test_a_colour_may_move_twice_as_a_handicap_does(go: Inside) -> None:
    assert go.gtp("play b C3") == "="
    assert go.gtp("play b B2") == "="
    assert go.gtp("showboard").count("X") == 2
    assert go.gtp("undo") == "="
    assert go.gtp("showboard").count("X") == 1
    assert re.fullmatch("= ([A-E][1-5]|pass)", go.gtp("genmove black"))


def test_moves_are_generated(go: Inside) -> None:
    assert go.gtp("play b C3") == "="
    answer = go.gtp("reg_genmove w")
    assert re.fullmatch("= ([A-E][1-5]|pass)", answer)
    assert go.gtp("showboard").count("O") == 0
    assert re.fullmatch("=3 ([A-E][1-5]|pass)", go.gtp("3 genmove w"))


@pytest.mark.parametrize("lines", [["time_settings 5 0 0"], ["time_settings 0 1 5"], ["time_left b 2 3"]])
def test_clocks_are_kept_to(go: Inside, lines: list[str]) -> None:
    for line in lines:
        assert go.gtp(line) == "="
    assert re.fullmatch("= ([A-E][1-5]|pass)", go.gtp("genmove b"))


def test_the_score_counts_area_and_komi(go: Inside) -> None:
    assert go.gtp("final_score") == "= W+0.5"
    go.gtp("play b C3")
    assert go.gtp("final_score") == "= B+24.5"
    assert go.gtp("komi 30") == "="
    assert go.gtp("final_score") == "= W+5"
    assert go.gtp("showboard").count("X") == 1  # the same game with another komi


def test_a_record_is_loaded(go: Inside, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text(SGF)
    assert go.gtp(f"loadsgf {tmp_path / 'game.sgf'}") == "="
    assert go.gtp("showboard").count("X") == 2
    assert go.gtp(f"loadsgf {tmp_path / 'game.sgf'} 2") == "="
    assert go.gtp("showboard").count("X") == 1


def test_handicap_stones_are_where_the_specification_has_them() -> None:
    with Inside(plies.Go(size=9)) as client:
        assert client.gtp("fixed_handicap 2") == "= C3 G7"
        assert client.gtp("fixed_handicap 2") == "? board not empty"
        client.gtp("clear_board")
        assert client.gtp("fixed_handicap 5") == "= C3 G7 C7 G3 E5"
        assert client.gtp("showboard").count("X") == 5
        client.gtp("boardsize 19")
        assert client.gtp("fixed_handicap 9") == "= D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"


def test_comments_ids_and_odd_characters() -> None:
    with Inside(plies.Go(size=5)) as client:
        client.send("# hello", "", "   ", "\t1\tname\t# who?")
        assert client.expect("^=") == "=1 Plies"
        client.expect("^$")
        assert client.gtp("2\x07 na\x00me\r") == "=2 Plies"
        client.send("3 quit")
        assert client.expect("^=") == "=3"


@pytest.mark.parametrize("game", [plies.Othello(size=6), plies.Gomoku(size=5), plies.Renju(size=7)], ids=repr)
def test_a_game_played_by_one_engine(game: plies.Game) -> None:
    history = plies.History(game)
    with Inside(game, seconds=0.01) as client:
        assert client.gtp("name") == "= Plies"
        for _ in range(60):
            if history.over:
                break
            colour = "bw"[game.to_move(history.state)]
            move = client.gtp(f"genmove {colour}").removeprefix("= ")
            history.play(parse_vertex(game, history.state, move))
        assert history.over
        lead = history.utility(0)
        winner = "B" if lead > 0 else "W"
        assert client.gtp("final_score") == (f"= {winner}+{abs(lead):g}" if lead else "= 0")
        assert client.gtp("genmove b") == "= pass"


def test_no_pass_in_gomoku() -> None:
    with Inside(plies.Gomoku(size=5)) as client:
        assert client.gtp("boardsize 5") == "="
        assert client.gtp("play b E5") == "="
        assert client.gtp("play b A1") == "? illegal move"
        assert client.gtp("genmove b") == "? illegal move: it is the opponent's turn"
        assert client.gtp("final_score") == "? cannot score"


WORDS = [
    *COMMANDS,
    "b",
    "w",
    "black",
    "A1",
    "C3",
    "I9",
    "pass",
    "resign",
    "5",
    "-1",
    "0.5",
    "x" * 99,
    "\x00",
    "ö",
    "#",
]


@pytest.mark.parametrize("seed", range(3))
def test_no_line_ends_it(seed: int) -> None:
    rng = random.Random(seed)
    with Inside(plies.Go(size=3), protocol="gtp", seconds=0.01) as client:
        for _ in range(60):
            words = [rng.choice(WORDS) for _ in range(rng.randrange(5))]
            data = bytearray(" ".join(words).encode())
            if data and rng.random() < 0.3:
                data[rng.randrange(len(data))] = rng.randrange(256)
            if b"quit" not in data and b"boardsize" not in data:
                client.write(bytes(data) + b"\n")
        client.send("clear_board")
        client.send("99 name")
        client.expect("^=99 Plies$")
