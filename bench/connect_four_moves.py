"""Connect Four: how often the engine's move keeps win, draw or loss: python -m bench.connect_four_moves.

Positions of at most eight plies whose values are known (Pascal Pons' test sets) are drawn with a seed. The
engine moves, and the position after its move is solved; what was solved is kept in
build/connect_four_values.json.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plies
from bench.common import Row, progress
from plies.engine import AlphaBeta, Limit
from plies.engine.solve import Solver
from plies.intervals import wilson

TITLE = "Connect Four: moves that keep the value"
COLUMNS = ("positions of at most 8 plies", "a move", "nodes a move", "kept", "share, 95 %", "aim")
NOTE = "Win, draw or loss after the engine's move is what it was before; one thread, elapsed time."
AIM = 0.9
MOST_PLIES = 8
ORACLES = Path(os.environ.get("PLIES_ORACLES", Path(__file__).parents[2] / "shared" / "oracles")) / "connect4"
SETS = ("pons_Test_L1_R1.txt", "pons_Test_L1_R2.txt", "pons_Test_L1_R3.txt")
SOLVED = Path(__file__).parents[1] / "build" / "connect_four_values.json"


def positions(count: int, seed: int) -> list[tuple[str, int]]:
    """Positions of the sets, as moves, each with 1, 0 or -1: a win, a draw or a loss for who moves."""
    found = {}
    for name in SETS:
        for line in (ORACLES / name).read_text(encoding="utf-8").splitlines():
            moves, score = line.split()
            if len(moves) <= MOST_PLIES:
                found[moves] = (int(score) > 0) - (int(score) < 0)
    return random.Random(seed).sample(sorted(found.items()), min(count, len(found)))


class Values:
    """Values of positions, 1, 0 or -1 to the player to move, by the solver or from the file."""

    def __init__(self) -> None:
        self.game = plies.ConnectFour()
        self.solver = Solver(self.game, memory=1024, book="no")
        self.known: dict[str, int] = (
            json.loads(SOLVED.read_text(encoding="utf-8")) if SOLVED.is_file() else {}
        )

    def of(self, state: Any) -> int:
        """The value of a state, which is solved if it is not known."""
        if self.game.is_terminal(state):
            return int(self.game.utility(state, self.game.to_move(state)))
        name = min(map(self.game.position, self.game.symmetries(state)))
        if name not in self.known:
            self.known[name] = int(self.solver.solve(state).value.utility)
            SOLVED.parent.mkdir(exist_ok=True)
            unfinished = SOLVED.with_suffix(".new")
            unfinished.write_text(json.dumps(self.known, indent=0), encoding="utf-8")
            unfinished.replace(SOLVED)
        return self.known[name]


def measure(count: int, seed: int, limit: Limit, lost: list[str] | None = None) -> tuple[int, int, int]:
    """The positions in which the engine's move kept the value, all positions, and the nodes of all searches.

    Positions and moves that did not are added to `lost`.
    """
    game, values = plies.ConnectFour(), Values()
    plies.search(game, depth=2)
    kept = nodes = 0
    drawn = positions(count, seed)
    for number, (moves, value) in enumerate(drawn, 1):
        state = game.parse_position(moves)
        found = AlphaBeta(game, book="no").search(state, limit)
        nodes += found.nodes
        after = -values.of(game.result(state, found.action))
        kept += after == value
        if after != value and lost is not None:
            lost.append(f"{moves} {game.notation(state, found.action)}: {value:+d} becomes {after:+d}")
        if number % 10 == 0:
            progress(f"{kept} of {number} moves keep the value")
    return kept, len(drawn), nodes


def rows(quick: bool) -> Iterator[Row]:
    """A row for a sample at one second a move."""
    if not ORACLES.is_dir():
        yield Row((f"there is no folder {ORACLES}; set PLIES_ORACLES", "", "", "", "", ""))
        return
    yield _row(5 if quick else 100, 1, Limit(time=0.1 if quick else 1.0))


def _row(count: int, seed: int, limit: Limit, lost: list[str] | None = None) -> Row:
    kept, total, nodes = measure(count, seed, limit, lost)
    low, high = wilson(kept / total, total)
    given = f"{limit.time:g} s" if limit.time else f"{limit.nodes:,} nodes"
    return Row(
        (
            f"{total} (seed {seed})",
            given,
            f"{nodes // total:,}",
            f"{kept}",
            f"{kept / total:.1%}, {low:.1%} to {high:.1%}",
            f"{AIM:.0%}",
        ),
        {"positions": total, "seed": seed, "kept": kept, "interval": (low, high), "aim": AIM},
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.connect_four_moves", description=__doc__)
    parser.add_argument("--positions", type=int, default=100, help="how many are drawn (default 100)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default 1)")
    parser.add_argument("--time", type=float, default=1.0, help="seconds a move (default 1)")
    parser.add_argument("--nodes", type=int, help="nodes a move, instead of seconds")
    given = parser.parse_args()
    limit = Limit(nodes=given.nodes) if given.nodes else Limit(time=given.time)
    lost: list[str] = []
    start = time.perf_counter()
    row = _row(given.positions, given.seed, limit, lost)
    for name, cell in zip(COLUMNS, row.cells, strict=True):
        print(f"{name}: {cell}")
    print("\n".join(["moves that did not keep the value:", *lost]))
    progress(f"{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main()
