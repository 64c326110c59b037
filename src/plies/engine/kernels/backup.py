"""What a simulation of Monte Carlo tree search leaves behind: spreads, what RAVE learns, and proofs.

These functions are parts of the kernel `uct.grow`, which says what the arrays are.
"""

from __future__ import annotations

from typing import Any

from plies.engine.kernels.playout import MOVE_INDICES
from plies.game import CHANCE

NOTHING = -1
"""In place of a node."""


def back_up(game: Any, ply: int, run: Any, work: Any) -> None:
    """Count at each node of the trail what it brought the player who chose it.

    Whoever tried an action though a better one is proved would have taken the better one.
    """
    payoff = 0.0
    for i in range(ply, 0, -1):
        node, mover = work.trail[i], work.movers[i - 1]
        payoff = work.payoffs[max(mover, 0)]
        work.visits[node] += 1
        work.sums[node] += payoff
        known = work.known[i - 1]
        if known != NOTHING and work.exact[known, mover] > payoff:
            for player in range(game.players):
                work.payoffs[player] = work.exact[known, player]
    work.visits[0] += 1
    if ply > 0:
        count_spread(work.trail[1] - 1, payoff, run, work)


def count_spread(child: int, payoff: float, run: Any, work: Any) -> None:
    """Count what a visit to a child of the root brought, for its standard error.

    Numbers are taken from the first one met, lest nearly equal utilities lose their differences in a square.
    """
    if run.simulations == 1:
        run.centre = payoff
    work.tries[child] += 1
    work.spreads[child] += payoff - run.centre
    work.squares[child] += (payoff - run.centre) ** 2


def learn_elsewhere(node: int, mover: int, ply: int, run: Any, work: Any) -> None:
    """RAVE: let the actions of a node learn from when their player took them, here or later in the game."""
    if mover < 0:
        return
    first = work.first[node]
    for i in range(first, first + work.count[node]):
        place = mover * MOVE_INDICES + work.move_indices[i]
        if work.taken[place] == run.simulations and work.taken_at[place] >= ply:
            work.rave_visits[i] += 1
            work.rave_sums[i] += work.payoffs[mover]


def prove_end(node: int, work: Any) -> None:
    """Note that the game is over at a node, with what `payoffs` says."""
    work.proved[node] = 1
    for player in range(work.exact.shape[1]):
        work.exact[node, player] = work.payoffs[player]


def back_up_proof(ply: int, run: Any, work: Any) -> None:
    """Prove the nodes of the trail, the last first, as far as what is proved below them allows."""
    for i in range(ply - 1, -1, -1):
        if work.proved[work.trail[i + 1]] == 0 or not prove(work.trail[i], work.movers[i], run, work):
            return


def prove(node: int, mover: int, run: Any, work: Any) -> bool:
    """Prove a node, if an action of its mover is proved to be as good as any can be, or all are proved.

    Where chance moves, all outcomes must be that can happen. Each player's value is found by itself, as the
    book finds it, and so is a utility of the game, or a sum of such in the book's order.
    """
    first, end = work.first[node], work.first[node] + work.count[node]
    winning = NOTHING
    all_proved = True
    for child in range(first, end):
        if work.proved[child]:
            if mover != CHANCE and work.exact[child, mover] >= run.best:
                winning = child
        elif mover != CHANCE or work.priors[child] > 0:
            all_proved = False
    if winning == NOTHING and not all_proved:
        return False
    for player in range(work.exact.shape[1]):
        value = 0.0
        if winning != NOTHING:
            value = work.exact[winning, player]
        elif mover == CHANCE:
            for child in range(first, end):
                if work.priors[child] > 0:
                    value += work.priors[child] * work.exact[child, player]
        else:
            value = work.exact[first, player]
            for child in range(first + 1, end):
                exact = work.exact[child, player]
                if exact > value if mover == player else exact < value:
                    value = exact
        work.exact[node, player] = value
    work.proved[node] = 1
    return True
