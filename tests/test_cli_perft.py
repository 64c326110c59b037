"""`plies perft`: the published numbers, by the program as people run it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import plies
from oracles import oracle, oracle_path
from plies.compiled import interpreting
from plies.engine.perft import Perft, perft
from programs import Terminal, interactive
from test_cli import MINE, program

DEEPER = 0 if interpreting() else 2
"""How many plies more than interpreted are counted compiled."""


def counted(*arguments: str) -> list[int]:
    """What the program counts, depth by depth."""
    done = program("perft", *arguments, "--json")
    assert (done.code, done.error) == (0, "")
    data = json.loads(done.out)
    assert data["complete"]
    assert [row["depth"] for row in data["perft"]] == list(range(1, len(data["perft"]) + 1))
    return [row["nodes"] for row in data["perft"]]


# -- What is published.


@pytest.mark.parametrize("number", range(6))
def test_chess(number: int) -> None:
    position = oracle("chess/perft_standard.json")["positions"][number]
    depth = 2 + DEEPER // 2
    assert counted("chess", str(depth), *position["fen"].split()) == position["perft"][:depth]


@pytest.mark.parametrize(
    ("game", "name", "depth"),
    [("tic-tac-toe", "tic_tac_toe", 6), ("connect-four", "connect_four", 5), ("othello", "othello", 4)],
)
def test_as_openspiel_counts(game: str, name: str, depth: int) -> None:
    published = oracle("misc/openspiel_perft.json")["perft"][name][: depth + DEEPER]
    assert counted(game, str(len(published))) == published


def test_checkers() -> None:
    with oracle_path("checkers/perft.csv").open(encoding="utf-8") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        published = {int(depth): int(nodes) for depth, nodes, *_ in rows if depth.isdigit()}
    depth = 4 + DEEPER
    assert counted("checkers", str(depth)) == [published[plies] for plies in range(1, depth + 1)]


def test_a_game_that_ends_has_no_longer_sequences() -> None:
    assert counted("tree", "4", "tree=[[1,2],[3,[4,5]]]") == [2, 4, 2, 0]


def test_a_roll_of_the_dice_is_a_ply() -> None:
    assert counted("pig", "3") == [1, 6, 11]  # roll; six faces; after a 1 the other rolls, else roll or hold


# -- Dividing.


def test_divide_says_after_which_move() -> None:
    done = program("perft", "chess", "3", "--divide")
    assert done.code == 0
    *lines, last = done.out.splitlines()
    moves = dict(line.split(": ") for line in lines)
    assert len(moves) == 20
    assert (moves["e4"], moves["a3"], moves["Nf3"]) == ("600", "380", "440")  # as Stockfish divides
    assert sum(map(int, moves.values())) == 8902
    assert last.startswith("20 moves, 8,902 nodes at depth 3 in ")


def test_divide_as_json() -> None:
    data = json.loads(program("perft", "tic-tac-toe", "2", "5", "--divide", "--json").out)
    assert data["divide"] == dict.fromkeys("12346789", 7)
    assert (data["nodes"], data["complete"], data["depth"]) == (56, True, 2)


# -- In Python.


@pytest.mark.plain
def test_pieces_add_up_whatever_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    game = plies.TicTacToe()
    for seconds in (0.0, 1e-4, 60.0):
        monkeypatch.setattr("plies.engine.perft.MOMENT", seconds)
        monkeypatch.setattr("plies.engine.perft.TOO_LONG", seconds / 10)
        assert [perft(game, depth) for depth in range(6)] == [1, 9, 72, 504, 3024, 15120]


@pytest.mark.plain
def test_what_is_known_when_it_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plies.engine.perft.MOMENT", 0.0)
    count = Perft(plies.TicTacToe(), 6)
    shares = count.run()
    while count.finished < 3:
        share = next(shares)
    assert 0 < share < 1
    assert not count.complete
    assert count.divided == [
        (1, 6000),
        (2, 6240),
        (3, 6000),
    ]  # 1,680 x 4, less 180, 120, 180 wins with the fifth ply
    assert sum(nodes for _, nodes in count.divided) <= count.nodes < 54720


@pytest.mark.plain
@pytest.mark.parametrize("depth", [-1, 401, True, 1.0, "3"])
def test_what_is_no_depth(depth: object) -> None:
    with pytest.raises(plies.BadParameter, match="from 0 to 400"):
        perft(plies.TicTacToe(), depth)  # type: ignore[arg-type]


# -- On the screen.


def test_a_game_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE)
    assert counted(f"{file}:Count", "4") == [1, 1, 1, 0]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("perft nim", "DEPTH"),
        ("perft nim deep", "'DEPTH'"),
        ("perft nim 401", "from 0 to 400, not 401"),
        ("perft kriegspiel 2", "there is no game 'kriegspiel'"),
        ("perft tic-tac-toe 2 55", "is not a legal move"),
    ],
)
def test_refusals(line: str, sentence: str) -> None:
    done = program(*line.split())
    assert (done.code, done.out) == (2, "")
    assert done.error.count("\n") == 1
    assert sentence in done.error


@interactive
@pytest.mark.parametrize("divide", [False, True])
def test_ctrl_c_keeps_what_is_known(divide: bool) -> None:
    with Terminal("perft", "connect-four", "40", *(["--divide"] if divide else [])) as terminal:
        terminal.expect("nodes (Ctrl-C stops)")
        terminal.press(b"\x03")
        terminal.expect("Stopped after 0 of 7 moves" if divide else "Stopped at depth")
        assert terminal.ends() == 0
