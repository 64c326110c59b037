"""Depth-first search for puzzles: the best end that one player can reach, and the shortest way there.

Depth-first search finds an end, not the nearest. Once the best is proved, iterative deepening (Korf 1985)
searches for a shorter way to it; if that takes too long, no distance is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from plies.engine.driver import Search
from plies.engine.job import Job
from plies.engine.kernels.depth_first import RUN, dive
from plies.engine.result import SearchResult, rests_on
from plies.engine.root import blamed
from plies.engine.runner import INFINITY, LAST_PLY, Arrays, Code, Runner, plain
from plies.engine.value import AT_LEAST, Value
from plies.game import Action, Game, State
from plies.needs import Needs
from plies.validation import checked_bounds

SEEN = 1 << 23
"""The positions remembered, so that none is visited twice: 64 megabytes of keys; interpreted, a sixteenth of
that. Not tuned."""

STACK = 1 << 17
"""The places of the stack: the actions of all positions on the path. Not tuned."""

PATIENCE = 1 << 16
"""The nodes that the search for a shorter way may take, or as many as the best end took, if more. Compiled,
they take a few hundredths of a second. Not tuned."""

FIRST_LOOK, GROWTH = 1 << 18, 8
"""When results are streamed: the nodes of the first search, and the factor by which each next one has more.
Searching again costs a seventh in all: 1/8 + 1/64 + … Not tuned."""


class DepthFirst(Search):
    """Searches a puzzle of one player for its best end: one line, however many are asked for."""

    algorithm = "depth-first"
    label = "Depth-first search"
    subject = "depth-first search"
    needs = Needs(players=1, deterministic=True)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._equip(Code(wait=False))

    def _equip(self, code: Code) -> None:
        super()._equip(code)
        game = self.game
        low, high = checked_bounds(game)
        self._verify = not game.exact_key or game.has("plies_left")
        self._rounds = game.has("repetition_value")
        fields = {
            "low": low,
            "high": high,
            "priority": game.has("priority"),
            "symmetry": game.has("symmetries"),
            "verify": self._verify,
        }
        self.runners = [Runner(game, dive, RUN, fields, self._arrays, (self.first, 0), STACK, code=code)]
        self.runner: Runner = self.runners[0]
        self._deepest = int(self.runner.run.last_ply)
        self._symmetries = int(self.runner.run.symmetry)

    def _arrays(self, stack: int, actions: Any) -> Arrays:
        return {
            "actions": np.zeros(stack, actions),  # the stack: the actions of all positions on the path
            "order": np.zeros(stack),  # their priorities
            "line": np.zeros(LAST_PLY + 1, actions),  # by ply: the actions from the root to here
            "best": np.zeros(LAST_PLY + 1, actions),  # by ply: those to the best end
            "previous": np.zeros(1, np.int64),  # keys of positions whose repetition ends the game
            **self._memory(1, False),
        }

    def _memory(self, seen: int, depth_counts: bool) -> Arrays:
        """A hash table of the positions visited."""
        return {
            "seen": np.zeros(seen, np.int64),  # keys; 0: free
            "left": np.zeros(seen if depth_counts else 1, np.int16),  # the plies that were left
            "checks": np.zeros(seen if self._verify else 1, np.int64),  # verification keys
        }

    def _begin(self, job: Job) -> None:
        run = self.runner.run
        self.runner.reset("nodes", "inexact", "lost", "top", "length", "previous")
        run.wanted = run.high
        run.rounds = int(self._rounds)
        run.symmetry = self._symmetries
        run.best = run.missed = -np.inf
        run.depth_counts = job.limit.depth is not None
        run.last_ply = min(job.limit.depth or self._deepest, self._deepest)
        self._path: list[Action] = []
        self._plies: int | None = None
        self._utility, self._proved = -np.inf, False
        if self.game.cycles and job.previous:
            with blamed(self.game, job.state):
                self._look_back(job.previous)

    def _explore(self, job: Job) -> Iterator[None]:
        run, nodes = self.runner.run, job.limit.nodes or INFINITY
        share = FIRST_LOOK if job.streaming else INFINITY
        while True:
            before = int(run.nodes)
            self._dive(job, min(nodes, before + share))
            if not run.stop or self.runner.stopped or run.nodes >= nodes:
                break
            yield
            share *= GROWTH
        self._proved = self._is_proved()
        if self._proved and not run.stop:
            yield
            self._shorten(job)

    def _dive(self, job: Job, limit: int) -> None:
        """Search for the best end from the root, up to a number of nodes."""
        run, work = self.runner.run, self.runner.work
        run.limit, run.top, run.inexact, run.lost = limit, 0, 0, 0
        run.stop = int(self.runner.stopped)
        for name, array in self._memory(
            SEEN if self.runner.compiled else SEEN // 16, bool(run.depth_counts)
        ).items():
            setattr(work, name, array)
        self.runner.call(job.state, job.state, 0)
        if run.best > self._utility:
            self._path = [plain(work.best[i]) for i in range(int(run.length))]
            self._utility = float(run.best)

    def _is_proved(self) -> bool:
        """Whether nothing better can be reached; unknown under superko, where the path matters."""
        run = self.runner.run
        complete = not (run.stop or run.inexact or run.lost or self.game.superko or run.missed > run.best)
        best = self._utility >= run.high and not self.game.superko
        return bool(best or (complete and self._utility > -np.inf))

    def _look_back(self, previous: Sequence[State]) -> None:
        """Note the positions of the game so far whose next repetition would end the game."""
        stood = [self.game.repetition_key(state) for state in previous]
        often = 1 if self.game.superko else self.game.repetitions - 1
        keys = [key for key in dict.fromkeys(stood) if stood.count(key) >= often]
        self.runner.run.previous = len(keys)
        if keys:  # a position may have been there, and its image not
            self.runner.run.symmetry = 0
        self.runner.work.previous = np.array([*keys, 0], np.int64)

    def _shorten(self, job: Job) -> None:
        """Search for the shortest way to an end as good as the best, until that takes too long.

        A repetition may end the game sooner. Where one might have the same utility, no distance is reported.
        """
        run = self.runner.run
        run.wanted = self._utility
        run.depth_counts = 1
        run.missed = -np.inf if run.rounds else run.low
        run.rounds = 2 * int(self._rounds)
        patience = max(int(run.nodes), PATIENCE) // 2
        # If all ways are equally long, one search shows that none is a move shorter.
        self._look_anew(job, patience)
        if len(self._path) > 1 and self._way_within(job, len(self._path) - 1) is not False:
            self._look_anew(job, patience)
            for depth in range(1, len(self._path)):
                found = self._way_within(job, depth)
                if found is None:
                    return
                if found:
                    break
        if not self.game.cycles or len(self._path) == 1 or run.missed < self._utility:
            self._plies = len(self._path)

    def _look_anew(self, job: Job, patience: int) -> None:
        """Begin a search for a shorter way, of up to `patience` nodes."""
        run = self.runner.run
        run.limit = min(job.limit.nodes or INFINITY, int(run.nodes) + patience)
        run.lost = 0
        run.stop = int(self.runner.stopped)
        for name, array in self._memory(min(SEEN, 1 << (2 * patience).bit_length()), True).items():
            setattr(self.runner.work, name, array)

    def _way_within(self, job: Job, depth: int) -> bool | None:
        """Whether the best end is within `depth` moves, which are then the line; None: not settled."""
        run, work = self.runner.run, self.runner.work
        run.last_ply, run.best, run.top = depth, -np.inf, 0
        self.runner.call(job.state, job.state, 0)
        if run.best >= run.wanted:
            self._path = [plain(work.best[i]) for i in range(int(run.length))]
            return True
        return None if run.stop or run.lost else False

    def _progress(self, job: Job, result: SearchResult) -> tuple[Any, ...]:
        value = result.value
        return value.proved and value.plies is not None, value.proved, value.utility

    def _result(self, job: Job) -> SearchResult:
        """The result so far; if no end was reached, any action."""
        game, line = self.game, self._path or job.actions[:1]
        if self._utility == -np.inf:  # no end was reached
            value = Value.of(game, float(self.runner.run.low))
        elif self._proved:
            value = Value.of(game, self._utility, True, self._plies)
        else:
            value = Value.of(game, self._utility, bound=AT_LEAST)
        return SearchResult(
            action=line[0],
            value=value,
            line=line,
            depth=len(line),
            nodes=int(self.runner.run.nodes),
            seconds=job.seconds,
            scores={line[0]: value},
            lines=[line],
            algorithm=self.algorithm,
            rests_on=rests_on(game),
            game=game,
            state=job.state,
        )
