"""What a network costs a search: nodes a second with networks of several widths and the game's evaluation."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from statistics import median
from typing import Any

import plies
from bench.common import Row, after, in_turn, progress, random_openings
from plies.engine import AlphaBeta, Limit
from plies.network import Network
from plies.wrapper import Wrapper

TITLE = "Networks in the search"
COLUMNS = ("game and evaluation", "nodes/s", "relative to its own evaluation", "goal")
NOTE = (
    "Alpha-beta to a number of nodes from positions after random moves, one thread, CPU time, an empty table "
    "for each position. All evaluations are computed and then count as 0, so that the trees are the same."
)
UNITS = (16, 32, 64, 128, 256)
GOAL = {32: 0.7}
"""By units, the goal relative to the game's own evaluation."""


class Nought(Wrapper):
    """A game whose evaluation is computed, and counts as nothing: the tree of a network without outputs."""

    def evaluate(self, state: Any, player: int) -> float:
        return 0.0 * self.game.evaluate(state, player)


def rows(quick: bool) -> Iterator[Row]:
    """For each game a row for its own evaluation, and one for each width."""
    for name in ("connect-four", "othello") if quick else ("connect-four", "othello", "checkers", "chess"):
        yield from game_rows(plies.game(name), UNITS[:2] if quick else UNITS, 20_000 if quick else 200_000)


def game_rows(game: plies.Game, widths: tuple[int, ...], nodes: int) -> Iterator[Row]:
    """The rows of a game."""
    game.compiled = True
    states = [after(game, moves) for moves in random_openings(game, [6, 8, 10, 12])]
    engines = {"its own": AlphaBeta(Nought(game), network="no", book="no", database=False)}
    for units in widths:
        progress(f"{game.name}, {units} units")
        network = Network.fresh(game, units)
        engines[f"{units} units"] = AlphaBeta(game, network=network, book="no", database=False)
    measures = [partial(speed, engine, states, nodes) for engine in engines.values()]
    speeds = [median(runs) for runs in in_turn(3, *measures)]
    for (words, _), units, found in zip(engines.items(), (0, *widths), speeds, strict=True):
        goal = f"{GOAL[units]:.1f}" if units in GOAL else ""
        yield Row(
            (f"{game.name}, {words}", f"{found:,.0f}", f"{found / speeds[0]:.2f}", goal),
            {"game": game.name, "units": units, "nodes_per_second": found, "ratio": found / speeds[0]},
        )


def speed(engine: AlphaBeta, states: list[Any], nodes: int) -> float:
    """Nodes for each second of CPU time."""
    searched, taken = 0, 0.0
    for state in states:
        engine.clear()
        start = time.process_time()
        searched += engine.search(state, Limit(nodes=nodes)).nodes
        taken += time.process_time() - start
    return searched / taken
