"""Monte Carlo tree search (UCT): a kernel that grows a tree by simulations, over any game there is.

One simulation costs a walk down the tree, in which every child of every position on the way is looked at
once, and a playout. The tree grows by the children of at most one position in a simulation.

A node is a number; the root is 0, and the children of a node are the `count` nodes from `first` on. The
arrays of a tree, by node:

- `visits`, `sums`: how often it was visited, and what that brought the player who chose it;
- `first`, `count`: its children, none until it is expanded;
- `actions`, `priors`, `move_indices`: the action that leads to it, its prior probability (at chance nodes,
  its probability), and its move index; `rave_visits`, `rave_sums`: how the action did when
  it was taken later on (all moves as first, AMAF);
- `proved`, `exact`: whether its value is proved, and then the value to each player.

For the standard error, of the children of the root, in this search alone: `tries`, how often each was
visited; `spreads`, `squares`: the sums of what that brought, less `centre`, and of its squares.

And by ply of the simulation under way: `trail`, the nodes; `movers`; `line`, the actions; `known`, the best
child that is proved, or NOTHING; `path`, the positions of the game so far and of the walk.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.engine.faults import ACTIONS, CHANCES, MOVER, ROUNDING
from plies.engine.kernels.backup import NOTHING, back_up, back_up_proof, learn_elsewhere, prove_end
from plies.engine.kernels.playout import (
    MOVE_INDICES,
    below,
    fraction,
    pay,
    pay_estimates,
    pay_repeated,
    play_out,
    random_bits,
    remember,
)
from plies.game import CHANCE
from plies.validation import MOST_ACTIONS

__all__ = ["MOVE_INDICES", "TREE", "below", "drawn", "fraction", "grow", "play_out", "random_bits"]

TREE = np.dtype(
    [
        # What is counted.
        ("simulations", np.int64),
        ("plies", np.int64),  # of all playouts together
        ("filled", np.int64),  # nodes in the tree
        ("deepest", np.int64),
        # What is told of a fault: see faults.py.
        ("fault", np.int64),
        ("ply", np.int64),
        # What is obeyed.
        ("stop", np.int64),
        ("limit", np.int64),  # simulations
        ("random", np.int64),  # the state of the generator
        ("previous", np.int64),  # how many positions of the game so far stand at the beginning of the path
        ("superko", np.int64),  # 1: a move that brings back an earlier position, whoever moved, is illegal
        ("last_ply", np.int64),  # as far as the path reaches
        ("longest", np.int64),  # plies of a playout
        ("expansion_threshold", np.int64),  # the expansion threshold: visits before a node gets its children
        # How it is done.
        ("low", np.float64),  # the least utility …
        ("best", np.float64),  # … and the greatest
        ("unit", np.float64),  # what takes the range between them to that from 0 to 1
        ("centre", np.float64),  # what the first simulation of a search brought
        ("total", np.float64),  # what the utilities of all players sum to, where proofs rest on it, or nan …
        ("rounding", np.float64),  # … and by how much that may be missed
        ("exploration", np.float64),
        ("rave", np.float64),  # how many visits weigh as much as what is known of an action elsewhere
        ("evaluation", np.float64),  # how much of a value comes from EVAL, the rest from the playout
        ("widening", np.float64),  # outcomes of chance looked at, by the square root of the visits; 0: all
        ("priors", np.int64),
        ("policy", np.int64),  # 1: the game chooses the actions of playouts
        ("solver", np.int64),
        ("flat", np.int64),  # 1: the tree is the root and its children, each visited as often as the next
    ]
)
"""What the kernel counts and obeys, one record for each tree."""

WORST = -1e18
"""Below every score of a child."""

STEEPEST = 50.0
"""The greatest exponent in a softmax: more would overflow where one of very many priorities stands out."""


@kernel
def grow(game, root, run, work):
    """Grow the tree, one simulation after another, up to a number of them or until told to stop."""
    while run.simulations < run.limit and run.stop == 0 and work.proved[0] == 0:
        run.simulations += 1

        # 1. Selection: from the root down, to a node that has no children in the tree.
        state = root
        node = 0
        ply = 0
        work.trail[0] = 0
        over = repeated = False
        while True:
            run.ply = ply
            if work.proved[node] or ply >= run.last_ply:
                break
            over = game.is_terminal(state)
            mover = CHANCE
            if not over:
                mover = game.to_move(state)
                if mover < CHANCE or mover >= game.players:
                    run.fault = MOVER
                    break
            if game.cycles and (run.superko or not over):
                here = position(game, state, mover, run.superko)
                repeated = ply > 0 and came_before(here, ply, run, work)
                work.path[run.previous + ply] = here
            if over or repeated:
                break
            # 2. Expansion.
            if work.count[node] == 0 and not expand(game, state, mover, node, ply, run, work):
                break
            work.known[ply] = NOTHING
            if mover == CHANCE:
                child = drawn(node, run, work)
            elif run.flat:
                child = least_visited(node, work)
            else:
                child = select(node, mover, ply, run, work)
            work.movers[ply] = mover
            if run.rave > 0:
                remember(work.move_indices[child], mover, ply, run, work)
            work.line[ply] = work.actions[child]
            state = game.result(state, work.actions[child])
            node = child
            ply += 1
            work.trail[ply] = node
        run.deepest = max(run.deepest, ply)

        # 3. Simulation: the game is over, or a playout tells what the position is worth.
        if run.fault == 0:
            simulate(game, state, node, over, repeated, ply, run, work)
        if run.fault:
            run.stop = 1
            break

        # 4. Back-propagation.
        back_up(game, ply, run, work)
        if run.rave > 0:
            for i in range(ply):
                learn_elsewhere(work.trail[i], work.movers[i], i, run, work)
        if run.solver:
            back_up_proof(ply, run, work)
    return 0


def simulate(
    game: Any, state: Any, node: int, over: bool, repeated: bool, ply: int, run: Any, work: Any
) -> None:
    """Write the payoffs of a simulation that has left the tree: of an end, of a playout, or by EVAL."""
    if work.proved[node]:
        for player in range(game.players):
            work.payoffs[player] = work.exact[node, player]
    elif repeated:
        pay_repeated(game, state, run, work)
    elif over:
        pay(game, state, run, work)
        if run.solver and ply > 0 and run.fault == 0:
            prove_end(node, work)
    else:
        if run.evaluation < 1:
            end = play_out(game, state, ply, run, work)
            if run.fault == 0:
                if game.is_terminal(end):
                    pay(game, end, run, work)
                else:
                    pay_estimates(game, end, 1.0, run, work)
        if run.evaluation > 0 and run.fault == 0:
            run.ply = ply
            pay_estimates(game, state, run.evaluation, run, work)


# -- Positions that come up again.


def position(game: Any, state: Any, mover: int, superko: int) -> int:
    """A number for what must be the same when a position comes up again: under superko, whoever moves."""
    key = bits.signed(game.repetition_key(state))
    return key if superko else key ^ bits.multiply(mover, bits.GOLDEN)


def came_before(here: int, ply: int, run: Any, work: Any) -> bool:
    """Whether a position stands earlier on the path. Under superko, a pass does not bring one back."""
    end = run.previous + ply
    if run.superko and work.path[end - 1] == here:
        return False
    found = False
    for i in range(end):
        if work.path[i] == here:
            found = True
    return found


# -- Expansion.


def expand(game: Any, state: Any, mover: int, node: int, ply: int, run: Any, work: Any) -> bool:
    """Put the children of a node in the tree, if it has been visited enough and there is room."""
    if node > 0 and (run.flat or work.visits[node] < run.expansion_threshold):
        return False
    first = run.filled
    size = first
    space = len(work.visits)
    if first >= space:
        return False
    if mover == CHANCE:
        total = 0.0
        for outcome, probability in game.chance(state):
            if size < space:
                work.actions[size] = outcome
                work.priors[size] = probability
            total += probability if probability >= 0 else np.nan
            size += 1
            if size - first > MOST_ACTIONS:
                break
        if not abs(total - 1) <= ROUNDING:  # so it is for nan, too
            run.fault = CHANCES
            return False
    else:
        for action in game.candidates(state):
            if size < space:
                work.actions[size] = action
                if run.priors:
                    work.priors[size] = game.priority(state, action)
                if run.rave > 0:
                    work.move_indices[size] = game.move_index(state, action) & (MOVE_INDICES - 1)
            elif size - first > MOST_ACTIONS:
                break
            size += 1
        if size == first or size - first > MOST_ACTIONS:
            run.fault = ACTIONS
            return False
    if size > space:
        return False
    adopt(game, state, mover, first, size, ply, run, work)
    if run.fault:
        return False
    run.filled = size
    work.first[node] = first
    work.count[node] = size - first
    return True


def adopt(game: Any, state: Any, mover: int, first: int, end: int, ply: int, run: Any, work: Any) -> None:
    """Make nodes, whose actions are known, children of a state at a ply.

    Where the game ends with an action, that is seen at once, however unlikely the action seems.
    """
    for i in range(first, end):
        work.visits[i] = 0
        work.sums[i] = 0.0
        work.count[i] = 0
        work.proved[i] = 0
        if run.rave > 0:
            work.rave_visits[i] = 0
            work.rave_sums[i] = 0.0
        if run.solver and mover != CHANCE:
            child = game.result(state, work.actions[i])
            if game.is_terminal(child):
                illegal = False  # which only superko can make it
                if game.cycles and run.superko:
                    illegal = came_before(position(game, child, mover, run.superko), ply + 1, run, work)
                if not illegal:
                    pay(game, child, run, work)
                    prove_end(i, work)
    if run.priors and mover != CHANCE:
        softmax(first, end, work)


def softmax(first: int, end: int, work: Any) -> None:
    """Softmax: make priorities, whatever their scale, probabilities, by how far each lies from the mean."""
    count = end - first
    mean = 0.0
    for i in range(first, end):
        mean += work.priors[i] / count
    spread = 0.0
    for i in range(first, end):
        spread += (work.priors[i] - mean) ** 2 / count
    if not spread < np.inf:
        raise ValueError("priority() is not a finite number of moderate size")
    spread = sqrt(spread) + 1e-9
    total = 0.0
    for i in range(first, end):
        work.priors[i] = exp(min((work.priors[i] - mean) / spread, STEEPEST))
        total += work.priors[i]
    for i in range(first, end):
        work.priors[i] /= total


# -- Selection.


def select(node: int, mover: int, ply: int, run: Any, work: Any) -> int:
    """The child to visit next, by UCT or, with priors, PUCT: it did well, or was hardly tried.

    What is proved is not tried again, unless nothing can be better; the best of it is noted, for what is
    backed up.
    """
    first: int = work.first[node]
    visits = work.visits[node]
    breadth = run.exploration * sqrt(log(visits + 1.0))
    if run.priors:
        breadth = run.exploration * sqrt(visits + 1.0)
    chosen = first
    best = WORST
    known = NOTHING
    for i in range(first, first + work.count[node]):
        if work.proved[i]:
            if work.exact[i, mover] >= run.best:
                return i
            if known == NOTHING or work.exact[i, mover] > work.exact[known, mover]:
                known = i
            continue
        tried = work.visits[i]
        score = 1.0 if run.priors == 0 else 0.5
        if tried > 0:
            score = (work.sums[i] / tried - run.low) * run.unit
        if run.rave > 0 and work.rave_visits[i] > 0:
            elsewhere = (work.rave_sums[i] / work.rave_visits[i] - run.low) * run.unit
            weight = sqrt(run.rave / (run.rave + 3.0 * tried)) if tried > 0 else 1.0
            score += weight * (elsewhere - score)
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


def least_visited(node: int, work: Any) -> int:
    """The child that was visited least; of equals, the first."""
    first: int = work.first[node]
    chosen = first
    for i in range(first, first + work.count[node]):
        if work.visits[i] < work.visits[chosen]:
            chosen = i
    return chosen


def drawn(node: int, run: Any, work: Any) -> int:
    """An outcome of chance, as likely as the game says; with widening, one of those seen if enough are."""
    first, end = work.first[node], work.first[node] + work.count[node]
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
