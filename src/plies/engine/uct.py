"""Monte Carlo tree search: a kernel that grows a tree by random games, over any game there is.

One simulation costs a walk down the tree, in which every child of every position on the way is looked at
once, and a random game to its end. The tree grows by the children of at most one position in a simulation.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

import numpy as np

from plies import bits
from plies.compiled import kernel
from plies.game import CHANCE

TREE = np.dtype(
    [
        # What is counted.
        ("simulations", np.int64),
        ("plies", np.int64),  # of all random games together
        ("filled", np.int64),  # positions in the tree
        ("deepest", np.int64),
        # What is obeyed.
        ("stop", np.int64),
        ("limit", np.int64),  # simulations
        ("random", np.int64),  # the state of the generator
        ("past", np.int64),  # how many positions of the game so far stand at the beginning of the path
        ("last_ply", np.int64),  # as far as the path reaches
        ("longest", np.int64),  # plies of a random game
        ("patience", np.int64),  # how many visits a position has before its children are put in the tree
        # How it is done.
        ("low", np.float64),  # the least utility …
        ("unit", np.float64),  # … and what takes utilities to the range from 0 to 1
        ("best", np.float64),  # the greatest utility
        ("exploration", np.float64),
        ("rave", np.float64),  # how many visits weigh as much as what is known of an action elsewhere
        ("evaluation", np.float64),  # how much of a value comes from EVAL, the rest from the random game
        ("widening", np.float64),  # outcomes of chance looked at, by the square root of the visits; 0: all
        ("priors", np.int64),
        ("policy", np.int64),  # 1: the game chooses the actions of random games
        ("solver", np.int64),
        ("flat", np.int64),  # 1: the tree is the root and its children, each visited as often as the next
    ]
)
"""What the kernel counts and obeys, one record for each tree."""

CODES = 1 << 10
"""Actions are told apart by the lowest bits of their codes where what is known of them elsewhere counts."""

WORST = -1e18
"""Below every score of a child."""


@kernel
def grow(game, root, run, work):
    """Grow the tree, one simulation after another, up to a number of them or until told to stop."""
    while run.simulations < run.limit and run.stop == 0 and work.proved[0] == 0:
        run.simulations += 1

        # 1. Selection: from the root down, to a position that has no children in the tree.
        state = root
        node = 0
        ply = 0
        work.trail[0] = 0
        over = repeated = False
        while True:
            over = game.is_terminal(state)
            if over or work.proved[node] or ply >= run.last_ply:
                break
            if game.cycles:
                here = game.key(state)
                for i in range(run.past + ply):
                    if work.path[i] == here:
                        repeated = True
                if repeated:
                    break
                work.path[run.past + ply] = here
            # 2. Expansion.
            if work.count[node] == 0 and not expand(game, state, node, run, work):
                break
            mover = game.to_move(state)
            if mover == CHANCE:
                child = drawn(node, run, work)
            elif run.flat:
                child = least_visited(node, work)
            else:
                child = most_promising(node, ply, run, work)
            work.movers[ply] = mover
            if run.rave > 0:
                remember(work.codes[child], mover, ply, run, work)
            state = game.result(state, work.actions[child])
            node = child
            ply += 1
            work.trail[ply] = node
        run.deepest = max(run.deepest, ply)

        # 3. The game is over, or a random game tells what the position is worth.
        if over:
            for player in range(game.players):
                work.payoffs[player] = game.utility(state, player)
            if run.solver and ply > 0:
                work.proved[node] = 1
                work.exact[node] = work.payoffs[max(work.movers[ply - 1], 0)]
        elif repeated:
            for player in range(game.players):
                work.payoffs[player] = game.repeated(state, player)
        elif work.proved[node]:
            viewer = max(work.movers[ply - 1], 0)
            for player in range(game.players):
                work.payoffs[player] = work.exact[node] if player == viewer else -work.exact[node]
        else:
            if run.evaluation < 1:
                end = rolled_out(game, state, ply, run, work)
                if game.is_terminal(end):
                    for player in range(game.players):
                        work.payoffs[player] = game.utility(end, player)
                else:
                    for player in range(game.players):
                        work.payoffs[player] = game.evaluate(end, player)
            if run.evaluation > 0:
                for player in range(game.players):
                    estimate = game.evaluate(state, player)
                    work.payoffs[player] += run.evaluation * (estimate - work.payoffs[player])

        # 4. Back up: each position counts what it brought the player who chose it. Who tried an action though
        # a better one is proved would have taken the better one.
        for i in range(ply, 0, -1):
            node, mover = work.trail[i], work.movers[i - 1]
            work.visits[node] += 1
            work.sums[node] += work.payoffs[max(mover, 0)]
            if run.solver and mover != CHANCE and work.proved_best[i - 1] > work.payoffs[mover]:
                for player in range(game.players):
                    work.payoffs[player] = work.proved_best[i - 1] * (1 if player == mover else -1)
        work.visits[0] += 1
        if run.rave > 0:
            for i in range(ply):
                learn_elsewhere(work.trail[i], work.movers[i], i, run, work)
        if run.solver:
            back_up_proof(ply, run, work)
    return 0


def random_bits(run: Any) -> int:
    """The next random number, from 0 to 2^63 - 1."""
    run.random = bits.add(run.random, bits.GOLDEN)
    return bits.right(bits.mix(run.random), 1)


def below(count: int, run: Any) -> int:
    """A random number from 0 to count - 1, each as likely to within one part in a billion."""
    return ((random_bits(run) >> 32) * count) >> 31


def fraction(run: Any) -> float:
    """A random number from 0 up to 1."""
    return (random_bits(run) >> 10) * 2.0**-53


def expand(game: Any, state: Any, node: int, run: Any, work: Any) -> bool:
    """Put the children of a position in the tree, if it has been visited enough and there is room.

    Where the game ends with an action, that is seen at once, however unlikely the action seems.
    """
    if node > 0 and (run.flat or work.visits[node] < run.patience):
        return False
    first = run.filled
    size = first
    space = len(work.visits)
    if game.to_move(state) == CHANCE:
        for outcome, probability in game.chance(state):
            if size < space:
                work.actions[size] = outcome
                work.priors[size] = probability
            size += 1
    else:
        for action in game.plausible(state):
            if size < space:
                work.actions[size] = action
                work.priors[size] = game.priority(state, action) if run.priors else 0.0
                work.codes[size] = game.code(state, action) & (CODES - 1) if run.rave > 0 else 0
            size += 1
        if run.priors and size <= space:
            level(first, size, work)
    if size > space:
        return False
    mover = game.to_move(state)
    for i in range(first, size):
        work.visits[i] = 0
        work.sums[i] = 0.0
        work.count[i] = 0
        work.proved[i] = 0
        work.rave_visits[i] = 0
        work.rave_sums[i] = 0.0
        if run.solver and mover != CHANCE:
            child = game.result(state, work.actions[i])
            if game.is_terminal(child):
                work.proved[i] = 1
                work.exact[i] = game.utility(child, mover)
    run.filled = size
    work.first[node] = first
    work.count[node] = size - first
    return True


def level(first: int, end: int, work: Any) -> None:
    """Make priorities, whatever their scale, probabilities: by how far each lies from the mean."""
    count = end - first
    mean = 0.0
    for i in range(first, end):
        mean += work.priors[i] / count
    spread = 0.0
    for i in range(first, end):
        spread += (work.priors[i] - mean) ** 2 / count
    spread = sqrt(spread) + 1e-9
    total = 0.0
    for i in range(first, end):
        work.priors[i] = exp((work.priors[i] - mean) / spread)
        total += work.priors[i]
    for i in range(first, end):
        work.priors[i] /= total


def most_promising(node: int, ply: int, run: Any, work: Any) -> int:
    """The child to visit next: one that did well, or that was hardly tried. Of equals, the first.

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
    work.proved_best[ply] = WORST
    for i in range(first, first + work.count[node]):
        if work.proved[i]:
            if work.exact[i] >= run.best:
                return i
            work.proved_best[ply] = max(work.proved_best[ply], work.exact[i])
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
        if not only_seen or work.visits[i] > 0:
            chosen = i
            place -= work.priors[i]
            if place < 0:
                break
    return chosen


