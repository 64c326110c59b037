"""TD(lambda) with a network: self-play in which the value of each position learns from the next one's.

After G. Tesauro's TD-Gammon: a player looks at the positions that their actions lead to, takes what the
network likes best, and the network's opinion of the last such position moves towards its opinion of this one,
in the end towards the result. A position is described as the player who moved there sees it, so that one
network serves both players; from one player's move to the other's, values change sign.
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
        ("games", np.int64),  # that were played
        ("limit", np.int64),  # how many to play
        ("plies", np.int64),
        ("stop", np.int64),
        ("fault", np.int64),  # 1: a state has actions without end
        ("random", np.int64),
        ("longest", np.int64),  # plies of a game
        ("most", np.float64),  # the greatest utility, beyond that of a draw
        ("draw", np.float64),  # the utility of a draw
        ("rate", np.float64),
        ("lambda_", np.float64),
        ("random_moves", np.float64),  # how often a random action is taken
        ("won", np.float64),  # by the learner, in contests
        ("squares", np.float64),
    ]
)
"""What the kernels count and obey."""


@kernel
def learn(game, start, run, work):
    """Play games against oneself, and learn from each position."""
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
                # What the last position should have been worth to the player who moved there.
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
    """Play games for points, the network in the first seat and in the second by turns.

    The opponent is 0 for random actions, 1 for the actions that the game's own evaluation likes best.
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
    """An outcome of chance."""
    place = fraction(run)
    fell = 0
    for outcome, probability in game.chance(state):
        if place >= 0:
            fell = outcome
        place -= probability
    return fell


def preferred(game: Any, state: Any, player: int, run: Any, work: Any) -> tuple[Any, float]:
    """The action that the network likes best, now and then any, and what it thinks of it."""
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
    """A random action, each as likely."""
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
    """The action that the game's evaluation likes best."""
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
    """Whether a state has so many actions that there may be no end to them: then the run ends."""
    if count > MOST_ACTIONS:
        run.fault = 1
        run.stop = 1
    return count > MOST_ACTIONS


def describe(game: Any, state: Any, player: int, work: Any) -> None:
    """Get ready to ask the network: the inputs, and the biases in the hidden units."""
    game.encode(state, player, work.inputs)
    hidden, biases = work.hidden, work.biases
    for j in range(len(hidden)):
        hidden[j] = biases[j]


# Arrays are looked up before the loops, and numbers are of the arrays' precision, so that loops run on
# several numbers at once.


def trace(known: float, keep: float, work: Any) -> None:
    """Let the traces fade, and add the gradient of the network's value at the inputs it was asked about."""
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
