"""Expectiminimax for games with dice, of one player or of two against each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plies.engine import faults
from plies.engine import table as tables
from plies.engine.deepening import Deepening
from plies.engine.job import Job
from plies.engine.kernels.chance_ordering import place_of
from plies.engine.kernels.expectiminimax import RUN, expectiminimax
from plies.engine.networks import YES, chosen_network, network_arrays
from plies.engine.options import Options, checked_options, switched_off, write_options
from plies.engine.result import rests_on
from plies.engine.root import blamed
from plies.engine.runner import LAST_PLY, Arrays, Code, Runner, unfilled
from plies.game import CHANCE, Action, Game, State
from plies.needs import Needs
from plies.network import Learned
from plies.validation import capped, checked_total

STACK = 1 << 16
"""The places of the stack at first: the actions of all positions on the path. It grows when full. Not
tuned."""

HUGE = 1e300
"""With bounds beyond this, the sums of Star1 and Star2 might exceed the largest double, 1.8e308."""

ENTRY = 31
"""The bytes of a table entry: key 8, verification key 8, value 8, depth 2, best action 4, bound 1."""

INTERPRETED_ENTRIES = 1 << 16
"""The most entries when interpreted, which is too slow to fill a larger table. Not tuned."""

ULP = 1e-15
"""Relative to the greatest value, more than the rounding error of an addition or two: over four times the
spacing of doubles just above 1, 2.2e-16."""


class _Runner(Runner):
    stacked = ("actions", "order", "indices", "least", "most", "odds", "worth")


class Expectiminimax(Deepening):
    """Searches a game with dice, of one player or of two against each other, and remembers what it has found.

    `memory` is the size of its table in megabytes. At any depth its values equal the book's expectiminimax
    to the last bit, whichever `options` are on; a roll of the dice is a ply. In games with cycles, nothing is
    called proved that a repetition might change. `network` evaluates positions: "yes" for the game's own, if
    it has one, "no", or the name of a file.
    """

    algorithm = "expectiminimax"
    label = "Expectiminimax"
    needs = Needs(players=2, alone_too=True, zero_sum=True)
    counters = ("nodes", "inexact", "hits", "cuts", "first_cuts", "full")

    def __init__(
        self,
        game: Game,
        *,
        memory: float = 64,
        options: Options | None = None,
        network: str | Learned = YES,
    ) -> None:
        super().__init__(game)
        self.network = chosen_network(game, network)
        self.options = checked_options(options, game)
        self._verify = not game.exact_key or game.has("plies_left")
        if self.options.table and not game.cycles:  # with cycles, no entry is taken for a proof
            self.rests_on = rests_on(game)
        self._entries = 1 << max(2, int(math.log2(tables.checked(memory) * 2**20 / ENTRY)))
        self._equip(Code(wait=False))

    def _equip(self, code: Code) -> None:
        super()._equip(code)
        game = self.game
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
        off = switched_off("expectiminimax", self.options, game, self.network is not None)
        self.runners = [_Runner(game, expectiminimax, RUN, fields, self._arrays, args, STACK, off, code)]
        self.runner.network = self.network
        run = self.runner.run
        write_options(run, "expectiminimax", self.options, self.runner.uses)
        if self.largest >= HUGE:
            run.star1 = run.star2 = 0

    def _arrays(self, stack: int, actions: Any) -> Arrays:
        entries = min(self._entries, INTERPRETED_ENTRIES) if actions is object else self._entries
        return {
            # The stack: the actions or outcomes of all positions on the path, in the order of search.
            "actions": unfilled(stack, actions),
            "order": np.zeros(stack),  # by which they are ordered; of an outcome, its probability
            "indices": np.zeros(stack, np.int64),  # their places in the game's own order
            "least": np.zeros(stack),  # of an outcome: the lower bound of its value
            "most": np.zeros(stack),  # of an outcome: the upper bound
            "odds": np.zeros(stack),  # in the game's own order: an outcome's probability
            "worth": np.zeros(stack),  # in the game's own order: an outcome's value
            # By ply.
            "line": unfilled(LAST_PLY + 4, actions),  # the actions from the root to here
            "path": np.zeros(1, np.int64),  # repetition keys, `previous` positions first
            # By entry of the table.
            "keys": np.zeros(entries, np.int64),
            "checks": np.zeros(entries if self._verify else 1, np.int64),  # verification keys of proofs
            "values": np.zeros(entries),  # to the viewer
            "depths": np.zeros(entries, np.int16),  # plies searched; 0: free; SOLVED: a proof
            "bests": np.zeros(entries, np.int32),  # the index of the best action, or -1
            "bounds": np.zeros(entries, np.int8),  # EXACT, LOWER or UPPER
            **network_arrays(self.network, self.game),
        }

    def _clear(self) -> None:
        self.runner.work.depths[:] = 0

    def _value(self, job: Job, child: State, enough: float, depth: int) -> float:
        run = self.runner.run
        run.viewer = job.player
        # Probabilities that sum to a little more than 1 may take values beyond the bounds, at each roll.
        width = 2 * faults.ROUNDING * self.largest * (depth + 2)
        run.least, run.most = self.low - width, self.high + width
        return float(self.runner.call(job.state, child, enough, math.inf, depth, 1))

    def _line(self, job: Job, action: Action) -> tuple[Action, ...]:
        """The best actions by the table, up to the next roll of the dice or a repetition."""
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
