"""Functions that were pasted, graded by the tests for files in book style, here and now, without a process.

This is for Python that runs in a browser, whose page is a sandbox already, and for nobody else's code.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

from plies.errors import BadParameter
from plies.grade.book_tests import SEARCHES, BookTests, Test
from plies.grade.child.book import OPERATIONS, game_classes
from plies.grade.child.calls import Search
from plies.grade.child.loading import Student
from plies.grade.grading import run_test
from plies.grade.page import page
from plies.grade.report import Report
from plies.sandbox.process import Ended

FILE = "cell.py"
"""The name of the file that pasted code is compiled as: lines of it are named in errors."""

NODES = ("node", "tree")
"""The first parameter of a function that takes a tree as nested lists."""


NEEDED = {"depth bound": ("depth",), "windows": ("alpha", "beta")}
"""What tests need that a function takes; without it, they are left out."""


class Pasted(Student):
    """What a cell has defined, as if it were a student's file."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.path = FILE
        self.module = ModuleType(str(names.get("__name__", "cell")))
        for name, thing in names.items():
            vars(self.module)[name] = _of_games(thing) if _takes_nodes(thing) else thing


class Here:
    """Asks a student's functions in this process, as a `Session` does in another."""

    def __init__(self, student: Student) -> None:
        self.student = student
        names = [name for name in vars(student.module) if not name.startswith("__")]
        self.loaded: dict[str, Any] = {"names": names, "rules": bool(game_classes(student))}

    def ask(self, operation: str, **request: Any) -> Any:
        """The answer; `Ended`, with a sentence, if there is none."""
        try:
            return OPERATIONS[operation](self.student, **request)
        except Exception as error:  # whatever pasted code raises
            raise Ended(self.student.describe(error)) from None


def grade_pasted(names: Mapping[str, Any]) -> dict[str, Any]:
    """Grade the functions among names: whether all is right, a verdict, and the report as a page."""
    student = Pasted(names)
    examiner = BookTests(Here(student))
    examiner.unseen = {name for name in SEARCHES if hasattr(student.get(examiner.names[name]), "of_nodes")}
    tests = [test for test in examiner.tests() if _is_for(test, examiner, student)]
    if not tests:
        raise BadParameter(f"define a function named {' or '.join(SEARCHES)}, or a game with six rules")
    report = Report("the cell", "book", [run_test(test) for test in tests])
    report.findings = list(examiner.findings())
    said = [f"{report.points:g} of {report.most:g} points"]
    said += [f"{finding.function}: {finding.title}" for finding in report.findings]
    return {"ok": report.points == report.most, "says": ". ".join([*said, ""]).rstrip(), "page": page(report)}


def _is_for(test: Test, examiner: BookTests, student: Student) -> bool:
    """Whether a test is about something that is there."""
    function, is_search, kind = test.name.partition(": ")
    if not is_search:
        return bool(game_classes(student)) and (test.name != "evaluation" or _evaluates(student))
    name = examiner.names[function]
    thing = student.get(name) if name else None
    if not callable(thing) or (function in examiner.unseen and kind != "trees"):
        return False
    return set(NEEDED.get(kind, ())) <= set(Search(thing).takes)


def _evaluates(student: Student) -> bool:
    return hasattr(game_classes(student)[0], "evaluate")


def _takes_nodes(thing: Any) -> bool:
    if not inspect.isfunction(thing):
        return False
    return next(iter(inspect.signature(thing).parameters), "") in NODES


def _of_games(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a tree as nested lists, as one of a game and a state; what it looks at is not seen."""
    needed = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    known = {
        "depth": 99,
        "alpha": -math.inf,
        "beta": math.inf,
        "player": 0,
        "maximizing": True,
        "is_max": True,
    }
    for name in needed[1:] if needed and needed[0] in NODES else needed:
        if name not in known:
            raise BadParameter(f"{name!r} is not a parameter that can be given here: use {', '.join(known)}")

    def search(game: Any, state: Any) -> Any:
        mine = {**known, "maximizing": game.to_move(state) == 0, "is_max": game.to_move(state) == 0}
        return function(_nested(game, state), **{name: mine[name] for name in needed if name in mine})

    search.of_nodes = True  # type: ignore[attr-defined]
    return search


def _nested(game: Any, state: Any) -> Any:
    """A tree as nested lists; its leaves count as looked at."""
    if game.is_terminal(state):
        return game.utility(state, 0)
    return [_nested(game, game.result(state, action)) for action in game.actions(state)]
