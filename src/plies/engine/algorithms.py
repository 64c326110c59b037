"""The registry: every algorithm by its name, the engine's and the book's, and which of them suits a game.

`alpha-beta` is the engine's, `book:alpha-beta` the book's, and `engine` whatever suits the game. Help,
players, `compare`, `best`, the page and the documents read this list.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

from plies.book.algorithms import ALGORITHMS as BOOK
from plies.book.algorithms import AT_ONCE, PREFERRED, about, needs_of
from plies.book.arguments import arguments_of
from plies.engine.alpha_beta import AlphaBeta
from plies.engine.book_search import BookSearch, book_search
from plies.engine.depth_first import DepthFirst
from plies.engine.driver import Search
from plies.engine.expectimax import Expectimax
from plies.engine.expectiminimax import Expectiminimax
from plies.engine.game_size import is_small
from plies.engine.limit import DEFAULT, Limit
from plies.engine.max_n import MaxN
from plies.engine.monte_carlo import FlatMonteCarlo, MonteCarlo
from plies.engine.networks import YES, has_network
from plies.engine.paranoid import ParanoidSearch
from plies.errors import BadParameter
from plies.game import Game
from plies.needs import Needs
from plies.network import Learned

ENGINE = "engine"
"""The name for whatever algorithm suits a game."""


@dataclass(frozen=True)
class Algorithm:
    """An algorithm that chooses an action."""

    name: str
    label: str
    """Its name on the page and in help."""
    needs: Needs
    """The games it serves."""
    limits: tuple[str, ...]
    """The limits it takes."""
    exact: bool
    """Whether, given enough time, it proves the value of a game."""
    make: type[Search]

    @property
    def book(self) -> bool:
        """Whether it is the book's, which runs interpreted."""
        return issubclass(self.make, BookSearch)

    @property
    def summary(self) -> str:
        """A sentence on what it does."""
        return (inspect.getdoc(self.make) or "").split("\n\n")[0].replace("\n", " ")

    @property
    def takes(self) -> tuple[str, ...]:
        """The names of its options."""
        if issubclass(self.make, BookSearch):
            return tuple(arguments_of(self.make.book))
        parameters = inspect.signature(self.make).parameters.values()
        return tuple(one.name for one in parameters if one.kind is one.KEYWORD_ONLY)


def _listed(*classes: type[Search]) -> dict[str, Algorithm]:
    return {
        one.algorithm: Algorithm(one.algorithm, one.label, one.needs, one.limits, one.exact, one)
        for one in classes
    }


ALGORITHMS: dict[str, Algorithm] = _listed(
    *(AlphaBeta, Expectiminimax, MaxN, ParanoidSearch, DepthFirst, MonteCarlo, FlatMonteCarlo, Expectimax),
    *(book_search(name) for name in BOOK if about(name).chooses),
)
"""Every algorithm that chooses an action, by name."""


def algorithm(name: str) -> Algorithm:
    """The algorithm of a name."""
    if not isinstance(name, str) or name not in ALGORITHMS:
        raise BadParameter(f"there is no algorithm {name!r}; there are {ENGINE}, {', '.join(ALGORITHMS)}")
    return ALGORITHMS[name]


def counts_simulations(name: str) -> bool:
    """Whether the nodes of what an algorithm found are simulations."""
    return name in ALGORITHMS and "simulations" in ALGORITHMS[name].limits


def algorithms_for(game: Game) -> list[Algorithm]:
    """All algorithms that serve a game, the one that suits it best first."""
    found = [one for one in ALGORITHMS.values() if one.needs.serve(game)]
    best = algorithm_for(game) if found else ""
    return sorted(found, key=lambda one: one.name != best)


def algorithm_for(game: Game, limit: Limit = DEFAULT, network: str | Learned = YES) -> str:
    """The name of the algorithm that suits a game best.

    That is the game's own choice, unless the limit is a depth and its algorithm has none. A game without
    an evaluation or a network gets Monte Carlo tree search, unless it is small enough to be searched to its
    end.
    """
    own = game.algorithm
    by_depth = limit.time is limit.nodes is None
    if own and not ("depth" not in algorithm(own).limits and by_depth):
        return own
    if game.simultaneous:
        needs_of(AT_ONCE).check(game, AT_ONCE)
        return f"book:{AT_ONCE}"
    if is_blind(game, network) and not by_depth and not is_small(game):
        return MonteCarlo.algorithm
    return next(name for name in PREFERRED if ALGORITHMS[name].needs.serve(game))


def is_blind(game: Game, network: str | Learned = YES) -> bool:
    """Whether a search that stops before the end of a game has nothing to go by: it has no evaluation, and no
    network."""
    judged = game.has("evaluate") or has_network(game, network)
    return game.players > 1 and not judged and not game.simultaneous


def engine_for(game: Game, name: str | None = None, **options: Any) -> Search:
    """The search of a name, or the one that suits a game best, made for that game."""
    suited = name is None or name == ENGINE
    chosen = algorithm(algorithm_for(game, network=options.get("network", YES)) if suited else name)  # type: ignore[arg-type]
    try:
        return chosen.make(game, **options)
    except TypeError as error:
        if "unexpected keyword" not in str(error):
            raise
        raise BadParameter(f"{chosen.name} does not take all of: {', '.join(options)}") from None
