"""Wide bitboards: sets of up to 378 cells in six words of 63 bits, for boards too large for one integer.

A word has no sign bit, so that shifts are plain. The rules of a game mask what they get with the cells of its
board, which are constants: words beyond a small board are then known to be 0, and cost nothing compiled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plies.bits import lowest, mix, popcount

BITS = 63
WORD = (1 << BITS) - 1
CELLS = 6 * BITS
"""The most cells of a wide bitboard."""


class Wide(NamedTuple):
    """A set of cells: cell 0 is the lowest bit of the first word."""

    a: int
    b: int
    c: int
    d: int
    e: int
    f: int


def wide(cells: int) -> Wide:
    """The wide bitboard of an integer of any length: for set-up, since it does not compile."""
    a, b, c, d, e, f = (cells >> BITS * i & WORD for i in range(6))
    return Wide(a, b, c, d, e, f)


def whole(x: Wide) -> int:
    """A wide bitboard as an integer of any length, the inverse of `wide`: it does not compile."""
    return sum(word << BITS * i for i, word in enumerate(x))


def nothing() -> Wide:
    """The empty set."""
    return Wide(0, 0, 0, 0, 0, 0)


def single(cell: int) -> Wide:
    """The set of one cell."""
    word, bit = cell // BITS, 1 << cell % BITS
    return Wide(
        bit if word == 0 else 0,
        bit if word == 1 else 0,
        bit if word == 2 else 0,
        bit if word == 3 else 0,
        bit if word == 4 else 0,
        bit if word == 5 else 0,
    )


def stack(count: int) -> Wide:
    """The set of the first `count` cells, of at most one word."""
    return Wide((1 << count) - 1 if count < BITS else WORD, 0, 0, 0, 0, 0)


def either(x: Wide, y: Wide) -> Wide:
    """The union of two sets."""
    return Wide(x.a | y.a, x.b | y.b, x.c | y.c, x.d | y.d, x.e | y.e, x.f | y.f)


def both(x: Wide, y: Wide) -> Wide:
    """The intersection of two sets."""
    return Wide(x.a & y.a, x.b & y.b, x.c & y.c, x.d & y.d, x.e & y.e, x.f & y.f)


def without(x: Wide, y: Wide) -> Wide:
    """The difference of two sets: the cells of x that are not in y."""
    return Wide(x.a & ~y.a, x.b & ~y.b, x.c & ~y.c, x.d & ~y.d, x.e & ~y.e, x.f & ~y.f)


def one_of(x: Wide, y: Wide) -> Wide:
    """The symmetric difference of two sets: the cells of one of them, but not of both."""
    return Wide(x.a ^ y.a, x.b ^ y.b, x.c ^ y.c, x.d ^ y.d, x.e ^ y.e, x.f ^ y.f)


def up(x: Wide, n: int) -> Wide:
    """Each cell moved n (1 to 62) numbers up; those beyond the last are lost."""
    return Wide(
        x.a << n & WORD,
        (x.b << n | x.a >> BITS - n) & WORD,
        (x.c << n | x.b >> BITS - n) & WORD,
        (x.d << n | x.c >> BITS - n) & WORD,
        (x.e << n | x.d >> BITS - n) & WORD,
        (x.f << n | x.e >> BITS - n) & WORD,
    )


def down(x: Wide, n: int) -> Wide:
    """Each cell moved n (1 to 62) numbers down; those below the first are lost."""
    return Wide(
        (x.a >> n | x.b << BITS - n) & WORD,
        (x.b >> n | x.c << BITS - n) & WORD,
        (x.c >> n | x.d << BITS - n) & WORD,
        (x.d >> n | x.e << BITS - n) & WORD,
        (x.e >> n | x.f << BITS - n) & WORD,
        x.f >> n,
    )


def is_empty(x: Wide) -> bool:
    """Whether a set has no cells."""
    return (x.a | x.b | x.c | x.d | x.e | x.f) == 0


def same(x: Wide, y: Wide) -> bool:
    """Whether two sets have the same cells."""
    return ((x.a ^ y.a) | (x.b ^ y.b) | (x.c ^ y.c) | (x.d ^ y.d) | (x.e ^ y.e) | (x.f ^ y.f)) == 0


def size(x: Wide) -> int:
    """The number of cells of a set."""
    return popcount(x.a) + popcount(x.b) + popcount(x.c) + popcount(x.d) + popcount(x.e) + popcount(x.f)


def first(x: Wide) -> int:
    """The lowest cell; there must be one."""
    if x.a != 0:
        return lowest(x.a)
    if x.b != 0:
        return BITS + lowest(x.b)
    if x.c != 0:
        return 2 * BITS + lowest(x.c)
    if x.d != 0:
        return 3 * BITS + lowest(x.d)
    if x.e != 0:
        return 4 * BITS + lowest(x.e)
    return 5 * BITS + lowest(x.f)


def rest(x: Wide) -> Wide:
    """All cells but the lowest; there must be one."""
    if x.a != 0:
        return Wide(x.a & x.a - 1, x.b, x.c, x.d, x.e, x.f)
    if x.b != 0:
        return Wide(0, x.b & x.b - 1, x.c, x.d, x.e, x.f)
    if x.c != 0:
        return Wide(0, 0, x.c & x.c - 1, x.d, x.e, x.f)
    if x.d != 0:
        return Wide(0, 0, 0, x.d & x.d - 1, x.e, x.f)
    if x.e != 0:
        return Wide(0, 0, 0, 0, x.e & x.e - 1, x.f)
    return Wide(0, 0, 0, 0, 0, x.f & x.f - 1)


def any_of(x: Wide, random: int) -> int:
    """A cell chosen uniformly by a random number from 0 to 2^63 - 1; there must be one."""
    place = ((random >> 32) * size(x)) >> 31
    start = 0
    word = x.a
    while place >= popcount(word):
        place -= popcount(word)
        start += BITS
        word = word_of(x, start)
    for width in (32, 16, 8, 4, 2, 1):
        low = popcount(word & ((1 << width) - 1))
        if place >= low:
            place -= low
            word >>= width
            start += width
        else:
            word &= (1 << width) - 1
    return start


def word_of(x: Wide, cell: int) -> int:
    """The word that a cell is in."""
    word = cell // BITS
    if word == 0:
        return x.a
    if word == 1:
        return x.b
    if word == 2:
        return x.c
    if word == 3:
        return x.d
    return x.e if word == 4 else x.f


def holds(x: Wide, cell: int) -> bool:
    """Whether a cell is in the set."""
    return (word_of(x, cell) >> cell % BITS & 1) != 0


def beside(x: Wide, columns: int, inner: Wide, left: Wide, board: Wide) -> Wide:
    """The cells of a board, numbered row by row, that are orthogonally adjacent to some.

    `inner` are the cells that are not in the first column, `left` those not in the last.
    """
    return Wide(
        _beside(0, x.a, x.b, columns, inner.a, left.a) & board.a,
        _beside(x.a, x.b, x.c, columns, inner.b, left.b) & board.b,
        _beside(x.b, x.c, x.d, columns, inner.c, left.c) & board.c,
        _beside(x.c, x.d, x.e, columns, inner.d, left.d) & board.d,
        _beside(x.d, x.e, x.f, columns, inner.e, left.e) & board.e,
        _beside(x.e, x.f, 0, columns, inner.f, left.f) & board.f,
    )


def _beside(before: int, word: int, after: int, columns: int, inner: int, left: int) -> int:
    """One word of `beside`, from the words around it."""
    across = (word << 1 | before >> BITS - 1) & inner | (word >> 1 | after << BITS - 1) & left
    return across | word << columns | before >> BITS - columns | word >> columns | after << BITS - columns


def images_of(width: int, height: int) -> np.ndarray:
    """The symmetries of a board: for each, where each cell goes; the first is the identity."""
    images = []
    for i in range(8 if width == height else 4):
        image = []
        for cell in range(width * height):
            row, column = divmod(cell, width)
            row = height - 1 - row if i & 1 else row
            column = width - 1 - column if i & 2 else column
            image.append(column * width + row if i & 4 else row * width + column)
        images.append(image)
    return np.array(images)


def turned(x: Wide, images: np.ndarray, i: int) -> Wide:
    """The image of some cells under a symmetry of the board."""
    a = b = c = d = e = f = 0
    for place in range(6):
        word = x[place]
        while word != 0:
            there = int(images[i, place * BITS + lowest(word)])
            word &= word - 1
            bit = 1 << there % BITS
            if there < BITS:
                a |= bit
            elif there < 2 * BITS:
                b |= bit
            elif there < 3 * BITS:
                c |= bit
            elif there < 4 * BITS:
                d |= bit
            elif there < 5 * BITS:
                e |= bit
            else:
                f |= bit
    return Wide(a, b, c, d, e, f)


SALT = (
    2356064425258417221,
    3306906422018949273,
    6368248133177167415,
    7761568686074522602,
    6013930923205721641,
    4888754783560498592,
)
"""Random numbers that tell equal words in different places apart in a hash."""


def key_of(x: Wide, salt: int) -> int:
    """A 64-bit hash of a set; another large salt gives another hash."""
    # Each word is mixed by itself, so that compiled code has no work with words known to be 0.
    low = mix(x.a ^ salt ^ SALT[0]) ^ mix(x.b ^ salt ^ SALT[1]) ^ mix(x.c ^ salt ^ SALT[2])
    return low ^ mix(x.d ^ salt ^ SALT[3]) ^ mix(x.e ^ salt ^ SALT[4]) ^ mix(x.f ^ salt ^ SALT[5])
