"""The engine: search that plays for real, as machine code where a game compiles."""

from plies.engine.ask import ENGINES, SIMULATE, Searcher, algorithm_for, engine_for, search
from plies.engine.deepening import Expectiminimax, MaxN
from plies.engine.engine import Engine
from plies.engine.found import Found
from plies.engine.limit import Limit
from plies.engine.monte_carlo import MonteCarlo, Simulations
from plies.engine.options import Options
from plies.engine.value import Value

__all__ = [
    "ENGINES",
    "SIMULATE",
    "Engine",
    "Expectiminimax",
    "Found",
    "Limit",
    "MaxN",
    "MonteCarlo",
    "Options",
    "Searcher",
    "Simulations",
    "Value",
    "algorithm_for",
    "engine_for",
    "search",
]
