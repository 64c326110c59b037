"""A student's file under examination: loaded, asked, and loaded anew when a question has ended it."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from plies.grade.process import Ended, Limits, StudentProcess


class Session:
    """Asks a student's file; a question that ends its process costs that question only."""

    def __init__(self, file: Path, seconds: float, limits: Limits | None = None) -> None:
        self.file, self.seconds, self.limits = file, seconds, limits
        self.loaded: dict[str, Any] = {}
        """What was seen when the file was loaded."""
        self.missing: list[str] = []
        """The protections that this machine does not have."""
        self._process: StudentProcess | None = None

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def load(self, name: str = "student") -> dict[str, Any]:
        """Load the file in a new process, as a module of that name. `Ended` if it does not come back."""
        self.end()
        process = StudentProcess(self.file, self.limits)
        self._process, self.missing = process, process.missing
        try:
            loaded: dict[str, Any] = process.ask("load", self.seconds, name=name)
        except Ended:
            self.end()
            raise
        return loaded

    def ask(self, operation: str, **request: Any) -> Any:
        """The answer of the file; `Ended`, with a sentence, if it gives none."""
        if self._process is None:
            self.load()
        assert self._process is not None
        try:
            answer = self._process.ask(operation, self.seconds, **request)
        except Ended:
            self.end()
            raise
        if "error" in answer:
            raise Ended(answer["error"])
        return answer["result"]

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.end()
            self._process = None
