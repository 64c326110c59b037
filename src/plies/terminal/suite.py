"""A suite on the screen: a line for each position as it is searched, then the totals."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from plies.engine.interrupts import noticing_interrupts
from plies.engine.limit import Limit
from plies.game import Game
from plies.suites import Attempt, Problem, attempts
from plies.terminal.screen import Screen


class SuiteRun:
    """A suite, shown on a screen, or `quiet`."""

    def __init__(
        self, game: Game, problems: Sequence[Problem], limit: Limit | None, screen: Screen, quiet: bool
    ) -> None:
        self.game, self.problems, self.limit = game, problems, limit
        self.screen, self.quiet = screen, quiet

    def run(self) -> dict[str, Any]:
        """Search all positions; returns the results as plain data."""
        width = max(len("position"), *(len(problem.name) for problem in self.problems))
        self._say(f"{'position':<{width}}  solved  {'nodes':>15}  {'seconds':>8}  found, expected")
        done: list[Attempt] = []
        with suppress(KeyboardInterrupt), noticing_interrupts() as interrupts:
            for attempt in attempts(self.game, self.problems, self.limit):
                if interrupts.noticed:  # by the search, which then ends early
                    break
                done.append(attempt)
                self.screen.passing()
                self._say(_row(attempt, width))
                self.screen.passing(f"{len(done)} of {len(self.problems)} (Ctrl-C stops)")
        self.screen.passing()
        solved, nodes = sum(one.solved for one in done), sum(one.nodes for one in done)
        seconds = sum(one.seconds for one in done)
        stopped = "" if len(done) == len(self.problems) else f" of {len(self.problems)}; stopped"
        self._say(f"{solved} of {len(done)} solved, {nodes:,} nodes, {seconds:.1f} s{stopped}")
        return {
            "game": repr(self.game),
            "positions": [_data(attempt) for attempt in done],
            "solved": solved,
            "nodes": nodes,
            "seconds": seconds,
            "complete": len(done) == len(self.problems),
        }

    def _say(self, line: str) -> None:
        if not self.quiet:
            print(line, flush=True)


def _row(attempt: Attempt, width: int) -> str:
    found = " ".join(part for part in (attempt.move, attempt.value) if part)
    mark = "yes" if attempt.solved else "NO"
    return (
        f"{attempt.problem.name:<{width}}  {mark:<6}  {attempt.nodes:>15,}  {attempt.seconds:>8.2f}  "
        f"{found}, {attempt.expected}"
    )


def _data(attempt: Attempt) -> dict[str, Any]:
    return {
        "name": attempt.problem.name,
        "solved": attempt.solved,
        "move": attempt.move,
        "value": attempt.value,
        "expected": attempt.expected,
        "nodes": attempt.nodes,
        "seconds": attempt.seconds,
    }
