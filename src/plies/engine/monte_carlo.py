"""Monte Carlo tree search as people hold it: trees that grow, a thread each, and what they say."""

from __future__ import annotations

import math
import threading
import time as clock
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies import bits
from plies.compiled.workspace import Workspace
from plies.engine.found import Found
from plies.engine.limit import DEFAULT, Limit
from plies.engine.table import checked
from plies.engine.thinking import stream
from plies.engine.uct import CODES, TREE, grow, level
from plies.engine.value import Value
from plies.engine.worker import INFINITY, LAST_PLY
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Action, Game, State
from plies.history import legal_actions

LONGEST = 2000
"""The plies after which a random game is given up, and what is then estimated counts."""

CHOICES = 1 << 14
"""The most actions of a position that a random game chooses from."""

NODE = 62
"""The bytes that a position takes in a tree."""

BATCH = 0.1
"""About how many seconds there are between two infos."""

REUSE = 4
"""How many plies after the last root a position is looked for in the tree."""


@dataclass(frozen=True)
class Simulations:
    """How Monte Carlo tree search goes about it."""

    exploration: float = 0.7
    """How much an action gains by having been tried little, in parts of the range of utilities."""

    rave: float = 0
    """How many visits weigh as much as what an action did when it was taken later in a simulation; 0: that
    does not count. For games in which actions commute."""

    priors: bool = False
    """Take the game's `priority` for how likely an action is to be the best."""

    evaluation: float = 0
    """How much of a position's worth comes from EVAL, from 0 to 1; the rest comes from random games."""

    widening: float = 0
    """Look at no more outcomes of chance than this times the square root of the visits; 0: at all."""

    patience: int = 1
    """How often a position is visited before its children are put in the tree."""

    policy: bool = True
    """Let the game choose the actions of random games, if it has a `rollout` of its own."""

    solver: bool = True
    """Back up proved wins and losses, in games of one player or of two against each other."""

    early: bool = False
    """End before the limit, once no other action can any more become the most visited."""

    flat: bool = False
    """No tree: the actions at the root are tried by random games, each as often as the next."""

    def __post_init__(self) -> None:
        for name in ("exploration", "rave", "widening"):
            if not getattr(self, name) >= 0:
                raise BadParameter(f"{name} is 0 or more, not {getattr(self, name)}")
        if not 0 <= self.evaluation <= 1:
            raise BadParameter(f"evaluation is from 0 to 1, not {self.evaluation}")
        if self.patience < 1:
            raise BadParameter(f"patience is 1 visit or more, not {self.patience}")


