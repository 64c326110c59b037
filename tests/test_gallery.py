"""The gallery of named trees: every number that the lectures state of them, and the names in the program."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from statistics import mean
from typing import Any

import pytest

import plies
from plies import book
from plies.book.events import Cut, Enter, Leaf, Update
from plies.gallery import ANY, EXAMPLES, Example, example
from plies.games.tree import Tree, tree_of
from plies.models import uniform
from test_cli import program

pytestmark = pytest.mark.plain

INF = float("inf")


def opened(name: str) -> tuple[plies.Game, Any]:
    one = example(name)
    game = plies.game(one.game, **one.parameters)
    return game, game.parse_position(one.position) if one.position else game.initial()


def traced(name: str, algorithm: str | None = None, **options: Any) -> book.Trace:
    game, state = opened(name)
    return book.trace(game, state, algorithm=algorithm or example(name).algorithm, **options)


def brute(node: Any, player: int = 0) -> Any:
    """The value of nested lists for MAX, who moves first, in three lines of our own."""
    if not isinstance(node, list):
        return node
    return (max, min)[player](brute(child, 1 - player) for child in node)


# -- Numbers.


def test_aima() -> None:
    found = traced("aima")
    assert (found.value, found.leaves, found.line) == (3, 7, ("a1", "b1"))
    assert traced("aima", "minimax").leaves == 9
    values = {node.entered.position: (node.relation, node.value) for node in found.tree[1:] if node.children}
    assert values == {"B": ("=", 3), "C": ("<=", 2), "D": ("=", 2)}


def test_aima_fail_hard() -> None:
    """A value outside the window is returned as the bound: all three MIN nodes are worth 3."""
    found = traced("aima", fail_hard=True)
    assert [node.value for node in found.tree if isinstance(node.entered, Enter)] == [3, 3, 3, 3]
    assert found.leaves == 7


def test_slide_22() -> None:
    found = traced("slide-22")
    windows = [event.window for event in found.events if isinstance(event, Update)]
    assert windows == [(-INF, 3), (8, 3), (3, INF), (3, 2), (3, 14), (3, 5), (3, 1)]
    at_cuts = [before.window for before, event in pairwise(found.events) if isinstance(event, Cut)]
    assert at_cuts == [(8, 3), (3, 2)]
    assert found.value == 3


@pytest.mark.parametrize("x", [-100, 0, 2, 3, 8, 100])
def test_slide_22_whatever_the_leaves_that_are_cut(x: int) -> None:
    tree = [[3, 12, [8, x]], [2, x], [14, 5, 1]]
    assert book.trace(Tree(tree)).events == traced("slide-22").events
    assert brute(tree) == 3
    assert example("slide-22").parameters["tree"] == [[3, 12, [8, ANY]], [2, ANY], [14, 5, 1]]


@pytest.mark.parametrize(
    ("name", "window", "reason", "value"),
    [
        ("alpha-cutoff", (4, INF), "value 3 <= alpha 4: MAX already has 4 elsewhere", 4),
        ("beta-cutoff", (-INF, -2), "value 0 >= beta -2: MIN already has -2 elsewhere", -2),
    ],
)
def test_cut_offs_deep_down(name: str, window: tuple[float, float], reason: str, value: int) -> None:
    found = traced(name)
    (cut,) = (event for event in found.events if isinstance(event, Cut))
    assert cut.reason == reason
    entered = found.tree[cut.node].entered
    assert isinstance(entered, Enter)
    assert entered.window == window
    assert 99 not in [event.value for event in found.events if isinstance(event, Leaf)]
    assert found.value == brute(example(name).parameters["tree"]) == value


def test_ordinal() -> None:
    plain, stretched = traced("ordinal"), traced("ordinal-stretched")
    assert plain.action == stretched.action == "a2"
    assert (plain.value, stretched.value) == (2, 20)


def test_linear() -> None:
    plain, stretched = traced("linear"), traced("linear-stretched")
    assert (plain.action, plain.value) == ("a1", pytest.approx(2.1))
    assert (stretched.action, stretched.value) == ("a2", pytest.approx(40.9))
    assert [node.value for node in stretched.tree[0].children] == pytest.approx([21, 40.9])


def test_expectiminimax() -> None:
    found = traced("expectiminimax")
    assert (found.value, [node.value for node in found.tree[0].children]) == (3, [3, -1])
    leaves = [event.value for event in found.events if isinstance(event, Leaf)]
    assert leaves == [2, 4, 7, 4, 6, 0, 5, -2]
    assert {node.entered.probability for node in found.tree[0].children[0].children} == {0.5}


def test_star1() -> None:
    """Pruning with dice is possible."""
    found = traced("star1")
    (cut,) = (event for event in found.events if isinstance(event, Cut))
    assert (found.value, found.leaves, cut.skipped) == (8, 3, ("c2", "c3", "c4"))
    assert (traced("star1", "expectiminimax").value, traced("star1", "expectiminimax").leaves) == (8, 6)


def test_three_players() -> None:
    assert traced("three-players").value == (1, 2, 6)


def test_sum_to_two() -> None:
    found = traced("sum-to-two")
    assert (found.value, found.action, found.leaves) == (1, "1", 6)
    assert traced("sum-to-two", "minimax").leaves == 8
    game, _ = opened("sum-to-two")
    whole = [book.count_strategies(game, player) for player in (0, 1)]
    reduced = [len(book.strategies(game, player, reduced=True)) for player in (0, 1)]
    assert (whole, reduced) == ([32, 4], [8, 4])


def test_not_rational() -> None:
    found = traced("not-rational")
    assert (found.action, found.value) == ("a2", 100)
    first, second = (mean(leaf.value for leaf in move.children) for move in found.tree[0].children)
    assert (first, second) == (774.75, 100.75)
    game, _ = opened("not-rational")
    modelled = plies.Modelled(game, {1: uniform})
    assert book.expectiminimax(modelled).value == 774.75


def test_tic_tac_toe() -> None:
    found = traced("tic-tac-toe")
    assert (found.value, found.line) == (0, ("9", "1", "2"))
    hurried = traced("tic-tac-toe", quick=10)
    ends = {event.value for event in hurried.events if isinstance(event, Leaf)}
    assert ends == {0, 10 - 3, 2 - 10}, "a win at ply 3 is worth 7, a loss at ply 2 is worth -8"


# -- The gallery as a whole.


@pytest.mark.parametrize("one", EXAMPLES.values(), ids=lambda one: one.name)
def test_an_example_suits_its_algorithm(one: Example) -> None:
    done = program("trace", f"slides:{one.name}")
    assert done.code == 0
    assert done.out.startswith(f"{one.algorithm} on ")
    assert " (depth)" not in done.out, "a tree is searched to its leaves"
    assert one.lectures
    shown = program("games", f"slides:{one.name}").out
    assert one.title in shown


def test_games_lists_them() -> None:
    listed = program("games").out
    for one in EXAMPLES.values():
        assert f"slides:{one.name} ({one.algorithm}): {one.title}." in listed


def test_the_names_of_the_lectures() -> None:
    named = "aima slide-22 alpha-cutoff beta-cutoff ordinal linear expectiminimax three-players sum-to-two"
    assert {*named.split(), "not-rational", "tic-tac-toe"} <= set(EXAMPLES)


@pytest.mark.parametrize(
    "command",
    [
        "best slides:aima --depth 2",
        "solve slides:slide-22",
        "draw slides:ordinal",
        "perft slides:aima 2",
        "play Slides:Tic_Tac_Toe --players engine:0.1,random --seed 1",
        "watch slides:tic-tac-toe --players random,random --seed 1 --delay 0",
        "compare slides:aima --depth 2",
        "trace slides:aima --option alpha=5",
    ],
)
def test_a_tree_stands_where_a_game_can(command: str) -> None:
    done = program(*command.split())
    assert done.code == 0, done.error
    assert done.out


def test_a_position_of_a_game_is_where_it_begins() -> None:
    assert program("draw", "slides:tic-tac-toe").out == program("draw", "tic-tac-toe", "..X/XXO/OO.").out
    assert program("draw", "slides:tic-tac-toe", "X../.../...").out == program("draw", "tic-tac-toe", "1").out


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("trace slides:none", "there is no tree 'none' in the gallery; there are aima, slide-22,"),
        ("match slides:tic-tac-toe random random", "is a position of tic-tac-toe, ..X/XXO/OO."),
        ("trace slides:aima depth=2", "'depth=2' is not a parameter of Tree; it takes tree"),
    ],
)
def test_mistakes(command: str, sentence: str) -> None:
    done = program(*command.split())
    assert done.code == 2
    assert sentence in done.error


def test_a_game_by_its_name_in_python() -> None:
    assert repr(plies.game("slides:aima")) == repr(Tree())
    with pytest.raises(plies.BadParameter, match="is a position of tic-tac-toe"):
        plies.game("slides:tic-tac-toe")
    assert not any(name.startswith("slides:") for name in plies.game_names())


# -- Games as trees.


@pytest.mark.parametrize(
    ("game", "moves", "value"),
    [
        (plies.SumToTwo, "", book.minimax),
        (plies.TicTacToe, "1 5 9 3 7", book.minimax),
        (lambda: plies.Pig(target=4), "", book.expectiminimax),
        (lambda: plies.Pirates(3, 2), "", book.max_n),
    ],
)
def test_the_tree_of_a_game_is_worth_as_much(
    game: Callable[[], plies.Game], moves: str, value: Callable[..., book.Decision[Any]]
) -> None:
    game = game()
    state = game.parse_position(moves) if moves else game.initial()
    depth = 5
    tree = tree_of(game, state, depth=depth)
    assert value(tree).value == pytest.approx(value(game, state, depth=depth).value)


def test_the_tree_of_a_game_has_its_names() -> None:
    game = plies.Backgammon()
    generator = random.Random(1)
    state = game.result(game.initial(), generator.choice(list(game.actions(game.initial()))))
    tree = tree_of(game, state, depth=1)
    assert sorted(tree.action_names[1:]) == sorted(
        game.notation(state, action).replace("/", "-") for action in game.actions(state)
    )


def test_a_tree_that_is_too_large() -> None:
    with pytest.raises(plies.BadParameter, match="more than 10,000 nodes: give a depth"):
        tree_of(plies.TicTacToe())
    with pytest.raises(plies.Unsuitable):
        tree_of(plies.Goofspiel(cards=2))
