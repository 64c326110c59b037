"""AND-OR search and depth-first search: every plan is played out against everything that may happen."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plies
from plies import CHANCE, Game, PliesError, Unsuitable, book
from plies.games.tree import Tree
from strategies import chance_trees

pytestmark = pytest.mark.plain


def check_plan(game, state, plan, player, goal):
    """Play a plan out in every case."""
    if isinstance(plan, book.Done):
        assert goal(state)
        return
    assert not game.is_terminal(state)
    if isinstance(plan, book.Do):
        assert game.to_move(state) == player
        check_plan(game, game.play(state, plan.action), plan.then, player, goal)
        return
    mover = game.to_move(state)
    assert mover != player
    possible = [a for a, _ in game.chance(state)] if mover == CHANCE else list(game.actions(state))
    assert [action for action, _ in plan.cases] == possible
    for action in possible:
        check_plan(game, game.result(state, action), plan.after(action), player, goal)


@given(chance_trees(), st.integers(0, 1))
def test_there_is_a_plan_exactly_where_the_worst_case_is_won(tree, player):
    def won(node):
        if tree.is_terminal(node):
            return tree.utility(node, player) > 0
        below = [won(tree.result(node, action)) for action in tree.actions(node)]
        return any(below) if tree.to_move(node) == player else all(below)

    decision = book.and_or(tree, player=player)
    assert decision.value is won(0)
    assert (decision.plan is not None) is decision.value
    if decision.plan is not None:
        check_plan(tree, 0, decision.plan, player, lambda node: tree.utility(node, player) > 0)
        assert decision.action == getattr(decision.plan, "action", None)


class Vacuum(Game):
    """The erratic vacuum world of Russell and Norvig, section 4.3.

    To suck at a dirty square cleans it, and sometimes the other square too; at a clean one it sometimes drops
    dirt. A state is where the cleaner is, which squares are dirty, and whether chance is to move.
    """

    players = 1
    total = None

    def initial(self):
        return "left", ("left", "right"), False

    def to_move(self, state):
        return CHANCE if state[2] else 0

    def actions(self, state):
        return ["suck", "right", "left"]

    def result(self, state, action):
        place, dirty, _ = state
        if action == "suck":
            return place, dirty, True
        if action in ("left", "right"):
            return action, dirty, False
        return place, tuple(action.split()[1:]), False

    def chance(self, state):
        place, dirty, _ = state
        if place in dirty:
            others = [square for square in dirty if square != place]
            outcomes = [[], others] if others else [[]]
        else:
            outcomes = [dirty, [square for square in ("left", "right") if square in dirty or square == place]]
        return [(" ".join(["dirty", *squares]), 1 / len(outcomes)) for squares in outcomes]

    def is_terminal(self, state):
        return not state[1] and not state[2]

    def utility(self, state, player):
        return 1


def test_the_erratic_vacuum_cleaner():
    # The plan of the book: suck; if the other square is still dirty, go right and suck.
    game = Vacuum()
    decision = book.and_or(game)
    assert decision.value
    assert decision.action == "suck"
    check_plan(game, game.initial(), decision.plan, 0, game.is_terminal)
    assert book.plan_text(game, game.initial(), decision.plan) == (
        "suck\nif dirty:\n  done\nif dirty right:\n  right\n  suck\n  if dirty:\n    done\n"
    )


def test_no_plan_within_the_depth():
    assert book.and_or(Vacuum(), depth=5).value is True
    assert book.and_or(Vacuum(), depth=4) == book.Decision(False)


def test_a_goal_of_ones_own():
    game = Vacuum()
    decision = book.and_or(game, goal=lambda state: state[0] == "right" and not state[2])
    assert decision.plan is not None
    check_plan(game, game.initial(), decision.plan, 0, lambda state: state[0] == "right" and not state[2])
    assert book.and_or(game, goal=lambda state: False).plan is None


class Jugs(Game):
    """Jugs of 3 and 5 litres, a tap and a drain: measure a number of litres in the larger."""

    players = 1
    total = None

    def __init__(self, litres=4):
        self.litres = litres

    def initial(self):
        return 0, 0

    def to_move(self, state):
        return 0

    def actions(self, state):
        return ["fill 3", "fill 5", "empty 3", "empty 5", "pour 3", "pour 5"]

    def result(self, state, action):
        small, large = state
        if action == "pour 3":
            moved = min(small, 5 - large)
            return small - moved, large + moved
        if action == "pour 5":
            moved = min(large, 3 - small)
            return small + moved, large - moved
        return {"fill 3": (3, large), "fill 5": (small, 5), "empty 3": (0, large), "empty 5": (small, 0)}[
            action
        ]

    def is_terminal(self, state):
        return state[1] == self.litres

    def utility(self, state, player):
        return 1


def check_line(game, line):
    state = game.initial()
    for action in line:
        state = game.play(state, action)
    assert game.is_terminal(state)


def test_depth_first_measures_four_litres():
    decision = book.depth_first(Jugs())
    assert decision.value is True
    check_line(Jugs(), decision.line)
    # Fill 5, pour into 3, empty 3, pour, fill 5, pour: six moves are known to be the fewest.
    assert book.depth_first(Jugs(), depth=5) == book.Decision(False)
    bounded = book.depth_first(Jugs(), depth=6)
    assert len(bounded.line) == 6
    check_line(Jugs(), bounded.line)


def test_depth_first_gives_up_where_there_is_no_way():
    counts = book.Counts()
    assert book.depth_first(Jugs(6), trace=counts) == book.Decision(False)
    assert counts.nodes - counts.leaves == 16  # the states within reach: those with a jug empty or full


def test_depth_first_takes_the_first_positive_leaf():
    tree = Tree([[-1, 0], [[2, 5]], 9], ("max",))
    assert book.depth_first(tree) == book.Decision(True, (1, 0, 0))
    assert book.depth_first(tree, depth=1) == book.Decision(True, (2,))
    assert book.depth_first(Tree([-1, 0], ("max",))).value is False


def test_a_state_reached_sooner_is_searched_again():
    class Detour(Jugs):
        """From a to the goal over b and c is too far; straight to c is near enough."""

        ways = {"a": "bc", "b": "c", "c": "d", "d": "e", "e": ""}

        def initial(self):
            return "a"

        def actions(self, state):
            return list(self.ways[state])

        def result(self, state, action):
            return action

        def is_terminal(self, state):
            return state == "e"

    assert book.depth_first(Detour(), depth=3).line == ("c", "d", "e")
    assert book.depth_first(Detour(), depth=4).line == ("b", "c", "d", "e")


def test_depth_first_refuses():
    class Lists(Jugs):
        def initial(self):
            return [0, 0]

    with pytest.raises(Unsuitable, match=r"depth-first search .*Tree"):
        book.depth_first(Tree())
    with pytest.raises(Unsuitable, match=r"depth-first search .*Tree"):
        book.depth_first(Tree([[1]], ("max", "chance")))
    with pytest.raises(Unsuitable, match="hash"):
        book.depth_first(Lists())


def test_puzzles_without_end_need_a_depth():
    class Counting(Jugs):
        def initial(self):
            return 0

        def actions(self, state):
            return [1]

        def result(self, state, action):
            return state + action

        def is_terminal(self, state):
            return False

    for search in (book.depth_first, book.and_or):
        with pytest.raises(PliesError, match="give a depth"):
            search(Counting())
        assert search(Counting(), depth=20).value is False


class Half(plies.TicTacToe):
    """A win is 1, a draw a half, a loss 0."""

    total = 1
    bounds = (0, 1)

    def utility(self, state: Any, player: int) -> float:
        return (super().utility(state, player) + 1) / 2


@pytest.mark.parametrize("search", [book.and_or, book.proof_number])
@pytest.mark.parametrize(("position", "wins"), [("XX./OO./...", True), ("XOX/XOO/OX.", False)])
def test_a_draw_that_is_worth_something_is_no_win(search: Any, position: str, wins: bool) -> None:
    for game in (plies.TicTacToe(), Half()):
        assert search(game, game.parse_position(position)).value is wins
