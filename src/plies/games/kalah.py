"""Kalah(m, n): sow seeds around the board, keep those that fall in your store."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from plies.bits import mix, multiply
from plies.errors import BadParameter
from plies.game import Game


class State(NamedTuple):
    """The seeds of each side as digits of one number: the houses in the order of sowing, then the store."""

    mine: int  # the side of the player to move
    theirs: int
    player: int  # the player to move


class Kalah(Game):
    """Kalah with any houses a side and seeds a house. An action is a house, 0 the furthest from the store.

    With `empty_capture`, a last seed that falls in an empty house of one's own is taken even if the house
    opposite is empty: the rule of "Solving Kalah" (Irving, Donkers and Uiterwijk, 2000).
    """

    player_names = ("South", "North")
    prompt = "Choose a house"
    rules = (
        "Take all seeds of one of your houses and sow them one by one: in your next houses, in your store, "
        "in the houses of the other player, and on, passing over their store. If the last seed falls in your "
        "store, you move again. If it falls in an empty house of yours and there are seeds in the house "
        "opposite, all of these go to your store. When one player's houses are empty, the other keeps the "
        "seeds left; whoever has more wins. South begins."
    )

    def __init__(self, houses: int = 6, seeds: int = 4, empty_capture: bool = False) -> None:
        if houses < 1 or seeds < 1:
            raise BadParameter(f"Kalah needs houses and seeds, not {houses} houses of {seeds} seeds")
        self.total = 2 * houses * seeds
        self.digit = self.total.bit_length()  # how many bits a house takes
        if (houses + 1) * self.digit > 63:
            raise BadParameter(f"{houses} houses of {seeds} seeds do not fit in 63 bits")
        self.houses = houses
        self.seeds = seeds
        self.empty_capture = empty_capture
        self.bounds = (-self.total, self.total)
        self.house = (1 << self.digit) - 1
        self.row = (1 << houses * self.digit) - 1
        self.exact_key = (2 * houses + 1) * self.digit < 64
        self.sown_mine, self.sown_theirs = self._sowings()

    def _sowings(self) -> tuple[np.ndarray, np.ndarray]:
        """What sowing each number of seeds from each house adds to the side of the player, and to the other."""
        mine, theirs = [], []
        for house in range(self.houses):
            sides = [0, 0]
            for seeds in range(self.total + 1):
                mine.append(sides[0])
                theirs.append(sides[1])
                side, place = divmod((house + seeds + 1) % (2 * self.houses + 1), self.houses + 1)
                sides[side] += 1 << place * self.digit
        return np.array(mine), np.array(theirs)

    def initial(self) -> State:
        side = 0
        for house in range(self.houses):
            side |= self.seeds << house * self.digit
        return State(side, side, 0)

    def to_move(self, state: State) -> int:
        return state.player

    def actions(self, state: State) -> Iterator[int]:
        if not self.is_terminal(state):
            for i in range(self.houses):
                house = self.houses - 1 - i  # those near the store first: there the extra turns are
                if state.mine >> house * self.digit & self.house:
                    yield house

    def result(self, state: State, house: int) -> State:
        shift = house * self.digit
        seeds = state.mine >> shift & self.house
        sowing = house * (self.total + 1) + seeds
        mine = state.mine - (seeds << shift) + int(self.sown_mine[sowing])
        theirs = state.theirs + int(self.sown_theirs[sowing])
        last = (house + seeds) % (2 * self.houses + 1)
        if last == self.houses:
            return State(mine, theirs, state.player)
        if last < self.houses and mine >> last * self.digit & self.house == 1:
            opposite = (self.houses - 1 - last) * self.digit
            taken = theirs >> opposite & self.house
            if taken or self.empty_capture:
                mine += (taken + 1 << self.houses * self.digit) - (1 << last * self.digit)
                theirs -= taken << opposite
        return State(theirs, mine, 1 - state.player)

    def is_terminal(self, state: State) -> bool:
        return state.mine & self.row == 0 or state.theirs & self.row == 0

    def utility(self, state: State, player: int) -> int:
        """The seeds of the player less those of the opponent, those left in the houses included."""
        if state.mine & self.row == 0:
            lead = 2 * (state.mine >> self.houses * self.digit) - self.total
        else:
            lead = self.total - 2 * (state.theirs >> self.houses * self.digit)
        return lead if player == state.player else -lead

    def key(self, state: State) -> int:
        if self.exact_key:  # it all fits in 64 bits, because one store follows from the rest
            return mix((state.mine << self.houses * self.digit | state.theirs & self.row) << 1 | state.player)
        return mix(multiply(state.mine, -7046029254386353131) ^ (state.theirs << 1 | state.player))
