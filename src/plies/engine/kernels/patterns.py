"""Pattern tables in a search: the indices of all sets of cells, made anew for each position.

Four cells at a time, their contribution to every index is a row of 16-bit numbers; these rows are added up
sixteen indices at a time. These functions are parts of kernels; `plies.engine.networks` makes the arrays.
"""

from __future__ import annotations

from typing import Any

from plies import bits
from plies.compiled.lanes import add_rows
from plies.compiled.packing import write_state
from plies.inputs import value_of
from plies.patterns.tables import FINE

GROUP = 4
"""The cells whose contributions are in one row."""

ROWS = 1 << GROUP
"""The rows of such cells, one for each way in which they can be set."""


def pattern_value(game: Any, state: Any, mover: int, work: Any) -> float:
    """The value of a state to the player to move, by the pattern tables of the search."""
    write_state(game.planes(state, mover), work.pattern_words)
    words, places, masks = work.pattern_words, work.pattern_places, work.pattern_masks
    found, chosen = work.pattern_found, work.pattern_chosen
    size = 0
    for plane in range(len(places)):
        count = 0
        for i in range(len(masks)):
            count += bits.popcount(int(words[places[plane, i]]) & int(masks[i]))
        found[plane] = count
        size += count * chosen[plane]
    tables, counts = work.pattern_tables, work.pattern_counts
    stage = work.pattern_stages[size]
    total = int(tables[stage, counts[len(places)] + size])
    for plane in range(len(places)):
        total += int(tables[stage, counts[plane] + found[plane]])
    sums, firsts, added = work.pattern_sums, work.pattern_firsts, work.pattern_added
    add_rows(sums, 0, 1, work.pattern_rows, added, rows_of(work), added, 0)
    for k in range(len(firsts)):
        total += int(tables[stage, firsts[k] + (int(sums[1, k]) & 65535)])
    scale = work.network_scale
    return value_of(FINE * total, scale[0], scale[1], scale[2])


def rows_of(work: Any) -> int:
    """Write the numbers of the rows that make up the indices of a board: how many there are."""
    words, places, masks = work.pattern_words, work.pattern_places, work.pattern_masks
    planes, flips, added = work.pattern_planes, work.pattern_flips, work.pattern_added
    more, first = 0, 0
    for state in range(len(flips)):
        for i in range(len(masks)):
            cells = int(masks[i])  # those that are in this state: just the planes of its code have them
            for j in range(len(planes)):
                cells &= int(words[places[planes[j], i]]) ^ int(flips[state, j])
            row = first
            while cells != 0:
                if cells & (ROWS - 1) != 0:
                    added[more] = row + (cells & (ROWS - 1))
                    more += 1
                cells = bits.right(cells, GROUP)
                row += ROWS
            first += 64 // GROUP * ROWS
    return more
