"""Grading: a file, or a folder of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from plies.errors import BadParameter
from plies.grade.book_tests import BookTests, Outcome, Test
from plies.grade.lab_tests import LabTests, questions
from plies.grade.report import Report, TestResult
from plies.grade.session import Session
from plies.sandbox.process import Ended, Limits, printable

SECONDS = 20.0
"""The time of a test, by default. Not tuned."""

Progress = Callable[[str], None]


def grade(
    file: str | Path,
    *,
    style: str | None = None,
    only: Sequence[str] = (),
    seconds: float = SECONDS,
    strict: bool = False,
    limits: Limits | None = None,
    progress: Progress | None = None,
) -> Report:
    """Grade a student's file, in "lab" or "book" style: by default, the one that its names show.

    `only` is for tests whose names begin with one of these texts, or contain it. With `strict`, alpha-beta
    may search on where a value equals a bound.
    """
    if style not in (None, "lab", "book"):
        raise BadParameter(f"the style must be lab or book, not {style!r}")
    path = Path(file)
    report = Report(printable(path.name), style or "")
    with Session(path, seconds, limits) as session:
        try:
            session.loaded = session.load()
        except Ended as error:
            report.notes.append(_sentence(f"The file could not be loaded: {error}"))
            session.loaded = {
                "names": [],
                "lab": style == "lab",
                "rules": False,
                "prompts": [],
                "error": "yes",
            }
            report.missing = session.missing
            report.tests = [
                TestResult(test.name, 0, test.points, "not run")
                for test in _tests(session, report, strict, only)
            ]
            return report
        report.missing = session.missing
        if session.loaded["error"]:
            report.notes.append(_sentence(f"When the file is loaded: {session.loaded['error']}"))
        if session.loaded["asked"]:
            report.notes.append(
                f"It asks for input when it is imported; {questions(session.loaded['asked'])} answered."
            )
        report.style = style or ("lab" if session.loaded["lab"] else "book")
        examiner = LabTests(session) if report.style == "lab" else BookTests(session, strict)
        for test in _chosen(examiner.tests(), only):
            if progress:
                progress(test.name)
            report.tests.append(run_test(test))
        report.findings = list(examiner.findings())
    return report


def _sentence(words: str) -> str:
    return words if words.endswith("?") else f"{words}."


def _tests(session: Session, report: Report, strict: bool, only: Sequence[str]) -> list[Test]:
    examiner = LabTests(session) if report.style == "lab" else BookTests(session, strict)
    return _chosen(examiner.tests(), only)


def _chosen(tests: Iterable[Test], only: Sequence[str]) -> list[Test]:
    """The tests whose names begin with one of some texts, or else contain one; without texts, all."""
    every = list(tests)
    wanted = [text.lower() for text in only]
    chosen = [test for test in every if test.name.lower().startswith(tuple(wanted))] if wanted else every
    chosen = chosen or [test for test in every if any(text in test.name.lower() for text in wanted)]
    if not chosen:
        names = ", ".join(test.name for test in every)
        raise BadParameter(f"no test is called {' or '.join(map(repr, only))}; there are {names}")
    return chosen


def run_test(test: Test) -> TestResult:
    """Run a test, by the clock."""
    begin = time.perf_counter()
    try:
        outcome = test.run()
    except Ended as error:
        outcome = Outcome(0, str(error))
    seconds = time.perf_counter() - begin
    share = min(1.0, max(0.0, outcome.share))
    points = test.points if share == 1 else round(min(share, 0.99) * test.points, 2)
    return TestResult(test.name, points, test.points, outcome.words, seconds)
