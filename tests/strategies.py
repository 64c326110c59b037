"""Hypothesis strategies for game trees: uneven, with single children, equal values and consecutive moves."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from plies.games.tree import Tree

NUMBERS = st.integers(-5, 5)  # few, so that many are equal


def nodes(
    movers: tuple[Any, ...] = ("max", "min"), leaves: st.SearchStrategy[Any] = NUMBERS, max_depth: int = 5
) -> st.SearchStrategy[Any]:
    """Nodes as `Tree` takes them; every inner node names its mover and has an estimate."""
    level = leaves
    for _ in range(max_depth - 1):
        inner = _inner(movers, level)
        level = leaves | inner | inner | inner | inner  # or most trees would be stumps
    return _inner(movers, level)


@st.composite
def _inner(draw: st.DrawFn, movers: tuple[Any, ...], below: st.SearchStrategy[Any]) -> dict[str, Any]:
    children = [draw(below) for _ in range(draw(st.sampled_from([1, 2, 2, 3, 3, 4])))]
    node = {"player": draw(st.sampled_from(movers)), "evaluate": draw(NUMBERS), "children": children}
    if node["player"] == "chance" and draw(st.booleans()):
        weights = [draw(st.integers(1, 6)) for _ in children]
        node["probabilities"] = [weight / sum(weights) for weight in weights]
    return node


def trees(**options: Any) -> st.SearchStrategy[Tree]:
    """Trees for MAX and MIN."""
    return nodes(**options).map(lambda node: Tree(node, ("max", "min")))


def chance_trees(**options: Any) -> st.SearchStrategy[Tree]:
    """Trees for MAX, MIN and the dice."""
    return nodes(("max", "min", "chance"), **options).map(lambda node: Tree(node, ("max", "min")))


def payoff_trees(players: int, **options: Any) -> st.SearchStrategy[Tree]:
    """Trees for several players, each leaf with a payoff for each."""
    movers = tuple(range(players))
    leaves = st.tuples(*[NUMBERS] * players)
    return nodes(movers, leaves, **options).map(lambda node: Tree(node, movers))


def shuffled(node: Any, generator: random.Random) -> Any:
    """The same node with its children, and theirs, in another order."""
    if not isinstance(node, dict):
        return node
    children = [shuffled(child, generator) for child in node["children"]]
    generator.shuffle(children)
    return {**node, "children": children}
