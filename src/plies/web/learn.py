"""The Learn page: game trees, searches of them step by step, comparison and practice."""

from __future__ import annotations

import math
import random
from typing import Any

from plies.book import Trace
from plies.book import trace as search
from plies.book.algorithms import ALGORITHMS as BOOK
from plies.book.algorithms import about
from plies.draw.known import shown
from plies.draw.steps import Steps
from plies.draw.tree import Drawing
from plies.errors import BadParameter, PliesError
from plies.gallery import EXAMPLES, Example
from plies.games.tree import Tree, tree_of
from plies.registry import game as make_game
from plies.web.practice import marked
from plies.web.serialize import without_style
from plies.web.tree_json import MOST_NODES, plain, read

ALGORITHMS = {name: about(name).label for name in BOOK if about(name).exact and about(name).chooses}
"""The algorithms of the page, with their labels."""

PRUNING = tuple(name for name in ALGORITHMS if "cut_on_equal" in about(name).takes)
"""Those that prune, on equality or not."""


# -- Answers to the page's messages.


def examples() -> dict[str, Any]:
    """The trees of the gallery, and the algorithms of the page."""
    given = [
        {"name": one.name, "title": one.title, "algorithm": one.algorithm, "tree": plain(_shown(one))}
        for one in EXAMPLES.values()
    ]
    return {"examples": given, "algorithms": ALGORITHMS, "pruning": PRUNING}


def _shown(example: Example) -> Tree:
    """An example as a tree, if it is a position of another game."""
    game = make_game(example.game, **example.parameters)
    if isinstance(game, Tree):
        return game
    return tree_of(game, game.parse_position(example.position) if example.position else None)


def random_tree(seed: int, branching: int, depth: int, levels: list[str | int]) -> Tree:
    """A tree of one branching and depth, with random leaves."""
    if sum(branching**level for level in range(depth + 1)) > MOST_NODES:
        raise BadParameter(
            f"a tree with branching {branching} and depth {depth} would have more than {MOST_NODES} nodes"
        )
    players = Tree(0, levels).players
    rng = random.Random(seed)

    def leaf() -> Any:
        if players < 3:
            return rng.randint(-9, 9)
        return {"value": [rng.randint(0, 9) for _ in range(players)]}

    nodes: list[Any] = [leaf() for _ in range(branching**depth)]
    for _ in range(depth):
        nodes = [nodes[i : i + branching] for i in range(0, len(nodes), branching)]
    return read({"levels": levels, "tree": nodes[0]})


def draw(tree: Tree) -> dict[str, Any]:
    """A tree as the page keeps it, its picture, the path to each node, and the algorithms that suit it."""
    trace = full_search(tree)
    drawing = Drawing(trace, limit=MOST_NODES)
    return {
        "tree": plain(tree),
        "svg": without_style(str(drawing.picture())),
        "paths": [_path(tree, node.entered.state) for node in trace.tree],
        "players": tree.players,
        "suited": [name for name in ALGORITHMS if _suits(tree, name)],
    }


def steps(tree: Tree, algorithm: str, cut_on_equal: bool) -> dict[str, Any]:
    """A search of a tree, step by step."""
    return _steps(run(tree, algorithm, cut_on_equal))


def compare(tree: Tree, first: tuple[str, bool], second: tuple[str, bool]) -> dict[str, Any]:
    """Two searches of one tree, each an algorithm and whether it cuts on equality, and whether they agree."""
    traces = [run(tree, *choice) for choice in (first, second)]
    values = [trace.value[0] if isinstance(trace.value, tuple) else trace.value for trace in traces]
    return {"both": [_steps(trace) for trace in traces], "same": math.isclose(*values, abs_tol=1e-9)}


def check(
    tree: Tree, algorithm: str, cut_on_equal: bool, values: dict[str, str], cuts: list[int]
) -> dict[str, Any]:
    """Marks for predictions about a search: right or wrong, and why."""
    full = full_search(tree)
    typed = {_node(number, full): text for number, text in values.items()}
    guessed = {_node(number, full) for number in cuts}
    return marked(run(tree, algorithm, cut_on_equal), full, typed, guessed, cut_on_equal)


# -- Searches.


def run(game: Tree, algorithm: str, cut_on_equal: bool) -> Trace:
    """A search of a tree for its first player."""
    options: dict[str, Any] = {"player": 0} if "player" in about(algorithm).takes else {}
    if algorithm in PRUNING:
        options["cut_on_equal"] = cut_on_equal
    return search(game, algorithm=algorithm, limit=MOST_NODES, **options)


def _suits(game: Tree, algorithm: str) -> bool:
    """Whether an algorithm can search a tree; one that cannot refuses before the first step.

    One against all is not offered for two players, where it is minimax or alpha-beta.
    """
    if about(algorithm).needs.opponents and game.players < 3:
        return False
    try:
        run(game, algorithm, True)
    except PliesError:
        return False
    return True


def _steps(trace: Trace) -> dict[str, Any]:
    data = Steps(Drawing(trace, limit=MOST_NODES)).data
    return {
        **data,
        "svg": without_style(data["svg"]),
        "algorithm": trace.algorithm,
        "value": shown(trace.value),
        "line": list(trace.line),
        "nodes": trace.nodes,
        "leaves": trace.leaves,
        "cuts": dict(trace.cuts),
    }


def full_search(game: Tree) -> Trace:
    """A search that visits every node of a tree."""
    suited = next(name for name in ("minimax", "expectiminimax", "max-n") if _suits(game, name))
    return run(game, suited, True)


def _path(game: Tree, state: int) -> list[int]:
    """The branches from the root to a node."""
    path = []
    while state:
        parent = int(game.parent[state])
        path.append(state - int(game.first_child[parent]))
        state = parent
    return path[::-1]


def _node(number: str | int, full: Trace) -> int:
    """The number of a node, as the page writes it."""
    if not str(number).isdecimal() or int(number) >= full.nodes:
        raise BadParameter(f"nodes are numbered from 0 to {full.nodes - 1}, not {number}")
    return int(number)
