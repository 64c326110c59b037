"""Training of networks: positions a second and core that self-play gives and a fit takes, by width."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from statistics import median

import plies
from bench.common import Row, after, in_turn, progress, random_openings
from bench.networks import speed
from plies.engine import AlphaBeta
from plies.learn.players import GamePlayer
from plies.learn.positions import Positions
from plies.learn.trainer import Trainer
from plies.network import Network

TITLE = "Training of networks"
COLUMNS = (
    "game and units",
    "positions/s played",
    "positions/s fitted",
    "nodes/s, of the bare kernel",
    "goal",
)
NOTE = (
    "One core, CPU time. Self-play has 400 nodes a move, and the bare kernel is alpha-beta with the same "
    "network, a new one, in one long search. A fit is one pass, forward and backward."
)
UNITS = (16, 32, 64, 128, 256)
NODES, GAMES, LONG = 400, 16, 100_000
GOAL = 0.7
"""The share of the bare kernel's nodes a second that self-play should have."""


def rows(quick: bool) -> Iterator[Row]:
    """For each game a row for each width."""
    for name in ("connect-four",) if quick else ("connect-four", "othello", "chess"):
        for units in UNITS[1:2] if quick else UNITS:
            progress(f"{name}, {units} units")
            yield row(plies.game(name), units)


def row(game: plies.Game, units: int) -> Row:
    """The row of a game and a width."""
    game.compiled = True
    network = Network.fresh(game, units)
    player = GamePlayer(game, network, GAMES)
    engine = AlphaBeta(game, memory=4, network=network, book="no", database=False)
    states = [after(game, moves) for moves in random_openings(game, [6, 8, 10, 12])]
    measures = (partial(played, player, network), partial(speed, engine, states, LONG))
    runs, bare = in_turn(3, *measures)
    positions, share = median(run[0] for run in runs), median(run[1] for run in runs) / median(bare)
    fits = fitted_speed(player, network)
    cells = (f"{game.name}, {units}", f"{positions:,.0f}", f"{fits:,.0f}", f"{share:.2f}", f"{GOAL:.1f}")
    figures = {"game": game.name, "units": units, "played": positions, "fitted": fits, "ratio": share}
    return Row(cells, figures)


def played(player: GamePlayer, network: Network) -> tuple[float, float]:
    """Positions and nodes for each second of CPU time."""
    begun = time.process_time()
    positions, counted = player.self_play(network, GAMES, NODES, 1)
    taken = time.process_time() - begun
    return len(positions) / taken, counted["visited"] / taken


def fitted_speed(player: GamePlayer, network: Network) -> float:
    """Positions of a pass for each second of CPU time."""
    parts = [player.self_play(network, GAMES, NODES // 4, seed)[0] for seed in range(8)]
    positions = Positions.joined(parts)
    trainer = Trainer(len(network.inward), network.units, network.thresholds)
    speeds = []
    for _ in range(3):
        begun = time.process_time()
        trainer.fit(positions, positions.targets(0.5), epochs=2, rate=0.001, seed=1)
        speeds.append(2 * len(positions) / (time.process_time() - begun))
    return median(speeds)
