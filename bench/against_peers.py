"""Time to the same answer on Connect Four against the peers that install from PyPI."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import numpy as np

import plies
from bench import environment, start_up
from bench.common import Bare, LeftToRight, Row, after, in_turn, progress, random_openings, seconds
from plies.engine import AlphaBeta, Limit, Value
from plies.engine.kernels import alpha_beta, counts
from plies.engine.solve import Solver

TITLE = "Against peers from PyPI: time to the same answer"
COLUMNS = ("Connect Four", "Plies", "peer", "times as fast", "aim")
NOTE = (
    "Wall time, one thread, summed over the positions; every value is checked to be the peer's. Fixed depth: "
    "the empty board and three random openings, 0 at the depth bound; easyAI and OpenSpiel run alpha-beta "
    "without a table, as they come, and try columns from left to right in their own games; the bitboards are "
    "our rules written for easyAI, centre first. 'Alpha-beta' is the plain kernel; 'engine' has all "
    "refinements, and a new table for each position. OpenSpiel's C++ cannot be called from Python: what it "
    "takes at depth 12, 0.83 s, was measured elsewhere, and the aim is a hundredth of it. Exact scores: "
    "random openings of so many stones, value and distance to the end; BitBully is a specialist in C++, here "
    "without its opening book. Tables are emptied for each position, not counted."
)
REPETITIONS = 3


def rows(quick: bool) -> Iterator[Row]:
    """Rows for easyAI, OpenSpiel and BitBully, then what compiling takes, which no row includes."""
    game, left_to_right, complete = Bare(), LeftToRight(), plies.ConnectFour()
    openings = [[], *random_openings(game, (8, 12, 16))]
    progress("loading kernels")
    for search, rules in ((_alpha_beta, game), (_alpha_beta, left_to_right), (_engine, game)):
        search(rules, openings, 1)
    solving, deepening = _solving(complete), _deepening(complete)
    for peer, variant, depth, aim in (
        ("easyAI", "its own game", 5 if quick else 7, 2000),
        ("easyAI", "bitboards", 5 if quick else 7, None),
        ("open_spiel", "its own game", 7 if quick else 11, 50),
    ):
        asked = {"game": variant, "depth": depth, "openings": openings}
        measures = {
            f"alpha-beta, left to right, depth {depth}": partial(_alpha_beta, left_to_right, openings, depth),
            f"alpha-beta, centre first, depth {depth}": partial(_alpha_beta, game, openings, depth),
            f"engine, depth {depth}": partial(_engine, game, openings, depth),
        }
        yield from _compare(peer, f"{peer}, {variant}", asked, measures, aim)
    yield _depth_12(game)
    for stones, count in ((24, 5),) if quick else ((24, 20), (18, 10), (14, 10)):
        openings = random_openings(game, [stones] * count)
        what = f"exact scores, {count} x {stones} stones"
        measures = {
            f"{what}, solver": partial(_exact, *solving, complete, openings),
            f"{what}, engine": partial(_exact, *deepening, complete, openings),
        }
        yield from _compare("bitbully", "bitbully", {"openings": openings}, measures, None)
    first, again = start_up.first_search("ConnectFour"), start_up.cached_search("ConnectFour")
    yield Row(
        (
            "not counted above: compiling the engine, once",
            start_up.both(first),
            f"then cached: {start_up.both(again)}",
        ),
        {"what": "compiling", "first": first, "cached": again},
    )


def _depth_12(game: plies.Game) -> Row:
    """The engine from the empty board, 0 at the depth bound."""
    _engine(game, [[]], 12)
    duration = median(_engine(game, [[]], 12)[1] for _ in range(9))
    theirs = "open_spiel in C++, elsewhere: 830 ms"
    return Row(
        ("engine, depth 12, the empty board", seconds(duration), theirs, f"{0.83 / duration:.0f}", "100"),
        {"what": "depth 12", "plies": duration, "against": 0.83, "ratio": 0.83 / duration, "aim": 100},
    )


def _compare(
    peer: str, label: str, asked: dict[str, Any], measures: dict[str, Any], aim: int | None
) -> Iterator[Row]:
    """A row for each measure against one peer, or one that says why there is none."""
    reason = environment.install(peer)
    if reason:
        yield Row((next(iter(measures)), "", f"{label}: {reason}", ""), {"peer": peer, "missing": reason})
        return
    progress(f"{', '.join(measures)} against {label}")
    try:
        theirs, *ours = in_turn(REPETITIONS, lambda: environment.ask(peer.lower(), asked), *measures.values())
    except subprocess.CalledProcessError as error:
        reason = environment.why_not(error)
        yield Row((next(iter(measures)), "", f"{label}: {reason}", ""), {"peer": peer, "missing": reason})
        return
    peer_time = median(run["seconds"] for run in theirs)
    for what, runs in zip(measures, ours, strict=True):
        if any(values != theirs[0]["values"] for values, _ in runs):
            wrong = {"what": what, "peer": label, "plies": runs[0][0], "against": theirs[0]["values"]}
            yield Row((what, "", label, "not the same answer"), wrong)
            continue
        duration = median(taken for _, taken in runs)
        ratio = peer_time / duration
        yield Row(
            (
                what,
                seconds(duration),
                f"{label} {theirs[0]['version']}: {seconds(peer_time)}",
                f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2f}",
                "" if aim is None else f"{aim:,}",
            ),
            {
                "what": what,
                "peer": label,
                "version": theirs[0]["version"],
                "values": theirs[0]["values"],
                "plies": duration,
                "against": peer_time,
                "ratio": ratio,
                "aim": aim,
            },
        )


def _alpha_beta(game: plies.Game, openings: list[list[int]], depth: int) -> tuple[list[int], float]:
    """Values, by sign, and seconds of the plain kernel."""
    states = [after(game, moves) for moves in openings]
    start = time.perf_counter()
    scores = [
        alpha_beta(game, state, game.to_move(state), -np.inf, np.inf, depth, 0, counts()) for state in states
    ]
    return [int(np.sign(score)) for score in scores], time.perf_counter() - start


def _engine(game: plies.Game, openings: list[list[int]], depth: int) -> tuple[list[int], float]:
    """Values and seconds of the engine."""
    states = [after(game, moves) for moves in openings]
    start = time.perf_counter()
    found = [AlphaBeta(game).search(state, Limit(depth=depth)) for state in states]
    return [int(each.value.utility) for each in found], time.perf_counter() - start


def _solving(game: plies.Game) -> tuple[Any, Callable[[Any], Value]]:
    """The solver, and how it finds a value with the distance to the end."""
    solver = Solver(game, distance=True, memory=64, book="no")
    return solver, lambda state: solver.solve(state).value


def _deepening(game: plies.Game) -> tuple[Any, Callable[[Any], Value]]:
    """The engine, and how it finds the same: it deepens until it has proved it."""
    engine = AlphaBeta(game, book="no")
    return engine, lambda state: engine.search(state, Limit(depth=42)).value


def _exact(
    machine: Any, find: Callable[[Any], Value], game: plies.Game, openings: list[list[int]]
) -> tuple[list[int], float]:
    """Exact scores, as solvers of Connect Four count them, and seconds."""
    scores, duration = [], 0.0
    for moves in openings:
        state = after(game, moves)
        machine.clear()
        start = time.perf_counter()
        value = find(state)
        duration += time.perf_counter() - start
        stones = (state.ply + (value.plies or 0) + 1) // 2  # of the winner, at the end
        scores.append(int(value.utility) * (22 - stones))
    return scores, duration
