"""Monte Carlo tree search: threads that share one tree, and its result. The kernel is uct.py."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from plies import bits
from plies.engine.driver import Search, checked_threads
from plies.engine.job import Job
from plies.engine.limit import Limit
from plies.engine.networks import NO, YES, chosen_network
from plies.engine.options import MctsOptions
from plies.engine.probing import prober_for, with_database
from plies.engine.result import SearchResult
from plies.engine.root import blamed
from plies.engine.runner import INFINITY, LAST_PLY, Code
from plies.engine.search_tree import Tree
from plies.engine.table import checked
from plies.engine.value import Value
from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, State
from plies.network import Learned
from plies.retrograde.database import Database

BATCH = 0.1
"""The seconds between two results, about. Not tuned."""

RESTS_ON = "the rules alone: every line of the proof was followed to the end of the game"
"""What a proof rests on. Keys are compared to find repetitions only, and no proof rests on one."""


class MonteCarlo(Search):
    """Searches one game by simulations, and keeps the subtree that the game goes on in.

    All threads grow one tree: simulations that are under way count as lost, so that others look elsewhere
    (virtual loss). It takes at most `memory` megabytes, but always holds the root's actions; a full tree gets
    no more nodes, but its statistics go on. On one thread, the same seed and number of simulations give the
    same result; on several, the result depends on how they take turns.

    The action is the most visited one, and of equals that with the best mean; but a proved win is taken at
    once, a proved value at least as good as that mean is preferred, and a proved loss is taken only if there
    is nothing else. A value that is not proved is a mean with its standard error: the error of sampling only,
    as the mean of a growing tree still includes weaker play. It probes a `database` of the game, or those
    that were made before; with False, none. `network` evaluates leaves in place of playouts, or as much of
    each as `evaluation` says: "yes" for the game's own, if it has one, "no", or the name of a file.

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
        database: Database | bool = True,
        network: str | Learned = YES,
    ) -> None:
        super().__init__(game)
        count = checked_threads(threads)
        self.options = MctsOptions(**game.mcts_options) if options is None else options
        self.network = chosen_network(game, network)
        if self.network is not None and self.options.evaluation == 0:
            self.options = replace(self.options, evaluation=1)
        self.prober = prober_for(game, database) if self.options.solver else None
        seeds = np.random.SeedSequence(seed).generate_state(count, np.uint64)
        self._seeds = [bits.signed(int(seed)) for seed in seeds]
        self._room = checked(memory)
        self._equip(Code(wait=False))

    def _equip(self, code: Code) -> None:
        super()._equip(code)
        with blamed(self.game, None):
            self.tree = self._tree(self._seeds[0], code)
            self.runners = [self.tree, *(self._tree(seed, code, self.tree) for seed in self._seeds[1:])]

    def _tree(self, seed: int, code: Code, shared: Tree | None = None) -> Tree:
        given = (self.game, self.first, self.options, self._room, seed, len(self._seeds), shared, code)
        return Tree(*given, self.prober, self.network)

    def _clear(self) -> None:
        """Discard the tree, and reseed."""
        for tree, seed in zip(self.runners, self._seeds, strict=True):
            tree.clear(seed)

    def _job(
        self, state: State | None, limit: Limit, lines: int, previous: Sequence[State], streaming: bool
    ) -> Job:
        if limit.depth is not None and limit.time is limit.nodes is None:
            raise BadParameter("playouts have no depth: the limit is a time or a number of simulations")
        return super()._job(state, limit, lines, previous, streaming)

    def _begin(self, job: Job) -> None:
        if self.prober:
            self.prober.set_out(job.state, job.previous)
        self.tree.begin(job.state, job.actions, job.previous)
        for number, other in enumerate(self.runners[1:], 1):
            other.join(number)
        self._preferences = self.prober.preferences(job.state, job.actions) if self.prober else {}
        self._earlier = _Earlier(self.tree)
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
        """Wait for the other threads, which have as many simulations; if the root is proved, stop them."""
        if self._ended(job, self.tree) != "stopped":
            super()._stop_others(job)
        for thread in job.threads:
            thread.join()
        job.threads.clear()
        self._earlier.settle(self.runners)

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
        """The result of all threads."""
        counts = {action: _Count() for action in job.actions}
        player, tree = job.player, self.tree
        for child, (node, action) in enumerate(zip(tree.children_of(0), tree.actions_of(0), strict=True)):
            counts[action].add(tree, node, player)
            if len(self.runners) > 1:
                counts[action].visits, counts[action].sum = self._earlier.with_those_of(self.runners, child)
            for runner in self.runners:
                counts[action].add_spread(runner, child)
        best = _chosen(counts, self.game.bounds, self._preferences)
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
        found = SearchResult(
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
        return with_database(found, self.prober, self.runners)

    def _line(self, job: Job, action: Action) -> list[Action]:
        """The principal variation: the action, and what would be chosen at each node of the tree."""
        tree, game, line = self.tree, self.game, [action]
        node, state = 0, job.state
        while True:
            children = tree.children_of(node)
            actions = tree.actions_of(node)
            state = game.result(state, line[-1])
            if line[-1] not in actions or len(line) >= LAST_PLY or game.is_terminal(state):
                return line
            player = game.to_move(state)
            node = children[actions.index(line[-1])]
            if player == CHANCE or not tree.children_of(node):
                return line
            counts = {}
            for child, after in zip(tree.children_of(node), tree.actions_of(node), strict=True):
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
        super().__init__(game, memory=memory, threads=threads, seed=seed, options=options, network=NO)


class _Earlier:
    """The statistics of the root's actions before a search, to which each thread adds what it has counted.

    Threads that visit a node at one time may lose a visit in the tree, but not in counts of their own.
    """

    def __init__(self, tree: Tree) -> None:
        nodes = tree.children_of(0)
        self.tree = tree
        self.simulations = int(tree.work.visits[0])
        self.visits = tree.work.visits[nodes.start : nodes.stop].copy()
        self.sums = tree.work.sums[nodes.start : nodes.stop].copy()

    def with_those_of(self, threads: Sequence[Tree], child: int) -> tuple[int, float]:
        """The visits of a child of the root, and the sum of their payoffs."""
        visits, total = int(self.visits[child]), float(self.sums[child])
        for one in threads:
            tries = int(one.work.tries[child])
            visits += tries
            total += float(one.work.spreads[child]) + tries * float(one.run.centre)
        return visits, total

    def settle(self, threads: Sequence[Tree]) -> None:
        """Write what several threads have counted into the tree, in which nobody counts any more."""
        if len(threads) > 1:
            work = self.tree.work
            for child, node in enumerate(self.tree.children_of(0)):
                work.visits[node], work.sums[node] = self.with_those_of(threads, child)
            work.visits[0] = self.simulations + sum(int(one.run.simulations) for one in threads)


class _Count:
    """The statistics of an action."""

    def __init__(self) -> None:
        self.visits = 0
        self.sum = 0.0
        self.tries = 0
        """The visits of this search."""
        self.scatter = 0.0
        """The sum of the squared deviations of these visits' payoffs from their thread's mean."""
        self.proved = False
        self.exact = 0.0

    def add(self, tree: Tree, node: int, player: int) -> None:
        """Take the statistics of the action of a player that leads to a node."""
        work = tree.work
        visits, total = int(work.visits[node]), float(work.sums[node])
        self.visits, self.sum = visits, total
        if work.proved[node]:
            self.proved, self.exact = True, float(work.exact[node, player])

    def add_spread(self, tree: Tree, child: int) -> None:
        """Add the squared deviations of a thread's visits to a child of the root."""
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


def _chosen(
    counts: dict[Action, _Count], bounds: tuple[float, float], preferences: Mapping[Action, int] = {}
) -> Action:
    """The most visited action, of equals the best; unless one is proved to be as good.

    A proved loss is chosen only if there is nothing else; of equal proofs, the one that a database prefers.
    """
    proved = [action for action, count in counts.items() if count.proved]
    others = [action for action, count in counts.items() if not count.proved]
    known = max(proved, key=lambda action: (counts[action].exact, preferences.get(action, 0)), default=None)
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
