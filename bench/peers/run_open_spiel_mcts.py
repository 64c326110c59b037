"""OpenSpiel's Monte Carlo tree search, in C++, from the beginning of one of its games.

Reads {"game", "simulations", "exploration", "seed"} from standard input; prints CPU seconds, the visits of
the root and the actions of the game as JSON. One random game values a position; nothing is proved.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

import pyspiel

MEMORY = 4000
"""Megabytes, more than any of these searches takes."""


def main() -> None:
    """Search once and print what was counted."""
    asked = json.load(sys.stdin)
    game = pyspiel.load_game(asked["game"])
    evaluator = pyspiel.RandomRolloutEvaluator(1, asked["seed"])
    bot = pyspiel.MCTSBot(
        game, evaluator, asked["exploration"], asked["simulations"], MEMORY, False, asked["seed"], False
    )
    state = game.new_initial_state()
    start = time.process_time()
    root = bot.mcts_search(state)
    duration = time.process_time() - start
    answer = {"seconds": duration, "visits": root.explore_count, "actions": len(root.children)}
    print(json.dumps({**answer, "version": version("open_spiel")}))


if __name__ == "__main__":
    main()
