"""`plies --version`: what a bug report needs."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version

from plies.compiled import disk_cache, interpreting


def version_text() -> str:
    """The versions of Plies and what it runs on, a line each."""
    facts = {
        "plies": version("plies"),
        "python": f"{platform.python_version()} ({platform.python_implementation()})",
        **{name: version(name) for name in ("numba", "llvmlite", "numpy")},
        "platform": platform.platform(),
        "CPUs": str(os.cpu_count()),
        "cache": str(disk_cache.folder()),
    }
    if trouble := disk_cache.trouble():
        facts["cache"] += f" (not used: {trouble})"
    if interpreting():
        facts["compiling"] = "off (NUMBA_DISABLE_JIT)"
    return "\n".join(f"{name} {fact}" for name, fact in facts.items())
