"""The engine: fast searches, as machine code if the game compiles."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from plies.engine.value import Value

# Where each name lives. They are loaded on first use: values and results can be read and drawn without NumPy.
_LAZY = {
    "ALGORITHMS": "algorithms",
    "Algorithm": "algorithms",
    "AlphaBeta": "alpha_beta",
    "Expectimax": "expectimax",
    "Expectiminimax": "expectiminimax",
    "Limit": "limit",
    "MaxN": "max_n",
    "MctsOptions": "options",
    "MonteCarlo": "monte_carlo",
    "Options": "options",
    "Search": "driver",
    "SearchResult": "result",
    "Value": "value",
    "algorithm": "algorithms",
    "algorithm_for": "algorithms",
    "algorithms_for": "algorithms",
    "engine_for": "algorithms",
}

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
    "engine_for",
]


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'plies.engine' has no attribute {name!r}")
    return getattr(importlib.import_module(f"plies.engine.{_LAZY[name]}"), name)
