"""The process of a student's file: it reads requests as lines of JSON, and answers each with a line."""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from . import book, lab, limits
from .loading import Student

OPERATIONS: dict[str, Callable[..., Any]] = {**book.OPERATIONS, **lab.OPERATIONS}


def main() -> None:
    """Take the file, two pipes and the limits from the command line; then answer requests until they end."""
    path, incoming, outgoing, settings = sys.argv[1:5]
    requests = os.fdopen(int(incoming), "r", encoding="utf-8")
    answers = os.fdopen(int(outgoing), "w", encoding="utf-8")
    folder = os.path.dirname(path)
    os.chdir(folder)
    libc = ctypes.CDLL(None, use_errno=True)
    missing = limits.enter_namespaces(libc)
    missing += limits.set_limits(**json.loads(settings), alone="a network namespace" not in missing)
    if "a process namespace" not in missing:
        limits.supervise(libc)
    missing += limits.landlock(libc, folder, limits.python_folders())
    sys.path.insert(0, folder)
    sys.setrecursionlimit(5_000)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # from here on, errors are the file's own
    student = Student(path)
    process = os.getpid()
    _write(answers, {"missing": missing})
    for line in requests:
        answer = _answer(student, json.loads(line))
        if os.getpid() != process:  # one that the file has forked, and that came back as well
            os._exit(0)
        _write(answers, answer)
    os._exit(0)  # without waiting for threads of the file


def _write(answers: Any, data: dict[str, Any]) -> None:
    answers.write(json.dumps(data) + "\n")
    answers.flush()


def _answer(student: Student, request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request; an error that an operation does not expect is one of the file."""
    name = request.pop("op")
    if name == "load":
        error = student.load(request["name"])
        return {
            "error": error,
            "prompts": student.person.prompts,
            "asked": student.person.asked,
            "printed": student.output.take(),
            "names": [name for name in vars(student.module) if not name.startswith("__")],
            "lab": lab.looks_like_lab(student),
            "rules": bool(book.game_classes(student)),
        }
    try:
        return {"result": OPERATIONS[name](student, **request)}
    except BaseException as error:
        return {"error": student.describe(error)}
