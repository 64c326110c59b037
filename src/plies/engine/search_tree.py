"""The tree of Monte Carlo tree search, as its driver sees it: made, grown by threads, kept between moves."""

from __future__ import annotations

import heapq
import math
import operator
from collections.abc import Sequence
from numbers import Integral
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies.compiled.workspace import Workspace
from plies.engine import faults
from plies.engine.kernels.backup import NOTHING
from plies.engine.kernels.playout import CHOICES, MOVE_INDICES
from plies.engine.kernels.uct import TREE, adopt, count_prior, grow, position
from plies.engine.networks import network_arrays
from plies.engine.options import MctsOptions
from plies.engine.probing import Prober
from plies.engine.root import blamed
from plies.engine.runner import LAST_PLY, Arrays, Code, Runner, plain, unfilled
from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, State
from plies.game_heuristics import NO_ACTION
from plies.network import Learned
from plies.validation import checked_bounds

LONGEST = 2000
"""The plies after which a playout is cut short and evaluated statically. Not tuned."""

PARAMETERS = ("exploration", "rave", "evaluation", "widening", "expansion_threshold", "flat")
"""The options that the kernel reads as they are."""

WIDEST = 1e290
"""The greatest absolute utility: MOST_VISITS of these, 2e9, sum to less than the largest double, 1.8e308."""

MOST_VISITS = (1 << 31) - 2
"""The most visits of a node: they are counted in 32 bits."""

REUSE = 4
"""The plies from the last root within which a position is searched for in the tree: a move and a roll of the
dice of each of two players."""

LOOKED_AT = 400
"""The most nodes searched for it, the most visited first: hundredths of a second in go. Not tuned."""


