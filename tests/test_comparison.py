"""Algorithms side by side: the same value, each node counted, and nobody goes on for ever."""

from __future__ import annotations

import functools
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
    for algorithms in ([], [negamax]):
        with pytest.raises(BadParameter, match="depth"):
            plies.compare(game, depth=-1, algorithms=algorithms)
    with pytest.raises(PliesError, match="the game is over"):
        plies.compare(game, game.parse_position("1 4 2 5 3"))
    with pytest.raises(PliesError, match="chance is to move"):
        plies.compare(plies.Backgammon())
    with pytest.raises(PliesError):  # two players, not four
        plies.compare(plies.Pirates(), algorithms=["book:minimax"])


# -- Options, and functions of one's own.


def negamax(game, state, depth=99):
    """A search as a student writes it, for two players who move in turn."""
    if game.is_terminal(state):
        return game.utility(state, game.to_move(state)), None
    if depth == 0:
        return game.evaluate(state, game.to_move(state)), None
    tries = [(-negamax(game, game.result(state, a), depth - 1)[0], a) for a in game.actions(state)]
    return max(tries, key=lambda found: found[0])


def test_a_function_of_ones_own_is_counted_by_the_rules_it_asks() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("1 5 2")
    for depth in (3, None):
        book_row, own = plies.compare(game, state, depth=depth, algorithms=["book:minimax", negamax]).rows
        assert own.algorithm == "negamax"
        found, expected = (
            (row.value, row.move, row.nodes, row.stack, row.branching) for row in (own, book_row)
        )
        assert found == expected
        assert own.cuts is None
    text = str(plies.compare(game, state, depth=3, algorithms=[negamax]))
    assert re.search(r"\nnegamax +\S+ +3 +\d+ +4 +- ", text)


def test_a_function_with_a_trace_is_counted_by_it() -> None:
    game = plies.Nim(heaps=(2, 3))
    soft, hard = plies.compare(
        game, algorithms=["book:alpha-beta", functools.partial(book.alpha_beta, fail_hard=True)]
    ).rows
    assert hard.algorithm == "alpha_beta"
    assert (hard.value, hard.nodes, hard.cuts) == (soft.value, soft.nodes, soft.cuts)


def test_functions_with_fewer_parameters() -> None:
    game = plies.Nim(heaps=(1, 2))
    value = book.minimax(game).value

    def whole(game):
        return negamax(game, game.initial())[0]

    def from_here(g, s):
        return book.minimax(g, s)

    def deep(g, s, d):
        assert d == 3
        return from_here(g, s)

    def named(*, depth, state, game):
        return deep(game, state, depth)

    rows = plies.compare(game, depth=3, algorithms=[whole, from_here, deep, named]).rows
    assert [row.value for row in rows] == [value] * 4
    assert len({row.nodes for row in rows}) == 1


@pytest.mark.parametrize(
    ("search", "sentence"),
    [
        (lambda game, state, depth, more: 0, "cannot be compared: a search takes game, state and depth"),
        (lambda: 0, "it takes no game"),
        (lambda game: "won", "returned 'won'; a search returns the value, or the value and the action"),
        (lambda game: (0, 77), "returned the action 77, which is not legal"),
    ],
)
def test_functions_that_are_no_searches(search, sentence: str) -> None:
    with pytest.raises(BadParameter, match=sentence):
        plies.compare(plies.TicTacToe(), algorithms=[search])


def test_a_function_gives_up_whatever_it_catches() -> None:
    def stubborn(game, state):
        for action in game.actions(state):
            try:
                stubborn(game, game.result(state, action))
            except Exception:
                continue
        return 0

    (row,) = plies.compare(plies.TicTacToe(), algorithms=[stubborn], limit=100).rows
    assert (row.value, row.nodes) == (None, 101)


