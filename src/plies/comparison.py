"""Algorithms side by side on one position: whether their values agree, and the effort of each."""

from __future__ import annotations

import html
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plies.book import Counts, suited
from plies.book.algorithms import ALGORITHMS as BOOK
from plies.book.recorder import ITERATIONS, STAND_PAT
from plies.engine import ALGORITHMS, Limit, Options, algorithm_for, engine_for
from plies.engine.algorithms import ENGINE
from plies.engine.interrupts import noticing_interrupts
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Action, Game, State

NAMES = (
    ENGINE,
    *(name for name, one in ALGORITHMS.items() if not one.book),
    *(f"book:{name}" for name in BOOK),
)
"""The algorithms that can be compared."""

GROUPS = (
    ("minimax", "alpha-beta"),
    ("depth-first",),
    ("expectiminimax",),
    ("max-n", "opponents", "paranoid"),
)
"""The algorithms compared by default: the first group with one that serves the game."""

LIMIT = 1_000_000
"""The nodes after which an algorithm gives up, by default. Not tuned."""


@dataclass(frozen=True)
class Effort:
    """The result of one algorithm on a position, and its effort."""

    algorithm: str
    value: float | None
    """The value of the position to the player to move; None if the algorithm gave up."""
    move: str
    """The best move, in notation."""
    nodes: int
    cuts: int
    """The number of cut-offs."""
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


HEADINGS = ("algorithm", "value", "move", "nodes", "cut-offs", "seconds", "branching")
"""The columns of the table."""


def _cells(row: Effort) -> tuple[str, ...]:
    value = "gave up" if row.value is None else f"{row.value:.4g}"
    measures = (f"{row.nodes:,}", f"{row.cuts:,}", f"{row.seconds:.3g}", f"{row.branching:.2f}")
    return (row.algorithm, value, row.move, *measures)


def compare(
    game: Game,
    state: State | None = None,
    *,
    depth: int | None = None,
    algorithms: Sequence[str] = (),
    limit: int = LIMIT,
) -> Comparison:
    """Run algorithms on the same position, to the same depth, and compare their values and effort.

    Those of the book ("book:minimax") run interpreted; those of the engine ("alpha-beta", or "engine" for the
    one that suits the game) as machine code if the game compiles, without extensions beyond the depth. By
    default, all of the game's kind. One that has not finished after `limit` nodes gives up; at Ctrl-C, so
    does the current one, and the rest are left out.
    """
    state = game.initial() if state is None else state
    if game.is_terminal(state):
        raise PliesError("there is nothing to compare: the game is over")
    if game.to_move(state) == CHANCE:
        raise PliesError("there is nothing to compare: chance is to move")
    for name in algorithms:
        if name not in NAMES:
            raise BadParameter(f"there is no algorithm {name!r}; there are {', '.join(NAMES)}")
    if limit < 1:
        raise BadParameter(f"the limit must be 1 node or more, not {limit}")
    rows: list[Effort] = []
    with noticing_interrupts() as interrupts:
        try:
            for name in algorithms or suitable(game):
                if interrupts.noticed:
                    break
                made = _book if name.startswith("book:") else _engine
                rows.append(made(name, game, state, depth, limit))
        except KeyboardInterrupt:  # between two algorithms
            pass
    return Comparison(game, state, depth, rows, interrupts.noticed)


def suitable(game: Game) -> tuple[str, ...]:
    """The algorithms compared on a game by default: those of its kind that serve it, and the engine."""
    for group in GROUPS:
        if found := suited(game, group):
            return *(f"book:{name}" for name in found), ENGINE
    return (ENGINE,)


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


class _GaveUp(Exception):
    """Raised at the limit of nodes."""


class _Counts(Counts):
    """Counts, up to a limit of nodes, with the greatest depth."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit
        self.ply = self.deepest = 0

    def enter(self, action: Action, state: State, kind: str, window: Any = None) -> None:
        super().enter(action, state, kind, window)
        self.ply += kind != ITERATIONS  # which is above the root
        self._look()

    def leaf(self, action: Action, state: State, why: str, value: Any, relation: str = "=") -> Any:
        super().leaf(action, state, why, value)
        self.deepest = max(self.deepest, self.ply - (action is STAND_PAT))
        self._look()
        return value

    def leave(self, value: Any) -> Any:
        self.ply -= 1
        return value

    def _look(self) -> None:
        if self.nodes > self.limit:
            raise _GaveUp


def _book(name: str, game: Game, state: State, depth: int | None, limit: int) -> Effort:
    """Run an algorithm of the book."""
    counts = _Counts(limit)
    value: float | None = None
    move = ""
    begun = time.perf_counter()
    try:
        decision = BOOK[name.removeprefix("book:")](game, state, depth=depth, trace=counts)
    except (_GaveUp, KeyboardInterrupt):
        pass
    else:
        mine = decision.value
        value = float(mine[max(game.to_move(state), 0)] if isinstance(mine, tuple) else mine)
        move = "" if decision.action is None else game.notation(state, decision.action)
    seconds = time.perf_counter() - begun
    branching = effective_branching_factor(counts.nodes, depth or counts.deepest)
    return Effort(name, value, move, counts.nodes, sum(counts.cuts.values()), seconds, branching)


def _engine(name: str, game: Game, state: State, depth: int | None, limit: int) -> Effort:
    """Run an algorithm of the engine, exactly to the depth."""
    algorithm = algorithm_for(game, Limit(depth=depth or 1)) if name == ENGINE else name
    exact = Options(quiescence=False, candidates=False, extensions=False)
    options = {"options": exact} if algorithm in ("alpha-beta", "expectiminimax") else {}
    found = engine_for(game, algorithm, **options).search(state, Limit(depth=depth, nodes=limit))
    finished = found.value.proved or (depth is not None and found.depth >= depth)
    return Effort(
        algorithm,
        float(found.value.utility) if finished else None,
        game.notation(state, found.action) if finished else "",
        found.nodes,
        found.cuts,
        found.seconds,
        effective_branching_factor(found.nodes, depth or found.depth),
    )
