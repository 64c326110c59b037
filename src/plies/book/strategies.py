"""Pure strategies: what a player would do at each of their decision nodes, counted, listed and played."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from plies.book.decision import Line, recursive, start
from plies.errors import PliesError
from plies.game import CHANCE, Action, Game, State
from plies.needs import ANY

Strategy = dict[Line, Action]
"""The action at each decision node of one player; a node is named by the actions that lead to it."""


@recursive
def count_strategies(game: Game, player: int, state: State | None = None, *, reduced: bool = False) -> int:
    """How many pure strategies a player has.

    Reduced, strategies count once that differ only where the player's own earlier choices never lead: against
    any opponent, they play the same.
    """
    ANY.check(game, "a strategy by actions")
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
    ANY.check(game, "a strategy by actions")
    state, player = start(game, state, player)
    number = count_strategies(game, player, state, reduced=reduced)
    if number > limit:
        name = game.player_name(player)
        raise PliesError(f"{name} has {shown_count(number)} strategies, more than the limit of {limit:,}")

    return list(each_strategy(game, player, state, reduced=reduced))


def each_strategy(game: Game, player: int, state: State, *, reduced: bool) -> Iterator[Strategy]:
    """The pure strategies of a player one after the other, each made when it is asked for."""

    def below(history: Line, state: State) -> Iterator[Strategy]:
        if game.is_terminal(state):
            yield {}
            return
        actions = _branches(game, state)
        nodes = [((*history, action), game.result(state, action)) for action in actions]
        if game.to_move(state) != player:
            yield from below_all(nodes)
            return
        for action, node in zip(actions, nodes, strict=True):
            for rest in below(*node) if reduced else below_all(nodes):
                yield {history: action} | rest

    def below_all(nodes: list[tuple[Line, State]]) -> Iterator[Strategy]:
        """Every way to take one strategy below each of some nodes, as one strategy."""
        if not nodes:
            yield {}
            return
        for first in below(*nodes[0]):
            for rest in below_all(nodes[1:]):
                yield first | rest

    return below((), state)


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


def _branches(game: Game, state: State) -> list[Action]:
    if game.to_move(state) == CHANCE:
        return [action for action, _ in game.chance(state)]
    return list(game.actions(state))


def shown_count(number: int) -> str:
    """A number that may be too long to write out."""
    return f"{number:,}" if number < 10**12 else f"about 10^{math.log10(number):.0f}"
