"""An algorithm of the book as a search: interpreted, in growing steps, stopped at any time."""

from __future__ import annotations

import time as clock
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from plies.book import ALGORITHMS, Counts, Decision, TreeNode
from plies.book.algorithms import HURRYING, about, as_player
from plies.book.arguments import arguments_of
from plies.engine.driver import Search
from plies.engine.job import Job
from plies.engine.result import SearchResult
from plies.engine.value import AT_LEAST, EXACT, Value
from plies.errors import BadParameter
from plies.game import Action, Game, State

DEEPEST = 60
"""The most plies: Python's recursion limit is 1000, and a ply takes several calls. Not tuned."""

MOST = 1 << 20
"""The most simulations within a limit of time: Python takes minutes for them. Not tuned."""

LOOK_EVERY = 64
"""The nodes between two checks of the clock. Not tuned."""


class _Stopped(Exception):
    """Raised within an algorithm to end it."""


class _Watched(Counts):
    """Counts nodes, ends the search at its limit, and notes whether it used an evaluation."""

    def __init__(self, search: BookSearch, job: Job, before: int) -> None:
        super().__init__()
        self.search, self.before = search, before
        self.most = float("inf") if search.budget else job.limit.nodes or float("inf")
        self.deadline = job.begun + (job.limit.time or float("inf"))
        self.estimated = False

    def _look(self) -> None:
        if self.search.stopped or self.before + self.nodes >= self.most:
            raise _Stopped
        if self.nodes % LOOK_EVERY == 0 and clock.perf_counter() > self.deadline:
            raise _Stopped

    def enter(self, action: Action, state: State, kind: str, window: Any = None) -> None:
        super().enter(action, state, kind, window)
        self._look()

    def iteration(self, depth: int) -> None:
        self.estimated = False  # the last one decides

    def leaf(self, action: Action, state: State, why: str, value: Any, relation: str = "=") -> Any:
        self.estimated = self.estimated or why not in ("terminal", "known", "table")
        super().leaf(action, state, why, value)
        self._look()
        return value

    def cut(self, kind: str, value: float, bound: float, skipped: Iterable[Action]) -> None:
        self.estimated = self.estimated or kind == "quiet"  # what is not noisy might be better
        super().cut(kind, value, bound, skipped)

    def add(self, node: TreeNode, kind: str, value: Any = None) -> None:
        super().add(node, kind, value)
        self._look()

    def playout(self, node: TreeNode, line: Sequence[Action], value: float) -> None:
        self.estimated = True
        if clock.perf_counter() > self.deadline:  # playouts may be long
            raise _Stopped


class BookSearch(Search):
    """Runs an algorithm of the book to depth 1, 2, 3, …, interpreted; `options` are the algorithm's own.

    One that searches best first runs with 1, 2, 4, … simulations.
    """

    book = ""
    """The name of the algorithm in the book."""
    budget = ""
    """The argument that says how long it searches, if that is not the depth."""

    def __init__(self, game: Game, **options: Any) -> None:
        super().__init__(game)
        for option in options:
            if option not in arguments_of(self.book):
                has = ", ".join(arguments_of(self.book)) or "none"
                raise BadParameter(f"{self.algorithm} has no option {option!r}; it has {has}")
        self.stopped = False
        self.options = options
        self._window = "alpha" in options or "beta" in options  # a value beyond it is only a bound
        self._playing = as_player(self.book, game, options)

    def _stop(self) -> None:
        self.stopped = True

    def _begin(self, job: Job) -> None:
        self.stopped = False
        self._nodes = self._cuts = 0
        first = job.actions[0]
        self._found = self._report(job, first, Value.of(self.game, self.game.draw_value), [first], 0)

    def _explore(self, job: Job) -> Iterator[None]:
        """The decision at each depth, until one breaks superko, which the book's algorithms do not know."""
        yield
        for step in self._steps(job):
            watched = _Watched(self, job, self._nodes)
            try:
                decide = ALGORITHMS[self.book]
                decision = decide(self.game, job.state, trace=watched, **{**self._playing, **step})
            except _Stopped:
                self._nodes += 0 if self.budget else watched.nodes
                return
            self._nodes = step[self.budget] if self.budget else self._nodes + watched.nodes
            self._cuts += sum(watched.cuts.values())
            if not decision.line or decision.line[0] not in job.actions:
                return
            depth = watched.stack - 1 if self.budget else step["depth"]
            self._found = self._decided(job, decision, depth, watched.estimated)
            yield
            if not watched.estimated:
                return

    def _steps(self, job: Job) -> Iterator[dict[str, Any]]:
        """What the algorithm is given, more each time: the depth, or its budget."""
        if not self.budget:
            yield from ({"depth": depth} for depth in range(1, min(job.limit.depth or DEEPEST, DEEPEST) + 1))
            return
        usual = MOST if job.limit.time else arguments_of(self.book)[self.budget].default
        most = min(filter(None, (job.limit.nodes, self.options.get(self.budget))), default=usual)
        given = 1
        while given < most:
            yield {"depth": job.limit.depth, self.budget: given}
            given *= 2
        yield {"depth": job.limit.depth, self.budget: most}

    def _decided(self, job: Job, decision: Decision[Any], depth: int, estimated: bool) -> SearchResult:
        worth, line = self._worth(job, decision), list(decision.line)
        if isinstance(worth, tuple):  # max^n: the values to all players
            worth = worth[job.player]
        # These algorithms ignore repetitions, which may end the game.
        proved = not estimated and not self.game.cycles and self.exact and not self._window
        alone = self.game.players > 2 and self.needs.opponents
        bound = AT_LEAST if proved and alone else EXACT  # the others need not be allied
        value = Value.of(self.game, float(worth), proved, bound=bound)
        value = replace(value, mean=self.game.simultaneous)
        if decision.matrix is None:
            return self._report(job, line[0], value, line, depth)
        entries = [entry for row in decision.matrix.rows for entry in row]
        scores = {
            action: replace(value, utility=float(entry))
            for action, entry in zip(job.actions, entries, strict=True)
        }
        found = self._report(job, line[0], value, line, depth)
        return replace(found, scores=scores, matrix=decision.matrix)

    def _worth(self, job: Job, decision: Decision[Any]) -> Any:
        """The value of a decision, without the preference for the quicker win."""
        if self.book not in HURRYING:
            return decision.value
        game, state = self.game, job.state
        for action in decision.line:
            state = game.result(state, action)
        evaluate = self.options.get("evaluate") or game.evaluate
        return (game.utility if game.is_terminal(state) else evaluate)(state, job.player)

    def _report(self, job: Job, action: Action, value: Value, line: list[Action], depth: int) -> SearchResult:
        return SearchResult(
            action=action,
            value=value,
            line=line,
            depth=depth,
            nodes=self._nodes,
            seconds=job.seconds,
            cuts=self._cuts,
            scores={action: value} if depth else {},
            lines=[line],
            algorithm=self.algorithm,
            game=self.game,
            state=job.state,
        )

    def _result(self, job: Job) -> SearchResult:
        return self._found


def book_search(name: str) -> type[BookSearch]:
    """The search that runs an algorithm of the book."""
    return type(
        f"Book{name.title().replace('-', '')}",
        (BookSearch,),
        {
            "__doc__": ALGORITHMS[name].__doc__,
            "book": name,
            "algorithm": f"book:{name}",
            "label": f"{name} of the book",
            "subject": name,
            "needs": about(name).needs,
            "exact": about(name).exact,
            "budget": about(name).budget,
            "limits": ("time", about(name).budget) if about(name).budget else BookSearch.limits,
        },
    )
