"""Games made to try the engine, and plain Python that says what it has to find."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import Field, fields
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

import plies
from plies import book
from plies.compiled import interpreting
from plies.engine import Options
from plies.engine.score import scale_of
from strategies import nodes

TINY = 1e-9
"""Megabytes, for the smallest table there is: four entries, so that everything collides."""


class Bush(plies.Tree):
    """A tree by hand with every rule that a game may add, none of which changes what the tree is worth."""

    def priority(self, state: int, action: int) -> float:
        return (state * 7 + action * 5) % 4 / 2

    def noisy(self, state: int) -> Iterator[int]:
        for action in range(self.child_count[state]):
            if (self.first_child[state] + action) % 3 == 0:
                yield action

    def move_index(self, state: int, action: int) -> int:
        return state * 3 + action

    def scaled(self, factor: float) -> Bush:
        """The same tree with its payoffs and estimates in other units."""
        self.payoffs = self.payoffs * factor
        self.estimates = self.estimates * factor
        self.bounds = self.bounds[0] * factor, self.bounds[1] * factor
        return self


class PlainBush(Bush):
    """The same, never compiled."""

    compiled = False


def bushes(kind: type[Bush] = Bush, **options: Any) -> st.SearchStrategy[Bush]:
    """Trees that are uneven, with single children, equal values and consecutive moves."""
    return nodes(**options).map(lambda node: kind(node, ("max", "min")))


SWITCHES = [
    one.name for one in fields(Options) if one.metadata["exact"] and isinstance(one.default, bool | None)
]
"""The refinements that are on or off and keep values exact."""

INEXACT = [one for one in fields(Options) if not one.metadata["exact"]]
"""Those that do not: on or off, a number or, of Multi-ProbCut, five for each depth."""


ALWAYS = {} if interpreting() else {"counter_moves": True}
"""Compiled, options that are drawn have what needs more arrays: without it, the kernel is compiled again. The
program of tests/test_proofs.py draws this, too."""


def inexact_value(one: Field[Any], number: int) -> Any:
    """A value of an inexact option: off at 0."""
    if isinstance(one.default, tuple):
        return tuple(float(x) for depth in range(2, 2 + 2 * number) for x in (depth, 1, 1, 0, number - 1))
    return type(one.default)(number)


def options(**fixed: Any) -> st.SearchStrategy[Options]:
    """Refinements that keep the value exact, in any combination."""
    drawn: dict[str, Any] = {name: st.booleans() for name in SWITCHES}
    drawn["driver"] = st.sampled_from(["pvs", "mtd(f)"])
    return st.builds(Options, **drawn | {name: st.just(value) for name, value in (ALWAYS | fixed).items()})


def random_options(chance: random.Random, **fixed: Any) -> Options:
    """The same, for tests that draw their positions from a seed."""
    drawn: dict[str, Any] = {name: chance.random() < 0.5 for name in SWITCHES}
    drawn["driver"] = chance.choice(["pvs", "mtd(f)"])
    return Options(**drawn | ALWAYS | fixed)


def random_state(game: plies.Game, plays: int, chance: random.Random) -> Any:
    """A position after so many random actions, or the last one before the end."""
    state = game.initial()
    for _ in range(plays):
        after = game.result(state, chance.choice(list(game.actions(state))))
        if game.is_terminal(after):
            break
        state = after
    return state


class Graph(plies.Game):
    """Positions that may come up again: a state is a number, an action one of the arrows that leave it."""

    cycles = True
    bounds = (-2, 2)

    def __init__(self, arrows: list[list[int]], movers: list[int], payoffs: list[int]) -> None:
        self.width = 4  # the most arrows that leave a state
        self.arrows = np.array([(ends + [-1] * 4)[:4] for ends in arrows]).reshape(-1)
        self.movers = np.array(movers)
        self.payoffs = np.array(payoffs)

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return int(self.movers[state])

    def actions(self, state: int) -> Iterator[int]:
        for action in range(self.width):
            if self.arrows[state * self.width + action] >= 0:
                yield action

    def result(self, state: int, action: int) -> int:
        return int(self.arrows[state * self.width + action])

    def is_terminal(self, state: int) -> bool:
        return bool(self.arrows[state * self.width] < 0)

    def utility(self, state: int, player: int) -> int:
        payoff = int(self.payoffs[state])
        return payoff if player == 0 else -payoff

    def evaluate(self, state: int, player: int) -> float:
        """Not much of an estimate, and never sure of anything."""
        lead = (state * 5 % 7 - 3) / 2
        return lead if player == 0 else -lead


def random_graph(chance: random.Random, size: int, most: int = 3) -> Graph:
    """A graph in which about a quarter of the states are terminal, the first never."""
    arrows: list[list[int]] = []
    for state in range(size):
        count = 0 if state and chance.random() < 0.25 else chance.randint(1, most)
        arrows.append(chance.sample(range(size), min(count, size)))
    movers = [chance.randrange(2) for _ in range(size)]
    return Graph(arrows, movers, [chance.randint(-2, 2) for _ in range(size)])


def corridor(length: int) -> Graph:
    """One way to go, by both players in no order, to a win for player 0."""
    arrows = [[state + 1] for state in range(length)] + [[]]
    return Graph(arrows, [state * state % 3 % 2 for state in range(length + 1)], [2] * (length + 1))


class Sticks(NamedTuple):
    left: int
    turns: int


class Stretch(plies.Game):
    """Each player in turn takes 1 to `most` sticks, `stretch` times in a row; scores with each a number."""

    def __init__(self, sticks: int = 12, most: int = 2, stretch: int = 3) -> None:
        self.sticks, self.most, self.stretch = sticks, most, stretch
        self.bounds = (-sticks * most, sticks * most)

    def initial(self) -> Any:
        return Sticks(self.sticks, 0)

    def to_move(self, state: Any) -> int:
        return state.turns // self.stretch % 2

    def actions(self, state: Any) -> Iterator[int]:
        for action in range(1, min(self.most, state.left) + 1):
            yield action

    def result(self, state: Any, action: int) -> Any:
        return Sticks(state.left - action, state.turns + 1)

    def is_terminal(self, state: Any) -> bool:
        return state.left == 0

    def utility(self, state: Any, player: int) -> int:
        worth = state.turns % 5 - 2
        return worth if player == 0 else -worth


class Words(plies.Game):
    """Does not compile: a state is a list, an action a word or a pair. Players lengthen a list in turn."""

    bounds = (-3, 3)

    def initial(self) -> Any:
        return []

    def to_move(self, state: Any) -> int:
        return len(state) % 2

    def actions(self, state: Any) -> Any:
        return [] if self.is_terminal(state) else ["stay", ("go", 1), ("go", 2)]

    def result(self, state: Any, action: Any) -> Any:
        return [*state, action]

    def is_terminal(self, state: Any) -> bool:
        return len(state) >= 5 or state[-2:] == [("go", 2), "stay"]

    def utility(self, state: Any, player: int) -> int:
        lead = sum(1 if player == 0 else -1 for word in state if word == ("go", 1))
        return (
            (lead + sum(len(word) for word in state[::2])) % 7 - 3 if player == 0 else -self.utility(state, 0)
        )


# -- What the engine has to find.


def rounded(game: plies.Game, value: float) -> float:
    """A value in the steps that the engine reckons in: of a whole number, that number."""
    scale = scale_of(max(map(abs, game.bounds)))
    return round(value * scale) / scale


def estimate(game: plies.Game, *, quiescence: bool = False) -> Callable[[Any, int], float]:
    """EVAL as the engine takes it: always between the least and the greatest terminal value."""
    most = max(map(abs, game.bounds))
    high = (max(1, math.ceil(most * scale_of(most))) - 1) / scale_of(most)
    low = -high

    def static(state: Any, player: int) -> float:
        return max(low, min(high, rounded(game, game.evaluate(state, player))))

    def quiescent(state: Any, player: int) -> float:
        if game.is_terminal(state):
            return game.utility(state, player)
        values = [quiescent(game.result(state, action), player) for action in game.noisy(state)]
        values.append(static(state, player))
        return max(values) if game.to_move(state) == player else min(values)

    return quiescent if quiescence and game.has("noisy") else static


class Plausible(plies.Game):
    """A game below whose root only plausible actions are looked at."""

    def __init__(self, game: plies.Game, root: Any) -> None:
        self.game, self.root = game, root
        self.to_move, self.result = game.to_move, game.result  # type: ignore[method-assign]
        self.is_terminal, self.utility = game.is_terminal, game.utility  # type: ignore[method-assign]

    def actions(self, state: Any) -> Any:
        return self.game.actions(state) if state == self.root else self.game.candidates(state)


def book_value(
    game: plies.Game, state: Any, player: int, depth: int | None, options: Options | None = None
) -> float:
    """What the book's alpha-beta says a state is worth to a player, looking so many plies ahead."""
    options = options or Options()
    seen = Plausible(game, None) if options.candidates else game
    static = estimate(game, quiescence=options.quiescence)
    decision = book.alpha_beta(seen, state, player=player, depth=depth, evaluate=static)
    return decision.value


