"""What a person waits for: the import, the first search that compiles, the next process that does not."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from statistics import median_low

from bench.common import Row, progress, seconds

TITLE = "Start-up: what a person waits for"
COLUMNS = ("what", "first time, compiling", "next process, cached", "ratio", "aim")
NOTE = (
    "Each in a process of its own. A search is timed from before `import plies` to the answer of a search of "
    "two plies; Python's own start is not counted. The program is timed whole. In brackets: CPU time. Aims "
    "are CPU time for what compiles, and elapsed time from the cache."
)
AIMS = {"ConnectFour": 4.0, "Othello": 4.0, "Chess": 7.0}
"""CPU seconds for the first search, compiling, of each game."""

CACHED = 0.5
"""Seconds for `plies best`, from its start to its answer, when the code is in the cache."""
ANSWER = 0.3
"""CPU seconds to the first answer of a search with a limit of time, when nothing is compiled yet."""
IMPORT = "import plies"
FIRST_ANSWER = "import plies; next(plies.analyse(plies.{name}(), time=10))"
SEARCH = "import plies; plies.search(plies.{name}(), depth=2)"
TIMED = (
    "import time; start = time.perf_counter(), time.process_time(); {program}; "
    "print(time.perf_counter() - start[0], time.process_time() - start[1])"
)


def rows(quick: bool) -> Iterator[Row]:
    """The import, then the first search of each game."""
    progress("import plies")
    imports = median_low(_timed(IMPORT) for _ in range(3 if quick else 7))
    yield Row(
        ("import plies", "", both(imports), "", "0.2 s"),
        {"what": "import plies", "seconds": imports, "aim": 0.2},
    )
    for name in ("ConnectFour",) if quick else AIMS:
        answer = first_answer(name)
        yield Row(
            (f"first answer, {name}", both(answer), "", "", f"{ANSWER:g} s"),
            {"what": f"first answer, {name}", "seconds": answer, "aim": ANSWER},
        )
        first, again = first_search(name), cached_search(name)
        ratio = first[0] / again[0]
        yield Row(
            (
                f"first search, {name}",
                both(first),
                both(again),
                f"{ratio:.1f}",
                f"{AIMS[name]:g} s, compiling",
            ),
            {"what": name, "first": first, "cached": again, "ratio": ratio, "aim": AIMS[name]},
        )
    program = cached_program()
    yield Row(
        ("plies best connect-four", "", both(program), "", f"{CACHED:g} s"),
        {"what": "plies best", "seconds": program, "aim": CACHED},
    )


def first_answer(name: str) -> tuple[float, float]:
    """Wall and CPU seconds to the first answer of a search that does not wait for the compiler; median."""
    progress(f"{name}: the first answer, nothing compiled")
    times = []
    for _ in range(3):
        # Another process goes on compiling, and may still write there.
        with tempfile.TemporaryDirectory(prefix="plies-bench-", ignore_cleanup_errors=True) as folder:
            times.append(_timed(FIRST_ANSWER.format(name=name), folder))
    return median_low(times)


@cache
def first_search(name: str) -> tuple[float, float]:
    """Wall and CPU seconds to the first answer for a game that was never compiled."""
    progress(f"compiling {name} anew")
    return _timed(SEARCH.format(name=name))


@cache
def cached_search(name: str) -> tuple[float, float]:
    """Wall and CPU seconds to the first answer in a process after one that has compiled the game; median."""
    first_search(name)
    progress(f"{name} from the cache")
    return median_low(_timed(SEARCH.format(name=name)) for _ in range(5))


def cached_program() -> tuple[float, float]:
    """Wall and CPU seconds of the program, from its start to its end, with code from the cache; median."""
    first_search("ConnectFour")
    progress("plies best from the cache")
    return median_low(_program("best", "connect-four", "--depth", "2") for _ in range(5))


def both(times: tuple[float, float]) -> str:
    """Wall time, and CPU time in brackets."""
    return f"{seconds(times[0])} ({seconds(times[1])})"


@cache
def _cache() -> tempfile.TemporaryDirectory[str]:
    """A folder for compiled code that is empty at first: one for the run."""
    return tempfile.TemporaryDirectory(prefix="plies-bench-")


def _program(*words: str) -> tuple[float, float]:
    """Wall and CPU seconds of the program `plies`."""
    begun, before = time.perf_counter(), os.times()
    subprocess.run(
        [sys.executable, "-m", "plies", *words],
        capture_output=True,
        check=True,
        env=os.environ | {"PLIES_CACHE_DIR": _cache().name},
    )
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - begun, used


def _timed(program: str, folder: str = "") -> tuple[float, float]:
    """Wall and CPU seconds of a program in a process of its own, with compiled code in a folder."""
    done = subprocess.run(
        [sys.executable, "-c", TIMED.format(program=program)],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PLIES_CACHE_DIR": folder or _cache().name},
    )
    wall, cpu = map(float, done.stdout.split())
    return wall, cpu
