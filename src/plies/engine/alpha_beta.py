"""Alpha-beta for two players against each other, with threads that share a table (lazy SMP).

Each thread searches the whole tree, every other one a depth ahead, and they help each other by the table: see
"Lazy SMP" in the chess programming wiki. Moves under search by another thread are deferred: pvs.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from plies.engine import table as tables
from plies.engine.driver import Search, checked_threads
from plies.engine.job import Job
from plies.engine.kernels.pvs import TASKS
from plies.engine.kernels.repetitions import position
from plies.engine.networks import chosen_network
from plies.engine.opening_book import YES, BookRoot, chosen_book, left_to_search, merged, root_in_book
from plies.engine.options import Options, checked_options
from plies.engine.probing import prober_for, with_database
from plies.engine.result import SearchResult
from plies.engine.root import blamed
from plies.engine.root_search import RootSearch
from plies.engine.runner import Code
from plies.engine.worker import Rescaled, Worker
from plies.game import Game, State
from plies.needs import VERSUS
from plies.network import Learned
from plies.retrograde.database import Database


class AlphaBeta(Search):
    """Alpha-beta with iterative deepening, which remembers between moves what it has found.

    `memory` is the size of the transposition table in megabytes; `threads` share it. It probes a `database`
    of the game, or those that were made before; with False, none. `book` is "yes" for an opening book of
    proved positions where there is one, "no", or the name of a file; a search that is limited by depth or
    nodes takes none. `network` evaluates positions: "yes" for the game's own, if it has one, "no", or the
    name of a file.
    """

    algorithm = "alpha-beta"
    label = "Alpha-beta"
    needs = VERSUS
    restricts = True
    runners: list[Worker]

    def __init__(
        self,
        game: Game,
        *,
        memory: float = 64,
        threads: int = 1,
        options: Options | None = None,
        database: Database | bool = True,
        book: str = YES,
        network: str | Learned = YES,
    ) -> None:
        super().__init__(game)
        self.prober = prober_for(game, database)
        self.book = chosen_book(game, book)
        self.network = chosen_network(game, network)
        self._known: BookRoot | None = None
        self._threads, self._memory = checked_threads(threads), memory
        self.options = checked_options(options, game)
        self._equip(Code(wait=False))

    def _equip(self, code: Code) -> None:
        super()._equip(code)
        count, memory = self._threads, self._memory
        shared = tables.new(memory) if count > 1 else None
        tasks = np.zeros(TASKS + 1, np.int64) if count > 1 else None
        given = (self.game, self.first, self.options, memory, shared, tasks)
        quick = self.prober is None or self.prober.tells_plies
        self.runners = [
            Worker(*given, prefer_quick=quick, code=code, prober=self.prober, network=self.network)
            for _ in range(count)
        ]
        self._age = 0
        self._path: Counter[int] = Counter()

    @property
    def hashfull(self) -> int:
        return tables.permille_used(self.runners[0].table)

    def _clear(self) -> None:
        for worker in self.runners:
            worker.clear()

    def _get_ready(self, job: Job) -> None:
        """Ask the book first: for what it knows, nothing need be compiled."""
        asked = self.book if job.limit.depth is job.limit.nodes is None else None
        with blamed(self.game, job.state):
            self._known = root_in_book(asked, self.game, job.state, job.actions)
        if self._known is None or not self._known.settles(job):
            super()._get_ready(job)

    def _begin(self, job: Job) -> None:
        self._grow_older([*job.previous, job.state])
        if self.prober:
            self.prober.set_out(job.state, job.previous)
        nodes = -(-job.limit.nodes // len(self.runners)) if job.limit.nodes else None
        for worker in self.runners:
            worker.begin(job.state, self._age, nodes, job.previous)
        self._coarse: SearchResult | None = None
        self._root = self._new_root(job)

    def _new_root(self, job: Job) -> RootSearch | None:
        """The search of the actions that the book does not know; None if there are none."""
        if self._known is not None and self._known.settles(job):
            return None
        with blamed(self.game, job.state):
            return RootSearch(self._searched(job), self.runners[0], self.options)

    def _searched(self, job: Job) -> Job:
        return job if self._known is None else left_to_search(self._known, job)

    def _explore(self, job: Job) -> Iterator[None]:
        """Iterative deepening; from the start, in one thread, whenever scores are rescaled."""
        while self._root is not None:
            try:
                for _ in self._root.run():
                    if self._coarse is None:
                        yield
                if not self._root.needs_zoom():
                    return
                self._coarse = self._root.result([worker.run for worker in self.runners])
                self.runners[0].zoom(self._root.roots[0].score, job.player)
            except Rescaled:
                pass
            self._stop_others(job)
            self.runners[0].clear()
            self._root = self._new_root(job)
        yield

    def _assist(self, job: Job, runner: Worker) -> None:
        if self._root is None:  # the book settles it
            return
        number = self.runners.index(runner)
        try:
            for _ in RootSearch(self._searched(job), runner, self.options, start_depth=1 + number % 2).run():
                pass
        except Rescaled:  # the first worker will rescale too, and go on alone
            pass

    def _result(self, job: Job) -> SearchResult:
        known, root = self._known, self._root
        if root is None:
            assert known is not None
            return merged(known, None, job)
        found = self._root_result(root)
        return found if known is None else merged(known, found, job)

    def _root_result(self, root: RootSearch) -> SearchResult:
        """The result of the search of all actions, or of those that the book does not know."""
        found = root.result([worker.run for worker in self.runners])
        coarse = self._coarse
        if coarse is not None:  # outside the zoom's range, the coarse result is better
            proved = {action: value for action, value in found.scores.items() if value.proved}
            if not found.value.proved:
                found = replace(coarse, nodes=found.nodes, seconds=found.seconds)
            found = replace(found, scores={**coarse.scores, **proved})
        return with_database(found, self.prober, self.runners)

    def _grow_older(self, path: Sequence[State]) -> None:
        """Age the table: at each search or, with cycles, when the path to the root has changed.

        A proof on one path need not hold on another, so it counts at its own age only: a win that leads
        through the root is none for an action there. When ages start over, the table is cleared.
        """
        if not self.game.cycles:
            self._age = (self._age + 1) % tables.AGES
            return
        now = Counter(position(self.game, state, self.game.to_move(state)) for state in path)
        if now != self._path:
            self._path = now
            self._age += 1
            if self._age == tables.AGES:
                self._age = 0
                self._clear()