def solved(game: plies.Game) -> Callable[[Any], tuple[float, int]]:
    """By brute force: what a state is worth to the player to move, and in how many plies it is over."""

    known: dict[Any, tuple[float, int]] = {}

    def best(state: Any) -> tuple[float, int]:
        same = tuple(state) if isinstance(state, list) else state
        if same not in known:
            known[same] = searched(state)
        return known[same]

    def searched(state: Any) -> tuple[float, int]:
        outcomes = []
        for action in game.actions(state):
            child = game.result(state, action)
            if game.is_terminal(child):
                outcomes.append((game.utility(child, game.to_move(state)), 1))
                continue
            value, plies_left = best(child)
            same = game.to_move(child) == game.to_move(state)
            outcomes.append((value if same else -value, plies_left + 1))
        return max(outcomes, key=preference)

    return best


def preference(outcome: tuple[float, int]) -> tuple[float, int]:
    """How a player ranks outcomes: the quicker of equal wins, the slower of equal losses, draws alike."""
    value, distance = outcome
    return value, -distance if value > 0 else distance if value < 0 else 0


def played_out(game: Graph, state: int, seen: frozenset[int]) -> tuple[int, int]:
    """By brute force: what a state is worth to player 0, and in how many plies, after those seen before.

    A state that comes up again is a draw.
    """
    if state in seen:
        return 0, 0
    if game.is_terminal(state):
        return game.utility(state, 0), 0
    sign = 1 if game.to_move(state) == 0 else -1
    after = [played_out(game, game.result(state, action), seen | {state}) for action in game.actions(state)]
    value, distance = max(after, key=lambda outcome: preference((sign * outcome[0], outcome[1])))
    return value, distance + 1


