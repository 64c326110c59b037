"""What a person waits for: the import, the first search that compiles, the next process that does not."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from statistics import median

from bench.common import Row, progress, seconds

TITLE = "Start-up: what a person waits for"
COLUMNS = ("what", "first time, compiling", "next process, cached", "ratio", "aim")
NOTE = (
    "Each in a process of its own. A search is timed from before `import plies` to the answer of a search of "
    "two plies; Python's own start is not counted."
)
IMPORT = "import plies"
SEARCH = "import plies; plies.search(plies.{name}(), depth=2)"
TIMED = "import time; start = time.perf_counter(); {program}; print(time.perf_counter() - start)"


def rows(quick: bool) -> Iterator[Row]:
    """The import, then the first search of each game."""
    progress("import plies")
    duration = median(_timed(IMPORT) for _ in range(3 if quick else 7))
    yield Row(
        ("import plies", "", seconds(duration), "", "0.2 s"),
        {"what": "import plies", "seconds": duration, "aim": 0.2},
    )
    for name in ("ConnectFour",) if quick else ("ConnectFour", "Othello", "Kalah"):
        first, again = first_search(name), cached_search(name)
        yield Row(
            (
                f"first search, {name}",
                seconds(first),
                seconds(again),
                f"{first / again:.1f}",
                "15 s, then 1 s",
            ),
            {"what": name, "first": first, "cached": again, "ratio": first / again, "aim": [15, 1]},
        )


@cache
def first_search(name: str) -> float:
    """Seconds to the first answer for a game that was never compiled."""
    progress(f"compiling {name} anew")
    return _timed(SEARCH.format(name=name))


@cache
def cached_search(name: str) -> float:
    """Seconds to the first answer in a process after one that has compiled the game; median."""
    first_search(name)
    progress(f"{name} from the cache")
    return median(_timed(SEARCH.format(name=name)) for _ in range(5))


@cache
def _cache() -> tempfile.TemporaryDirectory[str]:
    """A folder for compiled code that is empty at first: one for the run."""
    return tempfile.TemporaryDirectory(prefix="plies-bench-")


def _timed(program: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", TIMED.format(program=program)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PLIES_CACHE_DIR": _cache().name},
    )
    return float(done.stdout)
