"""What mancala games share: two rows of houses and two stores, notation and pictures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from plies.bits import popcount
from plies.errors import BadParameter, BadPosition
from plies.game import Game
from plies.scene import Cell, Label, Piece, Scene


class State(NamedTuple):
    """The seeds of each side packed into a number: its houses in sowing order, then its store."""

    player: int  # the player to move
    mine: int  # the side of that player
    theirs: int


class Mancala(Game):
    """A mancala board. An action is a house, 0 the first in sowing order."""

    player_names = ("South", "North")
    two_sided = True
    prompt = "Choose a house"

    def __init__(self, houses: int, seeds: int) -> None:
        """A board with `houses` a side, and `seeds` in each to begin with."""
        if houses < 1 or seeds < 1:
            raise BadParameter(
                f"{type(self).__name__} must have houses and seeds, not {houses} houses of {seeds} seeds"
            )
        self.stock = 2 * houses * seeds
        self.digit = self.stock.bit_length()  # how many bits a house takes
        if (houses + 1) * self.digit > 63:
            raise BadParameter(f"{houses} houses of {seeds} seeds do not fit in 63 bits")
        self.houses = houses
        self.seeds = seeds
        self.move_indices = houses
        self.plane_shape = (houses + 1, self.digit)
        self.other_view = (1, 0)
        self.bounds = (-self.stock, self.stock)
        self.house = (1 << self.digit) - 1
        self.row = (1 << houses * self.digit) - 1
        self.ones = sum(1 << house * self.digit for house in range(houses))
        self.low_bits = self.ones * (self.house >> 1)  # all bits of each house but the highest one
        self.high_bits = self.row ^ self.low_bits
        self.ways = ways(2 * houses, self.stock)
        self.endings = (str(min(6, self.stock)),)

    def initial(self) -> State:
        return State(0, self.seeds * self.ones, self.seeds * self.ones)

    def to_move(self, state: State) -> int:
        return state.player

    def planes(self, state: State, player: int) -> tuple[int, int]:
        """The player's own houses and store, a row each with the seeds in binary, and the opponent's."""
        return (state.mine, state.theirs) if player == state.player else (state.theirs, state.mine)

    def filled(self, side: int) -> int:
        """How many houses of a side are not empty."""
        # Adding all ones to the lower bits of a house carries into its highest bit unless they are all zero.
        return popcount(((side & self.low_bits) + self.low_bits | side) & self.high_bits)

    def store(self, side: int) -> int:
        """The seeds in the store of a side."""
        return side >> self.houses * self.digit

    def count(self, side: int) -> int:
        """The seeds in the houses of a side."""
        seeds = 0
        for i in range(self.houses):
            seeds += side >> i * self.digit & self.house
        return seeds

    # -- Endings: all boards of up to so many seeds.

    def stages(self, ending: str) -> Iterator[tuple[int, int]]:
        """All boards with up to so many seeds in the houses, without the stores: "12"."""
        if not ending:
            return
        most = min(self.stock, self.ways.shape[1] - 1)
        if not (ending.isascii() and ending.isdigit() and 1 <= int(ending) <= most):
            raise BadParameter(
                f"an ending of {type(self).__name__} is named by the most seeds in the houses, 1 to {most}, "
                f"not {ending!r}"
            )
        for seeds in range(int(ending) + 1):
            yield seeds, 2 * int(self.ways[2 * self.houses, seeds])

    def endings_after(self, state: State) -> Iterator[str]:
        """All boards with fewer seeds in the houses."""
        for seeds in range(1, min(self.stage(state), self.ways.shape[1])):
            yield str(seeds)

    def stage(self, state: State) -> int:
        """The seeds in the houses, which never become more: those that are not in the stores."""
        return self.stock - self.store(state.mine) - self.store(state.theirs)

    def index(self, state: State) -> int:
        """The boards of so many seeds in order, with either player to move; -1 if there are other seeds."""
        left, number = self.stage(state), 0
        if not 0 <= left < self.ways.shape[1]:
            return -1
        for i in range(2 * self.houses):
            side = state.mine if i < self.houses else state.theirs
            seeds = side >> i % self.houses * self.digit & self.house
            if seeds > left:
                return -1
            number += int(self.ways[2 * self.houses - i, left] - self.ways[2 * self.houses - i, left - seeds])
            left -= seeds
        return 2 * number + state.player if left == 0 else -1

    def state_at(self, stage: int, index: int) -> State:
        left, number = stage, index >> 1
        mine, theirs = 0, 0
        for i in range(2 * self.houses):
            ways = int(self.ways[2 * self.houses - i, left])
            seeds = 0
            while seeds < left and ways - int(self.ways[2 * self.houses - i, left - seeds - 1]) <= number:
                seeds += 1
            number -= ways - int(self.ways[2 * self.houses - i, left - seeds])
            left -= seeds
            if i < self.houses:
                mine |= seeds << i * self.digit
            else:
                theirs |= seeds << (i - self.houses) * self.digit
        taken = self.stock - stage  # in the stores, about half in each: it makes no difference
        mine |= taken // 2 << self.houses * self.digit
        theirs |= taken - taken // 2 << self.houses * self.digit
        return State(index & 1, mine, theirs)

    def earned(self, state: State) -> float:
        """The lead of player 0 by the seeds in the stores."""
        lead = self.store(state.mine) - self.store(state.theirs)
        return 1.0 * (lead if state.player == 0 else -lead)

    # -- Presentation.

    def house_name(self, player: int, house: int) -> str:
        """The name of a house, which is the same for both players."""
        return str(house + 1)

    def notation(self, state: State, house: int) -> str:
        """The name of a house; the last one is next to the store."""
        return self.house_name(state.player, house)

    def move_squares(self, state: State, house: int) -> Sequence[str]:
        return (self._cell_name(state.player, house),)

    def _cell_name(self, player: int, house: int) -> str:
        """A name of a house that is unique on the board."""
        if self.house_name(0, house) != self.house_name(1, house):
            return self.house_name(player, house)
        return f"{self.player_name(player)} {self.house_name(player, house)}"

    def text(self, state: State) -> str:
        (south, south_store), (north, north_store) = self._sides(state)
        names = [[self.house_name(player, house) for house in range(self.houses)] for player in (0, 1)]
        rows = [names[1][::-1], [*map(str, north[::-1])], [*map(str, south)], names[0]]
        above, upper, lower, below = ("".join(f"{word:>4}" for word in row) for row in rows)
        stores = f"{north_store:3}{'':{len(upper) + 1}}{south_store:4}"
        return "\n".join([f"   {above}  North", f"   {upper}", stores, f"   {lower}", f"   {below}  South"])

    def scene(self, state: State) -> Scene:
        """South's houses at the bottom from the left, North's at the top from the right; stores outside."""
        width = self.houses + 2.0
        cells, pieces, labels = [], [], []
        for player, (seeds, store) in enumerate(self._sides(state)):
            name = self.player_name(player)
            end = 0.5 if player else width - 0.5
            cells.append(Cell(f"{name}'s store", end, 1, "pit", 1, 2))
            pieces.append(Piece(end, 1, player, "seeds", str(store)))
            labels.append(Label(width / 2, -0.6 if player else 2.6, name))
            for house, number in enumerate(seeds):
                x, y = (width - 1.5 - house, 0.5) if player else (1.5 + house, 1.5)
                cells.append(Cell(self._cell_name(player, house), x, y, "pit"))
                pieces.append(Piece(x, y, player, "seeds", str(number)))
                labels.append(Label(x, -0.25 if player else 2.25, self.house_name(player, house)))
        return Scene(width, 2, cells, [piece for piece in pieces if piece.text != "0"], (), labels)

    def standing(self, state: State) -> str:
        """The seeds in the stores; when the game is over, with those left in the houses."""
        if not self.is_terminal(state):
            return self.by_player(*(store for _, store in self._sides(state)))
        return self.by_player(*((self.stock + self.utility(state, player)) // 2 for player in (0, 1)))

    def position(self, state: State) -> str:
        """South's houses and store, North's, and the player to move: "4/4/4:0 4/4/4:0 South"."""
        sides = [f"{'/'.join(map(str, houses))}:{store}" for houses, store in self._sides(state)]
        return f"{' '.join(sides)} {self.player_name(state.player)}"

    def parse_position(self, text: str) -> State:
        """The state of a string that `position` writes, or after moves from the start, such as "3 6 1"."""
        if ":" not in text:
            played: State = super().parse_position(text)
            return played
        side = r"([0-9]{1,9}(?:/[0-9]{1,9})*):([0-9]{1,9})"
        found = re.fullmatch(rf"{side}\s+{side}\s+(south|north)", text.strip(), re.IGNORECASE)
        if not found:
            raise BadPosition(f"{text!r} is not of the form {self.position(self.initial())!r}")
        sides = []
        for name, houses, store in (("South", found[1], found[2]), ("North", found[3], found[4])):
            seeds = [int(number) for number in houses.split("/")]
            if len(seeds) != self.houses:
                raise BadPosition(f"{name} has {len(seeds)} houses in {text!r}; this game has {self.houses}")
            sides.append([*seeds, int(store)])
        total = sum(map(sum, sides))
        if total != self.stock:
            raise BadPosition(f"{text!r} has {total} seeds; this game has {self.stock}")
        south, north = (sum(seeds << i * self.digit for i, seeds in enumerate(side)) for side in sides)
        return State(0, south, north) if found[5].lower() == "south" else State(1, north, south)

    def _sides(self, state: State) -> list[tuple[list[int], int]]:
        """The houses and the store of each player."""
        sides = (state.mine, state.theirs) if state.player == 0 else (state.theirs, state.mine)
        places = [[side >> i * self.digit & self.house for i in range(self.houses + 1)] for side in sides]
        return [(side[:-1], side[-1]) for side in places]


def ways(houses: int, most: int) -> np.ndarray:
    """In how many ways 0, 1, 2, … seeds, up to `most`, can be in 0, 1, 2, … houses, up to `houses`.

    It ends before the number of seeds of which there are more than 2^61.
    """
    counts = [
        [math.comb(seeds + count - 1, seeds) if count else int(not seeds) for seeds in range(most + 1)]
        for count in range(houses + 1)
    ]
    fitting = sum(number < 1 << 61 for number in counts[-1])
    return np.array([row[:fitting] for row in counts])
