"""The grader's end of the process of a student's file: what each request asks of the file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import book, lab
from .loading import Student

OPERATIONS: dict[str, Callable[..., Any]] = {**book.OPERATIONS, **lab.OPERATIONS}


class Program:
    """Asks a student's file."""

    def __init__(self, path: str) -> None:
        self.student = Student(path)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request; an error that an operation does not expect is one of the file."""
        name = request.pop("op")
        if name == "load":
            return self._load(request["name"])
        try:
            return {"result": OPERATIONS[name](self.student, **request)}
        except BaseException as error:
            return {"error": self.student.describe(error)}

    def _load(self, name: str) -> dict[str, Any]:
        student = self.student
        error = student.load(name)
        return {
            "error": error,
            "prompts": student.person.prompts,
            "asked": student.person.asked,
            "printed": student.output.take(),
            "names": [name for name in map(str, vars(student.module)) if not name.startswith("__")],
            "lab": lab.looks_like_lab(student),
            "rules": bool(book.game_classes(student)),
        }
