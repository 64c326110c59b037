"""TD(lambda) with a network: self-play in which the value of each position moves towards the next one's.

Sutton, Learning to Predict by the Methods of Temporal Differences, 1988; Tesauro, TD-Gammon, 1995. A player
takes the action whose position has the best value by the network; the value of the position before moves
towards it, and at the end of the game towards the result. A position is encoded from the view of the player
who moved there, so that one network serves both players; from one player's move to the other's, values change
sign.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plies.compiled import kernel
from plies.engine.kernels.uct import below, fraction
from plies.game import CHANCE
from plies.neural_network import output
from plies.validation import MOST_ACTIONS

LEARNING = np.dtype(
    [
        ("games", np.int64),  # games played
        ("limit", np.int64),  # games to play
        ("plies", np.int64),  # of all games
        ("stop", np.int64),  # 1: stop after this game
        ("fault", np.int64),  # 1: a state has too many actions
        ("random", np.int64),  # the state of the random number generator
        ("longest", np.int64),  # the most plies of a game
        ("most", np.float64),  # the greatest utility, less that of a draw
        ("draw", np.float64),  # the utility of a draw
        ("rate", np.float64),  # the learning rate
        ("lambda_", np.float64),  # the decay of eligibility traces
        ("random_moves", np.float64),  # the probability of a random action
        ("won", np.float64),  # in contests: the sum of the learner's utilities
        ("squares", np.float64),  # in contests: the sum of their squares
    ]
)
"""The kernels' counters and settings."""


@kernel
def learn(game, start, run, work):
    """Self-play, with an update of the weights after each ply."""
    while run.games < run.limit and run.stop == 0:
        run.games += 1
        state = start
        known = 0.0
        mover = -1
        ply = 0
        work.inward_trace[:] = 0
        work.bias_trace[:] = 0
        work.outward_trace[:] = 0
        while not game.is_terminal(state) and ply < run.longest and run.fault == 0:
            player = game.to_move(state)
            if player == CHANCE:
                state = game.result(state, fallen(game, state, run))
                continue
            ply += 1
            run.plies += 1
            action, best = preferred(game, state, player, run, work)
            state = game.result(state, action)
            over = game.is_terminal(state)
            if over:
                best = (game.utility(state, player) - run.draw) / run.most
            if mover >= 0:
                # The new estimate of the last position, to the player who moved there.
                due = best if player == mover else -best
                improve(run.rate * (due - known), work)
            if not over:
                describe(game, state, player, work)
                known = output(work.inputs, work.hidden, work.inward, work.outward)
                keep = run.lambda_ if player == mover else -run.lambda_
                trace(known, keep, work)
                mover = player
    return 0


@kernel
def contest(game, start, opponent, run, work):
    """Measure the network's strength in games against an opponent, alternating sides.

    The opponent is 0 for random actions, 1 for the best actions by the game's own evaluation.
    """
    while run.games < run.limit and run.stop == 0:
        seat = run.games & 1
        run.games += 1
        state = start
        ply = 0
        while not game.is_terminal(state) and ply < run.longest and run.fault == 0:
            player = game.to_move(state)
            if player == CHANCE:
                state = game.result(state, fallen(game, state, run))
                continue
            ply += 1
            if player == seat:
                action, _ = preferred(game, state, player, run, work)
            elif opponent == 0:
                action = anything(game, state, run)
            else:
                action = evaluated_best(game, state, player, run)
            state = game.result(state, action)
        points = run.draw
        if game.is_terminal(state):
            points = float(game.utility(state, seat))
        run.won += points
        run.squares += points * points
    return 0


def fallen(game: Any, state: Any, run: Any) -> Any:
    """Sample an outcome of chance."""
    place = fraction(run)
    fell = 0
    for outcome, probability in game.chance(state):
        if place >= 0:
            fell = outcome
        place -= probability
    return fell


