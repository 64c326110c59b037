"""Monte Carlo tree search as people hold it: trees that grow, a thread each, and what they say."""

from __future__ import annotations

import math
import threading
import time as clock
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from plies import bits
from plies.engine.background import Turns, stream
from plies.engine.limit import DEFAULT, Limit
from plies.engine.result import SearchResult
from plies.engine.root import blamed, check_facts, root_actions
from plies.engine.search_tree import MctsOptions, Tree
from plies.engine.table import checked
from plies.engine.value import Value
from plies.engine.worker import INFINITY, LAST_PLY
from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, State
from plies.validation import refuse_arrays

__all__ = ["MctsOptions", "MonteCarlo", "Tree"]

BATCH = 0.1
"""About how many seconds there are between two infos."""

RESTS_ON = "the rules alone: every line of the proof was followed to the end of the game"
"""What a proof rests on. Keys are compared to see repetitions, and nothing is proved by one."""


class MonteCarlo:
    """Searches one game by simulations, and keeps the part of its trees that the game goes on in.

    Each thread grows a tree of its own, and what the trees say of the actions at the root is added up. All
    trees together take `memory` megabytes at most, but always hold the actions at the root; a full tree grows
    no more, but goes on learning. The same seed, threads and number of simulations give the same answer.

    The action is the one visited most, and of equals the one of the best value; but a proved win is taken at
    once, what is proved to be at least as good as that action is preferred to it, and a proved loss is taken
    only if there is nothing else. A value that is not proved is a mean, with its standard error. That is the
    error of sampling alone: while a tree still grows, its mean is drawn to what weaker play brings.

    Threads that share an engine are served in turn. A search by the thread whose stream of infos is still
    open ends that stream.
    """

    def __init__(
        self,
        game: Game,
        *,
        memory: float = 64,
        threads: int = 1,
        seed: int | None = None,
        options: MctsOptions | None = None,
    ) -> None:
        if not isinstance(threads, int) or not 1 <= threads <= 256:
            raise BadParameter(f"there are from 1 to 256 threads, not {threads}")
        check_facts(game)
        self.game = game
        self.options = MctsOptions(**game.mcts_options) if options is None else options
        seeds = np.random.SeedSequence(seed).generate_state(threads, np.uint64)
        self._seeds = [bits.signed(int(seed)) for seed in seeds]
        room = checked(memory) / threads
        with blamed(game, None):
            refuse_arrays(game, game.initial())
            self.trees = [Tree(game, self.options, room, seed) for seed in self._seeds]
        self._turns = Turns()

    def search(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> SearchResult:
        """The best action, and what else was found out about the position: the last of `analyse`."""
        *_, found = self.analyse(state, limit, previous=previous)
        return found

    def analyse(
        self, state: State | None = None, limit: Limit | None = None, *, previous: Sequence[State] = ()
    ) -> Iterator[SearchResult]:
        """What has been found every so often, until a limit, `stop` or Ctrl-C ends the search.

        The limit's nodes are simulations here, and its depth does not count.
        """
        limit = limit or DEFAULT
        if limit.time is limit.nodes is None:
            raise BadParameter("playouts have no depth: the limit is a time or a number of simulations")
        state = self.game.initial() if state is None else state
        job = _Job(self, state, root_actions(self.game, state, previous), limit)
        with self._turns.turn(job.stop) as turn:
            job.begin(previous)
            yield from stream(job.work(turn.over), turn.stop, job.seconds_left())

    def stop(self) -> None:
        """End the search under way, which then gives the best it has; may be called from any thread."""
        self._turns.stop()

    def clear(self) -> None:
        """Discard the trees: what earlier searches have found is lost, and random numbers begin anew."""
        with self._turns.turn(lambda: None):
            for tree, seed in zip(self.trees, self._seeds, strict=True):
                tree.clear(seed)


class _Job:
    """One search."""

    def __init__(self, owner: MonteCarlo, state: State, actions: list[Action], limit: Limit) -> None:
        self.game, self.trees, self.state, self.actions = owner.game, owner.trees, state, actions
        self.most = -(-limit.nodes // len(self.trees)) if limit.nodes else INFINITY
        self.time = limit.time or math.inf
        self.early = owner.options.early and not owner.options.flat
        self.begun = clock.perf_counter()
        self.stopped = False
        self.failure: BaseException | None = None

    def begin(self, previous: Sequence[State]) -> None:
        """Have the trees ready. The time that takes counts."""
        self.begun = clock.perf_counter()
        for tree in self.trees:
            tree.begin(self.state, self.actions, previous)
        if self.stopped:  # meanwhile
            self.stop()

    def seconds_left(self) -> float | None:
        """The seconds until the limit of time; None if there is none."""
        if self.time == math.inf:
            return None
        return max(0.0, self.time - (clock.perf_counter() - self.begun))

    def stop(self) -> None:
        """End this search; may be called from any thread while it has its turn."""
        self.stopped = True
        for tree in self.trees:
            tree.stop()

    def work(self, done: Any) -> Iterator[SearchResult]:
        """Grow the trees side by side, and tell every so often what they say; call `done` when they rest."""
        others = [threading.Thread(target=self._grow, args=(tree,), daemon=True) for tree in self.trees[1:]]
        try:
            for thread in others:
                thread.start()
            try:
                for _ in self._batches(self.trees[0]):
                    found = self.found()
                    yield found
                    if self.early and self._decided(found):
                        break
            finally:
                if self._ended(self.trees[0]) != "stopped":
                    self.stop()
                for thread in others:
                    thread.join()
            if self.failure:
                raise self.failure
            last = self.found()
        finally:
            done()
        yield last

    def _decided(self, found: SearchResult) -> bool:
        """Whether the most visited action stays so even if another gets all the visits that are left.

        Before there was time for each action, the speed is a guess, and nothing is decided.
        """
        if found.nodes < len(self.actions):
            return False
        left = min(
            self.most * len(self.trees) - found.nodes, found.speed * max(0.0, self.time - found.seconds)
        )
        first, second = sorted([0, *found.visits.values()])[-2:][::-1]
        return first - second > left

    def _grow(self, tree: Tree) -> None:
        try:
            for _ in self._batches(tree):
                pass
        except BaseException as error:  # handed on to the thread that asked
            self.failure = error
            self.stop()

    def _batches(self, tree: Tree) -> Iterator[None]:
        size = 1
        while not self._ended(tree):
            before = clock.perf_counter()
            tree.grow(min(int(tree.run.simulations) + size, self.most))
            yield
            took = clock.perf_counter() - before
            size = max(1, min(2 * size, int(size * BATCH / took) if took > 0 else 2 * size))

    def _ended(self, tree: Tree) -> str:
        if tree.work.proved[0]:
            return "proved"
        over = clock.perf_counter() - self.begun >= self.time and tree.run.simulations
        return "stopped" if tree.stopped or over or tree.full or tree.run.simulations >= self.most else ""

    def found(self) -> SearchResult:
        """What all trees together say."""
        counts = {action: _Count() for action in self.actions}
        player = self.game.to_move(self.state)
        for tree in self.trees:
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
        line = self._line(best)
        return SearchResult(
            action=best,
            value=value,
            line=line,
            depth=max(int(tree.run.deepest) for tree in self.trees),
            nodes=sum(int(tree.run.simulations) for tree in self.trees),
            seconds=clock.perf_counter() - self.begun,
            scores=scores,
            visits={action: count.visits for action, count in counts.items()},
            lines=[line],
            algorithm="mcts",
            rests_on=RESTS_ON if any(one.proved for one in scores.values()) else "",
            game=self.game,
            state=self.state,
        )

    def _line(self, action: Action) -> list[Action]:
        """The action, and then what would be chosen at each node, as far as the first tree remembers."""
        tree, game, line = self.trees[0], self.game, [action]
        node, state = 0, self.state
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


class _Count:
    """What trees have counted of an action."""

    def __init__(self) -> None:
        self.visits = 0
        self.sum = 0.0
        self.tries = 0
        """The visits of this search …"""
        self.scatter = 0.0
        """… and their number times their variance, within each tree."""
        self.proved = False
        self.exact = 0.0

    def add(self, tree: Tree, node: int, player: int) -> None:
        """Count what a tree says of the action of a player that leads to a node."""
        work = tree.work
        visits, total = int(work.visits[node]), float(work.sums[node])
        self.visits += visits
        self.sum += total
        if work.proved[node]:
            self.proved, self.exact = True, float(work.exact[node, player])

    def add_spread(self, tree: Tree, child: int) -> None:
        """Count how far apart a tree's visits to a child of the root lie."""
        work = tree.work
        if tries := int(work.tries[child]):
            self.tries += tries
            self.scatter += max(0.0, float(work.squares[child]) - float(work.spreads[child]) ** 2 / tries)

    @property
    def mean(self) -> float:
        """What the action is worth: exactly, or on average."""
        return self.exact if self.proved else self.sum / self.visits if self.visits else -math.inf

    @property
    def error(self) -> float | None:
        """The standard error of the mean; None if it cannot be told.

        The visits of earlier searches, in a tree that was kept, are taken to be spread as those of this one.
        """
        if self.proved or self.tries < 2:
            return None
        error = math.sqrt(self.scatter / (self.tries - 1) / self.visits)
        return error if math.isfinite(error) else None

    def value(self, game: Game) -> Value:
        """The value of the action in words."""
        return Value.of(game, self.mean, self.proved, error=self.error)


def _chosen(counts: dict[Action, _Count], bounds: tuple[float, float]) -> Action:
    """The action visited most, of equals the best; unless one is proved that is as good.

    What is proved to be the worst that can be is chosen only if there is nothing else.
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
