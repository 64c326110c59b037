"""The trials of a tuning, in order: each a change of options that a match accepts or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plies.game import Game
from plies.tune.measure import Scale


@dataclass(frozen=True)
class Trial:
    """A change of options, to be tried against what was accepted before."""

    refinement: str
    """The refinement that it is about, in words."""
    changes: Mapping[str, Any]

    def words(self) -> list[str]:
        """The changes as options of a player."""
        return [f"{name}={written(value)}" for name, value in self.changes.items()]


def written(value: Any) -> str:
    """The value of an option as a word."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return ",".join(f"{one:g}" for one in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


URGENT = 16_383.0
"""A `quiet_priority` that no priority is above: every move may be reduced or left out."""


def trials_for(
    game: Game, scale: Scale, now: Callable[[], Mapping[str, Any]], probcut: Callable[[], tuple[float, ...]]
) -> Iterator[Trial]:
    """The trials for a game; `now` gives the options accepted so far, `probcut` fits Multi-ProbCut.

    Margins are multiples of the evaluation's `swing`. A second value of an option is tried only if the first
    was accepted.
    """
    quiet = {"quiet_priority": URGENT} if game.has("priority") else {}
    yield Trial("late move reductions", {"reductions": True})
    if quiet:
        yield Trial("late move reductions, of urgent moves too", {"reductions": True, **quiet})
    if now().get("reductions"):
        yield Trial("late move reductions, more", {"reduction_factor": 0.7})
        yield Trial("late move reductions, less", {"reduction_factor": 0.4})
    if game.has("null_move"):
        yield Trial("null move", {"null_move": True})
        if now().get("null_move"):
            yield Trial("null move, reduced more", {"null_move_reduction": 3})
            yield Trial("null move, verified", {"verification": 8})
    if scale.swing > 0:
        yield from _margins(scale.swing, now)
    yield Trial("killer moves", {"killers": True})
    yield Trial("history", {"history": True})
    yield Trial("continuation history", {"continuation": True})
    yield Trial("counter moves", {"counter_moves": True})
    yield Trial("internal iterative reductions", {"internal_reductions": 4})
    yield Trial("no enhanced transposition cut-offs", {"table_cuts": False})
    yield Trial("enhanced transposition cut-offs from depth 4", {"table_cuts_depth": 4})
    if scale.swing > 0:
        yield Trial("aspiration by steps", {"aspiration_width": rounded(scale.swing / 2)})
        yield Trial("evaluation table", {"evaluation_table": True})
        if game.has("noisy"):
            yield Trial("table in quiescence", {"quiescence_table": True})
            if not game.forcing:
                yield Trial("delta pruning", {"delta": rounded(2 * scale.swing)})
        rows = probcut()
        if rows:
            yield Trial("Multi-ProbCut", {"multi_probcut": rows})
            if now().get("multi_probcut"):
                yield Trial("Multi-ProbCut, bolder", {"probcut": 1.0})


def _margins(swing: float, now: Callable[[], Mapping[str, Any]]) -> Iterator[Trial]:
    """Pruning by the static evaluation."""
    for name, words in (("reverse_futility", "reverse futility"), ("futility", "futility")):
        yield Trial(words, {name: rounded(swing)})
        if now().get(name):
            yield Trial(f"{words}, half the margin", {name: rounded(swing / 2)})
        else:
            yield Trial(f"{words}, twice the margin", {name: rounded(2 * swing)})
    yield Trial("late move pruning", {"late_moves": 3})
    if not now().get("late_moves"):
        yield Trial("late move pruning, later", {"late_moves": 8})


def rounded(margin: float) -> float:
    """A margin with two digits."""
    return float(f"{margin:.2g}")
