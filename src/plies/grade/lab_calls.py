"""Calls of a minimax in lab style that takes alpha and beta: which bug makes it search more than need be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf, isclose
from typing import Any, NamedTuple

from plies.book.recorder import Counts
from plies.grade.book_tests import Outcome, board
from plies.grade.bugs import BUGS, Bug
from plies.grade.diagnosis import Finding
from plies.grade.lab_variants import LabProgram, nodes
from plies.grade.session import Session
from plies.grade.variants import RIGHT, Variant

POSITIONS = ("XOXO.X...", "OX..X....", "XO..X....", "X...O..X.")
"""Where calls are counted, all with O to move."""

STRICT = ("strict", "strict-max", "strict-min")
"""Bugs that cost nothing here: the hand-out does not say whether a value that equals a bound cuts."""

UNMOVED = ("alpha-not-raised", "beta-not-lowered")
"""Bugs that cost more calls if it cuts where alpha has reached beta than if it cuts by value."""


class Counted(NamedTuple):
    """A position, a depth and a window (None where it is open), and what was found there."""

    position: str
    depth: int
    alpha: float | None = None
    beta: float | None = None
    value: Any = None
    calls: int = 0


def judge_calls(program: LabProgram, session: Session) -> tuple[Outcome, Finding | None]:
    """Whether a right minimax makes no more calls than one that hands its window on."""
    cases = calls_cases(program)
    asked = [[case.position, case.depth, case.alpha, case.beta] for case in cases]
    answers = session.ask("lab_minimax", cases=asked)
    errors = [one["error"] for one in answers if "error" in one]
    if errors:
        return Outcome(0, errors[0]), None
    found = [
        case._replace(value=one["value"], calls=one["calls"])
        for case, one in zip(cases, answers, strict=True)
    ]
    bug = wasteful(program, found)
    needed = [_counts(_pruning(program, RIGHT), case)[1].nodes for case in found]
    more = [i for i, case in enumerate(found) if case.calls > needed[i]]
    shown = more[0] if bug and more else 0
    case = found[shown]
    words = (
        f"{case.calls:,} calls below {board(case.position)}; alpha-beta takes {needed[shown]:,}, "
        f"minimax {nodes(case.position):,}"
    )
    if bug is None:
        return Outcome(1, words), None
    finding = Finding(
        "minimax",
        (bug,),
        position=case.position,
        depth=case.depth,
        words=f"It makes {words}.",
        program=_pruning(program, bug.variant or RIGHT),
        prunes=True,
    )
    return Outcome(0, f"{words}: {bug.name}"), finding


def calls_cases(program: LabProgram) -> list[Counted]:
    """Where to count: with an open window, above a win of X, where every value fails, and below one of O."""
    depth = 9 if program.direction < 0 else 0
    most = max(program.end("X", ply) for ply in (0, 9))
    least = min(program.end("O", ply) for ply in (0, 9))
    windows = ((None, None), (most, None), (None, least))
    return [Counted(position, depth, *window) for window in windows for position in POSITIONS]


def wasteful(program: LabProgram, found: Sequence[Counted]) -> Bug | None:
    """The bug of pruning that takes just these calls for right values; None if there is none."""
    fine = [BUGS[key].variant for key in STRICT]
    for variant in (RIGHT, *fine):
        if variant and _agrees(_pruning(program, variant), found):
            return None
    tried = [(bug, bug.variant) for bug in BUGS.values() if bug.prunes and bug.variant]
    tried += [(bug, replace(variant, by_window=True)) for bug, variant in tried if bug.key in UNMOVED]
    return next((bug for bug, variant in tried if _agrees(_pruning(program, variant), found)), None)


def _pruning(program: LabProgram, variant: Variant) -> LabProgram:
    return replace(program, variant=variant, prunes=True)


def _counts(program: LabProgram, case: Counted) -> tuple[float, Counts]:
    counts = Counts()
    alpha, beta = -inf if case.alpha is None else case.alpha, inf if case.beta is None else case.beta
    return program.value(case.position, case.depth, counts, alpha, beta), counts


def _agrees(program: LabProgram, found: Sequence[Counted]) -> bool:
    """Whether a program makes the same calls: of every node, or of those where the game goes on."""
    every = inner = True
    for case in found:
        value, counts = _counts(program, case)
        every = every and case.calls == counts.nodes
        inner = inner and case.calls == counts.nodes - counts.leaves
        is_open = case.alpha is None and case.beta is None
        if not (every or inner) or (is_open and not isclose(value, case.value, abs_tol=1e-9)):
            return False
    return True
