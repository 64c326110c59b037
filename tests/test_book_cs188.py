"""The 82 trees of Berkeley's CS188 project: the action, and the exact set of nodes that are looked at."""

from __future__ import annotations

import pytest

from oracles import FOLDER, oracle
from plies import CHANCE, Game, book

pytestmark = pytest.mark.plain

NAMES = [tree["name"] for tree in oracle("trees/cs188_trees.json")["trees"]] if FOLDER.is_dir() else ["all"]


class Agents(Game):
    """A tree of the project: agent 0 is Pacman, the others are ghosts, who move in turn."""

    total = None

    def __init__(self, tree, ghosts):
        """Ghosts are "opponents", one player each; "min", all of them player 1; or "chance"."""
        self.tree = tree
        self.agents = tree["num_agents"]
        self.ghosts = ghosts
        self.players = {"opponents": self.agents, "min": 2, "chance": 1}[ghosts]
        self.total = 0 if ghosts == "min" else None
        self.ended = {*tree["win_states"], *tree["lose_states"]}

    @property
    def stochastic(self):
        return self.ghosts == "chance"

    def initial(self):
        return self.tree["start"], 0

    def to_move(self, state):
        agent = state[1]
        return agent if agent == 0 or self.ghosts == "opponents" else CHANCE if self.ghosts == "chance" else 1

    def actions(self, state):
        return [action for action, _ in self.tree["successors"][state[0]]]

    def chance(self, state):
        actions = self.actions(state)
        return [(action, 1 / len(actions)) for action in actions]

    def result(self, state, action):
        return dict(self.tree["successors"][state[0]])[action], (state[1] + 1) % self.agents

    def is_terminal(self, state):
        return state[0] in self.ended or state[0] not in self.tree["successors"]

    def utility(self, state, player):
        value = self.tree["evaluation"][state[0]]
        return value if player == 0 else -value

    evaluate = utility

    def position(self, state):
        return state[0]


@pytest.mark.parametrize("name", NAMES)
def test_tree(name):
    tree = next(tree for tree in oracle("trees/cs188_trees.json")["trees"] if tree["name"] == name)
    rounds = tree["depth_rounds"]
    plies = rounds * tree["num_agents"]
    if tree["algorithm"] == "MinimaxAgent":
        traces = [
            book.trace(Agents(tree, "opponents"), algorithm="opponents", depth=rounds),
            book.trace(Agents(tree, "min"), algorithm="minimax", depth=plies),
        ]
    elif tree["algorithm"] == "AlphaBetaAgent":
        traces = [book.trace(Agents(tree, "min"), depth=plies, cut_on_equal=False)]
    else:
        traces = [book.trace(Agents(tree, "chance"), algorithm="expectiminimax", depth=plies)]
    for trace in traces:
        assert trace.action == tree["expected_action"]
        assert {node.entered.position for node in trace.tree} == set(tree["expected_generated"])
        assert trace.value == pytest.approx(tree["root_value_recomputed"])


def test_there_are_82():
    assert len(oracle("trees/cs188_trees.json")["trees"]) == 82
