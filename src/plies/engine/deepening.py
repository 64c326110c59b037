"""Engines for dice and for many players: their kernels at the root, to depth 1, 2, 3, …."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from plies import bits
from plies.compiled import Kernel
from plies.compiled.workspace import Workspace
from plies.engine import faults
from plies.engine import table as tables
from plies.engine.background import Turn, Turns, stream
from plies.engine.kernels.expectiminimax import HOPE, expectiminimax, place_of
from plies.engine.kernels.max_n import LINE, SHARES, max_n
from plies.engine.limit import DEFAULT, Limit
from plies.engine.options import Options
from plies.engine.result import SearchResult, rests_on
from plies.engine.root import blamed, check_facts, checked_lines, checked_total, root_actions
from plies.engine.value import AT_MOST, EXACT, Value
from plies.engine.worker import INFINITY, LAST_PLY
from plies.errors import BadParameter
from plies.game import CHANCE, Action, Game, State
from plies.validation import capped, checked_bounds, refuse_arrays, require

STACK = 1 << 16
"""How many actions the positions on the path may have together, at first; it grows when it must."""

HUGE = 1e300
"""With bounds beyond this, what Star1 and Star2 reckon with would overflow."""

ENTRY = 31
"""The bytes of an entry of the table, its verification key included."""

ULP = 1e-15
"""More, in parts of the greatest value, than an addition or two can be off by: four times the spacing of
double-precision numbers just below 1, and more."""


@dataclass(frozen=True)
class _Rooted:
    """What is known of an action at the root: what it is worth to the player to move."""

    action: Action
    value: float = -math.inf
    bound: str = EXACT
    solved: bool = False
    line: tuple[Action, ...] = ()
    """What follows, as far as known, up to the next roll of the dice."""


class _Again(Exception):
    """What this depth was searched by did not hold, and now it does: search it once more."""


class Deepening:
    """What the engines of this module share: iterative deepening, limits, and a stream of infos."""

    algorithm = ""
    rests_on = "Every line that matters was searched to its end."
    """What a proof rests on, in a sentence."""
    run: Any
    work: Workspace

    def __init__(self, game: Game) -> None:
        self.game = game
        self.stopped = False
        check_facts(game)
        self.low, self.high = checked_bounds(game)
        self.largest = max(abs(self.low), abs(self.high))
        self._turns = Turns()
        with blamed(game, None):
            self._start = game.initial()
        refuse_arrays(game, self._start)

    def search(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> SearchResult:
        """The best action, and what else was found out about the position: the last of `analyse`."""
        *_, found = self.analyse(state, limit, lines=lines, previous=previous)
        return found

    def analyse(
        self,
        state: State | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        previous: Sequence[State] = (),
    ) -> Iterator[SearchResult]:
        """What has been found after each completed depth, until a limit, `stop` or Ctrl-C ends the search.

        It goes on until the best `lines` actions have exact values, proved ones, or a limit ends it. Threads
        that share an engine are served in turn.
        """
        limit = limit or DEFAULT
        state = self._start if state is None else state
        checked_lines(lines)
        actions = root_actions(self.game, state, previous)
        with self._turns.turn(self._stop) as turn:
            self._begin(state, limit, previous)
            yield from stream(self._work(turn, state, actions, limit, lines), turn.stop, limit.time)

    def _begin(self, state: State, limit: Limit, previous: Sequence[State]) -> None:
        """Get ready for a search: nothing counted, nothing known but what stands in the table."""
        self.stopped = False
        for name in ("nodes", "inexact", "hits", "cuts", "first_cuts", "stop", "full", "beyond"):
            if hasattr(self.run, name):
                setattr(self.run, name, 0)
        self.run.limit = limit.nodes or INFINITY
        if self.game.cycles:
            with blamed(self.game, state):
                self._look_back([*previous, state])

    def _work(
        self, turn: Turn, state: State, actions: list[Action], limit: Limit, lines: int
    ) -> Iterator[SearchResult]:
        try:
            yield from self._deepen(state, actions, limit, lines)
        finally:
            turn.over()

    def _look_back(self, states: Sequence[State]) -> None:
        """Note the positions that the game has been through, the present one last."""
        game = self.game
        keys = [game.repetition_key(state) for state in states]
        if not game.superko:  # as the kernels do
            keys = [bits.mix(key ^ game.to_move(state)) for key, state in zip(keys, states, strict=True)]
        self.run.previous = len(keys) - 1
        self.work.path = np.zeros(len(keys) + LAST_PLY + 2, np.int64)
        self.work.path[: len(keys)] = keys

    def stop(self) -> None:
        """End the search under way, which then gives the best it has; may be called from any thread."""
        self._turns.stop()

    def _stop(self) -> None:
        self.stopped = True
        self.run.stop = 1

    def _deepen(
        self, state: State, actions: list[Action], limit: Limit, lines: int
    ) -> Iterator[SearchResult]:
        begun = clock.perf_counter()
        with blamed(self.game, state):
            player = self.game.to_move(state)
        roots = [_Rooted(action) for action in actions]
        done = 0
        yield self._found(state, roots, done, begun, lines)
        for depth in range(1, min(limit.depth or INFINITY, int(self.run.last_ply)) + 1):
            try:
                deeper = self._searched(state, roots, player, depth, lines)
            except _Again:
                deeper = self._searched(state, roots, player, depth, lines)
            left = roots[len(deeper) :]
            # A stable order: of equals, the one that was ahead before.
            deeper.sort(key=lambda one: (one.bound != EXACT, -one.value))
            roots = deeper + [_Rooted(root.action, root.value, AT_MOST, line=root.line) for root in left]
            if not left:
                done = depth
            yield self._found(state, roots, done, begun, lines)
            if self.run.stop or self.stopped or all(root.solved for root in roots):
                return

    def _searched(
        self, state: State, roots: list[_Rooted], player: int, depth: int, lines: int
    ) -> list[_Rooted]:
        """What the actions are worth at a depth, in the order they have: all of them, unless stopped."""
        deeper: list[_Rooted] = []
        for root in roots:
            exact = sorted((one.value for one in deeper if one.bound == EXACT), reverse=True)
            enough = exact[lines - 1] if len(exact) >= lines else -math.inf
            inexact = self.run.inexact
            self.work.line[0] = root.action
            with blamed(self.game, state):
                child = self.game.result(state, root.action)
            refuse_arrays(self.game, child)
            value = self._worth(state, child, player, enough, depth - 1)
            if self.run.stop:
                break
            bound = EXACT if value > enough else AT_MOST
            solved, line = self.run.inexact == inexact, self._line(state, root.action)
            deeper.append(_Rooted(root.action, value, bound, solved, line))
        return deeper

    def _worth(self, root: State, child: State, player: int, enough: float, depth: int) -> float:
        raise NotImplementedError

    def _line(self, state: State, action: Action) -> tuple[Action, ...]:
        raise NotImplementedError

    def _found(
        self, state: State, roots: list[_Rooted], depth: int, begun: float, lines: int
    ) -> SearchResult:
        best, run, game = roots[0], self.run, self.game
        known = [root for root in roots if root.value > -math.inf]
        proved = all(root.solved for root in roots)
        nothing = min(max(game.draw_value, self.low), self.high)
        return SearchResult(
            action=best.action,
            value=Value.of(game, best.value, proved) if known else Value.of(game, nothing),
            line=list(best.line or (best.action,)),
            depth=depth,
            nodes=int(run.nodes),
            seconds=clock.perf_counter() - begun,
            cuts=int(run.cuts),
            scores={root.action: Value.of(game, root.value, root.solved, bound=root.bound) for root in known},
            lines=[list(root.line or (root.action,)) for root in roots[:lines]],
            algorithm=self.algorithm,
            rests_on=self.rests_on,
            game=game,
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
    expectiminimax, to the last bit and whichever `options` are on; a roll of the dice is a ply. In games with
    cycles nothing is called proved that a repetition might change.
    """

    algorithm = "expectiminimax"

    def __init__(self, game: Game, *, memory: float = 64, options: Options | None = None) -> None:
        super().__init__(game)
        if game.players != 1:
            require(game, "expectiminimax", players=2, zero_sum=True)
        if options is not None and not isinstance(options, Options):
            raise BadParameter(f"options are given as Options(…), not as {options!r}")
        self.options = Options(**game.refinements) if options is None else options
        self.run = np.zeros(1, HOPE).view(np.recarray)[0]
        self.run.low, self.run.high = self.low, self.high
        self.run.total = checked_total(game)
        self.run.grain = ULP * self.largest
        self.run.limit = INFINITY
        self.run.last_ply = LAST_PLY
        self.run.superko = game.superko
        self.run.verify = not game.exact_key or game.has("plies_left")
        if self.options.table and not game.cycles:  # with cycles, no entry is taken for a proof
            self.rests_on = rests_on(game)
        for name in ("table", "candidates", "priority", "child_order"):
            setattr(self.run, name, getattr(self.options, name))
        self.run.priority = self.options.priority and game.has("priority")
        finite = self.largest < HUGE
        self.run.star1, self.run.star2 = finite and self.options.star1, finite and self.options.star2
        self.room = 1 << max(2, int(math.log2(tables.checked(memory) * 2**20 / ENTRY)))
        self._prepare(STACK, np.int64)
        number = 0.0
        self.compiled = self._choose(expectiminimax, self._start, number, number, 1, 0, self.run, self.work)
        if not self.compiled:
            self.room = min(self.room, 1 << 16)
            self._prepare(STACK, object)

    def _prepare(self, stack: int, actions: Any) -> None:
        nothing = None if actions is object else -1
        self.work = Workspace(
            actions=np.full(stack, nothing, actions),
            order=np.zeros(stack),
            indices=np.zeros(stack, np.int64),
            least=np.zeros(stack),
            most=np.zeros(stack),
            odds=np.zeros(stack),  # probabilities in the game's own order …
            worth=np.zeros(stack),  # … and what the outcomes turned out to be worth
            line=np.full(LAST_PLY + 4, nothing, actions),
            path=np.zeros(1, np.int64),
            keys=np.zeros(self.room, np.int64),
            checks=np.zeros(self.room if self.run.verify else 1, np.int64),
            values=np.zeros(self.room),
            depths=np.zeros(self.room, np.int16),
            bests=np.zeros(self.room, np.int32),
            bounds=np.zeros(self.room, np.int8),
        )

    def _grow(self) -> None:
        """Make the stack twice as large."""
        old = vars(self.work)
        for name in ("actions", "order", "indices", "least", "most", "odds", "worth"):
            setattr(self.work, name, np.resize(old[name], 2 * len(old[name])))

    def clear(self) -> None:
        """Empty the table: what earlier searches have found is lost."""
        self.work.depths[:] = 0

    def _worth(self, root: State, child: State, player: int, enough: float, depth: int) -> float:
        run, work = self.run, self.work
        run.viewer = player
        # Probabilities that sum to a little more than 1 take values beyond the bounds, further at each roll.
        width = 2 * faults.ROUNDING * self.largest * (depth + 2)
        run.least, run.most = self.low - width, self.high + width
        while True:
            run.top = 0
            args = child, enough, math.inf, depth, 1, run, work
            value = float(faults.call(self.call, self.game, root, run, work, *args))
            if not run.full:
                return value
            self._grow()
            run.full = 0
            run.stop = int(self.stopped)

    def _line(self, state: State, action: Action) -> tuple[Action, ...]:
        """The actions that the table remembers, up to the next roll of the dice."""
        game, work, line = self.game, self.work, [action]
        with blamed(game, state):
            state = game.result(state, action)
            while self.run.table and not game.is_terminal(state) and game.to_move(state) != CHANCE:
                place = place_of(game.key(state), self.run, work)
                given = game.candidates(state) if self.run.candidates else game.actions(state)
                actions = list(capped(game, state, given))
                best = int(work.bests[place])
                known = work.keys[place] == game.key(state) and work.depths[place] > 0
                if not known or not 0 <= best < len(actions) or len(line) >= LAST_PLY:
                    break
                line.append(actions[best])
                state = game.result(state, actions[best])
        return tuple(line)

    def _found(
        self, state: State, roots: list[_Rooted], depth: int, begun: float, lines: int
    ) -> SearchResult:
        found = super()._found(state, roots, depth, begun, lines)
        counted = {"hits": int(self.run.hits), "first_cuts": int(self.run.first_cuts)}
        return SearchResult(**{**vars(found), **counted})


