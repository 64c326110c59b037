"""Proof-number search: who wins by force, by the leaf that decides it soonest (Allis et al. 1994)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from operator import attrgetter

from plies.book.decision import Cutoff, Decision, actions_in, algorithm, at_least_one, cutoff_test, start
from plies.book.recorder import Recorder, TreeNode
from plies.game import Game, State
from plies.validation import refuse_arrays


@dataclass(eq=False)
class _Node(TreeNode):
    """A node of the tree.

    The proof number is the least number of leaves that must be proved for the node to be proved, the disproof
    number that of leaves to be disproved: 1 and 1 until a node is expanded.
    """

    parent: _Node | None = field(default=None, repr=False)
    children: list[_Node] = field(default_factory=list, repr=False)
    kind: str = "or"  # or "and", or why it is a leaf
    proof: float = 1
    disproof: float = 1

    @property
    def numbers(self) -> tuple[float, float]:
        return self.proof, self.disproof


@algorithm("proof-number", subject="proof-number search", chooses=False, budget="nodes")
def proof_number(
    game: Game,
    state: State | None = None,
    *,
    player: int | None = None,
    depth: int | None = None,
    cutoff: Cutoff | None = None,
    goal: Callable[[State], bool] | None = None,
    nodes: int = 100_000,
    trace: Recorder | None = None,
) -> Decision[bool | None]:
    """Whether a player can force the goal, and by which action; None if a number of nodes is not enough.

    The action is then that of the least proof number. At an OR node the player picks one action; at an AND
    node all others and chance may take any. The default goal is to end the game with more than a draw. A
    leaf that is no goal is disproved: the end of the game, a state that is already on the path, and the bound
    of `depth` or `cutoff`.
    """
    at_least_one(nodes=nodes)
    state, player = start(game, state, player)
    refuse_arrays(game, state)  # states on the path are compared
    cut_off = cutoff_test(depth, cutoff)
    trace = trace or Recorder()
    count = 0

    def won(state: State) -> bool:
        return game.is_terminal(state) and game.utility(state, player) > game.draw_value

    is_goal = goal or won

    def most_proving(node: _Node) -> _Node:
        """The leaf whose proof helps to prove the root, and whose disproof helps to disprove it."""
        trace.visit(node)
        while node.children:
            scores = {child.action: child.numbers for child in node.children}
            node = min(node.children, key=attrgetter("proof" if node.kind == "or" else "disproof"))
            trace.visit(node, scores)
        return node

    def expand(node: _Node) -> None:
        """Add all children of a node to the tree."""
        for action in actions_in(game, node.state):
            node.children.append(add(_Node(game.result(node.state, action), action, node)))

    def update_ancestors(node: _Node | None) -> None:
        """Give a node and all above it their numbers by those of the children."""
        while node is not None:
            proofs = [child.proof for child in node.children]
            disproofs = [child.disproof for child in node.children]
            if node.kind == "or":  # one child proved is enough; all must be disproved
                node.proof, node.disproof = min(proofs), sum(disproofs)
            else:
                node.proof, node.disproof = sum(proofs), min(disproofs)
            trace.back_up(node, node.numbers)
            node = node.parent

    def add(node: _Node) -> _Node:
        """Add a node to the tree, with its first numbers."""
        nonlocal count
        count += 1
        over = "terminal" if game.is_terminal(node.state) else "cycle" if is_repeated(node) else ""
        if is_goal(node.state):
            node.kind, node.proof, node.disproof = "goal", 0, inf
        elif why := over or cut_off(node.state, node.ply):
            node.kind, node.proof, node.disproof = why, inf, 0
        else:
            node.kind = "or" if game.to_move(node.state) == player else "and"
        trace.add(node, node.kind, node.numbers)
        return node

    root = add(_Node(state))
    while root.proof > 0 and root.disproof > 0 and count < nodes:
        node = most_proving(root)
        expand(node)
        update_ancestors(node)
    decided = root.proof == 0 if 0 in root.numbers else None
    choosing = root.kind == "or" and root.children and decided is not False
    line = (min(root.children, key=attrgetter("proof")).action,) if choosing else ()
    return trace.finish("proof-number", Decision(decided, line))


def is_repeated(node: _Node) -> bool:
    """Whether the state of a node is on the path to it already."""
    above = node.parent
    while above is not None and above.state != node.state:
        above = above.parent
    return above is not None
