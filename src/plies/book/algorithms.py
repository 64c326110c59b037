"""The algorithms of the book by name, and which of them serve a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from plies.book.alpha_beta import alpha_beta
from plies.book.and_or import and_or
from plies.book.backward_induction import backward_induction
from plies.book.beam import beam
from plies.book.decision import About, Decision
from plies.book.depth_first import depth_first
from plies.book.expectiminimax import expectiminimax
from plies.book.iterative_deepening import iterative_deepening
from plies.book.max_n import max_n
from plies.book.mcts import mcts
from plies.book.minimax import minimax
from plies.book.move_ordering import move_ordering
from plies.book.opponents import opponents
from plies.book.paranoid import paranoid
from plies.book.proof_number import proof_number
from plies.book.quiescence import quiescence
from plies.book.rollouts import evaluation_of
from plies.book.sampled import sampled
from plies.book.star1 import star1
from plies.book.star2 import star2
from plies.book.transposition_table import transposition_table
from plies.game import Game, State
from plies.needs import Needs

BookAlgorithm = Callable[..., Decision[Any]]

_LIST: tuple[BookAlgorithm, ...] = (
    *(minimax, alpha_beta, sampled, expectiminimax, max_n, opponents, paranoid, and_or, depth_first),
    *(move_ordering, transposition_table, quiescence, beam, iterative_deepening, star1, star2),
    *(backward_induction, mcts, proof_number),
)

ALGORITHMS: dict[str, BookAlgorithm] = {search.about.name: search for search in _LIST}  # type: ignore[attr-defined]
"""The algorithms, by name."""

AT_ONCE = "backward-induction"
"""The algorithm for games of simultaneous moves."""

PREFERRED = ("depth-first", "alpha-beta", "expectiminimax", "max-n", AT_ONCE)
"""The default for each kind of game, the most specific first; max^n serves any game in which players move in
turn. The engine's, too."""

HURRYING = ("minimax", "alpha-beta")
"""The algorithms that hurry when they play. Their line ends at the leaf that their value comes from."""

HURRY = 2.0**40
"""What `quick` is then: a ply weighs too little to decide between different values, and scaling by a power of
2 is exact."""

FEWEST = 20
"""The simulations or nodes of a search that must decide soon. Not tuned."""


def about(name: str) -> About:
    """The facts of an algorithm."""
    said: About = ALGORITHMS[name].about  # type: ignore[attr-defined]
    return said


def needs_of(name: str) -> Needs:
    """The games that an algorithm serves."""
    return about(name).needs


def as_player(name: str, game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of an algorithm that plays: of equal values, the quicker win and the slower loss is better.

    Values of such a decision are `HURRY` times as large.
    """
    if name not in HURRYING or "quick" in options:
        return dict(options)
    evaluate = evaluation_of(game, options.get("evaluate"))
    window = {bound: HURRY * options[bound] for bound in ("alpha", "beta") if bound in options}

    def scaled(state: State, player: int) -> float:
        return HURRY * evaluate(state, player)

    return {**options, **window, "quick": HURRY, "evaluate": scaled}


def quickest(name: str) -> dict[str, Any]:
    """The arguments by which an algorithm decides soonest."""
    budget = about(name).budget
    return {"depth": 1, **({budget: FEWEST} if budget else {})}


def suited(game: Game, algorithms: Iterable[str] = PREFERRED) -> list[str]:
    """The algorithms, out of some and in their order, that serve a game."""
    return [name for name in algorithms if needs_of(name).serve(game)]
