"""How long it takes to solve games as a maker would write them, to the end, on two cores."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import plies
from bench.common import Row, progress

EXAMPLES = Path(__file__).parents[1] / "examples"

TITLE = "Solving games by search"
COLUMNS = ("game", "value", "nodes", "threads", "seconds", "CPU seconds", "goal")

NOTE = (
    "From the start to the end of the game, after compiling, with a table of 256 MB. The goal is a minute by "
    "the clock on two cores; for Connect Four, without its book, 90 seconds on one."
)


def rows(quick: bool) -> Iterator[Row]:
    """A row for each game; without `quick`, also those that take minutes."""
    cases = [
        (plies.game(f"{EXAMPLES}/dots_and_boxes.py:DotsAndBoxes"), 2, 60),
        (plies.game(f"{EXAMPLES}/hex.py:Hex", size=5), 2, 60),
        (plies.game(f"{EXAMPLES}/domineering.py:Domineering"), 2, 60),
    ]
    if not quick:
        cases += [(plies.Kalah(6, 4), 2, 60), (plies.ConnectFour(), 1, 90)]
    for game, threads, goal in cases:
        progress(f"solving, {game.name}")
        yield _measured(game, threads, goal)


def _measured(game: plies.Game, threads: int, goal: int) -> Row:
    plies.Solver(game, threads=threads, book="no").solve(limit=plies.Limit(nodes=1))  # which compiles
    solver = plies.Solver(game, threads=threads, book="no")
    cpu = time.process_time()
    solution = solver.solve()
    cpu = time.process_time() - cpu
    figures = {
        "game": game.name,
        "value": str(solution.value),
        "nodes": solution.nodes,
        "threads": threads,
        "seconds": solution.seconds,
        "cpu": cpu,
        "goal": goal,
    }
    shown = (f"{solution.nodes:,}", str(threads), f"{solution.seconds:.1f}", f"{cpu:.1f}", f"{goal} s")
    return Row((game.name, str(solution.value), *shown), figures)
