"""What all tests share: Hypothesis' profiles, an environment without surprises, a place for machine code."""

from __future__ import annotations

import gc
import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from browser import browser, client, open_page, server, site, window  # noqa: F401, fixtures of the page
from plies.compiled import interpreting

gc.disable()  # until all tests are collected, of which nothing is garbage: a seventh of that time
pytest.register_assert_rewrite("documents")  # so that its assertions show what differs

# No deadline: the first example may compile. In CI every run tries the same examples.
settings.register_profile(
    "here",
    deadline=None,
    max_examples=10 if interpreting() else 50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "ci",
    settings.get_profile("here"),
    derandomize=True,
    database=None,
    print_blob=True,
)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# Tests that a shell runs in the background are deaf to Ctrl-C, and so are the programs they start; some of
# these must hear it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What a person's shell may say about colour and width is not what the tests are about.
for name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "CLICOLOR_FORCE", "GITHUB_ACTIONS"):
    os.environ.pop(name, None)

# Searches wait for the compiler, so that what they find does not depend on when it is done; those that do not
# wait are what tests/test_ready_at_once.py is about.
os.environ["PLIES_COMPILE_FIRST"] = "1"

# Connect Four is the game that takes long; its opening book is what tests/test_opening_book.py is about.
os.environ["PLIES_BOOK"] = "no"


ALL_PLAIN = re.compile(r"^pytestmark = \[?\s*pytest\.mark\.plain\b", re.MULTILINE)


def pytest_configure(config: pytest.Config) -> None:
    """Keep machine code among pytest's own files: quick the second time, and nothing in anybody's home."""
    if "PLIES_CACHE_DIR" not in os.environ and getattr(config, "cache", None) is not None:
        folder = config.cache.mkdir("machine-code")
        folder.chmod(0o700)  # others may write nothing there, or it is not used
        os.environ["PLIES_CACHE_DIR"] = str(folder)
    if "PLIES_DATA_DIR" not in os.environ and getattr(config, "cache", None) is not None:
        # Searches probe what is there, so there is nothing, unless a test has a folder of its own.
        os.environ["PLIES_DATA_DIR"] = str(config.cache.mkdir("no-databases"))

    if worker := getattr(config, "workerinput", None):
        read_from_another_place(config, int(worker["workerid"].removeprefix("gw")), worker["workercount"])


def read_from_another_place(config: pytest.Config, number: int, workers: int) -> None:
    """Let each worker begin with other files: what one has made ready, the others find, when all is new."""
    tests = Path(__file__).parent
    if [Path(arg).resolve() for arg in config.args] == [tests]:
        files = sorted(map(str, tests.glob("test_*.py")))
        first = len(files) * number // workers
        config.args = files[first:] + files[:first]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where plain tests are not wanted, files that have no others are not even read."""
    if collection_path.suffix != ".py" or "not plain" not in config.option.markexpr:
        return None
    return bool(ALL_PLAIN.search(collection_path.read_text(encoding="utf-8"))) or None


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Compiled, costly tests are long ones; and nobody waits at the end for one that takes long."""
    if not interpreting():
        for item in items:
            if item.get_closest_marker("costly"):
                item.add_marker("long")
    items.sort(key=lambda item: (item.get_closest_marker("early") is None, item.path))


def pytest_collection_finish() -> None:
    """Thousands of tests are there to stay: to look for garbage among them takes a twentieth of the time."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=not interpreting())
def all_code_is_kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail where a packaged game does not compile, or the next process would have to compile it again."""
    from plies.compiled import NotCompilable, compiler

    not_kept = []
    compiled = compiler.compile_kernel

    def observed(kernel: Any, game: Any, *args: Any) -> Any:
        machine = compiled(kernel, game, *args)
        module = type(game).__module__
        if isinstance(machine, NotCompilable):
            if module.startswith("plies.games."):  # a wrapper compiles only if what it is made of does
                not_kept.append(f"{kernel} for {game}: {machine}")
        elif module.startswith("plies.") and not getattr(machine, "safe", True):
            not_kept.append(
                f"{kernel} for {game}: a recursive call has arguments of other types, see UNRESOLVED"
            )
        return machine

    monkeypatch.setattr(compiler, "compile_kernel", observed)
    yield
    assert not_kept == []
