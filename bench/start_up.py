"""What a person waits for: the import, the first call that compiles, the next process that does not."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from statistics import median

IMPORT = "import time; start = time.perf_counter(); import plies; print(time.perf_counter() - start)"
CALL = """
import time
import plies
from plies.engine.kernels import perft
game = plies.ConnectFour()
start = time.perf_counter()
plies.search(game, depth=2)
print(time.perf_counter() - start)
"""


def rows() -> Iterator[dict[str, str]]:
    """Three rows of seconds, each in processes of its own."""
    with tempfile.TemporaryDirectory() as cache:
        imports = median(_seconds(IMPORT, cache) for _ in range(5))
        first = _seconds(CALL, cache)
        second = median(_seconds(CALL, cache) for _ in range(5))
    yield {"what": "import plies", "plies": f"{imports:.2f} s", "against": "", "ratio": ""}
    yield {
        "what": "Connect Four, first search in a new process, from the disk cache",
        "plies": f"{second:.2f} s",
        "against": f"compiling: {first:.2f} s",
        "ratio": f"{first / second:.1f}",
    }


def _seconds(program: str, cache: str) -> float:
    environment = os.environ | {"PLIES_CACHE_DIR": cache}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    return float(done.stdout)
