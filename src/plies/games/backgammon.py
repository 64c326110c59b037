"""Backgammon, without the doubling cube."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plies.bits import mix, popcount
from plies.errors import BadParameter, BadPosition, IllegalMove
from plies.game import CHANCE, Game
from plies.games import backgammon_picture as picture
from plies.games import weights as evaluation
from plies.games.backgammon_board import (
    BAR,
    CHECKERS,
    DIGIT,
    FAR,
    OFF,
    Side,
    chance_to_hit,
    count,
    counts_of,
    held_points,
    in_turn,
    landing,
    moved,
    next_source,
    pips_of,
    playable_times,
    rearmost,
    side_of,
)
from plies.games.backgammon_notation import (
    Step,
    is_position_id,
    position_id,
    read_paths,
    read_position_id,
    written,
)
from plies.neural_network import Network, load, output
from plies.scene import Scene

OPENING = -1
"""Whose turn it is before the first throw, which decides that."""

START = side_of([0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0])

STEP = 5
"""Bits of an action that tell from where one checker moves."""

PASS = 0

AT_HOME = 0b1111110
"""The points 1 to 6 as bits."""

CHECKER_INPUTS = 198
"""How many numbers tell a network where the checkers are, and whose turn it is."""

SCALES = (0.02, 2.0, 0.2, 0.5, 0.25, 1.0, 0.25, 0.25, 0.25, 0.25, 1.0, 0.25, 0.17)
"""What brings each feature to about the size of 1, for the network."""

INPUTS = CHECKER_INPUTS + len(SCALES)
"""How many numbers describe a position to a network."""

TRAINED = Path(__file__).with_name("backgammon.npz")
"""The network that was trained for this game: `plies train` made it, see docs/backgammon.md."""

WORTH = {
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
    "turn": 0.2,
}
"""What one more of each feature is worth, in points. Fitted to what GNU Backgammon, without looking ahead,
thinks of the plays of 20,000 throws; what one feature seems to leave out, another has already counted."""


class State(NamedTuple):
    """The checkers, as the player whose turn it is counts their own and the other counts theirs."""

    mine: Side
    theirs: Side
    player: int  # whose turn it is; OPENING before the first throw
    dice: int  # 31 for a 3 and a 1, the higher number first; 0 while they are to be thrown


class Backgammon(Game):
    """Backgammon. A throw is an action of chance, 31 for a 3 and a 1; a play of it, as a whole, is one too.

    A play has five bits for each checker moved: where from, 25 being the bar. The first five are moved by the
    higher number of the dice, the next five by the lower; a double has up to four that move by its number.
    The bits are 0 where a number cannot be played. Plays that come to the same position are one play.
    """

    player_names = ("X", "O")
    feature_names = tuple(WORTH)
    prompt = "Play the dice, as in 24/18 13/11"
    rules = (
        "Each player brings 15 checkers home, from the points 24 down to 6 to 1, and then bears them off; "
        "whoever first has borne off all wins. X and O count the points from opposite ends. At first each "
        "throws one die; who has the higher number begins, with both numbers; from then on the players throw "
        "two dice in turn. Each number moves one checker by so many points; a double moves four. A checker "
        "may not move to a point where the other player has two or more; one alone there is hit, and put on "
        "the bar. Who has checkers on the bar must enter these first: a 1 enters on the 24 point, a 6 on the "
        "19. With all checkers at home, a number bears off from its point, or from the furthest point if "
        "that is nearer. As many of the numbers must be played as can be; if either can be but not both, the "
        "higher. Write a move from point to point, as in 24/18 13/11, bar/22* (a hit), 6/off(2) (two "
        "checkers). A game counts once; twice, a gammon, if the loser has borne off nothing; three times, a "
        "backgammon, if besides that the loser has a checker on the bar or in the winner's home. There is no "
        "doubling cube."
    )

    def __init__(
        self,
        gammons: bool = True,
        weights: Sequence[float] | None = None,
        network: bool | str | Network = True,
    ) -> None:
        """With gammons, a game may count double or threefold; without, every game counts once.

        Positions are evaluated by the network that was trained for this game, by that of a file, or by a
        network itself; where that is False, or where weights are given, by weighted features.
        """
        self.gammons = gammons
        self.network = network if weights is None else False
        self.learned = self.network is not False
        net = _network(self.network)
        self.inward, self.biases, self.outward = net.inward, net.biases, net.outward
        self.scales = np.array(SCALES)
        self.bounds = (-3, 3) if gammons else (-1, 1)
        self.weights = evaluation.chosen(tuple(WORTH.values()), weights)
        self.shots = np.array([chance_to_hit(distance) for distance in range(BAR)])

    @property
    def encoding_size(self) -> int:
        return INPUTS

    # -- The six rules.

    def initial(self) -> State:
        return State(START, START, OPENING, 0)

    def to_move(self, state: State) -> int:
        return CHANCE if state.dice == 0 else state.player

    def actions(self, state: State) -> Iterator[int]:
        if state.dice == 0:
            if not self.is_terminal(state):
                for throw, _ in self.chance(state):
                    yield throw
        elif state.dice // 10 == state.dice % 10:
            for play in self.plays_of_double(state):
                yield play
        else:
            for play in self.plays_of_two(state):
                yield play

    def chance(self, state: State) -> Iterator[tuple[int, float]]:
        """The 21 throws; at first each throws one die, X's is the first, until these differ: 30 throws."""
        for first in range(1, 7):
            for second in range(1, 7):
                if state.player == OPENING:
                    if first != second:
                        yield 10 * first + second, 1 / 30
                elif first >= second:
                    yield 10 * first + second, 1 / 36 if first == second else 1 / 18

    def result(self, state: State, action: int) -> State:
        mine, theirs, player, dice = state
        if dice == 0:
            first, second = action // 10, action % 10
            if player == OPENING:
                player = 0 if first > second else 1
            return State(mine, theirs, player, 10 * max(first, second) + min(first, second))
        die = dice // 10
        while action != 0:
            source = action & 31
            if source != 0:
                target = landing(source, die)
                mine = moved(mine, source, target)
                if target != OFF and count(theirs, 25 - target) == 1:
                    theirs = moved(theirs, 25 - target, BAR)
            action >>= STEP
            die = dice % 10
        return State(theirs, mine, 1 - player, 0)

    def is_terminal(self, state: State) -> bool:
        return state.theirs.near == CHECKERS  # all are off: who has just moved has won

    def utility(self, state: State, player: int) -> int:
        """The points won: 1, 2 for a gammon, 3 for a backgammon."""
        points = 1
        if self.gammons and count(state.mine, OFF) == 0:
            points = 3 if rearmost(state.mine, BAR) >= 19 else 2
        return -points if player == state.player else points

    # -- The plays of a throw.

    def plays_of_double(self, state: State) -> Iterator[int]:
        """Every play of a double: from each place at most as far as the one before.

        Any legal moves are legal in that order as well, and other moves come to another position.
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
            elif used > 0:  # take the last move back, and try one from a nearer place instead
                source = play & 31
                side = moved(side, landing(source, die), source)
                play >>= STEP
                used -= 1
                most = source - 1
            else:
                length = 0

    def plays_of_two(self, state: State) -> Iterator[int]:
        """Every play of two different numbers: of both, or else of the higher, or else of the lower."""
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
        """Whether another play, found before this one, comes to the same position.

        The order is 0 for the higher number first. Two plays differ in what they move, and so in what they
        come to, but for these cases: the same moves in the other order; one checker moved by both numbers,
        unless it hits on the way; two checkers borne off that either number bears off.
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

    # -- What helps a search.

    def features(self, state: State) -> tuple[float, ...]:
        """What X has more of than O, in the order of `feature_names`.

        The lead in pips, what all checkers have still to go; the same as a part of all pips, once it is a
        race; checkers off; checkers on the bar, and these times the points that the other holds at home; and
        the measures of each side.
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
            sign * ((my_held >> 19 != 0) - (their_held >> 19 != 0)),  # an anchor: a point in the other's home
            sign * (my_back - back),
            sign * (my_stacked - stacked),
            sign if state.player != OPENING else 0.0,
        )

    def measures(
        self, side: Side, other: Side, held: int, their_home: int
    ) -> tuple[float, float, int, int, int]:
        """What one side has, on a board where the other holds so many points at home.

        The risk is about how many times 25 pips will be lost to hits; the danger, the chance of hits times
        the points that the other holds at home. The prime is how many points held in a row are in the way of
        the other's furthest checker. Then come the checkers back, in the other's home and on the bar, and
        those stacked, beyond the third on a point.
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
        """What the network says; without it, the weighted sum of the features, drawn in from the bounds."""
        if self.learned:
            if state.player == OPENING:
                return 0.0  # the first throw is as good for either
            seer = 1 - state.player  # who moved last
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

    def encode(self, state: State, player: int, into: np.ndarray[Any, Any]) -> None:
        """Describe a position to a network, as a player sees it: fill an array of 211 numbers.

        For each side, the player's own first, and each point from 1 to 24 as that side counts: whether there
        are one, two, three checkers or more, and half of how many there are beyond three; half the number on
        the bar; the part that is off. Then whose turn it is: 1 and 0 if the player's, else 0 and 1. After
        G. Tesauro, "Practical Issues in Temporal Difference Learning" (1992), and the account of it in
        R. Sutton and A. Barto, "Reinforcement Learning". Last come the features.
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
            into[CHECKER_INPUTS + i] = sign * features[i] * self.scales[i]

    def priority(self, state: State, action: int) -> int:
        """Hits first, then points made and few blots left, by the moves alone; a throw counts for nothing."""
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

    def key(self, state: State) -> int:
        h = mix(state.mine.near | state.dice << FAR * DIGIT | state.player + 1 << 60)
        h = mix(h ^ state.mine.far)
        h = mix(h ^ state.theirs.near)
        return mix(h ^ state.theirs.far)

    # -- For people.

    def steps(self, state: State, play: int) -> list[Step]:
        """The moves of checkers that a play is made of, in an order in which they can be made."""
        found, number, hit = [], 0, set()
        while play >> STEP * number:
            source = play >> STEP * number & 31
            if source:
                target = landing(source, state.dice // 10 if number == 0 else state.dice % 10)
                found.append((source, target))
            number += 1
        found.sort(reverse=True)
        steps = []
        for source, target in found:
            hits = target != OFF and count(state.theirs, 25 - target) == 1 and target not in hit
            steps.append(Step(source, target, hits))
            if hits:
                hit.add(target)
        return steps

    def notation(self, state: State, action: int) -> str:
        if state.dice == 0:
            return str(action)
        return written(self.steps(state, action)) if action != PASS else "pass"

    def parse_action(self, state: State, text: str) -> int:
        """A throw, "31", or a play of it, its moves in any order and one by one or together."""
        word = "".join(text.split()).casefold()
        legal = list(self.actions(state))
        if state.dice == 0:
            for throw in legal:
                if word == str(throw) or (state.player != OPENING and word[::-1] == str(throw)):
                    return throw
            raise IllegalMove(f"{text.strip()[:40]!r} is no throw of the dice here")
        if legal == [PASS]:
            if word == "pass":
                return PASS
            raise IllegalMove(f"no number of {state.dice} can be played: pass")
        paths = read_paths(text)
        found = self._meant(state, legal, paths)
        if len(found) == 1:
            return found[0]
        if found:
            ways = " or ".join(self.notation(state, action) for action in found)
            raise IllegalMove(f"{text.strip()[:60]!r} can be played in two ways: {ways}")
        raise IllegalMove(
            f"{text.strip()[:60]!r} is not a legal play of {state.dice}; {self.legal_moves(state)}"
        )

    def _meant(self, state: State, legal: list[int], paths: list[tuple[int, ...]]) -> list[int]:
        """The plays that come to what the paths say, and take the ways that these name."""
        high, low = state.dice // 10, state.dice % 10
        numbers = {high, low, high + low} if high != low else {n * low for n in range(1, 5)}
        if len(paths) > 4:
            return []
        for path in paths:
            for source, target in pairwise(path):
                if target != OFF and (source - target not in numbers or count(state.theirs, 25 - target) > 1):
                    return []
        wanted = state.mine
        for path in paths:
            wanted = moved(wanted, path[0], path[-1])
        found = {}
        for play in legal:
            if self.result(state, play).theirs == wanted:
                found[play] = self.steps(state, play)[0]
        if len(found) > 1:  # one checker moves by both numbers, and hits on one way or on both
            named = {place for path in paths for place in path}
            through = [play for play, first in found.items() if first.target in named]
            straight = [play for play, first in found.items() if not first.hit]
            for choice in (through, straight):
                if len(choice) == 1:
                    return choice
        return list(found)

    def position(self, state: State) -> str:
        """GNU Backgammon's Position ID, whose turn it is, and the dice if they are thrown: "… X 31".

        Before the first throw there is "start" in place of the player.
        """
        board = position_id(state.mine, state.theirs)
        if state.player == OPENING:
            return f"{board} start"
        return f"{board} {self.player_name(state.player)}" + (f" {state.dice}" if state.dice else "")

    def parse_position(self, text: str) -> State:
        """The state of a string like "4HPwATDgc/ABMA X 31", or of the throws and plays that lead there.

        A Position ID tells the checkers of the player to move from those of the other. Alone, it is X's turn
        to throw.
        """
        words = text.split()
        if not words or not is_position_id(words[0]):
            return self._replayed(words)
        mine, theirs = read_position_id(words[0])
        player = words[1].upper() if len(words) > 1 else "X"
        dice = "".join(words[2:])
        if player == "START" and not dice:
            if (mine, theirs) != (START, START):
                raise BadPosition(f"{text.strip()!r} is not where a game starts: that is {self._start()!r}")
            return self.initial()
        if player not in self.player_names:
            raise BadPosition(f"{words[1]!r} in {text.strip()!r} is not whose turn it is, X or O")
        if dice and not re.fullmatch("[1-6]{2}", dice):
            raise BadPosition(f"{dice!r} in {text.strip()!r} is no throw of two dice, such as 31")
        if dice and count(theirs, OFF) == CHECKERS:
            raise BadPosition(f"{text.strip()!r} has dice after the end of the game")
        return State(mine, theirs, self.player_names.index(player), int("".join(sorted(dice)[::-1]) or 0))

    def _start(self) -> str:
        return self.position(self.initial())

    def _replayed(self, words: list[str]) -> State:
        """The state after throws and plays, such as "31 8/5 6/5 62 24/18 13/11"."""
        state = self.initial()
        while words:
            length = 1
            if state.dice:  # a play goes on to the next throw
                while length < len(words) and not re.fullmatch("[1-6]{2}", words[length]):
                    length += 1
            move, words = " ".join(words[:length]), words[length:]
            if self.is_terminal(state):
                raise BadPosition(f"{move[:60]!r} comes after the end of the game")
            try:
                state = self.result(state, self.parse_action(state, move))
            except IllegalMove as error:
                raise BadPosition(f"{error} (reading throws and plays; there is no Position ID)") from None
        return state

    def _sides(self, state: State) -> list[list[int]]:
        """The checkers of X and of O, off, on each point and on the bar."""
        sides = (state.theirs, state.mine) if state.player == 1 else (state.mine, state.theirs)
        return [counts_of(side) for side in sides]

    def text(self, state: State) -> str:
        if self.is_terminal(state):
            words = f"{self.player_name(1 - state.player)} has borne off all"
        elif state.player == OPENING:
            words = "each throws a die"
        else:
            words = self.player_name(state.player) + (
                f" plays {state.dice // 10} {state.dice % 10}" if state.dice else " throws"
            )
        return picture.drawn(self._sides(state), state.player, [words])

    def scene(self, state: State) -> Scene:
        return picture.scene(self._sides(state), state.player, str(state.dice or ""))

    def move_squares(self, state: State, action: int) -> Sequence[str]:
        """From and to of each checker in turn; dice fall by themselves, and a pass points nowhere."""
        if state.dice == 0:
            return ()
        places = [place for step in self.steps(state, action) for place in (step.source, step.target)]
        return [picture.cell_name(place, state.player) for place in places]


def _network(chosen: bool | str | Network) -> Network:
    """The network that is meant; where there is none, one that is never asked."""
    if chosen is False:
        return Network(np.zeros((1, 1), np.float32), np.zeros(1, np.float32), np.zeros(2, np.float32))
    network = chosen if isinstance(chosen, Network) else load(TRAINED if chosen is True else chosen)
    if len(network.inward) != INPUTS:
        raise BadParameter(f"a network for backgammon has {INPUTS} inputs, not {len(network.inward)}")
    return network
