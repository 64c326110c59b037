"""Random games on small graphs, with their worth by brute force: the judge of all that is called proved.

Edges, movers and utilities are arrays on the game, so that all graphs of a class share one machine code.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import plies
from plies import bits
from plies.game import CHANCE

WIDTH = 3
"""The most actions of a state."""


class Spot(NamedTuple):
    """A node of the graph, and the plies that the clock still allows; without a clock, 0."""

    node: int
    clock: int


class Graph(plies.Game):
    """A token on a graph. Whose turn it is depends on the node alone, so a player may move twice in a row.

    The optional rules say nothing about the value of the game: estimates, priorities, noisy actions and null
    moves are random, and no proof may rest on them.
    """

    centred = False
    """Whether a node is its own mirror image."""

    def __init__(self, **arrays: Any) -> None:
        for name, array in arrays.items():
            setattr(self, name, array)

    def initial(self) -> Spot:
        return Spot(0, int(self.full[0]))

    def to_move(self, state: Spot) -> int:
        return int(self.movers[state.node])

    def actions(self, state: Spot) -> Iterator[int]:
        for action in range(WIDTH):
            if not self.is_terminal(state) and self.arrows[state.node, action] >= 0:
                yield action

    def result(self, state: Spot, action: int) -> Spot:
        return Spot(int(self.arrows[state.node, action]), 0)

    def is_terminal(self, state: Spot) -> bool:
        return bool(self.arrows[state.node, 0] < 0)

    def utility(self, state: Spot, player: int) -> float:
        return float(self.payoffs[state.node, player])

    def evaluate(self, state: Spot, player: int) -> float:
        return float(self.estimates[state.node, player])

    def priority(self, state: Spot, action: int) -> float:
        return float(self.urgency[state.node, action])

    def noisy(self, state: Spot) -> Iterator[int]:
        for action in self.actions(state):
            if self.urgency[state.node, action] > 0.5:
                yield action

    def is_quiet(self, state: Spot) -> bool:
        return bool(self.calm[state.node])

    def null_move(self, state: Spot) -> Spot:
        return Spot(int(self.skips[state.node]), state.clock)

    def symmetries(self, state: Spot) -> Iterator[Spot]:
        yield state
        yield Spot(int(self.mirror[state.node]), state.clock)


class Wide(Graph):
    """Utilities so far apart, or so close, that no scale tells them all apart."""

    bounds = (-1e300, 1e300)


class Bounded(Graph):
    """Bounds of the value are known, some tight and some not, and here and there nothing is."""

    def __init__(self, **arrays: Any) -> None:
        super().__init__(**arrays)
        chance = random.Random(f"{self.arrows.tolist()} {self.payoffs.tolist()}")
        truth = reference(self)
        known = []
        for node in range(len(self.movers)):
            value = truth(Spot(node, 0), ())[0][self.to_move(Spot(node, 0))]
            low, high = (chance.choice([0.0, 0.0, 0.25, 0.3, 2.0, np.inf]) for _ in range(2))
            known.append([value - low, value + high])
        self.known = np.array(known)

    def proved_bounds(self, state: Spot, alpha: float, beta: float) -> tuple[float, float]:
        return float(self.known[state.node, 0]), float(self.known[state.node, 1])


class BoundedShare(Bounded):
    total = 1
    bounds = (0, 1)


class Share(Graph):
    """A win is worth 1, a draw a half, a loss nothing."""

    total = 1
    bounds = (0, 1)


class Points(Graph):
    """Points are made on the way, the same by either player. The clock is twice the points of player 0, and
    one more where player 1 is to move; a move after which it is still one's turn is one of the `resets`."""

    bounds = (-64, 64)
    noisy = plies.Game.noisy  # with quiescence, table entries are of points as well

    def to_move(self, state: Spot) -> int:
        return state.clock & 1

    def result(self, state: Spot, action: int) -> Spot:
        mover, again = state.clock & 1, int(self.resets[state.node, action])
        points = (state.clock >> 1) + (action - 1 + 2 * again) * (1 - 2 * mover)
        return Spot(int(self.arrows[state.node, action]), 2 * points + (mover if again else 1 - mover))

    def worth(self, state: Spot) -> float:
        return (state.clock >> 1) * (1.0, 0.5, 0.1)[int(self.full[0]) % 3]

    def utility(self, state: Spot, player: int) -> float:
        worth = self.worth(state) + self.payoffs[state.node, 0] * (1 - 2 * (state.clock & 1))
        return float(worth if player == 0 else -worth)

    def points_and_rest(self, state: Spot) -> tuple[float, int]:
        return self.worth(state), state.node


