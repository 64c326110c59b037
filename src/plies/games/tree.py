"""Game trees given by hand: nested lists or JSON, with max, min, chance and any number of players."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

from plies.errors import BadParameter, BadPosition, IllegalMove, PliesError
from plies.gallery import FIGURE_5_2
from plies.game import CHANCE, Game, State
from plies.games.tree_reader import LIMIT, Floats, Node, read_tree
from plies.scene import Cell, Label, Line, Piece, Scene
from plies.validation import refuse_simultaneous

WIDEST = 18
"""The most leaves that a picture shows side by side. Not tuned."""
NARROWEST = 6.0
"""The least width of a picture, in cells: a leaf alone is not magnified. Not tuned."""


class Tree(Game):
    """A game tree given by hand; a state is the number of a node, the root is 0.

    A node is one of
    - a number: a leaf, worth that much to MAX (player 0) and minus that to every other player;
    - a tuple of numbers: a leaf, with a payoff for each player;
    - a list of nodes: MAX and MIN move in turn, or the players that `levels` names, level by level;
    - a mapping with `value` (a number, or one for each player) or with `children` (a list of nodes, or a
      mapping from the names of actions to nodes), and where wanted `name`, `player` ("max", "min", "chance",
      0, 1, …), `probabilities` (of a chance node; equal if left out), `evaluate` (an estimate, like `value`).

    Inner nodes without a name are called A, B, C, … level by level, the actions at A a1, a2, … as in AIMA.
    A string is JSON, or the path of a JSON file. Without a tree, it is the one of AIMA's figure 5.2.
    """

    prompt = "Your branch"
    rules = (
        "Begin at the root. Whoever a node belongs to picks one of its branches; at some, chance does. "
        "The game ends at a leaf, and the number there is what MAX gets and MIN pays; "
        "where there is a number for each player, each gets their own."
    )
    stochastic: bool = False

    def __init__(self, tree: Node = FIGURE_5_2, levels: Sequence[str | int] | str | None = None) -> None:
        nodes = read_tree(tree, levels)
        self.players = nodes.players
        self.first_child = nodes.first_child
        self.child_count = nodes.child_count
        self.parent = nodes.parent
        self.mover = nodes.mover
        self.probability = nodes.probability
        self.payoffs = nodes.payoffs
        self.estimates = nodes.estimates
        self.node_names = nodes.names
        self.action_names = nodes.actions
        payoffs, size = [float(payoff) for payoff in self.payoffs], self.players
        leaves = [node for node, children in enumerate(self.child_count) if children == 0]
        self.total = _total([payoffs[node * size : node * size + size] for node in leaves])
        numbers = payoffs + [float(estimate) for estimate in self.estimates]
        self.bounds = min(numbers), max(numbers)
        self.move_indices = max(map(int, self.child_count))
        movers = zip(self.mover, self.child_count, strict=True)
        self.stochastic = any(mover == CHANCE and children > 0 for mover, children in movers)
        if self.players == 1 or (self.players == 2 and self.constant_sum):
            self.player_names = ("MAX", "MIN")[: self.players]

    # -- The rules. `int` and `float` avoid NumPy scalars, and cost nothing compiled.

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return int(self.mover[state])

    def actions(self, state: int) -> Iterator[int]:
        for action in range(self.child_count[state]):
            yield action

    def result(self, state: int, action: int) -> int:
        return int(self.first_child[state]) + action

    def is_terminal(self, state: int) -> bool:
        return bool(self.child_count[state] == 0)

    def utility(self, state: int, player: int) -> float:
        return float(self.payoffs[state * self.players + player])

    def chance(self, state: int) -> Iterator[tuple[int, float]]:
        for action in range(self.child_count[state]):
            yield action, float(self.probability[self.first_child[state] + action])

    def evaluate(self, state: int, player: int) -> float:
        return float(self.estimates[state * self.players + player])

    # -- Presentation.

    def notation(self, state: int, action: int) -> str:
        return self.action_names[self.result(state, action)]

    def text(self, state: int) -> str:
        """The subtree of a node, indented; of a large one, a part."""
        lines: list[str] = []
        stack = [(state, 0)]
        while stack and len(lines) < 60:
            node, depth = stack.pop()
            action = f"{self.action_names[node]}: " if depth else ""
            lines.append("  " * depth + action + self._caption(node))
            stack += [(self.result(node, a), depth + 1) for a in reversed(range(self.child_count[node]))]
        return "\n".join(lines) + ("\n…" if stack else "")

    def _caption(self, node: int) -> str:
        name = self.node_names[node]
        if self.is_terminal(node):
            return f"{name} {_shown(self._given(self.payoffs, node))}".lstrip()
        return f"{name} ({self.player_name(self.to_move(node))})"

    def scene(self, state: int) -> Scene | None:
        """The subtree of a node, as deep as there is room; the branches to choose from are cells.

        A node with too many branches has only its text.
        """
        levels = [[state]]
        while below := [child for node in levels[-1] for child in self._children(node)]:
            ends = sum(not self._children(node) for level in levels for node in level)
            if len(below) + ends > WIDEST:
                break
            levels.append(below)
        if len(levels) == 1 and self._children(state):
            return None
        return self._fan(state, levels)

    def _children(self, node: int) -> range:
        first = int(self.first_child[node])
        return range(first, first + int(self.child_count[node]))

    def _fan(self, state: int, levels: list[list[int]]) -> Scene:
        """A picture of nodes, level by level: leaves side by side, other nodes above their children."""
        place: dict[int, tuple[float, float]] = {}
        end = 0.0

        def put(node: int, depth: int) -> float:
            nonlocal end
            below = self._children(node) if depth + 1 < len(levels) else range(0)
            if below:
                xs = [put(child, depth + 1) for child in below]
                x = (xs[0] + xs[-1]) / 2
            else:
                x, end = end + 0.5, end + 1
            place[node] = (x, 0.5 + 1.7 * depth)
            return x

        put(state, 0)
        width = max(end, NARROWEST)
        place = {node: (x + (width - end) / 2, y) for node, (x, y) in place.items()}
        nodes = [node for level in levels for node in level]
        inner = [node for node in nodes if node != state]
        lines = [Line(*place[int(self.parent[node])], *place[node]) for node in inner]
        labels = [Label(place[node][0], place[node][1] - 0.6, self.action_names[node]) for node in inner]
        chosen = self._children(state)
        cells = [Cell(self.action_names[child], *place[child], "slot") for child in chosen]
        here = () if chosen else (Cell("here", *place[state], "slot"),)
        pieces = [self._piece(node, *place[node]) for node in nodes]
        return Scene(width, 1.7 * len(levels) - 0.7, [*cells, *here], pieces, lines, labels)

    def _piece(self, node: int, x: float, y: float) -> Piece:
        if self.is_terminal(node):
            return Piece(x, y, None, "sign", f"■{_shown(self._given(self.payoffs, node))}")
        mover = self.to_move(node)
        sign = "●" if mover == CHANCE else "▼" if self.player_name(mover) == "MIN" else "▲"
        return Piece(x, y, None if mover == CHANCE else mover, "sign", sign + self.node_names[node])

    def move_squares(self, state: int, action: int) -> Sequence[str]:
        return (self.notation(state, action),)

    def position(self, state: int) -> str:
        """The name of the node; for a leaf without one, the path of actions: "/a1/b2"."""
        return self.node_names[state] or "".join(f"/{name}" for name in self._path(state))

    def parse_position(self, text: str) -> int:
        """The node of that name, or at the end of a path of actions: "a1 b2" or "/a1/b2"."""
        wanted = text.strip()
        if wanted in self.node_names and wanted:
            return self.node_names.index(wanted)
        if "/" not in wanted:
            try:
                return int(super().parse_position(wanted))
            except BadPosition as error:
                raise BadPosition(f"no node is called {wanted!r}, and as moves: {error}") from None
        node = 0
        for name in wanted.removeprefix("/").split("/"):
            if self.is_terminal(node):
                raise BadPosition(f"{name!r} in {wanted!r} comes after a leaf")
            try:
                node = self.result(node, self.parse_action(node, name))
            except IllegalMove as error:
                raise BadPosition(f"{error} (reading {wanted!r} as a path)") from None
        return node

    def _path(self, node: int) -> list[str]:
        """The names of the actions from the root to a node."""
        names = []
        while node:
            names.append(self.action_names[node])
            node = int(self.parent[node])
        return names[::-1]

    def __repr__(self) -> str:
        if len(self.mover) > 300:
            return f"<Tree of {len(self.mover)} nodes>"
        return f"Tree({json.dumps(self._as_json(), ensure_ascii=False)!r})"

    # -- JSON.

    @classmethod
    def from_json(cls, text: str) -> Tree:
        """The tree that JSON text, or the JSON file at a path, describes: see `to_json`."""
        return cls(text)

    def to_json(self) -> str:
        """The tree as JSON, with every mover and name written out."""
        try:
            return json.dumps(self._as_json(), ensure_ascii=False, indent=1)
        except RecursionError:
            raise PliesError("the tree is too deep to be written as JSON") from None

    def _as_json(self) -> dict[str, Any]:
        nodes: list[Any] = []
        words: dict[int, str | int] = {p: name.lower() for p, name in enumerate(self.player_names)}
        words[CHANCE] = "chance"
        for i in reversed(range(len(self.mover))):  # children come after their parents, so they are ready
            node: dict[str, Any] = {"name": self.node_names[i]} if self.node_names[i] else {}
            if self.child_count[i] == 0:
                value = self._given(self.payoffs, i)
                nodes.append({**node, "value": value} if node or isinstance(value, list) else value)
                continue
            first, count = int(self.first_child[i]), int(self.child_count[i])
            node["player"] = words.get(self.to_move(i), self.to_move(i))
            if self.mover[i] == CHANCE:
                node["probabilities"] = [p for _, p in self.chance(i)]
            if any(self.evaluate(i, player) for player in range(self.players)):
                node["evaluate"] = self._given(self.estimates, i)
            children = range(first, first + count)
            node["children"] = {self.action_names[j]: nodes[len(self.mover) - 1 - j] for j in children}
            nodes.append(node)
        levels = [words.get(player, player) for player in range(self.players)]
        return {"levels": levels, "tree": nodes[-1]}

    def _given(self, numbers: Floats, node: int) -> float | list[float]:
        """The payoffs of a node as people write them: one number if zero-sum, integers where whole."""
        mine = [float(x) for x in numbers[node * self.players : (node + 1) * self.players]]
        plain = [int(x) if x.is_integer() and abs(x) < 2**53 else x for x in mine]
        return plain[0] if all(x == -mine[0] for x in mine[1:]) else plain


def random_tree(
    seed: int = 0,
    *,
    branching: int = 3,
    depth: int = 3,
    values: tuple[int, int] = (-9, 9),
    levels: Sequence[str | int] = ("max", "min"),
) -> Tree:
    """A uniform tree with the given branching and depth, and random integers from a range as leaves."""
    if branching < 1 or depth < 0:
        raise BadParameter(f"branching must be 1 or more and depth 0 or more, not {branching} and {depth}")
    if branching**depth > LIMIT:
        raise BadParameter(f"a tree with branching {branching} and depth {depth} is too large")
    generator = random.Random(seed)
    nodes: list[Node] = [generator.randint(*values) for _ in range(branching**depth)]
    for _ in range(depth):
        nodes = [nodes[i : i + branching] for i in range(0, len(nodes), branching)]
    return Tree(nodes[0], levels)


def tree_of(game: Game, state: State | None = None, *, depth: int | None = None, limit: int = 10_000) -> Tree:
    """The game tree below a state, to be changed, drawn or given to a class; by default, of the whole game.

    At a depth bound the leaves are worth what the game's `evaluate` says.
    """
    refuse_simultaneous(game, "a tree of moves in turn")
    count = 0

    def node(state: State, ply: int) -> Node:
        nonlocal count
        count += 1
        if count > limit:
            raise BadParameter(f"the tree has more than {limit:,} nodes: give a depth, or a higher limit")
        over = game.is_terminal(state)
        if over or ply == depth:
            worth = game.utility if over else game.evaluate
            return {"value": tuple(worth(state, player) for player in range(game.players))}
        chances = dict(game.chance(state)) if game.to_move(state) == CHANCE else {}
        below = {
            action: node(game.result(state, action), ply + 1) for action in chances or game.actions(state)
        }
        names = [game.notation(state, action).replace("/", "-") for action in below]  # "/" is for paths
        alike = len({"".join(name.split()).casefold() for name in names}) < len(names)
        found: dict[str, Any] = {"player": "chance" if chances else game.to_move(state)}
        if chances:
            found["probabilities"] = list(chances.values())
        children = list(below.values())
        return {**found, "children": children if alike else dict(zip(names, children, strict=True))}

    return Tree(node(game.initial() if state is None else state, 0), list(range(game.players)))


def _total(payoffs: list[list[float]]) -> float | None:
    """The sum of the payoffs of every leaf; None if it varies, or if two players rank leaves alike.

    By rounding, leaves may have an equal sum and yet not be ranked oppositely.
    """
    totals = {math.fsum(payoff) for payoff in payoffs}
    if len(totals) != 1 or len(payoffs[0]) == 1:
        return None
    if len(payoffs[0]) == 2:
        ordered = sorted({(first, second) for first, second in payoffs})
        if any(one[0] == two[0] or one[1] <= two[1] for one, two in itertools.pairwise(ordered)):
            return None
    return totals.pop()


def _shown(value: float | list[float]) -> str:
    if isinstance(value, list):
        return f"({', '.join(_shown(item) for item in value)})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
