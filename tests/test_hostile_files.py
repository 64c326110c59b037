"""Files that nobody knows the origin of: records and trees that are damaged, huge, deep or made to harm.

Networks are in test_learn.py, strategies in test_strategy.py.
"""

from __future__ import annotations

import inspect
import json
import os
import random
import sys
from pathlib import Path

import pytest

import plies
from plies import PliesError, records
from plies.game import rule_parameters
from plies.history import History
from plies.terminal.drawing import read_history
from plies.terminal.record import read_record
from test_cli import program

pytestmark = pytest.mark.plain

FORMATS = [
    (plies.Chess(), "pgn"),
    (plies.Go(size=5), "sgf"),
    (plies.Checkers(), "pdn"),
    (plies.TicTacToe(), "json"),
    (plies.Backgammon(), "json"),
]

FRAGMENTS = (
    *(
        "[",
        "{",
        "(",
        ";",
        "(;",
        "]",
        "}",
        ")",
        '"',
        "\\",
        "1e999",
        "NaN",
        "-1",
        "9" * 25,
        "null",
        "\x00",
        "é",
    ),
    *('[SetUp "1"]', '[FEN "x"]', "W[]", "B[aa]", "SZ[99]", "SZ[-1]", "HA[9]", "AB[aa][bb]", "e4", "O-O"),
    *("12-16", "...", "1.", "$1", "--", '[GameType "20"]', "(" * 4000, "[" * 3000, "x" * 1000),
)


def played(game: plies.Game, moves: int, chance: random.Random) -> History:
    history = History(game)
    while not history.over and len(history.actions) < moves:
        history.play(chance.choice(history.legal()))
    return history


@pytest.mark.parametrize(("game", "form"), FORMATS, ids=lambda value: getattr(value, "name", value))
def test_damaged_records_are_refused_in_words_or_read(game: plies.Game, form: str, tmp_path: Path) -> None:
    chance, file = random.Random(form), tmp_path / f"game.{form}"
    texts = [records.write(played(game, moves, chance), form) for moves in (0, 3, 20)]
    for _ in range(150):
        text = chance.choice(texts)
        for _ in range(chance.randrange(1, 4)):
            place = chance.randrange(len(text) + 1)
            text = text[:place] + chance.choice(FRAGMENTS) + text[place + chance.randrange(6) :]
        file.write_text(text, encoding="utf-8")
        for read in (read_record, read_history):
            try:
                read(file, game)
            except PliesError as error:
                sentence = str(error)
            else:
                continue
            assert sentence
            assert "\n" not in sentence


STRANGE = (
    10**9,
    10**30,
    -1,
    1e300,
    float("nan"),
    float("inf"),
    2.5,
    "x",
    [],
    [[[]]],
    {"a": 1},
    True,
    [10**9] * 3,
)


@pytest.mark.parametrize("name", plies.game_names())
def test_records_with_strange_parameters(name: str, tmp_path: Path) -> None:
    game, file = plies.game(name), tmp_path / "game.json"
    for parameter in inspect.signature(type(game)).parameters:
        for value in STRANGE:
            given = {**rule_parameters(game), parameter: value}
            file.write_text(json.dumps({"game": name, "parameters": given, "position": "", "moves": []}))
            try:
                read_history(file, game)
            except PliesError as error:
                sentence = str(error)
                assert "\n" not in sentence
                assert len(sentence) < 1000


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"moves": [["5"]]}, "a move is a word"),
        ({"moves": {}}, "moves is a list"),
        ({"moves": ["5"] * 10_001}, "moves is a list of at most 10,000"),
        ({"position": 5}, "position are text"),
        ({"parameters": []}, "parameters are names and values"),
        ({"parameters": {"x" * 10**5: 1}}, "has parameters that tic-tac-toe does not take"),
        ({"game": "x" * 10**5}, "is a record of xxx"),
    ],
)
def test_records_that_are_none(change: dict[str, object], sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    good = {"game": "tic-tac-toe", "parameters": {}, "position": "", "moves": ["5"]}
    file.write_text(json.dumps(good))
    assert program("draw", "tic-tac-toe", "--record", str(file)).code == 0
    file.write_text(json.dumps(good | change))
    done = program("draw", "tic-tac-toe", "--record", str(file))
    assert (done.code, done.out, done.error.count("\n")) == (2, "", 1)
    assert sentence in done.error
    assert len(done.error) < 2100


@pytest.mark.skipif(sys.platform == "win32", reason="no such devices")
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "/dev/zero", str(tmp_path)):
        for words in (("trace", "tree", f"tree={path}"), ("draw", "chess", "--record", path)):
            done = program(*words)
            assert (done.code, done.out, done.error.count("\n")) == (2, "", 1), words


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 100_000, "too deep to be read from JSON"),
        ("[" * 900 + "1" + "]" * 900, ""),
        ("[NaN, 1]", "must be a finite number"),
        ("[1e999, 1]", "must be a finite number"),
        ('[{"value": -Infinity}, 1]', "must be a finite number"),
        ("[" + "9" * 5000 + "]", ""),
        ('{"tree": [1], "levels": {"a": 1}}', "levels must be a list"),
        ('{"children": {"a": 1, "A ": 2}}', "have the same name"),
        (json.dumps([{"value": [1] * 101}, 1]), "up to 100 players"),
        (json.dumps([{"value": [1] * 100}, *[0] * 90_000]), "payoffs in all"),
        (
            json.dumps(
                [{"name": f"n{i}", "value": 1} for i in range(30_000)] + [{"name": "n29999", "value": 2}]
            ),
            "n29999",
        ),
        ('{"player": "chance", "children": [1, 2], "probabilities": [1e299, 1e299]}', "sum to 1"),
        ('{"name": {"a": [[[[[[]]]]]]}, "value": 1}', "must be a word"),
        ("\x00", "the tree is not JSON"),
        ('{"value": true}', "must be a number"),
        ('[{"value": [1.7e308, 1.7e308]}, 1]', "must be between -1e+300 and 1e+300"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_trees(text: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    file.write_text(text, encoding="utf-8")
    done = program("trace", "tree", f"tree={file}", "--depth", "1")
    assert "Traceback" not in done.error
    assert sentence in done.error
    assert done.error.count("\n") == (done.code == 2)
    if sentence:
        assert done.code == 2


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plies.games.tree_reader.LARGEST", 10)
    file = tmp_path / "tree.json"
    file.write_text("[1, 2, 3, 4]")
    done = program("trace", "tree", f"tree={file}")
    assert done.code == 2
    assert "it is larger than 10 bytes" in done.error
