"""One thread against two on a shared table: nodes per second, and time to the same depth."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from statistics import median

import plies
from bench.common import Row, after, in_turn, millions, progress, random_openings, seconds
from plies.engine import AlphaBeta, Limit

TITLE = "One thread against two"
COLUMNS = ("game", "1 thread", "2 threads", "nodes/s, times", "faster, times", "cores had")
NOTE = (
    "Wall time to a fixed depth from random openings, a new table for each; CPU over wall time tells how "
    "many cores the two threads had: where that is not near 2, the machine was busy and the row says nothing "
    "of Plies. Aim: 1.6 times the nodes per second, and the depth sooner."
)


def rows(quick: bool) -> Iterator[Row]:
    """A row for each game."""
    if (os.cpu_count() or 1) < 2:
        yield Row(("this machine has one core", "", "", "", "", ""))
        return
    for game, depth in (
        (plies.ConnectFour(), 12 if quick else 18),
        (plies.Othello(), 5 if quick else 11),
        (plies.Kalah(), 8 if quick else 18),
    ):
        progress(f"{game.name}: one thread and two, depth {depth}")
        states = [after(game, moves) for moves in random_openings(game, (4, 8, 10, 12))]
        _search(game, states, 1, 1)
        one, two = in_turn(
            3 if quick else 5,
            partial(_search, game, states, depth, 1),
            partial(_search, game, states, depth, 2),
        )
        speeds = [median(nodes / wall for nodes, wall, _ in runs) for runs in (one, two)]
        times = [median(wall for _, wall, _ in runs) for runs in (one, two)]
        cores = median(cpu / wall for _, wall, cpu in two)
        yield Row(
            (
                f"{game.name}, depth {depth}",
                f"{millions(speeds[0])} nodes/s, {seconds(times[0])}",
                f"{millions(speeds[1])} nodes/s, {seconds(times[1])}",
                f"{speeds[1] / speeds[0]:.2f}",
                f"{times[0] / times[1]:.2f}",
                f"{cores:.2f}",
            ),
            {
                "game": game.name,
                "depth": depth,
                "nodes_per_second": speeds,
                "seconds": times,
                "speed_ratio": speeds[1] / speeds[0],
                "time_ratio": times[0] / times[1],
                "cores_had": cores,
            },
        )


def _search(game: plies.Game, states: list[object], depth: int, threads: int) -> tuple[int, float, float]:
    """Nodes, wall and CPU seconds to a depth, over all states."""
    start = time.process_time()
    found = [AlphaBeta(game, threads=threads).search(state, Limit(depth=depth)) for state in states]
    cpu = time.process_time() - start
    return sum(each.nodes for each in found), sum(each.seconds for each in found), cpu
