"""Pattern tables: n-tuples of cells, each configuration with a weight, by stage of the game.

The value of a position is the sum of the weights of all configurations in it, as the player to move sees
them, and of how many bits each plane has. Buro, Improving Heuristic Mini-Max Search by Supervised Learning,
2002. Weights are 16-bit numbers, so that compiled searches, interpreted ones and NumPy agree to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from plies.errors import PliesError, Unsuitable
from plies.game import Game, State
from plies.inputs import WHOLE, Array, identity_of, inputs_of, layout_of, range_of, shown, value_of
from plies.neural_network import described, save_arrays
from plies.patterns.shapes import LARGEST_TABLE, MOST_STATES, Shapes, shapes_of

FINE = 4
"""A weight has this many units of an output: 16 bits then hold weights up to 8."""

ONE = WHOLE // FINE
"""A weight of 1.0, in whole numbers."""

MOST_STAGES = 64
"""The most stages. Not tuned; programs for Othello have up to 60."""

MOST_SETS = 1024
"""The most sets of cells that are looked up."""

MOST_CELLS = 64 * 63
"""The most cells of a board."""

NUMBERS = ("planes", "codes", "cells", "starts", "kinds", "thresholds")
"""The arrays of whole numbers."""


@dataclass(frozen=True, eq=False)
class Patterns:
    """Tables of weights, the sets of cells that are looked up in them, and what is known about them.

    A cell is in state 0, or in state s if just the planes of `codes[s - 1]` have it. The index of a set of
    cells c0, c1, … is the sum of state(ci) * states^i. The output is the sum of all weights, for sets and for
    numbers of bits; the value is made of it as that of a network.
    """

    planes: Array
    """The planes that tell the states of a cell."""
    codes: Array
    """Of each state but the first, the planes that have the cell, as bits."""
    cells: Array
    """The cells of all sets, one set after the other."""
    starts: Array
    """Where each set begins there, and the end."""
    kinds: Array
    """The table of each set."""
    tables: Array
    """By stage, as 16-bit numbers: all tables in order; of each plane of the game, by how many of its bits
    are set; by how many bits the planes of the patterns have together."""
    thresholds: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    """The numbers of bits of those planes, from which each stage after the first begins."""
    half: float = 1.0
    """The output that is worth half a win."""
    about: Mapping[str, Any] = field(default_factory=dict)
    """The game, its parameters, planes and cells, and how the weights were learned."""

    @classmethod
    def fresh(cls, game: Game, thresholds: Any = (), half: float = 1.0, **about: Any) -> Patterns:
        """Tables for a game that take every position for a draw; a stage begins at each of the thresholds."""
        return cls.shaped(game, shapes_of(game), thresholds, half, **about)

    @classmethod
    def shaped(
        cls, game: Game, shapes: Shapes, thresholds: Any = (), half: float = 1.0, **about: Any
    ) -> Patterns:
        """Tables of nought for these sets of cells."""
        sets = [one for table in shapes.tables for one in table]
        kinds = [kind for kind, table in enumerate(shapes.tables) for _ in table]
        identity, stages = identity_of(game), np.asarray(thresholds, np.int64)
        made = cls(
            np.array(shapes.planes, np.int64),
            np.array(shapes.codes, np.int64),
            np.array([cell for one in sets for cell in one], np.int64),
            np.cumsum([0, *map(len, sets)], dtype=np.int64),
            np.array(kinds, np.int64),
            np.zeros((0, 0), np.int16),
            stages,
            half,
            {**identity, **about},
        )
        size = made.sizes_at + len(shapes.planes) * identity["cells"] + 1
        object.__setattr__(made, "tables", np.zeros((len(stages) + 1, size), np.int16))
        made.check(game)
        return made

    # -- Where things are in the tables.

    @property
    def phases(self) -> int:
        """One: stages are their phases."""
        return 1

    @property
    def states(self) -> int:
        """The states of a cell."""
        return len(self.codes) + 1

    @cached_property
    def sets(self) -> tuple[Array, ...]:
        """The cells of each set."""
        return tuple(np.split(self.cells, self.starts[1:-1]))

    @cached_property
    def _begins(self) -> Array:
        """Where each table of sets begins, and the end."""
        sizes = dict(zip(self.kinds.tolist(), np.diff(self.starts).tolist(), strict=True))
        return np.cumsum([0, *(self.states ** sizes[kind] for kind in range(len(sizes)))])

    @cached_property
    def firsts(self) -> Array:
        """Where the table of each set begins."""
        return np.asarray(self._begins[self.kinds], np.int64)

    @property
    def counts_at(self) -> int:
        """Where the weights by the bits of each plane begin: one more than there are cells for each."""
        return int(self._begins[-1])

    @property
    def sizes_at(self) -> int:
        """Where the weights by the bits of all planes of the patterns begin."""
        return self.counts_at + int(self.about["planes"]) * (int(self.about["cells"]) + 1)

    @cached_property
    def powers(self) -> Array:
        """What a cell in state 1 adds to the index of each set, a row for each cell."""
        powers = np.zeros((int(self.about["cells"]), len(self.sets)), np.int64)
        for number, one in enumerate(self.sets):
            powers[one, number] = self.states ** np.arange(len(one))
        return powers

    # -- What a position is worth.

    def entries(self, inputs: Array) -> tuple[int, Array]:
        """The stage of a position, by its inputs as the mover sees it, and the places of all that counts."""
        planes, cells = int(self.about["planes"]), int(self.about["cells"])
        board = np.zeros((planes, cells), bool)
        board.flat[inputs] = True
        seen = (board[self.planes].astype(np.int64) << self.planes[:, None]).sum(0)
        digits = np.zeros(cells, np.int64)
        for number, code in enumerate(self.codes, 1):
            digits[seen == code] = number
        size = int(board[self.planes].sum())
        counts = self.counts_at + np.arange(planes) * (cells + 1) + board.sum(1)
        stage = int(np.searchsorted(self.thresholds, size, side="right"))
        return stage, np.concatenate([self.firsts + digits @ self.powers, counts, [self.sizes_at + size]])

    def output(self, game: Game, state: State, player: int) -> int:
        """The output for a player, in units of 1 / `WHOLE`."""
        return self.outputs_of([inputs_of(game, state, player)])(None)

    def outputs_of(self, views: Sequence[Array], phase: int = 0) -> Callable[[tuple[int, int] | None], int]:
        """The output of a position, by its inputs in the views of mover and opponent, as a function of a view
        and an input that is to be missing there."""

        def output(without: tuple[int, int] | None) -> int:
            inputs = views[0]
            if without is not None and without[0] == 0:
                inputs = inputs[inputs != without[1]]
            stage, entries = self.entries(inputs)
            return FINE * int(self.tables[stage, entries].astype(np.int64).sum())

        return output

    def value(self, game: Game, state: State, player: int) -> float:
        """The estimate of a state to a player: what a search finds there, to the last bit."""
        even, reach = range_of(game)
        return value_of(self.output(game, state, player), even, reach, self.half)

    def estimate(self, game: Game, state: State, player: int) -> float:
        """The value to any player, not only the one to move, as a search takes it."""
        mover = 1 if game.to_move(state) == 1 else 0  # where chance moves, as player 0 sees it
        value = self.value(game, state, mover)
        return value if mover == player else 2 * game.draw_value - value

    # -- What they are for.

    def check(self, game: Game) -> None:
        """Raise an error, in a sentence, unless the tables fit a game."""
        layout, own = layout_of(game), identity_of(game)
        for name in ("game", "parameters", "planes", "cells"):
            if self.about.get(name) != own[name]:
                raise Unsuitable(
                    f"the pattern tables do not fit {game.name}: they are for {name} "
                    f"{shown(self.about.get(name))}, not {shown(own[name])}"
                )
        pieces = len(layout.places) // layout.planes
        alike = pieces * layout.planes == len(layout.places)
        if not alike or (layout.masks != np.tile(layout.masks[:pieces], layout.planes)).any():
            raise Unsuitable(f"pattern tables need planes of one kind; those of {game.name} have several")
        _check_arrays(self, "the file")

    def fits(self, game: Game) -> bool:
        """Whether they are for a game."""
        try:
            self.check(game)
        except PliesError:
            return False
        return True

    def facts(self) -> dict[str, Any]:
        """What they are, as plain data."""
        return {
            **self.about,
            "patterns": len(self.sets),
            "tables": int(self.kinds.max()) + 1,
            "largest": int(np.diff(self.starts).max()),
            "states": self.states,
            "stages": len(self.tables),
            "half": self.half,
            "weights": int(self.tables.size),
            "not 0": int(np.count_nonzero(self.tables)),
        }

    def __str__(self) -> str:
        """A line for each fact; a file is not trusted, so that nothing unprintable is shown."""
        lines = (f"{shown(name, 40):<11} {shown(value, 200)}" for name, value in self.facts().items())
        return "\n".join(lines)

    # -- Files.

    def arrays(self) -> dict[str, Array]:
        """All that a file has, but for `about`."""
        numbers = {name: getattr(self, name) for name in NUMBERS}
        return {**numbers, "tables": self.tables, "half": np.array([self.half])}

    def save(self, path: str | Path) -> None:
        """Write the tables to a file, atomically."""
        _check_arrays(self, "the file")
        save_arrays(path, self.arrays(), described(**self.about))

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Array], about: Mapping[str, Any], name: str) -> Patterns:
        """The tables of a file's arrays, which are not trusted."""
        for key in (*NUMBERS, "tables", "half"):
            if key not in arrays:
                raise _broken(name, f"{key!r} is missing")
            if arrays[key].ndim != (2 if key == "tables" else 1):
                raise _broken(name, f"{key!r} has the wrong dimensions")
            if key != "half" and arrays[key].dtype.kind not in "iu":
                raise _broken(name, f"{key!r} is not made of whole numbers")
        if arrays["half"].shape != (1,) or arrays["tables"].dtype != np.int16:
            raise _broken(name, "its half is no number, or its weights have not 16 bits")
        for key in ("planes", "cells"):
            number = about.get(key)
            if not isinstance(number, int) or not 1 <= number <= (62 if key == "planes" else MOST_CELLS):
                raise _broken(name, f"it does not say how many {key} there are, or too many")
        numbers = {key: np.ascontiguousarray(arrays[key]).astype(np.int64) for key in NUMBERS}
        tables = np.ascontiguousarray(arrays["tables"])
        found = cls(**numbers, tables=tables, half=float(arrays["half"][0]), about=about)
        _check_arrays(found, name)
        return found


