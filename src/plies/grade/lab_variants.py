"""The hand-out's minimax, on a board that changes, with switches for the usual bugs."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from typing import Any

from plies.book.decision import Decision
from plies.book.recorder import Recorder
from plies.book.tracing import Trace
from plies.games.tic_tac_toe import State, TicTacToe
from plies.grade.bugs import BUGS, Bug
from plies.grade.child.tables import moves, positions, winner
from plies.grade.diagnosis import Finding
from plies.grade.variants import RIGHT, Variant, VariantSearch

DEPTHS = (1, 2, 9)
"""The depths at which positions are asked for."""

Linear = tuple[float, float]
"""The value of an end by the depth at which it comes: a constant, and what every ply adds."""


@dataclass(frozen=True)
class LabProgram:
    """A student's minimax as it was observed, with or without a bug."""

    direction: int
    """What a ply adds to the depth: 1, -1, or 0 if the depth is ignored."""
    ends: dict[str, Linear] = field(hash=False)
    """The value of a win of "X" and of "O", and of a draw ("")."""
    variant: Variant = RIGHT
    prunes: bool = False
    undoes: bool = True
    changes_player: bool = True

    def value(
        self, position: str, depth: int, trace: Recorder | None = None, alpha: float = -inf, beta: float = inf
    ) -> float:
        """The value that it gives a position."""
        return _LabSearch(self, list(position), trace or Recorder()).run(depth, alpha, beta)

    def end(self, who: str, depth: float) -> float:
        """The value of an end at a depth."""
        constant, by_ply = self.ends[who]
        return constant + by_ply * depth


class _LabSearch:
    """A search of a program on its board."""

    def __init__(self, program: LabProgram, board: list[str], trace: Recorder) -> None:
        self.program, self.board, self.trace = program, board, trace
        self.window = VariantSearch(None, program.variant, prunes=program.prunes)

    def run(self, depth: int, alpha: float, beta: float) -> float:
        player = "XO"[(9 - self.board.count(".")) % 2]
        return self._value(None, depth, player, alpha, beta)

    def _state(self) -> State:
        marks = [sum(1 << i for i in range(9) if self.board[i] == mark) for mark in "XO"]
        return State(*marks)

    def _value(self, action: int | None, depth: float, player: str, alpha: float, beta: float) -> float:
        program, variant, position = self.program, self.program.variant, "".join(self.board)
        won = winner(position)
        if won or "." not in position:
            return self.trace.leaf(action, self._state(), "terminal", program.end(won, depth))
        if program.direction < 0 and depth == -variant.depth_shift:
            return self.trace.leaf(action, self._state(), "depth", program.end("", depth))
        is_max = self._maximises(player, is_root=action is None)
        self.trace.enter(
            action, self._state(), "max" if is_max else "min", (alpha, beta) if program.prunes else None
        )
        return self.trace.leave(self._node(depth, player, alpha, beta, is_max))

    def _maximises(self, player: str, is_root: bool) -> bool:
        roles = self.program.variant.roles
        if roles in ("all-max", "all-min"):
            return roles == "all-max"
        return (player == "X") != (roles == "swapped" or (roles == "swapped at the root" and is_root))

    def _node(self, depth: float, player: str, alpha: float, beta: float, is_max: bool) -> float:
        program, variant = self.program, self.program.variant
        value = variant.max_start if is_max else variant.min_start
        other = "XO"[player == "X"] if program.changes_player else player
        below = depth + (program.direction if variant.counts_depth else 0)
        cells = [i for i in range(9) if self.board[i] == "."]
        if variant.leaves_out and len(cells) > 1:
            cells = cells[1:] if variant.leaves_out == "first" else cells[:-1]
        left = iter(cells)
        for cell in left:
            self.board[cell] = player
            found = self._value(cell + 1, below, other, *self.window._handed(alpha, beta))
            if program.undoes:
                self.board[cell] = "."
            if variant.keep == "last" or (found > value if is_max else found < value):
                value = found
                self.trace.update(cell + 1, value, self.window._window(value, alpha, beta, is_max))
            if variant.keep == "first":
                self.trace.cut("first", value, value, [one + 1 for one in left])
                break
            if program.prunes and self.window._cuts(value, alpha, beta, is_max):
                bound = variant.max_cut if is_max else variant.min_cut
                right = "beta" if is_max else "alpha"
                kind = right if bound == right else f"wrong {bound}"
                skipped = [one + 1 for one in left]
                self.trace.cut(kind, value, self.window._bound(value, alpha, beta, is_max), skipped)
                break
            alpha, beta = self.window._moved(value, alpha, beta, is_max)
        return value


