"""Kalah(m, n): a mancala game in which a last seed in the store earns another turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from plies.bits import mix, multiply
from plies.games import weights as evaluation
from plies.games.mancala import Mancala, State

WEIGHTS = (1.0, 1.75, 1.5, 1.5)
"""The weights of the features, in seeds. Fitted to deep searches."""


class Kalah(Mancala):
    """Kalah with any houses a side and seeds a house. An action is a house, 0 the furthest from the store.

    With `empty_capture`, a last seed in an empty house of the player's own is captured even if the house
    opposite is empty: the rule of "Solving Kalah" (Irving, Donkers and Uiterwijk, 2000).
    """

    feature_names = ("stores", "houses with seeds", "extra turns", "tempo")
    rules = (
        "Take all seeds of one of your houses and sow them one by one: in your next houses, in your store, "
        "in your opponent's houses, and on, skipping their store. If the last seed falls in your store, you "
        "move again. If it falls in an empty house of yours and there are seeds in the house opposite, all "
        "of these go to your store. When one player's houses are empty, the other keeps the seeds left; the "
        "player with more wins. South begins."
    )
    measured_levels = "levels/kalah.json"

    def __init__(
        self,
        houses: int = 6,
        seeds: int = 4,
        empty_capture: bool = False,
        weights: Sequence[float] | None = None,
    ) -> None:
        super().__init__(houses, seeds)
        self.weights = evaluation.chosen(WEIGHTS, weights)
        self.empty_capture = empty_capture
        self.to_store = sum(houses - house << house * self.digit for house in range(houses))
        self.exact_key = (2 * houses + 1) * self.digit < 64
        self.sown_mine, self.sown_theirs = self._sowings()

    def _sowings(self) -> tuple[np.ndarray, np.ndarray]:
        """What sowing each number of seeds from each house adds to the mover's side, and to the other."""
        mine, theirs = [], []
        for house in range(self.houses):
            sides = [0, 0]
            for seeds in range(self.stock + 1):
                mine.append(sides[0])
                theirs.append(sides[1])
                side, place = divmod((house + seeds + 1) % (2 * self.houses + 1), self.houses + 1)
                sides[side] += 1 << place * self.digit
        return np.array(mine), np.array(theirs)

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            for i in range(self.houses):
                house = self.houses - 1 - i  # those near the store first: these earn extra turns
                if state.mine >> house * self.digit & self.house:
                    yield house

    def result(self, state: State, house: int) -> State:
        shift = house * self.digit
        seeds = state.mine >> shift & self.house
        sowing = house * (self.stock + 1) + seeds
        mine = state.mine - (seeds << shift) + int(self.sown_mine[sowing])
        theirs = state.theirs + int(self.sown_theirs[sowing])
        last = (house + seeds) % (2 * self.houses + 1)
        if last == self.houses:
            return State(state.player, mine, theirs)
        if last < self.houses and mine >> last * self.digit & self.house == 1:
            opposite = (self.houses - 1 - last) * self.digit
            taken = theirs >> opposite & self.house
            if taken or self.empty_capture:
                mine += (taken + 1 << self.houses * self.digit) - (1 << last * self.digit)
                theirs -= taken << opposite
        return State(1 - state.player, theirs, mine)

    def is_terminal(self, state: State) -> bool:
        return state.mine & self.row == 0 or state.theirs & self.row == 0

    def utility(self, state: State, player: int) -> int:
        """The player's seeds less the opponent's, those left in the houses included."""
        if state.mine & self.row == 0:
            lead = 2 * (state.mine >> self.houses * self.digit) - self.stock
        else:
            lead = self.stock - 2 * (state.theirs >> self.houses * self.digit)
        return lead if player == state.player else -lead

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features."""
        features = self.features(state)
        lead = 0.0
        for i in range(len(features)):
            lead += features[i] * self.weights[i]
        # Seeds in the stores stay there: no lead can be greater than this.
        mine, theirs = state.mine >> self.houses * self.digit, state.theirs >> self.houses * self.digit
        lead = lead if state.player == 0 else -lead
        lead = max(2 * mine + 1.0 - self.stock, min(self.stock - 1.0 - 2 * theirs, lead))
        return lead if player == state.player else -lead

    def features(self, state: State) -> tuple[float, ...]:
        stores = (state.mine >> self.houses * self.digit) - (state.theirs >> self.houses * self.digit)
        choice = self.filled(state.mine) - self.filled(state.theirs)
        extra_turns = self.houses - self.filled(state.mine ^ self.to_store)  # of the player to move
        sign = 1.0 - 2.0 * state.player
        return sign * stores, sign * choice, sign * extra_turns, sign

    def priority(self, state: State, house: int) -> int:
        """Extra turns first, then moves that gain most seeds, then houses near the store."""
        after = self.result(state, house)
        if after.player == state.player:
            return self.stock * self.houses + house
        won = (after.theirs >> self.houses * self.digit) - (state.mine >> self.houses * self.digit)
        return won * self.houses + house

    def proved_bounds(self, state: State, alpha: float, beta: float) -> tuple[int, int]:
        """Seeds in the stores stay there."""
        mine, theirs = state.mine >> self.houses * self.digit, state.theirs >> self.houses * self.digit
        return 2 * mine - self.stock, self.stock - 2 * theirs

    def points_and_rest(self, state: State) -> tuple[int, tuple[int, int]]:
        """The stores, and the seeds in the houses."""
        lead = (state.mine >> self.houses * self.digit) - (state.theirs >> self.houses * self.digit)
        return lead if state.player == 0 else -lead, (state.mine & self.row, state.theirs & self.row)

    def key(self, state: State) -> int:
        if self.exact_key:  # it all fits in 64 bits, because one store follows from the rest
            return mix((state.mine << self.houses * self.digit | state.theirs & self.row) << 1 | state.player)
        return mix(multiply(state.mine, -7046029254386353131) ^ (state.theirs << 1 | state.player))
