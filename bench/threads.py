"""One thread against two on a shared table: nodes per second, and time to the same depth."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from statistics import median

import plies
from bench.common import Row, after, in_turn, millions, progress, random_openings, seconds
from plies.engine import AlphaBeta, Limit, MonteCarlo

TITLE = "One thread against two"
COLUMNS = ("game", "1 thread", "2 threads", "nodes/s, times", "faster, times", "cores had", "aim")
NOTE = (
    "Wall time to a fixed depth from random openings, a new table for each; CPU over wall time tells how "
    "many cores the two threads had: where that is not near 2, the machine was busy and the row says nothing "
    "of Plies. Of Monte Carlo tree search, nodes are simulations, as many for one thread as for two. The aim "
    "is of nodes per second; of alpha-beta, the depth sooner as well."
)
AIM = 1.6
"""Nodes per second with two threads, by those with one."""


def rows(quick: bool) -> Iterator[Row]:
    """A row for each game."""
    if (os.cpu_count() or 1) < 2:
        yield Row(("this machine has one core", "", "", "", "", "", ""))
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
        yield _row(f"{game.name}, depth {depth}", one, two)
    go, simulations = plies.Go(size=9), 2_000 if quick else 50_000
    progress(f"{go.name}: Monte Carlo with one thread and two, {simulations:,} simulations")
    _simulate(go, 100, 1)
    one, two = in_turn(3, partial(_simulate, go, simulations, 1), partial(_simulate, go, simulations, 2))
    yield _row(f"{go.name} 9x9, Monte Carlo", one, two)


Run = tuple[int, float, float]
"""Nodes, wall and CPU seconds."""


def _row(what: str, one: list[Run], two: list[Run]) -> Row:
    """The medians of both, and their ratios."""
    speeds = [median(nodes / wall for nodes, wall, _ in runs) for runs in (one, two)]
    times = [median(wall for _, wall, _ in runs) for runs in (one, two)]
    cores = median(cpu / wall for _, wall, cpu in two)
    return Row(
        (
            what,
            f"{millions(speeds[0])} nodes/s, {seconds(times[0])}",
            f"{millions(speeds[1])} nodes/s, {seconds(times[1])}",
            f"{speeds[1] / speeds[0]:.2f}",
            f"{times[0] / times[1]:.2f}",
            f"{cores:.2f}",
            f"{AIM:g}",
        ),
        {
            "game": what,
            "nodes_per_second": speeds,
            "seconds": times,
            "speed_ratio": speeds[1] / speeds[0],
            "time_ratio": times[0] / times[1],
            "cores_had": cores,
            "aim": AIM,
        },
    )


def _simulate(game: plies.Game, number: int, threads: int) -> Run:
    """Simulations, wall and CPU seconds of a search from an empty tree."""
    engine = MonteCarlo(game, memory=256, threads=threads, seed=1)
    start, cpu = time.perf_counter(), time.process_time()
    found = engine.search(limit=Limit(nodes=number))
    return found.nodes, time.perf_counter() - start, time.process_time() - cpu


def _search(game: plies.Game, states: list[object], depth: int, threads: int) -> Run:
    """Nodes, wall and CPU seconds to a depth, over all states."""
    start = time.process_time()
    found = [AlphaBeta(game, threads=threads).search(state, Limit(depth=depth)) for state in states]
    cpu = time.process_time() - start
    return sum(each.nodes for each in found), sum(each.seconds for each in found), cpu