def preferred(game: Any, state: Any, player: int, run: Any, work: Any) -> tuple[Any, float]:
    """The best action by the network or, at random, any; and its value by the network."""
    best = -2.0
    chosen = 0
    count = 0
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            value = (game.utility(child, player) - run.draw) / run.most
        else:
            describe(game, child, player, work)
            value = output(work.inputs, work.hidden, work.inward, work.outward)
        if value > best or count == 0:
            best = value
            chosen = action
        count += 1  # noqa: SIM113  (compiled, this is the quicker way)
        if endless(count, run):
            break
    if run.random_moves > 0 and fraction(run) < run.random_moves:
        chosen = anything(game, state, run)
        child = game.result(state, chosen)
        if game.is_terminal(child):
            best = (game.utility(child, player) - run.draw) / run.most
        else:
            describe(game, child, player, work)
            best = output(work.inputs, work.hidden, work.inward, work.outward)
    return chosen, best


def anything(game: Any, state: Any, run: Any) -> Any:
    """A random action, all equally likely."""
    count = 0
    for _ in game.actions(state):
        count += 1
        if endless(count, run):
            break
    wanted = below(count, run)
    chosen = 0
    for action in game.actions(state):
        if wanted == 0:
            chosen = action
            break
        wanted -= 1
    return chosen


def evaluated_best(game: Any, state: Any, player: int, run: Any) -> Any:
    """The best action by the game's own evaluation."""
    best = 0.0
    chosen = 0
    count = 0
    for action in game.actions(state):
        child = game.result(state, action)
        if game.is_terminal(child):
            value = float(game.utility(child, player))
        else:
            value = float(game.evaluate(child, player))
        if value > best or count == 0:
            best = value
            chosen = action
        count += 1  # noqa: SIM113  (compiled, this is the quicker way)
        if endless(count, run):
            break
    return chosen


def endless(count: int, run: Any) -> bool:
    """Whether a state has too many actions, which ends the run: they may be endless."""
    if count > MOST_ACTIONS:
        run.fault = 1
        run.stop = 1
    return count > MOST_ACTIONS


def describe(game: Any, state: Any, player: int, work: Any) -> None:
    """Write the inputs of the network for a state, and its biases to the hidden units."""
    game.encode(state, player, work.inputs)
    hidden, biases = work.hidden, work.biases
    for j in range(len(hidden)):
        hidden[j] = biases[j]


# Arrays are looked up before the loops, and numbers have the arrays' precision, so that loops are vectorised.


def trace(known: float, keep: float, work: Any) -> None:
    """Eligibility traces: let them decay, and add the gradient of the network's value at its last inputs."""
    inputs, hidden, slopes, outward = work.inputs, work.hidden, work.slopes, work.outward
    bias_trace, outward_trace, inward_trace = work.bias_trace, work.outward_trace, work.inward_trace
    kept = np.float32(keep)
    slope = np.float32(1.0 - known * known)
    one = np.float32(1.0)
    units = len(hidden)
    for j in range(units):
        outward_trace[j] = kept * outward_trace[j] + slope * hidden[j]
        held = one - abs(hidden[j])
        slopes[j] = slope * outward[j] * held * held  # the slope of x / (1 + |x|)
        bias_trace[j] = kept * bias_trace[j] + slopes[j]
    outward_trace[units] = kept * outward_trace[units] + slope
    for i in range(len(inputs)):
        given = inputs[i]
        if given != 0:
            for j in range(units):
                inward_trace[i, j] = kept * inward_trace[i, j] + given * slopes[j]
        else:
            for j in range(units):
                inward_trace[i, j] *= kept


def improve(step: float, work: Any) -> None:
    """Move the weights along their traces."""
    biases, outward, inward = work.biases, work.outward, work.inward
    bias_trace, outward_trace, inward_trace = work.bias_trace, work.outward_trace, work.inward_trace
    length = np.float32(step)
    units = len(biases)
    for j in range(units):
        biases[j] += length * bias_trace[j]
    for j in range(units + 1):
        outward[j] += length * outward_trace[j]
    for i in range(len(inward)):
        for j in range(units):
            inward[i, j] += length * inward_trace[i, j]
