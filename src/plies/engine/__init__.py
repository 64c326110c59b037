"""The engine: fast searches, as machine code if the game compiles."""

from plies.engine.algorithms import (
    ALGORITHMS,
    Algorithm,
    algorithm,
    algorithm_for,
    algorithms_for,
    engine_for,
)
from plies.engine.alpha_beta import AlphaBeta
from plies.engine.driver import Search
from plies.engine.expectimax import Expectimax
from plies.engine.expectiminimax import Expectiminimax
from plies.engine.limit import Limit
from plies.engine.max_n import MaxN
from plies.engine.monte_carlo import MonteCarlo
from plies.engine.options import MctsOptions, Options
from plies.engine.result import SearchResult
from plies.engine.search import analyse, search
from plies.engine.value import Value

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "AlphaBeta",
    "Expectimax",
    "Expectiminimax",
    "Limit",
    "MaxN",
    "MctsOptions",
    "MonteCarlo",
    "Options",
    "Search",
    "SearchResult",
    "Value",
    "algorithm",
    "algorithm_for",
    "algorithms_for",
    "analyse",
    "engine_for",
    "search",
]
