"""Where the page of `plies serve` is served now: a note that the server leaves for other commands."""

from __future__ import annotations

import contextlib
import re
import socket
from urllib.parse import urlsplit

from plies.retrograde.folder import data_folder

SERVED = "page.txt"
"""The file, in the user's data folder, with the address of the page while it is served."""

PATIENCE = 0.5
"""The seconds that a server has to answer. Not tuned."""


def served_page() -> str:
    """The address at which this user's page is served now; "" if it is not."""
    try:
        page = (data_folder() / SERVED).read_text(encoding="utf-8").strip()
        port = urlsplit(page).port
        if port is None or not re.fullmatch(r"http://[\w.:\[\]-]+/", page):
            return ""
        socket.create_connection((urlsplit(page).hostname or "", port), timeout=PATIENCE).close()
    except (OSError, ValueError):
        return ""
    return page


def note_served(page: str, served: bool = True) -> None:
    """Note that a page is served at an address, or that it is no more, for `served_page`."""
    file = data_folder() / SERVED
    with contextlib.suppress(OSError):  # a link then names the usual port
        if served:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{page}\n", encoding="utf-8")
        elif file.read_text(encoding="utf-8").strip() == page:
            file.unlink()
