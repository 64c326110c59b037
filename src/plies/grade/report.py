"""The report on a student's file: points, what is wrong in words, and what Gradescope reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from plies.grade.diagnosis import Finding
from plies.grade.trees import Answer
from plies.sandbox.process import lacking


@dataclass
class TestResult:
    """One test of a file."""

    __test__ = False  # it is no test of pytest

    name: str
    points: float
    most: float
    words: str
    """What came of it, in a sentence or two."""
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether it has all points."""
        return self.points >= self.most


@dataclass
class Report:
    """All that was found out about a file."""

    file: str
    style: str
    """"lab" or "book"; "" if it is neither."""
    tests: list[TestResult] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What happened when the file was loaded."""
    missing: list[str] = field(default_factory=list)
    """The protections that this machine does not have."""

    @property
    def points(self) -> float:
        """The points in all."""
        return round(sum(test.points for test in self.tests), 2)

    @property
    def most(self) -> float:
        """The most points there are."""
        return sum(test.most for test in self.tests)

    @property
    def seconds(self) -> float:
        """The time that the tests took."""
        return sum(test.seconds for test in self.tests)

    def text(self) -> str:
        """The report, to be read."""
        width = max((len(test.name) for test in self.tests), default=0)
        lines = [f"{self.file}, {self.style or 'no'} style: {self.points:g} of {self.most:g} points"]
        lines += [f"note: {note}" for note in self.notes]
        lines.append("")
        for test in self.tests:
            score = f"{test.points:g}/{test.most:g}"
            lines.append(f"{test.name:<{width}}  {score:>7}  {test.seconds:5.2f} s  {test.words}".rstrip())
        for finding in self.findings:
            lines += ["", *finding_lines(finding)]
        if self.missing:
            lines += ["", lacking(self.missing)]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        return {
            "file": self.file,
            "style": self.style,
            "points": self.points,
            "max_points": self.most,
            "seconds": round(self.seconds, 3),
            "notes": self.notes,
            "missing": self.missing,
            "tests": [
                {
                    "name": test.name,
                    "points": test.points,
                    "max_points": test.most,
                    "seconds": round(test.seconds, 3),
                    "words": test.words,
                }
                for test in self.tests
            ],
            "findings": [_finding_data(finding) for finding in self.findings],
        }

    def gradescope(self) -> dict[str, Any]:
        """The report as Gradescope's results.json (gradescope-autograders.readthedocs.io)."""
        said = ["\n".join(finding_lines(finding)) for finding in self.findings]
        return {
            "score": self.points,
            "execution_time": round(self.seconds),
            "output": "\n\n".join([*self.notes, *said]),
            "output_format": "text",
            "stdout_visibility": "hidden",
            "tests": [
                {
                    "score": test.points,
                    "max_score": test.most,
                    "status": "passed" if test.passed else "failed",
                    "name": test.name,
                    "number": str(number),
                    "output": test.words,
                    "output_format": "text",
                    "visibility": "visible",
                }
                for number, test in enumerate(self.tests, 1)
            ],
        }


def _finding_data(finding: Finding) -> dict[str, Any]:
    data: dict[str, Any] = {
        "function": finding.function,
        "bugs": [bug.key for bug in finding.bugs],
        "title": finding.title,
        "hints": [bug.hint for bug in finding.bugs],
        "also": [bug.key for bug in finding.also],
        "words": finding.words,
    }
    if finding.position:
        data |= {"position": finding.position, "depth": finding.depth}
    if finding.shown is not None and finding.right is not None:
        data |= {
            "tree": finding.shown.case.tree.root,
            "arguments": finding.shown.case.arguments,
            "theirs": _answer_data(finding.shown.answer),
            "ours": _answer_data(finding.right),
        }
    return data


def _answer_data(answer: Answer) -> dict[str, Any]:
    if answer.action:
        return {"action": answer.action}
    return {"value": answer.value, "leaves": answer.leaves}


def finding_lines(finding: Finding) -> list[str]:
    """A finding in words, with the smallest tree or position drawn."""
    from plies.grade.drawing import drawn

    lines = [f"{finding.function}: {finding.title}."]
    if finding.words:
        lines.append(finding.words)
    lines += [bug.hint for bug in finding.bugs]
    if finding.by_values:
        lines.append("(By its values; it looks at leaves in a way of its own.)")
    if finding.also:
        lines.append(f"Or else: {'; or '.join(bug.name for bug in finding.also)}.")
    return [*lines, *drawn(finding)]
