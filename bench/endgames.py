"""Othello endgames of the French Othello federation's test (FFO), solved exactly."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import plies
from bench.common import Row, progress, seconds

TITLE = "Othello endgames, solved"
COLUMNS = ("problem", "empty", "value", "nodes", "CPU time", "aim")
NOTE = (
    "The value proved, one thread, a new table of 256 megabytes for each; nodes are those of the engine's "
    "kernel, without those of the game's own search of the last moves."
)
AIM = 20.0
"""CPU seconds for problems 40 to 44 together."""

FILE = (
    Path(os.environ.get("PLIES_ORACLES", Path(__file__).parents[2] / "shared" / "oracles"))
    / "othello"
    / "fforum-40-59.obf"
)
FIRST = 40
"""The number of the first problem in the file."""


def rows(quick: bool) -> Iterator[Row]:
    """A row for each problem, and one for all; with `quick`, of problem 40 alone."""
    if not FILE.is_file():
        yield Row((f"there is no {FILE}; set PLIES_ORACLES", "", "", "", "", ""))
        return
    game = plies.Othello()
    lines = FILE.read_text(encoding="utf-8").splitlines()[: 1 if quick else 5]
    progress("compiling Othello")
    plies.solve(game, game.parse_position(lines[0]), nodes=1)
    total_nodes, total_time = 0, 0.0
    for number, line in enumerate(lines, FIRST):
        progress(f"FFO {number}")
        state = game.parse_position(line)
        start = time.process_time()
        solution = plies.solve(game, state)
        duration = time.process_time() - start
        known = max(int(scored.partition(":")[2]) for scored in line.rstrip("; ").split("; ")[1:])
        if solution.value.utility != known:
            raise SystemExit(f"bench: FFO {number} is worth {known}, not {solution.value.utility:g}")
        empty = line.split()[0].count("-")
        total_nodes, total_time = total_nodes + solution.nodes, total_time + duration
        yield Row(
            (f"FFO {number}", f"{empty}", f"{known:+}", f"{solution.nodes:,}", seconds(duration), ""),
            {"problem": number, "empty": empty, "value": known, "nodes": solution.nodes, "seconds": duration},
        )
    if not quick:
        yield Row(
            ("all", "", "", f"{total_nodes:,}", seconds(total_time), f"{AIM:g} s"),
            {"problem": "all", "nodes": total_nodes, "seconds": total_time, "aim": AIM},
        )
