"""How much memory there is, and what is said where it does not suffice."""

from __future__ import annotations

import os
from pathlib import Path

from plies.errors import PliesError

SHARE = 0.8
"""The share of the memory available that is used unless a limit is given. Not tuned."""

UNKNOWN = 2 << 30
"""The bytes taken to be available where the system does not say."""


def available() -> int:
    """The bytes of memory that can still be used, by the system and by the control group of this process."""
    found = [UNKNOWN]
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                found = [1024 * int(line.split()[1])]
    except (OSError, ValueError):
        if hasattr(os, "sysconf") and "SC_AVPHYS_PAGES" in os.sysconf_names:
            found = [os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    group = Path("/sys/fs/cgroup")
    try:
        limit, used = ((group / f"memory.{name}").read_text().strip() for name in ("max", "current"))
        if limit != "max":
            found.append(int(limit) - int(used))
    except (OSError, ValueError):
        pass  # no control groups, or none with a limit
    return max(0, min(found))


class Budget:
    """The bytes that an analysis may take."""

    def __init__(self, megabytes: float | None) -> None:
        self.bytes = int(SHARE * available()) if megabytes is None else int(megabytes * 1e6)

    def check(self, needed: int, what: str) -> None:
        """Raise an error if more bytes are needed than there are."""
        if needed > self.bytes:
            raise PliesError(
                f"{what} {in_words(needed)} of memory, more than the {in_words(self.bytes)} there are: "
                "set the limit with memory, in megabytes, or solve something smaller"
            )


def in_words(count: float) -> str:
    """A number of bytes."""
    if count >= 1e9:
        return f"{count / 1e9:,.1f} GB"
    return f"{count / 1e6:,.0f} MB" if count >= 1e6 else f"{count / 1e3:,.0f} kB"
