"""Awari, or Oware: a mancala game in which twos and threes are captured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from plies.bits import mix, multiply
from plies.errors import BadParameter, BadPosition
from plies.games import weights as evaluation
from plies.games.mancala import Mancala, State

NAMES = "abcdefghijklmnopqrstuvwxyz"
"""The names of the houses, in sowing order."""

SLAMS = ("nothing", "forbidden", "allowed")
"""What a grand slam, a move that would capture all seeds of the opponent, does: it captures nothing; it is
illegal, unless there is no other move; or it is a capture like any other."""

STUCK = ("keep", "lose")
"""Whether a player who cannot move keeps the seeds left in their houses, or the opponent gets all."""

REPEATED = ("keep", "split")
"""Whether, on repetition, each player keeps the seeds in their houses, or gets half of all that are left."""

WEIGHTS = (1.0, 0.05, 2.3, -1.2, -0.7, 2.0, 0.2)
"""The weights of the features, in seeds. Fitted to searches of nine plies."""


class Awari(Mancala):
    """Awari with any houses a side and seeds a house. An action is a house, 0 the first in sowing order."""

    cycles = True
    prompt = "Choose one of your houses, such as A"
    feature_names = ("stores", "seeds", "houses", "single seeds", "pairs of seeds", "rounds", "tempo")
    rules = (
        "Take all seeds of one of your houses and sow them one by one in the houses that follow, yours and "
        "then your opponent's, and on round the board, skipping the house they came from. If the last seed "
        "makes two or three in a house of your opponent's, you capture these seeds, and likewise those of "
        "the houses just before it, as long as each is your opponent's and holds two or three. A move that "
        "would capture all your opponent's seeds captures nothing. If your opponent has no seeds, you must "
        "sow some there; if you cannot, you keep those you have and the game is over, as it is when you have "
        "none. When a position is repeated, both keep the seeds in their houses. The player with more seeds "
        "wins. South begins."
    )

    def __init__(
        self,
        houses: int = 6,
        seeds: int = 4,
        grand_slam: str = "nothing",
        stuck: str = "keep",
        repetition: str = "keep",
        weights: Sequence[float] | None = None,
    ) -> None:
        super().__init__(houses, seeds)
        for name, given, known in (
            ("grand_slam", grand_slam, SLAMS),
            ("stuck", stuck, STUCK),
            ("repetition", repetition, REPEATED),
        ):
            if given not in known:
                raise BadParameter(f"{name} must be {', '.join(known[:-1])} or {known[-1]}, not {given!r}")
        if houses > len(NAMES):
            raise BadParameter(f"houses must be at most {len(NAMES)} a side, not {houses}")
        self.grand_slam = grand_slam
        self.stuck = stuck
        self.repetition = repetition
        self.weights = evaluation.chosen(WEIGHTS, weights)
        self.slam_takes_nothing = grand_slam == "nothing"
        self.slam_forbidden = grand_slam == "forbidden"
        self.stuck_lose = stuck == "lose"
        self.split = repetition == "split"
        self.sown_mine, self.sown_theirs = self._sowings()

    def _sowings(self) -> tuple[np.ndarray, np.ndarray]:
        """What sowing each number of seeds from each house adds to the mover's side, and to the other."""
        mine, theirs = [], []
        for house in range(self.houses):
            sides, place = [0, 0], house
            for _ in range(self.stock + 1):
                mine.append(sides[0])
                theirs.append(sides[1])
                place = (place + 1) % (2 * self.houses)
                if place == house:
                    place = (place + 1) % (2 * self.houses)
                sides[place // self.houses] += 1 << place % self.houses * self.digit
        return np.array(mine), np.array(theirs)

    def actions(self, state: State) -> Iterator[int]:
        only_slams = self.slam_forbidden and self.only_slams(state)
        for i in range(self.houses):
            house = self.houses - 1 - i
            if self.feeds(state, house) and (
                only_slams or not (self.slam_forbidden and self.is_slam(self.result(state, house)))
            ):
                yield house

    def result(self, state: State, house: int) -> State:
        mine, theirs, last = self.sown(state, house)
        took = self.taken(theirs, last)
        if took & self.row == theirs & self.row and self.slam_takes_nothing:
            took = 0
        number = 0
        for i in range(self.houses):
            number += took >> i * self.digit & self.house
        return State(1 - state.player, theirs - took, mine + (number << self.houses * self.digit))

    def is_terminal(self, state: State) -> bool:
        feeding = 0
        for house in range(self.houses):
            feeding += self.feeds(state, house)
        return feeding == 0

    def utility(self, state: State, player: int) -> int:
        """The player's seeds less the opponent's, those left in the houses included."""
        lead = self.kept(state)
        if self.stuck_lose:
            lead -= 2 * self.count(state.mine)
        return lead if player == state.player else -lead

    def repetition_value(self, state: State, player: int) -> int:
        """The player's lead if both keep the seeds in their houses, or if these are split."""
        lead = self.store(state.mine) - self.store(state.theirs) if self.split else self.kept(state)
        return lead if player == state.player else -lead

    def evaluate(self, state: State, player: int) -> float:
        """The weighted sum of the features, within what the seeds already in the stores allow."""
        features = self.features(state)
        lead = 0.0
        for i in range(len(WEIGHTS)):
            lead += features[i] * self.weights[i]
        if state.player == 1:
            lead = -lead
        most, least = self.stock - 2 * self.store(state.theirs), 2 * self.store(state.mine) - self.stock
        lead = max(least + 0.5, min(most - 0.5, lead))
        return lead if player == state.player else -lead

    def features(self, state: State) -> tuple[float, ...]:
        if state.player == 0:
            south, north, sign = state.mine, state.theirs, 1.0
        else:
            south, north, sign = state.theirs, state.mine, -1.0
        return (  # in the order of `feature_names`
            float(self.store(south) - self.store(north)),
            float(self.count(south) - self.count(north)),
            float(self.filled(south) - self.filled(north)),
            float(self.holding(south, 1) - self.holding(north, 1)),
            float(self.holding(south, 2) - self.holding(north, 2)),
            float(self.rounds(south) - self.rounds(north)),
            sign,
        )

    def noisy(self, state: State) -> Iterator[int]:
        """The captures."""
        before = self.store(state.mine)
        for house in self.actions(state):
            if self.store(self.result(state, house).theirs) > before:
                yield house

    def priority(self, state: State, house: int) -> int:
        """The greatest captures first."""
        return self.store(self.result(state, house).theirs) - self.store(state.mine)

    def key(self, state: State) -> int:
        return mix(multiply(state.mine, -7046029254386353131) ^ (state.theirs << 1 | state.player))

    # -- Sowing and capturing.

    def feeds(self, state: State, house: int) -> bool:
        """Whether a house can be sown and, if the opponent has no seeds, gives some."""
        seeds = state.mine >> house * self.digit & self.house
        return seeds > 0 and (state.theirs & self.row != 0 or house + seeds >= self.houses)

    def sown(self, state: State, house: int) -> tuple[int, int, int]:
        """Both sides after sowing a house, and the house of the last seed, the mover's first being 0."""
        shift = house * self.digit
        seeds = state.mine >> shift & self.house
        sowing = house * (self.stock + 1) + seeds
        mine = state.mine - (seeds << shift) + int(self.sown_mine[sowing])
        theirs = state.theirs + int(self.sown_theirs[sowing])
        rounds = (seeds - 1) // (2 * self.houses - 1)  # in each of them the house itself is skipped
        return mine, theirs, (house + seeds + rounds) % (2 * self.houses)

    def taken(self, theirs: int, last: int) -> int:
        """The seeds captured: houses with two or three, back from where the last seed fell, as digits."""
        took, place = 0, last - self.houses
        while place >= 0:
            seeds = theirs & self.house << place * self.digit
            if seeds >> place * self.digit & -2 != 2:  # anything but two and three
                break
            took |= seeds
            place -= 1
        return took

    def is_slam(self, after: State) -> bool:
        """Whether the player to move has no seeds left: only a grand slam can do that."""
        return after.mine & self.row == 0

    def only_slams(self, state: State) -> bool:
        """Whether every move that feeds the opponent is a grand slam."""
        others = 0
        for house in range(self.houses):
            others += self.feeds(state, house) and not self.is_slam(self.result(state, house))
        return others == 0

    # -- Counting.

    def kept(self, state: State) -> int:
        """The lead of the player to move if both keep the seeds in their houses."""
        return (
            self.store(state.mine)
            - self.store(state.theirs)
            + self.count(state.mine)
            - self.count(state.theirs)
        )

    def holding(self, side: int, seeds: int) -> int:
        """How many houses of a side hold exactly `seeds` seeds."""
        return self.houses - self.filled(side & self.row ^ seeds * self.ones)

    def rounds(self, side: int) -> int:
        """How many houses of a side hold enough seeds for a full round of the board (a kroo)."""
        houses = 0
        for i in range(self.houses):
            if side >> i * self.digit & self.house >= 2 * self.houses:
                houses += 1
        return houses

    # -- Presentation.

    def house_name(self, player: int, house: int) -> str:
        """The name of a house: a letter in sowing order, a capital for South."""
        return NAMES[house] if player else NAMES[house].upper()

    def parse_position(self, text: str) -> State:
        """The state of a string that `position` writes, or after moves from the start, such as "F a B"."""
        state = super().parse_position(text)
        for name, (_, store) in zip(self.player_names, self._sides(state), strict=True):
            if store == 1:
                raise BadPosition(f"{name} has captured 1 seed in {text!r}, but a capture is of two or three")
        if state != self.initial() and self.filled(state.theirs) == self.houses:
            name = self.player_name(1 - state.player)
            raise BadPosition(f"{name} has no empty house in {text!r}, but must have emptied one to move")
        return state
