"""The table of a comparison: the value and the effort of each algorithm."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plies.game import Game, State


@dataclass(frozen=True)
class Effort:
    """The result of one algorithm on a position, and its effort."""

    algorithm: str
    value: float | None
    """The value of the position to the player to move; None if the algorithm gave up."""
    move: str
    """The best move, in notation."""
    nodes: int
    stack: int | None
    """The most positions on the path at once, the root included; None if it is not known."""
    cuts: int | None
    """The number of cut-offs; None if it is not known."""
    seconds: float
    branching: float
    """The effective branching factor: see `effective_branching_factor`."""

    @property
    def finished(self) -> bool:
        """Whether it did not give up."""
        return self.value is not None


@dataclass(frozen=True)
class Comparison:
    """Several algorithms on one position; a table as text and in a notebook."""

    game: Game
    state: State
    depth: int | None
    rows: list[Effort]
    stopped: bool = False
    """Whether Ctrl-C ended it: the last row may be unfinished, and others missing."""

    @property
    def agree(self) -> bool:
        """Whether all that finished found the same value, up to rounding."""
        values = [row.value for row in self.rows if row.value is not None]
        return all(abs(value - values[0]) <= 1e-6 * max(1, abs(value)) for value in values)

    def __str__(self) -> str:
        cells = [HEADINGS, *(_cells(row) for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join(
                text.ljust(width) if place in (0, 2) else text.rjust(width)
                for place, (text, width) in enumerate(zip(line, widths, strict=True))
            ).rstrip()
            for line in cells
        ]
        return "\n".join([self._title(), "", *lines, "", self._verdict()])

    def _repr_html_(self) -> str:
        def row(cells: Sequence[str], tag: str) -> str:
            sides = ["left" if place in (0, 2) else "right" for place in range(len(cells))]
            return "".join(
                f'<{tag} style="text-align: {side}">{html.escape(text)}</{tag}>'
                for text, side in zip(cells, sides, strict=True)
            )

        body = "".join(f"<tr>{row(_cells(effort), 'td')}</tr>" for effort in self.rows)
        return (
            f'<table class="plies comparison"><caption>{html.escape(self._title())}</caption>'
            f"<thead><tr>{row(HEADINGS, 'th')}</tr></thead><tbody>{body}</tbody></table>"
            f"<p>{html.escape(self._verdict())}</p>"
        )

    def data(self) -> dict[str, Any]:
        """The comparison as plain data, for JSON."""
        return {
            "game": repr(self.game),
            "position": self.game.position(self.state),
            "depth": self.depth,
            "agree": self.agree,
            "stopped": self.stopped,
            "rows": [vars(row) for row in self.rows],
        }

    def _title(self) -> str:
        bound = "to the end of the game" if self.depth is None else f"{self.depth} plies deep"
        return f"{self.game.name}, {self.game.player_name(self.game.to_move(self.state))} to move, {bound}"

    def _verdict(self) -> str:
        done = [row for row in self.rows if row.finished]
        words = "Stopped by Ctrl-C. " if self.stopped else ""
        words += f"{len(self.rows) - len(done)} gave up. " if len(done) < len(self.rows) else ""
        if len(done) < 2:
            return f"{words}There is nothing to compare."
        same = "find the same value" if self.agree else "do not find the same value"
        least, most = min(row.nodes for row in done), max(row.nodes for row in done)
        ratio = f", with up to {most / least:,.3g} times the nodes" if most > least > 0 else ""
        return f"{words}{'All' if self.agree else 'They'} {same}{ratio}."


HEADINGS = ("algorithm", "value", "move", "nodes", "stack", "cut-offs", "seconds", "branching")
"""The columns of the table."""


def _cells(row: Effort) -> tuple[str, ...]:
    value = "gave up" if row.value is None else f"{row.value:.4g}"
    counts = ("-" if count is None else f"{count:,}" for count in (row.nodes, row.stack, row.cuts))
    return (row.algorithm, value, row.move, *counts, f"{row.seconds:.3g}", f"{row.branching:.2f}")


def effective_branching_factor(nodes: int, depth: int) -> float:
    """The branching factor b of a uniform tree of that depth with that number of nodes.

    The root counts as one of the nodes: 1 + b + b² + … + b^depth. By bisection, until doubles are exhausted.
    """
    if depth < 1 or nodes <= depth + 1:
        return 1.0 if depth >= 1 and nodes == depth + 1 else max(0.0, float(nodes - 1)) / max(depth, 1)
    low, high = 1.0, float(nodes)
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        total = 1.0
        for _ in range(depth):
            total = total * middle + 1
            if total > nodes:
                break
        low, high = (middle, high) if total < nodes else (low, middle)
    return (low + high) / 2
