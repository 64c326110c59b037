"""Backup in Monte Carlo tree search: visits and sums, standard errors, RAVE, and proofs (MCTS-Solver).

These functions are parts of the kernel `uct.grow`; uct.py describes the arrays, and how threads share them.
RAVE: Gelly and Silver, Combining Online and Offline Knowledge in UCT, 2007. Proofs: Winands, Björnsson and
Saito, Monte-Carlo Tree Search Solver, 2008.
"""

from __future__ import annotations

from typing import Any

from plies.compiled.memory_order import fence
from plies.engine.kernels.playout import PLAYERS
from plies.game import CHANCE

NOTHING = -1
"""Stands for no node: nodes are numbered from 0."""


def back_up(game: Any, ply: int, run: Any, work: Any) -> None:
    """Add the visit and its payoff to each node of the trail.

    Where a sibling is proved to be better than the payoff, its value is backed up instead.
    """
    payoff = 0.0
    for i in range(ply, 0, -1):
        node, mover = work.trail[i], work.movers[i - 1]
        payoff = work.payoffs[max(mover, 0)]
        work.visits[node] += 1
        work.sums[node] += payoff
        if run.threads > 1:
            work.pending[node] -= 1
        known = work.known[i - 1]
        if known != NOTHING and work.exact[known, mover] > payoff:
            for player in range(game.players):
                work.payoffs[player] = work.exact[known, player]
    work.visits[0] += 1
    if ply > 0:
        count_spread(work.trail[1] - 1, payoff, run, work)


def count_spread(child: int, payoff: float, run: Any, work: Any) -> None:
    """Add the payoff of a visit to a child of the root to its variance, for the standard error.

    Payoffs are taken relative to the first, so that the squares of nearly equal ones do not cancel.
    """
    if run.simulations == 1:
        run.centre = payoff
    work.tries[child] += 1
    work.spreads[child] += payoff - run.centre
    work.squares[child] += (payoff - run.centre) ** 2


def learn_elsewhere(node: int, mover: int, ply: int, run: Any, work: Any) -> None:
    """RAVE: credit the actions of a node that its player took here or later in the simulation (AMAF).

    An action that somebody took before counts for nobody: in Go, the stones around it are not the same.
    """
    if mover < 0:
        return
    first = work.first[node]
    fence()
    taken = run.simulations * PLAYERS + mover
    for i in range(first, first + work.siblings[first]):
        place = work.move_indices[i]
        if work.taken[place] == taken and work.taken_at[place] >= ply:
            work.rave_visits[i] += 1
            work.rave_sums[i] += work.payoffs[mover]


def prove_end(node: int, work: Any) -> None:
    """Mark a node as proved, with the values of `payoffs`: the game is over there."""
    for player in range(work.exact.shape[1]):
        work.exact[node, player] = work.payoffs[player]
    fence()
    work.proved[node] = 1


def back_up_proof(ply: int, run: Any, work: Any) -> None:
    """Prove the nodes of the trail, the last first, until one cannot be proved."""
    for i in range(ply - 1, -1, -1):
        if work.proved[work.trail[i + 1]] == 0 or not prove(work.trail[i], work.movers[i], run, work):
            return


def prove(node: int, mover: int, run: Any, work: Any) -> bool:
    """Prove a node, if one of its mover's actions is a proved win or all are proved.

    At a chance node, all possible outcomes must be. Each player's value is found separately, as in `book`, so
    it is a utility of the game, or an expectation summed in the book's order.
    """
    first = work.first[node]
    fence()
    end = first + work.siblings[first]
    winning = NOTHING
    all_proved = True
    for child in range(first, end):
        if work.proved[child]:
            fence()
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
    fence()
    work.proved[node] = 1
    return True