def forced(game: Graph) -> list[tuple[int, int]]:
    """By going backwards: what each state of a graph is worth to player 0 and in how many plies.

    What nobody can force is a draw. A player forces a state if some arrow of theirs, or every arrow of the
    other's, leads to where they have forced it.
    """
    size = len(game.movers)
    values = [(0, 0)] * size
    for player in (0, 1):
        for worth in (1, 2):  # the greater last, for it counts
            distance = [
                0 if game.is_terminal(s) and game.utility(s, player) >= worth else None for s in range(size)
            ]
            for rounds in range(1, size + 1):
                for state in range(size):
                    if distance[state] is None and not game.is_terminal(state):
                        after = [distance[game.result(state, action)] for action in game.actions(state)]
                        ready = [d is not None and d < rounds for d in after]
                        if any(ready) if game.to_move(state) == player else all(ready):
                            distance[state] = rounds
            for state, plies_left in enumerate(distance):
                if plies_left is not None:
                    values[state] = (worth if player == 0 else -worth, plies_left)
    return values


def all_off() -> dict[str, Any]:
    """Every option but the driver, switched off."""
    off = {one.name: type(one.default or False)(0) for one in fields(Options) if one.name != "driver"}
    return off | {one.name: () for one in fields(Options) if one.default == ()}
