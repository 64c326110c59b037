"""What all clients share: games, searches, processes for games from files, and threads for quick answers."""

from __future__ import annotations

import random
import time as clock
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from plies.web.catalogue import Catalogue
from plies.web.fair_queue import FairQueue
from plies.web.processes import Processes
from plies.web.searches import Searches
from plies.web.sharing import Sharing

if TYPE_CHECKING:
    from plies.web.client import Client

IDLE = 60.0
"""Seconds of silence after which a client may be disconnected for a new one; its page reconnects. Not
tuned."""

ANSWER_PROCESSES = 4
"""The most processes that answer for games from files at once, besides those that search. Not tuned."""

WAITING = 64
"""The most clients that may wait for them. Not tuned."""


class Server:
    """The state of the server.

    Games from files are run by processes, and their searches have a queue of their own: whatever their rules
    do, clients of other games do not wait for it.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        searches: Searches,
        seed: int | None = None,
        sharing: Sharing | None = None,
    ) -> None:
        self.catalogue, self.searches, self.sharing = catalogue, searches, sharing
        self.rng = random.Random(seed)
        self.queue = FairQueue()
        self.file_searches = Searches(searches.workers) if catalogue.file_games else None
        self.search_processes = Processes(catalogue.files, searches.workers)
        self.answer_processes = Processes(catalogue.files, ANSWER_PROCESSES)
        self.threads = ThreadPoolExecutor(WAITING, thread_name_prefix="plies-process")
        self.clients: set[Client] = set()

    async def make_room(self) -> bool:
        """Disconnect the client that has been idle longest; False if none has been idle for long."""
        idle = [client for client in self.clients if client.job is None]
        longest = min(idle, key=lambda client: client.last_message, default=None)
        if longest is None or clock.monotonic() - longest.last_message < IDLE:
            return False
        self.clients.discard(longest)
        await longest.close(1013, "others are waiting for a place")
        return True

    def close(self) -> None:
        """End everything."""
        self.searches.close()
        self.queue.close()
        if self.file_searches is not None:
            self.file_searches.close()
        for processes in (self.search_processes, self.answer_processes):
            processes.close()
        self.threads.shutdown(wait=False, cancel_futures=True)
