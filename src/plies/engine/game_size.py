"""How large a game is: can a search that sees nothing expect to reach its end?"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from itertools import islice
from weakref import WeakKeyDictionary

from plies.game import CHANCE, Action, Game, State
from plies.validation import MOST_ACTIONS

SMALL = 1e12
"""The leaves of a game tree that is small: alpha-beta, at best, visits the square root of them, and a million
positions take a second or less. Hex of 3x3 is smaller, 4x4 is larger."""

PLAYOUTS = 16
"""The random games by which the leaves are estimated. Not tuned."""

LONGEST = 300
"""The most plies of these. Not tuned."""

FEW_POSITIONS = 2_000
"""A game of fewer positions is small, however many ways lead to them. Not tuned: some hundredths of a
second."""

TRUSTED = True
"""Whether rules may be run for an estimate before a search, which could be stopped if they loop, begins. The
page's processes for files of users switch it off: there, a game without an evaluation counts as small."""

_known: WeakKeyDictionary[Game, bool] = WeakKeyDictionary()


def is_small(game: Game) -> bool:
    """Whether a search can be expected to prove the value of a game in a second or so."""
    if not TRUSTED:
        return True
    if game not in _known:
        try:
            _known[game] = _estimated_leaves(game) <= SMALL or _has_few_positions(game)
        except Exception:  # a rule may raise anything: the search itself will meet it, and name the rule
            return True
    return _known[game]


def _estimated_leaves(game: Game) -> float:
    """The mean product of branching factors in random games (Knuth 1975), up to a little more than SMALL."""
    rng, total = random.Random(0), 0.0
    for _ in range(PLAYOUTS):
        state, leaves, plies = game.initial(), 1.0, 0
        while leaves <= PLAYOUTS * SMALL and not game.is_terminal(state):
            if plies == LONGEST:
                return PLAYOUTS * SMALL
            actions = list(_moves(game, state))
            leaves *= len(actions)
            state = game.result(state, rng.choice(actions))
            plies += 1
        total += leaves
    return total / PLAYOUTS


def _has_few_positions(game: Game) -> bool:
    """Whether all positions of a game are soon reached."""
    first = game.initial()
    met, waiting = {game.identity(first)}, deque([first])
    while waiting:
        state = waiting.popleft()
        if game.is_terminal(state):
            continue
        for action in _moves(game, state):
            child = game.result(state, action)
            if (position := game.identity(child)) not in met:
                if len(met) == FEW_POSITIONS:
                    return False
                met.add(position)
                waiting.append(child)
    return True


def _moves(game: Game, state: State) -> Iterator[Action]:
    """The actions or outcomes of a state that can be taken."""
    if game.to_move(state) == CHANCE:
        return (outcome for outcome, chance in islice(game.chance(state), MOST_ACTIONS) if chance > 0)
    return islice(iter(game.actions(state)), MOST_ACTIONS)
