"""The textbook algorithms, for any game; each step can be recorded."""

from __future__ import annotations

import inspect
from dataclasses import replace
from typing import Any

from plies.book.algorithms import ALGORITHMS, AT_ONCE, suited
from plies.book.alpha_beta import alpha_beta
from plies.book.and_or import and_or
from plies.book.arguments import variant
from plies.book.backward_induction import backward_induction
from plies.book.beam import beam
from plies.book.best_pair import BestPair, best_pair
from plies.book.decision import Decision, Evaluation
from plies.book.depth_first import depth_first
from plies.book.events import BackUp, Cut, Enter, Event, Leaf, Leave, Node, Order, Playout, Update, Visit
from plies.book.expectiminimax import expectiminimax
from plies.book.fictitious_play import fictitious_play
from plies.book.iterative_deepening import iterative_deepening
from plies.book.max_n import max_n
from plies.book.mcts import mcts
from plies.book.minimax import minimax
from plies.book.move_ordering import move_ordering
from plies.book.normal_form import NormalForm, normal_form
from plies.book.opponents import opponents
from plies.book.paranoid import paranoid
from plies.book.plan import Cases, Do, Done, Plan, plan_text
from plies.book.proof_number import proof_number
from plies.book.quiescence import quiescence
from plies.book.recorder import Counts, Recorder, TreeNode
from plies.book.regret_matching import regret_matching
from plies.book.repeated_play import RepeatedPlay, Round
from plies.book.rollouts import evaluation_of, rollout_evaluation
from plies.book.sampled import sampled
from plies.book.star1 import star1
from plies.book.star2 import star2
from plies.book.strategies import Strategy, count_strategies, outcome, strategies
from plies.book.tracing import LIMIT, Trace, Tracer
from plies.book.transposition_table import transposition_table
from plies.errors import BadParameter
from plies.game import Game, State

__all__ = [
    "ALGORITHMS",
    "BackUp",
    "BestPair",
    "Cases",
    "Counts",
    "Cut",
    "Decision",
    "Do",
    "Done",
    "Enter",
    "Evaluation",
    "Event",
    "Leaf",
    "Leave",
    "Node",
    "NormalForm",
    "Order",
    "Plan",
    "Playout",
    "Recorder",
    "RepeatedPlay",
    "Round",
    "Strategy",
    "Trace",
    "Tracer",
    "TreeNode",
    "Update",
    "Visit",
    "alpha_beta",
    "and_or",
    "backward_induction",
    "beam",
    "best_pair",
    "count_strategies",
    "depth_first",
    "evaluation_of",
    "expectiminimax",
    "fictitious_play",
    "iterative_deepening",
    "max_n",
    "mcts",
    "minimax",
    "move_ordering",
    "normal_form",
    "opponents",
    "outcome",
    "paranoid",
    "plan_text",
    "proof_number",
    "quiescence",
    "regret_matching",
    "rollout_evaluation",
    "sampled",
    "star1",
    "star2",
    "strategies",
    "suited",
    "trace",
    "transposition_table",
]


def trace(
    game: Game,
    state: State | None = None,
    *,
    algorithm: str | None = None,
    depth: int | None = None,
    limit: int = LIMIT,
    **options: Any,
) -> Trace:
    """Every step of an algorithm on a game, up to a limit of nodes; options are the algorithm's own.

    By default, the algorithm is the first of `suited`: alpha-beta for two players against each other.
    Its heading names the options that are not the defaults.
    """
    if algorithm is None:
        algorithm = (suited(game) or [AT_ONCE])[0]
    if algorithm not in ALGORITHMS:
        raise BadParameter(f"there is no algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")
    search = ALGORITHMS[algorithm]
    allowed = [
        name for name in inspect.signature(search).parameters if name not in ("game", "state", "trace")
    ]
    for option in options:
        if option not in allowed:
            raise BadParameter(f"{algorithm} has no option {option!r}; it has {', '.join(sorted(allowed))}")
    tracer = Tracer(game, limit)
    search(game, state, depth=depth, trace=tracer, **options)
    return replace(tracer.trace, variant=variant(algorithm, {**options, "depth": depth}))
