"""What a network thinks of pieces: by how much its value changes if a bit of its planes were not set."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from plies.engine.root import blamed
from plies.errors import PliesError
from plies.evaluation.positions import positions
from plies.evaluation.tables import as_text
from plies.game import Game, State
from plies.inputs import Array, inputs_of, phase_of, range_of, value_of
from plies.network import Learned

POSITIONS = 100
"""The positions of random games that it is asked about. Not tuned."""

PLIES = 60
"""The longest of these games. Not tuned."""


@dataclass(frozen=True)
class NetworkWorth:
    """The value of a position by a network, and what the bits of each plane are worth to it."""

    game: Game
    value: float
    """To the player to move."""
    planes: tuple[tuple[str, float, float], ...]
    """Of each plane: its name, how many of its bits are set on average, and by how much the value falls, on
    average, without one of them, in the views of both players."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        rows = [dict(zip(("plane", "bits", "worth"), row, strict=True)) for row in self.planes]
        return {"game": repr(self.game), "value": self.value, "planes": rows}

    def __str__(self) -> str:
        unit = self.game.unit
        said = "" if unit == 1 else f" in units of {unit:g}"
        rows = [(name, f"{bits:.1f}", f"{worth / unit:+.3g}") for name, bits, worth in self.planes]
        value = f"EVAL by the network  {self.value / unit:+.4g}{said}, to the player to move"
        return "\n".join([value, "", *as_text(("plane", "bits", f"worth{said}"), rows)])


def worth_to_network(
    game: Game, network: Learned, state: State | None = None, *, count: int = POSITIONS, seed: int = 0
) -> NetworkWorth:
    """The value of a position by a network, and what the bits of each plane are worth to it, on average over
    positions of random games.

    What is one's own in one view is the opponent's in the other: two planes that have as many bits in every
    position, one in each view, are taken for the same, and a bit is removed from both.
    """
    network.check(game)
    with blamed(game, state):
        state = game.initial() if state is None else state
        if game.is_terminal(state):
            raise PliesError("there is nothing to evaluate: the game is over")
        met = islice(positions(game, None, by="random", seed=seed, plies=PLIES), count)
        sampled = [one.state for one in met]
        views = [
            [inputs_of(game, one, player) for player in (game.to_move(one), 1 - game.to_move(one))]
            for one in sampled
        ]
    planes, cells = int(network.about["planes"]), int(network.about["cells"])
    bits = np.array(
        [[np.bincount(view // cells, minlength=planes) for view in both] for both in views]
    )  # by position, view and plane
    phases = [phase_of(game, one, network.phases) for one in sampled]
    falls = np.array(
        [
            [_falls(game, network, both, phase, view) for view in (0, 1)]
            for both, phase in zip(views, phases, strict=True)
        ]
    )
    sizes, sums = bits.sum(0), falls.sum(0)
    means = np.divide(sums, sizes, out=np.zeros(sums.shape), where=sizes > 0)
    names = [*game.plane_names, *(f"plane {number + 1}" for number in range(len(game.plane_names), planes))]
    rows = []
    for plane in range(planes):
        same = [other for other in range(planes) if np.array_equal(bits[:, 1, other], bits[:, 0, plane])]
        worth = means[0, plane] + (means[1, same[0]] if len(same) == 1 else 0.0)
        rows.append((names[plane], float(sizes[0, plane] / len(views)), float(worth)))
    value = network.estimate(game, state, max(game.to_move(state), 0))
    return NetworkWorth(game, value, tuple(rows))


def _falls(game: Game, network: Learned, views: list[Array], phase: int, view: int) -> Array:
    """By how much the value falls without each bit of a view, summed by plane."""
    even, reach = range_of(game)
    cells, planes = int(network.about["cells"]), int(network.about["planes"])
    output = network.outputs_of(views, phase)

    def value(without: tuple[int, int] | None = None) -> float:
        return value_of(output(without), even, reach, network.half)

    whole, found = value(), np.zeros(planes)
    for bit in views[view]:
        found[bit // cells] += whole - value((view, int(bit)))
    return found
