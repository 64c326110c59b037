"""The moves that make_best_move takes in all positions: how many are best, and which bug took the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plies.grade.book_tests import Outcome, board
from plies.grade.bugs import BUGS
from plies.grade.child.tables import moves, positions
from plies.grade.diagnosis import Finding
from plies.grade.lab_variants import LabProgram, depth_at, exact, right_ends
from plies.grade.variants import RIGHT

Chosen = list[tuple[str, int | None, dict[int, float]]]
"""Positions in which the game goes on, the cell that was chosen there, and the value of each."""


def judge_best(
    program: LabProgram, cells: Sequence[int | None], is_right: bool
) -> tuple[Outcome, Finding | None]:
    """The outcome, and the bug if it has a name: it has none where minimax is wrong already."""
    values = exact(replace(program, ends=right_ends(program)))
    chosen: Chosen = [
        (position, cell, {move - 1: values[child] for move, child in moves(position)})
        for position, cell in zip(positions(), cells, strict=True)
        if any(True for _ in moves(position))
    ]
    good, bad, total = {"X": 0, "O": 0}, {"X": 0, "O": 0}, {"X": 0, "O": 0}
    for position, cell, below in chosen:
        mark = _mover(position)
        best, worst = (max, min) if mark == "X" else (min, max)
        total[mark] += 1
        good[mark] += cell in below and below[cell] == best(below.values())
        bad[mark] += cell in below and below[cell] == worst(below.values())
    share = sum(good.values()) / len(chosen)
    words = f"a best move in {sum(good.values()):,} of {len(chosen):,} positions"
    finding = None
    if share < 1 and is_right:
        for mark, other, key in (("O", "X", "always-max"), ("X", "O", "always-min")):
            if good[other] == total[other] and bad[mark] == total[mark]:
                finding = _shown(program, [one for one in chosen if _mover(one[0]) == mark], key)
        if bad == total:
            finding = _shown(program, chosen, "choice-swapped")
    return Outcome(share, f"{words}: {finding.title}" if finding else words), finding


def _mover(position: str) -> str:
    return "XO"[(9 - position.count(".")) % 2]


def _shown(program: LabProgram, chosen: Chosen, key: str) -> Finding:
    """The finding that the worst move is taken, in the position with most marks that shows it."""
    bug = BUGS[key]
    position, cell, below = next(one for one in reversed(chosen) if len(set(one[2].values())) > 1)
    assert cell is not None
    worth = ", ".join(f"{move + 1} ({value:g})" for move, value in below.items())
    return Finding(
        "make_best_move",
        (bug,),
        position=position,
        depth=depth_at(position, program.direction),
        words=f"In {board(position)} it takes {cell + 1}, of the moves {worth}.",
        program=replace(program, variant=BUGS["choice-swapped"].variant or RIGHT),
    )
