"""Counting states before anything is compiled: a small game is solved sooner than its kernels compile."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from plies.compiled.packing import numbers_of
from plies.game import Game, State

FEW_STEPS = 25_000
"""The most successors of a game that is solved interpreted: some three seconds, where compiling takes ten."""

SECONDS = 1.0
"""The CPU time after which counting is given up: the rules are slow, so that compiling pays sooner."""

FEW_ENTRIES = 2_000
"""The most entries of a database in which states are looked up interpreted, and that is verified so."""


def are_few(entries: int) -> bool:
    """Whether so many entries are looked up and verified interpreted."""
    return entries < FEW_ENTRIES


def is_small(
    game: Game, roots: Iterable[State], successors: Callable[[State], Iterable[State]], fold: bool
) -> bool:
    """Whether all states that can be reached, with up to `FEW_STEPS` successors in all, were soon found."""
    begun = time.process_time()

    def stored(state: State) -> Any:
        core = game.core(state)
        return min(numbers_of(image) for image in game.symmetries(core)) if fold else numbers_of(core)

    waiting = [game.core(root) for root in roots]
    met = {tuple(stored(root)) for root in waiting}
    steps = 0
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            continue
        for after in successors(state):
            steps += 1
            if steps > FEW_STEPS or (steps % 256 == 0 and time.process_time() - begun > SECONDS):
                return False
            if (key := tuple(stored(after))) not in met:
                met.add(key)
                waiting.append(game.core(after))
    return True