def rolled_out(game: Any, state: Any, ply: int, run: Any, work: Any) -> Any:
    """The state at the end of a random game."""
    last = ply + run.longest
    while ply < last and not game.is_terminal(state):
        mover = game.to_move(state)
        if mover == CHANCE:
            place = fraction(run)
            action = 0
            for outcome, probability in game.chance(state):
                if place >= 0:
                    action = outcome
                place -= probability
        elif run.policy:
            action = game.rollout(state, random_bits(run))
        else:
            count = 0
            for legal in game.actions(state):
                if count < len(work.choices):
                    work.choices[count] = legal
                    count += 1
            action = work.choices[below(count, run)]
        if run.rave > 0:
            remember(game.code(state, action) & (CODES - 1), mover, ply, run, work)
        state = game.result(state, action)
        ply += 1
        run.plies += 1
    return state


def remember(code: int, mover: int, ply: int, run: Any, work: Any) -> None:
    """Note that a player took an action in this simulation, and at which ply, if more than once the last."""
    if mover >= 0:
        work.taken[mover * CODES + code] = run.simulations
        work.taken_at[mover * CODES + code] = ply


def learn_elsewhere(node: int, mover: int, ply: int, run: Any, work: Any) -> None:
    """Let the actions of a position learn from when their player took them, here or later in the game."""
    if mover < 0:
        return
    first = work.first[node]
    for i in range(first, first + work.count[node]):
        place = mover * CODES + work.codes[i]
        if work.taken[place] == run.simulations and work.taken_at[place] >= ply:
            work.rave_visits[i] += 1
            work.rave_sums[i] += work.payoffs[mover]


def back_up_proof(ply: int, run: Any, work: Any) -> None:
    """Prove the positions of the path, the last first, as far as what is proved below them allows.

    A position is proved if an action is proved to be as good as any can be, or if all are proved.
    """
    for i in range(ply - 1, -1, -1):
        if work.proved[work.trail[i + 1]] == 0:
            return
        node, mover = work.trail[i], work.movers[i]
        first = work.first[node]
        all_proved = True
        best = -np.inf
        expected = 0.0
        for child in range(first, first + work.count[node]):
            if work.proved[child]:
                best = max(best, work.exact[child])
                expected += work.priors[child] * work.exact[child]
            else:
                all_proved = False
        if mover == CHANCE:
            best = expected
        if not (all_proved or (mover >= 0 and best >= run.best)):
            return
        viewer = 0
        if i > 0:
            viewer = max(work.movers[i - 1], 0)
        work.proved[node] = 1
        work.exact[node] = best if viewer == max(mover, 0) else -best
