"""Nodes per second of the compiled kernels against alpha-beta on Connect Four hand-written in C."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import plies
from bench.common import Bare, Row, in_turn, millions, progress
from plies.engine import AlphaBeta, Limit, Options
from plies.engine import table as tables
from plies.engine.kernels import alpha_beta, counts

TITLE = "Against hand-written C"
COLUMNS = ("Connect Four", "Plies, nodes/s", "C, nodes/s", "ratio")
NOTE = (
    "Rules in Python, compiled, against rules and search in one C file (-O3, this processor); one thread, "
    "CPU time, from the empty board, 0 at the depth bound. The alpha-beta of plies.engine.kernels visits the "
    "same nodes as the plain C; the engine with all refinements off searches depth after depth, so its nodes "
    "are not quite the same. With all that is on by default (table, enhanced cut-offs, candidates, ordering, "
    "null windows, symmetry) it visits the same nodes as C that has all of it; the root of both is Python."
)
SOURCE, REFINED = (Path(__file__).parent / name for name in ("connect_four.c", "connect_four_pvs.c"))
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
    """A row for the plain kernel, one for the engine's with nothing on, and one with all defaults."""
    depth, deeper, repetitions = (10, 14, 3) if quick else (15, 22, 9)
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        yield Row((f"alpha-beta, depth {depth}", "", "this machine has no C compiler", ""))
        return
    game = Bare()
    progress("compiling C and kernels")
    _plain(game, 2)
    engine_run(game, 2, OFF)
    engine_run(game, 2, Options())
    with tempfile.TemporaryDirectory() as folder:
        program, library = (str(Path(folder) / name) for name in ("connect_four", "connect_four_pvs.so"))
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, str(SOURCE), "-lm"], check=True)
        subprocess.run(
            [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, str(REFINED)], check=True
        )
        progress(f"alpha-beta against C, depth {depth}")
        plain, engine, c = in_turn(
            repetitions,
            lambda: _plain(game, depth),
            lambda: engine_run(game, depth, OFF),
            lambda: _c(program, depth),
        )
        progress(f"the engine against C of equal features, depth {deeper}")
        refined, equal = in_turn(
            repetitions,
            lambda: engine_run(game, deeper, Options()),
            lambda: engine_run(game, deeper, Options(), library),
        )
    yield _row("alpha-beta, the same nodes", depth, plain, c, True)
    yield _row("the engine's kernel, all off", depth, engine, c, False)
    yield _row("the engine's kernel, C of equal features", deeper, refined, equal, True)


Run = tuple[float, int, float]
"""Value, nodes and CPU seconds of a search."""


def _row(what: str, depth: int, ours: list[Run], c: list[Run], same: bool) -> Row:
    """The medians of both, and their ratio; with `same`, only of searches of the same value and nodes."""
    if same and ours[0][:2] != c[0][:2]:
        return Row((what, f"{ours[0][:2]}", f"{c[0][:2]}", "not the same search"))
    rate, in_c = (median(nodes / duration for _, nodes, duration in runs) for runs in (ours, c))
    return Row(
        (f"{what}, depth {depth}", millions(rate), millions(in_c), f"{rate / in_c:.2f}"),
        {"what": what, "depth": depth, "nodes": ours[0][1], "plies": rate, "c": in_c, "ratio": rate / in_c},
    )


def _plain(game: plies.Game, depth: int) -> Run:
    """Value, nodes and CPU seconds of the plain kernel."""
    count = counts()
    start = time.process_time()
    value = alpha_beta(game, game.initial(), 0, -np.inf, np.inf, depth, 0, count)
    return value, int(count.nodes), time.process_time() - start


def engine_run(game: plies.Game, depth: int, options: Options, library: str = "") -> Run:
    """Value, nodes and CPU seconds of the engine, with its own kernel or with one in C."""
    engine = AlphaBeta(game, memory=16, options=options)
    if library:
        engine.runners[0].kernel = _CKernel(library)
    start = time.process_time()
    found = engine.search(limit=Limit(depth=depth))
    return float(found.value), found.nodes, time.process_time() - start


class _Record(ctypes.Structure):
    """What the C kernel reads and counts: `Run` in its file."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("nodes", "inexact", "hits", "cuts", "first_cuts")),
        *((name, ctypes.c_int64) for name in ("age", "symmetry", "buckets")),
        ("table", ctypes.c_void_p),
    ]


class _CKernel:
    """`pvs` in C, which is called as the engine's kernel is."""

    def __init__(self, library: str) -> None:
        self.function = ctypes.CDLL(library).pvs
        self.function.argtypes = [ctypes.c_int64] * 8 + [ctypes.POINTER(_Record)]
        self.function.restype = ctypes.c_int64

    def __call__(
        self, game: plies.Game, state: Any, viewer: int, alpha: int, beta: int, depth: int, ply: int,
        run: Any, work: Any,
    ) -> int:  # fmt: skip
        counted = ("nodes", "inexact", "hits", "cuts", "first_cuts")
        record = _Record(
            *(int(getattr(run, name)) for name in (*counted, "age", "symmetry")),
            len(work.table) // tables.BUCKET,
            work.table.ctypes.data,
        )
        score = self.function(*state, viewer, alpha, beta, depth, ply, record)
        for name in counted:
            setattr(run, name, getattr(record, name))
        return int(score)


def _c(program: str, depth: int) -> Run:
    """Value, nodes and CPU seconds of the C program."""
    printed = subprocess.run([program, str(depth)], capture_output=True, text=True, check=True)
    value, nodes, duration = printed.stdout.split()
    return float(value), int(nodes), float(duration)
