"""A pasted minimax or alpha-beta, compared with the book on random trees: the first difference is shown."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

from plies.book import trace
from plies.draw.tree import Drawing
from plies.errors import BadParameter
from plies.games.tree import Tree, random_tree

NAMES = {"minimax": "minimax", "alpha_beta": "alpha-beta", "alphabeta": "alpha-beta"}
"""The functions that can be graded, and the algorithm that each is."""

SHAPES = ((1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (2, 3), (3, 3), (2, 4))
"""Branching and depth of the trees, the smallest first, so that the first difference is a small one."""

TREES = 12
"""The trees of each shape: a fault that shows on one tree in three is missed by one shape in a hundred."""


class _Counting(Tree):
    """A tree that counts the leaves whose utility is asked for."""

    asked: set[int]

    def utility(self, state: int, player: int) -> float:
        self.asked.add(state)
        return super().utility(state, player)


def grade(names: Mapping[str, Any]) -> dict[str, Any]:
    """Compare the function of these names that can be graded with the book.

    `rows` are the shapes of trees with what was found, `says` the verdict; of the first difference, `svg` is
    the book's search of that tree.
    """
    name = next((name for name in NAMES if callable(names.get(name))), None)
    if name is None:
        raise BadParameter("define a function named minimax or alpha_beta")
    function, algorithm = names[name], NAMES[name]
    call = _caller(function)
    rows: list[str] = []
    leaves = fewest = 0
    for branching, depth in SHAPES:
        shape = f"branching {branching} and depth {depth}"
        for seed in range(TREES):
            tree = _Counting(random_tree(seed, branching=branching, depth=depth).to_json())
            tree.asked = set()  # by the book, which comes first
            book = trace(tree, algorithm=algorithm)
            tree.asked = set()
            problem = _problem(call, tree, book.value)
            if problem:
                return {
                    "ok": False,
                    "rows": rows,
                    "says": f"{name} is wrong on a tree of {shape}: {problem}",
                    "tree": tree.text(0),
                    "svg": str(Drawing(book).picture()),
                }
            leaves, fewest = leaves + len(tree.asked), fewest + book.leaves
        rows.append(f"{TREES} trees of {shape}: every value right")
    return {"ok": True, "rows": rows, "says": _verdict(name, algorithm, leaves, fewest)}


def _verdict(name: str, algorithm: str, leaves: int, fewest: int) -> str:
    right = f"{name} has the right value on all {len(SHAPES) * TREES} trees."
    if not leaves:
        return right
    if algorithm == "alpha-beta" and leaves > fewest:
        return f"{right} It looks at {leaves:,} leaves, the book's at {fewest:,}: it misses cut-offs."
    if leaves < fewest:
        return f"{right} It looks at {leaves:,} leaves, the book's at {fewest:,}."
    return f"{right} It looks at {leaves:,} leaves, as many as the book's."


def _problem(call: Callable[[Tree], Any], tree: Tree, value: Any) -> str:
    """What is wrong with a function's answer; "" for nothing."""
    try:
        found = call(tree)
    except Exception as error:  # whatever a pasted function raises
        return f"it raises {type(error).__name__}: {error}"
    if isinstance(found, tuple | list) and found:
        found = found[0] if isinstance(found[0], int | float) else found[-1]
    if isinstance(found, bool) or not isinstance(found, int | float):
        return f"it returns {str(found)[:60]!r}, which is not a number or a pair of a number and an action"
    if not math.isclose(found, value, abs_tol=1e-9):
        return f"it returns {found:g}, and the value is {value:g}"
    return ""


def _caller(function: Callable[..., Any]) -> Callable[[Tree], Any]:
    """How to call a function of a game and a state, or of a tree as nested lists, with further arguments."""
    needed = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    known: dict[str, Callable[[Tree], Any]] = {
        "game": lambda tree: tree,
        "state": lambda tree: 0,
        "node": nested,
        "tree": nested,
        "depth": lambda tree: 99,
        "alpha": lambda tree: -math.inf,
        "beta": lambda tree: math.inf,
        "player": lambda tree: 0,
        "maximizing": lambda tree: True,
        "is_max": lambda tree: True,
    }
    for name in needed:
        if name not in known:
            raise BadParameter(f"{name!r} is not a parameter that can be given here: use {', '.join(known)}")
    return lambda tree: function(*(known[name](tree) for name in needed))


def nested(tree: Tree, node: int = 0) -> Any:
    """A tree as nested lists."""
    if tree.is_terminal(node):
        value = Tree.utility(tree, node, 0)
        return int(value) if value.is_integer() else value
    return [nested(tree, tree.result(node, action)) for action in tree.actions(node)]
