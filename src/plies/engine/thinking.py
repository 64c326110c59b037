"""Work in a thread of its own, which a clock or a person may end."""

from __future__ import annotations

import queue
import threading
import time as clock
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from plies.engine.worker import start

Info = TypeVar("Info")

MOMENT = 0.05
"""Seconds between two looks at whether work that was told to stop has done so."""


def stream(work: Iterable[Info], stop: Callable[[], None], seconds: float | None) -> Iterator[Info]:
    """What some work yields, each as it comes; after so many seconds, or at Ctrl-C, it is told to stop.

    Work that is told to stop ends soon, and may yield once more what it has.
    """
    infos: queue.Queue[tuple[Info] | BaseException | None] = queue.Queue()

    def run() -> None:
        try:
            for info in work:
                latest[:] = [info]
                infos.put((info,))
        except BaseException as error:  # handed on to the thread that asked
            infos.put(error)
        infos.put(None)

    thread = threading.Thread(target=run, name="plies-search", daemon=True)
    begun = clock.perf_counter()
    latest: list[Info] = []  # what came last
    start(thread)
    patience = seconds
    told = False
    try:
        while True:
            try:
                info = infos.get(timeout=patience)
                if patience is not None and seconds is not None:
                    patience = max(0.0, seconds - (clock.perf_counter() - begun))
            except (queue.Empty, KeyboardInterrupt):
                stop()
                if not thread.is_alive() and infos.empty():
                    break  # Ctrl-C came just as the queue gave its last
                patience = MOMENT
                continue
            if info is None:
                break
            if isinstance(info, BaseException):
                raise info
            told = True
            yield info[0]
        if not told:
            yield from latest
    finally:
        stop()
        thread.join()
