"""Nodes visited against the minimal tree of Knuth and Moore: alpha-beta's if every first move is the best."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import plies
from bench.against_c import OFF
from bench.common import Row, progress
from plies.engine import AlphaBeta, Limit, Options
from plies.engine.kernels import alpha_beta, counts, perft
from plies.games.tree import random_tree

TITLE = "Nodes against the minimal tree of Knuth and Moore"
COLUMNS = ("tree", "search", "nodes", "minimal tree", "times the minimal tree")
NOTE = (
    "Minimal: at each level i below the root, b^ceil(i/2) + b^floor(i/2) - 1 nodes. In a uniform random tree "
    "that is exact; in a game b is the i-th root of the number of lines of i plies, an estimate. 'Last "
    "depth' counts the nodes of the last depth of the iterative deepening, 'all depths' those of all. With "
    "a table, positions reached by several lines are searched once, and where the game tells the plausible "
    "moves, the others not at all: so the count may fall below the minimum."
)
WITHOUT_TABLE = replace(Options(), table=False)


def rows(quick: bool) -> Iterator[Row]:
    """Uniform random trees, then Connect Four and Othello from their initial states."""
    branching, depth = (4, 6) if quick else (8, 6)
    progress(f"minimal tree: random trees, branching {branching}, depth {depth}")
    nodes = _uniform(branching, depth, 3 if quick else 9)
    least = sum(_minimal(branching, level) for level in range(1, depth + 1))
    name = f"uniform, random leaves, b = {branching}, depth {depth}"
    yield _row(name, "alpha-beta, random order", nodes, least)
    for game, depth in ((plies.ConnectFour(), 6 if quick else 10), (plies.Othello(), 4 if quick else 9)):
        progress(f"minimal tree: {game.name}, depth {depth}")
        yield from _game(game, depth)


def _game(game: plies.Game, depth: int) -> Iterator[Row]:
    """A row for plain alpha-beta, for the engine as a tree search, and for the engine as it comes."""
    lines = [perft(game, game.initial(), level) for level in range(1, depth + 1)]
    least = sum(_minimal(count ** (1 / level), level) for level, count in enumerate(lines, 1))
    name = f"{game.name}, b = {lines[-1] ** (1 / depth):.2f}, depth {depth}"
    yield _row(name, "alpha-beta, order of the rules", _alpha_beta(game, depth), least)
    for search, options in (
        ("engine, all off", OFF),
        ("engine without table", WITHOUT_TABLE),
        ("engine", Options()),
    ):
        results = list(AlphaBeta(game, options=options).analyse(limit=Limit(depth=depth)))
        last = results[-1].nodes - next(
            info.nodes for info in reversed(results) if info.depth < results[-1].depth
        )
        yield _row(name, f"{search}, last depth", last, least)
        if options != OFF:
            yield _row(name, f"{search}, all depths", results[-1].nodes, least)


def _row(tree: str, search: str, nodes: float, least: float) -> Row:
    return Row(
        (tree, search, f"{nodes:,.0f}", f"{least:,.0f}", f"{nodes / least:.2f}"),
        {"tree": tree, "search": search, "nodes": nodes, "minimal": least, "ratio": nodes / least},
    )


def _minimal(branching: float, level: int) -> float:
    """The nodes of the minimal tree at a level below the root."""
    return float(branching ** -(-level // 2) + branching ** (level // 2) - 1)


def _uniform(branching: int, depth: int, trees: int) -> float:
    """The mean of the nodes that alpha-beta visits below the root of random trees."""
    total = 0
    for seed in range(trees):
        total += _alpha_beta(random_tree(seed, branching=branching, depth=depth, values=(-999, 999)), depth)
    return total / trees


def _alpha_beta(game: plies.Game, depth: int) -> int:
    """The nodes that plain alpha-beta visits below the root."""
    count = counts()
    alpha_beta(game, game.initial(), game.to_move(game.initial()), -np.inf, np.inf, depth, 0, count)
    return int(count.nodes) - 1