@cache
def lab_cases() -> tuple[tuple[str, int], ...]:
    """Positions near the end of the game with depths, those with fewest empty cells first."""
    rng = random.Random(22)
    going_on = [position for position in positions() if any(True for _ in moves(position))]
    chosen: list[str] = []
    for empty, many in ((1, 6), (2, 14), (3, 14), (4, 6), (5, 2)):
        chosen += rng.sample([one for one in going_on if one.count(".") == empty], many)
    return tuple((position, depth) for position in chosen for depth in DEPTHS)


def programs(ends: dict[str, Linear], prunes: bool) -> Iterator[tuple[Bug | None, LabProgram]]:
    """Right programs, and those with a usual bug; if it prunes, bugs of pruning first."""
    for direction in (1, 0, -1):
        yield None, LabProgram(direction, ends)
    for bug in sorted(BUGS.values(), key=lambda bug: bug.prunes != prunes):
        if (
            bug.variant is None
            or bug.key == "no-negation"
            or bug.variant.chance != "expected"
            or "mover" in bug.key
        ):
            continue
        for direction in (1, 0, -1):
            yield bug, LabProgram(direction, ends, bug.variant, bug.prunes)
    for direction in (1, 0, -1):
        yield BUGS["player-not-changed"], LabProgram(direction, ends, changes_player=False)


def lab_traces(finding: Finding) -> tuple[Trace | None, Trace] | None:
    """The steps of the student's minimax, if its bug is known, and of the right one, from its position."""
    program = finding.program
    if program is None or BUGS["roles"] in finding.bugs:
        return None
    ours = replace(program, variant=RIGHT, undoes=True, changes_player=True, ends=right_ends(program))
    theirs = _traced(finding, program) if finding.bugs else None
    return theirs, _traced(finding, ours)


def right_ends(program: LabProgram) -> dict[str, Linear]:
    """Values of ends that prefer the quick win: those of the program, the depth with the right signs."""
    fixed = dict(program.ends)
    for mark, sign in (("X", -1), ("O", 1)):
        constant, by_ply = fixed[mark]
        fixed[mark] = constant, sign * program.direction * abs(by_ply) if program.direction else by_ply
    return fixed


def _traced(finding: Finding, program: LabProgram) -> Trace:
    from plies.grade.drawing import VariantTracer

    tracer = VariantTracer(TicTacToe())
    value = program.value(finding.position, finding.depth, tracer)
    tracer.finish("minimax", Decision(value, ()))
    return replace(tracer.trace, variant=f"depth {finding.depth}")


def exact(program: LabProgram) -> dict[str, float]:
    """The value of every position, searched as if from the empty board, if nothing is wrong but the ends."""
    found: dict[str, float] = {}
    for position in reversed(positions()):
        below = [found[child] for _, child in moves(position)]
        if below:
            found[position] = max(below) if position.count(".") % 2 else min(below)
        else:
            found[position] = program.end(winner(position), depth_at(position, program.direction))
    return found


def nodes(position: str) -> int:
    """The nodes of the tree below a position, itself included."""
    return 1 + sum(nodes(child) for _, child in moves(position))


def depth_at(position: str, direction: int) -> int:
    """The depth of a position in a search from the empty board."""
    return {1: 9 - position.count("."), -1: position.count("."), 0: 9}[direction]


def measured(answers: list[dict[str, Any]]) -> dict[str, Linear]:
    """The values of ends, from the answers to `END_CASES`."""
    ends: dict[str, Linear] = {}
    for place, who in enumerate(("X", "O", "")):
        first, second = (float(one["value"]) for one in answers[2 * place : 2 * place + 2])
        ends[who] = first, (second - first) / 4
    return ends


END_CASES = [[board, depth] for board in ("XXXOO....", "XX.OOOX..", "XOXXOOOXX") for depth in (0, 4)]
"""A win of X, a win of O, and a draw, at two depths."""
