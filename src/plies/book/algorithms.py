"""The algorithms of the book by name, and which of them serves a game."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from plies.book.alpha_beta import alpha_beta
from plies.book.and_or import and_or
from plies.book.decision import Decision
from plies.book.depth_first import depth_first
from plies.book.expectiminimax import expectiminimax
from plies.book.max_n import max_n
from plies.book.minimax import minimax
from plies.book.opponents import opponents
from plies.book.paranoid import paranoid
from plies.book.sampled import sampled
from plies.errors import Unsuitable
from plies.game import Game, State

ALGORITHMS: dict[str, Callable[..., Decision[Any]]] = {
    "minimax": minimax,
    "alpha-beta": alpha_beta,
    "sampled": sampled,
    "expectiminimax": expectiminimax,
    "max-n": max_n,
    "opponents": opponents,
    "paranoid": paranoid,
    "and-or": and_or,
    "depth-first": depth_first,
}
"""The algorithms that decide, by name."""

PREFERRED = ("depth-first", "alpha-beta", "expectiminimax", "max-n")
"""What a lecture would use, the most special first: the last serves any game."""


def serves(algorithm: str, game: Game) -> bool:
    """Whether an algorithm does not refuse a game: it is asked, at depth 0, where it answers at once.

    The game's own evaluation is left out: not every state has one.
    """
    search = ALGORITHMS[algorithm]
    options = {"evaluate": _nothing} if "evaluate" in inspect.signature(search).parameters else {}
    try:
        search(game, depth=0, **options)
    except Unsuitable:
        return False
    return True


def _nothing(state: State, player: int) -> float:
    return 0.0


def suited(game: Game, algorithms: Iterable[str] = PREFERRED) -> list[str]:
    """Those of some algorithms, in their order, that serve a game."""
    return [name for name in algorithms if serves(name, game)]
