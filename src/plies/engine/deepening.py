"""Engines for dice and for many players: their kernels at the root, to depth 1, 2, 3, …."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies.compiled import Kernel
from plies.compiled.workspace import Workspace
from plies.engine import table as tables
from plies.engine.expect import HOPE, expect
from plies.engine.found import Found
from plies.engine.limit import DEFAULT, Limit
from plies.engine.many import LINE, SHARES, max_n
from plies.engine.options import Options
from plies.engine.thinking import stream
from plies.engine.value import AT_MOST, EXACT, Value
from plies.engine.worker import INFINITY, LAST_PLY
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Action, Game, State, require
from plies.history import legal_actions

STACK = 1 << 16
"""How many actions the positions on the path may have together, at first; it grows when it must."""

HUGE = 1e300
"""Stands for bounds that are not finite."""

ENTRY = 26
"""The bytes of an entry of the table."""


@dataclass(frozen=True)
class _Rooted:
    """What is known of an action at the root: what it is worth to the player to move."""

    action: Action
    value: float = -math.inf
    bound: str = EXACT
    solved: bool = False
    line: tuple[Action, ...] = ()
    """What follows, as far as known, up to the next roll of the dice."""


class Deepening:
    """What the engines of this module share: iterative deepening, limits, and a stream of infos."""

    algorithm = ""
    kernel: Kernel
    run: Any
    work: Workspace

    def __init__(self, game: Game) -> None:
        self.game = game
        self.stopped = False

    def search(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        past: Sequence[State] = (),
    ) -> Found:
        """The best action, and what else was found out about the position: the last of `infos`."""
        *_, found = self.infos(state, limit, lines=lines, past=past)
        return found

    def infos(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        past: Sequence[State] = (),
    ) -> Iterator[Found]:
        """What has been found after each completed depth, until a limit, `stop` or Ctrl-C ends the search."""
        limit = limit or DEFAULT
        state = self.game.initial() if state is None else state
        actions = [] if self.game.is_terminal(state) else legal_actions(self.game, state, past)
        if not actions:
            raise PliesError("there is nothing to search: the game is over")
        if self.game.to_move(state) == CHANCE:
            raise PliesError("there is nothing to search: it is for chance to move")
        if lines < 1:
            raise BadParameter(f"there is at least 1 line, not {lines}")
        self.stopped = False
        for name in ("nodes", "horizon", "cuts", "stop"):
            setattr(self.run, name, 0)
        self.run.limit = limit.nodes or INFINITY
        yield from stream(self._deepen(state, actions, limit, lines), self.stop, limit.time)

    def stop(self) -> None:
        """End the search under way, which then gives the best it has; may be called from any thread."""
        self.stopped = True
        self.run.stop = 1

    def _deepen(self, state: State, actions: list[Action], limit: Limit, lines: int) -> Iterator[Found]:
        begun = clock.perf_counter()
        player = self.game.to_move(state)
        roots = [_Rooted(action) for action in actions]
        done = 0
        yield self._found(state, roots, done, begun, lines)
        for depth in range(1, min(limit.depth or INFINITY, int(self.run.last_ply)) + 1):
            deeper: list[_Rooted] = []
            for root in roots:
                exact = sorted((one.value for one in deeper if one.bound == EXACT), reverse=True)
                enough = exact[lines - 1] if len(exact) >= lines else -math.inf
                horizon = self.run.horizon
                value = self._worth(self.game.result(state, root.action), player, enough, depth - 1)
                if self.run.stop:
                    break
                bound = EXACT if value > enough or enough == -math.inf else AT_MOST
                solved, line = self.run.horizon == horizon, self._line(state, root.action)
                deeper.append(_Rooted(root.action, value, bound, solved, line))
            if self.run.stop and not deeper:
                return
            left = [root for root in roots if root.action not in {one.action for one in deeper}]
            # A stable order: of equals, the one that was ahead before.
            deeper.sort(key=lambda one: (one.bound != EXACT, -one.value))
            roots = deeper + [_Rooted(root.action, root.value, AT_MOST, line=root.line) for root in left]
            if not left:
                done = depth
            yield self._found(state, roots, done, begun, lines)
            if self.run.stop or self.stopped or all(root.solved for root in roots):
                return

    def _worth(self, child: State, player: int, enough: float, depth: int) -> float:
        raise NotImplementedError

    def _line(self, state: State, action: Action) -> tuple[Action, ...]:
        raise NotImplementedError

    def _found(self, state: State, roots: list[_Rooted], depth: int, begun: float, lines: int) -> Found:
        best, run = roots[0], self.run
        known = [root for root in roots if root.value > -math.inf]
        proved = all(root.solved for root in roots)
        return Found(
            action=best.action,
            value=Value(best.value, proved) if known else Value(0.0),
            line=list(best.line or (best.action,)),
            depth=depth,
            nodes=int(run.nodes),
            seconds=clock.perf_counter() - begun,
            cuts=int(run.cuts),
            scores={root.action: Value(root.value, root.solved, bound=root.bound) for root in known},
            lines=[list(root.line or (root.action,)) for root in roots[:lines]],
            algorithm=self.algorithm,
            game=self.game,
            state=state,
        )

    def _choose(self, kernel: Kernel, *args: Any) -> bool:
        """Take machine code if the game allows it, else interpret; whether it is machine code."""
        self.call = kernel.best_for(self.game, *args)
        if self.call is not kernel.interpreted:
            return True
        self.run = SimpleNamespace(**{name: self.run[name].item() for name in self.run.dtype.names})
        self.run.last_ply = LAST_PLY // 10
        return False


class Expectiminimax(Deepening):
    """Searches a game with dice, of one player or of two against each other, and remembers what it has found.

    `memory` is the size of its table in megabytes. At any depth its values are those of the book's
    expectiminimax, whichever `options` are on; a roll of the dice is a ply.
    """

    algorithm = "expectiminimax"

    def __init__(self, game: Game, *, memory: float = 64, options: Options | None = None) -> None:
        super().__init__(game)
        if game.players != 1:
            require(game, "expectiminimax", players=2, zero_sum=True)
        self.options = Options(**game.refinements) if options is None else options
        self.run = np.zeros(1, HOPE).view(np.recarray)[0]
        self.run.low, self.run.high = (max(-HUGE, min(HUGE, bound)) for bound in game.bounds)
        self.run.limit = INFINITY
        self.run.last_ply = LAST_PLY
        for name in ("table", "plausible", "priority", "child_order"):
            setattr(self.run, name, getattr(self.options, name))
        self.run.priority = self.options.priority and game.has("priority")
        finite = all(map(math.isfinite, game.bounds))
        self.run.star1, self.run.star2 = finite and self.options.star1, finite and self.options.star2
        self.room = 1 << max(2, int(math.log2(tables.checked(memory) * 2**20 / ENTRY)))
        self._prepare(STACK, np.int64)
        state, number = game.initial(), 0.0
        self.compiled = self._choose(expect, state, number, number, 1, 0, self.run, self.work)
        if not self.compiled:
            self.room = min(self.room, 1 << 16)
            self._prepare(STACK, object)

    def _prepare(self, stack: int, actions: Any) -> None:
        self.work = Workspace(
            actions=np.full(stack, None if actions is object else -1, actions),
            order=np.zeros(stack),
            indices=np.zeros(stack, np.int64),
            least=np.zeros(stack),
            most=np.zeros(stack),
            keys=np.zeros(self.room, np.int64),
            values=np.zeros(self.room),
            depths=np.zeros(self.room, np.int32),
            bests=np.zeros(self.room, np.int32),
            bounds=np.zeros(self.room, np.int8),
        )

    def forget(self) -> None:
        """Empty the table: what earlier searches have found is lost."""
        self.work.depths[:] = 0

    def _worth(self, child: State, player: int, enough: float, depth: int) -> float:
        sign = 1 if player == 0 else -1
        alpha, beta = (enough, math.inf) if player == 0 else (-math.inf, -enough)
        while True:
            self.run.top = 0
            value = self.call(self.game, child, alpha, beta, depth, 1, self.run, self.work)
            if not self.run.full:
                return sign * float(value)
            self._prepare(2 * len(self.work.actions), self.work.actions.dtype)
            self.run.full = 0
            self.run.stop = int(self.stopped)

    def _line(self, state: State, action: Action) -> tuple[Action, ...]:
        """The actions that the table remembers, up to the next roll of the dice."""
        game, line = self.game, [action]
        state = game.result(state, action)
        while self.run.table and not game.is_terminal(state) and game.to_move(state) != CHANCE:
            place = game.key(state) & (self.room - 1)
            actions = list(game.plausible(state) if self.run.plausible else game.actions(state))
            best = int(self.work.bests[place])
            known = self.work.keys[place] == game.key(state) and self.work.depths[place] > 0
            if not known or not 0 <= best < len(actions) or len(line) >= LAST_PLY:
                break
            line.append(actions[best])
            state = game.result(state, actions[best])
        return tuple(line)

    def _found(self, state: State, roots: list[_Rooted], depth: int, begun: float, lines: int) -> Found:
        found = super()._found(state, roots, depth, begun, lines)
        counted = {"hits": int(self.run.hits), "first_cuts": int(self.run.first_cuts)}
        return Found(**{**vars(found), **counted})


class MaxN(Deepening):
    """Searches a game of any number of players, each after their own payoff, dice or no dice.

    Where the utilities of all players sum to zero, and estimates too, shallow pruning leaves out what cannot
    matter (`pruning=False`: nothing is left out). Of equal actions, the first is taken.
    """

    algorithm = "max-n"

    def __init__(self, game: Game, *, pruning: bool = True) -> None:
        super().__init__(game)
        self.run = np.zeros(1, SHARES).view(np.recarray)[0]
        self.run.low, self.run.high = game.bounds
        self.run.shallow = self.pruning = pruning and game.zero_sum
        self.run.limit = INFINITY
        self.run.last_ply = LAST_PLY
        self._prepare(np.int64)
        state = game.initial()
        self.compiled = self._choose(max_n, state, 0, 0.0, 1, 0, self.run, self.work)
        if not self.compiled:
            self._prepare(object)

    def _prepare(self, actions: Any) -> None:
        self.work = Workspace(
            payoffs=np.zeros((LAST_PLY + 2, self.game.players)),
            lines=np.full(LINE * LINE, None if actions is object else -1, actions),
            lengths=np.zeros(LINE, np.int64),
        )

    def _line(self, state: State, action: Action) -> tuple[Action, ...]:
        length = int(self.work.lengths[1])
        return action, *self.work.lines[LINE : LINE + length].tolist()

    def _worth(self, child: State, player: int, enough: float, depth: int) -> float:
        self.call(self.game, child, player, enough, depth, 1, self.run, self.work)
        if self.run.beyond and self.run.shallow:  # the bounds do not hold, so nothing may be left out
            self.run.shallow = self.run.beyond = 0
            self.call(self.game, child, player, enough, depth, 1, self.run, self.work)
        return float(self.work.payoffs[1, player])
