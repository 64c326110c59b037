"""How many lines of play per second the rules alone allow: perft, compiled against interpreted."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import plies
from bench.common import Row, millions, progress
from plies.engine import kernels

TITLE = "Perft: lines of play counted per second"
COLUMNS = ("game", "depth, lines", "compiled", "interpreted", "times as fast")
NOTE = (
    "CPU time, one thread, from the initial state of the game as it comes: lines of that many plies, walked "
    "one by one; the same kernel compiled, and interpreted to a lesser depth. Games of fewer than "
    "a thousand lines are left out: there the call is what would be measured."
)


def rows(quick: bool) -> Iterator[Row]:
    """A row for each installed game without dice."""
    seconds, repetitions = (0.02, 3) if quick else (0.3, 5)
    for name in plies.game_names():
        game = plies.game(name)
        if game.stochastic:
            continue
        progress(f"perft, {name}")
        kernels.perft(game, game.initial(), 1)
        depth = _depth(game, kernels.perft, seconds)
        lines = kernels.perft(game, game.initial(), depth)
        if lines < 1000:
            continue
        rates = [
            median(_rate(game, perft, to) for _ in range(repetitions))
            for perft, to in (
                (kernels.perft, depth),
                (kernels.perft.interpreted, _depth(game, kernels.perft.interpreted, seconds)),
            )
        ]
        yield Row(
            (
                name,
                f"{depth}, {lines:,}",
                *(f"{millions(rate)}/s" for rate in rates),
                f"{rates[0] / rates[1]:,.0f}",
            ),
            {"game": name, "depth": depth, "lines": lines, "compiled": rates[0], "interpreted": rates[1]},
        )


def _depth(game: plies.Game, perft: Callable[..., int], seconds: float) -> int:
    """The first depth that takes so long, or the deepest before there are fewer lines again."""
    depth, lines = 1, 1
    while True:
        start = time.process_time()
        now = perft(game, game.initial(), depth)
        if now <= lines and depth > 1:
            return depth - 1
        if time.process_time() - start > seconds:
            return depth
        depth, lines = depth + 1, now


def _rate(game: plies.Game, perft: Callable[[Any, Any, int], int], depth: int) -> float:
    """Lines per second of CPU time."""
    start = time.process_time()
    lines = perft(game, game.initial(), depth)
    return lines / (time.process_time() - start)
