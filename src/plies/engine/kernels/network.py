"""A network in the search (NNUE): the hidden sums of both views, kept by ply and brought up to date.

A row of sums carries the planes that it is the sums of, so it is valid whatever it was used for: null moves,
re-searches, transpositions and stops need nothing. Bringing it up to date takes the bits in which the planes
differ from those of the same row, of the row of the ply before or of an empty board, whichever are fewest.
These functions are parts of kernels; `plies.engine.networks` makes the arrays.
"""

from __future__ import annotations

from typing import Any

from plies import bits
from plies.compiled.lanes import add_rows, clipped_product
from plies.compiled.packing import write_state
from plies.engine.kernels.patterns import pattern_value
from plies.inputs import phase_of, value_of
from plies.network import ONE

FAR = 1 << 20
"""More bits than a view has."""


def static_value(game: Any, state: Any, player: int, ply: int, work: Any) -> float:
    """The static evaluation of a state to a player: by what the search has learned, or the game's own."""
    if work.has("network_scale"):
        mover = 1 if game.to_move(state) == 1 else 0  # where chance moves, as player 0 sees it
        value = learned_value(game, state, mover, ply, work)
        return value if mover == player else 2.0 * work.network_scale[0] - value
    return game.evaluate(state, player)


def learned_value(game: Any, state: Any, mover: int, ply: int, work: Any) -> float:
    """The value of a state to the player to move, by pattern tables or by a network."""
    if work.has("pattern_tables"):
        return pattern_value(game, state, mover, work)
    return network_value(game, state, mover, ply, work)


def network_value(game: Any, state: Any, mover: int, ply: int, work: Any) -> float:
    """The network's value of a state to the player to move."""
    phase = 0
    if work.has("network_phase"):
        phase = phase_of(game, state, work.network_shape[0])
    write_state(game.planes(state, mover), work.network_words)
    bucket = work.network_buckets[updated(work.network_places, mover, ply, phase, work)]
    if work.has("network_phase"):
        bucket += phase * work.network_shape[2]
    if work.has("network_other"):
        updated(work.network_other, 1 - mover, ply, phase, work)
    else:
        write_state(game.planes(state, 1 - mover), work.network_words)
        updated(work.network_places, 1 - mover, ply, phase, work)
    sums, outward, row = work.network_sums, work.network_outward, 2 * ply
    total = work.network_offsets[bucket]
    total += clipped_product(sums, row + mover, ONE, outward, 2 * bucket)
    total += clipped_product(sums, row + 1 - mover, ONE, outward, 2 * bucket + 1)
    return value_of(total, work.network_scale[0], work.network_scale[1], work.network_scale[2])


def updated(places: Any, player: int, ply: int, phase: int, work: Any) -> int:
    """Bring the sums of a player's view at a ply up to date, by the words of its planes at these places and
    the weights of a phase: how many bits are set in the view."""
    seen, words = work.network_seen, work.network_words
    masks, first = work.network_masks, work.network_first
    added, removed = work.network_added, work.network_removed
    row, before = 2 * ply + player, 2 * max(ply - 1, 0) + player
    size, changed, changed_before = 0, 0, 0
    for i in range(len(masks)):
        word = int(words[places[i]]) & int(masks[i])
        size += bits.popcount(word)
        changed += bits.popcount(word ^ int(seen[row, i]))
        changed_before += bits.popcount(word ^ int(seen[before, i]))
    shift = 0
    if work.has("network_phase"):  # sums of other weights are of no use
        shift = phase * work.network_shape[1]
        if work.network_phase[row] != phase:
            changed += FAR
        if work.network_phase[before] != phase:
            changed_before += FAR
        work.network_phase[row] = phase
    if changed == 0:
        return size
    source = row
    if changed_before < changed:
        source, changed = before, changed_before
    if size < changed:
        source = len(seen) - 1  # the biases alone: no bit is set there
    more, less = 0, 0
    for i in range(len(masks)):
        word, old = int(words[places[i]]) & int(masks[i]), int(seen[source, i])
        seen[row, i] = word
        plus, minus = word & ~old, old & ~word
        while plus != 0:
            added[more] = shift + first[i] + bits.lowest(plus)
            more += 1
            plus = plus & bits.add(plus, -1)
        while minus != 0:
            removed[less] = shift + first[i] + bits.lowest(minus)
            less += 1
            minus = minus & bits.add(minus, -1)
    add_rows(work.network_sums, source, row, work.network_inward, added, more, removed, less)
    return size
