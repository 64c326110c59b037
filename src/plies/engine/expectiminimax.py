"""Expectiminimax for games with dice, of one player or of two against each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plies.engine import faults
from plies.engine import table as tables
from plies.engine.deepening import Deepening
from plies.engine.driver import Job
from plies.engine.kernels.chance_ordering import place_of
from plies.engine.kernels.expectiminimax import HOPE, expectiminimax
from plies.engine.options import Options, checked_options, write_options
from plies.engine.result import rests_on
from plies.engine.root import blamed, checked_total
from plies.engine.runner import LAST_PLY, Arrays, Runner
from plies.game import CHANCE, Action, Game, State
from plies.needs import Needs
from plies.validation import capped

STACK = 1 << 16
"""How many actions the positions on the path may have together, at first; it grows when it must."""

HUGE = 1e300
"""With bounds beyond this, what Star1 and Star2 reckon with would overflow."""

ENTRY = 31
"""The bytes of an entry of the table, its verification key included."""

INTERPRETED_ENTRIES = 1 << 16
"""Interpreted, a larger table would never be filled."""

ULP = 1e-15
"""More, in parts of the greatest value, than an addition or two can be off by: four times the spacing of
double-precision numbers just below 1, and more."""


class _Runner(Runner):
    stacked = ("actions", "order", "indices", "least", "most", "odds", "worth")


class Expectiminimax(Deepening):
    """Searches a game with dice, of one player or of two against each other, and remembers what it has found.

    `memory` is the size of its table in megabytes. At any depth its values are those of the book's
    expectiminimax, to the last bit and whichever `options` are on; a roll of the dice is a ply. In games with
    cycles nothing is called proved that a repetition might change.
    """

    algorithm = "expectiminimax"
    label = "Expectiminimax"
    needs = Needs(players=2, alone_too=True, zero_sum=True)
    counters = ("nodes", "inexact", "hits", "cuts", "first_cuts", "full")

    def __init__(self, game: Game, *, memory: float = 64, options: Options | None = None) -> None:
        super().__init__(game)
        self.options = checked_options(options, game)
        self._verify = not game.exact_key or game.has("plies_left")
        if self.options.table and not game.cycles:  # with cycles, no entry is taken for a proof
            self.rests_on = rests_on(game)
        self._entries = 1 << max(2, int(math.log2(tables.checked(memory) * 2**20 / ENTRY)))
        fields = {
            "low": self.low,
            "high": self.high,
            "total": checked_total(game),
            "grain": ULP * self.largest,
            "superko": game.superko,
            "verify": self._verify,
        }
        number = 0.0
        args = (self.first, number, number, 1, 0)
        self.runners = [_Runner(game, expectiminimax, HOPE, fields, self._arrays, args, STACK)]
        run = self.runner.run
        write_options(run, "expectiminimax", self.options, self.runner.uses)
        if self.largest >= HUGE:
            run.star1 = run.star2 = 0
        self.compiled = self.runner.compiled

    def _arrays(self, stack: int, actions: Any) -> Arrays:
        nothing, entries = -1, self._entries
        if actions is object:
            nothing, entries = None, min(entries, INTERPRETED_ENTRIES)  # type: ignore[assignment]
        return {
            "actions": np.full(stack, nothing, actions),
            "order": np.zeros(stack),
            "indices": np.zeros(stack, np.int64),
            "least": np.zeros(stack),
            "most": np.zeros(stack),
            "odds": np.zeros(stack),  # probabilities in the game's own order …
            "worth": np.zeros(stack),  # … and what the outcomes turned out to be worth
            "line": np.full(LAST_PLY + 4, nothing, actions),
            "path": np.zeros(1, np.int64),
            "keys": np.zeros(entries, np.int64),
            "checks": np.zeros(entries if self._verify else 1, np.int64),
            "values": np.zeros(entries),
            "depths": np.zeros(entries, np.int16),
            "bests": np.zeros(entries, np.int32),
            "bounds": np.zeros(entries, np.int8),
        }

    def _clear(self) -> None:
        self.runner.work.depths[:] = 0

    def _value(self, job: Job, child: State, enough: float, depth: int) -> float:
        run = self.runner.run
        run.viewer = job.player
        # Probabilities that sum to a little more than 1 take values beyond the bounds, further at each roll.
        width = 2 * faults.ROUNDING * self.largest * (depth + 2)
        run.least, run.most = self.low - width, self.high + width
        return float(self.runner.call(job.state, child, enough, math.inf, depth, 1))

    def _line(self, job: Job, action: Action) -> tuple[Action, ...]:
        """The actions that the table remembers, up to the next roll of the dice or a repetition."""
        game, run, work, line = self.game, self.runner.run, self.runner.work, [action]
        passed: set[int] = set()
        with blamed(game, job.state):
            state = game.result(job.state, action)
            while run.table and not game.is_terminal(state) and game.to_move(state) != CHANCE:
                key = game.key(state)
                place = place_of(key, run, work)
                given = game.candidates(state) if run.candidates else game.actions(state)
                actions = list(capped(game, state, given))
                best = int(work.bests[place])
                known = work.keys[place] == key and work.depths[place] > 0
                if not known or not 0 <= best < len(actions) or len(line) >= LAST_PLY or key in passed:
                    break
                passed.add(key)
                line.append(actions[best])
                state = game.result(state, actions[best])
        return tuple(line)
