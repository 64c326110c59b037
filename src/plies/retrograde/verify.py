"""Verification of a database: every entry is compared with those of its successors, which prove it.

This shares nothing with the makers but the reading of a file's states: it finds states by other hashes, and
takes no symmetric state for another unless the rule says so. A win in n plies needs a successor that is lost
in n - 1, and none that is lost sooner; so wins cannot rest on each other in a circle, and neither can losses.
What has no distance is a draw: if somebody could force a win there, the quickest of these would have a
successor that is decided, and so be wrong itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from plies.compiled.packing import numbers_of
from plies.game import Game, State
from plies.retrograde.counting import are_few
from plies.retrograde.database import Database
from plies.retrograde.enumeration import chosen
from plies.retrograde.indexed_database import IndexedDatabase
from plies.retrograde.kernels import number_verification, verification
from plies.retrograde.layout import Array

FEW = 1_000
"""Roots that are looked up interpreted: quicker than to compile a kernel for them."""

BLOCK = 1 << 14
"""The entries that are compared between two reports. Not tuned."""


@dataclass(frozen=True)
class Verification:
    """What a verification has found."""

    entries: int
    """Entries compared."""
    wrong: int
    """Entries that do not follow from their successors."""
    missing: int
    """States to begin with that are not there."""
    repeated: int
    """States that are there more than once."""
    lost: int
    """Entries that look-ups do not find."""
    confused: int = 0
    """Successors that go on in another way than the state that their number stands for."""
    example: State | None = None
    """A state whose entry is wrong."""

    @property
    def holds(self) -> bool:
        """Whether every entry is right, and all that should be there is."""
        return not (self.wrong or self.missing or self.repeated or self.lost or self.confused)


def verify_database(
    database: Database,
    roots: Iterable[State] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Verification:
    """Compare every entry of a database with those of its successors.

    `roots` are the states that it must hold: those of its ending, unless given.
    """
    if isinstance(database, IndexedDatabase):
        return _verify_numbers(database, progress)
    game, like = database.game, database.game.initial()
    rows = database.layout.unpacked(database.words)
    keys, checks = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
    row = np.zeros(rows.shape[1], np.int64)
    small = are_few(len(rows))
    given = (game, like, rows, row, keys, checks)
    chosen(verification.identify, *given, small=small)(*given)
    order = np.lexsort((checks, keys))
    rows, keys, checks = (np.ascontiguousarray(array[order]) for array in (rows, keys, checks))
    utilities = np.array(database.utilities)[database.places()[order]]
    none = int(np.iinfo(database.distances.dtype).max)
    plies = database.distances.astype(np.int64)[order]
    plies[plies == none] = -1
    tables = (keys, checks, *_index(keys), utilities, plies)
    compare = chosen(verification.compare, game, like, rows, row, *tables, 0, 0, small=small)
    wrong, example = 0, None
    for first in range(0, len(rows), BLOCK):
        last = min(first + BLOCK, len(rows))
        found, place = compare(game, like, rows, row, *tables, first, last)
        if found and example is None:
            example = database.state(int(order[place]))
        wrong += found
        if progress:
            progress(last, len(rows))
    repeated = int(np.count_nonzero((keys[1:] == keys[:-1]) & (checks[1:] == checks[:-1])))
    missing = _missing(game, like, row, tables, game.roots(database.ending) if roots is None else roots)
    return Verification(len(rows), int(wrong), missing, repeated, database.count_lost(), 0, example)


def _verify_numbers(database: IndexedDatabase, progress: Callable[[int, int], None] | None) -> Verification:
    """Compare every number of a database with its successors: those that stand for no state as well."""
    game, like = database.game, database.game.initial()
    places, gone = database.places(), database.distances == database.gone
    codes, worths = np.where(gone, -1, places).astype(np.int16), np.array(database.utilities)
    none = int(np.iinfo(database.distances.dtype).max)
    plies = database.distances.astype(np.int32)
    plies[plies == none] = -1
    offset, rows = 0, []
    for stage, size in database.stages:
        rows.append((stage, size, offset))
        offset += size
    tables = (codes, worths, plies, np.array(rows, np.int64))
    small = are_few(len(codes))
    compare = chosen(number_verification.compare, game, like, 0, 0, 0, 0, *tables, small=small)
    states, wrong, confused, example = 0, 0, 0, None
    for stage, size, offset in rows:
        for first in range(0, size, BLOCK):
            last = min(first + BLOCK, size)
            met, bad, strange, place = compare(game, like, stage, offset, first, last, *tables)
            if bad and example is None:
                example = game.state_at(stage, place)
            states, wrong, confused = states + met, wrong + bad, confused + strange
            if progress:
                progress(offset + last, len(codes))
    return Verification(states, wrong, 0, 0, 0, confused, example)


def _index(keys: Array) -> tuple[Array, int]:
    """Where keys begin whose first bits are each number, and by how many bits to shift for these."""
    bits = max(1, len(keys).bit_length() - 1)
    limits = (np.arange(1 << bits, dtype=np.int64) << 63 - bits) * 2 + np.iinfo(np.int64).min
    return np.searchsorted(keys, limits), 64 - bits


def _missing(game: Game, like: State, row: Array, tables: tuple[Any, ...], roots: Iterable[Any]) -> int:
    """How many of the states that there should be are not there."""
    missing = 0
    for root in roots:
        rows = np.asarray(root if isinstance(root, np.ndarray) else [numbers_of(root)], np.int64)
        arrays = (np.ascontiguousarray(rows), row, *tables[:4])
        count = verification.count_missing.interpreted if len(rows) < FEW else verification.count_missing
        missing += int(count(game, like, *arrays))
    return missing