class Tree(Runner):
    """A tree of one game, with the kernel that grows it; or a further thread, which grows that of another."""

    recursive = False

    def __init__(
        self,
        game: Game,
        first: State,
        options: MctsOptions,
        memory: float,
        seed: int,
        threads: int = 1,
        shared: Tree | None = None,
        code: Code | None = None,
        prober: Prober | None = None,
        network: Learned | None = None,
    ) -> None:
        self.game, self.prober, self.network = game, prober, network
        self.shared = shared
        self.root: State | None = None
        self.grown_with: set[int] = set()
        """The earlier positions with which everything in this tree was compared."""
        self.barriers: Sequence[int] = ()
        """What the wins by a database in this tree do not lead through: see `Prober`."""
        low, high = checked_bounds(game)
        if not -WIDEST <= low <= high <= WIDEST:
            raise BadParameter(
                f"Monte Carlo tree search sums up utilities of at most {WIDEST:g} either way; "
                f"the bounds of {type(game).__name__} are {game.bounds}: scale them down"
            )
        against = game.players == 2 and game.constant_sum
        solver = options.solver and (game.players == 1 or against)
        fields = {
            "low": low,
            "best": high,
            "unit": 1 / (high - low) if high - low > 1 / WIDEST else 1.0,
            "last_ply": LAST_PLY - 1,
            "longest": LONGEST,
            "random": seed,
            "threads": threads,
            **{name: getattr(options, name) for name in PARAMETERS},
            "priors": options.priors and game.has("priority"),
            "policy": options.policy and (game.has("playout") or game.has("pattern")),
            "virtual": options.virtual and game.has("prior"),
            "superko": game.superko,
            "solver": solver,
            "total": game.total if solver and against else math.nan,
            "rounding": faults.ROUNDING * max(1, high),
        }
        self.used = _by_node(game, fields)
        """The arrays with a place for each node, and whether they are used."""
        self.room = max(2, int(memory * 2**20) // node_size(game, self.used)) if shared is None else 2
        self.rave = options.rave > 0
        super().__init__(game, grow, TREE, fields, self._arrays, (first,), code=code)

    @property
    def kept(self) -> list[str]:
        """The arrays in use that have a place for each node."""
        return [name for name, used in self.used.items() if used]

    def _arrays(self, _: int, actions: Any) -> Arrays:
        room, players = self.room, self.game.players
        move_indices = MOVE_INDICES if self.rave else 1

        def size(name: str) -> int:
            return room if self.used[name] else 1

        return {  # uct.py describes those not described here
            # By node.
            "visits": np.zeros(room, np.int32),
            "pending": np.zeros(size("pending"), np.int32),
            "sums": np.zeros(room),
            "first": np.zeros(room, np.int32),
            "siblings": np.zeros(room, np.int32),
            "actions": unfilled(room, actions),
            "priors": np.zeros(size("priors")),
            "proved": np.zeros(room, np.int8),
            "exact": np.zeros((size("exact"), players)),
            "move_indices": np.zeros(size("move_indices"), np.int16),
            "rave_visits": np.zeros(size("rave_visits"), np.int32),
            "rave_sums": np.zeros(size("rave_sums")),
            "prior_visits": np.zeros(size("prior_visits"), np.float32),
            "prior_sums": np.zeros(size("prior_sums")),
            # By move index: the last simulation in which the action was taken, times PLAYERS, plus who was
            # the first to take it; and at which ply.
            "taken": np.zeros(move_indices, np.int64),
            "taken_at": np.zeros(move_indices, np.int64),
            "choices": unfilled(CHOICES, actions),  # the actions of a playout's position
            "payoffs": np.zeros(players),
            # By child of the root.
            "tries": np.zeros(1, np.int64),
            "spreads": np.zeros(1),
            "squares": np.zeros(1),
            # By ply.
            "trail": np.zeros(LAST_PLY, np.int64),
            "movers": np.zeros(LAST_PLY, np.int64),
            "line": unfilled(LAST_PLY + LONGEST, actions),
            "before": np.full(2, NO_ACTION, actions),  # the last two actions before the root
            "known": np.full(LAST_PLY, NOTHING, np.int64),
            "path": np.zeros(2 * LAST_PLY, np.int64),
            **(self.prober.arrays() if self.prober else {}),
            **network_arrays(self.network, self.game, plies=1),
        }

    def clear(self, seed: int) -> None:
        """Discard the tree, and reseed."""
        self.root = None
        self.run.random = seed

    def begin(self, state: State, actions: Sequence[Action], previous: Sequence[State]) -> None:
        """Get ready to grow from a state; if it is in the tree, the tree below it is kept.

        Not so if the game has been through a position that the tree was not grown with: repetitions of it
        would change values and proofs.
        """
        with blamed(self.game, state):
            before = {self._position(one) for one in previous} if self.game.cycles else set()
            node = self._kept(state, actions, before)
            self.root = None  # until all is ready
            self._set_out(state, previous)
            if node is None:
                self._plant(state, actions)
            elif node or self.run.threads > 1:
                self._keep(node)  # also moves the nodes of other threads, which begin anew behind them
        self.work.pending[: self.run.filled] = 0  # an error may have left some
        self.run.space = self.room
        self._count_anew(len(actions))
        self.grown_with = before
        self.barriers = self.prober.barriers if self.prober else ()
        self.root = state

    def join(self, number: int) -> None:
        """Get ready to grow the tree of the first thread together with others, as the one of that number.

        What is left of the nodes is divided equally among all threads, so the first gives up its share.
        """
        first = self.shared
        assert first is not None
        for name in self.used:
            setattr(self.work, name, getattr(first.work, name))
        for name in ("path", "before"):
            setattr(self.work, name, getattr(first.work, name).copy())
        self.reset("fault", "simulations", "plies", "deepest")
        self._probe_anew()
        self.work.taken[:] = 0
        self.run.previous = first.run.previous
        share = (first.room - int(first.run.filled)) // int(first.run.threads)
        self.run.filled = first.run.filled + number * share
        self.run.space = self.run.filled + share
        if number == first.run.threads - 1:
            first.run.space = first.run.filled + share
        self._count_anew(len(first.work.tries))
        self.root = first.root

    def _count_anew(self, actions: int) -> None:
        """Set to 0 what is counted for each of the root's actions."""
        self.work.tries = np.zeros(actions, np.int64)
        self.work.spreads, self.work.squares = np.zeros(actions), np.zeros(actions)

    def _kept(self, state: State, actions: Sequence[Action], before: set[int]) -> int | None:
        """The node of a state, if the tree below it is still valid."""
        found = self._find(state)
        if found is None:
            return None
        node, way = found
        if self.game.cycles and not before <= self.grown_with.union(map(self._position, way)):
            return None
        if self.prober and not all(map(operator.le, self.prober.barriers, self.barriers)):
            return None  # wins by a database may lead through positions that they must not lead through now
        return node if set(self.actions_of(node)) == set(actions) else None

    def _set_out(self, state: State, previous: Sequence[State]) -> None:
        """Reset the counters, and write the positions of the game so far to the path."""
        self.stopped = False
        self._probe_anew()
        run = self.run
        run.stop = run.fault = run.simulations = run.plies = run.deepest = run.previous = 0
        self.work.taken[:] = 0
        if run.policy or run.virtual:
            self.work.before[:] = _last_actions(self.game, [*previous, state])
        if self.game.cycles:
            keys = [self._position(one) for one in [*previous, state]]
            if len(keys) + LAST_PLY > len(self.work.path):
                self.work.path = np.zeros(len(keys) + LAST_PLY, np.int64)
            run.previous = len(keys) - 1
            self.work.path[: len(keys)] = keys

    def _probe_anew(self) -> None:
        if self.prober:
            self.prober.equip(self.work)

    def _position(self, state: State) -> int:
        """The key by which the kernel finds repetitions."""
        game = self.game
        mover = CHANCE if game.is_terminal(state) else game.to_move(state)
        return position(game, state, mover, int(game.superko))

    def actions_of(self, node: int) -> list[Action]:
        """The actions that lead to the children of a node."""
        nodes = self.children_of(node)
        return list(self.work.actions[nodes.start : nodes.stop].tolist())

    def children_of(self, node: int) -> range:
        """The children of a node in the tree."""
        first = int(self.work.first[node])
        return range(first, first + int(self.work.siblings[first]) if first else first)

    def _find(self, state: State) -> tuple[int, list[State]] | None:
        """The node of a state near the root, and the states on the way there."""
        if self.root is None:
            return None
        if self.root == state:
            return 0, []
        work = self.work
        waiting: list[tuple[int, int, list[State], Action]] = []

        def wait(node: int, way: list[State]) -> None:
            for child, action in zip(self.children_of(node), self.actions_of(node), strict=True):
                if work.visits[child]:
                    heapq.heappush(waiting, (-int(work.visits[child]), child, way, action))

        wait(0, [self.root])
        for _ in range(LOOKED_AT):
            if not waiting:
                break
            _, node, way, action = heapq.heappop(waiting)
            here = self.game.result(way[-1], action)
            if here == state:
                return node, way
            if len(way) < REUSE:
                wait(node, [*way, here])
        return None

    def _plant(self, state: State, actions: Sequence[Action]) -> None:
        """Make a tree of a root and its children; there is always room for these."""
        end = 1 + len(actions)
        if end > self.room:
            self.room = end
            path = self.work.path
            self.work = Workspace(**self._arrays(1, self.work.actions.dtype))
            self.work.path = path
        work, game, run = self.work, self.game, self.run
        for name in ("visits", "sums", "proved"):
            getattr(work, name)[0] = 0
        for node, action in enumerate(actions, 1):
            work.actions[node] = action
            if run.rave > 0:
                work.move_indices[node] = self._code(state, action) & (MOVE_INDICES - 1)
            if run.priors:
                work.priors[node] = game.priority(state, action)
            if run.virtual:
                count_prior(game.prior(state, action, plain(work.before[1])), node, run, work)
        # Interpreted rules want Python's own numbers, not NumPy's.
        own = SimpleNamespace(**{**vars(work), "actions": [None, *actions]}, has=work.has)
        adopt(self.prober.plain if self.prober else game, state, game.to_move(state), 1, end, 0, run, own)
        if run.fault:
            raise faults.broken(game, state, int(run.fault))
        work.first[0], run.filled = 1, end

    def _code(self, state: State, action: Action) -> int:
        code: Any = self.game.move_index(state, action)
        if not isinstance(code, Integral):
            raise BadParameter(
                f"RAVE identifies actions by number, and {action!r} has none: "
                f"give {type(self.game).__name__} a rule move_index(), or search with rave=0"
            )
        return int(code)

    def _keep(self, node: int) -> None:
        """Make a node the root, and discard all but the tree below it."""
        work = self.work
        kept, layer = [np.array([node])], np.array([node])
        while len(layer):
            first = work.first[layer]
            counts = np.where(first > 0, work.siblings[first], 0).astype(np.int64)
            offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            layer = np.repeat(first, counts) + offsets
            kept.append(layer)
        old = np.concatenate(kept)
        new = np.zeros(self.room, np.int64)
        new[old] = np.arange(len(old))
        for name in self.kept:
            array = getattr(work, name)
            array[: len(old)] = array[old]
        work.first[: len(old)] = new[work.first[: len(old)]]
        self.run.filled = len(old)

    def grow(self, simulations: int) -> None:
        """Grow up to a number of simulations, counted from `begin`."""
        left = max(0, MOST_VISITS - int(self.work.visits[0]))
        self.run.limit = min(simulations, int(self.run.simulations) + left)
        if self.stopped:
            return
        root = self.root
        try:
            self.call(root, root)
        except BaseException:
            (self.shared or self).root = None  # the tree is not kept
            raise

    @property
    def full(self) -> bool:
        """Whether the root has as many visits as can be counted."""
        return bool(self.work.visits[0] >= MOST_VISITS)


def _last_actions(game: Game, states: Sequence[State]) -> list[Action]:
    """The last two actions of a game, or NO_ACTION where none leads from one state to the next."""
    found: list[Action] = [NO_ACTION, NO_ACTION]
    for i in range(2):
        if len(states) > 2 - i:
            one, other = states[i - 3], states[i - 2]
            if not game.is_terminal(one):
                ways = (action for action in game.actions(one) if game.result(one, action) == other)
                found[i] = next(ways, NO_ACTION)
    return found


def _by_node(game: Game, fields: dict[str, Any]) -> dict[str, bool]:
    """The arrays with a place for each node, and whether they are used."""
    return {
        **dict.fromkeys(("visits", "sums", "first", "siblings", "actions", "proved"), True),
        "pending": bool(fields["threads"] > 1),
        "priors": bool(fields["priors"] or game.stochastic),
        "exact": bool(fields["solver"]),
        **dict.fromkeys(("move_indices", "rave_visits", "rave_sums"), bool(fields["rave"] > 0)),
        **dict.fromkeys(("prior_visits", "prior_sums"), bool(fields["virtual"])),
    }


def node_size(game: Game, used: dict[str, bool]) -> int:
    """The bytes that a node takes."""
    size = dict.fromkeys(("visits", "pending", "first", "siblings", "rave_visits", "prior_visits"), 4)
    size |= {"proved": 1, "move_indices": 2, "exact": 8 * game.players}
    return sum(size.get(name, 8) for name, kept in used.items() if kept)
