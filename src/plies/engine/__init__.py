"""The engine: search that plays for real, as machine code where a game compiles."""

from plies.engine.alpha_beta import AlphaBeta
from plies.engine.deepening import Expectiminimax, MaxN
from plies.engine.limit import Limit
from plies.engine.monte_carlo import MctsOptions, MonteCarlo
from plies.engine.options import Options
from plies.engine.result import SearchResult
from plies.engine.search import ENGINES, SIMULATE, Searcher, algorithm_for, engine_for, search
from plies.engine.value import Value

__all__ = [
    "ENGINES",
    "SIMULATE",
    "AlphaBeta",
    "Expectiminimax",
    "Limit",
    "MaxN",
    "MctsOptions",
    "MonteCarlo",
    "Options",
    "SearchResult",
    "Searcher",
    "Value",
    "algorithm_for",
    "engine_for",
    "search",
]