def test_a_function_sees_all_of_the_game() -> None:
    def curious(game, state):
        assert isinstance(game, plies.Game)
        return game.heaps[0], next(iter(game.actions(state)))

    (row,) = plies.compare(plies.Nim(heaps=(2, 3)), algorithms=[curious]).rows
    assert (row.value, row.nodes) == (2, 1)


def test_options_after_a_name() -> None:
    game = plies.TicTacToe()
    names = [
        "book:alpha-beta",
        "book:alpha-beta:cut-on-equal=no",
        "book:minimax:quick=10",
        "alpha-beta:table=no:null_window=no",
        "engine:beam=1",
    ]
    rows = plies.compare(game, depth=5, algorithms=names).rows
    assert [row.algorithm for row in rows] == [*names[:-1], "alpha-beta:beam=1"]
    assert rows[0].nodes < rows[1].nodes
    with pytest.raises(BadParameter, match="book:minimax has no option 'fail_hard'; it has"):
        plies.compare(game, algorithms=["book:minimax:fail_hard=yes"])


# -- Depth in plies, and the deepest stack.


def test_every_algorithm_is_as_deep() -> None:
    game = plies.Pirates(pirates=3, coins=2)
    for depth in (1, 2, 3, 4):
        found = plies.compare(game, depth=depth)
        assert len(found.rows) == 4
        assert {row.stack for row in found.rows} == {depth + 1}
    three = plies.Tree([[[1, 4], [2, 3]], [[5, 0], [1, 1]]], levels=("max", "min", "max"))
    minimax, opponents, paranoid = plies.compare(
        three, depth=2, algorithms=["book:minimax", "book:opponents", "book:paranoid"]
    ).rows
    assert minimax.value == opponents.value == paranoid.value
    assert minimax.nodes == opponents.nodes == 7


def test_expectimax_is_as_deep_as_a_search_of_its_model() -> None:
    game = plies.TicTacToe()
    state = game.parse_position("1 5 2")
    model = plies.Modelled(game, {0: plies.models.uniform})
    for depth in (1, 2, 3):
        (row,) = plies.compare(game, state, depth=depth, algorithms=["expectimax"]).rows
        assert row.value == pytest.approx(book.expectiminimax(model, state, depth=depth).value)
        assert row.stack == depth + 1


def test_a_roll_of_the_dice_is_a_ply_for_all() -> None:
    names = ["book:expectiminimax", "expectiminimax", "book:max-n", "max-n"]
    found = plies.compare(plies.Pig(target=8), depth=4, algorithms=names)
    assert found.agree
    assert {row.stack for row in found.rows} == {5}


def test_the_stack_is_the_longest_path() -> None:
    # Space O(bm): after two moves of Tic-Tac-Toe, the path to the end of the game has eight positions.
    game = plies.TicTacToe()
    names = ["book:minimax", "book:alpha-beta"]
    rows = plies.compare(game, game.parse_position("1 2"), algorithms=names).rows
    assert [row.stack for row in rows] == [8, 8]


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
    assert re.search(r"\nbook:minimax +-0\.1 +3 +395 +5 +0 ", done.out)
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


def test_the_command_with_a_function_and_options(tmp_path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def search(game, state):\n    return 5\n", encoding="utf-8")
    words = ("compare", "nim", "heaps=1,2", "--json", "--option", "quick=20", "--algorithms")
    done = program(*words, f"book:minimax,book:alpha-beta:quick=50,engine,{path}:search")
    rows = json.loads(done.out)["rows"]
    assert [row["algorithm"] for row in rows] == [
        "book:minimax:quick=20",
        "book:alpha-beta:quick=50",
        "alpha-beta",
        f"{path}:search",
    ]
    assert [row["value"] for row in rows] == [17, 47, 1, 5]
    for wrong in (f"{path}:other", f"{tmp_path}/none.py:search", "mine.py"):
        done = program("compare", "nim", "--algorithms", wrong)
        assert (done.code, done.out, done.error.count("\n")) == (2, "", 1), wrong
