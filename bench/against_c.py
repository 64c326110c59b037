"""Nodes per second of the compiled kernels against alpha-beta on Connect Four hand-written in C."""

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
from bench.common import Bare, Row, in_turn, millions, progress
from plies.engine import AlphaBeta, Limit, Options
from plies.engine.kernels import alpha_beta, counts

TITLE = "Against hand-written C"
COLUMNS = ("Connect Four", "Plies, nodes/s", "C -O3, nodes/s", "ratio")
NOTE = (
    "Rules in Python, compiled, against rules and search in one C file; one thread, CPU time, from the empty "
    "board, 0 at the depth bound. The alpha-beta of plies.engine.kernels visits the same nodes as the C; the "
    "engine with all refinements off searches depth after depth, so its nodes are not quite the same."
)
SOURCE = Path(__file__).parent / "connect_four.c"
OFF = Options(
    table=False,
    null_window=False,
    aspiration=False,
    candidates=False,
    priority=False,
    killers=False,
    history=False,
    quiescence=False,
)


def rows(quick: bool) -> Iterator[Row]:
    """A row for the plain kernel, and one for the engine's with nothing on."""
    depth, repetitions = (10, 3) if quick else (15, 9)
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        yield Row((f"alpha-beta, depth {depth}", "", "this machine has no C compiler", ""))
        return
    game = Bare()
    progress("compiling C and kernels")
    _plain(game, 2)
    _engine(game, 2)
    progress(f"alpha-beta against C, depth {depth}")
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "connect_four")
        subprocess.run([compiler, "-O3", "-o", program, str(SOURCE), "-lm"], check=True)
        plain, engine, c = in_turn(
            repetitions,
            lambda: _plain(game, depth),
            lambda: _engine(game, depth),
            lambda: _c(program, depth),
        )
    if plain[0][:2] != c[0][:2]:
        yield Row(("alpha-beta", f"{plain[0][:2]}", f"{c[0][:2]}", "not the same search"))
        return
    in_c = median(nodes / duration for _, nodes, duration in c)
    for what, runs in (("alpha-beta, the same nodes", plain), ("the engine's kernel, all off", engine)):
        ours = median(nodes / duration for _, nodes, duration in runs)
        yield Row(
            (f"{what}, depth {depth}", millions(ours), millions(in_c), f"{ours / in_c:.2f}"),
            {
                "what": what,
                "depth": depth,
                "nodes": runs[0][1],
                "plies": ours,
                "c": in_c,
                "ratio": ours / in_c,
            },
        )


def _plain(game: plies.Game, depth: int) -> tuple[float, int, float]:
    """Value, nodes and CPU seconds of the plain kernel."""
    count = counts()
    start = time.process_time()
    value = alpha_beta(game, game.initial(), 0, -np.inf, np.inf, depth, 0, count)
    return value, int(count.nodes), time.process_time() - start


def _engine(game: plies.Game, depth: int) -> tuple[float, int, float]:
    """Value, nodes and CPU seconds of the engine with all refinements off."""
    engine = AlphaBeta(game, memory=1, options=OFF)
    start = time.process_time()
    found = engine.search(limit=Limit(depth=depth))
    return float(found.value), found.nodes, time.process_time() - start


def _c(program: str, depth: int) -> tuple[float, int, float]:
    """Value, nodes and CPU seconds of the C program."""
    printed = subprocess.run([program, str(depth)], capture_output=True, text=True, check=True)
    value, nodes, duration = printed.stdout.split()
    return float(value), int(nodes), float(duration)
