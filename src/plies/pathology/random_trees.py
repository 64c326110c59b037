"""Nau's random trees: the same evaluation on leaves that are independent, and on leaves that are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from plies.errors import BadParameter, PliesError
from plies.pathology.measured import ErrorsByDepth, Share

LARGEST = 1 << 20
"""The most leaves of a tree. Not tuned."""

AT_ONCE = 1 << 22
"""The most leaves that are drawn at once: a few megabytes. Not tuned."""

RAREST = 2_000
"""The trees per decision wanted after which the experiment gives up. Not tuned."""

Array = np.ndarray[Any, Any]


def random_trees(
    kind: str = "independent",
    *,
    branching: int = 2,
    height: int = 10,
    decisions: int = 2_000,
    seed: int = 0,
) -> ErrorsByDepth:
    """How often minimax decides wrongly in random trees of wins and losses, by the depth of the search.

    In a tree of kind "independent" each leaf is won by itself (Pearl's P-games, 1980), with the probability
    that leaves the root's value open however high the tree. In one of kind "incremental" (Nau's N-games,
    1982) each branch is +1 or -1, and MAX wins the leaves to which the sum is positive, so that neighbours
    resemble each other.

    MAX moves first; the search goes so many plies deep, and there a node is worth the share of leaves below
    it that MAX wins. Counted are decisions that matter, with a branch that wins and one that loses; wrong is
    one that loses. Between branches that look alike, a lot decides. One ply above the leaves the shares are
    in the order of the values, and nothing is wrong any more.
    """
    if kind not in KINDS:
        raise BadParameter(f"kind must be {' or '.join(map(repr, KINDS))}, not {kind!r}")
    _check(branching, height, decisions)
    rng = np.random.default_rng(seed)
    wrong, seen, drawn = np.zeros(height + 1, dtype=np.int64), 0, 0
    batch = max(1, min(decisions, AT_ONCE // branching**height))
    while seen < decisions:
        if drawn > RAREST * decisions:
            raise PliesError(f"of {drawn:,} trees, in only {seen:,} a decision matters: choose others")
        drawn += batch
        leaves = KINDS[kind](rng, batch, branching, height)
        values = _minimax(leaves, branching, height)
        won = values.sum(axis=1)
        matters = (won > 0) & (won < branching)
        leaves, values = leaves[matters][: decisions - seen], values[matters][: decisions - seen]
        seen += len(leaves)
        for depth in range(1, height + 1):
            shares = leaves.reshape(len(leaves), branching**depth, -1).mean(axis=2)
            seeming = _minimax(shares, branching, depth)
            chosen = np.argmax(seeming + 1e-9 * rng.random(seeming.shape), axis=1)  # lots between equals
            wrong[depth] += np.count_nonzero(~values[np.arange(len(values)), chosen].astype(bool))
    title = f"{kind} trees, branching {branching}, height {height}: {decisions:,} decisions, seed {seed}"
    return ErrorsByDepth(title, {d: Share(int(wrong[d]), decisions) for d in range(1, height + 1)})


def critical_probability(branching: int, height: int) -> float:
    """The probability of a won leaf that stays what it is from two plies to the next, whatever the height.

    For another one, nearly all high trees are won, or lost. With two branches it is the golden section,
    0.618…, where MIN moves last, and what it leaves of 1 where MAX does (Pearl 1980).
    """
    low, high = 0.0, 1.0
    # Where x^b = 1 - x, MIN's nodes are won as often as leaves are lost, and MAX's above as often as leaves.
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if middle < 1 - middle**branching else (low, middle)
    return low if height % 2 == 0 else 1 - low


def _independent(rng: np.random.Generator, count: int, branching: int, height: int) -> Array:
    return rng.random((count, branching**height)) < critical_probability(branching, height)


def _incremental(rng: np.random.Generator, count: int, branching: int, height: int) -> Array:
    sums: Array = np.zeros((count, 1), dtype=np.int16)
    for _ in range(height):
        sums = np.repeat(sums, branching, axis=1)
        sums += 2 * rng.integers(0, 2, sums.shape, dtype=np.int16) - 1
    return sums > 0


KINDS: dict[str, Callable[[np.random.Generator, int, int, int], Array]] = {
    "independent": _independent,
    "incremental": _incremental,
}
"""How the leaves of trees are drawn, by name."""


def _minimax(leaves: Array, branching: int, height: int) -> Array:
    """The values of the root's branches, MAX to move at the root, of many trees at once."""
    for level in range(height - 1, 0, -1):
        groups = leaves.reshape(len(leaves), -1, branching)
        leaves = groups.max(axis=2) if level % 2 == 0 else groups.min(axis=2)
    return leaves


def _check(branching: int, height: int, decisions: int) -> None:
    for name, number, least in (
        ("branching", branching, 2),
        ("height", height, 1),
        ("decisions", decisions, 1),
    ):
        if isinstance(number, bool) or not isinstance(number, int) or number < least:
            raise BadParameter(f"{name} must be a whole number from {least}, not {number!r}")
    if height > 20 or branching**height > LARGEST:
        raise BadParameter(f"a tree may have {LARGEST:,} leaves; {branching}^{height} are more")
