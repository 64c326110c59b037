"""Algorithms side by side: the same value, each node counted, and nobody goes on for ever."""

from __future__ import annotations

import json
import re

import pytest

import plies
from plies import BadParameter, PliesError, book
from plies.comparison import NAMES, effective_branching_factor, suitable
from test_cli import program

pytestmark = pytest.mark.plain

SMALL = [
    (plies.TicTacToe(), 4),
    (plies.ConnectFour(width=4, height=4), 5),
    (plies.Nim(heaps=(2, 3)), None),
    (plies.Othello(size=4), 4),
    (plies.Kalah(houses=3, seeds=2), 5),
    (plies.Chess(), 2),
]


@pytest.mark.parametrize(("game", "depth"), SMALL, ids=lambda value: getattr(value, "name", ""))
def test_two_players_all_agree(game: plies.Game, depth: int | None) -> None:
    found = plies.compare(game, depth=depth)
    assert [row.algorithm for row in found.rows] == ["book:minimax", "book:alpha-beta", "alpha-beta"]
    minimax, alpha_beta, engine = found.rows
    assert found.agree
    assert minimax.value == alpha_beta.value == pytest.approx(engine.value, abs=1e-6)
    assert minimax.cuts == 0 < alpha_beta.cuts
    assert minimax.nodes > alpha_beta.nodes
    nodes = [row.nodes for row in found.rows]
    assert str(found).endswith(f"with up to {max(nodes) / min(nodes):,.3g} times the nodes.")


def test_nodes_and_moves_are_those_of_the_algorithm() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("1 5 2")
    counts = book.Counts()
    decision = book.alpha_beta(game, state, depth=5, trace=counts)
    (row,) = plies.compare(game, state, depth=5, algorithms=["book:alpha-beta"]).rows
    assert (row.value, row.nodes, row.cuts) == (decision.value, counts.nodes, sum(counts.cuts.values()))
    assert row.move == game.notation(state, decision.action) == "3"
    assert row.branching == pytest.approx(effective_branching_factor(row.nodes, 5))


def test_dice_agree() -> None:
    found = plies.compare(plies.Pig(target=8), depth=5)
    assert [row.algorithm for row in found.rows] == ["book:expectiminimax", "expectiminimax"]
    assert found.agree


def test_several_players_need_not_agree() -> None:
    found = plies.compare(plies.Pirates(pirates=3, coins=2))
    values = {row.algorithm: row.value for row in found.rows}
    assert set(values) == {"book:max-n", "book:opponents", "book:paranoid", "max-n"}
    assert values["book:max-n"] == values["max-n"] > values["book:opponents"] == values["book:paranoid"]
    assert not found.agree
    assert "They do not find the same value" in str(found)


def test_every_game_has_algorithms_to_compare() -> None:
    for name in plies.game_names():
        game = plies.game(name)
        assert {*suitable(game)} <= {*NAMES}


def test_one_that_takes_too_long_gives_up_and_says_so() -> None:
    found = plies.compare(plies.Othello(), depth=30, limit=200)
    assert [row.value for row in found.rows] == [None, None, None]
    assert all(row.nodes <= 201 + 64 for row in found.rows)
    assert "gave up" in str(found)
    assert "There is nothing to compare" in str(found)


def test_it_refuses() -> None:
    game = plies.TicTacToe()
    with pytest.raises(
        BadParameter, match=r"there is no algorithm 'magic'; there are engine, alpha-beta, .*book:minimax"
    ):
        plies.compare(game, algorithms=["magic"])
    with pytest.raises(BadParameter, match="1 node or more"):
        plies.compare(game, limit=0)
    with pytest.raises(BadParameter, match="depth"):
        plies.compare(game, depth=-1)
    with pytest.raises(PliesError, match="the game is over"):
        plies.compare(game, game.parse_position("1 4 2 5 3"))
    with pytest.raises(PliesError, match="chance is to move"):
        plies.compare(plies.Backgammon())
    with pytest.raises(PliesError):  # two players, not four
        plies.compare(plies.Pirates(), algorithms=["book:minimax"])


def test_a_notebook_shows_a_table() -> None:
    found = plies.compare(plies.Nim(heaps=(1, 2)), algorithms=["book:minimax", "book:alpha-beta"])
    html = found._repr_html_()
    assert html.count("<tr>") == 3
    for row in found.rows:
        assert f">{row.nodes:,}</td>" in html
    assert "<caption>nim, player 1 to move, to the end of the game</caption>" in html


@pytest.mark.parametrize(("branches", "depth"), [(2, 1), (2, 10), (3, 5), (35, 4), (1, 7), (250, 2)])
def test_the_effective_branching_factor_of_an_even_tree_is_its_branching_factor(
    branches: int, depth: int
) -> None:
    nodes = sum(branches**ply for ply in range(depth + 1))
    assert effective_branching_factor(nodes, depth) == pytest.approx(branches, rel=1e-9)


def test_the_effective_branching_factor_of_the_textbook() -> None:
    # A solution at depth 5 with 52 nodes generated besides the root: 1.92, say Russell and Norvig.
    assert effective_branching_factor(53, 5) == pytest.approx(1.92, abs=0.005)
    assert effective_branching_factor(1, 0) == 0
    assert 0 < effective_branching_factor(4, 6) < 1


def test_the_command() -> None:
    done = program("compare", "tic-tac-toe", "1 5 2", "--depth", "4")
    assert done.code == 0
    assert done.out.startswith("tic-tac-toe, O to move, 4 plies deep\n")
    assert re.search(r"\nbook:minimax +-0\.1 +3 +395 +0 ", done.out)
    assert "All find the same value" in done.out


def test_the_command_in_json_with_algorithms() -> None:
    done = program(
        "compare", "pig", "target=6", "--depth", "3", "--algorithms", "book:expectiminimax", "--json"
    )
    data = json.loads(done.out)
    assert (data["depth"], data["agree"], len(data["rows"])) == (3, True, 1)
    assert data["rows"][0]["algorithm"] == "book:expectiminimax"


def test_the_command_refuses_in_a_sentence() -> None:
    for words in (("--algorithms", "x"), ("--limit", "0"), ("--depth", "-3"), ("--depth", "x")):
        done = program("compare", "nim", *words)
        assert (done.code, done.out, done.error.count("\n")) == (2, "", 1), words
