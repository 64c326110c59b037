"""Chance nodes in expectiminimax: Ballard's Star1 and Star2.

These functions are parts of the kernel `expectiminimax`. `low` and `high` are the bounds so far of a chance
node's value; on the stack, `least` and `most` are those of each outcome's, and `order` is its probability.

Ballard, The *-Minimax Search Procedure for Trees Containing Chance Nodes, 1983.
"""

from __future__ import annotations

from typing import Any

from plies.engine.kernels.chance_ordering import first_action
from plies.engine.kernels.repetitions import repeated
from plies.engine.table import LOWER, UPPER

SKIP, VIEWER, OPPONENT = range(3)
"""Who moves after an outcome: none or chance again, which Star2 skips; the viewer; the opponent."""


def first_bounds(base: int, count: int, run: Any, work: Any) -> tuple[float, float]:
    """The bounds of a chance node before the search, widened by more than the rounding errors to come.

    Those are one of `grain` for each outcome; 8 more are for the sums here. Not tuned.
    """
    high = run.grain * (count + 8)
    low = -high
    for i in range(base, base + count):
        work.least[i] = run.least
        work.most[i] = run.most
        low += work.order[i] * run.least
        high += work.order[i] * run.most
    return low, high


def probed(game: Any, state: Any, place: int, depth: int, ply: int, run: Any, work: Any) -> tuple[int, Any]:
    """Who moves after the outcome at a place of the stack, and the state after their first move."""
    run.ply = ply
    work.line[ply] = work.actions[place]
    child = game.result(state, work.actions[place])
    if game.is_terminal(child):
        return SKIP, child
    mover = game.to_move(child)
    if mover != run.viewer and (game.players == 1 or mover != 1 - run.viewer):
        return SKIP, child  # chance again, or nobody there is, which the search itself will report
    run.ply = ply + 1
    if game.cycles:
        run.inexact += repeated(game, child, ply + 1, run, work)
    action = first_action(game, child, depth - 1, run, work)
    if run.stop:
        return SKIP, child
    work.line[ply + 1] = action
    side = VIEWER if mover == run.viewer else OPPONENT
    return side, game.result(child, action)


def probe_window(side: int, down: float, up: float, place: int, run: Any, work: Any) -> tuple[float, float]:
    """The window of a probe, open on one side: one action bounds an outcome on the other side only.

    A chance node leaves its window if it loses more than `down` (negative), or gains more than `up`.
    """
    chance = work.order[place]
    if side == VIEWER:
        return run.least, min(max(up / chance + work.least[place], run.least), run.most)
    return max(min(down / chance + work.most[place], run.most), run.least), run.most


def add_probe(side: int, found: float, low: float, high: float, place: int, work: Any) -> tuple[float, float]:
    """The bounds of a chance node after a probe."""
    chance = work.order[place]
    if side == VIEWER:
        found = max(found, work.least[place])
        low += chance * (found - work.least[place])
        work.least[place] = found
    else:
        found = min(found, work.most[place])
        high += chance * (found - work.most[place])
        work.most[place] = found
    return low, high


def beyond(low: float, high: float, alpha: float, beta: float) -> int:
    """LOWER or UPPER if every value between low and high is outside the window, else 0."""
    if low >= beta:
        return LOWER
    return UPPER if high <= alpha else 0


def outcome_window(down: float, up: float, place: int, run: Any, work: Any) -> tuple[float, float]:
    """Star1: the window of an outcome; outside it, the chance node leaves its own whatever the rest is."""
    chance, least, most = work.order[place], work.least[place], work.most[place]
    below, above = least, most
    if run.star1:
        below = max(below, down / chance + most)
        above = min(above, up / chance + least)
    if below >= above:  # by rounding
        below, above = least, most
    return below, above


def add_outcome(
    found: float, below: float, above: float, low: float, high: float, base: int, i: int, run: Any, work: Any
) -> tuple[int, float, float]:
    """LOWER or UPPER if an outcome takes its chance node out of the window, else 0; and the new bounds."""
    chance, least, most = work.order[base + i], work.least[base + i], work.most[base + i]
    work.worth[base + work.indices[base + i]] = found
    bound = 0
    if found <= below and below > least:
        bound = UPPER
    elif found >= above and above < most:
        bound = LOWER
    run.star1_cuts += bound != 0
    return bound, low + chance * (found - least), high + chance * (found - most)


def chance_value(bound: int, most: float, least: float, base: int, count: int, work: Any) -> float:
    """The value of a chance node: a bound, or the sum of its outcomes in the game's own order."""
    if bound == UPPER:
        return most
    if bound == LOWER:
        return least
    value = 0.0
    for i in range(base, base + count):
        value += work.odds[i] * work.worth[i]
    return value
