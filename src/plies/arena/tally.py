"""Tallies: the utilities of many games, for any number of players."""

from __future__ import annotations

import random
from collections.abc import Sequence

from plies.arena.openings import thrown
from plies.arena.table import Maker, maker, prepared
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Game
from plies.history import LONGEST_GAME, History
from plies.players import taken


def tally(
    game: Game, players: Sequence[str | Maker], *, games: int = 100, seed: int = 0
) -> list[tuple[float, ...]]:
    """The utilities of all players in each of some games, for any number of players, who keep their seats.

    Players are those of `match`. Every game starts from the initial state; games differ by dice and by
    players that sample. A game that is not over after 10,000 moves raises an error.
    """
    if len(players) != game.players:
        raise BadParameter(f"{game.name} has {game.players} players, not {len(players)}")
    if not 1 <= games <= 1_000_000:
        raise BadParameter(f"games must be between 1 and 1,000,000, not {games}")
    makers = [maker(player, game) for player in players]
    prepared(makers, game)
    payoffs = []
    for number in range(games):
        chance = random.Random(f"{seed} dice {number}")
        seeds = random.Random(f"{seed} players {number}")
        seats = [make(seeds.getrandbits(32)) for make in makers]
        history = History(game)
        while not history.over:
            if len(history.actions) >= LONGEST_GAME:
                raise PliesError(f"game {number} is not over after {LONGEST_GAME:,} moves")
            if game.to_move(history.state) == CHANCE:
                history.play(thrown(history, chance))
            else:
                history.play(taken(seats, game, history.state, history.previous))
        payoffs.append(tuple(history.utility(player) for player in range(game.players)))
    return payoffs
