"""A student's file under examination: loaded, asked, and loaded anew when a question has ended it."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from plies.grade.answers import LOADED, answers, fits
from plies.sandbox.process import Ended, Limits, Program, StudentProcess, read_source

FORGED = "it answers in place of the grader"
"""What is said of an answer that the grader's end of the process does not give."""

PROGRAM = Program("plies_child.main", Path(__file__).with_name("child"))
"""What answers in the process of a file. It has no need of plies, and is quick to start."""


class Session:
    """Asks a student's file; a question that ends its process costs that question only."""

    def __init__(self, file: Path, seconds: float, limits: Limits | None = None) -> None:
        self.source, self.seconds, self.limits = read_source(file), seconds, limits
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
        process = StudentProcess(self.source, PROGRAM, self.limits)
        self._process, self.missing = process, process.missing
        try:
            loaded = process.ask({"op": "load", "name": name}, self.seconds)
            if not fits(loaded, LOADED):
                raise Ended(FORGED)
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
            answer = self._process.ask({"op": operation, **request}, self.seconds)
            if not fits(answer, {"error?": str, "result?": object}) or len(answer) != 1:
                raise Ended(FORGED)
            if "result" in answer and not answers(operation, request, answer["result"]):
                raise Ended(FORGED)
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
