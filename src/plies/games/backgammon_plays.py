"""The legal plays of a roll in backgammon, each resulting position once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement

from plies.game import Game
from plies.games.backgammon_board import (
    BAR,
    PASS,
    STEP,
    State,
    count,
    in_turn,
    landing,
    moved,
    next_source,
    playable_times,
)


class Plays(Game):
    """The generator of plays of `Backgammon`."""

    move_indices = 24_076
    """676 plays of up to two checkers, and 23,400 of three or four, which are doubles."""

    def action_index(self, state: State, action: int) -> int:
        """The number of a play among all that there can be."""
        return indices()[action]

    def plays_of_double(self, state: State) -> Iterator[int]:
        """Every play of a double, its moves from the rearmost place to the nearest.

        Any legal moves are legal in that order, and other moves lead to another position.
        """
        die, side, other = state.dice % 10, state.mine, state.theirs
        length = playable_times(side, other, die, 4)
        play, used, most = PASS, 0, BAR
        if length == 0:
            yield PASS
        while length > 0:
            source = next_source(side, other, most, die) if used < length else 0
            if source > 0:
                side = moved(side, source, landing(source, die))
                play = play << STEP | source
                used += 1
                most = source
                if used == length:
                    yield play
            elif used > 0:  # backtrack: undo the last move, and try one from a nearer place
                source = play & 31
                side = moved(side, landing(source, die), source)
                play >>= STEP
                used -= 1
                most = source - 1
            else:
                length = 0

    def plays_of_two(self, state: State) -> Iterator[int]:
        """Every play of two different numbers: of both, else of the higher, else of the lower."""
        high, low, side, other = state.dice // 10, state.dice % 10, state.mine, state.theirs
        found = False
        for order in range(2):  # the higher number first, then the lower
            die, die_then = (high, low) if order == 0 else (low, high)
            source = next_source(side, other, BAR, die)
            while source > 0:
                after = moved(side, source, landing(source, die))
                then = next_source(after, other, BAR, die_then)
                while then > 0:
                    by_high, by_low = (source, then) if order == 0 else (then, source)
                    if not self.known(state, by_high, by_low, order):
                        found = True
                        yield by_high | by_low << STEP
                    then = next_source(after, other, then - 1, die_then)
                source = next_source(side, other, source - 1, die)
        for order in range(2):
            if not found:
                die = high if order == 0 else low
                source = next_source(side, other, BAR, die)
                while source > 0:
                    found = True
                    yield source << STEP * order
                    source = next_source(side, other, source - 1, die)
        if not found:
            yield PASS

    def known(self, state: State, by_high: int, by_low: int, order: int) -> bool:
        """Whether a play that was found before this one leads to the same position.

        The order is 0 for the higher number first. Two plays lead to the same position in these cases alone:
        the same moves in the other order; one checker moved by both numbers, unless it hits on the way; two
        checkers borne off that either number bears off.
        """
        high, low, side, other = state.dice // 10, state.dice % 10, state.mine, state.theirs
        if order == 1 and in_turn(side, other, by_high, high, by_low, low):
            return True
        halfway = by_low - high
        if by_high == by_low - low and halfway > 0:
            if count(other, 25 - by_high) == 1 or count(other, 25 - halfway) == 1:
                return False
            return in_turn(side, other, by_low, high, halfway, low)
        return order == 1 and max(by_high, by_low) <= low and in_turn(side, other, by_low, high, by_high, low)


@cache
def indices() -> dict[int, int]:
    """Every play that any position has, by itself, with its index: in a double, rear checkers come first."""
    plays = [first | second << STEP for second in range(BAR + 1) for first in range(BAR + 1)]
    for moves in (3, 4):
        for places in combinations_with_replacement(range(1, BAR + 1), moves):
            plays.append(sum(place << STEP * number for number, place in enumerate(places)))
    return {play: index for index, play in enumerate(plays)}
