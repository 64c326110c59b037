"""Nodes per second of the compiled kernel against the same algorithm hand-written in C."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import numpy as np

import plies
from plies.engine.kernels import alpha_beta, counts

DEPTH = 15
REPETITIONS = 9
SOURCE = Path(__file__).parent / "connect_four.c"


class Bare(plies.ConnectFour):
    """Connect Four without an evaluation, as the C has it."""

    def evaluate(self, state: object, player: int) -> float:
        return 0.0


def rows() -> Iterator[dict[str, str]]:
    """One row: alpha-beta over plain-Python rules against C at -O3, same nodes."""
    what = f"alpha-beta, Connect Four, depth {DEPTH}, nodes/s"
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        yield {"what": what, "plies": "", "against": "C: this machine has no C compiler", "ratio": ""}
        return
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "connect_four")
        subprocess.run([compiler, "-O3", "-o", program, str(SOURCE)], check=True)
        game, ours, theirs = Bare(), [], []
        search(game, 2)
        for _ in range(REPETITIONS):  # in turn, so that a busy moment hits both
            value, nodes, seconds = search(game, DEPTH)
            ours.append(nodes / seconds)
            printed = subprocess.run([program, str(DEPTH)], capture_output=True, text=True, check=True)
            c_value, c_nodes, c_seconds = printed.stdout.split()
            if (value, nodes) != (float(c_value), int(c_nodes)):
                raise SystemExit(f"not the same search: {value, nodes} against C's {c_value, c_nodes}")
            theirs.append(int(c_nodes) / float(c_seconds))
    yield {
        "what": what,
        "plies": f"{median(ours) / 1e6:.0f} M",
        "against": f"C -O3: {median(theirs) / 1e6:.0f} M",
        "ratio": f"{median(ours) / median(theirs):.2f}",
    }


def search(game: plies.Game, depth: int) -> tuple[float, int, float]:
    """Value, nodes and CPU seconds of one search from the initial state."""
    count = counts()
    start = time.process_time()
    value = alpha_beta(game, game.initial(), 0, -np.inf, np.inf, depth, 0, count)
    return value, int(count.nodes), time.process_time() - start