class Clock(Graph):
    """A draw when the clock has run down, which tables do not see."""

    def identity(self, state: Spot) -> int:
        return state.node

    def plies_left(self, state: Spot) -> int:
        return state.clock

    def is_terminal(self, state: Spot) -> bool:
        return bool(self.arrows[state.node, 0] < 0) or state.clock == 0

    def utility(self, state: Spot, player: int) -> float:
        return float(self.payoffs[state.node, player]) if self.arrows[state.node, 0] < 0 else 0.0

    def result(self, state: Spot, action: int) -> Spot:
        clock = self.full[0] if self.resets[state.node, action] else state.clock - 1
        return Spot(int(self.arrows[state.node, action]), int(clock))


class Round(Graph):
    """Positions come up again, which is a draw: so wins and losses have their plies."""

    cycles = True


class Centred(Round):
    """The same, with a node that is its own mirror image, so that images of others count from there."""

    centred = True


class Places(Round):
    """The same, where some nodes may count as one position."""

    def repetition_key(self, state: Spot) -> int:
        return bits.hash64(int(self.places[state.node]))


class Loop(Graph):
    """Positions come up again, which ends the game; the worth of that differs from node to node."""

    cycles = True

    def repetition_value(self, state: Spot, player: int) -> float:
        return float(self.repeats[state.node, player])


class Cycle(Loop):
    """The same, where some nodes may count as one position."""

    def repetition_key(self, state: Spot) -> int:
        return bits.hash64(int(self.places[state.node]))


class Thrice(Cycle):
    """The game ends when a position occurs for the third time; what there is to win is shared."""

    repetitions = 3
    total = 1
    bounds = (0, 1)


class Superko(Cycle):
    """A move that brings back a position is not legal."""

    superko = True


class ShareCycle(Cycle):
    total = 1
    bounds = (0, 1)


class ClockCycle(Clock):
    cycles = True

    def repetition_value(self, state: Spot, player: int) -> float:
        return float(self.repeats[state.node, player])


class ClockRound(Clock):
    cycles = True


class TimelessClock(Clock):
    """The same, with a database that leaves the clock out."""

    def core(self, state: Spot) -> Spot:
        return Spot(state.node, int(self.full[0]))


class TimelessRound(ClockRound):
    """The same, where positions come up again."""

    def core(self, state: Spot) -> Spot:
        return Spot(state.node, int(self.full[0]))


class ThriceRound(Round):
    """The game is drawn when a position occurs for the third time."""

    repetitions = 3


class TimelessThrice(TimelessRound):
    """The same, with a clock that the database leaves out."""

    repetitions = 3


class Dice(Graph):
    """Some nodes are for chance."""

    def chance(self, state: Spot) -> Iterator[tuple[int, float]]:
        for action in range(WIDTH):
            if self.arrows[state.node, action] >= 0:
                yield action, float(self.chances[state.node, action])


class ShareDice(Dice):
    total = 1
    bounds = (0, 1)


class CycleDice(ShareDice):
    cycles = True

    def repetition_value(self, state: Spot, player: int) -> float:
        return float(self.repeats[state.node, player])


class Puzzle(Graph):
    players = 1
    total = None


class CyclePuzzle(Puzzle):
    cycles = True

    def repetition_value(self, state: Spot, player: int) -> float:
        return float(self.repeats[state.node, player])


