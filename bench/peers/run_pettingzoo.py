"""PettingZoo's own Connect Four and Tic-Tac-Toe, played at random.

Reads {"game", "maker", "steps"} from standard input; prints the steps and seconds as JSON.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import time
from importlib.metadata import version
from typing import Any


def played(environment: Any, steps: int, seed: int = 1) -> float:
    """The CPU seconds that so many steps of random games take, with the loop of PettingZoo's documents."""
    generator = random.Random(seed)
    left = steps
    start = time.process_time()
    while left > 0:
        environment.reset(seed=seed)
        for _ in environment.agent_iter():
            observation, _, terminated, truncated, _ = environment.last()
            if terminated or truncated:
                environment.step(None)
            else:
                environment.step(int(generator.choice(observation["action_mask"].nonzero()[0])))
                left -= 1
    return time.process_time() - start


def main() -> None:
    """Play, and print how long it took."""
    asked = json.load(sys.stdin)
    environment = getattr(importlib.import_module(f"pettingzoo.classic.{asked['game']}"), asked["maker"])()
    duration = played(environment, asked["steps"])
    print(json.dumps({"seconds": duration, "version": version("pettingzoo")}))


if __name__ == "__main__":
    main()
