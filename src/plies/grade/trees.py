"""The trees on which searches are compared, small ones first, and what a search finds in them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import inf, isclose
from typing import Any

from plies.grade.child.tables import TableGame
from plies.grade.variants import Variant, VariantSearch

MAX, MIN, CHANCE = 0, 1, -1
NAMES = {MAX: "max", MIN: "min", CHANCE: "chance"}
SEED = 22
"""Of the random trees; every student gets the same."""


@dataclass(frozen=True, eq=False)  # a tree is the same as itself only, and so found quickly
class TestTree:
    """A tree: a number, or a list of trees; the movers are given by level."""

    __test__ = False  # it is no test of pytest

    root: Any
    levels: tuple[int, ...] = (MAX, MIN)
    seed: int = 0
    """Of the estimates of inner nodes and of the probabilities."""

    @cached_property
    def tables(self) -> dict[str, Any]:
        """The tree as tables, nodes level by level."""
        rng = random.Random(self.seed)
        nodes, plies = [self.root], [0]
        children: list[list[int]] = []
        for place, node in enumerate(nodes):  # which grows on the way
            below = node if isinstance(node, list) else []
            children.append(list(range(len(nodes), len(nodes) + len(below))))
            nodes += below
            plies += [plies[place] + 1] * len(below)
        movers = [self.levels[ply % len(self.levels)] for ply in plies]
        values = [rng.randint(-9, 9) if isinstance(node, list) else node for node in nodes]
        odds = [_odds(rng, len(some)) if movers[i] == CHANCE else [] for i, some in enumerate(children)]
        return {
            "movers": movers,
            "children": children,
            "values": values,
            "probabilities": odds,
            "players": max(*movers, 1) + 1,
        }

    @property
    def game(self) -> TableGame:
        """The tree as a game."""
        return TableGame(**self.tables)

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.tables["movers"])

    def nested(self, node: int = 0, estimates: bool = True) -> Any:
        """The tree as `plies.games.tree.Tree` takes it."""
        below = self.tables["children"][node]
        if not below:
            return {"value": self.tables["values"][node]}
        mover = self.tables["movers"][node]
        data: dict[str, Any] = {"player": NAMES.get(mover, mover)}
        if mover == CHANCE:
            data["probabilities"] = self.tables["probabilities"][node]
        if estimates:
            data["evaluate"] = self.tables["values"][node]
        return {**data, "children": [self.nested(child, estimates) for child in below]}


def _odds(rng: random.Random, count: int) -> list[float]:
    """Probabilities that are no more equal than they need be, in tenths."""
    if count == 0:
        return []
    while True:
        parts = [rng.randint(1, 8) for _ in range(count)]
        if sum(parts) == 10 and (count == 1 or len(set(parts)) > 1):
            return [part / 10 for part in parts]


@dataclass(frozen=True)
class Case:
    """A search in a tree: to a depth, in a window."""

    tree: TestTree
    depth: int | None = None
    alpha: float = -inf
    beta: float = inf

    @property
    def size(self) -> tuple[int, int]:
        """What makes one case smaller than another: nodes, then arguments."""
        return self.tree.size, (self.depth is not None) + (self.alpha > -inf) + (self.beta < inf)

    @property
    def arguments(self) -> str:
        """The depth and the window, in words; "" if there are none."""
        words = [] if self.depth is None else [f"depth {self.depth}"]
        if self.alpha > -inf or self.beta < inf:
            words.append(f"alpha {self.alpha:g}, beta {self.beta:g}")
        return ", ".join(words)


@dataclass(frozen=True)
class Answer:
    """What a search found: a value, and the leaves in the order in which it first looked at them."""

    value: float | None
    leaves: tuple[int, ...] = ()
    error: str = ""
    action: str = ""
    """Of an agent, what it chose: it tells no value."""

    def agrees(self, other: Answer, *, leaves: bool = True) -> bool:
        """Whether both found the same, on the same way or on any."""
        if self.value is None or other.value is None:
            return False
        near = self.value == other.value or isclose(self.value, other.value, abs_tol=1e-9)
        return near and (not leaves or self.leaves == other.leaves)


@cache
def answer_of(case: Case, variant: Variant, prunes: bool) -> Answer:
    """What a variant finds in a case."""
    game = case.tree.game
    search = VariantSearch(game, variant, prunes=prunes, depth=case.depth, movers=game.movers)
    value = search.run(0, case.alpha, case.beta)
    return Answer(value, tuple(dict.fromkeys(game.leaves)))


@cache
def plain_cases() -> tuple[Case, ...]:
    """Trees of MAX and MIN in turn."""
    small = [[1, 2], [2, 1], [-1, -2], [-2, -1], [-1, 1], [1, -1], [2], [-2]]
    known = [[[3, 12, 8], [2, 4, 6], [14, 5, 2]], [[3, 5], [3, 1]], [[1, 2], [1, 0]], [[-1, -3], [-2, -4]]]
    rng = random.Random(SEED)
    trees = [*small, *known]
    for shape, many, reach in (((2, 2), 14, 3), ((2, 3), 8, 3), ((3, 3), 6, 9), ((2, 2, 2), 14, 3)):
        trees += [_random(rng, shape, reach) for _ in range(many)]
    trees += [_random(rng, (2, 2, 2, 2), 4) for _ in range(6)]
    trees += [_irregular(rng, 4) for _ in range(10)]
    return _sorted(Case(TestTree(tree)) for tree in trees)


@cache
def depth_cases() -> tuple[Case, ...]:
    """Trees that are searched to a depth, with estimates of their inner nodes."""
    rng = random.Random(SEED + 1)
    trees = [TestTree(_random(rng, shape, 9), seed=i) for i, shape in enumerate([(2, 2), (2, 2, 2)] * 5)]
    return _sorted(Case(tree, depth) for tree in trees for depth in (1, 2))


@cache
def window_cases() -> tuple[Case, ...]:
    """Trees that are searched in a window."""
    rng = random.Random(SEED + 2)
    cases = []
    for shape in ((2, 2), (2, 2), (2, 3), (2, 2, 2), (2, 2, 2), (3, 3)) * 4:
        alpha, beta = sorted(rng.sample(range(-4, 5), 2))
        bounds = rng.choice([(alpha, beta), (alpha, beta), (alpha, inf), (-inf, beta)])
        cases.append(Case(TestTree(_random(rng, shape, 4)), None, *bounds))
    return _sorted(cases)


@cache
def min_window_cases() -> tuple[Case, ...]:
    """Trees with MIN at the root that are searched in a window."""
    rng = random.Random(SEED + 5)
    trees = [TestTree(_random(rng, shape, 4), (MIN, MAX)) for shape in ((2,), (2,), (3,), (2, 2), (2, 2))]
    return _sorted(Case(tree, None, -1, 2) for tree in trees)


@cache
def min_cases() -> tuple[Case, ...]:
    """Trees with MIN at the root, for agents."""
    rng = random.Random(SEED + 6)
    shapes = ((2,), (2,), (3,), (2, 2), (2, 2), (2, 3), (3, 2), (2, 2, 2))
    return _sorted(Case(TestTree(_random(rng, shape, 9), (MIN, MAX))) for shape in shapes)


@cache
def ghost_cases() -> tuple[Case, ...]:
    """Trees of MAX and two ghosts, which both minimise."""
    rng = random.Random(SEED + 3)
    shapes = [(1, 1, 2), (1, 2, 2), (2, 2, 2), (2, 2, 2), (2, 2, 2), (2, 2, 2, 2), (2, 2, 2, 2)]
    return _sorted(Case(TestTree(_random(rng, shape, 5), (MAX, MIN, 2))) for shape in shapes)


@cache
def chance_cases() -> tuple[Case, ...]:
    """Trees with chance nodes."""
    rng = random.Random(SEED + 4)
    orders = [(CHANCE,), (CHANCE,), (MAX, CHANCE), (MAX, CHANCE, MIN), (MAX, CHANCE, MIN, CHANCE)]
    cases = []
    for i in range(15):
        levels = orders[i % len(orders)]
        shape = (2,) * max(1, len(levels))
        cases.append(Case(TestTree(_random(rng, shape, 9), levels, seed=i)))
    return _sorted(cases)


def _random(rng: random.Random, shape: Sequence[int], reach: int) -> Any:
    """A random tree with so many children at each level, and whole numbers up to some size."""
    if not shape:
        return rng.randint(-reach, reach)
    return [_random(rng, shape[1:], reach) for _ in range(shape[0])]


def _irregular(rng: random.Random, depth: int) -> Any:
    """A random tree with leaves at any depth."""
    if depth == 0 or (depth < 4 and rng.random() < 0.35):
        return rng.randint(-4, 4)
    return [_irregular(rng, depth - 1) for _ in range(rng.randint(1, 3))]


def _sorted(cases: Any) -> tuple[Case, ...]:
    return tuple(sorted(cases, key=lambda case: case.size))