class Three(Graph):
    players = 3
    total = None


class ShareThree(Graph):
    players = 3
    total = 1
    bounds = (0, 1)


class CycleThree(Three):
    cycles = True

    def repetition_value(self, state: Spot, player: int) -> float:
        return float(self.repeats[state.node, player])


# -- What a graph is worth.

Outcome = tuple[tuple[float, ...], int]
"""What each player gets, and the plies until the game is over."""


def reference(game: Any) -> Callable[[Any, Sequence[Any]], Outcome]:
    """By brute force over all paths: how the game goes on from a state if all play their best.

    Of equal wins a player prefers the quicker, of equal losses the slower; alone, the quicker in any case.
    """

    def position(state: Any) -> Any:
        key = game.repetition_key(state) if hasattr(game, "repetition_key") else game.key(state)
        return key if game.superko or game.is_terminal(state) else (key, game.to_move(state))

    def rank(outcome: Outcome, mover: int) -> tuple[float, int]:
        worth, plies_left = outcome[0][mover], outcome[1]
        if game.players > 2:
            return worth, 0
        lead = 1 if game.players == 1 else worth - (getattr(game, "total", 0) or 0) / 2
        return worth, -plies_left if lead > 0 else plies_left if lead < 0 else 0

    @functools.cache
    def value(state: Any, seen: tuple[Any, ...]) -> Outcome:
        everybody = range(game.players)
        if game.is_terminal(state):
            return tuple(game.utility(state, player) for player in everybody), 0
        if game.cycles:
            seen = tuple(sorted((*seen, position(state)), key=str))
            if not game.superko and seen.count(position(state)) >= game.repetitions:
                return tuple(game.repetition_value(state, player) for player in everybody), 0
        mover, children = game.to_move(state), [game.result(state, action) for action in game.actions(state)]
        if game.superko and mover != CHANCE:
            legal = [
                child
                for child in children
                if position(child) == position(state) or position(child) not in seen
            ]
            if not legal:
                forced = max(children, key=lambda child: game.repetition_value(child, mover))
                return tuple(game.repetition_value(forced, player) for player in everybody), 0
            children = legal
        outcomes = [value(child, seen) for child in children]
        if mover == CHANCE:
            weights = [probability for _, probability in game.chance(state)]
            mean = [0.0] * game.players
            for weight, (utilities, _) in zip(weights, outcomes, strict=True):
                mean = [x + weight * y for x, y in zip(mean, utilities, strict=True)]
            return tuple(mean), 0
        best = max(outcomes, key=lambda outcome: rank((outcome[0], outcome[1] + 1), mover))
        return best[0], best[1] + 1

    def outcome(state: Any, previous: Sequence[Any] = ()) -> Outcome:
        return value(state, tuple(sorted(map(position, previous), key=str)) if game.cycles else ())

    return outcome


# -- Random graphs.

PLAIN = (-1.0, -1.0, -0.5, 0.0, 0.0, 0.5, 1.0, 1.0)
DECIDED = (-1.0, 0.0, 1.0)
CLOSE = (0.1, 0.1 + 2**-56, 0.3, 0.1 + 0.2, 1 - 2**-53, 1.0, -1.0, -1 + 2**-53, -0.3, 2**-60, 5e-324, 0.0)
WIDE = (1e300, 1e300 * (1 - 2**-53), 1e9, 1e9 + 0.5, 1e9 + 1, 1e7, 7.0, 5.0, 1.0, 0.1, 1e-300, 0.0, -1e-300)
HALVES = (0.0, 0.0, 0.5, 0.5, 1.0, 1.0)
SHARES = (0.0, 0.1, 0.25, 0.3, 0.5, 0.75, 1.0)
WEIGHTS = {
    1: ((1.0,),),
    2: ((0.5, 0.5), (0.1, 0.9), (0.0, 1.0)),
    3: ((0.25, 0.25, 0.5), (0.1, 0.2, 0.7), (1 / 3,) * 3),
}


