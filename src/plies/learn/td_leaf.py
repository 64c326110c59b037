"""TD-leaf(lambda) with weighted features: self-play in which the leaf of a search learns from the next one's.

Baxter, Tridgell and Weaver, TDLeaf(lambda): Combining Temporal Difference Learning with Game-Tree Search,
1998. A player searches to a depth; the value found is that of the leaf at the end of the principal variation,
and its gradient is given by that leaf's features. At depth 1 this is TD(lambda). The value of a position to
the first player, less a draw's, is tanh(weights . features) of the greatest utility.

One more weight is learned, for being to move (tempo). Features often favour whoever has just moved; without
it, this would be a difference between every two positions that are compared, and the weights would answer for
it: in Tic-Tac-Toe, open lines came out as bad. It is the same for all moves of a position, so games do not
need it.
"""

from __future__ import annotations

import math
from typing import Any

from plies.compiled import kernel
from plies.engine.kernels.uct import fraction
from plies.game import CHANCE
from plies.learn.td import anything, endless, evaluated_best, fallen

FADING = 0.99
"""The decay, per game, of the mean square of a weight's gradient (RMSProp, Tieleman and Hinton 2012). Not
tuned."""


@kernel
def leaf(game, state, alpha, beta, depth, ply, run, work):
    """Alpha-beta: the value of a state to the first player; the features of its leaf are in row `ply`."""
    if game.is_terminal(state):
        work.final[ply] = 1
        return (game.utility(state, 0) - run.draw) / run.most
    if depth == 0 or game.to_move(state) == CHANCE:
        work.final[ply] = 0
        return judged(game, state, ply, work)
    maximising = game.to_move(state) == 0
    value = -2.0 if maximising else 2.0
    count = 0
    for action in game.actions(state):
        count += 1  # noqa: SIM113  (compiled, this is the quicker way)
        if endless(count, run) or run.fault:
            break
        found = leaf(game, game.result(state, action), alpha, beta, depth - 1, ply + 1, run, work)
        if (maximising and found > value) or (not maximising and found < value):
            value = found
            work.final[ply] = work.final[ply + 1]
            for i in range(work.rows.shape[1]):
                work.rows[ply, i] = work.rows[ply + 1, i]
            if maximising:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
    return value


@kernel
def learn_leaves(game, start, depth, root, run, work):
    """Self-play, with an update of the weights after each game, scaled by RMSProp.

    `root` is 0: the row of the root in the search of each position.
    """
    count = len(work.weights)
    while run.games < run.limit and run.stop == 0:
        run.games += 1
        state = start
        ply = 0
        for i in range(count):
            work.gradient[i] = 0.0
            work.trace[i] = 0.0
        before = 0.0
        seen = False
        while True:
            over = game.is_terminal(state)
            if not over and game.to_move(state) == CHANCE:
                state = game.result(state, fallen(game, state, run))
                continue
            if over or ply >= run.longest or run.fault:
                break
            action = 0
            if ply < work.opening[0] or fraction(run) < run.random_moves:
                action = anything(game, state, run)
                seen = False  # a random move: the values before and after it are not compared
                for i in range(count):
                    work.trace[i] = 0.0
            else:
                value, action = searched(game, state, depth, root, run, work)
                if seen:
                    for i in range(count):
                        work.gradient[i] += (value - before) * work.trace[i]
                slope = 0.0 if work.final[root] else 1.0 - value * value
                for i in range(count):
                    work.trace[i] = run.lambda_ * work.trace[i] + slope * work.rows[root, i]
                before = value
                seen = True
            state = game.result(state, action)
            ply += 1
            run.plies += 1
        if over and seen:
            value = (game.utility(state, 0) - run.draw) / run.most
            for i in range(count):
                work.gradient[i] += (value - before) * work.trace[i]
        for i in range(count):  # RMSProp
            mean = FADING * work.squares[i] + (1 - FADING) * work.gradient[i] ** 2
            work.squares[i] = mean
            if mean > 0:
                work.weights[i] += run.rate * work.gradient[i] / math.sqrt(mean)
    return 0


@kernel
def contest_leaves(game, start, opponent, depth, root, run, work):
    """Measure the learner's strength in games against an opponent, alternating sides: see `contest`."""
    while run.games < run.limit and run.stop == 0:
        seat = run.games & 1
        run.games += 1
        state = start
        ply = 0
        while not game.is_terminal(state) and ply < run.longest and run.fault == 0:
            player = game.to_move(state)
            action = 0
            if player == CHANCE:
                action = fallen(game, state, run)
            elif ply < work.opening[0] or (player != seat and opponent == 0):
                action = anything(game, state, run)
            elif player == seat:
                _, action = searched(game, state, depth, root, run, work)
            else:
                action = evaluated_best(game, state, player, run)
            state = game.result(state, action)
            ply += 1
        points = run.draw
        if game.is_terminal(state):
            points = float(game.utility(state, seat))
        run.won += points
        run.squares += points * points
    return 0


def judged(game: Any, state: Any, ply: int, work: Any) -> float:
    """The evaluation of a state by the weights; its features go to the row of the ply."""
    features = game.features(state)
    tempo = 1.0 if game.to_move(state) == 0 else -1.0 if game.to_move(state) == 1 else 0.0
    work.rows[ply, len(features)] = tempo
    total = tempo * work.weights[len(features)]
    for i in range(len(features)):
        work.rows[ply, i] = features[i]
        total += features[i] * work.weights[i]
    return math.tanh(total)


def searched(game: Any, state: Any, depth: int, root: int, run: Any, work: Any) -> tuple[float, Any]:
    """The value of the best action to the first player, and that action; its leaf is in the root's row."""
    maximising = game.to_move(state) == 0
    best = -2.0 if maximising else 2.0
    chosen = 0
    count = 0
    alpha, beta = -2.0, 2.0
    for action in game.actions(state):
        found = leaf(game, game.result(state, action), alpha, beta, depth - 1, root + 1, run, work)
        if (maximising and found > best) or (not maximising and found < best) or count == 0:  # nan included
            best = found
            chosen = action
            work.final[root] = work.final[root + 1]
            for i in range(work.rows.shape[1]):
                work.rows[root, i] = work.rows[root + 1, i]
            if maximising:
                alpha = best
            else:
                beta = best
        count += 1  # noqa: SIM113  (compiled, this is the quicker way)
        if endless(count, run) or run.fault:
            break
    return best, chosen
