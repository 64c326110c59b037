"""OpenSpiel's alpha-beta, as its Python package has it, on its own Connect Four.

Reads {"depth", "openings"} from standard input; prints values and seconds as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search


def main() -> None:
    """Search every opening and print what was found."""
    asked = json.load(sys.stdin)
    game = pyspiel.load_game("connect_four")
    values, duration = [], 0.0
    for moves in asked["openings"]:
        state = game.new_initial_state()
        for move in moves:
            state.apply_action(move)
        start = time.perf_counter()
        value, _ = alpha_beta_search(
            game, state=state, value_function=lambda state: 0, maximum_depth=asked["depth"]
        )
        duration += time.perf_counter() - start
        values.append(int(value))
    print(json.dumps({"values": values, "seconds": duration, "version": version("open_spiel")}))


if __name__ == "__main__":
    main()
