"""Networks for searches: which one a search takes, and the arrays in which its kernel keeps the sums."""

from __future__ import annotations

import inspect
from functools import lru_cache
from pathlib import Path

import numpy as np

from plies.engine.pattern_arrays import pattern_arrays
from plies.engine.runner import LAST_PLY, Arrays
from plies.errors import BadParameter
from plies.game import Game
from plies.inputs import layout_of, range_of
from plies.network import Learned, Network, load_network
from plies.patterns import Patterns

YES, NO = "yes", "no"
"""The words that take the network of the game itself, if it has one, or none; another word is a file."""


def has_network(game: Game, word: str | Learned = YES) -> bool:
    """Whether a search of a game with that word for its network has one."""
    return bool(game.network_file) if word == YES else word != NO


def chosen_network(game: Game, word: str | Learned) -> Learned | None:
    """The network that a word stands for; an error, in a sentence, if it does not fit the game."""
    if not has_network(game, word):
        return None
    if word == YES:
        network = _own_network(game)
    elif isinstance(word, Network | Patterns):
        network = word
    elif isinstance(word, str | Path):
        network = _read(Path(word))
    else:
        raise BadParameter(f"network is {YES}, {NO}, the name of a file or a Network, not {word!r:.40}")
    network.check(game)
    return network


def _own_network(game: Game) -> Learned:
    """The network that the class of a game names; a relative path begins beside the file of that class."""
    owners = [cls for cls in type(game).__mro__ if "network_file" in vars(cls)]
    cls = type(game) if "network_file" in vars(game) else owners[0]
    return _read(Path(inspect.getfile(cls)).parent / game.network_file)


def _read(path: Path) -> Learned:
    """The network in a file, which is read again only if it has changed."""
    return _loaded(path.absolute(), path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=16)
def _loaded(path: Path, changed: int) -> Learned:
    """The network in a file that was last changed then: an engine for every move reads it once."""
    return load_network(path)


def network_arrays(network: Learned | None, game: Game, plies: int = LAST_PLY + 4) -> Arrays:
    """The arrays of a network for a kernel that uses rows for so many plies; none without a network."""
    if network is None:
        return {}
    if isinstance(network, Patterns):
        return pattern_arrays(network, game)
    own, layout = network.quantised, layout_of(game)
    rows, inputs = 2 * plies + 1, network.inputs
    sums = np.empty((rows, network.units), np.int16)
    sums[:] = own.biases
    return {
        "network_inward": own.inward,  # by input
        "network_outward": own.outward.reshape(-1, network.units),  # by bucket and view, the own one first
        "network_offsets": own.offsets,  # by bucket
        "network_buckets": own.buckets,  # by how many bits are set
        "network_scale": np.array([*range_of(game), network.half]),  # a draw, a win beyond it, the half
        # By ply and player's view; the last row stays that of no bits.
        "network_sums": sums,
        "network_seen": np.zeros((rows, len(layout.masks)), np.int64),  # the planes that they are sums of
        # What is being added and removed, and the words of the planes.
        "network_added": np.zeros(inputs, np.int64),
        "network_removed": np.zeros(inputs, np.int64),
        "network_words": np.zeros(layout.words, np.int64),
        # By word that has cells: see `Layout`.
        "network_places": layout.places,
        "network_first": layout.first,
        "network_masks": layout.masks,
        **({"network_other": layout.other} if len(layout.other) else {}),
        **(_phases(network, rows) if network.phases > 1 else {}),
    }


def _phases(network: Network, rows: int) -> Arrays:
    """The arrays of a network that has phases."""
    return {
        "network_phase": np.zeros(rows, np.int64),  # of each row of sums
        "network_shape": np.array([network.phases, network.inputs, len(network.thresholds) + 1]),
    }
