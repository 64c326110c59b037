"""Game trees as lectures draw them, folding by symmetry, and large type."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import plies
from plies import draw
from plies.draw.large_type import LARGE
from plies.wrapper import Folded
from test_cli import program

pytestmark = pytest.mark.plain

GAME = plies.TicTacToe()


def boards(picture: draw.Picture) -> int:
    return picture.svg.count('<svg class="plies board"')


def texts(picture: draw.Picture, name: str) -> list[str]:
    return re.findall(rf'<text class="{name}"[^>]*>([^<]*)</text>', picture.svg)


# -- Folding.


def test_folded_games_of_tic_tac_toe() -> None:
    """26,830 games are left of 255,168, as is well known."""
    folded = Folded(GAME)

    @cache
    def games(state: Any, game: plies.Game) -> int:
        if game.is_terminal(state):
            return 1
        return sum(games(game.result(state, action), game) for action in game.actions(state))

    assert games(GAME.initial(), GAME) == 255_168
    assert games(GAME.initial(), folded) == 26_830


@pytest.mark.parametrize("game", [GAME, plies.ConnectFour(width=4, height=3)], ids=lambda game: game.name)
def test_folding_keeps_every_value(game: plies.Game) -> None:
    folded, rng = Folded(game), random.Random(1)
    for _ in range(10):
        state = game.initial()
        for _ in range(rng.randrange(4, 8)):
            if not game.is_terminal(state):
                state = game.result(state, rng.choice(list(game.actions(state))))
        if not game.is_terminal(state):
            assert plies.book.minimax(folded, state).value == plies.book.minimax(game, state).value
            assert sum(count for _, count in folded.orbits(state)) == len(list(game.actions(state)))


def test_orbits() -> None:
    assert Folded(GAME).orbits(GAME.initial()) == [(1, 4), (2, 4), (5, 1)]
    assert Folded(GAME).orbits(GAME.parse_position("5")) == [(1, 4), (2, 4)]
    pig = plies.Pig()
    rolled = pig.result(pig.initial(), next(iter(pig.actions(pig.initial()))))
    assert [action for action, _ in Folded(pig).orbits(rolled)] == [face for face, _ in pig.chance(rolled)]


def test_a_folded_trace(tmp_path: Path) -> None:
    done = program("trace", "tic-tac-toe", "--fold", "--depth", "2", "--algorithm", "minimax")
    assert done.out.splitlines()[1].startswith("16 nodes, 12 leaves")
    file = str(tmp_path / "folded.svg")
    assert program("trace", "tic-tac-toe", "--fold", "--depth", "2", "--svg", file, "--boards").code == 0
    assert "nothing to fold" in program("trace", "nim", "--fold").error


def test_simultaneous_moves_are_refused() -> None:
    for make in (Folded, draw.game_tree):
        with pytest.raises(plies.Unsuitable):
            make(plies.Goofspiel(cards=2))


# -- The picture.


def test_the_tree_of_the_lectures() -> None:
    picture = draw.game_tree(GAME)
    assert boards(picture) == 1 + 3 + 12 + 3
    assert texts(picture, "caption") == ["MAX (X)", "MIN (O)", "MAX (X)", "TERMINAL", "utility"]
    assert texts(picture, "utility") == ["−1", "0", "+1"]
    assert texts(picture, "times") == ["×4"] * 2 + ["×2"] * 6 + ["×4"] * 2
    assert picture.svg.count("rest dots") == 12
    assert "MAX (X): 1 (for 4 moves), 2 (for 4 moves), 5\n" in picture.svg
    assert picture == draw.game_tree(GAME), "it is the same every time"


def test_where_there_is_no_room_one_node_is_opened() -> None:
    assert boards(draw.game_tree(GAME, depth=3)) == 1 + 3 + 12 + 7 + 3
    four = draw.game_tree(plies.ConnectFour(), depth=1, width=2)
    assert boards(four) == 1 + 2 + len(texts(four, "utility"))
    assert four.svg.count("rest dots") == 1 + 2, "moves left out, and what follows the others"


def test_a_whole_game() -> None:
    picture = draw.game_tree(plies.Nim((1, 2)), depth=5)
    assert texts(picture, "utility") == ["−1", "−1", "+1", "+1", "+1"]
    assert "rest dots" not in picture.svg
    assert texts(picture, "caption")[-1] == "TERMINAL"


def test_a_tree_of_one_node() -> None:
    state = GAME.parse_position("1 4 2 5 3")
    assert boards(draw.game_tree(GAME, state)) == 1


def test_chance_and_several_players() -> None:
    assert "CHANCE" in texts(draw.game_tree(plies.Pig(target=4)), "caption")
    assert "pirate 1" in " ".join(texts(draw.game_tree(plies.Pirates()), "caption")).lower()


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "tree.svg"
    assert program("draw", "tic-tac-toe", "--tree", "2", "-o", str(file)) == (0, "", "")
    assert file.read_text(encoding="utf-8") == str(draw.game_tree(GAME))
    assert "give it a position" in program("draw", "nim", "--tree", "2", "--legal").error
    assert "depth must be between 1 and 8, not 0" in program("draw", "nim", "--tree", "0").error


# -- Large type.


def test_large_type_in_trees(tmp_path: Path) -> None:
    trace = plies.trace(plies.Tree())
    plain = draw.tree(trace)
    with draw.large_type():
        large = draw.tree(trace)
    assert draw.tree(trace) == plain
    assert 'class="plies tree large"' in large.svg
    widths = [float(re.search(r' width="(\d+)"', picture.svg)[1]) for picture in (plain, large)]
    assert 1.3 < widths[1] / widths[0] <= LARGE
    assert ".tree.large .value{font-size:22.5px}" in large.svg
    assert ".large" not in plain.svg
    file = tmp_path / "large.svg"
    program("--large", "trace", "tree", "--svg", str(file))
    assert file.read_text(encoding="utf-8") == str(large)
    program("trace", "tree", "--svg", str(file))
    assert file.read_text(encoding="utf-8") == str(plain), "it is for one command"


def test_large_type_on_boards_and_in_plots() -> None:
    chess = plies.Chess()
    plain = draw.board(chess, chess.initial())
    with draw.large_type():
        assert draw.board(chess, chess.initial()) != plain
        pytest.importorskip("matplotlib")
        large = draw.plots.ratios({"a": 2.0}, "Speed").figure
    letters = [
        figure.axes[0].title.get_fontsize()
        for figure in (draw.plots.ratios({"a": 2.0}, "Speed").figure, large)
    ]
    assert letters[1] == LARGE * letters[0]
