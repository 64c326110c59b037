"""The sheets of a class: for each id its own problems, and for all ids equally hard ones."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from plies.book.algorithms import about
from plies.errors import BadParameter, PliesError
from plies.game import CHANCE, Game
from plies.games.tree import Tree
from plies.worksheet.problems import Problem, checked

SAMPLE = 60
"""The random problems from which the hardness of a question is chosen. Not tuned."""

FIRST = 10
"""Those of them that show whether such problems can be done by hand at all. Not tuned."""

PATIENCE = 5_000
"""The random problems among which one of that hardness must be. Not tuned."""

LEVELS = ((0, 1, 2), ("max", "chance", "min", "chance"), ("max", "min"), ("max",))
"""Who moves, level by level: the first of these that suits the algorithm, the most general first."""

MOST_LEAVES = 64
"""The most leaves of a tree: more do not fit on a page."""


@dataclass(frozen=True)
class Settings:
    """What the sheets of a class have in common."""

    algorithm: str
    seed: int
    count: int = 4
    options: dict[str, Any] = field(default_factory=dict)
    branching: int = 3
    depth: int = 2
    levels: tuple[str | int, ...] | None = None
    game: Game | None = None
    """The game whose positions are searched; None for trees."""
    plies: int = 4
    """How many random moves lead to a position."""

    def __post_init__(self) -> None:
        checked(self.algorithm)
        for name, low, high in (("count", 1, 20), ("branching", 2, 5), ("depth", 1, 6), ("plies", 0, 60)):
            value = getattr(self, name)
            if not low <= value <= high:
                raise BadParameter(f"{name} must be between {low} and {high}, not {value}")
        if self.game is None and self.branching**self.depth > MOST_LEAVES:
            raise BadParameter(
                f"branching {self.branching} and depth {self.depth} make {self.branching**self.depth} "
                f"leaves, and a page has room for {MOST_LEAVES}"
            )
        if self.game is not None and not about(self.algorithm).needs.serve(self.game):
            raise BadParameter(f"{self.algorithm} cannot search {self.game.name}")

    @cached_property
    def movers(self) -> tuple[str | int, ...]:
        """Who moves in the trees, level by level."""
        usual = LEVELS[2:] if self._is_for_a_goal else LEVELS
        for levels in usual if self.levels is None else (self.levels,):
            if about(self.algorithm).needs.serve(self._tree(random.Random(0), levels)):
                return levels
        which = "trees" if self.levels is None else f"trees of {', '.join(map(str, self.levels))}"
        raise BadParameter(f"{self.algorithm} cannot search {which}: give another algorithm, or a game")

    @property
    def _is_for_a_goal(self) -> bool:
        """Whether the algorithm asks if a goal can be reached, and not how much can be had."""
        return not about(self.algorithm).chooses or bool(about(self.algorithm).budget)

    def problem(self, rng: random.Random) -> Problem:
        """A random problem."""
        if self.game is None:
            return Problem(self._tree(rng, self.movers), 0, self.algorithm, self.options, None)
        state = self._position(rng, self.game)
        return Problem(self.game, state, self.algorithm, self.options, self.depth)

    def _tree(self, rng: random.Random, levels: tuple[str | int, ...]) -> Tree:
        size = self.branching**self.depth
        movers = [levels[level % len(levels)] for level in range(self.depth)]
        nodes: list[Any]
        if self._is_for_a_goal:
            nodes = [rng.choice((-1, 1)) for _ in range(size)]
        elif any(isinstance(level, int) for level in levels):
            players = len({level for level in levels if level != "chance"})
            nodes = [{"value": [rng.randint(0, 9) for _ in range(players)]} for _ in range(size)]
        else:
            # Means of multiples of the branching are whole numbers; no two leaves are alike.
            unit = self.branching ** movers.count("chance")
            nodes = [unit * number for number in rng.sample(range(max(20, 2 * size)), size)]
        for _ in movers:
            nodes = [nodes[i : i + self.branching] for i in range(0, len(nodes), self.branching)]
        return Tree(nodes[0], list(levels))

    def _position(self, rng: random.Random, game: Game) -> Any:
        """A position after some random moves, where it is a player's turn."""
        state = game.initial()
        made = 0
        while made < self.plies or (not game.is_terminal(state) and game.to_move(state) == CHANCE):
            if game.is_terminal(state):
                state, made = game.initial(), 0
            if game.to_move(state) == CHANCE:
                outcomes, chances = zip(*game.chance(state), strict=True)
                state = game.result(state, rng.choices(outcomes, chances)[0])
            else:
                state, made = game.result(state, rng.choice(list(game.actions(state)))), made + 1
        return state

    @cached_property
    def targets(self) -> list[tuple[Any, ...]]:
        """The hardness of each problem: the commonest ones of a sample, with cut-offs if there are any."""
        rng = random.Random(f"{self.seed} targets")
        sample = [self._usable(rng) for _ in range(FIRST)]
        if any(sample):  # or else the rest would take long, in vain
            sample += [self._usable(rng) for _ in range(SAMPLE - FIRST)]
        seen = Counter(problem.hardness for problem in sample if problem is not None)
        if not seen:
            raise PliesError(
                f"no position after {self.plies} moves can be searched by hand to depth {self.depth}"
            )
        common = [hardness for hardness, _ in seen.most_common()]
        cutting = [hardness for hardness in common if hardness[2]] or common
        return [cutting[i % min(len(cutting), 3)] for i in range(self.count)]

    def _usable(self, rng: random.Random) -> Problem | None:
        """A random problem that can be searched by hand; None if this one cannot."""
        problem = self.problem(rng)
        if problem.game.is_terminal(problem.state):
            return None
        try:
            problem.trace  # noqa: B018 - searched once, and kept
        except PliesError:  # too large
            return None
        return problem

    def as_hard(self, rng: random.Random, hardness: tuple[Any, ...], others: list[Problem]) -> Problem:
        """A random problem of a hardness, unlike some others."""
        for _ in range(PATIENCE):
            problem = self._usable(rng)
            if problem is None or problem.hardness != hardness:
                continue
            if not any(_same(problem, other) for other in others):
                return problem
        raise PliesError(
            f"among {PATIENCE:,} random problems there was no other with {hardness[0]} nodes and "
            f"{hardness[1]} leaves: ask for fewer problems, or change the settings"
        )


@dataclass(frozen=True)
class Sheet:
    """The problems of one student."""

    settings: Settings
    id: str
    problems: list[Problem]

    @property
    def code(self) -> str:
        """What a sheet and its key have in common, and no other: made of the answers."""
        answers = [(q.label, q.answer) for problem in self.problems for q in problem.questions]
        return hashlib.sha256(repr((self.id, answers)).encode()).hexdigest()[:8]


def sheets(
    settings: Settings, ids: Iterable[str], progress: Callable[[int], None] = lambda done: None
) -> Iterator[Sheet]:
    """A sheet for each id, the same whenever it is made from the same settings."""
    for done, one in enumerate(ids):
        if not re.fullmatch(r"[\w.@-]{1,60}", one) or one.startswith("."):
            raise BadParameter(
                f"an id is up to 60 letters, digits and . _ - @, since it names a file, not {one[:70]!r}"
            )
        progress(done)
        problems: list[Problem] = []
        for number, hardness in enumerate(settings.targets):
            rng = random.Random(f"{settings.seed} {one} {number}")
            problems.append(settings.as_hard(rng, hardness, problems))
        yield Sheet(settings, one, problems)


def _same(one: Problem, other: Problem) -> bool:
    if one.is_tree:
        return str(one.game) == str(other.game)
    return bool(one.state == other.state)