def utilities(kind: type[plies.Game], palette: Sequence[float], chance: random.Random) -> list[float]:
    """What an end is worth to each player of a kind of graph."""
    worth = chance.choice(palette)
    if kind.players == 2:
        return [worth, 1 - worth if getattr(kind, "total", 0) == 1 else -worth]
    if kind is ShareThree:
        return chance.choice(
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.5, 0.25, 0.25], [0.25, 0.5, 0.25]]
        )
    return [worth, *(chance.choice(palette) for _ in range(kind.players - 1))]


def palette_of(kind: type[plies.Game], chance: random.Random) -> Sequence[float]:
    """The utilities that the ends of a graph are worth."""
    if issubclass(kind, Wide):
        return [sign * worth for worth in WIDE for sign in (1, -1)]
    if kind.bounds == (0, 1):
        return chance.choice([HALVES, SHARES])
    if kind is Points:
        return chance.choice([PLAIN, DECIDED, SHARES])
    return chance.choice([PLAIN, DECIDED, CLOSE])


def random_graph(
    kind: type[Any], chance: random.Random, size: int, palette: Sequence[float] | None = None
) -> Any:
    """A graph of up to so many nodes. Some are chains, some have two halves that mirror each other."""
    palette = palette or palette_of(kind, chance)
    twofold = size >= 6 and (chance.random() < 0.25 or kind.centred)
    count = size // 2 if twofold else chance.randint(2, size)
    ends, chains = chance.choice([0.2, 0.35, 0.5]), chance.choice([0.0, 0.3, 0.7])
    arrows = np.full((count, WIDTH), -1)
    movers, payoffs, estimates = [], [], []
    for node in range(count):
        last = node == count - 1 and not kind.cycles
        allowed = [
            other
            for other in range(count)
            if (other > node or kind.cycles) and not (kind.superko and other == node)
        ]
        if not last and allowed and (node == 0 or chance.random() >= ends):
            width = 1 if chance.random() < chains else chance.randint(2, WIDTH)
            near = chance.random() < 0.5
            for action in range(width):
                arrows[node, action] = chance.choice(allowed[:3] if near else allowed)
        movers.append(chance.randrange(kind.players))
        payoffs.append(utilities(kind, palette, chance))
        estimates.append(utilities(kind, palette, chance))
    alternate = kind.players == 2 and chance.random() < 0.3
    movers = [node % 2 for node in range(count)] if alternate else movers
    if hasattr(kind, "chance") and kind.chance is not plies.Game.chance:
        movers = [CHANCE if node and chance.random() < 0.35 else mover for node, mover in enumerate(movers)]
    mirror = list(range(count))
    if twofold:
        arrows, movers, payoffs, estimates, mirror = doubled(arrows, movers, payoffs, estimates, chance)
        count *= 2
        if kind.centred:
            arrows, mirror = joined(arrows, mirror, chance)
    chances = np.zeros((count, WIDTH))
    for node in range(count):
        branches = int((arrows[node] >= 0).sum())
        if branches:
            chances[node, :branches] = chance.choice(WEIGHTS[branches])
    if twofold:
        chances[count // 2 :] = chances[: count // 2]
    return kind(
        arrows=arrows,
        movers=np.array(movers),
        payoffs=np.array(payoffs, float),  # of one type, so that all graphs share one machine code
        estimates=np.array(estimates, float),
        repeats=np.array(repetition_worths(kind, movers, mirror, chance), float),
        chances=chances,
        urgency=np.array([[chance.random() for _ in range(WIDTH)] for _ in range(count)]),
        calm=np.array([chance.random() < 0.8 for _ in range(count)]),
        skips=np.array([chance.randrange(count) for _ in range(count)]),
        mirror=np.array(mirror),
        places=np.array(places(arrows, mirror, chance)),
        resets=symmetric(
            np.array([[chance.random() < 0.2 for _ in range(WIDTH)] for _ in range(count)]), mirror
        ),
        full=np.array([chance.randint(1, 6)]),
    )


def doubled(arrows: Any, movers: Any, payoffs: Any, estimates: Any, chance: random.Random) -> Any:
    """A graph with a mirror image: arrows lead to either half, and those of a twin to the other half."""
    count = len(movers)
    crossing = np.array([[chance.random() < 0.5 for _ in range(WIDTH)] for _ in range(count)]) & (arrows >= 0)
    here, there = (
        np.where(crossing, arrows + count, arrows),
        np.where(crossing | (arrows < 0), arrows, arrows + count),
    )
    mirror = [*range(count, 2 * count), *range(count)]
    return np.concatenate([here, there]), movers * 2, payoffs * 2, estimates * 2, mirror


def joined(arrows: Any, mirror: list[int], chance: random.Random) -> Any:
    """The graph with one node and its twin as one: it leads to other nodes and to their images."""
    half = len(mirror) // 2
    one = chance.randrange(half)
    arrows = np.where(arrows == one + half, one, arrows)
    if arrows[one, 0] >= 0:
        other = chance.choice([node for node in range(len(mirror)) if node not in (one, one + half)])
        arrows[[one, one + half]] = [other, mirror[other], *[-1] * (WIDTH - 2)]
    return arrows, [node if node % half == one else image for node, image in enumerate(mirror)]


def symmetric(array: Any, mirror: list[int]) -> Any:
    """The array with the same rows for a node and its mirror image."""
    for node, other in enumerate(mirror):
        array[max(node, other)] = array[min(node, other)]
    return array


def repetition_worths(
    kind: type[plies.Game], movers: list[int], mirror: list[int], chance: random.Random
) -> list[list[float]]:
    """What a repetition of each node is worth: a draw, a win or a loss for who repeats, or something else."""
    total = getattr(kind, "total", 0)
    low, high = kind.bounds
    draw = (low + high) / 2
    mode = chance.choice(["draw", "wins", "loses", "between", "between", "any"])
    worths: list[list[float]] = []
    for node, mover in enumerate(movers):
        other = {"draw": draw, "wins": high, "loses": low}.get(mode, (draw + chance.choice([low, high])) / 2)
        if mode == "any":
            other = chance.choice([low, draw, high])
        if kind.players == 2:  # who repeats is taken to be the one who does not move next
            mine = total - other
            worths.append([mine, other] if mover == 0 else [other, mine])
        else:
            worths.append([chance.choice([low, draw, high]) if mode == "any" else other] * kind.players)
        if mirror[node] < node:
            worths[node] = list(worths[mirror[node]])
    return worths


def places(arrows: Any, mirror: list[int], chance: random.Random) -> list[int]:
    """What counts as the same position when it comes up again: each node for itself, or some as another."""
    found = list(range(len(arrows)))
    if chance.random() < 0.3 and mirror == found:
        inner = [node for node in found if arrows[node, 0] >= 0]
        outer = [node for node in found if arrows[node, 0] < 0]
        for node in [*inner, *outer]:  # what ends the game may bring a position back, too
            if chance.random() < 0.3:
                found[node] = found[chance.choice(inner)]
    joined = any(found[node] == found[end] for node, ends in enumerate(arrows) for end in ends if end >= 0)
    return list(range(len(arrows))) if joined else found  # to stay at a place is to pass, perhaps for ever


def random_past(game: Any, root: Any, chance: random.Random, nodes: Sequence[Any]) -> list[Any]:
    """States that the game may have been through before it came to a root where it still goes on."""
    if not game.cycles or chance.random() < 0.5:
        return []
    previous: list[Any] = []
    for _ in range(chance.randint(1, 4)):
        before = [*previous, chance.choice(nodes)]
        if not plies.History(game, root, before).over and all(
            not plies.History(game, state, before[:i]).over for i, state in enumerate(before)
        ):
            previous = before
    return previous
