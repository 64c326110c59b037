"""What the benchmarks share: the rows they yield, words on their progress, positions, and timing in turn."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import plies


@dataclass(frozen=True)
class Row:
    """One line of a table, and the figures behind it as numbers."""

    cells: tuple[str, ...]
    figures: dict[str, Any] = field(default_factory=dict)


class Bare(plies.ConnectFour):
    """Connect Four without an evaluation: 0 at the depth bound, which any program can be told to do; and
    without the bounds that it knows of its values."""

    proved_bounds = plies.Game.proved_bounds

    def evaluate(self, state: Any, player: int) -> float:
        return 0.0


class LeftToRight(Bare):
    """The same with the columns in the order in which peers try them."""

    def actions(self, state: Any) -> Iterator[int]:
        if self.is_terminal(state):
            return
        for column in range(self.width):
            if not (state.filled >> (column * (self.height + 1) + self.height - 1)) & 1:
                yield column


def progress(words: str) -> None:
    """Tell what is being measured, apart from the results."""
    print(f"bench: {words}", file=sys.stderr, flush=True)


def in_turn(repetitions: int, *measures: Callable[[], Any]) -> list[list[Any]]:
    """What each measure returns, so many times, taken in turn so that a busy moment hits them all."""
    rounds = [[measure() for measure in measures] for _ in range(repetitions)]
    return [list(column) for column in zip(*rounds, strict=True)]


def random_openings(game: plies.Game, lengths: Sequence[int], seed: int = 1) -> list[list[Any]]:
    """Random moves, so many for each opening; no opening leaves a move that ends the game at once."""
    generator = random.Random(seed)
    openings: list[list[Any]] = []
    while len(openings) < len(lengths):
        state = game.initial()
        moves: list[Any] = []
        while len(moves) < lengths[len(openings)] and not game.is_terminal(state):
            moves.append(generator.choice(list(game.actions(state))))
            state = game.result(state, moves[-1])
        if game.is_terminal(state):
            continue
        if not any(game.is_terminal(game.result(state, action)) for action in game.actions(state)):
            openings.append(moves)
    return openings


def after(game: plies.Game, moves: Sequence[Any]) -> Any:
    """The state that moves lead to from the beginning."""
    state = game.initial()
    for move in moves:
        state = game.result(state, move)
    return state


def seconds(duration: float) -> str:
    """A duration in the unit that suits it."""
    if duration >= 1:
        return f"{duration:.2f} s"
    return f"{1e3 * duration:.3g} ms" if duration >= 1e-3 else f"{1e6 * duration:.3g} µs"


def millions(rate: float) -> str:
    """A rate in millions."""
    return f"{rate / 1e6:.3g} M"
