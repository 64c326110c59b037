"""Kernels for games with dice: the components of a graph, and bounds that close in on values."""

from __future__ import annotations

import numpy as np

from plies.compiled import kernel
from plies.compiled.packing import read_state
from plies.game import CHANCE
from plies.retrograde.layout import unpack

DONE = 0xFFFFFFFF
"""The mark of a state whose component is known."""


@kernel
def weigh(game, like, states, info, n, start, weights, work):
    """Write the probability of each edge that leaves a chance node."""
    for number in range(n):
        if info[number, 1] == CHANCE:
            unpack(states, number, work.numbers, work.pieces, work.row)
            edge = start[number]
            for _, probability in game.chance(read_state(like, work.row)):
                if probability > 0:
                    weights[edge] = probability
                    edge += 1
    return 0


@kernel
def components(game, _, start, children, n, order, begins, work):
    """Find strongly connected components (Tarjan 1972), those first that others lead to; how many there are.

    `order` are the states by component, and `begins` where each component begins there.
    """
    index, low, stack, path, edge = work.index, work.low, work.stack, work.path, work.edge
    found, top, placed, count = 0, 0, 0, 0
    for root in range(n):
        if index[root] != 0:
            continue
        depth = 0
        count += 1
        path[0], edge[0], index[root], low[root], stack[top] = root, start[root], count, count, root
        top += 1
        while depth >= 0:
            state = path[depth]
            if edge[depth] < start[state + 1]:
                child = np.int64(children[edge[depth]])
                edge[depth] += 1
                if index[child] == 0:
                    count += 1
                    depth += 1
                    index[child], low[child], stack[top] = count, count, child
                    path[depth], edge[depth] = child, start[child]
                    top += 1
                elif low[child] != DONE:
                    low[state] = min(low[state], index[child])
                continue
            if low[state] == index[state]:
                begins[found] = placed
                found += 1
                while low[state] != DONE:
                    top -= 1
                    low[stack[top]] = DONE
                    order[placed] = stack[top]
                    placed += 1
            depth -= 1
            if depth >= 0 and low[state] != DONE:
                low[path[depth]] = min(low[path[depth]], low[state])
    begins[found] = n
    return found


@kernel
def close_in(game, _, order, first, last, start, children, weights, info, low, high, tolerance, rounds):
    """Narrow the bounds of the values of one component; returns the rounds made.

    It ends when the bounds are as close as the tolerance, when nothing changes, or after so many rounds.
    """
    for made in range(1, rounds + 1):
        gap, moved = 0.0, 0.0
        for k in range(first, last):
            state = order[k]
            if info[state, 0] == 0:
                continue
            mover = info[state, 1]
            begin, end = start[state], start[state + 1]
            if mover == CHANCE:
                a, b = 0.0, 0.0
                for e in range(begin, end):
                    a += weights[e] * low[children[e]]
                    b += weights[e] * high[children[e]]
            else:
                a, b = low[children[begin]], high[children[begin]]
                for e in range(begin + 1, end):
                    x, y = low[children[e]], high[children[e]]
                    if mover == 0:
                        a, b = max(a, x), max(b, y)
                    else:
                        a, b = min(a, x), min(b, y)
            moved = max(moved, a - low[state], high[state] - b)
            low[state] = max(a, low[state])
            high[state] = min(b, high[state])
            gap = max(gap, high[state] - low[state])
        if last - first == 1 or gap <= tolerance or moved <= 0.0:
            return made
    return rounds


@kernel
def close_in_all(
    game, _, order, begins, from_component, to_component, start, children, weights, info, low, high, limits
):
    """Narrow the bounds of some components, one after the other; returns the most rounds that one took."""
    most = 0
    for component in range(from_component, to_component):
        first, last = begins[component], begins[component + 1]
        made = close_in(
            game, 0, order, first, last, start, children, weights, info, low, high, limits[0], int(limits[1])
        )
        most = max(most, made)
    return most
