"""The best pair of strategies by brute force, with what it takes counted: comparisons, steps and memory."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from plies.book.decision import Line, recursive, start
from plies.book.strategies import Strategy, count_strategies, each_strategy, shown_count
from plies.errors import PliesError
from plies.game import CHANCE, Game, State
from plies.needs import Needs


class BestPair(NamedTuple):
    """A strategy for each of two players that neither can do better against, and its value to player 0."""

    value: float
    first: Strategy
    second: Strategy
    comparisons: int
    """The pairs of strategies that were played out to find it."""
    steps: int
    """The moves of these, and the decisions written down."""
    memory: int
    """The most decisions (a node, and the action there) in memory at a time."""


@recursive
def best_pair(game: Game, state: State | None = None, *, keep: bool = True, limit: int = 100_000) -> BestPair:
    """The best strategies of two players in a zero-sum game, found by trying every pair, up to a limit.

    Player 0 takes the strategy whose worst outcome is best, player 1 the one whose best outcome for player 0
    is worst. In a game of perfect information the two outcomes are the same: the value of the game.

    With `keep`, all reduced strategies are listed first, and every pair is played once. Without, strategies
    are made when they are needed and then forgotten: that takes little memory, and more time.
    """
    Needs(players=2, zero_sum=True).check(game, "the best pair of strategies")
    state, _ = start(game, state, None)
    pairs = math.prod(count_strategies(game, player, state, reduced=True) for player in (0, 1))
    if pairs > limit:
        raise PliesError(
            f"there are {shown_count(pairs)} pairs of strategies, more than the limit of {limit:,}"
        )
    return (_best_of_kept if keep else _best_on_the_fly)(_Pairs(game, state))


class _Pairs:
    """The reduced strategies of two players, and what it takes to play them against each other."""

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.state = game, state
        self.comparisons = self.steps = 0

    def strategies(self, player: int) -> Iterator[Strategy]:
        """Each reduced strategy of a player, made when it is asked for."""
        for strategy in each_strategy(self.game, player, self.state, reduced=True):
            self.steps += len(strategy)
            yield strategy

    def outcome(self, first: Strategy, second: Strategy) -> float:
        """U(s, t): what player 0 gets."""
        self.comparisons += 1
        return self._play((first, second), (), self.state)

    def _play(self, profile: tuple[Strategy, Strategy], history: Line, state: State) -> float:
        game = self.game
        if game.is_terminal(state):
            return game.utility(state, 0)
        mover = game.to_move(state)
        self.steps += 1
        if mover != CHANCE:
            action = profile[mover][history]
            return self._play(profile, (*history, action), game.result(state, action))
        return sum(
            probability * self._play(profile, (*history, action), game.result(state, action))
            for action, probability in game.chance(state)
        )


def _best_of_kept(pairs: _Pairs) -> BestPair:
    first, second = list(pairs.strategies(0)), list(pairs.strategies(1))
    table = [[pairs.outcome(mine, theirs) for theirs in second] for mine in first]
    worst = [min(row) for row in table]
    best = [max(column) for column in zip(*table, strict=True)]
    memory = sum(map(len, first)) + sum(map(len, second))
    mine, theirs = first[worst.index(max(worst))], second[best.index(min(best))]
    return BestPair(max(worst), mine, theirs, pairs.comparisons, pairs.steps, memory)


def _best_on_the_fly(pairs: _Pairs) -> BestPair:
    """One pass over all pairs for each player: nothing is kept but the best strategy so far."""
    memory = 0
    value, first = -math.inf, Strategy()
    for mine in pairs.strategies(0):
        worst = math.inf
        for theirs in pairs.strategies(1):
            worst = min(worst, pairs.outcome(mine, theirs))
            memory = max(memory, len(first) + len(mine) + len(theirs))
        if worst > value:
            value, first = worst, mine
    least, second = math.inf, Strategy()
    for theirs in pairs.strategies(1):
        best = -math.inf
        for mine in pairs.strategies(0):
            best = max(best, pairs.outcome(mine, theirs))
            memory = max(memory, len(first) + len(second) + len(mine) + len(theirs))
        if best < least:
            least, second = best, theirs
    return BestPair(value, first, second, pairs.comparisons, pairs.steps, memory)
