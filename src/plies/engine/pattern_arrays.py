"""The arrays by which a kernel evaluates positions by pattern tables."""

from __future__ import annotations

import numpy as np

from plies.compiled.lanes import LANES
from plies.engine.kernels.patterns import GROUP, ROWS
from plies.engine.runner import Arrays
from plies.game import Game
from plies.inputs import WORD, Array, layout_of, range_of
from plies.patterns import Patterns


def pattern_arrays(patterns: Patterns, game: Game) -> Arrays:
    """The arrays of pattern tables for a kernel."""
    layout, sets = layout_of(game), len(patterns.sets)
    places = layout.places.reshape(layout.planes, -1)
    pieces = places.shape[1]
    counts = patterns.counts_at + np.arange(layout.planes + 1) * (layout.cells + 1)
    most = len(patterns.planes) * layout.cells
    flips = np.where(patterns.codes[:, None] >> patterns.planes & 1, 0, -1)
    lanes = -(-sets // LANES) * LANES
    return {
        "pattern_tables": patterns.tables,  # by stage
        "pattern_firsts": patterns.firsts,  # where the table of each set of cells begins
        "pattern_counts": counts,  # where that by the bits of each plane does, and that by the bits of all
        "pattern_stages": np.searchsorted(patterns.thresholds, np.arange(most + 1), side="right"),  # by bits
        "network_scale": np.array([*range_of(game), patterns.half]),  # a draw, a win beyond it, the half
        "pattern_rows": _rows(patterns, pieces, layout.cells, lanes),
        "pattern_sums": np.zeros((2, lanes), np.int16),  # nothing, and the indices of all sets
        "pattern_added": np.zeros(len(flips) * pieces * (64 // GROUP), np.int64),  # the rows they are sums of
        "pattern_words": np.zeros(layout.words, np.int64),  # of the planes
        "pattern_places": places,  # by plane and piece of a plane, among these
        "pattern_masks": layout.masks[:pieces],  # the cells of each piece
        "pattern_planes": patterns.planes,  # the planes that tell the states of a cell …
        "pattern_flips": flips,  # … and by state and plane, -1 if it must not have the cell
        "pattern_chosen": np.isin(np.arange(layout.planes), patterns.planes).astype(np.int64),
        "pattern_found": np.zeros(layout.planes, np.int64),  # the bits of each plane
    }


def _rows(patterns: Patterns, pieces: int, cells: int, lanes: int) -> Array:
    """What each way in which four cells can be set adds to the indices, by state, piece, cells and way."""
    width = WORD if pieces > 1 else 64
    powers = np.zeros((pieces * width, lanes), np.int64)
    powers[:cells, : len(patterns.sets)] = patterns.powers
    by_piece = np.zeros((pieces, 64, lanes), np.int64)
    by_piece[:, :width] = powers.reshape(pieces, width, lanes)
    groups = by_piece.reshape(pieces, 64 // GROUP, GROUP, lanes)
    ways = np.arange(ROWS)[:, None] >> np.arange(GROUP) & 1
    rows = np.einsum("wc,pgcl->pgwl", ways, groups)
    every = np.arange(1, patterns.states)[:, None, None, None, None] * rows
    return np.asarray(every.reshape(-1, lanes).astype(np.uint16).view(np.int16))