def _broken(name: str, why: str) -> PliesError:
    return PliesError(f"{name} holds no pattern tables: {why}")


def _check_arrays(found: Patterns, name: str) -> None:
    """Raise an error, in a sentence, unless the arrays fit together: then no index leaves its table."""
    planes, cells = int(found.about["planes"]), int(found.about["cells"])
    sizes, kinds = np.diff(found.starts), found.kinds
    if not 1 <= len(kinds) <= MOST_SETS or len(sizes) != len(kinds) or found.starts[0] != 0:
        raise _broken(name, f"it has {len(kinds)} patterns, not 1 to {MOST_SETS}, or not their cells")
    if (sizes < 1).any() or (sizes > 16).any() or found.starts[-1] != len(found.cells):
        raise _broken(name, "a pattern has no cells, or more than 16")
    if not ((found.cells >= 0) & (found.cells < cells)).all():
        raise _broken(name, f"a pattern has a cell that is not one of 0 to {cells - 1}")
    if any(len(np.unique(one)) != len(one) for one in found.sets):
        raise _broken(name, "a pattern has a cell twice")
    if kinds.min() != 0 or kinds.max() >= len(kinds) or len(np.unique(kinds)) != kinds.max() + 1:
        raise _broken(name, "its tables are not numbered from 0 on")
    largest = np.zeros(kinds.max() + 1, np.int64)
    np.maximum.at(largest, kinds, sizes)
    if (largest[kinds] != sizes).any():
        raise _broken(name, "patterns that share a table have different sizes")
    if not 1 <= len(found.codes) < MOST_STATES or (found.states**largest > LARGEST_TABLE).any():
        raise _broken(
            name, f"a cell has {found.states} states, or a table more than {LARGEST_TABLE:,} entries"
        )
    own = found.planes
    if not len(own) or len(np.unique(own)) != len(own) or not ((own >= 0) & (own < planes)).all():
        raise _broken(name, "its planes are none, twice the same, or not planes of the game")
    chosen = sum(1 << int(plane) for plane in own)
    codes = [int(code) for code in found.codes]
    if len(set(codes)) != len(codes) or any(code <= 0 or code & ~chosen for code in codes):
        raise _broken(name, "its codes are twice the same, or of planes that it does not see")
    stages = len(found.tables)
    if not 1 <= stages <= MOST_STAGES or len(found.thresholds) != stages - 1:
        raise _broken(name, f"it has {stages} stages, not 1 to {MOST_STAGES}, or other thresholds")
    if (np.diff(found.thresholds) < 0).any():
        raise _broken(name, "its thresholds are not in order")
    if found.tables.shape[1] != found.sizes_at + len(own) * cells + 1:
        raise _broken(name, "its tables have not as many weights as its patterns need")
    if not 0 < found.half < math.inf:
        raise _broken(name, f"its half is {found.half}, not above 0")
