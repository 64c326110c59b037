"""What all tests share: Hypothesis' profiles, an environment without surprises, a place for machine code."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from browser import browser, client, open_page, server, site  # noqa: F401, fixtures of the page
from plies.compiled import interpreting

pytest.register_assert_rewrite("documents")  # so that its assertions show what differs

# No deadline: the first example may compile. In CI every run tries the same examples.
settings.register_profile(
    "here",
    deadline=None,
    max_examples=25 if interpreting() else 100,
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


def pytest_configure(config: pytest.Config) -> None:
    """Keep machine code among pytest's own files: quick the second time, and nothing in anybody's home."""
    if "PLIES_CACHE_DIR" not in os.environ and getattr(config, "cache", None) is not None:
        folder = config.cache.mkdir("machine-code")
        folder.chmod(0o700)  # others may write nothing there, or it is not used
        os.environ["PLIES_CACHE_DIR"] = str(folder)
