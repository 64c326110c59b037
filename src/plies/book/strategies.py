"""Pure strategies: what a player would do at each of their decision nodes, counted, listed and matched."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

from plies.book.decision import Line, recursive, start
from plies.errors import PliesError
from plies.game import CHANCE, Action, Game, State
from plies.needs import Needs

Strategy = dict[Line, Action]
"""The action at each decision node of one player; a node is named by the actions that lead to it."""


class BestPair(NamedTuple):
    """A strategy for each of two players that neither can do better against, and its value to player 0."""

    value: float
    first: Strategy
    second: Strategy


@recursive
def count_strategies(game: Game, player: int, state: State | None = None, *, reduced: bool = False) -> int:
    """How many pure strategies a player has.

    Reduced, strategies count once that differ only where the player's own earlier choices never lead: against
    any opponent, they play the same.
    """
    state, player = start(game, state, player)

    def count(state: State) -> int:
        if game.is_terminal(state):
            return 1
        below = [count(game.result(state, action)) for action in _branches(game, state)]
        if game.to_move(state) != player:
            return math.prod(below)
        return sum(below) if reduced else len(below) * math.prod(below)

    return count(state)


@recursive
def strategies(
    game: Game, player: int, state: State | None = None, *, reduced: bool = False, limit: int = 100_000
) -> list[Strategy]:
    """All pure strategies of a player, up to a limit; see `count_strategies`."""
    state, player = start(game, state, player)
    number = count_strategies(game, player, state, reduced=reduced)
    if number > limit:
        name = game.player_name(player)
        raise PliesError(f"{name} has {_shown(number)} strategies, more than the limit of {limit:,}")

    def listed(history: Line, state: State) -> list[Strategy]:
        if game.is_terminal(state):
            return [{}]
        actions = _branches(game, state)
        below = [listed((*history, action), game.result(state, action)) for action in actions]
        if game.to_move(state) != player:
            return _combined(below)
        if reduced:
            return [{history: a} | rest for a, rests in zip(actions, below, strict=True) for rest in rests]
        return [{history: a} | rest for a in actions for rest in _combined(below)]

    return listed((), state)


@recursive
def outcome(game: Game, profile: Sequence[Strategy], state: State | None = None) -> tuple[float, ...]:
    """What each player gets, on average where there is chance, if player i follows profile[i]."""

    def play(history: Line, state: State) -> tuple[float, ...]:
        if game.is_terminal(state):
            return tuple(game.utility(state, player) for player in range(game.players))
        mover = game.to_move(state)
        if mover != CHANCE:
            action = profile[mover][history]
            return play((*history, action), game.result(state, action))
        payoffs = [0.0] * game.players
        for action, probability in game.chance(state):
            for player, payoff in enumerate(play((*history, action), game.result(state, action))):
                payoffs[player] += probability * payoff
        return tuple(payoffs)

    return play((), game.initial() if state is None else state)


def best_pair(game: Game, state: State | None = None, *, limit: int = 100_000) -> BestPair:
    """The best strategies of two players in a zero-sum game, found by trying every pair, up to a limit.

    Player 0 takes the strategy whose worst outcome is best, player 1 the one whose best outcome for player 0
    is worst. In a game of perfect information the two outcomes are the same: the value of the game.
    """
    Needs(players=2, zero_sum=True).check(game, "the best pair of strategies")
    state, _ = start(game, state, None)
    pairs = math.prod(count_strategies(game, player, state, reduced=True) for player in (0, 1))
    if pairs > limit:
        raise PliesError(f"there are {_shown(pairs)} pairs of strategies, more than the limit of {limit:,}")
    first = strategies(game, 0, state, reduced=True, limit=limit)
    second = strategies(game, 1, state, reduced=True, limit=limit)
    table = [[outcome(game, (mine, theirs), state)[0] for theirs in second] for mine in first]
    worst = [min(row) for row in table]
    best = [max(column) for column in zip(*table, strict=True)]
    return BestPair(max(worst), first[worst.index(max(worst))], second[best.index(min(best))])


def _branches(game: Game, state: State) -> list[Action]:
    if game.to_move(state) == CHANCE:
        return [action for action, _ in game.chance(state)]
    return list(game.actions(state))


def _combined(parts: list[list[Strategy]]) -> list[Strategy]:
    """Every way to take one strategy of each part, as one strategy."""
    return [
        {node: action for part in choice for node, action in part.items()}
        for choice in itertools.product(*parts)
    ]


def _shown(number: int) -> str:
    """A number that may be too long to write out."""
    return f"{number:,}" if number < 10**12 else f"about 10^{math.log10(number):.0f}"
