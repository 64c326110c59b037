"""Monte Carlo tree search: a tree for each thread, and their combined result.

Root parallelisation: Cazenave and Jouandeau, On the Parallelization of UCT, 2007. The kernel is uct.py.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Sequence

import numpy as np

from plies import bits
from plies.engine.driver import Search, checked_threads
from plies.engine.job import Job
from plies.engine.limit import Limit
from plies.engine.options import MctsOptions
from plies.engine.result import SearchResult
from plies.engine.root import blamed
from plies.engine.runner import INFINITY, LAST_PLY, Code
from plies.engine.search_tree import Tree
from plies.engine.table import checked
from plies.engine.value import Value
from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, State

BATCH = 0.1
"""The seconds between two results, about. Not tuned."""

RESTS_ON = "the rules alone: every line of the proof was followed to the end of the game"
"""What a proof rests on. Keys are compared to find repetitions only, and no proof rests on one."""


class MonteCarlo(Search):
    """Searches one game by simulations, and keeps the subtree that the game goes on in.

    Each thread grows a tree of its own, and the statistics of the root's actions are added up. All trees
    together take at most `memory` megabytes, but always hold the root's actions; a full tree gets no more
    nodes, but its statistics go on. The same seed, threads and number of simulations give the same result.

    The action is the most visited one, and of equals that with the best mean; but a proved win is taken at
    once, a proved value at least as good as that mean is preferred, and a proved loss is taken only if there
    is nothing else. A value that is not proved is a mean with its standard error: the error of sampling only,
    as the mean of a growing tree still includes weaker play.

    Threads that share an engine are served in turn. A search by the thread whose stream of results is still
    open ends that stream.
    """

    algorithm = "mcts"
    label = "Monte Carlo tree search"
    limits = ("time", "simulations")
    exact = False
    restricts = True
    runners: list[Tree]

    def __init__(
        self,
        game: Game,
        *,
        memory: float = 64,
        threads: int = 1,
        seed: int | None = None,
        options: MctsOptions | None = None,
    ) -> None:
        super().__init__(game)
        count = checked_threads(threads)
        self.options = MctsOptions(**game.mcts_options) if options is None else options
        seeds = np.random.SeedSequence(seed).generate_state(count, np.uint64)
        self._seeds = [bits.signed(int(seed)) for seed in seeds]
        self._room = checked(memory) / count
        self._equip(Code(wait=False))

    def _equip(self, code: Code) -> None:
        super()._equip(code)
        with blamed(self.game, None):
            self.runners = [
                Tree(self.game, self.first, self.options, self._room, seed, code) for seed in self._seeds
            ]

    def _clear(self) -> None:
        """Discard the trees, and reseed."""
        for tree, seed in zip(self.runners, self._seeds, strict=True):
            tree.clear(seed)

    def _job(
        self, state: State | None, limit: Limit, lines: int, previous: Sequence[State], streaming: bool
    ) -> Job:
        if limit.depth is not None and limit.time is limit.nodes is None:
            raise BadParameter("playouts have no depth: the limit is a time or a number of simulations")
        return super()._job(state, limit, lines, previous, streaming)

    def _begin(self, job: Job) -> None:
        for tree in self.runners:
            tree.begin(job.state, job.actions, job.previous)
        self._most = -(-job.limit.nodes // len(self.runners)) if job.limit.nodes else INFINITY

    def _explore(self, job: Job) -> Iterator[None]:
        for _ in self._batches(job, self.runners[0]):
            yield
            if self.options.early and not self.options.flat and self._decided(job, self._result(job)):
                break

    def _assist(self, job: Job, runner: Tree) -> None:
        for _ in self._batches(job, runner):
            pass

    def _stop_others(self, job: Job) -> None:
        """Wait for the other trees, which have as many simulations; if this one is proved, stop them."""
        if self._ended(job, self.runners[0]) != "stopped":
            super()._stop_others(job)
        for thread in job.threads:
            thread.join()
        job.threads.clear()

    def _batches(self, job: Job, tree: Tree) -> Iterator[None]:
        """Grow a tree by batches of about BATCH seconds, each at most twice the last."""
        size = 1
        while not self._ended(job, tree):
            before = clock.perf_counter()
            tree.grow(min(int(tree.run.simulations) + size, self._most))
            yield
            took = clock.perf_counter() - before
            size = max(1, min(2 * size, int(size * BATCH / took) if took > 0 else 2 * size))

    def _ended(self, job: Job, tree: Tree) -> str:
        if tree.work.proved[0]:
            return "proved"
        done = int(tree.run.simulations)
        over = job.limit.time is not None and job.seconds >= job.limit.time and done
        return "stopped" if tree.stopped or over or tree.full or done >= self._most else ""

    def _decided(self, job: Job, found: SearchResult) -> bool:
        """Whether the most visited action stays so even if another gets all remaining visits.

        Until there were as many simulations as actions, the speed is unknown, and nothing is decided.
        """
        if found.nodes < len(job.actions):
            return False
        time = math.inf if job.limit.time is None else job.limit.time
        left = min(self._most * len(self.runners) - found.nodes, found.speed * max(0.0, time - found.seconds))
        first, second = sorted([0, *found.visits.values()])[-2:][::-1]
        return first - second > left

    def _result(self, job: Job) -> SearchResult:
        """The combined result of all trees."""
        counts = {action: _Count() for action in job.actions}
        player = job.player
        for tree in self.runners:
            first = int(tree.work.first[0])
            for node, action in enumerate(tree.actions_of(0), first):
                counts[action].add(tree, node, player)
                counts[action].add_spread(tree, node - first)
        best = _chosen(counts, self.game.bounds)
        ranked = sorted(
            (action for action in counts if counts[action].visits or counts[action].proved),
            key=lambda action: (action != best, -counts[action].visits, -counts[action].mean),
        )
        scores = {action: counts[action].value(self.game) for action in ranked}
        value = scores.get(best, Value.of(self.game, self.game.draw_value))
        sure = value.utility >= self.game.bounds[1] or all(count.proved for count in counts.values())
        if value.proved and not sure:  # there may be a better action
            value = Value.of(self.game, value.utility)
        line = self._line(job, best)
        return SearchResult(
            action=best,
            value=value,
            line=line,
            depth=max(int(tree.run.deepest) for tree in self.runners),
            nodes=sum(int(tree.run.simulations) for tree in self.runners),
            seconds=job.seconds,
            scores=scores,
            visits={action: count.visits for action, count in counts.items()},
            lines=[line],
            algorithm=self.algorithm,
            rests_on=RESTS_ON if any(one.proved for one in scores.values()) else "",
            game=self.game,
            state=job.state,
        )

    def _line(self, job: Job, action: Action) -> list[Action]:
        """The principal variation: the action, and what would be chosen at each node of the first tree."""
        tree, game, line = self.runners[0], self.game, [action]
        node, state = 0, job.state
        while True:
            first = int(tree.work.first[node])
            actions = tree.actions_of(node)
            state = game.result(state, line[-1])
            if line[-1] not in actions or len(line) >= LAST_PLY or game.is_terminal(state):
                return line
            player = game.to_move(state)
            node = first + actions.index(line[-1])
            if player == CHANCE or not tree.work.count[node]:
                return line
            counts = {}
            for child, after in enumerate(tree.actions_of(node), int(tree.work.first[node])):
                counts[after] = _Count()
                counts[after].add(tree, child, player)
            chosen = _chosen(counts, game.bounds)
            if not (counts[chosen].visits or counts[chosen].proved):
                return line
            line.append(chosen)


class FlatMonteCarlo(MonteCarlo):
    """Flat Monte Carlo: playouts from each action at the root in turn, and no tree."""

    algorithm = "flat"
    label = "Flat Monte Carlo"

    def __init__(self, game: Game, *, memory: float = 64, threads: int = 1, seed: int | None = None) -> None:
        options = MctsOptions(flat=True, solver=False)
        super().__init__(game, memory=memory, threads=threads, seed=seed, options=options)


class _Count:
    """The statistics of an action, summed over trees."""

    def __init__(self) -> None:
        self.visits = 0
        self.sum = 0.0
        self.tries = 0
        """The visits of this search."""
        self.scatter = 0.0
        """The sum of the squared deviations of these visits' payoffs from their tree's mean."""
        self.proved = False
        self.exact = 0.0

    def add(self, tree: Tree, node: int, player: int) -> None:
        """Add a tree's statistics of the action of a player that leads to a node."""
        work = tree.work
        visits, total = int(work.visits[node]), float(work.sums[node])
        self.visits += visits
        self.sum += total
        if work.proved[node]:
            self.proved, self.exact = True, float(work.exact[node, player])

    def add_spread(self, tree: Tree, child: int) -> None:
        """Add the squared deviations of a tree's visits to a child of the root."""
        work = tree.work
        if tries := int(work.tries[child]):
            self.tries += tries
            self.scatter += max(0.0, float(work.squares[child]) - float(work.spreads[child]) ** 2 / tries)

    @property
    def mean(self) -> float:
        """The value of the action: proved, or the mean."""
        return self.exact if self.proved else self.sum / self.visits if self.visits else -math.inf

    @property
    def error(self) -> float | None:
        """The standard error of the mean; None if it is unknown.

        The visits of earlier searches, in a reused tree, are assumed to have the variance of this one's.
        """
        if self.proved or self.tries < 2:
            return None
        error = math.sqrt(self.scatter / (self.tries - 1) / self.visits)
        return error if math.isfinite(error) else None

    def value(self, game: Game) -> Value:
        """The value of the action."""
        return Value.of(game, self.mean, self.proved, error=self.error)


def _chosen(counts: dict[Action, _Count], bounds: tuple[float, float]) -> Action:
    """The most visited action, of equals the best; unless one is proved to be as good.

    A proved loss is chosen only if there is nothing else.
    """
    proved = [action for action, count in counts.items() if count.proved]
    others = [action for action, count in counts.items() if not count.proved]
    known = max(proved, key=lambda action: counts[action].exact, default=None)
    if not others:
        return known
    favourite = max(others, key=lambda action: (counts[action].visits, counts[action].mean))
    if (
        known is not None
        and counts[known].exact > bounds[0]
        and counts[known].exact >= counts[favourite].mean
    ):
        return known
    return favourite
