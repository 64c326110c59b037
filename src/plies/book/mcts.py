"""UCT: Monte Carlo tree search by upper confidence bounds (Kocsis and Szepesvári 2006)."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from math import isfinite, log, sqrt

from plies.book.decision import (
    Decision,
    Evaluation,
    Line,
    actions_in,
    algorithm,
    at_least_one,
    depth_bound,
    start,
)
from plies.book.recorder import Recorder, TreeNode
from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, State
from plies.needs import Needs
from plies.validation import checked_bounds, outcomes_in

Scores = dict[Action, tuple[float, float]]
"""The means of children, and the widths of their confidence bounds."""

LONGEST = 2000
"""The most plies of a playout, at whose end the position is evaluated. Not tuned."""


@dataclass(eq=False)
class _Node(TreeNode):
    """A node of the tree: its visits, and the sum of their payoffs to MAX."""

    parent: _Node | None = field(default=None, repr=False)
    children: dict[Action, _Node] = field(default_factory=dict, repr=False)
    kind: str = "max"  # or "min", "chance", "terminal"
    visits: int = 0
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits


@algorithm(
    "mcts",
    Needs(players=2, alone_too=True, zero_sum=True),
    "UCT",
    label="UCT",
    exact=False,
    budget="simulations",
    predictable=False,  # it plays at random
)
def mcts(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    simulations: int = 1000,
    exploration: float = 0.7,
    seed: int | None = 0,
    evaluate: Evaluation | None = None,
    trace: Recorder | None = None,
) -> Decision[float]:
    """The most visited action after a number of simulations, and the mean of its payoffs to a player, MAX.

    A simulation goes down the tree, adds a node, plays at random from there to the end of the game, and adds
    the payoff to all nodes on its way. MAX selects the child of the greatest upper confidence bound, MIN that
    of the least lower one; their c is `exploration` times the range of utilities. The tree is at most `depth`
    plies deep. `evaluate` is for playouts of more than 2000 plies.
    """
    at_least_one(simulations=simulations)
    if not (exploration >= 0 and isfinite(exploration)):
        raise BadParameter(f"exploration must be 0 or more, and finite, not {exploration}")
    state, player = start(game, state, player)
    bound, (low, high) = depth_bound(depth), checked_bounds(game)
    c = exploration * (high - low)
    evaluate = evaluate or game.evaluate
    trace = trace or Recorder()
    rng = random.Random(seed)

    def select(node: _Node) -> tuple[_Node, Action]:
        """Go down from the root, to an action that the tree does not have yet; None if there is none."""
        trace.visit(node)
        while node.kind != "terminal" and node.ply < bound:
            action, scores = chosen(game, node, c, rng)
            if action not in node.children:
                return node, action
            node = node.children[action]
            trace.visit(node, scores)
        return node, None

    def expand(node: _Node, action: Action) -> _Node:
        """Add the child that an action leads to."""
        if action is None:
            return node
        child = node.children[action] = _Node(game.result(node.state, action), action, node)
        return added(game, child, player, trace)

    def simulate(node: _Node) -> float:
        """Play at random to the end of the game, for the payoff to MAX."""
        state, line = node.state, list[Action]()
        while not game.is_terminal(state) and len(line) < LONGEST:
            line.append(drawn(game, state, rng))
            state = game.result(state, line[-1])
        payoff = float((game.utility if game.is_terminal(state) else evaluate)(state, player))
        trace.playout(node, line, payoff)
        return payoff

    def back_up(node: _Node | None, payoff: float) -> None:
        """Add the payoff to a node and to all above it."""
        while node is not None:
            node.visits += 1
            node.total += payoff
            trace.back_up(node, node.mean, node.visits)
            node = node.parent

    root = added(game, _Node(state), player, trace)
    for _ in range(simulations):
        node, action = select(root)
        child = expand(node, action)
        payoff = simulate(child)
        back_up(child, payoff)
    line = most_visited(root)
    value = (root.children[line[0]] if line else root).mean
    return trace.finish("mcts", Decision(value, line))


def chosen(game: Game, node: _Node, c: float, rng: random.Random) -> tuple[Action, Scores]:
    """What chance draws, or the first action not tried yet, or the one of the best confidence bound."""
    if node.kind == "chance":
        return drawn(game, node.state, rng), {}
    for action in actions_in(game, node.state):
        if action not in node.children:
            return action, {}
    scores, best = confidence_bounds(node, c), max if node.kind == "max" else min
    return best(scores, key=lambda action: sum(scores[action])), scores


def confidence_bounds(node: _Node, c: float) -> Scores:
    """UCB1 of all children: the mean, and the width c sqrt(ln N / n) after n of the N visits of the node.

    MAX adds the width to the mean, MIN subtracts it.
    """
    sign = 1 if node.kind == "max" else -1
    return {
        action: (child.mean, sign * c * sqrt(log(node.visits) / child.visits))
        for action, child in node.children.items()
    }


def added(game: Game, node: _Node, player: int, trace: Recorder) -> _Node:
    """A node that joins the tree, with its kind."""
    over = game.is_terminal(node.state)
    mover = None if over else game.to_move(node.state)
    node.kind = {None: "terminal", CHANCE: "chance", player: "max"}.get(mover, "min")
    trace.add(node, node.kind, game.utility(node.state, player) if over else None)
    return node


def drawn(game: Game, state: State, rng: random.Random) -> Action:
    """A random action, or outcome of chance."""
    if game.to_move(state) == CHANCE:
        outcomes, probabilities = zip(*outcomes_in(game, state), strict=True)
        return rng.choices(outcomes, probabilities)[0]
    return rng.choice(actions_in(game, state))


def most_visited(node: _Node) -> Line:
    """The most visited actions from a node on, until chance decides; of equals, that of the best mean."""
    if not node.children or node.kind == "chance":
        return ()
    sign = 1 if node.kind == "max" else -1
    child = max(node.children.values(), key=lambda child: (child.visits, sign * child.mean))
    return (child.action, *most_visited(child))
