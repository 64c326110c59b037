"""How strong the engine plays backgammon: points a game against random play and against GNU Backgammon.

`python -m bench.backgammon_strength random|gnubg`; `--help` tells the options. GNU Backgammon plays at 0
plies: it takes the play after which its network, asked in-process through the package `gnubg`, sees the best
equity.
Every game is played twice with the same dice, once from each side. The luck of every throw is taken off:
what the position is worth after it, as the engine's own evaluation sees it, less what it is worth on average
over all throws. That changes no expected value, whatever the evaluation, and leaves less than half the error.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from statistics import mean, stdev
from typing import Any

import numpy as np

import plies
from plies.compiled import kernel
from plies.games.backgammon_board import counts_of

Choice = Callable[[Any], int]


def main() -> None:
    """Read what is asked for, and play."""
    parser = argparse.ArgumentParser(prog="python -m bench.backgammon_strength", description=__doc__)
    parser.add_argument("opponent", choices=["random", "gnubg"])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--depth", type=int, default=1, help="plies, a throw being one: 1, or 3 for replies")
    parser.add_argument("--network", default="true", help="true, false, or the file of a network")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    network = {"true": True, "false": False}.get(given.network, given.network)
    game = plies.Backgammon(network=network)
    chance = random.Random(given.seed)
    opponent = random_play(game, chance) if given.opponent == "random" else gnubg_play(game)
    mine = engine_play(game, given.depth)
    points, adjusted = [], []
    for number in range(0, given.games, 2):
        dice = chance.randrange(2**60)
        pair = [play(game, mine, opponent, seat, random.Random(dice)) for seat in range(2)]
        points.append(mean(won for won, _ in pair))
        adjusted.append(mean(won - luck for won, luck in pair))
        if number % 100 == 98 or number + 2 >= given.games:
            print(
                f"{number + 2} games: {told(adjusted)} points a game; luck included {told(points)}",
                flush=True,
            )


def told(points: list[float]) -> str:
    """The mean and its standard error."""
    error = stdev(points) / len(points) ** 0.5 if len(points) > 1 else float("nan")
    return f"{mean(points):+.3f} ± {error:.3f}"


def play(
    game: plies.Game, mine: Choice, theirs: Choice, seat: int, dice: random.Random
) -> tuple[float, float]:
    """One game: what the engine, in that seat, wins, and how much of it was luck."""
    state = game.initial()
    luck = 0.0
    while not game.is_terminal(state):
        player = game.to_move(state)
        if player == plies.CHANCE:
            outcomes = list(game.chance(state))
            action = dice.choices([one for one, _ in outcomes], [weight for _, weight in outcomes])[0]
            luck += settled(game, game.result(state, action)) - expected(game, state)
        else:
            action = mine(state) if player == seat else theirs(state)
        state = game.result(state, action)
    return float(game.utility(state, seat)), luck if seat == 0 else -luck


@kernel
def settled(game, state):  # type: ignore[no-untyped-def]
    """What a position after a throw is worth to the first player: the best that a play leads to."""
    mover = game.to_move(state)
    best = -np.inf
    for action in game.actions(state):
        child = game.result(state, action)
        over = game.is_terminal(child)
        best = max(best, game.utility(child, mover) if over else game.evaluate(child, mover))
    return best if mover == 0 else -best


@kernel
def expected(game, state):  # type: ignore[no-untyped-def]
    """What a position before a throw is worth to the first player: the average over all throws."""
    total = 0.0
    for outcome, probability in game.chance(state):
        total += probability * settled(game, game.result(state, outcome))
    return total


def engine_play(game: plies.Game, depth: int) -> Choice:
    """The engine's play at a depth."""
    engine = plies.Expectiminimax(game)
    return lambda state: engine.search(state, plies.Limit(depth=depth)).action


def random_play(game: plies.Game, chance: random.Random) -> Choice:
    """Any play."""
    return lambda state: chance.choice(list(game.actions(state)))


def gnubg_play(game: plies.Game) -> Choice:
    """The play that leaves the other the least equity, as GNU Backgammon's network sees it."""
    try:
        import gnubg
    except ImportError:
        sys.exit("bench: the package gnubg is not installed")
    cube, context = gnubg.cube_info(), gnubg.eval_context()

    def equity(state: Any) -> float:
        """To the player who is to throw."""
        if game.is_terminal(state):
            return float(game.utility(state, state.player))
        mine, theirs = counts_of(state.mine), counts_of(state.theirs)
        board = tuple(theirs[1:26]), tuple(mine[1:26])
        return float(gnubg.evaluate(board, cube, context)[5])

    return lambda state: min(game.actions(state), key=lambda action: equity(game.result(state, action)))


if __name__ == "__main__":
    main()
