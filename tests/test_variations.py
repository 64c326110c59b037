"""Records with variations, comments, headers and results, in and out: nothing is dropped in silence."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plies
from plies import records
from plies.errors import PliesError
from plies.history import History
from plies.variations import checked, main_line

pytestmark = pytest.mark.plain

OPENING = [
    {"comment": "before"},
    "e4",
    {"marks": ["$1", "$14"], "comment": "king's pawn"},
    ["d4", {"comment": "or"}, "d5", ["Nf6", "c4"], "c4"],
    ["c4"],
    "e5",
    "Nf3",
    {"marks": ["$2"], "comment": "to the end"},
    [{"comment": "first"}, "f4", "exf4"],
    "Nc6",
]
CORNER = [
    {"comment": "a ] b"},
    "C3",
    {"comment": "tengen", "properties": {"TR": ["cc", "dd"]}},
    "B4",
    ["D2", {"comment": "other"}, "B4"],
    "D2",
    "B2",
    ["D4"],
]
GAMES = [
    (
        "pgn",
        '[Event "A match"]\n[White "Ann \\"A\\" B"]\n[Result "1-0"]\n\n'
        "{before} 1. e4! $14 {king's pawn} (1. d4 {or} d5 (1... Nf6 2. c4) 2. c4) (1. c4) e5 "
        "2. Nf3 $2 ; to the end\n({first} 2. f4 exf4) 2... Nc6 1-0",
        {"Event": "A match", "White": 'Ann "A" B'},
        "1-0",
        OPENING,
    ),
    (
        "sgf",
        "(;GM[1]FF[4]SZ[5]KM[0.5]PB[Ann]RE[B+R]C[a \\] b];B[cc]C[tengen]TR[cc][dd]"
        "(;W[bb];B[dd](;W[bd])(;W[db]))(;W[dd]C[other];B[bb]))",
        {"PB": "Ann"},
        "B+R",
        CORNER,
    ),
    (
        "pdn",
        '[Black "Ann"]\n\n1. 11-15 {Ayr} 23-19 (1... 22-18? 2. 15x22 25x18) 2. 8-11 0-1',
        {"Black": "Ann"},
        "0-1",
        ["11-15", {"comment": "Ayr"}, "23-19", ["22-18", {"marks": ["$2"]}, "15x22", "25x18"], "8-11"],
    ),
]


@pytest.mark.parametrize(("form", "text", "headers", "result", "tree"), GAMES, ids=[one[0] for one in GAMES])
def test_all_that_a_record_says_is_read_and_written(
    form: str, text: str, headers: dict[str, str], result: str, tree: list[Any]
) -> None:
    record = records.read(text)
    assert (record.headers, record.result, record.left_out) == (headers, result, ())
    assert record.tree == tree
    assert record.moves == main_line(tree)
    for other in (form, "json"):
        written = write(record, other)
        assert records.read(written)._replace(parameters={}) == record._replace(parameters={})


def write(record: records.GameRecord, form: str) -> str:
    history = records.replay(plies.game(record.game, **record.parameters), record.position, record.moves)
    about: Any = {"tree": record.tree, "headers": record.headers, "result": record.result}
    return records.write(history, form, record.position, **about)


def test_python_chess_reads_what_is_written() -> None:
    chess_pgn = pytest.importorskip("chess.pgn")
    _, text, *_ = GAMES[0]
    theirs = [
        chess_pgn.read_game(io.StringIO(one))
        for one in (text.replace("; to the end", "{to the end}"), write(records.read(text), "pgn"))
    ]
    assert not theirs[1].errors
    assert dict(theirs[0].headers) == dict(theirs[1].headers)
    shown = [str(one.accept(chess_pgn.StringExporter(headers=False))) for one in theirs]
    assert shown[0] == shown[1]


def test_what_cannot_be_read_is_said() -> None:
    record = records.read("1. e4 e5 (1... e4 2. d4) (1... c5 2. Nf3 Ke7) 2. Nf3 *\n\n1. d4 *")
    assert record.tree == ["e4", "e5", ["c5", "Nf3"], "Nf3"]
    assert [words.partition(":")[0] for words in record.left_out] == [
        "the first of 2 games",
        *["a variation is cut short"] * 2,
    ]
    late = records.read("1. e4 (1. d4) {after a variation} e5 *")
    assert late.tree == ["e4", {"comment": "after a variation"}, ["d4"], "e5"]
    set_up = records.read("(;GM[1]SZ[5];B[cc](;W[bb])(;W[dd];AB[aa];B[ee]))")
    assert (set_up.tree, len(set_up.left_out)) == (["C3", "B4", ["D2"]], 1)
    for text, words in (
        ('[Event "x"]\n\n(1. e4) 1. d4 *', "before the first move"),
        ("1. e4 " + "(1. d4 " * 100 + ")" * 100, "at most 60 deep"),
        ("1. e4 (1. d4", "ends in a variation"),
        ("(;GM[1]SZ[5];B[cc];AB[aa])", "only the first node"),
    ):
        with pytest.raises(PliesError, match=words):
            records.read(text)


def test_what_cannot_be_written_is_refused() -> None:
    history = History(plies.Chess())
    history.play(plies.Chess().parse_action(history.state, "e4"))
    for tree, words in (
        (["e4", ["e5"]], "cut short"),
        (["d4"], "not the game"),
        (["e4", 3], "nothing else"),
        ([["e4"], "e4"], "there is none"),
        (["e4", {"comment": 3}], "a note has"),
    ):
        with pytest.raises(PliesError, match=words):
            records.write(history, "pgn", tree=tree)
    assert "0-1" in records.write(
        history, "pgn", tree=["e4"], result=records.outcome(plies.Chess(), "pgn", 1, "time")
    )
    assert records.outcome(plies.Go(), "sgf", 1, "time") == "W+T"
    assert (
        records.outcome(plies.Checkers(), "pdn", 0, "resigned") == "0-1"
    )  # Black moves first, White's points do
    assert records.outcome(plies.TicTacToe(), "json", None, "agreed") == "draw"


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)


@given(JSON)
@settings(max_examples=60, deadline=None)
def test_whatever_comes_is_a_tree_or_refused(data: Any) -> None:
    try:
        assert checked(data) is data
    except PliesError:
        return
    assert isinstance(data, list)
