"""BitBully's exact solver of Connect Four, without its opening book, its table emptied for each position.

Reads {"openings"} from standard input; prints scores (22 less the winner's stones) and seconds as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version

from bitbully import BitBully, Board


def main() -> None:
    """Solve every opening and print what was found."""
    asked = json.load(sys.stdin)
    solver = BitBully(opening_book=None)
    values, duration = [], 0.0
    for moves in asked["openings"]:
        board = Board(moves)
        solver.reset_transposition_table()
        start = time.perf_counter()
        values.append(solver.mtdf(board))
        duration += time.perf_counter() - start
    print(json.dumps({"values": values, "seconds": duration, "version": version("bitbully")}))


if __name__ == "__main__":
    main()
