"""The report on a class: how the points are spread and which bugs are common, without names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

from plies.grade.bugs import BUGS
from plies.grade.report import Report
from plies.sandbox.process import lacking


@dataclass
class ClassReport:
    """What is known of all files together."""

    shares: list[float] = field(default_factory=list)
    """Of each file, the share of the points that it has."""
    tests: dict[str, list[float]] = field(default_factory=dict)
    """Of each test, the shares of its points."""
    bugs: Counter[str] = field(default_factory=Counter)
    """In how many files there is a bug; "" stands for those without a name."""
    not_loaded: int = 0
    unreadable: int = 0
    """The files that could not be graded at all."""
    stopped: bool = False
    """Whether somebody stopped it before the last file."""
    missing: list[str] = field(default_factory=list)

    def add(self, report: Report) -> None:
        """Add the report on a file. Nothing that tells whose it is is kept."""
        self.shares.append(report.points / report.most)
        self.missing = report.missing
        self.not_loaded += any(test.words == "not run" for test in report.tests)
        for test in report.tests:
            self.tests.setdefault(test.name, []).append(test.points / test.most)
        keys = {bug.key for finding in report.findings for bug in finding.bugs}
        keys |= {""} if any(not finding.bugs for finding in report.findings) else set()
        self.bugs.update(keys)

    def text(self, files: int) -> str:
        """The report, to be read."""
        if not self.shares:
            return (
                "stopped before the first file was graded"
                if self.stopped
                else f"{_files(self.unreadable)} could not be read, and there are no others"
            )
        lines = [
            f"{_files(len(self.shares))}{f' of {files}; stopped' if self.stopped else ''}: "
            f"mean {mean(self.shares):.0%}, median {median(self.shares):.0%} of the points"
        ]
        if self.not_loaded:
            lines.append(f"{_files(self.not_loaded)} could not be loaded")
        if self.unreadable:
            lines.append(f"{_files(self.unreadable)} could not be read, and count for nothing")
        spread = Counter(min(9, int(10 * share)) for share in self.shares)
        lines += ["", "share of the points"]
        lines += [
            f"{10 * i:>3}% to {10 * i + 10:>3}%  {'#' * spread[i]} {spread[i] or ''}".rstrip()
            for i in range(10)
        ]
        width = max(map(len, self.tests))
        lines += ["", f"{'test':<{width}}  all points    mean"]
        for name, shares in self.tests.items():
            full = sum(share == 1 for share in shares)
            lines.append(f"{name:<{width}}  {full:>10}  {mean(shares):>6.0%}")
        lines += ["", "bugs"]
        lines += [f"{count:>4}  {_name(key)}" for key, count in self.bugs.most_common()] or ["  none"]
        if self.missing:
            lines += ["", lacking(self.missing)]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        return {
            "files": len(self.shares),
            "complete": not self.stopped,
            "not_loaded": self.not_loaded,
            "unreadable": self.unreadable,
            "shares": sorted(round(share, 4) for share in self.shares),
            "tests": {
                name: {"all_points": sum(share == 1 for share in shares), "mean": round(mean(shares), 4)}
                for name, shares in self.tests.items()
            },
            "bugs": {key or "without a name": count for key, count in self.bugs.most_common()},
            "missing": self.missing,
        }


def _name(key: str) -> str:
    return BUGS[key].name if key else "wrong, but by none of the usual bugs"


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"
