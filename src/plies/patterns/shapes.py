"""Which sets of cells have a table: those that a game names, or lines and blocks of its board.

A set shares its table with its images under the symmetries of the board, as far as the game's own
`symmetries` have them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np

from plies.errors import BadParameter
from plies.game import Game, State
from plies.history import History
from plies.inputs import Array, inputs_of, layout_of

Cells = tuple[int, ...]

MOST_STATES = 16
"""The most states of a cell that are told apart: the most frequent ones, and all others together."""

LARGEST_TABLE = 1 << 16
"""The most entries of a table: an index has 16 bits."""

LARGEST_BLOCK = 20_000
"""The most entries of the table of a block: 3 x 3 cells of three states. Not tuned."""

MOST_ENTRIES = 1 << 19
"""The most entries of all tables that are made for a board, if a game does not say which. Not tuned."""

SHORTEST = 3
"""The cells of the shortest line. Not tuned."""

BLOCKS = ((3, 3), (2, 4), (2, 3), (2, 2))
"""The blocks, rows by columns, of which the first is taken that is small enough. Not tuned."""

SETS, SET_CELLS = 32, 6
"""How many random sets of how many cells there are beside the line of a board of one dimension, whose cells
may be neighbours in any way. Not tuned."""

GAMES, PLIES, LOOKED_AT = 30, 200, 60
"""Random games whose positions show which states a cell has, their plies, and how many of their positions
show which symmetries the board has."""


class Shapes(NamedTuple):
    """Sets of cells, and which of them share a table."""

    planes: tuple[int, ...]
    """The numbers of the planes that tell the states of a cell."""
    codes: tuple[int, ...]
    """Of each state after the first, which planes have the cell: bit `n` for plane `n`. A cell of any other
    kind is in the first state, as an empty one is."""
    tables: tuple[tuple[Cells, ...], ...]
    """Of each table, the sets of cells that share it: the digits of an index are the states of its cells."""
    same: tuple[Array, ...]
    """Of each table and index, the least index that is the same by symmetry."""


@lru_cache(maxsize=4)
def _made(game: Game) -> Shapes:
    planes = _planes(game)
    positions = _positions(game)
    chosen = sum(1 << plane for plane in planes)
    views = [_view(game, state) & chosen for state in positions]
    codes = _codes(views)
    images = _images(game, positions, views, chosen)
    states = len(codes) + 1
    named = [_named(game, item) for item in game.pattern_cells]
    most = max(1, int(np.log(LARGEST_TABLE) / np.log(states) + 1e-9))
    while True:
        groups = named or [[cells] for cells in _derived(tuple(game.plane_shape), most, states)]
        tables, same = _shared(groups, images, states)
        if named or most == 1 or sum(states ** len(table[0]) for table in tables) <= MOST_ENTRIES:
            return Shapes(planes, codes, tables, same)
        most -= 1


def shapes_of(game: Game) -> Shapes:
    """The sets of cells for a game's board; an error, in a sentence, if it has none."""
    layout_of(game)
    return _made(game)


# -- What a game says, and what its positions show.


def _planes(game: Game) -> tuple[int, ...]:
    """The planes that tell the states of a cell: those that the game names, or all."""
    count = len(game.planes(game.initial(), 0))
    if count > 62:
        raise BadParameter(f"{game.name} has {count} planes; pattern tables are for 62 at most")
    planes = tuple(int(plane) for plane in game.pattern_planes) or tuple(range(count))
    if len(set(planes)) != len(planes) or not set(planes) <= set(range(count)):
        raise BadParameter(f"pattern_planes of {game.name} needs numbers of its planes, 0 to {count - 1}")
    return planes


def _positions(game: Game) -> list[State]:
    """The positions of random games."""
    chance, found = random.Random(1), []
    for _ in range(GAMES):
        history = History(game)
        while not history.over and len(history.actions) < PLIES:
            found.append(history.state)
            history.play(chance.choice(history.legal()))
    return found