class MonteCarlo:
    """Searches one game by simulations, and keeps the part of its trees that the game goes on in.

    Each thread grows a tree of its own, and what the trees say of the actions at the root is added up. All
    trees together take `memory` megabytes at most; a full tree grows no more, but goes on learning. The same
    seed, threads and number of simulations give the same answer.
    """

    def __init__(
        self,
        game: Game,
        *,
        memory: float = 64,
        threads: int = 1,
        seed: int | None = None,
        options: Simulations | None = None,
    ) -> None:
        if not 1 <= threads <= 256:
            raise BadParameter(f"there are from 1 to 256 threads, not {threads}")
        self.game = game
        self.options = Simulations(**game.simulations) if options is None else options
        seeds = np.random.SeedSequence(seed).generate_state(threads, np.uint64)
        self._seeds = [bits.signed(int(seed)) for seed in seeds]
        room = max(2, int(checked(memory) * 2**20) // NODE // threads)
        self.trees = [Tree(game, self.options, room, seed) for seed in self._seeds]

    def search(
        self, state: State | None = None, limit: Limit | None = None, *, past: Sequence[State] = ()
    ) -> Found:
        """The best action, and what else was found out about the position: the last of `infos`."""
        *_, found = self.infos(state, limit, past=past)
        return found

    def infos(
        self, state: State | None = None, limit: Limit | None = None, *, past: Sequence[State] = ()
    ) -> Iterator[Found]:
        """What has been found every so often, until a limit, `stop` or Ctrl-C ends the search.

        The limit's nodes are simulations here, and its depth does not count.
        """
        limit = limit or DEFAULT
        if limit.time is limit.nodes is None:
            raise BadParameter("random games have no depth: the limit is a time or a number of simulations")
        state = self.game.initial() if state is None else state
        actions = [] if self.game.is_terminal(state) else legal_actions(self.game, state, past)
        if not actions:
            raise PliesError("there is nothing to search: the game is over")
        if self.game.to_move(state) == CHANCE:
            raise PliesError("there is nothing to search: it is for chance to move")
        job = _Job(self, state, actions, limit, past)
        yield from stream(job.work(), self.stop, limit.time)

    def stop(self) -> None:
        """End the search under way, which then gives the best it has; may be called from any thread."""
        for tree in self.trees:
            tree.stop()

    def forget(self) -> None:
        """Fell the trees: what earlier searches have found is lost, and random numbers begin anew."""
        for tree, seed in zip(self.trees, self._seeds, strict=True):
            tree.forget(seed)


class Tree:
    """A tree of one game, with the kernel that grows it."""

    def __init__(self, game: Game, options: Simulations, room: int, seed: int) -> None:
        self.game = game
        self.root: State | None = None
        self.room = room
        self.stopped = False
        self.run: Any = np.zeros(1, TREE).view(np.recarray)[0]
        low, high = game.bounds
        self.run.low, self.run.best, self.run.unit = low, high, 1 / (high - low) if high > low else 1.0
        self.run.last_ply = LAST_PLY - 1
        self.run.longest = LONGEST
        self.run.random = seed
        for name in ("exploration", "rave", "evaluation", "widening", "patience", "flat"):
            setattr(self.run, name, getattr(options, name))
        self.run.priors = options.priors and game.has("priority")
        self.run.policy = options.policy and game.has("rollout")
        self.run.solver = options.solver and (game.players == 1 or (game.players == 2 and game.zero_sum))
        self._prepare(np.int64)
        self.kernel = self._compiled()

    def _prepare(self, actions: Any) -> None:
        nothing, room = None if actions is object else -1, self.room
        codes = self.game.players * CODES if self.run.rave else 1
        self.work = Workspace(
            visits=np.zeros(room, np.int32),
            sums=np.zeros(room),
            first=np.zeros(room, np.int32),
            count=np.zeros(room, np.int32),
            actions=np.full(room, nothing, actions),
            priors=np.zeros(room),
            proved=np.zeros(room, np.int8),
            exact=np.zeros(room),
            codes=np.zeros(room, np.int16),
            rave_visits=np.zeros(room, np.int32),
            rave_sums=np.zeros(room),
            taken=np.zeros(codes, np.int64),
            taken_at=np.zeros(codes, np.int64),
            choices=np.full(CHOICES, nothing, actions),
            payoffs=np.zeros(self.game.players),
            trail=np.zeros(LAST_PLY, np.int64),
            movers=np.zeros(LAST_PLY, np.int64),
            proved_best=np.zeros(LAST_PLY),
            path=np.zeros(2 * LAST_PLY, np.int64),
        )

    def _compiled(self) -> Any:
        """Machine code if the game allows it; else actions may be any objects."""
        best = grow.best_for(self.game, self.game.initial(), self.run, self.work)
        if best is not grow.interpreted:
            return best
        self._prepare(object)
        self.run = SimpleNamespace(**{name: self.run[name].item() for name in TREE.names or ()})
        return grow.interpreted

    @property
    def compiled(self) -> bool:
        """Whether this runs as machine code."""
        return self.kernel is not grow.interpreted

    def forget(self, seed: int) -> None:
        """Begin anew."""
        self.root = None
        self.run.random = seed

    def begin(self, state: State, actions: Sequence[Action], past: Sequence[State]) -> None:
        """Get ready to grow from a state: where it stands in the tree, the tree below it is kept."""
        node = self._find(state)
        if node is None or set(self._actions(node)) != set(actions):
            self._plant(state, actions)
        elif node:
            self._keep(node)
        self.root = state
        self.stopped = False
        self.run.stop = self.run.simulations = self.run.plies = self.run.deepest = 0
        self.work.taken[:] = 0
        if self.game.cycles:
            keys = [self.game.key(one) for one in past][-LAST_PLY:]
            self.run.past = len(keys)
            self.work.path[: len(keys)] = keys

    def _actions(self, node: int) -> list[Action]:
        first, count = int(self.work.first[node]), int(self.work.count[node])
        return list(self.work.actions[first : first + count].tolist())

    def _find(self, state: State) -> int | None:
        """Where a state stands in the tree, not far from the root."""
        if self.root is None:
            return None
        places = [(0, self.root)]
        for _ in range(REUSE + 1):
            for node, here in places:
                if here == state:
                    return node
            places = [
                (first, self.game.result(here, action))
                for node, here in places
                for first, action in enumerate(self._actions(node), int(self.work.first[node]))
                if not self.game.is_terminal(here) and self.work.visits[first]
            ]
        return None

    def _plant(self, state: State, actions: Sequence[Action]) -> None:
        """A tree of a root and its children: as many as there is room for."""
        work, game, run = self.work, self.game, self.run
        end = min(1 + len(actions), self.room)
        for name in ("visits", "sums", "count", "proved", "rave_visits", "rave_sums", "priors"):
            getattr(work, name)[:end] = 0
        for place, action in zip(range(1, end), actions, strict=False):
            work.actions[place] = action
            if run.rave > 0:
                work.codes[place] = game.code(state, action) & (CODES - 1)
            if run.priors:
                work.priors[place] = game.priority(state, action)
            if run.solver and game.is_terminal(child := game.result(state, action)):
                work.proved[place] = 1
                work.exact[place] = game.utility(child, game.to_move(state))
        if run.priors:
            level(1, end, work)
        work.first[0], work.count[0], run.filled = 1, end - 1, end

    def _keep(self, node: int) -> None:
        """Make a position the root, and keep nothing but what is below it."""
        work = self.work
        kept, layer = [np.array([node])], np.array([node])
        while len(layer):
            counts = work.count[layer].astype(np.int64)
            offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            layer = np.repeat(work.first[layer], counts) + offsets
            kept.append(layer)
        old = np.concatenate(kept)
        new = np.zeros(self.room, np.int64)
        new[old] = np.arange(len(old))
        for name in (
            *("visits", "sums", "first", "count", "actions", "priors", "proved", "exact", "codes"),
            *("rave_visits", "rave_sums"),
        ):
            array = getattr(work, name)
            array[: len(old)] = array[old]
        work.first[: len(old)] = new[work.first[: len(old)]]
        self.run.filled = len(old)

    def grow(self, simulations: int) -> None:
        """Go on up to so many simulations since the beginning."""
        self.run.limit = simulations
        if not self.stopped:
            self.kernel(self.game, self.root, self.run, self.work)

    def stop(self) -> None:
        """End the growth under way; may be called from any thread."""
        self.stopped = True
        self.run.stop = 1


class _Job:
    """One search."""

    def __init__(
        self,
        owner: MonteCarlo,
        state: State,
        actions: list[Action],
        limit: Limit,
        past: Sequence[State],
    ) -> None:
        self.game, self.trees, self.state, self.actions = owner.game, owner.trees, state, actions
        self.most = -(-limit.nodes // len(self.trees)) if limit.nodes else INFINITY
        self.time = limit.time or math.inf
        self.early = owner.options.early and not owner.options.flat
        for tree in self.trees:
            tree.begin(state, actions, past)
        self.begun = clock.perf_counter()
        self.failure: BaseException | None = None

    def work(self) -> Iterator[Found]:
        """Grow the trees side by side, and tell every so often what they say."""
        others = [threading.Thread(target=self._grow, args=(tree,), daemon=True) for tree in self.trees[1:]]
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
                for tree in self.trees:
                    tree.stop()
            for thread in others:
                thread.join()
        if self.failure:
            raise self.failure
        yield self.found()

    def _decided(self, found: Found) -> bool:
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
        return "stopped" if tree.stopped or tree.run.simulations >= self.most else ""

    def found(self) -> Found:
        """What all trees together say: the action visited most, or one that is proved to be better."""
        visits = dict.fromkeys(self.actions, 0)
        sums = dict.fromkeys(self.actions, 0.0)
        exact: dict[Action, float] = {}
        for tree in self.trees:
            first = int(tree.work.first[0])
            for place, action in enumerate(tree._actions(0), first):
                visits[action] += int(tree.work.visits[place])
                sums[action] += float(tree.work.sums[place])
                if tree.work.proved[place]:
                    exact[action] = float(tree.work.exact[place])
        scores = {
            action: Value(exact[action], True) if action in exact else Value(sums[action] / visits[action])
            for action in self.actions
            if visits[action] or action in exact
        }
        best = self._best(scores, visits)
        proved = best in exact and (exact[best] >= self.game.bounds[1] or len(exact) == len(self.actions))
        value = scores.get(best, Value(0.0))
        value = Value(value.utility, proved)
        seconds = clock.perf_counter() - self.begun
        return Found(
            action=best,
            value=value,
            line=self._line(best),
            depth=max(int(tree.run.deepest) for tree in self.trees),
            nodes=sum(int(tree.run.simulations) for tree in self.trees),
            seconds=seconds,
            scores=dict(sorted(scores.items(), key=lambda item: -visits[item[0]])),
            visits=visits,
            lines=[self._line(best)],
            algorithm="mcts",
            game=self.game,
            state=self.state,
        )

    def _best(self, scores: dict[Action, Value], visits: dict[Action, int]) -> Action:
        """A proved best action; else the most visited of those that are not proved to be worse."""
        if not scores:
            return self.actions[0]
        open_ones = [action for action in scores if not scores[action].proved]
        proved = [action for action in scores if scores[action].proved]
        best_proved = max(proved, key=lambda action: scores[action], default=None)
        if not open_ones:
            return best_proved
        favourite = max(open_ones, key=lambda action: (visits[action], scores[action].utility))
        if best_proved is not None and scores[best_proved].utility >= scores[favourite].utility:
            return best_proved
        return favourite

    def _line(self, action: Action) -> list[Action]:
        """The most visited actions, one after the other, as far as the first tree remembers them."""
        tree, game, line = self.trees[0], self.game, [action]
        work, node, state = tree.work, 0, self.state
        while True:
            first, count = int(work.first[node]), int(work.count[node])
            place = next((i for i in range(first, first + count) if work.actions[i] == line[-1]), None)
            state = game.result(state, line[-1])
            if place is None or game.is_terminal(state) or game.to_move(state) == CHANCE:
                return line
            node, first, count = place, int(work.first[place]), int(work.count[place])
            if count == 0 or len(line) >= LAST_PLY:
                return line
            child = first + int(np.argmax(work.visits[first : first + count]))
            if work.visits[child] == 0:
                return line
            action = work.actions[child]
            line.append(int(action) if isinstance(action, np.integer) else action)
