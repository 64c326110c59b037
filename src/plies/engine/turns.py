"""Turns: callers in several threads use an engine one after the other."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Generator
from typing import Any, Generic, TypeVar

Info = TypeVar("Info")


class Turns(Generic[Info]):
    """Lets one search at a time use an engine.

    A stream of infos that was left before its end gives way to the next search of the same thread; that of
    another thread is waited for.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._stream: Callable[[], Generator[Info, None, None] | None] = lambda: None
        self._owner = 0

    def take(self, search: Generator[Info, None, None]) -> Generator[Info, None, None]:
        """What a search yields, which begins once it is its turn."""
        this: list[Callable[[], Any]] = []
        stream = self._taken(search, this)
        this.append(weakref.ref(stream))  # a stream that nobody holds any more must close itself
        return stream

    def _taken(
        self, search: Generator[Info, None, None], this: list[Callable[[], Any]]
    ) -> Generator[Info, None, None]:
        before = self._stream()
        if before is not None and self._owner == threading.get_ident():
            before.close()
        with self.lock:
            self._owner, self._stream = threading.get_ident(), this[0]
            try:
                yield from search
            finally:
                self._owner, self._stream = 0, lambda: None
