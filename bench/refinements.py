"""What each refinement of the engine saves: nodes and time without it, against all as they come."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from statistics import median
from typing import Any

import plies
from bench.common import Row, after, in_turn, progress, random_openings, seconds
from plies.engine import AlphaBeta, Limit, Options

TITLE = "What each refinement saves"
COLUMNS = ("game and change", "nodes", "CPU time", "nodes, times", "time, times", "same value")
NOTE = (
    "To a fixed depth from random openings, iterative deepening included, one thread, a new table for "
    "each. Above 1: what the default saves; below 1: what the change would save. Values may differ where "
    "a table brings in what a deeper search found, or where moves that are no candidates, and lose, count as "
    "estimates; * gives up exactness and is off by default."
)
ALL_OFF = ("table", "null_window", "aspiration", "candidates", "priority", "history", "killers", "quiescence")


def _changes() -> dict[str, dict[str, Any]]:
    """Each refinement of alpha-beta that is on or off, changed; then some that take more than that."""
    found = {}
    for one in fields(Options):
        if isinstance(one.default, bool | None) and one.metadata["kernels"] != ("expectiminimax",):
            star = "" if one.metadata["exact"] else "* "
            found[f"{star}{'without' if one.default else 'with'} {one.name}"] = {one.name: not one.default}
    return {
        **found,
        "MTD(f)": {"driver": "mtd(f)"},
        "* beam of 4": {"beam": 4},
        "all off": dict.fromkeys(ALL_OFF, False),
    }


CHANGES = _changes()
RULES = {one.name: one.metadata["rules"] for one in fields(Options)}
"""The rules of which a game needs one, or the option means nothing to it."""


def rows(quick: bool) -> Iterator[Row]:
    """For each game, a row as it comes and one for each change."""
    for game, depth in (
        (plies.ConnectFour(), 6 if quick else 14),
        (plies.Othello(), 4 if quick else 10),
        (plies.Kalah(), 6 if quick else 15),
    ):
        states = [after(game, moves) for moves in random_openings(game, (4, 6, 8, 10, 12, 14))]
        _search(game, states, 1, Options())
        progress(f"{game.name}: as it comes, depth {depth}")
        nodes, duration, _ = _search(game, states, depth, Options())
        yield Row(
            (
                f"{game.name}, depth {depth}, {len(states)} positions",
                f"{nodes:,}",
                seconds(duration),
                "",
                "",
                "",
            ),
            {
                "game": game.name,
                "depth": depth,
                "positions": len(states),
                "nodes": nodes,
                "seconds": duration,
            },
        )
        for name, change in CHANGES.items():
            rules = {rule for option in change for rule in RULES[option]}
            if len(change) == 1 and rules and not any(map(game.has, rules)):
                continue
            progress(f"{game.name}: {name}")
            yield _row(game, states, depth, name, replace(Options(), **change), 1 if quick else 3)


def _row(
    game: plies.Game, states: list[Any], depth: int, name: str, options: Options, repetitions: int
) -> Row:
    """The change against the default, in turn."""
    default, changed = in_turn(
        repetitions,
        partial(_search, game, states, depth, Options()),
        partial(_search, game, states, depth, options),
    )
    nodes, duration = changed[0][0], median(taken for _, taken, _ in changed)
    more_nodes = nodes / default[0][0]
    more_time = duration / median(taken for _, taken, _ in default)
    same = sum(a == b for a, b in zip(default[0][2], changed[0][2], strict=True))
    return Row(
        (
            f"  {name}",
            f"{nodes:,}",
            seconds(duration),
            f"{more_nodes:.2f}",
            f"{more_time:.2f}",
            f"{same} of {len(states)}",
        ),
        {
            "game": game.name,
            "change": name,
            "depth": depth,
            "nodes": nodes,
            "seconds": duration,
            "nodes_ratio": more_nodes,
            "time_ratio": more_time,
            "same_value": same,
        },
    )


def _search(
    game: plies.Game, states: list[Any], depth: int, options: Options
) -> tuple[int, float, list[float]]:
    """Nodes, CPU seconds and values to a depth, over all states."""
    start = time.process_time()
    found = [AlphaBeta(game, options=options).search(state, Limit(depth=depth)) for state in states]
    duration = time.process_time() - start
    return sum(each.nodes for each in found), duration, [float(each.value) for each in found]
