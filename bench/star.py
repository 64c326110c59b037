"""What pruning where dice fall saves: plain expectiminimax against Star1, Star2 and Star2 with a table."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any

import plies
from bench.common import Row, in_turn, progress, seconds
from plies.engine import Expectiminimax, Limit, Options
from plies.game import CHANCE

TITLE = "Dice: what Star1 and Star2 save"
COLUMNS = ("positions and pruning", "nodes", "CPU time", "nodes, times fewer", "time, times less")
NOTE = (
    "To a fixed depth, a roll of the dice being a ply, from positions that random play leads to; iterative "
    "deepening included, one thread, an empty table for each position. Below 1: it costs more than it saves. "
    "All values are checked to be those of plain expectiminimax, which has alpha-beta where players move."
)
CHANGES: dict[str, dict[str, Any]] = {
    "plain": {"star1": False, "star2": False, "table": False},
    "Star1": {"star2": False, "table": False},
    "Star2": {"table": False},
    "Star2 and table": {},
    "table alone": {"star1": False, "star2": False},
}
CLOSE = 1e-9
"""How far values may be apart that were summed up in another order."""


def rows(quick: bool) -> Iterator[Row]:
    """For each game and depth a row without pruning and one for each kind of it."""
    for name, game, depths in (
        ("pig", plies.Pig(), (6,) if quick else (6, 8, 10)),
        ("backgammon, weights", plies.Backgammon(network=False), (3,) if quick else (3, 4, 5)),
        ("backgammon, network", plies.Backgammon(), (3,) if quick else (3, 4)),
    ):
        states = positions(game, 2 if quick else 6)
        engines = {
            change: Expectiminimax(game, memory=16, options=Options(**options))
            for change, options in CHANGES.items()
        }
        for depth in depths:
            progress(f"{name}, depth {depth}")
            yield from _rows(name, engines, states, depth, 1 if quick or depth == 5 else 3)


def _rows(
    name: str, engines: dict[str, Expectiminimax], states: list[Any], depth: int, repetitions: int
) -> Iterator[Row]:
    measures = [partial(_search, engine, states, depth) for engine in engines.values()]
    plain: tuple[int, float, list[float]] | None = None
    for change, runs in zip(engines, in_turn(repetitions, *measures), strict=True):
        nodes, _, values = runs[0]
        duration = median(taken for _, taken, _ in runs)
        plain = plain or (nodes, duration, values)
        if any(abs(one - two) > CLOSE for one, two in zip(values, plain[2], strict=True)):
            raise SystemExit(f"bench: {name} at depth {depth} by {change} has other values")
        fewer, less = plain[0] / nodes, plain[1] / duration
        what = f"{name}, depth {depth}, {len(states)} positions" if change == "plain" else f"  {change}"
        yield Row(
            (what, f"{nodes:,}", seconds(duration), f"{fewer:.2f}", f"{less:.2f}"),
            {
                "game": name,
                "depth": depth,
                "positions": len(states),
                "pruning": change,
                "nodes": nodes,
                "seconds": duration,
                "nodes_ratio": fewer,
                "time_ratio": less,
            },
        )


def positions(game: plies.Game, number: int, plies_each: int = 24, seed: int = 1) -> list[Any]:
    """Positions where a player has something to choose, some random plies from the beginning."""
    generator = random.Random(seed)
    found: list[Any] = []
    while len(found) < number:
        state = game.initial()
        ply = 0
        while not game.is_terminal(state) and (ply < plies_each or game.to_move(state) == CHANCE):
            if game.to_move(state) == CHANCE:
                outcomes = dict(game.chance(state))
                action = generator.choices(list(outcomes), list(outcomes.values()))[0]
            else:
                action = generator.choice(list(game.actions(state)))
            state = game.result(state, action)
            ply += 1
        if not game.is_terminal(state) and len(list(game.actions(state))) > 1:
            found.append(state)
    return found


def _search(engine: Expectiminimax, states: list[Any], depth: int) -> tuple[int, float, list[float]]:
    """Nodes, CPU seconds and values to a depth, over all states."""
    nodes, duration, values = 0, 0.0, []
    for state in states:
        engine.clear()
        start = time.process_time()
        found = engine.search(state, Limit(depth=depth))
        duration += time.process_time() - start
        nodes += found.nodes
        values.append(found.value.utility)
    return nodes, duration, values