class MaxN(Deepening):
    """Searches a game of any number of players, each after their own payoff, dice or no dice.

    Where the utilities of all players have a constant sum, and estimates no greater one, shallow pruning
    leaves out what cannot matter (`pruning=False`: nothing is left out). Of equal actions, the first is
    taken. In games with cycles nothing is called proved that a repetition might change.
    """

    algorithm = "max-n"

    def __init__(self, game: Game, *, pruning: bool = True) -> None:
        super().__init__(game)
        self.run = np.zeros(1, SHARES).view(np.recarray)[0]
        self.run.low, self.run.high = self.low, self.high
        self.run.sum = checked_total(game)
        self.run.shallow = self.pruning = bool(pruning and game.constant_sum)
        self.run.limit = INFINITY
        self.run.last_ply = LAST_PLY
        self.run.superko = game.superko
        self._prepare(np.int64)
        self.compiled = self._choose(max_n, self._start, 0, 0.0, 1, 0, self.run, self.work)
        if not self.compiled:
            self._prepare(object)

    def _prepare(self, actions: Any) -> None:
        nothing = None if actions is object else -1
        self.work = Workspace(
            payoffs=np.zeros((LAST_PLY + 2, self.game.players)),
            line=np.full(LAST_PLY + 2, nothing, actions),
            lines=np.full(LINE * LINE, nothing, actions),
            lengths=np.zeros(LINE, np.int64),
            path=np.zeros(1, np.int64),
        )

    def _line(self, state: State, action: Action) -> tuple[Action, ...]:
        length = int(self.work.lengths[1])
        return action, *self.work.lines[LINE : LINE + length].tolist()

    def _worth(self, root: State, child: State, player: int, enough: float, depth: int) -> float:
        run, work = self.run, self.work
        # What rounding, and probabilities that sum to a little more than 1, may add at each ply.
        run.slack = 4 * faults.ROUNDING * self.largest * self.game.players * (depth + 2)
        args = child, player, enough, depth, 1, run, work
        faults.call(self.call, self.game, root, run, work, *args)
        if run.beyond and run.shallow:  # estimates have another sum, so nothing may be left out
            run.shallow = run.beyond = 0
            raise _Again
        return float(work.payoffs[1, player])
