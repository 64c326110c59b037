"""Backgammon heuristics: evaluation by a neural network or by weighted features, and move ordering."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plies.bits import popcount
from plies.errors import BadParameter
from plies.games import backgammon_bear_off as bear_off
from plies.games import weights as evaluation
from plies.games.backgammon_board import (
    BAR,
    CHECKERS,
    DIGIT,
    HOME,
    OFF,
    OPENING,
    STEP,
    Side,
    State,
    chance_to_hit,
    count,
    held_points,
    landing,
    pips_of,
    rearmost,
)
from plies.games.backgammon_plays import Plays
from plies.neural_network import Network, load, output

AT_HOME = 0b1111110
"""The points of the home board, 1 to 6, as bits."""

CHECKER_NUMBERS = 198
"""How many numbers of the encoding are for the checkers and the player to move."""

SCALES = (0.02, 2.0, 0.2, 0.5, 0.25, 1.0, 0.25, 0.25, 0.25, 0.25, 1.0, 0.25, 0.17)
"""Factors that scale each feature to about 1 for the network. Set by hand."""

ENCODING_SIZE = CHECKER_NUMBERS + len(SCALES)
"""How many numbers encode a position for a network."""

TRAINED = Path(__file__).with_name("backgammon.npz")
"""The network that `plies train` made for this game: see docs/backgammon.md."""

WEIGHTS = {
    "pips": 0.017,
    "race": 1.44,
    "off": 0.2,
    "bar": 0.15,
    "shut out": -0.173,
    "risk": -0.16,
    "danger": -0.068,
    "home": 0.094,
    "prime": 0.1,
    "anchor": -0.096,
    "back": -0.05,
    "stacked": -0.017,
    "tempo": 0.2,
}
"""The features by name, each with its weight in points. Fitted to GNU Backgammon's static evaluation (0-ply)
of the plays of 20,000 rolls, so a weight makes up for what the others overlap."""


class Evaluation(Plays):
    """The heuristics of `Backgammon`."""

    feature_names = tuple(WEIGHTS)

    def __init__(self, gammons: bool, weights: Sequence[float] | None, network: bool | str | Network) -> None:
        self.gammons = gammons
        self.bounds = (-3, 3) if gammons else (-1, 1)
        self.network = network if weights is None else False
        self.learned = self.network is not False
        net = _network(self.network)
        self.inward, self.biases, self.outward = net.inward, net.biases, net.outward
        self.scales = np.array(SCALES)
        self.weights = evaluation.chosen(tuple(WEIGHTS.values()), weights)
        self.done, self.wins = bear_off.tables()
        self.shots = np.array([chance_to_hit(distance) for distance in range(BAR)])

    @property
    def encoding_size(self) -> int:
        return ENCODING_SIZE

    def features(self, state: State) -> tuple[float, ...]:
        """X's numbers less O's, in the order of `feature_names`.

        The lead in the pip count; that lead over all pips in a race, else 0; checkers off; checkers on the
        bar; these times the points that the opponent has made at home; and the `measures` of each side.
        """
        mine, theirs = state.mine, state.theirs
        sign = 1.0 if state.player == 0 else -1.0
        my_pips, their_pips = pips_of(mine), pips_of(theirs)
        lead = sign * (their_pips - my_pips)
        racing = rearmost(mine, BAR) + rearmost(theirs, BAR) < 25
        my_bar, their_bar = count(mine, BAR), count(theirs, BAR)
        my_held, their_held = held_points(mine), held_points(theirs)
        my_home, their_home = popcount(my_held & AT_HOME), popcount(their_held & AT_HOME)
        my_risk, my_danger, my_prime, my_back, my_stacked = self.measures(mine, theirs, my_held, their_home)
        risk, danger, prime, back, stacked = self.measures(theirs, mine, their_held, my_home)
        return (
            lead,
            lead / (my_pips + their_pips + 10.0) if racing else 0.0,
            sign * (count(mine, OFF) - count(theirs, OFF)),
            sign * (my_bar - their_bar),
            sign * (my_bar * their_home - their_bar * my_home),
            sign * (my_risk - risk),
            sign * (my_danger - danger),
            sign * (my_home - their_home),
            sign * (my_prime - prime),
            sign
            * (
                (my_held >> 19 != 0) - (their_held >> 19 != 0)
            ),  # an anchor: a point made in the opponent's home board
            sign * (my_back - back),
            sign * (my_stacked - stacked),
            sign if state.player != OPENING else 0.0,
        )

    def measures(
        self, side: Side, other: Side, held: int, their_home: int
    ) -> tuple[float, float, int, int, int]:
        """Risk, danger, prime, back and stacked of one side.

        Risk is the expected loss to hits, in units of 25 pips; danger, the chance of hits times the points
        that the opponent has made at home. Prime is the longest row of made points in front of the opponent's
        rearmost checker. Back are the checkers in the opponent's home board and on the bar, stacked those
        beyond the third on a point.
        """
        risk = danger = 0.0
        back = stacked = prime = 0
        place = rearmost(side, BAR)
        while place > 0:
            number = count(side, place)
            if number == 1 and place < BAR:
                safe = 1.0
                shooter = rearmost(other, BAR)
                while shooter > 25 - place:
                    safe *= 1.0 - float(self.shots[shooter + place - 25])
                    shooter = rearmost(other, shooter - 1)
                risk += (1.0 - safe) * (25 - place) / 25.0
                danger += (1.0 - safe) * their_home
            if place >= 19:
                back += number
            if number > 3:
                stacked += number - 3
            place = rearmost(side, place - 1)
        row = held >> max(26 - rearmost(other, BAR), 0)
        while row != 0:
            row &= row >> 1
            prime += 1
        return risk, danger, prime, back, stacked

    def evaluate(self, state: State, player: int) -> float:
        """The output of the network, or the weighted sum of the features squashed into the bounds.

        Where both players bear off and nobody can win a gammon any more, the tables of `backgammon_bear_off`.
        """
        if self.bearing_off(state):
            value = 2.0 * self.chance_to_win(state) - 1.0
            return value if player == state.player else -value
        if self.learned:
            if state.player == OPENING:
                return 0.0  # the opening roll is as good for either
            seer = 1 - state.player  # the player who moved last
            inputs = np.zeros(len(self.inward), np.float32)
            self.encode(state, seer, inputs)
            value = output(inputs, self.biases.copy(), self.inward, self.outward) * self.bounds[1]
            return value if player == seer else -value
        features = self.features(state)
        lead = 0.0
        for i in range(len(features)):
            lead += features[i] * self.weights[i]
        lead = max(-1e6, min(1e6, lead))
        most = float(self.bounds[1])
        lead = lead * most / (most + abs(lead))
        return lead if player == 0 else -lead

    def bearing_off(self, state: State) -> bool:
        """Whether all checkers that are left are at home, and each player has borne off some."""
        outside = (state.mine.near | state.theirs.near) >> DIGIT * (HOME + 1)
        if outside | state.mine.far | state.theirs.far != 0:
            return False
        return not self.gammons or (count(state.mine, OFF) > 0 and count(state.theirs, OFF) > 0)

    def chance_to_win(self, state: State) -> float:
        """The chance of the player to move to win, before the roll, where both bear off.

        With few checkers it is exact; else each is taken to hurry, whatever the other does.
        """
        mine, theirs = bear_off.index(state.mine), bear_off.index(state.theirs)
        if max(mine, theirs) < len(self.wins):
            return int(self.wins[mine, theirs]) / bear_off.UNIT
        won = 0.0
        for rolls in range(1, self.done.shape[1]):
            now = int(self.done[mine, rolls]) - int(self.done[mine, rolls - 1])
            won += now * (bear_off.UNIT - int(self.done[theirs, rolls - 1]))
        return won / (bear_off.UNIT * bear_off.UNIT)

    def encode(self, state: State, player: int, into: np.ndarray[Any, Any]) -> None:
        """Encode a position as a player sees it: the 198 inputs of TD-Gammon, then the features.

        For each side, the player's own first, and each point from 1 to 24 as that side counts: whether there
        are at least one, two, three checkers, and half of those beyond three; half the number on the bar; the
        share that is off. Then the player to move: 1 and 0 if it is the player, else 0 and 1. After
        G. Tesauro, "Practical Issues in Temporal Difference Learning" (1992), and R. Sutton and A. Barto,
        "Reinforcement Learning".
        """
        turn = player == state.player
        for i in range(2):
            side = state.mine if turn == (i == 0) else state.theirs
            at = 98 * i
            for point in range(1, BAR):
                number = count(side, point)
                into[at] = 1.0 if number >= 1 else 0.0
                into[at + 1] = 1.0 if number >= 2 else 0.0
                into[at + 2] = 1.0 if number >= 3 else 0.0
                into[at + 3] = (number - 3) / 2 if number > 3 else 0.0
                at += 4
            into[at] = count(side, BAR) / 2
            into[at + 1] = count(side, OFF) / CHECKERS
        into[196] = 1.0 if turn else 0.0
        into[197] = 0.0 if turn or state.player == OPENING else 1.0
        features = self.features(state)
        sign = 1.0 if player == 0 else -1.0
        for i in range(len(features)):
            into[CHECKER_NUMBERS + i] = sign * features[i] * self.scales[i]

    def priority(self, state: State, action: int) -> int:
        """Hits first, then plays that make points and leave few blots. Numbers set by hand."""
        if state.dice == 0:
            return 0
        die, worth = state.dice // 10, 0
        while action != 0:
            source = action & 31
            if source != 0:
                target = landing(source, die)
                if target == OFF:
                    worth += 4
                else:
                    if count(state.theirs, 25 - target) == 1:
                        worth += 8
                    worth += 3 if count(state.mine, target) > 0 else -2
                if source == BAR or count(state.mine, source) != 2:
                    worth += 2
            action >>= STEP
            die = state.dice % 10
        return worth


def _network(chosen: bool | str | Network) -> Network:
    """The network of a parameter; where it is False, a placeholder that is never evaluated."""
    if chosen is False:
        return Network(np.zeros((1, 1), np.float32), np.zeros(1, np.float32), np.zeros(2, np.float32))
    network = chosen if isinstance(chosen, Network) else load(TRAINED if chosen is True else chosen)
    if len(network.inward) != ENCODING_SIZE:
        raise BadParameter(
            f"a network for backgammon must have {ENCODING_SIZE} inputs, not {len(network.inward)}"
        )
    return network
