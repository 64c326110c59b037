"""What learners see of a position: a game's planes, its encoding or its features, as an array."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plies.errors import BadParameter, BrokenRule, Unsuitable
from plies.game import Game, State
from plies.validation import in_state

WORD = 63
"""The bits of a word of a wide bitboard."""

INT8 = np.dtype(np.int8)

DIGITS = bytes.maketrans(b"01", b"\0\1")
"""Turns binary digits into numbers."""

SMALL = 512
"""The most bits that are quicker to write down as digits, in some 0.7 µs, than to unpack, in 1.4 µs: measured
on one core."""

RENDER_MODES = ("ansi",)
"""How environments show a position: as text."""


def checked_mode(mode: str | None) -> str | None:
    """A render mode that there is, or None."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadParameter(f"render_mode must be None or {' or '.join(RENDER_MODES)}, not {mode!r}")
    return mode


def is_observable(game: Game) -> bool:
    """Whether a game says what a learner sees."""
    return game.has("planes") or game.encoding_size > 0


class Observer:
    """Makes observations of a game: planes of 0 and 1 if it has them, else what `encode` writes, which by
    default are its features."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.dtype: type = np.float32
        self.low, self.high = -math.inf, math.inf
        self.cells = 0
        """Of a plane; 0 without planes."""
        if game.has("planes"):
            self.count = len(game.planes(game.initial(), 0))
            self.cells = math.prod(game.plane_shape)
            if not game.plane_shape or not self.count:
                raise BadParameter(f"{game.name} has planes, but no plane_shape or none of them: give both")
            self.shape: tuple[int, ...] = (self.count, *game.plane_shape)
            self._bytes = (self.count * self.cells + 7) // 8
            self._mask = (1 << self.cells) - 1
            bits = self.count * self.cells
            self._top = 1 << bits if bits <= SMALL else None
            self.dtype, self.low, self.high = np.int8, 0, 1
        elif game.encoding_size > 0:
            self.shape = (game.encoding_size,)
        else:
            raise Unsuitable(
                f"{game.name} has nothing that a learner could observe: give it planes(), encode() or "
                "features()"
            )

    def __call__(self, state: State, player: int) -> np.ndarray[Any, Any]:
        """What a player sees of a state; a finished game, which has no encoding, is all zeros."""
        game = self.game
        if self.cells:
            return self._unpacked(state, game.planes(state, player))
        found = np.zeros(self.shape, np.float32)
        if not game.is_terminal(state):
            game.encode(state, player, found)
        return found

    def _unpacked(self, state: State, planes: tuple[Any, ...]) -> np.ndarray[Any, Any]:
        if len(planes) != self.count:
            raise BrokenRule(
                f"planes() gives {len(planes)} planes, and not {self.count} as at first, "
                f"{in_state(self.game, state, 'planes')}"
            )
        cells, packed = self.cells, 0
        for plane in reversed(planes):
            if not isinstance(plane, int):
                plane = sum(word << WORD * i for i, word in enumerate(plane))
            packed = packed << cells | plane & self._mask
        if self._top is not None:
            digits = f"{packed | self._top:b}"[:0:-1].encode()  # the lowest first, without the top
            return np.ndarray(self.shape, INT8, bytearray(digits.translate(DIGITS)))
        buffer = np.frombuffer(packed.to_bytes(self._bytes, "little"), np.uint8)
        bits = np.unpackbits(buffer, count=cells * self.count, bitorder="little")
        return bits.view(np.int8).reshape(self.shape)


def mask_of(moves: dict[int, Any], count: int) -> np.ndarray[Any, Any]:
    """A 1 for each legal move, and 0 for all others."""
    mask = bytearray(count)
    for index in moves:
        mask[index] = 1
    return np.ndarray(count, INT8, mask)
