"""Selection in Monte Carlo tree search: UCB1, PUCT, RAVE, prior games, virtual loss, and dice.

These functions are parts of the kernel `uct.grow`; uct.py describes the arrays, and how threads share them.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np

from plies.compiled.memory_order import fence
from plies.engine.kernels.backup import NOTHING
from plies.engine.kernels.playout import fraction

WORST = -1e18
"""Below every score of a child: those are between 0 and about 1e6, the score of an untried one."""


def select(game: Any, node: int, mover: int, ply: int, run: Any, work: Any) -> int:
    """Selection: the child of the greatest upper confidence bound, by UCB1 or, with priors, PUCT.

    RAVE's weight is Silver's minimum mean squared error schedule (2009), m / (m + n + m n / k), of m visits
    by all moves as first and n of its own, those of the game's prior included. An untried child comes first
    in UCT (1e6), unless RAVE or a prior is on; in PUCT it counts as average (0.5), not tuned. Proved children
    are not visited again, unless one is a win; the best of them is noted for the backup.
    """
    first: int = work.first[node]
    fence()
    visits = work.visits[node]
    breadth = run.exploration * sqrt(log(visits + 1.0))
    if run.priors:
        breadth = run.exploration * sqrt(visits + 1.0)
    chosen = first
    best = WORST
    known = NOTHING
    for i in range(first, first + work.siblings[first]):
        if work.proved[i]:
            fence()
            if work.exact[i, mover] >= run.best:
                return i
            if known == NOTHING or work.exact[i, mover] > work.exact[known, mover]:
                known = i
            continue
        tried = 1.0 * work.visits[i]
        total = work.sums[i]
        if run.threads > 1:
            tried += max(0, work.pending[i])
            total += max(0, work.pending[i]) * run.low
        if game.has("prior") and run.virtual:
            tried += work.prior_visits[i]
            total += work.prior_sums[i]
        score = 1.0 if run.priors == 0 else 0.5
        if tried > 0:
            score = (total / tried - run.low) * run.unit
        if run.rave > 0 and work.rave_visits[i] > 0:
            seen = 1.0 * work.rave_visits[i]
            elsewhere = (work.rave_sums[i] / seen - run.low) * run.unit
            score += seen / (seen + tried + seen * tried / run.rave) * (elsewhere - score)
        if run.priors:
            score += breadth * work.priors[i] / (1 + tried)
        elif tried > 0:
            score += breadth / sqrt(tried)
        else:
            score += breadth if run.rave > 0 else 1e6
        if score > best:
            best = score
            chosen = i
    work.known[ply] = known
    return chosen


def least_visited(node: int, run: Any, work: Any) -> int:
    """The least visited child; of equals, the first."""
    first: int = work.first[node]
    chosen = first
    least = np.inf
    for i in range(first, first + work.siblings[first]):
        visits = 1.0 * work.visits[i]
        if run.threads > 1:
            visits += work.pending[i]
        if visits < least:
            least = visits
            chosen = i
    return chosen


def drawn(node: int, run: Any, work: Any) -> int:
    """Sample an outcome of chance; with progressive widening, only of those seen, once there are enough.

    Widening by the square root of the visits: Couëtoux et al., Continuous Upper Confidence Trees, 2011.
    """
    first = work.first[node]
    fence()
    end = first + work.siblings[first]
    only_seen = False
    total = 1.0
    if run.widening > 0:
        seen = 0
        total_seen = 0.0
        for i in range(first, end):
            if work.visits[i] > 0:
                seen += 1
                total_seen += work.priors[i]
        if seen >= run.widening * sqrt(work.visits[node] + 1.0):
            only_seen = True
            total = total_seen
    place = fraction(run) * total
    chosen: int = first
    for i in range(first, end):
        if work.priors[i] > 0 and (not only_seen or work.visits[i] > 0):
            chosen = i
            place -= work.priors[i]
            if place < 0:
                break
    return chosen