def _view(game: Game, state: State) -> Array:
    """Of each cell, the planes that have it in the view of the player to move, as bits."""
    cells, mover = int(np.prod(game.plane_shape)), 1 if game.to_move(state) == 1 else 0
    inputs = inputs_of(game, state, mover)
    view = np.zeros(cells, np.int64)
    np.bitwise_or.at(view, inputs % cells, np.int64(1) << inputs // cells)
    return view


def _codes(views: Iterable[Array]) -> tuple[int, ...]:
    """The states of a cell that occur, but for the first, in order."""
    counts = Counter(int(code) for view in views for code in view if code)
    return tuple(sorted(code for code, _ in counts.most_common(MOST_STATES - 1)))


def _images(game: Game, positions: Sequence[State], views: Sequence[Array], chosen: int) -> list[Array]:
    """The symmetries of the board that the game has: of each, where every cell comes from."""
    shape = tuple(game.plane_shape)
    board = np.arange(int(np.prod(shape))).reshape(shape)
    kept = [board.ravel()]
    if not game.has("symmetries"):
        return kept
    chance = random.Random(2)
    numbers = chance.sample(range(len(positions)), min(LOOKED_AT, len(positions)))
    seen = {
        number: {(_view(game, image) & chosen).tobytes() for image in game.symmetries(positions[number])}
        for number in numbers
    }
    for axes in permutations(range(len(shape))):
        turned = board.transpose(axes)
        if turned.shape != shape:
            continue
        for flips in product((False, True), repeat=len(shape)):
            image = np.flip(turned, tuple(axis for axis, flipped in enumerate(flips) if flipped)).ravel()
            if all(views[number][image].tobytes() in found for number, found in seen.items()):
                kept.append(image)
    return kept


def _named(game: Game, item: Any) -> list[Cells]:
    """The sets of cells, which share a table, of an item of a game's `pattern_cells`."""
    cells = int(np.prod(game.plane_shape))
    try:
        sets = [tuple(int(cell) for cell in one) for one in (item if np.ndim(item[0]) else [item])]
    except (TypeError, ValueError, IndexError):
        sets = []
    if not sets or len({len(one) for one in sets}) != 1:
        raise BadParameter(f"pattern_cells of {game.name} needs sets of cells, or of sets that share a table")
    for one in sets:
        if len(set(one)) != len(one) or not one or not set(one) <= set(range(cells)):
            raise BadParameter(f"a pattern of {game.name} needs different cells from 0 to {cells - 1}: {one}")
    return sets


# -- Lines and blocks.


def _derived(shape: tuple[int, ...], most: int, states: int) -> Iterator[Cells]:
    """Sets of at most so many cells for a board: lines, blocks of a plane, random sets of a line."""
    yield from _lines(shape, most)
    if len(shape) == 2:
        sizes = [size for size in BLOCKS if states ** (size[0] * size[1]) <= LARGEST_BLOCK]
        sizes = [size for size in sizes if size[0] * size[1] <= most][:1]
        for rows, columns in sizes:
            for height, width in {(rows, columns), (columns, rows)}:
                yield from _blocks(shape, height, width)
    if len(shape) == 1:
        chance, size = random.Random(3), min(SET_CELLS, most, shape[0])
        for _ in range(SETS):
            yield tuple(sorted(chance.sample(range(shape[0]), size)))


def _lines(shape: tuple[int, ...], most: int) -> Iterator[Cells]:
    """All lines across the board, straight and diagonal; long ones in windows, each half over the last."""
    places = np.arange(int(np.prod(shape))).reshape(shape)

    def inside(cell: Sequence[int]) -> bool:
        return all(0 <= place < size for place, size in zip(cell, shape, strict=True))

    for way in product((-1, 0, 1), repeat=len(shape)):
        if next((step for step in way if step), 0) != 1:
            continue
        for start in np.ndindex(*shape):
            if inside([place - step for place, step in zip(start, way, strict=True)]):
                continue
            line, cell = [], tuple(start)
            while inside(cell):
                line.append(int(places[cell]))
                cell = tuple(place + step for place, step in zip(cell, way, strict=True))
            if len(line) < min(SHORTEST, max(shape)):
                continue
            last = max(0, len(line) - most)
            for first in {*range(0, last, max(1, most // 2)), last}:
                yield tuple(line[first : first + most])


def _blocks(shape: tuple[int, ...], height: int, width: int) -> Iterator[Cells]:
    """All blocks of so many rows and columns."""
    for row in range(shape[0] - height + 1):
        for column in range(shape[1] - width + 1):
            yield tuple(
                (row + down) * shape[1] + column + across for down in range(height) for across in range(width)
            )


# -- Tables.


def _shared(
    groups: Iterable[Sequence[Cells]], images: Sequence[Array], states: int
) -> tuple[tuple[tuple[Cells, ...], ...], tuple[Array, ...]]:
    """The tables of groups of sets and of all their images, each set once, and what is the same in them."""
    tables, same = [], []
    met: set[frozenset[int]] = set()
    for group in groups:
        if frozenset(group[0]) in met:
            continue
        kept: dict[frozenset[int], Cells] = {}
        ways: set[Cells] = set()
        for one in group:
            for image in images:
                moved = tuple(int(image[cell]) for cell in one)
                first = kept.setdefault(frozenset(moved), moved)
                ways.add(tuple(first.index(cell) for cell in moved))
        size = len(group[0])
        if states**size > LARGEST_TABLE:
            raise BadParameter(
                f"a pattern of {size} cells of {states} states has {states**size:,} entries; at most "
                f"{LARGEST_TABLE:,} are possible: take fewer cells, or fewer pattern_planes"
            )
        met |= kept.keys()
        tables.append(tuple(kept.values()))
        same.append(_least(ways, size, states))
    return tuple(tables), tuple(same)


def _least(ways: Iterable[Cells], size: int, states: int) -> Array:
    """Of each index, the least that is the same if the digits may be read in any of these orders."""
    numbers = np.arange(states**size)
    digits = numbers[:, None] // states ** np.arange(size) % states
    least = numbers
    maps = [digits[:, list(way)] @ states ** np.arange(size) for way in ways]
    while True:
        before = least
        for other in maps:
            least = np.minimum(least, least[other])
        if np.array_equal(before, least):
            return least
