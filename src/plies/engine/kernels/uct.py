"""Monte Carlo tree search (UCT): a kernel that grows a tree by simulations, for any game.

Kocsis and Szepesvári, Bandit Based Monte-Carlo Planning, 2006. PUCT: Rosin 2011, Silver et al. 2017. RAVE:
Gelly and Silver 2007. MCTS-Solver: Winands et al. 2008. A simulation costs a walk down the tree, which reads
every child of every node on the way once, and a playout; it expands at most one node.

A node is a number; the root is 0, and the children of a node are those from `first` on, as many as the first
of them has `siblings`, itself included. The arrays of a tree, by node (their types are in search_tree.py):

- `visits`, `sums`: its visits, and the sum of their payoffs to the player who chose it;
- `first`, `siblings`: its first child, 0 until it is expanded; and, of a first child, the number of children;
- `pending`: its visits by simulations that are under way, which count as losses (virtual loss);
- `actions`, `priors`, `move_indices`: the action that leads to it, its prior (at chance nodes, its
  probability), and its move index; `rave_visits`, `rave_sums`: visits and payoffs of simulations in which the
  same player took the action here or later (all moves as first, AMAF); `prior_visits`, `prior_sums`: visits
  and payoffs by the game's prior, which count in selection alone;
- `proved`, `exact`: 1 if its value is proved, and then the value to each player.

By child of the root, in this search only, for the standard error: `tries`, its visits; `spreads`, `squares`:
the sums of their payoffs less `centre`, and of the squares of these.

Threads share the nodes, and each has everything else for itself. Each puts its nodes in a part of the arrays
of its own, from `filled` to `space`, and shows them to the others by the one word `first`; whoever loses a
race to expand a node leaves nodes that nobody visits. Nothing is locked: of visits to one node at one time,
one may be lost, but that a node is proved is written after its value. Virtual loss: Chaslot, Winands and van
den Herik, Parallel Monte-Carlo Tree Search, 2008; without locks: Enzenberger and Müller 2009.

By ply of the current simulation: `trail`, the nodes; `movers`, the players; `line`, the actions; `known`, the
best proved child, or NOTHING; `path`, the keys of the game so far and of the walk. By player: `payoffs`.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.compiled.memory_order import fence
from plies.engine.faults import ACTIONS, CHANCES, MOVER, PRIOR, ROUNDING
from plies.engine.kernels.backup import NOTHING, back_up, back_up_proof, learn_elsewhere, prove_end
from plies.engine.kernels.databases import database_pays, note_barriers
from plies.engine.kernels.playout import (
    MOVE_INDICES,
    below,
    fraction,
    last_action,
    pay,
    pay_estimates,
    pay_repeated,
    play_out,
    random_bits,
    remember,
)
from plies.engine.kernels.selection import drawn, least_visited, select
from plies.game import CHANCE
from plies.validation import MOST_ACTIONS

__all__ = ["MOVE_INDICES", "TREE", "below", "drawn", "fraction", "grow", "play_out", "random_bits"]

TREE = np.dtype(
    [
        # Counters.
        ("simulations", np.int64),
        ("plies", np.int64),  # of all playouts together
        ("filled", np.int64),  # where this thread puts its next node
        ("deepest", np.int64),  # the most plies of a walk
        ("probes", np.int64),  # nodes settled by a database
        # Where the search is, for reporting a broken rule: see faults.py.
        ("fault", np.int64),  # 0: none
        ("ply", np.int64),  # plies from the root
        # Limits and settings.
        ("stop", np.int64),  # 1: return at once
        ("limit", np.int64),  # simulations
        ("random", np.int64),  # the state of the random number generator
        ("space", np.int64),  # where this thread's part of the nodes ends
        ("threads", np.int64),  # threads that share the tree
        ("previous", np.int64),  # positions of the game so far, at the beginning of `path`
        ("superko", np.int64),  # 1: a move that repeats an earlier position is illegal
        ("last_ply", np.int64),  # the most plies of a walk
        ("longest", np.int64),  # the most plies of a playout
        ("expansion_threshold", np.int64),  # visits before a node gets its children
        ("low", np.float64),  # the least utility
        ("best", np.float64),  # the greatest utility
        ("unit", np.float64),  # 1 / (best - low)
        ("centre", np.float64),  # the payoff of a search's first simulation
        ("total", np.float64),  # the sum of all players' utilities, if proofs rest on it, or nan
        ("rounding", np.float64),  # the tolerance of `total`
        ("exploration", np.float64),  # UCB's constant
        ("rave", np.float64),  # RAVE's equivalence parameter, in visits; 0: no RAVE
        ("evaluation", np.float64),  # the weight of the static evaluation; the rest is the playout's
        ("widening", np.float64),  # outcomes tried, per square root of the visits; 0: all
        ("priors", np.int64),  # 1: PUCT
        ("policy", np.int64),  # 1: playouts by the game's policy
        ("virtual", np.int64),  # 1: the game's prior games count as visits
        ("solver", np.int64),  # 1: MCTS-Solver
        ("flat", np.int64),  # 1: the tree is the root and its children, visited equally often
    ]
)
"""The kernel's counters and settings, one record for each tree; from `exploration` on they are
`MctsOptions`."""

STEEPEST = 50.0
"""The greatest exponent in a softmax, for a priority that stands out of very many: e^50 is 5e21, and a sum of
a million of these is far from overflow. Not tuned."""


@kernel
def grow(game, root, run, work):
    """Grow the tree by simulations, until the limit, `stop`, or a proof."""
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
            if work.has("database_words"):
                note_barriers(game, state, ply, work)
            # 2. Expansion.
            if work.first[node] == 0 and not expand(game, state, mover, node, ply, run, work):
                break
            work.known[ply] = NOTHING
            if mover == CHANCE:
                child = drawn(node, run, work)
            elif run.flat:
                child = least_visited(node, run, work)
            else:
                child = select(game, node, mover, ply, run, work)
            work.movers[ply] = mover
            if run.rave > 0:
                remember(work.move_indices[child], mover, ply, run, work)
            work.line[ply] = work.actions[child]
            state = game.result(state, work.actions[child])
            node = child
            if run.threads > 1:
                work.pending[node] += 1
            ply += 1
            work.trail[ply] = node
        run.deepest = max(run.deepest, ply)

        # 3. Simulation: the end of the game, a playout, or a static evaluation.
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
    """Write the payoffs of a simulation that has left the tree."""
    if work.proved[node]:
        fence()
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


# -- Repetitions.


def position(game: Any, state: Any, mover: int, superko: int) -> int:
    """The key by which repetitions are found: it includes the player to move, except under superko."""
    key = bits.signed(game.repetition_key(state))
    return key if superko else key ^ bits.multiply(mover, bits.GOLDEN)


def came_before(here: int, ply: int, run: Any, work: Any) -> bool:
    """Whether a position stands earlier on the path. Under superko, a pass does not count as a repetition."""
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
    """Expand a node, if it has reached the threshold and there is room."""
    if node > 0 and (run.flat or work.visits[node] < run.expansion_threshold):
        return False
    first = run.filled
    size = first
    space = run.space
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
                if game.has("prior") and run.virtual:
                    count_prior(game.prior(state, action, last_action(ply, work)), size, run, work)
            elif size - first > MOST_ACTIONS:
                break
            size += 1
        if size == first or size - first > MOST_ACTIONS:
            run.fault = ACTIONS
            return False
        if run.fault:
            return False
    if size > space:
        return False
    adopt(game, state, mover, first, size, ply, run, work)
    if run.fault:
        return False
    run.filled = size
    fence()
    work.first[node] = first
    return True


def count_prior(prior: tuple[float, float], node: int, run: Any, work: Any) -> None:
    """Note the prior games of a node, won and lost, as visits and the sum of their payoffs."""
    won, lost = prior
    if not (0 <= won < np.inf and 0 <= lost < np.inf):
        run.fault = PRIOR
    work.prior_visits[node] = won + lost
    work.prior_sums[node] = won * run.best + lost * run.low


def adopt(game: Any, state: Any, mover: int, first: int, end: int, ply: int, run: Any, work: Any) -> None:
    """Set up nodes, whose actions are known, as the children of a state at a ply.

    With the solver, a child in which the game is over, or whose value a database has, is proved at once.
    """
    work.siblings[first] = end - first
    for i in range(first, end):
        work.visits[i] = 0
        work.sums[i] = 0.0
        work.first[i] = 0
        if run.threads > 1:
            work.pending[i] = 0
        work.proved[i] = 0
        if run.rave > 0:
            work.rave_visits[i] = 0
            work.rave_sums[i] = 0.0
        if run.solver and mover != CHANCE:
            child = game.result(state, work.actions[i])
            if game.is_terminal(child):
                illegal = False  # by superko
                if game.cycles and run.superko:
                    illegal = came_before(position(game, child, mover, run.superko), ply + 1, run, work)
                if not illegal:
                    pay(game, child, run, work)
                    prove_end(i, work)
            elif work.has("database_words"):
                repeated = False
                if game.cycles:
                    here = position(game, child, game.to_move(child), run.superko)
                    repeated = came_before(here, ply + 1, run, work)
                if not repeated and database_pays(game, child, ply + 1, run, work):
                    prove_end(i, work)
    if run.priors and mover != CHANCE:
        softmax(first, end, work)


def softmax(first: int, end: int, work: Any) -> None:
    """Softmax: turn priorities of any scale into probabilities, standardised by mean and deviation."""
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
